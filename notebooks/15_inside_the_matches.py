# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Inside the matches
#
# A win share tells who wins. This notebook asks what happens on the way: which cards stay in a hand, which places are worth taking, what an action is worth here and now, how much of it all is luck, and when a match is decided. All of it comes from tables of matches; how intervals work is in [Simulation and statistics](08_simulation_and_statistics.ipynb). It takes fifteen minutes.
#
# ## What was found

# %%
import numpy as np
import pandas as pd
from IPython.display import Markdown

import adjoin
from adjoin.reports import Band, lines
from adjoin.statistics import Course, ratio, skill_and_luck


def twice(game, num_games, agents, **options):
    """Return the same games from two seeds: one to choose from, one to measure."""
    return [
        adjoin.simulate(game, num_games, agents, seed=seed, threads=2, **options)
        for seed in (1, 2)
    ]


def ends(breakdown, figure):
    """Return what has most and least of a figure, but transit cards: any of them may do."""
    first, *_, last = [
        name for name in breakdown.sorted(figure) if name != "transit card"
    ]
    return first, last


rounds, again = twice("mapominoes", 600, ["greedy", "random"], rounds=1)
stuck = {who: ends(rounds.cards(agent=who), "left")[0] for who in ("random", "greedy")}
left = {who: again.cards(agent=who) for who in stuck}

tiles = [table.cards() for table in twice("metro_domino", 4_000, "greedy")]
best, worst = ends(tiles[0], "won")

reversi = twice("mapello", 4_000, "greedy", setup="othello")
places = [table.cells() for table in reversi]
good, bad = ends(places[0], "won")

games = {
    "mapello": {},
    "mapominoes": {"rounds": 1},
    "metro_domino": {},
    "domiphun": {},
    "connections": {},
}
luck = {
    game: skill_and_luck(game, num_games=1_200, seed=1, threads=2, **options)
    for game, options in games.items()
}
courses = {
    game: Course.of(
        adjoin.simulate(
            game, 400, "greedy", record="decisions", seed=1, threads=2, **options
        )
    )
    for game, options in games.items()
}
least, *_, most = sorted(games, key=lambda game: luck[game].share("agents"))

Markdown(
    f"""
- **Mapominoes.** Random players are left with {stuck["random"]} in {left["random"][stuck["random"]]["left"]:%} of the rounds in which they hold it, greedy players in {left["greedy"][stuck["random"]]["left"]:%}. What these are left with most often is {stuck["greedy"]}, in {left["greedy"][stuck["greedy"]]["left"]:%}.
- **Metro Domino.** Who has held the tile {best} wins {tiles[1][best]["won"]:%}; with {worst} it is {tiles[1][worst]["won"]:%}.
- **Othello.** Greedy players who lay on {good.removeprefix("cell ")} win {places[1][good]["won"]:%}, on {bad.removeprefix("cell ")} {places[1][bad]["won"]:%}.
- **Skill.** Of how differently a greedy and a random player fare, who plays explains {luck[most].share("agents"):%} in {most} and {luck[least].share("agents"):%} in {least}.
- **Who leads at half-time** wins {"; ".join(f"{course['leader at half wins'].interval:%} in {game}" for game, course in courses.items())}. Among three, as in connections, a third would be fair.
"""
)

# %% [markdown]
# The card, tile or place with the highest share of many owes part of it to luck. So these were chosen in the games of one seed, and measured in those of another.
#
# ## Cards
#
# `cards()` tells what became of every card: how often somebody held it, whether it was laid, left over or given away, how long it waited, and what share of the win its holders had. `agent=` looks at one player's cards. The matches of a table are played again for it; nothing has to be recorded beforehand.

# %%
left["random"].sorted("left").head(8)

# %%
left["random"].plot("left", 12)

# %% [markdown]
# What does planning help? The same cards in the hands of both players, and the difference:

# %%
hands = pd.DataFrame({who: cards.to_pandas()["left"] for who, cards in left.items()})
hands.assign(less=hands["random"] - hands["greedy"]).nlargest(8, "less").round(2)

# %% [markdown]
# A share of the win that goes along with a card is not what the card causes. Look for the reason in the other figures, and at what luck does to the highest of many:

# %%
top = tiles[0].sorted("won").head(5)
pd.DataFrame(
    {
        "tile": tile,
        "won, as chosen": f"{top[tile]['won']:%}",
        "won, measured": f"{tiles[1][tile]['won']:%}",
        "waits, decisions": str(tiles[1][tile]["waited"]),
    }
    for tile in top
).set_index("tile")

# %% [markdown]
# ## Places
#
# `cells()` does the same for places, and a heat map draws it on the board. Colour starts where an interval leaves out the fair share, so what is white is not told apart.

# %%
places[1].heat_map("won")

# %%
places[1].heat_map("when")

# %% [markdown]
# When a place is taken is part of why. The corners come late, and who gets there has often won already.
#
# ## Openings
#
# The first decisions as a tree. `easy` plays like greedy and now and then anything, so that the tree has branches to compare.

# %%
easy = adjoin.simulate(
    "mapello", 6_000, "easy(miss=0.3)", setup="othello", seed=1, threads=2
)
openings = easy.openings(depth=2)
openings

# %%
openings["f5"].plot()

# %% [markdown]
# ## What is an action worth?
#
# Here and now: the match is played on after every legal action, by an agent of your choice. What the player has not seen, here the tiles of the other and the store, is guessed anew each time, the same guesses after every action. So `behind`, how much worse an action is than the best one, is known better than the two shares.

# %%
match = adjoin.Match("metro_domino", seed=3)
while len(match.history) < 14 or len(match.legal()) < 4:
    match.play(match.choose("greedy", len(match.history)))
worth = match.evaluate("greedy", 600, seed=1, threads=2)
worth

# %%
worth.board()

# %% [markdown]
# The answer is about those who play on. Do players without a plan see it in the same way?

# %%
plain = match.evaluate("random", 600, seed=1, threads=2)
pd.DataFrame(
    {
        "greedy plays on": {row.action: f"{row.won:%}" for row in worth},
        "random plays on": {row.action: f"{row.won:%}" for row in plain},
    }
)

# %% [markdown]
# `simulate(start=match)` plays many matches on from there, with all that a table can tell. With `viewer` the hidden tiles are guessed as that seat has to; without it everything stays as it lies. The difference is what the player cannot know yet: how kindly the tiles lie.

# %%
me = match.to_act
for title, viewer in (("by what it can know", me), ("as the tiles lie", None)):
    after = adjoin.simulate(
        "metro_domino", 3_000, "greedy", start=match, viewer=viewer, seed=1, threads=2
    )
    won = after.summary()[f"win share, seat {me}"].interval
    print(f"seat {me} wins {won:%} {title}")

# %% [markdown]
# ## States
#
# With `record="states"` a row is a decision with what the table was like. How much of a hand can be laid, as the table of Mapominoes fills?

# %%
states = rounds.recorded("states")
mine = states["seat"]
rows = np.arange(len(states))
fit, hand = (states.each_seat(name)[rows, mine] for name in ("fit", "counties"))
step = states["table"] // 10
series = {}
for who in ("greedy", "random"):
    at, found = [], []
    for number in range(int(step.max()) + 1):
        here = (step == number) & (states["agent"] == who)
        if len(matches := np.unique(states["episode"][here])) >= 30:
            group = np.searchsorted(matches, states["episode"][here])
            found.append(
                ratio(*(np.bincount(group, each[here]) for each in (fit, hand)))
            )
            at.append(10 * number + 5)
    values, low, high = 100 * np.transpose(found)
    series[who] = Band(at, values, low, high)
lines(
    series,
    title="Mapominoes: what of the hand fits",
    x="cards on the table",
    y="county cards that fit some cell, % of the hand",
    note="Rounds that are over drop out, so the right end is about long ones.",
)

# %% [markdown]
# ## Skill and luck
#
# One greedy player sits among random ones and plays every deal from every seat, as in duplicate bridge. Then the differences in results fall into parts that add up: the seat, who plays, what the deal gives to a seat whoever sits there, and the rest, which is chance in the course of play.

# %%
pd.DataFrame(
    {
        "game": game,
        **{part: f"{found.share(part):%}" for part in ("agents", "deal", "rest")},
    }
    for game, found in luck.items()
).set_index("game")

# %% [markdown]
# It is about these players. Between two of equal skill all is luck, in any game:

# %%
skill_and_luck(
    "metro_domino", "greedy", "easy(miss=0.1)", 2_000, seed=1, threads=2
).plot()

# %% [markdown]
# ## The course of a match
#
# How often the leader changes, when the winner leads for good, how far the later winner was behind at the worst: `Course` reads it from a table of decisions.

# %%
pd.DataFrame(
    {
        game: {
            name: str(course[name].interval)
            for name in ("lead changes", "settled", "ever behind", "drama, most")
        }
        for game, course in courses.items()
    }
)

# %%
lines(
    {
        game: Band(*course.leader_wins)
        for game, course in courses.items()
        if course.seats == 2
    },
    title="How often who leads wins, of two",
    x="part of the decisions taken",
    y="share of the win of who leads, with its 95% interval",
)

# %% [markdown]
# A line that stays low for long and then rises is a game in which points on the way tell little. In one that rises early, a player who is behind may ask why to go on.
#
# ## Try it yourself
#
# - `rounds.cards(seat=0)`: does who begins have other troubles?
# - Which city of Connections goes along with winning? `cells().heat_map("won")` draws it on the map. Measure the best one again.
# - Evaluate the first move of a match of Domiphun with `viewer="all"` and without. How much does it help to see the hands?
# - Make Mapello more dramatic: `adjoin.sweep` over `bonuses`, and `Course.of(sweep.table(bonuses=8).recorded("decisions"))`.
