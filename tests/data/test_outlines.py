"""The outlines of the shipped atlases, and the maps that are drawn of them."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any

import pytest

import adjoin
from adjoin.data.atlas import Atlas, AtlasError
from adjoin.data.atlas_map import Map, MapPlace
from adjoin.data.files import DATA

Point = tuple[float, float]
Pair = frozenset[str]
LEVELS = [f"{name}{level}" for name in Atlas.shipped() for level in ("", "-light")]
BRIDGES = {
    frozenset(pair)
    for pair in (
        ("clackmannanshire", "falkirk"),
        ("falkirk", "fife"),
        ("dundee", "fife"),
        ("edinburgh", "fife"),
    )
}


@cache
def topology(level: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((DATA / "outlines" / f"{level}.topo.json").read_text())
    return found


@cache
def arcs(level: str) -> list[list[tuple[int, int]]]:
    """Return the arcs on the grid of the file."""
    found = []
    for steps in topology(level)["arcs"]:
        x = y = 0
        points = []
        for across, up in steps:
            x, y = x + across, y + up
            points.append((x, y))
        found.append(points)
    return found


def shapes(level: str) -> Iterator[tuple[str, str, list[list[list[int]]]]]:
    """Go through the shapes: the object that each is in, its id, its polygons as rings of arcs."""
    for name, collection in topology(level)["objects"].items():
        for shape in collection["geometries"]:
            rings = shape["arcs"]
            yield name, shape["id"], rings if shape["type"] == "MultiPolygon" else [rings]


def ring_points(level: str, ring: Iterable[int]) -> list[tuple[int, int]]:
    points: list[tuple[int, int]] = []
    for arc in ring:
        part = arcs(level)[arc] if arc >= 0 else arcs(level)[~arc][::-1]
        assert not points or points[-1] == part[0], "arcs do not join"
        points += part[1:] if points else part
    return points


def doubled_area(ring: Sequence[Point]) -> float:
    return sum(p[0] * q[1] - q[0] * p[1] for p, q in pairwise(ring))


def edges(atlas: Atlas) -> set[Pair]:
    return {frozenset((one.id, other.id)) for one, other in atlas.edges}


def atlas_of(level: str) -> Atlas:
    return Atlas.load(level.removesuffix("-light"))


# The files.


@pytest.mark.parametrize("level", LEVELS)
def test_shapes_are_the_regions_in_their_order_and_closed(level: str) -> None:
    regions = [key for name, key, _ in shapes(level) if name not in ("context", "lakes", "other")]
    assert regions == [region.id for region in atlas_of(level)]
    used: dict[tuple[int, bool], str] = {}
    for name, key, polygons in shapes(level):
        for polygon in polygons:
            for number, ring in enumerate(polygon):
                points = ring_points(level, ring)
                assert points[0] == points[-1], f"{key}: a ring is open"
                assert len(points) >= 4, f"{key}: a ring is too short"
                turn = doubled_area(points)
                assert turn != 0, f"{key}: a ring is empty"
                assert (turn < 0) == (number == 0), f"{key}: a ring runs the wrong way round"
                for arc in ring if name != "lakes" else ():
                    side = (arc if arc >= 0 else ~arc, arc >= 0)
                    assert side not in used, f"{key} and {used.get(side)} lie on the same side"
                    used[side] = key


@pytest.mark.parametrize("level", LEVELS)
def test_regions_share_an_arc_if_they_border(level: str) -> None:
    users: dict[int, set[str]] = defaultdict(set)
    for name, key, polygons in shapes(level):
        if name != "lakes":
            for arc in (arc for polygon in polygons for ring in polygon for arc in ring):
                users[arc if arc >= 0 else ~arc].add(key)
    shared = {frozenset(pair) for keys in users.values() for pair in combinations(keys, 2)}
    atlas, known = atlas_of(level), {region.id for region in atlas_of(level)}
    among = {pair for pair in shared if pair <= known}
    assert among == edges(atlas) - BRIDGES
    if "republic_of_ireland" in {key for keys in users.values() for key in keys}:
        touching = {key for pair in shared if "republic_of_ireland" in pair for key in pair & known}
        assert touching == {region.id for region in atlas.touching("Republic of Ireland")}


def _side(a: Point, b: Point, c: Point) -> int:
    turn = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
    return (turn > 0) - (turn < 0)


@pytest.mark.parametrize("level", LEVELS)
def test_no_two_lines_cross(level: str) -> None:
    lakes = {
        arc if arc >= 0 else ~arc
        for name, _, polygons in shapes(level)
        if name == "lakes"
        for polygon in polygons
        for ring in polygon
        for arc in ring
    }
    lines = [line for n, line in enumerate(arcs(level)) if n not in lakes]
    segments = [pair for line in lines for pair in pairwise(line)]
    wide, high = (max(p[n] for pair in segments for p in pair) // 400 + 1 for n in (0, 1))
    cells: dict[tuple[int, int], list[int]] = defaultdict(list)
    for number, (p, q) in enumerate(segments):
        for column in range(min(p[0], q[0]) // wide, max(p[0], q[0]) // wide + 1):
            for row in range(min(p[1], q[1]) // high, max(p[1], q[1]) // high + 1):
                cells[column, row].append(number)
    for one, other in {pair for members in cells.values() for pair in combinations(members, 2)}:
        (p, q), (r, s) = segments[one], segments[other]
        turns = _side(p, q, r), _side(p, q, s), _side(r, s, p), _side(r, s, q)
        assert not (turns[0] * turns[1] < 0 and turns[2] * turns[3] < 0), f"lines cross at {p}, {r}"


# The maps.


def shared_lines(drawn: Map) -> set[Pair]:
    """Return which places of a map have a line in common."""
    users: dict[frozenset[Point], set[str]] = defaultdict(set)
    for key, place in drawn.places.items():
        for ring in place.outlines:
            for side in pairwise((*ring, ring[0])):
                users[frozenset(side)].add(key)
    return {frozenset(pair) for keys in users.values() for pair in combinations(sorted(keys), 2)}


def parts_of(name: str) -> list[list[str]]:
    atlas = Atlas.load(name)
    nations = [[r.id for r in atlas if r.nation == nation] for nation in atlas.nations]
    return [[], *nations]


@pytest.mark.parametrize("name", Atlas.shipped())
@pytest.mark.parametrize("size", [300, 640, 1200])
def test_a_map_shows_every_border_and_no_other(name: str, size: int) -> None:
    atlas = Atlas.load(name)
    for part in parts_of(name):
        drawn = atlas.map(part, width=size, height=size)
        assert drawn is not None
        regions = {key for key, place in drawn.places.items() if place.kind == "region"}
        assert regions == set(part or (region.id for region in atlas))
        wanted = {pair for pair in edges(atlas) if pair <= regions}
        on_land = {pair for pair in shared_lines(drawn) if pair <= regions}
        bridges = {pair for b in drawn.bridges if (pair := frozenset(b.between)) <= regions}
        assert on_land == wanted - BRIDGES
        assert bridges == wanted & BRIDGES


def inside(rings: Iterable[Sequence[Point]], at: Point) -> bool:
    x, y = at
    sides = ((p, q) for ring in rings for p, q in pairwise((*ring, ring[0])))
    crossed = (
        (b > y) != (d > y) and x < (c - a) * (y - b) / (d - b) + a for (a, b), (c, d) in sides
    )
    return sum(crossed) % 2 == 1


@pytest.mark.parametrize("name", Atlas.shipped())
def test_points_are_inside_their_regions_and_waters_are_not_on_land(name: str) -> None:
    for part in parts_of(name):
        drawn = Atlas.load(name).map(part)
        assert drawn is not None
        land: list[MapPlace] = [place for place in drawn.places.values() if place.rings]
        for key, place in drawn.places.items():
            assert 0 <= place.at[0] <= drawn.size[0]
            assert 0 <= place.at[1] <= drawn.size[1]
            if place.kind == "water":
                assert not any(inside(other.outlines, place.at) for other in land), key
            elif not place.small:
                assert inside(place.outlines, place.at), key


@pytest.mark.parametrize("name", Atlas.shipped())
def test_every_region_has_a_map_of_its_own(name: str) -> None:
    atlas = Atlas.load(name)
    for region in atlas:
        drawn = atlas.map([region], width=200, height=200)
        assert drawn is not None
        assert drawn.places[region.id].rings
        assert max(drawn.size) == pytest.approx(200, abs=0.1)
        assert min(drawn.size) > 5


def test_what_is_moved_stands_in_a_frame() -> None:
    states = Atlas.load("us-states").map()
    assert states is not None
    for (left, top, wide, high), key in zip(states.frames, ("alaska", "hawaii"), strict=True):
        for x, y in (corner for ring in states.places[key].outlines for corner in ring):
            assert left <= x <= left + wide
            assert top <= y <= top + high
        others = (p for other, p in states.places.items() if other != key)
        corners = [corner for p in others for ring in p.outlines for corner in ring]
        assert not any(left < x < left + wide and top < y < top + high for x, y in corners)
    assert not Atlas.load("us-states").map(["Alaska"]).frames  # type: ignore[union-attr]


# Parts, and atlases of one's own.


@pytest.mark.parametrize(
    "atlas",
    [
        Atlas.load("world-countries").edition("Europe"),
        Atlas.load("uk-counties").nation("Wales"),
        Atlas.load("us-states").nation("New England"),
    ],
    ids=str,
)
def test_a_part_keeps_its_outlines(atlas: Atlas) -> None:
    drawn = atlas.map()
    assert drawn is not None
    assert all(place.rings for place in drawn.places.values() if place.kind == "region")
    assert bool(drawn.ground), "what is around it is grey"
    assert Atlas.from_option(atlas.option()).map() == drawn
    match = adjoin.Match("mapominoes", atlas=atlas, transit_cards=2)
    assert ">Map<" in match.svg()


SQUARES = {
    "type": "FeatureCollection",
    "features": [
        {
            "type": "Feature",
            "properties": {"name": name},
            "geometry": {
                "type": "Polygon",
                "coordinates": [[[x, 50], [x + 1, 50], [x + 1, 51], [x, 51], [x, 50]]],
            },
        }
        for name, x in (("A", 0), ("B", 1), ("elsewhere", 2))
    ],
}


def test_own_outlines_are_geojson_or_topojson(tmp_path: Path) -> None:
    table, outlines = tmp_path / "own.csv", tmp_path / "own.geojson"
    table.write_text("name,borders\nA,B\nB,A\n")
    outlines.write_text(json.dumps(SQUARES))
    atlas = Atlas.from_csv(table, outlines=outlines)
    drawn = atlas.map()
    assert drawn is not None
    assert shared_lines(drawn) == {frozenset("ab")}
    assert len(drawn.ground) == 1
    assert Atlas.build(["A", "B"], [("A", "B")], outlines=SQUARES).map() == drawn
    benelux = Atlas.build(
        [{"name": "Belgium", "id": "bel"}, {"name": "Luxembourg", "id": "lux"}],
        [("bel", "lux")],
        outlines="world-countries",
    ).map()
    assert benelux is not None
    assert shared_lines(benelux) == {frozenset(("bel", "lux"))}


def test_without_outlines_a_map_has_points_or_there_is_none() -> None:
    places = [{"name": "A", "lon": 1, "lat": 50}, {"name": "B", "lon": 3, "lat": 51}]
    drawn = Atlas.build(places, [("A", "B")]).map(width=400, height=300)
    assert drawn is not None
    assert drawn.places["a"].small
    assert drawn.places["a"].at[0] < drawn.places["b"].at[0]
    assert drawn.places["a"].at[1] > drawn.places["b"].at[1]
    assert Atlas.build(["A", "B"], [("A", "B")]).map() is None
    poles = Atlas.build(
        [{"name": "N", "lon": 0, "lat": 90}, {"name": "S", "lon": 9, "lat": -90}], []
    )
    drawn = poles.map()
    assert drawn is not None
    assert drawn.places["n"].at[1] < drawn.places["s"].at[1]


def test_wrong_outlines_and_sizes_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="there is no arc 7"):
        Atlas.build(
            ["A"],
            [],
            outlines={
                "type": "Topology",
                "objects": {"x": {"geometries": [{"type": "Polygon", "id": "A", "arcs": [[7]]}]}},
                "arcs": [],
            },
        ).map()
    with pytest.raises(ValueError, match='not "nowhere"'):
        Atlas("own", Atlas.build(["A"], []).regions, (), "nowhere").map()
    with pytest.raises(AtlasError, match=r"none\.json: No such file"):
        Atlas.build(["A"], [], outlines=tmp_path / "none.json")
    with pytest.raises(ValueError, match="width and height are from 1 to 99999, got 0 and 640"):
        Atlas.load("us-states").map(width=0)
