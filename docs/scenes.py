"""The pictures of the README and of the front page: a part of a played match, one a game.

`python docs/scenes.py` writes them to docs/static/games. They follow from seeds: the same bytes
on every machine.
"""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import adjoin
from adjoin.drawing.film import around, path_points

FOLDER = Path(__file__).resolve().parent / "static" / "games"
SVG = "http://www.w3.org/2000/svg"
SIZE = 360
"""How large the pictures say they are, in pixels; pages show them smaller."""


@dataclass(frozen=True)
class Scene:
    """A position in a match between greedy players, and the square of its picture to show."""

    seed: int
    decisions: int
    options: dict[str, Any]
    left: float
    top: float
    side: float

    def match(self, game: str) -> adjoin.Match:
        """Play a match to that position."""
        match = adjoin.Match(game, seed=self.seed, **self.options)
        for _ in range(self.decisions):
            match.play(match.choose("greedy"))
        return match


SCENES = {
    "mapello": Scene(3, 24, {"walls": 6, "bonuses": 6, "jokers": 6}, 20, 20, 452),
    "mapominoes": Scene(
        2, 44, {"nations": ["Scotland", "England"], "table": (14, 8)}, 222, 235, 284
    ),
    "metro_domino": Scene(2, 14, {"players": 3}, 12, 8, 336),
    "domiphun": Scene(6, 40, {"variant": "advanced", "players": 4}, 180, 0, 360),
    "connections": Scene(1, 150, {}, 388, 15, 238),
}
"""The scene that stands for a game."""


def picture(game: str) -> str:
    """Return the scene of a game as a small SVG picture."""
    scene = SCENES[game]
    ElementTree.register_namespace("", SVG)
    root = ElementTree.fromstring(scene.match(game).svg("all"))
    keep_seen(root, scene.left, scene.top, scene.side)
    root.set("viewBox", f"{scene.left:g} {scene.top:g} {scene.side:g} {scene.side:g}")
    root.set("width", str(SIZE))
    root.set("height", str(SIZE))
    title = root.find(f"{{{SVG}}}title")
    assert title is not None
    title.text = adjoin.Spec.of(game, {}).title
    for element in root.iter():
        for name in [name for name in element.attrib if name.startswith("data-")]:
            del element.attrib[name]
    return ElementTree.tostring(root, encoding="unicode") + "\n"


def keep_seen(group: ElementTree.Element, left: float, top: float, side: float) -> None:
    """Take out of a group what certainly lies outside a square, and what only pointers read."""

    def is_beyond(box: tuple[float, float, float, float] | None) -> bool:
        return box is not None and (
            box[0] > left + side or box[1] > top + side or box[2] < left or box[3] < top
        )

    for element in list(group):
        if element.tag == f"{{{SVG}}}path" and "transform" not in element.attrib:
            pieces = re.findall("M[^M]*", element.get("d", ""))
            element.set("d", "".join(p for p in pieces if not is_beyond(around(path_points(p)))))
        is_outside = is_beyond(bounds(element)) or element.get("d") == ""
        if is_outside or (element.tag == f"{{{SVG}}}title" and "viewBox" not in group.attrib):
            group.remove(element)
        elif (move := moved(element)) is not None:
            right, down, scale = move
            keep_seen(element, (left - right) / scale, (top - down) / scale, side / scale)


def moved(element: ElementTree.Element) -> tuple[float, float, float] | None:
    """Return how far an element is moved and how it is scaled, or None if it is turned, too."""
    how = element.get("transform", "")
    found = re.fullmatch(r"(?:translate\((\S+) (\S+)\))?(?:scale\((\S+)\))?", how)
    return (float(found[1] or 0), float(found[2] or 0), float(found[3] or 1)) if found else None


def bounds(element: ElementTree.Element) -> tuple[float, float, float, float] | None:
    """Return left, top, right and bottom of what an element draws, or None if it is not known."""
    tag = element.tag.removeprefix(f"{{{SVG}}}")
    move = moved(element)
    if move is None:
        return None

    def at(name: str) -> float:
        return float(element.get(name, 0))

    if tag == "g":
        parts = [bounds(child) for child in element if not child.tag.endswith("title")]
        known = [part for part in parts if part is not None]
        if not known or len(known) < len(parts):
            return None
        lefts, tops, rights, bottoms = zip(*known, strict=True)
        box = min(lefts), min(tops), max(rights), max(bottoms)
    elif tag == "rect":
        box = at("x"), at("y"), at("x") + at("width"), at("y") + at("height")
    elif tag == "circle":
        box = at("cx") - at("r"), at("cy") - at("r"), at("cx") + at("r"), at("cy") + at("r")
    elif tag in ("polygon", "polyline"):
        points = [float(number) for number in re.split(r"[ ,]", element.get("points", ""))]
        box = min(points[::2]), min(points[1::2]), max(points[::2]), max(points[1::2])
    elif tag == "text":
        wide = at("font-size") * len("".join(element.itertext()))
        box = at("x") - wide, at("y") - at("font-size"), at("x") + wide, at("y") + at("font-size")
    elif tag == "path" and (found := around(path_points(element.get("d", "")))) is not None:
        box = found
    else:
        return None
    right, down, scale = move
    left, top = right + scale * box[0], down + scale * box[1]
    return left, top, right + scale * box[2], down + scale * box[3]


def main() -> int:
    """Write the pictures of all games."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for game in adjoin.games():
        path = FOLDER / f"{game}.svg"
        path.write_text(picture(game), "utf-8", newline="\n")
        print(f"{path.name}: {path.stat().st_size:,} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
