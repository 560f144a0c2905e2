"""The first decisions of matches as a tree: how often each was taken, and how it went."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from adjoin.core.spec import Spec
from adjoin.statistics.intervals import Interval, share, wilson
from adjoin.support.arguments import whole
from adjoin.support.extras import need
from adjoin.support.names import missing
from adjoin.support.wording import aligned, html_table

if TYPE_CHECKING:
    from adjoin.reports.charts import Chart
    from adjoin.simulation.tables import Table

_SHOWN = 4
"""How many decisions are printed at each place."""
_LEAST = 0.01
"""What part of the matches a decision has that is printed."""


@dataclass(frozen=True)
class Openings:
    """A place in the tree: what was played up to here, and what came next.

    ``openings["f5"]["d6"]`` goes down; ``openings.next`` has what was played here, the most common
    first.
    """

    played: tuple[str, ...]
    n: int
    """In how many matches."""
    often: Interval
    """In what share of the matches that came to the place before."""
    won: Interval
    """The share of the win of who played the last decision; before the first one, of who begins."""
    next: dict[str, Openings] = field(default_factory=dict)
    title: str = ""
    fair: float = 0.5
    """What share of the wins would be fair."""

    def __getitem__(self, action: str) -> Openings:
        """Return what follows an action."""
        if action not in self.next:
            raise missing("decision", action, self.next)
        return self.next[action]

    def __iter__(self) -> Iterator[Openings]:
        """Iterate over all places below, each before what follows it."""
        for node in self.next.values():
            yield node
            yield from node

    def __len__(self) -> int:
        """Return how many places there are below."""
        return sum(1 for _ in self)

    def to_dict(self) -> dict[str, Any]:
        """Return the tree for JSON."""
        return {
            "n": self.n,
            "often": self.often._asdict(),
            "won": self.won._asdict(),
            "next": {action: node.to_dict() for action, node in self.next.items()},
        }

    def to_pandas(self) -> Any:
        """Return a DataFrame, a row a place. Needs ``pip install pandas``."""
        rows = [
            (" ".join(node.played), len(node.played), node.n, *node.often, *node.won)
            for node in self
        ]
        ends = [f"{name}{end}" for name in ("often", "won") for end in ("", "_low", "_high")]
        return need("pandas").DataFrame(rows, columns=["played", "depth", "n", *ends])

    def plot(self) -> Chart:
        """Return the share of the win after each decision that was taken here, as a chart."""
        from adjoin.reports.charts import dots

        if not self.next:
            raise ValueError("nothing was played here")
        shown = {f"{action} ({node.n:,})": node.won for action, node in self.next.items()}
        after = f" after {' '.join(self.played)}" if self.played else ""
        what = "share of the win of who played it"
        title = f"{self.title}: openings{after}"
        return dots(shown, title=title, x=what, unit="%", reference=self.fair)

    def _lines(self, least: float, indent: str = "") -> Iterator[tuple[str, str, str, str]]:
        common = [(a, node) for a, node in self.next.items() if node.n >= least][:_SHOWN]
        for action, node in common:
            yield f"{indent}{action}", f"{node.n:,}", f"{node.often:%}", f"{node.won:%}"
            yield from node._lines(least, f"{indent}  ")
        if rest := len(self.next) - len(common):
            yield f"{indent}and {rest} more", "", "", ""

    def _cells(self) -> list[tuple[str, str, str, str]]:
        return [("played", "n", "of the matches there", "won"), *self._lines(_LEAST * self.n)]

    def __str__(self) -> str:
        """Return the most common lines as aligned text."""
        head = f"{self.title}: openings of {self.n:,} matches"
        return "\n".join([head, "", aligned(self._cells())])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        head, *rows = self._cells()
        shown = [(row[0].replace("  ", "\u2003"), *row[1:]) for row in rows]
        return html_table(f"{self.title}: openings of {self.n:,} matches", head, shown)


def openings(table: Table, depth: int = 3) -> Openings:
    """Return the first decisions of the matches of a table as a tree: see ``Table.openings``."""
    depth = whole("depth", depth, 1, 100)
    if not len(table):
        raise ValueError("a table without rows has no openings")
    decisions = table if table.record == "states" else table.recorded("decisions")
    games, spec = table.recorded("episodes"), Spec.of(table.game, json.loads(table.runs[0].options))
    matches, match = np.unique(_key(decisions), return_inverse=True)
    match = match.reshape(-1)
    won = games.each_seat("won")[np.argsort(_key(games))]
    words, labels = decisions.codes("words")
    ply, seat = decisions["ply"], decisions["seat"]
    codes = np.full((len(matches), depth), -1, np.int64)
    seats = np.zeros((len(matches), depth), np.int64)
    early = ply < depth
    codes[match[early], ply[early]] = words[early]
    seats[match[early], ply[early]] = seat[early]
    everything = np.arange(len(matches))
    first = share(won[everything, seats[:, 0]])
    return _grow(
        Openings((), len(matches), Interval(1, 1, 1), first, {}, spec.title, 1 / spec.seats),
        everything,
        codes,
        seats,
        won,
        labels,
    )


def _grow(
    node: Openings,
    here: NDArray[np.int64],
    codes: NDArray[np.int64],
    seats: NDArray[np.int64],
    won: NDArray[np.float32],
    labels: tuple[str, ...],
) -> Openings:
    """Add what follows a place, which some of the matches have come to."""
    depth = len(node.played)
    if depth == codes.shape[1]:
        return node
    kinds, counts = np.unique(codes[here, depth], return_counts=True)
    for number in np.lexsort((kinds, -counts)):
        code, count = int(kinds[number]), int(counts[number])
        if code < 0:
            continue
        there = here[codes[here, depth] == code]
        node.next[labels[code]] = _grow(
            Openings(
                (*node.played, labels[code]),
                count,
                wilson(count, len(here)),
                share(won[there, seats[there, depth]]),
                {},
                node.title,
                node.fair,
            ),
            there,
            codes,
            seats,
            won,
            labels,
        )
    return node


def _key(table: Table) -> NDArray[np.int64]:
    """Return a number for the match of each row."""
    return table.run().astype(np.int64) << 32 | table["episode"].astype(np.int64)
