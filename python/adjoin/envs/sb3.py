"""Stable-Baselines3: the vector environments as a VecEnv, with masks for MaskablePPO."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode

from adjoin.envs.stable_rows import StableRows
from adjoin.envs.vector import VectorEnv

try:
    import torch
    from stable_baselines3.common.monitor import Monitor
    from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
    from stable_baselines3.common.vec_env import VecEnv as StableVecEnv
except ImportError as error:
    raise ImportError("adjoin.envs.sb3 needs sb3-contrib: pip install 'adjoin[rl]'") from error

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray
    from typing_extensions import Unpack

    from adjoin.core.spec import Spec
    from adjoin.envs.learner import EnvKeywords

__all__ = ["Actions", "Scaled", "VecEnv"]


class Actions(spaces.Discrete[np.int64]):
    """The action ids of one version of a game.

    Those of another game or version are not the same, whatever their number. A model keeps its own,
    so Stable-Baselines3 refuses to go on with it where the ids may mean something else. Options may
    differ. A plain ``Discrete`` is compared by its number.
    """

    def __init__(self, spec: Spec) -> None:
        super().__init__(spec.actions.size)
        self.environment = spec.environment

    def __eq__(self, other: object) -> bool:
        """Tell whether they are as many, of the same game and version."""
        mine = not isinstance(other, Actions) or self.environment == other.environment
        return mine and super().__eq__(other)

    def __repr__(self) -> str:
        """Say how many there are, of what."""
        return f"{super().__repr__()} of {self.environment}"


class VecEnv(StableVecEnv):
    """One learner in each of many lanes, as Stable-Baselines3 asks for it.

    The rows are those of ``adjoin.envs.VectorEnv`` and take the same keywords: ``opponents``,
    ``seat``, ``reward``, ``illegal``, ``obs_mode``, ``threads``, ``max_decisions``,
    ``max_episode_steps``, ``render_mode``, and the game's options. They are stepped together,
    without a Python object for each. After ``seed(s)``, row i is the single environment with the
    seed ``s + i``.

    ``MaskablePPO`` finds the masks by itself. A row that ends starts its next episode at once; its
    info has ``terminal_observation``, ``TimeLimit.truncated``, ``seat``, ``opponents`` if they are
    drawn, the ``illegal_action`` if there was one, and ``episode``, which a Monitor would give:
    return ``r``, length ``l``, and seconds ``t``. The info of a row that goes on is empty.

    A model of another game, or of another version of the game, is refused by ``load`` and
    ``set_env``, also where the spaces are as large.

    What belongs to the environment is the same for all rows: ``set_attr`` sets it for all of them.
    """

    def __init__(self, game: str, num_envs: int = 64, **keywords: Unpack[EnvKeywords]) -> None:
        if "autoreset_mode" in keywords:
            raise TypeError(
                "autoreset_mode: Stable-Baselines3 knows one, the next episode starts at once"
            )
        self.envs = VectorEnv(game, num_envs, autoreset_mode=AutoresetMode.SAME_STEP, **keywords)
        super().__init__(
            self.envs.num_envs, self.envs.single_observation_space, Actions(self.envs.game)
        )
        self._actions: NDArray[Any] | None = None
        self._rows = StableRows(self.envs)

    @property
    def game(self) -> Spec:
        """What stays the same about the game: action ids, observation blocks, options."""
        return self.envs.game

    def reset(self) -> Any:
        """Start the next episode of every row, or after ``seed`` the first under the seeds."""
        seeds = None if all(seed is None for seed in self._seeds) else self._seeds
        observation, self.reset_infos = self._rows.reset(seeds)
        self._reset_seeds()
        self._reset_options()
        self._actions = None
        return observation

    def step_async(self, actions: NDArray[Any]) -> None:
        """Take the actions, one a row."""
        self._actions = actions

    def step_wait(
        self,
    ) -> tuple[Any, NDArray[np.float32], NDArray[np.bool_], list[dict[str, Any]]]:
        """Play the actions and what the others answer."""
        if self._actions is None:
            raise RuntimeError("call step_async before step_wait")
        actions, self._actions = self._actions, None
        return self._rows.step(actions)

    def action_masks(self) -> NDArray[np.bool_]:
        """Return the legal actions of every row."""
        return self.envs.action_masks()

    def close(self) -> None:
        """Do nothing more with it."""
        self.envs.close()

    def get_attr(self, attr_name: str, indices: int | Iterable[int] | None = None) -> list[Any]:
        """Return what the environment calls so, once for each row asked about."""
        value = getattr(self.envs, attr_name)
        return [value for _ in self._get_indices(indices)]

    def set_attr(
        self, attr_name: str, value: Any, indices: int | Iterable[int] | None = None
    ) -> None:
        """Set an attribute of the environment, for all rows."""
        if len(set(self._get_indices(indices))) != self.num_envs:
            raise ValueError(f"{attr_name}: the rows share it, so it is set for all of them")
        setattr(self.envs, attr_name, value)

    def env_method(
        self,
        method_name: str,
        *method_args: Any,
        indices: int | Iterable[int] | None = None,
        **method_kwargs: Any,
    ) -> Any:
        """Call a method of the environment and return its answer for each row asked about.

        ``action_masks`` comes as one array. Other methods but ``render`` answer the same for all.
        """
        answer = getattr(self.envs, method_name)(*method_args, **method_kwargs)
        if method_name == "action_masks":
            return answer if indices is None else answer[list(self._get_indices(indices))]
        if method_name == "render" and answer is not None:
            return [answer[row] for row in self._get_indices(indices)]
        return [answer for _ in self._get_indices(indices)]

    def env_is_wrapped(
        self, wrapper_class: type[Any], indices: int | Iterable[int] | None = None
    ) -> list[bool]:
        """Tell whether the rows give what a wrapper would: only Monitor's, of themselves."""
        return [wrapper_class is Monitor for _ in self._get_indices(indices)]

    def get_images(self) -> Sequence[NDArray[np.uint8] | None]:
        """Return every row's picture, with ``render_mode="rgb_array"``."""
        return self.envs.render() or [None] * self.num_envs


class Scaled(BaseFeaturesExtractor):
    """Observations divided by the greatest that they can be: every number from 0 to 1.

    For policies: ``policy_kwargs={"features_extractor_class": Scaled}``.
    """

    def __init__(self, observation_space: spaces.Box) -> None:
        super().__init__(observation_space, int(np.prod(observation_space.shape)))
        high = np.maximum(observation_space.high.astype(np.float32), 1).ravel()
        self.register_buffer("high", torch.from_numpy(high), persistent=False)

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        """Return the scaled observations."""
        scaled: torch.Tensor = observations.flatten(1) / self.high
        return scaled
