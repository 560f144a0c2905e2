"""``adjoin simulate``, ``tournament`` and ``report``: many matches, and what they tell."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from adjoin.cli import inputs
from adjoin.cli.parsers import command
from adjoin.core.spec import games
from adjoin.data.files import write_table
from adjoin.simulation.runs import simulate
from adjoin.simulation.tables import Table
from adjoin.support.wording import count

if TYPE_CHECKING:
    import argparse

    from adjoin.cli.parsers import Parser

_AGENTS = """\
Agents: random, greedy, "search(iterations=200)", "search(seconds=0.1)", or a policy that was
learned, such as trained/mapello.npz (`adjoin train`).
"""


def add(commands: Any) -> None:
    """Add the commands."""
    _add_simulate(commands)
    _add_tournament(commands)
    _add_report(commands)


def _add_simulate(commands: Any) -> None:
    parser = command(
        commands,
        "simulate",
        "play many matches between agents, and print what came out with intervals",
        examples=[
            "adjoin simulate mapello 10000",
            'adjoin simulate mapello 200 --agents greedy "search(iterations=200)"',
            "adjoin simulate connections 500 --agents greedy random random --seed 7 --json",
            "adjoin simulate mapominoes 1000 -o players=3 --out matches.parquet",
            "adjoin simulate mapello 100 --record decisions --out decisions.csv",
        ],
        more=_AGENTS
        + "The same seed gives the same matches, whatever the number of threads.\n"
        + "With a folder, the same command goes on where Ctrl-C has stopped it.\n"
        + "Read on: in Python, help(adjoin.simulate) and table.meanings tell what the columns are.",
    )
    inputs.add_game(parser)
    parser.add_argument("episodes", metavar="EPISODES", type=inputs.whole, help="how many matches")
    parser.add_argument(
        "--agents",
        metavar="A",
        nargs="+",
        default=["random"],
        help="one for all seats, or one for each; they change seats (default random)",
    )
    _add_run(parser)
    parser.add_argument(
        "--record",
        choices=("episodes", "decisions"),
        default="episodes",
        help="a row for each match (default), or for each decision",
    )
    parser.add_argument(
        "--out", metavar="FILE", help="FILE.parquet, FILE.csv, or a folder for parquet files"
    )
    parser.set_defaults(run=_simulate, parser=parser)


def _add_tournament(commands: Any) -> None:
    parser = command(
        commands,
        "tournament",
        "let agents play all against all, and rate them with intervals",
        examples=[
            "adjoin tournament mapello random greedy",
            'adjoin tournament mapello random greedy "search(iterations=100)" --games 100',
            "adjoin tournament connections random greedy -o max_turns=8 --json",
        ],
        more=_AGENTS
        + "Every group plays the same deals in all seatings, so that luck cancels out.\n"
        + "Read on: in Python, help(adjoin.tournament).",
    )
    inputs.add_game(parser)
    parser.add_argument("agents", metavar="AGENT", nargs="+", help="two or more agents")
    parser.add_argument(
        "--games", metavar="N", type=inputs.whole, default=200, help="for each group (default 200)"
    )
    _add_run(parser)
    parser.set_defaults(run=_tournament, parser=parser)


def _add_report(commands: Any) -> None:
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
    _add_run(parser)
    parser.set_defaults(run=_report, parser=parser)


def _add_run(parser: Parser) -> None:
    parser.add_argument(
        "--seed", metavar="N", type=inputs.whole, default=0, help="the deals (default 0)"
    )
    parser.add_argument(
        "--threads", metavar="N", type=inputs.whole, default=inputs.cores(), help="default: all"
    )
    inputs.add_options(parser)
    inputs.add_json(parser)


def _simulate(arguments: argparse.Namespace) -> int:
    game, options = inputs.game_of(arguments)
    typed = [inputs.as_agent(agent) for agent in arguments.agents]
    agents = typed[0] if len(typed) == 1 else typed
    out = None if arguments.out is None else _writable(Path(arguments.out))
    begin = time.perf_counter()
    stream = simulate(
        game,
        arguments.episodes,
        agents,
        seed=arguments.seed,
        threads=arguments.threads,
        record=arguments.record,
        stream=True,
        **options,
    )
    if out is not None and not out.suffix:
        stream.to_parquet(out)
        return _wrote(arguments, game, out)
    table = Table.join(list(stream))
    seconds = time.perf_counter() - begin
    if out is not None and out.suffix == ".csv":
        columns = table.to_numpy()
        write_table(out, columns, zip(*(c.tolist() for c in columns.values()), strict=True))
    elif out is not None:
        table.to_parquet(out)
    summary = table.summary()
    if arguments.json:
        inputs.print_json(
            {
                "game": game,
                "options": table.options,
                "agents": table.agents,
                "episodes": arguments.episodes,
                "seed": table.seed,
                "record": table.record,
                "rows": len(table),
                "notice": summary.notice,
                "columns": table.columns,
                "summary": summary.to_dict(),
                "out": None if out is None else str(out),
            }
        )
        return 0
    print(f"{summary}\n\n{seconds:.1f} s, {arguments.episodes / seconds:,.0f} matches a second")
    if out is not None:
        print(f"{out}: {count(len(table), 'row')}")
    return 0


def _writable(out: Path) -> Path:
    if out.suffix not in ("", ".csv", ".parquet"):
        raise inputs.InputError(f"--out {out}: .parquet, .csv, or a folder without a suffix")
    if not out.parent.is_dir():
        raise inputs.InputError(f"--out {out}: there is no folder {out.parent}")
    return out


def _wrote(arguments: argparse.Namespace, game: str, out: Path) -> int:
    files = [str(path) for path in sorted(out.glob("*.parquet"))]
    if arguments.json:
        inputs.print_json({"game": game, "episodes": arguments.episodes, "out": files})
    else:
        print("\n".join(files))
    return 0


def _tournament(arguments: argparse.Namespace) -> int:
    from adjoin.statistics.tournaments import tournament

    game, options = inputs.game_of(arguments)
    played = tournament(
        game,
        [inputs.as_agent(agent) for agent in arguments.agents],
        arguments.games,
        seed=arguments.seed,
        threads=arguments.threads,
        **options,
    )
    if arguments.json:
        inputs.print_json(played.to_dict())
    else:
        print(played)
    return 0


def _report(arguments: argparse.Namespace) -> int:
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
