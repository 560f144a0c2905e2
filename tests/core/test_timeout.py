"""The sand timer (MAPO-18) in Python: in matches, batches, copies and replays.

The rule is tested in tests/rules/mapominoes.rs, time-outs in general in tests/batch/time_outs.rs.
"""

from __future__ import annotations

import copy
import json
import pickle
from typing import TYPE_CHECKING

import numpy as np
import pytest

import adjoin
from adjoin import Match
from scaffold import THREE_IN_WALES, Variant, cases, saves

if TYPE_CHECKING:
    from collections.abc import Callable

TIMED = Variant("mapominoes", THREE_IN_WALES)


def test_a_time_out_is_a_decision_and_told() -> None:
    match = TIMED.match(max_decisions=3)
    match.play_random(1)
    match.timeout()
    assert match.history[-1] == match.view()["last"] == "timeout"
    assert match.address[3] == 2
    match.timeout()
    assert match.is_over
    assert repr(match) == "<Match of Mapominoes: 3 decisions, over>"


def test_where_none_can_be_it_is_refused_and_nothing_changes() -> None:
    over, cut_off = TIMED.match(), TIMED.match(max_decisions=5)
    challenged = Variant("mapominoes", {**THREE_IN_WALES, "challenges": True}).match(seed=1)
    while challenged.view()["phase"] != "challenge":
        challenged.play_random(1)
    over.play_random()
    cut_off.play_random()
    for match, message in (
        (Match("mapello"), "Mapello has no timer"),
        (over, "the match is over"),
        (cut_off, "the match was cut off after 5 decisions"),
        (challenged, r"waits to be challenged.*\(MAPO-18\)"),
    ):
        before, past = match.save(), match.history
        with pytest.raises(ValueError, match=f"^no time-out: .*{message}"):
            match.timeout()
        assert (match.save(), match.history) == (before, past)


def test_timeout_is_no_action() -> None:
    match = TIMED.match()
    with pytest.raises(adjoin.IllegalActionError, match='"timeout"'):
        match.play("timeout")
    assert match.history == []


def test_time_runs_out_in_one_lane_of_a_batch_and_the_agents_play_on() -> None:
    batch = TIMED.batch(num_lanes=3, seed=4, agents=[None, "random", "greedy"])
    before = saves(batch)
    match = batch[1]
    match.timeout()
    batch[1] = match
    assert [a == b for a, b in zip(saves(batch), before, strict=True)] == [True, False, True]
    after = batch[1]
    assert after.to_act == 0
    assert after.address[:3] == (4, 1, 0)
    assert after.address[3] >= 3


def test_the_next_step_pays_what_a_time_out_cost() -> None:
    batch = TIMED.batch()
    match = batch[0]
    while match.returns == [0, 0, 0]:
        match.timeout()
    batch[0] = match
    out, action = batch.buffers(), np.zeros(1, np.int32)
    batch.observe(out)
    assert not out.reward.any()
    for expected in (match.returns, [0, 0, 0]):
        batch.sample(action)
        batch.step(action, out)
        assert out.reward[0].tolist() == expected


COPIERS: dict[str, Callable[[Match], Match]] = {
    "Match.copy": lambda match: match.copy(),
    "deepcopy": copy.deepcopy,
    "pickle": lambda match: pickle.loads(pickle.dumps(match)),
    "replay": lambda match: Match.from_replay(match.replay()),
}


@cases("copier", COPIERS)
def test_a_copy_has_the_same_past(copier: str) -> None:
    match = TIMED.match(seed=4)
    for decisions in (0, 3, 4):
        match.play_random(decisions)
        match.timeout()
    copied = COPIERS[copier](match)
    assert copied.history == match.history
    assert copied.replay() == match.replay()
    for one in (copied, match):
        one.play_random(6)
        one.timeout()
        one.play_random()
    assert copied.save() == match.save()
    assert copied.history == match.history
    lines = [json.loads(line) for line in match.replay().splitlines()]
    assert lines[1] == {"seat": 0, "timeout": True}
    assert sum("timeout" in line for line in lines) == 4
