"""Parsers whose errors are one line and whose help teaches."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any, NoReturn

from adjoin.cli.inputs import InputError, unknown

if TYPE_CHECKING:
    from collections.abc import Sequence


class Parser(argparse.ArgumentParser):
    """A parser that raises InputError."""

    def __init__(self, **keywords: Any) -> None:
        form = argparse.RawDescriptionHelpFormatter
        super().__init__(formatter_class=form, allow_abbrev=False, **keywords)

    def error(self, message: str) -> NoReturn:
        """Raise what is wrong."""
        raise InputError(f"{message}; `{self.prog} --help` explains")

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.choices is not None and value not in action.choices:
            what = "/".join(action.option_strings) or "command"
            raise unknown(f'unknown {what} "{value}"', action.choices, value)


def command(
    commands: Any, name: str, summary: str, *, examples: Sequence[str], more: str
) -> Parser:
    """Return the parser of a new command; ``more`` says where to read on."""
    shown = "\n".join(f"  {example}" for example in examples)
    parser: Parser = commands.add_parser(
        name,
        help=summary,
        description=summary[0].upper() + summary[1:] + ".",
        epilog=f"examples:\n{shown}\n\n{more}",
    )
    return parser


def chosen(parser: Parser, arguments: Sequence[str]) -> argparse.Namespace:
    """Return what the arguments mean, or say which are unknown and what was meant."""
    options, rest = parser.parse_known_args(arguments)
    if rest:
        known = getattr(options, "parser", parser)._option_string_actions
        raise unknown(f'unknown argument "{rest[0]}"', known, rest[0].split("=")[0])
    return options
