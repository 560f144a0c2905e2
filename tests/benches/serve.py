"""A class of 30 pupils in 10 rooms: how long a message takes until its update is there, and memory.

Run by hand: ``python tests/benches/serve.py``. Server and clients are processes of this machine, so
that they share its cores. The result is also written to out/serve.json.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import statistics
import sys
import tempfile
import time
from functools import partial
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from served import Pupil, Service, Teacher, join, run  # noqa: E402

ROOMS = 10
WALES: dict[str, Any] = {"game": "mapominoes", "options": {"nations": ["Wales"], "players": 3}}
WHOLE: dict[str, Any] = {"game": "mapominoes", "options": {"players": 3, "rounds": 1}}
SEARCH = "search(iterations=2000)"


class Timed(Pupil):
    """A pupil who thinks for a while, and looks at the clock."""

    async def play_timed(self, think: float, took: list[float]) -> None:
        """Play to the end; note how long each update took."""
        while True:
            await self.until(lambda: not self.is_open or self._has_news())
            update = self.update
            assert update is not None
            assert self.is_open
            if update["is_over"]:
                break
            await asyncio.sleep(self.rng.uniform(0, 2 * think))
            number, action = update["number"], self.rng.choice(update["actions"])["action"]
            self._sent = (number, action)
            began = time.perf_counter()
            await self.send({"do": "play", "what": action, "number": number})
            await self.until_shown(partial(is_after, number))
            took.append(1000 * (time.perf_counter() - began))


def is_after(number: int, update: dict[str, Any]) -> bool:
    """Return whether an update is of a later decision."""
    return bool(update["number"] > number)


def memory(pid: int, field: str) -> float:
    """Return what a process has of the machine's memory, in MB."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    (found,) = (line for line in lines if line.startswith(f"{field}:"))
    return int(found.split()[1]) / 1024


async def measure(
    service: Service, settings: dict[str, Any], people: int, think: float, seconds: float
) -> dict[str, Any]:
    """Let a class play, and return the figures."""
    async with Teacher(service) as teacher:
        empty = memory(service.pid, "VmRSS")
        codes = await teacher.open_rooms(ROOMS, **settings)
        pupils: list[Timed] = []
        for code in codes:
            for number in range(people):
                joined = await join(service.url, code, f"pupil {number}")
                joined.__class__ = Timed
                assert isinstance(joined, Timed)
                joined.rng = random.Random(len(pupils))
                pupils.append(joined)
        times: list[float] = []
        playing = [asyncio.create_task(pupil.play_timed(think, times)) for pupil in pupils]
        done, late = await asyncio.wait(playing, timeout=seconds)
        for task in late:
            task.cancel()
        for task in done:
            task.result()
        times.sort()
        sizes = [len(text) for pupil in pupils for text in pupil.texts if '"update"' in text[:20]]
        figures = {
            "decisions": len(times),
            "median_ms": round(statistics.median(times), 1),
            "p95_ms": round(times[int(0.95 * len(times))], 1),
            "worst_ms": round(times[-1], 1),
            "update_kb": round(statistics.mean(sizes) / 1024, 1),
            "memory_mb": round(memory(service.pid, "VmRSS"), 1),
            "before_mb": round(empty, 1),
        }
        for pupil in pupils:
            await pupil.close()
        for code in codes:
            await teacher.ask("end", code=code)
    return figures


CASES: dict[str, tuple[dict[str, Any], int, float]] = {
    "30 pupils, a decision every 2 s each": (WALES, 3, 2.0),
    "30 pupils, all of the UK, every 2 s": (WHOLE, 3, 2.0),
    "30 pupils, as fast as they can": (WALES, 3, 0.0),
    "20 pupils every 2 s, and 10 agents that search": (
        {**WALES, "sitters": ["person", "person", SEARCH]},
        2,
        2.0,
    ),
}


def main() -> None:
    """Measure every case, print a table, write the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=30.0, help="how long each case is played")
    seconds = parser.parse_args().seconds
    results = {}
    with tempfile.TemporaryDirectory() as home:
        service = Service(Path(home))
        try:
            for name, (settings, people, think) in CASES.items():
                results[name] = run(measure(service, settings, people, think, seconds))
                print(f"{name}: {json.dumps(results[name])}", flush=True)
        finally:
            service.close()
    out = ROOT / "out"
    out.mkdir(exist_ok=True)
    (out / "serve.json").write_text(json.dumps(results, indent=2) + "\n")


if __name__ == "__main__":
    main()
