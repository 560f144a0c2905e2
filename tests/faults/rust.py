"""Plants faults in a copy of the Rust sources, all at once, and says which test catches each.

    python tests/faults/rust.py                  all faults of rust.txt
    python tests/faults/rust.py 3 17             some of them, by the number of their line
    python tests/faults/rust.py --write          write down what caught each

rust.txt has a fault in every line: the file, what `cargo mutants --list` says of it but for line
and column, the line of the source, and what caught it; tabs between them. A function with a fault
is there twice, and an environment variable says which is run: a single build serves all faults.

Needs cargo-mutants: `cargo install cargo-mutants`.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from run import HANG, ROOT, FaultError  # type: ignore[import-not-found]

LIST = Path(__file__).with_name("rust.txt")
LONGEST = 900.0
"""Seconds after which tests are stopped."""
_SWITCH = """
mod planted {
    use std::sync::LazyLock;
    static FAULT: LazyLock<u32> =
        LazyLock::new(|| std::env::var("ADJOIN_FAULT").map_or(0, |text| text.parse().unwrap()));
    pub(crate) fn is(number: u32) -> bool {
        *FAULT == number
    }
}
"""


@dataclass(frozen=True)
class Fault:
    """A change of the sources that a test should notice."""

    number: int
    file: str
    what: str
    line: str
    caught_by: str


def read_faults() -> list[Fault]:
    """Return the faults of the list, numbered by their lines."""
    lines = LIST.read_text("utf-8").splitlines()
    return [Fault(number, *line.split("\t")) for number, line in enumerate(lines, 1)]


def mutants() -> list[dict[str, Any]]:
    """Return all that cargo-mutants could change."""
    command = ["cargo", "mutants", "--list", "--json", "--file", "src/**"]
    listed = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, check=True)
    found: list[dict[str, Any]] = json.loads(listed.stdout)
    return found


def locate(faults: list[Fault]) -> dict[int, dict[str, Any]]:
    """Return what cargo-mutants says of each fault; a file may have moved."""
    texts = {path: path.read_text("utf-8").splitlines() for path in (ROOT / "src").rglob("*.rs")}
    known: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for mutant in mutants():
        line = texts[ROOT / mutant["file"]][mutant["span"]["start"]["line"] - 1].strip()
        what = re.sub(r"^[^:]+:\d+:\d+: ", "", mutant["name"])
        known.setdefault((what, line), []).append(mutant)
    found: dict[int, dict[str, Any]] = {}
    for fault in faults:
        alike = known.get((fault.what, fault.line), [])
        here = [mutant for mutant in alike if mutant["file"] == fault.file] or alike
        if len(here) != 1:
            raise FaultError(f"line {fault.number}: {fault.what}: {len(here)} places fit")
        found[fault.number] = here[0]
    return found


def plant(found: dict[int, dict[str, Any]], root: Path) -> None:
    """Write every function with a fault twice, and what chooses between both."""
    by_file: dict[str, list[tuple[int, int, str]]] = {}
    for number, mutant in found.items():
        text = (root / mutant["file"]).read_text("utf-8")
        begin, end = (_offset(text, mutant["span"][side]) for side in ("start", "end"))
        first, last = (_offset(text, mutant["function"]["span"][side]) for side in ("start", "end"))
        body = _body(text, first, mutant["function"]["function_name"].rpartition("::")[2])
        changed = text[body:begin] + mutant["replacement"] + text[end:last]
        both = f"{{ if crate::planted::is({number}) {changed} else {text[body:last]} }}"
        by_file.setdefault(mutant["file"], []).append((body, last, both))
    for file, parts in by_file.items():
        text = (root / file).read_text("utf-8")
        for begin, end, both in sorted(parts, reverse=True):
            text = text[:begin] + both + text[end:]
        (root / file).write_text(text, "utf-8")
    crate = root / "src" / "lib.rs"
    crate.write_text(crate.read_text("utf-8") + _SWITCH, "utf-8")


def _offset(text: str, place: dict[str, int]) -> int:
    """Return where a line and a column are, both counted from 1."""
    lines = text.splitlines(keepends=True)
    return sum(map(len, lines[: place["line"] - 1])) + place["column"] - 1


def _body(text: str, start: int, name: str) -> int:
    """Return where the body of a function begins: the first brace outside of its brackets."""
    declared = re.compile(rf"\bfn\s+{name}\b").search(text, start)
    assert declared is not None
    depth = 0
    for at in range(declared.end(), len(text)):
        depth += (text[at] in "([") - (text[at] in ")]")
        if text[at] == "{" and not depth:
            return at
    raise FaultError(f"{name}: no body")


def build(root: Path, *arguments: str) -> dict[str, Path]:
    """Build, and return the files that were made by the names of their targets."""
    command = ["cargo", *arguments, "--message-format=json-render-diagnostics"]
    done = subprocess.run(command, cwd=root, stdout=subprocess.PIPE, check=False)
    if done.returncode:
        raise FaultError("the sources with all faults do not compile")
    made = {}
    for message in map(json.loads, done.stdout.decode().splitlines()):
        if message["reason"] == "compiler-artifact" and message["target"]["name"] != "build":
            for file in filter(None, [message["executable"], *message["filenames"]]):
                made[f"{message['target']['name']}{Path(file).suffix}"] = Path(file)
    return made


def stages(fault: Fault) -> list[tuple[str, list[str]]]:
    """Return test programs with what to run of each: the most probable first, all others last."""
    game = re.match(r"src/games/(\w+)/", fault.file)
    if game is None:
        programs = ("adjoin", "batch", "golden", "rules", "conformance")
        return [(program, []) for program in programs]
    own: list[tuple[str, list[str]]] = [
        ("rules", [game[1]]),
        ("adjoin", [game[1]]),
        ("golden", []),
        ("batch", []),
    ]
    return [*own, ("conformance", []), ("rules", ["--skip", game[1]])]


def catch(fault: Fault, programs: dict[str, Path], root: Path) -> str:
    """Return the Rust test that catches a fault; nothing if none does."""
    for program, chosen in stages(fault):
        try:
            done = subprocess.run(
                [programs[program], *chosen],
                cwd=root,
                env={**os.environ, "ADJOIN_FAULT": str(fault.number)},
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                timeout=LONGEST,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return f"{program} {HANG}"
        if done.returncode:
            told = done.stdout.decode(errors="replace")
            failed = re.search(r"^test (\S+) .*\.\.\. FAILED$", told, re.M)
            return f"{program} {failed[1] if failed else 'crash'}"
    return ""


def run(faults: list[Fault], folder: Path) -> dict[int, str]:
    """Return what catches each fault, and print it."""
    root = folder / "planted"
    for name in ("src", "tests", "python"):
        ignored = shutil.ignore_patterns("target", "*.so", "__pycache__")
        shutil.copytree(ROOT / name, root / name, ignore=ignored)
    for name in ("Cargo.toml", "Cargo.lock", "README.md"):
        shutil.copy(ROOT / name, root)
    plant(locate(faults), root)
    programs = build(root, "test", "--no-run")
    none = Fault(0, "", "", "", "")
    red = catch(none, programs, root)
    if red:
        raise FaultError(f"{red} fails without any fault")
    found: dict[int, str] = {}
    for fault in faults:
        caught = catch(fault, programs, root)
        found[fault.number] = caught
        print(f"{fault.number} {fault.file}: {fault.what}: {caught or 'NOT CAUGHT'}", flush=True)
    return found


def main() -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("numbers", nargs="*", type=int, metavar="N", help="lines (default: all)")
    parser.add_argument("--write", action="store_true", help="fill in what caught each")
    arguments = parser.parse_args()
    signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored in a shell's background
    every = read_faults()
    chosen = [
        fault for fault in every if not arguments.numbers or fault.number in arguments.numbers
    ]
    try:
        with tempfile.TemporaryDirectory(prefix="faults-") as folder:
            found = run(chosen, Path(folder).resolve())
    except FaultError as error:
        print(error, file=sys.stderr)
        return 1
    if arguments.write:
        now = [
            replace(fault, caught_by=found.get(fault.number, fault.caught_by)) for fault in every
        ]
        lines = ("\t".join((one.file, one.what, one.line, one.caught_by)) for one in now)
        LIST.write_text("".join(f"{line}\n" for line in lines), "utf-8")
    lost = [fault.number for fault in chosen if fault.caught_by and not found[fault.number]]
    print(f"{len(found)} planted, {sum(map(bool, found.values()))} caught; lost: {lost or 'none'}")
    return 1 if lost else 0


if __name__ == "__main__":
    sys.exit(main())
