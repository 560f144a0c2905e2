"""What the pictures share: the few SVG elements they are made of, colours, words."""

from __future__ import annotations

from html import escape

PAPER, INK, SOFT = "#f4f1ea", "#222222", "#6b6b6b"
SEATS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")
"""The colours of the seats, which most colour-blind people can tell apart."""

HALF = 22
"""The side of a square, and of a domino's half."""

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


def curve(begin: Point, bend: Point, end: Point, colour: str, width: float, **more: object) -> str:
    """Return a curve from a point to another, bent towards a third."""
    (x, y), (u, v) = begin, bend
    style = _attributes({"stroke": colour, "stroke_width": width, **more})
    return f'<path d="M {x:g} {y:g} Q {u:g} {v:g} {end[0]:g} {end[1]:g}" fill="none"{style}/>'


def tile(halves: list[int], x: float, y: float) -> list[str]:
    """Return a domino, or a single square, with its pips."""
    parts = [rect(x, y, len(halves) * HALF, HALF, "#ffffff", rx=3, stroke=INK)]
    if len(halves) == 2:
        parts.append(rect(x + HALF - 0.5, y + 3, 1, HALF - 6, SOFT))
    for half, value in enumerate(halves):
        for column, row in PIPS[value]:
            pip_x = x + half * HALF + HALF * (0.24 + 0.26 * column)
            parts.append(circle(pip_x, y + HALF * (0.24 + 0.26 * row), 1.9, INK))
    return parts


def winners(returns: list[float]) -> str:
    """Return who earned most, in words."""
    return " and ".join(f"seat {s}" for s, earned in enumerate(returns) if earned == max(returns))


def clipped(box: tuple[float, float, float, float], parts: list[str]) -> str:
    """Return what of the parts is inside a box: left, top, right, bottom."""
    left, top, right, bottom = box
    place = f"{left:g} {top:g} {right - left:g} {bottom - top:g}"
    x, y, width, height = place.split()
    return (
        f'<svg x="{x}" y="{y}" width="{width}" height="{height}" viewBox="{place}">'
        f"{''.join(parts)}</svg>"
    )


def _places(points: list[Point]) -> str:
    return " ".join(f"{x:g},{y:g}" for x, y in points)


def _attributes(more: dict[str, object]) -> str:
    return "".join(f' {name.replace("_", "-")}="{value}"' for name, value in more.items())
