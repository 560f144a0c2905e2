"""Chance that is the same on every machine: numbers from a text, by SHA-256."""

from __future__ import annotations

from collections.abc import Iterator, MutableSequence, Sequence
from hashlib import sha256
from typing import TypeVar

T = TypeVar("T")

SYMBOLS = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
"""Letters and digits that nobody takes for each other: neither 0 and O nor 1, I and L."""


class Chance:
    """Numbers that follow from a text alone, whatever the Python or the machine.

    >>> chance = Chance("a seed")
    >>> [chance.below(6) for _ in range(8)]
    [5, 4, 3, 2, 2, 0, 0, 5]
    """

    def __init__(self, seed: str) -> None:
        self._seed = sha256(seed.encode())
        self._counter = 0

    def below(self, number: int) -> int:
        """Return a whole number from 0 to one below ``number``."""
        drawn = self._seed.copy()
        drawn.update(b"/%d" % self._counter)
        self._counter += 1
        return int.from_bytes(drawn.digest()[:8], "big") % number

    def choice(self, things: Sequence[T]) -> T:
        """Return one of the things."""
        return things[self.below(len(things))]

    def order(self, number: int) -> Iterator[int]:
        """Go through the whole numbers below ``number`` in a mixed order, each once."""
        moved: dict[int, int] = {}
        for place in range(number):
            other = place + self.below(number - place)
            yield moved.get(other, other)
            moved[other] = moved.get(place, place)

    def sample(self, things: Sequence[T], number: int) -> list[T]:
        """Return so many of the things, each at most once."""
        if number > len(things):
            raise ValueError(f"{number} of {len(things)} things")
        order = self.order(len(things))
        return [things[next(order)] for _ in range(number)]

    def shuffled(self, things: Sequence[T]) -> list[T]:
        """Return all things in a mixed order."""
        return self.sample(things, len(things))

    def shuffle(self, things: MutableSequence[T]) -> None:
        """Mix the things."""
        things[:] = self.shuffled(things)

    def symbols(self, number: int) -> str:
        """Return so many letters and digits that nobody takes for each other."""
        return "".join(SYMBOLS[self.below(len(SYMBOLS))] for _ in range(number))
