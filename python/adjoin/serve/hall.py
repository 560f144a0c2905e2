"""All rooms and live quizzes of a server."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

from adjoin.serve.limits import ROOMS, Clock
from adjoin.serve.live_quiz import LiveQuiz
from adjoin.serve.live_settings import LiveSettings
from adjoin.serve.rooms import Room, RoomError, Settings
from adjoin.serve.tokens import new_code


class Hall:
    """All rooms and live quizzes of a server, by their codes."""

    def __init__(self, clock: Clock = time.monotonic) -> None:
        self.rooms: dict[str, Room] = {}
        self.quizzes: dict[str, LiveQuiz] = {}
        self._clock = clock
        self._opened = 0
        self._closed: list[dict[str, Any]] = []
        """Results of rooms that are closed."""

    @property
    def _left(self) -> int:
        return ROOMS - len(self.rooms) - len(self.quizzes)

    def open(self, settings: Settings, count: int = 1) -> list[Room]:
        """Open rooms that are set alike."""
        left = self._left
        if type(count) is not int or not 1 <= count <= left:
            raise RoomError(f"count: 1 to {left} rooms can be opened" if left else "No more rooms.")
        opened = [Room(self._code(), self._number(), settings, self._clock) for _ in range(count)]
        self.rooms |= {room.code: room for room in opened}
        return opened

    def open_quiz(self, settings: LiveSettings) -> LiveQuiz:
        """Open a live quiz."""
        if not self._left:
            raise RoomError("No more rooms.")
        quiz = LiveQuiz(self._code(), self._number(), settings, self._clock)
        self.quizzes[quiz.code] = quiz
        return quiz

    def _code(self) -> str:
        code = new_code()
        while code in self.rooms or code in self.quizzes:
            code = new_code()
        return code

    def _number(self) -> int:
        self._opened += 1
        return self._opened

    def close(self, room: Room | LiveQuiz) -> None:
        """Close a room, of which the results stay, or a live quiz."""
        if isinstance(room, LiveQuiz):
            del self.quizzes[room.code]
        else:
            del self.rooms[room.code]
            self._closed += room.results

    def results(self) -> list[dict[str, Any]]:
        """Return the results of all rooms, a row for each seat of each match."""
        return self._closed + [row for room in self.rooms.values() for row in room.results]

    def saved(self) -> dict[str, Any]:
        """Return all that is needed to go on."""
        return {
            "opened": self._opened,
            "closed": self._closed,
            "rooms": [room.saved() for room in self.rooms.values()],
            "quizzes": [quiz.saved() for quiz in self.quizzes.values()],
        }

    def restore(self, saved: Mapping[str, Any]) -> None:
        """Go on with rooms as they were saved."""
        self._opened, self._closed = saved["opened"], saved["closed"]
        rooms = [Room.restored(one, self._clock) for one in saved["rooms"]]
        quizzes = [LiveQuiz.restored(one, self._clock) for one in saved.get("quizzes", ())]
        self.rooms = {room.code: room for room in rooms}
        self.quizzes = {quiz.code: quiz for quiz in quizzes}
