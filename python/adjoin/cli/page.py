"""``adjoin page``: one file to play on, for any browser."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from adjoin.cli import inputs
from adjoin.cli.parsers import command
from adjoin.playing.pages import page

if TYPE_CHECKING:
    import argparse


def add(commands: Any) -> None:
    """Add the command."""
    parser = command(
        commands,
        "page",
        "write a page to play on: one file for any browser, which needs no network",
        examples=[
            "adjoin page",
            "adjoin page mapello",
            "adjoin page mapominoes -o nations=Wales --opponents easy -O wales.html",
            'adjoin page connections --opponents greedy "search(iterations=200)" -O hard.html',
        ],
        more="All games are in the file; it begins with GAME, if one is given.\n"
        "Read on: `adjoin games GAME` for the options; in Python, help(adjoin.page).",
    )
    inputs.add_game(parser, nargs="?")
    parser.add_argument(
        "--opponents",
        metavar="AGENT",
        nargs="+",
        default=["easy"],
        help="one for all other seats, or one for each (default easy)",
    )
    parser.add_argument(
        "--seed", metavar="N", type=inputs.whole, help="the deal (default: a new one each time)"
    )
    inputs.add_options(parser)
    parser.add_argument(
        "-O", "--out", metavar="FILE.html", help="where to (default GAME.html, or play.html)"
    )
    inputs.add_json(parser)
    parser.set_defaults(run=run, parser=parser)


def run(arguments: argparse.Namespace) -> int:
    """Run the command."""
    game: str | None = None
    options: dict[str, Any] = {}
    if arguments.game is not None:
        game, options = inputs.game_of(arguments)
    elif arguments.options:
        raise inputs.InputError("-o needs a GAME: the games have different options")
    target = Path(arguments.out or f"{game or 'play'}.html")
    if target.suffix.lower() not in (".html", ".htm"):
        raise inputs.InputError(f"--out {target}: the name must end in .html")
    if not target.parent.is_dir():
        raise inputs.InputError(f"--out {target}: there is no folder {target.parent}")
    made = page(game, opponents=arguments.opponents, seed=arguments.seed, **options)
    target.write_text(made, encoding="utf-8")
    if arguments.json:
        inputs.print_json({"game": game, "options": options, "file": str(target)})
    else:
        print(target)
    return 0
