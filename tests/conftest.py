"""What the tests share: option sets for every game, and ways to play on."""

from __future__ import annotations

import copy
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

import adjoin
from adjoin.mapello import RULEBOOK_SETUP

OPTIONS: dict[str, list[dict[str, Any]]] = {
    "mapello": [
        {},
        {"setup": "othello"},
        {"setup": "free", "max_walls": 2, "max_bonuses": 1, "max_jokers": 2, "games": 2},
        {"walls": 8, "bonuses": 6, "jokers": 8, "symmetry": "rotate", "games": 3},
        {"walls": 5, "bonuses": 7, "jokers": 3, "symmetry": "diagonal", "opening": "othello"},
        RULEBOOK_SETUP,
    ],
}
"""A game that is not listed is tested with its defaults."""


@dataclass(frozen=True)
class Variant:
    """A game with options."""

    game: str
    options: dict[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        short = {k: v for k, v in self.options.items() if isinstance(v, str | int)}
        return "-".join([self.game, *(f"{name}={value}" for name, value in short.items())])

    def batch(self, **keywords: Any) -> adjoin.Batch:
        """Return a batch, with options of its own."""
        return adjoin.Batch(self.game, **keywords, **copy.deepcopy(self.options))

    def match(self, **keywords: Any) -> adjoin.Match:
        """Return a match, with options of its own."""
        return adjoin.Match(self.game, **keywords, **copy.deepcopy(self.options))


VARIANTS = [
    Variant(game, options) for game in adjoin.games() for options in OPTIONS.get(game, [{}])
]


@pytest.fixture(params=VARIANTS, ids=str)
def variant(request: pytest.FixtureRequest) -> Variant:
    """Every game with every option set."""
    chosen: Variant = request.param
    return chosen


@pytest.fixture(params=adjoin.games())
def game(request: pytest.FixtureRequest) -> str:
    """Every game, with its defaults."""
    return str(request.param)


def frozen(out: adjoin.Buffers) -> tuple[bytes, ...]:
    """Return the contents of the arrays."""
    return tuple(array.tobytes() for array in out)


def play_on(batch: adjoin.Batch, steps: int) -> list[tuple[bytes, ...]]:
    """Play sampled actions and return the contents of the arrays after every step."""
    out = batch.buffers()
    actions = np.zeros(len(batch), np.int32)
    batch.observe(out)
    seen = [frozen(out)]
    for _ in range(steps):
        batch.sample(actions)
        batch.step(actions, out)
        seen.append(frozen(out))
    return seen


def saves(batch: adjoin.Batch) -> list[bytes]:
    """Return every lane as bytes."""
    return [batch.save(lane) for lane in range(len(batch))]
