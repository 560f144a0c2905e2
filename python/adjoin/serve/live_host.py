"""Who runs a live quiz: takes answers, minds the clock, shows everybody theirs."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable

from adjoin.serve.hosts import NOT_YOURS, ROOM_CLOSED, TAKEN_OVER, Receiver
from adjoin.serve.live_quiz import ASKED, GRACE, LiveQuiz


class LiveHost:
    """Runs one live quiz. Nothing here takes longer than to grade an answer."""

    def __init__(self, quiz: LiveQuiz, changed: Callable[[], None]) -> None:
        self.room = quiz
        self._changed = changed
        self._seats: dict[int, Receiver] = {}
        self._onlookers: set[Receiver] = set()
        self._timer: asyncio.TimerHandle | None = None
        self._static = json.dumps({"kind": "book", **quiz.static()})

    # What comes in.

    def join(self, name: object, wanted: int | None) -> tuple[int, str]:
        """Let somebody in; seats have no order here."""
        seat, token = self.room.sit_down(name)
        self._tell_onlookers()
        return seat, token

    def enter(self, seat: int, receiver: Receiver) -> None:
        """Connect a seat; a connection that it had before is closed."""
        before = self._seats.pop(seat, None)
        if before is not None:
            before.end(TAKEN_OVER, "This seat is open on another page.")
        self._seats[seat] = receiver
        self.room.entered(seat)
        self._greet(receiver)
        self._show(seat)
        self._tell_onlookers()

    def leave(self, seat: int, receiver: Receiver) -> None:
        """Note that a connection is gone."""
        if self._seats.get(seat) is receiver:
            del self._seats[seat]
            self.room.left(seat)
            self._tell_onlookers()

    def watch(self, receiver: Receiver) -> None:
        """Connect an onlooker."""
        self._onlookers.add(receiver)
        self._greet(receiver)
        receiver.put("quiz", self._text(None))

    def unwatch(self, receiver: Receiver) -> None:
        """Note that an onlooker is gone."""
        self._onlookers.discard(receiver)

    def _greet(self, receiver: Receiver) -> None:
        receiver.put("room", json.dumps({"kind": "room", "room": self.room.public()}))
        receiver.put("book", self._static)

    def receive(self, seat: int, receiver: Receiver, message: dict[str, object]) -> None:
        """Take an answer: ``{"do": "answer", "number", "what"}``."""
        if self._seats.get(seat) is not receiver or message.get("do") != "answer":
            return
        refusal = self.room.answer(seat, message.get("number"), message.get("what"))
        if refusal:
            self._show(seat, refusal)
        elif self.room.is_answered:
            self.show()
        else:
            self._show(seat)
            self._tell_onlookers()

    # What a teacher does.

    def go_on(self) -> None:
        """Do what comes next."""
        self.room.go_on()
        self.tell()

    def show(self) -> None:
        """Show the answer now."""
        self.room.show()
        self.tell()

    def pause(self, is_paused: object) -> None:
        """Stop the clock, or let it run on."""
        self.room.pause(is_paused)
        self.tell()

    def remove(self, seat: object) -> None:
        """Take somebody out."""
        self.room.remove(seat)
        assert isinstance(seat, int)
        receiver = self._seats.pop(seat, None)
        if receiver is not None:
            receiver.end(
                NOT_YOURS, "The teacher has taken you out. You can join with another name."
            )
        if self.room.is_answered:
            self.room.show()
        self.tell()

    def finish(self) -> None:
        """End the quiz here."""
        self.room.finish()
        self.tell()

    def close(self) -> None:
        """Close the quiz."""
        self.stop()
        for receiver in (*self._seats.values(), *self._onlookers):
            receiver.end(ROOM_CLOSED, "The quiz is closed.")
        self._seats.clear()
        self._onlookers.clear()

    def stop(self) -> None:
        """Do nothing more."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    # The clock.

    def _mind(self) -> None:
        """Be there when the time is up."""
        self.stop()
        left = self.room.seconds_left
        if self.room.state == ASKED and left is not None and not self.room.is_paused:
            wait = self.room.settings.seconds + GRACE - self.room.used
            self._timer = asyncio.get_running_loop().call_later(max(0.01, wait), self._time_up)

    def _time_up(self) -> None:
        self._timer = None
        if self.room.is_time_up:
            self.room.show()
            self.tell()
        else:
            self._mind()

    # What goes out.

    def tell(self) -> None:
        """Show everybody how it stands."""
        self._mind()
        for seat in self._seats:
            self._show(seat)
        self._tell_onlookers()

    def _show(self, seat: int, message: str = "") -> None:
        self._seats[seat].put("quiz", self._text(seat, message))

    def _tell_onlookers(self) -> None:
        if self._onlookers:
            text = self._text(None)
            for receiver in self._onlookers:
                receiver.put("quiz", text)
        self._changed()

    def _text(self, seat: int | None, message: str = "") -> str:
        view = self.room.view(seat)
        return json.dumps({"kind": "quiz", **view, "message": message}, separators=(",", ":"))
