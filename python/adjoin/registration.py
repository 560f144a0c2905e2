"""Gymnasium ids, and the page of each environment."""

from __future__ import annotations

from typing import Any

import gymnasium

from adjoin.batch import Batch
from adjoin.spec import games


def describe(game: str, **options: Any) -> str:
    """Return the page of a game: actions, observation, rewards, end, options, versions."""
    return Batch.of(game, options).spec.describe()


def register() -> None:
    """Register every game with Gymnasium, for ``make`` and ``make_vec``."""
    for game in games():
        environment = Batch(game).spec.environment
        if environment not in gymnasium.registry:
            gymnasium.register(
                environment,
                entry_point="adjoin.single:Env",
                vector_entry_point="adjoin.vector:VectorEnv",
                kwargs={"game": game},
            )
