"""What a batch refuses: the message says what came and what is allowed, and nothing has changed."""

from __future__ import annotations

import copy
import os
import pickle
import re
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import gymnasium
import numpy as np
import pytest

import adjoin
from adjoin.envs.aec import AECEnv
from adjoin.envs.single import Env
from adjoin.envs.vector import VectorEnv
from scaffold import Variant, cases, frozen, play_on, saves

if TYPE_CHECKING:
    from collections.abc import Callable


@cases(
    ("keywords", "message"),
    [
        ({"num_lanes": 0}, "num_lanes = 0: must be 1 to"),
        ({"num_lanes": -1}, "num_lanes = -1: must be 1 to"),
        ({"num_lanes": 2**24 + 1}, "num_lanes = 16777217: must be 1 to 16777216"),
        ({"threads": 0}, "threads = 0: must be 1 to 256"),
        ({"threads": 257}, "threads = 257: must be 1 to 256"),
        ({"max_decisions": 0}, "max_decisions = 0: must be 1 to"),
        ({"max_decisions": 2**32}, "max_decisions = 4294967296: must be 1 to 4294967295"),
        ({"seed": -1}, f"seed = -1: must be 0 to {2**64 - 1}"),
        ({"seed": 2**64}, f"seed = {2**64}: must be 0 to {2**64 - 1}"),
        ({"agents": [None, "oracle"]}, 'unknown agent "oracle": the agents of mapello are random'),
        ({"agents": ["random"]}, "agents = 1 entries: must have one entry for each of the 2 seats"),
        (
            {"agents": ["random"] * 2},
            'agents = ["random", "random"]: must leave a seat to the caller; simulate() plays',
        ),
    ],
)
def test_what_is_out_of_range_is_refused(keywords: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(message)}"):
        adjoin.Batch("mapello", **keywords)


@cases("name", ["num_lanes", "threads", "max_decisions", "seed"])
@cases("value", [1.0, "1", None, [1]])
def test_something_other_than_a_whole_number_is_refused(name: str, value: Any) -> None:
    with pytest.raises(TypeError, match=rf"^{name} = {re.escape(repr(value))}: .*whole number"):
        adjoin.Batch("mapello", **{name: value})


def test_an_unknown_game_is_refused_with_the_known_ones() -> None:
    with pytest.raises(ValueError, match=f'"chess".*{", ".join(adjoin.games())}'):
        adjoin.Batch("chess")


# Options.


def test_a_misspelt_option_is_refused_with_the_right_ones(game: str) -> None:
    with pytest.raises(ValueError, match="unknown option `gmaes`") as refused:
        adjoin.Batch(game, gmaes=2)  # type: ignore[call-arg]
    for name in adjoin.Batch(game).spec.option_meanings:
        assert f"`{name}`" in str(refused.value)


@cases(
    ("game", "options"),
    [
        *(("mapello", {"setup": setup}) for setup in ("chess", 1, None)),
        *(("mapello", {"walls": walls}) for walls in (-1, "many")),
        *(("mapominoes", {"players": players}) for players in (-1, 256, 2.5, "two", None)),
        *(("mapominoes", {"table": table}) for table in (30, (30,), (1, 2, 3), "30x20", (-1, 5))),
        *(("mapominoes", {"nations": nations}) for nations in ("Wales", [1], {"Wales": 1})),
        *(("mapominoes", {"transit_each": each}) for each in ("easy", -1, 1.5, None)),
        *(("mapominoes", {"staged": staged}) for staged in ("yes", 1, None)),
        ("mapominoes", {"first_nation": 1, "staged": True}),
        *(("connections", {"deck": deck}) for deck in ("moon", 7, None, ["a"])),
        *(("domiphun", {"first_seat": seat}) for seat in (-1, 1.5, "youngest", True)),
        *(("domiphun", {"extra_starjoiners": extra}) for extra in (1, [-1, 0], ["one", 0], None)),
        *(("metro_domino", {"stations": stations}) for stations in ("london", 7, None, ["a"])),
    ],
)
def test_an_option_of_a_wrong_kind_is_refused_by_name(game: str, options: dict[str, Any]) -> None:
    name = next(iter(options))
    with pytest.raises(ValueError, match=f"^{game}: .*{name}"):
        adjoin.Batch(game, **options)


@cases(
    ("game", "options", "message"),
    [
        ("connections", {"players": 7}, "players = 7: 3 to 6 play (CONN-3)"),
        ("domiphun", {"variant": "chess"}, "variant: unknown value `chess`, expected one of"),
        ("metro_domino", {"stations": {"custom": {}}}, "stations.custom: missing field `name`"),
    ],
)
def test_options_against_the_rules_are_refused_by_every_interface(
    game: str, options: dict[str, Any], message: str
) -> None:
    given = copy.deepcopy(options)
    makers: list[Callable[..., Any]] = [adjoin.Match, adjoin.Batch, AECEnv, Env, VectorEnv]
    for maker in (*makers, adjoin.describe):
        with pytest.raises(ValueError, match=f"^{game}: .*{re.escape(message)}"):
            maker(game, **options)
    with pytest.raises(ValueError, match=re.escape(message)):
        adjoin.simulate(game, 1, **options)
    with pytest.raises(ValueError, match=re.escape(message)):
        gymnasium.make(adjoin.Match(game).spec.environment, **options)
    assert options == given


def test_an_option_that_no_json_can_carry_is_refused() -> None:
    with pytest.raises(TypeError, match="object cannot be read"):
        adjoin.Batch("mapello", games=object())


@pytest.mark.parametrize("depth", [200, 5_000, 200_000])
def test_options_and_positions_that_are_nested_deeply_are_refused(game: str, depth: int) -> None:
    nested: list[Any] = []
    for _ in range(depth):
        nested = [nested]
    with pytest.raises(ValueError, match=r"recursion limit|nested too deeply"):
        adjoin.Batch(game, players=nested)
    with pytest.raises(ValueError, match=r"position|state"):
        adjoin.Match(game, position="[" * depth + "]" * depth)


NORTHERN_IRELAND = {"nations": ["Northern Ireland"]}


@cases(
    ("options", "same"),
    [
        ({}, {"players": 2, "table": (30, 20), "rounds": 2, "draw": "stuck", "transit_cards": 12}),
        ({"nations": ["wales", "ENGLAND"]}, {"nations": ["Wales", "England"]}),
        ({"transit_each": "easier", "players": 3}, {"transit_each": 3, "players": 3}),
        ({"staged": True}, {"staged": True, "first_nation": "england"}),
        ({"players": 5, **NORTHERN_IRELAND}, {"players": 5, "rounds": 5, **NORTHERN_IRELAND}),
    ],
)
def test_options_that_mean_the_same_give_the_same_game(
    options: dict[str, Any], same: dict[str, Any]
) -> None:
    one, other = (adjoin.Batch("mapominoes", num_lanes=2, seed=3, **o) for o in (options, same))
    assert one.spec == other.spec
    assert saves(one) == saves(other)
    one[0] = other[1]


# Illegal actions.

OTHELLO: dict[str, Any] = {"setup": "othello"}
FLIPS_NOTHING = "a1: a disc there would flip nothing (MAPE-6); legal: d3, c4, f5, e6"
NO_ID = "ids are 0 to 64"


def step_in_lane(action: int) -> None:
    batch = adjoin.Batch("mapello", num_lanes=3, **OTHELLO)
    actions = np.full(3, batch[0].action_id("d3"), np.int32)
    actions[1:] = action
    batch.step(actions, batch.buffers())


def step_in_env(action: int) -> None:
    env = Env("mapello", illegal="raise", **OTHELLO)
    env.reset(seed=0)
    env.step(action)


def step_in_row(action: int) -> None:
    env = VectorEnv("mapello", 3, illegal="raise", **OTHELLO)
    _, infos = env.reset(seed=0)
    actions = infos["action_mask"].argmax(axis=1)
    actions[1:] = action
    env.step(actions)


def step_in_aec(action: int | None) -> None:
    env = AECEnv("mapello", **OTHELLO)
    env.reset(seed=0)
    env.step(action)


def play_in_match(action: str | int) -> None:
    adjoin.Match("mapello", **OTHELLO).play(action)


def choose_in_match(action: int) -> None:
    adjoin.Match("mapello", **OTHELLO).choose(lambda *_: np.array([action]))


ILLEGAL: list[tuple[Callable[[Any], None], Any, str, str, str | None]] = [
    (
        step_in_lane,
        0,
        f"lane 1, illegal action 0 (a1): {FLIPS_NOTHING[4:]}",
        "a disc there would flip nothing",
        "MAPE-6",
    ),
    (
        step_in_lane,
        -2,
        "lane 1, illegal action -2 (action -2): ids are 0 to 64, or -1 to leave a lane alone; ",
        "ids are 0 to 64, or -1 to leave a lane alone",
        None,
    ),
    (step_in_env, 0, FLIPS_NOTHING, "a disc there would flip nothing", "MAPE-6"),
    (step_in_env, 2**40, f"action {2**40}: {NO_ID}; legal: d3", NO_ID, None),
    (step_in_row, 0, f"row 1: {FLIPS_NOTHING}", "a disc there would flip nothing", "MAPE-6"),
    (step_in_row, -1, f"row 1: action -1: {NO_ID}; legal: d3", NO_ID, None),
    (step_in_aec, 0, f"player_0: {FLIPS_NOTHING}", "a disc there would flip nothing", "MAPE-6"),
    (step_in_aec, -1, f"player_0: action -1: {NO_ID}; legal: d3", NO_ID, None),
    (step_in_aec, None, "player_0 has a decision to take: action None", "no action", None),
    (play_in_match, "a1", FLIPS_NOTHING, "a disc there would flip nothing", "MAPE-6"),
    (play_in_match, -(2**70), f"action -{2**63}: {NO_ID}; legal: d3", NO_ID, None),
    (
        play_in_match,
        "a1; b2",
        '"a1; b2" is no action of mapello; legal now: d3, c4, f5, e6',
        '"a1; b2" is no action of mapello',
        None,
    ),
    (
        choose_in_match,
        0,
        f"the agent <lambda> answered {FLIPS_NOTHING}",
        "a disc there would flip nothing",
        "MAPE-6",
    ),
]


@pytest.mark.smoke
@cases(("call", "action", "message", "reason", "clause"), ILLEGAL)
def test_an_illegal_action_is_refused_with_reason_clause_and_what_is_legal(
    call: Callable[[Any], None], action: Any, message: str, reason: str, clause: str | None
) -> None:
    with pytest.raises(adjoin.IllegalActionError) as caught:
        call(action)
    error = caught.value
    copies = [copy.copy(error), copy.deepcopy(error), pickle.loads(pickle.dumps(error))]
    for one in (error, *copies):
        assert type(one) is adjoin.IllegalActionError
        assert str(one).startswith(message)
        assert str(one) == str(error)
        assert (one.reason, one.clause) == (reason, clause)
        assert one.legal == ["d3", "c4", "f5", "e6"]


@cases("threads", [1, 3])
def test_an_illegal_action_in_any_lane_changes_no_lane_and_no_array(
    brief: Variant, threads: int
) -> None:
    batch = brief.batch(num_lanes=64, threads=threads)
    play_on(batch, 3)
    out = batch.buffers()
    actions = np.zeros(64, np.int32)
    batch.sample(actions)
    actions[[17, 40]] = next(n for n in range(10**6) if n not in batch[17].legal_ids())
    before = saves(batch), frozen(out), actions.tobytes()
    with pytest.raises(adjoin.IllegalActionError, match=r"^lane 17, illegal action "):
        batch.step(actions, out)
    assert (saves(batch), frozen(out), actions.tobytes()) == before


@cases("illegal", ["masked", -1, "size", 2**31, -(2**31), 2**40, 2**70, -(2**70)])
def test_an_illegal_action_in_a_lane_by_itself_changes_nothing(
    brief: Variant, illegal: Any
) -> None:
    batch = brief.batch(num_lanes=2)
    play_on(batch, 3)
    mask = batch.observe_lane(1)[1]
    action: Any = {"masked": mask.argmin(), "size": len(mask)}.get(illegal, illegal)
    before = saves(batch)
    with pytest.raises(adjoin.IllegalActionError, match="; legal: ") as caught:
        batch.step_lane(1, action)
    assert caught.value.legal == batch[1].legal()
    assert saves(batch) == before


@cases("limit", [10_000, 8])
def test_a_lane_by_itself_that_is_over_has_to_be_restarted(brief: Variant, limit: int) -> None:
    batch = brief.batch(max_decisions=limit)
    _, mask, _, _, status = batch.observe_lane(0)
    while status == adjoin.RUNNING:
        _, mask, seat, _, status = batch.step_lane(0, mask.argmax())
    assert not mask.any()
    assert seat == -1
    before = saves(batch)
    for action in (-1, 0):
        with pytest.raises(adjoin.IllegalActionError):
            batch.step_lane(0, action)
    assert saves(batch) == before
    assert batch.restart_lane(0)[4] == adjoin.RUNNING
    assert batch[0].address[2] == 1


@cases("action", [1.0, "d3", None, [1]])
def test_something_other_than_a_whole_number_is_no_action_of_a_lane(action: Any) -> None:
    batch = adjoin.Batch("mapello")
    with pytest.raises(TypeError, match="action"):
        batch.step_lane(0, action)
    for seed in (-1, 2**64, "x"):
        with pytest.raises((TypeError, ValueError), match="seed"):
            batch.restart_lane(0, seed)  # type: ignore[arg-type]


# Lanes, viewers, seeds, saves that are not there.

ON_A_LANE: dict[str, Callable[[adjoin.Batch, int], object]] = {
    "get": lambda batch, lane: batch[lane],
    "set": lambda batch, lane: batch.__setitem__(lane, batch[0]),
    "select": lambda batch, lane: batch.select([0, lane]),
    "step_lane": lambda batch, lane: batch.step_lane(lane, batch[3].legal_ids()[0]),
    "restart_lane": lambda batch, lane: batch.restart_lane(lane),
    "observe_lane": lambda batch, lane: batch.observe_lane(lane),
}


@cases("call", ON_A_LANE)
def test_a_lane_out_of_range_is_refused(call: str) -> None:
    batch = adjoin.Batch("mapello", num_lanes=4)
    ON_A_LANE[call](batch, 3)
    for lane in (4, -1, 2**40):
        with pytest.raises(IndexError, match=f"no lane {lane}: the batch has lanes 0 to 3"):
            ON_A_LANE[call](batch, lane)
    for lane in (2**70, -(2**70)):
        with pytest.raises(IndexError, match="the batch has lanes 0 to 3"):
            ON_A_LANE[call](batch, lane)


def test_what_is_no_match_of_the_batch_is_put_into_no_lane() -> None:
    batch = adjoin.Batch("mapello", num_lanes=2)
    before = saves(batch)
    for stranger in (adjoin.Match("domiphun"), adjoin.Match("mapello", games=2)):
        ours = f"^match = a match of {stranger.spec.name}: must be one of mapello with the options"
        with pytest.raises(ValueError, match=ours):
            batch[1] = stranger
    with pytest.raises(TypeError, match=r"^match = b'x': must be a Match"):
        batch[1] = b"x"  # type: ignore[assignment]
    assert saves(batch) == before


def test_a_selection_of_no_lanes_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one lane"):
        adjoin.Batch("mapello").select([])


FOR_A_VIEWER: dict[str, Callable[[adjoin.Batch, int], object]] = {
    "observe": lambda batch, viewer: batch.observe(batch.buffers(), viewer),
    "observe_lane": lambda batch, viewer: batch.observe_lane(0, viewer),
    "resample_hidden": lambda batch, viewer: batch.resample_hidden(viewer),
    "match.observe": lambda batch, viewer: batch[0].observe(viewer),
    "match.resample_hidden": lambda batch, viewer: batch[0].resample_hidden(viewer),
    "text": lambda batch, viewer: batch[0].text(viewer),
    "view": lambda batch, viewer: batch[0].view(viewer),
    "svg": lambda batch, viewer: batch[0].svg(viewer),
    "pictures": lambda batch, viewer: batch[0].pictures(viewer),
}


@cases("call", FOR_A_VIEWER)
def test_a_viewer_out_of_range_is_refused(call: str) -> None:
    batch = adjoin.Batch("connections")
    FOR_A_VIEWER[call](batch, 2)
    for viewer in (3, -1, 2**40):
        with pytest.raises(IndexError, match=f"no seat {viewer}: .*seats 0 to 2"):
            FOR_A_VIEWER[call](batch, viewer)
    for viewer in (2**70, -(2**70)):
        with pytest.raises(IndexError, match="seats 0 to 2"):
            FOR_A_VIEWER[call](batch, viewer)


def test_a_wrong_number_of_seeds_is_refused() -> None:
    batch = adjoin.Batch("mapello", num_lanes=3)
    before = saves(batch)
    with pytest.raises(ValueError, match=r"^seed: expected one number or 3 of them, got 2"):
        batch.reset([1, 2], batch.buffers())
    with pytest.raises(ValueError, match=r"^seed: expected one number or 3 of them, got 4"):
        batch.restart(np.ones(3, np.bool_), batch.buffers(), seeds=[1, 2, 3, 4])
    assert saves(batch) == before


@cases("seed", [-1, 2**64, 1.5, "1", None, [1, -1], [1, 2.0]])
def test_something_other_than_a_seed_is_refused_by_reset(seed: Any) -> None:
    batch = adjoin.Batch("mapello", num_lanes=2)
    before = saves(batch)
    with pytest.raises((ValueError, TypeError), match=r"^seed"):
        batch.reset(seed, batch.buffers())
    assert saves(batch) == before


@pytest.mark.smoke
def test_a_save_or_a_position_that_cannot_be_read_leaves_the_match_alone() -> None:
    match = adjoin.Match("mapello", seed=3)
    match.play_random(10)
    before, past = match.save(), match.history
    other = adjoin.Match("mapello", games=2).save()
    wrong = r"^cannot load: the match .* other options"
    for state, message in (
        (other, wrong),
        (before[:-1], r"^cannot load: "),
        (b"", r"^cannot load"),
    ):
        with pytest.raises(ValueError, match=message):
            match.load(state)
    rows = match.position().split("\n")
    rows[4] = rows[4][:6] + "?" + rows[4][7:]
    with pytest.raises(ValueError, match=r"row 4, column 6: .*'\?'"):
        match.set_position("\n".join(rows))
    assert (match.save(), match.history) == (before, past)


# Memory and threads that the system does not give.

LIMITED = """
import os, resource, sys
import numpy as np
import adjoin, adjoin.simulation

def limit(megabytes):
    used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
    most = used + (megabytes << 20) if megabytes else resource.RLIM_INFINITY
    resource.setrlimit(resource.RLIMIT_AS, (most, resource.RLIM_INFINITY))

def refused(error, call):
    try:
        call()
    except error as refusal:
        print(refusal)
    else:
        sys.exit("not refused")

def save(batch):
    return [match.save() for match in batch]

game = "mapello"
batch = adjoin.Batch(game, num_lanes=64, threads=4)
"""


def limited(code: str) -> list[str]:
    """Run code in a process whose memory can be limited, and return the lines it prints."""
    arguments = [sys.executable, "-c", LIMITED + code]
    done = subprocess.run(arguments, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


needs_limits = pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="Linux limits")


@needs_limits
def test_lanes_that_the_memory_does_not_hold_are_a_memory_error() -> None:
    code = """
limit(150)
refused(MemoryError, lambda: adjoin.Batch(game, num_lanes=2**24))
most = (150 << 20) // batch.spec.lane_bytes
refused(MemoryError, lambda: adjoin.Batch(game, num_lanes=most + most // 8))
refused(MemoryError, lambda: batch.select([0] * (most + most // 8)))
refused(MemoryError, lambda: adjoin.simulate(game, 2**20, part=2**20, record="decisions"))
limit(0)
batch.select([0] * most)
"""
    new, near, select, simulate = limited(code)
    assert re.fullmatch(r"not enough memory for 16777216 lanes of \d+ bytes each", new)
    assert near == select
    assert re.fullmatch(r"not enough memory for \d+ (episodes|decisions|rows) of .*", simulate)


@needs_limits
def test_threads_that_cannot_be_started_are_an_error_and_nothing_is_lost() -> None:
    code = """
out, actions = batch.buffers(), np.zeros(64, np.int32)
twin = batch.select(range(64))
before, threads = save(batch), os.listdir("/proc/self/task")
limit(1)
refused(RuntimeError, lambda: batch[0].choose("greedy"))
refused(RuntimeError, lambda: adjoin.simulate(game, 10, threads=3))
for megabytes in (1, 5):
    limit(megabytes)
    refused(RuntimeError, lambda: batch.reset(7, out))
    refused(RuntimeError, lambda: batch.sample(actions))
    refused(RuntimeError, lambda: batch.step(actions, out))
    limit(0)
    assert os.listdir("/proc/self/task") == threads
    assert save(batch) == before
for one in (batch, twin):
    one.sample(actions)
    one.step(actions, out)
assert save(batch) == save(twin) != before
"""
    lines = limited(code)
    asked = [
        re.match(r"threads = (\d): the system starts no more of them \(", one) for one in lines
    ]
    assert [found and found[1] for found in asked] == [*"13444444"]
