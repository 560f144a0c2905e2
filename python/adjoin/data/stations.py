"""The stations of Metro Domino and their lines: shipped, from a CSV file or built in Python."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, astuple, dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from adjoin._core import MAX_LINES, clean, read_stations
from adjoin.data.files import DATA, ProblemsError, checked, read_files, write_table
from adjoin.support.names import Index, UnknownNameError, as_text, choose
from adjoin.support.wording import count, html_table

if TYPE_CHECKING:
    import os

__all__ = ["MAX_LINES", "Line", "Station", "Stations", "StationsError", "UnknownNameError"]

_SHIPPED = {"new-york": "metro-stations"}
_COLUMNS = ("station", "name", "line", "length", "min", "max", "no_doubles")
_LETTERS = "ABCDEFGHI"


class StationsError(ProblemsError):
    """What is wrong with stations: a line a problem, the first ten of them.

    ``problems`` has them all.
    """

    __module__ = "adjoin"


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
    adjoin.UnknownNameError: no station "Wal Street" in new-york; did you mean Wall Street?

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
        return _stations(clean(Path(path).stem), read_files(StationsError, read_stations, path))

    @classmethod
    def build(
        cls, stations: Mapping[str, Iterable[int | Line]], *, name: str = "custom"
    ) -> Stations:
        """Build stations in Python: names and their lines, the start station first.

        A line without limits may be its length alone.

        >>> Stations.build({"Start": [3, 4, 5, 6], "Times Square": [4, Line(5, min=2)]})
        <Stations custom: 2 stations, 6 lines>
        """
        name = clean(as_text(name, "a deck"))
        return _stations(name, checked(StationsError, read_stations, name, _rows(stations)))

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
    return replace(Stations.from_csv(DATA / f"{_SHIPPED[name]}.csv"), name=name)


def _stations(name: str, data: list[dict[str, Any]]) -> Stations:
    """Return the stations that the core has checked."""
    return Stations(
        name,
        tuple(
            Station(row["id"], row["name"], tuple(Line(*line) for line in row["lines"]))
            for row in data
        ),
    )


def _rows(stations: Mapping[str, Iterable[int | Line]]) -> list[tuple[str, dict[str, Any]]]:
    """Return a row for each line, and one for a station without lines."""
    if not isinstance(stations, Mapping):
        raise TypeError(f"stations is a mapping from names to lines, got {stations!r}")
    rows: list[tuple[str, dict[str, Any]]] = []
    for number, (name, lines) in enumerate(stations.items(), 1):
        where = f"station {number}"
        as_text(name, "a station")
        if isinstance(lines, str) or not isinstance(lines, Iterable):
            raise TypeError(f"{where} ({name}): lines is a list of lines, got {lines!r}")
        cells = [_cells(line if isinstance(line, Line) else Line(line)) for line in lines]
        rows += ((where, {"name": name, **cell}) for cell in cells or [{}])
    return rows


def _cells(line: Line) -> dict[str, Any]:
    return {**asdict(line), "no_doubles": "yes" if line.no_doubles else ""}
