"""Steps of the optimiser: from decisions and what came of them, or from what to do. JAX, optax."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from adjoin.learning import ragged
from adjoin.learning.policies import Network, Scale, shapes

try:
    import jax
    import jax.numpy as jnp
    import optax
except ImportError as error:
    raise ImportError("adjoin.learning.trainer needs jax: pip install 'adjoin[train]'") from error

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from adjoin.core.spec import Spec
    from adjoin.learning.settings import Settings

OPTIMISER = optax.chain(
    optax.clip_by_global_norm(0.5), optax.inject_hyperparams(optax.adam)(learning_rate=0.0)
)


class Rows(NamedTuple):
    """Decisions, each with its legal actions; padded at the end of the actions."""

    observation: Any
    facts: Any
    lanes: Any
    """The decision of each action."""
    total: Any
    """How many actions there are without the padding."""
    target: Any
    """The returns of every seat, the viewer first."""


class Data(NamedTuple):
    """Decisions to learn from, whose legal actions lie one after another."""

    observation: NDArray[np.uint8]
    facts: NDArray[np.uint8]
    offsets: NDArray[np.int64]
    target: NDArray[np.float32]

    def take(self, chosen: NDArray[np.intp]) -> tuple[Rows, NDArray[np.int64]]:
        """Return some decisions, and which actions theirs are."""
        at = ragged.rows_of(self.offsets, chosen)
        total = len(at)
        size = room(total)
        facts = np.zeros((size, self.facts.shape[1]), np.uint8)
        self.facts.take(at, axis=0, out=facts[:total], mode="clip")
        lanes = np.full(size, len(chosen) - 1, np.int32)
        counts = np.diff(self.offsets)[chosen]
        lanes[:total] = np.repeat(np.arange(len(chosen), dtype=np.int32), counts)
        rows = Rows(
            self.observation.take(chosen, axis=0),
            facts,
            lanes,
            np.int32(total),
            self.target.take(chosen, axis=0),
        )
        return rows, at


def room(total: int) -> int:
    """Return a number that is not less, of few: a step is compiled for each."""
    step = max(64, 2 ** (total.bit_length() - 4))
    return -(-total // step) * step


def shuffled(
    rng: np.random.Generator, decisions: NDArray[np.intp], size: int
) -> Iterator[NDArray[np.intp]]:
    """Go through decisions in another order, so many at a time; what is left over is left out."""
    order = rng.permutation(decisions)
    if len(order) < size:
        order = np.resize(order, size)
    for start in range(0, len(order) - size + 1, size):
        yield order[start : start + size]


def drawn(spec: Spec, settings: Settings, seed: int) -> Network:
    """Return a network that does not know anything yet: orthogonal weights, drawn by lot."""
    rng = np.random.default_rng(seed)

    def array(name: str, shape: tuple[int, ...]) -> Any:
        if name.endswith(".b"):
            return jnp.zeros(shape, jnp.float32)
        inputs, outputs = shape if len(shape) == 2 else (*shape, 1)
        many, few = max(inputs, outputs), min(inputs, outputs)
        columns, _ = np.linalg.qr(rng.standard_normal((many, few)))
        gain = {"score.w": 0.1, "value.w": 0.1, "mix.w": 1.0}.get(name, 2**0.5)
        weight = gain * (columns if inputs >= outputs else columns.T)
        return jnp.asarray(weight.reshape(shape), jnp.float32)

    found = shapes(spec, settings.hidden, settings.action_hidden)
    return Network.of({name: array(name, shape) for name, shape in found.items()})


def log_probabilities(network: Network, scale: Scale, rows: Rows) -> tuple[Any, Any]:
    """Return the logarithm of how likely each action is, very small in the padding; and values."""
    logits, values = network.scaled(scale)(
        rows.observation.astype(jnp.float32), rows.facts.astype(jnp.float32), rows.lanes
    )
    count = len(rows.observation)
    logits = jnp.where(jnp.arange(len(logits)) < rows.total, logits, -1e9)
    highest = jax.ops.segment_max(logits, rows.lanes, count, indices_are_sorted=True)
    shifted = logits - jax.lax.stop_gradient(highest)[rows.lanes]
    total = jax.ops.segment_sum(jnp.exp(shifted), rows.lanes, count, indices_are_sorted=True)
    return shifted - jnp.log(total)[rows.lanes], values


def _error(values: Any, rows: Rows) -> Any:
    return jnp.square(values - rows.target).sum(-1).mean()


def _stepped(loss: Any, network: Network, state: Any, learning_rate: float) -> Any:
    slopes, told = jax.grad(loss, has_aux=True)(network)
    state[1].hyperparams["learning_rate"] = learning_rate
    steps, state = OPTIMISER.update(slopes, state, network)
    return optax.apply_updates(network, steps), state, told


class Rates(NamedTuple):
    """What a step of the optimiser goes by."""

    learning_rate: float
    vf_coef: float
    ent_coef: float = 0.0
    clip_range: float = 0.0


class Played(NamedTuple):
    """What was played in each of some decisions, and how much better than expected it was."""

    chosen: Any
    logs: Any
    advantage: Any


@functools.partial(jax.jit, donate_argnums=(0, 1))
def improve(
    network: Network, state: Any, scale: Scale, rows: Rows, played: Played, rates: Rates
) -> Any:
    """Take a step of PPO; return network, state, and what there is to tell."""
    advantage = (played.advantage - played.advantage.mean()) / (played.advantage.std() + 1e-8)

    def loss(network: Network) -> Any:
        logs, values = log_probabilities(network, scale, rows)
        ratio = jnp.exp(logs[played.chosen] - played.logs)
        near = jnp.clip(ratio, 1 - rates.clip_range, 1 + rates.clip_range)
        gain = jnp.minimum(ratio * advantage, near * advantage).mean()
        doubt = -(jnp.exp(logs) * jnp.maximum(logs, -1e8)).sum() / len(ratio)
        error = _error(values, rows)
        told = {
            "gain": gain,
            "value error": error,
            "entropy": doubt,
            "moved": jnp.abs(ratio - 1).mean(),
        }
        return -gain + rates.vf_coef * error - rates.ent_coef * doubt, told

    return _stepped(loss, network, state, rates.learning_rate)


@functools.partial(jax.jit, donate_argnums=(0, 1))
def imitate(
    network: Network, state: Any, scale: Scale, rows: Rows, shares: Any, rates: Rates
) -> Any:
    """Take a step towards shares of the actions; return network, state, and what to tell."""

    def loss(network: Network) -> Any:
        logs, values = log_probabilities(network, scale, rows)
        count = len(rows.observation)
        missed = -(shares * jnp.maximum(logs, -1e8)).sum() / count
        error = _error(values, rows)
        best = jax.ops.segment_max(logs, rows.lanes, count, indices_are_sorted=True)
        is_best = (logs == best[rows.lanes]).astype(jnp.float32)
        ties = jax.ops.segment_sum(is_best, rows.lanes, count, indices_are_sorted=True)
        agreed = (shares * (is_best / ties[rows.lanes])).sum() / count
        told = {"cross-entropy": missed, "agreement": agreed, "value error": error}
        return missed + rates.vf_coef * error, told

    return _stepped(loss, network, state, rates.learning_rate)
