"""``adjoin simulate``: many matches, and what came of them."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from adjoin.cli import inputs
from adjoin.cli.parsers import command
from adjoin.data.files import write_table
from adjoin.support.wording import count

if TYPE_CHECKING:
    import argparse


def add(commands: Any) -> None:
    """Add the command."""
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
            "adjoin simulate mapello 5000000 --out games",
        ],
        more=inputs.AGENTS
        + "The same seed gives the same matches, whatever the number of threads.\n"
        + "With a folder, the same command goes on where Ctrl-C has stopped it;\n"
        + "`adjoin summary` prints what came of it.\n"
        + "Read on: in Python, help(adjoin.simulate) and table.meanings tell what the columns are.",
    )
    inputs.add_game(parser)
    parser.add_argument("episodes", metavar="EPISODES", type=inputs.whole, help="how many matches")
    parser.add_argument(
        "--agents",
        metavar="AGENT",
        nargs="+",
        default=["random"],
        help="one for all seats, or one for each; they change seats (default random)",
    )
    parser.add_argument(
        "--no-rotate", action="store_true", help="agents keep their seats in all matches"
    )
    inputs.add_run(parser)
    parser.add_argument(
        "--record",
        choices=("episodes", "decisions", "states", "pieces"),
        default="episodes",
        help="a row for each match (default), decision, decision with the state of the table, or "
        "card that somebody has had",
    )
    parser.add_argument(
        "--out",
        metavar="FILE|FOLDER",
        help="FILE.parquet, FILE.csv, or a folder for parquet files",
    )
    parser.set_defaults(run=run, parser=parser)


def run(arguments: argparse.Namespace) -> int:
    """Run the command."""
    game, options = inputs.game_of(arguments)
    agents = inputs.as_agents(arguments.agents)
    out = None if arguments.out is None else _writable(Path(arguments.out))
    from adjoin.simulation import Table, simulate

    begin = time.perf_counter()
    stream = simulate(
        game,
        arguments.episodes,
        agents,
        seed=arguments.seed,
        threads=arguments.threads,
        rotate=not arguments.no_rotate,
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
                "rotate": table.origin.rotate,
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
