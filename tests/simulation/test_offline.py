"""Data for offline learning: the rows are what the environments would have shown."""

from __future__ import annotations

import errno
import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import adjoin
from adjoin.envs.single import Env
from adjoin.simulation.offline import COLUMNS, Trajectories, schema, trajectories
from scaffold import Variant

SCALARS = ("episode", "ply", "seat", "agent", "action")


@pytest.fixture
def data(brief: Variant) -> Trajectories:
    agents = ["greedy", *others(brief)]
    made: Trajectories = trajectories(brief.game, 6, agents, seed=5, **brief.options)
    return made


def others(variant: Variant) -> list[str]:
    return ["random"] * (variant.match().spec.seats - 1)


def test_the_rows_are_the_decisions_of_a_simulation(brief: Variant, data: Trajectories) -> None:
    table = adjoin.simulate(
        brief.game,
        6,
        ["greedy", *others(brief)],
        seed=5,
        record="decisions",
        **brief.options,
    )
    assert len(data) == len(table)
    for name in SCALARS:
        assert data[name].tolist() == table[name].tolist(), name
    assert data["action_mask"].sum(axis=1).tolist() == table["legal"].tolist()


def test_a_row_is_what_the_seat_saw_and_could_do(brief: Variant) -> None:
    data = trajectories(brief.game, 2, seed=3, max_decisions=60, **brief.options)
    for row in [0, len(data) // 3, len(data) - 1]:
        episode, ply = int(data["episode"][row]), int(data["ply"][row])
        match = brief.match(seed=3, episode=episode)
        match.play(*data["action"][row - ply : row].tolist())
        assert match.to_act == data["seat"][row]
        observation, mask = match.observe()
        assert data["observation"][row].tolist() == observation.tolist()
        assert data["action_mask"][row].tolist() == mask.tolist()


def test_every_action_is_legal(data: Trajectories) -> None:
    assert data["action_mask"][np.arange(len(data)), data["action"]].all()


def test_rewards_add_up_to_what_the_match_earned(brief: Variant, data: Trajectories) -> None:
    table = adjoin.simulate(brief.game, 6, ["greedy", *others(brief)], seed=5, **brief.options)
    returns = table.each_seat("return")
    seen = 0
    for one in data.episodes():
        earned = returns[int(one["episode"][0]), int(one["seat"][0])]
        assert one["reward"].sum() == pytest.approx(earned)
        assert one["return"][0] == pytest.approx(earned)
        assert np.allclose(one["return"], one["reward"][::-1].cumsum()[::-1])
        seen += 1
    assert seen == 6 * table.seats


def test_a_seat_ends_once_with_what_it_saw_at_the_end(brief: Variant) -> None:
    data = trajectories(brief.game, 3, seed=2, **brief.options)
    for one in data.episodes():
        ends = one["terminated"] | one["truncated"]
        assert ends.tolist() == [False] * (len(one) - 1) + [True]
        assert one["ply"].tolist() == sorted(one["ply"].tolist())
        match = brief.match(seed=2, episode=int(one["episode"][0]))
        match.play(*data["action"][data["episode"] == one["episode"][0]].tolist())
        assert match.is_over
        observation, _ = match.observe(int(one["seat"][0]))
        assert one["final_observation"].tolist() == [observation.tolist()]


def test_a_seat_s_rows_are_those_of_the_environment(brief: Variant) -> None:
    """A learner who repeats a seat's actions against the same others sees and earns the same."""
    for seed in range(3):
        data = trajectories(brief.game, 1, seed=seed, rotate=False, **brief.options)
        script = data["action"][data["seat"] != 0].tolist()

        def repeat(observation: Any, mask: Any, script: list[int] = script) -> Any:
            return np.array([script.pop(0)])

        env = Env(brief.game, opponents=repeat, illegal="raise", obs_mode="dict", **brief.options)
        seen, _ = env.reset(seed=seed)
        one = data.of(seat=0)
        for row in range(len(one)):
            assert seen["observation"].tolist() == one["observation"][row].tolist()
            assert seen["action_mask"].tolist() == one["action_mask"][row].tolist()
            seen, reward, terminated, truncated, _ = env.step(int(one["action"][row]))
            assert reward == pytest.approx(float(one["reward"][row]))
            assert terminated == one["terminated"][row]
            assert truncated == one["truncated"][row]
        assert terminated
        assert script == []
        assert seen["observation"].tolist() == one["final_observation"][0].tolist()


@pytest.mark.smoke
def test_a_match_that_is_cut_off_is_truncated() -> None:
    data = trajectories("mapello", 4, max_decisions=7)
    assert len(data) == 28
    assert not data["terminated"].any()
    assert data["truncated"].reshape(4, 7).sum(axis=1).tolist() == [2] * 4
    assert len(data["final_observation"]) == 8


def test_any_division_gives_the_same(brief: Variant, data: Trajectories) -> None:
    agents = ["greedy", *others(brief)]
    again = [
        trajectories(brief.game, 6, agents, seed=5, part=4, threads=2, **brief.options),
        Trajectories.join(
            [
                trajectories(brief.game, 2, agents, seed=5, **brief.options),
                trajectories(brief.game, 4, agents, seed=5, first=2, **brief.options),
            ]
        ),
    ]
    with ThreadPoolExecutor(2) as pool:
        again.append(
            trajectories(brief.game, 6, agents, seed=5, part=2, executor=pool, **brief.options)
        )
    for other in again:
        assert other == data
    assert trajectories(brief.game, 6, agents, seed=6, **brief.options) != data


def test_of_chooses_rows(data: Trajectories) -> None:
    mine = data.of("greedy")
    assert set(mine["agent"]) == {"greedy"}
    assert len(mine) + len(data.of("random")) == len(data)
    assert len(mine["final_observation"]) == 6
    both = data.of("greedy", seat=1)
    assert set(both["seat"]) == {1}
    assert len(both) == ((data["agent"] == "greedy") & (data["seat"] == 1)).sum()


def test_arrow_and_parquet_keep_everything(tmp_path: Path, brief: Variant) -> None:
    data = trajectories(brief.game, 2, seed=1, max_decisions=50, **brief.options)
    table = data.to_arrow()
    assert table.schema.equals(schema(data.spec, data.origin), check_metadata=True)
    assert [table.schema.field(name).metadata[b"meaning"].decode() for name in COLUMNS] == list(
        COLUMNS.values()
    )
    assert Trajectories.from_arrow(table) == data
    path = data.to_parquet(tmp_path / "data.parquet")
    again = Trajectories.read(path)
    assert again == data
    assert again.origin == data.origin
    assert [again[name].dtype for name in COLUMNS if name != "agent"] == [
        data[name].dtype for name in COLUMNS if name != "agent"
    ]


def test_others_read_the_file(tmp_path: Path, data: Trajectories) -> None:
    frame = pl.read_parquet(data.to_parquet(tmp_path / "data.parquet"))
    assert frame["observation"].to_numpy().tolist() == data["observation"].tolist()
    ends = data["terminated"] | data["truncated"]
    assert frame["final_observation"].is_null().to_list() == (~ends).tolist()
    assert frame["agent"].to_list() == data["agent"].tolist()


def test_pandas_has_a_row_a_decision(data: Trajectories) -> None:
    frame = data.to_pandas()
    assert list(frame) == [name for name in COLUMNS if data[name].ndim == 1]
    for name in frame:
        assert frame[name].tolist() == data[name].tolist()
    assert list(data.of("random").to_pandas()["agent"].cat.categories) == ["random"]
    wide = data.to_pandas(arrays=True)
    assert list(wide) == list(COLUMNS)
    for name in ("observation", "action_mask"):
        assert np.array_equal(np.stack(wide[name].tolist()), data[name])
    ends = data["terminated"] | data["truncated"]
    assert wide["final_observation"].isna().tolist() == (~ends).tolist()
    final = np.stack(wide["final_observation"][ends].tolist())
    assert np.array_equal(final, data["final_observation"])


def test_chosen_rows_can_be_written_too(tmp_path: Path, data: Trajectories) -> None:
    for number, some in enumerate([data.of("greedy"), data.of(seat=1), data._rows(np.arange(0))]):
        assert Trajectories.read(some.to_parquet(tmp_path / f"{number}.parquet")) == some


def test_a_stream_goes_on_where_it_was_stopped(tmp_path: Path) -> None:
    whole = trajectories("domiphun", 10, seed=8)
    stream = trajectories("domiphun", 10, seed=8, stream=True, part=4)
    assert len(stream) == 3
    folder = stream.to_parquet(tmp_path / "run")
    files = sorted(folder.iterdir())
    assert [file.name for file in files] == [
        "part-0000000000-0000000004.parquet",
        "part-0000000004-0000000008.parquet",
        "part-0000000008-0000000010.parquet",
    ]
    assert Trajectories.read(folder) == whole
    before = files[0].stat().st_mtime_ns
    files[1].unlink()
    stream.to_parquet(folder)
    assert files[0].stat().st_mtime_ns == before
    assert Trajectories.read(folder) == whole
    with pytest.raises(ValueError, match="comes from another run"):
        trajectories("domiphun", 10, seed=9, stream=True, part=4).to_parquet(folder)
    trajectories("domiphun", 4, seed=9).to_parquet(folder / "zz.parquet")
    with pytest.raises(ValueError, match=r"zz\.parquet comes from another run than "):
        Trajectories.read(folder)


def test_files_that_do_not_fit_are_refused(tmp_path: Path) -> None:
    table = trajectories("domiphun", 1).to_arrow()
    path = tmp_path / "data.parquet"

    def refused(changed: Any, reason: str) -> None:
        pq.write_table(changed, path)
        with pytest.raises(ValueError, match=reason):
            Trajectories.read(path)

    about = table.schema.metadata
    newer = table.replace_schema_metadata({**about, b"adjoin_version": b"7"})
    refused(newer, "was written for version 7 of domiphun, this is version 0")
    refused(table.replace_schema_metadata({}), "holds no trajectories written by adjoin")
    refused(table.drop_columns(["reward"]), "column reward is missing, expected float")
    origin = {**json.loads(about[b"adjoin"]), "options": '{"players": 4}'}
    other = table.replace_schema_metadata({**about, b"adjoin": json.dumps(origin).encode()})
    refused(other, r"column observation is fixed_size_list<.*>\[\d+\], expected fixed_size_list")
    adjoin.simulate("domiphun", 1, record="decisions").to_parquet(path)
    with pytest.raises(ValueError, match="holds decisions, not trajectories"):
        Trajectories.read(path)
    refused(pa.table({"x": [1]}), "holds no trajectories written by adjoin")
    empty = tmp_path / "empty"
    empty.mkdir()
    with pytest.raises(FileNotFoundError, match="is a folder without Parquet files"):
        Trajectories.read(empty)


def test_nothing_is_left_of_a_file_that_could_not_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = trajectories("domiphun", 1)
    with pytest.raises(IsADirectoryError, match=r"is a folder: name a file"):
        data.to_parquet(tmp_path)
    with pytest.raises(OSError, match=r"data\.parquet could not be written") as caught:
        data.to_parquet(tmp_path / "nowhere" / "data.parquet")
    assert caught.value.errno == errno.ENOENT
    assert list(tmp_path.iterdir()) == []


def test_wrong_input_is_explained(data: Trajectories) -> None:
    with pytest.raises(KeyError, match="no column 'obs': the columns are episode, ply"):
        data["obs"]
    with pytest.raises(ValueError, match="no agent 'gredy' plays here: the agents are greedy, ran"):
        data.of("gredy")
    with pytest.raises(ValueError, match=r"seat = 9: must be 0 to \d"):
        data.of(seat=9)
    with pytest.raises(ValueError, match="episodes = 0: must be 1 to"):
        trajectories("mapello", 0)
    with pytest.raises(ValueError, match="part = 0: must be 1 to"):
        trajectories("mapello", 1, part=0)
    with pytest.raises(ValueError, match="must be one for all, or one for each of the 2 seats"):
        trajectories("mapello", 1, ["random"])


def test_it_says_what_it_is() -> None:
    data = trajectories("mapello", 2, ["greedy", "random"], seed=7, max_decisions=5)
    assert repr(data) == "<Trajectories of mapello: 10 decisions, greedy against random, seed 7>"
    assert data.columns == tuple(data) == tuple(COLUMNS)
    assert data != "something else"
