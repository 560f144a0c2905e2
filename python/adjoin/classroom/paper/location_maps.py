"""Small maps, which show where a region or a city is."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import lru_cache
from math import cos, radians

from adjoin.classroom.paper.tiles import mark_tiles, tile_boxes
from adjoin.data.atlas import Atlas, Region
from adjoin.data.deck import City, Deck
from adjoin.drawing.colours import INK, SOFT, WHITE
from adjoin.drawing.maps import UNIT, MapDrawing, Marks
from adjoin.drawing.sheet import Box, Circles, Drawing

_NEAR = "#a2a2a2"
_LEAST = 6
"""How many regions a map shows at least."""


def region_location(
    drawing: Drawing,
    atlas: Atlas,
    region: Region,
    box: Box,
    *,
    borders: bool = True,
) -> None:
    """Draw where a region is in its surroundings, and with ``borders`` what it borders.

    Without ``borders`` its nation is around it. An atlas without positions shows its tiles.
    """
    beside = region.borders if borders else ()
    fills = dict.fromkeys((r.id for r in atlas), WHITE) | dict.fromkeys(beside, _NEAR)
    fills[region.id] = INK
    shown = _surroundings(atlas, region) if borders else members(atlas, region.nation)
    on = _map(atlas, shown, box, UNIT)
    if on is not None and region.id in on.map.places:
        on.draw(drawing, Marks(fills))
    elif region.id in atlas.tiles:
        tiles = atlas.tiles
        mark_tiles(drawing, tile_boxes(tiles, box.inner(1), 1.3), fills, SOFT, 0.08)


def members(atlas: Atlas, nation: str) -> tuple[str, ...]:
    """Return the regions of a nation, or all."""
    return tuple(region.id for region in atlas if not nation or nation in region.nations)


def _map(atlas: Atlas, shown: tuple[str, ...], box: Box, unit: float) -> MapDrawing | None:
    if isinstance(atlas.outlines, Mapping):
        return MapDrawing.fitted(atlas, shown, box, unit)
    return _kept(atlas, atlas.outlines, shown, box, unit)


@lru_cache(maxsize=512)
def _kept(
    atlas: Atlas, outlines: str | None, shown: tuple[str, ...], box: Box, unit: float
) -> MapDrawing | None:
    """Return a map that was made before; atlases that are equal may differ in their outlines."""
    return MapDrawing.fitted(atlas, shown, box, unit)


def _surroundings(atlas: Atlas, region: Region) -> tuple[str, ...]:
    """Return a region, what it borders, and what else is nearest if these are few."""
    shown = [region.id, *region.borders]
    if len(shown) < _LEAST and region.lon is not None and region.lat is not None:
        lon, lat, degrees = region.lon, region.lat, atlas.centroids

        def far(key: str) -> float:
            across = (degrees[key][0] - lon + 180) % 360 - 180
            return float((across * cos(radians(lat))) ** 2 + (degrees[key][1] - lat) ** 2)

        others = sorted((key for key in degrees if key not in shown), key=far)
        shown += others[: _LEAST - len(shown)]
    return tuple(shown)


def city_location(
    drawing: Drawing, deck: Deck, city: City, near: Collection[City], box: Box
) -> None:
    """Draw where a city is in the world: black, those near grey, all others white."""
    on = _map(_as_atlas(deck), (), box, 4 * UNIT)
    if on is None:
        return
    on.draw_ground(drawing)
    beside = {_id(other) for other in near}
    here = _id(city)
    others = tuple(on.at(key) for key in on.regions if key != here and key not in beside)
    drawing.add(Circles(others, 0.4, WHITE, SOFT, 0.1))
    drawing.add(Circles(tuple(on.at(key) for key in on.regions if key in beside), 0.7, _NEAR, INK))
    if here in on.map.places:
        drawing.circle(*on.at(here), 1, INK)


def _id(city: City) -> str:
    return f"city_{city.id}"


@lru_cache(maxsize=8)
def _as_atlas(deck: Deck) -> Atlas:
    """Return the cities as points before the countries of the world, whose names they keep off."""
    rows = [
        {"id": _id(city), "name": f"{city.name}, a city", "lon": city.lon, "lat": city.lat}
        for city in deck.cities
        if city.lon is not None and city.lat is not None
    ]
    return Atlas.build(rows, [], name=deck.name, outlines="world-countries")
