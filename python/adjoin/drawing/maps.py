"""Maps of an atlas on a drawing: where tiles and true positions are, and how places are marked.

A place is a region of an atlas or a city of a deck, by its id.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from math import degrees as degrees_of
from math import dist, log, pi, radians, tan
from typing import NamedTuple

from adjoin.drawing.colours import INK, WHITE
from adjoin.drawing.lettering import ASCENT, DESCENT, SOURCE_SANS
from adjoin.drawing.sheet import HAIR, POINT, Box, Boxes, Circles, Drawing, Lines, Point

Tile = tuple[int, int]
"""The column and the row of a tile."""

_GAP = 0.08
"""The widest empty strip of a map of many true positions, as a part of the whole."""


# Where places are.


def tile_extent(tiles: Iterable[Tile]) -> tuple[int, int]:
    """Return how many columns and rows tiles take."""
    _, _, wide, high = Box.around(tiles)
    return int(wide) + 1, int(high) + 1


def tile_boxes(
    tiles: Mapping[str, Tile], box: Box, shape: float, *, is_centred: bool = True
) -> dict[str, Box]:
    """Return tiles as large as fits into a box: in its middle, or in its left top corner.

    ``shape`` is how wide a tile is at most for its height.
    """
    columns, rows = tile_extent(tiles.values())
    left, top, _, _ = Box.around(tiles.values())
    wide = min(box.wide / columns, box.high / rows * shape)
    high = min(box.high / rows, wide)
    x, y = box.x, box.y
    if is_centred:
        x, y = x + (box.wide - columns * wide) / 2, y + (box.high - rows * high) / 2
    return {
        key: Box(x + (column - left) * wide, y + (row - top) * high, wide, high)
        for key, (column, row) in tiles.items()
    }


def positions(degrees: Mapping[str, Point], box: Box) -> dict[str, Point]:
    """Return where places of the globe are, longitude and latitude, as large as fits into a box.

    Mercator's projection, cut where it is emptiest, so that neighbours stay together. Empty strips
    across or down the map are drawn narrower where they are a large part of it.
    """
    if not degrees:
        return {}
    across = _closer(longitudes(degrees))
    down = _closer({key: -_mercator(lat) for key, (_, lat) in degrees.items()})
    taken = Box.around(zip(across.values(), down.values(), strict=True))
    scale = min(box.wide / max(taken.wide, 1), box.high / max(taken.high, 1))
    (x, y), (u, v) = box.centre, taken.centre
    return {key: (x + (across[key] - u) * scale, y + (down[key] - v) * scale) for key in degrees}


def longitudes(degrees: Mapping[str, Point]) -> dict[str, float]:
    """Return how many degrees places are east of the widest strip without any."""
    ordered = sorted({lon for lon, _ in degrees.values()})
    gaps = [
        ((after - before) % 360 or 360, after)
        for before, after in pairwise([ordered[-1], *ordered])
    ]
    first = max(gaps)[1]
    return {key: (lon - first) % 360 for key, (lon, _) in degrees.items()}


@lru_cache(maxsize=1024)
def _mercator(lat: float) -> float:
    """Return how far a latitude is from the equator, in degrees of longitude."""
    return degrees_of(log(tan(pi / 4 + radians(min(max(lat, -80), 80)) / 2)))


def _closer(numbers: Mapping[str, float]) -> dict[str, float]:
    """Return numbers without gaps that are wider than a part of all they take, or twice even."""
    last, part = min(numbers.values()), max(_GAP, 2 / len(numbers))
    most, place = part * (max(numbers.values()) - last), 0.0
    found: dict[str, float] = {}
    for key in sorted(numbers, key=lambda key: numbers[key]):
        place += min(numbers[key] - last, most)
        last = numbers[key]
        found[key] = place
    return found


def moved_apart(true: Mapping[str, Point], least: float, area: Box) -> dict[str, Point]:
    """Return points moved so that they are at least so far apart, inside an area."""
    at = [[x + n * 1e-4, y] for n, (x, y) in enumerate(true.values())]
    for _ in range(400):
        moved = False
        order = sorted(range(len(at)), key=lambda n: at[n][0])
        for place, n in enumerate(order):
            for m in order[place + 1 :]:
                across, down = at[m][0] - at[n][0], at[m][1] - at[n][1]
                if across >= least:
                    break
                far = (across * across + down * down) ** 0.5
                if far < least - 1e-3:
                    push = (least - far) / 2 / max(far, 1e-6)
                    at[n][0] -= across * push
                    at[n][1] -= down * push
                    at[m][0] += across * push
                    at[m][1] += down * push
                    moved = True
        for point in at:
            point[0] = min(max(point[0], area.x), area.right)
            point[1] = min(max(point[1], area.y), area.bottom)
        if not moved:
            break
    return {key: (round(x, 3), round(y, 3)) for key, (x, y) in zip(true, at, strict=True)}


# How they are marked.


class Mark(NamedTuple):
    """How a place is marked: its tile, or its dot of a radius."""

    fill: str
    edge: str | None = None
    width: float = HAIR
    radius: float = 1.3


def mark_tiles(
    drawing: Drawing, boxes: Mapping[str, Box], marks: Mapping[str, Mark], corner: float = 0
) -> None:
    """Draw tiles; those with the same mark are one item."""
    for mark, keys in _by_mark(boxes, marks).items():
        tiles = tuple(boxes[key] for key in keys)
        drawing.add(Boxes(tiles, mark.fill, mark.edge, mark.width, corner))


def mark_dots(drawing: Drawing, points: Mapping[str, Point], marks: Mapping[str, Mark]) -> None:
    """Draw dots; those with the same mark are one item."""
    for mark, keys in _by_mark(points, marks).items():
        dots = tuple(points[key] for key in keys)
        drawing.add(Circles(dots, mark.radius, mark.fill, mark.edge, mark.width))


def _by_mark(there: Iterable[str], marks: Mapping[str, Mark]) -> dict[Mark, list[str]]:
    found: dict[Mark, list[str]] = {mark: [] for mark in marks.values()}
    for key in there:
        found[marks[key]].append(key)
    return found


def specks(drawing: Drawing, points: Iterable[Point], radius: float, colour: str) -> None:
    """Draw places that only show where others are."""
    drawing.add(Boxes(tuple(Box.about(point, radius) for point in points), colour))


def links(
    drawing: Drawing,
    points: Mapping[str, Point],
    pairs: Iterable[tuple[str, str]],
    colour: str,
    width: float,
) -> None:
    """Draw lines between pairs of places, as far as both are there."""
    lines = tuple((points[a], points[b]) for a, b in pairs if a in points and b in points)
    drawing.add(Lines(lines, colour, width))


def leaders(drawing: Drawing, true: Mapping[str, Point], points: Mapping[str, Point]) -> None:
    """Draw thin lines from dots that were moved to where they belong."""
    moved = [key for key, point in true.items() if dist(point, points[key]) > 0.3]
    drawing.add(
        Lines(tuple((true[key], points[key]) for key in moved), INK, 0.15),
        Circles(tuple(true[key] for key in moved), 0.35, INK),
    )


def frontiers(
    drawing: Drawing, tiles: Mapping[str, Tile], boxes: Mapping[str, Box], owner: Mapping[str, str]
) -> None:
    """Draw thick lines between neighbouring tiles of different owners."""
    at = {tile: key for key, tile in tiles.items()}
    lines: list[tuple[Point, Point]] = []
    for key, (column, row) in tiles.items():
        box = boxes[key]
        right, below = at.get((column + 1, row)), at.get((column, row + 1))
        if right and owner[right] != owner[key]:
            lines.append(((box.right, box.y), (box.right, box.bottom)))
        if below and owner[below] != owner[key]:
            lines.append(((box.x, box.bottom), (box.right, box.bottom)))
    drawing.add(Lines(tuple(lines), INK, 0.9))


def name_dots(
    drawing: Drawing,
    names: Mapping[str, str],
    points: Mapping[str, Point],
    taken: Sequence[Box],
    size: float,
    gap: float,
) -> None:
    """Write names beside their dots, where they hide least of what is taken and of each other."""
    page, hidden = Box(0, 0, drawing.width, drawing.height), list(taken)
    high = (ASCENT + DESCENT) * size * POINT

    def cost(box: Box) -> float:
        outside = box.wide * box.high - box.overlap(page)
        return 100 * outside + sum(map(box.overlap, hidden))

    for key, name in names.items():
        x, y = points[key]
        wide = SOURCE_SANS.measure(name, size * POINT) + 0.2
        left, top = (x - gap - wide, x - wide / 2, x + gap), (y - gap - high, y - high / 2, y + gap)
        order = ((2, 1), (0, 1), (1, 0), (1, 2), (2, 0), (2, 2), (0, 0), (0, 2))
        box = min((Box(left[c], top[r], wide, high) for c, r in order), key=cost)
        hidden.append(box)
        drawing.label(box, name, size, size, ground=WHITE)
