"""What can be typed after ``adjoin``, as its parsers know it."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass

from adjoin import core
from adjoin.cli.parsers import Parser
from adjoin.core.spec import Spec, games
from adjoin.data.atlas import Atlas


@dataclass(frozen=True)
class Value:
    """What can stand in a place: words, names of games, options of the game, or files."""

    words: tuple[str, ...] = ()
    is_game: bool = False
    is_game_option: bool = False
    is_file: bool = False
    is_repeated: bool = False
    """Whether more of them can follow."""


@dataclass(frozen=True)
class Option:
    """What begins with a dash."""

    names: tuple[str, ...]
    meaning: str
    value: Value | None
    """What follows it; None if nothing does."""


@dataclass(frozen=True)
class Command:
    """A command or an action of one, as its parser tells."""

    path: tuple[str, ...]
    """The words that call it; none for ``adjoin`` itself."""
    actions: dict[str, str]
    """What can follow as the next word, and what it does."""
    options: tuple[Option, ...]
    places: tuple[Value, ...]
    """What can stand there without an option."""


def commands_of(parser: Parser, path: tuple[str, ...] = ()) -> Iterator[Command]:
    """Yield what a parser knows: itself, its commands, and theirs."""
    actions: dict[str, str] = {}
    deeper: list[Command] = []
    options, places = [], []
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            actions = {each.dest: each.help or "" for each in action._choices_actions}
            for name, inner in action.choices.items():
                deeper += commands_of(inner, (*path, name))
        elif action.option_strings:
            value = None if action.nargs == 0 else value_of(action)
            options.append(Option(tuple(action.option_strings), action.help or "", value))
        else:
            places.append(value_of(action))
    yield Command(path, actions, tuple(options), tuple(places))
    yield from deeper


def value_of(action: argparse.Action) -> Value:
    """Return what can stand in the place of an argument: its choices, or what its name says.

    In ``A4|Letter|FILE`` what is not all capitals is meant as it stands.
    """
    parts = [] if action.choices is not None else str(action.metavar).split("|")
    words = list(map(str, action.choices or ()))
    words += [p for p in parts if not p.startswith("FILE") and (not p.isupper() or p[-1].isdigit())]
    if {"ATLAS", "NAME|FILE"} & {*parts, str(action.metavar)}:
        words += Atlas.shipped()
    if "AGENT" in parts:
        words += agent_names()
    return Value(
        words=tuple(words),
        is_game="GAME" in parts,
        is_game_option="KEY=VALUE" in parts,
        is_file=any(p.startswith(("FILE", "FOLDER", "AGENT")) for p in parts),
        is_repeated=action.nargs in ("+", "*"),
    )


def agent_names() -> list[str]:
    """Return the names of the agents that all games have, without what follows in brackets."""
    return [name.partition("(")[0] for name in core.agents()]


def game_options() -> dict[str, list[str]]:
    """Return for each game the beginnings of its options, as ``-o`` takes them."""
    return {game: [f"{key}=" for key in Spec.of(game, {}).option_meanings] for game in games()}
