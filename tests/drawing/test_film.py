"""The pictures of a film: drawn in parts, they are those that are drawn whole."""

from __future__ import annotations

import numpy as np
import pytest

from adjoin import Match
from adjoin.drawing.film import Screen, _taken_apart
from adjoin.drawing.png import fitted, pixels, size
from adjoin.drawing.svg import document, rect
from scaffold import cases

pytest.importorskip("resvg_py", reason="pictures need `pip install adjoin[png]`")

BAR = 20


def whole(svg: str, wide: int, high: int) -> np.ndarray:
    """Return a picture at the top of a screen, drawn in one go."""
    at_the_top = fitted(svg, wide, high).replace("<svg ", '<svg preserveAspectRatio="xMidYMin" ', 1)
    return pixels(document(wide, high + BAR, "", [at_the_top]))


def check(frames: list[str]) -> float:
    """Check that pictures drawn one after the other are right; return the share that was drawn."""
    wide, high = (int(max(sides)) for sides in zip(*map(size, frames), strict=True))
    screen, drawn = Screen(wide, high + BAR), 0.0
    for frame in frames:
        boxes = screen.show(frame, "", BAR)
        assert screen.drawn is not None
        off = np.abs(screen.drawn.astype(int) - whole(frame, wide, high)).max(axis=2)
        # The blur of edges differs by a level or two; a shape that is missing or left over by many.
        assert (off > 40).sum() <= 2
        assert (off > 2).mean() < 0.001
        drawn += sum(box.area for box in boxes) / (wide * (high + BAR))
    return drawn / len(frames)


@cases("game", ["mapello", "mapominoes", "metro_domino", "domiphun", "connections"])
def test_parts_make_the_whole(game: str) -> None:
    match = Match(game, seed=2)
    match.play_random(14)
    share = check(list(match.pictures("all"))[-9:])
    assert share < 0.95


def test_every_kind_of_change_is_seen() -> None:
    def picture(*parts: str, wide: int = 200, high: int = 100) -> str:
        return document(wide, high, "", parts)

    moved = '<g transform="translate(60 10) scale(2)"><circle cx="5" cy="5" r="4"/></g>'
    turned = '<g transform="rotate(20)"><rect x="90" y="5" width="30" height="9"/></g>'
    words = '<text x="20" y="60" font-size="15" text-anchor="start">Kent &amp; &lt;Wales&gt;</text>'
    curve = '<path d="M 100 80 q 10 -30 20 0 h 9 v 9 l -4 3 z" fill="none" stroke="#d55e00"/>'
    inner = '<rect width="1" height="2"/>'
    nested = f'<svg x="5" y="5" width="20" height="20" viewBox="0 0 2 2">{inner}</svg>'
    unknown = '<ellipse cx="150" cy="50" rx="20" ry="9"/>'
    red, blue = rect(10, 10, 50, 30, "#ff0000"), rect(30, 20, 50, 30, "#0000ff")
    line = '<polyline points="0,99 150,20" fill="none" stroke="#009e73" stroke-width="7"/>'
    check(
        [
            picture(),
            picture(red, blue),
            picture(blue, red),
            picture(blue, red, words),
            picture(blue, words, red, words),
            picture(moved, words, line),
            picture(moved, words, line, turned),
            picture(curve, words, line, nested),
            picture(curve, unknown),
            picture(curve, unknown, high=140),
            picture(curve, words, wide=160),
            picture(),
        ]
    )


def test_paper_is_no_shape() -> None:
    view, _, shapes = _taken_apart(Match("mapello", seed=1).svg())
    assert all(shape.box != (0.0, 0.0, *view[2:]) for shape in shapes)
    assert len(shapes) > 64
