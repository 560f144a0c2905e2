"""The maps of a worksheet: one with numbers for many questions, and small ones to draw on."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import islice, pairwise

from adjoin.classroom.exercises import Question
from adjoin.classroom.exercises.question import LETTERS
from adjoin.classroom.paper.maps import reading_order, write_all
from adjoin.classroom.quizzes import Quiz
from adjoin.classroom.scope import Scope
from adjoin.data.atlas_map import Map
from adjoin.drawing.colours import INK, SOFT, WHITE
from adjoin.drawing.map_words import Words, write_words
from adjoin.drawing.maps import SEA, MapDrawing, Marks, hatched
from adjoin.drawing.sheet import Box, Circles, Drawing, Lines

_HIGHEST, _OWN = 135.0, (150.0, 74.0)
"""How high the map with numbers is at most, and the size of a map to draw on."""

_MOST = 56
"""How many regions have numbers, unless more are asked about."""

_ABOUT = "#b4b4b4"
"""The colour of places that are marked; those that are the answer are hatched."""

_LARGER, _LEAST = 2.8, 0.12
"""How much larger than what it is about a map is, and how large for the whole map at least."""


def is_drawn_on(question: Question) -> bool:
    """Return whether the answer is drawn on a map of the question's own."""
    return question.on_map == "click" and question.pool == "region" and question.form != "one"


def is_numbered(question: Question) -> bool:
    """Return whether a question is about the map that has numbers."""
    return bool(question.on_map) and not is_drawn_on(question)


@dataclass(frozen=True)
class QuestionMaps:
    """The maps of a quiz, some of whose questions are about its map."""

    quiz: Quiz
    scope: Scope
    wide: float

    @classmethod
    def of(cls, quiz: Quiz, wide: float) -> QuestionMaps | None:
        """Return the maps of a quiz that are so wide at most; none if no question needs one."""
        scope = quiz.scope
        if not isinstance(scope, Scope) or not any(question.on_map for question in quiz):
            return None
        return cls(quiz, scope, wide)

    @cached_property
    def _on(self) -> MapDrawing:
        assert self.scope.map is not None, "questions about a map have one"
        plain = Map.from_json(self.scope.map)
        unit = min(self.wide / plain.size[0], _HIGHEST / plain.size[1])
        return MapDrawing(plain, (self.wide - plain.size[0] * unit) / 2, 0, unit)

    @cached_property
    def _asked(self) -> set[str]:
        """The regions that are asked about by their numbers."""
        return {q.answers[0] for q in self.quiz if is_numbered(q) and q.pool == "region"}

    @cached_property
    def numbers(self) -> dict[str, int]:
        """The numbers of regions: of all, or of those asked about, some near and some others."""
        ids = self.scope.ids
        near = (other for key in sorted(self._asked) for other in self.scope.borders[key])
        every = -(-len(ids) // _MOST)
        others = [*islice(near, _MOST // 2), *ids[::every], *ids]
        chosen = list(dict.fromkeys([*sorted(self._asked), *others]))[
            : max(_MOST, len(self._asked))
        ]
        return reading_order(self._on, (key for key in chosen if key in self._on.map.places))

    @cached_property
    def letters(self) -> dict[str, str]:
        """The letters of the seas that are asked about."""
        seas = (q.ids for q in self.quiz if is_numbered(q) and q.pool == "water")
        return dict(zip(dict.fromkeys(key for ids in seas for key in ids), LETTERS, strict=False))

    def numbered(self, *, is_key: bool = False) -> Drawing:
        """Return the map with numbers and letters; in the key, with the names asked for."""
        on = self._on
        drawing = Drawing(self.wide, on.box.high)
        right = self._asked if is_key else set()
        on.draw(drawing)
        _hatch(drawing, on, right)
        words = {}
        for key, number in self.numbers.items():
            name = (f"{number} {self._name(key)}",) if key in right else ()
            words[key] = Words((*name, str(number)), True)
        for key, letter in self.letters.items():
            words[key] = Words((letter,), True, halo=SEA, is_needed=True)
        write_all(drawing, on, words, self._asked | self.letters.keys())
        return drawing

    def _name(self, key: str) -> str:
        return self.scope.book.names["region"][key]

    def drawn_on(self, question: Question, *, is_key: bool = False) -> Drawing:
        """Return the map of a question whose answer is drawn; in the key, with the answer."""
        ways = question.answers if question.form == "route" else ()
        right = set(ways[0] if ways else question.answers)
        about = set(question.about)
        shown = {key for way in ways for key in way} or self._near(about, right)
        on = MapDrawing.needed(self.scope.atlas, sorted(shown), Box(0, 0, *_OWN)).moved(0, 0)
        drawing = Drawing(on.box.wide, on.box.high)
        fills = dict.fromkeys(self.scope.ids, WHITE) | dict.fromkeys(about, _ABOUT)
        links = list(pairwise(ways[0])) if is_key and ways else []
        on.draw(drawing, Marks(fills, thick=sorted(about), links=links))
        if is_key:
            _hatch(drawing, on, right - about)
        named = about | right if is_key else about
        words = {
            key: Words((self._name(key), self.scope.atlas[key].abbreviation), key in about)
            for key in sorted(named)
        }
        write_words(drawing, on, words, most=8)
        return drawing

    def _near(self, about: set[str], others: set[str]) -> set[str]:
        """Return the regions that a map shows whole: not those that would make it too large."""

        def around(keys: set[str]) -> Box:
            there = keys & self._on.map.places.keys()
            return Box.around(point for ring in self._on.outlines(there) for point in ring)

        def side(keys: set[str]) -> float:
            return max(around(keys)[2:])

        found = set(about)
        most = max(_LARGER * side(found), _LEAST * max(self._on.box[2:]))
        for key in sorted(others, key=lambda key: (side({key}), key)):
            if side(found | {key}) <= most:
                found.add(key)
        return found


def _hatch(drawing: Drawing, on: MapDrawing, keys: Iterable[str]) -> None:
    """Draw lines across places: in grey print they are told from all others."""
    there = sorted(key for key in keys if key in on.map.places)
    drawing.add(Lines(tuple(hatched(on.outlines(there), 1.6)), SOFT, 0.2))
    dots = tuple(on.at(key) for key in there if key in on.small)
    drawing.add(Circles(dots, on.dot, _ABOUT, INK, 0.2))
