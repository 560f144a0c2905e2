"""Cards side by side on pages, with cut marks; fronts and backs that match."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from adjoin.classroom.paper.sheets import blank
from adjoin.drawing.colours import FAINT, INK
from adjoin.drawing.sheet import Box, Drawing, Lines, Point
from adjoin.support.names import choose

POKER = (63.0, 88.0)
"""The size of playing cards in millimetres."""

EDGES = ("long", "short")
"""The edges at which a printer can turn a sheet over."""

_LEAST = 6.0
_MARK = (1.2, 4.2)
"""How far cut marks begin and end from the cards."""


class Card(NamedTuple):
    """A card: its name and what is drawn on it."""

    name: str
    drawing: Drawing


class Grid(NamedTuple):
    """Where cards lie on a page: as many as there is room for, in its middle."""

    columns: int
    rows: int
    wide: float
    high: float
    left: float
    top: float

    @classmethod
    def on(cls, page: Drawing, wide: float, high: float) -> Grid:
        """Return the grid of cards of a size on a page."""
        columns = int((page.width - 2 * _LEAST) / wide)
        rows = int((page.height - 2 * _LEAST) / high)
        left, top = (page.width - columns * wide) / 2, (page.height - rows * high) / 2
        return cls(columns, rows, wide, high, left, top)

    @property
    def num_cards(self) -> int:
        """How many cards a page has."""
        return self.columns * self.rows

    def at(self, number: int, turned_at: str = "") -> Point:
        """Return where a card of a page lies: on the front, or behind it on the back.

        On the back, the columns are mirrored if sheets are turned at the long edge, the rows if
        they are turned at the short edge.
        """
        row, column = divmod(number, self.columns)
        if turned_at == "long":
            column = self.columns - 1 - column
        if turned_at == "short":
            row = self.rows - 1 - row
        return self.left + column * self.wide, self.top + row * self.high


def card_pages(
    page: str, cards: Sequence[Card], backs: Sequence[Card] = (), edge: str = "long"
) -> list[Drawing]:
    """Return pages of cards; with backs, every second page has those of the page before.

    ``edge`` is the edge of the paper at which the printer turns sheets over.
    """
    edge = choose(edge, EDGES, "an edge")
    wide, high = cards[0].drawing.width, cards[0].drawing.height
    grid = Grid.on(blank(page), wide, high)
    pages = []
    for first in range(0, len(cards), grid.num_cards):
        part = slice(first, first + grid.num_cards)
        pages.append(_page(page, grid, cards[part]))
        if backs:
            pages.append(_page(page, grid, backs[part], edge))
    return pages


def _page(page: str, grid: Grid, cards: Sequence[Card], edge: str = "") -> Drawing:
    drawing = blank(page)
    for number, card in enumerate(cards):
        drawing.put(card.drawing, *grid.at(number, edge), card.name, turn=edge == "short")
    boxes = [box for _, box in drawing.cells]
    columns = sorted({round(x, 6) for box in boxes for x in (box.x, box.right)})
    rows = sorted({round(y, 6) for box in boxes for y in (box.y, box.bottom)})
    area = Box(columns[0], rows[0], columns[-1] - columns[0], rows[-1] - rows[0])
    near, far = _MARK
    marks: list[tuple[Point, Point]] = []
    for x in columns:
        marks.append(((x, area.y - far), (x, area.y - near)))
        marks.append(((x, area.bottom + near), (x, area.bottom + far)))
    for y in rows:
        marks.append(((area.x - far, y), (area.x - near, y)))
        marks.append(((area.right + near, y), (area.right + far, y)))
    drawing.add(Lines(tuple(marks), INK, 0.15))
    if not edge:
        lines = [((x, area.y), (x, area.bottom)) for x in columns]
        lines += [((area.x, y), (area.right, y)) for y in rows]
        drawing.add(Lines(tuple(lines), FAINT, 0.1))
    return drawing
