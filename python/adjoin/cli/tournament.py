"""``adjoin tournament``: which agent is stronger."""

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
        "tournament",
        "let agents play all against all, and rate them with intervals",
        examples=[
            "adjoin tournament mapello random greedy",
            'adjoin tournament mapello random greedy "search(iterations=100)" --games 100',
            "adjoin tournament mapello random greedy easy --anchor random",
            "adjoin tournament connections random greedy -o max_turns=8 --json",
        ],
        more=inputs.AGENTS
        + "Every group plays the same deals in all seatings, so that luck cancels out.\n"
        + "Read on: in Python, help(adjoin.tournament).",
    )
    inputs.add_game(parser)
    parser.add_argument("agents", metavar="AGENT", nargs="+", help="two or more agents")
    parser.add_argument(
        "--games", metavar="N", type=inputs.whole, default=200, help="for each group (default 200)"
    )
    parser.add_argument(
        "--anchor", metavar="AGENT", help="the agent that has 0 points (default: their mean is 0)"
    )
    inputs.add_run(parser)
    parser.set_defaults(run=run, parser=parser)


def run(arguments: argparse.Namespace) -> int:
    """Run the command."""
    from adjoin.statistics.tournaments import tournament

    game, options = inputs.game_of(arguments)
    played = tournament(
        game,
        [inputs.as_agent(agent) for agent in arguments.agents],
        arguments.games,
        seed=arguments.seed,
        threads=arguments.threads,
        anchor=arguments.anchor,
        **options,
    )
    if arguments.json:
        inputs.print_json(played.to_dict())
    else:
        print(played)
    return 0
