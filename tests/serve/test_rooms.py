"""Rooms without a network: seats, names, undo, timer, results, and what is kept of them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from adjoin.serve.hall import Hall
from adjoin.serve.limits import Bucket, Messages, Tries
from adjoin.serve.rooms import Room, RoomError, Settings, standings
from adjoin.serve.tables import Table
from adjoin.serve.tokens import as_code, hashed, is_token, new_code, new_token
from served import Clock

OTHELLO: dict[str, Any] = {"game": "mapello", "options": {"setup": "othello"}}
WALES: dict[str, Any] = {
    "game": "mapominoes",
    "options": {"nations": ["Wales"], "players": 3, "rounds": 1, "table": [8, 6]},
}


def opened(clock: Clock | None = None, **settings: Any) -> Room:
    return Hall(clock or Clock()).open(Settings.read(settings))[0]


def begun(room: Room, *names: str) -> Table:
    for name in names:
        room.sit_down(name)
    table = room.begin()
    room.moved(table.facts)
    return table


def do(room: Room, table: Table, seat: int, verb: str, what: Any = None) -> dict[str, Any]:
    """Do something as a seat, and return what it gets to see."""
    number = table._session.update(seat)["number"]
    shown = table.answer(seat, {"do": verb, "what": what, "number": number}, [], False, room.rules)
    if shown.facts is not None:
        room.moved(shown.facts)
    return dict(json.loads(shown.updates[seat]))


def play(room: Room, table: Table, seat: int) -> dict[str, Any]:
    return do(room, table, seat, "play", table._session.update(seat)["actions"][0]["action"])


def play_on(room: Room, table: Table) -> None:
    while room.facts is not None and room.facts.to_act is not None:
        if room.facts.is_thinking:
            table.step()
            room.moved(table.facts)
        else:
            play(room, table, room.facts.to_act)


# What a teacher sets.


def test_settings_that_no_room_can_have_are_refused_in_words() -> None:
    for wrong, said in [
        ({"game": "chess"}, 'no game "chess"'),
        ({"game": "ladder"}, 'no game "ladder"'),
        ({**OTHELLO, "options": {"sides": 3}}, 'no option "sides" of mapello'),
        ({**OTHELLO, "options": {"size": 7}}, "size"),
        ({**OTHELLO, "options": 3}, "options"),
        ({**OTHELLO, "sitters": ["person"]}, "1 of them for 2 seats"),
        ({**OTHELLO, "sitters": ["greedy", "greedy"]}, "at least one has to be a person"),
        ({**OTHELLO, "sitters": ["person", "clever"]}, "clever"),
        ({**OTHELLO, "sitters": "person"}, "a list"),
        ({**OTHELLO, "substitute": "nobody"}, "nobody"),
        ({**OTHELLO, "timer": 4}, "5 to 3600"),
        ({**OTHELLO, "timer": True}, "5 to 3600"),
        ({**OTHELLO, "colour": "red"}, "no setting colour"),
    ]:
        with pytest.raises((ValueError, KeyError)) as error:
            Settings.read(wrong)
        assert said in str(error.value)


def test_rooms_are_limited() -> None:
    hall, settings = Hall(), Settings.read(OTHELLO)
    assert len({room.code for room in hall.open(settings, 60)}) == 60
    with pytest.raises(RoomError, match="No more rooms"):
        hall.open(settings)
    for count in (0, -1, True, 10**9):
        with pytest.raises(RoomError):
            Hall().open(settings, count)


# Seats.


def test_a_seat_is_somebodys_until_it_is_given_away() -> None:
    room = opened(**OTHELLO)
    assert room.sit_down("Ann", 1)[0] == 1
    with pytest.raises(RoomError, match="taken"):
        room.sit_down("Ben", 1)
    seat, token = room.sit_down("Ben")
    assert (seat, room.is_full) == (0, True)
    assert room.opens(0, token)
    assert not room.opens(1, token)
    assert token not in json.dumps(room.saved())
    assert token not in json.dumps(room.public())
    with pytest.raises(RoomError, match="You can watch"):
        room.sit_down("Cleo")
    room.stand_up(0)
    assert not room.opens(0, token)
    assert room.sit_down("Cleo")[0] == 0


def test_agents_take_the_seats_that_stay_empty() -> None:
    room = opened(**WALES, sitters=["person", "person", "greedy"], substitute="random")
    with pytest.raises(RoomError, match="Nobody has joined"):
        room.begin()
    table = begun(room, "Ann")
    assert [seat.sitter for seat in room.seats] == ["person", "random", "greedy"]
    assert [seat.name for seat in room.seats] == ["Ann", "Random agent", "Greedy agent"]
    play_on(room, table)
    assert room.state == "over"


def test_an_agent_goes_on_for_somebody_who_has_left() -> None:
    room = opened(**OTHELLO)
    table = begun(room, "Ann", "Ben")
    play(room, table, 0)
    room.hand_over(1)
    with pytest.raises(RoomError, match="last pupil"):
        room.hand_over(0)
    table = room.seated()
    room.moved(table.facts)
    assert room.facts is not None
    assert room.facts.is_thinking
    play_on(room, table)
    assert [row["is_agent"] for row in room.results] == [False, True]


# Undo, hints, the timer.


def test_an_undo_takes_back_agents_never_another_person() -> None:
    room = opened(**OTHELLO, sitters=["person", "greedy"])
    table = begun(room, "Ann")
    play(room, table, 0)
    table.step()
    assert do(room, table, 0, "undo")["number"] == 3
    assert room.facts is not None
    assert room.facts.deciders == []

    room = opened(**OTHELLO)
    table = begun(room, "Ann", "Ben")
    assert not play(room, table, 0)["can_undo"]
    assert "switched off" in do(room, table, 0, "undo")["message"]
    room.change({"undo": True})
    assert json.loads(table.show([0], False, room.rules).updates[0])["can_undo"]
    play(room, table, 1)
    told = do(room, table, 0, "undo")
    assert "Somebody else has decided since" in told["message"]
    assert not told["can_undo"]
    assert do(room, table, 1, "undo")["message"].startswith("Taken back")
    assert do(room, table, 0, "undo")["message"].startswith("Taken back")


def test_time_can_be_called_once_it_has_run_out_and_not_taken_back() -> None:
    clock = Clock()
    room = opened(clock, **WALES, timer=30, undo=True)
    table = begun(room, "Ann", "Ben", "Cleo")
    clock.now += 29
    assert room.timer == {"seconds": 30, "left": 1}
    assert "has not run out" in do(room, table, 2, "timeout")["message"]
    clock.now += 5
    assert room.timer == {"seconds": 30, "left": 0}
    assert room.facts is not None
    first = room.facts.to_act
    do(room, table, 2, "timeout")
    assert room.facts.deciders == [(first, True)]
    assert room.timer == {"seconds": 30, "left": 30}
    assert first is not None
    assert "Somebody else" in do(room, table, first, "undo")["message"]


def test_who_takes_back_what_was_begun_gains_no_time() -> None:
    clock = Clock()
    room = opened(clock, **WALES, timer=30)
    table = begun(room, "Ann", "Ben", "Cleo")
    assert room.facts is not None
    assert room.facts.to_act == 0
    for _ in range(3):
        clock.now += 5
        play(room, table, 0)
        assert room.facts.is_half_made
        do(room, table, 0, "drop")
    assert room.timer == {"seconds": 30, "left": 15}
    while room.facts.to_act == 0:
        play(room, table, 0)
    assert room.timer == {"seconds": 30, "left": 30}


# Results, and a restart.


def test_results_are_kept_for_the_class() -> None:
    hall = Hall()
    (room,) = hall.open(Settings.read({**OTHELLO, "sitters": ["person", "greedy"]}))
    play_on(room, begun(room, "=Ann"))
    room.dealt_anew()
    play_on(room, begun(room))
    assert [row["match"] for row in room.results] == [1, 1, 2, 2]
    assert sum(row["won"] for row in room.results) == 2
    hall.close(room)
    assert len(hall.results()) == 4
    table = standings(hall.results())
    assert {(row["name"], row["matches"]) for row in table} == {("=Ann", 2), ("Greedy agent", 2)}


def test_a_result_is_taken_back_with_the_last_decision() -> None:
    room = opened(**OTHELLO, sitters=["person", "greedy"])
    table = begun(room, "Ann")
    play_on(room, table)
    assert len(room.results) == 2
    do(room, table, 0, "undo")
    assert (room.state, room.results) == ("playing", [])


def test_rooms_go_on_as_they_were() -> None:
    clock = Clock()
    hall = Hall(clock)
    waiting, playing, over = hall.open(Settings.read({**WALES, "timer": 60}), 3)
    seat, token = waiting.sit_down("Ann")
    for name in ("Ben", "Cleo"):
        playing.sit_down(name)
    table = begun(playing, "Dev")
    for _ in range(5):
        assert playing.facts is not None
        assert playing.facts.to_act is not None
        play(playing, table, playing.facts.to_act)
    play_on(over, begun(over, "Eve"))
    clock.now += 20

    later = Hall(other := Clock())
    other.now = 5.0
    later.restore(json.loads(json.dumps(hall.saved())))
    assert list(later.rooms) == list(hall.rooms)
    for before, after in zip(hall.rooms.values(), later.rooms.values(), strict=True):
        assert {**after.public(), "timer": None} == {**before.public(), "timer": None}
        assert after.timer == before.timer
        assert after.facts == before.facts
    assert later.rooms[waiting.code].opens(seat, token)
    again = later.rooms[playing.code]
    play_on(again, again.seated())
    assert again.state == "over"


# Secrets and limits.


def test_secrets_are_kept_as_hashes_and_codes_are_read_in_any_spelling() -> None:
    token = new_token()
    assert is_token(token, hashed(token))
    for wrong in ("", None, hashed(token), token + "x", b"x", 3):
        assert not is_token(wrong, hashed(token))
        assert not is_token(wrong, None)
    code = new_code()
    assert as_code(f" {code[:2].lower()} {code[2:]} ") == code
    assert len({new_code() for _ in range(200)}) > 195


def test_buckets_fill_by_time() -> None:
    clock = Clock()
    bucket = Bucket(2, 0.5, clock)
    assert [bucket.take() for _ in range(3)] == [True, True, False]
    clock.now += 2
    assert [bucket.take(), bucket.take()] == [True, False]
    messages = Messages(clock)
    heard = [messages.take() for _ in range(1000)]
    assert heard[:40] == [True] * 40
    assert heard[40:240] == [False] * 200
    assert heard[240] is None
    tries = Tries(clock)
    for number in range(5000):
        tries.failed(f"10.0.{number // 256}.{number % 256}")
    assert len(tries._buckets) == 4096
    for _ in range(20):
        tries.failed("::1")
    assert not tries.may_try("::1")
    assert tries.may_try("::2")
