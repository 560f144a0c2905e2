"""``adjoin completion``: a script with which a shell completes what is typed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from adjoin.cli.parsers import command
from adjoin.cli.shells import SHELLS
from adjoin.cli.syntax import commands_of

if TYPE_CHECKING:
    import argparse


def add(commands: Any) -> None:
    """Add the command."""
    parser = command(
        commands,
        "completion",
        "print a script with which a shell completes commands, options, games and files",
        examples=[
            "adjoin completion bash > ~/.local/share/bash-completion/completions/adjoin",
            "adjoin completion zsh > ~/.zsh/completions/_adjoin",
            "adjoin completion fish > ~/.config/fish/completions/adjoin.fish",
        ],
        more="For this shell alone: source <(adjoin completion bash).\n"
        "Read on: the folder for zsh must be in $fpath before compinit runs.",
    )
    parser.add_argument("shell", metavar="|".join(SHELLS), choices=SHELLS, help="the shell")
    parser.set_defaults(run=run, parser=parser)


def run(arguments: argparse.Namespace) -> int:
    """Run the command."""
    from adjoin.cli import parser_of

    print(SHELLS[arguments.shell](list(commands_of(parser_of()))), end="")
    return 0
