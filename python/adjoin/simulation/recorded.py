"""Simulated matches played again, for other rows than they were recorded by."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from adjoin.simulation.origins import Origin
    from adjoin.simulation.tables import Table

_GAP = 64
"""How many episodes that are not asked for are played rather than to begin anew."""


def recorded(table: Table, record: str) -> Table:
    """Return the matches of a table with other rows: see ``Table.recorded``."""
    if record == table.record:
        return table
    made = []
    of_row = table.run()
    for number, run in enumerate(table.runs):
        rows = np.flatnonzero(of_row == number)
        episodes, first = np.unique(table["episode"][rows], return_index=True)
        if len(episodes):
            digests = dict(zip(episodes.tolist(), table["digest"][rows][first], strict=True))
            made.append(_again(run, record, digests))
    return type(table).join(made)


def differently(episode: int) -> ValueError:
    """Return what is wrong with an episode that cannot be played the same again."""
    return ValueError(
        f"episode {episode} went differently this time: an agent looks at the clock or draws lots "
        "of its own"
    )


def _again(run: Origin, record: str, digests: Mapping[int, int]) -> Table:
    """Return some episodes of a run, by ascending number, with other rows."""
    if run.plan is None:
        raise ValueError(
            f"matches of {' against '.join(run.agents)} cannot be played again: an agent that is "
            "not built in is known by its name alone here"
        )
    plan, episodes = run.plan.recording(record), np.fromiter(digests, np.int64)
    made: list[Table] = []
    for part in np.split(episodes, np.flatnonzero(np.diff(episodes) > _GAP) + 1):
        table = plan.play(int(part[0]), int(part[-1] - part[0]) + 1)
        made.append(table[np.isin(table["episode"], part)] if len(part) < len(table) else table)
    again = type(made[0]).join(made)
    again.origin = plan.origin
    for episode, digest in zip(again["episode"].tolist(), again["digest"], strict=True):
        if digests[episode] != digest:
            raise differently(episode)
    return again
