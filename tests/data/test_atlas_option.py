"""The option ``atlas``: a shipped name or an Atlas, wherever a game's options are taken."""

from __future__ import annotations

import copy
import json
import pickle
from dataclasses import replace
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

import numpy as np
import pytest

from adjoin import Batch, Deck, Match, Stations
from adjoin.data.atlas import Atlas, AtlasError
from interfaces import everywhere
from scaffold import ISLAND, cases, play_on

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

ENVIRONMENT = "adjoin/Mapominoes-v0"
OPTIONS: dict[str, Any] = {"players": 3, "table": (9, 7), "rounds": 2}


EVERYWHERE = everywhere("mapominoes", "atlas", OPTIONS)


@cases("where", EVERYWHERE)
@cases("name", Atlas.shipped())
def test_an_atlas_stands_for_its_name(name: str, where: str) -> None:
    assert EVERYWHERE[where](Atlas.load(name)) == EVERYWHERE[where](name)


@cases("where", EVERYWHERE)
def test_an_atlas_of_ones_own_stands_for_its_data(where: str) -> None:
    seen = EVERYWHERE[where](ISLAND)
    assert seen == EVERYWHERE[where](ISLAND.option())
    assert seen != EVERYWHERE[where]("us-states")


@cases("where", EVERYWHERE)
def test_atlases_differ(where: str) -> None:
    seen = [EVERYWHERE[where](name) for name in Atlas.shipped()]
    assert all(one != other for n, one in enumerate(seen) for other in seen[:n])


def test_an_atlas_from_a_file_can_be_played(tmp_path: Path) -> None:
    path = tmp_path / "island.csv"
    ISLAND.to_csv(path)
    read = Atlas.from_csv(path)
    match = Match("mapominoes", seed=1, atlas=read, **OPTIONS)
    assert match.spec.actions["county"].labels == ISLAND.names
    match.play_random()
    ours = Match("mapominoes", seed=1, atlas=ISLAND, **OPTIONS)
    ours.play_random()
    assert match.history == ours.history


def test_a_part_of_an_atlas_can_be_played() -> None:
    wales = Atlas.load("uk-counties").sub(nations="Wales")
    match = Match("mapominoes", atlas=wales, **OPTIONS)
    assert match.spec.actions["county"].size == 22
    match.play_random()
    assert match.is_over


def test_the_spec_shows_the_atlas_as_an_option_that_can_be_given_again() -> None:
    for atlas in (ISLAND, "us-states"):
        batch = Batch("mapominoes", atlas=atlas, **OPTIONS)
        again = Batch("mapominoes", **batch.spec.options)
        assert again.spec == batch.spec
        again[0] = batch[0]
    assert Batch("mapominoes", atlas=Atlas.load("us-states")).spec.options["atlas"] == "us-states"


COPIERS: dict[str, Callable[[Any], Any]] = {
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "pickle": lambda one: pickle.loads(pickle.dumps(one)),
}


@cases("copier", COPIERS)
def test_copies_keep_an_atlas_of_ones_own(copier: str) -> None:
    match = Match("mapominoes", seed=1, atlas=ISLAND, **OPTIONS)
    match.play_random(9)
    copied = COPIERS[copier](match)
    batch = Batch(
        "mapominoes", num_lanes=3, atlas=ISLAND, agents=["random", None, "greedy"], **OPTIONS
    )
    play_on(batch, 5)
    other = COPIERS[copier](batch)
    assert copied.spec == match.spec
    assert copied.replay() == match.replay()
    copied.play_random()
    match.play_random()
    assert copied.save() == match.save()
    assert play_on(other, 20) == play_on(batch, 20)


def test_a_replay_keeps_an_atlas_of_ones_own() -> None:
    match = Match("mapominoes", seed=1, atlas=ISLAND, **OPTIONS)
    match.play_random(4)
    match.timeout()
    match.play_random()
    again = Match.from_replay(match.replay())
    assert again.save() == match.save()
    assert again.history == match.history
    assert again.spec == match.spec
    from_position = Match("mapominoes", position=again_position(), atlas=ISLAND, table=(5, 5))
    from_position.play_random(3)
    replayed = Match.from_replay(from_position.replay())
    assert replayed.save() == from_position.save()


def again_position() -> str:
    match = Match("mapominoes", seed=2, atlas=ISLAND, table=(5, 5))
    match.play_random(5)
    return match.position()


def without_a_border(atlas: Atlas, one: str, other: str) -> Atlas:
    ends = {atlas[one].id, atlas[other].id}
    return replace(
        atlas,
        regions=tuple(
            replace(r, borders=tuple(b for b in r.borders if {r.id, b} != ends))
            for r in atlas.regions
        ),
    )


OTHERS: dict[str, Any] = {
    "a border less": without_a_border(ISLAND, "Mid", "Fen"),
    "another order": replace(ISLAND, regions=ISLAND.regions[::-1]),
    "no water": replace(
        ISLAND, regions=tuple(replace(r, waters=()) for r in ISLAND.regions), waters=()
    ),
    "shipped": "us-states",
}


@cases("other", OTHERS)
def test_a_save_is_refused_by_another_atlas(other: str) -> None:
    match = Match("mapominoes", atlas=ISLAND, **OPTIONS)
    match.play_random(6)
    stranger = Match("mapominoes", atlas=OTHERS[other], **OPTIONS)
    for one, two in ((match, stranger), (stranger, match)):
        before = two.save()
        with pytest.raises(ValueError, match=r"^cannot load: the match .*other options"):
            two.load(one.save())
        assert two.save() == before
    same = Match("mapominoes", atlas=copy.deepcopy(ISLAND), **OPTIONS)
    same.load(match.save())
    assert same.position() == match.position()


def altered(**changes: Any) -> dict[str, Any]:
    """Return the data of the island with some of the first region's changed."""
    option = ISLAND.option()
    assert isinstance(option, dict)
    data = copy.deepcopy(option["custom"])
    data["regions"][0] |= changes
    return {"custom": data}


@cases(
    ("atlas", "message"),
    [
        (altered(borders=["mid"]), "borders North Head, but North Head does not"),
        (
            altered(borders=["mid", "stow_and_st_ann", "fen"]),
            "borders Fen, but Fen does not border",
        ),
        (altered(borders=["mid", "north_head", "stow_and_st_ann"]), "North Head borders itself"),
        (altered(borders=["atlantis"]), 'borders "atlantis", which is no region'),
        (altered(name="Mid"), 'the name "Mid" is taken by region 1'),
        (altered(name=""), "empty"),
        (altered(name="take"), '"take" reads as another action'),
        (altered(name="B2"), '"B2" reads as another action'),
        (altered(colour="red"), "colour"),
        ({"custom": {}}, "name"),
        ({"custom": {"name": "x", "regions": []}}, "x: no regions"),
        ({"own": {}}, "own"),
        ("atlantis", "atlantis"),
        (7, "atlas"),
        (None, "atlas"),
        (["us-states"], "atlas"),
    ],
)
def test_an_atlas_that_contradicts_itself_is_refused(atlas: Any, message: str) -> None:
    with pytest.raises(ValueError, match=f"^mapominoes: .*({message})"):
        Match("mapominoes", atlas=atlas, table=(9, 7))


def test_an_atlas_on_which_no_card_could_be_laid_is_refused() -> None:
    skerries = Atlas.build(["A", "B", "C"], [])
    with pytest.raises(ValueError, match=r"no card of this deck could ever be laid"):
        Match("mapominoes", atlas=skerries)


def test_regions_of_two_nations_are_dealt_first_with_either() -> None:
    for first in ISLAND.nations:
        match = Match("mapominoes", atlas=ISLAND, staged=True, first_nation=first)
        undealt = match.view()["undealt"]
        assert undealt == [region.id for region in ISLAND if first not in region.nations]


def test_changing_the_data_afterwards_changes_no_match() -> None:
    option = copy.deepcopy(ISLAND.option())
    assert isinstance(option, dict)
    match = Match("mapominoes", atlas=option, **OPTIONS)
    before = json.dumps(match.spec.options)
    option["custom"]["regions"].clear()
    again = pickle.loads(pickle.dumps(match))
    assert json.dumps(again.spec.options) == before
    assert again.save() == match.save()


def test_numbers_in_options_may_come_from_numpy() -> None:
    options = {"players": np.int64(3), "table": np.array([9, 7]), "rounds": np.uint8(2)}
    assert Match("mapominoes", **options).spec == Match("mapominoes", **OPTIONS).spec


def test_another_name_of_a_place_will_do_and_cards_are_called_what_they_are() -> None:
    world = Match("mapominoes", atlas="world-countries", nations=["Europe"], table=(9, 9))
    assert world.notation(world.action_id("Czech Republic")) == "Czechia"
    assert "country cards" in world.text()
    assert "country card" in world.svg()
    wales = Match("mapominoes", atlas=Atlas.load("uk-counties", nations="Wales"))
    assert wales.notation(wales.action_id("ynys mon")) == "Anglesey"
    assert "county cards" in wales.text()
    states = Match("mapominoes", atlas="us-states", table=(9, 9))
    assert "state cards" in states.text()
    own = Atlas.build({"Ash": {"also_called": "Esche; Frêne"}, "Elm": {}}, [("Ash", "Elm")])
    assert own["frene"] == own["Ash"]
    assert Atlas.from_option(own.option())["esche"].also_called == ("Esche", "Frêne")


# Names that could show as something else, through both doors.

NAMES = [
    *(
        "Kent",
        "Côte d'Ivoire",
        "中国",
        "<b>&amp;",
        "=A1",
        "A-B",
        "e\u0301",
        "ک\u200cک",
        "\U0001f1eb\U0001f1f7 1",
    ),
    *("A\u202eB", "A\u2066B", "A\u200fB", "A\u200bB", "A\u00adB", "\ufeffA", "A\U000e0041B"),
    *("A\x1b[31mB", "A\x00B", "A\nB", "A\tB", "A\x85B", "A\x9bB", "A\u2028B"),
    *(" A", "A ", "A  B", "A\u00a0B", "A\u3000B", "A \u200b B", "A\x1fB"),
    *("x" * 100, "x" * 101),
]


def built(name: str) -> str | None:
    """Return what ``Atlas.build`` makes of a name; None if it refuses it."""
    try:
        return Atlas.build([name, "Elsewhere"], [(name, "Elsewhere")]).regions[0].name
    except AtlasError:
        return None


def custom(game: str, name: str) -> dict[str, Any]:
    """Return options of a game whose own data has a name somewhere, as it is."""
    if game == "mapominoes":
        data: Any = copy.deepcopy(ISLAND.option())
        data["custom"]["regions"][0]["name"] = name
        return {"atlas": data, **OPTIONS}
    if game == "metro_domino":
        data = Stations.build({f"s{n}": [3, 3] for n in range(9)}).option()
        data["custom"]["stations"][1]["name"] = name
        return {"stations": data}
    regions = {region: [f"city {region} {n}" for n in range(7)] for region in "abcd"}
    data = Deck.build(regions).option()
    data["custom"]["cities"][0]["name"] = name
    return {"deck": data}


@cases("game", ["mapominoes", "metro_domino", "connections"])
@cases("name", NAMES)
def test_raw_data_takes_the_names_that_build_leaves_alone(game: str, name: str) -> None:
    if built(name) == name:
        assert name in json.dumps(
            Batch(game, **custom(game, name)).spec.options, ensure_ascii=False
        )
        return
    with pytest.raises(ValueError, match=r"U\+[0-9A-F]{4,} is not allowed|single spaces|100 are"):
        Batch(game, **custom(game, name))


@cases(
    ("place", "change"),
    [
        ("atlas", lambda data: data.update(name="x\u202ey")),
        ("id", lambda data: data["regions"][0].update(id="x\u202ey")),
        ("abbreviation", lambda data: data["regions"][0].update(abbreviation="x\u202ey")),
        ("nation", lambda data: data["regions"][0].update(nations=["x\u202ey"])),
        ("other name", lambda data: data["regions"][0].update(also_called=["x\u202ey"])),
        ("noun", lambda data: data.update(noun="x\u202ey")),
        ("water", lambda data: data["waters"].append({"id": "w", "name": "x\u202ey"})),
    ],
)
def test_no_name_of_an_atlas_has_a_direction_character(place: str, change: Any) -> None:
    option: Any = copy.deepcopy(ISLAND.option())
    change(option["custom"])
    with pytest.raises(ValueError, match=r"x\\u\{202e\}y.*U\+202E is not allowed"):
        Batch("mapominoes", atlas=option, **OPTIONS)


def test_a_kind_of_water_that_is_none_is_refused() -> None:
    option: Any = copy.deepcopy(ISLAND.option())
    option["custom"]["waters"].append({"id": "w", "name": "W", "kind": "<b>"})
    with pytest.raises(ValueError, match=r'\(W\): kind "<b>" is neither "sea" nor "country"'):
        Batch("mapominoes", atlas=option, **OPTIONS)


def test_a_replay_whose_atlas_has_a_hostile_name_is_refused() -> None:
    lines = Match("mapominoes", atlas=ISLAND, **OPTIONS).replay().splitlines()
    header = json.loads(lines[0])
    header["options"]["atlas"]["custom"]["regions"][0]["name"] = "A\x1b]0;x\x07"
    with pytest.raises(ValueError, match=r"^line 1: .*U\+001B is not allowed"):
        Match.from_replay("\n".join([json.dumps(header), *lines[1:]]))


def test_a_name_with_marks_of_html_is_only_text_in_a_picture() -> None:
    name = "<script>&'\"</script>"
    match = Match("mapominoes", **custom("mapominoes", name))
    match.play_random(6)
    tags = {element.tag for element in ElementTree.fromstring(match.svg("all")).iter()}
    assert not [tag for tag in tags if "script" in tag]
    assert "<script" not in Atlas.from_option(match.spec.options["atlas"])._repr_html_()
