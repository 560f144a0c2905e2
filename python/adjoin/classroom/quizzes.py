"""Quizzes: questions that a short code stands for.

A code such as ``UK-WALES-BSW-10L2-BK7QQ`` has these parts:

- the atlas: UK, WORLD, US, CITIES, or OWN and three letters for somebody's own map
- the areas, joined by +; left out if all of the atlas is asked about
- a letter for each kind of question
- how many questions, then L and the level if there is one, then the language of the names if
  these are not the usual ones
- a letter for the format of the code and the way questions are made, three for the chance, and
  one that fits the rest: a mistyped code is refused

Whoever changes how questions are made gives new codes another first letter in the last part; codes
with an older one are refused.
"""

from __future__ import annotations

import functools
import re
import secrets
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from html import escape
from typing import Any

from adjoin.classroom.areas import ClassroomError
from adjoin.classroom.chance import SYMBOLS, Chance
from adjoin.classroom.cities import Cities
from adjoin.classroom.exercises import KINDS, LEVELS, Candidate, Kind, Question
from adjoin.classroom.scope import Scope, from_tag, scope_of
from adjoin.classroom.spelling import Book
from adjoin.data.atlas import Atlas
from adjoin.data.deck import Deck
from adjoin.support.names import Index, UnknownNameError, as_text
from adjoin.support.wording import count

MOST_QUESTIONS = 200
"""How many questions a quiz has at most."""

VERSION = "B"
"""The format of the codes and the way questions are made."""

_EXAMPLE = "UK-WALES-BSW-10-BK7QN"
_VALUES = {
    **{symbol: number for number, symbol in enumerate(SYMBOLS)},
    **dict(zip("0O1IL+", (27, 5, 17, 6, 7, 30), strict=True)),
}


class CodeError(ClassroomError):
    """A code that stands for no quiz; the message says why."""


@dataclass(frozen=True, eq=False, repr=False)
class Quiz:
    """Questions that a code stands for: the same in every class, on every machine.

    >>> quiz = Quiz.make("uk-counties", nations="Wales", kinds=["borders", "way"], seed=1)
    >>> quiz
    <Quiz UK-WALES-BW-10-BDQR6: 10 questions, counties in Wales>
    >>> Quiz.from_code(quiz.code).questions == quiz.questions
    True
    """

    scope: Scope | Cities
    kinds: tuple[str, ...]
    number: int
    level: int | None
    seed: str

    @staticmethod
    def make(
        atlas: str | Atlas | Deck = "uk-counties",
        *,
        nations: str | Iterable[str] | None = None,
        regions: str | Iterable[str] | None = None,
        editions: str | Iterable[str] | None = None,
        kinds: str | Iterable[str] | None = None,
        questions: int = 10,
        level: int | None = None,
        names: str | None = None,
        seed: int | str | None = None,
    ) -> Quiz:
        """Make a quiz.

        ``atlas`` is "uk-counties", "world-countries", "us-states", "world-cities" (of Connections)
        or one's own. ``nations``, ``regions`` and ``editions`` say which part of it. ``kinds`` are
        names of ``KINDS``; without them all that fit. ``level`` is 1, 2 or 3; without it there are
        questions of all. ``names`` is a language of ``Atlas.languages`` that names are shown in,
        such as "Welsh"; answers may be in either. The same seed makes the same quiz; without one,
        every quiz is another.
        """
        scope = scope_of(atlas, nations, regions, editions, names)
        number = _whole_number("questions", questions, range(1, MOST_QUESTIONS + 1))
        if level is not None:
            level = _whole_number("level", level, LEVELS)
        chosen = _chosen(scope, kinds, level)
        _check_number(scope, chosen, number, level)
        chance = Chance(secrets.token_hex() if seed is None else f"seed/{seed}")
        return Quiz(scope, chosen, number, level, chance.symbols(3))

    @staticmethod
    def from_code(code: str, atlas: Atlas | Deck | None = None) -> Quiz:
        """Return the quiz that a code stands for; ``atlas`` is one's own if the code is for one.

        Small letters, and spaces in place of hyphens, will do.
        """
        text = tidy(code)
        tag, areas, letters, (number, level, language), last = _parts(text)
        if last[0] != VERSION and check_letter(text[:-1]) == last[-1]:
            raise CodeError(f'the code "{text}" was made by another version of adjoin')
        if check_letter(text[:-1]) != last[-1]:
            raise CodeError(f'the code "{text}" is mistyped: its last letter does not fit the rest')
        try:
            scope = from_tag(tag, atlas)
            if language:
                scope = _named_in(scope, language)
            scope = scope.with_tags(areas) if areas else scope
            by_letter = {kind.letter: name for name, kind in KINDS.items()}
            unknown = [letter for letter in letters if letter not in by_letter]
            if unknown:
                raise ClassroomError(f'no kind of question has the letter "{unknown[0]}"')
            chosen = _chosen(scope, [by_letter[letter] for letter in letters], level)
            _check_number(scope, chosen, number, level)
        except ClassroomError as error:
            raise CodeError(f'the code "{text}": {error}') from None
        quiz = Quiz(scope, chosen, number, level, last[1:-1])
        if quiz.code != text:
            raise CodeError(f'the code "{text}" is not written as codes are: {quiz.code}')
        return quiz

    @functools.cached_property
    def code(self) -> str:
        """The code that stands for the quiz."""
        level = "" if self.level is None else f"L{self.level}"
        language = _language_letters(self.scope.language) if isinstance(self.scope, Scope) else ""
        parts = [
            self.scope.tag,
            *(["+".join(area.tag for area in self.scope.areas)] if self.scope.areas else ()),
            "".join(KINDS[kind].letter for kind in self.kinds),
            f"{self.number}{level}{language}",
            f"{VERSION}{self.seed}",
        ]
        text = "-".join(parts)
        return text + check_letter(text)

    @functools.cached_property
    def questions(self) -> tuple[Question, ...]:
        """The questions, the easier ones first."""
        chance = Chance(self.code)
        found = []
        for kind, candidate in _drawn(self, chance):
            own = Chance("/".join((self.code, kind.name, *candidate.subject)))
            found.append(kind.make(self.scope, candidate, own))
        return tuple(sorted(found, key=lambda question: question.level))

    @property
    def title(self) -> str:
        """What the quiz is about."""
        return self.scope.title

    @property
    def book(self) -> Book:
        """What is needed to read answers."""
        return self.scope.book

    @property
    def atlas(self) -> Atlas | None:
        """The atlas, if it is about one."""
        return self.scope.atlas if isinstance(self.scope, Scope) else None

    @property
    def map(self) -> dict[str, Any] | None:
        """The map that it is about as plain data, if there is one."""
        return self.scope.map if isinstance(self.scope, Scope) else None

    @property
    def deck(self) -> Deck | None:
        """The deck of cities, if it is about one."""
        return self.scope.deck if isinstance(self.scope, Cities) else None

    def __len__(self) -> int:
        """Return the number of questions."""
        return self.number

    def __iter__(self) -> Iterator[Question]:
        """Go through the questions."""
        return iter(self.questions)

    def __eq__(self, other: object) -> bool:
        """Return whether the codes are the same."""
        return self.code == other.code if isinstance(other, Quiz) else NotImplemented

    def __hash__(self) -> int:
        """Hash by the code."""
        return hash(self.code)

    def to_json(self) -> dict[str, Any]:
        """Return the quiz as plain data, with all that is needed to grade it."""
        return {
            "format": "adjoin classroom quiz",
            "version": 1,
            "code": self.code,
            "title": self.title,
            "book": self.book.to_json(),
            "map": self.map,
            "questions": [question.to_json(with_book=False) for question in self.questions],
        }

    def text(self, *, answers: bool = False) -> str:
        """Return the questions, or the questions with the right answers, as text."""
        lines = [f"{self.title} ({self.code})"]
        for number, question in enumerate(self.questions, 1):
            lines += ["", f"{number}. {question}"]
            if answers:
                lines.append(f"   {question.solution()}. {question.explanation}")
        return "\n".join(lines)

    def __str__(self) -> str:
        """Return the questions."""
        return self.text()

    def __repr__(self) -> str:
        """Return the code, and what the quiz is about."""
        title = self.title[:1].lower() + self.title[1:]
        return f"<Quiz {self.code}: {count(self.number, 'question')}, {title}>"

    def _repr_html_(self) -> str:
        items = []
        for question in self.questions:
            shown = "" if question.form == "yes_no" else " · ".join(question.choices)
            small = f"<br><small>{escape(shown)}</small>" if shown else ""
            items.append(
                f"<li><details><summary>{escape(question.prompt)}{small}</summary>"
                f"{escape(question.solution())}. {escape(question.explanation)}</details></li>"
            )
        head = f"<h4>{escape(self.title)} <code>{escape(self.code)}</code></h4>"
        return f"{head}<ol>{''.join(items)}</ol>"


def kinds_of(
    atlas: str | Atlas | Deck = "uk-counties",
    *,
    nations: str | Iterable[str] | None = None,
    regions: str | Iterable[str] | None = None,
    editions: str | Iterable[str] | None = None,
    names: str | None = None,
    level: int | None = None,
) -> dict[str, int]:
    """Return how many different questions there are of every kind that fits.

    >>> kinds_of("uk-counties", nations="Northern Ireland")["borders"]
    6
    """
    scope = scope_of(atlas, nations, regions, editions, names)
    return {name: KINDS[name].stock(scope).number(level) for name in _fitting(scope, level)}


# Kinds and numbers.


def _fitting(scope: Scope | Cities, level: int | None) -> list[str]:
    return [
        name
        for name, kind in KINDS.items()
        if not kind.lacks(scope) and kind.stock(scope).number(level)
    ]


def _chosen(
    scope: Scope | Cities, kinds: str | Iterable[str] | None, level: int | None
) -> tuple[str, ...]:
    """Return the kinds that were asked for, or all that fit."""
    if kinds is None:
        fitting = _fitting(scope, level)
        if not fitting:
            at = "" if level is None else f" of level {level}"
            raise ClassroomError(f"there are no questions{at} about {scope.size()}")
        return tuple(fitting)
    texts = [kinds] if isinstance(kinds, str) else list(kinds)
    if not texts:
        raise ClassroomError(f"an empty list of kinds; there are {', '.join(KINDS)}")
    index = Index((kind, (name, kind.title)) for name, kind in KINDS.items())
    wanted = set()
    for text in texts:
        kind = index.find(as_text(text, "a kind"))
        if kind is None:
            raise UnknownNameError(
                f'no kind of question "{text}"{index.hint(text)}; there are {", ".join(KINDS)}'
            )
        _check_kind(scope, kind, level)
        wanted.add(kind.name)
    return tuple(name for name in KINDS if name in wanted)


def _check_kind(scope: Scope | Cities, kind: Kind[Any], level: int | None) -> None:
    lacking = kind.lacks(scope)
    if lacking:
        fitting = ", ".join(_fitting(scope, None))
        raise ClassroomError(
            f"{kind.name} needs {lacking}: {scope.name} has none; it has {fitting}"
            if "which" not in lacking
            else f"{kind.name} needs {lacking}; {scope.name} has {fitting}"
        )
    size = kind.size(scope)
    noun = scope.noun[1] if isinstance(scope, Scope) else "regions"
    if size < kind.least:
        raise ClassroomError(
            f"{kind.name} needs at least {kind.least} {noun}, and there "
            f"{'is' if size == 1 else 'are'} {scope.size()}"
        )
    stock = kind.stock(scope)
    if not stock.number(None):
        raise ClassroomError(f"no question of the kind {kind.name} fits {scope.size()}")
    if level is not None and not stock.number(level):
        there = " and ".join(map(str, stock.levels()))
        raise ClassroomError(
            f"no question of the kind {kind.name} about {scope.size()} has level {level}; "
            f"{f'levels: {there}' if there else 'leave the level out'}"
        )


def _check_number(
    scope: Scope | Cities, kinds: Iterable[str], number: int, level: int | None
) -> None:
    there = {kind: KINDS[kind].stock(scope).number(level) for kind in kinds}
    total = sum(there.values())
    if number > total:
        each = ", ".join(f"{kind} {n}" for kind, n in there.items())
        raise ClassroomError(
            f"{number} questions, but only {total} different ones about {scope.size()}"
            f"{'' if level is None else f' of level {level}'}: {each}"
        )


def _whole_number(what: str, value: object, allowed: Iterable[int]) -> int:
    numbers = list(allowed)
    if type(value) is not int or value not in numbers:
        raise ClassroomError(f"{what} is from {numbers[0]} to {numbers[-1]}, got {value!r}")
    return value


def _drawn(quiz: Quiz, chance: Chance) -> Iterator[tuple[Kind[Any], Candidate]]:
    """Go through the questions of a quiz: the kinds in turn, in an order that changes.

    Kinds of a group are about different subjects as long as there are such.
    """
    kinds = [KINDS[name] for name in quiz.kinds]
    stocks = {
        kind.name: kind.stock(quiz.scope).mixed(quiz.level, Chance(f"{quiz.code}/{kind.name}"))
        for kind in kinds
    }
    kept: dict[str, list[Candidate]] = {kind.name: [] for kind in kinds}
    told: set[tuple[str, tuple[str, ...]]] = set()

    def draw(kind: Kind[Any]) -> Candidate | None:
        for candidate in stocks[kind.name]:
            if not kind.group or (kind.group, candidate.subject) not in told:
                told.add((kind.group, candidate.subject))
                return candidate
            kept[kind.name].append(candidate)
        return kept[kind.name].pop(0) if kept[kind.name] else None

    left = quiz.number
    turn: list[Kind[Any]] = []
    while left:
        turn = turn or chance.shuffled(kinds)
        kind = turn.pop()
        candidate = draw(kind)
        if candidate is None:
            kinds.remove(kind)
            continue
        yield kind, candidate
        left -= 1


# Codes.


def tidy(code: str) -> str:
    """Return a code as it is written: large letters, and hyphens in place of spaces.

    >>> tidy(" uk wales – bsw-10 bk7qn")
    'UK-WALES-BSW-10-BK7QN'
    """
    return re.sub(r"[\s_–—-]+", "-", as_text(code, "a quiz")).upper().strip("-")


def _parts(text: str) -> tuple[str, list[str], str, tuple[int, int | None, str], str]:
    """Return atlas, areas, letters of kinds, number with level and language, and the last part."""
    blocks = text.split("-")
    if len(blocks) not in (4, 5) or not all(blocks):
        raise CodeError(f'"{text}" is no code of a quiz: these look like {_EXAMPLE}')
    tag, *areas, letters, amount, last = blocks
    wrong = [symbol for symbol in last if symbol not in SYMBOLS]
    if wrong:
        shown = ", ".join(dict.fromkeys(wrong))
        raise CodeError(f'the code "{text}" is mistyped: the last part never has {shown}')
    if len(last) != 5:
        raise CodeError(f'the code "{text}" is mistyped: the last part has 5 letters and digits')
    number = re.fullmatch("([1-9][0-9]{0,2})(?:L([123]))?([A-Z]*)", amount)
    if number is None:
        raise CodeError(f'the code "{text}" is mistyped: "{amount}" is no number of questions')
    level = int(number[2]) if number[2] else None
    asked = (int(number[1]), level, number[3])
    return tag, areas[0].split("+") if areas else [], letters, asked, last


def _language_letters(language: str) -> str:
    """Return what stands for a language in a code."""
    return re.sub("[^A-Z]", "", language.upper())


def _named_in(scope: Scope | Cities, letters: str) -> Scope:
    """Return the scope with the names in the language that some letters stand for."""
    languages = scope.atlas.languages if isinstance(scope, Scope) else ()
    for language in languages:
        if _language_letters(language) == letters:
            assert isinstance(scope, Scope)
            return scope.named_in(language)
    raise ClassroomError(f'{scope.name} has no names in "{letters}"')


def check_letter(text: str) -> str:
    """Return the letter that fits a code.

    Another letter anywhere in the last part, and two neighbours swapped there, give another one.
    """
    total = 0
    for symbol in text.replace("-", ""):
        total = (total * 3 + _VALUES.get(symbol, 0)) % len(SYMBOLS)
    return SYMBOLS[total * 3 % len(SYMBOLS)]
