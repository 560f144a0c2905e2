"""The classroom on paper: what is printed, that it fits, that sides match, that decks agree."""

from __future__ import annotations

import hashlib
import io
import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from adjoin import Atlas, Deck, Line, Match, Stations
from adjoin.classroom import KINDS, Quiz, kinds_of
from adjoin.classroom.paper import (
    Sheets,
    answer_key,
    bingo,
    city_cards,
    county_cards,
    domino_squares,
    domino_tiles,
    mapominoes_rules,
    mapominoes_set,
    outline_map,
    station_cards,
    tile_map,
    transit_cards,
    worksheet,
)
from adjoin.classroom.paper.area_marks import area_marks
from adjoin.classroom.paper.question_maps import is_drawn_on
from adjoin.classroom.paper.worksheets import points
from adjoin.drawing.lettering import SOURCE_SANS
from adjoin.drawing.maps import UNIT
from adjoin.drawing.sheet import POINT, Areas, Box, Boxes, Circles, Drawing, Lines, Text
from scaffold import cases

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

PAPER = ["A4", "Letter"]
ATLASES = list(Atlas.shipped())
PRINTER = 3.5
"""What printers leave blank at the edges, in millimetres."""

fpdf = pytest.importorskip("fpdf")
pdfium = pytest.importorskip("pypdfium2")


MAKE: dict[str, Callable[[], Sheets]] = {
    "county cards": county_cards,
    "country cards": lambda: county_cards("world-countries", page="Letter"),
    "state cards": lambda: county_cards("us-states", backs=True),
    "hard cards": lambda: county_cards(nations="Wales", borders=False),
    "transit cards": lambda: transit_cards(backs=True, edge="short"),
    "rules": mapominoes_rules,
    "rules of the world": lambda: mapominoes_rules("world-countries", page="Letter"),
    "city cards": city_cards,
    "city cards, short edge": lambda: city_cards(edge="short", page="Letter"),
    "squares": lambda: domino_squares(page="Letter"),
    "tiles": domino_tiles,
    "stations": lambda: station_cards(backs=True),
    "bingo": lambda: bingo(cards=5),
    "world bingo": lambda: bingo("world-countries", cards=2, size=5, page="Letter"),
    "worksheet": lambda: worksheet(Quiz.make("uk-counties", questions=18, seed=3)),
    "answer key": lambda: answer_key(Quiz.make("uk-counties", questions=18, seed=3)),
    "blank tile map": tile_map,
    "numbered tile map": lambda: tile_map(style="numbered"),
    "named tile map": lambda: tile_map(nations="Wales", style="named", page="Letter"),
    "coloured tile map": lambda: tile_map(style="coloured"),
    "blank map": lambda: outline_map("world-countries", nations="Africa"),
    "numbered map": lambda: outline_map("world-countries", style="numbered", page="A3"),
    "named map": lambda: outline_map("us-states", style="named", page="Letter"),
    "coloured map": lambda: outline_map(style="coloured"),
}
"""Sheets of every kind."""


@cache
def made(name: str) -> Sheets:
    return MAKE[name]()


@cache
def printed(name: str) -> bytes:
    return made(name).pdf()


def inside(inner: Box, outer: Box, margin: float = 0.0) -> bool:
    return (
        outer.x + margin <= inner.x + 1e-6
        and outer.y + margin <= inner.y + 1e-6
        and inner.right <= outer.right - margin + 1e-6
        and inner.bottom <= outer.bottom - margin + 1e-6
    )


def meet(one: Box, other: Box, slack: float = 0.05) -> bool:
    return (
        one.x + slack < other.right
        and other.x + slack < one.right
        and one.y + slack < other.bottom
        and other.y + slack < one.bottom
    )


def assert_apart(texts: Iterable[Text]) -> None:
    """No two lines of text lie on each other."""
    for one, other in combinations(texts, 2):
        assert not meet(one.box, other.box), (one.text, other.text)


def words_of(drawing: Drawing, box: Box) -> list[str]:
    return [item.text for item in drawing.inside(box)]


def cards_of(sheets: Sheets) -> dict[str, list[str]]:
    """Return the lines of text on every card."""
    return {cell.name: words_of(page, cell.box) for page in sheets for cell in page.cells}


def joined(lines: Iterable[str]) -> str:
    return " ".join(lines)


# Letters.


def test_the_table_of_widths_is_that_of_the_font() -> None:
    fonts = Path(pytest.importorskip("font_source_sans_pro").font_directory)
    ttfont = pytest.importorskip("fontTools.ttLib").TTFont
    for is_bold, name in enumerate(("Regular", "Bold")):
        with ttfont(fonts / f"SourceSansPro-{name}.ttf") as font:
            assert font["head"].unitsPerEm == 1000
            letters = {chr(c): font["hmtx"][glyph][0] for c, glyph in font.getBestCmap().items()}
        ours = {letter: both[is_bold] for letter, both in SOURCE_SANS.widths.items()}
        assert ours == {letter: wide for letter, wide in letters.items() if letter >= " "}


@cases("text", ["Türkiye", "Côte d'Ivoire", "São Tomé and Príncipe", "A → B"])
def test_text_is_as_wide_as_the_pdf_makes_it(text: str) -> None:
    fonts = Path(pytest.importorskip("font_source_sans_pro").font_directory)
    file = fpdf.FPDF(unit="mm")
    file.add_font("F", "", fonts / "SourceSansPro-Regular.ttf")
    file.set_font("F", "", 11)
    wide = file.get_string_width(text)
    file.fonts["f"].close()
    assert SOURCE_SANS.measure(text, 11 * POINT) == pytest.approx(wide, abs=0.02)


def test_every_name_is_in_the_font() -> None:
    names = [name for atlas in ATLASES for name in Atlas.load(atlas).names]
    names += [water.name for atlas in ATLASES for water in Atlas.load(atlas).waters]
    names += [city.name for city in Deck.load().cities]
    assert set("".join(names)) <= SOURCE_SANS.widths.keys()


# Files.


@pytest.mark.parametrize("name", MAKE)
def test_pdfs_have_the_pages_and_the_font(name: str) -> None:
    data, sheets = printed(name), made(name)
    assert data.startswith(b"%PDF")
    assert b"/FontFile2" in data
    assert b"+SourceSansPro" in data
    with pdfium.PdfDocument(data) as document:
        assert len(document) == len(sheets)
        for drawing, page in zip(sheets, document, strict=True):
            size = (drawing.width / POINT, drawing.height / POINT)
            assert page.get_size() == pytest.approx(size, abs=0.01)


def test_pdfs_are_the_same_bytes_again() -> None:
    for name in ("coloured map", "worksheet", "bingo"):
        assert MAKE[name]().pdf() == printed(name)
    assert bingo(cards=3).pdf() != bingo(cards=3, seed=2).pdf()


def test_pdfs_are_the_same_bytes_in_another_process() -> None:
    code = (
        "import sys, hashlib; from adjoin.classroom import Quiz, paper;"
        "quiz = Quiz.make('uk-counties', questions=18, seed=3);"
        "both = paper.worksheet(quiz).pdf() + paper.bingo(cards=5).pdf();"
        "print(hashlib.sha256(both).hexdigest())"
    )
    environment = {**os.environ, "PYTHONHASHSEED": "77", "TZ": "Asia/Tokyo"}
    run = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True)
    expected = hashlib.sha256(printed("worksheet") + printed("bingo")).hexdigest()
    assert run.stdout.decode().strip() == expected, run.stderr.decode()


@cases("name", MAKE)
def test_svgs_have_the_same_texts_at_the_same_places(name: str) -> None:
    sheets = made(name)
    for number, page in enumerate(sheets, 1):
        root = ET.fromstring(sheets.svg(number))
        assert root.get("width") == f"{page.width:g}mm"
        found = root.findall("{*}text")
        assert [element.text for element in found] == [item.text for item in page.texts]
        for element, item in zip(found, page.texts, strict=True):
            assert float(element.get("x", 0)) == pytest.approx(item.start, abs=0.001)
            assert float(element.get("y", 0)) == pytest.approx(item.y, abs=0.001)
            if len(item.text) > 1:
                assert float(element.get("textLength", 0)) == pytest.approx(item.wide, abs=0.001)


@cases(
    ("name", "page"),
    [
        ("county cards", 3),
        ("city cards, short edge", 2),
        ("worksheet", 2),
        ("coloured map", 1),
        ("coloured tile map", 1),
        ("stations", 1),
        ("tiles", 1),
    ],
)
def test_pdf_and_svg_are_the_same_picture(name: str, page: int) -> None:
    resvg = pytest.importorskip("resvg_py")
    image = pytest.importorskip("PIL.Image")
    fonts = Path(pytest.importorskip("font_source_sans_pro").font_directory)
    sheets = made(name)
    png = resvg.svg_to_bytes(
        svg_string=sheets.svg(page),
        background="#ffffff",
        dpi=96,
        skip_system_fonts=True,
        font_files=[str(fonts / f"SourceSansPro-{style}.ttf") for style in ("Regular", "Bold")],
    )
    drawn = image.open(io.BytesIO(bytes(png))).convert("L")
    with pdfium.PdfDocument(printed(name)) as document:
        pdf = document[page - 1].render(scale=96 / 72).to_pil().convert("L")
    small = (pdf.width // 10, pdf.height // 10)
    both = [np.asarray(p.resize(small, image.Resampling.BOX), float) for p in (drawn, pdf)]
    assert both[1].std() > 4
    assert np.abs(both[0] - both[1]).max() < 60
    assert np.abs(both[0] - both[1]).mean() < 4


def test_letters_are_in_the_pdf_where_they_are_measured() -> None:
    sheets = made("country cards")
    with pdfium.PdfDocument(printed("country cards")) as document:
        for number in (0, 5, 11):
            drawing, page = sheets.pages[number], document[number]
            textpage = page.get_textpage()
            high = page.get_height()
            boxes = [item.box for item in drawing.texts]
            outside = []
            for n in range(textpage.count_chars()):
                letter = textpage.get_text_range(n, 1)
                left, bottom, right, top = textpage.get_charbox(n)
                x, y = (left + right) / 2 * POINT, (high - (top + bottom) / 2) * POINT
                at = Box(x, y, 0, 0)
                if letter.strip() and not any(inside(at, box) for box in boxes):
                    outside.append((letter, at))
            assert textpage.count_chars() > 500
            assert not outside
            text = textpage.get_text_range()
            for cell in drawing.cells:
                assert cell.name.split()[0] in text


def test_saving(tmp_path: Path) -> None:
    sheets = tile_map(style="numbered")
    assert sheets.save(tmp_path / "map.pdf") == [tmp_path / "map.pdf"]
    assert (tmp_path / "map.pdf").read_bytes() == sheets.pdf()
    files = sheets.save(str(tmp_path / "map.SVG"))
    assert [file.name for file in files] == ["map-1.SVG", "map-2.SVG"]
    assert files[1].read_text("utf-8") == sheets.svg(2)
    assert [f.name for f in tile_map().save(tmp_path / "blank.svg")] == ["blank.svg"]
    twelve = [file.name for file in county_cards().save(tmp_path / "c.svg")]
    assert twelve[0] == "c-01.svg"
    assert len(twelve) == 12


def test_sheets_add_up_and_show_themselves() -> None:
    both = tile_map() + transit_cards()
    assert len(both) == 3
    assert repr(both) == "<Sheets tile map, blank, transit cards: 3 pages>"
    assert both._repr_html_().count("<svg") == 3
    with pytest.raises(TypeError):
        both + 1  # type: ignore[operator]


# What fits.


@cases("name", MAKE)
def test_no_text_is_cut_or_lies_on_another_or_beyond_the_edge(name: str) -> None:
    for page in made(name):
        assert_apart(page.texts)
        paper = Box(0, 0, page.width, page.height)
        for item in page.texts:
            assert "…" not in item.text
            assert item.text == item.text.strip()
            assert inside(item.box, paper, PRINTER), item


@pytest.mark.parametrize("paper", PAPER)
@pytest.mark.parametrize("borders", [True, False])
@pytest.mark.parametrize("atlas", ATLASES)
def test_county_cards_fit(atlas: str, borders: bool, paper: str) -> None:
    """All 108 counties, 207 countries, 51 states: nothing leaves its card or is too small."""
    sheets = county_cards(atlas, borders=borders, page=paper)
    count = 0
    for page in sheets:
        for cell in page.cells:
            count += 1
            assert (cell.box.wide, cell.box.high) == pytest.approx((63, 88))
            assert inside(cell.box, Box(0, 0, page.width, page.height), 6)
            texts = page.inside(cell.box)
            for item in texts:
                assert inside(item.box, cell.box, 3), item
                assert item.size >= 5.5, item
            assert_apart(texts)
    assert count == len(Atlas.load(atlas))


@cases("paper", PAPER)
@cases("edge", ["long", "short"])
def test_city_cards_fit(edge: str, paper: str) -> None:
    for page in city_cards(edge=edge, page=paper):
        for cell in page.cells:
            for item in page.inside(cell.box):
                assert inside(item.box, cell.box, 3), item
                assert item.size >= 5.5, item
                assert "…" not in item.text


def test_long_names_of_ones_own_atlas_stay_on_their_cards() -> None:
    long = "Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogoch and everything around it"
    atlas = Atlas.build([long, "B"], [(long, "B")], {"An ocean with a name " * 4: [long]})
    for page in county_cards(atlas):
        for cell in page.cells:
            for item in page.inside(cell.box):
                assert inside(item.box, cell.box, 3), item


@cases("paper", PAPER)
def test_rules_are_one_page(paper: str) -> None:
    for atlas in ATLASES:
        sheets = mapominoes_rules(atlas, page=paper)
        assert len(sheets) == 1
        text = joined(item.text for item in sheets.pages[0].texts)
        assert "independent implementation" in text
        assert "Double connection" in text
        assert min(item.size for item in sheets.pages[0].texts[:-3]) >= 9
        assert ("county" in text) == (atlas == "uk-counties")


# Cards.


@cases("atlas", ATLASES)
def test_cards_say_what_the_atlas_says(atlas: str) -> None:
    whole = Atlas.load(atlas)
    cards = cards_of(county_cards(atlas))
    assert list(cards) == list(whole.names)
    for region in whole:
        text = joined(cards[region.name])
        assert region.name in text
        assert region.abbreviation in text
        for nation in region.nations:
            assert nation in text
        lines = cards[region.name]
        start = next(n for n, line in enumerate(lines) if line.split()[-1].startswith("border"))
        near = [other.name for other in whole.borders(region)]
        assert lines[start].startswith(str(len(near)) if near else "no ")
        assert joined(lines[start + 1 :]) == joined(near)
        for water in region.waters:
            assert whole.water(water).name in text


@pytest.mark.smoke
def test_cards_of_a_nation_keep_their_borders_outside() -> None:
    cards = cards_of(county_cards(nations="wales"))
    assert len(cards) == 22
    assert "Shropshire" in joined(cards["Powys"])
    both = cards_of(county_cards(nations=(n for n in ["Wales", "England"])))
    assert len(both) == 70


def test_hard_cards_do_not_tell_borders() -> None:
    hard = county_cards(borders=False)
    assert "Essex" not in joined(cards_of(hard)["Kent"])
    for sheets in (hard, county_cards("us-states", borders=False)):
        fills = {getattr(item, "fill", None) for page in sheets for item in page.items}
        assert "#a2a2a2" not in fills
    assert "Essex" in joined(cards_of(county_cards())["Kent"])


def test_the_map_on_a_card_marks_the_region_and_its_neighbours() -> None:
    whole = Atlas.load("uk-counties")
    page = county_cards().pages[0]
    cell = page.cells[3]
    region = whole[cell.name]
    by_fill = {
        item.fill: item
        for item in page.items
        if isinstance(item, Areas) and inside(Box(*item.origin, 0, 0), cell.box)
    }
    high = 31 - 3 * max(0, len(region.waters) - 3)
    there = whole.map([region, *region.borders], width=25.5 / UNIT, height=high / UNIT)
    assert there is not None
    assert by_fill["#111111"].rings == there.places[region.id].rings
    near = [there.places[key].rings for key in there.places if key in region.borders]
    assert by_fill["#a2a2a2"].rings == tuple(ring for rings in near for ring in rings)


@cases("players", [2, 3, 4, 5])
@cases(
    ("atlas", "nations"),
    [
        ("uk-counties", None),
        ("uk-counties", ["Scotland"]),
        ("us-states", None),
        ("world-countries", ["Europe"]),
    ],
)
def test_the_deck_is_that_of_the_engine(
    atlas: str, nations: list[str] | None, players: int
) -> None:
    """The names dealt are the names printed; what fits the first card is what it prints."""
    options: dict[str, Any] = {"players": players, "atlas": atlas}
    options |= {} if nations is None else {"nations": nations}
    cards = cards_of(county_cards(atlas, nations=nations))
    whole = Atlas.load(atlas)
    for each in (1, "easier"):
        match = Match("mapominoes", seed=players, transit_each=each, **options)
        hands = [match.view(seat)["hands"][seat]["cards"] for seat in range(players)]
        view = match.view(0)
        start = view["table"]["cards"][0]["name"]
        dealt = [whole[card].name for hand in hands for card in hand]
        assert sorted([*dealt, start]) == sorted(cards)
        transit = sum(hand["transit"] for hand in view["hands"]) + view["pile"]
        assert transit == sum(len(page.cells) for page in transit_cards())
        mine = {whole[card].name for card in hands[0]}
        lines = cards[start]
        first = next(n for n, line in enumerate(lines) if line.split()[-1].startswith("border"))
        near = joined(lines[first + 1 :])
        for name in mine:
            there = f" {near} ".count(f" {name} ")
            longer = [other for other in whole.names if name in other and name != other]
            within = sum(f" {near} ".count(f" {other} ") for other in longer)
            assert (there > within) == (name in view["legal"]), (start, name)


def test_transit_cards_have_room_for_what_they_stand_for() -> None:
    sheets = transit_cards(4)
    page = sheets.pages[0]
    assert [cell.name for cell in page.cells] == [f"transit card {n}" for n in range(1, 5)]
    for cell in page.cells:
        text = joined(words_of(page, cell.box))
        assert "Transit card" in text
        assert "stands for" in text
        assert "Name a county, a sea or a country" in text
    world = joined(item.text for item in transit_cards(atlas="world-countries").pages[0].texts)
    assert "Name a country or a sea" in world


def test_a_set_has_everything() -> None:
    sheets = mapominoes_set(nations="Northern Ireland")
    assert len(sheets) == 1 + 1 + 2
    assert len(mapominoes_set("us-states", page="Letter")) == 1 + 6 + 2


# Both sides.


def mirrored(box: Box, page: Drawing, edge: str) -> Box:
    """Return what is behind a box on the other side of the sheet."""
    if edge == "long":
        return Box(page.width - box.right, box.y, box.wide, box.high)
    return Box(box.x, page.height - box.bottom, box.wide, box.high)


@cases("paper", PAPER)
@cases("edge", ["long", "short"])
def test_backs_are_behind_their_fronts(edge: str, paper: str) -> None:
    deck = Deck.load()
    sheets = city_cards(edge=edge, page=paper)
    assert len(sheets) == 14
    seen = []
    for front, back in zip(sheets.pages[::2], sheets.pages[1::2], strict=True):
        behind = {cell.name: cell.box for cell in back.cells}
        assert len(behind) == len(front.cells)
        for name, box in front.cells:
            assert behind[name] == pytest.approx(mirrored(box, front, edge))
            card = next(card for card in deck if str(card) == name)
            assert card.front.name in joined(words_of(front, box))
            there = back.inside(behind[name])
            assert card.back.name in joined(item.text for item in there)
            assert all(item.is_turned == (edge == "short") for item in there)
            big = max(there, key=lambda item: item.size)
            assert big.text.split()[0] == card.back.name.split()[0]
            seen.append(name)
        marks = [
            {tuple(round(n, 3) for point in line for n in point) for line in item.lines}
            for page in (front, back)
            for item in page.items
            if isinstance(item, Lines) and item.width == 0.15 and len(item.lines) % 4 == 0
        ]
        assert len(marks) == 2
        flipped = {
            tuple(
                round(n, 3)
                for point in ((a, b), (c, d))
                for n in mirrored(Box(*point, 0, 0), front, edge)[:2]
            )
            for a, b, c, d in marks[1]
        }

        def ends(lines: set[tuple[float, ...]]) -> set[frozenset[tuple[float, ...]]]:
            return {frozenset([line[:2], line[2:]]) for line in lines}

        assert ends(marks[0]) == ends(flipped)
    assert seen == [str(card) for card in deck]


def test_the_city_cards_are_those_of_the_engine() -> None:
    match = Match("connections", seed=4, players=6)
    held = [card for seat in range(6) for card in match.view(seat)["hands"][seat]["held"]]
    names = [cell.name for page in city_cards().pages[::2] for cell in page.cells]
    assert set(held) <= set(names)
    assert len(names) == len(set(names)) == len(held) + match.view(0)["pile"]
    links = [cell.name for page in city_cards(cards="link").pages[::2] for cell in page.cells]
    cities = [cell.name for page in city_cards(cards="city").pages[::2] for cell in page.cells]
    assert cities + links == names
    assert len(links) == 13


def test_link_cards_show_all_their_regions() -> None:
    deck, cards = Deck.load(), cards_of(city_cards(cards="link"))
    for city in deck.links:
        text = joined(cards[city.name])
        for region in city.regions:
            assert region in text


# Dominoes and stations.


def pips(page: Drawing, box: Box) -> int:
    return sum(
        len(item.points)
        for item in page.items
        if isinstance(item, Circles) and inside(Box(*item.points[0], 0, 0), box)
    )


def test_the_squares_are_those_of_domiphun() -> None:
    page = domino_squares().pages[0]
    names = [cell.name for cell in page.cells]
    assert sorted(names) == sorted(str(value) for value in range(7) for _ in range(8))
    for cell in page.cells:
        assert pips(page, cell.box) == int(cell.name)
        assert words_of(page, cell.box) == [cell.name]
    view = Match("domiphun", seed=1).view(0)
    assert len(names) == view["pool"] + sum(hand["pieces"] for hand in view["hands"])


@cases("highest", range(1, 10))
def test_dominoes_have_every_pair_once(highest: int) -> None:
    sheets = domino_tiles(highest)
    cells = [(page, cell) for page in sheets for cell in page.cells]
    pairs = [(a, b) for a in range(highest + 1) for b in range(a, highest + 1)]
    assert [cell.name for _, cell in cells] == [f"{a}-{b}" for a, b in pairs]
    for (page, (_, box)), (a, b) in zip(cells, pairs, strict=True):
        half = Box(box.x, box.y, box.wide / 2, box.high)
        assert (pips(page, half), pips(page, box)) == (a, a + b)


def test_the_stations_are_those_of_metro_domino() -> None:
    view = Match("metro_domino", seed=1).view(0)
    assert len(domino_tiles(9).pages) == 2
    tiles = sum(len(page.cells) for page in domino_tiles(9))
    assert tiles == view["store"] + sum(hand["tiles"] for hand in view["hands"])
    cards = cards_of(station_cards())
    assert list(cards) == [station["name"] for station in view["stations"]]
    for station in Stations.load():
        text = joined(cards[station.name])
        for line in station.lines:
            assert f"{line.length} tiles" in text
    assert "3 tiles, none below 2, none above 7" in joined(cards["Flushing Meadows"])


def test_stations_of_ones_own_fit() -> None:
    lines = [Line(length, min=2, max=7, no_doubles=True) for length in (1, 5, 12, 13, 55)]
    deck = Stations.build({"A station with quite a long name": [*lines, 1, 2, 3, 4], "B": [1]})
    page = station_cards(deck).pages[0]
    for cell in page.cells:
        texts = page.inside(cell.box)
        assert_apart(texts)
        assert all(inside(item.box, cell.box, 3) and "…" not in item.text for item in texts)
    assert "55 tiles" in joined(words_of(page, page.cells[0].box))


# Maps.


def key_of(sheets: Sheets) -> dict[str, str]:
    """Return the key of a numbered map: names by number."""
    texts = sheets.pages[-1].texts[1:-2]
    return {number.text: name.text for number, name in zip(texts[::2], texts[1::2], strict=True)}


def test_numbers_of_the_tile_map_are_those_of_its_key() -> None:
    whole = Atlas.load("uk-counties")
    sheets = tile_map(style="numbered")
    key, page = key_of(sheets), sheets.pages[0]
    assert sorted(key.values()) == sorted(whole.names)
    at = {item.text: item.box.centre for item in page.texts if item.text in key}
    assert len(at) == 108
    origin, (column, row) = at["1"], whole.tiles[whole[key["1"]].id]
    wide = (at["5"][0] - at["4"][0]) / 1
    high = at["8"][1] - at["4"][1]
    for number, name in key.items():
        c, r = whole.tiles[whole[name].id]
        expected = (origin[0] + (c - column) * wide, origin[1] + (r - row) * high)
        assert at[number] == pytest.approx(expected, abs=0.3), name


def test_a_blank_map_tells_nothing() -> None:
    texts = [item.text for item in tile_map().pages[0].texts]
    assert texts == ["Counties: tile map", "Name", "Date", "tile map, blank", "page 1 of 1"]
    (tiles,) = (i for i in tile_map(nations="Wales").pages[0].items if isinstance(i, Boxes))
    assert len(tiles.boxes) == 22


def test_a_coloured_map_works_without_colour() -> None:
    """Nations differ by pattern; the legend names them; frontiers are thick."""
    page = tile_map(style="coloured").pages[0]
    text = [item.text for item in page.texts]
    for name in ("E England", "S Scotland", "W Wales", "NI Northern Ireland"):
        assert name in [" ".join(line.split()) for line in text]
    assert any(isinstance(item, Lines) and item.width == 0.9 for item in page.items)
    for names in (Atlas.load("us-states").nations, list(Deck.load().regions.values())):
        shown = area_marks(names)
        patterns = []
        for look in shown.values():
            drawing = Drawing(10, 10)
            look.hatch(drawing, Box(0, 0, 10, 10))
            patterns.append(str(drawing.items))
        assert len(set(patterns)) == len({look.mark for look in shown.values()}) == len(names)


@cases(
    ("atlas", "nations"),
    [
        ("world-countries", None),
        ("world-countries", ["Africa"]),
        ("us-states", None),
        ("uk-counties", ["Wales"]),
    ],
)
def test_numbers_of_the_map_are_those_of_its_key(atlas: str, nations: list[str] | None) -> None:
    sheets = outline_map(atlas, nations=nations, style="numbered", page="A3")
    page, key = sheets.pages[0], key_of(sheets)
    whole = Atlas.load(atlas)
    names = whole.names if nations is None else whole.sub(nations=nations).names
    assert sorted(key.values()) == sorted(names)
    at = {key[item.text]: item.box.centre for item in page.texts if item.text in key}
    assert at.keys() == set(names)
    if nations == ["Africa"]:
        assert at["Tunisia"][1] < at["Nigeria"][1] < at["South Africa"][1]
        assert at["Senegal"][0] < at["Niger"][0] < at["Somalia"][0]


def test_a_named_map_lists_what_stands_for_names() -> None:
    whole = Atlas.load("uk-counties")
    (page,) = outline_map(style="named")
    texts = [item.text for item in page.texts]
    for region in whole:
        assert region.name in joined(texts), region.name
    assert "Irish Sea" in texts
    listed = {item.text for item in page.texts if item.size == 7 and item.bold}
    drawn = [item.text for item in page.texts if item.halo]
    assert listed
    for short in listed:
        assert drawn.count(short) == 1


def test_a_blank_true_map_tells_nothing() -> None:
    texts = [item.text for item in outline_map(nations="Wales").pages[0].texts]
    assert texts == ["Counties of Wales: map", "Name", "Date", "map, blank", "page 1 of 1"]


# Bingo.


@cases(("size", "atlas"), [(3, "us-states"), (4, "uk-counties"), (5, "uk-counties")])
def test_bingo_cards_differ_and_the_caller_has_all(size: int, atlas: str) -> None:
    whole = Atlas.load(atlas)
    sheets = bingo(atlas, cards=9, size=size, seed="class 7b")
    cards: dict[str, list[str]] = {}
    for page in sheets:
        for cell in page.cells:
            cards[cell.name] = list(fields(page, cell.box, size).values())
            assert len(set(cards[cell.name])) == size * size
            assert set(cards[cell.name]) <= set(whole.names)
    assert list(cards) == [f"card {n}" for n in range(1, 10)]
    assert len({frozenset(names) for names in cards.values()}) == 9
    callers = [page for page in sheets if not page.cells]
    called = [i.text for page in callers for i in page.texts if i.bold and i.text in whole]
    assert sorted(called) == sorted(whole.names)


def fields(page: Drawing, box: Box, size: int) -> dict[tuple[int, int], str]:
    """Return what the fields of a bingo card show, by row and column."""
    found: dict[tuple[int, int], list[str]] = {}
    for item in page.inside(box):
        x, y = item.box.centre
        row = (y - box.y - 10) / ((box.high - 10) / size)
        if row >= 0:
            place = int(row), int((x - box.x) / (box.wide / size))
            found.setdefault(place, []).append(item.text)
    return {place: joined(lines) for place, lines in found.items()}


def test_bingo_says_rightly_when_the_first_line_is_full() -> None:
    sheets = bingo("us-states", cards=4, size=3, seed=5)
    whole = Atlas.load("us-states")
    grids = [fields(page, cell.box, 3) for page in sheets for cell in page.cells]
    callers = [page for page in sheets if not page.cells]
    calls = [i.text for page in callers for i in page.texts if i.bold and i.text in whole]
    lines = [[(r, c) for c in range(3)] for r in range(3)]
    lines += [[(r, c) for r in range(3)] for c in range(3)]
    lines += [[(n, n) for n in range(3)], [(n, 2 - n) for n in range(3)]]
    for number in range(1, len(calls) + 1):
        marked = set(calls[:number])
        winners = [
            n
            for n, grid in enumerate(grids, 1)
            if any(all(grid[at] in marked for at in line) for line in lines)
        ]
        if winners:
            break
    text = joined(item.text for item in callers[0].texts)
    assert f"comes with call {number}, on card" in text
    assert str(winners[0]) in text.split(f"comes with call {number}, on card", 1)[1][:6]


# Worksheets.


@cases("atlas", [*ATLASES, "world-cities"])
@cases(("paper", "size"), [("A4", 11), ("Letter", 16)])
def test_worksheets_ask_and_keys_answer(atlas: str, paper: str, size: float) -> None:
    for kind, number in kinds_of(atlas).items():
        quiz = Quiz.make(atlas, kinds=kind, questions=min(8, number), seed=kind)
        assert_asked_and_answered(quiz, paper, size)


def assert_asked_and_answered(quiz: Quiz, paper: str, size: float) -> None:
    sheet = worksheet(quiz, page=paper, size=size)
    key = answer_key(quiz, page=paper, size=size)
    for sheets in (sheet, key):
        for page in sheets:
            assert_apart(page.texts)
            area = Box(0, 0, page.width, page.height)
            for one, other in combinations(page.cells, 2):
                assert not meet(one.box, other.box)
            for cell in page.cells:
                assert inside(cell.box, area, 14)
            assert quiz.code in [item.text for item in page.texts]
    asked, answered = cards_of(sheet), cards_of(key)
    has_map = any(question.on_map and not is_drawn_on(question) for question in quiz)
    assert ("map" in asked) == ("map" in answered) == has_map
    numbered = [name for name in asked if name != "map"]
    assert numbered == [f"question {n}" for n in range(1, len(quiz) + 1)]
    for number, question in enumerate(quiz, 1):
        text = joined(asked[f"question {number}"])
        assert question.prompt in text
        assert f"/ {points(question)}" in text
        for choice in () if question.on_map else question.choices:
            assert choice in text
        right = joined(answered[f"answer {number}"])
        assert question.explanation in right
        if question.form != "route":
            assert question.solution() in right
        else:
            names = question.book.names["region"]
            for way in question.answers[:6]:
                assert " – ".join(names[name] for name in way) in right


def test_every_kind_of_question_is_tried() -> None:
    tried = {kind for atlas in (*ATLASES, "world-cities") for kind in kinds_of(atlas)}
    assert tried == set(KINDS)


def test_there_is_room_to_write_and_no_answer_on_the_worksheet() -> None:
    quiz = Quiz.make("uk-counties", kinds=["borders", "from_neighbours", "way"], seed=2)
    for page in worksheet(quiz):
        for cell in page.cells:
            question = quiz.questions[int(cell.name.split()[1]) - 1]
            rules = [
                line
                for item in page.items
                if isinstance(item, Lines) and item.colour == "#555555"
                for line in item.lines
                if inside(Box(*line[0], 0, 0), cell.box)
            ]
            assert len(rules) == question.number_of_answers
            assert all(line[1][0] - line[0][0] >= 40 for line in rules)
            if question.form == "many":
                words = joined(words_of(page, cell.box))
                assert not any(
                    question.book.names["region"][key] in words for key in question.answers
                )


def test_no_question_is_alone_on_the_last_page() -> None:
    number = 0
    for seed in range(12):
        quiz = Quiz.make("uk-counties", questions=8 + seed % 5, seed=seed)
        for sheets in (
            worksheet(quiz, size=11),
            worksheet(quiz, size=16),
            answer_key(quiz, size=16),
        ):
            names = [[cell.name for cell in page.cells] for page in sheets]
            parts = [len([n for n in page if re.match("(question|answer) ", n)]) for page in names]
            assert sum(parts) == len(quiz)
            high = sum(page.cells[-1].box.high for page in sheets.pages[-2:])
            assert len(parts) == 1 or parts[-1] > 1 or high > 250
            number += len(parts) > 1
    assert number > 12


MAPPED = ["find", "marked", "colour", "trace", "sea_map"]


@cases(
    ("atlas", "nations"),
    [("uk-counties", ["Wales"]), ("uk-counties", None), ("world-countries", ["Africa"])],
)
def test_questions_on_the_map_have_their_numbers_on_it(atlas: str, nations: list[str]) -> None:
    quiz = Quiz.make(atlas, nations=nations, kinds=MAPPED, questions=10, seed=4)
    sheet, key = (cards_of(sheets(quiz)) for sheets in (worksheet, answer_key))
    names = quiz.book.names["region"]
    assert not set(names.values()) & set(sheet["map"])
    for number, question in enumerate(quiz, 1):
        text, right = joined(sheet[f"question {number}"]), joined(key[f"answer {number}"])
        if question.kind == "marked":
            shown = re.findall(r"It has the number (\d+)\.", text)[0]
            assert names[question.answers[0]] not in text
        elif question.kind == "find":
            shown = re.findall(r"(\d+): ", right)[0]
        else:
            continue
        assert sheet["map"].count(shown) == 1
        assert f"{shown}: {names[question.answers[0]]}" in right
        assert shown in joined(key["map"]).split()


def test_seas_have_letters_on_the_map() -> None:
    quiz = Quiz.make("uk-counties", kinds="sea_map", questions=3, seed=1)
    sheet, key = cards_of(worksheet(quiz)), cards_of(answer_key(quiz))
    letters = {text for text in sheet["map"] if re.fullmatch("[A-Z]", text)}
    for number, question in enumerate(quiz, 1):
        ticked = {text for text in sheet[f"question {number}"] if re.fullmatch("[A-Z]", text)}
        assert len(ticked) == len(question.ids)
        assert ticked <= letters
        shown = re.findall("((?:[A-Z], )*[A-Z]): ", joined(key[f"answer {number}"]))[0]
        assert len(shown.split(", ")) == len(question.answers)


def test_what_is_drawn_on_a_map_is_marked_there_and_answered_in_the_key() -> None:
    quiz = Quiz.make("uk-counties", nations="Scotland", kinds=["colour", "trace"], seed=6)
    for sheets, is_key in ((worksheet(quiz), False), (answer_key(quiz), True)):
        for page in sheets:
            for cell in page.cells:
                question = quiz.questions[int(cell.name.split()[1]) - 1]
                names = question.book.names["region"]
                here = [
                    item
                    for item in page.items
                    if isinstance(item, Areas) and inside(Box(*item.origin, 0, 0), cell.box)
                ]
                assert {"#b4b4b4", "#ffffff"} <= {item.fill for item in here}
                assert all(names[key] in joined(words_of(page, cell.box)) for key in question.about)
                hatching = [
                    item
                    for item in page.items
                    if isinstance(item, Lines) and item.colour == "#555555" and item.width == 0.2
                    if inside(Box(*item.lines[0][0], 0, 0), cell.box)
                ]
                assert len(hatching) == (is_key and len(question.answers[0]) > 2)


def test_a_code_will_do() -> None:
    quiz = Quiz.make("us-states", seed=1)
    assert worksheet(quiz.code).pdf() == worksheet(quiz).pdf()
    assert answer_key(quiz.code.lower()).pdf() == answer_key(quiz).pdf()


# What is wrong.


@cases(
    "make",
    [
        county_cards,
        transit_cards,
        mapominoes_rules,
        mapominoes_set,
        tile_map,
        outline_map,
        bingo,
        city_cards,
        domino_squares,
        domino_tiles,
        station_cards,
    ],
)
def test_an_unknown_page_size(make: Any) -> None:
    with pytest.raises(KeyError, match='no size "A5"; there are A4, Letter, A3'):
        make(page="A5")
    assert isinstance(make(page="letter"), Sheets)


def test_an_atlas_without_tiles() -> None:
    with pytest.raises(ValueError, match=r"world-countries has no tile map.*uk-counties.*outline_"):
        tile_map("world-countries")
    with pytest.raises(ValueError, match="neither outlines nor lon and lat"):
        outline_map(Atlas.build(["A", "B"], [("A", "B")]))


@pytest.mark.parametrize("module", ["fpdf", "font_source_sans_pro"])
def test_without_the_extra_there_is_still_svg(
    module: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(ImportError, match=r"pip install 'adjoin\[print\]'"):
        tile_map().save(tmp_path / "map.pdf")
    assert not list(tmp_path.iterdir())
    assert tile_map().save(tmp_path / "map.svg")


def test_letters_that_the_font_lacks(tmp_path: Path) -> None:
    sheets = county_cards(Atlas.build(["東京", "B"], [("東京", "B")]))
    with pytest.raises(ValueError, match=r"lacks 京 東: save as \.svg instead"):
        sheets.save(tmp_path / "cards.pdf")
    assert "東京" in sheets.save(tmp_path / "cards.svg")[0].read_text("utf-8")


@cases(
    ("make", "error", "message"),
    [
        (lambda: tile_map().save("map.png"), ValueError, r"\.pdf or \.svg"),
        (lambda: tile_map().svg(2), ValueError, "page = 2: must be a whole number from 1 to 1"),
        (lambda: tile_map(style="pretty"), KeyError, "blank, numbered, named, coloured"),
        (lambda: tile_map(nations="Wels"), KeyError, 'no nation "Wels"'),
        (lambda: county_cards(nations=5), TypeError, "a name or a list of names, got 5"),  # type: ignore[arg-type]
        (lambda: county_cards("uk"), KeyError, 'no atlas "uk"'),
        (lambda: county_cards(edge="left", backs=True), KeyError, 'no edge "left"'),
        (lambda: transit_cards(0), ValueError, "cards = 0: must be a whole number from 1 to 99"),
        (lambda: city_cards(cards="lynk"), KeyError, "there are all, city, link"),
        (lambda: domino_tiles(12), ValueError, "highest = 12: must be a whole number from 1 to 9"),
        (lambda: station_cards("paris"), KeyError, "new-york"),
        (lambda: bingo(size=9), ValueError, "size = 9: must be one of 3, 4, 5"),
        (lambda: bingo(cards=0), ValueError, "cards = 0"),
        (lambda: bingo(nations="Northern Ireland"), ValueError, "needs 16 counties.*6 counties"),
        (
            lambda: bingo("us-states", nations=["New England", "Middle Atlantic"], size=3, cards=5),
            ValueError,
            "9 states make only 1 different card",
        ),
        (lambda: worksheet("UK-WALES"), ValueError, "UK-WALES"),
        (lambda: worksheet(7), TypeError, "a quiz or the code of one is needed, got 7"),  # type: ignore[arg-type]
        (lambda: worksheet(Quiz.make(seed=1), size=4), ValueError, "from 9 to 20 points"),
    ],
)
def test_bad_input_is_refused_in_clear_words(
    make: Any, error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        make()
