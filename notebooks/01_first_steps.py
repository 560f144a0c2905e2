# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # First steps
#
# adjoin is five tabletop games as software: to play and teach with, to analyse, and to
# train agents on. This notebook goes through all of that once, in about ten minutes: a
# match that draws itself, a board to click on, ten thousand games in a moment, an
# environment with masks, and the map behind Mapominoes. The last cell says where to go
# next.

# %%
import gymnasium
import matplotlib.pyplot as plt
import numpy as np

import adjoin
from adjoin.reports import dots, histogram

print("games:", ", ".join(adjoin.games()))

# %% [markdown]
# ## A match
#
# Mapello is Reversi with walls, bonuses and jokers on the border. A match draws itself.
# The seed says which random board it is: the same seed, the same board.

# %%
match = adjoin.Match("mapello", seed=4)
match

# %% [markdown]
# Play by the names of the cells. An illegal move changes nothing and says why, with the
# clause of the rules.

# %%
print("legal:", *match.legal())
match.play(match.legal()[0])
print(match.why_not("a1"))
print(match.why_not("pass"))

# %% [markdown]
# Every game works like this, each with its own words: a domino and a line, a county and
# a cell, a city and a region.

# %%
for game in adjoin.games():
    other = adjoin.Match(game, seed=1)
    print(f"{other.spec.title:<24}", ", ".join(other.legal()[:2]), "…")

# %% [markdown]
# A copy is independent. Here one is played to its end at random, and the original stays
# where it was.

# %%
finished = match.copy()
finished.play_random()
print("the copy:    ", repr(finished), finished.view()["score"])
print("the original:", repr(match))

# %% [markdown]
# A match can be turned into a film to click through, here or in a file of its own
# (`adjoin.animate(finished, "match.html")`, or `.gif`).

# %%
adjoin.animate(finished)

# %% [markdown]
# ## Play against the computer
#
# Click a marked cell, or use the keyboard. Hint, Undo and the reasons for illegal moves
# are built in. Any game works: `adjoin.play("mapominoes")`. For a browser without a notebook,
# `adjoin page mapello` writes the same as one file.

# %%
adjoin.play("mapello", you=0, opponents="greedy", seed=4)

# %% [markdown]
# ## Ten thousand games
#
# `greedy` looks one move ahead, `random` does not look at all. They change seats from
# game to game. The result is a table with a row a game, for pandas, polars or DuckDB.

# %%
table = adjoin.simulate("mapello", 10_000, ["greedy", "random"], seed=1)
table.to_pandas()[
    ["agent_0", "agent_1", "winner", "score_0", "score_1", "turns"]
].head()

# %% [markdown]
# A summary has shares and means with their 95% intervals. A few of its rows:

# %%
summary = table.summary()
for what in ("win share, greedy", "win share, seat 0", "shared wins", "score, greedy"):
    print(f"{what:<20} {summary[what].interval}")

# %%
seats = table.by_seat()
greedy = seats["agent"] == "greedy"
histogram(
    seats["score"][greedy] - seats["score"][~greedy],
    title="By how much greedy wins",
    x="points ahead of the random player",
    of="games",
)

# %% [markdown]
# Every game of the table can be looked at. This is the worst of greedy's defeats,
# played again from its seed and number.

# %%
lead = table["score_0"] - table["score_1"]
lead[table["agent_1"] == "greedy"] *= -1
table.replay(int(lead.argmin()))

# %% [markdown]
# Is it an advantage to move first? Both players greedy, seats not exchanged:

# %%
shares = {}
for setup in ("random", "othello"):
    games = adjoin.simulate("mapello", 10_000, "greedy", rotate=False, setup=setup)
    shares[f"{setup} set-up, black"] = games.summary()["win share, seat 0"].interval
dots(shares, title="Wins of black, who moves first", unit="%", reference=0.5)

# %% [markdown]
# ## An environment for learning
#
# The same games are Gymnasium environments. What is legal comes as a mask, and
# opponents play inside Rust.

# %%
env = gymnasium.make("adjoin/Mapello-v0", opponents="greedy", seat="rotate")
observation, info = env.reset(seed=3)
done = False
while not done:
    action = env.action_space.sample(mask=info["action_mask"])
    observation, reward, terminated, truncated, info = env.step(action)
    done = terminated or truncated
print("observation:", observation.shape, "| reward at the end:", reward)

# %% [markdown]
# Many at once, stepped together:

# %%
envs = gymnasium.make_vec("adjoin/Mapello-v0", num_envs=256, opponents="random")
observations, infos = envs.reset(seed=3)
masks = infos["action_mask"]
print(observations.shape, "legal actions in the first rows:", masks.sum(axis=1)[:8])

# %% [markdown]
# ## A map
#
# Mapominoes is played on the counties of the UK. Its atlas is useful on its own:
# borders, waters, the shortest way from one county to another.

# %%
uk = adjoin.Atlas.load("uk-counties")
print("Kent and Surrey share a border:", uk["Kent"] in uk.borders("Surrey"))
print("Kent and Cornwall share a border:", uk["Kent"] in uk.borders("Cornwall"))
way = uk.path("Cornwall", "Kent")
print("the way:", " – ".join(county.name for county in way))

# %%
figure, axes = plt.subplots(figsize=(4.6, 6), facecolor="white")
for one, other in uk.edges:
    axes.plot([one.lon, other.lon], [one.lat, other.lat], color="#b9c4ce", linewidth=1)
axes.scatter(
    [county.lon for county in uk], [county.lat for county in uk], s=12, color="#0072b2"
)
x, y = [county.lon for county in way], [county.lat for county in way]
axes.plot(x, y, color="#d55e00", linewidth=2.5, marker="s", markersize=5)
for county in (way[0], way[-1]):
    axes.annotate(
        county.name, (county.lon, county.lat), (-8, -14), textcoords="offset points"
    )
axes.set_aspect(1 / np.cos(np.radians(54)))
axes.set_axis_off()
axes.set_title("Borders of the counties, and a way", loc="left", fontweight="bold")
plt.show()

# %% [markdown]
# And the same names are cards in a match:

# %%
game = adjoin.Match("mapominoes", nations=["England"], table=(14, 8), seed=2)
game.play_random(24)
game

# %% [markdown]
# ## Where to go next
#
# | you want to | go to |
# |:---|:---|
# | play, teach, or look at a game closely | its tour: [Mapello](02_mapello.ipynb) |
# | | [Mapominoes](03_mapominoes.ipynb) |
# | | [Metro Domino](04_metro_domino.ipynb) |
# | | [Domiphun](05_domiphun.ipynb) |
# | | [Connections](06_connections.ipynb) |
# | teach geography, or use a map of your own | [Your own atlas](10_your_own_atlas.ipynb) |
# | analyse games | [Simulation and statistics](08_simulation_and_statistics.ipynb) |
# | design games | [Designing a variant](09_designing_a_variant.ipynb) |
# | train agents | [Batches and masks](07_batches_and_masks.ipynb) |
#
# Questions to try right here: does `greedy` beat `random` as clearly in the other
# games? Is it an advantage to move first there? Which two counties are furthest apart
# (`uk.distance`)?
