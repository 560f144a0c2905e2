"""Mapello: the board with its ring, pieces, discs and moves; who has what."""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

from adjoin.render.draw import (
    INK,
    PAPER,
    SOFT,
    Point,
    badge,
    circle,
    document,
    ending,
    line,
    placed,
    polygon,
    rect,
    text,
)

_CELL = 44
_EDGE = 26
_SIZE = 10 * _CELL + 2 * _EDGE
_LEFT = 20
_MARK = "#e69f00"
_BOARD, _RING, _LINES = "#2f7d5b", "#d9d2c3", "#1f5a41"
_PIECES = {"wall": "#", "bonus": "+", "joker": "J"}
_DISCS = {"X": ("#161616", "#000000"), "O": ("#fbfbf8", "#7a7a72")}
_KEY = (
    "brick: wall; +3 in a diamond: bonus; star: joker, a disc of whoever moves",
    "orange with a plus: can be played; frame: played last",
)


def svg(view: dict[str, Any]) -> str:
    """Return the picture of a view."""
    parts = _board(view)
    y = _SIZE + 10
    parts.append(text(_LEFT, y, _caption(view), 15, INK, "start", font_weight="bold"))
    for words in _facts(view):
        y += 20
        parts.append(text(_LEFT, y, words, 13, INK, "start"))
    y += 14
    if view["phase"] in ("set_up", "colour"):
        parts += _pieces(view, y) if view["phase"] == "set_up" else _colours(view, y)
        y += 52
    for seat in range(2):
        parts += _seat(view, seat, y)
        y += 30
    for words in _KEY:
        y += 15
        parts.append(text(_LEFT, y, words, 11, SOFT, "start"))
    height = y + 20
    paper = rect(0, 0, _SIZE, height, PAPER)
    return document(_SIZE, height, _caption(view), [paper, *parts])


# The board.


def _board(view: dict[str, Any]) -> list[str]:
    parts = [rect(_EDGE, _EDGE, 10 * _CELL, 10 * _CELL, _RING, rx=8)]
    for n, letter in enumerate("abcdefgh", 1):
        x, y = _centre(n, n)
        parts.append(text(x, _EDGE - 8, letter, 14, INK))
        parts.append(text(_EDGE / 2, y + 5, str(n), 14, INK))
    legal = {action.rpartition(" ")[2] for action in view["legal"]}
    shown = _shown(view)
    for row in shown:
        for column in shown:
            name, symbol = _name(row, column), view["cells"][row][column]
            cell = _cell(view, row, column)
            if name in legal:
                cell += _mark(symbol, *_centre(row, column), view["phase"] == "set_up")
            if "," in name and view["phase"] != "set_up":
                parts += cell
            else:
                parts.append(placed(view, f"cell {name}", cell))
    return parts + _last(view)


def _shown(view: dict[str, Any]) -> range:
    """Return the rows and columns to draw: a smaller board has no ring (MAPE-20)."""
    half = view["size"] // 2
    return range(10) if half == 4 else range(5 - half, 5 + half)


def _name(row: int, column: int) -> str:
    """Return what actions call a cell."""
    inner = 1 <= row <= 8 and 1 <= column <= 8
    return f"{'abcdefgh'[column - 1]}{row}" if inner else f"{row},{column}"


def _centre(row: int, column: int) -> Point:
    return _EDGE + (column + 0.5) * _CELL, _EDGE + (row + 0.5) * _CELL


def _cell(view: dict[str, Any], row: int, column: int) -> list[str]:
    x, y = _centre(row, column)
    name, symbol = _name(row, column), view["cells"][row][column]
    box = (x - _CELL / 2, y - _CELL / 2, _CELL, _CELL)
    if "," not in name:
        parts = [rect(*box, _BOARD, stroke=_LINES)]
    elif view["phase"] == "set_up":
        parts = [rect(*box, _RING, rx=8, stroke="#c4bba7")]
        if symbol == ".":
            parts.append(text(x, y + 14, name, 11, SOFT))
    else:
        parts = []
    return parts + _symbol(symbol, x, y)


def _symbol(symbol: str, x: float, y: float) -> list[str]:
    """Return a piece or a disc: each has a shape of its own."""
    if symbol == "#":
        return _wall(x - 19, y - 19)
    if symbol == "+":
        around = [(x, y - 20), (x + 20, y), (x, y + 20), (x - 20, y)]
        return [
            polygon(around, "#3d7dd8", stroke=PAPER, stroke_width=2, stroke_linejoin="round"),
            text(x, y + 5, "+3", 15, "#ffffff", font_weight="bold"),
        ]
    if symbol == "J":
        return [
            rect(x - 17, y - 17, 34, 34, "#c0392b", rx=4),
            polygon(_star(x, y, 13), "#ffffff"),
        ]
    if symbol in _DISCS:
        fill, edge = _DISCS[symbol]
        return [circle(x, y, 18, fill, stroke=edge, stroke_width=1.5)]
    return []


def _wall(left: float, top: float) -> list[str]:
    parts = [rect(left, top, 38, 38, "#e5e0d6", rx=2, stroke=INK)]
    for course, bricks in enumerate(((0, 19), (0, 9.5, 28.5), (0, 19))):
        for brick, end in zip(bricks, (*bricks[1:], 38), strict=True):
            at = left + brick + 1.5, top + course * 12.3 + 1.5
            parts.append(rect(*at, end - brick - 3, 10.4, "#6b6b6b"))
    return parts


def _star(x: float, y: float, radius: float) -> list[Point]:
    spokes = [(math.pi * n / 5, radius if n % 2 == 0 else 0.45 * radius) for n in range(10)]
    return [
        (round(x + r * math.sin(turn), 2), round(y - r * math.cos(turn), 2)) for turn, r in spokes
    ]


def _mark(symbol: str, x: float, y: float, is_set_up: bool) -> list[str]:
    """Return the mark of a cell that can be played on."""
    if is_set_up:
        return [circle(x, y, 3, _MARK)]
    if symbol == ".":
        return _plus(x, y, 9)
    return _plus(x + 13, y + 13, 7)


def _plus(x: float, y: float, radius: float) -> list[str]:
    arm = radius * 0.55
    return [
        circle(x, y, radius, _MARK, data_legal="plus"),
        line([(x - arm, y), (x + arm, y)], INK, 2),
        line([(x, y - arm), (x, y + arm)], INK, 2),
    ]


def _last(view: dict[str, Any]) -> list[str]:
    """Return a frame around what the last decision put on the board."""
    piece, _, name = (view.get("last") or "").rpartition(" ")
    symbols = _PIECES.get(piece, "XO")
    for row in range(10):
        for column in range(10):
            if _name(row, column) == name and view["cells"][row][column] in symbols:
                x, y = _centre(row, column)
                box = (x - 20.5, y - 20.5, 41, 41, "none")
                return [
                    rect(*box, rx=3, stroke=INK, stroke_width=5, data_last=name),
                    rect(*box, rx=3, stroke="white", stroke_width=2),
                ]
    return []


# Below the board.


def _pieces(view: dict[str, Any], y: float) -> list[str]:
    """Return the kinds of pieces to set up, with how many of each are on the board."""
    kinds = {action.partition(" ")[0] for action in view["legal"]}
    shown = _shown(view)
    board = Counter(view["cells"][row][column] for row in shown for column in shown)
    parts = []
    for n, (piece, symbol) in enumerate(_PIECES.items()):
        x, middle = _LEFT + 22 + 156 * n, y + 24
        some = piece in kinds
        cell = [rect(x - 22, y + 2, 150, 44, PAPER), *_symbol(symbol, x, middle)]
        cell += _plus(x + 14, middle + 14, 7) if some else []
        cell.append(text(x + 28, middle, piece, 13, INK, "start", font_weight="bold"))
        missing, left = view["missing"][piece], view["left"][piece]
        words = f"{board[symbol]} placed, {f'{missing} needed' if missing else f'{left} left'}"
        cell.append(text(x + 28, middle + 15, words, 11, SOFT, "start"))
        parts.append(placed(view, f"piece {piece}", cell))
    return parts


def _colours(view: dict[str, Any], y: float) -> list[str]:
    """Return the colours to pick from."""
    parts = []
    for n, (colour, symbol) in enumerate((("black", "X"), ("white", "O"))):
        x, middle = _LEFT + 22 + 156 * n, y + 24
        shown = [rect(x - 22, y + 2, 150, 44, PAPER), *_symbol(symbol, x, middle)]
        shown += _plus(x + 14, middle + 14, 7)
        shown.append(text(x + 28, middle + 5, colour, 13, INK, "start", font_weight="bold"))
        parts.append(placed(view, f"colour {colour}", shown))
    return parts


def _seat(view: dict[str, Any], seat: int, y: float) -> list[str]:
    """Return the line of a seat: its colour, discs, bonuses and points."""
    parts = badge(seat, _LEFT + 10, y + 12)
    words, x = f"seat {seat}", _LEFT + 28
    for colour, symbol in (("black", "X"), ("white", "O")):
        if view["colours"][colour] == seat:
            score, bonuses = view["score"][colour], view["taken"][colour]
            fill, edge = _DISCS[symbol]
            parts.append(circle(x + 9, y + 12, 9, fill, stroke=edge, data_seat=seat))
            words += f", {colour}: discs {score - 3 * bonuses}, bonuses {bonuses}, points {score}"
            x += 26
    weight = "bold" if seat == view["to_act"] else "normal"
    return [*parts, text(x, y + 17, words, 13, INK, "start", font_weight=weight)]


def _facts(view: dict[str, Any]) -> list[str]:
    facts = []
    others = [action for action in view["legal"] if action in ("pass", "finish")]
    if others:
        facts.append(f"possible: {', '.join(others)}")
    match = view["match"]
    if match["games"] > 1:
        wins, points = (":".join(map(str, match[name])) for name in ("wins", "points"))
        facts.append(f"game {match['game']} of {match['games']}, won {wins}, points {points}")
    return ["; ".join(facts)] * bool(facts)


def _caption(view: dict[str, Any]) -> str:
    seat = view["to_act"]
    if view["phase"] == "over":
        return f"Mapello: {ending(view['returns'])}"
    doing = {"set_up": "sets up", "colour": "picks a colour", "play": f"({view['turn']}) to move"}
    return f"Mapello: seat {seat} {doing[view['phase']]}"
