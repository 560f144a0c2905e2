"""Two agents play until it is known who is stronger, or not by as much as was asked."""

from __future__ import annotations

import json
import math
import textwrap
from dataclasses import dataclass, field
from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from adjoin.core.spec import Spec, options_json
from adjoin.statistics.intervals import Interval
from adjoin.statistics.intervals import share as share_of
from adjoin.statistics.ratings import elo_of_share, share_of_elo
from adjoin.statistics.seatings import all_orders, distinct, play_orders, points, two_names
from adjoin.statistics.sequential import ACCEPTED, REJECTED, UNDECIDED, SequentialTest
from adjoin.support.arguments import as_seed, brief, whole
from adjoin.support.progress import progress_of
from adjoin.support.wording import aligned, html_table

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from adjoin.core.options import GameOptions
    from adjoin.reports.charts import Chart
    from adjoin.simulation.agents import Agent
    from adjoin.support.progress import Progress

_LEAST = 16
"""How many deals are played before the first look."""
_MOST = 2048
_DRAWN = 400
"""How many points of the path are drawn, at most."""


@dataclass(frozen=True)
class SprtResult:
    """What a sequential test between two agents came to.

    ``decision`` is "accepted" if ``a`` is as far ahead as the second number that was asked for
    rather than the first, "rejected" if the other way round, or "undecided". ``deals`` and
    ``games`` are those that count, ``played`` are all games, some of them after the one that
    decided. ``score`` and ``elo`` have intervals as if the number of games had been fixed
    beforehand: as the result itself ends the test, it lies further out than the truth on average.
    """

    title: str
    game: str
    options: dict[str, Any]
    a: str
    b: str
    decision: str
    test: SequentialTest = field(compare=False)
    """The test itself: bounds, logarithm of the ratio, and its path."""
    deals: int
    games: int
    played: int
    distinct: int
    is_one_match: bool
    seed: int
    score: Interval
    in_elo: bool
    """Whether what was asked was given in Elo points."""

    @property
    def llr(self) -> float:
        """The logarithm of the ratio of likelihoods at the end."""
        return self.test.llr

    @property
    def bounds(self) -> tuple[float, float]:
        """Where that decides: rejected below the first, accepted above the second."""
        return self.test.bounds

    @property
    def elo(self) -> Interval:
        """By how many Elo points ``a`` is ahead; infinite if it won or lost everything."""
        low, high = (min(max(end, 0.0), 1.0) for end in self.score[1:])
        return Interval(*map(elo_of_share, (self.score.value, low, high)))

    @property
    def sentence(self) -> str:
        """What came out, in plain words."""
        if self.is_one_match:
            return (
                f"Undecided: {self.a} and {self.b} leave nothing to chance from this start, and "
                "every order of seats has a single match."
            )
        how = f"{self.decision.capitalize()} after {self._games()}"
        low, high = map(self._bound, (self.test.low, self.test.high))
        likely, other = (low, high) if self.decision == REJECTED else (high, low)
        link = "or" if self.decision == UNDECIDED else "rather than"
        may = "may be" if self.decision == UNDECIDED else "is"
        scored = f"it scored {_percent(self.score)}"
        if self.in_elo:
            ahead = f"{likely} Elo points {link} {other} ahead of {self.b}"
            return f"{how}: {self.a} {may} {ahead}; {scored}."
        scores = "may score" if self.decision == UNDECIDED else "scores"
        return f"{how}: {self.a} {scores} {likely}% {link} {other}% against {self.b}; {scored}."

    def how(self) -> str:
        """Return how it was tested, in a few sentences."""
        words = (
            f"{self._games()}, seed {self.seed}: every deal is played in every order of seats, and "
            "its mean score is one observation."
        )
        more = self.played - self.games
        if more:
            words += f" {more:,} more were played meanwhile and do not count."
        if self.decision != UNDECIDED:
            words += (
                " The intervals are those of a fixed number of games: a test that ends by its "
                "result makes the score look a little further out than it is."
            )
        return words

    def _games(self) -> str:
        return f"{self.games:,} games on {self.deals:,} deal{'s' * (self.deals != 1)}"

    def plot(self) -> Chart:
        """Return how the logarithm of the ratio of likelihoods went, between its bounds."""
        from adjoin.reports.charts import Band, lines

        went = self.test.path
        if not len(went):
            raise ValueError("no deal counts: there is nothing to draw")
        at = np.unique(np.linspace(0, len(went), _DRAWN).round().astype(int))
        path = np.concatenate([[0.0], went])[at]
        ends = at[[0, -1]]
        series = {f"{self.a} against {self.b}": Band(at, path)}
        for words, bound in zip((REJECTED, ACCEPTED), self.bounds, strict=True):
            series[words] = Band(ends, [bound, bound])
        y = "logarithm of the ratio of likelihoods"
        return lines(series, title=f"{self.title}: {self.decision}", x="deals", y=y)

    def to_dict(self) -> dict[str, Any]:
        """Return everything but the test's path, for JSON: an end that is not known is None."""
        names = [*("title", "game", "options", "a", "b", "decision", "llr", "bounds", "deals")]
        names += ["games", "played", "distinct", "is_one_match", "seed"]
        plain = {name: getattr(self, name) for name in names}
        plain |= {name: getattr(self.test, name) for name in ("low", "high", "alpha", "beta")}
        for name, interval in (("score", self.score), ("elo", self.elo)):
            ends = [end if math.isfinite(end) else None for end in interval]
            plain[name] = dict(zip(("value", "low", "high"), ends, strict=True))
        return {**plain, "sentence": self.sentence}

    def __str__(self) -> str:
        """Return what came out as aligned text."""
        words = [textwrap.fill(text, 80) for text in (self.sentence, self.how())]
        return "\n\n".join([self._caption(), aligned(self._cells(), left=(0, 1)), *words])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        table = html_table(self._caption(), ("", self.decision), self._cells())
        return f"{table}<p>{escape(self.sentence)}</p><p>{escape(self.how())}</p>"

    def _caption(self) -> str:
        return f"{self.title}: {self.a} against {self.b}, sequential test"

    def _cells(self) -> list[tuple[str, str]]:
        low, high = map(self._bound, (self.test.low, self.test.high))
        unit = " Elo points" if self.in_elo else "%"
        ends = [f"{end:+.0f}" for end in self.elo]
        elo = f"{ends[0]} ({ends[1]} to {ends[2]})" if self.score.finite else ends[0]
        return [
            ("asked", f"{low} or {high}{unit}"),
            ("decision", self.decision),
            ("log ratio", f"{self.llr:.2f}, from {self.bounds[0]:.2f} to {self.bounds[1]:.2f}"),
            ("played", self._games()),
            ("score", _percent(self.score)),
            ("Elo points", elo),
        ]

    def _bound(self, score: float) -> str:
        """Return one of the two numbers as it was given."""
        number = elo_of_share(score) if self.in_elo else 100 * score
        return f"{round(number, 6) + 0.0:.6g}"


def sprt(
    a: Agent,
    b: Agent,
    game: str,
    *,
    elo: tuple[float, float] | None = None,
    share: tuple[float, float] | None = None,
    alpha: float = 0.05,
    beta: float = 0.05,
    max_games: int = 100_000,
    seed: int = 0,
    threads: int = 1,
    progress: Progress = None,
    executor: Any = None,
    **options: Unpack[GameOptions],
) -> SprtResult:
    """Let two agents play until it is known whether ``a`` is stronger by so much: Wald's test.

    ``elo`` is by how many Elo points ``a`` is ahead of ``b``: the test decides between the first
    number, 0 by default, and the second, 20. Or give both as the ``share`` that ``a`` scores, such
    as (0.5, 0.53): a higher return is a win, an equal one half a win. If the truth is the first or
    less, the second is accepted with a chance of ``alpha``; if it is the second or more, that is
    rejected with a chance of ``beta``. In between both can happen, and it takes longest;
    ``sprt_games`` tells how long.

    Every deal is played in every order of seats, and with more than two seats in every way in which
    the two share the table; what ``a`` scores on it against ``b``, on average, is one observation
    of a ``SequentialTest``. Deals are looked at in their order, so that threads and executors
    change nothing, and the test stops by itself, or undecided after ``max_games``. Agents that
    leave nothing to chance repeat one match: that is undecided, too. The remaining keywords are the
    game's options.

    >>> found = sprt("greedy", "random", "mapello", elo=(0, 100))
    >>> found.decision, found.games < 100
    ('accepted', True)
    """
    low, high, in_elo = _bounds(elo, share)
    for agent in (a, b):
        if not isinstance(agent, str) and not callable(agent):
            raise TypeError(f"agent {brief(agent)}: must be a text or a callable")
    test = SequentialTest(low, high, alpha=alpha, beta=beta)
    spec = Spec.of(game, options)
    names = two_names(a, b)
    seatings = all_orders(*names, spec.seats)
    most = whole("max_games", max_games, len(seatings), 2**31) // len(seatings)
    agents = dict(zip(names, (a, b), strict=True))
    keywords = {"seed": as_seed(seed), "threads": threads, "executor": executor, **options}
    deals, different, single = 0, 0, None
    with progress_of(progress, most * len(seatings), "games") as tell:
        while deals < most and test.decision == UNDECIDED and single is None:
            batch = range(deals, min(deals + min(max(_LEAST, deals // 4), _MOST), most))
            before = deals * len(seatings)
            tables = play_orders(spec.name, seatings, agents, batch, tell, before, **keywords)
            new, is_same = distinct(tables)
            scores = _scores(names, points(seatings, tables))
            if is_same and deals == 0 and len(batch) > 1:
                single = float(scores[0])
            else:
                test.update(scores)
            deals, different = batch.stop, different + new
    counted = test.count if single is None else 1
    return SprtResult(
        title=spec.title,
        game=spec.name,
        options=json.loads(options_json(options)),
        a=names[0],
        b=names[1],
        in_elo=in_elo,
        decision=test.decision,
        test=test,
        deals=counted,
        games=counted * len(seatings),
        played=deals * len(seatings),
        distinct=different,
        is_one_match=single is not None,
        seed=as_seed(seed),
        score=_score(test, single),
    )


def _scores(names: tuple[str, str], scored: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return what the first agent scores against the second on each deal, 0 to 1."""
    one, two = (sorted(names).index(name) for name in names)
    won, lost = scored[:, one, two], scored[:, two, one]
    scores: NDArray[np.float64] = won / (won + lost)
    return scores


def _score(test: SequentialTest, single: float | None) -> Interval:
    """Return the mean of the scores that count; a single one has no interval."""
    if single is None and test.count > 1:
        return share_of(test.scores)
    value = float(test.scores[0]) if single is None else single
    return Interval(value, -math.inf, math.inf)


def _bounds(
    elo: tuple[float, float] | None, share: tuple[float, float] | None
) -> tuple[float, float, bool]:
    """Return both hypotheses as scores, and whether they were given as Elo points."""
    if elo is not None and share is not None:
        raise TypeError(f"elo = {elo}, share = {share}: give one of them")
    name, given = ("elo", elo or (0, 20)) if share is None else ("share", share)
    try:
        low, high = (float(each) for each in given)
    except (TypeError, ValueError):
        raise TypeError(f"{name} = {brief(given)}: must be two numbers, the lower first") from None
    if not low < high:
        raise ValueError(f"{name} = {brief(given)}: must be two numbers, the lower first")
    if name == "share":
        if not 0 < low < high < 1:
            raise ValueError(f"share = {brief(given)}: must be between 0 and 1")
        return low, high, False
    return share_of_elo(low), share_of_elo(high), True


def _percent(score: Interval) -> str:
    return format(score, "%") if score.finite else f"{score.texts('%')[0]}%"
