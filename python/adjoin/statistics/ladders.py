"""A ladder: the agents of a game from the weakest to the strongest, rated."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adjoin.core.spec import Spec
from adjoin.statistics.tournaments import Tournament, tournament

if TYPE_CHECKING:
    from collections.abc import Sequence

    from typing_extensions import Unpack

    from adjoin.core.options import GameOptions
    from adjoin.support.progress import Progress

SEARCHES = (10, 50, 200)
"""Iterations of the searches on a ladder, if none are given."""


def rungs(spec: Spec, searches: Sequence[int] = SEARCHES) -> list[str]:
    """Return the agents of a game's ladder, from the bottom.

    They are those that every game has, searches of increasing length, what was learned for the
    game, with and without a search, and the game's own agents.

    >>> rungs(Spec.of("mapello", {}), [5])[:4]
    ['random', 'easy(miss=0.5)', 'greedy', 'search(iterations=5)']
    """
    plain = [agent for agent in spec.agents if not agent.startswith(("search", "learned"))]
    agents = [*plain, *(f"search(iterations={count})" for count in searches)]
    own = agents.index("greedy") + 1
    agents = [*agents[:own], *agents[len(plain) :], *agents[own : len(plain)]]
    if "learned" in spec.agents:
        longest = max(searches, default=0)
        agents.insert(own, "learned")
        agents += [f"search(iterations={longest}, prior=learned)"] if longest else []
    return agents


def ladder(
    game: str,
    *,
    num_games: int = 200,
    searches: Sequence[int] = SEARCHES,
    seed: int = 0,
    threads: int = 1,
    progress: Progress = None,
    **options: Unpack[GameOptions],
) -> Tournament:
    """Rate the agents of a game: each plays the next one on the ladder, and greedy.

    It is a ``tournament`` in which only these meet, ``num_games`` for each way to fill the seats
    with two of them; greedy has the rating 0. ``searches`` are the iterations of the searches, the
    dearest agents by far.

    >>> steps = ladder("domiphun", num_games=20, searches=[5])
    >>> steps.anchor, len(steps.ratings) >= 4
    ('greedy', True)
    """
    agents = rungs(Spec.of(game, options), searches)
    pairs = dict.fromkeys(zip(agents, agents[1:], strict=False))
    known = {frozenset(pair) for pair in pairs}
    others = [("greedy", agent) for agent in agents if agent != "greedy"]
    return tournament(
        game,
        agents,
        num_games,
        seed=seed,
        threads=threads,
        anchor="greedy",
        pairs=[*pairs, *(pair for pair in others if frozenset(pair) not in known)],
        progress=progress,
        **options,
    )
