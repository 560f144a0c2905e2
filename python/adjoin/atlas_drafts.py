"""An atlas as it is written: read from CSV files or taken from Python values, and checked.

This module needs the standard library and ``adjoin.written`` alone.
"""

from __future__ import annotations

import functools
import itertools
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from adjoin.written import (
    MAX_HINTS,
    Index,
    ProblemsError,
    as_text,
    claim,
    count,
    fold,
    ident,
    place,
    read_table,
    too_long,
    words,
)

MAX_PLACES = 254
"""How many regions and waters together an atlas may have."""

_MOST_BORDERS = MAX_PLACES * (MAX_PLACES - 1) // 2

COLUMNS = (
    *("id", "name", "abbreviation", "nation", "also_in", "region"),
    *("lon", "lat", "borders", "waters", "col", "row"),
)
"""The columns of a table of regions."""

WATER_COLUMNS = ("id", "name", "kind", "lon", "lat")
"""The columns of a table of waters."""

_HOMES = ("nation", "edition", "region")
_KINDS = ("sea", "country")
_LIMITS = {"lon": 180, "lat": 90}
_LAST_TILE = 999


class AtlasError(ProblemsError):
    """What is wrong with an atlas: a line a problem, the first ten of them.

    ``problems`` has them all.
    """


@dataclass(eq=False)
class Draft:
    """A region or water as it was written; ``doubtful`` if its names are not its own."""

    where: str
    cells: Mapping[str, str]
    id: str
    name: str
    abbreviation: str
    lon: float | None = None
    lat: float | None = None
    column: int | None = None
    row: int | None = None
    nations: tuple[str, ...] = ()
    doubtful: bool = False
    borders: list[Draft] = field(default_factory=list)
    waters: list[Draft] = field(default_factory=list)


class Drafts:
    """The regions and waters of an atlas to be, and what is wrong with them.

    First come all regions, as rows, then all waters, then borders and touches, then ``finish``.
    """

    def __init__(
        self, name: str, source: str, rows: Sequence[tuple[str, Mapping[str, str]]]
    ) -> None:
        self.name = name
        self.source = source
        self.regions: list[Draft] = []
        self.waters: list[Draft] = []
        self.problems: list[str] = []
        self._taken: dict[str, str] = {}
        self.check_places(len(rows))
        columns = dict.fromkeys(column for _, cells in rows for column in cells)
        self.home = next((column for column in _HOMES if column in columns), "nation")
        self.further = [c for c in columns if c not in COLUMNS and c != self.home]
        for where, cells in rows:
            self._region(where, cells)

    def problem(self, where: str, what: str) -> None:
        """Note what is wrong."""
        self.problems.append(f"{where}: {what}")

    # Regions and waters.

    def _region(self, where: str, cells: Mapping[str, str]) -> None:
        draft = self._draft(where, cells)
        self.regions.append(draft)
        draft.column, draft.row = (self._tile(draft, key) for key in ("col", "row"))
        self._both(draft, "col", "row")

    def water(self, where: str, cells: Mapping[str, str]) -> Draft:
        """Take a water."""
        draft = self._draft(where, cells)
        self.waters.append(draft)
        kind = cells.get("kind", "")
        if kind and kind not in _KINDS:
            self.problem(draft.where, f'kind "{kind}" is neither "sea" nor "country"')
        return draft

    def water_by_name(self, where: str, text: str) -> Draft:
        """Take a water by name, or by an id that a name can be made from."""
        key = ident(text)
        return self.water(where, {"id": key, "name": _title(key) if text == key else text})

    def _draft(self, where: str, cells: Mapping[str, str]) -> Draft:
        given = cells.get("id", "")
        name = cells.get("name", given)
        short = cells.get("abbreviation", "")
        draft = Draft(place(where, name), cells, given or ident(name), name, short or name)
        called = {"name": draft.name, "id": draft.id, "abbreviation": draft.abbreviation}
        wrong = claim(self._taken, draft.where, called)
        if wrong:
            self.problem(draft.where, wrong)
            draft.doubtful = True
        self._no_separator(draft, "id", given)
        draft.lon, draft.lat = (self._degrees(draft, key) for key in ("lon", "lat"))
        self._both(draft, "lon", "lat")
        return draft

    def _both(self, draft: Draft, one: str, two: str) -> None:
        for given, missing in ((one, two), (two, one)):
            if draft.cells.get(given) and not draft.cells.get(missing):
                self.problem(draft.where, f"{given} without {missing}")

    def _degrees(self, draft: Draft, key: str) -> float | None:
        text = draft.cells.get(key, "")
        if not text:
            return None
        try:
            value = float(text)
        except ValueError:
            self.problem(draft.where, f'{key} "{text}" is not a number')
            return None
        limit = _LIMITS[key]
        if not abs(value) <= limit:
            self.problem(draft.where, f"{key} {text} is not between -{limit} and {limit}")
        return value

    def _tile(self, draft: Draft, key: str) -> int | None:
        text = draft.cells.get(key, "")
        if not text:
            return None
        if not re.fullmatch(r"[0-9]{1,9}", text) or int(text) > _LAST_TILE:
            what = f'{key} "{text}" is not a whole number from 0 to {_LAST_TILE}'
            self.problem(draft.where, what)
            return None
        return int(text)

    def _no_separator(self, draft: Draft, what: str, text: str) -> None:
        if re.search("[;|]", text):
            self.problem(draft.where, f'the {what} "{text}" has a ; or |, which separate lists')

    # Borders and touches.

    @functools.cached_property
    def region_index(self) -> Index[Draft]:
        """The regions by what they are called."""
        called = ((d, (d.name, d.id, d.abbreviation)) for d in self.regions)
        return Index(called, MAX_HINTS)

    @functools.cached_property
    def water_index(self) -> Index[Draft]:
        """The waters by what they are called."""
        return Index(((d, (d.name, d.id)) for d in self.waters), MAX_HINTS)

    def find_region(self, where: str, verb: str, text: str) -> Draft | None:
        """Return a region that is listed somewhere."""
        found = self.region_index.find(text)
        if found is None:
            hint = self.region_index.hint(text, water=self.water_index) or _comma(text)
            self.problem(where, f'{verb} "{text}", which is no region{hint}')
        return found

    def find_water(self, where: str, text: str) -> Draft | None:
        """Return a water that is listed somewhere."""
        found = self.water_index.find(text)
        if found is None:
            hint = self.water_index.hint(text, region=self.region_index) or _comma(text)
            self.problem(where, f'touches "{text}", which is no water{hint}')
        return found

    def border_lists(self, lists: Iterable[tuple[Draft, Iterable[str]]]) -> None:
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

    def _border(self, where: str, draft: Draft, other: Draft) -> bool:
        if draft is other:
            self.problem(where, f"{draft.name} borders itself")
        elif other in draft.borders:
            self.problem(where, f"the border of {draft.name} and {other.name} is listed twice")
        else:
            draft.borders.append(other)
            return True
        return False

    def touch(self, where: str, draft: Draft | None, water: Draft | None) -> None:
        """Take a water that a region touches, if both were found."""
        if draft is None or water is None:
            return
        if water in draft.waters:
            self.problem(where, f"{draft.name} and {water.name} are listed twice")
        else:
            draft.waters.append(water)

    # All together.

    def check_places(self, places: int) -> None:
        """Raise at once if there are more regions and waters than an atlas may have."""
        if places > MAX_PLACES:
            what = f"{places} regions and waters, at most {MAX_PLACES} are allowed"
            raise AtlasError(f"{self.source}: {what}")

    def check_list(self, where: str, what: str, names: Sequence[str]) -> list[str]:
        """Return a list of places, or none if it has more than there can be."""
        if len(names) <= MAX_PLACES:
            return list(names)
        self.problem(where, f"{len(names)} {what}, at most {MAX_PLACES} are allowed")
        return []

    def finish(self) -> Drafts:
        """Bring all into the order of the atlas, or raise all that is wrong."""
        if not self.regions:
            self.problem(self.source, "no regions")
        self.check_places(len(self.regions) + len(self.waters))
        self._check_tiles()
        self._read_nations()
        if self.problems:
            raise AtlasError(*self.problems)
        for draft in self.regions:
            draft.borders = [other for other in self.regions if other in draft.borders]
            draft.waters = [water for water in self.waters if water in draft.waters]
        return self

    def _check_tiles(self) -> None:
        first: dict[tuple[int, int], str] = {}
        for draft in self.regions:
            if draft.column is not None and draft.row is not None:
                other = first.setdefault((draft.column, draft.row), draft.where)
                if other != draft.where:
                    tile = f"col {draft.column}, row {draft.row}"
                    self.problem(draft.where, f"its tile, {tile}, is taken by {other}")

    def _read_nations(self) -> None:
        spelling: dict[str, str] = {}
        for draft in self.regions:
            home = draft.cells.get(self.home, "")
            self._no_separator(draft, self.home, home)
            others = _split(draft.cells.get("also_in", ""))
            draft.nations = tuple(filter(None, dict.fromkeys((home, *others))))
            for nation in draft.nations:
                usual = spelling.setdefault(fold(nation), nation)
                if too_long("nation", nation):
                    self.problem(draft.where, too_long("nation", nation))
                elif not fold(nation):
                    what = f'the nation "{nation}" has no letter and no digit'
                    self.problem(draft.where, what)
                elif usual != nation:
                    what = f'the nation "{nation}" is spelled "{usual}" elsewhere'
                    self.problem(draft.where, what)


def _title(key: str) -> str:
    parts = key.split("_")
    return " ".join(p if p in ("and", "of", "the") else p.capitalize() for p in parts)


def _split(cell: str) -> list[str]:
    return [part.strip() for part in re.split("[;|]", cell) if part.strip()]


def _comma(text: str) -> str:
    return "; lists are separated by ; or |" if "," in text else ""


def _column(header: str) -> str:
    """Return the name of a column: ours in small letters, others as they are."""
    small = header.lower()
    small = "col" if small == "column" else small
    return small if small in (*COLUMNS, *WATER_COLUMNS, *_HOMES) else header


# From files.


def from_csv(path: Path, waters: Path | None) -> Drafts:
    """Read a file of regions and one of waters."""
    problems: list[str] = []
    rows = _rows(path, [("name", "id"), ("borders",)], problems)
    water_rows = [] if waters is None else _rows(waters, [("name", "id")], problems)
    if problems:
        raise AtlasError(*problems)
    drafts = Drafts(words(path.stem), path.name, rows)
    drafts.check_places(len(rows) + len(water_rows))

    def listed(draft: Draft, column: str) -> tuple[Draft, list[str]]:
        names = _split(draft.cells.get(column, ""))
        return draft, drafts.check_list(draft.where, column, names)

    touched = [listed(draft, "waters") for draft in drafts.regions]
    for where, cells in water_rows:
        drafts.water(where, cells)
    if waters is None:
        _waters_from(touched, drafts)
    drafts.border_lists([listed(draft, "borders") for draft in drafts.regions])
    for draft, texts in touched:
        for text in texts:
            drafts.touch(draft.where, draft, drafts.find_water(draft.where, text))
    return drafts.finish()


def _rows(
    path: Path, needed: Sequence[tuple[str, ...]], problems: list[str]
) -> list[tuple[str, dict[str, str]]]:
    return read_table(
        path,
        needed,
        problems,
        column=_column,
        further=True,
        decimals=tuple(_LIMITS),
        most=(MAX_PLACES, "regions and waters"),
    )


def _waters_from(touched: Iterable[tuple[Draft, Iterable[str]]], drafts: Drafts) -> None:
    """Take every water that regions touch, in the order of its first appearance."""
    first: dict[str, tuple[str, str]] = {}
    for draft, texts in touched:
        for text in texts:
            if fold(text) not in first and drafts.region_index.find(text) is None:
                first[fold(text)] = (f"{draft.where}, waters", text)
    drafts.check_places(len(drafts.regions) + len(first))
    for where, text in first.values():
        drafts.water_by_name(where, text)


# From Python.


def build(
    name: str,
    regions: Iterable[str | Mapping[str, Any]] | Mapping[str, Mapping[str, Any]],
    borders: Iterable[Sequence[str]] | Mapping[str, Iterable[str]],
    waters: Iterable[tuple[str | Mapping[str, Any], Iterable[str]]],
) -> Drafts:
    """Take regions and waters, each a name or columns, with borders and touches in lists."""
    name = words(as_text(name, "an atlas"))
    rows = [(f"region {n}", _cells(region)) for n, region in enumerate(_region_rows(regions), 1)]
    drafts = Drafts(name, name, rows)
    for draft in drafts.regions:
        for column in ("borders", "waters"):
            if column in draft.cells:
                drafts.problem(draft.where, f"{column} are given apart from the regions")
    touched = []
    for water, texts in waters:
        touched.append(_water_row(drafts, water, texts))
        drafts.check_places(len(drafts.regions) + len(drafts.waters))
    if isinstance(borders, Mapping):
        drafts.border_lists(list(_border_rows(drafts, borders)))
    else:
        pairs = list(itertools.islice(borders, _MOST_BORDERS + 1))
        if len(pairs) > _MOST_BORDERS:
            raise AtlasError(
                f"{name}: more than {_MOST_BORDERS} borders, which is all there can be"
            )
        for number, pair in enumerate(pairs, 1):
            two = _names(f"border {number}", pair)
            if len(two) == 2:
                drafts.border_pair(f"border {number} ({' - '.join(two)})", two)
            else:
                drafts.problem(f"border {number}", f"{count(len(two), 'region')}, expected 2")
    for draft, names in touched:
        for text in names:
            drafts.touch(draft.where, drafts.find_region(draft.where, "touches", text), draft)
    return drafts.finish()


def _water_row(
    drafts: Drafts, water: str | Mapping[str, Any], texts: Iterable[str]
) -> tuple[Draft, list[str]]:
    where = f"water {len(drafts.waters) + 1}"
    if isinstance(water, Mapping):
        draft = drafts.water(where, _cells(water))
    else:
        draft = drafts.water_by_name(where, words(as_text(water, "a water")))
    names = _names(f"what touches {draft.name}", texts)
    return draft, drafts.check_list(draft.where, "regions", names)


def _border_rows(
    drafts: Drafts, borders: Mapping[str, Iterable[str]]
) -> Iterator[tuple[Draft, list[str]]]:
    for region, texts in borders.items():
        draft = drafts.find_region("borders", "names", as_text(region, "a region"))
        if draft is not None:
            names = _names(f"what borders {region}", texts)
            yield draft, drafts.check_list(draft.where, "borders", names)


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
        yield region if isinstance(region, Mapping) else {"name": as_text(region, "a region")}


def _cells(columns: Mapping[str, Any]) -> dict[str, str]:
    def cell(value: Any) -> str:
        if isinstance(value, list | tuple):
            return ";".join(map(str, value))
        return "" if value is None else words(str(value))

    return {_column(words(str(column))): cell(value) for column, value in columns.items()}


def _names(what: str, texts: Iterable[str]) -> list[str]:
    if isinstance(texts, str):
        raise TypeError(f'{what} is a list of regions, got "{texts}"')
    return [as_text(text, "a region") for text in texts]
