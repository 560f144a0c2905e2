"""Replays in Python: options of any kind come back; what is wrong is a ValueError with its line.

What a replay says and what is refused is tested in tests/batch/replays.rs.
"""

from __future__ import annotations

import json
import pickle

import pytest

from adjoin import Match
from scaffold import Variant, cases


def test_a_replay_gives_the_match_again_with_its_options(variant: Variant) -> None:
    match = variant.match(seed=2**63 + 5, episode=3, max_decisions=400)
    match.play_random(12)
    text = match.replay()
    for again in (Match.from_replay(text), pickle.loads(pickle.dumps(match))):
        assert again.spec == match.spec
        assert (again.save(), again.history) == (match.save(), match.history)
        assert again.replay() == text
        assert again.max_decisions == 400
        again.play_random()
        on = match.copy()
        on.play_random()
        assert again.save() == on.save()


def test_a_replay_is_a_line_a_decision_with_seat_and_notation(brief: Variant) -> None:
    match = brief.match()
    match.play_random()
    header, *decisions, result = map(json.loads, match.replay().splitlines())
    assert (header["format"], header["game"]) == ("adjoin replay 2", brief.game)
    assert header["options"] == json.loads(json.dumps(match.spec.options))
    assert [line["text"] for line in decisions] == match.history
    assert result == {"over": True, "returns": match.returns}


@pytest.mark.smoke
def test_a_replay_is_played_as_far_as_one_likes() -> None:
    match = Match("mapello", seed=3)
    match.play_random()
    for decisions in (0, 1, 7, len(match.history)):
        part = Match.from_replay(match.replay(), decisions)
        assert part.history == match.history[:decisions]
    with pytest.raises(ValueError, match=rf"^decisions = 999: must be 0 to {len(match.history)}"):
        Match.from_replay(match.replay(), 999)
    with pytest.raises(ValueError, match=r"^decisions = -1: must be 0 to"):
        Match.from_replay(match.replay(), -1)


@cases(
    ("number", "old", "new", "message"),
    [
        (1, "adjoin replay 2", "adjoin replay 1", "another version of adjoin"),
        (1, '"mapello"', '"chess"', 'unknown game "chess"'),
        (1, '"options":{', '"options":{"wals":3,', "unknown option `wals`"),
        (1, '"seed":3', '"seed":3,"seed":3', "duplicate field `seed`"),
        (3, '"action"', '"act"', "`act`"),
        (3, '"seat":1', '"seat":0', "seat"),
        (4, "}", "", "EOF"),
    ],
)
def test_an_altered_line_is_refused_with_its_number(
    number: int, old: str, new: str, message: str
) -> None:
    match = Match("mapello", seed=3)
    match.play_random(8)
    lines = match.replay().splitlines()
    assert old in lines[number - 1]
    lines[number - 1] = lines[number - 1].replace(old, new, 1)
    with pytest.raises(ValueError, match=rf"^line {number}: .*{message}"):
        Match.from_replay("\n".join(lines))
