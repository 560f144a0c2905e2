"""Trajectories as a Minari dataset."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import adjoin
from adjoin.simulation.offline import Trajectories, trajectories
from scaffold import BRIEF

minari = pytest.importorskip("minari")

ABOUT = {"author": "somebody", "author_email": "somebody@example.org", "code_permalink": "none"}


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path))


@pytest.mark.parametrize("game", adjoin.games())
@pytest.mark.parametrize("data_format", ["hdf5", "arrow"])
def test_a_dataset_holds_what_the_trajectories_hold(game: str, data_format: str) -> None:
    data: Trajectories = trajectories(game, 3, seed=2, **BRIEF.get(game, {}))
    name = f"adjoin/{game.replace('_', '-')}-random-v0"
    data.to_minari(name, data_format=data_format, **ABOUT)
    dataset = minari.load_dataset(name)
    parts = list(data.episodes())
    assert dataset.total_episodes == len(parts)
    assert dataset.total_steps == len(data)
    for one, episode in zip(parts, dataset.iterate_episodes(), strict=True):
        seen = episode.observations
        assert seen["observation"][:-1].tolist() == one["observation"].tolist()
        assert seen["observation"][-1:].tolist() == one["final_observation"].tolist()
        assert seen["action_mask"][:-1].tolist() == one["action_mask"].tolist()
        assert not seen["action_mask"][-1].any()
        assert np.asarray(episode.actions).tolist() == one["action"].tolist()
        assert episode.rewards.tolist() == one["reward"].tolist()
        assert episode.terminations.tolist() == one["terminated"].tolist()
        assert episode.truncations.tolist() == one["truncated"].tolist()


def test_the_environment_comes_back_with_its_options() -> None:
    data: Trajectories = trajectories("mapello", 2, ["greedy", "random"], games=2, max_decisions=40)
    dataset = data.of("greedy").to_minari("adjoin/mapello-greedy-v0", **ABOUT)
    assert dataset.total_episodes == 2
    env = dataset.recover_environment()
    assert env.unwrapped.game.options == data.spec.options
    assert env.unwrapped._batch[0].max_decisions == 40
    assert env.observation_space == dataset.observation_space
    assert env.action_space == dataset.action_space
    metadata = dataset.storage.metadata
    assert metadata["algorithm_name"] == "greedy"
    assert '"games": 2' in metadata["description"]


def test_rows_without_an_end_are_refused() -> None:
    data: Trajectories = trajectories("mapello", 1)
    with pytest.raises(ValueError, match=r"^episode 0, seat 0: the last decision is missing"):
        data._rows(np.arange(10)).to_minari("adjoin/part-v0", **ABOUT)
