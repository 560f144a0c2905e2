"""What results tell: intervals, summaries, ratings, tournaments, skill and luck, the course of a
match, distance to perfect play."""

from adjoin.statistics.course import Course, Curve
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
from adjoin.statistics.leads import deficits, lead_changes, leaders, settled
from adjoin.statistics.luck import Luck, luck_of, skill_and_luck, variance_parts
from adjoin.statistics.perfect_play import (
    Exactness,
    against_perfect,
    exactness,
    positions,
    value_of,
)
from adjoin.statistics.ratings import Group, Pairing, Rating, bradley_terry
from adjoin.statistics.summaries import Matches, Row, Summary, summarise
from adjoin.statistics.tournaments import Tournament, tournament

__all__ = [
    "Course",
    "Curve",
    "Exactness",
    "Group",
    "Interval",
    "Luck",
    "Matches",
    "Pairing",
    "Rating",
    "Row",
    "Summary",
    "Tournament",
    "against_perfect",
    "agent_ladder",
    "bootstrap",
    "bradley_terry",
    "deficits",
    "exactness",
    "games_needed",
    "lead_changes",
    "leaders",
    "luck_of",
    "mean",
    "normal_quantile",
    "percentile",
    "positions",
    "ratio",
    "rungs",
    "settled",
    "share",
    "skill_and_luck",
    "summarise",
    "t_quantile",
    "tournament",
    "value_of",
    "variance_parts",
    "wilson",
]
