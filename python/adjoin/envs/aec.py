"""PettingZoo environments: every seat an agent, one decision at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from gymnasium import spaces

from adjoin._core import IllegalActionError
from adjoin.core.batch import Batch
from adjoin.core.buffers import OVER, RUNNING
from adjoin.core.spec import Spec, games
from adjoin.drawing import png
from adjoin.envs.registration import describe
from adjoin.support.arguments import as_flag

try:
    import pettingzoo
    from pettingzoo.utils import wrappers
except ImportError as error:
    raise ImportError(
        "adjoin.envs.aec needs PettingZoo: pip install 'adjoin[pettingzoo]'"
    ) from error

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray
    from typing_extensions import Unpack

    from adjoin.core.batch import LaneRow, Reward
    from adjoin.core.options import GameOptions

__all__ = ["AECEnv", "env", "module"]


class AECEnv(pettingzoo.AECEnv[str, Any, Any]):
    """A match of one game, as PettingZoo's agent-environment cycle.

    Agents are ``player_0`` and so on, a seat each. Observations are
    ``{"observation": row, "action_mask": mask}``; the mask is in ``infos`` too. ``observe`` works
    for every agent at any time and shows only what that seat knows; an agent who is not to act
    has an empty mask. With ``action_facts=True`` ``infos[agent]["action_ids"]`` are the legal
    actions of the agent to act and ``infos[agent]["action_facts"]`` the facts about each, none for
    the others. An illegal action raises IllegalActionError and changes nothing.
    ``reward`` is ``"points"``, what the game pays and when it does, or ``"win"``; see ``Batch``.
    The remaining keywords are the game's options.
    """

    def __init__(
        self,
        game: str,
        *,
        render_mode: Literal["ansi", "human", "rgb_array"] | None = None,
        max_decisions: int = 10_000,
        reward: Reward = "points",
        action_facts: bool = False,
        **options: Unpack[GameOptions],
    ) -> None:
        super().__init__()
        self._batch = Batch.of(game, options, max_decisions=max_decisions, reward=reward)
        spec = self._batch.spec
        self.metadata = {
            "render_modes": png.modes(),
            "name": f"{game}_v{spec.version}",
            "is_parallelizable": False,
            "render_fps": 1,
        }
        png.check_mode(render_mode)
        self.render_mode = render_mode
        self.possible_agents = [f"player_{seat}" for seat in range(spec.seats)]
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spec.observation_space(),
                    "action_mask": spaces.Box(0, 1, (spec.actions.size,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self.action_spaces = {agent: spec.action_space() for agent in self.possible_agents}
        self._row: LaneRow = self._batch.observe_lane(0)
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._seeded = False
        self._tells_facts = as_flag("action_facts", action_facts)

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of an agent's observations, always the same object."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of an agent's actions, always the same object."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a match: the first one under a seed, or without one the next."""
        if seed is None and not self._seeded:
            seed = int(np.random.SeedSequence().generate_state(1, np.uint64)[0])
        self._row = self._batch.restart_lane(0, seed)
        self._seeded = True
        self.agents = self.possible_agents.copy()
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._update()

    def step(self, action: int | None) -> None:
        """Play the selected agent's action."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            none = IllegalActionError(f"{agent} has a decision to take: action None")
            none.reason, none.clause, none.legal = "no action", None, self._batch[0].legal()
            raise none
        try:
            self._row = self._batch.step_lane(0, action)
        except IllegalActionError as why:
            why.args = (f"{agent}: {why}",)
            raise
        self._cumulative_rewards[agent] = 0.0
        self.rewards = dict(zip(self.possible_agents, self._row[3], strict=True))
        self._update()
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def observe(self, agent: str) -> dict[str, NDArray[Any]]:
        """Return what an agent knows, and what it may do if it is to act."""
        observation, mask, *_ = self._batch.observe_lane(0, self._seats[agent])
        return {"observation": observation, "action_mask": mask}

    def render(self) -> Any:
        """Return the table as the seat to act sees it: text ("ansi") or pixels ("rgb_array").

        "human" shows it after every step: the picture in a notebook, the text in a terminal.
        """
        return png.show(self.render_mode, self._batch[0])

    def close(self) -> None:
        """Do nothing: there is nothing to close."""

    def _update(self) -> None:
        _, mask, seat, _, status = self._row
        if status == RUNNING:
            self.agent_selection = self.possible_agents[seat]
        else:
            ended = self.terminations if status == OVER else self.truncations
            ended.update(dict.fromkeys(self.agents, True))
            self.agent_selection = self.agents[0]
        self.infos: dict[str, dict[str, NDArray[Any]]] = {
            agent: {"action_mask": np.zeros(len(mask), np.int8)} for agent in self.agents
        }
        if status == RUNNING:
            self.infos[self.agent_selection]["action_mask"] = mask
        if self._tells_facts:
            rows = self._batch.actions()
            for agent, info in self.infos.items():
                stop = None if status == RUNNING and agent == self.agent_selection else 0
                info["action_ids"], info["action_facts"] = rows.ids[:stop], rows.facts[:stop]

    def __repr__(self) -> str:
        """Return the environment's name."""
        return str(self.metadata["name"])


def env(game: str, **keywords: Any) -> wrappers.OrderEnforcingWrapper[str, Any, Any]:
    """Return the environment of a game, checked for steps before a reset."""
    return wrappers.OrderEnforcingWrapper(AECEnv(game, **keywords))


def module(
    game: str,
) -> tuple[Callable[..., pettingzoo.AECEnv[str, Any, Any]], Callable[..., AECEnv], str]:
    """Return ``env``, ``raw_env`` and the documentation of a module such as ``mapello_v0``."""

    def make(**keywords: Any) -> pettingzoo.AECEnv[str, Any, Any]:
        return env(game, **keywords)

    def make_raw(**keywords: Any) -> AECEnv:
        return AECEnv(game, **keywords)

    page = describe(game)
    make.__doc__ = make_raw.__doc__ = page
    return make, make_raw, page


def _register() -> None:
    # PettingZoo has a registry from 1.27 on.
    if hasattr(pettingzoo, "register"):
        for game in games():
            version = Spec.of(game, {}).version
            name = f"adjoin/{game}-v{version}"
            pettingzoo.register("aec", name, entry_point=f"adjoin.{game}_v{version}:env")


_register()
