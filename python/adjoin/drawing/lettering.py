"""How wide text is, and how to fit it into a room.

Sizes, rooms and widths are all in one unit, whichever it is.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

ASCENT, DESCENT, LEADING = 0.74, 0.22, 1.2
"""What letters need above and below their base line, and the distance of lines, at size 1."""

_STEP = 0.25
"""By how much letters are made smaller until they fit."""


@dataclass(frozen=True, eq=False)
class Font:
    """The widths of letters, regular and bold, in thousandths of the size.

    A letter that is not among them is as wide as those it is made of, or else ``other``.
    """

    name: str
    widths: Mapping[str, tuple[float, float]]
    other: tuple[float, float] = (1000, 1000)

    def measure(self, text: str, size: float, bold: bool = False) -> float:
        """Return how wide a line of text is."""
        return _thousandths(self, text, bold) * size / 1000

    def shortened(self, text: str, room: float, size: float, bold: bool = False) -> str:
        """Return as much of a line of text as there is room for."""
        if self.measure(text, size, bold) <= room:
            return text
        kept = text
        while kept and self.measure(f"{kept}…", size, bold) > room:
            kept = kept[:-1].rstrip()
        return f"{kept}…"

    def wrapped(self, text: str, room: float, size: float, bold: bool = False) -> list[str]:
        """Return a text in as many lines as it needs; a longer word is shortened."""
        lines: list[str] = []
        for word in (self.shortened(word, room, size, bold) for word in text.split(" ")):
            if lines and self.measure(f"{lines[-1]} {word}", size, bold) <= room:
                lines[-1] += f" {word}"
            else:
                lines.append(word)
        return lines

    def fitted(
        self, text: str, room: float, most: float, least: float, bold: bool = False
    ) -> tuple[str, float]:
        """Return a line of text and its size: as large as fits, shortened if even the least is not.

        >>> SANS.fitted("Fife", 14, most=10, least=5)
        ('Fife', 6.5)
        """
        size = most
        while size > least and self.measure(text, size, bold) > room:
            size = max(least, size - _STEP)
        return self.shortened(text, room, size, bold), size

    def filled(
        self,
        texts: Sequence[str],
        wide: float,
        high: float,
        most: float,
        least: float,
        bold: bool = False,
    ) -> tuple[list[str], float]:
        """Return paragraphs in lines and their size: as large as fits, words in one piece.

        Where even the least size is too large, the last line that fits ends with an ellipsis.
        """
        size = most
        while True:
            lines = [line for text in texts for line in self.wrapped(text, wide, size, bold)]
            rooms = max(1, int((high / size - ASCENT - DESCENT) / LEADING + 1e-6) + 1)
            words = (word for text in texts for word in text.split(" "))
            is_whole = all(self.measure(word, size, bold) <= wide for word in words)
            if len(lines) <= rooms and is_whole:
                return lines, size
            if size <= least:
                cut = len(lines) > rooms
                last = [self.shortened(lines[rooms - 1] + " …", wide, size, bold)] if cut else []
                return (lines[: rooms - 1] + last if cut else lines), size
            size = max(least, size - _STEP)


@lru_cache(maxsize=65536)
def _thousandths(font: Font, text: str, bold: bool) -> float:
    return sum(_width(font, letter)[bold] for letter in text)


def _width(font: Font, letter: str) -> tuple[float, float]:
    if letter in font.widths:
        return font.widths[letter]
    bare = [c for c in unicodedata.normalize("NFKD", letter) if not unicodedata.combining(c)]
    if not all(c in font.widths for c in bare):
        return font.other
    regular, bold = (sum(font.widths[c][style] for c in bare) for style in (0, 1))
    return regular, bold


def _read(table: str) -> dict[str, tuple[float, float]]:
    rows = (row.split(",") for row in (Path(__file__).parent / table).read_text("ascii").split())
    next(rows)
    return {chr(int(code, 16)): (int(regular), int(bold)) for code, regular, bold in rows}


_ROUGHLY = {
    "ijlI.,;:'| ": 340,
    "frt()[]!-/": 420,
    "csz": 550,
    "abdeghknopquvxy0123456789": 640,
    "ABCEFJKLPRSTVXYZ": 700,
    "wGOQDNHU&": 830,
    "mMW": 1000,
}

SANS = Font(
    "sans-serif",
    {letter: (wide, 1.15 * wide) for letters, wide in _ROUGHLY.items() for letter in letters},
    (1000, 1150),
)
"""The widest of the usual sans-serif fonts, for text whose font the reader's browser chooses."""

SOURCE_SANS = Font("Source Sans Pro", _read("widths.csv"))
"""The font of what is printed; its widths are known where it is not installed, too."""
