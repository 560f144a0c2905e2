"""Numbers, lists and tables in words for people."""

from __future__ import annotations

import html
from collections.abc import Collection, Iterable, Sequence

_PARTS = {"½": 1 / 2, "⅓": 1 / 3, "⅔": 2 / 3, "¼": 1 / 4, "¾": 3 / 4, "⅕": 1 / 5, "⅖": 2 / 5}
_PARTS |= {"⅗": 3 / 5, "⅘": 4 / 5, "⅙": 1 / 6, "⅚": 5 / 6}
_NEAR = 0.001
"""Shares are rounded to four places."""


def points(number: float) -> str:
    """Return a number of points as people write it.

    >>> points(3.5), points(2 / 3), points(7), points(0.4286)
    ('3½', '⅔', '7', '0.43')
    """
    whole, rest = divmod(number + _NEAR / 2, 1)
    sign = next((sign for sign, part in _PARTS.items() if abs(rest - part) < _NEAR), "")
    if sign:
        return f"{whole:.0f}{sign}" if whole else sign
    return f"{round(number, 2):g}"


def count(number: int, noun: str) -> str:
    """Return a number of things.

    >>> count(1, "border"), count(2, "border")
    ('1 border', '2 borders')
    """
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def listed(names: Iterable[str], word: str = "and") -> str:
    """Return names in a sentence; a comma before the last if one has the word in it.

    >>> listed(["Kent"]), listed(["Kent", "Essex", "Surrey"], "or")
    ('Kent', 'Kent, Essex or Surrey')
    >>> listed(["Fife", "Perth and Kinross", "Stirling"])
    'Fife, Perth and Kinross, and Stirling'
    """
    *first, last = names
    comma = "," if any(f" {word} " in name for name in (*first, last)) else ""
    return f"{', '.join(first)}{comma} {word} {last}" if first else last


def aligned(rows: Iterable[Sequence[str]], left: Collection[int] = (0,)) -> str:
    """Return rows of cells as lines, with columns to the right but for those to the left.

    >>> print(aligned([("agent", "games"), ("random", "8")]))
    agent   games
    random      8
    """
    table = list(rows)
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    lines = (
        "  ".join(
            f"{cell:<{wide}}" if number in left else f"{cell:>{wide}}"
            for number, (cell, wide) in enumerate(zip(row, widths, strict=True))
        )
        for row in table
    )
    return "\n".join(line.rstrip() for line in lines)


def html_table(caption: str, header: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """Return a table for a notebook."""

    def row(tag: str, cells: Iterable[str]) -> str:
        return "<tr>" + "".join(f"<{tag}>{html.escape(c)}</{tag}>" for c in cells) + "</tr>"

    body = "".join(row("td", cells) for cells in rows)
    return (
        f"<table><caption>{html.escape(caption)}</caption>"
        f"<thead>{row('th', header)}</thead><tbody>{body}</tbody></table>"
    )
