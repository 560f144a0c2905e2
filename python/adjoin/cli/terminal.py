"""Asking a person, who may be a script."""

from __future__ import annotations

import contextlib
import os
import sys


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
