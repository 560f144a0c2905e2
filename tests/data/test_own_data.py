"""Data of one's own as options: atlas, deck and stations, wherever a game's options are taken."""

from __future__ import annotations

import copy
import json
import pickle
from typing import TYPE_CHECKING, Any, NamedTuple
from xml.etree import ElementTree

import numpy as np
import pytest

from adjoin import Batch, Deck, Match, Stations
from adjoin.data.atlas import Atlas, AtlasError
from adjoin.data.stations import Line
from adjoin.envs.aec import AECEnv
from interfaces import everywhere
from scaffold import COPIERS, ISLAND, ORCHARD, SHUTTLE, cases, play_on

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

OPTIONS: dict[str, Any] = {"players": 3, "table": (9, 7), "rounds": 2}


def changed(data: Atlas | Deck | Stations, change: Callable[[Any], Any]) -> dict[str, Any]:
    """Return data as an option, changed."""
    option = copy.deepcopy(data.option())
    assert isinstance(option, dict)
    change(option["custom"])
    return option


def without_a_border(atlas: Any) -> None:
    """Take the border between the first two regions away."""
    one, other = atlas["regions"][:2]
    one["borders"].remove(other["id"])
    other["borders"].remove(one["id"])


def without_waters(atlas: Any) -> None:
    """Take all waters away."""
    atlas["waters"].clear()
    for region in atlas["regions"]:
        region["waters"].clear()


class Own(NamedTuple):
    """An option that takes data: what is shipped, data of one's own, and others almost the same."""

    game: str
    shipped: Atlas | Deck | Stations
    data: Atlas | Deck | Stations
    rest: dict[str, Any]
    others: dict[str, Callable[[Any], Any]]

    def options(self, option: str, data: Any) -> dict[str, Any]:
        """Return all options, with the data."""
        return {option: data, **self.rest}


OWN: dict[str, Own] = {
    "atlas": Own(
        "mapominoes",
        Atlas.load("us-states"),
        ISLAND,
        OPTIONS,
        {
            "a border less": without_a_border,
            "another order": lambda data: data["regions"].reverse(),
            "no water": without_waters,
            "another name": lambda data: data["regions"][0].update(name="South Head"),
        },
    ),
    "deck": Own(
        "connections",
        Deck.load(),
        ORCHARD,
        {"players": 3, "max_turns": 9},
        {
            "another order": lambda data: data["cards"].reverse(),
            "a turned card": lambda data: data["cards"][0].reverse(),
            "a card less": lambda data: data["cards"].pop(),
            "another name": lambda data: data["cities"][0].update(name="Oslo"),
            "another region": lambda data: data["cities"][0].update(regions=["south"]),
            "a link more": lambda data: data["cities"][-1]["regions"].append("shore"),
        },
    ),
    "stations": Own(
        "metro_domino",
        Stations.load(),
        SHUTTLE,
        {"players": 3, "wins_needed": 2},
        {
            "a longer line": lambda data: data["stations"][0]["lines"][0].update(length=2),
            "a limit": lambda data: data["stations"][0]["lines"][0].update(min=1),
            "no doubles": lambda data: data["stations"][0]["lines"][0].update(no_doubles=True),
            "another order": lambda data: data["stations"].reverse(),
            "a station less": lambda data: data["stations"].pop(),
            "another name": lambda data: data["stations"][0].update(name="Haupt"),
        },
    ),
}
each_kind = pytest.mark.parametrize("option", OWN)


def played(option: str, data: Any, decisions: int = 9) -> Match:
    """Return a match with data, some decisions on."""
    own = OWN[option]
    match = Match(own.game, seed=1, **own.options(option, data))
    match.play_random(decisions)
    return match


@each_kind
def test_data_stand_for_their_name_through_every_interface(option: str) -> None:
    own = OWN[option]
    for where, seen in everywhere(own.game, option, own.rest).items():
        shipped, ours = seen(own.shipped.name), seen(own.data)
        assert seen(own.shipped) == shipped, where
        assert seen(own.data.option()) == ours, where
        assert shipped != ours, where


@cases("name", Atlas.shipped())
def test_every_shipped_atlas_stands_for_its_name(name: str) -> None:
    one, other = (Match("mapominoes", atlas=atlas) for atlas in (name, Atlas.load(name)))
    assert one.spec == other.spec
    assert one.spec.options["atlas"] == name


def test_data_from_files_can_be_played(tmp_path: Path) -> None:
    ISLAND.to_csv(tmp_path / "map.csv")
    SHUTTLE.to_csv(tmp_path / "stations.csv")
    ORCHARD.to_csv(tmp_path / "cities.csv", tmp_path / "cards.csv")
    read: dict[str, Any] = {
        "atlas": Atlas.from_csv(tmp_path / "map.csv"),
        "deck": Deck.from_csv(tmp_path / "cities.csv", tmp_path / "cards.csv"),
        "stations": Stations.from_csv(tmp_path / "stations.csv"),
    }
    for option, data in read.items():
        assert played(option, data).history == played(option, OWN[option].data).history, option


@each_kind
def test_the_spec_shows_the_data_as_an_option_that_can_be_given_again(option: str) -> None:
    own = OWN[option]
    for data in (own.data, own.shipped, own.shipped.name):
        batch = Batch(own.game, **own.options(option, data))
        again = Batch(own.game, **batch.spec.options)
        assert again.spec == batch.spec
        again[0] = batch[0]
    assert batch.spec.options[option] == own.shipped.name


@each_kind
@cases("copier", COPIERS)
def test_copies_keep_data_of_ones_own(option: str, copier: str) -> None:
    own = OWN[option]
    match = played(option, own.data)
    keywords = own.options(option, own.data)
    agents = ["random", None, "greedy"]
    batch = Batch(own.game, num_lanes=3, agents=agents, **keywords)
    play_on(batch, 5)
    env = AECEnv(own.game, **keywords)
    env.reset(seed=2)
    copied, other, same = (COPIERS[copier](one) for one in (match, batch, env))
    assert copied.spec == match.spec
    assert copied.replay() == match.replay()
    copied.play_random()
    match.play_random()
    assert copied.save() == match.save()
    assert play_on(other, 20) == play_on(batch, 20)
    assert same.observe("player_1")["observation"].tolist() == (
        env.observe("player_1")["observation"].tolist()
    )


@pytest.mark.smoke
@each_kind
def test_a_replay_keeps_data_of_ones_own(option: str) -> None:
    own = OWN[option]
    match = played(option, own.data)
    described = Match(own.game, position=match.position(), **own.options(option, own.data))
    for one in (match, described):
        one.play_random(5)
        again = Match.from_replay(one.replay())
        assert (again.save(), again.history, again.spec) == (one.save(), one.history, one.spec)


@each_kind
def test_a_save_is_refused_under_other_data(option: str) -> None:
    own = OWN[option]
    match = played(option, own.data, 6)
    others: dict[str, Any] = {what: changed(own.data, one) for what, one in own.others.items()}
    for what, data in {**others, "shipped": own.shipped}.items():
        stranger = Match(own.game, **own.options(option, data))
        for one, two in ((match, stranger), (stranger, match)):
            before = two.save()
            with pytest.raises(ValueError, match=r"^cannot load: the match .*other options"):
                two.load(one.save())
            assert two.save() == before, what
    same = Match(own.game, **own.options(option, copy.deepcopy(own.data)))
    same.load(match.save())
    assert same.position() == match.position()


@each_kind
def test_changing_the_data_afterwards_changes_no_match(option: str) -> None:
    data: Any = copy.deepcopy(OWN[option].data.option())
    match = played(option, data)
    before = json.dumps(match.spec.options)
    data["custom"].clear()
    again = pickle.loads(pickle.dumps(match))
    assert json.dumps(again.spec.options) == before
    assert again.save() == match.save()


def test_numbers_in_options_may_come_from_numpy() -> None:
    options = {"players": np.int64(3), "table": np.array([9, 7]), "rounds": np.uint8(2)}
    assert Match("mapominoes", **options).spec == Match("mapominoes", **OPTIONS).spec
    ours = Stations.build({"Start": [np.int64(3), Line(length=4, min=np.int8(2))]})
    assert Match("metro_domino", stations=ours).view()["lines"][1]["min"] == 2


# Atlases.


def test_a_part_of_an_atlas_can_be_played() -> None:
    wales = Atlas.load("uk-counties").sub(nations="Wales")
    match = Match("mapominoes", atlas=wales, **OPTIONS)
    assert match.spec.actions["county"].size == 22
    match.play_random()
    assert match.is_over


def altered(**changes: Any) -> dict[str, Any]:
    """Return the data of the island with some of the first region's changed."""
    return changed(ISLAND, lambda data: data["regions"][0].update(changes))


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
