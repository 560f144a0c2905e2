"""PPO: learning from what comes of one's own decisions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from adjoin.learning import ragged
from adjoin.learning.policies import Inputs, Network, Scale
from adjoin.learning.rollouts import PAST, Lanes
from adjoin.learning.updates import Data, Played, Rates, improve, shuffled

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from adjoin.core.buffers import ActionRows
    from adjoin.learning.checkpoints import Archive
    from adjoin.learning.settings import Ppo

_MOST = 8
"""How many past selves are kept."""


class PpoRun:
    """A stage of PPO while it lasts."""

    def __init__(self, game: str, options: Mapping[str, Any], stage: Ppo, seed: int) -> None:
        self.stage = stage
        self.lanes = Lanes(game, options, stage, stage.opponents, seed)
        self._inputs, self._scale = Inputs(self.lanes.spec), Scale.of(self.lanes.spec)
        self._past: list[dict[str, NDArray[np.float32]]] = []
        self._updates = 0

    def update(
        self, network: Network, state: Any, rng: np.random.Generator, left: float
    ) -> tuple[Network, Any, int, dict[str, float]]:
        """Play and learn; return network, state, the number of decisions, and what to tell."""
        stage = self.stage
        playing = Network.of(network.arrays())
        past = self._snapshot(playing, rng) if PAST in stage.opponents else None

        def choose(
            step: int, actions: ActionRows, logits: NDArray[np.float32]
        ) -> NDArray[np.intp]:
            return ragged.best(noisy(rng, logits), actions.offsets)

        rollout = self.lanes.play(playing.scaled(self._scale), self._inputs, choose, past)
        data = Data(rollout.observation, rollout.facts, rollout.offsets, rollout.target)
        advantage = rollout.target[:, 0] - rollout.value[:, 0]
        decided = np.flatnonzero(rollout.decided)
        rates = Rates(
            stage.learning_rate * left, stage.vf_coef, stage.ent_coef * left, stage.clip_range
        )
        told: list[dict[str, Any]] = []
        for _ in range(stage.n_epochs):
            for some in shuffled(rng, decided, stage.batch_size):
                rows, _ = data.take(some)
                counts = np.diff(rollout.offsets)[some]
                local = np.cumsum(counts) - counts + rollout.chosen[some] - rollout.offsets[some]
                played = Played(local.astype(np.int32), rollout.logs[some], advantage[some])
                network, state, one = improve(network, state, self._scale, rows, played, rates)
                told.append(one)
        return network, state, len(decided), means(told)

    def _snapshot(self, playing: Network, rng: np.random.Generator) -> Network:
        """Keep the network now and then, and return one of those kept, ready to play."""
        if self._updates % self.stage.snapshot_every == 0:
            self._past = [*self._past, playing.arrays()][-_MOST:]
        self._updates += 1
        return Network.of(self._past[rng.integers(len(self._past))]).scaled(self._scale)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return what a checkpoint needs beside the matches."""
        kept = {
            f"past.{i}.{name}": array
            for i, arrays in enumerate(self._past)
            for name, array in arrays.items()
        }
        return {"past": np.array([len(self._past), self._updates]), **kept}

    def load(self, file: Archive, network: Network) -> None:
        """Take up what ``arrays`` gave."""
        count, self._updates = file.array("past", np.int64, (2,)).tolist()
        like = network.arrays()
        self._past = [
            {
                name: file.array(f"past.{i}.{name}", np.float32, array.shape)
                for name, array in like.items()
            }
            for i in range(count)
        ]


def noisy(rng: np.random.Generator, logits: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return logits with Gumbel noise: the largest is a draw from their softmax."""
    lots = rng.standard_exponential(len(logits), dtype=np.float32)
    noise: NDArray[np.float32] = logits - np.log(np.maximum(lots, np.float32(1e-20)))
    return noise


def means(told: list[dict[str, Any]]) -> dict[str, float]:
    """Return the mean of each thing that was told."""
    names = told[0] if told else ()
    return {name: float(np.mean([one[name] for one in told])) for name in names}
