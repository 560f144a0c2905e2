"""The sequential probability ratio test: results are looked at one by one until they suffice."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from adjoin.statistics.intervals import observations

UNDECIDED, ACCEPTED, REJECTED = "undecided", "accepted", "rejected"
"""What a test has come to."""

_UNSEEN = 1e-3
"""How often a score of 0 or 1 counts that was never seen."""
_AT_ONCE = 512
_HALVINGS = 60


class SequentialTest:
    """Whether a mean score, of 0 to 1, is ``high`` or rather ``low``; it says when to stop.

    The test is Wald's: as soon as the likelihood with the mean ``high`` is large enough in relation
    to that with the mean ``low``, ``high`` is accepted, or rejected as soon as it is small enough.
    If the mean is ``low`` or less, it is accepted with a chance of ``alpha``; if it is ``high`` or
    more, it is rejected with a chance of ``beta``, both roughly.

    What scores there are and how often is not assumed but estimated, as chess engines are tested:
    under either mean the chances are those that make what was seen likeliest and have that mean.
    Scores must be independent: games on the same deal are one score, their mean. A score of 0 and
    one of 1 count as just possible even if they were never seen. So the logarithm of the ratio
    rises by at most log(high / low) a score, and it takes some scores to decide however one-sided
    they are.

    >>> test = SequentialTest(0.5, 0.6)
    >>> test.update([0.5, 1, 0.75, 0.5])
    'undecided'
    >>> test.update([0.75, 1] * 50), test.count
    ('accepted', 17)
    """

    def __init__(self, low: float, high: float, *, alpha: float = 0.05, beta: float = 0.05) -> None:
        self.low, self.high = _means(low, high)
        self.alpha, self.beta = alpha, beta
        self.bounds = wald_bounds(alpha, beta)
        """Where the logarithm of the ratio decides: below the first, or above the second."""
        self.decision = UNDECIDED
        self._counts: dict[float, int] = {}
        self._path: list[NDArray[np.float64]] = []

    def update(self, scores: ArrayLike) -> str:
        """Look at one score or several, in their order, and return the decision.

        What comes after the decision does not count.
        """
        new = observations(np.atleast_1d(np.asarray(scores, np.float64))).round(9)
        if new.min() < 0 or new.max() > 1:
            raise ValueError(f"scores must be 0 to 1: got {new.min():g} to {new.max():g}")
        for begin in range(0, len(new), _AT_ONCE):
            if self.decision != UNDECIDED:
                break
            self._look(new[begin : begin + _AT_ONCE])
        return self.decision

    def _look(self, new: NDArray[np.float64]) -> None:
        kinds = np.union1d(new, [0.0, 1.0, *self._counts])
        before = np.array([self._counts.get(kind, 0) for kind in kinds.tolist()])
        counts = before + np.cumsum(new[:, None] == kinds, axis=0)
        path = log_ratios(kinds, counts, self.low, self.high)
        passed = np.flatnonzero((path <= self.bounds[0]) | (path >= self.bounds[1]))
        last = int(passed[0]) if len(passed) else len(path) - 1
        self._counts = dict(zip(kinds.tolist(), counts[last].tolist(), strict=True))
        self._path.append(path[: last + 1])
        if len(passed):
            self.decision = ACCEPTED if path[last] >= self.bounds[1] else REJECTED

    @property
    def llr(self) -> float:
        """The logarithm of the ratio of likelihoods: 0 before the first score."""
        return float(self._path[-1][-1]) if self._path else 0.0

    @property
    def count(self) -> int:
        """How many scores count."""
        return sum(self._counts.values())

    @property
    def path(self) -> NDArray[np.float64]:
        """The logarithm of the ratio after each score."""
        return np.concatenate([np.empty(0), *self._path])

    @property
    def scores(self) -> NDArray[np.float64]:
        """The scores that count, sorted."""
        kinds = np.array([*self._counts], np.float64)
        return np.repeat(kinds, [*self._counts.values()])

    def __repr__(self) -> str:
        """Return what is tested, and how it stands."""
        return (
            f"<SequentialTest of {self.high:.4g} against {self.low:.4g}: {self.decision} after "
            f"{self.count:,} scores, {self.llr:.2f} between {self.bounds[0]:.2f} and "
            f"{self.bounds[1]:.2f}>"
        )


def log_ratios(
    kinds: NDArray[np.float64], counts: NDArray[np.integer], low: float, high: float
) -> NDArray[np.float64]:
    """Return, for each row of counts, by how much ``high`` is likelier than ``low`` as the mean.

    ``kinds`` are the scores that are counted, 0 and 1 among them.
    """
    is_end = (kinds == 0) | (kinds == 1)
    often = np.where(is_end & (counts == 0), _UNSEEN, counts)
    apart = [np.log1p(_tilt(kinds - mean, often, mean)) for mean in (low, high)]
    ratios: NDArray[np.float64] = (often * (apart[0] - apart[1])).sum(axis=1)
    return ratios


def _tilt(
    distance: NDArray[np.float64], often: NDArray[np.float64], mean: float
) -> NDArray[np.float64]:
    """Return by what the frequencies must be divided, less 1, to have the mean and be likeliest.

    It is x times the distance to the mean, with the x for which the distances that are left over
    weigh nothing: https://www.cantate.be/Fishtest/support_MLE_multinomial.pdf, proposition 1.1.
    """
    begin = np.full((len(often), 1), -1 / (1 - mean))
    end = np.full((len(often), 1), 1 / mean)
    for _ in range(_HALVINGS):
        middle = (begin + end) / 2
        rest = (often * distance / (1 + middle * distance)).sum(axis=1, keepdims=True)
        begin, end = np.where(rest > 0, middle, begin), np.where(rest > 0, end, middle)
    tilted: NDArray[np.float64] = (begin + end) / 2 * distance
    return tilted


def wald_bounds(alpha: float, beta: float) -> tuple[float, float]:
    """Return between which logarithms of the ratio a test with these chances of errors goes on.

    >>> [round(bound, 3) for bound in wald_bounds(0.05, 0.05)]
    [-2.944, 2.944]
    """
    for name, chance in (("alpha", alpha), ("beta", beta)):
        if not 0 < chance < 0.5:
            raise ValueError(f"{name} = {chance}: must be between 0 and 0.5")
    return math.log(beta / (1 - alpha)), math.log((1 - beta) / alpha)


def sprt_games(
    share: float,
    spread: float,
    low: float,
    high: float,
    *,
    alpha: float = 0.05,
    beta: float = 0.05,
) -> int:
    """Return how many scores a sequential test looks at on average, by Wald's approximation.

    ``share`` is the true mean, ``spread`` the standard deviation of a score. A score is one game,
    or all games on a deal: with both orders of two seats there are twice as many games. Really it
    is up to a fifth more, as the last score goes beyond the bound; where one side wins nearly all,
    it was found to be between a quarter less and half as much again.

    >>> sprt_games(0.5, 0.35, 0.5, 0.53), sprt_games(0.515, 0.35, 0.5, 0.53)
    (722, 1181)
    """
    (below, above), drift, accepted = _walk(share, spread, low, high, alpha, beta)
    if accepted is None:
        return math.ceil(-below * above / (2 * _information(spread, low, high)))
    return math.ceil((accepted * above + (1 - accepted) * below) / drift)


def sprt_chance(
    share: float,
    spread: float,
    low: float,
    high: float,
    *,
    alpha: float = 0.05,
    beta: float = 0.05,
) -> float:
    """Return with which chance a sequential test accepts ``high``, by Wald's approximation.

    >>> round(sprt_chance(0.5, 0.35, 0.5, 0.53), 2), round(sprt_chance(0.52, 0.35, 0.5, 0.53), 2)
    (0.05, 0.73)
    """
    (below, above), _, accepted = _walk(share, spread, low, high, alpha, beta)
    return -below / (above - below) if accepted is None else accepted


def _walk(
    share: float, spread: float, low: float, high: float, alpha: float, beta: float
) -> tuple[tuple[float, float], float, float | None]:
    """Return bounds, drift a score, and the chance of acceptance; None without any drift."""
    low, high = _means(low, high)
    if not spread > 0:
        raise ValueError(f"spread = {spread}: must be more than 0")
    below, above = wald_bounds(alpha, beta)
    drift = (share - (low + high) / 2) * (high - low) / spread**2
    power = drift / _information(spread, low, high)
    if abs(power) < 1e-9:
        return (below, above), drift, None
    accepted = math.expm1(-power * below) / (math.exp(-power * below) - math.exp(-power * above))
    return (below, above), drift, accepted


def _information(spread: float, low: float, high: float) -> float:
    """Return half the variance of the logarithm of the ratio that a score adds."""
    return (high - low) ** 2 / spread**2 / 2


def _means(low: float, high: float) -> tuple[float, float]:
    if not 0 < low < high < 1:
        raise ValueError(f"low = {low:g}, high = {high:g}: must be 0 < low < high < 1")
    return float(low), float(high)
