"""Speed of other libraries at uniform random legal play: of Othello, and of games like ours.

`python peers.py CASE [--seconds S] [--repeats N]` prints one JSON object with one rate per repeat;
`python peers.py --list` prints the cases. Needs the packages of peers.txt. A decision is one action
applied by a player; all three libraries want a forced pass as an explicit action, so passes count.
Rates are by wall clock, after a warm-up that takes in any compilation.
"""

from __future__ import annotations

import argparse
import json
import os
import random
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from importlib.metadata import version
from time import perf_counter
from typing import Any

GAME = 62  # steps: about one random game with its passes and EnvPool's reset step


@dataclass(frozen=True)
class Bench:
    """One prepared case: `play` does some whole part of the work and returns its decisions."""

    peer: str
    version: str
    lanes: int
    threads: int
    what: str
    play: Callable[[], float]

    def rate(self, seconds: float) -> float:
        """Play for at least `seconds`; return decisions per second."""
        start, decisions = perf_counter(), 0.0
        while (elapsed := perf_counter() - start) < seconds:
            decisions += self.play()
        return decisions / elapsed


def cores() -> list[int]:
    """Return the processors this process may run on."""
    if hasattr(os, "sched_getaffinity"):
        return sorted(os.sched_getaffinity(0))
    return list(range(os.cpu_count() or 1))


def load(name: str) -> Any:
    """Import a module of a peer: on demand, and untyped, as most of them are."""
    return import_module(name)


def openspiel(mode: str, name: str = "othello") -> Bench:
    """Return a game of OpenSpiel on one thread; `mode` is bare, rows, lists or native."""
    import numpy as np

    pyspiel = load("pyspiel")
    load("open_spiel.python.games")  # registers those written in Python
    game = pyspiel.load_game(name)
    observer = load("open_spiel.python.observation").make_observation(game)
    mask = np.zeros(game.num_distinct_actions(), np.int8)
    uniform = random.Random(1).random

    def bare() -> int:
        state = game.new_initial_state()
        decisions = 0
        while actions := state.legal_actions():  # empty once the game is over
            decisions += not state.is_chance_node()
            state.apply_action(actions[int(uniform() * len(actions))])
        return decisions

    def rows() -> int:
        state = game.new_initial_state()
        decisions = 0
        while actions := state.legal_actions():
            if not state.is_chance_node():
                observer.set_from(state, state.current_player())
                mask.fill(0)
                mask[actions] = 1
                decisions += 1
            state.apply_action(actions[int(uniform() * len(actions))])
        return decisions

    def lists() -> int:
        state = game.new_initial_state()
        decisions = 0
        while actions := state.legal_actions():
            np.array(state.observation_tensor(), np.float32)
            np.array(state.legal_actions_mask(), np.int8)
            state.apply_action(actions[int(uniform() * len(actions))])
            decisions += 1
        return decisions

    play: Callable[[], float]
    if mode == "native":
        rollouts = 50
        evaluator = pyspiel.RandomRolloutEvaluator(rollouts, 1)
        bot = pyspiel.MCTSBot(game, evaluator, 2.0, 1, 1, False, 1, False)
        start = game.new_initial_state()
        length = sum(bare() for _ in range(500)) / 500

        def native() -> float:
            bot.step(start)  # one simulation: `rollouts` games from the start position
            return rollouts * length

        play = native
        what = "C++ random rollouts from the start; decisions = rollouts x mean length of 500 games"
    else:
        play, what = {
            "bare": (bare, "Python loop, legal_actions + apply_action, no observation"),
            "rows": (rows, "Python loop, observer tensor and legal mask in numpy every step"),
            "lists": (lists, "Python loop, observation_tensor + legal_actions_mask to numpy"),
        }[mode]
    what = f"whole games of {name}; {what}; passes count, chance does not"
    return Bench("openspiel", version("open_spiel"), 1, 1, what, play)


def openspiel_search() -> Bench:
    """Return OpenSpiel's tree search in C++ at the start of Othello; a simulation is a decision."""
    pyspiel = load("pyspiel")
    game = pyspiel.load_game("othello")
    simulations = 500
    evaluator = pyspiel.RandomRolloutEvaluator(1, 1)
    bot = pyspiel.MCTSBot(game, evaluator, 2.0, simulations, 100, False, 1, False)
    start = game.new_initial_state()

    def play() -> float:
        bot.step(start)
        return simulations

    what = "simulations of the C++ MCTS bot with random rollouts, from the start of Othello"
    return Bench("openspiel", version("open_spiel"), 1, 1, what, play)


def pgx(lanes: int, tuned: bool = False) -> Bench:
    """Return pgx's Othello, vectorised and compiled as its documentation does.

    Tuned, it has what we found to make it faster: its lanes split evenly over one jax device per
    processor, the fastest generator of jax, and a matrix product instead of a cumulative sum.
    """
    devices = max(n for n in range(1, len(cores()) + 1) if lanes % n == 0) if tuned else 1
    os.environ["JAX_PLATFORMS"] = "cpu"
    if tuned:
        os.environ["JAX_NUM_CPU_DEVICES"] = str(devices)  # read when jax is first used
        os.environ["JAX_DEFAULT_PRNG_IMPL"] = "unsafe_rbg"
    jax, jnp = load("jax"), load("jax.numpy")
    env = load("pgx").make("othello")
    rows = lanes // devices
    steps = max(64, min(4096, 65536 // lanes))
    step = jax.vmap(load("pgx.experimental").auto_reset(env.step, env.init))
    upto = jnp.triu(jnp.ones((65, 65), jnp.float32))

    def sample(key: Any, mask: Any) -> Any:
        """Draw a uniform legal action per row from one uniform number per row."""
        if tuned and rows > 1:  # on a single row it would not pay
            rank = mask.astype(jnp.float32) @ upto
        else:
            rank = jnp.cumsum(mask, axis=1, dtype=jnp.float32)
        pick = jnp.floor(jax.random.uniform(key, (rows,)) * rank[:, -1])
        return (rank <= pick[:, None]).sum(axis=1, dtype=jnp.int32)

    def body(carry: Any, _: None) -> tuple[Any, None]:
        state, key, seen = carry
        key, draw, reset = jax.random.split(key, 3)
        action = sample(draw, state.legal_action_mask)
        state = step(state, action, jax.random.split(reset, rows))
        seen += state.observation.sum(dtype=jnp.uint32)  # so that no observation is left out
        return (state, key, seen), None

    def block(carry: Any) -> Any:
        return jax.lax.scan(body, carry, None, length=steps)[0]

    run = jax.pmap(block)
    keys = jax.random.split(jax.random.key(1), (devices, rows + 1))
    state = jax.pmap(jax.vmap(env.init))(keys[:, 1:])
    carry = (state, keys[:, 0], jnp.zeros(devices, jnp.uint32))

    def play() -> int:
        nonlocal carry
        carry = jax.block_until_ready(run(carry))
        return lanes * steps

    for _ in range(2):  # compiled twice: for the first arrays, and for those it returns
        play()
    what = (
        f"compiled scans of {steps} steps, one uniform number per action, observation read and "
        "finished games restarted every step; passes count"
    )
    release = f"{version('pgx')}, jax {version('jax')}"
    return Bench("pgx", release, lanes, len(cores()), what, play)


def mctx(method: str, hidden: int = 0) -> Bench:
    """Return mctx's search on pgx's Othello, each lane after 20 random moves.

    With `hidden`, a network with a layer of that width judges the leaves; else priors are uniform
    and values are 0. A simulation is a decision.
    """
    lanes, simulations = 1024, 32
    os.environ["JAX_PLATFORMS"] = "cpu"
    jax, jnp, library = load("jax"), load("jax.numpy"), load("mctx")
    env = load("pgx").make("othello")
    step = jax.vmap(env.step)
    policy = library.gumbel_muzero_policy if method == "gumbel" else library.muzero_policy
    keys = jax.random.split(jax.random.key(0), 2)
    inner = jax.random.normal(keys[0], (128, hidden)) * 0.1
    outer = jax.random.normal(keys[1], (hidden, 66)) * 0.1

    def judge(state: Any) -> tuple[Any, Any]:
        mask = state.legal_action_mask
        if hidden:
            rows = state.observation.reshape(lanes, 128).astype(jnp.float32)
            found = jax.nn.relu(rows @ inner) @ outer
        else:
            found = jnp.zeros((lanes, 66))
        return jnp.where(mask, found[:, :65], jnp.finfo(jnp.float32).min), jnp.tanh(found[:, 65])

    def after(_: None, __: Any, action: Any, state: Any) -> tuple[Any, Any]:
        player = state.current_player
        state = step(state, action)
        logits, value = judge(state)
        reward = state.rewards[jnp.arange(lanes), player]
        is_over = state.terminated
        output = library.RecurrentFnOutput(
            reward=reward,
            discount=jnp.where(is_over, 0.0, -1.0),
            prior_logits=logits,
            value=jnp.where(is_over, 0.0, value),
        )
        return output, state

    def one(key: Any, state: Any) -> Any:
        logits, value = judge(state)
        root = library.RootFnOutput(prior_logits=logits, value=value, embedding=state)
        illegal = ~state.legal_action_mask
        return policy(
            None, key, root, after, num_simulations=simulations, invalid_actions=illegal
        ).action_weights

    search = jax.jit(one)
    state = jax.jit(jax.vmap(env.init))(jax.random.split(keys[0], lanes))
    for move in range(20):
        logits = jnp.log(state.legal_action_mask.astype(jnp.float32))
        state = jax.jit(step)(state, jax.random.categorical(jax.random.key(move), logits))
    key = jax.random.key(1)

    def play() -> int:
        nonlocal key
        key, draw = jax.random.split(key)
        jax.block_until_ready(search(draw, state))
        return lanes * simulations

    play()
    judged = f"a network of {hidden} hidden units" if hidden else "uniform priors, values of 0"
    what = f"simulations of {policy.__name__}, {simulations} a search, {judged}"
    release = f"{version('mctx')}, pgx {version('pgx')}, jax {version('jax')}"
    return Bench("mctx", release, lanes, len(cores()), what, play)


def envpool(lanes: int, threads: int, batch: int = 0) -> Bench:
    """Return EnvPool's Othello; with `batch`, asynchronous in batches of that many lanes."""
    import numpy as np

    if threads == 1 and hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, cores()[:1])  # cheaper hand-over between caller and worker
    env = load("envpool").make(
        "Othello-v1",
        env_type="gymnasium",
        num_envs=lanes,
        batch_size=batch or lanes,
        num_threads=threads,
        seed=1,
    )
    rng = np.random.default_rng(1)
    env.async_reset()
    info = env.recv()[-1]

    def sample(mask: Any) -> Any:
        """Draw a uniform legal action per row from one uniform number per row."""
        if len(mask) == 1:
            legal = np.flatnonzero(mask[0]).astype(np.int32)
            return legal[[int(rng.random() * len(legal))]]
        rank = mask.cumsum(axis=1, dtype=np.uint8)
        pick = rng.random(len(mask)) * rank[:, -1]
        return (rank > pick[:, None]).argmax(axis=1).astype(np.int32)

    def play() -> int:
        """Play about one game in every lane, as the cost of a step depends on the stage."""
        nonlocal info
        decisions = 0
        for _ in range(GAME * lanes // (batch or lanes)):
            # The rows of a two-player batch come in no fixed order: actions need their lanes.
            info = env.step(sample(info["legal_action_mask"]), info["env_id"])[-1]
            decisions += int(np.count_nonzero(info["elapsed_step"]))  # a reset leaves 0
        return decisions

    mode = f"asynchronous steps in batches of {batch}" if batch else "synchronous steps"
    what = f"{mode} with observations, legal actions drawn in numpy; passes count, resets do not"
    return Bench("envpool", version("envpool"), lanes, threads, what, play)


CASES: dict[str, Callable[[], Bench]] = {
    "openspiel": partial(openspiel, "bare"),
    "openspiel-rows": partial(openspiel, "rows"),
    "openspiel-lists": partial(openspiel, "lists"),
    "openspiel-native": partial(openspiel, "native"),
    "openspiel-search": openspiel_search,
    "gin-rummy": partial(openspiel, "bare", "gin_rummy"),
    "gin-rummy-rows": partial(openspiel, "rows", "gin_rummy"),
    "block-dominoes": partial(openspiel, "bare", "python_block_dominoes"),
    "block-dominoes-rows": partial(openspiel, "rows", "python_block_dominoes"),
    **{f"pgx-{n}": partial(pgx, n) for n in (1, 64, 1024, 8192)},
    **{f"pgx-tuned-{n}": partial(pgx, n, True) for n in (1024, 8192)},
    **{f"mctx-{method}": partial(mctx, method) for method in ("puct", "gumbel")},
    "mctx-gumbel-64": partial(mctx, "gumbel", 64),
    **{
        f"envpool-{n}-{threads}": partial(envpool, n, threads)
        for n, threads in ((1, 1), (64, 2), (1024, 1), (1024, 2), (8192, 2))
    },
    "envpool-async-1024-2": partial(envpool, 1024, 2, 256),
}


def main() -> None:
    """Run the case named on the command line and print its JSON."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("case", nargs="?", choices=CASES)
    parser.add_argument("--list", action="store_true", help="print the cases and stop")
    parser.add_argument("--seconds", type=float, default=0.5, help="least time of a repeat")
    parser.add_argument("--repeats", type=int, default=5)
    args = parser.parse_args()
    if args.list:
        print("\n".join(CASES))
        return
    if args.case is None or args.seconds <= 0 or args.repeats < 1:
        parser.error("a case, positive seconds and at least one repeat are needed")
    bench = CASES[args.case]()
    bench.rate(min(args.seconds, 0.5))  # warm-up
    report = {
        "case": args.case,
        "peer": bench.peer,
        "version": bench.version,
        "lanes": bench.lanes,
        "threads": bench.threads,
        "decisions_per_second": [round(bench.rate(args.seconds)) for _ in range(args.repeats)],
        "what": bench.what,
    }
    print(json.dumps(report))


if __name__ == "__main__":
    main()
