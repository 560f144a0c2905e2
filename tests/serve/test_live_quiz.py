"""A live quiz without a network: seats, the clock, points, what goes out, what is kept."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from adjoin.classroom import Quiz
from adjoin.serve.hall import Hall
from adjoin.serve.live_quiz import ASKED, GRACE, LOBBY, OVER, SHOWN, TABLE, LiveQuiz
from adjoin.serve.live_settings import LiveSettings, choices_of
from adjoin.serve.rooms import RoomError
from scaffold import ISLAND
from served import Clock

WALES = Quiz.make("uk-counties", nations="Wales", questions=20, seed="live")


def opened(
    quiz: Quiz = WALES,
    clock: Clock | None = None,
    names: tuple[str, ...] = ("Ann", "Ben"),
    **more: Any,
) -> LiveQuiz:
    live = Hall(clock or Clock()).open_quiz(LiveSettings.of(quiz, **more))
    for name in names:
        live.entered(live.sit_down(name)[0])
    return live


def sent(live: LiveQuiz, answer: Any) -> Any:
    """Return an answer of the quiz as a device sends it."""
    names = {key: name for name, key in live._masks.meanings(live.question).items()}
    if isinstance(answer, bool):
        return answer
    if isinstance(answer, str):
        return names.get(answer, answer)
    return [names.get(one, one) for one in answer]


def right(live: LiveQuiz) -> Any:
    """Return the right answer to the question that is asked."""
    question = live.question
    if question.form == "yes_no":
        return question.answers[0] == "yes"
    if question.form in ("route", "order"):
        return sent(live, list(question.answers[0]))
    return sent(live, list(question.answers) if question.form == "many" else question.answers[0])


def answer(live: LiveQuiz, seat: int, what: Any) -> str:
    return live.answer(seat, live.at + 1, what)


# What a teacher sets.


def test_settings_that_no_quiz_can_have_are_refused_in_words() -> None:
    wrongs: list[tuple[dict[str, Any], str]] = [
        ({"atlas": "narnia"}, 'no atlas "narnia"'),
        ({"areas": ["Whales"]}, "Whales"),
        ({"kinds": ["colours"]}, "colours"),
        ({"questions": 1000}, "questions is from 1 to 200"),
        ({"seconds": 3}, "seconds: 5 to 600, or 0"),
        ({"seconds": True}, "seconds"),
        ({"code": "UK-WALES-B-10-XXXXX"}, "mistyped"),
        ({"colour": 1}, "no setting colour"),
    ]
    for wrong, said in wrongs:
        with pytest.raises((ValueError, KeyError)) as error:
            LiveSettings.read(wrong)
        assert said in str(error.value)
    made = LiveSettings.read({"atlas": "uk-counties", "areas": ["Wales", "South West"]})
    assert made.quiz.title == "Counties in Wales and the South West"
    assert LiveSettings.read({"code": WALES.code}).quiz == WALES


def test_a_form_offers_what_there_is() -> None:
    every = choices_of(None, None)
    assert every["atlas"] == "uk-counties"
    assert "Wales" in every["parts"]
    wales = choices_of("uk-counties", ["Wales", "Africa"])
    assert wales["areas"] == ["Wales"]
    assert {kind["name"]: kind["number"] for kind in wales["kinds"]}["borders"] == 21
    for atlas in every["atlases"]:
        whole = choices_of(atlas, None)
        assert whole["parts"]
        assert all(kind["number"] and kind["title"] for kind in whole["kinds"])
        assert choices_of(atlas, whole["parts"])["kinds"] == whole["kinds"]


# The course of it.


def test_a_quiz_goes_through_its_states() -> None:
    live = opened(names=())
    with pytest.raises(RoomError, match="Nobody has joined"):
        live.go_on()
    live.entered(live.sit_down("Ann")[0])
    with pytest.raises(RoomError, match="Nothing is asked"):
        live.show()
    seen = [live.state]
    while live.state != OVER:
        live.go_on()
        seen.append(live.state)
    assert seen == [LOBBY, *(ASKED, SHOWN, TABLE) * len(WALES), OVER]
    with pytest.raises(RoomError, match="over"):
        live.go_on()
    with pytest.raises(RoomError, match="over"):
        live.sit_down("Ben")


def test_the_server_counts_the_seconds() -> None:
    clock = Clock()
    live = opened(clock=clock, seconds=20)
    live.go_on()
    clock.now += 5
    assert live.seconds_left == 15
    live.pause(True)
    clock.now += 1000
    assert (live.seconds_left, live.is_paused) == (15, True)
    assert answer(live, 0, right(live)) == "The quiz is paused."
    live.pause(False)
    clock.now += 5
    assert answer(live, 0, right(live)) == ""
    assert live.players[0].points == 1000 - 250
    clock.now += 10 + GRACE / 2
    assert live.seconds_left == 0
    assert not live.is_time_up
    assert answer(live, 1, right(live)) == ""
    assert live.players[1].points == 500
    clock.now += GRACE
    assert live.is_time_up


def test_late_answers_and_second_ones_are_refused_in_words() -> None:
    clock = Clock()
    live = opened(clock=clock, seconds=20)
    assert live.answer(0, 0, True) == "Nothing is asked at the moment."
    live.go_on()
    for number in (0, -1, 2, 99, True, 1.0, "1", None):
        assert live.answer(0, number, right(live)) == "That is not the question that is asked now."
    assert answer(live, 0, right(live)) == ""
    assert answer(live, 0, None) == "You have answered already; the first answer counts."
    clock.now += 20 + GRACE
    assert answer(live, 1, right(live)).startswith("Too late")
    live.show()
    assert answer(live, 1, right(live)).startswith("Too late")
    live.go_on()
    live.go_on()
    assert live.answer(1, 1, True).startswith("Too late")
    assert [player.points for player in live.players] == [1000, 0]


def test_what_is_no_answer_is_refused() -> None:
    live = opened()
    while not live.is_last:
        live.go_on()
        question = live.question
        lies: list[Any] = [3, {}, [], [3], [["x"]], ["x"] * 100, "x" * 300, ["x" * 300], 1.5]
        if question.choices:
            lies += [
                "A",
                question.ids[0],
                question.choices[0],
                "choice 0",
                "choice 99",
                ["choice 1", 3],
            ]
        lies += ["yes", 1] if question.form == "yes_no" else [True]
        for lie in lies:
            assert answer(live, 0, lie) == "That is no answer to this question.", (question, lie)
        assert answer(live, 0, right(live)) == ""
        assert live.players[0].given[live.at].share == 1, question
        assert answer(live, 1, None) == ""
        assert live.players[1].given[live.at].share == 0
        live.go_on()
        live.go_on()


def test_speed_counts_a_little_or_not_at_all() -> None:
    quick, slow = LiveSettings.of(WALES, 20), LiveSettings.of(WALES, 20, speed=False)
    assert [quick.worth(1, used) for used in (0, 10, 20, 21)] == [1000, 750, 500, 500]
    assert quick.worth(0.5, 0) == quick.worth(1, 20)
    assert quick.worth(0, 0) == 0
    assert [slow.worth(1, used) for used in (0, 20)] == [1000, 1000]
    assert LiveSettings.of(WALES, 0).worth(1, 500) == 1000
    assert "Speed does not count" in slow.rule
    assert "Speed does not count" in LiveSettings.of(WALES, 0).rule
    assert "1000" in quick.rule


def test_a_question_waits_for_who_was_there() -> None:
    live = opened(names=("Ann", "Ben", "Cleo"))
    live.left(2)
    live.go_on()
    answer(live, 0, right(live))
    live.left(1)
    assert not live.is_answered  # Ben may come back
    answer(live, 1, None)
    assert live.is_answered
    live.entered(2)
    assert not live.is_answered  # Cleo has come
    live.remove(2)
    assert live.is_answered


def test_who_is_removed_is_out() -> None:
    live = opened()
    seat, token = live.sit_down("Ann")
    assert live.players[seat].name == "Ann 2"
    assert live.opens(seat, token)
    for wrong in (True, -1, 99, None, "2"):
        assert not live.opens(wrong, token)
    live.remove(seat)
    assert not live.opens(seat, token)
    assert [row["name"] for row in live.table()] == ["Ann", "Ben"]
    assert [one["name"] for one in live.public()["seats"]] == ["Ann", "Ben"]
    with pytest.raises(RoomError, match="no seat 9"):
        live.remove(9)


# What goes out.


def test_nothing_that_goes_out_depends_on_the_answer_before_it_is_shown() -> None:
    """What a device gets is the same for a question with another answer."""
    for quiz in (
        WALES,
        Quiz.make("world-countries", regions="Africa", questions=40, seed=1),
        Quiz.make("us-states", questions=40, seed=1),
        Quiz.make("world-cities", questions=20, seed=1),
    ):
        live = opened(quiz)
        other = opened(quiz)
        other._secret, other.code = live._secret, live.code
        assert live.static() == other.static()
        for _ in quiz:
            live.go_on()
            other.at, other.state = live.at, ASKED
            question = live.question
            turned = question.answers[::-1] if len(question.answers) > 1 else ("nowhere",)
            changed = replace(question, answers=turned, explanation="", also=(), hints=(), level=0)
            if question.answers == question.about and question.on_map != "marked":
                changed = replace(changed, about=("nowhere",))
            questions = list(quiz.questions)
            questions[live.at :] = [changed]
            other.settings = LiveSettings.of(Quiz.from_code(quiz.code))
            other.settings.quiz.__dict__["questions"] = tuple(questions)
            live._used, live._since, other._since = 0.0, None, None
            for seat in (0, None):
                assert live.view(seat) == other.view(seat)
            live.go_on()
            live.go_on()


def test_books_have_neither_borders_nor_places_nor_the_code() -> None:
    one, other = (Quiz.make("uk-counties", nations="Wales", seed=seed) for seed in (1, 2))
    assert opened(one).static()["book"] == opened(other).static()["book"]
    assert not opened(one).static()["book"]["borders"]
    assert one.code not in json.dumps([opened(one).view(0), opened(one).public()])


def test_the_class_sees_how_many_chose_what() -> None:
    live = opened(names=("Ann", "Ben", "Cleo", "Dev"))
    for _ in WALES:
        live.go_on()
        assert "shown" not in live.view(0)
        answer(live, 0, right(live))
        answer(live, 1, right(live))
        answer(live, 2, None)
        live.go_on()
        bars = live.view(None)["shown"]["bars"]
        good = [bar for bar in bars if bar["is_right"]]
        assert good
        assert good[0]["count"] == 2, (live.question, bars)
        assert bars[-1] == {"label": "no answer", "count": 2, "is_right": None}
        if live.question.choices and live.question.form != "order":
            assert len(bars) == len(live.question.choices) + 1
        own = live.view(0)["you"]
        assert own["grade"]["is_right"]
        assert own["solution"] == live.question.solution()
        live.go_on()


def test_what_nobody_can_read_is_not_shown() -> None:
    live = opened(Quiz.make("uk-counties", kinds="borders", questions=1, seed=1))
    live.go_on()
    assert answer(live, 0, ["something rude"]) == ""
    assert answer(live, 1, ["Kent"]) == ""
    live.go_on()
    assert "rude" not in json.dumps(live.view(None))
    labels = {bar["label"]: bar["count"] for bar in live.view(None)["shown"]["bars"]}
    assert labels["something else"] == 1


def test_places_in_the_table_are_shared() -> None:
    live = opened(names=("Ann", "Ben", "Cleo"), speed=False)
    live.go_on()
    for seat in (1, 2):
        answer(live, seat, right(live))
    live.go_on()
    live.go_on()
    table = live.view(None)["table"]
    assert [(row["place"], row["name"], row["points"]) for row in table] == [
        (1, "Ben", 1000),
        (1, "Cleo", 1000),
        (3, "Ann", 0),
    ]
    assert live.view(0)["you"]["place"] == 3
    assert "table" not in live.view(0)


# The end, and a restart.


def test_a_quiz_that_is_ended_early_is_reported_as_far_as_it_went() -> None:
    live = opened()
    for _ in range(3):
        live.go_on()
        answer(live, 0, right(live))
        live.go_on()
        live.go_on()
    live.go_on()
    answer(live, 1, right(live))
    with pytest.raises(RoomError, match="when the quiz is over"):
        live.report()
    live.finish()
    report = live.report()
    assert report.asked == 3
    assert [(pupil.name, pupil.points) for pupil in report.pupils] == [("Ann", 3), ("Ben", 0)]
    assert len(report.questions) == 3
    assert WALES.questions[3].prompt not in report.html
    assert report.csv.splitlines()[0] == "pupil,points,percent,1,2,3"
    own = live.view(0)["you"]["questions"]
    assert [one["grade"]["share"] for one in own] == [1, 1, 1]


@pytest.mark.parametrize(
    "quiz", [WALES, Quiz.make(ISLAND, questions=3, seed=1)], ids=["shipped", "own"]
)
def test_quizzes_go_on_as_they_were(quiz: Quiz) -> None:
    clock = Clock()
    hall = Hall(clock)
    live = hall.open_quiz(LiveSettings.of(quiz, 60))
    seat, token = live.sit_down("Ann")
    live.entered(seat)
    live.go_on()
    clock.now += 10
    answer(live, seat, right(live))
    later = Hall(other := Clock())
    other.now = 5.0
    text = json.dumps(hall.saved())
    assert token not in text
    later.restore(json.loads(text))
    again = later.quizzes[live.code]
    assert again.opens(seat, token)
    assert (again.state, again.is_paused, again.seconds_left) == (ASKED, True, 50)
    assert again.players[0].given == live.players[0].given
    again.entered(seat)
    assert again.view(seat)["you"] == live.view(seat)["you"]
    assert again.static() == live.static()
    again.pause(False)
    other.now += 5
    assert again.seconds_left == 45
