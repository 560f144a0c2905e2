"""The tree of first decisions, against a recount of histories."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

import adjoin
from adjoin.statistics import share


def test_the_tree_counts_what_was_played() -> None:
    table = adjoin.simulate("mapello", 80, ["greedy", "random"], setup="othello", seed=2)
    tree = table.openings(3)
    matches = [table.replay(row) for row in range(len(table))]
    lines = Counter(tuple(match.history[:depth]) for match in matches for depth in (1, 2, 3))
    assert {node.played: node.n for node in tree} == lines
    first = max(tree.next, key=lambda action: tree[action].n)
    assert next(iter(tree.next)) == first
    begins = [m.history[0] == first for m in matches]
    assert tree[first].won == share(table["won_0"][np.array(begins)])
    line = next(iter(tree[first].next))
    seconds = [m.history[:2] == [first, line] for m in matches]
    assert tree[first][line].won == share(table["won_1"][np.array(seconds)])
    assert tree[first][line].often.value == pytest.approx(sum(seconds) / sum(begins))


def test_matches_that_end_early_end_in_the_tree() -> None:
    tree = adjoin.simulate("mapello", 200, setup="othello", size=4, seed=1).openings(20)
    assert sum(node.n for node in tree if not node.next) == 200
    assert max(len(node.played) for node in tree) <= 20


def test_any_rows_of_the_same_matches_have_the_same_tree() -> None:
    run: Any = {"setup": "othello", "seed": 3}
    trees = [
        adjoin.simulate("mapello", 20, record=r, **run).openings()
        for r in ("episodes", "states", "pieces")
    ]
    assert trees[0].to_dict() == trees[1].to_dict() == trees[2].to_dict()


def test_trees_are_printed_drawn_and_tabled() -> None:
    tree = adjoin.simulate("mapello", 50, setup="othello", seed=1).openings(2)
    lines = str(tree).splitlines()
    assert lines[0] == "Mapello: openings of 50 matches"
    assert lines[3].split()[0] in {"d3", "c4", "f5", "e6"}
    assert "of the matches there" in tree._repr_html_()
    frame = tree.to_pandas()
    assert frame.loc[frame["depth"] == 1, "n"].sum() == 50
    assert tree.plot().svg.count("<circle") == 4
    with pytest.raises(adjoin.UnknownNameError, match="no decision 'a1'"):
        tree["a1"]
    with pytest.raises(ValueError, match="depth = 0"):
        adjoin.simulate("mapello", 3).openings(0)
