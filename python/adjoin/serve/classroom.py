"""A class: the hosts of its rooms and quizzes, the teacher and the projector, what they can do."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from adjoin.core.spec import Spec, games
from adjoin.data.files import table_text
from adjoin.serve.hall import Hall
from adjoin.serve.hosts import Host, Threads
from adjoin.serve.limits import Tries
from adjoin.serve.live_host import LiveHost
from adjoin.serve.live_quiz import LiveQuiz
from adjoin.serve.live_settings import LiveSettings, choices_of
from adjoin.serve.rooms import Room, RoomError, Settings, options_of, standings
from adjoin.serve.tokens import as_code, hashed, is_token, new_token
from adjoin.support.names import choose

if TYPE_CHECKING:
    from adjoin.classroom.results import ClassReport
    from adjoin.serve.sockets import ProjectorSocket, TeacherSocket

_SOON = 0.1
"""So many seconds after a change the teacher hears of it, with all that has changed until then."""
_KEPT_KEYS = 10
"""So many teachers' and projectors' secrets are good: of this start and of those before."""

_HEADER = ("room", "match", "game", "seat", "name", "agent", "won", "points", "counted")


class Classroom:
    """All that a server has: in memory, until it is told to stop."""

    def __init__(self, address: str, pace: float = 0.0) -> None:
        self.address = address
        self.hall = Hall()
        self.tries = Tries()
        self.sockets: Counter[str] = Counter()
        """How many connections an address has."""
        self.teacher_token, self.projector_token = new_token(), new_token()
        self._keys = {
            "teacher": [hashed(self.teacher_token)],
            "projector": [hashed(self.projector_token)],
        }
        self._pace = pace
        self._threads = Threads()
        self._hosts: dict[str, Host | LiveHost] = {}
        self._teachers: set[TeacherSocket] = set()
        self._projectors: set[ProjectorSocket] = set()
        self._screen: dict[str, str | None] = {"show": "join", "code": None}
        self._timer: asyncio.TimerHandle | None = None
        self._verbs: dict[str, Callable[[Mapping[str, Any]], Any]] = {
            "spec": self._spec,
            "open": self._open,
            "start": lambda given: self._game(given).begin(),
            "end": self._end,
            "free": lambda given: self._game(given).free(given["seat"]),
            "replace": lambda given: self._game(given).hand_over(given["seat"]),
            "change": lambda given: self._game(given).change(given["settings"]),
            "choices": lambda given: choices_of(given.get("atlas"), given.get("areas")),
            "quiz": self._open_quiz,
            "next": lambda given: self._live(given).go_on(),
            "show": lambda given: self._live(given).show(),
            "pause": lambda given: self._live(given).pause(given["is_paused"]),
            "remove": lambda given: self._live(given).remove(given["seat"]),
            "finish": lambda given: self._live(given).finish(),
            "project": self._project,
            "csv": lambda given: self.csv(),
        }

    # Who is who.

    def is_teacher(self, token: object) -> bool:
        """Return whether a secret is the teacher's."""
        return any(is_token(token, kept) for kept in self._keys["teacher"])

    def is_projector(self, token: object) -> bool:
        """Return whether a secret is the projector's."""
        return any(is_token(token, kept) for kept in self._keys["projector"])

    def host(self, code: object) -> Host | LiveHost | None:
        """Return who runs the room or the quiz with a code."""
        return self._hosts.get(as_code(code))

    def join(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Give somebody a seat in a room."""
        host = self._host(given)
        wanted = given.get("seat")
        if wanted is not None and type(wanted) is not int:
            raise RoomError("seat: a number")
        number, token = host.join(given.get("name"), wanted)
        return {"code": host.room.code, "seat": number, "token": token}

    def _host(self, given: Mapping[str, Any]) -> Host | LiveHost:
        host = self.host(given.get("code"))
        if host is None:
            raise RoomError("There is no room with this code.")
        return host

    def _game(self, given: Mapping[str, Any]) -> Host:
        host = self._host(given)
        if not isinstance(host, Host):
            raise RoomError("That is a live quiz, not a room to play in.")
        return host

    def _live(self, given: Mapping[str, Any]) -> LiveHost:
        host = self._host(given)
        if not isinstance(host, LiveHost):
            raise RoomError("That is a room to play in, not a live quiz.")
        return host

    # What a teacher does.

    def teach(self, message: Mapping[str, Any]) -> Any:
        """Do what the teacher says, or say what is wrong with it."""
        verb = self._verbs.get(str(message.get("do")))
        if verb is None:
            raise RoomError(f"do: one of {', '.join(self._verbs)}")
        try:
            answer = verb(message)
        except KeyError as error:
            if type(error) is not KeyError:
                raise
            raise RoomError(f"{error.args[0]} is missing") from None
        self.changed()
        return answer

    def _spec(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Return what can be set for a game."""
        game = choose(given.get("game") or games()[0], games(), "a game")
        options = options_of(game, given.get("options") or {})
        spec = Spec.of(game, options)
        return {
            "games": [{"name": name, "title": Spec.of(name, {}).title} for name in games()],
            "game": game,
            "title": spec.title,
            "summary": spec.summary,
            "seats": spec.seats,
            "agents": spec.agents,
            "has_timer": spec.has_timer,
            "settings": [
                {
                    "name": name,
                    "kind": kind,
                    "value": spec.options[name],
                    "meaning": spec.option_meanings[name],
                }
                for name, kind in spec.settings.items()
            ],
        }

    def _open(self, given: Mapping[str, Any]) -> list[str]:
        settings = given["settings"]
        if not isinstance(settings, Mapping):
            raise RoomError("settings: an object")
        rooms = self.hall.open(Settings.read(settings), given.get("count", 1))
        for room in rooms:
            self._run(room)
        return [room.code for room in rooms]

    def _open_quiz(self, given: Mapping[str, Any]) -> str:
        settings = given["settings"]
        if not isinstance(settings, Mapping):
            raise RoomError("settings: an object")
        return self.open_quiz(LiveSettings.read(settings)).code

    def open_quiz(self, settings: LiveSettings) -> LiveQuiz:
        """Open a live quiz, and let the projector show it."""
        quiz = self.hall.open_quiz(settings)
        self._run(quiz)
        self._project({"show": "room", "code": quiz.code})
        return quiz

    def _run(self, room: Room | LiveQuiz) -> None:
        self._hosts[room.code] = (
            LiveHost(room, self.changed)
            if isinstance(room, LiveQuiz)
            else Host(room, self._threads, self.changed, self._pace)
        )

    def _end(self, given: Mapping[str, Any]) -> None:
        host = self._host(given)
        if self._screen["code"] == host.room.code:
            self._project({"show": "results"})
        self.hall.close(host.room)
        del self._hosts[host.room.code]
        host.close()

    def csv(self) -> dict[str, str]:
        """Return the results as a file for a spreadsheet."""
        keys = ("room", "match", "game", "seat", "name", "is_agent", "won", "points", "counted")
        rows = [
            ["yes" if row[key] is True else "no" if row[key] is False else row[key] for key in keys]
            for row in self.hall.results()
        ]
        return {"name": "results.csv", "text": table_text(_HEADER, rows)}

    # The projector.

    def _project(self, given: Mapping[str, Any]) -> None:
        show, code = given["show"], given.get("code")
        if show not in ("join", "room", "results"):
            raise RoomError("show: one of join, room, results")
        for projector in self._projectors:
            self._look_away(projector)
        room = self._host(given).room if show == "room" or code else None
        self._screen = {"show": show, "code": None if room is None else room.code}
        for projector in self._projectors:
            self._look(projector)

    def _look(self, projector: ProjectorSocket) -> None:
        projector.put("screen", self._screen_text())
        if self._screen["show"] == "room":
            self._hosts[str(self._screen["code"])].watch(projector)

    def _look_away(self, projector: ProjectorSocket) -> None:
        for host in self._hosts.values():
            host.unwatch(projector)
        projector.forget("room", "update", "book", "quiz")

    def _screen_text(self) -> str:
        rooms = [self._card(host.room) for host in self._hosts.values()]
        screen = {"kind": "screen", **self._screen, "address": self.address, "rooms": rooms}
        return json.dumps({**screen, "standings": standings(self.hall.results())})

    def add_projector(self, projector: ProjectorSocket) -> None:
        """Show a projector what is to be seen."""
        self._projectors.add(projector)
        self._look(projector)

    def remove_projector(self, projector: ProjectorSocket) -> None:
        """Forget a projector."""
        self._projectors.discard(projector)
        self._look_away(projector)

    def report(self, token: str) -> ClassReport | None:
        """Return the report of a live quiz, if a secret is that of it."""
        for quiz in self.hall.quizzes.values():
            if is_token(token, hashed(quiz.report_token)):
                return quiz.report()
        return None

    # What the teacher sees.

    def add_teacher(self, teacher: TeacherSocket) -> None:
        """Tell a teacher how things stand, from now on."""
        self._teachers.add(teacher)
        teacher.put("class", self._class_text())

    def remove_teacher(self, teacher: TeacherSocket) -> None:
        """Forget a teacher."""
        self._teachers.discard(teacher)

    def changed(self) -> None:
        """Let the teacher and the projector know soon."""
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(_SOON, self._tell)

    def _tell(self) -> None:
        self._timer = None
        if self._teachers:
            text = self._class_text()
            for teacher in self._teachers:
                teacher.put("class", text)
        if self._projectors:
            text = self._screen_text()
            for projector in self._projectors:
                projector.put("screen", text)

    def _class_text(self) -> str:
        rooms = [
            {**self._card(room), "settings": _set(room.settings)}
            for room in self.hall.rooms.values()
        ]
        quizzes = [
            {**self._card(quiz), **quiz.for_teacher()} for quiz in self.hall.quizzes.values()
        ]
        projector = f"{self.address}/projector#{self.projector_token}"
        return json.dumps(
            {
                "kind": "class",
                "address": self.address,
                "projector": projector,
                "rooms": rooms,
                "quizzes": quizzes,
                "screen": self._screen,
                "standings": standings(self.hall.results()),
            }
        )

    def _card(self, room: Room | LiveQuiz) -> dict[str, Any]:
        return {**room.public(), "url": self.join_url(room.code)}

    def join_url(self, code: str) -> str:
        """Return the address that leads into a room."""
        return f"{self.address}/#{code}"

    # Kept over a restart.

    def saved(self) -> dict[str, Any] | None:
        """Return all that is needed to go on, or None if there is nothing."""
        if not self._hosts and not self.hall.results():
            return None
        return {**self.hall.saved(), "keys": self._keys}

    def restore(self, saved: Mapping[str, Any]) -> None:
        """Go on with what was saved."""
        self.hall.restore(saved)
        for who, keys in self._keys.items():
            keys += saved["keys"][who]
            del keys[_KEPT_KEYS:]
        opened: list[Room | LiveQuiz] = [*self.hall.rooms.values(), *self.hall.quizzes.values()]
        for room in opened:
            self._run(room)

    def stop(self) -> None:
        """Let nothing more be done in any room."""
        for host in self._hosts.values():
            host.stop()
        self._threads.close()


def _set(settings: Settings) -> dict[str, Any]:
    return {name: getattr(settings, name) for name in ("game", "options", "timer", "undo", "hint")}
