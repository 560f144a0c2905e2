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
#
# ## What was found

# %%
import tempfile
from pathlib import Path

import duckdb
import numpy as np
import pandas as pd
from IPython.display import Markdown

import adjoin
from adjoin.reports import charts
from adjoin.statistics import (
    Interval,
    SequentialTest,
    games_needed,
    mean,
    ratio,
    wilson,
)

players = ["random", "greedy"]
sweeps = [
    adjoin.sweep("mapello", 12_000, players, seed=6, threads=2),
    adjoin.sweep("mapominoes", 600, players, seed=6, threads=2, rounds=1),
    adjoin.sweep("metro_domino", 6_000, players, seed=6, threads=2, first_seat=0),
    adjoin.sweep("domiphun", 12_000, players, seed=6, threads=2, first_seat=0),
    adjoin.sweep("connections", 300, players, seed=6, threads=2),
]
answers = {
    (sweep.title.partition(":")[0], reading.at["agents"]): (
        reading.interval,
        1 / point.origin.seats,
    )
    for sweep in sweeps
    for point, reading in zip(sweep.points, sweep["win share, seat 0"], strict=True)
}


def verdict(first, fair):
    """Say what an interval tells."""
    if first.covers(fair):
        return "an open question"
    return "an advantage" if first.value > fair else "a handicap"


begins = [
    f"- **{game}**: going first is {verdict(first, fair)} among greedy players. Who does wins {first:%}; {fair:.0%} would be fair."
    for (game, player), (first, fair) in answers.items()
    if player == "greedy"
]
fixed = games_needed(0.02)
test = adjoin.sprt(
    "easy(miss=0.05)", "greedy", "mapello", share=(0.48, 0.5), seed=3, threads=2
)
needed = f"- To find an edge of two points in 9 of 10 cases takes **{fixed:,} games**. A test that stops when it knows often does with fewer: does `{test.a}` keep up with `{test.b}` in Mapello, or fall two points short? {test.sentence}"
Markdown("\n".join([*begins, needed]))

# %% [markdown]
# A match is one observation. Brackets hold 95% intervals. What follows is how one gets there.
#
# ## A share and its interval
#
# Two `greedy` players meet in Metro Domino. A row of the table is a match, and a summary knows who began it.

# %%
few = adjoin.simulate("metro_domino", 100, "greedy", seed=1)
seen = few.summary()["win share, who begins"].interval
print(f"who begins wins {seen:%}; half would be fair")

# %% [markdown]
# The interval is Wilson's, which counts a drawn game as half a win where there are any. It says which true shares go with what was seen. If it holds 50%, a hundred games do not tell. More games narrow it, slowly: four times as many for half the width.

# %%
many = adjoin.simulate("metro_domino", 12_800, "greedy", seed=1)
charts.dots(
    {
        f"{size:,} games": many[:size].summary()["win share, who begins"].interval
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
deals = adjoin.simulate("domiphun", 200_000, seed=2, threads=2).filter(winner=[0, 1])
decided = (deals["winner"] == deals["began"]).astype(int)
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
# ## May I look before the end?
#
# The promise holds for a number of games that was fixed beforehand. Who looks every 50 games and stops at the first interval that leaves out 50% has many chances to be wrong. To see how often it happens, we let a coin decide which side a game counts for, so that there is nothing to find.

# %%
coin = decided ^ np.random.default_rng(1).integers(0, 2, len(decided))
size, looks = 2_000, np.arange(50, 2_001, 50)
wins = coin[: len(coin) // size * size].reshape(-1, size).cumsum(axis=1)[:, looks - 1]
alarms = [
    any(
        not wilson(int(won), int(n)).covers(0.5)
        for won, n in zip(row, looks, strict=True)
    )
    for row in wins
]
print(f"found what is not there: {wilson(sum(alarms), len(alarms)):%}, promised 5%")

# %% [markdown]
# Wald's sequential test may look after every game. It weighs two shares against each other, here 50% and the true one, and stops when one is much likelier. Again we try whether the promise is kept, with the edge and without: wrong in 5%, either way. A fixed number of games that promises the same is in the last column.


# %%
def in_sequence(games, most=4_000):
    """Let one test after the other go on where the one before has stopped."""
    tests, begin = [], 0
    while begin + most <= len(games):
        tests.append(SequentialTest(0.5, truth.value))
        tests[-1].update(games[begin : begin + most])
        begin += tests[-1].count
    return tests


tries = {"edge": in_sequence(decided), "no edge": in_sequence(coin)}
pd.DataFrame(
    {
        "truth": name,
        "tests": len(tests),
        "found the edge": f"{wilson(sum(t.decision == 'accepted' for t in tests), len(tests)):%}",
        "undecided": sum(t.decision == "undecided" for t in tests),
        "games": str(mean([t.count for t in tests])),
        "fixed": games_needed(truth.value - 0.5, power=0.95, level=0.9),
    }
    for name, tests in tries.items()
).set_index("truth")

# %% [markdown]
# `adjoin.sprt` is this test between two agents. Every deal is played from both seats, and its mean score is one observation. The one at the top of this page went like this:

# %%
test.plot()

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
# The other trap is to count things that hang together. Decisions of one game are no independent observations: `ratio`, and the summary of a table of decisions, look at the spread between games.

# %%
choices = adjoin.simulate(
    "mapominoes", 60, seed=4, record="decisions", rounds=1, columns=["legal"]
)
legal, game = choices["legal"], choices["episode"]
print(f"{len(legal):,} decisions, as if independent: {mean(legal)}")
print(f"60 games: {ratio(np.bincount(game, legal), np.bincount(game))}")

# %% [markdown]
# ## The same deals
#
# Episode k is the same deal whatever the agents and most options are. So two versions can be compared on the same deals, and the luck of the deal cancels. `compare` does it, and its `gain` says how much that helps: how many times as many games it would take on other deals. Both questions are about Mapominoes with the cards of Wales. First two variants:

# %%
wales = {"nations": ["Wales"], "rounds": 1, "seed": 1, "threads": 2}
adjoin.compare(
    {"transit_each": "easier"},
    {"transit_each": 1},
    "mapominoes",
    800,
    agents="greedy",
    measures=["score", "turns"],
    **wales,
)

# %% [markdown]
# Then two agents, each at the same table with a greedy player:

# %%
adjoin.compare(
    "greedy",
    "random",
    "mapominoes",
    800,
    among="greedy",
    measures=["score", "turns"],
    **wales,
)

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


adjoin.sweep(
    "metro_domino",
    2_000,
    (twin, other),
    seed=5,
    first_seat=0,
    rotate=[False, True],
    figures="win share, twin",
)

# %% [markdown]
# ## Five games, one answer each
#
# Players of the same kind; seat 0 goes first. Where everybody would begin once, a match has one round here. Connections always goes on until everybody has dealt, so its seat 0 is first in one round of three. These are the answers from the top, for both kinds of players.

# %%
pd.DataFrame(
    {
        "game": game,
        "players": player,
        "fair": f"{fair:.0%}",
        "who goes first wins": f"{first:%}",
        "going first is": verdict(first, fair),
    }
    for (game, player), (first, fair) in answers.items()
).set_index(["game", "players"])

# %%
charts.dots(
    {
        f"{game}, {player}": Interval(*(end - fair for end in first))
        for (game, player), (first, fair) in answers.items()
    },
    title="Going first: wins above a fair share, in points",
    unit="%",
    reference=0,
    colours=("#0072b2", "#d55e00"),
)

# %% [markdown]
# "An open question" is not "no advantage". It means that the edge, if there is one, is smaller than the interval; `games_needed` says what would find it. An answer is about these players: others may use an advantage that these do not see. And ten intervals are ten chances to be wrong, which [the next notebook](09_designing_a_variant.ipynb) looks after.
#
# ## A puzzle
#
# Going first can mean two things. In Mapominoes all counties but one are dealt, one at a time, from the first player on. If that is an odd number, who goes first also has a card more to get rid of. Is it the turn that the table shows, or the card? Leave one county out of Wales, and the deal is even.

# %%
wales = adjoin.Atlas.load("uk-counties").nation("Wales")
even = wales.sub(regions=wales.names[:-1])
for atlas in (wales, even):
    hands = adjoin.Match("mapominoes", atlas=atlas, rounds=1).view("all")["hands"]
    cards = " and ".join(str(hand["counties"]) for hand in hands)
    print(f"{atlas.name}: {len(atlas)} counties, hands of {cards}")
adjoin.sweep(
    "mapominoes", 2_500, seed=7, threads=2, atlas=[wales, even], rounds=1
).plot("win share, who begins")

# %% [markdown]
# ## Who is stronger?
#
# A tournament plays every deal in every order of seats and fits ratings. Its intervals are over deals.

# %%
field = [
    *players,
    "search(iterations=30)",
    "alphabeta(depth=2)",
    "alphabeta(depth=3)",
]
cup = adjoin.tournament(
    "mapello", field, num_games=30, seed=8, threads=2, anchor="random"
)
cup

# %%
cup.plot()

# %% [markdown]
# ## More than fits into memory
#
# A stream plays while it is written, a Parquet file a part. If it is stopped, the same call goes on where it was. `Table.read_parquet` reads the folder as a table that still knows how to play its matches again, and takes a column from the files when it is asked for it. DuckDB answers questions in SQL, on the same files.

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
    print(len(list(folder.iterdir())), "files")
    stored = adjoin.Table.read_parquet(folder)
    won = stored.summary()["win share, greedy"].interval
    shortest = stored.replay(int(stored["decisions"].argmin()))
    by_end = duckdb.sql(
        f"select ended, count(*) as games, round(avg(decisions), 1) as decisions from '{folder}/*.parquet' group by 1"
    ).df()

print(f"greedy wins {won:%} of {len(stored):,} games")
by_end

# %%
print(" ".join(shortest.history), "|", shortest.result)
shortest

# %% [markdown]
# A table in memory goes to the same tools without files: `pl.DataFrame(table)`, `table.to_pandas()`, `duckdb.sql("from table")`. What happens inside these games, card by card and place by place, is what [Inside the matches](15_inside_the_matches.ipynb) is about.
#
# ## Try it yourself
#
# - How many games would settle whether going first matters in Connections?
# - Metro Domino with three players: which seat is best? Three intervals are three chances to be wrong; see the next notebook.
# - Draw the coverage of `share` against the share of wins, with one game in ten drawn. Where is it worst?
# - Let `search(iterations=30)` play itself. Is its answer to "who goes first" the same as greedy's?
