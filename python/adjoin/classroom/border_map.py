"""The map of the borders that a class knows least."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import dist

from adjoin.data.atlas import Atlas
from adjoin.drawing.colours import SOFT, WHITE
from adjoin.drawing.map_words import Words, write_words
from adjoin.drawing.maps import MapDrawing, Marks
from adjoin.drawing.sheet import Box, Drawing, Point
from adjoin.drawing.svg import svg

Pair = tuple[str, str]

_MISSED, _CONCERNED = "#c8102e", "#fde9cf"
_WIDE, _HIGHEST = 200.0, 165.0
_BADGE = 1.9
"""The radius of what a number is written in."""


def missed_borders_map(
    atlas: Atlas, missed: Mapping[Pair, int], title: str = "Missed borders"
) -> str:
    """Return a map of borders, each as a line with a number that says how often it was missed."""
    concerned = list(dict.fromkeys(key for pair in missed for key in pair))
    on = MapDrawing.fitted(atlas, concerned, Box(0, 0, _WIDE, _HIGHEST)) if missed else None
    if on is None:
        drawing = Drawing(_WIDE, 15)
        why = f"{atlas.name} does not say where its regions are."
        why = why if missed else "No border was missed."
        drawing.label(Box(0, 0, _WIDE, 15), why, 11, 8, colour=SOFT)
        return svg(drawing, title)
    on = on.moved(0, 0)
    drawing = Drawing(on.box.wide, on.box.high)
    drawn = {pair: number for pair, number in missed.items() if on.map.places.keys() >= set(pair)}
    on.draw(drawing, Marks(dict.fromkeys(concerned, _CONCERNED)))
    most = max(drawn.values(), default=1)
    for pair, number in sorted(drawn.items(), key=lambda item: item[1]):
        on.link(drawing, [pair], _MISSED, 0.4 + 0.9 * number / most)
    at = {key: on.at(key) for pair in drawn for key in pair}
    spots = _spots(at, drawn)
    taken = [Box.about(spot, _BADGE + 0.3) for spot in spots.values()]
    taken += [Box.about(point, 0.4) for pair in drawn for point in _between(at, pair)]
    words = {key: Words((atlas[key].name, atlas[key].abbreviation)) for key in at}
    written = write_words(drawing, on, words, most=8, kept=taken)
    _badges(drawing, spots, drawn)
    without = [atlas[key].name for key in concerned if key not in written]
    if without:
        drawing.height += 6
        room = Box(0, on.box.bottom + 1, on.box.wide, 5)
        drawing.block(room, f"Not named on the map: {', '.join(without)}.", 8, 4, colour=SOFT)
    return svg(drawing, title)


def _between(
    at: Mapping[str, Point], pair: Pair, parts: Iterable[float] = (0.35, 0.65)
) -> list[Point]:
    """Return points of a line: 0 is one end, 1 is the other."""
    (x, y), (u, v) = (at[key] for key in pair)
    return [(x + (u - x) * part, y + (v - y) * part) for part in parts]


def _spots(at: Mapping[str, Point], missed: Mapping[Pair, int]) -> dict[Pair, Point]:
    """Return where numbers are on their lines, apart from each other where that can be."""
    spots: dict[Pair, Point] = {}
    for pair in sorted(missed, key=lambda pair: -missed[pair]):
        tried = _between(at, pair, (0.5, 0.4, 0.6, 0.32, 0.68))
        free = (p for p in tried if all(dist(p, q) > 2.1 * _BADGE for q in spots.values()))
        spots[pair] = next(free, tried[0])
    return spots


def _badges(drawing: Drawing, spots: Mapping[Pair, Point], missed: Mapping[Pair, int]) -> None:
    """Draw how often every border was missed."""
    for pair, spot in spots.items():
        drawing.circle(*spot, _BADGE, WHITE, _MISSED, 0.4)
        room = Box.about(spot, _BADGE).inner(0.4)
        drawing.label(room, str(missed[pair]), 7, 5, bold=True, colour=_MISSED)
