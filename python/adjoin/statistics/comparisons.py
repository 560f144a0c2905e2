"""What a comparison comes to: both values, their difference, and whether it is shown."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any, NamedTuple

from adjoin.statistics.distributions import as_level, normal_quantile
from adjoin.statistics.intervals import Interval, mean, observations_needed, share
from adjoin.statistics.measures import BEGINS, ENDED
from adjoin.statistics.rows import Rows
from adjoin.statistics.significance import holm, paired, unpaired
from adjoin.support.extras import need
from adjoin.support.wording import aligned, html_table, listed

if TYPE_CHECKING:
    from adjoin.reports.charts import Chart
    from adjoin.simulation.tables import Table
    from adjoin.statistics.measures import Measured

_POWER = 0.9
_POINTS = "percentage points"
_FEW = 20


class Difference(NamedTuple):
    """A measure of both sides and how much it differs.

    ``p`` is the chance of a difference as large if there were none, ``adjusted`` takes account of
    all measures of the comparison by Holm's method. ``spread`` is the standard deviation of the
    difference from observation to observation, ``sd`` that of one side, ``correlation`` that of
    pairs. ``n`` observations were made: pairs, or those of both sides together.
    """

    what: str
    a: Interval
    b: Interval
    difference: Interval
    p: float
    adjusted: float
    n: int
    spread: float
    sd: float
    correlation: float
    unit: str
    meaning: str

    @property
    def effect(self) -> float:
        """The difference in standard deviations of one side: how large it is, not how certain."""
        return _over(self.difference.value, self.sd)

    @property
    def gain(self) -> float:
        """How many times as many games it would take for the same interval without pairs."""
        return _over(2 * self.sd**2, self.spread**2)

    def to_dict(self) -> dict[str, Any]:
        """Return the row in plain numbers, for JSON: what is not known is None."""
        numbers: dict[str, Any] = {}
        for name in ("a", "b", "difference"):
            interval: Interval = getattr(self, name)
            numbers |= {name: interval.value, f"{name}_low": interval.low}
            numbers |= {f"{name}_high": interval.high}
        for name in ("effect", "p", "adjusted", "n", "spread", "sd", "correlation", "gain"):
            numbers[name] = getattr(self, name)
        known = {name: n if math.isfinite(n) else None for name, n in numbers.items()}
        return {"what": self.what, **known, "unit": self.unit, "meaning": self.meaning}


@dataclass(frozen=True)
class Comparison(Rows[Difference]):
    """How two sides differ, a row a measure: ``comparison["turns"]``, or printed.

    ``a`` and ``b`` say what was compared, ``how`` says how, ``games`` is how many were played in
    all. ``tables`` has the matches.
    """

    title: str
    a: str
    b: str
    rows: tuple[Difference, ...]
    how: str
    games: int
    level: float
    is_paired: bool
    tables: tuple[Table, ...]
    orders: int = 1
    """How many games make an observation."""
    has_gain: bool = True
    """Whether pairs are games on the same deal, and not both sides of the same games."""

    def is_shown(self, row: Difference) -> bool:
        """Return whether a difference is shown, all measures taken into account."""
        return row.adjusted < 1 - self.level

    @property
    def sentence(self) -> str:
        """What the first measure tells, in plain words, and which others differ."""
        row = self.rows[0]
        values = f"{self.a}: {_short(row.a, row.unit)}, {self.b}: {_short(row.b, row.unit)}"
        if math.isnan(row.p):
            what = _capital(_in_words(row.what))
            return f"{what}, {values}. A single observation tells no interval."
        others = [other.what for other in self.rows[1:] if self.is_shown(other)]
        also = "also " * self.is_shown(row)
        more = f" A difference is {also}shown in {listed(others)}." if others else ""
        return self._finding(row, values) + more

    def _finding(self, row: Difference, values: str) -> str:
        """Return what a measure tells."""
        p = "p < 0.001" if row.adjusted < 0.001 else f"p = {row.adjusted:.3f}"
        p += f" after Holm's correction for {len(self)} measures" * (len(self) > 1)
        words = (
            f"{values}; a difference of {_signed(row.difference, row.unit, words=_POINTS)}, {p}."
        )
        if self.is_shown(row):
            return f"A difference in {_in_words(row.what)} is shown. {words}"
        words = f"No difference in {_in_words(row.what)} is shown. {words}"
        size = self._would_show(row)
        if not size:
            return words
        games = f"{self.games_needed(size, row.what):,} games{'' if self.orders > 1 else ' each'}"
        by = f"{100 * size:g} {_POINTS}" if row.unit else f"{size:g}"
        return f"{words} {games} would show one of {by}, in 9 of 10 cases."

    def games_needed(
        self, size: float, measure: str | None = None, *, power: float = 0.9, level: float = 0.95
    ) -> int:
        """Return how many games show a difference of a given size with a chance of ``power``.

        It is what to give as ``num_games`` to compare the same again, in one measure alone; with
        several, Holm's correction asks for more: give a higher ``level``. The spread of the
        measure, the first if none is named, is taken from the matches seen here.

        >>> import adjoin
        >>> seen = adjoin.compare("greedy", "random", "mapello", 200)
        >>> 50 < seen.games_needed(0.1, "won") < 1000
        True
        """
        row = self.rows[0] if measure is None else self[measure]
        if math.isnan(row.spread):
            raise ValueError("a single observation does not tell how much results spread")
        few = normal_quantile((1 + as_level(level)) / 2) ** 2 / (2 if self.is_paired else 4)
        needed = observations_needed(size, row.spread, power=power, level=level)
        return self.orders * max(math.ceil(needed + few), 2)

    def _would_show(self, row: Difference) -> float:
        """Return a round difference, smaller than what these games would have shown."""
        count = row.n if self.is_paired else row.n / 2
        reach = normal_quantile((1 + self.level) / 2) + normal_quantile(_POWER)
        size = reach * row.spread / math.sqrt(count)
        if size == 0:
            return 0.0
        power = 10.0 ** math.floor(math.log10(size))
        return max(step * power for step in (0.5, 1, 2, 5) if step * power < size)

    def plot(self) -> Chart:
        """Return the differences as a chart: as they are, or in standard deviations if mixed."""
        from adjoin.reports.charts import dots

        title, reference = f"{self.title}: {self.a} minus {self.b}", 0.0
        if len({row.unit for row in self}) == 1 and (self.rows[0].unit or len(self) == 1):
            rows = {row.what: row.difference for row in self}
            unit, x = self.rows[0].unit, "difference"
            return dots(rows, title=title, x=x, unit=unit, note=self.how, reference=reference)
        known = [row for row in self if math.isfinite(row.effect)]
        if not known:
            raise ValueError("nothing is known of the spread: there is no difference to draw")
        effects = {
            f"{row.what}: {_signed(row.difference, row.unit, ends=False)}": Interval(
                *(end / row.sd if row.sd else 0.0 for end in row.difference)
            )
            for row in known
        }
        x = "difference in standard deviations of one side"
        return dots(effects, title=title, x=x, note=self.how, reference=reference)

    def to_dict(self) -> dict[str, Any]:
        """Return everything but the tables, for JSON."""
        return {
            "title": self.title,
            "game": self.tables[0].game,
            "a": self.a,
            "b": self.b,
            "games": self.games,
            "orders": self.orders,
            "level": self.level,
            "paired": self.is_paired,
            "how": self.how,
            "sentence": self.sentence,
            "measures": [row.to_dict() for row in self],
        }

    def to_pandas(self) -> Any:
        """Return a pandas DataFrame, a row a measure. Needs ``pip install pandas``."""
        pandas = need("pandas")
        return pandas.DataFrame([row.to_dict() for row in self]).set_index("what")

    def __str__(self) -> str:
        """Return the rows as aligned text, and what they tell."""
        lines = aligned([self._head(), *map(self._cells, self)], left=(0, 1, 2, 3))
        words = [textwrap.fill(text, 80) for text in (self.sentence, self._notes())]
        return "\n\n".join([self._caption(), lines, *words])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        table = html_table(self._caption(), self._head(), map(self._cells, self))
        return f"{table}<p>{escape(self.sentence)}</p><p>{escape(self._notes())}</p>"

    def _caption(self) -> str:
        return f"{self.title}: {self.a} and {self.b}"

    def _head(self) -> list[str]:
        head = ["measure", self.a, self.b, "difference", "effect", "p"]
        head += ["Holm's p"] * (len(self) > 1)
        return [*head, "gain"] if self.has_gain else head

    def _cells(self, row: Difference) -> list[str]:
        sides = [
            format(side, row.unit) if side.finite else _short(side, row.unit) for side in row[1:3]
        ]
        between = _signed(row.difference, row.unit)
        effect = f"{row.effect:+.2f}" if math.isfinite(row.effect) else ""
        cells = [row.what, *sides, between, effect, _p(row.p)]
        cells += [_p(row.adjusted)] * (len(self) > 1)
        if not self.has_gain:
            return cells
        return [*cells, f"{row.gain:.2f}" if math.isfinite(row.gain) else ""]

    def _notes(self) -> str:
        notes = [self.how, f"Brackets are {100 * self.level:g}% intervals, p is "]
        notes[-1] += "Student's for pairs" if self.is_paired else "Welch's"
        notes[-1] += f", Holm's p takes account of all {len(self)} measures" * (len(self) > 1) + "."
        notes.append("The effect is the difference in standard deviations of one side.")
        if self.has_gain:
            notes.append(
                "The gain is how many times as many games it would take without pairs: pairing "
                "helps as far as deals that are the same go the same way."
            )
        if min(row.n for row in self) < _FEW:
            notes.append("There are few observations: take p and intervals as rough.")
        return " ".join(notes)


def differences(
    measures: Sequence[Measured], is_paired: bool, level: float
) -> tuple[Difference, ...]:
    """Return how much both sides differ in each measure."""
    test = paired if is_paired else unpaired
    found = [test(each.a, each.b, level, each.most) for each in measures]
    adjusted = holm([contrast.p for contrast in found])

    def side(values: Any, most: float | None) -> Interval:
        if len(values) == 1:
            return Interval(float(values[0]), -math.inf, math.inf)
        return mean(values, level) if most is None else share(values, level, most=most)

    return tuple(
        Difference(
            what=each.what,
            a=side(each.a, each.most),
            b=side(each.b, each.most),
            difference=contrast.difference,
            p=contrast.p,
            adjusted=p,
            n=len(each.a) if is_paired else len(each.a) + len(each.b),
            spread=contrast.spread,
            sd=contrast.sd,
            correlation=contrast.correlation,
            unit="" if each.most is None else "%",
            meaning=each.meaning,
        )
        for each, contrast, p in zip(measures, found, adjusted, strict=True)
    )


def _over(number: float, by: float) -> float:
    """Return a ratio: infinite of something by nothing, nan of nothing by nothing."""
    if by == 0:
        return math.copysign(math.inf, number) if number else math.nan
    return number / by


def _short(interval: Interval, unit: str) -> str:
    """Return a value with its interval, if there is one."""
    return format(interval, unit) if interval.finite else f"{interval.texts(unit)[0]}{unit}"


def _signed(interval: Interval, unit: str, *, words: str = "pp", ends: bool = True) -> str:
    """Return a difference with its sign, and its interval if it has one; of shares in points."""
    value, low, high = interval.texts(unit)
    sign = "+" if float(value.replace(",", "")) > 0 else ""
    between = f" ({low} to {high})" if ends and interval.finite else ""
    return f"{sign}{value}{f' {words}' * bool(unit)}{between}"


def _p(p: float) -> str:
    return "unknown" if math.isnan(p) else "<0.001" if p < 0.001 else f"{p:.3f}"


def _in_words(what: str) -> str:
    """Return what a measure is called in a sentence."""
    stem, _, seat = what.partition("_")
    if stem == "won" and seat.isdecimal():
        return f"seat {seat}'s share of the win"
    stem, _, agent = what.partition(", ")
    if what.startswith(ENDED):
        return f"the share of matches that ended by “{what.removeprefix(ENDED)}”"
    if what == BEGINS:
        return "the share of the win of who begins"
    if stem != "won":
        return what
    return f"{agent}'s share of the win" if agent else "the share of the win"


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]
