"""Replays: a match as lines of JSON, played again and checked line by line."""

from __future__ import annotations

import json
from typing import Any

import pytest
from conftest import Variant

from adjoin import Batch, Match


def test_a_replay_gives_the_match_again(variant: Variant) -> None:
    for decisions in (0, 1, 12, None):
        match = variant.match(seed=2**63 + 5, limit=400)
        match.play_random(decisions)
        again = Match.from_replay(match.replay())
        assert again.save() == match.save()
        assert again.history == match.history
        assert again.replay() == match.replay()
        again.play_random()
        match.play_random()
        assert again.save() == match.save()


def test_a_replay_from_a_position_or_a_save_gives_the_match_again(variant: Variant) -> None:
    earlier = variant.match(seed=5)
    earlier.play_random(20)
    from_position = variant.match(position=earlier.position())
    from_save = variant.match()
    from_save.load(earlier.save())
    for match in (from_position, from_save):
        match.play_random(5)
        again = Match.from_replay(match.replay())
        assert again.save() == match.save()
        assert again.history == match.history


def test_a_replay_is_a_line_a_decision_with_seat_and_notation(variant: Variant) -> None:
    match = variant.match()
    match.play_random()
    header, *decisions, result = map(json.loads, match.replay().splitlines())
    assert header["game"] == variant.game
    assert [line["text"] for line in decisions] == match.history
    assert all(line["seat"] in range(match.spec.seats) for line in decisions)
    assert result == {"over": True, "returns": match.returns}


def replay_lines() -> list[dict[str, Any]]:
    match = Match("mapello", seed=3)
    match.play_random()
    return [json.loads(line) for line in match.replay().splitlines()]


def as_replay(lines: list[dict[str, Any]]) -> str:
    return "".join(json.dumps(line) + "\n" for line in lines)


def illegal_at(number: int) -> int:
    """Return an action that is illegal where line ``number`` of the replay stands."""
    match = Match("mapello", seed=3)
    match.play(*(line["action"] for line in replay_lines()[1 : number - 1]))
    return next(n for n in range(match.spec.actions.size) if match.why_not(n) is not None)


@pytest.mark.parametrize(
    ("number", "change"),
    [
        (1, {"format": "adjoin replay 2"}),
        (1, {"game": "chess"}),
        (1, {"version": 99}),
        (1, {"seed": -1}),
        (1, {"limit": 0}),
        (1, {"lane": 1}),
        (1, {"episode": -1}),
        (1, {"options": {"wals": 3}}),
        (1, {"options": {"lanes": 3}}),
        (1, {"options": None}),
        (1, {"start": "////"}),
        (1, {"start": "not base 64"}),
        (1, {"start": 7}),
        (4, {"seat": 7}),
        (4, {"seat": None}),
        (4, {"text": "h8"}),
        (4, {"action": 999}),
        (4, {"action": -1}),
        (4, {"action": "f5"}),
        (4, {"action": None}),
        (4, {"action": illegal_at(4), "text": Batch("mapello").action_text(illegal_at(4))}),
        (-1, {"over": False}),
        (-1, {"returns": [5.0, 5.0]}),
    ],
    ids=str,
)
def test_an_altered_line_is_refused_with_its_number(number: int, change: dict[str, Any]) -> None:
    lines = replay_lines()
    number = number if number > 0 else len(lines)
    lines[number - 1] |= change
    with pytest.raises((ValueError, TypeError), match=rf"^line {number}\b"):
        Match.from_replay(as_replay(lines))


@pytest.mark.parametrize("number", [1, 4])
def test_a_line_that_lacks_something_is_refused_with_its_number(number: int) -> None:
    for key in replay_lines()[number - 1]:
        lines = replay_lines()
        del lines[number - 1][key]
        with pytest.raises(ValueError, match=rf"^line {number}\b"):
            Match.from_replay(as_replay(lines))


def test_a_line_left_out_or_repeated_is_refused() -> None:
    lines = replay_lines()
    for altered in (lines[:4] + lines[5:], lines[:4] + lines[3:], lines + lines[-2:-1]):
        with pytest.raises(ValueError, match=r"^line \d+\b"):
            Match.from_replay(as_replay(altered))


@pytest.mark.parametrize("line", ["", "x", "[1]", "7", "null", '{"format": "adjoin replay 1"', "{"])
def test_a_line_that_is_no_json_object_is_refused_with_its_number(line: str) -> None:
    lines = Match("mapello").replay().splitlines()
    lines.insert(1, line)
    with pytest.raises(ValueError, match=r"^line 2\b"):
        Match.from_replay("\n".join(lines))


@pytest.mark.parametrize("text", ["", "\n", "{}", "x"])
def test_a_text_that_is_no_replay_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"^line 1\b"):
        Match.from_replay(text)


def test_another_episode_is_another_match() -> None:
    lines = replay_lines()
    lines[0]["episode"] += 1
    with pytest.raises(ValueError, match=r"^line \d+: "):
        Match.from_replay(as_replay(lines))


def test_a_result_stands_once_and_at_the_end() -> None:
    lines = replay_lines()
    with pytest.raises(ValueError, match=rf"^line {len(lines)}: the result .* is missing"):
        Match.from_replay(as_replay(lines[:-1]))
    with pytest.raises(ValueError, match=rf"^line {len(lines) + 1}: nothing can follow the result"):
        Match.from_replay(as_replay([*lines, lines[-1]]))
    early = {"over": False, "returns": [0.0, 0.0]}
    with pytest.raises(ValueError, match=r"^line 4: nothing can follow the result"):
        Match.from_replay(as_replay([*lines[:2], early, *lines[2:]]))


@pytest.mark.parametrize(("number", "key"), [(1, "seed"), (3, "action"), (-1, "over")])
def test_a_key_that_is_there_twice_is_refused(number: int, key: str) -> None:
    lines = as_replay(replay_lines()).splitlines()
    number = number if number > 0 else len(lines)
    value = json.dumps(json.loads(lines[number - 1])[key])
    lines[number - 1] = f'{{"{key}": {value}, {lines[number - 1][1:]}'
    with pytest.raises(ValueError, match=rf'^line {number}: the key "{key}" is there twice'):
        Match.from_replay("\n".join(lines))


def test_a_key_too_many_is_refused() -> None:
    lines = replay_lines()
    lines[3]["over"] = False
    with pytest.raises(ValueError, match=r"^line 4: .*does not fit"):
        Match.from_replay(as_replay(lines))


def test_a_replay_is_played_as_far_as_one_likes() -> None:
    text = as_replay(replay_lines())
    whole = Match.from_replay(text)
    for decisions in (0, 1, 7, len(whole.history)):
        assert Match.from_replay(text, decisions).history == whole.history[:decisions]
    with pytest.raises(ValueError, match=rf"^decisions = 999: must be 0 to {len(whole.history)}"):
        Match.from_replay(text, 999)


def test_deep_nesting_is_refused() -> None:
    for number, deep in ((1, '{"options": %s}'), (3, "%s")):
        lines = as_replay(replay_lines()).splitlines()
        lines[number - 1] = deep % ("[" * 100_000 + "]" * 100_000)
        with pytest.raises(ValueError, match=rf"^line {number}: .*nested too deeply"):
            Match.from_replay("\n".join(lines))
