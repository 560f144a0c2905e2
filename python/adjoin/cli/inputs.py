"""What is typed: games, options, numbers; and what to say when it is wrong."""

from __future__ import annotations

import argparse
import json
import math
import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from adjoin._core import nearest
from adjoin.core.spec import Spec, games
from adjoin.data.atlas import Atlas
from adjoin.data.deck import Deck
from adjoin.data.files import ProblemsError, read_json
from adjoin.data.stations import Stations
from adjoin.support.names import fold

if TYPE_CHECKING:
    from adjoin.cli.parsers import Parser
    from adjoin.simulation.agents import Agent

_TABLES: dict[str, type[Atlas | Deck | Stations]] = {
    "atlas": Atlas,
    "deck": Deck,
    "stations": Stations,
}
"""Options that may be a shipped name or a path to a CSV file."""


AGENTS = """\
Agents: random, greedy, "search(iterations=200)", "search(seconds=0.1)", or a policy that was
learned, such as trained/mapello.safetensors (`adjoin train`).
"""
"""What the help of commands with agents says of them."""


class InputError(Exception):
    """Something that was typed is wrong; the message says what is allowed."""


def one_line(error: Exception) -> str:
    """Return the message of an error as one line."""
    if isinstance(error, ProblemsError):
        more = len(error.problems) - 1
        return error.problems[0] + (f" (and {more} more problems)" if more else "")
    return " ".join(str(error).split()) or type(error).__name__


def unknown(what: str, names: Iterable[str], text: str) -> InputError:
    """Return what is wrong, which of the names was meant, and all of them.

    >>> print(unknown("no command gmaes", ["games", "play"], "gmaes"))
    no command gmaes; did you mean games? (games, play)
    """
    names = list(names)
    found, there = nearest(text, names), ", ".join(names)
    if found:
        return InputError(f"{what}; did you mean {found}? ({there})")
    return InputError(f"{what}; allowed: {there}")


def whole(text: str) -> int:
    """Return a whole number."""
    try:
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f'"{text}" is no whole number') from None


def cores() -> int:
    """Return how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def as_agent(text: str) -> Agent:
    """Return an agent: by its name, or a policy from its file."""
    if not text.endswith(".safetensors"):
        return text
    from adjoin.learning.policies import Policy

    policy = Policy.load(text)
    policy.__name__ = text
    return policy


def as_agents(texts: Sequence[str]) -> Agent | list[Agent]:
    """Return one agent for all seats, or one for each."""
    agents = [as_agent(text) for text in texts]
    return agents[0] if len(agents) == 1 else agents


# Games and their options.


def add_game(parser: Parser, **keywords: Any) -> None:
    """Let a command take a game."""
    parser.add_argument("game", metavar="GAME", help=f"one of {', '.join(games())}", **keywords)


def add_options(parser: Parser) -> None:
    """Let a command take the options of a game."""
    parser.add_argument(
        "-o",
        dest="options",
        metavar="KEY=VALUE",
        action="append",
        default=[],
        help="an option of the game, such as -o players=3 or -o nations=Wales; "
        "`adjoin games GAME` lists them; repeat for more",
    )


def add_json(parser: Parser, **keywords: Any) -> None:
    """Let a command answer as JSON."""
    what = "print one JSON document instead"
    parser.add_argument("--json", action="store_true", help=what, **keywords)


def add_run(parser: Parser) -> None:
    """Let a command that plays many matches take seed, threads, options and JSON."""
    parser.add_argument("--seed", metavar="N", type=whole, default=0, help="the deals (default 0)")
    parser.add_argument("--threads", metavar="N", type=whole, default=cores(), help="default: all")
    add_options(parser)
    add_json(parser)


def as_game(text: str) -> str:
    """Return a game's name, in any spelling; one that is not listed, as it is."""
    name = {fold(name): name for name in games()}.get(fold(text), text)
    try:
        return Spec.of(name, {}).name
    except ValueError:
        raise unknown(f'unknown game "{text}"', games(), text) from None


def as_options(game: str, texts: Iterable[str]) -> dict[str, Any]:
    """Return the options that were given as KEY=VALUE."""
    known = Spec.of(game, {}).option_meanings
    options: dict[str, Any] = {}
    for text in texts:
        key, equals, value = text.partition("=")
        key = key.strip().replace("-", "_")
        if not equals:
            raise InputError(f'-o "{text}": write it as key=value, such as -o players=3')
        if key not in known:
            raise unknown(f'{game} has no option "{key}"', known, key)
        if key in options:
            raise InputError(f"the option {key} is given twice")
        options[key] = _listed(game, key, _value(key, value.strip()))
    return options


def game_of(arguments: argparse.Namespace) -> tuple[str, dict[str, Any]]:
    """Return the game and the options that a command was given."""
    game = as_game(arguments.game)
    return game, as_options(game, arguments.options)


def _value(key: str, text: str) -> Any:
    try:
        value = read_json(text)
    except ValueError:
        value = text
    if key not in _TABLES or isinstance(value, Mapping):
        return value
    return _table(key, _TABLES[key], value)


def _listed(game: str, key: str, value: Any) -> Any:
    """Return a plain word where several can be given as a list of one, and all else as it is."""
    takes_several = "several" in Spec.of(game, {}).settings.get(key, ())
    return [value] if isinstance(value, str) and takes_several else value


def _table(key: str, kind: type[Atlas | Deck | Stations], value: Any) -> Any:
    """Return a table by its shipped name, from a CSV file, or from a list of two files."""
    paths = value if isinstance(value, list) else [value]
    if not paths or not all(isinstance(path, str) for path in paths):
        raise InputError(f"{key} is a shipped name or a CSV file, got {json.dumps(value)}")
    shipped = map(fold, kind.shipped())
    if isinstance(value, str) and fold(value) in shipped and not Path(value).is_file():
        return kind.load(value)
    for path in paths:
        if not Path(path).is_file():
            raise unknown(f'{key} "{path}": no such file, and not shipped', kind.shipped(), path)
    try:
        return kind.from_csv(*paths)
    except TypeError:
        raise InputError(f"{key}: too many files, {len(paths)}") from None


# Answers.


def print_json(document: Any) -> None:
    """Print a document; numbers that JSON does not have become null."""
    print(json.dumps(_plain(document), indent=2, ensure_ascii=False, allow_nan=False))


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if hasattr(value, "tolist"):
        return _plain(value.tolist())
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, Atlas | Deck | Stations):
        return value.option()
    return None if isinstance(value, float) and not math.isfinite(value) else value
