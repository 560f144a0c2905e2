"""A live quiz with real clients: nothing gets lost, nothing can be read early, lies get nowhere."""

from __future__ import annotations

import asyncio
import csv
import io
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tornado.httpclient import AsyncHTTPClient

from adjoin.classroom import Question, Quiz
from adjoin.serve.hosts import NOT_YOURS, ROOM_CLOSED, TAKEN_OVER
from interfaces import Server
from served import Answerer, Client, Service, Teacher, join_quiz, post, run

PUPILS = 35
ASKED = {"kind", "prompt", "form", "pool", "choices", "ids", "about", "names", "on_map", "hints"}
"""What a device gets of a question before its answer is shown."""


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    started = Service(Path(tmp_path_factory.mktemp("live")))
    yield started
    started.close()


class Lesson:
    """A live quiz with a teacher, a projector, an onlooker and pupils."""

    def __init__(self, service: Service, quiz: Quiz) -> None:
        self.service, self.quiz = service, quiz
        self.pupils: list[Answerer] = []

    async def open(self, pupils: int, **settings: Any) -> None:
        """Open it, and let pupils in."""
        self.teacher = Teacher(self.service)
        await self.teacher.open()
        settings = {"code": self.quiz.code, **settings}
        self.code = await self.teacher.ask("quiz", settings=settings)
        await self.teacher.until(lambda: "class" in self.teacher.latest)
        token = self.teacher.latest["class"]["projector"].partition("#")[2]
        self.projector = Client(self.service.url, "projector", {"token": token})
        self.onlooker = Client(self.service.url, "watch", {"code": self.code})
        for client in (self.projector, self.onlooker):
            await client.open()
        for number in range(pupils):
            name = f"Pupil {number + 1}"
            self.pupils.append(await join_quiz(self.service.url, self.code, name))
        for pupil in self.pupils:
            await pupil.until_state("lobby")

    async def next(self) -> None:
        await self.teacher.ask("next", code=self.code)

    async def report(self) -> tuple[list[dict[str, str]], str]:
        """Return the rows of the table, and the page."""
        await self.teacher.until(lambda: self.card["report"])
        url = f"{self.service.url}{self.card['report']}"
        table = await AsyncHTTPClient().fetch(f"{url}.csv")
        page = await AsyncHTTPClient().fetch(url)
        rows = csv.DictReader(io.StringIO(table.body.decode("utf-8-sig")))
        return list(rows), page.body.decode()

    @property
    def card(self) -> dict[str, Any]:
        """What the teacher sees of the quiz."""
        quizzes = self.teacher.latest["class"]["quizzes"]
        none: dict[str, Any] = {"report": None, "who": []}
        return next((card for card in quizzes if card["code"] == self.code), none)


async def take_part(pupil: Answerer, number: int, does_drop: bool) -> Any:
    """Answer a question; some lose their connection before it, or just after. Return the answer."""
    await pupil.until_state("asked", number)
    if does_drop and pupil.rng.random() < 0.5:
        await pupil.close()
        await asyncio.sleep(pupil.rng.random() / 20)
        await pupil.open()
        await pupil.until_state("asked", number)
    what = pupil.guess()
    await pupil.answer(what)
    if does_drop:
        await pupil.close()
        await asyncio.sleep(pupil.rng.random() / 20)
        await pupil.open()
        now = await pupil.until_quiz()
        if now["state"] == "asked" and now["number"] == number:
            assert now["you"]["has_answered"]
            assert now["you"]["answer"] == what
    return what


async def whole_quiz(service: Service, quiz: Quiz, restart_at: int | None = None) -> Lesson:
    lesson = Lesson(service, quiz)
    await lesson.open(PUPILS, seconds=600)
    given: list[list[Any]] = []
    totals: Counter[int] = Counter()
    for number in range(1, len(quiz) + 1):
        await lesson.next()
        if number == restart_at:
            await restart(lesson, number)
        answers = await asyncio.gather(
            *(take_part(pupil, number, at % 3 == 0) for at, pupil in enumerate(lesson.pupils))
        )
        given.append(list(answers))
        for pupil in lesson.pupils:
            now = await pupil.until_state("shown", number)
            totals[now["you"]["seat"]] += now["you"]["gained"]
            assert now["you"]["points"] == totals[now["you"]["seat"]]
        shown = lesson.onlooker.latest["quiz"]["shown"]
        form = quiz.questions[number - 1].form
        if form in ("one", "yes_no", "route", "order"):
            assert sum(bar["count"] for bar in shown["bars"]) == PUPILS
        await lesson.next()
    await lesson.next()
    for pupil in lesson.pupils:
        now = await pupil.until_state("over")
        assert len(now["you"]["questions"]) == len(quiz)
        assert now["you"]["points"] == totals[now["you"]["seat"]]

    rows, page = await lesson.report()
    assert len(rows) == PUPILS
    assert quiz.code in page
    by_name = {row["pupil"]: row for row in rows}
    for seat, pupil in enumerate(lesson.pupils):
        shares = [one["grade"]["share"] for one in pupil.quiz["you"]["questions"]]
        row = by_name[f"Pupil {seat + 1}"]
        assert [float(row[str(n + 1)]) for n in range(len(quiz))] == shares
        assert [one["answer"] for one in pupil.quiz["you"]["questions"]] == [
            answers[seat] for answers in given
        ]
    return lesson


async def restart(lesson: Lesson, number: int) -> None:
    """Stop the server in the middle of a question, and start it again."""
    loop = asyncio.get_running_loop()
    kept = await loop.run_in_executor(None, lesson.service.stop)
    assert [quiz["code"] for quiz in kept["quizzes"]] == [lesson.code]
    lesson.service.start()
    assert await loop.run_in_executor(None, lambda: lesson.service.url)
    for client in (*lesson.pupils, lesson.projector, lesson.onlooker):
        await client.close()
        await client.open()
    for pupil in lesson.pupils:
        now = await pupil.until_state("asked", number)
        assert now["is_paused"]
    lesson.teacher = Teacher(lesson.service)
    await lesson.teacher.open()
    await lesson.teacher.ask("pause", code=lesson.code, is_paused=False)


def messages(client: Client) -> list[dict[str, Any]]:
    return [json.loads(text) for text in client.texts]


def search(lesson: Lesson, client: Client) -> int:
    """Look for answers in what a connection got before they were shown."""
    quiz, looked = lesson.quiz, 0
    asked = shown = 0  # so many questions, and so many answers, may be known
    for message in messages(client):
        message.get("you", {}).pop("answer", None)  # what they have sent themselves
        text = json.dumps(message, ensure_ascii=False)
        if message["kind"] == "quiz":
            asked = max(asked, message["number"])
            if message["state"] == "asked":
                assert message["number"] > shown
                search_question(quiz.questions[asked - 1], message)
            else:
                shown = max(shown, message["number"])
        elif message["kind"] == "book":
            assert not message["book"]["borders"]
            drawn = json.dumps(message["map"])
            assert not [key for key in quiz.book.names["region"] if f'"{key}"' in drawn]
        assert quiz.code not in text
        known = " ".join(question.explanation for question in quiz.questions[:shown])
        for question in quiz.questions[shown:]:
            assert question.explanation not in text or question.explanation in known
            assert not [hint for hint in question.hints if hint in text]
            looked += 1
        for question in quiz.questions[asked:]:
            prompts = [other.prompt for other in quiz.questions[:asked]]
            assert question.prompt not in text or question.prompt in prompts
    return looked


def search_question(question: Question, message: dict[str, Any]) -> None:
    """Look for the answer in what is told of a question while it is open."""
    assert set(message["question"]) == ASKED
    assert "shown" not in message
    text = json.dumps(message, ensure_ascii=False)
    ids = set(question.book.names["region"])
    if question.form in ("route", "order") and not question.on_map:
        ids -= set(question.about)
    assert not [key for key in ids if f'"{key}"' in text]
    if not question.choices and question.kind != "find":  # that one tells the name, not the place
        assert question.solution() not in text


def test_a_class_answers_while_a_third_drop_out_and_nothing_is_lost(service: Service) -> None:
    quiz = Quiz.make("uk-counties", nations="Wales", questions=16, seed="class")
    assert len({question.kind for question in quiz}) > 10
    lesson = run(whole_quiz(service, quiz))
    everybody = [*lesson.pupils, lesson.onlooker, lesson.projector]
    looked = sum(search(lesson, client) for client in everybody)
    traffic = sum(len(text) for client in everybody for text in client.texts)
    print(f"{looked} places looked at in {traffic:,} letters of {len(everybody)} connections")
    assert looked > PUPILS * len(quiz)


def test_a_quiz_goes_on_after_a_restart_in_the_middle_of_a_question(tmp_path: Path) -> None:
    service = Service(tmp_path)
    try:
        quiz = Quiz.make("us-states", questions=4, seed="restart")
        run(whole_quiz(service, quiz, restart_at=2))
    finally:
        service.close()


async def refusal(pupil: Answerer, message: dict[str, Any]) -> str:
    """Send something, and return what is told to it."""
    before = len(pupil.texts)
    await pupil.send(message)
    await pupil.until(lambda: len(pupil.texts) > before)
    return str(pupil.quiz["message"])


def test_lies_of_clients_change_nothing(service: Service) -> None:
    async def lie() -> None:
        quiz = Quiz.make("uk-counties", nations="Wales", kinds="shared", questions=3, seed="lies")
        lesson = Lesson(service, quiz)
        await lesson.open(3, seconds=600)
        ann, ben, cleo = lesson.pupils
        await ann.send({"do": "answer", "number": 1, "what": True})
        await ann.until(lambda: ann.quiz["message"] == "Nothing is asked at the moment.")
        for verb in ("next", "show", "finish", "remove", "quiz"):
            await ann.send({"do": verb, "code": lesson.code, "seat": 1, "id": 1})
        await lesson.next()
        await ann.until_state("asked", 1)
        numbers: list[Any] = [0, 2, 3, -1, 99, None, "1", True, 1.0, 2**70]
        for number in numbers:
            said = await refusal(ann, {"do": "answer", "number": number, "what": True})
            assert said == "That is not the question that is asked now."
        lies: list[Any] = ["yes", 1, [], {}, [True], "x" * 5000]
        for what in lies:
            said = await refusal(ann, {"do": "answer", "number": 1, "what": what})
            assert said == "That is no answer to this question."
        right = quiz.questions[0].answers[0] == "yes"
        for seat in (1, ben.hello["seat"]):
            await ann.send(
                {"do": "answer", "number": 1, "what": not right, "seat": seat, "you": seat}
            )
        await ann.until(lambda: ann.quiz["message"].startswith("You have answered already"))
        assert not ben.quiz["you"]["has_answered"]
        await ann.send({"do": "answer", "number": 1, "what": right})
        await ben.answer(right)
        await lesson.teacher.ask("show", code=lesson.code)
        await cleo.until_state("shown", 1)
        await cleo.send({"do": "answer", "number": 1, "what": right})
        await cleo.until(lambda: cleo.quiz["message"].startswith("Too late"))
        gained = [(await pupil.until_state("shown"))["you"]["gained"] for pupil in lesson.pupils]
        assert gained[0] == gained[2] == 0
        assert gained[1] > 990
        for hello in (
            {**ann.hello, "seat": ben.hello["seat"]},
            {**ann.hello, "seat": 99},
            {**ann.hello, "token": "x" * 43},
            {"code": lesson.code},
        ):
            client = Client(service.url, "seat", hello)
            await client.open()
            assert await client.until_closed() == NOT_YOURS
            assert client.texts == []
        second = Answerer(service.url, ben.hello)
        await second.open()
        assert await ben.until_closed() == TAKEN_OVER
        assert (await second.until_state("shown"))["you"]["gained"] == gained[1]

    run(lie())


def test_time_is_up_by_the_clock_of_the_server(service: Service) -> None:
    async def wait() -> None:
        quiz = Quiz.make("uk-counties", kinds="shared", questions=1, seed="time")
        lesson = Lesson(service, quiz)
        await lesson.open(2, seconds=5)
        await lesson.next()
        ann, ben = lesson.pupils
        await ann.until_state("asked")
        await ann.answer(quiz.questions[0].answers[0] == "yes")
        now = await ben.until_state("shown")
        assert now["you"]["grade"]["share"] == 0
        await ben.send({"do": "answer", "number": 1, "what": True})
        await ben.until(lambda: ben.quiz["message"].startswith("Too late"))

    run(wait())


def test_a_teacher_removes_a_nickname_and_ends_the_quiz(service: Service) -> None:
    async def teach() -> None:
        quiz = Quiz.make("uk-counties", kinds="shared", questions=5, seed="end")
        lesson = Lesson(service, quiz)
        await lesson.open(3, seconds=0)
        with pytest.raises(ValueError, match="not a room to play in"):
            await lesson.teacher.ask("start", code=lesson.code)
        await lesson.teacher.ask("remove", code=lesson.code, seat=1)
        assert await lesson.pupils[1].until_closed() == NOT_YOURS
        await lesson.teacher.until(lambda: len(lesson.card["who"]) == 2)
        await lesson.next()
        for pupil in (lesson.pupils[0], lesson.pupils[2]):
            await pupil.until_state("asked")
            await pupil.answer(True)
        await lesson.pupils[0].until_state("shown")  # all have answered
        secret = lesson.card["report"]
        assert secret is None
        await lesson.teacher.ask("finish", code=lesson.code)
        rows, page = await lesson.report()
        assert [row["pupil"] for row in rows] == ["Pupil 1", "Pupil 3"]
        assert quiz.questions[1].prompt not in page
        for path in ("/report/" + "x" * 43, "/report/", "/report/x"):
            answer = await AsyncHTTPClient().fetch(f"{service.url}{path}", raise_error=False)
            assert answer.code == 404
        assert (await post(service.url, {"code": lesson.code, "name": "Eve"}))[0] == 409
        await lesson.teacher.ask("end", code=lesson.code)
        assert await lesson.pupils[0].until_closed() == ROOM_CLOSED
        assert (await post(service.url, {"code": lesson.code}))[0] == 404

    run(teach())


def test_a_command_opens_a_live_quiz(tmp_path: Path) -> None:
    server = Server(tmp_path, "adjoin", "classroom", "host", "us-states", "--questions", "3")
    try:
        url = server.address()

        async def look() -> dict[str, Any]:
            while "Live quiz: code " not in server.said():
                await asyncio.sleep(0.05)
            code = server.said().partition("Live quiz: code ")[2].partition(",")[0]
            status, answer = await post(url, {"code": code})
            assert status == 200
            return dict(answer["room"])

        room = run(look())
        assert (room["kind"], room["title"], room["state"]) == (
            "quiz",
            "States of the USA",
            "lobby",
        )
    finally:
        server.close()
