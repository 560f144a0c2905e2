"""A reference trainer: PPO with masks, by self-play in batches. Needs ``adjoin[train]``: JAX.

JAX installs in a minute on a machine without a graphics card (140 MB); PyTorch brings 3 GB.
"""

from __future__ import annotations

import functools
import itertools
import json
import os
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from adjoin.core.batch import Batch
from adjoin.core.buffers import RUNNING, Buffers
from adjoin.core.spec import Spec, options_json
from adjoin.learning.checkpoints import CHECKPOINT, Archive, write
from adjoin.learning.policies import Layer, Network, Policy, scale
from adjoin.reports.charts import Band, Chart, lines
from adjoin.simulation.runs import simulate
from adjoin.statistics.intervals import Interval, share
from adjoin.support.arguments import as_seed, whole
from adjoin.support.progress import progress_of

try:
    import jax
    import jax.numpy as jnp
    import optax
except ImportError as error:
    raise ImportError("adjoin.learning.trainer needs jax: pip install 'adjoin[train]'") from error

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from typing_extensions import Unpack

    from adjoin.core.options import GameOptions
    from adjoin.support.progress import Progress

_APART = 64
"""Over how many decisions the lanes are spread at first."""
_OFTEN = 60.0
"""Seconds after which a checkpoint is written again."""
_GREATEST = {
    "learning_rate": 1.0,
    "gamma": 1.0,
    "gae_lambda": 1.0,
    "clip_range": 1.0,
    "ent_coef": 1.0,
    "reward_scale": 1e6,
}
"""Settings that are no whole numbers, from 0 on."""


@dataclass(frozen=True)
class Settings:
    """How to learn. Everything that a run depends on but game, options and seed."""

    decisions: int = 1_000_000
    """How many decisions to learn from."""
    opponents: str = "self"
    """Who has the other seats: the learner itself, or an agent such as ``"greedy"``."""
    num_lanes: int = 256
    """Matches side by side."""
    n_steps: int = 128
    """Decisions of every lane from one update to the next."""
    hidden: tuple[int, ...] = (256, 256)
    """Widths of the layers."""
    n_epochs: int = 3
    """How often an update goes through its decisions."""
    batch_size: int = 4096
    """Decisions to a step of the optimiser."""
    learning_rate: float = 2e-3
    """At the beginning; it falls to 0 at the end of the run."""
    gamma: float = 1.0
    """How much a reward is worth a decision earlier."""
    gae_lambda: float = 0.8
    """Lambda of generalised advantage estimation: less where luck is great."""
    clip_range: float = 0.2
    """How far an update may go from the policy that played."""
    ent_coef: float = 0.003
    """What indecision is worth; it falls to 0, too."""
    reward_scale: float = 1.0
    """What rewards are multiplied by, so that returns are about 1."""
    measurements: int = 10
    """How often the policy is measured, after the beginning."""
    matches: int = 400
    """How many matches measure it against each of ``against``."""
    against: tuple[str, ...] = ("random", "greedy")
    """Agents that it is measured against."""

    def __post_init__(self) -> None:
        """Refuse what cannot be."""
        for name in ("decisions", "num_lanes", "n_steps", "n_epochs", "batch_size", "matches"):
            whole(name, getattr(self, name), 1, 2**31)
        whole("measurements", self.measurements, 0, 2**31)
        for name in ("hidden", "against"):
            value = getattr(self, name)
            if isinstance(value, str) or not isinstance(value, Sequence):
                raise TypeError(f"{name} = {value!r}: must be a sequence")
            object.__setattr__(self, name, tuple(value))
        for width in self.hidden:
            whole("hidden", width, 1, 2**16)
        for name, most in _GREATEST.items():
            value = getattr(self, name)
            if not (isinstance(value, int | float) and 0 <= value <= most):
                raise ValueError(f"{name} = {value!r}: must be 0 to {most:g}")


class Point(NamedTuple):
    """How good the policy was, at one moment, against one agent."""

    decisions: int
    seconds: float
    against: str
    share: Interval
    """Its share of the wins; by luck it would be one of so many seats."""


class Rollout(NamedTuple):
    """Decisions and what came of them; a row each."""

    observation: Any
    mask: Any
    action: Any
    log_probability: Any
    advantage: Any
    target: Any


class Trainer:
    """Learns a game by playing it.

    Every seat of every lane is played by the same network, unless ``settings.opponents`` names an
    agent for the others. Everything follows from game, options, settings and seed: the same
    weights on the same machine, also when the run was stopped and went on from a checkpoint.

    >>> trainer = Trainer("domiphun", settings=Settings(decisions=8192, measurements=0))
    >>> trainer.run().game
    'domiphun'
    """

    def __init__(
        self,
        game: str,
        *,
        seed: int = 0,
        settings: Settings | None = None,
        **options: Unpack[GameOptions],
    ) -> None:
        self.settings = settings or Settings()
        self.seed = as_seed(seed)
        self.game, self.options = game, options
        own = self.settings
        seats = Spec.of(game, options).seats
        for agent in own.against:
            Batch.of(game, options, agents=[None, *[agent] * (seats - 1)])
        others = None if own.opponents == "self" else [None, *[own.opponents] * (seats - 1)]
        self.batch = Batch.of(
            game, options, num_lanes=own.num_lanes, agents=others, rotate=others is not None
        )
        self.spec = self.batch.spec
        self.decisions = 0
        self.seconds = 0.0
        self.curve: list[Point] = []
        self._rows = self.batch.buffers(own.n_steps + 1)
        self._start()
        self._scale = scale(self.spec)
        self._key = jax.random.fold_in(jax.random.key(self.seed >> 32), self.seed % 2**32)
        self._network = _network(
            np.random.default_rng(self.seed),
            (self.spec.observation.size, *own.hidden),
            self.spec.actions.size,
        )
        self._state = _OPTIMISER.init(self._network)
        self._updates = 0

    def _start(self) -> None:
        """Let every lane begin at another moment of a match, so that they do not go in step."""
        out = self._rows.at(self.settings.n_steps)
        self.batch.reset(self.seed, out)
        actions = np.zeros(self.settings.num_lanes, np.int32)
        for step in range(_APART):
            self.batch.sample(actions)
            actions[np.arange(len(actions)) % _APART <= step] = -1
            self.batch.step(actions, out)

    @property
    def policy(self) -> Policy:
        """What has been learned so far."""
        return Policy(self.game, self.options, Network.of(self._network.arrays()))

    def plot(self) -> Chart:
        """Return a chart of how the policy became better, measured against each agent."""
        bands = {}
        for agent in self.settings.against:
            at = [point for point in self.curve if point.against == agent]
            shares = [[point.share[end] for point in at] for end in range(3)]
            bands[f"against {agent}"] = Band([point.decisions for point in at], *shares)
        return lines(
            bands,
            title=f"{self.spec.title}: share of wins while it learns",
            x="decisions",
            y="share of wins",
            note=f"{self.settings.matches} matches a point; bands are 95% intervals. "
            f"Equal players would have {1 / self.spec.seats:.2f}.",
        )

    @property
    def is_done(self) -> bool:
        """Whether it has learned from as many decisions as it should."""
        return self.decisions >= self.settings.decisions

    def run(
        self, checkpoint: str | os.PathLike[str] | None = None, *, progress: Progress = None
    ) -> Policy:
        """Learn until it is done, and return the policy.

        With ``checkpoint``, a file, it goes on from there if the file is there, and writes it when
        the policy is measured, and every minute.
        """
        if checkpoint is not None and Path(checkpoint).exists():
            self.load(checkpoint)
        if self.decisions == 0 < self.settings.measurements:
            self.measure()
        due, saved = self._due(), time.monotonic()
        with progress_of(progress, self.settings.decisions, "decisions") as show:
            show(self.decisions)
            while not self.is_done:
                self.update()
                show(min(self.decisions, self.settings.decisions))
                is_due = self.decisions >= next(iter(due), np.inf)
                if is_due:
                    self.measure()
                    due = self._due()
                if checkpoint is not None and (
                    is_due or self.is_done or time.monotonic() - saved > _OFTEN
                ):
                    self.save(checkpoint)
                    saved = time.monotonic()
        return self.policy

    def _due(self) -> list[float]:
        count, total = self.settings.measurements, self.settings.decisions
        moments = [total * (i + 1) / count for i in range(count)]
        return [moment for moment in moments if moment > self.decisions]

    def measure(self) -> list[Point]:
        """Play matches against the agents that it is measured against, and keep what came out."""
        policy, own = self.policy, self.settings
        points = [
            Point(
                self.decisions,
                self.seconds,
                agent,
                win_share(policy, agent, own.matches, (self.seed + 1) % 2**64),
            )
            for agent in own.against
        ]
        self.curve += points
        return points

    def update(self) -> dict[str, float]:
        """Play ``steps`` decisions in every lane, learn from them, and tell how that went.

        Where nothing came of any of them yet, there is nothing to learn or to tell.
        """
        start, own = time.perf_counter(), self.settings
        rows = self._rollout()
        left = max(0.0, 1 - self.decisions / own.decisions)
        count = len(rows.action)
        order = np.random.default_rng((self.seed, self._updates))
        size = max(1, min(own.batch_size, count))
        told: list[Any] = []
        for _ in range(own.n_epochs):
            shuffled = order.permutation(count)
            for at in range(0, count - size + 1, size):
                some = jax.tree.map(lambda array, at=shuffled[at : at + size]: array[at], rows)
                self._network, self._state, one = _learn(
                    self._network,
                    self._state,
                    some,
                    self._scale,
                    own.learning_rate * left,
                    own.ent_coef * left,
                    own.clip_range,
                )
                told.append(one)
        names = told[0] if told else ()
        means = {name: float(np.mean([one[name] for one in told])) for name in names}
        self._updates += 1
        self.decisions += count
        self.seconds += time.perf_counter() - start
        return means

    def _rollout(self) -> Rollout:
        own, rows = self.settings, self._rows
        actions = np.zeros((own.n_steps, own.num_lanes), np.int32)
        log_probabilities = np.zeros((own.n_steps, own.num_lanes), np.float32)
        values = np.zeros((own.n_steps, own.num_lanes), np.float32)
        for array in rows:
            array[0] = array[own.n_steps]
        key = jax.random.fold_in(self._key, self._updates)
        for step in range(own.n_steps):
            chosen = _act(
                self._network,
                rows.observation[step],
                rows.mask[step],
                self._scale,
                jax.random.fold_in(key, step),
            )
            actions[step], log_probabilities[step], values[step] = chosen
            self.batch.step(actions[step], rows.at(step + 1))
        advantages, counts = advantages_of(
            rows, values, own.reward_scale, own.gamma, own.gae_lambda
        )
        return Rollout(
            rows.observation[:-1][counts],
            rows.mask[:-1][counts],
            actions[counts],
            log_probabilities[counts],
            advantages[counts],
            (advantages + values)[counts],
        )

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write a checkpoint: everything that it takes to go on."""
        state = {
            f"optimiser.{i}": np.asarray(leaf)
            for i, leaf in enumerate(jax.tree.leaves(self._state))
        }
        lanes = [match.save() for match in self.batch]
        more = {
            "seed": self.seed,
            "settings": asdict(self.settings),
            "decisions": self.decisions,
            "updates": self._updates,
            "seconds": self.seconds,
            "curve": self.curve,
            "lanes": [len(lane) for lane in lanes],
        }
        arrays = {
            **self._network.arrays(),
            **state,
            "lanes": np.frombuffer(b"".join(lanes), np.uint8),
        }
        return write(path, CHECKPOINT, self.spec, self.options, more, arrays)

    def load(self, path: str | os.PathLike[str]) -> None:
        """Go on from a checkpoint of the same game, options, settings and seed."""
        file = Archive(path, (CHECKPOINT,))
        self._check_mine(file)
        leaves, tree = jax.tree.flatten(self._state)
        stored = [
            jnp.asarray(file.array(f"optimiser.{i}", leaf.dtype, leaf.shape))
            for i, leaf in enumerate(leaves)
        ]
        arrays = {
            name: jnp.asarray(file.array(name, np.float32, array.shape))
            for name, array in self._network.arrays().items()
        }
        matches = file.array("lanes", np.uint8, (None,)).tobytes()
        try:
            restored = self._restored(file.about["lanes"], matches)
            progress = _progress(file.about)
        except (KeyError, TypeError, ValueError) as error:
            raise file.refusal(f"damaged: the run cannot go on ({error})") from error
        self._network = Network.of(arrays)
        self._state = jax.tree.unflatten(tree, stored)
        self.batch = restored
        self.batch.observe(self._rows.at(self.settings.n_steps))
        self.decisions, self._updates, self.seconds, self.curve = progress

    def _check_mine(self, file: Archive) -> None:
        """Refuse the checkpoint of another run."""
        mine = {
            "game": self.game,
            "options": json.loads(options_json(self.options)),
            "seed": self.seed,
            **json.loads(json.dumps(asdict(self.settings))),
        }
        settings = file.about.get("settings")
        if not isinstance(settings, dict):
            raise file.refusal("damaged: its settings are missing")
        theirs = {**file.about, **settings}
        for name, value in mine.items():
            if theirs.get(name) != value:
                raise file.refusal(
                    f"was made with {name} = {theirs.get(name)!r}, this run has {value!r}; "
                    "a run goes on with what it began with: take another file, or the same values"
                )

    def _restored(self, sizes: Sequence[int], content: bytes) -> Batch:
        """Return a copy of the batch with other matches, given one after another."""
        batch = self.batch.select(range(len(self.batch)))
        ends = [
            *itertools.accumulate((whole("lanes", size, 0, 2**31) for size in sizes), initial=0)
        ]
        if len(sizes) != len(batch) or ends[-1] != len(content):
            raise ValueError(f"{len(sizes)} lanes of {ends[-1]} bytes, got {len(content)}")
        match = batch[0]
        for lane, (start, end) in enumerate(itertools.pairwise(ends)):
            match.load(content[start:end])
            batch[lane] = match
        return batch


def _progress(about: dict[str, Any]) -> tuple[int, int, float, list[Point]]:
    """Return how far a run was: decisions, updates, seconds, and its curve."""
    curve = [
        Point(whole("curve", decisions, 0, 2**63), float(seconds), str(against), Interval(*share))
        for decisions, seconds, against, share in about["curve"]
    ]
    decisions, updates = (whole(name, about[name], 0, 2**63) for name in ("decisions", "updates"))
    return decisions, updates, float(about["seconds"]), curve


def win_share(policy: Policy, agent: str, matches: int, seed: int) -> Interval:
    """Return a policy's share of the wins where all other seats are an agent's."""
    others = [agent] * (policy.spec.seats - 1)
    table = simulate(
        policy.game, matches, [policy, *others], seed=seed, progress=False, **policy.options
    ).by_seat()
    return share(table["won"][table["agent"] == policy.__name__])


def advantages_of(
    rows: Buffers,
    values: NDArray[np.float32],
    reward_scale: float,
    gamma: float,
    gae_lambda: float,
) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
    """Return how much better each decision was than expected, and which decisions count.

    A seat's next decision may be several rows on: what it earns in between is added up. Its last
    decision in a match that is still running does not count; it tells what to expect there.
    """
    steps, lanes = values.shape
    every = np.arange(lanes)
    seats = rows.reward.shape[-1]
    earned, expected, ahead = np.zeros((3, lanes, seats), np.float32)
    known = np.zeros((lanes, seats), np.bool_)
    advantages = np.zeros_like(values)
    counts = np.zeros(values.shape, np.bool_)
    for step in reversed(range(steps)):
        ended = rows.status[step + 1] != RUNNING
        earned[ended] = expected[ended] = ahead[ended] = 0
        known[ended] = True
        earned += reward_scale * rows.reward[step + 1]
        decided = rows.status[step] == RUNNING
        at = every[decided], rows.seat[step][decided]
        surprise = earned[at] + gamma * expected[at] - values[step][decided]
        advantages[step][decided] = surprise + gamma * gae_lambda * ahead[at]
        counts[step][decided] = known[at]
        ahead[at] = np.where(known[at], advantages[step][decided], 0)
        expected[at] = values[step][decided]
        earned[at] = 0
        known[at] = True
    return advantages, counts


def _network(rng: np.random.Generator, widths: tuple[int, ...], actions: int) -> Network:
    """Return a network that does not know anything yet: orthogonal weights, drawn by lot."""

    def layer(inputs: int, outputs: int, gain: float) -> Layer:
        many, few = max(inputs, outputs), min(inputs, outputs)
        columns, _ = np.linalg.qr(rng.standard_normal((many, few)))
        weight = gain * (columns if inputs >= outputs else columns.T)
        return Layer(jnp.asarray(weight, jnp.float32), jnp.zeros(outputs, jnp.float32))

    hidden = tuple(layer(*pair, 2**0.5) for pair in itertools.pairwise(widths))
    return Network(hidden, layer(widths[-1], actions, 0.01), layer(widths[-1], 1, 1.0))


def _log_probabilities(logits: Any, mask: Any) -> Any:
    return jax.nn.log_softmax(jnp.where(mask != 0, logits, -1e9))


@jax.jit
def _act(network: Network, observation: Any, mask: Any, scale: Any, key: Any) -> Any:
    """Draw an action by lot for every row; return it, its log-probability, and the value."""
    logits, value = network(observation.astype(jnp.float32), scale)
    logs = _log_probabilities(logits, mask)
    rank = jnp.cumsum(jnp.exp(logs), -1)
    lot = (1 - jax.random.uniform(key, (len(rank), 1))) * rank[:, -1:]
    action = (rank >= lot).argmax(-1)
    return action, jnp.take_along_axis(logs, action[:, None], -1)[:, 0], value


_OPTIMISER = optax.chain(
    optax.clip_by_global_norm(0.5), optax.inject_hyperparams(optax.adam)(learning_rate=0.0)
)


@functools.partial(jax.jit, donate_argnums=(0, 1))
def _learn(
    network: Network,
    state: Any,
    rows: Rollout,
    scale: Any,
    learning_rate: float,
    entropy: float,
    clip: float,
) -> Any:
    """Take a step of the optimiser; return network, state, and what there is to tell."""
    advantage = (rows.advantage - rows.advantage.mean()) / (rows.advantage.std() + 1e-8)

    def loss(network: Network) -> Any:
        logits, value = network(rows.observation.astype(jnp.float32), scale)
        logs = _log_probabilities(logits, rows.mask)
        chosen = jnp.take_along_axis(logs, rows.action[:, None], -1)[:, 0]
        ratio = jnp.exp(chosen - rows.log_probability)
        near = jnp.clip(ratio, 1 - clip, 1 + clip)
        gain = jnp.minimum(ratio * advantage, near * advantage).mean()
        doubt = -(jnp.exp(logs) * logs * (rows.mask != 0)).sum(-1).mean()
        error = jnp.square(value - rows.target).mean()
        told = {
            "gain": gain,
            "value error": error,
            "entropy": doubt,
            "moved": jnp.abs(ratio - 1).mean(),
        }
        return -gain + 0.5 * error - entropy * doubt, told

    slopes, told = jax.grad(loss, has_aux=True)(network)
    state[1].hyperparams["learning_rate"] = learning_rate
    steps, state = _OPTIMISER.update(slopes, state, network)
    return optax.apply_updates(network, steps), state, told
