"""What the pages for teachers show: paper, a quiz, a class report, a board.

Paper is drawn when the site is built, and a quiz page and a report are there to be tried. What only
a browser shows is kept as screenshots in docs/static/classroom: `python docs/teaching.py` takes
them with chromium and `pip install adjoin[dev]`.
"""

from __future__ import annotations

import io
import json
import random
import shutil
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import adjoin
from adjoin import classroom
from adjoin.playing.pages import MODULE
from adjoin.playing.scripts import bundle, read

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

FOLDER = Path(__file__).resolve().parent / "static" / "classroom"
QUIZ = classroom.Quiz.make(
    "uk-counties",
    nations="Wales",
    kinds=["borders", "shared", "find", "marked", "colour", "trace"],
    questions=8,
    seed="docs",
)
PUPILS = ("Aled", "Bethan", "Carys", "Dylan", "Eleri", "Ffion", "Gwen", "Huw", "Ioan", "Lowri")

BOARD = """<!doctype html><meta charset="utf-8"><style>body {{ margin: 16px; }} {css}</style>
<div id="board"></div><script type="module">
const given = {given};
{script}
render({{ model: {{ get: (name) => given[name], on() {{}}, send() {{}} }}, el: board }});
</script>"""
"""A page with a board as a notebook shows it, and no kernel."""


POINT = """(svg, [x, y]) => {
  const { a, d, e, f } = svg.getScreenCTM();
  return [a * x + e, d * y + f];
}"""
"""Where a point of a map is on the screen."""


def drawn() -> dict[str, str]:
    """Return pictures of paper, and of the tower that a page builds, by path."""
    sheets = {
        "worksheet": classroom.worksheet(QUIZ),
        "key": classroom.answer_key(QUIZ),
        "map": classroom.outline_map(nations="Wales", style="numbered"),
        "africa": classroom.outline_map("world-countries", nations="Africa", style="named"),
        "cards": classroom.county_cards(nations="Wales"),
        "cities": classroom.city_cards(),
        "bingo": classroom.bingo("uk-counties", nations="Wales", size=3, cards=4),
    }
    tower = adjoin.Match("domiphun", variant="advanced", seed=1)
    tower.play_random(20)
    found = {name: sheet.svg() for name, sheet in sheets.items()}
    found["tower"] = tower.svg(turn=1, balance=True)
    return {f"pictures/classroom/{name}.svg": svg for name, svg in found.items()}


def to_try() -> dict[str, str]:
    """Return whole pages for readers to try, by path; the games only if `make web` was there."""
    games = {"play/index.html": adjoin.playing.page()} if MODULE.is_file() else {}
    return games | {
        "try/quiz.html": classroom.quiz_page(QUIZ),
        "try/projector.html": classroom.quiz_page(QUIZ, projector=True),
        "try/report.html": report().html,
        "try/daily.html": classroom.daily_page(),
    }


def report() -> classroom.ClassReport:
    """Return what a class of invented pupils knows."""
    chance = random.Random(1)
    results = []
    for number, pupil in enumerate(PUPILS):
        answers = [answer(question, 0.35 + 0.06 * number, chance) for question in QUIZ]
        seconds = [chance.uniform(8, 40) for _ in QUIZ]
        results.append(classroom.Result(pupil, QUIZ.code, tuple(answers), tuple(seconds)))
    return classroom.class_report(results)


def answer(question: classroom.Question, skill: float, chance: random.Random) -> str:
    """Return what a pupil who knows so much would answer: a choice, or some of the names."""
    if question.ids:
        right = str(question.answers[0])
        wrong = [each for each in question.ids if each != right]
        return right if chance.random() < skill else chance.choice(wrong)
    names = question.solution().partition(" (")[0].replace(" – ", ", ").split(", ")
    return ", ".join(name for name in names if chance.random() < skill)


def board_page() -> str:
    """Return a page with a board in the middle of a match, after a click that the rules forbid."""
    match = adjoin.Match("mapello", seed=3, walls=6, bonuses=6, jokers=6)
    for _ in range(14):
        match.play(match.choose("greedy"))
    session = adjoin.playing.Session(match, [0], "easy")
    number = session.advance()["number"]
    update = session.receive({"do": "pick", "what": "cell h8", "number": number})
    script = bundle("board.js").replace("export default { render };", "")
    return BOARD.format(css=read("board.css"), given=json.dumps({"state": update}), script=script)


def answer_one(page: Any) -> None:
    """Answer the first question of a quiz wrongly, so that the page explains it."""
    page.get_by_role("textbox").first.fill("Bethan")
    page.get_by_role("button", name="Start").click()
    for wrong in ("powys", "denbighshire"):  # a way from Ceredigion to Conwy, but a longer one
        page.locator(f'[data-id="{wrong}"]').click()
    page.get_by_role("button", name="Answer", exact=True).click()


def reveal(page: Any) -> None:
    """Start a quiz on the projector and show the answer to its first question."""
    page.get_by_role("button", name="Start").click()
    page.keyboard.press("Space")


def guess_some(page: Any) -> None:
    """Make three guesses at the way of a certain day."""
    page.goto(f"{page.url.partition('#')[0]}#2026-11-18")
    page.reload()
    for name in ("Cambridgeshire", "Lincolnshire", "Norfolk"):
        page.get_by_label("Which county?").fill(name)
        page.keyboard.press("Enter")


def play_some(page: Any) -> None:
    """Play the first decisions of a match that is chosen on the page."""
    page.get_by_role("button", name="Start").click()
    for _ in range(10):
        page.wait_for_timeout(1000)
        page.locator(".adjoin-actions button").first.click()
    page.wait_for_timeout(2500)


@contextmanager
def serving() -> Iterator[str]:
    """Serve a class on this machine; yield the teacher's address."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "adjoin", "serve", "--port", "0", "--save", folder]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
            assert server.stdout is not None
            yield server.stdout.readline().split()[-1]
            server.terminate()


def opened(browser: Any, address: str, width: int, height: int) -> Any:
    """Return a page in a browser of its own."""
    page = browser.new_context(viewport={"width": width, "height": height}).new_page()
    page.goto(address)
    return page


def joined(browser: Any, address: str, size: tuple[int, int], name: str) -> Any:
    """Return the page of a pupil who has joined."""
    pupil = opened(browser, address, *size)
    pupil.fill("#name", name)
    pupil.click("#join")
    return pupil


def class_at_work(browser: Any, teacher_address: str) -> dict[str, bytes]:
    """Return what the teacher and the projector show while a class plays, by name."""
    teacher = opened(browser, teacher_address, 1180, 760)
    teacher.select_option("#game", "mapominoes")
    teacher.fill("#count", "2")
    teacher.click("#open")
    codes = teacher.locator(".room .code")
    codes.nth(1).wait_for()
    address = teacher_address.partition("/teacher")[0]
    pupils = []
    for code, name in zip([0, 0, 1], ["Bethan", "Idris", "Meera"], strict=True):
        place = f"{address}/#{codes.nth(code).inner_text()}"
        pupils.append(joined(browser, place, (900, 700), name))
    with teacher.context.expect_page() as window:
        teacher.click("#projector")
    projector = window.value
    projector.set_viewport_size({"width": 1280, "height": 720})
    teacher.click("button:has-text('Show on projector') >> nth=0")
    for _ in range(14):
        for pupil in pupils:
            pupil.wait_for_timeout(100)
            if pupil.is_visible(".adjoin-actions button >> nth=0"):
                pupil.click(".adjoin-actions button >> nth=0")
    projector.wait_for_timeout(600)
    return {"teacher": teacher.screenshot(), "projector-room": projector.screenshot()}


def live_quiz(browser: Any, teacher_address: str) -> dict[str, bytes]:
    """Return what the projector and a pupil show in a live quiz, by name."""
    quiz = classroom.Quiz.make("uk-counties", nations="Wales", kinds="find", questions=1, seed=0)
    teacher = opened(browser, teacher_address, 1180, 760)
    teacher.click("#quiz-panel > summary")
    teacher.wait_for_selector("#quiz-kinds label")
    teacher.fill("#quiz-code", quiz.code)
    teacher.click("#quiz-open")
    code = teacher.inner_text(".live-card .code")
    with teacher.context.expect_page() as window:
        teacher.click("#projector")
    projector = window.value
    projector.set_viewport_size({"width": 1280, "height": 720})
    place = f"{teacher_address.partition('/teacher')[0]}/#{code}"
    pupils = [joined(browser, place, (390, 700), name) for name in PUPILS]
    projector.wait_for_selector(f"text={len(PUPILS)} are in")
    shots = {}
    teacher.click(".live-card button.main")
    assert quiz.map is not None
    right = quiz.questions[0].answers[0]
    others = quiz.book.borders[right][:3]
    chosen = random.Random(1).choices([right, *others], [6, 2, 1, 1], k=len(pupils))
    for pupil, key in zip(pupils, chosen, strict=True):
        pupil.wait_for_selector("#quiz [role=button][data-id]")
        if pupil is pupils[-1]:
            shots["live-pupil"] = pupil.screenshot()
        at = quiz.map["places"][key]["at"]
        pupil.mouse.click(*pupil.eval_on_selector("#quiz .adjoin-map svg", POINT, at))
        pupil.click("button:has-text('Answer')")
    projector.wait_for_selector(".live-bars")
    projector.wait_for_timeout(600)
    return {**shots, "live": projector.screenshot()}


def main() -> int:
    """Take the screenshots."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        print("docs/teaching.py: needs chromium: apt install chromium", file=sys.stderr)
        return 1
    from PIL import Image
    from playwright.sync_api import sync_playwright

    shots: dict[str, tuple[str, tuple[int, int], Callable[[Any], None]]] = {
        "quiz": (to_try()["try/quiz.html"], (720, 560), answer_one),
        "projector": (to_try()["try/projector.html"], (1280, 740), reveal),
        "report": (to_try()["try/report.html"], (760, 780), lambda page: None),
        "daily": (to_try()["try/daily.html"], (1100, 640), guess_some),
        "board": (board_page(), (900, 690), lambda page: None),
        "page": (
            adjoin.playing.page("mapominoes", nations=["Wales"], seed=3),
            (1180, 660),
            play_some,
        ),
    }

    def keep(name: str, png: bytes) -> None:
        Image.open(io.BytesIO(png)).convert("RGB").quantize(64).save(
            FOLDER / f"{name}.png", optimize=True
        )

    FOLDER.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as started, tempfile.TemporaryDirectory() as place:
        browser = started.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for name, (html, (width, height), act) in shots.items():
            file = Path(place, f"{name}.html")
            file.write_text(html, "utf-8")
            page = browser.new_page(viewport={"width": width, "height": height})
            page.goto(file.as_uri())
            act(page)
            page.wait_for_timeout(300)
            keep(name, page.screenshot(full_page=name == "quiz"))
        with serving() as address:
            for take in (class_at_work, live_quiz):
                for name, png in take(browser, address).items():
                    keep(name, png)
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
