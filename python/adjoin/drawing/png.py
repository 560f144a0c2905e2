"""Pictures as PNG and as arrays, and what an environment shows. Needs ``adjoin[png]``."""

from __future__ import annotations

import importlib
import importlib.util
import io
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from adjoin.drawing.colours import PAPER
from adjoin.drawing.lettering import SOURCE_SANS
from adjoin.support.extras import need

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from adjoin.core.match import Match, Viewer

MODES = ("ansi", "human", "rgb_array")
"""The render modes of the environments."""

WIDTH, HEIGHT = 1200, 900
"""The size of every frame in the mode "rgb_array", in pixels."""

_EXTRA = "adjoin[png]"
_PACKAGES = ("resvg_py", "font_source_sans_pro", "PIL")
_FONT = SOURCE_SANS.name
_STYLES = ("Regular", "Bold", "It", "BoldIt")
_SIZE = re.compile(' width="([^"]*)" height="([^"]*)"')
_COVERED = "\u2100"
"""The font has the Latin, Greek and Cyrillic letters below this one."""


def png(svg: str, scale: float = 1.0) -> bytes:
    """Return an SVG picture as PNG: the same bytes on every machine, whatever its fonts.

    Only letters that the bundled font lacks come from the fonts of the machine.
    """
    if not 0 < scale <= 10:
        raise ValueError(f"scale = {scale!r}: must be above 0 and at most 10")
    resvg = need("resvg_py", _EXTRA)
    fonts = Path(need("font_source_sans_pro", _EXTRA).font_directory)
    return bytes(
        resvg.svg_to_bytes(
            svg_string=svg,
            zoom=scale,
            dpi=96,
            background=PAPER,
            skip_system_fonts=max(svg) < _COVERED,
            font_family=_FONT,
            sans_serif_family=_FONT,
            font_files=[str(fonts / f"SourceSansPro-{style}.ttf") for style in _STYLES],
        )
    )


def pixels(svg: str) -> NDArray[np.uint8]:
    """Return an SVG picture as an array of height, width and red, green, blue."""
    image = need("PIL.Image", _EXTRA)
    with image.open(io.BytesIO(png(svg))) as picture:
        return np.asarray(picture.convert("RGB"))


def size(svg: str) -> tuple[float, float]:
    """Return the width and the height that an SVG picture in pixels says it has."""
    found = _SIZE.search(svg)
    assert found is not None, "every picture says its size"
    return float(found[1]), float(found[2])


def fitted(svg: str, width: float, height: float) -> str:
    """Return an SVG picture as large as it fits into a size, in the middle."""
    return _SIZE.sub(f' width="{width:g}" height="{height:g}"', svg, count=1)


def show(mode: str | None, match: Match, viewer: Viewer = None) -> Any:
    """Return what an environment's ``render`` returns for a match; "human" shows it.

    A notebook shows the picture, a terminal the text.
    """
    if mode == "rgb_array":
        return pixels(fitted(match.svg(viewer), WIDTH, HEIGHT))
    if mode == "ansi":
        return match.text(viewer)
    if mode == "human":
        if _in_a_notebook():
            display = importlib.import_module("IPython.display")
            display.display(display.SVG(match.svg(viewer)))
        else:
            print(match.text(viewer))
    return None


def modes() -> list[str]:
    """Return the render modes that work with what is installed."""
    return [mode for mode in MODES if mode != "rgb_array" or all(map(_is_there, _PACKAGES))]


def check_mode(mode: str | None) -> None:
    """Refuse a render mode that is unknown, or whose packages are missing."""
    if mode not in (None, *MODES):
        modes = ", ".join(map(repr, (None, *MODES)))
        raise ValueError(f"render_mode = {mode!r}: must be one of {modes}")
    if mode == "rgb_array":
        for package in _PACKAGES:
            need(package, _EXTRA)


def _is_there(package: str) -> bool:
    try:
        return importlib.util.find_spec(package) is not None
    except ImportError:
        return False


def _in_a_notebook() -> bool:
    shell = sys.modules.get("IPython")
    return shell is not None and hasattr(shell.get_ipython(), "kernel")
