"""How near agents come to perfect play in Mapello, by its exact solver."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any, NamedTuple

from adjoin.batch import whole
from adjoin.intervals import Interval, mean
from adjoin.match import Match

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from adjoin.simulation import Agent


class Exactness(NamedTuple):
    """How an agent's decisions compare with perfect ones."""

    best: Interval
    """The share of its decisions that lose nothing."""
    lost: Interval
    """Points lost by a decision, on average."""


def exactness(agent: Agent, matches: Iterable[Match]) -> Exactness:
    """Return how near an agent comes to perfect play, from one decision in each match.

    >>> some = positions(20, empty=6, seed=1, setup="othello")
    >>> exactness("greedy", some).best.value > 0.4
    True
    """
    lost = [match.solve().score - value_of(match, match.choose(agent)) for match in matches]
    return Exactness(mean([points == 0 for points in lost]), mean(lost))


def value_of(match: Match, action: str) -> int:
    """Return what an action comes to under perfect play: the mover's score less the other's."""
    mover = match.to_act
    after = match.copy()
    after.play(action)
    if not after.is_over:
        score = after.solve().score
        return score if after.to_act == mover else -score
    view = after.view("all")
    own, other = (view["score"][colour] for colour in ("black", "white"))
    return int(own - other if view["colours"]["black"] == mover else other - own)


def positions(count: int, *, empty: int, seed: int = 0, **options: Any) -> Iterator[Match]:
    """Give matches of Mapello in the middle: a choice to make, at most so many empty cells.

    They come from random play; the solver needs a second for 16 empty cells or so.
    """
    count, empty = whole("count", count, 1, 2**31), whole("empty", empty, 1, 60)
    found = 0
    for episode in itertools.count():
        match = Match("mapello", seed=seed, episode=episode, **options)
        while not match.is_over and (_empty(match) > empty or len(match.legal()) < 2):
            match.play_random(1)
        if not match.is_over:
            yield match
            found += 1
        if found == count:
            return


def _empty(match: Match) -> int:
    return sum(cell in ".+" for row in match.position().split("\n")[1:9] for cell in row[1:9])
