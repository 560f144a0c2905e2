"""The map of the borders that a class knows least."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import dist

from adjoin.data.atlas import Atlas
from adjoin.drawing import maps
from adjoin.drawing.colours import FAINT, INK, SOFT, WHITE
from adjoin.drawing.sheet import Box, Drawing, Point
from adjoin.drawing.svg import svg

Pair = tuple[str, str]

_MISSED = "#c8102e"
_CONCERNED, _OTHER = maps.Mark("#fde9cf", INK, 0.25, 1.3), maps.Mark(WHITE, FAINT, 0.2)
_TILE, _GAP, _EDGE = (15.5, 9.0), 1.6, 4.0
_WIDE, _HIGHEST, _LEAST = 238.0, 165.0, 50.0
"""How wide a map without tiles is, and how high at most and at least."""

_BADGE = 2.1
"""The radius of what a number is written in."""

_AROUND = 3.0
"""The degrees around the regions concerned in which a map without tiles shows others."""


def missed_borders_map(
    atlas: Atlas, missed: Mapping[Pair, int], title: str = "Missed borders"
) -> str:
    """Return a picture of borders, each as a line with a number that says how often it was missed.

    It is the tile map, or for an atlas without tiles the true positions of the regions concerned.
    """
    there = atlas.tiles or atlas.centroids
    drawn = {pair: number for pair, number in missed.items() if there.keys() >= set(pair)}
    if atlas.tiles:
        return svg(_tiles(atlas, drawn), title)
    if drawn:
        return svg(_dots(atlas, drawn), title)
    drawing, words = Drawing(_WIDE, 15), f"{atlas.name} does not say where its regions are."
    words = words if missed else "No border was missed."
    drawing.label(Box(0, 0, _WIDE, 15), words, 11, 8, colour=SOFT)
    return svg(drawing, title)


def _tiles(atlas: Atlas, missed: Mapping[Pair, int]) -> Drawing:
    tiles, concerned = atlas.tiles, {key for pair in missed for key in pair}
    columns, rows = maps.tile_extent(tiles.values())
    drawing = Drawing(columns * _TILE[0] + 2 * _EDGE, rows * _TILE[1] + 2 * _EDGE)
    area = Box(0, 0, drawing.width, drawing.height).inner(_EDGE)
    boxes = maps.tile_boxes(tiles, area, _TILE[0] / _TILE[1])
    boxes = {key: box.inner(_GAP / 2) for key, box in boxes.items()}
    at = {key: box.centre for key, box in boxes.items()}
    marks = {key: _CONCERNED if key in concerned else _OTHER for key in tiles}
    maps.mark_tiles(drawing, boxes, marks, corner=1)
    _lines(drawing, at, missed)
    for key, box in boxes.items():
        ink = INK if key in concerned else SOFT
        text, room = atlas[key].abbreviation, box.inner(0.6)
        drawing.label(room, text, 7.5, 4.5, bold=True, colour=ink, ground=marks[key].fill)
    _badges(drawing, _spots(at, missed), missed)
    return drawing


def _dots(atlas: Atlas, missed: Mapping[Pair, int]) -> Drawing:
    concerned = dict.fromkeys(key for pair in missed for key in pair)
    degrees = atlas.centroids
    frame = Box.around(degrees[key] for key in concerned).inner(-_AROUND)
    shown = {key: at for key, at in degrees.items() if frame.has(at)}
    shape = Box.around(maps.positions(shown, Box(0, 0, 1, 1)).values())
    high = min(max(_WIDE * shape.high / max(shape.wide, 0.01), _LEAST), _HIGHEST)
    drawing = Drawing(_WIDE, high)
    area = Box(10, 6, _WIDE - 20, high - 12)
    true = maps.positions(shown, area)
    at = maps.moved_apart({key: true[key] for key in concerned}, 4 * _BADGE, area)
    maps.specks(drawing, (true[key] for key in shown if key not in concerned), 0.45, FAINT)
    maps.leaders(drawing, {key: true[key] for key in concerned}, at)
    _lines(drawing, at, missed)
    maps.mark_dots(drawing, at, dict.fromkeys(at, _CONCERNED))
    spots = _spots(at, missed)
    taken = [Box.about(point, 1.5) for point in at.values()]
    taken += [Box.about(spot, _BADGE) for spot in spots.values()]
    steps = [n / 40 for n in range(1, 40)]
    taken += [Box.about(point, 0.25) for pair in missed for point in _between(at, pair, steps)]
    maps.name_dots(drawing, {key: atlas[key].name for key in concerned}, at, taken, 8, 1.9)
    _badges(drawing, spots, missed)
    return drawing


def _between(at: Mapping[str, Point], pair: Pair, parts: Iterable[float]) -> list[Point]:
    """Return points of a line: 0 is one end, 1 is the other."""
    (x, y), (u, v) = (at[key] for key in pair)
    return [(x + (u - x) * part, y + (v - y) * part) for part in parts]


def _lines(drawing: Drawing, at: Mapping[str, Point], missed: Mapping[Pair, int]) -> None:
    most = max(missed.values(), default=1)
    for pair, number in sorted(missed.items(), key=lambda item: item[1]):
        maps.links(drawing, at, [pair], _MISSED, 0.5 + 1.3 * number / most)


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
        drawing.label(room, str(missed[pair]), 7.5, 5, bold=True, colour=_MISSED)
