"""``adjoin classroom``: worksheets, cards, maps, quizzes and reports, without any Python."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from adjoin.cli.classroom import live, paper, play, quizzes, reports, take_home
from adjoin.cli.parsers import Parser, command

if TYPE_CHECKING:
    import argparse

_OVERVIEW = """\
adjoin classroom: geography lessons on paper, on the screen and to take home.

  adjoin classroom worksheet --nation Wales    questions to print, and the answer key
  adjoin classroom quiz --nation Wales         the questions as a page for pupils' own devices
  adjoin classroom host --lan --nation Wales   a live quiz for the class, on their own devices
  adjoin classroom daily                       the way of the day, as a page
  adjoin classroom report results              what a class knows, from the pupils' results
  adjoin classroom map --style numbered        maps to fill in
  adjoin classroom bingo                       bingo cards, and the caller's list
  adjoin classroom cards --nation Wales        the cards of a game to print and cut
  adjoin classroom anki --nation Wales         flashcards to learn at home
  adjoin classroom facts                       what borders what, for a spreadsheet
  adjoin classroom kinds                       which kinds of questions there are
  adjoin classroom play                        Mapominoes against a gentle opponent

Every quiz has a code: `adjoin classroom worksheet CODE` makes the same questions again, anywhere.
`adjoin classroom COMMAND --help` explains a command, with examples.
"""


def add(commands: Any) -> None:
    """Add the command."""
    parser = command(
        commands,
        "classroom",
        "make worksheets, cards, maps and quizzes for a class",
        examples=[
            "adjoin classroom",
            "adjoin classroom worksheet --nation Wales --questions 12 -o wales.pdf",
            "adjoin classroom quiz --atlas world-countries --edition Africa -o africa.html",
            "adjoin classroom cards --nation Wales -o cards.pdf",
        ],
        more='Read on: the page "For teachers" in the docs; in Python, help(adjoin.classroom).',
    )
    parser.set_defaults(run=_overview, parser=parser)
    actions = parser.add_subparsers(title="actions", metavar="ACTION", parser_class=Parser)
    for module in (quizzes, live, reports, paper, take_home, play):
        module.add(actions)


def _overview(_: argparse.Namespace) -> int:
    print(_OVERVIEW, end="")
    return 0
