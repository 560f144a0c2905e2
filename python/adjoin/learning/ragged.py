"""Numbers of all lanes' legal actions, one lane after another: the best, and shares."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


def best(scores: NDArray[Any], offsets: NDArray[np.int64]) -> NDArray[np.intp]:
    """Return the row of the highest score of each lane that has rows; of several, the first."""
    counts = np.diff(offsets)
    starts = offsets[:-1][counts > 0]
    if not len(starts):
        return np.zeros(0, np.intp)
    highest = np.maximum.reduceat(scores, starts)
    rows = np.flatnonzero(scores == np.repeat(highest, counts[counts > 0]))
    return rows[np.searchsorted(rows, starts)]


def log_softmax(logits: NDArray[np.float32], offsets: NDArray[np.int64]) -> NDArray[np.float32]:
    """Return the logarithm of how likely each row is among those of its lane."""
    counts = np.diff(offsets)
    starts, counts = offsets[:-1][counts > 0], counts[counts > 0]
    if not len(starts):
        return logits
    shifted = logits - np.repeat(np.maximum.reduceat(logits, starts), counts)
    total = np.log(np.add.reduceat(np.exp(shifted), starts))
    result: NDArray[np.float32] = shifted - np.repeat(total, counts)
    return result


def rows_of(offsets: NDArray[np.int64], chosen: NDArray[Any]) -> NDArray[np.int64]:
    """Return the rows of the chosen lanes, one lane after another."""
    counts = np.diff(offsets)[chosen]
    ends = counts.cumsum()
    return np.repeat(offsets[:-1][chosen] - (ends - counts), counts) + np.arange(
        ends[-1] if len(ends) else 0
    )
