"""The words of a report: the size of a difference, and apart from it how sure it is."""

from __future__ import annotations

import math

import pytest

from adjoin.reports.documents import Grid, Report, Section
from adjoin.reports.sections.words import judged
from adjoin.statistics.intervals import Interval, chance, wilson
from scaffold import cases


@cases(
    ("wins", "games", "fair"), [(60, 100, 0.5), (520, 1000, 0.5), (40, 100, 1 / 3), (5, 10, 0.5)]
)
def test_the_chance_is_that_of_a_score_test(wins: int, games: int, fair: float) -> None:
    found = chance([1.0] * wins + [0.0] * (games - wins), fair)
    z = abs(wins / games - fair) / math.sqrt(fair * (1 - fair) / games)
    # With two seats it is the test that Wilson's interval stands for.
    exact = math.erfc(z / math.sqrt(2))
    assert found == pytest.approx(exact, rel=1e-9 if fair == 0.5 else 0.15)
    assert (found < 0.05) != wilson(wins, games).covers(fair)


def test_without_any_spread_all_is_chance() -> None:
    assert chance([0.5, 0.5], 0.5) == 1


@cases(
    ("low", "high", "probability", "words"),
    [
        (0.48, 0.52, 0.9, "A difference, if any, is below 3 percentage points."),
        (0.505, 0.525, 0.01, "There is a difference, but it is below 3 percentage points."),
        (0.51, 0.57, 0.01, "There is a difference; whether it reaches 3 percentage points is open"),
        (0.54, 0.58, 0.001, "The difference is above 3 percentage points."),
        (0.42, 0.46, 0.001, "The difference is above 3 percentage points."),
        (0.49, 0.55, 0.2, "800 matches leave open whether there is a difference: to show 3"),
    ],
)
def test_verdicts_tell_the_size_of_a_difference_from_its_certainty(
    low: float, high: float, probability: float, words: str
) -> None:
    found = Interval((low + high) / 2, low, high)
    assert judged([found], 0.5, probability, 800).startswith(words)


def test_one_seat_that_may_be_far_off_keeps_all_from_being_level() -> None:
    near, far = Interval(0.335, 0.32, 0.35), Interval(0.32, 0.29, 0.35)
    assert "below" in judged([near, near], 1 / 3, 0.9, 5000)
    assert judged([near, far], 1 / 3, 0.9, 5000) == (
        "5,000 matches leave open whether there is a difference."
    )


def test_no_line_ends_within_an_interval() -> None:
    section = Section("", ("It is 3 (-1 to 5) (p = 0.20) by f(a, 1).",), Grid((), ()))
    html = Report("x", "X", (section,), {}, {}).html
    assert "It is 3 (-1\u00a0to\u00a05) (p\u00a0=\u00a00.20) by f(a, 1)." in html
