"""Mapominoes from Python: what its numbers mean.

The rules are tested in tests/rules/mapominoes.rs, atlases as an option in tests/data.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from adjoin import Match
from adjoin.data.atlas import Atlas
from scaffold import THREE_IN_WALES, Variant, cases

if TYPE_CHECKING:
    from collections.abc import Iterator

UK = Atlas.load("uk-counties")


def moments(variant: Variant, seed: int) -> Iterator[Match]:
    """Return a match again and again, at moments of random play with some time-outs."""
    match = variant.match(seed=seed)
    for number in range(150):
        if match.is_over:
            return
        yield match
        if number % 10 == 9 and match.view()["phase"] != "challenge":
            match.timeout()
        else:
            match.play_random(1)


@cases("name", Atlas.shipped())
def test_blocks_are_labelled_with_the_names_of_the_atlas(name: str) -> None:
    atlas = Atlas.load(name)
    spec = Match("mapominoes", atlas=name, players=3, challenges=True).spec
    waters = tuple(water.name for water in atlas.waters)
    assert spec.actions["county"].labels == atlas.names
    assert spec.actions["nominee"].labels == atlas.names + waters
    for block in ("hand", "unseen", "fits", "shown"):
        assert spec.observation[block].labels == atlas.names
    assert [block.name for block in spec.actions.blocks] == [
        *("county", "nominee", "cell", "take", "challenge", "let_it_be")
    ]


def test_blocks_by_seat_begin_with_the_viewer_and_go_clockwise() -> None:
    variant = Variant("mapominoes", {**THREE_IN_WALES, "players": 4, "challenges": True})
    spec = variant.match().spec
    by_seat = {block.name for block in spec.observation.blocks if block.by_seat}
    assert by_seat == {
        *("shown", "counties", "transit_cards", "points", "turn", "to_act", "dealer")
    }
    assert all(spec.observation[name].shape[0] == 4 for name in by_seat)
    for match in moments(variant, seed=2):
        whole = match.view("all")
        for viewer in range(4):
            row = spec.observation.split(match.observe(viewer)[0])
            seats = [(viewer + n) % 4 for n in range(4)]
            hands = [whole["hands"][seat] for seat in seats]
            assert row["counties"].tolist() == [hand["counties"] for hand in hands]
            assert row["transit_cards"].tolist() == [hand["transit"] for hand in hands]
            assert row["points"].tolist() == [whole["points"][seat] for seat in seats]
            for name in ("turn", "to_act", "dealer"):
                assert row[name].tolist() == [int(seat == whole[name]) for seat in seats]


@pytest.mark.smoke
def test_an_observation_says_what_the_view_says() -> None:
    variant = Variant("mapominoes", {**THREE_IN_WALES, "challenges": True})
    spec = variant.match().spec
    ids = [region.id for region in UK]
    places = ids + [water.id for water in UK.waters]
    phases = spec.observation["phase"].labels
    for match in moments(variant, seed=3):
        view = match.view(1)
        row = spec.observation.split(match.observe(1)[0])
        card, transit = np.zeros_like(row["card"]), np.zeros_like(row["transit"])
        for one in [*view["table"]["cards"], *view["waiting"]]:
            card[one["row"], one["column"]] = 1 + places.index(one["id"])
            transit[one["row"], one["column"]] = one["kind"] == "transit"
        assert row["card"].tolist() == card.tolist()
        assert row["transit"].tolist() == transit.tolist()
        assert [ids[n] for n in np.flatnonzero(row["hand"])] == view["hands"][1]["cards"]
        hidden = sum(hand["counties"] - len(hand["cards"]) for hand in view["hands"])
        assert row["unseen"].sum() == hidden
        assert [phases[n] for n in np.flatnonzero(row["phase"])] == [view["phase"]]
        chosen = [view["chosen"][name] for name in ("county", "nominee")]
        assert row["chosen"].tolist() == [1 + places.index(c) if c else 0 for c in chosen]
        assert (int(row["pile"]), int(row["passes"])) == (view["pile"], view["passes"])
        assert int(row["rounds_left"]) == view["rounds"] - view["round"]


def test_a_count_that_is_full_stays_full() -> None:
    options: dict[str, Any] = {"rounds": 1, "players": 2}
    position = json.loads(Match("mapominoes", **options).position())
    full = [2**16 - 1] * 2
    described = position | {"double_connections": full, "transit_played": full}
    match = Match("mapominoes", position=json.dumps(described), **options)
    match.play_random()
    ended = json.loads(match.position())
    assert (ended["double_connections"], ended["transit_played"]) == (full, full)
