"""Regions, their borders and the waters they touch: shipped, from a CSV file or built in Python.

This module needs the standard library alone, not even the rest of the package.
"""

from __future__ import annotations

import csv
import difflib
import functools
import html
import importlib
import io
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

if TYPE_CHECKING:
    import os

MAX_PLACES = 254
"""How many regions and waters together an atlas may have."""

_DATA = Path(__file__).parent / "data"
_SHIPPED = {
    "uk-counties": "uk-waters",
    "world-countries": "world-waters",
    "us-states": "us-waters",
}
_COLUMNS = (
    *("id", "name", "abbreviation", "nation", "also_in", "region"),
    *("lon", "lat", "borders", "waters", "col", "row"),
)
_HOMES = ("nation", "edition", "region")
_WATER_COLUMNS = ("id", "name", "kind", "lon", "lat")
_KINDS = ("sea", "country")
_LIMITS = {"lon": 180, "lat": 90}
_LAST_TILE = 999
_SHOWN = 10


class AtlasError(ValueError):
    """What is wrong with an atlas: a line a problem, the first ten of them.

    ``problems`` has them all.
    """

    @property
    def problems(self) -> tuple[str, ...]:
        """Every problem, with the file and row, or the region, where it is."""
        return self.args

    def __str__(self) -> str:
        """Return the first ten problems, one a line."""
        more = len(self.args) - _SHOWN
        return "\n".join([*self.args[:_SHOWN], *([f"and {more} more"] if more > 0 else [])])


class UnknownNameError(KeyError):
    """Nothing has that name; the message says which names are near."""

    def __str__(self) -> str:
        """Return the message as it is."""
        return str(self.args[0])


class NoPathError(ValueError):
    """No way leads from one region to the other."""


def fold(text: str) -> str:
    """Return a name without what people write differently: two names are the same if this is.

    >>> fold(" St. Kitts & Nevis "), fold("saint-kitts and NEVIS")
    ('st kitts and nevis', 'st kitts and nevis')
    >>> fold("Türkiye")
    'turkiye'
    """
    letters = (c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))
    words = re.split(r"[\W_]+", "".join(letters).lower().replace("&", " and "))
    return " ".join("st" if word == "saint" else word for word in words if word)


class Extra(Mapping[str, str]):
    """Further columns of a region, by name."""

    def __init__(self, columns: Mapping[str, str] | None = None) -> None:
        self._columns = dict(columns or {})

    def __getitem__(self, column: str) -> str:
        """Return what stands in a column."""
        return self._columns[column]

    def __iter__(self) -> Iterator[str]:
        """Go through the names of the columns."""
        return iter(self._columns)

    def __len__(self) -> int:
        """Return the number of columns."""
        return len(self._columns)

    def __hash__(self) -> int:
        """Hash by content."""
        return hash(frozenset(self._columns.items()))

    def __repr__(self) -> str:
        """Return the columns like a dict."""
        return repr(self._columns)


@dataclass(frozen=True, repr=False)
class Region:
    """A region: what it is called, where it lies, and the ids of what it borders.

    ``nations`` begins with the home nation; ``lon`` and ``lat`` are degrees; ``column`` and ``row``
    are its place in a tile map, from 0 at the top left; ``extra`` has the table's further columns.
    """

    id: str
    name: str
    abbreviation: str
    nations: tuple[str, ...] = ()
    region: str = ""
    lon: float | None = None
    lat: float | None = None
    borders: tuple[str, ...] = ()
    waters: tuple[str, ...] = ()
    column: int | None = None
    row: int | None = None
    extra: Extra = field(default_factory=Extra)

    @property
    def nation(self) -> str:
        """The home nation; empty if there is none."""
        return self.nations[0] if self.nations else ""

    def __str__(self) -> str:
        """Return the name."""
        return self.name

    def __repr__(self) -> str:
        """Return the name, marked as a region's."""
        return f"<Region {self.name}>"


@dataclass(frozen=True, repr=False)
class Water:
    """A sea or an outside country that regions touch; ``kind`` is "sea" or "country"."""

    id: str
    name: str
    kind: str = "sea"
    lon: float | None = None
    lat: float | None = None

    def __str__(self) -> str:
        """Return the name."""
        return self.name

    def __repr__(self) -> str:
        """Return the name, marked as a water's."""
        return f"<Water {self.name}>"


@dataclass(frozen=True, repr=False)
class Atlas:
    """Regions, which of them border each other, and the waters they touch.

    An atlas never changes. ``load``, ``from_csv`` and ``build`` make one and check it. Two atlases
    are equal if their regions and waters are, whatever the atlases are called. Borders and waters
    of a region stand in the order of the atlas.

    >>> atlas = Atlas.load("uk-counties")
    >>> atlas
    <Atlas uk-counties: 108 regions, 237 borders, 7 waters>
    >>> atlas["Kent"].borders
    ('essex', 'surrey', 'greater_london', 'east_sussex')
    >>> atlas["Kant"]
    Traceback (most recent call last):
      ...
    adjoin.atlas.UnknownNameError: no region "Kant" in uk-counties; did you mean Kent?

    Wherever a method takes a region or a water, its id, name or abbreviation will do, in any case,
    with or without accents and punctuation, with St or Saint, with & or and.
    """

    name: str = field(compare=False)
    regions: tuple[Region, ...]
    waters: tuple[Water, ...] = ()

    # Making an atlas.

    @staticmethod
    def shipped() -> tuple[str, ...]:
        """Return the names that ``load`` knows.

        >>> Atlas.shipped()
        ('uk-counties', 'world-countries', 'us-states')
        """
        return tuple(_SHIPPED)

    @classmethod
    def load(cls, name: str, nations: str | Iterable[str] | None = None) -> Atlas:
        """Return a shipped atlas, or the part of it that ``sub(nations=nations)`` returns.

        >>> Atlas.load("us-states")
        <Atlas us-states: 51 regions, 107 borders, 7 waters>
        >>> Atlas.load("uk-counties", nations=["England", "Wales"])
        <Atlas uk-counties (England, Wales): 70 regions, 161 borders, 5 waters>
        """
        found = {fold(known): known for known in _SHIPPED}.get(fold(_text(name, "an atlas")))
        if found is None:
            raise UnknownNameError(f'no atlas "{name}"; there are {", ".join(_SHIPPED)}')
        atlas = _shipped(found)
        return atlas if nations is None else atlas.sub(nations=nations)

    @classmethod
    def from_csv(
        cls, path: str | os.PathLike[str], waters: str | os.PathLike[str] | None = None
    ) -> Atlas:
        """Read an atlas from a CSV file, UTF-8 with a header, as the shipped ones are.

        Columns, in any order: ``id`` or ``name``, and ``borders``; if you like ``abbreviation``,
        ``nation`` and ``also_in`` (further nations), ``region``, ``lon`` and ``lat``, ``waters``,
        ``col`` and ``row`` (the place in a tile map). Any other column is kept in
        ``Region.extra``. Without a column ``nation`` the nation is the ``edition``, and without
        that the ``region``.

        ``borders``, ``waters`` and ``also_in`` are lists, separated by ``;`` or ``|``. A border
        must be listed on both sides. ``waters`` is a second file: ``id`` or ``name``, if you like
        ``kind``, ``lon`` and ``lat``. Without it, all that the first file lists as waters are seas.

        Columns may also be separated by semicolons or tabs: the header tells. With semicolons, a
        comma in ``lon`` and ``lat`` is a decimal point.

        >>> import pathlib, tempfile
        >>> path = pathlib.Path(tempfile.mkdtemp(), "benelux.csv")
        >>> _ = path.write_text('''name,borders,waters
        ... Belgium,Netherlands;Luxembourg,North Sea
        ... Netherlands,Belgium,North Sea
        ... Luxembourg,Belgium,
        ... ''')
        >>> Atlas.from_csv(path)
        <Atlas benelux: 3 regions, 2 borders, 1 water>
        """
        return _from_csv(Path(path), None if waters is None else Path(waters))

    @classmethod
    def build(
        cls,
        regions: Iterable[str | Mapping[str, Any]] | Mapping[str, Mapping[str, Any]],
        borders: Iterable[Sequence[str]] | Mapping[str, Iterable[str]],
        waters: Mapping[Any, Iterable[str]] | Iterable[tuple[str | Water, Iterable[str]]] = (),
        *,
        name: str = "custom",
    ) -> Atlas:
        """Build an atlas in Python.

        ``regions`` are names, or mappings with the columns of ``from_csv`` but borders and waters,
        or one mapping from names to such mappings. ``borders`` are pairs, each border once, or a
        mapping from each region to all it borders, which lists every border on both sides.
        ``waters`` maps each water, by name or as a ``Water``, to the regions that touch it.

        >>> Atlas.build(
        ...     ["Belgium", "Netherlands", "Luxembourg"],
        ...     [("Belgium", "Netherlands"), ("Belgium", "Luxembourg")],
        ...     {"North Sea": ["Belgium", "Netherlands"]},
        ...     name="benelux",
        ... )
        <Atlas benelux: 3 regions, 2 borders, 1 water>
        """
        return _build(name, regions, borders, waters)

    # Looking things up.

    def __len__(self) -> int:
        """Return the number of regions."""
        return len(self.regions)

    def __iter__(self) -> Iterator[Region]:
        """Go through the regions."""
        return iter(self.regions)

    def __contains__(self, region: object) -> bool:
        """Return whether there is such a region.

        >>> "tyne & wear" in Atlas.load("uk-counties")
        True
        """
        if isinstance(region, Region):
            return region.id in self._by_id
        return isinstance(region, str) and self._index.find(region) is not None

    def __getitem__(self, region: str | Region) -> Region:
        """Return a region."""
        return self.region(region)

    def region(self, region: str | Region) -> Region:
        """Return a region by id, name or abbreviation.

        >>> world = Atlas.load("world-countries")
        >>> world.region("cote divoire"), world.region("NA"), world.region("saint lucia")
        (<Region Côte d'Ivoire>, <Region Namibia>, <Region Saint Lucia>)
        """
        if isinstance(region, Region):
            found = self._by_id.get(region.id)
        else:
            found = self._index.find(_text(region, "a region"))
        if found is None:
            hint = _hint(str(region), self._index, self._water_index, "water")
            raise UnknownNameError(f'no region "{region}" in {self.name}{hint}')
        return found

    def water(self, water: str | Water) -> Water:
        """Return a water by id or name.

        >>> Atlas.load("uk-counties").water("irish sea")
        <Water Irish Sea>
        """
        text = water.id if isinstance(water, Water) else _text(water, "a water")
        found = self._water_index.find(text)
        if found is None:
            hint = _hint(str(water), self._water_index, self._index, "region")
            raise UnknownNameError(f'no water "{water}" in {self.name}{hint}')
        return found

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the regions."""
        return tuple(region.name for region in self.regions)

    @property
    def abbreviations(self) -> tuple[str, ...]:
        """The abbreviations of the regions."""
        return tuple(region.abbreviation for region in self.regions)

    @property
    def nations(self) -> tuple[str, ...]:
        """The nations that have a region, each once.

        >>> Atlas.load("uk-counties").nations
        ('England', 'Scotland', 'Wales', 'Northern Ireland')
        """
        return tuple(dict.fromkeys(nation for region in self.regions for nation in region.nations))

    @property
    def centroids(self) -> dict[str, tuple[float, float]]:
        """The points of the regions that have one: longitude and latitude by id."""
        return {
            r.id: (r.lon, r.lat) for r in self.regions if r.lon is not None if r.lat is not None
        }

    @property
    def tiles(self) -> dict[str, tuple[int, int]]:
        """The places in the tile map of the regions that have one: column and row by id."""
        return {
            r.id: (r.column, r.row)
            for r in self.regions
            if r.column is not None
            if r.row is not None
        }

    # Borders and ways.

    def borders(self, region: str | Region) -> tuple[Region, ...]:
        """Return the regions that a region borders.

        >>> Atlas.load("uk-counties").borders("Cornwall")
        (<Region Devon>,)
        """
        return tuple(self._by_id[other] for other in self.region(region).borders)

    @property
    def edges(self) -> tuple[tuple[Region, Region], ...]:
        """Every border once, as the two regions it lies between."""
        order = {region.id: number for number, region in enumerate(self.regions)}
        return tuple(
            (region, self._by_id[other])
            for region in self.regions
            for other in region.borders
            if order[region.id] < order[other]
        )

    def touching(self, water: str | Water) -> tuple[Region, ...]:
        """Return the regions that touch a water.

        >>> Atlas.load("uk-counties").touching("Celtic Sea")
        (<Region Cornwall>, <Region Pembrokeshire>)
        """
        found = self.water(water)
        return tuple(region for region in self.regions if found.id in region.waters)

    def path(self, start: str | Region, end: str | Region) -> list[Region]:
        """Return a way that crosses as few borders as possible: the first of ``paths``.

        >>> print(*Atlas.load("uk-counties").path("Cornwall", "Kent"), sep=" - ")
        Cornwall - Devon - Dorset - Hampshire - Surrey - Kent
        """
        first, last = self.region(start), self.region(end)
        steps = self._steps(first, last)
        way = [first]
        while way[-1] is not last:
            way.append(next(self._nearer(way[-1], steps)))
        return way

    def paths(self, start: str | Region, end: str | Region) -> list[list[Region]]:
        """Return every way that crosses as few borders as possible, in the order of the atlas.

        >>> for way in Atlas.load("uk-counties").paths("Cornwall", "Wiltshire"):
        ...     print(*way, sep=" - ")
        Cornwall - Devon - Somerset - Wiltshire
        Cornwall - Devon - Dorset - Wiltshire
        """
        first, last = self.region(start), self.region(end)
        steps = self._steps(first, last)
        ways = [[first]]
        for _ in range(steps[first.id]):
            ways = [[*way, region] for way in ways for region in self._nearer(way[-1], steps)]
        return ways

    def distance(self, start: str | Region, end: str | Region) -> int:
        """Return how many borders a shortest way crosses.

        >>> Atlas.load("us-states").distance("Maine", "Washington")
        11
        """
        first = self.region(start)
        return self._steps(first, self.region(end))[first.id]

    def parts(self) -> tuple[tuple[Region, ...], ...]:
        """Return the connected parts, the largest first.

        >>> [len(part) for part in Atlas.load("uk-counties").parts()]
        [97, 6, 1, 1, 1, 1, 1]
        """
        found: list[tuple[Region, ...]] = []
        seen: set[str] = set()
        for region in self.regions:
            if region.id not in seen:
                part = self._reach(region)
                seen |= part.keys()
                found.append(tuple(r for r in self.regions if r.id in part))
        return tuple(sorted(found, key=len, reverse=True))

    # Parts and other forms.

    def sub(
        self,
        *,
        nations: str | Iterable[str] | None = None,
        regions: Iterable[str | Region] | None = None,
    ) -> Atlas:
        """Return the part with the regions of some nations, some regions, or both conditions.

        What leads outside is cut: borders with regions that are not in the part, and waters that no
        region of the part touches. (The option ``nations`` of a game keeps them on the cards.)

        >>> Atlas.load("uk-counties").sub(regions=["Kent", "Essex", "Surrey"])
        <Atlas uk-counties (part): 3 regions, 2 borders, 2 waters>
        """
        keep, name = list(self.regions), self.name
        if nations is not None:
            texts = [nations] if isinstance(nations, str) else nations
            wanted = list(dict.fromkeys(self._nation(text) for text in texts))
            keep = [region for region in keep if not set(wanted).isdisjoint(region.nations)]
            name = f"{name} ({', '.join(wanted)})"
        if regions is not None:
            if isinstance(regions, str):
                raise TypeError(f'regions is a list of regions, got "{regions}"')
            chosen = {self.region(region).id for region in regions}
            keep = [region for region in keep if region.id in chosen]
            name = f"{name} (part)"
        if not keep:
            raise AtlasError(f"{name}: no regions")
        inside = {region.id for region in keep}
        touched = {water for region in keep for water in region.waters}
        return Atlas(
            name,
            tuple(replace(r, borders=tuple(b for b in r.borders if b in inside)) for r in keep),
            tuple(water for water in self.waters if water.id in touched),
        )

    def nation(self, nation: str) -> Atlas:
        """Return the part with the regions of one nation.

        >>> Atlas.load("uk-counties").nation("Wales")
        <Atlas uk-counties (Wales): 22 regions, 44 borders, 3 waters>
        """
        return self.sub(nations=nation)

    def edition(self, edition: str) -> Atlas:
        """Return the same as ``nation``, which for the world is the edition.

        Countries on two continents are in both editions.

        >>> [country.name for country in Atlas.load("world-countries").edition("Europe")][-3:]
        ['Georgia', 'Kazakhstan', 'Türkiye']
        """
        return self.nation(edition)

    def to_csv(
        self, path: str | os.PathLike[str], waters_path: str | os.PathLike[str] | None = None
    ) -> None:
        """Write the atlas so that ``from_csv`` with the same two paths reads an equal one.

        Without ``waters_path`` only the ids of the waters are written, not their names and kinds.
        """
        extra = list(self.regions[0].extra)
        _write(
            path,
            (*_COLUMNS, *extra),
            (
                (
                    *(r.id, r.name, r.abbreviation, r.nation, ";".join(r.nations[1:]), r.region),
                    *(r.lon, r.lat, ";".join(r.borders), ";".join(r.waters), r.column, r.row),
                    *(r.extra[column] for column in extra),
                )
                for r in self.regions
            ),
        )
        if waters_path is not None:
            rows = ((w.id, w.name, w.kind, w.lon, w.lat) for w in self.waters)
            _write(waters_path, _WATER_COLUMNS, rows)

    def to_networkx(self) -> Any:
        """Return a networkx.Graph: a node for each region's id, with its data, and its borders.

        >>> Atlas.load("uk-counties").to_networkx().nodes["kent"]["name"]
        'Kent'
        """
        try:
            networkx = importlib.import_module("networkx")
        except ImportError as error:
            raise ImportError("to_networkx needs networkx: pip install networkx") from error
        graph = networkx.Graph(name=self.name)
        for r in self.regions:
            data = {k: v for k, v in vars(r).items() if k not in ("id", "borders", "extra")}
            graph.add_nodes_from([(r.id, {**r.extra, **data, "nation": r.nation})])
        graph.add_edges_from((a.id, b.id) for a, b in self.edges)
        return graph

    def __copy__(self) -> Atlas:
        """Return the atlas itself: it never changes."""
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Atlas:
        """Return the atlas itself: it never changes."""
        return self

    def option(self) -> str | dict[str, Any]:
        """Return what a game's option ``atlas`` takes: a shipped name, or all the data.

        >>> Atlas.load("us-states").option()
        'us-states'
        >>> atlas = Atlas.build(["A", "B"], [("A", "B")])
        >>> atlas.option()["custom"]["regions"][0]["borders"]
        ['b']
        """
        for name in _SHIPPED:
            if self == _shipped(name):
                return name
        regions = [
            {
                "id": r.id,
                "name": r.name,
                "abbreviation": r.abbreviation,
                "nations": list(r.nations),
                "borders": list(r.borders),
                "waters": list(r.waters),
            }
            for r in self.regions
        ]
        waters = [{"id": w.id, "name": w.name, "kind": w.kind} for w in self.waters]
        return {"custom": {"name": self.name, "regions": regions, "waters": waters}}

    def __repr__(self) -> str:
        """Return name and size."""
        counts = {"region": len(self), "border": len(self.edges), "water": len(self.waters)}
        return f"<Atlas {self.name}: {', '.join(_count(n, noun) for noun, n in counts.items())}>"

    def _repr_html_(self) -> str:
        def row(tag: str, *cells: str) -> str:
            return "<tr>" + "".join(f"<{tag}>{html.escape(c)}</{tag}>" for c in cells) + "</tr>"

        rows = (
            row("td", r.name, r.abbreviation, ", ".join(r.nations), ", ".join(map(str, borders)))
            for r in self.regions
            for borders in [self.borders(r)]
        )
        return (
            '<div style="max-height: 24em; overflow: auto"><table>'
            f"<caption>{html.escape(repr(self)[1:-1])}</caption>"
            f"<thead>{row('th', 'name', 'abbreviation', 'nation', 'borders')}</thead>"
            f"<tbody>{''.join(rows)}</tbody></table></div>"
        )

    @functools.cached_property
    def _by_id(self) -> dict[str, Region]:
        return {region.id: region for region in self.regions}

    @functools.cached_property
    def _index(self) -> _Index[Region]:
        return _Index((r, (r.id, r.name, r.abbreviation)) for r in self.regions)

    @functools.cached_property
    def _water_index(self) -> _Index[Water]:
        return _Index((w, (w.id, w.name)) for w in self.waters)

    def _nation(self, text: str) -> str:
        known = {fold(nation): nation for nation in self.nations}
        found = known.get(fold(_text(text, "a nation")))
        if found is None:
            there = ", ".join(self.nations) or "none"
            raise UnknownNameError(f'no nation "{text}" in {self.name}; there are {there}')
        return found

    def _reach(self, end: Region) -> dict[str, int]:
        """Return how far every region is from one, for those that are connected with it."""
        steps, now = {end.id: 0}, [end]
        while now:
            reached = []
            for region in now:
                for other in region.borders:
                    if other not in steps:
                        steps[other] = steps[region.id] + 1
                        reached.append(self._by_id[other])
            now = reached
        return steps

    def _steps(self, start: Region, end: Region) -> dict[str, int]:
        steps = self._reach(end)
        if start.id in steps:
            return steps
        why = f"they lie in parts of {self.name} that are not connected"
        for region in (end, start):
            if not region.borders:
                why = f"{region} is an island in {self.name}, it borders no region"
        raise NoPathError(f"no way from {start} to {end}: {why}")

    def _nearer(self, region: Region, steps: Mapping[str, int]) -> Iterator[Region]:
        near = steps[region.id] - 1
        return (self._by_id[other] for other in region.borders if steps[other] == near)


@functools.cache
def _shipped(name: str) -> Atlas:
    return _from_csv(_DATA / f"{name}.csv", _DATA / f"{_SHIPPED[name]}.csv")


def _text(value: object, what: str) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{what} is named by a string, got {value!r}")
    return value


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _write(
    path: str | os.PathLike[str], header: Iterable[str], rows: Iterable[Iterable[object]]
) -> None:
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)


# Finding things by what they are called.


class _Named(Protocol):
    @property
    def name(self) -> str: ...


_T = TypeVar("_T", bound=_Named)


class _Index(Generic[_T]):
    """Things by what they are called; the first of two that are called the same."""

    def __init__(self, things: Iterable[tuple[_T, Iterable[str]]]) -> None:
        self._folded: dict[str, _T] = {}
        for thing, texts in things:
            for key in filter(None, map(fold, texts)):
                self._folded.setdefault(key, thing)
        squeezed = [key.replace(" ", "") for key in self._folded]
        count = Counter(squeezed)
        self._squeezed = {
            key: thing
            for key, thing in zip(squeezed, self._folded.values(), strict=True)
            if count[key] == 1
        }

    def find(self, text: str) -> _T | None:
        """Return what is called so, in spite of spaces if nothing else would be meant."""
        key = fold(text)
        found = self._folded.get(key)
        return self._squeezed.get(key.replace(" ", "")) if found is None else found

    def near(self, text: str) -> list[str]:
        """Return the names of up to three things that could be meant."""
        key = fold(text)
        names = {fold(thing.name): thing.name for thing in self._folded.values()}
        inside = [name for name in names if f" {key} " in f" {name} "]
        close = difflib.get_close_matches(key, names, n=3, cutoff=0.7)
        return [names[name] for name in dict.fromkeys([*inside, *close])][:3]


def _hint(text: str, index: _Index[Any], other: _Index[Any], noun: str) -> str:
    """Return what to add after the name of something unknown."""
    if other.find(text) is not None:
        return f"; that is a {noun}"
    near = index.near(text)
    if not near:
        return ""
    return f"; did you mean {' or '.join([', '.join(near[:-1]), near[-1]] if near[1:] else near)}?"


# Reading and checking.


@dataclass(eq=False)
class _Draft:
    """A region or water as it was written."""

    where: str
    cells: Mapping[str, str]
    id: str
    name: str
    abbreviation: str
    number: int
    lon: float | None = None
    lat: float | None = None
    tile: tuple[int, int] | None = None
    doubtful: bool = False
    borders: list[_Draft] = field(default_factory=list)
    waters: list[_Draft] = field(default_factory=list)

    def __post_init__(self) -> None:
        if self.name:
            self.where += f" ({self.name})"


class _Drafts:
    """The regions and waters of an atlas to be, and what is wrong with them.

    First come all regions, then all waters, then borders and touches, then ``finish``.
    """

    def __init__(self, name: str, source: str, columns: Iterable[str]) -> None:
        self.name = name
        self.source = source
        self.columns = list(dict.fromkeys(columns))
        self.home = next((column for column in _HOMES if column in self.columns), "nation")
        self.regions: list[_Draft] = []
        self.waters: list[_Draft] = []
        self.problems: list[str] = []
        self._taken: dict[str, _Draft] = {}
        self._spelling: dict[str, str] = {}

    def problem(self, where: str, what: str) -> None:
        self.problems.append(f"{where}: {what}")

    def region(self, where: str, cells: Mapping[str, str]) -> _Draft:
        draft = self._draft(where, cells, len(self.regions))
        self.regions.append(draft)
        column, row = (self._tile(draft, key) for key in ("col", "row"))
        self._both(draft, "col", "row")
        if column is not None and row is not None:
            draft.tile = column, row
        return draft

    def water(self, where: str, cells: Mapping[str, str]) -> _Draft:
        draft = self._draft(where, cells, len(self.waters))
        self.waters.append(draft)
        kind = cells.get("kind", "")
        if kind and kind not in _KINDS:
            self.problem(draft.where, f'kind "{kind}" is neither "sea" nor "country"')
        return draft

    def water_by_name(self, where: str, text: str) -> _Draft:
        """Take a name, or an id that a name can be made from."""
        ident = _ident(text)
        return self.water(where, {"id": ident, "name": _title(ident) if text == ident else text})

    def _draft(self, where: str, cells: Mapping[str, str], number: int) -> _Draft:
        ident = cells.get("id", "")
        name = cells.get("name", ident)
        short = cells.get("abbreviation", "")
        draft = _Draft(where, cells, ident or _ident(name), name, short or name, number)
        self._call(draft)
        self._no_separator(draft, "id", ident)
        draft.lon, draft.lat = (self._degrees(draft, key) for key in ("lon", "lat"))
        self._both(draft, "lon", "lat")
        return draft

    def _call(self, draft: _Draft) -> None:
        """Give a draft its names, unless another has one of them."""
        called = {"name": draft.name, "id": draft.id, "abbreviation": draft.abbreviation}
        for what, text in called.items():
            other = self._taken.setdefault(fold(text), draft) if fold(text) else None
            if other is draft:
                continue
            if other is not None:
                self.problem(draft.where, f'the {what} "{text}" is taken by {other.where}')
            elif text:
                self.problem(draft.where, f'the {what} "{text}" has no letter and no digit')
            else:
                self.problem(draft.where, f"the {what} is empty")
            draft.doubtful = True
            return

    def _both(self, draft: _Draft, one: str, two: str) -> None:
        for given, missing in ((one, two), (two, one)):
            if draft.cells.get(given) and not draft.cells.get(missing):
                self.problem(draft.where, f"{given} without {missing}")

    def _degrees(self, draft: _Draft, key: str) -> float | None:
        text = draft.cells.get(key, "")
        if not text:
            return None
        try:
            value = float(text)
        except ValueError:
            self.problem(draft.where, f'{key} "{text}" is not a number')
            return None
        if not abs(value) <= _LIMITS[key]:
            limit = _LIMITS[key]
            self.problem(draft.where, f"{key} {text} is not between -{limit} and {limit}")
        return value

    def _tile(self, draft: _Draft, key: str) -> int | None:
        text = draft.cells.get(key, "")
        if not text:
            return None
        if not re.fullmatch(r"[0-9]{1,9}", text) or int(text) > _LAST_TILE:
            what = f'{key} "{text}" is not a whole number from 0 to {_LAST_TILE}'
            self.problem(draft.where, what)
            return None
        return int(text)

    def _no_separator(self, draft: _Draft, what: str, text: str) -> None:
        if re.search("[;|]", text):
            self.problem(draft.where, f'the {what} "{text}" has a ; or |, which separate lists')

    @functools.cached_property
    def region_index(self) -> _Index[_Draft]:
        return _Index((d, (d.name, d.id, d.abbreviation)) for d in self.regions)

    @functools.cached_property
    def water_index(self) -> _Index[_Draft]:
        return _Index((d, (d.name, d.id)) for d in self.waters)

    def find_region(self, where: str, verb: str, text: str) -> _Draft | None:
        found = self.region_index.find(text)
        if found is None:
            hint = _hint(text, self.region_index, self.water_index, "water")
            self.problem(where, f'{verb} "{text}", which is no region{hint or _comma(text)}')
        return found

    def border_lists(self, lists: Iterable[tuple[_Draft, Iterable[str]]]) -> None:
        """Take borders that are listed on both sides."""
        for draft, texts in lists:
            for text in texts:
                other = self.find_region(draft.where, "borders", text)
                if other is not None:
                    self._border(draft.where, draft, other)
        for draft in self.regions:
            for other in draft.borders:
                if not (draft in other.borders or draft.doubtful or other.doubtful):
                    what = f"borders {other.name}, but {other.name} does not border {draft.name}"
                    self.problem(draft.where, what)

    def border_pair(self, where: str, pair: Sequence[str]) -> None:
        """Take a border that is listed once."""
        one, two = (self.find_region(where, "names", text) for text in pair)
        if one is not None and two is not None and self._border(where, one, two):
            two.borders.append(one)

    def _border(self, where: str, draft: _Draft, other: _Draft) -> bool:
        if draft is other:
            self.problem(where, f"{draft.name} borders itself")
        elif other in draft.borders:
            self.problem(where, f"the border of {draft.name} and {other.name} is listed twice")
        else:
            draft.borders.append(other)
            return True
        return False

    def touches(self, where: str, draft: _Draft, water: _Draft) -> None:
        if water in draft.waters:
            self.problem(where, f"{draft.name} and {water.name} are listed twice")
        else:
            draft.waters.append(water)

    def touches_named(self, draft: _Draft, text: str) -> None:
        water = self.water_index.find(text)
        if water is None:
            hint = _hint(text, self.water_index, self.region_index, "region")
            what = f'touches "{text}", which is no water{hint or _comma(text)}'
            self.problem(draft.where, what)
        else:
            self.touches(draft.where, draft, water)

    def finish(self) -> Atlas:
        places = len(self.regions) + len(self.waters)
        if not self.regions:
            self.problem(self.source, "no regions")
        if places > MAX_PLACES:
            what = f"{places} regions and waters, at most {MAX_PLACES} are allowed"
            self.problem(self.source, what)
        self._check_tiles()
        nations = [self._nations(draft) for draft in self.regions]
        if self.problems:
            raise AtlasError(*self.problems)
        regions = tuple(map(self._region, self.regions, nations))
        return Atlas(self.name, regions, tuple(map(_water, self.waters)))

    def _check_tiles(self) -> None:
        first: dict[tuple[int, int], _Draft] = {}
        for draft in self.regions:
            if draft.tile is not None:
                other = first.setdefault(draft.tile, draft)
                if other is not draft:
                    tile = "col {}, row {}".format(*draft.tile)
                    self.problem(draft.where, f"its tile, {tile}, is taken by {other.where}")

    def _nations(self, draft: _Draft) -> tuple[str, ...]:
        home = draft.cells.get(self.home, "")
        self._no_separator(draft, self.home, home)
        others = _split(draft.cells.get("also_in", ""))
        nations = tuple(nation for nation in dict.fromkeys((home, *others)) if nation)
        for nation in nations:
            usual = self._spelling.setdefault(fold(nation), nation)
            if not fold(nation):
                self.problem(draft.where, f'the nation "{nation}" has no letter and no digit')
            elif usual != nation:
                self.problem(draft.where, f'the nation "{nation}" is spelled "{usual}" elsewhere')
        return nations

    def _region(self, draft: _Draft, nations: tuple[str, ...]) -> Region:
        def ids(drafts: list[_Draft]) -> tuple[str, ...]:
            return tuple(d.id for d in sorted(drafts, key=lambda d: d.number))

        column, row = draft.tile or (None, None)
        further = [c for c in self.columns if c not in _COLUMNS and c != self.home]
        return Region(
            id=draft.id,
            name=draft.name,
            abbreviation=draft.abbreviation,
            nations=nations,
            region=draft.cells.get("region", ""),
            lon=draft.lon,
            lat=draft.lat,
            borders=ids(draft.borders),
            waters=ids(draft.waters),
            column=column,
            row=row,
            extra=Extra({c: draft.cells.get(c, "") for c in further}),
        )


def _water(draft: _Draft) -> Water:
    kind = draft.cells.get("kind") or "sea"
    return Water(draft.id, draft.name, kind, draft.lon, draft.lat)


def _words(text: str) -> str:
    """Return a text with single spaces, and nothing that cannot be shown or written."""
    words = " ".join(text.split())
    return "".join(c for c in words if unicodedata.category(c) not in ("Cc", "Cs"))


def _ident(name: str) -> str:
    return fold(name).replace(" ", "_")


def _title(ident: str) -> str:
    words = ident.split("_")
    return " ".join(w if w in ("and", "of", "the") else w.capitalize() for w in words)


def _split(cell: str) -> list[str]:
    return [part.strip() for part in re.split("[;|]", cell) if part.strip()]


def _comma(text: str) -> str:
    return "; lists are separated by ; or |" if "," in text else ""


def _column(header: str) -> str:
    """Return the name of a column: ours in small letters, others as they are."""
    small = header.strip().lower()
    small = "col" if small == "column" else small
    return small if small in (*_COLUMNS, *_WATER_COLUMNS, *_HOMES) else header.strip()


def _decode(path: Path, problems: list[str]) -> str:
    data = path.read_bytes()
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        row = data.count(b"\n", 0, error.start) + 1
        what = f'byte {data[error.start]:#04x} is not UTF-8; save the file as "CSV UTF-8"'
        problems.append(f"{path.name}, row {row}: {what}")
        return ""
    if not text.strip():
        problems.append(f"{path.name}: the file is empty")
        return ""
    return text


def _table(
    path: Path, needed: Sequence[str], problems: list[str]
) -> tuple[list[str], list[tuple[str, dict[str, str]]]]:
    """Return the columns of a CSV file and its rows, each with where it is."""
    text = _decode(path, problems)
    if not text:
        return [], []
    lines = io.StringIO(text, newline="")
    delimiter = _delimiter(next(lines), needed)
    lines.seek(0)
    reader = csv.reader(lines, delimiter=delimiter, strict=True)
    try:
        header, *rows = reader
    except csv.Error as error:
        problems.append(f"{path.name}, line {reader.line_num}: {error}")
        return [], []
    columns = [_column(cell) for cell in header]
    problems += (f"{path.name}: {what}" for what in _wrong_columns(columns, needed))
    found = []
    for number, row in enumerate(rows, 2):
        where = f"{path.name}, row {number}"
        fields = [_words(cell) for cell in row]
        if not any(fields):
            continue
        if len(fields) != len(columns):
            problems.append(f"{where}: {_count(len(fields), 'field')}, expected {len(columns)}")
            continue
        cells = dict(zip(columns, fields, strict=True))
        if any(field and not column for column, field in zip(columns, fields, strict=True)):
            problems.append(f"{where}: a value in a column without a name")
        if delimiter == ";":
            cells.update({key: cells[key].replace(",", ".") for key in _LIMITS if key in cells})
        found.append((where, cells))
    return [column for column in columns if column], found


def _delimiter(line: str, needed: Sequence[str]) -> str:
    for delimiter in ",;\t":
        columns = [_column(cell) for cell in next(csv.reader([line], delimiter=delimiter))]
        if not list(_wrong_columns(columns, needed)):
            return delimiter
    return ","


def _wrong_columns(columns: Sequence[str], needed: Sequence[str]) -> Iterator[str]:
    there = ", ".join(filter(None, columns)) or "none"
    if "id" not in columns and "name" not in columns:
        yield f'no column "name" or "id"; the columns are {there}'
    for column in needed:
        if column not in columns:
            yield f'no column "{column}"; the columns are {there}'
    for column, count in Counter(columns).items():
        if column and count > 1:
            yield f'{count} columns "{column}"'


def _from_csv(path: Path, waters: Path | None) -> Atlas:
    problems: list[str] = []
    columns, rows = _table(path, ["borders"], problems)
    water_rows = [] if waters is None else _table(waters, [], problems)[1]
    if problems:
        raise AtlasError(*problems)
    drafts = _Drafts(path.stem, path.name, columns)
    for where, cells in rows:
        drafts.region(where, cells)
    touched = [(draft, _split(draft.cells.get("waters", ""))) for draft in drafts.regions]
    for where, cells in water_rows:
        drafts.water(where, cells)
    if waters is None:
        _waters_from(touched, drafts)
    drafts.border_lists((draft, _split(draft.cells["borders"])) for draft in drafts.regions)
    for draft, texts in touched:
        for text in texts:
            drafts.touches_named(draft, text)
    return drafts.finish()


def _waters_from(touched: Iterable[tuple[_Draft, Iterable[str]]], drafts: _Drafts) -> None:
    """Take every water that regions touch, in the order of its first appearance."""
    seen: set[str] = set()
    for draft, texts in touched:
        for text in texts:
            if fold(text) not in seen and drafts.region_index.find(text) is None:
                seen.add(fold(text))
                drafts.water_by_name(f"{draft.where}, waters", text)


def _build(
    name: str,
    regions: Iterable[str | Mapping[str, Any]] | Mapping[str, Mapping[str, Any]],
    borders: Iterable[Sequence[str]] | Mapping[str, Iterable[str]],
    waters: Mapping[Any, Iterable[str]] | Iterable[tuple[str | Water, Iterable[str]]],
) -> Atlas:
    rows = [_cells(region) for region in _region_rows(regions)]
    drafts = _Drafts(name, name, (column for cells in rows for column in cells))
    for number, cells in enumerate(rows, 1):
        draft = drafts.region(f"region {number}", cells)
        for column in ("borders", "waters"):
            if column in cells:
                drafts.problem(draft.where, f"{column} are given apart from the regions")
    pairs = waters.items() if isinstance(waters, Mapping) else waters
    touched = [_water_row(drafts, *pair) for pair in pairs]
    if isinstance(borders, Mapping):
        drafts.border_lists(list(_border_rows(drafts, borders)))
    else:
        for number, pair in enumerate(borders, 1):
            two = _names(f"border {number}", pair)
            if len(two) == 2:
                drafts.border_pair(f"border {number} ({' - '.join(two)})", two)
            else:
                drafts.problem(f"border {number}", f"{_count(len(two), 'region')}, expected 2")
    for water, texts in touched:
        for text in texts:
            found = drafts.find_region(water.where, "touches", text)
            if found is not None:
                drafts.touches(water.where, found, water)
    return drafts.finish()


def _water_row(
    drafts: _Drafts, water: str | Water, texts: Iterable[str]
) -> tuple[_Draft, list[str]]:
    where = f"water {len(drafts.waters) + 1}"
    if isinstance(water, Water):
        draft = drafts.water(where, _cells(vars(water)))
    else:
        draft = drafts.water_by_name(where, _words(_text(water, "a water")))
    return draft, _names(f"what touches {water}", texts)


def _border_rows(
    drafts: _Drafts, borders: Mapping[str, Iterable[str]]
) -> Iterator[tuple[_Draft, list[str]]]:
    for region, texts in borders.items():
        draft = drafts.find_region("borders", "names", _text(region, "a region"))
        if draft is not None:
            yield draft, _names(f"what borders {region}", texts)


def _region_rows(
    regions: Iterable[str | Mapping[str, Any]] | Mapping[str, Mapping[str, Any]],
) -> Iterator[Mapping[str, Any]]:
    if isinstance(regions, str):
        raise TypeError(f'regions is a list of regions, got "{regions}"')
    if isinstance(regions, Mapping):
        for name, columns in regions.items():
            yield {"name": name, **columns}
        return
    for region in regions:
        if isinstance(region, Mapping):
            yield region
        else:
            yield {"name": _text(region, "a region")}


def _cells(columns: Mapping[str, Any]) -> dict[str, str]:
    def cell(value: Any) -> str:
        if isinstance(value, list | tuple):
            return ";".join(map(str, value))
        return "" if value is None else _words(str(value))

    return {_column(str(column)): cell(value) for column, value in columns.items()}


def _names(what: str, texts: Iterable[str]) -> list[str]:
    if isinstance(texts, str):
        raise TypeError(f'{what} is a list of regions, got "{texts}"')
    return [_text(text, "a region") for text in texts]
