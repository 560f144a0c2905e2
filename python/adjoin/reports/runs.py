"""What is played for a report."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from adjoin.core.spec import Spec
from adjoin.simulation.runs import simulate
from adjoin.simulation.tables import Table
from adjoin.statistics.course import Course
from adjoin.statistics.ladders import agent_ladder, rungs
from adjoin.statistics.luck import LevelError, Luck, skill_and_luck
from adjoin.statistics.summaries import Matches
from adjoin.support.arguments import whole

if TYPE_CHECKING:
    from adjoin.core.options import GameOptions
    from adjoin.statistics.tournaments import Tournament

AUTO = "auto"
"""Stands for a search that fits the length of the game."""

_SAMPLE = 500
"""How many matches are looked at decision by decision, at most."""
_WORK = 500_000
"""How many duels there are: this, times the seats, by the square of the decisions in a match."""


@dataclass
class Runs:
    """The matches of a report."""

    spec: Spec
    options: GameOptions
    seed: int
    threads: int
    episodes: int
    search: str | None = None
    even: dict[str, Table] = field(default_factory=dict)
    """Episodes of the same agent at every seat."""
    samples: dict[str, Table] = field(default_factory=dict)
    """Decisions of the first of those episodes."""
    courses: dict[str, Course] = field(default_factory=dict)
    """The course of those matches."""
    ladder: dict[str, Table] = field(default_factory=dict)
    """Episodes of one agent among weaker ones."""
    matches: dict[str, Matches] = field(default_factory=dict)
    """What became of the games of each line-up."""
    luck: dict[str, Luck] = field(default_factory=dict)
    """The results of a greedy agent among weaker ones, divided, unless all were level."""
    rated: Tournament | None = None
    """The ladder of the agents."""

    @functools.cached_property
    def inside(self) -> Table:
        """The pieces of the first matches of greedy agents."""
        return self.even["greedy"].head(self.sample).recorded("pieces")

    @property
    def fair(self) -> float:
        """What everybody would win if all were equal."""
        return 1 / self.spec.seats

    @property
    def sample(self) -> int:
        """How many matches are looked at decision by decision."""
        return min(self.episodes, _SAMPLE)

    def simulate(self, episodes: int, agents: Any, threads: int = 0, **keywords: Any) -> Table:
        """Play matches of this report's game, options and seed."""
        table: Table = simulate(
            self.spec.name,
            episodes,
            agents,
            threads=threads or self.threads,
            **{"seed": self.seed, "progress": False, **keywords, **self.options},
        )
        return table

    def observe(self, who: str, episodes: int, agents: Any, **keywords: Any) -> Table:
        """Play matches and return those that count."""
        self.matches[who] = Matches.of(self.simulate(episodes, agents, **keywords))
        return self.matches[who].observed

    def play(self, search: str | None, duels: int | None, tell: Callable[[int], None]) -> None:
        """Play everything but the races for speed; ``tell`` hears how many hundredths are done."""
        self._play_even(tell)
        seats = self.spec.seats
        agents = ["greedy", *["random"] * (seats - 1)]
        self.ladder["greedy"] = self.observe("greedy among random", self.episodes, agents)
        self._play_orders()
        tell(25)
        games, searches = self.episodes, tuple[str, ...]()
        if search is not None:
            search, searches, count = self._plan(search, duels)
            self.search = search
            agents = [search, *["greedy"] * (seats - 1)]
            self.ladder[search] = self.observe(
                f"{search} among greedy",
                count,
                agents,
                progress=lambda done, total: tell(25 + 35 * done // total),
            )
            games = count // 4
        self.rated = agent_ladder(
            self.spec.name,
            num_games=min(max(games, 10), self.episodes),
            searches=searches,
            seed=self.seed,
            threads=self.threads,
            progress=lambda done, total: tell(60 + 35 * done // total),
            **self.options,
        )
        tell(95)

    def _play_even(self, tell: Callable[[int], None]) -> None:
        """Play matches of equal agents, some of them decision by decision."""
        for number, agent in enumerate(("random", "greedy")):
            self.even[agent] = self.observe(f"{agent} agents", self.episodes, agent)
            some = self.simulate(self.sample, agent, record="decisions")
            some = some[np.isin(some["episode"], self.even[agent]["episode"])]
            self.samples[agent] = some
            self.courses[agent] = Course.of(some, self.even[agent])
            tell(5 + 10 * number)

    def _play_orders(self) -> None:
        """Play each deal with a greedy agent at every seat in turn."""
        for weak in rungs(self.spec, ()):
            if weak == "greedy":
                break
            with contextlib.suppress(LevelError):
                self.luck[weak] = skill_and_luck(
                    self.spec.name,
                    weak=weak,
                    num_games=self.episodes,
                    seed=self.seed,
                    threads=self.threads,
                    progress=False,
                    **self.options,
                )

    def _plan(self, search: str, duels: int | None) -> tuple[str, tuple[str, ...], int]:
        """Return the strongest search, those of the ladder, and how many duels are played."""
        length = float(self.even["greedy"]["decisions"].mean())
        iterations = 200 if length < 100 else 30
        searches: tuple[str, ...] = (search,)
        if search == AUTO:
            budgets = (iterations // 4, iterations // 2, iterations)
            searches = tuple(f"search(iterations={count})" for count in budgets)
        usual = min(max(int(_WORK * self.spec.seats / length**2), 40), self.episodes)
        count = usual if duels is None else whole("duels", duels, 2, 2**31)
        return searches[-1], searches, count
