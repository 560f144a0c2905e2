"""A drawing that shows itself in a notebook, and that can be saved."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from adjoin.drawing.sheet import Drawing
from adjoin.drawing.svg import svg

if TYPE_CHECKING:
    import os

_SUFFIXES = (".svg", ".png", ".pdf")
_FINE = 2.0
"""How many pixels of a PNG a pixel of a screen has."""


@dataclass(frozen=True, repr=False)
class Picture:
    """A picture: notebooks show it, ``save`` writes it as .svg, .png or .pdf."""

    title: str
    drawing: Drawing = field(compare=False)

    @cached_property
    def svg(self) -> str:
        """The picture as SVG."""
        return svg(self.drawing, self.title)

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write a file and return its path; what that ends with decides.

        .png needs ``pip install adjoin[png]``, .pdf ``pip install adjoin[print]``.
        """
        file = Path(path)
        suffix = file.suffix.lower()
        if suffix not in _SUFFIXES:
            raise ValueError(f'"{file.name}": a name that ends with .svg, .png or .pdf is needed')
        if suffix == ".svg":
            file.write_text(self.svg, "utf-8", newline="\n")
        elif suffix == ".png":
            from adjoin.drawing.png import png

            file.write_bytes(png(self.svg, _FINE))
        else:
            from adjoin.drawing.pdf import pdf

            file.write_bytes(pdf([self.drawing], self.title))
        return file

    def __repr__(self) -> str:
        """Return title and size."""
        return f"<Picture {self.title}: {self.drawing.width:.0f} × {self.drawing.height:.0f} mm>"

    def _repr_svg_(self) -> str:
        return self.svg
