"""What callers pass: checked, or refused by name."""

from __future__ import annotations

import operator
from typing import SupportsIndex


def whole(name: str, value: SupportsIndex, low: int, high: int) -> int:
    """Return a whole number within limits, or say what is wrong."""
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{name} = {brief(value)}: must be a whole number") from None
    if not low <= number <= high:
        raise ValueError(f"{name} = {number}: must be {low} to {high}")
    return number


def as_text(name: str, value: object, expected: str) -> str:
    """Return a text, or say what was expected."""
    if not isinstance(value, str):
        raise TypeError(f"{name} = {brief(value)}: must be {expected}")
    return value


def as_flag(name: str, value: object) -> bool:
    """Return True or False, or say what is wrong."""
    if not isinstance(value, bool):
        raise TypeError(f"{name} = {brief(value)}: must be True or False")
    return value


def brief(value: object) -> str:
    """Return what was given as Python writes it, or its type where that is long.

    >>> brief(["greedy", 3]), brief(list(range(100)))
    ("['greedy', 3]", 'a list')
    """
    written = repr(value)
    return written if len(written) <= 60 else f"a {type(value).__name__}"


def as_seed(seed: SupportsIndex) -> int:
    """Return a seed, or say what is wrong."""
    return whole("seed", seed, 0, 2**64 - 1)
