"""The stations of Metro Domino and their lines: shipped, from a CSV file or built in Python.

This module and what it imports need the standard library alone.
"""

from __future__ import annotations

import functools
import operator
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, astuple, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from adjoin.written import (
    DATA,
    Index,
    ProblemsError,
    UnknownNameError,
    as_text,
    choose,
    claim,
    count,
    html_table,
    ident,
    place,
    read_table,
    words,
    write_table,
)

if TYPE_CHECKING:
    import os

__all__ = ["MAX_LINES", "Line", "Station", "Stations", "StationsError", "UnknownNameError"]

MAX_LINES = 36
"""How many lines the stations together may have."""

_SHIPPED = {"new-york": "metro-stations"}
_COLUMNS = ("station", "name", "line", "length", "min", "max", "no_doubles")
_LETTERS = "ABCDEFGHI"
_LIMITS = {"length": (1, 55), "min": (0, 9), "max": (0, 9)}


class StationsError(ProblemsError):
    """What is wrong with stations: a line a problem, the first ten of them.

    ``problems`` has them all.
    """


@dataclass(frozen=True)
class Line:
    """A line: how many tiles it takes, and which (METR-3, METR-7).

    No half of a tile may be below ``min`` or above ``max``; with ``no_doubles``, none is a double.

    >>> print(Line(5), Line(3, min=2, max=7), Line(4, no_doubles=True), sep=", ")
    5, 3 Min2 Max7, 4 no doubles
    """

    length: int
    min: int | None = None
    max: int | None = None
    no_doubles: bool = False

    def __str__(self) -> str:
        """Return the length and the limits."""
        limits = {"Min": self.min, "Max": self.max}
        texts = [f" {word}{limit}" for word, limit in limits.items() if limit is not None]
        return f"{self.length}{''.join(texts)}{' no doubles' if self.no_doubles else ''}"


@dataclass(frozen=True, repr=False)
class Station:
    """A station and the lines that begin there, lettered from A on."""

    id: str
    name: str
    lines: tuple[Line, ...]

    def __str__(self) -> str:
        """Return the name."""
        return self.name

    def __repr__(self) -> str:
        """Return the name and the lines."""
        return f"<Station {self.name}: {', '.join(map(str, self.lines))}>"


@dataclass(frozen=True, repr=False)
class Stations:
    """The stations of a game; the first is the start station.

    Stations never change. ``load``, ``from_csv`` and ``build`` make them and check them. They are
    equal to others that have the same stations in the same order, whatever both are called.

    >>> stations = Stations.load()
    >>> stations
    <Stations new-york: 11 stations, 24 lines>
    >>> stations["times square"]
    <Station Times Square: 4, 5 Min2>
    >>> stations["Wal Street"]
    Traceback (most recent call last):
      ...
    adjoin.written.UnknownNameError: no station "Wal Street" in new-york; did you mean Wall Street?

    A station is found by id or name, in any case, with or without accents, punctuation and spaces.
    """

    name: str = field(compare=False)
    stations: tuple[Station, ...]

    @staticmethod
    def shipped() -> tuple[str, ...]:
        """Return the names that ``load`` knows.

        >>> Stations.shipped()
        ('new-york',)
        """
        return tuple(_SHIPPED)

    @classmethod
    def load(cls, name: str = "new-york") -> Stations:
        """Return shipped stations.

        >>> list(Stations.load())[-1]
        <Station Flushing Meadows: 3 Min2 Max7, 6>
        """
        return _shipped(choose(name, _SHIPPED, "a deck"))

    @classmethod
    def from_csv(cls, path: str | os.PathLike[str]) -> Stations:
        """Read stations from a CSV file, UTF-8 with a header, a row for each line.

        Columns, in any order: ``station`` (the id; if empty, made from the name), ``name``,
        ``line`` (A, B, … within a station), ``length``, ``min`` and ``max`` (empty: no limit),
        ``no_doubles`` (yes, or empty). Other columns are ignored. The rows of a station stand
        together, those of the start station first. Semicolons or tabs may separate the columns.

        >>> import pathlib, tempfile
        >>> path = pathlib.Path(tempfile.mkdtemp(), "tiny.csv")
        >>> _ = path.write_text('''station,name,line,length,min,max,no_doubles
        ... start,Start,A,3,,,
        ... start,Start,B,4,,7,yes
        ... end,End,A,2,,,
        ... ''')
        >>> Stations.from_csv(path)
        <Stations tiny: 2 stations, 3 lines>
        """
        return _from_csv(words(Path(path).stem), Path(path))

    @classmethod
    def build(
        cls, stations: Mapping[str, Iterable[int | Line]], *, name: str = "custom"
    ) -> Stations:
        """Build stations in Python: names and their lines, the start station first.

        A line without limits may be its length alone.

        >>> Stations.build({"Start": [3, 4, 5, 6], "Times Square": [4, Line(5, min=2)]})
        <Stations custom: 2 stations, 6 lines>
        """
        return _build(as_text(name, "a deck"), stations)

    def to_csv(self, path: str | os.PathLike[str]) -> None:
        """Write the stations so that ``from_csv`` reads equal ones."""
        rows = (
            (station.id, station.name, letter, *numbers, "yes" if no_doubles else "")
            for station in self.stations
            for letter, line in zip(_LETTERS, station.lines, strict=False)
            for *numbers, no_doubles in [astuple(line)]
        )
        write_table(path, _COLUMNS, rows)

    def option(self) -> str | dict[str, Any]:
        """Return what the game's option ``stations`` takes: a shipped name, or all the data.

        >>> Stations.load().option()
        'new-york'
        >>> Stations.build({"Start": [3]}).option()["custom"]["stations"][0]["lines"]
        [{'length': 3, 'min': None, 'max': None, 'no_doubles': False}]
        """
        for name in _SHIPPED:
            if self == _shipped(name):
                return name
        stations = [
            {"id": station.id, "name": station.name, "lines": list(map(asdict, station.lines))}
            for station in self.stations
        ]
        return {"custom": {"name": self.name, "stations": stations}}

    def __len__(self) -> int:
        """Return the number of stations."""
        return len(self.stations)

    def __iter__(self) -> Iterator[Station]:
        """Go through the stations."""
        return iter(self.stations)

    def __contains__(self, station: object) -> bool:
        """Return whether there is such a station.

        >>> "harlem 125th street" in Stations.load()
        True
        """
        if isinstance(station, str):
            return self._index.find(station) is not None
        return station in self.stations

    def __getitem__(self, station: str) -> Station:
        """Return a station."""
        found = self._index.find(as_text(station, "a station"))
        if found is None:
            hint = self._index.hint(station)
            raise UnknownNameError(f'no station "{station}" in {self.name}{hint}')
        return found

    @property
    def num_lines(self) -> int:
        """The number of lines of all stations."""
        return sum(len(station.lines) for station in self.stations)

    def __repr__(self) -> str:
        """Return name and size."""
        sizes = f"{count(len(self), 'station')}, {count(self.num_lines, 'line')}"
        return f"<Stations {self.name}: {sizes}>"

    def _repr_html_(self) -> str:
        most = max((len(station.lines) for station in self.stations), default=0)
        rows = (
            (station.name, *map(str, station.lines), *[""] * (most - len(station.lines)))
            for station in self.stations
        )
        return html_table(repr(self)[1:-1], ("station", *_LETTERS[:most]), rows)

    @functools.cached_property
    def _index(self) -> Index[Station]:
        return Index((station, (station.id, station.name)) for station in self.stations)


@functools.cache
def _shipped(name: str) -> Stations:
    return _from_csv(name, DATA / f"{_SHIPPED[name]}.csv")


# Checking.


@dataclass(eq=False)
class _Draft:
    """A station as it was written, and where; each line with where it is."""

    where: str
    id: str
    name: str
    lines: list[tuple[str, Line]] = field(default_factory=list)


def _finish(name: str, source: str, drafts: Iterable[_Draft], problems: list[str]) -> Stations:
    """Make the stations, or raise all that is wrong with them."""
    drafts = list(drafts)
    taken: dict[str, str] = {}
    for draft in drafts:
        unclear = claim(taken, draft.where, {"name": draft.name, "station": draft.id})
        if unclear:
            problems.append(f"{draft.where}: {unclear}")
        if not draft.lines:
            problems.append(f"{draft.where}: no lines")
        problems += _too_many(draft.where, len(draft.lines), len(_LETTERS))
        for where, line in draft.lines:
            problems += (f"{where}: {wrong}" for wrong in _wrong_line(line))
    if not drafts:
        problems.append(f"{source}: no stations")
    problems += _too_many(source, sum(len(draft.lines) for draft in drafts), MAX_LINES)
    if problems:
        raise StationsError(*problems)
    return Stations(
        name, tuple(Station(d.id, d.name, tuple(line for _, line in d.lines)) for d in drafts)
    )


def _too_many(where: str, lines: int, most: int) -> list[str]:
    return [f"{where}: {lines} lines, at most {most} are allowed"] if lines > most else []


def _wrong_line(line: Line) -> Iterator[str]:
    wrong = False
    for what, (low, high) in _LIMITS.items():
        value = getattr(line, what)
        if value is None and what != "length":
            continue
        if type(value) is not int or not low <= value <= high:
            shown = f'"{value}"' if isinstance(value, str) else repr(value)
            yield f"{what} {shown} is not a whole number from {low} to {high}"
            wrong = True
    if type(line.no_doubles) is not bool:
        yield f"no_doubles {line.no_doubles!r} is neither True nor False"
        wrong = True
    if wrong:
        return
    low, high = (0 if line.min is None else line.min), (9 if line.max is None else line.max)
    if low > high:
        yield f"min {low} is above max {high}"
    elif low == high and line.no_doubles:
        yield f"no tile fits: only {low}-{low} is within the limits, and that is a double"


# From files.


def _from_csv(name: str, path: Path) -> Stations:
    problems: list[str] = []
    needed = [(column,) for column in _COLUMNS]
    rows = read_table(path, needed, problems, most=(MAX_LINES, "lines"))
    if problems:
        raise StationsError(*problems)
    drafts: dict[str, _Draft] = {}
    last = None
    for row, cells in rows:
        called = cells["name"]
        draft = _Draft(place(row, called), cells["station"] or ident(called), called)
        first = drafts.setdefault(draft.id, draft)
        problems += (f"{draft.where}: {wrong}" for wrong in _wrong_row(cells, draft, first, last))
        line = Line(
            _number(cells["length"]),
            _number(cells["min"]) if cells["min"] else None,
            _number(cells["max"]) if cells["max"] else None,
            cells["no_doubles"].lower() == "yes",
        )
        first.lines.append((draft.where, line))
        last = first
    return _finish(name, path.name, drafts.values(), problems)


def _wrong_row(
    cells: Mapping[str, str], draft: _Draft, first: _Draft, last: _Draft | None
) -> Iterator[str]:
    """Say what is wrong with a row as one of its station, which began with the draft ``first``."""
    if first not in (draft, last):
        yield f'the rows of "{draft.id}" do not stand together, the first is {first.where}'
    if first.name != draft.name:
        yield f'the name "{draft.name}" is "{first.name}" in {first.where}'
    letter, number = cells["line"].upper(), len(first.lines)
    if number < len(_LETTERS) and letter != _LETTERS[number]:
        yield f'line "{cells["line"]}", expected "{_LETTERS[number]}"'
    if cells["no_doubles"].lower() not in ("yes", ""):
        yield f'no_doubles "{cells["no_doubles"]}" is neither "yes" nor empty'


def _number(text: str) -> Any:
    """Return a whole number, or the text if it is none."""
    return int(text) if re.fullmatch("[0-9]{1,9}", text) else text


# From Python.


def _build(name: str, stations: Mapping[str, Iterable[int | Line]]) -> Stations:
    if not isinstance(stations, Mapping):
        raise TypeError(f"stations is a mapping from names to lines, got {stations!r}")
    drafts = []
    for number, (station, lines) in enumerate(stations.items(), 1):
        text = words(as_text(station, "a station"))
        where = place(f"station {number}", text)
        if isinstance(lines, str) or not isinstance(lines, Iterable):
            raise TypeError(f"{where}: lines is a list of lines, got {lines!r}")
        draft = _Draft(where, ident(text), text)
        for index, line in enumerate(lines):
            letter = _LETTERS[index] if index < len(_LETTERS) else index + 1
            draft.lines.append((f"{where}, line {letter}", _plain(line)))
        drafts.append(draft)
    return _finish(name, name, drafts, [])


def _plain(line: Any) -> Line:
    """Return a line with plain whole numbers wherever it has numbers of another library."""

    def plain(value: Any) -> Any:
        try:
            return value if isinstance(value, bool) else operator.index(value)
        except TypeError:
            return value

    if not isinstance(line, Line):
        return Line(plain(line))
    return Line(plain(line.length), plain(line.min), plain(line.max), line.no_doubles)
