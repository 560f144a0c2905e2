"""The lines of Metro Domino as they grow: a track a line, tiles with pips, stations at the ends."""

from __future__ import annotations

from typing import Any

from adjoin.render.draw import (
    HALF,
    INK,
    PAPER,
    SEATS,
    SOFT,
    circle,
    document,
    rect,
    text,
    tile,
    winners,
)

_ROW = 40
_EDGE = 20
_NAME = 190
_LINES = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7f6aa8", "#8c6d46")


def svg(view: dict[str, Any]) -> str:
    """Return the picture of a view."""
    lines = [line for line in view["lines"] if line["state"] != "waiting"]
    longest = max(line["length"] for line in lines)
    width = max(640, _EDGE + _NAME + longest * (2 * HALF + 6) + 190)
    seats = _seats(view)
    height = _EDGE + len(lines) * _ROW + 20 + sum(seat_height for _, seat_height in seats) + 34
    parts = [rect(0, 0, width, height, PAPER)]
    y = float(_EDGE)
    for number, line in enumerate(view["lines"]):
        if line["state"] != "waiting":
            parts += _line(view, line, _LINES[number % len(_LINES)], y)
            y += _ROW
    y += 24
    parts.append(text(_EDGE, y, _caption(view), 15, INK, anchor="start", font_weight="bold"))
    y += 12
    for seat_parts, seat_height in seats:
        parts.append(f'<g transform="translate(0 {y:g})">{"".join(seat_parts)}</g>')
        y += seat_height
    return document(width, height, _caption(view), parts)


def _line(view: dict[str, Any], line: dict[str, Any], colour: str, y: float) -> list[str]:
    middle = y + _ROW / 2
    step = 2 * HALF + 6
    begin = _EDGE + _NAME
    end = begin + line["length"] * step
    faint = 0.35 if line["state"] == "open" else 1
    parts = [rect(begin - 14, middle - 3, end - begin + 22, 6, colour, rx=3, opacity=faint)]
    limits = [
        *([f"Min{line['min']}"] if line["min"] is not None else []),
        *([f"Max{line['max']}"] if line["max"] is not None else []),
        *(["no doubles"] if line["no_doubles"] else []),
    ]
    parts.append(text(_EDGE, middle - 2, line["name"], 13, INK, anchor="start"))
    parts.append(text(_EDGE, middle + 12, " ".join(limits), 10, SOFT, anchor="start"))
    parts.append(circle(begin - 14, middle, 7, "#ffffff", stroke=colour, stroke_width=3))
    for place in range(line["length"]):
        x = begin + place * step
        if place < len(line["tiles"]):
            parts += tile(line["tiles"][place], x, middle - HALF / 2)
        else:
            box = {"stroke": colour, "stroke_dasharray": "3 3", "rx": 3}
            parts.append(rect(x, middle - HALF / 2, 2 * HALF, HALF, PAPER, **box))
    parts += _end(view, line, colour, end, middle)
    return parts


def _end(view: dict[str, Any], line: dict[str, Any], colour: str, x: float, y: float) -> list[str]:
    if line["leads_to"] is None:
        return [circle(x + 8, y, 7, PAPER, stroke=colour, stroke_width=2, stroke_dasharray="3 3")]
    station = next(one for one in view["stations"] if one["id"] == line["leads_to"])
    owner = station["owner"]
    return [
        circle(x + 8, y, 10, SEATS[owner], stroke=INK, stroke_width=2),
        text(x + 8, y + 4, str(owner), 11, "#ffffff", font_weight="bold"),
        text(x + 24, y + 4, station["name"], 12, INK, anchor="start"),
    ]


def _seats(view: dict[str, Any]) -> list[tuple[list[str], float]]:
    """Return what stands below the lines for each seat, and how high it is."""
    rows: list[tuple[list[str], float]] = []
    for seat, hand in enumerate(view["hands"]):
        words = (
            f"seat {seat}: tiles {hand['tiles']}, tokens {hand['tokens']}, "
            f"stations {hand['stations']}, score {view['scores'][seat]}"
        )
        colour = SEATS[seat]
        parts = [circle(_EDGE + 6, 12, 6, colour), text(_EDGE + 18, 17, words, 13, INK, "start")]
        for number, halves in enumerate(hand["held"]):
            parts += tile(halves, _EDGE + 18 + number % 11 * 52, 24 + number // 11 * 28)
        rows.append((parts, 24 + (len(hand["held"]) + 10) // 11 * 28))
    return rows


def _caption(view: dict[str, Any]) -> str:
    if view["to_act"] is None:
        return f"Metro Domino: over, won by {winners(view['returns'])}"
    doing = {
        "turn": "adds a tile",
        "drawn": "has drawn a tile",
        "extra": "may add one more tile after a double",
        "more": "may spend a metro token",
        "spent": "adds a tile for a token",
    }[view["phase"]]
    rest = f"store {view['store']}, stations left {view['stations_left']}"
    return f"Metro Domino: seat {view['to_act']} {doing}; {rest}"
