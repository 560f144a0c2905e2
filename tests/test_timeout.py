"""The sand timer (MAPO-18): an event from outside, in matches, batches and replays."""

from __future__ import annotations

import copy
import json
import pickle
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from conftest import THREE_IN_WALES, Variant, saves

import adjoin
from adjoin import Batch, Match

if TYPE_CHECKING:
    from collections.abc import Callable

TIMED = Variant("mapominoes", THREE_IN_WALES)
CHALLENGED = Variant("mapominoes", {**THREE_IN_WALES, "challenges": True})

TABLE = {"table": {"P11": "merseyside"}, "hands": [["antrim", "cheshire", "kent"], ["essex"]]}
"""Seat 0 can play Cheshire, or Antrim through the Irish Sea."""

PHASES = {
    "go": [],
    "place": ["Cheshire"],
    "place_transit": ["transit Irish Sea"],
    "follow": ["transit Irish Sea", "P12"],
    "place_follow": ["transit Irish Sea", "P12", "Antrim"],
}


def at(phase: str, pile: int = 2) -> Match:
    match = Match("mapominoes", position=json.dumps({**TABLE, "transit": [1, 0], "pile": pile}))
    match.play(*PHASES[phase])
    assert match.view()["phase"] == phase
    return match


def timed_out(variant: Variant = TIMED) -> Match:
    """Return a match in which time ran out now and then."""
    match = variant.match(seed=4)
    for decisions in (0, 3, 4, 5, 0):
        match.play_random(decisions)
        match.timeout()
    match.play_random(2)
    return match


@pytest.mark.parametrize("phase", PHASES)
def test_who_runs_out_of_time_takes_a_card_and_keeps_what_was_chosen(phase: str) -> None:
    match = at(phase)
    chosen = match.view()["chosen"]["county"]
    before = match.view("all")
    match.timeout()
    after = match.view("all")
    assert match.history[-1] == after["last"] == "timeout"
    assert after["table"] == before["table"]
    assert (after["phase"], after["turn"], after["to_act"]) == ("go", 1, 1)
    assert after["pile"] == before["pile"] - 1
    assert [hand["transit"] for hand in after["hands"]] == [2, 0]
    assert [hand["cards"] for hand in after["hands"]] == [["cheshire", "kent", "antrim"], ["essex"]]
    assert match.view(1)["hands"][0]["cards"] == ([chosen] if chosen else [])


@pytest.mark.parametrize("phase", PHASES)
def test_with_an_empty_pile_running_out_of_time_is_a_pass(phase: str) -> None:
    match = at(phase, pile=0)
    match.timeout()
    view = match.view("all")
    assert (view["passes"], view["turn"], view["hands"][0]["transit"]) == (1, 1, 1)


def test_a_round_in_which_everybody_runs_out_of_time_costs_the_cards_left() -> None:
    match = TIMED.match()
    hands = [hand["counties"] for hand in match.view("all")["hands"]]
    for _ in range(match.view()["pile"] + 3):
        assert match.returns == [0, 0, 0]
        match.timeout()
    assert match.returns == [-counties for counties in hands]
    assert match.view()["round"] == 2


def test_a_match_can_end_by_time_alone() -> None:
    match = TIMED.match()
    while not match.is_over:
        match.timeout()
    assert set(match.history) == {"timeout"}
    assert match.view("all")["blocked_rounds"] == 2
    assert match.legal() == []


def test_a_time_out_counts_as_a_decision_for_the_limit() -> None:
    match = TIMED.match(limit=3)
    match.play_random(1)
    match.timeout()
    match.timeout()
    assert match.is_over
    assert repr(match) == "<Match of Mapominoes: 3 decisions, over>"


def test_random_play_goes_on_after_a_time_out() -> None:
    match = timed_out()
    assert match.history.count("timeout") == 5
    match.play_random()
    assert match.is_over


# Refused.


def assert_refused(match: Match, message: str) -> None:
    before, past = match.save(), match.history
    with pytest.raises(ValueError, match=message):
        match.timeout()
    assert (match.save(), match.history) == (before, past)


def test_a_game_without_a_timer_refuses_it() -> None:
    match = Match("mapello")
    match.play_random(3)
    assert_refused(match, "Mapello has no timer")
    batch = Batch("mapello", lanes=2)
    before = saves(batch)
    with pytest.raises(ValueError, match="Mapello has no timer"):
        batch.timeout(1)
    assert saves(batch) == before


@pytest.mark.parametrize(
    ("options", "message"),
    [({}, "the match is over"), ({"limit": 5}, "the match was cut off after 5 decisions")],
)
def test_after_the_end_it_is_refused(options: dict[str, Any], message: str) -> None:
    match = TIMED.match(**options)
    match.play_random()
    assert_refused(match, message)


def at_a_challenge() -> Match:
    match = CHALLENGED.match(seed=1)
    while match.view()["phase"] != "challenge":
        match.play_random(1)
    return match


def test_while_a_card_may_be_challenged_it_is_refused() -> None:
    match = at_a_challenge()
    assert_refused(match, r"waits to be challenged.*\(MAPO-18\)")
    match.play("let it be", "let it be")
    match.timeout()


# Batches.


def test_time_runs_out_in_one_lane_of_a_batch() -> None:
    batch = TIMED.batch(lanes=3, seed=4)
    before = saves(batch)
    batch.timeout(1)
    after = saves(batch)
    assert [a == b for a, b in zip(after, before, strict=True)] == [True, False, True]
    assert [batch.to_act(lane) for lane in range(3)] == [0, 1, 0]
    assert batch.address(1) == (4, 1, 0, 1)
    out = batch.buffers()
    batch.observe(out)
    assert out.seat.tolist() == [0, 1, 0]
    assert batch.spec.observation.split(out.observation)["pile"].tolist() == [9, 8, 9]


def test_a_batch_and_a_match_agree() -> None:
    batch, match = TIMED.batch(seed=3), TIMED.match(seed=3)
    action = np.zeros(1, np.int32)
    for number in range(40):
        if number % 4 == 2:
            batch.timeout()
            match.timeout()
        batch.sample(action)
        batch.play(int(action[0]))
        match.play_random(1)
    assert batch.save() == match.save()


def test_after_a_time_out_the_agents_play_on_to_the_caller() -> None:
    batch = TIMED.batch(agents=[None, "random", "greedy"])
    while batch.to_act() is not None:
        before = batch.address()[3]
        batch.timeout()
        assert batch.to_act() in (0, None)
        assert batch.address()[3] >= before + 3 or batch.to_act() is None


def test_the_next_step_pays_what_a_time_out_cost() -> None:
    batch = TIMED.batch()
    while batch.returns() == [0, 0, 0]:
        batch.timeout()
    out, action = batch.buffers(), np.zeros(1, np.int32)
    batch.observe(out)
    assert not out.reward.any()
    for expected in (batch.returns(), [0, 0, 0]):
        batch.sample(action)
        batch.step(action, out)
        assert out.reward[0].tolist() == expected


@pytest.mark.parametrize("lane", [3, -1, 2**40, 2**70])
def test_a_lane_out_of_range_is_refused(lane: int) -> None:
    batch = TIMED.batch(lanes=3)
    before = saves(batch)
    with pytest.raises(IndexError, match="the batch has lanes 0 to 2"):
        batch.timeout(lane)
    assert saves(batch) == before


# Copies and replays.

COPIERS: dict[str, Callable[[Match], Match]] = {
    "Match.copy": lambda match: match.copy(),
    "deepcopy": copy.deepcopy,
    "pickle": lambda match: pickle.loads(pickle.dumps(match)),
    "replay": lambda match: Match.from_replay(match.replay()),
}


@pytest.mark.parametrize("copier", COPIERS)
@pytest.mark.parametrize("variant", [TIMED, CHALLENGED], ids=["right", "challenged"])
def test_a_copy_has_the_same_past(variant: Variant, copier: str) -> None:
    match = TIMED.match() if variant is TIMED else at_a_challenge()
    match.play_random(9)
    while match.view()["phase"] == "challenge":
        match.play("let it be")
    match.timeout()
    copied = COPIERS[copier](match)
    assert copied.history == match.history
    assert copied.save() == match.save()
    assert copied.replay() == match.replay()
    for one in (copied, match):
        one.play_random(6)
        while one.view()["phase"] == "challenge":
            one.play("let it be")
        one.timeout()
        one.play_random()
    assert copied.save() == match.save()
    assert copied.history == match.history
    assert Match.from_replay(copied.replay()).save() == match.save()


def test_a_replay_from_a_position_has_its_time_outs() -> None:
    match = at("place_follow")
    match.timeout()
    match.play_random(4)
    again = Match.from_replay(match.replay())
    assert again.save() == match.save()
    assert again.history == match.history


def test_a_time_out_is_a_line_of_its_own() -> None:
    lines = [json.loads(line) for line in timed_out().replay().splitlines()]
    assert lines[1] == {"seat": 0, "timeout": True}
    assert sum("timeout" in line for line in lines) == 5


@pytest.mark.parametrize(
    "line",
    [
        {"seat": 0, "timeout": False},
        {"seat": 0, "timeout": None},
        {"seat": 0, "timeout": "yes"},
        {"seat": 1, "timeout": True},
        {"seat": None, "timeout": True},
        {"timeout": True},
        {"seat": 0, "timeout": True, "action": 3},
        {"seat": 0, "timeout": True, "text": "timeout"},
        {"seat": 0, "action": -1, "text": "timeout"},
        {"seat": 0, "text": "timeout"},
    ],
    ids=str,
)
def test_an_altered_time_out_is_refused_with_its_line(line: dict[str, Any]) -> None:
    lines = timed_out().replay().splitlines()
    lines[1] = json.dumps(line)
    with pytest.raises(ValueError, match=r"^line 2\b"):
        Match.from_replay("\n".join(lines))


@pytest.mark.parametrize("change", ["left out", "repeated"])
def test_a_time_out_left_out_or_repeated_is_refused(change: str) -> None:
    lines = timed_out().replay().splitlines()
    number = next(n for n, line in enumerate(lines) if n > 1 and "timeout" in line)
    lines[number : number + 1] = [] if change == "left out" else [lines[number]] * 2
    with pytest.raises(ValueError, match=r"^line \d+\b"):
        Match.from_replay("\n".join(lines))


@pytest.mark.parametrize("game", ["mapello", "over", "challenge"])
def test_a_time_out_where_none_can_be_is_refused_with_its_line(game: str) -> None:
    match = {"mapello": Match("mapello"), "over": TIMED.match(), "challenge": at_a_challenge()}[
        game
    ]
    if game == "over":
        match.play_random()
    header, *lines, _ = match.replay().splitlines()
    lines.append(json.dumps({"seat": match.to_act, "timeout": True}))
    with pytest.raises(ValueError, match=rf"^line {len(lines) + 1}: no time-out"):
        Match.from_replay("\n".join([header, *lines]))


def test_timeout_is_no_action() -> None:
    match = TIMED.match()
    with pytest.raises(adjoin.IllegalActionError, match='"timeout"'):
        match.play("timeout")
    with pytest.raises(ValueError, match="-1"):
        match.play(-1)
    assert match.history == []
