"""``setup="othello"`` is the Othello of OpenSpiel, move for move."""

from __future__ import annotations

import random
from typing import Any

import pytest

import adjoin
from scaffold import cases

pyspiel: Any = pytest.importorskip(
    "pyspiel", reason="open_spiel, an independent Othello, has no wheel for this platform"
)

PASS = 64
SYMBOLS = str.maketrans("-xo", ".XO")


def board_of(state: Any) -> list[str]:
    """Return the 8 rows of an OpenSpiel board, in our symbols."""
    rows = [line.split() for line in str(state).splitlines()]
    return ["".join(row[1:9]).translate(SYMBOLS) for row in rows if row[0].isdigit()]


@cases("chunk", range(4))
def test_random_games_agree_with_openspiel(chunk: int) -> None:
    rng = random.Random(chunk)
    othello = pyspiel.load_game("othello")
    passes = 0
    results = set()
    for _ in range(250):
        state = othello.new_initial_state()
        match = adjoin.Match("mapello", setup="othello")
        while not state.is_terminal():
            legal = state.legal_actions()
            assert match.legal_ids() == legal
            assert match.to_act == state.current_player()
            action = rng.choice(legal)
            passes += action == PASS
            state.apply_action(action)
            match.play(action)
            rows = match.position().split("\n")
            assert [row[1:9] for row in rows[1:9]] == board_of(state)
        assert match.to_act is None
        assert match.legal_ids() == []
        assert match.returns == state.returns()
        results.add(tuple(state.returns()))
    assert passes > 0
    assert results == {(1.0, -1.0), (-1.0, 1.0), (0.0, 0.0)}
