"""``adjoin play``: a person against agents, in the terminal or from a script."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import TYPE_CHECKING, Any

from adjoin.cli import inputs
from adjoin.cli.parsers import command
from adjoin.cli.replay import read
from adjoin.core.match import Match
from adjoin.core.spec import games
from adjoin.playing.terminal import Terminal
from adjoin.support.names import fold

if TYPE_CHECKING:
    import argparse


def add(commands: Any) -> None:
    """Add the command."""
    parser = command(
        commands,
        "play",
        "play a match against agents, here in the terminal",
        examples=[
            "adjoin play mapello",
            'adjoin play mapello --you 1 --opponents "search(iterations=500)"',
            "adjoin play connections --you 0 1 2",
            "adjoin play mapominoes -o players=3 --opponents greedy random",
            "adjoin play connections --seed 7 --save my-match.jsonl",
            "adjoin play my-match.jsonl",
        ],
        more="In the match, `help` lists what you can type, `rules` tells the rules in short.\n"
        "Read on: `adjoin games GAME` for the options.",
    )
    parser.add_argument(
        "game", metavar="GAME|FILE", help=f"one of {', '.join(games())}, or a saved match to go on"
    )
    parser.add_argument(
        "--you",
        metavar="SEAT",
        type=inputs.whole,
        nargs="+",
        default=[0],
        help="your seat, from 0 (default 0); several for people who share the terminal",
    )
    parser.add_argument(
        "--opponents",
        metavar="AGENT",
        nargs="+",
        default=["greedy"],
        help="one for all other seats, or one for each (default greedy); also a learned policy",
    )
    parser.add_argument(
        "--seed", metavar="N", type=inputs.whole, help="the deal (default: a new one)"
    )
    inputs.add_options(parser)
    parser.add_argument("--save", metavar="FILE", help="where the match is kept, however it ends")
    parser.set_defaults(run=run, parser=parser)


def run(arguments: argparse.Namespace) -> int:
    """Run the command."""
    match, save = _match(arguments)
    agents = [inputs.as_agent(agent) for agent in arguments.opponents]
    Terminal(match, arguments.you, agents, save).run()
    return 0


def _match(arguments: argparse.Namespace) -> tuple[Match, Path | None]:
    """Return a new match or a saved one, and where it is to be kept."""
    save = None if arguments.save is None else Path(arguments.save)
    if fold(arguments.game) not in map(fold, games()) and Path(arguments.game).is_file():
        if arguments.options or arguments.seed is not None:
            raise inputs.InputError("a saved match has its own options and seed")
        match = Match.from_replay(read(arguments.game))
        if save is None:
            return match, Path(arguments.game)
    else:
        game, options = inputs.game_of(arguments)
        seed = secrets.randbelow(10**6) if arguments.seed is None else arguments.seed
        match = Match(game, seed=seed, **options)
    if save is not None and not save.parent.is_dir():
        raise inputs.InputError(f"--save {save}: there is no folder {save.parent}")
    if save is not None and save.exists() and save != Path(arguments.game):
        raise inputs.InputError(
            f"--save {save}: the file exists; `adjoin play {save}` goes on with it"
        )
    return match, save
