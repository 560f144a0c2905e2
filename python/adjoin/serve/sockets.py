"""Connections: each is, for its life, one seat, one onlooker, the projector or the teacher."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from tornado.httputil import HTTPServerRequest
from tornado.iostream import StreamClosedError
from tornado.web import HTTPError, RequestHandler
from tornado.websocket import WebSocketClosedError, WebSocketHandler

from adjoin.serve.addresses import is_ours, is_same_origin
from adjoin.serve.hosts import NOT_YOURS, ROOM_CLOSED, Host
from adjoin.serve.limits import HELLO_SECONDS, OF_ADDRESS, SOCKETS, Messages
from adjoin.serve.live_host import LiveHost
from adjoin.serve.rooms import RoomError
from adjoin.support.names import UnknownNameError

if TYPE_CHECKING:
    from adjoin.serve.classroom import Classroom

_log = logging.getLogger("adjoin.serve")

TOO_MUCH, TOO_MANY = 1008, 4008


class Guarded(RequestHandler):
    """Answers only who means this machine."""

    @property
    def classroom(self) -> Classroom:
        """What the server serves."""
        served: Classroom = self.application.settings["served"]
        return served

    def prepare(self) -> None:
        """Refuse who has come here by a name that is not ours."""
        names: set[str] = self.application.settings["names"]
        if not is_ours(self.request.host, local_end(self.request), names):
            raise HTTPError(403, reason="this server has another address")

    def check_same_origin(self) -> None:
        """Refuse what another site's page asks."""
        if not is_same_origin(self.request.headers.get("Origin"), self.request.host):
            raise HTTPError(403, reason="asked by a page of another site")

    def set_default_headers(self) -> None:
        """Let browsers load nothing from elsewhere, guess nothing, keep nothing."""
        host = self.request.host if is_plain(self.request.host) else ""
        self.set_header(
            "Content-Security-Policy",
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
            f"connect-src 'self' ws://{host}; base-uri 'none'; form-action 'none'; "
            "frame-ancestors 'none'",
        )
        self.set_header("X-Content-Type-Options", "nosniff")
        self.set_header("Referrer-Policy", "no-referrer")
        self.set_header("Cross-Origin-Opener-Policy", "same-origin")
        self.set_header("Cross-Origin-Resource-Policy", "same-origin")
        self.set_header("Cache-Control", "no-store")
        self.clear_header("Server")

    def write_error(self, status_code: int, **keywords: Any) -> None:
        """Say in a word what was wrong."""
        self.set_header("Content-Type", "text/plain; charset=utf-8")
        self.finish(f"{status_code} {self._reason}\n")

    @property
    def address(self) -> str:
        """Who asks."""
        return self.request.remote_ip or ""


def is_plain(host: str) -> bool:
    """Return whether a Host header can stand in another header."""
    return bool(host) and all(letter.isalnum() or letter in ".-:[]_" for letter in host)


def local_end(request: HTTPServerRequest) -> tuple[str, int]:
    """Return the address and the port of ours to which somebody has connected."""
    connection: Any = request.connection
    if connection.stream.socket is None:
        raise HTTPError(400, reason="gone already")
    host, port = connection.stream.socket.getsockname()[:2]
    return str(host), int(port)


class Socket(WebSocketHandler, Guarded):
    """A connection. Its first message says who it is; that never changes."""

    is_bound = False
    is_counted = False

    def check_origin(self, origin: str) -> bool:
        """Return whether a page of this server asks."""
        return is_same_origin(origin, self.request.host)

    def prepare(self) -> None:
        """Refuse strangers, and pages of other sites."""
        super().prepare()
        self.check_same_origin()

    def get_compression_options(self) -> dict[str, Any]:
        """Pictures become a tenth."""
        return {"compression_level": 1, "mem_level": 5}

    def open(self, *_: str, **__: str) -> None:
        """Count the connection, and wait for its first message."""
        self._outgoing: dict[str, str] = {}
        self._has_outgoing = asyncio.Event()
        self._messages = Messages()
        counted = self.classroom.sockets
        if sum(counted.values()) >= SOCKETS or counted[self.address] >= OF_ADDRESS:
            self.end(TOO_MANY, "Too many connections.")
            return
        counted[self.address] += 1
        self.is_counted = True
        self.set_nodelay(True)
        loop = asyncio.get_running_loop()
        self._pump_task = loop.create_task(self._pump())
        self._hello_timer = loop.call_later(HELLO_SECONDS, self._hurry)

    def _hurry(self) -> None:
        if not self.is_bound:
            self.end(TOO_MUCH, "Say who you are.")

    def on_close(self) -> None:
        """Forget the connection."""
        if self.is_counted:
            self.is_counted = False
            self.classroom.sockets[self.address] -= 1
            self.classroom.sockets += type(self.classroom.sockets)()
            self._pump_task.cancel()
            self._hello_timer.cancel()
        if self.is_bound:
            self.is_bound = False
            self.unbind()

    def on_message(self, message: str | bytes) -> None:
        """Hear a message, if there are not too many."""
        is_heard = self._messages.take()
        if is_heard is None:
            self.end(TOO_MUCH, "Too many messages.")
        if not is_heard or not self.is_counted:
            return
        try:
            content = json.loads(message)
        except (ValueError, RecursionError):
            return
        if not isinstance(content, dict):
            return
        if self.is_bound:
            self.hear(content)
        elif not self.classroom.tries.may_try(self.address):
            self.end(TOO_MANY, "Too many wrong tries; wait a minute.")
        elif self.bind(content):
            self.is_bound = True
        else:
            self.classroom.tries.failed(self.address)
            self.end(NOT_YOURS, "Not known here.")

    def bind(self, hello: Mapping[str, Any]) -> bool:
        """Become who the first message says, if that is proved."""
        raise NotImplementedError

    def unbind(self) -> None:
        """Leave."""
        raise NotImplementedError

    def hear(self, message: dict[str, Any]) -> None:
        """Do what a message says; onlookers have nothing to say."""

    # What goes out.

    def put(self, kind: str, text: str) -> None:
        """Send a text. Who reads slowly gets the newest of each kind."""
        self._outgoing.pop(kind, None)
        self._outgoing[kind] = text
        self._has_outgoing.set()

    def forget(self, *kinds: str) -> None:
        """Do not send what has not gone out yet."""
        for kind in kinds:
            self._outgoing.pop(kind, None)

    async def _pump(self) -> None:
        while True:
            await self._has_outgoing.wait()
            self._has_outgoing.clear()
            while self._outgoing:
                text = self._outgoing.pop(next(iter(self._outgoing)))
                try:
                    await self.write_message(text)
                except (WebSocketClosedError, StreamClosedError):
                    return

    def end(self, code: int, reason: str) -> None:
        """Close the connection."""
        self.close(code, reason)


class SeatSocket(Socket):
    """A seat: ``{"code", "seat", "token"}``, then messages as the session takes them."""

    host: Host | LiveHost
    number: int

    def bind(self, hello: Mapping[str, Any]) -> bool:
        """Prove the seat by its token."""
        host = self.classroom.host(hello.get("code"))
        if host is None or not host.room.opens(hello.get("seat"), hello.get("token")):
            return False
        self.host, self.number = host, hello["seat"]
        host.enter(self.number, self)
        return True

    def unbind(self) -> None:
        """Leave the seat; it stays whose it is."""
        self.host.leave(self.number, self)

    def hear(self, message: dict[str, Any]) -> None:
        """Do what the seat says."""
        self.host.receive(self.number, self, message)


class WatchSocket(Socket):
    """An onlooker of a room: ``{"code"}``."""

    host: Host | LiveHost

    def bind(self, hello: Mapping[str, Any]) -> bool:
        """Find the room by its code."""
        host = self.classroom.host(hello.get("code"))
        if host is None:
            return False
        self.host = host
        host.watch(self)
        return True

    def unbind(self) -> None:
        """Leave the room."""
        self.host.unwatch(self)


class ProjectorSocket(Socket):
    """The projector: ``{"token"}``; what it shows is chosen by the teacher."""

    def bind(self, hello: Mapping[str, Any]) -> bool:
        """Prove it by the token in the address that the teacher has."""
        if not self.classroom.is_projector(hello.get("token")):
            return False
        self.classroom.add_projector(self)
        return True

    def unbind(self) -> None:
        """Forget it."""
        self.classroom.remove_projector(self)

    def end(self, code: int, reason: str) -> None:
        """Stay when a room is closed: there is something else to show."""
        if code != ROOM_CLOSED:
            super().end(code, reason)


class TeacherSocket(Socket):
    """The teacher: ``{"token"}``, then ``{"do", "id", ...}``, which gets a reply with its id."""

    def bind(self, hello: Mapping[str, Any]) -> bool:
        """Prove it by the token in the address that was printed."""
        if not self.classroom.is_teacher(hello.get("token")):
            return False
        self.classroom.add_teacher(self)
        return True

    def unbind(self) -> None:
        """Forget it."""
        self.classroom.remove_teacher(self)

    def hear(self, message: dict[str, Any]) -> None:
        """Do what the teacher says, and reply."""
        reply: dict[str, Any] = {"kind": "reply", "id": message.get("id")}
        try:
            reply["answer"] = self.classroom.teach(message)
        except (RoomError, UnknownNameError, ValueError, TypeError) as error:
            reply["error"] = " ".join(str(error).split())
        except Exception as error:
            _log.exception("teacher")
            reply["error"] = f"{type(error).__name__}: {error}"
        self.put(f"reply {message.get('id')}", json.dumps(reply))
