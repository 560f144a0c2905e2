"""A live quiz: who takes part, which question is open, what was answered, who has how many points.

Nothing here knows the network, and nothing waits: everything happens in one thread. What a device
gets is made here too. It has no right answer, and no later question, before that is shown: choices
and places on the map go out under names that mean nothing, and come back so.
"""

from __future__ import annotations

import functools
import time
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

from adjoin.classroom.chance import Chance
from adjoin.classroom.exercises import KINDS, Answer, Question
from adjoin.classroom.quizzes import Quiz, kinds_of
from adjoin.classroom.results import ClassReport, Pupil, Result
from adjoin.classroom.scope import CITIES, scope_of
from adjoin.data.atlas import Atlas
from adjoin.serve.limits import PUPILS, Clock
from adjoin.serve.nicknames import nickname
from adjoin.serve.rooms import RoomError
from adjoin.serve.tokens import hashed, is_token, new_token
from adjoin.support.names import choose

if TYPE_CHECKING:
    from typing_extensions import Self

LOBBY, ASKED, SHOWN, TABLE, OVER = "lobby", "asked", "shown", "table", "over"
"""What a live quiz can be; after a table the next question is asked."""

SECONDS = 30
FULL = 1000
"""What a right answer is worth, at once."""
GRACE = 1.0
"""So many seconds an answer may be under way when the time is up."""

_SECONDS = (5, 600)
_LONGEST, _MOST = 200, 60
"""How long a text of an answer may be, and how many there may be of them."""
_BARS = 7
_LATE = "Too late: the time for this question is up."
_PAUSED = "The quiz is paused."
_TWICE = "You have answered already; the first answer counts."
_OTHER = "That is not the question that is asked now."
_NOTHING = "Nothing is asked at the moment."
_NO_ANSWER = "That is no answer to this question."


Key: TypeAlias = "str | tuple[str, ...]"
"""What can be chosen: something, or several in an order."""


@dataclass(frozen=True)
class LiveSettings:
    """Which quiz, and how it is run."""

    quiz: Quiz
    seconds: int = SECONDS
    """How long a question is open; 0: until the teacher ends it."""
    speed: bool = True
    """Whether a quick answer is worth more."""

    @classmethod
    def read(cls, given: Mapping[str, Any]) -> Self:
        """Return settings that a live quiz can be opened with, or say what is wrong."""
        known = {"code", "atlas", "areas", "kinds", "questions", "level", "seconds", "speed"}
        unknown = set(given) - known
        if unknown:
            raise RoomError(f"no setting {', '.join(sorted(map(str, unknown)))}")
        if given.get("code"):
            quiz = Quiz.from_code(given["code"])
        else:
            quiz = Quiz.make(
                given.get("atlas") or "uk-counties",
                regions=given.get("areas") or None,
                kinds=given.get("kinds") or None,
                questions=given.get("questions") or 10,
                level=given.get("level"),
            )
        return cls.of(quiz, given.get("seconds", SECONDS), bool(given.get("speed", True)))

    @classmethod
    def of(cls, quiz: Quiz, seconds: object = SECONDS, speed: bool = True) -> Self:
        """Return the settings of a quiz, or say what is wrong."""
        low, high = _SECONDS
        if type(seconds) is not int or not (seconds == 0 or low <= seconds <= high):
            raise RoomError(f"seconds: {low} to {high}, or 0 for no limit; got {seconds!r}")
        return cls(quiz, seconds, speed)

    def worth(self, share: float, used: float) -> int:
        """Return the points of an answer that took so many seconds."""
        slow = min(1.0, used / self.seconds) / 2 if self.speed and self.seconds else 0.0
        return round(FULL * share * (1 - slow))

    @property
    def rule(self) -> str:
        """How points are counted, in words."""
        if not self.speed or not self.seconds:
            return (
                f"{FULL} points for a right answer, a part of them for a part. "
                "Speed does not count."
            )
        return (
            f"{FULL} points for a right answer at once, falling to {FULL // 2} at the last second; "
            "a part of them for a part."
        )


def choices_of(atlas: object, areas: object) -> dict[str, Any]:
    """Return what a quiz can be about, and the kinds of questions with how many there are.

    Areas that another atlas has are left out.
    """
    atlases = [*Atlas.shipped(), CITIES]
    name = choose(str(atlas or atlases[0]), atlases, "an atlas")
    scope = scope_of(name)
    parts = list(scope.area_names)
    named = [area for area in parts if isinstance(areas, list) and area in areas]
    kinds = kinds_of(name, regions=named or None)
    return {
        "atlases": atlases,
        "atlas": name,
        "parts": parts,
        "areas": named,
        "kinds": [
            {"name": kind, "title": KINDS[kind].title, "number": number}
            for kind, number in kinds.items()
        ],
    }


@dataclass
class Given:
    """An answer, as the quiz and as the device has it, and what it is worth."""

    answer: Answer
    sent: Any
    seconds: float
    share: float
    points: int


@dataclass
class Player:
    """Somebody who takes part."""

    name: str
    token: str | None
    """The hash of the secret that opens the seat again; None if the teacher has removed them."""
    is_here: bool = False
    given: dict[int, Given] = field(default_factory=dict)
    """What was answered, by the number of the question."""

    @property
    def is_in(self) -> bool:
        """Whether they take part still."""
        return self.token is not None

    @property
    def points(self) -> int:
        """All points so far."""
        return sum(given.points for given in self.given.values())


@dataclass
class LiveQuiz:
    """A quiz that a class answers together, and a code to come in."""

    code: str
    number: int
    settings: LiveSettings
    clock: Clock = time.monotonic
    state: str = LOBBY
    at: int = -1
    """Which question is asked, or was last; they are counted from 0."""
    players: list[Player] = field(default_factory=list)
    report_token: str = field(default_factory=new_token)
    """Opens the report; the teacher has it."""
    _secret: str = field(default_factory=new_token)
    _used: float = 0.0
    """Seconds of this question before the clock ran on last."""
    _since: float | None = None
    """When the clock ran on; None while it stands."""
    _awaited: set[int] = field(default_factory=set)
    """Seats that the question waits for: who was there when it was asked, or came since."""

    # Who takes part.

    def sit_down(self, name: object) -> tuple[int, str]:
        """Let somebody in; return the number of the seat, and the secret that opens it again."""
        if self.state == OVER:
            raise RoomError("This quiz is over.")
        if len(self.players) >= PUPILS:
            raise RoomError("This quiz is full.")
        token = new_token()
        taken = [player.name for player in self.players if player.is_in]
        self.players.append(Player(nickname(name, taken), hashed(token)))
        return len(self.players) - 1, token

    def opens(self, seat: object, token: object) -> bool:
        """Return whether a secret is that of a seat."""
        tokens = {at: player.token for at, player in enumerate(self.players)}
        return is_token(token, tokens.get(seat) if type(seat) is int else None)

    def entered(self, seat: int) -> None:
        """Note that a seat is connected."""
        self.players[seat].is_here = True
        if self.state == ASKED:
            self._awaited.add(seat)

    def left(self, seat: int) -> None:
        """Note that a connection is gone; the seat stays whose it is."""
        self.players[seat].is_here = False

    def remove(self, seat: object) -> None:
        """Take somebody out, with nickname and points."""
        if type(seat) is not int or not 0 <= seat < len(self.players):
            raise RoomError(f"no seat {seat}")
        self.players[seat].token, self.players[seat].is_here = None, False

    @property
    def _seats(self) -> list[tuple[int, Player]]:
        return [(seat, player) for seat, player in enumerate(self.players) if player.is_in]

    # The course of it.

    @property
    def question(self) -> Question:
        """The question that is asked, or was last."""
        return self.settings.quiz.questions[self.at]

    @property
    def is_last(self) -> bool:
        """Whether no question comes after this one."""
        return self.at + 1 >= len(self.settings.quiz)

    def go_on(self) -> None:
        """Do what comes next: ask, show the answer, show the table, end."""
        if self.state == ASKED:
            self.show()
        elif self.state == SHOWN:
            self.state = TABLE
        elif self.state in (LOBBY, TABLE) and not self.is_last:
            self._ask()
        elif self.state == TABLE:
            self.state = OVER
        else:
            raise RoomError("The quiz is over.")

    def _ask(self) -> None:
        if not self._seats:
            raise RoomError("Nobody has joined yet.")
        self.state, self.at = ASKED, self.at + 1
        self._used, self._since = 0.0, self.clock()
        self._awaited = {seat for seat, player in self._seats if player.is_here}

    def show(self) -> None:
        """End the question that is open, and show its answer."""
        if self.state != ASKED:
            raise RoomError(_NOTHING)
        self._used, self._since = self.used, None
        self.state = SHOWN

    def pause(self, is_paused: object) -> None:
        """Stop the clock, or let it run on."""
        if self.state != ASKED:
            raise RoomError(_NOTHING)
        if is_paused:
            self._used, self._since = self.used, None
        elif self._since is None:
            self._since = self.clock()

    def finish(self) -> None:
        """End the quiz here: a question that is still open does not count."""
        if self.state == ASKED:
            for player in self.players:
                player.given.pop(self.at, None)
            self.at -= 1
        self.state = OVER

    @property
    def is_paused(self) -> bool:
        """Whether the clock of an open question stands."""
        return self.state == ASKED and self._since is None

    @property
    def used(self) -> float:
        """How many seconds the question has been open."""
        return self._used + (0.0 if self._since is None else self.clock() - self._since)

    @property
    def seconds_left(self) -> float | None:
        """How long the question is open; None without a limit, or when none is asked."""
        if self.state != ASKED or not self.settings.seconds:
            return None
        return max(0.0, self.settings.seconds - self.used)

    @property
    def is_time_up(self) -> bool:
        """Whether the time is up, and what was under way has come."""
        limit = self.settings.seconds
        return self.state == ASKED and bool(limit) and self.used >= limit + GRACE

    @property
    def is_answered(self) -> bool:
        """Whether all have answered for whom the question waits."""
        awaited = [player for seat, player in self._seats if seat in self._awaited]
        return self.state == ASKED and bool(awaited) and all(self.at in p.given for p in awaited)

    # Answers.

    def answer(self, seat: int, number: object, sent: object) -> str:
        """Take an answer; return why not, or nothing."""
        player = self.players[seat]
        if self.state in (LOBBY, OVER):
            return _NOTHING
        if type(number) is not int or number != self.at + 1:
            return _LATE if type(number) is int and 0 < number <= self.at else _OTHER
        if self.at in player.given:
            return _TWICE
        if self.state != ASKED or self.is_time_up:
            return _LATE
        if self.is_paused:
            return _PAUSED
        try:
            answer = self._read(sent)
        except (ValueError, KeyError, TypeError):
            return _NO_ANSWER
        share, used = self.question.grade(answer).share, round(self.used, 2)
        worth = self.settings.worth(share, used)
        player.given[self.at] = Given(answer, sent, used, share, worth)
        return ""

    def _read(self, sent: object) -> Answer:
        """Return an answer as the quiz takes it; an error if it is none to this question."""
        question = self.question
        if sent is None:
            return None
        if question.form == "yes_no":
            if not isinstance(sent, bool):
                raise ValueError
            return sent
        texts: list[Any] = sent if isinstance(sent, list) else [sent]
        if not 0 < len(texts) <= _MOST:
            raise ValueError
        if not all(isinstance(text, str) and len(text) <= _LONGEST for text in texts):
            raise ValueError
        meant = self._meanings()
        found: list[str] = [meant[text] for text in texts] if meant else texts
        return found if isinstance(sent, list) else found[0]

    def _meanings(self) -> dict[str, str]:
        """Return what the names mean that choices or places go out under; empty if pupils write."""
        question = self.question
        if question.on_map == "click":
            open_to_all = question.ids if question.pool == "water" else self._regions
            return {self._places[key]: key for key in open_to_all}
        if question.form == "yes_no":
            return {}
        return {f"choice {at}": key for at, key in enumerate(question.ids, 1)}

    # The map.

    @functools.cached_property
    def _map(self) -> dict[str, Any] | None:
        return self.settings.quiz.map

    @functools.cached_property
    def _places(self) -> dict[str, str]:
        """The names under which places go out, in an order that tells nothing."""
        keys = list(self._map["places"]) if self._map else []
        numbers = Chance(self._secret).shuffled(range(1, len(keys) + 1))
        return {key: f"place {number}" for key, number in zip(keys, numbers, strict=True)}

    @functools.cached_property
    def _regions(self) -> tuple[str, ...]:
        places = self._map["places"] if self._map else {}
        return tuple(key for key, place in places.items() if place["kind"] != "water")

    def _masked_map(self) -> dict[str, Any] | None:
        """Return the map with nothing on it that names a place."""
        if self._map is None:
            return None
        named = {self._places[key]: place for key, place in self._map["places"].items()}
        bridges = [
            {**bridge, "between": [self._places[key] for key in bridge["between"]]}
            for bridge in self._map["bridges"]
        ]
        places = {name: named[name] for name in sorted(named)}
        return {**self._map, "places": places, "bridges": bridges}

    # What goes out.

    def public(self) -> dict[str, Any]:
        """Return what everybody may know who has the code."""
        return {
            "kind": "quiz",
            "code": self.code,
            "number": self.number,
            "title": self.settings.quiz.title,
            "state": self.state,
            "seats": [
                {"name": player.name, "is_here": player.is_here} for _, player in self._seats
            ],
        }

    def static(self) -> dict[str, Any]:
        """Return what is needed to read names, and the map; what belongs together is not told."""
        book = {**self.settings.quiz.book.to_json(), "borders": {}}
        return {"book": book, "map": self._masked_map()}

    def view(self, seat: int | None = None) -> dict[str, Any]:
        """Return how it stands, for a seat or for onlookers."""
        quiz = self.settings.quiz
        found: dict[str, Any] = {
            "state": self.state,
            "title": quiz.title,
            "number": self.at + 1,
            "of": len(quiz),
            "seconds": self.settings.seconds,
            "left": self.seconds_left,
            "is_paused": self.is_paused,
            "rule": self.settings.rule,
            "players": len(self._seats),
        }
        if self.state in (ASKED, SHOWN):
            found["question"] = self._asked()
        if self.state == SHOWN:
            found["shown"] = self._shown()
        if seat is not None:
            found["you"] = self._own(seat)
        else:
            found["who"] = self.who()
        if seat is None and self.state in (TABLE, OVER):
            found["table"] = self.table()
        return found

    def who(self) -> list[dict[str, Any]]:
        """Return who takes part, and who has answered."""
        return [
            {
                "seat": seat,
                "name": player.name,
                "is_here": player.is_here,
                "has_answered": self.state == ASKED and self.at in player.given,
            }
            for seat, player in self._seats
        ]

    def _asked(self) -> dict[str, Any]:
        """Return the question without what gives its answer away."""
        question, places = self.question, self._places
        is_click = question.on_map == "click"
        about: list[str] = []
        names: dict[str, dict[str, str]] = {}
        if question.on_map == "marked":
            about = [places[key] for key in question.about]
        elif is_click and question.pool == "water":
            names = {"water": {places[key]: question.shown_name(key) for key in question.ids}}
        elif is_click and question.form != "one":
            about = [places[key] for key in question.about]
            names = {"region": {places[key]: question.shown_name(key) for key in question.about}}
        elif question.form in ("route", "order"):
            about = list(question.about)
        if question.choices and not is_click:
            called = {name: question.shown_name(key) for name, key in self._meanings().items()}
            names = {question.pool: called}
        ids = [] if is_click and question.pool != "water" else list(self._meanings())
        return {
            "kind": question.kind,
            "prompt": question.prompt,
            "form": question.form,
            "pool": question.pool,
            "choices": list(question.choices),
            "ids": list(question.ids) if question.form == "yes_no" else ids,
            "about": about,
            "names": names,
            "on_map": question.on_map,
            "hints": [],
        }

    def _shown(self) -> dict[str, Any]:
        """Return the answer, and what the class chose."""
        question = self.question
        names = {key: name for name, key in self._meanings().items()}
        right = [names.get(key, key) for key in question.answers if isinstance(key, str)]
        given = [player.given.get(self.at) for _, player in self._seats]
        chosen = [[] if one is None else _keys(question, one.answer) for one in given]
        silent = sum(one is None or one.answer is None for one in given)
        return {
            "answers": right,
            "solution": question.solution(),
            "explanation": question.explanation,
            "bars": _bars(question, chosen, silent),
            **self._on_map(chosen),
        }

    def _on_map(self, chosen: Iterable[list[Key]]) -> dict[str, Any]:
        """Return the places of the answer, with how many chose each, and the way through them."""
        question, places = self.question, self._places
        ends = question.about if question.form in ("route", "order") else ()
        counts: Counter[str] = Counter()
        way: tuple[str, ...] = ()
        marks: dict[str, str] = {}
        if question.kind == "odd":
            marks = dict.fromkeys(question.ids, "beside")
        elif question.kind == "from_neighbours":
            marks = dict.fromkeys(question.book.borders[question.answers[0]], "beside")
        if question.form == "yes_no" or question.pool not in ("region", "water"):
            right: tuple[str, ...] = ()
        elif ends:
            way = question.answers[0]
            way = way if question.form == "route" else (ends[0], *way, ends[1])
            right = way
        else:
            right = question.answers
        if right:
            for keys in chosen:
                flat = {one for key in keys for one in (key if isinstance(key, tuple) else [key])}
                counts.update(flat.difference(ends))
        marks |= {key: "beside" if key in question.also else "wrong" for key in counts}
        if ends:
            marks |= {key: "right" for way in question.answers for key in way if key in counts}
        marks |= dict.fromkeys(right, "right")
        if ends or not set(right) & set(question.about):
            marks |= dict.fromkeys(question.about, "subject")
        called = {**question.book.names.get("water", {}), **question.book.names.get("region", {})}
        return {
            "places": [
                {"id": places[key], "name": called[key], "is": mark, "count": counts[key]}
                for key, mark in marks.items()
                if key in places
            ],
            "way": [places[key] for key in way if key in places],
        }

    def table(self) -> list[dict[str, Any]]:
        """Return the points of all, the most first; who has as many has the same place."""
        rows = sorted(self._seats, key=lambda one: (-one[1].points, one[1].name.casefold()))
        everybody = [player.points for _, player in rows]
        return [
            {
                "place": everybody.index(player.points) + 1,
                "seat": seat,
                "name": player.name,
                "points": player.points,
                "gained": given.points if (given := player.given.get(self.at)) else 0,
                "right": sum(one.share == 1 for one in player.given.values()),
            }
            for seat, player in rows
        ]

    def _own(self, seat: int) -> dict[str, Any]:
        player = self.players[seat]
        given = player.given.get(self.at)
        found: dict[str, Any] = {"seat": seat, "name": player.name, "points": player.points}
        if self.state == ASKED:
            found |= {"has_answered": given is not None, "answer": given.sent if given else None}
        elif self.state == SHOWN:
            found |= self._graded(self.at, player)
        elif self.state in (TABLE, OVER):
            row = next(row for row in self.table() if row["seat"] == seat)
            found |= {"place": row["place"], "gained": row["gained"], "right": row["right"]}
        if self.state == OVER:
            found["questions"] = [
                {"prompt": self.settings.quiz.questions[at].prompt, **self._graded(at, player)}
                for at in range(self.at + 1)
            ]
        return found

    def _graded(self, at: int, player: Player) -> dict[str, Any]:
        question, given = self.settings.quiz.questions[at], player.given.get(at)
        grade = question.grade(given.answer if given else None)
        return {
            "answer": given.sent if given else None,
            "gained": given.points if given else 0,
            "solution": question.solution(),
            "grade": asdict(grade),
        }

    def for_teacher(self) -> dict[str, Any]:
        """Return what the teacher's page shows beside what all may know."""
        totals = {row["seat"]: row["points"] for row in self.table()}
        return {
            "quiz": self.settings.quiz.code,
            "at": self.at + 1,
            "of": len(self.settings.quiz),
            "prompt": self.question.prompt if self.state in (ASKED, SHOWN) else "",
            "seconds": self.settings.seconds,
            "left": self.seconds_left,
            "is_paused": self.is_paused,
            "rule": self.settings.rule,
            "who": [{**one, "points": totals[one["seat"]]} for one in self.who()],
            "report": f"/report/{self.report_token}" if self.has_report else None,
        }

    # At the end.

    @property
    def has_report(self) -> bool:
        """Whether it is over and something was asked."""
        return self.state == OVER and self.at >= 0 and bool(self._seats)

    def report(self) -> ClassReport:
        """Return what the class knows: of the questions that were asked."""
        if not self.has_report:
            raise RoomError("The report comes when the quiz is over: it has all the answers.")
        asked = range(self.at + 1)
        pupils = []
        for _, player in self._seats:
            given = [player.given.get(at) for at in asked]
            result = Result(
                player.name,
                self.settings.quiz.code,
                tuple(one.answer if one else None for one in given),
                tuple(one.seconds if one else 0.0 for one in given),
            )
            grades = [
                self.settings.quiz.questions[at].grade(one.answer if one else None)
                for at, one in zip(asked, given, strict=True)
            ]
            pupils.append(Pupil(player.name, result, tuple(grades)))
        return ClassReport(self.settings.quiz, tuple(pupils))

    # Kept over a restart.

    def saved(self) -> dict[str, Any]:
        """Return all that is needed to go on."""
        atlas = self.settings.quiz.atlas
        own = None if atlas is None else atlas.option()
        return {
            "code": self.code,
            "number": self.number,
            "quiz": self.settings.quiz.code,
            "atlas": own if isinstance(own, dict) else None,
            "seconds": self.settings.seconds,
            "speed": self.settings.speed,
            "state": self.state,
            "at": self.at,
            "used": self.used,
            "secret": self._secret,
            "players": [
                {
                    "name": player.name,
                    "token": player.token,
                    "given": {str(at): asdict(one) for at, one in player.given.items()},
                }
                for player in self.players
            ],
        }

    @classmethod
    def restored(cls, saved: Mapping[str, Any], clock: Clock = time.monotonic) -> Self:
        """Return a quiz as it was saved; a question that was open is paused."""
        own = None if saved["atlas"] is None else Atlas.from_option(saved["atlas"])
        quiz = Quiz.from_code(saved["quiz"], own)
        settings = LiveSettings(quiz, saved["seconds"], saved["speed"])
        players = [
            Player(
                one["name"],
                one["token"],
                given={int(at): Given(**given) for at, given in one["given"].items()},
            )
            for one in saved["players"]
        ]
        live = cls(saved["code"], saved["number"], settings, clock, saved["state"], saved["at"])
        live.players, live._used, live._secret = players, saved["used"], saved["secret"]
        return live


def _keys(question: Question, answer: Answer) -> list[Key]:
    """Return what an answer chose; a way and an order are one thing."""
    if isinstance(answer, bool):
        return ["yes" if answer else "no"]
    keys = question.ids_in(answer)
    if question.form == "order":
        return [keys] if keys else []
    if question.form == "route":
        start, end = question.about
        inner = tuple(key for key in keys if key not in (start, end))
        if keys and keys[0] == end:
            inner = inner[::-1]
        return [(start, *inner, end)] if keys else []
    return list(keys)


def _label(question: Question, key: Key) -> str:
    """Return what was chosen in words; of a way, what lies between its ends."""
    if isinstance(key, str):
        return question.shown_name(key)
    inner = key[1:-1] if question.form == "route" else key
    return " – ".join(map(question.shown_name, inner)) or "straight there"


def _bars(question: Question, chosen: Iterable[list[Key]], silent: int) -> list[dict[str, Any]]:
    """Return how many chose what: choices in their order, others by their number."""
    answers = list(chosen)
    counts = Counter(key for keys in answers for key in keys)
    right = question.answers
    if question.choices and question.form != "order":
        shown: list[Key] = list(question.ids)
    else:
        best = [key for key in right if isinstance(key, str)]
        most = sorted(counts, key=lambda key: (-counts[key], key not in right, key))
        others = [key for key in most if key not in best]
        shown = [*sorted(best, key=lambda key: -counts[key]), *others][:_BARS]
    other = sum(not keys or not set(keys) <= set(shown) for keys in answers) - silent
    bars: list[dict[str, Any]] = [
        {"label": _label(question, key), "count": counts[key], "is_right": key in right}
        for key in shown
    ]
    for label, number in (("something else", other), ("no answer", silent)):
        if number:
            bars.append({"label": label, "count": number, "is_right": None})
    return bars
