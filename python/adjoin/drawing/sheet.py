"""Drawings in millimetres: text, boxes, circles, lines and areas, and how to arrange them.

Lengths are in millimetres, the sizes of letters in points.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

from adjoin.drawing.colours import INK
from adjoin.drawing.lettering import ASCENT, DESCENT, LEADING, SOURCE_SANS

POINT = 25.4 / 72
"""A point in millimetres."""

HAIR = 0.15
"""The width of thin lines."""

HALO = 0.3
"""How wide the line of a halo is, at size 1; half of it is around the letters."""

Point = tuple[float, float]


class Box(NamedTuple):
    """A place on paper: its left top corner, how wide and how high it is."""

    x: float
    y: float
    wide: float
    high: float

    @property
    def right(self) -> float:
        """The right edge."""
        return self.x + self.wide

    @property
    def bottom(self) -> float:
        """The lower edge."""
        return self.y + self.high

    @property
    def centre(self) -> Point:
        """The middle."""
        return self.x + self.wide / 2, self.y + self.high / 2

    def inner(self, margin: float) -> Box:
        """Return the box without a margin."""
        return Box(self.x + margin, self.y + margin, self.wide - 2 * margin, self.high - 2 * margin)

    def has(self, point: Point) -> bool:
        """Return whether a point is inside or on the edge."""
        return self.x <= point[0] <= self.right and self.y <= point[1] <= self.bottom

    def overlap(self, other: Box) -> float:
        """Return how large an area two boxes share."""
        across = min(self.right, other.right) - max(self.x, other.x)
        down = min(self.bottom, other.bottom) - max(self.y, other.y)
        return max(across, 0) * max(down, 0)

    def away(self, point: Point) -> float:
        """Return how far a point is from the box; 0 inside."""
        x, y = point
        across = max(self.x - x, 0, x - self.right)
        down = max(self.y - y, 0, y - self.bottom)
        return float((across**2 + down**2) ** 0.5)

    @staticmethod
    def around(points: Iterable[Point]) -> Box:
        """Return the smallest box that has some points in it."""
        xs, ys = zip(*points, strict=True)
        return Box(min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys))

    @staticmethod
    def about(point: Point, radius: float) -> Box:
        """Return the square around a circle."""
        return Box(point[0] - radius, point[1] - radius, 2 * radius, 2 * radius)


@dataclass(frozen=True)
class Text:
    """A line of text on a base line; ``anchor`` says which part of it is at x.

    ``is_turned`` text stands on its head. ``halo`` is the colour of an edge around the letters,
    which keeps them readable on lines.
    """

    x: float
    y: float
    text: str
    size: float
    bold: bool = False
    colour: str = INK
    anchor: str = "start"
    is_turned: bool = False
    halo: str | None = None

    @cached_property
    def wide(self) -> float:
        """How wide it is."""
        return SOURCE_SANS.measure(self.text, self.size * POINT, self.bold)

    @property
    def start(self) -> float:
        """Where it begins: its left edge, or its right edge if it is turned."""
        back = self.wide * {"start": 0.0, "middle": 0.5, "end": 1.0}[self.anchor]
        return self.x + back if self.is_turned else self.x - back

    @cached_property
    def box(self) -> Box:
        """The room it takes."""
        unit = self.size * POINT
        left = self.start - self.wide if self.is_turned else self.start
        above = DESCENT if self.is_turned else ASCENT
        return Box(left, self.y - above * unit, self.wide, (ASCENT + DESCENT) * unit)


@dataclass(frozen=True)
class Boxes:
    """Rectangles of one look; ``edge`` is the colour of their outlines."""

    boxes: tuple[Box, ...]
    fill: str | None = None
    edge: str | None = None
    width: float = HAIR
    radius: float = 0


@dataclass(frozen=True)
class Circles:
    """Circles of one look, by their middles."""

    points: tuple[Point, ...]
    radius: float
    fill: str | None = None
    edge: str | None = None
    width: float = HAIR


@dataclass(frozen=True)
class Lines:
    """Lines from point to point of one look; ``dash`` is how long dashes and gaps are."""

    lines: tuple[tuple[Point, ...], ...]
    colour: str = INK
    width: float = HAIR
    dash: float = 0


@dataclass(frozen=True)
class Areas:
    """Areas of one look, by rings of whole numbers: the first point, then differences.

    What is inside an odd number of rings is filled. The point 0, 0 lies at ``origin``, and ``step``
    is how long 1 is; a step below 0 turns all by half a turn.
    """

    rings: tuple[tuple[int, ...], ...]
    origin: Point
    step: float
    fill: str | None = None
    edge: str | None = None
    width: float = HAIR


Item = Text | Boxes | Circles | Lines | Areas


class Cell(NamedTuple):
    """A card or another part of a page that has a name, and its place."""

    name: str
    box: Box


class Drawing:
    """What is drawn on a page or a card, in the order in which it is drawn.

    ``cells`` says which drawings were put where.
    """

    def __init__(self, width: float, height: float) -> None:
        self.width = width
        self.height = height
        self.items: list[Item] = []
        self.cells: list[Cell] = []

    @property
    def texts(self) -> list[Text]:
        """The lines of text."""
        return [item for item in self.items if isinstance(item, Text)]

    def add(self, *items: Item) -> None:
        """Draw items, but for those without any shape."""
        self.items += filter(_has_shape, items)

    def box(
        self,
        box: Box,
        fill: str | None = None,
        edge: str | None = None,
        width: float = HAIR,
        radius: float = 0,
    ) -> None:
        """Draw a rectangle."""
        self.add(Boxes((box,), fill, edge, width, radius))

    def circle(
        self,
        x: float,
        y: float,
        radius: float,
        fill: str | None = None,
        edge: str | None = None,
        width: float = HAIR,
    ) -> None:
        """Draw a circle."""
        self.add(Circles(((x, y),), radius, fill, edge, width))

    def line(self, *points: Point, colour: str = INK, width: float = HAIR, dash: float = 0) -> None:
        """Draw a line from point to point."""
        self.add(Lines((points,), colour, width, dash))

    def text(
        self,
        x: float,
        y: float,
        text: str,
        size: float,
        *,
        bold: bool = False,
        colour: str = INK,
        anchor: str = "start",
        halo: str | None = None,
    ) -> None:
        """Draw a line of text as it is."""
        if text:
            text = unicodedata.normalize("NFC", text)
            self.add(Text(x, y, text, size, bold, colour, anchor, halo=halo))

    def label(
        self,
        box: Box,
        text: str,
        most: float,
        least: float,
        *,
        bold: bool = False,
        colour: str = INK,
        anchor: str = "middle",
        ground: str | None = None,
    ) -> None:
        """Draw a line of text in the middle of a box's height, as large as fits.

        What lies below it is hidden by the colour ``ground``.
        """
        text = unicodedata.normalize("NFC", text)
        room, high = box.wide / POINT, box.high / POINT / (ASCENT + DESCENT)
        words, size = SOURCE_SANS.fitted(text, room, max(least, min(most, high)), least, bold)
        x = box.x + box.wide * {"start": 0.0, "middle": 0.5, "end": 1.0}[anchor]
        base = box.y + box.high / 2 + (ASCENT - DESCENT) / 2 * size * POINT
        if ground and words:
            self.box(Text(x, base, words, size, bold, colour, anchor).box, ground)
        self.text(x, base, words, size, bold=bold, colour=colour, anchor=anchor)

    def block(
        self,
        box: Box,
        texts: str | Sequence[str],
        most: float,
        least: float,
        *,
        bold: bool = False,
        colour: str = INK,
        anchor: str = "start",
        is_centred: bool = False,
        whole: float = 0,
    ) -> float:
        """Draw paragraphs in lines from the top of a box on, as large as fits; return their end.

        With ``is_centred`` they are in the middle of its height. Each is in one line if that can
        be done at the size ``whole``.
        """
        paragraphs = [texts] if isinstance(texts, str) else texts
        paragraphs = [unicodedata.normalize("NFC", text) for text in paragraphs]
        room = box.wide / POINT, box.high / POINT
        lines, size = SOURCE_SANS.filled(paragraphs, *room, most, least, bold)
        if whole:
            tied = [text.replace(" ", "\u00a0") for text in paragraphs]
            joined, smaller = SOURCE_SANS.filled(tied, *room, most, whole, bold)
            if not any("…" in words for words in joined):
                lines, size = [words.replace("\u00a0", " ") for words in joined], smaller
        unit = size * POINT
        high = ((len(lines) - 1) * LEADING + ASCENT + DESCENT) * unit
        top = box.y + ((box.high - high) / 2 if is_centred else 0)
        x = box.x + box.wide * {"start": 0.0, "middle": 0.5, "end": 1.0}[anchor]
        for number, words in enumerate(lines):
            y = top + (ASCENT + number * LEADING) * unit
            self.text(x, y, words, size, bold=bold, colour=colour, anchor=anchor)
        return top + high

    def put(
        self, drawing: Drawing, x: float, y: float, name: str = "", *, turn: bool = False
    ) -> None:
        """Draw another drawing with its left top corner at a point, or turned by half a turn."""
        wide, high = drawing.width, drawing.height
        origin = (x + wide, y + high) if turn else (x, y)
        self.items += [_placed(item, origin, turn) for item in drawing.items]
        for cell in drawing.cells:
            self.cells.append(Cell(cell.name, _placed_box(cell.box, origin, turn)))
        if name:
            self.cells.append(Cell(name, Box(x, y, wide, high)))

    def inside(self, box: Box) -> list[Text]:
        """Return the lines of text whose middles are in a box."""
        return [item for item in self.texts if box.has(item.box.centre)]


def _has_shape(item: Item) -> bool:
    if isinstance(item, Text):
        return bool(item.text)
    if isinstance(item, Boxes):
        return bool(item.boxes)
    if isinstance(item, Areas):
        return bool(item.rings)
    return bool(item.lines if isinstance(item, Lines) else item.points)


def _placed_box(box: Box, origin: Point, turn: bool) -> Box:
    (x, y), (wide, high) = origin, (box.wide, box.high)
    corner = (x - box.right, y - box.bottom) if turn else (x + box.x, y + box.y)
    return Box(*corner, wide, high)


def _placed(item: Item, origin: Point, turn: bool) -> Item:
    """Return an item as it is when 0, 0 comes to lie at a point, turned by half a turn or not."""

    def point(at: Point) -> Point:
        x, y, _, _ = _placed_box(Box(*at, 0, 0), origin, turn)
        return x, y

    if isinstance(item, Text):
        x, y = point((item.x, item.y))
        return replace(item, x=x, y=y, is_turned=item.is_turned != turn)
    if isinstance(item, Boxes):
        return replace(item, boxes=tuple(_placed_box(box, origin, turn) for box in item.boxes))
    if isinstance(item, Lines):
        return replace(item, lines=tuple(tuple(map(point, line)) for line in item.lines))
    if isinstance(item, Areas):
        return replace(item, origin=point(item.origin), step=-item.step if turn else item.step)
    return replace(item, points=tuple(map(point, item.points)))
