"""Domino tiles, the squares of Domiphun, and the station cards of Metro Domino."""

from __future__ import annotations

from adjoin.classroom.paper.area_marks import AreaMark
from adjoin.classroom.paper.grids import POKER, Card, Grid, card_pages
from adjoin.classroom.paper.sheets import Sheets, blank, finished
from adjoin.data.stations import Line, Station, Stations
from adjoin.drawing.colours import FAINT, INK, SOFT, WHITE
from adjoin.drawing.sheet import Box, Boxes, Circles, Drawing

SQUARES_EACH, HIGHEST = 8, 6
"""How many squares of each value Domiphun has, and the highest value (DOMI-1)."""

PIPS = (
    (),
    ((1, 1),),
    ((0, 0), (2, 2)),
    ((0, 0), (1, 1), (2, 2)),
    ((0, 0), (0, 2), (2, 0), (2, 2)),
    ((0, 0), (0, 2), (1, 1), (2, 0), (2, 2)),
    ((0, 0), (0, 1), (0, 2), (2, 0), (2, 1), (2, 2)),
    ((0, 0), (0, 1), (0, 2), (1, 1), (2, 0), (2, 1), (2, 2)),
    ((0, 0), (0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1), (2, 2)),
    ((0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (2, 0), (2, 1), (2, 2)),
)
"""Where the pips of a value are, by column and row."""

_SQUARE, _HALF = 24.0, 22.0
_EDGE = 4.0
_DARK = "#33475b"
_LONGEST = 12
"""The longest line that is drawn tile by tile."""


def domino_squares(*, page: str = "A4") -> Sheets:
    """Return the 56 squares of Domiphun, a row for each value, with cut marks.

    >>> domino_squares()
    <Sheets domino squares: 1 page>
    """
    cards = []
    for value in range(HIGHEST + 1):
        square = Drawing(_SQUARE, _SQUARE)
        _half(square, Box(0, 0, _SQUARE, _SQUARE), value)
        cards += [Card(str(value), square)] * SQUARES_EACH
    return _finished("domino squares", page, cards)


def domino_tiles(highest: int = 9, *, page: str = "A4") -> Sheets:
    """Return a set of dominoes, every pair of values once, with cut marks.

    The double-nine set is that of Metro Domino, the double-six set the usual one.

    >>> domino_tiles(), domino_tiles(6)
    (<Sheets double-9 dominoes: 2 pages>, <Sheets double-6 dominoes: 1 page>)
    """
    if isinstance(highest, bool) or not isinstance(highest, int) or not 1 <= highest < len(PIPS):
        most = len(PIPS) - 1
        raise ValueError(f"highest = {highest!r}: must be a whole number from 1 to {most}")
    cards = []
    for small in range(highest + 1):
        for large in range(small, highest + 1):
            tile = Drawing(2 * _HALF, _HALF)
            _half(tile, Box(0, 0, _HALF, _HALF), small)
            _half(tile, Box(_HALF, 0, _HALF, _HALF), large)
            tile.line((_HALF, 2.5), (_HALF, _HALF - 2.5), width=0.4)
            cards.append(Card(f"{small}-{large}", tile))
    return _finished(f"double-{highest} dominoes", page, cards)


def station_cards(
    stations: str | Stations = "new-york",
    *,
    page: str = "A4",
    backs: bool = False,
    edge: str = "long",
) -> Sheets:
    """Return the station cards of Metro Domino, nine a page, the start station first.

    >>> station_cards()
    <Sheets station cards, new-york: 2 pages>
    """
    whole = stations if isinstance(stations, Stations) else Stations.load(stations)
    is_start = [True] + [False] * (len(whole) - 1)
    pairs = zip(whole, is_start, strict=True)
    cards = [Card(station.name, _station(station, first)) for station, first in pairs]
    behind = [Card("back", _back())] * len(cards) if backs else []
    pages = card_pages(page, cards, behind, edge)
    left = Grid.on(blank(page), *POKER).left
    return finished(f"station cards, {whole.name}", pages, edge=left + 3)


def _finished(title: str, page: str, cards: list[Card]) -> Sheets:
    pages = card_pages(page, cards)
    size = cards[0].drawing
    return finished(title, pages, edge=Grid.on(pages[0], size.width, size.height).left + 3)


def _half(drawing: Drawing, box: Box, value: int) -> None:
    """Draw the pips of a value, and in a corner the value itself."""
    step = box.wide * 0.24
    x, y = box.centre
    pips = tuple((x + (column - 1) * step, y + (row - 1) * step) for column, row in PIPS[value])
    if pips:
        drawing.add(Circles(pips, box.wide * 0.075, INK))
    corner = Box(box.x + 1, box.y + 0.8, 4, 3)
    drawing.label(corner, str(value), 7, 6, colour=SOFT, anchor="start")


# Stations.


def _station(station: Station, is_start: bool) -> Drawing:
    card = Drawing(*POKER)
    area = Box(0, 0, *POKER).inner(_EDGE)
    head = Box(area.x, area.y, area.wide, 20)
    card.box(head, _DARK if is_start else WHITE, INK, 0.6, 2)
    ink = WHITE if is_start else INK
    card.block(
        head.inner(2), station.name, 20, 9, bold=True, colour=ink, anchor="middle", is_centred=True
    )
    room = area.high - head.high - 4
    high = min(22.0, room / len(station.lines))
    for number, line in enumerate(station.lines):
        box = Box(area.x, head.bottom + 3 + number * high, area.wide, high)
        _line(card, box, "ABCDEFGHI"[number], line)
    return card


def _line(card: Drawing, box: Box, letter: str, line: Line) -> None:
    radius = min(3.2, box.high * 0.3)
    x, y = box.x + radius, box.y + radius + 0.6
    card.circle(x, y, radius, INK)
    badge = Box(x - radius, y - radius, 2 * radius, 2 * radius)
    card.label(badge, letter, 11, 5, bold=True, colour=WHITE)
    left = badge.right + 2
    if line.length <= _LONGEST:
        wide = min(7.6, (box.right - left) / line.length)
        tiles = (
            Box(left + n * wide, y - wide / 4, wide - 0.6, wide / 2) for n in range(line.length)
        )
        card.add(Boxes(tuple(tiles), None, INK, 0.25))
    else:
        room = Box(left, y - 2, box.right - left, 4)
        card.label(room, f"{line.length} tiles", 10, 6, anchor="start")
    words = [f"{line.length} tiles" if line.length > 1 else "1 tile"]
    words += [f"none below {line.min}"] if line.min is not None else []
    words += [f"none above {line.max}"] if line.max is not None else []
    words += ["no doubles"] if line.no_doubles else []
    foot = Box(left, y + radius, box.right - left, min(4.4, box.bottom - y - radius))
    card.label(foot, ", ".join(words), 10, 5, anchor="start")


def _back() -> Drawing:
    card = Drawing(*POKER)
    area = Box(0, 0, *POKER).inner(_EDGE)
    card.box(area, None, SOFT, 0.4, 2)
    AreaMark("", "", _DARK, 2).hatch(card, area.inner(6), FAINT)
    middle = Box(area.x + 8, area.centre[1] - 8, area.wide - 16, 16)
    card.box(middle, WHITE)
    card.label(middle.inner(2), "station", 16, 8, bold=True, colour=SOFT)
    return card
