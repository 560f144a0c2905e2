"""How to learn: stages one after another, each with a method, and the network that learns."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

from adjoin.support.arguments import whole

if TYPE_CHECKING:
    from adjoin.core.batch import Reward

SELF, PAST = "self", "past"
"""Opponents that are no agents: the learner itself in every seat, and its earlier selves."""
_GREATEST = {
    "learning_rate": 1.0,
    "gamma": 1.0,
    "gae_lambda": 1.0,
    "vf_coef": 1e3,
    "reward_scale": 1e6,
    "clip_range": 1.0,
    "ent_coef": 1.0,
    "expert_share": 1.0,
    "random_share": 1.0,
    "root_share": 1.0,
    "gumbel_scale": 100.0,
}
"""Settings that are no whole numbers, from 0 on."""
_COUNTS = (
    "decisions",
    "num_lanes",
    "n_steps",
    "n_epochs",
    "batch_size",
    "replay",
    "snapshot_every",
    "num_simulations",
)
"""Settings that are whole numbers, from 1 on."""


@dataclass(frozen=True)
class Stage:
    """What all methods have."""

    method: ClassVar[str]

    decisions: int = 1_000_000
    """How many decisions to learn from."""
    options: Mapping[str, Any] = field(default_factory=dict)
    """Other options of the game while the stage lasts, such as fewer rounds; rows stay the same."""
    num_lanes: int = 512
    """Matches side by side."""
    n_steps: int = 32
    """Decisions of every lane from one update to the next."""
    n_epochs: int = 3
    """How often an update goes through its decisions."""
    batch_size: int = 2048
    """Decisions to a step of the optimiser."""
    learning_rate: float = 1e-3
    """At the beginning; it falls to 0 at the end of the stage."""
    gamma: float = 1.0
    """How much a reward is worth a decision earlier."""
    gae_lambda: float = 0.95
    """Lambda of returns: 1 waits for what comes, less trusts what the network expects sooner."""
    vf_coef: float = 0.5
    """What an error of the values weighs beside one of the policy."""
    reward: Reward = "win"
    """What is earned: shares of the win, -1 to 1, the game's ``"points"``, or the ``"lead"``."""
    reward_scale: float = 1.0
    """What rewards are multiplied by, so that returns lie from -1 to 1."""

    def __post_init__(self) -> None:
        """Refuse what cannot be."""
        for name, value in self.__dict__.items():
            if name in _COUNTS:
                whole(name, value, 1, 2**31)
            most = _GREATEST.get(name)
            if most is not None and not (isinstance(value, int | float) and 0 <= value <= most):
                raise ValueError(f"{name} = {value!r}: must be 0 to {most:g}")
        if self.reward not in ("win", "points", "lead"):
            raise ValueError(f'reward = {self.reward!r}: must be "win", "points" or "lead"')
        if not isinstance(self.options, Mapping):
            raise TypeError(f"options = {self.options!r}: must be a mapping")

    @property
    def agents(self) -> tuple[str, ...]:
        """The agents that it needs."""
        raise NotImplementedError


@dataclass(frozen=True)
class Imitation(Stage):
    """Learns to do what an agent would do, in matches between that agent and the learner's own."""

    method: ClassVar[str] = "imitation"

    expert: str = "greedy"
    """The agent."""
    expert_share: float = 0.5
    """In which share of the matches the agent plays; in the others the learner, to see its own."""
    random_share: float = 0.1
    """Which share of the decisions is drawn by lot, to see more."""
    replay: int = 32
    """How many updates' decisions are kept, to go through them again."""

    @property
    def agents(self) -> tuple[str, ...]:
        """The agents that it needs."""
        return (self.expert,)


@dataclass(frozen=True)
class Ppo(Stage):
    """Learns from what comes of its own decisions against others, and against itself."""

    method: ClassVar[str] = "ppo"

    opponents: Mapping[str, float] = field(default_factory=lambda: {"greedy": 3.0, "self": 1.0})
    """Who has the other seats, in which share of the lanes: an agent, ``"self"``, or ``"past"``
    for earlier selves."""
    snapshot_every: int = 20
    """Updates after which a past self is kept; there are at most eight."""
    clip_range: float = 0.2
    """How far an update may go from the policy that played."""
    ent_coef: float = 0.003
    """What indecision is worth; it falls to 0, as the learning rate does."""

    def __post_init__(self) -> None:
        """Refuse what cannot be."""
        super().__post_init__()
        if not isinstance(self.opponents, Mapping) or not self.opponents:
            raise TypeError(f"opponents = {self.opponents!r}: must be agents with shares")
        for name, share in self.opponents.items():
            if not (isinstance(share, int | float) and 0 < share < 1e6):
                raise ValueError(f"opponents: {name} = {share!r}: a share must be above 0")

    @property
    def agents(self) -> tuple[str, ...]:
        """The agents that it needs."""
        return tuple(name for name in self.opponents if name not in (SELF, PAST))


@dataclass(frozen=True)
class Expert(Stage):
    """Learns from a search that the network leads: what it would play, and what it expects."""

    method: ClassVar[str] = "expert"

    opponents: str = "self"
    """Who has the other seats: the search itself, or an agent, in the tree as well."""
    num_simulations: int = 32
    """How often each tree is walked down."""
    gumbel_scale: float = 1.0
    """How much chance there is in what the search tries and plays."""
    root_share: float = 0.5
    """How much of the values comes from the roots of the search; the rest, from what came of it."""
    replay: int = 32
    """How many updates' decisions are kept, to go through them again."""

    @property
    def agents(self) -> tuple[str, ...]:
        """The agents that it needs."""
        return () if self.opponents == SELF else (self.opponents,)


METHODS: dict[str, type[Stage]] = {stage.method: stage for stage in (Imitation, Ppo, Expert)}


def _stage(given: Stage | Mapping[str, Any]) -> Stage:
    """Return a stage that came as one, or as plain data with its method."""
    if isinstance(given, Stage):
        return given
    if not isinstance(given, Mapping) or given.get("method") not in METHODS:
        raise ValueError(f"stage = {given!r}: must have a method: {', '.join(METHODS)}")
    return METHODS[given["method"]](**{k: v for k, v in given.items() if k != "method"})


@dataclass(frozen=True)
class Settings:
    """Everything that a run depends on but game, options and seed."""

    stages: Sequence[Stage] = (Imitation(decisions=300_000), Ppo(decisions=2_000_000))
    """What is done, one after another."""
    hidden: tuple[int, ...] = (64,)
    """Widths of the layers that see the state."""
    action_hidden: tuple[int, ...] = (64,)
    """Widths of the layers that see the facts about an action."""
    init: str = ""
    """A policy's file to begin with; else with weights drawn by lot."""
    measurements: int = 10
    """How often the policy is measured, after the beginning."""
    matches: int = 400
    """How many matches measure it against each of ``against``."""
    against: tuple[str, ...] = ("random", "greedy")
    """Agents that it is measured against."""

    def __post_init__(self) -> None:
        """Refuse what cannot be."""
        for name in ("stages", "hidden", "action_hidden", "against"):
            value = getattr(self, name)
            if isinstance(value, str) or not isinstance(value, Sequence):
                raise TypeError(f"{name} = {value!r}: must be a sequence")
            object.__setattr__(self, name, tuple(value))
        if not (self.stages and self.hidden and self.action_hidden):
            raise ValueError("stages, hidden, action_hidden: must not be empty")
        object.__setattr__(self, "stages", tuple(map(_stage, self.stages)))
        for name in ("hidden", "action_hidden"):
            for width in getattr(self, name):
                whole(name, width, 1, 2**16)
        whole("matches", self.matches, 1, 2**31)
        whole("measurements", self.measurements, 0, 2**31)

    @property
    def decisions(self) -> int:
        """How many decisions all stages learn from."""
        return sum(stage.decisions for stage in self.stages)

    def with_decisions(self, decisions: int) -> Settings:
        """Return the same with so many decisions in all, each stage in its share."""
        whole("decisions", decisions, len(self.stages), 2**31)
        stages = tuple(
            dataclasses.replace(
                stage, decisions=max(1, decisions * stage.decisions // self.decisions)
            )
            for stage in self.stages
        )
        return dataclasses.replace(self, stages=stages)

    def with_opponents(self, opponents: Mapping[str, float]) -> Settings:
        """Return the same with other opponents in the stages of ``ppo``."""
        stages = tuple(
            dataclasses.replace(stage, opponents=opponents) if isinstance(stage, Ppo) else stage
            for stage in self.stages
        )
        return dataclasses.replace(self, stages=stages)

    def as_json(self) -> dict[str, Any]:
        """Return them as plain data, which ``Settings(**data)`` takes again."""
        plain = {name: value for name, value in vars(self).items() if name != "stages"}
        for name, value in plain.items():
            plain[name] = list(value) if isinstance(value, tuple) else value
        stages = [{"method": stage.method, **dataclasses.asdict(stage)} for stage in self.stages]
        return {"stages": stages, **plain}
