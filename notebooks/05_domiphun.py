# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Domiphun
#
# Dominoes without ready-made dominoes: the players join single numbered squares. In the
# *traditional* game the set is made first, in the *standard* game tiles are made on the
# way, and in the *advanced* game the path leaves the table and must not fall over.
#
# This tour shows the rules by example, lets you play, and then asks three questions of
# simulated games: how do the three games differ, how tall do towers get, and how close
# to toppling are they? About ten minutes to read. The full rules, clause by clause:
# [the rule page of Domiphun](../src/games/domiphun/RULES.md).
#
# ## What was found

# %%
from fractions import Fraction

import numpy as np
from IPython.display import SVG, Markdown

import adjoin
from adjoin.reports import Band, dots, histogram, lines
from adjoin.statistics import Interval, mean, ratio

variants = ["traditional", "standard", "advanced"]
tried = adjoin.sweep(
    "domiphun", 1_000, variant=variants, players=[2, 3, 4], first_seat=0, threads=2
)
found = {
    variant: {
        row.figure: row.interval for row in tried.only(variant=variant, players=2)
    }
    for variant in variants
}
Markdown(
    "\n".join(
        f"- In the *{variant}* game between two greedy players somebody goes out in {figures['ended: out']:%} of the games; the others are blocked. Who begins wins {figures['win share, who begins']:%}."
        for variant, figures in found.items()
    )
)

# %% [markdown]
# ## Rules by example: the standard game
#
# Two dominoes lie on the table; the ends of the path are called A and B. Seat 0 holds
# five squares.

# %%
match = adjoin.Match(
    "domiphun",
    position="""{
        "laid": ["3-5", "5-6 B"],
        "hands": [[2, 3, 4, 6, 6], [1, 6, 6]]
    }""",
)
match


# %% [markdown]
# A domino is named with the touching square first: `3-4 A` joins a 3 and a 4 of the
# hand and puts the 3 against end A (DOMI-6).


# %%
def ask(match, *actions):
    for action in actions:
        why = match.why_not(action)
        print(f"{action}: {why.reason} ({why.clause})" if why else f"{action}: yes")


ask(match, "3-4 A", "4-3 A", "6-6 B", "3-3 A", "take")

# %% [markdown]
# Who can play must (DOMI-8). Who cannot takes squares from the pool, one at a time,
# until a play is possible; after four of them the turn may be missed (DOMI-7).

# %%
stuck = adjoin.Match(
    "domiphun",
    position='{"laid": ["3-5", "5-6 B"], "hands": [[0, 2], [1, 6, 6]]}',
    seed=5,
)
ask(stuck, "miss")
while stuck.legal() == ["take"]:
    stuck.play("take")
    print("took a square; holds", *stuck.view(0)["hands"][0]["held"])
print("now possible:", *stuck.legal())

# %% [markdown]
# ## Rules by example: the advanced game
#
# Every player also has two **X joiners** and a **Starjoiner**. An X joiner puts the
# next domino at a right angle, so the path can leave the table. Here it climbs at the
# east end of the row and then leans out to the north. With `balance=True` the picture
# outlines the support in blue, and shows in red the centre of mass, the point below it
# and the nearest edge of the support.

# %%
tower = adjoin.Match(
    "domiphun",
    variant="advanced",
    position="""{
        "laid": ["1-2", "2-3 B east", "3-4 B east", "4-5 B east",
                 "5-6 B north up", "6-6 B up north"],
        "hands": [[6, 6, 6], [0, 1, 1, 2]],
        "x_joiners": [1, 1]
    }""",
)
SVG(tower.svg(balance=True))

# %% [markdown]
# The domino is chosen first, then the side it goes to. One more on that arm is one too
# many, unless it bends down to the table and becomes a foot (DOMI-16). Every square
# weighs the same, and the arithmetic is exact: no rounding decides.

# %%
tower.play("6-6 B")
ask(tower, "north", "north down", "up")
print("from toppling, before:", tower.view()["balance"]["margin"])
tower.play("north down")
print("from toppling, after: ", tower.view()["balance"]["margin"])

# %% [markdown]
# `turn=1` to `turn=3` turn the picture by quarters, to see what is behind.

# %%
SVG(tower.svg(balance=True, turn=1))

# %% [markdown]
# A Starjoiner closes an end for good. The path goes on from any square with a matching
# value, here from a 3 in the middle (DOMI-17).

# %%
star = adjoin.Match(
    "domiphun",
    variant="advanced",
    position="""{
        "laid": ["1-2", "2-3 B east", "3-4 B east", "4-5 B east"],
        "hands": [[2, 3, 6, 6], [0, 1, 1, 2]]
    }""",
)
print("legal:", ", ".join(star.legal()))
star.play("star A", "join 3-6")
ask(star, "plate 0", "plate 1", "plate 3")
star.play("plate 3", "north")
print("ends now show:", *(end["value"] for end in star.view()["ends"]))

# %% [markdown]
# ## Play it
#
# Click a square of your hand, then another one, then an end. In the advanced game, say
# where the domino goes; the picture can be turned. Use `variant="standard"` for a first
# game.

# %%
adjoin.play("domiphun", variant="advanced", seed=3)

# %% [markdown]
# ## Question 1: how do the three games differ?
#
# The same number of games of each kind, for two, three and four greedy players. A game
# is *blocked* if it ends without anybody going out: the pool is empty, or the path is
# *dead*, so that everybody can see that nothing will ever fit again (DOMI-10).

# %%
tried["ended: out", "turns", "misses", "win share, who begins"]

# %%
tried.plot("ended: out", by="variant", over="players")

# %% [markdown]
# How often is a player unable to play, so that a turn is missed?

# %%
tried.plot("misses", by="variant", over="players")

# %% [markdown]
# And the player who begins? The figure is how many times the fair share the starter
# wins; 1 would be fair.

# %%
dots(
    {
        f"{row.at['variant']}, {row.at['players']} players": Interval(
            *(row.at["players"] * end for end in row.interval)
        )
        for row in tried["win share, who begins"]
    },
    title="The starter's wins, against the fair share",
    x="times the fair share (a draw counts in parts)",
    reference=1,
)

# %% [markdown]
# ## Question 2: how tall do towers get?
#
# Greedy players do not aim at height: they want to get rid of their squares. Still, the
# path climbs. The height is counted in squares.

# %%
advanced = adjoin.simulate("domiphun", 4_000, "greedy", variant="advanced", threads=2)
print("mean height:", mean(advanced["height"]))
histogram(
    advanced["height"],
    title="Height of the construction",
    x="greatest height in a game, two greedy players",
    of="games",
)

# %% [markdown]
# The tallest of them can be played again and looked at.

# %%
tallest = advanced.replay(int(advanced["height"].argmax()))
print("height", tallest.view()["height"])
SVG(tallest.svg(balance=True))

# %% [markdown]
# Do more X joiners make taller towers? They turn the path upwards, but also back down.

# %%
heights = {}
for joiners in (1, 2, 3, 4):
    table = adjoin.simulate(
        "domiphun", 2_000, "greedy", variant="advanced", x_joiners=joiners, threads=2
    )
    heights[f"{joiners} X joiners each"] = mean(table["height"])
dots(heights, title="Mean height", x="squares, two greedy players")


# %% [markdown]
# ## Question 3: how close to toppling?
#
# The *margin* is the distance of the centre of mass from the edge of the support. Play
# recorded games again, decision by decision, and look at the margin after every domino.


# %%
def margins(agent, episodes, seed=0):
    """Return a list for each game: the margin after the second domino, the third, ..."""
    table = adjoin.simulate(
        "domiphun", episodes, agent, record="decisions", variant="advanced", seed=seed
    )
    sides = ("east", "west", "north", "south", "up", "down")
    games = []
    for episode in range(episodes):
        match = adjoin.Match("domiphun", variant="advanced", seed=seed, episode=episode)
        mine = table["episode"] == episode
        games.append([])
        for action, words in zip(
            table["action"][mine], table["words"][mine], strict=True
        ):
            match.play(int(action))
            if words.startswith(sides):
                games[-1].append(float(Fraction(match.view()["balance"]["margin"])))
    return games


played = {agent: margins(agent, 80) for agent in ("random", "greedy")}

# %% [markdown]
# The mean over all games that are still going on, for each number of dominoes:

# %%
series = {}
for agent, games in played.items():
    columns = [[g[k] for g in games if len(g) > k] for k in range(max(map(len, games)))]
    often = [k for k, column in enumerate(columns) if len(column) >= 20]
    values, low, high = np.transpose([mean(columns[k]) for k in often])
    series[agent] = Band([k + 2 for k in often], values, low, high)
lines(
    series,
    title="How far from toppling, as the construction grows",
    x="dominoes laid",
    y="mean margin in squares, with its 95% interval",
    note="Games that are over drop out, so the right end is about long games.",
)

# %% [markdown]
# The first four dominoes lie flat. What comes after depends on how the players build:
# an arm that leans out costs margin, a foot gives it back. How many of the later
# positions are close?

# %%
for agent, games in played.items():
    later = [np.array(margin[3:]) for margin in games if len(margin) > 3]
    close = ratio([(m <= 0.25).sum() for m in later], [len(m) for m in later])
    print(f"{agent}: within a quarter of a square of toppling: {close:%} of positions")

# %% [markdown]
# A margin of 0 stands: the edge of the support belongs to it.
#
# ## Try it yourself
#
# - `extra_starjoiners=[0, 2]` is a handicap. How many make up for a greedy opponent?
# - `fork=True` lets the path fork at X joiners. Are fewer games blocked?
# - Which agent builds highest? Write one that likes `up`, as in the [tour of
#   Mapello](02_mapello.ipynb).
# - Why are even heights more common than odd ones?
# - `adjoin.animate(tallest)` shows the tallest game as a film.
#
# Next: [Connections](06_connections.ipynb).
