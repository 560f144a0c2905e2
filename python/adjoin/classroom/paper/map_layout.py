"""Where the regions of an atlas are: in its tile map, or by their true positions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import lru_cache
from math import cos, log, pi, radians, tan
from math import degrees as degrees_of

from adjoin.classroom.paper.drawings import (
    FAINT,
    INK,
    SOFT,
    WHITE,
    Box,
    Boxes,
    Circles,
    Drawing,
    Lines,
    Point,
)
from adjoin.data.atlas import Atlas, Region

_WHOLE = 120
"""The degrees of longitude up to which a small map shows a whole atlas, not a nation."""

_NEAREST = 16
"""How many regions a map of what is near shows at least."""

_NEAR = "#8a8a8a"


def tiles(regions: Iterable[Region], box: Box, shape: float = 1.6) -> dict[str, Box]:
    """Return the tiles of regions, as large as fits into a box; ``shape`` is width by height."""
    at = {r.id: (r.column, r.row) for r in regions if r.column is not None if r.row is not None}
    columns, rows = ([place[n] for place in at.values()] for n in (0, 1))
    left, top = min(columns), min(rows)
    across, down = max(columns) - left + 1, max(rows) - top + 1
    wide = min(box.wide / across, box.high / down * shape)
    high = min(box.high / down, wide)
    x, y = box.x + (box.wide - across * wide) / 2, box.y + (box.high - down * high) / 2
    return {
        name: Box(x + (column - left) * wide, y + (row - top) * high, wide, high)
        for name, (column, row) in at.items()
    }


def points(regions: Iterable[Region], box: Box, gap: float = 1) -> dict[str, Point]:
    """Return the true positions of regions, as large as fits into a box; see ``projected``."""
    degrees = {r.id: (r.lon, r.lat) for r in regions if r.lon is not None if r.lat is not None}
    return projected(degrees, box, gap)


def projected(degrees: Mapping[str, Point], box: Box, gap: float = 1) -> dict[str, Point]:
    """Return where points of the globe are, longitude and latitude, as large as fits into a box.

    Mercator's projection, cut where it is emptiest, so that neighbours stay together. No empty
    strip across or down the map is wider than ``gap`` of the whole.
    """
    if not degrees:
        return {}
    first = _cut([lon for lon, _ in degrees.values()])
    across = _closer({name: (lon - first) % 360 for name, (lon, _) in degrees.items()}, gap)
    down = _closer({name: -_mercator(lat) for name, (_, lat) in degrees.items()}, gap)
    flat = {name: (across[name], down[name]) for name in degrees}
    left, top = (min(point[n] for point in flat.values()) for n in (0, 1))
    right, bottom = (max(point[n] for point in flat.values()) for n in (0, 1))
    scale = min(box.wide / max(right - left, 1), box.high / max(bottom - top, 1))
    x, y = box.centre
    return {
        name: (x + (across - (left + right) / 2) * scale, y + (down - (top + bottom) / 2) * scale)
        for name, (across, down) in flat.items()
    }


@lru_cache(maxsize=1024)
def _mercator(lat: float) -> float:
    """Return how far a latitude is from the equator, in degrees of longitude."""
    return degrees_of(log(tan(pi / 4 + radians(min(max(lat, -80), 80)) / 2)))


def _closer(numbers: Mapping[str, float], gap: float) -> dict[str, float]:
    """Return numbers without gaps that are wider than a part of all they take."""
    most = gap * (max(numbers.values()) - min(numbers.values()))
    found: dict[str, float] = {}
    last, place = min(numbers.values()), 0.0
    for name in sorted(numbers, key=lambda name: numbers[name]):
        place += min(numbers[name] - last, most)
        last = numbers[name]
        found[name] = place
    return found


def _cut(longitudes: Iterable[float]) -> float:
    """Return the longitude after the widest gap."""
    ordered = sorted(set(longitudes))
    gaps = [
        ((after - before) % 360 or 360, after)
        for before, after in zip([ordered[-1], *ordered], ordered, strict=False)
    ]
    return max(gaps)[1]


def small_map(
    drawing: Drawing, atlas: Atlas, region: Region, box: Box, *, borders: bool = True
) -> None:
    """Draw where a region is: black, and with ``borders`` its neighbours grey."""
    if not borders:
        region = replace(region, borders=())
    near = set(region.borders)
    if atlas.tiles:
        at = tiles(atlas, box.inner(1), 1.3)
        groups: dict[str, list[Box]] = {WHITE: [], _NEAR: [], INK: []}
        for name, tile in at.items():
            fill = INK if name == region.id else _NEAR if name in near else WHITE
            groups[fill].append(tile)
        for fill, boxes in groups.items():
            if boxes:
                drawing.add(Boxes(tuple(boxes), fill, SOFT, 0.08))
        return
    if region.lon is None or region.lat is None:
        return
    if _span(atlas) <= _WHOLE:
        _dots(drawing, atlas.regions, region, box)
        return
    high = box.wide * 0.55
    _dots(drawing, atlas.regions, region, Box(box.x, box.y, box.wide, high), is_far=True)
    rest = Box(box.x, box.y + high + 1, box.wide, box.high - high - 1)
    _dots(drawing, _around(atlas, region), region, rest)


def _dots(
    drawing: Drawing, shown: Iterable[Region], region: Region, box: Box, is_far: bool = False
) -> None:
    dots = points(shown, box.inner(1.5))
    near = set(region.borders)
    half = 0.2 if is_far else 0.3
    others = (point for name, point in dots.items() if name not in near | {region.id})
    boxes = tuple(Box(x - half, y - half, 2 * half, 2 * half) for x, y in others)
    beside = tuple(dots[name] for name in region.borders if name in dots)
    x, y = dots[region.id]
    drawing.box(box, None, FAINT)
    drawing.add(Boxes(boxes, _NEAR if is_far else SOFT))
    if not is_far:
        lines = tuple(((x, y), point) for point in beside)
        drawing.add(Lines(lines, SOFT, 0.2), Circles(beside, 0.75, _NEAR, INK, 0.08))
    drawing.circle(x, y, 0.9 if is_far else 1.1, INK)


def _span(atlas: Atlas) -> float:
    """Return the degrees of longitude that an atlas takes."""
    longitudes = [lon for lon, _ in atlas.centroids.values()]
    first = _cut(longitudes)
    return max((lon - first) % 360 for lon in longitudes)


def _around(atlas: Atlas, region: Region) -> list[Region]:
    """Return the regions that are nearest to one, and those it borders."""
    at = atlas.centroids
    lon, lat = at[region.id]

    def far(other: Region) -> float:
        across = (at[other.id][0] - lon + 180) % 360 - 180
        return float((across * cos(radians(lat))) ** 2 + (at[other.id][1] - lat) ** 2)

    ordered = sorted((r for r in atlas if r.id in at), key=far)
    near = set(region.borders)
    return ordered[:_NEAREST] + [r for r in ordered[_NEAREST:] if r.id in near]
