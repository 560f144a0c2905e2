"""What a table of simulated matches comes to: shares and means with their intervals."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from adjoin.extras import need
from adjoin.intervals import Interval, mean, ratio, wilson
from adjoin.written import UnknownNameError

if TYPE_CHECKING:
    from adjoin.tables import Table

_COMMON = ("seed", "episode", "winner", "decisions", "turns", "rounds", "ended")
_BY_SEAT = ("episode", "seat", "agent", "won", "return", "score")


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
class Summary:
    """Figures in rows: ``for row in summary``, ``summary["turns"]``, or printed."""

    title: str
    rows: tuple[Row, ...]

    def __iter__(self) -> Iterator[Row]:
        """Iterate over the rows."""
        return iter(self.rows)

    def __len__(self) -> int:
        """Return the number of rows."""
        return len(self.rows)

    def __contains__(self, what: object) -> bool:
        """Tell whether there is such a figure."""
        return any(row.what == what for row in self.rows)

    def __getitem__(self, what: str) -> Row:
        """Return the row of a figure."""
        for row in self.rows:
            if row.what == what:
                return row
        names = ", ".join(repr(row.what) for row in self.rows)
        raise UnknownNameError(f"no figure {what!r}: there are {names}")

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
        table = [_HEAD, *map(_cells, self.rows)]
        widths = [max(len(row[i]) for row in table) for i in range(4)]
        lines = [
            f"{what:<{widths[0]}}  {value:>{widths[1]}}  {between:>{widths[2]}}  {n:>{widths[3]}}  "
            f"{note}".rstrip()
            for what, value, between, n, note in table
        ]
        return "\n".join([self.title, "", *lines])

    def __repr__(self) -> str:
        """Return what it is of."""
        return f"<Summary: {self.title}>"

    def _repr_html_(self) -> str:
        head = "".join(f"<th>{cell}</th>" for cell in _HEAD)
        body = "".join(
            "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in _cells(row)) + "</tr>"
            for row in self.rows
        )
        return (
            f"<table><caption>{escape(self.title)}</caption>"
            f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
        )


_HEAD = ("figure", "value", "95% interval", "n", "note")


def _cells(row: Row) -> tuple[str, str, str, str, str]:
    value, low, high = row.interval.texts()
    between = f"{low} to {high}" if row.interval.finite else "unknown"
    return row.what, value, between, f"{row.n:,}", row.note


def summarise(table: Table) -> Summary:
    """Return what a table of episodes or of decisions comes to.

    Matches are the independent observations: what belongs to several decisions or seats of a match
    is put together before its interval is taken. Shares have Wilson's interval, means Student's.

    >>> import adjoin
    >>> summary = summarise(adjoin.simulate("mapello", 1000, ["greedy", "random"], seed=1))
    >>> summary["win share, greedy"].low > 0.8
    True
    """
    rows = {"episodes": _episodes, "decisions": _decisions}.get(table.record)
    if rows is None:
        raise ValueError(f"a table of {table.record} has no summary: take one of its episodes")
    matches = len(np.unique(table["episode"]))
    agents = " against ".join(dict.fromkeys(table.agents))
    title = f"{matches:,} matches of {table.game}: {agents}, seed {table.seed}"
    return Summary(title, tuple(rows(table)))


def lead_changes(table: Table) -> NDArray[np.int64]:
    """Return how often the sole leader of each match changed, from a table of decisions.

    The leader is who stands best after a decision; while several do, nobody leads, and the one who
    led before them still counts.
    """
    standing = np.stack([table[f"standing_{seat}"] for seat in range(table.seats)], axis=1)
    episode = _numbers(table)
    best = standing.max(axis=1, keepdims=True)
    alone = (standing == best).sum(axis=1) == 1
    leader, match = standing.argmax(axis=1)[alone], episode[alone]
    changed = (leader[1:] != leader[:-1]) & (match[1:] == match[:-1])
    return np.bincount(match[1:][changed], minlength=int(episode[-1]) + 1)


def _numbers(table: Table) -> NDArray[np.int64]:
    """Return for each decision the number of its match within the table."""
    episode = table["episode"]
    return np.concatenate([[0], np.cumsum(episode[1:] != episode[:-1])]).astype(np.int64)


def _row(what: str, interval: Interval, n: int, note: str = "") -> Row:
    return Row(what, *interval, n, note)


def share(values: NDArray[Any]) -> Interval:
    """Return the mean share of a win: with Wilson's interval where no win was shared.

    >>> print(share(np.array([1, 0, 1, 1, 0, 1, 0, 1])))
    0.62 (0.31 to 0.86)
    """
    if np.isin(values, (0, 1)).all():
        return wilson(int(values.sum()), len(values))
    value, low, high = mean(values)
    return Interval(value, max(low, 0.0), min(high, 1.0))


def _episodes(table: Table) -> Iterator[Row]:
    count, seats = len(table), table.seats
    seated = table.by_seat()
    codes, labels = seated.codes("agent")
    at = codes.reshape(count, seats)
    fair = f"fair share {1 / seats:.3g}"

    def by_agent(name: str) -> Iterator[tuple[str, NDArray[np.float64]]]:
        """Yield agents and what they have in each match, the mean over their seats there."""
        values = seated[name].reshape(count, seats).astype(np.float64)
        for agent in dict.fromkeys(table.agents):
            mine = at == labels.index(agent)
            there = mine.any(axis=1)
            yield agent, (values * mine).sum(axis=1)[there] / mine.sum(axis=1)[there]

    for agent, values in by_agent("won"):
        alone = set(table.agents) == {agent}
        note = f"{fair}, as it has every seat" if alone else fair
        yield _row(f"win share, {agent}", share(values), len(values), note)
    for seat in range(seats):
        yield _row(f"win share, seat {seat}", share(table[f"won_{seat}"]), count, fair)
    shared = int((table["winner"] < 0).sum())
    yield _row("shared wins", wilson(shared, count), count, "share of matches without sole winner")
    ends, ways = table.codes("ended")
    for number, way in enumerate(ways):
        times = int((ends == number).sum())
        if times or way != "cut off":
            yield _row(f"ended: {way}", wilson(times, count), count, "share of matches")
    for name in ("decisions", "turns", "rounds"):
        yield _row(name, mean(table[name]), count, table.meanings[name])
    figures = [name for name in seated.columns if name not in _BY_SEAT]
    for name in ("score", *figures):
        for agent, values in by_agent(name):
            yield _row(f"{name}, {agent}", mean(values), len(values), seated.meanings[name])
    of_seats = {f"{name}_{seat}" for name in seated.columns for seat in range(seats)}
    for name in table.columns:
        if name not in _COMMON and name not in of_seats:
            yield _row(name, mean(table[name]), count, table.meanings[name])


def _decisions(table: Table) -> Iterator[Row]:
    episode = _numbers(table)
    count = int(episode[-1]) + 1
    codes, labels = table.codes("agent")

    def total(values: Any, where: Any = slice(None)) -> NDArray[np.float64]:
        """Return the sums over the matches."""
        weights = np.broadcast_to(np.asarray(values, np.float64), episode.shape)
        return np.bincount(episode[where], weights[where], count).astype(np.float64)

    of_agents = {agent: codes == labels.index(agent) for agent in dict.fromkeys(table.agents)}
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
    for agent, mine in of_agents.items():
        earned = total(table["reward"], mine)
        yield _row(f"reward, {agent}", mean(earned), count, "in a match, all its seats together")
    note = "times that the sole leader changed in a match"
    yield _row("lead changes", mean(lead_changes(table)), count, note)
