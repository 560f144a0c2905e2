# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Mapominoes
#
# Mapominoes is dominoes with a map. The cards are the 108 counties of the UK, and a
# card may lie only next to cards that it shares a border with. Whoever plays their last
# county card first wins the round; the others count what they still hold.
#
# This tour shows the rules by example, lets you play, and then asks three questions of
# simulated rounds: which counties are hard to get rid of, how many transit cards does
# the game need, and is it good to go first? About ten minutes to read. The full rules,
# clause by clause: [the rule page of Mapominoes](../src/games/mapominoes/RULES.md).
#
# ## What was found

# %%
import matplotlib.pyplot as plt
import numpy as np
from IPython.display import Markdown

import adjoin
from adjoin.reports import SEATS, dots
from adjoin.statistics import Interval, mean, share, wilson

careless, planned = (
    adjoin.simulate("mapominoes", rounds, agent, rounds=1, seed=1, threads=2)
    for rounds, agent in ((1_500, "random"), (400, "greedy"))
)
left, kept = careless.cards().sorted("left"), planned.cards().sorted("left")
hardest = next(name for name in left if name != "transit card")
first = planned.summary()["win share, who begins"].interval
Markdown(
    f"""
- The county that is hardest to get rid of is {hardest}: random players are left with it in {left[hardest]["left"]:%} of the rounds in which they hold it, greedy players in {kept[hardest]["left"]:%}.
- Who begins wins {first:%} of the rounds between two greedy players.
"""
)

# %% [markdown]
# ## The map is data
#
# An atlas knows regions, borders and waters. Names are read as people write them.

# %%
uk = adjoin.Atlas.load("uk-counties")
print(uk)
print("Kent borders", ", ".join(county.name for county in uk.borders("kent")))
print("Cornwall borders", ", ".join(county.name for county in uk.borders("Cornwall")))
print(
    "From Cornwall to Kent:",
    " – ".join(county.name for county in uk.path("Cornwall", "Kent")),
)

# %% [markdown]
# ## Rules by example
#
# A position is a small JSON text: which cards lie where, and who holds what. Cells have
# a column letter and a row number. Three counties lie on the table; we hold four.

# %%
match = adjoin.Match(
    "mapominoes",
    rounds=1,
    position="""{
        "table": {"P11": "northamptonshire", "P12": "warwickshire", "Q12": "gloucestershire"},
        "hands": [["oxfordshire", "kent", "worcestershire", "bristol"], ["devon"]]
    }""",
)
match


# %% [markdown]
# **How to read the picture.** The cards lie in the middle, each with the counties it
# borders in small print. Below is the hand of whoever has to act; other hands are
# hidden. The tile map has a tile for every county, and shows what is on the table and
# what we hold. Dashed frames are what can be played now.
#
# A go starts with the choice of a card. Kent borders none of these three.


# %%
def ask(match, *actions):
    for action in actions:
        why = match.why_not(action)
        print(f"{action}: {why.reason} ({why.clause})" if why else f"{action}: yes")


ask(match, "Oxfordshire", "Kent", "Devon")

# %% [markdown]
# Then the card needs a cell. It must border **every** county next to it (MAPO-11).
# Which side of a neighbour it lies on does not matter: a table is not a map.

# %%
match.play("Oxfordshire")
ask(match, "Q11", "P10", "P12", "A1")
print("possible:", *match.legal())

# %% [markdown]
# Q11 touches two cards at once. That is a **double connection**, and it gives another
# go (MAPO-16).

# %%
print("before: seat", match.to_act)
match.play("Q11")
print("after:  seat", match.to_act, "may play", ", ".join(match.legal()))

# %% [markdown]
# Worcestershire borders Warwickshire and Gloucestershire, but not Oxfordshire. So it
# may not go on a cell that Oxfordshire touches.

# %%
match.play("Worcestershire")
ask(match, "R11", "P13")

# %% [markdown]
# ### Transit cards
#
# A transit card stands for a region or a sea, and a county card has to follow it in the
# same go. This is how the game crosses water: Merseyside, transit through the Irish
# Sea, Antrim.

# %%
crossing = adjoin.Match(
    "mapominoes",
    rounds=1,
    position="""{
        "table": {"P11": "merseyside"},
        "hands": [["antrim", "kent"], ["anglesey", "pembrokeshire", "down"]],
        "transit": [1, 0]
    }""",
)
ask(crossing, "Antrim", "transit North Sea", "transit Irish Sea")
crossing.play("transit Irish Sea", "Q11", "Antrim", "R11")
crossing

# %% [markdown]
# The transit card stays, and others may use it: Anglesey and Pembrokeshire lie on the
# Irish Sea.

# %%
print("seat", crossing.to_act, "may play", ", ".join(crossing.legal()))

# %% [markdown]
# ## Play it
#
# Click a card of your hand, see where it may go, click the cell. A small game for a
# start: Wales and Northern Ireland. Leave `nations` and `table` away for the whole
# country.

# %%
adjoin.play(
    "mapominoes", nations=["Wales", "Northern Ireland"], table=(14, 10), seed=11
)

# %% [markdown]
# ## Question 1: which counties are hard to get rid of?
#
# `cards()` tells what became of every card in the hands of all players. First, players
# who choose at random.

# %%
left.head(6)

# %% [markdown]
# Fewer borders, fewer places to go. Is that all? Each dot is a county. The land has
# several parts that no border joins; counties outside the largest part have their own
# colour.

# %%
mainland = {county.name for county in max(uk.parts(), key=len)}
chance = np.random.default_rng(0)
figure, axes = plt.subplots(figsize=(7.5, 4), facecolor="white")
for inside, colour, label in (
    (True, SEATS[0], "largest part"),
    (False, SEATS[1], "elsewhere"),
):
    names = [name for name in uk.names if (name in mainland) == inside]
    x = np.array([len(uk.borders(name)) for name in names])
    y = np.array([100 * left[name]["left"].value for name in names])
    marker = "o" if inside else "s"
    jitter = chance.uniform(-0.2, 0.2, len(x))
    axes.scatter(
        x + jitter, y, s=26, color=colour, marker=marker, label=label, alpha=0.85
    )
for name in ("Tyrone", "Cornwall", "City of London", "Fermanagh"):
    at = (len(uk.borders(name)), 100 * left[name]["left"].value)
    axes.annotate(name, at, (9, 5), textcoords="offset points", fontsize=9)
axes.set(
    xlabel="borders of the county",
    ylabel="left at the end (% of those held)",
    ylim=(0, None),
)
axes.set_title("Counties left in hand, random play", loc="left", fontweight="bold")
axes.spines[["top", "right"]].set_visible(False)
axes.legend(frameon=False)
plt.show()

# %% [markdown]
# Borders are not all that counts: the way to a part of the land across the water leads
# through transit cards, however many borders its counties have among themselves. Does a
# player who plans ahead have the same trouble? `greedy` follows the hints of the rule
# sheet: cards with few places first, transit cards as a last resort, double
# connections.

# %%
kept.plot("left", rows=8)

# %% [markdown]
# ## Question 2: how many transit cards does the game need?
#
# The box has twelve. Here are rounds with fewer and with more, between greedy players.
# A round is blocked if nobody can go and everybody still holds a card.

# %%
blocked, remain = {}, {}
for cards in (0, 4, 8, 12, 16):
    table = adjoin.simulate(
        "mapominoes",
        200,
        "greedy",
        rounds=1,
        threads=2,
        transit_cards=cards,
        transit_each=min(cards // 2, 1),
    )
    name = f"{cards} transit cards"
    blocked[name] = wilson(int(table["rounds_blocked"].sum()), len(table))
    remain[name] = mean(table.each_seat("score").sum(axis=1))
dots(blocked, title="Rounds between greedy players that end blocked", unit="%")

# %%
dots(remain, title="County cards left, both players together", x="cards", reference=0)

# %% [markdown]
# Where does another card stop making a difference? That is a fair guess at what the
# designers had in mind.
#
# ## Question 3: is it good to go first?
#
# All seats are greedy; seat 0 goes first. The figure is how many times its fair share
# of the rounds a seat wins; 1 would be fair.

# %%
shares = {}
for players in (2, 5):
    table = adjoin.simulate(
        "mapominoes", 400, "greedy", rounds=1, players=players, threads=2, rotate=False
    )
    for seat in range(players):
        won = share(table[f"won_{seat}"])
        times = Interval(*(players * number for number in won))
        shares[f"{players} players, seat {seat}"] = times
dots(
    shares, title="Wins, against the fair share", x="times the fair share", reference=1
)

# %% [markdown]
# Look at the hands before you blame the turn order: 107 cards are dealt to five
# players, so some begin with a card more than others. The number of cards at the start,
# by seat:

# %%
for players in (2, 5):
    start = adjoin.Match("mapominoes", players=players).view()
    print(players, "players:", *(hand["counties"] for hand in start["hands"]))

# %% [markdown]
# A game has as many rounds as players, and the deal moves on: over a whole game
# everybody has each place once.
#
# ## Try it yourself
#
# - Which starting county makes a round long? A `position` can say what lies on the
#   table.
# - `draw="free"`: a player may take a card at any time. Who gains?
# - `challenges=True`: cards may be laid wrongly, and the others may object. Play it.
# - Play with `atlas="us-states"` or `atlas="world-countries"`, or with a map of your
#   own: [Your own atlas](10_your_own_atlas.ipynb).
#
# Next: [Metro Domino](04_metro_domino.ipynb).
