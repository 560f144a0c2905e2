"""``adjoin sprt``: whether an agent is stronger, with as few games as it takes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from adjoin.cli import inputs
from adjoin.cli.parsers import command

if TYPE_CHECKING:
    import argparse


def add(commands: Any) -> None:
    """Add the command."""
    parser = command(
        commands,
        "sprt",
        "let two agents play until it is known whether the first is stronger: a sequential test",
        examples=[
            "adjoin sprt mapello greedy random",
            'adjoin sprt domiphun greedy "easy(miss=0.05)" --elo 0 10',
            "adjoin sprt connections greedy random -o max_turns=8 --share 0.5 0.55 --json",
        ],
        more=inputs.AGENTS
        + "Every deal is played in every order of seats and is one observation of the test, which\n"
        + "is the one that chess engines are developed with.\n"
        + "Read on: in Python, help(adjoin.sprt).",
    )
    inputs.add_game(parser)
    parser.add_argument("first", metavar="A", help="the agent that may be stronger")
    parser.add_argument("second", metavar="B", help="the agent that it plays")
    bounds = parser.add_mutually_exclusive_group()
    bounds.add_argument(
        "--elo",
        metavar=("LOW", "HIGH"),
        nargs=2,
        type=float,
        help="Elo points that A may be ahead (default 0 20)",
    )
    bounds.add_argument(
        "--share", metavar=("LOW", "HIGH"), nargs=2, type=float, help="or what it scores, 0 to 1"
    )
    for name, wrong in (("alpha", "accept"), ("beta", "reject")):
        what = f"how often the test may wrongly {wrong} HIGH (default 0.05)"
        parser.add_argument(f"--{name}", metavar="P", type=float, default=0.05, help=what)
    parser.add_argument(
        "--max-games",
        metavar="N",
        type=inputs.whole,
        default=100_000,
        help="after which it is undecided (default 100000)",
    )
    inputs.add_run(parser)
    parser.set_defaults(run=run, parser=parser)


def run(arguments: argparse.Namespace) -> int:
    """Run the command."""
    from adjoin.statistics.sequential_games import sprt

    game, options = inputs.game_of(arguments)
    found = sprt(
        inputs.as_agent(arguments.first),
        inputs.as_agent(arguments.second),
        game,
        elo=arguments.elo,
        share=arguments.share,
        alpha=arguments.alpha,
        beta=arguments.beta,
        max_games=arguments.max_games,
        seed=arguments.seed,
        threads=arguments.threads,
        **options,
    )
    if arguments.json:
        inputs.print_json(found.to_dict())
    else:
        print(found)
    return 0
