"""The PettingZoo environment: PettingZoo's own tests, observations, copies, limits."""

from __future__ import annotations

import copy
import importlib
from typing import TYPE_CHECKING, Any

import numpy as np
import pettingzoo
import pytest
from pettingzoo.test import api_test, render_test, seed_test

import adjoin
from adjoin.envs.aec import AECEnv
from scaffold import COPIERS, THREE_IN_WALES, Variant, cases

if TYPE_CHECKING:
    from collections.abc import Callable


def make(variant: Variant, **keywords: Any) -> AECEnv:
    return AECEnv(variant.game, **keywords, **variant.options)


def module_of(game: str) -> Any:
    return importlib.import_module(f"adjoin.{game}_v{adjoin.Batch(game).spec.version}")


def random_legal(rng: np.random.Generator, env: AECEnv) -> int:
    return int(rng.choice(np.flatnonzero(env.infos[env.agent_selection]["action_mask"])))


def is_over(env: AECEnv) -> bool:
    agent = env.agent_selection
    return env.terminations[agent] or env.truncations[agent]


def play(env: AECEnv, rng: np.random.Generator, decisions: int) -> list[Any]:
    """Play random decisions, or to the end; return everything seen on the way."""
    seen: list[Any] = []
    for _ in range(decisions):
        if is_over(env):
            break
        env.step(random_legal(rng, env))
        seen.append(everything(env))
    return seen


def everything(env: AECEnv) -> Any:
    """Return all that an environment shows, in a form that can be compared."""
    observations = {
        agent: {key: value.tobytes() for key, value in env.observe(agent).items()}
        for agent in env.possible_agents
    }
    masks = {agent: info["action_mask"].tobytes() for agent, info in env.infos.items()}
    return copy.deepcopy(
        (
            observations,
            masks,
            env.agent_selection,
            env.agents,
            env.rewards,
            env._cumulative_rewards,
            env.terminations,
            env.truncations,
        )
    )


# PettingZoo knows dictionary observations of its own environments by name only.
@pytest.mark.filterwarnings("ignore:Observation is not a NumPy array$:UserWarning")
@pytest.mark.filterwarnings(
    "ignore:Observation space for each agent probably should be "
    "gymnasium.spaces.box or gymnasium.spaces.discrete$:UserWarning"
)
def test_the_api_test_of_pettingzoo_passes(
    variant: Variant, capsys: pytest.CaptureFixture[str]
) -> None:
    api_test(module_of(variant.game).env(**variant.options), num_cycles=300)
    assert "Passed API test" in capsys.readouterr().out


def test_the_seed_test_of_pettingzoo_passes(brief: Variant) -> None:
    seed_test(lambda: module_of(brief.game).env(**brief.options), num_cycles=150)


def test_the_render_test_of_pettingzoo_passes(
    brief: Variant, capsys: pytest.CaptureFixture[str]
) -> None:
    render_test(lambda **keywords: module_of(brief.game).env(**keywords, **brief.options))
    assert brief.match().spec.title in capsys.readouterr().out


def test_the_module_of_a_game_has_env_and_raw_env_and_its_page(game: str) -> None:
    module = module_of(game)
    assert type(module.raw_env()) is AECEnv
    assert type(module.env().unwrapped) is AECEnv
    assert module.__doc__ == module.env.__doc__ == adjoin.describe(game)


def test_env_refuses_a_step_before_the_first_reset(game: str) -> None:
    with pytest.raises(Exception, match="reset"):
        module_of(game).env().step(0)


@pytest.mark.skipif(not hasattr(pettingzoo, "register"), reason="PettingZoo before 1.27")
def test_the_registry_of_pettingzoo_makes_every_game(brief: Variant) -> None:
    version = adjoin.Batch(brief.game).spec.version
    name = f"adjoin/{brief.game}-v{version}"
    env = pettingzoo.make("aec", name, **brief.options)
    assert type(env.unwrapped) is AECEnv
    env.reset(seed=1)
    direct = make(brief)
    direct.reset(seed=1)
    assert everything(env.unwrapped) == everything(direct)


def test_rewards_add_up_to_the_result_of_the_match(variant: Variant) -> None:
    env = make(variant)
    rng = np.random.default_rng(0)
    for seed in (1, None, None):
        env.reset(seed=seed)
        earned = dict.fromkeys(env.possible_agents, 0.0)
        match = env._batch[0]
        for agent in env.agent_iter():
            _, reward, terminated, truncated, _ = env.last()
            earned[agent] += reward
            if terminated or truncated:
                env.step(None)
                continue
            action = random_legal(rng, env)
            match.play(action)
            env.step(action)
        assert env.agents == []
        assert list(earned.values()) == match.returns


def test_an_agent_is_told_at_its_turn_what_it_earned_since_its_last_one(brief: Variant) -> None:
    env = make(brief)
    env.reset(seed=4)
    match = brief.match(seed=4)
    rng = np.random.default_rng(0)
    owed = dict.fromkeys(env.possible_agents, 0.0)
    while not match.is_over:
        agent = env.agent_selection
        assert agent == f"player_{match.to_act}"
        assert env._cumulative_rewards == owed
        _, reward, terminated, truncated, info = env.last()
        assert (reward, terminated, truncated) == (owed[agent], False, False)
        assert info["action_mask"].any()
        before = match.returns
        action = random_legal(rng, env)
        match.play(action)
        env.step(action)
        owed[agent] = 0.0
        for seat, name in enumerate(env.possible_agents):
            assert env.rewards[name] == match.returns[seat] - before[seat]
            owed[name] += env.rewards[name]
    finished = []
    for agent in env.agent_iter():
        finished.append(agent)
        _, reward, terminated, truncated, info = env.last()
        assert (reward, terminated, truncated) == (owed[agent], True, False)
        assert not info["action_mask"].any()
        env.step(None)
    assert finished == env.possible_agents


@pytest.mark.smoke
@cases("players", range(2, 6))
def test_rewards_come_in_the_middle_of_a_match_too(players: int) -> None:
    env = AECEnv("mapominoes", **{**THREE_IN_WALES, "players": players, "rounds": players})
    env.reset(seed=players)
    rng = np.random.default_rng(0)
    told: dict[str, list[float]] = {agent: [] for agent in env.possible_agents}
    paid = 0
    for agent in env.agent_iter():
        _, reward, terminated, truncated, _ = env.last()
        told[agent].append(reward)
        env.step(None if terminated or truncated else random_legal(rng, env))
        paid += any(env.rewards.values()) and not terminated
    assert len(env.possible_agents) == players
    assert paid == players  # once a round
    early = sum(reward != 0 for rewards in told.values() for reward in rewards[:-1])
    assert early >= (players - 1) * (players - 1)  # all but the winner of each round but the last


def test_rewards_can_be_shares_of_the_win() -> None:
    env = AECEnv("mapominoes", reward="win", **THREE_IN_WALES)
    rng = np.random.default_rng(3)
    for seed in range(5):
        env.reset(seed=seed)
        match = env._batch[0]
        while match.to_act is not None:
            assert not any(env.rewards.values())
            action = random_legal(rng, env)
            match.play(action)
            env.step(action)
        winners = match.returns.count(max(match.returns))
        won = (3 / winners - 1) / 2
        shares = [won if earned == max(match.returns) else -0.5 for earned in match.returns]
        assert list(env.rewards.values()) == shares


def test_observing_disturbs_nothing_and_shows_an_empty_mask_to_those_who_wait(
    brief: Variant,
) -> None:
    env, undisturbed = make(brief), make(brief)
    env.reset(seed=3)
    undisturbed.reset(seed=3)
    rngs = np.random.default_rng(0), np.random.default_rng(0)
    for _ in range(40):
        before = everything(env)
        acting = None if is_over(env) else env.agent_selection
        for agent in env.possible_agents:
            seen = env.observe(agent)
            assert seen["action_mask"].any() == (agent == acting)
            assert env.observation_space(agent).contains(seen)
            seen["observation"][:] = 99
            seen["action_mask"][:] = 99
        assert everything(env) == before
        assert play(env, rngs[0], 1) == play(undisturbed, rngs[1], 1)


def test_facts_go_to_the_agent_to_act_if_asked_for(brief: Variant) -> None:
    env = make(brief, action_facts=True)
    env.reset(seed=3)
    width = brief.batch().spec.facts.size
    for _ in range(40):
        for info in env.infos.values():
            assert info["action_ids"].tolist() == np.flatnonzero(info["action_mask"]).tolist()
            assert info["action_facts"].shape == (len(info["action_ids"]), width)
        play(env, np.random.default_rng(0), 1)


def test_infos_stay_the_same_object_between_steps(brief: Variant) -> None:
    env = make(brief)
    env.reset(seed=3)
    for agent in env.agents:
        assert env.infos[agent] is env.infos[agent]
    info = env.infos[env.agent_selection]
    *_, last = env.last()
    assert last is info
    mask = info["action_mask"]
    before = mask.tolist()
    env.step(int(mask.argmax()))
    assert mask.tolist() == before
    assert env.infos[env.agent_selection] is not info


def test_spaces_are_stored_objects(brief: Variant) -> None:
    env = make(brief)
    for agent in env.possible_agents:
        assert env.observation_space(agent) is env.observation_space(agent)
        assert env.action_space(agent) is env.action_space(agent)


@cases("copier", ["deepcopy", "pickle"])
def test_a_copy_in_mid_game_goes_on_alike(variant: Variant, copier: str) -> None:
    env = make(variant)
    env.reset(seed=3)
    play(env, np.random.default_rng(0), 10)
    copied = COPIERS[copier](env)
    before = everything(env)
    assert everything(copied) == before
    on_the_copy = play(copied, np.random.default_rng(1), 500)
    assert everything(env) == before
    assert play(env, np.random.default_rng(1), 500) == on_the_copy
    copied.reset()
    env.reset()
    assert everything(copied) == everything(env)


def test_a_seed_repeats_its_matches_one_after_another(brief: Variant) -> None:
    first, second = make(brief), make(brief)
    second.reset(seed=99)
    for seed in (7, None):
        first.reset(seed=seed)
        second.reset(seed=seed)
        assert everything(first) == everything(second)
        rngs = np.random.default_rng(0), np.random.default_rng(0)
        assert play(first, rngs[0], 20) == play(second, rngs[1], 20)


@cases("action", ["masked", "size", -1, -2, 2**31, 2**40, None])
def test_an_illegal_action_raises_and_changes_nothing(brief: Variant, action: Any) -> None:
    env, other = make(brief), make(brief)
    env.reset(seed=1)
    other.reset(seed=1)
    rngs = np.random.default_rng(0), np.random.default_rng(0)
    for _ in range(4):
        mask = env.infos[env.agent_selection]["action_mask"]
        bad = {"masked": int(mask.argmin()), "size": len(mask)}.get(action, action)
        before = everything(env)
        with pytest.raises(adjoin.IllegalActionError):
            env.step(bad)
        assert everything(env) == before
        assert play(env, rngs[0], 1) == play(other, rngs[1], 1)


@cases("spoil", [float, str, lambda n: n + 0.5, lambda n: [n]])
def test_something_other_than_a_whole_number_is_refused(spoil: Callable[[int], Any]) -> None:
    env = AECEnv("mapello")
    env.reset(seed=1)
    before = everything(env)
    with pytest.raises((TypeError, ValueError)):
        env.step(spoil(random_legal(np.random.default_rng(0), env)))
    assert everything(env) == before


def test_a_match_is_truncated_at_the_limit(brief: Variant) -> None:
    env = make(brief, max_decisions=5)
    env.reset(seed=1)
    assert len(play(env, np.random.default_rng(0), 100)) == 5
    assert env.truncations == dict.fromkeys(env.possible_agents, True)
    assert env.terminations == dict.fromkeys(env.possible_agents, False)
    for _ in env.possible_agents:
        env.step(None)
    assert env.agents == []


@cases("mode", ["ansi", "human", None])
def test_rendering_shows_the_table(
    brief: Variant, mode: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    env = make(brief, render_mode=mode)
    env.reset(seed=1)
    shown = env.render()
    printed = capsys.readouterr().out
    text = brief.match(seed=1).text()
    assert shown == (text if mode == "ansi" else None)
    assert printed == (text + "\n" if mode == "human" else "")


def test_an_unknown_render_mode_or_option_is_refused() -> None:
    with pytest.raises(ValueError, match="render_mode = 'rgb'"):
        AECEnv("mapello", render_mode="rgb")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="unknown option `gmaes`"):
        AECEnv("mapello", gmaes=2)  # type: ignore[call-arg]


@cases("keyword", ["seed", "num_lanes", "threads", "agents", "rotate"])
def test_a_keyword_of_batches_is_no_option_of_an_environment(keyword: str) -> None:
    every: dict[str, Any] = {"seed": 5, "num_lanes": 3, "threads": 2, "rotate": True}
    every["agents"] = [None, None]
    with pytest.raises((ValueError, TypeError), match=keyword):
        AECEnv("mapello", **{keyword: every[keyword]})


def test_the_name_is_that_of_the_module(game: str) -> None:
    env = AECEnv(game)
    assert str(env) == module_of(game).__name__.removeprefix("adjoin.")
    assert env.possible_agents == [f"player_{seat}" for seat in range(len(env.possible_agents))]
