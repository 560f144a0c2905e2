"""Lists and sentences that fit a terminal."""

from __future__ import annotations

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
