"""What results tell: intervals, summaries, ratings, tournaments, distance to perfect play."""

from adjoin.statistics.distributions import normal_quantile, t_cdf, t_quantile, t_tails
from adjoin.statistics.intervals import (
    Interval,
    bootstrap,
    games_needed,
    mean,
    observations_needed,
    percentile,
    ratio,
    share,
    wilson,
)
from adjoin.statistics.ladders import agent_ladder, rungs
from adjoin.statistics.perfect_play import (
    Exactness,
    against_perfect,
    exactness,
    positions,
    value_of,
)
from adjoin.statistics.ratings import (
    Group,
    Pairing,
    Rating,
    bradley_terry,
    elo_of_share,
    share_of_elo,
)
from adjoin.statistics.summaries import Matches, Row, Summary, lead_changes, summarise
from adjoin.statistics.tournaments import Tournament, tournament

__all__ = [
    "Exactness",
    "Group",
    "Interval",
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
    "elo_of_share",
    "exactness",
    "games_needed",
    "lead_changes",
    "mean",
    "normal_quantile",
    "observations_needed",
    "percentile",
    "positions",
    "ratio",
    "rungs",
    "share",
    "share_of_elo",
    "summarise",
    "t_cdf",
    "t_quantile",
    "t_tails",
    "tournament",
    "value_of",
    "wilson",
]
