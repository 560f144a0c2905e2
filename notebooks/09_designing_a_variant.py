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

# %%
import math

import numpy as np
import pandas as pd

import adjoin
from adjoin.reports import charts
from adjoin.statistics import Interval, mean, normal_quantile, share, wilson

BLUE, ORANGE = "#0072b2", "#d55e00"

# %% [markdown]
# ## Mapello: which pieces make it fair?
#
# **Question.** Walls, bonuses and jokers: is going first worth as much with them as without?
#
# **Plan.** Decide before you look. We call a variant fair enough if who goes first wins 47 to 53%. An interval that lies inside says yes, one that lies outside says no, one that does neither says: play more. We ask eight times, so each interval gets a level that leaves 5% for all eight together (Bonferroni). How many games? Enough that an interval is narrower than half of the range.

# %%
variants = {
    "no pieces": {"walls": 0, "bonuses": 0, "jokers": 0},
    "4 walls": {"walls": 4, "bonuses": 0, "jokers": 0},
    "8 walls": {"walls": 8, "bonuses": 0, "jokers": 0},
    "4 bonuses": {"walls": 0, "bonuses": 4, "jokers": 0},
    "8 bonuses": {"walls": 0, "bonuses": 8, "jokers": 0},
    "4 jokers": {"walls": 0, "bonuses": 0, "jokers": 4},
    "8 jokers": {"walls": 0, "bonuses": 0, "jokers": 8},
    "4 of each, as the game comes": {},
}
low, high = 0.47, 0.53
level = 1 - 0.05 / len(variants)
width = (high - low) / 2
games = int((normal_quantile((1 + level) / 2) / width) ** 2) + 1
print(f"{games:,} games each, intervals of {level:.1%}")

# %% [markdown]
# **Run.** A drawn game counts half.

# %%
tables = {
    name: adjoin.simulate(
        "mapello", games, "greedy", seed=1, rotate=False, threads=2, **options
    )
    for name, options in variants.items()
}
firsts = {name: share(table["won_0"], level) for name, table in tables.items()}
charts.dots(
    firsts,
    title="Mapello: wins of who goes first",
    note=f"Two greedy players, {games:,} games each, {level:.1%} intervals.",
    unit="%",
    reference=0.5,
)


# %% [markdown]
# **Decision.** By the plan:


# %%
def decide(interval):
    """Say whether a share is fair enough."""
    if low <= interval.low and interval.high <= high:
        return "fair enough"
    return "not fair" if interval.low > high or interval.high < low else "play more"


pd.Series(
    {name: decide(first) for name, first in firsts.items()}, name="verdict"
).to_frame()

# %% [markdown]
# Some comparisons are kept for the end of the notebook, each with its difference and a p-value. The first: do the pieces of the game as it comes change the worth of going first?

# %%
claims = {}


def compare(claim, new, old, paired=False):
    """Keep a difference of means with its interval and p-value."""
    new, old = np.asarray(new, float), np.asarray(old, float)
    if paired:
        error = (new - old).std(ddof=1) / math.sqrt(len(new))
    else:
        error = math.sqrt(new.var(ddof=1) / len(new) + old.var(ddof=1) / len(old))
    apart, reach = new.mean() - old.mean(), normal_quantile(0.975) * error
    p = math.erfc(abs(apart) / error / math.sqrt(2))
    claims[claim] = (Interval(apart, apart - reach, apart + reach), p)
    return claims[claim][0]


change = compare(
    "Mapello, pieces: wins of who goes first",
    tables["4 of each, as the game comes"]["won_0"],
    tables["no pieces"]["won_0"],
)
print(f"share of who goes first, with pieces less without: {change:%}")

# %% [markdown]
# ### Would better players say the same?
#
# Ask before you print the box. But look at what you count: a player without any chance in it plays the same game again on the same board. However many rows the table has, different games are what counts.

# %%
rows = []
for player in ("greedy", "alphabeta(depth=2)"):
    for name in ("no pieces", "4 of each, as the game comes"):
        table = adjoin.simulate(
            "mapello", 400, player, seed=2, rotate=False, threads=2, **variants[name]
        )
        results = np.stack(
            [table[c] for c in ("score_0", "score_1", "flips_0", "flips_1")], axis=1
        )
        rows.append(
            {
                "player": player,
                "variant": name,
                "games": len(table),
                "different results": len(np.unique(results, axis=0)),
                "who goes first wins": f"{share(table['won_0']):%}",
            }
        )
pd.DataFrame(rows).set_index(["player", "variant"])

# %% [markdown]
# Where there is only one result, the interval beside it is worthless.
#
# ## Mapominoes: do transit cards help?
#
# **Question.** The rules offer more transit cards to make the game easier. For whom, and what else do they do?
#
# **Plan.** Two kinds of players: `greedy`, who keeps transit cards as a last resort, and `random`, who wastes them. We look at the turns of a round, and at rounds that nobody wins because nobody can go. The deals are the same for every option, so we compare game by game.

# %%
players = ("greedy", "random")
transits = {"none": 0, "one each": 1, "two each": 2, '"easier"': "easier"}
plan = {"seed": 3, "threads": 2, "rotate": False, "rounds": 1, "nations": ["Wales"]}
rounds = {
    (player, name): adjoin.simulate(
        "mapominoes", 800, player, transit_each=each, **plan
    )
    for player in players
    for name, each in transits.items()
}
pd.DataFrame(
    {
        "player": player,
        "transit cards": name,
        "turns": str(mean(table["turns"])),
        "blocked": f"{wilson(int(table['rounds_blocked'].sum()), len(table)):%}",
        "used by seat 0": f"{table['transit_0'].mean():.1f}",
    }
    for (player, name), table in rounds.items()
).set_index(["player", "transit cards"])

# %%
differences = {}
for player in players:
    before = rounds[player, "one each"]["turns"].astype(float)
    for name in ("none", "two each", '"easier"'):
        after = rounds[player, name]["turns"].astype(float)
        differences[f"{player}, {name}"] = mean(after - before)
charts.dots(
    differences,
    title="Turns of a round, compared with one transit card each",
    note="The same deals, game by game.",
    reference=0,
    colours=(BLUE, BLUE, BLUE, ORANGE, ORANGE, ORANGE),
)

# %%
for player in players:
    change = compare(
        f"Mapominoes, easier: turns of {player} players",
        rounds[player, '"easier"']["turns"],
        rounds[player, "one each"]["turns"],
        paired=True,
    )
    print(f"{player}: {change} turns")

# %% [markdown]
# **Decision.** Read the table by rows. What a rule does depends on who plays: a card that makes the game easier for careful players can fill the table with dead ends for careless ones. A designer would watch beginners before printing more of them.
#
# ## Domiphun: should the path fork?
#
# **Question.** In the advanced game an X joiner turns the path. With `fork=True` it leaves an end behind, so that there is more than one place to build. Does that mend blocked games, and what does it cost?

# %%
plan = {
    "seed": 4,
    "threads": 2,
    "rotate": False,
    "variant": "advanced",
    "first_seat": 0,
}
paths = {
    fork: adjoin.simulate("domiphun", 3_000, "greedy", fork=fork, **plan)
    for fork in (False, True)
}


def blocked(table):
    """Return the share of games that nobody could finish."""
    return wilson(int((table["ended"] != "out").sum()), len(table))


pd.DataFrame(
    {
        "fork": fork,
        "blocked": f"{blocked(table):%}",
        "turns": str(mean(table["turns"])),
        "height": str(mean(table["height"])),
        "who begins wins": f"{share(table['won_0']):%}",
    }
    for fork, table in paths.items()
).set_index("fork")

# %% [markdown]
# The last column is what one forgets to look at: mend one thing, and measure the others.
#
# **Remedies.** The second player could get more Starjoiners, or everybody could begin once and the match be decided by both games. Try both before you choose.

# %%
remedies = {
    "nothing": {},
    "second player has 1 more": {"extra_starjoiners": [0, 1]},
    "second player has 4 more": {"extra_starjoiners": [0, 4]},
    "everybody begins once": {"starts_each": 1},
}
tried = {
    name: adjoin.simulate("domiphun", 2_500, "greedy", fork=True, **plan, **options)
    for name, options in remedies.items()
}
charts.dots(
    {name: share(table["won_0"]) for name, table in tried.items()},
    title="Domiphun with forks: matches won by who begins first",
    note="A shared win counts half.",
    unit="%",
    reference=0.5,
)

# %%
for name, table in tried.items():
    shared = wilson(int((table["winner"] < 0).sum()), len(table))
    used = table["starjoiners_1"].mean()
    print(
        f"{name:<26} shared wins {shared:%}, {table['turns'].mean():.0f} turns, {used:.2f} used"
    )

compare(
    "Domiphun, 4 Starjoiners more: wins of who begins",
    tried["second player has 4 more"]["won_0"],
    tried["nothing"]["won_0"],
)
change = compare(
    "Domiphun, forks: wins of who begins", paths[True]["won_0"], paths[False]["won_0"]
)

# %% [markdown]
# The last figure is how many Starjoiners the second player used. Before you throw a rule away, look whether the players you simulate know what to do with it.
#
# **Decision.** A remedy must move the dot to the dashed line. Its price is in the lines above: longer matches, shared wins.
#
# ## Connections: play without trading?
#
# **Question.** Trading takes a lot of time. `trading=False` leaves it out. What goes with it?
#
# **Plan.** Three greedy players for the pace, and one greedy player against two random ones for skill: how often does the better player win?

# %%
pace, skill = {}, {}
for name, trading in {"with trading": True, "without trading": False}.items():
    table = adjoin.simulate(
        "connections", 250, "greedy", seed=6, threads=2, trading=trading
    )
    pace[name] = {
        "decisions of a match": str(mean(table["decisions"])),
        "turns": str(mean(table["turns"])),
        "points a player": str(mean(table.each_seat("score").mean(axis=1))),
        "partnerships a player": str(
            mean(table.each_seat("partnerships").mean(axis=1))
        ),
    }
    mixed = ["greedy", "random", "random"]
    seats = adjoin.simulate(
        "connections", 600, mixed, seed=7, threads=2, trading=trading
    ).by_seat()
    skill[name] = seats["won"][seats["agent"] == "greedy"]
pd.DataFrame(pace)

# %%
compare("Connections, trading: wins of the better player", *skill.values())
charts.dots(
    {name: share(won) for name, won in skill.items()},
    title="Connections: wins of one greedy player",
    note="Against two random ones, so that a third would be fair.",
    unit="%",
    reference=1 / 3,
)

# %% [markdown]
# **Decision.** A short game for a family evening, or a long one in which skill counts: the figures do not choose, but now the choice has a price.
#
# ## Several claims at once
#
# The more one asks, the more often chance says yes. Holm's correction is one line: sort the p-values, multiply the smallest by how many there are, the next by one fewer, and never let one be smaller than the one before.

# %%
ordered = sorted(claims.items(), key=lambda claim: claim[1][1])
factors = range(len(ordered), 0, -1)


def small(p):
    """Return a p-value as people print it."""
    return "< 0.0001" if p < 0.0001 else f"{p:.2g}"


scaled = [
    min(1.0, p * factor) for (_, (_, p)), factor in zip(ordered, factors, strict=True)
]
pd.DataFrame(
    {
        "claim": claim,
        "difference": str(apart),
        "p": small(p),
        "p after Holm": small(holm),
        "stands at 5%": "yes" if holm < 0.05 else "no",
    }
    for (claim, (apart, p)), holm in zip(
        ordered, np.maximum.accumulate(scaled), strict=True
    )
).set_index("claim")

# %% [markdown]
# A claim that does not stand is not refuted. Its interval says how large the effect can still be.
#
# ## Try it yourself
#
# - Mapello with `symmetry="rotate"`: half a turn maps the board onto itself. Fairer, or only prettier?
# - `draw="free"` in Mapominoes: who feels it, greedy or random players? Plan first.
# - With forks, does `x_joiners=1` keep the cure and lose the side effect?
# - Write a player of your own that never trades, and let it play against greedy with trading allowed.
