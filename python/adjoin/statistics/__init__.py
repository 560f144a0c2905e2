"""What results tell: intervals, comparisons, tests, ratings, sweeps, skill and luck, exact play."""

from adjoin.statistics.breakdowns import Breakdown
from adjoin.statistics.comparing import compare
from adjoin.statistics.comparisons import Comparison, Difference
from adjoin.statistics.course import Course, Curve, choice_plot, leader_wins_plot
from adjoin.statistics.distributions import normal_quantile, t_cdf, t_quantile, t_tails
from adjoin.statistics.evaluations import Evaluated, Evaluation
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
from adjoin.statistics.leads import deficits, lead_changes, leaders, settled
from adjoin.statistics.luck import Luck, luck_of, skill_and_luck, variance_parts
from adjoin.statistics.openings import Openings
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
from adjoin.statistics.sequential import SequentialTest, sprt_chance, sprt_games
from adjoin.statistics.sequential_games import SprtResult, sprt
from adjoin.statistics.significance import Contrast, holm, paired, unpaired
from adjoin.statistics.summaries import Matches, Row, Summary, summarise
from adjoin.statistics.sweep_points import Point, Reading
from adjoin.statistics.sweeps import Sweep, sweep
from adjoin.statistics.tournaments import Tournament, tournament

__all__ = [
    "Breakdown",
    "Comparison",
    "Contrast",
    "Course",
    "Curve",
    "Difference",
    "Evaluated",
    "Evaluation",
    "Exactness",
    "Group",
    "Interval",
    "Luck",
    "Matches",
    "Openings",
    "Pairing",
    "Point",
    "Rating",
    "Reading",
    "Row",
    "SequentialTest",
    "SprtResult",
    "Summary",
    "Sweep",
    "Tournament",
    "against_perfect",
    "agent_ladder",
    "bootstrap",
    "bradley_terry",
    "choice_plot",
    "compare",
    "deficits",
    "elo_of_share",
    "exactness",
    "games_needed",
    "holm",
    "lead_changes",
    "leader_wins_plot",
    "leaders",
    "luck_of",
    "mean",
    "normal_quantile",
    "observations_needed",
    "paired",
    "percentile",
    "positions",
    "ratio",
    "rungs",
    "settled",
    "share",
    "share_of_elo",
    "skill_and_luck",
    "sprt",
    "sprt_chance",
    "sprt_games",
    "summarise",
    "sweep",
    "t_cdf",
    "t_quantile",
    "t_tails",
    "tournament",
    "unpaired",
    "value_of",
    "variance_parts",
    "wilson",
]
