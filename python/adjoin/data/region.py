"""A region and a water of an atlas: what is known about each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

NAME_IN = "name_"
"""How a column with the names in another language begins."""


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

    @property
    def also_called(self) -> tuple[str, ...]:
        """Its other names, of a table with that column, and its names in other languages.

        >>> from adjoin import Atlas
        >>> Atlas.load("uk-counties")["Anglesey"].also_called
        ('Isle of Anglesey', 'Ynys Môn')
        """
        others = cell_list(self.extra.get("also_called", ""))
        foreign = (text for column, text in self.extra.items() if column.startswith(NAME_IN))
        return tuple(dict.fromkeys(n for n in (*others, *foreign) if n and n != self.name))

    @property
    def capitals(self) -> tuple[str, ...]:
        """Its capitals, of a table with that column: mostly one, or none.

        >>> from adjoin import Atlas
        >>> Atlas.load("world-countries")["South Africa"].capitals
        ('Pretoria', 'Cape Town', 'Bloemfontein')
        """
        return cell_list(self.extra.get("capital", ""))

    @property
    def capital_also_called(self) -> tuple[str, ...]:
        """Other names of the first capital, of a table with that column.

        >>> from adjoin import Atlas
        >>> Atlas.load("world-countries")["Ukraine"].capital_also_called
        ('Kiev',)
        """
        return cell_list(self.extra.get("capital_also_called", ""))

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


def cell_list(cell: str) -> tuple[str, ...]:
    """Return what a cell lists."""
    return tuple(filter(None, map(str.strip, cell.split(";"))))
