"""``adjoin compare``: two agents, or two variants of a game."""

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
        "compare",
        "compare two agents or two variants of a game in all their figures, and test what differs",
        examples=[
            "adjoin compare mapello greedy random",
            'adjoin compare mapello greedy "search(iterations=50)" --among random --games 200',
            "adjoin compare mapello --a jokers=0 --b jokers=8 --agents greedy",
            "adjoin compare domiphun --a players=2 --b players=4 --measures turns decisions --json",
        ],
        more=inputs.AGENTS
        + "Agents play each other on the same deals in every order of seats; variants are played\n"
        + "with the same seed. Holm's p takes account of how many figures are tested.\n"
        + "Read on: in Python, help(adjoin.compare).",
    )
    inputs.add_game(parser)
    parser.add_argument("pair", metavar="AGENT", nargs="*", help="two agents, unless variants")
    for side in ("a", "b"):
        parser.add_argument(
            f"--{side}",
            metavar="KEY=VALUE",
            action="append",
            help="an option of one variant; repeat for more",
        )
    parser.add_argument(
        "--agents", metavar="A", nargs="+", help="who plays the variants (default random)"
    )
    parser.add_argument(
        "--among", metavar="A", nargs="+", help="who has the other seats, instead of each other"
    )
    parser.add_argument(
        "--games", metavar="N", type=inputs.whole, default=1000, help="for each (default 1000)"
    )
    parser.add_argument(
        "--measures", metavar="M", nargs="+", help="figures such as turns or score (default all)"
    )
    inputs.add_run(parser)
    parser.set_defaults(run=run, parser=parser)


def run(arguments: argparse.Namespace) -> int:
    """Run the command."""
    from adjoin.statistics.comparing import compare

    game, options = inputs.game_of(arguments)
    given = [arguments.a, arguments.b]
    a: Any
    b: Any
    if given == [None, None]:
        if len(arguments.pair) != 2:
            raise inputs.InputError("compare needs two AGENTs, or two variants: --a ... --b ...")
        a, b = map(inputs.as_agent, arguments.pair)
    else:
        if arguments.pair:
            raise inputs.InputError("two variants are played by --agents, not by an AGENT")
        a, b = (inputs.as_options(game, texts or []) for texts in given)
    compared = compare(
        a,
        b,
        game,
        arguments.games,
        among=arguments.among and inputs.as_agents(arguments.among),
        agents=arguments.agents and inputs.as_agents(arguments.agents),
        measures=arguments.measures,
        seed=arguments.seed,
        threads=arguments.threads,
        **options,
    )
    if arguments.json:
        inputs.print_json(compared.to_dict())
    else:
        print(compared)
    return 0
