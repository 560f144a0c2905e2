"""What learners reach in every game, on one page: ``make train``, or ``adjoin train``."""

from __future__ import annotations

import json
import re
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from adjoin.pages import Grid, Report, Section, as_json
from adjoin.spec import games
from adjoin.training import Settings, Trainer, win_share

if TYPE_CHECKING:
    import os
    from collections.abc import Sequence

    from adjoin.charts import Chart
    from adjoin.intervals import Interval
    from adjoin.policies import Policy
    from adjoin.progress import Progress

PLANS: dict[str, Settings] = {game: Settings() for game in games()}
"""How each game is learned well in some minutes; other games with the default settings."""


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
    **options: Any,
) -> Lesson:
    """Learn a game, examine what was learned, and keep the policy in a folder.

    ``settings`` are those of ``PLANS`` if not given. A run that was stopped goes on from its
    checkpoint, which stays beside the policy. ``exam`` is the number of matches against each agent.
    """
    settings = settings or PLANS.get(game, Settings())
    trainer = Trainer(game, seed=seed, settings=settings, **options)
    path = Path(folder) / f"{_stem(trainer)}.npz"
    policy = trainer.run(path.with_suffix(".checkpoint.npz"), progress=progress)
    policy.save(path)
    shares = {
        agent: win_share(policy, agent, exam, (trainer.seed + 2) % 2**64)
        for agent in trainer.settings.against
    }
    return Lesson(trainer, policy, path, shares, exam)


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
            lesson.trainer.settings.opponents,
            f"{lesson.trainer.decisions:,}",
            f"{lesson.trainer.seconds:,.0f}",
            *(f"{lesson.exam[agent]:%}" if agent in lesson.exam else "" for agent in agents),
            f"{1 / lesson.trainer.spec.seats:.0%}",
        )
        for lesson in lessons
    ]
    head = ("game", "played against", "decisions", "seconds")
    words = (
        "Every learner began with weights drawn by lot and knew observations, legal actions and "
        "rewards alone. PPO with masks, one small network that plays every seat.",
        f"Shares of wins in {lessons[0].matches:,} new matches against each agent, with 95% "
        "intervals; draws are shared.",
    )
    shares = (f"wins against {agent}" for agent in agents)
    return Section("", words, Grid((*head, *shares, "equal players"), tuple(rows)))


def _section(lesson: Lesson) -> Section:
    trainer = lesson.trainer
    changed = [
        f"{name} {value}"
        for name, value in asdict(trainer.settings).items()
        if value != getattr(Settings(), name)
    ]
    given = trainer.batch.options_json() if trainer.options else "default options"
    words = (
        f"{trainer.spec.environment}, {given}, seed {trainer.seed}. "
        + (f"Settings: {', '.join(changed)}." if changed else "Default settings."),
        f"{lesson.policy!r}; SHA-256 of the weights {lesson.policy.digest}.",
    )
    stem = _stem(trainer)
    return Section(f"{trainer.spec.title} ({stem})", words, charts=(stem,))


def _figures(lesson: Lesson) -> dict[str, Any]:
    trainer = lesson.trainer
    return {
        "environment": trainer.spec.environment,
        "options": json.loads(trainer.batch.options_json()),
        "seed": trainer.seed,
        "settings": asdict(trainer.settings),
        "decisions": trainer.decisions,
        "seconds": trainer.seconds,
        "digest": lesson.policy.digest,
        "exam": {agent: as_json(share) for agent, share in lesson.exam.items()},
        "curve": [{**point._asdict(), "share": as_json(point.share)} for point in trainer.curve],
    }
