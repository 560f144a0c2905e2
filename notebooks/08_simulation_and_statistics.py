# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Simulation and statistics
#
# Is going first an advantage? How many games do I need to know? This notebook answers both for five games, and shows what an interval promises, how to check that it keeps its promise, and how to need fewer games. It takes twenty minutes.

# %%
import tempfile
from pathlib import Path

import duckdb
import numpy as np
import pandas as pd
import polars as pl

import adjoin
from adjoin.reports import charts
from adjoin.statistics import (
    Interval,
    games_needed,
    mean,
    ratio,
    share,
    wilson,
)

# %% [markdown]
# ## A share and its interval
#
# Two `greedy` players meet in Metro Domino. Seat 0 begins: `first_seat=0` says so, and `rotate=False` keeps everybody in their seat. A row is a match.

# %%
few = adjoin.simulate("metro_domino", 100, "greedy", seed=1, rotate=False, first_seat=0)
seen = few.summary()["win share, seat 0"].interval
print(f"seat 0 wins {seen:%}; half would be fair")

# %% [markdown]
# The interval is Wilson's, which counts a drawn game as half a win where there are any. It says which true shares go with what was seen. If it holds 50%, a hundred games do not tell. More games narrow it, slowly: four times as many for half the width.

# %%
many = adjoin.simulate(
    "metro_domino", 12_800, "greedy", seed=1, rotate=False, first_seat=0
)
charts.dots(
    {
        f"{size:,} games": share(many["won_0"][:size])
        for size in (50, 200, 800, 3_200, 12_800)
    },
    title="Metro Domino: wins of who begins",
    unit="%",
    reference=0.5,
)

# %% [markdown]
# ## How many games do I need?
#
# It depends on how small an edge you want to find. To find a true share of 50% plus an edge, with a chance of 90% (the power) and a 95% interval:

# %%
pd.DataFrame(
    [
        {
            "edge in points": 100 * edge,
            **{f"power {p:.0%}": games_needed(edge, power=p) for p in (0.5, 0.8, 0.9)},
        }
        for edge in (0.005, 0.01, 0.02, 0.05, 0.1)
    ]
).set_index("edge in points")

# %% [markdown]
# ## Does the formula keep its promise?
#
# Domiphun between random players is fast, so we can do the whole experiment again and again. First the truth, as well as 200,000 games tell it; then experiments of the size that the formula asks for.

# %%
deals = adjoin.simulate(
    "domiphun", 200_000, "random", seed=2, threads=2, rotate=False, first_seat=0
)
decided = deals["won_0"][deals["winner"] >= 0].astype(int)
truth = wilson(int(decided.sum()), len(decided))
size = games_needed(truth.value - 0.5, power=0.8)
print(f"who begins wins {truth:%} of the decided games, so {size:,} games are needed")

# %%
experiments = decided[: len(decided) // size * size].reshape(-1, size).sum(axis=1)
intervals = [wilson(int(wins), size) for wins in experiments]
found = wilson(sum(i.low > 0.5 for i in intervals), len(intervals))
covered = wilson(sum(i.covers(truth.value) for i in intervals), len(intervals))
print(f"{len(intervals)} experiments")
print(f"found the edge:    {found:%}, promised 80%")
print(f"covered the truth: {covered:%}, promised 95%")

# %% [markdown]
# ## Two hundred games that are two
#
# Games are evidence if they are different. Two players without luck, from a board without luck, play one match again and again; they swap seats, so there are two. A table knows: `digest` is the same for matches with the same start, actions and result, and a summary counts what is repeated once.


# %%
def first_legal(observations, masks):
    return masks.argmax(axis=1)


def last_legal(observations, masks):
    return masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1)


stubborn = adjoin.simulate(
    "mapello", 200, [first_legal, last_legal], setup="othello", seed=1
)
print(len(stubborn), "games,", len(set(stubborn["digest"])), "matches")
print(stubborn.summary().notice)
print(stubborn.summary()["win share, first_legal"].interval)

# %% [markdown]
# Let chance in, by a set-up with pieces or an agent that draws lots, and two hundred games are two hundred again.
#
# ## Means, and where they mislead
#
# A mean comes with Student's t interval. It is good when no single game weighs much. We take many small samples and count how often the interval covers the mean of all: for the longest turn of a game of Metro Domino, and for the decisions of a game of Mapello, where most games fill the board and a few are wiped out early.

# %%
lengths = adjoin.simulate("mapello", 30_000, "greedy", seed=3, threads=2)["decisions"]
populations = {
    "Metro Domino, longest turn": many["longest_turn"],
    "Mapello, decisions": lengths,
}


def coverage(values, size):
    """Return how often the t interval of a sample covers the mean of all."""
    samples = values[: min(len(values) // size, 600) * size].reshape(-1, size)
    hits = sum(mean(sample).covers(values.mean()) for sample in samples)
    return wilson(hits, len(samples))


charts.dots(
    {
        f"{name}, {size} games": coverage(values, size)
        for name, values in populations.items()
        for size in (10, 30, 100, 300)
    },
    title="How often a 95% interval covers the mean",
    unit="%",
    reference=0.95,
)

# %%
charts.histogram(
    lengths, title="Decisions of a game of Mapello", x="decisions", of="games"
)

# %% [markdown]
# The long thin tail to the left is the reason. A sample that has missed it is too sure of itself. Look at the histogram before you trust a mean; take a median or a share instead, or many more games.
#
# The other trap is to count things that hang together. Decisions of one game are no independent observations: `ratio` looks at the spread between games.

# %%
choices = adjoin.simulate(
    "mapominoes", 60, "random", seed=4, record="decisions", rounds=1
)
legal, game = choices["legal"], choices["episode"]
naive = mean(legal)
honest = ratio(np.bincount(game, legal), np.bincount(game))
print(f"legal actions a decision, {len(legal):,} decisions as if independent: {naive}")
print(
    f"legal actions a decision, {len(np.unique(game))} independent games:     {honest}"
)

# %% [markdown]
# ## The same deals
#
# Episode k is the same deal whatever the agents and most options are. So two versions can be compared on the same deals, and the luck of the deal cancels. How much that helps has to be measured. Both questions below are about the cards that seat 0 has left in Mapominoes with the cards of Wales.


# %%
def left(agents, seed, **options):
    """Return the cards that seat 0 has left in each game."""
    wales = {"nations": ["Wales"], "rounds": 1, "rotate": False}
    table = adjoin.simulate("mapominoes", 800, agents, seed=seed, **wales, **options)
    return table["score_0"].astype(float)


questions = {
    "transit cards, easier or one each": (
        left("greedy", 1, transit_each="easier"),
        left("greedy", 1),
        left("greedy", 2),
    ),
    "seat 0, greedy or random": (
        left(["greedy", "greedy"], 1),
        left(["random", "greedy"], 1),
        left(["random", "greedy"], 2),
    ),
}
pd.DataFrame(
    {
        "question": question,
        "same deals": str(mean(new - old)),
        "other deals": str(mean(new - other)),
        "games for other deals": f"{(new - other).var() / (new - old).var():.1f} times",
    }
    for question, (new, old, other) in questions.items()
).set_index("question")

# %% [markdown]
# An option that few games feel leaves most of them alike, and the pairs cancel. Another player makes another game of the same deal after a few moves, and little is left to cancel.
#
# ## Seats
#
# If seats differ, two agents must sit in both. `rotate=True`, the default, moves them on from match to match. Without it, a player seems stronger than its own twin:


# %%
def twin(observations, masks):
    """Play the first legal action."""
    return masks.argmax(axis=1)


def other(observations, masks):
    """Play the first legal action too."""
    return masks.argmax(axis=1)


for rotate in (False, True):
    table = adjoin.simulate(
        "metro_domino", 2_000, [twin, other], seed=5, rotate=rotate, first_seat=0
    )
    print(
        f"rotate={rotate!s:<6} the twin wins {table.summary()['win share, twin'].interval:%}"
    )

# %% [markdown]
# ## Five games, one answer each
#
# Players of the same kind; seat 0 goes first. Where everybody would begin once, a match has one round here. Connections always goes on until everybody has dealt, so its seat 0 is first in one round of three.

# %%
plans = {
    "mapello": (12_000, {}),
    "mapominoes": (600, {"rounds": 1}),
    "metro_domino": (6_000, {"first_seat": 0}),
    "domiphun": (12_000, {"first_seat": 0}),
    "connections": (300, {}),
}
answers = []
for game, (games, options) in plans.items():
    for agent in ("random", "greedy"):
        table = adjoin.simulate(
            game, games, agent, seed=6, threads=2, rotate=False, **options
        )
        first = table.summary()["win share, seat 0"].interval
        answers.append((game, agent, games, 1 / table.seats, first))


def verdict(first, fair):
    """Say what an interval tells."""
    if first.covers(fair):
        return "no answer yet"
    return "good" if first.value > fair else "bad"


pd.DataFrame(
    {
        "game": game,
        "players": agent,
        "games": f"{games:,}",
        "fair": f"{fair:.0%}",
        "who goes first wins": f"{first:%}",
        "going first is": verdict(first, fair),
    }
    for game, agent, games, fair, first in answers
).set_index(["game", "players"])

# %%
charts.dots(
    {
        f"{game}, {agent}": Interval(*(end - fair for end in first))
        for game, agent, _, fair, first in answers
    },
    title="Going first: wins above a fair share, in points",
    unit="%",
    reference=0,
    colours=("#0072b2", "#d55e00"),
)

# %% [markdown]
# "No answer yet" is not "no advantage". It means that the edge, if there is one, is smaller than the interval; `games_needed` says what would find it. An answer is about these players: others may use an advantage that these do not see. And ten intervals are ten chances to be wrong, which [the next notebook](09_designing_a_variant.ipynb) looks after.
#
# ## A puzzle
#
# Going first can mean two things. In Mapominoes all counties but one are dealt, one at a time, from the first player on. If that is an odd number, who goes first also has a card more to get rid of. Is it the turn that the table shows, or the card? Leave one county out of Wales, and the deal is even.

# %%
wales = adjoin.Atlas.load("uk-counties").nation("Wales")
even = wales.sub(regions=wales.names[:-1])
rows = {}
for atlas in (wales, even):
    hands = adjoin.Match("mapominoes", atlas=atlas, rounds=1).view("all")["hands"]
    table = adjoin.simulate(
        "mapominoes",
        2_500,
        "greedy",
        seed=7,
        threads=2,
        rotate=False,
        atlas=atlas,
        rounds=1,
    )
    cards = " and ".join(str(hand["counties"]) for hand in hands)
    rows[f"{len(atlas)} counties, hands of {cards}"] = table.summary()[
        "win share, seat 0"
    ].interval
charts.dots(
    rows, title="Mapominoes, Wales: wins of who goes first", unit="%", reference=0.5
)

# %% [markdown]
# ## Who is stronger?
#
# A tournament plays every deal in every order of seats and fits ratings. Its intervals are over deals.

# %%
players = [
    "random",
    "greedy",
    "search(iterations=30)",
    "alphabeta(depth=2)",
    "alphabeta(depth=3)",
]
cup = adjoin.tournament(
    "mapello", players, num_games=30, seed=8, threads=2, anchor="random"
)
cup

# %%
cup.plot()

# %% [markdown]
# ## More than fits into memory
#
# A stream plays while it is written, a Parquet file a part. If it is stopped, the same call goes on where it was. DuckDB and polars read all files as one table.

# %%
with tempfile.TemporaryDirectory() as place:
    stream = adjoin.simulate(
        "mapello",
        30_000,
        ["greedy", "random"],
        seed=9,
        threads=2,
        stream=True,
        part=10_000,
    )
    folder = stream.to_parquet(Path(place, "games"))
    files = f"{folder}/*.parquet"
    print(len(list(folder.iterdir())), "files")
    by_end = duckdb.sql(
        f"select ended, count(*) as games, round(avg(decisions), 1) as decisions from '{files}' group by 1"
    ).df()
    wins = (
        pl.scan_parquet(files)
        .select(
            pl.when(pl.col("agent_0") == "greedy")
            .then("won_0")
            .otherwise("won_1")
            .sum(),
            games=pl.len(),
        )
        .collect()
    )

by_end

# %%
points, games = wins.row(0)
print(
    f"greedy earns {points:,.1f} of {games:,} games, shared wins as halves: {points / games:.1%}"
)

# %% [markdown]
# A table in memory goes to the same tools without files: `pl.DataFrame(table)`, `table.to_pandas()`, `duckdb.sql("from table")`.
#
# ## Try it yourself
#
# - How many games would settle whether going first matters in Connections?
# - Metro Domino with three players: which seat is best? Three intervals are three chances to be wrong; see the next notebook.
# - Draw the coverage of `share` against the share of wins, with one game in ten drawn. Where is it worst?
# - Let `search(iterations=30)` play itself. Is its answer to "who goes first" the same as greedy's?
