"""Tries packages out as a user: `python .github/check_wheel.py dist/*`; needs Python alone.

Each is installed in an environment of its own outside the tree, all games are played, by several
threads too, and the demonstration and the command run in another directory. Wheels see no cargo,
and have the core for browsers in them, so that they can write a page.
Of several wheels, those for this Python are taken. The version is Cargo.toml's, and CITATION.cff
must have it too. `--tag v1.2.3` installs nothing, and checks the tag and the changelog as well.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import venv
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MODULE = "adjoin/playing/web/adjoin.wasm"
"""The core for browsers, which `make web` builds."""
SMOKE = '''
import sys, sysconfig, threading
import adjoin

version, site = sys.argv[1:]
assert adjoin.__version__ == version, adjoin.__version__
assert adjoin._core.__version__ == version, adjoin._core.__version__
assert adjoin.__file__.startswith(site), adjoin.__file__
if sysconfig.get_config_var("Py_GIL_DISABLED"):
    assert not sys._is_gil_enabled(), "importing adjoin brought the global lock back"

def played(batch, steps, actions, out):
    """Play on; what the lanes then are, in bytes."""
    for _ in range(steps):
        batch.sample(actions)
        batch.step(actions, out)
    return [batch[lane].save() for lane in range(len(actions))]

def arrays(batch):
    out = batch.buffers()
    return out.seat.astype("int32"), out

def side_by_side(work):
    """What each of four threads returned, or the first exception."""
    results = [None] * 4
    def run(number):
        try:
            results[number] = work()
        except BaseException as error:
            results[number] = error
    threads = [threading.Thread(target=run, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for result in results:
        if isinstance(result, BaseException):
            raise result
    return results

def own(game):
    batch = adjoin.Batch(game, num_lanes=16, threads=2)
    actions, out = arrays(batch)
    batch.reset(5, out)
    return played(batch, 40, actions, out)

assert len(adjoin.games()) == 5, adjoin.games()
for game in adjoin.games():
    match = adjoin.Match(game, seed=1)
    match.play_random()
    assert match.to_act is None and match.svg().startswith("<svg")
    table = adjoin.simulate(game, 20, seed=3)
    alone = own(game)
    assert side_by_side(lambda: own(game)) == [alone] * 4
    assert all(one == table for one in side_by_side(lambda: adjoin.simulate(game, 20, seed=3)))
    # One batch, one match and one table for all threads, with arrays of their own.
    shared = adjoin.Batch(game, num_lanes=16)
    shared.reset(5, shared.buffers())
    match = adjoin.Match(game, seed=2)
    def use():
        for _ in range(20):
            try:
                played(shared, 1, *arrays(shared))
            except adjoin.IllegalActionError:
                pass  # another thread has stepped since the actions were drawn
        for _ in range(5):
            match.play_random(1)
            match.view(), match.save(), match.svg(), match.replay(), match.hint(), table.summary()
    side_by_side(use)
    again = adjoin.Match(game, seed=2)
    again.play_random(20)
    assert match.replay() == again.replay()
    print(f"{game}: {len(table)} games, threads agree")
print([county.name for county in adjoin.Atlas.load("uk-counties").borders("Kent")])
'''


def version() -> str:
    """What Cargo.toml says."""
    return written("Cargo.toml", r'^version = "(.+)"$')


def written(name: str, pattern: str) -> str:
    """What a pattern finds in a file of the project."""
    found = re.search(pattern, (ROOT / name).read_text(encoding="utf-8"), re.MULTILINE)
    if not found:
        sys.exit(f"{name}: no line fits {pattern}")
    return found[1]


def check_version(tag: str | None) -> None:
    """Compare what the files of the project say, and with a tag that it is the one of a release."""
    said = {"CITATION.cff": written("CITATION.cff", r"^version: (.+)$")}
    if tag is not None:
        said["the tag"] = tag.removeprefix("v")
        said["CHANGELOG.md"] = written("CHANGELOG.md", r"^## (.+?)(?: \(\d{4}-\d\d-\d\d\))?$")
    wrong = [f"{name} says {one}" for name, one in said.items() if one != version()]
    if wrong:
        sys.exit(f"Cargo.toml says {version()}, but {', '.join(wrong)}")


def fits(package: Path) -> bool:
    """Whether a package is for this kind of Python: with the global lock, or without."""
    is_free = bool(sysconfig.get_config_var("Py_GIL_DISABLED"))
    return package.suffix != ".whl" or ("-abi3-" in package.name) != is_free


def check(package: Path) -> None:
    """Install a package and use it."""
    print(f"{package.name}, {package.stat().st_size:,} bytes, Python {sys.version}", flush=True)
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    if package.suffix == ".whl":
        folders = environment["PATH"].split(os.pathsep)
        without = [folder for folder in folders if not shutil.which("cargo", path=folder)]
        environment["PATH"] = os.pathsep.join(without)
    with tempfile.TemporaryDirectory() as folder:
        home, elsewhere = Path(folder).resolve() / "venv", Path(folder) / "elsewhere"
        elsewhere.mkdir()
        venv.create(home, with_pip=True, symlinks=os.name != "nt")
        programs = home / ("Scripts" if os.name == "nt" else "bin")

        def run(program: str, *arguments: str) -> None:
            command = [str(programs / program), *arguments]
            if subprocess.run(command, cwd=elsewhere, env=environment).returncode:
                sys.exit(f"{package.name}: {' '.join(command)} failed")

        quietly = ("--quiet", "--disable-pip-version-check")
        run("python", "-m", "pip", "install", *quietly, str(package.resolve()))
        (elsewhere / "smoke.py").write_text(SMOKE, encoding="utf-8")
        run("python", "smoke.py", version(), str(home))
        run("python", "-m", "adjoin.demo")
        if not list(elsewhere.glob("out/*.svg")):
            sys.exit("the demonstration left no pictures in out/")
        run("adjoin", "--help")
        if package.suffix == ".whl":
            with zipfile.ZipFile(package) as files:
                packed = files.getinfo(MODULE).compress_size
            print(f"{MODULE} is {packed:,} bytes of it", flush=True)
            run("adjoin", "page", "mapello", "--out", "page.html")


def main() -> None:
    """Check what the arguments name."""
    names = sys.argv[1:]
    tag = names.pop() if names[:1] == ["--tag"] else None
    check_version(tag)
    if tag is not None:
        return
    packages = [package for package in map(Path, names) if fits(package)]
    if not packages:
        sys.exit(f"no package for this Python among {names}")
    for package in packages:
        check(package)


if __name__ == "__main__":
    main()
