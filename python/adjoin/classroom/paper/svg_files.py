"""Drawings as SVG pictures in millimetres."""

from __future__ import annotations

from html import escape

from adjoin.classroom.paper.drawings import Box, Boxes, Circles, Drawing, Item, Lines, Point, Text
from adjoin.drawing.lettering import POINT

_FONTS = "'Source Sans Pro','Source Sans 3',sans-serif"


def svg(drawing: Drawing, title: str, wide: str = "") -> str:
    """Return a drawing in its true size, or as wide as ``wide`` says.

    Every text says how long it is, so that it fits in any font.
    """
    width, height = drawing.width, drawing.height
    size = f'width="{wide}"' if wide else f'width="{_n(width)}mm" height="{_n(height)}mm"'
    parts = "".join(map(_drawn, drawing.items))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_n(width)} {_n(height)}" {size} '
        f'role="img" font-family="{_FONTS}" xml:space="preserve"><title>{escape(title)}</title>'
        f'<rect width="{_n(width)}" height="{_n(height)}" fill="#ffffff"/>{parts}</svg>\n'
    )


def _drawn(item: Item) -> str:
    if isinstance(item, Text):
        return _text(item)
    if isinstance(item, Lines):
        paths = "".join(_path(line) for line in item.lines)
        dash = f' stroke-dasharray="{_n(item.dash)}"' if item.dash else ""
        look = f'stroke="{item.colour}" stroke-width="{_n(item.width)}"{dash}'
        return f'<path d="{paths}" fill="none" {look}/>'
    look = f'fill="{item.fill or "none"}"'
    if item.edge:
        look += f' stroke="{item.edge}" stroke-width="{_n(item.width)}"'
    if isinstance(item, Boxes):
        if item.radius:
            radius = f'rx="{_n(item.radius)}"'
            return "".join(f"<rect {_box(box)} {radius} {look}/>" for box in item.boxes)
        paths = "".join(
            f"M{_n(x)} {_n(y)}h{_n(wide)}v{_n(high)}h{_n(-wide)}z"
            for x, y, wide, high in item.boxes
        )
        return f'<path d="{paths}" {look}/>'
    if isinstance(item, Circles):
        circles = (f'<circle cx="{_n(x)}" cy="{_n(y)}"' for x, y in item.points)
        return "".join(f'{circle} r="{_n(item.radius)}" {look}/>' for circle in circles)
    return f'<path d="{_path(item.points)}z" {look}/>'


def _text(item: Text) -> str:
    x, y = _n(item.start), _n(item.y)
    turn = f' transform="rotate(180 {x} {y})"' if item.is_turned else ""
    bold = ' font-weight="bold"' if item.bold else ""
    size = f'font-size="{_n(item.size * POINT)}"'
    length = f' textLength="{_n(item.wide)}" lengthAdjust="spacingAndGlyphs"'
    length = length if len(item.text) > 1 else ""
    place = f'x="{x}" y="{y}" {size} fill="{item.colour}"{bold}{length}{turn}'
    return f"<text {place}>{escape(item.text)}</text>"


def _box(box: Box) -> str:
    x, y, wide, high = map(_n, box)
    return f'x="{x}" y="{y}" width="{wide}" height="{high}"'


def _path(points: tuple[Point, ...]) -> str:
    return "M" + "L".join(f"{_n(x)} {_n(y)}" for x, y in points)


def _n(number: float) -> str:
    """Return a length to a thousandth of a millimetre."""
    text = f"{number:.3f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text
