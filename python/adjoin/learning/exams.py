"""How good a policy is: its share of the wins."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adjoin.simulation.runs import simulate
from adjoin.statistics.intervals import Interval, share

if TYPE_CHECKING:
    from adjoin.learning.policies import Policy


def win_share(policy: Policy, agent: str, matches: int, seed: int) -> Interval:
    """Return a policy's share of the wins where all other seats are an agent's.

    The seats rotate from match to match; a draw is shared.
    """
    others = [agent] * (policy.spec.seats - 1)
    table = simulate(
        policy.game, matches, [policy, *others], seed=seed, progress=False, **policy.options
    ).by_seat()
    return share(table["won"][table["agent"] == policy.__name__])
