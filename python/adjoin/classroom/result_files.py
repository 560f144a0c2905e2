"""What pupils hand in: files with their results, and lists of names with short codes."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from adjoin.classroom.areas import ClassroomError
from adjoin.classroom.pupil_result import Result, ResultError
from adjoin.classroom.quizzes import CodeError, Quiz, tidy
from adjoin.data.atlas import Atlas
from adjoin.data.deck import Deck
from adjoin.data.files import ProblemsError, read_json, read_text
from adjoin.support.names import fold

_LISTS = (".txt", ".csv")
_HEADERS = ("name", "pupil", "names", "pupils")
_TABLE = "pupil,points,percent"
"""How a table begins that a report has written."""


def files_in(folder: Path) -> list[Path]:
    """Return the files of a folder that may have results in them."""
    files = [file for file in sorted(folder.iterdir()) if file.suffix.lower() in (".json", *_LISTS)]
    return [file for file in files if not _is_table(file)]


def _is_table(file: Path) -> bool:
    if file.suffix.lower() != ".csv":
        return False
    with file.open("rb") as stream:
        return _TABLE.encode() in stream.read(len(_TABLE) + 3)


def collected(
    source: str | os.PathLike[str] | Iterable[str | os.PathLike[str] | Result],
    problems: list[str],
    code: str | None = None,
    atlas: Atlas | Deck | None = None,
) -> list[tuple[str, Result]]:
    """Return results, each with where it comes from; what cannot be read is added to the problems.

    ``code`` is the quiz of lists that do not name one.
    """
    given: Iterable[str | os.PathLike[str] | Result]
    if isinstance(source, str | os.PathLike):
        place = Path(source)
        if not place.exists():
            raise ClassroomError(f"there is no file or folder {place}")
        given = files_in(place) if place.is_dir() else [place]
        if not given:
            ends = ", ".join((".json", *_LISTS))
            raise ClassroomError(f"no results in {place}: it has no files that end in {ends}")
    else:
        given = list(source)
    found: list[tuple[str, Result]] = []
    for number, one in enumerate(given, 1):
        if isinstance(one, Result):
            found.append((f"result {number}", one))
        elif Path(one).suffix.lower() in _LISTS:
            found += _listed(Path(one), problems, code, atlas)
        else:
            try:
                found.append((Path(one).name, Result.load(one)))
            except ResultError as error:
                problems.append(str(error))
    return found


def _listed(
    path: Path, problems: list[str], code: str | None, atlas: Atlas | Deck | None
) -> Iterator[tuple[str, Result]]:
    """Yield the results of a list: a name and a short code a line, or a result as it was scanned.

    A line with nothing but the code of a quiz says which quiz the lines below it are of.
    """
    try:
        lines = read_text(path).splitlines()
    except ProblemsError as error:
        problems += error.problems
        return
    except OSError as error:
        problems.append(f"{path.name}: {error.strerror or error}")
        return
    quiz = None if code is None else Quiz.from_code(code, atlas)
    for number, line in enumerate(lines, 1):
        where = f"{path.name}, line {number}"
        text = line.strip(" \t,;")
        name, last = _parted(text)
        if not text or (not name and fold(last) in _HEADERS) or fold(name) in _HEADERS:
            continue
        try:
            if text.startswith("{"):
                yield where, Result.from_json(_read(text), where)
            elif not name and tidy(last).count("-") >= 3:
                quiz = Quiz.from_code(last, atlas)
            elif quiz is None:
                raise ResultError("which quiz? Write its code into a line above, or give it")
            elif not name:
                raise ResultError(f'"{last}": a name, a comma and a result code are expected')
            else:
                yield where, Result.from_short(last, quiz, name)
        except (ResultError, CodeError) as error:
            words = str(error)
            problems.append(words if words.startswith(where) else f"{where}: {words}")


def _parted(text: str) -> tuple[str, str]:
    """Return what stands before the last comma, semicolon or tab, and what after it."""
    name, mark, last = re.sub(r"[;\t]", ",", text).rpartition(",")
    return (name.strip(" ,\"'"), last.strip(" \"'")) if mark else ("", last.strip(" \"'"))


def _read(text: str) -> object:
    try:
        return read_json(text)
    except ValueError:
        return None


def known(
    results: list[tuple[str, Result]], problems: list[str], atlas: Atlas | Deck | None
) -> list[tuple[str, Result]]:
    """Return the results whose codes stand for a quiz; others are added to the problems."""
    wrong: dict[str, str] = {}
    for _, result in results:
        code = tidy(result.code)
        if code not in wrong:
            try:
                Quiz.from_code(code, atlas)
                wrong[code] = ""
            except CodeError as error:
                wrong[code] = str(error)
    problems += (f"{w}: {why}" for w, result in results if (why := wrong[tidy(result.code)]))
    return [(w, result) for w, result in results if not wrong[tidy(result.code)]]
