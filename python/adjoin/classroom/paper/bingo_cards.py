"""Bingo with regions: cards that differ, and the list of whoever calls."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import comb

from adjoin.classroom.chance import Chance
from adjoin.classroom.paper.selection import as_list, chosen, filtered, opened
from adjoin.classroom.paper.sheets import MARGIN, Sheets, blank, finished
from adjoin.data.atlas import Atlas, Region, Water
from adjoin.drawing.colours import FAINT, INK, SOFT
from adjoin.drawing.sheet import Box, Drawing
from adjoin.support.wording import count, listed

_SIZES = (3, 4, 5)
_MOST = 200
_A_PAGE = 2
_ROW = 6.6


def bingo(
    atlas: str | Atlas = "uk-counties",
    *,
    nations: str | Iterable[str] | None = None,
    cards: int = 30,
    size: int = 4,
    seed: int | str = 1,
    page: str = "A4",
) -> Sheets:
    """Return bingo cards, no two with the same regions, and last the list for the caller.

    The list has the regions in the order of the draw, with their borders and seas, which can be
    read out instead of the name. The same seed gives the same cards and the same draw.

    >>> bingo(cards=12, nations="England")
    <Sheets bingo, counties of England: 8 pages>
    """
    whole = opened(atlas)
    nations = as_list(nations)
    regions = chosen(whole, nations)
    _check(whole, regions, cards, size)
    many = whole.noun[1]
    title = f"bingo, {many}" + (f" of {listed(filtered(whole, nations))}" if nations else "")
    chance = Chance(f"bingo {seed}")
    hands = _hands(chance, regions, cards, size * size)
    draw = chance.shuffled(regions)
    pages = []
    for first in range(0, cards, _A_PAGE):
        drawing = blank(page)
        high = drawing.height / _A_PAGE
        for number, hand in enumerate(hands[first : first + _A_PAGE], first + 1):
            area = Box(
                MARGIN, (number - first - 1) * high + 10, drawing.width - 2 * MARGIN, high - 20
            )
            drawing.put(_card(area, title, number, hand, size), area.x, area.y, f"card {number}")
        drawing.line((5, high), (drawing.width - 5, high), colour=FAINT, dash=2)
        pages.append(drawing)
    pages += _calls(page, whole, title, draw, _first(hands, draw, size))
    return finished(title, pages, f"seed {seed}")


def _check(atlas: Atlas, regions: Sequence[Region], cards: int, size: int) -> None:
    if isinstance(size, bool) or size not in _SIZES:
        raise ValueError(f"size = {size!r}: must be one of {', '.join(map(str, _SIZES))}")
    if isinstance(cards, bool) or not isinstance(cards, int) or not 1 <= cards <= _MOST:
        raise ValueError(f"cards = {cards!r}: must be a whole number from 1 to {_MOST}")
    fields, one = size * size, atlas.noun
    there = f"{len(regions)} {one[len(regions) != 1]}"
    if len(regions) < fields:
        raise ValueError(
            f"a bingo card of {size} by {size} needs {fields} {one[1]}, here are {there}"
        )
    if comb(len(regions), fields) < cards:
        most = comb(len(regions), fields)
        raise ValueError(
            f"{count(cards, 'card')}: {there} make only {count(most, 'different card')}"
        )


def _hands(
    chance: Chance, regions: Sequence[Region], cards: int, fields: int
) -> list[list[Region]]:
    hands: list[list[Region]] = []
    seen: set[frozenset[str]] = set()
    while len(hands) < cards:
        hand = chance.sample(regions, fields)
        key = frozenset(region.id for region in hand)
        if key not in seen:
            seen.add(key)
            hands.append(hand)
    return hands


def _card(area: Box, title: str, number: int, hand: Sequence[Region], size: int) -> Drawing:
    card = Drawing(area.wide, area.high)
    words = title[:1].upper() + title[1:]
    card.label(Box(0, 0, area.wide - 30, 8), words, 15, 8, bold=True, anchor="start")
    card.label(Box(area.wide - 28, 0, 28, 8), f"card {number}", 11, 8, colour=SOFT, anchor="end")
    wide, high = area.wide / size, (area.high - 10) / size
    for place, region in enumerate(hand):
        row, column = divmod(place, size)
        box = Box(column * wide, 10 + row * high, wide, high)
        card.box(box, None, INK, 0.3)
        room = box.inner(1.5)
        card.block(room, region.name, 14, 6, bold=True, anchor="middle", is_centred=True)
    return card


def _first(
    hands: Sequence[Sequence[Region]], draw: Sequence[Region], size: int
) -> tuple[int, list[int]]:
    """Return with which call a line is full for the first time, and on which cards."""
    called = {region.id: number for number, region in enumerate(draw, 1)}
    full = []
    for hand in hands:
        when = [called[region.id] for region in hand]
        rows = [when[n * size : (n + 1) * size] for n in range(size)]
        columns = [when[n::size] for n in range(size)]
        across = [when[:: size + 1], when[size - 1 : -1 : size - 1]]
        full.append(min(max(line) for line in rows + columns + across))
    return min(full), [n for n, call in enumerate(full, 1) if call == min(full)]


def _calls(
    page: str, atlas: Atlas, title: str, draw: Sequence[Region], first: tuple[int, list[int]]
) -> list[Drawing]:
    pages: list[Drawing] = []
    y = 0.0
    drawing = blank(page)
    area = Box(MARGIN, MARGIN - 3, drawing.width - 2 * MARGIN, drawing.height - 2 * MARGIN)
    for number, region in enumerate(draw, 1):
        if not pages or y + _ROW > area.bottom:
            drawing = blank(page)
            pages.append(drawing)
            head = Box(area.x, area.y, area.wide, 8)
            words = f"For the caller: {title}"
            drawing.label(head, words, 15, 8, bold=True, anchor="start")
            y = head.bottom + 2
            if len(pages) == 1:
                y = _hint(drawing, Box(area.x, y, area.wide, 12), first) + 2
        drawing.box(Box(area.x, y + 1.2, 3.6, 3.6), None, INK, 0.25)
        drawing.label(Box(area.x + 5, y, 8, _ROW), str(number), 9, 6, colour=SOFT, anchor="end")
        name = Box(area.x + 15, y, 46, _ROW)
        drawing.label(name, region.name, 11, 6, bold=True, anchor="start")
        room = Box(name.right + 2, y + 0.3, area.right - name.right - 2, _ROW - 0.6)
        drawing.block(room, _clue(atlas, region), 9, 5, is_centred=True)
        drawing.line((area.x, y + _ROW), (area.right, y + _ROW), colour=FAINT, width=0.1)
        y += _ROW
    return pages


def _hint(drawing: Drawing, box: Box, first: tuple[int, list[int]]) -> float:
    call, cards = first
    winners = f"card {cards[0]}" if len(cards) == 1 else f"cards {listed(list(map(str, cards)))}"
    texts = [
        "Call from the top and tick. Read the name, or only the borders and seas. A full row, "
        "column or diagonal wins.",
        f"In this order the first full line comes with call {call}, on {winners}.",
    ]
    return drawing.block(box, texts, 10, 7, colour=SOFT)


def _clue(atlas: Atlas, region: Region) -> str:
    near = [other.name for other in atlas.borders(region)]
    waters = [atlas.water(water) for water in region.waters]
    touched = [f"the {w.name}" if _has_article(w) else w.name for w in waters]
    parts = [f"borders {listed(near)}" if near else "borders none"]
    return "; ".join(parts + ([f"touches {listed(touched)}"] if touched else []))


def _has_article(water: Water) -> bool:
    return water.kind == "sea" or water.name.startswith("Republic ")
