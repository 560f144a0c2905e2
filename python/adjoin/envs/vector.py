"""Gymnasium vector environments: one learner in every lane, the other seats by policy."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from gymnasium.vector import AutoresetMode
from gymnasium.vector import VectorEnv as GymnasiumVectorEnv
from gymnasium.vector.utils import batch_space

from adjoin._core import IllegalActionError
from adjoin.core.buffers import CUT_OFF, OVER, RUNNING, ActionRows, Buffers
from adjoin.drawing import png
from adjoin.envs.learner import TRIES, LearnerEnv, ask
from adjoin.support.arguments import as_seed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray
    from typing_extensions import Unpack

    from adjoin.envs.learner import EnvKeywords

LEAVE = -1
"""What a batch is told about a row where nothing is to happen."""


class Outcome(NamedTuple):
    """What came of a decision in every row."""

    rewards: NDArray[np.float64]
    terminations: NDArray[np.bool_]
    truncations: NDArray[np.bool_]
    reasons: dict[int, str]
    """Why the action of a row was illegal, for those where it was."""


class Ended(NamedTuple):
    """The rows whose episodes ended in a step, and how."""

    rows: NDArray[np.intp]
    observations: list[Any]
    """The last one of each, in arrays of its own."""
    seats: NDArray[np.intp]
    """The learner's."""
    opponents: Sequence[tuple[Any, ...] | None]
    """Who played at each seat, where that is drawn."""


class VectorEnv(LearnerEnv, GymnasiumVectorEnv[Any, Any, Any]):
    """One learner in each of many lanes; the other seats are played by ``opponents``.

    ``opponents`` names a built-in agent, which plays inside the Rust step, or is a function
    ``(observation, mask) -> actions`` that is asked for the rows where another seat decides.
    A list of those, or a mapping to their shares such as ``{"greedy": 0.7, "random": 0.3}``, has
    one drawn for every seat and episode, by the episode's seed alone; ``infos["opponents"]`` then
    has a tuple by seat of who plays there, with None for the learner.
    ``seat`` is the learner's, or ``"rotate"``: it moves on from episode to episode, and from one
    seed to the next. Rewards add up over the others' decisions, so the learner only sees its own.
    ``reward`` is ``"points"``, what the game pays and when it does, or ``"win"``: the share of the
    win at the end, -1 to 1, and 0 before; ``"lead"``, with ``illegal="raise"``: see ``Batch``.

    ``infos["action_mask"]`` is int8, ``action_masks()`` the same as bool. With ``obs_mode="dict"``
    an observation is ``{"observation": row, "action_mask": mask}``. With ``action_facts=True``
    ``infos["action_ids"][i]`` are row i's legal actions and ``infos["action_facts"][i]`` the facts
    about each, as ``game.facts`` names them; ``action_rows()`` has all rows' in one piece. An
    illegal action ends its episode with the least that a match can earn, and the reason in
    ``infos["illegal_action"]``, or raises with ``illegal="raise"``. All three autoreset modes are
    there; ``reset`` takes ``options={"reset_mask": ...}``. Row i is the single environment with the
    seed ``seed + i``.

    The remaining keywords are the game's options.
    """

    def __init__(
        self,
        game: str,
        num_envs: int = 1,
        *,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        **keywords: Unpack[EnvKeywords],
    ) -> None:
        super().__init__(game, num_envs, **keywords)
        self.num_envs = len(self._batch)
        self.single_action_space = self.game.action_space()
        self.single_observation_space = self._space_of_a_row()
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.metadata = {
            "render_modes": png.modes(),
            "render_fps": 1,
            "autoreset_mode": self.autoreset_mode,
        }
        self._rows = np.arange(self.num_envs)
        self._every = np.ones(self.num_envs, np.bool_)
        self._owed = np.zeros(self.num_envs)  # earned before the first decision
        self._seeded = False
        # Whether more is to be done where an episode begins than to start the match.
        self._settles = bool(
            self._policies or self._is_drawn or self._seat == "rotate" or self._max_steps
        )
        self._steps = np.zeros(self.num_envs, np.int64)
        self._ended = np.zeros(self.num_envs, np.bool_)
        self._ends_early = False  # some of those before their match
        self.has_ended = False
        """Whether there are rows whose episodes are over."""
        self._out = self._batch.buffers()
        self._learner = np.full(self.num_envs, 0 if self._seat == "rotate" else self._seat, np.intp)
        self._players = self._batch.players()
        self._opponents = np.full(self.num_envs, None, object)

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Any, dict[str, Any]]:
        """Start episodes: the first under a seed, or without one the next.

        ``seed + i`` is row i's, or give one per row. ``options["reset_mask"]`` chooses the rows.
        """
        chosen = self._reset_mask(options)
        if not self._seeded and not chosen.all():
            raise ValueError('options["reset_mask"]: the first reset is of all rows')
        seeds = self._new_seeds(seed)
        self._seeded = True
        self._out = self._with_fresh_observation()
        if not chosen.all():
            self._batch.observe(self._out)
        self._start(chosen, None if seeds is None else seeds.tolist())
        self._ended[chosen] = False
        self.has_ended = bool(self._ended.any())
        return self.observation(), self._infos()

    def step(
        self, actions: Any
    ) -> tuple[Any, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """Play one action per row."""
        rewards, terminations, truncations, reasons = self.advance(actions)
        infos = self._infos(reasons)
        if self.has_ended and self.autoreset_mode is AutoresetMode.SAME_STEP:
            infos = self._reset_ended(infos)
        return self.observation(), rewards, terminations, truncations, infos

    def advance(self, actions: Any) -> Outcome:
        """Play one action per row: ``step`` without infos, and without autoreset in the same step.

        ``observation`` has what the learners see then, ``restart_ended`` starts the next episodes.
        """
        if not self._seeded:
            raise RuntimeError("call reset before step")
        given = self._whole_numbers(actions)
        restarting = self._ended
        held = None
        if self.has_ended:
            if self.autoreset_mode is AutoresetMode.DISABLED:
                raise RuntimeError(
                    f"row {restarting.argmax()} is over: reset it with "
                    'options={"reset_mask": ...}, since autoreset_mode is Disabled'
                )
            # A batch starts the next match by itself where one is over. Functions given as
            # opponents have to be asked first, and some episodes end before their match.
            if self._policies:
                held = restarting
            elif self._ends_early:
                held = restarting & (self._out.status == RUNNING)
        out = self._with_fresh_observation()
        core, left = self._batch._core, held
        reasons: dict[int, str] = {}
        try:
            played = core.play(given, left, self._learner, out)
        except IllegalActionError:
            reasons = self._why_illegal(given, actions)
            left = np.zeros(self.num_envs, np.bool_) if held is None else held.copy()
            left[list(reasons)] = True
            played = core.play(given, left, self._learner, out)
        rewards, terminations, truncations, ended, idle = played
        self._out = out
        if self._policies:
            rewards += self._owed
            self._owed[:] = 0.0
            self._let_others_play(self._every if left is None else ~left, rewards)
        if self._max_steps is not None:
            self._steps += 1
        if self.has_ended:
            if held is not None:
                idle += core.restart(held, None, out)
            if idle or self._settles:
                self._settle(restarting)
        self._ends_early = bool(reasons) or self._max_steps is not None
        if self._policies or self._ends_early:
            terminations = out.status == OVER
            truncations = out.status == CUT_OFF
            for row in reasons:
                rewards[row] = self._batch.forfeit(row, int(self._learner[row]))
                terminations[row] = True
            if self._max_steps is not None:
                truncations |= (self._steps >= self._max_steps) & ~terminations
            ended = int(np.count_nonzero(terminations | truncations))
        self._ended = terminations | truncations
        self.has_ended = ended > 0
        return Outcome(rewards, terminations, truncations, reasons)

    def observation(self) -> Any:
        """Return what the learners saw last: in each step an array of its own."""
        return self._with_mask(self._out.observation, self._out.mask)

    def restart_ended(self) -> Ended:
        """Start the next episode of the rows that just ended, and tell how they ended."""
        ended, out = self._ended, self._out
        rows = ended.nonzero()[0]
        last: list[Any] = list(out.observation.take(rows, axis=0))
        if self._obs_mode == "dict":
            last = list(map(self._with_mask, last, out.mask[rows]))
        met = self._opponents[rows].tolist() if self._is_drawn else [None] * len(last)
        told = Ended(rows, last, self._learner[rows], met)
        self._start(ended)
        self._ended = np.zeros(self.num_envs, np.bool_)
        self.has_ended = False
        return told

    def action_masks(self) -> NDArray[np.bool_]:
        """Return the legal actions of every row, as sb3-contrib asks for them."""
        return self._out.mask.astype(np.bool_)

    def action_rows(self) -> ActionRows:
        """Return the legal actions of all rows with facts about each, in one piece."""
        return self._batch.actions()

    def render(self) -> tuple[Any, ...] | None:
        """Return every row's table as its learner sees it: text ("ansi") or pixels ("rgb_array").

        "human" shows the first row's: the picture in a notebook, the text in a terminal.
        """
        rows = 1 if self.render_mode == "human" else self.num_envs
        shown = tuple(
            png.show(self.render_mode, self._batch[row], int(self._learner[row]))
            for row in range(rows)
        )
        return None if self.render_mode in (None, "human") else shown

    def _with_fresh_observation(self) -> Buffers:
        """Return the arrays to fill next: the caller's is new, those that nobody else has stay."""
        observation, mask, seat, reward, status = self._out
        return Buffers(np.empty_like(observation), mask, seat, reward, status)

    def _reset_mask(self, options: dict[str, Any] | None) -> NDArray[np.bool_]:
        mask = (options or {}).get("reset_mask")
        if mask is None:
            return np.ones(self.num_envs, np.bool_)
        if not isinstance(mask, np.ndarray) or mask.dtype != np.bool_:
            raise TypeError(f'options["reset_mask"]: must be a numpy array of bool, got {mask!r}')
        if mask.shape != (self.num_envs,) or not mask.any():
            raise ValueError(
                f'options["reset_mask"]: must have shape ({self.num_envs},) '
                f"and at least one True, got {mask!r}"
            )
        return mask

    def _new_seeds(self, seed: int | Sequence[int | None] | None) -> NDArray[np.uint64] | None:
        if seed is None:
            if self._seeded:
                return None
            return self._draw_seeds()
        if isinstance(seed, int | np.integer):
            self._np_random, self._np_random_seed = np.random.default_rng(as_seed(seed)), int(seed)
            seeds: NDArray[np.uint64] = np.arange(self.num_envs, dtype=np.uint64)
            seeds += np.uint64(seed)
            return seeds
        if len(seed) != self.num_envs:
            raise ValueError(f"seed: expected one number or {self.num_envs}, got {len(seed)}")
        drawn = self._draw_seeds()
        return np.array(
            [drawn[row] if s is None else as_seed(s) for row, s in enumerate(seed)], np.uint64
        )

    def _draw_seeds(self) -> NDArray[np.uint64]:
        seeds: NDArray[np.uint64] = self.np_random.integers(
            2**63, size=self.num_envs, dtype=np.uint64
        )
        return seeds

    def _start(self, chosen: NDArray[np.bool_], seeds: list[int] | None = None) -> None:
        """Start the next episode of rows, or the first under new seeds."""
        idle = self._batch._core.restart(chosen, seeds, self._out)
        if idle or self._settles:
            self._settle(chosen)

    def _settle(self, chosen: NDArray[np.bool_]) -> None:
        """Bring rows that have just started to the learner's first decision."""
        out = self._out
        if self._max_steps is not None:
            self._steps[chosen] = 0
        fresh = chosen
        for _ in range(TRIES):
            if self._seat == "rotate":
                self._learner = self._batch.callers().astype(np.intp)
            if self._is_drawn:
                self._meet(fresh)
            if self._policies:
                earned = np.zeros(self.num_envs)
                self._let_others_play(fresh, earned)
                self._owed[fresh] = earned[fresh]
            # A match can be over before the learner's first decision; a learner has no use for it.
            fresh = chosen & (out.status != RUNNING)
            if not np.count_nonzero(fresh):
                return
            self._batch.restart(fresh, out)
        raise RuntimeError(
            f"row {np.flatnonzero(fresh)[0]}: in {TRIES} matches the learner had nothing to decide"
        )

    def _meet(self, rows: NDArray[np.bool_]) -> None:
        """Note who plays in rows that have just started."""
        self._players = self._batch.players()
        for row in np.flatnonzero(rows):
            self._opponents[row] = tuple(self._candidates[n] for n in self._players[row])

    def _let_others_play(self, rows: NDArray[np.bool_], rewards: NDArray[np.float64]) -> None:
        """Let the functions given as opponents decide until the learner is to act in these rows.

        What the learners earn meanwhile is added to the rewards.
        """
        out = self._out
        while True:
            waiting = rows & (out.status == RUNNING) & (out.seat != self._learner)
            if not waiting.any():
                break
            self._batch.step(self._answers(waiting), out)
            rewards += out.reward[self._rows, self._learner]
        over = out.status != RUNNING
        if over.any():
            # A finished row shows the table as the learner sees it.
            for seat in np.unique(self._learner[over]):
                seen = self._batch.buffers()
                self._batch.observe(seen, int(seat))
                here = over & (self._learner == seat)
                out.observation[here] = seen.observation[here]

    def _answers(self, waiting: NDArray[np.bool_]) -> NDArray[np.int32]:
        """Return an action for every row where another seat decides, -1 for the rest."""
        out = self._out
        actions = np.full(self.num_envs, LEAVE, np.int32)
        deciding = self._players[self._rows, out.seat]
        for policy in self._policies:
            numbers = [n for n, agent in enumerate(self._candidates) if agent is policy]
            rows = waiting & np.isin(deciding, numbers) if self._is_drawn else waiting
            if rows.any():
                actions[rows] = ask(policy, out.observation[rows], out.mask[rows])
        return actions

    def _whole_numbers(self, actions: Any) -> NDArray[np.int64]:
        """Return the actions in an array of ours; what is too large becomes negative."""
        array = np.asarray(actions)
        if array.shape != (self.num_envs,) or array.dtype.kind not in "iu":
            raise ValueError(
                f"actions: expected {self.num_envs} whole numbers, "
                f"got {array.dtype} of shape {array.shape}"
            )
        return array.astype(np.int64)

    def _why_illegal(self, asked: NDArray[np.int64], given: Any) -> dict[int, str]:
        """Return the rows that play an illegal action, each with the reason."""
        no_action = self.game.actions.size
        masks = np.pad(self._out.mask, ((0, 0), (0, 1)))  # nobody may play what is no action
        ids = np.where((asked >= 0) & (asked < no_action), asked, no_action)
        illegal = ~self._ended & (masks[self._rows, ids] == 0)
        reasons = {}
        for row in np.flatnonzero(illegal).tolist():
            why = self._batch[row].why_not(int(np.asarray(given)[row]))
            assert why is not None
            if self._illegal == "raise":
                why.args = (f"row {row}: {why}",)
                raise why
            reasons[row] = str(why)
        return reasons

    def _infos(self, reasons: dict[int, str] | None = None) -> dict[str, Any]:
        infos: dict[str, Any] = {
            "action_mask": self._out.mask.copy(),
            "_action_mask": self._every.copy(),
            "seat": self._learner.copy(),
            "_seat": self._every.copy(),
        }
        if self._is_drawn:
            infos["opponents"] = self._opponents.copy()
            infos["_opponents"] = self._every.copy()
        if self._tells_facts:
            infos |= self._facts()
        if reasons:
            texts = np.full(self.num_envs, None, object)
            for row, reason in reasons.items():
                texts[row] = reason
            infos["illegal_action"] = texts
            infos["_illegal_action"] = np.array([text is not None for text in texts])
        return infos

    def _facts(self) -> dict[str, Any]:
        rows = self._batch.actions()
        cuts = rows.offsets.tolist()
        ids, facts = (np.empty(self.num_envs, object) for _ in range(2))
        for row, (start, stop) in enumerate(pairwise(cuts)):
            ids[row], facts[row] = rows.ids[start:stop], rows.facts[start:stop]
        every = self._every
        return {
            "action_ids": ids,
            "_action_ids": every.copy(),
            "action_facts": facts,
            "_action_facts": every.copy(),
        }

    def _reset_ended(self, infos: dict[str, Any]) -> dict[str, Any]:
        """Start the next episode of the rows that just ended, and hand over how they ended."""
        ended = self._ended
        final_infos = {
            key: ended & value if key.startswith("_") else value for key, value in infos.items()
        }
        told = self.restart_ended()
        final = np.full(self.num_envs, None, object)
        for row, observation in zip(told.rows.tolist(), told.observations, strict=True):
            final[row] = observation
        return {
            **self._infos(),
            "final_obs": final,
            "_final_obs": ended,
            "final_info": final_infos,
            "_final_info": ended.copy(),
        }
