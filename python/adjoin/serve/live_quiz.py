"""A live quiz: who takes part, which question is open, what was answered, who has how many points.

Nothing here knows the network, and nothing waits: everything happens in one thread. What a device
gets is put together here too; it has no right answer, and no later question, before that is shown.
"""

from __future__ import annotations

import functools
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from adjoin.classroom.exercises import Answer, Question
from adjoin.classroom.pupil_result import Result
from adjoin.classroom.quizzes import Quiz
from adjoin.classroom.results import ClassReport, Pupil
from adjoin.data.atlas import Atlas
from adjoin.serve.limits import PUPILS, Clock
from adjoin.serve.live_choices import bars_of, keys_of, places_of
from adjoin.serve.live_masks import Masks
from adjoin.serve.live_settings import LiveSettings
from adjoin.serve.nicknames import nickname
from adjoin.serve.rooms import RoomError
from adjoin.serve.tokens import hashed, is_token, new_token
from adjoin.support.names import fold

if TYPE_CHECKING:
    from typing_extensions import Self

LOBBY, ASKED, SHOWN, TABLE, OVER = "lobby", "asked", "shown", "table", "over"
"""What a live quiz can be; after a table the next question is asked."""

GRACE = 1.0
"""So many seconds an answer may be under way when the time is up."""

_LATE = "Too late: the time for this question is up."
_PAUSED = "The quiz is paused."
_TWICE = "You have answered already; the first answer counts."
_OTHER = "That is not the question that is asked now."
_NOTHING = "Nothing is asked at the moment."
_NO_ANSWER = "That is no answer to this question."


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
    _shown_last: tuple[int, dict[str, Any]] | None = None
    """What was shown of the answers last, with the number of the question."""
    _used: float = 0.0
    """Seconds of this question before the clock ran on last."""
    _since: float | None = None
    """When the clock ran on; None while it stands."""
    _awaited: set[int] = field(default_factory=set)
    """Seats that the question waits for: who was there when it was asked, or came since."""

    @functools.cached_property
    def _masks(self) -> Masks:
        return Masks(self.settings.quiz, self._secret)

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
        self._shown_last = None

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
            answer = self._masks.read(self.question, sent)
        except (ValueError, KeyError, TypeError):
            return _NO_ANSWER
        share, used = self.question.grade(answer).share, round(self.used, 2)
        worth = self.settings.worth(share, used)
        player.given[self.at] = Given(answer, sent, used, share, worth)
        return ""

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
        """Return what is needed to read names, and the map."""
        return self._masks.static()

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
            found["question"] = self._masks.asked(self.question)
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

    def _shown(self) -> dict[str, Any]:
        """Return the answer, and what the class chose."""
        question = self.question
        if self._shown_last is None or self._shown_last[0] != self.at:
            given = [player.given.get(self.at) for _, player in self._seats]
            chosen = [[] if one is None else keys_of(question, one.answer) for one in given]
            silent = sum(one is None or one.answer is None for one in given)
            names = {key: name for name, key in self._masks.meanings(question).items()}
            shown = {
                "answers": [names.get(key, key) for key in question.answers if type(key) is str],
                "solution": question.solution(),
                "explanation": question.explanation,
                "bars": bars_of(question, chosen, silent),
                **places_of(question, chosen, self._masks.places),
            }
            self._shown_last = self.at, shown
        return self._shown_last[1]

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
        for player in sorted((player for _, player in self._seats), key=lambda one: fold(one.name)):
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
