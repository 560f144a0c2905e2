"""From click to picture in a real Chromium: the page, the board of a notebook, a room of a class.

Run by hand: ``python tests/benches/clicks.py``. A click counts until the frame in which the board
shows what came of it. What is clicked is legal and ends the seat's turn or picks something; agents
are random, so that nobody is waited for. The result is also written to out/clicks.json.
"""

from __future__ import annotations

import json
import statistics
import sys
import tempfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from playwright.sync_api import sync_playwright  # noqa: E402

import adjoin  # noqa: E402
from interfaces import CHROMIUM, HIT, show_widgets  # noqa: E402
from served import Service, Teacher, run  # noqa: E402

CLICKS = 60
GAMES: dict[str, dict[str, Any]] = {
    "mapello": {"setup": "othello"},
    "mapominoes": {"rounds": 1},
    "connections": {"trading": False},
}
WATCH = """() => {
  const board = document.querySelector(".adjoin-board");
  window.took = [];
  let began = null;
  addEventListener("pointerup", () => (began = performance.now()), true);
  new MutationObserver(() => {
    if (began === null) return;
    const from = began;
    began = null;
    requestAnimationFrame(() => setTimeout(() => took.push(performance.now() - from)));
  }).observe(board, { attributeFilter: ["data-number", "data-picked"] });
}"""


def clicked(page: Any) -> list[float]:
    """Play by clicks, and return how many milliseconds each took."""
    board = page.locator(".adjoin-board")
    board.locator("[data-place]").first.wait_for()
    page.evaluate(WATCH)
    for _ in range(8 * CLICKS):
        page.wait_for_selector(".adjoin-board:not([aria-busy='true'])")
        number = page.evaluate("took.length")
        if number >= CLICKS or board.get_attribute("data-over") == "true":
            break
        places = board.locator(".adjoin-open:not(.adjoin-picked)")
        point = places.first.evaluate(HIT) if places.count() else None
        if point is not None and board.get_attribute("data-picked") in ("0", "1"):
            page.mouse.click(*point)
        elif board.locator(".adjoin-actions button").count():
            board.locator(".adjoin-actions button").first.click()
        page.wait_for_timeout(60)
    return [float(each) for each in page.evaluate("took")]


def on_page(browser: Any, game: str, options: dict[str, Any]) -> list[float]:
    """The page, from disk."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "page.html")
        file.write_text(adjoin.page(game, opponents="random", seed=1, **options), "utf-8")
        page = browser.new_page(viewport={"width": 1366, "height": 768})
        page.goto(file.as_uri())
        page.get_by_label("Pace of agents").select_option(label="At once")
        page.get_by_role("button", name="Start").click()
        return clicked(page)


def in_notebook(browser: Any, game: str, options: dict[str, Any]) -> list[float]:
    """The board of a notebook; the kernel is this process."""
    page = browser.new_page(viewport={"width": 1366, "height": 768})
    page.goto("about:blank")
    board = adjoin.play(game, opponents="random", seed=1, **options)
    show_widgets(page, {game: board}, [game])
    return clicked(page)


def in_room(browser: Any, game: str, options: dict[str, Any]) -> list[float]:
    """A room of a class, on this machine."""
    seats = adjoin.Match(game, **options).spec.seats
    sitters = ["person", *["random"] * (seats - 1)]
    with tempfile.TemporaryDirectory() as folder, closing(Service(Path(folder))) as service:

        async def opened() -> str:
            async with Teacher(service) as teacher:
                (code,) = await teacher.open_rooms(game=game, options=options, sitters=sitters)
                return code

        code = run(opened())
        page = browser.new_page(viewport={"width": 1366, "height": 768})
        page.goto(service.url)
        page.fill("#code", code)
        page.fill("#name", "Ada")
        page.click("#join")
        return clicked(page)


HOSTS: dict[str, Callable[[Any, str, dict[str, Any]], list[float]]] = {
    "page": on_page,
    "notebook": in_notebook,
    "room": in_room,
}


def main() -> int:
    """Measure, print a table, keep it."""
    kept: dict[str, Any] = {}
    with sync_playwright() as started:
        browser = started.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        for host, measure in HOSTS.items():
            for game, options in GAMES.items():
                took = sorted(measure(browser, game, options))
                late = took[min(len(took) - 1, int(0.95 * len(took)))]
                row = {"clicks": len(took), "median": statistics.median(took), "p95": late}
                kept[f"{host} {game}"] = row
                print(
                    f"{host:10} {game:12} {row['clicks']:4} clicks,"
                    f" median {row['median']:6.1f} ms, 95 % within {row['p95']:6.1f} ms"
                )
        browser.close()
    out = ROOT / "out" / "clicks.json"
    out.parent.mkdir(exist_ok=True)
    out.write_text(json.dumps(kept, indent=1), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
