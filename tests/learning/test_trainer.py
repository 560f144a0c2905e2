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

from scaffold import SHORT_RUN, SHORT_STAGE, cases

pytest.importorskip("jax", reason="the trainer needs `pip install adjoin[train]`")

import adjoin
from adjoin.core.buffers import OVER, RUNNING
from adjoin.learning import ragged, tensors
from adjoin.learning.checkpoints import CheckpointError
from adjoin.learning.exams import win_share
from adjoin.learning.policies import Policy
from adjoin.learning.rollouts import returns, turned
from adjoin.learning.settings import Expert, Imitation, Ppo, Settings
from adjoin.learning.trainer import Trainer

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


def test_imitation_and_practice_both_beat_random_agents() -> None:
    copy = Imitation(decisions=40_000, n_steps=16, n_epochs=4)
    practice = Ppo(decisions=150_000, opponents={"random": 1}, learning_rate=2e-3)
    for stage in (copy, practice):
        trainer = Trainer("domiphun", seed=1, settings=Settings(stages=[stage], measurements=0))
        before = win_share(trainer.policy, "random", 1000, seed=9)
        after = win_share(trainer.run(progress=False), "random", 1000, seed=9)
        assert after.low > before.high, (stage.method, before, after)


@pytest.mark.parametrize(
    ("game", "opponents"),
    [*((game, "self") for game in adjoin.games()), ("connections", "random"), ("domiphun", "past")],
)
def test_every_game_is_learned_from_by_every_seat(game: str, opponents: str) -> None:
    settings = SHORT.with_opponents({opponents: 1})
    settings = dataclasses.replace(settings, stages=settings.stages[1:])
    trainer = Trainer(game, settings=settings, **SMALL[game])
    told = trainer.update()
    assert set(told) == {"gain", "value error", "entropy", "moved"}
    assert np.isfinite(list(told.values())).all()
    shares = {"self": 1.0, "random": 1.0, "past": 1 / trainer.spec.seats}
    assert trainer.decisions == pytest.approx(32 * 16 * shares[opponents], rel=0.3)
    points = trainer.measure()
    assert [point.against for point in points] == ["random", "greedy"]
    assert trainer.curve == points


def test_the_same_seed_learns_the_same() -> None:
    assert short().policy.digest == trained().policy.digest
    assert len({short(seed).policy.digest for seed in (3, 4, 2**32 - 1, 2**64 - 1)}) == 4


@cases("stop", [1, 3, 5])
def test_a_run_that_was_stopped_goes_on_as_if_it_had_not_been(tmp_path: Path, stop: int) -> None:
    """It is stopped while it imitates, between the stages, and while it plays itself and others."""
    first = Trainer("domiphun", seed=3, settings=SHORT)
    first.measure()
    for _ in range(stop):
        first.update()
        if first.decisions * 2 >= SHORT.decisions and len(first.curve) == 2:
            first.measure()
    first.save(tmp_path / "checkpoint.npz")
    second = Trainer("domiphun", seed=3, settings=SHORT)
    second.run(tmp_path / "checkpoint.npz", progress=False)
    assert second.decisions == trained().decisions
    assert second.policy.digest == trained().policy.digest
    assert [point._replace(seconds=0) for point in second.curve] == [
        point._replace(seconds=0) for point in trained().curve
    ]


def test_expert_iteration_goes_on_as_if_it_had_not_been_stopped(tmp_path: Path) -> None:
    for opponents in ("self", "greedy"):
        stage = Expert(num_simulations=4, opponents=opponents, **SHORT_STAGE)
        settings = Settings(stages=[stage], hidden=(16,), action_hidden=(8,), measurements=0)
        first, second = (Trainer("domiphun", seed=3, settings=settings) for _ in range(2))
        assert set(first.update()) == {"agreement", "cross-entropy", "value error"}
        second.load(first.save(tmp_path / f"{opponents}.npz"))
        first.update()
        second.update()
        assert first.policy.digest == second.policy.digest


def test_a_policy_is_what_to_begin_with(tmp_path: Path) -> None:
    path = trained().policy.save(tmp_path / "first.safetensors")
    on = Trainer("domiphun", settings=dataclasses.replace(SHORT, init=str(path)))
    assert on.policy.digest == trained().policy.digest
    with pytest.raises(ValueError, match=r"init = .* widths \(\(16,\), \(8,\)\); this run has"):
        Trainer("domiphun", settings=dataclasses.replace(SHORT, init=str(path), hidden=(17,)))
    with pytest.raises(ValueError, match=r"init = .*Domiphun.*this run has rows of Mapello"):
        Trainer("mapello", settings=dataclasses.replace(SHORT, init=str(path)))


def test_a_stage_has_options_of_its_own_whose_rows_are_the_same() -> None:
    def settings(**options: Any) -> Settings:
        return Settings(stages=[Ppo(options=options, **SHORT_STAGE)])

    trainer = Trainer("mapominoes", settings=settings(rounds=1))
    assert trainer._run.lanes.spec.options["rounds"] == 1
    with pytest.raises(ValueError, match=r"stage 0: options = .*its rows are of another form"):
        Trainer("mapominoes", settings=settings(players=3))


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
from adjoin.learning.settings import Settings
from adjoin.learning.trainer import Trainer

path, moment = sys.argv[1:]
trainer = Trainer("domiphun", seed=3, settings=Settings(**{settings}))
replace, saves = os.replace, []

def wait(*_):
    print("now", flush=True)
    time.sleep(600)

def count(*names):
    saves.extend(name for name in names if str(name) == path)
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
    script = STOPPED.replace("{settings}", repr(SHORT.as_json()))
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
def test_returns_of_a_match_that_ends_and_one_that_goes_on() -> None:
    """The second seat wins at the third moment; then another match runs; by hand."""
    status = np.array([[RUNNING], [RUNNING], [OVER], [RUNNING], [RUNNING]], np.uint8)
    reward = np.zeros((5, 1, 2), np.float32)
    reward[2, 0] = [-1, 1]
    values = np.zeros((5, 1, 2), np.float32)
    values[:, 0, 0] = [0.5, 0.25, 9, -0.5, 0.75]
    found = returns(reward, status, values, gamma=0.5, gae_lambda=0.5)[:, 0]
    assert found[[0, 1, 3], 0].tolist() == pytest.approx([0.5 * (0.5 * 0.25 - 0.5), -1, 0.375])
    assert found[:2, 1].tolist() == pytest.approx([0.25, 1])


def test_values_are_turned_to_seats_and_back() -> None:
    values = np.array([[[1, 2, 3], [1, 2, 3]]], np.float32)
    viewers = np.array([[0, 2]], np.int8)
    by_seat = turned(values, viewers)
    assert by_seat.tolist() == [[[1, 2, 3], [2, 3, 1]]]
    assert (turned(by_seat, viewers, back=True) == values).all()


def test_lanes_without_actions_are_left_out() -> None:
    offsets = np.array([0, 0, 2, 2, 5, 5])
    scores = np.array([1, 3, 2, 2, 0], np.float32)
    assert ragged.best(scores, offsets).tolist() == [1, 2]
    shares = np.exp(ragged.log_softmax(scores, offsets))
    assert [shares[:2].sum(), shares[2:].sum()] == pytest.approx([1, 1])
    assert ragged.rows_of(offsets, np.array([3, 0, 1])).tolist() == [2, 3, 4, 0, 1]


# What was learned.


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
    policy = trained().policy
    path = policy.save(tmp_path / "mine.safetensors")
    again = Policy.load(path)
    assert again.digest == policy.digest
    assert again.__name__ == "mine"
    winners = [
        adjoin.simulate("domiphun", 20, [one, "greedy"], seed=1)["winner"]
        for one in (policy, again, f"learned(path={path})")
    ]
    assert (winners[0] == winners[1]).all()
    assert (winners[0] == winners[2]).all()
    assert not list(tmp_path.glob("*.part"))


def test_what_a_policy_thinks_is_what_it_plays_in_the_core() -> None:
    policy = trained().policy
    batch = adjoin.Batch("domiphun", num_lanes=64)
    out, lots = batch.buffers(), np.zeros(64, np.int32)
    batch.reset(1, out)
    for _ in range(6):
        batch.sample(lots)
        batch.step(lots, out)
    actions = batch.actions()
    shares = policy.probabilities(out.observation, actions)
    is_on = np.flatnonzero(actions.counts)
    assert np.add.reduceat(shares, actions.offsets[is_on]) == pytest.approx(1, abs=1e-5)
    chosen = policy(out.observation, actions)
    assert [batch[lane].choose_id(policy) for lane in is_on] == chosen[is_on].tolist()
    assert policy.values(out.observation).shape == (64, 2)
    assert repr(policy).startswith("<Policy for Domiphun: ")


def test_a_policy_of_another_game_is_named() -> None:
    policy = trained().policy
    with pytest.raises(ValueError, match=r'it was learned for "domiphun"'):
        adjoin.simulate("mapello", 2, [policy, "random"])
    batch = adjoin.Batch("mapello")
    out = batch.buffers()
    with pytest.raises(ValueError, match=r"sees 42 numbers of observation, not 306: it was lear"):
        policy(out.observation, batch.actions())


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


def rewritten(path: Path, about: dict[str, str] | None = None, **changes: Any) -> Path:
    """Change some arrays of a policy's file, or leave out those that are None."""
    told, arrays = tensors.read(path)
    changed = {**arrays, **{name.replace("_", "."): array for name, array in changes.items()}}
    kept = {name: array for name, array in changed.items() if array is not None}
    return tensors.write(path, {**told, **(about or {})}, kept)


def test_another_version_is_refused(tmp_path: Path) -> None:
    trainer = trained()
    path = altered(trainer.save(tmp_path / "checkpoint.npz"), version=7)
    message = r"made for version 7 of domiphun; this is version 0"
    with pytest.raises(CheckpointError, match=message):
        trainer.load(path)
    with pytest.raises(CheckpointError, match=message):
        Trainer("domiphun", seed=3, settings=SHORT).run(path, progress=False)


@cases(
    ("about", "message"),
    [
        ({"rows": "0123"}, r"rows of another form; Domiphun with the options \{\}"),
        ({"game": "chess"}, r"cannot be read \(unknown game .chess."),
        ({"options": "{"}, r"damaged: what it is about cannot be read"),
    ],
)
def test_a_policy_of_something_else_is_refused(
    tmp_path: Path, about: dict[str, str], message: str
) -> None:
    path = rewritten(trained().policy.save(tmp_path / "p.safetensors"), about)
    with pytest.raises(CheckpointError, match=rf"{path.name}: .*{message}"):
        Policy.load(path)


@cases(
    ("trainer", "message"),
    [
        (lambda: Trainer("domiphun", seed=4, settings=SHORT), r"seed = 3, this run has 4"),
        (
            lambda: Trainer("domiphun", seed=3, settings=dataclasses.replace(SHORT, hidden=(17,))),
            r"hidden = \[16\], this run has \[17\]",
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
    with pytest.raises(CheckpointError, match=r'expected "adjoin checkpoint 2"; damaged, or ano'):
        trained().load(path)
    with pytest.raises(CheckpointError, match=r"no file of weights, or damaged"):
        Policy.load(path)


@cases("lost", [1, 2000])
def test_a_damaged_file_is_refused(tmp_path: Path, lost: int) -> None:
    path = trained().save(tmp_path / "checkpoint.npz")
    path.write_bytes(path.read_bytes()[:-lost])
    with pytest.raises(CheckpointError, match=r"damaged, or another file"):
        trained().load(path)
    path = trained().policy.save(tmp_path / "policy.safetensors")
    path.write_bytes(path.read_bytes()[:-lost])
    with pytest.raises(CheckpointError, match=r"no file of weights, or damaged"):
        Policy.load(path)


@cases(
    ("changes", "message"),
    [
        ({"state_0_w": None, "state_0_b": None}, r"weights are missing"),
        ({"value_b": None}, r"weights are missing \('value\.b'\)"),
        (
            {"state_0_w": np.zeros((41, 16))},
            r"state\.0\.w has the shape \(41, 16\), exp.* \(42, 16",
        ),
        ({"mix_w": np.zeros((16, 9))}, r"mix\.w has the shape \(16, 9\), expected \(16, 8\)"),
        ({"more": np.zeros(1)}, r"more has the shape \(1,\), expected None"),
        ({"value_b": np.array([np.nan, 0])}, r"value\.b has numbers that are not finite"),
    ],
)
def test_wrong_arrays_are_named_when_a_policy_is_read(
    tmp_path: Path, changes: dict[str, Any], message: str
) -> None:
    path = rewritten(trained().policy.save(tmp_path / "p.safetensors"), **changes)
    with pytest.raises(CheckpointError, match=rf"{path.name}: damaged: .*{message}"):
        Policy.load(path)


@cases(
    ("changes", "message"),
    [
        ({"optimiser.1": None}, r"optimiser\.1 is missing"),
        ({"optimiser.2": np.zeros(3, "f4")}, r"optimiser\.2 .*got 3 float32"),
        ({"state.0.w": np.full((42, 16), np.inf, "f4")}, r"state\.0\.w has numbers that"),
        ({"past.0.score.w": None}, r"past\.0\.score\.w is missing"),
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
        ({"stage": [2, 0]}, r"stage = 2: must be 0 to 1"),
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
    before = trainer.policy.digest, trainer._run.lanes.save()
    with pytest.raises(CheckpointError, match=rf"{path.name}: .*({message})"):
        trainer.load(path)
    assert (trainer.policy.digest, trainer._run.lanes.save()) == before


def test_a_file_that_would_grow_when_it_is_unpacked_is_refused(tmp_path: Path) -> None:
    path = trained().save(tmp_path / "checkpoint.npz")
    with zipfile.ZipFile(path) as file:
        members = {name: file.read(name) for name in file.namelist()}
    members["state.0.w.npy"] = bytes(10**8)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in members.items():
            stored = zipfile.ZIP_DEFLATED if name == "state.0.w.npy" else zipfile.ZIP_STORED
            file.writestr(name, content, stored)
    assert path.stat().st_size < 10**7
    with pytest.raises(CheckpointError, match=r"state\.0\.w .*it is compressed, as no file"):
        Trainer("domiphun", seed=3, settings=SHORT).load(path)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="limits of file size are Unix")
def test_a_full_disk_leaves_the_last_checkpoint_and_nothing_beside_it(tmp_path: Path) -> None:
    path = trained().policy.save(tmp_path / "policy.safetensors")
    script = (
        "import resource, signal, sys; from adjoin.learning.policies import Policy; "
        "resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000)); "
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN); "
        "Policy.load(sys.argv[1]).save(sys.argv[1])"
    )
    done = subprocess.run([sys.executable, "-c", script, str(path)], capture_output=True, text=True)
    assert "File too large" in done.stderr
    assert os.listdir(tmp_path) == ["policy.safetensors"]
    assert Policy.load(path).digest == trained().policy.digest


@cases(
    ("given", "message"),
    [
        (lambda: Ppo(num_lanes=0), r"num_lanes = 0: must be 1 to"),
        (lambda: Ppo(decisions=1e6), r"decisions = 1000000.0: must be a whole number"),  # type: ignore[arg-type]
        (lambda: Ppo(gae_lambda=1.5), r"gae_lambda = 1.5: must be 0 to 1"),
        (lambda: Ppo(learning_rate="fast"), r"learning_rate = 'fast': must be 0 to 1"),  # type: ignore[arg-type]
        (lambda: Ppo(opponents={}), r"opponents = \{\}: must be agents with shares"),
        (lambda: Ppo(opponents={"greedy": 0}), r"opponents: greedy = 0: a share must be above 0"),
        (lambda: Imitation(random_share=2), r"random_share = 2: must be 0 to 1"),
        (lambda: Settings(hidden=64), r"hidden = 64: must be a sequence"),  # type: ignore[arg-type]
        (lambda: Settings(hidden=(64, 0)), r"hidden = 0: must be 1 to"),
        (lambda: Settings(stages=[]), r"stages, hidden, action_hidden: must not be empty"),
        (lambda: Settings(stages=[{"method": "luck"}]), r"must have a method: imitation, ppo"),  # type: ignore[list-item]
        (lambda: Settings(against="random"), r"against = 'random': must be a sequence"),  # type: ignore[arg-type]
    ],
)
def test_settings_that_cannot_be_are_refused(given: Any, message: str) -> None:
    with pytest.raises((ValueError, TypeError), match=message):
        given()


def test_settings_come_back_from_plain_data() -> None:
    assert Settings(**json.loads(json.dumps(SHORT.as_json()))) == SHORT
    assert SHORT.with_decisions(200).decisions == 200


def test_agents_that_do_not_exist_are_named() -> None:
    for settings in (
        SHORT.with_opponents({"gredy": 1}),
        dataclasses.replace(SHORT, against=("gredy",)),
        dataclasses.replace(SHORT, stages=(Imitation(expert="gredy", **SHORT_STAGE),)),
    ):
        with pytest.raises(ValueError, match=r'unknown agent "gredy": did you mean "greedy"'):
            Trainer("domiphun", settings=settings)
