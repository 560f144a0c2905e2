"""``adjoin classroom host``: a quiz that a class answers together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from adjoin.cli import inputs
from adjoin.cli.classroom.arguments import action
from adjoin.cli.classroom.quizzes import about, add_quiz_options, quiz_of
from adjoin.cli.serve import add_network, serve

if TYPE_CHECKING:
    import argparse


def add(actions: Any) -> None:
    """Add the action."""
    parser = action(
        actions,
        "host",
        "a live quiz: pupils answer on their own devices, the projector shows how the class did",
        [
            "--lan --nation Wales",
            "world-countries --edition Africa --lan --seconds 20",
            "UK-WALES-BSW-10-BK7QN --lan --no-speed",
        ],
        "the page \"Play in any browser\" in the docs. Needs pip install 'adjoin[serve]'.\n"
        "Answers and time stay on this machine until they are shown.",
    )
    add_quiz_options(parser, "ATLAS|CODE", "an atlas, or the code of a quiz")
    parser.add_argument(
        "--seconds",
        metavar="N",
        type=inputs.whole,
        default=30,
        help="how long a question is open (default 30; 0: until the teacher ends it)",
    )
    parser.add_argument(
        "--no-speed", action="store_true", help="a quick answer is worth no more than a slow one"
    )
    add_network(parser)
    parser.set_defaults(run=_host, parser=parser)


def _host(arguments: argparse.Namespace) -> int:
    from adjoin.serve.live_settings import LiveSettings

    if arguments.json:
        raise inputs.InputError("--json: a live quiz prints addresses, nothing to read by machine")
    if arguments.code is not None and arguments.code.count("-") < 3:
        if arguments.atlas is not None:
            raise inputs.InputError("two atlases: a quiz is about one")
        arguments.atlas, arguments.code = arguments.code, None
    quiz = quiz_of(arguments)
    settings = LiveSettings.of(quiz, arguments.seconds, not arguments.no_speed)
    print(about(quiz), flush=True)
    return serve(arguments, quiz=settings)
