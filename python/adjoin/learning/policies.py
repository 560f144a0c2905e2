"""What was learned: small networks that play, are saved and read again. Needs numpy alone."""

from __future__ import annotations

import functools
import hashlib
import json
import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np

from adjoin.core.spec import Spec, options_json
from adjoin.data.files import read_json
from adjoin.learning import ragged, tensors
from adjoin.learning.checkpoints import CheckpointError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from adjoin.core.batch import Reward
    from adjoin.core.buffers import ActionRows
    from adjoin.core.spec import Layout


class Layer(NamedTuple):
    """Weights of one layer."""

    w: Any
    b: Any

    def __call__(self, x: Any) -> Any:
        """Return what the layer makes of rows; of JAX's arrays, too."""
        return x @ self.w + self.b


class Network(NamedTuple):
    """Two towers: one sees an observation, the other the facts about each legal action.

    The weights are the same for all actions. What is read off: how each action is liked, and what
    each seat may hope for, the viewer's own first and then clockwise.
    """

    state: tuple[Layer, ...]
    value: Layer
    action: tuple[Layer, ...]
    mix: Any
    """How the state's tower goes into the first layer of the actions' tower."""
    score: Any

    def __call__(self, observations: Any, facts: Any, lanes: Any) -> tuple[Any, Any]:
        """Return a logit for every action and values for every observation.

        ``lanes`` is the number of each action's observation. Rows are floats of the inputs alone;
        of numpy or of JAX.
        """
        x = self.seen(observations)
        first, *more = self.action
        a = (facts @ first.w + (x @ self.mix + first.b)[lanes]).clip(0)
        for layer in more:
            a = layer(a).clip(0)
        return a @ self.score, self.value(x)

    def seen(self, observations: Any) -> Any:
        """Return what the state's tower makes of observations."""
        x = observations
        for layer in self.state:
            x = layer(x).clip(0)
        return x

    def scaled(self, scale: Scale) -> Network:
        """Return the network that takes the bytes of rows as they are."""
        (state, *more_state), (action, *more_action) = self.state, self.action
        return self._replace(
            state=(Layer(scale.observation[:, None] * state.w, state.b), *more_state),
            action=(Layer(scale.facts[:, None] * action.w, action.b), *more_action),
        )

    def arrays(self) -> dict[str, NDArray[np.float32]]:
        """Return every array by its name."""
        layers = {f"state.{i}": layer for i, layer in enumerate(self.state)}
        layers |= {"value": self.value}
        layers |= {f"action.{i}": layer for i, layer in enumerate(self.action)}
        named = {
            f"{name}.{part}": array
            for name, layer in layers.items()
            for part, array in layer._asdict().items()
        }
        named |= {"mix.w": self.mix, "score.w": self.score}
        return {name: np.asarray(array, np.float32) for name, array in named.items()}

    @classmethod
    def of(cls, arrays: Mapping[str, Any]) -> Network:
        """Return the network whose ``arrays`` these are."""

        def tower(name: str) -> tuple[Layer, ...]:
            count = sum(key.startswith(f"{name}.") for key in arrays) // 2
            return tuple(
                Layer(arrays[f"{name}.{i}.w"], arrays[f"{name}.{i}.b"]) for i in range(count)
            )

        value = Layer(arrays["value.w"], arrays["value.b"])
        return cls(tower("state"), value, tower("action"), arrays["mix.w"], arrays["score.w"])

    @property
    def widths(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Widths of the layers of both towers."""
        return tuple(len(x.b) for x in self.state), tuple(len(x.b) for x in self.action)


def shapes(
    spec: Spec, hidden: tuple[int, ...], action_hidden: tuple[int, ...]
) -> dict[str, tuple[int, ...]]:
    """Return the shapes of the arrays of a network for a game."""
    found: dict[str, tuple[int, ...]] = {}

    def tower(name: str, inputs: int, widths: tuple[int, ...]) -> None:
        for i, (width, before) in enumerate(zip(widths, (inputs, *widths), strict=False)):
            found[f"{name}.{i}.w"], found[f"{name}.{i}.b"] = (before, width), (width,)

    tower("state", len(inputs_of(spec.observation)), hidden)
    tower("action", len(inputs_of(spec.facts)), action_hidden)
    found["value.w"], found["value.b"] = (hidden[-1], spec.seats), (spec.seats,)
    found["mix.w"], found["score.w"] = (hidden[-1], action_hidden[0]), (action_hidden[-1],)
    return found


def inputs_of(layout: Layout) -> NDArray[np.intp]:
    """Return which numbers of a row a network gets: all but the numbers of classes."""
    blocks = [range(b.start, b.stop) for b in layout.blocks if b.classes is None]
    return np.array([i for block in blocks for i in block], np.intp)


class Scale(NamedTuple):
    """What inputs are multiplied by, so that every number lies from 0 to 1."""

    observation: Any
    facts: Any

    @classmethod
    def of(cls, spec: Spec) -> Scale:
        """Return the scale of a game's rows."""

        def factors(layout: Layout) -> NDArray[np.float32]:
            highest = [np.full(b.size, max(b.high, 1)) for b in layout.blocks if b.classes is None]
            return (1 / np.concatenate(highest)).astype(np.float32)

        return cls(factors(spec.observation), factors(spec.facts))


class Inputs:
    """The inputs of a network, out of the rows of a game."""

    def __init__(self, spec: Spec) -> None:
        self._columns = [
            None if len(columns) == layout.size else columns
            for layout in (spec.observation, spec.facts)
            for columns in [inputs_of(layout)]
        ]

    def observation(self, rows: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """Return the inputs of observations."""
        columns = self._columns[0]
        return rows if columns is None else rows.take(columns, axis=-1)

    def facts(self, rows: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """Return the inputs of facts."""
        columns = self._columns[1]
        return rows if columns is None else rows.take(columns, axis=-1)


class Policy:
    """A network that plays a game: an agent for ``simulate``, ``tournament`` and ``play``.

    Called with observations, a row a decision, and their legal actions, it returns the action that
    it thinks best. ``name`` is what tables and tournaments call it; ``reward`` is what its values
    are about: a search takes them where that is ``"win"``. Weights are kept as halves, as
    its file has them. Where other work runs beside it, the setting ``OPENBLAS_NUM_THREADS=1`` of
    the environment makes numpy several times faster at this size.
    """

    def __init__(
        self,
        game: str,
        options: Mapping[str, Any],
        network: Network,
        name: str = "learned",
        reward: Reward = "win",
    ) -> None:
        self.game = game
        self.reward: Reward = reward
        self.options = dict(options)
        self.network = Network.of(
            {
                name: array.astype(np.float16).astype(np.float32)
                for name, array in network.arrays().items()
            }
        )
        self.spec = Spec.of(game, options)
        self.__name__ = name
        self._inputs = Inputs(self.spec)
        self._scaled = self.network.scaled(Scale.of(self.spec))

    def __call__(self, observations: NDArray[np.uint8], actions: ActionRows) -> NDArray[np.int32]:
        """Return the best action of every row; 0 where there is none."""
        logits, _ = self.judge(observations, actions)
        best = np.zeros(len(observations), np.int32)
        best[actions.counts > 0] = actions.ids[ragged.best(logits, actions.offsets)]
        return best

    def probabilities(
        self, observations: NDArray[np.uint8], actions: ActionRows
    ) -> NDArray[np.float32]:
        """Return how likely it is to play each of the actions while it learns."""
        logits, _ = self.judge(observations, actions)
        return np.exp(ragged.log_softmax(logits, actions.offsets))

    def values(self, observations: NDArray[np.uint8]) -> NDArray[np.float32]:
        """Return what each seat may hope for, the viewer's own first and then clockwise."""
        self._check("observation", observations)
        seen = self._scaled.seen(self._inputs.observation(observations).astype(np.float32))
        values: NDArray[np.float32] = self._scaled.value(seen)
        return values

    def judge(
        self, observations: NDArray[np.uint8], actions: ActionRows
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Return a logit for each action, and ``values``."""
        self._check("observation", observations)
        self._check("facts", actions.facts)
        facts = actions.facts[: actions.offsets[-1]]
        return self._scaled(
            self._inputs.observation(observations).astype(np.float32),
            self._inputs.facts(facts).astype(np.float32),
            actions.lanes,
        )

    def _check(self, name: str, rows: NDArray[np.uint8]) -> None:
        size = getattr(self.spec, name).size
        if rows.shape[-1] != size:
            raise ValueError(
                f"{self!r} sees {size} numbers of {name}, not {rows.shape[-1]}: "
                "it was learned for another game or other options"
            )

    @property
    def agent(self) -> str:
        """The text of the built-in agent that plays as it does.

        It reads a file that lasts as long as this process.
        """
        path = Path(_folder().name) / f"{self.digest}.safetensors"
        if not path.exists():
            self.save(path)
        return f"learned(path={path})"

    @property
    def size(self) -> int:
        """How many weights there are."""
        return sum(array.size for array in self.network.arrays().values())

    @property
    def digest(self) -> str:
        """SHA-256 of the weights: the same weights, the same digest."""
        total = hashlib.sha256()
        for name, array in sorted(self.network.arrays().items()):
            total.update(f"{name} {array.shape}\n".encode())
            total.update(np.ascontiguousarray(array, "<f4").tobytes())
        return total.hexdigest()

    def __repr__(self) -> str:
        """Return game, size and the beginning of the digest."""
        return f"<Policy for {self.spec.title}: {self.size:,} weights, {self.digest[:12]}>"

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write it to a file, by convention ``.safetensors``, and return the path."""
        about = {
            "game": self.spec.name,
            "version": str(self.spec.version),
            "options": options_json(self.options),
            "rows": self.spec.rows_digest,
            "reward": self.reward,
        }
        return tensors.write(path, about, self.network.arrays())

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Policy:
        """Read what ``save`` wrote; its name is the file's.

        What was learned for rows of another form is refused.
        """
        about, arrays = tensors.read(path)
        try:
            game, options, rows = about["game"], read_json(about["options"]), about["rows"]
            reward = cast("Reward", about["reward"])
            spec = Spec.of(game, options)
        except (KeyError, TypeError, ValueError) as error:
            raise CheckpointError(
                f"{path}: damaged: what it is about cannot be read ({error})"
            ) from error
        if rows != spec.rows_digest:
            raise CheckpointError(
                f"{path}: was learned for rows of another form; {spec.title} with the options "
                f"{json.dumps(options)} has other observations or facts now"
            )
        return cls(game, options, checked(path, spec, arrays), Path(path).stem, reward)


@functools.cache
def _folder() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="adjoin-")


def checked(
    path: str | os.PathLike[str], spec: Spec, arrays: Mapping[str, NDArray[np.float32]]
) -> Network:
    """Return the network of a file: each layer takes what the one before it gives."""
    try:
        network = Network.of(arrays)
        expected = shapes(spec, *network.widths)
    except (IndexError, KeyError, TypeError) as error:
        raise CheckpointError(f"{path}: damaged: weights are missing ({error})") from error
    for name in sorted({*expected, *arrays}):
        found = arrays[name].shape if name in arrays else None
        if found != expected.get(name):
            raise CheckpointError(
                f"{path}: damaged: {name} has the shape {found}, expected {expected.get(name)}"
            )
    return network
