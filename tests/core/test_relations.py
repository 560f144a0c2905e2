"""What goes with what in every match, as the data say."""

from __future__ import annotations

from adjoin import Spec


def test_borders_are_the_same_both_ways_and_those_of_the_map() -> None:
    """Regions border each other mutually; waters are columns alone."""
    borders = Spec.of("mapominoes", {}).relations["borders"]
    regions = len(borders.rows)
    assert borders.columns[:regions] == borders.rows
    assert (borders.matrix[:, :regions] == borders.matrix[:, :regions].T).all()
    kent = borders.matrix[borders.rows.index("Kent")]
    near = {name for name, flag in zip(borders.columns, kent, strict=True) if flag}
    assert {"Surrey", "East Sussex"} <= near
    assert not near & {"Kent", "Cornwall"}
    assert borders.rows == Spec.of("mapominoes", {}).actions["county"].labels
    assert borders.columns == Spec.of("mapominoes", {}).actions["nominee"].labels


def test_every_line_has_one_station_and_every_tile_its_halves() -> None:
    """Metro Domino: tile 3-5 shows 3 and 5."""
    relations = Spec.of("metro_domino", {}).relations
    assert (relations["station_lines"].matrix.sum(axis=0) == 1).all()
    tiles = relations["tile_values"]
    for tile, row in zip(tiles.rows, tiles.matrix, strict=True):
        shown = {value for value, flag in zip(tiles.columns, row, strict=True) if flag}
        assert shown == set(tile.split("-"))


def test_a_linking_city_is_in_the_regions_that_its_link_joins() -> None:
    """Connections: Chicago joins Atlantic and Pacific North America."""
    relations = Spec.of("connections", {}).relations
    links, cities = relations["link_regions"], relations["city_regions"]
    for link, row in zip(links.rows, links.matrix, strict=True):
        assert row.sum() in (2, 3)
        assert (row == cities.matrix[cities.rows.index(link)]).all()
    chicago = links.matrix[links.rows.index("Chicago")]
    assert {r for r, flag in zip(links.columns, chicago, strict=True) if flag} == {
        "Atlantic North America",
        "Pacific North America",
    }
    assert relations["card_regions"].matrix.any(axis=1).all()
