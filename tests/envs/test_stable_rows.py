"""What Stable-Baselines3 is handed: the rows of the vector environment, and how they ended."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

from adjoin.envs.stable_rows import StableRows
from adjoin.envs.vector import VectorEnv
from scaffold import Variant, cases

if TYPE_CHECKING:
    from numpy.typing import NDArray

ROWS = 5


def first_legal(_: NDArray[np.uint8], mask: NDArray[np.int8]) -> NDArray[np.intp]:
    """Play the legal action with the lowest id: a function as opponent."""
    lowest: NDArray[np.intp] = mask.argmax(axis=1)
    return lowest


def vector_env(variant: Variant, **keywords: Any) -> VectorEnv:
    mode = AutoresetMode.SAME_STEP
    return VectorEnv(variant.game, ROWS, autoreset_mode=mode, **keywords, **variant.options)


def assert_same(one: Any, other: Any) -> None:
    if isinstance(one, dict):
        assert set(one) == set(other)
        for key, value in one.items():
            assert_same(value, other[key])
    else:
        assert one.tolist() == other.tolist()


@cases(
    "keywords",
    [
        {"opponents": "greedy", "seat": "rotate", "obs_mode": "dict"},
        {"opponents": ["random", first_legal], "max_episode_steps": 12},
    ],
)
def test_the_rows_are_those_of_the_vector_environment(
    brief: Variant, keywords: dict[str, Any]
) -> None:
    env, other = vector_env(brief, **keywords), vector_env(brief, **keywords)
    rows, rng = StableRows(env), np.random.default_rng(3)
    seeds = list(range(20, 20 + ROWS))
    seen, starts = rows.reset(seeds)
    expected, found = other.reset(seed=seeds)
    assert_same(seen, expected)
    assert [info["seat"] for info in starts] == found["seat"].tolist()
    earned, lengths, ends = np.zeros(ROWS), np.zeros(ROWS, np.int64), 0
    for _ in range(200):
        masks = env.action_masks()
        assert masks.tolist() == found["action_mask"].astype(np.bool_).tolist()
        actions = np.where(masks, rng.random(masks.shape), -1).argmax(axis=1)
        if rng.random() < 0.05:
            actions[rng.integers(ROWS)] = rng.integers(-1, masks.shape[1] + 1)
        seen, rewards, dones, infos = rows.step(actions)
        expected, paid, terminations, truncations, found = other.step(actions)
        assert_same(seen, expected)
        assert rewards.dtype == np.float32
        assert rewards.tolist() == paid.astype(np.float32).tolist()
        assert dones.tolist() == (terminations | truncations).tolist()
        earned += paid
        lengths += 1
        for row, info in enumerate(infos):
            if not dones[row]:
                assert info == {}
                continue
            final = found["final_info"]
            assert_same(info["terminal_observation"], found["final_obs"][row])
            assert info["TimeLimit.truncated"] is bool(truncations[row])
            assert info["seat"] == final["seat"][row]
            assert (info["episode"]["r"], info["episode"]["l"]) == (earned[row], lengths[row])
            assert info.get("opponents") == final.get("opponents", [None] * ROWS)[row]
            assert info.get("illegal_action") == final.get("illegal_action", [None] * ROWS)[row]
            earned[row], lengths[row] = 0.0, 0
            ends += 1
    assert ends >= ROWS


@pytest.mark.smoke
def test_what_is_written_into_an_info_stays_there() -> None:
    env = VectorEnv("mapello", ROWS, autoreset_mode=AutoresetMode.SAME_STEP)
    rows = StableRows(env)
    rows.reset(range(ROWS))

    def step() -> list[dict[str, Any]]:
        return rows.step(env.action_masks().argmax(axis=1))[3]

    first = step()
    assert len({id(info) for info in first}) == ROWS
    first[2]["mine"] = 1
    first[3] = {"another": 2}
    second = step()
    assert second == [{}] * ROWS
    assert first == [{}, {}, {"mine": 1}, {"another": 2}, {}]
    second[2]["mine"] = 2
    assert first[2] == {"mine": 1}
