"""What games cost on one core: the table on the page about large runs.

``python docs/costs.py`` prints it. Run it where nothing else runs.
"""

from __future__ import annotations

import itertools
import math
import pickle
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

import adjoin
from adjoin.statistics.intervals import Interval, mean

SECONDS = 10.0
"""How long each agent plays each game at least."""
BLOCKS = 8
"""In how many runs of equal size that is, at least."""
PARTS = {"episodes": 65_536, "decisions": 2_048}
"""How many games are stored and sent: a part of a stream."""


def speed(game: str, agent: str) -> tuple[Interval, int]:
    """Return seconds per million games with their 95% interval, and how many games that took."""
    size, taken = 1, 0.0
    while taken < SECONDS / BLOCKS / 2:
        size *= 2
        taken = timed(game, agent, size, 0)
    rates = [timed(game, agent, size, number) / size for number in range(BLOCKS)]
    for number in itertools.count(BLOCKS):
        if sum(rates) * size >= SECONDS:
            break
        rates.append(timed(game, agent, size, number) / size)
    value, low, high = (1e6 * math.exp(end) for end in mean(np.log(rates)))
    return Interval(value, low, high), size * len(rates)


def timed(game: str, agent: str, size: int, number: int) -> float:
    """Return how many seconds a run takes."""
    begin = time.perf_counter()
    adjoin.simulate(game, size, agent, seed=1, first=number * size, progress=False)
    return time.perf_counter() - begin


def sizes(game: str, record: Any) -> tuple[float, float]:
    """Return how many bytes a game takes in a Parquet file, and between processes."""
    games = PARTS[record]
    stream = adjoin.simulate(
        game, games, seed=1, record=record, stream=True, part=games, progress=False
    )
    with tempfile.TemporaryDirectory() as place:
        stored = sum(path.stat().st_size for path in stream.to_parquet(Path(place)).iterdir())
    (table,) = stream
    return stored / games, len(pickle.dumps(table)) / games


def main() -> None:
    """Print the table, a row a game."""
    for game in adjoin.games():
        title = adjoin.Spec.of(game, {}).title
        cells = [title]
        for agent in ("random", "greedy"):
            seconds, games = speed(game, agent)
            cells += [str(seconds), f"{games:,}"]
        lengths = adjoin.simulate(game, 20_000, seed=1, progress=False)["decisions"]
        cells.append(str(mean(lengths)))
        for record in PARTS:
            cells += [f"{size:,.0f}" for size in sizes(game, record)]
        print(f"| {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
