"""Quizzes in a real Chromium: the page with the network off, by mouse and by keyboard; the widget.

Needs chromium (on Debian: ``apt install chromium``) and ``pip install adjoin[dev]``.
"""

from __future__ import annotations

import dataclasses
import json
import random
import time
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from quiz_pages import QuizPage, point, run

from adjoin.classroom import screen
from adjoin.classroom.exercises import FORMS, Question
from adjoin.classroom.pupil_result import Result
from adjoin.classroom.quizzes import Quiz
from adjoin.classroom.results import class_report
from adjoin.classroom.screen import quiz_page
from interfaces import Server, in_chromium, show_widgets
from scaffold import ISLAND

pytestmark = in_chromium

UK = Quiz.make("uk-counties", questions=26, seed=3)
"""Every kind of question about counties, twice."""
LINKS = Quiz.make("world-cities", questions=6, seed=1)
QUIZZES = (
    Quiz.make("uk-counties", questions=72, seed=1),
    Quiz.make("uk-counties", nations=["Wales", "Northern Ireland"], questions=36, seed=2),
    Quiz.make("world-countries", questions=42, seed=3),
    Quiz.make("us-states", questions=20, seed=4),
    Quiz.make("world-cities", questions=15, seed=5),
    Quiz.make(ISLAND, questions=15, seed=6),
)


@pytest.fixture(scope="module")
def voila(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A server with a quiz in a notebook."""
    if find_spec("voila") is None:
        pytest.skip("needs pip install voila")
    home = tmp_path_factory.mktemp("voila")
    cells = [
        "from pathlib import Path\nimport json\nfrom adjoin.classroom.screen import quiz",
        f"board = quiz({UK.code!r}, pupil='Ann')\n"
        "board.on_msg(lambda *_: Path('results.json').write_text(\n"
        "    json.dumps([result.to_json() for result in board.results])))\n"
        "board",
        f"quiz({LINKS.code!r}, projector=True, seconds=0)",
    ]
    book = {
        "cells": [
            {
                "cell_type": "code",
                "execution_count": None,
                "id": f"cell-{number}",
                "metadata": {},
                "outputs": [],
                "source": cell,
            }
            for number, cell in enumerate(cells)
        ],
        "metadata": {"kernelspec": {"name": "python3", "display_name": "Python 3"}},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    (home / "quiz.ipynb").write_text(json.dumps(book))
    server = Server(home, "voila", "--no-browser", "--Voila.ip=127.0.0.1", str(home / "quiz.ipynb"))
    yield server, home / "results.json"
    server.close()


def name(question: Question, key: str) -> str:
    return question.book.names[question.pool][key]


def inner(question: Question) -> list[str]:
    """Return the names between the ends of a way."""
    return [name(question, key) for key in question.answers[0][1:-1]]


# Reading and grading.


def misspelt(text: str, chance: random.Random) -> str:
    """Return a text with a typo, or as others write it."""
    at = chance.randrange(len(text))
    letter = chance.choice("aeinrst")
    return chance.choice(
        [
            text[:at] + text[at + 1 :],
            text[:at] + letter + text[at:],
            text[:at] + letter + text[at + 1 :],
            text[:at] + text[at : at + 2][::-1] + text[at + 2 :],
            text.upper(),
            f"  {text.lower()} ",
            f"the {text}",
            f"County of {text}",
            text.replace(" ", ""),
            text.replace(" ", "-"),
            text.replace("&", "and").replace("Saint", "St."),
            text.replace("and", "&"),
            text.replace("e", "é"),
            text[:4],
        ]
    )


ODDITIES: tuple[Any, ...] = (
    None,
    "",
    "  ",
    True,
    False,
    "yes",
    "No.",
    "A",
    "(b)",
    "a C",
    " b d a ",
    "Devon/Dorset",
    " C. ",
    "Z",
    "constructor",
    "__proto__",
    "none",
    "ôle & Saint Ann and MID",
    ["toString", ""],
    [],
    "Kent",
    "Ynys Mon, Antrim & Down; Perth and Kinross and Tyne and Wear",
    "Côte d'Ivoire – Trinidad & Tobago and Saint Kitts",
    "x" * 200,
)


def answers(question: Question, chance: random.Random) -> Iterator[Any]:
    """Go through things that somebody could answer."""
    names = list(question.book.names[question.pool].values())
    keys = list(question.book.names[question.pool])
    right = question.answers[0] if question.form in ("route", "order") else question.answers
    if question.form == "yes_no":
        yield from question.answers
        yield "perhaps"
        return
    for wrong in range(3):
        own = [name(question, key) for key in right]
        own += chance.sample(names, wrong)
        if wrong == 2:
            del own[0]
        yield own
        yield [misspelt(text, chance) for text in own]
        yield misspelt(chance.choice([", ", " and ", "; ", " - ", " > "]).join(own), chance)
    yield list(reversed(right))
    yield chance.sample(keys, min(3, len(keys)))
    yield chance.sample(question.ids, len(question.ids))
    yield from question.ids[:2]
    yield misspelt(name(question, right[-1]), chance)
    yield chance.choice(ODDITIES)
    if question.form == "route":
        longer = chance.choice(question.book.borders[question.about[0]])
        yield [name(question, longer), *inner(question)]
        yield [name(question, key) for key in chance.choice(question.answers)]
    if question.on_map == "click" and question.pool == "region":
        yield chance.choice(keys)
        yield chance.choice([*question.book.borders[question.about[0]], "kent"])


def test_the_page_grades_as_python_does(engine: Any) -> None:
    chance = random.Random(1)
    number = not_right = 0
    for quiz in QUIZZES:
        asked = [
            (n, answer)
            for n, question in enumerate(quiz.questions)
            for answer in (*answers(question, chance), *ODDITIES[n % 8 :: 8])
        ]
        found = run(
            engine,
            """([quiz, asked]) => [
              asked.map(([n, answer]) => grade(quiz.book, quiz.questions[n], answer)),
              quiz.questions.map((question) => solution(quiz.book, question)),
            ]""",
            [quiz.to_json(), asked],
        )
        assert found[1] == [question.solution() for question in quiz]
        for (n, answer), graded in zip(asked, found[0], strict=True):
            expected = quiz.questions[n].grade(answer)
            plain = json.loads(json.dumps(dataclasses.asdict(expected)))
            assert graded == plain, (quiz.questions[n], answer)
            number += 1
            not_right += not expected.is_right
    assert number > 3_000
    assert 500 < not_right < number - 500


def test_the_page_reads_as_python_does(engine: Any) -> None:
    chance = random.Random(2)
    for quiz in (QUIZZES[0], *QUIZZES[2:]):
        texts = [
            (pool, misspelt(text, chance))
            for pool, names in quiz.book.names.items()
            for text in names.values()
        ]
        texts += [
            (pool, f"{text} and {other}, {text}")
            for (pool, text), (_, other) in zip(texts[:60], reversed(texts), strict=False)
        ]
        found = run(
            engine,
            """([book, texts]) => texts.map(([pool, text]) => {
              const { id, correction, also_called } = readName(book, text, pool);
              return [id, correction, also_called, split(book, text, pool)];
            })""",
            [quiz.book.to_json(), texts],
        )
        for (pool, text), read in zip(texts, found, strict=True):
            reading = quiz.book.read(text, pool)
            assert read == [*reading[1:], quiz.book.split(text, pool)], text


# A pupil with a mouse.


def places(question: Question) -> list[str]:
    """Return the places to click, in order, for a right answer."""
    return list(question.answers[0][1:-1] if question.form == "route" else question.answers)


def click_the_answer(page: QuizPage, question: Question) -> None:
    """Answer rightly; names are typed, everything else is clicked."""
    form, box = question.form, page.page.locator(".adjoin-entry input[type=text]")
    if question.on_map == "click":
        for key in places(question):
            page.page.mouse.click(*point(page, key))
        page.button("Answer").click()
    elif form in ("one", "yes_no") and question.choices:
        at = next(n for n, key in enumerate(question.ids) if key in question.answers)
        page.page.locator(".adjoin-choice").nth(at).click()
    elif form == "one":
        box.fill(name(question, question.answers[0]))
        page.button("Answer").click()
    elif form == "order":
        for key in question.answers[0]:
            page.page.locator(".adjoin-choice").nth(question.ids.index(key)).click()
        page.button("Answer").click()
    elif question.choices:
        for key in question.answers:
            page.page.locator(".adjoin-choice").nth(question.ids.index(key)).click()
        page.button("Answer").click()
    else:
        names = [name(question, key) for key in question.answers] if form == "many" else []
        for text in names or inner(question):
            box.fill(text)
            page.button("Add").click()
        page.button("Answer").click()


def test_a_quiz_played_by_mouse(show: Callable[..., QuizPage]) -> None:
    assert {question.form for question in UK} == set(FORMS)
    page = show(UK).open()
    assert page.text("h1") == "Counties of the United Kingdom"
    page.button("Start").click()
    for number, question in enumerate(UK, 1):
        assert page.text(".adjoin-head span") == f"Question {number} of 26"
        assert page.text(".adjoin-prompt") == question.prompt
        click_the_answer(page, question)
        assert page.text(".adjoin-feedback h3") == "Right."
        assert question.explanation in page.text(".adjoin-feedback")
        page.button("Next" if number < 26 else "To the result").click()
    assert page.text("h1") == "26 of 26"
    assert "Nothing: all answers were right." in page.text(".adjoin-again")
    assert page.page.locator(".adjoin-marks li").count() == 26
    page.button("Start again").click()
    page.button("Start").click()
    assert page.text(".adjoin-prompt") == UK.questions[0].prompt


def test_cities_and_what_is_not_known(show: Callable[..., QuizPage]) -> None:
    page = show(LINKS, context={"viewport": {"width": 390, "height": 800}}).open()
    page.button("Start").click()
    for question in LINKS.questions[:4]:
        page.button("I do not know").click()
        assert page.text(".adjoin-feedback h3") == "Not answered."
        assert question.solution() in page.text(".adjoin-feedback")
        page.button("Next").click()
    page.button("Finish now").click()
    page.button("2 not answered. Finish?").click()
    assert page.text("h1") == "0 of 6"
    assert page.text(".adjoin-marks").count("not answered") == 6
    wide = page.page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert wide[0] <= wide[1]


# A pupil with a keyboard.


def go_to(page: QuizPage, key: str) -> None:
    """Move from place to place until one is reached."""
    first = page.focused()
    while page.focused() != key:
        page.keys.press("PageDown")
        assert page.focused() != first, f"{key} cannot be reached"


def other_sea(question: Question) -> str:
    return next(key for key in question.ids if key not in question.answers)


def type_the_answer(page: QuizPage, question: Question, *, wrongly: bool) -> None:
    """Answer by keys alone: rightly, perhaps with a typo, or wrongly."""
    form, keys = question.form, page.keys
    right = [at for at, key in enumerate(question.ids) if key in question.answers]
    other = [at for at, key in enumerate(question.ids) if key not in question.answers]
    if question.on_map == "click":
        for key in (
            ["shetland" if question.pool == "region" else other_sea(question)]
            if wrongly
            else places(question)
        ):
            go_to(page, key)
            keys.press("Space")
        page.button("Answer").focus()
        keys.press("Enter")
    elif form == "yes_no":
        keys.press("n" if (question.answers[0] == "yes") == wrongly else "y")
    elif form == "one" and question.choices:
        keys.press(str((other if wrongly else right)[0] + 1))
    elif form == "order":
        order = [question.ids.index(key) for key in question.answers[0]]
        for at in reversed(order) if wrongly else order:
            keys.press(str(at + 1))
        keys.press("Enter")
    elif question.choices:
        for at in other[:1] if wrongly else right:
            keys.press(str(at + 1))
        keys.press("Enter")
    elif form == "one":
        keys.type("Kent" if wrongly else name(question, question.answers[0]).lower())
        keys.press("Enter")
    else:
        names = [name(question, key) for key in question.answers] if form == "many" else []
        keys.type(", ".join(["Kent"] if wrongly else names or inner(question)))
        keys.press("Enter")
        keys.press("Enter")


def test_a_quiz_played_by_keyboard_and_read_by_the_class_report(
    show: Callable[..., QuizPage], tmp_path: Path
) -> None:
    page = show(UK).open()
    page.keys.type("Zoë 7")
    page.keys.press("Enter")
    for number, question in enumerate(UK):
        assert page.text(".adjoin-prompt") == question.prompt
        type_the_answer(page, question, wrongly=number % 3 == 2)
        heading = page.text(".adjoin-feedback h3")
        assert (heading == "Right.") == (number % 3 != 2), question
        assert page.focused() == ("Next" if number < 25 else "To the result")
        page.keys.press("Enter")
    page.keys.press("Tab")
    assert page.focused() == "Save my result"
    with page.page.expect_download() as download:
        page.keys.press("Enter")
    assert download.value.suggested_filename == f"result-{UK.code}-Zoë_7.json"
    folder = tmp_path / "results"
    download.value.save_as(folder / download.value.suggested_filename)
    report = class_report(folder)
    (pupil,) = report.pupils
    assert report.problems == ()
    assert pupil.name == "Zoë 7"
    assert page.text("h1") == f"Zoë 7: {round(pupil.points, 2):g} of 26"
    assert [grade.is_right for grade in pupil.grades] == [n % 3 != 2 for n in range(26)]
    assert len(pupil.result.seconds) == len(pupil.result.hints) == 26
    marks = page.page.locator(".adjoin-mark b").all_inner_texts()
    assert marks == [f"{round(grade.share, 2):g}" for grade in pupil.grades]


def test_names_are_mended_and_taken_back_and_hints_count(
    show: Callable[..., QuizPage],
) -> None:
    quiz = Quiz.make("uk-counties", nations="England", kinds=["way"], level=3, questions=2, seed=1)
    question = quiz.questions[0]
    names = inner(question)
    page = show(quiz).open()
    page.keys.press("Enter")
    page.button("Hint", exact=False).click()
    page.button("Hint", exact=False).click()
    assert page.text(".adjoin-hints").split("\n") == list(question.hints[:2])
    page.keys.press("Enter")
    assert page.text(".adjoin-message") == "Answer first, or press “I do not know”."
    page.keys.type(f"{names[0]}, Atlantis > {names[1]} and {names[0]}")
    page.keys.press("Enter")
    message = page.text(".adjoin-message")
    assert message.startswith(f"Added: {names[0]} and {names[1]}. Already there: {names[0]}.")
    assert "“Atlantis” is not a county I know." in message
    assert page.focused() == "the next county on the way"
    for _ in "Atlantis":
        page.keys.press("Backspace")
    page.keys.press("Backspace")
    assert page.text(".adjoin-message") == f"{names[1]} removed."
    wrong = misspelt_once(names[1])
    page.keys.type(", ".join([wrong, *names[2:]]))
    page.keys.press("Enter")
    page.keys.press("Enter")
    assert page.text(".adjoin-feedback h3") == "Right."
    assert f"You wrote “{wrong}”. It is spelt {names[1]}." in page.text(".adjoin-feedback")
    page.keys.press("Enter")
    page.button("I do not know").click()
    page.keys.press("Enter")
    page.page.locator(".adjoin-plain summary").click()
    result = Result.from_json(json.loads(page.page.locator("textarea").input_value()))
    assert result.hints == (2, 0)
    assert result.answers == ([names[0], wrong, *names[2:]], None)
    assert result.pupil.startswith("no name ")
    assert f"“{wrong}” is spelt {names[1]}" in page.text(".adjoin-again")


def test_what_was_not_added_counts_too(show: Callable[..., QuizPage]) -> None:
    quiz = Quiz.make("uk-counties", kinds=["borders"], level=2, questions=2, seed=1)
    page = show(quiz).open()
    page.keys.press("Enter")
    for number, question in enumerate(quiz):
        names = [name(question, key) for key in question.answers]
        page.keys.type(" and ".join(names) + ("/Atlantis" if number else ""))
        page.button("Answer").click()
        if number:
            assert "“Atlantis” is not a county I know." in page.text(".adjoin-message")
            assert "Press Answer again" in page.text(".adjoin-message")
            page.button("Answer").click()
        assert page.text(".adjoin-feedback h3") == "Right."
        assert ("“Atlantis” could not be read." in page.text(".adjoin-feedback")) == bool(number)
        page.keys.press("Enter")
    page.page.locator(".adjoin-plain summary").click()
    result = Result.from_json(json.loads(page.page.locator("textarea").input_value()))
    assert [len(answer) for answer in result.answers if isinstance(answer, list)] == [
        len(quiz.questions[0].answers),
        len(quiz.questions[1].answers) + 1,
    ]
    assert all(grade.is_right for grade in result.grades(quiz))


def misspelt_once(text: str) -> str:
    return f"{text[:-2]}{text[-1]}{text[-2]}"


def test_a_name_that_is_not_known_is_asked_for_again(show: Callable[..., QuizPage]) -> None:
    quiz = Quiz.make("world-countries", kinds=["from_neighbours"], questions=1, seed=1)
    page = show(quiz).open()
    page.keys.press("Enter")
    page.keys.type("Atlantis")
    page.button("Answer").click()
    assert "“Atlantis” is not a country I know." in page.text(".adjoin-message")
    page.button("Answer").click()
    assert page.text(".adjoin-feedback h3") == "Not right."
    assert "“Atlantis” could not be read." in page.text(".adjoin-feedback")


def test_arrow_keys_move_among_choices(show: Callable[..., QuizPage]) -> None:
    quiz = Quiz.make("uk-counties", kinds=["odd"], questions=3, seed=1)
    page = show(quiz).open()
    page.keys.press("Enter")
    for question in quiz:
        seen = {page.focused()}
        for key in ("ArrowDown", "ArrowRight", "ArrowUp", "ArrowLeft") * 3:
            page.keys.press(key)
            seen.add(page.focused())
        assert len(seen) > 1
        is_right = name(question, question.answers[0]) in page.focused()
        page.keys.press("Enter")
        assert (page.text(".adjoin-feedback h3") == "Right.") == is_right
        page.keys.press("Enter")


# The page.


def test_a_page_that_is_loaded_again_goes_on(show: Callable[..., QuizPage]) -> None:
    page = show(UK).open()
    page.keys.type("Ann")
    page.keys.press("Enter")
    page.button("I do not know").click()
    page.page.reload()
    assert page.text(".adjoin-prompt") == UK.questions[1].prompt
    page.button("Finish now").click()
    page.button("25 not answered. Finish?").click()
    page.page.reload()
    assert page.text("h1") == "Ann: 0 of 26"
    page.button("Start again").click()
    page.page.reload()
    assert page.button("Start").is_visible()


def test_a_question_is_asked_without_its_right_answers(engine: Any) -> None:
    for quiz in (UK, LINKS):
        found = run(
            engine,
            """(quiz) => quiz.questions.map((question) => {
              const { answers, also, explanation, level, ...asked } = question;
              const area = document.createElement("div");
              document.body.append(area);
              const given = [];
              const { book, map } = quiz;
              const form = module_question_form.questionForm(area, {
                book, map, question: asked, finish: (...answer) => given.push(answer),
              });
              [...area.querySelectorAll("button")].at(-1).click();
              form.reveal(answers);
              area.remove();
              return [given, form.isOpen()];
            })""",
            quiz.to_json(),
        )
        assert found == [[[[None, 0]], False]] * len(quiz)


# A class.


@pytest.mark.parametrize("size", [(1366, 768), (1920, 1080)])
@pytest.mark.parametrize("atlas", ["uk-counties", "world-countries", "us-states"])
def test_the_projector_fills_the_screen(
    show: Callable[..., QuizPage], atlas: str, size: tuple[int, int]
) -> None:
    quiz = Quiz.make(atlas, questions=13, seed=2)
    context = {"viewport": {"width": size[0], "height": size[1]}}
    page = show(quiz, projector=True, seconds=0, context=context).open()
    for question in quiz:
        for _ in range(2):
            page.keys.press("Enter")
            box = page.page.locator(".adjoin-picture svg").bounding_box()
            assert box is not None, question
            assert box["y"] + box["height"] > 0.8 * size[1], question
            assert box["width"] * box["height"] > 0.25 * size[0] * size[1], question
            high = page.page.evaluate("document.documentElement.scrollHeight")
            assert high <= size[1] + 1, question


def test_the_projector_counts_down_and_is_led_by_keys(show: Callable[..., QuizPage]) -> None:
    page = show(UK, projector=True, seconds=20)
    page.page.clock.install()
    page.open()
    page.page.clock.pause_at(page.page.evaluate("Date.now() + 1000"))
    first, second = UK.questions[:2]
    page.keys.press("PageDown")
    assert page.text(".adjoin-prompt") == first.prompt
    assert page.text(".adjoin-clock") == "20"
    page.page.clock.run_for(5_000)
    assert page.text(".adjoin-clock") == "15"
    page.keys.press("p")
    page.page.clock.run_for(60_000)
    assert page.text(".adjoin-clock") == "15"
    page.keys.press("p")
    page.page.clock.run_for(14_000)
    assert page.text(".adjoin-feedback") == ""
    page.page.clock.run_for(1_100)
    assert first.explanation in page.text(".adjoin-feedback")
    page.keys.press("Space")
    assert page.text(".adjoin-prompt") == second.prompt
    page.keys.press("ArrowRight")
    assert second.explanation in page.text(".adjoin-feedback")
    page.keys.press("ArrowLeft")
    assert page.text(".adjoin-feedback") == ""
    page.keys.press("ArrowLeft")
    assert first.explanation in page.text(".adjoin-feedback")
    for _ in range(2 * len(UK) - 1):
        page.keys.press("Enter")
    assert page.text("h1") == "That was the last question"
    shown = page.page.locator(".adjoin-marks strong").all_inner_texts()
    assert shown == [question.solution() for question in UK]
    assert page.page.locator("input").count() == 0


def test_the_projector_gives_hints_and_needs_no_countdown(show: Callable[..., QuizPage]) -> None:
    quiz = Quiz.make("uk-counties", kinds=["way"], level=3, questions=1, seed=1)
    page = show(quiz, projector=True, seconds=0).open()
    page.keys.press("Enter")
    assert page.text(".adjoin-clock") == ""
    for _ in range(5):
        page.keys.press("h")
    assert page.text(".adjoin-hints").split("\n") == list(quiz.questions[0].hints)
    page.button("Show the answer").click()
    assert page.text(".adjoin-answer") == quiz.questions[0].solution()


def test_names_are_shown_as_they_are(chromium: Any, tmp_path: Path) -> None:
    hostile = quiz_page(UK).replace('"title":"Counties', '"title":"\\u003cimg src=x>Counties')
    path = tmp_path / "hostile.html"
    path.write_text(hostile, encoding="utf-8")
    page = QuizPage(chromium, path).open()
    assert page.text("h1") == "<img src=x>Counties of the United Kingdom"
    page.context.close()
    assert page.errors == []


# A notebook.


def finish(page: Any) -> None:
    """Answer nothing in the first quiz, and show an answer in the second."""
    page.set_default_timeout(60_000)
    quiz, shown = page.locator(".adjoin-quiz").first, page.locator(".adjoin-projector")
    quiz.locator("input").press("Enter")
    quiz.get_by_role("button", name="I do not know").click()
    quiz.get_by_role("button", name="Next").click()
    quiz.get_by_role("button", name="Finish now").click()
    quiz.get_by_role("button", name="Finish?").click()
    assert quiz.locator("h1").inner_text() == "Ann: 0 of 26"
    shown.get_by_role("button", name="Start").click()
    assert shown.locator(".adjoin-prompt").inner_text() == LINKS.questions[0].prompt
    shown.locator(".adjoin-prompt").press("Enter")
    assert LINKS.questions[0].explanation in shown.inner_text()


@pytest.fixture
def empty_page(chromium: Any) -> Iterator[Any]:
    """A page on which nothing goes wrong."""
    errors: list[str] = []
    page = chromium.new_page()
    page.on("pageerror", lambda error: errors.append(str(error)))
    yield page
    page.close()
    assert errors == []


def test_the_widget_gives_its_result_back_to_python(empty_page: Any) -> None:
    board = screen.quiz(UK.code, pupil="Ann")
    shown = screen.quiz(LINKS.code, projector=True, seconds=0)
    show_widgets(empty_page, {"board": board, "shown": shown}, ["board", "shown"])
    finish(empty_page)
    (result,) = board.results
    assert (result.pupil, result.code, result.answers) == ("Ann", UK.code, (None,) * 26)


@pytest.mark.long
def test_the_widget_gives_its_result_back_in_voila(empty_page: Any, voila: Any) -> None:
    server, results = voila
    empty_page.goto(server.address())
    finish(empty_page)
    until = time.monotonic() + 30
    while not results.exists() and time.monotonic() < until:
        empty_page.wait_for_timeout(100)
    (result,) = map(Result.from_json, json.loads(results.read_text()))
    assert (result.pupil, result.code, result.answers) == ("Ann", UK.code, (None,) * 26)
