"""The map of a quiz in a real Chromium: reached, read, touched, zoomed, written on."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest
from quiz_pages import QuizPage, point, run

from adjoin.classroom.quizzes import Quiz
from interfaces import in_chromium

pytestmark = in_chromium


def about(kind: str, key: str, **options: Any) -> Quiz:
    """Return a quiz of one question, about a region."""
    for seed in range(5000):
        quiz = Quiz.make(kinds=kind, questions=1, seed=seed, **options)
        if quiz.questions[0].about[0] == key:
            return quiz
    raise AssertionError(f"no {kind} about {key}")


@pytest.mark.parametrize(
    "options", [{}, {"nations": "Wales"}, {"atlas": "world-countries"}, {"atlas": "us-states"}]
)
def test_every_region_is_reached_by_arrow_keys_and_named_without_its_name(
    show: Callable[..., QuizPage], options: dict[str, Any]
) -> None:
    quiz = Quiz.make(kinds="find", questions=1, seed=1, **options)
    page = show(quiz).open()
    page.keys.press("Enter")
    assert page.focused() in quiz.book.scope
    buttons = page.page.locator(".adjoin-map [role=button]")
    labels = buttons.evaluate_all("all => all.map(e => [e.dataset.id, e.ariaLabel])")
    assert {key for key, _ in labels} == set(quiz.book.scope)
    noun, number = quiz.book.noun[0], len(quiz.book.scope)
    assert all(f"{noun} " in label and f" of {number}, in the " in label for _, label in labels)
    assert page.page.locator(".adjoin-map [tabindex='0']").count() == 1
    graph = page.page.evaluate(
        """() => {
          const found = {};
          for (const button of document.querySelectorAll(".adjoin-map [role=button]")) {
            found[button.dataset.id] = ["Left", "Right", "Up", "Down"].map((way) => {
              const event = new KeyboardEvent("keydown", { key: `Arrow${way}`, bubbles: true });
              button.focus();
              button.dispatchEvent(event);
              return document.activeElement.dataset.id;
            });
          }
          return found;
        }"""
    )
    reached, now = {quiz.book.scope[0]}, [quiz.book.scope[0]]
    while now:
        now = [other for key in now for other in graph[key] if other not in reached]
        reached.update(now)
    assert reached == set(quiz.book.scope)


def test_no_name_is_on_the_map_before_the_answer(show: Callable[..., QuizPage]) -> None:
    for kind in ("find", "marked", "colour", "trace"):
        quiz = Quiz.make("uk-counties", nations="Wales", kinds=kind, questions=1, seed=1)
        (question,) = quiz.questions
        page = show(quiz).open()
        page.keys.press("Enter")
        drawn = page.page.locator(".adjoin-asked").inner_html()
        told = set(question.about) if kind in ("colour", "trace") else set()
        names = {key for key in quiz.book.scope if f">{quiz.book.name(key)}<" in drawn}
        assert names == told


def test_a_wrong_place_is_named_and_a_neighbour_is_half_right(
    show: Callable[..., QuizPage],
) -> None:
    page = show(about("find", "kent")).open()
    page.button("Start").click()
    page.page.mouse.click(*point(page, "highland"))
    page.page.mouse.click(*point(page, "surrey"))
    assert page.page.locator(".adjoin-place.adjoin-is-chosen").count() == 1
    page.button("Answer").click()
    assert page.text(".adjoin-feedback h3") == "Partly right: ½ of a point."
    assert "Nearly: that is Surrey." in page.text(".adjoin-feedback")
    shown = page.page.locator(".adjoin-figure .adjoin-labels text").all_text_contents()
    assert {text.replace("\u00a0", " ") for text in shown} == {"+ Kent", "✗ Surrey"}


def test_bridges_are_drawn_and_explained(show: Callable[..., QuizPage]) -> None:
    page = show(about("colour", "dundee")).open()
    page.button("Start").click()
    for key in ("angus", "perth_and_kinross", "fife"):
        page.page.mouse.click(*point(page, key))
    page.page.mouse.click(*point(page, "angus"))
    page.page.mouse.click(*point(page, "angus"))
    page.button("Answer").click()
    assert page.text(".adjoin-feedback h3") == "Right."
    assert "they meet in tidal water" in page.text(".adjoin-legend")
    assert page.page.locator(".adjoin-figure .adjoin-bridge").count() == 4


PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


@pytest.mark.parametrize(
    ("key", "options"),
    [
        ("city_of_london", {}),
        ("rutland", {}),
        ("greater_london", {}),
        ("lux", {"atlas": "world-countries"}),
        ("lux", {"atlas": "world-countries", "editions": "Europe"}),
        ("rhode_island", {"atlas": "us-states"}),
    ],
)
def test_small_places_are_touched_on_a_phone(
    show: Callable[..., QuizPage], key: str, options: dict[str, Any]
) -> None:
    page = show(about("find", key, **options), context=PHONE).open()
    page.button("Start").tap()
    x, y = point(page, key)
    pinch(page, (x, y), 4)
    x, y = point(page, key)
    page.page.touchscreen.tap(x + 2, y - 1)
    assert (
        page.page.locator(".adjoin-map .adjoin-is-chosen[data-id]").get_attribute("data-id") == key
    )
    page.button("Answer").tap()
    assert page.text(".adjoin-feedback h3") == "Right."


def pinch(page: QuizPage, middle: tuple[float, float], factor: float) -> None:
    """Spread two fingers around a point."""
    wire = page.context.new_cdp_session(page.page)
    x, y = middle

    def touch(kind: str, apart: float) -> None:
        points = [{"x": x - apart, "y": y, "id": 1}, {"x": x + apart, "y": y, "id": 2}]
        wire.send(
            "Input.dispatchTouchEvent",
            {"type": kind, "touchPoints": [] if kind == "touchEnd" else points},
        )

    touch("touchStart", 12)
    for step in range(1, 11):
        touch("touchMove", 12 * (1 + (factor - 1) * step / 10))
    touch("touchEnd", 0)


def test_a_touch_near_a_tiny_place_is_enough(show: Callable[..., QuizPage]) -> None:
    page = show(about("find", "city_of_london"), context=PHONE).open()
    page.button("Start").tap()
    x, y = point(page, "city_of_london")
    page.page.touchscreen.tap(x + 7, y + 7)
    page.button("Answer").tap()
    assert page.text(".adjoin-feedback h3") == "Right."


def test_buttons_and_the_wheel_zoom_and_a_drag_is_no_click(show: Callable[..., QuizPage]) -> None:
    page = show(about("find", "kent")).open()
    page.button("Start").click()
    size = "document.querySelector('.adjoin-map svg').viewBox.baseVal.width"
    whole = page.page.evaluate(size)
    page.button("zoom in").click()
    near = page.page.evaluate(size)
    page.page.mouse.move(*point(page, "cumbria"))
    page.page.mouse.wheel(0, -300)
    for _ in range(200):
        page.page.wait_for_timeout(20)
        if page.page.evaluate(size) < near:
            break
    assert page.page.evaluate(size) < near
    x, y = point(page, "cumbria")
    page.page.mouse.move(x, y)
    page.page.mouse.down()
    page.page.mouse.move(x - 40, y - 40, steps=4)
    page.page.mouse.up()
    assert page.page.locator(".adjoin-is-chosen").count() == 0
    assert point(page, "cumbria")[0] < x - 20
    page.button("the whole map").click()
    assert whole > near
    assert page.page.evaluate(size) == whole


def test_labels_hide_neither_each_other_nor_what_they_name(engine: Any) -> None:
    quizzes = (
        Quiz.make("uk-counties", seed=1),
        Quiz.make("uk-counties", nations=["Wales", "Northern Ireland"], seed=2),
        Quiz.make("world-countries", seed=3),
        Quiz.make("us-states", seed=4),
    )
    for number, quiz in enumerate(quizzes):
        names = list(quiz.book.scope)
        for count, wide in ((6, 390), (14, 700), (30, 1300)):
            chosen = random.Random(number).sample(names, min(count, len(names)))
            shown = run(
                engine,
                """([quiz, ids, wide]) => {
                  const area = document.createElement("div");
                  area.style.width = `${wide}px`;
                  document.body.append(area);
                  const names = quiz.book.names.region;
                  module_map.mapView(area, quiz.map, { names, labels: ids }).zoomTo(ids);
                  const boxes = [...area.querySelectorAll(".adjoin-labels text")].map((text) => {
                    const { left, top, right, bottom } = text.getBoundingClientRect();
                    return [left, top, right, bottom];
                  });
                  area.remove();
                  return boxes;
                }""",
                [quiz.to_json(), chosen, wide],
            )
            assert len(shown) >= 0.5 * min(6, len(chosen))
            for n, (left, top, right, bottom) in enumerate(shown):
                for other in shown[:n]:
                    is_beside = right <= other[0] + 2 or other[2] <= left + 2
                    assert is_beside or bottom <= other[1] + 4 or other[3] <= top + 4
