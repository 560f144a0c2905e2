"""RLlib: the environments under the key names that its action-masking module reads."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import gymnasium
import numpy as np
from gymnasium import spaces

from adjoin._core import IllegalActionError
from adjoin.core.batch import Batch
from adjoin.core.buffers import CUT_OFF, OVER, RUNNING
from adjoin.core.spec import games
from adjoin.envs.single import Env as SingleEnv
from adjoin.support.arguments import as_seed, whole

try:
    from ray.rllib.env.multi_agent_env import MultiAgentEnv as RayMultiAgentEnv
except ImportError as error:
    raise ImportError("adjoin.envs.rllib needs RLlib: pip install 'adjoin[rllib]'") from error

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from adjoin.core.spec import Spec

__all__ = ["Env", "MultiAgentEnv"]


class Env(gymnasium.Env[Any, Any]):
    """A match of one game for one learner, for RLlib's ``config.environment``.

    ``config["game"]`` names the game; the rest are the keywords of ``adjoin.envs.Env``:
    ``opponents``, ``seat``, ``reward``, ``illegal``, ``max_decisions``, and the game's options.
    Observations are ``{"observations": row, "action_mask": mask}``, both float32, as RLlib's
    ``ActionMaskingTorchRLModule`` reads them.

    ``config["version"]``, if it is there, is the version of the game that is meant; another one is
    refused. RLlib keeps the config with its checkpoints, so they are refused as well.
    """

    def __init__(self, config: Mapping[str, Any]) -> None:
        game, version, keywords = _read(config)
        if "obs_mode" in keywords:
            raise TypeError("obs_mode: RLlib's masks come in the observation, there is no other")
        self._env = SingleEnv(game, obs_mode="dict", **keywords)
        self.game = self._env.game
        _check(version, self.game)
        self.observation_space = _space(self.game)
        self.action_space = self._env.action_space
        self.render_mode = self._env.render_mode

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, NDArray[np.float32]], dict[str, Any]]:
        """Start an episode: the first under a seed, or without one the next."""
        super().reset(seed=seed)
        observation, info = self._env.reset(seed=seed)
        return _named(**observation), info

    def step(
        self, action: Any
    ) -> tuple[dict[str, NDArray[np.float32]], float, bool, bool, dict[str, Any]]:
        """Play an action, and what the others answer."""
        observation, reward, terminated, truncated, info = self._env.step(action)
        return _named(**observation), reward, terminated, truncated, info

    def render(self) -> Any:
        """Return the table as the learner sees it."""
        return self._env.render()


class MultiAgentEnv(RayMultiAgentEnv):
    """A match of one game in which every seat is an agent: ``player_0``, ``player_1`` and so on.

    ``config`` is as that of ``Env``; there are ``reward``, ``max_decisions``, ``illegal`` and the
    game's options. Only the agent to act has an observation; it is that of ``Env``. Everybody has
    rewards. At the end all who decided something see the table as their seat knows it. An illegal
    action ends the match: its agent has earned the least that a match can earn, and the reason in
    its info under ``illegal_action``. With ``illegal="raise"`` it raises instead, and RLlib needs
    ``disable_env_checking=True``, since its checker plays without masks.
    """

    def __init__(self, config: Mapping[str, Any]) -> None:
        super().__init__()
        game, version, options = _read(config)
        max_decisions = options.pop("max_decisions", 10_000)
        reward = options.pop("reward", "points")
        self._illegal = options.pop("illegal", "terminate")
        if self._illegal not in ("terminate", "raise"):
            raise ValueError(f"illegal = {self._illegal!r}: must be one of 'terminate', 'raise'")
        self._batch = Batch.of(game, options, max_decisions=max_decisions, reward=reward)
        self.game = self._batch.spec
        _check(version, self.game)
        self.possible_agents = [f"player_{seat}" for seat in range(self.game.seats)]
        self.agents = self.possible_agents.copy()
        self.observation_spaces = {agent: _space(self.game) for agent in self.possible_agents}
        self.action_spaces = {agent: self.game.action_space() for agent in self.possible_agents}
        self._out = self._batch.buffers()
        self._action = np.zeros(1, np.int32)
        self._decided: set[int] = set()
        self._seeded = False

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Start a match: the first one under a seed, or without one the next."""
        if seed is not None or not self._seeded:
            fresh = int(np.random.SeedSequence().generate_state(1, np.uint64)[0])
            self._batch.reset(fresh if seed is None else as_seed(seed), self._out)
            self._seeded = True
        else:
            self._batch.restart(np.ones(1, np.bool_), self._out)
        self.agents = self.possible_agents.copy()
        self._decided = set()
        return self._seen(), {}

    def step(self, action_dict: dict[str, Any]) -> tuple[dict[str, Any], ...]:
        """Play the action of the agent to act."""
        seat = int(self._out.seat[0])
        agent = self.possible_agents[seat] if seat >= 0 else "nobody"
        if list(action_dict) != [agent]:
            raise ValueError(
                f"{agent} is to act, got actions of {', '.join(action_dict) or 'none'}"
            )
        action = whole("action", action_dict[agent], -(2**63), 2**63 - 1)
        self._decided.add(seat)
        mask = self._out.mask[0]
        if not (0 <= action < len(mask) and mask[action]):
            why = self._batch[0].why_not(action)
            assert why is not None
            return self._refuse(seat, why)
        self._action[0] = action
        self._batch.step(self._action, self._out)
        rewards = dict(zip(self.possible_agents, self._out.reward[0].tolist(), strict=True))
        status = int(self._out.status[0])
        ends = {"__all__": status == OVER}, {"__all__": status == CUT_OFF}
        return self._seen(), rewards, *ends, {}

    def _refuse(self, seat: int, why: IllegalActionError) -> tuple[dict[str, Any], ...]:
        agent = self.possible_agents[seat]
        if self._illegal == "raise":
            why.args = (f"{agent}: {why}",)
            raise why
        self._out.status[0], self._out.seat[0] = OVER, -1
        rewards = dict.fromkeys(self.possible_agents, 0.0)
        rewards[agent] = self._batch.forfeit(0, seat)
        infos = {agent: {"illegal_action": str(why)}}
        return self._seen(), rewards, {"__all__": True}, {"__all__": False}, infos

    def _seen(self) -> dict[str, dict[str, NDArray[np.float32]]]:
        """Return the observation of the agent to act, or how all see the end."""
        if self._out.status[0] == RUNNING:
            agent = self.possible_agents[int(self._out.seat[0])]
            return {agent: _named(self._out.observation[0], self._out.mask[0])}
        seen = self._batch.buffers()
        ends = {}
        for seat in sorted(self._decided):
            self._batch.observe(seen, seat)
            nothing = np.zeros_like(seen.mask[0])
            ends[self.possible_agents[seat]] = _named(seen.observation[0], nothing)
        return ends


def _read(config: Mapping[str, Any]) -> tuple[str, int | None, dict[str, Any]]:
    """Return the game, its version if one is meant, and the other keywords."""
    keywords = dict(config)
    if "game" not in keywords:
        raise ValueError(f'config: name the game, as in {{"game": "{games()[0]}"}}')
    return keywords.pop("game"), keywords.pop("version", None), keywords


def _check(version: int | None, spec: Spec) -> None:
    if version not in (None, spec.version):
        raise ValueError(
            f"version = {version!r}: {spec.name} is at version {spec.version} here, "
            "where action ids and observations may mean something else"
        )


def _space(spec: Spec) -> spaces.Dict:
    high = spec.observation_space().high.astype(np.float32)
    return spaces.Dict(
        {
            "observations": spaces.Box(np.zeros_like(high), high, dtype=np.float32),
            "action_mask": spaces.Box(0, 1, (spec.actions.size,), np.float32),
        }
    )


def _named(observation: NDArray[Any], action_mask: NDArray[Any]) -> dict[str, NDArray[np.float32]]:
    return {
        "observations": observation.astype(np.float32),
        "action_mask": action_mask.astype(np.float32),
    }
