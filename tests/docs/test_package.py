"""`import adjoin` is enough for every name that README, guides and notebooks write."""

from __future__ import annotations

import ast
import importlib
import os
import pkgutil
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

import adjoin
from scaffold import cases

ROOT = Path(__file__).parents[2]
PAGES = [
    ROOT / "README.md",
    *sorted((ROOT / "docs" / "pages").rglob("*.md")),
    *sorted((ROOT / "notebooks").glob("*.py")),
]
ADAPTERS = [
    f"adjoin.envs.{name}" for name in ("aec", "openspiel", "puffer", "rllib", "sb3", "text")
]
"""Modules that pages import from, as a library is needed for each."""
NAMES = sorted(
    {
        name
        for page in PAGES
        for name in re.findall(r"\badjoin(?:\.[A-Za-z]\w*)+", page.read_text("utf-8"))
    }
)
RESOLVE = """
import os, sys, adjoin
for name in sys.argv[1:]:
    if os.fork() == 0:
        try:
            thing = adjoin
            for part in name.split(".")[1:]:
                thing = getattr(thing, part)
        except BaseException as error:
            sys.stderr.write(f"{name}: {error!r}\\n")
        os._exit(0)
    os.wait()
"""
"""Looks every name up in a process that has done nothing but import the package."""


def fresh(script: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", script, *arguments],
        env={"PYTHONPATH": ":".join(sys.path)},
        capture_output=True,
        text=True,
    )


def test_the_pages_name_the_doors() -> None:
    doors = {"mapello_v0.env", "openspiel.load", "sb3.VecEnv", "ray.Executor", "rllib.Env"}
    assert {f"adjoin.{door}" for door in doors} <= set(NAMES)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_name_of_the_pages_works_after_import_adjoin_alone() -> None:
    done = fresh(RESOLVE, *NAMES)
    assert done.returncode == 0
    failed = [line for line in done.stderr.splitlines() if "pip install 'adjoin[" not in line]
    assert failed == []


def rooms() -> dict[str, ModuleType]:
    """Return the packages that say what is public in them."""
    found = [m.name for m in pkgutil.iter_modules(adjoin.__path__, "adjoin.") if m.ispkg]
    packages = {name: importlib.import_module(name) for name in found}
    return {name: package for name, package in packages.items() if hasattr(package, "__all__")}


def imports(page: Path) -> Iterator[tuple[str, str]]:
    """Return what a page imports from the package: the module, and the name."""
    text = page.read_text("utf-8")
    blocks = re.findall(r"^```py(?:thon)?\n(.*?)^```", text, re.S | re.M)
    for block in [text] if page.suffix == ".py" else blocks:
        for node in ast.walk(ast.parse(block)):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("adjoin"):
                yield from ((str(node.module), each.name) for each in node.names)


@cases("page", PAGES)
def test_what_a_page_imports_is_public(page: Path) -> None:
    public = {name: set(package.__all__) for name, package in rooms().items()}
    public["adjoin"] = {*adjoin.__all__, *(name.rpartition(".")[2] for name in public)}
    for module, name in imports(page):
        path = Path(adjoin.__path__[0], *module.split(".")[1:])
        if module in public:
            is_module = (path / f"{name}.py").exists() or (path / name).is_dir()
            assert is_module or name in public[module], f"{module} has no {name} in __all__"
        else:
            assert module in ADAPTERS, f"{name}: import it from a room, not from {module}"
            text = path.with_suffix(".py").read_text("utf-8")
            assert f'"{name}"' in text.partition("__all__ = ")[2].partition("]")[0], name


@cases("page", PAGES)
def test_gymnasium_ids_stand_beside_the_import_that_brings_them(page: Path) -> None:
    text = page.read_text("utf-8")
    parts = [text] if page.suffix == ".py" else re.split(r"^```.*$", text, flags=re.M)[1::2]
    for part in parts:
        assert "gymnasium.make" not in part or re.search(r"^import adjoin\b", part, re.M), part


def test_what_needs_an_extra_says_which() -> None:
    done = fresh("import sys; sys.modules['pettingzoo'] = None\nimport adjoin\nadjoin.mapello_v0")
    assert "ImportError: adjoin.envs.aec needs PettingZoo: pip install 'adjoin[" in done.stderr


def test_a_name_that_is_not_there_gets_the_nearest_that_is() -> None:
    with pytest.raises(AttributeError) as caught:
        _ = adjoin.simulat  # type: ignore[attr-defined]
    assert str(caught.value) == "module 'adjoin' has no attribute 'simulat'; did you mean simulate?"
    assert not hasattr(adjoin, "_simulate")
    done = fresh("import adjoin\nadjoin.clasroom")
    assert done.stderr.endswith("attribute 'clasroom'; did you mean classroom?\n")


def test_help_and_completion_need_no_extra() -> None:
    missing = "dict.fromkeys(['pettingzoo', 'jax', 'ray', 'pyspiel', 'torch', 'anywidget'])"
    done = fresh(
        f"import sys, pydoc; sys.modules.update({missing})\nimport adjoin\n"
        "print(*dir(adjoin)); pydoc.render_doc(adjoin)"
    )
    assert not done.returncode, done.stderr
    assert {"Match", "classroom", "__version__"} <= set(done.stdout.split())


@pytest.mark.smoke
def test_the_version_is_that_of_the_crate() -> None:
    crate = (ROOT / "Cargo.toml").read_text("utf-8")
    assert f'\nversion = "{adjoin.__version__}"\n' in crate
