"""The sequential test: its likelihoods, how often it is wrong, how long it takes, and its games."""

from __future__ import annotations

import functools
import json
import math
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
from numpy.typing import ArrayLike, NDArray
from scipy import optimize

import adjoin
from adjoin.statistics import (
    SequentialTest,
    compare,
    elo_of_share,
    share,
    share_of_elo,
    sprt,
    sprt_chance,
    sprt_games,
)
from scaffold import BRIEF, cases

PAIRS = [0, 0.25, 0.5, 0.75, 1]
"""What two games can score."""


def likeliest(kinds: ArrayLike, counts: ArrayLike, mean: float) -> NDArray[np.float64]:
    """Return the likeliest chances with a mean, by scipy: x of fishtest's secular equation."""
    often, apart = np.asarray(counts, np.float64), np.asarray(kinds) - mean
    ends = -1 / apart.max() + 1e-12, -1 / apart.min() - 1e-12
    x = optimize.brentq(lambda x: (often * apart / (1 + x * apart)).sum(), *ends, xtol=1e-14)
    chances: NDArray[np.float64] = often / often.sum() / (1 + x * apart)
    return chances


# The ratio of likelihoods.


@cases("counts", [[3, 7, 11, 9, 2], [1, 0, 40, 3, 12], [0, 5, 9, 30, 6], [4, 23, 314, 24, 3]])
@cases("bounds", [(0.5, 0.53), (0.3, 0.8)])
def test_the_ratio_is_that_of_the_likeliest_chances(
    counts: list[int], bounds: tuple[float, float]
) -> None:
    test = SequentialTest(*bounds, alpha=1e-300, beta=1e-300)
    test.update(np.random.default_rng(2).permutation(np.repeat(PAIRS, counts)))
    known = [count or (1e-3 if at in (0, 4) else 0) for at, count in enumerate(counts)]
    kinds, often = (
        np.array([each for each, count in zip(one, known, strict=True) if count])
        for one in (PAIRS, known)
    )
    low, high = (likeliest(kinds, often, bound) for bound in bounds)
    assert high @ kinds == pytest.approx(bounds[1])
    assert test.llr == pytest.approx((often * np.log(high / low)).sum(), rel=1e-6, abs=1e-6)


def test_no_other_chances_with_the_mean_are_likelier() -> None:
    often = np.array([3, 7, 11, 9, 2])
    best = (often * np.log(likeliest(PAIRS, often, 0.4))).sum()
    found = optimize.minimize(
        lambda p: -(often * np.log(p)).sum(),
        np.full(5, 0.2),
        bounds=[(1e-9, 1)] * 5,
        constraints=[
            {"type": "eq", "fun": lambda p: p.sum() - 1},
            {"type": "eq", "fun": lambda p: p @ PAIRS - 0.4},
        ],
    )
    assert -found.fun == pytest.approx(best, abs=1e-4)


def test_it_does_not_matter_how_many_scores_come_at_a_time() -> None:
    scores = np.random.default_rng(4).choice(PAIRS, 3000, p=[0.1, 0.2, 0.38, 0.21, 0.11])
    once = SequentialTest(0.5, 0.52)
    decision = once.update(scores)
    single = SequentialTest(0.5, 0.52)
    for score in scores:
        single.update(score)
    parts = SequentialTest(0.5, 0.52)
    for part in np.split(scores, [5, 700, 701, 1900]):
        parts.update(part)
    assert decision == single.decision == parts.decision != "undecided"
    assert once.path == pytest.approx(single.path)
    assert once.path == pytest.approx(parts.path)
    assert len(once.path) == once.count == single.count == parts.count < 3000
    assert sorted(scores[: once.count]) == pytest.approx(once.scores)


def test_what_comes_after_the_decision_does_not_count() -> None:
    test = SequentialTest(0.5, 0.6)
    assert (test.llr, test.count, test.decision, len(test.path)) == (0, 0, "undecided", 0)
    assert test.update([1] * 100) == "accepted"
    before = test.count, test.llr, test.path.tolist()
    assert test.update([0] * 100) == "accepted"
    assert (test.count, test.llr, test.path.tolist()) == before
    assert "accepted after" in repr(test)


@cases("bounds", [(0.5, 0.5288), (0.5, 0.6), (0.2, 0.9)])
def test_one_sided_scores_decide_no_sooner_than_those_of_a_coin_would(
    bounds: tuple[float, float],
) -> None:
    low, high = bounds
    reach = math.log(0.95 / 0.05)
    for score, each in ((1, math.log(high / low)), (0, math.log((1 - low) / (1 - high)))):
        test = SequentialTest(low, high)
        decision = test.update([score] * 1000)
        assert decision == ("accepted" if score else "rejected")
        assert reach / each <= test.count <= reach / each + 1.1


def test_no_scores_decide_sooner_than_wins_alone() -> None:
    generator = np.random.default_rng(9)
    for _ in range(40):
        low, high = np.sort(generator.uniform(0.05, 0.95, 2))
        chances = generator.dirichlet(np.full(5, 0.3))
        test = SequentialTest(low, high, alpha=1e-300, beta=1e-300)
        test.update(generator.choice(PAIRS, 200, p=chances))
        at = np.arange(1, 201) + 0.002
        assert (test.path <= at * math.log(high / low) + 1e-9).all()
        assert (test.path >= -at * math.log((1 - low) / (1 - high)) - 1e-9).all()


# How often it is wrong, and how long it takes.

CASES: dict[str, tuple[list[float], list[float], float, float]] = {
    "pairs": (PAIRS, [0.1, 0.2, 0.4, 0.2, 0.1], 0.5, 0.53),
    "wide": (PAIRS, [0.1, 0.2, 0.4, 0.2, 0.1], 0.5, 0.6),
    "drawish": (PAIRS, [0.01, 0.08, 0.82, 0.08, 0.01], 0.5, 0.53),
    "coin": ([0, 1], [0.5, 0.5], 0.5, 0.6),
    "skewed": (PAIRS, [0.01, 0.02, 0.07, 0.2, 0.7], 0.85, 0.9),
    "a table of four": ([n / 12 for n in range(13)], [1 / 13] * 13, 0.5, 0.56),
}
"""Scores, chances that are tilted to have a mean, and both hypotheses."""


@functools.cache
def trials(name: str, mean: float, count: int) -> tuple[float, float, float]:
    """Return how often the second is accepted, after how many scores on average, and the spread."""
    kinds, weights, low, high = CASES[name]
    chances = likeliest(kinds, weights, mean)
    chances /= chances.sum()
    generator = np.random.default_rng(17)
    accepted, scores = 0, 0
    for _ in range(count):
        test = SequentialTest(low, high)
        while test.decision == "undecided":
            test.update(generator.choice(kinds, 128, p=chances))
        accepted += test.decision == "accepted"
        scores += test.count
    spread = math.sqrt(chances @ (np.array(kinds) - mean) ** 2)
    return accepted / count, scores / count, spread


@pytest.mark.parametrize("name", [pytest.param(n, marks=pytest.mark.long) for n in CASES])
def test_a_thousand_tests_are_as_often_wrong_and_as_long_as_they_say(name: str) -> None:
    _, _, low, high = CASES[name]
    wrong, _, _ = trials(name, low, 1000)
    right, _, _ = trials(name, high, 1000)
    assert wrong <= 0.07
    assert right >= 0.93
    if name in ("pairs", "coin", "a table of four"):
        for mean in (low, (low + high) / 2, high):
            share, length, spread = trials(name, mean, 1000)
            assert length == pytest.approx(sprt_games(mean, spread, low, high), rel=0.13)
            assert share == pytest.approx(sprt_chance(mean, spread, low, high), abs=0.05)


def test_a_few_hundred_tests_are_as_often_wrong_and_as_long_as_they_say() -> None:
    _, _, low, high = CASES["wide"]
    wrong, none, spread = trials("wide", low, 300)
    right, much, _ = trials("wide", high, 300)
    assert 0.01 <= wrong <= 0.085
    assert 0.915 <= right <= 0.99
    for mean, length in ((low, none), (high, much)):
        assert length == pytest.approx(sprt_games(mean, spread, low, high), rel=0.25)


def test_errors_are_what_is_asked_for_on_either_side() -> None:
    generator = np.random.default_rng(6)
    for mean, alpha, beta, wrong in ((0.5, 0.2, 0.02, "accepted"), (0.6, 0.02, 0.2, "rejected")):
        found = []
        for _ in range(150):
            test = SequentialTest(0.5, 0.6, alpha=alpha, beta=beta)
            while test.decision == "undecided":
                test.update(generator.random(64) < mean)
            found.append(test.decision == wrong)
        assert 0.1 <= np.mean(found) <= 0.27


def test_wald_s_chances_and_lengths_hang_together() -> None:
    given: dict[str, float] = {"spread": 0.3, "low": 0.5, "high": 0.53}
    for alpha, beta in ((0.05, 0.05), (0.01, 0.2)):
        errors = {"alpha": alpha, "beta": beta}
        assert sprt_chance(0.5, **given, **errors) == pytest.approx(alpha)
        assert sprt_chance(0.53, **given, **errors) == pytest.approx(1 - beta)
        near = [sprt_games(0.515 + off, **given, **errors) for off in (-1e-6, 0, 1e-6)]
        assert max(near) - min(near) <= 1
        chance = [sprt_chance(0.515 + off, **given, **errors) for off in (-1e-6, 0, 1e-6)]
        assert chance == sorted(chance)
        assert chance[2] - chance[0] < 1e-3
    assert sprt_games(0.515, **given) > sprt_games(0.5, **given) > sprt_games(0.4, **given)
    assert sprt_games(0.5, 0.3, 0.5, 0.53) == pytest.approx(sprt_games(0.5, 0.6, 0.5, 0.56), abs=1)


def test_elo_points_and_shares_are_the_same_thing() -> None:
    for points in (-300, -20, 0, 3.5, 400):
        assert elo_of_share(share_of_elo(points)) == pytest.approx(points)
    assert share_of_elo(400) == pytest.approx(10 / 11)
    assert (elo_of_share(0), elo_of_share(1)) == (-math.inf, math.inf)
    with pytest.raises(ValueError, match=r"share = 1.1: must be 0 to 1"):
        elo_of_share(1.1)


# Games.


def recounted(game: str, a: str, b: str, deals: int, **options: Any) -> list[float]:
    """Return what a scores against b on each deal, in every mixed order of seats."""
    seats = adjoin.Spec.of(game, options).seats
    won, met = np.zeros(deals), 0
    for number in range(1, 2**seats - 1):
        agents = [a if number >> seat & 1 else b for seat in range(seats)]
        table = adjoin.simulate(game, deals, agents, rotate=False, **options)
        returns = table.each_seat("return")
        for i in range(seats):
            for j in range(seats):
                if agents[i] == a and agents[j] == b:
                    won += (np.sign(returns[:, i] - returns[:, j]) + 1) / 2
                    met += 1
    scores: list[float] = (won / met).tolist()
    return scores


@cases(
    ("game", "a", "b", "asked", "options"),
    [
        ("domiphun", "greedy", "random", (0.5, 0.6), {}),
        ("domiphun", "random", "greedy", (0.5, 0.6), {}),
        ("domiphun", "greedy", "easy(miss=0.2)", (0.5, 0.53), {}),
        ("metro_domino", "random", "greedy", (0.4, 0.45), {"players": 3}),
        ("connections", "greedy", "random", (0.7, 0.9), BRIEF["connections"]),
    ],
)
def test_deals_are_looked_at_one_by_one(
    game: str, a: str, b: str, asked: tuple[float, float], options: dict[str, Any]
) -> None:
    found = sprt(a, b, game, share=asked, **options)
    test = SequentialTest(*asked)
    scores = recounted(game, a, b, found.deals, **options)
    assert found.decision == test.update(scores) != "undecided"
    assert test.count == found.deals
    assert found.test.path == pytest.approx(test.path)
    assert found.score == pytest.approx(share(scores))
    orders = 2 ** adjoin.Spec.of(game, options).seats - 2
    assert found.games == orders * found.deals <= found.played


def test_sides_that_change_places_have_the_rest_of_the_score() -> None:
    keywords: dict[str, Any] = {"share": (0.45, 0.55), "max_games": 60}
    one = sprt("greedy", "easy(miss=0.2)", "domiphun", **keywords)
    two = sprt("easy(miss=0.2)", "greedy", "domiphun", **keywords)
    assert one.deals == two.deals
    assert one.score.value + two.score.value == pytest.approx(1)
    assert one.llr == pytest.approx(-two.llr)
    assert one.elo.value == pytest.approx(-two.elo.value)


def test_elo_points_ask_the_same_as_shares() -> None:
    points = sprt("greedy", "random", "domiphun", elo=(0, 50))
    shares = sprt("greedy", "random", "domiphun", share=(share_of_elo(0), share_of_elo(50)))
    assert points.test.path.tolist() == shares.test.path.tolist()
    assert "greedy is 50 Elo points rather than 0 ahead of random" in points.sentence
    assert "greedy scores 57.1463% rather than 50% against random" in shares.sentence
    assert sprt("greedy", "random", "domiphun").test.high == pytest.approx(share_of_elo(20))


def test_threads_and_executors_change_nothing_and_progress_is_told() -> None:
    def tested(**keywords: Any) -> Any:
        return sprt("greedy", "easy(miss=0.2)", "domiphun", **keywords).to_dict()

    heard: list[tuple[int, int]] = []
    once = tested(progress=lambda done, total: heard.append((done, total)))
    assert heard[-1] == (once["played"], 100_000)
    assert [done for done, _ in heard] == sorted(done for done, _ in heard)
    assert tested(threads=2) == once
    with ThreadPoolExecutor(2) as pool:
        assert tested(executor=pool) == once
    assert tested(seed=1) != once


def test_it_is_undecided_when_there_are_no_more_games() -> None:
    found = sprt("greedy", "easy(miss=0.2)", "domiphun", elo=(20, 60), max_games=31)
    assert (found.decision, found.games, found.played) == ("undecided", 30, 30)
    assert found.sentence.startswith("Undecided after 30 games on 15 deals: greedy may be 60 Elo")
    single = sprt("greedy", "random", "domiphun", max_games=2)
    assert (single.deals, single.is_one_match) == (1, False)
    assert not single.score.finite


def test_agents_that_repeat_one_match_are_undecided_and_stop() -> None:
    def lowest(observations: NDArray[np.uint8], masks: NDArray[np.int8]) -> Any:
        return masks.argmax(axis=1)

    def highest(observations: NDArray[np.uint8], masks: NDArray[np.int8]) -> Any:
        return masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1)

    found = sprt(lowest, highest, "mapello", setup="othello")
    assert (found.decision, found.is_one_match, found.deals, found.played) == (
        "undecided",
        True,
        1,
        32,
    )
    assert "lowest and highest leave nothing to chance from this start" in found.sentence
    assert found.to_dict()["score"]["high"] is None
    with pytest.raises(ValueError, match="no deal counts"):
        found.plot()


def test_a_winner_of_everything_is_accepted_soon_and_has_an_infinite_lead() -> None:
    found = sprt("search(iterations=40)", "random", "mapello", elo=(0, 100), setup="othello")
    assert found.decision == "accepted"
    assert 6 <= found.deals <= 16
    data = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert data["decision"] == "accepted"
    assert found.score.value < 1 or data["elo"]["value"] is None


def test_a_sequential_test_shows_itself() -> None:
    found = sprt("greedy", "random", "domiphun", seed=3)
    assert repr(found) == str(found)
    text = str(found).replace("\n", " ")
    for words in ("Domiphun: greedy against random", "accepted", "2.94", "seed 3", found.sentence):
        assert words in text
    assert "do not count" in text
    assert "accepted" in found._repr_html_()
    assert "deals" in found.plot().svg
    same = sprt("random", "random", "domiphun", max_games=40)
    assert (same.a, same.b, same.score.value) == ("random (a)", "random (b)", 0.5)


@pytest.mark.long
def test_hundreds_of_tests_with_games_are_as_often_wrong_as_they_say() -> None:
    pair = ("greedy", "easy(miss=0.2)", "domiphun")
    truth = compare(*pair, 100_000, measures="won", seed=9999, threads=2)["won"].a.value
    for asked, right in (((truth, truth + 0.06), "rejected"), ((truth - 0.06, truth), "accepted")):
        found = [sprt(*pair, share=asked, seed=seed).decision == right for seed in range(1, 401)]
        assert np.mean(found) >= 0.92


# What is refused.


@cases(
    ("keywords", "words"),
    [
        ({"elo": (20, 0)}, r"elo = \(20, 0\): must be two numbers, the lower first"),
        ({"elo": 20}, "elo = 20: must be two numbers"),
        ({"share": (0.5, 0.5)}, "must be two numbers, the lower first"),
        ({"share": (0.5, 1)}, r"share = \(0.5, 1\): must be between 0 and 1"),
        ({"share": (0.5, 0.6), "elo": (0, 1)}, "give one of them"),
        ({"alpha": 0}, "alpha = 0: must be between 0 and 0.5"),
        ({"beta": 0.5}, "beta = 0.5: must be between 0 and 0.5"),
        ({"max_games": 1}, "max_games = 1: must be 2 to"),
        ({"seed": -1}, "seed = -1"),
        ({"wals": 1}, "wals"),
        ({"b": 7}, "agent 7: must be a text or a callable"),
        ({"b": "gredy"}, "gredy"),
    ],
)
def test_wrong_arguments_are_refused_in_words(keywords: dict[str, Any], words: str) -> None:
    with pytest.raises((ValueError, TypeError), match=words):
        sprt(**{"a": "greedy", "b": "random", "game": "mapello", **keywords})


def test_wrong_scores_and_spreads_are_refused_in_words() -> None:
    test = SequentialTest(0.5, 0.6)
    for scores, words in (([0.5, 1.1], "scores must be 0 to 1: got 0.5 to 1.1"), ([], "at least")):
        with pytest.raises(ValueError, match=words):
            test.update(scores)
    assert test.count == 0
    with pytest.raises(ValueError, match="spread = 0: must be more than 0"):
        sprt_games(0.5, 0, 0.5, 0.6)
