"""Whether two sets of results differ: Student's and Welch's tests, and Holm's correction."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from adjoin.statistics.distributions import as_level, t_quantile, t_tails
from adjoin.statistics.intervals import Interval, mean, observations, share

_EQUAL = 1e-12
"""What is nearer to each other than that, as a part of the values, is the same."""


class Contrast(NamedTuple):
    """How much two sets of results differ.

    ``spread`` is the standard deviation of what one more observation of each tells about the
    difference, ``sd`` that of a single observation, ``correlation`` that of those that belong
    together. What cannot be known from so few is nan.
    """

    difference: Interval
    p: float
    spread: float
    sd: float
    correlation: float


def paired(a: ArrayLike, b: ArrayLike, level: float = 0.95, most: float | None = None) -> Contrast:
    """Return the difference of means of results that belong together in pairs, by Student's test.

    Where every pair differs by the same, Student's test has nothing to go by, and the p-value is
    that of the sign test; if results are 0 to ``most``, the interval is then that of ``share``.

    >>> print(paired([3, 5, 4, 6], [2, 3, 4, 4]).difference)
    1.2 (-0.3 to 2.8)
    """
    ours, theirs = observations(a), observations(b)
    if len(ours) != len(theirs):
        raise ValueError(f"{len(ours)} results, but {len(theirs)} to pair them with")
    apart = ours - theirs
    value, count = float(apart.mean()), len(apart)
    if count == 1:
        return _unknown(value, level)
    scale = float(max(np.abs(ours).max(), np.abs(theirs).max()))
    sd, spread = _sd(ours, theirs), float(apart.std(ddof=1))
    if spread > _EQUAL * scale:
        p = t_tails(value / (spread / math.sqrt(count)), count - 1)
        return Contrast(mean(apart, level), p, spread, sd, _correlation(ours, theirs, scale))
    p = 1.0 if abs(value) <= _EQUAL * scale else 0.5 ** (count - 1)
    interval = Interval(value, value, value)
    if most is not None:
        halves = share(np.clip((apart / most + 1) / 2, 0, 1), as_level(level))
        interval = Interval(value, *((2 * end - 1) * most for end in halves[1:]))
    return Contrast(interval, p, 0.0, sd, _correlation(ours, theirs, scale))


def unpaired(
    a: ArrayLike, b: ArrayLike, level: float = 0.95, most: float | None = None
) -> Contrast:
    """Return the difference of means of independent results, by Welch's test.

    Where all results of either are the same, the p-value is that of a permutation test; if results
    are 0 to ``most``, the interval is then put together from those of ``share``, as Newcombe does.

    >>> unpaired([3, 5, 4, 6], [2, 3, 4, 4, 1]).p < 0.1
    True
    """
    ours, theirs = observations(a), observations(b)
    value, counts = float(ours.mean() - theirs.mean()), (len(ours), len(theirs))
    if min(counts) == 1:
        return _unknown(value, level)
    scale = float(max(np.abs(ours).max(), np.abs(theirs).max()))
    errors = [float(each.var(ddof=1)) / len(each) for each in (ours, theirs)]
    error, sd = math.sqrt(sum(errors)), _sd(ours, theirs)
    spread = math.sqrt(2) * sd
    if spread > _EQUAL * scale:
        parts = (part * part / (n - 1) for part, n in zip(errors, counts, strict=True))
        freedom = max(error**4 / sum(parts), 1.0)
        half = t_quantile((1 + as_level(level)) / 2, freedom) * error
        interval = Interval(value, value - half, value + half)
        return Contrast(interval, t_tails(value / error, freedom), spread, sd, math.nan)
    is_same = abs(value) <= _EQUAL * scale
    ways = math.lgamma(sum(counts) + 1) - sum(math.lgamma(count + 1) for count in counts)
    p = 1.0 if is_same else 2 * math.exp(-ways)
    interval = Interval(value, value, value)
    if most is not None:
        one, two = (share(each, level, most=most) for each in (ours, theirs))
        low = value - math.hypot(one.value - one.low, two.high - two.value)
        interval = Interval(
            value, low, value + math.hypot(one.high - one.value, two.value - two.low)
        )
    return Contrast(interval, min(p, 1.0), 0.0, sd, math.nan)


def holm(p_values: Sequence[float]) -> list[float]:
    """Return p-values that take account of how many there are, by Holm's step-down method.

    The chance that any of those that are really due to nothing falls below a level is at most that
    level. What is nan stays so and is not counted.

    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    adjusted = [math.nan] * len(p_values)
    known = sorted((p, i) for i, p in enumerate(p_values) if not math.isnan(p))
    highest = 0.0
    for rank, (p, i) in enumerate(known):
        highest = max(highest, min((len(known) - rank) * p, 1.0))
        adjusted[i] = highest
    return adjusted


def _unknown(value: float, level: float) -> Contrast:
    as_level(level)
    interval = Interval(value, -math.inf, math.inf)
    return Contrast(interval, math.nan, math.nan, math.nan, math.nan)


def _sd(a: NDArray[Any], b: NDArray[Any]) -> float:
    """Return the standard deviation of a single result, of both alike."""
    return math.sqrt((float(a.var(ddof=1)) + float(b.var(ddof=1))) / 2)


def _correlation(a: NDArray[Any], b: NDArray[Any], scale: float) -> float:
    if min(a.std(), b.std()) <= _EQUAL * scale:
        return math.nan
    return float(np.corrcoef(a, b)[0, 1])
