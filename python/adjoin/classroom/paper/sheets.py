"""Sheets of paper: pages that can be looked at, and saved as PDF or SVG."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from adjoin.drawing.colours import SOFT
from adjoin.drawing.pdf import pdf
from adjoin.drawing.sheet import Box, Drawing
from adjoin.drawing.svg import svg
from adjoin.support.names import choose
from adjoin.support.wording import count

if TYPE_CHECKING:
    import os

PAGES = {"A4": (210.0, 297.0), "Letter": (215.9, 279.4), "A3": (297.0, 420.0)}
"""The page sizes in millimetres, upright."""

MARGIN = 15.0
"""What worksheets and maps keep free on all sides."""

_SUFFIXES = (".pdf", ".svg")
_FOOT = 4.0


def blank(page: str, *, is_wide: bool = False) -> Drawing:
    """Return an empty page of a size, upright or wide."""
    width, height = PAGES[choose(page, PAGES, "a page size")]
    return Drawing(height, width) if is_wide else Drawing(width, height)


@dataclass(frozen=True, repr=False)
class Sheets:
    """Pages to print; ``a + b`` has the pages of both.

    ``save("cards.pdf")`` needs ``pip install adjoin[print]``; ``save("cards.svg")`` does not.
    """

    title: str
    pages: tuple[Drawing, ...] = field(compare=False)

    def __len__(self) -> int:
        """Return the number of pages."""
        return len(self.pages)

    def __iter__(self) -> Iterator[Drawing]:
        """Go through the pages."""
        return iter(self.pages)

    def __add__(self, other: Sheets) -> Sheets:
        """Return the pages of both."""
        if not isinstance(other, Sheets):
            return NotImplemented
        return Sheets(f"{self.title}, {other.title}", self.pages + other.pages)

    def svg(self, page: int = 1) -> str:
        """Return a page as an SVG picture; the first is 1."""
        if isinstance(page, bool) or not isinstance(page, int) or not 1 <= page <= len(self):
            raise ValueError(f"page = {page!r}: must be a whole number from 1 to {len(self)}")
        return svg(self.pages[page - 1], f"{self.title}, page {page} of {len(self)}")

    def pdf(self) -> bytes:
        """Return all pages as a PDF file: the same bytes for the same pages."""
        return pdf(self.pages, self.title)

    def save(self, path: str | os.PathLike[str]) -> list[Path]:
        """Write a PDF file, or SVG files, one a page: what the path ends with decides.

        Returns which files were written: several pages "maps.svg" are "maps-1.svg" and so on.
        """
        file = Path(path)
        suffix = file.suffix.lower()
        if suffix not in _SUFFIXES:
            raise ValueError(f'"{file.name}": a name that ends with .pdf or .svg is needed')
        if suffix == ".pdf":
            file.write_bytes(self.pdf())
            return [file]
        digits = len(str(len(self)))
        files = [file.with_stem(f"{file.stem}-{n:0{digits}}") for n in range(1, len(self) + 1)]
        files = files if len(self) > 1 else [file]
        for number, name in enumerate(files, 1):
            name.write_text(self.svg(number), "utf-8", newline="\n")
        return files

    def __repr__(self) -> str:
        """Return title and size."""
        return f"<Sheets {self.title}: {count(len(self), 'page')}>"

    def _repr_html_(self) -> str:
        pictures = "".join(
            f'<div style="display:inline-block;margin:4px;border:1px solid #bbb;'
            f'background:#fff">{svg(page, self.title, wide=75)}</div>'
            for page in self.pages
        )
        return f"<div><p>{escape(repr(self)[1:-1])}</p>{pictures}</div>"


def finished(title: str, pages: Iterable[Drawing], note: str = "", edge: float = MARGIN) -> Sheets:
    """Return sheets, with the title, a note and the page number at the foot of every page."""
    drawn = tuple(pages)
    for number, page in enumerate(drawn, 1):
        foot = Box(edge, page.height - _FOOT - 3.4, page.width - 2 * edge, 3.4)
        third = foot.wide / 3 - 3
        left = Box(foot.x, foot.y, 2 * third if not note else third, foot.high)
        middle = Box(foot.x + third + 4.5, foot.y, third, foot.high)
        right = Box(foot.right - third, foot.y, third, foot.high)
        page.label(left, title, 7, 4, colour=SOFT, anchor="start")
        page.label(middle, note, 8, 4, bold=True, colour=SOFT)
        text = f"page {number} of {len(drawn)}"
        page.label(right, text, 7, 4, colour=SOFT, anchor="end")
    return Sheets(title, drawn)
