"""The few SVG elements that the pictures are made of."""

from __future__ import annotations

from html import escape


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


def polygon(points: list[tuple[float, float]], fill: str, **more: object) -> str:
    """Return a polygon."""
    corners = " ".join(f"{x:g},{y:g}" for x, y in points)
    return f'<polygon points="{corners}" fill="{fill}"{_attributes(more)}/>'


def _attributes(more: dict[str, object]) -> str:
    return "".join(f' {name.replace("_", "-")}="{value}"' for name, value in more.items())
