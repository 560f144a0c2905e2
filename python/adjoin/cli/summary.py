"""``adjoin summary``: what came of matches that were written to files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from adjoin.cli import inputs
from adjoin.cli.parsers import command

if TYPE_CHECKING:
    import argparse

    from adjoin.simulation import Table


def add(commands: Any) -> None:
    """Add the command."""
    parser = command(
        commands,
        "summary",
        "read back the matches that `adjoin simulate --out` wrote, and print what came out",
        examples=[
            "adjoin summary matches.parquet",
            "adjoin summary games --json",
            "adjoin summary games --by ended",
            "adjoin summary few-jokers.parquet many-jokers.parquet --by jokers",
        ],
        more="A folder may be larger than memory. Several files or folders are joined.\n"
        "Read on: in Python, help(adjoin.Table.read_parquet).",
    )
    parser.add_argument(
        "files", metavar="FILE|FOLDER", nargs="+", help="FILE.parquet, or a folder of such files"
    )
    parser.add_argument(
        "--by", metavar="COLUMN", help="a summary for each value of a column, or of an option"
    )
    inputs.add_json(parser)
    parser.set_defaults(run=run, parser=parser)


def run(arguments: argparse.Namespace) -> int:
    """Run the command."""
    from adjoin.simulation import Table

    for text in arguments.files:
        if Path(text).suffix == ".csv":
            raise inputs.InputError(f"{text}: a CSV file does not tell its run: write .parquet")
    table = Table.read_parquet(*arguments.files)
    groups = {} if arguments.by is None else dict(table.group(arguments.by))
    if arguments.json:
        document = _document(table)
        if arguments.by is not None:
            each = [{"value": value, **_document(part)} for value, part in groups.items()]
            document = {**_document(table), "by": arguments.by, "groups": each}
        inputs.print_json(document)
        return 0
    if arguments.by is None:
        print(table.summary())
    else:
        texts = [f"{arguments.by}: {value}\n{part.summary()}" for value, part in groups.items()]
        print("\n\n".join(texts))
    return 0


def _document(table: Table) -> dict[str, Any]:
    summary = table.summary()
    runs = [
        {"options": json.loads(run.options), "agents": run.agents, "seed": run.seed}
        for run in table.runs
    ]
    return {
        "game": table.game,
        "record": table.record,
        "runs": runs,
        "rows": len(table),
        "notice": summary.notice,
        "columns": table.columns,
        "summary": summary.to_dict(),
    }
