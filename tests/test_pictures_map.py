"""The pictures of Mapominoes: what they show, where their words are, what they keep secret."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

import pytest
from conftest import ISLAND, THREE_IN_WALES

from adjoin import Atlas, Batch, Match, render
from adjoin.render import maps
from adjoin.render.draw import fitted, measure, shortened, wrapped
from adjoin.render.mapominoes import _NATIONS, _initials

if TYPE_CHECKING:
    from collections.abc import Iterator

SVG = "{http://www.w3.org/2000/svg}"
OPTIONS: list[dict[str, Any]] = [
    {"rounds": 1},
    {"players": 5, "challenges": True},
    {"players": 3, "nations": ["Wales", "England"], "staged": True, "table": (9, 9)},
    {"players": 3, "atlas": "us-states"},
    {"players": 5, "atlas": "world-countries"},
    {"atlas": ISLAND, "table": (3, 3)},
]
Box = tuple[float, float, float, float]


def moments(options: dict[str, Any]) -> Iterator[Match]:
    """Return a match early, in all phases that come, and at the end."""
    match = Match("mapominoes", seed=3, **options)
    phases: set[str] = set()
    for number in range(400):
        phase = match.view()["phase"]
        if number in (0, 60) or phase not in phases or match.is_over:
            yield match
        phases.add(phase)
        if match.is_over:
            return
        match.play_random(1)
    match.play_random(10**6)
    yield match


def boxes(root: ElementTree.Element) -> list[tuple[str, Box]]:
    """Return all words of a picture with their boxes."""
    found = []
    for element in root.iter(f"{SVG}text"):
        words, size = element.text or "", float(element.attrib["font-size"])
        wide = measure(words, size, element.get("font-weight") == "bold")
        x, y = float(element.attrib["x"]), float(element.attrib["y"])
        left = {"start": x, "middle": x - wide / 2, "end": x - wide}[element.attrib["text-anchor"]]
        found.append((words, (left, y - 0.75 * size, left + wide, y + 0.2 * size)))
    return found


def meet(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def words_of(match: Match, viewer: Any = None) -> list[str]:
    return [words for words, _ in boxes(ElementTree.fromstring(match.svg(viewer)))]


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_words_are_on_the_paper_and_never_on_each_other(options: dict[str, Any]) -> None:
    for match in moments(options):
        for viewer in (None, "all"):
            root = ElementTree.fromstring(match.svg(viewer))
            title = root.find(f"{SVG}title")
            assert title is not None
            assert str(title.text).startswith("Mapominoes: ")
            right, bottom = float(root.attrib["width"]), float(root.attrib["height"])
            found = boxes(root)
            for _, box in found:
                assert 0 <= box[0] < box[2] <= right
                assert 0 <= box[1] < box[3] <= bottom
            overlapping = [
                (one, other)
                for (one, box), (other, around) in combinations(found, 2)
                if meet(box, around)
            ]
            assert overlapping == []


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_words_stay_on_their_cards_and_tiles(options: dict[str, Any]) -> None:
    checked = 0
    for match in moments(options):
        root = ElementTree.fromstring(match.svg("all"))
        words = boxes(root)
        for card in root.iter(f"{SVG}rect"):
            x, y, wide, high = (float(card.attrib[key]) for key in ("x", "y", "width", "height"))
            if card.get("rx") not in ("3", "5") or card.get("fill") == "none":
                continue
            inside = [
                box
                for _, box in words
                if x < (box[0] + box[2]) / 2 < x + wide and y < (box[1] + box[3]) / 2 < y + high
            ]
            assert all(x <= box[0] and box[2] <= x + wide for box in inside)
            assert all(y <= box[1] and box[3] <= y + high for box in inside)
            checked += len(inside)
    assert checked > 10


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_everything_that_is_possible_is_marked(options: dict[str, Any]) -> None:
    seen = set()
    for match in moments(options):
        view, words = match.view(), words_of(match)
        seen.add(view["phase"])
        joined = " ".join(words)
        dashed = [
            element
            for element in ElementTree.fromstring(match.svg()).iter(f"{SVG}rect")
            if element.get("stroke-dasharray") == "5 4"
        ]
        if view["phase"].startswith("place"):
            assert set(view["legal"]) <= set(words)
            waiting = view["waiting"] is not None
            assert len(dashed) == len(view["legal"]) + waiting + 1  # and one in the legend
        if view["phase"] in ("go", "follow"):
            through = [name for name in view["legal"] if name.startswith("transit ")]
            cards = [name for name in view["legal"] if name not in (*through, "take")]
            assert words.count("play") == len(cards)
            assert all(name[8:] in joined for name in through)
            assert any(word.startswith("take") for word in words) == ("take" in view["legal"])
        if view["phase"] == "challenge":
            assert all(name in joined for name in view["legal"])
    assert {"go", "place"} <= seen


def test_the_last_card_and_the_chosen_card_are_marked_in_words_too() -> None:
    match = Match("mapominoes", position='{"table":{"P11":"surrey"},"hands":[["kent"],["fife"]]}')
    assert "play" in words_of(match)
    match.play("Kent")
    assert "chosen" in words_of(match)
    text = '{"table":{"P11":"surrey"},"hands":[["kent","moray"],["essex","fife"]]}'
    match = Match("mapominoes", position=text)
    match.play("Kent", "P12")
    assert "last P12" in words_of(match)


def test_a_card_that_waits_for_its_follower_is_marked() -> None:
    hands = '[["antrim", "kent"], ["anglesey"]]'
    text = f'{{"table": {{"P11": "merseyside"}}, "hands": {hands}, "transit": [1, 0]}}'
    match = Match("mapominoes", position=text)
    match.play("transit Irish Sea", "P12")
    words = words_of(match)
    assert "last P12?" in words
    assert "Mapominoes: seat 0 goes through Irish Sea: which county follows?" in words


def test_a_county_whose_card_cannot_be_told_from_its_id_is_listed() -> None:
    regions = [{"id": "n1", "name": "North"}, {"id": "s1", "name": "South"}, {"name": "West"}]
    atlas = Atlas.build(regions, [("n1", "s1"), ("s1", "west")], name="three")
    text = '{"table": {"B2": "s1"}, "hands": [["n1"], ["west"]]}'
    match = Match("mapominoes", position=text, atlas=atlas, table=(3, 3))
    assert match.view()["legal"] == ["North", "take"]
    assert "can be played: North" in words_of(match)


# Cards.


def test_a_card_shows_its_neighbours() -> None:
    text = '{"table": {"P11": "cornwall", "P12": "devon"}, "hands": [["dorset"], ["fife"]]}'
    words = words_of(Match("mapominoes", position=text))
    assert {"Cornwall", "Devon", "Som, Dorset, Cornwall"} <= set(words)


@pytest.mark.parametrize("name", Atlas.shipped())
def test_the_marks_of_the_nations_differ_without_colours(name: str) -> None:
    nations = list(Atlas.load(name).nations)
    marks = _initials(nations)
    assert len({mark.lower() for mark in marks}) == len(nations) <= len(_NATIONS)
    assert all(0 < measure(mark, 9, bold=True) < 40 for mark in marks)


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
    words = words_of(Match("mapominoes"))
    assert {"Tile map", "true positions"} <= set(words)
    assert {region.abbreviation for region in Atlas.load("uk-counties")} <= set(words)


def test_an_atlas_without_tiles_has_true_positions_and_one_of_ones_own_has_no_map() -> None:
    words = words_of(Match("mapominoes", atlas="us-states"))
    assert "True positions" in words
    assert "Tile map" not in words
    assert maps.atlas_of(Match("mapominoes", atlas=ISLAND, table=(3, 3)).view()) is None


@pytest.mark.parametrize("name", Atlas.shipped())
def test_the_atlas_of_a_view_is_found(name: str) -> None:
    view = Match("mapominoes", atlas=name).view()
    assert maps.atlas_of(view) == Atlas.load(name)
    view["hands"][0]["cards"].append("atlantis")
    assert maps.atlas_of(view) is None


def test_true_positions_lie_in_a_part_of_the_tile_map_without_tiles() -> None:
    left, top, right, bottom = maps._hole("uk-counties")
    assert right - left >= 2
    assert bottom - top >= 4
    for column, row in Atlas.load("uk-counties").tiles.values():
        assert not (left <= column < right and top <= row < bottom)


# Secrets.


@pytest.mark.parametrize("options", [THREE_IN_WALES, {"players": 5, "challenges": True}], ids=str)
def test_a_picture_does_not_depend_on_what_the_viewer_may_not_know(
    options: dict[str, Any],
) -> None:
    batch, changed = Batch("mapominoes", seed=5, **options), 0
    for number in range(16):
        for seat in range(batch.spec.seats):
            guess = batch.select([0])
            guess.resample_hidden(seat, number)
            assert render.svg(guess.view(viewer=seat)) == render.svg(batch.view(viewer=seat))
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
