"""The pages of a class in a real Chromium: teacher, two pupils, the projector."""

from __future__ import annotations

from typing import Any

from interfaces import in_chromium
from served import Pages, Service

pytestmark = in_chromium


def join(pages: Pages, size: str, service: Service, code: str, name: str) -> Any:
    page = pages.open(size, f"{service.url}/#{code}")
    page.fill("#name", name)
    page.click("#join")
    page.wait_for_selector("#room:not([hidden])")
    return page


def places(page: Any) -> set[str]:
    found = page.eval_on_selector_all(
        "[data-place]", "all => all.map(place => place.dataset.place)"
    )
    return set(found)


def cards(page: Any) -> set[str]:
    return {place for place in places(page) if place.startswith("card ")}


def test_a_teacher_opens_a_room_and_two_pupils_play(service: Service, pages: Pages) -> None:
    teacher = pages.open("teacher", f"{service.url}/teacher#{service.token}")
    teacher.select_option("#game", "mapominoes")
    teacher.click("#form summary")
    for nation in ("England", "Scotland", "Northern Ireland"):
        teacher.uncheck(f".adjoin-several label:text-is('{nation}') input")
    teacher.wait_for_selector(".adjoin-several :checked", state="attached")
    assert teacher.locator(".adjoin-several :checked").count() == 1
    teacher.click("#open")
    code = teacher.inner_text(".room .code")
    assert service.token not in teacher.url
    with teacher.context.expect_page() as opened:
        teacher.click("#projector")
    projector = opened.value
    projector.wait_for_selector(f".code-card:has-text('{code}')")
    assert projector.eval_on_selector(".code-card img", "image => image.naturalWidth") > 0

    ann = join(pages, "pupil", service, code, "Ann <b>")
    ann.wait_for_selector("#lobby:has-text('Waiting for 1 more player.')")
    ben = join(pages, "phone", service, code, "Ben")
    for page in (ann, ben):
        page.wait_for_selector(".adjoin-board svg [data-place]")
    assert cards(ann)
    assert cards(ben)
    assert not cards(ann) & cards(ben)

    teacher.click("button:has-text('Show on projector')")
    projector.wait_for_selector("#board svg")
    projector.wait_for_selector("#seats:has-text('Ann <b>')")
    hands = cards(ann) | cards(ben)
    assert not places(projector) & hands

    for page in (ann, ben):
        if page.is_visible(".adjoin-actions button"):
            number = page.get_attribute(".adjoin-board", "data-number")
            page.click(".adjoin-actions button >> nth=0")
            break
    for page in (ann, ben, projector):
        page.wait_for_selector(f".adjoin-board:not([data-number='{number}'])")
    assert not places(projector) & hands & (cards(ann) | cards(ben))

    before = cards(ben)
    ben.reload()
    ben.wait_for_selector(".adjoin-board svg [data-place]")
    assert cards(ben) == before
    assert ben.inner_text("#who") == "Ben"

    teacher.once("dialog", lambda dialog: dialog.accept())
    teacher.click("button:has-text('End')")
    ann.wait_for_selector("#error:has-text('The room is closed.')")
    projector.wait_for_selector("#results:not([hidden])")
    assert pages.complaints == []


def test_pages_come_back_by_themselves_after_a_restart(service: Service, pages: Pages) -> None:
    teacher = pages.open("teacher", f"{service.url}/teacher#{service.token}")
    teacher.wait_for_selector("#seats select")
    teacher.select_option("#seats label:nth-child(2) select", "greedy")
    teacher.click("#open")
    ann = join(pages, "phone", service, teacher.inner_text(".room .code"), "Ann")
    ann.wait_for_selector(".adjoin-board svg [data-place]")
    ann.click(".adjoin-actions button >> nth=0")
    ann.wait_for_selector(".adjoin-log li:has-text('you play')", state="attached")
    service.stop()
    ann.wait_for_selector("#connection:has-text('Trying again')")
    service.start()
    for page in (ann, teacher):
        page.wait_for_selector("#connection:empty", state="attached")
    assert ann.inner_text("#who") == "Ann"
    ann.wait_for_selector(".adjoin-log li:has-text('you play')", state="attached")
    teacher.wait_for_selector(".room:has-text('Ann')")
    assert [one for one in pages.complaints if "WebSocket connection" not in one] == []
