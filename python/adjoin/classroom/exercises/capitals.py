"""Questions about capitals, and county towns."""

from __future__ import annotations

from collections.abc import Iterator

from adjoin.classroom.chance import Chance
from adjoin.classroom.exercises.kinds import Candidate, MapKind
from adjoin.classroom.exercises.question import Question
from adjoin.classroom.scope import Scope, sentence
from adjoin.data.atlas import Region
from adjoin.support.names import fold, ident
from adjoin.support.wording import listed

_CHOICES = 4
_SHORT = 3
"""Words of so many letters tell nothing."""


class Capital(MapKind):
    """Which is the capital of a region, and which region has a capital."""

    name, letter, title = "capital", "K", "Capitals and county towns"
    least = 2

    def lacks_data(self, scope: Scope) -> str:
        """Return that it needs capitals."""
        return "" if any(map(_is_asked, scope.atlas.regions)) else "capitals"

    def candidates(self, scope: Scope) -> Iterator[Candidate]:
        """Every region with a capital that its name does not tell, both ways."""
        for region in filter(_is_asked, scope.regions):
            for way in ("of", "has"):
                for level in (1, 2):
                    if len(self._others(scope, region, level)) >= _CHOICES - 1:
                        yield Candidate((region.id, way), level)
                yield Candidate((region.id, way), 3)

    def _others(self, scope: Scope, region: Region, level: int) -> list[Region]:
        """Return regions to choose from: far ones, or those near it, as near as there are enough.

        Near are those that two borders lead to and those of the same part.
        """
        steps = scope.atlas_steps[region.id]

        def is_near(other: Region) -> bool:
            same = (other.nation, other.region) == (region.nation, region.region)
            return same or steps.get(other.id, 3) <= 2

        others = (r for r in scope.atlas.regions if r.id != region.id and _is_asked(r))
        return [other for other in others if is_near(other) == (level == 2)]

    def make(self, scope: Scope, candidate: Candidate, chance: Chance) -> Question:
        """Ask for the capital, or for the region."""
        key, way = candidate.subject
        region = scope.atlas[key]
        shown: list[Region] = []
        if candidate.level < 3:
            others = self._others(scope, region, candidate.level)
            shown = chance.shuffled([region, *chance.sample(others, _CHOICES - 1)])
        one, many = scope.atlas.capital_noun
        first, spoken = region.capitals[0], scope.spoken(key)
        is_one = len(region.capitals) == 1
        noun, verb = (one, "is") if is_one else (many, "are")
        ids = tuple(ident(r.capitals[0]) if way == "of" else r.id for r in shown)
        pool = "capital" if way == "of" else "region"
        asked = f"Which is {'the' if is_one else 'a'} {one} of {spoken}?"
        towns = tuple(map(ident, region.capitals))
        return Question(
            kind=self.name,
            prompt=asked if way == "of" else f"Which {scope.noun[0]} has the {one} {first}?",
            form="one",
            answers=towns if way == "of" else (key,),
            choices=tuple(scope.book.names[pool][key] for key in ids),
            ids=ids,
            pool=pool,
            explanation=sentence(f"the {noun} of {spoken} {verb} {listed(region.capitals)}."),
            about=(key,),
            level=candidate.level,
            book=scope.book,
        )


def _is_asked(region: Region) -> bool:
    """Return whether a region has a capital, and its name does not tell it nor the other way."""
    if not region.capitals:
        return False
    capital = fold(region.capitals[0])
    for name in map(fold, (region.name, *region.also_called)):
        if capital in name or name in capital or _words(name) & _words(capital):
            return False
    return True


def _words(folded: str) -> set[str]:
    """Return the words that tell something."""
    return {word for word in folded.split() if len(word) > _SHORT}
