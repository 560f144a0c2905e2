"""Flashcards to take home, for Anki or any other program.

- ``flashcards("uk-counties", nations="Wales").save("wales.apkg")``: for Anki
- ``flashcards(...).save("wales.csv")``: fronts and backs, for any program that reads CSV
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from adjoin.classroom.areas import ClassroomError
from adjoin.classroom.chance import Chance
from adjoin.classroom.cities import Cities
from adjoin.classroom.exercises import KINDS, Question
from adjoin.classroom.scope import Scope, scope_of, sentence
from adjoin.data.atlas import Atlas, Region, Water
from adjoin.data.deck import Deck
from adjoin.data.files import write_table
from adjoin.support.names import choose, ident
from adjoin.support.wording import count, listed

if TYPE_CHECKING:
    import os

CARD_KINDS = ("map", "nation", "seas", "borders", "from_neighbours", "city_region", "link")
"""The kinds of flashcards; the first five are about an atlas, the others about cities."""

_GAP = "___"
_SUFFIXES = (".apkg", ".csv")
_SAMPLE = 8


class Blank(NamedTuple):
    """A name in a sentence that is left out on one card, and what it is."""

    name: str
    hint: str


@dataclass(frozen=True)
class Note:
    """A fact to learn; a card for everything in it that can be asked.

    Its parts are texts and blanks if it is a sentence with gaps, else a question and an answer;
    of the kind "map", which region it is, its name, and where it is. ``map`` is the id of the
    region that a picture shows.
    """

    kind: str
    atlas: str
    about: tuple[str, ...]
    deck: tuple[str, ...]
    parts: tuple[str | Blank, ...]
    map: str = ""

    @property
    def blanks(self) -> tuple[Blank, ...]:
        """What is left out, each on a card of its own."""
        return tuple(part for part in self.parts if isinstance(part, Blank))

    @property
    def guid(self) -> str:
        """What the fact is known by: a file made later brings it up to date, and no second one."""
        plain = "/".join(("adjoin", self.atlas, self.kind, *self.about))
        return f"adjoin-{sha256(plain.encode()).hexdigest()[:20]}"

    @property
    def tags(self) -> tuple[str, ...]:
        """Kind and area, as words without spaces."""
        return (self.kind, *(ident(name) for name in self.deck[1:]))

    def cards(self) -> list[tuple[str, str]]:
        """Return the fronts and backs that need no picture."""
        if self.kind == "map":
            return []
        if not self.blanks:
            front, back = self.parts
            return [(str(front), str(back))]
        return [(self._with_gap(blank), blank.name) for blank in self.blanks]

    def _with_gap(self, gap: Blank) -> str:
        shown = (
            part if isinstance(part, str) else f"{_GAP} ({part.hint})" if part is gap else part.name
            for part in self.parts
        )
        return "".join(shown)


@dataclass(frozen=True, repr=False)
class Flashcards:
    """Facts to learn by heart: ``save("wales.apkg")`` for Anki, ``save("wales.csv")`` for all."""

    title: str
    notes: tuple[Note, ...]
    source: Atlas | Deck = field(repr=False)

    def __len__(self) -> int:
        """Return the number of cards, those with maps included."""
        return sum(2 if note.kind == "map" else len(note.cards()) for note in self.notes)

    def cards(self) -> list[tuple[str, str]]:
        """Return the front and the back of every card that needs no picture."""
        return [card for note in self.notes for card in note.cards()]

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write a file for Anki (.apkg, needs ``pip install adjoin[anki]``) or a table (.csv).

        Importing a newer file into Anki changes what has changed and keeps what was learnt.
        """
        file = Path(path)
        suffix = file.suffix.lower()
        if suffix not in _SUFFIXES:
            raise ClassroomError(f'"{file.name}": a name that ends with .apkg or .csv is needed')
        if suffix == ".apkg":
            from adjoin.classroom import anki

            anki.save(self, file)
        else:
            rows = [
                (front, back, note.kind, "; ".join(note.deck))
                for note in self.notes
                for front, back in note.cards()
            ]
            if not rows:
                raise ClassroomError("cards with maps go to a file for Anki: .apkg, not .csv")
            write_table(file, ("front", "back", "kind", "deck"), rows, encoding="utf-8-sig")
        return file

    def __repr__(self) -> str:
        """Return title and size."""
        return f"<Flashcards {self.title}: {count(len(self), 'card')}>"

    def _repr_html_(self) -> str:
        cards = self.cards()
        step = max(1, len(cards) // _SAMPLE)
        rows = "".join(
            f"<tr><td>{escape(front)}</td><td>{escape(back)}</td></tr>"
            for front, back in cards[::step][:_SAMPLE]
        )
        head = f"<caption>{escape(repr(self)[1:-1])}; some of them</caption>"
        return f"<table>{head}<tr><th>front</th><th>back</th></tr>{rows}</table>"


def flashcards(
    atlas: str | Atlas | Deck = "uk-counties",
    *,
    nations: str | Iterable[str] | None = None,
    regions: str | Iterable[str] | None = None,
    editions: str | Iterable[str] | None = None,
    kinds: str | Iterable[str] | None = None,
    names: str | None = None,
) -> Flashcards:
    """Return flashcards about the regions of an atlas, or about the cities of Connections.

    - "map": which region is marked, and where is it
    - "nation": in which nation, and in which part of it
    - "seas": which seas and outside countries it touches, one left out
    - "borders": what it borders, one left out: never a list to recite
    - "from_neighbours": which region borders all of these
    - "city_region", "link": for cities

    Without ``kinds``, all that fit. ``names`` is a language of ``Atlas.languages``. The filter
    chooses regions; what their cards say stays the same, so that files about parts of an atlas can
    be imported one after the other.

    >>> flashcards("uk-counties", nations="Wales", kinds="borders").cards()[0]
    ('Anglesey borders ___ (counties).', 'no county')
    """
    scope = scope_of(atlas, nations, regions, editions, names)
    whole = scope_of(atlas, names=names)
    makers = _makers(scope, whole)
    chosen = _chosen(kinds, makers, scope)
    notes = tuple(note for kind in chosen for note in makers[kind]())
    if not notes:
        raise ClassroomError(f"there are no cards of the kind {listed(chosen, 'or')} about them")
    source = scope.deck if isinstance(scope, Cities) else scope.atlas
    return Flashcards(f"{scope.title[:1].lower()}{scope.title[1:]}", notes, source)


def _chosen(
    kinds: str | Iterable[str] | None, makers: dict[str, Any], scope: Scope | Cities
) -> list[str]:
    if kinds is None:
        return list(makers)
    texts = [kinds] if isinstance(kinds, str) else list(kinds)
    if not texts:
        raise ClassroomError(f"an empty list of kinds; there are {', '.join(makers)}")
    wanted = [choose(text, CARD_KINDS, "a kind of flashcards") for text in texts]
    for kind in wanted:
        if kind not in makers:
            raise ClassroomError(
                f"{scope.name} has no flashcards of the kind {kind}; it has {', '.join(makers)}"
            )
    return [kind for kind in makers if kind in wanted]


_Maker = Callable[[], Iterator[Note]]


def _makers(scope: Scope | Cities, whole: Scope | Cities) -> dict[str, _Maker]:
    """Return what makes the notes of each kind that fits."""
    if isinstance(scope, Cities):
        assert isinstance(whole, Cities)
        cities = {city.id for city in scope.cities}
        pairs = set(scope.joined)
        return {
            "city_region": lambda: _asked(whole, "city_region", lambda s: s[0] in cities),
            "link": lambda: _asked(whole, "link", lambda s: (s[0], s[1]) in pairs),
        }
    assert isinstance(whole, Scope)
    makers: dict[str, _Maker] = {}
    if scope.atlas.has_map:
        makers["map"] = lambda: _maps(scope, whole)
    if not KINDS["nation"].lacks(whole):
        makers["nation"] = lambda: _asked(whole, "nation", lambda s: s[0] in scope.inside)
    if scope.atlas.waters:
        makers["seas"] = lambda: _seas(scope, whole)
    if scope.atlas.edges:
        makers["borders"] = lambda: _borders(scope, whole)
        makers["from_neighbours"] = lambda: _asked(
            whole, "from_neighbours", lambda s: s[0] in scope.inside
        )
    return makers


def _deck(whole: Scope | Cities, key: str) -> tuple[str, ...]:
    """Return the deck that the cards of a region are in: that of its nation, if there are some."""
    if isinstance(whole, Cities) or len(whole.atlas.nations) < 2 or not whole.atlas[key].nation:
        return (whole.title,)
    return (whole.title, whole.atlas[key].nation)


def _asked(
    whole: Scope | Cities, name: str, is_wanted: Callable[[Sequence[str]], bool]
) -> Iterator[Note]:
    """Make notes of the questions of a kind, without their choices."""
    kind = KINDS[name]
    subjects: set[tuple[str, ...]] = set()
    for candidate in kind.candidates(whole):
        if candidate.subject in subjects or not is_wanted(candidate.subject):
            continue
        subjects.add(candidate.subject)
        question = kind.make(whole, candidate, Chance("/".join((name, *candidate.subject))))
        is_region = isinstance(whole, Scope)
        yield Note(
            name,
            whole.name,
            candidate.subject,
            _deck(whole, question.about[0]),
            (question.prompt, _answer(question)),
            question.about[0] if is_region else "",
        )


def _answer(question: Question) -> str:
    """Return the answer in a sentence, after the name if the sentence has others as well."""
    names = question.book.names[question.pool]
    if question.kind == "from_neighbours":
        return names[question.answers[0]]
    return question.explanation


def _maps(scope: Scope, whole: Scope) -> Iterator[Note]:
    for region in scope.regions:
        where = f"Where is {whole.spoken(region.id)}?"
        parts = (f"Which {scope.noun[0]} is this?", region.name, where)
        yield Note("map", whole.name, (region.id,), _deck(whole, region.id), parts, region.id)


def _borders(scope: Scope, whole: Scope) -> Iterator[Note]:
    one, many = scope.noun
    for region in scope.regions:
        others = sorted(scope.atlas.borders(region), key=lambda one: ident(one.name))
        names = [Blank(whole.spoken(other.id), one) for other in others]
        yield _sentence("borders", whole, region, "borders", names or [Blank(f"no {one}", many)])


def _seas(scope: Scope, whole: Scope) -> Iterator[Note]:
    for region in scope.regions:
        waters = [scope.atlas.water(water) for water in region.waters]
        names = [Blank(_spoken(water), water.kind) for water in waters]
        yield _sentence("seas", whole, region, "touches", names or [Blank("no sea", "seas")])


def _spoken(water: Water) -> str:
    has_none = water.kind == "country" and not water.name.startswith("Republic")
    return water.name if has_none or water.name[:4].lower() == "the " else f"the {water.name}"


def _sentence(kind: str, whole: Scope, region: Region, verb: str, names: Sequence[Blank]) -> Note:
    parts: list[str | Blank] = [f"{sentence(whole.spoken(region.id))} {verb} "]
    for number, blank in enumerate(names, 1):
        left = len(names) - number
        parts += [blank, ", " if left > 1 else " and " if left else "."]
    return Note(kind, whole.name, (region.id,), _deck(whole, region.id), tuple(parts), region.id)
