"""What results tell: intervals, summaries, ratings, tournaments, sweeps, perfect play."""

from adjoin.statistics.breakdowns import Breakdown
from adjoin.statistics.evaluations import Evaluated, Evaluation
from adjoin.statistics.intervals import (
    Interval,
    bootstrap,
    games_needed,
    mean,
    normal_quantile,
    percentile,
    ratio,
    share,
    t_quantile,
    wilson,
)
from adjoin.statistics.ladders import agent_ladder, rungs
from adjoin.statistics.openings import Openings
from adjoin.statistics.perfect_play import (
    Exactness,
    against_perfect,
    exactness,
    positions,
    value_of,
)
from adjoin.statistics.ratings import Group, Pairing, Rating, bradley_terry
from adjoin.statistics.summaries import Matches, Row, Summary, lead_changes, summarise
from adjoin.statistics.sweep_points import Point, Reading
from adjoin.statistics.sweeps import Sweep, sweep
from adjoin.statistics.tournaments import Tournament, tournament

__all__ = [
    "Breakdown",
    "Evaluated",
    "Evaluation",
    "Exactness",
    "Group",
    "Interval",
    "Matches",
    "Openings",
    "Pairing",
    "Point",
    "Rating",
    "Reading",
    "Row",
    "Summary",
    "Sweep",
    "Tournament",
    "against_perfect",
    "agent_ladder",
    "bootstrap",
    "bradley_terry",
    "exactness",
    "games_needed",
    "lead_changes",
    "mean",
    "normal_quantile",
    "percentile",
    "positions",
    "ratio",
    "rungs",
    "share",
    "summarise",
    "sweep",
    "t_quantile",
    "tournament",
    "value_of",
    "wilson",
]
