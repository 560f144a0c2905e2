"""Domiphun from Python: the three games, positions, what a seat may know, pictures in space."""

from __future__ import annotations

import copy
import json
import re
import xml.etree.ElementTree as ElementTree
from fractions import Fraction
from itertools import combinations_with_replacement, count, pairwise
from typing import TYPE_CHECKING, Any

import gymnasium
import numpy as np
import pytest
from conftest import Variant
from everywhere import everywhere

import adjoin
from adjoin import Batch, Match, render
from adjoin.aec import AECEnv

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from adjoin.spec import Spec

ENVIRONMENT = "adjoin/Domiphun-v0"
GAMES = ["traditional", "standard", "advanced"]
DOMINOES = list(combinations_with_replacement(range(7), 2))
DIRECTIONS = ["east", "west", "north", "south", "up", "down"]
OPPOSITE = dict(zip(DIRECTIONS, ["west", "east", "south", "north", "down", "up"], strict=True))
ADVANCED: dict[str, Any] = {"variant": "advanced"}
TRADITIONAL: dict[str, Any] = {"variant": "traditional"}
FOUR = ["1-2", "2-3 B east", "3-4 B east", "4-5 B east"]
"""The dominoes that are played without X joiners and Starjoiners, in a row from west to east."""


def position(**parts: Any) -> str:
    return json.dumps({"hands": [[1, 1, 3], [0, 4]], "laid": ["3-5", "5-6 B"], **parts})


def built(*laid: str, options: dict[str, Any] | None = None, **parts: Any) -> Match:
    """Return an advanced game in which four dominoes and these are on the table."""
    text = position(**{"laid": [*FOUR, *laid], **parts})
    return Match("domiphun", position=text, **ADVANCED, **(options or {}))


def domino(text: str) -> tuple[int, ...]:
    return tuple(sorted(map(int, text.split("-"))))


def assert_illegal(match: Match, action: str, message: str) -> None:
    """Check that the reason is told, by itself and with the error, and that nothing changes."""
    before, past = match.save(), match.history
    assert message in str(match.why_not(action))
    with pytest.raises(adjoin.IllegalActionError, match=f"{re.escape(message)}.*legal: "):
        match.play(action)
    assert (match.save(), match.history) == (before, past)


# Options.

VARIANTS_EVERYWHERE = everywhere("domiphun", "variant", {"players": 3})
HANDICAP_EVERYWHERE = everywhere("domiphun", "extra_starjoiners", {"players": 3, **ADVANCED})


@pytest.mark.parametrize("where", VARIANTS_EVERYWHERE)
def test_the_three_games_are_played_through_every_interface(where: str) -> None:
    seen = [VARIANTS_EVERYWHERE[where](variant) for variant in GAMES]
    assert all(seen[a] != seen[b] for a, b in ((0, 1), (0, 2), (1, 2)))
    assert [VARIANTS_EVERYWHERE[where](variant) for variant in GAMES] == seen


@pytest.mark.parametrize("where", HANDICAP_EVERYWHERE)
def test_a_handicap_is_given_through_every_interface(where: str) -> None:
    given = HANDICAP_EVERYWHERE[where]([0, 4, 0])
    assert HANDICAP_EVERYWHERE[where]((0, np.int64(4), 0)) == given
    assert HANDICAP_EVERYWHERE[where]([0, 0, 4]) != given


def test_joiners_are_those_of_the_options() -> None:
    def joiners(**options: Any) -> list[tuple[int, int]]:
        hands = Match("domiphun", **options).view()["hands"]
        return [(hand["x_joiners"], hand["starjoiners"]) for hand in hands]

    assert joiners() == joiners(**TRADITIONAL) == [(0, 0)] * 2
    assert joiners(players=4, **ADVANCED) == [(2, 1)] * 4
    assert joiners(x_joiners=0, starjoiners=3, **ADVANCED) == [(0, 3)] * 2
    assert joiners(extra_starjoiners=[0, 4], **ADVANCED) == [(2, 1), (2, 5)]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"variant": "chess"}, "variant: unknown value `chess`, expected one of `traditional`"),
        ({"players": 1}, "players = 1: 2 to 4 play (DOMI-2)"),
        ({"players": 5}, "players = 5: 2 to 4 play (DOMI-2)"),
        ({"first_seat": 2}, "first_seat = 2: the seats are 0 to 1"),
        ({"first_seat": 3, "players": 3}, "first_seat = 3: the seats are 0 to 2"),
        ({"starts_each": 3}, "starts_each = 3: 0 (a single game), 1 or 2 are allowed (DOMI-21)"),
        ({"series": "pips"}, "series: unknown value `pips`, expected `wins` or `points`"),
        ({"x_joiners": 2}, "x_joiners = 2: only the advanced game has them (DOMI-11)"),
        ({"x_joiners": 5, **ADVANCED}, "x_joiners = 5: 0 to 4 are allowed (DOMI-11)"),
        ({"starjoiners": 1, **TRADITIONAL}, "starjoiners = 1: only the advanced game has them"),
        ({"starjoiners": 9, **ADVANCED}, "starjoiners = 9: 0 to 4 are allowed (DOMI-11)"),
        ({"starjoiners": -1, **ADVANCED}, "starjoiners: invalid value: integer `-1`"),
        (
            {"extra_starjoiners": [1, 0]},
            "extra_starjoiners[0] = 1: only the advanced game has them (DOMI-11)",
        ),
        (
            {"extra_starjoiners": [1, 2, 3], **ADVANCED},
            "extra_starjoiners: 3 numbers for 2 players",
        ),
        (
            {"extra_starjoiners": [0, 9], **ADVANCED},
            "extra_starjoiners[1] = 9: 0 to 4 are allowed (DOMI-11)",
        ),
        (
            {"extra_starjoiners": [0, -1], **ADVANCED},
            "extra_starjoiners[1]: invalid value: integer `-1`",
        ),
        ({"fork": True}, "fork: only the advanced game has it (DOMI-20)"),
        ({"seats": 2}, "unknown option `seats`, the options are `variant`"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_options_against_the_rules_are_refused(options: dict[str, Any], message: str) -> None:
    given = copy.deepcopy(options)
    makers: list[Callable[..., Any]] = [Match, Batch, AECEnv, adjoin.describe]
    for maker in makers:
        with pytest.raises(ValueError, match=f"^domiphun: {re.escape(message)}"):
            maker("domiphun", **options)
    with pytest.raises(ValueError, match=re.escape(message)):
        adjoin.simulate("domiphun", 1, **options)
    with pytest.raises(ValueError, match=re.escape(message)):
        gymnasium.make(ENVIRONMENT, **options)
    assert options == given


def test_a_save_is_refused_under_other_options() -> None:
    others: list[dict[str, Any]] = [
        {},
        TRADITIONAL,
        {"players": 3, **ADVANCED},
        {"fork": True, **ADVANCED},
        {"starjoiners": 2, **ADVANCED},
        {"series": "points", **ADVANCED},
    ]
    match = Match("domiphun", seed=1, **ADVANCED)
    match.play_random(20)
    for options in others:
        stranger = Match("domiphun", **options)
        before = stranger.save()
        with pytest.raises(ValueError, match=r"^cannot load: the match .*other options"):
            stranger.load(match.save())
        assert stranger.save() == before


# Traditional and standard game, in the notation of people.


@pytest.mark.parametrize(
    ("variant", "players", "each", "pool"),
    [
        *(("traditional", 2, 7, 14), ("traditional", 3, 5, 13), ("traditional", 4, 5, 8)),
        *(("standard", 2, 11, 34), ("standard", 3, 11, 23), ("standard", 4, 11, 12)),
        *(("advanced", 2, 11, 34), ("advanced", 4, 11, 12)),
    ],
)
def test_pieces_are_dealt(variant: str, players: int, each: int, pool: int) -> None:
    match = Match("domiphun", seed=5, variant=variant, players=players)
    view = match.view("all")
    assert [hand["pieces"] for hand in view["hands"]] == [each] * players
    assert all(len(hand["held"]) == each for hand in view["hands"])
    assert (view["pool"], view["dominoes"], view["ends"]) == (pool, [], [])
    held = view["hands"][view["to_act"]]["held"]
    pairs = held if variant == "traditional" else list(combinations_with_replacement(held, 2))
    if variant != "traditional":
        twice = {value for value in held if held.count(value) > 1}
        pairs = [pair for pair in pairs if pair[0] != pair[1] or pair[0] in twice]
    assert set(match.legal()) == {f"{a}-{b}" for a, b in pairs}  # DOMI-5, nothing else


def test_a_standard_game_from_the_opening_to_the_end() -> None:
    hands = [[3, 5, 6, 6], [3, 4, 4]]
    match = Match("domiphun", position=position(hands=hands, laid=[], pool=[0, 0, 1, 2, 4]))
    assert_illegal(match, "3-5 A", "the first domino is laid by itself, such as 3-5 (DOMI-5)")
    assert_illegal(match, "take", "a player who can play must (DOMI-8)")
    match.play("6-3")
    assert match.view()["path"] == [3, 6]  # DOMI-5: the smaller square is end A
    assert_illegal(match, "3-4", "the path has begun: name the end, such as 3-5 A (DOMI-6)")
    assert_illegal(match, "3-4 B", "end B shows 6, not 3 (DOMI-6)")
    assert_illegal(match, "6-4 B", "seat 1 has no 6-4 to play")
    assert_illegal(match, "miss", "a player who can play must (DOMI-8)")
    match.play("3-4 A")
    view = match.view()
    assert (view["path"], view["dominoes"]) == ([4, 3, 3, 6], [[3, 6], [3, 4]])
    assert view["ends"] == [
        {"name": "A", "value": 4, "plate": None},
        {"name": "B", "value": 6, "plate": None},
    ]
    match.play("6-5 B")  # DOMI-9: everything placed
    assert match.is_over
    assert (match.view("all")["points"], match.returns) == ([0, 4], [1, -1])
    assert match.view()["path"] == [4, 3, 3, 6, 6, 5]
    assert_over(match)


def assert_over(match: Match) -> None:
    assert match.legal() == []
    assert "the match is over" in str(match.why_not("take"))


def test_who_cannot_play_takes_and_may_miss_after_four() -> None:
    match = Match("domiphun", position=position(hands=[[1, 1, 1], [0, 4]], pool=[2] * 6))
    for taken in range(4):
        assert (match.legal(), match.view()["taken"]) == (["take"], taken)
        message = "the turn may be missed after 4 squares are taken or when the pool is empty"
        assert_illegal(match, "miss", f"{message} (DOMI-7)")
        match.play("take")
    assert match.legal() == ["take", "miss"]
    match.play("take", "miss")  # DOMI-7: they may go on or stop
    view = match.view()
    assert (view["turn"], view["taken"], view["misses"], view["pool"]) == (1, 0, 0, 1)


def test_a_square_that_makes_a_play_possible_must_be_played() -> None:
    match = Match("domiphun", position=position(hands=[[1, 1], [0, 4]], pool=[3, 6]))
    match.play("take")
    taken = match.view()["hands"][0]["held"]
    value, end = (3, "A") if 3 in taken else (6, "B")
    assert match.legal() == [f"{value}-1 {end}"]  # DOMI-8
    assert_illegal(match, "take", "a player who can play must (DOMI-8)")


def test_in_the_traditional_game_dominoes_are_drawn_until_one_fits() -> None:
    text = position(hands=[["1-1"], ["2-2"]], laid=["3-5", "5-6 B"], pool=["0-0", "0-1", "0-2"])
    match = Match("domiphun", position=text, **TRADITIONAL)
    for _ in range(3):
        assert match.legal() == ["take"]
        assert_illegal(match, "miss", "there are dominoes to draw (DOMI-4)")
        match.play("take")
    assert match.is_over  # blocked: the boneyard is empty, and nobody can play
    assert (match.view("all")["points"], match.returns) == ([5, 4], [-1, 1])


def test_an_empty_pool_ends_the_taking() -> None:
    match = Match("domiphun", position=position(hands=[[1, 1], [3, 4, 5, 5]], pool=[]))
    assert match.legal() == ["miss"]
    assert_illegal(match, "take", "the pool is empty (DOMI-7)")
    match.play("miss")
    assert (match.to_act, match.view()["misses"]) == (1, 1)
    match.play("3-4 A")
    assert match.is_over  # DOMI-10: at once, for a 4 fits nowhere
    assert (match.view("all")["points"], match.returns) == ([2, 10], [0, 0])


@pytest.mark.parametrize("variant", GAMES)
def test_actions_are_read_with_any_case_and_space(variant: str) -> None:
    match = Match("domiphun", seed=8, variant=variant, players=3)
    parse = Batch("domiphun", variant=variant, players=3).parse_action
    said: list[str] = []
    while len(said) < 60 and not match.is_over:
        legal = match.legal()
        action = legal[len(said) * 7 % len(legal)]
        for spoken in (action.upper(), f"  {action.replace(' ', '   ')} ", action.title()):
            assert parse(spoken) == parse(action)
        match.play(action.upper())
        said.append(action)
    assert match.history == said
    kinds = {re.sub(r"\d+", "n", action) for action in said}
    assert kinds >= {"n-n", "n-n A", "n-n B", "take"}
    assert variant != "advanced" or kinds >= {"star A", "join n-n", "plate n", "east"}


@pytest.mark.parametrize(
    ("spoken", "action"),
    [
        ("5-3", "3-5"),
        ("5–3", "3-5"),
        ("3|5", "3-5"),
        ("[3:5]", "3-5"),
        ("[5|6]  b", "5-6 B"),
        ("TAKE", "take"),
        ("east EAST", "east"),
        ("Plate 07", "plate 7"),
    ],
)
def test_dominoes_are_read_as_people_write_them(spoken: str, action: str) -> None:
    batch = Batch("domiphun", **ADVANCED)
    assert batch.parse_action(spoken) == batch.parse_action(action)
    assert batch.action_text(batch.parse_action(spoken)) == action


@pytest.mark.parametrize(
    "text",
    [
        "",
        "3",
        "3-7",
        "33-5",
        "3-5 C",
        "3-5 A B",
        "plate 56",
        "plate -1",
        "join",
        "star",
        "up up up",
    ],
)
def test_what_is_no_action_is_refused_with_what_is_legal(text: str) -> None:
    match = Match("domiphun", seed=1, **ADVANCED)
    with pytest.raises(adjoin.IllegalActionError, match="is no action of domiphun; legal now: "):
        match.play(text)
    flat = Match("domiphun", seed=1)
    for advanced_only in ("star A", "join 3-5", "plate 0", "east up"):
        with pytest.raises(adjoin.IllegalActionError, match="is no action of domiphun"):
            flat.play(advanced_only)


# The advanced game.


def test_a_domino_at_a_right_angle_takes_an_x_joiner() -> None:
    match = built(hands=[[5, 6, 6], [0, 0]])
    match.play("5-6 B")
    view = match.view(1)
    assert (view["phase"], view["to_act"], view["hands"][0]["pieces"]) == ("place", 0, 1)
    assert view["chosen"] == {"end": "B", "domino": [5, 6], "plate": 7, "starjoiner": False}
    assert match.legal() == ["east", "east up", "north", "north up", "south", "south up"]
    side_taken, below = "the west side is not free (DOMI-13)", "that is below the table (DOMI-15)"
    assert_illegal(match, "west", side_taken)
    assert_illegal(match, "up", "the square has no up side (DOMI-13)")
    assert_illegal(match, "north down", below)
    way = "a domino at the east side goes east, or at a right angle up or down (DOMI-14)"
    assert_illegal(match, "east north", way)
    assert_illegal(match, "take", "the domino is chosen: say where it goes, such as east (DOMI-13)")
    match.play("east up")
    view = match.view("all")
    assert [hand["x_joiners"] for hand in view["hands"]] == [1, 2]
    assert (view["height"], view["ends"][1]) == (2, {"name": "B", "value": 6, "plate": 9})
    inner, outer = view["plates"][8:]
    assert (inner["axis"], inner["place"], outer["place"]) == ("x", [8, 0, 0], [8, 0, 1])
    assert inner["corners"] == [[8, 0, 0], [8, 1, 0], [8, 1, 1], [8, 0, 1]]
    assert inner["joint"] == {"to": 7, "side": "east", "heading": "up", "joiner": "x"}
    assert (inner["value"], outer["value"], outer["joint"]) == (5, 6, None)
    assert view["balance"] == {
        "centre": ["24/5", "1/2"],
        "support": [[0, 0], [8, 0], [8, 1], [0, 1]],
        "margin": "1/2",
        "words": "about 0.5 squares from toppling",
    }


def test_the_first_four_dominoes_are_played_without_joiners() -> None:
    text = position(hands=[[4, 5, 3], [0, 0]], laid=FOUR[:3])
    match = Match("domiphun", position=text, **ADVANCED)
    message = "the first four dominoes are played without X joiners and Starjoiners (DOMI-12)"
    assert match.legal() == ["4-3 B", "4-5 B"]
    for end in "AB":
        assert_illegal(match, f"star {end}", message)
    match.play("4-5 B")
    assert match.legal() == ["east", "north", "south"]
    assert_illegal(match, "east up", message)
    assert_illegal(match, "SOUTH  Up", message)
    match.play("east")
    assert len(match.view()["dominoes"]) == 4


def test_a_batch_refuses_an_early_x_joiner_and_changes_no_lane() -> None:
    batch = Batch("domiphun", num_lanes=3, seed=1, **ADVANCED)
    out, actions = batch.buffers(), np.zeros(3, np.int32)
    for lane in range(3):
        batch.set_position(position(hands=[[4, 5, 3], [0, 0]], laid=FOUR[:3]), lane)
        batch.play(batch.parse_action("4-5 B"), lane)
    actions[:] = batch.parse_action("east")
    actions[1] = batch.parse_action("east up")
    before = [batch.save(lane) for lane in range(3)]
    with pytest.raises(adjoin.IllegalActionError, match=r"^lane 1, .*\(east up\): .*\(DOMI-12\)"):
        batch.step(actions, out)
    assert [batch.save(lane) for lane in range(3)] == before


def test_a_starjoiner_closes_an_end_and_the_path_goes_on_elsewhere() -> None:
    match = built(hands=[[3, 6, 6, 6], [0, 0, 0]])
    match.play("star A")
    view = match.view(1)
    assert (view["phase"], view["hands"][0]["starjoiners"]) == ("star", 0)
    assert view["chosen"] == {"end": "A", "domino": None, "plate": None, "starjoiner": True}
    assert match.legal() == ["join 3-6"]
    message = "the Starjoiner is set: choose the domino, such as join 3-5 (DOMI-17)"
    assert_illegal(match, "take", message)
    assert_illegal(match, "join 3-5", "seat 0 has no 3-5 to play")
    match.play("join 3-6")
    assert match.view(1)["chosen"]["domino"] == [3, 6]
    assert match.legal() == ["plate 3", "plate 4"]
    assert_illegal(match, "plate 0", "square 0 holds a Starjoiner (DOMI-17)")
    assert_illegal(match, "plate 5", "square 5 shows 4, not 3 (DOMI-17)")
    assert_illegal(match, "plate 40", "there is no square 40")
    assert_illegal(match, "north", "choose the square, such as plate 0 (DOMI-17)")
    match.play("plate 3")
    assert match.legal() == ["north", "north up", "south", "south up"]
    match.play("north up")
    view = match.view("all")
    assert view["ends"][0] == {"name": "A", "value": 6, "plate": 9}
    assert [plate["number"] for plate in view["plates"] if plate["starjoiner"]] == [0]
    assert json.loads(match.position())["laid"][-1] == "3-6 A plate 3 north up"


def test_a_starjoiner_may_not_be_used_with_the_play_that_wins() -> None:
    message = "a Starjoiner may not be used with the play that wins (DOMI-17)"
    upright = ["5-5 B east up", "1-1 A west up"]
    match = built(*upright, hands=[[3, 5], [0, 0]], x_joiners=[0, 2])
    assert match.legal() == ["5-3 B"]
    for end in "AB":
        assert_illegal(match, f"star {end}", message)
    match.play("5-3 B")
    match.play(match.legal()[0])
    assert (match.is_over, match.returns) == (True, [1, -1])

    # With an X joiner left the play does not win, unless it uses that one.
    match = built(*upright, hands=[[3, 5], [0, 0]], x_joiners=[1, 1])
    match.play("star A", "join 3-5", "plate 3")
    assert match.legal() == ["north", "south"]
    assert_illegal(match, "north up", message)
    match.play("north")
    assert not match.is_over


@pytest.mark.parametrize(("others", "is_ahead"), [([3] * 4, True), ([3], False)])
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


def test_out_of_squares_with_x_joiners_left_is_no_win() -> None:
    match = built(hands=[[5, 6], [0, 0]])
    match.play("5-6 B", "east")
    assert (match.is_over, match.to_act) == (False, 1)  # DOMI-18
    while match.to_act == 1:
        match.play("take" if "take" in match.legal() else match.legal()[0])
    assert match.view()["hands"][0]["pieces"] == 0
    assert match.legal() == ["take"]


def test_an_arm_of_an_x_joiner_needs_no_other_one() -> None:
    options = {"x_joiners": 1, "fork": True}
    match = built("5-6 B east up", hands=[[5, 4, 4], [0, 0]], x_joiners=[0, 1], options=options)
    assert match.view()["ends"][2] == {"name": "C", "value": 5, "plate": 7}  # DOMI-20
    assert_illegal(match, "4-5 D", "there is no end D yet (DOMI-20)")
    match.play("5-4 C")
    assert_illegal(match, "north up", "seat 0 has no X joiner left (DOMI-11)")
    assert_illegal(match, "east up", "another square is there (DOMI-15)")
    match.play("east")
    plate = match.view()["plates"][10]
    assert (plate["place"], plate["joint"]["joiner"]) == ([8, 0, 0], "arm")  # DOMI-14
    assert [hand["x_joiners"] for hand in match.view()["hands"]] == [0, 1]


def test_a_play_that_topples_the_construction_says_by_how_much() -> None:
    overhang = ["5-6 B north up", "6-6 B up north"]
    match = built(*overhang, hands=[[6, 6, 6], [0, 0]], x_joiners=[1, 1])
    assert match.view()["balance"]["centre"][1] == "5/6"
    match.play("6-6 B")
    message = "the construction would topple: the centre of mass would lie 2/7 beyond the support"
    assert_illegal(match, "north", f"{message} (DOMI-16)")
    assert match.legal() == ["east down", "west down", "north down"]  # down to the table
    match.play("north down")
    assert match.view()["balance"]["centre"] == ["11/2", "8/7"]
    assert match.view()["balance"]["support"] == [[0, 0], [8, 0], [8, 3], [7, 3], [0, 1]]


# Positions.


def test_a_position_by_hand_needs_the_hands_only() -> None:
    whole = json.loads(Match("domiphun", position='{"hands": [[1, 1, 3], [0, 4]]}').position())
    pool = whole.pop("pool")
    assert sorted([*pool, 1, 1, 3, 0, 4]) == sorted(list(range(7)) * 8)
    assert whole == {
        "laid": [],
        "hands": [[1, 1, 3], [0, 4]],
        "wins": [0, 0],
        "points": [0, 0],
        **dict.fromkeys(["taken", "misses", "turn", "first"], 0),
        **dict.fromkeys(["x_joiners", "starjoiners", "end", "domino", "plate"]),
        **{"phase": "turn", "game_number": 1},
    }


def test_a_position_is_read_as_people_write_it() -> None:
    laid = ["2–1", " [2|3]  b EAST", "3:4 B east", "4-5 B east east", "3-6 a PLATE 3 North  UP"]
    joiners = {"x_joiners": [1, 2], "starjoiners": [0, 1]}
    match = Match("domiphun", position=position(laid=laid, **joiners), **ADVANCED)
    assert json.loads(match.position())["laid"] == [*FOUR, "3-6 A plate 3 north up"]
    dominoes = Match(
        "domiphun", position='{"hands": [["5|3", "1–0"], ["2:2"]], "laid": ["6-3"]}', **TRADITIONAL
    )
    assert json.loads(dominoes.position())["hands"] == [["0-1", "3-5"], ["2-2"]]
    assert dominoes.view()["path"] == [3, 6]


def test_pieces_that_are_named_nowhere_are_in_the_pool_or_out_of_the_game() -> None:
    assert Match("domiphun", position=position()).view()["pool"] == 56 - 4 - 5
    assert Match("domiphun", position=position(pool=[2, 2, 6])).view()["pool"] == 3


HALF_MADE: dict[str, dict[str, Any]] = {
    "star": {"end": "A", "starjoiners": [0, 1]},
    "plate": {"end": "A", "domino": "3-6", "starjoiners": [0, 1]},
    "place": {"end": "B", "domino": "5-6"},
}
EARLY = {"laid": FOUR[:3], "hands": [[3, 3, 3], [1]]}
NO_END = "an end of the game that is none, or none that is one (DOMI-9, DOMI-10)"
NO_MATCH = "a domino that does not match its square (DOMI-6)"
TOO_EARLY = "a Starjoiner among the first four dominoes (DOMI-12)"
REFUSED: list[tuple[dict[str, Any], dict[str, Any], str]] = [
    ({}, {"hand": []}, "unknown field `hand`"),
    ({}, {"hands": [[1]]}, "hands: 1 hands for 2 players"),
    ({}, {"hands": [[1, 1, 3], []]}, NO_END),
    ({}, {"hands": [[1, 1, 3], []], "laid": []}, NO_END),
    ({}, {"hands": [[1] * 9, [0]]}, "more than 8 squares show 1 (DOMI-1)"),
    ({}, {"hands": [[1], [*range(7)] * 8], "laid": []}, "more than 8 squares show 1 (DOMI-1)"),
    ({}, {"hands": [[0] * 4, [1]], "pool": [0] * 5}, "more than 8 squares show 0 (DOMI-1)"),
    ({}, {"laid": ["0-0", *["0-0 A"] * 4]}, "more than 8 squares show 0 (DOMI-1)"),
    ({}, {"hands": [[7], [0]]}, "no square 7: the values are 0 to 6 (DOMI-1)"),
    ({}, {"hands": [[-1], [0]]}, 'a value from 0 to 6, or a domino such as "3-5"'),
    ({}, {"hands": [["3-5"], [0]]}, "hands and pool are lists of values, such as 3"),
    ({}, {"laid": ["3-5", "4-6 B"]}, "laid, domino 2: the end shows 5, not 4 (DOMI-6)"),
    ({}, {"laid": ["3-5", "5-6"]}, "laid, domino 2: it names no end (DOMI-6)"),
    ({}, {"laid": ["3-5", "5-6 C"]}, "laid, domino 2: there is no end C (DOMI-6)"),
    ({}, {"laid": ["5-6 B"]}, "laid, domino 1: there is no end B (DOMI-6)"),
    ({}, {"laid": ["3-5", "5-6 B east"]}, "only the advanced game has sides (DOMI-13)"),
    ({}, {"laid": ["3-7"]}, 'laid: "3-7" is no play such as "3-5"'),
    ({}, {"turn": 2}, "no seat 2: there are 2"),
    ({}, {"first": 2}, "no seat 2: there are 2"),
    ({}, {"taken": 99}, "more taken than there is (DOMI-7)"),
    ({}, {"misses": 1}, "misses that do not count while there is a pool (DOMI-10)"),
    ({}, {"misses": 2, "pool": []}, NO_END),
    ({}, {"phase": "asleep"}, 'no phase "asleep": the phases are turn, star, plate, place, over'),
    ({}, {"phase": "over"}, NO_END),
    ({}, {"phase": "star", "end": "A"}, 'phase "star": only in the advanced game'),
    ({}, {"end": "A"}, "end, domino and plate: only in the middle of a play"),
    ({}, {"wins": [1]}, "wins: 1 numbers for 2 players"),
    ({}, {"wins": [1, 0]}, "wins that do not fit the games played"),
    ({}, {"points": [1, 0]}, "more points than there are"),
    ({}, {"game_number": 0}, "game_number: games are counted from 1"),
    ({}, {"game_number": 2}, "a game after the last (DOMI-21)"),
    ({}, {"x_joiners": [1, 0]}, "X joiners that do not fit those in the construction (DOMI-11)"),
    (TRADITIONAL, {}, 'hands and pool are lists of dominoes, such as "3-5"'),
    (TRADITIONAL, {"hands": [["0-1"], ["1-0"]]}, '"1-0" is in two places'),
    (TRADITIONAL, {"hands": [["0-1"], ["5-3"]]}, '"5-3" is in two places'),
    (TRADITIONAL, {"hands": [["0-1"], ["3-9"]]}, 'no domino "3-9": the dominoes are 0-0 to 6-6'),
    (ADVANCED, {}, "laid, domino 2: it names no side (DOMI-13)"),
    (ADVANCED, {"laid": [*FOUR[:3], "4-5 B east up"]}, "laid, domino 4: the first four are played"),
    (ADVANCED, {"laid": [*FOUR[:3], "3-4 A plate 3 north"]}, "without X joiners and Starjoiners"),
    (
        ADVANCED,
        {"laid": [*FOUR, "5-6 B west"]},
        "laid, domino 5: the west side is not free (DOMI-13)",
    ),
    (
        ADVANCED,
        {"laid": [*FOUR, "5-6 B up"]},
        "laid, domino 5: the square has no up side (DOMI-13)",
    ),
    (ADVANCED, {"laid": [*FOUR, "5-6 B north down"]}, "that is below the table (DOMI-15)"),
    (ADVANCED, {"laid": [*FOUR, "3-6 A plate 0 north"]}, "the square shows 1, not 3 (DOMI-6)"),
    (ADVANCED, {"laid": [*FOUR, "1-6 A plate 0 north"]}, "holds a Starjoiner (DOMI-17)"),
    (ADVANCED, {"laid": [*FOUR, "3-6 A plate 40 north"]}, "there is no square 40"),
    (
        ADVANCED,
        {"laid": [*FOUR, "5-6 B north up", "6-6 B up north", "6-6 B north"]},
        "laid, domino 7: it topples: the centre of mass lies 2/7 beyond the support (DOMI-16)",
    ),
    (ADVANCED, {"laid": FOUR, "x_joiners": [3, 1]}, "X joiners that do not fit"),
    (ADVANCED, {"laid": [*FOUR, "5-6 B east up"]}, "X joiners that do not fit"),
    (ADVANCED, {"laid": [*FOUR, "3-6 A plate 3 north"]}, "Starjoiners that do not fit"),
    (ADVANCED, {"laid": FOUR, "x_joiners": [2]}, "x_joiners: 1 numbers for 2 players"),
    (ADVANCED, {"laid": FOUR, "phase": "star", "end": "A"}, "Starjoiners that do not fit"),
    (ADVANCED, {"laid": FOUR, "phase": "star"}, 'phase "star" has an end, no domino and no plate'),
    (ADVANCED, {"laid": FOUR, "phase": "place"}, 'phase "place" has an end and a domino'),
    (
        ADVANCED,
        {"laid": FOUR, "phase": "place", "end": "C", "domino": "5-6"},
        "end: there is no such end",
    ),
    (ADVANCED, {"laid": FOUR, "phase": "place", "end": "B", "domino": "4-6"}, NO_MATCH),
    (ADVANCED, {"laid": FOUR, **HALF_MADE["plate"], "phase": "place", "plate": 5}, NO_MATCH),
    (ADVANCED, {**EARLY, **HALF_MADE["star"], "phase": "star"}, TOO_EARLY),
    (ADVANCED, {**EARLY, **HALF_MADE["plate"], "phase": "plate"}, TOO_EARLY),
    (ADVANCED, {**EARLY, **HALF_MADE["plate"], "phase": "place", "plate": 3}, TOO_EARLY),
]


@pytest.mark.parametrize(("options", "parts", "message"), REFUSED, ids=str)
def test_an_impossible_position_is_refused_and_changes_nothing(
    options: dict[str, Any], parts: dict[str, Any], message: str
) -> None:
    text = position(**parts)
    with pytest.raises(ValueError, match=f"^domiphun: impossible state: .*{re.escape(message)}"):
        Match("domiphun", position=text, **options)
    batch = Batch("domiphun", **options)
    before = batch.save()
    with pytest.raises(ValueError, match=re.escape(message)):
        batch.set_position(text)
    assert batch.save() == before


@pytest.mark.parametrize("phase", HALF_MADE)
def test_a_half_made_play_can_be_described(phase: str) -> None:
    match = built(hands=[[3, 6, 6], [0, 4]], phase=phase, **HALF_MADE[phase])
    assert match.view()["phase"] == phase
    again = Match("domiphun", position=match.position(), **ADVANCED)
    assert again.save() == match.save()
    assert again.legal() == match.legal() != []


# Matches: who begins, wins, points, returns.


def test_the_first_seat_is_drawn_unless_it_is_given() -> None:
    drawn = {Match("domiphun", seed=seed, players=4).view()["first"] for seed in range(60)}
    assert drawn == set(range(4))
    for seat in range(4):
        view = Match("domiphun", seed=9, players=4, first_seat=seat).view()
        assert (view["first"], view["turn"], view["to_act"]) == (seat, seat, seat)


@pytest.mark.parametrize("variant", GAMES)
@pytest.mark.parametrize("starts_each", [1, 2])
def test_everybody_starts_as_often_and_points_are_what_was_left(
    variant: str, starts_each: int
) -> None:
    options: dict[str, Any] = {"variant": variant, "players": 3, "starts_each": starts_each}
    match = Match("domiphun", seed=2, first_seat=1, series="points", **options)
    starts, points = [], [0] * 3
    after = match.view("all")
    while not match.is_over:
        before = after
        starts.append((before["game_number"], before["first"]))
        match.play_random(1)
        after = match.view("all")
        if after["points"] == points and after["wins"] == before["wins"]:
            continue
        # Whoever ended the game has played or taken; the others' hands are as seen before.
        earned = [now - past for now, past in zip(after["points"], points, strict=True)]
        left = [np.sum(hand["held"]) for hand in before["hands"]]
        others = [seat for seat in range(3) if seat != before["turn"]]
        assert [earned[seat] for seat in others] == [left[seat] for seat in others]
        points = after["points"]
    games = [(1 + number, (1 + number) % 3) for number in range(3 * starts_each)]
    assert earned == [np.sum(hand["held"]) for hand in after["hands"]]
    assert list(dict.fromkeys(starts)) == games  # DOMI-21
    assert sum(after["wins"]) >= len(games)
    fewest = [total == min(points) for total in points]
    assert [earned > 0 for earned in match.returns] == fewest


@pytest.mark.parametrize("variant", GAMES)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_returns_add_up_to_zero(variant: str, players: int) -> None:
    table = adjoin.simulate("domiphun", 1000, seed=1, variant=variant, players=players)
    returns = table.each_seat("return")
    assert returns.shape == (1000, players)
    assert abs(returns.sum(axis=1)).max() < 1e-6
    winners = (returns == returns.max(axis=1, keepdims=True)).sum(axis=1)
    assert set(winners.tolist()) >= {1, 2}  # DOMI-10: a draw is between those who have the fewest
    best = (players / winners - 1) / (players - 1)
    assert np.allclose(returns.max(axis=1), best)
    beaten = winners < players
    assert np.allclose(returns.min(axis=1)[beaten], -1 / (players - 1))


@pytest.mark.parametrize(
    ("variant", "hands", "returns"),
    [
        ("standard", [[0, 0], [6]], [-1, 1]),  # DOMI-10: squares count
        ("standard", [[0], [6]], [0, 0]),
        ("standard", [[0], [6], [1, 1]], [1 / 4, 1 / 4, -1 / 2]),
        ("standard", [[0], [5], [4], [1]], [0] * 4),
        ("advanced", [[0], [6], [1, 1, 1]], [1 / 4, 1 / 4, -1 / 2]),
        ("traditional", [["0-0", "0-1"], ["1-1"]], [1, -1]),  # DOMI-4: pips count
        ("traditional", [["0-0", "0-5"], ["1-4"]], [0, 0]),
    ],
    ids=str,
)
def test_in_a_blocked_game_the_fewest_win(
    variant: str, hands: list[list[Any]], returns: list[float]
) -> None:
    players = len(hands)
    last = ["4-3"] if variant == "traditional" else [4, 3]
    laid = ["4-4", "4-2 A west" if variant == "advanced" else "4-2 A"]
    text = position(hands=[[*hands[0], *last], *hands[1:]], laid=laid, pool=[])
    match = Match("domiphun", position=text, variant=variant, players=players)
    match.play("4-3 B", *(["east"] if variant == "advanced" else []))
    assert match.is_over
    assert match.returns == pytest.approx(returns)
    values = [sum(domino(piece)) if isinstance(piece, str) else piece for h in hands for piece in h]
    assert sum(match.view("all")["points"]) == sum(values)


@pytest.mark.parametrize("variant", GAMES)
def test_a_match_can_be_replayed_and_loaded(variant: str) -> None:
    options: dict[str, Any] = {"variant": variant, "players": 3, "starts_each": 1}
    match = Match("domiphun", seed=6, **options)
    match.play_random(45)
    described = Match("domiphun", position=match.position(), **options)
    for one in (match, described):
        one.play_random(9)
        again = Match.from_replay(one.replay())
        assert (again.save(), again.history, again.spec) == (one.save(), one.history, one.spec)
        loaded = Match("domiphun", **options)
        loaded.load(one.save())
        loaded.play_random()
        one.play_random()
        assert loaded.save() == one.save()


# What a seat may know.

SECRETIVE = [
    Variant("domiphun", {"variant": "traditional", "players": 3}),
    Variant("domiphun", {"players": 4}),
    Variant("domiphun", {"variant": "advanced", "players": 3, "starts_each": 1}),
    Variant("domiphun", {"variant": "advanced", "players": 4, "fork": True, "x_joiners": 3}),
]


def moments(variant: Variant, stride: int = 1, seeds: int = 3) -> Iterator[Batch]:
    """Return the moments of some matches of random play, every phase and the end among them."""
    number, phases = count(), set()
    for seed in range(seeds):
        batch = variant.batch(seed=seed)
        action = np.zeros(1, np.int32)
        while batch.to_act() is not None:
            if next(number) % stride == 0:
                phases.add(batch.view()["phase"])
                yield batch
            batch.sample(action)
            batch.play(int(action[0]))
        yield batch
    advanced = variant.options.get("variant") == "advanced"
    assert phases == ({"turn", "star", "plate", "place"} if advanced else {"turn"})


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
        for seat in range(batch.spec.seats):
            guess = batch.select([0])
            guess.resample_hidden(seat, number)
            assert seen_by(guess, seat) == seen_by(batch, seat)
            assert guess.legal() == batch.legal() or batch.to_act() != seat
            assert (guess.legal() == []) == (batch.to_act() is None)
            changed += guess.view(viewer="all") != batch.view(viewer="all")
            looks += 1
    assert changed > 0.8 * looks


@pytest.mark.parametrize("variant", SECRETIVE, ids=str)
def test_a_view_and_a_text_have_the_viewers_pieces_only(variant: Variant) -> None:
    hidden = 0
    for batch in moments(variant, 2):
        state = json.loads(batch.position())
        hands = [
            [list(domino(p)) if isinstance(p, str) else p for p in hand] for hand in state["hands"]
        ]
        for seat in [*range(len(hands)), "all"]:
            view = batch.view(viewer=seat)
            is_open = [
                seat in (number, "all") or batch.to_act() is None for number in range(len(hands))
            ]
            shown = [hand if seen else [] for hand, seen in zip(hands, is_open, strict=True)]
            assert [hand["held"] for hand in view["hands"]] == shown
            assert [hand["pieces"] for hand in view["hands"]] == list(map(len, hands))
            assert view["pool"] == len(state["pool"])
            assert (view["legal"] != []) == (
                batch.to_act() is not None and seat in (view["to_act"], "all")
            )
            assert batch_text_hands(batch, seat) == shown
            hidden += sum(map(len, hands)) - sum(map(len, shown))
    assert hidden > 100


def batch_text_hands(batch: Batch, viewer: Any) -> list[list[Any]]:
    """Read the pieces below every seat's line of a text."""
    hands: list[list[Any]] = []
    for line in batch.text(viewer=viewer).split("\n"):
        if re.match(r"[ >] seat \d: ", line):
            hands.append([])
        elif hands:
            words = [list(map(int, word.split("-"))) for word in line.split()]
            hands[-1] += [word if len(word) == 2 else word[0] for word in words]
    return hands


def test_a_guess_follows_from_its_number() -> None:
    batch = Batch("domiphun", players=3, num_lanes=3, seed=8)
    guesses = []
    for purpose in (1, 1, 2):
        guess = batch.select(range(3))
        guess.resample_hidden(0, purpose)
        guesses.append([guess.save(lane) for lane in range(3)])
    assert guesses[0] == guesses[1] != guesses[2]


# Pictures.


def tiles_in(svg: str) -> list[list[int]]:
    """Read the white tiles of a picture by their pips: one value a square, two a domino."""
    faces: list[tuple[float, float, float, float]] = []
    pips: list[tuple[float, float]] = []

    def look(element: ElementTree.Element, down: float) -> None:
        moved = re.search(r"translate\(0 ([\d.]+)\)", element.get("transform", ""))
        down += float(moved[1]) if moved else 0
        kind = element.tag.rpartition("}")[2]
        if kind == "rect" and element.get("fill") == "#ffffff":
            x, y, width, height = (float(element.get(k, 0)) for k in ("x", "y", "width", "height"))
            faces.append((x, y + down, width, height))
        if kind == "circle" and element.get("r") == "1.9":
            pips.append((float(element.get("cx", 0)), float(element.get("cy", 0)) + down))
        for child in element:
            look(child, down)

    look(ElementTree.fromstring(svg), 0.0)
    found = []
    for x, y, width, height in faces:
        inside = [px - x for px, py in pips if 0 < px - x < width and 0 < py - y < height]
        halves = [0] * round(width / height)
        for right in inside:
            halves[int(right // height)] += 1
        found.append(halves)
    assert sum(map(sum, found)) == len(pips)
    return found


@pytest.mark.parametrize("variant", SECRETIVE, ids=str)
def test_a_picture_shows_the_path_and_the_viewers_pieces_only(variant: Variant) -> None:
    shown = 0
    for batch in moments(variant, 5):
        for seat in [*range(batch.spec.seats), "all"]:
            view = batch.view(viewer=seat)
            held = [p if isinstance(p, list) else [p] for h in view["hands"] for p in h["held"]]
            path = view["path"] or []
            laid = sorted(sorted(path[n : n + 2]) for n in range(0, len(path), 2))
            tiles = tiles_in(render.svg(view))
            assert sorted(sorted(tile) for tile in tiles[: len(laid)]) == laid
            assert tiles[len(laid) :] == held
            shown += len(held)
    assert shown > 100


@pytest.mark.parametrize("dominoes", [1, 11, 12, 13, 24, 25, 28])
def test_a_path_winds_from_end_a_to_end_b(dominoes: int) -> None:
    values = [n % 7 for n in range(dominoes + 1)]
    path = [value for a, b in pairwise(values) for value in (a, b)]
    view = Match("domiphun", position=position()).view()
    ends = [
        {"name": "A", "value": path[0], "plate": None},
        {"name": "B", "value": path[-1], "plate": None},
    ]
    tiles = tiles_in(render.svg({**view, "path": path, "ends": ends, "hands": []}))
    rows = [tiles[n : n + 12] for n in range(0, dominoes, 12)]
    forwards = [tile if n % 2 == 0 else tile[::-1] for n, row in enumerate(rows) for tile in row]
    assert [value for tile in forwards for value in tile] == path


BUILDERS = Variant("domiphun", {**ADVANCED, "players": 4, "x_joiners": 4, "starjoiners": 2})


def constructions() -> Iterator[dict[str, Any]]:
    """Return views of constructions that have grown in all directions."""
    for seed in range(40):
        match = BUILDERS.match(seed=seed)
        match.play_random(60)
        if match.view("all")["height"] > 1:
            yield match.view("all")


def drawn_plates(svg: str) -> dict[int, NDArray[np.float64]]:
    """Return the outlines of the plates of a picture, in the order of drawing."""
    found = re.findall(r'<polygon points="([^"]+)"[^>]* data-plate="(\d+)"', svg)
    return {
        int(number): np.array([point.split(",") for point in points.split()], np.float64)
        for points, number in found
    }


def test_nearer_plates_are_drawn_over_those_behind_them() -> None:
    rng = np.random.default_rng(0)
    hidden = 0
    for view in constructions():
        outlines = drawn_plates(render.svg(view))
        order = {number: n for n, number in enumerate(outlines)}
        corners = np.array([plate["corners"] for plate in view["plates"]], np.float64)
        assert sorted(outlines) == list(range(len(corners)))

        # The projection, from where the middles of the plates are, and what it shows as a point.
        middles = np.column_stack([corners.mean(axis=1), np.ones(len(corners))])
        seen = [outlines[number].mean(axis=0) for number in range(len(corners))]
        projection, _, rank, _ = np.linalg.lstsq(middles, np.array(seen), rcond=None)
        assert rank == 4
        for number, plate in enumerate(corners):
            flat = np.column_stack([plate, np.ones(4)]) @ projection
            assert {tuple(p) for p in flat.round(1)} == {
                tuple(p) for p in outlines[number].round(1)
            }
        sight = np.cross(projection[:3, 0], projection[:3, 1])
        sight *= np.sign(sight[2])
        assert (np.sign(sight) == [1, -1, 1]).all()

        # Whatever a line of sight goes through, the nearest was drawn last.
        low, high = corners.min(axis=1), corners.max(axis=1)
        axes = (high - low).argmin(axis=1)
        for number in range(len(corners)):
            for _ in range(10):
                point = low[number] + (high[number] - low[number]) * rng.random(3)
                away = (low[range(len(corners)), axes] - point[axes]) / sight[axes]
                hits = point + away[:, None] * sight
                inside = ((hits > low + 1e-6) & (hits < high - 1e-6)).sum(axis=1) == 2
                through = sorted(np.flatnonzero(inside).tolist(), key=lambda plate: away[plate])
                assert [order[n] for n in through] == sorted(order[n] for n in through)
                hidden += len(through) - 1
    assert hidden > 1000


def test_a_picture_shows_pips_numbers_and_joiners_of_the_plates() -> None:
    joints = set()
    for view in constructions():
        svg = render.svg(view)
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


def test_a_picture_marks_the_squares_that_can_be_chosen() -> None:
    match = built(hands=[[3, 6, 6], [0, 4]])
    marks = []
    for action in ("star A", "join 3-6", "plate 3"):
        match.play(action)
        marks.append([match.svg(seat).count('fill="#e69f00" fill-opacity') for seat in (0, 1)])
    assert marks == [[0, 0], [2, 0], [1, 1]]


# The construction of a view.


def test_the_centre_of_mass_and_the_height_are_those_of_the_plates() -> None:
    for view in constructions():
        corners = [corner for plate in view["plates"] for corner in plate["corners"]]
        centre = [Fraction(sum(corner[n] for corner in corners), len(corners)) for n in (0, 1)]
        assert [Fraction(number) for number in view["balance"]["centre"]] == centre
        assert view["height"] == max(z for _, _, z in corners)
        touching = [[x, y] for x, y, z in corners if z == 0]
        assert all(corner in touching for corner in view["balance"]["support"])
        assert min(touching) == view["balance"]["support"][0]
        assert float(Fraction(view["balance"]["margin"])) >= 0  # DOMI-16
        places = {(*plate["place"], plate["axis"]) for plate in view["plates"]}
        assert len(places) == len(view["plates"]) == 2 * len(view["dominoes"])  # DOMI-15


# What the numbers mean.


@pytest.mark.parametrize(
    ("options", "ends", "size"),
    [
        (TRADITIONAL, 2, 128),
        ({}, 2, 128),
        (ADVANCED, 2, 271),
        ({"fork": True, **ADVANCED}, 6, 471),
        ({"fork": True, "players": 4, "x_joiners": 3, **ADVANCED}, 14, 871),
    ],
    ids=str,
)
def test_action_ids_follow_from_dominoes_ends_and_sides(
    options: dict[str, Any], ends: int, size: int
) -> None:
    batch = Batch("domiphun", **options)
    letters = [chr(65 + end) for end in range(ends)]
    pairs = [f"{a}-{b}" for a in range(7) for b in range(7)]
    expected = {
        "open": [f"{a}-{b}" for a, b in DOMINOES],
        "play": [f"{pair} {letter}" for pair in pairs for letter in letters],
    }
    if options.get("variant") == "advanced":
        expected |= {
            "join": [f"join {pair}" for pair in pairs],
            "star": [f"star {letter}" for letter in letters],
            "plate": [f"plate {number}" for number in range(56)],
            "place": [f"{a} {b}" if a != b else a for a in DIRECTIONS for b in DIRECTIONS],
        }
    expected |= {"take": ["take"], "miss": ["miss"]}
    assert [block.name for block in batch.spec.actions.blocks] == list(expected)
    texts = [text for block in expected.values() for text in block]
    assert batch.spec.actions.size == len(texts) == size
    assert [batch.action_text(action) for action in range(size)] == texts
    assert [batch.parse_action(text) for text in texts] == list(range(size))
    for name, block in expected.items():
        assert batch.spec.actions[name].size == len(block)


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


@pytest.mark.parametrize("variant", SECRETIVE, ids=str)
def test_an_observation_says_what_the_view_says_beginning_with_the_viewer(variant: Variant) -> None:
    spec = variant.batch().spec
    seats = spec.seats
    by_seat = {block.name for block in spec.observation.blocks if block.by_seat}
    joiners = {"x_joiners", "starjoiners"}
    advanced = variant.options.get("variant") == "advanced"
    assert by_seat == {"pieces", "wins", "points", "to_act", "first"} | (
        joiners if advanced else set()
    )
    for batch in moments(variant, 2):
        out = batch.buffers()
        state = json.loads(batch.position())
        for viewer in range(seats):
            view = batch.view(viewer=viewer)
            batch.observe(out, viewer)
            row = {name: part[0] for name, part in spec.observation.split(out.observation).items()}
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
