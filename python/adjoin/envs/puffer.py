"""PufferLib: one learner in each of many lanes, stepped into PufferLib's own buffers.

PufferLib 3.0 asks for an older Gymnasium than the environments need, so it is installed by itself,
without what it asks for: see the guide to learners.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode

from adjoin.envs.vector import VectorEnv

try:
    import pufferlib
except ImportError as error:
    raise ImportError(
        "adjoin.envs.puffer needs PufferLib by itself: pip install --no-deps pufferlib"
    ) from error

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from typing_extensions import Unpack

    from adjoin.core.spec import Spec
    from adjoin.envs.learner import EnvKeywords

__all__ = ["Env"]


class Env(pufferlib.PufferEnv):
    """One learner in each of many lanes, an agent a lane, as PufferLib asks for it.

    The rows are those of ``adjoin.envs.VectorEnv`` and take the same keywords but ``obs_mode``.
    PufferLib knows no masks: an observation is the game's row with the mask behind it, all uint8;
    ``split`` takes them apart, also as tensors. A row that ends starts its next episode at once.

    The infos of a step in which episodes ended are one dictionary: ``episode_return`` and
    ``episode_length``, their means, ``n``, how many there were, and ``illegal_action``, the share
    of them that an illegal action ended.
    """

    def __init__(
        self,
        game: str,
        num_envs: int = 1024,
        buf: dict[str, NDArray[Any]] | None = None,
        seed: int = 0,
        **keywords: Unpack[EnvKeywords],
    ) -> None:
        for name in ("autoreset_mode", "obs_mode"):
            if name in keywords:
                raise TypeError(f"{name}: PufferLib knows one, there is no other")
        self.envs = VectorEnv(game, num_envs, autoreset_mode=AutoresetMode.SAME_STEP, **keywords)
        self.num_agents = self.envs.num_envs
        mask = np.ones(self.game.actions.size, np.uint8)
        high = np.concatenate([self.game.observation_space().high, mask])
        self.single_observation_space = spaces.Box(np.zeros_like(high), high, dtype=np.uint8)
        self.single_action_space = self.game.action_space()
        self.render_mode = self.envs.render_mode
        self._seed: int | None = seed
        self._earned = np.zeros(self.num_agents)
        self._lengths = np.zeros(self.num_agents, np.int64)
        super().__init__(buf)

    @property
    def game(self) -> Spec:
        """What stays the same about the game: action ids, observation blocks, options."""
        return self.envs.game

    def split(self, observations: Any) -> tuple[Any, Any]:
        """Return the game's rows and the masks of some observations, as views."""
        size = self.game.observation.size
        return observations[..., :size], observations[..., size:]

    def reset(self, seed: int | None = None) -> tuple[NDArray[np.uint8], list[dict[str, Any]]]:
        """Start episodes: the first under a seed, or without one the next.

        The first reset without a seed takes that of the constructor.
        """
        seed, self._seed = self._seed if seed is None else seed, None
        observation, infos = self.envs.reset(seed=seed)
        self._write(observation, infos)
        self.rewards[:] = 0
        self.terminals[:] = self.truncations[:] = False
        self._earned[:] = self._lengths[:] = 0
        return self.observations, []

    def step(self, actions: NDArray[Any]) -> tuple[Any, Any, Any, Any, list[dict[str, Any]]]:
        """Play one action per row into the buffers."""
        self.actions[:] = actions
        observation, rewards, terminations, truncations, infos = self.envs.step(self.actions)
        self._write(observation, infos)
        self.rewards[:] = rewards
        self.terminals[:] = terminations
        self.truncations[:] = truncations & ~terminations
        return (
            *(self.observations, self.rewards, self.terminals, self.truncations),
            self._ended(rewards, terminations | truncations, infos),
        )

    def _write(self, observation: NDArray[np.uint8], infos: dict[str, Any]) -> None:
        row, mask = self.split(self.observations)
        row[:] = observation
        mask[:] = infos["action_mask"]

    def _ended(
        self, rewards: NDArray[np.float64], ended: NDArray[np.bool_], infos: dict[str, Any]
    ) -> list[dict[str, Any]]:
        """Return what there is to tell about the episodes that ended."""
        self._earned += rewards
        self._lengths += 1
        if not ended.any():
            return []
        illegal = infos["final_info"].get("_illegal_action", np.zeros_like(ended))
        told = {
            "episode_return": float(self._earned[ended].mean()),
            "episode_length": float(self._lengths[ended].mean()),
            "n": int(ended.sum()),
            "illegal_action": float(illegal[ended].mean()),
        }
        self._earned[ended] = 0
        self._lengths[ended] = 0
        return [told]

    def render(self) -> Any:
        """Return every row's table as its learner sees it."""
        return self.envs.render()

    def close(self) -> None:
        """Do nothing more with it."""
        self.envs.close()
