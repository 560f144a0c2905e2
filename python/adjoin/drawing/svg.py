"""SVG: the few elements that pictures are made of, and drawings in millimetres as documents."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from adjoin.drawing.colours import WHITE
from adjoin.drawing.sheet import HALO, POINT, Areas, Circles, Drawing, Item, Lines, Point, Text

_PRINTED = "'Source Sans Pro','Source Sans 3',sans-serif"


def document(
    width: float,
    height: float,
    title: str,
    parts: Iterable[str],
    *,
    font: str = "sans-serif",
    unit: str = "",
    scale: float = 1,
) -> str:
    """Return an SVG picture with a title for screen readers; ``unit`` is what lengths are in."""
    wide, high = (f"{number(scale * side)}{unit}" for side in (width, height))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {number(width)} {number(height)}" '
        f'width="{wide}" height="{high}" role="img" font-family="{font}" xml:space="preserve">'
        f"<title>{escape(title)}</title>{''.join(parts)}</svg>"
    )


def rect(x: float, y: float, width: float, height: float, fill: str, **more: object) -> str:
    """Return a rectangle."""
    return _element("rect", x=x, y=y, width=width, height=height, fill=fill, **more)


def circle(x: float, y: float, radius: float, fill: str, **more: object) -> str:
    """Return a circle."""
    return _element("circle", cx=x, cy=y, r=radius, fill=fill, **more)


def text(
    x: float, y: float, content: str, size: float, fill: str, anchor: str = "middle", **more: object
) -> str:
    """Return a line of text: centred on x, or with ``anchor="start"`` from there on."""
    style = {"font_size": size, "fill": fill, "text_anchor": anchor, **more}
    return f"{_element('text', x=x, y=y, **style)[:-2]}>{escape(content)}</text>"


def polygon(points: Iterable[Point], fill: str, **more: object) -> str:
    """Return a polygon."""
    return _element("polygon", points=_joined(points), fill=fill, **more)


def line(points: Iterable[Point], colour: str, width: float, **more: object) -> str:
    """Return a line from point to point."""
    style = {"fill": "none", "stroke": colour, "stroke_width": width, **more}
    return _element("polyline", points=_joined(points), **style)


def path(steps: str, fill: str, **more: object) -> str:
    """Return what the steps of a path draw, in SVG's own notation."""
    return _element("path", d=steps, fill=fill, **more)


def number(value: float) -> str:
    """Return a number to a thousandth."""
    written = f"{value:.3f}".rstrip("0").rstrip(".")
    return "0" if written == "-0" else written


def _element(name: str, **attributes: object) -> str:
    """Return an element; an attribute that is None is left out."""
    parts = [name]
    for key, value in attributes.items():
        if value is not None:
            shown = number(value) if isinstance(value, int | float) else value
            parts.append(f'{key.replace("_", "-")}="{shown}"')
    return f"<{' '.join(parts)}/>"


def _joined(points: Iterable[Point]) -> str:
    return " ".join(f"{number(x)},{number(y)}" for x, y in points)


# Drawings.


def svg(drawing: Drawing, title: str, wide: float = 0) -> str:
    """Return a drawing in its true size, or shown so many millimetres wide.

    Every text says how long it is, so that it fits in any font.
    """
    width, height = drawing.width, drawing.height
    parts = [rect(0, 0, width, height, WHITE), *map(_drawn, drawing.items)]
    scale = wide / width if wide else 1
    return document(width, height, title, parts, font=_PRINTED, unit="mm", scale=scale) + "\n"


def _drawn(item: Item) -> str:
    if isinstance(item, Text):
        return _text(item)
    if isinstance(item, Lines):
        steps, dash = "".join(map(_steps, item.lines)), item.dash or None
        style = {"stroke": item.colour, "stroke_width": item.width, "stroke_dasharray": dash}
        return path(steps, "none", **style)
    fill = item.fill or "none"
    edge = {"stroke": item.edge, "stroke_width": item.width if item.edge else None}
    if isinstance(item, Areas):
        return _areas(item)
    if isinstance(item, Circles):
        return "".join(circle(x, y, item.radius, fill, **edge) for x, y in item.points)
    if item.radius:
        edge["rx"] = item.radius
        return "".join(rect(x, y, u, v, fill, **edge) for x, y, u, v in item.boxes)
    steps = "".join(
        f"M{number(x)} {number(y)}h{number(wide)}v{number(high)}h{number(-wide)}z"
        for x, y, wide, high in item.boxes
    )
    return path(steps, fill, **edge)


def _areas(item: Areas) -> str:
    """Return areas as one path of whole numbers, which is scaled."""
    (x, y), scale = item.origin, f"{item.step:.5f}".rstrip("0")
    return path(
        "".join(map(_ring, item.rings)),
        item.fill or "none",
        fill_rule="evenodd",
        transform=f"translate({number(x)} {number(y)})scale({scale})",
        stroke=item.edge,
        stroke_width=round(item.width / abs(item.step), 2) if item.edge else None,
        stroke_linejoin="round" if item.edge else None,
    )


def _ring(ring: tuple[int, ...]) -> str:
    first, rest = ring[:2], ring[2:]
    steps = "".join(str(step) if step < 0 else f" {step}" for step in rest).lstrip()
    return f"M{first[0]} {first[1]}l{steps}z"


def _text(item: Text) -> str:
    turn = f"rotate(180 {number(item.start)} {number(item.y)})"
    length = {"textLength": item.wide, "lengthAdjust": "spacingAndGlyphs"}
    halo = {
        "stroke": item.halo,
        "stroke_width": HALO * item.size * POINT,
        "stroke_linejoin": "round",
        "paint_order": "stroke",
    }
    return text(
        item.start,
        item.y,
        item.text,
        item.size * POINT,
        item.colour,
        "start",
        font_weight="bold" if item.bold else None,
        transform=turn if item.is_turned else None,
        **(length if len(item.text) > 1 else {}),
        **(halo if item.halo else {}),
    )


def _steps(points: Iterable[Point]) -> str:
    return "M" + "L".join(f"{number(x)} {number(y)}" for x, y in points)
