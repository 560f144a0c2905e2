"""The pictures of Mapominoes: what they show, where their words are, what they keep secret."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest
from conftest import ISLAND, THREE_IN_WALES, VARIANTS, Variant
from pictures import (
    assert_large,
    assert_legible,
    assert_places,
    marks,
    rects_in,
    texts_in,
    words_in,
)

from adjoin import Atlas, Batch, Match, render
from adjoin.places import shown
from adjoin.render import maps
from adjoin.render.draw import fitted, measure, shortened, wrapped
from adjoin.render.mapominoes import _NATIONS, _initials

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


@pytest.mark.parametrize("options", OPTIONS, ids=str)
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


@pytest.mark.parametrize("name", Atlas.shipped())
def test_the_marks_of_the_nations_differ_without_colours(name: str) -> None:
    nations = list(Atlas.load(name).nations)
    initials = _initials(nations)
    assert len({mark.lower() for mark in initials}) == len(nations) <= len(_NATIONS)
    assert all(0 < measure(mark, 9, bold=True) < 40 for mark in initials)


def test_marks_of_nations_differ_even_if_the_names_begin_alike() -> None:
    assert _initials(["Africa", "Americas", "Am"]) == ["Af", "Ame", "Am"]
    assert _initials(["North Island", "New Ireland", "South"]) == ["No", "Ne", "S"]
    assert _initials([]) == []


@pytest.mark.parametrize("colours", _NATIONS)
def test_words_on_the_colours_of_nations_can_be_read(colours: maps.Colours) -> None:
    def light(colour: str) -> float:
        parts = [int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5)]
        linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    assert 1.05 / (light(colours.strong) + 0.05) >= 4.5
    assert (light(colours.pale) + 0.05) / (light("#222222") + 0.05) >= 7


# Maps.


def test_the_tile_map_has_a_tile_for_every_county() -> None:
    svg = Match("mapominoes").svg()
    words = set(words_in(svg))
    assert {"Tile map", "true positions"} <= words
    assert {region.abbreviation for region in Atlas.load("uk-counties")} <= words
    assert {f"region {region.name}" for region in Atlas.load("uk-counties")} <= set(shown(svg))


def test_an_atlas_without_tiles_has_true_positions_and_one_of_ones_own_has_no_map() -> None:
    words = words_in(Match("mapominoes", atlas="us-states").svg())
    assert "True positions" in words
    assert "Tile map" not in words
    words = words_in(Match("mapominoes", atlas=ISLAND, table=(3, 3)).svg())
    assert "True positions" not in words


@pytest.mark.parametrize("atlas", [*map(Atlas.load, Atlas.shipped()), ISLAND], ids=repr)
def test_an_atlas_is_made_of_the_option_that_it_makes(atlas: Atlas) -> None:
    again = Atlas.from_option(atlas.option())
    assert again == atlas
    assert again.name == atlas.name


def test_true_positions_lie_in_a_part_of_the_tile_map_without_tiles() -> None:
    left, top, right, bottom = maps._hole("uk-counties")
    assert right - left >= 2
    assert bottom - top >= 4
    for column, row in Atlas.load("uk-counties").tiles.values():
        assert not (left <= column < right and top <= row < bottom)


def test_maps_and_cards_stay_the_same_while_the_table_grows() -> None:
    match = Match("mapominoes", seed=3, players=5)
    before = set(re.split("(?<=>)(?=<)", match.svg("all")))
    match.play_random(30)
    after = set(re.split("(?<=>)(?=<)", match.svg("all")))
    assert len(after - before) < 0.5 * len(after)


# Places.


@pytest.mark.parametrize("variant", [v for v in VARIANTS if v.game == "mapominoes"], ids=str)
def test_every_legal_action_has_its_places(variant: Variant) -> None:
    assert {"card", "cell", "pile", "transit card"} <= assert_places(variant)


@pytest.mark.parametrize("options", OPTIONS, ids=str)
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


@pytest.mark.parametrize("options", OPTIONS[:1] + OPTIONS[-1:], ids=str)
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


# Secrets.


@pytest.mark.parametrize(
    "options", [THREE_IN_WALES, {"players": 5, "challenges": True, "rounds": 1}], ids=str
)
def test_a_picture_does_not_depend_on_what_the_viewer_may_not_know(
    options: dict[str, Any],
) -> None:
    batch, changed = Batch("mapominoes", seed=5, **options), 0
    for number in range(16):
        for seat in range(batch.spec.seats):
            guess = batch.select([0])
            guess.resample_hidden(seat, number)
            svg = render.svg(guess.view(viewer=seat))
            assert svg == render.svg(batch.view(viewer=seat))
            assert marks(svg, "data-place")
            changed += guess.view(viewer="all") != batch.view(viewer="all")
        batch.play(batch.parse_action(batch.view(viewer="all")["legal"][0]))
    assert changed > 20


# Words that fit.


def test_words_are_made_to_fit() -> None:
    assert shortened("Kent", 10, 100) == "Kent"
    short = shortened("East Riding of Yorkshire", 10, 60)
    assert short.startswith("East R")
    assert short.endswith("…")
    assert measure(short, 10) <= 60
    words, size = fitted("Northants", 14, 9, 76, bold=True)
    assert words == "Northants"
    assert 9 <= size < 14
    assert measure(words, size, bold=True) <= 76
    lines = wrapped(["one", "two", "three", "four"], 10, 50)
    assert " ".join(lines) == "one two three four"
    assert len(lines) > 1
    assert all(measure(line, 10) <= 50 for line in lines)
