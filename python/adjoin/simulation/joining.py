"""Whether tables can be one: the same kind of rows, every row once, agents told apart."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from adjoin.simulation.origins import Origin
    from adjoin.simulation.tables import Table

RUN = "the number of the run in table.runs"
"""What the column "run" tells."""


def check_alike(tables: Sequence[Table | Origin]) -> None:
    """Refuse tables that cannot be one."""
    if not tables:
        raise ValueError("there are no tables to join")
    for name, words in (
        ("game", "of different games"),
        ("record", "with different kinds of rows"),
        ("seats", "with different numbers of players"),
    ):
        found = dict.fromkeys(str(getattr(table, name)) for table in tables)
        if len(found) > 1:
            raise ValueError(f"tables {words} cannot be joined: {' and '.join(found)}")


def numbered(runs: list[Origin], more: Sequence[Origin]) -> list[int]:
    """Return the numbers of some runs among all, to which those that are new are added."""
    numbers = []
    for run in more:
        number = next((n for n, known in enumerate(runs) if known.is_same(run)), len(runs))
        if number == len(runs):
            runs.append(run)
        numbers.append(number)
    return numbers


def check_names(runs: Sequence[Origin]) -> None:
    """Refuse runs in which different agents have one name."""
    named: dict[str, Any] = {}
    for run in runs:
        for name, agent in zip(run.agents, run.plan.agents if run.plan else (), strict=False):
            known = named.setdefault(name, agent)
            if known is not agent and not (isinstance(known, str) and isinstance(agent, str)):
                raise ValueError(
                    f"two different agents are called {name!r}: give each a __name__ of its own"
                )


def check_once(table: Table) -> None:
    """Refuse a table that has a row twice."""
    if table.record == "pieces":
        return
    rows = {"decisions": "ply", "states": "ply", "seats": "seat"}
    within = rows.get(table.record, "episode")
    keys = [table.run(), table["episode"], table[within]]
    ahead, level = np.zeros((2, max(len(table) - 1, 0)), np.bool_)
    for key in keys:
        ahead |= ~level & (key[1:] > key[:-1])
        level |= key[1:] != key[:-1]
    if ahead.all():
        return
    order = np.lexsort(keys[::-1])
    twice = np.all([key[order][1:] == key[order][:-1] for key in keys], axis=0)
    if twice.any():
        row = order[1:][twice][0]
        seed, episode = table.runs[table.run()[row]].seed, table["episode"][row]
        raise ValueError(f"episode {episode} of seed {seed} is there twice")
