"""The map of the borders that a class knows least."""

from __future__ import annotations

from collections.abc import Mapping
from math import cos, dist, radians

from adjoin.data.atlas import Atlas
from adjoin.drawing.svg import INK, SOFT, circle, document, fitted, line, measure, rect, text

Pair = tuple[str, str]
Point = tuple[float, float]

_WIDE, _HIGH, _EDGE, _GAP = 58, 34, 16, 6
_MAP = 900
_GROUND, _MARKED, _FAINT, _MISSED = "#fbf9f4", "#fde9cf", "#d3cbbb", "#c8102e"


def missed_map(atlas: Atlas, missed: Mapping[Pair, int], title: str = "Missed borders") -> str:
    """Return a picture of borders, each as a line with a number that says how often it was missed.

    It is the tile map, or for an atlas without tiles the true positions of the regions concerned.
    """
    return _tiles(atlas, missed, title) if atlas.tiles else _dots(atlas, missed, title)


def _tiles(atlas: Atlas, missed: Mapping[Pair, int], title: str) -> str:
    columns, rows = (max(numbers) + 1 for numbers in zip(*atlas.tiles.values(), strict=True))
    at = {
        key: (_EDGE + (column + 0.5) * _WIDE, _EDGE + (row + 0.5) * _HIGH)
        for key, (column, row) in atlas.tiles.items()
    }
    concerned = {key for pair in missed for key in pair}
    parts = []
    for key, (x, y) in at.items():
        marked = key in concerned
        fill, edge = (_MARKED, INK) if marked else (_GROUND, _FAINT)
        wide, high = _WIDE - _GAP, _HIGH - _GAP
        parts.append(rect(x - wide / 2, y - high / 2, wide, high, fill, rx=4, stroke=edge))
    parts += _lines(at, missed)
    for key, (x, y) in at.items():
        words, size = fitted(atlas[key].abbreviation, 10, 6, _WIDE - _GAP - 4, bold=True)
        ink = INK if key in concerned else SOFT
        halo = {"stroke": _GROUND, "stroke_width": 2.5, "paint_order": "stroke"}
        parts.append(text(x, y + 3.5, words, size, ink, "middle", font_weight="bold", **halo))
    parts += _numbers(at, missed)
    return _page(columns * _WIDE + 2 * _EDGE, rows * _HIGH + 2 * _EDGE, title, parts)


def _dots(atlas: Atlas, missed: Mapping[Pair, int], title: str) -> str:
    points = atlas.centroids
    shown = [key for key in dict.fromkeys(k for pair in missed for k in pair) if key in points]
    drawn = {pair: n for pair, n in missed.items() if pair[0] in points and pair[1] in points}
    if not shown:
        return _page(_MAP, 60, title, [text(_MAP / 2, 36, "No border was missed.", 14, SOFT)])
    middle = sum(points[key][1] for key in shown) / len(shown)
    squeeze = cos(radians(middle))
    flat = {key: (points[key][0] * squeeze, -points[key][1]) for key in points}
    left, right = min(flat[k][0] for k in shown), max(flat[k][0] for k in shown)
    top, bottom = min(flat[k][1] for k in shown), max(flat[k][1] for k in shown)
    scale = min((_MAP - 160) / max(right - left, 2), 620 / max(bottom - top, 2))
    high = max(bottom - top, 2) * scale + 90
    at = {
        key: (
            _MAP / 2 + (x - (left + right) / 2) * scale,
            high / 2 + (y - (top + bottom) / 2) * scale,
        )
        for key, (x, y) in flat.items()
    }
    inside = {k: p for k, p in at.items() if 10 < p[0] < _MAP - 10 and 10 < p[1] < high - 10}
    parts = [circle(*p, 2.5, _FAINT) for key, p in inside.items() if key not in shown]
    parts += _lines(at, drawn)
    taken: list[tuple[float, float, float, float]] = []
    for key in shown:
        x, y = at[key]
        parts.append(circle(x, y, 5, _MARKED, stroke=INK))
        taken.append((x - 6, y - 6, x + 6, y + 6))
    for key in shown:
        parts += _label(atlas[key].name, at[key], taken)
    return _page(_MAP, high, title, [*parts, *_numbers(at, drawn)])


def _label(name: str, point: Point, taken: list[tuple[float, float, float, float]]) -> list[str]:
    """Return a name beside its dot, where there is room."""
    x, y = point
    wide = measure(name, 11)
    places = [(x + 8, y + 4), (x - 8 - wide, y + 4), (x - wide / 2, y - 9), (x - wide / 2, y + 17)]
    for left, base in places:
        box = (left, base - 10, left + wide, base + 3)
        clear = all(box[2] < o[0] or o[2] < box[0] or box[3] < o[1] or o[3] < box[1] for o in taken)
        if clear and left > 0 and left + wide < _MAP:
            break
    else:
        left, base = places[0]
    taken.append((left, base - 10, left + wide, base + 3))
    halo = {"stroke": _GROUND, "stroke_width": 3, "paint_order": "stroke"}
    return [text(left, base, name, 11, INK, "start", **halo)]


def _lines(at: Mapping[str, Point], missed: Mapping[Pair, int]) -> list[str]:
    most = max(missed.values(), default=1)
    return [
        line([at[one], at[other]], _MISSED, round(2 + 5 * n / most, 1), stroke_linecap="round")
        for (one, other), n in sorted(missed.items(), key=lambda item: item[1])
    ]


def _numbers(at: Mapping[str, Point], missed: Mapping[Pair, int]) -> list[str]:
    """Return how often every border was missed, the most-missed ones on top."""
    parts: list[str] = []
    placed: list[Point] = []
    for (one, other), number in sorted(missed.items(), key=lambda item: -item[1]):
        (x, y), (u, v) = at[one], at[other]
        spots = [(x + (u - x) * part, y + (v - y) * part) for part in (0.5, 0.4, 0.6, 0.32, 0.68)]
        spot = next((s for s in spots if all(dist(s, p) > 17 for p in placed)), spots[0])
        placed.append(spot)
        parts.append(circle(*spot, 8, "#ffffff", stroke=_MISSED, stroke_width=1.5))
        size = 10 if number < 100 else 8
        parts.append(text(spot[0], spot[1] + 3.5, str(number), size, _MISSED, font_weight="bold"))
    return parts


def _page(width: float, height: float, title: str, parts: list[str]) -> str:
    return document(width, height, title, [rect(0, 0, width, height, _GROUND), *parts])
