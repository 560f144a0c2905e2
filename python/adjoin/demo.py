"""The demonstration: every game simulated in batches, a table printed, a picture saved."""

from __future__ import annotations

import os
import time
from pathlib import Path

import numpy as np

from adjoin.batch import Batch
from adjoin.match import Match
from adjoin.spec import games
from adjoin.tables import simulate

EPISODES = 5_000
LANES = 1024
STEPS = 200


def main() -> None:
    """Run the demonstration."""
    threads = os.cpu_count() or 1
    print(
        f"{EPISODES:,} games each inside Rust, then {LANES} lanes stepped from Python {STEPS} times"
    )
    print()
    head = ("game", "agents", "decisions", "first wins", "shared", "games/s", "steps/s")
    row = "{:<13} {:<14} {:>9} {:>11} {:>7} {:>9} {:>11}"
    print(row.format(*head))
    for game in games():
        seats = Batch(game).spec.seats
        for agents in (["random"] * seats, ["greedy"] + ["random"] * (seats - 1)):
            print(row.format(game, " ".join(agents), *_figures(game, agents, threads)))
    print()
    folder = Path("out")
    folder.mkdir(exist_ok=True)
    for game in games():
        match = Match(game, seed=1)
        match.play_random(20)
        picture = folder / f"{game}.svg"
        picture.write_text(match.svg(), encoding="utf-8")
        print(f"{picture}: {match!r}")
        print(match)


def _figures(game: str, agents: list[str], threads: int) -> list[str]:
    begin = time.perf_counter()
    columns = simulate(game, EPISODES, agents, threads=threads)
    seconds = time.perf_counter() - begin
    returns = columns["returns"]
    best = returns == returns.max(axis=1, keepdims=True)
    first = best[np.arange(EPISODES), columns["first_agent"]]
    shared = best.sum(axis=1) > 1
    return [
        f"{columns['decisions'].mean():.1f}",
        f"{(first & ~shared).mean():.1%}",
        f"{shared.mean():.1%}",
        f"{EPISODES / seconds:,.0f}",
        f"{_steps_per_second(game, threads):,.0f}",
    ]


def _steps_per_second(game: str, threads: int) -> float:
    batch = Batch(game, lanes=LANES, threads=threads)
    out = batch.buffers()
    actions = np.zeros(LANES, np.int32)
    batch.reset(0, out)
    begin = time.perf_counter()
    for _ in range(STEPS):
        batch.sample(actions)
        batch.step(actions, out)
    return LANES * STEPS / (time.perf_counter() - begin)


if __name__ == "__main__":
    main()
