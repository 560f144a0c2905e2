"""Tiles: a diagram of an atlas in which all regions are of one size."""

from __future__ import annotations

from collections.abc import Mapping

from adjoin.drawing.colours import INK
from adjoin.drawing.sheet import Box, Boxes, Drawing, Lines, Point

Tile = tuple[int, int]
"""The column and the row of a tile."""


def tile_boxes(tiles: Mapping[str, Tile], box: Box, shape: float) -> dict[str, Box]:
    """Return tiles as large as fits into the middle of a box.

    ``shape`` is how wide a tile is at most for its height.
    """
    left, top, across, down = Box.around(tiles.values())
    columns, rows = across + 1, down + 1
    wide = min(box.wide / columns, box.high / rows * shape)
    high = min(box.high / rows, wide)
    x, y = box.x + (box.wide - columns * wide) / 2, box.y + (box.high - rows * high) / 2
    return {
        key: Box(x + (column - left) * wide, y + (row - top) * high, wide, high)
        for key, (column, row) in tiles.items()
    }


def mark_tiles(
    drawing: Drawing, boxes: Mapping[str, Box], fills: Mapping[str, str], edge: str, width: float
) -> None:
    """Draw tiles; those of the same colour are one item."""
    for fill in dict.fromkeys(fills.values()):
        alike = tuple(box for key, box in boxes.items() if fills[key] == fill)
        drawing.add(Boxes(alike, fill, edge, width))


def frontiers(
    drawing: Drawing, tiles: Mapping[str, Tile], boxes: Mapping[str, Box], owner: Mapping[str, str]
) -> None:
    """Draw thick lines between neighbouring tiles of different owners."""
    at = {tile: key for key, tile in tiles.items()}
    lines: list[tuple[Point, Point]] = []
    for key, (column, row) in tiles.items():
        box = boxes[key]
        right, below = at.get((column + 1, row)), at.get((column, row + 1))
        if right and owner[right] != owner[key]:
            lines.append(((box.right, box.y), (box.right, box.bottom)))
        if below and owner[below] != owner[key]:
            lines.append(((box.x, box.bottom), (box.right, box.bottom)))
    drawing.add(Lines(tuple(lines), INK, 0.9))
