"""What pupils write: names with other accents, short forms, older names and one typo.

A name is read in four steps, and the first that finds one thing wins:

1. ``fold`` of the text is a name, an other name or an abbreviation; so it is if a lead such as
   "the" or "county of" is taken off.
2. The same without spaces.
3. Names of five letters or more that are one typo away. One typo is a letter more, a letter fewer,
   another letter, or two neighbours swapped. Abbreviations take no typo.
4. Two things fit, or none: the text is not read.

The name is spelt right if it differs from ours in nothing but case, punctuation, St and Saint, &
and and, and in a lead. Another name or an abbreviation that is written out is no misspelling: it is
"also called" what we call it. An answer is never worth less for its spelling.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from adjoin._core import clean, fold

LEADS = (
    "republic of the",
    "republic of",
    "kingdom of",
    "county of",
    "state of",
    "city of",
    "county",
    "the",
    "co",
)
"""What may stand before a name; longer ones first."""

LEAST_LETTERS = 5
"""How many letters a name must have to be read in spite of a typo."""

_SEPARATORS = r"[,;>→|/\n]|\s[-–—]\s"
_LONGEST = 4000
"""How much of an answer is read."""

SHORT_NAMES: dict[str, dict[str, tuple[str, ...]]] = {
    "uk-counties": {"greater_london": ("London",)},
    "world-countries": {
        "are": ("UAE",),
        "caf": ("CAR",),
        "cod": ("DRC",),
        "gbr": ("UK",),
        "png": ("PNG",),
        "usa": ("USA",),
    },
}
"""Further abbreviations, by atlas and id."""


class Reading(NamedTuple):
    """What a text was read as: an id, or none; and our name for it if it was misspelt or another.

    ``correction`` is the right spelling, ``also_called`` our name of what has several.
    """

    text: str
    id: str | None = None
    correction: str = ""
    also_called: str = ""


@dataclass(frozen=True, repr=False)
class Book:
    """All that is needed to read and to check answers, in plain data.

    ``names`` are names by id, for each pool of names: "region", "water", "nation", "area" (a part
    of a nation, or a region of Connections) and "city". ``spellings`` and ``short`` are ids by
    folded text; in ``spellings`` one typo is allowed. ``noun`` is what a region is called, one and
    many; ``scope`` the ids of the regions that are asked about, ``where`` these in words, such as
    "in Wales".
    """

    atlas: str
    noun: tuple[str, str]
    where: str
    scope: tuple[str, ...]
    names: Mapping[str, Mapping[str, str]]
    spellings: Mapping[str, Mapping[str, str]]
    short: Mapping[str, Mapping[str, str]]
    borders: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def read(self, text: str, pool: str = "region") -> Reading:
        """Return which name of a pool a text means, and whether it was spelt right.

        >>> from adjoin.classroom.scope import Scope
        >>> book = Scope.make("uk-counties").book
        >>> book.read("east susex")
        Reading(text='east susex', id='east_sussex', correction='East Sussex', also_called='')
        >>> book.read("Tyne & Wear").correction, book.read("ynys mon").also_called
        ('', 'Anglesey')
        >>> book.read("Est Sussex").id is None  # East or West
        True
        """
        shown, folded = clean(text), fold(text)
        found = self._find(folded, pool)
        if found is None:
            return Reading(shown)
        name = self.names[pool][found]
        plain = fold(text, accents=True)
        if fold(name, accents=True) in (plain, *_without_lead(plain)):
            return Reading(shown, found)
        if folded != fold(name) and self._exact(folded, pool) is not None:
            return Reading(shown, found, also_called=name)
        return Reading(shown, found, correction=name)

    def split(self, text: str, pool: str = "region") -> list[str]:
        """Return the names in a text: between commas, slashes, arrows, line ends or "and"."""
        pieces: list[str] = []
        for piece in filter(None, map(str.strip, re.split(_SEPARATORS, text[:_LONGEST]))):
            piece = re.sub(r"^(and|&)\s+", "", piece)
            parts = re.split(r"\s+and\s+|\s*&\s*", piece)
            whole = self._find(fold(piece), pool) is not None
            pieces += [piece] if whole or len(parts) == 1 else self._parted(parts, pool)
        return [piece for piece in pieces if piece]

    def name(self, key: str, pool: str = "region") -> str:
        """Return the name with an id."""
        return self.names[pool][key]

    def _parted(self, parts: list[str], pool: str) -> list[str]:
        """Return the pieces that "and" separates; the longest names first, which may have one."""
        for number in range(len(parts), 0, -1):
            piece = " and ".join(parts[:number])
            if number == 1 or self._find(fold(piece), pool) is not None:
                return [piece, *(self._parted(parts[number:], pool) if parts[number:] else ())]
        return []

    def _exact(self, folded: str, pool: str) -> str | None:
        """Return what is written out so: a name, another name or an abbreviation."""
        spellings, short = self.spellings.get(pool, {}), self.short.get(pool, {})
        for text in (folded, *_without_lead(folded)):
            if text in spellings or text in short:
                return spellings.get(text, short.get(text))
        return None

    def _find(self, folded: str, pool: str) -> str | None:
        exact = self._exact(folded, pool)
        if exact is not None:
            return exact
        spellings, short = self.spellings.get(pool, {}), self.short.get(pool, {})
        texts = [folded, *_without_lead(folded)]
        for text in texts:
            bare = text.replace(" ", "")
            both = (*spellings.items(), *short.items())
            found = {key for known, key in both if bare and known.replace(" ", "") == bare}
            if len(found) == 1:
                return found.pop()
        near = {
            key
            for known, key in spellings.items()
            if len(known.replace(" ", "")) >= LEAST_LETTERS
            and any(is_one_typo(text, known) for text in texts)
        }
        return near.pop() if len(near) == 1 else None

    def to_json(self) -> dict[str, Any]:
        """Return the book as plain data."""
        return {
            "atlas": self.atlas,
            "noun": list(self.noun),
            "where": self.where,
            "scope": list(self.scope),
            "names": {pool: dict(names) for pool, names in self.names.items()},
            "spellings": {pool: dict(texts) for pool, texts in self.spellings.items()},
            "short": {pool: dict(texts) for pool, texts in self.short.items()},
            "leads": list(LEADS),
            "borders": {key: list(others) for key, others in self.borders.items()},
        }

    @staticmethod
    def from_json(data: Mapping[str, Any]) -> Book:
        """Return the book that ``to_json`` wrote."""
        return Book(
            data["atlas"],
            (data["noun"][0], data["noun"][1]),
            data["where"],
            tuple(data["scope"]),
            data["names"],
            data["spellings"],
            data["short"],
            {key: tuple(others) for key, others in data["borders"].items()},
        )

    def __repr__(self) -> str:
        """Return the name of the atlas."""
        return f"<Book {self.atlas}>"


class Spellings(NamedTuple):
    """The texts that stand for something: with a typo or without one, and exactly so."""

    spellings: dict[str, str]
    short: dict[str, str]


def spellings(
    things: Iterable[tuple[str, str]],
    others: Mapping[str, Iterable[str]],
    short: Iterable[tuple[str, str]] = (),
) -> Spellings:
    """Return how names may be written: ``things`` and ``short`` are ids with a text.

    Names come first: another name or an abbreviation that is somebody else's name is left out, and
    so is one that two have.
    """
    things = list(things)
    names = {fold(name): key for key, name in things}
    free = [(key, name) for key, name in things if fold(name).startswith("the ")]
    further = [(key, fold(name)[4:]) for key, name in free]
    further += [(key, fold(text)) for key, texts in others.items() for text in texts]
    accepted = {**_clear(further, names), **names}
    exact = _clear(((key, fold(text)) for key, text in short), accepted)
    return Spellings(accepted, exact)


def _clear(texts: Iterable[tuple[str, str]], taken: Mapping[str, str]) -> dict[str, str]:
    meant: dict[str, set[str]] = {}
    for key, text in texts:
        meant.setdefault(text, set()).add(key)
    return {
        text: next(iter(keys))
        for text, keys in meant.items()
        if text and len(keys) == 1 and text not in taken
    }


def is_one_typo(one: str, other: str) -> bool:
    """Return whether a letter more, a letter fewer, another letter or a swap leads to the other.

    >>> [is_one_typo("kent", text) for text in ("kend", "kentt", "knet", "kant", "kent", "cant")]
    [True, True, True, True, False, False]
    """
    if one == other or abs(len(one) - len(other)) > 1:
        return False
    at = 0
    while at < min(len(one), len(other)) and one[at] == other[at]:
        at += 1
    rest, other_rest = one[at:], other[at:]
    return (
        rest[1:] == other_rest[1:]
        or rest[1:] == other_rest
        or rest == other_rest[1:]
        or (rest[:2] == other_rest[:2][::-1] and rest[2:] == other_rest[2:])
    )


def _without_lead(folded: str) -> list[str]:
    return [folded[len(lead) + 1 :] for lead in LEADS if folded.startswith(f"{lead} ")]
