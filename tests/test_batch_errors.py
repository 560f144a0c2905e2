"""What a batch refuses: the message says what came and what is allowed, and nothing has changed."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from conftest import ISLAND, VARIANTS, Variant, frozen, play_on, saves

import adjoin

if TYPE_CHECKING:
    from collections.abc import Callable

CENTRE = ["d4", "e4", "d5", "e5"]
NINE_JOKERS = [(0, column) for column in range(9)]


@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        ({"lanes": 0}, "lanes = 0: must be 1 to"),
        ({"lanes": -1}, "lanes = -1: must be 1 to"),
        ({"lanes": 2**24 + 1}, "lanes = 16777217: must be 1 to 16777216"),
        ({"threads": 0}, "threads = 0: must be 1 to 256"),
        ({"threads": 257}, "threads = 257: must be 1 to 256"),
        ({"limit": 0}, "limit = 0: must be 1 to"),
        ({"limit": 2**32}, "limit = 4294967296: must be 1 to 4294967295"),
        ({"seed": -1}, f"seed = -1: must be 0 to {2**64 - 1}"),
        ({"seed": 2**64}, f"seed = {2**64}: must be 0 to {2**64 - 1}"),
    ],
    ids=str,
)
def test_a_number_out_of_range_is_refused(
    game: str, keywords: dict[str, Any], message: str
) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(message)}"):
        adjoin.Batch(game, **keywords)


@pytest.mark.parametrize("name", ["lanes", "threads", "limit", "seed"])
@pytest.mark.parametrize("value", [1.0, "1", None, [1]], ids=repr)
def test_something_other_than_a_whole_number_is_refused(game: str, name: str, value: Any) -> None:
    with pytest.raises(TypeError, match=rf"^{name} = {re.escape(repr(value))}: .*whole number"):
        adjoin.Batch(game, **{name: value})


def test_an_unknown_game_is_refused_with_the_known_ones() -> None:
    with pytest.raises(ValueError, match=f'"chess".*{", ".join(adjoin.games())}'):
        adjoin.Batch("chess")


def test_an_unknown_agent_is_refused_with_the_known_ones(variant: Variant) -> None:
    agents: list[str | None] = [None] * variant.batch().spec.seats
    agents[-1] = "oracle"
    known = re.escape(", ".join(adjoin.agents()))
    with pytest.raises(ValueError, match=f'unknown agent "oracle".*{known}'):
        variant.batch(agents=agents)


@pytest.mark.parametrize("difference", [-1, 1])
def test_a_wrong_number_of_agents_is_refused(variant: Variant, difference: int) -> None:
    seats = variant.batch().spec.seats
    agents: list[str | None] = [None] * (seats + difference)
    agents[0] = "random"
    with pytest.raises(ValueError, match=f"^agents = {len(agents)} .*each of the {seats} seats"):
        variant.batch(agents=agents)


def test_agents_on_all_seats_are_refused(variant: Variant) -> None:
    with pytest.raises(ValueError, match=r"^agents = .*leave a seat to the caller.*simulate\(\)"):
        variant.batch(agents=["random"] * variant.batch().spec.seats)


def test_a_misspelt_option_is_refused_with_the_right_ones(variant: Variant) -> None:
    with pytest.raises(ValueError, match="unknown option `gmaes`") as refused:
        variant.batch(gmaes=2)
    for name in variant.batch().spec.option_meanings:
        assert f"`{name}`" in str(refused.value)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        *(({"setup": "fixed", "walls": [cell]}, f"walls: {cell} is a centre") for cell in CENTRE),
        ({"setup": "fixed", "bonuses": [(4, 4)]}, "bonuses: 4,4 is a centre square"),
        ({"setup": "fixed", "jokers": NINE_JOKERS}, "jokers: 9 pieces, at most 8 (MAPE-2)"),
        ({"jokers": 9}, "jokers = 9: the box holds 8 of each, 0 to 8 are allowed (MAPE-2)"),
        ({"setup": "free", "walls": (0, 9)}, "walls = 9: the box holds 8 of each"),
        ({"setup": "free", "walls": (4, 2)}, "walls = [4, 2]: the least comes first"),
        ({"setup": "fixed", "walls": ["0,4"]}, "walls: 0,4 is on the border"),
        ({"setup": "fixed", "jokers": ["c3"]}, "jokers: c3 is not on the border"),
        ({"setup": "fixed", "walls": ["c3", (3, 3)]}, "walls: 3,3 is listed twice"),
        ({"setup": "fixed", "walls": ["c3"], "bonuses": ["c3"]}, "bonuses: there is a wall on 3,3"),
        ({"setup": "fixed", "walls": ["z9"]}, 'walls: no cell "z9"'),
        ({"setup": "fixed", "walls": [(10, 1)]}, 'walls: no cell "10,1"'),
        ({"setup": "fixed", "walls": 3}, "walls = 3: a fixed set-up takes a list of cells"),
        ({"walls": ["c3"]}, "walls: a random set-up takes a number"),
        ({"walls": 3, "symmetry": "rotate"}, "walls = 3: .*must be even"),
        ({"setup": "othello", "walls": 3}, "walls: only with"),
        ({"setup": "free", "symmetry": "rotate"}, "symmetry: only with"),
        ({"board": "."}, "board: only with"),
        ({"size": 5}, "size = 5: 8, 6 or 4 are allowed (MAPE-20)"),
        ({"size": 6, "jokers": 2}, "jokers: none with size = 6"),
        ({"size": 4, "walls": 8, "bonuses": 8}, "walls = 8, bonuses = 8: size = 4 has 12 cells"),
        ({"games": 0}, "games = 0: a match has 1 to 100"),
        ({"games": 101}, "games = 101: a match has 1 to 100"),
        (
            {"setup": "fixed", "walls": ["d3", "e3", "c4", "f4", "c5", "f5", "d6", "e6"]},
            "nobody could ever move",
        ),
    ],
    ids=str,
)
def test_a_mapello_set_up_against_the_rules_is_refused(
    options: dict[str, Any], message: str
) -> None:
    pattern = message if ".*" in message else re.escape(message)
    with pytest.raises(ValueError, match=f"^mapello: .*{pattern}"):
        adjoin.Batch("mapello", **options)


BRITAIN = "England, Scotland, Wales, Northern Ireland"
NORTHERN_IRELAND = {"nations": ["Northern Ireland"]}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"players": 1}, "players = 1: 2 to 5 play (MAPO-7)"),
        ({"players": 6}, "players = 6: 2 to 5 play (MAPO-7)"),
        ({"table": (0, 3)}, "table = (0, 3): width and height are 1 to 62 cards (MAPO-5)"),
        ({"table": (63, 3)}, "table = (63, 3): width and height are 1 to 62 cards (MAPO-5)"),
        ({"table": (1, 1)}, "table = (1, 1): no card of this deck could ever be laid"),
        ({"nations": []}, "nations: the list is empty"),
        ({"nations": ["Ireland"]}, f'nations: no nation "Ireland" in the atlas: it has {BRITAIN}'),
        ({"nations": ["Wales", "wales"]}, "nations: Wales is listed twice"),
        ({"nations": ["Wales"], "atlas": "us-states"}, 'nations: no nation "Wales"'),
        ({"nations": ["Antarctic"], "atlas": "world-countries"}, 'nations: no nation "Antarctic"'),
        ({"rounds": 0}, "rounds = 0: a game has 1 to 100 rounds (MAPO-22)"),
        ({"rounds": 101}, "rounds = 101: a game has 1 to 100 rounds (MAPO-22)"),
        ({"transit_cards": 33}, "transit_cards = 33: 0 to 32 are allowed"),
        ({"transit_each": 7}, "transit_each = 7: 12 transit cards give 2 players 0 to 6 each"),
        ({"transit_each": "easier", "transit_cards": 9}, "transit_each = 5: 9 transit cards give"),
        ({"first_nation": "Wales"}, "first_nation: only with staged=true (MAPO-23)"),
        ({"staged": True, "nations": ["Wales"]}, "staged: needs two nations or more (MAPO-23)"),
        (
            {"staged": True, "nations": ["Wales", "England"], "first_nation": "Scotland"},
            'first_nation = "Scotland": not one of the nations played, Wales, England',
        ),
        (
            {"atlas": ISLAND, "players": 3, "staged": True},
            "first_nation: 3 county cards are too few for 3 players, who need 4 or more (MAPO-8)",
        ),
        ({"atlas": ISLAND.sub(regions=["Mid", "Fen"])}, "2 county cards are too few"),
    ],
    ids=str,
)
def test_a_mapominoes_set_up_against_the_rules_is_refused(
    options: dict[str, Any], message: str
) -> None:
    with pytest.raises(ValueError, match=f"^mapominoes: .*{re.escape(message)}"):
        adjoin.Batch("mapominoes", **options)


@pytest.mark.parametrize(
    ("game", "options"),
    [
        *(("mapello", {"setup": setup}) for setup in ("chess", 1, None)),
        *(("mapello", {"walls": walls}) for walls in (-1, "many")),
        *(("mapello", {"games": games}) for games in (1.5, None)),
        *(("mapello", {"size": size}) for size in (-1, 6.0, "small", None)),
        *(("mapominoes", {"players": players}) for players in (-1, 256, 2.5, "two", None)),
        *(("mapominoes", {"table": table}) for table in (30, (30,), (1, 2, 3), "30x20", (-1, 5))),
        *(("mapominoes", {"nations": nations}) for nations in ("Wales", [1], {"Wales": 1})),
        *(("mapominoes", {"transit_each": each}) for each in ("easy", -1, 1.5, None)),
        *(("mapominoes", {"draw": draw}) for draw in ("never", True, None)),
        *(("mapominoes", {"staged": staged}) for staged in ("yes", 1, None)),
        *(("mapominoes", {"challenges": challenges}) for challenges in ("yes", 1, None)),
        ("mapominoes", {"first_nation": 1, "staged": True}),
        ("mapominoes", {"rounds": "all"}),
        *(("connections", {"players": players}) for players in (-1, 256, 2.5, "two", None)),
        *(("connections", {"deck": deck}) for deck in ("moon", 7, None, ["a"])),
        *(("connections", {"trading": trading}) for trading in ("yes", 1, None)),
        *(("connections", {"partnerships": partnerships}) for partnerships in ("yes", 1, None)),
        *(("connections", {"deals_each": deals}) for deals in (-1, 1.5, "once", None)),
        *(("connections", {"max_turns": turns}) for turns in (-1, 256, 1.5, "all", None)),
        *(("domiphun", {"variant": variant}) for variant in ("chess", 1, None)),
        *(("domiphun", {"players": players}) for players in (-1, 256, 2.5, "two", None)),
        *(("domiphun", {"first_seat": seat}) for seat in (-1, 1.5, "youngest", True)),
        *(("domiphun", {"starts_each": starts}) for starts in (-1, 1.5, "once", None)),
        *(("domiphun", {"series": series}) for series in ("pips", 1, None)),
        *(("domiphun", {"x_joiners": number}) for number in (-1, 1.5, "two", True)),
        *(("domiphun", {"starjoiners": number}) for number in (-1, 1.5, "one", True)),
        *(("domiphun", {"extra_starjoiners": extra}) for extra in (1, [-1, 0], ["one", 0], None)),
        *(("domiphun", {"fork": fork}) for fork in ("yes", 1, None)),
        *(("domiphun", {"values": values}) for values in (-1, 2.5, "few", None)),
        *(("domiphun", {"hand": hand}) for hand in (-1, 1.5, "small", True)),
        *(("metro_domino", {"players": players}) for players in (-1, 256, 2.5, "two", None)),
        *(("metro_domino", {"stations": stations}) for stations in ("london", 7, None, ["a"])),
        *(("metro_domino", {"first_seat": seat}) for seat in (-1, 1.5, "youngest", True)),
        *(("metro_domino", {"wins_needed": wins}) for wins in (-1, 1.5, "three", None)),
    ],
    ids=str,
)
def test_an_option_of_a_wrong_kind_is_refused_by_name(game: str, options: dict[str, Any]) -> None:
    name = next(iter(options))
    with pytest.raises(ValueError, match=f"^{game}: .*{name}"):
        adjoin.Batch(game, **options)


@pytest.mark.parametrize(
    ("options", "same"),
    [
        ({}, {"players": 2, "table": (30, 20), "rounds": 2, "draw": "stuck", "transit_cards": 12}),
        ({"nations": ["wales", "ENGLAND"]}, {"nations": ["Wales", "England"]}),
        ({"transit_each": "easier"}, {"transit_each": 5}),
        ({"transit_each": "easier", "players": 3}, {"transit_each": 3, "players": 3}),
        ({"transit_each": "easier", "players": 5}, {"transit_each": 2, "players": 5}),
        ({"staged": True}, {"staged": True, "first_nation": "england"}),
        ({"players": 5, **NORTHERN_IRELAND}, {"players": 5, "rounds": 5, **NORTHERN_IRELAND}),
    ],
    ids=str,
)
def test_options_of_mapominoes_that_mean_the_same_give_the_same_game(
    options: dict[str, Any], same: dict[str, Any]
) -> None:
    one, other = (adjoin.Batch("mapominoes", lanes=2, seed=3, **o) for o in (options, same))
    assert one.spec == other.spec
    assert saves(one) == saves(other)


@pytest.mark.parametrize(
    ("table", "grid"),
    [((30, 20), (21, 31)), ((1, 2), (3, 1)), ((5, 4), (5, 5)), ((62, 61), (61, 63))],
)
def test_a_card_may_hang_over_the_edge_of_the_table(
    table: tuple[int, int], grid: tuple[int, int]
) -> None:
    spec = adjoin.Batch("mapominoes", table=table).spec
    assert spec.actions["cell"].shape == spec.observation["card"].shape == grid


def test_an_option_that_no_json_can_carry_is_refused(game: str) -> None:
    options: dict[str, Any] = {next(iter(adjoin.Batch(game).spec.options)): object()}
    with pytest.raises(TypeError, match="object cannot be read"):
        adjoin.Batch(game, **options)


def test_a_bad_character_in_a_position_is_refused_with_row_and_column() -> None:
    batch = adjoin.Batch("mapello", lanes=3)
    rows = batch.position(1).split("\n")
    rows[4] = rows[4][:6] + "?" + rows[4][7:]
    before = saves(batch)
    with pytest.raises(ValueError, match=r"row 4, column 6: .*'\?'"):
        batch.set_position("\n".join(rows), 1)
    assert saves(batch) == before


@pytest.mark.parametrize("threads", [1, 2, 8])
def test_an_illegal_action_is_refused_with_lane_notation_clause_and_what_is_legal(
    threads: int,
) -> None:
    batch = adjoin.Batch("mapello", setup="othello", lanes=64, threads=threads)
    out = batch.buffers()
    batch.reset(0, out)
    actions = np.full(64, batch.parse_action("d3"), np.int32)
    actions[[17, 40]] = batch.parse_action("a1")
    before = saves(batch), frozen(out), actions.tobytes()
    with pytest.raises(adjoin.IllegalActionError) as refused:
        batch.step(actions, out)
    assert str(refused.value) == (
        "lane 17, illegal action 0 (a1): a disc there would flip nothing (MAPE-6); "
        "legal: d3, c4, f5, e6"
    )
    assert (saves(batch), frozen(out), actions.tobytes()) == before


@pytest.mark.parametrize("lane", [0, 17, 63])
def test_an_illegal_action_in_any_lane_changes_no_lane(variant: Variant, lane: int) -> None:
    batch = variant.batch(lanes=64, threads=2)
    play_on(batch, 3)
    out = batch.buffers()
    actions = np.zeros(64, np.int32)
    batch.sample(actions)
    illegal = next(n for n in range(batch.spec.actions.size) if n not in batch.legal(lane))
    for bad in (illegal, batch.spec.actions.size, -2, 2**31 - 1, -(2**31)):
        actions[lane] = bad
        before = saves(batch), frozen(out)
        with pytest.raises(adjoin.IllegalActionError, match=f"^lane {lane}, illegal action {bad} "):
            batch.step(actions, out)
        assert (saves(batch), frozen(out)) == before


@pytest.mark.parametrize("action", [-2, -1, 2**31, -(2**40), 2**40])
def test_an_action_that_is_no_id_is_refused_in_one_lane_too(game: str, action: int) -> None:
    batch = adjoin.Batch(game, lanes=2)
    before = saves(batch)
    with pytest.raises(ValueError, match=f"{action}.* 0 to {batch.spec.actions.size - 1}"):
        batch.play(action, 1)
    assert str(action) in str(batch.explain(action, 1))
    assert saves(batch) == before


def test_explain_gives_the_reason_that_play_raises(variant: Variant) -> None:
    batch = variant.batch()
    reasons = [batch.explain(action) for action in range(batch.spec.actions.size)]
    legal = [action for action, why in enumerate(reasons) if why is None]
    assert legal == batch.legal()
    for action in set(range(batch.spec.actions.size)).difference(legal):
        with pytest.raises(adjoin.IllegalActionError) as refusal:
            batch.play(action)
        assert str(refusal.value) == reasons[action]


ON_A_LANE: dict[str, Callable[[adjoin.Batch, int], object]] = {
    "save": lambda batch, lane: batch.save(lane),
    "load": lambda batch, lane: batch.load(batch.save(), lane),
    "position": lambda batch, lane: batch.position(lane),
    "set_position": lambda batch, lane: batch.set_position(batch.position(), lane),
    "address": lambda batch, lane: batch.address(lane),
    "to_act": lambda batch, lane: batch.to_act(lane),
    "returns": lambda batch, lane: batch.returns(lane),
    "legal": lambda batch, lane: batch.legal(lane),
    "play": lambda batch, lane: batch.play(batch.legal(3)[0], lane),
    "explain": lambda batch, lane: batch.explain(0, lane),
    "text": lambda batch, lane: batch.text(lane),
    "view": lambda batch, lane: batch.view(lane),
    "parse_action": lambda batch, lane: batch.parse_action(batch.action_text(0), lane),
    "perft": lambda batch, lane: batch.perft(1, lane),
    "select": lambda batch, lane: batch.select([0, lane]),
}


@pytest.mark.parametrize("method", ON_A_LANE)
def test_a_lane_out_of_range_is_refused(game: str, method: str) -> None:
    batch = adjoin.Batch(game, lanes=4)
    ON_A_LANE[method](batch, 3)
    for lane in (4, -1, 2**40):
        with pytest.raises(IndexError, match=f"no lane {lane}: the batch has lanes 0 to 3"):
            ON_A_LANE[method](batch, lane)
    for lane in (2**70, -(2**70)):
        with pytest.raises(IndexError, match="the batch has lanes 0 to 3"):
            ON_A_LANE[method](batch, lane)


def test_a_selection_of_no_lanes_is_refused(game: str) -> None:
    with pytest.raises(ValueError, match="at least one lane"):
        adjoin.Batch(game).select([])


FOR_A_VIEWER: dict[str, Callable[[adjoin.Batch, int], object]] = {
    "observe": lambda batch, viewer: batch.observe(batch.buffers(), viewer),
    "text": lambda batch, viewer: batch.text(0, viewer),
    "view": lambda batch, viewer: batch.view(0, viewer),
    "resample_hidden": lambda batch, viewer: batch.resample_hidden(viewer),
}


@pytest.mark.parametrize("method", FOR_A_VIEWER)
def test_a_viewer_out_of_range_is_refused(game: str, method: str) -> None:
    batch = adjoin.Batch(game)
    seats = batch.spec.seats
    FOR_A_VIEWER[method](batch, seats - 1)
    for viewer in (seats, -1, 2**40):
        with pytest.raises(IndexError, match=f"no seat {viewer}: .*seats 0 to {seats - 1}"):
            FOR_A_VIEWER[method](batch, viewer)
    for viewer in (2**70, -(2**70)):
        with pytest.raises(IndexError, match=f"seats 0 to {seats - 1}"):
            FOR_A_VIEWER[method](batch, viewer)


def test_a_wrong_number_of_seeds_is_refused(variant: Variant) -> None:
    batch = variant.batch(lanes=3)
    before = saves(batch)
    with pytest.raises(ValueError, match=r"^seed: expected one number or 3 of them, got 2"):
        batch.reset([1, 2], batch.buffers())
    with pytest.raises(ValueError, match=r"^seed: expected one number or 3 of them, got 4"):
        batch.restart(np.ones(3, np.bool_), batch.buffers(), seeds=[1, 2, 3, 4])
    assert saves(batch) == before


@pytest.mark.parametrize("seed", [-1, 2**64, 1.5, "1", None, [1, -1], [1, 2.0]], ids=repr)
def test_something_other_than_a_seed_is_refused_by_reset(game: str, seed: Any) -> None:
    batch = adjoin.Batch(game, lanes=2)
    before = saves(batch)
    with pytest.raises((ValueError, TypeError), match=r"^seed"):
        batch.reset(seed, batch.buffers())
    assert saves(batch) == before


# Saved bytes.


def test_truncated_saves_are_refused(variant: Variant) -> None:
    batch = variant.batch(lanes=2)
    play_on(batch, 30)
    before = saves(batch)
    for length in range(len(before[0])):
        with pytest.raises(ValueError, match=r"^cannot load: "):
            batch.load(before[0][:length], 1)
    assert saves(batch) == before


def test_altered_saves_are_refused(variant: Variant) -> None:
    batch = variant.batch(lanes=2)
    play_on(batch, 30)
    before = saves(batch)
    for place in range(len(before[0])):
        altered = bytearray(before[0])
        altered[place] ^= 1 << place % 8
        with pytest.raises(ValueError, match=r"^cannot load: "):
            batch.load(bytes(altered), 1)
    assert saves(batch) == before


@pytest.mark.parametrize("other", VARIANTS, ids=str)
def test_a_save_of_another_game_or_with_other_options_is_refused(
    variant: Variant, other: Variant
) -> None:
    batch = variant.batch()
    saved = other.batch(seed=9).save()
    if other == variant:
        batch.load(saved)
        assert batch.save() == saved
        return
    before = batch.save()
    other_match = r"^cannot load: the match .* (other options|another game)"
    with pytest.raises(ValueError, match=other_match):
        batch.load(saved)
    assert batch.save() == before


@pytest.mark.parametrize("state", ["text", None, 7, [1, 2]], ids=repr)
def test_a_save_that_is_not_bytes_is_refused(game: str, state: Any) -> None:
    with pytest.raises(TypeError):
        adjoin.Batch(game).load(state)


# Nesting.


@pytest.mark.parametrize("depth", [200, 5_000, 200_000])
def test_options_and_positions_that_are_nested_deeply_are_refused(game: str, depth: int) -> None:
    nested: list[Any] = []
    for _ in range(depth):
        nested = [nested]
    with pytest.raises(ValueError, match=r"recursion limit|nested too deeply"):
        adjoin.Batch(game, players=nested)
    with pytest.raises(ValueError, match=r"position|state"):
        adjoin.Match(game, position="[" * depth + "]" * depth)


# Memory and threads that the system does not give.

LIMITED = """
import os, resource, sys
import numpy as np
import adjoin

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
    return [batch.save(lane) for lane in range(len(batch))]

game = sys.argv[1]
batch = adjoin.Batch(game, lanes=64, threads=4)
"""


def limited(game: str, code: str) -> list[str]:
    """Run code in a process whose memory can be limited, and return the lines it prints."""
    arguments = [sys.executable, "-c", LIMITED + code, game]
    done = subprocess.run(arguments, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


needs_limits = pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="Linux limits")


@needs_limits
def test_lanes_that_the_memory_does_not_hold_are_a_memory_error(game: str) -> None:
    code = """
limit(150)
refused(MemoryError, lambda: adjoin.Batch(game, lanes=2**24))
most = (150 << 20) // batch.spec.lane_bytes
refused(MemoryError, lambda: adjoin.Batch(game, lanes=most + most // 8))
refused(MemoryError, lambda: batch.select([0] * (most + most // 8)))
refused(MemoryError, lambda: adjoin.simulate(game, 2**20, part=2**20, record="decisions"))
limit(0)
batch.select([0] * most)
"""
    new, near, select, simulate = limited(game, code)
    assert re.fullmatch(r"not enough memory for 16777216 lanes of \d+ bytes each", new)
    assert near == select
    assert re.fullmatch(r"not enough memory for \d+ (episodes|decisions|rows) of .*", simulate)


@needs_limits
def test_threads_that_cannot_be_started_are_an_error_and_nothing_is_lost(game: str) -> None:
    code = """
out, actions = batch.buffers(), np.zeros(64, np.int32)
twin = batch.select(range(64))
before, threads = save(batch), os.listdir("/proc/self/task")
limit(1)
refused(RuntimeError, lambda: batch.choose("greedy"))
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
    lines = limited(game, code)
    asked = [
        re.match(r"threads = (\d): the system starts no more of them \(", one) for one in lines
    ]
    assert [found and found[1] for found in asked] == [*"13444444"]
