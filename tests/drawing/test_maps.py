"""Maps of an atlas on a drawing: what is drawn, that no words overlap, pictures and their files."""

from __future__ import annotations

import io
import json
import random
import re
import xml.etree.ElementTree as ET
from functools import cache
from itertools import combinations, pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from adjoin import Atlas
from adjoin.drawing.map_words import Words, write_words
from adjoin.drawing.maps import MapDrawing, Marks, hatched
from adjoin.drawing.pdf import pdf
from adjoin.drawing.sheet import Areas, Box, Circles, Drawing, Lines, Text
from adjoin.drawing.svg import svg

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from adjoin.drawing.picture import Picture

A4 = Box(0, 0, 210, 297)


@cache
def atlas(name: str) -> Atlas:
    return Atlas.load(name)


def parts() -> list[tuple[str, tuple[str, ...], Box]]:
    """Return 60 parts of atlases with sizes: whole ones, nations, and some regions near others."""
    chance = random.Random(22)
    found = []
    for name in Atlas.shipped():
        whole = atlas(name)
        shown: list[tuple[str, ...]] = [(), ()]
        shown += [tuple(r.id for r in whole.nation(nation)) for nation in whole.nations[:8]]
        while len(shown) < 20:
            start = chance.choice(whole.regions)
            near = {start.id, *start.borders, *(b for o in start.borders for b in whole[o].borders)}
            shown.append(tuple(sorted(near)))
        for part in shown:
            wide, high = chance.choice([(55, 40), (90, 120), (180, 250), (277, 170), (400, 270)])
            found.append((name, part, Box(5, 5, wide, high)))
    return found


@cache
def drawn(number: int) -> tuple[MapDrawing, Drawing, dict[str, str]]:
    """Return one of the 60 maps, with names, seas included."""
    name, shown, box = parts()[number]
    whole = atlas(name)
    on = MapDrawing.needed(whole, shown, box)
    drawing = Drawing(box.right + 5, box.bottom + 5)
    on.draw(drawing)
    words = {key: Words((whole[key].name, whole[key].abbreviation)) for key in on.regions}
    names = {water.id: water.name for water in whole.waters}
    seas = [key for key, place in on.map.places.items() if place.kind == "water"]
    words |= {key: Words((names[key],)) for key in seas if key in names}
    return on, drawing, write_words(drawing, on, words)


def test_words_overlap_nowhere_on_60_maps() -> None:
    assert len(parts()) == 60
    for number in range(60):
        on, drawing, written = drawn(number)
        boxes = [item.box for item in drawing.texts]
        assert len(boxes) >= len(written) >= 1
        for one, other in combinations(boxes, 2):
            assert one.overlap(other) < 0.01, (number, one, other)
        dots = [
            Box.about(p, 0.5) for i in drawing.items if isinstance(i, Circles) for p in i.points
        ]
        small = [dot for dot in dots if any(on.map.places[key].small for key in on.regions)]
        leaders = [i for i in drawing.items if isinstance(i, Circles) and i.radius < 0.5]
        ends = {point for item in leaders for point in item.points}
        for box in boxes:
            assert on.box.overlap(box) > 0.999 * box.wide * box.high
            assert not any(box.overlap(dot) > 0.2 for dot in small if dot.centre not in ends)


def test_most_regions_are_named_and_names_are_near_their_place() -> None:
    total = named = 0
    for number in range(60):
        on, drawing, written = drawn(number)
        at = {item.text: item.box for item in drawing.texts}
        if on.box.wide > 60:
            total += len(on.regions)
            named += sum(key in written for key in on.regions)
        for key in set(on.regions) & written.keys():
            if written[key] in at:
                assert at[written[key]].away(on.at(key)) < 90 * on.unit
    assert named > 0.9 * total, (named, total)


def test_the_city_of_london_has_its_name_on_a_page() -> None:
    uk = atlas("uk-counties")
    on = MapDrawing.needed(uk, uk.nation("England"), A4.inner(15))
    written = write_words(Drawing(210, 297), on, {r: Words((uk[r].name,)) for r in on.regions})
    assert written["city_of_london"] == "City of London"
    assert len(written) == 48


def test_what_is_drawn_is_the_map() -> None:
    uk = atlas("uk-counties")
    on = MapDrawing.needed(uk, (), A4)
    drawing = Drawing(210, 297)
    on.draw(drawing, Marks({"kent": "#ff0000", "essex": "#ff0000"}, ["kent"]))
    areas = [item for item in drawing.items if isinstance(item, Areas)]
    (red,) = (item for item in areas if item.fill == "#ff0000")
    assert red.rings == on.rings(["essex", "kent"]) or red.rings == on.rings(["kent", "essex"])
    (thick,) = (item for item in areas if item.fill is None)
    assert thick.rings == on.rings(["kent"])
    white = next(item for item in areas if item.fill == "#ffffff")
    others = [key for key in on.regions if key not in ("kent", "essex")]
    assert set(white.rings) == set(on.rings(others))
    (bridges,) = (i for i in drawing.items if isinstance(i, Lines) and len(i.lines[0]) == 4)
    assert len(bridges.lines) == 2 * 4


def test_frontiers_are_where_nations_touch() -> None:
    uk = atlas("uk-counties")
    on = MapDrawing.needed(uk, (), A4)
    drawing = Drawing(210, 297)
    on.frontiers(drawing, {region.id: region.nation for region in uk})
    (lines,) = drawing.items
    assert isinstance(lines, Lines)
    sides = {frozenset(line) for line in lines.lines}

    def shared(one: str, other: str) -> bool:
        def steps(key: str) -> set[frozenset[Any]]:
            rings = on.outlines([key])
            return {frozenset(p) for ring in rings for p in pairwise(ring)}

        return bool(steps(one) & steps(other) & sides)

    assert shared("cumbria", "dumfries_and_galloway")
    assert shared("powys", "shropshire")
    assert not shared("cumbria", "northumberland")


def test_hatching_stays_inside_and_leaves_out_holes() -> None:
    square = [(0.0, 0.0), (10.0, 0.0), (10.0, 10.0), (0.0, 10.0)]
    hole = [(4.0, 4.0), (6.0, 4.0), (6.0, 6.0), (4.0, 6.0)]
    lines = hatched([square, hole], 1, 0, 1)
    assert len([line for line in lines if line[0][1] == 5]) == 2
    assert sum(v[0] - u[0] for u, v in lines) == pytest.approx(10 * 10 - 2 * 2)
    assert hatched([], 1) == []


def test_a_map_of_ones_own_shows_points_and_their_borders() -> None:
    rows = [{"name": n, "lon": lon, "lat": 50} for n, lon in (("A", 1), ("B", 2), ("C", 4))]
    own = Atlas.build(rows, [("A", "B")])
    drawing = Drawing(100, 100)
    on = MapDrawing.needed(own, (), Box(0, 0, 100, 100))
    on.draw(drawing)
    (dots,) = (item for item in drawing.items if isinstance(item, Circles))
    assert len(dots.points) == 3
    assert [len(i.lines) for i in drawing.items if isinstance(i, Lines)] == [1]
    assert write_words(drawing, on, {key: Words((key,)) for key in on.regions}) == {
        k: k for k in "abc"
    }


def test_parts_and_editions_have_maps() -> None:
    world = atlas("world-countries")
    for part in (world.edition("Europe"), atlas("uk-counties").nation("Wales")):
        drawn = part.map()
        assert drawn is not None
        inside = {key for key, place in drawn.places.items() if place.kind == "region"}
        assert inside == {region.id for region in part}
        assert f"<title>map of {part.name}</title>" in part.picture(width=80).svg


# Files.


def pictures() -> dict[str, Callable[[], Picture]]:
    wales = atlas("uk-counties").nation("Wales")
    return {
        "named": lambda: wales.picture(title="Wales"),
        "numbers": lambda: wales.picture(numbers=list(wales), highlight=["Powys"], height=90),
        "shades": lambda: wales.picture(
            fill={region: n for n, region in enumerate(wales)},
            links=[("Powys", "Gwynedd")],
            labels=["Powys"],
        ),
        "states": lambda: atlas("us-states").picture(labels="abbreviations", fill={"Ohio": "red"}),
    }


@pytest.mark.parametrize("name", pictures())
def test_pdf_and_svg_agree(name: str) -> None:
    pytest.importorskip("fpdf")
    pdfium = pytest.importorskip("pypdfium2")
    image = pytest.importorskip("PIL.Image")
    png = pytest.importorskip("adjoin.drawing.png").png
    picture = pictures()[name]()
    page = pdfium.PdfDocument(pdf([picture.drawing], picture.title))[0]
    shown = re.sub(r"\s", "", page.get_textpage().get_text_range())
    for item in picture.drawing.texts:
        assert re.sub(r"\s", "", item.text) in shown
    printed = page.render(scale=2).to_pil().convert("L")
    with image.open(io.BytesIO(png(picture.svg, 2 * 72 / 96))) as other:
        drawn = other.convert("L").resize(printed.size)
    apart = np.abs(np.asarray(printed, float) - np.asarray(drawn, float))
    assert apart.mean() < 3.5, apart.mean()


def test_a_turned_area_is_the_same_area() -> None:
    pytest.importorskip("fpdf")
    pdfium = pytest.importorskip("pypdfium2")
    flag = Drawing(40, 20)
    flag.add(Areas(((0, 0, 300, 0, 0, 100),), (2, 2), 0.1, "#000000"))
    page = Drawing(40, 20)
    page.put(flag, 0, 0, turn=True)
    pixels = np.asarray(pdfium.PdfDocument(pdf([page], "x"))[0].render(scale=2).to_pil())
    unturned = np.asarray(pdfium.PdfDocument(pdf([flag], "x"))[0].render(scale=2).to_pil())
    assert np.abs(pixels[::-1, ::-1].astype(int) - unturned).mean() < 5
    assert "scale(-0.1)" in svg(page, "x")


def test_pictures_are_saved_and_shown(tmp_path: Path) -> None:
    picture = pictures()["shades"]()
    assert repr(picture).startswith("<Picture map of uk-counties (Wales): ")
    assert picture._repr_svg_() == picture.svg
    assert ET.fromstring(picture.svg).tag.endswith("svg")
    heads = {".svg": b"<svg", ".png": b"\x89PNG", ".pdf": b"%PDF"}
    for suffix, head in heads.items():
        assert picture.save(tmp_path / f"wales{suffix}").read_bytes().startswith(head)


def test_numbers_have_shades_and_a_key() -> None:
    wales = atlas("uk-counties").nation("Wales")
    many = wales.picture(fill={region: 10 * n for n, region in enumerate(wales)})
    assert {"0 to 42", "168 to 210"} <= {item.text for item in many.drawing.texts}
    fills = [i.fill for i in many.drawing.items if isinstance(i, Areas)]
    assert len(set(fills)) >= 5
    few = wales.picture(fill={"Powys": 1, "Gwynedd": 2, "Conwy": None})
    texts = [item.text for item in few.drawing.texts]
    assert {"1", "2"} <= set(texts)
    keyed = wales.picture(fill={"Powys": "red"}, legend={"large": "red"})
    assert "large" in [item.text for item in keyed.drawing.texts]


def test_labels_and_numbers_are_what_was_asked_for() -> None:
    wales = atlas("uk-counties").nation("Wales")

    def texts(**asked: Any) -> set[str]:
        lines = (i for i in wales.picture(**asked).drawing.items if isinstance(i, Text))
        return {line.text for line in lines}

    assert texts(labels="none") == set()
    assert texts(labels=["Powys"]) == {"Powys"}
    assert "NPT" in texts(labels="abbreviations")
    assert texts(numbers={"Powys": 7}) == {"7"}
    assert texts(numbers=["Powys"], labels=["Gwynedd"]) == {"1", "Gwynedd"}


@pytest.mark.parametrize(
    ("make", "error", "words"),
    [
        (lambda uk: uk.picture(["Kentt"]), KeyError, "did you mean Kent"),
        (lambda uk: uk.picture(fill={"Kentt": "red"}), KeyError, "did you mean Kent"),
        (lambda uk: uk.picture(highlight=["Ulster"]), KeyError, "Ulster"),
        (lambda uk: uk.picture(fill={"Kent": "reddish"}), ValueError, '"reddish" is no colour'),
        (lambda uk: uk.picture(fill={"Kent": "#12"}), ValueError, '"#12" is no colour'),
        (lambda uk: uk.picture(fill={"Kent": "red", "Essex": 1}), ValueError, "all are colours"),
        (lambda uk: uk.picture(fill={"Kent": float("nan")}), ValueError, "fill of Kent = nan"),
        (lambda uk: uk.picture(fill="red"), TypeError, "fill maps regions to colours"),
        (lambda uk: uk.picture(links=["Kent"]), ValueError, "a link joins two regions, got 'Kent'"),
        (lambda uk: uk.picture(width=0), ValueError, "width = 0: must be from 20 to 2000"),
        (lambda uk: uk.picture(height="A4"), ValueError, "height = 'A4': must be from 20"),
        (lambda uk: uk.picture(labels="all"), KeyError, "names, abbreviations, none"),
        (lambda uk: uk.picture(["Kent"], width=30).save("map.gif"), ValueError, r"\.svg, \.png or"),
        (lambda _: Atlas.build(["A"], []).picture(), ValueError, "has no map: its regions have"),
    ],
)
def test_bad_input_is_refused_in_clear_words(make: Any, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        make(atlas("uk-counties"))


def test_outlines_of_ones_own(tmp_path: Path) -> None:
    def square(name: str, lon: float) -> dict[str, Any]:
        ring = [[lon, 50], [lon + 1, 50], [lon + 1, 51], [lon, 51], [lon, 50]]
        shape = {"type": "Polygon", "coordinates": [ring]}
        return {"type": "Feature", "properties": {"name": name}, "geometry": shape}

    file = tmp_path / "own.geojson"
    features = [square("Left", 0), square("Right", 1)]
    file.write_text(json.dumps({"type": "FeatureCollection", "features": features}))
    own = Atlas.build(["Left", "Right"], [("Left", "Right")], outlines=file)
    picture = own.picture(fill={"Left": "red"})
    (red,) = (i for i in picture.drawing.items if isinstance(i, Areas) and i.fill == "#d7352c")
    assert len(red.rings) == 1
    assert {item.text for item in picture.drawing.texts} == {"Left", "Right"}
