"""What a table of simulated matches comes to: shares and means with their intervals."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from adjoin.statistics.intervals import Interval, mean, ratio, share, wilson
from adjoin.statistics.leads import lead_changes, match_numbers
from adjoin.statistics.rows import Rows
from adjoin.support.extras import need
from adjoin.support.wording import aligned, html_table

if TYPE_CHECKING:
    from adjoin.simulation.tables import Table

_COMMON = (
    *("run", "seed", "episode", "digest", "winner", "began"),
    *("decisions", "turns", "rounds", "ended"),
)
_OF_SEATS = ("agent", "won", "return", "score")
_OF_DECISIONS = (
    *("run", "episode", "digest", "ply", "seat", "agent"),
    *("action", "words", "legal", "reward", "standing"),
)


class Row(NamedTuple):
    """A figure with its 95% interval, from so many matches."""

    what: str
    value: float
    low: float
    high: float
    n: int
    note: str = ""

    @property
    def interval(self) -> Interval:
        """The figure without its name."""
        return Interval(self.value, self.low, self.high)


@dataclass(frozen=True)
class Summary(Rows[Row]):
    """Figures in rows: ``for row in summary``, ``summary["turns"]``, or printed."""

    title: str
    rows: tuple[Row, ...]
    notice: str = ""
    """What to know before reading them: that matches are repeated."""

    def to_dict(self) -> dict[str, dict[str, Any]]:
        """Return the rows by name, for JSON: an end that is not known is None."""
        return {
            row.what: {
                "value": row.value,
                "low": row.low if math.isfinite(row.low) else None,
                "high": row.high if math.isfinite(row.high) else None,
                "n": row.n,
                "note": row.note,
            }
            for row in self.rows
        }

    def to_pandas(self) -> Any:
        """Return a pandas DataFrame, a row a figure. Needs ``pip install pandas``."""
        pandas = need("pandas")
        return pandas.DataFrame(self.rows, columns=list(Row._fields)).set_index("what")

    def __str__(self) -> str:
        """Return the rows as aligned text."""
        lines = aligned([_HEAD, *map(_cells, self.rows)], left=(0, 4))
        return "\n".join([self.title, *filter(None, [self.notice]), "", lines])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        caption = " ".join([self.title, self.notice]).strip()
        return html_table(caption, _HEAD, map(_cells, self.rows))


_HEAD = ("figure", "value", "95% interval", "n", "note")


def _cells(row: Row) -> tuple[str, str, str, str, str]:
    value, low, high = row.interval.texts()
    between = f"{low} to {high}" if row.interval.finite else "unknown"
    return row.what, value, between, f"{row.n:,}", row.note


def summarise(table: Table) -> Summary:
    """Return what a table comes to: of episodes, decisions, states or pieces.

    Matches are the independent observations: what belongs to several decisions or seats of a match
    is put together before its interval is taken. Shares have score intervals, means Student's.
    Where agents leave nothing to chance, a match that they repeat is one observation: see
    ``Matches``.

    >>> import adjoin
    >>> summary = summarise(adjoin.simulate("mapello", 1000, ["greedy", "random"], seed=1))
    >>> summary["win share, greedy"].low > 0.8
    True
    """
    kinds = {"episodes": _episodes, "decisions": _decisions, "states": _states, "pieces": _pieces}
    rows = kinds.get(table.record)
    if rows is None:
        raise ValueError(f"a table of {table.record} has no summary: take one of its episodes")
    if not len(table):
        raise ValueError("a table without rows has no summary")
    matches = Matches.of(table)
    title = f"{matches.games:,} matches of {table.game}: {table.source}"
    return Summary(title, (*rows(matches.observed), matches.row), matches.notice)


class Matches(NamedTuple):
    """How many games of a table are different matches, and which of its rows are observations.

    Agents that leave nothing to chance from one start play one match again and again, and its
    result says no more the second time. Where all games of the same agents at the same seats are
    one match, ``observed`` has the first of them alone. Matches that chance alone repeats are
    observations each.
    """

    games: int
    distinct: int
    observed: Table
    left: int
    """How many games count."""
    is_certain: bool
    """Whether none of the agents leaves anything to chance."""

    @classmethod
    def of(cls, table: Table) -> Matches:
        """Look at a table of episodes or decisions."""
        number = match_numbers(table)
        is_single = table.record == "episodes"
        first = table if is_single else table[np.flatnonzero(np.diff(number, prepend=-1))]
        counts, distinct, is_certain = counted(first)
        left = int(counts.sum())
        observed = table if left == len(first) else table[counts[number]]
        return cls(len(first), distinct, observed, left, is_certain)

    @property
    def row(self) -> Row:
        """How many matches there are that differ: a count, and so without spread."""
        count = Interval(*3 * [float(self.distinct)])
        return _row("distinct matches", count, self.games, "different ones among all games")

    @property
    def notice(self) -> str:
        """What to say of games that are not different, if there are any."""
        if self.distinct == self.games:
            return ""
        plural = "es" * (self.distinct != 1)
        words = f"{self.games:,} games, {self.distinct:,} distinct match{plural}"
        if self.left == self.games:
            return f"{words}."
        who = "these agents" if self.is_certain else "some of the agents"
        return (
            f"{words}: {who} leave nothing to chance from this start, and a match that is repeated "
            "counts once."
        )


class Counted(NamedTuple):
    """Which matches count, how many are different, and whether none is left to chance."""

    counts: NDArray[np.bool_]
    distinct: int
    is_certain: bool


def counted(first: Table) -> Counted:
    """Look at a table with a row for each match: those that are repeated count once."""
    seating = _seating(first)
    match = first["digest"] ^ seating * np.uint64(0x9E3779B97F4A7C15)
    kinds, begin = np.unique(match, return_index=True)
    seatings, at = np.unique(seating, return_inverse=True)
    is_fixed = np.bincount(at[begin], minlength=len(seatings)) == 1
    counts = ~is_fixed[at]
    counts[begin] = True
    return Counted(counts, len(kinds), bool(is_fixed.all()))


def _seating(table: Table) -> NDArray[np.uint64]:
    """Return a number for who sits where, and by which options, in the match of each row."""
    places, names = table.seated()
    options = list(dict.fromkeys(run.options for run in table.runs))
    of_runs = np.array([options.index(run.options) for run in table.runs], np.uint64)
    number: NDArray[np.uint64] = of_runs[table.run()]
    for seat in range(table.seats):
        number = number * np.uint64(len(names)) + places[:, seat].astype(np.uint64)
    return number


def _row(what: str, interval: Interval, n: int, note: str = "") -> Row:
    return Row(what, *interval, n, note)


def _episodes(table: Table) -> Iterator[Row]:
    count, seats = len(table), table.seats
    at, names = table.seated()
    fair = f"fair share {1 / seats:.3g}"
    chairs = {
        agent: (at == code).sum(axis=1, dtype=np.uint8)
        for code, agent in enumerate(names)
        if (at == code).any()
    }

    def by_agent(name: str) -> Iterator[tuple[str, NDArray[np.float64]]]:
        """Yield agents and what they have in each match, the mean over their seats there."""
        for agent, taken in chairs.items():
            own = np.zeros(count)
            for seat in range(seats):
                own += table[f"{name}_{seat}"] * (at[:, seat] == names.index(agent))
            there = taken > 0
            yield agent, own[there] / taken[there]

    for agent, values in by_agent("won"):
        taken = chairs[agent]
        alone = bool((taken == seats).all())
        note = f"{fair}, as it has every seat" if alone else fair
        interval = mean(values) if alone else share(values, most=1 / int(taken[taken > 0].min()))
        yield _row(f"win share, {agent}", interval, len(values), note)
    for seat in range(seats):
        yield _row(f"win share, seat {seat}", share(table[f"won_{seat}"]), count, fair)
    first = table.each_seat("won")[np.arange(count), table["began"]]
    yield _row("win share, who begins", share(first), count, fair)
    shared = int((table["winner"] < 0).sum())
    yield _row("shared wins", wilson(shared, count), count, "share of matches without sole winner")
    ends, ways = table.codes("ended", unused=True)
    for number, way in enumerate(ways):
        times = int((ends == number).sum())
        if times or way != "cut off":
            yield _row(f"ended: {way}", wilson(times, count), count, "share of matches")
    for name in ("decisions", "turns", "rounds"):
        yield _row(name, mean(table[name]), count, table.meanings[name])
    stems = table.each_seat_names
    for name in ("score", *(stem for stem in stems if stem not in _OF_SEATS)):
        for agent, values in by_agent(name):
            yield _row(f"{name}, {agent}", mean(values), len(values), table.meanings[f"{name}_0"])
    of_seats = {f"{name}_{seat}" for name in stems for seat in range(seats)}
    for name in table.columns:
        if name not in _COMMON and name not in of_seats:
            yield _row(name, mean(table[name]), count, table.meanings[name])


def _decisions(table: Table) -> Iterator[Row]:
    episode = match_numbers(table)
    count = int(episode[-1]) + 1
    codes, labels = table.codes("agent", unused=True)
    at, names = table.seated()

    def total(values: Any, where: Any = slice(None)) -> NDArray[np.float64]:
        """Return the sums over the matches."""
        weights = np.broadcast_to(np.asarray(values, np.float64), episode.shape)
        return np.bincount(episode[where], weights[where], count).astype(np.float64)

    of_agents = {
        agent: codes == labels.index(agent)
        for code, agent in enumerate(names)
        if (at == code).any()
    }
    legal, every = table["legal"], total(1)
    yield _row("decisions", mean(every), count, "of a match")
    for agent, mine in of_agents.items():
        yield _row(f"decisions, {agent}", mean(total(1, mine)), count, "of a match, all its seats")
    yield _row("legal actions", ratio(total(legal), every), count, "a decision has to choose from")
    for agent, mine in of_agents.items():
        if total(1, mine).any():
            share = ratio(total(legal, mine), total(1, mine))
            yield _row(f"legal actions, {agent}", share, count, "its decisions have to choose from")
    forced = ratio(total(legal == 1), every)
    yield _row("forced decisions", forced, count, "share of decisions with one legal action")
    for agent in of_agents:
        earned = total((table.each_seat("reward") * (at == names.index(agent))).sum(axis=1))
        yield _row(f"reward, {agent}", mean(earned), count, "in a match, all its seats together")
    note = "times that the sole leader changed in a match"
    yield _row("lead changes", mean(lead_changes(table)), count, note)


def _states(table: Table) -> Iterator[Row]:
    """Yield what decisions come to, and the mean of each of the game's own figures over them."""
    if all(name in table for name in ("legal", "reward_0", "standing_0")):
        yield from _decisions(table)
    match = match_numbers(table)
    every = np.bincount(match)
    for name in table.columns:
        stem = name.rpartition("_")[0] if name.rpartition("_")[2].isdigit() else name
        if stem not in _OF_DECISIONS:
            value = ratio(np.bincount(match, table[name]), every)
            yield _row(name, value, len(every), table.meanings[name])


def _pieces(table: Table) -> Iterator[Row]:
    """Yield how many pieces there are, and what becomes of them; ``Table.cards`` tells of each."""
    match = match_numbers(table)
    every = np.bincount(match)
    yield _row("pieces", mean(every), len(every), "that somebody had, or laid, in a match")
    codes, fates = table.codes("fate")
    for number, fate in enumerate(fates):
        value = ratio(np.bincount(match, codes == number), every)
        yield _row(fate, value, len(every), "share of the pieces")
    laid = table.filter(fate="laid")
    if len(laid):
        waits = (laid["until"] - laid["since"]).astype(np.float64)
        at = match_numbers(laid)
        value = ratio(np.bincount(at, waits), np.bincount(at))
        yield _row("waited", value, len(every), "decisions of all from the hand to the table")
