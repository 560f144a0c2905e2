"""Results without a file, in a real Chromium: the short code and the QR picture of a page."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import segno
from segno import consts

from adjoin.classroom import Quiz, Result, class_report, save_quiz_page
from adjoin.classroom.result_codes import short_code
from adjoin.classroom.screen import FOLDER
from adjoin.playing.scripts import bundle
from interfaces import in_chromium

pytestmark = in_chromium

LETTERS = 'abcXYZ 019{}":,[]'
MOST = {"L": (17, 2953), "M": (14, 2331)}
"""How many bytes the smallest and the largest picture have room for."""


@pytest.fixture(scope="module")
def engine(chromium: Any) -> Iterator[Any]:
    """A page with nothing but the modules."""
    page = chromium.new_page()
    for name, found in (("qr_code", "qrCode"), ("result_codes", "shortCode")):
        script = f"{bundle(f'{name}.js', FOLDER)}\nwindow.{found} = {found};"
        page.add_script_tag(type="module", content=script)
        page.wait_for_function(f"Boolean(window.{found})")
    yield page
    page.close()


def pictures(engine: Any, given: list[tuple[str, str]]) -> list[list[str] | None]:
    """Return QR codes of texts by level, as rows of digits."""
    code = (
        "all => all.map(([text, level]) => qrCode(text, level)?.map(row => row.join('')) ?? null)"
    )
    return list(engine.evaluate(code, given))


def read(rows: list[str]) -> list[str]:
    """Return what a picture says, read as a camera would."""
    decoder = pytest.importorskip("zxingcpp", reason="needs pip install zxing-cpp")
    numpy = pytest.importorskip("numpy")
    dark = numpy.array([[int(module) for module in row] for row in rows], dtype=numpy.uint8)
    image = numpy.kron(numpy.pad(1 - dark, 4, constant_values=1), numpy.ones((4, 4)))
    found = decoder.read_barcodes((255 * image).astype(numpy.uint8))
    return [one.text for one in found]


def test_pictures_are_as_another_program_makes_them(engine: Any) -> None:
    """With as much text as there is room for: what stands behind a shorter one is free."""
    chance = random.Random(1)
    given, wanted = [], []
    capacity: Any = consts.SYMBOL_CAPACITY
    for level in MOST:
        for version in range(1, 41):
            bits = capacity[version][consts.ERROR_MAPPING[level]]
            size = (bits - 4 - (8 if version < 10 else 16)) // 8
            text = "".join(chance.choices(LETTERS, k=size))
            options: dict[str, Any] = {
                "mode": "byte",
                "error": level,
                "mask": 3,
                "boost_error": False,
            }
            made = segno.make(text, micro=False, version=version, **options)
            given.append((text, level))
            wanted.append(["".join(map(str, row)) for row in made.matrix])
    assert pictures(engine, given) == wanted


def test_pictures_can_be_read(engine: Any) -> None:
    chance = random.Random(2)
    given = [
        ("".join(chance.choices(f"{LETTERS}é–Ŵ", k=size)), level)
        for size in (1, 5, 17, 60, 300, 700, 1000)
        for level in MOST
    ]
    found = pictures(engine, given)
    assert [read(rows) for rows in found if rows] == [[text] for text, _ in given]


def test_what_is_too_long_has_no_picture(engine: Any) -> None:
    for level, (_, most) in MOST.items():
        fits, does_not = pictures(engine, [("x" * most, level), ("x" * (most + 1), level)])
        assert fits is not None
        assert len(fits) == 177
        assert does_not is None


def test_codes_are_as_python_makes_them(engine: Any) -> None:
    chance = random.Random(3)
    given = []
    for number in range(1, 31):
        for seed in range(4):
            quiz = Quiz.make("uk-counties", questions=number, seed=seed)
            shares = [chance.choice((0, 0.25, 0.6667, 1)) for _ in range(number)]
            given.append((shares, quiz.code))
    given += [([1] * 30, "US-L+O-BSW-30L3-B0O1I"), ([0] * 30, "OWNABC-B-30-BAAAA")]
    found = engine.evaluate("all => all.map(([shares, quiz]) => shortCode(shares, quiz))", given)
    assert found == [short_code(shares, quiz) for shares, quiz in given]
    assert engine.evaluate("shortCode(Array(31).fill(1), 'X')") == ""


def test_a_pupil_hands_in_a_code_or_a_picture(chromium: Any, tmp_path: Path) -> None:
    quiz = Quiz.make("uk-counties", kinds="shared", questions=10, seed="hand in")
    context = chromium.new_context(offline=True, viewport={"width": 390, "height": 844})
    page = context.new_page()
    page.set_default_timeout(20_000)
    page.goto(save_quiz_page(quiz, tmp_path).as_uri())
    page.fill("input", "Zoë")
    page.keyboard.press("Enter")
    for _ in quiz:
        page.keyboard.press("y")
        page.keyboard.press("Enter")
    code = page.inner_text(".adjoin-short strong")
    page.click("summary:has-text('QR picture')")
    rows = page.eval_on_selector(
        ".adjoin-qr",
        """svg => {
          const size = svg.viewBox.baseVal.width;
          const rows = Array.from({ length: size - 8 }, () => Array(size - 8).fill(0));
          const drawn = svg.querySelector("path").getAttribute("d");
          for (const [, x, y, wide] of drawn.matchAll(/M(\\d+) (\\d+)h(\\d+)/g))
            rows[y - 4].fill(1, x - 4, Number(x) - 4 + Number(wide));
          return rows.map((row) => row.join(""));
        }""",
    )
    assert page.evaluate("[document.documentElement.scrollWidth, innerWidth]") == [390, 390]
    context.close()
    said = [question.answers[0] == "yes" for question in quiz]
    result = Result.from_short(code, quiz, "Zoë")
    assert [grade.is_right for grade in result.grades(quiz)] == said
    (text,) = read(rows)
    scanned = tmp_path / "scanned.txt"
    scanned.write_text(f"{text}\n{quiz.code}\nBen, {code}\n", encoding="utf-8")
    report = class_report(scanned)
    assert [(pupil.name, pupil.points) for pupil in report.pupils] == [
        ("Ben", sum(said)),
        ("Zoë", sum(said)),
    ]
    assert json.loads(text)["answers"] == [True] * 10
