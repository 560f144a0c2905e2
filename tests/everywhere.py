"""What a game shows with an option, through every interface that takes options."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gymnasium
from conftest import play_on

import adjoin
from adjoin.envs.aec import AECEnv


def everywhere(game: str, option: str, others: dict[str, Any]) -> dict[str, Callable[[Any], Any]]:
    """Return, by interface, what is seen for a value of the option; at a table of three."""
    environment = adjoin.Match(game).spec.environment

    def options(value: Any) -> dict[str, Any]:
        return {option: value, **others}

    def in_match(value: Any) -> Any:
        match = adjoin.Match(game, seed=3, **options(value))
        match.play_random()
        return match.history, match.save(), match.text(), match.svg()

    def in_batch(value: Any) -> Any:
        return play_on(adjoin.Batch(game, num_lanes=3, seed=3, **options(value)), 40)

    def in_simulation(value: Any) -> Any:
        table = adjoin.simulate(game, 20, ["greedy", "random", "random"], **options(value))
        return {name: column.tolist() for name, column in table.to_numpy().items()}

    def in_environment(value: Any) -> Any:
        env = gymnasium.make(environment, **options(value))
        observation, info = env.reset(seed=3)
        env.action_space.seed(3)
        seen = [observation.tolist()]
        for _ in range(20):
            action = env.action_space.sample(mask=info["action_mask"])
            observation, reward, terminated, truncated, info = env.step(action)
            seen.append((observation.tolist(), reward, terminated))
            if terminated or truncated:
                break
        return seen

    def in_vector_environment(value: Any) -> Any:
        envs = gymnasium.make_vec(environment, num_envs=3, **options(value))
        observation, infos = envs.reset(seed=3)
        seen = [observation.tolist()]
        for _ in range(20):
            observation, rewards, *_, infos = envs.step(infos["action_mask"].argmax(axis=1))
            seen.append((observation.tolist(), rewards.tolist()))
        return seen

    def in_aec(value: Any) -> Any:
        env = AECEnv(game, render_mode="ansi", **options(value))
        env.reset(seed=3)
        for _ in range(20):
            env.step(int(env.infos[env.agent_selection]["action_mask"].argmax()))
        return env.render(), env.observe("player_2")["observation"].tolist()

    return {
        "Match": in_match,
        "Batch": in_batch,
        "simulate": in_simulation,
        "make": in_environment,
        "make_vec": in_vector_environment,
        "AEC": in_aec,
        "describe": lambda value: adjoin.describe(game, **options(value)),
    }
