"""One page about a game, measured: how long, how wide, how fair, how much skill, how fast.

``adjoin report`` on the command line writes a page for every game, and an index.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from adjoin.core.spec import Spec
from adjoin.reports.charts import Chart
from adjoin.reports.documents import Report
from adjoin.reports.runs import AUTO, Runs
from adjoin.reports.sections import SECTIONS, glance
from adjoin.support.arguments import as_seed, whole
from adjoin.support.progress import progress_of

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from adjoin.core.options import GameOptions
    from adjoin.support.progress import Progress


def report(
    game: str,
    *,
    episodes: int = 2000,
    seed: int = 0,
    threads: int | None = None,
    search: str | None = AUTO,
    duels: int | None = None,
    progress: Progress = None,
    **options: Unpack[GameOptions],
) -> Report:
    """Measure a game by simulated matches and write a page about it.

    ``episodes`` are played by random agents, by greedy ones, by a greedy one among random ones, and
    by a greedy one among weaker ones on the same deals from every seat; ``duels`` by the ``search``
    agent among greedy ones, unless it is None; a ladder rates all agents by a fourth of as many. By
    default it searches less and there are fewer duels the longer the game is. All but the speed
    follows from the arguments: the same seed measures the same. The remaining keywords are the
    game's options.

    >>> page = report("domiphun", episodes=100, search=None, threads=1, progress=False)
    >>> page.figures["length"]["greedy"]["decisions"]["mean"]["value"] > 20
    True
    """
    spec = Spec.of(game, options)
    count = whole("episodes", episodes, 2, 2**31)
    workers = whole("threads", os.cpu_count() or 1 if threads is None else threads, 1, 256)
    runs = Runs(spec, options, as_seed(seed), workers, count)
    with progress_of(progress, 100, "%") as tell:
        runs.play(search, duels, tell)
        parts = [write(runs) for write in SECTIONS]
        tell(100)
    figures: dict[str, Any] = {}
    charts: dict[str, Chart] = {}
    for part in parts:
        figures |= part.figures
        charts |= part.charts
    opening, *others = (part.section for part in parts if part.section is not None)
    return Report(spec.name, spec.title, (opening, glance(figures), *others), charts, figures)
