"""What the environments of one learner share: their keywords, and who sits where."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from gymnasium import spaces

from adjoin.core.batch import Batch, with_shares
from adjoin.core.spec import Spec
from adjoin.drawing import png
from adjoin.support.arguments import as_flag, whole

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray
    from typing_extensions import Unpack

    from adjoin.core.batch import Reward
    from adjoin.core.options import GameOptions

    Opponents = str | Callable[..., Any] | Sequence[Any] | Mapping[Any, float]

    class EnvKeywords(GameOptions, total=False):
        """What the environments of one learner take: see ``VectorEnv``."""

        opponents: Opponents
        seat: int | Literal["rotate"]
        reward: Reward
        illegal: Literal["terminate", "raise"]
        obs_mode: Literal["flat", "dict"]
        action_facts: bool
        threads: int
        max_decisions: int
        max_episode_steps: int | None
        render_mode: Literal["ansi", "human", "rgb_array"] | None


TRIES = 100
"""So many matches in a row may end before the learner decides."""


class LearnerEnv:
    """A batch with one learner in every lane, and what its keywords say; see ``VectorEnv``."""

    render_mode: str | None

    def __init__(
        self,
        game: str,
        num_envs: int = 1,
        *,
        opponents: Opponents = "random",
        seat: int | Literal["rotate"] = 0,
        reward: Reward = "points",
        illegal: Literal["terminate", "raise"] = "terminate",
        obs_mode: Literal["flat", "dict"] = "flat",
        action_facts: bool = False,
        threads: int = 1,
        max_decisions: int = 10_000,
        max_episode_steps: int | None = None,
        render_mode: Literal["ansi", "human", "rgb_array"] | None = None,
        **options: Unpack[GameOptions],
    ) -> None:
        _one_of("illegal", illegal, ("terminate", "raise"))
        if reward == "lead" and illegal == "terminate":
            raise ValueError(
                'reward = "lead": needs illegal="raise", as there is no least that an illegal '
                "action could cost"
            )
        _one_of("obs_mode", obs_mode, ("flat", "dict"))
        png.check_mode(render_mode)
        seats = Spec.of(game, options).seats
        if seat != "rotate":
            seat = whole("seat", seat, 0, seats - 1)
        self._seat = seat
        others = with_shares("opponents", opponents, callable, "an agent's name or a function")
        seated = [others] * seats
        seated[0 if seat == "rotate" else seat] = [(None, 1.0)]
        self._candidates = [agent for several in seated for agent, _ in several]
        self._policies = [agent for agent, _ in others if callable(agent)]
        self._is_drawn = len(others) > 1
        self._batch = Batch.of(
            game,
            options,
            num_lanes=num_envs,
            threads=threads,
            max_decisions=max_decisions,
            agents=[
                [(None if callable(agent) else agent, share) for agent, share in several]
                for several in seated
            ],
            rotate=seat == "rotate",
            reward=reward,
        )
        self._illegal = illegal
        self._obs_mode = obs_mode
        self._tells_facts = as_flag("action_facts", action_facts)
        self._max_steps = (
            None
            if max_episode_steps is None
            else whole("max_episode_steps", max_episode_steps, 1, 2**31 - 1)
        )
        self.render_mode = render_mode

    @property
    def game(self) -> Spec:
        """What stays the same about the game: action ids, observation blocks, options."""
        return self._batch.spec

    def _space_of_a_row(self) -> spaces.Space[Any]:
        """Return the space of one learner's observations."""
        row = self.game.observation_space()
        if self._obs_mode == "flat":
            return row
        mask = spaces.Box(0, 1, (self.game.actions.size,), np.int8)
        return spaces.Dict({"observation": row, "action_mask": mask})

    def _with_mask(self, observation: NDArray[np.uint8], mask: NDArray[np.int8]) -> Any:
        """Return what a learner observes."""
        if self._obs_mode == "flat":
            return observation
        return {"observation": observation, "action_mask": mask.copy()}


def ask(
    policy: Callable[..., Any], observation: NDArray[np.uint8], mask: NDArray[np.int8]
) -> NDArray[np.int32]:
    """Return what a function given as opponents answers, if it is an action for each row."""
    answer = np.asarray(policy(observation, mask))
    fits = answer.shape == (len(mask),) and answer.dtype.kind in "iu"
    if not fits or ((answer < 0) | (answer >= mask.shape[1])).any():
        raise ValueError(
            f"opponents: expected {len(mask)} action ids, one for each row asked about, "
            f"got {answer.dtype} of shape {answer.shape}: {answer}"
        )
    return answer.astype(np.int32)


def _one_of(name: str, value: object, allowed: Sequence[object]) -> None:
    if value not in allowed:
        raise ValueError(f"{name} = {value!r}: must be one of {', '.join(map(repr, allowed))}")
