"""The way of the day: pairs and distances by other means, and the page in a real Chromium."""

from __future__ import annotations

import datetime
import importlib
import json
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from quiz_pages import OfflinePage

from adjoin import Atlas
from adjoin.classroom import ClassroomError, Daily, daily_page, save_daily_page
from adjoin.classroom.daily import FIRST_DAY, MOST_BYTES
from adjoin.classroom.screen import FOLDER
from adjoin.playing.scripts import bundle
from interfaces import in_chromium
from scaffold import ISLAND, cases

nx: Any = importlib.import_module("networkx")

SCOPES: list[dict[str, Any]] = [
    {"atlas": "uk-counties"},
    {"atlas": "uk-counties", "nations": "Wales"},
    {"atlas": "uk-counties", "nations": ["England", "Wales"]},
    {"atlas": "world-countries"},
    {"atlas": "world-countries", "editions": "Africa"},
    {"atlas": "us-states"},
    {"atlas": ISLAND},
]
DAYS = [FIRST_DAY + datetime.timedelta(days=n) for n in range(400)]
TODAY = datetime.date(2026, 11, 18)


def graph_of(daily: Daily) -> Any:
    """Return the borders within the scope, read from the atlas."""
    return daily.scope.atlas.to_networkx().subgraph(daily.scope.ids)


@cases("scope", SCOPES)
def test_distances_agree_with_networkx(scope: dict[str, Any]) -> None:
    daily = Daily.make(**scope)
    graph = graph_of(daily)
    far = dict(nx.all_pairs_shortest_path_length(graph))
    assert daily.scope.steps == far
    for date in DAYS[::4]:
        start, end = (region.id for region in daily.pair(date))
        between = nx.shortest_path_length(graph, start, end) - 1
        assert between >= 1
        assert daily.allowed(date) >= between + 3
        on_way = {k for way in nx.all_shortest_paths(graph, start, end) for k in way}
        for key in daily.scope.ids:
            off = min((far[key][other] for other in on_way if other in far[key]), default=None)
            assert daily.off(date, key) == off, (date, key)


@cases("scope", SCOPES)
def test_no_pair_comes_again_within_a_year_if_there_are_enough(scope: dict[str, Any]) -> None:
    daily = Daily.make(**scope)
    far = {frozenset(pair) for pair in daily.pairs}
    assert len(far) == len(daily.pairs)
    assert set().union(*far) <= set(daily.scope.ids)
    number = min(366, len(daily.pairs))
    for first in (0, 30, 1000):
        dates = [FIRST_DAY + datetime.timedelta(days=first + n) for n in range(number)]
        assert len({frozenset(r.id for r in daily.pair(date)) for date in dates}) == number
    lengths = {daily.scope.steps[one][other] for one, other in daily.pairs}
    if len(daily.scope.ids) > 40:
        assert lengths <= set(range(3, 10))
    else:
        assert min(lengths) == 2


def test_a_date_has_its_pair() -> None:
    uk = Daily.make("uk-counties")
    assert uk.number(FIRST_DAY) == 1
    assert [region.name for region in uk.pair(TODAY)] == ["Kent", "East Lothian"]
    assert Daily.make("uk-counties", names="cy").pairs == uk.pairs
    copy = Atlas.load("uk-counties").names_in("ga")
    assert Daily.make(copy).pairs == uk.pairs
    wales = Daily.make("uk-counties", nations="Wales")
    with pytest.raises(ClassroomError, match="Kent is not in Wales"):
        wales.off(TODAY, "Kent")
    with pytest.raises(
        ClassroomError, match="needs two regions that 2 borders or more lie between"
    ):
        Daily.make(Atlas.build(["A", "B"], [("A", "B")]))


@cases("scope", [*SCOPES, *({"atlas": "world-countries", "editions": e} for e in ("Europe",))])
def test_a_page_stands_alone_and_is_small(scope: dict[str, Any], tmp_path: Path) -> None:
    page = daily_page(**scope)
    assert len(page.encode()) <= MOST_BYTES
    assert "http://" not in page.replace("http://www.w3.org/2000/svg", "")
    assert "https://" not in page
    path = save_daily_page(tmp_path, **scope)
    assert path.name.startswith("daily-")
    with pytest.raises(ClassroomError, match=r"must end in \.html"):
        save_daily_page(tmp_path / "daily.txt", **scope)


# In a browser.


class DailyPage(OfflinePage):
    """The page on a date."""

    def __init__(self, browser: Any, path: Path, date: datetime.date, **context: Any) -> None:
        super().__init__(browser, path, **context)
        self.page.clock.install(time=f"{date}T12:00:00")
        self.page.goto(self.address)

    def on(self, date: datetime.date) -> None:
        self.page.clock.set_system_time(f"{date}T12:00:00")
        self.page.reload()

    def guess(self, *names: str) -> str:
        """Type names, each with Enter; return what is told about the last."""
        for name in names:
            self.page.get_by_label("Which county?").fill(name)
            self.page.keyboard.press("Enter")
        return self.text(".adjoin-told")

    def guesses(self) -> list[str]:
        return [str(text) for text in self.page.locator(".adjoin-guesses li").all_inner_texts()]

    def marks(self, key: str) -> str:
        return str(self.page.locator(f"[data-id={key}]").first.get_attribute("class"))


@pytest.fixture
def show(chromium: Any, tmp_path: Path) -> Iterator[Callable[..., DailyPage]]:
    pages: list[DailyPage] = []

    def get(
        date: datetime.date = TODAY, context: dict[str, Any] | None = None, **scope: Any
    ) -> DailyPage:
        pages.append(
            DailyPage(chromium, save_daily_page(tmp_path, **scope), date, **(context or {}))
        )
        return pages[-1]

    yield get
    for page in pages:
        page.close()


def shortest(daily: Daily, date: datetime.date) -> list[str]:
    """Return the names between the ends of a shortest way."""
    start, end = daily.pair(date)
    keys = nx.shortest_path(graph_of(daily), start.id, end.id)[1:-1]
    return [daily.scope.called(key) for key in keys]


class TestInChromium:
    pytestmark = in_chromium

    def test_the_page_computes_what_python_does(self, chromium: Any) -> None:
        page = chromium.new_page()
        page.add_script_tag(
            type="module", content=f"{bundle('daily_way.js', FOLDER)}\nwindow.ways = ways;"
        )
        page.wait_for_function("Boolean(window.ways)")
        for scope in SCOPES:
            daily = Daily.make(**scope)
            dates = [*DAYS[::3], datetime.date(2030, 2, 28), datetime.date(2028, 2, 29)]
            given = [daily.scope.book.to_json(), str(FIRST_DAY), [str(date) for date in dates]]
            found = page.evaluate(
                """text => {
                  const [book, first, dates] = JSON.parse(text);
                  const all = ways(book, first);
                  return JSON.stringify(dates.map((date) => {
                    const way = all.wayOf(date);
                    const far = book.scope.map((id) => way.off(id));
                    const { number, start, end, between, allowed } = way;
                    const inner = way.through([]).slice(1, -1);
                    const isWay = way.joined(inner)?.length === between + 2;
                    const broken = way.joined(inner.slice(1));
                    return [number, start, end, between, allowed, far, isWay, broken];
                  }));
                }""",
                json.dumps(given),
            )
            steps = daily.scope.steps
            for date, row in zip(dates, json.loads(found), strict=True):
                start, end = (region.id for region in daily.pair(date))
                between = steps[start][end] - 1
                far = [daily.off(date, key) for key in daily.scope.ids]
                expected = [daily.number(date), start, end, between, daily.allowed(date), far]
                assert row == [*expected, True, None], (scope, date)
        page.close()

    def test_a_way_is_found_by_keyboard_alone(self, show: Callable[..., DailyPage]) -> None:
        page = show()
        assert page.text("h1") == "From Kent to East Lothian"
        assert "18 November 2026" in page.text(".adjoin-daily-head")
        assert "adjoin-is-subject" in page.marks("kent")
        assert page.guess("norfolk") == "Norfolk: 1 border off."
        assert page.guess("Lincolnshir").endswith("It is spelt Lincolnshire.")
        assert "adjoin-off-0" in page.marks("lincolnshire")
        assert page.guess("Orkney") == "Orkney: not connected."
        assert page.guess("Cornwall") == "Cornwall: 2 borders off or more."
        left = page.text(".adjoin-daily-panel .adjoin-code")
        assert left == "8 guesses left"
        assert page.guess("Atlantis").startswith("“Atlantis” is no county")
        assert page.guess("KENT") == "Kent is one of the two ends."
        assert page.guess("norfolk") == "Norfolk was guessed already."
        assert page.text(".adjoin-daily-panel .adjoin-code") == left
        way = [n for n in shortest(Daily.make(), TODAY) if n != "Lincolnshire"]
        page.guess(*way)
        assert page.text(".adjoin-daily-end h2") == "Found"
        assert page.page.evaluate("document.activeElement.textContent") == "Found"
        written = page.page.get_by_label("The result as text").input_value()
        lines = written.split("\n")
        assert lines[0] == "The way of the day 322, 18 November 2026"
        assert lines[1] == "Counties of the United Kingdom: Kent → East Lothian"
        assert lines[2].startswith("🟧🟩⬛🟥")
        assert set(lines[2][4:]) == {"🟩"}
        assert lines[3] == f"{len(way) + 4} guesses, 7 needed"
        page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        page.page.get_by_role("button", name="Copy the result").press("Enter")
        page.page.get_by_text("Copied.").wait_for()
        assert page.page.evaluate("navigator.clipboard.readText()") == written
        page.page.reload()
        assert page.text(".adjoin-daily-end h2") == "Found"
        assert len(page.guesses()) == len(way) + 4

    def test_a_way_that_is_not_found_is_shown(self, show: Callable[..., DailyPage]) -> None:
        page = show(atlas="uk-counties", nations="Wales", names="cy")
        daily = Daily.make("uk-counties", nations="Wales", names="cy")
        start, end = daily.pair(TODAY)
        assert page.text("h1") == f"From {start.name} to {end.name}"
        assert page.guess("Kent") == "Kent is not in Wales. It costs nothing."
        assert page.guess("Anglesey") == "Ynys Môn: not connected. Here it is called Ynys Môn."
        far = [k for k in daily.scope.ids if (daily.off(TODAY, k) or 0) > 1]
        page.guess(*(daily.scope.called(key) for key in far[: daily.allowed(TODAY) - 1]))
        assert page.text(".adjoin-daily-end h2") == "Not found this time"
        told = "A shortest way goes through Rhondda Cynon Taf and Powys."
        assert told in page.text(".adjoin-daily-end")
        assert "adjoin-is-missed" in page.marks("powys")
        assert not page.page.get_by_label("Which county?").is_visible()

    def test_hints_show_outlines_and_are_told(self, show: Callable[..., DailyPage]) -> None:
        page = show()
        veiled = page.page.locator(".adjoin-is-veiled")
        assert veiled.count() == 1
        page.page.get_by_role("button", name="Hint: the outline of the next one").click()
        hinted = page.page.locator(".adjoin-place.adjoin-is-hint")
        assert hinted.count() == 1
        key = hinted.get_attribute("data-id")
        assert Daily.make().off(TODAY, key) == 0
        page.page.get_by_role("button", name="Hint: all outlines").click()
        assert veiled.count() == 0
        page.guess(*shortest(Daily.make(), TODAY))
        assert page.page.get_by_label("The result as text").input_value().endswith("2 hints")

    def test_past_days_are_played_and_days_in_a_row_counted(
        self, show: Callable[..., DailyPage]
    ) -> None:
        page, daily = show(), Daily.make()
        for n, words in enumerate(("1 day", "2 days", "3 days")):
            date = TODAY + datetime.timedelta(days=n)
            page.on(date)
            page.guess(*shortest(daily, date))
            assert f"Found on the day: {words} in a row." in page.text(".adjoin-daily-end")
        page.page.locator("summary").click()
        before = TODAY - datetime.timedelta(days=1)
        start, end = daily.pair(before)
        page.page.locator(".adjoin-days button").filter(has_text="17 Nov").click()
        assert page.text("h1") == f"From {start.name} to {end.name}"
        assert page.page.url.endswith("#2026-11-17")
        page.guess(*shortest(daily, before))
        assert "3 days in a row" in page.text(".adjoin-daily-end")
        page.page.goto(f"{page.address}#2026-12-24")
        page.page.reload()
        start, end = daily.pair(TODAY + datetime.timedelta(days=2))
        assert page.text("h1") == f"From {start.name} to {end.name}"
        page.page.locator("summary").click()
        page.page.get_by_label("A day").fill("2026-01-01")
        assert page.text("h1") == "From {} to {}".format(*daily.pair(FIRST_DAY))

    def test_an_atlas_without_a_map_is_played_too(self, show: Callable[..., DailyPage]) -> None:
        names = ["Ash", "Birch", "Cedar", "Elm", "Fir"]
        page = show(atlas=Atlas.build(names, pairwise(names), name="row"))
        entry = page.page.get_by_label("Which region?")
        for name in names:
            if entry.is_visible():
                entry.fill(name)
                page.page.keyboard.press("Enter")
        assert page.text(".adjoin-daily-end h2") == "Found"

    def test_names_stand_in_a_sentence(self, show: Callable[..., DailyPage]) -> None:
        daily = Daily.make("world-countries", editions="Africa")
        place = next(n for n, pair in enumerate(daily.pairs) if pair[0] == "cog")
        page = show(
            FIRST_DAY + datetime.timedelta(days=place), atlas="world-countries", editions="Africa"
        )
        assert page.text("h1").startswith("From the Republic of the Congo to ")

    def test_what_is_kept_may_be_broken(self, show: Callable[..., DailyPage]) -> None:
        page = show()
        for kept in (
            "nonsense",
            '{"2026-11-18": {"guesses": ["atlantis", "kent", 3], "hints": [{}], "on": "x"}}',
            '{"2026-11-18": null, "x": []}',
            "[1]",
        ):
            page.page.evaluate("kept => localStorage.setItem('adjoin-daily/UK', kept)", kept)
            page.page.reload()
            assert page.text("h1") == "From Kent to East Lothian"
        assert page.guess("Norfolk") == "Norfolk: 1 border off."

    def test_a_phone_shows_map_and_entry_at_once(self, show: Callable[..., DailyPage]) -> None:
        for scope in ({"atlas": "uk-counties"}, {"atlas": "world-countries"}, {"atlas": ISLAND}):
            size = {"width": 390, "height": 844}
            look = {"viewport": size, "is_mobile": True, "has_touch": True, "color_scheme": "dark"}
            page = show(context=look, **scope)
            assert page.page.evaluate("document.documentElement.scrollWidth") <= 390
            box = page.page.locator(".adjoin-daily-form button").bounding_box()
            assert box["y"] + box["height"] <= 844
            assert page.page.evaluate("getComputedStyle(document.body).backgroundColor") == (
                "rgb(22, 24, 27)"
            )

    def test_a_screen_reader_is_told_all(self, show: Callable[..., DailyPage]) -> None:
        page = show()
        page.guess("Norfolk", "Orkney")
        tree = page.page.locator("main").aria_snapshot()
        for words in (
            'heading "From Kent to East Lothian"',
            'textbox "Which county?"',
            'status: "Orkney: not connected."',
            'list "Guesses"',
            "Norfolk: 1 border off",
            'img "Map with Kent, East Lothian and what was guessed"',
            'button "Hint: all outlines"',
        ):
            assert words in tree, tree
