"""A question, and what an answer to it is worth."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby, pairwise
from typing import Any, TypeAlias

from adjoin.classroom.spelling import Book, Reading
from adjoin.support.names import fold
from adjoin.support.wording import listed

FORMS = ("many", "one", "yes_no", "route", "order")

Answer: TypeAlias = "str | bool | Sequence[str] | None"
"""What a pupil answers: names, ids or letters of choices; yes or no."""

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_YES, _NO = ("yes", "y", "true"), ("no", "n", "false")
_LONGER = 0.5
"""What a way that is longer than needed is worth."""
_NEIGHBOUR = 0.5
"""What a neighbour of the place to click is worth."""


@dataclass(frozen=True)
class Grade:
    """What an answer is worth, and what to tell the pupil.

    ``right``, ``missing`` and ``wrong`` are names. ``corrections`` are texts as they were written,
    each with the right spelling; ``also_called`` such with our name of what has several.
    ``unread`` are texts that name nothing; they cost nothing.
    ``missed`` are borders, as pairs of ids, that exist and were not known.
    """

    share: float
    is_right: bool
    right: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    wrong: tuple[str, ...] = ()
    corrections: tuple[tuple[str, str], ...] = ()
    also_called: tuple[tuple[str, str], ...] = ()
    unread: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    explanation: str = ""
    missed: tuple[tuple[str, str], ...] = ()

    def __str__(self) -> str:
        """Return what to tell the pupil, a line a fact."""
        first = "Right." if self.is_right else "Partly right." if self.share else "Not right."
        lines = [first, *self.notes]
        if self.missing:
            lines.append(f"Missing: {listed(self.missing)}.")
        if self.wrong:
            lines.append(f"Wrong: {listed(self.wrong)}.")
        lines += (f'"{text}" is spelt {name}.' for text, name in self.corrections)
        lines += (f'"{text}" is also called {name}.' for text, name in self.also_called)
        lines += (f'"{text}" could not be read.' for text in self.unread)
        return "\n".join([*lines, self.explanation])


@dataclass(frozen=True)
class Question:
    """A question with all that is needed to ask it and to check an answer.

    ``form`` says what is asked for, and what ``answers`` has (ids, or tuples of ids):

    ======= ============================= ===============================================
    form    asked for                     answers
    ======= ============================= ===============================================
    many    some names                    all that are right
    one     a name                        those that are right, any of which will do
    yes_no  yes or no                     "yes" or "no"
    route   a way from a region to        every shortest way, with both ends
            another
    order   the choices in an order       every right order
    ======= ============================= ===============================================

    ``choices`` are the names to choose from, ``ids`` their ids; none if the pupil writes.
    ``pool`` is what the names are: "region", "water", "nation", "area" or "city". ``also`` are
    names that are true but not within the scope: neither right nor wrong. ``about`` are the ids
    of what the question is about; of a way and a chain, the two ends.

    ``on_map`` says how a question needs the map, if it does: "click", places are the answer
    (regions, or the seas ``ids``; those of ``about`` are marked if there are to be several, unless
    seas are asked for); "marked", the name of the place that is marked, ``about``.
    """

    kind: str
    prompt: str
    form: str
    answers: tuple[Any, ...]
    explanation: str
    about: tuple[str, ...]
    level: int
    choices: tuple[str, ...] = ()
    ids: tuple[str, ...] = ()
    pool: str = "region"
    also: tuple[str, ...] = ()
    hints: tuple[str, ...] = ()
    on_map: str = ""
    book: Book = field(default=Book("", ("", ""), "", (), {}, {}, {}), compare=False, repr=False)

    @property
    def number_of_answers(self) -> int:
        """How many names are asked for."""
        if self.form == "many":
            return len(self.answers)
        if self.form == "route":
            return len(self.answers[0]) - 2
        return len(self.choices) if self.form == "order" else 1

    def solution(self) -> str:
        """Return the right answer in words."""
        if self.form == "yes_no":
            return str(self.answers[0])
        if self.form == "route":
            others = len(self.answers) - 1
            more = f" (or {others} other way{'s' if others > 1 else ''})" if others else ""
            return self._way(self.answers[0]) + more
        if self.form == "order":
            return " (or) ".join(self._way(order) for order in self.answers)
        if self.form == "one":
            shown = [key for key in self.answers if key in self.ids] or self.answers
            return listed([self._name(key) for key in shown], "or")
        return ", ".join(sorted(map(self._name, self.answers)))

    def ids_in(self, answer: Answer) -> tuple[str, ...]:
        """Return the ids that an answer names, each once."""
        is_one = self.form == "one" and isinstance(answer, str)
        return tuple(self._read_all([str(answer)] if is_one else answer)[0])

    def shown_name(self, key: str) -> str:
        """Return what a choice, or what a name stands for, is called."""
        return self.choices[self.ids.index(key)] if key in self.ids else self._name(key)

    def grade(self, answer: Answer) -> Grade:
        """Return what an answer is worth.

        Form "many": the right names less the wrong ones, by the number of right ones. "route": 1
        for every shortest way, a half for a longer one. "order": how many stand in the right place,
        by their number. A place to click: a half for a neighbour. All others: 1 or 0.
        """
        if isinstance(answer, set | frozenset):
            answer = sorted(answer)
        if not (answer is None or isinstance(answer, str | bool | Sequence)):
            what = "a text, a list of texts, yes or no, or None"
            raise TypeError(f"an answer is {what}; got {answer!r}")
        return _GRADERS[self.form](self, answer)

    def to_json(self, *, with_book: bool = True) -> dict[str, Any]:
        """Return the question as plain data; with the book it can be graded on its own."""
        plain = {
            "kind": self.kind,
            "prompt": self.prompt,
            "form": self.form,
            "choices": list(self.choices),
            "ids": list(self.ids),
            "pool": self.pool,
            "answers": [a if isinstance(a, str) else list(a) for a in self.answers],
            "also": list(self.also),
            "hints": list(self.hints),
            "on_map": self.on_map,
            "explanation": self.explanation,
            "about": list(self.about),
            "level": self.level,
        }
        return {**plain, "book": self.book.to_json()} if with_book else plain

    @staticmethod
    def from_json(data: Mapping[str, Any], book: Book | None = None) -> Question:
        """Return the question that ``to_json`` wrote; ``book`` is a quiz's."""
        return Question(
            kind=data["kind"],
            prompt=data["prompt"],
            form=data["form"],
            answers=tuple(a if isinstance(a, str) else tuple(a) for a in data["answers"]),
            explanation=data["explanation"],
            about=tuple(data["about"]),
            level=data["level"],
            choices=tuple(data["choices"]),
            ids=tuple(data["ids"]),
            pool=data["pool"],
            also=tuple(data["also"]),
            hints=tuple(data["hints"]),
            on_map=data["on_map"],
            book=Book.from_json(data["book"]) if book is None else book,
        )

    def __str__(self) -> str:
        """Return the question as text; one on the map says so."""
        if self.on_map and "on the map" not in self.prompt.lower():
            return f"{self.prompt} (On the map.)"
        if self.form == "yes_no" or not self.choices:
            return self.prompt
        lettered = zip(LETTERS, self.choices, strict=False)
        return "\n".join([self.prompt, *(f"  {letter}. {name}" for letter, name in lettered)])

    # Reading.

    def _name(self, key: str) -> str:
        names = self.book.names.get(self.pool, {})
        return names.get(key, key)

    def _way(self, keys: Iterable[str]) -> str:
        return " – ".join(map(self._name, keys))

    def _read(self, text: str) -> Reading:
        """Return what a text means: an id, a letter of a choice or a name."""
        text = str(text)
        if text in self.ids or text in self.book.names.get(self.pool, {}):
            return Reading(text, text)
        letter = text.strip(" .)(").upper()
        if len(letter) == 1 and letter in LETTERS[: len(self.ids)]:
            return Reading(text, self.ids[LETTERS.index(letter)])
        return self.book.read(text, self.pool)

    def _read_all(self, answer: Answer) -> tuple[list[str], list[Reading]]:
        """Return the ids that an answer names, each once, and how its texts were read."""
        if isinstance(answer, str):
            if self.choices and re.fullmatch(r"\s*[A-Za-z](\s+[A-Za-z])*\s*", answer):
                texts = answer.split()
            else:
                texts = [answer] if self._read(answer).id else self.book.split(answer, self.pool)
        else:
            given = [] if answer is None or isinstance(answer, bool) else list(answer)
            texts = [str(text) for text in given if str(text).strip()]
        readings = [self._read(text) for text in texts]
        return list(dict.fromkeys(r.id for r in readings if r.id is not None)), readings

    def _borders(self, one: str, other: str) -> bool:
        return other in self.book.borders.get(one, ())


def _finish(
    question: Question,
    share: float,
    readings: Sequence[Reading],
    *,
    right: Iterable[str] = (),
    missing: Iterable[str] = (),
    wrong: Iterable[str] = (),
    notes: Iterable[str] = (),
    missed: Iterable[tuple[str, str]] = (),
) -> Grade:
    texts = {r.text: r.correction for r in readings if r.correction}
    return Grade(
        share=round(share, 4),
        is_right=share == 1,
        right=tuple(map(question._name, right)),
        missing=tuple(map(question._name, missing)),
        wrong=tuple(map(question._name, wrong)),
        corrections=tuple(texts.items()),
        also_called=tuple({r.text: r.also_called for r in readings if r.also_called}.items()),
        unread=tuple(r.text for r in readings if r.id is None),
        notes=tuple(notes),
        explanation=question.explanation,
        missed=tuple(missed),
    )


def _grade_many(question: Question, answer: Answer) -> Grade:
    given, readings = question._read_all(answer)
    right = [key for key in question.answers if key in given]
    missing = [key for key in question.answers if key not in given]
    wrong = [key for key in given if key not in question.answers and key not in question.also]
    notes, missed = [], []
    if question.pool == "region":
        subject, where = question.about[0], question.book.where
        missed = [(subject, key) for key in missing]
        notes = [
            f"{question._name(key)} borders {question._name(subject)} too, but is not {where}."
            for key in given
            if key in question.also
        ]
    share = max(0.0, (len(right) - len(wrong)) / len(question.answers))
    lists = {"right": right, "missing": missing, "wrong": wrong}
    return _finish(question, share, readings, **lists, notes=notes, missed=missed)


def _grade_one(question: Question, answer: Answer) -> Grade:
    given, readings = question._read_all([answer] if isinstance(answer, str) else answer)
    is_right = len(given) == 1 and given[0] in question.answers
    share, notes, missed = float(is_right), [], []
    if len(given) > 1:
        notes.append("Only one answer is asked for.")
    elif question.on_map == "click" and given and not is_right:
        is_near = any(question._borders(key, given[0]) for key in question.answers)
        share = _NEIGHBOUR if is_near else 0.0
        notes.append(f"{'Nearly: that' if is_near else 'That'} is {question._name(given[0])}.")
    if question.kind == "odd":
        subject = question.about[0]
        missed = [(subject, key) for key in given if question._borders(subject, key)]
    return _finish(
        question,
        share,
        readings,
        right=given if is_right else (),
        missing=() if is_right else question.answers[:1],
        wrong=() if is_right else given,
        notes=notes,
        missed=() if is_right else missed,
    )


def _grade_yes_no(question: Question, answer: Answer) -> Grade:
    if answer is None or isinstance(answer, bool):
        text = {True: "yes", False: "no", None: ""}[answer]
    else:
        items = [answer] if isinstance(answer, str) else list(answer)
        text = fold(str(items[0])) if len(items) == 1 else ""
    said = "yes" if text in _YES else "no" if text in _NO else None
    is_right = said == question.answers[0]
    unread = [Reading(str(answer))] if text and said is None else []
    missed = [(question.about[0], question.about[1])] if question.answers[0] == "yes" else []
    return _finish(
        question,
        float(is_right),
        unread,
        right=question.answers if is_right else (),
        missing=() if is_right else question.answers,
        wrong=(said,) if said and not is_right else (),
        missed=() if is_right else missed,
    )


def _grade_route(question: Question, answer: Answer) -> Grade:
    _, readings = question._read_all(answer)
    keys = [reading.id for reading in readings if reading.id is not None]
    start, end = question.about
    nearest = max(question.answers, key=lambda way: len({*way} & {*keys}))
    missing = [key for key in nearest[1:-1] if key not in keys]
    if not keys:
        return _finish(question, 0, readings, missing=missing)
    if keys[0] == end and keys[-1] == start:
        keys.reverse()
    way = [key for key, _ in groupby([start, *keys, end])]
    name, where = question._name, question.book.where
    broken = [(a, b) for a, b in pairwise(way) if not question._borders(a, b)]
    left = [key for key in dict.fromkeys(way) if key not in question.book.scope]
    notes = [f"{name(a)} does not border {name(b)}." for a, b in broken]
    notes += [f"{name(key)} is not {where}." for key in left if where]
    crossed, needed = len(way) - 1, len(nearest) - 1
    share = 0.0
    if not broken and not left and len(keys) == len(readings):
        share = 1.0 if crossed == needed else _LONGER
        if crossed > needed:
            notes.append(f"That is a way, but it crosses {crossed} borders; {needed} are enough.")
    return _finish(
        question,
        share,
        readings,
        right=way[1:-1] if share == 1 else (),
        wrong=left,
        missing=() if share else missing,
        notes=notes,
    )


def _grade_order(question: Question, answer: Answer) -> Grade:
    given, readings = question._read_all(answer)
    start, end = question.about
    used = [key for key in given if key in question.ids]
    wrong = [key for key in given if key not in (*question.ids, start, end)]
    links = list(pairwise([start, *used, end]))
    good = [link for link in links if question._borders(*link)]
    needed = list(pairwise([start, *question.answers[0], end]))
    is_right = tuple(used) in question.answers and not wrong
    placed = sum(one == other for one, other in zip(used, question.answers[0], strict=False))
    share = 1.0 if is_right else placed / (len(question.ids) + len(wrong))
    name = question._name
    missing = [key for key in question.answers[0] if key not in used]
    made = {frozenset(link) for link in good} if used else set()
    return _finish(
        question,
        share,
        readings,
        right=used if is_right else (),
        missing=missing,
        wrong=wrong,
        notes=[
            f"{name(a)} does not border {name(b)}."
            for a, b in links
            if used and not missing and (a, b) not in good
        ],
        missed=() if is_right else [link for link in needed if frozenset(link) not in made],
    )


_GRADERS: dict[str, Callable[[Question, Answer], Grade]] = {
    "many": _grade_many,
    "one": _grade_one,
    "yes_no": _grade_yes_no,
    "route": _grade_route,
    "order": _grade_order,
}
