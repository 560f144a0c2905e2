"""Everything that every connection received, searched for what its owner may not know."""

from __future__ import annotations

import asyncio
import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import adjoin
from adjoin import _core
from interfaces import names, unseen
from scaffold import THREE_IN_WALES
from served import Client, Pupil, Service, Teacher, join, run

WORDS = ("status", "message", "news", "actions", "picked", "hint", "about", "typed")
"""What is said about this moment; the log goes back to earlier rounds."""
TOOLTIP = re.compile("<title>.*?</title>")
"""What a card that all have seen borders."""
PLACE = re.compile(r'data-(?:place|thing)="([^"]*)"')
OPTIONS: dict[str, dict[str, Any]] = {
    "mapominoes": {**THREE_IN_WALES, "table": [8, 6]},
    "domiphun": {"variant": "traditional"},  # no two pieces alike
    "connections": {"max_turns": 2},
}
"""Options under which a match is short, and every card has a name of its own."""
NICKNAMES = [f"pupil {number}" for number in "abcdef"]


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    started = Service(Path(tmp_path_factory.mktemp("hidden")))
    yield started
    started.close()


class Table:
    """A room in which all seats are people, with an onlooker."""

    def __init__(self, pupils: list[Pupil], onlooker: Client) -> None:
        self.pupils, self.onlooker = pupils, onlooker

    async def play(self) -> None:
        await asyncio.gather(*(pupil.play() for pupil in self.pupils))
        await self.onlooker.until_shown(lambda update: update["is_over"])

    async def leave(self) -> None:
        for client in (*self.pupils, self.onlooker):
            await client.close()

    def updates(self, client: Client) -> dict[int, list[dict[str, Any]]]:
        """Return what a connection was shown, by the number of the decision."""
        found: dict[int, list[dict[str, Any]]] = {}
        for message in map(json.loads, client.texts):
            if message["kind"] == "update":
                found.setdefault(message["update"]["number"], []).append(message["update"])
        return found


async def matches(service: Service, game: str, count: int) -> list[tuple[Table, str]]:
    """Play matches at once, and return their tables and the codes of the rooms."""
    async with Teacher(service) as teacher:
        options = OPTIONS.get(game, {})
        codes = await teacher.open_rooms(count, game=game, options=options)
        seats = adjoin.Match(game, **options).spec.seats
        tables = []
        for code in codes:
            onlooker = Client(service.url, "watch", {"code": code})
            await onlooker.open()
            pupils = [await join(service.url, code, NICKNAMES[seat]) for seat in range(seats)]
            tables.append(Table(pupils, onlooker))
        await asyncio.gather(*(table.play() for table in tables))
        for table in tables:
            await table.leave()
    return list(zip(tables, codes, strict=True))


def search(table: Table, replay: str) -> Counter[str]:
    """Look for hidden cards in what a table's connections got; return how much was looked at."""
    looked: Counter[str] = Counter()
    match = adjoin.Match.from_replay(replay, 0)
    history = adjoin.Match.from_replay(replay).history
    seats = match.spec.seats
    shown = [table.updates(pupil) for pupil in table.pupils]
    watched = table.updates(table.onlooker)
    for number in range(len(history) + 1):
        session = _core.Session(match._core, ["person"] * seats, NICKNAMES[:seats])
        cards = [unseen(match, seat) for seat in range(seats)]
        for seat in range(seats):
            own = session.update(seat)
            for update in shown[seat].get(number, []):
                assert update == {**own, "can_undo": False, "can_hint": True, "has_timer": False}
                assert_hidden(update, cards[seat])
                looked["updates"] += 1
                looked["cards"] += len(cards[seat])
        for update in watched.get(number, []):
            assert update == json.loads(json.dumps(session.watch()))
            assert update["seat"] is None
            assert not update["actions"]
            assert_hidden(update, set().union(*cards))
            for piece in update["picture"]["pieces"]:
                assert piece["role"] != "hand"
            looked["watched"] += 1
        if number < len(history):
            match.play(history[number])
    return looked


def assert_hidden(update: dict[str, Any], cards: set[str]) -> None:
    words = json.dumps([update[word] for word in WORDS], ensure_ascii=False)
    words = words.split(" is over; ")[-1]  # in this round
    words = re.sub(r"transit (card for )?|region ", "through-", words)  # any county, held or not
    pieces = update["picture"]["pieces"]
    places = {name for piece in pieces for name in PLACE.findall(piece["svg"])}
    seats = TOOLTIP.sub("", " ".join(one["svg"] for one in pieces if one["role"] == "seat"))
    for card in cards:
        assert not names(words, card), (card, words)
        assert not names(seats, card), (card, seats)
        assert not {f"{kind}{card}" for kind in ("", "card ", "tile ", "domino ")} & places, card


def played(service: Service, game: str, count: int) -> Counter[str]:
    tables = run(matches(service, game, count))
    rooms = {room["code"]: room for room in service.stop()["rooms"]}
    service.start()

    async def end() -> None:
        async with Teacher(service) as teacher:
            for _, code in tables:
                await teacher.ask("end", code=code)

    run(end())
    looked: Counter[str] = Counter()
    for table, code in tables:
        looked += search(table, rooms[code]["replay"])
    return looked


def test_no_connection_is_shown_a_hidden_card(service: Service, game: str) -> None:
    looked = played(service, game, 6)
    print(game, looked)
    assert looked["updates"] > 6 * 20
    assert looked["watched"] > 6


@pytest.mark.long
def test_no_connection_is_shown_a_hidden_card_in_a_thousand_matches(
    service: Service, game: str
) -> None:
    looked: Counter[str] = Counter()
    for _ in range(10):
        looked += played(service, game, 20)
    print(game, looked)
    assert looked["updates"] > 200 * 20
