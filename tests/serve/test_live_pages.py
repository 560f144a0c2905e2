"""The pages of a live quiz in a real Chromium: teacher, projector, a phone; touch and keys."""

from __future__ import annotations

from typing import Any

from adjoin.classroom import Quiz
from interfaces import in_chromium
from served import Pages, Service

pytestmark = in_chromium


def join(pages: Pages, size: str, service: Service, code: str, name: str) -> Any:
    page = pages.open(size, f"{service.url}/#{code}")
    page.wait_for_selector("#about:has-text('Live quiz')")
    page.fill("#name", name)
    page.keyboard.press("Enter")
    page.wait_for_selector(f"text=You are in, {name}")
    return page


def open_quiz(teacher: Any, code: str) -> str:
    teacher.click("#quiz-panel > summary")
    teacher.wait_for_selector("#quiz-kinds label")
    teacher.fill("#quiz-code", code)
    teacher.click("#quiz-open")
    return str(teacher.inner_text(".live-card .code"))


def go_on(teacher: Any, words: str) -> None:
    teacher.click(f".live-card button.main:has-text('{words}')")


def test_a_class_has_a_live_quiz(service: Service, pages: Pages) -> None:
    quiz = Quiz.make("uk-counties", nations="Wales", kinds=["find", "shared"], questions=2, seed=3)
    teacher = pages.open("teacher", f"{service.url}/teacher#{service.token}")
    code = open_quiz(teacher, quiz.code)
    with teacher.context.expect_page() as opened:
        teacher.click("#projector")
    projector = opened.value
    projector.wait_for_selector(f".live-lobby .code:has-text('{code}')")
    assert projector.eval_on_selector(".live-qr", "image => image.naturalWidth") > 0
    ann = join(pages, "phone", service, code, "Ann")
    ben = join(pages, "pupil", service, code, "Ben")
    projector.wait_for_selector(".live-count:has-text('2 are in')")

    go_on(teacher, "Start")
    for page in (ann, ben):
        page.wait_for_selector(".adjoin-prompt")
    for at, question in enumerate(quiz.questions):
        if question.kind == "find":
            assert question.answers[0] not in ben.content()
            ann.locator("#quiz [role=button][data-id]").nth(3).focus()
            for _ in range(2):
                ann.keyboard.press("Enter")
            place = ben.locator("#quiz [role=button][data-id]").nth(5)
            place.focus()
            ben.keyboard.press("Enter")
            ben.click("#quiz button:has-text('Answer')")
        else:
            ann.keyboard.press("y")
            ann.wait_for_selector("text=Your answer is in: yes")
            projector.wait_for_selector("text=1 of 2 have answered")
            ann.reload()
            ann.wait_for_selector("text=Your answer is in: yes")
            assert ann.locator("#quiz button:enabled:visible").count() == 0
            ben.click("#quiz .adjoin-choice:has-text('No')")
        for page in (ann, ben):
            page.wait_for_selector(".adjoin-feedback .adjoin-explanation")
        solution = question.solution()
        projector.wait_for_selector(f".live-solution:has-text('{solution}')")
        projector.wait_for_selector(".live-bars")
        projector.wait_for_selector(".live-map .adjoin-is-right, .live-map .adjoin-is-subject")
        go_on(teacher, "Show the table")
        projector.wait_for_selector(".live-rows li >> nth=1")
        go_on(teacher, "Question 2" if at == 0 else "Show the final table")
    projector.wait_for_selector("text=The final table")
    ann.wait_for_selector("text=Question by question")
    with teacher.context.expect_page() as opened:
        teacher.click("text=Class report")
    report = opened.value
    report.wait_for_selector("h1:has-text('Class report: Counties in Wales')")
    with teacher.expect_download() as file:
        teacher.click(".live-card >> text=Download as CSV")
    assert file.value.path().read_text("utf-8-sig").startswith("pupil,points,percent,1,2\n")
    assert pages.complaints == []


def test_time_is_shown_and_what_was_chosen_is_sent_when_it_is_up(
    service: Service, pages: Pages
) -> None:
    quiz = Quiz.make("uk-counties", nations="Wales", kinds="borders", questions=1, seed=3)
    teacher = pages.open("teacher", f"{service.url}/teacher#{service.token}")
    teacher.wait_for_selector("#quiz-seconds", state="attached")
    teacher.evaluate("document.querySelector('#quiz-seconds').value = 5")
    code = open_quiz(teacher, quiz.code)
    ann = join(pages, "phone", service, code, "<b>Ann</b>")
    join(pages, "pupil", service, code, "Ben")
    go_on(teacher, "Start")
    ann.wait_for_selector(".adjoin-prompt")
    ann.fill("#quiz .adjoin-text", quiz.questions[0].solution())
    ann.wait_for_selector(".adjoin-was-right")  # nothing was pressed
    teacher.once("dialog", lambda dialog: dialog.accept())
    teacher.click(".live-pupils li:has-text('Ben') button")
    teacher.wait_for_selector("text=1 pupil is in")
    assert pages.complaints == []
