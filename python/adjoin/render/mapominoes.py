"""The table of Mapominoes: the cards with their nations' colours, what fits, the hands."""

from __future__ import annotations

from typing import Any

from adjoin.render.draw import INK, PAPER, SOFT, document, rect, text, winners

_CARD = 76
_HEIGHT = 46
_GAP = 4
_EDGE = 30
_LINE = 20
_MIN_WIDTH = 640
_PALETTE = ("#c6dbef", "#fdd0a2", "#c7e9c0", "#dadaeb", "#fccde5", "#ffed9f", "#ccebc5", "#d9d9d9")
_TRANSIT = "#3b4f63"


def svg(view: dict[str, Any]) -> str:
    """Return the picture of a view."""
    cards = _cards(view)
    rows = _span([card["row"] for card in cards], view["table"]["rows"])
    columns = _span([card["column"] for card in cards], view["table"]["columns"])
    colours = _colours(view, cards)
    foot = _foot(view)
    width = max(_MIN_WIDTH, 2 * _EDGE + len(columns) * (_CARD + _GAP))
    top = _EDGE + len(rows) * (_HEIGHT + _GAP) + 16
    height = top + _LINE * (len(foot) + 1) + 8
    parts = [rect(0, 0, width, height, PAPER)]
    legal = set(view["legal"])
    taken = {(card["row"], card["column"]) for card in cards}
    for i, row in enumerate(rows):
        y = _EDGE + i * (_HEIGHT + _GAP)
        parts.append(text(_EDGE / 2, y + _HEIGHT / 2 + 5, str(row + 1), 13, SOFT))
        for j, column in enumerate(columns):
            x = _EDGE + j * (_CARD + _GAP)
            if i == 0:
                parts.append(text(x + _CARD / 2, _EDGE - 9, _letters(column), 13, SOFT))
            if (row, column) not in taken:
                parts += _free(x, y, f"{_letters(column)}{row + 1}" in legal)
    for card in cards:
        x = _EDGE + (card["column"] - columns[0]) * (_CARD + _GAP)
        y = _EDGE + (card["row"] - rows[0]) * (_HEIGHT + _GAP)
        parts += _card(card, x, y, colours, card["cell"] == view.get("last"))
    parts += _legend(colours, _EDGE, top)
    for n, (line, weight) in enumerate(foot):
        y = top + _LINE * (n + 1) + 8
        parts.append(text(_EDGE, y, line, 14, INK, anchor="start", font_weight=weight))
    return document(width, height, foot[0][0], parts)


def _cards(view: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the cards that lie on the table, and the one that waits for its follower."""
    waiting = view["waiting"]
    return [*view["table"]["cards"], *([waiting | {"waits": True}] if waiting else [])]


def _span(numbers: list[int], limit: int) -> list[int]:
    return list(range(max(0, min(numbers) - 1), min(limit, max(numbers) + 2)))


def _letters(column: int) -> str:
    tens, ones = divmod(column, 26)
    return (chr(64 + tens) if tens else "") + chr(65 + ones)


def _colours(view: dict[str, Any], cards: list[dict[str, Any]]) -> dict[str, str]:
    """Return the colours of the nations on the table, the same in every picture of an atlas."""
    shown = {card["nation"] for card in cards if card["kind"] == "county"}
    colours = {nation: _PALETTE[n % len(_PALETTE)] for n, nation in enumerate(view["nations"])}
    return {nation: colour for nation, colour in colours.items() if nation in shown}


def _free(x: float, y: float, legal: bool) -> list[str]:
    if not legal:
        return [rect(x, y, _CARD, _HEIGHT, "none", rx=5, stroke="#ddd6c8")]
    dashed = {"stroke": _TRANSIT, "stroke_width": 2, "stroke_dasharray": "5 4"}
    return [rect(x, y, _CARD, _HEIGHT, "#ffffff", rx=5, **dashed)]


def _card(
    card: dict[str, Any], x: float, y: float, colours: dict[str, str], last: bool
) -> list[str]:
    transit = card["kind"] == "transit"
    fill = _TRANSIT if transit else colours.get(card["nation"], "#ffffff")
    edge = {"stroke": "#d1495b" if last else INK, "stroke_width": 3 if last else 1}
    if card.get("waits"):
        edge["stroke_dasharray"] = "5 4"
    ink = "#ffffff" if transit else INK
    label = card["abbreviation"]
    size = 14 if len(label) <= 9 else 10
    parts = [rect(x, y, _CARD, _HEIGHT, fill, rx=5, **edge)]
    if transit:
        parts.append(text(x + _CARD / 2, y + 15, "transit", 10, ink, font_style="italic"))
    lines = _fold(label)
    first = y + _HEIGHT / 2 + (10 if transit else 5) - 5 * (len(lines) - 1)
    for n, line in enumerate(lines):
        parts.append(text(x + _CARD / 2, first + 11 * n, line, size, ink))
    return parts


def _fold(label: str) -> list[str]:
    """Break a long name in two."""
    words = label.split()
    if len(label) <= 13 or len(words) == 1:
        return [label[:14]]
    half = (len(words) + 1) // 2
    return [" ".join(words[:half])[:15], " ".join(words[half:])[:15]]


def _legend(colours: dict[str, str], x: float, y: float) -> list[str]:
    parts = []
    for nation, colour in colours.items():
        parts.append(rect(x, y - 10, 12, 12, colour, stroke=INK))
        parts.append(text(x + 18, y, nation, 12, SOFT, anchor="start"))
        x += 40 + 7 * len(nation)
    return parts


def _foot(view: dict[str, Any]) -> list[tuple[str, str]]:
    lines = [(_caption(view), "bold")]
    for seat, hand in enumerate(view["hands"]):
        points = view["points"][seat]
        lines.append(
            (
                f"seat {seat}: {hand['counties']} county cards, {hand['transit']} transit, "
                f"{points} point{'' if points == 1 else 's'}",
                "normal",
            )
        )
    return lines


def _caption(view: dict[str, Any]) -> str:
    if view["to_act"] is None:
        return f"Mapominoes: over, {winners(view['returns'])} with {min(view['points'])} points"
    doing = {
        "go": "has a go",
        "place": "chooses a cell",
        "place_transit": "chooses a cell for a transit card",
        "follow": "chooses the county that follows",
        "place_follow": "chooses a cell",
        "challenge": "may challenge",
    }[view["phase"]]
    return f"Mapominoes: seat {view['to_act']} {doing}; round {view['round']} of {view['rounds']}"
