"""How the cost of a decision grows: with lanes, threads, players, tables, values, long matches.

Run by `make bench-growth`. Every point of every line is measured in one run, the points take turns,
and so a slow moment of the machine hits all of them. Prints a table, and writes all figures to
out/growth.json, from which `docs/growth.py` makes the tables and charts of the page. Needs Linux.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

import adjoin

ROOT = Path(__file__).parent.parent.parent

SUBJECTS: dict[str, tuple[str, dict[str, Any]]] = {
    "Othello": ("mapello", {"setup": "othello"}),
    "Mapominoes": ("mapominoes", {}),
    "Metro Domino": ("metro_domino", {}),
    "Domiphun, traditional": ("domiphun", {"variant": "traditional"}),
    "Domiphun, advanced": ("domiphun", {"variant": "advanced"}),
    "Connections": ("connections", {}),
}
LANES = tuple(4**power for power in range(11))
"""From one to a million."""
THREADS = (1, 2, 4)
PLAYERS = {
    "Mapominoes": (2, 3, 4, 5),
    "Metro Domino": (2, 3, 4),
    "Domiphun, traditional": (2, 3, 4),
    "Domiphun, advanced": (2, 3, 4),
    "Connections": (3, 4, 5, 6),
}
TABLES = ((15, 10), (21, 14), (30, 20), (42, 28), (62, 62))
VALUES = (2, 3, 4, 5, 6, 7)
LENGTHS: dict[str, tuple[str, tuple[int, ...]]] = {
    "Othello": ("games", (1, 3, 10, 30, 100)),
    "Mapominoes": ("rounds", (1, 2, 4, 8, 16)),
    "Metro Domino": ("wins_needed", (1, 3, 10, 30)),
    "Domiphun, traditional": ("starts_each", (0, 1, 2)),
    "Domiphun, advanced": ("starts_each", (0, 1, 2)),
    "Connections": ("deals_each", (1, 2, 3, 4)),
}
"""The option that makes a match of several games."""

USUAL = 1024
"""How many lanes there are where lanes do not vary."""
PIECE = 8192
"""At least so many decisions between two looks at the clock."""
COUNTED = 32
"""In so many steps of all lanes legal actions are counted."""
KEPT = 16_384
"""Batches of so many lanes are kept between turns, larger ones are made anew."""
SHARE = 0.8
"""How much of the memory that is free a point may take."""


@dataclass(frozen=True)
class Point:
    """A place on a line: what is measured there."""

    line: str
    subject: str
    value: str
    """What varies, as people read it."""
    game: str
    options: Mapping[str, Any]
    lanes: int = USUAL
    threads: int = 1

    @cached_property
    def spec(self) -> adjoin.Spec:
        """What stays the same about the game."""
        return adjoin.Spec.of(self.game, self.options)

    @property
    def row_bytes(self) -> int:
        """Bytes of a decision: its action, observation, mask, seat, rewards and status."""
        spec = self.spec
        return spec.observation.size + spec.actions.size + 1 + 4 * spec.seats + 1 + 4

    @property
    def bytes(self) -> int:
        """Bytes that a decision touches: its rows and its lane."""
        return self.row_bytes + self.spec.lane_bytes


@dataclass
class Found:
    """Nanoseconds per decision at a point, one a repeat."""

    step: list[float] = field(default_factory=list)
    """Sample and step from Python, observation and mask written."""
    rows: list[float] = field(default_factory=list)
    """Writing the rows, nobody moves."""
    fill: list[float] = field(default_factory=list)
    """The same bytes filled by numpy."""
    games: list[float] = field(default_factory=list)
    """Whole random games inside Rust, no rows."""
    decisions: float = 0
    """Decisions of a match, the mean."""
    legal: float = 0
    """Legal actions of a decision, the mean."""
    skipped: str = ""
    """Why nothing was measured."""


def points(lanes: tuple[int, ...], quick: bool) -> Iterator[Point]:
    """Return all points, line after line."""

    def some(values: tuple[Any, ...]) -> tuple[Any, ...]:
        return values[:2] if quick else values

    for number in lanes:
        for name, (game, options) in SUBJECTS.items():
            yield Point("lanes", name, f"{number:,}", game, options, lanes=number)
    for number in THREADS:
        for name, (game, options) in SUBJECTS.items():
            yield Point("threads", name, str(number), game, options, threads=number)
    for name, players in PLAYERS.items():
        game, options = SUBJECTS[name]
        for number in some(players):
            yield Point("players", name, str(number), game, {**options, "players": number})
    for wide, high in some(TABLES):
        options = {"table": (wide, high)}
        yield Point("table", "Mapominoes", f"{wide} × {high}", "mapominoes", options)
    for variant in ("traditional", "standard", "advanced"):
        for number in some(VALUES):
            options = {"variant": variant, "values": number}
            yield Point("values", f"Domiphun, {variant}", str(number), "domiphun", options)
    for name, (option, numbers) in LENGTHS.items():
        game, options = SUBJECTS[name]
        for number in some(numbers):
            value = f"{option} = {number}"
            yield Point("length", name, value, game, {**options, option: number})


class Work:
    """A batch at work, its matches at any stage."""

    def __init__(self, batch: adjoin.Batch, lanes: int) -> None:
        of = len(batch)
        spread = [lane * of // lanes for lane in range(lanes)] if lanes < of else [*range(of)]
        self.batch = batch.select((spread * -(-lanes // of))[:lanes])
        self.out, self.actions = self.batch.buffers(), np.zeros(lanes, np.int32)
        self.times = max(1, PIECE // lanes)
        self.batch.observe(self.out)

    def step(self) -> int:
        """Decide in every lane."""
        for _ in range(self.times):
            self.batch.sample(self.actions)
            self.batch.step(self.actions, self.out)
        return self.times * len(self.batch)

    def rows(self) -> int:
        """Write the rows, while nobody moves."""
        for _ in range(self.times):
            self.batch.observe(self.out)
        return self.times * len(self.batch)

    def fill(self) -> int:
        """Fill the same bytes."""
        for _ in range(self.times):
            for array in self.out:
                array.fill(0)
        return self.times * len(self.batch)


@dataclass
class Pool:
    """Matches to copy, and what they are like."""

    batch: adjoin.Batch
    """Matches that began one after another, over the length of a match, in no order."""
    episodes: int
    """How many whole games take long enough to be timed."""
    decisions: float
    legal: float

    @classmethod
    def of(cls, point: Point, lanes: int, seconds: float) -> Pool:
        """Find out how long matches are, and play some to any stage."""
        whole_games(point, 1)
        episodes = 1
        while (found := whole_games(point, episodes))[0] < seconds:
            episodes *= 2
        decisions = found[1] / episodes
        batch = adjoin.Batch.of(
            point.game, point.options, num_lanes=lanes, seed=1, threads=point.threads
        )
        out, actions = batch.buffers(), np.zeros(lanes, np.int32)
        length = max(1, round(decisions))
        begins = np.random.default_rng(1).permutation(lanes) * length // lanes
        batch.reset(1, out)
        legal = []
        for number in range(length + COUNTED):
            batch.restart(begins == number, out)
            batch.sample(actions)
            batch.step(actions, out)
            if number >= length:
                legal.append(out.mask[out.seat >= 0].sum(axis=1, dtype=np.int64))
        return cls(batch, episodes, decisions, float(np.concatenate(legal).mean()))


def whole_games(point: Point, episodes: int) -> tuple[float, int]:
    """Play so many games; return seconds and decisions."""
    begin = time.perf_counter()
    table = adjoin.simulate(
        point.game, episodes, threads=point.threads, progress=False, **point.options
    )
    return time.perf_counter() - begin, int(table["decisions"].sum())


def timed(work: Callable[[], int], seconds: float) -> float:
    """Repeat some work for at least so long; return nanoseconds per unit of work."""
    done, begin = 0, time.perf_counter()
    while True:
        done += work()
        if (elapsed := time.perf_counter() - begin) >= seconds:
            return 1e9 * elapsed / done


class Measuring:
    """What is kept from turn to turn."""

    def __init__(self, seconds: float, pool: int) -> None:
        self.seconds, self.pool = seconds, pool
        self.pools: dict[tuple[str, str, int], Pool] = {}
        self.works: dict[int, Work] = {}

    def prepared(self, point: Point) -> Pool:
        """Return matches to copy, made at the first turn."""
        key = (point.game, json.dumps(point.options), point.threads)
        if key not in self.pools:
            self.pools[key] = Pool.of(point, self.pool, self.seconds)
        return self.pools[key]

    def measure(self, number: int, point: Point, found: Found, repeats: int) -> None:
        """Add the figures of a turn."""
        need, free = point.lanes * point.bytes, available()
        if need > SHARE * free:
            found.skipped = f"needs {need / 2**30:.1f} GiB, {free / 2**30:.1f} are free"
            return
        pool = self.prepared(point)
        found.decisions, found.legal = pool.decisions, pool.legal
        work = self.works.get(number) or Work(pool.batch, point.lanes)
        if point.lanes <= KEPT:
            self.works[number] = work
        parts = ((work.step, found.step, 1.0), (work.rows, found.rows, 0.5))
        for part, figures, share in (*parts, (work.fill, found.fill, 0.2)):
            part()
            figures += [timed(part, share * self.seconds) for _ in range(repeats)]
        if point.line != "lanes":
            for _ in range(repeats):
                elapsed, decisions = whole_games(point, pool.episodes)
                found.games.append(1e9 * elapsed / decisions)


def measure(all_points: list[Point], seconds: float, turns: int, pool: int) -> list[Found]:
    """Measure all points, in turns."""
    found = [Found() for _ in all_points]
    measuring = Measuring(seconds, pool)
    for turn in range(1, turns + 1):
        for number, point in enumerate(all_points):
            where = f"{point.line} {point.value}, {point.subject}"
            print(f"turn {turn} of {turns}: {where:<50}", end="\r", file=sys.stderr, flush=True)
            measuring.measure(number, point, found[number], 2)
    print(" " * 70, end="\r", file=sys.stderr)
    return found


# Memory.


def available() -> int:
    """Return how many bytes can be had without swapping."""
    return kilobytes("/proc/meminfo", "MemAvailable") * 1024


def kilobytes(path: str, name: str) -> int:
    """Return a figure that Linux tells."""
    for line in Path(path).read_text("ascii", "replace").splitlines():
        if line.startswith(f"{name}:"):
            return int(line.split()[1])
    raise SystemExit(f"{path} has no {name}")


def resident(game: str, options: Mapping[str, Any], lanes: int) -> float:
    """Return the peak of resident memory per lane of this process, which must be a fresh one."""

    def play(lanes: int) -> int:
        batch = adjoin.Batch.of(game, options, num_lanes=lanes)
        out, actions = batch.buffers(), np.zeros(lanes, np.int32)
        batch.reset(0, out)
        batch.sample(actions)
        batch.step(actions, out)
        return kilobytes("/proc/self/status", "VmHWM") * 1024

    before = play(1)
    return (play(lanes) - before) / lanes


def residents(lanes: tuple[int, ...]) -> list[dict[str, Any]]:
    """Return resident memory of each game, at the most lanes that fit, each in its own process."""
    found = []
    for name, (game, options) in SUBJECTS.items():
        point = Point("memory", name, "", game, options)
        most = max(n for n in lanes if n * point.bytes <= SHARE * available())
        asked = json.dumps({"game": game, "options": options, "lanes": most})
        command = [sys.executable, __file__, "--resident", asked]
        result = subprocess.run(command, capture_output=True, text=True, check=True)
        spec = point.spec
        found.append(
            {
                "subject": name,
                "lanes": most,
                "observation": spec.observation.size,
                "mask": spec.actions.size,
                "row_bytes": point.row_bytes,
                "lane_bytes": spec.lane_bytes,
                "bytes": point.bytes,
                "resident": float(result.stdout),
            }
        )
    return found


def about() -> dict[str, Any]:
    """Return what was measured on."""
    caches = {}
    for path in sorted(Path("/sys/devices/system/cpu/cpu0/cache").glob("index*")):
        level, kind, size = (
            (path / name).read_text("ascii").strip() for name in ("level", "type", "size")
        )
        if kind != "Instruction":
            caches[f"L{level}"] = size
    model = [
        line.partition(":")[2].strip()
        for line in Path("/proc/cpuinfo").read_text("utf-8").splitlines()
        if line.startswith("model name")
    ]
    return {
        "python": platform.python_version(),
        "machine": platform.machine(),
        "model": model[0] if model else "",
        "cores": os.cpu_count(),
        "caches": caches,
        "memory": kilobytes("/proc/meminfo", "MemTotal") * 1024,
        "load": os.getloadavg()[0],
    }


# What is shown.


def report(all_points: list[Point], found: list[Found], memory: list[dict[str, Any]]) -> None:
    """Print a row for every point."""

    def cells(figures: list[float]) -> str:
        if not figures:
            return f"{'':>18}"
        return f" {statistics.median(figures):>8,.1f} {min(figures):>8,.1f}"

    print("nanoseconds per decision, median and best of each")
    head = "".join(f"{name:>18}" for name in ("step", "rows", "fill", "games"))
    print(f"{'line':<9}{'':<18}{'game':<22}{head}{'bytes':>8}{'legal':>8}{'decisions':>11}")
    for point, one in zip(all_points, found, strict=True):
        label = f"{point.line:<9}{point.value:<18}{point.subject:<22}"
        if one.skipped and not one.step:
            print(f"{label}  skipped: {one.skipped}")
            continue
        columns = "".join(cells(each) for each in (one.step, one.rows, one.fill, one.games))
        print(f"{label}{columns}{point.bytes:>8,}{one.legal:>8.1f}{one.decisions:>11,.1f}")
    for row in memory:
        print(
            f"memory   {row['lanes']:<18,}{row['subject']:<24}"
            f"{row['resident']:>10,.0f} bytes a lane resident at the peak, "
            f"{row['bytes']:,} by count: {row['row_bytes']:,} rows, {row['lane_bytes']:,} lane"
        )


def main() -> None:
    """Measure and report."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=0.1, help="at least, per measurement")
    parser.add_argument("--turns", type=int, default=3, help="turns that the points take")
    parser.add_argument("--quick", action="store_true", help="a look at every line; not written")
    parser.add_argument("--resident", metavar="JSON", help="of a batch; what this script calls")
    options = parser.parse_args()
    if options.resident:
        print(resident(**json.loads(options.resident)))
        return
    lanes = (1, 16) if options.quick else LANES
    seconds, turns, pool = (
        (0.0, 1, 16) if options.quick else (options.seconds, options.turns, USUAL)
    )
    begin = time.monotonic()
    all_points = list(points(lanes, options.quick))
    found = measure(all_points, seconds, turns, pool)
    memory = residents(lanes)
    report(all_points, found, memory)
    if options.quick:
        return
    target = ROOT / "out" / "growth.json"
    target.parent.mkdir(exist_ok=True)
    rows = [
        asdict(point) | {"row_bytes": point.row_bytes, "bytes": point.bytes} | asdict(one)
        for point, one in zip(all_points, found, strict=True)
    ]
    written = {"about": about(), "points": rows, "memory": memory}
    target.write_text(json.dumps(written, indent=1), "utf-8")
    print(f"\n{time.monotonic() - begin:.0f} seconds; written to {target.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
