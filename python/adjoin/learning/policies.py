"""What was learned: small networks that play, are saved and read again. Needs numpy alone."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from adjoin.core.spec import Spec
from adjoin.learning.checkpoints import POLICY, Archive, CheckpointError, write

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray


__all__ = ["CheckpointError", "Layer", "Network", "Policy", "scale"]


class Layer(NamedTuple):
    """Weights of one layer."""

    weight: Any
    bias: Any

    def __call__(self, x: Any) -> Any:
        """Return what the layer makes of rows; of JAX's arrays, too."""
        return x @ self.weight + self.bias


class Network(NamedTuple):
    """Layers that see an observation, and what is read off them: what to do, what to expect."""

    hidden: tuple[Layer, ...]
    action: Layer
    value: Layer

    def __call__(self, observations: Any, scale: Any) -> tuple[Any, Any]:
        """Return a logit for every action, and the return expected, of rows."""
        x = observations * scale
        for layer in self.hidden:
            x = layer(x).clip(0)
        return self.action(x), self.value(x)[..., 0]

    def arrays(self) -> dict[str, NDArray[np.float32]]:
        """Return every array by its name."""
        named = {f"hidden{i}": layer for i, layer in enumerate(self.hidden)}
        named |= {"action": self.action, "value": self.value}
        return {
            f"{name}.{part}": np.asarray(array, np.float32)
            for name, layer in named.items()
            for part, array in layer._asdict().items()
        }

    @classmethod
    def of(cls, arrays: Mapping[str, Any]) -> Network:
        """Return the network whose ``arrays`` these are."""

        def layer(name: str) -> Layer:
            return Layer(arrays[f"{name}.weight"], arrays[f"{name}.bias"])

        count = sum(name.startswith("hidden") for name in arrays) // 2
        hidden = tuple(layer(f"hidden{i}") for i in range(count))
        return cls(hidden, layer("action"), layer("value"))

    @classmethod
    def read(cls, file: Archive) -> Network:
        """Return the network of a file: each layer takes what the one before it gives."""

        def layer(name: str, inputs: int, outputs: int | None) -> Layer:
            weight = file.array(f"{name}.weight", np.float32, (inputs, outputs))
            return Layer(weight, file.array(f"{name}.bias", np.float32, weight.shape[1:]))

        hidden: list[Layer] = []
        width = file.spec.observation.size
        while f"hidden{len(hidden)}.weight" in file:
            hidden.append(layer(f"hidden{len(hidden)}", width, None))
            width = len(hidden[-1].bias)
        action = layer("action", width, file.spec.actions.size)
        return cls(tuple(hidden), action, layer("value", width, 1))


class Policy:
    """A network that plays a game: an agent for ``simulate``, ``tournament`` and ``play``.

    Called with observations and masks, a row a decision, it returns the action that it thinks best.
    ``name`` is what tables and tournaments call it. Where other work runs beside it, the setting
    ``OPENBLAS_NUM_THREADS=1`` of the environment makes numpy several times faster at this size.
    """

    def __init__(
        self, game: str, options: Mapping[str, Any], network: Network, name: str = "learned"
    ) -> None:
        self.game = game
        self.options = dict(options)
        self.network = network
        self.spec = Spec.of(game, options)
        self.__name__ = name
        self._scale = scale(self.spec)

    def __call__(
        self, observations: NDArray[np.uint8], masks: NDArray[np.int8]
    ) -> NDArray[np.int64]:
        """Return the best action of every row."""
        logits, _ = self._seen(observations)
        best: NDArray[np.int64] = np.where(masks != 0, logits, -np.inf).argmax(axis=-1)
        return best

    def probabilities(
        self, observations: NDArray[np.uint8], masks: NDArray[np.int8]
    ) -> NDArray[np.float32]:
        """Return how likely it is to play each action while it learns; 0 for illegal ones."""
        logits, _ = self._seen(observations)
        logits = np.where(masks != 0, logits, -np.inf)
        weights = np.exp(logits - logits.max(axis=-1, keepdims=True))
        shares: NDArray[np.float32] = weights / weights.sum(axis=-1, keepdims=True)
        return shares

    def values(self, observations: NDArray[np.uint8]) -> NDArray[np.float32]:
        """Return what it expects to earn from here on, in the trainer's scale."""
        _, values = self._seen(observations)
        expected: NDArray[np.float32] = values
        return expected

    def _seen(self, observations: NDArray[np.uint8]) -> tuple[Any, Any]:
        size = self.spec.observation.size
        if observations.shape[-1] != size:
            raise ValueError(
                f"{self!r} sees {size} numbers in an observation, not {observations.shape[-1]}: "
                "it was learned for another game or other options"
            )
        return self.network(observations.astype(np.float32), self._scale)

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
        """Write it to a file, by convention ``.npz``, and return the path."""
        return write(path, POLICY, self.spec, self.options, {}, self.network.arrays())

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Policy:
        """Read what ``save`` wrote, or the policy of a checkpoint; its name is the file's.

        What was learned for another version of the game is refused.
        """
        file = Archive(path)
        return cls(file.about["game"], file.about["options"], Network.read(file), file.path.stem)


def scale(spec: Spec) -> NDArray[np.float32]:
    """Return what observations are multiplied by, so that every number lies from 0 to 1."""
    highest = [np.full(block.size, max(block.high, 1)) for block in spec.observation.blocks]
    factors: NDArray[np.float32] = (1 / np.concatenate(highest)).astype(np.float32)
    return factors
