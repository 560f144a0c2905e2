# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # A lesson: crossing Africa
#
# For teachers. Forty minutes about the countries of one continent, and the ways across it: a starter with seas and landlocked countries, journeys as the main part, bingo, an exit quiz. Afterwards the scores become data for a maths lesson. Change one line below, and it is about Europe, Asia and Australasia, or the Americas.
#
# You need a projector and a printer, no accounts and no network. Each part ends with the command that makes the same without Python.
#
# | minutes | what | with |
# |---|---|---|
# | 0 – 6 | **Starter**: seas, and countries without one | projector |
# | 6 – 12 | **The map**: name what you know | a map with dots |
# | 12 – 26 | **Main**: journeys across as few borders as possible | worksheet, in pairs |
# | 26 – 33 | **Bingo** by neighbours | bingo cards, the caller's list |
# | 33 – 39 | **Exit quiz**, each pupil alone | own devices, or paper |
# | 39 – 40 | Collect | |

# %%
import random
import tempfile
from collections import Counter
from pathlib import Path

import matplotlib.pyplot as plt
import networkx as nx
import pandas as pd

import adjoin
from adjoin import classroom

CONTINENT = "Africa"  # or "Europe", "Asia & Australasia", "Americas"

place = tempfile.TemporaryDirectory()
folder = Path(place.name)
world = adjoin.Atlas.load("world-countries")
part = world.edition(CONTINENT)


def wrote(files):
    """Print the names of files."""
    print("wrote", ", ".join(file.name for file in files))


# %% [markdown]
# ## 0 – 6: starter
#
# Six questions for hands up. The code is the quiz: the same questions in every class that types it.

# %%
starter = classroom.Quiz.make(
    "world-countries",
    editions=CONTINENT,
    kinds=["seas", "shared"],
    level=1,
    questions=6,
    seed="starter",
)
wrote([classroom.save_quiz_page(starter, folder, projector=True, seconds=20)])
starter

# %% [markdown]
# Landlocked countries touch no sea; the Caspian does not count, it is a lake. Let the class guess how many there are before you show them.

# %%
landlocked = [country for country in part if set(country.waters) <= {"caspian_sea"}]
print(len(landlocked), "of", len(part))
print(", ".join(sorted(map(str, landlocked))))

# %% [markdown]
# Without Python: `adjoin classroom quiz --atlas world-countries --edition Africa --kinds seas,shared --level 1 --questions 6 --projector`
#
# ## 6 – 12: the map
#
# The true map, a number in every country. Pupils write names beside the numbers, as many as they can in five minutes. Keep the map: the same one every week, and everybody can beat their own score.

# %%
numbered = classroom.outline_map(world, nations=CONTINENT, style="numbered")
wrote(numbered.save(folder / "map.pdf"))
numbered

# %% [markdown]
# Without Python: `adjoin classroom map --atlas world-countries --edition Africa --style numbered -o map.pdf`
#
# ## 12 – 26: journeys
#
# Go from here to there and cross as few borders as possible. One way on the board first, all together:

# %%
journeys = classroom.Quiz.make(
    "world-countries",
    editions=CONTINENT,
    kinds=["way", "chain"],
    questions=7,
    seed="journeys",
)
example = max(
    (question for question in journeys if question.kind == "way"),
    key=lambda question: len(question.answers[0]),
)
print(example.prompt)
for number, hint in enumerate(example.hints, 1):
    print(f"  hint {number}: {hint}")
print(f"{len(example.answers)} right; one of them:", example.solution())

# %% [markdown]
# Every shortest way is right. A longer way is worth half of the points, a way that does not exist nothing, and the answer says which step is wrong:

# %%
names = [world[key].name for key in example.answers[0]]
start, *between, end = names
for attempt in (between, between[:-1]):
    print("a pupil answers:", " – ".join(attempt))
    print(example.grade(attempt), end="\n\n")

# %%
sheet, key = classroom.worksheet(journeys), classroom.answer_key(journeys)
wrote(sheet.save(folder / "journeys.pdf") + key.save(folder / "journeys-key.pdf"))
sheet

# %% [markdown]
# Without Python: `adjoin classroom worksheet --atlas world-countries --edition Africa --kinds way,chain --questions 7 -o journeys.pdf`
#
# For those who are through early: through which countries do most of the shortest ways lead? Guess first. The same table of borders, as a graph:

# %%
graph = part.to_networkx()
busy = Counter(nx.betweenness_centrality(graph))
for key, share in busy.most_common(5):
    print(f"{part[key].name:26} {share:.0%} of the ways between two others")

# %% [markdown]
# ## 26 – 33: bingo
#
# Do not call the name. Read what the country borders, or which sea it touches; pupils find it on their card. The last page is the caller's list, in the order of the draw.

# %%
cards = classroom.bingo(world, nations=CONTINENT, cards=30, seed=1)
wrote(cards.save(folder / "bingo.pdf"))
print(cards)

# %% [markdown]
# Without Python: `adjoin classroom bingo --atlas world-countries --edition Africa --cards 30 -o bingo.pdf`
#
# With more time, play instead: Mapominoes against an opponent who often misses things. A card may lie only next to countries that it borders. If it does not fit, the board says which border is missing. With `challenges=True` cards may be laid wrongly, and the class is the second pair of eyes. For pupils' own devices there is `adjoin page mapominoes`, for the whole class together `adjoin serve --lan`.

# %%
adjoin.play(
    "mapominoes",
    atlas="world-countries",
    nations=[CONTINENT],
    rounds=1,
    opponents="easy",
    seed=2,
)

# %% [markdown]
# ## 33 – 39: exit quiz
#
# One file that works on any device, without a network. Pupils save their result at the end and hand in that file. The answers are in the page, because it checks them itself: it is for practice, not for an exam.

# %%
leaving = classroom.Quiz.make(
    "world-countries",
    editions=CONTINENT,
    kinds=["borders", "odd", "from_neighbours", "seas"],
    questions=8,
    seed="exit",
)
wrote([classroom.save_quiz_page(leaving, folder)])
leaving

# %% [markdown]
# ## After the lesson
#
# Two invented classes with numbers in place of names. Everybody knows more or less; 7b has practised at home.


# %%
def invented(quiz, knows, chance):
    """Return answers of a pupil who knows a part of everything."""
    answers = []
    for question in quiz:
        if question.form == "many":
            answers.append(
                [name for name in question.answers if chance.random() < knows]
            )
        elif chance.random() < knows:
            answers.append(question.answers[0])
        else:
            answers.append(
                chance.choice(question.choices) if question.choices else None
            )
    return tuple(answers)


chance = random.Random(12)
for group, least, most in (("7a", 0.2, 0.8), ("7b", 0.45, 1)):
    (folder / group).mkdir()
    for number in range(1, 21):
        answers = invented(leaving, chance.uniform(least, most), chance)
        result = classroom.Result(f"{group} {number}", leaving.code, answers)
        result.save(folder / group / f"result-{number}.json")

report = classroom.class_report(folder / "7a")
report

# %% [markdown]
# Without Python: `adjoin classroom report 7a -o report.html`
#
# ## Scores as data
#
# The next maths lesson has data that everybody cares about: averages, spread, comparing two groups. The table has a row for each pupil.

# %%
tables = []
for group in ("7a", "7b"):
    classroom.class_report(folder / group).to_csv(folder / f"{group}.csv")
    tables.append(pd.read_csv(folder / f"{group}.csv").assign(group=group))
scores = pd.concat(tables)
scores.groupby("group")["percent"].agg(["count", "mean", "median", "min", "max"]).round(
    1
)

# %%
figure, axis = plt.subplots(figsize=(6, 2.4), facecolor="white")
for height, (_, rows) in enumerate(scores.groupby("group")):
    axis.plot(rows["percent"], [height] * len(rows), "o", alpha=0.5, color="#0072b2")
    axis.plot([rows["percent"].mean()], [height], "|", ms=24, mew=3, color="#d55e00")
axis.set(yticks=[0, 1], yticklabels=["7a", "7b"], ylim=(-0.5, 1.5), xlim=(0, 102))
axis.set_xlabel("percent; the bar is the mean")
for side in ("top", "right"):
    axis.spines[side].set_visible(False)
figure.tight_layout()
plt.show()

# %% [markdown]
# Which question was hardest? Compare what the two classes find hard.

# %%
pd.DataFrame(
    {
        group: {
            f"{number}. {question.prompt}": f"{share:.0%}"
            for number, (question, share) in enumerate(
                classroom.class_report(folder / group).questions, 1
            )
        }
        for group in ("7a", "7b")
    }
)

# %% [markdown]
# ## To take home
#
# Flashcards for Anki, and as a table for other programs. And the facts themselves, for a spreadsheet: sort them, count them, draw them.

# %%
flashcards = classroom.flashcards("world-countries", editions=CONTINENT)
wrote(
    [
        flashcards.save(folder / "flashcards.apkg"),
        flashcards.save(folder / "flashcards.csv"),
        classroom.facts_csv(
            folder / "facts.csv", "world-countries", editions=CONTINENT
        ),
    ]
)
flashcards

# %% [markdown]
# Without Python: `adjoin classroom anki --atlas world-countries --edition Africa`, `adjoin classroom facts --atlas world-countries --edition Africa`
#
# ## Next time
#
# - Another continent: change `CONTINENT` above.
# - Cities in place of countries: `classroom.Quiz.make("world-cities")` asks about those of the game Connections, and `classroom.city_cards()` prints its cards, to be cut out.
# - The states of the USA: `"us-states"`.
# - Nearer home: [A lesson: counties of the UK](11_classroom_uk_counties.ipynb).

# %%
place.cleanup()
