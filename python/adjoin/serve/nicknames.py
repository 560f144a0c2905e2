"""Nicknames: what pupils type, made fit to be shown."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

from adjoin.support.names import fold

LONGEST = 20
_MARKS = 2
"""So many marks a letter may carry."""


def nickname(given: object, taken: Iterable[str] = ()) -> str:
    """Return a nickname without what cannot be seen; another one if it is taken.

    >>> nickname("  Zoë\\t\\u202e B. "), nickname("zoe", ["Zoë", "Zoe 2"])
    ('Zoë B.', 'zoe 3')
    """
    text = given if isinstance(given, str) else ""
    name = " ".join(_shown(unicodedata.normalize("NFC", text[:200])).split())[:LONGEST].strip()
    if not name:
        raise ValueError("Type a name: some letters, so that the others know you.")
    used = {fold(other) or other for other in taken}
    number, unlike = 1, name
    while (fold(unlike) or unlike) in used:
        number += 1
        unlike = f"{name[: LONGEST - len(str(number)) - 1].rstrip()} {number}"
    return unlike


def _shown(text: str) -> str:
    """Return a text without controls, directions, unassigned letters, and towers of marks."""
    letters: list[str] = []
    marks = 0
    for letter in text:
        kind = unicodedata.category(letter)
        marks = marks + 1 if kind in ("Mn", "Me") else 0
        if kind[0] == "Z" or letter in "\t\r\n":
            letters.append(" ")
        elif kind[0] != "C" and marks <= _MARKS:
            letters.append(letter)
    return "".join(letters)
