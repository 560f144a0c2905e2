"""Whole episodes between built-in agents, as columns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from conftest import Variant

import adjoin

if TYPE_CHECKING:
    from numpy.typing import NDArray


def simulate(variant: Variant, episodes: int, **keywords: Any) -> dict[str, NDArray[Any]]:
    return adjoin.simulate(variant.game, episodes, **keywords, **variant.options)


def frozen(columns: dict[str, NDArray[Any]]) -> dict[str, tuple[Any, ...]]:
    return {name: (c.dtype, c.shape, c.tobytes()) for name, c in columns.items()}


def mixed(variant: Variant) -> list[str]:
    """Return agents that are not all the same."""
    return ["greedy", *["random"] * (variant.batch().spec.seats - 1)]


@pytest.mark.parametrize("threads", [2, 3])
@pytest.mark.parametrize("rotate", [True, False])
def test_any_number_of_threads_gives_the_same_columns(
    variant: Variant, threads: int, rotate: bool
) -> None:
    keywords: dict[str, Any] = {"agents": mixed(variant), "seed": 5, "rotate": rotate}
    one = simulate(variant, 100, **keywords)
    many = simulate(variant, 100, threads=threads, **keywords)
    assert frozen(one) == frozen(many)


def test_a_run_can_be_split(variant: Variant) -> None:
    whole = simulate(variant, 90, agents=mixed(variant), seed=5)
    for cut in (1, 31, 89):
        begin = simulate(variant, cut, agents=mixed(variant), seed=5, threads=2)
        end = simulate(variant, 90 - cut, agents=mixed(variant), seed=5, first=cut, threads=3)
        joined = {name: np.concatenate([begin[name], end[name]]) for name in whole}
        assert frozen(joined) == frozen(whole)


def test_more_threads_than_episodes_work(variant: Variant) -> None:
    assert frozen(simulate(variant, 2)) == frozen(simulate(variant, 2, threads=8))


def test_seeds_give_different_episodes(variant: Variant) -> None:
    first, second = (simulate(variant, 50, seed=seed) for seed in (0, 1))
    assert first["decisions"].tolist() != second["decisions"].tolist()


def test_columns_have_an_entry_an_episode(variant: Variant) -> None:
    seats = variant.batch().spec.seats
    columns = simulate(variant, 40)
    assert {name: column.shape for name, column in columns.items()} == {
        "returns": (40, seats),
        "first_agent": (40,),
        "decisions": (40,),
        "status": (40,),
    }
    assert columns["returns"].dtype == np.float32
    assert all(columns[name].dtype.kind == "u" for name in ("first_agent", "decisions", "status"))
    assert set(columns["status"].tolist()) == {adjoin.OVER}


def test_the_first_agent_moves_on_by_a_seat_from_episode_to_episode(variant: Variant) -> None:
    seats = variant.batch().spec.seats
    rotated = simulate(variant, 3 * seats)["first_agent"]
    steps = {int(step) for step in np.diff(rotated.astype(int)) % seats}
    assert steps in ({1}, {seats - 1})
    fixed = simulate(variant, 3 * seats, rotate=False)["first_agent"]
    assert fixed.tolist() == [0] * (3 * seats)


def test_one_name_is_for_all_seats(variant: Variant) -> None:
    seats = variant.batch().spec.seats
    for agent in adjoin.agents():
        short = simulate(variant, 20, agents=agent)
        assert frozen(short) == frozen(simulate(variant, 20, agents=[agent] * seats))


def test_returns_belong_to_seats_not_to_agents() -> None:
    fixed = adjoin.simulate("mapello", 400, ["greedy", "random"], rotate=False)["returns"]
    swapped = adjoin.simulate("mapello", 400, ["random", "greedy"], rotate=False)["returns"]
    assert fixed[:, 0].mean() > 0.5
    assert swapped[:, 1].mean() > 0.5


def test_mapello_returns_are_a_win_a_loss_or_a_draw() -> None:
    returns = adjoin.simulate("mapello", 2000)["returns"]
    assert {tuple(row) for row in returns.tolist()} == {(1, -1), (-1, 1), (0, 0)}


def test_othello_games_take_the_usual_number_of_decisions() -> None:
    decisions = adjoin.simulate("mapello", 1000, setup="othello")["decisions"]
    assert 55 < decisions.mean() < 65


def test_a_limit_cuts_episodes_off(variant: Variant) -> None:
    columns = simulate(variant, 60, limit=8)
    whole = simulate(variant, 60)
    cut = columns["status"] == adjoin.CUT_OFF
    assert cut.any()
    assert (columns["decisions"][cut] == 8).all()
    assert (columns["decisions"] == np.minimum(whole["decisions"], 8)).all()
    assert (cut == (whole["decisions"] > 8)).all()


def test_greedy_beats_random_from_either_seat() -> None:
    columns = adjoin.simulate("mapello", 1000, ["greedy", "random"], seed=1, threads=2)
    won = columns["returns"][np.arange(1000), columns["first_agent"]] > 0
    assert won.mean() >= 0.85
    for seat in (0, 1):
        assert won[columns["first_agent"] == seat].mean() >= 0.8


@pytest.mark.parametrize("variant", ["traditional", "standard", "advanced"])
def test_greedy_wins_seventy_in_a_hundred_at_domiphun(variant: str) -> None:
    columns = adjoin.simulate("domiphun", 1000, ["greedy", "random"], threads=2, variant=variant)
    won = columns["returns"][np.arange(1000), columns["first_agent"]] > 0
    assert won.mean() >= 0.7


SEATED: dict[str, tuple[range, dict[str, Any]]] = {
    "mapominoes": (range(2, 6), {"nations": ["Wales"], "rounds": 1}),
    "metro_domino": (range(2, 5), {}),
    "domiphun": (range(2, 5), {"variant": "advanced"}),
    "connections": (range(3, 7), {"max_turns": 12, "trading": False}),
}
"""Games for several players: how many, and options under which an episode is short."""

AT_THE_TABLE = [(game, players) for game, (numbers, _) in SEATED.items() for players in numbers]


@pytest.mark.parametrize(("game", "players"), AT_THE_TABLE)
def test_greedy_beats_random_from_every_seat_at_the_table(game: str, players: int) -> None:
    agents = ["greedy", *["random"] * (players - 1)]
    options: dict[str, Any] = {**SEATED[game][1], "players": players}
    columns = adjoin.simulate(game, 600, agents, seed=1, threads=2, **options)
    returns, first = columns["returns"], columns["first_agent"]
    assert returns.shape == (600, players)
    for seat in range(players):
        mine = returns[first == seat]
        assert len(mine) == pytest.approx(600 / players, abs=1)
        assert mine[:, seat].mean() > np.delete(mine, seat, axis=1).mean(axis=0).max()


@pytest.mark.parametrize(("game", "players"), AT_THE_TABLE)
def test_agents_keep_their_seats_without_rotation(game: str, players: int) -> None:
    options: dict[str, Any] = {**SEATED[game][1], "players": players}
    for seat in range(players):
        agents = ["random"] * players
        agents[seat] = "greedy"
        returns = adjoin.simulate(game, 300, agents, rotate=False, **options)["returns"]
        assert returns.mean(axis=0).argmax() == seat


def test_returns_stay_within_what_a_match_can_earn(variant: Variant) -> None:
    spec = variant.batch().spec
    for agents in ("random", mixed(variant)):
        returns = simulate(variant, 60, agents=agents, seed=3)["returns"]
        assert spec.lowest <= returns.min() < returns.max() <= spec.highest


@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        ({"episodes": 0}, "^episodes = 0: must be 1 to"),
        ({"episodes": 2**32}, "^episodes = 4294967296: must be 1 to"),
        ({"first": -1}, "^first = -1: must be 0 to"),
        ({"threads": 0}, "^threads = 0: must be 1 to 256"),
        ({"limit": 0}, "^limit = 0: must be 1 to"),
        ({"seed": -1}, "^seed = -1: must be 0 to"),
        ({"seed": 2**64}, "^seed = 18446744073709551616: must be 0 to"),
        ({"agents": "oracle"}, 'unknown agent "oracle": the agents are random, greedy'),
        ({"agents": []}, "^agents = 0 names: must be one name for each"),
        ({"agents": ["random"] * 9}, "^agents = 9 names: must be one name for each"),
        ({"gmaes": 1}, "unknown option `gmaes`"),
        ({"game": "chess"}, 'unknown game "chess"'),
    ],
    ids=str,
)
def test_what_cannot_be_simulated_is_refused(
    game: str, keywords: dict[str, Any], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        adjoin.simulate(**{"game": game, "episodes": 10, **keywords})


@pytest.mark.parametrize(
    "keywords", [{"episodes": 1.5}, {"agents": [None, "random"]}, {"agents": 7}]
)
def test_what_is_of_a_wrong_type_is_refused(game: str, keywords: dict[str, Any]) -> None:
    with pytest.raises(TypeError):
        adjoin.simulate(**{"game": game, "episodes": 10, **keywords})
