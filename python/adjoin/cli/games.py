"""``adjoin games``: which games there are, and the page of one."""

from __future__ import annotations

import contextlib
import dataclasses
import textwrap
from typing import TYPE_CHECKING, Any

from adjoin.cli import inputs
from adjoin.cli.parsers import command
from adjoin.core.spec import Spec, games
from adjoin.playing.console import WIDTH

if TYPE_CHECKING:
    import argparse

_MOST_SEATS = 6


def add(commands: Any) -> None:
    """Add the command."""
    parser = command(
        commands,
        "games",
        "list the games, or show the page of one: actions, rewards, options",
        examples=[
            "adjoin games",
            "adjoin games mapominoes",
            "adjoin games mapominoes -o players=3 -o 'nations=[\"Wales\"]'",
            "adjoin games --json",
        ],
        more="Read on: `adjoin play GAME` and then `rules`; in Python, adjoin.describe(GAME).",
    )
    inputs.add_game(parser, nargs="?")
    inputs.add_options(parser)
    inputs.add_json(parser)
    parser.set_defaults(run=run, parser=parser)


def run(arguments: argparse.Namespace) -> int:
    """Run the command."""
    if arguments.game is not None:
        game, options = inputs.game_of(arguments)
        spec = Spec.of(game, options)
        if arguments.json:
            inputs.print_json(dataclasses.asdict(spec))
        else:
            print(spec.describe(), end="")
        return 0
    if arguments.options:
        raise inputs.InputError("options need a game: adjoin games GAME -o key=value")
    rows = [_row(game) for game in games()]
    if arguments.json:
        inputs.print_json(rows)
        return 0
    for row in rows:
        few, most = row["players"][0], row["players"][-1]
        players = f"{few} players" if few == most else f"{few} to {most} players"
        print(f"{row['name']}  ({row['title']}, {players})")
        print(textwrap.indent(textwrap.fill(row["summary"], WIDTH - 4), "    "))
    print("\n`adjoin games GAME` shows one of them, `adjoin play GAME` starts a match.")
    return 0


def _row(game: str) -> dict[str, Any]:
    spec = Spec.of(game, {})
    return {
        "name": game,
        "title": spec.title,
        "players": _players(game, spec.seats, "players" in spec.option_meanings),
        "summary": spec.summary,
        "environment": spec.environment,
        "options": spec.option_meanings,
    }


def _players(game: str, seats: int, free: bool) -> list[int]:
    """Return the numbers of players that a game allows."""
    if not free:
        return [seats]
    allowed = []
    for number in range(1, _MOST_SEATS + 1):
        with contextlib.suppress(ValueError):
            allowed.append(Spec.of(game, {"players": number}).seats)
    return allowed
