"""What people write: names in any spelling, and tables in CSV files with every problem by row.

This module needs the standard library alone.
"""

from __future__ import annotations

import csv
import difflib
import functools
import html
import io
import itertools
import json
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

if TYPE_CHECKING:
    import os

DATA = Path(__file__).parent / "data"
"""The folder of the shipped tables."""

MAX_NAME = 100
"""How many characters a name may have."""

MAX_HINTS = 50
"""How many names that nobody has are compared with all others, of those in a table."""

_SHOWN = 10
_MOST_BYTES = 2**24
_HIDDEN = ("Cc", "Cf", "Cs")
_JOINERS = "\u200c\u200d"
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


def words(text: str) -> str:
    """Return a text with single spaces, and nothing that cannot be shown or written.

    Control characters go, and those that change how others show, such as U+202E; joiners stay,
    which some languages spell with.
    """

    def is_shown(c: str) -> bool:
        return c.isspace() or c in _JOINERS or unicodedata.category(c) not in _HIDDEN

    return " ".join("".join(filter(is_shown, text)).split())


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


def listed(names: Sequence[str]) -> str:
    """Return "a", "a and b", "a, b and c"."""
    return " and ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))


def place(where: str, name: str) -> str:
    """Return where a thing is, with its name if it has one."""
    shown = name if len(name) <= MAX_NAME else f"{name[:MAX_NAME]}…"
    return f"{where} ({shown})" if name else where


def too_long(what: str, text: str) -> str:
    """Return what is wrong with a name that has too many characters; of others, nothing."""
    if len(text) <= MAX_NAME:
        return ""
    return f"the {what} is {len(text)} characters long, at most {MAX_NAME} are allowed"


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


def fold(text: str) -> str:
    """Return a name without what people write differently: two names are the same if this is.

    >>> fold(" St. Kitts & Nevis "), fold("saint-kitts and NEVIS")
    ('st kitts and nevis', 'st kitts and nevis')
    >>> fold("Türkiye")
    'turkiye'
    """
    letters = (c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))
    parts = re.split(r"[\W_]+", "".join(letters).lower().replace("&", " and "))
    return " ".join("st" if part == "saint" else part for part in parts if part)


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


def claim(taken: dict[str, str], where: str, called: Mapping[str, str]) -> str:
    """Take all that the thing at a place is called, or return the first problem with that.

    ``taken`` has the places by folded name.
    """
    for what, text in called.items():
        long = too_long(what, text)
        if long:
            return long
        key = fold(text)
        other = taken.setdefault(key, where) if key else ""
        if other == where:
            continue
        if other:
            return f'the {what} "{text}" is taken by {other}'
        return f'the {what} "{text}" has no letter and no digit' if text else f"the {what} is empty"
    return ""


class _Named(Protocol):
    @property
    def name(self) -> str: ...


_T = TypeVar("_T", bound=_Named)


class Index(Generic[_T]):
    """Things by what they are called; the first of two that are called the same.

    ``hints`` is how many hints it searches for; without it, for all.
    """

    def __init__(
        self, things: Iterable[tuple[_T, Iterable[str]]], hints: int | None = None
    ) -> None:
        self._hints = hints
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

    @functools.cached_property
    def _names(self) -> dict[str, str]:
        return {fold(thing.name): thing.name for thing in self._folded.values()}

    def hint(self, text: str, **others: Index[Any]) -> str:
        """Return what to add to a message about a name that nothing here has.

        ``others`` are the indexes, by noun, of things that could have been confused with these.
        """
        for noun, other in others.items():
            if other.find(text) is not None:
                return f"; that is a {noun}"
        if len(text) > MAX_NAME or self._hints == 0:
            return ""
        if self._hints is not None:
            self._hints -= 1
        key, names = fold(text), self._names
        inside = [name for name in names if f" {key} " in f" {name} "]
        close = difflib.get_close_matches(key, names, n=3, cutoff=0.7)
        near = [names[name] for name in dict.fromkeys([*inside, *close])][:3]
        meant = " or ".join(filter(None, [", ".join(near[:-1]), *near[-1:]]))
        return f"; did you mean {meant}?" if meant else ""


# Tables.


def read_table(
    path: Path,
    needed: Sequence[tuple[str, ...]],
    problems: list[str],
    *,
    column: Callable[[str], str] = str.lower,
    further: bool = False,
    decimals: Sequence[str] = (),
    most: tuple[int, str] = (_MOST_BYTES, "rows"),
) -> list[tuple[str, dict[str, str]]]:
    """Return the rows of a CSV file, each with where it is; add to the problems what is wrong.

    One column of each tuple in ``needed`` must be there; ``column`` makes its name from the header.
    Others are left out unless ``further``. Commas, semicolons or tabs separate the columns; with
    semicolons, a comma in one of the ``decimals`` is a decimal point. ``most`` is how many rows
    there may be, and what a row is; of a file with more, nothing is read.
    """

    def missing(header: Iterable[str]) -> list[tuple[str, ...]]:
        columns = {column(words(cell)) for cell in header}
        return [names for names in needed if columns.isdisjoint(names)]

    text = _decode(path, problems)
    if not text:
        return []
    first = text.splitlines()[0].replace('"', "")
    delimiter = min(",;\t", key=lambda mark: len(missing(first.split(mark))))
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    try:
        lines = list(reader)
    except csv.Error as error:
        problems.append(f"{path.name}, line {reader.line_num}: {error}")
        return []
    filled = sum(any(map(str.strip, line)) for line in lines[1:])
    if filled > most[0]:
        problems.append(f"{path.name}: {filled} {most[1]}, at most {most[0]} are allowed")
        return []
    header, *rows = ([_unguarded(words(cell)) for cell in line] for line in lines)
    columns = [column(cell) for cell in header]
    there = ", ".join(filter(None, columns)) or "none"
    for names in missing(header):
        listed = '" or "'.join(names)
        problems.append(f'{path.name}: no column "{listed}"; the columns are {there}')
    known = {name for names in needed for name in names}
    kept = [name if further or name in known else "" for name in columns]
    for name, times in Counter(kept).items():
        if name and times > 1:
            problems.append(f'{path.name}: {times} columns "{name}"')
    found = []
    for number, fields in enumerate(rows, 2):
        where = f"{path.name}, row {number}"
        if not any(fields):
            continue
        if len(fields) != len(columns):
            problems.append(f"{where}: {count(len(fields), 'field')}, expected {len(columns)}")
            continue
        pairs = list(zip(kept, fields, strict=True))
        if further and any(cell and not name for name, cell in pairs):
            problems.append(f"{where}: a value in a column without a name")
        cells = {name: cell for name, cell in pairs if name}
        if delimiter == ";":
            cells.update({key: cells[key].replace(",", ".") for key in decimals if key in cells})
        found.append((where, cells))
    return found


def _decode(path: Path, problems: list[str]) -> str:
    size = path.stat().st_size
    if size > _MOST_BYTES:
        problems.append(f"{path.name}: {size:,} bytes, at most {_MOST_BYTES:,} are allowed")
        return ""
    data = path.read_bytes()
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        row = data.count(b"\n", 0, error.start) + 1
        what = f'byte {data[error.start]:#04x} is not UTF-8; save the file as "CSV UTF-8"'
        problems.append(f"{path.name}, row {row}: {what}")
        return ""
    if not text.strip():
        problems.append(f"{path.name}: the file is empty")
        return ""
    return text


def write_table(
    path: str | os.PathLike[str],
    header: Iterable[str],
    rows: Iterable[Iterable[object]],
    *,
    encoding: str = "utf-8",
) -> None:
    """Write a CSV file that ``read_table`` reads as it was, and no spreadsheet takes for formulas.

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


def _unguarded(cell: str) -> str:
    """Return a cell without the apostrophe that guards it."""
    return cell[1:] if cell.startswith("'") and _FORMULA.match(cell) else cell


def html_table(caption: str, header: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """Return a table for a notebook."""

    def row(tag: str, cells: Iterable[str]) -> str:
        return "<tr>" + "".join(f"<{tag}>{html.escape(c)}</{tag}>" for c in cells) + "</tr>"

    body = "".join(row("td", cells) for cells in rows)
    return (
        f"<table><caption>{html.escape(caption)}</caption>"
        f"<thead>{row('th', header)}</thead><tbody>{body}</tbody></table>"
    )
