"""What a kind of question is: which ones there are in a scope, and how one is made."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from typing import Any, ClassVar, Generic, NamedTuple, TypeVar

from adjoin.classroom.chance import Chance
from adjoin.classroom.cities import Cities
from adjoin.classroom.exercises.question import Question
from adjoin.classroom.scope import Scope

S = TypeVar("S", Scope, Cities)

Subject = tuple[str, ...]
"""What a question is about; no quiz has two questions of a kind with the same."""

LEVELS = (1, 2, 3)


class Candidate(NamedTuple):
    """A question that can be made."""

    subject: Subject
    level: int
    side: str = ""
    """Which of two answers is right, for a kind that has as many of the one as of the other."""


class Stock(NamedTuple):
    """The questions of a kind that a scope has."""

    by_side: dict[str, dict[int, list[Subject]]]

    def number(self, level: int | None) -> int:
        """Return how many different questions there are, all or of a level."""
        sides = [
            len({s for n, subjects in levels.items() if level in (None, n) for s in subjects})
            for levels in self.by_side.values()
        ]
        return min(sides) * len(sides) if sides else 0

    def levels(self) -> list[int]:
        """Return the levels that there are questions of."""
        return [level for level in LEVELS if self.number(level)]

    def mixed(self, level: int | None, chance: Chance) -> Iterator[Candidate]:
        """Go through the candidates: sides and levels in turn, else in any order.

        A subject comes once. There are as many as ``number`` says.
        """
        used: set[Subject] = set()
        sides = {
            side: [
                _Pile(side, n, subjects, chance)
                for n, subjects in levels.items()
                if level in (None, n)
            ]
            for side, levels in self.by_side.items()
        }
        order: dict[str, list[_Pile]] = {side: [] for side in sides}
        for _ in range(self.number(level) // max(1, len(sides))):
            for side in chance.shuffled(list(sides)):
                found = None
                while found is None:
                    if not order[side]:
                        order[side] = chance.shuffled([p for p in sides[side] if not p.is_empty])
                    found = order[side].pop().draw(used)
                used.add(found.subject)
                yield found


class _Pile:
    """The subjects of a level, in a mixed order."""

    def __init__(self, side: str, level: int, subjects: list[Subject], chance: Chance) -> None:
        self._side, self._level, self._subjects = side, level, subjects
        self._order = chance.order(len(subjects))
        self.is_empty = not subjects

    def draw(self, used: set[Subject]) -> Candidate | None:
        for place in self._order:
            if self._subjects[place] not in used:
                return Candidate(self._subjects[place], self._level, self._side)
        self.is_empty = True
        return None


class Kind(ABC, Generic[S]):
    """A kind of question.

    ``letter`` stands for it in a code. ``least`` is how many regions it needs at least.
    """

    name: ClassVar[str]
    letter: ClassVar[str]
    title: ClassVar[str]
    least: ClassVar[int] = 2
    group: ClassVar[str] = ""
    """Kinds of a group give each other's answers away if they are about the same."""

    @abstractmethod
    def lacks(self, scope: Any) -> str:
        """Return which data it needs that an atlas does not have; nothing if it has all."""

    @abstractmethod
    def size(self, scope: S) -> int:
        """Return how many of what it needs a scope has."""

    @abstractmethod
    def candidates(self, scope: S) -> Iterable[Candidate]:
        """Go through the questions that can be made."""

    @abstractmethod
    def make(self, scope: S, candidate: Candidate, chance: Chance) -> Question:
        """Return the question that a candidate stands for."""

    def stock(self, scope: S) -> Stock:
        """Return the questions that a scope has."""
        found = scope.cache.get(self.name)
        if found is None:
            by_side: dict[str, dict[int, list[Subject]]] = {}
            for subject, level, side in self.candidates(scope):
                by_side.setdefault(side, {}).setdefault(level, []).append(subject)
            if len(by_side) < len(self.sides) or self.size(scope) < self.least:
                by_side = {}
            found = scope.cache[self.name] = Stock(by_side)
        return found

    sides: ClassVar[tuple[str, ...]] = ("",)


class MapKind(Kind[Scope]):
    """A kind of question about an atlas."""

    def lacks(self, scope: Any) -> str:
        """Return that it needs an atlas."""
        if isinstance(scope, Cities):
            return "a map of regions with borders, which cities are not"
        return self.lacks_data(scope)

    def lacks_data(self, scope: Scope) -> str:
        """Return which data it needs that an atlas does not have."""
        return "" if any(region.borders for region in scope.atlas.regions) else "borders"

    def size(self, scope: Scope) -> int:
        """Return the number of regions."""
        return len(scope.regions)


def different(answers: Iterable[object]) -> bool:
    """Return whether there are two different answers: a question with always the same is none."""
    return len(set(answers)) > 1


def level_of(number: int, first: int, second: int) -> int:
    """Return 1 for numbers up to the first, 2 up to the second, else 3."""
    return 1 if number <= first else 2 if number <= second else 3
