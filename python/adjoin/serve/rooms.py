"""Rooms: who sits where, what may be done, how it ended.

Nothing here knows the network, and nothing waits: everything happens in one thread, but what a
``Table`` does.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, replace
from functools import cache
from typing import TYPE_CHECKING, Any

from adjoin.core.match import Match
from adjoin.core.spec import Spec, games
from adjoin.serve.limits import Clock
from adjoin.serve.nicknames import nickname
from adjoin.serve.tables import PERSON, Facts, Rules, Table
from adjoin.serve.tokens import hashed, is_token, new_token
from adjoin.support.names import choose

if TYPE_CHECKING:
    from typing_extensions import Self

WAITING, PLAYING, OVER = "waiting", "playing", "over"
"""What a room can be."""

_TIMER = (5, 3600)


class RoomError(ValueError):
    """Something that is not possible in a room; the message is for people."""


# What a teacher sets.


@dataclass(frozen=True)
class Settings:
    """What is played in a room, and by whom."""

    game: str
    options: dict[str, Any]
    sitters: tuple[str, ...]
    """For each seat "person", or an agent."""
    substitute: str = "greedy"
    """The agent that takes a seat that no pupil has taken."""
    timer: int | None = None
    """The seconds of a go, after which anybody may call time."""
    undo: bool = False
    hint: bool = True

    @classmethod
    def read(cls, given: Mapping[str, Any]) -> Self:
        """Return settings that a room can be opened with, or say what is wrong."""
        unknown = set(given) - set(cls.__dataclass_fields__)
        if unknown:
            raise RoomError(f"no setting {', '.join(sorted(map(str, unknown)))}")
        game = choose(given.get("game", ""), games(), "a game")
        options = options_of(game, given.get("options") or {})
        seats = Spec.of(game, options).seats
        sitters = given.get("sitters") or [PERSON] * seats
        if not isinstance(sitters, list | tuple) or not all(isinstance(s, str) for s in sitters):
            raise RoomError('sitters: a list with "person" or an agent for each seat')
        if len(sitters) != seats:
            raise RoomError(f"sitters: {len(sitters)} of them for {seats} seats")
        if PERSON not in sitters:
            raise RoomError("sitters: at least one has to be a person")
        substitute = given.get("substitute", cls.substitute)
        settings = cls(
            game,
            options,
            tuple(sitters),
            substitute if isinstance(substitute, str) else "",
            _timer(given.get("timer")),
            *(bool(given.get(name, getattr(cls, name))) for name in ("undo", "hint")),
        )
        Table(settings.deal(), [settings.substitute] * seats, [""] * seats)  # refuses its agents
        Table(settings.deal(), sitters, [""] * seats)
        return settings

    def deal(self) -> Match:
        """Return a new match. Its seed cannot be found by trying: who knew it would know all."""
        return Match(self.game, seed=secrets.randbits(64), **self.options)


def options_of(game: str, options: object) -> dict[str, Any]:
    """Return options that the game takes, or say what is wrong."""
    if not isinstance(options, Mapping):
        raise RoomError("options: an object with a value for each name")
    known = Spec.of(game, {}).option_meanings
    named = {choose(name, known, "an option", f" of {game}"): options[name] for name in options}
    Spec.of(game, named)
    return named


@cache
def _title(game: str) -> str:
    return Spec.of(game, {}).title


def _timer(given: object) -> int | None:
    if given is None or given == 0:
        return None
    low, high = _TIMER
    if isinstance(given, bool) or not isinstance(given, int) or not low <= given <= high:
        raise RoomError(f"timer: {low} to {high} seconds, or none")
    return given


# A room.


@dataclass
class Seat:
    """A seat of a room."""

    sitter: str
    name: str = ""
    token: str | None = None
    """The hash of the secret of whoever sits here; None while nobody does."""
    is_here: bool = False
    """Whether they are connected."""

    @property
    def is_free(self) -> bool:
        """Whether a pupil may sit down."""
        return self.sitter == PERSON and self.token is None


@dataclass
class Room:
    """A table with people and agents at it, and a code to come in."""

    code: str
    number: int
    settings: Settings
    clock: Clock = time.monotonic
    state: str = WAITING
    seats: list[Seat] = field(default_factory=list)
    facts: Facts | None = None
    results: list[dict[str, Any]] = field(default_factory=list)
    """A row for each seat of each match that is over."""
    _go_began: float = 0.0

    def __post_init__(self) -> None:
        """Put chairs to the table."""
        if not self.seats:
            self.seats = [Seat(sitter) for sitter in self.settings.sitters]
        self._name_agents()

    def _name_agents(self) -> None:
        for seat in self.seats:
            if seat.sitter != PERSON:
                word = seat.sitter.partition("(")[0].capitalize()
                seat.name = nickname(f"{word} agent", self._names(but=seat))

    def _names(self, but: Seat | None = None) -> list[str]:
        return [seat.name for seat in self.seats if seat.name and seat is not but]

    # Who sits where.

    def sit_down(self, name: object, wanted: int | None = None) -> tuple[int, str]:
        """Give somebody a free seat; return which, and the secret that opens it again."""
        free = [number for number, seat in enumerate(self.seats) if seat.is_free]
        if not free:
            raise RoomError("All seats in this room are taken. You can watch.")
        if wanted is not None and wanted not in free:
            raise RoomError("That seat is taken; choose another.")
        number = free[0] if wanted is None else wanted
        seat, token = self.seats[number], new_token()
        seat.name, seat.token = nickname(name, self._names(but=seat)), hashed(token)
        return number, token

    def opens(self, number: object, token: object) -> bool:
        """Return whether a secret is that of a seat."""
        tokens = {at: seat.token for at, seat in enumerate(self.seats)}
        return is_token(token, tokens.get(number) if type(number) is int else None)

    def stand_up(self, number: int) -> None:
        """Make a seat of a person free; whoever sat there has to join again."""
        seat = self._person(number)
        seat.token, seat.is_here = None, False
        if self.state == WAITING:
            seat.name = ""

    def hand_over(self, number: int) -> None:
        """Let an agent go on at the seat of a person."""
        seat = self._person(number)
        if not any(other.sitter == PERSON for other in self.seats if other is not seat):
            raise RoomError("The last pupil cannot be replaced; end the room instead.")
        seat.sitter, seat.token, seat.is_here = self.settings.substitute, None, False
        self._name_agents()

    def _person(self, number: object) -> Seat:
        if type(number) is not int or not 0 <= number < len(self.seats):
            raise RoomError(f"no seat {number}")
        if self.seats[number].sitter != PERSON:
            raise RoomError("an agent sits there")
        return self.seats[number]

    @property
    def is_full(self) -> bool:
        """Whether no pupil is missing."""
        return not any(seat.is_free for seat in self.seats)

    # The match.

    def begin(self) -> Table:
        """Deal: agents take the seats that nobody has."""
        if self.state == PLAYING:
            raise RoomError("The match has begun already.")
        if all(seat.is_free for seat in self.seats if seat.sitter == PERSON):
            raise RoomError("Nobody has joined yet.")
        for seat in self.seats:
            if seat.is_free:
                seat.sitter = self.settings.substitute
        self._name_agents()
        return self._at_table(self.settings.deal())

    def seated(self) -> Table:
        """Return the table of the match as it is, with those who sit there now."""
        if self.facts is None:
            raise RoomError("The match has not begun.")
        return self._at_table(Match.from_replay(self.facts.replay))

    def _at_table(self, match: Match) -> Table:
        names = [seat.name or f"Seat {number + 1}" for number, seat in enumerate(self.seats)]
        return Table(match, [seat.sitter for seat in self.seats], names)

    def moved(self, facts: Facts) -> None:
        """Take note of where the match is now."""
        before, self.facts = self.facts, facts
        if self.state != PLAYING or before is None:
            self._go_began = self.clock()
        elif len(facts.deciders) != len(before.deciders):
            is_same = (before.to_act, before.part) == (facts.to_act, facts.part)
            is_back = len(facts.deciders) < len(before.deciders)
            if not is_same or not (facts.is_half_made or is_back):
                self._go_began = self.clock()
        was_over, self.state = self.state == OVER, PLAYING if facts.to_act is not None else OVER
        if self.state == OVER and not was_over:
            self._keep_result(facts)
        elif was_over and self.state == PLAYING:  # the last decision was taken back
            last = self.results[-1]["match"]
            self.results = [row for row in self.results if row["match"] != last]

    def dealt_anew(self) -> None:
        """Forget the match that is over: another one is dealt."""
        if self.state != OVER:
            raise RoomError("The match is not over.")
        self.state, self.facts = WAITING, None

    def _keep_result(self, facts: Facts) -> None:
        number = self.results[-1]["match"] + 1 if self.results else 1
        for at, seat in enumerate(self.seats):
            row = {
                "room": self.number,
                "match": number,
                "game": self.settings.game,
                "seat": at + 1,
                "name": seat.name,
                "is_agent": seat.sitter != PERSON,
                "won": round(facts.wins[at], 4),
                "points": facts.points[at],
                "counted": facts.counted,
            }
            self.results.append(row)

    @property
    def rules(self) -> Rules:
        """What people may do now, beside playing."""
        people = sum(seat.sitter == PERSON for seat in self.seats)
        left = self.seconds_left
        return Rules(
            may_undo=self.settings.undo or people == 1,
            may_hint=self.settings.hint,
            has_timer=left is not None,
            is_time_up=left == 0,
        )

    @property
    def seconds_left(self) -> float | None:
        """How long the timer runs; None without one."""
        if self.settings.timer is None or self.state != PLAYING:
            return None
        return max(0.0, self.settings.timer - (self.clock() - self._go_began))

    @property
    def timer(self) -> dict[str, float] | None:
        """The timer as it stands: its seconds, and how many are left; None without one."""
        left, seconds = self.seconds_left, self.settings.timer
        return None if left is None or seconds is None else {"seconds": seconds, "left": left}

    def change(self, given: Mapping[str, Any]) -> None:
        """Change what can be changed while people play: undo, hint, timer."""
        changes: dict[str, Any] = {}
        for name, value in given.items():
            if name == "timer":
                changes[name] = _timer(value)
            elif name in ("undo", "hint") and isinstance(value, bool):
                changes[name] = value
            else:
                raise RoomError(f"{name}: only undo, hint and timer can be changed")
        self.settings = replace(self.settings, **changes)
        if "timer" in changes:
            self._go_began = self.clock()

    def public(self) -> dict[str, Any]:
        """Return what everybody in the room may know."""
        rules = self.rules
        return {
            "kind": "game",
            "code": self.code,
            "number": self.number,
            "title": _title(self.settings.game),
            "state": self.state,
            "seats": [
                {
                    "name": seat.name,
                    "is_agent": seat.sitter != PERSON,
                    "is_free": seat.is_free,
                    "is_here": seat.is_here,
                }
                for seat in self.seats
            ],
            "to_act": self.facts.to_act if self.facts and self.state == PLAYING else None,
            "timer": self.timer,
            "undo": rules.may_undo,
            "hint": rules.may_hint,
            "results": self.results,
        }

    # Kept over a restart.

    def saved(self) -> dict[str, Any]:
        """Return all that is needed to go on."""
        return {
            "code": self.code,
            "number": self.number,
            "settings": asdict(self.settings),
            "seats": [
                {"sitter": seat.sitter, "name": seat.name, "token": seat.token}
                for seat in self.seats
            ],
            "replay": self.facts.replay if self.facts else None,
            "state": self.state,
            "left": self.seconds_left,
            "results": self.results,
        }

    @classmethod
    def restored(cls, saved: Mapping[str, Any], clock: Clock = time.monotonic) -> Self:
        """Return a room as it was saved."""
        settings = Settings(**{**saved["settings"], "sitters": tuple(saved["settings"]["sitters"])})
        room = cls(saved["code"], saved["number"], settings, clock)
        room.seats = [Seat(one["sitter"], one["name"], one["token"]) for one in saved["seats"]]
        room.results = saved["results"]
        if saved["replay"] is not None:
            room.facts = room._at_table(Match.from_replay(saved["replay"])).facts
        room.state = saved["state"]
        if saved["left"] is not None and settings.timer is not None:
            room._go_began = clock() - (settings.timer - saved["left"])
        return room


def standings(rows: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return how everybody did over all matches, the best first: by wins, then by name."""
    people: dict[tuple[int, str, bool], dict[str, Any]] = {}
    for row in rows:
        key = (row["room"], row["name"], row["is_agent"])
        who = {name: row[name] for name in ("room", "name", "is_agent", "counted")}
        mine = people.setdefault(key, {**who, "matches": 0, "won": 0.0, "points": 0})
        mine["matches"] += 1
        mine["won"] += row["won"]
        mine["points"] += row["points"]
    return sorted(people.values(), key=lambda one: (-one["won"], one["name"]))
