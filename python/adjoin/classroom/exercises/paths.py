"""Questions about ways from one region to another."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from adjoin.classroom.chance import Chance
from adjoin.classroom.exercises.kinds import Candidate, MapKind, Subject, level_of
from adjoin.classroom.exercises.question import Question
from adjoin.classroom.scope import Scope

LONGEST, MOST_WAYS = 7, 24
"""How many borders a way crosses at most, and how many ways are as short."""


def _names(scope: Scope, way: tuple[str, ...]) -> str:
    return " – ".join(map(scope.called, way))


def stay(scope: Scope) -> str:
    """Return that one stays within the scope, if there is more of the atlas."""
    return f" Stay {scope.where}." if scope.where else ""


def shortest_paths(scope: Scope, start: str, end: str) -> list[tuple[str, ...]]:
    """Return every shortest way within a scope, in the order of the atlas."""
    steps = scope.steps[end]
    found: list[tuple[str, ...]] = [(start,)]
    for left in range(steps[start] - 1, -1, -1):
        found = [(*w, key) for w in found for key in scope.borders[w[-1]] if steps[key] == left]
    return found


def _numbers(scope: Scope, start: str) -> dict[str, int]:
    """Return how many shortest ways lead to every region, in the order of their distance."""
    steps, numbers = scope.steps[start], {start: 1}
    for key in steps:
        if key != start:
            near = steps[key] - 1
            numbers[key] = sum(numbers[b] for b in scope.borders[key] if steps[b] == near)
    return numbers


class Way(MapKind):
    """The way that crosses as few borders as possible."""

    name, letter, title, group = "way", "W", "The shortest way", "ways"
    least = 3

    def candidates(self, scope: Scope) -> Iterator[Candidate]:
        """Every two regions that are not too far apart and have not too many shortest ways."""
        numbers: dict[Subject, int] = {}
        for start in scope.ids:
            numbers.update({(start, end): n for end, n in _numbers(scope, start).items()})
        for one, other in combinations(scope.ids, 2):
            steps = scope.steps[one].get(other, 0)
            if 2 <= steps <= LONGEST and numbers[one, other] <= MOST_WAYS:
                yield Candidate((one, other), level_of(steps, 2, 4))

    def make(self, scope: Scope, candidate: Candidate, chance: Chance) -> Question:
        """Ask for a shortest way."""
        start, end = chance.shuffled(candidate.subject)
        answers = shortest_paths(scope, start, end)
        shown = chance.choice(answers)
        answers.sort(key=lambda way: way != shown)
        number = len(shown) - 1
        asked = f"Go from {scope.spoken(start)} to {scope.spoken(end)} and cross as few borders"
        more = "" if len(answers) == 1 else f" {len(answers)} ways are as short."
        hints = [f"The shortest way crosses {number} borders."]
        if number > 2:
            hints.append(f"Begin with {scope.spoken(shown[1])}.")
        if number > 3:
            hidden = [*map(scope.called, shown[:-2]), "?", scope.called(end)]
            hints.append(" – ".join(hidden))
        return Question(
            kind=self.name,
            prompt=f"{asked} as you can. Which {scope.noun[1]} do you pass through?{stay(scope)}",
            form="route",
            answers=tuple(answers),
            hints=tuple(hints),
            explanation=f"{_names(scope, shown)}: {number} borders.{more}",
            about=(start, end),
            level=candidate.level,
            book=scope.book,
        )


class Chain(MapKind):
    """A chain of regions with the middle to be put in order."""

    name, letter, title, group = "chain", "C", "Finish the chain", "ways"
    least = 4
    _LEVELS = ((3, 1), (4, 2), (5, 3))

    def candidates(self, scope: Scope) -> Iterator[Candidate]:
        """Every two regions with two to four others between them."""
        levels = dict(self._LEVELS)
        for one, other in combinations(scope.ids, 2):
            level = levels.get(scope.steps[one].get(other, 0))
            if level:
                yield Candidate((one, other), level)

    def make(self, scope: Scope, candidate: Candidate, chance: Chance) -> Question:
        """Ask for the order of the regions on a shortest way: there is only one."""
        start, end = chance.shuffled(candidate.subject)
        way, steps = [start], scope.steps[end]
        while way[-1] != end:
            near = steps[way[-1]] - 1
            way.append(chance.choice([k for k in scope.borders[way[-1]] if steps[k] == near]))
        middle = tuple(way[1:-1])
        ids = middle
        while ids == middle:
            ids = tuple(chance.shuffled(middle))
        ends = f"{scope.called(start)} – {' – '.join('?' for _ in middle)} – {scope.called(end)}"
        return Question(
            kind=self.name,
            prompt=f"Finish the chain, so that each {scope.noun[0]} borders the next: {ends}",
            form="order",
            answers=(middle,),
            choices=tuple(map(scope.called, ids)),
            ids=ids,
            explanation=f"{_names(scope, tuple(way))}: each borders the next.",
            about=(start, end),
            level=candidate.level,
            book=scope.book,
        )
