"""The pictures of Mapello: legible, on paper of their own, and with every piece."""

from __future__ import annotations

import re
from collections import Counter
from xml.etree import ElementTree

from adjoin import Match
from pictures import SVG, assert_legible, moments, texts_in
from scaffold import OPTIONS, Variant, cases

EMPTY = "\n".join(["." * 10] * 10)


@cases("options", OPTIONS["mapello"])
def test_no_word_covers_another_and_the_paper_is_behind_everything(options: dict[str, int]) -> None:
    for match in moments(Variant("mapello", options).match(seed=4), 4):
        svg = match.svg()
        assert_legible(svg, texts_in(svg), 500)
        root = ElementTree.fromstring(svg)
        title, paper = root[:2]
        assert (title.tag, paper.tag) == (f"{SVG}title", f"{SVG}rect")
        sizes = [[one.get(name) for name in ("width", "height")] for one in (root, paper)]
        assert sizes[0] == sizes[1]


def drawn(cells: str) -> Counter[str]:
    """Count what is drawn for a board, by everything but where it is."""
    svg = Match("mapello", position=f"{cells}\nX 0 0").svg("all")
    board = re.sub(r"<t(ext|itle).*?</t|<[^>]*#e69f00[^>]*>", "", svg)  # no words, no marks
    return Counter(
        re.sub(r' (x|y|cx|cy|points|data-thing)="[^"]*"', "", one) for one in board.split("<")
    )


def put(cells: str, symbol: str, row: int, column: int) -> str:
    at = row * 11 + column
    return cells[:at] + symbol + cells[at + 1 :]


def test_every_disc_wall_bonus_and_joker_is_drawn_in_a_way_of_its_own() -> None:
    nothing = drawn(EMPTY)
    ways = set()
    for symbol in "XO#+J":
        row = 0 if symbol == "J" else 3
        once = drawn(put(EMPTY, symbol, row, 5)) - nothing
        twice = drawn(put(put(EMPTY, symbol, row, 5), symbol, row, 6)) - nothing
        assert once
        assert twice == once + once
        ways.add(tuple(sorted(once.items())))
    assert len(ways) == 5
