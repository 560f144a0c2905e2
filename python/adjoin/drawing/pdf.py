"""Drawings as PDF files. Needs ``adjoin[print]``."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timezone
from itertools import accumulate
from pathlib import Path
from typing import Any

from adjoin.drawing.lettering import SOURCE_SANS
from adjoin.drawing.sheet import HALO, Areas, Boxes, Drawing, Item, Lines, Point, Text
from adjoin.support.extras import need

_EXTRA = "adjoin[print]"
_FONT = SOURCE_SANS.name
_STYLES = {"": "Regular", "B": "Bold"}
_DATE = datetime(2020, 1, 1, tzinfo=timezone.utc)
"""What every file says when it was made, so that the same pages are the same bytes."""


def pdf(drawings: Iterable[Drawing], title: str) -> bytes:
    """Return drawings as the pages of a PDF file, with the letters they need."""
    drawings = list(drawings)
    _check_letters(drawings)
    file = _file(title)
    for drawing in drawings:
        file.add_page(format=(drawing.width, drawing.height))
        for item in drawing.items:
            _draw(file, item)
    data = bytes(file.output())
    for font in file.fonts.values():
        font.close()
    return data


def _check_letters(drawings: Iterable[Drawing]) -> None:
    written = {letter for drawing in drawings for item in drawing.texts for letter in item.text}
    missing = sorted(written - SOURCE_SANS.widths.keys())
    if missing:
        shown = " ".join(missing[:10])
        raise ValueError(f"{_FONT}, the font of the PDF, lacks {shown}: save as .svg instead")


def _file(title: str) -> Any:
    fpdf = need("fpdf", _EXTRA)
    fonts = Path(need("font_source_sans_pro", _EXTRA).font_directory)
    file = fpdf.FPDF(unit="mm")
    file.file_id = lambda: None
    file.set_creation_date(_DATE)
    file.set_title(title)
    file.set_lang("en-GB")
    file.set_auto_page_break(False)
    file.c_margin = 0
    for style, name in _STYLES.items():
        file.add_font(_FONT, style, fonts / f"SourceSansPro-{name}.ttf")
    return file


def _draw(file: Any, item: Item) -> None:
    if isinstance(item, Text):
        _text(file, item)
        return
    if isinstance(item, Lines):
        file.set_draw_color(item.colour)
        file.set_line_width(item.width)
        if item.dash:
            file.set_dash_pattern(item.dash - item.width, item.dash + item.width)
        for line in item.lines:
            file.polyline(_capped(line, item.width / 2))
        file.set_dash_pattern()
        return
    if isinstance(item, Areas):
        _areas(file, item)
        return
    style = ("D" if item.edge else "") + ("F" if item.fill else "")
    if item.fill:
        file.set_fill_color(item.fill)
    if item.edge:
        file.set_draw_color(item.edge)
        file.set_line_width(item.width)
    if isinstance(item, Boxes):
        for box in item.boxes:
            file.rect(*box, style, round_corners=item.radius > 0, corner_radius=item.radius)
    else:
        for x, y in item.points:
            file.circle(x, y, item.radius, style)


def _areas(file: Any, item: Areas) -> None:
    """Draw areas as one path of whole numbers, which is scaled."""
    (x, y), scale = item.origin, item.step * file.k
    parts = ["q"]
    if item.fill:
        parts.append(f"{_colour(item.fill)} rg")
    if item.edge:
        parts.append(f"{_colour(item.edge)} RG {item.width / abs(item.step):.2f} w 1 j")
    parts.append(f"{scale:.5f} 0 0 {-scale:.5f} {x * file.k:.2f} {(file.h - y) * file.k:.2f} cm")
    for ring in item.rings:
        points = zip(accumulate(ring[::2]), accumulate(ring[1::2]), strict=True)
        (u, v), *rest = points
        parts.append(f"{u} {v} m")
        parts += [f"{u} {v} l" for u, v in rest]
        parts.append("h")
    parts.append("B*" if item.fill and item.edge else "f*" if item.fill else "S")
    file._out("\n".join([*parts, "Q"]))


def _colour(colour: str) -> str:
    return " ".join(f"{int(colour[n : n + 2], 16) / 255:.3f}" for n in (1, 3, 5))


def _capped(line: tuple[Point, ...], cap: float) -> tuple[Point, ...]:
    """Return a line shortened at both ends by the caps that fpdf2 adds there."""
    first, last = _nearer(line[0], line[1], cap), _nearer(line[-1], line[-2], cap)
    return (first, *line[1:-1], last)


def _nearer(point: Point, other: Point, by: float) -> Point:
    (x, y), (u, v) = point, other
    far = ((u - x) ** 2 + (v - y) ** 2) ** 0.5
    part = min(by / far, 0.49) if far else 0
    return x + (u - x) * part, y + (v - y) * part


def _text(file: Any, item: Text) -> None:
    file.set_font(_FONT, "B" if item.bold else "", item.size)
    file.set_text_color(item.colour)
    if item.halo:
        width = HALO * item.size  # fpdf2 measures the lines of letters in points.
        with file.local_context(text_mode="STROKE", draw_color=item.halo, line_width=width):
            file._out("1 j")
            _written(file, item)
    _written(file, item)


def _written(file: Any, item: Text) -> None:
    if item.is_turned:
        with file.rotation(180, item.start, item.y):
            file.text(item.start, item.y, item.text)
    else:
        file.text(item.start, item.y, item.text)
