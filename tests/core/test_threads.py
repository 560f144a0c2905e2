"""Threads that share a match: nobody waits for ever."""

from __future__ import annotations

import subprocess
import sys

SHARING = """
import faulthandler, gc, threading, time
import adjoin

faulthandler.dump_traceback_later(30, exit=True)
gc.set_threshold(5)

class Cycle:
    def __init__(self):
        self.me = self

    def __del__(self):
        time.sleep(0)  # lets go of the interpreter wherever the collector happens to run

match = adjoin.Match("mapominoes", seed=1)

def use():
    end = time.monotonic() + 1
    while time.monotonic() < end:
        Cycle(), match.view(), match.save()
        try:
            match.play("nonsense")
        except adjoin.IllegalActionError:
            pass

threads = [threading.Thread(target=use, daemon=True) for _ in range(3)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
"""


def test_a_match_is_not_held_while_python_runs() -> None:
    done = subprocess.run([sys.executable, "-c", SHARING], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
