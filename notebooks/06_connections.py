# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Connections
#
# A rummy of world cities. Three cities of one region are a set, a linking city joins it
# to the next region, and whoever builds there may become your partner: then both count
# everything, and halve it.
#
# This tour shows the rules by example, lets you play, and then asks three questions of
# simulated matches: where do the points come from, what do winners do more of, and how
# much do players know of each other's hands? About ten minutes to read. The full rules,
# clause by clause: [the rule page of Connections](../src/games/connections/RULES.md).
#
# ## What was found

# %%
import numpy as np
from IPython.display import Markdown

import adjoin
from adjoin.reports import Band, dots, lines
from adjoin.statistics import bootstrap, mean

tried = adjoin.sweep(
    "connections", 200, partnerships=[True, False], trading=[True, False], threads=2
)
names = ["all rules", "no trades", "no partners", "neither"]
points_of = dict(zip(names, (row.interval for row in tried["score"]), strict=True))
Markdown(
    "Points in a match of a greedy player among three:\n"
    + "".join(f"\n- {name}: {points}" for name, points in points_of.items())
)

# %% [markdown]
# ## Cards and cities
#
# A region card shows a city on each side, and either may be played. The one named first
# is its front, by which it counts while it is in a hand. A linking city is the same on
# both sides and belongs to two or three regions.

# %%
deck = adjoin.Deck.load()
print(deck)
print("cards that show Paris:", ", ".join(str(card) for card in deck.cards_of("Paris")))
print("Istanbul links", ", ".join(deck.city("Istanbul").regions))

# %% [markdown]
# ## Rules by example
#
# A position is a small JSON text: who holds which cards, and what lies on the table.
# Seat 0 has three cities of Western Europe, a link, and a stray card. (`trading=False`
# leaves the trades out for now.)

# %%
match = adjoin.Match(
    "connections",
    trading=False,
    seed=2,
    position="""{
        "hands": [
            ["London/Baghdad", "Paris/Bangkok", "Berlin/Addis Ababa", "Vienna",
             "Warsaw/Auckland"],
            ["Chicago"],
            ["Dakar"]
        ],
        "discard": ["Lahore"]
    }""",
)
match


# %% [markdown]
# **How to read the picture.** The map has a dot for every city. Tokens on it have a
# shape and a colour for each seat; lines join the cities of a set and what a link
# connects. Below are the hand of whoever has to act, and what everybody may know.
#
# A city is named first, the other side of its card after a stroke. A turn is an
# exchange of a card, or one play.


# %%
def ask(match, *actions):
    for action in actions:
        why = match.why_not(action)
        print(f"{action}: {why.reason} ({why.clause})" if why else f"{action}: yes")


ask(match, "set London/Baghdad", "set Warsaw/Auckland", "play Vienna", "announce")

# %% [markdown]
# Three cities make a set (CONN-6), named one after the other. Then a card is drawn.

# %%
match.play("set London/Baghdad", "set Paris/Bangkok")
ask(match, "set Warsaw/Auckland", "set Berlin/Addis Ababa")
match.play("set Berlin/Addis Ababa", "draw")

# %% [markdown]
# The others exchange a card: draw one, discard one (CONN-5). In the next turn seat 0
# adds the link Vienna, which opens Eastern Europe; a single city of that region may
# follow on a later turn (CONN-7, CONN-8).

# %%
match.play("draw", "discard Chicago", "draw", "discard Dakar")
ask(match, "play Vienna", "play Warsaw/Auckland")
match.play("play Vienna", "draw")
for part in match.view(0)["scores"][0]["parts"]:
    print(part["text"])

# %% [markdown]
# What is a group worth? It grows slowly at first, then it doubles with every card
# (CONN-18). Two cards are worse than none.

# %%
worth = [0, -20, 4, 8, 15, 30, 60, 125, 250, 500, 1000]
print("cards ", *(f"{cards:>5}" for cards in range(1, 12)))
print("points", *(f"{points:>5}" for points in worth))

# %% [markdown]
# ### Partners
#
# Nobody has enough cards of one region for the large groups. Partners do: a player may
# invite another to a link (CONN-10). Here seat 0 builds in Western Asia and has played
# Istanbul; seat 2 builds in Eastern Europe.

# %%
partners = adjoin.Match(
    "connections",
    trading=False,
    position="""{
        "hands": [["Nairobi/Warsaw", "Tashkent/Dhaka"], ["Chicago", "Taipei"], ["Dakar"]],
        "laid": [
            ["Baghdad/London", "Tehran/Havana", "Dubai/Budapest", "Istanbul"],
            ["Bangkok/Paris", "Delhi/Perth", "Hanoi/Phoenix", "Lahore"],
            ["Moscow/Mumbai", "Kyiv/Tunis", "Saint Petersburg/Stockholm"]
        ],
        "sets": [["Western Asia"], ["South East Asia"], ["Eastern Europe"]],
        "links": [{"city": "Istanbul"}, {"city": "Lahore"}]
    }""",
)


def points(match):
    return [score["points"] for score in match.view("all")["scores"]]


print("alone:            ", points(partners))
partners.play("invite Istanbul +2", "join")
print("seats 0 and 2 join:", points(partners))
partners

# %% [markdown]
# Seven cards count for both, and each gets half (CONN-19). What would each single that
# seat 0 can play now bring, and to whom?

# %%
for action in partners.legal():
    if action.startswith("play"):
        branch = partners.copy()
        branch.play(action)
        print(f"{action}: {points(branch)}")

# %% [markdown]
# ### Trades
#
# When a turn starts, every other player may offer a card to somebody who is not in
# turn. The card is named openly, and so is the answer (CONN-14).

# %%
trade = adjoin.Match("connections", players=4, seed=3)
offers = [action for action in trade.legal() if action.startswith("offer")]
print("seat", trade.to_act, "may offer:", ", ".join(offers[:3]), "…")
trade.play(offers[0])
print("seat", trade.to_act, "may answer:", ", ".join(trade.legal()[:3]), "…")

# %% [markdown]
# ## Play it
#
# Click a card of your hand, or a city on the map. Before your turn the others may offer
# you a trade.

# %%
adjoin.play("connections", seed=3)

# %% [markdown]
# ## Question 1: where do the points come from?
#
# The same number of matches between three greedy players: with everything, without
# partners, without trades, and without both.

# %%
dots(
    points_of,
    title="Points of a player in a match",
    x="mean of the three seats",
    note="200 matches each, three rounds a match.",
    reference=0,
)

# %% [markdown]
# Compare with what the players do, on average. Which rules change how much is played,
# and which change only what it is worth?

# %%
tried["sets", "links", "singles", "partnerships", "trades"]

# %% [markdown]
# ## Question 2: what do winners do more of?
#
# For each match, the winner's figure less the mean of the others'. Zero means that
# winners and losers do it equally often.

# %%
table = tried.table(partnerships=True, trading=True)
alone = table["winner"] >= 0
winner = table["winner"][alone]
words = {
    "sets": "sets played",
    "links": "links played",
    "singles": "singles played",
    "trades": "trades",
    "invitations": "invitations made",
    "partnerships": "partnerships",
    "announcements": "rounds announced",
}


def more(figure):
    each = table.each_seat(figure)[alone].astype(float)
    own = each[np.arange(len(each)), winner]
    return mean(own - (each.sum(axis=1) - own) / (table.seats - 1))


dots(
    {words[figure]: more(figure) for figure in words},
    title="What the winner has more of than the others",
    x="per match, three greedy players",
    reference=0,
)

# %% [markdown]
# The same as a price: how many points go along with one more of each, compared within a
# match? Intervals by resampling matches. This is what goes along with points, not what
# causes them: who is ahead also announces the end.


# %%
def slope(figure, score):
    x = figure - figure.mean(axis=1, keepdims=True)
    y = score - score.mean(axis=1, keepdims=True)
    return float((x * y).sum() / (x * x).sum())


score = table.each_seat("score").astype(float)
dots(
    {
        words[figure]: bootstrap(
            slope, table.each_seat(figure).astype(float), score, resamples=400
        )
        for figure in words
    },
    title="Points that go along with one more",
    x="points in a match",
    reference=0,
)

# %% [markdown]
# ## Question 3: who knows what?
#
# Cards that were named in a trade or taken from the discard pile are known to all. Play
# recorded matches again and ask, turn by turn in the first round, what share of the
# others' cards seat 0 knows.


# %%
def known(episodes, seed=7, **options):
    """Return the share of the others' cards that seat 0 knows, by turns so far."""
    table = adjoin.simulate(
        "connections", episodes, "greedy", record="decisions", seed=seed, **options
    )
    shares = {}
    for episode in range(episodes):
        match = adjoin.Match("connections", seed=seed, episode=episode, **options)
        mine = table["episode"] == episode
        for action, words in zip(
            table["action"][mine], table["words"][mine], strict=True
        ):
            match.play(int(action))
            if not words.startswith(("draw", "take", "discard", "pass")):
                continue
            view = match.view(0)
            if view["round"] > 1:
                break
            turns = sum(hand["turns"] for hand in view["hands"])
            cards = sum(hand["cards"] for hand in view["hands"][1:])
            seen = sum(len(hand["held"]) for hand in view["hands"][1:])
            if cards:
                shares.setdefault(turns, {})[episode] = 100 * seen / cards
    often = [turns for turns in sorted(shares) if len(shares[turns]) >= 10]
    return {turns: list(shares[turns].values()) for turns in often}


series = {}
for name, trading in (("all rules", True), ("no trades", False)):
    shares = known(16, trading=trading)
    values, low, high = np.clip([mean(part) for part in shares.values()], 0, 100).T
    series[name] = Band(list(shares), values, low, high)
lines(
    series,
    title="What seat 0 knows of the other hands",
    x="turns of all players so far, first round",
    y="share of the others' cards in %, with its 95% interval",
)

# %% [markdown]
# Trades are open, so what they bring is paid for with knowledge: the gap between the
# lines is the price. The built-in search agent uses what is known, and guesses the
# rest.
#
# ## Try it yourself
#
# - With more players there are more partners to choose from. Compare `players=3` with
#   5.
# - Two cards in hand whose fronts are of one region cost 20 points at the end of a round.
#   What do `pairs="least"` and `pairs="most"` change?
# - The deck is data: `adjoin.Deck.build(regions, links)`. It need not be about cities.
#   Families of instruments and the ensembles that join them make a good game too.
# - Does the announcer win the round more often? `announcements_0` and `won_0` know.
#
# Next: [batches and masks](07_batches_and_masks.ipynb) if you train agents, [simulation
# and statistics](08_simulation_and_statistics.ipynb) if you analyse games.
