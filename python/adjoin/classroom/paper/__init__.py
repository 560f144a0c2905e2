"""The classroom on paper: worksheets, cards, maps and bingo, as PDF or SVG, on A4 or Letter.

Everything returns ``Sheets``: ``.save("cards.pdf")`` (needs ``pip install adjoin[print]``) or
``.save("cards.svg")``, one file a page. Nothing relies on colour alone.

- ``worksheet(quiz)``, ``answer_key(quiz)``
- ``county_cards()``, ``transit_cards()``, ``mapominoes_rules()``, or all as ``mapominoes_set()``
- ``outline_map("world-countries", nations="Africa", style="numbered")``, ``tile_map()``
- ``bingo(cards=30)``: cards that differ, and the caller's list
- ``city_cards()`` of Connections, double-sided
- ``domino_tiles()``, ``domino_squares()`` of Domiphun, ``station_cards()`` of Metro Domino
"""

from adjoin.classroom.paper.bingo_cards import bingo
from adjoin.classroom.paper.cities import city_cards
from adjoin.classroom.paper.dominoes import domino_squares, domino_tiles, station_cards
from adjoin.classroom.paper.mapominoes import (
    county_cards,
    mapominoes_rules,
    mapominoes_set,
    transit_cards,
)
from adjoin.classroom.paper.maps import outline_map, tile_map
from adjoin.classroom.paper.sheets import PAGES, Sheets
from adjoin.classroom.paper.worksheets import answer_key, worksheet

__all__ = [
    "PAGES",
    "Sheets",
    "answer_key",
    "bingo",
    "city_cards",
    "county_cards",
    "domino_squares",
    "domino_tiles",
    "mapominoes_rules",
    "mapominoes_set",
    "outline_map",
    "station_cards",
    "tile_map",
    "transit_cards",
    "worksheet",
]
