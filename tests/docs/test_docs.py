"""The documentation is true: examples run, and nothing public lacks a docstring."""

from __future__ import annotations

import ast
import doctest
import importlib
import inspect
import itertools
import pkgutil
import re
from pathlib import Path
from typing import Any

import pytest

import adjoin
from scaffold import Variant, cases

ROOT = Path(__file__).parents[2]


def is_there(name: str) -> bool:
    """Return whether what a module of the package is for is installed."""
    try:
        importlib.import_module(name)
    except ImportError as error:
        if "pip install 'adjoin[" not in str(error):
            raise
        return False
    return True


ALL = ["adjoin", *(m.name for m in pkgutil.walk_packages(adjoin.__path__, "adjoin."))]
MODULES = [name for name in ALL if is_there(name)]
WITH_EXAMPLES = [
    name
    for name in MODULES
    if any(t.examples for t in doctest.DocTestFinder().find(importlib.import_module(name)))
]
CONSTANTS = [name for name in adjoin.__all__ if isinstance(getattr(adjoin, name), int)]


@pytest.mark.parametrize("name", WITH_EXAMPLES)
def test_the_examples_of_a_module_run(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def test_the_main_entry_points_have_examples() -> None:
    assert {"adjoin.core.batch", "adjoin.core.match", "adjoin.simulation.tables"} <= set(
        WITH_EXAMPLES
    )


def examples(path: Path) -> list[str]:
    return re.findall(r"^```python\n(.*?)^```", path.read_text("utf-8"), re.S | re.M)


PAGES = [
    path
    for path in (ROOT / "README.md", *sorted((ROOT / "docs" / "pages").rglob("*.md")))
    if examples(path)
]


def test_the_readme_has_examples() -> None:
    assert ROOT / "README.md" in PAGES


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_the_examples_of_a_page_run_in_order(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    for number, block in enumerate(examples(path), 1):
        exec(compile(block, f"{path.name}, example {number}", "exec"), names)


def test_the_page_of_a_game_mentions_every_block_and_every_option(brief: Variant) -> None:
    spec = brief.match().spec
    page = adjoin.describe(brief.game, **brief.options)
    assert page == spec.describe()
    for heading in ("Actions", "Observation", "Rewards", "End", "Options", "Versions"):
        assert f"\n{heading}\n{'-' * len(heading)}\n" in page
    for block in (*spec.actions.blocks, *spec.observation.blocks):
        ids = f"{block.start}" if block.size == 1 else f"{block.start}-{block.stop - 1}"
        assert re.search(rf"^    {ids} +{block.name} .*{re.escape(block.meaning)}", page, re.M)
    assert set(spec.option_meanings) == set(spec.options)
    for name, meaning in spec.option_meanings.items():
        assert re.search(rf"^    {name} .*{re.escape(meaning)}$", page, re.M)
    for fact in (spec.title, spec.summary, spec.environment, spec.rewards, spec.end):
        assert fact in page


def documented_constants() -> set[str]:
    """Return the names whose assignment is followed by a string, in any module of the package."""
    found: set[str] = set()
    for path in Path(adjoin.__path__[0]).rglob("*.py"):
        body = ast.parse(path.read_text("utf-8")).body
        for assigned, comment in itertools.pairwise(body):
            is_text = isinstance(comment, ast.Expr) and isinstance(comment.value, ast.Constant)
            if isinstance(assigned, ast.Assign) and is_text:
                found |= {node.id for node in ast.walk(assigned) if isinstance(node, ast.Name)}
    return found


@cases("name", adjoin.__all__)
def test_a_public_name_has_a_docstring(name: str) -> None:
    if name in CONSTANTS:
        assert name in documented_constants()
        return
    thing = getattr(adjoin, name)
    assert thing.__doc__
    if inspect.isclass(thing):
        for member, value in vars(thing).items():
            if not member.startswith("_") and (callable(value) or isinstance(value, property)):
                assert inspect.getdoc(value), f"{name}.{member}"


@cases("name", [name for name in MODULES if "._" not in name])
def test_a_public_module_has_a_docstring(name: str) -> None:
    assert importlib.import_module(name).__doc__
