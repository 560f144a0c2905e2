"""What people write: names in any spelling, and tables in CSV files with every problem by row.

This module needs the standard library alone.
"""

from __future__ import annotations

import csv
import difflib
import html
import io
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

_SHOWN = 10


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
    """Return a text with single spaces, and nothing that cannot be shown or written."""
    return "".join(c for c in " ".join(text.split()) if unicodedata.category(c) not in ("Cc", "Cs"))


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


def place(where: str, name: str) -> str:
    """Return where a thing is, with its name if it has one."""
    return f"{where} ({name})" if name else where


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
        key = fold(text)
        names = {fold(thing.name): thing.name for thing in self._folded.values()}
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
) -> list[tuple[str, dict[str, str]]]:
    """Return the rows of a CSV file, each with where it is; add to the problems what is wrong.

    One column of each tuple in ``needed`` must be there; ``column`` makes its name from the header.
    Others are left out unless ``further``. Commas, semicolons or tabs separate the columns; with
    semicolons, a comma in one of the ``decimals`` is a decimal point.
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
        header, *rows = ([words(cell) for cell in row] for row in reader)
    except csv.Error as error:
        problems.append(f"{path.name}, line {reader.line_num}: {error}")
        return []
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
    path: str | os.PathLike[str], header: Iterable[str], rows: Iterable[Iterable[object]]
) -> None:
    """Write a CSV file."""
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)


def html_table(caption: str, header: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """Return a table for a notebook."""

    def row(tag: str, cells: Iterable[str]) -> str:
        return "<tr>" + "".join(f"<{tag}>{html.escape(c)}</{tag}>" for c in cells) + "</tr>"

    body = "".join(row("td", cells) for cells in rows)
    return (
        f"<table><caption>{html.escape(caption)}</caption>"
        f"<thead>{row('th', header)}</thead><tbody>{body}</tbody></table>"
    )
