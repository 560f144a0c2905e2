"""``adjoin classroom report``: what a class knows."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from adjoin.cli import inputs
from adjoin.cli.classroom.arguments import action, add_atlas, add_out, done, own_atlas, path_of
from adjoin.data.atlas import Atlas

if TYPE_CHECKING:
    import argparse

_REPORT_FILES = (".html", ".csv")


def add(actions: Any) -> None:
    """Add the action."""
    parser = action(
        actions,
        "report",
        "write what a class knows, from the results that pupils have downloaded",
        ["results", "results/*.json -o report.html", "results --code UK-WALES-BSW-10-BK7QN"],
        "`adjoin classroom worksheet CODE` prints what the report suggests to practise.\n"
        "Files that cannot be used are named; all others are reported.",
    )
    parser.add_argument("files", metavar="FILE|FOLDER", nargs="+", help="result files (.json)")
    parser.add_argument(
        "--code", metavar="CODE", help="which quiz, if there are results of several"
    )
    add_atlas(parser)
    add_out(parser, ".html, or .csv: a row a pupil", "report-CODE.html")
    parser.set_defaults(run=_report, parser=parser)


def _report(arguments: argparse.Namespace) -> int:
    from adjoin.classroom import class_report

    if arguments.out is not None:
        path_of(arguments.out, "", _REPORT_FILES)
    files: list[Path] = []
    for text in arguments.files:
        place = Path(text)
        if not place.exists():
            raise inputs.InputError(f"{text}: there is no such file or folder")
        files += sorted(place.glob("*.json")) if place.is_dir() else [place]
    if not files:
        raise inputs.InputError("no results: the folder has no files that end in .json")
    own = own_atlas(arguments)
    report = class_report(files, arguments.code, atlas=own if isinstance(own, Atlas) else None)
    path = path_of(arguments.out, f"report-{report.quiz.code}.html", _REPORT_FILES)
    if path.suffix.lower() == ".csv":
        report.to_csv(path)
    else:
        report.to_html(path)
    if not arguments.json:
        print(report)
    return done(
        arguments,
        [str(path)],
        code=report.quiz.code,
        pupils=len(report.pupils),
        share=round(report.share, 4),
        problems=report.problems,
        suggestions=[one._asdict() for one in report.suggestions],
    )
