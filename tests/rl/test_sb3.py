"""Stable-Baselines3 on our VecEnv: the rows are right, and MaskablePPO learns."""

from __future__ import annotations

import copy
import pickle
import time
import warnings
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pytest

pytest.importorskip("sb3_contrib", exc_type=ImportError)

import torch
from gymnasium.spaces import Discrete
from rl.page import run
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.evaluation import evaluate_policy
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from stable_baselines3.common.monitor import Monitor
from stable_baselines3.common.vec_env import VecMonitor, VecNormalize

import adjoin
from adjoin.envs.sb3 import Actions, Scaled, VecEnv
from adjoin.envs.single import Env
from scaffold import BRIEF

torch.set_num_threads(1)  # the networks are small


@pytest.fixture(params=adjoin.games())
def game(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def legal(env: VecEnv, rng: np.random.Generator) -> np.ndarray[Any, Any]:
    masks = env.action_masks()
    chosen: np.ndarray[Any, Any] = np.where(masks, rng.random(masks.shape), -1).argmax(axis=1)
    return chosen


@pytest.mark.parametrize("seat", [0, 1, "rotate"])
@pytest.mark.parametrize("obs_mode", ["flat", "dict"])
def test_a_row_is_the_single_environment_with_its_seed(game: str, seat: Any, obs_mode: str) -> None:
    keywords = {"seat": seat, "obs_mode": obs_mode, "opponents": "greedy", **BRIEF.get(game, {})}
    rows, rng = 3, np.random.default_rng(0)
    env = VecEnv(game, rows, **keywords)
    env.seed(7)
    seen = env.reset()
    singles = [Env(game, **keywords) for _ in range(rows)]
    expected = [single.reset(seed=7 + row)[0] for row, single in enumerate(singles)]
    finished = [0] * rows
    earned, length = [0.0] * rows, [0] * rows
    for _ in range(400):
        actions = legal(env, rng)
        seen, rewards, dones, infos = env.step(actions)
        assert (rewards.dtype, dones.dtype) == (np.float32, np.bool_)
        for row, single in enumerate(singles):
            expected[row], reward, terminated, truncated, _ = single.step(int(actions[row]))
            earned[row] += reward
            length[row] += 1
            assert rewards[row] == pytest.approx(reward)
            assert dones[row] == (terminated or truncated)
            if dones[row]:
                same(infos[row]["terminal_observation"], expected[row])
                assert infos[row]["TimeLimit.truncated"] == (truncated and not terminated)
                assert infos[row]["episode"]["r"] == pytest.approx(earned[row])
                assert infos[row]["episode"]["l"] == length[row]
                expected[row], info = single.reset()
                earned[row], length[row] = 0.0, 0
                finished[row] += 1
                assert info["seat"] == single._learner
            else:
                assert infos[row] == {}
            shown = {key: value[row] for key, value in seen.items()} if obs_mode == "dict" else None
            same(seen[row] if shown is None else shown, expected[row])
            assert env.action_masks()[row].tolist() == single.action_masks().tolist()
        if min(finished) >= 2:
            break
    assert min(finished) >= 1


def same(one: Any, other: Any) -> None:
    if isinstance(one, dict):
        assert {key: value.tolist() for key, value in one.items()} == {
            key: value.tolist() for key, value in other.items()
        }
    else:
        assert one.tolist() == other.tolist()


def test_seeds_repeat_and_without_one_the_episodes_go_on() -> None:
    env = VecEnv("domiphun", 4)
    assert env.seed(3) == [3, 4, 5, 6]
    first = env.reset()
    second = env.reset()
    assert not np.array_equal(first, second)
    env.seed(3)
    assert np.array_equal(env.reset(), first)
    assert np.array_equal(env.reset(), second)
    assert not np.array_equal(VecEnv("domiphun", 4).reset(), VecEnv("domiphun", 4).reset())


@pytest.mark.parametrize("limit", [{"max_episode_steps": 6}, {"max_decisions": 6}], ids=str)
def test_a_match_that_is_cut_off_is_truncated(limit: dict[str, Any]) -> None:
    env = VecEnv("mapello", 2, **limit)
    env.seed(1)
    env.reset()
    rng = np.random.default_rng(0)
    dones = np.zeros(2, np.bool_)
    infos: list[dict[str, Any]] = []
    steps = 0
    while not dones.any():
        _, _, dones, infos = env.step(legal(env, rng))
        steps += 1
    assert steps <= 6
    ended = [info for info in infos if info]
    assert ended
    assert all(info["TimeLimit.truncated"] for info in ended)


def test_what_is_returned_is_not_written_to_again() -> None:
    env = VecEnv("domiphun", 8)
    env.seed(1)
    rng = np.random.default_rng(0)
    kept = [env.reset(), env.action_masks()]
    for _ in range(30):
        before = [array.copy() for array in kept]
        observation, rewards, dones, infos = env.step(legal(env, rng))
        finals = [info["terminal_observation"] for info in infos if info]
        for array, earlier in zip(kept, before, strict=True):
            assert np.array_equal(array, earlier)
        kept += [observation, rewards, dones, env.action_masks(), *finals]


def test_masks_are_found_and_come_as_one_array() -> None:
    env = VecEnv("mapello", 5)
    env.seed(2)
    env.reset()
    assert is_masking_supported(env)
    masks = get_action_masks(env)
    assert masks.dtype == np.bool_
    assert masks.shape == (5, 65)
    assert masks.any(axis=1).all()
    assert np.array_equal(env.env_method("action_masks"), masks)
    assert np.array_equal(env.env_method("action_masks", indices=[3, 1]), masks[[3, 1]])
    assert np.array_equal(env.env_method("action_masks", indices=2), masks[[2]])


def test_the_rows_share_their_attributes() -> None:
    env = VecEnv("mapello", 3, render_mode="ansi")
    assert env.get_attr("render_mode") == ["ansi"] * 3
    assert env.get_attr("num_envs", indices=1) == [3]
    assert env.has_attr("action_masks")
    assert not env.has_attr("nothing")
    env.set_attr("note", "mine")
    assert env.get_attr("note", indices=[0, 2]) == ["mine", "mine"]
    with pytest.raises(ValueError, match="note: the rows share it, so it is set for all of them"):
        env.set_attr("note", "yours", indices=[0])
    assert env.env_is_wrapped(Monitor) == [True] * 3
    assert env.env_is_wrapped(VecMonitor) == [False] * 3
    env.reset()
    assert len(env.env_method("render")) == 3
    assert len(env.env_method("render", indices=1)) == 1
    assert env.game.name == "mapello"
    env.close()


def test_pictures() -> None:
    pytest.importorskip("resvg_py")
    env = VecEnv("mapello", 2, render_mode="rgb_array")
    env.reset()
    image = env.render()
    assert image is not None
    assert image.dtype == np.uint8
    assert image.ndim == 3


def test_wrong_input_is_explained() -> None:
    with pytest.raises(TypeError, match="autoreset_mode: Stable-Baselines3 knows one"):
        VecEnv("mapello", 2, autoreset_mode="NextStep")  # type: ignore[call-arg]
    with pytest.raises(ValueError, match=r"players = 9"):
        VecEnv("domiphun", 2, players=9)
    env = VecEnv("mapello", 2, illegal="raise", setup="othello")
    env.seed(1)
    env.reset()
    with pytest.raises(RuntimeError, match="call step_async before step_wait"):
        env.step_wait()
    with pytest.raises(ValueError, match="actions: expected 2 whole numbers"):
        env.step(np.zeros(3, np.int64))
    with pytest.raises(adjoin.IllegalActionError, match=r"^row 0: a1: "):
        env.step(np.zeros(2, np.int64))


def test_an_illegal_action_ends_its_row_with_the_reason() -> None:
    env = VecEnv("mapello", 2, setup="othello")
    env.seed(1)
    env.reset()
    actions = env.action_masks().argmax(axis=1)
    actions[1] = 0
    _, rewards, dones, infos = env.step(actions)
    assert dones.tolist() == [False, True]
    assert rewards[1] == -1
    assert "illegal_action" not in infos[0]
    assert infos[1]["illegal_action"].startswith("a1: ")


def test_wrappers_keep_the_masks() -> None:
    with pytest.warns(UserWarning, match="already wrapped with a `Monitor`"):
        monitored = VecMonitor(VecEnv("domiphun", 4, illegal="raise"))
    env = VecNormalize(monitored, norm_obs=True)
    model = MaskablePPO("MlpPolicy", env, n_steps=16, batch_size=32, n_epochs=1, device="cpu")
    model.learn(64)
    assert model.num_timesteps == 64


def test_every_game_trains_and_evaluates(game: str) -> None:
    env = VecEnv(game, 8, illegal="raise", **BRIEF.get(game, {}))
    model = MaskablePPO("MlpPolicy", env, n_steps=16, batch_size=64, n_epochs=1, device="cpu")
    model.learn(256)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        rewards, lengths = evaluate_policy(
            model, env, n_eval_episodes=8, return_episode_rewards=True
        )
    assert isinstance(rewards, list)
    assert isinstance(lengths, list)
    assert len(rewards) == len(lengths) == 8
    assert all(env.game.lowest <= reward <= env.game.highest for reward in rewards)


def test_scaled_observations_are_from_0_to_1(game: str) -> None:
    env = VecEnv(game, 4)
    scaled = Scaled(env.observation_space)
    rows = torch.as_tensor(env.reset())
    seen = scaled(rows.float())
    assert seen.shape == rows.shape == (4, scaled.features_dim)
    assert 0 < seen.max() <= 1
    assert seen.min() == 0
    assert torch.equal(
        scaled(torch.as_tensor(env.observation_space.high)[None]),
        torch.ones(1, scaled.features_dim),
    )


def test_a_model_may_play_the_other_seat() -> None:
    env = VecEnv("domiphun", 8, illegal="raise")
    model = MaskablePPO("MlpPolicy", env, n_steps=16, batch_size=64, n_epochs=1, device="cpu")

    def earlier(observation: Any, mask: Any) -> Any:
        return model.predict(observation, action_masks=mask)[0]

    model.set_env(VecEnv("domiphun", 8, opponents=earlier, seat="rotate", illegal="raise"))
    model.learn(128)
    assert model.num_timesteps == 128


def test_a_model_of_another_environment_is_refused(tmp_path: Path) -> None:
    model = MaskablePPO("MlpPolicy", VecEnv("domiphun", 2), device="cpu")
    model.save(tmp_path / "model")
    again = MaskablePPO.load(tmp_path / "model", env=VecEnv("domiphun", 2), device="cpu")
    assert again.num_timesteps == 0
    with pytest.raises(ValueError, match="Observation spaces do not match"):
        MaskablePPO.load(tmp_path / "model", env=VecEnv("domiphun", 2, players=4), device="cpu")


@pytest.mark.parametrize("obs_mode", ["flat", "dict"])
@pytest.mark.parametrize("normalised", [False, True])
def test_a_model_of_another_version_is_refused(
    tmp_path: Path, obs_mode: Literal["flat", "dict"], normalised: bool
) -> None:
    def made() -> Any:
        env = VecEnv("mapello", 2, obs_mode=obs_mode)
        return VecNormalize(env, norm_obs_keys=keys) if normalised else env

    keys = ["observation"] if obs_mode == "dict" else None
    policy = "MlpPolicy" if obs_mode == "flat" else "MultiInputPolicy"
    model = MaskablePPO(policy, made(), device="cpu")
    model.save(tmp_path / "model")
    MaskablePPO.load(tmp_path / "model", env=made(), device="cpu")
    actions = copy.deepcopy(model.action_space)
    assert isinstance(actions, Actions)
    actions.environment = "adjoin/Mapello-v99"
    model.action_space = actions
    model.save(tmp_path / "later")
    why = (
        r"Action spaces do not match: "
        r"Discrete\(65\) of adjoin/Mapello-v99 != Discrete\(65\) of adjoin/Mapello-v0"
    )
    with pytest.raises(ValueError, match=why):
        MaskablePPO.load(tmp_path / "later", env=made(), device="cpu")
    alone = MaskablePPO.load(tmp_path / "later", device="cpu")
    with pytest.raises(ValueError, match=why):
        alone.set_env(made())


def test_a_model_goes_on_with_other_options(tmp_path: Path) -> None:
    env = VecEnv("mapello", 2, setup="othello", illegal="raise")
    MaskablePPO("MlpPolicy", env, device="cpu").save(tmp_path / "model")
    env = VecEnv("mapello", 2, walls=8, illegal="raise")
    again = MaskablePPO.load(tmp_path / "model", env=env, device="cpu", n_steps=16, batch_size=32)
    again.learn(32)
    assert again.num_timesteps == 32


def test_action_ids_are_the_same_in_the_same_version_only() -> None:
    ids = Actions(VecEnv("mapello").game)
    assert repr(ids) == "Discrete(65) of adjoin/Mapello-v0"
    assert ids == Actions(VecEnv("mapello", walls=2).game) == pickle.loads(pickle.dumps(ids))
    assert ids == Discrete(65)
    assert Discrete(65) == ids
    assert ids != Discrete(64)
    assert Discrete(64) != ids
    other = copy.deepcopy(ids)
    other.environment = "adjoin/Reversi-v0"
    assert ids != other
    assert ids != "Discrete(65) of adjoin/Mapello-v0"
    assert 64 in ids
    assert 65 not in ids


class Timed(VecEnv):
    """Raises on an illegal action, and sums up the time spent in our code."""

    def __init__(self, *arguments: Any, **keywords: Any) -> None:
        super().__init__(*arguments, **keywords | {"illegal": "raise"})
        self.seconds = self.began = self.ended = 0.0

    @property
    def training(self) -> float:
        """How many seconds went by from the first reset to the last step."""
        return self.ended - self.began

    def reset(self) -> Any:
        self.began = self.began or time.perf_counter()
        return super().reset()

    def step_wait(self) -> Any:
        start = time.perf_counter()
        answer = super().step_wait()
        self.ended = time.perf_counter()
        self.seconds += self.ended - start
        return answer

    def env_method(self, *arguments: Any, **keywords: Any) -> Any:
        start = time.perf_counter()
        answer = super().env_method(*arguments, **keywords)
        self.seconds += time.perf_counter() - start
        return answer


def test_maskable_ppo_learns_mapello_as_the_page_says(
    record_testsuite_property: Any,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("adjoin.envs.sb3.VecEnv", Timed)
    names = run("Stable-Baselines3")
    env, model, table = names["env"], names["model"], names["table"]
    played = table.by_seat()
    won = float(played["won"][played["agent"] == "learned"].mean())
    figures = {
        "win_share": won,
        "steps": model.num_timesteps,
        "steps_per_second": model.num_timesteps / env.training,
        "share_in_adjoin": env.seconds / env.training,
    }
    with capsys.disabled():
        print(
            f"\nMaskablePPO on Mapello: {won:.3f} of {len(table):,} matches won against random, "
            f"{figures['steps']:,} steps in {env.training:.0f} s, "
            f"{figures['steps_per_second']:,.0f} a second, "
            f"{figures['share_in_adjoin']:.1%} of the time in adjoin"
        )
    for name, value in figures.items():
        record_testsuite_property(name, value)
    assert len(table) >= 2000
    assert won >= 0.85
    assert figures["share_in_adjoin"] < 0.1
