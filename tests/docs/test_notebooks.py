"""Every notebook says the same in both its files, and runs from top to bottom.

``UPDATE_NOTEBOOKS=1 pytest tests/docs/test_notebooks.py -k pair`` makes every ``.ipynb`` anew.
"""

from __future__ import annotations

import hashlib
import importlib
import os
import re
from pathlib import Path
from typing import Any

import pytest

from scaffold import cases, skip_without

skip_without("jupytext", "nbformat", "nbclient", "matplotlib")

FOLDER = Path(__file__).parents[2] / "notebooks"
SCRIPTS = sorted(FOLDER.glob("[0-9][0-9]_*.py"))
HEADER = """\
# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # """
MACHINE = re.compile(r"(?<![\w.])(/(home|root|tmp|work|usr|var|opt|Users)/|[A-Z]:\\)")
SECONDS = 120

SHORT = ("01_first_steps", "07_batches_and_masks", "11_classroom_uk_counties")
"""One for each kind of reader; the others run with `make test-long` and `make docs`."""


def paired(script: Path) -> Any:
    """Return the notebook that a script makes: no outputs, and ids that follow from the cells."""
    jupytext: Any = importlib.import_module("jupytext")
    nbformat: Any = importlib.import_module("nbformat")
    notebook = jupytext.read(script, fmt="py:percent")
    seen: dict[str, int] = {}
    for cell in notebook.cells:
        digest = hashlib.sha256(f"{cell.cell_type}\n{cell.source}".encode()).hexdigest()[:8]
        seen[digest] = seen.get(digest, 0) + 1
        cell.id = digest if seen[digest] == 1 else f"{digest}-{seen[digest]}"
    notebook.metadata = {
        "kernelspec": dict(notebook.metadata["kernelspec"]),
        "language_info": {"name": "python"},
    }
    notebook.nbformat, notebook.nbformat_minor = 4, 5
    nbformat.validate(notebook)
    return notebook


def written(outputs: list[Any]) -> str:
    """Return all text among the outputs of a cell."""
    streams = [output.text for output in outputs if output.output_type == "stream"]
    shown = [
        str(data)
        for output in outputs
        for kind, data in output.get("data", {}).items()
        if kind.startswith("text/")
    ]
    return "\n".join(streams + shown)


@pytest.fixture(scope="session")
def fonts() -> None:
    """Let matplotlib look for fonts now: it says so on stderr if it takes long."""
    importlib.import_module("matplotlib.font_manager")


def test_there_is_a_script_for_every_notebook() -> None:
    assert SCRIPTS
    notebooks = sorted(FOLDER.glob("*.ipynb"))
    assert os.environ.get("UPDATE_NOTEBOOKS") or [n.stem for n in notebooks] == [
        s.stem for s in SCRIPTS
    ]


def test_they_are_numbered_without_gaps() -> None:
    assert [int(script.stem[:2]) for script in SCRIPTS] == list(range(1, len(SCRIPTS) + 1))


def test_the_page_about_them_names_each() -> None:
    page = (FOLDER / "README.md").read_text(encoding="utf-8")
    assert re.findall(r"\]\((\w+)\.ipynb\)", page) == [script.stem for script in SCRIPTS]


@cases("script", SCRIPTS)
def test_a_pair_says_the_same(script: Path) -> None:
    nbformat: Any = importlib.import_module("nbformat")
    notebook = paired(script)
    path = script.with_suffix(".ipynb")
    if os.environ.get("UPDATE_NOTEBOOKS"):
        nbformat.write(notebook, path)
    assert nbformat.read(path, as_version=4) == notebook, (
        f"{path.name} is not what {script.name} makes, or has outputs: see notebooks/README.md"
    )


@cases("script", SCRIPTS)
def test_it_begins_with_a_title_and_names_no_machine(script: Path) -> None:
    text = script.read_text(encoding="utf-8")
    assert text.startswith(HEADER)
    assert not MACHINE.search(text)


@cases("script", SCRIPTS)
def test_what_it_links_to_is_there(script: Path) -> None:
    links = re.findall(r"\]\((?!http)([^)#\s]+)", script.read_text(encoding="utf-8"))
    assert [link for link in links if not (FOLDER / link).exists()] == []


@pytest.mark.parametrize(
    "script",
    [
        pytest.param(path, marks=[] if path.stem in SHORT else pytest.mark.long, id=path.stem)
        for path in SCRIPTS
    ],
)
@pytest.mark.filterwarnings("ignore")
@pytest.mark.usefixtures("fonts")
def test_it_runs(script: Path, tmp_path: Path) -> None:
    import nbclient

    notebook = paired(script)
    where = {"metadata": {"path": str(tmp_path)}}
    client = nbclient.NotebookClient(
        notebook, timeout=SECONDS, kernel_name="python3", resources=where
    )
    client.execute()
    for number, cell in enumerate(notebook.cells):
        outputs = cell.get("outputs", [])
        said = [output.text for output in outputs if output.get("name") == "stderr"]
        assert not said, f"cell {number} complains: {''.join(said)}"
        assert not MACHINE.search(written(outputs)), f"cell {number} names a path of this machine"
    assert not list(tmp_path.iterdir()), "it leaves files behind"
