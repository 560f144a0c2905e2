"""Questions about where regions are: at which seas, in which nation."""

from __future__ import annotations

from collections.abc import Iterator

from adjoin.classroom.chance import Chance
from adjoin.classroom.exercises.kinds import Candidate, MapKind, different
from adjoin.classroom.exercises.question import Question
from adjoin.classroom.scope import Scope, sentence
from adjoin.data.atlas import Region
from adjoin.support.names import fold
from adjoin.support.wording import listed

_MOST_SEAS, _MOST_NATIONS, _MOST_PARTS = 7, 6, 4
_PARTS = {
    "world-countries": "part of the world",
    "us-states": "division of the United States",
}


class Seas(MapKind):
    """Which seas a region touches."""

    name, letter, title = "seas", "E", "Seas"
    least = 1
    _CHOICES = 5

    def lacks_data(self, scope: Scope) -> str:
        """Return that it needs seas, more than one."""
        return "" if len(self._seas(scope)) > 1 else "seas"

    def _seas(self, scope: Scope) -> list[str]:
        return [water.id for water in scope.atlas.waters if water.kind == "sea"]

    def _touched(self, scope: Scope) -> dict[str, tuple[str, ...]]:
        """Return the seas that the regions of the atlas touch, by id."""
        found: dict[str, tuple[str, ...]] = scope.cache.get("touched", {})
        if not found:
            seas = set(self._seas(scope))
            for region in scope.atlas.regions:
                found[region.id] = tuple(water for water in region.waters if water in seas)
            scope.cache["touched"] = found
        return found

    def candidates(self, scope: Scope) -> Iterator[Candidate]:
        """Every region; those without a sea are harder if a neighbour has one.

        None, if all touch the same.
        """
        touched = self._touched(scope)
        if not different(touched[key] for key in scope.ids):
            return
        for region in scope.regions:
            number = len(touched[region.id])
            if not number:
                near = any(touched[other] for other in region.borders)
                yield Candidate((region.id,), 2 if near else 1)
            else:
                yield Candidate((region.id,), min(number, 3))

    def _near(self, scope: Scope, region: Region) -> set[str]:
        """Return the seas of the region's nation."""
        touched, nation = self._touched(scope), region.nation
        alike = (other.id for other in scope.atlas.regions if other.nation == nation)
        return {sea for key in alike for sea in touched[key]}

    def make(self, scope: Scope, candidate: Candidate, chance: Chance) -> Question:
        """Ask for the seas; one choice is that there are none."""
        region = scope.atlas[candidate.subject[0]]
        seas, touched = self._seas(scope), self._touched(scope)[region.id]
        if len(seas) > _MOST_SEAS:
            others = [sea for sea in seas if sea not in touched]
            number = min(len(others), max(2, self._CHOICES - len(touched)))
            alike = self._near(scope, region)
            near = [sea for sea in others if sea in alike]
            first = chance.sample(near, min(len(near), number - 1))
            rest = [sea for sea in others if sea not in first]
            shown = {*touched, *first, *chance.sample(rest, number - len(first))}
            seas = [sea for sea in seas if sea in shown]
        names = scope.book.names["water"]
        ids = (*seas, "none")
        return Question(
            kind=self.name,
            prompt=f"Which of these {self._noun(scope)} does {scope.spoken(region.id)} touch?",
            form="many",
            answers=touched or ("none",),
            choices=tuple(names[key] for key in ids),
            ids=ids,
            pool="water",
            explanation=self._explained(scope, region.id),
            about=(region.id,),
            level=candidate.level,
            book=scope.book,
        )

    def _noun(self, scope: Scope) -> str:
        return "waters" if scope.noun[0] == "state" else "seas"

    def _explained(self, scope: Scope, key: str) -> str:
        """Return which seas a region touches."""
        touched, names = self._touched(scope)[key], scope.book.names["water"]
        told = "none of these waters" if self._noun(scope) == "waters" else "no sea"
        if touched:
            told = listed([f"the {names[sea]}" for sea in touched])
        return f"{sentence(scope.spoken(key))} touches {told}."


class Nation(MapKind):
    """In which nation a region is, or in which part of a nation."""

    name, letter, title = "nation", "N", "Nation or region"
    least = 2

    def lacks_data(self, scope: Scope) -> str:
        """Return that it needs nations, or regions within one."""
        has_parts = any(r.region and r.region != r.nation for r in scope.atlas.regions)
        return "" if len(scope.atlas.nations) > 1 or has_parts else "nations"

    def candidates(self, scope: Scope) -> Iterator[Candidate]:
        """Every region: in which nation; and in which part of it, if that has several.

        In which nation is not asked if all are in the same.
        """
        common = set.intersection(*(set(region.nations) for region in scope.regions))
        for region in scope.regions:
            if (
                scope.nations
                and not common
                and not any(_told(region, nation) for nation in region.nations)
            ):
                level = 3 if len(region.nations) > 1 else self._level(scope, region, "nation")
                yield Candidate((region.id, "nation"), level)
            if region.nation in scope.parts and not _told(region, region.region):
                yield Candidate((region.id, "region"), self._level(scope, region, "region"))

    def _level(self, scope: Scope, region: Region, what: str) -> int:
        """Return how many neighbours lie elsewhere: none, up to a half, or more."""
        others = scope.atlas.borders(region)
        elsewhere = sum(getattr(other, what) != getattr(region, what) for other in others)
        return 1 if not elsewhere else 2 if 2 * elsewhere <= len(others) else 3

    def make(self, scope: Scope, candidate: Candidate, chance: Chance) -> Question:
        """Ask for the nation or the part."""
        key, what = candidate.subject
        region = scope.atlas[key]
        if what == "nation":
            answers, all_names = region.nations, scope.nations
            most = _MOST_NATIONS
            asked = f"Which {_PARTS.get(scope.name, 'nation')}"
        else:
            answers, all_names = (region.region,), scope.parts[region.nation]
            most = _MOST_PARTS
            asked = f"Which part of {region.nation}" if region.nation else "Which part"
        right = next((name for name in answers if name in all_names), answers[0])
        others = [name for name in all_names if name not in answers]
        chosen = {right, *chance.sample(others, min(len(others), most - 1))}
        shown = tuple(name for name in dict.fromkeys((*all_names, right)) if name in chosen)
        return Question(
            kind=self.name,
            prompt=f"{asked} is {scope.spoken(key)} in?",
            form="one",
            answers=answers,
            choices=shown,
            ids=shown,
            pool="nation" if what == "nation" else "area",
            explanation=f"{sentence(scope.spoken(key))} is in {scope.areas_spoken(answers)}.",
            about=(key,),
            level=candidate.level,
            book=scope.book,
        )


def _told(region: Region, name: str) -> bool:
    """Return whether the name of a region tells which nation or part it is in."""
    return not name or fold(name) in fold(region.name)
