# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Your own atlas
#
# For teachers and designers. A map, for adjoin, is a table: a row a region, with a list of what it borders. We write one for an invented island, let adjoin find the mistakes in it, then take a real continent, ask it questions, and play Mapominoes on both. It takes a quarter of an hour.

# %%
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

import matplotlib.pyplot as plt
import networkx as nx
import pandas as pd

import adjoin
from adjoin.reports import charts
from adjoin.statistics import mean, wilson

place = tempfile.TemporaryDirectory()
folder = Path(place.name)

# %% [markdown]
# ## A table
#
# A spreadsheet saved as CSV will do. `name` and `borders` are all it takes. `waters` are the seas that a region touches, `nation` groups regions, `lon` and `lat` are where it is on the globe, for `Atlas.picture`, `col` and `row` its place in a tile map.

# %%
table = """\
name,nation,col,row,borders,waters
Northwold,Highland,1,0,Eastmarch;Westerley;Midden,Cold Sea
Eastmarch,Highland,2,1,Northwold;Midden;Southam,Cold Sea
Westerley,Lowland,0,1,Northwold;Midden;Southam,Warm Sea
Midden,Lowland,1,1,Northwold;Eastmarch;Westerley,
Southam,Lowland,1,2,Eastmarch;Westerley;Midden;Far,Warm Sea
Farr,Lowland,1,3,Southam,Warm Sea
Skerry,Highland,3,0,,Cold Sea
"""
(folder / "wolds.csv").write_text(table)

try:
    adjoin.Atlas.from_csv(folder / "wolds.csv")
except adjoin.AtlasError as error:
    print(error)

# %% [markdown]
# A border has two sides, so a table can contradict itself. All problems are said at once, by the row that a spreadsheet shows. The same check works without Python: `adjoin atlas check wolds.csv`.


# %%
def check(file):
    """Run the command in our folder."""
    command = [sys.executable, "-m", "adjoin", "atlas", "check", file]
    print(subprocess.run(command, cwd=folder, capture_output=True, text=True).stdout)


corrected = table.replace("Midden;Far,", "Midden;Farr,")
corrected = corrected.replace(
    "Northwold;Eastmarch;Westerley,", "Northwold;Eastmarch;Westerley;Southam,"
)
(folder / "wolds.csv").write_text(corrected)
check("wolds.csv")

# %%
island = adjoin.Atlas.from_csv(folder / "wolds.csv")
island

# %% [markdown]
# Not every mistake is a contradiction. If a border is missing on both sides, only somebody who knows the place can tell: look at the picture.

# %%
INK, LAND, MARK, SOFT = "#2b2a27", "#0072b2", "#d55e00", "#b9b3a5"


def draw(atlas, places, marked=(), bridges=(), size=(5, 4)):
    """Draw regions as dots and borders as lines; some of them marked."""
    figure, axis = plt.subplots(figsize=size, facecolor="white")
    marked = {region.id for region in marked}
    bridges = {frozenset(pair) for pair in bridges}
    for a, b in atlas.edges:
        special = frozenset((a.id, b.id)) in bridges
        (x0, y0), (x1, y1) = places[a.id], places[b.id]
        axis.plot(
            [x0, x1],
            [y0, y1],
            color=MARK if special else SOFT,
            lw=2.5 if special else 1,
            zorder=1,
        )
    for region in atlas:
        x, y = places[region.id]
        axis.scatter(
            x,
            y,
            s=50 if len(atlas) < 20 else 25,
            color=MARK if region.id in marked else LAND,
            zorder=2,
        )
        axis.annotate(
            region.name if len(atlas) < 20 else region.abbreviation,
            (x, y),
            xytext=(4, 4),
            textcoords="offset points",
            fontsize=8 if len(atlas) < 20 else 7,
            color=INK,
        )
    axis.set_aspect("equal")
    axis.margins(0.1)
    axis.set_axis_off()
    figure.tight_layout()
    plt.show()


draw(island, {key: (column, -row) for key, (column, row) in island.tiles.items()})

# %% [markdown]
# ## Borders and ways
#
# Names are read as people write them, and a wrong one gets a suggestion.

# %%
print("Midden borders", ", ".join(region.name for region in island.borders("midden")))
print(
    "From Northwold to Farr:",
    " – ".join(region.name for region in island.path("Northwold", "Farr")),
)
print(
    "On the Cold Sea:", ", ".join(region.name for region in island.touching("cold sea"))
)
for ask in (lambda: island["Eastmarsh"], lambda: island.path("Farr", "Skerry")):
    try:
        ask()
    except (LookupError, ValueError) as error:
        print(error)

# %% [markdown]
# ## A map in Python
#
# `build` takes each border once, as a pair.

# %%
triangle = adjoin.Atlas.build(
    ["Here", "There", "Elsewhere"],
    [("Here", "There"), ("There", "Elsewhere")],
    waters={"The Pond": ["Here", "Elsewhere"]},
    name="three places",
)
triangle

# %% [markdown]
# ## Play on it
#
# Small maps want small tables. A card may lie next to cards that it borders; a transit card stands for a region or a water.

# %%
match = adjoin.Match("mapominoes", atlas=island, table=(6, 4), transit_each=2, seed=1)
match.play_random(8)
match

# %% [markdown]
# `adjoin.play("mapominoes", atlas=island, table=(6, 4))` opens the same as a board to click on, against the computer. Is the game any good? Ask a thousand rounds.

# %%
rounds = adjoin.simulate(
    "mapominoes",
    1_000,
    ["greedy", "random"],
    seed=2,
    atlas=island,
    table=(6, 4),
    rounds=1,
)
summary = rounds.summary()
print(f"turns: {summary['turns'].interval}")
print(f"greedy wins: {summary['win share, greedy'].interval:%}")
print(f"blocked, greedy against random: {summary['ended: blocked'].interval:%}")

# %% [markdown]
# ## A real continent
#
# Three maps come with adjoin: the counties of the UK, the states of the US and the countries of the world. The world is cut into editions.

# %%
world = adjoin.Atlas.load("world-countries")
africa = world.edition("Africa")
print(africa)
print("parts:", [len(part) for part in africa.parts()])
most = max(africa, key=lambda country: len(country.borders))
print(f"most borders: {most} with {len(most.borders)}")
way = africa.path("Morocco", "South Africa")
print(f"{len(africa.paths('Morocco', 'South Africa'))} shortest ways, one of them:")
print(" – ".join(country.name for country in way))

# %% [markdown]
# A **bridge** is a border without which a part falls in two; a **cut region** is a region without which one does. `to_networkx` hands the map to every algorithm for graphs.

# %%
graph = africa.to_networkx()
bridges = list(nx.bridges(graph))
cuts = [africa[key] for key in nx.articulation_points(graph)]
print("bridges:", "; ".join(f"{africa[a]} – {africa[b]}" for a, b in bridges))
print("cut regions:", ", ".join(country.name for country in cuts))

# %%
draw(africa, africa.centroids, marked=cuts, bridges=bridges, size=(6.5, 6.5))

# %% [markdown]
# A teacher's quiz, with answers, from the same table:

# %%
for one, other in (("Chad", "Sudan"), ("Zambia", "Botswana"), ("Mali", "Nigeria")):
    both = set(africa.borders(one)) & set(africa.borders(other))
    print(
        f"Which countries border both {one} and {other}?",
        ", ".join(sorted(map(str, both))),
    )

# %% [markdown]
# ## Which cards get stuck?
#
# In Mapominoes whoever plays their last card wins. Which countries are left in hands? `replay` plays any row of a table again, to its end, and the last view shows the hands.


# %%
def rounds_on(atlas, agent, games=150):
    """Play rounds; return their table and how often each region was left in a hand."""
    table = adjoin.simulate("mapominoes", games, agent, seed=3, atlas=atlas, rounds=1)
    left = Counter()
    for row in range(games):
        for hand in table.replay(row).view("all")["hands"]:
            left.update(hand["cards"])
    return table, left


stuck = {agent: rounds_on(africa, agent) for agent in ("greedy", "random")}
table, left = stuck["random"]
charts.dots(
    {
        africa[key].name: wilson(times, len(table))
        for key, times in left.most_common(12)
    },
    title="Left in a hand at the end: the most stubborn countries",
    note="Two random players, the map of Africa.",
    unit="%",
)

# %% [markdown]
# Is it the number of borders? The mean share left, for countries with so many borders:

# %%
rows = {}
for agent, (table, left) in stuck.items():
    shares = pd.DataFrame(
        {"borders": len(country.borders), "left": left[country.id] / len(table)}
        for country in africa
    )
    rows[agent] = shares.groupby("borders")["left"].agg(["mean", "size"])
charts.lines(
    {
        agent: charts.Band(frame.index, 100 * frame["mean"])
        for agent, frame in rows.items()
    },
    title="Left in hands, by the number of borders",
    x="borders of a country",
    y="left at the end, per cent of rounds",
)

# %% [markdown]
# ## Mend the map
#
# Islands can only be reached by transit cards. A designer may open ferries: here each island gets a border with the nearest country of the mainland. A map made from another is a list of regions, a list of pairs and the waters.

# %%
mainland = [country for country in africa if country.borders]


def nearest(here):
    """Return the country of the mainland whose centre is nearest on the map."""
    return min(
        mainland, key=lambda c: (c.lon - here.lon) ** 2 + (c.lat - here.lat) ** 2
    )


ferries = [(country, nearest(country)) for country in africa if not country.borders]
mended = adjoin.Atlas.build(
    [{"id": c.id, "name": c.name, "abbreviation": c.abbreviation} for c in africa],
    [(a.id, b.id) for a, b in (*africa.edges, *ferries)],
    {water: [c.id for c in africa.touching(water)] for water in africa.waters},
    name="Africa with ferries",
)
for ferry in ferries:
    print(*ferry, sep=" – ")
print(mended)

# %%
pd.DataFrame(
    {
        "map": atlas.name,
        "players": agent,
        "blocked": f"{wilson(int(table['rounds_blocked'].sum()), len(table)):%}",
        "cards left": str(mean(table.each_seat("score").sum(axis=1))),
    }
    for atlas in (africa, mended)
    for agent in ("greedy", "random")
    for table in [
        adjoin.simulate("mapominoes", 500, agent, seed=4, atlas=atlas, rounds=1)
    ]
).set_index(["map", "players"])

# %% [markdown]
# ## Keep it
#
# `to_csv` writes what `from_csv` reads: one file of regions, one of waters. What comes back is equal.

# %%
mended.to_csv(folder / "africa.csv", folder / "africa-waters.csv")
again = adjoin.Atlas.from_csv(folder / "africa.csv", folder / "africa-waters.csv")
print("the same map:", again == mended)
print((folder / "africa.csv").read_text().splitlines()[1])
place.cleanup()

# %% [markdown]
# ## Try it yourself
#
# - Write the table of your town's districts, or of the rooms of your school: a door is a border. Which door is a bridge?
# - `adjoin.Atlas.load("us-states")`: which states would cut others off? Play with `nations=["New England"]`.
# - Which single ferry helps most? Open them one at a time and compare on the same deals.
# - Colour the map with networkx: `nx.greedy_color(graph)`. How many colours does Africa need?
