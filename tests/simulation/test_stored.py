"""Tables in files: what was written comes back, column by column, or is refused with the reason."""

from __future__ import annotations

import pickle
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import adjoin
from adjoin import Table
from scaffold import cases

QUICK: dict[str, Any] = {"setup": "othello", "size": 4}
"""Matches of a dozen decisions, some of which end in a rare way."""


def stream_to(folder: Path, episodes: int = 300, part: int = 20, **keywords: Any) -> list[Path]:
    """Write a folder of parts and return their paths."""
    options: dict[str, Any] = {"seed": 5, "progress": False, **QUICK, **keywords}
    stream = adjoin.simulate("mapello", episodes, stream=True, part=part, **options)
    return sorted(stream.to_parquet(folder).iterdir())


def whole(**keywords: Any) -> Table:
    """Return what is in such a folder."""
    table: Table = adjoin.simulate("mapello", 300, **{"seed": 5, **QUICK, **keywords})
    return table


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A stream of matches in which rare ends are not in every part."""
    return stream_to(tmp_path / "games")[0].parent


def same(read: Table, table: Table) -> bool:
    """Tell whether a table that was read is another, with all that it knows."""
    return (read, read.runs, read.meanings, read.agents) == (
        table,
        table.runs,
        table.meanings,
        table.agents,
    )


# What comes back.


@pytest.mark.smoke
@cases(("game", "record"), [("mapominoes", "episodes"), ("connections", "decisions")])
def test_a_file_is_the_table_again(game: str, record: Any, tmp_path: Path) -> None:
    agents = ["greedy", *["random"] * (adjoin.Match(game).spec.seats - 1)]
    table = adjoin.simulate(game, 12, agents, seed=3, record=record, max_decisions=80)
    read = Table.read_parquet(table.to_parquet(tmp_path / f"{game}.parquet"))
    assert same(read, table)
    assert [read[name].dtype for name in read] == [table[name].dtype for name in table]
    assert str(read.summary()) == str(table.summary())
    assert repr(read) == repr(table)
    assert read._repr_html_() == table._repr_html_()
    for row in (0, -1):
        assert read.replay(row).save() == table.replay(row).save()
    seats = table.by_seat() if record == "episodes" else table
    assert same(Table.read_parquet(seats.to_parquet(tmp_path / "seats.parquet")), seats)


def test_a_folder_is_the_run_again(folder: Path) -> None:
    read, table = Table.read_parquet(folder), whole()
    assert same(read, table)
    assert str(read.summary()) == str(table.summary())
    assert read.replay(250).save() == table.replay(250).save()
    assert same(Table.read_parquet(*sorted(folder.iterdir())), table)
    assert Table.join([read[:100], table[100:]]) == table
    assert read.by_seat() == table.by_seat()
    assert pickle.loads(pickle.dumps(read)) == table


def test_rows_of_files_are_chosen_as_in_memory(folder: Path) -> None:
    read, table = Table.read_parquet(folder), whole()
    chosen: list[Any] = [
        *(slice(5, 290, 7), slice(None, None, -1), slice(0, 0), [299, 3, 3, -1, 150]),
        table["turns"] < 11,
    ]
    for key in chosen:
        assert read[key] == table[key]
        assert read[key][::2] == table[key][::2]
        assert pa.table(read[key]).equals(pa.table(table[key]))
    for wrong in (300, -301):
        with pytest.raises(IndexError, match=f"no row {wrong}: the table has 300 rows"):
            read[[wrong]]
    with pytest.raises(KeyError, match=r"no column 'tunrs': the columns are .*turns"):
        read["tunrs"]
    with pytest.raises(ValueError, match="read-only"):
        read["turns"][0] = 1


def test_others_read_files_through_the_table(folder: Path) -> None:
    games, table = Table.read_parquet(folder), whole()
    assert pa.table(games).equals(pa.table(table))
    assert pa.table(games).schema.equals(pa.table(table).schema, check_metadata=True)
    assert pa.schema(games) == pa.schema(table)
    assert games.to_polars().equals(table.to_polars())
    assert games.to_pandas().equals(table.to_pandas())
    query = "SELECT ended, count(*), sum(turns) FROM {} GROUP BY ended ORDER BY ended"
    one = duckdb.execute(query.format("games")).fetchall()
    other = duckdb.execute(query.format(f"'{folder}/*.parquet'")).fetchall()
    assert one == other
    assert len(games) == sum(count for _, count, _ in one) == 300
    scanned = pl.scan_parquet(folder / "*.parquet").collect()
    assert scanned.to_dict(as_series=False) == table.to_polars().to_dict(as_series=False)


def test_labels_are_those_of_all_parts_in_the_game_s_order(folder: Path) -> None:
    parts = [pq.read_table(path)["ended"].chunk(0).dictionary for path in folder.iterdir()]
    assert len({tuple(part.to_pylist()) for part in parts}) > 1
    read = Table.read_parquet(folder)
    codes, labels = read.codes("ended")
    assert labels == whole().codes("ended")[1] == ("board full", "no moves", "no discs")
    assert np.array(labels)[codes].tolist() == whole()["ended"].tolist()
    last = sorted(folder.iterdir(), reverse=True)
    assert Table.read_parquet(*last).codes("ended")[1] == labels


def test_joined_runs_come_back(tmp_path: Path) -> None:
    tables = [
        adjoin.simulate("mapello", 8, ["greedy", "random"], seed=1, jokers=0),
        adjoin.simulate("mapello", 7, ["random", "easy"], seed=2, rotate=False, jokers=8),
        adjoin.simulate("mapello", 6, "greedy", seed=3, first=4),
    ]
    joined = Table.join(tables)
    assert same(Table.read_parquet(joined.to_parquet(tmp_path / "joined.parquet")), joined)
    paths = [table.to_parquet(tmp_path / f"{n}.parquet") for n, table in enumerate(tables)]
    read = Table.read_parquet(*paths)
    assert same(read, joined)
    assert read.replay(10).save() == tables[1].replay(2).save()
    assert str(read.summary()) == str(joined.summary())
    both = Table.join(tables[1:]).to_parquet(tmp_path / "both.parquet")
    again = Table.read_parquet(both, paths[0])
    assert again["run"].tolist() == [0] * 7 + [1] * 6 + [2] * 8
    assert again.filter(jokers=0).runs == tables[0].runs
    assert "run" not in again.filter(jokers=0).columns
    assert again.filter(jokers=[0, 4])["run"].tolist() == [0] * 6 + [1] * 8


def test_a_run_that_was_made_longer_is_one_run(tmp_path: Path) -> None:
    stream_to(tmp_path, 40)
    stream_to(tmp_path, 100)
    assert len(Table.read_parquet(tmp_path)) == 100


def test_files_that_say_no_version_are_of_the_first(folder: Path) -> None:
    table = whole()
    for path in folder.iterdir():
        changed(path, lambda about: {b"adjoin": about[b"adjoin"]})
    assert Table.read_parquet(folder) == table


# Agents that are no texts.


def lowest(observations: Any, masks: Any) -> Any:
    return masks.argmax(axis=1)


def test_a_match_of_a_function_is_not_played_again_from_a_file(tmp_path: Path) -> None:
    table = adjoin.simulate("mapello", 5, [lowest, "random"], seed=1)
    read = Table.read_parquet(table.to_parquet(tmp_path / "games.parquet"))
    assert read == table
    message = "episode 2 of lowest against random cannot be played again: an agent that is not"
    with pytest.raises(ValueError, match=message):
        read.replay(2)
    again = Table.read_parquet(read.to_parquet(tmp_path / "again.parquet"))
    with pytest.raises(ValueError, match=message):
        again.replay(2)
    rows = adjoin.simulate("mapello", 5, [lowest, "random"], seed=1, record="decisions")
    decisions = Table.read_parquet(rows.to_parquet(tmp_path / "decisions.parquet"))
    assert decisions.replay(30).save() == rows.replay(30).save()


def test_a_function_called_like_an_agent_is_not_taken_for_it(tmp_path: Path) -> None:
    def greedy(observations: Any, masks: Any) -> Any:
        return masks.argmax(axis=1)

    table = adjoin.simulate("mapello", 5, [greedy, "random"], seed=1)
    read = Table.read_parquet(table.to_parquet(tmp_path / "games.parquet"))
    assert read.agents == ("greedy", "random")
    with pytest.raises(
        ValueError, match="episode 0 of greedy against random cannot be played again"
    ):
        read.replay(0)


class Trained:
    """What was learned, which a built-in agent plays as long as this process lasts."""

    __name__ = "my policy"
    agent = "easy(miss=0.25)"

    def __call__(self, observations: Any, masks: Any) -> Any:
        raise NotImplementedError


def test_a_file_does_not_name_what_lasts_as_long_as_the_process(tmp_path: Path) -> None:
    first, *_ = stream_to(tmp_path, agents=[Trained(), "random"])
    assert b"miss" not in first.read_bytes()
    kept = first.stat().st_mtime_ns
    stream_to(tmp_path, agents=[Trained(), "random"])
    assert first.stat().st_mtime_ns == kept
    with pytest.raises(ValueError, match="episode 3 of my policy against random cannot be played"):
        Table.read_parquet(tmp_path).replay(3)


# What is refused.


def changed(path: Path, change: Callable[[dict[bytes, bytes]], dict[bytes, bytes]]) -> None:
    """Write a file again that says something else of itself."""
    table = pq.ParquetFile(path).read()
    pq.write_table(table.replace_schema_metadata(change(table.schema.metadata)), path)


def newer(about: dict[bytes, bytes]) -> dict[bytes, bytes]:
    return {**about, b"adjoin_version": b"7"}


def garbled(about: dict[bytes, bytes]) -> dict[bytes, bytes]:
    return {**about, b"adjoin": about[b"adjoin"].replace(b'"agents"', b'"agent"')}


@cases(
    ("damage", "message"),
    [
        (lambda path: path.write_bytes(b""), r"0000\.parquet is empty"),
        (lambda path: path.write_bytes(path.read_bytes()[:-700]), r"0000\.parquet is damaged \("),
        (lambda path: path.write_bytes(bytes(5000)), r"0000\.parquet is damaged \("),
        (lambda path: changed(path, newer), "written for version 7 of mapello, this is version 0"),
        (lambda path: changed(path, garbled), "holds no table written by adjoin"),
        (lambda path: changed(path, lambda about: {}), "holds no table written by adjoin"),
        (
            lambda path: pq.write_table(pq.ParquetFile(path).read().slice(1), path),
            r"0000\.parquet is damaged: 19 of 20 episodes",
        ),
        (
            lambda path: pq.write_table(pq.ParquetFile(path).read().drop_columns("turns"), path),
            "has other columns than",
        ),
        (lambda path: path.unlink(), "lacks episodes 40 to 59 of 300: the call of simulate"),
    ],
)
def test_a_file_that_is_not_as_it_was_is_refused(
    damage: Callable[[Path], Any], message: str, tmp_path: Path
) -> None:
    files = stream_to(tmp_path)
    assert len(Table.read_parquet(tmp_path)) == 300
    damage(files[2].rename(tmp_path / "part-0000.parquet") if "0000" in message else files[2])
    with pytest.raises(ValueError, match=message):
        Table.read_parquet(tmp_path)
    for path in tmp_path.iterdir():
        path.unlink()


def test_a_run_that_was_stopped_is_read_file_by_file(tmp_path: Path) -> None:
    def stop(done: int, total: int) -> None:
        if done >= 250:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        stream_to(tmp_path, progress=stop)
    with pytest.raises(ValueError, match=r"lacks episodes 240 to 299 of 300: .*parquet\(\*files\)"):
        Table.read_parquet(tmp_path)
    assert Table.read_parquet(*sorted(tmp_path.iterdir())) == whole()[:240]


def test_what_is_no_table_of_matches_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "data.parquet"
    with pytest.raises(FileNotFoundError, match="is a folder without Parquet files"):
        Table.read_parquet(tmp_path)
    with pytest.raises(FileNotFoundError):
        Table.read_parquet(file)
    with pytest.raises(TypeError, match="needs a file, a folder, or several of them"):
        Table.read_parquet()
    with pytest.raises(TypeError, match="a file or a folder; several are arguments of"):
        Table.read_parquet([file])  # type: ignore[arg-type]
    pq.write_table(pa.table({"x": [1]}), file)
    with pytest.raises(ValueError, match=r"data\.parquet holds no table written by adjoin"):
        Table.read_parquet(file)
    adjoin.trajectories("mapello", 1).to_parquet(file)
    with pytest.raises(ValueError, match=r"holds trajectories: Trajectories\.read reads them"):
        Table.read_parquet(file)


@cases(
    ("other", "words"),
    [
        ({"game": "domiphun"}, "of different games cannot be joined: mapello and domiphun"),
        ({"record": "decisions"}, "different kinds of rows cannot be joined: episodes and dec"),
        ({"first": 4}, "episode 4 of seed 0 is there twice"),
    ],
)
def test_files_that_do_not_belong_together_are_refused(
    other: dict[str, Any], words: str, tmp_path: Path
) -> None:
    paths = [
        adjoin.simulate(**{"game": "mapello", "episodes": 5, **keywords}).to_parquet(
            tmp_path / f"{n}.parquet"
        )
        for n, keywords in enumerate(({}, other))
    ]
    with pytest.raises(ValueError, match=words):
        Table.read_parquet(*paths)
    with pytest.raises(ValueError, match=r"episode 0 of seed 0 is there twice"):
        Table.read_parquet(paths[0], paths[0])


def test_rows_that_are_there_twice_are_found_where_files_tell_no_range(tmp_path: Path) -> None:
    one, other, *_ = stream_to(tmp_path)
    for path in (one, other):
        table = pq.ParquetFile(path).read()
        pq.write_table(table, path, write_statistics=False)
    assert Table.read_parquet(one, other) == whole()[:40]
    again = Path(shutil.copy(one, tmp_path / "again.parquet"))
    with pytest.raises(ValueError, match="episode 0 of seed 5 is there twice"):
        Table.read_parquet(one, again)


def test_a_part_of_another_version_is_not_gone_on_with(tmp_path: Path) -> None:
    first, *_ = stream_to(tmp_path)
    changed(first, newer)
    with pytest.raises(ValueError, match="written for version 7 of mapello, this is version 0"):
        stream_to(tmp_path)


def test_damage_is_found_in_the_column_where_it_is_and_nowhere_else(tmp_path: Path) -> None:
    table = whole()
    path = table.to_parquet(tmp_path / "games.parquet")
    column = pq.ParquetFile(path).metadata.row_group(0).column(table.columns.index("flips_0"))
    start = column.dictionary_page_offset or column.data_page_offset
    sound = path.read_bytes()
    harmless, told = 0, set()
    for place in range(start, start + column.total_compressed_size):
        path.write_bytes(sound[:place] + bytes([sound[place] ^ 1]) + sound[place + 1 :])
        read = Table.read_parquet(path)
        assert read["turns"].tolist() == table["turns"].tolist()
        try:
            found = read["flips_0"]
        except ValueError as error:
            told.add(str(error).partition(" (")[0])
        else:
            assert found.tolist() == table["flips_0"].tolist()
            harmless += 1
    assert told == {f"{path} is damaged, in the column flips_0"}
    assert harmless < column.total_compressed_size / 4


def test_a_file_that_was_written_over_is_not_read_as_the_one_before(tmp_path: Path) -> None:
    path = whole().to_parquet(tmp_path / "games.parquet")
    read = Table.read_parquet(path)
    read.filter(winner=0).to_parquet(path)
    with pytest.raises(ValueError, match=r"games\.parquet has changed since it was read: read it"):
        read["turns"]
    assert Table.read_parquet(path) == whole().filter(winner=0)
    path.unlink()
    with pytest.raises(FileNotFoundError):
        read["turns"]


PEAK = """
import resource, sys
from adjoin import Table
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
table = Table.read_parquet(sys.argv[1])
for name in table:
    table[name] if name.startswith("agent_") is False else table.codes(name)
len(table.head().to_numpy()), table.replay(len(table) - 1)
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""
"""How much memory it takes to look at every column, in KB."""


@pytest.mark.long
@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the unit is another")
def test_columns_of_a_large_table_are_not_held(tmp_path: Path) -> None:
    taken = []
    for episodes in (200_000, 3_000_000):
        folder = stream_to(tmp_path / str(episodes), episodes, 50_000)[0].parent
        done = subprocess.run(
            [sys.executable, "-c", PEAK, str(folder)], capture_output=True, text=True, check=True
        )
        taken.append(int(done.stdout))
    table = sum(field.num_rows * 80 for field in [Table.read_parquet(folder)._data])
    assert taken[1] - taken[0] < table / 1024 / 2, "less than half of the table"


@pytest.mark.parametrize("record", ["states", "pieces"])
def test_matches_from_a_position_come_back_from_files(tmp_path: Path, record: Any) -> None:
    start = adjoin.Match("domiphun", seed=3)
    start.play_random(6)
    run: Any = {"seed": 4, "start": start, "viewer": 1, "record": record}
    stream = adjoin.simulate("domiphun", 9, ["greedy", "random"], stream=True, part=4, **run)
    read = adjoin.Table.read_parquet(stream.to_parquet(tmp_path / record))
    whole = adjoin.simulate("domiphun", 9, ["greedy", "random"], **run)
    assert read == whole
    assert read.origin.start == whole.origin.start
    assert read.replay(-1).history == whole.replay(-1).history
    assert str(read.summary()) == str(whole.summary())
    assert read.cards().to_dict() == whole.cards().to_dict()
