"""Questions as devices get them: without what gives the answer away.

Choices and places on the map go out under names that mean nothing, and come back so.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any

from adjoin.classroom.chance import Chance
from adjoin.classroom.exercises import Answer, Question
from adjoin.classroom.quizzes import Quiz

_LONGEST, _MOST = 200, 60
"""How long a text of an answer may be, and how many there may be of them."""


@dataclass(frozen=True)
class Masks:
    """The names under which things of a quiz go out; they follow from a secret."""

    quiz: Quiz
    secret: str

    @functools.cached_property
    def _map(self) -> dict[str, Any]:
        return self.quiz.map or {"places": {}, "bridges": []}

    @functools.cached_property
    def places(self) -> dict[str, str]:
        """The names of places, by id, in an order that tells nothing."""
        keys = list(self._map["places"])
        numbers = Chance(self.secret).shuffled(range(1, len(keys) + 1))
        return {key: f"place {number}" for key, number in zip(keys, numbers, strict=True)}

    def static(self) -> dict[str, Any]:
        """Return what is needed to read names, and the map; what belongs together is not told."""
        book = {**self.quiz.book.to_json(), "borders": {}}
        return {"book": book, "map": self._masked_map() if self.quiz.map else None}

    def _masked_map(self) -> dict[str, Any]:
        named = {self.places[key]: place for key, place in self._map["places"].items()}
        bridges = [
            {**bridge, "between": [self.places[key] for key in bridge["between"]]}
            for bridge in self._map["bridges"]
        ]
        places = {name: named[name] for name in sorted(named)}
        return {**self._map, "places": places, "bridges": bridges}

    def meanings(self, question: Question) -> dict[str, str]:
        """Return what names mean, of choices or of places to click; empty if pupils write."""
        if question.on_map == "click":
            kinds = {key: place["kind"] for key, place in self._map["places"].items()}
            is_sea = question.pool == "water"
            keys = question.ids if is_sea else [key for key in kinds if kinds[key] != "water"]
            return {self.places[key]: key for key in keys}
        if question.form == "yes_no":
            return {}
        return {f"choice {at}": key for at, key in enumerate(question.ids, 1)}

    def asked(self, question: Question) -> dict[str, Any]:
        """Return a question as it goes out while it is open."""
        is_region = question.on_map == "click" and question.pool != "water"
        choices = {} if is_region else self.meanings(question)
        named, about = choices, []
        if question.on_map == "marked" or (is_region and question.form != "one"):
            about = [self.places[key] for key in question.about]
        elif question.form in ("route", "order"):
            about = list(question.about)
        if is_region:  # the prompt names what is marked
            named = dict(zip(about, question.about, strict=False))
        return {
            "kind": question.kind,
            "prompt": question.prompt,
            "form": question.form,
            "pool": question.pool,
            "choices": list(question.choices),
            "ids": list(question.ids if question.form == "yes_no" else choices),
            "about": about,
            "names": {question.pool: {name: question.shown_name(named[name]) for name in named}},
            "on_map": question.on_map,
            "hints": [],
        }

    def read(self, question: Question, sent: object) -> Answer:
        """Return an answer as the quiz takes it; an error if it is none to this question."""
        if sent is None:
            return None
        if question.form == "yes_no":
            if not isinstance(sent, bool):
                raise ValueError("yes or no")
            return sent
        texts: list[Any] = sent if isinstance(sent, list) else [sent]
        if not 0 < len(texts) <= _MOST:
            raise ValueError("some texts")
        if not all(isinstance(text, str) and len(text) <= _LONGEST for text in texts):
            raise ValueError("short texts")
        meanings = self.meanings(question)
        found: list[str] = [meanings[text] for text in texts] if meanings else texts
        return found if isinstance(sent, list) else found[0]
