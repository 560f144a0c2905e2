"""The vector environment: every row is the single environment, in all three autoreset modes."""

from __future__ import annotations

import copy
import itertools
from collections import deque
from typing import TYPE_CHECKING, Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

import adjoin
from adjoin.envs.single import Env
from adjoin.envs.vector import VectorEnv
from scaffold import AGENTS, ONE_CARD_EACH, SEATS, THREE_IN_WALES, Variant, cases, seat_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

ROWS = 4
SEED = 11
MODES = list(AutoresetMode)
ONLY_BLACK_MOVES = ["c3", "d3", "e3", "f3", "c5", "f5", "c6", "d6"]
"""Walls between which white never has a move."""


def last_legal(_: NDArray[np.uint8], mask: NDArray[np.int8]) -> NDArray[np.intp]:
    """Play the legal action with the highest id: a function as opponent."""
    highest: NDArray[np.intp] = mask.shape[1] - 1 - mask[:, ::-1].argmax(axis=1)
    return highest


def vector_env(variant: Variant, num_envs: int = ROWS, **keywords: Any) -> VectorEnv:
    return VectorEnv(variant.game, num_envs, **keywords, **variant.options)


def random_legal(rng: np.random.Generator, masks: NDArray[np.int8]) -> NDArray[np.int64]:
    """Choose an action in every row; 0 where nothing is legal."""
    chosen = [rng.choice(np.flatnonzero(mask)) if mask.any() else 0 for mask in masks]
    return np.array(chosen, np.int64)


# The checker.


def arrays_of(value: Any) -> Iterator[NDArray[Any]]:
    """Return all arrays in what a call returned."""
    if isinstance(value, np.ndarray):
        yield value
        if value.dtype == object:
            value = list(value)
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list | tuple):
        for part in value:
            yield from arrays_of(part)


class Scribbler:
    """Overwrites what was returned, and sees whether anything else changes with it."""

    def __init__(self) -> None:
        self.spoilt: deque[tuple[NDArray[Any], bytes]] = deque(maxlen=20)

    def __call__(self, returned: Any) -> Any:
        """Return a copy of what was returned, and spoil the original."""
        for array, content in self.spoilt:
            assert array.tobytes() == content, "a call wrote into an array returned before"
        kept = copy.deepcopy(returned)
        arrays = [array for array in arrays_of(returned) if array.dtype != object]
        for a, b in itertools.combinations(arrays, 2):
            assert not np.shares_memory(a, b), "two returned arrays share memory"
        for array in arrays:
            np.invert(array, out=array) if array.dtype == bool else array.fill(99)
        self.spoilt += [(array, array.tobytes()) for array in arrays]
        return kept


def row_of(batched: Any, row: int) -> Any:
    if isinstance(batched, dict):
        return {key: value[row] for key, value in batched.items()}
    return batched[row]


def assert_same(row: Any, single: Any) -> None:
    """Compare an observation of a row with one of the single environment."""
    if isinstance(single, dict):
        assert set(row) == set(single)
        for key in single:
            assert_same(row[key], single[key])
    else:
        assert row.dtype == single.dtype
        assert np.array_equal(row, single)


def assert_same_info(infos: dict[str, Any], row: int, single: dict[str, Any]) -> None:
    present = {key for key in infos if not key.startswith("_") and infos[f"_{key}"][row]}
    assert present - {"final_obs", "final_info"} == set(single)
    assert infos["action_mask"].dtype == np.int8
    assert np.array_equal(infos["action_mask"][row], single["action_mask"])
    assert infos["seat"][row] == single["seat"]
    for key in {"action_ids", "action_facts"} & present:
        assert_same(infos[key][row], single[key])
    if "illegal_action" in single:
        assert infos["illegal_action"][row] == single["illegal_action"]


class Checked:
    """A vector environment beside single ones with the seeds of its rows."""

    def __init__(self, make: Callable[[int | None], Any]) -> None:
        self.env: VectorEnv = make(ROWS)
        self.mode = self.env.metadata["autoreset_mode"]
        self.singles: list[Env] = [make(None) for _ in range(ROWS)]
        self.keep = Scribbler()
        self.ended = np.zeros(ROWS, np.bool_)
        self.episodes = 0

    def reset(self) -> None:
        observation, self.infos = self.keep(self.env.reset(seed=SEED))
        for row, single in enumerate(self.singles):
            expected, info = single.reset(seed=SEED + row)
            assert_same(row_of(observation, row), expected)
            assert_same_info(self.infos, row, info)
        self.check_shapes(observation)

    def reset_ended(self) -> None:
        """Reset the rows that are over, as the mode without autoreset wants it."""
        options = {"reset_mask": self.ended.copy()}
        observation, self.infos = self.keep(self.env.reset(options=options))
        assert options["reset_mask"].tolist() == self.ended.tolist()
        for row in np.flatnonzero(self.ended).tolist():
            expected, info = self.singles[row].reset()
            assert_same(row_of(observation, row), expected)
            assert_same_info(self.infos, row, info)
        self.ended[:] = False
        self.check_shapes(observation)

    def step(self, actions: NDArray[np.int64]) -> None:
        observation, rewards, terminations, truncations, self.infos = self.keep(
            self.env.step(actions)
        )
        assert (rewards.dtype, rewards.shape) == (np.float64, (ROWS,))
        for ends in (terminations, truncations):
            assert (ends.dtype, ends.shape) == (np.bool_, (ROWS,))
        for row, single in enumerate(self.singles):
            if self.ended[row]:
                expected, info = single.reset()
                result: tuple[Any, ...] = (0.0, False, False)
            else:
                expected, *result, info = single.step(int(actions[row]))  # type: ignore[assignment]
            assert (rewards[row], terminations[row], truncations[row]) == tuple(result)
            over = bool(result[1] or result[2])
            self.episodes += over
            if self.mode is AutoresetMode.SAME_STEP:
                expected, info = self.check_final(row, over, expected, info)
            assert_same(row_of(observation, row), expected)
            assert_same_info(self.infos, row, info)
        if self.mode is not AutoresetMode.SAME_STEP:
            self.ended = terminations | truncations
        self.check_shapes(observation)

    def check_final(self, row: int, over: bool, expected: Any, info: Any) -> tuple[Any, Any]:
        """Compare how a row ended, and return how it begins again."""
        assert over == self.infos.get("_final_obs", np.zeros(ROWS))[row]
        assert over == self.infos.get("_final_info", np.zeros(ROWS))[row]
        if not over:
            return expected, info
        assert_same(self.infos["final_obs"][row], expected)
        assert_same_info(self.infos["final_info"], row, info)
        return self.singles[row].reset()

    def check_shapes(self, observation: Any) -> None:
        assert self.env.observation_space.contains(observation)
        masks = self.keep(self.env.action_masks())
        assert masks.dtype == np.bool_
        assert np.array_equal(masks, self.infos["action_mask"].astype(np.bool_))
        assert masks[~self.ended].any(axis=1).all(), "a row is to act and nothing is legal"


def check_vector_env(make: Callable[[int | None], Any], steps: int = 150) -> None:
    """Check a vector environment against the single one.

    ``make(n)`` gives the vector environment with n rows, ``make(None)`` the single one. Some of
    the actions are illegal. Everything returned is overwritten at once, so nothing may rest on it.
    """
    checked = Checked(make)
    env = checked.env
    assert env.single_action_space == checked.singles[0].action_space
    assert env.single_observation_space == checked.singles[0].observation_space
    assert env.action_space.shape == (ROWS,)
    checked.reset()
    rng = np.random.default_rng(SEED)
    for _ in range(steps):
        if checked.mode is AutoresetMode.DISABLED and checked.ended.any():
            with pytest.raises(
                RuntimeError, match=f"row {np.flatnonzero(checked.ended)[0]} is over"
            ):
                env.step(np.zeros(ROWS, np.int64))
            checked.reset_ended()
        actions = random_legal(rng, checked.infos["action_mask"])
        if rng.random() < 0.02:
            actions[rng.integers(ROWS)] = rng.integers(-1, env.game.actions.size + 1)
        checked.step(actions)
    assert checked.episodes >= ROWS


@cases(
    ("mode", "obs_mode", "opponents", "seat"),
    [
        (AutoresetMode.NEXT_STEP, "flat", "greedy", "first"),
        (AutoresetMode.NEXT_STEP, "dict", last_legal, "rotate"),
        (AutoresetMode.SAME_STEP, "dict", "greedy", "rotate"),
        (AutoresetMode.SAME_STEP, "flat", last_legal, "last"),
        (AutoresetMode.DISABLED, "flat", last_legal, "first"),
        (AutoresetMode.DISABLED, "dict", "greedy", "last"),
    ],
)
def test_every_row_is_the_single_environment(
    brief: Variant, mode: AutoresetMode, obs_mode: str, opponents: Any, seat: str
) -> None:
    keywords = {"opponents": opponents, "seat": seat_of(brief, seat), "obs_mode": obs_mode}

    def make(rows: int | None) -> Any:
        if rows is None:
            return Env(brief.game, **keywords, **brief.options)
        return vector_env(brief, rows, autoreset_mode=mode, **keywords)

    check_vector_env(make)


@cases("mode", MODES)
def test_every_row_is_the_single_environment_with_threads_and_a_limit(
    variant: Variant, mode: AutoresetMode
) -> None:
    keywords: dict[str, Any] = {
        "opponents": last_legal,
        "seat": "rotate",
        "max_episode_steps": 40,
        "action_facts": True,
    }

    def make(rows: int | None) -> Any:
        if rows is None:
            return Env(variant.game, **keywords, **variant.options)
        return vector_env(variant, rows, autoreset_mode=mode, threads=2, **keywords)

    check_vector_env(make, steps=100)


# Whole episodes, replayed on a batch of one lane without agents.


@cases("seat", SEATS)
def test_the_learner_sees_its_own_decisions_only_and_earns_the_result(
    brief: Variant, seat: str
) -> None:
    asked: list[bytes] = []

    def opponent(observation: NDArray[np.uint8], mask: NDArray[np.int8]) -> NDArray[np.intp]:
        asked.extend(row.tobytes() for row in observation)
        return last_legal(observation, mask)

    env = vector_env(brief, 1, opponents=opponent, seat=seat_of(brief, seat))
    rng = np.random.default_rng(1)
    for seed in range(4):
        asked.clear()
        observation, infos = env.reset(seed=seed)
        learner = int(infos["seat"][0])
        batch = brief.batch(seed=seed)
        out = batch.buffers()
        batch.observe(out)
        earned, over = 0.0, False
        while not over:
            action = random_legal(rng, infos["action_mask"])
            play_others(batch, out, learner, asked)
            assert asked == []
            assert out.observation.tobytes() == observation.tobytes()
            assert out.mask.tobytes() == infos["action_mask"].tobytes()
            batch.step(action.astype(np.int32), out)
            observation, rewards, terminations, truncations, infos = env.step(action)
            earned += float(rewards[0])
            over = bool(terminations[0] or truncations[0])
        play_others(batch, out, learner, asked)
        assert asked == []
        assert out.status[0] == adjoin.OVER
        assert earned == batch[0].returns[learner]
        batch.observe(out, learner)
        assert out.observation.tobytes() == observation.tobytes()


SEATED = [(players, seat) for players in range(2, 6) for seat in (*range(players), "rotate")]


@cases("agent", AGENTS)
@cases(("players", "seat"), SEATED)
def test_rewards_in_the_middle_of_a_match_add_up_to_the_result(
    players: int, seat: Any, agent: str
) -> None:
    variant = Variant("mapominoes", {**THREE_IN_WALES, "players": players, "rounds": players})
    env = vector_env(variant, ROWS, opponents=agent, seat=seat, illegal="raise")
    agents: list[str | None] = [agent] * players
    agents[0 if seat == "rotate" else seat] = None
    batches = [
        variant.batch(seed=SEED + row, agents=agents, rotate=seat == "rotate")
        for row in range(ROWS)
    ]
    single = Env(variant.game, opponents=agent, seat=seat, **variant.options)
    single.reset(seed=SEED)
    _, infos = env.reset(seed=SEED)
    learners = infos["seat"].copy()
    assert learners.tolist() == [int(batch.callers()[0]) for batch in batches]
    assert len(set(learners.tolist())) == (min(players, ROWS) if seat == "rotate" else 1)
    rng = np.random.default_rng(0)
    earned, early = np.zeros(ROWS), 0
    over = np.zeros(ROWS, np.bool_)
    while not over.all():
        actions = random_legal(rng, infos["action_mask"])
        _, rewards, terminations, truncations, infos = env.step(actions)
        assert not truncations.any()
        for row in np.flatnonzero(~over):
            batch, learner = batches[row], int(learners[row])
            before = batch[0].returns[learner]
            batch.step(actions[row : row + 1].astype(np.int32), batch.buffers())
            after = batch[0]
            assert rewards[row] == after.returns[learner] - before
            assert terminations[row] == after.is_over
            if row == 0:
                assert single.step(int(actions[0]))[1:3] == (rewards[0], terminations[0])
            earned[row] += rewards[row]
            early += bool(rewards[row]) and not terminations[row]
            if terminations[row]:
                assert earned[row] == after.returns[learner]
        over |= terminations
    assert early > 0


@cases("opponents", ["random", last_legal])
@cases("seat", SEATS)
def test_what_is_lost_before_the_first_decision_counts_too(opponents: Any, seat: str) -> None:
    variant = Variant("mapominoes", ONE_CARD_EACH)
    keywords = {"opponents": opponents, "seat": seat_of(variant, seat)}
    single = Env(variant.game, **keywords, **variant.options)
    env = vector_env(variant, 1, **keywords)
    for seed in range(6):
        _, info = single.reset(seed=seed)
        _, infos = env.reset(seed=seed)
        earned = np.zeros(2)
        over = False
        while not over:
            action = int(info["action_mask"].argmax())
            _, reward, over, _, info = single.step(action)
            _, rewards, *_, infos = env.step([action])
            earned += reward, rewards[0]
        result = env._batch[0].returns[int(infos["seat"][0])]
        assert earned.tolist() == [result, result]


def play_others(batch: adjoin.Batch, out: adjoin.Buffers, learner: int, asked: list[bytes]) -> None:
    """Play what the function was asked for, and check that it saw what its seat sees."""
    while out.seat[0] not in (learner, -1):
        assert asked.pop(0) == out.observation.tobytes()
        action = last_legal(out.observation, out.mask)
        batch.step(action.astype(np.int32), out)


@cases("opponents", ["random", "greedy", last_legal])
def test_a_match_that_ends_before_the_learner_decides_is_passed_over(opponents: Any) -> None:
    variant = Variant("mapello", {"setup": "fixed", "walls": ONLY_BLACK_MOVES})
    env = vector_env(variant, 6, opponents=opponents, seat="rotate", illegal="raise")
    _, infos = env.reset(seed=0)
    result = variant.match()
    result.play_random()
    winner = result.returns.index(1.0)
    for _ in range(30):
        assert infos["action_mask"].any(axis=1).all()
        actions = infos["action_mask"].argmax(axis=1)
        _, rewards, terminations, _, infos = env.step(actions)
        assert infos["seat"].tolist() == [0] * 6  # only black decides
        assert rewards[terminations].tolist() == [1.0 if winner == 0 else -1.0] * terminations.sum()
        if terminations.any():
            *_, infos = env.step(actions)


# Seeds, masks for reset, illegal actions, wrappers.


def test_a_seed_a_row_can_be_given_as_a_list(brief: Variant) -> None:
    env = vector_env(brief, seat="rotate")
    listed, _ = env.reset(seed=[9, 5, 9, 7])
    for row, seed in enumerate([9, 5, 9, 7]):
        single, _ = Env(brief.game, seat="rotate", **brief.options).reset(seed=seed)
        assert listed[row].tolist() == single.tolist()


def test_resetting_without_a_seed_goes_on_to_the_next_episode(brief: Variant) -> None:
    first, again = vector_env(brief), vector_env(brief)
    first.reset(seed=1)
    again.reset(seed=1)
    (a, _), (b, _) = first.reset(), again.reset()
    assert a.tolist() == b.tolist()


@cases("mode", MODES)
def test_a_reset_mask_touches_the_chosen_rows_only(brief: Variant, mode: AutoresetMode) -> None:
    env = vector_env(brief, autoreset_mode=mode, opponents=last_legal, seat="rotate")
    other = vector_env(brief, autoreset_mode=mode, opponents=last_legal, seat="rotate")
    rng = np.random.default_rng(0)
    observation, infos = env.reset(seed=SEED)
    other.reset(seed=SEED)
    for _ in range(3):
        actions = random_legal(rng, infos["action_mask"])
        observation, *_, infos = env.step(actions)
        other.step(actions)
    chosen = np.array([True, False, True, False])
    options: dict[str, Any] = {"reset_mask": chosen}
    after, after_infos = env.reset(options=options)
    assert options == {"reset_mask": chosen}
    assert chosen.tolist() == [True, False, True, False]
    for row in (1, 3):
        assert after[row].tolist() == observation[row].tolist()
        assert after_infos["action_mask"][row].tolist() == infos["action_mask"][row].tolist()
    for row in (0, 2):
        single = Env(brief.game, opponents=last_legal, seat="rotate", **brief.options)
        single.reset(seed=SEED + row)
        assert after[row].tolist() == single.reset()[0].tolist()
    actions = random_legal(rng, after_infos["action_mask"])
    stepped, *_ = env.step(actions)
    actions[[0, 2]] = random_legal(rng, infos["action_mask"])[[0, 2]]
    expected, *_ = other.step(actions)
    assert stepped[[1, 3]].tolist() == expected[[1, 3]].tolist()


def test_a_reset_mask_with_seeds_starts_the_chosen_rows_under_them(brief: Variant) -> None:
    env = vector_env(brief, seat="rotate")
    before, _ = env.reset(seed=SEED)
    options = {"reset_mask": np.array([False, True, False, False])}
    after, _ = env.reset(seed=50, options=options)
    single, _ = Env(brief.game, seat="rotate", **brief.options).reset(seed=51)
    assert after[1].tolist() == single.tolist()
    assert after[[0, 2, 3]].tolist() == before[[0, 2, 3]].tolist()


@cases(
    ("mask", "error"),
    [
        ([True, True, True, True], TypeError),
        (np.ones(ROWS, np.int8), TypeError),
        (np.ones(ROWS - 1, np.bool_), ValueError),
        (np.ones((ROWS, 1), np.bool_), ValueError),
        (np.zeros(ROWS, np.bool_), ValueError),
    ],
)
def test_a_reset_mask_that_does_not_fit_is_refused(mask: Any, error: type[Exception]) -> None:
    env = VectorEnv("mapello", ROWS)
    env.reset(seed=0)
    with pytest.raises(error, match="reset_mask"):
        env.reset(options={"reset_mask": mask})


def test_the_first_reset_is_of_all_rows_and_comes_before_the_first_step() -> None:
    env = VectorEnv("mapello", ROWS)
    with pytest.raises(RuntimeError, match="reset"):
        env.step(np.zeros(ROWS, np.int64))
    with pytest.raises(ValueError, match="first reset"):
        env.reset(options={"reset_mask": np.arange(ROWS) < 2})


@cases("seed", [[1, 2], [1, 2, 3, -1], -1, 2**64])
def test_seeds_that_do_not_fit_are_refused(seed: Any) -> None:
    with pytest.raises(ValueError, match="seed"):
        VectorEnv("mapello", ROWS).reset(seed=seed)


@cases("actions", [[0], [0.0] * ROWS, [[0] * ROWS], ["0"] * ROWS, 0, None, [None] * ROWS])
def test_actions_that_do_not_fit_are_refused(actions: Any) -> None:
    env = VectorEnv("mapello", ROWS)
    env.reset(seed=0)
    with pytest.raises(ValueError, match=f"actions: expected {ROWS} whole numbers"):
        env.step(actions)


def test_an_illegal_action_ends_its_row_only(brief: Variant) -> None:
    env = vector_env(brief)
    _, infos = env.reset(seed=SEED)
    actions = infos["action_mask"].argmax(axis=1)
    actions[2] = infos["action_mask"][2].argmin()
    _, rewards, terminations, truncations, infos = env.step(actions)
    assert terminations.tolist() == [False, False, True, False]
    assert rewards.tolist() == [0, 0, env.game.lowest, 0]
    assert not truncations.any()
    assert infos["_illegal_action"].tolist() == [False, False, True, False]
    assert "legal: " in infos["illegal_action"][2]


def test_an_illegal_action_in_one_row_raises_and_changes_no_row(brief: Variant) -> None:
    env, other = (vector_env(brief, illegal="raise") for _ in range(2))
    _, infos = env.reset(seed=SEED)
    other.reset(seed=SEED)
    actions = infos["action_mask"].argmax(axis=1)
    bad = actions.copy()
    bad[2] = infos["action_mask"][2].argmin()
    with pytest.raises(adjoin.IllegalActionError, match=r"^row 2: .*legal: "):
        env.step(bad)
    assert env.step(actions)[0].tolist() == other.step(actions)[0].tolist()


def play_an_episode(env: VectorEnv) -> None:
    """Play a row until its episode is over."""
    _, infos = env.reset(seed=0)
    over = False
    while not over:
        *_, terminations, truncations, infos = env.step(infos["action_mask"].argmax(axis=1))
        over = bool(terminations[0] or truncations[0])


@cases("actions", [[-1], [-2], [10**6], [0, 0], [0.5], ["x"]])
def test_a_function_that_answers_nonsense_is_refused(game: str, actions: Any) -> None:
    answers = iter([np.array(actions)] * 3)  # asked more often, it ends with StopIteration
    env = VectorEnv(game, 1, opponents=lambda *_: next(answers), seat=1)
    with pytest.raises((ValueError, TypeError)):
        play_an_episode(env)


def test_a_function_that_answers_a_legal_action_and_more_is_refused(game: str) -> None:
    env = VectorEnv(game, 1, opponents=lambda _, mask: mask.argmax(axis=1) + 2**32, seat=1)
    with pytest.raises((ValueError, TypeError)):
        play_an_episode(env)


def test_episode_statistics_of_gymnasium_work(brief: Variant) -> None:
    env = gymnasium.wrappers.vector.RecordEpisodeStatistics(vector_env(brief))
    _, infos = env.reset(seed=SEED)
    rng = np.random.default_rng(0)
    returns, lengths = np.zeros(ROWS), np.zeros(ROWS)
    before = np.zeros(ROWS, np.bool_)
    finished = 0
    for _ in range(800):
        _, rewards, terminations, _, infos = env.step(random_legal(rng, infos["action_mask"]))
        returns = np.where(before, 0, returns + rewards)
        lengths = np.where(before, 0, lengths + 1)
        for row in np.flatnonzero(terminations):
            assert infos["episode"]["r"][row] == returns[row]
            assert infos["episode"]["l"][row] == lengths[row]
            finished += 1
        before = terminations
    assert finished > ROWS


@pytest.mark.smoke
def test_statistics_survive_a_reset_of_some_rows() -> None:
    inner = VectorEnv("mapello", ROWS, autoreset_mode=AutoresetMode.DISABLED)
    env = gymnasium.wrappers.vector.RecordEpisodeStatistics(inner)
    _, infos = env.reset(seed=SEED)
    for _ in range(3):
        *_, infos = env.step(infos["action_mask"].argmax(axis=1))
    env.reset(options={"reset_mask": np.array([True, False, False, False])})
    assert env.episode_lengths.tolist() == [0, 3, 3, 3]


def test_spaces_are_stored_objects(brief: Variant) -> None:
    env = vector_env(brief)
    assert env.action_space is env.action_space
    assert env.observation_space is env.observation_space
    assert env.single_action_space is env.single_action_space
    assert env.single_observation_space is env.single_observation_space


def test_rendering_gives_a_text_a_row(brief: Variant) -> None:
    env = vector_env(brief, render_mode="ansi")
    env.reset(seed=0)
    shown = env.render()
    assert shown is not None
    assert len(shown) == ROWS
    assert all(env.game.title in text for text in shown)


POOL = {"greedy": 0.4, "random": 0.3, last_legal: 0.3}


def rows_of_an_episode(env: VectorEnv, seed: int) -> list[list[bytes]]:
    """Play the first legal action everywhere, and return what each row saw of its first episode."""
    observation, infos = env.reset(seed=seed)
    seen = [[row.tobytes()] for row in observation]
    over = np.zeros(env.num_envs, np.bool_)
    while not over.all():
        observation, _, terminations, truncations, infos = env.step(
            infos["action_mask"].argmax(axis=1)
        )
        for row in np.flatnonzero(~over):
            seen[row].append(observation[row].tobytes())
        over |= terminations | truncations
    return seen


@cases("seat", SEATS)
def test_a_row_is_the_one_against_the_opponents_that_were_drawn_for_it(
    brief: Variant, seat: str
) -> None:
    chosen = seat_of(brief, seat)
    env = vector_env(brief, 24, opponents=POOL, seat=chosen)
    _, infos = env.reset(seed=3)
    met = infos["opponents"].copy()
    assert [by_seat.index(None) for by_seat in met] == infos["seat"].tolist()
    drawn = rows_of_an_episode(env, 3)
    assert env.reset(seed=3)[1]["opponents"].tolist() == met.tolist()
    compared = set()
    for opponent in POOL:
        alone = rows_of_an_episode(vector_env(brief, 24, opponents=opponent, seat=chosen), 3)
        for row, by_seat in enumerate(met):
            if {*by_seat} == {None, opponent}:
                assert drawn[row] == alone[row]
                compared.add(opponent)
    assert compared == {*POOL}


def test_opponents_in_a_list_are_drawn_anew_for_every_episode_as_often() -> None:
    env = VectorEnv("mapello", 400, opponents=["greedy", "random"])
    _, infos = env.reset(seed=5)
    first = [by_seat[1] for by_seat in infos["opponents"]]
    again = [by_seat[1] for by_seat in env.reset()[1]["opponents"]]
    assert 160 < first.count("greedy") < 240
    assert 160 < again.count("greedy") < 240
    assert 160 < sum(a == b for a, b in zip(first, again, strict=True)) < 240
    single = Env("mapello", opponents=["greedy", "random"])
    assert [single.reset(seed=5 + row)[1]["opponents"][1] for row in range(40)] == first[:40]
    _, info = single.reset(seed=5)
    info = single.step(int(info["action_mask"].argmax()))[4]
    assert info["opponents"] == (None, first[0])


@cases("mode", MODES)
def test_a_row_that_ends_is_told_whom_it_met(mode: AutoresetMode) -> None:
    env = VectorEnv("mapello", 16, opponents=["greedy", "random"], autoreset_mode=mode)
    _, infos = env.reset(seed=8)
    met = infos["opponents"].copy()
    while True:
        _, _, terminations, _, infos = env.step(infos["action_mask"].argmax(axis=1))
        final = (
            infos["final_info"] if mode is AutoresetMode.SAME_STEP and terminations.any() else infos
        )
        if terminations.any():
            assert (final["opponents"][terminations] == met[terminations]).all()
            break


@cases(
    ("opponents", "message"),
    [
        ([], r"opponents = \[\]: must name at least one"),
        (["greedy", 7], "must be an agent's name or a function, got 7"),
        ({"greedy": 0.5, None: 0.5}, "must be an agent's name or a function, got None"),
        ({"greedy": "half"}, "the share of 'greedy' is 'half', not a number"),
        ({"greedy": -1, "random": 2}, "share = -1 of greedy: must be a number above 0"),
        (["greedy", "oracle"], 'unknown agent "oracle"'),
    ],
)
def test_opponents_that_make_no_sense_are_refused(opponents: Any, message: str) -> None:
    with pytest.raises((ValueError, TypeError), match=message):
        VectorEnv("mapello", opponents=opponents)


@cases("seat", SEATS)
def test_a_win_is_paid_at_the_end(brief: Variant, seat: str) -> None:
    """Beside the same match paid in points, for all three kinds of opponents."""
    chosen = seat_of(brief, seat)
    seats = brief.match().spec.seats
    for opponents in ("random", last_legal, ["random", last_legal]):
        keywords: dict[str, Any] = {"opponents": opponents, "seat": chosen, **brief.options}
        by_points = Env(brief.game, **keywords)
        by_win = Env(brief.game, reward="win", **keywords)
        for seed in range(4):
            _, info = by_points.reset(seed=seed)
            by_win.reset(seed=seed)
            over, paid = False, [0.0]
            while not over:
                action = int(info["action_mask"].argmax())
                _, _, over, _, info = by_points.step(action)
                assert not any(paid)
                paid.append(by_win.step(action)[1])
            returns = by_points._batch[0].returns
            winners = [seat for seat in range(seats) if returns[seat] == max(returns)]
            share = seats / len(winners) if info["seat"] in winners else 0
            assert paid[-1] == pytest.approx((share - 1) / (seats - 1))


def test_an_illegal_action_loses_the_match_where_wins_are_paid() -> None:
    env = VectorEnv("mapominoes", 2, reward="win", **THREE_IN_WALES)
    _, infos = env.reset(seed=1)
    legal = infos["action_mask"].argmax(axis=1)
    illegal = infos["action_mask"].argmin(axis=1)
    _, rewards, terminations, _, _ = env.step(np.array([legal[0], illegal[1]]))
    assert (rewards.tolist(), terminations.tolist()) == ([0.0, -0.5], [False, True])
