"""Questions on the map: places to find, to name and to colour, ways to trace."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from adjoin.classroom.chance import Chance
from adjoin.classroom.exercises.borders import Borders, asked, neighbours
from adjoin.classroom.exercises.kinds import Candidate, MapKind, different
from adjoin.classroom.exercises.locations import Seas
from adjoin.classroom.exercises.paths import Way, stay
from adjoin.classroom.exercises.question import Question
from adjoin.classroom.scope import Scope

_OUTLINES = "a map with outlines"


def _sizes(scope: Scope) -> dict[str, int]:
    """Return which regions are drawn: in the largest third (1), the middle (2) or the smallest."""
    found: dict[str, int] = scope.cache.get("sizes", {})
    if not found:
        areas = {key: sum(map(_twice_area, scope.outlines[key])) for key in scope.outlines}
        order = sorted(areas, key=lambda key: -areas[key])
        found.update({key: 1 + 3 * place // len(order) for place, key in enumerate(order)})
        scope.cache["sizes"] = found
    return found


def _twice_area(ring: tuple[int, ...]) -> int:
    """Return twice the area of a ring: a point, then differences."""
    x, y = ring[0], ring[1]
    total = 0
    for dx, dy in zip(ring[2::2], ring[3::2], strict=True):
        total += x * dy - y * dx
        x, y = x + dx, y + dy
    return abs(total + x * (ring[1] - y) - y * (ring[0] - x))


class Find(MapKind):
    """Where a region is."""

    name, letter, title, group = "find", "P", "Find it on the map", "places"
    least = 3

    def lacks_data(self, scope: Scope) -> str:
        """Return that it needs outlines."""
        return "" if scope.outlines else _OUTLINES

    def candidates(self, scope: Scope) -> Iterator[Candidate]:
        """Every region that is drawn; small ones are harder."""
        for key, level in _sizes(scope).items():
            yield Candidate((key,), level)

    def make(self, scope: Scope, candidate: Candidate, chance: Chance) -> Question:
        """Ask for a place on the map."""
        (key,) = candidate.subject
        others = scope.borders[key]
        hints = (f"It borders {scope.spoken(chance.choice(others))}.",) if others else ()
        return Question(
            kind=self.name,
            prompt=f"Where is {scope.spoken(key)}?",
            form="one",
            answers=(key,),
            hints=hints,
            explanation=neighbours(scope, key),
            about=(key,),
            level=candidate.level,
            on_map="click",
            book=scope.book,
        )


class Marked(Find):
    """Which region is marked."""

    name, letter, title = "marked", "M", "Name what is marked"

    def make(self, scope: Scope, candidate: Candidate, chance: Chance) -> Question:
        """Ask for the name of a place on the map."""
        (key,) = candidate.subject
        return replace(
            super().make(scope, candidate, chance),
            kind=self.name,
            prompt=f"Which {scope.noun[0]} is marked on the map?",
            hints=(f"Its name begins with {scope.called(key)[0]}.",),
            explanation=f"It is {scope.spoken(key)}. {neighbours(scope, key)}",
            on_map="marked",
        )


class Colour(Borders):
    """Which regions on the map border one."""

    name, letter, title = "colour", "H", "Colour the neighbours"

    def lacks_data(self, scope: Scope) -> str:
        """Return that it needs borders and outlines."""
        return super().lacks_data(scope) or ("" if scope.outlines else _OUTLINES)

    def make(self, scope: Scope, candidate: Candidate, chance: Chance) -> Question:
        """Ask for the places of the neighbours within the scope."""
        (key,) = candidate.subject
        question = super().make(scope, candidate, chance)
        prompt = f"Colour the {asked(scope, scope.noun[1])} that border {scope.spoken(key)}."
        return replace(question, kind=self.name, prompt=prompt, on_map="click")


class Trace(Way):
    """The way on the map that crosses as few borders as possible."""

    name, letter, title = "trace", "T", "Trace the way"

    def lacks_data(self, scope: Scope) -> str:
        """Return that it needs borders and outlines."""
        return super().lacks_data(scope) or ("" if scope.outlines else _OUTLINES)

    def make(self, scope: Scope, candidate: Candidate, chance: Chance) -> Question:
        """Ask for the places on a shortest way."""
        question = super().make(scope, candidate, chance)
        start, end = map(scope.spoken, question.about)
        return replace(
            question,
            kind=self.name,
            prompt=f"Trace a shortest way from {start} to {end}.{stay(scope)}",
            on_map="click",
        )


class SeaMap(Seas):
    """Which seas on the map a region touches."""

    name, letter, title = "sea_map", "V", "Seas on the map"

    def lacks_data(self, scope: Scope) -> str:
        """Return that it needs outlines, and seas on the map, more than one."""
        if not scope.outlines:
            return _OUTLINES
        return "" if len(self._seas(scope)) > 1 else "seas on the map"

    def _seas(self, scope: Scope) -> list[str]:
        return [sea for sea in super()._seas(scope) if scope.map and sea in scope.map["places"]]

    def candidates(self, scope: Scope) -> Iterator[Candidate]:
        """Every region that touches a sea, if all that it touches are on the map."""
        seas, touched = set(self._seas(scope)), self._touched(scope)
        fitting = [key for key in scope.ids if touched[key] and seas.issuperset(touched[key])]
        if different(touched[key] for key in fitting):
            for key in fitting:
                yield Candidate((key,), min(len(touched[key]), 3))

    def make(self, scope: Scope, candidate: Candidate, chance: Chance) -> Question:
        """Ask for the places of the seas."""
        (key,) = candidate.subject
        names, seas = scope.book.names["water"], tuple(self._seas(scope))
        return Question(
            kind=self.name,
            prompt=f"On the map: which {self._noun(scope)} does {scope.spoken(key)} touch?",
            form="many",
            answers=self._touched(scope)[key],
            choices=tuple(names[sea] for sea in seas),
            ids=seas,
            pool="water",
            explanation=self._explained(scope, key),
            about=(key,),
            level=candidate.level,
            on_map="click",
            book=scope.book,
        )
