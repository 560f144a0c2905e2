"""Completion: the shells themselves complete what the parsers know."""

from __future__ import annotations

import os
import re
import select
import shutil
import subprocess
import time
from pathlib import Path

import pytest

import adjoin
from adjoin.cli import parser_of
from adjoin.cli.shells import SHELLS
from adjoin.cli.syntax import commands_of
from interfaces import output
from scaffold import cases

COMMANDS = {each.path: each for each in commands_of(parser_of())}


@pytest.fixture(scope="module")
def scripts(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The scripts, in a folder with a few files."""
    folder = tmp_path_factory.mktemp("shells")
    (folder / "games of may.parquet").touch()
    (folder / "graphs").mkdir()
    found = {shell: folder / f"adjoin.{shell}" for shell in SHELLS}
    for shell, path in found.items():
        path.write_text(output("completion", shell), "utf-8")
    return found


def needs(shell: str) -> pytest.MarkDecorator:
    return pytest.mark.skipif(shutil.which(shell) is None, reason=f"{shell} is not there")


BASH = """
source "$1"; shift
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
_adjoin 2>&1
printf '%s\\n' "${COMPREPLY[@]}"
"""
FISH = 'source $argv[1]; complete -C "$argv[2]"'


def in_bash(script: Path, *words: str) -> list[str]:
    """Return what bash offers for the last of the words."""
    command = ["bash", "--norc", "-c", BASH, "bash", str(script), *words]
    done = subprocess.run(command, capture_output=True, text=True, cwd=script.parent)
    assert done.stderr == ""
    return done.stdout.split("\n")[:-1] if done.stdout.strip() else []


def in_fish(script: Path, *words: str) -> list[str]:
    """Return what fish offers for the last of the words."""
    command = ["fish", "--no-config", "-c", FISH, str(script), " ".join(words)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=script.parent)
    assert done.stderr == ""
    return [line.partition("\t")[0] for line in done.stdout.splitlines()]


GAMES = adjoin.games()
ATLASES = adjoin.Atlas.shipped()
KEYS = [f"{key}=" for key in adjoin.Match("domiphun").spec.option_meanings]
OFFERS: list[tuple[str, list[str]]] = [
    ("", list(COMMANDS[()].actions)),
    ("sim", ["simulate"]),
    ("atlas ", ["print", "map", "check"]),
    ("classroom ", list(COMMANDS["classroom",].actions)),
    ("games ", GAMES),
    ("report --seed 3 mapo", ["mapominoes"]),
    ("simulate mapello 10 --record ", ["episodes", "decisions", "states", "pieces"]),
    ("simulate mapello 10 --no", ["--no-rotate"]),
    ("simulate mapello 10 --seed ", []),
    ("simulate domiphun 10 -o ", KEYS),
    ("simulate 10 -o players=3 domiphun -o h", ["hand="]),
    ("simulate mapello 10 --agents gree", ["greedy"]),
    ("simulate mapello 10 --agents greedy ra", ["random"]),
    ("tournament mapello ea", ["easy"]),
    ("classroom map --style ", ["blank", "numbered", "named", "coloured"]),
    ("classroom map --paper ", ["A4", "Letter", "A3"]),
    ("classroom cards --atlas uk", [name for name in ATLASES if name.startswith("uk")]),
    ("atlas map us", [name for name in ATLASES if name.startswith("us")]),
    ("classroom host worl", [name for name in ATLASES if name.startswith("worl")]),
    ("completion ", list(SHELLS)),
    ("serve map", []),
]


@needs("bash")
@cases(("typed", "offered"), OFFERS)
def test_bash_offers_what_fits(typed: str, offered: list[str], scripts: dict[str, Path]) -> None:
    assert in_bash(scripts["bash"], "adjoin", *typed.split(" ")) == offered


@needs("fish")
@cases(("typed", "offered"), OFFERS)
def test_fish_offers_what_fits(typed: str, offered: list[str], scripts: dict[str, Path]) -> None:
    assert sorted(in_fish(scripts["fish"], "adjoin", *typed.split(" "))) == sorted(offered)


@needs("bash")
def test_bash_knows_every_option(scripts: dict[str, Path]) -> None:
    for path, each in COMMANDS.items():
        names = [name for option in each.options for name in option.names]
        assert in_bash(scripts["bash"], "adjoin", *path, "-") == names
        assert "--help" in names


@cases(
    "typed",
    ["summary g", "simulate mapello 9 --out g", "play g", "report --folder g", "replay --at 3 g"],
)
def test_files_are_offered_where_a_file_is_meant(typed: str, scripts: dict[str, Path]) -> None:
    for shell, offers in (("bash", in_bash), ("fish", in_fish)):
        if shutil.which(shell):
            found = offers(scripts[shell], "adjoin", *typed.split())
            names = {name.rstrip("/").replace("\\", "") for name in found}
            assert names == {"games of may.parquet", "graphs"}
            assert offers(scripts[shell], "adjoin", "simulate", "mapello", "g") == []


def typed_in_zsh(script: Path, line: str, expected: str) -> str:
    """Type a line in a real zsh, and return its screen once what is expected is there."""
    import pty

    # Without the style, a tab is a tab where more has been typed ahead.
    style = "zstyle ':completion:*' insert-tab false"
    begin = f"autoload -U compinit; compinit -u -D; {style}; source {script}; cd {script.parent}\n"
    begin += "PS1='REA''DY '\n"
    keyboard, screen = pty.openpty()
    shell = subprocess.Popen(
        ["zsh", "-f", "-i"],
        stdin=screen,
        stdout=screen,
        stderr=screen,
        env={**os.environ, "TERM": "vt100", "COLUMNS": "200"},
        start_new_session=True,
    )
    shown = ""
    try:
        for text, sign in ((begin, "READY "), (line, expected)):
            os.write(keyboard, text.encode())
            shown, end = "", time.monotonic() + 20
            while sign not in shown and time.monotonic() < end:
                if select.select([keyboard], [], [], 0.2)[0]:
                    read = os.read(keyboard, 65536).decode(errors="replace")
                    shown = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]|\x00", "", shown + read)
                    shown = re.sub(r".\x08", "", shown)
    finally:
        shell.kill()
        shell.wait()
        os.close(keyboard)
        os.close(screen)
    return shown


@needs("zsh")
@cases(
    ("typed", "completed"),
    [
        ("adjoin simul\t", "simulate "),
        ("adjoin atlas pr\t", "print "),
        ("adjoin simulate domi\t", "domiphun "),
        ("adjoin simulate domiphun 10 --rec\tdec\t", "--record decisions "),
        ("adjoin simulate domiphun 10 -o ha\t3", "hand=3"),
        ("adjoin summary gam\t", r"games\ of\ may.parquet"),
    ],
)
def test_zsh_completes_what_is_typed(typed: str, completed: str, scripts: dict[str, Path]) -> None:
    assert completed in typed_in_zsh(scripts["zsh"], typed, completed)


def test_a_shell_that_is_not_known_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    from adjoin.cli import main

    assert main(["completion", "bsh"]) == 2
    assert "did you mean bash?" in capsys.readouterr().err
