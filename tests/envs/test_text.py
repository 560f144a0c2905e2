"""The games in TextArena: whole matches in words, wrong moves, and nothing hidden told."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest

pytest.importorskip("textarena")

import textarena as ta

import adjoin
from adjoin.envs.text import Env, register, system_text
from scaffold import Variant, cases

VERSIONS = ["", "-train", "-raw"]


class RandomReader(ta.Agent):  # type: ignore[misc]
    """Chooses one of the legal actions that it reads last, and says so in many words."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def __call__(self, observation: str) -> str:
        """Answer as a language model might."""
        *_, legal = re.findall(r"legal actions: (.*)", observation)
        chosen = self._random.choice(re.findall(r"\[(.*?)\]", legal))
        return f"Not [{legal[:5]}. After some thought: [{chosen}]"


def made(brief: Variant, version: str = "", **keywords: Any) -> Any:
    return ta.make(adjoin.Match(brief.game).spec.environment + version, **brief.options, **keywords)


def seats_of(brief: Variant) -> int:
    return brief.match().spec.seats


@cases("version", VERSIONS[:2])
def test_agents_that_read_play_whole_matches(brief: Variant, version: str) -> None:
    env = made(brief, version)
    seats = seats_of(brief)
    agents = [RandomReader(seat) for seat in range(seats)]
    for seed in range(3):
        env.reset(num_players=seats, seed=seed)
        done = False
        while not done:
            player, observation = env.get_observation()
            assert player == env.match.to_act
            done, info = env.step(agents[player](observation))
            assert info == {}
        rewards, told = env.close()
        returns = env.match.returns
        winners = [seat for seat in range(seats) if returns[seat] == max(returns)]
        shares = [seats / len(winners) if seat in winners else 0 for seat in range(seats)]
        assert list(rewards.values()) == pytest.approx([(s - 1) / (seats - 1) for s in shares])
        assert {told[player]["reason"] for player in range(seats)} == {env.match.result}
        assert not any(told[player]["invalid_move"] for player in range(seats))
        counted = sum(told[player]["turn_count"] for player in range(seats))
        assert counted == len(env.match.history)


def test_a_seed_deals_the_match_of_that_seed(brief: Variant) -> None:
    env = made(brief, "-raw")
    env.reset(num_players=seats_of(brief), seed=5)
    match = brief.match(seed=5)
    player, messages = env.get_observation()
    assert player == match.to_act
    board = messages[-1][1]
    assert match.text(player).strip() in board
    assert board.endswith("legal actions: " + " ".join(f"[{one}]" for one in match.legal()))


def test_the_rule_page_comes_first_and_is_the_system_text(brief: Variant) -> None:
    env = made(brief)
    env.reset(num_players=seats_of(brief), seed=5)
    player, observation = env.get_observation()
    page = system_text(brief.game, **brief.options)
    assert brief.match().spec.rules_in_short.strip() in page
    assert observation.startswith(f"\n[GAME] You are Player {player}, at seat {player}. {page}\n")


def test_an_illegal_answer_is_refused_with_reason_and_clause_and_then_loses(game: str) -> None:
    env = ta.make(adjoin.Match(game).spec.environment)
    seats = adjoin.Match(game).spec.seats
    env.reset(num_players=seats, seed=1)
    player, _ = env.get_observation()
    match = env.match.copy()
    refusals = [match.why_not(action) for action in range(match.spec.actions.size)]
    why = next(one for one in refusals if one is not None and one.clause)
    wrong = str(why).partition(":")[0]
    assert env.step(f"I would play [{wrong}].") == (False, {})
    again, told = env.get_observation()
    assert (again, env.match.history) == (player, [])
    assert f"[{wrong}] is not legal: {why.reason} ({why.clause}). Legal actions: [" in told
    env.step(f"[{match.legal()[0]}]")  # a legal one, and the errors begin anew
    assert env.match.history == match.legal()[:1]
    player, _ = env.get_observation()
    assert not env.step("[x]")[0]
    assert '"x" is no action' in env.get_observation()[1]
    assert env.step("[x]")[0]
    rewards, info = env.close()
    others = {rewards[one] for one in range(seats) if one != player}
    assert rewards[player] == -1 / (seats - 1)
    assert sum(rewards.values()) == pytest.approx(0)
    assert len(others) == 1
    assert [info[one]["invalid_move"] for one in range(seats)].count(True) == 1


def test_more_errors_are_allowed_where_asked_for() -> None:
    env = ta.make("adjoin/Domiphun-v0", error_allowance=3, reward="points")
    env.reset(num_players=3, seed=1)
    assert [env.step("[x]")[0] for _ in range(4)] == [False, False, False, True]


def test_what_a_player_reads_follows_from_what_its_seat_knows(brief: Variant) -> None:
    """Everything hidden guessed anew: the same table, the same legal actions."""
    rng = random.Random(3)
    env = Env(brief.game, **brief.options)
    env.reset(num_players=seats_of(brief), seed=2)
    for _ in range(40):
        player, messages = env.get_observation()
        for purpose in range(3):
            guess = env.match.copy()
            guess.resample_hidden(player, purpose)
            read = messages[-1][1]
            assert guess.text(player).strip() in read
            assert read.endswith(" ".join(f"[{one}]" for one in guess.legal()))
        if env.step(f"[{rng.choice(env.match.legal())}]")[0]:
            break


def test_nobody_reads_what_another_thinks() -> None:
    env = ta.make("adjoin/Connections-v0")
    env.reset(num_players=3, seed=2)
    player, _ = env.get_observation()
    env.step(f"I hide MY SECRET PLAN: [{env.match.legal()[-1]}]")
    for _ in range(20):
        other, observation = env.get_observation()
        assert ("SECRET" in observation) == (other == player)
        env.step(f"[{env.match.legal()[-1]}]")


def test_everybody_is_told_what_the_others_did() -> None:
    env = ta.make("adjoin/Mapello-v0", setup="othello")
    env.reset(num_players=2, seed=1)
    env.step("[d3]")
    player, observation = env.get_observation()
    assert player == 1
    assert "\n[GAME] Player 0 plays d3\n" in observation
    env.step("[c3]")
    assert "\n[GAME] you play d3\n[GAME] Player 1 plays c3\n" in env.get_observation()[1]


def test_a_match_is_cut_off_without_a_winner() -> None:
    env = ta.make("adjoin/Mapello-v0", max_decisions=3)
    env.reset(num_players=2)
    while not env.step(f"[{env.match.legal()[0]}]")[0]:
        pass
    rewards, told = env.close()
    assert rewards == {0: 0.0, 1: 0.0}
    assert told[0]["reason"] == "the match was cut off after 3 decisions"


@cases(
    ("keywords", "players", "message"),
    [
        ({}, 3, "num_players = 3: Mapello has 2 here"),
        ({"reward": "money"}, 2, 'reward = "money": must be "win", "points" or "lead"'),
        ({"gmaes": 2}, 2, "unknown option `gmaes`"),
        ({"error_allowance": -1}, 2, "error_allowance = -1: must be 0 to"),
    ],
)
def test_what_makes_no_sense_is_refused(
    keywords: dict[str, Any], players: int, message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        Env("mapello", **keywords).reset(num_players=players)


def test_registering_twice_changes_nothing() -> None:
    assert register() == [adjoin.Match(game).spec.environment for game in adjoin.games()]
