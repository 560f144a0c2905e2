"""Small maps on cards, which show where a region or a city is."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from math import cos, radians

from adjoin.data.atlas import Atlas, Region
from adjoin.drawing import maps
from adjoin.drawing.colours import FAINT, INK, SOFT, WHITE
from adjoin.drawing.sheet import Box, Drawing, Point

_NEAR = "#8a8a8a"
_WHOLE = 120
"""The degrees of longitude up to which a small map shows a whole atlas, not a nation."""

_NEAREST = 16
"""How many regions a map of what is near shows at least."""


def region_location(
    drawing: Drawing, atlas: Atlas, region: Region, box: Box, *, borders: bool = True
) -> None:
    """Draw where a region is: black, and with ``borders`` its neighbours grey."""
    near = region.borders if borders else ()
    tiles, degrees = atlas.tiles, atlas.centroids
    if tiles:
        marks = dict.fromkeys(tiles, maps.Mark(WHITE, SOFT, 0.08))
        marks |= dict.fromkeys(near, maps.Mark(_NEAR, SOFT, 0.08))
        marks[region.id] = maps.Mark(INK, SOFT, 0.08)
        maps.mark_tiles(drawing, maps.tile_boxes(tiles, box.inner(1), 1.3), marks)
    elif region.id not in degrees:
        return
    elif max(maps.longitudes(degrees).values()) <= _WHOLE:
        dot_location(drawing, degrees, region.id, near, box, is_linked=True)
    else:
        world = Box(box.x, box.y, box.wide, box.wide * 0.55)
        rest = Box(box.x, world.bottom + 1, box.wide, box.bottom - world.bottom - 1)
        dot_location(drawing, degrees, region.id, (), world)
        around = _around(degrees, region.id, near)
        dot_location(drawing, around, region.id, near, rest, is_linked=True)


def dot_location(
    drawing: Drawing,
    degrees: Mapping[str, Point],
    here: str,
    near: Collection[str],
    box: Box,
    *,
    is_linked: bool = False,
) -> None:
    """Draw where a place is by true positions: black, what is near grey, all others as specks.

    With ``is_linked``, lines lead to what is near.
    """
    at = maps.positions(degrees, box.inner(1.5))
    others = (at[key] for key in at if key != here and key not in near)
    drawing.box(box, None, FAINT)
    maps.specks(drawing, others, *((0.3, SOFT) if is_linked else (0.22, _NEAR)))
    if is_linked:
        maps.links(drawing, at, ((here, key) for key in near), SOFT, 0.2)
    beside = {key: at[key] for key in near if key in at and key != here}
    maps.mark_dots(drawing, beside, dict.fromkeys(beside, maps.Mark(_NEAR, INK, 0.08, 0.7)))
    if here in at:
        drawing.circle(*at[here], 1, INK)


def _around(degrees: Mapping[str, Point], here: str, near: Collection[str]) -> dict[str, Point]:
    """Return the places that are nearest to one, and those it borders."""
    lon, lat = degrees[here]

    def far(key: str) -> float:
        across = (degrees[key][0] - lon + 180) % 360 - 180
        return float((across * cos(radians(lat))) ** 2 + (degrees[key][1] - lat) ** 2)

    ordered = sorted(degrees, key=far)
    shown = ordered[:_NEAREST] + [key for key in ordered[_NEAREST:] if key in near]
    return {key: degrees[key] for key in shown}
