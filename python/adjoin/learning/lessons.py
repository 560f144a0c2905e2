"""What learners reach in every game, on one page: ``make train``, or ``adjoin train``."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from adjoin.core.match import Match
from adjoin.core.spec import Spec, games, options_json
from adjoin.learning.exams import win_share
from adjoin.learning.settings import Settings
from adjoin.learning.trainer import Trainer
from adjoin.reports.documents import Grid, Report, Section, as_json
from adjoin.statistics.perfect_play import Exactness, against_perfect, exactness, positions

if TYPE_CHECKING:
    import os
    from collections.abc import Mapping, Sequence

    from typing_extensions import Unpack

    from adjoin.core.options import GameOptions
    from adjoin.learning.policies import Policy
    from adjoin.learning.settings import Stage
    from adjoin.reports.charts import Chart
    from adjoin.simulation.agents import Agent
    from adjoin.statistics.intervals import Interval
    from adjoin.support.progress import Progress

_POSITIONS, _DEPTH = 300, 14
"""How many positions are solved, and how far from the end they are at most."""
_JUDGED, _SOLVED = 40, 12
"""So far from the end at its start a match is judged by the solver, and solved as a whole."""


class Plan(NamedTuple):
    """Something to learn."""

    game: str
    options: dict[str, Any]
    settings: Settings


def curriculum() -> list[Plan]:
    """Return all that ``make train`` learns: what each game says is learned in some minutes."""
    return [plan for game in games() for plan in plans(game)]


def plans(game: str) -> list[Plan]:
    """Return what is learned of a game in some minutes: options, each with settings."""
    learned = Spec.of(game, {}).examples["learned"]
    return [Plan(game, one["options"], Settings(**one["settings"])) for one in learned]


def settings_for(game: str, options: Mapping[str, Any]) -> Settings:
    """Return the settings for a game with these options, or those for its usual ones."""
    known = plans(game)
    return next((plan.settings for plan in known if plan.options == options), known[0].settings)


@dataclass(frozen=True)
class Lesson:
    """How a game was learned, and an exam afterwards in matches that were not seen before."""

    trainer: Trainer
    policy: Policy
    path: Path
    """Where the policy is."""
    exam: dict[str, Interval]
    """Its share of the wins against each agent."""
    matches: int
    """How many matches of the exam there were against each."""
    exactness: dict[str, Exactness]
    """Where a solver reaches the start: how near it and other agents come to perfect play."""
    duels: dict[str, int]
    """On the smallest: how far ahead black is at the end, if both or the other play perfectly."""

    @property
    def chart(self) -> Chart:
        """How it became better."""
        return self.trainer.plot()


def learn(
    game: str,
    folder: str | os.PathLike[str] = "trained",
    *,
    seed: int = 0,
    settings: Settings | None = None,
    exam: int = 2_000,
    progress: Progress = None,
    **options: Unpack[GameOptions],
) -> Lesson:
    """Learn a game, examine what was learned, and keep the policy in a folder.

    ``settings`` are the game's own if not given. A run that was stopped goes on from its
    checkpoint, which stays beside the policy. ``exam`` is the number of matches against each agent.
    """
    trainer = Trainer(game, seed=seed, settings=settings or settings_for(game, options), **options)
    path = Path(folder) / f"{_stem(trainer)}.safetensors"
    policy = trainer.run(path.with_suffix(".checkpoint.npz"), progress=progress)
    policy.save(path)
    shares = {
        agent: win_share(policy, agent, exam, (trainer.seed + 2) % 2**64)
        for agent in trainer.settings.against
    }
    return Lesson(trainer, policy, path, shares, exam, _exactness(policy), _duels(policy))


def _exactness(policy: Policy) -> dict[str, Exactness]:
    depth = Match(policy.game, **policy.options).solve_depth
    if depth is None or depth > _JUDGED:
        return {}
    some = list(positions(policy.game, _POSITIONS, depth=_DEPTH, **policy.options))
    agents: dict[str, Agent] = {"learned": policy, "greedy": "greedy", "random": "random"}
    return {name: exactness(agent, some) for name, agent in agents.items()}


def _duels(policy: Policy) -> dict[str, int]:
    match = Match(policy.game, **policy.options)
    if match.solve_depth is None or match.solve_depth > _SOLVED:
        return {}
    return {
        "perfect against perfect": match.solve().score,
        "learned against perfect": against_perfect(policy, match, 0),
        "perfect against learned": -against_perfect(policy, match, 1),
    }


def _stem(trainer: Trainer) -> str:
    """Return a name for the files of a run: the game, and the options that were given."""
    given = (f"{name}={value}" for name, value in sorted(trainer.options.items()))
    return "-".join([trainer.game, *(re.sub(r"[^\w=,.]", "", text) for text in given)])


def page(lessons: Sequence[Lesson]) -> Report:
    """Return a page about what was learned, with curves."""
    return Report(
        "learned",
        "What was learned",
        (_summary(lessons), *map(_section, lessons)),
        {_stem(lesson.trainer): lesson.chart for lesson in lessons},
        {_stem(lesson.trainer): _figures(lesson) for lesson in lessons},
    )


def _summary(lessons: Sequence[Lesson]) -> Section:
    agents = list(dict.fromkeys(agent for lesson in lessons for agent in lesson.exam))
    rows = [
        (
            _stem(lesson.trainer),
            " → ".join(stage.method for stage in lesson.trainer.settings.stages),
            f"{lesson.trainer.decisions:,}",
            f"{lesson.trainer.seconds:,.0f}",
            *(f"{lesson.exam[agent]:%}" if agent in lesson.exam else "" for agent in agents),
            f"{1 / lesson.trainer.spec.seats:.0%}",
        )
        for lesson in lessons
    ]
    head = ("game", "stages", "decisions", "seconds")
    words = (
        "Every learner is a small network that scores actions: it sees what its seat knows, and "
        "facts about each legal action. It began with weights drawn by lot.",
        f"Shares of wins in {lessons[0].matches:,} new matches against each agent, with 95% "
        "intervals; draws are shared.",
    )
    shares = (f"wins against {agent}" for agent in agents)
    return Section("", words, Grid((*head, *shares, "equal players"), tuple(rows)))


def _section(lesson: Lesson) -> Section:
    trainer = lesson.trainer
    given = options_json(trainer.options) if trainer.options else "default options"
    words: tuple[str, ...] = (
        f"{trainer.spec.environment}, {given}, seed {trainer.seed}.",
        *(f"{number}. {_told(stage)}" for number, stage in enumerate(trainer.settings.stages, 1)),
        f"{lesson.policy.size:,} weights, SHA-256 {lesson.policy.digest}.",
    )
    stem = _stem(trainer)
    grid = None
    if lesson.duels:
        told = "; ".join(f"{who}: {ahead:+}" for who, ahead in lesson.duels.items())
        words += (f"Points that black is ahead at the end, from the start. {told}.",)
    if lesson.exactness:
        words += (
            f"How near to perfect play, by the exact solver, in {_POSITIONS} positions of random "
            f"matches at most {_DEPTH} decisions from the end:",
        )
        rows = (
            (name, f"{found.best:%}", str(found.lost)) for name, found in lesson.exactness.items()
        )
        grid = Grid(("agent", "decisions that lose nothing", "points lost a decision"), (*rows,))
    return Section(f"{trainer.spec.title} ({stem})", words, grid, charts=(stem,))


def _told(stage: Stage) -> str:
    """Return a method with the settings that are not the usual ones."""
    usual = vars(type(stage)())
    changed = [f"{name} {value}" for name, value in vars(stage).items() if value != usual[name]]
    return f"{stage.method}: {', '.join(changed) or 'usual settings'}."


def _figures(lesson: Lesson) -> dict[str, Any]:
    trainer = lesson.trainer
    return {
        "environment": trainer.spec.environment,
        "options": json.loads(options_json(trainer.options)),
        "seed": trainer.seed,
        "settings": trainer.settings.as_json(),
        "decisions": trainer.decisions,
        "seconds": trainer.seconds,
        "digest": lesson.policy.digest,
        "duels": lesson.duels,
        "exactness": {
            agent: {"best": as_json(found.best), "lost": as_json(found.lost)}
            for agent, found in lesson.exactness.items()
        },
        "exam": {agent: as_json(share) for agent, share in lesson.exam.items()},
        "curve": [{**point._asdict(), "share": as_json(point.share)} for point in trainer.curve],
    }
