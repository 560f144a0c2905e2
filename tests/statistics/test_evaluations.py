"""What actions are worth: true where it can be solved, blind to what the seat has not seen."""

from __future__ import annotations

import pytest

import adjoin
from scaffold import Variant


def test_perfect_players_make_the_shares_those_of_the_solver() -> None:
    match = adjoin.Match("mapello", setup="othello", seed=2)
    match.play_random(51)
    worth = match.evaluate("alphabeta(depth=12)", episodes=3)
    assert len(worth) > 2
    for row in worth:
        after = match.copy()
        after.play(row.action)
        if after.is_over:
            continue
        score = after.solve().score * (1 if after.to_act == match.to_act else -1)
        assert row.won.value == (score > 0) + 0.5 * (score == 0), row
        assert row.behind.value == worth[worth.best].won.value - row.won.value
    assert {row.won.value for row in worth} == {0, 0.5, 1}


def test_hidden_cards_do_not_leak_into_the_shares(variant: Variant) -> None:
    match = adjoin.Match(variant.game, seed=6, **variant.options)
    match.play_random(7)
    seat = match.to_act
    assert seat is not None
    other = match.copy()
    other.resample_hidden(seat, 3)
    assert other.legal() == match.legal()
    one, two = (each.evaluate("random", episodes=4) for each in (match, other))
    assert one.to_dict() == two.to_dict()


def test_open_hands_are_asked_for() -> None:
    match = adjoin.Match("mapominoes", seed=6, players=4)
    other = match.copy()
    assert match.to_act is not None
    other.resample_hidden(match.to_act, 3)
    one, two = (each.evaluate("greedy", episodes=20, viewer="all") for each in (match, other))
    assert one.to_dict() != two.to_dict()
    with pytest.raises(ValueError, match="viewer = 9"):
        match.evaluate(viewer=9)


def test_an_evaluation_is_the_same_again_and_changes_nothing() -> None:
    match = adjoin.Match("domiphun", seed=2)
    before = match.replay()
    heard: list[tuple[int, int]] = []
    one = match.evaluate(episodes=60, progress=lambda done, total: heard.append((done, total)))
    two = match.evaluate(episodes=60, threads=2)
    assert one.to_dict() == two.to_dict()
    assert match.replay() == before
    assert heard[-1] == (60 * len(one), 60 * len(one))
    assert [row.won.value for row in one] == sorted((row.won.value for row in one), reverse=True)


def test_evaluations_are_printed_drawn_and_tabled() -> None:
    match = adjoin.Match("mapello", seed=4)
    match.play_random(20)
    worth = match.evaluate(episodes=50)
    assert str(worth).splitlines()[2].split()[0] == "action"
    assert "share of the win" in worth._repr_html_()
    assert worth.to_pandas().index.tolist() == [row.action for row in worth]
    assert worth.plot().svg.count("<circle") == min(len(worth), 20)
    board = worth.board().svg
    assert all(f">{100 * row.won.value:.0f}<" in board for row in worth)
    with pytest.raises(adjoin.UnknownNameError, match="no legal action 'z9'"):
        worth["z9"]
    match.play_random()
    with pytest.raises(ValueError, match="the match is over: nobody has to decide"):
        match.evaluate()
