"""The drawing kit: letters in any unit, missed borders, sheets as PNG."""

from __future__ import annotations

import io
import itertools
import random
import xml.etree.ElementTree as ET

import pytest

from adjoin import Atlas
from adjoin.classroom.border_map import missed_borders_map
from adjoin.drawing.lettering import SANS, SOURCE_SANS, Font
from adjoin.drawing.png import png
from adjoin.drawing.sheet import Drawing
from adjoin.drawing.svg import svg


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
def test_missed_borders_are_drawn_with_names_and_numbers(name: str) -> None:
    atlas = Atlas.load(name)
    edges = random.Random(3).sample(atlas.edges, 20)
    missed = {(one.id, other.id): 30 + n for n, (one, other) in enumerate(edges)}
    picture = missed_borders_map(atlas, missed)
    texts = [str(text.text) for text in ET.fromstring(picture).iter() if text.text]
    for region in itertools.chain(*edges):
        assert region.name in " ".join(texts) or region.abbreviation in texts
    assert all(f">{number}</text>" in picture for number in missed.values())
    assert picture.count('stroke="#c8102e"') == 2 * len(missed)


def test_a_map_of_missed_borders_says_why_it_is_empty() -> None:
    own = Atlas.build(["A", "B"], [("A", "B")])
    assert "does not say where its regions are" in missed_borders_map(own, {("a", "b"): 1})
    assert "No border was missed" in missed_borders_map(Atlas.load("world-countries"), {})
    assert "No border was missed" in missed_borders_map(Atlas.load("uk-counties"), {})


def test_a_sheet_in_millimetres_is_a_png_of_its_size() -> None:
    pytest.importorskip("resvg_py", reason="PNG needs `pip install adjoin[png]`")
    image = pytest.importorskip("PIL.Image", reason="PNG needs `pip install adjoin[png]`")
    drawing = Drawing(50.8, 25.4)
    assert image.open(io.BytesIO(png(svg(drawing, "two by one inch")))).size == (192, 96)
    half = svg(drawing, "one by half an inch", wide=25.4)
    assert image.open(io.BytesIO(png(half))).size == (96, 48)
