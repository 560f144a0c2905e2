"""Words on a true map: as large as they fit, in their place or beside it, none on another."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import ceil, dist
from typing import NamedTuple

from adjoin._core import place_labels
from adjoin.drawing.colours import INK, SOFT, WHITE, ink_on
from adjoin.drawing.lettering import ASCENT, DESCENT, LEADING, SOURCE_SANS
from adjoin.drawing.maps import MapDrawing, hatched
from adjoin.drawing.sheet import HAIR, POINT, Box, Drawing, Point

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


class Words(NamedTuple):
    """What is written at a place: the first of the texts for which there is room.

    The name of a water is in it or left out, unless it ``is_needed``.
    """

    texts: tuple[str, ...]
    bold: bool = False
    colour: str = INK
    halo: str = WHITE
    is_needed: bool = False


def write_words(
    drawing: Drawing,
    on: MapDrawing,
    words: Mapping[str, Words],
    *,
    most: float = 8,
    least: float = 4.5,
    kept: Iterable[Box] = (),
) -> dict[str, str]:
    """Write words at places of a map where they hide nothing; return what was written where.

    Letters are made smaller first, then the next text is taken; what has no room is left out.
    ``kept`` are kept free.
    """
    return _Writing(on).write(drawing, words, most, least, kept)


@dataclass(frozen=True)
class _Writing:
    """A map that is being written on."""

    on: MapDrawing

    def write(
        self,
        drawing: Drawing,
        words: Mapping[str, Words],
        most: float,
        least: float,
        kept: Iterable[Box],
    ) -> dict[str, str]:
        sizes = [most - _LETTERS * n for n in range(ceil((most - least) / _LETTERS))] + [least]
        trials = {
            key: list(self._trials(key, words[key], sizes))
            for key in words
            if key in self.on.map.places
        }
        order = sorted(trials, key=lambda key: -self._reach(key))
        free = [self._units(box) for box in (*self._taken(), *kept)]
        number, found = dict.fromkeys(trials, 0), {}
        while True:
            waiting = [key for key in order if number[key] < len(trials[key])]
            boxes = [self._wanted(key, trials[key][number[key]]) for key in waiting]
            found = dict(zip(waiting, place_labels(self.on.map.size, free, boxes), strict=True))
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
            self._written(drawing, words[key], trial, self.on.point((left, top)), leader)
        return {key: trials[key][number[key]].text for key in words if key in found}

    def _trials(self, key: str, words: Words, sizes: Sequence[float]) -> Iterator[_Trial]:
        """Return how words can be written, the best first.

        In the place in one line or in two; smaller beside it, but not on other land; at last
        anywhere near.
        """
        room = _INSIDE * self._reach(key) * self.on.unit
        beside = [size for size in sizes if size <= max(_BESIDE * sizes[0], sizes[-1])]
        for number, text in enumerate(words.texts):
            trials = [
                _Trial(text, lines, size, words.bold)
                for size in (beside if number else sizes)
                for lines in _in_lines(text)
            ]
            yield from [t for t in trials if t.wide <= room and t.high <= room][:3]
            yield from (_Trial(text, (text,), size, words.bold) for size in beside)
        if self.on.map.places[key].kind == "water" and not words.is_needed:
            return
        for text in reversed(words.texts):
            yield _Trial(text, (text,), beside[-1], words.bold, True)

    def _wanted(self, key: str, trial: _Trial) -> tuple[float, float, float, float, float]:
        """Return a size, its place and how far that reaches, in units of the map."""
        wide, high = trial.wide / self.on.unit, trial.high / self.on.unit
        return wide, high, *self.on.map.places[key].at, self._reach(key)

    def _reach(self, key: str) -> float:
        """Return how far from its edges the point of a place is; a water has room."""
        place = self.on.map.places[key]
        return _OPEN if place.kind == "water" else place.reach

    def _is_fine(
        self, key: str, trial: _Trial, found: _Found | None, named: Collection[str]
    ) -> bool:
        """Return whether words stand where nobody takes them for those of another that is named."""
        if found is None:
            return False
        left, top, leader = found
        box = Box(left, top, trial.wide / self.on.unit, trial.high / self.on.unit)
        place = self.on.map.places[key]
        is_water = place.kind == "water"
        if leader is not None and dist(*leader) > _FAR:
            return False
        if trial.is_anywhere or (dist(box.centre, place.at) < 0.1 and not is_water):
            return True
        if key in self.on.small and leader is None:
            small = self.on.small.items()
            near = (box.away(other.at) for name, other in small if name != key)
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
        for key, place in self.on.map.places.items():
            for (left, y), (right, _) in hatched(place.outlines, _ROW, 0, 1):
                found[round(y / _ROW)].append((left, right, key))
        return found

    def _taken(self) -> Iterator[Box]:
        """What words keep away from: dots, bridges and the lines of frames."""
        for _, place in self.on.small.items():
            yield Box.about(self.on.point(place.at), self.on.dot)
        for bridge in self.on.map.bridges:
            yield Box.around(map(self.on.point, bridge.line)).inner(-0.6)
        for left, top, wide, high in self.on.map.frames:
            (x, y), u, v = self.on.point((left, top)), wide * self.on.unit, high * self.on.unit
            yield from (Box(x, y, u, 0.2), Box(x, y + v, u, 0.2))
            yield from (Box(x, y, 0.2, v), Box(x + u, y, 0.2, v))

    def _units(self, box: Box) -> tuple[float, float, float, float]:
        unit = self.on.unit
        return (
            (box.x - self.on.x) / unit,
            (box.y - self.on.y) / unit,
            box.wide / unit,
            box.high / unit,
        )

    def _written(
        self,
        drawing: Drawing,
        words: Words,
        trial: _Trial,
        corner: Point,
        leader: Sequence[Point] | None,
    ) -> None:
        if leader:
            first, last = map(self.on.point, leader)
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
