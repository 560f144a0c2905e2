"""Plants faults in a copy of the Python package, one at a time, and says which test catches each.

    python tests/faults/run.py                          all faults of python.toml
    python tests/faults/run.py wilson-without-square    some of them, by id
    python tests/faults/run.py --write --jobs 2         write down what caught each

A fault is a text of the package and what it is replaced by. The text is looked for in the whole
package, so that a module may move. For each fault, the test that caught it before is run first,
then the test files that most probably catch it, then all others. At the end, the tests that caught
faults are run without any: unless all of them pass, they have caught nothing.

Ends with 1 if a fault that has a `caught_by` is not caught any more, or a test is red by itself.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import os
import queue
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
LIST = Path(__file__).with_name("python.toml")
PROBABLE = 8
"""How many test files are tried before all others."""
LONGEST = 3600.0
"""Seconds after which tests are stopped: the fault makes them hang."""
HANG = "hang"
"""What caught a fault that makes tests run for ever."""
_COPIED = ("python", "tests", "docs", "notebooks")
_LEFT_OUT = re.compile(r"\.git$|\.venv|\.\w+_cache$|target$|out$|site$|reports$|trained$")
_PYTEST = ("-m", "pytest", "-x", "-q", "--tb=no", "-rfE", "-p", "no:cacheprovider")


class FaultError(Exception):
    """The list of faults does not fit the package, or the tests are red without any fault."""


@dataclass(frozen=True)
class Fault:
    """A change of the package that a test should notice."""

    id: str
    module: str
    find: str
    replace: str
    caught_by: str


def read_faults(ids: list[str]) -> list[Fault]:
    """Return the faults of the list, or those with some ids."""
    tomllib: Any = importlib.import_module("tomllib")  # Python 3.11
    faults = [Fault(**one) for one in tomllib.loads(LIST.read_text("utf-8"))["fault"]]
    known = [fault.id for fault in faults]
    twice = {one for one in known if known.count(one) > 1}
    unknown = [one for one in ids if one not in known]
    if twice or unknown:
        raise FaultError(f"ids that are there twice: {twice or '-'}; unknown: {unknown or '-'}")
    return [fault for fault in faults if not ids or fault.id in ids]


class Copy:
    """A copy of the project to plant faults in."""

    def __init__(self, folder: Path) -> None:
        self.root = folder
        for path in ROOT.iterdir():
            if path.name in _COPIED:
                ignored = shutil.ignore_patterns("__pycache__", "target", "faults")
                shutil.copytree(path, folder / path.name, ignore=ignored)
            elif not _LEFT_OUT.match(path.name):
                (folder / path.name).symlink_to(path)
        self.environment = {
            **os.environ,
            "PYTHONPATH": str(folder / "python"),
            "OPENBLAS_NUM_THREADS": "1",
        }
        imported = self._python("-c", "import adjoin; print(adjoin.__file__)").strip()
        if not Path(imported).is_relative_to(folder):
            raise FaultError(f"{imported} is imported, not the copy in {folder}")

    def _python(self, *arguments: str) -> str:
        """Return what Python prints in the copy."""
        done = subprocess.run(
            [sys.executable, *arguments],
            cwd=self.root,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            errors="replace",
            timeout=LONGEST,
            check=False,
        )
        return done.stdout

    def sources(self) -> list[Path]:
        """Return the files that faults can be planted in."""
        package = self.root / "python" / "adjoin"
        return sorted(path for path in package.rglob("*") if path.suffix in (".py", ".js", ".css"))

    def place(self, fault: Fault) -> Path:
        """Return the file that a fault belongs to."""
        texts = {path: path.read_text("utf-8") for path in self.sources()}
        times = {path: text.count(fault.find) for path, text in texts.items()}
        found = [path for path, number in times.items() if number]
        if sum(times.values()) != 1:
            there = ", ".join(str(path.relative_to(self.root)) for path in found) or "nowhere"
            raise FaultError(f"{fault.id}: its text must be there once, it is in {there}")
        return found[0]

    def test_files(self, fault: Fault) -> list[str]:
        """Return all test files, those first that most probably catch a fault."""
        path = self.place(fault)
        text = path.read_text("utf-8")
        within = path.relative_to(self.root / "python" / "adjoin").with_suffix("")
        stems = [part.rstrip("s") for part in within.parts if part != "__init__"]
        words = [*stems, *_around(text, text.index(fault.find))]

        def score(file: Path) -> tuple[int, int]:
            test = file.read_text("utf-8")
            mentioned = sum(re.search(rf"\b{word}", test) is not None for word in words)
            named = sum(file.stem.startswith(f"test_{word[:5]}") for word in words)
            return -mentioned - 3 * named, len(test)

        folder = self.root / "tests"
        files = [file for file in folder.rglob("test_*.py") if "rl" not in file.parts]
        return [str(file.relative_to(self.root)) for file in sorted(files, key=score)]

    def first_failure(self, tests: list[str]) -> str:
        """Return the test that fails first, without its parameters; nothing if all pass."""
        try:
            told = self._python(*_PYTEST, *tests)
        except subprocess.TimeoutExpired:
            return HANG
        failed = re.search(r"^(?:FAILED|ERROR) ([^\s\[]+)", told, re.M)
        if failed:
            return failed[1]
        if not re.search(r"^\d+ (passed|skipped)", told, re.M):
            raise FaultError(f"pytest {' '.join(tests)}:\n{told[-2000:]}")
        return ""

    def catch(self, fault: Fault) -> str:
        """Plant a fault, and return the test that catches it; nothing if none does."""
        path = self.place(fault)
        files = self.test_files(fault)
        before = path.read_text("utf-8")
        _write(path, before.replace(fault.find, fault.replace))
        try:
            for tests in (self._known(fault), files[:PROBABLE], files[PROBABLE:]):
                failed = self.first_failure(tests) if tests else ""
                if failed:
                    return failed
            return ""
        finally:
            _write(path, before)

    def _known(self, fault: Fault) -> list[str]:
        """Return the test that caught a fault before, if it is still there."""
        file, _, name = fault.caught_by.partition("::")
        path = self.root / file
        is_there = path.is_file() and name.rpartition("::")[2] in path.read_text("utf-8")
        return [fault.caught_by] if fault.caught_by and is_there else []


def _around(text: str, at: int) -> list[str]:
    """Return the public functions and classes that a place of a source is in."""
    names, indent = [], len(text)
    for line in reversed(text[:at].splitlines()):
        found = re.match(r"( *)(?:export |async )?(?:def|class|function) (\w+)", line)
        if found and len(found[1]) < indent:
            indent = len(found[1])
            names.append(found[2])
    return [name for name in names if not name.startswith("_")]


def _write(path: Path, text: str) -> None:
    """Write a source, so that no compiled one of the same age and size is taken for it."""
    path.write_text(text, "utf-8", newline="")
    if path.suffix == ".py":
        Path(importlib.util.cache_from_source(str(path))).unlink(missing_ok=True)


def write_down(found: dict[str, str]) -> None:
    """Put into the list what caught each fault."""
    text = LIST.read_text("utf-8")
    for one, test in found.items():
        block = rf'(^id = "{re.escape(one)}"$.*?^caught_by = )"[^"\n]*"'
        text, times = re.subn(block, rf'\g<1>"{test}"', text, count=1, flags=re.S | re.M)
        if not times:
            raise FaultError(f"{one} has no caught_by to fill in")
    LIST.write_text(text, "utf-8", newline="\n")


def run(faults: list[Fault], jobs: int, folder: Path) -> dict[str, str]:
    """Return what catches each fault, and print it."""
    copies: queue.SimpleQueue[Copy] = queue.SimpleQueue()
    for number in range(jobs):
        place = folder / str(number)
        place.mkdir()
        copies.put(Copy(place))

    def one(fault: Fault) -> tuple[str, str]:
        copy = copies.get()
        try:
            caught = copy.catch(fault)
        finally:
            copies.put(copy)
        print(f"{fault.id}: {caught or 'NOT CAUGHT'}", flush=True)
        return fault.id, caught

    first = copies.get()
    for fault in faults:
        first.place(fault)
    copies.put(first)
    with ThreadPoolExecutor(jobs) as pool:
        found = dict(pool.map(one, faults))
    tests = sorted({test for test in found.values() if test not in ("", HANG)})
    red = copies.get().first_failure(tests) if tests else ""
    if red:
        raise FaultError(f"{red} fails without any fault: what it caught means nothing")
    return found


def main() -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("ids", nargs="*", metavar="ID", help="faults to plant (default: all)")
    parser.add_argument("--write", action="store_true", help="fill in what caught each")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="side by side (default 1)")
    arguments = parser.parse_args()
    signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored in a shell's background
    try:
        faults = read_faults(arguments.ids)
        with tempfile.TemporaryDirectory(prefix="faults-") as folder:
            found = run(faults, arguments.jobs, Path(folder).resolve())
        if arguments.write:
            write_down(found)
    except FaultError as error:
        print(error, file=sys.stderr)
        return 1
    lost = [fault.id for fault in faults if fault.caught_by and not found[fault.id]]
    print(f"{len(found)} planted, {sum(map(bool, found.values()))} caught; lost: {lost or 'none'}")
    return 1 if lost else 0


if __name__ == "__main__":
    sys.exit(main())
