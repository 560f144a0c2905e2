"""Quizzes on the screen: the page and the widget, as far as Python goes."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from adjoin.classroom.areas import ClassroomError
from adjoin.classroom.pupil_result import Result
from adjoin.classroom.quizzes import CodeError, Quiz, kinds_of
from adjoin.classroom.screen import quiz, quiz_page, save_quiz_page, script
from adjoin.classroom.screen.widget import QuizBoard
from adjoin.data.atlas import Atlas
from adjoin.playing.scripts import lean
from adjoin.support.names import UnknownNameError
from scaffold import ISLAND, cases

WALES = Quiz.make("uk-counties", nations="Wales", questions=9, seed=1)
NAMES = ("</script><script>alert(1)</script>", "<b>Two</b>", "A & B", '"Four"', "Five@QUIZ@")
HOSTILE = Atlas.build(NAMES, list(pairwise(NAMES)), name="<hostile>")


def data(page: str) -> Any:
    """Return what the page is given."""
    found = re.search(r'<script id="quiz" type="application/json">(.*?)</script>', page, re.S)
    assert found is not None
    return json.loads(found[1])


# The page.


@pytest.mark.smoke
def test_the_page_has_the_whole_quiz() -> None:
    page = quiz_page(WALES)
    assert data(page) == {
        "quiz": json.loads(json.dumps(WALES.to_json())),
        "options": {"projector": False, "seconds": 30},
    }
    assert f"<title>Counties in Wales · {WALES.code}</title>" in page
    assert lean(script()) in page


def test_a_code_will_do() -> None:
    assert quiz_page(WALES.code.lower()) == quiz_page(WALES)
    with pytest.raises(CodeError, match="mistyped"):
        quiz_page(WALES.code[:-1] + ("2" if WALES.code[-1] != "2" else "3"))


def test_the_page_names_no_address() -> None:
    page = quiz_page(WALES).replace("http://www.w3.org/2000/svg", "")
    assert "://" not in page
    assert not re.search(r'(src|href)="(?!data:,")', page)
    assert not re.search(r"\b(fetch|import|XMLHttpRequest|WebSocket|sendBeacon)\b *\(", page)
    assert "default-src 'none'" in page


@cases(
    ("atlas", "regions"),
    [
        *((name, None) for name in Atlas.shipped()),
        ("uk-counties", "England"),
        ("uk-counties", "Scotland"),
        ("world-countries", "Europe"),
        ("world-countries", "Africa"),
        ("world-countries", "Asia & Australasia"),
    ],
)
def test_the_page_is_light(atlas: str, regions: str | None) -> None:
    made = Quiz.make(atlas, regions=regions, questions=150, seed=1)
    assert len(quiz_page(made).encode()) < 250_000


def test_every_atlas_with_places_has_a_map() -> None:
    uk, world = Atlas.load("uk-counties"), Atlas.load("world-countries")
    dots = Atlas.build(
        {"A": {"lon": 1, "lat": 2}, "B": {"lon": 3, "lat": 2}, "C": {"lon": 2, "lat": 4}},
        [("A", "B"), ("B", "C")],
    )
    for atlas in (uk.nation("Wales"), world.edition("Europe"), dots):
        made = Quiz.make(atlas, questions=3, seed=1)
        assert made.map is not None
        assert {r.id for r in atlas} <= set(made.map["places"])
        assert ("find" in kinds_of(atlas)) == (atlas is not dots)
        assert data(quiz_page(made))["quiz"]["map"] == json.loads(json.dumps(made.map))
    assert Quiz.make(ISLAND, questions=3, seed=1).map is None
    assert Quiz.make("world-cities", questions=3, seed=1).map is None


def test_names_cannot_break_the_page() -> None:
    made = Quiz.make(HOSTILE, questions=5, seed=1)
    page = quiz_page(made)
    assert page.count("</script>") == 2
    assert "<b>Two" not in page
    assert "@QUIZ@" in page
    assert data(page)["quiz"] == json.loads(json.dumps(made.to_json()))


@pytest.mark.parametrize("projector", [False, True])
def test_the_page_is_written_to_a_file_or_a_folder(tmp_path: Path, projector: bool) -> None:
    page = quiz_page(WALES, projector=projector, seconds=12)
    assert data(page)["options"] == {"projector": projector, "seconds": 12}
    for place in (tmp_path, tmp_path / "lesson.HTML"):
        path = save_quiz_page(WALES, place, projector=projector, seconds=12)
        assert path.read_text(encoding="utf-8") == page
    end = "-projector" if projector else ""
    named = {path.name for path in tmp_path.iterdir()}
    assert named == {"lesson.HTML", f"quiz-{WALES.code}{end}.html"}


def test_a_file_must_be_a_page(tmp_path: Path) -> None:
    with pytest.raises(ClassroomError, match=r"lesson\.pdf: the name must end in \.html"):
        save_quiz_page(WALES, tmp_path / "lesson.pdf")
    assert list(tmp_path.iterdir()) == []


@cases("seconds", [-1, 3601, float("nan"), float("inf"), True, "ten", None])
def test_seconds_that_are_none(seconds: Any) -> None:
    with pytest.raises(ClassroomError, match="seconds is from 0"):
        quiz_page(WALES, projector=True, seconds=seconds)


# The widget.


def test_the_widget_takes_a_quiz_its_code_or_what_makes_one() -> None:
    made = quiz("uk-counties", nations="Wales", questions=9, seed=1)
    for board in (made, quiz(WALES), quiz(WALES.code), quiz(f" {WALES.code.lower()} ")):
        assert isinstance(board, QuizBoard)
        assert board.code == WALES.code
        assert board.quiz == WALES.to_json()
        assert board.options == {"projector": False, "seconds": 30, "pupil": ""}
        assert board.results == []
    assert len(quiz().quiz["questions"]) == 10
    assert quiz(ISLAND, questions=4, pupil="Ann").options["pupil"] == "Ann"
    assert quiz(WALES, projector=True, seconds=0).options["projector"] is True


def test_what_is_made_already_is_not_made_otherwise() -> None:
    with pytest.raises(ClassroomError, match="takes no nations, level"):
        quiz(WALES, nations="Wales", level=1)
    with pytest.raises(ClassroomError, match="takes no questions"):
        quiz(WALES.code, questions=3)
    with pytest.raises(UnknownNameError, match='no atlas "uk-countys"; did you mean uk-counties'):
        quiz("uk-countys")


def test_results_come_back() -> None:
    board = quiz(WALES)
    answers = [list(q.answers) if q.form == "many" else None for q in WALES]
    result = Result("Ann", WALES.code, tuple(answers), hints=(0,) * 9)
    board._receive(board, {"do": "result", "what": result.to_json()}, [])
    assert board.results == [result]
    assert repr(board) == f"<QuizBoard {WALES.code}: finished 1 times>"
    board.results.clear()
    assert len(board.results) == 1


@cases(
    "content",
    [
        None,
        "result",
        {},
        {"what": []},
        {"what": {"format": "adjoin classroom result", "version": 1}},
        {"what": Result("Ann", "UK-B-10-AAAAA", (None,) * 9).to_json()},
        {"what": Result("Ann", WALES.code, (None,) * 8).to_json()},
    ],
)
def test_messages_that_are_no_results_are_left_alone(content: Any) -> None:
    board = quiz(WALES)
    board._receive(board, content, [])
    assert board.results == []


def test_pages_need_no_anywidget_and_the_widget_says_that_it_does() -> None:
    code = (
        "import sys\n"
        "sys.modules['anywidget'] = None\n"
        "from adjoin.classroom.screen import quiz, quiz_page\n"
        f"assert quiz_page({WALES.code!r})\n"
        "try:\n"
        "    quiz()\n"
        "except ImportError as error:\n"
        "    print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "this needs anywidget: pip install 'adjoin[notebook]'"
