"""The colours of charts, pages and paper, and which letters can be read on a colour."""

from __future__ import annotations

import re

PAPER, WHITE = "#f4f1ea", "#ffffff"
"""What charts lie on, and what is printed on."""

INK, SOFT, FAINT = "#111111", "#555555", "#b4b4b4"
"""Letters, letters that matter less, and lines that only guide the eye."""

SEATS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")
"""The colours of the seats, which most colour-blind people can tell apart."""

NAMED = {
    "purple": "#8e5bb5",
    "orange": "#ef8a2c",
    "red": "#d7352c",
    "gray": "#8c8c8c",
    "yellow": "#f2cf1d",
    "dark green": "#1d6b3a",
    "light blue": "#7cc0ea",
    "maroon": "#7c1f35",
    "dark blue": "#23408e",
    "olive green": "#8a8a2e",
    "light green": "#8fd08a",
    "pink": "#f29bb8",
    "blue": "#3a6fd0",
    "green": "#3f9b4f",
    "brown": "#8c6d46",
    "black": "#222222",
    "white": "#ffffff",
}
"""The colours that decks name."""


def as_colour(text: str) -> str:
    """Return a colour as "#rrggbb": of "#rrggbb", "#rgb" or a name; or refuse what is none.

    >>> as_colour("#fc0"), as_colour("Dark green")
    ('#ffcc00', '#1d6b3a')
    """
    found = find_colour(text)
    if found is None:
        names = ", ".join(NAMED)
        raise ValueError(f'"{text}" is no colour: one is like "#d7352c", or {names}')
    return found


def find_colour(text: str) -> str | None:
    """Return a colour as "#rrggbb", or nothing if it is none."""
    plain = str(text).strip().lower()
    if re.fullmatch("#[0-9a-f]{3}", plain):
        return "#" + "".join(2 * digit for digit in plain[1:])
    return plain if re.fullmatch("#[0-9a-f]{6}", plain) else NAMED.get(plain)


def ink_on(colour: str) -> str:
    """Return the colour of letters that can be read on a colour."""
    red, green, blue = _parts(colour)
    return INK if 0.3 * red + 0.59 * green + 0.11 * blue > 140 else WHITE


def mixed(one: str, other: str, share: float) -> str:
    """Return a colour between two others: the first one at 0, the second one at 1."""
    pairs = zip(_parts(one), _parts(other), strict=True)
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in pairs)


def _parts(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)
