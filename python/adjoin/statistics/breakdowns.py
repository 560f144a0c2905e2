"""What became of every card, and what happened at every place: figures by name, with intervals."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from adjoin.drawing.colours import SEATS, WHITE, mixed
from adjoin.statistics.distributions import normal_quantile
from adjoin.statistics.grouped import Figure, Groups
from adjoin.statistics.intervals import Interval
from adjoin.support.arguments import whole
from adjoin.support.extras import need
from adjoin.support.names import missing
from adjoin.support.wording import aligned, html_table

if TYPE_CHECKING:
    from adjoin.reports.charts import Chart
    from adjoin.simulation.tables import Table

_SHOWN = 20
"""How many rows are printed, or drawn."""
_COLD = "#fdf6e3"
"""The colour of the smallest value on a map."""


@dataclass(frozen=True)
class Breakdown:
    """Figures by card, or by place: printed, as a DataFrame, as a chart, on the board.

    Matches are the independent observations: what a card or place has in a match is put together
    before an interval is taken. ``breakdown["Kent"]["left"]`` is one figure,
    ``breakdown.sorted("left")`` has the largest first.
    """

    title: str
    noun: str
    """What the rows are: "piece" or "place"."""
    names: tuple[str, ...]
    counts: NDArray[np.int64]
    """How often each occurred."""
    figures: dict[str, Figure]
    fair: float
    """What share of the wins would be fair."""
    source: Table
    """The pieces that were counted."""

    def __len__(self) -> int:
        """Return the number of rows."""
        return len(self.names)

    def __iter__(self) -> Iterator[str]:
        """Iterate over the names."""
        return iter(self.names)

    def __getitem__(self, name: str) -> dict[str, Interval]:
        """Return the figures of a card or place."""
        if name not in self.names:
            raise missing(self.noun, name, self.names)
        row = self.names.index(name)
        return {figure: self.figures[figure].at(row) for figure in self.figures}

    def sorted(self, figure: str, *, ascending: bool = False) -> Breakdown:
        """Return the same rows, those with the largest value first."""
        values = self._figure(figure).values
        key = np.where(np.isnan(values), np.inf, values if ascending else -values)
        return self._rows(np.argsort(key, kind="stable"))

    def head(self, rows: int = 10) -> Breakdown:
        """Return the first rows."""
        return self._rows(np.arange(len(self))[:rows])

    def _rows(self, rows: NDArray[Any]) -> Breakdown:
        figures = {
            name: Figure(f.values[rows], f.lows[rows], f.highs[rows], f.meaning, f.unit)
            for name, f in self.figures.items()
        }
        names = tuple(self.names[row] for row in rows)
        counts = self.counts[rows]
        return Breakdown(self.title, self.noun, names, counts, figures, self.fair, self.source)

    def _figure(self, name: str) -> Figure:
        if name not in self.figures:
            raise missing("figure", name, self.figures)
        return self.figures[name]

    def to_dict(self) -> dict[str, dict[str, Any]]:
        """Return the rows by name, for JSON: an end that is not known is None."""
        return {
            name: {"n": int(count)}
            | {
                figure: {
                    key: end if math.isfinite(end) else None
                    for key, end in found.at(row)._asdict().items()
                }
                for figure, found in self.figures.items()
            }
            for row, (name, count) in enumerate(zip(self.names, self.counts, strict=True))
        }

    def to_pandas(self) -> Any:
        """Return a DataFrame: n, and each figure with its ends. Needs ``pip install pandas``."""
        columns: dict[str, Any] = {"n": self.counts}
        for name, figure in self.figures.items():
            columns |= {name: figure.values, f"{name}_low": figure.lows}
            columns[f"{name}_high"] = figure.highs
        pandas = need("pandas")
        return pandas.DataFrame(columns, index=pandas.Index(self.names, name=self.noun))

    def plot(self, figure: str, rows: int = _SHOWN) -> Chart:
        """Return a chart of a figure: those with the largest values."""
        from adjoin.reports.charts import dots

        found = self.sorted(figure).head(rows)
        known = found._figure(figure)
        shown = {
            name: known.at(row)
            for row, name in enumerate(found.names)
            if not math.isnan(known.values[row])
        }
        return dots(
            shown,
            title=f"{self.noun.capitalize()}s, by “{figure}”",
            x=known.meaning,
            unit=known.unit,
            reference=self.fair if figure == "won" else None,
            note=self.title + (f"; {len(shown)} of {len(self)}" if len(shown) < len(self) else ""),
        )

    def heat_map(self, figure: str) -> Chart:
        """Return a figure on the game's own picture: of places, where they are.

        >>> import adjoin
        >>> adjoin.simulate("mapello", 20).cells().heat_map("won")
        <Chart: Mapello: share of the win of who laid there>
        """
        from adjoin.core.match import Match
        from adjoin.reports.charts import Chart

        if self.noun != "place":
            raise ValueError(f"a {self.noun} has no place on the board: table.cells() has places")
        known = self._figure(figure)
        tags = [
            (name, _label(value, known.unit), colour)
            for name, value, colour in zip(
                self.names, known.values, self._colours(figure), strict=True
            )
            if not math.isnan(value)
        ]
        run = self.source.runs[0]
        match = Match(run.game, seed=run.seed, **self.source.options)
        title = f"{match.spec.title}: {known.meaning}"
        caption = f"{title}{', in %' * (known.unit == '%')}"
        if figure == "won":
            caption += (
                f". Blue: more than the fair {self.fair:.0%}, orange: less, white: not told apart."
            )
        svg = match._core.heat_map(tags, caption)
        if svg is None:
            name = match.spec.title
            raise ValueError(f"{name} has no board on which places stay: plot() draws a chart")
        return Chart(title, svg)

    def beyond_fair(self) -> NDArray[np.float64]:
        """Return how far each share of the win is surely above the fair share, or below it.

        That is 0 where an interval holds the fair share, if it is widened for as many intervals as
        there are rows (Bonferroni): of a thousand places, some look good by chance alone.
        """
        won = self._figure("won")
        wider = normal_quantile(1 - 0.025 / len(self)) / normal_quantile(0.975)
        low = won.values - wider * (won.values - won.lows)
        high = won.values + wider * (won.highs - won.values)
        beyond: NDArray[np.float64] = np.maximum(low - self.fair, 0) - np.maximum(
            self.fair - high, 0
        )
        return beyond

    def _colours(self, figure: str) -> list[str]:
        """Return a colour for each row: from pale to red, or blue above the fair share.

        A share of the win is as far from white as it is surely away from the fair share.
        """
        values = self._figure(figure).values
        known = values[~np.isnan(values)]
        if figure == "won":
            reach = max(np.abs(known - self.fair).max(initial=0.0), 0.02)
            shares = np.nan_to_num(self.beyond_fair() / reach)
            return [
                mixed(WHITE, SEATS[0 if share > 0 else 1], 0.9 * abs(share)) for share in shares
            ]
        low, high = known.min(initial=math.inf), known.max(initial=-math.inf)
        shares = np.nan_to_num((values - low) / max(high - low, 1e-9))
        return [mixed(_COLD, SEATS[1], share) for share in shares]

    def __str__(self) -> str:
        """Return the first rows as aligned text."""
        more = len(self) - _SHOWN
        rest = [f"and {more} more: sorted() and head() choose, to_pandas() has all"] * (more > 0)
        return "\n".join([self.title, "", aligned(self._cells()), *rest])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        head, *rows = self._cells()
        return html_table(self.title, head, rows)

    def _texts(self, row: int) -> Iterator[str]:
        """Yield the figures of a row."""
        for figure in self.figures.values():
            yield "" if math.isnan(figure.values[row]) else format(figure.at(row), figure.unit)

    def _cells(self) -> list[tuple[str, ...]]:
        rows = [
            (name, f"{self.counts[row]:,}", *self._texts(row))
            for row, name in enumerate(self.names[:_SHOWN])
        ]
        return [(self.noun, "n", *self.figures), *rows]


def cards(table: Table, *, agent: str | None = None, seat: int | None = None) -> Breakdown:
    """Return what became of every card or tile: see ``Table.cards``."""
    pieces, matches = _pieces(table, agent, seat)
    codes, names = pieces.codes("piece", unused=True)
    fates, fate_names = pieces.codes("fate", unused=True)
    laid, left, gone = (fates == fate_names.index(fate) for fate in ("laid", "left", "gone"))
    groups = Groups.of(codes, _match(pieces), len(names), matches)
    when = pieces["until"] / np.maximum(pieces["decisions"], 1)
    waited = (pieces["until"] - pieces["since"]).astype(np.float64)
    figures = {
        "held": groups.means("times that somebody had it, per match"),
        "laid": groups.shares(laid, "share of them that were laid"),
        "left": groups.shares(left, "share of them that were left over at the end of the deal"),
        "gone": groups.shares(gone, "share of them that were given away or put back"),
        "when": groups.ratios(
            when * laid, laid, "part of the match that was over when it was laid"
        ),
        "waited": groups.ratios(waited * laid, laid, "decisions of all from the hand to the table"),
        "won": groups.shares(pieces["won"], "share of the win of who had it"),
    }
    if not gone.any():
        del figures["gone"]
    what = f"{_title(table)}: cards"
    return _found(what, "piece", names, groups, figures, pieces)


def cells(
    table: Table, *, piece: str | None = None, agent: str | None = None, seat: int | None = None
) -> Breakdown:
    """Return what happened at every place: see ``Table.cells``."""
    pieces, matches = _pieces(table, agent, seat)
    codes, names = pieces.codes("place", unused=True)
    chosen = codes > 0
    if piece is not None:
        kinds, labels = pieces.codes("piece", unused=True)
        if piece not in labels:
            raise missing("piece", piece, labels)
        chosen &= kinds == labels.index(piece)
    if len(names) == 1:
        raise ValueError(f"{table.game} has no places that stay the same: cards() counts pieces")
    pieces = pieces[chosen]
    groups = Groups.of(codes[chosen] - 1, _match(pieces), len(names) - 1, matches)
    when = pieces["until"] / np.maximum(pieces["decisions"], 1)
    ones = np.ones(len(pieces))
    figures = {
        "laid": groups.means("pieces laid there, per match"),
        "when": groups.ratios(when, ones, "part of the match that was over"),
        "won": groups.shares(pieces["won"], "share of the win of who laid there"),
    }
    what = f"{_title(table)}: places" + (f" of {piece}" if piece else "")
    return _found(what, "place", names[1:], groups, figures, pieces)


def _title(table: Table) -> str:
    return f"{len(np.unique(_match(table))):,} matches of {table.game}, {table.source}"


def _match(table: Table) -> NDArray[np.int64]:
    """Return a number for the match of each row, from 0 without gaps."""
    keys = table.run().astype(np.int64) << 32 | table["episode"].astype(np.int64)
    match: NDArray[np.int64] = np.unique(keys, return_inverse=True)[1].reshape(-1)
    return match


def _pieces(table: Table, agent: str | None, seat: int | None) -> tuple[Table, int]:
    """Return the pieces of an agent, of a seat, or all, and of how many matches they are."""
    pieces = table.recorded("pieces")
    matches = len(np.unique(_match(pieces))) if len(pieces) else 0
    if not matches:
        raise ValueError(f"no pieces are held or laid in these matches of {table.game}")
    chosen = np.ones(len(pieces), np.bool_)
    if agent is not None:
        codes, names = pieces.codes("agent")
        if agent not in names:
            raise missing("agent", agent, names)
        chosen &= codes == names.index(agent)
    if seat is not None:
        chosen &= pieces["seat"] == whole("seat", seat, 0, table.seats - 1)
    return (pieces if chosen.all() else pieces[chosen]), matches


def _found(
    title: str,
    noun: str,
    names: tuple[str, ...],
    groups: Groups,
    figures: Mapping[str, Figure],
    pieces: Table,
) -> Breakdown:
    """Return the rows of what occurred at all."""
    everything = Breakdown(
        title, noun, tuple(names), groups.counts, dict(figures), 1 / pieces.seats, pieces
    )
    return everything._rows(np.flatnonzero(groups.counts))


def _label(value: float, unit: str) -> str:
    """Return a value in few letters, as there is little room at a place.

    >>> [_label(value, "") for value in (0, 0.0412, 0.9, 1, 3.04, 140)], _label(0.512, "%")
    (['0', '.041', '.90', '1.0', '3.0', '140'], '51')
    """
    if unit:
        return f"{100 * value:.0f}"
    if value < 0.1:
        return f"{value:.2g}".removeprefix("0") or "0"
    return f"{value:.{2 if value < 0.995 else 1 if value < 9.95 else 0}f}".removeprefix("0")
