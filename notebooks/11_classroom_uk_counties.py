# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # A lesson: counties of the UK
#
# For teachers. Forty minutes about the counties of Wales: a starter on the projector, a worksheet, a game, an exit quiz; then a report about the class, and flashcards to take home. Change one line below, and the printed sheets and the quizzes are about Scotland or England; the match in the middle stays in Wales.
#
# You need a projector and a printer. Pupils' own devices are welcome and not needed. Nobody logs in anywhere, and nothing leaves this machine. All of it works without a notebook too: each part ends with the command that makes the same.
#
# | minutes | what | with |
# |---|---|---|
# | 0 – 5 | **Starter**: five questions, hands up | projector |
# | 5 – 10 | **The map**: where are we? | a numbered map for each pair |
# | 10 – 22 | **Main**: the worksheet, in pairs; answers read out | worksheet, answer key |
# | 22 – 32 | **Play**: Mapominoes, the class as second pair of eyes | cards, or the projector |
# | 32 – 38 | **Exit quiz**, each pupil alone | own devices, or paper |
# | 38 – 40 | Collect, and look ahead | |

# %%
import random
import tempfile
from pathlib import Path

import adjoin
from adjoin import classroom

NATION = "Wales"  # or "England", "Scotland"

place = tempfile.TemporaryDirectory()
folder = Path(place.name)


def wrote(files):
    """Print the names of files."""
    print("wrote", ", ".join(file.name for file in files))


# %% [markdown]
# What can be asked about it? Every kind of question, and how many different ones there are:

# %%
for kind, number in classroom.kinds_of("uk-counties", nations=NATION).items():
    print(f"{kind:16} {number:4}  {classroom.KINDS[kind].title}")

# %% [markdown]
# ## 0 – 5: starter
#
# Five easy questions for everybody. A quiz has a **code**. The parallel class types the code and has the same questions, next year's class too.

# %%
starter = classroom.Quiz.make(
    "uk-counties",
    nations=NATION,
    kinds=["shared", "find", "seas"],
    level=1,
    questions=5,
    seed="starter",
)
starter

# %% [markdown]
# On the projector the type is large, a countdown runs, and the space bar shows the answer with a line that explains it. Run the cell, or open the file in any browser.

# %%
classroom.quiz(starter, projector=True, seconds=20)

# %%
wrote([classroom.save_quiz_page(starter, folder, projector=True, seconds=20)])

# %% [markdown]
# Without Python: `adjoin classroom quiz --nation Wales --kinds shared,find,seas --level 1 --questions 5 --projector`
#
# ## 5 – 10: the map
#
# The true map, with a number in every county. Pairs find ten counties and write their names beside the numbers. The second page is the key: keep it.

# %%
numbered = classroom.outline_map(nations=NATION, style="numbered")
wrote(numbered.save(folder / "map.pdf"))
numbered

# %% [markdown]
# The word of the day is **border**. Which county has the most, and which has none?

# %%
uk = adjoin.Atlas.load("uk-counties")
nation = uk.nation(NATION)
most = max(nation, key=lambda county: len(uk.borders(county)))
print(f"{most} has the most: {', '.join(map(str, uk.borders(most)))}")
print("none:", ", ".join(str(county) for county in nation if not uk.borders(county)))

# %% [markdown]
# Without Python: `adjoin classroom map --nation Wales --style numbered -o map.pdf`
#
# ## 10 – 22: the worksheet
#
# Eight questions in pairs. Easier ones come first. Points are on the sheet, answers on a separate one.

# %%
work = classroom.Quiz.make(
    "uk-counties",
    nations=NATION,
    kinds=["borders", "odd", "way", "from_neighbours"],
    questions=8,
    seed="worksheet",
)
print(work.code)
sheet, key = classroom.worksheet(work), classroom.answer_key(work)
wrote(sheet.save(folder / "worksheet.pdf") + key.save(folder / "worksheet-key.pdf"))
sheet

# %% [markdown]
# Reading out the answers, you will hear spellings. Whatever reads answers here takes capitals, accents, abbreviations and one slip of the pen, gives part of the points for part of the answer, and says what is missing:

# %%
question = [question for question in work if question.kind == "borders"][-1]
names = question.solution().split(", ")
pupil = f"{names[0].upper()}, {names[1][:-2]}{names[1][-1]}"
print(question.prompt)
print(f'a pupil writes: "{pupil}"')
grade = question.grade(pupil)
print(f"{grade.share:.0%}")
print(grade)

# %% [markdown]
# For a way, every shortest way is right, and there are hints, one at a time:

# %%
question = [question for question in work if question.kind == "way"][-1]
print(question.prompt)
for hint in question.hints:
    print("  hint:", hint)
print(question.solution())

# %% [markdown]
# Without Python: `adjoin classroom worksheet --nation Wales --kinds borders,odd,way,from_neighbours --questions 8 -o worksheet.pdf`, or the code above in place of the filter.
#
# ## 22 – 32: play to learn
#
# In Mapominoes a card may lie only next to counties that it borders. Print the cards once, or play on the projector, the class against the computer. The opponent `easy` plays fairly and often misses things. For pupils' own devices: `adjoin page mapominoes -o nations=Wales --opponents easy -O wales.html` writes one file, and `adjoin serve --lan` opens rooms for the whole class.

# %%
cards = classroom.county_cards(nations=NATION)
wrote(cards.save(folder / "cards.pdf"))
cards

# %%
adjoin.play("mapominoes", nations=["Wales"], rounds=1, opponents="easy", seed=4)

# %% [markdown]
# When a card does not fit, ask why. The answer is a fact about borders:

# %%
match = adjoin.Match("mapominoes", nations=["Wales"], rounds=1, seed=4)
print("Gwynedd:", match.why_not("Gwynedd").reason)
match.play("Rhondda Cynon Taf", "P10")
print(match)
match.play("Caerphilly")
for cell in ("P9", "O11"):
    why = match.why_not(cell)
    print(f"{cell}: {why.reason if why else 'fine'}")

# %% [markdown]
# **The class as second pair of eyes.** With `challenges=True` a card may be laid wrongly. Before the next player goes, the others may object. On the projector: one pupil lays a card, all others vote, somebody says which border decides it.

# %%
match = adjoin.Match("mapominoes", nations=["Wales"], rounds=1, seed=4, challenges=True)
table = uk[match.view()["table"]["cards"][0]["name"]]
hand = [uk[action] for action in match.legal() if action in uk]
wrong = next(county for county in hand if table not in uk.borders(county))
match.play(str(wrong))
match.play(match.legal()[0])
print(f"{wrong} lies next to {table}. Who objects?")
print(f"{wrong} borders {', '.join(map(str, uk.borders(wrong))) or 'no county'}.")
match.play("challenge")
print(f"{wrong} is back in the hand:", wrong.id in match.view(0)["hands"][0]["cards"])

# %% [markdown]
# A wrong card that nobody objects to stays for good: so look closely. Without Python: `adjoin classroom cards --nation Wales` for the cards, `adjoin classroom play --nation Wales --challenges` in a terminal.
#
# ## 32 – 38: exit quiz
#
# Six questions for each pupil. The page is one file: put it on the school's drive, or send it. It needs no network. At the end pupils save their result, and hand that file in. The right answers are in the page, because it checks them itself: it is for practice, not for an exam. The same quiz on paper is the worksheet of its code.

# %%
leaving = classroom.Quiz.make(
    "uk-counties",
    nations=NATION,
    kinds=["borders", "shared", "seas"],
    questions=6,
    seed="exit",
)
wrote([classroom.save_quiz_page(leaving, folder)])
wrote(classroom.worksheet(leaving).save(folder / "exit.pdf"))
leaving

# %% [markdown]
# ## After the lesson: what does the class know?
#
# Results are files in a folder. Here we invent a class: pupils with numbers in place of names, who know more or less. One file got damaged on its way.


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


results = folder / "results"
results.mkdir()
chance = random.Random(11)
for number in range(1, 15):
    answers = invented(leaving, chance.uniform(0.3, 1), chance)
    seconds = tuple(round(chance.uniform(8, 50), 1) for _ in answers)
    result = classroom.Result(f"pupil {number}", leaving.code, answers, seconds)
    result.save(results / f"result-{number}.json")
(results / "result-15.json").write_text('{"format": "adjoin clas')

report = classroom.class_report(results)
report

# %% [markdown]
# The report as a page, and as a table for your mark book; then the worksheet that it suggests for next week.

# %%
report.to_html(folder / "report.html")
report.to_csv(folder / "report.csv")
wrote([folder / "report.html", folder / "report.csv"])
for suggestion in report.suggestions:
    print(suggestion.words, suggestion.code)
again = classroom.worksheet(report.suggestions[0].code)
wrote(again.save(folder / "next-week.pdf"))

# %% [markdown]
# Without Python: `adjoin classroom report results -o report.html`
#
# ## To take home
#
# Flashcards for Anki. Borders are asked one at a time, with the others shown: nobody has to recite a list. A newer file brings the cards up to date, and keeps what was learnt. Other programs read the CSV file.

# %%
flashcards = classroom.flashcards("uk-counties", nations=NATION)
wrote(
    [
        flashcards.save(folder / "flashcards.apkg"),
        flashcards.save(folder / "flashcards.csv"),
    ]
)
flashcards

# %% [markdown]
# Without Python: `adjoin classroom anki --nation Wales -o wales.apkg`
#
# ## Next time
#
# - Change `NATION` above and run it all again: that is the next lesson.
# - Your own region first: `classroom.Quiz.make("uk-counties", regions="South West")`.
# - `level=3` for those who are through early; large print: `classroom.worksheet(quiz, size=16)`.
# - Bingo for a rainy day: `classroom.bingo(nations=NATION, cards=30)`.
# - Another continent: [A lesson: crossing Africa](12_classroom_world.ipynb). A map of your own, of your town: [Your own atlas](10_your_own_atlas.ipynb).

# %%
place.cleanup()
