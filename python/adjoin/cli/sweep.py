"""``adjoin sweep``: what options change."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from adjoin.cli import inputs
from adjoin.cli.parsers import command
from adjoin.data.files import read_json

if TYPE_CHECKING:
    import argparse


def add(commands: Any) -> None:
    """Add the command."""
    parser = command(
        commands,
        "sweep",
        "play the same matches with every combination of some options, and compare them",
        examples=[
            "adjoin sweep mapello 1000 --vary jokers=0,4,8",
            "adjoin sweep mapominoes 500 --vary table=[14,10],[20,14] --vary players=2,3",
            "adjoin sweep mapello 500 --vary agents=random,greedy --figures turns passes --json",
            "adjoin sweep connections 200 --vary players=3,4 -o max_turns=8 --folder matches",
            "adjoin sweep mapello 1000 --vary jokers=0,2,4,8 --plot turns --out turns.svg",
        ],
        more=inputs.AGENTS
        + "Every combination has the same seed, so that differences are less blurred by chance.\n"
        + "With a folder, the same command goes on where Ctrl-C has stopped it.\n"
        + "Read on: in Python, help(adjoin.sweep).",
    )
    inputs.add_game(parser)
    parser.add_argument(
        "num_games",
        metavar="GAMES",
        type=inputs.whole,
        nargs="?",
        default=1000,
        help="how many matches for each combination (default 1000)",
    )
    parser.add_argument(
        "--vary",
        metavar="KEY=VALUES",
        action="append",
        required=True,
        help="an option, or agents, and what to try, with commas or as a list in JSON; "
        "repeat for more",
    )
    parser.add_argument(
        "--agents",
        metavar="A",
        nargs="+",
        default=["greedy"],
        help="one for all seats, or one for each; they change seats (default greedy)",
    )
    parser.add_argument("--figures", metavar="F", nargs="+", help="the figures to print")
    parser.add_argument("--folder", metavar="FOLDER", help="where all matches go, as Parquet files")
    parser.add_argument("--plot", metavar="FIGURE", help="a figure to draw; needs --out")
    parser.add_argument("--by", metavar="KEY", help="what goes across in the chart")
    parser.add_argument("--out", metavar="FILE.svg", help="the chart's file")
    inputs.add_run(parser)
    parser.set_defaults(run=run, parser=parser)


def run(arguments: argparse.Namespace) -> int:
    """Run the command."""
    game, options = inputs.game_of(arguments)
    varied = _varied(game, arguments.vary)
    for name in varied:
        if name in options:
            raise inputs.InputError(f"{name} is fixed by -o and varied by --vary: give one of them")
    typed = [inputs.as_agent(agent) for agent in arguments.agents]
    agents = varied.pop("agents", typed[0] if len(typed) == 1 else tuple(typed))
    _check_chart(arguments, [*varied, *(["agents"] if isinstance(agents, list) else [])])
    figures = [*(arguments.figures or []), *filter(None, [arguments.plot])]
    chosen: dict[str, Any] = {**options, **varied}
    for key in options:
        chosen[key] = tuple(options[key]) if isinstance(options[key], list) else options[key]
    from adjoin.statistics.sweeps import sweep

    played = sweep(
        game,
        arguments.num_games,
        agents,
        seed=arguments.seed,
        threads=arguments.threads,
        folder=arguments.folder,
        figures=list(dict.fromkeys(figures)) or None,
        **chosen,
    )
    if arguments.json:
        inputs.print_json({**played.to_dict(), "out": arguments.out})
    else:
        print(played)
    if arguments.plot is not None:
        path = played.plot(arguments.plot, by=arguments.by).save(arguments.out)
        if not arguments.json:
            print(path)
    return 0


def _varied(game: str, texts: Iterable[str]) -> dict[str, list[Any]]:
    """Return what is to be tried, given as KEY=VALUES."""
    varied: dict[str, list[Any]] = {}
    for text in texts:
        key, equals, values = text.partition("=")
        key = key.strip().replace("-", "_")
        if not equals:
            raise inputs.InputError(
                f'--vary "{text}": write it as key=values, such as --vary players=2,3'
            )
        if key in varied:
            raise inputs.InputError(f"{key} is varied twice")
        varied[key] = [_one(game, key, value) for value in _several(values)]
    return varied


def _several(text: str) -> list[Any]:
    """Return values that are written as a list in JSON, or with commas.

    >>> _several("2,3"), _several("[14,10],[20,14]"), _several("greedy,search(iterations=9,c=1)")
    ([2, 3], [[14, 10], [20, 14]], ['greedy', 'search(iterations=9,c=1)'])
    """
    for written in (text, f"[{text}]"):
        try:
            values = read_json(written)
        except ValueError:
            continue
        if isinstance(values, list):
            return values
    return re.split(r",(?![^(]*\))", text)


def _one(game: str, key: str, value: Any) -> Any:
    """Return a value of an option, or a line-up."""
    if key == "agents":
        several = isinstance(value, list)
        return tuple(map(inputs.as_agent, value)) if several else inputs.as_agent(str(value))
    text = value if isinstance(value, str) else json.dumps(value)
    return inputs.as_options(game, [f"{key}={text}"])[key]


def _check_chart(arguments: argparse.Namespace, varied: list[str]) -> None:
    """Refuse a chart that could not be drawn or written, before anything is played."""
    if (arguments.plot is None) != (arguments.out is None):
        raise inputs.InputError("--plot FIGURE and --out FILE.svg go together")
    if arguments.by is not None and arguments.by not in varied:
        raise inputs.unknown(f'--by "{arguments.by}" is not varied', varied, arguments.by)
    if arguments.out is not None and Path(arguments.out).suffix.lower() != ".svg":
        raise inputs.InputError(f"--out {arguments.out}: a chart is saved as SVG, as FILE.svg")
    if arguments.out is not None and not Path(arguments.out).parent.is_dir():
        raise inputs.InputError(f"--out {arguments.out}: there is no folder for it")
