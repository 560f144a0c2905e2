"""Whole matches between agents, as tables."""

from __future__ import annotations

import pickle
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import adjoin
from adjoin import Table
from scaffold import BRIEF, ONE_CARD_EACH, Variant, cases

if TYPE_CHECKING:
    from numpy.typing import NDArray

SHORT = [Variant(game, BRIEF.get(game, {})) for game in adjoin.games()]
"""Every game, with options under which a match is short."""


def simulate(variant: Variant, episodes: int, **keywords: Any) -> Table:
    table: Table = adjoin.simulate(variant.game, episodes, **keywords, **variant.options)
    return table


def mixed(variant: Variant) -> list[str]:
    """Return agents that are not all the same."""
    return ["greedy", *["random"] * (variant.match().spec.seats - 1)]


def won(table: Table, agent: str) -> NDArray[Any]:
    """Return the shares of the win of an agent that sits at one seat."""
    seats = table.by_seat()
    shares: NDArray[Any] = seats["won"][seats["agent"] == agent]
    return shares


@cases("record", ["episodes", "decisions"])
def test_any_number_of_threads_gives_the_same_bytes(brief: Variant, record: str) -> None:
    keywords = {"agents": mixed(brief), "seed": 5, "record": record}
    one = simulate(brief, 40, **keywords)
    for threads in (2, 3):
        assert simulate(brief, 40, threads=threads, **keywords) == one


def test_a_run_can_be_split(brief: Variant) -> None:
    whole = simulate(brief, 60, agents=mixed(brief), seed=5)
    for cut in (1, 31, 59):
        begin = simulate(brief, cut, agents=mixed(brief), seed=5, threads=2)
        end = simulate(brief, 60 - cut, agents=mixed(brief), seed=5, first=cut, threads=3)
        assert Table.join([begin, end]) == whole
    assert simulate(brief, 60, agents=mixed(brief), seed=5, part=7) == whole


def test_pools_of_threads_and_processes_give_the_same_bytes(game: str) -> None:
    options: dict[str, Any] = {"seed": 2, "record": "decisions"}
    whole = adjoin.simulate(game, 24, **options)
    with ThreadPoolExecutor(2) as pool:
        assert adjoin.simulate(game, 24, executor=pool, **options) == whole
    with ProcessPoolExecutor(2, get_context("spawn")) as pool:
        assert adjoin.simulate(game, 24, executor=pool, part=5, **options) == whole


def test_a_pool_needs_no_more_than_map() -> None:
    class Plain:
        map = staticmethod(map)

    table = adjoin.simulate("mapello", 300, executor=Plain(), part=100)
    assert table == adjoin.simulate("mapello", 300)


def test_more_threads_than_episodes_work(brief: Variant) -> None:
    assert simulate(brief, 2) == simulate(brief, 2, threads=8)


def test_seeds_give_different_episodes(brief: Variant) -> None:
    first, second = (simulate(brief, 50, seed=seed) for seed in (0, 1))
    assert first["decisions"].tolist() != second["decisions"].tolist()


def test_a_table_survives_pickling(brief: Variant) -> None:
    table = simulate(brief, 5)
    again = pickle.loads(pickle.dumps(table))
    assert again == table
    assert again.replay(3).returns == table.replay(3).returns


def test_columns_have_an_entry_an_episode(brief: Variant) -> None:
    seats = brief.match().spec.seats
    table = simulate(brief, 40, first=3, seed=9)
    assert len(table) == 40
    assert table["seed"].tolist() == [9] * 40
    assert table["episode"].tolist() == list(range(3, 43))
    for name in ("agent", "won", "return", "score"):
        assert table.each_seat(name).shape == (40, seats)
    assert (table["rounds"] >= 1).all()
    assert (table["turns"] <= table["decisions"]).all()
    assert "cut off" not in table["ended"]
    assert set(table.columns) == set(table.meanings)
    assert all(table.meanings.values())


def test_the_win_is_shared_by_those_who_earned_most(brief: Variant) -> None:
    table = simulate(brief, 60, agents=mixed(brief), seed=4)
    returns, shares = table.each_seat("return"), table.each_seat("won")
    best = returns == returns.max(axis=1, keepdims=True)
    assert np.allclose(shares, best / best.sum(axis=1, keepdims=True))
    alone = best.sum(axis=1) == 1
    assert (table["winner"] == np.where(alone, best.argmax(axis=1), -1)).all()


def test_agents_move_on_by_a_seat_from_episode_to_episode(brief: Variant) -> None:
    seats = brief.match().spec.seats
    agents = simulate(brief, 3 * seats, agents=mixed(brief)).each_seat("agent")
    assert ((agents == "greedy").sum(axis=1) == 1).all()
    at = (agents == "greedy").argmax(axis=1)
    assert {int(step) for step in np.diff(at) % seats} in ({1}, {seats - 1})
    fixed = simulate(brief, 3 * seats, agents=mixed(brief), rotate=False)
    assert set(fixed["agent_0"]) == {"greedy"}


def test_one_name_is_for_all_seats(brief: Variant) -> None:
    seats = brief.match().spec.seats
    for agent in ("random", "greedy", "search(iterations=2, depth=1)"):
        short = simulate(brief, 3, agents=agent, max_decisions=40)
        assert short == simulate(brief, 3, agents=[agent] * seats, max_decisions=40)


def share(*agents: str) -> float:
    """Return how many of 400 short matches of Mapominoes the first of two agents wins."""
    table = adjoin.simulate("mapominoes", 400, [*agents], nations=["Wales"], rounds=1, seed=3)
    names, winners = table["agent_0"].tolist(), table["winner"].tolist()
    won = [winner == (name != agents[0]) for name, winner in zip(names, winners, strict=True)]
    return float(sum(won)) / len(won)


def test_an_easy_opponent_stands_between_random_and_greedy() -> None:
    assert share("easy", "random") > 0.6
    assert share("greedy", "easy") > 0.6
    assert share("easy(miss=0.1)", "easy(miss=0.9)") > 0.6
    with pytest.raises(ValueError, match=r"miss=2: must be a number from 0 to 1"):
        adjoin.simulate("mapominoes", 1, ["easy(miss=2)", "random"])


def test_returns_belong_to_seats_not_to_agents() -> None:
    fixed = adjoin.simulate("mapello", 400, ["greedy", "random"], rotate=False)
    swapped = adjoin.simulate("mapello", 400, ["random", "greedy"], rotate=False)
    assert fixed["return_0"].mean() > 0.5
    assert swapped["return_1"].mean() > 0.5


def test_mapello_returns_are_a_win_a_loss_or_a_draw() -> None:
    returns = adjoin.simulate("mapello", 2000).each_seat("return")
    assert {tuple(row) for row in returns.tolist()} == {(1, -1), (-1, 1), (0, 0)}


def test_othello_games_take_the_usual_number_of_decisions() -> None:
    decisions = adjoin.simulate("mapello", 1000, setup="othello")["decisions"]
    assert 55 < decisions.mean() < 65


def test_a_limit_cuts_episodes_off(brief: Variant) -> None:
    table = simulate(brief, 60, max_decisions=8)
    whole = simulate(brief, 60)
    cut = table["ended"] == "cut off"
    assert cut.any()
    assert (table["decisions"][cut] == 8).all()
    assert (table["decisions"] == np.minimum(whole["decisions"], 8)).all()
    assert (cut == (whole["decisions"] > 8)).all()
    assert (table["winner"][cut] == -1).all()
    assert not table.each_seat("won")[cut].any()


def test_decisions_tell_the_match_again(variant: Variant) -> None:
    table = simulate(variant, 4, agents=mixed(variant), record="decisions", seed=6)
    episodes = simulate(variant, 4, agents=mixed(variant), seed=6)
    for number in range(4):
        rows = np.flatnonzero(table["episode"] == number)
        match = adjoin.Match(variant.game, seed=6, episode=number, **variant.options)
        rewards = np.zeros(match.spec.seats)
        for ply, row in enumerate(rows):
            assert table["ply"][row] == ply
            assert table["seat"][row] == match.to_act
            assert table["agent"][row] == episodes[f"agent_{match.to_act}"][number]
            assert table["legal"][row] == len(match.legal())
            rewards[table["seat"][row]] += table["reward"][row]
            match.play(int(table["action"][row]))
            assert match.history[-1] == table["words"][row]
            standing = [int(table[f"standing_{seat}"][row]) for seat in range(match.spec.seats)]
            assert standing == match.standing()
        assert match.is_over
        assert episodes["decisions"][number] == len(rows)
        acted = sorted({int(seat) for seat in table["seat"][rows]})
        returns = episodes.each_seat("return")[number]
        assert rewards[acted] == pytest.approx(returns[acted], abs=1e-5)


@cases("most", [1, 5, 10_000])
@cases("variant", [*SHORT, Variant("mapominoes", ONE_CARD_EACH)])
def test_the_rewards_of_every_seat_are_its_return(variant: Variant, most: int) -> None:
    keywords: dict[str, Any] = {"agents": mixed(variant), "seed": 2, "max_decisions": most}
    episodes = simulate(variant, 12, **keywords)
    decisions = simulate(variant, 12, record="decisions", **keywords)
    returns, earned = episodes.each_seat("return"), decisions.each_seat("reward")
    for number in range(12):
        rows = decisions["episode"] == number
        assert earned[rows].sum(axis=0) == pytest.approx(returns[number], abs=1e-5)
        for seat in set(decisions["seat"][rows]):
            own = decisions["reward"][rows & (decisions["seat"] == seat)].sum()
            assert own == pytest.approx(returns[number, seat], abs=1e-5)


def test_a_seat_that_never_decides_is_rewarded_in_the_summary() -> None:
    keywords: dict[str, Any] = {"seed": 1, "atlas": ONE_CARD_EACH["atlas"], "table": (3, 3)}
    agents = ["greedy", "random"]
    episodes = adjoin.simulate("mapominoes", 60, agents, rounds=1, **keywords)
    decisions = adjoin.simulate("mapominoes", 60, agents, rounds=1, record="decisions", **keywords)
    seen = [set(decisions["seat"][decisions["episode"] == number]) for number in range(60)]
    assert any(seats != {0, 1} for seats in seen), "some seat never decides"
    by_seat = episodes.by_seat()
    for agent in agents:
        earned = by_seat["return"][by_seat["agent"] == agent].mean()
        assert decisions.summary()[f"reward, {agent}"].value == pytest.approx(earned, abs=1e-6)


def test_a_row_is_played_again(variant: Variant) -> None:
    table = simulate(variant, 20, agents=mixed(variant), seed=8, first=5)
    match = table.replay(-1)
    assert match.is_over
    assert match.returns == table.each_seat("return")[-1].tolist()
    assert len(match.history) == table["decisions"][-1]
    assert adjoin.Match.from_replay(match.replay()).returns == match.returns
    decisions = simulate(variant, 2, record="decisions", seed=8)
    row = len(decisions) - 3
    assert decisions.replay(row).history[-1] == decisions["words"][row]
    with pytest.raises(IndexError):
        table.replay(20)


@pytest.mark.smoke
def test_greedy_beats_random_from_either_seat() -> None:
    table = adjoin.simulate("mapello", 1000, ["greedy", "random"], seed=1, threads=2)
    seats = table.by_seat()
    for seat in (0, 1):
        mine = (seats["agent"] == "greedy") & (seats["seat"] == seat)
        assert seats["won"][mine].mean() >= 0.8


@cases("variant", ["traditional", "standard", "advanced"])
def test_greedy_wins_seventy_in_a_hundred_at_domiphun(variant: str) -> None:
    table = adjoin.simulate("domiphun", 1000, ["greedy", "random"], threads=2, variant=variant)
    assert (won(table, "greedy") == 1).mean() >= 0.7


SEARCHES: dict[str, tuple[int, str, dict[str, Any]]] = {
    "mapello": (24, "search(iterations=60)", {}),
    "mapominoes": (16, "search(iterations=20)", {"nations": ["Wales"], "rounds": 1}),
}
"""Games in which a short search is much better than greedy: how many, who, and options."""


@cases("game", SEARCHES)
def test_search_beats_greedy(game: str) -> None:
    games, search, options = SEARCHES[game]
    table = adjoin.simulate(game, games, [search, "greedy"], seed=1, threads=2, **options)
    assert won(table, search).mean() >= 0.75


def test_search_by_the_clock_plays_whole_games() -> None:
    table = adjoin.simulate("mapello", 1, ["search(seconds=0.001)", "random"])
    assert table["ended"][0] != "cut off"


SEATED: dict[str, tuple[range, dict[str, Any]]] = {
    "mapominoes": (range(2, 6), {"nations": ["Wales"], "rounds": 1}),
    "metro_domino": (range(2, 5), {}),
    "domiphun": (range(2, 5), {"variant": "advanced"}),
    "connections": (range(3, 7), {"max_turns": 12, "trading": False}),
}
"""Games for several players: how many, and options under which an episode is short."""

AT_THE_TABLE = [(game, players) for game, (numbers, _) in SEATED.items() for players in numbers]


@cases(("game", "players"), AT_THE_TABLE)
def test_greedy_beats_random_from_every_seat_at_the_table(game: str, players: int) -> None:
    agents = ["greedy", *["random"] * (players - 1)]
    options: dict[str, Any] = {**SEATED[game][1], "players": players}
    table = adjoin.simulate(game, 600, agents, seed=1, threads=2, **options)
    returns = table.each_seat("return")
    assert returns.shape == (600, players)
    for seat in range(players):
        mine = returns[table[f"agent_{seat}"] == "greedy"]
        assert len(mine) == pytest.approx(600 / players, abs=1)
        assert mine[:, seat].mean() > np.delete(mine, seat, axis=1).mean(axis=0).max()


@cases(("game", "players"), AT_THE_TABLE)
def test_agents_keep_their_seats_without_rotation(game: str, players: int) -> None:
    options: dict[str, Any] = {**SEATED[game][1], "players": players}
    for seat in range(players):
        agents = ["random"] * players
        agents[seat] = "greedy"
        table = adjoin.simulate(game, 300, agents, rotate=False, **options)
        assert table.each_seat("return").mean(axis=0).argmax() == seat


def first_legal(observations: NDArray[Any], masks: NDArray[Any]) -> NDArray[Any]:
    first: NDArray[Any] = masks.argmax(axis=1)
    return first


def test_a_function_is_an_agent(brief: Variant) -> None:
    seats = brief.match().spec.seats
    agents: list[Any] = [first_legal, *["random"] * (seats - 1)]
    one = simulate(brief, 30, agents=agents, seed=2)
    assert simulate(brief, 30, agents=agents, seed=2, threads=2) == one
    assert simulate(brief, 30, agents=agents, seed=2, part=4) == one
    assert set(one.each_seat("agent").ravel()) == {"first_legal", "random"}
    decisions = simulate(brief, 3, agents=agents, seed=2, record="decisions")
    for row in np.flatnonzero(decisions["agent"] == "first_legal")[:50]:
        ply = int(decisions["ply"][row])
        start = row - ply
        match = adjoin.Match(
            brief.game, seed=2, episode=int(decisions["episode"][row]), **brief.options
        )
        match.play(*decisions["action"][start:row].tolist())
        assert match.legal()[0] == decisions["words"][row]


def test_a_function_is_an_agent_in_another_process() -> None:
    agents: list[Any] = [first_legal, "random"]
    with ProcessPoolExecutor(2, get_context("spawn")) as pool:
        there = adjoin.simulate("mapello", 20, agents, executor=pool)
    assert there == adjoin.simulate("mapello", 20, agents)


def test_a_function_sees_what_its_seat_sees() -> None:
    spec = adjoin.Batch("mapominoes").spec
    seen: list[tuple[Any, Any]] = []

    def look(observations: NDArray[Any], masks: NDArray[Any]) -> NDArray[Any]:
        assert observations.shape == (len(masks), spec.observation.size)
        assert masks.shape[1] == spec.actions.size
        seen.append((observations[0], masks[0]))
        return first_legal(observations, masks)

    adjoin.simulate("mapominoes", 1, [look, "random"], rotate=False)
    batch = adjoin.Batch("mapominoes", agents=[None, "random"])
    out = batch.buffers()
    batch.reset(0, out)
    for observation, mask in seen[:20]:
        assert (out.observation[0] == observation).all()
        assert (out.mask[0] == mask).all()
        batch.step(out.mask.argmax(axis=1).astype(np.int32), out)


def fails_late(observations: NDArray[Any], masks: NDArray[Any]) -> NDArray[Any]:
    if (masks.sum(axis=1) == 1).any():
        raise ZeroDivisionError("on purpose")
    return first_legal(observations, masks)


@cases(
    ("agent", "message"),
    [
        (lambda o, m: np.zeros(len(m), int), "action 0 is illegal: a1: a disc there would flip"),
        (lambda o, m: np.full(len(m), 10**12), "action 1000000000000 is illegal: ids are 0 to"),
        (lambda o, m: np.full(len(m), -1), "action -1 is illegal: ids are 0 to"),
        (lambda o, m: 3, r"expected \d+ whole numbers, one for each row, got int64 of shape \(\)"),
        (lambda o, m: m[:, 0] / 2, r"expected \d+ whole numbers, .* got float64"),
        (lambda o, m: vars()["x"], "the agent raised KeyError: 'x'"),
        (fails_late, "the agent raised ZeroDivisionError: on purpose"),
    ],
)
def test_a_function_that_fails_is_named_with_episode_and_decision(agent: Any, message: str) -> None:
    with pytest.raises(adjoin.SimulationError, match=message) as caught:
        adjoin.simulate("mapello", 700, [agent, "random"], setup="othello", part=300)
    error = caught.value
    assert str(error).startswith(f"episode {error.episode}, decision {error.decision}, seat ")
    assert ("raised" in message) == isinstance(error.__cause__, KeyError | ZeroDivisionError)
    assert set(error.finished["episode"]) <= set(range(700))
    assert error.episode not in error.finished["episode"]


def test_what_was_finished_before_a_failure_is_kept() -> None:
    calls = [0]

    def tires(observations: NDArray[Any], masks: NDArray[Any]) -> NDArray[Any]:
        calls[0] += 1
        if calls[0] > 400:
            raise RuntimeError("tired")
        return first_legal(observations, masks)

    with pytest.raises(adjoin.SimulationError, match="tired") as caught:
        adjoin.simulate("mapello", 1000, [tires, "random"], part=50)
    finished = caught.value.finished
    assert 0 < len(finished) < 1000
    whole = adjoin.simulate("mapello", 1000, [first_legal, "random"])
    rows = finished["episode"]
    assert (finished["score_0"] == whole["score_0"][rows]).all()
    again = pickle.loads(pickle.dumps(caught.value))
    assert (str(again), again.finished) == (str(caught.value), finished)


def test_progress_is_told() -> None:
    heard: list[tuple[int, int]] = []
    adjoin.simulate(
        "mapello", 3000, part=500, progress=lambda done, total: heard.append((done, total))
    )
    assert heard[-1] == (3000, 3000)
    assert heard == sorted(heard)
    assert len(heard) >= 6


def test_a_bar_shows_what_is_done(capsys: pytest.CaptureFixture[str]) -> None:
    adjoin.simulate("mapello", 200, progress=True)
    assert "200/200" in capsys.readouterr().err
    adjoin.simulate("mapello", 200)
    adjoin.simulate("mapello", 200, progress=False)
    assert capsys.readouterr().err == ""


def test_whoever_hears_of_progress_can_stop_the_work() -> None:
    def enough(done: int, total: int) -> None:
        raise StopAsyncIteration("enough")

    with pytest.raises(StopAsyncIteration, match="enough"):
        adjoin.simulate("mapello", 2**32 - 1, progress=enough)


@cases(
    ("keywords", "message"),
    [
        ({"episodes": 0}, "^episodes = 0: must be 1 to"),
        ({"episodes": 2**32}, "^episodes = 4294967296: must be 1 to"),
        ({"first": -1}, "^first = -1: must be 0 to"),
        ({"first": 2**32 - 5}, r"^first \+ episodes = 4294967301: must be at most 4294967296"),
        ({"threads": 0}, "^threads = 0: must be 1 to 256"),
        ({"max_decisions": 0}, "^max_decisions = 0: must be 1 to"),
        ({"part": -1}, "^part = -1: must be 1 to"),
        ({"seed": -1}, "^seed = -1: must be 0 to"),
        ({"seed": 2**64}, "^seed = 18446744073709551616: must be 0 to"),
        (
            {"record": "moves"},
            "^record = 'moves': must be one of episodes, decisions, states, pie",
        ),
        (
            {"agents": "oracle"},
            '^unknown agent "oracle": the agents of mapello are random, easy',
        ),
        ({"agents": "gredy"}, '^unknown agent "gredy": did you mean "greedy"'),
        ({"agents": "serch(iterations=3)"}, 'did you mean "search"'),
        ({"agents": "search(iterations=3"}, "the closing bracket is missing"),
        ({"agents": "search(3)"}, "arguments are written as name=value"),
        ({"agents": "search(iterations=0)"}, "iterations=0: must be a number from 1 to"),
        ({"agents": "search(iterations=3, iterations=4)"}, "iterations is given twice"),
        ({"agents": "search(iterations=3, seconds=1)"}, "iterations or seconds, not both"),
        ({"agents": "search(playouts=wild)"}, "playouts=wild: must be greedy or random"),
        ({"agents": "search(depht=3)"}, "unknown argument depht; search takes iterations, seconds"),
        ({"agents": "greedy(eagerly=1)"}, "unknown argument eagerly; greedy takes none"),
        ({"agents": []}, "^agents = 0 of them: must be one for all, or one for each of the"),
        ({"agents": ["random"] * 9}, "^agents = 9 of them: must be one for all, or one for each"),
        ({"gmaes": 1}, "unknown option `gmaes`"),
        ({"game": "chess"}, 'unknown game "chess": the games are'),
        ({"game": "mapelo"}, 'unknown game "mapelo": did you mean "mapello"'),
    ],
)
def test_what_cannot_be_simulated_is_refused(keywords: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        adjoin.simulate(**{"game": "mapello", "episodes": 10, **keywords})


@cases("keywords", [{"episodes": 1.5}, {"agents": [None, "random"]}, {"agents": 7}])
def test_what_is_of_a_wrong_type_is_refused(keywords: dict[str, Any]) -> None:
    with pytest.raises(TypeError):
        adjoin.simulate(**{"game": "mapello", "episodes": 10, **keywords})


@cases("error", [KeyboardInterrupt, SystemExit, GeneratorExit])
@cases("threads", [1, 3])
def test_what_is_no_fault_of_an_agent_passes_through(
    error: type[BaseException], threads: int
) -> None:
    raised, calls = error("enough"), []

    def agent(observations: Any, masks: Any) -> Any:
        calls.append(len(masks))
        if len(calls) < 5:
            return masks.argmax(axis=1)
        raise raised

    with pytest.raises(error) as caught:
        adjoin.simulate("mapello", 200, [agent, "random"], threads=threads)
    assert caught.value is raised
    assert len(calls) <= 4 + threads
    with pytest.raises(error):
        adjoin.Match("mapello").choose(agent)
    with pytest.raises(error):
        adjoin.tournament("mapello", {"mine": agent, "random": "random"}, 4)


def test_ctrl_c_is_heard_while_an_agent_is_slow() -> None:
    code = """
import os, signal, threading, time
import adjoin

def slow(observations, masks):
    time.sleep(0.4)
    return masks.argmax(axis=1)

threading.Timer(1.0, os.kill, (os.getpid(), signal.SIGINT)).start()
try:
    adjoin.simulate("mapello", 1000, [slow, "random"])
except KeyboardInterrupt:
    print("heard")
"""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.stdout == "heard\n", done.stderr
