"""RLlib trains on our environments, with its own action-masking module."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import gymnasium
import numpy as np
import pytest

pytest.importorskip("ray.rllib", exc_type=ImportError)

import ray
from gymnasium.utils.env_checker import check_env
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module.multi_rl_module import MultiRLModuleSpec
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule

import adjoin
from adjoin.envs.rllib import Env, MultiAgentEnv
from scaffold import BRIEF, THREE_IN_WALES

pytestmark = [
    pytest.mark.filterwarnings("ignore"),  # RLlib's own
]


@pytest.fixture(scope="module")
def cluster() -> Iterator[None]:
    ray.init("local", num_cpus=2, include_dashboard=False, log_to_driver=False)
    yield
    ray.shutdown()


@pytest.fixture(params=adjoin.games())
def config(request: pytest.FixtureRequest) -> dict[str, Any]:
    return {"game": request.param, **BRIEF.get(request.param, {})}


def legal(observation: dict[str, Any], rng: np.random.Generator) -> int:
    return int(rng.choice(np.flatnonzero(observation["action_mask"])))


def test_an_environment_is_the_usual_one_under_other_names(config: dict[str, Any]) -> None:
    keywords = {**config, "illegal": "raise"}
    env = Env(keywords)
    usual = adjoin.envs.single.Env(**keywords)
    seen, _ = env.reset(seed=3)
    row, info = usual.reset(seed=3)
    rng = np.random.default_rng(0)
    over = False
    while not over:
        assert env.observation_space.contains(seen)
        assert seen["observations"].tolist() == row.tolist()
        assert seen["action_mask"].tolist() == info["action_mask"].tolist()
        action = legal(seen, rng)
        seen, *rest, _ = env.step(action)
        row, *expected, info = usual.step(action)
        assert rest == expected
        over = bool(rest[1] or rest[2])


def test_the_checker_of_gymnasium_is_content(config: dict[str, Any]) -> None:
    check_env(Env(config), skip_render_check=True)


def test_every_seat_an_agent(config: dict[str, Any]) -> None:
    env = MultiAgentEnv(config)
    rng = np.random.default_rng(1)
    for seed in (5, None):
        seen, _ = env.reset(seed=seed)
        total = dict.fromkeys(env.possible_agents, 0.0)
        over = False
        while not over:
            (agent,) = seen
            assert env.observation_spaces[agent].contains(seen[agent])
            seen, rewards, terminated, truncated, _ = env.step({agent: legal(seen[agent], rng)})
            for name, reward in rewards.items():
                total[name] += reward
            over = terminated["__all__"] or truncated["__all__"]
        assert terminated["__all__"]
        assert list(total.values()) == pytest.approx(env._batch[0].returns)
        for name, last in seen.items():
            assert env.observation_spaces[name].contains(last)
            assert not last["action_mask"].any()


def test_wrong_input_is_explained() -> None:
    with pytest.raises(ValueError, match=r'config: name the game, as in {"game": "mapello"}'):
        Env({})
    with pytest.raises(TypeError, match="obs_mode: RLlib's masks come in the observation"):
        Env({"game": "mapello", "obs_mode": "flat"})
    with pytest.raises(ValueError, match="illegal = 'no': must be one of 'terminate', 'raise'"):
        MultiAgentEnv({"game": "mapello", "illegal": "no"})
    env = MultiAgentEnv({"game": "mapello", "setup": "othello", "illegal": "raise"})
    env.reset(seed=1)
    with pytest.raises(ValueError, match=r"^player_0 is to act, got actions of player_1$"):
        env.step({"player_1": 3})
    with pytest.raises(adjoin.IllegalActionError, match=r"^player_0: a1: ") as caught:
        env.step({"player_0": 0})
    assert caught.value.clause == "MAPE-6"


@pytest.mark.parametrize("kind", [Env, MultiAgentEnv])
def test_another_version_is_refused(kind: Any) -> None:
    assert kind({"game": "mapello", "version": 0}).game.version == 0
    with pytest.raises(ValueError, match=r"^version = 1: mapello is at version 0 here, where"):
        kind({"game": "mapello", "version": 1})


def test_an_illegal_action_ends_the_match_with_the_reason() -> None:
    env = MultiAgentEnv({"game": "mapello", "setup": "othello"})
    env.reset(seed=1)
    seen, rewards, terminated, truncated, infos = env.step({"player_0": 0})
    assert rewards == {"player_0": -1.0, "player_1": 0.0}
    assert (terminated, truncated) == ({"__all__": True}, {"__all__": False})
    assert infos["player_0"]["illegal_action"].startswith("a1: ")
    assert list(seen) == ["player_0"]
    assert not seen["player_0"]["action_mask"].any()
    with pytest.raises(ValueError, match=r"^nobody is to act, got actions of player_0"):
        env.step({"player_0": 0})
    seen, _ = env.reset()
    assert seen["player_0"]["action_mask"].any()


def test_a_win_is_paid_at_the_end() -> None:
    config: dict[str, Any] = {"game": "mapominoes", "reward": "win", **THREE_IN_WALES}
    env = MultiAgentEnv(config)
    seen, _ = env.reset(seed=2)
    rng = np.random.default_rng(0)
    over, rewards = False, {"player_0": 0.0}
    while not over:
        assert not any(rewards.values())
        [(agent, observation)] = seen.items()
        seen, rewards, terminated, _, _ = env.step({agent: legal(observation, rng)})
        over = terminated["__all__"]
    assert min(rewards.values()) == -0.5
    assert sum(rewards.values()) == 0


def ppo(env: type[gymnasium.Env[Any, Any]] | type[MultiAgentEnv], **config: Any) -> PPOConfig:
    return (
        PPOConfig()
        .environment(env, env_config=config)
        .env_runners(num_env_runners=0, num_envs_per_env_runner=1)
        .training(train_batch_size_per_learner=600, minibatch_size=200, num_epochs=2)
        .debugging(seed=0)
    )


@pytest.mark.usefixtures("cluster")
def test_its_ppo_trains_one_learner_and_never_plays_an_illegal_action() -> None:
    config = ppo(Env, game="mapello", illegal="raise").rl_module(
        rl_module_spec=RLModuleSpec(module_class=ActionMaskingTorchRLModule)
    )
    algorithm = config.build_algo()
    results = [algorithm.train()["env_runners"] for _ in range(2)]
    algorithm.stop()
    assert results[-1]["num_env_steps_sampled_lifetime"] >= 1200
    assert -1 <= results[-1]["episode_return_mean"] <= 1


@pytest.mark.usefixtures("cluster")
def test_its_ppo_trains_all_seats_with_one_policy() -> None:
    config = (
        ppo(MultiAgentEnv, game="domiphun")
        .multi_agent(policies={"shared"}, policy_mapping_fn=lambda *_, **__: "shared")
        .rl_module(
            rl_module_spec=MultiRLModuleSpec(
                rl_module_specs={"shared": RLModuleSpec(module_class=ActionMaskingTorchRLModule)}
            )
        )
    )
    algorithm = config.build_algo()
    results = [algorithm.train()["env_runners"] for _ in range(2)]
    algorithm.stop()
    assert results[-1]["num_env_steps_sampled_lifetime"] >= 1200
    assert results[-1]["module_episode_returns_mean"]["shared"] is not None
