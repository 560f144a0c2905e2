"""What a piece of work costs on a Ray cluster: time, the caller's share of it, bytes moved.

Run by `make bench-cluster`. A head without cores, to which this process is connected, and two
machines with a core and an object store each, all of them on the loopback of this one. What is
compared takes turns. Prints tables, and writes all figures to out/cluster.json, from which
`docs/growth.py` makes those of the page. Ends by itself, after `--limit` seconds at the latest.
Needs Linux, and nothing else that talks on the loopback.
"""

from __future__ import annotations

import argparse
import json
import os
import pickle
import platform
import signal
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent import futures
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
os.environ["RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER"] = "0"  # there a machine is 127.0.0.1: so here

import ray
from ray.cluster_utils import Cluster

import adjoin
from adjoin.simulation.ray import Executor

ROOT = Path(__file__).parent.parent.parent
HOST = "127.0.0.1"
MEGABYTE = 1_000_000
STORE = 256 * MEGABYTE
"""How much the object store of a machine holds."""

SIZES = (0, 10_000, 100_000, MEGABYTE, 10 * MEGABYTE)
"""Bytes that a call answers with."""
ALONE = 100
"""Calls that wait for each other."""
SHARDS = (8, 64, 512)
"""Into how many parts the same games are cut."""
GAMES = 512 * 1024
"""How many random games of Mapello are cut up."""
REFERENCES: dict[str, tuple[str, Any, int]] = {
    "Mapello, random": ("mapello", "random", 65_536),
    "Mapello, greedy": ("mapello", "greedy", 8_192),
    "Mapominoes, greedy": ("mapominoes", "greedy", 64),
    "Mapello, 100 iterations a decision": ("mapello", "search(iterations=100)", 32),
}
"""Games of one core, for the arithmetic: who plays, and how many are timed."""


@dataclass
class Cost:
    """What something took, one figure a repeat."""

    wall: list[float] = field(default_factory=list)
    """Seconds until it was done."""
    caller: list[float] = field(default_factory=list)
    """Seconds of the calling process, all of its threads."""
    moved: list[float] = field(default_factory=list)
    """Bytes on the loopback."""


def loopback() -> int:
    """Return how many bytes the loopback has carried."""
    for line in Path("/proc/net/dev").read_text("ascii").splitlines():
        name, _, figures = line.partition(":")
        if name.strip() == "lo":
            return int(figures.split()[0])
    raise SystemExit("/proc/net/dev has no loopback")


@dataclass
class Clock:
    """Takes costs; what the loopback carries anyway does not count."""

    idle: float = 0.0
    """Bytes a second while nothing is asked for."""

    def rest(self, seconds: float) -> None:
        """Find out what is carried anyway."""
        begin = loopback()
        time.sleep(seconds)
        self.idle = (loopback() - begin) / seconds

    def take(self, cost: Cost, work: Callable[[], object]) -> None:
        """Add what some work costs."""
        moved, caller, wall = loopback(), time.process_time(), time.perf_counter()
        work()
        seconds = time.perf_counter() - wall
        cost.wall.append(seconds)
        cost.caller.append(time.process_time() - caller)
        cost.moved.append(max(0.0, loopback() - moved - self.idle * seconds))


@contextmanager
def machines() -> Iterator[Cluster]:
    """Yield a cluster of a head without cores and two machines with one each."""
    each = {"node_ip_address": HOST, "object_store_memory": STORE}
    head = {"num_cpus": 0, "include_dashboard": False, **each}
    cluster = Cluster(initialize_head=True, head_node_args=head)
    try:
        for _ in range(2):
            cluster.add_node(num_cpus=1, **each)
        cluster.wait_for_nodes()
        yield cluster
    finally:
        ray.shutdown()
        cluster.shutdown()


def node() -> str:
    """Return the machine that this runs on."""
    return str(ray.get_runtime_context().get_node_id())


def wake(pool: Executor) -> None:
    """Have both workers do something, and check that they are on machines of their own."""

    def where() -> str:
        time.sleep(0.1)
        return str(ray.get_runtime_context().get_node_id())

    found: set[str] = set()
    deadline = time.monotonic() + 60
    while len(found) < 2:
        found |= {future.result() for future in [pool.submit(where) for _ in range(4)]}
        if time.monotonic() > deadline:
            raise SystemExit("only one of the two machines works")
    if node() in found:
        raise SystemExit("this process shares a machine with a worker")


def calls(pool: Executor, count: int, size: int) -> None:
    """Ask for so many answers of a size at once, and wait for all."""
    asked = [pool.submit(bytes, size) for _ in range(count)]
    for future in futures.as_completed(asked):
        if len(future.result()) != size:
            raise SystemExit("an answer is not what was asked for")


def one_by_one(pool: Executor, count: int) -> None:
    """Ask, wait, and ask again."""
    for _ in range(count):
        pool.submit(int).result()


def cut(pool: Executor | None, parts: int) -> adjoin.Table:
    """Play the games in so many parts, on the cluster or here with one thread."""
    part = -(-GAMES // parts)
    return adjoin.simulate("mapello", GAMES, part=part, executor=pool, progress=False)


def references() -> list[dict[str, Any]]:
    """Return what games cost one core here, and how large their tables are between processes."""
    found = []
    for name, (game, agent, games) in REFERENCES.items():
        begin = time.perf_counter()
        table = adjoin.simulate(game, games, agent, seed=1, progress=False)
        seconds = (time.perf_counter() - begin) / games
        size = len(pickle.dumps(table)) / games
        found.append({"name": name, "seconds": seconds, "bytes": size})
    return found


def measure(turns: int) -> dict[str, Any]:
    """Measure everything, in turns."""
    clock = Clock()
    starting: dict[str, float] = {}
    begin = time.perf_counter()

    def lap(name: str) -> None:
        nonlocal begin
        now = time.perf_counter()
        starting[name], begin = now - begin, now

    sizes = {size: Cost() for size in SIZES}
    shards = {parts: Cost() for parts in SHARDS}
    here = {parts: Cost() for parts in SHARDS}
    alone = Cost()
    with machines() as cluster:
        lap("cluster of three")
        with Executor(cluster.address) as pool:
            lap("connect")
            wake(pool)
            lap("first call on both")
            time.sleep(2)
            clock.rest(3)
            for turn in range(1, turns + 1):
                print(f"turn {turn} of {turns}", flush=True)
                clock.take(alone, partial(one_by_one, pool, ALONE))
                for size, cost in sizes.items():
                    clock.take(cost, partial(calls, pool, many(size), size))
                for parts in SHARDS:
                    clock.take(here[parts], partial(cut, None, parts))
                    clock.take(shards[parts], partial(cut, pool, parts))
    return {
        "about": {
            "python": platform.python_version(),
            "machine": platform.machine(),
            "cores": os.cpu_count(),
            "ray": ray.__version__,
            "load": os.getloadavg()[0],
            "idle": clock.idle,
        },
        "starting": starting,
        "alone": asdict(alone) | {"count": ALONE},
        "sizes": [asdict(cost) | {"size": n, "count": many(n)} for n, cost in sizes.items()],
        "shards": [asdict(cost) | {"parts": n, "games": GAMES} for n, cost in shards.items()],
        "here": [asdict(cost) | {"parts": n, "games": GAMES} for n, cost in here.items()],
        "references": references(),
    }


def many(size: int) -> int:
    """Return how many answers of a size are asked for at once."""
    return max(10, min(500, 100 * MEGABYTE // max(size, 1)))


def report(found: dict[str, Any]) -> None:
    """Print what was measured."""

    def row(name: str, cost: dict[str, Any], count: int) -> str:
        wall, caller = (1e3 * statistics.median(cost[kind]) / count for kind in ("wall", "caller"))
        moved = statistics.median(cost["moved"]) / count
        return f"{name:<44}{wall:>10.2f}{caller:>10.2f}{moved:>16,.0f}"

    for name, seconds in found["starting"].items():
        print(f"{name:<44}{seconds:>10.2f} s")
    print(f"\n{'each call or part, medians':<44}{'ms':>10}{'caller':>10}{'bytes moved':>16}")
    print(row("a call, one after another", found["alone"], found["alone"]["count"]))
    for cost in found["sizes"]:
        print(row(f"of {cost['count']} at once, {cost['size']:,} bytes each", cost, cost["count"]))
    for kind in ("shards", "here"):
        for cost in found[kind]:
            where = "on the cluster" if kind == "shards" else "here, one thread"
            name = f"of {cost['parts']} parts of {cost['games']:,} games, {where}"
            print(row(name, cost, cost["parts"]))
    print()
    for game in found["references"]:
        print(f"{game['name']:<44}{1e3 * game['seconds']:>10.4f} ms{game['bytes']:>12,.0f} bytes")


def bounded(turns: int, limit: float) -> int:
    """Measure in a process group of its own, nothing of which is left after so many seconds."""
    command = [sys.executable, __file__, "--inside", "--turns", str(turns)]
    child = subprocess.Popen(command, start_new_session=True)
    try:
        return child.wait(limit)
    except subprocess.TimeoutExpired:
        print(f"gave up after {limit:g} seconds", file=sys.stderr)
        return 1
    finally:
        with suppress(ProcessLookupError):
            os.killpg(child.pid, signal.SIGKILL)


def main() -> int:
    """Measure and report."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--turns", type=int, default=3, help="turns that are taken")
    parser.add_argument("--limit", type=float, default=300, help="seconds after which it gives up")
    parser.add_argument("--inside", action="store_true", help="what this script calls")
    options = parser.parse_args()
    if not options.inside:
        return bounded(options.turns, options.limit)
    found = measure(options.turns)
    report(found)
    target = ROOT / "out" / "cluster.json"
    target.parent.mkdir(exist_ok=True)
    target.write_text(json.dumps(found, indent=1), "utf-8")
    print(f"\nwritten to {target.relative_to(ROOT)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
