"""Work spread over a pool: processes, threads, or a cluster behind the same interface."""

from __future__ import annotations

import itertools
import queue
from collections import deque
from typing import TYPE_CHECKING, Any, TypeVar

from adjoin.support.arguments import brief

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    Piece = TypeVar("Piece")
    Result = TypeVar("Result")


def shard(episodes: int, executor: Any, most: int) -> int:
    """Return how many episodes a piece of work has: four pieces a worker, or ``most``."""
    workers = getattr(executor, "_max_workers", None) or 8
    return min(most, max(1, -(-episodes // (4 * workers))))


def spread(
    executor: Any,
    call: Callable[[Piece], Result],
    pieces: Sequence[Piece],
    tell: Callable[[Piece], None],
) -> Iterator[Result]:
    """Have a pool do pieces of work, a few ahead of whoever consumes the results.

    The results come in the order of the pieces. ``tell`` hears, in this thread, of a piece when it
    is done, whatever is still being done before it.
    """
    if not hasattr(executor, "submit") and not hasattr(executor, "map"):
        raise TypeError(
            f"executor = {brief(executor)}: must be a pool like those of concurrent.futures"
        )
    if not hasattr(executor, "submit"):
        for piece, result in zip(pieces, executor.map(call, pieces), strict=True):
            tell(piece)
            yield result
        return
    ended: queue.SimpleQueue[int] = queue.SimpleQueue()
    waiting: deque[Any] = deque()
    rest = iter(enumerate(pieces))
    known: set[int] = set()

    def submit(most: int) -> None:
        for number, piece in itertools.islice(rest, most):
            waiting.append(executor.submit(call, piece))
            waiting[-1].add_done_callback(lambda _, number=number: ended.put(number))

    try:
        submit(4 * (getattr(executor, "_max_workers", None) or 8))
        for number in range(len(pieces)):
            while number not in known or not ended.empty():
                other = ended.get()
                known.add(other)
                if waiting[other - number].exception() is None:
                    tell(pieces[other])
            yield waiting.popleft().result()
            submit(1)
    finally:
        for future in waiting:
            future.cancel()
