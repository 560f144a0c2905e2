"""How near agents come to perfect play, in games with an exact solver: Mapello."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from adjoin.core.match import Match
from adjoin.statistics.intervals import Interval, mean
from adjoin.support.arguments import as_seed, whole

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from typing_extensions import Unpack

    from adjoin.core.options import GameOptions
    from adjoin.simulation.agents import Agent


class Exactness(NamedTuple):
    """How an agent's decisions compare with perfect ones."""

    best: Interval
    """The share of its decisions that lose nothing."""
    lost: Interval
    """Points lost by a decision, on average."""


def exactness(agent: Agent, matches: Iterable[Match]) -> Exactness:
    """Return how near an agent comes to perfect play, from one decision in each match.

    >>> some = positions("mapello", 20, depth=6, seed=1, setup="othello")
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


def positions(
    game: str, count: int, *, depth: int, seed: int = 0, **options: Unpack[GameOptions]
) -> Iterator[Match]:
    """Give matches in the middle: a choice to make, at most ``depth`` decisions from the end.

    They come from random play, stopped at a moment drawn by lot; Mapello's solver needs a second
    for 16 empty cells or so.
    """
    count, depth = whole("count", count, 1, 2**31), whole("depth", depth, 2, 60)
    rng = np.random.default_rng(as_seed(seed))
    found = 0
    for episode in itertools.count():
        match = Match(game, seed=seed, episode=episode, **options)
        most = rng.integers(2, depth, endpoint=True)
        while not match.is_over and (_depth(match) > most or len(match.legal_ids()) < 2):
            match.play_random(1)
        if not match.is_over:
            yield match
            found += 1
        if found == count:
            return


def _depth(match: Match) -> int:
    depth = match.solve_depth
    if depth is None:
        raise ValueError(f"{match.spec.title} has no exact solver for this")
    return depth
