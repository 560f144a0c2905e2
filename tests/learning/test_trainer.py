"""The reference trainer learns, stops and goes on, and what it has learned plays."""

from __future__ import annotations

import dataclasses
import functools
import json
import os
import pickle
import signal
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from scaffold import SHORT_RUN, cases

pytest.importorskip("jax", reason="the trainer needs `pip install adjoin[train]`")

import adjoin
from adjoin.core.buffers import OVER, RUNNING
from adjoin.learning.policies import CheckpointError, Network, Policy
from adjoin.learning.trainer import Settings, Trainer, advantages_of, win_share

SHORT = Settings(**SHORT_RUN)
SMALL: dict[str, dict[str, Any]] = {
    "mapello": {},
    "mapominoes": {"nations": ["Wales"], "table": (8, 6), "players": 3},
    "metro_domino": {"players": 4},
    "domiphun": {"variant": "advanced", "players": 3},
    "connections": {"players": 5},
}


def short(seed: int = 3) -> Trainer:
    trainer = Trainer("domiphun", seed=seed, settings=SHORT)
    trainer.run(progress=False)
    return trainer


@functools.cache
def trained() -> Trainer:
    """Return a run that tests look at and do not change."""
    return short()


def test_a_learner_beats_random_agents() -> None:
    settings = Settings(
        decisions=100_000,
        opponents="random",
        n_steps=32,
        hidden=(128,),
        batch_size=512,
        learning_rate=1e-3,
        measurements=0,
    )
    trainer = Trainer("mapello", seed=1, settings=settings)
    before = win_share(trainer.policy, "random", 1000, seed=9)
    after = win_share(trainer.run(progress=False), "random", 1000, seed=9)
    assert before.value < 0.6
    assert after.low > 0.65, after


@pytest.mark.parametrize(
    ("game", "opponents"), [*((game, "self") for game in adjoin.games()), ("connections", "random")]
)
def test_every_game_is_learned_from_by_every_seat(game: str, opponents: str) -> None:
    settings = dataclasses.replace(SHORT, opponents=opponents, decisions=1000)
    trainer = Trainer(game, settings=settings, **SMALL[game])
    told = trainer.update()
    assert set(told) == {"gain", "value error", "entropy", "moved"}
    assert np.isfinite(list(told.values())).all()
    assert 0 < trainer.decisions <= 32 * 16
    points = trainer.measure()
    assert [point.against for point in points] == ["random", "greedy"]
    assert trainer.curve == points


def test_the_same_seed_learns_the_same() -> None:
    assert short().policy.digest == trained().policy.digest
    assert len({short(seed).policy.digest for seed in (3, 4, 2**32 - 1, 2**64 - 1)}) == 4


@cases("opponents", ["self", "greedy"])
@cases("stop", [1, 3])
def test_a_run_that_was_stopped_goes_on_as_if_it_had_not_been(
    tmp_path: Path, stop: int, opponents: str
) -> None:
    settings = dataclasses.replace(SHORT, opponents=opponents)
    whole = Trainer("domiphun", seed=3, settings=settings)
    whole.run(progress=False)
    first = Trainer("domiphun", seed=3, settings=settings)
    first.measure()
    for _ in range(stop):
        first.update()
        if first.decisions * 2 >= SHORT.decisions and len(first.curve) == 2:
            first.measure()
    first.save(tmp_path / "checkpoint.npz")
    second = Trainer("domiphun", seed=3, settings=settings)
    second.run(tmp_path / "checkpoint.npz", progress=False)
    assert second.decisions == whole.decisions
    assert second.policy.digest == whole.policy.digest
    assert [point._replace(seconds=0) for point in second.curve] == [
        point._replace(seconds=0) for point in whole.curve
    ]


def test_a_finished_run_is_not_run_again(tmp_path: Path) -> None:
    trainer = trained()
    path = trainer.save(tmp_path / "checkpoint.npz")
    written = path.stat().st_mtime_ns
    again = Trainer("domiphun", seed=3, settings=SHORT)
    assert again.run(path, progress=False).digest == trainer.policy.digest
    assert again.is_done
    assert path.stat().st_mtime_ns == written


STOPPED = """
import os
import sys
import time
from adjoin.learning.trainer import Settings, Trainer

path, moment = sys.argv[1:]
trainer = Trainer("domiphun", seed=3, settings=Settings(**{settings}))
replace, saves = os.replace, []

def wait(*_):
    print("now", flush=True)
    time.sleep(600)

def count(*names):
    saves.append(names)
    wait() if moment == "writing" and len(saves) == 2 else replace(*names)

def look(done, total):
    if moment == "learning" and saves and done > total / 2 + 500:
        wait()

os.replace = count
trainer.run(path, progress=look)
"""
"""A run that waits to be killed: after some learning since the last checkpoint, or within one."""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="only Unix kills so")
@pytest.mark.parametrize("moment", [pytest.param("learning", marks=pytest.mark.long), "writing"])
def test_a_run_that_was_killed_goes_on_from_its_checkpoint(tmp_path: Path, moment: str) -> None:
    path = tmp_path / "checkpoint.npz"
    script = STOPPED.replace("{settings}", repr(dataclasses.asdict(SHORT)))
    with subprocess.Popen(
        [sys.executable, "-c", script, str(path), moment], stdout=subprocess.PIPE, text=True
    ) as run:
        assert run.stdout is not None
        assert run.stdout.readline() == "now\n"
        run.kill()
    assert run.returncode == -signal.SIGKILL
    again = Trainer("domiphun", seed=3, settings=SHORT)
    again.load(path)
    assert 0 < again.decisions < SHORT.decisions
    again.run(path, progress=False)
    assert again.policy.digest == trained().policy.digest
    assert [point._replace(seconds=0) for point in again.curve] == [
        point._replace(seconds=0) for point in trained().curve
    ]
    assert os.listdir(tmp_path) == ["checkpoint.npz"]


def test_progress_counts_decisions() -> None:
    heard: list[tuple[int, int]] = []
    Trainer("domiphun", settings=SHORT).run(progress=lambda *told: heard.append(told))
    assert heard[0] == (0, SHORT.decisions)
    assert heard[-1] == (SHORT.decisions, SHORT.decisions)
    assert heard == sorted(heard)


def test_a_curve_is_drawn() -> None:
    chart = trained().plot()
    assert "Domiphun: share of wins" in chart.svg
    assert "against greedy" in chart.svg


@pytest.mark.smoke
def test_advantages_of_seats_that_take_turns() -> None:
    """Two seats in turn, the second wins; by hand."""
    batch = adjoin.Batch("mapello")
    rows = batch.buffers(5)
    rows.status[:, 0] = [RUNNING, RUNNING, RUNNING, OVER, RUNNING]
    rows.seat[:, 0] = [0, 1, 0, -1, 1]
    rows.reward[:] = 0
    rows.reward[3, 0] = [-1, 1]
    values = np.array([[0.5], [0.25], [-0.5], [9], [9]], np.float32)[:4]
    advantages, counts = advantages_of(rows, values, reward_scale=1.0, gamma=1.0, gae_lambda=0.5)
    last = -1 - -0.5
    first = (-0.5 - 0.5) + 0.5 * last
    assert advantages[:, 0].tolist() == pytest.approx([first, 1 - 0.25, last, 0])
    assert counts[:, 0].tolist() == [True, True, True, False]


def test_a_decision_whose_outcome_is_not_known_does_not_count() -> None:
    batch = adjoin.Batch("mapello")
    rows = batch.buffers(4)
    rows.status[:] = RUNNING
    rows.reward[:] = 0
    rows.seat[:, 0] = [0, 1, 0, 1]
    values = np.array([[0.5], [0.25], [-0.5]], np.float32)
    advantages, counts = advantages_of(rows, values, reward_scale=1.0, gamma=0.5, gae_lambda=1.0)
    assert counts[:, 0].tolist() == [True, False, False]
    assert advantages[0, 0] == pytest.approx(0.5 * -0.5 - 0.5)


# What was learned.


def test_an_update_in_which_no_decision_counts_learns_nothing() -> None:
    trainer = Trainer("domiphun", settings=Settings(decisions=3, num_lanes=1, n_steps=1))
    before = trainer.policy.digest
    assert trainer.update() == {}
    assert trainer.policy.digest == before
    assert trainer.decisions == 0
    while not trainer.is_done:
        told = trainer.update()
    assert "entropy" in told
    assert trainer.policy.digest != before


def test_a_policy_is_an_agent(tmp_path: Path) -> None:
    policy = trained().policy
    table = adjoin.simulate("domiphun", 50, [policy, "random"], seed=5)
    assert set(table.agents) == {"learned", "random"}
    assert table == adjoin.simulate(
        "domiphun", 50, [pickle.loads(pickle.dumps(policy)), "random"], seed=5
    )
    match = adjoin.Match("domiphun", seed=2)
    assert match.choose(policy) in match.legal()


def test_a_policy_that_was_saved_plays_the_same(tmp_path: Path) -> None:
    trainer = trained()
    policy = trainer.policy
    for path in (policy.save(tmp_path / "mine.npz"), trainer.save(tmp_path / "whole.npz")):
        again = Policy.load(path)
        assert again.digest == policy.digest
        assert again.__name__ == path.stem
        assert adjoin.simulate("domiphun", 20, [again, "greedy"], seed=1).to_numpy()[
            "winner"
        ].tolist() == (
            adjoin.simulate("domiphun", 20, [policy, "greedy"], seed=1)
            .to_numpy()["winner"]
            .tolist()
        )
    assert not list(tmp_path.glob("*.part"))


def test_what_a_policy_thinks() -> None:
    policy = trained().policy
    batch = adjoin.Batch("domiphun", num_lanes=8)
    out = batch.buffers()
    batch.reset(1, out)
    shares = policy.probabilities(out.observation, out.mask)
    assert shares.sum(axis=1) == pytest.approx(np.ones(8), abs=1e-5)
    assert (shares[out.mask == 0] == 0).all()
    assert (shares.argmax(axis=1) == policy(out.observation, out.mask)).all()
    assert policy.values(out.observation).shape == (8,)
    assert repr(policy).startswith("<Policy for Domiphun: ")


def test_a_policy_of_another_game_is_named() -> None:
    policy = trained().policy
    with pytest.raises(
        adjoin.SimulationError, match=r"sees 42 numbers .*, not 306: it was learned"
    ):
        adjoin.simulate("mapello", 2, [policy, "random"])


# What is wrong.


def with_arrays(path: Path, **changes: Any) -> Path:
    """Change some arrays of a file, or leave out those that are None."""
    with np.load(path) as file:
        arrays = {name: file[name] for name in file.files} | changes
    np.savez(path, **{name: array for name, array in arrays.items() if array is not None})
    return path


def altered(path: Path, **changes: Any) -> Path:
    """Change what a file says it is about."""
    with np.load(path) as file:
        about = json.loads(str(file["about"]))
    return with_arrays(path, about=np.array(json.dumps({**about, **changes})))


def test_another_version_is_refused(tmp_path: Path) -> None:
    trainer = trained()
    path = altered(trainer.save(tmp_path / "checkpoint.npz"), version=7)
    message = r"learned for version 7 of domiphun; this is version 0"
    with pytest.raises(CheckpointError, match=message):
        trainer.load(path)
    with pytest.raises(CheckpointError, match=message):
        Trainer("domiphun", seed=3, settings=SHORT).run(path, progress=False)
    with pytest.raises(CheckpointError, match=message):
        Policy.load(path)


def test_other_observations_are_refused(tmp_path: Path) -> None:
    path = altered(trained().policy.save(tmp_path / "policy.npz"), observation=40)
    with pytest.raises(CheckpointError, match=r"40 numbers of observation; .* domiphun has 42"):
        Policy.load(path)


@cases(
    ("trainer", "message"),
    [
        (lambda: Trainer("domiphun", seed=4, settings=SHORT), r"seed = 3, this run has 4"),
        (
            lambda: Trainer(
                "domiphun", seed=3, settings=dataclasses.replace(SHORT, clip_range=0.1)
            ),
            r"clip_range = 0.2, this run has 0.1",
        ),
        (lambda: Trainer("mapello", seed=3, settings=SHORT), r"game = 'domiphun'"),
        (lambda: Trainer("domiphun", seed=3, settings=SHORT, players=3), r"options = \{\}"),
    ],
)
def test_a_checkpoint_of_another_run_is_refused(tmp_path: Path, trainer: Any, message: str) -> None:
    path = trained().save(tmp_path / "checkpoint.npz")
    other = trainer()
    before = other.policy.digest
    with pytest.raises(CheckpointError, match=message):
        other.load(path)
    assert other.policy.digest == before


@cases("content", [b"", b"PK", b"not a checkpoint", None])
def test_other_files_are_refused(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "checkpoint.npz"
    if content is None:
        np.savez(path, weights=np.zeros(3))
    else:
        path.write_bytes(content)
    with pytest.raises(CheckpointError, match=r'expected "adjoin policy 1" or "adjoin checkpoint'):
        Policy.load(path)


def test_a_damaged_checkpoint_is_refused(tmp_path: Path) -> None:
    path = trained().save(tmp_path / "checkpoint.npz")
    path.write_bytes(path.read_bytes()[:-2000])
    with pytest.raises(CheckpointError, match=r"damaged, or another file"):
        Policy.load(path)


@cases(
    ("changes", "message"),
    [
        ({"hidden0.weight": None}, r"action\.weight cannot be read \(expected 42 × 128 float32"),
        ({"action.bias": None}, r"action\.bias is missing"),
        ({"hidden0.weight": np.zeros((41, 16), "f4")}, r"expected 42 × any float32, got 41 × 16"),
        ({"hidden0.weight": np.zeros((42, 16))}, r"hidden0\.weight .* got 42 × 16 float64"),
        ({"hidden0.bias": np.zeros(17, "f4")}, r"hidden0\.bias .*expected 16 float32, got 17"),
        ({"value.bias": np.array([np.nan], "f4")}, r"value\.bias has numbers that are not finite"),
        ({"value.bias": np.array([None])}, r"value\.bias .*expected 1 float32, got 1 object"),
    ],
)
def test_wrong_arrays_are_named_when_a_policy_is_read(
    tmp_path: Path, changes: dict[str, Any], message: str
) -> None:
    for path in (trained().policy.save(tmp_path / "p.npz"), trained().save(tmp_path / "c.npz")):
        with pytest.raises(CheckpointError, match=rf"{path.name}: damaged: .*{message}"):
            Policy.load(with_arrays(path, **changes))


@cases(
    ("changes", "message"),
    [
        ({"optimiser.1": None}, r"optimiser\.1 is missing"),
        ({"optimiser.2": np.zeros(3, "f4")}, r"optimiser\.2 .*got 3 float32"),
        ({"hidden0.weight": np.full((42, 16), np.inf, "f4")}, r"hidden0\.weight has numbers that"),
        ({"lanes": np.zeros(5, "u1")}, r"32 lanes of \d+ bytes, got 5"),
        ({"lanes": np.zeros(5, "f4")}, r"lanes .*expected any uint8, got 5 float32"),
    ],
)
def test_wrong_arrays_are_named_when_a_run_goes_on(
    tmp_path: Path, changes: dict[str, Any], message: str
) -> None:
    path = with_arrays(trained().save(tmp_path / "checkpoint.npz"), **changes)
    assert_refused_without_change(path, message)


@cases(
    ("changes", "message"),
    [
        ({"decisions": "many"}, r"decisions = 'many': must be a whole number"),
        ({"updates": -1}, r"updates = -1: must be 0 to"),
        ({"lanes": [1]}, r"1 lanes of 1 bytes"),
        ({"curve": [[1, 2]]}, r"not enough values"),
        ({"curve": None}, r"NoneType"),
        ({"settings": 3}, r"its settings are missing"),
        ({"game": "chess"}, r"unknown game .chess."),
        ({"options": {"players": 99}}, r"players"),
    ],
)
def test_a_wrong_account_of_a_run_is_refused(
    tmp_path: Path, changes: dict[str, Any], message: str
) -> None:
    path = altered(trained().save(tmp_path / "checkpoint.npz"), **changes)
    assert_refused_without_change(path, message)


def assert_refused_without_change(path: Path, message: str) -> None:
    trainer = Trainer("domiphun", seed=3, settings=SHORT)
    before = trainer.policy.digest, [match.save() for match in trainer.batch]
    with pytest.raises(CheckpointError, match=rf"{path.name}: .*({message})"):
        trainer.load(path)
    assert (trainer.policy.digest, [match.save() for match in trainer.batch]) == before


def test_a_file_that_would_grow_when_it_is_unpacked_is_refused(tmp_path: Path) -> None:
    path = trained().policy.save(tmp_path / "policy.npz")
    with zipfile.ZipFile(path) as file:
        members = {name: file.read(name) for name in file.namelist()}
    members["hidden0.weight.npy"] = bytes(10**8)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in members.items():
            stored = zipfile.ZIP_STORED if name == "about.npy" else None
            file.writestr(name, content, stored)
    assert path.stat().st_size < 10**6
    with pytest.raises(CheckpointError, match=r"hidden0\.weight .*it is compressed, as no file"):
        Policy.load(path)


def test_members_that_are_not_known_are_not_unpacked(tmp_path: Path) -> None:
    path = trained().policy.save(tmp_path / "policy.npz")
    with zipfile.ZipFile(path, "a", zipfile.ZIP_DEFLATED) as file:
        file.writestr("more.npy", b"no array at all")
        file.writestr("../outside.npy", b"elsewhere")
    assert Policy.load(path).digest == trained().policy.digest


@pytest.mark.skipif(not hasattr(os, "fork"), reason="limits of file size are Unix")
def test_a_full_disk_leaves_the_last_checkpoint_and_nothing_beside_it(tmp_path: Path) -> None:
    path = trained().policy.save(tmp_path / "policy.npz")
    script = (
        "import resource, signal, sys; from adjoin.learning.policies import Policy; "
        "resource.setrlimit(resource.RLIMIT_FSIZE, (3000, 3000)); "
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN); "
        "Policy.load(sys.argv[1]).save(sys.argv[1])"
    )
    done = subprocess.run([sys.executable, "-c", script, str(path)], capture_output=True, text=True)
    assert "File too large" in done.stderr
    assert os.listdir(tmp_path) == ["policy.npz"]
    assert Policy.load(path).digest == trained().policy.digest


def test_a_policy_is_no_checkpoint(tmp_path: Path) -> None:
    trainer = trained()
    path = trainer.policy.save(tmp_path / "policy.npz")
    with pytest.raises(CheckpointError, match=r'is "adjoin policy 1", expected "adjoin checkp'):
        trainer.load(path)


@cases(
    ("settings", "message"),
    [
        ({"num_lanes": 0}, r"num_lanes = 0: must be 1 to"),
        ({"decisions": 1e6}, r"decisions = 1000000.0: must be a whole number"),
        ({"hidden": 64}, r"hidden = 64: must be a sequence"),
        ({"hidden": (64, 0)}, r"hidden = 0: must be 1 to"),
        ({"gae_lambda": 1.5}, r"gae_lambda = 1.5: must be 0 to 1"),
        ({"learning_rate": "fast"}, r"learning_rate = 'fast': must be 0 to 1"),
        ({"against": "random"}, r"against = 'random': must be a sequence"),
    ],
)
def test_settings_that_cannot_be_are_refused(settings: dict[str, Any], message: str) -> None:
    with pytest.raises((ValueError, TypeError), match=message):
        Settings(**settings)


def test_opponents_that_do_not_exist_are_named() -> None:
    with pytest.raises(ValueError, match=r'unknown agent "gredy": did you mean "greedy"'):
        Trainer("domiphun", settings=dataclasses.replace(SHORT, opponents="gredy"))
    with pytest.raises(ValueError, match=r'unknown agent "gredy": did you mean "greedy"'):
        Trainer("domiphun", settings=dataclasses.replace(SHORT, against=("gredy",)))


def test_the_network_of_arrays_is_the_network() -> None:
    network = trained().policy.network
    again = Network.of(network.arrays())
    x = np.ones((3, 42), np.float32)
    assert (network(x, 1)[0] == again(x, 1)[0]).all()
