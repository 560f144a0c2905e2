# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Mapello
#
# Mapello is Reversi on a board that the players build first. **Walls** block a line,
# **bonuses** score three points, and **jokers** on the border end a line for everybody.
# Without any of these pieces it is exactly Othello.
#
# This tour shows the rules by example, lets you play, and then asks three questions of
# simulated games: is a random set-up fair, what is worth taking, and how far is a quick
# player from perfect play? About ten minutes to read. The full rules, clause by clause:
# [Mapello's rule page](../src/games/mapello/RULES.md).
#
# ## What was found

# %%
import numpy as np
from IPython.display import Markdown

import adjoin
from adjoin.reports import dots, histogram
from adjoin.statistics import (
    Interval,
    bootstrap,
    exactness,
    mean,
    positions,
    share,
    wilson,
)

played = adjoin.simulate("mapello", 4_000, "greedy", seed=3, threads=2)
first = played.summary()["win share, who begins"].interval
corner = played.cells()["cell a1"]["won"]
exact = exactness("greedy", positions("mapello", 200, depth=8, seed=3))
Markdown(
    f"""
- Over all random set-ups, who begins wins {first:%} of the games between two greedy players. Single set-ups can be far from even: question 1.
- Who lays in the corner a1 wins {corner:%} of these games.
- With up to eight decisions to go, a greedy player finds a best one in {exact.best:%} of the positions.
"""
)

# %% [markdown]
# ## Rules by example
#
# A position can be written down: `X` is black, `O` white, `#` a wall, `+` a bonus, `J`
# a joker. The outer ring of the ten by ten cells is the border, which takes jokers
# only. The last line says that black is to move and that nobody has taken a bonus yet.

# %%
four_rows = """..........
..........
.XOO+.....
..........
.XO#O.....
..........
JOO.......
..........
J.........
..........
X 0 0"""
match = adjoin.Match("mapello", position=four_rows)
match


# %% [markdown]
# **How to read the picture.** Bricks are walls, diamonds bonuses, stars jokers. Cells
# where the side to move may play are marked, and the last move gets a frame. Columns
# are a to h, rows 1 to 8 from the top.
#
# Each row of this position shows one rule. Ask about its cells: a refusal names the
# clause.


# %%
def ask(match, *actions):
    for action in actions:
        why = match.why_not(action)
        print(f"{action}: {why.reason} ({why.clause})" if why else f"{action}: yes")


ask(match, "d2", "c4", "e4", "c6", "a8", "pass")

# %% [markdown]
# - **d2** closes the white discs on b2 and c2 in between two black ones: they flip
#   (MAPE-7). There is a bonus on d2, so black takes it too (MAPE-9).
# - **c4** is a wall. **e4** flips nothing: that wall breaks the line from d4 to the
#   black disc.
# - **c6** works although black has no disc in that row: the joker ends the line for
#   whoever moves (MAPE-8).
# - **a8** is next to a joker, but there is no white disc between them.
# - Who has a move may not **pass** (MAPE-10).

# %%
match.play("d2")
print("bonuses:", match.view()["taken"], " score:", match.view()["score"])
match

# %% [markdown]
# Three points for the bonus, one for every disc. The three points stay with black even
# if white flips that disc later. White cannot move now, so passing is the only choice.
# Then black plays c6, and the same joker serves white: it belongs to whoever moves.

# %%
print("white may:", match.legal())
match.play("pass", "c6")
print("white may:", match.legal())
match.play("d6")
print("score:", match.view()["score"])

# %% [markdown]
# ### The set-up
#
# With `setup="free"` the players build the board: one places walls, bonuses and jokers,
# the other picks a colour. The four centre cells stay free, and jokers go on the
# border, written as row and column from 0 to 9. The players may agree on numbers: here
# exactly two walls, and as many bonuses and jokers as somebody likes (`bonuses=[2, 4]`
# would be two to four).

# %%
free = adjoin.Match("mapello", setup="free", walls=2)
ask(free, "wall d4", "joker 0,5", "wall c3", "finish")
free.play("wall c3", "wall f6", "joker 0,5", "bonus a1", "bonus h8", "finish")
ask(free, "wall b2", "black")
free.play("white")
free

# %% [markdown]
# Other set-ups are `"random"` (the default: drawn from the seed), `"fixed"` (you give
# the cells) and `"othello"` (no pieces). `print(adjoin.describe("mapello"))` lists all
# options.
#
# ## Play it
#
# Click a marked cell. The computer answers. An illegal click tells you why; Hint and
# Undo are there too. `opponents="alphabeta(depth=6)"` is a harder opponent than
# `"greedy"`.

# %%
adjoin.play("mapello", you=0, opponents="greedy", seed=4)

# %% [markdown]
# ## Question 1: is a random set-up fair?
#
# Take a number of random set-ups and let two players who choose at random play each of
# them many times. If set-ups did not matter, the shares of black's wins would differ by
# the luck of the games alone.


# %%
def set_up(seed, **options):
    match = adjoin.Match("mapello", seed=seed, **options)
    return "\n".join(match.position().splitlines()[:10])


def black(board, games=1_000, agents="random", seed=0):
    """Return black's part of the win in each game on a board."""
    table = adjoin.simulate(
        "mapello", games, agents, seed=seed, rotate=False, setup="fixed", board=board
    )
    return table["won_0"]


boards = [set_up(seed) for seed in range(60)]
shares = [black(board) for board in boards]
histogram(
    np.round([100 * won.mean() for won in shares]),
    title="How often black wins, by set-up",
    x="wins of black in % (a draw is half a win), random play",
    of="60 set-ups",
)


# %% [markdown]
# How far apart are set-ups really? The spread of the shares has two parts, the set-ups
# and the luck of the games; the second is known and can be taken off.


# %%
def apart(shares, luck):
    return 100 * max(np.var(shares, ddof=1) - np.mean(luck), 0) ** 0.5


crowded = [set_up(seed, walls=8, bonuses=8, jokers=8) for seed in range(60)]
for name, played in {
    "4 of each piece": shares,
    "8 of each piece": [black(board) for board in crowded],
}.items():
    means = [won.mean() for won in played]
    luck = [won.var() / len(won) for won in played]
    spread = bootstrap(apart, means, luck, resamples=1_000)
    print(f"{name}: standard deviation {spread} percentage points")

# %% [markdown]
# Here is the set-up that was furthest from even. The most extreme of sixty owes part of
# it to luck, so we measure it again with games of another seed before we believe it.

# %%
extreme = int(np.argmax([abs(won.mean() - 0.5) for won in shares]))
again = black(boards[extreme], games=20_000, seed=1)
print(f"as selected: black wins {share(shares[extreme]):%}")
print(f"again:       black wins {share(again):%}")
adjoin.Match("mapello", setup="fixed", board=boards[extreme])

# %% [markdown]
# What to do about it at the table? Play a match of two games with colours exchanged
# (`games=2`), or let one player set up and the other choose the colour: that is what
# the free set-up is for.
#
# ## Question 2: what is worth taking?
#
# An agent may be a function: it gets observations and masks, a row for each of many
# matches, and returns an action for each row. So a piece of advice can be tried out:
# *take corners*, *take bonuses*, *keep away from the cells next to a corner*. Apart
# from the advice, these players choose at random.

# %%
layout = adjoin.Match("mapello").spec.observation
corners = np.zeros((8, 8))
corners[::7, ::7] = 1
beside = np.zeros((8, 8))
beside[:2, :2] = beside[:2, -2:] = beside[-2:, :2] = beside[-2:, -2:] = 1
beside -= corners


def advised(seed, wish):
    chance = np.random.default_rng(seed)

    def agent(observations, masks):
        liking = chance.random(masks.shape)
        liking[:, :64] += wish(layout.split(observations)).reshape(-1, 64)
        return np.where(masks == 1, liking, -9).argmax(axis=1)

    return agent


players = {
    "random": "random",
    "take corners": advised(1, lambda parts: corners),
    "take bonuses": advised(2, lambda parts: parts["bonuses"].astype(float)),
    "not beside corners": advised(3, lambda parts: -beside),
    "all three": advised(4, lambda parts: 2 * corners + parts["bonuses"] - beside),
    "greedy": "greedy",
}
duel = adjoin.tournament("mapello", players, num_games=400, anchor="random")
duel.plot()

# %% [markdown]
# Zero is the random player; 400 points more are odds of ten to one. Which piece of
# advice helps most, and do they add up? The cross-table has every pair, from both
# colours on the same deals.

# %%
duel.cross_plot()

# %% [markdown]
# The same question from the other side: look at games that were played, not at players
# who follow advice. In games between two greedy players, by how many points is the
# player ahead in the end who got more corners, or more bonuses, than the other? A
# least-squares fit of the final lead on both differences gives a price for each. This
# is what *goes along with* a corner, not what it causes.

# %%
games = 4_000
table = adjoin.simulate("mapello", games, "greedy", record="decisions", seed=2)
ends = adjoin.simulate("mapello", games, "greedy", seed=2)
corner = np.isin(table["words"], ["a1", "a8", "h1", "h8"])
side = 1 - 2 * table["seat"].astype(int)
corner_lead = np.bincount(table["episode"], corner * side, games)
bonus_lead = (ends["bonuses_0"].astype(int) - ends["bonuses_1"]).astype(float)
lead = ends["score_0"] - ends["score_1"]

# %% [markdown]
# The intervals come from the games resampled with replacement: each game is one
# observation.

# %%
features = np.column_stack([corner_lead, bonus_lead, np.ones(games)])
chance = np.random.default_rng(0)
fits = [
    np.linalg.lstsq(features[rows], lead[rows], rcond=None)[0]
    for rows in (chance.integers(games, size=games) for _ in range(300))
]
values = np.linalg.lstsq(features, lead, rcond=None)[0]
low, high = np.quantile(fits, [0.025, 0.975], axis=0)
names = ["a corner more", "a bonus more", "black moves first"]
dots(
    {
        name: Interval(*numbers)
        for name, *numbers in zip(names, values, low, high, strict=True)
    },
    title="Points of the final lead",
    x="points, greedy against greedy",
    note="A bonus is 3 points by the rules; the rest goes along with it.",
    reference=0,
)

# %% [markdown]
# ## Question 3: how far from perfect?
#
# Near the end a game can be solved: `match.solve()` returns the score of perfect play
# and a best line. The games of question 2 are a supply of endgames: every row of a
# table can be played again, up to that very decision.

# %%
rows = np.flatnonzero(table["ply"] == 48)
endgame = table.replay(rows[0])
solution = endgame.solve()
print(f"seat {endgame.to_act} to move; perfect play: {solution.score:+} points")
print(
    "best line:", " ".join(solution.line), f" ({solution.nodes:,} positions looked at)"
)
endgame


# %% [markdown]
# Now take many endgames of this kind. What does the choice of an agent cost, in points,
# if both sides play perfectly afterwards?


# %%
def loss(match, agent, best):
    after = match.copy()
    after.play(match.choose(agent))
    if after.is_over:
        score, colours = after.view()["score"], after.view()["colours"]
        lead = score["black"] - score["white"]
        return best - (lead if colours["black"] == match.to_act else -lead)
    sign = 1 if after.to_act == match.to_act else -1
    return best - sign * after.solve().score


agents = ["random", "greedy", "search(iterations=100)", "alphabeta(depth=3, endgame=0)"]
losses = {agent: [] for agent in agents}
for row in rows[:150]:
    match = table.replay(row)
    if len(match.legal()) < 2:
        continue
    best = match.solve().score
    for agent in agents:
        losses[agent].append(loss(match, agent, best))

for agent, lost in losses.items():
    print(f"{agent:<30} best choice in {wilson(lost.count(0), len(lost)):%}")
dots(
    {agent: mean(lost) for agent, lost in losses.items()},
    title="What one choice costs near the end",
    x="points lost against perfect play",
    note=f"{len(losses['greedy'])} endgames, about ten free cells.",
    reference=0,
)

# %% [markdown]
# ## Try it yourself
#
# - Repeat question 1 with `agents="greedy"`. Are the same set-ups lopsided?
# - Does `symmetry="rotate"` or `"diagonal"` make set-ups fairer? `set_up(seed,
#   symmetry="rotate")`.
# - Which walls matter most: near the centre, near the edge? Build boards with
#   `setup="fixed"`.
# - Write an agent of your own that beats `"greedy"`. Start from `advised`.
#
# Next: [Mapominoes](03_mapominoes.ipynb), or back to the [first
# steps](01_first_steps.ipynb).
