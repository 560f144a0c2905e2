"""Builds the site: `python docs/build.py`, then open site/index.html.

The pages of `docs/pages`, the rule pages and the notebooks are gathered in one folder, what comes
from the package itself is written beside them (`games.py`, `reference.py`, `teaching.py`), and
Sphinx makes HTML of all. A warning is an error.
"""

from __future__ import annotations

import argparse
import ast
import hashlib
import os
import re
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import reference
import teaching
from markup import contents
from reference import brief, markdown

import adjoin
import games
from adjoin.playing.pages import MODULE
from adjoin.support.extras import need

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

DOCS = Path(__file__).resolve().parent
ROOT = DOCS.parent
COPIES = {
    "CHANGELOG.md": "about/changelog.md",
    "python/adjoin/data/SOURCES.md": "about/data.md",
    "notebooks/README.md": "notebooks/index.md",
    "src/registry.rs": "code/registry.rs",
    "tests/conformance/main.rs": "code/conformance.rs",
    "tests/rules/ladder.rs": "code/ladder/tests.rs",
}
"""Files of the project that are pages, or shown on one."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Build, and return the exit code: 0 if there was nothing to warn of."""
    parser = argparse.ArgumentParser(prog="docs/build.py", description="Build the site.")
    parser.add_argument("--no-notebooks", action="store_true", help="do not run the notebooks")
    parser.add_argument("--site", type=Path, default=ROOT / "site", help="default: site")
    parser.add_argument("--work", type=Path, default=ROOT / "out" / "docs", help="what is kept")
    options = parser.parse_args(arguments)
    site, work = options.site, options.work
    if site.exists() and not ((site / "objects.inv").exists() or os.listdir(site) == ["play"]):
        print(f"docs/build.py: {site} is there and is no site; nothing was done", file=sys.stderr)
        return 2
    try:
        sphinx = need("sphinx.cmd.build", "adjoin[docs]")
    except ImportError as error:
        print(f"docs/build.py: {error}", file=sys.stderr)
        return 1
    gather(work / "source", sources())
    gather(work / "extra", {page: text.encode() for page, text in teaching.to_try().items()})
    set_up_kernels(work / "ipython", has_page=MODULE.is_file())
    shutil.rmtree(work / "html", ignore_errors=True)
    code: int = sphinx.build_main(
        [
            *("-b", "html", "-c", str(DOCS), "-d", str(work / "doctrees")),
            *("--fail-on-warning", "--keep-going", "--quiet"),
            *("-D", f"nb_execution_cache_path={cache(work)}"),
            *("-D", f"html_extra_path={work / 'extra'}"),
            *(("-D", "nb_execution_mode=off") if options.no_notebooks else ()),
            *(str(work / "source"), str(work / "html")),
        ]
    )
    if code == 0:
        shutil.rmtree(site, ignore_errors=True)
        shutil.copytree(work / "html", site, ignore=shutil.ignore_patterns(".buildinfo*"))
        print(f"the site: {site / 'index.html'}")
    return code


def cache(work: Path) -> Path:
    """Return where results of notebooks are kept, for the package as it is, and forget others."""
    package = Path(adjoin.__file__).parent
    files = [path for path in sorted(package.rglob("*")) if path.is_file()]
    digest = hashlib.sha256()
    for path in files:
        if "__pycache__" not in path.parts:
            digest.update(path.relative_to(package).as_posix().encode() + path.read_bytes())
    kept = work / f"notebooks-{digest.hexdigest()[:12]}"
    for folder in work.glob("notebooks-*"):
        if folder != kept:
            shutil.rmtree(folder)
    return kept


def set_up_kernels(folder: Path, has_page: bool) -> None:
    """Let notebooks run as on any machine: without the settings of whoever builds, and quietly.

    Where there is a page to play on, boards become one.
    """
    profile = folder / "profile_default"
    startup = profile / "startup" / "board_as_page.py"
    startup.parent.mkdir(parents=True, exist_ok=True)
    startup.unlink(missing_ok=True)
    if has_page:
        shutil.copy(DOCS / startup.name, startup)
    settings = 'get_config().IPKernelApp.log_level = "ERROR"\n'
    (profile / "ipython_kernel_config.py").write_text(settings, "utf-8")
    os.environ["IPYTHONDIR"] = str(folder)


def gather(folder: Path, pages: Mapping[str, bytes]) -> None:
    """Make a folder hold these files and no others; what has not changed keeps its time."""
    for path in folder.rglob("*"):
        if path.is_file() and path.relative_to(folder).as_posix() not in pages:
            path.unlink()
    for page, content in pages.items():
        path = folder / page
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists() or path.read_bytes() != content:
            path.write_bytes(content)


def sources() -> dict[str, bytes]:
    """Return everything that Sphinx reads, by path."""
    written = {
        path.relative_to(DOCS / "pages").as_posix(): path.read_text("utf-8")
        for path in (DOCS / "pages").rglob("*.*")
    }
    written |= {page: (ROOT / path).read_text("utf-8") for path, page in COPIES.items()}
    written |= {
        f"code/ladder/{path.name}": path.read_text("utf-8")
        for path in (ROOT / "src" / "games" / "ladder").iterdir()
    }
    for page, text in written.items():
        if page.endswith(".md"):
            written[page] = re.sub(r"\]\((\.\./)+static/", "](/pictures/", text)
    written["about/built.md"] = with_modules(written["about/built.md"])
    match = adjoin.Match("ladder", seed=1)
    match.play("lay 5", "lay 8")
    written["pictures/ladder.svg"] = match.svg(0)
    notebooks = sorted((ROOT / "notebooks").glob("[0-9]*.ipynb"))
    for path in notebooks:
        text = path.read_text("utf-8")
        rules = re.sub(r"\.\./src/games/(\w+)/RULES\.md", r"../games/\1_rules.md", text)
        written[f"notebooks/{path.name}"] = rules
    written["notebooks/index.md"] += "\n" + contents(path.stem for path in notebooks) + "\n"
    written |= games.pages(ROOT) | reference.pages() | teaching.drawn()
    for path in (DOCS / "static" / "growth").glob("*.svg"):
        written[f"pictures/growth/{path.name}"] = path.read_text("utf-8")
    taken = {f"pictures/classroom/{path.name}": path for path in teaching.FOLDER.glob("*.png")}
    return {page: text.encode() for page, text in written.items()} | {
        page: path.read_bytes() for page, path in taken.items()
    }


def with_modules(page: str) -> str:
    """Put the maps of the crate and of the package into a page."""
    lines = re.findall(r"^//! (- .*)$", (ROOT / "src" / "lib.rs").read_text("utf-8"), re.M)
    crate = re.sub(r"\[(`[^`]+`)\]", r"\1", "\n".join(lines))
    return page.replace("%modules%", crate).replace("%package%", package())


def package() -> str:
    """Return the packages of the Python package and their modules, each with its first sentence."""
    lines = []
    top = Path(adjoin.__file__).parent
    for room in sorted(path.parent for path in top.glob("*/__init__.py")):
        parts = [*room.glob("*.py"), *(path.parent for path in room.glob("*/__init__.py"))]
        lines.append(f"- `{room.name}/`: {first_sentence(room)}")
        for part in sorted(part for part in parts if part.name != "__init__.py"):
            name = f"{part.name}/" if part.is_dir() else part.name
            lines.append(f"  - `{name}`: {first_sentence(part)}")
    return "\n".join(lines)


def first_sentence(module: Path) -> str:
    """Return how a module or a package begins to speak of itself."""
    file = module / "__init__.py" if module.is_dir() else module
    return markdown(brief(ast.get_docstring(ast.parse(file.read_text("utf-8")))))


if __name__ == "__main__":
    sys.exit(main())
