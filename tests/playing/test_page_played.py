"""The page to play on, from disk and without a network, played by clicks as people do."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from adjoin.playing import page as make_page
from interfaces import HIT, in_chromium, with_module
from scaffold import cases

pytestmark = [*in_chromium, with_module]

LAPTOP, PHONE = (1366, 768), (390, 844)
SHORT: dict[str, dict[str, Any]] = {
    "mapello": {"size": 6, "setup": "othello"},
    "mapominoes": {"nations": ["Wales"], "rounds": 1},
    "metro_domino": {},
    "domiphun": {"variant": "advanced"},
    "connections": {"trading": False, "max_turns": 2},
}


class Screen:
    """A page in a window of some size, and what went wrong on it."""

    def __init__(self, chromium: Any, file: Path, size: tuple[int, int], **settings: Any) -> None:
        viewport = {"width": size[0], "height": size[1]}
        self.context = chromium.new_context(viewport=viewport, offline=True, **settings)
        self.errors: list[str] = []
        self.page = self.context.new_page()
        self.page.set_default_timeout(8_000)
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("console", lambda line: self.note(line.type, line.text))
        self.page.goto(file.as_uri())

    def note(self, kind: str, text: str) -> None:
        if kind in ("error", "warning"):
            self.errors.append(text)

    def choose(self, label: str, value: str) -> None:
        self.page.get_by_label(label, exact=True).first.select_option(label=value)

    def begin(self) -> Any:
        """Start what is chosen, with agents that lose no time; return the board."""
        self.choose("Pace of agents", "At once")
        self.page.get_by_role("button", name="Start").click()
        board = self.page.locator(".adjoin-board")
        board.locator("[data-place]").first.wait_for()
        return board

    def settle(self, before: tuple[str, str]) -> None:
        """Wait until something has come of a click, and it is a person's turn again."""
        self.page.wait_for_function(
            "([number, picked]) => { const board = document.querySelector('.adjoin-board');"
            "return board.ariaBusy !== 'true' && (board.dataset.number !== number"
            " || board.dataset.picked !== picked) }",
            arg=before,
        )

    def now(self) -> tuple[str, str]:
        board = self.page.locator(".adjoin-board")
        return board.get_attribute("data-number"), board.get_attribute("data-picked")

    def click(self, place: Any) -> bool:
        """Click something of the picture, if some of it is in sight."""
        place.scroll_into_view_if_needed()
        point = place.evaluate(HIT)
        if point is not None:
            self.page.mouse.click(*point)
        return point is not None

    def decide(self, board: Any) -> bool:
        """Do the next thing that is offered; return whether it was a click into the picture."""
        ready = board.locator(".adjoin-curtain button")
        if ready.is_visible():
            ready.click()
            board.locator("[data-place]").first.wait_for()
        before = self.now()
        place = board.locator(".adjoin-open:not(.adjoin-picked)").first
        clicked = place.count() > 0 and int(before[1]) < 2 and self.click(place)
        if not clicked:
            board.locator(".adjoin-actions button").first.click()
        self.settle(before)
        return clicked

    def play(self, board: Any, most: int = 600) -> int:
        """Play on to the end, or so many decisions; return the clicks into the picture."""
        clicks = 0
        for _ in range(most):
            if board.get_attribute("data-over") == "true":
                break
            clicks += self.decide(board)
        return clicks

    def close(self) -> None:
        self.context.close()
        assert self.errors == []


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Pages that begin with a game, written when they are asked for."""
    folder = tmp_path_factory.mktemp("pages")

    def written(game: str) -> Path:
        file = folder / f"{game}.html"
        if not file.exists():
            html = make_page(game, opponents="easy", seed=4, **SHORT[game])
            file.write_text(html, "utf-8")
        return file

    return written


@pytest.fixture
def opened(chromium: Any, files: Callable[[str], Path]) -> Iterator[Callable[..., Screen]]:
    screens: list[Screen] = []

    def get(game: str, size: tuple[int, int] = LAPTOP, **settings: Any) -> Screen:
        screens.append(Screen(chromium, files(game), size, **settings))
        return screens[-1]

    yield get
    for screen in screens:
        screen.close()


@cases("size", {"laptop": LAPTOP, "phone": PHONE})
@cases("game", SHORT)
def test_a_match_is_played_to_its_end_by_clicks(
    opened: Callable[..., Screen], game: str, size: str
) -> None:
    screen = opened(game, {"laptop": LAPTOP, "phone": PHONE}[size], reduced_motion="reduce")
    board = screen.begin()
    assert screen.play(board) > 3
    assert board.get_attribute("data-over") == "true"
    status = board.locator(".adjoin-status").inner_text()
    assert re.search(r"win|draw|share", status.lower()), status


def test_hand_table_and_buttons_are_seen_together(opened: Callable[..., Screen]) -> None:
    screen = opened("mapominoes")
    board = screen.begin()
    for part in (".adjoin-stage", ".adjoin-rack", ".adjoin-tools", ".adjoin-actions"):
        box = board.locator(part).bounding_box()
        assert box["height"] > 20, part
        assert box["y"] >= 0, part
        assert box["y"] + box["height"] <= LAPTOP[1], part
    assert board.locator(".adjoin-stage").bounding_box()["height"] > 250
    overflow = "document.documentElement.scrollWidth - innerWidth"
    assert screen.page.evaluate(overflow) == 0


@cases("size", {"laptop": LAPTOP, "phone": PHONE})
def test_nothing_moves_while_somebody_points_at_it(
    opened: Callable[..., Screen], size: str
) -> None:
    screen = opened("mapominoes", {"laptop": LAPTOP, "phone": PHONE}[size])
    board = screen.begin()
    where = board.locator(".adjoin-stage").bounding_box()
    told = set()
    for card in board.locator(".adjoin-hand [data-place]").all()[:6]:
        card.hover()
        told.add(board.locator(".adjoin-note").inner_text())
        assert board.locator(".adjoin-stage").bounding_box() == where
    assert sum("borders" in words for words in told) > 2


def test_a_click_that_is_not_legal_is_explained_by_its_clause(
    opened: Callable[..., Screen],
) -> None:
    screen = opened("mapello")
    board = screen.begin()
    before = screen.now()
    assert screen.click(board.locator(".adjoin-place:not(.adjoin-open)").first)
    board.locator(".adjoin-message", has_text="MAPE-").wait_for()
    assert screen.now() == before


def test_a_card_is_dragged_to_where_it_goes(opened: Callable[..., Screen]) -> None:
    screen = opened("mapominoes")
    board, mouse = screen.begin(), screen.page.mouse
    before = screen.now()
    card = board.locator('.adjoin-hand .adjoin-open[data-place^="card "]').first
    x, y = card.evaluate(HIT)
    mouse.move(x, y)
    mouse.down()
    mouse.move(x, y - 40, steps=3)
    cell = board.locator('.adjoin-stage .adjoin-open[data-place^="cell "]').first
    cell.wait_for()
    mouse.move(*cell.evaluate(HIT), steps=3)
    mouse.up()
    screen.settle(before)
    board.locator(".adjoin-log li", has_text="you play").wait_for()


def test_reload_in_the_middle_goes_on_and_so_does_a_file(
    opened: Callable[..., Screen], tmp_path: Path
) -> None:
    screen = opened("mapello")
    board = screen.begin()
    for _ in range(4):
        screen.decide(board)
    lines = board.locator(".adjoin-log li").all_inner_texts()
    with screen.page.expect_download() as download:
        board.get_by_role("button", name="Save").click()
    saved = tmp_path / "match.json"
    download.value.save_as(saved)
    screen.page.reload()
    board.locator("[data-place]").first.wait_for()
    assert board.locator(".adjoin-log li").all_inner_texts() == lines
    board.get_by_role("button", name="Menu").click()
    screen.page.get_by_label("Open a saved match").set_input_files(saved)
    board.locator("[data-place]").first.wait_for()
    assert board.locator(".adjoin-log li").all_inner_texts() == lines
    screen.decide(board)
    (bad := tmp_path / "bad.json").write_text("{}", "utf-8")
    board.get_by_role("button", name="Menu").click()
    screen.page.get_by_label("Open a saved match").set_input_files(bad)
    screen.page.get_by_text("This file is no saved match.").wait_for()
    assert screen.page.get_by_role("button", name="Go on with Mapello").is_visible()


def test_three_people_share_a_screen_and_a_film_ends_it(opened: Callable[..., Screen]) -> None:
    screen = opened("connections")
    for seat in (1, 2, 3):
        screen.choose(f"Seat {seat}", "A person")
        screen.page.get_by_label(f"name of player {seat}").fill(["Ada", "Bo", "Cy"][seat - 1])
    board = screen.begin()
    for _ in range(6):
        screen.decide(board)
    said = screen.page.get_by_role("button", name=re.compile("I am (Ada|Bo|Cy)"))
    while not said.is_visible():
        screen.decide(board)
    assert board.locator("[data-place]").count() == 0
    board.locator(".adjoin-curtain button").click()
    board.get_by_role("button", name="Film").click()
    board.locator(".adjoin-message", has_text="several people share the screen").wait_for()
    screen.play(board)
    board.get_by_role("button", name="Film").click()
    bar = screen.page.locator(".adjoin-film-bar")
    bar.get_by_role("button", name="one on").click()
    screen.page.locator("output", has_text=re.compile("^1 of ")).wait_for()
    bar.get_by_role("button", name="back to the match").click()
    assert board.is_visible()


def test_help_can_be_switched_off_and_the_sand_timer_is_called(
    opened: Callable[..., Screen],
) -> None:
    screen = opened("mapominoes")
    screen.page.clock.install()
    screen.page.get_by_label("Show moves").uncheck()
    screen.choose("Sand timer", "15 seconds")
    board = screen.begin()
    assert board.locator(".adjoin-open").count() == 0
    assert not board.locator(".adjoin-actions").is_visible()
    time = board.locator(".adjoin-time")
    assert time.is_disabled()
    screen.page.clock.run_for(16_000)
    assert time.inner_text() == "Time is up!"
    before = screen.now()
    time.click()
    screen.settle(before)
    board.locator(".adjoin-log li", has_text="you run out of time").wait_for()


def test_the_table_is_zoomed_and_panned_on_a_phone(opened: Callable[..., Screen]) -> None:
    screen = opened("mapello", PHONE, has_touch=True)
    board = screen.begin()
    svg = board.locator(".adjoin-stage > svg")
    whole = svg.get_attribute("viewBox")
    board.get_by_role("button", name="larger").click()
    near = svg.get_attribute("viewBox")
    assert near != whole
    box, mouse = svg.bounding_box(), screen.page.mouse
    mouse.move(box["x"] + 200, box["y"] + 200)
    mouse.down()
    mouse.move(box["x"] + 120, box["y"] + 160, steps=4)
    mouse.up()
    assert svg.get_attribute("viewBox") not in (near, whole)
    assert screen.now()[1] == "0"
    screen.decide(board)
    board.get_by_role("button", name="all of it").click()
    assert svg.get_attribute("viewBox") == whole
