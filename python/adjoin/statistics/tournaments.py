"""Tournaments: every agent against every other, on the same deals from every seat, with ratings."""

from __future__ import annotations

import itertools
import json
import math
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from adjoin.core.spec import Spec, options_json
from adjoin.simulation.agents import agent_name
from adjoin.simulation.runs import UnfinishedError
from adjoin.statistics.intervals import Interval
from adjoin.statistics.ratings import Group, Pairing, Rating, crossed, rated, weighed
from adjoin.statistics.seatings import distinct, mixed, orders, play_orders, points
from adjoin.support.arguments import as_seed, whole
from adjoin.support.progress import progress_of
from adjoin.support.wording import aligned, html_table

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from adjoin.core.options import GameOptions
    from adjoin.reports.charts import Chart
    from adjoin.simulation.agents import Agent
    from adjoin.simulation.tables import Table
    from adjoin.support.progress import Progress


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
        from adjoin.reports.charts import dots

        rows = {r.agent: Interval(r.rating, r.low, r.high) for r in self.ratings}
        title, note = f"{self.title}: ratings", f"{self._played()}.{self._repeats()}"
        return dots(rows, title=title, x="Elo points", note=note, reference=0)

    def cross_plot(self) -> Chart:
        """Return who fared how against whom as a chart."""
        from adjoin.reports.charts import heat

        names = [rating.agent for rating in self.ratings]
        cells = [
            [Interval(*self.cross[a][b][:3]) if b in self.cross[a] else None for b in names]
            for a in names
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
        lines = aligned([self._head(), *self._cells()])
        how = textwrap.fill(self.how(), 80)
        return "\n".join([f"{self.title}: tournament", "", lines, "", how])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        table = html_table(f"{self.title}: tournament", self._head(), self._cells())
        return f"{table}<p>{escape(self.how())}</p>"

    def _head(self) -> list[str]:
        numbers = [f"{n}." for n in range(1, len(self.ratings) + 1)]
        return ["agent", "rating", "interval", "games", "score", *numbers]

    def _cells(self) -> list[list[str]]:
        names = [rating.agent for rating in self.ratings]
        rows = []
        for number, r in enumerate(self.ratings, 1):
            met = self.cross[r.agent]
            against = [f"{met[b].score:.0%}" if b in met else "" for b in names]
            between = f"{r.low:.0f} to {r.high:.0f}" if math.isfinite(r.high) else "unknown"
            own = [f"{number}. {r.agent}", f"{r.rating:.0f}", between, f"{r.games:,}"]
            rows.append([*own, f"{r.score:.1%}", *against])
        return rows


def tournament(
    game: str,
    agents: Sequence[Agent] | Mapping[str, Agent],
    num_games: int = 200,
    *,
    seed: int = 0,
    threads: int = 1,
    anchor: str | None = None,
    meetings: Sequence[tuple[str, str]] | None = None,
    progress: Progress = None,
    executor: Any = None,
    **options: Unpack[GameOptions],
) -> Tournament:
    """Let agents play each other from every seat, and rate them.

    A group is as many agents as the game has seats: every set of them, or, with fewer agents than
    seats, every way to fill the seats with at least two different agents. Each group has deals of
    its own and plays every deal once in every order of seats, so that the luck of the deal and of
    the seat cancels out. ``num_games`` is for each group, rounded up to a multiple of its orders.
    With ``meetings``, pairs of agents, only those meet, and fill a larger table between them.

    In every game each agent meets each other agent at the table: a higher return is a win, an equal
    one half a win for either. Ratings are the maximum likelihood of Bradley and Terry's model, 400
    Elo points for odds of ten to one, with mean 0; or ``anchor`` names the agent that has 0. Every
    pair that meets is given one drawn game beforehand, so that an agent that never loses has a
    finite rating. Intervals (95%) come from the Bayesian bootstrap over deals, the drawn games
    included, widened as Student's are where there are few deals; a single deal tells no interval.
    Agents that leave nothing to chance repeat one match from one start: their deals count as a
    single one.

    Agents are texts or callables as in ``simulate``, or a mapping from names to them. The remaining
    keywords are the game's options.

    >>> result = tournament("mapello", ["random", "greedy"], num_games=100)
    >>> [rating.agent for rating in result.ratings], result.games, result.deals
    (['greedy', 'random'], 100, 50)
    >>> result.cross["greedy"]["random"].score > 0.8
    True
    """
    named = _named(agents)
    names = list(named)
    if anchor is not None and anchor not in named:
        raise ValueError(f"anchor = {anchor!r}: must be one of {', '.join(names)}")
    spec = Spec.of(game, options)
    planned = _groups(
        _meetings(names, meetings, spec.seats), whole("num_games", num_games, 1, 2**31)
    )
    groups: list[Group] = []
    keywords = {"seed": as_seed(seed), "threads": threads, "executor": executor, **options}
    tables: list[Table] = []
    results: list[NDArray[np.float64]] = []
    total = sum(group.games for group in planned)
    with progress_of(progress, total, "games") as tell:
        for group in planned:
            try:
                played = play_orders(
                    game,
                    group.seatings,
                    named,
                    range(group.first, group.first + group.deals),
                    tell,
                    sum(map(len, tables)),
                    **keywords,
                )
            except UnfinishedError as error:
                error.tables = (*tables, *error.tables)
                raise
            tables += played
            groups.append(_observed(group, played))
            results.append(points(group.seatings, played)[: groups[-1].observed])
    seen, drawn = weighed(names, groups, results, seed)
    return Tournament(
        game=spec.name,
        title=spec.title,
        options=json.loads(options_json(options)),
        seats=spec.seats,
        seed=as_seed(seed),
        anchor=anchor,
        ratings=rated(names, groups, seen, drawn, anchor),
        cross=crossed(names, groups, seen, drawn),
        groups=tuple(groups),
        tables=tuple(tables),
    )


def _plain(row: Rating | Pairing) -> dict[str, Any]:
    """Return a row for JSON: an end that is not known is None."""
    return {
        key: None if value in (-math.inf, math.inf) else value
        for key, value in row._asdict().items()
    }


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


def _meetings(
    names: list[str], pairs: Sequence[tuple[str, str]] | None, seats: int
) -> list[tuple[str, ...]]:
    """Return who sits together: all sets of agents, or those of each pair."""
    if pairs is None:
        sets = list(itertools.combinations(names, seats))
        return sets if len(names) >= seats else mixed(names, seats)
    for pair in pairs:
        if len(set(pair)) != 2 or not set(pair) <= set(names):
            raise ValueError(f"meetings: {pair!r} must be two of {', '.join(names)}")
    return [group for pair in pairs for group in mixed(pair, seats)]


def _groups(sets: list[tuple[str, ...]], games: int) -> tuple[Group, ...]:
    """Return who sits together, in which orders, and on which deals."""
    groups: list[Group] = []
    first = 0
    for agents in sets:
        seatings = orders(agents)
        deals = -(-games // len(seatings))
        groups.append(Group(agents, seatings, first, deals, deals * len(seatings), deals))
        first += groups[-1].deals
    return tuple(groups)


def _observed(group: Group, tables: Sequence[Table]) -> Group:
    """Return a group that knows how many games are different matches, and how many deals count."""
    different, is_one = distinct(tables)
    return group._replace(distinct=different, observed=1 if is_one else group.deals)
