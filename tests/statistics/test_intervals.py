"""Intervals are right: they cover the truth as often as they say, and agree with scipy."""

from __future__ import annotations

import functools
import math
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import optimize, stats

import adjoin
from adjoin.statistics.distributions import normal_quantile, t_cdf, t_quantile, t_tails
from adjoin.statistics.intervals import (
    Interval,
    bootstrap,
    games_needed,
    mean,
    observations_needed,
    percentile,
    ratio,
    share,
    wilson,
)
from scaffold import IS_LONG, cases

LEVELS = [0.5, 0.8, 0.9, 0.95, 0.99, 0.999]


@cases("freedom", [1, 1.3, 2, 2.1, *range(3, 31), 50, 79.9, 80, 1000, 10**6])
def test_t_agrees_with_scipy(freedom: float) -> None:
    for level in (0.001, *LEVELS, 1 - 1e-9):
        ours, theirs = t_quantile((1 + level) / 2, freedom), stats.t.ppf((1 + level) / 2, freedom)
        assert ours == pytest.approx(theirs, rel=1e-9)
        assert t_quantile((1 - level) / 2, freedom) == pytest.approx(-ours, rel=1e-9)
    for value in (0, 1e-3, 0.5, 1, 1.7, 3, 10, 300, math.inf):
        beyond = stats.t.sf(value, freedom)
        assert t_tails(value, freedom) == t_tails(-value, freedom)
        assert t_tails(value, freedom) == pytest.approx(2 * beyond, rel=1e-9)
        assert t_cdf(-value, freedom) == pytest.approx(beyond, rel=1e-9)
        assert t_cdf(value, freedom) == pytest.approx(stats.t.cdf(value, freedom), rel=1e-12)


def test_quantiles_of_the_normal_distribution_agree_with_scipy() -> None:
    for probability in (0.001, 0.025, 0.5, 0.9, 0.995):
        assert normal_quantile(probability) == pytest.approx(stats.norm.ppf(probability), abs=1e-9)


@cases("level", LEVELS)
@cases("trials", [1, 2, 7, 100, 12345])
def test_wilson_agrees_with_scipy(trials: int, level: float) -> None:
    for successes in {0, 1, trials // 3, trials - 1, trials}:
        theirs = stats.binomtest(successes, trials).proportion_ci(level, method="wilson")
        ours = wilson(successes, trials, level)
        assert ours == pytest.approx((successes / trials, theirs.low, theirs.high), abs=1e-12)
        assert 0 <= ours.low <= ours.value <= ours.high <= 1


# Shares with draws.


@functools.cache
def with_draws(wins: int, draws: int, losses: int) -> Interval:
    return share(np.repeat([1, 0.5, 0], [wins, draws, losses]))


def results(games: int) -> list[tuple[int, int, int]]:
    """Return everything that so many games can come to: wins, draws, losses."""
    numbers = range(games + 1)
    return [(w, d, games - w - d) for w in numbers for d in numbers if w + d <= games]


@cases("level", LEVELS)
@cases("games", [1, 2, 7, 100, 12345])
def test_a_share_without_draws_has_wilsons_interval(games: int, level: float) -> None:
    for wins in {0, 1, games // 3, games - 1, games}:
        ours = share(np.repeat([1, 0], [wins, games - wins]), level)
        assert ours == pytest.approx(wilson(wins, games, level), abs=1e-9)


def score(p: float, wins: int, draws: int, losses: int) -> float:
    """Return the score statistic of a mean, at the likeliest chances that scipy finds for it."""

    def unlikely(win: float) -> float:
        chances = (win, 2 * (p - win), 1 - 2 * p + win)
        pairs = zip((wins, draws, losses), chances, strict=True)
        return -sum(n * math.log(max(chance, 1e-300)) for n, chance in pairs if n)

    bounds = (max(0, 2 * p - 1), p)
    win: float = optimize.minimize_scalar(unlikely, bounds=bounds, options={"xatol": 1e-12}).x
    variance = win + (p - win) / 2 - p * p
    games = wins + draws + losses
    return games * ((wins + draws / 2) / games - p) ** 2 / variance


@cases(
    "seen", [(19, 1, 0), (12, 5, 3), (3, 14, 3), (0, 20, 0), (40, 3, 9), (1, 2, 30), (700, 90, 210)]
)
def test_a_score_test_just_rejects_the_ends_of_a_share(seen: tuple[int, int, int]) -> None:
    interval = with_draws(*seen)
    for end in interval[1:]:
        assert score(end, *seen) == pytest.approx(normal_quantile(0.975) ** 2, rel=1e-4)
    assert score((interval.low + interval.value) / 2, *seen) < 3.8


def test_a_draw_instead_of_a_win_never_raises_an_end_nor_a_loss_instead_of_a_draw() -> None:
    for games in range(1, 31 if IS_LONG else 13):
        for wins, draws, losses in results(games):
            here = with_draws(wins, draws, losses)
            assert 0 <= here.low <= here.value <= here.high <= 1
            worse = []
            if wins:
                worse.append(with_draws(wins - 1, draws + 1, losses))
            if draws:
                worse.append(with_draws(wins, draws - 1, losses + 1))
            for there in worse:
                assert there.low <= here.low + 1e-9
                assert there.high <= here.high + 1e-9


def test_a_share_of_part_of_the_win_is_scaled() -> None:
    values = np.array([1, 0, 0.5, 1, 1, 0])
    halves = share(values / 2, most=0.5)
    assert halves == pytest.approx([end / 2 for end in share(values)])
    with pytest.raises(ValueError, match=r"shares must be 0 to 0\.5: got 0\.0 to 1\.0"):
        share(values, most=0.5)


def possible(draws: float) -> list[float]:
    """Return shares from a half to all that can be with so many drawn games."""
    return [p for p in (0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 1) if p + draws / 2 <= 1]


@cases("games", [20, 50])
@cases("draws", [0, 0.05, 0.1, 0.2])
def test_a_share_is_covered_as_often_as_its_interval_says(games: int, draws: float) -> None:
    found = results(games)
    for p in possible(draws):
        chances = np.clip([p - draws / 2, draws, 1 - p - draws / 2], 0, 1)
        often = stats.multinomial.pmf(found, games, chances / chances.sum())
        covered = sum(
            chance
            for seen, chance in zip(found, often, strict=True)
            if chance > 1e-9 and with_draws(*seen).covers(p)
        )
        assert covered >= (0.94 if draws else 0.91), "Wilson's own interval has 0.911 at 0.99"


@pytest.mark.long
@pytest.mark.parametrize("draws", [0, 0.1, 0.2])
def test_a_share_of_many_games_is_covered_as_often_as_its_interval_says(draws: float) -> None:
    generator = np.random.default_rng(4)
    for p in (0.5, 0.7, 0.9):
        chances = np.clip([p - draws / 2, draws, 1 - p - draws / 2], 0, 1)
        drawn = generator.multinomial(1000, chances, size=1000).tolist()
        covered = [with_draws(*seen).covers(p) for seen in drawn]
        assert 0.925 <= np.mean(covered) <= 0.97


def test_so_many_games_find_an_edge_with_the_chance_asked_for() -> None:
    generator = np.random.default_rng(5)
    for edge, fair, power in ((0.03, 0.5, 0.9), (0.05, 1 / 3, 0.8)):
        games = games_needed(edge, fair, power=power)
        wins = generator.binomial(games, fair + edge, size=2000)
        found = np.mean([wilson(int(won), games).low > fair for won in wins])
        assert found == pytest.approx(power, abs=0.03)
    with pytest.raises(ValueError, match=r"share = 0\.9, edge = 0\.2"):
        games_needed(0.2, 0.9)


@cases("level", LEVELS)
def test_the_interval_of_a_mean_agrees_with_scipy(level: float) -> None:
    generator = np.random.default_rng(3)
    for count in (2, 3, 4, 10, 500):
        values = generator.normal(5, 2, count)
        error = stats.sem(values)
        low, high = stats.t.interval(level, count - 1, values.mean(), error)
        half = (high - low) / 2
        assert mean(values, level) == pytest.approx((values.mean(), low, high), abs=1e-3 * half)


def test_a_single_value_has_an_interval_without_ends() -> None:
    assert mean([4]) == Interval(4, -math.inf, math.inf)
    assert not mean([4]).finite
    assert str(mean([4])) == "4 (interval unknown)"


def test_equal_values_have_an_interval_of_no_width() -> None:
    assert mean([4, 4, 4]) == (4, 4, 4)


def test_a_ratio_with_equal_denominators_is_a_mean() -> None:
    values = np.random.default_rng(1).normal(size=40)
    assert ratio(values, np.full(40, 2)) == pytest.approx(mean(values / 2))


def test_a_bootstrap_depends_on_its_seed_alone() -> None:
    data = np.random.default_rng(0).exponential(size=60)
    assert bootstrap(np.median, data, seed=4) == bootstrap(np.median, data, seed=4)
    assert bootstrap(np.median, data, seed=4) != bootstrap(np.median, data, seed=5)


def test_a_bootstrap_of_a_mean_is_near_the_t_interval() -> None:
    data = np.random.default_rng(2).normal(10, 3, 400)
    assert bootstrap(np.mean, data, resamples=4000) == pytest.approx(mean(data), abs=0.03)


def test_a_bootstrap_draws_rows_of_all_its_data_together() -> None:
    one = np.arange(50.0)
    always = bootstrap(lambda a, b: float(np.abs(2 * a - b).max()), one, 2 * one, resamples=50)
    assert always == (0, 0, 0)


def test_percentiles_hold_the_value() -> None:
    assert percentile(9, [1, 2, 3]) == pytest.approx((9, 1.05, 9))


@cases(
    ("function", "arguments", "words"),
    [
        (wilson, (0, 0), "trials = 0: must be 1 to"),
        (wilson, (5, 4), "successes = 5: must be 0 to 4"),
        (wilson, (-1, 4), "successes = -1: must be 0 to 4"),
        (wilson, (1, 4, 1.0), "level = 1.0: must be between 0 and 1"),
        (mean, ([1, 2], 0), "level = 0: must be between 0 and 1"),
        (mean, ([1], 2), "level = 2: must be between 0 and 1"),
        (mean, ([],), "at least one"),
        (mean, ([[1, 2], [3, 4]],), "expected a sequence of numbers"),
        (mean, ([1, math.nan],), "finite"),
        (ratio, ([1, 2], [1]), "2 numerators, but 1 denominators"),
        (ratio, ([1, 2], [0, 0]), "nor all 0"),
        (ratio, ([1, 2], [1, -1]), "not be negative"),
        (bootstrap, (np.mean,), "at least one sequence"),
        (bootstrap, (np.mean, []), "not empty, got 0 rows"),
        (bootstrap, (np.mean, [1, 2], [1]), "equally long and not empty, got 2, 1 rows"),
        (t_quantile, (1, 3), "probability = 1: must be between 0 and 1"),
        (t_quantile, (0.9, 0), "freedom = 0: must be at least 1"),
        (t_cdf, (0.9, math.nan), "freedom = nan: must be at least 1"),
        (observations_needed, (0, 1), "size = 0: must be more than 0"),
    ],
)
def test_bad_input_is_refused_in_words(function: Any, arguments: Any, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        function(*arguments)


def test_a_count_must_be_whole() -> None:
    with pytest.raises(TypeError, match=r"successes = 1.5: must be a whole number"):
        wilson(1.5, 4)  # type: ignore[arg-type]


def test_an_interval_is_shown_to_the_digits_that_count() -> None:
    assert str(Interval(56.6321, 56.4, 56.86)) == "56.63 (56.40 to 56.86)"
    assert str(Interval(609.21, 604.9, 613.5)) == "609 (605 to 614)"
    assert str(Interval(614, 567, 653)) == "614 (567 to 653)"
    assert str(Interval(12345.6, 12001, 12690)) == "12,350 (12,000 to 12,690)"
    assert f"{Interval(0.5, 0.479, 0.521):%}" == "50.0% (47.9 to 52.1%)"
    assert str(Interval(-0.04, -2, 2)) == "0.0 (-2.0 to 2.0)"
    assert f"{Interval(1, 1, 1):%}" == "100% (100 to 100%)"
    assert Interval(2, 1, 3).covers(1)
    assert not Interval(2, 1, 3).covers(3.1)
    with pytest.raises(ValueError, match='formatted by "" or "%"'):
        format(Interval(1, 1, 1), ".2f")


# Coverage, on games whose truth is known by symmetry or from a much longer run.

TRIALS, BLOCK = 1000, 125
"""Of 125 games Wilson's interval covers 1/2 in 95.1% of all trials; of 100, in 94.3%."""


def blocks(values: NDArray[Any]) -> NDArray[Any]:
    """Return trials of many games each, no game in two of them."""
    assert len(values) >= TRIALS * BLOCK
    return values[: TRIALS * BLOCK].reshape(TRIALS, BLOCK)


@pytest.fixture(scope="module")
def fair() -> NDArray[Any]:
    """Whether the first of two random agents that swap seats won, of decisive games."""
    tables = [
        adjoin.simulate("mapello", 45_000, ["random", "random"], seed=seed, threads=2)
        for seed in (11, 12, 13)
    ]
    won = [(table["winner"] == table["episode"] % 2)[table["winner"] >= 0] for table in tables]
    return blocks(np.concatenate(won))


@pytest.mark.long
def test_wilson_covers_a_fair_coin_as_often_as_it_says(fair: NDArray[Any]) -> None:
    covered = [wilson(int(won.sum()), BLOCK).covers(0.5) for won in fair]
    assert 0.935 <= np.mean(covered) <= 0.965


@pytest.mark.long
def test_a_narrower_interval_covers_less(fair: NDArray[Any]) -> None:
    covered = [wilson(int(won.sum()), BLOCK, 0.5).covers(0.5) for won in fair]
    assert 0.45 <= np.mean(covered) <= 0.55


@pytest.mark.long
@pytest.mark.parametrize(("game", "column"), [("domiphun", "decisions"), ("mapello", "score_0")])
def test_the_interval_of_a_mean_covers_it_as_often_as_it_says(game: str, column: str) -> None:
    truth = float(adjoin.simulate(game, 400_000, seed=99, threads=2)[column].mean())
    played = adjoin.simulate(game, TRIALS * BLOCK, seed=11, threads=2)[column]
    covered = [mean(values).covers(truth) for values in blocks(played)]
    assert 0.935 <= np.mean(covered) <= 0.965
