"""A class as a server process, and clients of it: real connections, as browsers would have them."""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import re
from collections.abc import Callable, Coroutine, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from tornado.httpclient import AsyncHTTPClient, HTTPRequest
from tornado.websocket import WebSocketClientConnection, WebSocketClosedError, websocket_connect

from adjoin.serve.limits import Bucket
from interfaces import Server

if TYPE_CHECKING:
    from typing_extensions import Self

_T = TypeVar("_T")

WAIT = 60.0
"""So many seconds a client waits for what has to come."""


def run(work: Coroutine[Any, Any, _T]) -> _T:
    """Do something with clients, and close those that are left open."""

    async def and_close() -> _T:
        try:
            return await work
        finally:
            for client in Client.opened:
                await client.close()
            Client.opened.clear()

    with ThreadPoolExecutor(1) as thread:  # a browser of other tests may have a loop in this one
        return thread.submit(asyncio.run, and_close()).result()


class Clock:
    """A time that passes when it is told to."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


class Service:
    """`adjoin serve` in a process of its own; it can be stopped and started again."""

    def __init__(self, home: Path, *arguments: str) -> None:
        self.home = home
        self._arguments = ("serve", "--pace", "0", *arguments)
        self._port = 0
        self._token: str | None = None
        self.start()

    def start(self) -> None:
        """Start, at the same address if it was started before."""
        self._server = Server(self.home, "adjoin", *self._arguments, port=self._port)
        self._port = self._server._port

    @property
    def url(self) -> str:
        """Where it is, once it is there."""
        return self._server.address()

    @property
    def pid(self) -> int:
        """The number of its process."""
        return self._server.pid

    @property
    def token(self) -> str:
        """The teacher's secret, as it was printed."""
        assert self.url
        found = re.search(r"/teacher#(\S+)", self._server.said())
        assert found, self._server.said()
        return found[1]

    def stop(self) -> dict[str, Any]:
        """Tell it to stop, and return what it has kept."""
        self._server.close()
        said = self._server.said()
        assert "Traceback" not in said, said
        (file,) = (self.home / "xdg" / "adjoin" / "serve").glob("rooms-*.json")
        return dict(json.loads(file.read_text("utf-8")))

    def close(self) -> None:
        """Stop, if it has not been stopped."""
        self._server.close()


class Client:
    """A connection: everything that it has received is kept."""

    opened: ClassVar[list[Client]] = []

    def __init__(
        self,
        url: str,
        path: str,
        hello: Any,
        headers: Mapping[str, str] | None = None,
        *,
        is_compressed: bool = True,
    ) -> None:
        self._url, self._path, self.hello = url, path, hello
        self._compression: dict[str, Any] | None = {} if is_compressed else None
        self._headers = {"Origin": url, **(headers or {})}
        self._socket: WebSocketClientConnection | None = None
        self._reader: asyncio.Task[None] | None = None
        self._news = asyncio.Condition()
        self.texts: list[str] = []
        self.latest: dict[str, Any] = {}
        self.is_open = False

    async def __aenter__(self) -> Self:
        await self.open()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()

    async def open(self) -> None:
        """Connect and say who it is."""
        address = f"{self._url.replace('http', 'ws', 1)}/socket/{self._path}"
        request = HTTPRequest(address, headers=self._headers)
        self._socket = await websocket_connect(
            request, compression_options=self._compression, max_message_size=2**24
        )
        self.opened.append(self)
        self.latest, self.is_open = {}, True
        self._reader = asyncio.get_running_loop().create_task(self._read(self._socket))
        if self.hello is not None:
            await self.send(self.hello)

    async def _read(self, socket: WebSocketClientConnection) -> None:
        while (text := await socket.read_message()) is not None:
            assert isinstance(text, str)
            message = json.loads(text)
            async with self._news:
                self.texts.append(text)
                self.latest[message["kind"]] = message
                if message["kind"] == "reply":
                    self.latest[f"reply {message['id']}"] = message
                self._news.notify_all()
        # Tornado complains of a connection that its own side never closed, once it is collected.
        socket.close()
        async with self._news:
            self.is_open = False
            self._news.notify_all()

    @property
    def code(self) -> int | None:
        """Why it was closed."""
        return self._socket.close_code if self._socket else None

    async def send(self, message: Any) -> None:
        """Send a message, or a text as it is; it may get lost when the connection does."""
        text = message if isinstance(message, str | bytes) else json.dumps(message)
        assert self._socket is not None
        with contextlib.suppress(WebSocketClosedError):
            await self._socket.write_message(text, binary=isinstance(text, bytes))

    async def until(self, is_so: Callable[[], Any]) -> None:
        """Wait until something is so."""
        async with self._news:
            await asyncio.wait_for(self._news.wait_for(is_so), WAIT)

    async def until_shown(self, is_so: Callable[[dict[str, Any]], Any] = bool) -> dict[str, Any]:
        """Wait for an update of which something is so, and return it."""
        await self.until(lambda: self.update is not None and is_so(self.update))
        assert self.update is not None
        return self.update

    async def until_closed(self) -> int | None:
        """Wait until the server has closed it; return why."""
        await self.until(lambda: not self.is_open)
        return self.code

    async def close(self) -> None:
        """Close it."""
        if self._socket is not None:
            self._socket.close()
        if self._reader is not None:
            await self._reader

    @property
    def update(self) -> dict[str, Any] | None:
        """What it was shown last."""
        message = self.latest.get("update")
        return message["update"] if message else None

    @property
    def room(self) -> dict[str, Any]:
        """How it stands in the room."""
        return dict(self.latest["room"]["room"])


class Teacher(Client):
    """The teacher's page."""

    def __init__(self, service: Service) -> None:
        super().__init__(service.url, "teacher", {"token": service.token})
        self._asked = 0

    async def ask(self, do: str, **more: Any) -> Any:
        """Do something, and return the reply; ValueError if it was refused."""
        self._asked += 1
        name = f"reply {self._asked}"
        await self.send({"do": do, "id": self._asked, **more})
        await self.until(lambda: name in self.latest or not self.is_open)
        reply = self.latest.pop(name)
        if "error" in reply:
            raise ValueError(reply["error"])
        return reply["answer"]

    async def open_rooms(self, count: int = 1, **settings: Any) -> list[str]:
        """Open rooms and return their codes."""
        return list(await self.ask("open", count=count, settings=settings))


async def post(
    url: str, question: Any, headers: Mapping[str, str] | None = None
) -> tuple[int, Any]:
    """Ask what the page at the door asks; return the status and the answer."""
    body = question if isinstance(question, bytes) else json.dumps(question).encode()
    request = HTTPRequest(
        f"{url}/join", method="POST", body=body, headers={"Origin": url, **(headers or {})}
    )
    response = await AsyncHTTPClient().fetch(request, raise_error=False)
    is_json = response.headers.get("Content-Type", "").startswith("application/json")
    return response.code, json.loads(response.body) if is_json else response.body.decode()


async def join(url: str, code: str, name: str, seat: int | None = None) -> Pupil:
    """Take a seat in a room, and connect."""
    status, answer = await post(url, {"code": code, "name": name, "seat": seat})
    assert status == 200, answer
    pupil = Pupil(url, "seat", answer)
    await pupil.open()
    return pupil


class Pupil(Client):
    """Somebody at a table who plays anything that is legal."""

    def __init__(self, url: str, path: str, hello: Any) -> None:
        super().__init__(url, path, hello)
        self.rng = random.Random(f"{hello['code']} {hello['seat']}")
        self.decided: list[tuple[int, int]] = []
        """What it has played: the number of the decision, and the action."""
        self._sent: tuple[int, int] | None = None
        self._pace = Bucket(30, 15)

    async def come_back(self) -> None:
        """Connect again, as a page does: after a while, and as often as it takes."""
        await self.close()
        wait = 0.05
        while True:
            try:
                await self.open()
                await self.until(lambda: self.update is not None or not self.is_open)
                if self.is_open:
                    break
            except OSError:
                pass
            await asyncio.sleep(wait)
            wait = min(2 * wait, 1.0)
        self._note()
        self._sent = None

    def _note(self) -> None:
        """Note whether what was sent last has been done: only this seat could decide then."""
        assert self.update is not None
        if self._sent is not None and self.update["number"] > self._sent[0]:
            self.decided.append(self._sent)
            self._sent = None

    async def play(self, drop: float = 0.0) -> None:
        """Play to the end; before a decision, or just after one, the connection may be lost."""
        while True:
            await self.until(lambda: not self.is_open or self._has_news())
            if not self.is_open or self.rng.random() < drop / 2:
                await self.come_back()
                continue
            self._note()
            update = self.update
            assert update is not None
            if update["is_over"]:
                return
            while not self._pace.take():  # the server drops what comes faster than people play
                await asyncio.sleep(0.05)
            self._sent = (update["number"], self.rng.choice(update["actions"])["action"])
            await self.send({"do": "play", "what": self._sent[1], "number": self._sent[0]})
            if self.rng.random() < drop / 2:
                await self.come_back()

    def _has_news(self) -> bool:
        update = self.update
        if update is None or update["is_over"]:
            return update is not None
        is_new = self._sent is None or update["number"] != self._sent[0]
        return bool(update["actions"]) and is_new


# A live quiz.


class Answerer(Client):
    """Somebody in a live quiz who answers anything."""

    def __init__(self, url: str, hello: Any) -> None:
        super().__init__(url, "seat", hello)
        self.rng = random.Random(f"{hello['seat']}")

    @property
    def quiz(self) -> dict[str, Any]:
        """How it stands."""
        return dict(self.latest.get("quiz", {"state": None, "number": None}))

    async def until_state(self, state: str, number: int | None = None) -> dict[str, Any]:
        """Wait until the quiz is so far, and return how it stands."""

        def is_so() -> bool:
            now = self.quiz
            return now["state"] == state and number in (None, now["number"])

        await self.until(is_so)
        return self.quiz

    async def until_quiz(self) -> dict[str, Any]:
        """Wait until it is told how the quiz stands."""
        await self.until(lambda: "quiz" in self.latest)
        return self.quiz

    def guess(self) -> Any:
        """Return some answer to the question that is asked."""
        question = self.quiz["question"]
        names = self.latest["book"]["book"]["names"].get(question["pool"], {})
        form, ids = question["form"], question["ids"]
        if question["on_map"] == "click" and not ids:
            places = self.latest["book"]["map"]["places"]
            ids = [key for key, place in places.items() if place["kind"] == "region"]
        if self.rng.random() < 0.1:
            return None
        if form == "yes_no":
            return self.rng.random() < 0.5
        if form == "order":
            return self.rng.sample(ids, len(ids))
        some = ids or list(names.values())
        if form in ("many", "route"):
            return self.rng.sample(some, min(len(some), self.rng.randint(1, 4)))
        return self.rng.choice(some)

    async def answer(self, what: Any) -> None:
        """Answer, and wait until that is known to have come."""
        number = self.quiz["number"]
        await self.send({"do": "answer", "number": number, "what": what})
        await self.until(lambda: not self.is_open or self._has_answered(number))

    def _has_answered(self, number: int) -> bool:
        now = self.quiz
        if now["number"] != number or now["state"] != "asked":
            return True
        return bool(now["you"]["has_answered"] or now["message"])


async def join_quiz(url: str, code: str, name: str) -> Answerer:
    """Take part in a live quiz, and connect."""
    status, answer = await post(url, {"code": code, "name": name})
    assert status == 200, answer
    pupil = Answerer(url, answer)
    await pupil.open()
    return pupil


# Browsers.

SIZES = {"teacher": (1366, 768), "pupil": (1366, 768), "phone": (390, 844)}


class Pages:
    """Browsers of several people, and what their consoles complain of."""

    def __init__(self, chromium: Any) -> None:
        self._chromium = chromium
        self.complaints: list[str] = []
        self._contexts: list[Any] = []

    def open(self, size: str, url: str) -> Any:
        """Open a page in a browser of its own."""
        width, height = SIZES[size]
        context = self._chromium.new_context(viewport={"width": width, "height": height})
        context.set_default_timeout(20_000)
        context.on("page", self._listen)
        self._contexts.append(context)
        page = context.new_page()
        page.goto(url)
        return page

    def _listen(self, page: Any) -> None:
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on(
            "console",
            lambda said: self.complaints.append(said.text) if said.type == "error" else None,
        )

    def close(self) -> None:
        """Close them."""
        for context in self._contexts:
            context.close()
