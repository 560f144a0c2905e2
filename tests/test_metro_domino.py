"""Metro Domino from Python: stations of one's own, turns, positions, what a seat may know."""

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
from conftest import SHUTTLE, Variant, play_on
from everywhere import everywhere
from pictures import placed

import adjoin
from adjoin import Batch, Match, render
from adjoin.aec import AECEnv
from adjoin.stations import Line, Stations

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

NEW_YORK = Stations.load()
ENVIRONMENT = "adjoin/MetroDomino-v0"
OPTIONS: dict[str, Any] = {"players": 3, "wins_needed": 2}
TILES = list(combinations_with_replacement(range(10), 2))
LETTERS = "ABCDEFGHI"


def position(**parts: Any) -> str:
    return json.dumps({"hands": [["0-3", "3-7"], ["1-1", "2-2"]], **parts})


def opened(station: str, by: int, line: str) -> dict[str, Any]:
    return {"station": station, "by": by, "line": line}


def tile(text: str) -> tuple[int, int]:
    one, other = sorted(map(int, text.split("-")))
    return one, other


def tiles(halves: list[list[int]]) -> list[tuple[int, ...]]:
    return [tuple(sorted(pair)) for pair in halves]


# The option ``stations``: a shipped name or Stations, wherever a game's options are taken.


EVERYWHERE = everywhere("metro_domino", "stations", OPTIONS)


@pytest.mark.parametrize("where", EVERYWHERE)
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
        batch = Batch("metro_domino", stations=stations, **OPTIONS)
        again = Batch("metro_domino", **batch.spec.options)
        assert again.spec == batch.spec
        again.load(batch.save())
    assert Batch("metro_domino", stations=NEW_YORK).spec.options["stations"] == "new-york"


COPIERS: dict[str, Callable[[Any], Any]] = {
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "pickle": lambda one: pickle.loads(pickle.dumps(one)),
}


@pytest.mark.parametrize("copier", COPIERS)
def test_copies_keep_stations_of_ones_own(copier: str) -> None:
    match = Match("metro_domino", seed=1, stations=SHUTTLE, **OPTIONS)
    match.play_random(9)
    copied = COPIERS[copier](match)
    agents = ["random", None, "greedy"]
    batch = Batch("metro_domino", lanes=3, stations=SHUTTLE, agents=agents, **OPTIONS)
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


def test_a_replay_keeps_stations_of_ones_own() -> None:
    match = Match("metro_domino", seed=1, stations=SHUTTLE, **OPTIONS)
    match.play_random(30)
    described = Match("metro_domino", position=match.position(), stations=SHUTTLE, **OPTIONS)
    for one in (match, described):
        one.play_random(5)
        again = Match.from_replay(one.replay())
        assert (again.save(), again.history, again.spec) == (one.save(), one.history, one.spec)


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


@pytest.mark.parametrize("other", OTHERS)
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


# Options and stations that are refused.


def station(*lines: dict[str, Any], **changes: Any) -> dict[str, Any]:
    return {"id": "start", "name": "Start", "lines": list(lines), **changes}


def deck(*stations: dict[str, Any], **changes: Any) -> dict[str, Any]:
    return {"custom": {"name": "ours", "stations": list(stations), **changes}}


THREE = {"length": 3}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"players": 1}, "players = 1: 2 to 4 play (METR-2)"),
        ({"players": 5}, "players = 5: 2 to 4 play (METR-2)"),
        ({"first_seat": 2}, "first_seat = 2: the seats are 0 to 1"),
        ({"first_seat": 4, "players": 4}, "first_seat = 4: the seats are 0 to 3"),
        ({"first_seat": -1}, "first_seat: "),
        ({"wins_needed": 0}, "wins_needed = 0: 1 to 100 are allowed (METR-17)"),
        ({"wins_needed": 101}, "wins_needed = 101: 1 to 100 are allowed (METR-17)"),
        ({"stations": "london"}, "stations: unknown value `london`, expected `new-york`"),
        ({"stations": None}, "stations: "),
        ({"stations": 7}, "stations: "),
        ({"stations": ["new-york"]}, "stations: "),
        ({"stations": {"Start": [3]}}, "stations: unknown value `Start`"),
        ({"stations": {"custom": {}}}, "stations.custom: missing field `name`"),
        ({"stations": deck()}, "stations: ours: no stations"),
        ({"stations": deck(station())}, "stations: station 1 (Start): no lines"),
        (
            {"stations": deck(*(station(THREE, id=f"{n}", name=f"No. {n}") for n in range(37)))},
            "stations: ours: 37 lines, at most 36 are allowed",
        ),
        (
            {"stations": deck(station(THREE), station(THREE))},
            'station 2 (Start): the name "Start" is taken by station 1 (Start)',
        ),
        (
            {"stations": deck(station({"length": 56}))},
            "station 1 (Start), line A: length 56 is not a whole number from 1 to 55",
        ),
        ({"stations": deck(station({}))}, "stations[0].lines[0]: missing field `length`"),
        ({"stations": deck(station({**THREE, "colour": "red"}))}, "colour: unknown `colour`"),
        ({"seats": 2}, "unknown option `seats`"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
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


def test_stations_that_admit_no_tile_are_refused_before_they_reach_the_game() -> None:
    with pytest.raises(adjoin.StationsError, match=r"\(Start\), line B: no tile fits"):
        Stations.build({"Start": [3, Line(3, min=9, no_doubles=True)]})


# Turns, in the notation of people.


def test_a_turn_of_several_tiles_goes_through_its_phases() -> None:
    hands = [["3-3", "3-5", "5-7", "7-7", "0-1"], ["2-2", "2-4", "0-2"]]
    lines = {"Start A": ["9-8"], "Start B": ["1-3"]}
    match = Match("metro_domino", position=position(hands=hands, lines=lines))

    def now() -> tuple[Any, ...]:
        view = match.view("all")
        return view["phase"], view["turn"], [hand["tokens"] for hand in view["hands"]]

    assert now() == ("turn", 0, [0, 0])
    match.play("3-3 Start B")  # METR-11: a token, and the right to one more tile
    assert now() == ("extra", 0, [1, 0])
    assert "stop" in match.legal()
    assert "METR-12" in str(match.why_not("spend"))
    match.play("3-5 Start B")
    assert now() == ("more", 0, [1, 0])
    assert match.legal() == ["spend", "stop"]
    match.play("spend")  # METR-12
    assert now() == ("spent", 0, [0, 0])
    assert match.view()["supply"] == 12
    assert "METR-12" in str(match.why_not("stop"))
    match.play("5-7 Start B")  # METR-8: the line has its length
    opened = json.loads(match.position())["opened"]
    assert [(one["by"], one["line"]) for one in opened] == [(0, "Start B")]
    view = match.view()
    line = next(one for one in view["lines"] if one["name"] == "Start B")
    assert (line["state"], line["leads_to"]) == ("closed", opened[0]["station"])
    assert line["tiles"] == [[1, 3], [3, 3], [3, 5], [5, 7]]
    assert (view["stations_left"], view["scores"]) == (9, [-1, -3])
    assert now() == ("turn", 1, [0, 0])  # METR-13: no token is left
    match.play("2-2 Start C", "stop")  # declined
    assert now() == ("turn", 0, [0, 1])
    match.play("7-7 Start D", "stop")
    assert now() == ("turn", 1, [1, 1])
    assert [hand["tiles"] for hand in match.view()["hands"]] == [1, 2]
    match.play("2-4 Start C", "stop")  # a token kept
    assert now() == ("turn", 0, [1, 1])
    assert match.legal() == ["draw"]  # three lines are active, and 0-1 fits none
    match.play("draw")
    assert now() == ("drawn", 0, [1, 1])
    drawn = match.view()["drawn"]
    assert drawn in match.view()["hands"][0]["held"]
    match.play("keep")
    assert now() == ("turn", 1, [1, 1])
    assert match.view("all")["drawn"] is None
    assert [hand["tiles"] for hand in match.view()["hands"]] == [2, 1]
    replayed = Match.from_replay(match.replay())
    assert (replayed.save(), replayed.history) == (match.save(), match.history)


def test_a_drawn_tile_that_fits_may_be_played_or_kept() -> None:
    lines = {"Start A": ["9-8"], "Start B": ["9-7"], "Start C": ["9-6"]}
    text = position(lines=lines, hands=[["0-1", "0-2"], ["2-3"]], store=["6-1"])
    match = Match("metro_domino", position=text)
    match.play("draw")
    assert match.view()["drawn"] == [1, 6]
    assert match.legal() == ["6-1 Start C", "keep"]
    assert "METR-10" in str(match.why_not("0-1 Start D"))
    match.play("6-1 Start C")
    assert (match.to_act, match.view()["store"]) == (1, 0)
    assert match.legal() == ["pass"]


def test_the_last_tile_ends_the_game_at_once() -> None:
    text = position(hands=[["4-4"], ["0-1", "2-3"]])
    match = Match("metro_domino", position=text)
    match.play("4-4 Start A")  # METR-14, although it is a double
    assert match.is_over
    assert (match.view("all")["scores"], match.returns) == ([0, -2], [1, -1])


def test_the_fifth_station_ends_the_game_at_once() -> None:
    stations = ["saint_ann", "zoo", "mill", "harbour"]
    lines = {"Hub A": ["0-0"], "Hub B": ["0-1", "1-2"], "Mill A": ["3-3"], "Saint Ann A": ["4-4"]}
    text = position(
        hands=[["7-8", "7-9"], ["8-8"]],
        lines=lines,
        opened=[opened(one, 0, line) for one, line in zip(stations, lines, strict=True)],
    )
    match = Match("metro_domino", position=text, stations=SHUTTLE)
    match.play("7-8 Harbour A")
    view = match.view("all")
    assert match.is_over  # METR-14
    assert [hand["stations"] for hand in view["hands"]] == [5, 0]
    assert (view["scores"], match.returns) == ([4, -1], [1, -1])


def test_a_line_that_ends_when_no_station_is_left_gains_nothing() -> None:
    only = Stations.build({"Start": [1, 2, 3]}, name="only")
    text = position(hands=[["1-2", "3-4"], ["5-6", "7-8"]])
    match = Match("metro_domino", position=text, stations=only)
    match.play("1-2 Start A")
    view = match.view()
    assert (view["lines"][0]["state"], view["lines"][0]["leads_to"]) == ("closed", None)
    assert view["scores"] == [-1, -2]


@pytest.mark.parametrize(
    ("action", "clause"),
    [
        ("0-3 Start A", "METR-4"),  # closed
        ("0-3 Wall Street A", "METR-4"),  # not open yet
        ("0-3 Start D", "METR-5"),
        ("3-0 Start B", "METR-6"),
        ("0-3 Union Square A", "METR-7"),
        ("draw", "METR-9"),
        ("pass", "METR-9"),
        ("keep", "METR-10"),
        ("stop", "METR-11"),
        ("spend", "METR-12"),
    ],
)
def test_why_an_action_is_illegal_is_told_with_its_clause(action: str, clause: str) -> None:
    text = position(
        lines={
            "Start A": ["9-8", "8-7", "7-6"],
            "Start B": ["9-0"],
            "Start C": ["8-5"],
            "Union Square B": ["7-5"],
        },
        opened=[{"station": "union_square", "by": 1, "line": "Start A"}],
    )
    match = Match("metro_domino", position=text)
    before = match.save()
    assert f"({clause})" in str(match.why_not(action))
    with pytest.raises(adjoin.IllegalActionError, match=f"{clause}.*legal: "):
        match.play(action)
    assert match.save() == before
    assert "0-3 Start B" in match.legal()


# Positions.


def test_a_position_by_hand_needs_the_hands_only() -> None:
    match = Match("metro_domino", position=position())
    whole = json.loads(match.position())
    held = {tile(text) for hand in whole["hands"] for text in hand}
    assert {tile(text) for text in whole.pop("store")} == set(TILES) - held
    assert whole == {
        "lines": {},
        "hands": [["0-3", "3-7"], ["1-1", "2-2"]],
        "opened": [],
        "tokens": [0, 0],
        "wins": [0, 0],
        **dict.fromkeys(["passes", "turn", "first"], 0),
        **{"phase": "turn", "drawn": None, "game_number": 1},
    }


@pytest.mark.parametrize(
    ("name", "line", "written"),
    [
        ("St. John's", "B", ["st john's", "SAINT JOHN S", " St-John's "]),
        ("Quai d'Orsay", "A", ["quai d orsay", "QUAI  D'ORSAY", "quai_d_orsay"]),
        ("Café & Opéra", "A", ["cafe & opera", "Cafe and Opera", "CAFÉ AND OPÉRA"]),
        ("East–West Gate", "B", ["east west gate", "East-West Gate"]),
        ("Saint Ann", "B", ["St. Ann", "st ann"]),
    ],
)
def test_names_are_read_as_people_write_them(name: str, line: str, written: list[str]) -> None:
    for text in (name, *written):
        by_hand = position(
            hands=[["4-3", "5|6"], ["1-1", "9–6"]],
            lines={"hub a": ["0-9"], f"{text} {line.lower()}": ["2-4"]},
            opened=[opened(text, 1, "HUB-A")],
        )
        match = Match("metro_domino", stations=SHUTTLE, position=by_hand)
        whole = json.loads(match.position())
        assert whole["hands"] == [["3-4", "5-6"], ["1-1", "6-9"]]
        assert whole["lines"] == {"Hub A": ["0-9"], f"{name} {line}": ["2-4"]}
        assert whole["opened"] == [opened(SHUTTLE[name].id, 1, "Hub A")]
        match.play(f"4-3 {text} {line.lower()}")
        assert match.history == [f"4-3 {name} {line}"]
        assert json.loads(match.position())["lines"][f"{name} {line}"] == ["2-4", "4-3"]


FULL = {"Start A": ["9-8", "8-7", "7-6"]}


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ({"hand": []}, "unknown field `hand`"),
        ({"hands": [["0-3"]]}, "hands: 1 hands for 2 players"),
        ({"hands": [["0-3"], []]}, "METR-14"),
        ({"hands": [["0-3"], ["3-0"]]}, "a tile is in two places"),
        ({"hands": [["0-3", "3-0"], ["1-1"]]}, "in two places"),
        ({"hands": [["0-3"], ["5-10"]]}, 'no tile "5-10"'),
        ({"hands": [["0-3"], ["nine"]]}, 'no tile "nine"'),
        ({"lines": {"Start E": ["4-5"]}}, 'no line "Start E"'),
        ({"lines": {"Start A": ["0-3"]}}, "a tile is in two places"),
        ({"lines": {"Start A": ["4-5"], "start a": ["5-6"]}}, "is there twice"),
        ({"lines": {"Start A": ["4-5", "6-7"]}}, "METR-6"),
        ({"lines": {"Start A": ["4-5", "5-6", "6-7", "7-8"]}}, "METR-7"),
        ({"lines": FULL}, "a complete line without its station (METR-8)"),
        ({"lines": {"Wall Street A": ["4-5"]}}, "a station that is not open (METR-8)"),
        ({"opened": [opened("wall street", 0, "Start A")]}, "METR-8"),
        ({"opened": [opened("Paddington", 0, "Start A")], "lines": FULL}, "no station"),
        ({"opened": [opened("wall street", 2, "Start A")], "lines": FULL}, "no seat 2"),
        ({"opened": [opened("start", 0, "Start A")], "lines": FULL}, '"start" is open already'),
        (
            {"lines": {f"Start {n}": [f"9-{8 - i}"] for i, n in enumerate("ABCD")}},
            "more than three lines active (METR-5)",
        ),
        ({"turn": 2}, "no seat 2"),
        ({"first": 2}, "no seat 2"),
        ({"tokens": [1]}, "tokens: 1 numbers for 2 players"),
        ({"tokens": [7, 6]}, "more metro tokens than there are (METR-1)"),
        ({"store": ["0-3"]}, "a tile is in two places"),
        ({"phase": "asleep"}, 'no phase "asleep"'),
        ({"phase": "drawn"}, "drawn is missing"),
        ({"phase": "drawn", "drawn": "1-1"}, "a decision that nobody could have to take"),
        ({"drawn": "0-3"}, 'drawn: only in phase "drawn"'),
        ({"phase": "more"}, "a decision that nobody could have to take"),
        ({"phase": "over"}, "METR-14"),
        ({"passes": 2}, "METR-14"),
        ({"passes": -1}, "passes|expected"),
        ({"wins": [1, 0]}, "METR-17"),
        ({"game_number": 0}, "game_number: games are counted from 1"),
        ({"game_number": 2}, "wins that do not fit the games played"),
    ],
    ids=str,
)
def test_an_impossible_position_is_refused_and_changes_nothing(
    parts: dict[str, Any], message: str
) -> None:
    pattern = message if "|" in message else re.escape(message)
    with pytest.raises(ValueError, match=pattern):
        Match("metro_domino", position=position(**parts))
    batch = Batch("metro_domino")
    before = batch.save()
    with pytest.raises(ValueError, match=pattern):
        batch.set_position(position(**parts))
    assert batch.save() == before


# Matches: who begins, wins, returns.


def test_the_first_seat_is_drawn_unless_it_is_given() -> None:
    drawn = {Match("metro_domino", seed=seed, players=4).view()["first"] for seed in range(60)}
    assert drawn == set(range(4))
    for seat in range(4):
        view = Match("metro_domino", seed=9, players=4, first_seat=seat).view()
        assert (view["first"], view["turn"], view["to_act"]) == (seat, seat, seat)


def test_a_match_goes_on_until_somebody_has_the_wins() -> None:
    match = Match("metro_domino", seed=4, players=3, wins_needed=3, first_seat=1)
    seen = [(1, 1, (0, 0, 0))]
    while not match.is_over:
        match.play_random(1)
        view = match.view()
        moment = (view["game_number"], view["first"], tuple(view["wins"]))
        if moment != seen[-1]:
            seen.append(moment)
    *games, last = seen
    assert len(games) >= 3
    for number, (game, first, wins) in enumerate(games):
        assert (game, first) == (number + 1, (1 + number) % 3)  # METR-17
        assert max(wins) < 3
        assert sum(wins) >= number
    assert max(last[2]) == 3
    assert [earned > 0 for earned in match.returns] == [wins == 3 for wins in last[2]]


STUCK = {"Start A": ["8-9"], "Start B": ["9-9"], "Start C": ["6-9"]}
"""Three active lines that only a 9 can continue."""


def stuck(*held: int, **parts: Any) -> str:
    """Describe players who hold that many tiles, none of which fits, and an empty store."""
    left = iter(f"{a}-{b}" for a, b in TILES if b < 6)
    hands = [[next(left) for _ in range(number)] for number in held]
    return position(hands=hands, lines=STUCK, store=[], **parts)


@pytest.mark.parametrize(
    ("held", "returns"),
    [
        ((1, 1), (0, 0)),
        ((1, 2), (1, -1)),
        ((1, 1, 1), (0, 0, 0)),
        ((1, 2, 1), (1 / 4, -1 / 2, 1 / 4)),
        ((3, 2, 4), (-1 / 2, 1, -1 / 2)),
        ((1, 1, 1, 1), (0, 0, 0, 0)),
        ((1, 1, 2, 1), (1 / 9, 1 / 9, -1 / 3, 1 / 9)),
        ((4, 1, 2, 1), (-1 / 3, 1 / 3, -1 / 3, 1 / 3)),
        ((4, 3, 2, 1), (-1 / 3, -1 / 3, -1 / 3, 1)),
    ],
    ids=str,
)
def test_a_shared_win_is_shared_out(held: tuple[int, ...], returns: tuple[float, ...]) -> None:
    players = len(held)
    match = Match("metro_domino", position=stuck(*held), players=players)
    for passed in range(players):
        assert match.returns == [0] * players
        assert (match.legal(), match.view()["passes"]) == (["pass"], passed)
        match.play("pass")
    assert match.is_over  # METR-15
    assert match.view("all")["scores"] == [-number for number in held]
    assert match.returns == pytest.approx(returns)
    assert sum(match.returns) == pytest.approx(0, abs=1e-6)


def test_stations_decide_between_equal_totals() -> None:
    text = position(
        hands=[["0-0", "0-1"], ["0-2"]],
        lines={**FULL, **{f"Start {letter}": STUCK[f"Start {letter}"] for letter in "BC"}}
        | {"Union Square B": ["4-5"]},
        opened=[opened("union square", 0, "Start A")],
        store=[],
    )
    match = Match("metro_domino", position=text)
    match.play("pass", "pass")
    assert match.view("all")["scores"] == [-1, -1]
    assert match.returns == [1, -1]  # METR-16


def test_a_shared_win_counts_for_each_and_the_match_can_be_shared() -> None:
    match = Match("metro_domino", position=stuck(1, 1, first=1), wins_needed=3)
    match.play("pass", "pass")
    view = match.view()
    assert (view["wins"], view["game_number"], view["first"]) == ([1, 1], 2, 0)
    assert [hand["tiles"] for hand in view["hands"]] == [9, 9]
    text = stuck(1, 1, wins=[2, 2], game_number=4)
    last = Match("metro_domino", position=text, wins_needed=3)
    last.play("pass", "pass")
    assert last.is_over
    assert (last.view()["wins"], last.returns) == ([3, 3], [0, 0])


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("stations", [NEW_YORK, SHUTTLE], ids=["new-york", "shuttle"])
def test_returns_add_up_to_zero(players: int, stations: Stations) -> None:
    options: dict[str, Any] = {"players": players, "stations": stations}
    returns = adjoin.simulate("metro_domino", 1500, seed=1, **options).each_seat("return")
    assert returns.shape == (1500, players)
    assert abs(returns.sum(axis=1)).max() < 1e-6
    winners = (returns == returns.max(axis=1, keepdims=True)).sum(axis=1)
    assert set(winners.tolist()) >= {1, 2}
    best = (players / winners - 1) / (players - 1)
    assert np.allclose(returns.max(axis=1), best)
    beaten = winners < players
    assert np.allclose(returns.min(axis=1)[beaten], -1 / (players - 1))


# What a seat may know.

SECRETIVE = [
    Variant("metro_domino", {"players": 3}),
    Variant("metro_domino", {"players": 3, "stations": SHUTTLE, "wins_needed": 2}),
]
PHASES = {"turn", "drawn", "extra", "more", "spent"}


def moments(variant: Variant, stride: int = 1) -> Iterator[Batch]:
    """Return the moments of some matches of random play, every phase among them."""
    phases = set()
    number = 0
    for seed in range(3):
        batch = variant.batch(seed=seed)
        action = np.zeros(1, np.int32)
        while batch.to_act() is not None:
            if number % stride == 0:
                phases.add(batch.view()["phase"])
                yield batch
            batch.sample(action)
            batch.play(int(action[0]))
            number += 1
    assert phases == PHASES


def seen_by(batch: Batch, seat: int) -> tuple[Any, ...]:
    out = batch.buffers()
    batch.observe(out, seat)
    view = batch.view(viewer=seat)
    row, mask = out.observation.tobytes(), out.mask.tobytes()
    return view, batch.text(viewer=seat), row, mask, render.svg(view)


@pytest.mark.parametrize("variant", SECRETIVE, ids=str)
def test_what_a_seat_sees_does_not_depend_on_what_it_may_not_know(variant: Variant) -> None:
    changed, looks = 0, 0
    for number, batch in enumerate(moments(variant, 3)):
        for seat in range(3):
            guess = batch.select([0])
            guess.resample_hidden(seat, number)
            assert seen_by(guess, seat) == seen_by(batch, seat)
            assert guess.legal() == batch.legal() or batch.to_act() != seat
            assert guess.legal()
            changed += guess.view(viewer="all") != batch.view(viewer="all")
            looks += 1
    assert changed > 0.9 * looks


@pytest.mark.parametrize("variant", SECRETIVE, ids=str)
def test_a_view_has_the_viewers_tiles_only(variant: Variant) -> None:
    drawn = 0
    for batch in moments(variant):
        state = json.loads(batch.position())
        held = [[tile(text) for text in hand] for hand in state["hands"]]
        to_act = batch.to_act()
        for seat in range(3):
            view = batch.view(viewer=seat)
            assert [hand["tiles"] for hand in view["hands"]] == list(map(len, held))
            for other, hand in enumerate(view["hands"]):
                assert tiles(hand["held"]) == (held[other] if other == seat else [])
            assert view["store"] == len(state["store"])
            assert (view["drawn"] is None) == (state["drawn"] is None or seat != to_act)
            assert (view["legal"] != []) == (seat == to_act)
            drawn += view["drawn"] is not None
        whole = batch.view(viewer="all")
        assert [tiles(hand["held"]) for hand in whole["hands"]] == held
        if state["drawn"] is not None:
            assert tuple(whole["drawn"]) == tile(state["drawn"])
    assert drawn > 0


@pytest.mark.parametrize("variant", SECRETIVE, ids=str)
def test_a_text_names_the_viewers_tiles_only(variant: Variant) -> None:
    for batch in moments(variant):
        state = json.loads(batch.position())
        for seat in range(3):
            text = batch.text(viewer=seat)
            named = [tile(word) for word in re.findall(r"\b\d-\d\b", text)]
            drawn = state["drawn"] if seat == batch.to_act() else None
            expected = state["hands"][seat] + ([drawn] if drawn else [])
            assert named == [tile(name) for name in expected]
            laid = [tile(word.replace("|", "-")) for word in re.findall(r"\d\|\d", text)]
            on_lines = [tile(name) for line in state["lines"].values() for name in line]
            assert laid == on_lines
            assert ("just drawn" in text) == (drawn is not None)


def tiles_in(svg: str) -> list[tuple[int, ...]]:
    """Read the tiles of a picture by their pips."""
    faces: list[tuple[float, float, float]] = []
    pips: list[tuple[float, float]] = []
    for one in placed(svg):
        kind = one.element.tag.rpartition("}")[2]
        if kind == "rect" and one.element.get("fill") == "#ffffff":
            face = one.rect("tile")
            faces.append((face.left, face.top, face.right - face.left))
        if kind == "circle" and one.number("r") < 3:
            pip = one.box(one.number("cx"), one.number("cy"), 0, 0, "pip")
            pips.append((pip.left, pip.top))
    found = []
    for x, y, width in faces:
        inside = [px - x for px, py in pips if 0 < px - x < width and 0 < py - y < width / 2]
        left = sum(px < width / 2 for px in inside)
        found.append(tuple(sorted((left, len(inside) - left))))
    assert sum(map(sum, found)) == len(pips)
    return found


@pytest.mark.parametrize("variant", SECRETIVE, ids=str)
def test_a_picture_shows_the_viewers_tiles_only(variant: Variant) -> None:
    shown = 0
    for batch in moments(variant, 5):
        state = json.loads(batch.position())
        laid = [tile(name) for line in state["lines"].values() for name in line]
        hands = [[tile(name) for name in hand] for hand in state["hands"]]
        for seat, hand in enumerate(hands):
            assert tiles_in(render.svg(batch.view(viewer=seat))) == laid + hand
            shown += len(hand)
        everything = laid + [one for hand in hands for one in hand]
        assert tiles_in(render.svg(batch.view(viewer="all"))) == everything
    assert shown > 100


def test_a_guess_follows_from_its_number() -> None:
    batch = Batch("metro_domino", players=3, lanes=3, seed=8)
    guesses = []
    for purpose in (1, 1, 2):
        guess = batch.select(range(3))
        guess.resample_hidden(0, purpose)
        guesses.append([guess.save(lane) for lane in range(3)])
    assert guesses[0] == guesses[1] != guesses[2]


# What the numbers mean.


@pytest.mark.parametrize("stations", [NEW_YORK, SHUTTLE], ids=["new-york", "shuttle"])
def test_blocks_are_labelled_with_the_names_of_tiles_lines_and_stations(stations: Stations) -> None:
    spec = Batch("metro_domino", stations=stations, players=4).spec
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


@pytest.mark.parametrize("stations", [NEW_YORK, SHUTTLE], ids=["new-york", "shuttle"])
def test_action_ids_follow_tile_line_and_facing(stations: Stations) -> None:
    batch = Batch("metro_domino", stations=stations)
    names = batch.spec.observation["left"].labels
    ids = np.arange(batch.spec.actions["play"].size).reshape(batch.spec.actions["play"].shape)
    for number, (a, b) in enumerate(TILES):
        for line, name in enumerate(names):
            texts = [f"{a}-{b} {name}", f"{b}-{a} {name}"]
            if a == b:
                texts[1] += " reversed"
            for facing, text in enumerate(texts):
                action = int(ids[number, line, facing])
                assert batch.action_text(action) == text
                assert batch.parse_action(text) == action
    for word in ("draw", "pass", "keep", "spend", "stop"):
        assert batch.action_text(batch.spec.actions[word].start) == word


@pytest.mark.parametrize("variant", SECRETIVE, ids=str)
def test_an_observation_says_what_the_view_says_beginning_with_the_viewer(variant: Variant) -> None:
    spec = variant.batch().spec
    by_seat = {block.name for block in spec.observation.blocks if block.by_seat}
    assert by_seat == {"owner", "tiles", "tokens", "stations", "wins", "to_act", "first"}
    phases = spec.observation["phase"].labels
    for batch in moments(variant):
        out = batch.buffers()
        for viewer in range(3):
            view = batch.view(viewer=viewer)
            batch.observe(out, viewer)
            row = {name: part[0] for name, part in spec.observation.split(out.observation).items()}
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
