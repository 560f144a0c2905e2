"""The documentation is true: examples run, and nothing public lacks a docstring.

``UPDATE_PAGES=1 pytest tests/docs/test_docs.py -k print`` writes anew what examples of pages print.
"""

from __future__ import annotations

import ast
import contextlib
import doctest
import importlib
import inspect
import io
import itertools
import os
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
        if "pip install " not in str(error):
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
PUBLIC = [
    (module, name)
    for module in MODULES
    for name in getattr(importlib.import_module(module), "__all__", ())
    if "._" not in module and module.count(".") < 2
]


@pytest.mark.parametrize("name", WITH_EXAMPLES)
def test_the_examples_of_a_module_run(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def test_the_main_entry_points_have_examples() -> None:
    assert {"adjoin.core.batch", "adjoin.core.match", "adjoin.simulation.tables"} <= set(
        WITH_EXAMPLES
    )


EXAMPLE = re.compile(r"(^```python\n(.*?)^```\n)(?:\n```text\n(.*?)^```\n)?", re.S | re.M)
"""A block of code, and what it prints if that is shown."""


def printed(code: str, name: str, names: dict[str, Any]) -> str:
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(code, name, "exec"), names)
    return "\n".join(line.rstrip() for line in out.getvalue().splitlines()) + "\n"


PAGES = [
    path
    for path in (ROOT / "README.md", *sorted((ROOT / "docs" / "pages").rglob("*.md")))
    if EXAMPLE.search(path.read_text("utf-8"))
]


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_the_examples_of_a_page_run_and_print_what_it_says(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = path.read_text("utf-8")
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    found = [
        printed(example[2], f"{path.name}, example {number}", names)
        for number, example in enumerate(EXAMPLE.finditer(text), 1)
    ]
    if os.environ.get("UPDATE_PAGES"):
        outputs = iter(found)
        path.write_text(EXAMPLE.sub(lambda block: shown(block, next(outputs)), text), "utf-8")
        return
    for example, output in zip(EXAMPLE.finditer(text), found, strict=True):
        assert example[3] in (None, output), example[2]


def shown(example: re.Match[str], output: str) -> str:
    """Return an example with what it prints now, if the page shows it."""
    return example[0] if example[3] is None else f"{example[1]}\n```text\n{output}```\n"


def test_what_the_readme_shows_and_links_to_is_there() -> None:
    text = (ROOT / "README.md").read_text("utf-8")
    links = re.findall(r"\]\(([^)#\s]+)|src=\"([^\"]+)", text)
    paths = [link or picture for link, picture in links]
    assert sum(path.startswith("docs/static/games/") for path in paths) == len(adjoin.games())
    assert [path for path in paths if not (ROOT / path).exists()] == []


@pytest.mark.parametrize("game", adjoin.games())
def test_the_picture_of_a_game_is_what_the_script_draws(
    game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(ROOT / "docs")
    scenes = importlib.import_module("scenes")
    kept = (scenes.FOLDER / f"{game}.svg").read_text("utf-8")
    assert len(kept) < 50_000
    assert kept == scenes.picture(game), "python docs/scenes.py draws them anew"


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


def test_every_public_name_has_its_place_in_the_reference(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.syspath_prepend(ROOT / "docs")
    reference = importlib.import_module("reference")
    entries = [entry for room in reference.rooms() for entry in reference.entries(room)]
    assert {module.rpartition(".")[2] for module, _ in PUBLIC} - {"adjoin"} == {
        entry.home.rpartition(".")[2] for entry in entries
    }
    assert [entry.path for entry in entries if not entry.text] == []
    assert set(adjoin.__all__) == {entry.name for entry in entries if entry.is_at_the_top}


def documented_constants() -> set[str]:
    """Return the names whose assignment is followed by a string, in any module of the package."""
    found: set[str] = set()
    for path in Path(adjoin.__path__[0]).rglob("*.py"):
        body = ast.parse(path.read_text("utf-8")).body
        for assigned, comment in itertools.pairwise(body):
            is_text = isinstance(comment, ast.Expr) and isinstance(comment.value, ast.Constant)
            if isinstance(assigned, ast.Assign | ast.AnnAssign) and is_text:
                found |= {node.id for node in ast.walk(assigned) if isinstance(node, ast.Name)}
    return found


@cases("module", dict(PUBLIC))
def test_public_names_have_docstrings(module: str) -> None:
    constants = documented_constants()
    for name in (name for where, name in PUBLIC if where == module):
        thing = getattr(importlib.import_module(module), name)
        if not inspect.isclass(thing) and not inspect.isroutine(thing):
            assert name in constants, name
            continue
        assert thing.__doc__, name
        for member, value in vars(thing).items() if inspect.isclass(thing) else ():
            is_documented = callable(value) or isinstance(value, property | classmethod)
            if not member.startswith("_") and is_documented:
                assert inspect.getdoc(value), f"{name}.{member}"


@cases("name", [name for name in MODULES if "._" not in name])
def test_a_public_module_has_a_docstring(name: str) -> None:
    assert importlib.import_module(name).__doc__
