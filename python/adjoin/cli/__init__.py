"""``adjoin`` on the command line.

Exit codes: 0 fine, 1 the thing failed or found faults, 2 wrong usage or bad input, 130 after
Ctrl-C.
"""

from __future__ import annotations

import importlib
import os
import sys
from typing import TYPE_CHECKING

import adjoin
from adjoin.cli.inputs import InputError, one_line
from adjoin.cli.parsers import Parser, chosen
from adjoin.support.names import UnknownNameError

if TYPE_CHECKING:
    from collections.abc import Sequence

_OVERVIEW = """\
adjoin: tabletop games to play, to simulate and to measure.

  adjoin games                               which games there are
  adjoin games mapello                       one game: actions, options, rewards
  adjoin play mapello                        play against the computer
  adjoin page mapello                        one file to play on, for any browser
  adjoin replay FILE                         look at a saved match again
  adjoin simulate mapello 1000               many matches between agents, as a table
  adjoin summary FILE                        what came of matches in a file or a folder
  adjoin tournament mapello random greedy    which agent is stronger
  adjoin compare mapello greedy random       two agents or variants in all their figures
  adjoin sprt mapello greedy random          who is stronger, with as few games as it takes
  adjoin sweep mapello --vary jokers=0,4,8   what options change
  adjoin report mapello                      a page about a game, with charts
  adjoin train mapello                       a network that learns the game by playing
  adjoin atlas                               the maps, and a check for your own
  adjoin classroom                           worksheets, quizzes, cards and reports for a class
  adjoin serve                               rooms for a class to play in, from any browser
  adjoin completion bash                     a script that completes what you type

`adjoin COMMAND --help` explains a command, with examples. In Python: import adjoin; help(adjoin).
"""


_COMMANDS = (
    *("games", "play", "page", "replay", "simulate", "summary", "tournament", "compare", "sprt"),
    *("sweep", "report", "train", "atlas", "classroom", "serve", "completion"),
)
"""Each is a module of this package."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    try:
        code = _run(sys.argv[1:] if arguments is None else arguments)
        sys.stdout.flush()
    except KeyboardInterrupt:
        print("\nadjoin: stopped", file=sys.stderr)
        return 130
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    return code


def _run(arguments: Sequence[str]) -> int:
    named = [name for name in _COMMANDS if name in arguments[:1]]
    parser = parser_of(named or _COMMANDS)
    if not arguments:
        print(_OVERVIEW, end="")
        return 0
    try:
        options = chosen(parser, arguments)
        code: int = options.run(options)
    except (InputError, UnknownNameError, ValueError) as error:
        return _fail(2, one_line(error))
    except BrokenPipeError:
        raise
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        return _fail(2, f"{where}{error.strerror or error}")
    except (ImportError, RuntimeError) as error:
        return _fail(1, one_line(error))
    return code


def _fail(code: int, message: str) -> int:
    sys.stdout.flush()
    print(f"adjoin: {message}", file=sys.stderr)
    return code


def parser_of(names: Sequence[str] = _COMMANDS) -> Parser:
    """Return the parser of some commands, or of all."""
    parser = Parser(prog="adjoin", description=_OVERVIEW, usage="adjoin COMMAND ...")
    parser.add_argument("--version", action="version", version=f"adjoin {adjoin.__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", prog="adjoin")
    for name in names:
        importlib.import_module(f"adjoin.cli.{name}").add(commands)
    return parser
