"""The picture of Ladder, drawn from its view: what `adjoin/render/ladder.py` would be."""

from __future__ import annotations

from typing import Any

from adjoin.render.draw import INK, PAPER, badge, document, place, rect, text

_CARD, _STEP, _EDGE = (40, 56), 50, 20
_LEGAL = "#e69f00"


def svg(view: dict[str, Any]) -> str:
    """Return the picture: the cards that lie, then a row for each seat."""
    parts = [text(_EDGE, 28, "Ladder", 16, INK, anchor="start", font_weight="bold")]
    for column, card in enumerate(view["laid"]):
        parts += _card(column, 40, str(card))
    for seat, hand in enumerate(view["hands"]):
        top = 120 + 70 * seat
        parts += badge(seat, _EDGE + 10, top + _CARD[1] / 2)
        for column in range(hand["count"]):
            # Hidden cards have a back and no place.
            name = str(hand["cards"][column]) if hand["cards"] else ""
            card = _card(column + 1, top, name, is_legal=name in view["legal"])
            parts += [place(f"card {name}", card)] if seat == view["viewer"] else card
    width, height = 2 * _EDGE + 8 * _STEP, 130 + 70 * len(view["hands"])
    return document(width, height, "Ladder", [rect(0, 0, width, height, PAPER), *parts])


def _card(column: int, y: float, name: str, is_legal: bool = False) -> list[str]:
    x = _EDGE + column * _STEP
    edge = {"stroke": _LEGAL, "stroke_width": 4} if is_legal else {"stroke": INK}
    box = rect(x, y, *_CARD, "#ffffff" if name else "#8a8a8a", rx=5, **edge)
    return [box, text(x + _CARD[0] / 2, y + 36, name, 20, INK)]
