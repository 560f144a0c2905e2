"""What Stable-Baselines3 asks of a vector environment, without a part of Stable-Baselines3."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from adjoin.envs.vector import Ended, VectorEnv


class StableRows:
    """The rows of a vector environment in which the next episode starts at once.

    An info says how an episode ended; see ``adjoin.envs.sb3.VecEnv``. Rows that go on have an
    empty one, a dictionary of their own, which the next step hands out again unless somebody has
    written into it: making a thousand of them takes longer than playing a thousand decisions.
    """

    def __init__(self, envs: VectorEnv) -> None:
        self._envs = envs
        self._nothing: list[dict[str, Any]] = [{} for _ in range(envs.num_envs)]
        self._earned = np.zeros(envs.num_envs)
        self._steps = 0
        self._first_steps = np.zeros(envs.num_envs, np.int64)
        self._began = time.time()

    def reset(self, seeds: Sequence[int | None] | None) -> tuple[Any, list[dict[str, Any]]]:
        """Start the next episode of every row, or the first under the seeds."""
        observation, infos = self._envs.reset(seed=seeds)
        self._earned[:] = 0
        self._first_steps[:] = self._steps
        return observation, [{"seat": seat} for seat in infos["seat"].tolist()]

    def step(
        self, actions: Any
    ) -> tuple[Any, NDArray[np.float32], NDArray[np.bool_], list[dict[str, Any]]]:
        """Play one action per row."""
        rewards, terminations, truncations, reasons = self._envs.advance(actions)
        dones = terminations | truncations
        self._earned += rewards
        self._steps += 1
        infos = self._empty_infos()
        if self._envs.has_ended:
            self._tell(self._envs.restart_ended(), truncations, infos)
            for row, reason in reasons.items():
                infos[row]["illegal_action"] = reason
        return self._envs.observation(), rewards.astype(np.float32), dones, infos

    def _empty_infos(self) -> list[dict[str, Any]]:
        if any(self._nothing):
            self._nothing = [{} if info else info for info in self._nothing]
        return self._nothing.copy()

    def _tell(self, ended: Ended, cut_off: NDArray[np.bool_], infos: list[dict[str, Any]]) -> None:
        """Write down how the rows ended that did."""
        rows = ended.rows
        told = zip(
            rows.tolist(),
            ended.observations,
            ended.opponents,
            ended.seats.tolist(),
            self._earned[rows].tolist(),
            self._first_steps[rows].tolist(),
            cut_off[rows].tolist(),
            strict=True,
        )
        seconds = round(time.time() - self._began, 6)
        for row, observation, opponents, seat, earned, first_step, is_cut_off in told:
            infos[row] = {
                "terminal_observation": observation,
                "TimeLimit.truncated": is_cut_off,
                "seat": seat,
                "episode": {"r": earned, "l": self._steps - first_step, "t": seconds},
            }
            if opponents is not None:
                infos[row]["opponents"] = opponents
        self._earned[rows] = 0
        self._first_steps[rows] = self._steps
