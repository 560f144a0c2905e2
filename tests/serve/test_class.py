"""A class of real clients at a real server: whole matches, losses, a restart; nothing gets lost."""

from __future__ import annotations

import asyncio
import csv
import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import adjoin
from served import Pupil, Service, Teacher, join, run

ROOMS = 10
WALES: dict[str, Any] = {"nations": ["Wales"], "players": 3}
SHORT: dict[str, Any] = {**WALES, "rounds": 1, "table": [8, 6]}


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    started = Service(tmp_path)
    yield started
    started.close()


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
