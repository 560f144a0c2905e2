"""What the tests of pictures share: where things are in them, and which can be chosen."""

from __future__ import annotations

import itertools
import re
from typing import TYPE_CHECKING, Any, NamedTuple
from xml.etree import ElementTree

from adjoin.drawing.lettering import SANS
from adjoin.playing.sessions import Session

if TYPE_CHECKING:
    from collections.abc import Iterator

    from adjoin import Match

SVG = "{http://www.w3.org/2000/svg}"


class Box(NamedTuple):
    """Where something is."""

    left: float
    top: float
    right: float
    bottom: float
    what: str

    def meets(self, other: Box) -> bool:
        """Return whether two boxes overlap."""
        across = min(self.right, other.right) - max(self.left, other.left)
        return across > 0.5 and min(self.bottom, other.bottom) - max(self.top, other.top) > 0.5

    def holds(self, other: Box) -> bool:
        """Return whether another box is inside."""
        across = self.left <= other.left and other.right <= self.right
        return across and self.top <= other.top and other.bottom <= self.bottom


class Placed(NamedTuple):
    """An element, and where the groups around it put it."""

    element: ElementTree.Element
    x: float = 0
    y: float = 0
    scale: float = 1

    def within(self, child: ElementTree.Element) -> Placed:
        """Return a child, moved and scaled by its own transform too."""
        words = child.get("transform", "")
        if found := re.fullmatch(r"translate\((\S+) (\S+)\)", words):
            across, down = map(float, found.groups())
            return Placed(
                child, self.x + across * self.scale, self.y + down * self.scale, self.scale
            )
        if found := re.fullmatch(r"scale\((\S+)\)", words):
            return Placed(child, self.x, self.y, self.scale * float(found[1]))
        assert not words
        return self._replace(element=child)

    def number(self, name: str) -> float:
        """Return an attribute that is a number."""
        return float(self.element.get(name, "nan"))

    def box(self, left: float, top: float, wide: float, high: float, what: str) -> Box:
        """Return where a box inside is."""
        x, y = self.x + left * self.scale, self.y + top * self.scale
        return Box(x, y, x + wide * self.scale, y + high * self.scale, what)

    def rect(self, what: str) -> Box:
        """Return where a rectangle is."""
        x, y = self.number("x"), self.number("y")
        return self.box(x, y, self.number("width"), self.number("height"), what)


def placed(svg: str) -> Iterator[Placed]:
    """Go through the elements of a picture."""

    def walk(parent: Placed) -> Iterator[Placed]:
        for child in parent.element:
            one = parent.within(child)
            yield one
            yield from walk(one)

    return walk(Placed(ElementTree.fromstring(svg)))


def texts_in(svg: str) -> list[Box]:
    """Return where the words of a picture are."""
    boxes = []
    for one in placed(svg):
        words = one.element.text
        if one.element.tag == f"{SVG}text" and words:
            size = one.number("font-size")
            wide = SANS.measure(words, size, one.element.get("font-weight") == "bold")
            anchor = one.element.get("text-anchor", "")
            left = one.number("x") - {"start": 0.0, "middle": wide / 2, "end": wide}[anchor]
            boxes.append(one.box(left, one.number("y") - 0.75 * size, wide, 0.95 * size, words))
    return boxes


def brightness(colour: str) -> float:
    """Return how bright a colour is, as people see it."""
    parts = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """Return how well a colour stands out from another: 1 to 21."""
    light, dark = sorted([brightness(one), brightness(other)], reverse=True)
    return (light + 0.05) / (dark + 0.05)


def rects_in(svg: str) -> list[tuple[Box, ElementTree.Element]]:
    """Return where the rectangles of a picture are."""
    return [
        (one.rect("rect"), one.element) for one in placed(svg) if one.element.tag == f"{SVG}rect"
    ]


def words_in(svg: str) -> list[str]:
    """Return the words of a picture."""
    return [box.what for box in texts_in(svg)]


def marks(svg: str, name: str) -> list[str]:
    """Return the values of an attribute."""
    return sorted(v for one in placed(svg) if (v := one.element.get(name)) is not None)


def assert_legible(svg: str, boxes: list[Box], most: float) -> None:
    """Check that a picture is not too wide and that the boxes are in it, none on another."""
    root = ElementTree.fromstring(svg)
    width, height = (float(root.get(name, "nan")) for name in ("width", "height"))
    assert width <= most
    paper = Box(0, 0, width, height, "paper")
    assert [box for box in boxes if not paper.holds(box)] == []
    pairs = itertools.combinations(boxes, 2)
    assert [(one, other) for one, other in pairs if one.meets(other)] == []


def moments(match: Match, stride: int, most: int = 400) -> Iterator[Match]:
    """Play at random, and stop now and then and at the end."""
    for number in itertools.count():
        if number % stride == 0 or match.is_over:
            yield match
        if match.is_over or number == most:
            return
        match.play_random(1)


def shown(svg: str) -> list[str]:
    """Return the places of a picture, as often as they are there."""
    return [key for one in ElementTree.fromstring(svg).iter() if (key := one.get("data-place"))]


def drawn(update: dict[str, Any]) -> str:
    """Return the picture of an update in one; empty behind a curtain."""
    pieces = "".join(piece["svg"] for piece in update["picture"]["pieces"])
    return f'<svg xmlns="http://www.w3.org/2000/svg">{pieces}</svg>'


def named(match: Match) -> dict[str, list[str]]:
    """Return the places that are clicked for every legal action."""
    update = Session(match, match.to_act or 0, "random").update()
    return {action["label"]: action["places"] for action in update["actions"]}


def clickable(svg: str) -> dict[str, list[Box]]:
    """Return the places of a picture with the boxes and circles that fill them."""
    found: dict[str, list[Box]] = {}

    def walk(parent: Placed, key: str | None) -> None:
        for child in parent.element:
            one = parent.within(child)
            inner = one.element.get("data-place", key)
            if inner is not None and one.element.get("fill") not in (None, "none"):
                if one.element.tag == f"{SVG}rect":
                    found.setdefault(inner, []).append(one.rect(inner))
                if one.element.tag == f"{SVG}circle":
                    x, y, r = one.number("cx"), one.number("cy"), one.number("r")
                    box = one.box(x - r, y - r, 2 * r, 2 * r, inner)
                    found.setdefault(inner, []).append(box)
            walk(one, inner)

    walk(Placed(ElementTree.fromstring(svg)), None)
    return found


def assert_large(svg: str) -> None:
    """Check that every place is large enough for a finger, somewhere in the picture."""
    for key, boxes in clickable(svg).items():
        sizes = [min(box.right - box.left, box.bottom - box.top) for box in boxes]
        assert max(sizes) >= 19.5, key
