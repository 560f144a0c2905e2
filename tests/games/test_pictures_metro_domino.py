"""The pictures of Metro Domino: legible, complete, and nothing but the view."""

from __future__ import annotations

import itertools
import json
from typing import TYPE_CHECKING, Any

import pytest

from adjoin import Match, Stations
from adjoin.data.stations import Line
from pictures import (
    SVG,
    Box,
    assert_large,
    assert_legible,
    marks,
    moments,
    placed,
    rects_in,
    shown,
    texts_in,
)
from scaffold import cases

if TYPE_CHECKING:
    from collections.abc import Iterator

ODD = Stations.build(
    {
        "The <Start> of it all": [2, 3, 2, 1, 1, 2],
        "Two": [1, 3, 2],
        "A station with a long & wide name": [1, Line(1, min=2, max=7, no_doubles=True), 2, 2],
        "W" * 40: [1],
        "X": [1, 12],
    }
)
LONG = Stations.build({"Hub": [12, 14, 3, 13], "North": [12, 3], "South": [15, 4], "East": [5, 12]})
METRO: list[dict[str, Any]] = [
    {"players": 2},
    {"players": 4},
    {"players": 4, "stations": ODD, "wins_needed": 100},
    {"players": 3, "stations": Stations.build({"Only": [1, 55]})},
    {"stations": LONG},
]


def tiles_in(svg: str) -> list[Box]:
    """Return where tiles and places for them are."""
    return [
        box._replace(what="tile")
        for box, element in rects_in(svg)
        if element.get("width") in ("44", "33", "25", "13") and element.get("fill") != "none"
    ]


def matches(options: dict[str, Any], stride: int) -> Iterator[Match]:
    return moments(Match("metro_domino", seed=3, **options), stride)


@pytest.mark.parametrize("options", METRO, ids=str)
def test_no_text_and_no_tile_of_a_metro_map_covers_another(options: dict[str, Any]) -> None:
    for match in matches(options, 6):
        for viewer in (None, "all"):
            svg = match.svg(viewer)
            assert_legible(svg, texts_in(svg) + tiles_in(svg), 1100)


@cases("options", METRO)
def test_tracks_go_straight_or_diagonally_and_never_cross(options: dict[str, Any]) -> None:
    for match in matches(options, 10):
        segments = []
        for one in placed(match.svg()):
            if one.element.tag == f"{SVG}polyline" and one.element.get("stroke-width") == "7":
                points = [
                    tuple(map(float, at.split(","))) for at in one.element.get("points", "").split()
                ]
                for (x, y), (u, v) in itertools.pairwise(points):
                    assert x == u or y == v or abs(abs(x - u) - abs(y - v)) < 0.1
                    segments.append((x, y, u, v))
        along = [(y, x, u) for x, y, u, v in segments if y == v]
        upright = [(x, min(y, v), max(y, v)) for x, y, u, v in segments if x == u]
        for y, left, right in along:
            for x, top, bottom in upright:
                assert not (left < x < right and top < y < bottom)


def test_a_metro_map_marks_the_places_and_tiles_that_can_be_played_and_the_last_tile() -> None:
    marked = lasts = 0
    for match in matches({"players": 4}, 1):
        view, svg = match.view(), match.svg()
        plays = [action.split(" ", 1) for action in view["legal"] if " " in action]
        lines = {line["name"]: line["station"] for line in view["lines"]}
        names = {name.removesuffix(" reversed") for _, name in plays}
        assert marks(svg, "data-legal") == sorted(lines[name] for name in names)
        tiles = {"-".join(sorted(halves.split("-"))) for halves, _ in plays}
        assert marks(svg, "data-tile") == sorted(tiles)
        marked += len(names)
        name = (view["last"] or "").partition(" ")[2].removesuffix(" reversed")
        assert marks(svg, "data-last") == ([lines[name]] if name else [])
        lasts += bool(name)
        for seat in range(4):
            if seat != match.to_act:
                assert marks(match.svg(seat), "data-legal") == []
    assert marked > 100
    assert lasts > 30


def test_a_metro_map_names_the_stations_and_who_opened_them() -> None:
    for match in matches({"players": 4}, 5):
        view = match.view()
        texts = [box.what for box in texts_in(match.svg())]
        for station in view["stations"]:
            assert texts.count(station["name"]) == station["is_open"]
        for seat, hand in enumerate(view["hands"]):
            assert texts.count(str(seat)) == 1 + hand["stations"]
        letters = [line["name"][-1] for line in view["lines"] if line["state"] != "waiting"]
        assert all(texts.count(letter) == letters.count(letter) for letter in "ABCD")


def test_a_line_out_of_service_ends_with_a_cross() -> None:
    lines = {
        "Start A": ["0-9"],
        "Start C": ["1-9", "9-2", "2-3", "3-9", "9-4"],
        "Start D": ["5-9", "9-6", "6-7", "7-9", "9-8"],
        "Wall Street B": ["9-9"],
    }
    opened = [{"station": "wall_street", "by": 0, "line": "Start C"}]
    position = {"lines": lines, "opened": opened, "hands": [["0-0", "4-4"], ["1-1"]]}
    match = Match("metro_domino", position=json.dumps(position))
    for viewer in (0, 1, "all"):
        svg = match.svg(viewer)
        assert marks(svg, "data-out-of-service") == ["Start A", "Wall Street B"]
        assert_legible(svg, texts_in(svg) + tiles_in(svg), 1100)
    assert marks(Match("metro_domino").svg(), "data-out-of-service") == []


def test_the_seats_can_be_told_apart_without_colours() -> None:
    svg = Match("metro_domino", players=4).svg()
    colours = "#0072b2", "#d55e00", "#009e73", "#cc79a7"
    outlines = []
    for one in placed(svg):
        if (
            one.element.get("fill") in colours
            and one.element.tag != f"{SVG}text"
            and one.element.get("r") != "9.5"
        ):
            points = [at.split(",") for at in one.element.get("points", "").split()]
            tilted = len({x for x, _ in points}) > 2
            outlines.append((one.element.tag, len(points), tilted))
    assert len(outlines) == len(set(outlines)) == 4


def test_a_wide_map_is_made_narrower_before_it_is_made_smaller() -> None:
    plain = Match("metro_domino").svg()
    assert "scale(0" not in plain
    wide = Match("metro_domino", stations=Stations.build({"Hub": [24, 2], "Far": [3]})).svg()
    assert "scale(0" not in wide
    assert sum(element.get("width") == "25" for _, element in rects_in(wide)) == 24


# Places.


def test_the_places_are_the_viewers_tiles_and_the_open_lines() -> None:
    for match in matches({"players": 4}, 7):
        for viewer in range(4):
            view, keys = match.view(viewer), shown(match.svg(viewer))
            hand = view["hands"][viewer]
            held = [f"tile {low}-{high}" for low, high in map(sorted, hand["held"])]
            assert [key for key in keys if key.startswith("tile ")] == held
            lines = [f"line {one['name']}" for one in view["lines"] if one["state"] != "waiting"]
            assert sorted(key for key in keys if key.startswith("line ")) == sorted(lines)
            assert keys.count("pile") == 1
            assert keys.count("token") == bool(hand["tokens"])


def test_places_are_large_enough_to_click() -> None:
    for match in matches({"players": 4}, 5):
        assert_large(match.svg())
