"""How fast whole matches are played."""

from __future__ import annotations

import math
import os
import platform
import time
from typing import Any

import numpy as np

from adjoin.reports.documents import Grid, Part, Section, as_json
from adjoin.reports.runs import Runs
from adjoin.statistics.intervals import Interval, mean

_BLOCKS = 5
"""How many runs a speed is taken from."""


def speed(runs: Runs) -> Part:
    """Race, and return matches and decisions per second."""
    figures: list[dict[str, Any]] = []
    rows = []
    for agent in runs.even:
        for threads in dict.fromkeys((1, runs.threads)):
            matches, decisions = _race(runs, agent, threads, runs.episodes)
            figures.append(
                {
                    "agents": agent,
                    "threads": threads,
                    "matches per second": as_json(matches),
                    "decisions per second": as_json(decisions),
                }
            )
            rows.append((agent, f"{threads}", str(matches), str(decisions)))
    words = (
        f"Whole matches inside Rust on this machine ({platform.machine()}, {os.cpu_count()} CPUs); "
        f"intervals from {_BLOCKS} runs each."
    )
    grid = Grid(("agents", "threads", "matches per second", "decisions per second"), tuple(rows))
    return Part(Section("Speed", (words,), grid), {"speed": figures})


def _race(runs: Runs, agent: str, threads: int, most: int) -> tuple[Interval, Interval]:
    """Return matches and decisions per second over several runs of a fraction of a second."""
    trial = min(most, 20)
    begin = time.perf_counter()
    runs.simulate(trial, agent, threads)
    one = (time.perf_counter() - begin) / trial
    count = min(max(int(0.15 / one), trial), 20 * most)
    matches, decisions = [], []
    for number in range(_BLOCKS):
        begin = time.perf_counter()
        table = runs.simulate(count, agent, threads, first=number * count)
        seconds = time.perf_counter() - begin
        matches.append(count / seconds)
        decisions.append(float(table["decisions"].sum()) / seconds)
    return _speed_of(matches), _speed_of(decisions)


def _speed_of(rates: list[float]) -> Interval:
    """Return the middle of speeds, with Student's interval of their logarithms: above 0."""
    value, low, high = (math.exp(end) for end in mean(np.log(rates)))
    return Interval(value, low, high)
