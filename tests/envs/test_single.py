"""The single Gymnasium environment: Gymnasium's own checker, masks, illegal actions, limits."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING, Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import adjoin
from adjoin.envs.single import Env
from adjoin.envs.vector import VectorEnv
from scaffold import A_SHORT_SEARCH, Variant, cases, seat_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray


def first_legal(_: NDArray[np.uint8], mask: NDArray[np.int8]) -> NDArray[np.intp]:
    """Play the legal action with the lowest id: a function as opponent."""
    lowest: NDArray[np.intp] = mask.argmax(axis=1)
    return lowest


def name_of(game: str) -> str:
    return adjoin.Batch(game).spec.environment


def make(variant: Variant, **keywords: Any) -> gymnasium.Env[Any, Any]:
    return gymnasium.make(name_of(variant.game), **keywords, **variant.options)


def random_legal(rng: np.random.Generator, mask: NDArray[np.int8]) -> int:
    return int(rng.choice(np.flatnonzero(mask)))


def illegal_in(mask: NDArray[np.int8]) -> int:
    return int(np.flatnonzero(mask == 0)[0])


@pytest.mark.smoke
def test_the_checker_of_gymnasium_passes(
    variant: Variant, capsys: pytest.CaptureFixture[str]
) -> None:
    check_env(make(variant, obs_mode="dict", seat="rotate").unwrapped)


@cases(
    ("opponents", "obs_mode", "seat"),
    [
        ("random", "flat", "first"),
        ("greedy", "dict", "last"),
        (A_SHORT_SEARCH, "flat", "rotate"),
        (first_legal, "dict", "first"),
    ],
)
def test_the_checker_of_gymnasium_passes_with_every_opponent_and_seat(
    brief: Variant,
    opponents: Any,
    obs_mode: str,
    seat: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    keywords = {"opponents": opponents, "obs_mode": obs_mode, "seat": seat_of(brief, seat)}
    check_env(make(brief, **keywords).unwrapped)


def test_make_and_make_vec_give_our_classes(brief: Variant) -> None:
    assert type(make(brief).unwrapped) is Env
    vector = gymnasium.make_vec(name_of(brief.game), num_envs=3, **brief.options)
    assert type(vector) is VectorEnv
    assert vector.num_envs == 3
    assert vector.game.options == make(brief).unwrapped.game.options  # type: ignore[attr-defined]


def test_gymnasium_can_vectorise_the_single_environment_too(game: str) -> None:
    ours = gymnasium.make_vec(name_of(game), num_envs=3)
    theirs = gymnasium.make_vec(name_of(game), num_envs=3, vectorization_mode="sync")
    (a, _), (b, _) = ours.reset(seed=5), theirs.reset(seed=5)
    assert a.tolist() == b.tolist()


def test_the_mask_is_int8_in_info_and_bool_as_a_method(brief: Variant) -> None:
    env = make(brief, obs_mode="dict")
    observation, info = env.reset(seed=1)
    masks = env.unwrapped.action_masks()  # type: ignore[attr-defined]
    assert info["action_mask"].dtype == observation["action_mask"].dtype == np.int8
    assert masks.dtype == np.bool_
    assert masks.tolist() == info["action_mask"].tolist() == observation["action_mask"].tolist()
    assert env.get_wrapper_attr("action_masks")().tolist() == masks.tolist()


def test_facts_of_the_legal_actions_are_in_info_if_asked_for(brief: Variant) -> None:
    env = make(brief, action_facts=True)
    _, info = env.reset(seed=1)
    width, over = brief.batch().spec.facts.size, False
    while not over:
        assert info["action_ids"].tolist() == np.flatnonzero(info["action_mask"]).tolist()
        assert info["action_facts"].shape == (len(info["action_ids"]), width)
        _, _, terminated, truncated, info = env.step(info["action_ids"][0])
        over = terminated or truncated
    assert info["action_facts"].shape == (0, width)


def test_the_action_space_samples_with_the_mask(variant: Variant) -> None:
    env = make(variant)
    _, info = env.reset(seed=1)
    env.action_space.seed(0)
    earned, over = 0.0, False
    while not over:
        action = env.action_space.sample(mask=info["action_mask"])
        _, reward, terminated, truncated, info = env.step(action)
        assert "illegal_action" not in info
        earned += float(reward)
        over = terminated or truncated
    assert terminated
    spec = variant.batch().spec
    assert spec.lowest <= earned <= spec.highest


def test_spaces_are_stored_objects(brief: Variant) -> None:
    env = make(brief).unwrapped
    assert env.observation_space is env.observation_space
    assert env.action_space is env.action_space


def play_episode(
    env: gymnasium.Env[Any, Any], rng: np.random.Generator, seed: int | None
) -> list[Any]:
    observation, info = env.reset(seed=seed)
    seen: list[Any] = [(observation.tobytes(), info["action_mask"].tobytes(), info["seat"])]
    over = False
    while not over:
        action = random_legal(rng, info["action_mask"])
        observation, reward, terminated, truncated, info = env.step(action)
        seen.append((observation.tobytes(), reward, info["action_mask"].tobytes(), info["seat"]))
        over = terminated or truncated
    return seen


def test_a_seed_repeats_its_episodes_one_after_another(brief: Variant) -> None:
    first, second = make(brief, seat="rotate"), make(brief, seat="rotate")
    play_episode(second, np.random.default_rng(0), 99)  # a past that must not matter
    for seed in (7, None, None):
        rngs = np.random.default_rng(3), np.random.default_rng(3)
        assert play_episode(first, rngs[0], seed) == play_episode(second, rngs[1], seed)


def test_the_next_episode_differs_from_the_first(brief: Variant) -> None:
    env = make(brief)
    first, second = (play_episode(env, np.random.default_rng(3), seed) for seed in (7, None))
    assert first != second


def test_environments_without_a_seed_differ(brief: Variant) -> None:
    episodes = [play_episode(make(brief), np.random.default_rng(3), None) for _ in range(3)]
    assert any(episode != episodes[0] for episode in episodes[1:])


@cases("action", ["masked", -1, "size", 2**31, 2**40, -(2**40)])
def test_an_illegal_action_ends_the_episode_with_the_lowest_result_and_the_reason(
    brief: Variant, action: Any
) -> None:
    env = make(brief, disable_env_checker=True)
    before, info = env.reset(seed=1)
    action = {"masked": illegal_in(info["action_mask"]), "size": len(info["action_mask"])}.get(
        action, action
    )
    observation, reward, terminated, truncated, info = env.step(action)
    assert reward == brief.batch().spec.lowest
    assert terminated is True
    assert truncated is False
    assert observation.tolist() == before.tolist()
    assert "legal: " in info["illegal_action"]
    assert 0 <= action < len(info["action_mask"]) or f"{action}: ids" in info["illegal_action"]
    observation, info = env.reset()
    assert info["action_mask"].any()
    assert "illegal_action" not in info


@cases("action", ["masked", -1, "size", 2**40])
def test_an_illegal_action_raises_if_asked_to_and_changes_nothing(
    brief: Variant, action: Any
) -> None:
    env, other = (make(brief, illegal="raise", disable_env_checker=True) for _ in range(2))
    _, info = env.reset(seed=1)
    other.reset(seed=1)
    rng = np.random.default_rng(2)
    for _ in range(4):
        mask = info["action_mask"]
        bad = {"masked": illegal_in(mask), "size": len(mask)}.get(action, action)
        with pytest.raises(adjoin.IllegalActionError, match="legal: "):
            env.step(bad)
        assert env.unwrapped.action_masks().tolist() == mask.astype(bool).tolist()  # type: ignore[attr-defined]
        legal = random_legal(rng, mask)
        observation, *result, info = env.step(legal)
        expected, *others, _ = other.step(legal)
        assert observation.tolist() == expected.tolist()
        assert result == others


@cases("spoil", [float, str, lambda n: n + 0.5, lambda _: None, lambda n: [n], lambda n: [n, n]])
def test_something_other_than_a_whole_number_is_refused(spoil: Callable[[int], Any]) -> None:
    env = gymnasium.make(name_of("mapello"), disable_env_checker=True)
    _, info = env.reset(seed=1)
    legal = int(info["action_mask"].argmax())
    with pytest.raises((TypeError, ValueError)):
        env.step(spoil(legal))
    _, _, terminated, truncated, _ = env.step(legal)
    assert not terminated
    assert not truncated


def test_an_action_may_be_any_kind_of_whole_number(brief: Variant) -> None:
    most: dict[Any, int] = {np.int8: 2**7, np.uint8: 2**8, np.int16: 2**15}
    for kind in (int, np.int8, np.uint8, np.int16, np.int32, np.int64, np.uint64, np.array):
        env = make(brief, disable_env_checker=True, illegal="raise")
        _, info = env.reset(seed=1)
        action = int(info["action_mask"].argmax())
        if action < most.get(kind, 2**31):
            env.step(kind(action))


def steps_to_the_end(env: gymnasium.Env[Any, Any]) -> tuple[int, bool, bool]:
    """Play legal actions; return the number of steps, and how the episode ended."""
    rng = np.random.default_rng(0)
    _, info = env.reset(seed=1)
    steps = 0
    while True:
        _, _, terminated, truncated, info = env.step(random_legal(rng, info["action_mask"]))
        steps += 1
        if terminated or truncated:
            return steps, terminated, truncated


def test_a_time_limit_truncates(brief: Variant) -> None:
    limited = make(brief, max_episode_steps=3)
    assert steps_to_the_end(limited) == (3, False, True)
    wrapped = gymnasium.wrappers.TimeLimit(make(brief), 3)
    assert steps_to_the_end(wrapped) == (3, False, True)
    vector = gymnasium.make_vec(
        name_of(brief.game), num_envs=2, max_episode_steps=3, **brief.options
    )
    _, infos = vector.reset(seed=1)
    for step in range(1, 4):
        actions = infos["action_mask"].argmax(axis=1)
        _, _, terminations, truncations, infos = vector.step(actions)
        assert not terminations.any()
        assert truncations.tolist() == [step == 3] * 2


def test_the_limit_on_decisions_truncates(brief: Variant) -> None:
    _, terminated, truncated = steps_to_the_end(make(brief, max_decisions=8))
    assert (terminated, truncated) == (False, True)


@cases("mode", ["ansi", "human"])
def test_rendering_shows_the_table_as_the_learner_sees_it(
    brief: Variant, mode: str, capsys: pytest.CaptureFixture[str]
) -> None:
    env = make(brief, render_mode=mode, opponents=first_legal, seat=seat_of(brief, "last"))
    _, info = env.reset(seed=1)
    capsys.readouterr()
    shown = env.render()
    printed = capsys.readouterr().out
    match = brief.match(seed=1)
    while match.to_act != info["seat"]:
        match.play(match.legal_ids()[0])
    text = match.text(info["seat"])
    assert shown == (text if mode == "ansi" else None)
    assert printed == ("" if mode == "ansi" else text + "\n")


@cases(
    ("keywords", "message"),
    [
        ({"seat": 9}, "seat = 9: must be 0 to"),
        ({"seat": "north"}, "seat = 'north'"),
        ({"illegal": "ignore"}, "illegal = 'ignore': must be one of 'terminate', 'raise'"),
        ({"obs_mode": "image"}, "obs_mode = 'image': must be one of 'flat', 'dict'"),
        ({"action_facts": 1}, "action_facts = 1: must be True or False"),
        ({"render_mode": "rgb"}, "render_mode = 'rgb': must be one of None, 'ansi'"),
        ({"opponents": "oracle"}, 'unknown agent "oracle"'),
        ({"opponents": 7}, "opponents = 7: must be an agent's name or a function"),
        ({"reward": "lead"}, 'needs illegal="raise"'),
        ({"reward": "money"}, 'reward = "money": must be "win", "points" or "lead"'),
        ({"reward": 1}, "reward = 1: must be 'win' or 'points'"),
        ({"max_episode_steps": 0}, "max_episode_steps = 0: must be 1 to"),
        ({"max_decisions": 0}, "max_decisions = 0: must be 1 to"),
        ({"gmaes": 2}, "unknown option `gmaes`"),
        ({"num_envs": 0}, "= 0: must be 1 to"),
        ({"autoreset_mode": "Later"}, "Later"),
    ],
)
def test_a_wrong_keyword_is_refused(keywords: dict[str, Any], message: str) -> None:
    with pytest.raises((ValueError, TypeError), match=message):
        VectorEnv("mapello", **keywords)


@cases("keyword", ["seed", "num_lanes", "agents", "rotate"])
def test_a_keyword_of_batches_is_no_option_of_an_environment(keyword: str) -> None:
    every: dict[str, Any] = {"seed": 5, "num_lanes": 3, "rotate": True, "agents": [None, None]}
    for environment in (VectorEnv, Env):
        with pytest.raises((ValueError, TypeError), match=keyword):
            environment("mapello", **{keyword: every[keyword]})


WITHOUT_PETTINGZOO = """
import sys

class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] == "pettingzoo":
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Blocked())
import gymnasium
import adjoin
for game in adjoin.games():
    gymnasium.make(adjoin.Batch(game).spec.environment).reset(seed=0)
    adjoin.Match(game).play_random()
print("fine without")
import adjoin.envs.aec
"""


def test_the_package_works_without_pettingzoo_and_the_aec_module_names_the_extra() -> None:
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_PETTINGZOO], capture_output=True, text=True, timeout=120
    )
    assert done.stdout == "fine without\n"
    assert done.returncode == 1
    assert done.stderr.strip().split("\n")[-1].startswith("ImportError: ")
    assert "adjoin[pettingzoo]" in done.stderr
