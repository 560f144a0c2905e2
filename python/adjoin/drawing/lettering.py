"""How wide text is in Source Sans Pro, and how to fit it into a room.

Widths are in millimetres, sizes in points. The table has the widths of the font's letters in
thousandths of the size, so that text can be measured where the font is not installed.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from pathlib import Path

POINT = 25.4 / 72
"""A point in millimetres."""

ASCENT, DESCENT, LEADING = 0.74, 0.22, 1.2
"""What letters need above and below their base line, and the distance of lines, at size 1."""

_STEP = 0.25
_TABLE = Path(__file__).parent / "widths.csv"


@cache
def widths() -> dict[str, tuple[int, int]]:
    """Return the widths of the font's letters, regular and bold."""
    rows = (row.split(",") for row in _TABLE.read_text("ascii").split()[1:])
    return {chr(int(code, 16)): (int(regular), int(bold)) for code, regular, bold in rows}


@lru_cache(maxsize=65536)
def measure(text: str, size: float, bold: bool = False) -> float:
    """Return how wide a line of text is; letters that the font lacks count as wide as high."""
    table = widths()
    return sum(table.get(c, (1000, 1000))[bold] for c in text) * size * POINT / 1000


def shortened(text: str, room: float, size: float, bold: bool = False) -> str:
    """Return as much of a line of text as there is room for."""
    if measure(text, size, bold) <= room:
        return text
    kept = text
    while kept and measure(f"{kept}…", size, bold) > room:
        kept = kept[:-1].rstrip()
    return f"{kept}…"


def wrapped(text: str, room: float, size: float, bold: bool = False) -> list[str]:
    """Return a text in as many lines as it needs; a longer word is shortened."""
    lines: list[str] = []
    for word in (shortened(word, room, size, bold) for word in text.split(" ")):
        if lines and measure(f"{lines[-1]} {word}", size, bold) <= room:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


def fitted(
    text: str, room: float, most: float, least: float, bold: bool = False
) -> tuple[str, float]:
    """Return a line of text and its size: as large as fits, shortened if even the least is not."""
    size = most
    while size > least and measure(text, size, bold) > room:
        size = max(least, size - _STEP)
    return shortened(text, room, size, bold), size


def filled(
    texts: Sequence[str], wide: float, high: float, most: float, least: float, bold: bool = False
) -> tuple[list[str], float]:
    """Return paragraphs in lines and their size: as large as fits, words in one piece.

    Where even the least size is too large, the last line that fits ends with an ellipsis.
    """
    size = most
    while True:
        lines = [line for text in texts for line in wrapped(text, wide, size, bold)]
        rooms = max(1, int((high / (size * POINT) - ASCENT - DESCENT) / LEADING + 1e-6) + 1)
        words = (word for text in texts for word in text.split(" "))
        is_whole = all(measure(word, size, bold) <= wide for word in words)
        if len(lines) <= rooms and is_whole:
            return lines, size
        if size <= least:
            cut = len(lines) > rooms
            last = [shortened(lines[rooms - 1] + " …", wide, size, bold)] if cut else []
            return (lines[: rooms - 1] + last if cut else lines), size
        size = max(least, size - _STEP)
