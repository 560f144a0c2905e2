"""What a row of facts says about an action in a known position."""

from __future__ import annotations

import json
from typing import Any

from adjoin import Batch, Match


def facts(match: Match, game: str, action: str) -> dict[str, Any]:
    """Return the blocks of an action of a match, as lists."""
    batch = Batch(game)
    batch.reset(0, batch.buffers())
    batch[0] = match
    rows = batch.actions()
    number = list(rows.ids[: rows.offsets[1]]).index(match.action_id(action))
    split = batch.spec.facts.split(rows.facts[number])
    return {name: block.tolist() for name, block in split.items()}


def test_domiphun_counts_what_is_left_for_both_ends() -> None:
    """With 3 3 5 5 left 3-5 at the end that shows 3 leaves 3 5 for ends 5 and 1."""
    match = Match("domiphun")
    position = {"hands": [[3, 3, 5, 5], [1, 1, 2]], "laid": ["1-3"], "turn": 0, "pool": []}
    match.set_position(json.dumps(position))
    row = facts(match, "domiphun", "3-5 B")
    assert (row["inner"], row["outer"], row["left"]) == (3, 5, 2)
    assert row["fits"] == [1, 0]
    assert row["unseen_fits"] == [0, 2]
    assert (row["alone"], row["row"], row["row_out"]) == (1, 1, 1)
    assert row["next_lacks"] == [200, 0]
    assert row["lead"] - 10 == 1


def test_mapominoes_sees_a_double_connection() -> None:
    """MAPO-E2: Oxfordshire between Northamptonshire and Gloucestershire."""
    match = Match("mapominoes")
    table = {"P11": "northamptonshire", "P12": "warwickshire", "Q12": "gloucestershire"}
    hands = [["oxfordshire", "kent"], ["surrey"]]
    match.set_position(json.dumps({"table": table, "hands": hands, "turn": 0}))
    row = facts(match, "mapominoes", "Oxfordshire")
    assert (row["double"], row["connections"], row["wins"]) == (1, 2, 0)
    assert row["left"] == [1, 1]
