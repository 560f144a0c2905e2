"""Clients that lie: they get nothing, and harm nobody."""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from tornado.httpclient import AsyncHTTPClient, HTTPClientError, HTTPRequest

from adjoin.serve.hosts import NOT_YOURS, TAKEN_OVER
from adjoin.serve.limits import OF_ADDRESS
from adjoin.serve.sockets import TOO_MANY, TOO_MUCH
from served import Client, Pupil, Service, Teacher, join, post, run

OTHELLO: dict[str, Any] = {"game": "mapello", "options": {"setup": "othello"}}
TOO_BIG = 1009
"""What WebSocket says of a message that is too long."""


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    started = Service(Path(tmp_path_factory.mktemp("lies")))
    yield started
    started.close()


class Room:
    """A room with two honest people at a match that has begun."""

    def __init__(self, code: str, pupils: list[Pupil]) -> None:
        self.code, (self.first, self.second) = code, pupils

    async def is_well(self) -> None:
        """Play a decision, and see that it gets to both."""
        update = self.first.update
        assert update is not None
        actor = self.first if update["actions"] else self.second
        assert actor.update is not None
        number = actor.update["number"]
        action = actor.update["actions"][0]["action"]
        await actor.send({"do": "play", "what": action, "number": number})
        for pupil in (self.first, self.second):
            await pupil.until_shown(lambda update: update["number"] == number + 1)


async def room_of(service: Service, **settings: Any) -> Room:
    async with Teacher(service) as teacher:
        (code,) = await teacher.open_rooms(**{**OTHELLO, **settings})
    pupils = [await join(service.url, code, name) for name in ("Ann", "Ben")]
    for pupil in pupils:
        await pupil.until_shown()
    return Room(code, pupils)


def says(words: str, update: dict[str, Any]) -> bool:
    return str(update["message"]).startswith(words)


async def refused(client: Client) -> int | None:
    """Connect; return why the server has closed, having said nothing."""
    await client.open()
    code = await client.until_closed()
    assert client.texts == []
    return code


def test_a_seat_opens_by_its_own_token_only(service: Service) -> None:
    async def lie() -> None:
        room = await room_of(service)
        mine, other = room.first.hello, room.second.hello
        lies: list[Any] = [
            {**mine, "token": "x" * 43},
            {**mine, "token": mine["token"][:-1]},
            {**mine, "token": ""},
            {**mine, "token": None},
            {**mine, "token": [mine["token"]]},
            {**mine, "token": "\ud800"},
            {**mine, "seat": other["seat"]},
            {**mine, "seat": -1},
            {**mine, "seat": True},
            {**mine, "seat": 2**70},
            {**mine, "code": "BBBBB"},
            {},
        ]
        for hello in lies:
            client = Client(service.url, "seat", hello)
            assert await refused(client) == NOT_YOURS, hello
        for path in ("teacher", "projector"):
            client = Client(service.url, path, {"token": mine["token"]})
            assert await refused(client) == NOT_YOURS
        await room.is_well()

    run(lie())


def test_tries_are_limited_by_address(tmp_path: Path) -> None:
    service = Service(tmp_path)

    async def guess() -> None:
        room = await room_of(service)
        answers = [(await post(service.url, {"code": f"BBB{n:02}"}))[0] for n in range(40)]
        assert answers[:15] == [404] * 15
        assert answers[-10:] == [429] * 10
        client = Client(service.url, "watch", {"code": room.code})
        assert await refused(client) == TOO_MANY
        await room.is_well()

    try:
        run(guess())
    finally:
        service.close()


def test_a_connection_is_one_seat_for_its_life(service: Service) -> None:
    async def lie() -> None:
        room = await room_of(service)
        before = room.second.update
        assert before is not None
        await room.first.send(room.second.hello)
        for seat in (1, None):
            await room.first.send({"do": "play", "what": 19, "number": 0, "seat": seat, "you": 1})
        await room.is_well()
        seats = [
            json.loads(text)["update"]["seat"] for text in room.first.texts if "update" in text
        ]
        assert set(seats) == {0}

    run(lie())


def test_what_is_not_of_this_decision_changes_nothing(service: Service) -> None:
    async def lie() -> None:
        room = await room_of(service)
        await room.is_well()
        await room.is_well()
        assert room.first.update is not None
        history = room.first.update["log"]
        action = room.first.update["actions"][0]["action"]
        for number in (0, 1, 3, -2, 2.5, "2", None, 2**80):
            await room.first.send({"do": "play", "what": action, "number": number})
            await room.second.send({"do": "play", "what": action, "number": 2})
        for pupil in (room.first, room.second):
            update = await pupil.until_shown(lambda update: update["message"].startswith("That "))
            assert len(update["log"]) == len(history)
            assert update["number"] == 2
        await room.is_well()

    run(lie())


def test_what_the_teacher_has_not_allowed_is_refused_in_words(service: Service) -> None:
    async def ask() -> None:
        room = await room_of(service, hint=False)
        await room.is_well()
        for do, said in {
            "hint": "Hints are switched off",
            "undo": "Undo is switched off",
            "timeout": "This room has no timer",
            "new": "The teacher deals",
        }.items():
            await room.first.send({"do": do, "number": 1})
            await room.first.until_shown(partial(says, said))
        assert room.first.update is not None
        assert room.first.update["number"] == 1
        assert not room.first.update["can_undo"]

    run(ask())


def test_a_game_without_a_timer_says_so(service: Service) -> None:
    async def ask() -> None:
        room = await room_of(service, timer=5)
        assert room.second.update is not None
        assert not room.second.update["has_timer"]
        await room.second.send({"do": "timeout", "number": 0})
        await room.second.until_shown(partial(says, "The timer has not run out"))
        await asyncio.sleep(5.2)
        await room.second.send({"do": "timeout", "number": 0})
        update = await room.second.until_shown(partial(says, "no time-out: Mapello has no timer"))
        assert update["number"] == 0

    run(ask())


def test_ten_megabytes_end_the_connection_that_sent_them(service: Service) -> None:
    text = '{"token": "' + "x" * 10_000_000 + '"}'

    async def lie() -> None:
        room = await room_of(service)
        known = Client(service.url, "watch", {"code": room.code})
        await known.open()
        await known.until_shown()
        squeezed = Client(service.url, "seat", None)
        stranger = Client(service.url, "seat", None, is_compressed=False)
        for client in (squeezed, stranger):
            await client.open()
        for client in (known, squeezed, stranger):
            await client.send(text)
            assert await client.until_closed() in (TOO_BIG, None)
        with contextlib.suppress(OSError):  # closed while it was sent
            assert (await post(service.url, {"code": text}))[0] in (400, 413, 599)
        await room.is_well()

    run(lie())


def test_a_thousand_messages_a_second_end_the_connection(service: Service) -> None:
    async def lie() -> None:
        room, other = await room_of(service), await room_of(service)
        flood = room.first
        for number in range(1000):
            await flood.send({"do": "pick", "what": f"cell {number}", "number": 0})
        assert await flood.until_closed() == TOO_MUCH
        assert len(flood.texts) < 200
        await other.is_well()
        await flood.come_back()
        await room.is_well()

    run(lie())


def test_connections_that_say_nothing_are_limited(service: Service) -> None:
    async def lie() -> None:
        room = await room_of(service)
        address = ("127.0.0.1", int(service.url.rpartition(":")[2]))
        silent = [socket.create_connection(address) for _ in range(OF_ADDRESS + 50)]
        with pytest.raises((HTTPClientError, OSError)):
            await AsyncHTTPClient().fetch(service.url)
        await room.is_well()
        for one in silent:
            one.close()
        while True:
            with contextlib.suppress(HTTPClientError, OSError):
                assert (await AsyncHTTPClient().fetch(service.url)).code == 200
                break

    run(lie())


def test_what_is_no_message_changes_nothing(service: Service) -> None:
    async def lie() -> None:
        room = await room_of(service)
        texts: list[str | bytes] = [
            "", "null", "[]", "3", "{", '"play"', "[" * 30_000, b"\0\xff", '{"do": {}}',
            '{"do": "play", "what": NaN}', '{"do": "look", "what": {"name": 3}}', "{}",
        ]  # fmt: skip
        for text in texts:
            await room.first.send(text)
        await room.is_well()
        stranger = Client(service.url, "seat", "[" * 30_000)
        await stranger.open()
        await stranger.send({"code": [1], "seat": {}, "token": {}})
        assert await stranger.until_closed() == NOT_YOURS

    run(lie())


def test_pages_of_other_sites_get_nothing(service: Service) -> None:
    async def lie() -> None:
        room = await room_of(service)
        port = service.url.rpartition(":")[2]
        for origin in (
            "http://evil.example",
            f"http://evil.example:{port}",
            f"https://127.0.0.1:{port}",
            f"http://127.0.0.1:{port}.evil.example",
            "http://127.0.0.1",
            "null",
            "",
        ):
            with pytest.raises(HTTPClientError) as error:
                await Client(service.url, "seat", room.first.hello, {"Origin": origin}).open()
            assert error.value.code == 403
            assert (await post(service.url, {"code": room.code}, {"Origin": origin}))[0] == 403
        await room.is_well()

    run(lie())


def test_names_that_are_not_ours_get_nothing(service: Service) -> None:
    async def lie() -> None:
        room = await room_of(service)
        port = service.url.rpartition(":")[2]
        for host in (
            f"evil.example:{port}", "127.0.0.1", f"127.0.0.1:{int(port) - 1}", f"10.0.0.1:{port}",
            f"localhost.evil.example:{port}", f"user@127.0.0.1:{port}", f"127.0.0.1:{port}/x", "",
        ):  # fmt: skip
            same = {"Host": host, "Origin": f"http://{host}"}
            with pytest.raises(HTTPClientError) as error:
                await Client(service.url, "seat", room.first.hello, same).open()
            assert error.value.code in (400, 403)
            assert (await post(service.url, {"code": room.code}, same))[0] in (400, 403)
            request = HTTPRequest(f"{service.url}/", headers={"Host": host})
            page = await AsyncHTTPClient().fetch(request, raise_error=False)
            assert page.code in (400, 403)
        for host in (f"localhost:{port}", f"127.0.0.1:{port}"):
            same = {"Host": host, "Origin": f"http://{host}"}
            assert (await post(service.url, {"code": room.code}, same))[0] == 200

    run(lie())


def test_only_this_machine_gets_in_unless_the_network_is_let_in(service: Service) -> None:
    port = int(service.url.rpartition(":")[2])
    addresses = {str(one[4][0]) for one in socket.getaddrinfo(socket.gethostname(), port)}
    for address in addresses - {"127.0.0.1", "127.0.1.1", "::1"}:
        with pytest.raises(OSError, match=r".*"), socket.create_connection((address, port), 5):
            pass


def test_pages_load_nothing_from_elsewhere_and_are_not_kept(service: Service) -> None:
    async def look() -> None:
        for path in (
            "/",
            "/teacher",
            "/projector",
            "/web/join.js",
            "/web/board.js",
            "/web/class.css",
        ):
            page = await AsyncHTTPClient().fetch(f"{service.url}{path}")
            assert page.headers["Cache-Control"] == "no-store"
            assert page.headers["X-Content-Type-Options"] == "nosniff"
            policy = page.headers["Content-Security-Policy"]
            assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self';")
            assert "unsafe" not in policy
            if path in ("/", "/teacher", "/projector"):
                assert b"<script>" not in page.body
                assert b"http" not in page.body.replace(b"http-equiv", b"")
        for path in (
            "/web/../server.py",
            "/web/%2e%2e/server.py",
            "/web/no.js",
            "/qr/BBBBB.svg",
            "/x",
        ):
            page = await AsyncHTTPClient().fetch(f"{service.url}{path}", raise_error=False)
            assert page.code == 404

    run(look())


def test_names_are_cleaned_and_told_apart(service: Service) -> None:
    async def name() -> None:
        async with Teacher(service) as teacher:
            (code,) = await teacher.open_rooms(game="mapominoes", options={"players": 4})
        for given in ("", "  ", "\u202e\u200b", None, 3):
            status, answer = await post(service.url, {"code": code, "name": given})
            assert status == 409
            assert answer == {"error": "Type a name: some letters, so that the others know you."}
        names = ("<b>Zoë</b>\u202e", "zoe", "ZOE", "x" * 5000)
        pupils = [await join(service.url, code, name) for name in names]
        update = await pupils[0].until_shown()
        seats = [seat["name"] for seat in pupils[0].room["seats"]]
        assert seats == ["<b>Zoë</b>", "zoe", "ZOE 2", "x" * 20]
        assert "<b>" not in json.dumps(update["picture"])

    run(name())


def test_a_seat_is_open_on_one_page_at_a_time(service: Service) -> None:
    async def open_twice() -> None:
        room = await room_of(service)
        second = Pupil(service.url, "seat", room.first.hello)
        await second.open()
        assert await room.first.until_closed() == TAKEN_OVER
        await second.until_shown()
        room.first = second
        await room.is_well()

    run(open_twice())
