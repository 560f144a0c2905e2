"""Tournaments: every agent against every other, on the same deals from every seat, with ratings."""

from __future__ import annotations

import itertools
import json
import math
import textwrap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from adjoin.arguments import as_seed, whole
from adjoin.batch import Batch
from adjoin.charts import Chart, dots, heat
from adjoin.intervals import Interval, percentile, t_quantile
from adjoin.progress import progress_of
from adjoin.simulation import UnfinishedError, agent_name, simulate
from adjoin.spec import options_json
from adjoin.summaries import Matches

if TYPE_CHECKING:
    from adjoin.progress import Progress
    from adjoin.simulation import Agent
    from adjoin.tables import Table

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


@dataclass(frozen=True)
class Tournament:
    """What came of a tournament.

    ``ratings`` has a row an agent, the strongest first; ``cross["greedy"]["random"]`` is how the
    one fared against the other; ``groups`` says who sat together and how often, ``tables`` has the
    matches, a table for each order of each group.
    """

    game: str
    title: str
    options: dict[str, Any]
    seats: int
    seed: int
    anchor: str | None
    ratings: tuple[Rating, ...]
    cross: dict[str, dict[str, Pairing]]
    groups: tuple[Group, ...]
    tables: tuple[Table, ...]

    @property
    def games(self) -> int:
        """How many games were played in all."""
        return sum(group.games for group in self.groups)

    @property
    def deals(self) -> int:
        """How many deals count as independent observations."""
        return sum(group.observed for group in self.groups)

    @property
    def distinct(self) -> int:
        """How many of the games were different matches."""
        return sum(group.distinct for group in self.groups)

    def how(self) -> str:
        """Return how the tournament was played, in a few sentences."""
        zero = "their mean is 0" if self.anchor is None else f"{self.anchor} has 0"
        few = " There are few deals: take the intervals as rough." if self.deals < 20 else ""
        return (
            f"{self._played()}, seed {self.seed}: every deal is played in every order of seats. "
            f"Ratings are Elo points by Bradley and Terry's model, {zero}; brackets are 95% "
            f"intervals over deals.{self._repeats()}{few}"
        )

    def _played(self) -> str:
        return f"{self.games:,} games on {self.deals:,} deal{'s' * (self.deals != 1)}"

    def _repeats(self) -> str:
        """Return what to say of games that are not different, if there are any."""
        if self.distinct == self.games:
            return ""
        words = f" Only {self.distinct:,} of the {self.games:,} games are distinct matches."
        groups = [group for group in self.groups if group.observed < group.deals]
        fixed = [" and ".join(dict.fromkeys(group.agents)) for group in groups]
        if fixed:
            words += (
                f" {'; '.join(fixed)} leave nothing to chance from this start: what they repeat "
                "counts as one deal."
            )
        return words

    def plot(self) -> Chart:
        """Return the ratings as a chart."""
        rows = {r.agent: Interval(r.rating, r.low, r.high) for r in self.ratings}
        title, note = f"{self.title}: ratings", f"{self._played()}.{self._repeats()}"
        return dots(rows, title=title, x="Elo points", note=note, reference=0)

    def cross_plot(self) -> Chart:
        """Return who fared how against whom as a chart."""
        names = [rating.agent for rating in self.ratings]
        cells = [
            [None if a == b else Interval(*self.cross[a][b][:3]) for b in names] for a in names
        ]
        note = "The row's mean score against the column's: 100% is always ahead, 50% is level."
        return heat(names, cells, title=f"{self.title}: who is ahead of whom", note=note)

    def to_dict(self) -> dict[str, Any]:
        """Return everything but the tables, for JSON."""
        return {
            "game": self.game,
            "options": self.options,
            "seats": self.seats,
            "seed": self.seed,
            "anchor": self.anchor,
            "games": self.games,
            "deals": self.deals,
            "distinct": self.distinct,
            "ratings": [_plain(rating) for rating in self.ratings],
            "cross": {
                one: {other: _plain(pairing) for other, pairing in row.items()}
                for one, row in self.cross.items()
            },
            "groups": [{**group._asdict(), "games": group.games} for group in self.groups],
        }

    def __str__(self) -> str:
        """Return ratings and cross-table as aligned text."""
        table = [self._head(), *self._cells()]
        widths = [max(len(row[i]) for row in table) for i in range(len(table[0]))]
        lines = [
            f"{row[0]:<{widths[0]}}"
            + "".join(f"  {cell:>{wide}}" for cell, wide in zip(row[1:], widths[1:], strict=True))
            for row in table
        ]
        lines = [line.rstrip() for line in lines]
        how = textwrap.fill(self.how(), 80)
        return "\n".join([f"{self.title}: tournament", "", *lines, "", how])

    def __repr__(self) -> str:
        """Return game, agents and games."""
        return f"<Tournament of {self.title}: {len(self.ratings)} agents, {self.games:,} games>"

    def _repr_html_(self) -> str:
        head = "".join(f"<th>{escape(cell)}</th>" for cell in self._head())
        rows = "".join(
            "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>"
            for row in self._cells()
        )
        return (
            f"<table><caption>{escape(self.title)}: tournament</caption>"
            f"<thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"
            f"<p>{escape(self.how())}</p>"
        )

    def _head(self) -> list[str]:
        numbers = [f"{n}." for n in range(1, len(self.ratings) + 1)]
        return ["agent", "rating", "interval", "games", "score", *numbers]

    def _cells(self) -> list[list[str]]:
        names = [rating.agent for rating in self.ratings]
        rows = []
        for number, r in enumerate(self.ratings, 1):
            against = ["" if b == r.agent else f"{self.cross[r.agent][b].score:.0%}" for b in names]
            between = f"{r.low:.0f} to {r.high:.0f}" if math.isfinite(r.high) else "unknown"
            own = [f"{number}. {r.agent}", f"{r.rating:.0f}", between, f"{r.games:,}"]
            rows.append([*own, f"{r.score:.1%}", *against])
        return rows


def tournament(
    game: str,
    agents: Sequence[Agent] | Mapping[str, Agent],
    games: int = 200,
    *,
    seed: int = 0,
    threads: int = 1,
    anchor: str | None = None,
    progress: Progress = None,
    executor: Any = None,
    options: Mapping[str, Any] | None = None,
    **more: Any,
) -> Tournament:
    """Let agents play each other from every seat, and rate them.

    A group is as many agents as the game has seats: every set of them, or, with fewer agents than
    seats, every way to fill the seats with at least two different agents. Each group has deals of
    its own and plays every deal once in every order of seats, so that the luck of the deal and of
    the seat cancels out. ``games`` is for each group, rounded up to a multiple of its orders.

    In every game each agent meets each other agent at the table: a higher return is a win, an equal
    one half a win for either. Ratings are the maximum likelihood of Bradley and Terry's model, 400
    Elo points for odds of ten to one, with mean 0; or ``anchor`` names the agent that has 0. Every
    pair is given one drawn game beforehand, so that an agent that never loses has a finite rating.
    Intervals (95%) come from the Bayesian bootstrap over deals, the drawn games included, widened
    as Student's are where there are few deals; a single deal tells no interval. Agents that leave
    nothing to chance repeat one match from one start: their deals count as a single one.

    Agents are texts or callables as in ``simulate``, or a mapping from names to them. The remaining
    keywords are the game's options; those with names like ours go into ``options``.

    >>> result = tournament("mapello", ["random", "greedy"], games=100)
    >>> [rating.agent for rating in result.ratings], result.games, result.deals
    (['greedy', 'random'], 100, 50)
    >>> result.cross["greedy"]["random"].score > 0.8
    True
    """
    named = _named(agents)
    names = list(named)
    if anchor is not None and anchor not in named:
        raise ValueError(f"anchor = {anchor!r}: must be one of {', '.join(names)}")
    given = {**(options or {}), **more}
    spec = Batch.of(game, given).spec
    planned = _groups(names, spec.seats, whole("games", games, 1, 2**31))
    groups: list[Group] = []
    keywords = {"seed": as_seed(seed), "threads": threads, "executor": executor, **given}
    tables: list[Table] = []
    results: list[NDArray[np.float64]] = []
    total = sum(group.games for group in planned)
    with progress_of(progress, total, "games") as tell:
        for group in planned:
            played: list[Table] = []
            for seating in group.seatings:
                before = sum(len(table) for table in (*tables, *played))
                try:
                    table = simulate(
                        game,
                        group.deals,
                        [named[name] for name in seating],
                        first=group.first,
                        rotate=False,
                        progress=_after(before, tell),
                        **keywords,
                    )
                except UnfinishedError as error:
                    error.tables = (*tables, *played)
                    raise
                played.append(table)
            tables += played
            groups.append(_observed(group, played))
            results.append(_results(group, played)[: groups[-1].observed])
    seen, drawn = _weighed(names, groups, results, seed)
    return Tournament(
        game=spec.name,
        title=spec.title,
        options=json.loads(options_json(given)),
        seats=spec.seats,
        seed=as_seed(seed),
        anchor=anchor,
        ratings=_ratings(names, groups, seen, drawn, anchor),
        cross=_cross(names, groups, seen, drawn),
        groups=tuple(groups),
        tables=tuple(tables),
    )


def _plain(row: Rating | Pairing) -> dict[str, Any]:
    """Return a row for JSON: an end that is not known is None."""
    return {
        key: None if value in (-math.inf, math.inf) else value
        for key, value in row._asdict().items()
    }


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


def _named(agents: Sequence[Agent] | Mapping[str, Agent]) -> dict[str, Agent]:
    """Return the agents by name, or say what is wrong with them."""
    if isinstance(agents, str) or not isinstance(agents, Mapping | Sequence):
        raise TypeError(f"agents = {agents!r}: must be a sequence of agents, or a mapping by name")
    if isinstance(agents, Mapping):
        named = {str(name): agent for name, agent in agents.items()}
    else:
        names = [agent_name(agent) if callable(agent) else str(agent) for agent in agents]
        twice = next((name for name in names if names.count(name) > 1), None)
        if twice is not None:
            raise ValueError(
                f"two agents are called {twice!r}: give each once, or name them in a mapping"
            )
        named = dict(zip(names, agents, strict=True))
    for name, agent in named.items():
        if not isinstance(agent, str) and not callable(agent):
            raise TypeError(f"agent {name!r} is {agent!r}: must be a text or a callable")
    if len(named) < 2:
        raise ValueError(f"a tournament needs at least two agents, got {len(named)}")
    return named


def _after(before: int, tell: Callable[[int], None]) -> Callable[[int, int], None]:
    """Return what tells how much is done in all, from how much is done of a part."""
    return lambda done, _: tell(before + done)


def _groups(names: list[str], seats: int, games: int) -> tuple[Group, ...]:
    """Return who sits together, in which orders, and on which deals."""
    sets = list(itertools.combinations(names, seats))
    if len(names) < seats:
        fill = itertools.combinations_with_replacement(names, seats)
        sets = [group for group in fill if len(set(group)) > 1]
    groups: list[Group] = []
    first = 0
    for agents in sets:
        seatings = tuple(dict.fromkeys(itertools.permutations(agents)))
        deals = -(-games // len(seatings))
        groups.append(Group(agents, seatings, first, deals, deals * len(seatings), deals))
        first += groups[-1].deals
    return tuple(groups)


def _observed(group: Group, tables: Sequence[Table]) -> Group:
    """Return a group that knows how many games are different matches, and how many deals count."""
    matches = [Matches.of(table) for table in tables]
    is_fixed = all(each.left == 1 for each in matches)
    return group._replace(
        distinct=sum(each.distinct for each in matches), observed=1 if is_fixed else group.deals
    )


def _results(group: Group, tables: Sequence[Table]) -> NDArray[np.float64]:
    """Return, for every deal, what each of the group's agents scored against each."""
    agents = sorted(set(group.agents))
    points = np.zeros((group.deals, len(agents), len(agents)))
    for seating, table in zip(group.seatings, tables, strict=True):
        for a, b in itertools.permutations(range(len(seating)), 2):
            if seating[a] != seating[b]:
                own, other = table[f"return_{a}"], table[f"return_{b}"]
                won = (own > other) + 0.5 * (own == other)
                points[:, agents.index(seating[a]), agents.index(seating[b])] += won
    return points


def _weighed(
    names: list[str], groups: Sequence[Group], results: Sequence[NDArray[np.float64]], seed: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return what was scored, and the same with the deals and the drawn games weighed at random.

    A deal weighs Exp(1), a sum of n equal deals Gamma(n), half a point of a drawn game Gamma(1/2).
    """
    size = len(names)
    generator = np.random.default_rng(as_seed(seed))
    seen = np.zeros((size, size))
    drawn = generator.gamma(0.5, size=(RESAMPLES, size, size)) + 1e-9
    for group, points in zip(groups, results, strict=True):
        at = np.ix_(*[[names.index(name) for name in sorted(set(group.agents))]] * 2)
        kinds, counts = np.unique(points.reshape(len(points), -1), axis=0, return_counts=True)
        weights = generator.gamma(counts, size=(RESAMPLES, len(counts)))
        seen[at] += points.sum(axis=0)
        drawn[:, at[0], at[1]] += (weights @ kinds).reshape(RESAMPLES, *points.shape[1:])
    return seen, drawn * (1 - np.eye(size))


def _ratings(
    names: list[str],
    groups: Sequence[Group],
    seen: NDArray[np.float64],
    drawn: NDArray[np.float64],
    anchor: str | None,
) -> tuple[Rating, ...]:
    value, values = bradley_terry(seen + 0.5), bradley_terry(drawn)
    if anchor is not None:
        index = names.index(anchor)
        value, values = value - value[index], values - values[:, index, None]
    rows = []
    for i, name in enumerate(names):
        games = sum(group.games for group in groups if name in group.agents)
        deals = sum(group.observed for group in groups if name in group.agents)
        score = seen[i].sum() / (seen[i].sum() + seen[:, i].sum())
        interval = _between(float(value[i]), values[:, i], deals)
        rows.append(Rating(name, *interval, games, float(score)))
    return tuple(sorted(rows, key=lambda row: -row.rating))


def _cross(
    names: list[str],
    groups: Sequence[Group],
    seen: NDArray[np.float64],
    drawn: NDArray[np.float64],
) -> dict[str, dict[str, Pairing]]:
    cross: dict[str, dict[str, Pairing]] = {name: {} for name in names}
    for (i, one), (j, other) in itertools.permutations(enumerate(names), 2):
        games = seen[i, j] + seen[j, i]
        deals = sum(group.observed for group in groups if {one, other} <= set(group.agents))
        shares = drawn[:, i, j] / (drawn[:, i, j] + drawn[:, j, i])
        value, low, high = _between(float(seen[i, j] / games), shares, deals)
        cross[one][other] = Pairing(value, max(low, 0.0), min(high, 1.0), round(games))
    return cross


def _between(value: float, drawn: NDArray[np.float64], deals: int) -> Interval:
    """Return the interval of what was drawn over so many deals, as wide as Student's would be."""
    if not drawn.any():
        return Interval(value, value, value)
    if deals == 1:
        return Interval(value, -math.inf, math.inf)
    wide = math.sqrt(deals / (deals - 1)) * t_quantile(0.975, deals - 1)
    return percentile(value, drawn, min(math.erf(wide / math.sqrt(2)), 1 - 1 / len(drawn)))
