"""Libraries that read PettingZoo environments read ours, masks included."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np
import pytest

import adjoin
from adjoin.envs.vector import VectorEnv
from scaffold import BRIEF

pytestmark = pytest.mark.filterwarnings("ignore")  # theirs


@pytest.fixture(params=adjoin.games())
def env(request: pytest.FixtureRequest) -> Any:
    module = importlib.import_module(f"adjoin.{request.param}_v0")
    return module.env(**BRIEF.get(request.param, {}))


def test_torchrl_plays_by_the_masks(env: Any) -> None:
    torchrl = pytest.importorskip("torchrl.envs.libs.pettingzoo", exc_type=ImportError)
    wrapped = torchrl.PettingZooWrapper(
        env, use_mask=True, group_map={"seats": env.possible_agents}, done_on_any=False
    )
    wrapped.set_seed(3)
    rollout = wrapped.rollout(40)
    assert len(rollout) >= 1
    taken, masks = rollout["seats", "action"], rollout["seats", "action_mask"]
    acting = rollout["seats", "mask"]
    assert (acting.sum(dim=-1) <= 1).all()
    legal = (
        (taken & masks).any(dim=-1)
        if taken.shape == masks.shape
        else masks.gather(-1, taken[..., None])[..., 0]
    )
    assert legal[acting].all()


def test_tianshou_finds_masks_and_agents(env: Any) -> None:
    tianshou = pytest.importorskip("tianshou.env.pettingzoo_env", exc_type=ImportError)
    wrapped = tianshou.PettingZooEnv(env)
    rng = np.random.default_rng(0)
    seen, _ = wrapped.reset(seed=5)
    total = np.zeros(len(wrapped.agents))
    over = False
    while not over:
        mask = np.asarray(seen["mask"], np.bool_)
        assert mask.any()
        seen, rewards, terminated, truncated, _ = wrapped.step(
            int(rng.choice(np.flatnonzero(mask)))
        )
        total += rewards
        over = terminated or truncated
    assert terminated
    assert total.tolist() == pytest.approx(env.unwrapped._batch[0].returns)


def test_agilerl_plays_whole_games_by_the_masks(env: Any) -> None:
    algorithms = pytest.importorskip("agilerl.algorithms", exc_type=ImportError)
    agent = env.possible_agents[0]
    dqn = algorithms.DQN(env.observation_space(agent)["observation"], env.action_space(agent))
    env.reset(seed=7)
    for _ in env.agent_iter():
        seen, _, terminated, truncated, info = env.last()
        action = None
        if not (terminated or truncated):
            rows, masks = seen["observation"][None], info["action_mask"][None]
            action = int(dqn.get_action(rows, epsilon=0.5, action_mask=masks)[0])
        env.step(action)
    assert terminated
    assert not env.agents


def test_agilerl_finds_the_masks_in_the_infos_of_many_rows(env: Any) -> None:
    algorithms = pytest.importorskip("agilerl.algorithms", exc_type=ImportError)
    spec = env.unwrapped._batch.spec
    rows = VectorEnv(spec.name, 4, illegal="raise", **BRIEF.get(spec.name, {}))
    dqn = algorithms.DQN(rows.single_observation_space, rows.single_action_space)
    assert spec.lowest <= dqn.test(rows) <= spec.highest
