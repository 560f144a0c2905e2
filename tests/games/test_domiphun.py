"""Domiphun from Python: what the numbers mean, the greedy agent, a picture.

The rules are tested in tests/rules/domiphun.rs.
"""

from __future__ import annotations

import json
import re
from itertools import count
from typing import TYPE_CHECKING, Any

import numpy as np

from adjoin import Match
from interfaces import everywhere
from scaffold import Variant, cases

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from adjoin.core.spec import Spec

DIRECTIONS = ["east", "west", "north", "south", "up", "down"]
OPPOSITE = dict(zip(DIRECTIONS, ["west", "east", "south", "north", "down", "up"], strict=True))
ADVANCED: dict[str, Any] = {"variant": "advanced"}


def position(**parts: Any) -> str:
    return json.dumps({"hands": [[1, 1, 3], [0, 4]], "laid": ["3-5", "5-6 B"], **parts})


def domino(text: str) -> tuple[int, ...]:
    return tuple(sorted(map(int, text.split("-"))))


# Options.

HANDICAP_EVERYWHERE = everywhere("domiphun", "extra_starjoiners", {"players": 3, **ADVANCED})


@cases("where", HANDICAP_EVERYWHERE)
def test_a_handicap_is_given_through_every_interface(where: str) -> None:
    given = HANDICAP_EVERYWHERE[where]([0, 4, 0])
    assert HANDICAP_EVERYWHERE[where]((0, np.int64(4), 0)) == given
    assert HANDICAP_EVERYWHERE[where]([0, 0, 4]) != given


# The greedy agent.


@cases(("others", "is_ahead"), [([3] * 4, True), ([3], False)])
def test_the_greedy_agent_lets_the_path_die_only_where_that_wins(
    others: list[int], is_ahead: bool
) -> None:
    sixes = ["1-6", "6-6 B", "6-6 B", "6-6 B"]
    hands = [[1, 1, 2, 5, 6], others]
    match = Match("domiphun", position=position(laid=sixes, hands=hands))
    assert (match.choose("greedy") == "1-6 A") == is_ahead
    match.play("1-6 A")
    assert match.returns == ([1, -1] if is_ahead else [-1, 1])  # DOMI-10
    straight = [sixes[0], *(f"{play} east" for play in sixes[1:])]
    text = position(laid=straight, hands=hands, x_joiners=[2, 2])
    match = Match("domiphun", position=text, starjoiners=0, **ADVANCED)
    assert (match.choose("greedy") == "1-6 A") == is_ahead


# What the numbers mean.

TABLES = [
    Variant("domiphun", {"variant": "traditional", "players": 3}),
    Variant("domiphun", {"players": 4}),
    Variant("domiphun", {"variant": "advanced", "players": 3, "starts_each": 1}),
    Variant("domiphun", {"variant": "advanced", "players": 4, "fork": True, "x_joiners": 3}),
]


def moments(variant: Variant, stride: int) -> Iterator[Match]:
    """Return moments of some matches of random play, every phase and the end among them."""
    number, phases = count(), set()
    for seed in range(3):
        match = variant.match(seed=seed)
        while not match.is_over:
            if next(number) % stride == 0:
                phases.add(match.view()["phase"])
                yield match
            match.play_random(1)
        yield match
    advanced = variant.options.get("variant") == "advanced"
    assert phases == ({"turn", "star", "plate", "place"} if advanced else {"turn"})


def held_joiners(plates: list[dict[str, Any]]) -> NDArray[np.uint8]:
    """Return what the sides of the plates hold: 1 an ordinary joiner, 2 an X joiner."""
    held = np.zeros((56, 6), np.uint8)
    for plate in plates[::2]:
        number, joint = plate["number"], plate["joint"]
        heading = joint["heading"] if joint else "east"
        held[number, DIRECTIONS.index(heading)] = 1
        held[number + 1, DIRECTIONS.index(OPPOSITE[heading])] = 1
        if joint:
            kind = 1 if joint["joiner"] == "ordinary" else 2
            held[number, DIRECTIONS.index(OPPOSITE[heading])] = kind
            held[joint["to"], DIRECTIONS.index(joint["side"])] = kind
    return held


def flags(size: int, *places: int | None) -> list[int]:
    return [int(n in places) for n in range(size)]


@cases("variant", TABLES)
def test_an_observation_says_what_the_view_says_beginning_with_the_viewer(variant: Variant) -> None:
    spec = variant.match().spec
    seats = spec.seats
    by_seat = {block.name for block in spec.observation.blocks if block.by_seat}
    joiners = {"x_joiners", "starjoiners"}
    advanced = variant.options.get("variant") == "advanced"
    assert by_seat == {"pieces", "wins", "points", "to_act", "first"} | (
        joiners if advanced else set()
    )
    for match in moments(variant, 2):
        state = json.loads(match.position())
        for viewer in range(seats):
            view = match.view(viewer)
            row = spec.observation.split(match.observe(viewer)[0])
            around = [(viewer + n) % seats for n in range(seats)]
            hands = [view["hands"][seat] for seat in around]
            mine, *others = (state["hands"][seat] for seat in around)
            hidden = others if view["to_act"] is not None else []
            ends = [end["value"] for end in view["ends"]]
            ends += [None] * (len(row["ends"]) - len(ends))
            expected: dict[str, Any] = {
                "ends": [flags(7, value) for value in ends],
                "pieces": [hand["pieces"] for hand in hands],
                "wins": [view["wins"][seat] for seat in around],
                "points": [view["points"][seat] for seat in around],
                "to_act": [int(seat == view["to_act"]) for seat in around],
                "first": [int(seat == view["first"]) for seat in around],
                **{name: view[name] for name in ("pool", "taken", "misses")},
                "dominoes": len(view["dominoes"]),
                "hand": counted(view["variant"], mine),
                "unseen": counted(view["variant"], state["pool"], *hidden),
            }
            if advanced:
                expected |= in_space(view, hands, spec)
            assert set(row) == set(expected)
            for name, block in expected.items():
                assert row[name].tolist() == block, name


def counted(variant: str, *piles: list[Any]) -> list[Any]:
    """Return how many squares of each value there are, or which dominoes, both ways round."""
    pieces = [piece for pile in piles for piece in pile]
    if variant != "traditional":
        return [pieces.count(value) for value in range(7)]
    names = {domino(piece) for piece in pieces}
    return [[int((min(a, b), max(a, b)) in names) for b in range(7)] for a in range(7)]


def in_space(view: dict[str, Any], hands: list[dict[str, Any]], spec: Spec) -> dict[str, Any]:
    """Return the blocks that only the advanced game has."""
    chosen, plates = view["chosen"], view["plates"]
    touching, outer = chosen["domino"] or (None, None)
    ends = spec.observation["playing_at"].labels
    squares = {end["name"]: end["plate"] for end in view["ends"]}
    none = [[0] * 3] * (56 - len(plates))
    offset = spec.observation["places"].offset
    return {
        "phase": [int(name == view["phase"]) for name in spec.observation["phase"].labels],
        **{name: [hand[name] for hand in hands] for name in ("x_joiners", "starjoiners")},
        "touching": flags(7, touching),
        "outer": flags(7, outer),
        "playing_at": [int(name == chosen["end"]) for name in ends],
        "chosen": flags(56, chosen["plate"]),
        "end_squares": [flags(56, squares.get(name)) for name in ends],
        "closed": flags(56, *(plate["number"] for plate in plates if plate["starjoiner"])),
        "values": [plate["value"] + 1 for plate in plates] + [0] * (56 - len(plates)),
        "places": [[at + offset for at in plate["place"]] for plate in plates] + none,
        "axes": [flags(3, "xyz".index(plate["axis"])) for plate in plates] + none,
        "joiners": held_joiners(plates).tolist(),
    }


# A picture.

BUILDERS = Variant("domiphun", {**ADVANCED, "players": 4, "x_joiners": 4, "starjoiners": 2})


def test_a_picture_shows_pips_numbers_and_joiners_of_the_plates() -> None:
    joints = set()
    for seed in range(40):
        match = BUILDERS.match(seed=seed)
        match.play_random(60)
        view, svg = match.view("all"), match.svg("all")
        if view["height"] < 2:
            continue
        groups = re.findall(r'data-plate="(\d+)".*?<g transform="matrix[^>]*>(.*?)</g>', svg)
        assert len(groups) == len(view["plates"])
        for number, inside in groups:
            plate = view["plates"][int(number)]
            assert inside.count("<circle") == plate["value"]
            assert inside.count("<polygon") == plate["starjoiner"]
            assert re.findall(r">(\d+)</text>", inside) == [number]
        joiners = [plate["joint"]["joiner"] for plate in view["plates"] if plate["joint"]]
        assert svg.count('fill="#8a3c66"') == len(joiners) - joiners.count("ordinary")
        joints |= set(joiners)
        for word in ("north", "east", "up", *(end["name"] for end in view["ends"])):
            assert f">{word}</text>" in svg
        assert view["balance"]["words"] in svg
    assert joints == {"ordinary", "x", "arm"}
