"""What a pupil answered."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from adjoin._core import clean
from adjoin.classroom.areas import ClassroomError
from adjoin.classroom.exercises import Answer, Grade
from adjoin.classroom.quizzes import Quiz, tidy
from adjoin.classroom.result_codes import shares_of, short_code
from adjoin.data.files import read_json

FORMAT, VERSION = "adjoin classroom result", 1
_MOST_BYTES = 2_000_000
_NAMELESS = "(no name)"


class ResultError(ClassroomError):
    """A file that is no result, or is damaged; the message says what is wrong with it."""


@dataclass(frozen=True)
class Result:
    """What a pupil answered: an answer for every question, or none.

    ``answers`` are as they were given; they are graded when they are read. ``seconds`` are how long
    each took, ``hints`` how many hints were asked for; both may be empty. Of a result that was read
    out as a short code, only ``shares`` are known, what every question was worth: its answers are
    None.
    """

    pupil: str
    code: str
    answers: tuple[Answer, ...]
    seconds: tuple[float, ...] = ()
    hints: tuple[int, ...] = ()
    shares: tuple[float, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return the result as plain data."""
        plain = [list(a) if isinstance(a, list | tuple) else a for a in self.answers]
        return {
            "format": FORMAT,
            "version": VERSION,
            "code": self.code,
            "pupil": self.pupil,
            "answers": plain,
            "seconds": list(self.seconds),
            "hints": list(self.hints),
            **({"shares": list(self.shares)} if self.shares else {}),
        }

    def short(self, quiz: Quiz | None = None) -> str:
        """Return the code that a pupil reads out: what every question was worth."""
        return short_code([grade.share for grade in self.grades(quiz)], tidy(self.code))

    @staticmethod
    def from_short(code: str, quiz: Quiz | str, pupil: str = "") -> Result:
        """Return the result that a pupil has read out as a short code.

        >>> quiz = Quiz.make("uk-counties", kinds="shared", questions=3, seed=1)
        >>> Result("Ann", quiz.code, ("yes", "no", None)).short(quiz)
        'AH'
        >>> Result.from_short("a h", quiz, "Ann").shares
        (1.0, 1.0, 0.0)
        """
        made = quiz if isinstance(quiz, Quiz) else Quiz.from_code(quiz)
        try:
            shares = shares_of(code, made.code, len(made))
        except ClassroomError as error:
            raise ResultError(str(error)) from None
        return Result(clean(pupil) or _NAMELESS, made.code, (None,) * len(made), shares=shares)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the result to a file."""
        text = json.dumps(self.to_json(), indent=1, ensure_ascii=False)
        Path(path).write_text(text + "\n", encoding="utf-8")

    @staticmethod
    def load(path: str | os.PathLike[str]) -> Result:
        """Read a result; what is wrong with the file is raised in plain words."""
        place = Path(path)
        try:
            if place.stat().st_size > _MOST_BYTES:
                raise ResultError(f"{place.name}: the file is too large to be a result")
            text = place.read_text(encoding="utf-8-sig")
        except OSError as error:
            raise ResultError(f"{place.name}: {error.strerror or error}") from None
        except UnicodeDecodeError:
            raise ResultError(f"{place.name}: damaged, this is no text") from None
        try:
            data = read_json(text)
        except ValueError:
            what = "the file is empty" if not text.strip() else "damaged, cut off or changed"
            raise ResultError(f"{place.name}: {what}") from None
        return Result.from_json(data, place.name)

    @staticmethod
    def from_json(data: Any, where: str = "result") -> Result:
        """Return the result that ``to_json`` wrote, or a web page."""
        if not isinstance(data, dict) or data.get("format") != FORMAT:
            raise ResultError(f"{where}: this is not a result of a quiz")
        if data.get("version") != VERSION:
            raise ResultError(f"{where}: written by another version, {data.get('version')!r}")
        code, pupil, answers = (data.get(key) for key in ("code", "pupil", "answers"))
        if not isinstance(code, str) or not code:
            raise ResultError(f"{where}: damaged, the code of the quiz is missing")
        if not isinstance(answers, list) or not all(map(_is_answer, answers)):
            raise ResultError(f"{where}: damaged, the answers are missing or changed")
        name = clean(str(pupil)) if isinstance(pupil, str | int) else ""
        return Result(
            name or _NAMELESS,
            code,
            tuple(answers),
            _numbers(data.get("seconds"), len(answers)),
            tuple(map(int, _numbers(data.get("hints"), len(answers)))),
            tuple(min(1.0, share) for share in _numbers(data.get("shares"), len(answers))),
        )

    def grades(self, quiz: Quiz | None = None) -> tuple[Grade, ...]:
        """Return what the answers are worth; ``quiz`` saves making it from the code."""
        asked = Quiz.from_code(self.code) if quiz is None else quiz
        if quiz is not None and quiz.code != tidy(self.code):
            raise ResultError(f"{self.pupil}: the answers are to the quiz {self.code}")
        if len(self.answers) != len(asked):
            there, needed = len(self.answers), len(asked)
            raise ResultError(f"{self.pupil}: {there} answers to {needed} questions")
        if self.shares:
            worth = zip(asked.questions, self.shares, strict=True)
            return tuple(Grade(s, s == 1, explanation=q.explanation) for q, s in worth)
        both = zip(asked.questions, self.answers, strict=True)
        return tuple(question.grade(answer) for question, answer in both)


def _is_answer(answer: object) -> bool:
    if isinstance(answer, list):
        return all(isinstance(one, str | int) for one in answer)
    return answer is None or isinstance(answer, str | bool)


def _numbers(given: object, size: int) -> tuple[float, ...]:
    """Return numbers, one an answer; none if they are missing or damaged, for they are extra."""
    if not isinstance(given, list) or len(given) != size:
        return ()
    if any(isinstance(n, bool) or not isinstance(n, int | float) for n in given):
        return ()
    return tuple(given) if all(0 <= n < 1e6 for n in given) else ()
