"""Intervals for what was measured: shares, means, ratios, and anything else by the bootstrap.

Every function takes independent observations: an entry an episode or a deal, not a decision.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple, SupportsIndex

import numpy as np
from numpy.typing import ArrayLike, NDArray

from adjoin.statistics.distributions import as_level, normal_quantile, t_quantile
from adjoin.support.arguments import as_seed, whole


class Interval(NamedTuple):
    """A value and the ends of its interval, shown to the digits that the interval lets count.

    >>> interval = Interval(0.5714, 0.5312, 0.6103)
    >>> print(interval)
    0.57 (0.53 to 0.61)
    >>> print(f"{interval:%}")
    57% (53 to 61%)
    """

    value: float
    low: float
    high: float

    @property
    def finite(self) -> bool:
        """Whether both ends are known."""
        return math.isfinite(self.low) and math.isfinite(self.high)

    def covers(self, value: float) -> bool:
        """Return whether a value lies within the interval."""
        return self.low <= value <= self.high

    def texts(self, unit: str = "") -> tuple[str, str, str]:
        """Return value, low and high as texts; with unit "%" as percentages."""
        scale = 100 if unit == "%" else 1
        half = scale * (self.high - self.low) / 2
        if not math.isfinite(half) or half <= 0:
            decimals = 0 if float(scale * self.value).is_integer() else 2
        else:
            decimals = min(math.ceil(-math.log10(half / 3)), 6)
            decimals += decimals < 0
        numbers = (round(scale * n, decimals) + 0.0 if math.isfinite(n) else n for n in self)
        value, low, high = (f"{number:,.{max(decimals, 0)}f}" for number in numbers)
        return value, low, high

    def __format__(self, spec: str) -> str:
        """Return the value, with its interval in brackets; as percentages if so specified."""
        if spec not in ("", "%"):
            raise ValueError(f'an interval is formatted by "" or "%", not by {spec!r}')
        value, low, high = self.texts(spec)
        between = f"{low} to {high}{spec}" if self.finite else "interval unknown"
        return f"{value}{spec} ({between})"

    def __str__(self) -> str:
        """Return the value, with its interval in brackets."""
        return format(self, "")


def wilson(successes: SupportsIndex, trials: SupportsIndex, level: float = 0.95) -> Interval:
    """Return a share of successes with Wilson's score interval.

    >>> print(wilson(9, 10))
    0.90 (0.60 to 0.98)
    """
    count = whole("trials", trials, 1, 2**63)
    wins = whole("successes", successes, 0, count)
    z = normal_quantile((1 + as_level(level)) / 2)
    share = wins / count
    centre = (share + z * z / (2 * count)) / (1 + z * z / count)
    half = z * math.sqrt(share * (1 - share) / count + (z / (2 * count)) ** 2) / (1 + z * z / count)
    return Interval(share, min(max(centre - half, 0.0), share), max(min(centre + half, 1.0), share))


def share(values: ArrayLike, level: float = 0.95, *, most: float = 1.0) -> Interval:
    """Return a mean share of wins, where a drawn game counts in part, with its score interval.

    The interval holds every mean that a score test does not reject, given the likeliest chances of
    wins, draws and losses that have that mean. Without draws it is Wilson's, and a draw instead of
    a win never raises an end of it. ``most`` is what an entry can be at most.

    How many of 100 intervals cover the true share, which heads the column (20 and 100 games: all
    results counted; 1,000: 4,000 samples)::

        games  draws   0.5   0.6   0.7   0.8   0.9  0.95  0.99
           20     0%  95.9  96.3  97.5  95.6  95.7  92.5  98.3
           20    10%  95.1  95.6  95.6  95.6  96.4  95.7
           20    20%  95.0  95.5  95.2  96.4  96.8
          100     0%  94.3  94.8  93.7  94.1  93.6  96.6  92.1
          100    10%  94.9  95.1  95.0  95.0  95.2  95.8
          100    20%  94.9  95.1  95.0  95.0  94.1
         1000     0%  93.9  94.7  94.9  94.9  95.1  95.2  96.5
         1000    10%  94.2  95.0  95.2  95.0  94.8  95.4
         1000    20%  94.9  94.5  95.0  94.0  94.6

    >>> print(share([1] * 20), "and with a draw", share([1] * 19 + [0.5]))
    1.00 (0.84 to 1.00) and with a draw 0.97 (0.82 to 1.00)
    """
    observed = observations(values)
    if observed.min() < 0 or observed.max() > most * (1 + 1e-6):
        raise ValueError(f"shares must be 0 to {most:g}: got {observed.min()} to {observed.max()}")
    kinds, counts = np.unique(np.minimum(observed / most, 1), return_counts=True)
    chances = counts / len(observed)
    reach = normal_quantile((1 + as_level(level)) / 2) ** 2 / len(observed)
    value = float(observed.mean())
    low = most * _least_mean(kinds, chances, reach)
    high = most * (1 - _least_mean(1 - kinds, chances, reach))
    return Interval(value, min(low, value), max(high, value))


def _least_mean(kinds: NDArray[Any], chances: NDArray[Any], reach: float) -> float:
    """Return the least mean of values from 0 to 1 that is not rejected by what was seen.

    The likeliest chances with a lower mean are the observed ones divided by a linear function of
    the value, which the tilt turns from even to the value itself. Beyond that, a value of 0 that
    was never seen takes the place of all others.
    """
    middle = float(chances @ kinds)
    if middle == 0:
        return 0.0
    least, low, high = middle, 0.0, 1.0 if kinds.min() == 0 else 2.0
    for _ in range(50):
        tilt = (low + high) / 2
        least, variance = _tilted(kinds, chances, tilt)
        if (middle - least) ** 2 > reach * variance:
            high = tilt
        else:
            low = tilt
    return least


def _tilted(kinds: NDArray[Any], chances: NDArray[Any], tilt: float) -> tuple[float, float]:
    """Return mean and variance of the likeliest chances with a lower mean, by their tilt."""
    tilted = chances / (max(1 - tilt, 0) + min(tilt, 1) * kinds)
    tilted *= min(2 - tilt, 1) / tilted.sum()
    least = float(tilted @ kinds)
    return least, float(tilted @ (kinds - least) ** 2 + (1 - tilted.sum()) * least**2)


def chance(values: ArrayLike, fair: float) -> float:
    """Return how likely it is by chance alone that a mean share of wins is so far from a fair one.

    It is the p-value of the score test behind ``share``, with two sides: below 0.05 just where the
    interval does not hold the fair share.

    >>> round(chance([1] * 60 + [0] * 40, 0.5), 3)
    0.046
    """
    kinds, counts = np.unique(observations(values), return_counts=True)
    chances = counts / counts.sum()
    value = float(chances @ kinds)
    if value == fair:
        return 1.0
    if value < fair:
        kinds, fair = 1 - kinds, 1 - fair
    low, high = 0.0, 1.0 if kinds.min() == 0 else 2.0
    variance = 0.0
    for _ in range(50):
        tilt = (low + high) / 2
        least, variance = _tilted(kinds, chances, tilt)
        low, high = (tilt, high) if least > fair else (low, tilt)
    apart = abs(float(chances @ kinds) - fair)
    return math.erfc(apart / math.sqrt(2 * variance / counts.sum())) if variance else 0.0


def games_needed(
    edge: float, share: float = 0.5, *, power: float = 0.9, level: float = 0.95
) -> int:
    """Return how many games show, with a chance of ``power``, that a share is off by ``edge``.

    >>> games_needed(0.03), games_needed(0.03, 1 / 3)
    (2915, 2637)
    """
    if not 0 < share < share + edge < 1:
        raise ValueError(f"share = {share}, edge = {edge}: both and their sum must be in 0 to 1")
    spread = math.sqrt(share * (1 - share))
    there = math.sqrt((share + edge) * (1 - share - edge))
    return observations_needed(edge, spread, there, power=power, level=level)


def observations_needed(
    size: float,
    spread: float,
    there: float | None = None,
    *,
    power: float = 0.9,
    level: float = 0.95,
) -> int:
    """Return how many observations show, with a chance of ``power``, a mean that is off by so much.

    ``spread`` is their standard deviation, ``there`` that where the mean is off, if it is another.

    >>> observations_needed(0.5, 10)
    4203
    """
    if not size > 0:
        raise ValueError(f"size = {size}: must be more than 0")
    if not 0 < power < 1:
        raise ValueError(f"power = {power}: must be between 0 and 1")
    reach = normal_quantile((1 + as_level(level)) / 2) * spread
    reach += normal_quantile(power) * (spread if there is None else there)
    return math.ceil((reach / size) ** 2)


def mean(values: ArrayLike, level: float = 0.95) -> Interval:
    """Return a mean with Student's t interval, which has no ends for a single value.

    It promises too much where a few values in a thousand lie far from the others: decisions in
    Mapello, where a match may end early, need some ten thousand matches.

    >>> print(mean([1, 2, 3, 4]))
    2.5 (0.4 to 4.6)
    """
    observed = observations(values)
    return _around(float(observed.mean()), observed - observed.mean(), level)


def ratio(numerators: ArrayLike, denominators: ArrayLike, level: float = 0.95) -> Interval:
    """Return a ratio of sums, such as legal actions per decision, with its interval.

    An entry is what one episode adds to either sum. What happens within an episode may hang
    together: the t interval looks at the spread between episodes alone.

    >>> print(ratio([10, 25, 28], [5, 10, 15]))
    2.1 (1.2 to 3.0)
    """
    above, below = observations(numerators), observations(denominators)
    if len(above) != len(below):
        raise ValueError(f"{len(above)} numerators, but {len(below)} denominators")
    if not (below >= 0).all() or not below.any():
        raise ValueError("the denominators must not be negative, nor all 0")
    value = float(above.sum() / below.sum())
    return _around(value, (above - value * below) / below.mean(), level)


def bootstrap(
    statistic: Callable[..., float],
    *data: ArrayLike,
    seed: int = 0,
    resamples: int = 2000,
    level: float = 0.95,
) -> Interval:
    """Return a statistic with the bootstrap's percentile interval, the same for the same seed.

    The rows of the data are drawn together, with replacement.

    >>> print(bootstrap(np.median, [3, 1, 4, 1, 5, 9, 2, 6], seed=1))
    3.5 (1.5 to 6.0)
    """
    arrays = [np.asarray(array) for array in data]
    if not arrays or any(array.ndim == 0 for array in arrays):
        raise ValueError("the bootstrap needs at least one sequence")
    rows = len(arrays[0])
    if rows == 0 or any(len(array) != rows for array in arrays):
        lengths = ", ".join(str(len(array)) for array in arrays)
        raise ValueError(f"the data must be equally long and not empty, got {lengths} rows")
    generator = np.random.default_rng(as_seed(seed))
    drawn = np.empty(whole("resamples", resamples, 1, 2**31))
    for number in range(len(drawn)):
        chosen = generator.integers(rows, size=rows)
        drawn[number] = statistic(*(array[chosen] for array in arrays))
    return percentile(float(statistic(*arrays)), drawn, level)


def percentile(value: float, drawn: ArrayLike, level: float = 0.95) -> Interval:
    """Return a value with the interval that holds the middle of what was drawn, and the value."""
    tail = (1 - as_level(level)) / 2
    low, high = np.quantile(observations(drawn), [tail, 1 - tail])
    return Interval(value, min(float(low), value), max(float(high), value))


def _around(value: float, residuals: NDArray[Any], level: float) -> Interval:
    """Return the t interval of a value from what is left of the observations without it."""
    count = len(residuals)
    if count == 1:
        as_level(level)
        return Interval(value, -math.inf, math.inf)
    error = math.sqrt(float(residuals @ residuals) / (count - 1) / count)
    half = t_quantile((1 + as_level(level)) / 2, count - 1) * error
    return Interval(value, value - half, value + half)


def observations(values: ArrayLike) -> NDArray[np.float64]:
    """Return what was observed as an array, or say what is wrong."""
    observed = np.asarray(values, np.float64)
    if observed.ndim != 1 or not len(observed):
        raise ValueError(f"expected a sequence of numbers, at least one, got {values!r}")
    if not np.isfinite(observed).all():
        raise ValueError("expected finite numbers")
    return observed
