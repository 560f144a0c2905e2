"""Speed of adjoin beside its peers, in one run: a table, ratios, and what limits what.

Run by `make bench`, which sets up the peers' own environment. Every figure is the median of its
repeats; adjoin and the peers take turns, so that a slow moment of the machine hits both. The result
is also written to out/bench.json.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import subprocess
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np

import adjoin
from adjoin.envs.stable_rows import StableRows
from adjoin.envs.vector import VectorEnv
from adjoin.search import Leaves, TreeSearch

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
PEERS = ROOT / ".venv-peers" / "bin" / "python"
MAGPIE = HERE / "magpie"

OTHELLO: dict[str, Any] = {"setup": "othello"}
FULL: dict[str, Any] = {"setup": "random", "walls": 8, "bonuses": 8, "jokers": 8}
LANES = (1, 64, 1024, 8192)


@dataclass(frozen=True)
class Subject:
    """A game with options, and how it is measured."""

    game: str
    options: dict[str, Any]
    lanes: tuple[int, ...]
    episodes: int


SUBJECTS = {
    "othello": Subject("mapello", OTHELLO, LANES, 20_000),
    "full": Subject("mapello", FULL, LANES, 20_000),
    "mapominoes": Subject("mapominoes", {}, (1, 1024), 1_000),
    "mapominoes-5": Subject("mapominoes", {"players": 5}, (1024,), 400),
    "metro": Subject("metro_domino", {}, (1, 1024), 10_000),
    "metro-4": Subject("metro_domino", {"players": 4}, (1024,), 10_000),
    "dominoes": Subject("domiphun", {"variant": "traditional"}, (1024,), 20_000),
    "domiphun": Subject("domiphun", {}, (1024,), 20_000),
    "upwards": Subject("domiphun", {"variant": "advanced"}, (1024,), 5_000),
    "connections": Subject("connections", {}, (1024,), 1_000),
    "connections-6": Subject("connections", {"players": 6}, (1024,), 400),
}
PARTS = (
    ("othello", 1024),
    ("othello", 8192),
    ("mapominoes", 1024),
    ("metro", 1024),
    ("dominoes", 1024),
    ("domiphun", 1024),
    ("upwards", 1024),
    ("connections", 1024),
)
"""Where the time of a decision goes is asked of these."""
ROWS = {
    "othello": 1.5,
    "mapominoes": 3,
    "metro": 3,
    "dominoes": 6,
    "upwards": 10,
    "connections": 5,
}
"""How many times as long as filling the same bytes writing rows should take at most."""
PEER_CASES = (
    "openspiel",
    "openspiel-rows",
    "openspiel-search",
    "gin-rummy",
    "gin-rummy-rows",
    "block-dominoes",
    "block-dominoes-rows",
    *(f"pgx-{lanes}" for lanes in LANES),
    "pgx-tuned-1024",
    "mctx-puct",
    "mctx-gumbel",
    "mctx-gumbel-64",
    "envpool-1-1",
    "envpool-64-2",
    "envpool-1024-1",
    "envpool-1024-2",
)
VECTORS = tuple((name, lanes) for name in ("othello", "mapominoes") for lanes in (64, 1024))
"""Vector environments of so many rows, beside the batch that they stand on."""
SEARCHED = ("full", "mapominoes", "metro", "upwards", "connections")
"""Games in whose middle the search agent is asked."""
ENDGAME = """\
O--OOOOX
-OOOOOOX
OOXXOOOX
OOXOOOXX
OOOOOOXX
---OOOOX
----O--X
--------
X"""
"""Position 40 of the FFO suite, 20 empty squares, black wins by 38."""
ENDGAME_SCORE = 38
PERFT_DEPTH = 11
PERFT_LEAVES = 212_258_800


@dataclass
class Row:
    """One line of the table: rates per second, one a repeat."""

    name: str
    what: str
    rates: list[float] = field(default_factory=list)

    @property
    def rate(self) -> float:
        """The median."""
        return statistics.median(self.rates)

    @property
    def best(self) -> float:
        """The least disturbed repeat: other work on the machine only ever slows things down."""
        return max(self.rates)


def timed(work: Callable[[], int], seconds: float) -> float:
    """Repeat some work for at least so long; return units of work per second."""
    done, begin = 0, time.perf_counter()
    while (elapsed := time.perf_counter() - begin) < seconds:
        done += work()
    return done / elapsed


def ours() -> dict[str, tuple[str, Callable[[], int]]]:
    """Return adjoin's cases by name: what is timed, and a piece of the work."""
    cases: dict[str, tuple[str, Callable[[], int]]] = {}
    for name, subject in SUBJECTS.items():
        for threads in (1, 2):
            cases[f"games {name} x{threads}"] = (
                "whole random games inside Rust",
                whole_games(subject, threads),
            )
            for lanes in subject.lanes:
                cases[f"step {name} {lanes} x{threads}"] = (
                    "sample + step from Python, observation and mask written",
                    stepping(subject, lanes, threads),
                )
        cases[f"gym {name}"] = (
            "the single Gymnasium environment: first legal action, random opponents reply",
            gym(subject),
        )
    for name, lanes in VECTORS:
        cases.update(vectors(SUBJECTS[name], f"{name} {lanes}", lanes))
    for name, lanes in PARTS:
        cases.update(parts(name, lanes))
    othello = SUBJECTS["othello"]
    cases["two othello 1024 x1"] = (
        "two batches of their own at once: what two threads could reach on this machine",
        at_once(stepping(othello, 1024, 1), stepping(othello, 1024, 1)),
    )
    match = adjoin.Match("mapello", **OTHELLO)

    def perft() -> int:
        leaves = match.perft(PERFT_DEPTH)
        assert leaves == PERFT_LEAVES
        return leaves

    cases[f"perft {PERFT_DEPTH}"] = ("leaves, the last ply counted", perft)
    cases["search othello"] = (
        "iterations from the start, random playouts to the end",
        searching(match, "playouts=random, depth=1000"),
    )
    for name in SEARCHED:
        middle = adjoin.Match(SUBJECTS[name].game, **SUBJECTS[name].options)
        middle.play_random(24)
        while len(middle.legal()) < 4:
            middle.play_random(1)
        cases[f"search {name}"] = ("iterations in the middle of a game", searching(middle, ""))
    cases.update(tree_searches())
    endgame = adjoin.Match("mapello", position=ENDGAME, **OTHELLO)

    def solve() -> int:
        solution = endgame.solve()
        assert solution.score == ENDGAME_SCORE
        return solution.nodes

    cases["solve"] = ("positions of an Othello endgame with 20 empty squares, solved", solve)
    return cases


def tree_searches() -> dict[str, tuple[str, Callable[[], int]]]:
    """Return searches of 1,024 lanes with 32 simulations, one thread, and the network alone."""
    import jax
    import jax.numpy as jnp

    lanes, simulations, hidden = 1024, 32, 64
    batch = adjoin.Batch("mapello", num_lanes=lanes, **OTHELLO)
    out, actions = batch.buffers(), np.zeros(lanes, np.int32)
    for _ in range(20):
        batch.sample(actions)
        batch.step(actions, out)
    keys = jax.random.split(jax.random.key(0), 2)
    inner = jax.random.normal(keys[0], (batch.spec.observation.size, hidden)) * 0.1
    outer = jax.random.normal(keys[1], (hidden, batch.spec.actions.size + 1)) * 0.1

    @jax.jit
    def forward(rows: Any) -> tuple[Any, Any]:
        found = jax.nn.relu(rows.astype(jnp.float32) @ inner) @ outer
        return found[:, :-1], jnp.tanh(found[:, -1])

    def network(leaves: Leaves) -> tuple[Any, Any]:
        logits, values = forward(leaves.observation)
        return logits, values

    zeros = np.zeros((lanes, batch.spec.actions.size), np.float32), np.zeros(lanes, np.float32)

    def at_once(_: Leaves) -> tuple[Any, Any]:
        return zeros

    def searching(method: Any, evaluate: Any) -> Callable[[], int]:
        search = TreeSearch(batch, simulations, method=method)

        def work() -> int:
            search.run(evaluate)
            return lanes * simulations

        return work

    def alone() -> int:
        for _ in range(simulations + 1):
            for array in forward(out.observation):
                np.asarray(array)
        return lanes * simulations

    answered = f"simulations of TreeSearch, {simulations} a search, zeros answered at once"
    judged = f"simulations with a network of {hidden} hidden units in jax"
    return {
        "tree puct": (answered, searching("puct", at_once)),
        "tree gumbel": (answered, searching("gumbel", at_once)),
        "tree inside": ("the same without a call to Python", searching("puct", "uniform")),
        "tree gumbel 64": (judged, searching("gumbel", network)),
        "tree network 64": ("that network alone, as often", alone),
    }


def searching(match: adjoin.Match, arguments: str) -> Callable[[], int]:
    """Return a decision of the search agent."""
    iterations = 500

    def work() -> int:
        match.choose(f"search(iterations={iterations}, {arguments})")
        return iterations

    return work


def whole_games(subject: Subject, threads: int) -> Callable[[], int]:
    """Return a piece of simulation without a step from Python."""

    def work() -> int:
        table = adjoin.simulate(
            subject.game, subject.episodes, threads=threads, progress=False, **subject.options
        )
        return int(table["decisions"].sum())

    return work


def stepping(subject: Subject, lanes: int, threads: int) -> Callable[[], int]:
    """Return a piece of the loop that everybody writes: choose, step."""
    batch = adjoin.Batch(subject.game, num_lanes=lanes, threads=threads, **subject.options)
    out, actions = batch.buffers(), np.zeros(lanes, np.int32)
    batch.reset(0, out)
    times = max(1, 8192 // lanes)

    def work() -> int:
        for _ in range(times):
            batch.sample(actions)
            batch.step(actions, out)
        return times * lanes

    return work


def at_once(one: Callable[[], int], other: Callable[[], int]) -> Callable[[], int]:
    """Return two pieces of work side by side, which both leave the interpreter to the other."""

    def fifty(piece: Callable[[], int]) -> int:
        return sum(piece() for _ in range(50))

    def work() -> int:
        with ThreadPoolExecutor(2) as pool:
            halves = [pool.submit(fifty, piece) for piece in (one, other)]
            return sum(half.result() for half in halves)

    return work


def parts(name: str, lanes: int) -> dict[str, tuple[str, Callable[[], int]]]:
    """Return what a step is made of, one thread."""
    batch = adjoin.Batch(SUBJECTS[name].game, num_lanes=lanes, **SUBJECTS[name].options)
    out, actions = batch.buffers(), np.zeros(lanes, np.int32)
    batch.reset(0, out)
    for _ in range(80 if name == "mapominoes" else 20):
        batch.sample(actions)
        batch.step(actions, out)
    times = max(1, 8192 // lanes)
    rows = batch.action_rows(lanes * batch.spec.actions.size)

    def repeat(call: Callable[[], object]) -> Callable[[], int]:
        def work() -> int:
            for _ in range(times):
                call()
            return times * lanes

        return work

    def fill() -> None:
        for array in out:
            array.fill(0)

    return {
        f"part {name} {lanes} sample": ("choosing", repeat(lambda: batch.sample(actions))),
        f"part {name} {lanes} rows": (
            "writing the rows, nobody moves",
            repeat(lambda: batch.observe(out)),
        ),
        f"part {name} {lanes} facts": (
            "writing the legal actions with the facts about each, nobody moves",
            repeat(lambda: batch.actions(rows)),
        ),
        f"part {name} {lanes} fill": ("the same bytes filled by numpy", repeat(fill)),
    }


def gym(subject: Subject) -> Callable[[], int]:
    """Return a piece of the usual loop around one environment."""
    name = adjoin.Spec.of(subject.game, {}).environment
    env = gymnasium.make(name, disable_env_checker=True, **subject.options)
    env.reset(seed=0)

    def work() -> int:
        steps, (_, info), over = 0, env.reset(), False
        while not over:
            action = int(np.argmax(info["action_mask"]))
            _, _, terminated, truncated, info = env.step(action)
            over = terminated or truncated
            steps += 1
        return steps

    return work


def vectors(subject: Subject, name: str, lanes: int) -> dict[str, tuple[str, Callable[[], int]]]:
    """Return the same decisions in vector environments and in the batch that they stand on."""
    environment = adjoin.Spec.of(subject.game, {}).environment
    opponents = ["random"] * (adjoin.Spec.of(subject.game, subject.options).seats - 1)
    batch = adjoin.Batch(
        subject.game, num_lanes=lanes, agents=[None, *opponents], **subject.options
    )
    out, actions = batch.buffers(), np.zeros(lanes, np.int32)
    batch.reset(0, out)
    env = gymnasium.make_vec(environment, num_envs=lanes, **subject.options)
    infos = env.reset(seed=0)[1]
    inner = VectorEnv(subject.game, lanes, autoreset_mode="SameStep", **subject.options)
    rows = StableRows(inner)
    rows.reset(range(lanes))

    def raw() -> None:
        actions[:] = out.mask.argmax(axis=1)
        batch.step(actions, out)

    def vector() -> None:
        nonlocal infos
        *_, infos = env.step(infos["action_mask"].argmax(axis=1))

    def stable() -> None:
        rows.step(inner.action_masks().argmax(axis=1))

    def repeated(step: Callable[[], None]) -> Callable[[], int]:
        def work() -> int:
            for _ in range(max(1, 8192 // lanes)):
                step()
            return max(1, 8192 // lanes) * lanes

        return work

    return {
        f"raw {name}": (
            "the batch alone: first legal action, random opponents reply",
            repeated(raw),
        ),
        f"vector {name}": ("the same through gymnasium.make_vec", repeated(vector)),
        f"stable {name}": ("the same as adjoin.sb3.VecEnv hands it over", repeated(stable)),
    }


def peer(case: str, seconds: float, repeats: int) -> Row:
    """Run a Python peer in its own environment."""
    command = [str(PEERS), str(HERE / "peers.py"), case]
    found = run([*command, "--seconds", str(seconds), "--repeats", str(repeats)])
    return Row(case, found["what"], found["decisions_per_second"])


def magpie(arguments: list[str], repeats: int) -> Row:
    """Run the crate magpie, compiled for this very processor."""
    binary = MAGPIE / "target" / "release" / "magpie"
    found = run([str(binary), *arguments, "--repeats", str(repeats)])
    rates = found.get("decisions_per_second") or found["leaves_per_second"]
    return Row(found["case"], found.get("what", "leaves, the last ply counted"), rates)


def run(command: list[str]) -> dict[str, Any]:
    """Run a program that prints one JSON object."""
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    if result.returncode:
        raise SystemExit(f"{' '.join(command)} failed:\n{result.stderr[-2000:]}")
    found: dict[str, Any] = json.loads(result.stdout.strip().splitlines()[-1])
    return found


def measure(seconds: float, rounds: int) -> dict[str, Row]:
    """Measure everything, taking turns."""
    build = [
        "cargo",
        "build",
        "--release",
        "--quiet",
        "--manifest-path",
        str(MAGPIE / "Cargo.toml"),
    ]
    native = {**os.environ, "RUSTFLAGS": "-C target-cpu=native"}
    subprocess.run(build, check=True, env=native)
    cases = ours()
    rows: dict[str, Row] = {}

    def add(row: Row) -> None:
        rows.setdefault(row.name, Row(row.name, row.what)).rates.extend(row.rates)

    for name, (_, work) in cases.items():
        print(f"warming up: {name:<40}", end="\r", flush=True)
        work()
    for number in range(1, rounds + 1):
        for name, (what, work) in cases.items():
            print(f"round {number} of {rounds}: {name:<40}", end="\r", flush=True)
            add(Row(name, what, [timed(work, seconds) for _ in range(2)]))
        for case in PEER_CASES:
            print(f"round {number} of {rounds}: {case:<40}", end="\r", flush=True)
            add(peer(case, seconds, 2))
        add(magpie(["playout", "--seconds", str(seconds)], 2))
        add(magpie(["perft", str(PERFT_DEPTH)], 1))
    print(" " * 70, end="\r")
    return rows


AIMS: tuple[tuple[str, str, float | None], ...] = (
    ("step othello 1024 x1", "pgx-1024", 60),
    ("step othello 1024 x1", "pgx-tuned-1024", 25),
    ("step othello 1024 x1", "openspiel-rows", 150),
    ("step othello 1024 x1", "openspiel", None),
    ("step othello 1024 x1", "envpool-1024-1", 200),
    ("step othello 1024 x1", "envpool-1024-2", 200),
    ("step othello 1024 x2", "two othello 1024 x1", 0.95),
    ("step othello 1024 x2", "step othello 1024 x1", None),
    ("two othello 1024 x1", "step othello 1024 x1", None),
    ("step full 1024 x1", "step othello 1024 x1", 0.5),
    ("games full x1", "games othello x1", 0.5),
    ("games othello x1", "magpie-playout", 2.5),
    (f"perft {PERFT_DEPTH}", f"magpie-perft-{PERFT_DEPTH}", 2.4),
    ("search othello", "openspiel-search", None),
    ("tree puct", "mctx-puct", 10),
    ("tree gumbel", "mctx-gumbel", 10),
    ("tree gumbel 64", "mctx-gumbel-64", None),
    ("games mapominoes x1", "gin-rummy", 30),
    ("step mapominoes 1024 x1", "gin-rummy", 15),
    ("step mapominoes 1024 x1", "gin-rummy-rows", None),
    ("step mapominoes-5 1024 x1", "gin-rummy", 15),
    ("step mapominoes 1024 x2", "step mapominoes 1024 x1", None),
    ("games metro x1", "block-dominoes", 150),
    ("step metro 1024 x1", "block-dominoes", 60),
    ("step metro 1024 x1", "block-dominoes-rows", None),
    ("games metro x1", "gin-rummy", None),
    ("step metro 1024 x1", "gin-rummy", None),
    ("step metro-4 1024 x1", "block-dominoes", 60),
    ("games dominoes x1", "block-dominoes", 400),
    ("step dominoes 1024 x1", "block-dominoes", 200),
    ("step dominoes 1024 x1", "block-dominoes-rows", None),
    ("games domiphun x1", "block-dominoes", None),
    ("step domiphun 1024 x1", "block-dominoes", None),
    ("games upwards x1", "block-dominoes", 20),
    ("step upwards 1024 x1", "block-dominoes", None),
    ("games connections x1", "gin-rummy", 40),
    ("step connections 1024 x1", "gin-rummy", 20),
    ("step connections 1024 x1", "gin-rummy-rows", None),
    ("step connections-6 1024 x1", "gin-rummy", 20),
    *(
        (f"{kind} {name} {lanes}", f"raw {name} {lanes}", 0.77 if lanes == 1024 else None)
        for name, lanes in VECTORS
        for kind in ("vector", "stable")
    ),
)
RATES = (("gym othello", 150_000),)
"""What has to be reached in a second."""


def report(rows: dict[str, Row]) -> None:
    """Print the table, the ratios and what limits what."""
    print(f"{'case':<26} {'per second':>14} {'lowest':>14} {'highest':>14}  what")
    for row in rows.values():
        print(
            f"{row.name:<26} {row.rate:>14,.0f} {min(row.rates):>14,.0f} "
            f"{max(row.rates):>14,.0f}  {row.what}"
        )
    print(f"\n{'ratio':<50} {'medians':>8} {'bests':>8} {'aim':>6}")
    for mine, other, aim in AIMS:
        ratio = rows[mine].rate / rows[other].rate
        verdict = "" if aim is None or ratio >= aim else "  falls short"
        best = rows[mine].best / rows[other].best
        print(f"{mine + ' / ' + other:<50} {ratio:>8.2f} {best:>8.2f} {aim or '':>6}{verdict}")
    for name, rate in RATES:
        verdict = "" if rows[name].rate >= rate else "  falls short"
        print(f"{name + ' a second':<50} {rows[name].rate:>8,.0f} {'':>8} {rate:>6,}{verdict}")
    print("\nRows, times what filling the same bytes takes:")
    for name, most in ROWS.items():
        filling, writing = (rows[f"part {name} 1024 {part}"] for part in ("fill", "rows"))
        ratio, best = filling.rate / writing.rate, filling.best / writing.best
        verdict = "" if ratio <= most else "  falls short"
        print(f"{name:<50} {ratio:>8.2f} {best:>8.2f} {most:>6}{verdict}")
    print("\nWhat limits what (one thread, nanoseconds per decision):")
    for name, lanes in PARTS:
        whole = 1e9 / rows[f"step {name} {lanes} x1"].rate
        sample = 1e9 / rows[f"part {name} {lanes} sample"].rate
        written = 1e9 / rows[f"part {name} {lanes} rows"].rate
        fill = 1e9 / rows[f"part {name} {lanes} fill"].rate
        rules = whole - sample - written
        print(
            f"  {name}, {lanes} lanes: {whole:.1f} = {sample:.1f} choosing "
            f"+ {rules:.1f} rules and check + {written:.1f} rows "
            f"(filling the same bytes takes {fill:.1f})"
        )
    print("\nAction rows beside observation and mask (one thread, nanoseconds per decision):")
    for name, lanes in PARTS:
        written = 1e9 / rows[f"part {name} {lanes} rows"].rate
        told = 1e9 / rows[f"part {name} {lanes} facts"].rate
        print(
            f"  {name}, {lanes} lanes: {told:.1f} beside {written:.1f}, {told / written:.1f} times"
        )
    call = 1e9 / rows["step othello 1 x1"].rate
    print(
        f"  othello, 1 lane: {call:.0f}, nearly all of it two calls from Python "
        "with their array checks"
    )
    judged, alone = rows["tree gumbel 64"].rate, rows["tree network 64"].rate
    print(
        f"  tree search with a network: {1e9 / judged:.0f} a simulation, of which "
        f"{1e9 / alone:.0f} are the network's and {1 - judged / alone:.0%} ours"
    )
    for name, subject in SUBJECTS.items():
        size = adjoin.Spec.of(subject.game, subject.options)
        print(
            f"  {name}: a row is {size.observation.size} bytes of observation and "
            f"{size.actions.size} of mask; a lane takes {size.lane_bytes} bytes beside it"
        )


def main() -> None:
    """Measure and report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=0.5, help="at least, per measurement")
    parser.add_argument(
        "--rounds", type=int, default=3, help="turns that adjoin and its peers take"
    )
    options = parser.parse_args()
    rows = measure(options.seconds, options.rounds)
    report(rows)
    target = ROOT / "out" / "bench.json"
    target.parent.mkdir(exist_ok=True)
    about = {
        "python": platform.python_version(),
        "machine": platform.machine(),
        "cores": os.cpu_count(),
    }
    target.write_text(
        json.dumps({"about": about, "rows": [asdict(row) for row in rows.values()]}, indent=1)
    )
    print(f"\nwritten to {target.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
