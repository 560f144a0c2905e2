"""Files of data: CSV tables in any dialect, and JSON, read strictly."""

from __future__ import annotations

import csv
import io
import itertools
import json
import re
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    import os

DATA = Path(__file__).parent
"""The folder of the shipped tables."""

_V = TypeVar("_V")
_SHOWN = 10
_MOST_BYTES = 2**24
_FORMULA = re.compile(r"'*[=+\-@\t\r]")
_NUMBER = re.compile(r"[+-]?[0-9]+(\.[0-9]*)?(e[+-]?[0-9]+)?", re.IGNORECASE)


class ProblemsError(ValueError):
    """What is wrong with something written: a line a problem, the first ten of them.

    ``problems`` has them all.
    """

    @property
    def problems(self) -> tuple[str, ...]:
        """Every problem, with where it is: the file and row, or the thing's number and name."""
        return self.args

    def __str__(self) -> str:
        """Return the first ten problems, one a line."""
        more = len(self.args) - _SHOWN
        return "\n".join([*self.args[:_SHOWN], *([f"and {more} more"] if more > 0 else [])])


def read_json(text: str | bytes) -> Any:
    """Return what JSON says; nesting that is too deep, or a key that is there twice, is an error.

    >>> read_json('{"a": 1, "a": 2}')
    Traceback (most recent call last):
      ...
    ValueError: the key "a" is there twice
    """

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        for key, times in Counter(key for key, _ in pairs).items():
            if times > 1:
                raise ValueError(f'the key "{key}" is there twice')
        return dict(pairs)

    try:
        return json.loads(text, object_pairs_hook=once)
    except RecursionError:
        raise ValueError("the JSON is nested too deeply") from None


def read_files(
    kind: type[ProblemsError],
    read: Callable[..., _V],
    *paths: str | os.PathLike[str] | None,
) -> _V:
    """Return what one of the core's readers makes of CSV files, or raise all that is wrong.

    Commas, semicolons or tabs separate the columns, whichever makes the most of them; with
    semicolons, a comma in a number is a decimal point.
    """
    sheets: list[tuple[str, list[list[str]], bool] | None] = []
    problems: list[str] = []
    for path in paths:
        try:
            sheets.append(None if path is None else _sheet(Path(path)))
        except ProblemsError as error:
            problems += error.problems
    if problems:
        raise kind(*problems)
    return checked(kind, read, "", *sheets)


def checked(kind: type[ProblemsError], read: Callable[..., _V], *tables: object) -> _V:
    """Return what one of the core's readers makes of tables, or raise all that is wrong."""
    try:
        return read(*tables)
    except ValueError as error:
        raise kind(*error.args) from None


def _sheet(path: Path) -> tuple[str, list[list[str]], bool]:
    """Return the name and the lines of a file, and whether a comma in it is a decimal point."""
    text = read_text(path)
    first = text.splitlines()[0]
    marks = {mark: len(next(csv.reader([first], delimiter=mark), [])) for mark in ",;\t"}
    mark = max(marks, key=lambda mark: marks[mark])
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=mark, strict=True)
    try:
        return path.name, list(reader), mark == ";"
    except csv.Error as error:
        raise ProblemsError(f"{path.name}, line {reader.line_num}: {error}") from None


def read_text(path: Path) -> str:
    """Return the text of a file, or say what is wrong with it."""
    size = path.stat().st_size
    if size > _MOST_BYTES:
        raise ProblemsError(f"{path.name}: {size:,} bytes, at most {_MOST_BYTES:,} are allowed")
    data = path.read_bytes()
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        row = data.count(b"\n", 0, error.start) + 1
        what = f'byte {data[error.start]:#04x} is not UTF-8; save the file as "CSV UTF-8"'
        raise ProblemsError(f"{path.name}, row {row}: {what}") from None
    if not text.strip():
        raise ProblemsError(f"{path.name}: the file is empty")
    return text


def write_table(
    path: str | os.PathLike[str],
    header: Iterable[str],
    rows: Iterable[Iterable[object]],
    *,
    encoding: str = "utf-8",
) -> None:
    """Write a CSV file that the core reads as it was, and no spreadsheet takes for formulas.

    With the encoding "utf-8-sig", it has the mark that tells spreadsheets how its letters are
    written.
    """
    Path(path).write_text(table_text(header, rows), encoding=encoding, newline="")


def table_text(header: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    """Return what ``write_table`` writes."""
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerows([_guarded(cell) for cell in row] for row in itertools.chain([header], rows))
    return file.getvalue()


def _guarded(cell: object) -> object:
    """Return a cell with an apostrophe before a text that a spreadsheet would reckon with."""
    is_formula = isinstance(cell, str) and _FORMULA.match(cell) and not _NUMBER.fullmatch(cell)
    return f"'{cell}" if is_formula else cell
