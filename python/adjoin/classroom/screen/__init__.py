"""Quizzes on the screen: in a notebook, or as a page that needs neither Python nor a network."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable
from html import escape
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any

from adjoin.classroom.areas import ClassroomError
from adjoin.classroom.quizzes import Quiz, tidy
from adjoin.data.atlas import Atlas
from adjoin.data.deck import Deck
from adjoin.playing.scripts import bundle, lean, read
from adjoin.support.extras import need

if TYPE_CHECKING:
    from adjoin.classroom.screen.widget import QuizBoard

FOLDER = Path(__file__).parent
SECONDS = 30
"""How long a class has for a question."""
_LONGEST = 3600


def quiz(
    atlas: str | Atlas | Deck | Quiz = "uk-counties",
    *,
    nations: str | Iterable[str] | None = None,
    regions: str | Iterable[str] | None = None,
    editions: str | Iterable[str] | None = None,
    kinds: str | Iterable[str] | None = None,
    questions: int | None = None,
    level: int | None = None,
    names: str | None = None,
    seed: int | str | None = None,
    pupil: str = "",
    projector: bool = False,
    seconds: float = SECONDS,
) -> QuizBoard:
    """Show a quiz in a notebook; needs ``pip install adjoin[notebook]``.

    ``atlas`` and what follows are as in ``Quiz.make``; in place of the atlas, a quiz or its code
    will do. ``pupil`` is put in as the name. When the quiz is finished, its result is in
    ``results`` of what this returns.

    With ``projector`` it is for a whole class, in very large type and without typing: the question,
    a countdown of so many ``seconds`` (0: none), the answer. Space bar, Enter, the right arrow or a
    presenter's button go on, the left arrow goes back.
    """
    asked = {
        "nations": nations,
        "regions": regions,
        "editions": editions,
        "kinds": kinds,
        "questions": questions,
        "level": level,
        "names": names,
        "seed": seed,
    }
    made = _made(atlas, {name: value for name, value in asked.items() if value is not None})
    shown = options(projector=projector, seconds=seconds)
    need("anywidget", "adjoin[notebook]")
    from adjoin.classroom.screen.widget import QuizBoard

    return QuizBoard(made, {**shown, "pupil": pupil})


def quiz_page(quiz: Quiz | str, *, projector: bool = False, seconds: float = SECONDS) -> str:
    """Return a quiz as a web page that stands alone: no Python, no network, no account.

    ``quiz`` is a quiz or its code. Pupils save their result as a file, which ``class_report``
    reads. The right answers are in the page, for the page checks them: whoever looks into the file
    finds them. ``projector`` and ``seconds`` are as in ``adjoin.classroom.quiz``.
    """
    made = quiz if isinstance(quiz, Quiz) else Quiz.from_code(quiz)
    shown = {"quiz": made.to_json(), "options": options(projector=projector, seconds=seconds)}
    return page_of(f"{made.title} · {made.code}", style(), shown, script())


def page_of(title: str, style: str, data: dict[str, Any], script: str) -> str:
    """Return a page that stands alone: ``run`` of the script gets the quiz and the options."""
    plain = json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    parts = {"TITLE": escape(title), "STYLE": style, "QUIZ": plain, "SCRIPT": lean(script)}
    return re.sub("@([A-Z]+)@", lambda found: parts[found[1]], read("page.html", FOLDER))


def save_quiz_page(
    quiz: Quiz | str,
    path: str | os.PathLike[str],
    *,
    projector: bool = False,
    seconds: float = SECONDS,
) -> Path:
    """Write the page of a quiz to a file, or to a file named after its code in a folder."""
    made = quiz if isinstance(quiz, Quiz) else Quiz.from_code(quiz)
    target = Path(path)
    if target.is_dir():
        target /= f"quiz-{made.code}{'-projector' if projector else ''}.html"
    elif target.suffix.lower() not in (".html", ".htm"):
        raise ClassroomError(f"{target.name}: the name must end in .html")
    page = quiz_page(made, projector=projector, seconds=seconds)
    target.write_text(page, encoding="utf-8")
    return target


def options(*, projector: bool, seconds: float) -> dict[str, Any]:
    """Return how a quiz is shown."""
    is_number = isinstance(seconds, int | float) and not isinstance(seconds, bool)
    if not is_number or not isfinite(seconds) or not 0 <= seconds <= _LONGEST:
        raise ClassroomError(f"seconds is from 0 (no countdown) to {_LONGEST}, got {seconds!r}")
    return {"projector": bool(projector), "seconds": seconds}


def style() -> str:
    """Return the style sheet of a quiz."""
    return "\n".join(read(name, FOLDER) for name in ("map.css", "quiz.css"))


def script() -> str:
    """Return the JavaScript module that runs a quiz."""
    return bundle("quiz.js", FOLDER)


def _made(atlas: str | Atlas | Deck | Quiz, asked: dict[str, Any]) -> Quiz:
    """Return the quiz that is meant by a quiz, its code, or what ``Quiz.make`` takes."""
    is_code = isinstance(atlas, str) and tidy(atlas).count("-") >= 3
    if not is_code and not isinstance(atlas, Quiz):
        return Quiz.make(atlas, **asked)
    if asked:
        given = ", ".join(asked)
        raise ClassroomError(f"a quiz that is made already takes no {given}: its code says that")
    return atlas if isinstance(atlas, Quiz) else Quiz.from_code(str(atlas))
