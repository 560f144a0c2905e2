"""Means, ratios and shares of many groups at once, with intervals over independent matches."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from adjoin.statistics.distributions import normal_quantile, t_quantile
from adjoin.statistics.intervals import Interval

_LEVEL = 0.95


class Figure(NamedTuple):
    """A figure of all names: values, ends of their 95% intervals, and what it tells."""

    values: NDArray[np.float64]
    lows: NDArray[np.float64]
    highs: NDArray[np.float64]
    meaning: str
    unit: str = ""
    """"%" of a share."""

    def at(self, row: int) -> Interval:
        """Return the interval of a row."""
        return Interval(float(self.values[row]), float(self.lows[row]), float(self.highs[row]))


@dataclass(frozen=True)
class Groups:
    """Rows that belong to groups, such as cards, and to matches."""

    at: NDArray[np.int64]
    """Which group in which match each row is, as a number."""
    group: NDArray[np.int64]
    """The group of each of these numbers."""
    counts: NDArray[np.int64]
    """How many rows each group has."""
    matches: int
    """How many matches there are, those included in which a group has no row."""

    @classmethod
    def of(cls, codes: NDArray[Any], match: NDArray[np.int64], groups: int, matches: int) -> Groups:
        """Return the rows by the numbers of their groups and matches."""
        keys, at = np.unique(codes.astype(np.int64) << 32 | match, return_inverse=True)
        counts = np.bincount(codes, minlength=groups)
        return cls(at.reshape(-1), keys >> 32, counts, matches)

    def means(self, meaning: str) -> Figure:
        """Return how many rows there are per match."""
        rows = np.bincount(self.at, minlength=len(self.group)).astype(np.float64)
        total, squares = (self._over(each) for each in (rows, rows * rows))
        mean = total / self.matches
        return self._around(mean, squares - self.matches * mean**2, np.ones(len(mean)), meaning)

    def ratios(self, above: NDArray[Any], below: NDArray[Any], meaning: str) -> Figure:
        """Return sums of one by sums of another; matches without the group add nothing."""
        values, errors, mean = self._ratio(above, below)
        return self._around(values, errors, mean, meaning)

    def shares(self, values: NDArray[Any], meaning: str) -> Figure:
        """Return means of what is from 0 to 1, a row each.

        The intervals are Wilson's, for as many observations as the spread over matches is worth.
        """
        share, squares, mean = self._ratio(values, np.ones(len(self.at)))
        total = mean * self.matches
        with np.errstate(divide="ignore", invalid="ignore"):
            error = squares / mean**2 / max(self.matches - 1, 1) / self.matches
            worth = np.where(error > 0, share * (1 - share) / error, total)
            worth = np.clip(worth, 1, np.maximum(total, 1))
        z = normal_quantile((1 + _LEVEL) / 2)
        centre = (share + z * z / (2 * worth)) / (1 + z * z / worth)
        half = z * np.sqrt(np.maximum(share * (1 - share), 0) / worth + (z / (2 * worth)) ** 2)
        half /= 1 + z * z / worth
        lows, highs = np.minimum(centre - half, share), np.maximum(centre + half, share)
        return Figure(share, np.maximum(lows, 0), np.minimum(highs, 1), meaning, "%")

    def _over(self, values: NDArray[Any]) -> NDArray[np.float64]:
        """Return the sums over the matches of each group."""
        return np.bincount(self.group, values, len(self.counts)).astype(np.float64)

    def _ratio(
        self, above: NDArray[Any], below: NDArray[Any]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
        """Return the ratio of each group, the squares of what is left, and the mean below."""
        parts = len(self.group)
        a = np.bincount(self.at, np.asarray(above, np.float64), parts)
        b = np.bincount(self.at, np.asarray(below, np.float64), parts)
        with np.errstate(divide="ignore", invalid="ignore"):
            value = self._over(a) / self._over(b)
            left = a - np.nan_to_num(value)[self.group] * b
        return value, self._over(left * left), self._over(b) / self.matches

    def _around(
        self,
        values: NDArray[np.float64],
        squares: NDArray[np.float64],
        mean: NDArray[np.float64],
        meaning: str,
    ) -> Figure:
        if self.matches == 1:
            ends = np.full(len(values), np.inf)
            return Figure(values, -ends, ends, meaning)
        with np.errstate(divide="ignore", invalid="ignore"):
            error = np.sqrt(np.maximum(squares, 0) / (self.matches - 1) / self.matches) / mean
        half = t_quantile((1 + _LEVEL) / 2, self.matches - 1) * error
        return Figure(values, values - half, values + half, meaning)
