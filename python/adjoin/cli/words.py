"""Actions in words, lists that fit a terminal."""

from __future__ import annotations

import re
import textwrap
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

WIDTH = 80
"""How wide a terminal is, as for the games' own texts."""

_CELL = r"[A-Z]+\d+"

_PHRASES: dict[str, list[tuple[str, str]]] = {
    "mapello": [
        (r"pass", "passes"),
        (r"(wall|bonus|joker) (.+)", r"puts a \1 on \2"),
        (r"finish", "finishes the set-up"),
        (r"(black|white)", r"picks \1"),
        (r"(.+)", r"plays \1"),
    ],
    "mapominoes": [
        (rf"({_CELL})", r"on \1"),
        (r"transit (.+)", r"plays a transit card for \1"),
        (r"take", "takes a card"),
        (r"challenge", "challenges"),
        (r"let it be", "lets it be"),
        (r"(.+)", r"plays \1"),
    ],
    "metro_domino": [
        (r"(\d-\d) (.+)", r"adds \1 to \2"),
        (r"draw", "draws a tile"),
        (r"keep", "keeps it"),
        (r"spend", "spends a metro token"),
        (r"stop", "stops"),
        (r"pass", "passes"),
    ],
    "domiphun": [
        (r"(\d-\d)", r"opens with \1"),
        (r"(\d-\d) (\w)", r"plays \1 at end \2"),
        (r"take", "takes a piece"),
        (r"miss", "misses the turn"),
        (r"star (\w)", r"closes end \1 with a Starjoiner"),
        (r"join (.+)", r"joins \1"),
        (r"plate (\d+)", r"to square \1"),
        (r"(.+)", r"on the side \1"),
    ],
    "connections": [
        (r"offer (.+) to (\+\d)", r"offers \1 to \2"),
        (r"answer (.+)", r"answers with \1"),
        (r"accept", "accepts"),
        (r"no", "says no"),
        (r"set (.+)", r"lays \1 for a set"),
        (r"play (.+)", r"plays \1"),
        (r"draw", "draws a card"),
        (r"take", "takes the top of the discard pile"),
        (r"discard (.+)", r"discards \1"),
        (r"invite (.+) (\+\d)", r"invites \2 to \1"),
        (r"join", "joins"),
        (r"announce", "announces the end of the round"),
        (r"pass", "passes"),
    ],
}
"""By game: what an action looks like, and what a player who takes it does. The first that fits."""


def does(game: str, seat: int, actions: Sequence[str], names: Sequence[str]) -> str:
    """Return what a seat does with some actions in succession; ``names`` are the seats' names.

    >>> does("mapominoes", 1, ["transit Irish Sea", "O12", "Antrim", "P12"], ["you", "seat 1"])
    'seat 1 plays a transit card for Irish Sea on O12, plays Antrim on P12'
    >>> does("connections", 1, ["offer Lahore to +2"], ["you", "seat 1", "seat 2"])
    'seat 1 offers Lahore to you'
    """
    parts: list[tuple[str, int]] = []
    for action in actions:
        phrase = _phrase(game, action)
        if parts and continues(game, action):
            parts[-1] = (f"{parts[-1][0]} {phrase}", 1)
        elif parts and parts[-1][0] == phrase:
            parts[-1] = (phrase, parts[-1][1] + 1)
        else:
            parts.append((phrase, 1))
    said = ", ".join(text if times == 1 else f"{text} ({times} times)" for text, times in parts)

    def name(places: re.Match[str]) -> str:
        return names[(seat + int(places[1])) % len(names)]

    return f"{names[seat]} {re.sub(r'[+]([0-9])', name, said)}"


def continues(game: str, action: str) -> bool:
    """Return whether an action only says where what was chosen before goes."""
    return _phrase(game, action).startswith(("on ", "to "))


def _phrase(game: str, action: str) -> str:
    for pattern, phrase in _PHRASES.get(game, []):
        found = re.fullmatch(pattern, action)
        if found:
            return found.expand(phrase)
    return f"plays {action}"


def listed(names: Sequence[str]) -> str:
    """Return "a", "a and b", "a, b and c"."""
    return " and ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))


def wrapped(text: str, indent: str = "") -> str:
    """Return a sentence in lines that fit; those after the first are indented by two more."""
    return textwrap.fill(text, WIDTH, initial_indent=indent, subsequent_indent=f"{indent}  ")


def columns(cells: Sequence[str]) -> list[str]:
    """Return texts in as many columns as fit, downwards."""
    if not cells:
        return []
    width = max(map(len, cells)) + 2
    rows = -(-len(cells) // max(1, (WIDTH - 2) // width))
    lines = ("".join(cell.ljust(width) for cell in cells[row::rows]) for row in range(rows))
    return [f"  {line.rstrip()}" for line in lines]
