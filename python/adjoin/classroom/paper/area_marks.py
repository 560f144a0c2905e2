"""How nations and regions are told apart on paper: a mark, a colour, and a pattern without one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from adjoin.drawing.colours import INK, SOFT, WHITE, find_colour, ink_on, mixed
from adjoin.drawing.maps import hatched
from adjoin.drawing.sheet import Box, Drawing, Lines, Point

_FLAGS = {
    "England": "#c8102e",
    "Scotland": "#005eb8",
    "Wales": "#00843d",
    "Northern Ireland": "#7a4a9e",
}
"""A colour of the flag; Northern Ireland, which has none that all share, gets violet."""

_COLOURS = (
    *("#1f5f99", "#a84300", "#00694f", "#863a76", "#6d5600", "#9b2335"),
    *("#1b6f7c", "#54459b", "#4f5b1e", "#555555", "#b8860b", "#2f4f9f"),
)


class AreaMark(NamedTuple):
    """How a nation or region is shown."""

    name: str
    mark: str
    colour: str
    pattern: int

    @property
    def pale(self) -> str:
        """A light shade of the colour, which letters can be read on."""
        return mixed(WHITE, self.colour, 0.2)

    def band(self, drawing: Drawing, box: Box, text: str = "", size: float = 11) -> None:
        """Draw a band: the mark and the name on the colour, at the right end the pattern."""
        sample = Box(box.right - box.high * 1.8, box.y, box.high * 1.8, box.high)
        ink = ink_on(self.colour)
        drawing.box(box, self.colour)
        drawing.box(sample, WHITE)
        self.hatch(drawing, sample)
        drawing.box(box, None, INK)
        room = Box(box.x + 1.5, box.y, sample.x - box.x - 3, box.high).inner(0.4)
        drawing.label(room, text or self.words, size, 5, bold=True, colour=ink, anchor="start")

    @property
    def words(self) -> str:
        """The mark and the name; the name alone if it is the mark."""
        return self.name if self.mark == self.name else f"{self.mark}  {self.name}"

    def hatch(self, drawing: Drawing, box: Box, colour: str = INK) -> None:
        """Fill a box with the pattern."""
        corners = [(box.x, box.y), (box.right, box.y), (box.right, box.bottom), (box.x, box.bottom)]
        self.hatch_rings(drawing, [corners], colour)

    def hatch_rings(
        self, drawing: Drawing, rings: Sequence[Sequence[Point]], colour: str, wider: float = 1
    ) -> None:
        """Fill what is inside rings with the pattern, or with a wider one."""
        for stripes in _PATTERNS[self.pattern % len(_PATTERNS)]:
            gap, across, down, width, dash = stripes
            lines = hatched(rings, gap * wider, across, down)
            drawing.add(Lines(tuple(lines), colour, width / wider**0.5, dash * wider))


def area_marks(names: Sequence[str], colours: Sequence[str] | None = None) -> dict[str, AreaMark]:
    """Return the marks of nations or regions; ``colours`` are names or like "#d7352c"."""
    marks = _marks(names)
    found = {}
    for number, (name, mark) in enumerate(zip(names, marks, strict=True)):
        colour = find_colour(colours[number]) if colours else None
        colour = colour or _FLAGS.get(name) or _COLOURS[number % len(_COLOURS)]
        found[name] = AreaMark(name, mark, colour, number)
    return found


def _marks(names: Sequence[str]) -> list[str]:
    """Return marks, all different: initials, or how the names begin."""
    initials = ["".join(re.findall(r"\b\w", name)).upper() for name in names]
    marks: list[str] = []
    for name, mark in zip(names, initials, strict=True):
        if initials.count(mark) > 1:
            others = [other for other in names if other != name]
            parts = (name[:length] for length in range(2, len(name)))
            alone = (part for part in parts if not any(o.startswith(part) for o in others))
            mark = next((part for part in alone if part not in initials), name)
        marks.append(mark)
    return marks


# Patterns.


class _Stripes(NamedTuple):
    """Lines that are a gap apart, where ``across`` x + ``down`` y is the same."""

    gap: float
    across: float = 1
    down: float = 1
    width: float = 0.2
    dash: float = 0


_PATTERNS: tuple[tuple[_Stripes, ...], ...] = (
    (),
    (_Stripes(1.6),),
    (_Stripes(1.2, 0, 1),),
    (_Stripes(1.5, 0, 1, 0.5, 0.7),),
    (_Stripes(1.8), _Stripes(1.8, 1, -1)),
    (_Stripes(1.2, 1, 0),),
    (_Stripes(1.6, 1, -1, 0.5),),
    (_Stripes(1.6, 0, 1), _Stripes(1.6, 1, 0)),
    (_Stripes(2.4, 0, 1, 1.1, 1.2),),
    (_Stripes(1.0, width=0.4),),
    (_Stripes(1.8, 0, 1, 0.8),),
    (_Stripes(1.8, 1, 0, 0.8),),
)


def legend(drawing: Drawing, box: Box, shown: Iterable[AreaMark], columns: int = 1) -> float:
    """Draw which mark is whose, from the top of a box on; return where it ends."""
    high, wide = 5.0, box.wide / columns
    y = box.y
    for number, look in enumerate(shown):
        x = box.x + number % columns * wide
        y = box.y + number // columns * high
        sample = Box(x, y, 7, high - 1)
        drawing.box(sample, look.pale)
        look.hatch(drawing, sample, SOFT)
        drawing.box(sample, None, INK)
        drawing.label(Box(x + 8.5, y, wide - 10, high - 1), look.words, 9, 5, anchor="start")
    return y + high
