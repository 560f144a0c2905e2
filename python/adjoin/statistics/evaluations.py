"""What every legal action of a match is worth: by matches that are played on after it."""

from __future__ import annotations

import functools
import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from adjoin.core.spec import options_json
from adjoin.drawing.colours import SEATS, WHITE, mixed
from adjoin.simulation.runs import Run, seated
from adjoin.simulation.starts import Start
from adjoin.statistics.intervals import Interval, mean, share
from adjoin.statistics.summaries import Matches
from adjoin.support.arguments import as_seed, whole
from adjoin.support.extras import need
from adjoin.support.names import missing
from adjoin.support.progress import progress_of
from adjoin.support.wording import aligned, html_table

if TYPE_CHECKING:
    from adjoin.core.match import Match
    from adjoin.reports.charts import Chart
    from adjoin.simulation.agents import Agent
    from adjoin.support.progress import Progress, Report

_SHOWN = 20
"""How many actions are printed, or drawn."""


class Evaluated(NamedTuple):
    """An action, with 95% intervals."""

    action: str
    won: Interval
    """The share of the win of who decides."""
    behind: Interval
    """How much less that is than after the best action, on the same guesses and chance."""
    returns: Interval
    """What who decides earns in the whole match, on average."""
    n: int
    """How many matches were played on."""


@dataclass(frozen=True)
class Evaluation:
    """Every legal action of a match, the best one first.

    ``evaluation["f5"]``, ``evaluation.best``; printed as a table, ``plot()`` as a chart,
    ``board()`` on the picture of the match.
    """

    title: str
    seat: int
    rows: tuple[Evaluated, ...]
    match: Match
    how: str

    @property
    def best(self) -> str:
        """The action with the largest share of the win."""
        return self.rows[0].action

    def __len__(self) -> int:
        """Return the number of actions."""
        return len(self.rows)

    def __iter__(self) -> Iterator[Evaluated]:
        """Iterate over the actions, the best one first."""
        return iter(self.rows)

    def __getitem__(self, action: str) -> Evaluated:
        """Return what an action is worth."""
        for row in self.rows:
            if row.action == action:
                return row
        raise missing("legal action", action, [row.action for row in self.rows])

    def to_dict(self) -> list[dict[str, Any]]:
        """Return the rows for JSON: an end that is not known is None."""

        def plain(value: Any) -> Any:
            if isinstance(value, Interval):
                return {k: v if math.isfinite(v) else None for k, v in value._asdict().items()}
            return value

        return [{key: plain(value) for key, value in row._asdict().items()} for row in self.rows]

    def to_pandas(self) -> Any:
        """Return a DataFrame, a row an action. Needs ``pip install pandas``."""
        names = ("won", "behind", "returns")
        columns = [f"{name}{end}" for name in names for end in ("", "_low", "_high")]
        rows = [(*row.won, *row.behind, *row.returns, row.n) for row in self.rows]
        pandas = need("pandas")
        index = pandas.Index([row.action for row in self.rows], name="action")
        return pandas.DataFrame(rows, columns=[*columns, "n"], index=index)

    def plot(self) -> Chart:
        """Return the share of the win after each of the best actions as a chart."""
        from adjoin.reports.charts import dots

        shown = {row.action: row.won for row in self.rows[:_SHOWN]}
        title = f"{self.title}: what actions are worth"
        return dots(shown, title=title, x=f"share of the win of seat {self.seat}", unit="%")

    def board(self) -> Chart:
        """Return the picture of the match with the share of the win, in percent, on every action.

        Blue is as good as the best action, orange is worse. Of actions at a place the best counts.
        """
        from adjoin.reports.charts import Chart

        high, low = self.rows[0].won.value, self.rows[-1].won.value
        tags: dict[str, tuple[str, str, str]] = {}
        for row in self.rows:
            places = self.match._core.places(self.match.action_id(row.action))
            part = 2 * (high - row.won.value) / max(high - low, 0.05)
            colour = mixed(SEATS[0], WHITE, part) if part < 1 else mixed(WHITE, SEATS[1], part - 1)
            for place in places[-1:]:
                tags.setdefault(place, (place, f"{100 * row.won.value:.0f}", colour))
        svg = self.match._core.tagged(self.seat, [], list(tags.values()))
        return Chart(f"{self.title}: what actions are worth", svg)

    def _behind(self) -> Iterator[str]:
        """Yield how far each action is behind the best; nothing for that itself."""
        yield ""
        yield from (f"{row.behind:%}" for row in self.rows[1:])

    def _cells(self) -> list[tuple[str, ...]]:
        head = ("action", "share of the win", "behind the best", "returns", "n")
        rows = [
            (row.action, f"{row.won:%}", behind, f"{row.returns}", f"{row.n:,}")
            for row, behind in zip(self.rows[:_SHOWN], self._behind(), strict=False)
        ]
        return [head, *rows]

    def __str__(self) -> str:
        """Return the best actions as aligned text."""
        rest = [f"and {len(self) - _SHOWN} more"] * (len(self) > _SHOWN)
        head = f"{self.title}, seat {self.seat} to act. {self.how}"
        return "\n".join([head, "", aligned(self._cells()), *rest])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        head, *rows = self._cells()
        return html_table(f"{self.title}, seat {self.seat} to act. {self.how}", head, rows)


def evaluate(
    match: Match,
    agent: Agent = "greedy",
    episodes: int = 400,
    *,
    viewer: int | Literal["all"] | None = None,
    seed: int = 0,
    threads: int = 1,
    progress: Progress = None,
) -> Evaluation:
    """Play a match on many times after every legal action: see ``Match.evaluate``."""
    seat = match.to_act
    if seat is None:
        raise ValueError("the match is over: nobody has to decide")
    count = whole("episodes", episodes, 1, 2**31)
    knows: int | None = seat
    if viewer is not None:
        knows = None if viewer == "all" else whole("viewer", viewer, 0, match.spec.seats - 1)
    run = Run(
        game=match.spec.name,
        options=options_json(match.spec.options),
        agents=seated(agent, match.spec.seats),
        seed=as_seed(seed),
        threads=whole("threads", threads, 1, 256),
        max_decisions=match.max_decisions,
        rotate=False,
        record="episodes",
    )
    save, actions = match.save(), match.legal_ids()
    won, earned = np.zeros((2, len(actions), count))
    is_certain = True
    with progress_of(progress, len(actions) * count, "games") as tell:
        for number, action in enumerate(actions):
            after = run.starting(Start(save, knows, action))
            games = after.play(0, count, functools.partial(_tell, tell, number * count))
            tell((number + 1) * count)
            won[number], earned[number] = games[f"won_{seat}"], games[f"return_{seat}"]
            is_certain = is_certain and Matches.of(games).is_certain
    if is_certain:
        won, earned, count = won[:, :1], earned[:, :1], 1
    order = np.lexsort((-earned.mean(axis=1), -won.mean(axis=1)))
    best = won[order[0]]
    rows = tuple(
        Evaluated(
            match.notation(actions[number]),
            share(won[number]),
            mean(best - won[number]),
            mean(earned[number]),
            count,
        )
        for number in order
    )
    how = f"Played on by {run.names[0]} after each action, on the same guesses and chance for all"
    how += "." if knows is not None else ", with all cards open."
    how += " Nothing is left to chance: one match each." if is_certain else ""
    return Evaluation(match.spec.title, seat, rows, match.copy(), how)


def _tell(tell: Report, before: int, done: int) -> None:
    tell(before + done)
