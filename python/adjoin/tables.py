"""Whole episodes between built-in agents, as columns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from adjoin import _core
from adjoin.batch import Batch, as_seed, options_json, whole

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray


def simulate(
    game: str,
    episodes: int,
    agents: str | Sequence[str] = "random",
    *,
    seed: int = 0,
    first: int = 0,
    threads: int = 1,
    limit: int = 10_000,
    rotate: bool = True,
    **options: Any,
) -> dict[str, NDArray[Any]]:
    """Play whole episodes between built-in agents, inside Rust, and return columns.

    ``agents`` is one name for all seats, or one for each; with ``rotate`` they move on by a seat
    from episode to episode. Columns, an entry an episode: ``returns`` (a column a seat),
    ``first_agent`` (the seat of the first agent), ``decisions``, ``status`` (1 over, 2 cut off).
    Episode k is the same whatever the number of threads and wherever the run starts (``first``).

    >>> columns = simulate("mapello", 1000, ["greedy", "random"], seed=1)
    >>> wins = columns["returns"][range(1000), columns["first_agent"]] > 0
    >>> bool(wins.mean() > 0.85)
    True
    """
    if isinstance(agents, str):
        agents = [agents] * Batch.of(game, options).spec.seats
    return _core.simulate(
        game,
        options_json(options),
        list(agents),
        episodes=whole("episodes", episodes, 1, 2**32 - 1),
        first=whole("first", first, 0, 2**32 - 1),
        seed=as_seed(seed),
        threads=whole("threads", threads, 1, 256),
        limit=whole("limit", limit, 1, 2**32 - 1),
        rotate=bool(rotate),
    )
