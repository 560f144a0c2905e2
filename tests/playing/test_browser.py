"""The board in a real Chromium, played by clicking: on a page of its own, and in the front ends.

JupyterLab, Voila and marimo are tried with ``make test-long``; all need chromium.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from typing import Any

import pytest

import adjoin
from interfaces import HIT, Server, in_chromium, show_widgets
from scaffold import cases

pytestmark = in_chromium

OPTIONS: dict[str, dict[str, Any]] = {
    "mapello": {"setup": "othello"},
    "mapominoes": {"nations": ["Wales"], "table": (8, 6)},
    "metro_domino": {},
    "domiphun": {"variant": "advanced"},
    "connections": {"trading": False},
}
SHOWN: dict[str, dict[str, Any]] = {**OPTIONS, "ladder": {"you": [0, 1]}}
"""The boards of a page; that of Mapello is there twice."""
TITLES = {game: adjoin.Match(game).spec.title for game in SHOWN}
NOISE = (
    "Failed to load resource: net::ERR_",  # icons of Voila, where there is no network
    "The getter for the shared module is not a function",  # Voila and other extensions of Jupyter
)
"""Console errors that have nothing to do with the board."""


# The pages.


def cell(game: str) -> str:
    return f"import adjoin\n{game} = adjoin.play({game!r}, seed=1, **{SHOWN[game]!r})\n{game}"


@pytest.fixture(scope="module")
def servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Server]]:
    for package in ("jupyterlab", "voila", "marimo"):
        if find_spec(package) is None:
            pytest.skip(f"needs pip install {package}")
    notebooks: Any = pytest.importorskip("nbformat")
    home = tmp_path_factory.mktemp("browser")
    settings = home / "settings" / "@jupyterlab"
    for name, value in {
        "notebook-extension/tracker": {"windowingMode": "none"},
        "apputils-extension/notification": {"fetchNews": "false", "checkForUpdates": False},
    }.items():
        file = settings / f"{name}.jupyterlab-settings"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(value))
    pages = home / "pages"
    pages.mkdir()
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    cells = [notebooks.v4.new_code_cell(code) for code in (*map(cell, SHOWN), "mapello")]
    notebook = notebooks.v4.new_notebook(cells=cells, metadata=kernel)
    notebooks.write(notebook, pages / "boards.ipynb")
    app = home / "app.py"
    app.write_text(
        "import marimo\n\napp = marimo.App()\n\n\n@app.cell\ndef _():\n"
        "    import marimo as mo\n    import adjoin\n\n"
        '    mo.ui.anywidget(adjoin.play("metro_domino", seed=1))\n    return\n'
    )
    quiet = ("--no-browser", "--ip=127.0.0.1", "--ServerApp.token=", "--ServerApp.password=")
    lab = ("--allow-root", *quiet, f"--ServerApp.root_dir={pages}")
    voila = ("--no-browser", "--Voila.ip=127.0.0.1", str(pages / "boards.ipynb"))
    marimo = ("run", str(app), "--headless", "--no-token", "--host=127.0.0.1")
    running = {
        "lab": Server(home, "jupyterlab", *lab, path="/doc/tree/boards.ipynb"),
        "voila": Server(home, "voila", *voila),
        "marimo": Server(home, "marimo", *marimo),
    }
    yield running
    for server in running.values():
        server.close()


class Page:
    """A page with boards, and what went wrong on it."""

    def __init__(self, chromium: Any, address: str) -> None:
        self.errors: list[str] = []
        self.page = chromium.new_page(
            viewport={"width": 1300, "height": 1000}, reduced_motion="reduce"
        )
        self.page.set_default_timeout(60_000)
        self.page.on("pageerror", lambda error: self._note(str(error)))
        self.page.on("console", lambda line: self._note(line.text if line.type == "error" else ""))
        self.page.goto(address)

    @classmethod
    def of_boards(cls, chromium: Any) -> Page:
        """Return a page with nothing but the boards."""
        page = cls(chromium, "about:blank")
        boards = {
            game: adjoin.play(game, seed=1, **copy.deepcopy(options))
            for game, options in SHOWN.items()
        }
        show_widgets(page.page, boards, [*boards, "mapello"])
        return page

    def _note(self, error: str) -> None:
        if error and not any(noise in error for noise in NOISE):
            self.errors.append(error)

    def board(self, game: str) -> Any:
        """Return the board of a game, once it is drawn."""
        board = self.page.locator(f'.adjoin-board[aria-label="{TITLES[game]}"]').first
        board.locator("svg [data-place]").first.wait_for()
        return board

    def settle(self, board: Any, before: tuple[str, str]) -> None:
        """Wait until something has come of a click, and it is the person's turn again."""
        self.page.wait_for_function(
            "([board, number, picked]) => board.ariaBusy !== 'true' && "
            "(board.dataset.number !== number || board.dataset.picked !== picked)",
            arg=[board.element_handle(), *before],
        )

    def click(self, board: Any, place: Any) -> None:
        place.scroll_into_view_if_needed()
        point = place.evaluate(HIT)
        assert point is not None, f"{place.get_attribute('data-place')} cannot be clicked"
        self.page.mouse.click(*point)

    def play(self, game: str, moves: int) -> int:
        """Play by clicking places, or a button where there is none; return the clicks on places."""
        board, clicks = self.board(game), 0
        for _ in range(moves):
            before = now(board)
            place = board.locator(".adjoin-open:not(.adjoin-picked)").first
            if place.count() == 0 or int(before[1]) > 1:
                board.locator(".adjoin-actions button").first.click()
            else:
                self.click(board, place)
                clicks += 1
            self.settle(board, before)
        return clicks


def now(board: Any) -> tuple[str, str]:
    return board.get_attribute("data-number"), board.get_attribute("data-picked")


def said(board: Any, words: str) -> None:
    board.locator(".adjoin-message", has_text=words).wait_for()


@pytest.fixture(scope="module")
def open_page(chromium: Any, request: pytest.FixtureRequest) -> Iterator[Callable[[str], Page]]:
    pages: dict[str, Page] = {}

    def opened(host: str) -> Page:
        if host == "boards":
            return Page.of_boards(chromium)
        page = Page(chromium, request.getfixturevalue("servers")[host].address())
        if host == "lab":
            page.page.locator(".jp-Notebook .cm-content").first.wait_for()
            page.page.get_by_text("| Idle").wait_for()
            page.page.locator('.lm-MenuBar-itemLabel:text-is("Run")').click()
            page.page.locator('.lm-Menu-itemLabel:text-is("Run All Cells")').click()
        return page

    def get(host: str) -> Page:
        if host not in pages:
            pages[host] = opened(host)
        return pages[host]

    yield get
    for page in pages.values():
        page.page.close()


@pytest.fixture(params=["boards", pytest.param("lab", marks=pytest.mark.long)])
def page(open_page: Callable[[str], Page], request: pytest.FixtureRequest) -> Iterator[Page]:
    """Boards on a page of their own, or in JupyterLab."""
    page = open_page(request.param)
    yield page
    assert page.errors == []


# Playing.


@cases("game", OPTIONS)
def test_a_game_is_played_by_clicking(page: Page, game: str) -> None:
    assert page.play(game, 8) >= 3
    board = page.board(game)
    assert "seat 1 " in board.locator(".adjoin-log").inner_text()


def test_a_click_that_is_not_legal_is_explained(page: Page) -> None:
    board = page.board("mapello")
    before = now(board)
    shut = board.locator(".adjoin-place:not(.adjoin-open)")
    for place in shut.all()[:20]:
        page.click(board, place)
        said(board, "MAPE-")
        board.locator(".adjoin-answer").wait_for()
    assert now(board) == before


def test_undo_and_hint(page: Page) -> None:
    board = page.board("mapello")
    before, picture = now(board), board.locator(".adjoin-stage > svg").inner_html()
    page.play("mapello", 1)
    after = now(board)
    board.get_by_role("button", name="Undo").click()
    page.settle(board, after)
    said(board, "Taken back: ")
    assert now(board) != before
    assert board.locator(".adjoin-open").count() > 0
    assert len(board.locator(".adjoin-stage > svg").inner_html()) == len(picture)
    board.get_by_role("button", name="Hint").click()
    said(board, "Hint: ")
    assert board.locator(".adjoin-hinted").count() == 1


def dealt(page: Page, game: str, selector: str, more_than: int) -> Any:
    """Return the board of a new match in which there are more than so many of something."""
    board = page.board(game)
    while board.locator(selector).count() <= more_than:
        before = now(board)
        board.get_by_role("button", name="New match").click()
        page.settle(board, before)
    return board


def test_a_tile_is_picked_and_let_go_again(page: Page) -> None:
    board = dealt(page, "metro_domino", ".adjoin-actions button", 12)
    before = now(board)
    tiles = board.locator('.adjoin-open[data-place^="tile "]')
    page.click(board, tiles.first)
    page.settle(board, before)
    assert board.locator(".adjoin-mark-picked").count() == 1
    assert board.locator(".adjoin-mark-open").count() > 0
    page.page.keyboard.press("Escape")
    page.settle(board, (before[0], "1"))
    assert now(board) == before


def test_the_keyboard_alone_plays_a_move(page: Page) -> None:
    board, inner = page.board("mapello"), page.page
    active = "document.activeElement.dataset.place ?? ''"
    before = now(board)
    board.get_by_role("button", name="Hint").focus()
    start = ""
    while not start:  # past Undo, if there is something to take back
        inner.keyboard.press("Shift+Tab")
        start = inner.evaluate(active)
    assert start.startswith("cell ")
    label = inner.evaluate("document.activeElement.ariaLabel")
    assert label == f"{start}, can be played"
    there = [inner.evaluate(active)]
    for key, back in (("ArrowRight", "ArrowLeft"), ("ArrowDown", "ArrowUp")):
        inner.keyboard.press(key)
        there.append(inner.evaluate(active))
        inner.keyboard.press(back)
        assert inner.evaluate(active) == start
    assert len(set(there)) == 3
    inner.keyboard.press("Enter")
    page.settle(board, before)
    assert inner.evaluate(active) == start
    before = now(board)
    inner.keyboard.press("u")
    page.settle(board, before)
    said(board, "Taken back: ")
    inner.keyboard.press("h")
    said(board, "Hint: ")


def test_many_actions_are_found_by_typing(page: Page) -> None:
    board = dealt(page, "metro_domino", ".adjoin-actions button", 12)
    before = now(board)
    text = board.locator(".adjoin-actions button").last.inner_text()
    field = board.get_by_role("searchbox")
    field.fill(text)
    assert set(board.locator(".adjoin-actions button").all_inner_texts()) == {text}
    field.press("Enter")
    page.settle(board, before)


def test_domiphun_is_turned_by_a_drag(page: Page) -> None:
    board, inner = page.board("domiphun"), page.page
    picture = board.locator(".adjoin-stage > svg")
    picture.scroll_into_view_if_needed()
    box, before = picture.bounding_box(), picture.inner_html()
    inner.mouse.move(box["x"] + 300, box["y"] + 12)
    inner.mouse.down()
    inner.mouse.move(box["x"] + 220, box["y"] + 12, steps=4)
    inner.mouse.up()
    inner.wait_for_function(
        "([board, was]) => board.querySelector('.adjoin-stage > svg').innerHTML !== was",
        arg=[board.element_handle(), before],
    )
    board.get_by_role("button", name="Balance").click()
    board.locator('button[aria-pressed="true"]', has_text="Balance").wait_for()


def test_a_second_view_stays_in_step(page: Page) -> None:
    boards = page.page.locator(f'.adjoin-board[aria-label="{TITLES["mapello"]}"]')
    boards.nth(1).locator(".adjoin-stage svg").wait_for()
    page.play("mapello", 1)
    first, second = boards.all()
    assert now(second) == now(first)
    for part in (".adjoin-stage", ".adjoin-status", ".adjoin-log"):
        texts = [board.locator(part).text_content() for board in (first, second)]
        assert texts[0] == texts[1]


def test_a_curtain_falls_between_two_people_at_one_board(page: Page) -> None:
    board = page.board("ladder")
    cards = board.locator("svg [data-place]")
    own = cards.evaluate_all("places => places.map(place => place.dataset.place)")
    page.click(board, board.locator(".adjoin-open").first)
    ready = board.get_by_role("button", name="I am seat 1")
    ready.wait_for()
    assert cards.count() == 0
    assert board.locator(".adjoin-actions button").count() == 0
    ready.click()
    cards.first.wait_for()
    others = cards.evaluate_all("places => places.map(place => place.dataset.place)")
    assert not set(own) & set(others)
    board.locator(".adjoin-log", has_text="seat 0 lays the ").wait_for()


# Voila and marimo.


@pytest.mark.long
def test_voila_shows_all_five_boards_and_plays(open_page: Callable[[str], Page]) -> None:
    page = open_page("voila")
    for game in OPTIONS:
        assert page.play(game, 3) >= 1
    assert page.errors == []


@pytest.mark.long
def test_marimo_plays(open_page: Callable[[str], Page]) -> None:
    page = open_page("marimo")
    assert page.play("metro_domino", 6) >= 3
    board = page.board("metro_domino")
    board.get_by_role("button", name="Hint").click()
    said(board, "Hint: ")
    assert page.errors == []
