# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Metro Domino: New York
#
# Dominoes grow into underground lines. Whoever lays the last tile of a line opens the
# station at its end, and new lines start there. A tile left in hand costs a point, a
# station opened is worth one.
#
# This tour shows the rules by example, lets you play, and then asks three questions of
# simulated games: which advice about lines and tokens is worth following, is it good to
# go first, and what would other stations change? About ten minutes to read. The full
# rules, clause by clause: [the rule page of Metro
# Domino](../src/games/metro_domino/RULES.md).
#
# ## What was found

# %%
import numpy as np
from IPython.display import Markdown

import adjoin
from adjoin.reports import dots, histogram
from adjoin.statistics import Interval, mean, wilson

seats = adjoin.sweep("metro_domino", 4_000, players=[2, 3, 4], first_seat=0, threads=2)
Markdown(
    "\n".join(
        f"- With {row.at['players']} greedy players, who begins wins {row.interval:%}; {1 / row.at['players']:.0%} would be fair."
        for row in seats["win share, who begins"]
    )
)

# %% [markdown]
# ## Rules by example
#
# A position is a small JSON text: who holds which tiles, and which tiles lie on which
# line, from the station outwards. The start station has four lines, A to D. Line A
# takes three tiles and has two.

# %%
match = adjoin.Match(
    "metro_domino",
    seed=1,
    position="""{
        "hands": [["7-7", "3-5", "0-1", "2-9"], ["1-1", "5-6", "4-8"]],
        "lines": {"Start A": ["1-3", "3-7"], "Start B": ["2-2"]},
        "turn": 0
    }""",
)
match


# %% [markdown]
# **How to read the picture.** Stations are the white interchanges; every line runs from
# a station and shows its tiles, with the number that comes next, and how many tiles it
# takes in all. Below are the hand of whoever has to act, and the public facts about
# everybody.
#
# A tile is played as it lies: `7-7 Start A` is that tile on that line, and in `3-7` the
# 3 would point towards the station.


# %%
def ask(match, *actions):
    for action in actions:
        why = match.why_not(action)
        print(f"{action}: {why.reason} ({why.clause})" if why else f"{action}: yes")


ask(match, "7-7 Start A", "3-5 Start A", "2-9 Start B", "9-2 Start B", "draw")

# %% [markdown]
# The first tile of a line may be any tile; the next ones must match (METR-6). Who can
# add a tile must (METR-9). The double on line A does three things at once: it completes
# the line, so seat 0 opens a station (METR-8); it wins a metro token; and it gives the
# right to one more tile (METR-11).

# %%
match.play("7-7 Start A")
print("to act: seat", match.to_act, "| stop is possible:", "stop" in match.legal())
match

# %% [markdown]
# A new station has lines of its own, some with limits. `Min2` refuses tiles with a
# value below 2, `Max7` those above 7 (METR-7). And at most three lines may be under way
# at once (METR-5).

# %%
limits = adjoin.Match(
    "metro_domino",
    position="""{
        "hands": [["3-5", "0-1", "2-9", "4-8"], ["1-1", "5-6"]],
        "lines": {"Start A": ["1-3", "3-7", "7-7"],
                  "Start B": ["2-2"], "Start C": ["6-9"]},
        "opened": [{"station": "Times Square", "by": 0, "line": "Start A"}],
        "tokens": [1, 0],
        "turn": 0
    }""",
)
ask(limits, "0-1 Times Square A", "0-1 Times Square B", "2-9 Times Square B")
limits.play("4-8 Start D")
ask(limits, "spend", "stop", "0-1 Times Square A")

# %% [markdown]
# With a tile on Start D, three lines are active. A metro token may be given back for
# one more tile (METR-12). But now no other line can be started.

# %%
limits.play("spend")
ask(limits, "0-1 Times Square A", "2-9 Start B")

# %% [markdown]
# ## Play it
#
# Click a tile, then a line. Draw from the store when nothing fits.

# %%
adjoin.play("metro_domino", seed=8)

# %% [markdown]
# ## Question 1: which advice is worth following?
#
# Five pieces of advice, each followed by a player who otherwise chooses at random:
#
# - *longest*: play on the line that still needs most tiles;
# - *finish*: complete a line whenever you can;
# - *no gifts*: do not leave a line one tile short for the next player;
# - *spend*: give a metro token back as soon as you may;
# - *hoard*: never give one back.
#
# An agent may be a function of observations and masks, a row for each of many matches.
# The observation says how many tiles each line still takes; the numbers of the actions
# say which line a play is on (`spec.actions` and `spec.observation` list them).

# %%
spec = adjoin.Match("metro_domino").spec
plays, spend = spec.actions["play"].size, spec.actions["spend"].start
line_of = np.zeros(spec.actions.size, int)
line_of[:plays] = np.indices(spec.actions["play"].shape)[1].ravel()


def advised(name, wish, tokens=0.0):
    chance = np.random.default_rng(1)

    def agent(observations, masks):
        rows, actions = np.nonzero(masks.view(bool))
        left = spec.observation.split(observations)["left"][rows, line_of[actions]]
        liking = chance.random(len(rows)) + np.where(actions < plays, wish(left), 0)
        liking += tokens * (actions == spend)
        last = np.append(np.flatnonzero(np.diff(rows)), len(rows) - 1)
        return actions[np.lexsort((liking, rows))[last]]

    agent.__name__ = name
    return agent


# %% [markdown]
# Each of them plays the same number of games against the random player, from both
# seats. The dashed line is an even game.

# %%
players = [
    advised("longest", lambda left: left),
    advised("finish", lambda left: 2 * (left == 1)),
    advised("no gifts", lambda left: -2 * (left == 2)),
    advised("spend", lambda left: 0 * left, tokens=2),
    advised("hoard", lambda left: 0 * left, tokens=-2),
    advised("finish + spend", lambda left: 2 * (left == 1), tokens=9),
    "greedy",
]
shares = {}
for player in players:
    name = player if isinstance(player, str) else player.__name__
    table = adjoin.simulate("metro_domino", 500, [player, "random"], seed=3)
    shares[name] = table.summary()[f"win share, {name}"].interval
dots(
    shares,
    title="Wins against a random player",
    unit="%",
    x="share of wins, 500 games each",
    reference=0.5,
)

# %% [markdown]
# An interval that covers 50% means: not shown to help, at this number of games.
#
# Greedy players think about all of this. What goes along with winning among them? The
# difference between the winner and the loser of a game, figure by figure:

# %%
table = adjoin.simulate("metro_domino", 5_000, "greedy", threads=2)
winner = table["winner"]
alone = winner >= 0


def ahead(figure):
    each = table.each_seat(figure)[alone].astype(float)
    rows = np.arange(len(each))
    return mean(each[rows, winner[alone]] - each[rows, 1 - winner[alone]])


figures = {
    "tiles played": "tiles",
    "stations opened": "stations",
    "tokens won": "tokens",
    "tokens spent": "spent",
    "tiles drawn": "draws",
}
dots(
    {words: ahead(figure) for words, figure in figures.items()},
    title="What the winner has more of than the loser",
    x="per game, greedy players",
    reference=0,
)

# %% [markdown]
# ## Question 2: how long is a game, and is it good to go first?

# %%
histogram(
    table["turns"],
    title="Turns of a game, two greedy players",
    x="turns of both together",
    of="games",
)

# %% [markdown]
# A game ends with somebody's last tile, with a fifth station, or when nobody can play
# any more. How often does each happen, and who wins?

# %%
seats["ended: last tile", "ended: fifth station", "ended: stuck", "turns"]

# %%
first = {}
for point in seats.points:
    players = point.values["players"]
    for seat, name in ((0, "first"), (players - 1, "last")):
        won = point.find(f"win share, seat {seat}").interval
        times = Interval(*(players * end for end in won))
        first[f"{players} players, {name} seat"] = times
dots(first, title="Wins, against the fair share", x="times the fair share", reference=1)

# %% [markdown]
# At 1 a seat wins as often as it should among equals. The gap between a pair of dots is
# what the first move is worth, and why a tournament moves the first seat on after every
# game.
#
# ## Question 3: what would other stations change?
#
# The numbers on the original stations are lost, so the deck is data, and you can write
# your own. Here every line of the start station and of ten others is made shorter or
# longer.

# %%
names = [station.name for station in adjoin.Stations.load()]
rows = {}
for length in (2, 3, 4, 5, 6):
    deck = adjoin.Stations.build(
        {name: [length] * (4 if name == names[0] else 2) for name in names}
    )
    games = adjoin.simulate("metro_domino", 2_000, "greedy", stations=deck, threads=2)
    fifth = int((games["ended"] == "fifth station").sum())
    stations = games.each_seat("stations").sum(axis=1)
    rows[f"lines of {length}"] = mean(stations)
    print(f"lines of {length}: ended by a fifth station {wilson(fifth, len(games)):%}")
dots(rows, title="Stations opened in a game", x="both players together", reference=0)

# %% [markdown]
# ## Try it yourself
#
# - Why does *longest* do as it does? Write its opposite and compare.
# - Write *finish* and *no gifts* in one agent. Do they add up?
# - Give all lines `no_doubles=True` with `adjoin.Line(4, no_doubles=True)`. What
#   happens to metro tokens?
# - `wins_needed=3` is the tournament of the rule sheet. How much more often does the
#   better player win?
#
# Next: [Domiphun](05_domiphun.ipynb).
