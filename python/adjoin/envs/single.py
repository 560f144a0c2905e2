"""Gymnasium environments: one learner, the other seats by policy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import gymnasium
import numpy as np

from adjoin._core import IllegalActionError
from adjoin.core.buffers import CUT_OFF, OVER, RUNNING
from adjoin.drawing import png
from adjoin.envs.learner import TRIES, LearnerEnv, ask
from adjoin.support.arguments import as_seed

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from typing_extensions import Unpack

    from adjoin.core.batch import LaneRow
    from adjoin.envs.learner import EnvKeywords


class Env(LearnerEnv, gymnasium.Env[Any, Any]):
    """A match of one game for one learner: a row of ``VectorEnv`` by itself.

    It takes the same keywords: ``opponents``, ``seat``, ``reward``, ``illegal``,
    ``obs_mode``, ``action_facts``, ``max_decisions``, ``render_mode``, and the game's options.
    ``info["action_mask"]`` is int8, ``action_masks()`` bool. An illegal action ends the episode
    with the least that a match can earn, the reason in ``info["illegal_action"]``, or raises with
    ``illegal="raise"``.
    """

    metadata: dict[str, Any] = {"render_modes": png.modes(), "render_fps": 1}  # noqa: RUF012

    def __init__(self, game: str, **keywords: Unpack[EnvKeywords]) -> None:
        super().__init__(game, 1, **keywords)
        self.observation_space = self._space_of_a_row()
        self.action_space = self.game.action_space()
        self._is_seeded = False
        self._is_over = True
        self._learner = 0 if self._seat == "rotate" else self._seat
        self._players = self._batch.players()[0]
        self._owed = 0.0  # earned before the first decision
        self._steps = 0

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Start an episode: the first under a seed, or without one the next."""
        super().reset(seed=seed)
        row = self._started(self._new_seed(seed))
        self._is_over, self._steps = False, 0
        self._show()
        return self._with_mask(row[0], row[1]), self._info(row)

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Play an action, and what the others answer."""
        if self._is_over:
            raise RuntimeError("call reset before step: no episode is under way")
        try:
            row = self._batch.step_lane(0, action)
        except IllegalActionError as why:
            return self._refused(why)
        reward = row[3][self._learner]
        if self._policies:
            row, earned = self._answered(row)
            reward += self._owed + earned
            self._owed = 0.0
        observation, mask, _, _, status = row
        self._steps += 1
        terminated = status == OVER
        truncated = status == CUT_OFF or (self._steps == self._max_steps and not terminated)
        self._is_over = terminated or truncated
        if self.render_mode == "human":
            self.render()
        return self._with_mask(observation, mask), reward, terminated, truncated, self._info(row)

    def action_masks(self) -> NDArray[np.bool_]:
        """Return the legal actions, as sb3-contrib asks for them."""
        return self._batch.observe_lane(0)[1].astype(np.bool_)

    def render(self) -> Any:
        """Return the table as the learner sees it: text ("ansi") or pixels ("rgb_array").

        "human" shows it after every step: the picture in a notebook, the text in a terminal.
        """
        return png.show(self.render_mode, self._batch[0], self._learner)

    def _new_seed(self, seed: int | None) -> int | None:
        """Return the seed of a new stream of episodes; None goes on with that under way."""
        if seed is not None:
            seed = as_seed(seed)
        elif not self._is_seeded:
            seed = int(self.np_random.integers(2**63))
        self._is_seeded = True
        return seed

    def _started(self, seed: int | None) -> LaneRow:
        """Start an episode at the learner's first decision, and return its row."""
        row = self._batch.restart_lane(0, seed)
        for _ in range(TRIES):
            if self._seat == "rotate":
                self._learner = int(self._batch.callers()[0])
            if self._is_drawn:
                self._players = self._batch.players()[0]
            row, self._owed = self._answered(row)
            # A match can be over before the learner's first decision; a learner has no use for it.
            if row[4] == RUNNING:
                return row
            row = self._batch.restart_lane(0)
        raise RuntimeError(f"in {TRIES} matches the learner had nothing to decide")

    def _answered(self, row: LaneRow) -> tuple[LaneRow, float]:
        """Let the functions given as opponents decide until the learner is to act.

        Returns the row then, and what the learner has earned.
        """
        if not self._policies:
            return row, 0.0
        earned = 0.0
        while row[4] == RUNNING and row[2] != self._learner:
            known = self._candidates[self._players[row[2]]] if self._is_drawn else None
            policy = known or self._policies[0]
            answer = ask(policy, row[0][np.newaxis], row[1][np.newaxis])
            row = self._batch.step_lane(0, answer[0])
            earned += row[3][self._learner]
        if row[4] != RUNNING:
            # A finished match shows the table as the learner sees it.
            observation, *_ = self._batch.observe_lane(0, self._learner)
            row = (observation, *row[1:])
        return row, earned

    def _refused(self, why: IllegalActionError) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """End the episode with the least that a match can earn."""
        if self._illegal == "raise":
            raise why
        row = self._batch.observe_lane(0)
        self._is_over = True
        self._show()
        info = self._info(row)
        info["illegal_action"] = str(why)
        reward = self._batch.forfeit(0, self._learner)
        return self._with_mask(row[0], row[1]), reward, True, False, info

    def _info(self, row: LaneRow) -> dict[str, Any]:
        info: dict[str, Any] = {"action_mask": row[1], "seat": self._learner}
        if self._is_drawn:
            info["opponents"] = tuple(self._candidates[number] for number in self._players)
        if self._tells_facts:
            rows = self._batch.actions().trimmed()
            info["action_ids"], info["action_facts"] = rows.ids, rows.facts
        return info

    def _show(self) -> None:
        if self.render_mode == "human":
            self.render()
