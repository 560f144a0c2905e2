# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Designing a variant
#
# For people who change rules. An option of a game is a rule that you can change in one word. Four questions about four games go through the same small workflow: question, plan, run, table or plot, decision. It takes twenty minutes. How intervals work is in [the notebook before](08_simulation_and_statistics.ipynb).
#
# ## What was found

# %%
import pandas as pd
from IPython.display import Markdown

import adjoin
from adjoin.reports import charts
from adjoin.statistics import holm, normal_quantile, share


def claim(game, num_games, new, old, agents="greedy", measure="won_0", **options):
    """Compare a new rule with the old one in one measure, on the same deals."""
    options = {"threads": 2, "measures": measure, "agents": agents, **options}
    return adjoin.compare(new, old, game, num_games, **options)


plain = {"walls": 0, "bonuses": 0, "jokers": 0}
wales = {"nations": ["Wales"], "rounds": 1, "measure": "turns", "seed": 3}
easier, usual = {"transit_each": "easier"}, {"transit_each": 1}
advanced = {"variant": "advanced", "first_seat": 0, "seed": 4}
forks, weak = {**advanced, "fork": True}, ["greedy", "random", "random"]
more, none = {"extra_starjoiners": [0, 4]}, {"extra_starjoiners": [0, 0]}
trade, silent = {"trading": True}, {"trading": False}

claims = {
    "Mapello, its pieces: who goes first": claim("mapello", 10_000, {}, plain, seed=1),
    "Mapominoes, more transit cards: greedy players": claim(
        "mapominoes", 800, easier, usual, **wales
    ),
    "Mapominoes, more transit cards: random players": claim(
        "mapominoes", 800, easier, usual, "random", **wales
    ),
    "Domiphun, forks: who begins": claim(
        "domiphun", 3_000, {"fork": True}, {"fork": False}, **advanced
    ),
    "Domiphun, Starjoiners for the other: who begins": claim(
        "domiphun", 2_500, more, none, **forks
    ),
    "Domiphun, everybody begins once: who begins": claim(
        "domiphun", 2_500, {"starts_each": 1}, {"starts_each": 0}, **forks
    ),
    "Connections, trading: the better player": claim(
        "connections", 600, trade, silent, weak, measure="won, greedy", seed=7
    ),
}
rows = {name: comparison.rows[0] for name, comparison in claims.items()}
adjusted = dict(zip(rows, holm([row.p for row in rows.values()]), strict=True))
Markdown(
    "\n".join(
        f"- **{name}** ({'shown' if adjusted[name] < 0.05 else 'open'}). {comparison.sentence}"
        for name, comparison in claims.items()
    )
)

# %% [markdown]
# "Shown" takes into account that several things were asked at once; how is at the end. What these figures mean for a design, and what they leave out, is what follows.
#
# ## Mapello: which pieces make it fair?
#
# **Question.** Walls, bonuses and jokers: which of them make it fair to go first?
#
# **Plan.** Decide before you look. We call a variant fair enough if who goes first wins 47 to 53%. An interval that lies inside says yes, one that lies outside says no, one that does neither says: play more. We ask once for each variant, so each interval gets a level that leaves 5% for all of them together (Bonferroni). How many games? Enough that an interval is narrower than half of the range.

# %%
pieces = {"walls": [0, 4, 8], "bonuses": [0, 4], "jokers": [0, 4, 8]}
low, high, variants = 0.47, 0.53, 18
level = 1 - 0.05 / variants
games = int((normal_quantile((1 + level) / 2) / ((high - low) / 2)) ** 2) + 1
print(f"{variants} variants, {games:,} games each, intervals of {level:.1%}")

# %% [markdown]
# **Run.** A sweep plays all combinations, each with the same seed. So what differs is due to the pieces more than to chance.

# %%
boards = adjoin.sweep("mapello", games, seed=1, threads=2, **pieces)
boards.only(bonuses=0).plot("win share, who begins", by="jokers", over="walls")

# %% [markdown]
# **Decision.** By the plan. `table` plays the matches of a point again, for an interval of another level than 95%:


# %%
def decide(interval):
    """Say whether a share is fair enough."""
    if low <= interval.low and interval.high <= high:
        return "fair enough"
    return "not fair" if interval.low > high or interval.high < low else "play more"


decisions = [
    {**point.values, "": decide(share(boards.table(**point.values)["won_0"], level))}
    for point in boards.points
]
pd.DataFrame(decisions).set_index(list(pieces)).unstack("jokers")

# %% [markdown]
# Look at the lines of the chart again: what jokers do depends on the walls beside them. One kind of piece at a time would not have told.
#
# ### Would better players say the same?
#
# Ask before you print the box. But look at what you count: a player without any chance in it plays the same game again on the same board. However many rows a table has, different games are what counts.

# %%
adjoin.sweep(
    "mapello",
    400,
    ["greedy", "alphabeta(depth=2)"],
    setup=["othello", "random"],
    seed=2,
    threads=2,
    figures=["distinct matches", "win share, who begins"],
)

# %% [markdown]
# Where there are only a few different games, the interval beside them is worthless.
#
# ## Mapominoes: do transit cards help?
#
# **Question.** The rules offer more transit cards to make the game easier. For whom, and what else do they do?
#
# **Plan.** Two kinds of players: `greedy`, who keeps transit cards as a last resort, and `random`, who wastes them. We look at the turns of a round, at the transit cards that are used, and at rounds that nobody wins because nobody can go.

# %%
transit = adjoin.sweep(
    "mapominoes",
    800,
    ["greedy", "random"],
    seed=3,
    threads=2,
    transit_each=[0, 1, 2, "easier"],
    rounds=1,
    nations=("Wales",),
)
transit["turns", "transit", "ended: blocked"]

# %%
transit.plot("turns", by="transit_each", over="agents")

# %% [markdown]
# The deals are the same for every option. So the difference between two of them is known better than the intervals of the two tell: `compare` pairs the matches, and `gain` says how many times as many games it would take without that.

# %%
adjoin.compare(
    transit.table(agents="greedy", transit_each="easier"),
    transit.table(agents="greedy", transit_each=1),
    measures=["turns", "score", "transit", "doubles", "takes"],
)

# %% [markdown]
# **Decision.** What a rule does depends on who plays: the two lines at the top of the page have the same rule and different players. A designer would watch beginners before printing more of these cards.
#
# ## Domiphun: should the path fork?
#
# **Question.** In the advanced game an X joiner turns the path. With `fork=True` it leaves an end behind, so that there is more than one place to build. Does that mend blocked games, and what does it cost?

# %%
adjoin.sweep(
    "domiphun",
    3_000,
    fork=[False, True],
    threads=2,
    figures=["ended: out", "turns", "height", "win share, who begins"],
    **advanced,
)

# %% [markdown]
# The last column is what one forgets to look at: mend one thing, and measure the others.
#
# **Remedies.** The second player could get more Starjoiners, or everybody could begin once and the match be decided by both games. Try both before you choose, and both together.

# %%
remedies = adjoin.sweep(
    "domiphun",
    2_500,
    threads=2,
    extra_starjoiners=[(0, 0), (0, 1), (0, 4)],
    starts_each=[0, 1],
    figures=["win share, who begins", "shared wins", "turns", "starjoiners"],
    **forks,
)
remedies

# %%
charts.dots(
    {
        f"{point.shown['extra_starjoiners']}, {'once each' if point.values['starts_each'] else 'one game'}": point.find(
            "win share, who begins"
        ).interval
        for point in remedies.points
    },
    title="Domiphun with forks: matches won by who begins first",
    note="Starjoiners that either player gets more. A shared win counts half.",
    unit="%",
    reference=0.5,
)

# %% [markdown]
# The last column of the table is how many Starjoiners a player used. Before you throw a rule away, look whether the players you simulate know what to do with it.
#
# **Decision.** A remedy must move the dot to the dashed line. Its price is in the table: longer matches, shared wins.
#
# ## Connections: play without trading?
#
# **Question.** Trading takes a lot of time. `trading=False` leaves it out. What goes with it?
#
# **Plan.** Three greedy players for the pace: all figures of the game at once, as we do not know yet what to look for.

# %%
pace = adjoin.compare(
    trade, silent, "connections", 250, agents="greedy", seed=6, threads=2
)
pace

# %% [markdown]
# The better player, one greedy among two random ones, is at the top of the page: does skill still win?
#
# **Decision.** A short game for a family evening, or a long one with more to do: the figures do not choose, but now the choice has a price.
#
# ## Several claims at once
#
# The more one asks, the more often chance says yes. Holm's correction: sort the p-values, multiply the smallest by how many there are, the next by one fewer, and never let one be smaller than the one before. `compare` does it for its own measures, `holm` for anything; here for what stands at the top of the page.


# %%
def small(p):
    """Return a p-value as people print it."""
    return "< 0.0001" if p < 0.0001 else f"{p:.2g}"


pd.DataFrame(
    {
        "claim": name,
        "difference": format(row.difference, row.unit),
        "gain by pairs": f"{row.gain:.1f}",
        "p": small(row.p),
        "p after Holm": small(adjusted[name]),
    }
    for name, row in sorted(rows.items(), key=lambda each: each[1].p)
).set_index("claim")

# %% [markdown]
# A claim that is open is not refuted. Its interval says how large the effect can still be, and `games_needed` how many games would show one that matters to you:

# %%
skill = claims["Connections, trading: the better player"]
print(f"{skill.games_needed(0.03):,} games each would show three points")

# %% [markdown]
# ## Try it yourself
#
# - Mapello with `symmetry="rotate"`: half a turn maps the board onto itself. Fairer, or only prettier?
# - `draw="free"` in Mapominoes: who feels it, greedy or random players? Plan first.
# - With forks, does `x_joiners=1` keep the cure and lose the side effect?
# - Write a player of your own that never trades, and let it play against greedy with trading allowed.
