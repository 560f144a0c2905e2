"""Ratings from results: Bradley and Terry's model, with intervals over deals."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from adjoin.statistics.distributions import t_quantile
from adjoin.statistics.intervals import Interval, percentile
from adjoin.support.arguments import as_seed

ELO = 400 / math.log(10)
"""Rating points for a factor of e in the odds."""

RESAMPLES = 1000
"""How often the deals are weighed anew for the intervals."""

_STEPS = 10_000


class Rating(NamedTuple):
    """How strong an agent is: rating with interval, matches played, mean score in its pairings."""

    agent: str
    rating: float
    low: float
    high: float
    games: int
    score: float


class Pairing(NamedTuple):
    """How one agent fared against another: score with interval, over the results that count."""

    score: float
    low: float
    high: float
    games: int


class Group(NamedTuple):
    """Agents that sat at a table, the orders they sat in, and the deals that each order played.

    ``distinct`` is how many of the games were different matches, ``observed`` how many of the deals
    count: a single one, where every order played one match again and again.
    """

    agents: tuple[str, ...]
    seatings: tuple[tuple[str, ...], ...]
    first: int
    deals: int
    distinct: int
    observed: int

    @property
    def games(self) -> int:
        """How many games the group played."""
        return self.deals * len(self.seatings)


def elo_of_share(share: float) -> float:
    """Return by how many Elo points one is ahead who scores a share, a draw being half a point.

    >>> round(elo_of_share(0.75))
    191
    """
    if not 0 <= share <= 1:
        raise ValueError(f"share = {share}: must be 0 to 1")
    if share in (0, 1):
        return math.inf if share else -math.inf
    return ELO * math.log(share / (1 - share))


def share_of_elo(points: float) -> float:
    """Return which share one scores who is ahead by so many Elo points.

    >>> round(share_of_elo(191), 2)
    0.75
    """
    return 1 / (1 + math.exp(-points / ELO))


def bradley_terry(points: ArrayLike) -> NDArray[np.float64]:
    """Return the ratings, in Elo points with mean 0, that make results most likely.

    ``points[i][j]`` is what i scored against j, half a point for a draw; several such matrices may
    be stacked. There must be a chain of points from each to each, else a rating is infinite.

    >>> bradley_terry([[0, 10], [1, 0]]).round(6).tolist()
    [200.0, -200.0]
    """
    won = np.asarray(points, np.float64)
    if won.ndim < 2 or won.shape[-1] != won.shape[-2] or won.shape[-1] < 2:
        raise ValueError(f"expected square matrices of points, got the shape {won.shape}")
    if not (np.isfinite(won) & (won >= 0)).all():
        raise ValueError("points must be finite and not negative")
    won = won * (1 - np.eye(won.shape[-1]))
    if not _chained(won).all():
        raise ValueError("there is no chain of points from each to each: a rating is infinite")
    strength = np.ones(won.shape[:-1])
    for _ in range(_STEPS):  # M. E. J. Newman, J. Mach. Learn. Res. 24 (2023), equation 26
        before = strength.copy()
        for i in range(won.shape[-1]):
            both = strength[..., i, None] + strength
            up = (won[..., i, :] * strength / both).sum(axis=-1)
            strength[..., i] = up / (won[..., :, i] / both).sum(axis=-1)
        strength /= np.exp(np.log(strength).mean(axis=-1, keepdims=True))
        if np.abs(np.log(strength / before)).max(initial=0) < 1e-12:
            break
    return ELO * np.log(strength)


def _chained(won: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Return for each matrix whether points lead from everybody to everybody."""
    size = won.shape[-1]
    reach = (won > 0) | np.eye(size, dtype=bool)
    for _ in range(size.bit_length()):
        reach = reach @ reach
    return np.asarray(reach.all(axis=(-1, -2)))


def weighed(
    names: list[str], groups: Sequence[Group], results: Sequence[NDArray[np.float64]], seed: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return what was scored, and the same with the deals and the drawn games weighed at random.

    What agents scored who never met is 0 in both. A deal weighs Exp(1), a sum of n equal deals
    Gamma(n), half a point of a drawn game Gamma(1/2).
    """
    size = len(names)
    generator = np.random.default_rng(as_seed(seed))
    seen = np.zeros((size, size))
    met = np.zeros((size, size), bool)
    drawn = generator.gamma(0.5, size=(RESAMPLES, size, size)) + 1e-9
    for group, points in zip(groups, results, strict=True):
        at = np.ix_(*[[names.index(name) for name in sorted(set(group.agents))]] * 2)
        kinds, counts = np.unique(points.reshape(len(points), -1), axis=0, return_counts=True)
        weights = generator.gamma(counts, size=(RESAMPLES, len(counts)))
        seen[at] += points.sum(axis=0)
        met[at] = True
        drawn[:, at[0], at[1]] += (weights @ kinds).reshape(RESAMPLES, *points.shape[1:])
    return seen, drawn * (met & ~np.eye(size, dtype=bool))


def rated(
    names: list[str],
    groups: Sequence[Group],
    seen: NDArray[np.float64],
    drawn: NDArray[np.float64],
    anchor: str | None,
) -> tuple[Rating, ...]:
    """Return how strong each is, the strongest first, from what ``weighed`` returned."""
    value, values = bradley_terry(seen + 0.5 * (drawn[0] > 0)), bradley_terry(drawn)
    if anchor is not None:
        index = names.index(anchor)
        value, values = value - value[index], values - values[:, index, None]
    rows = []
    for i, name in enumerate(names):
        games = sum(group.games for group in groups if name in group.agents)
        deals = sum(group.observed for group in groups if name in group.agents)
        score = seen[i].sum() / (seen[i].sum() + seen[:, i].sum())
        interval = between(float(value[i]), values[:, i], deals)
        rows.append(Rating(name, *interval, games, float(score)))
    return tuple(sorted(rows, key=lambda row: -row.rating))


def crossed(
    names: list[str],
    groups: Sequence[Group],
    seen: NDArray[np.float64],
    drawn: NDArray[np.float64],
) -> dict[str, dict[str, Pairing]]:
    """Return how each fared against each, from what ``weighed`` returned."""
    cross: dict[str, dict[str, Pairing]] = {name: {} for name in names}
    for (i, one), (j, other) in itertools.permutations(enumerate(names), 2):
        games = seen[i, j] + seen[j, i]
        if games == 0:
            continue
        deals = sum(group.observed for group in groups if {one, other} <= set(group.agents))
        shares = drawn[:, i, j] / (drawn[:, i, j] + drawn[:, j, i])
        value, low, high = between(float(seen[i, j] / games), shares, deals)
        cross[one][other] = Pairing(value, max(low, 0.0), min(high, 1.0), round(games))
    return cross


def between(value: float, drawn: NDArray[np.float64], deals: int) -> Interval:
    """Return the interval of what was drawn over so many deals, as wide as Student's would be."""
    if not drawn.any():
        return Interval(value, value, value)
    if deals == 1:
        return Interval(value, -math.inf, math.inf)
    wide = math.sqrt(deals / (deals - 1)) * t_quantile(0.975, deals - 1)
    return percentile(value, drawn, min(math.erf(wide / math.sqrt(2)), 1 - 1 / len(drawn)))
