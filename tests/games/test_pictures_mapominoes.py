"""The pictures of Mapominoes: what they show, where their words are, what they keep secret."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest

from adjoin import Atlas, Match
from pictures import (
    Box,
    Placed,
    assert_large,
    assert_legible,
    contrast,
    marks,
    placed,
    rects_in,
    shown,
    texts_in,
    words_in,
)
from scaffold import ISLAND, cases

if TYPE_CHECKING:
    from collections.abc import Iterator

OPTIONS: list[dict[str, Any]] = [
    {"rounds": 1},
    {"players": 5, "challenges": True, "rounds": 1},
    {"players": 3, "nations": ["Wales", "England"], "staged": True, "table": (9, 9)},
    {"players": 3, "atlas": "us-states"},
    {"players": 5, "atlas": "world-countries"},
    {"atlas": ISLAND, "table": (3, 3)},
]


def moments(options: dict[str, Any]) -> Iterator[Match]:
    """Return a match early, in all phases that come, and at the end."""
    match = Match("mapominoes", seed=3, **options)
    phases: set[str] = set()
    for number in range(400):
        phase = match.view()["phase"]
        if number in (0, 60, 160) or phase not in phases or match.is_over:
            yield match
        phases.add(phase)
        if match.is_over:
            return
        match.play_random(1)
    match.play_random(10**6)
    yield match


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_words_are_on_the_paper_and_never_on_each_other(options: dict[str, Any]) -> None:
    for match in moments(options):
        for viewer in (None, "all"):
            svg = match.svg(viewer)
            assert re.search("<title>Mapominoes: [^<]+</title>", svg)
            assert_legible(svg, texts_in(svg), 1200)


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_words_stay_on_their_cards_and_tiles(options: dict[str, Any]) -> None:
    checked = 0
    for match in moments(options):
        svg = match.svg("all")
        words = texts_in(svg)
        for card, element in rects_in(svg):
            if element.get("rx") not in ("3", "5", "10") or element.get("fill") == "none":
                continue
            for box in words:
                x, y = (box.left + box.right) / 2, (box.top + box.bottom) / 2
                if card.left < x < card.right and card.top < y < card.bottom:
                    assert card.holds(box), (card, box)
                    checked += 1
    assert checked > 10


@cases("options", OPTIONS)
def test_everything_that_is_possible_is_marked(options: dict[str, Any]) -> None:
    seen = set()
    for match in moments(options):
        view, svg = match.view(), match.svg()
        words = words_in(svg)
        seen.add(view["phase"])
        joined = " ".join(words)
        if view["phase"].startswith("place"):
            assert set(view["legal"]) <= set(words)
            waiting = len(view["waiting"])
            dashed = [one for _, one in rects_in(svg) if one.get("stroke-dasharray") == "5 4"]
            assert len(dashed) == len(view["legal"]) + waiting + 1  # and one in the legend
        if view["phase"] in ("go", "follow"):
            through = [name for name in view["legal"] if name.startswith("transit ")]
            cards = [name for name in view["legal"] if name not in (*through, "take")]
            assert words.count("play") == len(cards)
            assert {name[8:] for name in through} <= set(words)
            assert any(word.startswith("take") for word in words) == ("take" in view["legal"])
        if view["phase"] == "challenge":
            assert all(name in joined for name in view["legal"])
    assert {"go", "place"} <= seen


def test_the_last_card_and_the_chosen_card_are_marked_in_words_too() -> None:
    match = Match("mapominoes", position='{"table":{"P11":"surrey"},"hands":[["kent"],["fife"]]}')
    assert "play" in words_in(match.svg())
    match.play("Kent")
    assert "chosen" in words_in(match.svg())
    text = '{"table":{"P11":"surrey"},"hands":[["kent","moray"],["essex","fife"]]}'
    match = Match("mapominoes", position=text)
    match.play("Kent", "P12")
    assert "last P12" in words_in(match.svg())


def test_a_card_that_waits_for_its_follower_is_marked() -> None:
    hands = '[["antrim", "kent"], ["anglesey"]]'
    text = f'{{"table": {{"P11": "merseyside"}}, "hands": {hands}, "transit": [1, 0]}}'
    match = Match("mapominoes", position=text)
    match.play("transit Irish Sea", "P12")
    joined = " ".join(words_in(match.svg()))
    assert "last P12?" in joined
    assert "Mapominoes: seat 0 goes through Irish Sea: which county follows?" in joined


# Cards.


def test_a_card_shows_its_neighbours() -> None:
    text = '{"table": {"P11": "cornwall", "P12": "devon"}, "hands": [["dorset"], ["fife"]]}'
    words = words_in(Match("mapominoes", position=text).svg())
    assert {"Cornwall", "Devon", "Som, Dorset, Cornwall"} <= set(words)


def test_what_cards_border_can_be_hidden() -> None:
    text = '{"table": {"P11": "cornwall", "P12": "devon"}, "hands": [["dorset"], ["fife"]]}'
    match = Match("mapominoes", position=text)
    assert "Dorset borders " in match.svg()
    svg = match.svg(hide_borders=True)
    assert " borders " not in svg
    assert "Som, Dorset, Cornwall" not in words_in(svg)
    assert shown(svg) == shown(match.svg())


@cases("name", Atlas.shipped())
def test_the_names_on_cards_of_one_size_have_letters_of_one_size(name: str) -> None:
    match = Match("mapominoes", atlas=name, seed=1)
    sizes: dict[str, set[float]] = {}
    atlas = Atlas.load(name)
    known = {region.abbreviation for region in atlas} | {region.name for region in atlas}
    svg = match.svg()
    for card, element in rects_in(svg):
        if element.get("rx") == "5" and element.get("width") == "114":
            inside = [one for one in placed(svg) if one.element.text in known and is_in(one, card)]
            for one in inside:
                weight = one.element.get("font-weight", "normal")
                sizes.setdefault(weight, set()).add(one.number("font-size"))
    assert {weight: len(found) for weight, found in sizes.items()} == dict.fromkeys(sizes, 1)
    assert min(sizes["bold"]) >= 11
    assert sizes.get("normal", {11}) == {11}


def is_in(one: Placed, card: Box) -> bool:
    """Return whether a text is on a card, below its strip."""
    x, y = one.x + one.number("x") * one.scale, one.y + one.number("y") * one.scale
    return card.left < x < card.right and card.top + 12 < y < card.bottom


def test_an_atlas_of_ones_own_has_names_nations_and_neighbours() -> None:
    regions = [
        {"id": "n1", "name": "North", "nation": "Up"},
        {"id": "s1", "name": "South", "nation": "Down"},
        {"name": "West", "nation": "Down"},
    ]
    atlas = Atlas.build(regions, [("n1", "s1"), ("s1", "west")], {"Big Sea": ["n1"]}, name="three")
    text = '{"table": {"B2": "s1"}, "hands": [["n1"], ["west"]]}'
    match = Match("mapominoes", position=text, atlas=atlas, table=(3, 3))
    assert {"North", "South", "North, West", "Up", "Down"} <= set(words_in(match.svg()))
    assert "card North" in shown(match.svg())
    match.play("North")
    assert "Mapominoes: seat 0 plays North: where?" in words_in(match.svg())


def test_a_table_of_many_columns_has_small_cards_with_their_abbreviations() -> None:
    match = Match("mapominoes", seed=4)
    match.play_random(190)
    view, svg = match.view("all"), match.svg("all")
    cards = view["table"]["cards"]
    assert max(c["column"] for c in cards) - min(c["column"] for c in cards) > 13
    words = " ".join(words_in(svg))
    assert all(word in words for card in cards for word in card["abbreviation"].split())


@cases("name", Atlas.shipped())
def test_nations_have_marks_of_their_own_that_can_be_read(name: str) -> None:
    match = Match("mapominoes", atlas=name, seed=1)
    match.play_random(40)
    svg = match.svg("all")
    words = words_in(svg)
    marked = [words[words.index(nation) - 1] for nation in Atlas.load(name).nations]
    assert len({mark.lower() for mark in marked}) == len(marked)
    cards = set(re.findall(r'fill="(#\w{6})" rx="5"/><path d="[^"]*" fill="(#\w{6})"', svg))
    assert len(cards) == len(marked)
    for ground, band in cards:
        assert contrast("#222222", ground) >= 7
        assert contrast("#ffffff", band) >= 4.5


# Maps.


@cases("name", Atlas.shipped())
def test_the_map_has_a_place_for_every_region(name: str) -> None:
    svg = Match("mapominoes", atlas=name).svg()
    assert "Map" in words_in(svg)
    assert {f"region {region.name}" for region in Atlas.load(name)} <= set(shown(svg))


def test_tiles_are_there_if_they_are_asked_for() -> None:
    svg = Match("mapominoes", nations=["Wales"]).svg(tile_map=True)
    words = set(words_in(svg))
    assert "Tile map" in words
    wales = Atlas.load("uk-counties").nation("Wales")
    assert {region.abbreviation for region in wales} <= words
    assert {f"region {region.name}" for region in wales} <= set(shown(svg))
    assert "Map" in words_in(Match("mapominoes", atlas="us-states").svg(tile_map=True))


def test_an_atlas_that_does_not_say_where_it_is_has_no_map() -> None:
    assert "Map" not in words_in(Match("mapominoes", atlas=ISLAND, table=(3, 3)).svg())


def test_without_borders_the_map_names_only_what_lies() -> None:
    match = Match("mapominoes", seed=2, nations=["Wales"])
    match.play_random(6)
    laid = {card["id"] for card in match.view()["table"]["cards"]}
    map_words = set(words_in(match.svg(hide_borders=True).partition(">Map<")[2]))
    named = {r.id for r in Atlas.load("uk-counties").nation("Wales") if r.abbreviation in map_words}
    assert named <= laid
    assert named


def test_maps_and_cards_stay_the_same_while_the_table_grows() -> None:
    match = Match("mapominoes", seed=3, players=5)
    before = set(re.split("(?<=>)(?=<)", match.svg("all")))
    match.play_random(30)
    after = set(re.split("(?<=>)(?=<)", match.svg("all")))
    assert len(after - before) < 0.5 * len(after)


# Places.


@cases("options", OPTIONS)
def test_the_places_are_the_viewers_cards_and_all_empty_cells_beside_cards(
    options: dict[str, Any],
) -> None:
    for match in moments(options):
        for viewer in range(match.spec.seats):
            view, keys = match.view(viewer), shown(match.svg(viewer))
            atlas = Atlas.from_option(view["atlas"])
            held = [f"card {atlas[card].name}" for card in view["hands"][viewer]["cards"]]
            assert [key for key in keys if key.startswith("card ")] == held
            assert ("transit card" in keys) == bool(view["hands"][viewer]["transit"])
            cards = [*view["table"]["cards"], *view["waiting"]]
            taken = {(card["column"], card["row"]) for card in cards}
            beside = {
                (x, y)
                for column, row in taken
                for x, y in (
                    (column + 1, row),
                    (column - 1, row),
                    (column, row + 1),
                    (column, row - 1),
                )
                if x in range(view["table"]["columns"]) and y in range(view["table"]["rows"])
            }
            cells = [key for key in keys if key.startswith("cell ")]
            assert len(cells) == len(set(cells))
            if not match.is_over:
                assert len(cells) == len(beside - taken)


@cases("options", OPTIONS[:1] + OPTIONS[-1:])
def test_places_are_large_enough_to_click(options: dict[str, Any]) -> None:
    for match in moments(options):
        assert_large(match.svg())


def test_names_cannot_break_a_picture() -> None:
    names = ["<b> one", '"two"', "A & B", "'four'"]
    atlas = Atlas.build(names, [*pairwise(names)], {"<sea>": names}, name="<")
    match = Match("mapominoes", atlas=atlas, table=(3, 3), seed=1)
    keys: set[str] = set()
    while not match.is_over:
        keys.update(shown(match.svg()))
        assert marks(match.svg(), "data-place")
        match.play_random(1)
    assert {f"card {name}" for name in names} | {"water <sea>"} <= keys
