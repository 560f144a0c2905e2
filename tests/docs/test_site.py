"""The site is built without a warning; nothing on it is missing, dead, or from the network."""

from __future__ import annotations

import ast
import functools
import importlib
import inspect
import pkgutil
import re
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from types import ModuleType
from urllib.parse import unquote, urlsplit

import pytest

import adjoin
from scaffold import cases, skip_without

skip_without("sphinx", "furo", "myst_nb", "anywidget", "pettingzoo")

pytestmark = pytest.mark.long
ROOT = Path(__file__).parents[2]
HEADINGS = [
    "At a glance",
    "Play",
    "Environment",
    "Actions",
    "Observation",
    "Rewards",
    "End",
    "Options",
    "Agents",
    "Statistics",
    "Versions",
]
TRAITS = (
    "Rules",
    "Encode",
    "Fast",
    "Show",
    "Describe",
    "Heuristic",
    "Advise",
    "Statistics",
    "Inspect",
)
LOADED = {"script": "src", "link": "href", "img": "src", "iframe": "src", "source": "src"}
"""What a browser fetches by itself, and where it says from where."""


@dataclass
class Page(HTMLParser):
    """What a page has: links, what it loads, what can be linked to, headings, words."""

    path: Path
    links: list[str] = field(default_factory=list)
    loaded: list[str] = field(default_factory=list)
    ids: set[str] = field(default_factory=set)
    headings: list[str] = field(default_factory=list)
    images: list[dict[str, str]] = field(default_factory=list)
    words: str = ""
    _heading: bool = False

    def __post_init__(self) -> None:
        super().__init__()
        self.feed(self.path.read_text("utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.ids |= {given[name] for name in ("id", "name") if name in given}
        if tag == "a" and "href" in given:
            self.links.append(given["href"])
        if tag in LOADED and given.get(LOADED[tag]):
            self.loaded.append(given[LOADED[tag]])
        if tag == "img":
            self.images.append(given)
        if tag == "h2":
            self._heading = True
            self.headings.append("")

    def handle_endtag(self, tag: str) -> None:
        if tag == "h2":
            self._heading = False

    def handle_data(self, data: str) -> None:
        self.words += data
        if self._heading:
            self.headings[-1] += data.removesuffix("¶")


@dataclass(frozen=True)
class Site:
    """A built site."""

    folder: Path
    pages: dict[str, Page]

    def __getitem__(self, name: str) -> Page:
        return self.pages[f"{name}.html"]


def build(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the build as `make docs` does."""
    command = [sys.executable, str(ROOT / "docs" / "build.py"), *arguments]
    return subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Site:
    """Build everything, without running the notebooks."""
    folder = tmp_path_factory.mktemp("docs")
    done = build("--no-notebooks", "--site", f"{folder}/site", "--work", f"{folder}/work")
    assert done.returncode == 0, done.stderr
    assert "WARNING" not in done.stderr
    found = sorted((folder / "site").rglob("*.html"))
    pages = {path.relative_to(folder / "site").as_posix(): Page(path) for path in found}
    return Site(folder / "site", pages)


def test_links_lead_somewhere(site: Site) -> None:
    dead = []
    for name, page in site.pages.items():
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (page.path.parent / unquote(parts.path)).resolve() if parts.path else page.path
            where = site.pages.get(target.relative_to(site.folder.resolve()).as_posix())
            if not target.exists():
                dead.append(f"{name}: {link}")
            elif where is not None and parts.fragment and unquote(parts.fragment) not in where.ids:
                dead.append(f"{name}: {link}, no such place")
    assert not dead
    assert len(site.pages) > 30


def test_nothing_comes_from_the_network(site: Site) -> None:
    for name, page in site.pages.items():
        for loaded in page.loaded:
            parts = urlsplit(loaded)
            assert parts.scheme in ("", "data"), f"{name} loads {loaded}"
            assert not parts.netloc, f"{name} loads {loaded}"
            if not parts.scheme and not parts.path.endswith("/"):
                assert (page.path.parent / unquote(parts.path)).exists(), f"{name} misses {loaded}"
    for style in site.folder.rglob("*.css"):
        text = style.read_text("utf-8")
        assert not re.search(r"(@import\s|url\()\s*[\"']?(https?:)?//", text), style.name
    for script in site.folder.rglob("*.html"):
        assert "cdn." not in script.read_text("utf-8"), script.name


def test_the_front_page_shows_every_game(site: Site) -> None:
    front = site["index"]
    shown = {image["alt"]: image["src"] for image in front.images}
    for game in adjoin.games():
        spec = adjoin.Spec.of(game, {})
        picture = site.folder / shown[spec.title]
        assert "<svg" in picture.read_text("utf-8")
        assert f"games/{game}.html" in front.links


def test_teachers_stand_before_learners(site: Site) -> None:
    front = site["index"]
    guides = [f"guides/{guide}.html" for guide in ("classroom", "teach", "analyse", "train")]
    linked = [link for link in front.links if link in guides]
    assert list(dict.fromkeys(linked)) == guides, "in the margin"
    assert list(dict.fromkeys(linked[len(guides) :])) == guides, "and among the doors"
    for page in ("guides/classroom", "guides/teach"):
        assert site[page].images


@cases("game", adjoin.games())
def test_the_page_of_a_game_has_everything_under_fixed_headings(site: Site, game: str) -> None:
    page = site[f"games/{game}"]
    spec = adjoin.Spec.of(game, {})
    assert page.headings == HEADINGS
    words = " ".join(page.words.split())
    facts = [spec.summary, spec.environment, spec.rewards, spec.end, *spec.agents]
    for block in (*spec.actions.blocks, *spec.observation.blocks):
        facts += [block.name, block.meaning]
    for option, meaning in spec.option_meanings.items():
        facts += [option, meaning]
    for name, meaning in adjoin.simulate(game, 1).meanings.items():
        facts += [name, meaning] if not re.search(r"_[1-9]$", name) else []
    for fact in facts:
        assert plain(fact) in plain(words), fact
    assert f"{game}_rules.html" in page.links
    assert page.images[0]["alt"].startswith(spec.title)


def plain(text: str) -> str:
    """Return text without what Sphinx sets otherwise: quotes, dashes, space."""
    return re.sub(r"[\s\"'“”‘’–-]", "", text)


@cases("game", adjoin.games())
def test_every_clause_is_on_the_rule_page(site: Site, game: str) -> None:
    rules = (ROOT / "src" / "games" / game / "RULES.md").read_text("utf-8")
    clauses = re.findall(r"\*\*([A-Z]{4}-\w+)\*\*", rules)
    assert clauses
    assert all(clause in site[f"games/{game}_rules"].words for clause in clauses)


def members(thing: type) -> list[str]:
    """Return the methods and properties that a class itself has for its users."""
    kinds = (property, functools.cached_property, classmethod, staticmethod)
    return [
        name
        for name, value in vars(thing).items()
        if not name.startswith("_") and (inspect.isroutine(value) or isinstance(value, kinds))
    ]


def public_names() -> list[str]:
    """Return what rooms call public, with the members of classes, and so of their adapters."""
    found = []
    for room in pkgutil.iter_modules(adjoin.__path__, "adjoin."):
        package = importlib.import_module(room.name) if room.ispkg else None
        for name in getattr(package, "__all__", ()):
            thing = getattr(package, name)
            found.append(f"{room.name}.{name}")
            if inspect.isclass(thing):
                found += [f"{room.name}.{name}.{member}" for member in members(thing)]
        for path in adapters(package) if package is not None else ():
            found += [f"{room.name}.{path.stem}.{name}" for name in written_in(path)]
    return found


def adapters(package: ModuleType) -> list[Path]:
    """Return the modules of a room that its docstring names: they need a library each."""
    named = re.findall(r"``(?:adjoin\.\w+\.)?(\w+)``", package.__doc__ or "")
    return [path for path in Path(package.__path__[0]).glob("*.py") if path.stem in named]


def written_in(path: Path) -> list[str]:
    """Return the public names of a module and the methods of its classes, without loading it."""
    tree = ast.parse(path.read_text("utf-8")).body
    found: list[str] = []
    for node in tree:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            found += ast.literal_eval(node.value)
    for node in tree:
        if isinstance(node, ast.ClassDef) and node.name in found:
            methods = [each.name for each in node.body if isinstance(each, ast.FunctionDef)]
            found += [f"{node.name}.{name}" for name in methods if not name.startswith("_")]
    return found


def test_every_public_name_is_in_the_reference_once(site: Site) -> None:
    ids = Counter(place for page in site.pages.values() for place in page.ids)
    public = public_names()
    assert {"adjoin.core.Match.svg", "adjoin.envs.sb3.VecEnv.action_masks"} <= set(public)
    assert {"adjoin.statistics.wilson", "adjoin.reports.Chart"} <= set(public)
    assert [name for name in public if ids[name] != 1] == []
    rooms = {name.rpartition(".")[2] for name in public if name.count(".") == 2}
    assert set(adjoin.__all__) <= rooms
    index = site["reference/index"]
    assert [name for name in adjoin.__all__ if name not in index.words] == []


def test_every_command_is_in_the_reference(site: Site) -> None:
    listed = re.findall(r"^  adjoin (\w+)", site["reference/command_line"].words, re.M)
    assert {"play", "simulate", "tournament", "report"} <= set(listed)
    headings = site["reference/command_line"].headings
    assert {f"adjoin {command}" for command in listed} <= set(headings)


def test_every_notebook_is_a_page(site: Site) -> None:
    notebooks = [path.stem for path in (ROOT / "notebooks").glob("[0-9]*.ipynb")]
    assert notebooks
    for notebook in notebooks:
        assert f"{notebook}.html" in site["notebooks/index"].links


def test_the_sixth_game_is_shown_as_it_is_tested(site: Site) -> None:
    files = (ROOT / "src" / "games" / "ladder").glob("*.rs")
    code = "".join(path.read_text("utf-8") for path in files)
    shown = plain(site["guides/sixth_game"].words)
    for trait in TRAITS:
        found = re.search(rf"^impl {trait} for Ladder {{(}}|.*?^}})", code, re.S | re.M)
        assert found, trait
        assert plain(found[0])[:300] in shown, trait


def test_search_finds_words_of_every_kind_of_page(site: Site) -> None:
    search = (site.folder / "searchindex.js").read_text("utf-8")
    for page in ("guides/train", "games/mapello", "games/mapello_rules", "reference/core"):
        assert f'"{page}"' in search


def test_a_folder_that_is_no_site_stays(tmp_path: Path) -> None:
    (tmp_path / "letters.txt").write_text("mine")
    done = build("--no-notebooks", "--site", str(tmp_path), "--work", f"{tmp_path}/work")
    assert done.returncode == 2
    assert "is no site" in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["letters.txt"]


@cases("game", adjoin.games())
def test_the_examples_of_a_game_run(site: Site, game: str) -> None:
    text = (site.folder.parent / "work" / "source" / "games" / f"{game}.md").read_text("utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```", text, re.S | re.M)
    assert len(blocks) == 2
    for block in blocks:
        exec(compile(block, f"the page of {game}", "exec"), {})
