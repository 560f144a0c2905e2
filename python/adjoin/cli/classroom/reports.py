"""``adjoin classroom report``: what a class knows."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from adjoin.cli import inputs
from adjoin.cli.classroom.arguments import action, add_atlas, add_out, done, own_atlas, path_of
from adjoin.data.atlas import Atlas

if TYPE_CHECKING:
    import argparse

    from adjoin.classroom import ClassReports

_REPORT_FILES = (".html", ".csv")


def add(actions: Any) -> None:
    """Add the action."""
    parser = action(
        actions,
        "report",
        "write what a class knows, from the results that pupils hand in",
        [
            "results",
            "results/*.json -o report.html",
            "codes.txt --code UK-WALES-BSW-10-BK7QN",
        ],
        "`adjoin classroom worksheet CODE` prints what the report suggests to practise.\n"
        "Results are files that pupils save, or a list (.txt, .csv) with lines such as\n"
        '"Ann, 7QK2-M": a name and the result code that the pupil reads out.\n'
        "Results of several quizzes are reported quiz by quiz. What cannot be used is named.",
    )
    parser.add_argument(
        "files", metavar="FILE|FOLDER", nargs="+", help="results (.json), lists (.txt, .csv)"
    )
    parser.add_argument(
        "--code", metavar="CODE", help="only this quiz; needed for lists that do not name theirs"
    )
    add_atlas(parser)
    add_out(parser, ".html, or .csv: a row a pupil", "report-CODE.html")
    parser.set_defaults(run=_report, parser=parser)


def _report(arguments: argparse.Namespace) -> int:
    from adjoin.classroom import ClassReports, class_report, class_reports
    from adjoin.classroom.result_files import files_in

    if arguments.out is not None:
        path_of(arguments.out, "", _REPORT_FILES)
    files: list[Path] = []
    for text in arguments.files:
        place = Path(text)
        if not place.exists():
            raise inputs.InputError(f"{text}: there is no such file or folder")
        files += files_in(place) if place.is_dir() else [place]
    if not files:
        ends = ".json, .txt or .csv"
        raise inputs.InputError(f"no results: the folder has no files that end in {ends}")
    own = own_atlas(arguments)
    atlas = own if isinstance(own, Atlas) else None
    if arguments.code is None:
        reports = class_reports(files, atlas=atlas)
    else:
        reports = ClassReports((class_report(files, arguments.code, atlas=atlas),))
    written = _write(reports, arguments.out)
    if not arguments.json:
        print(reports)
    found: list[dict[str, Any]] = [
        {
            "code": report.quiz.code,
            "pupils": len(report.pupils),
            "share": round(report.share, 4),
            "problems": report.problems,
            "suggestions": [one._asdict() for one in report.suggestions],
        }
        for report in reports
    ]
    if len(found) == 1:
        return done(arguments, written, **found[0])
    return done(arguments, written, quizzes=found, problems=reports.problems)


def _write(reports: ClassReports, out: str | None) -> list[str]:
    """Write a page for all quizzes, or a table for each; return the names of the files."""
    is_one = len(reports) == 1
    name = f"report-{reports.reports[0].quiz.code}.html" if is_one else "report.html"
    path = path_of(out, name, _REPORT_FILES)
    if path.suffix.lower() != ".csv":
        reports.to_html(path)
        return [str(path)]
    tables = {
        path if is_one else path.with_stem(f"{path.stem}-{report.quiz.code}"): report
        for report in reports
    }
    for table, report in tables.items():
        report.to_csv(table)
    return list(map(str, tables))
