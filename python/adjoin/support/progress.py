"""Telling people how far it is."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Progress = bool | Callable[[int, int], None] | None
    """A bar or none, where somebody looks, or who hears (done, total) itself."""
    Report = Callable[[int], None]
    """Hears how much is done."""


@contextmanager
def progress_of(progress: Progress, total: int, unit: str) -> Iterator[Report]:
    """Give a function that hears how much of the total is done.

    True shows a bar; None shows one where somebody looks, while it takes more than a second; a
    callable hears (done, total) itself.
    """
    if progress is not None and not isinstance(progress, bool):
        if not callable(progress):
            raise TypeError(f"progress = {progress!r}: must be True, False, None or a callable")
        hears = progress
        yield lambda done: hears(done, total)
        return
    if progress is None:
        is_watched = sys.stderr.isatty() or "ipykernel" in sys.modules
        progress = is_watched and not os.environ.get("TQDM_DISABLE")
        delay, leave = 1.0, False
    else:
        delay, leave = 0.0, True
    if not progress:
        yield lambda done: None
        return
    try:
        from tqdm.auto import tqdm
    except ImportError:
        yield from _plain(total, unit)
        return
    with tqdm(total=total, unit=unit, delay=delay, leave=leave, smoothing=0.1) as bar:

        def show(done: int) -> None:
            bar.update(done - bar.n)

        yield show


def _plain(total: int, unit: str) -> Iterator[Report]:
    shown = [-1]

    def show(done: int) -> None:
        percent = 100 * done // total
        if percent > shown[0]:
            shown[0] = percent
            print(f"\r{percent:3} % of {total:,} {unit}", end="", file=sys.stderr, flush=True)

    try:
        yield show
    finally:
        if shown[0] >= 0:
            print(file=sys.stderr)
