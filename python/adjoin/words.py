"""Actions in words: what somebody does, and what there is to do."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_CELL = r"[A-Z]+\d+"
_CLAUSES = re.compile(r"\s+\(([A-Z]{4}-\d+(?:(?:, | to )(?:[A-Z]{4}-)?\d+)*)\)")

_PHRASES: dict[str, list[tuple[str, str, str]]] = {
    "mapello": [
        (r"pass", "pass", "pass"),
        (r"(wall|bonus|joker) (.+)", r"put a \1 on \2", r"put a \1 on a cell"),
        (r"finish", "finish the set-up", "finish the set-up"),
        (r"(black|white)", r"pick \1", "pick a colour"),
        (r"(.+)", r"play \1", "put a disc on a cell"),
    ],
    "mapominoes": [
        (rf"({_CELL})", r"on \1", "choose the cell"),
        (r"transit (.+)", r"play a transit card for \1", "play a transit card"),
        (r"take", "take a card", "take a card from the pile"),
        (r"challenge", "challenge", "challenge"),
        (r"let it be", "let it be", "let it be"),
        (r"(.+)", r"play \1", "play a card"),
    ],
    "metro_domino": [
        (r"(\d-\d) (.+)", r"add \1 to \2", "add a tile to a line"),
        (r"draw", "draw a tile", "draw a tile from the pile"),
        (r"keep", "keep it", "keep it"),
        (r"spend", "spend a metro token", "spend a metro token"),
        (r"stop", "stop", "stop"),
        (r"pass", "pass", "pass"),
    ],
    "domiphun": [
        (r"(\d-\d)", r"open with \1", "open with a domino"),
        (r"(\d-\d) (\w)", r"play \1 at end \2", "play a domino at an end"),
        (r"take", "take a piece", "take a piece from the pool"),
        (r"miss", "miss the turn", "miss the turn"),
        (r"star (\w)", r"close end \1 with a Starjoiner", "close an end with a Starjoiner"),
        (r"join (.+)", r"join \1", "choose the domino to join"),
        (r"plate (\d+)", r"to square \1", "choose the square to join it to"),
        (r"(.+)", r"on the side \1", "choose the side"),
    ],
    "connections": [
        (r"offer (.+) to (\+\d)", r"offer \1 to \2", "offer a card to a player"),
        (r"answer (.+)", r"answer with \1", "answer with a card"),
        (r"accept", "accept", "accept"),
        (r"no", "say no", "say no"),
        (r"set (.+)", r"lay \1 for a set", "lay a card for a set"),
        (r"play (.+)", r"play \1", "play a card"),
        (r"draw", "draw a card", "draw a card from the pile"),
        (r"take", "take the top of the discard pile", "take the top of the discard pile"),
        (r"discard (.+)", r"discard \1", "discard a card"),
        (r"invite (.+) (\+\d)", r"invite \2 to \1", "invite a player to your link"),
        (r"join", "join", "join"),
        (r"announce", "announce the end of the round", "announce the end of the round"),
        (r"pass", "pass", "pass"),
    ],
}
"""By game: what an action looks like, what it says that you do, and what kind of thing that is.
The first that fits."""


def does(game: str, seat: int, actions: Sequence[str], names: Sequence[str]) -> str:
    """Return what a seat does with some actions in succession; ``names`` are the seats' names.

    >>> does("mapominoes", 1, ["transit Irish Sea", "O12", "Antrim", "P12"], ["you", "seat 1"])
    'seat 1 plays a transit card for Irish Sea on O12, plays Antrim on P12'
    >>> does("connections", 1, ["offer Lahore to +2"], ["you", "seat 1", "seat 2"])
    'seat 1 offers Lahore to you'
    >>> does("mapello", 0, ["f5"], ["you", "seat 1"])
    'you play f5'
    """
    parts: list[tuple[str, int]] = []
    for action in actions:
        phrase = _phrase(game, action)
        if names[seat] != "you" and not continues(game, action):
            phrase = _third_person(phrase)
        if parts and continues(game, action):
            parts[-1] = (f"{parts[-1][0]} {phrase}", 1)
        elif parts and parts[-1][0] == phrase:
            parts[-1] = (phrase, parts[-1][1] + 1)
        else:
            parts.append((phrase, 1))
    said = ", ".join(text if times == 1 else f"{text} ({times} times)" for text, times in parts)
    return f"{names[seat]} {named(said, seat, names)}"


def continues(game: str, action: str) -> bool:
    """Return whether an action only says where what was chosen before goes."""
    return _phrase(game, action).startswith(("on ", "to "))


def _phrase(game: str, action: str) -> str:
    return _said(game, action)[0]


def choice(game: str, action: str) -> str:
    """Return what kind of thing an action is to do.

    >>> choice("metro_domino", "3-5 Start B")
    'add a tile to a line'
    """
    return _said(game, action)[1]


def choices(game: str, actions: Iterable[str]) -> str:
    """Return what there is to do: "play a card, or take a card from the pile"."""
    *more, last = dict.fromkeys(choice(game, action) for action in actions)
    return f"{', '.join(more)}, or {last}" if more else last


def named(action: str, seat: int, names: Sequence[str]) -> str:
    """Return an action of a seat with the others by their names.

    >>> named("offer Lahore to +2", 1, ["you", "seat 1", "seat 2"])
    'offer Lahore to you'
    """
    return re.sub(r"[+](\d)", lambda at: names[(seat + int(at[1])) % len(names)], action)


def footnoted(text: str) -> tuple[str, str]:
    """Return a text without the clauses in it, and a footnote that names them.

    >>> footnoted("a1: a disc there would flip nothing (MAPE-6)")
    ('a1: a disc there would flip nothing', 'rule MAPE-6')
    """
    clauses = list(dict.fromkeys(_CLAUSES.findall(text)))
    many = len(clauses) > 1 or " " in "".join(clauses)
    note = f"rule{'s' if many else ''} {', '.join(clauses)}" if clauses else ""
    return _CLAUSES.sub("", text), note


def addressed(text: str, you: int) -> str:
    """Return a text about a seat as it is said to the player there.

    >>> addressed("Kent: seat 0 does not hold that card", 0)
    'Kent: you do not hold that card'
    """
    for other, own in ((" does", " do"), (" has", " have"), (" is", " are"), ("", "")):
        text = re.sub(rf"\bseat {you}{other}\b", f"you{own}", text)
    return text


def _said(game: str, action: str) -> tuple[str, str]:
    if action == "timeout":
        return "run out of time", "wait"
    for pattern, phrase, kind in _PHRASES.get(game, []):
        found = re.fullmatch(pattern, action)
        if found:
            return found.expand(phrase), found.expand(kind)
    return f"play {action}", "play"


def _third_person(phrase: str) -> str:
    """Return what he or she does, from what you do."""
    verb, *rest = phrase.split(" ")
    return " ".join([verb + ("es" if verb.endswith(("s", "sh", "ch")) else "s"), *rest])
