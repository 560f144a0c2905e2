"""A point of a sweep: one combination of what is varied, how it is shown, what came of it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from adjoin._core import hint
from adjoin.core.match import Match
from adjoin.core.spec import options_json
from adjoin.simulation.agents import agent_name
from adjoin.statistics.intervals import Interval
from adjoin.statistics.summaries import Row, Summary
from adjoin.support.names import UnknownNameError
from adjoin.support.wording import listed

if TYPE_CHECKING:
    from adjoin.simulation.origins import Origin

Shown = bool | int | float | str | None
"""A value as tables show it."""

_LONGEST = 40
_NO_SPREAD = 1e-6
_LENGTHS = ("decisions", "turns", "rounds")


class Reading(NamedTuple):
    """A figure with its 95% interval at one point, from so many matches."""

    at: dict[str, Shown]
    figure: str
    value: float
    low: float
    high: float
    n: int
    note: str

    @property
    def interval(self) -> Interval:
        """The value with its interval alone."""
        return Interval(self.value, self.low, self.high)


@dataclass(frozen=True)
class Point:
    """One combination of what is varied, and what came of it."""

    values: dict[str, Any]
    shown: dict[str, Shown]
    """The values as tables show them."""
    origin: Origin
    summary: Summary

    def find(self, figure: str) -> Row | None:
        """Return a figure, or None; what a single agent has is found without the agent, too."""
        return find(self.summary, figure)

    def has(self, name: str, value: object) -> bool:
        """Tell whether what is varied has a value here: the value itself, or how it is shown."""
        there = self.values[name], self.shown[name]
        return any(
            value == one and isinstance(value, bool) == isinstance(one, bool) for one in there
        )


def find(summary: Summary, figure: str) -> Row | None:
    """Return a figure, or None; what a single agent has is found without the agent, too."""
    if figure in summary:
        return summary[figure]
    rows = [row for row in summary if row.what.startswith(f"{figure}, ")]
    if len(rows) > 1:
        names = listed((repr(row.what) for row in rows), "or")
        raise ValueError(f"{figure!r} is several figures: say {names}")
    return rows[0]._replace(what=figure) if rows else None


def unknown_figure(figure: str, summaries: Sequence[Summary]) -> UnknownNameError:
    """Return what is wrong with a figure that none of the points has."""
    names = list(dict.fromkeys(row.what for summary in summaries for row in summary))
    near = hint(figure, names) or f": there are {listed(map(repr, names))}"
    return UnknownNameError(f"no figure {figure!r}{near}")


def telling(summaries: Sequence[Summary]) -> tuple[str, ...]:
    """Return a few figures that all summaries have: of each kind, the one that differs most.

    The kinds are who wins, how long it takes, how it ends, and what the game itself counts. What
    has no spread anywhere is left out.
    """
    kinds: dict[str, list[str]] = {"win share": [], "length": [], "ended": [], "": []}
    for row in summaries[0] if summaries else ():
        rows = [summary[row.what] for summary in summaries if row.what in summary]
        if len(rows) == len(summaries) and max(map(_width, rows)) > _NO_SPREAD:
            kinds[_kind(row.what)].append(row.what)
    return tuple(
        max(names, key=lambda name: _contrast([summary[name] for summary in summaries]))
        for names in kinds.values()
        if names
    )


def _kind(figure: str) -> str:
    """Return what sort of figure it is."""
    starts = (kind for kind in ("win share", "ended") if figure.startswith(kind))
    return "length" if figure in _LENGTHS else next(starts, "")


def _contrast(rows: Sequence[Row]) -> float:
    """Return how far apart the values of a figure lie, measured by their intervals."""
    apart = max(row.value for row in rows) - min(row.value for row in rows)
    return apart / max(map(_width, rows))


def _width(row: Row) -> float:
    return row.high - row.low


# Values in words.


def line_up(agents: Any) -> Any:
    """Return the names of agents as they were given: one for all seats, or one for each."""
    if isinstance(agents, str) or callable(agents):
        return agent_name(agents)
    return [agent_name(agent) for agent in agents]


def plain(name: str, value: Any) -> Any:
    """Return the value of an option for JSON; of a match, what saves it."""
    if isinstance(value, Match):
        return value.save().hex()
    return json.loads(options_json({name: value}))[name]


def label(value: Any) -> str:
    """Return a value in a few words.

    >>> label((14, 10)), label(["greedy", "random"])
    ('(14, 10)', '(greedy, random)')
    """
    if isinstance(value, list | tuple):
        words = f"({', '.join(map(label, value))})"
    elif isinstance(value, Mapping):
        words = json.dumps(value)
    else:
        words = " ".join(str(getattr(value, "name", value)).split())
    return words if len(words) <= _LONGEST else f"{words[: _LONGEST - 1]}…"


def shown(values: Sequence[Any]) -> list[Shown]:
    """Return values as tables show them: numbers as they are, anything else in different words."""
    plain = [value.item() if isinstance(value, np.generic) else value for value in values]
    texts: list[Shown] = [
        one if one is None or isinstance(one, bool | int | float) else label(one) for one in plain
    ]
    return [
        text if texts.count(text) == 1 or not isinstance(text, str) else f"{number}. {text}"
        for number, text in enumerate(texts, 1)
    ]


def combination(shown: Mapping[str, Shown]) -> str:
    """Return which point is meant, in words.

    >>> combination({"players": 3, "table": "(14, 10)"})
    'players = 3, table = (14, 10)'
    """
    return ", ".join(f"{name} = {value}" for name, value in shown.items())
