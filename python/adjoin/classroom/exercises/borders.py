"""Questions about who borders whom."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import combinations

from adjoin.classroom.chance import Chance
from adjoin.classroom.exercises.kinds import Candidate, MapKind, level_of
from adjoin.classroom.exercises.question import Question
from adjoin.classroom.scope import Scope, sentence
from adjoin.data.files import DATA
from adjoin.support.wording import listed

FAR = 99
"""How far regions are from each other that no way connects."""


def neighbours(scope: Scope, key: str) -> str:
    """Return the neighbours of a region in a sentence."""
    others = scope.book.borders[key]
    names = together(scope, others) if others else f"no other {scope.noun[0]}"
    return f"{sentence(scope.spoken(key))} borders {names}."


def together(scope: Scope, keys: Iterable[str]) -> str:
    """Return regions in a sentence, by name."""
    return listed(map(scope.spoken, sorted(keys, key=scope.called)))


def distance(scope: Scope, one: str, other: str) -> int:
    """Return how many borders lie between two regions of an atlas."""
    return scope.atlas_steps[one].get(other, FAR)


def nearness(steps: int) -> int:
    """Return how hard it is to know that regions so far apart are no neighbours."""
    return {2: 3, 3: 2}.get(steps, 1)


def asked(scope: Scope, noun: str) -> str:
    """Return a noun with where to look."""
    return f"{noun} {scope.where}" if scope.where else noun


class Borders(MapKind):
    """Which regions border one."""

    name, letter, title, group = "borders", "B", "Neighbours", "neighbours"

    def candidates(self, scope: Scope) -> Iterator[Candidate]:
        """Every region with a neighbour within the scope."""
        for key, others in scope.borders.items():
            if others:
                yield Candidate((key,), level_of(len(others), 3, 5))

    def make(self, scope: Scope, candidate: Candidate, chance: Chance) -> Question:
        """Ask for the neighbours within the scope."""
        (key,) = candidate.subject
        return Question(
            kind=self.name,
            prompt=f"Which {asked(scope, scope.noun[1])} border {scope.spoken(key)}?",
            form="many",
            answers=scope.borders[key],
            also=scope.outside[key],
            explanation=neighbours(scope, key),
            about=(key,),
            level=candidate.level,
            book=scope.book,
        )


class Shared(MapKind):
    """Whether two regions share a border."""

    name, letter, title = "shared", "S", "Shared border"
    least = 4
    sides = ("yes", "no")

    def candidates(self, scope: Scope) -> Iterator[Candidate]:
        """Every two regions."""
        regions = {region.id: region for region in scope.regions}
        for pair in combinations(scope.ids, 2):
            one, other = (regions[key] for key in pair)
            if other.id in one.borders:
                most = max(len(one.borders), len(other.borders))
                level = 3 if one.nation != other.nation else level_of(most, 4, 6)
                yield Candidate(pair, level, "yes")
            else:
                yield Candidate(pair, nearness(distance(scope, *pair)), "no")

    def make(self, scope: Scope, candidate: Candidate, chance: Chance) -> Question:
        """Ask for yes or no."""
        one, other = chance.shuffled(candidate.subject)
        fewer = min(one, other, key=lambda key: len(scope.book.borders[key]))
        water = _water(scope, one, other, candidate.side)
        return Question(
            kind=self.name,
            prompt=f"Do {scope.spoken(one)} and {scope.spoken(other)} share a border?",
            form="yes_no",
            answers=(candidate.side,),
            choices=self.sides,
            ids=self.sides,
            explanation=f"{candidate.side.capitalize()}: {neighbours(scope, fewer)}{water}",
            about=(one, other),
            level=candidate.level,
            book=scope.book,
        )


@cache
def _waters() -> dict[frozenset[str], str]:
    """Return the rivers, lakes and straits between counties, by the two."""
    with (DATA / "uk-water-borders.csv").open(encoding="utf-8", newline="") as file:
        return {frozenset((row["a"], row["b"])): row["water"] for row in csv.DictReader(file)}


def _water(scope: Scope, one: str, other: str, side: str) -> str:
    """Return in which water two counties meet, or which one keeps them apart."""
    found = _waters().get(frozenset((one, other))) if scope.noun[0] == "county" else None
    if found is None:
        return ""
    spoken = found if found.startswith(("The ", "Lough ")) else f"the {found}"
    spoken = spoken.replace("The ", "the ")
    return f" They meet in {spoken}." if side == "yes" else f" Between them lies {spoken}."


class Odd(MapKind):
    """Three border a region, one does not."""

    name, letter, title, group = "odd", "D", "Odd one out", "neighbours"
    least = 5
    _NEIGHBOURS = 3

    def candidates(self, scope: Scope) -> Iterator[Candidate]:
        """Every region with three neighbours, by how far an odd one lies from it."""
        for key, others in scope.borders.items():
            if len(others) >= self._NEIGHBOURS:
                for level in sorted(set(self._strangers(scope, key))):
                    yield Candidate((key,), level)

    def _strangers(self, scope: Scope, key: str) -> dict[int, list[str]]:
        found: dict[int, list[str]] = {}
        for other in scope.ids:
            steps = distance(scope, key, other)
            if steps > 1:
                found.setdefault(nearness(steps), []).append(other)
        return found

    def make(self, scope: Scope, candidate: Candidate, chance: Chance) -> Question:
        """Ask which one does not border the region."""
        (key,) = candidate.subject
        stranger = chance.choice(self._strangers(scope, key)[candidate.level])
        others = chance.sample(scope.borders[key], self._NEIGHBOURS)
        ids = tuple(chance.shuffled([stranger, *others]))
        name = scope.spoken(key)
        return Question(
            kind=self.name,
            prompt=f"Odd one out: three of these border {name}. Which one does not?",
            form="one",
            answers=(stranger,),
            choices=tuple(map(scope.called, ids)),
            ids=ids,
            explanation=f"{sentence(scope.spoken(stranger))} does not: {neighbours(scope, key)}",
            about=(key,),
            level=candidate.level,
            book=scope.book,
        )


class FromNeighbours(MapKind):
    """Which region has these neighbours."""

    name, letter, title, group = "from_neighbours", "F", "Who am I", "neighbours"
    least = 3

    def candidates(self, scope: Scope) -> Iterator[Candidate]:
        """Every region that alone borders all its neighbours within the scope."""
        borders = scope.book.borders
        for key, clues in scope.borders.items():
            if clues and set.intersection(*(set(borders[clue]) for clue in clues)) == {key}:
                level = 1 if len(clues) >= 5 else 2 if len(clues) >= 3 else 3
                yield Candidate((key,), level)

    def make(self, scope: Scope, candidate: Candidate, chance: Chance) -> Question:
        """Ask for the region."""
        (key,) = candidate.subject
        clues = together(scope, scope.borders[key])
        return Question(
            kind=self.name,
            prompt=f"Which {asked(scope, scope.noun[0])} borders {clues}?",
            form="one",
            answers=(key,),
            explanation=neighbours(scope, key),
            about=(key,),
            level=candidate.level,
            book=scope.book,
        )
