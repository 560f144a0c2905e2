"""``adjoin train``: a learner for a game, or for all of them."""

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
        "train",
        "let a network learn a game by playing it, and examine what it has learned",
        examples=[
            "adjoin train mapello",
            "adjoin train domiphun --opponents greedy --decisions 3000000 --seed 4",
            "adjoin train mapello -o size=4 -o setup=othello --decisions 300000",
            "adjoin train",
        ],
        more="It takes some minutes a game. Ctrl-C stops it; the same command goes on.\n"
        "Without a game all of them are learned. A page with curves is written to the folder,\n"
        "and each policy: `adjoin play mapello --opponents trained/mapello.safetensors`.\n"
        "It needs pip install 'adjoin[train]'. Read on: in Python, help(adjoin.learning.trainer).",
    )
    inputs.add_game(parser, nargs="?")
    parser.add_argument(
        "--folder", metavar="FOLDER", default="trained", help="where to (default trained)"
    )
    parser.add_argument(
        "--decisions", metavar="N", type=inputs.whole, help="to learn from (default: the game's)"
    )
    parser.add_argument(
        "--opponents",
        metavar="AGENT",
        help='who has the other seats in PPO: "self", "past", or an agent such as greedy',
    )
    parser.add_argument(
        "--seed", metavar="N", type=inputs.whole, default=0, help="of everything (default 0)"
    )
    inputs.add_options(parser)
    inputs.add_json(parser)
    parser.set_defaults(run=run, parser=parser)


def run(arguments: argparse.Namespace) -> int:
    """Run the command."""
    from adjoin.learning.lessons import Plan, curriculum, learn, page, settings_for

    if arguments.game is None:
        if arguments.options:
            raise inputs.InputError("-o needs a GAME: the games have different options")
        plans = curriculum()
    else:
        game, options = inputs.game_of(arguments)
        plans = [Plan(game, options, settings_for(game, options))]
    lessons = []
    for plan in plans:
        if not arguments.json:
            words = [f"{name}={value}" for name, value in plan.options.items()]
            print(" ".join(["learning", plan.game, *words, "..."]), flush=True)
        settings = plan.settings
        if arguments.decisions is not None:
            settings = settings.with_decisions(arguments.decisions)
        if arguments.opponents is not None:
            settings = settings.with_opponents(arguments.opponents)
        lesson = learn(
            plan.game, arguments.folder, seed=arguments.seed, settings=settings, **plan.options
        )
        lessons.append(lesson)
        files = page(lessons).save(arguments.folder)
        if not arguments.json:
            for agent, share in lesson.exam.items():
                print(f"{share:%} of wins against {agent}")
            print(f"{lesson.path}: {lesson.policy!r}", flush=True)
    if arguments.json:
        inputs.print_json(page(lessons).figures)
    else:
        print(files[0])
    return 0
