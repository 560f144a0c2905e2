"""How near agents come to perfect play, checked by trying everything."""

from __future__ import annotations

import functools
from typing import Any

import pytest

from adjoin import Match
from adjoin.statistics.perfect_play import against_perfect, exactness, positions, value_of
from scaffold import cases

TINY: dict[str, Any] = {"setup": "othello", "size": 4}


@functools.cache
def best(position: str, mover: int) -> int:
    """Return the best that the mover can be ahead by at the end, by trying everything."""
    match = Match("mapello", setup="fixed", size=4, position=position)
    values: list[int] = []
    for action in match.legal():
        after = match.copy()
        after.play(action)
        if after.is_over:
            score = after.view("all")["score"]
            lead = score["black"] - score["white"]
            values.append(lead if mover == 0 else -lead)
        else:
            assert after.to_act is not None
            value = best(after.position(), after.to_act)
            values.append(value if after.to_act == mover else -value)
    return max(values)


def test_values_are_those_of_trying_everything() -> None:
    for match in positions("mapello", 40, depth=7, seed=5, **TINY):
        assert match.to_act is not None
        total = best(match.position(), match.to_act)
        assert max(value_of(match, action) for action in match.legal()) == total
        assert match.solve().score == total


@pytest.mark.smoke
def test_a_perfect_agent_loses_nothing() -> None:
    some = list(positions("mapello", 40, depth=8, seed=1, **TINY))
    assert len({match.position() for match in some}) > 20
    assert all(len(match.legal()) > 1 for match in some)
    perfect = exactness("alphabeta(depth=12)", some)
    assert perfect.best.value == 1
    assert perfect.lost.value == 0
    blind = exactness("random", some)
    assert blind.best.value < 0.9
    assert blind.lost.value > 0


def test_nobody_beats_a_perfect_player() -> None:
    match = Match("mapello", **TINY)
    total = match.solve().score
    assert total == -8
    for agent in ("random", "greedy", "alphabeta(depth=12)"):
        assert against_perfect(agent, match, 0) <= total
        assert against_perfect(agent, match, 1) <= -total
    assert against_perfect("alphabeta(depth=12)", match, 0) == total
    assert match.replay() == Match("mapello", **TINY).replay()


@cases(
    ("game", "count", "depth", "message"),
    [
        ("mapello", 0, 8, "count = 0: must be 1 to"),
        ("mapello", 1, 1, "depth = 1: must be 2 to 60"),
        ("domiphun", 1, 8, "Domiphun has no exact solver"),
    ],
)
def test_what_cannot_be_is_refused(game: str, count: int, depth: int, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        next(positions(game, count, depth=depth))
