"""A terminal: lists and sentences that fit it, and asking a person, who may be a script."""

from __future__ import annotations

import contextlib
import os
import sys
import textwrap
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

WIDTH = 80
"""How wide a terminal is, as for the games' own texts."""


def wrapped(text: str, indent: str = "") -> str:
    """Return a sentence in lines that fit; those after the first are indented by two more."""
    return textwrap.fill(text, WIDTH, initial_indent=indent, subsequent_indent=f"{indent}  ")


def columns(cells: Sequence[str]) -> list[str]:
    """Return texts in as many columns as fit, downwards."""
    if not cells:
        return []
    width = max(map(len, cells)) + 2
    rows = -(-len(cells) // max(1, (WIDTH - 2) // width))
    lines = ("".join(cell.ljust(width) for cell in cells[row::rows]) for row in range(rows))
    return [f"  {line.rstrip()}" for line in lines]


def ask(prompt: str) -> str | None:
    """Return the next line of the input without blanks around it, or None at its end.

    What a script says is echoed, so that its output reads like a terminal.
    """
    if sys.stdin.isatty():
        with contextlib.suppress(ImportError):
            import readline  # noqa: F401
        try:
            return input(prompt).strip()
        except EOFError:
            print()
            return None
    print(prompt, end="", flush=True)
    line = sys.stdin.readline()
    print(line.rstrip("\r\n"))
    return line.strip() if line else None


def bold(text: str) -> str:
    """Return a text in bold where the terminal can show it."""
    if sys.stdout.isatty() and "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb":
        return f"\x1b[1m{text}\x1b[0m"
    return text
