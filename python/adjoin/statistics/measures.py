"""What can be compared of matches: a figure for each, by name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from adjoin._core import hint
from adjoin.support.names import UnknownNameError

if TYPE_CHECKING:
    from adjoin.simulation.tables import Table
    from adjoin.statistics.seatings import Seating

_NO_FIGURES = ("run", "seed", "episode", "digest", "winner", "began", "ended")
_FIRST = ("won", "score", "decisions", "turns", "rounds")
"""What is told first, in this order."""
ENDED, BEGINS = "ended: ", "who begins"
"""Measures of how matches end, and of who begins."""
_UNASKED = ("return", BEGINS)
"""What is told only if it is asked for: it says what others say."""


class Figure(NamedTuple):
    """A figure of every match: what it means, how to get it, and its most if it is a share."""

    meaning: str
    values: Callable[[], NDArray[np.float64]]
    most: float | None = None


class Measured(NamedTuple):
    """A measure of both sides, ready to be compared."""

    what: str
    meaning: str
    most: float | None
    a: NDArray[np.float64]
    b: NDArray[np.float64]

    @property
    def is_fixed(self) -> bool:
        """Whether it is the same in every match of both."""
        first = self.a[0]
        return bool(np.allclose(self.a, first) and np.allclose(self.b, first))

    def is_same(self, other: Measured) -> bool:
        """Tell whether another has the same values in every match."""
        return np.array_equal(self.a, other.a) and np.array_equal(self.b, other.b)


def stems(table: Table) -> dict[str, str]:
    """Return what there is for every seat, such as "score", and what it means."""
    seated = table.head(1).by_seat()
    known = ("agent", "seat", *_NO_FIGURES)
    return {name: meaning for name, meaning in seated.meanings.items() if name not in known}


def of_match(table: Table) -> dict[str, Figure]:
    """Return the columns of a table that are figures of a match, those of single seats included."""
    found = {
        name: Figure(meaning, partial(_column, table, name), _most(name))
        for name, meaning in table.meanings.items()
        if name not in _NO_FIGURES and table.head(1)[name].dtype.kind in "biuf"
    }
    for number, label in enumerate(table.codes("ended", unused=True)[1]):
        meaning = f"share of the matches that ended by “{label}”"
        found[f"{ENDED}{label}"] = Figure(meaning, partial(_ended, table, number), 1.0)
    found[BEGINS] = Figure("share of the win of who begins", partial(_began, table), 1.0)
    return found


def of_subject(table: Table, taken: NDArray[np.bool_]) -> dict[str, Figure]:
    """Return the figures of a match as a whole, and what the one agent has whose seat is taken."""
    own, known = of_seats(table, taken), of_match(table)
    whole = {name: figure for name, figure in known.items() if not _is_part(name, [*own])}
    return {**whole, **own}


def of_seats(table: Table, taken: NDArray[np.bool_], most: float = 1.0) -> dict[str, Figure]:
    """Return what there is for every seat, as the mean over the seats that are taken."""

    def read(stem: str) -> NDArray[np.float64]:
        sums: NDArray[np.float64] = (table.each_seat(stem) * taken).sum(axis=1, dtype=np.float64)
        means: NDArray[np.float64] = sums / taken.sum(axis=1)
        return means

    return {
        stem: Figure(meaning, partial(read, stem), most if stem == "won" else None)
        for stem, meaning in stems(table).items()
    }


def of_table(table: Table) -> dict[str, Figure]:
    """Return all figures of a table: of matches, of their seats together, and of each agent."""
    everybody = np.ones((len(table), table.seats), np.bool_)
    found = {**of_match(table), **of_seats(table, everybody, 1 / table.seats)}
    at, names = table.seated()
    for code, agent in enumerate(names):
        taken = at == code
        if not taken.any(axis=1).all() or taken.all():
            continue
        own = of_seats(table, taken, 1 / int(taken.sum(axis=1).min()))
        found.update({f"{stem}, {agent}": figure for stem, figure in own.items()})
    return found


def of_seatings(
    seatings: Sequence[Seating], tables: Sequence[Table], agent: str
) -> dict[str, Figure]:
    """Return what an agent has on each deal, the mean over its seats in all orders of seats."""
    masks = [np.array(seating) == agent for seating in seatings]
    count = sum(int(mask.sum()) for mask in masks)

    def read(stem: str) -> NDArray[np.float64]:
        pairs = zip(tables, masks, strict=True)
        sums = [
            table.each_seat(stem)[:, mask].sum(axis=1, dtype=np.float64) for table, mask in pairs
        ]
        total: NDArray[np.float64] = np.sum(sums, axis=0) / count
        return total

    most = len(tables) / count
    return {
        stem: Figure(meaning, partial(read, stem), most if stem == "won" else None)
        for stem, meaning in stems(tables[0]).items()
    }


def chosen(
    names: str | Sequence[str] | None,
    a: Mapping[str, Figure],
    b: Mapping[str, Figure],
    prepare: Callable[[NDArray[Any], NDArray[Any]], tuple[NDArray[Any], NDArray[Any]]],
) -> list[Measured]:
    """Return the measures that are asked for, or all that tell something of their own.

    ``prepare`` makes observations of what both sides have.
    """
    known = [name for name in a if name in b]

    def measured(name: str) -> Measured:
        figure = a[name]
        ours, theirs = prepare(figure.values(), b[name].values())
        most = None if figure.most is None else max(figure.most, b[name].most or 0.0)
        return Measured(name, figure.meaning, most, ours, theirs)

    if names is not None:
        names = [names] if isinstance(names, str) else list(names)
        for name in names:
            check_name(name, known)
        if not names:
            raise ValueError("measures = []: must be at least one, or None for all")
        return [measured(name) for name in dict.fromkeys(names)]
    first, *others = map(measured, _usual(known))
    told = [first]
    for each in others:
        if not each.is_fixed and not any(map(each.is_same, told)):
            told.append(each)
    return told


def check_name(name: str, known: Iterable[str]) -> None:
    """Refuse a measure that there is not."""
    names = list(known)
    if name not in names:
        near, there = hint(name, names), ", ".join(names)
        raise UnknownNameError(f"measures: no figure {name!r}{near}; there are {there}")


def _usual(known: Sequence[str]) -> list[str]:
    """Return what is told unasked: no figure of a seat or an agent but shares of the win."""
    agents = [name for name in known if name.startswith("won, ")]
    seats = [name for name in known if name.startswith("won_")]
    asked = [name for name in known if name not in _UNASKED and not name.startswith(ENDED)]
    whole = [name for name in asked if not _is_part(name, known)]
    whole.sort(key=lambda name: _FIRST.index(name) if name in _FIRST else len(_FIRST))
    shares = [*agents[: max(len(agents) - 1, 1)], *seats[:1]]
    return [*shares, *(name for name in whole if not (name == "won" and shares))]


def _is_part(name: str, known: Sequence[str]) -> bool:
    """Tell whether a figure is that of a single seat or agent."""
    stem, _, number = name.rpartition("_")
    return ", " in name or (number.isdecimal() and stem in known)


def _column(table: Table, name: str) -> NDArray[np.float64]:
    return table[name].astype(np.float64)


def _ended(table: Table, number: int) -> NDArray[np.float64]:
    ends: NDArray[np.float64] = (table.codes("ended", unused=True)[0] == number) * 1.0
    return ends


def _began(table: Table) -> NDArray[np.float64]:
    won = table.each_seat("won")[np.arange(len(table)), table["began"]]
    return np.asarray(won, np.float64)


def _most(name: str) -> float | None:
    return 1.0 if name.startswith("won_") else None
