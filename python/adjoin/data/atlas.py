"""Regions, their borders and the waters they touch: shipped, from a CSV file or built in Python."""

from __future__ import annotations

import functools
import itertools
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from adjoin._core import MAX_PLACES, clean, fold, map_of, read_atlas
from adjoin.data.atlas_map import Map
from adjoin.data.files import DATA, ProblemsError, checked, read_files, write_table
from adjoin.data.region import NAME_IN, Extra, Region, Water, cell_list
from adjoin.support.extras import need
from adjoin.support.names import Index, UnknownNameError, as_text, choose
from adjoin.support.wording import count, html_table

if TYPE_CHECKING:
    import os

    from adjoin.drawing.picture import Picture

__all__ = [
    "MAX_PLACES",
    "Atlas",
    "AtlasError",
    "Extra",
    "NoPathError",
    "Region",
    "UnknownNameError",
    "Water",
    "fold",
]

_SHIPPED = {
    "uk-counties": "uk-waters",
    "world-countries": "world-waters",
    "us-states": "us-waters",
}
_NOUNS = {
    "uk-counties": ("county", "counties"),
    "world-countries": ("country", "countries"),
    "us-states": ("state", "states"),
}


_CAPITAL_NOUNS = {"uk-counties": ("county town", "county towns")}
_LANGUAGES = {"cy": "Welsh", "gd": "Gaelic", "ga": "Irish"}


_COLUMNS = (
    *("id", "name", "abbreviation", "nation", "also_in", "region"),
    *("lon", "lat", "borders", "waters", "col", "row"),
)
_WATER_COLUMNS = ("id", "name", "kind", "lon", "lat")
_MOST_BORDERS = MAX_PLACES * (MAX_PLACES - 1) // 2


class AtlasError(ProblemsError):
    """What is wrong with an atlas: a line a problem, the first ten of them.

    ``problems`` has them all.
    """

    __module__ = "adjoin"


class NoPathError(ValueError):
    """No way leads from one region to the other."""


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
    adjoin.UnknownNameError: no region "Kant" in uk-counties; did you mean Kent?

    Wherever a method takes a region or a water, its id, name or abbreviation will do, or another
    name of a region such as Turkey, in any case, with or without accents and punctuation, with St
    or Saint, with & or and.
    """

    name: str = field(compare=False)
    regions: tuple[Region, ...]
    waters: tuple[Water, ...] = ()
    outlines: str | Mapping[str, Any] | None = field(default=None, compare=False)
    """What the regions look like: the name of a shipped atlas with the same ids, or TopoJSON or
    GeoJSON. What is no region of the atlas is drawn grey."""

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
        atlas = _shipped(choose(name, _SHIPPED, "an atlas"))
        return atlas if nations is None else atlas.sub(nations=nations)

    @classmethod
    def from_option(cls, option: str | dict[str, Any]) -> Atlas:
        """Return the atlas that ``option`` stands for; of its own data only what games need.

        >>> Atlas.from_option(Atlas.build(["A", "B"], [("A", "B")], name="pair").option())
        <Atlas pair: 2 regions, 1 border, 0 waters>
        """
        if isinstance(option, str):
            return cls.load(option)
        custom = option["custom"]
        regions = []
        for number, region in enumerate(custom["regions"], 1):
            home, *others = region["nations"] or [None]
            cells = {key: value for key, value in region.items() if key != "nations"}
            cells |= _located(cells, "point", "lon", "lat") | _located(cells, "tile", "col", "row")
            regions.append((f"region {number}", {**cells, "nation": home, "also_in": others}))
        waters = [
            (f"water {number}", {**water, **_located(water, "point", "lon", "lat")})
            for number, water in enumerate(custom["waters"], 1)
        ]
        data = checked(AtlasError, read_atlas, custom["name"], regions, waters, None)
        return _atlas(custom["name"], data, custom.get("outlines"))

    @classmethod
    def from_csv(
        cls,
        path: str | os.PathLike[str],
        waters: str | os.PathLike[str] | None = None,
        outlines: str | os.PathLike[str] | Mapping[str, Any] | None = None,
    ) -> Atlas:
        """Read an atlas from a CSV file, UTF-8 with a header, as the shipped ones are.

        Columns, in any order: ``id`` or ``name``, and ``borders``; if you like ``abbreviation``,
        ``also_called`` (other names, separated by ``;``), ``name_cy`` and the like (the name in
        another language, for ``names_in``), ``capital`` and ``capital_also_called``, ``nation`` and
        ``also_in`` (further nations), ``region``, ``lon`` and ``lat``, ``waters``,
        ``col`` and ``row`` (the place in a tile map). Any other column is kept in
        ``Region.extra``. Without a column ``nation`` the nation is the ``edition``, and without
        that the ``region``.

        ``borders``, ``waters`` and ``also_in`` are lists, separated by ``;`` or ``|``. A border
        must be listed on both sides. ``waters`` is a second file: ``id`` or ``name``, if you like
        ``kind``, ``lon`` and ``lat``. Without it, all that the first file lists as waters are seas.

        ``outlines`` is what the regions look like: a file of TopoJSON or GeoJSON, its content, or
        the name of a shipped atlas that has the same ids. A shape belongs to the region with its id
        or one of its names; what belongs to none is drawn grey. Without outlines, maps show the
        points of the regions.

        An atlas has at most 254 regions and waters, a name at most 100 characters. An apostrophe
        before ``=``, ``+``, ``-`` or ``@`` at the beginning of a cell, which keeps spreadsheets
        from taking it for a formula, is not part of it.

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
        data = read_files(AtlasError, read_atlas, path, waters)
        return _atlas(clean(Path(path).stem), data, _outlines(outlines))

    @classmethod
    def build(
        cls,
        regions: Iterable[str | Mapping[str, Any]] | Mapping[str, Mapping[str, Any]],
        borders: Iterable[Sequence[str]] | Mapping[str, Iterable[str]],
        waters: Mapping[Any, Iterable[str]] | Iterable[tuple[str | Water, Iterable[str]]] = (),
        *,
        name: str = "custom",
        outlines: str | os.PathLike[str] | Mapping[str, Any] | None = None,
    ) -> Atlas:
        """Build an atlas in Python.

        ``regions`` are names, or mappings with the columns of ``from_csv`` but borders and waters,
        or one mapping from names to such mappings. ``borders`` are pairs, each border once, or a
        mapping from each region to all it borders, which lists every border on both sides.
        ``waters`` maps each water, by name or as a ``Water``, to the regions that touch it.
        ``outlines`` is as in ``from_csv``.

        >>> Atlas.build(
        ...     ["Belgium", "Netherlands", "Luxembourg"],
        ...     [("Belgium", "Netherlands"), ("Belgium", "Luxembourg")],
        ...     {"North Sea": ["Belgium", "Netherlands"]},
        ...     name="benelux",
        ... )
        <Atlas benelux: 3 regions, 2 borders, 1 water>
        """
        name = clean(as_text(name, "an atlas"))
        rows = [(f"region {number}", row) for number, row in enumerate(_region_rows(regions), 1)]
        touched = []
        for number, (water, names) in enumerate(
            waters.items() if isinstance(waters, Mapping) else waters, 1
        ):
            columns = (
                vars(water) if isinstance(water, Water) else {"name": as_text(water, "a water")}
            )
            touches = _names(f"what touches {columns['name']}", names)
            touched.append((f"water {number}", {**columns, "touches": touches}))
        listed: dict[str, list[str]] | list[list[str]]
        if isinstance(borders, Mapping):
            listed = {
                as_text(region, "a region"): _names(f"what borders {region}", names)
                for region, names in borders.items()
            }
        else:
            pairs = itertools.islice(borders, _MOST_BORDERS + 1)
            listed = [_names(f"border {number}", pair) for number, pair in enumerate(pairs, 1)]
        data = checked(AtlasError, read_atlas, name, rows, touched, listed)
        return _atlas(name, data, _outlines(outlines))

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
        """Return a region by id, name, abbreviation or another name that it has.

        >>> world = Atlas.load("world-countries")
        >>> world.region("cote divoire"), world.region("NA"), world.region("turkey")
        (<Region Côte d'Ivoire>, <Region Namibia>, <Region Türkiye>)
        """
        if isinstance(region, Region):
            found = self._by_id.get(region.id)
        else:
            found = self._index.find(as_text(region, "a region"))
        if found is None:
            hint = self._index.hint(str(region), water=self._water_index)
            raise UnknownNameError(f'no region "{region}" in {self.name}{hint}')
        return found

    def water(self, water: str | Water) -> Water:
        """Return a water by id or name.

        >>> Atlas.load("uk-counties").water("irish sea")
        <Water Irish Sea>
        """
        text = water.id if isinstance(water, Water) else as_text(water, "a water")
        found = self._water_index.find(text)
        if found is None:
            hint = self._water_index.hint(str(water), region=self._index)
            raise UnknownNameError(f'no water "{water}" in {self.name}{hint}')
        return found

    @property
    def noun(self) -> tuple[str, str]:
        """What a region is called, one and many.

        >>> Atlas.load("us-states", nations="Pacific").noun
        ('state', 'states')
        """
        return _NOUNS.get(self.name.partition(" (")[0], ("region", "regions"))

    @property
    def capital_noun(self) -> tuple[str, str]:
        """What the capital of a region is called, one and many.

        >>> Atlas.load("uk-counties").capital_noun
        ('county town', 'county towns')
        """
        return _CAPITAL_NOUNS.get(self.name.partition(" (")[0], ("capital", "capitals"))

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages that ``names_in`` knows: columns of the table such as ``name_cy``.

        >>> sorted(Atlas.load("uk-counties").languages)
        ['cy', 'ga', 'gd']
        """
        written = ((c, text) for region in self.regions for c, text in region.extra.items())
        columns = dict.fromkeys(c for c, text in written if text and c.startswith(NAME_IN))
        return tuple(column.removeprefix(NAME_IN) for column in columns)

    def language(self, language: str) -> str:
        """Return the one of ``languages`` that is meant, by itself or by its English name.

        >>> Atlas.load("uk-counties").language("welsh")
        'cy'
        """
        for tag in self.languages:
            if fold(as_text(language, "a language")) in (fold(tag), fold(_LANGUAGES.get(tag, tag))):
                return tag
        there = ", ".join(f"{tag} ({_LANGUAGES.get(tag, tag)})" for tag in self.languages)
        there = f"; there are {there}" if there else ": it has none"
        raise UnknownNameError(f'no names in "{language}" in {self.name}{there}')

    def names_in(self, language: str) -> Atlas:
        """Return the same atlas with the names in another language, where the table has one.

        ``language`` is one of ``languages``, or its English name. Usual names and abbreviations
        become other names: all are read.

        >>> wales = Atlas.load("uk-counties").nation("Wales").names_in("Welsh")
        >>> wales["Cardiff"], wales["Powys"], wales["Caerdydd"].also_called
        (<Region Caerdydd>, <Region Powys>, ('Cardiff',))
        """
        column = NAME_IN + self.language(language)

        def named(region: Region) -> Region:
            name = region.extra.get(column, "") or region.name
            if name == region.name:
                return region
            others = ";".join(
                (*cell_list(region.extra.get("also_called", "")), region.abbreviation)
            )
            usual = {NAME_IN + "usual": region.name, **region.extra, "also_called": others}
            return replace(region, name=name, abbreviation=name, extra=Extra(usual))

        return replace(self, regions=tuple(map(named, self.regions)))

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
            where = f" in {self.name}"
            chosen = (choose(text, self.nations, "a nation", where) for text in texts)
            wanted = list(dict.fromkeys(chosen))
            keep = [region for region in keep if not set(wanted).isdisjoint(region.nations)]
            name = f"{name} ({', '.join(wanted)})"
        if regions is not None:
            if isinstance(regions, str):
                raise TypeError(f'regions is a list of regions, got "{regions}"')
            ids = {self.region(region).id for region in regions}
            keep = [region for region in keep if region.id in ids]
            name = f"{name} (part)"
        if not keep:
            raise AtlasError(f"{name}: no regions")
        inside = {region.id for region in keep}
        touched = {water for region in keep for water in region.waters}
        return Atlas(
            name,
            tuple(replace(r, borders=tuple(b for b in r.borders if b in inside)) for r in keep),
            tuple(water for water in self.waters if water.id in touched),
            self.outlines,
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
        write_table(
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
            write_table(waters_path, _WATER_COLUMNS, rows)

    def to_networkx(self) -> Any:
        """Return a networkx.Graph: a node for each region's id, with its data, and its borders.

        >>> Atlas.load("uk-counties").to_networkx().nodes["kent"]["name"]
        'Kent'
        """
        networkx = need("networkx")
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
                **({"also_called": list(r.also_called)} if r.also_called else {}),
                **({"point": [r.lon, r.lat]} if r.lon is not None else {}),
                **({"tile": [r.column, r.row]} if r.column is not None else {}),
            }
            for r in self.regions
        ]
        waters = [
            {
                "id": w.id,
                "name": w.name,
                "kind": w.kind,
                **({"point": [w.lon, w.lat]} if w.lon is not None else {}),
            }
            for w in self.waters
        ]
        custom = {"name": self.name, "noun": self.noun[0], "regions": regions, "waters": waters}
        outlines = {} if self.outlines is None else {"outlines": self.outlines}
        return {"custom": {**custom, **outlines}}

    def map(
        self,
        shown: Iterable[str | Region] = (),
        *,
        width: float = 640,
        height: float = 640,
    ) -> Map | None:
        """Return a map of some regions, or of all, at most so wide and high.

        It is made of the outlines, or of the points of the regions; ``None`` if there are neither.

        >>> wales = Atlas.load("uk-counties").map(Atlas.load("uk-counties").nation("Wales"))
        >>> wales.size, wales.places["powys"].kind, wales.places["shropshire"].kind
        ((513.3, 640.0), 'region', 'outside')
        """
        if not (width > 0 and height > 0 and width < 1e5 and height < 1e5):
            raise ValueError(f"width and height are from 1 to 99999, got {width} and {height}")
        ids = [self.region(region).id for region in shown]
        data = map_of(self.option(), ids, (float(width), float(height)))
        return None if data is None else Map.from_json(data)

    @property
    def has_map(self) -> bool:
        """Whether it says where its regions are, by outlines or by points."""
        return self.outlines is not None or bool(self.centroids)

    def picture(
        self,
        shown: Iterable[str | Region] = (),
        *,
        fill: Mapping[Any, Any] | None = None,
        highlight: Iterable[str | Region] = (),
        numbers: Mapping[Any, object] | Iterable[str | Region] | None = None,
        links: Iterable[tuple[str | Region, str | Region]] = (),
        labels: str | Iterable[str | Region] = "names",
        legend: Mapping[str, str] | None = None,
        width: float = 160,
        height: float = 160,
        title: str = "",
    ) -> Picture:
        """Return a map of some regions, or of all: notebooks show it, ``save`` writes it.

        - ``fill``: colours of regions ("#d7352c" or "red"), or numbers, which get shades and a key
        - ``highlight``: regions with thick edges
        - ``numbers``: what is written into which region; of a list, 1, 2, 3 and so on
        - ``links``: pairs of regions that are joined by lines
        - ``labels``: "names", "abbreviations", "none", or the regions whose names are written;
          letters are made smaller where names have no room, then abbreviations stand for them
        - ``legend``: what colours mean, by the words
        - ``width``, ``height``: how large it is at most, in millimetres

        >>> uk = Atlas.load("uk-counties")
        >>> wales = uk.picture(uk.nation("Wales"), fill={"Powys": 133, "Gwynedd": 117})
        >>> wales.save("wales.svg")  # doctest: +SKIP
        """
        from adjoin.drawing.atlas_picture import picture

        return picture(
            self,
            shown,
            fill=fill,
            highlight=highlight,
            numbers=numbers,
            links=links,
            labels=labels,
            legend=legend,
            width=width,
            height=height,
            title=title,
        )

    def __repr__(self) -> str:
        """Return name and size."""
        counts = {"region": len(self), "border": len(self.edges), "water": len(self.waters)}
        return f"<Atlas {self.name}: {', '.join(count(n, noun) for noun, n in counts.items())}>"

    def _repr_html_(self) -> str:
        header = ("name", "abbreviation", "nation", "borders")
        rows = (
            (r.name, r.abbreviation, ", ".join(r.nations), ", ".join(map(str, self.borders(r))))
            for r in self.regions
        )
        table = html_table(repr(self)[1:-1], header, rows)
        return f'<div style="max-height: 24em; overflow: auto">{table}</div>'

    @functools.cached_property
    def _by_id(self) -> dict[str, Region]:
        return {region.id: region for region in self.regions}

    @functools.cached_property
    def _index(self) -> Index[Region]:
        names = ((r, (r.id, r.name, r.abbreviation)) for r in self.regions)
        return Index(itertools.chain(names, ((r, r.also_called) for r in self.regions)))

    @functools.cached_property
    def _water_index(self) -> Index[Water]:
        return Index((w, (w.id, w.name)) for w in self.waters)

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
    return Atlas.from_csv(DATA / f"{name}.csv", DATA / f"{_SHIPPED[name]}.csv", name)


def _outlines(
    outlines: str | os.PathLike[str] | Mapping[str, Any] | None,
) -> str | Mapping[str, Any] | None:
    """Return outlines that are given as such, as a file or as the name of a shipped atlas."""
    if outlines is None or isinstance(outlines, Mapping) or outlines in _SHIPPED:
        return outlines
    path = Path(outlines)
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise AtlasError(f"{path.name}: {getattr(error, 'strerror', None) or error}") from None
    if not isinstance(found, dict):
        raise AtlasError(f"{path.name}: neither TopoJSON nor GeoJSON")
    return found


def _located(cells: Mapping[str, Any], key: str, one: str, other: str) -> dict[str, Any]:
    """Return a pair of numbers of an option as two columns."""
    return dict(zip((one, other), cells.get(key) or (None, None), strict=True))


def _atlas(
    name: str,
    data: dict[str, list[dict[str, Any]]],
    outlines: str | Mapping[str, Any] | None = None,
) -> Atlas:
    """Return the atlas that the core has checked."""

    def region(row: dict[str, Any]) -> Region:
        lists = {key: tuple(row[key]) for key in ("nations", "borders", "waters")}
        return Region(**{**row, **lists, "extra": Extra(dict(row["extra"]))})

    waters = (Water(**row) for row in data["waters"])
    return Atlas(name, tuple(map(region, data["regions"])), tuple(waters), outlines)


def _region_rows(
    regions: Iterable[str | Mapping[str, Any]] | Mapping[str, Mapping[str, Any]],
) -> Iterator[dict[str, Any]]:
    if isinstance(regions, str):
        raise TypeError(f'regions is a list of regions, got "{regions}"')
    if isinstance(regions, Mapping):
        regions = ({"name": name, **columns} for name, columns in regions.items())
    for region in regions:
        yield dict(region) if isinstance(region, Mapping) else {"name": as_text(region, "a region")}


def _names(what: str, texts: Iterable[str]) -> list[str]:
    if isinstance(texts, str):
        raise TypeError(f'{what} is a list of regions, got "{texts}"')
    return [as_text(text, "a region") for text in texts]
