"""The server: pages, joining, connections; started by ``adjoin serve``."""

from __future__ import annotations

import asyncio
import io
import json
import signal
import socket
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import segno
from tornado.httpserver import HTTPServer
from tornado.iostream import IOStream
from tornado.netutil import bind_sockets
from tornado.web import Application, HTTPError

import adjoin.classroom.screen
import adjoin.playing
from adjoin.serve import addresses, saves
from adjoin.serve.classroom import Classroom
from adjoin.serve.limits import MESSAGE_BYTES, OF_ADDRESS, REQUESTS, ROOMS
from adjoin.serve.live_quiz import LiveQuiz
from adjoin.serve.live_settings import LiveSettings
from adjoin.serve.rooms import RoomError
from adjoin.serve.sockets import Guarded, ProjectorSocket, SeatSocket, TeacherSocket, WatchSocket

_BODY_BYTES = 8 * 1024
_PINGS = 20
"""A connection that is silent for so many seconds is asked whether it is there."""
_TYPES = {".html": "text/html", ".js": "text/javascript", ".css": "text/css"}


def _files() -> dict[str, tuple[str, bytes]]:
    """Return the files of the front end, by name: ours, the board's, and those of a quiz."""
    folders = (
        Path(adjoin.playing.__file__).parent / "web",
        adjoin.classroom.screen.FOLDER,
        Path(__file__).parent / "web",
    )
    found = [file for folder in folders for file in sorted(folder.iterdir())]
    return {
        file.name: (f"{_TYPES[file.suffix]}; charset=utf-8", file.read_bytes())
        for file in found
        if file.suffix in _TYPES
    }


class PageHandler(Guarded):
    """A file of the front end."""

    def initialize(self, page: str = "") -> None:
        """Serve always the same page, or what is asked for by name."""
        self._page = page

    def get(self, name: str = "") -> None:
        """Return it."""
        files: dict[str, tuple[str, bytes]] = self.application.settings["files"]
        found = files.get(self._page or name)
        if found is None:
            raise HTTPError(404)
        self.set_header("Content-Type", found[0])
        self.finish(found[1])


class CodeHandler(Guarded):
    """What can be had with a code; wrong codes are counted."""

    def prepare(self) -> None:
        """Refuse strangers, and who has tried too often."""
        super().prepare()
        if not self.classroom.tries.may_try(self.address):
            raise HTTPError(429, reason="too many wrong codes; wait a minute")

    def find(self, code: object) -> Any:
        """Return the host of a room."""
        host = self.classroom.host(code)
        if host is None:
            self.classroom.tries.failed(self.address)
        return host


class QrHandler(CodeHandler):
    """The QR picture of a room's address."""

    def get(self, code: str) -> None:
        """Return it."""
        host = self.find(code)
        if host is None:
            raise HTTPError(404)
        self.set_header("Content-Type", "image/svg+xml")
        self.finish(_qr(self.classroom.join_url(host.room.code)))


@lru_cache(ROOMS)
def _qr(url: str) -> bytes:
    file = io.BytesIO()
    picture = segno.make(url, error="m", micro=False)
    picture.save(file, kind="svg", xmldecl=False, omitsize=True, border=2, light="#ffffff")
    return file.getvalue()


class JoinHandler(CodeHandler):
    """``{"code"}`` tells who sits in a room; with ``"name"`` and perhaps ``"seat"`` one joins."""

    def post(self) -> None:
        """Answer with the room, or with a seat and its token."""
        self.check_same_origin()
        try:
            given = json.loads(self.request.body)
        except (ValueError, RecursionError):
            given = None
        if not isinstance(given, dict):
            raise HTTPError(400, reason="an object is expected")
        host = self.find(given.get("code"))
        if host is None:
            self._refuse(404, "There is no room with this code.")
        elif "name" not in given:
            self.finish({"room": host.room.public()})
        else:
            try:
                self.finish(self.classroom.join(given))
            except ValueError as error:
                self._refuse(409, str(error))

    def _refuse(self, status: int, words: str) -> None:
        self.set_status(status)
        self.finish({"error": words})


class ReportHandler(CodeHandler):
    """The report of a live quiz that is over, as a page or a table."""

    def get(self, token: str, suffix: str) -> None:
        """Return it to who has its secret."""
        report = self.classroom.report(token)
        if report is None:
            self.classroom.tries.failed(self.address)
            raise HTTPError(404)
        if suffix:
            name = f"report-{report.quiz.code}.csv"
            self.set_header("Content-Type", "text/csv; charset=utf-8")
            self.set_header("Content-Disposition", f'attachment; filename="{name}"')
            self.finish("\ufeff" + report.csv)
        else:
            policy = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"
            self.set_header("Content-Security-Policy", policy)
            self.finish(report.html)


class NowhereHandler(Guarded):
    """Whatever else is asked for."""

    def prepare(self) -> None:
        """Refuse it."""
        super().prepare()
        raise HTTPError(404)


def application(classroom: Classroom, names: set[str]) -> Application:
    """Return what answers; ``names`` are those by which the machine may be called."""
    return Application(
        [
            (r"/", PageHandler, {"page": "join.html"}),
            (r"/teacher", PageHandler, {"page": "teacher.html"}),
            (r"/projector", PageHandler, {"page": "projector.html"}),
            (r"/web/([a-z_-]+\.(?:js|css))", PageHandler),
            (r"/qr/([A-Za-z0-9]{1,10})\.svg", QrHandler),
            (r"/join", JoinHandler),
            (r"/report/([\w-]{43})(\.csv)?", ReportHandler),
            (r"/socket/seat", SeatSocket),
            (r"/socket/watch", WatchSocket),
            (r"/socket/projector", ProjectorSocket),
            (r"/socket/teacher", TeacherSocket),
        ],
        default_handler_class=NowhereHandler,
        served=classroom,
        names=names,
        files=_files(),
        log_function=lambda handler: None,
        websocket_max_message_size=MESSAGE_BYTES,
        websocket_ping_interval=_PINGS,
        websocket_ping_timeout=_PINGS,
    )


class Door(HTTPServer):
    """Lets so many in at once."""

    def initialize(self, *arguments: Any, **keywords: Any) -> None:
        """Begin with nobody inside."""
        super().initialize(*arguments, **keywords)
        self._inside: Counter[str] = Counter()

    def handle_stream(self, stream: IOStream, address: tuple[Any, ...]) -> None:
        """Let somebody in, if there is room."""
        if self._inside[address[0]] >= OF_ADDRESS or sum(self._inside.values()) >= REQUESTS:
            stream.close()
            return
        self._inside[address[0]] += 1
        super().handle_stream(stream, address)

    def on_close(self, server_conn: Any) -> None:
        """Note that somebody has gone, or stays as a connection that is counted elsewhere."""
        address = server_conn.context.address[0]
        self._inside[address] -= 1
        if not self._inside[address]:
            del self._inside[address]
        super().on_close(server_conn)


@dataclass
class Server:
    """A class on the network: ``Server(lan=True).run()`` serves until it is told to stop.

    Without ``lan`` only this machine gets in. ``save`` is the folder in which rooms wait for the
    next start, ``address`` the name that pupils' devices know this machine by, ``pace`` the seconds
    between the decisions of agents. ``quiz`` is a live quiz to open at once.
    """

    lan: bool = False
    port: int = 8765
    save: Path | None = None
    address: str | None = None
    pace: float = 0.6
    quiz: LiveSettings | None = None

    def run(self, ready: Callable[[str], None] = print) -> None:
        """Serve until SIGINT or SIGTERM; ``ready`` hears what to tell the teacher."""
        asyncio.run(self._serve(ready))

    async def _serve(self, ready: Callable[[str], None]) -> None:
        stopped = asyncio.Event()
        _on_signals(stopped.set)
        sockets = self._sockets()
        port = sockets[0].getsockname()[1]
        host = self.address or (addresses.lan_address() if self.lan else "127.0.0.1")
        names = {host.lower()} | (addresses.own_names() if self.lan else set())
        classroom = Classroom(addresses.url(host, port), self.pace)
        file = saves.rooms_file(self.save or saves.default_folder(), port)
        saves.check_folder(file.parent)
        restored = _restore(classroom, file)
        opened = None if self.quiz is None else classroom.open_quiz(self.quiz)
        server = Door(
            application(classroom, names),
            max_body_size=_BODY_BYTES,
            max_buffer_size=2 * MESSAGE_BYTES,
            max_header_size=16 * 1024,
            idle_connection_timeout=60,
            body_timeout=10,
        )
        server.add_sockets(sockets)
        ready(self._words(classroom, restored, opened))
        try:
            await stopped.wait()
        finally:
            server.stop()
            classroom.stop()
            _keep(classroom, file, ready)
            await server.close_all_connections()

    def _sockets(self) -> list[socket.socket]:
        try:
            return bind_sockets(self.port, None if self.lan else "127.0.0.1")
        except OSError as error:
            why = error.strerror or str(error)
            raise RoomError(f"port {self.port}: {why}; try another with --port") from error

    def _words(self, classroom: Classroom, restored: int, opened: LiveQuiz | None) -> str:
        own = addresses.url("127.0.0.1", int(classroom.address.rpartition(":")[2]))
        lines = [
            f"Teacher, on this machine: {own}/teacher#{classroom.teacher_token}",
            f"Pupils: {classroom.address}",
        ]
        if opened is not None:
            lines.append(f"Live quiz: code {opened.code}, {classroom.join_url(opened.code)}")
        if not self.lan:
            lines.append("Only this machine gets in; with --lan, the school's network does.")
        if restored:
            lines.append(f"Rooms that go on: {restored}")
        return "\n".join([*lines, "Ctrl-C stops; rooms go on at the next start."])


def _restore(classroom: Classroom, file: Path) -> int:
    saved = saves.read(file)
    if saved is None:
        return 0
    try:
        classroom.restore(saved)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise saves.unreadable(file, error) from error
    return len(classroom.hall.rooms) + len(classroom.hall.quizzes)


def _keep(classroom: Classroom, file: Path, ready: Callable[[str], None]) -> None:
    saved = classroom.saved()
    if saved is None:
        file.unlink(missing_ok=True)
    else:
        saves.write(file, saved)
        ready(f"Rooms are kept in {file}.")


def _on_signals(stop: Callable[[], None]) -> None:
    """Stop when the process is told to, on any system."""
    loop = asyncio.get_running_loop()
    for name in ("SIGINT", "SIGTERM", "SIGBREAK"):
        number = getattr(signal, name, None)
        if number is None:
            continue
        try:
            loop.add_signal_handler(number, stop)
        except NotImplementedError:
            signal.signal(number, lambda *_: loop.call_soon_threadsafe(stop))
