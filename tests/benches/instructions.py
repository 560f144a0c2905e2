"""Instructions of a decision, part by part, counted by valgrind: the same whatever else runs.

`python instructions.py [WORK ...]` for all games, or some with `--game`; `--functions` lists
where the instructions are. Needs valgrind.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
PARTS = HERE / "parts"
SUBJECTS: dict[str, tuple[str, dict[str, object]]] = {
    "othello": ("mapello", {"setup": "othello"}),
    "full": ("mapello", {"setup": "random"}),
    "mapominoes": ("mapominoes", {}),
    "metro": ("metro_domino", {}),
    "dominoes": ("domiphun", {"variant": "traditional"}),
    "domiphun": ("domiphun", {}),
    "upwards": ("domiphun", {"variant": "advanced"}),
    "connections": ("connections", {}),
}
TIMES = {"sample": 10, "step": 10, "rows": 10, "games": 50}


def count(arguments: list[str], functions: int) -> int:
    """Return the instructions of a run, and print the functions that have most of them."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "out"
        command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}", *arguments]
        run = subprocess.run(
            command, capture_output=True, text=True, check=True, env={**os.environ, "ONCE": "1"}
        )
        if functions:
            listing = ["callgrind_annotate", "--threshold=99", str(out)]
            lines = subprocess.run(listing, capture_output=True, text=True, check=True).stdout
            print("\n".join(lines.splitlines()[20 : 20 + functions]))
        for line in run.stdout.splitlines():
            units["units"] = json.loads(line)["units"]
        return int(re.findall(r"Collected : (\d+)", run.stderr)[-1])


units: dict[str, int] = {}


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("work", nargs="*", default=["sample", "step", "rows"])
    parser.add_argument("--game", action="append", choices=SUBJECTS)
    parser.add_argument("--functions", type=int, default=0, metavar="N")
    args = parser.parse_args()
    manifest = str(PARTS / "Cargo.toml")
    build = ["cargo", "build", "--release", "--quiet", "--manifest-path", manifest]
    subprocess.run(build, check=True)
    target = Path(os.environ.get("CARGO_TARGET_DIR", PARTS / "target"))
    binary = str(target / "release" / "parts")
    print(f"{'instructions per decision':<26}{''.join(f'{work:>26}' for work in args.work)}")
    for name in args.game or SUBJECTS:
        game, options = SUBJECTS[name]
        figures = []
        for work in args.work:
            call = [binary, work, game, json.dumps(options)]
            times = TIMES.get(work.partition(":")[0], 1)
            ready = count([*call, "0"], 0)
            done = count([*call, str(times)], args.functions)
            figures.append((done - ready) / units["units"])
        print(f"{name:<26}{''.join(f'{figure:>26,.0f}' for figure in figures)}", flush=True)


if __name__ == "__main__":
    main()
