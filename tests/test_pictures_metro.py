"""The pictures of Metro Domino and Connections: legible, complete, and nothing but the view."""

from __future__ import annotations

import itertools
import re
from typing import TYPE_CHECKING, Any, NamedTuple
from xml.etree import ElementTree

import pytest

from adjoin import Deck, Match, Stations, render
from adjoin.render.draw import measure
from adjoin.stations import Line

if TYPE_CHECKING:
    from collections.abc import Iterator

SVG = "{http://www.w3.org/2000/svg}"
ODD = Stations.build(
    {
        "The <Start> of it all": [2, 3, 2, 1, 1, 2],
        "Two": [1, 3, 2],
        "A station with a long & wide name": [1, Line(1, min=2, max=7, no_doubles=True), 2, 2],
        "W" * 40: [1],
        "X": [1, 12],
    }
)
METRO: list[dict[str, Any]] = [
    {"players": 2},
    {"players": 4},
    {"players": 4, "stations": ODD, "wins_needed": 100},
    {"players": 3, "stations": Stations.build({"Only": [1, 55]})},
]


class Box(NamedTuple):
    """Where a text or a tile is."""

    left: float
    top: float
    right: float
    bottom: float
    what: str

    def meets(self, other: Box) -> bool:
        """Return whether two boxes overlap."""
        across = min(self.right, other.right) - max(self.left, other.left)
        return across > 0.5 and min(self.bottom, other.bottom) - max(self.top, other.top) > 0.5


def moments(game: str, options: dict[str, Any], stride: int, most: int = 400) -> Iterator[Match]:
    """Play at random, and stop now and then and at the end."""
    match = Match(game, seed=3, **options)
    for number in itertools.count():
        if number % stride == 0 or match.is_over:
            yield match
        if match.is_over or number == most:
            return
        match.play_random(1)


def placed(svg: str) -> Iterator[tuple[float, float, ElementTree.Element]]:
    """Go through the elements of a picture with how far they are moved."""

    def walk(
        parent: ElementTree.Element, x: float, y: float
    ) -> Iterator[tuple[float, float, ElementTree.Element]]:
        for one in parent:
            found = re.fullmatch(r"translate\((\S+) (\S+)\)", one.get("transform", ""))
            right, down = map(float, found.groups()) if found else (0.0, 0.0)
            yield x + right, y + down, one
            yield from walk(one, x + right, y + down)

    return walk(ElementTree.fromstring(svg), 0, 0)


def texts_in(svg: str) -> list[Box]:
    boxes = []
    for x, y, one in placed(svg):
        if one.tag == f"{SVG}text" and one.text:
            size = float(one.get("font-size", "nan"))
            wide = measure(one.text, size, one.get("font-weight") == "bold")
            begin = {"start": 0.0, "middle": wide / 2, "end": wide}[one.get("text-anchor", "")]
            left = x + float(one.get("x", "nan")) - begin
            base = y + float(one.get("y", "nan"))
            boxes.append(Box(left, base - 0.75 * size, left + wide, base + 0.2 * size, one.text))
    return boxes


def tiles_in(svg: str) -> list[Box]:
    """Return where tiles and places for them are."""
    boxes = []
    for x, y, one in placed(svg):
        if one.tag == f"{SVG}rect" and one.get("width") in ("44", "33"):
            if one.get("fill") == "none":
                continue
            left, top = x + float(one.get("x", "nan")), y + float(one.get("y", "nan"))
            wide, high = (float(one.get(name, "nan")) for name in ("width", "height"))
            boxes.append(Box(left, top, left + wide, top + high, "tile"))
    return boxes


def assert_legible(svg: str, boxes: list[Box]) -> None:
    root = ElementTree.fromstring(svg)
    width, height = (float(root.get(name, "nan")) for name in ("width", "height"))
    for box in boxes:
        assert box.left >= 0, box
        assert box.top >= 0, box
        assert box.right <= width, box
        assert box.bottom <= height, box
    for one, other in itertools.combinations(boxes, 2):
        assert not one.meets(other), (one, other)


def marks(svg: str, name: str) -> list[str]:
    return sorted(value for _, _, one in placed(svg) if (value := one.get(name)) is not None)


@pytest.mark.parametrize("options", METRO, ids=str)
def test_no_text_and_no_tile_of_a_metro_map_covers_another(options: dict[str, Any]) -> None:
    for match in moments("metro_domino", options, 6):
        for viewer in (None, "all"):
            svg = match.svg(viewer)
            assert_legible(svg, texts_in(svg) + tiles_in(svg))


@pytest.mark.parametrize("options", METRO, ids=str)
def test_tracks_go_straight_or_diagonally_and_never_cross(options: dict[str, Any]) -> None:
    for match in moments("metro_domino", options, 10):
        segments = []
        for _, _, one in placed(match.svg()):
            if one.tag == f"{SVG}polyline" and one.get("stroke-width") == "7":
                points = [tuple(map(float, at.split(","))) for at in one.get("points", "").split()]
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
    for match in moments("metro_domino", {"players": 4}, 1):
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
    for match in moments("metro_domino", {"players": 4}, 5):
        view = match.view()
        texts = [box.what for box in texts_in(match.svg())]
        for station in view["stations"]:
            assert texts.count(station["name"]) == station["is_open"]
        for seat, hand in enumerate(view["hands"]):
            assert texts.count(str(seat)) == 1 + hand["stations"]
        letters = [line["name"][-1] for line in view["lines"] if line["state"] != "waiting"]
        assert all(texts.count(letter) == letters.count(letter) for letter in "ABCD")


def test_the_seats_can_be_told_apart_without_colours() -> None:
    view = Match("metro_domino", players=4).view()
    colours = "#0072b2", "#d55e00", "#009e73", "#cc79a7"
    outlines = []
    for _, _, one in placed(render.svg(view)):
        if one.get("fill") in colours and one.tag != f"{SVG}text" and one.get("r") != "9.5":
            points = [at.split(",") for at in one.get("points", "").split()]
            tilted = len({x for x, _ in points}) > 2
            outlines.append((one.tag, len(points), tilted))
    assert len(outlines) == len(set(outlines)) == 4


def busy(players: int, stride: int, **options: Any) -> Iterator[Match]:
    """Play Connections so that much is laid, and stop now and then and at the end."""
    match = Match("connections", players=players, seed=5, max_turns=9, **options)
    for number in itertools.count():
        if number % stride == 0 or match.is_over:
            yield match
        if match.is_over:
            return
        words = ("set", "play", "join", "invite", "accept")
        plays = [action for action in match.legal() if action.split()[0] in words]
        if plays:
            match.play(plays[0])
        else:
            match.play_random(1)


ORCHARD = Deck.build(
    {f"Region {n}": [f"City number {n}.{city}" for city in range(5)] for n in range(9)},
    {"A link": ["Region 0", "Region 1"], "W" * 30: ["Region 2", "Region 3", "Region 4"]},
)


@pytest.mark.parametrize("players", [3, 6])
def test_no_text_of_a_world_map_covers_another(players: int) -> None:
    names = 0
    for match in busy(players, 40):
        svg = match.svg()
        texts = texts_in(svg)
        assert_legible(svg, texts)
        at = {box.what: box for box in texts}
        for city in match.view()["cities"]:
            names += city["token"] is not None and city["name"] in at
    assert names > 30


def test_no_text_of_a_table_without_a_map_covers_another() -> None:
    for match in busy(4, 60, deck=ORCHARD):
        assert_legible(match.svg(), texts_in(match.svg()))


def test_the_words_of_a_card_are_on_it() -> None:
    cards = 0
    for match in busy(4, 80):
        box: Box | None = None
        texts = {(box.left, box.what): box for box in texts_in(match.svg("all"))}
        for _, _, one in placed(match.svg("all")):
            x, y = (float(one.get(name, 0)) for name in ("x", "y"))
            if one.tag == f"{SVG}rect" and one.get("width") == "100":
                box = Box(x, y, x + 100, y + float(one.get("height", "nan")), "card")
                cards += 1
            elif one.tag == f"{SVG}text" and one.get("font-size") in ("10", "8"):
                assert box is not None
                words = texts[x, str(one.text)]
                assert box.left < words.left < words.right < box.right
                assert box.top < y < box.bottom
    assert cards > 100


def test_a_world_map_marks_the_cities_that_can_be_played_and_the_last_one() -> None:
    marked = lasts = 0
    for match in busy(3, 3):
        view, svg = match.view(), match.svg()
        plays = [action.partition(" ") for action in view["legal"]]
        faces = [face for word, _, face in plays if word in ("set", "play")]
        cities = {face.split("/")[0] for face in faces + view["chosen"]["cities"]}
        rings = [one for _, _, one in placed(svg) if one.get("r") == "10"]
        assert len(rings) == len(cities)
        marked += len(cities)
        word, _, face = (view["last"] or "").partition(" ")
        tokens = {city["name"]: city["token"] for city in view["cities"]}
        is_laid = word in ("set", "play") and tokens[face.split("/")[0]] is not None
        assert sum(one.get("r") == "14" for _, _, one in placed(svg)) == is_laid
        lasts += is_laid
    assert marked > 30
    assert lasts > 5


def test_the_regions_and_the_lines_of_the_seats_can_be_told_apart_without_colours() -> None:
    match = Match("connections", players=6, seed=2)
    svg = match.svg()
    codes = []
    for region in match.view()["regions"]:
        end = f" {region['name']}"
        (entry,) = (box.what for box in texts_in(svg) if box.what.endswith(end))
        codes.append(entry.removesuffix(end))
    assert len(set(codes)) == len(codes) == 12
    samples = [
        one.get("stroke-dasharray")
        for _, _, one in placed(svg)
        if one.tag == f"{SVG}polyline" and one.get("stroke-width") == "3.5"
    ]
    assert len(samples) == len(set(samples)) == 6


@pytest.mark.parametrize("game", ["metro_domino", "connections"])
def test_a_picture_does_not_change_with_what_its_viewer_may_not_know(game: str) -> None:
    changed = 0
    for match in moments(game, {"players": 4}, 15, 120):
        for seat in range(4):
            guess = match.copy()
            guess._batch.resample_hidden(seat, 7)
            assert guess.svg(seat) == match.svg(seat)
            changed += guess.svg("all") != match.svg("all")
    assert changed > 15
