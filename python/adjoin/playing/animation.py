"""A match as a film: a page to click through, or a GIF."""

from __future__ import annotations

import html
import json
import os
import re
import struct
from collections import Counter
from dataclasses import dataclass
from functools import reduce
from math import ceil
from numbers import Real
from pathlib import Path
from typing import Any, Literal

import numpy as np

from adjoin.core.match import Match
from adjoin.drawing import png
from adjoin.drawing.colours import INK, PAPER
from adjoin.drawing.film import Pixels, Screen
from adjoin.drawing.svg import text
from adjoin.support.extras import need

_SUFFIXES = (".html", ".gif")
_BAR = 40
"""How high the caption below a picture of a GIF is."""
_FLAT = 160
"""How many colours of shapes a GIF has at most; the others are those of their edges."""
_CLEAR = 255
"""What stands in a GIF for a pixel that stays as it is; the colours come before it."""
_EXTRA = "adjoin[png]"


@dataclass(frozen=True, repr=False)
class Animation:
    """A match picture by picture: ``save`` it as .html or .gif, or let a notebook show it."""

    title: str
    frames: tuple[str, ...]
    """SVG pictures: the start, and the table after every decision."""
    captions: tuple[str, ...]
    """What was done, in words; a caption for every picture."""
    fps: float
    """Pictures a second."""

    @property
    def html(self) -> str:
        """The film as a page that needs nothing else: slider, buttons, arrow keys, space bar."""
        pieces: dict[str, int] = {}
        frames = [
            [pieces.setdefault(piece, len(pieces)) for piece in re.split("(?<=>)(?=<)", frame)]
            for frame in self.frames
        ]
        film = {"pieces": list(pieces), "frames": frames, "captions": self.captions}
        filled = {
            "TITLE": html.escape(self.title),
            "LAST": str(len(frames) - 1),
            "WAIT": f"{1000 / self.fps:g}",
            "FILM": json.dumps(film, separators=(",", ":")).replace("<", "\\u003c"),
        }
        return re.sub("|".join(filled), lambda found: filled[found[0]], _PAGE)

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write a page (.html) or a GIF (.gif, needs ``adjoin[png]``) and return its path."""
        path = _target(path)
        if path.suffix.lower() == ".html":
            path.write_text(self.html, encoding="utf-8")
        else:
            path.write_bytes(self._gif())
        return path

    def _gif(self) -> bytes:
        """Return the film as a GIF: of every picture the part that differs from the one before."""
        image, gif = need("PIL.Image", _EXTRA), need("PIL.GifImagePlugin", _EXTRA)
        wide, high = (ceil(side) for side in self._size())
        screen, wait = Screen(wide, high + _BAR), 1000 / self.fps
        palette = canvas = None
        parts: list[bytes] = []
        last = len(self.frames) - 1
        for number, (frame, caption) in enumerate(zip(self.frames, self.captions, strict=True)):
            words = text(wide / 2, high + 25, _cut(caption, wide), 15, INK)
            boxes = screen.show(frame, words, _BAR)
            assert screen.drawn is not None
            if palette is None or canvas is None:
                palette = self._palette(screen.drawn)
                canvas = image.new("P", (wide, high + _BAR))
                parts += _gif_head(wide, high + _BAR, palette)
            stale = reduce(Pixels.around, boxes)
            before = np.asarray(canvas.crop(stale))
            for box in boxes:
                piece = screen.drawn[box.top : box.bottom, box.left : box.right]
                found = image.fromarray(piece).quantize(palette=palette, dither=image.Dither.NONE)
                canvas.paste(found, (box.left, box.top))
            after = np.asarray(canvas.crop(stale))
            if number:
                after = np.where(after == before, np.uint8(_CLEAR), after)
            shown = wait if number < last else max(wait, 3000.0)
            look = {"duration": shown, "disposal": 1, "transparency": _CLEAR}
            parts += gif.getdata(image.fromarray(after), (stale.left, stale.top), **look)
        return b"".join((*parts, b";"))

    def _palette(self, first: Any) -> Any:
        """Return 255 colours: all that shapes have, then those that the first picture has most."""
        image = need("PIL.Image", _EXTRA)
        named = Counter(re.findall('"#([0-9a-fA-F]{6})"', "".join(self.frames)))
        flat = [tuple(bytes.fromhex(colour)) for colour, _ in named.most_common(_FLAT)]
        counted = image.fromarray(first).getcolors(first.shape[0] * first.shape[1])
        often = [colour for _, colour in sorted(counted, reverse=True)]
        colours = [*dict.fromkeys([*flat, (0, 0, 0), (255, 255, 255), *often])][:_CLEAR]
        colours += colours[:1] * (256 - len(colours))
        palette = image.new("P", (1, 1))
        palette.putpalette([value for colour in colours for value in colour])
        return palette

    def _size(self) -> tuple[float, float]:
        """Return the width and the height that every picture fits in."""
        widths, heights = zip(*map(png.size, self.frames), strict=True)
        return max(widths), max(heights)

    def __len__(self) -> int:
        """Return the number of pictures."""
        return len(self.frames)

    def __repr__(self) -> str:
        """Return what it shows and how long it is."""
        return f"<Animation: {self.title}, {len(self)} pictures>"

    def _repr_html_(self) -> str:
        height = self._size()[1] + 110
        return (
            f'<iframe srcdoc="{html.escape(self.html)}" title="{html.escape(self.title)}" '
            f'sandbox="allow-scripts" width="100%" height="{height:g}" style="border:0"></iframe>'
        )


def animate(
    match: Match | str | os.PathLike[str],
    path: str | os.PathLike[str] | None = None,
    *,
    viewer: int | Literal["all"] = "all",
    fps: float = 2,
    **look: Any,
) -> Animation:
    """Return a match as a film, and write it to ``path`` (.html or .gif) if there is one.

    The match is a Match, the text of its replay, or the path of a replay file. ``viewer`` is the
    seat that looks on: it sees no more than it saw then. With "all" every hand is open. The other
    keywords are the looks of ``Match.svg``.

    >>> match = Match("mapello", setup="othello")
    >>> match.play("f5", "d6")
    >>> animate(match).captions
    ('the start', 'seat 0 plays f5', 'seat 1 plays d6')
    """
    if path is not None:
        _target(path)
    if isinstance(fps, bool) or not isinstance(fps, Real) or not 0.1 <= fps <= 50:
        raise ValueError(f"fps = {fps!r}: must be 0.1 to 50")
    if not isinstance(match, Match):
        match = _read(match)
    last = match.spec.seats - 1
    if viewer != "all" and (isinstance(viewer, bool) or viewer not in range(last + 1)):
        raise ValueError(f'viewer = {viewer!r}: must be "all" or 0 to {last}')
    frames = match.pictures(viewer, **look)
    seen = "" if viewer == "all" else f", as seat {viewer} sees it"
    captions = ("the start", *match.sentences)
    animation = Animation(match.spec.title + seen, tuple(frames), captions, fps)
    if path is not None:
        animation.save(path)
    return animation


def _read(source: str | os.PathLike[str]) -> Match:
    """Return the match of a replay, which is given as text or by its path."""
    if not isinstance(source, str | os.PathLike):
        expected = "a Match, the text of its replay, or the path of a replay file"
        raise TypeError(f"match = {source!r}: must be {expected}")
    if isinstance(source, str) and (source.lstrip().startswith("{") or "\n" in source):
        return Match.from_replay(source)
    path = Path(source)
    try:
        return Match.from_replay(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from error


def _target(path: str | os.PathLike[str]) -> Path:
    if not isinstance(path, str | os.PathLike):
        raise TypeError(f"path = {path!r}: must be the name of a file")
    path = Path(path)
    if path.suffix.lower() not in _SUFFIXES:
        raise ValueError(f"{path}: the name must end in {' or '.join(_SUFFIXES)}")
    return path


def _gif_head(wide: int, high: int, palette: Any) -> list[bytes]:
    """Return the beginning of a GIF with a palette of 256 colours that goes on for ever."""
    colours = bytes(palette.getpalette())
    size = struct.pack("<HHBBB", wide, high, 0xF7, 0, 0)
    return [b"GIF89a", size, colours, b"!\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00"]


def _cut(words: str, width: float) -> str:
    most = int(width / 8)
    return words if len(words) <= most else f"{words[: most - 1]}…"


_PAGE = f"""<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>TITLE</title>
<meta name="viewport" content="width=device-width,initial-scale=1">
<style>
body{{margin:0;padding:8px;background:{PAPER};color:{INK};font:15px sans-serif}}
nav{{display:flex;gap:6px;align-items:center}}
button{{font:inherit;min-width:2.6em;padding:4px 8px}}
input{{flex:1;min-width:60px}}
#play{{min-width:5em}}
#count{{min-width:5em;text-align:right;font-variant-numeric:tabular-nums}}
p{{margin:8px 0;min-height:1.3em}}
svg{{display:block;max-width:100%;height:auto;margin:auto}}
#table>svg{{max-height:calc(100vh - 90px)}}
</style></head><body>
<nav aria-label="film"><button id="back" aria-label="back" title="back: left arrow">&lt;</button>
<button id="play" title="play and pause: space bar">Play</button>
<button id="next" aria-label="next" title="next: right arrow">&gt;</button>
<input id="at" type="range" min="0" max="LAST" value="0" aria-label="decision">
<span id="count"></span></nav>
<p id="caption" aria-live="polite"></p><div id="table"></div>
<noscript>This film needs JavaScript.</noscript>
<script id="film" type="application/json">FILM</script>
<script>
const film = JSON.parse(document.getElementById("film").textContent), last = LAST;
const [at, play, table, caption, count] = ["at", "play", "table", "caption", "count"]
  .map(id => document.getElementById(id));
let now = 0, timer = null;
function show(n) {{
  now = Math.max(0, Math.min(last, n));
  table.innerHTML = film.frames[now].map(n => film.pieces[n]).join("");
  caption.textContent = film.captions[now];
  count.textContent = now + " / " + last;
  at.value = now;
  at.setAttribute("aria-valuetext", film.captions[now]);
}}
function stop() {{ clearInterval(timer); timer = null; play.textContent = "Play"; }}
function start() {{
  if (now === last) show(0);
  play.textContent = "Pause";
  timer = setInterval(() => {{ show(now + 1); if (now === last) stop(); }}, WAIT);
}}
function go(n) {{ stop(); show(n); }}
function toggle() {{ if (timer === null) start(); else stop(); }}
const keys = {{
  ArrowLeft: () => go(now - 1), ArrowRight: () => go(now + 1),
  Home: () => go(0), End: () => go(last), " ": toggle,
}};
play.onclick = toggle;
document.getElementById("back").onclick = () => go(now - 1);
document.getElementById("next").onclick = () => go(now + 1);
at.oninput = () => go(Number(at.value));
document.onkeydown = event => {{
  if (!(event.key in keys) || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === " " && event.target.tagName === "BUTTON") return;
  event.preventDefault();
  keys[event.key]();
}};
show(0);
</script></body></html>
"""
