"""What the sections say in common: how large a difference is, and apart from it, how sure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from adjoin.drawing.colours import SEATS
from adjoin.statistics.intervals import Interval, games_needed

EDGE = 0.03
"""The smallest difference of a win share that is worth talking about."""


def as_chance(probability: float) -> str:
    """Return a p-value as text.

    >>> as_chance(0.0456), as_chance(1e-9)
    ('p = 0.05', 'p < 0.001')
    """
    if probability < 0.001:
        return "p < 0.001"
    return f"p = {probability:.2f}" if probability >= 0.01 else f"p = {probability:.3f}"


def apart(value: float, fair: float) -> str:
    """Return how far a win share is from the fair one.

    >>> apart(0.531, 0.5), apart(0.32, 1 / 3)
    ('3.1 percentage points more than fair', '1.3 percentage points less than fair')
    """
    points = round(100 * (value - fair), 1)
    if points == 0:
        return "just the fair share"
    return f"{abs(points):.1f} percentage points {'more' if points > 0 else 'less'} than fair"


def judged(found: Sequence[Interval], fair: float, probability: float, matches: int) -> str:
    """Return in words whether win shares differ from the fair one by enough to matter.

    The first of them is furthest from it, by chance alone with the given probability. Small is what
    is below ``EDGE``: to be called so, all their intervals must be within it.
    """
    edge, needed = f"{100 * EDGE:.0f} percentage points", games_needed(EDGE, fair)
    if all(fair - EDGE <= each.low and each.high <= fair + EDGE for each in found):
        what = "There is a difference, but it" if probability < 0.05 else "A difference, if any,"
        return f"{what} is below {edge}."
    if found[0].low > fair + EDGE or found[0].high < fair - EDGE:
        return f"The difference is above {edge}."
    if probability < 0.05:
        return f"There is a difference; whether it reaches {edge} is open."
    takes = f": to show {edge} takes {needed:,}" if matches < needed else ""
    return f"{matches:,} matches leave open whether there is a difference{takes}."


def colours(shown: dict[str, Any]) -> list[str]:
    """Return a colour for each agent that the rows end with."""
    agents = list(dict.fromkeys(name.rpartition(", ")[2] for name in shown))
    return [SEATS[agents.index(name.rpartition(", ")[2])] for name in shown]
