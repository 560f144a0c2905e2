"""The pictures of Mapello: legible, complete, also without colours, and nothing but the view."""

from __future__ import annotations

import itertools
import re
from typing import TYPE_CHECKING
from xml.etree import ElementTree

import pytest
from conftest import OPTIONS, Variant

from adjoin import Match, render
from adjoin.places import places, shown
from adjoin.render.draw import measure
from adjoin.render.mapello import _symbol

if TYPE_CHECKING:
    from collections.abc import Iterator

SVG = "{http://www.w3.org/2000/svg}"
VARIANTS = [Variant("mapello", options) for options in OPTIONS["mapello"]]
CELLS = [f"{letter}{row}" for row in range(1, 9) for letter in "abcdefgh"]
RING = [f"{r},{c}" for r in range(10) for c in range(10) if {r, c} & {0, 9}]

MIDDLE = {8: CELLS, 6: [cell for cell in CELLS if not {*cell} & {*"ah18"}]}
MIDDLE[4] = [cell for cell in MIDDLE[6] if not {*cell} & {*"bg27"}]
"""The cells that are played on, by size."""

Box = tuple[float, float, float, float]


def moments(variant: Variant, stride: int = 1, seed: int = 4) -> Iterator[Match]:
    """Play at random, and stop now and then and at the end."""
    match = variant.match(seed=seed)
    for number in itertools.count():
        if number % stride == 0 or match.is_over:
            yield match
        if match.is_over:
            return
        match.play_random(1)


def named(action: str) -> set[str]:
    """Return the places that an action names."""
    return set(places("mapello", action))


def texts(svg: str) -> list[tuple[Box, str]]:
    """Return the words of a picture and the boxes they fit in."""
    found = []
    for one in ElementTree.fromstring(svg).iter(f"{SVG}text"):
        size, words = float(one.get("font-size", "nan")), one.text or ""
        wide = measure(words, size, one.get("font-weight") == "bold")
        left = float(one.get("x", "nan")) - (wide / 2 if one.get("text-anchor") == "middle" else 0)
        base = float(one.get("y", "nan"))
        found.append(((left, base - 0.75 * size, left + wide, base + 0.2 * size), words))
    return found


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_no_word_covers_another_or_leaves_the_picture(variant: Variant) -> None:
    for match in moments(variant, 4):
        svg = match.svg()
        root = ElementTree.fromstring(svg)
        width, height = (float(root.get(name, "nan")) for name in ("width", "height"))
        assert width < 500
        for (left, top, right, bottom), words in texts(svg):
            assert left >= 0, words
            assert top >= 0, words
            assert right <= width, words
            assert bottom <= height, words
        for (one, word), (two, other) in itertools.combinations(texts(svg), 2):
            across = min(one[2], two[2]) - max(one[0], two[0])
            down = min(one[3], two[3]) - max(one[1], two[1])
            assert across <= 0.5 or down <= 0.5, (word, other)


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_the_paper_is_behind_everything(variant: Variant) -> None:
    root = ElementTree.fromstring(variant.match().svg())
    title, paper = root[:2]
    assert (title.tag, paper.tag) == (f"{SVG}title", f"{SVG}rect")
    assert [paper.get(name) for name in ("x", "y")] == ["0", "0"]
    assert [paper.get(name) for name in ("width", "height")] == [
        root.get(name) for name in ("width", "height")
    ]


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_every_legal_action_has_its_places(variant: Variant) -> None:
    phases = set()
    for match in itertools.chain(*(moments(variant, seed=seed) for seed in range(3))):
        phase, size = match.view()["phase"], match.view()["size"]
        phases.add(phase)
        for seat in range(2):
            found = shown(match.svg(seat))
            assert len(found) == len(set(found))
            for action in match.legal():
                assert named(action) <= set(found), action
            kinds = {"set_up": ["piece"] * 3, "colour": ["colour"] * 2}.get(phase, [])
            cells = MIDDLE[size] + RING * (phase == "set_up" and size == 8)
            assert sorted(found) == sorted(
                [f"cell {cell}" for cell in cells]
                + [key for key in found if key.partition(" ")[0] in kinds]
            )
            assert [key.partition(" ")[0] for key in found][len(cells) :] == kinds
        assert shown(match.svg("all")) == []
    is_free = variant.options.get("setup") == "free"
    assert phases == ({"set_up", "colour"} if is_free else set()) | {"play", "over"}


def test_a_match_and_a_batch_give_the_same_places_to_both_seats() -> None:
    match = Match("mapello", setup="free", seed=3)
    match.play("wall c3", "joker 0,4")
    assert shown(match.svg(0)) == shown(match.svg(1)) == shown(render.svg(match._batch.view()))


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_cells_that_can_be_played_on_are_marked(variant: Variant) -> None:
    for match in moments(variant, 3):
        root = ElementTree.fromstring(match.svg())
        marked = set()
        for one in root.iter(f"{SVG}g"):
            fills = [part.get("fill") for part in one.findall(f"{SVG}circle")]
            if "#e69f00" in fills:
                marked.add(one.get("data-place"))
        legal = set().union(*map(named, match.legal()))
        assert marked == legal


def played_last(match: Match) -> list[str | None]:
    root = ElementTree.fromstring(match.svg())
    return [one.get("data-last") for one in root.iter() if one.get("data-last")]


def test_what_was_played_last_has_a_frame() -> None:
    match = Match("mapello", setup="free", games=2, seed=2)
    assert played_last(match) == []
    for action in ("wall c3", "bonus c6", "joker 0,4"):
        match.play(action)
        assert played_last(match) == [action.split()[1]]
    match.play("finish")
    assert played_last(match) == []
    match.play("black")
    assert played_last(match) == []
    match.play("e3")
    assert played_last(match) == ["e3"]
    while match.view()["match"]["game"] == 1:
        match.play_random(1)
    assert played_last(match) == []


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_the_seats_have_their_colours_discs_and_points(variant: Variant) -> None:
    for match in moments(variant, 5):
        view = match.view()
        board = "".join(view["cells"])
        words = [line for _, line in texts(match.svg()) if line.startswith("seat ")]
        assert len(words) == 2
        for colour, symbol in (("black", "X"), ("white", "O")):
            seat, taken = view["colours"][colour], view["taken"][colour]
            if seat is None:
                assert words == ["seat 0", "seat 1"]
                continue
            discs = board.count(symbol)
            points = discs + 3 * taken
            counts = f"discs {discs}, bonuses {taken}, points {points}"
            assert words[seat] == f"seat {seat}, {colour}: {counts}"


def test_pieces_and_discs_differ_by_shape_or_by_light() -> None:
    def shape(symbol: str) -> str:
        colours = r' (fill|stroke)="[^"]*"'
        return re.sub(colours, "", "".join(_symbol(symbol, 0, 0)))

    assert len({shape(symbol) for symbol in ".#+JX"}) == 5
    assert shape("X") == shape("O")

    def light(symbol: str) -> int:
        found = re.search('fill="#(..)(..)(..)"', _symbol(symbol, 0, 0)[0])
        assert found
        return sum(int(part, 16) for part in found.groups())

    assert light("O") - light("X") > 600


@pytest.mark.parametrize("games", [1, 3])
def test_captions_and_facts(games: int) -> None:
    match = Match("mapello", setup="free", games=games, seed=1)
    said = []
    while not match.is_over:
        said += [line for _, line in texts(match.svg())]
        match.play_random(1)
    said += [line for _, line in texts(match.svg())]
    for words in ("seat 0 sets up", "seat 1 picks a colour"):
        assert f"Mapello: {words}" in said
    assert any(re.fullmatch(r"Mapello: seat [01] \((black|white)\) to move", line) for line in said)
    assert any(line.startswith("possible: finish") for line in said)
    assert any(line.startswith("Mapello: over, ") for line in said)
    assert any(f"game {games} of {games}, won " in line for line in said) == (games > 1)


def test_a_pass_is_said() -> None:
    said = []
    for seed in range(4):
        match = Match("mapello", seed=seed)
        while not match.is_over:
            words = [line for _, line in texts(match.svg())]
            assert ("possible: pass" in words) == (match.legal() == ["pass"])
            said += words
            match.play_random(1)
    assert "possible: pass" in said


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_a_picture_does_not_depend_on_what_its_viewer_may_not_know(variant: Variant) -> None:
    for match in moments(variant, 9):
        for seat in range(2):
            guess = match.copy()
            guess._batch.resample_hidden(seat, 5)
            assert guess.svg(seat) == match.svg(seat)
