"""PufferLib steps our environments into its own buffers, in one process and in several."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

from adjoin.envs.vector import VectorEnv
from scaffold import Variant

_here = Path.cwd()
os.chdir(tempfile.mkdtemp())  # it lays a link into the folder where it is imported
try:
    vector: Any = pytest.importorskip("pufferlib.vector")
finally:
    os.chdir(_here)
Env: Any = pytest.importorskip("adjoin.envs.puffer").Env

KEYWORDS: dict[str, Any] = {"opponents": ["greedy", "random"], "reward": "win", "seat": "rotate"}


def first_legal(env: Any, observations: Any) -> Any:
    driver = env.driver_env
    return driver.split(observations)[1].argmax(axis=-1).astype(np.int32)


def test_a_row_is_that_of_the_vector_environment_with_the_mask_behind_it(brief: Variant) -> None:
    env = vector.make(Env, env_args=[brief.game, 6], env_kwargs={**KEYWORDS, **brief.options})
    usual = VectorEnv(
        brief.game, 6, autoreset_mode=AutoresetMode.SAME_STEP, **KEYWORDS, **brief.options
    )
    seen, infos = env.reset(seed=3)
    expected, told = usual.reset(seed=3)
    lengths = []
    for _ in range(120):
        assert env.observation_space.contains(seen)
        row, mask = env.split(seen)
        assert row.tolist() == expected.tolist()
        assert mask.tolist() == told["action_mask"].tolist()
        actions = first_legal(env, seen)
        seen, rewards, terminals, truncations, infos = env.step(actions)
        assert seen is env.observations
        expected, paid, ended, cut_off, told = usual.step(actions)
        assert rewards.tolist() == paid.astype(np.float32).tolist()
        assert (terminals.tolist(), truncations.tolist()) == (ended.tolist(), cut_off.tolist())
        assert [info["n"] for info in infos] == ([int(ended.sum())] if ended.any() else [])
        lengths += [info["episode_length"] for info in infos]
    assert lengths


def test_it_writes_into_the_buffers_that_it_is_given() -> None:
    plain = Env("mapello", 4)
    buf = {
        name: np.zeros_like(getattr(plain, name))
        for name in ("observations", "rewards", "terminals", "truncations", "masks", "actions")
    }
    env = Env("mapello", 4, buf=buf, seed=9)
    env.reset()
    assert buf["observations"].tolist() == plain.reset(seed=9)[0].tolist()
    for _ in range(40):
        env.step(first_legal(env, env.observations))
    assert env.observations is buf["observations"]
    assert buf["observations"].any()


def test_an_illegal_action_ends_its_episode_and_is_counted() -> None:
    env = Env("mapello", 4, setup="othello", reward="win")
    observations, _ = env.reset()
    actions = first_legal(env, observations)
    actions[2] = 0
    _, rewards, terminals, _, infos = env.step(actions)
    assert terminals.tolist() == [False, False, True, False]
    assert rewards.tolist() == [0, 0, -1, 0]
    assert infos == [{"episode_return": -1.0, "episode_length": 1.0, "n": 1, "illegal_action": 1.0}]


@pytest.mark.parametrize("backend", ["Serial", "Multiprocessing"])
def test_its_vector_environments_step_several(backend: str) -> None:
    several = vector.make(
        Env,
        env_args=["mapello", 8],
        env_kwargs=KEYWORDS,
        backend=getattr(vector, backend),
        num_envs=2,
        **({"num_workers": 2, "overwork": True} if backend == "Multiprocessing" else {}),
    )
    observations, _ = several.reset(seed=5)
    told = []
    for _ in range(60):
        actions = first_legal(several, observations)
        observations, rewards, _, _, infos = several.step(actions)
        assert observations.shape[0] == rewards.shape[0] == 16
        told += infos
    assert sum(info["n"] for info in told) > 16
    assert all(info["illegal_action"] == 0 for info in told)
    several.close()


@pytest.mark.parametrize("name", ["obs_mode", "autoreset_mode"])
def test_what_it_has_one_of_is_refused(name: str) -> None:
    with pytest.raises(TypeError, match=f"{name}: PufferLib knows one"):
        Env("mapello", 2, **{name: "dict"})
