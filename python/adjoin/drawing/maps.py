"""True maps on a drawing: land, sea and borders, what is marked, and words that hide nothing.

A place is a region of an atlas or a water, by its id.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from math import ceil, dist
from typing import TYPE_CHECKING, NamedTuple

from adjoin._core import place_labels
from adjoin.data.atlas_map import STEPS, Map, MapPlace
from adjoin.drawing.colours import FAINT, INK, SOFT, WHITE, ink_on
from adjoin.drawing.lettering import ASCENT, DESCENT, LEADING, SOURCE_SANS
from adjoin.drawing.sheet import HAIR, POINT, Areas, Box, Circles, Drawing, Lines, Point

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

_INSIDE = 2.5
"""How wide words in a region are, for how far its middle is from its edges."""

_LETTERS = 0.75
"""By how many points letters are made smaller until there is room for them."""

_OPEN = 40.0
"""How far a water reaches around its point, in units of a map."""

_ROW = 2.0
"""How far apart rows are in which it is known which place is where, in units of a map."""

_FAR = 90
"""How far from their place words may be, in units of a map."""

_BESIDE = 0.75
"""How large words beside their region are at most, for the size of those inside."""


@dataclass(frozen=True)
class Marks:
    """What a map shows about places.

    ``fills`` are colours, ``thick`` have thick edges, and ``links`` are joined by lines.
    """

    fills: Mapping[str, str] = field(default_factory=dict)
    thick: Collection[str] = ()
    links: Sequence[tuple[str, str]] = ()


class Words(NamedTuple):
    """What is written at a place: the first of the texts for which there is room.

    The name of a water is in it or left out, unless it ``is_needed``.
    """

    texts: tuple[str, ...]
    bold: bool = False
    colour: str = INK
    halo: str = WHITE
    is_needed: bool = False


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
        return self._point(self.map.places[key].at)

    def _point(self, point: Point) -> Point:
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
            x, y = self._point((left, top))
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
            (self._point(one), self._point(other))
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
        return [list(map(self._point, ring)) for ring in rings]

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
            (x, y), (u, v) = map(self._point, bridge.line)
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
        for key, place in self._small():
            fill = marks.fills.get(key, WHITE)
            found[fill, key in marks.thick].append(self._point(place.at))
        for (fill, is_thick), points in found.items():
            drawing.add(Circles(tuple(points), self._dot, fill, INK, 0.4 if is_thick else 0.2))

    @property
    def _dot(self) -> float:
        return _DOT * (1.5 if self.borders else 1)

    def _small(self) -> Iterator[tuple[str, MapPlace]]:
        for key, place in self.map.places.items():
            if place.kind == "region" and place.small:
                yield key, place

    # What is written.

    def write(
        self,
        drawing: Drawing,
        words: Mapping[str, Words],
        *,
        most: float = 8,
        least: float = 4.5,
        kept: Iterable[Box] = (),
    ) -> dict[str, str]:
        """Write words at places where they hide nothing; return what was written where.

        Letters are made smaller first, then the next text is taken; what has no room is left out.
        ``kept`` are kept free.
        """
        sizes = [most - _LETTERS * n for n in range(ceil((most - least) / _LETTERS))] + [least]
        trials = {
            key: list(self._trials(key, words[key], sizes)) for key in words if self._has(key)
        }
        order = sorted(trials, key=lambda key: -self._reach(key))
        free = [self._units(box) for box in (*self._taken(), *kept)]
        number, found = dict.fromkeys(trials, 0), {}
        while True:
            waiting = [key for key in order if number[key] < len(trials[key])]
            boxes = [trials[key][number[key]].box(self, key) for key in waiting]
            found = dict(zip(waiting, place_labels(self.map.size, free, boxes), strict=True))
            failed = [
                key
                for key in waiting
                if not self._is_fine(key, trials[key][number[key]], found[key], trials)
            ]
            if not failed:
                break
            for key in failed:
                number[key] += 1
            order = failed + [key for key in order if key not in failed]
        for key, place in found.items():
            assert place is not None
            left, top, leader = place
            trial = trials[key][number[key]]
            self._written(drawing, words[key], trial, self._point((left, top)), leader)
        return {key: trials[key][number[key]].text for key in words if key in found}

    def _trials(self, key: str, words: Words, sizes: Sequence[float]) -> Iterator[_Trial]:
        """Return how words can be written, the best first.

        In the place in one line or in two; smaller beside it, but not on other land; at last
        anywhere near.
        """
        room = _INSIDE * self._reach(key) * self.unit
        beside = [size for size in sizes if size <= max(_BESIDE * sizes[0], sizes[-1])]
        for number, text in enumerate(words.texts):
            trials = [
                _Trial(text, lines, size, words.bold)
                for size in (beside if number else sizes)
                for lines in _in_lines(text)
            ]
            yield from [t for t in trials if t.wide <= room and t.high <= room][:3]
            yield from (_Trial(text, (text,), size, words.bold) for size in beside)
        if self.map.places[key].kind == "water" and not words.is_needed:
            return
        for text in reversed(words.texts):
            yield _Trial(text, (text,), beside[-1], words.bold, True)

    def _reach(self, key: str) -> float:
        """Return how far from its edges the point of a place is; a water has room."""
        place = self.map.places[key]
        return _OPEN if place.kind == "water" else place.reach

    def _is_fine(
        self, key: str, trial: _Trial, found: _Found | None, named: Collection[str]
    ) -> bool:
        """Return whether words stand where nobody takes them for those of another that is named."""
        if found is None:
            return False
        left, top, leader = found
        box = Box(left, top, trial.wide / self.unit, trial.high / self.unit)
        place = self.map.places[key]
        is_water = place.kind == "water"
        if leader is not None and dist(*leader) > _FAR:
            return False
        if trial.is_anywhere or (dist(box.centre, place.at) < 0.1 and not is_water):
            return True
        if place.small and leader is None and not is_water:
            near = (box.away(other.at) for name, other in self._small() if name != key)
            return box.away(place.at) < min(near, default=_FAR)
        across, end = box.x + box.wide * 0.1, box.right - box.wide * 0.1
        spans = self._spans.get(round(box.centre[1] / _ROW), ())
        others = (name for left, right, name in spans if left < end and right > across)
        is_clear = not any(name != key and (is_water or name in named) for name in others)
        return is_clear and (leader is None or not is_water)

    @cached_property
    def _spans(self) -> dict[int, list[tuple[float, float, str]]]:
        """Where places are in rows across the map: from, to, which."""
        found: dict[int, list[tuple[float, float, str]]] = defaultdict(list)
        for key, place in self.map.places.items():
            for (left, y), (right, _) in hatched(place.outlines, _ROW, 0, 1):
                found[round(y / _ROW)].append((left, right, key))
        return found

    def _taken(self) -> Iterator[Box]:
        """What words keep away from: dots, bridges and the lines of frames."""
        for _, place in self._small():
            yield Box.about(self._point(place.at), self._dot)
        for bridge in self.map.bridges:
            yield Box.around(map(self._point, bridge.line)).inner(-0.6)
        for left, top, wide, high in self.map.frames:
            (x, y), u, v = self._point((left, top)), wide * self.unit, high * self.unit
            yield from (Box(x, y, u, 0.2), Box(x, y + v, u, 0.2))
            yield from (Box(x, y, 0.2, v), Box(x + u, y, 0.2, v))

    def _units(self, box: Box) -> tuple[float, float, float, float]:
        unit = self.unit
        return (box.x - self.x) / unit, (box.y - self.y) / unit, box.wide / unit, box.high / unit

    def _written(
        self,
        drawing: Drawing,
        words: Words,
        trial: _Trial,
        corner: Point,
        leader: Sequence[Point] | None,
    ) -> None:
        if leader:
            first, last = map(self._point, leader)
            drawing.line(first, last, colour=SOFT, width=HAIR)
            drawing.circle(*first, 0.3, SOFT)
        colour, halo = (words.colour, words.halo) if not leader else (INK, WHITE)
        unit = trial.size * POINT
        for number, line in enumerate(trial.lines):
            y = corner[1] + (ASCENT + number * LEADING) * unit
            x = corner[0] + trial.wide / 2
            drawing.text(
                x,
                y,
                line,
                trial.size,
                bold=words.bold,
                colour=colour,
                anchor="middle",
                halo=halo,
            )


_Found = tuple[float, float, list[Point] | None]


class _Trial(NamedTuple):
    """A way to write words: their lines and their size, and whether they may be on other land."""

    text: str
    lines: tuple[str, ...]
    size: float
    bold: bool
    is_anywhere: bool = False

    @property
    def wide(self) -> float:
        unit = self.size * POINT
        return max(SOURCE_SANS.measure(line, unit, self.bold) for line in self.lines)

    @property
    def high(self) -> float:
        return ((len(self.lines) - 1) * LEADING + ASCENT + DESCENT) * self.size * POINT

    def box(self, on: MapDrawing, key: str) -> tuple[float, float, float, float, float]:
        """Return its size, its place and how far that reaches, in units of a map."""
        place = on.map.places[key]
        return self.wide / on.unit, self.high / on.unit, *place.at, on._reach(key)


def _in_lines(text: str) -> Iterator[tuple[str, ...]]:
    """Return a text in one line, and in two about as long as each other."""
    yield (text,)
    spaces = [n for n, letter in enumerate(text) if letter == " "]
    if spaces and len(text) > 7:
        middle = min(spaces, key=lambda n: abs(2 * n - len(text)))
        yield text[:middle], text[middle + 1 :]


def words_on(fill: str, *texts: str, bold: bool = False) -> Words:
    """Return words that can be read on a colour."""
    return Words(texts, bold, ink_on(fill), fill)


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
