"""Who runs a room: messages are done in their order, agents think elsewhere, all are shown theirs.

A room's table is used by one thread at a time: its host does one thing after the other. What takes
a moment is done by the quick threads, what may take long by those that think, so that no room waits
for the agents of another.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
from collections import Counter
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Protocol, TypeVar

from adjoin.serve.limits import WAITING as MOST_WAITING
from adjoin.serve.rooms import WAITING, Room
from adjoin.serve.tables import Shown, Table

_T = TypeVar("_T")
_log = logging.getLogger("adjoin.serve")

_AFTER_AN_ERROR = 1.0
"""So many seconds nothing is done in a room in which something has failed."""


class Receiver(Protocol):
    """A connection, as far as a host is concerned."""

    def put(self, kind: str, text: str) -> None:
        """Send a text; a newer one of the same kind may overtake it."""

    def end(self, code: int, reason: str) -> None:
        """Close the connection."""


TAKEN_OVER, NOT_YOURS, ROOM_CLOSED = 4001, 4003, 4004
"""Why a connection is closed: its seat is open elsewhere, it has no right to it, no room is."""


class Threads:
    """Where the work of all rooms is done."""

    def __init__(self) -> None:
        cores = os.cpu_count() or 1
        self._quick = ThreadPoolExecutor(2, "adjoin-quick")
        self._thinking = ThreadPoolExecutor(max(1, cores - 1), "adjoin-thinking")

    async def quick(self, work: Callable[[], _T]) -> _T:
        """Do what takes a moment."""
        return await asyncio.get_running_loop().run_in_executor(self._quick, work)

    async def thinking(self, work: Callable[[], _T]) -> _T:
        """Do what may take long."""
        return await asyncio.get_running_loop().run_in_executor(self._thinking, work)

    def close(self) -> None:
        """Begin nothing more."""
        for pool in (self._quick, self._thinking):
            pool.shutdown(wait=False, cancel_futures=True)


class Host:
    """Runs one room."""

    def __init__(
        self, room: Room, threads: Threads, changed: Callable[[], None], pace: float
    ) -> None:
        self.room = room
        self._threads, self._changed, self._pace = threads, changed, pace
        self._table: Table | None = room.seated() if room.facts is not None else None
        self._seats: dict[int, Receiver] = {}
        self._onlookers: set[Receiver] = set()
        self._jobs: asyncio.Queue[Callable[[], Awaitable[None]]] = asyncio.Queue()
        self._waiting: Counter[Receiver] = Counter()
        self._task = asyncio.get_running_loop().create_task(self._run())

    # What comes in.

    def join(self, name: object, wanted: int | None) -> tuple[int, str]:
        """Give somebody a seat, and begin once all are there."""
        number, token = self.room.sit_down(name, wanted)
        if self.room.state == WAITING and self.room.is_full:
            self.begin()
        elif self.room.facts is not None:
            self.seat_anew()
        self.tell()
        return number, token

    def enter(self, number: int, receiver: Receiver) -> None:
        """Connect a seat; a connection that it had before is closed."""
        before = self._seats.pop(number, None)
        if before is not None:
            before.end(TAKEN_OVER, "This seat is open on another page.")
        self._seats[number] = receiver
        self.room.seats[number].is_here = True
        self.tell()
        self._jobs.put_nowait(lambda: self._show([number], is_for_onlookers=False))

    def leave(self, number: int, receiver: Receiver) -> None:
        """Note that a connection is gone."""
        if self._seats.get(number) is receiver:
            del self._seats[number]
            self.room.seats[number].is_here = False
            self.tell()

    def watch(self, receiver: Receiver) -> None:
        """Connect an onlooker."""
        self._onlookers.add(receiver)
        receiver.put("room", self._public(None))
        self._jobs.put_nowait(lambda: self._show([], is_for_onlookers=True))

    def unwatch(self, receiver: Receiver) -> None:
        """Note that an onlooker is gone."""
        self._onlookers.discard(receiver)

    def receive(self, number: int, receiver: Receiver, message: object) -> None:
        """Do what a message of a seat says, after those that came before."""
        if self._waiting[receiver] < MOST_WAITING:
            self._waiting[receiver] += 1
            self._jobs.put_nowait(lambda: self._answer(number, receiver, message))

    # What a teacher does.

    def begin(self) -> None:
        """Deal, and let agents take the seats that nobody has."""
        if self.room.state != WAITING:
            self.room.dealt_anew()
        self._set(self.room.begin())

    def free(self, number: int) -> None:
        """Make a seat free for somebody else."""
        self.room.stand_up(number)
        self._dismiss(number)
        self.tell()

    def hand_over(self, number: int) -> None:
        """Let an agent go on at a seat."""
        self.room.hand_over(number)
        self._dismiss(number)
        if self.room.facts is not None:
            self.seat_anew()
        elif self.room.is_full:
            self.begin()
        self.tell()

    def change(self, settings: dict[str, Any]) -> None:
        """Change what may be done."""
        self.room.change(settings)
        self.tell()
        self._jobs.put_nowait(lambda: self._show(list(self._seats), is_for_onlookers=False))

    def close(self) -> None:
        """Close the room."""
        self.stop()
        for receiver in (*self._seats.values(), *self._onlookers):
            receiver.end(ROOM_CLOSED, "The room is closed.")
        self._seats.clear()
        self._onlookers.clear()

    def stop(self) -> None:
        """Do nothing more."""
        self._task.cancel()

    def _dismiss(self, number: int) -> None:
        receiver = self._seats.pop(number, None)
        if receiver is not None:
            receiver.end(NOT_YOURS, "The teacher has given this seat to somebody else.")

    # The table.

    def seat_anew(self) -> None:
        """Let the match go on with those who sit there now."""

        async def sit() -> None:
            self._set(self.room.seated())

        self._jobs.put_nowait(sit)

    def _set(self, table: Table) -> None:
        self._table = table
        self.room.moved(table.facts)
        self.tell()
        self._jobs.put_nowait(lambda: self._show(list(self._seats), is_for_onlookers=True))

    async def _run(self) -> None:
        while True:
            job = await self._next()
            try:
                await job()
            except Exception:
                _log.exception("room %s", self.room.number)
                await asyncio.sleep(_AFTER_AN_ERROR)

    async def _next(self) -> Callable[[], Awaitable[None]]:
        """Wait for something to do; if nothing comes for a while, an agent that is to, decides."""
        facts = self.room.facts
        if self._table is None or facts is None or not facts.is_thinking:
            return await self._jobs.get()
        try:
            return await asyncio.wait_for(self._jobs.get(), self._pace)
        except asyncio.TimeoutError:
            return self._think

    async def _think(self) -> None:
        table = self._table
        assert table is not None
        await self._threads.thinking(table.step)
        await self._show(list(self._seats), is_for_onlookers=True)

    async def _answer(self, number: int, receiver: Receiver, message: object) -> None:
        self._waiting[receiver] -= 1
        if not self._waiting[receiver]:
            del self._waiting[receiver]
        table, rules = self._table, self.room.rules
        if table is None or self._seats.get(number) is not receiver:
            return
        seats, is_watched = list(self._seats), bool(self._onlookers)
        is_long = isinstance(message, dict) and message.get("do") == "hint"
        do = self._threads.thinking if is_long else self._threads.quick
        self._send(await do(lambda: table.answer(number, message, seats, is_watched, rules)))

    async def _show(self, seats: list[int], *, is_for_onlookers: bool) -> None:
        table, rules = self._table, self.room.rules
        if table is not None:
            is_watched = is_for_onlookers and bool(self._onlookers)
            self._send(await self._threads.quick(lambda: table.show(seats, is_watched, rules)))

    def _send(self, shown: Shown) -> None:
        """Note where the match is, and give each seat its own update."""
        if shown.facts is not None and shown.facts is not self.room.facts:
            self.room.moved(shown.facts)
            self.tell()
        timer = json.dumps(self.room.timer)
        for number, text in shown.updates.items():
            receiver = self._seats.get(number)
            if receiver is not None:
                receiver.put("update", _update(text, timer))
        if shown.onlookers is not None:
            for receiver in self._onlookers:
                receiver.put("update", _update(shown.onlookers, timer))

    def tell(self) -> None:
        """Tell everybody in the room, and the teacher, how it stands there."""
        for number, receiver in self._seats.items():
            receiver.put("room", self._public(number))
        if self._onlookers:
            text = self._public(None)
            for receiver in self._onlookers:
                receiver.put("room", text)
        self._changed()

    def _public(self, you: int | None) -> str:
        return json.dumps({"kind": "room", "room": self.room.public(), "you": you})


def _update(text: str, timer: str) -> str:
    """Return an update as it goes out: the sand runs from when it is sent."""
    return f'{{"kind":"update","timer":{timer},"update":{text}}}'
