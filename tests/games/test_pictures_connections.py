"""The pictures of Connections: legible, complete, and nothing but the view."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

import pytest

from adjoin import Deck, Match
from pictures import (
    SVG,
    assert_large,
    assert_legible,
    placed,
    rects_in,
    shown,
    texts_in,
    words_in,
)
from scaffold import cases

if TYPE_CHECKING:
    from collections.abc import Iterator


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


@pytest.mark.smoke
@cases("players", [3, 6])
def test_no_text_of_a_world_map_covers_another(players: int) -> None:
    names = 0
    for match in busy(players, 40):
        svg = match.svg()
        texts = texts_in(svg)
        assert_legible(svg, texts, 1000)
        at = {box.what: box for box in texts}
        for city in match.view()["cities"]:
            names += city["token"] is not None and city["name"] in at
    assert names > 30


def test_no_text_of_a_table_without_a_map_covers_another() -> None:
    for match in busy(4, 60, deck=ORCHARD):
        assert_legible(match.svg(), texts_in(match.svg()), 1000)


def test_the_words_of_a_card_are_on_it() -> None:
    cards = 0
    for match in busy(4, 80):
        svg = match.svg("all")
        texts = texts_in(svg)
        for card, element in rects_in(svg):
            if element.get("width") == "112":
                words = [box for box in texts if card.meets(box)]
                assert words
                assert all(card.holds(box) for box in words)
                cards += 1
    assert cards > 100


def test_a_world_map_marks_the_cities_that_can_be_played_and_the_last_one() -> None:
    marked = lasts = 0
    for match in busy(3, 3):
        view, svg = match.view(), match.svg()
        plays = [action.partition(" ") for action in view["legal"]]
        faces = [face for word, _, face in plays if word in ("set", "play")]
        cities = {face.split("/")[0] for face in faces + view["chosen"]["cities"]}
        rings = [one for one in placed(svg) if one.element.get("r") == "10"]
        assert len(rings) == len(cities)
        marked += len(cities)
        word, _, face = (view["last"] or "").partition(" ")
        tokens = {city["name"]: city["token"] for city in view["cities"]}
        is_laid = word in ("set", "play") and tokens[face.split("/")[0]] is not None
        assert sum(one.element.get("r") == "14" for one in placed(svg)) == is_laid
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
        one.element.get("stroke-dasharray")
        for one in placed(svg)
        if one.element.tag == f"{SVG}polyline" and one.element.get("stroke-width") == "3.5"
    ]
    assert len(samples) == len(set(samples)) == 6


def test_a_world_map_names_the_cities_that_can_be_played() -> None:
    named = 0
    for match in busy(3, 3):
        words = set(words_in(match.svg()))
        plays = [action.partition(" ") for action in match.legal()]
        cities = {face.split("/")[0] for word, _, face in plays if word in ("set", "play")}
        assert cities <= words
        named += len(cities)
    assert named > 30


def test_the_seats_follow_the_viewer() -> None:
    match = Match("connections", players=5)
    heads = [words for words in words_in(match.svg(3)) if words.startswith("seat ")]
    assert heads == ["seat 3", "seat 4 (+1)", "seat 0 (+2)", "seat 1 (+3)", "seat 2 (+4)"]
    for viewer in ("all", "onlooker"):
        heads = [words for words in words_in(match.svg(viewer)) if words.startswith("seat ")]
        assert heads == [f"seat {seat}" for seat in range(5)]


# Places.


def test_the_places_are_the_viewers_cards_all_cities_and_the_others() -> None:
    discards = 0
    for match in busy(4, 60):
        for viewer in range(4):
            view, keys = match.view(viewer), shown(match.svg(viewer))
            held = [f"card {name}" for name in view["hands"][viewer]["held"]]
            assert [key for key in keys if key.startswith("card ")] == held
            cities = [f"city {city['name']}" for city in view["cities"]]
            assert [key for key in keys if key.startswith("city ")] == cities
            assert [key for key in keys if key.startswith("player ")] == [
                "player +1",
                "player +2",
                "player +3",
            ]
            assert keys.count("pile") == 1
            assert keys.count("discard pile") == bool(view["discard"])
            discards += bool(view["discard"])
    assert discards > 3


def test_places_are_large_enough_to_click() -> None:
    for match in busy(4, 80):
        assert_large(match.svg())
    assert_large(Match("connections", deck=ORCHARD).svg())
