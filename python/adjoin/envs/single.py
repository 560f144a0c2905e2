"""Gymnasium environments: one learner, the other seats by policy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode

from adjoin.drawing import png
from adjoin.envs.vector import VectorEnv
from adjoin.support.arguments import whole

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from typing_extensions import Unpack

    from adjoin.envs.vector import EnvKeywords


class Env(gymnasium.Env[Any, Any]):
    """A match of one game for one learner: ``VectorEnv`` with a single row.

    It takes the same keywords: ``opponents``, ``seat``, ``reward``, ``illegal``,
    ``obs_mode``, ``action_facts``, ``max_decisions``, ``render_mode``, and the game's options.
    ``info["action_mask"]`` is int8, ``action_masks()`` bool. An illegal action ends the episode
    with the least that a match can earn, the reason in ``info["illegal_action"]``, or raises with
    ``illegal="raise"``.
    """

    metadata: dict[str, Any] = {"render_modes": png.modes(), "render_fps": 1}  # noqa: RUF012

    def __init__(self, game: str, **keywords: Unpack[EnvKeywords]) -> None:
        self._vector = VectorEnv(game, 1, autoreset_mode=AutoresetMode.DISABLED, **keywords)
        self.game = self._vector.game
        self.observation_space = self._vector.single_observation_space
        self.action_space = self._vector.single_action_space
        self.render_mode = self._vector.render_mode

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Start an episode: the first under a seed, or without one the next."""
        super().reset(seed=seed)
        observation, infos = self._vector.reset(seed=seed)
        self._show()
        return _first(observation), _first_info(infos)

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Play an action, and what the others answer."""
        number = whole("action", action, -(2**63), 2**63 - 1)
        usual = self._vector.step_one(number)
        if usual is None:
            usual = self._vector.step(np.array([number], np.int64))
        observation, rewards, terminations, truncations, infos = usual
        self._show()
        return (
            _first(observation),
            float(rewards[0]),
            bool(terminations[0]),
            bool(truncations[0]),
            _first_info(infos),
        )

    def action_masks(self) -> NDArray[np.bool_]:
        """Return the legal actions, as sb3-contrib asks for them."""
        masks: NDArray[np.bool_] = self._vector.action_masks()[0]
        return masks

    def render(self) -> Any:
        """Return the table as the learner sees it: text ("ansi") or pixels ("rgb_array").

        "human" shows it after every step: the picture in a notebook, the text in a terminal.
        """
        shown = self._vector.render()
        return shown[0] if shown else None

    def _show(self) -> None:
        if self.render_mode == "human":
            self.render()


def _first(batched: Any) -> Any:
    if isinstance(batched, dict):
        return {key: value[0] for key, value in batched.items()}
    return batched[0]


def _first_info(infos: dict[str, Any]) -> dict[str, Any]:
    info = {key: value[0] for key, value in infos.items() if not key.startswith("_")}
    info["seat"] = int(info["seat"])
    return info
