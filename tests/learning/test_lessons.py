"""What learners reach: runs that go on, an exam, a page, and policies on the command line."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from scaffold import SHORT_RUN

pytest.importorskip("jax", reason="the trainer needs `pip install adjoin[train]`")

import adjoin
from adjoin.cli import main
from adjoin.learning.lessons import Lesson, curriculum, learn, page, plans, settings_for
from adjoin.learning.policies import Policy
from adjoin.learning.settings import Settings

SHORT = Settings(**SHORT_RUN)
TINY: dict[str, Any] = {"setup": "othello", "size": 4}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("trained")


@pytest.fixture(scope="module")
def lesson(folder: Path) -> Lesson:
    return learn("domiphun", folder, seed=3, settings=SHORT, exam=20, progress=False)


def test_a_lesson_keeps_policy_and_checkpoint(folder: Path, lesson: Lesson) -> None:
    assert lesson.path == folder / "domiphun.safetensors"
    assert Policy.load(lesson.path).digest == lesson.policy.digest
    assert (folder / "domiphun.checkpoint.npz").is_file()
    assert list(lesson.exam) == ["random", "greedy"]


def test_a_lesson_that_was_finished_is_only_examined(folder: Path, lesson: Lesson) -> None:
    written = (folder / "domiphun.checkpoint.npz").stat().st_mtime_ns
    again = learn("domiphun", folder, seed=3, settings=SHORT, exam=20, progress=False)
    assert (folder / "domiphun.checkpoint.npz").stat().st_mtime_ns == written
    assert again.policy.digest == lesson.policy.digest
    assert again.exam == lesson.exam
    assert again.trainer.curve == lesson.trainer.curve


def test_options_are_in_the_name_of_the_files(folder: Path) -> None:
    other = learn(
        "mapominoes",
        folder,
        settings=SHORT,
        exam=4,
        progress=False,
        nations=["Northern Ireland"],
        table=(8, 6),
    )
    assert other.path.name == "mapominoes-nations=NorthernIreland-table=8,6.safetensors"
    assert Policy.load(other.path).options == {"nations": ["Northern Ireland"], "table": [8, 6]}


def test_the_page_tells_how_and_how_well(tmp_path: Path, lesson: Lesson) -> None:
    report = page([lesson])
    for text in (report.html, report.markdown):
        assert lesson.policy.digest in text
        assert "adjoin/Domiphun-v0, default options, seed 3" in text
        assert "num_lanes 32" in text
        assert "against random" in text
    files = report.save(tmp_path)
    figures = json.loads((tmp_path / "learned.json").read_text("utf-8"))
    assert figures["domiphun"]["digest"] == lesson.policy.digest
    assert len(figures["domiphun"]["curve"]) == len(lesson.trainer.curve)
    assert tmp_path / "learned-domiphun.svg" in files


def test_there_is_a_plan_for_every_game() -> None:
    assert {plan.game for plan in curriculum()} == set(adjoin.games())
    assert all(plans(game)[0].options == {} for game in adjoin.games())
    usual, small, _ = plans("mapello")
    assert settings_for("mapello", small.options) == small.settings
    assert settings_for("mapello", {"games": 3}) == usual.settings


def test_what_a_solver_can_judge_is_judged(tmp_path: Path) -> None:
    lesson = learn("mapello", tmp_path, settings=SHORT, exam=4, progress=False, **TINY)
    assert set(lesson.exactness) == {"learned", "greedy", "random"}
    assert lesson.duels["perfect against perfect"] == -8
    told = page([lesson]).markdown
    assert "perfect against perfect: -8" in told
    assert "at most 14 decisions from the end" in told


def test_a_game_that_does_not_exist_is_named(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match='unknown game "mapelo": did you mean "mapello"'):
        learn("mapelo", tmp_path)
    assert not list(tmp_path.iterdir())


def test_a_policy_plays_on_the_command_line(
    lesson: Lesson, capsys: pytest.CaptureFixture[str]
) -> None:
    mine = str(lesson.path)
    assert main(["simulate", "domiphun", "20", "--agents", mine, "random", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["agents"] == [mine, "random"]
    assert main(["tournament", "domiphun", mine, "random", "--games", "4", "--json"]) == 0
    assert mine in capsys.readouterr().out


def test_a_policy_is_played_against(lesson: Lesson) -> None:
    played = subprocess.run(
        [sys.executable, "-m", "adjoin", "play", "domiphun", "--opponents", lesson.path.name],
        input="hint\nquit\n",
        cwd=lesson.path.parent,
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )
    assert (played.returncode, played.stderr) == (0, "")
    assert "seat 1: domiphun.safetensors" in played.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["simulate", "mapello", "4", "--agents", "nothing.safetensors"], "nothing.safetensors: No such file"),
        (["train", "mapelo"], "did you mean mapello?"),
        (["train", "-o", "size=4"], "-o needs a GAME"),
        (["train", "mapello", "--decisions", "0"], "decisions = 0: must be 2 to"),
        (["train", "mapello", "--opponents", "gredy"], 'unknown agent "gredy"'),
    ],
)
def test_what_is_wrong_is_said(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    assert message in capsys.readouterr().err


def test_a_policy_of_another_game_is_refused(
    lesson: Lesson, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["simulate", "mapello", "4", "--agents", str(lesson.path), "random"]) == 1
    assert "it was learned for another game or other options" in capsys.readouterr().err


def test_without_jax_it_says_what_to_install() -> None:
    code = "import sys; sys.modules['jax'] = None; from adjoin.cli import main; sys.exit(main())"
    told = subprocess.run(
        [sys.executable, "-c", code, "train", "mapello"],
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )
    assert told.returncode == 1
    assert told.stderr == "adjoin: adjoin.learning.trainer needs jax: pip install 'adjoin[train]'\n"


def test_train_on_the_command_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("adjoin.learning.lessons.settings_for", lambda game, options: SHORT)
    command = ["train", "domiphun", "--decisions", "5000", "--folder", str(tmp_path), "--seed", "2"]
    assert main(command) == 0
    told = capsys.readouterr().out
    assert "of wins against random" in told
    assert str(tmp_path / "learned.html") in told
    assert (tmp_path / "domiphun.safetensors").is_file()
