"""A ladder: the agents of a game from the weakest to the strongest, rated."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from adjoin.core.spec import Spec
from adjoin.statistics.tournaments import Tournament, tournament

if TYPE_CHECKING:
    from collections.abc import Sequence

    from typing_extensions import Unpack

    from adjoin.core.options import GameOptions
    from adjoin.support.progress import Progress

SEARCHES = tuple(f"search(iterations={count})" for count in (10, 50, 200))
"""The searches on a ladder, if none are given."""


def rungs(spec: Spec, searches: Sequence[str] = SEARCHES) -> list[str]:
    """Return the agents of a game's ladder, from the bottom.

    They are those that every game has, what was learned for the game, searches from the shortest,
    the game's own agents, and the longest search with what was learned.

    >>> rungs(Spec.of("mapello", {}), ["search(iterations=5)"])[:3]
    ['random', 'easy(miss=0.5)', 'greedy']
    """
    plain = [agent for agent in spec.agents if not agent.startswith(("search", "learned"))]
    shared = plain.index("greedy") + 1
    has_learned = "learned" in spec.agents
    learned = ["learned"] if has_learned else []
    longest = [f"{search.removesuffix(')')}, prior=learned)" for search in searches[-1:]]
    return [
        *plain[:shared],
        *learned,
        *searches,
        *plain[shared:],
        *(longest if has_learned else []),
    ]


def agent_ladder(
    game: str,
    *,
    num_games: int = 200,
    searches: Sequence[str] = SEARCHES,
    seed: int = 0,
    threads: int = 1,
    progress: Progress = None,
    **options: Unpack[GameOptions],
) -> Tournament:
    """Rate the agents of a game: each plays the next one on the ladder, and greedy.

    It is a ``tournament`` in which only these meet, ``num_games`` for each way to fill the seats
    with two of them; greedy has the rating 0. ``searches`` are the dearest agents by far.

    >>> steps = agent_ladder("domiphun", num_games=20, searches=["search(iterations=5)"])
    >>> steps.anchor, len(steps.ratings) >= 4
    ('greedy', True)
    """
    agents = rungs(Spec.of(game, options), searches)
    pairs = dict.fromkeys(itertools.pairwise(agents))
    known = {frozenset(pair) for pair in pairs}
    others = [("greedy", agent) for agent in agents if agent != "greedy"]
    return tournament(
        game,
        agents,
        num_games,
        seed=seed,
        threads=threads,
        anchor="greedy",
        meetings=[*pairs, *(pair for pair in others if frozenset(pair) not in known)],
        progress=progress,
        **options,
    )
