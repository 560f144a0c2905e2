"""The pictures of a film as pixels: of each only what differs from the one before is drawn.

Pictures are taken apart into shapes, each with the box that it fills. A shape that is in one of two
pictures makes its box stale; stale boxes are drawn again, with the shapes that reach into them.
What is not known here (other elements, other transformations) fills the whole picture: that is
slower and never wrong.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from html import unescape
from itertools import groupby
from math import ceil, floor, inf
from typing import TYPE_CHECKING, NamedTuple

from adjoin.drawing.colours import PAPER
from adjoin.drawing.lettering import SOURCE_SANS
from adjoin.drawing.png import pixels

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_TAG = re.compile(r"<(/?)([\w:]+)([^>]*?)(/?)>([^<]*)")
_ATTRIBUTE = re.compile(r'([\w:-]+)="([^"]*)"')
_NUMBER = re.compile(r"-?(?:\d+\.?\d*|\.\d+)(?:e-?\d+)?")
_STEP = re.compile(rf"[A-Za-z]|{_NUMBER.pattern}")
_TRANSFORM = re.compile(r"(translate|scale|matrix)\(([^)]*)\)")
_TRANSFORMS = re.compile(r"(?:(?:translate|scale|matrix)\([^)]*\)\s*)*")

_EDGE = 2.0
"""How far beyond its lines a shape may leave a trace, in pixels."""
_CUT = 4
"""How many pixels around a box are drawn with it, and not used."""
_MOST = 0.7
"""If more of a picture than this is stale, all of it is drawn."""
_LOOSE = 1.3
"""Boxes are drawn as one if that is at most so much more."""

Affine = tuple[float, float, float, float, float, float]


class Pixels(NamedTuple):
    """A box of whole pixels."""

    left: int
    top: int
    right: int
    bottom: int

    @property
    def area(self) -> int:
        """Its size."""
        return (self.right - self.left) * (self.bottom - self.top)

    def around(self, other: Pixels) -> Pixels:
        """Return the box around both."""
        return Pixels(*map(min, self[:2], other[:2]), *map(max, self[2:], other[2:]))

    def meets(self, other: Pixels) -> bool:
        """Return whether both have a pixel in common."""
        across = self.left < other.right and other.left < self.right
        return across and self.top < other.bottom and other.top < self.bottom


class Shape(NamedTuple):
    """An element that is seen, within the groups that it is in."""

    opening: str
    num_groups: int
    element: str
    box: tuple[float, float, float, float]
    """Left, top, right and bottom in the units of the picture."""


@dataclass
class Screen:
    """A picture of a film, as large as the largest of them; smaller ones are at the top."""

    width: int
    height: int
    drawn: NDArray[np.uint8] | None = None
    _shapes: Sequence[Shape] = ()
    _place: tuple[float, ...] = ()

    def show(self, svg: str, bar: str, bar_high: int) -> list[Pixels]:
        """Draw a picture, and below it a bar that is so high; return the boxes that were drawn."""
        view, root, shapes = _taken_apart(svg)
        low = self.height - bar_high
        scale = min(self.width / view[2], low / view[3])
        corner = (self.width - view[2] * scale) / 2, 0.0
        place = (scale, *corner, *view[:2])
        moved = (
            f"translate({corner[0]} {corner[1]}) scale({scale}) translate({-view[0]} {-view[1]})"
        )
        whole = Pixels(0, 0, self.width, self.height)

        def placed(shape: Shape) -> Pixels:
            x, y = (corner[n] - view[n] * scale for n in (0, 1))
            left, top, right, bottom = shape.box
            edges = (left * scale + x - _EDGE, top * scale + y - _EDGE)
            ends = (right * scale + x + _EDGE, bottom * scale + y + _EDGE)
            starts = (floor(max(edge, 0)) for edge in edges)
            limits = zip(ends, (self.width, self.height), strict=True)
            return Pixels(*starts, *(ceil(min(end, most)) for end, most in limits))

        stale = [whole]
        if self.drawn is not None and place == self._place:
            changed = _changed(self._shapes, shapes)
            if changed is not None:
                stale = _joined([*map(placed, changed), Pixels(0, low, self.width, self.height)])
                if sum(box.area for box in stale) > _MOST * whole.area:
                    stale = [whole]
        boxes = [(shape, placed(shape)) for shape in shapes] if stale != [whole] else []
        for box in stale:
            wider = _wider(box, whole)
            inside = [s for s, at in boxes if at.meets(wider)] if boxes else shapes
            wide, high = wider.right - wider.left, wider.bottom - wider.top
            parts = "".join(map(_put_together, groupby(inside, lambda shape: shape[:2])))
            piece = pixels(
                f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide}" height="{high}" '
                f'viewBox="{wider.left} {wider.top} {wide} {high}" {root}>'
                f'<g transform="{moved}">{parts}</g>{bar}</svg>'
            )
            if self.drawn is None:
                self.drawn = piece.copy()
            rows = slice(box.top - wider.top, box.bottom - wider.top)
            columns = slice(box.left - wider.left, box.right - wider.left)
            self.drawn[box.top : box.bottom, box.left : box.right] = piece[rows, columns]
        self._shapes, self._place = shapes, place
        return stale


def _wider(box: Pixels, whole: Pixels) -> Pixels:
    """Return a box with some pixels around it: curves that are cut look different at the cut."""
    starts = (max(edge - _CUT, 0) for edge in box[:2])
    ends = (min(edge + _CUT, most) for edge, most in zip(box[2:], whole[2:], strict=True))
    return Pixels(*starts, *ends)


def _put_together(found: tuple[tuple[str, int], Iterable[Shape]]) -> str:
    """Return shapes of the same groups as SVG."""
    (opening, num_groups), shapes = found
    return opening + "".join(shape.element for shape in shapes) + "</g>" * num_groups


def _changed(before: Sequence[Shape], after: Sequence[Shape]) -> list[Shape] | None:
    """Return the shapes of one picture alone; None if those of both come in another order."""
    counts, others = Counter(before), Counter(after)
    same = {shape for shape, number in counts.items() if others[shape] == number}
    if [s for s in before if s in same] != [s for s in after if s in same]:
        return None
    return [shape for shape in (*counts, *others) if shape not in same]


def _joined(boxes: Iterable[Pixels]) -> list[Pixels]:
    """Return boxes of which none meets another: those that lie near each other become one."""
    found: list[Pixels] = []
    for new in boxes:
        box, is_larger = new, True
        if box.right <= box.left or box.bottom <= box.top:
            continue
        while is_larger:
            is_larger = False
            for other in found:
                both = box.around(other)
                if box.meets(other) or both.area <= _LOOSE * (box.area + other.area):
                    found.remove(other)
                    box, is_larger = both, True
                    break
        found.append(box)
    return found


# Shapes.


def _taken_apart(svg: str) -> tuple[tuple[float, ...], str, list[Shape]]:
    """Return the view box of a picture, the other attributes of its root, and its shapes.

    The paper that they are drawn on is none of them.
    """
    tags = iter(_TAG.findall(svg))
    attributes = dict(_ATTRIBUTE.findall(next(tags)[2]))
    view = tuple(map(float, attributes["viewBox"].split()))
    kept = ("font-family", "xml:space")
    root = " ".join(f'{name}="{attributes[name]}"' for name in kept if name in attributes)
    shapes = list(_shapes(tags))
    if shapes and shapes[0].box == (*view[:2], view[0] + view[2], view[1] + view[3]):
        is_paper = f'fill="{PAPER}"' in shapes[0].element
        shapes = shapes[is_paper:]
    return view, root, shapes


def _shapes(tags: Iterator[tuple[str, str, str, str, str]]) -> Iterator[Shape]:
    groups: list[tuple[str, Affine | None]] = [("", (1, 0, 0, 1, 0, 0))]
    for closing, name, attributes, alone, text in tags:
        if closing:
            if name == "g":
                groups.pop()
            continue
        opening, affine = groups[-1]
        if name == "g" and not alone:
            groups.append((f"{opening}<g{attributes}>", _within(affine, attributes)))
        elif name == "title":
            continue
        elif alone or name == "text":
            element = f"<{name}{attributes}/>" if alone else f"<text{attributes}>{text}</text>"
            box = _box(name, attributes, text, affine)
            yield Shape(opening, len(groups) - 1, element, box)
        else:
            yield _whole(name, attributes, text, tags, opening, len(groups) - 1)


def _whole(
    name: str,
    attributes: str,
    text: str,
    tags: Iterator[tuple[str, str, str, str, str]],
    opening: str,
    num_groups: int,
) -> Shape:
    """Return an element with all that is in it as one shape that may be anywhere."""
    parts, depth = [f"<{name}{attributes}>{text}"], 1
    while depth:
        closing, inner, more, alone, words = next(tags)
        parts.append(f"<{closing}{inner}{more}{alone}>{words}")
        depth += -1 if closing else 0 if alone else 1
    return Shape(opening, num_groups, "".join(parts).rstrip(), _EVERYWHERE)


_EVERYWHERE = (-inf, -inf, inf, inf)


@lru_cache(maxsize=4096)
def _within(affine: Affine | None, attributes: str) -> Affine | None:
    """Return where a group puts what is in it; None if that is not known."""
    written = dict(_ATTRIBUTE.findall(attributes)).get("transform", "")
    if affine is None or not _TRANSFORMS.fullmatch(written):
        return None
    for name, given in _TRANSFORM.findall(written):
        values = [float(value) for value in _NUMBER.findall(given)]
        if name == "translate":
            more = (1.0, 0.0, 0.0, 1.0, values[0], values[1] if len(values) > 1 else 0.0)
        elif name == "scale":
            more = (values[0], 0.0, 0.0, values[-1], 0.0, 0.0)
        else:
            a, b, c, d, e, f = values
            more = (a, b, c, d, e, f)
        affine = _product(affine, more)
    return affine


def _product(one: Affine, other: Affine) -> Affine:
    a, b, c, d, e, f = one
    g, h, i, j, k, m = other
    x, y = a * k + c * m + e, b * k + d * m + f
    return (a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, x, y)


@lru_cache(maxsize=65536)
def _box(
    name: str, attributes: str, text: str, affine: Affine | None
) -> tuple[float, float, float, float]:
    """Return the box that an element fills, with its lines."""
    given = dict(_ATTRIBUTE.findall(attributes))
    own = None if "transform" in given or affine is None else _own_box(name, given, text)
    if own is None or affine is None:
        return _EVERYWHERE
    left, top, right, bottom = own
    wide = float(given.get("stroke-width", 1)) if "stroke" in given else 0.0
    a, b, c, d, e, f = affine
    points = [(x, y) for x in (left - wide, right + wide) for y in (top - wide, bottom + wide)]
    xs, ys = [a * x + c * y + e for x, y in points], [b * x + d * y + f for x, y in points]
    return min(xs), min(ys), max(xs), max(ys)


def _own_box(
    name: str, given: dict[str, str], text: str
) -> tuple[float, float, float, float] | None:
    def number(key: str) -> float:
        return float(given.get(key, 0))

    if name == "rect":
        x, y = number("x"), number("y")
        return x, y, x + number("width"), y + number("height")
    if name == "circle":
        x, y, r = number("cx"), number("cy"), number("r")
        return x - r, y - r, x + r, y + r
    if name == "text" and "font-size" in given:
        x, y, size = number("x"), number("y"), number("font-size")
        wide = 1.2 * SOURCE_SANS.measure(unescape(text), size, bold=True) + size
        left = {"middle": x - wide / 2, "end": x - wide}.get(given.get("text-anchor", ""), x - size)
        return left, y - 1.2 * size, left + wide + size, y + 0.5 * size
    if name in ("polygon", "polyline"):
        values = [float(value) for value in _NUMBER.findall(given["points"])]
        return around(list(zip(values[::2], values[1::2], strict=True)))
    return around(path_points(given["d"])) if name == "path" else None


def around(points: list[tuple[float, float]]) -> tuple[float, float, float, float] | None:
    """Return left, top, right and bottom of points; None if there are none."""
    if not points:
        return None
    xs, ys = zip(*points, strict=True)
    return min(xs), min(ys), max(xs), max(ys)


_TAKES = {"m": 2, "l": 2, "h": 1, "v": 1, "q": 4, "c": 6, "z": 0}
"""How many numbers the commands of a path take that are known here."""


def path_points(written: str) -> list[tuple[float, float]]:
    """Return the points of a path, those beside curves too; none if it has other commands."""
    steps = _STEP.findall(written)
    points: list[tuple[float, float]] = []
    x = y = start_x = start_y = 0.0
    command, at = "", 0
    while at < len(steps):
        if steps[at].isalpha():
            command = steps[at]
            at += 1
        takes = _TAKES.get(command.lower())
        if takes is None:
            return []
        values = [float(value) for value in steps[at : at + takes]]
        at += takes
        back_x, back_y = (x, y) if command.islower() else (0.0, 0.0)
        if command in "zZ":
            x, y = start_x, start_y
        elif command in "hH":
            x = back_x + values[0]
        elif command in "vV":
            y = back_y + values[0]
        else:
            pairs = zip(values[::2], values[1::2], strict=True)
            points += [(back_x + one, back_y + other) for one, other in pairs]
            x, y = points[-1]
        if command in "mM":
            start_x, start_y = x, y
            command = "l" if command == "m" else "L"
        points.append((x, y))
    return points
