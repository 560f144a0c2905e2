"""Expert iteration: a search with the network is the expert that the network learns from."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from adjoin.learning import ragged
from adjoin.learning.imitation import Replay
from adjoin.learning.policies import Inputs, Network, Policy, Scale
from adjoin.learning.rollouts import Lanes
from adjoin.learning.settings import SELF
from adjoin.learning.updates import Data
from adjoin.search import TreeSearch

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from adjoin.core.buffers import ActionRows
    from adjoin.learning.checkpoints import Archive
    from adjoin.learning.settings import Expert


class ExpertRun:
    """A stage of expert iteration while it lasts."""

    def __init__(self, game: str, options: Mapping[str, Any], stage: Expert, seed: int) -> None:
        self.stage = stage
        self.lanes = Lanes(game, options, stage, {stage.opponents: 1.0}, seed)
        self._rules = game, {**options, **stage.options}
        self._inputs, self._scale = Inputs(self.lanes.spec), Scale.of(self.lanes.spec)
        self._replay = Replay(stage.replay)

    def update(
        self, network: Network, state: Any, rng: np.random.Generator, left: float
    ) -> tuple[Network, Any, int, dict[str, float]]:
        """Search, play and learn; return network, state, how many decisions, and what to tell."""
        stage = self.stage
        (group,) = self.lanes.groups
        shares: list[NDArray[np.float32]] = []
        roots: list[NDArray[np.float32]] = []
        search = TreeSearch(
            group.batch,
            stage.num_simulations,
            method="gumbel",
            reward=stage.reward,
            gumbel_scale=stage.gumbel_scale,
            opponents=None if stage.opponents == SELF else stage.opponents,
        )
        policy = Policy(*self._rules, network)
        with tempfile.TemporaryDirectory(prefix="adjoin-") as folder:
            path = policy.save(Path(folder) / "now.safetensors")

            def choose(
                step: int, actions: ActionRows, logits: NDArray[np.float32]
            ) -> NDArray[np.intp]:
                found = search.run(f"learned(path={path})")
                lanes = actions.lanes
                shares.append(found.policies[lanes, actions.ids])
                roots.append(found.values)
                is_played = actions.ids == found.actions[lanes]
                return ragged.best(is_played.astype(np.float32), actions.offsets)

            playing = Network.of(network.arrays()).scaled(self._scale)
            rollout = self.lanes.play(playing, self._inputs, choose)
        target = rollout.target + np.float32(stage.root_share) * (
            np.concatenate(roots) - rollout.target
        )
        data = Data(rollout.observation, rollout.facts, rollout.offsets, target)
        self._replay.keep(data, np.concatenate(shares), rollout.decided)
        network, state, told = self._replay.learn(network, state, self._scale, stage, rng, left)
        return network, state, int(rollout.decided.sum()), told

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return what a checkpoint needs beside the matches."""
        return self._replay.arrays()

    def load(self, file: Archive, network: Network) -> None:
        """Take up what ``arrays`` gave."""
        self._replay.load(file)
