"""A class of real clients at a real server: whole matches, losses, a restart; nothing gets lost."""

from __future__ import annotations

import asyncio
import csv
import io
from functools import partial
from typing import Any

import pytest

import adjoin
from served import Pupil, Service, Teacher, join, run

ROOMS = 10
WALES: dict[str, Any] = {"nations": ["Wales"], "players": 3}
SHORT: dict[str, Any] = {**WALES, "rounds": 1, "table": [8, 6]}


async def sit_down(service: Service, codes: list[str]) -> list[Pupil]:
    names = ("Ann", "Ben", "Cleo")
    return [await join(service.url, code, name) for code in codes for name in names]


async def play(pupils: list[Pupil]) -> None:
    """Everybody plays; a third of them lose their connection now and then."""
    await asyncio.gather(
        *(pupil.play(0.15 if at % 3 == 0 else 0.0) for at, pupil in enumerate(pupils))
    )


async def until_half(pupils: list[Pupil], decisions: int) -> None:
    while sum(len(pupil.decided) for pupil in pupils) < decisions:
        await asyncio.sleep(0.02)


async def class_plays(service: Service, options: dict[str, Any], decisions: int) -> None:
    async with Teacher(service) as teacher:
        codes = await teacher.open_rooms(ROOMS, game="mapominoes", options=options)
        pupils = await sit_down(service, codes)
        playing = asyncio.gather(play(pupils), return_exceptions=False)
        await until_half(pupils, decisions)

        loop = asyncio.get_running_loop()
        kept = await loop.run_in_executor(None, service.stop)
        assert [room["code"] for room in kept["rooms"]] == codes
        decided = sum(len(room["replay"].splitlines()) - 2 for room in kept["rooms"])
        assert decided >= decisions
        service.start()
        await playing

    async with Teacher(service) as teacher:
        rows = list(csv.DictReader(io.StringIO((await teacher.ask("csv"))["text"])))
    assert len(rows) == 3 * ROOMS
    for pupil in pupils:
        await pupil.close()
    at_end = (await asyncio.get_running_loop().run_in_executor(None, service.stop))["rooms"]
    for number, (before, after) in enumerate(zip(kept["rooms"], at_end, strict=True)):
        had = before["replay"].splitlines()[:-1]
        assert after["replay"].splitlines()[: len(had)] == had
        match = adjoin.Match.from_replay(after["replay"])
        assert match.is_over
        played = {at: match.action_id(action) for at, action in enumerate(match.history)}
        theirs = [one for pupil in pupils[3 * number : 3 * number + 3] for one in pupil.decided]
        assert dict(theirs) == played
        assert len(theirs) == len(played)
        won = [float(row["won"]) for row in rows if row["room"] == str(number + 1)]
        assert sum(won) == pytest.approx(1, abs=0.001)


def test_thirty_pupils_play_while_some_drop_out_and_the_server_is_restarted(
    service: Service,
) -> None:
    run(class_plays(service, SHORT, 200))


@pytest.mark.long
def test_thirty_pupils_play_whole_matches(service: Service) -> None:
    run(class_plays(service, WALES, 800))


def test_nobody_waits_for_the_agents_of_another_room(service: Service) -> None:
    async def play_beside() -> None:
        async with Teacher(service) as teacher:
            othello = {"game": "mapello", "options": {"setup": "othello"}}
            slow, fast = ["person", "search(seconds=5)"], ["person", "greedy"]
            (thinking,) = await teacher.open_rooms(1, **othello, sitters=slow)
            (playing,) = await teacher.open_rooms(1, **othello, sitters=fast)
            ann = await join(service.url, thinking, "Ann")
            first = (await ann.until_shown(lambda update: update["actions"]))["actions"][0]
            await ann.send({"do": "play", "what": first["action"], "number": 0})
            await ann.until_shown(lambda update: update["is_thinking"])
            ben = await join(service.url, playing, "Ben")
            for _ in range(5):
                update = await ben.until_shown(lambda update: update["actions"])
                number, action = update["number"], update["actions"][0]["action"]
                await ben.send({"do": "play", "what": action, "number": number})
                await ben.until_shown(partial(is_after, number))
            assert ann.update is not None
            assert ann.update["is_thinking"]
            kept = await asyncio.get_running_loop().run_in_executor(None, service.stop)
            assert len(kept["rooms"][0]["replay"].splitlines()) == 3  # with the one decision

    run(play_beside())


def is_after(number: int, update: dict[str, Any]) -> bool:
    return bool(update["number"] > number)
