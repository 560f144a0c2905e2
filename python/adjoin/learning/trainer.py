"""A reference trainer: a network that scores actions learns a game, stage by stage.

It needs ``adjoin[train]``: JAX, which installs in a minute on a machine without a graphics card
(140 MB), where PyTorch brings 3 GB.
"""

from __future__ import annotations

import json
import os
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from adjoin.core.batch import Batch
from adjoin.core.spec import Spec, options_json
from adjoin.learning.checkpoints import Archive, write
from adjoin.learning.exams import win_share
from adjoin.learning.expert import ExpertRun
from adjoin.learning.imitation import ImitationRun
from adjoin.learning.policies import Network, Policy
from adjoin.learning.ppo import PpoRun
from adjoin.learning.settings import Expert, Imitation, Ppo, Settings, Stage
from adjoin.learning.updates import OPTIMISER, drawn
from adjoin.reports.charts import Band, Chart, lines
from adjoin.statistics.intervals import Interval
from adjoin.support.arguments import as_seed, whole
from adjoin.support.progress import progress_of

try:
    import jax
except ImportError as error:
    raise ImportError("adjoin.learning.trainer needs jax: pip install 'adjoin[train]'") from error

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from adjoin.core.options import GameOptions
    from adjoin.support.progress import Progress

_OFTEN = 60.0
"""Seconds after which a checkpoint is written again."""
_RUNS: dict[type[Stage], Any] = {Imitation: ImitationRun, Ppo: PpoRun, Expert: ExpertRun}


class Point(NamedTuple):
    """How good the policy was, at one moment, against one agent."""

    decisions: int
    seconds: float
    against: str
    share: Interval
    """Its share of the wins; by luck it would be one of so many seats."""


class Trainer:
    """Learns a game by playing it, in the stages of its settings.

    Everything follows from game, options, settings and seed: the same weights on the same machine,
    also when the run was stopped and went on from a checkpoint.

    >>> from adjoin.learning.settings import Ppo
    >>> settings = Settings(stages=[Ppo(decisions=8192, opponents={"self": 1})], measurements=0)
    >>> Trainer("domiphun", settings=settings).run().game
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
        self.settings = own = settings or Settings()
        self.seed = as_seed(seed)
        self.game, self.options = game, options
        self.spec = Spec.of(game, options)
        for agent in {*own.against, *(name for stage in own.stages for name in stage.agents)}:
            Batch.of(game, options, agents=[None, *[agent] * (self.spec.seats - 1)])
        self.decisions = 0
        self.seconds = 0.0
        self.curve: list[Point] = []
        self._updates = 0
        self._network = self._initial()
        self._begin(0)

    def _initial(self) -> Network:
        own = self.settings
        if not own.init:
            return drawn(self.spec, own, self.seed)
        known = Policy.load(own.init)
        widths = own.hidden, own.action_hidden
        if known.spec.rows_digest != self.spec.rows_digest or known.network.widths != widths:
            raise ValueError(
                f"init = {own.init!r}: is {known!r} with the widths {known.network.widths}; "
                f"this run has rows of {self.spec.title} and the widths {widths}"
            )
        network: Network = jax.tree.map(jax.numpy.asarray, known.network)
        return network

    def _begin(self, number: int) -> None:
        """Begin a stage: its matches, and an optimiser that has not seen anything."""
        stage = self.settings.stages[number]
        rows = Spec.of(self.game, {**self.options, **stage.options}).rows_digest
        if rows != self.spec.rows_digest:
            raise ValueError(
                f"stage {number}: options = {dict(stage.options)!r}: its rows are of another form"
            )
        seed = np.random.SeedSequence((self.seed, number)).generate_state(1, np.uint64)
        self._number, self._learned = number, 0
        self._run = _RUNS[type(stage)](self.game, self.options, stage, int(seed[0]))
        self._state = OPTIMISER.init(self._network)

    @property
    def stage(self) -> Stage:
        """The stage that it is in."""
        return self.settings.stages[self._number]

    @property
    def policy(self) -> Policy:
        """What has been learned so far."""
        return Policy(self.game, self.options, self._network, reward=self.stage.reward)

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
        """Whether all stages are over."""
        is_last = self._number == len(self.settings.stages) - 1
        return is_last and self._learned >= self.stage.decisions

    def run(
        self, checkpoint: str | os.PathLike[str] | None = None, *, progress: Progress = None
    ) -> Policy:
        """Learn until it is done, and return the policy.

        With ``checkpoint``, a file, it goes on from there if the file is there, and writes it when
        the policy is measured, and every minute.
        """
        if checkpoint is not None and Path(checkpoint).exists():
            self.load(checkpoint)
        if self.decisions == 0 < self.settings.measurements and not self.curve:
            self.measure()
        due, saved = self._due(), time.monotonic()
        with progress_of(progress, self.settings.decisions, "decisions") as show:
            show(min(self.decisions, self.settings.decisions))
            while not self.is_done:
                self.update()
                show(min(self.decisions, self.settings.decisions))
                is_due = self.is_done or self.decisions >= next(iter(due), np.inf)
                if is_due and self.settings.measurements:
                    self.measure()
                    due = self._due()
                if checkpoint is not None and (is_due or time.monotonic() - saved > _OFTEN):
                    self.save(checkpoint)
                    saved = time.monotonic()
        return self.policy

    def _due(self) -> list[float]:
        count, total = self.settings.measurements, self.settings.decisions
        moments = [total * (i + 1) / count for i in range(count - 1)]
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
        """Play some decisions in every lane, learn from them, and tell how that went."""
        start = time.perf_counter()
        if self._learned >= self.stage.decisions and not self.is_done:
            self._begin(self._number + 1)
        left = max(0.0, 1 - self._learned / self.stage.decisions)
        rng = np.random.default_rng((self.seed, self._number, self._updates))
        told: dict[str, float]
        self._network, self._state, count, told = self._run.update(
            self._network, self._state, rng, left
        )
        self._updates += 1
        self._learned += count
        self.decisions += count
        self.seconds += time.perf_counter() - start
        return told

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write a checkpoint: everything that it takes to go on."""
        state = {
            f"optimiser.{i}": np.asarray(leaf)
            for i, leaf in enumerate(jax.tree.leaves(self._state))
        }
        lanes = self._run.lanes.save()
        more = {
            "seed": self.seed,
            "settings": self.settings.as_json(),
            "decisions": self.decisions,
            "stage": [self._number, self._learned],
            "updates": self._updates,
            "seconds": self.seconds,
            "curve": self.curve,
            "lanes": [len(lane) for lane in lanes],
        }
        arrays = {
            **self._network.arrays(),
            **state,
            **self._run.arrays(),
            "lanes": np.frombuffer(b"".join(lanes), np.uint8),
        }
        return write(path, self.spec, self.options, more, arrays)

    def load(self, path: str | os.PathLike[str]) -> None:
        """Go on from a checkpoint of the same game, options, settings and seed."""
        file = Archive(path)
        self._check_mine(file)
        other = Trainer(self.game, seed=self.seed, settings=self.settings, **self.options)
        try:
            other._resume(file)
        except (KeyError, TypeError, ValueError) as error:
            if isinstance(error, type(file.refusal(""))):
                raise
            raise file.refusal(f"damaged: the run cannot go on ({error})") from error
        self.__dict__ = other.__dict__

    def _resume(self, file: Archive) -> None:
        """Take up a checkpoint; where that fails, the trainer is of no use any more."""
        number, learned = file.about["stage"]
        self._begin(whole("stage", number, 0, len(self.settings.stages) - 1))
        self._learned = whole("stage", learned, 0, 2**63)
        leaves, tree = jax.tree.flatten(self._state)
        stored = [
            jax.numpy.asarray(file.array(f"optimiser.{i}", leaf.dtype, leaf.shape))
            for i, leaf in enumerate(leaves)
        ]
        self._state = jax.tree.unflatten(tree, stored)
        arrays = {
            name: jax.numpy.asarray(file.array(name, np.float32, array.shape))
            for name, array in self._network.arrays().items()
        }
        self._network = Network.of(arrays)
        lanes = self._run.lanes
        matches = file.array("lanes", np.uint8, (None,)).tobytes()
        lanes.restore(lanes.restored(file.about["lanes"], matches))
        self._run.load(file, self._network)
        self.decisions, self._updates, self.seconds, self.curve = _progress(file.about)

    def _check_mine(self, file: Archive) -> None:
        """Refuse the checkpoint of another run."""
        mine = {
            "game": self.game,
            "options": json.loads(options_json(self.options)),
            "seed": self.seed,
            **json.loads(json.dumps(self.settings.as_json())),
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


def _progress(about: dict[str, Any]) -> tuple[int, int, float, list[Point]]:
    """Return how far a run was: decisions, updates, seconds, and its curve."""
    curve = [
        Point(whole("curve", decisions, 0, 2**63), float(seconds), str(against), Interval(*share))
        for decisions, seconds, against, share in about["curve"]
    ]
    decisions, updates = (whole(name, about[name], 0, 2**63) for name in ("decisions", "updates"))
    return decisions, updates, float(about["seconds"]), curve
