"""The sand timer (MAPO-18) in Python: in matches, copies and replays.

The rule is tested in tests/rules/mapominoes.rs, time-outs in general in tests/batch/time_outs.rs.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

import adjoin
from adjoin import Match
from scaffold import COPIERS, THREE_IN_WALES, Variant, cases

TIMED = Variant("mapominoes", THREE_IN_WALES)


@pytest.mark.smoke
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
    over = TIMED.match()
    over.play_random()
    for match, message in (
        (Match("mapello"), "Mapello has no timer"),
        (over, "the match is over"),
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


@cases(
    "copier",
    [Match.copy, *COPIERS.values(), lambda match: Match.from_replay(match.replay())],
)
def test_a_copy_has_the_same_past(copier: Any) -> None:
    match = TIMED.match(seed=4)
    for decisions in (0, 3, 4):
        match.play_random(decisions)
        match.timeout()
    copied = copier(match)
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
