"""Metro Domino from Python: stations of one's own, options, what the numbers mean.

The rules are tested in tests/rules/metro_domino.rs.
"""

from __future__ import annotations

import copy
import json
import pickle
import re
from dataclasses import replace
from itertools import combinations_with_replacement
from typing import TYPE_CHECKING, Any

import gymnasium
import numpy as np
import pytest

import adjoin
from adjoin import Batch, Match
from adjoin.data.stations import Line, Stations
from adjoin.envs.aec import AECEnv
from interfaces import everywhere
from scaffold import SHUTTLE, Variant, cases, play_on

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

NEW_YORK = Stations.load()
ENVIRONMENT = "adjoin/MetroDomino-v0"
OPTIONS: dict[str, Any] = {"players": 3, "wins_needed": 2}
TILES = list(combinations_with_replacement(range(10), 2))
LETTERS = "ABCDEFGHI"


def tiles(halves: list[list[int]]) -> list[tuple[int, ...]]:
    return [tuple(sorted(pair)) for pair in halves]


# The option ``stations``: a shipped name or Stations, wherever a game's options are taken.


EVERYWHERE = everywhere("metro_domino", "stations", OPTIONS)


@cases("where", EVERYWHERE)
def test_stations_stand_for_their_name_or_their_data(where: str) -> None:
    shipped, ours = EVERYWHERE[where]("new-york"), EVERYWHERE[where](SHUTTLE)
    assert EVERYWHERE[where](NEW_YORK) == shipped
    assert EVERYWHERE[where](SHUTTLE.option()) == ours
    assert shipped != ours


def test_stations_from_a_file_can_be_played(tmp_path: Path) -> None:
    path = tmp_path / "shuttle.csv"
    SHUTTLE.to_csv(path)
    assert EVERYWHERE["Match"](Stations.from_csv(path)) == EVERYWHERE["Match"](SHUTTLE)


def test_stations_are_played_as_they_are_described() -> None:
    match = Match("metro_domino", stations=SHUTTLE, first_seat=0)
    view = match.view()
    described = [
        (station.id, f"{station.name} {letter}", line)
        for station in SHUTTLE
        for letter, line in zip(LETTERS, station.lines, strict=False)
    ]
    assert [
        (one["station"], one["name"], Line(*map(one.get, ("length", "min", "max", "no_doubles"))))
        for one in view["lines"]
    ] == described
    assert [(one["id"], one["name"]) for one in view["stations"]] == [
        (station.id, station.name) for station in SHUTTLE
    ]
    assert [one["is_open"] for one in view["stations"]] == [True] + [False] * 8
    assert (view["stations_left"], view["store"], view["supply"]) == (8, 37, 12)


def test_the_spec_shows_the_stations_as_an_option_that_can_be_given_again() -> None:
    for stations in (SHUTTLE, "new-york", NEW_YORK):
        match = Match("metro_domino", stations=stations, **OPTIONS)
        again = Match("metro_domino", **match.spec.options)
        assert again.spec == match.spec
        again.load(match.save())
    assert Match("metro_domino", stations=NEW_YORK).spec.options["stations"] == "new-york"


COPIERS: dict[str, Callable[[Any], Any]] = {
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "pickle": lambda one: pickle.loads(pickle.dumps(one)),
}


@cases("copier", COPIERS)
def test_copies_keep_stations_of_ones_own(copier: str) -> None:
    match = Match("metro_domino", seed=1, stations=SHUTTLE, **OPTIONS)
    match.play_random(9)
    copied = COPIERS[copier](match)
    agents = ["random", None, "greedy"]
    batch = Batch("metro_domino", num_lanes=3, stations=SHUTTLE, agents=agents, **OPTIONS)
    play_on(batch, 5)
    other = COPIERS[copier](batch)
    assert copied.spec == match.spec
    assert copied.replay() == match.replay()
    copied.play_random()
    match.play_random()
    assert copied.save() == match.save()
    assert play_on(other, 20) == play_on(batch, 20)


def test_environments_can_be_copied_with_stations_of_ones_own() -> None:
    env = AECEnv("metro_domino", stations=SHUTTLE, **OPTIONS)
    env.reset(seed=2)
    for other in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        action = int(other.infos[other.agent_selection]["action_mask"].argmax())
        other.step(action)
        ours = copy.deepcopy(env)
        ours.step(action)
        for agent in ours.agents:
            seen, expected = other.observe(agent), ours.observe(agent)
            assert all(np.array_equal(seen[key], expected[key]) for key in expected)


def with_first_line(line: Line) -> Stations:
    hub = SHUTTLE.stations[0]
    hub = replace(hub, lines=(line, *hub.lines[1:]))
    return replace(SHUTTLE, stations=(hub, *SHUTTLE.stations[1:]))


OTHERS: dict[str, Any] = {
    "a longer line": with_first_line(Line(2)),
    "a limit": with_first_line(Line(1, min=1)),
    "no doubles": with_first_line(Line(1, no_doubles=True)),
    "another order": replace(SHUTTLE, stations=SHUTTLE.stations[::-1]),
    "a station less": replace(SHUTTLE, stations=SHUTTLE.stations[:-1]),
    "another name": replace(
        SHUTTLE, stations=(replace(SHUTTLE.stations[0], name="Haupt"), *SHUTTLE.stations[1:])
    ),
    "shipped": "new-york",
}


@cases("other", OTHERS)
def test_a_save_is_refused_under_other_stations(other: str) -> None:
    match = Match("metro_domino", stations=SHUTTLE, **OPTIONS)
    match.play_random(6)
    stranger = Match("metro_domino", stations=OTHERS[other], **OPTIONS)
    for one, two in ((match, stranger), (stranger, match)):
        before = two.save()
        with pytest.raises(ValueError, match=r"^cannot load: the match .*other options"):
            two.load(one.save())
        assert two.save() == before
    same = Match("metro_domino", stations=copy.deepcopy(SHUTTLE), **OPTIONS)
    same.load(match.save())
    assert same.position() == match.position()


def test_changing_the_data_afterwards_changes_no_match() -> None:
    option = copy.deepcopy(SHUTTLE.option())
    assert isinstance(option, dict)
    match = Match("metro_domino", stations=option, **OPTIONS)
    before = json.dumps(match.spec.options)
    option["custom"]["stations"].clear()
    again = pickle.loads(pickle.dumps(match))
    assert json.dumps(again.spec.options) == before
    assert again.save() == match.save()


def test_numbers_in_options_may_come_from_numpy() -> None:
    options = {"players": np.int64(3), "wins_needed": np.uint8(2), "first_seat": np.int8(1)}
    assert (
        Match("metro_domino", **options).spec == Match("metro_domino", first_seat=1, **OPTIONS).spec
    )
    ours = Stations.build({"Start": [np.int64(3), Line(length=4, min=np.int8(2))]})
    assert Match("metro_domino", stations=ours).view()["lines"][1]["min"] == 2


# Options that are refused.


@cases(
    ("options", "message"),
    [
        ({"players": 5}, "players = 5: 2 to 4 play (METR-2)"),
        ({"stations": {"Start": [3]}}, "stations: unknown value `Start`"),
        ({"stations": {"custom": {}}}, "stations.custom: missing field `name`"),
    ],
)
def test_options_against_the_rules_are_refused(options: dict[str, Any], message: str) -> None:
    given = copy.deepcopy(options)
    makers: list[Callable[..., Any]] = [Match, Batch, AECEnv, adjoin.describe]
    for maker in makers:
        with pytest.raises(ValueError, match=f"^metro_domino: .*{re.escape(message)}"):
            maker("metro_domino", **options)
    with pytest.raises(ValueError, match=re.escape(message)):
        adjoin.simulate("metro_domino", 1, **options)
    with pytest.raises(ValueError, match=re.escape(message)):
        gymnasium.make(ENVIRONMENT, **options)
    assert options == given


# What the numbers mean.

TABLES = [
    Variant("metro_domino", {"players": 3}),
    Variant("metro_domino", {"players": 3, "stations": SHUTTLE, "wins_needed": 2}),
]
PHASES = {"turn", "drawn", "extra", "more", "spent"}


def moments(variant: Variant) -> Iterator[Match]:
    """Return the moments of some matches of random play, every phase among them."""
    phases = set()
    for seed in range(3):
        match = variant.match(seed=seed)
        while not match.is_over:
            phases.add(match.view()["phase"])
            yield match
            match.play_random(1)
    assert phases == PHASES


@cases("stations", [NEW_YORK, SHUTTLE])
def test_blocks_are_labelled_with_the_names_of_tiles_lines_and_stations(stations: Stations) -> None:
    spec = Match("metro_domino", stations=stations, players=4).spec
    lines = tuple(
        f"{station.name} {letter}"
        for station in stations
        for letter, _ in zip(LETTERS, station.lines, strict=False)
    )
    names = tuple(f"{a}-{b}" for a, b in TILES)
    for block in ("left", "active"):
        assert spec.observation[block].labels == lines
    for block in ("hand", "laid", "unseen", "drawn"):
        assert spec.observation[block].labels == names
    assert spec.observation["end"].shape == (len(lines), 10)
    assert spec.observation["owner"].labels == tuple(station.name for station in stations)
    assert set(spec.observation["phase"].labels) == PHASES
    assert spec.actions["play"].shape == (55, len(lines), 2)
    assert spec.actions["play"].labels == ("larger half outwards", "smaller half outwards")
    words = ["play", "draw", "pass", "keep", "spend", "stop"]
    assert [block.name for block in spec.actions.blocks] == words


@cases("stations", [NEW_YORK, SHUTTLE])
def test_action_ids_follow_tile_line_and_facing(stations: Stations) -> None:
    match = Match("metro_domino", stations=stations)
    spec = match.spec
    names = spec.observation["left"].labels
    ids = np.arange(spec.actions["play"].size).reshape(spec.actions["play"].shape)
    for number, (a, b) in enumerate(TILES):
        for line, name in enumerate(names):
            texts = [f"{a}-{b} {name}", f"{b}-{a} {name}"]
            if a == b:
                texts[1] += " reversed"
            for facing, text in enumerate(texts):
                action = int(ids[number, line, facing])
                assert match.notation(action) == text
                assert match.action_id(text) == action
    for word in ("draw", "pass", "keep", "spend", "stop"):
        assert match.notation(spec.actions[word].start) == word


@cases("variant", TABLES)
def test_an_observation_says_what_the_view_says_beginning_with_the_viewer(variant: Variant) -> None:
    spec = variant.match().spec
    by_seat = {block.name for block in spec.observation.blocks if block.by_seat}
    assert by_seat == {"owner", "tiles", "tokens", "stations", "wins", "to_act", "first"}
    phases = spec.observation["phase"].labels
    for match in moments(variant):
        for viewer in range(3):
            view = match.view(viewer)
            row = spec.observation.split(match.observe(viewer)[0])
            seats = [(viewer + n) % 3 for n in range(3)]

            left, active, end = (np.zeros_like(row[name]) for name in ("left", "active", "end"))
            laid = []
            for number, line in enumerate(view["lines"]):
                laid += tiles(line["tiles"])
                if line["state"] in ("open", "active"):
                    left[number] = line["length"] - len(line["tiles"])
                if line["state"] == "active":
                    active[number] = 1
                    end[number, line["end"]] = 1
            for name, expected in (("left", left), ("active", active), ("end", end)):
                assert np.array_equal(row[name], expected)

            hand = tiles(view["hands"][viewer]["held"])
            drawn = tiles([view["drawn"]]) if view["drawn"] else []
            unseen = sorted(set(TILES).difference(hand, laid))
            for name, there in (
                ("hand", hand),
                ("laid", sorted(laid)),
                ("unseen", unseen),
                ("drawn", drawn),
            ):
                assert [TILES[n] for n in np.flatnonzero(row[name])] == there

            for name in ("tiles", "tokens", "stations"):
                assert row[name].tolist() == [view["hands"][seat][name] for seat in seats]
            assert row["wins"].tolist() == [view["wins"][seat] for seat in seats]
            for name in ("to_act", "first"):
                assert row[name].tolist() == [int(seat == view[name]) for seat in seats]
            owners = [station["owner"] for station in view["stations"]]
            assert row["owner"].tolist() == [[int(o == seat) for o in owners] for seat in seats]
            assert [phases[n] for n in np.flatnonzero(row["phase"])] == [view["phase"]]
            for name in ("store", "stations_left", "passes"):
                assert int(row[name]) == view[name]
