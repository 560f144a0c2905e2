"""What the pictures share: the few SVG elements they are made of, colours, words."""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from html import escape

PAPER, INK, SOFT = "#f4f1ea", "#222222", "#6b6b6b"
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

PIPS = (
    (),
    ((1, 1),),
    ((0, 0), (2, 2)),
    ((0, 0), (1, 1), (2, 2)),
    ((0, 0), (0, 2), (2, 0), (2, 2)),
    ((0, 0), (0, 2), (1, 1), (2, 0), (2, 2)),
    ((0, 0), (0, 1), (0, 2), (2, 0), (2, 1), (2, 2)),
    ((0, 0), (0, 1), (0, 2), (1, 1), (2, 0), (2, 1), (2, 2)),
    ((0, 0), (0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1), (2, 2)),
    ((0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (2, 0), (2, 1), (2, 2)),
)
"""Where the pips of a value are, by column and row."""

_WIDTHS = {
    **dict.fromkeys("ijlI.,;:'| ", 0.34),
    **dict.fromkeys("frt()[]!-/", 0.42),
    **dict.fromkeys("csz", 0.55),
    **dict.fromkeys("wGOQDNHU&", 0.83),
    **dict.fromkeys("mMW", 1.0),
    **dict.fromkeys("abdeghknopquvxy0123456789", 0.64),
    **dict.fromkeys("ABCEFJKLPRSTVXYZ", 0.7),
}
"""How wide letters are at size 1 in the widest of the usual sans-serif fonts; others: 1."""

Point = tuple[float, float]


def document(width: float, height: float, title: str, parts: list[str]) -> str:
    """Return an SVG picture with a title for screen readers."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" '
        f'width="{width:g}" height="{height:g}" role="img" font-family="sans-serif">'
        f"<title>{escape(title)}</title>{''.join(parts)}</svg>"
    )


def rect(x: float, y: float, width: float, height: float, fill: str, **more: object) -> str:
    """Return a rectangle."""
    box = f'x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}"'
    return f'<rect {box} fill="{fill}"{_attributes(more)}/>'


def circle(x: float, y: float, radius: float, fill: str, **more: object) -> str:
    """Return a circle."""
    return f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" fill="{fill}"{_attributes(more)}/>'


def text(
    x: float, y: float, content: str, size: float, fill: str, anchor: str = "middle", **more: object
) -> str:
    """Return a line of text: centred on x, or with ``anchor="start"`` from there on."""
    return (
        f'<text x="{x:g}" y="{y:g}" font-size="{size:g}" fill="{fill}" '
        f'text-anchor="{anchor}"{_attributes(more)}>{escape(content)}</text>'
    )


def polygon(points: list[Point], fill: str, **more: object) -> str:
    """Return a polygon."""
    return f'<polygon points="{_places(points)}" fill="{fill}"{_attributes(more)}/>'


def line(points: list[Point], colour: str, width: float, **more: object) -> str:
    """Return a line from point to point."""
    style = _attributes({"stroke": colour, "stroke_width": width, **more})
    return f'<polyline points="{_places(points)}" fill="none"{style}/>'


def ink_on(colour: str) -> str:
    """Return the colour of letters that can be read on a colour."""
    red, green, blue = (int(colour[n : n + 2], 16) for n in (1, 3, 5))
    return INK if 0.3 * red + 0.59 * green + 0.11 * blue > 140 else "#ffffff"


@lru_cache(maxsize=8192)
def measure(content: str, size: float, bold: bool = False) -> float:
    """Return how wide a line of text is at most."""
    letters = (c for c in unicodedata.normalize("NFKD", content) if not unicodedata.combining(c))
    return sum(_WIDTHS.get(c, 1.0) for c in letters) * size * (1.15 if bold else 1)


def shortened(content: str, size: float, room: float, bold: bool = False) -> str:
    """Return as much of a line of text as there is room for."""
    if measure(content, size, bold) <= room:
        return content
    kept = content
    while kept and measure(f"{kept}…", size, bold) > room:
        kept = kept[:-1].rstrip()
    return f"{kept}…"


def fitted(
    content: str, most: float, least: float, room: float, bold: bool = False
) -> tuple[str, float]:
    """Return a line of text and its size: as large as fits, shortened if even the least is not."""
    size = most
    while size > least and measure(content, size, bold) > room:
        size = max(least, round(size - 0.5, 1))
    return shortened(content, size, room, bold), size


def wrapped(words: list[str], size: float, room: float, bold: bool = False) -> list[str]:
    """Return words in as many lines as they need; a longer word is shortened."""
    lines: list[str] = []
    for word in (shortened(word, size, room, bold) for word in words):
        if lines and measure(f"{lines[-1]} {word}", size, bold) <= room:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


def _places(points: list[Point]) -> str:
    return " ".join(f"{x:g},{y:g}" for x, y in points)


def _attributes(more: dict[str, object]) -> str:
    return "".join(f' {name.replace("_", "-")}="{value}"' for name, value in more.items())
