"""The Mapello board: border ring, walls, bonuses, jokers, discs, last move and legal moves."""

from __future__ import annotations

import math
from typing import Any

from adjoin.render.draw import circle, document, polygon, rect, text

_CELL = 44
_EDGE = 26
_SIZE = 10 * _CELL + 2 * _EDGE
_FOOT = 64


def svg(view: dict[str, Any]) -> str:
    """Return the picture of a view."""
    parts = [rect(0, 0, _SIZE, _SIZE + _FOOT, "#f4f1ea")]
    parts.append(rect(*_corner(0, 0), 10 * _CELL, 10 * _CELL, "#d9d2c3", rx=8))
    parts.append(rect(*_corner(1, 1), 8 * _CELL, 8 * _CELL, "#2f7d5b"))
    legal = set(view["legal"])
    for row in range(10):
        for column in range(10):
            parts += _cell(view["cells"][row][column], row, column, legal, view.get("last"))
    for n in range(1, 9):
        x, y = _centre(n, n)
        parts.append(text(x, _EDGE - 8, "abcdefgh"[n - 1], 14, "#4a4a4a"))
        parts.append(text(_EDGE / 2, y + 5, str(n), 14, "#4a4a4a"))
    return document(_SIZE, _SIZE + _FOOT, _caption(view), parts + _foot(view))


def _corner(row: float, column: float) -> tuple[float, float]:
    return _EDGE + column * _CELL, _EDGE + row * _CELL


def _centre(row: int, column: int) -> tuple[float, float]:
    x, y = _corner(row, column)
    return x + _CELL / 2, y + _CELL / 2


def _name(row: int, column: int) -> str:
    return f"{'abcdefgh'[column - 1]}{row}"


def _cell(symbol: str, row: int, column: int, legal: set[str], last: str | None) -> list[str]:
    left, top = _corner(row, column)
    x, y = _centre(row, column)
    inner = 1 <= row <= 8 and 1 <= column <= 8
    parts = []
    if inner:
        parts.append(rect(left, top, _CELL, _CELL, "none", stroke="#1f5a41", stroke_width=1))
    if symbol == "#":
        parts.append(rect(left + 3, top + 3, _CELL - 6, _CELL - 6, "#6b6b6b", rx=3))
        parts.append(rect(left + 3, top + _CELL / 2 - 1, _CELL - 6, 2, "#8d8d8d"))
        parts.append(rect(x - 1, top + 3, 2, _CELL / 2 - 4, "#8d8d8d"))
    elif symbol == "+":
        parts.append(circle(x, y, _CELL * 0.33, "#3d7dd8", stroke="#f4f1ea", stroke_width=2))
        parts.append(text(x, y + 5, "+3", 14, "#ffffff", font_weight="bold"))
    elif symbol == "J":
        parts.append(rect(left + 5, top + 5, _CELL - 10, _CELL - 10, "#c0392b", rx=4))
        parts.append(polygon(_star(x, y, _CELL * 0.26), "#ffffff"))
    elif symbol in "XO":
        fill, edge = ("#161616", "#000000") if symbol == "X" else ("#fbfbf8", "#7a7a72")
        parts.append(circle(x, y, _CELL * 0.41, fill, stroke=edge, stroke_width=1.5))
    if inner and _name(row, column) == last:
        parts.append(circle(x, y, _CELL * 0.12, "#e0a100"))
    if inner and _name(row, column) in legal:
        if symbol == ".":
            parts.append(circle(x, y, _CELL * 0.11, "#f4f1ea", fill_opacity=0.75))
        else:
            parts.append(
                circle(
                    x,
                    y,
                    _CELL * 0.42,
                    "none",
                    stroke="#f4f1ea",
                    stroke_width=2,
                    stroke_dasharray="4 3",
                )
            )
    return parts


def _star(x: float, y: float, radius: float) -> list[tuple[float, float]]:
    corners = []
    for n in range(10):
        reach = radius if n % 2 == 0 else radius * 0.45
        angle = math.pi * (n / 5 - 0.5)
        corners.append(
            (round(x + reach * math.cos(angle), 2), round(y + reach * math.sin(angle), 2))
        )
    return corners


def _foot(view: dict[str, Any]) -> list[str]:
    y = _SIZE + 16
    parts = []
    for n, (colour, fill) in enumerate((("black", "#161616"), ("white", "#fbfbf8"))):
        seat = view["colours"][colour]
        who = "" if seat is None else f" (seat {seat})"
        bonuses = view["taken"][colour]
        taken = f" ({bonuses} bonus{'es' * (bonuses > 1)})" if bonuses else ""
        x = _SIZE * (0.05 + 0.47 * n)
        parts.append(circle(x, y - 5, 9, fill, stroke="#7a7a72"))
        points = f"{colour}{who}: {view['score'][colour]}{taken}"
        parts.append(text(x + 15, y, points, 13, "#222222", anchor="start"))
    parts.append(text(_SIZE / 2, y + 30, _caption(view), 15, "#222222", font_weight="bold"))
    return parts


def _caption(view: dict[str, Any]) -> str:
    match = view["match"]
    game = f"Mapello, game {match['game']} of {match['games']}" if match["games"] > 1 else "Mapello"
    seat = view["to_act"]
    if view["phase"] == "over":
        first, second = view["returns"]
        result = "a draw" if first == second else f"seat {0 if first > second else 1} wins"
        return f"{game}: over, {result}"
    doing = {"set_up": "sets up", "colour": "picks a colour", "play": f"({view['turn']}) to move"}
    return f"{game}: seat {seat} {doing[view['phase']]}"
