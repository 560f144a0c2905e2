"""How near agents come to perfect play in Mapello, by its exact solver."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from adjoin.arguments import as_seed, whole
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
    >>> exactness("alphabeta(depth=8)", some).best.value
    1.0
    """
    lost = [match.solve().score - value_of(match, match.choose(agent)) for match in matches]
    return Exactness(mean([points == 0 for points in lost]), mean(lost))


def against_perfect(agent: Agent, match: Match, seat: int) -> int:
    """Let an agent play the seat against a perfect player to the end; return what it is ahead by.

    Every decision of the perfect player is solved, so few cells may be empty.
    """
    match = match.copy()
    while not match.is_over:
        match.play(match.choose(agent) if match.to_act == seat else match.solve().line[0])
    return _ahead(match, seat)


def value_of(match: Match, action: str) -> int:
    """Return what an action comes to under perfect play: the mover's score less the other's."""
    mover = match.to_act
    assert mover is not None
    after = match.copy()
    after.play(action)
    if after.is_over:
        return _ahead(after, mover)
    score = after.solve().score
    return score if after.to_act == mover else -score


def _ahead(match: Match, seat: int) -> int:
    view = match.view("all")
    lead = int(view["score"]["black"] - view["score"]["white"])
    return lead if view["colours"]["black"] == seat else -lead


def positions(count: int, *, empty: int, seed: int = 0, **options: Any) -> Iterator[Match]:
    """Give matches of Mapello in the middle: a choice to make, at most so many empty cells.

    They come from random play, stopped at a moment drawn by lot; the solver needs a second for 16
    empty cells or so.
    """
    count, empty = whole("count", count, 1, 2**31), whole("empty", empty, 2, 60)
    rng = np.random.default_rng(as_seed(seed))
    found = 0
    for episode in itertools.count():
        match = Match("mapello", seed=seed, episode=episode, **options)
        most = rng.integers(2, empty, endpoint=True)
        while not match.is_over and (_empty(match) > most or len(match.legal()) < 2):
            match.play_random(1)
        if not match.is_over:
            yield match
            found += 1
        if found == count:
            return


def _empty(match: Match) -> int:
    return sum(cell in ".+" for row in match.position().split("\n")[1:9] for cell in row[1:9])
