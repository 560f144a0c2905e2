"""A map of an atlas as data: where every region is on a sheet."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import accumulate
from typing import Any, Literal

Point = tuple[float, float]

STEPS = 10
"""The steps of a unit, in which outlines are measured."""


@dataclass(frozen=True)
class MapPlace:
    """A place on a map.

    ``kind`` is "region" for those that the map is about, "outside" for other regions of the atlas
    that are in the picture, "water" for seas and outside countries, which are points. ``at`` is
    a point well inside, ``reach`` how far that is from the edges. What is ``small`` can be neither
    seen nor hit, and is shown as a dot as well.
    """

    kind: Literal["region", "outside", "water"]
    rings: tuple[tuple[int, ...], ...]
    at: Point
    reach: float
    small: bool

    @functools.cached_property
    def outlines(self) -> tuple[tuple[Point, ...], ...]:
        """The corners of its rings, in units; a point is inside if it is so in an odd number."""
        return tuple(map(corners, self.rings))


@dataclass(frozen=True)
class Bridge:
    """A border that does not run on land: where two regions come nearest."""

    between: tuple[str, str]
    line: tuple[Point, Point]


@dataclass(frozen=True)
class Map:
    """A map of a part of an atlas, as ``Atlas.map`` makes it.

    Rings are whole numbers, tenths of a unit: the first point, then differences. Neighbours share
    the points of their border. ``places`` are in the order of the atlas, by id.
    """

    size: Point
    places: dict[str, MapPlace]
    ground: tuple[tuple[int, ...], ...]
    lakes: tuple[tuple[int, ...], ...]
    bridges: tuple[Bridge, ...]
    frames: tuple[tuple[float, float, float, float], ...]

    @staticmethod
    def from_json(data: Mapping[str, Any]) -> Map:
        """Return the map that ``to_json`` wrote."""

        def place(found: Mapping[str, Any]) -> MapPlace:
            rings = tuple(map(tuple, found["rings"]))
            return MapPlace(**{**found, "rings": rings, "at": tuple(found["at"])})

        return Map(
            tuple(data["size"]),
            {key: place(found) for key, found in data["places"].items()},
            tuple(map(tuple, data["ground"])),
            tuple(map(tuple, data["lakes"])),
            tuple(
                Bridge((one, other), ((x, y), (u, v)))
                for (one, other), ((x, y), (u, v)) in (
                    (found["between"], found["line"]) for found in data["bridges"]
                )
            ),
            tuple(map(tuple, data["frames"])),
        )

    def to_json(self) -> dict[str, Any]:
        """Return the map as plain data."""
        return {
            "size": self.size,
            "places": {
                key: {
                    "kind": place.kind,
                    "rings": place.rings,
                    "at": place.at,
                    "reach": place.reach,
                    "small": place.small,
                }
                for key, place in self.places.items()
            },
            "ground": self.ground,
            "lakes": self.lakes,
            "bridges": [{"between": b.between, "line": b.line} for b in self.bridges],
            "frames": self.frames,
        }


def corners(ring: tuple[int, ...]) -> tuple[Point, ...]:
    """Return the corners of a ring, in units."""
    across, down = accumulate(ring[::2]), accumulate(ring[1::2])
    return tuple((x / STEPS, y / STEPS) for x, y in zip(across, down, strict=True))
