"""Who leads in the course of a match: an entry a match, or a decision, from tables of decisions."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from adjoin.simulation.tables import Table


def match_numbers(table: Table) -> NDArray[np.int64]:
    """Return for each row, unless it is a seat's, the number of its match within the table."""
    if table.record == "episodes":
        return np.arange(len(table))
    run, episode = (key.astype(np.int64) for key in (table.run(), table["episode"]))
    begins = (np.diff(run) != 0) | (np.diff(episode) != 0)
    if "ply" in table:
        begins |= np.diff(table["ply"].astype(np.int64)) <= 0
    return np.concatenate([[0], np.cumsum(begins)])


def leaders(table: Table) -> NDArray[np.int64]:
    """Return the seat that stands best after each decision, or -1 while several do.

    >>> import adjoin
    >>> table = adjoin.simulate("mapello", 5, "greedy", record="decisions")
    >>> set(leaders(table).tolist())
    {0, 1, -1}
    """
    standing = table.each_seat("standing")
    is_alone = (standing == standing.max(axis=1, keepdims=True)).sum(axis=1) == 1
    return np.where(is_alone, standing.argmax(axis=1), -1)


def lead_changes(table: Table) -> NDArray[np.int64]:
    """Return how often the sole leader of each match changed, from a table of decisions.

    The leader is who stands best after a decision; while several do, nobody leads, and the one who
    led before them still counts.
    """
    leader, episode = leaders(table), match_numbers(table)
    leader, match = leader[leader >= 0], episode[leader >= 0]
    changed = (leader[1:] != leader[:-1]) & (match[1:] == match[:-1])
    return np.bincount(match[1:][changed], minlength=int(episode[-1]) + 1)


def settled(table: Table, winner: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return after what part of its decisions the winner of each match leads for good.

    ``winner`` is the seat of the sole winner of each match; where it is -1, it is all of them.
    """
    match = match_numbers(table)
    count = np.bincount(match)
    place = np.arange(len(match)) - (np.cumsum(count) - count)[match]
    is_ahead = leaders(table) == winner[match]
    last = np.zeros(len(count), np.int64)
    np.maximum.at(last, match[~is_ahead], place[~is_ahead] + 1)
    return np.where(winner < 0, 1.0, last / count)


def deficits(table: Table, winner: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return how far the later winner is behind the best after each decision.

    It is 0 where the winner is not behind, and throughout a match without a sole winner.
    """
    standing = table.each_seat("standing").astype(np.int64)
    seat = winner[match_numbers(table)]
    own = np.take_along_axis(standing, np.maximum(seat, 0)[:, None], axis=1)[:, 0]
    return np.where(seat < 0, 0, standing.max(axis=1) - own)
