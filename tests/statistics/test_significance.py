"""Tests of a difference agree with scipy and statsmodels, and say so where they cannot tell."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.weightstats import CompareMeans, DescrStatsW

from adjoin.statistics.intervals import share
from adjoin.statistics.significance import holm, paired, unpaired
from scaffold import cases

LEVELS = [0.8, 0.95, 0.999]


def samples(seed: int, *counts: int) -> list[NDArray[np.float64]]:
    generator = np.random.default_rng(seed)
    return [generator.gamma(2 + n, 3 + seed, count) for n, count in enumerate(counts)]


@cases("count", [2, 3, 8, 100, 5000])
@cases("level", LEVELS)
def test_pairs_are_tested_as_scipy_does(count: int, level: float) -> None:
    a, b = samples(count, count, count)
    b = b + 0.5 * a
    theirs = stats.ttest_rel(a, b)
    ends = theirs.confidence_interval(level)
    ours = paired(a, b, level)
    assert ours.difference == pytest.approx((np.mean(a - b), ends.low, ends.high), rel=1e-9)
    assert ours.p == pytest.approx(theirs.pvalue, rel=1e-9)
    assert ours.correlation == pytest.approx(stats.pearsonr(a, b).statistic)
    assert ours.spread == pytest.approx(np.std(a - b, ddof=1))
    assert ours.sd**2 == pytest.approx((np.var(a, ddof=1) + np.var(b, ddof=1)) / 2)


@cases("counts", [(2, 3), (3, 2), (5, 40), (1000, 300)])
@cases("level", LEVELS)
def test_independent_results_are_tested_as_by_welch(counts: tuple[int, int], level: float) -> None:
    a, b = samples(sum(counts), *counts)
    theirs = stats.ttest_ind(a, b, equal_var=False)
    means = CompareMeans(DescrStatsW(a), DescrStatsW(b))
    low, high = means.tconfint_diff(1 - level, usevar="unequal")
    ours = unpaired(a, b, level)
    assert ours.difference == pytest.approx((a.mean() - b.mean(), low, high), rel=1e-9)
    assert ours.p == pytest.approx(theirs.pvalue, rel=1e-9)


def test_holm_agrees_with_statsmodels() -> None:
    generator = np.random.default_rng(5)
    for count in (1, 2, 7, 30):
        p = (generator.random(count) ** 3).round(2)
        assert holm(p.tolist()) == pytest.approx(multipletests(p, method="holm")[1])
    assert holm([0.01, math.nan, 0.02]) == pytest.approx([0.02, math.nan, 0.02], nan_ok=True)
    assert holm([]) == []


# Where nothing spreads.


def test_pairs_that_all_differ_by_the_same_are_tested_by_their_signs() -> None:
    for count in (2, 5, 40):
        base = np.arange(count) / 10
        ours = paired(base + 0.3, base)
        assert ours.p == pytest.approx(stats.binomtest(count, count).pvalue)
        assert ours.difference == pytest.approx((0.3, 0.3, 0.3))
        assert ours.spread == 0
    same = paired([0.1, 0.2, 0.3], [0.1, 0.2, 0.3])
    assert (same.p, tuple(same.difference)) == (1, (0, 0, 0))


def test_wins_in_every_pair_have_the_interval_of_a_share() -> None:
    ours = paired([1] * 12, [0] * 12, most=1)
    _, low, _ = share([1] * 12)
    assert ours.difference == pytest.approx((1, 2 * low - 1, 1))
    thirds = paired([2 / 3] * 12, [0] * 12, most=2 / 3)
    assert thirds.difference == pytest.approx([2 / 3 * end for end in ours.difference])


def test_independent_results_that_are_all_the_same_are_tested_by_permutations() -> None:
    ours = unpaired([1] * 4, [0] * 3, most=1)
    theirs = stats.permutation_test(
        ([1] * 4, [0] * 3), lambda x, y: np.mean(x) - np.mean(y), n_resamples=10_000
    )
    assert ours.p == pytest.approx(theirs.pvalue)
    one, two = share([1] * 4), share([0] * 3)
    assert ours.difference.low == pytest.approx(1 - math.hypot(1 - one.low, two.high))
    assert ours.difference.high == 1
    same = unpaired([3] * 4, [3] * 2)
    assert (same.p, tuple(same.difference)) == (1, (0, 0, 0))


@cases("test", [paired, unpaired])
def test_a_single_result_tells_nothing_but_itself(test: object) -> None:
    assert callable(test)
    alone = test([3], [1])
    assert alone.difference == (2, -math.inf, math.inf)
    assert math.isnan(alone.p)
    assert math.isnan(alone.spread)


def test_bad_input_is_refused_in_words() -> None:
    with pytest.raises(ValueError, match="2 results, but 3 to pair them with"):
        paired([1, 2], [1, 2, 3])
    with pytest.raises(ValueError, match="at least one"):
        unpaired([1, 2], [])
    with pytest.raises(ValueError, match="level = 2: must be between 0 and 1"):
        paired([1, 2], [3, 5], 2)
