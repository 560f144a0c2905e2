"""What the actions of ``adjoin classroom`` share: arguments they take, files they write."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from adjoin.cli import inputs
from adjoin.cli.parsers import Parser, command
from adjoin.data.atlas import Atlas
from adjoin.playing.console import wrapped
from adjoin.support.wording import count

if TYPE_CHECKING:
    from adjoin.classroom.paper import Sheets


def action(actions: Any, name: str, summary: str, examples: Sequence[str], more: str) -> Parser:
    """Return the parser of a new action; ``more`` says where to read on."""
    shown = [f"adjoin classroom {name} {example}".rstrip() for example in examples]
    parser = command(actions, name, summary, examples=shown, more=f"Read on: {more}")
    inputs.add_json(parser)
    return parser


def add_atlas(parser: Parser) -> None:
    """Let an action take an atlas."""
    parser.add_argument(
        "--atlas",
        metavar="NAME|FILE",
        help="uk-counties (default), world-countries, us-states, or a CSV file of your own; "
        "for questions and flashcards also world-cities",
    )
    parser.add_argument("--waters", metavar="FILE.csv", help="with a file: its waters")


def add_nations(parser: Parser) -> None:
    """Let an action take nations and editions."""
    for option, what in (("--nation", "a nation"), ("--edition", "a part of the world")):
        parser.add_argument(
            option,
            dest=f"{option[2:]}s",
            metavar="NAME",
            action="append",
            help=f"only {what}; repeat for more, or write them with commas",
        )


def add_names(parser: Parser) -> None:
    """Let an action take the language of names."""
    parser.add_argument(
        "--names",
        metavar="LANGUAGE",
        help="show names in another language that the atlas has: Welsh, Gaelic or Irish for "
        "uk-counties; the usual name where there is none",
    )


def add_scope(parser: Parser) -> None:
    """Let an action take what is asked about."""
    add_atlas(parser)
    add_nations(parser)
    add_names(parser)
    parser.add_argument(
        "--region",
        dest="regions",
        metavar="NAME",
        action="append",
        help='only a region within a nation, such as "South West"; repeat for more',
    )


def add_paper(parser: Parser) -> None:
    """Let an action take a size of paper."""
    parser.add_argument(
        "--paper", metavar="A4|Letter|A3", default="A4", help="the size of the paper (default A4)"
    )


def add_out(parser: Parser, what: str, default: str) -> None:
    """Let an action take the file it writes."""
    parser.add_argument("-o", "--out", metavar="FILE", help=f"{what} (default {default})")


def split(texts: Iterable[str] | None) -> list[str] | None:
    """Return names that were repeated or written with commas."""
    if texts is None:
        return None
    return [name.strip() for text in texts for name in text.split(",") if name.strip()]


def own_atlas(arguments: argparse.Namespace) -> str | Atlas:
    """Return the name of a shipped atlas, or one's own."""
    text = arguments.atlas or "uk-counties"
    if Path(text).is_file():
        return Atlas.from_csv(text, arguments.waters)
    if arguments.waters is not None:
        raise inputs.InputError("--waters belongs to a CSV file, not to a shipped atlas")
    if Path(text).suffix.lower() == ".csv":
        raise inputs.InputError(f"--atlas {text}: there is no such file")
    return str(text)


def named_atlas(arguments: argparse.Namespace) -> Atlas:
    """Return the atlas, with the names in the language that was asked for."""
    own = own_atlas(arguments)
    atlas = own if isinstance(own, Atlas) else Atlas.load(own)
    return atlas if arguments.names is None else atlas.names_in(arguments.names)


def scope_of(arguments: argparse.Namespace) -> dict[str, Any]:
    """Return what is asked about, as keywords."""
    return {
        "names": arguments.names,
        "atlas": own_atlas(arguments),
        "nations": split(arguments.nations),
        "editions": split(arguments.editions),
        "regions": split(arguments.regions),
    }


def nations_of(arguments: argparse.Namespace) -> list[str] | None:
    """Return nations and editions together."""
    both = [*(split(arguments.nations) or ()), *(split(arguments.editions) or ())]
    return both or None


# What is written.


def as_number(text: str) -> float:
    """Return a number."""
    try:
        return float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f'"{text}" is no number') from None


def path_of(given: str | None, default: str, suffixes: Sequence[str]) -> Path:
    """Return the file to write, or say what is wrong with its name."""
    path = Path(default if given is None else given)
    if path.suffix.lower() not in suffixes:
        ends = " or ".join(suffixes)
        raise inputs.InputError(f"-o {path}: a name that ends with {ends} is needed")
    if not path.parent.is_dir():
        raise inputs.InputError(f"-o {path}: there is no folder {path.parent}")
    return path


def print_sheets(sheets: Sheets, path: Path) -> list[str]:
    """Write sheets; return the names of the files."""
    try:
        return [str(file) for file in sheets.save(path)]
    except ImportError as error:
        hint = f"or write pictures, which needs nothing: -o {path.with_suffix('.svg')}"
        raise ImportError(f"{error}, {hint}") from error


def done(arguments: argparse.Namespace, files: Sequence[str], **more: Any) -> int:
    """Say what was written."""
    if arguments.json:
        inputs.print_json({**more, "files": list(files)})
        return 0
    for file in files:
        print(f"wrote {file}")
    return 0


def announce(arguments: argparse.Namespace, words: str) -> None:
    """Say something, unless the answer is JSON."""
    if not arguments.json:
        print(wrapped(words))


def printed(arguments: argparse.Namespace, sheets: Sheets, path: Path) -> int:
    """Write sheets, and say so."""
    files = print_sheets(sheets, path)
    announce(arguments, f"{sheets.title}: {count(len(sheets), 'page')}")
    return done(arguments, files, title=sheets.title, pages=len(sheets))
