"""Gymnasium ids, and the page of each environment."""

from __future__ import annotations

from typing import TYPE_CHECKING

import gymnasium

from adjoin.core.spec import Spec, games

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from adjoin.core.options import GameOptions


def describe(game: str, **options: Unpack[GameOptions]) -> str:
    """Return the page of a game: actions, observation, rewards, end, options, versions."""
    return Spec.of(game, options).describe()


def register() -> None:
    """Register every game with Gymnasium, for ``make`` and ``make_vec``."""
    for game in games():
        environment = Spec.of(game, {}).environment
        if environment not in gymnasium.registry:
            gymnasium.register(
                environment,
                entry_point="adjoin.envs.single:Env",
                vector_entry_point="adjoin.envs.vector:VectorEnv",
                kwargs={"game": game},
            )
