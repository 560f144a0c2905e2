"""Metro Domino from Python: what the numbers mean.

The rules are tested in tests/rules/metro_domino.rs.
"""

from __future__ import annotations

from itertools import combinations_with_replacement
from typing import TYPE_CHECKING

import numpy as np

from adjoin import Match
from adjoin.data.stations import Line, Stations
from scaffold import SHUTTLE, Variant, cases

if TYPE_CHECKING:
    from collections.abc import Iterator

NEW_YORK = Stations.load()
TILES = list(combinations_with_replacement(range(10), 2))
LETTERS = "ABCDEFGHI"


def tiles(halves: list[list[int]]) -> list[tuple[int, ...]]:
    return [tuple(sorted(pair)) for pair in halves]


def test_stations_are_played_as_they_are_described() -> None:
    match = Match("metro_domino", stations=SHUTTLE, first_seat=0)
    view = match.view()
    described = [
        (station.id, f"{station.name} {letter}", line)
        for station in SHUTTLE
        for letter, line in zip(LETTERS, station.lines, strict=False)
    ]
    assert [
        (one["station"], one["name"], Line(*map(one.get, ("length", "min", "max", "no_doubles"))))
        for one in view["lines"]
    ] == described
    assert [(one["id"], one["name"]) for one in view["stations"]] == [
        (station.id, station.name) for station in SHUTTLE
    ]
    assert [one["is_open"] for one in view["stations"]] == [True] + [False] * 8
    assert (view["stations_left"], view["store"], view["supply"]) == (8, 37, 12)


# Options that are refused.


# What the numbers mean.

TABLES = [
    Variant("metro_domino", {"players": 3}),
    Variant("metro_domino", {"players": 3, "stations": SHUTTLE, "wins_needed": 2}),
]
PHASES = {"turn", "drawn", "extra", "more", "spent"}


def moments(variant: Variant) -> Iterator[Match]:
    """Return the moments of some matches of random play, every phase among them."""
    phases = set()
    for seed in range(3):
        match = variant.match(seed=seed)
        while not match.is_over:
            phases.add(match.view()["phase"])
            yield match
            match.play_random(1)
    assert phases == PHASES


@cases("stations", [NEW_YORK, SHUTTLE])
def test_blocks_are_labelled_with_the_names_of_tiles_lines_and_stations(stations: Stations) -> None:
    spec = Match("metro_domino", stations=stations, players=4).spec
    lines = tuple(
        f"{station.name} {letter}"
        for station in stations
        for letter, _ in zip(LETTERS, station.lines, strict=False)
    )
    names = tuple(f"{a}-{b}" for a, b in TILES)
    for block in ("left", "active"):
        assert spec.observation[block].labels == lines
    for block in ("hand", "laid", "unseen", "drawn"):
        assert spec.observation[block].labels == names
    assert spec.observation["end"].shape == (len(lines), 10)
    assert spec.observation["owner"].labels == tuple(station.name for station in stations)
    assert set(spec.observation["phase"].labels) == PHASES
    assert spec.actions["play"].shape == (55, len(lines), 2)
    assert spec.actions["play"].labels == ("larger half outwards", "smaller half outwards")
    words = ["play", "draw", "pass", "keep", "spend", "stop"]
    assert [block.name for block in spec.actions.blocks] == words


@cases("variant", TABLES)
def test_an_observation_says_what_the_view_says_beginning_with_the_viewer(variant: Variant) -> None:
    spec = variant.match().spec
    by_seat = {block.name for block in spec.observation.blocks if block.by_seat}
    assert by_seat == {"owner", "tiles", "tokens", "stations", "wins", "to_act", "first"}
    phases = spec.observation["phase"].labels
    for match in moments(variant):
        for viewer in range(3):
            view = match.view(viewer)
            row = spec.observation.split(match.observe(viewer)[0])
            seats = [(viewer + n) % 3 for n in range(3)]

            left, active, end = (np.zeros_like(row[name]) for name in ("left", "active", "end"))
            laid = []
            for number, line in enumerate(view["lines"]):
                laid += tiles(line["tiles"])
                if line["state"] in ("open", "active"):
                    left[number] = line["length"] - len(line["tiles"])
                if line["state"] == "active":
                    active[number] = 1
                    end[number, line["end"]] = 1
            for name, expected in (("left", left), ("active", active), ("end", end)):
                assert np.array_equal(row[name], expected)

            hand = tiles(view["hands"][viewer]["held"])
            drawn = tiles([view["drawn"]]) if view["drawn"] else []
            unseen = sorted(set(TILES).difference(hand, laid))
            for name, there in (
                ("hand", hand),
                ("laid", sorted(laid)),
                ("unseen", unseen),
                ("drawn", drawn),
            ):
                assert [TILES[n] for n in np.flatnonzero(row[name])] == there

            for name in ("tiles", "tokens", "stations"):
                assert row[name].tolist() == [view["hands"][seat][name] for seat in seats]
            assert row["wins"].tolist() == [view["wins"][seat] for seat in seats]
            for name in ("to_act", "first"):
                assert row[name].tolist() == [int(seat == view[name]) for seat in seats]
            owners = [station["owner"] for station in view["stations"]]
            assert row["owner"].tolist() == [[int(o == seat) for o in owners] for seat in seats]
            assert [phases[n] for n in np.flatnonzero(row["phase"])] == [view["phase"]]
            for name in ("store", "stations_left", "passes"):
                assert int(row[name]) == view[name]
