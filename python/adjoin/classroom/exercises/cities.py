"""Questions about the cities of Connections."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

from adjoin.classroom.chance import Chance
from adjoin.classroom.cities import Cities
from adjoin.classroom.exercises.kinds import Candidate, Kind
from adjoin.classroom.exercises.question import Question
from adjoin.data.deck import City
from adjoin.support.wording import listed

_CHOICES = 4
_OVERLAP = {"Mediterranea": ("Africa", "Western Europe")}
"""Regions that would be right as well, for somebody who does not know the game's map."""


class CityKind(Kind[Cities]):
    """A kind of question about cities."""

    def lacks(self, scope: Any) -> str:
        """Return that it needs cities."""
        return "" if isinstance(scope, Cities) else "cities, which world-cities has"

    def size(self, scope: Cities) -> int:
        """Return the number of regions."""
        return len(scope.names)


class CityRegion(CityKind):
    """In which region a city is."""

    name, letter, title = "city_region", "R", "Region of a city"
    least = _CHOICES
    _JOINED: ClassVar[dict[int, int]] = {1: 0, 2: 1, 3: 3}
    """How many of the wrong regions are joined to the right one by a linking city, by level."""

    def _others(self, scope: Cities, region: str) -> tuple[list[str], list[str]]:
        """Return the other regions: those that are joined to a region, and those that are not."""
        joined = {name for pair in scope.joined if region in pair for name in pair}
        not_wrong = (region, *_OVERLAP.get(region, ()))
        others = [name for name in scope.names if name not in not_wrong]
        return [n for n in others if n in joined], [n for n in others if n not in joined]

    def candidates(self, scope: Cities) -> Iterator[Candidate]:
        """Every city of one region."""
        for city in scope.cities:
            joined, others = self._others(scope, city.regions[0])
            for level, number in self._JOINED.items():
                if len(joined) >= number and len(others) >= _CHOICES - 1 - number:
                    yield Candidate((city.id,), level)

    def make(self, scope: Cities, candidate: Candidate, chance: Chance) -> Question:
        """Ask for the region."""
        city = scope.deck.city(candidate.subject[0])
        region = city.regions[0]
        joined, others = self._others(scope, region)
        number = self._JOINED[candidate.level]
        wrong = chance.sample(joined, number) + chance.sample(others, _CHOICES - 1 - number)
        shown = tuple(chance.shuffled([region, *wrong]))
        return Question(
            kind=self.name,
            prompt=f"Which region of Connections is {city.name} in?",
            form="one",
            answers=(region,),
            choices=shown,
            ids=shown,
            pool="area",
            explanation=f"{city.name} is in {region}.",
            about=(city.id,),
            level=candidate.level,
            book=scope.book,
        )


class Link(CityKind):
    """Which linking city joins two regions."""

    name, letter, title = "link", "J", "Linking city"
    least = 2

    def candidates(self, scope: Cities) -> Iterator[Candidate]:
        """Every two regions that a linking city joins; level 3 is without choices."""
        for pair in scope.joined:
            for level in (1, 2):
                if len(self._wrong(scope, pair, level)) >= _CHOICES - 1:
                    yield Candidate(pair, level)
            yield Candidate(pair, 3)

    def _wrong(self, scope: Cities, pair: tuple[str, ...], level: int) -> list[City]:
        """Return the links that join neither of two regions to others, or one of them."""
        return [
            city for city in scope.deck.links if len(set(pair) & set(city.regions)) == level - 1
        ]

    def make(self, scope: Cities, candidate: Candidate, chance: Chance) -> Question:
        """Ask for a linking city that joins both."""
        one, other = chance.shuffled(candidate.subject)
        first, second = candidate.subject
        links = scope.joined[first, second]
        shown: list[City] = []
        if candidate.level < 3:
            wrong = self._wrong(scope, candidate.subject, candidate.level)
            shown = chance.shuffled([chance.choice(links), *chance.sample(wrong, _CHOICES - 1)])
        facts = [f"{city.name} links {listed(sorted(city.regions))}." for city in links]
        return Question(
            kind=self.name,
            prompt=f"Which linking city joins {one} and {other}?",
            form="one",
            answers=tuple(city.id for city in links),
            choices=tuple(city.name for city in shown),
            ids=tuple(city.id for city in shown),
            pool="city",
            explanation=" ".join(facts),
            about=(one, other),
            level=candidate.level,
            book=scope.book,
        )
