"""Matches that go on from a position: by chance of their own, the same wherever they are played."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import adjoin
from scaffold import Variant


def begun(variant: Variant, decisions: int = 5) -> adjoin.Match:
    match = adjoin.Match(variant.game, seed=4, **variant.options)
    match.play_random(decisions)
    return match


@pytest.mark.smoke
def test_every_episode_is_the_branch_of_its_number(variant: Variant) -> None:
    match = begun(variant)
    table = adjoin.simulate(variant.game, 4, seed=7, start=match, record="decisions")
    for episode in range(4):
        alone = match.branch(7, episode)
        alone.play_random()
        rows = table[table["episode"] == episode]
        assert rows["words"].tolist() == alone.history
    last = table.replay(len(table) - 1)
    assert last.history == alone.history
    assert last.is_over


def test_what_a_seat_has_not_seen_is_guessed_anew(variant: Variant) -> None:
    match = begun(variant)
    seat = match.to_act
    assert seat is not None
    open_hands = {str(match.branch(7, episode).view("all")) for episode in range(5)}
    assert len(open_hands) == 1
    guesses = [match.branch(7, episode, seat) for episode in range(5)]
    assert len({str(guess.view(seat)) for guess in guesses}) == 1
    has_guesses = len({str(guess.view("all")) for guess in guesses}) > 1
    copy = match.copy()
    copy.resample_hidden(seat, 1)
    assert has_guesses == (copy.view("all") != {**match.view("all"), "last": None})
    table = adjoin.simulate(variant.game, 3, seed=7, start=match, viewer=seat, record="decisions")
    guesses[2].play_random()
    assert table.replay(-1).history == guesses[2].history


def test_parts_threads_and_executors_change_nothing() -> None:
    match = begun(Variant("mapominoes", {}), 9)
    run: Any = {"seed": 3, "start": match, "viewer": 1, "agents": ["greedy", "random"]}
    whole = adjoin.simulate("mapominoes", 30, **run)
    parts = [adjoin.simulate("mapominoes", 10, first=n, threads=2, **run) for n in (0, 10, 20)]
    assert adjoin.Table.join(parts) == whole
    assert (
        adjoin.Table.join(list(adjoin.simulate("mapominoes", 30, stream=True, part=7, **run)))
        == whole
    )
    assert set(whole["agent_0"]) == {"greedy", "random"}


def test_a_position_is_a_start_too() -> None:
    match = adjoin.Match("mapello", seed=5)
    match.play_random(20)
    one = adjoin.simulate("mapello", 10, start=match.position())
    assert len(set(one["decisions"])) > 1
    assert one["decisions"].max() < 50
    states = one.recorded("states")
    assert set(states["walls"]) == {match.position().count("#")}
    assert (
        states["empty"][0]
        == adjoin.simulate("mapello", 1, seed=9, start=match, record="states")["empty"][0]
    )


def test_a_match_without_chance_from_one_position_is_one_match() -> None:
    match = adjoin.Match("mapello", setup="othello")
    match.play_random(50)
    notice = adjoin.simulate("mapello", 20, "alphabeta(depth=8)", start=match).summary().notice
    assert "1 distinct match" in notice


@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        ({"start": 3}, "start = 3: must be a match, or a position as text"),
        ({"viewer": 0}, "viewer = 0: only with start, which says where matches begin"),
        ({"start": adjoin.Match("mapello"), "viewer": 2}, "viewer = 2: must be 0 to 1"),
        (
            {"start": adjoin.Match("domiphun")},
            "start is a match of domiphun: must be one of mapello",
        ),
        (
            {"start": adjoin.Match("mapello"), "jokers": 0},
            r"start is a match with other options \(jokers\): leave them out",
        ),
        ({"start": "no board"}, "row 1, column 1: unknown character 'n'"),
    ],
)
def test_a_start_that_is_none_is_refused(keywords: dict[str, Any], message: str) -> None:
    with pytest.raises((TypeError, ValueError), match=message):
        adjoin.simulate("mapello", 3, **keywords)


def test_a_match_that_is_over_has_no_sequel() -> None:
    over = adjoin.Match("mapello")
    over.play_random()
    with pytest.raises(ValueError, match="start is a match that is over: nothing can follow"):
        adjoin.simulate("mapello", 3, start=over)


def test_options_that_the_start_has_too_are_fine() -> None:
    match = adjoin.Match("mapello", jokers=0)
    table = adjoin.simulate("mapello", 3, start=match, jokers=0)
    assert table.options["jokers"] == 0


def test_states_tell_what_the_table_was_like(variant: Variant) -> None:
    table = adjoin.simulate(variant.game, 3, "greedy", seed=2, record="states", **variant.options)
    plain = table.recorded("decisions")
    assert table.columns[: len(plain.columns)] == plain.columns
    assert all(np.array_equal(table[name], plain[name]) for name in plain)
    own = table.columns[len(plain.columns) :]
    assert own
    assert all("before the decision" in table.meanings[name] for name in own)
    summary, less = table.summary(), plain.summary()
    names = [row.what for row in less][:-1]
    assert [row.what for row in summary] == [*names, *own, "distinct matches"]
    assert summary[own[0]].value == pytest.approx(table[own[0]].mean())


def test_only_some_columns_are_kept() -> None:
    table = adjoin.simulate("mapello", 3, record="states", columns=["discs", "moves", "legal"])
    assert table.columns == (
        *("episode", "digest", "ply", "seat", "agent", "legal", "discs_0", "discs_1", "moves"),
    )
    assert np.array_equal(table["moves"][table["moves"] > 0], table["legal"][table["moves"] > 0])
    assert len(table.replay(3).history) == 4
    with pytest.raises(ValueError, match="columns: no 'disc' here; there are episode, digest, ply"):
        adjoin.simulate("mapello", 3, record="states", columns=["disc"])
    with pytest.raises(TypeError, match="columns = 'discs': must be a list of names"):
        adjoin.simulate("mapello", 3, record="states", columns="discs")


def test_matches_are_recorded_anew_by_their_numbers() -> None:
    table = adjoin.simulate("mapello", 300, ["greedy", "random"], seed=2, first=50)
    some = table[[200, 3, 4, 299]]
    again = some.recorded("decisions")
    assert np.unique(again["episode"]).tolist() == [53, 54, 250, 349]
    assert len(again) == int(some["decisions"].sum())
    clock = adjoin.simulate("mapello", 2, "search(seconds=0.001)", setup="othello")
    with pytest.raises(ValueError, match="went differently this time"):
        clock.recorded("decisions")
