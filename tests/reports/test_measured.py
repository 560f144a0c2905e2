"""Reports: complete, repeatable, and every number is what the matches say."""

from __future__ import annotations

import json
import re
import statistics
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import adjoin
from adjoin.cli import main
from adjoin.reports.documents import Report, index
from adjoin.reports.measured import report
from adjoin.reports.sections.speed import _speed_of
from adjoin.statistics.course import Course
from adjoin.statistics.luck import PARTS, skill_and_luck
from scaffold import BRIEF, cases

HEADINGS = [
    "At a glance",
    "Length",
    "Choice",
    "How matches end",
    "The course of a match",
    "Seats",
    "Skill against chance",
    "Luck and skill",
    "The agents",
    "Cards",
    "Places",
    "The game's own figures",
    "Options",
    "Speed",
    "How it was measured",
]
CHARTS = [
    *("length-random", "length-greedy", "choice", "endings", "leader"),
    *("seats", "skill", "luck", "agents", "cards", "places-laid", "places-won"),
]
LACKING = {"mapello": {"Cards", "cards"}, "domiphun": {"places-laid", "places-won"}}
"""Sections and charts that a game has not: nothing is held in hand, or cells are in space."""
SEARCH = "search(iterations=4, depth=4)"
EPISODES = 60


def made(game: str, **keywords: Any) -> Report:
    more = {"episodes": EPISODES, "seed": 3, "threads": 2, "search": SEARCH, "duels": 4}
    page: Report = report(game, progress=False, **{**more, **BRIEF.get(game, {}), **keywords})
    return page


@pytest.fixture(params=adjoin.games(), scope="module")
def page(request: pytest.FixtureRequest) -> Report:
    return made(request.param)


@pytest.fixture(scope="module")
def domiphun() -> Report:
    return made("domiphun")


def had(names: list[str], page: Report) -> list[str]:
    """Return the sections or charts that the page of a game has."""
    return [name for name in names if name not in LACKING.get(page.game, ())]


def intervals(figures: Any) -> Iterator[dict[str, Any]]:
    """Yield everything that has a value and an interval."""
    if isinstance(figures, dict):
        if set(figures) == {"value", "low", "high"}:
            yield figures
        for value in figures.values():
            yield from intervals(value)
    elif isinstance(figures, list):
        for value in figures:
            yield from intervals(value)


def without_speed(page: Report) -> dict[str, Any]:
    return {name: value for name, value in page.figures.items() if name != "speed"}


def threadless(page: Report) -> dict[str, Any]:
    measured = {k: v for k, v in page.figures["measured"].items() if k != "threads"}
    return {**without_speed(page), "measured": measured}


# What is in it.


def test_a_page_has_all_its_sections_and_charts(page: Report) -> None:
    headings = had(HEADINGS, page)
    assert [section.heading for section in page.sections] == ["", *headings]
    assert list(page.charts) == had(CHARTS, page)
    shown = [name for section in page.sections for name in section.charts]
    assert shown == had(CHARTS, page)
    for heading in headings:
        assert f"\n## {heading}\n" in page.markdown
        assert f"<h2>{heading}</h2>".replace("'", "&#x27;") in page.html


def test_a_page_says_what_the_game_is(page: Report) -> None:
    spec = adjoin.Spec.of(page.game, BRIEF.get(page.game, {}))
    assert page.markdown.startswith(f"# {spec.title}\n\n{spec.summary}\n")
    assert page.figures["options"] == spec.options
    for name, meaning in spec.option_meanings.items():
        assert re.search(rf"^\| {name} \| .* \| {re.escape(meaning)} \|$", page.markdown, re.M)


def test_every_figure_has_an_interval_around_it_and_goes_to_json(page: Report) -> None:
    found = list(intervals(page.figures))
    assert len(found) > 70
    for one in found:
        assert one["low"] <= one["value"] <= one["high"]
    assert json.loads(json.dumps(page.figures, allow_nan=False)) == json.loads(
        json.dumps(page.figures)
    )


def test_the_figures_are_those_of_the_tables(page: Report) -> None:
    options = BRIEF.get(page.game, {})
    for agent in ("random", "greedy"):
        table = adjoin.simulate(page.game, EPISODES, agent, seed=3, **options)
        summary = table.summary()
        for name in ("decisions", "turns", "rounds"):
            found = page.figures["length"][agent][name]
            assert found["mean"]["value"] == pytest.approx(summary[name].value)
            assert found["median"]["value"] == np.median(table[name])
            assert found["standard deviation"]["value"] == pytest.approx(table[name].std())
        for seat in range(table.seats):
            found = page.figures["seats"][agent][f"seat {seat}"]
            assert found["low"] == summary[f"win share, seat {seat}"].low
        ended = page.figures["endings"][agent]["ended"]
        assert sum(way["value"] for way in ended.values()) == pytest.approx(1)
        for way, found in ended.items():
            assert found["value"] == np.mean(table["ended"] == way)
        own = page.figures["own"][agent]
        assert own["score"]["value"] == pytest.approx(summary[f"score, {agent}"].value)
        turn = page.figures["choice"][agent]["decisions per turn"]["value"]
        assert turn == pytest.approx(table["decisions"].sum() / table["turns"].sum())


def test_the_games_own_figures_are_all_there(page: Report) -> None:
    table = adjoin.simulate(page.game, 2, "greedy", **BRIEF.get(page.game, {}))
    columns = list(table.columns)
    stems = {re.sub(r"_\d$", "", name) for name in columns[columns.index("ended") + 1 :]}
    assert set(page.figures["own"]["greedy"]) == {"score", *stems}
    for stem in stems:
        assert f"\n| {stem.replace('_', ' ')} |" in page.markdown


def test_skill_is_the_win_share_against_the_one_below(page: Report) -> None:
    options = BRIEF.get(page.game, {})
    seats = page.figures["players"]
    greedy, search = page.figures["skill"]
    assert (greedy["agent"], greedy["among"], greedy["matches"]) == ("greedy", "random", EPISODES)
    assert (search["agent"], search["among"], search["matches"]) == (SEARCH, "greedy", 4)
    agents = ["greedy", *["random"] * (seats - 1)]
    table = adjoin.simulate(page.game, EPISODES, agents, seed=3, **options)
    assert greedy["win share"]["value"] == table.summary()["win share, greedy"].value
    assert page.figures["fair share"] == 1 / seats
    assert f"{1 / seats:.1%} of the wins would be fair" in page.markdown


# What may be concluded.

FORCED: dict[str, Any] = {
    "setup": "fixed",
    "size": 4,
    "walls": ["e3", "f4", "c3", "e6", "d3", "d6", "c4"],
}
"""A board of Mapello on which every move is forced."""


def test_a_match_that_is_repeated_is_told_and_counts_once() -> None:
    page = made("mapello", **FORCED)
    assert page.figures["matches"]["greedy agents"] == {"games": 60, "distinct": 1, "counted": 1}
    assert page.figures["matches"]["greedy among random"]["distinct"] == 2
    assert "| greedy agents | 60 | 1 | 1 |" in page.markdown
    assert "leave nothing to chance from this start" in page.markdown
    assert page.figures["length"]["greedy"]["decisions"]["mean"]["low"] is None
    assert page.figures["skill"][0]["matches"] == 2
    json.dumps(page.figures, allow_nan=False)
    assert "Repeated matches" not in made("domiphun").markdown


def test_no_seat_is_called_level_without_the_games_that_it_takes() -> None:
    few = made("metro_domino", search=None)
    told = "60 matches leave open whether there is a difference: to show 3 percentage points takes"
    assert f"{told} 2,915." in few.markdown
    assert "is below 3 percentage points" not in few.markdown


def test_seats_and_skill_have_a_size_and_apart_from_it_a_chance(page: Report) -> None:
    fair = page.figures["fair share"]
    for found in page.figures["seats"].values():
        seats = range(page.figures["players"])
        far = [abs(found[f"seat {seat}"]["value"] - fair) for seat in seats]
        assert far[found["furthest"]["seat"]] == max(far)
        assert 0 <= found["furthest"]["p"] <= 1
    for step in page.figures["skill"]:
        points = round(100 * (step["win share"]["value"] - fair), 1)
        assert f"{abs(points):.1f} percentage points" in page.markdown
        assert (step["p"] < 0.05) != (step["win share"]["low"] <= fair <= step["win share"]["high"])


def test_speeds_are_above_nothing_however_much_they_differ() -> None:
    speed = _speed_of([1, 2000, 3, 40_000, 5])
    assert 0 < speed.low < speed.value < speed.high
    assert _speed_of([100, 100, 100]) == pytest.approx((100, 100, 100))


# What other rooms measure.


@cases("agent", ["random", "greedy"])
def test_the_course_is_that_of_the_matches(page: Report, agent: str) -> None:
    options: dict[str, Any] = {"seed": 3, **BRIEF.get(page.game, {})}
    decisions = adjoin.simulate(page.game, EPISODES, agent, record="decisions", **options)
    course = Course.of(decisions, adjoin.simulate(page.game, EPISODES, agent, **options))
    found = page.figures["course"][agent]
    for what in ("lead changes", "settled", "behind", "drama, most", "score spread"):
        assert found[what] == {"value": course[what].value, **ends(course[what])}
    assert found["leader wins"] == course.leader_wins._asdict()
    assert page.figures["choice"][agent]["by ply"] == course.choice._asdict()


def ends(row: Any) -> dict[str, float]:
    return {"low": row.low, "high": row.high}


def test_luck_is_that_of_the_same_deals_from_every_seat(page: Report) -> None:
    for weak, found in page.figures["luck"].items():
        options = BRIEF.get(page.game, {})
        luck = skill_and_luck(page.game, "greedy", weak, EPISODES, seed=3, **options)
        for part in PARTS:
            assert found[part] == {"value": luck[part].value, **ends(luck[part])}
    assert list(page.figures["luck"]) == ["random", "easy(miss=0.5)"]


def test_who_decides_first_is_that_of_a_recount(domiphun: Report) -> None:
    for agent in ("random", "greedy"):
        decisions = adjoin.simulate("domiphun", EPISODES, agent, seed=3, record="decisions")
        matches = adjoin.simulate("domiphun", EPISODES, agent, seed=3)
        seats = decisions["seat"][decisions["ply"] == 0].tolist()
        first = [float(matches[f"won_{seat}"][match]) for match, seat in enumerate(seats)]
        found = domiphun.figures["seats"][agent]["first"]["value"]
        assert found == pytest.approx(statistics.fmean(first))


# Repeatable.


def test_the_same_seed_measures_the_same_for_any_number_of_threads(domiphun: Report) -> None:
    again, other = made("domiphun", threads=1), made("domiphun", seed=4)
    assert threadless(again) == threadless(domiphun)
    assert without_speed(other) != without_speed(domiphun)


def test_a_page_tells_how_to_measure_it_again() -> None:
    page = made("domiphun", players=3, variant="traditional", threads=None)
    call = re.search(r"adjoin\.report\(.*\)$", page.markdown, re.M)
    assert call is not None
    again = eval(call[0], {"adjoin": SimpleNamespace(report=report)})
    assert without_speed(again) == without_speed(page)
    assert page.figures["given"] == {"players": 3, "variant": "traditional"}
    assert "| players | 3 (given) |" in page.markdown


def test_speed_is_of_one_thread_and_of_all(domiphun: Report) -> None:
    rows = domiphun.figures["speed"]
    assert [(row["agents"], row["threads"]) for row in rows] == [
        ("random", 1),
        ("random", 2),
        ("greedy", 1),
        ("greedy", 2),
    ]
    for row in rows:
        assert row["decisions per second"]["value"] > row["matches per second"]["value"] > 0


# Choices of the caller's.


@pytest.mark.smoke
def test_a_page_without_search() -> None:
    page = made("mapello", search=None, setup="othello")
    assert [step["agent"] for step in page.figures["skill"]] == ["greedy"]
    assert page.figures["measured"]["search"] is None
    assert "search(" not in page.markdown
    assert "search=None" in page.markdown


def test_there_are_fewer_duels_in_longer_games() -> None:
    quick, slow = (
        made("mapello", duels=None, search="search(iterations=1)", games=games) for games in (1, 20)
    )
    assert quick.figures["measured"]["duels"] == EPISODES
    assert slow.figures["length"]["greedy"]["decisions"]["mean"]["value"] > 1000
    assert slow.figures["measured"]["duels"] == 40


def test_progress_goes_up_to_all() -> None:
    heard: list[tuple[int, int]] = []
    report(
        "domiphun",
        episodes=30,
        search="search(iterations=1)",
        threads=1,
        progress=lambda done, total: heard.append((done, total)),
    )
    assert heard == sorted(heard)
    assert {total for _, total in heard} == {100}
    assert heard[-1] == (100, 100)


@cases(
    ("keywords", "words"),
    [
        ({"game": "chess"}, "chess"),
        ({"episodes": 1}, "episodes = 1: must be 2 to"),
        ({"threads": 0}, "threads = 0"),
        ({"seed": -1}, "seed = -1"),
        ({"duels": 1}, "duels = 1: must be 2 to"),
        ({"search": "serch"}, "serch"),
        ({"wals": 3}, "wals"),
    ],
)
def test_wrong_arguments_are_refused_in_words(keywords: dict[str, Any], words: str) -> None:
    with pytest.raises((ValueError, TypeError), match=words):
        report(**{"game": "mapello", "episodes": 5, "progress": False, **keywords})


# Files.


class Page(HTMLParser):
    """Checks that elements are closed in order, and collects what a browser would fetch."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.fetched: list[str] = []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        if tag != "meta":
            self.open.append(tag)
        self.fetched += [str(value) for name, value in attributes if name in ("src", "href")]

    def handle_startendtag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.fetched += [str(value) for name, value in attributes if name in ("src", "href")]

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def checked(html: str) -> Page:
    page = Page()
    page.feed(html)
    page.close()
    assert page.open == []
    return page


def test_a_page_is_whole_and_needs_no_other_file(page: Report) -> None:
    assert checked(page.html).fetched == []
    assert page.html.count("<figure>") == len(page.charts)
    assert "url(" not in page.html
    assert "prefers-color-scheme:dark" in page.html
    assert page._repr_html_() in page.html


def test_a_page_is_saved_with_its_pictures_and_numbers(page: Report, tmp_path: Path) -> None:
    paths = page.save(tmp_path / "new" / "folder")
    names = {path.name for path in paths}
    assert names == {
        *(f"{page.game}.{end}" for end in ("html", "md", "json")),
        *(f"{page.game}-{chart}.svg" for chart in page.charts),
    }
    assert {path.name for path in (tmp_path / "new" / "folder").iterdir()} == names
    folder = paths[0].parent
    markdown = (folder / f"{page.game}.md").read_text("utf-8")
    pictures = re.findall(r"!\[.*\]\((.*)\)", markdown)
    assert len(pictures) == len(page.charts)
    assert set(pictures) <= names
    numbers = json.loads((folder / f"{page.game}.json").read_text("utf-8"))
    assert numbers == json.loads(json.dumps(page.figures))
    assert (folder / f"{page.game}.html").read_text("utf-8") == page.html


def test_a_page_can_be_saved_under_another_name(domiphun: Report, tmp_path: Path) -> None:
    paths = domiphun.save(tmp_path, name="domiphun-advanced")
    assert all(path.name.startswith("domiphun-advanced") for path in paths)
    pictures = re.findall(
        r"!\[.*\]\((.*)\)", (tmp_path / "domiphun-advanced.md").read_text("utf-8")
    )
    assert all((tmp_path / picture).exists() for picture in pictures)
    assert repr(domiphun) == "<Report: Domiphun>"


def test_an_index_links_to_the_pages(domiphun: Report) -> None:
    html = index([domiphun, made("mapello", search=None)])
    assert checked(html).fetched == ["domiphun.html", "mapello.html"]
    assert "greedy among random" in html


def test_all_reports_are_written_by_a_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["report", "--folder", str(tmp_path), "--episodes", "20", "--search", "none"]) == 0
    for name in ("domiphun.html", "metro_domino.html", "metro_domino-skill.svg", "index.html"):
        assert (tmp_path / name).exists()
    linked = checked((tmp_path / "index.html").read_text("utf-8")).fetched
    assert linked == [f"{game}.html" for game in adjoin.games()]
    assert "index.html" in capsys.readouterr().out
