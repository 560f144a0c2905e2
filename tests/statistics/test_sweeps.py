"""Sweeps: every combination as if it were simulated alone, in one table, and on after a stop."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import polars as pl
import pytest
from numpy.typing import NDArray

import adjoin
from adjoin import Sweep, simulate, sweep
from adjoin.statistics.sweep_points import shown, telling
from scaffold import cases

WALES: dict[str, Any] = {"nations": ("Wales",), "rounds": 1, "table": (8, 6)}
"""Mapominoes with short matches; the nations are a fixed list."""
SMALL: dict[str, Any] = {"setup": "othello", "size": 4}
"""The shortest of all: some ten turns."""


def lowest(observations: NDArray[np.uint8], masks: NDArray[np.int8]) -> Any:
    """Play the first legal action."""
    return masks.argmax(axis=1)


def small(num_games: int = 40, **keywords: Any) -> Sweep:
    """Return two dimensions of three and two values, with many figures."""
    return sweep("mapello", num_games, "random", jokers=[0, 4, 8], walls=[0, 4], **keywords)


# The points.


def test_a_point_is_what_simulate_makes_of_its_options() -> None:
    line_ups = ["random", ("greedy", "random")]
    tables = [(8, 6), (14, 10)]
    options: dict[str, Any] = {**WALES, "table": tables, "transit_cards": [32, 8]}
    result = sweep("mapominoes", 30, line_ups, seed=3, players=[2], **options)
    wanted = list(itertools.product([2], tables, [32, 8], line_ups))
    assert [tuple(point.values.values()) for point in result.points] == wanted
    for point, (players, table, cards, agents) in zip(result.points, wanted, strict=True):
        alone = simulate(
            "mapominoes",
            30,
            agents,
            seed=3,
            players=players,
            table=table,
            transit_cards=cards,
            nations=["Wales"],
            rounds=1,
        )
        assert point.summary == alone.summary()
        assert result.table(**point.values) == alone


def test_an_option_that_takes_a_list_is_varied_by_lists() -> None:
    options = {**WALES, "nations": [["Wales"], ("Scotland", "Wales")]}
    result = sweep("mapominoes", 5, **options)
    assert [point.shown["nations"] for point in result.points] == ["(Wales)", "(Scotland, Wales)"]
    given = [json.loads(point.origin.options)["nations"] for point in result.points]
    assert given == [["Wales"], ["Scotland", "Wales"]]


def test_objects_and_functions_are_values_and_are_named() -> None:
    states = adjoin.Atlas.load("us-states")
    first, second = states.sub(regions=states.regions[:9]), states.sub(regions=states.regions[9:20])
    short: dict[str, Any] = {"rounds": 1, "table": (8, 6), "transit_cards": 4, "transit_each": 1}
    result = sweep("mapominoes", 4, ["random", lowest], atlas=[first, second], **short)
    names = [f"{number}. {atlas.name}" for number, atlas in enumerate((first, second), 1)]
    assert [tuple(point.shown.values()) for point in result.points] == [
        *itertools.product(names, ["random", "lowest"])
    ]
    assert result.only(atlas=second).points == result.points[2:]
    assert result.only(agents=lowest).only(atlas=names[0]).points == result.points[1:2]
    played = result.table(atlas=second, agents="lowest")
    assert set(played["agent_0"]) == {"lowest"}
    found = json.loads(json.dumps(result.to_dict()))
    assert found["varied"]["agents"] == ["random", "lowest"]
    assert len(found["varied"]["atlas"][1]["custom"]["regions"]) == 11


def test_values_are_shown_short_and_all_different() -> None:
    long = [["x" * 30, f"{'y' * 9}{last}"] for last in "ab"]
    cut = f"({'x' * 30}, {'y' * 6}…"
    assert shown(long) == [f"1. {cut}", f"2. {cut}"]
    assert shown([*long[:1], "z"]) == [cut, "z"]
    assert shown([True, 1, np.int64(2), 0.5, None, "1"]) == [True, 1, 2, 0.5, None, "1"]
    assert json.dumps(shown([np.int64(2)])) == "[2]"


def test_pools_and_threads_change_nothing_and_progress_hears_of_all_games() -> None:
    told: list[tuple[int, int]] = []
    result = small(progress=lambda done, total: told.append((done, total)))
    assert told[-1] == (240, 240)
    assert [done for done, _ in told] == sorted(done for done, _ in told)
    with ThreadPoolExecutor(2) as pool:
        assert small(executor=pool, threads=2).to_dict() == result.to_dict()


def test_what_simulate_takes_can_be_varied_as_well(tmp_path: Path) -> None:
    result = sweep("mapello", 20, ("greedy", "random"), jokers=0, rotate=[True, False])
    assert str(result).splitlines()[3].startswith("True  ")
    fixed = simulate("mapello", 20, ["greedy", "random"], jokers=0, rotate=False)
    assert result.points[1].summary == fixed.summary()
    assert result.table(rotate=False) == fixed
    kinds = sweep("mapello", 9, record=["episodes", "decisions"], folder=tmp_path)
    assert kinds.points[1].summary == simulate("mapello", 9, "greedy", record="decisions").summary()


def test_positions_to_start_from_can_be_varied(tmp_path: Path) -> None:
    match = adjoin.Match("mapello", seed=1, **SMALL)
    starts = [match.copy()]
    for _ in range(3):
        match.play(match.legal()[0])
    starts.append(match)
    keywords: dict[str, Any] = {"start": starts, "folder": tmp_path}
    result = sweep("mapello", 20, "random", **keywords)
    whole, rest = (row.value for row in result["turns"])
    assert rest < whole
    assert len({point.shown["start"] for point in result.points}) == 2
    assert "\n" not in str(result.points[0].shown["start"])
    assert sweep("mapello", 20, "random", **keywords).points[1].summary == result.points[1].summary
    starts[1] = starts[1].copy()
    starts[1].play(starts[1].legal()[0])
    with pytest.raises(ValueError, match="has another sweep: start is"):
        sweep("mapello", 20, "random", **keywords)


# What is refused.


def never(observations: NDArray[np.uint8], masks: NDArray[np.int8]) -> Any:
    raise AssertionError("nothing may be played")


@cases(
    ("keywords", "message"),
    [
        ({}, "nothing is varied: give an option, or agents, as a list"),
        ({"jokers": []}, r"jokers = \[\]: must have at least one value"),
        ({"jokers": [0, 8, 0]}, "jokers = 0 is there twice"),
        ({"jokers": [0, 9], "walls": [0, 1]}, "jokers = 9, walls = 0: mapello: jokers = 9: the bo"),
        ({"size": [4], "jokrs": 0}, "size = 4: mapello: unknown option `jokrs`"),
        ({"agents": ["greedy", "gredy"]}, 'agents = gredy: unknown agent "gredy": did you mean'),
        ({"agents": [("greedy",) * 3]}, r"agents = \(greedy, greedy, greedy\): agents = 3 of them"),
        ({"size": [4], "num_games": 0}, "num_games = 0"),
        ({"size": [4], "seed": -1}, "seed = -1"),
        ({"size": [4], "threads": 0}, "size = 4: threads = 0"),
        ({"game": "chess", "size": [4]}, '^unknown game "chess"'),
    ],
)
def test_what_cannot_be_played_is_refused_before_anything_is(
    keywords: dict[str, Any], message: str
) -> None:
    chosen = {"game": "mapello", "num_games": 5, "agents": never, **keywords}
    with pytest.raises(ValueError, match=message):
        sweep(**chosen)


def test_a_part_of_the_matches_is_no_sweep() -> None:
    with pytest.raises(TypeError, match="first = 5: a sweep plays all of its matches"):
        sweep("mapello", 5, first=5, jokers=[0, 8])
    with pytest.raises(TypeError, match=r"jokers = 0: agents = 3: must be an agent, or one for ea"):
        sweep("mapello", 5, 3, jokers=[0, 8])  # type: ignore[arg-type]


def test_a_figure_that_no_point_has_is_refused_after_a_match() -> None:
    heard: list[int] = []
    with pytest.raises(adjoin.UnknownNameError, match="no figure 'turn'; did you mean turns"):
        small(figures=["turn"], progress=lambda done, _: heard.append(done))
    assert heard == []


def test_a_point_that_is_not_there_is_refused() -> None:
    result = small(2)
    with pytest.raises(adjoin.UnknownNameError, match="size was not varied: it was jokers and wal"):
        result.only(size=4)
    with pytest.raises(ValueError, match="jokers = 3: must be 0, 4 or 8"):
        result.only(jokers=[0, 3])
    with pytest.raises(ValueError, match=r"2 points have .* table\(jokers=..., walls=...\) names"):
        result.table(jokers=4)


# The table.


def test_it_is_a_table_in_long_and_in_wide_form() -> None:
    result = small()
    frame = result.to_pandas()
    assert list(frame)[:4] == ["jokers", "walls", "figure", "value"]
    assert len(frame) == sum(len(point.summary) for point in result.points)
    turns = simulate("mapello", 40, "random", jokers=4, walls=0).summary()["turns"]
    (row,) = frame[(frame.jokers == 4) & (frame.walls == 0) & (frame.figure == "turns")].values
    assert tuple(row[3:]) == turns[1:]
    wide = result.to_pandas(wide=True)
    pivot = frame.pivot(index=["jokers", "walls"], columns="figure", values="value")
    assert len(wide) == 6
    assert wide.set_index(["jokers", "walls"])[list(pivot)].equals(pivot.rename_axis(columns=None))


def test_a_figure_that_a_point_does_not_have_is_left_out_there() -> None:
    result = sweep("mapominoes", 20, players=[2, 3], **WALES)
    third = result["win share, seat 2"]
    assert [row.at["players"] for row in third] == [3]
    assert str(third).splitlines()[3].split() == ["2"]
    wide = result.to_pandas(wide=True)["win share, seat 2"]
    assert wide.isna().tolist() == [True, False]
    assert third.plot("win share, seat 2").title == "Mapominoes: win share, seat 2 by players"


def test_what_a_single_agent_has_is_found_without_its_name() -> None:
    result = sweep("mapello", 20, ["random", "greedy"], **{**SMALL, "size": [4, 6]})
    scores = result["score"]
    assert [row.value for row in scores] == [
        point.summary[f"score, {point.values['agents']}"].value for point in result.points
    ]
    assert scores.to_pandas(wide=True).columns.tolist() == ["size", "agents", "score"]
    with pytest.raises(ValueError, match="'win share' is several figures: say 'win share, random'"):
        result["win share"]
    mixed = sweep("mapello", 20, [("greedy", "random")], **SMALL)
    with pytest.raises(ValueError, match="say 'score, greedy' or 'score, random'"):
        mixed["score"]


def test_it_prints_a_row_a_point_with_the_figures_that_were_asked_for() -> None:
    assert small(2, figures="turns").figures == ("turns",)
    result = small(figures=["turns", "score"])
    first, gap, *rows = str(result).splitlines()
    assert first == "Mapello: 6 points of 40 matches: random, seed 0"
    assert (gap, rows[0].split(), repr(result)) == (
        "",
        ["jokers", "walls", "turns", "score"],
        str(result),
    )
    assert len({len(row) for row in rows}) == 1
    assert rows[4].split()[:3] == ["4", "4", f"{result.points[3].summary['turns'].value:.1f}"]
    html = result._repr_html_()
    assert html.count("<tr>") == 7
    assert str(result.points[3].summary["score, random"].interval) in html


def test_without_that_it_shows_what_tells_the_points_apart_of_each_kind() -> None:
    result = sweep("mapominoes", 60, "random", table=[(14, 10), (30, 20)], nations=("Wales",))
    head = str(result).splitlines()[2]
    chosen = telling([point.summary for point in result.points])
    kinds = [("win share, seat",), ("decisions", "turns"), ("ended: ",)]
    for figure, starts in zip(chosen, kinds, strict=False):
        assert figure.startswith(starts)
        assert figure in head
    assert len(chosen) == 4
    games_alike = sweep("mapello", 20, "random", jokers=[0, 8])
    assert "rounds" not in telling([point.summary for point in games_alike.points])


def test_repeated_matches_are_told() -> None:
    result = sweep("mapello", 10, lowest, setup="othello", size=[4, 6])
    assert "size = 4: 10 games, 1 distinct match: these agents leave nothing" in str(result)
    assert str(result).endswith("counts once. 1 other point likewise.")
    assert "1 distinct match" in result._repr_html_()
    assert "distinct" not in str(small(4))


# Charts.


def test_numbers_make_lines_and_the_rest_makes_dots() -> None:
    result = sweep("mapello", 30, ["random", "greedy"], jokers=[8, 0, 4], setup="random")
    lines = result.plot("passes")
    assert lines.title == "Mapello: passes by jokers"
    assert lines.svg.count("<polygon") == 2
    assert "agents = greedy" in lines.svg
    dots = result.plot("passes", by="agents")
    assert "<polygon" not in dots.svg
    assert [f"{who}, jokers = {n}" in dots.svg for who in ("random", "greedy") for n in (0, 4)]
    values = [row.interval for row in result["passes"]]
    assert all(str(interval) in dots.svg for interval in values)
    alone = result.only(agents="random")
    assert alone.plot("passes").svg.count("<polygon") == 1
    assert "agents" not in alone.plot("passes").svg
    assert alone.only(jokers=0).plot("passes", by="agents").svg.count("<circle") == 1
    once = sweep("mapello", 1, jokers=[0, 8])
    assert "<polyline" in once.plot("turns").svg or "<path" in once.plot("turns").svg


def test_a_chart_names_every_fair_share() -> None:
    result = sweep("domiphun", 4, "random", players=[2, 4])
    words = "Fair share 0.5 or fair share 0.25; 4 matches each"
    assert words in result.plot("win share, who begins").svg
    assert "Fair share 0.25; 4" in result.only(players=4).plot("win share, who begins").svg


def test_a_line_goes_through_the_values_in_order() -> None:
    forward, backward = (
        sweep("mapello", 30, jokers=values).plot("turns").svg for values in ([0, 4, 8], [8, 0, 4])
    )
    assert forward == backward


@cases(
    ("keywords", "message"),
    [
        ({"by": "size"}, "size was not varied: by must be jokers, walls or agents"),
        ({"over": "jokers"}, "over = 'jokers': must be walls or agents"),
        ({"over": "walls"}, "agents differs, too: name it in over as well, or plot sweep.only"),
        ({"by": "walls"}, r"9 series, and 6 colours: sweep.only\(jokers=...\) has fewer"),
        ({"figure": "turn"}, "no figure 'turn'; did you mean turns"),
    ],
)
def test_a_chart_that_would_mislead_is_refused(keywords: dict[str, Any], message: str) -> None:
    agents: list[Any] = ["random", "greedy", ("greedy", "random")]
    result = sweep("mapello", 2, agents, jokers=[0, 4, 8], walls=[0, 4])
    with pytest.raises((ValueError, adjoin.UnknownNameError), match=message):
        result.plot(**{"figure": "turns", **keywords})
    assert "walls = 0, agents = random" in result.plot("turns", over=["walls", "agents"]).svg


# Stops, and folders.


def stop_at(games: int, told: list[int]) -> Callable[[int, int], None]:
    """Return what hears of progress, and presses Ctrl-C."""

    def hear(done: int, total: int) -> None:
        told.append(done)
        if done >= games:
            raise KeyboardInterrupt

    return hear


def files(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_what_was_finished_before_a_stop_is_on_the_exception() -> None:
    whole = small()
    with pytest.raises(KeyboardInterrupt) as caught:
        small(progress=stop_at(100, []))
    stopped: Sweep = vars(caught.value)["sweep"]
    assert stopped.points == whole.points[:2]
    assert str(stopped).startswith("Mapello: 2 points of 40 matches")

    def failing(observations: NDArray[np.uint8], masks: NDArray[np.int8]) -> Any:
        raise RuntimeError("tired")

    with pytest.raises(adjoin.SimulationError, match="tired") as error:
        sweep("mapello", 4, [lowest, failing], seed=1, jokers=[0], walls=8)
    assert error.value.sweep is not None
    assert [point.shown["agents"] for point in error.value.sweep.points] == ["lowest"]
    assert len(error.value.finished) < 4


def test_a_sweep_in_a_folder_goes_on_where_it_was_stopped(tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    whole = small(250, folder=one)
    assert whole.to_dict() == small(250).to_dict()
    told: list[int] = []
    with pytest.raises(KeyboardInterrupt):
        small(250, folder=two, progress=stop_at(620, told))
    kept = files(two)
    assert sorted(kept) == [
        *(f"jokers=0/walls=0/{name}" for name in _NAMES),
        *(f"jokers=0/walls=4/{name}" for name in _NAMES),
        "jokers=4/walls=0/part-0000000000-0000000100.parquet",
        "sweep.json",
    ]
    again: list[int] = []
    result = small(250, folder=two, progress=lambda done, _: again.append(done))
    assert files(two) == files(one)
    assert result == whole
    assert again[:2] == [250, 500]
    assert min(again[2:]) > 600
    before = {path: path.stat().st_mtime_ns for path in two.rglob("*")}
    assert small(250, folder=two, progress=stop_at(1501, again)).points == whole.points
    assert {path: path.stat().st_mtime_ns for path in two.rglob("*")} == before


_NAMES = (
    "part-0000000000-0000000100.parquet",
    "part-0000000100-0000000200.parquet",
    "part-0000000200-0000000250.parquet",
    "summary.json",
)


def test_a_single_match_comes_back_with_ends_that_are_unknown(tmp_path: Path) -> None:
    one, two = (sweep("mapello", 1, jokers=[0, 8], folder=tmp_path) for _ in range(2))
    assert one == two
    assert not two.points[0].summary["turns"].interval.finite


@cases(
    ("changed", "message"),
    [
        ({"seed": 1}, "has another sweep: seed is 0 there, and 1 here; use another folder"),
        ({"num_games": 6}, "num_games is 5 there, and 6 here"),
        ({"agents": "greedy"}, "agents is 'random' there, and 'greedy' here"),
        ({"jokers": [0, 4]}, r"jokers is \[0, 8\] there, and \[0, 4\] here"),
        ({"walls": 3}, "walls is not given there, and 3 here"),
        ({"game": "mapominoes", "jokers": None, "players": [2]}, "game is 'mapello' there"),
    ],
)
def test_a_folder_of_another_sweep_is_refused_with_the_reason(
    tmp_path_factory: pytest.TempPathFactory, changed: dict[str, Any], message: str
) -> None:
    folder = tmp_path_factory.mktemp("sweep")
    keywords: dict[str, Any] = {
        "game": "mapello",
        "num_games": 5,
        "agents": "random",
        "jokers": [0, 8],
        "folder": folder,
    }
    sweep(**keywords)
    before = files(folder)
    chosen = {key: value for key, value in {**keywords, **changed}.items() if value is not None}
    with pytest.raises(ValueError, match=message):
        sweep(**chosen)
    assert files(folder) == before


def test_damaged_json_is_named_with_what_to_do(tmp_path: Path) -> None:
    keywords: dict[str, Any] = {"jokers": [0, 8], "folder": tmp_path}
    whole = sweep("mapello", 5, **keywords)
    summary = tmp_path / "jokers=8" / "summary.json"
    summary.write_text("{", encoding="utf-8")
    with pytest.raises(ValueError, match=r"jokers=8/summary.json is damaged .*: remove it, and"):
        sweep("mapello", 5, **keywords)
    summary.unlink()
    assert sweep("mapello", 5, **keywords) == whole
    (tmp_path / "sweep.json").write_text("", encoding="utf-8")
    with pytest.raises(ValueError, match=r"sweep.json is damaged .*: use another folder"):
        sweep("mapello", 5, **keywords)


def test_readers_of_parquet_see_what_was_varied_as_columns(tmp_path: Path) -> None:
    options = {**WALES, "table": [(8, 6), (14, 10)]}
    result = sweep("mapominoes", 150, "random", players=[2, 3], folder=tmp_path, **options)
    read = f"read_parquet('{tmp_path}/**/*.parquet', hive_partitioning=true, union_by_name=true)"
    query = f'SELECT players, "table", avg(turns), count(*) FROM {read} GROUP BY ALL ORDER BY ALL'
    rows = duckdb.execute(query).fetchall()
    found = {(int(p), str(t)): (mean, n) for p, t, mean, n in rows}
    for row in result["turns"]:
        words = str(row.at["table"]).replace(", ", ",")
        assert found[int(str(row.at["players"])), words] == (pytest.approx(row.value), 150)
    frame = pl.read_parquet(tmp_path / "players=2" / "**/*.parquet", hive_partitioning=True)
    assert set(frame["table"]) == {"(8,6)", "(14,10)"}
