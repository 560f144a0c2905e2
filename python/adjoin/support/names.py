"""Names as people write them: found in any spelling, or refused with those that are near."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any, Generic, Protocol, TypeVar

from adjoin._core import fold as fold
from adjoin._core import hint


class UnknownNameError(KeyError):
    """Nothing has that name; the message says which names are near."""

    __module__ = "adjoin"

    def __str__(self) -> str:
        """Return the message as it is."""
        return str(self.args[0])


def as_text(value: object, what: str) -> str:
    """Return a text, or refuse what is none; ``what`` is "a region" or the like."""
    if not isinstance(value, str):
        raise TypeError(f"{what} is named by a string, got {value!r}")
    return value


def ident(name: str) -> str:
    """Return the id that is made from a name.

    >>> ident("Tyne & Wear")
    'tyne_and_wear'
    """
    return fold(name).replace(" ", "_")


def choose(text: str, names: Iterable[str], what: str, where: str = "") -> str:
    """Return which of the names a text means; ``what`` is "an atlas" or the like."""
    known = {fold(name): name for name in names}
    found = known.get(fold(as_text(text, what)))
    if found is None:
        there = ", ".join(known.values()) or "none"
        raise UnknownNameError(f'no {what.split()[-1]} "{text}"{where}; there are {there}')
    return found


def missing(what: str, text: object, names: Iterable[object]) -> UnknownNameError:
    """Return the refusal of a name that nothing has: with those that are near it, or else all.

    >>> print(missing("figure", "win share", ["win share, greedy", "turns"]))
    no figure 'win share'; did you mean 'win share, greedy'?
    >>> print(missing("figure", "luck", ["win share, greedy", "turns"]))
    no figure 'luck': there are 'win share, greedy', 'turns'
    """
    quoted = [repr(name) for name in names]
    meant = hint(repr(text), quoted) or f": there are {', '.join(quoted) or 'none'}"
    return UnknownNameError(f"no {what} {text!r}{meant}")


class _Named(Protocol):
    @property
    def name(self) -> str: ...


_T = TypeVar("_T", bound=_Named)


class Index(Generic[_T]):
    """Things by what they are called; the first of two that are called the same."""

    def __init__(self, things: Iterable[tuple[_T, Iterable[str]]]) -> None:
        self._folded: dict[str, _T] = {}
        for thing, texts in things:
            for key in filter(None, map(fold, texts)):
                self._folded.setdefault(key, thing)
        squeezed = [key.replace(" ", "") for key in self._folded]
        times = Counter(squeezed)
        self._squeezed = {
            key: thing
            for key, thing in zip(squeezed, self._folded.values(), strict=True)
            if times[key] == 1
        }

    def find(self, text: str) -> _T | None:
        """Return what is called so, in spite of spaces if nothing else would be meant."""
        key = fold(text)
        found = self._folded.get(key)
        return self._squeezed.get(key.replace(" ", "")) if found is None else found

    def hint(self, text: str, **others: Index[Any]) -> str:
        """Return what to add to a message about a name that nothing here has.

        ``others`` are the indexes, by noun, of things that could have been confused with these.
        """
        for noun, other in others.items():
            if other.find(text) is not None:
                return f"; that is a {noun}"
        return hint(text, list(dict.fromkeys(thing.name for thing in self._folded.values())))
