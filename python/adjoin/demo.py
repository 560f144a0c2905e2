"""The demonstration: every game simulated in batches, a table printed, a picture saved."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any

import numpy as np

from adjoin.core.batch import Batch
from adjoin.core.match import Match
from adjoin.core.spec import Spec, games
from adjoin.simulation.runs import simulate

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
    row = "{:<18} {:<20} {:>9} {:>11} {:>7} {:>9} {:>11}"
    print(row.format(*head))
    shown = [(game, one) for game in games() for one in Spec.of(game, {}).examples["shown"]]
    for game, options in shown:
        seats = Spec.of(game, options).seats
        for agents in (["random"] * seats, ["greedy"] + ["random"] * (seats - 1)):
            figures = _figures(game, options, agents, threads)
            print(row.format(_name(game, options), " ".join(agents), *figures))
    print()
    folder = Path("out")
    folder.mkdir(exist_ok=True)
    for game, options in shown:
        match = Match(game, seed=1, **options)
        match.play_random(30)
        picture = folder / f"{_name(game, options)}.svg"
        picture.write_text(match.svg(), encoding="utf-8")
        print(f"{picture}: {match!r}")
        print(match)


def _name(game: str, options: dict[str, Any]) -> str:
    return "-".join([game, *map(str, options.values())])


def _figures(game: str, options: dict[str, Any], agents: list[str], threads: int) -> list[str]:
    begin = time.perf_counter()
    table = simulate(game, EPISODES, agents, threads=threads, **options)
    seconds = time.perf_counter() - begin
    first = (table.each_seat("agent") == agents[0]) if len(set(agents)) > 1 else None
    alone = table.each_seat("won") == 1
    won = alone[:, 0] if first is None else (alone & first).any(axis=1)
    return [
        f"{table['decisions'].mean():.1f}",
        f"{won.mean():.1%}",
        f"{(table['winner'] == -1).mean():.1%}",
        f"{EPISODES / seconds:,.0f}",
        f"{_steps_per_second(game, options, threads):,.0f}",
    ]


def _steps_per_second(game: str, options: dict[str, Any], threads: int) -> float:
    batch = Batch(game, num_lanes=LANES, threads=threads, **options)
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
