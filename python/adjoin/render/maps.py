"""The maps of an atlas: a tile for every region, and where the regions really are."""

from __future__ import annotations

from functools import cache
from math import cos, dist, radians
from typing import NamedTuple

from adjoin.atlas import Atlas, Region, Water
from adjoin.render.draw import (
    INK,
    SOFT,
    Point,
    circle,
    fitted,
    line,
    measure,
    place,
    polygon,
    rect,
    text,
)

DARK, MARK = "#33475b", "#c8102e"
"""The colours of transit cards and of what was played last."""

_WIDE, _HIGH, _TILE_WIDE, _TILE_HIGH, _TOP = 560, 440, 40, 25, 20
_MARGIN, _DEGREES = 14, 2
"""What true positions keep away from the edges; the least degrees that they show."""

_GROUND, _FAINT = "#fbf9f4", "#d3cbbb"
_HALO = {"stroke": _GROUND, "stroke_width": 2, "paint_order": "stroke"}

Box = tuple[float, float, float, float]


class Colours(NamedTuple):
    """The two colours of a nation."""

    strong: str
    pale: str


class Marks(NamedTuple):
    """What the maps show, as ids of regions and waters."""

    colours: dict[str, Colours]
    """The colours of the regions with a card on the table."""
    transit: set[str]
    links: list[tuple[str, str]]
    """What lies side by side on the table."""
    held: set[str]
    """The cards that the viewer holds."""
    playable: set[str]
    last: str | None
    has_places: bool
    """Whether regions and waters can be chosen."""

    def place(self, what: Region | Water, parts: list[str]) -> list[str]:
        """Return parts as the place of a region or a water, if these can be chosen."""
        kind = "region" if isinstance(what, Region) else "water"
        return [place(f"{kind} {what.name}", parts)] if self.has_places else parts


@cache
def places(name: str) -> dict[str, Region | Water]:
    """Return the regions and waters of a shipped atlas by id."""
    atlas = Atlas.load(name)
    return {**{r.id: r for r in atlas.regions}, **{w.id: w for w in atlas.waters}}


def panel(atlas: Atlas, marks: Marks) -> tuple[list[str], float, float]:
    """Return the maps of an atlas from 0, 0 on, and how wide and high they are."""
    if not atlas.tiles:
        box = (0.0, float(_TOP), float(_WIDE), float(_TOP + _HIGH))
        return [_heading("True positions"), *_near(atlas, marks, box)], _WIDE, _TOP + _HIGH
    columns, rows = (max(numbers) + 1 for numbers in zip(*atlas.tiles.values(), strict=True))
    wide, high = columns * _TILE_WIDE, rows * _TILE_HIGH
    parts = [_heading("Tile map"), *_tiles(atlas, marks)]
    column, row, right, bottom = _hole(atlas.name)
    left, top = column * _TILE_WIDE, _TOP + row * _TILE_HIGH
    box = (left + 4, top + 4, left + (right - column) * _TILE_WIDE - 8, 0)
    box = (*box[:3], top + (bottom - row) * _TILE_HIGH - 16)
    if box[2] - box[0] >= 60 and box[3] - box[1] >= 60:
        parts += _dots(atlas, marks, box, [region.id for region in atlas.regions])[0]
        parts.append(text((box[0] + box[2]) / 2, box[3] + 11, "true positions", 9, SOFT))
    return parts, wide, _TOP + high


def _heading(words: str) -> str:
    return text(0, 11, words, 12, SOFT, "start", font_weight="bold")


# Tiles.


def _tiles(atlas: Atlas, marks: Marks) -> list[str]:
    parts = []
    at = {place: name for name, place in atlas.tiles.items()}
    for (column, row), name in at.items():
        region = atlas[name]
        left, top = column * _TILE_WIDE, _TOP + row * _TILE_HIGH
        played = name in marks.colours
        edge: dict[str, object] = {"stroke": INK if played else _FAINT}
        if name in marks.playable:
            edge = {"stroke": DARK, "stroke_width": 2, "stroke_dasharray": "4 3"}
        if name == marks.last:
            edge = {"stroke": MARK, "stroke_width": 3}
        fill = marks.colours[name].pale if played else _GROUND
        wide, high = _TILE_WIDE - 4, _TILE_HIGH - 4
        drawn = [rect(left + 2, top + 2, wide, high, fill, rx=3, **edge)]
        room = _TILE_WIDE - 7
        words, size = fitted(region.abbreviation, 8.5, 5, room, bold=played)
        weight = "bold" if played else "normal"
        ink = INK if played or name in marks.held else SOFT
        middle = left + _TILE_WIDE / 2
        drawn.append(text(middle, top + 16, words, size, ink, font_weight=weight))
        if name in marks.transit:
            right = left + _TILE_WIDE - 2
            drawn.append(polygon([(right - 9, top + 2), (right, top + 2), (right, top + 11)], DARK))
        if name in marks.held:
            drawn.append(
                line([(left + 9, top + 19.5), (left + _TILE_WIDE - 9, top + 19.5)], INK, 1)
            )
        parts += marks.place(region, drawn)
    return parts + _frontiers(atlas.name)


@cache
def _frontiers(name: str) -> list[str]:
    """Return lines between tiles of different nations."""
    atlas, parts = Atlas.load(name), []
    at = {place: region for region, place in atlas.tiles.items()}
    for (column, row), name in at.items():
        for across, down in ((1, 0), (0, 1)):
            other = at.get((column + across, row + down))
            if other is None or atlas[name].nation == atlas[other].nation:
                continue
            left, top = (column + across) * _TILE_WIDE, _TOP + (row + down) * _TILE_HIGH
            end = (left + down * _TILE_WIDE, top + across * _TILE_HIGH)
            parts.append(line([(left, top), end], INK, 2, stroke_linecap="round"))
    return parts


@cache
def _hole(name: str) -> tuple[int, int, int, int]:
    """Return where in a tile map the true positions are largest: a part without tiles."""
    tiles = set(Atlas.load(name).tiles.values())
    columns, rows = (max(numbers) + 1 for numbers in zip(*tiles, strict=True))
    best, shape = (0.0, (0, 0, 0, 0)), _shape(name)
    for row in range(rows):
        free = [rows] * columns
        for column in range(columns):
            free[column] = min((r for c, r in tiles if c == column and r >= row), default=rows)
        for left in range(columns):
            for right in range(left + 1, columns + 1):
                bottom = min(free[left:right])
                high = (bottom - row) * _TILE_HIGH - 20
                best = max(
                    best,
                    (min((right - left) * _TILE_WIDE / shape, high), (left, row, right, bottom)),
                )
    return best[1]


# True positions.


def _projected(place: Region | Water, squeeze: float) -> Point:
    return (place.lon or 0) * squeeze, -(place.lat or 0)


@cache
def _frame(name: str, shown: tuple[str, ...]) -> tuple[float, Box]:
    """Return how much narrower a degree of longitude is than one of latitude, and the edges."""
    regions = [places(name)[region] for region in shown]
    latitudes = [region.lat or 0 for region in regions]
    squeeze = cos(radians((min(latitudes) + max(latitudes)) / 2))
    across, down = zip(*(_projected(region, squeeze) for region in regions), strict=True)
    return squeeze, (min(across), min(down), max(across), max(down))


def _shape(name: str) -> float:
    """Return how wide the true positions are for their height."""
    left, top, right, bottom = _frame(name, tuple(r.id for r in Atlas.load(name).regions))[1]
    return (right - left) / (bottom - top)


def _near(atlas: Atlas, marks: Marks, box: Box) -> list[str]:
    """Return the true positions of what was played and of what borders that, with their names."""
    played = {*marks.colours} | {name for name in marks.transit if name in atlas}
    near = {other.id for name in played for other in atlas.borders(name)} | played
    shown = [region.id for region in atlas.regions if region.id in near]
    parts, at = _dots(atlas, marks, box, shown)
    parts += _targets(atlas, marks, at)
    first = sorted(at, key=lambda name: name not in marks.colours)
    inks = [INK if name in marks.colours else SOFT for name in first]
    names = [atlas[name].abbreviation for name in first]
    return parts + _labels(names, [at[name] for name in first], inks, box)


def _dots(
    atlas: Atlas, marks: Marks, box: Box, shown: list[str]
) -> tuple[list[str], dict[str, Point]]:
    """Return a map that is large enough for some regions, and where the regions are on it."""
    squeeze, (west, north, east, south) = _frame(atlas.name, tuple(shown))
    left, top, right, bottom = box
    scale = min(
        (right - left - 2 * _MARGIN) / max(east - west, _DEGREES),
        (bottom - top - 2 * _MARGIN) / max(south - north, _DEGREES),
    )

    def at(name: str) -> Point:
        across, down = _projected(places(atlas.name)[name], squeeze)
        x = (left + right) / 2 + (across - (west + east) / 2) * scale
        y = (top + bottom) / 2 + (down - (north + south) / 2) * scale
        return x, y

    def inside(point: Point) -> Point:
        return min(max(point[0], left + 7), right - 7), min(max(point[1], top + 7), bottom - 7)

    parts = [rect(left, top, right - left, bottom - top, _GROUND, rx=4, stroke=_FAINT)]
    for one, other in marks.links:
        if abs(at(one)[0] - at(other)[0]) < 180 * squeeze * scale:
            parts.append(line([inside(at(one)), inside(at(other))], SOFT, 1))
    dots = {region.id: at(region.id) for region in atlas.regions}
    dots = {name: point for name, point in dots.items() if inside(point) == point}
    for name, point in dots.items():
        if name in marks.playable:
            parts.append(circle(*point, 5, "none", stroke=DARK, stroke_width=1.5))
        if name in marks.held:
            parts.append(circle(*point, 2, INK))
        elif name not in marks.colours:
            parts.append(circle(*point, 1.8, "none", stroke=SOFT))
    for name in sorted(marks.transit):
        x, y = inside(at(name))
        parts.append(polygon([(x, y - 5), (x + 5, y), (x, y + 5), (x - 5, y)], DARK))
    for name, colours in marks.colours.items():
        edge = {"stroke": MARK, "stroke_width": 2} if name == marks.last else {"stroke": INK}
        parts.append(circle(*at(name), 3.6, colours.strong, **edge))
    return parts, dots


def _targets(atlas: Atlas, marks: Marks, at: dict[str, Point]) -> list[str]:
    """Return grounds for the dots, which cannot be seen but clicked."""
    parts = []
    for name, point in at.items() if marks.has_places else ():
        nearest = min((dist(point, other) for key, other in at.items() if key != name), default=20)
        reach = round(min(max(nearest / 2, 4), 10), 1)
        parts += marks.place(atlas[name], [circle(*point, reach, "#000000", fill_opacity=0)])
    return parts


def _labels(names: list[str], points: list[Point], inks: list[str], box: Box) -> list[str]:
    """Return the names for which there is room beside their dots, the first ones first."""
    parts, size = [], 9
    taken = [(x - 4, y - 4, x + 4, y + 4) for x, y in points]
    for words, (x, y), ink in zip(names, points, inks, strict=True):
        wide = measure(words, size)
        for left, base in (
            (x + 6, y + size / 3),
            (x - 6 - wide, y + size / 3),
            (x - wide / 2, y - 6),
            (x - wide / 2, y + 5 + size),
        ):
            place = (left, base - size * 0.8, left + wide, base + size * 0.2)
            inside = box[0] < place[0] and place[2] < box[2] and box[1] < place[1]
            if inside and place[3] < box[3] and not any(_meet(place, other) for other in taken):
                taken.append(place)
                parts.append(text(left, base, words, size, ink, "start", **_HALO))
                break
    return parts


def _meet(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]
