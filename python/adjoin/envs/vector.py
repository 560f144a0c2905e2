"""Gymnasium vector environments: one learner in every lane, the other seats by policy."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode
from gymnasium.vector import VectorEnv as GymnasiumVectorEnv
from gymnasium.vector.utils import batch_space

from adjoin.core.batch import Batch, with_shares
from adjoin.core.buffers import CUT_OFF, OVER, RUNNING, ActionRows, Buffers
from adjoin.core.spec import Spec
from adjoin.drawing import png
from adjoin.support.arguments import as_flag, as_seed, whole

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


Policy = "Callable[[NDArray[np.uint8], NDArray[np.int8]], NDArray[np.integer[Any]]]"
"""Observations and masks of some rows in, an action for each out."""

_TRIES = 100


class VectorEnv(GymnasiumVectorEnv[Any, Any, Any]):
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
        opponents: Opponents = "random",
        seat: int | Literal["rotate"] = 0,
        reward: Reward = "points",
        illegal: Literal["terminate", "raise"] = "terminate",
        obs_mode: Literal["flat", "dict"] = "flat",
        action_facts: bool = False,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
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
        learner = 0 if seat == "rotate" else seat
        seated = [others] * seats
        seated[learner] = [(None, 1.0)]
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
        spec = self._batch.spec
        self.num_envs = len(self._batch)
        self.single_action_space = spec.action_space()
        self.single_observation_space = spec.observation_space()
        if obs_mode == "dict":
            mask = spaces.Box(0, 1, (spec.actions.size,), np.int8)
            self.single_observation_space = spaces.Dict(
                {"observation": self.single_observation_space, "action_mask": mask}
            )
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.metadata = {
            "render_modes": png.modes(),
            "render_fps": 1,
            "autoreset_mode": self.autoreset_mode,
        }
        self.render_mode = render_mode
        self._illegal = illegal
        self._obs_mode = obs_mode
        self._tells_facts = as_flag("action_facts", action_facts)
        self._max_steps = (
            None
            if max_episode_steps is None
            else whole("max_episode_steps", max_episode_steps, 1, 2**31 - 1)
        )
        self._rows = np.arange(self.num_envs)
        self._every = np.ones(self.num_envs, np.bool_)
        self._action = np.zeros(1, np.int32)
        self._serves_one = (
            self.num_envs == 1
            and not self._policies
            and self._max_steps is None
            and self.autoreset_mode is AutoresetMode.DISABLED
        )
        self._owed = np.zeros(self.num_envs, np.float32)  # earned before the first decision
        self._seeded = False
        self._steps = np.zeros(self.num_envs, np.int64)
        self._ended = np.zeros(self.num_envs, np.bool_)
        self._out = self._batch.buffers()
        self._learner = np.zeros(self.num_envs, np.intp)
        self._players = self._batch.players()
        self._opponents = np.full(self.num_envs, None, object)

    @property
    def game(self) -> Spec:
        """What stays the same about the game: action ids, observation blocks, options."""
        return self._batch.spec

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
        out = self._out.like()
        if not chosen.all():
            self._batch.observe(out)
        self._start(chosen, seeds, out)
        self._ended[chosen] = False
        self._out = out
        return self._observation(out), self._infos(out)

    def step(
        self, actions: Any
    ) -> tuple[Any, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """Play one action per row."""
        if not self._seeded:
            raise RuntimeError("call reset before step")
        asked = self._actions(actions)
        restarting = self._ended.copy()
        if self.autoreset_mode is AutoresetMode.DISABLED and restarting.any():
            row = int(np.flatnonzero(restarting)[0])
            raise RuntimeError(
                f"row {row} is over: reset it with "
                'options={"reset_mask": ...}, since autoreset_mode is Disabled'
            )
        reasons = self._why_illegal(asked, restarting, actions)
        idle = restarting.copy()
        idle[list(reasons)] = True
        out = self._out.like()
        self._batch.step(np.where(idle, np.int32(-1), asked) if idle.any() else asked, out)
        rewards = out.reward[self._rows, self._learner] + self._owed
        self._owed = np.zeros(self.num_envs, np.float32)
        self._steps += 1
        rewards = self._play_others(~idle, out, rewards)
        if restarting.any():
            self._start(restarting, None, out)
            rewards[restarting] = 0.0
        terminations = out.status == OVER
        for row in reasons:
            rewards[row] = self._batch.forfeit(row, int(self._learner[row]))
            terminations[row] = True
        truncations = out.status == CUT_OFF
        if self._max_steps is not None:
            truncations |= (self._steps >= self._max_steps) & ~terminations
        self._ended = terminations | truncations
        self._out = out
        infos = self._infos(out, reasons)
        if self.autoreset_mode is AutoresetMode.SAME_STEP and self._ended.any():
            infos = self._reset_ended(out, infos)
        return (
            self._observation(self._out),
            rewards.astype(np.float64),
            terminations,
            truncations,
            infos,
        )

    def step_one(self, action: int) -> tuple[Any, Any, Any, Any, dict[str, Any]] | None:
        """Play a legal action in the only row, where nothing else has to be looked after.

        The same as ``step``, several times as fast; None, and nothing done, where it cannot serve.
        """
        if not self._serves_one or self._ended[0]:
            return None
        mask = self._out.mask[0]
        if not (0 <= action < len(mask) and mask[action]):
            return None
        out = self._out.like()
        self._action[0] = action
        self._batch.step(self._action, out)
        self._out = out
        status = out.status[0]
        self._ended[0] = status != RUNNING
        seat = self._learner[0]
        infos: dict[str, Any] = {"action_mask": out.mask.copy(), "seat": (seat,)}
        if self._is_drawn:
            infos["opponents"] = self._opponents.copy()
        if self._tells_facts:
            infos |= self._facts()
        rewards = (out.reward[0, seat],)
        return self._observation(out), rewards, (status == OVER,), (status == CUT_OFF,), infos

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

    def _start(
        self, chosen: NDArray[np.bool_], seeds: NDArray[np.uint64] | None, out: Buffers
    ) -> None:
        """Start the chosen rows at the learner's first decision."""
        if seeds is not None:
            self._seeded = True
        self._batch.restart(chosen, out, None if seeds is None else seeds.tolist())
        self._steps[chosen] = 0
        fresh = chosen
        for _ in range(_TRIES):
            self._learner = self._learner_seats()
            if self._is_drawn:
                self._meet(fresh)
            earned = self._play_others(fresh, out, np.zeros(self.num_envs, np.float32))
            self._owed[fresh] = earned[fresh]
            # A match can be over before the learner's first decision; a learner has no use for it.
            fresh = chosen & (out.status != RUNNING)
            if not fresh.any():
                return
            self._batch.restart(fresh, out)
        raise RuntimeError(
            f"row {np.flatnonzero(fresh)[0]}: in {_TRIES} matches the learner had nothing to decide"
        )

    def _learner_seats(self) -> NDArray[np.intp]:
        """Return the learner's seat in every row."""
        if self._seat == "rotate":
            return self._batch.callers().astype(np.intp)
        return np.full(self.num_envs, self._seat, np.intp)

    def _meet(self, rows: NDArray[np.bool_]) -> None:
        """Note who plays in rows that have just started."""
        self._players = self._batch.players()
        for row in np.flatnonzero(rows):
            self._opponents[row] = tuple(self._candidates[n] for n in self._players[row])

    def _play_others(
        self, rows: NDArray[np.bool_], out: Buffers, rewards: NDArray[np.float32]
    ) -> NDArray[np.float32]:
        """Let the functions given as opponents decide until the learner is to act in these rows."""
        if not self._policies:
            return rewards
        while True:
            waiting = rows & (out.status == RUNNING) & (out.seat != self._learner)
            if not waiting.any():
                break
            self._batch.step(self._answers(waiting, out), out)
            rewards = rewards + out.reward[self._rows, self._learner]
        over = out.status != RUNNING
        if over.any():
            # A finished row shows the table as the learner sees it.
            for seat in np.unique(self._learner[over]):
                seen = self._batch.buffers()
                self._batch.observe(seen, int(seat))
                here = over & (self._learner == seat)
                out.observation[here] = seen.observation[here]
        return rewards

    def _answers(self, waiting: NDArray[np.bool_], out: Buffers) -> NDArray[np.int32]:
        """Return an action for every row where another seat decides, -1 for the rest."""
        actions = np.full(self.num_envs, -1, np.int32)
        deciding = self._players[self._rows, out.seat]
        for policy in self._policies:
            numbers = [n for n, agent in enumerate(self._candidates) if agent is policy]
            rows = waiting & np.isin(deciding, numbers) if self._is_drawn else waiting
            if rows.any():
                actions[rows] = _ask(policy, out.observation[rows], out.mask[rows])
        return actions

    def _actions(self, actions: Any) -> NDArray[np.int32]:
        array = np.asarray(actions)
        if array.shape != (self.num_envs,) or array.dtype.kind not in "iu":
            raise ValueError(
                f"actions: expected {self.num_envs} whole numbers, "
                f"got {array.dtype} of shape {array.shape}"
            )
        array = array.astype(np.int64, copy=False)
        inside = (array >= 0) & (array < self._batch.spec.actions.size)
        # Whatever is no id stays none.
        ids: NDArray[np.int32] = np.where(inside, array, -2).astype(np.int32)
        return ids

    def _why_illegal(
        self, actions: NDArray[np.int32], restarting: NDArray[np.bool_], given: Any
    ) -> dict[int, str]:
        """Return the rows that play an illegal action, each with the reason."""
        legal = (self._out.mask[self._rows, actions] == 1) & (actions >= 0)
        if legal.all():
            return {}
        reasons = {}
        for row in np.flatnonzero(~(legal | restarting)).tolist():
            why = self._batch[row].why_not(int(np.asarray(given)[row]))
            assert why is not None
            if self._illegal == "raise":
                why.args = (f"row {row}: {why}",)
                raise why
            reasons[row] = str(why)
        return reasons

    def _observation(self, out: Buffers) -> Any:
        if self._obs_mode == "flat":
            return out.observation
        return {"observation": out.observation, "action_mask": out.mask.copy()}

    def _infos(self, out: Buffers, reasons: dict[int, str] | None = None) -> dict[str, Any]:
        infos: dict[str, Any] = {
            "action_mask": out.mask.copy(),
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

    def _reset_ended(self, out: Buffers, infos: dict[str, Any]) -> dict[str, Any]:
        """Start the next episode of the rows that just ended, and hand over how they ended."""
        ended = self._ended
        last = self._observation(out)
        final = np.full(self.num_envs, None, object)
        for row in np.flatnonzero(ended):
            final[row] = (
                {key: value[row].copy() for key, value in last.items()}
                if isinstance(last, dict)
                else last[row].copy()
            )
        final_infos = {
            key: ended.copy() & value if key.startswith("_") else value
            for key, value in infos.items()
        }
        self._out = out.copy()
        self._start(ended, None, self._out)
        self._ended = np.zeros(self.num_envs, np.bool_)
        return {
            **self._infos(self._out),
            "final_obs": final,
            "_final_obs": ended,
            "final_info": final_infos,
            "_final_info": ended.copy(),
        }


def _ask(
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
