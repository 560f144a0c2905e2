"""How strong the built-in agents are: the tables on the page about agents.

``python docs/ladder.py`` prints them, of the games that are named or of all. Searches are dear: it
takes some ten minutes on two cores.
"""

from __future__ import annotations

import sys

import adjoin
from adjoin.simulation.runs import simulate
from adjoin.statistics.ladders import SEARCHES

LONG = 100
"""Decisions of a match from which on there are fewer matches, and shorter searches."""
SHORT_SEARCHES = tuple(f"search(iterations={count})" for count in (1, 4, 12))


def table(game: str) -> str:
    """Return the ladder of a game in Markdown."""
    sample = simulate(game, 20, "greedy", progress=False)
    is_long = float(sample["decisions"].mean()) > LONG
    rated = adjoin.agent_ladder(
        game,
        num_games=24 if is_long else 400,
        searches=SHORT_SEARCHES if is_long else SEARCHES,
        threads=2,
    )
    lines = ["| agent | rating | 95% interval | games |", "| --- | ---: | ---: | ---: |"]
    lines += [
        f"| `{row.agent}` | {row.rating:.0f} | {row.low:.0f} to {row.high:.0f} | {row.games:,} |"
        for row in rated.ratings
    ]
    return "\n".join([f"### {rated.title}", "", *lines, "", rated.how(), ""])


if __name__ == "__main__":
    for game in sys.argv[1:] or adjoin.games():
        print(table(game), flush=True)
