"""Tables: numpy, pandas, polars, DuckDB, Arrow, Parquet, and how they look."""

from __future__ import annotations

import gc
import json
import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import adjoin
from adjoin import Table, _core
from scaffold import cases


@pytest.fixture(params=[("mapominoes", "episodes"), ("connections", "decisions")], ids=str)
def table(request: pytest.FixtureRequest) -> Table:
    """Rows of either kind, of games with many columns."""
    game, record = request.param
    return adjoin.simulate(game, 30, "random", seed=3, record=record)


def as_lists(table: Table) -> dict[str, list[Any]]:
    return {name: column.tolist() for name, column in table.to_numpy().items()}


def test_everybody_reads_the_same(table: Table) -> None:
    expected = as_lists(table)
    assert pl.DataFrame(table).to_dict(as_series=False) == expected
    assert table.to_polars().to_dict(as_series=False) == expected
    assert pa.table(table).to_pydict() == expected
    frame = table.to_pandas()
    assert frame.to_dict(orient="list") == expected
    assert isinstance(frame, pd.DataFrame)


def test_duckdb_reads_a_table_by_its_name(table: Table) -> None:
    games = table
    found = duckdb.sql("SELECT count(*), sum(episode) FROM games")
    assert games is table
    assert found is not None
    assert found.fetchall() == [(len(table), int(table["episode"].sum()))]


def test_text_is_categorical(table: Table) -> None:
    name = "ended" if table.record == "episodes" else "words"
    assert table.to_polars()[name].dtype == pl.Categorical
    assert isinstance(table.to_pandas()[name].dtype, pd.CategoricalDtype)
    codes, labels = table.codes(name)
    assert [labels[code] for code in codes] == table[name].tolist()
    with pytest.raises(TypeError, match=r'^episode holds numbers: table\["?\'?episode'):
        table.codes("episode")


def test_nothing_is_copied_on_the_way_to_arrow(table: Table) -> None:
    arrow = pa.table(table)
    for name in ("episode", "seat") if table.record == "decisions" else ("episode", "turns"):
        buffer = arrow[name].chunk(0).buffers()[1]
        assert buffer.address == table[name].ctypes.data


def test_what_arrow_borrowed_outlives_the_table() -> None:
    table = adjoin.simulate("mapello", 500)
    expected = table["turns"].tolist()
    arrow = pa.table(table)
    stream = table.__arrow_c_stream__()
    del table
    assert arrow["turns"].to_pylist() == expected
    del arrow, stream


def test_arrow_knows_what_the_columns_mean(table: Table) -> None:
    arrow = pa.table(table)
    assert pa.schema(table) == arrow.schema
    told = {field.name: field.metadata[b"meaning"].decode() for field in arrow.schema}
    assert told == table.meanings
    assert all(told.values())
    assert not any(field.nullable for field in arrow.schema)


def test_a_column_outlives_its_table() -> None:
    table = adjoin.simulate("mapello", 500)
    expected, column = table["turns"].tolist(), table["turns"]
    del table
    gc.collect()
    assert column.tolist() == expected


def test_a_pickled_table_comes_back(table: Table) -> None:
    again = pickle.loads(pickle.dumps(table))
    assert again == table
    assert again != table[1:]
    assert again.meanings == table.meanings
    assert pa.table(again).schema == pa.table(table).schema


NUMBERS = np.arange(3, dtype=np.int32)


@cases(
    ("columns", "labels", "error", "words"),
    [
        ({}, {}, ValueError, "at least one column"),
        ({"a": NUMBERS, "b": NUMBERS[1:]}, {}, ValueError, "must have the same length"),
        ({"a": NUMBERS.astype(np.float64)}, {}, TypeError, "a: expected .* float32; got float64"),
        ({"a": NUMBERS[::2]}, {}, TypeError, "a: expected an array in C order"),
        ({"a": NUMBERS[None]}, {}, TypeError, "a: expected an array in C order, of one dimension"),
        ({"a": [1, 2]}, {}, TypeError, "a: expected .*; got <class 'list'>"),
        ({"a": NUMBERS.astype(np.uint8)}, {"a": "xyz"}, TypeError, "as int32, got UInt8"),
        ({"a": NUMBERS}, {"a": ["x", "y"]}, ValueError, "dictionary key 2"),
        ({"a": NUMBERS - 1}, {"a": ["x", "y"]}, ValueError, "dictionary key -1"),
    ],
)
def test_columns_that_make_no_table_are_refused(
    columns: dict[str, Any], labels: dict[str, Any], error: type[Exception], words: str
) -> None:
    with pytest.raises(error, match=words):
        _core.Table(columns, {}, {name: list(of) for name, of in labels.items()})


def test_labels_of_joined_columns_are_those_of_all() -> None:
    pair = np.array([1, 0], np.int32)
    one, two = (_core.Table({"a": pair}, {}, {"a": labels}) for labels in (["x", "y"], ["z", "x"]))
    both = _core.Table.concat([one, two, one])
    assert both.labels("a") == ("x", "y", "z")
    assert both.column("a").tolist() == [1, 0, 0, 2, 1, 0]
    other = one.with_column("b", pair, "")
    with pytest.raises(ValueError, match="tables with different columns cannot be joined"):
        _core.Table.concat([one, other])
    assert _core.Table.concat([one, other.select(["a"])]).num_rows == 4


def test_columns_cannot_be_changed(table: Table) -> None:
    with pytest.raises(ValueError, match="read-only"):
        table["episode"][0] = 1


def test_an_unknown_column_is_named(table: Table) -> None:
    with pytest.raises(KeyError, match=r"no column 'tunrs': the columns are .*episode"):
        table["tunrs"]


def test_a_table_by_seat(game: str) -> None:
    table = adjoin.simulate(game, 20, seed=3)
    seats = table.by_seat()
    assert len(seats) == 20 * table.seats
    for name in ("won", "return", "score", "agent"):
        assert seats[name].tolist() == table.each_seat(name).ravel().tolist()
    assert seats["episode"].tolist() == [n for n in range(20) for _ in range(table.seats)]
    assert seats["seat"].tolist() == list(range(table.seats)) * 20
    assert not any(name.endswith("_0") for name in seats.columns)
    assert pl.DataFrame(seats).height == len(seats)
    with pytest.raises(ValueError, match="needs a table of episodes"):
        seats.by_seat()


# Joined tables.


def named(action: int) -> Any:
    """Return an agent that is called like others."""

    def agent(observations: Any, masks: Any) -> Any:
        return masks.argmax(axis=1) + 0 * action

    return agent


@cases(
    ("one", "other", "words"),
    [
        ({"game": "domiphun"}, {}, "of different games cannot be joined: domiphun and mapello"),
        ({"record": "decisions"}, {}, "different kinds of rows cannot be joined: decisions and ep"),
        (
            {"game": "domiphun", "players": 3},
            {"game": "domiphun"},
            "different numbers of players cannot be joined: 3 and 2",
        ),
        ({"first": 4}, {}, "episode 4 of seed 0 is there twice"),
        ({"agents": named(0)}, {"agents": named(1)}, "two different agents are called 'agent'"),
    ],
)
def test_what_does_not_belong_together_is_not_joined(
    one: dict[str, Any], other: dict[str, Any], words: str
) -> None:
    tables = [adjoin.simulate(**{"game": "mapello", "episodes": 5, **k}) for k in (one, other)]
    with pytest.raises(ValueError, match=words):
        Table.join(tables)
    with pytest.raises(ValueError, match="there are no tables to join"):
        Table.join([])


def several(game: str, **keywords: Any) -> list[Table]:
    """Return tables of runs with other agents, seeds, numbers and orders of seats."""
    seats = adjoin.Match(game).spec.seats
    others = ["random"] * (seats - 1)
    return [
        adjoin.simulate(game, 9, ["greedy", *others], seed=1, **keywords),
        adjoin.simulate(game, 8, [*others, "greedy"], seed=2, rotate=False, **keywords),
        adjoin.simulate(game, 7, [*others, "easy"], seed=2, first=3, **keywords),
    ]


@cases("record", ["episodes", "decisions"])
def test_a_joined_table_keeps_who_is_who(game: str, record: str) -> None:
    tables = several(game, record=record, max_decisions=60)
    joined = Table.join(tables)
    assert [run.seed for run in joined.runs] == [1, 2, 2]
    assert joined.agents == ("greedy", "random", "easy")
    texts = [name for name in joined if name.startswith("agent")]
    for name in ("episode", *texts):
        assert joined[name].tolist() == [entry for table in tables for entry in table[name]]
    begin = 0
    for number, table in enumerate(tables):
        rows = joined[begin : begin + len(table)]
        assert set(rows["run"]) == {number}
        for row in (0, len(table) - 1):
            assert rows.replay(row).save() == table.replay(row).save()
        begin += len(table)
    assert joined.summary().title.endswith("; random against easy, seeds 1, 2")


def test_a_joined_agent_has_its_own_share_of_wins() -> None:
    tables = [
        adjoin.simulate("mapello", 200, agents, seed=seed)
        for seed, agents in ((1, ["greedy", "random"]), (2, ["random", "greedy"]))
    ]
    won = [table.summary()["win share, greedy"].value for table in tables]
    joined = Table.join(tables)
    assert joined.summary()["win share, greedy"].value == pytest.approx(np.mean(won))
    assert min(won) > 0.85
    seats = joined.by_seat()
    assert seats["won"][seats["agent"] == "greedy"].mean() == pytest.approx(np.mean(won))
    assert seats.replay(2 * 250).save() == tables[1].replay(50).save()


def test_a_joined_table_has_no_single_seed_or_options() -> None:
    options: list[dict[str, Any]] = [{"jokers": 0}, {"jokers": 8}]
    joined = Table.join([adjoin.simulate("mapello", 5, seed=3, **more) for more in options])
    assert joined.seed == 3
    assert [json.loads(run.options) for run in joined.runs] == options
    with pytest.raises(ValueError, match=r"differ in options: table\.runs has them"):
        joined.options  # noqa: B018
    with pytest.raises(ValueError, match=r"comes from 2 runs: table\.runs has them"):
        joined.origin  # noqa: B018
    assert "different options" in repr(joined)


@pytest.mark.smoke
def test_parts_of_one_run_are_one_run_again() -> None:
    whole = adjoin.simulate("mapello", 30, ["greedy", "random"], seed=3)
    parts = [adjoin.simulate("mapello", 10, ["greedy", "random"], seed=3, first=n) for n in (20, 0)]
    joined = Table.join([whole[10:20], *parts])
    assert "run" not in joined
    assert Table.join([joined[20:], joined[:10], joined[10:20]]) == whole
    other = adjoin.simulate("mapello", 5, seed=4)
    twice = Table.join([Table.join([parts[1], other]), parts[0]])
    assert twice["run"].tolist() == [0] * 10 + [1] * 5 + [0] * 10
    assert len(twice.runs) == 2


def test_agents_of_one_name_in_one_run_are_joined_with_themselves() -> None:
    agents = [named(0), named(1)]
    whole = adjoin.simulate("mapello", 30, agents, seed=3)
    assert adjoin.simulate("mapello", 30, agents, seed=3, part=7) == whole
    assert Table.join([whole[:0], whole[:0]]) == whole[:0]


def test_a_joined_table_is_written_with_all_its_runs(tmp_path: Path) -> None:
    joined = Table.join(several("mapello"))
    path = joined.to_parquet(tmp_path / "games.parquet")
    assert pl.read_parquet(path)["run"].to_list() == joined["run"].tolist()
    runs = json.loads(pq.read_schema(path).metadata[b"adjoin"])
    assert [run["agents"] for run in runs] == [list(run.agents) for run in joined.runs]


# Some of the rows.


def test_rows_are_chosen_by_slice_mask_and_number(table: Table) -> None:
    mask = table["episode"] % 3 == 1
    chosen: dict[str, tuple[Table, list[int]]] = {
        "slice": (table[5:25:7], [5, 12, 19]),
        "mask": (table[mask], np.flatnonzero(mask).tolist()),
        "list": (table[[4, -1, 0]], [4, len(table) - 1, 0]),
        "head": (table.head(), [0, 1, 2, 3, 4]),
        "tail": (table.tail(2), [len(table) - 2, len(table) - 1]),
        "more than all": (table.tail(10**6), list(range(len(table)))),
        "none": (table[[]], []),
    }
    for some, rows in chosen.values():
        for name in table:
            assert some[name].tolist() == table[name][rows].tolist()
        for place in {0, len(rows) - 1} if rows else ():
            assert some.replay(place).save() == table.replay(rows[place]).save()


def test_a_summary_is_of_the_chosen_rows() -> None:
    table = adjoin.simulate("mapello", 300, ["greedy", "random"], seed=2)
    long = table[table["turns"] > table["turns"].mean()]
    assert long.summary()["turns"].value == pytest.approx(long["turns"].mean())
    assert long.summary().title.startswith(f"{len(long)} matches")
    with pytest.raises(ValueError, match="a table without rows has no summary"):
        table[:0].summary()


@cases(
    ("key", "error", "words"),
    [
        (3, TypeError, r"table\[3\]: its row is table\[3:4\]; .* a match is table.replay"),
        (["turns"], TypeError, "takes the name of a column, a slice, a mask or numbers of rows"),
        ([0.5], TypeError, "takes the name of a column"),
        ([True], IndexError, "a mask of 1 for a table of 10 rows"),
        ([3, 10], IndexError, "no row 10: the table has 10 rows"),
        ([-11], IndexError, "no row -11: the table has 10 rows"),
    ],
)
def test_rows_that_are_not_there_are_named(key: Any, error: type[Exception], words: str) -> None:
    table = adjoin.simulate("mapello", 10)
    with pytest.raises(error, match=words):
        table[key]
    with pytest.raises(IndexError, match="no row 10: the table has 10 rows"):
        table.replay(10)


# Rows by what they have.


@pytest.fixture(scope="module")
def variants() -> Table:
    """Runs that differ in agents and in an option."""
    runs = [
        adjoin.simulate("mapello", 60, ["greedy", "random"], seed=1, jokers=8),
        adjoin.simulate("mapello", 50, ["random", "easy"], seed=1, jokers=0),
        adjoin.simulate("mapello", 40, ["greedy", "easy"], seed=2, jokers=8),
    ]
    return Table.join(runs)


def test_a_filter_keeps_what_a_loop_keeps(variants: Table) -> None:
    rows = variants.to_pandas().to_dict("records")
    jokers = [json.loads(variants.runs[row["run"]].options)["jokers"] for row in rows]
    expected: list[tuple[Table, Callable[[int], Any]]] = [
        (variants.filter(ended="no moves"), lambda n: rows[n]["ended"] == "no moves"),
        (variants.filter(winner=[-1, 1]), lambda n: rows[n]["winner"] != 0),
        (
            variants.filter(variants["turns"] > 60, agent_0="greedy", won_0=1),
            lambda n: rows[n]["turns"] > 60 and rows[n]["agent_0"] == "greedy" and rows[n]["won_0"],
        ),
        (
            variants.filter(jokers=8, agent_1=("random", "easy")),
            lambda n: jokers[n] == 8 and rows[n]["agent_1"] in ("random", "easy"),
        ),
        (variants.filter(digest=int(rows[7]["digest"])), lambda n: n == 7),
        (variants.filter(ended="cut off"), lambda n: False),
        (variants.filter(turns=range(60, 62)), lambda n: rows[n]["turns"] in (60, 61)),
        (variants.filter(), lambda n: True),
    ]
    for found, keeps in expected:
        kept = [n for n in range(len(rows)) if keeps(n)]
        pairs = zip(found["episode"], found["digest"], strict=True)
        assert list(pairs) == [(rows[n]["episode"], rows[n]["digest"]) for n in kept]


def test_what_is_filtered_knows_the_runs_that_are_left(variants: Table) -> None:
    most = variants.filter(jokers=8)
    assert most.runs == (variants.runs[0], variants.runs[2])
    assert most.options == {"jokers": 8}
    assert most["run"].tolist() == [0] * 60 + [1] * 40
    assert most.replay(70).save() == variants.replay(120).save()
    one = variants.filter(run=1)
    assert (one.options, one.seed, "run" in one) == ({"jokers": 0}, 1, False)
    assert one.replay(3).save() == variants.replay(63).save()
    assert variants.filter(turns=0).runs == variants.runs


def test_an_option_that_is_a_list_is_a_value() -> None:
    tables = [
        adjoin.simulate("mapominoes", 2, nations=["Wales"], rounds=1, table=size)
        for size in ((8, 6), (10, 8))
    ]
    joined = Table.join(tables)
    assert len(joined.filter(table=(8, 6))) == len(joined.filter(table=[[8, 6]])) == 2
    groups = joined.group("table")
    assert list(groups) == [(8, 6), (10, 8)]
    assert groups[[10, 8]] == tables[1]
    assert len(joined.group("rounds")[1]) == 4, "a column goes before an option"


def test_groups_are_all_rows_by_value(variants: Table) -> None:
    expected: dict[str, list[Any]] = {
        "ended": [w for w in ("board full", "no moves", "no discs") if w in variants["ended"]],
        "winner": [-1, 0, 1],
        "agent_0": ["greedy", "random", "easy"],
        "jokers": [8, 0],
        "run": [0, 1, 2],
        "setup": ["random"],
    }
    for name, values in expected.items():
        groups = variants.group(name)
        assert list(groups) == values
        assert sum(map(len, groups.values())) == len(variants)
        for value, table in groups.items():
            assert table == variants.filter(**{name: value})
            assert table.runs == variants.filter(**{name: value}).runs
    jokers = variants.group("jokers")
    assert str(jokers.summary()[0]) == str(variants.filter(jokers=0).summary())
    assert repr(jokers).splitlines() == [
        f"<Groups by jokers of {variants._caption()}>",
        "8  100",
        "0  50",
    ]


@cases(
    ("call", "error", "words"),
    [
        (lambda t: t.filter(endd=1), KeyError, "no column or option 'endd'; did you mean 'ended'"),
        (lambda t: t.filter(ended="no movs"), KeyError, "no row can have ended = 'no movs'; did"),
        (lambda t: t.filter(ended=3), KeyError, "no row can have ended = 3: there are 'board"),
        (lambda t: t.filter(turns="60"), TypeError, "turns = '60': must be a number, or several"),
        (lambda t: t.filter(t["turns"]), TypeError, "must be a mask, True or False for each row"),
        (lambda t: t.filter([True]), IndexError, "a mask of 1 for a table of 150 rows"),
        (lambda t: t.group("jokes"), KeyError, "no column or option 'jokes'; did you mean 'jok"),
        (lambda t: t.group("winner")[2], KeyError, "no row has winner = 2: there are -1, 0, 1"),
    ],
)
def test_what_no_row_has_is_refused_with_what_there_is(
    variants: Table, call: Callable[[Table], Any], error: type[Exception], words: str
) -> None:
    with pytest.raises(error, match=words):
        call(variants)


def test_labels_that_no_row_has_are_not_there(tmp_path: Path) -> None:
    table = adjoin.simulate("mapello", 300, seed=5, setup="othello", size=4)
    rare = table[table["ended"] != "no moves"]
    assert rare.codes("ended", unused=True)[1] == ("board full", "no moves", "no discs", "cut off")
    frame = rare.to_pandas()
    counts = frame["ended"].value_counts()
    assert set(counts.index) == set(frame["ended"].cat.categories) == {"board full", "no discs"}
    assert list(frame["ended"].cat.categories) == ["board full", "no discs"]
    assert len(frame.groupby("ended", observed=False)["turns"].mean()) == 2
    assert pa.table(rare)["ended"].chunk(0).dictionary.to_pylist() == ["board full", "no discs"]
    again = pd.read_parquet(rare.to_parquet(tmp_path / "rare.parquet"))
    assert list(again["ended"].cat.categories) == ["board full", "no discs"]
    words = adjoin.simulate("mapominoes", 1, record="decisions")
    assert set(words.codes("words")[1]) == set(words["words"])
    assert pa.table(table[:0]).num_rows == len(table[:0].to_pandas()) == 0


def test_labels_of_parts_are_in_the_game_s_order() -> None:
    table = adjoin.simulate("mapello", 300, seed=5, setup="othello", size=4)
    begin = int(np.flatnonzero(table["ended"] == "no discs")[0])
    turned = Table.join([table[begin : begin + 1], table[:begin], table[begin + 1 :]])
    assert turned.codes("ended")[1] == table.codes("ended")[1]


def test_who_sits_where_is_what_the_columns_say(game: str) -> None:
    for seed in (0, 5, 2**64 - 3):
        table = adjoin.simulate(game, 12, seed=seed, max_decisions=5)
        table = Table.join([table, *several(game, max_decisions=5)])
        codes, names = table.seated()
        assert np.array(names)[codes].tolist() == table.each_seat("agent").tolist()


def test_a_match_that_goes_differently_is_not_passed_off_as_the_row_s() -> None:
    lots = np.random.default_rng(1)

    def dicer(observations: Any, masks: Any) -> Any:
        return (lots.random(masks.shape) * masks).argmax(axis=1)

    table = adjoin.simulate("mapello", 5, [dicer, "random"])
    with pytest.raises(ValueError, match="episode 2 went differently this time: an agent"):
        table.replay(2)
    decisions = adjoin.simulate("mapello", 5, [dicer, "random"], record="decisions")
    assert decisions.replay(20).history[-1] == decisions["words"][20]


def test_a_table_shows_itself(table: Table) -> None:
    text = repr(table)
    assert text.startswith(f"<Table of {len(table):,} ")
    html = table._repr_html_()
    assert html.count("<th ") == len(table.columns)
    assert html.count("<tr>") == 10
    assert all(f"{name}</th>" in html for name in table.columns)
    small = adjoin.simulate(table.game, 2)._repr_html_()
    assert small.count("<tr>") == 3


def test_names_in_html_are_escaped() -> None:
    def agent(observations: Any, masks: Any) -> Any:
        return masks.argmax(axis=1)

    agent.__name__ = "<b>&"
    html = adjoin.simulate("mapello", 2, agent)._repr_html_()
    assert "<b>" not in html
    assert "&lt;b&gt;&amp;" in html


def test_parquet_comes_back(table: Table, tmp_path: Path) -> None:
    path = table.to_parquet(tmp_path / "games.parquet")
    assert pq.read_table(path).to_pydict() == as_lists(table)
    assert pl.read_parquet(path).height == len(table)
    assert len(pd.read_parquet(path)) == len(table)
    origin = json.loads(pq.read_schema(path).metadata[b"adjoin"])
    assert (origin["game"], origin["seed"]) == (table.game, 3)
    assert os.listdir(tmp_path) == ["games.parquet"]


def test_a_stream_is_the_table_in_parts(tmp_path: Path) -> None:
    stream = adjoin.simulate("mapello", 1000, seed=5, stream=True, part=300)
    whole = adjoin.simulate("mapello", 1000, seed=5)
    assert len(stream) == 4
    assert Table.join(list(stream)) == whole
    folder = stream.to_parquet(tmp_path / "games")
    assert sorted(os.listdir(folder))[0] == "part-0000000000-0000000300.parquet"
    together = pl.scan_parquet(folder / "*.parquet").collect()
    assert together.to_dict(as_series=False) == as_lists(whole)


def test_a_stream_goes_on_where_it_was_stopped(tmp_path: Path) -> None:
    def run(progress: Any = False, seed: int = 5, part: int = 100) -> Path:
        stream = adjoin.simulate(
            "mapello", 500, seed=seed, stream=True, part=part, progress=progress
        )
        return stream.to_parquet(tmp_path)

    def stop(done: int, total: int) -> None:
        if done >= 250:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(stop)
    kept = {path: path.stat().st_mtime_ns for path in tmp_path.iterdir()}
    assert len(kept) == 2
    run()
    assert len(list(tmp_path.iterdir())) == 5
    assert {path: path.stat().st_mtime_ns for path in kept} == kept
    together = pl.scan_parquet(tmp_path / "*.parquet").collect()
    whole = adjoin.simulate("mapello", 500, seed=5)
    assert together.to_dict(as_series=False) == as_lists(whole)
    with pytest.raises(ValueError, match="comes from another run: write to another folder"):
        run(seed=6)
    with pytest.raises(ValueError, match="holds other episodes than this run asks for"):
        run(part=200)


def stream_to(folder: Path, seed: int = 5, record: Any = "episodes") -> list[Path]:
    """Write three parts, or go on with them, and return their paths."""
    stream = adjoin.simulate(
        "mapello", 30, seed=seed, stream=True, part=10, progress=False, record=record
    )
    return sorted(stream.to_parquet(folder).iterdir())


def rewritten(path: Path, change: Callable[[Any], Any]) -> None:
    """Replace a file by one with other rows and the same metadata."""
    table = pq.ParquetFile(path).read()
    pq.write_table(change(table).replace_schema_metadata(table.schema.metadata), path)


def doubled(table: Any) -> Any:
    """Return a table in which one number is another."""
    turns = table["turns"].to_numpy().copy()
    turns[3] *= 2
    at = table.column_names.index("turns")
    return table.set_column(at, "turns", [turns])


@pytest.mark.parametrize("record", ["episodes", "decisions"])
@cases(
    ("damage", "message"),
    [
        (lambda path: path.write_bytes(b""), "is empty"),
        (lambda path: path.write_bytes(path.read_bytes()[:-700]), "is damaged"),
        (lambda path: path.write_bytes(b"PAR1"), "is damaged"),
        (lambda path: path.write_bytes(bytes(5000)), "is damaged"),
        (lambda path: rewritten(path, lambda t: t.slice(1)), "is damaged .its checksum is wrong"),
        (
            lambda path: rewritten(path, lambda t: t.slice(0, 0)),
            "is damaged .its checksum is wrong",
        ),
    ],
)
def test_a_part_that_is_damaged_is_named_before_anything_is_played(
    tmp_path: Path, record: str, damage: Callable[[Path], Any], message: str
) -> None:
    _, second, third = stream_to(tmp_path, record=record)
    whole = second.read_bytes()
    third.unlink()
    damage(second)
    again = "remove it, and the same call plays its episodes again"
    with pytest.raises(ValueError, match=rf"{second.name} {message}.*: {again}"):
        stream_to(tmp_path, record=record)
    assert not third.exists()
    second.unlink()
    assert stream_to(tmp_path, record=record)[1].read_bytes() == whole
    assert third.exists()


def test_a_number_that_was_changed_in_a_part_is_found(tmp_path: Path) -> None:
    first, *_ = stream_to(tmp_path)
    rewritten(first, lambda table: table)
    stream_to(tmp_path)
    rewritten(first, doubled)
    with pytest.raises(ValueError, match=rf"{first.name} is damaged \(its checksum is wrong\)"):
        stream_to(tmp_path)


def test_parts_that_changed_places_are_named(tmp_path: Path) -> None:
    first, second, _ = stream_to(tmp_path)
    contents = first.read_bytes(), second.read_bytes()
    second.write_bytes(contents[0])
    first.write_bytes(contents[1])
    with pytest.raises(ValueError, match=r"holds 10 episodes from 10 on instead of 10 from 0 on"):
        stream_to(tmp_path)


def test_parts_from_elsewhere_are_named(tmp_path: Path) -> None:
    first, *_ = stream_to(tmp_path / "mine")
    other, *_ = stream_to(tmp_path / "other", seed=6)
    first.write_bytes(other.read_bytes())
    with pytest.raises(ValueError, match=rf"{first.name} comes from another run: write to another"):
        stream_to(tmp_path / "mine")
    pq.write_table(pq.read_table(other).replace_schema_metadata(None), first)
    with pytest.raises(ValueError, match=rf"{first.name} comes from another run"):
        stream_to(tmp_path / "mine")


def test_a_file_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    table = adjoin.simulate("mapello", 10)
    with pytest.raises(OSError, match=r"nowhere/games\.parquet could not be written"):
        table.to_parquet(tmp_path / "nowhere" / "games.parquet")
    with pytest.raises(IsADirectoryError, match="is a folder: name a file"):
        table.to_parquet(tmp_path)
    assert list(tmp_path.iterdir()) == []


LIMITED = """
import resource
import signal
import sys
import adjoin
resource.setrlimit(resource.RLIMIT_FSIZE, (60_000, 60_000))
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
table = adjoin.simulate("mapello", 20_000)
try:
    table.to_parquet(sys.argv[1] + "/games.parquet")
except OSError as error:
    print(error)
print(len(table))
"""
"""A disk with little room: no file may grow beyond a limit."""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="limits of file size are Unix")
def test_a_full_disk_leaves_no_half_file_and_the_table(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", LIMITED, str(tmp_path)], capture_output=True, text=True
    )
    assert "games.parquet could not be written" in done.stdout, done.stderr
    assert done.stdout.splitlines()[-1] == "20000"
    assert list(tmp_path.iterdir()) == []


FULL = """
import sys
import adjoin
folder = sys.argv[1]
stream = adjoin.simulate("mapello", 60_000, stream=True, part=2_000, progress=False)
try:
    stream.to_parquet(folder)
except OSError as error:
    print(error)
"""


def mount(folder: Path, size: str) -> bool:
    """Tell whether a file system of that size could be mounted."""
    command = ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(folder)]
    try:
        return subprocess.run(command, capture_output=True).returncode == 0
    except OSError:
        return False


def test_files_that_were_finished_survive_a_full_disk(tmp_path: Path) -> None:
    if not mount(tmp_path, "512k"):
        pytest.skip("no right to mount a small disk here")
    try:
        done = subprocess.run(
            [sys.executable, "-c", FULL, str(tmp_path)], capture_output=True, text=True
        )
        files = sorted(os.listdir(tmp_path))
        assert 0 < len(files) < 30
        assert f"{len(files)} of 30 files are finished and stay in" in done.stdout, done.stderr
        assert "the same call goes on after them" in done.stdout
        rows = pl.scan_parquet(tmp_path / "*.parquet").collect()
        assert rows.height == 2_000 * len(files)
    finally:
        subprocess.run(["umount", str(tmp_path)], check=False)


HIDDEN = """
import sys
sys.modules[sys.argv[1]] = None
import adjoin
table = adjoin.simulate("mapello", 5)
try:
    getattr(table, sys.argv[2])(*sys.argv[3:])
except ImportError as error:
    print(error)
print(table["turns"].sum())
"""


@cases(
    ("module", "call", "message"),
    [
        ("pandas", ["to_pandas"], "this needs pandas: pip install 'pandas'"),
        ("polars", ["to_polars"], "this needs polars: pip install 'polars'"),
        ("pyarrow", ["to_parquet", "x.parquet"], "pip install 'adjoin[parquet]'"),
    ],
)
def test_what_is_not_installed_is_named(module: str, call: list[str], message: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", HIDDEN, module, *call], capture_output=True, text=True, check=True
    )
    first, second = done.stdout.splitlines()
    assert message in first
    assert int(second) > 0


def test_a_table_of_numbers_adds_up(game: str) -> None:
    table = adjoin.simulate(game, 50, seed=1)
    decisions = adjoin.simulate(game, 50, seed=1, record="decisions")
    assert len(decisions) == table["decisions"].sum()
    counts = np.bincount(decisions["episode"], minlength=50)
    assert counts.tolist() == table["decisions"].tolist()
