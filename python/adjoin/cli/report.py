"""``adjoin report``: a measured page about a game."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from adjoin.cli import inputs
from adjoin.cli.parsers import command
from adjoin.core.spec import games

if TYPE_CHECKING:
    import argparse


def add(commands: Any) -> None:
    """Add the command."""
    parser = command(
        commands,
        "report",
        "measure a game and write a page about it: length, choices, luck, first-player advantage",
        examples=[
            "adjoin report mapello",
            "adjoin report",
            "adjoin report mapominoes --folder out -o players=3",
            "adjoin report domiphun --json",
        ],
        more="It takes about a minute a game and writes HTML, Markdown, charts and JSON.\n"
        "Without a game all of them are measured, and an index is written too.\n"
        "Read on: in Python, help(adjoin.report).",
    )
    inputs.add_game(parser, nargs="?")
    parser.add_argument(
        "--folder", metavar="FOLDER", default="reports", help="where to (default reports)"
    )
    parser.add_argument(
        "--episodes", metavar="N", type=inputs.whole, default=2000, help="matches (default 2000)"
    )
    parser.add_argument(
        "--search",
        metavar="AGENT",
        default="auto",
        help="the strongest agent to measure skill with (default auto), or none: that is faster",
    )
    inputs.add_run(parser)
    parser.set_defaults(run=run, parser=parser)


def run(arguments: argparse.Namespace) -> int:
    """Run the command."""
    from adjoin.reports.documents import index
    from adjoin.reports.measured import report

    if arguments.game is None and arguments.options:
        raise inputs.InputError("-o needs a GAME: the games have different options")
    names = games() if arguments.game is None else [arguments.game]
    folder = Path(arguments.folder)
    made = []
    for name in names:
        arguments.game = name
        game, options = inputs.game_of(arguments)
        page = report(
            game,
            episodes=arguments.episodes,
            seed=arguments.seed,
            threads=arguments.threads,
            search=None if arguments.search == "none" else arguments.search,
            **options,
        )
        made.append((page, [str(path) for path in page.save(folder)]))
        if not arguments.json:
            print("\n".join(made[-1][1]), flush=True)
    start = folder / "index.html"
    if len(made) > 1:
        start.write_text(index([page for page, _ in made]), encoding="utf-8")
        if not arguments.json:
            print(start)
    if arguments.json:
        pages = [{**page.figures, "files": paths} for page, paths in made]
        inputs.print_json(pages[0] if len(pages) == 1 else pages)
    return 0
