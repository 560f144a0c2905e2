"""Imitation: learning to do what an agent would do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from adjoin.learning import ragged
from adjoin.learning.policies import Inputs, Network, Scale
from adjoin.learning.ppo import means, noisy
from adjoin.learning.rollouts import SELF, Lanes
from adjoin.learning.updates import Data, Rates, imitate, shuffled

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from adjoin.core.buffers import ActionRows
    from adjoin.learning.checkpoints import Archive
    from adjoin.learning.settings import Imitation


class Replay:
    """What to do in the decisions of the latest updates."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept: list[tuple[Data, NDArray[np.float32]]] = []

    def learn(
        self, network: Network, state: Any, scale: Scale, stage: Any, rng: Any, left: float
    ) -> tuple[Network, Any, dict[str, float]]:
        """Go through the latest decisions, and ``n_epochs - 1`` times through some of those kept."""
        rates = Rates(stage.learning_rate * left, stage.vf_coef)
        told: list[dict[str, Any]] = []
        for epoch in range(stage.n_epochs):
            number = rng.integers(len(self._kept)) if epoch else -1
            data, shares = self._kept[number]
            for some in shuffled(rng, np.arange(len(data.observation)), stage.batch_size):
                rows, at = data.take(some)
                wanted = np.zeros(len(rows.facts), np.float32)
                wanted[: len(at)] = shares[at]
                network, state, one = imitate(network, state, scale, rows, wanted, rates)
                told.append(one)
        return network, state, means(told)

    def keep(self, data: Data, shares: NDArray[np.float32], decided: NDArray[np.bool_]) -> None:
        """Keep the decisions of an update, with the share that each action should have."""
        at = np.flatnonzero(decided)
        rows = ragged.rows_of(data.offsets, at)
        offsets = np.concatenate([[0], np.diff(data.offsets)[at].cumsum()])
        some = Data(data.observation[at], data.facts[rows], offsets, data.target[at])
        self._kept = [*self._kept, (some, shares[rows])][-self._most :]

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return what a checkpoint needs."""
        arrays: dict[str, NDArray[Any]] = {"replay": np.array([len(self._kept)])}
        for i, (data, shares) in enumerate(self._kept):
            named = {**data._asdict(), "shares": shares}
            arrays |= {f"replay.{i}.{name}": array for name, array in named.items()}
        return arrays

    def load(self, file: Archive) -> None:
        """Take up what ``arrays`` gave."""
        (count,) = file.array("replay", np.int64, (1,)).tolist()
        self._kept = [
            (
                Data(
                    file.array(f"replay.{i}.observation", np.uint8, (None, None)),
                    file.array(f"replay.{i}.facts", np.uint8, (None, None)),
                    file.array(f"replay.{i}.offsets", np.int64, (None,)),
                    file.array(f"replay.{i}.target", np.float32, (None, None)),
                ),
                file.array(f"replay.{i}.shares", np.float32, (None,)),
            )
            for i in range(count)
        ]


class ImitationRun:
    """A stage of imitation while it lasts."""

    def __init__(
        self, game: str, options: Mapping[str, Any], stage: Imitation, seed: int
    ) -> None:
        self.stage = stage
        self.lanes = Lanes(game, options, stage, {SELF: 1.0}, seed)
        self._inputs, self._scale = Inputs(self.lanes.spec), Scale.of(self.lanes.spec)
        self._replay = Replay(stage.replay)

    def update(
        self, network: Network, state: Any, rng: np.random.Generator, left: float
    ) -> tuple[Network, Any, int, dict[str, float]]:
        """Play and learn; return network, state, the number of decisions, and what to tell."""
        stage = self.stage
        by_expert = np.arange(stage.num_lanes) < stage.expert_share * stage.num_lanes
        shares: list[NDArray[np.float32]] = []

        def choose(
            step: int, actions: ActionRows, logits: NDArray[np.float32]
        ) -> NDArray[np.intp]:
            lanes = actions.lanes
            wanted = self._answers()[lanes] == actions.ids
            shares.append(wanted.astype(np.float32))
            by_lot = rng.random(stage.num_lanes) < stage.random_share
            scores = noisy(rng, np.where(by_lot[lanes], np.float32(0), logits))
            return ragged.best(
                np.where(by_expert[lanes] & ~by_lot[lanes] & wanted, np.inf, scores),
                actions.offsets,
            )

        playing = Network.of(network.arrays()).scaled(self._scale)
        rollout = self.lanes.play(playing, self._inputs, choose)
        data = Data(rollout.observation, rollout.facts, rollout.offsets, rollout.target)
        self._replay.keep(data, np.concatenate(shares), rollout.decided)
        network, state, told = self._replay.learn(network, state, self._scale, stage, rng, left)
        return network, state, int(rollout.decided.sum()), told

    def _answers(self) -> NDArray[np.int32]:
        """Return what the expert would play in every lane."""
        (group,) = self.lanes.groups
        return np.array(
            [
                -1 if match.is_over else match.choose_id(self.stage.expert)
                for match in group.batch
            ],
            np.int32,
        )

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return what a checkpoint needs beside the matches."""
        return self._replay.arrays()

    def load(self, file: Archive, network: Network) -> None:
        """Take up what ``arrays`` gave."""
        self._replay.load(file)
