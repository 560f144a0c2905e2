"""What people write: names in any spelling, lists of them, and tables in CSV files."""

from __future__ import annotations

import csv
import html
import io
import itertools
import json
import re
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from adjoin._core import fold as fold
from adjoin._core import hint

if TYPE_CHECKING:
    import os

DATA = Path(__file__).parent / "data"
"""The folder of the shipped tables."""

_SHOWN = 10
_MOST_BYTES = 2**24
_FORMULA = re.compile(r"'*[=+\-@\t\r]")
_NUMBER = re.compile(r"[+-]?[0-9]+(\.[0-9]*)?(e[+-]?[0-9]+)?", re.IGNORECASE)


class UnknownNameError(KeyError):
    """Nothing has that name; the message says which names are near."""

    def __str__(self) -> str:
        """Return the message as it is."""
        return str(self.args[0])


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


# Texts.


def as_text(value: object, what: str) -> str:
    """Return a text, or refuse what is none; ``what`` is "a region" or the like."""
    if not isinstance(value, str):
        raise TypeError(f"{what} is named by a string, got {value!r}")
    return value


_PARTS = {"½": 1 / 2, "⅓": 1 / 3, "⅔": 2 / 3, "¼": 1 / 4, "¾": 3 / 4, "⅕": 1 / 5, "⅖": 2 / 5}
_PARTS |= {"⅗": 3 / 5, "⅘": 4 / 5, "⅙": 1 / 6, "⅚": 5 / 6}
_NEAR = 0.001
"""Shares are rounded to four places."""


def points(number: float) -> str:
    """Return a number of points as people write it.

    >>> points(3.5), points(2 / 3), points(7), points(0.4286)
    ('3½', '⅔', '7', '0.43')
    """
    whole, rest = divmod(number + _NEAR / 2, 1)
    sign = next((sign for sign, part in _PARTS.items() if abs(rest - part) < _NEAR), "")
    if sign:
        return f"{whole:.0f}{sign}" if whole else sign
    return f"{round(number, 2):g}"


def count(number: int, noun: str) -> str:
    """Return a number of things.

    >>> count(1, "border"), count(2, "border")
    ('1 border', '2 borders')
    """
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def listed(names: Iterable[str], word: str = "and") -> str:
    """Return names in a sentence; a comma before the last if one has the word in it.

    >>> listed(["Kent"]), listed(["Kent", "Essex", "Surrey"], "or")
    ('Kent', 'Kent, Essex or Surrey')
    >>> listed(["Fife", "Perth and Kinross", "Stirling"])
    'Fife, Perth and Kinross, and Stirling'
    """
    *first, last = names
    comma = "," if any(f" {word} " in name for name in (*first, last)) else ""
    return f"{', '.join(first)}{comma} {word} {last}" if first else last


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


# Names.


def ident(name: str) -> str:
    """Return the id that is made from a name.

    >>> ident("Tyne & Wear")
    'tyne_and_wear'
    """
    return fold(name).replace(" ", "_")


def choose(text: str, names: Iterable[str], what: str, where: str = "") -> str:
    """Return which of the names a text means; ``what`` is "an atlas" or the like."""
    known = {fold(name): name for name in names}
    found = known.get(fold(as_text(text, what)))
    if found is None:
        there = ", ".join(known.values()) or "none"
        raise UnknownNameError(f'no {what.split()[-1]} "{text}"{where}; there are {there}')
    return found


class _Named(Protocol):
    @property
    def name(self) -> str: ...


_T = TypeVar("_T", bound=_Named)
_V = TypeVar("_V")


class Index(Generic[_T]):
    """Things by what they are called; the first of two that are called the same."""

    def __init__(self, things: Iterable[tuple[_T, Iterable[str]]]) -> None:
        self._folded: dict[str, _T] = {}
        for thing, texts in things:
            for key in filter(None, map(fold, texts)):
                self._folded.setdefault(key, thing)
        squeezed = [key.replace(" ", "") for key in self._folded]
        times = Counter(squeezed)
        self._squeezed = {
            key: thing
            for key, thing in zip(squeezed, self._folded.values(), strict=True)
            if times[key] == 1
        }

    def find(self, text: str) -> _T | None:
        """Return what is called so, in spite of spaces if nothing else would be meant."""
        key = fold(text)
        found = self._folded.get(key)
        return self._squeezed.get(key.replace(" ", "")) if found is None else found

    def hint(self, text: str, **others: Index[Any]) -> str:
        """Return what to add to a message about a name that nothing here has.

        ``others`` are the indexes, by noun, of things that could have been confused with these.
        """
        for noun, other in others.items():
            if other.find(text) is not None:
                return f"; that is a {noun}"
        return hint(text, list(dict.fromkeys(thing.name for thing in self._folded.values())))


# Tables.


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
    text = _decode(path)
    first = text.splitlines()[0]
    marks = {mark: len(next(csv.reader([first], delimiter=mark), [])) for mark in ",;\t"}
    mark = max(marks, key=lambda mark: marks[mark])
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=mark, strict=True)
    try:
        return path.name, list(reader), mark == ";"
    except csv.Error as error:
        raise ProblemsError(f"{path.name}, line {reader.line_num}: {error}") from None


def _decode(path: Path) -> str:
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
    with open(path, "w", encoding=encoding, newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerows(
            [_guarded(cell) for cell in row] for row in itertools.chain([header], rows)
        )


def _guarded(cell: object) -> object:
    """Return a cell with an apostrophe before a text that a spreadsheet would reckon with."""
    is_formula = isinstance(cell, str) and _FORMULA.match(cell) and not _NUMBER.fullmatch(cell)
    return f"'{cell}" if is_formula else cell


def html_table(caption: str, header: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """Return a table for a notebook."""

    def row(tag: str, cells: Iterable[str]) -> str:
        return "<tr>" + "".join(f"<{tag}>{html.escape(c)}</{tag}>" for c in cells) + "</tr>"

    body = "".join(row("td", cells) for cells in rows)
    return (
        f"<table><caption>{html.escape(caption)}</caption>"
        f"<thead>{row('th', header)}</thead><tbody>{body}</tbody></table>"
    )
