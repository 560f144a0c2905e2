"""The drawing kit: letters in any unit, places of an atlas on a drawing, sheets as PNG."""

from __future__ import annotations

import io
import random
from html import escape
from itertools import combinations

import pytest

from adjoin import Atlas
from adjoin.classroom.border_map import missed_borders_map
from adjoin.drawing.lettering import SANS, SOURCE_SANS, Font
from adjoin.drawing.maps import moved_apart, name_dots, positions, tile_boxes
from adjoin.drawing.png import png
from adjoin.drawing.sheet import Box, Drawing
from adjoin.drawing.svg import svg

AREA = Box(10, 20, 200, 100)


@pytest.mark.parametrize("font", [SANS, SOURCE_SANS], ids=lambda font: str(font.name))
def test_text_fits_alike_in_every_unit(font: Font) -> None:
    text = "East Riding of Yorkshire"
    for size, room in ((10.0, 60.0), (7.5, 33.0)):
        for unit in (0.3528, 4.0):
            assert font.shortened(text, room * unit, size * unit) == font.shortened(
                text, room, size
            )
            assert font.wrapped(text, room * unit, size * unit) == font.wrapped(text, room, size)
    lines, size = font.filled([text, "Kent"], 60, 30, 14, 5, bold=True)
    assert " ".join(lines) == f"{text} Kent"
    assert all(font.measure(line, size, bold=True) <= 60 for line in lines)


def test_letters_that_a_font_lacks_are_as_wide_as_what_they_are_made_of() -> None:
    assert SANS.measure("É", 10) == SANS.measure("E", 10)
    assert SANS.measure("…", 10) == pytest.approx(SANS.measure("...", 10))
    assert SANS.measure("東", 10) == SANS.measure("한", 10) == SOURCE_SANS.measure("東", 10) == 10


@pytest.mark.parametrize("name", Atlas.shipped())
def test_places_are_inside_the_area_and_as_large_as_fits(name: str) -> None:
    points = positions(Atlas.load(name).centroids, AREA).values()
    taken = Box.around(points)
    assert taken.centre == pytest.approx(AREA.centre)
    assert taken.wide <= AREA.wide + 1e-9
    assert taken.high <= AREA.high + 1e-9
    assert taken.wide / AREA.wide == pytest.approx(1) or taken.high / AREA.high == pytest.approx(1)


def test_neighbours_across_the_date_line_stay_together() -> None:
    at = positions({"fiji": (178, -18), "samoa": (-172, -14), "japan": (138, 36)}, AREA)
    assert at["japan"][0] < at["fiji"][0] < at["samoa"][0]
    assert positions({}, AREA) == {}
    assert positions({"here": (5, 50)}, AREA) == {"here": AREA.centre}


def test_moved_dots_are_apart_and_inside() -> None:
    true = {str(n): (50 + n % 3, 60 + n % 2) for n in range(12)}
    at = moved_apart(true, 6, AREA)
    for (x, y), (u, v) in combinations(at.values(), 2):
        assert (x - u) ** 2 + (y - v) ** 2 >= 5.9**2
    assert all(AREA.overlap(Box.about(point, 0.1)) for point in at.values())


def test_tiles_are_in_the_middle_or_in_the_corner() -> None:
    tiles = {"a": (2, 3), "b": (4, 3)}
    middle = tile_boxes(tiles, AREA, 1.5)
    assert middle["a"].x - AREA.x == pytest.approx(AREA.right - middle["b"].right)
    corner = tile_boxes(tiles, AREA, 1.5, is_centred=False)
    assert (corner["a"].x, corner["a"].y) == (AREA.x, AREA.y)
    assert corner["b"].x == pytest.approx(corner["a"].x + 2 * corner["a"].wide)


def test_names_hide_neither_dots_nor_each_other_where_there_is_room() -> None:
    points = {
        "Niger": (60.0, 60.0),
        "Chad": (75.0, 60.0),
        "Mali": (45.0, 58.0),
        "Edge": (198.0, 9.0),
    }
    dots = [Box.about(point, 1.5) for point in points.values()]
    drawing = Drawing(200, 100)
    name_dots(drawing, {key: key for key in points}, points, dots, 9, 2)
    boxes = [item.box for item in drawing.texts]
    assert len(boxes) == 4
    for one, other in combinations([*boxes, *dots], 2):
        assert not one.overlap(other)
    page = Box(0, 0, 200, 100)
    assert all(page.overlap(box) == pytest.approx(box.wide * box.high) for box in boxes)


@pytest.mark.parametrize("name", Atlas.shipped())
def test_missed_borders_are_drawn_with_names_and_numbers(name: str) -> None:
    atlas = Atlas.load(name)
    edges = random.Random(3).sample(atlas.edges, 20)
    missed = {(one.id, other.id): 30 + n for n, (one, other) in enumerate(edges)}
    picture = missed_borders_map(atlas, missed)
    for one, other in edges:
        for region in (one, other):
            name = region.abbreviation if atlas.tiles else region.name
            assert f">{escape(name)}</text>" in picture
    assert all(f">{number}</text>" in picture for number in missed.values())
    assert picture.count('stroke="#c8102e"') == 2 * len(missed)


def test_a_map_of_missed_borders_says_why_it_is_empty() -> None:
    own = Atlas.build(["A", "B"], [("A", "B")])
    assert "does not say where its regions are" in missed_borders_map(own, {("a", "b"): 1})
    assert "No border was missed" in missed_borders_map(Atlas.load("world-countries"), {})
    assert "No border" not in missed_borders_map(Atlas.load("uk-counties"), {})


def test_a_sheet_in_millimetres_is_a_png_of_its_size() -> None:
    pytest.importorskip("resvg_py", reason="PNG needs `pip install adjoin[png]`")
    image = pytest.importorskip("PIL.Image", reason="PNG needs `pip install adjoin[png]`")
    drawing = Drawing(50.8, 25.4)
    assert image.open(io.BytesIO(png(svg(drawing, "two by one inch")))).size == (192, 96)
    half = svg(drawing, "one by half an inch", wide=25.4)
    assert image.open(io.BytesIO(png(half))).size == (96, 48)
