"""Charts: well-formed, complete, legible on any page, and no text on top of another."""

from __future__ import annotations

import itertools
import math
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from adjoin.drawing.colours import INK, PAPER, SEATS, SOFT
from adjoin.drawing.lettering import SANS
from adjoin.reports.charts import WIDTH, Band, Chart, dots, heat, histogram, lines
from adjoin.statistics.intervals import Interval, wilson
from pictures import SVG, contrast
from scaffold import cases

LONG = "search(iterations=50000, playouts=random, depth=1000, explore=1.25)"
WORDS = "A title of very many words, " * 6


class Box(NamedTuple):
    words: str
    left: float
    top: float
    right: float
    bottom: float


def parsed(chart: Chart) -> ElementTree.Element:
    return ElementTree.fromstring(chart.svg)


def words_of(chart: Chart) -> list[str]:
    return [str(element.text) for element in parsed(chart).iter(f"{SVG}text")]


def boxes(chart: Chart) -> list[Box]:
    """Return where the texts are, by the widths of a rather wide font."""
    found = []
    for element in parsed(chart).iter(f"{SVG}text"):
        words, size = str(element.text), float(element.attrib["font-size"])
        em = sum(0.95 if c in "mwMW%" else 0.32 if c in "ijl.,:; ()" else 0.62 for c in words)
        wide = em * size * (1.08 if "font-weight" in element.attrib else 1)
        x, y = float(element.attrib["x"]), float(element.attrib["y"])
        left = x - {"start": 0, "middle": wide / 2, "end": wide}[element.attrib["text-anchor"]]
        found.append(Box(words, left, y - 0.75 * size, left + wide, y + 0.2 * size))
    return found


def shares(count: int) -> list[list[Interval | None]]:
    return [
        [None if i == j else wilson(50 * (j > i) + 7 * (i + j) % 50, 100) for j in range(count)]
        for i in range(count)
    ]


generator = np.random.default_rng(5)
CHARTS: dict[str, Chart] = {
    "whole numbers": histogram(
        generator.poisson(300, 2000), title=WORDS, x="decisions", note=WORDS, of="matches"
    ),
    "few numbers": histogram([2, 3, 3], title="Rounds", x="rounds"),
    "one number": histogram([7], title="Rounds", x="rounds"),
    "real numbers": histogram(generator.normal(0, 1e-4, 500), title="Errors", x="metres"),
    "big numbers": histogram(generator.normal(0, 1e9, 500), title="Far", x="metres"),
    "shares": dots(
        {"seat 0": wilson(480, 1000), "seat 1": wilson(520, 1000), "never": wilson(0, 9)},
        title="Shares",
        unit="%",
        reference=0.5,
        x="share of wins",
        colours=SEATS,
    ),
    "long names": dots(
        {LONG: Interval(400, 300, 520), LONG * 2: Interval(0, -50, 60)},
        title="Ratings",
        x="Elo points",
        reference=0,
    ),
    "no ends": dots({"one": Interval(4, -math.inf, math.inf)}, title="Unknown"),
    "no width": dots({"one": Interval(4, 4, 4), "two": Interval(4, 4, 4)}, title="Sure"),
    "far apart": dots({"a": Interval(-1e6, -2e6, 1e6), "b": Interval(0, 0, 0)}, title="Far"),
    "line": lines({"": Band([0, 1, 2], [5, 7, 9])}, title="Growth", x="ply", y="legal actions"),
    "band": lines(
        {
            name: Band(range(90), level + wave, level + wave - 1, level + wave + 2)
            for level, name in enumerate(("random", "greedy", LONG, "another", LONG * 3))
            for wave in [5 * np.sin(np.arange(90) / 9)]
        },
        title="Waves",
        x="decisions",
        y=WORDS,
        note=WORDS,
    ),
    "powers": lines(
        {"a": Band([1, 64, 4096], [1500, 40, 30]), "b": Band([1, 64, 4096], [2000, 900, 910])},
        title="Lanes",
        x="lanes",
        y="ns",
        marked=True,
        powers=True,
    ),
    "point": lines({"": Band([3], [4])}, title="Point", x="x", y="y"),
    "two agents": heat(["random", LONG], shares(2), title="Cross-table", note=WORDS),
    "many agents": heat([f"agent {n}" for n in range(14)], shares(14), title="Cross-table"),
}


@pytest.fixture(params=list(CHARTS))
def chart(request: pytest.FixtureRequest) -> Chart:
    return CHARTS[request.param]


def test_a_chart_is_on_paper_of_its_own_and_has_a_title(chart: Chart) -> None:
    root = parsed(chart)
    _, _, width, height = map(float, root.attrib["viewBox"].split())
    title = root.find(f"{SVG}title")
    assert title is not None
    assert title.text == chart.title
    paper = root.find(f"{SVG}rect")
    assert paper is not None
    assert paper.attrib["fill"] == PAPER
    assert (float(paper.attrib["width"]), float(paper.attrib["height"])) == (width, height)
    assert " ".join(words_of(chart)).startswith(" ".join(chart.title.split()[:3]))


def test_no_text_lies_on_another(chart: Chart) -> None:
    for one, other in itertools.combinations(boxes(chart), 2):
        apart = (
            one.right <= other.left
            or other.right <= one.left
            or one.bottom <= other.top
            or other.bottom <= one.top
        )
        assert apart, (one, other)


def test_no_text_leaves_the_paper(chart: Chart) -> None:
    height = float(parsed(chart).attrib["viewBox"].split()[3])
    for box in boxes(chart):
        assert box.left >= 0, box
        assert box.right <= WIDTH, box
        assert box.top >= 0, box
        assert box.bottom <= height, box


def test_nothing_is_drawn_at_a_place_that_is_no_number(chart: Chart) -> None:
    assert "nan" not in chart.svg.replace("Unknown", "")
    assert "inf" not in chart.svg


def test_words_stand_out_from_what_they_are_written_on() -> None:
    assert contrast(INK, PAPER) > 7
    assert contrast(SOFT, PAPER) > 4.5
    for share in np.linspace(0, 1, 21):
        cell = Interval(float(share), float(share), float(share))
        square = heat(["a", "b"], [[None, cell], [cell, None]], title="t")
        fills = {rect.attrib["fill"] for rect in parsed(square).iter(f"{SVG}rect")} - {PAPER}
        assert all(contrast(INK, fill) > 4.5 for fill in fills)


def test_words_are_made_to_fit() -> None:
    assert SANS.shortened("Kent", 100, 10) == "Kent"
    short = SANS.shortened("East Riding of Yorkshire", 60, 10)
    assert short.startswith("East R")
    assert short.endswith("…")
    assert SANS.measure(short, 10) <= 60
    words, size = SANS.fitted("Northants", 76, 14, 9, bold=True)
    assert words == "Northants"
    assert 9 <= size < 14
    assert SANS.measure(words, size, bold=True) <= 76
    lines = SANS.wrapped("one two three four", 50, 10)
    assert " ".join(lines) == "one two three four"
    assert len(lines) > 1
    assert all(SANS.measure(line, 10) <= 50 for line in lines)


def bars(chart: Chart) -> list[dict[str, float]]:
    rects = list(parsed(chart).iter(f"{SVG}rect"))[1:]
    return [{k: float(r.attrib[k]) for k in ("x", "y", "width", "height")} for r in rects]


def test_bars_are_as_high_as_their_shares() -> None:
    drawn = bars(histogram([1, 2, 2, 2, 5, 5], title="Pips", x="pips", of="dominoes"))
    heights = [bar["height"] for bar in drawn]
    assert heights == pytest.approx([heights[0], 3 * heights[0], 2 * heights[0]], abs=0.02)
    first, second, third = (bar["x"] for bar in drawn)
    assert third - second == pytest.approx(3 * (second - first), abs=0.05)


def test_every_value_is_in_a_bar() -> None:
    for values in (generator.normal(size=300), generator.integers(-500, 900, 300), [0.1, 0.3]):
        drawn = bars(histogram(values, title="t", x="x"))
        tallest = max(drawn, key=lambda bar: bar["height"])
        counts = [round(bar["height"] / tallest["height"] * 1e4) for bar in drawn]
        unit = sum(counts) / len(np.asarray(values))
        assert all(abs(count / unit - round(count / unit)) < 0.1 for count in counts)


@pytest.mark.smoke
def test_dots_and_whiskers_are_where_the_numbers_are() -> None:
    rows = {"a": Interval(10, 5, 20), "b": Interval(30, 25, 45)}
    root = parsed(dots(rows, title="t"))
    centres = [float(dot.attrib["cx"]) for dot in root.iter(f"{SVG}circle")]
    scale = (centres[1] - centres[0]) / 20
    whiskers = [
        [float(point.split(",")[0]) for point in line.attrib["points"].split()]
        for line in root.iter(f"{SVG}polyline")
        if line.attrib.get("stroke-linecap") == "round"
    ]
    assert len(whiskers) == 2
    for centre, whisker, interval in zip(centres, whiskers, rows.values(), strict=True):
        ends = [centre + scale * (end - interval.value) for end in interval[1:]]
        assert whisker == pytest.approx(ends, abs=0.05)


def test_names_and_numbers_are_written() -> None:
    shown = words_of(CHARTS["shares"])
    assert {"seat 0", "seat 1", "48% (45 to 51%)", "share of wins"} <= set(shown)
    assert LONG in words_of(CHARTS["long names"])
    crossed = words_of(CHARTS["two agents"])
    assert {"1. random", "1.", "2.", "57%"} <= set(crossed)
    assert "random" in words_of(CHARTS["band"])


def test_names_are_text_not_markup() -> None:
    chart = dots({"<b>&": Interval(1, 0, 2)}, title="<i>", x="&")
    assert "<b>" not in chart.svg
    assert {"<b>&", "<i>", "&"} <= set(words_of(chart))


def test_a_chart_is_saved_and_shown(tmp_path: Path) -> None:
    chart = CHARTS["line"]
    path = chart.save(tmp_path / "growth.svg")
    assert path.read_text("utf-8") == chart.svg == chart._repr_svg_()
    assert repr(chart) == "<Chart: Growth>"
    with pytest.raises(ValueError, match=r"growth\.png: a chart is saved as SVG"):
        chart.save(tmp_path / "growth.png")


@cases(
    ("draw", "arguments", "words"),
    [
        (histogram, ([],), "at least one"),
        (histogram, ([1, math.nan],), "finite"),
        (histogram, ([[1, 2]],), "needs finite numbers"),
        (dots, ({},), "at least one"),
        (lines, ({},), "at least one"),
        (lines, ({"": Band([1, 2], [1])},), "same length"),
        (lines, ({"": Band([1], [math.inf])},), "finite"),
        (heat, (["a"], [[None, None]]), "as many rows and columns"),
        (heat, ([], []), "as many rows and columns"),
    ],
)
def test_what_cannot_be_drawn_is_refused_in_words(draw: Any, arguments: Any, words: str) -> None:
    more = {"x": "x", "y": "y"} if draw is lines else {"x": "x"} if draw is histogram else {}
    with pytest.raises(ValueError, match=words):
        draw(*arguments, title="t", **more)


def test_a_marked_line_has_a_dot_and_a_name_at_each_place_and_room_for_its_values() -> None:
    band = Band([2, 3, 5], [60, 61, 59.5], [59.8, 60.8, 59.2], [60.2, 61.2, 59.8])
    marked = lines({"a": band, "b": band}, title="T", x="players", y="turns", marked=True)
    assert marked.svg.count("<circle") == 6
    words = words_of(marked)
    assert [word for word in words if word in ("2", "2.5", "3", "4", "5")] == ["2", "3", "5"]
    assert "0" not in words
    plain = lines({"a": band, "b": band}, title="T", x="players", y="turns")
    assert "<circle" not in plain.svg
    assert {"0", "2.5"} <= set(words_of(plain))
    crowded = Band(np.arange(2000, 2100), np.arange(100))
    close = lines({"": crowded}, title="T", x="x", y="y", marked=True)
    assert close.svg.count("<circle") == 100
    assert {"2,000", "2,050"} <= set(words_of(close))
    assert "2,001" not in words_of(close)


def test_by_powers_equal_factors_are_equally_far() -> None:
    doubled = Band([1, 10, 100], [20, 40, 80])
    chart = lines({"": doubled}, title="T", x="lanes", y="cost", marked=True, powers=True)
    dots_at = [
        (float(dot.attrib["cx"]), float(dot.attrib["cy"]))
        for dot in parsed(chart).iter(f"{SVG}circle")
    ]
    steps = [(b[0] - a[0], b[1] - a[1]) for a, b in itertools.pairwise(dots_at)]
    assert steps[0] == pytest.approx(steps[1], abs=0.01)
    assert words_of(chart)[-4:-1] == ["1", "10", "100"]
    assert words_of(chart)[2:5] == ["20", "50", "100"]


@pytest.mark.parametrize(
    ("across", "named"),
    [
        ([4**n for n in range(11)], ["1", "10", "100", "1,000", "10,000", "100,000", "1,000,000"]),
        (np.linspace(3, 4, 99), ["3", "4"]),
    ],
)
def test_powers_are_named_where_the_places_are_too_many(across: Any, named: list[str]) -> None:
    band = Band(across, np.full(len(across), 7))
    chart = lines({"": band}, title="T", x="lanes", y="cost", marked=True, powers=True)
    assert words_of(chart)[-1 - len(named) : -1] == named


@pytest.mark.parametrize("band", [Band([0, 1], [1, 1]), Band([1, 2], [1, 1], [0, 1], [2, 2])])
def test_by_powers_all_numbers_are_above_0(band: Band) -> None:
    with pytest.raises(ValueError, match="by powers needs numbers above 0"):
        lines({"": band}, title="T", x="x", y="y", powers=True)


def test_a_line_is_drawn_over_the_bands_of_all() -> None:
    band = Band([0, 1], [1, 2], [0, 1], [2, 3])
    svg = lines(dict.fromkeys("abcd", band), title="T", x="x", y="y").svg
    assert svg.rindex("<polygon") < svg.index("<polyline", svg.index("<polygon"))
