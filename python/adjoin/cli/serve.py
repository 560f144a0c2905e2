"""``adjoin serve``: a class on the school's own network."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from adjoin.cli import inputs
from adjoin.cli.parsers import command
from adjoin.support.extras import need

if TYPE_CHECKING:
    import argparse

    from adjoin.cli.parsers import Parser


def add(commands: Any) -> None:
    """Add the command."""
    parser = command(
        commands,
        "serve",
        "rooms to play in and live quizzes for a class, from any browser on the network",
        examples=[
            "adjoin serve",
            "adjoin serve --lan",
            "adjoin serve --lan --port 9000 --save lesson",
        ],
        more="The address for the teacher is printed; rooms are opened there. Everything stays on\n"
        "this machine. Needs pip install 'adjoin[serve]'.",
    )
    add_network(parser)
    parser.add_argument(
        "--pace",
        metavar="SECONDS",
        type=float,
        default=0.6,
        help="how long agents wait before they decide (default 0.6)",
    )
    parser.set_defaults(run=run, parser=parser)


def add_network(parser: Parser) -> None:
    """Let a command take where it serves."""
    parser.add_argument(
        "--lan",
        action="store_true",
        help="let other devices of the network in (default: only this machine)",
    )
    parser.add_argument(
        "--port",
        metavar="N",
        type=inputs.whole,
        default=8765,
        help="default 8765; 0 for a free one",
    )
    parser.add_argument(
        "--save",
        metavar="FOLDER",
        help="where rooms wait for the next start (default: with the user's other programs)",
    )
    parser.add_argument(
        "--address",
        metavar="NAME",
        help="the name or address that pupils type (default: found by itself)",
    )


def run(arguments: argparse.Namespace) -> int:
    """Run the command."""
    if not 0 <= arguments.pace <= 60:
        raise inputs.InputError(f"--pace {arguments.pace:g}: must be 0 to 60 seconds")
    return serve(arguments, pace=arguments.pace)


def serve(arguments: argparse.Namespace, **more: Any) -> int:
    """Serve until told to stop; ``more`` is for the server."""
    if not 0 <= arguments.port <= 65535:
        raise inputs.InputError(f"--port {arguments.port}: must be 0 to 65535")
    for package in ("tornado", "segno"):
        need(package, "adjoin[serve]")
    from adjoin.serve.server import Server

    save = None if arguments.save is None else Path(arguments.save)
    Server(arguments.lan, arguments.port, save, arguments.address, **more).run(_say)
    return 0


def _say(words: str) -> None:
    print(words, flush=True)
