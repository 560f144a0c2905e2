"""True maps on a drawing: land, sea and borders, and what is marked.

A place is a region of an atlas or a water, by its id.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from math import ceil, dist
from typing import TYPE_CHECKING

from adjoin.data.atlas_map import STEPS, Map, MapPlace
from adjoin.drawing.colours import FAINT, INK, SOFT, WHITE
from adjoin.drawing.sheet import Areas, Box, Circles, Drawing, Lines, Point

if TYPE_CHECKING:
    from adjoin.data.atlas import Atlas, Region

UNIT = 25.4 / 96
"""A unit of a map in millimetres, if it is drawn as fine as it is measured."""

SEA, ELSEWHERE = "#e4eef4", "#dedbd3"
"""The colours of the sea, and of land that a map is not about."""

BORDER = "#6f6a60"
_THICK = 0.65
_DOT = 0.75
"""The radius of dots, for what is too small to be seen."""


@dataclass(frozen=True)
class Marks:
    """What a map shows about places.

    ``fills`` are colours, ``thick`` have thick edges, and ``links`` are joined by lines.
    """

    fills: Mapping[str, str] = field(default_factory=dict)
    thick: Collection[str] = ()
    links: Sequence[tuple[str, str]] = ()


@dataclass(frozen=True)
class MapDrawing:
    """A map at its place on a drawing; ``unit`` is how long a unit of the map is there."""

    map: Map
    x: float
    y: float
    unit: float
    borders: tuple[tuple[str, str], ...] = ()

    @classmethod
    def fitted(
        cls, atlas: Atlas, shown: Iterable[str | Region], box: Box, unit: float = UNIT
    ) -> MapDrawing | None:
        """Return a map of regions, or of all, in the middle of a box; none if places are unknown.

        A larger unit makes a simpler map.
        """
        found = atlas.map(shown, width=box.wide / unit, height=box.high / unit)
        if found is None:
            return None
        wide, high = (side * unit for side in found.size)
        x, y = box.x + (box.wide - wide) / 2, box.y + (box.high - high) / 2
        has_outlines = any(place.rings for place in found.places.values())
        borders = () if has_outlines else tuple((one.id, other.id) for one, other in atlas.edges)
        return cls(found, x, y, unit, borders)

    @classmethod
    def needed(
        cls, atlas: Atlas, shown: Iterable[str | Region], box: Box, unit: float = UNIT
    ) -> MapDrawing:
        """Return what ``fitted`` returns, or refuse an atlas whose places are unknown."""
        found = cls.fitted(atlas, shown, box, unit)
        if found is None:
            raise ValueError(
                f"{atlas.name} has no map: its regions have neither outlines nor lon and lat"
            )
        return found

    def moved(self, x: float, y: float) -> MapDrawing:
        """Return the same map with its left top corner at a point."""
        return replace(self, x=x, y=y)

    @property
    def box(self) -> Box:
        """The room it takes."""
        return Box(self.x, self.y, self.map.size[0] * self.unit, self.map.size[1] * self.unit)

    @property
    def regions(self) -> list[str]:
        """The regions that it is about."""
        return [key for key, place in self.map.places.items() if place.kind == "region"]

    def at(self, key: str) -> Point:
        """Return a point well inside a place."""
        return self.point(self.map.places[key].at)

    def point(self, point: Point) -> Point:
        """Return where a point of the map is on the drawing."""
        return self.x + point[0] * self.unit, self.y + point[1] * self.unit

    # What is drawn.

    def draw_ground(self, drawing: Drawing) -> None:
        """Draw the sea, and land that the map is not about."""
        drawing.box(self.box, SEA)
        elsewhere = (p.rings for p in self.map.places.values() if p.kind == "outside")
        rings = (*self.map.ground, *(ring for rings in elsewhere for ring in rings))
        self._areas(drawing, rings, ELSEWHERE, FAINT, 0.12)
        drawing.box(self.box, None, SOFT, 0.2)

    def draw(self, drawing: Drawing, marks: Marks | None = None) -> None:
        """Draw land and sea, and what is marked."""
        marks = marks or Marks()
        self.draw_ground(drawing)
        for fill, keys in self._by_fill(marks).items():
            self._areas(drawing, self.rings(keys), fill, BORDER, 0.2)
        self._areas(drawing, self.map.lakes, SEA, FAINT, 0.1)
        thick = self.rings(key for key in marks.thick if self._has(key))
        self._areas(drawing, thick, None, INK, _THICK)
        self._bridges(drawing)
        for left, top, wide, high in self.map.frames:
            x, y = self.point((left, top))
            drawing.box(Box(x, y, wide * self.unit, high * self.unit), None, SOFT, 0.2)
        self.link(drawing, self.borders, FAINT, 0.25)
        self.link(drawing, marks.links, INK, 0.6)
        self._dots(drawing, marks)

    def link(
        self, drawing: Drawing, pairs: Iterable[tuple[str, str]], colour: str, width: float
    ) -> None:
        """Draw lines between pairs of places, as far as both are there."""
        there = ((self.at(a), self.at(b)) for a, b in pairs if self._has(a) and self._has(b))
        drawing.add(Lines(tuple(there), colour, width))

    def frontiers(self, drawing: Drawing, owner: Mapping[str, str]) -> None:
        """Draw thick lines where regions of different owners touch."""
        sides: dict[tuple[Point, Point], set[str]] = defaultdict(set)
        for key, nation in owner.items():
            for ring in self.map.places[key].outlines:
                for one, other in pairwise((*ring, ring[0])):
                    sides[min(one, other), max(one, other)].add(nation)
        lines = tuple(
            (self.point(one), self.point(other))
            for (one, other), owners in sides.items()
            if len(owners) > 1
        )
        drawing.add(Lines(lines, INK, 0.5))

    def _has(self, key: str) -> bool:
        return key in self.map.places

    def rings(self, keys: Iterable[str]) -> tuple[tuple[int, ...], ...]:
        """Return the rings of places, as areas have them."""
        return tuple(ring for key in keys for ring in self.map.places[key].rings)

    def outlines(self, keys: Iterable[str]) -> list[list[Point]]:
        """Return the rings of places, as points of the drawing."""
        rings = (ring for key in keys for ring in self.map.places[key].outlines)
        return [list(map(self.point, ring)) for ring in rings]

    def _areas(
        self,
        drawing: Drawing,
        rings: tuple[tuple[int, ...], ...],
        fill: str | None,
        edge: str,
        width: float,
    ) -> None:
        drawing.add(Areas(rings, (self.x, self.y), self.unit / STEPS, fill, edge, width))

    def _by_fill(self, marks: Marks) -> dict[str, list[str]]:
        """Return the regions, and other places that are filled, by their colours."""
        found: dict[str, list[str]] = defaultdict(list)
        for key, place in self.map.places.items():
            if place.kind == "region" or key in marks.fills:
                found[marks.fills.get(key, WHITE)].append(key)
        return found

    def _bridges(self, drawing: Drawing) -> None:
        """Draw the sign of bridges: two lines across the water whose ends bend away."""
        lines = []
        for bridge in self.map.bridges:
            (x, y), (u, v) = map(self.point, bridge.line)
            far = dist((x, y), (u, v))
            across, down = ((u - x) / far, (v - y) / far) if far > 0.01 else (0.0, 1.0)
            half = max(far / 2, 0.85)
            ends = ((-half - 0.35, 0.75), (-half, 0.4), (half, 0.4), (half + 0.35, 0.75))
            for side in (-1, 1):
                line = (
                    (
                        (x + u) / 2 + along * across - side * aside * down,
                        (y + v) / 2 + along * down + side * aside * across,
                    )
                    for along, aside in ends
                )
                lines.append(tuple(line))
        drawing.add(Lines(tuple(lines), INK, 0.25))

    def _dots(self, drawing: Drawing, marks: Marks) -> None:
        """Draw dots for what is too small to be seen, and for all that has no outline."""
        found: dict[tuple[str, bool], list[Point]] = defaultdict(list)
        for key, place in self.small.items():
            fill = marks.fills.get(key, WHITE)
            found[fill, key in marks.thick].append(self.point(place.at))
        for (fill, is_thick), points in found.items():
            drawing.add(Circles(tuple(points), self.dot, fill, INK, 0.4 if is_thick else 0.2))

    @property
    def dot(self) -> float:
        """The radius of dots."""
        return _DOT * (1.5 if self.borders else 1)

    @property
    def small(self) -> dict[str, MapPlace]:
        """The regions that are dots."""
        places = self.map.places.items()
        return {key: place for key, place in places if place.kind == "region" and place.small}


def hatched(
    rings: Iterable[Iterable[Point]], gap: float, across: float = 1, down: float = 1
) -> list[tuple[Point, Point]]:
    """Return slanted lines inside rings: where ``across`` x + ``down`` y is a number of gaps."""
    crossed: dict[int, list[Point]] = defaultdict(list)
    for ring in rings:
        points = list(ring)
        for (x, y), (u, v) in pairwise([*points, points[0]]):
            one, other = (across * x + down * y) / gap, (across * u + down * v) / gap
            for line in range(ceil(min(one, other)), ceil(max(one, other))):
                part = (line - one) / (other - one)
                crossed[line].append((x + (u - x) * part, y + (v - y) * part))
    found = []
    for _, points in sorted(crossed.items()):
        points.sort()
        found += list(zip(points[::2], points[1::2], strict=True))
    return found
