"""The games in OpenSpiel: its own tests pass, and its algorithms find what is to be found."""

from __future__ import annotations

import copy
import pickle
import random
import subprocess
import sys
from collections import defaultdict
from typing import Any

import numpy as np
import pytest

import adjoin
from scaffold import ALL_VARIANTS, THREE_IN_WALES, Variant, cases

pyspiel: Any = pytest.importorskip("pyspiel", reason="open_spiel has no wheel for this platform")
openspiel = pytest.importorskip("adjoin.envs.openspiel")
cfr = pytest.importorskip("open_spiel.python.algorithms.cfr")
exploitability = pytest.importorskip("open_spiel.python.algorithms.exploitability")
ismcts = pytest.importorskip("open_spiel.python.algorithms.ismcts")
mcts = pytest.importorskip("open_spiel.python.algorithms.mcts")
minimax = pytest.importorskip("open_spiel.python.algorithms.minimax")
observation = pytest.importorskip("open_spiel.python.observation")
policies = pytest.importorskip("open_spiel.python.policy")
rl_environment = pytest.importorskip("open_spiel.python.rl_environment")

RING: dict[str, Any] = {
    "atlas": adjoin.Atlas.build(
        ["Ash", "Birch", "Cedar", "Dell", "Elm"],
        [
            ("Ash", "Birch"),
            ("Birch", "Cedar"),
            ("Cedar", "Dell"),
            ("Dell", "Elm"),
            ("Elm", "Ash"),
        ],
    ),
    "table": (3, 3),
    "transit_cards": 0,
    "transit_each": 0,
    "draw": "stuck",
    "rounds": 1,
}
"""Mapominoes with five regions in a ring: a match has few courses."""

FIVE = [
    Variant("mapello"),
    Variant("mapello", {"setup": "free", "walls": [0, 2], "bonuses": [0, 1], "jokers": [0, 2]}),
    Variant("mapominoes", THREE_IN_WALES),
    Variant("mapominoes", {**RING, "zero_sum": True}),
    Variant("metro_domino", {"players": 4}),
    Variant("domiphun"),
    Variant("domiphun", {"variant": "advanced", "players": 3}),
    Variant("connections", {"players": 4, "max_turns": 3}),
]


def play(state: Any, rng: random.Random, decisions: int = 100_000) -> Any:
    """Play random actions: so many, or to the end."""
    for _ in range(decisions):
        if state.is_terminal():
            break
        state.apply_action(rng.choice(state.legal_actions()))
    return state


@pytest.fixture(params=FIVE, ids=str)
def five(request: pytest.FixtureRequest) -> Any:
    """Every game, with few deals."""
    variant: Variant = request.param
    return openspiel.load(variant.game, deals=64, **variant.options)


def test_openspiel_tests_the_games(five: Any, capfd: pytest.CaptureFixture[str]) -> None:
    pyspiel.random_sim_test(five, num_sims=2, serialize=True, verbose=False)
    pyspiel.random_sim_test(pyspiel.load_game(str(five)), 1, serialize=True, verbose=False)
    capfd.readouterr()


def test_all_games_are_registered_and_can_be_loaded_by_name() -> None:
    assert openspiel.register() == [f"adjoin_{game}" for game in adjoin.games()]
    names = pyspiel.registered_names()
    for game in adjoin.games():
        assert f"adjoin_{game}" in names
        loaded = pyspiel.load_game(f"adjoin_{game}")
        spec = adjoin.Match(game).spec
        assert loaded.num_players() == spec.seats
        assert loaded.num_distinct_actions() == spec.actions.size
        assert loaded.max_chance_outcomes() == 65536
        assert loaded.get_type().long_name == spec.title
        assert len(loaded.new_initial_state().chance_outcomes()) == 65536


@cases("variant", ALL_VARIANTS)
def test_a_name_holds_all_options_and_leaves_out_what_the_game_has(variant: Variant) -> None:
    game = openspiel.load(variant.game, deals=3, max_decisions=77, **variant.options)
    spec = variant.match().spec
    for again in (game, pyspiel.load_game(str(game)), pickle.loads(pickle.dumps(game))):
        assert str(again) == str(game)
        assert again.num_players() == spec.seats
        assert again.max_game_length() == 77
        assert again.new_initial_state()._shared.spec == spec
    for name, value in game.get_type().parameter_specification.items():
        if name in spec.options and name not in variant.options and value not in (-1, ""):
            assert spec.options[name] == value


@pytest.mark.smoke
def test_parameters_are_options() -> None:
    game = pyspiel.load_game("adjoin_mapominoes(players=3,rounds=2,draw=stuck,staged=True)")
    again = openspiel.load("mapominoes", players=3, rounds=2, draw="stuck", staged=True)
    assert str(game) == str(again)
    nested = {"options": '{"nations": ["Wales"], "table": [8, 6]}', "players": 3, "rounds": 2}
    named = pyspiel.load_game("adjoin_mapominoes", nested)
    assert str(named) == str(openspiel.load("mapominoes", **THREE_IN_WALES))
    assert str(pyspiel.load_game("adjoin_domiphun(first_seat=1)")) == (
        "adjoin_domiphun(first_seat=1)"
    )


@cases(
    ("name", "says"),
    [
        ("adjoin_mapello(colour=3)", "Unknown parameter 'colour'"),
        ("adjoin_mapello(walls=9)", "walls = 9: the box holds 8 of each"),
        ("adjoin_mapello(setup=othello,walls=4)", "walls: only with"),
        ("adjoin_mapominoes(players=9)", "players = 9: 2 to 5"),
        ("adjoin_mapello(deals=0)", "deals = 0: must be 1 to"),
        ("adjoin_mapello(max_decisions=0)", "max_decisions = 0: must be 1 to"),
        ("adjoin_mapello(position=z)", "unknown character 'z'"),
        ("adjoin_mapominoes(position=z)", "mapominoes"),
        ("adjoin_mapello(options=z)", "options = z: Expecting value"),
        ("adjoin_mapello(options=[1])", "must be a JSON object"),
        ("adjoin_mapello(options=%7B%22colour%22%3A3%7D)", "unknown option `colour`"),
        ("adjoin_mapello(walls=2,options=%7B%22walls%22%3A3%7D)", "walls is given twice"),
    ],
)
def test_a_wrong_name_says_what_is_wrong(name: str, says: str) -> None:
    openspiel.register()
    with pytest.raises((ValueError, pyspiel.SpielError)) as caught:
        pyspiel.load_game(name)
    assert says in str(caught.value)


def test_pickles_are_read_where_the_games_are_not_registered() -> None:
    game = openspiel.load("mapello", deals=3)
    state = play(game.new_initial_state(), random.Random(14), 9)
    code = (
        "import pickle, sys; state = pickle.load(sys.stdin.buffer); "
        "print(state.get_game(), state.history(), state.information_state_string(1))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], input=pickle.dumps(state), capture_output=True, timeout=120
    )
    seen = f"{game} {state.history()} {state.information_state_string(1)}"
    assert done.stdout.decode().strip() == seen, done.stderr.decode()


def test_wrong_input_is_refused() -> None:
    with pytest.raises(ValueError, match="game = 'chess': must be one of mapello"):
        openspiel.load("chess")
    cases: list[tuple[dict[str, Any], str]] = [
        ({"walls": -1}, "walls"),
        ({"deals": 2**40}, "deals = 1099511627776: must be 1 to"),
        ({"max_decisions": 2**40}, "max_decisions = 1099511627776: must be 1 to"),
        ({"setup": ""}, "setup"),
        ({"opening": ""}, "opening"),
        ({"colour": 3}, "unknown option `colour`"),
    ]
    for wrong, says in cases:
        with pytest.raises(ValueError, match=says):
            openspiel.load("mapello", **wrong)
    with pytest.raises(TypeError, match=r"deals = 2\.5: must be a whole number"):
        openspiel.load("mapello", deals=2.5)
    game = openspiel.load("mapello", deals=4)
    state = game.new_initial_state()
    with pytest.raises(ValueError, match="deal = 4: must be 0 to 3"):
        state.apply_action(4)
    state.apply_action(3)
    before = str(state)
    with pytest.raises(adjoin.IllegalActionError, match="MAPE"):
        state.apply_action(64)
    assert (str(state), state.history()) == (before, [3])
    with pytest.raises(ValueError, match="the observers have no parameters"):
        game.make_py_observer(None, {"colour": 3})
    public = pyspiel.IIGObservationType(
        perfect_recall=False, private_info=pyspiel.PrivateInfoType.NONE
    )
    with pytest.raises(ValueError, match="what one player knows"):
        game.make_py_observer(public)


def test_a_deal_is_a_match_with_that_seed(game: str) -> None:
    state = openspiel.load(game, deals=50, max_decisions=40).new_initial_state()
    rng = random.Random(1)
    state.apply_action(41)
    match = adjoin.Match(game, seed=41, max_decisions=40)
    while not state.is_terminal():
        assert state.current_player() == match.to_act
        actions = state.legal_actions()
        assert [state.action_to_string(a) for a in actions] == match.legal()
        assert str(state) == match.text("all")
        action = rng.choice(actions)
        state.apply_action(action)
        match.play(action)
    assert match.is_over
    assert state.history()[0] == 41
    assert len(state.history()) == 41 or state.returns() == match.returns


def test_copies_go_on_like_the_original(five: Any) -> None:
    rng = random.Random(2)
    players = range(five.num_players())
    for decisions in (0, 1, 2, 12):
        state = play(five.new_initial_state(), rng, decisions)
        copies = [state.clone(), copy.deepcopy(state), pickle.loads(pickle.dumps(state))]
        copies.append(five.deserialize_state(state.serialize()))
        for _ in range(15):
            seen = [state.information_state_string(p) for p in players]
            for other in copies:
                assert str(other) == str(state)
                assert other.history() == state.history()
                assert other.current_player() == state.current_player()
                assert other.legal_actions() == state.legal_actions()
                assert other.returns() == state.returns()
                assert [other.information_state_string(p) for p in players] == seen
            if state.is_terminal():
                break
            action = rng.choice(state.legal_actions())
            for one in (state, *copies):
                one.apply_action(action)


def test_a_copy_leaves_the_original_alone(five: Any) -> None:
    state = play(five.new_initial_state(), random.Random(3), 3)
    before = state.serialize()
    play(state.clone(), random.Random(4))
    assert state.serialize() == before


def test_observers_show_what_the_match_shows(five: Any) -> None:
    rng = random.Random(5)
    state = five.new_initial_state()
    observer = observation.make_observation(five)
    if state.is_chance_node():
        observer.set_from(state, 0)
        assert not observer.tensor.any()
        assert observer.string_from(state, 0) == state.information_state_string(0) == ""
        state.apply_action(9)
    while not state.is_terminal():
        play(state, rng, 7)
        match: adjoin.Match = state._match
        for player in range(five.num_players()):
            row, _ = match.observe(player)
            observer.set_from(state, player)
            assert observer.tensor.dtype == np.float32
            assert np.array_equal(observer.tensor, row)
            assert np.array_equal(state.observation_tensor(player), observer.tensor)
            blocks = match.spec.observation.split(row)
            assert list(observer.dict) == list(blocks)
            for name, block in blocks.items():
                assert np.array_equal(observer.dict[name], block)
            assert observer.string_from(state, player) == match.text(player)
            assert state.observation_string(player) == match.text(player)


def test_with_perfect_recall_there_is_a_string_only() -> None:
    game = openspiel.load("domiphun", deals=4)
    state = play(game.new_initial_state(), random.Random(6), 5)
    observer = observation.make_observation(game, observation.INFO_STATE_OBS_TYPE)
    observer.set_from(state, 0)
    assert observer.tensor is None
    assert observer.dict == {}
    assert observer.string_from(state, 1) == state.information_state_string(1)


@cases(
    ("game", "depth"),
    [
        (openspiel.load("mapominoes", deals=8, players=3, **RING), 99),
        (openspiel.load("domiphun", deals=1000, first_seat=0), 1),
        (openspiel.load("metro_domino", deals=6, first_seat=1), 3),
    ],
)
def test_an_information_state_is_what_a_player_has_seen(game: Any, depth: int) -> None:
    """The same string if and only if all actions and own observations were the same."""
    rng = random.Random(7)
    courses: dict[str, Any] = {}
    strings: dict[Any, str] = {}
    deals: dict[str, set[int]] = defaultdict(set)
    legal: dict[str, list[int]] = {}

    def visit(state: Any, course: tuple[Any, ...], level: int) -> None:
        rows = [state._match.observe(p)[0].tobytes() for p in range(game.num_players())]
        course = (*course, rows)
        actions = state.history()[1:]
        for player in range(game.num_players()):
            string = state.information_state_string(player)
            mine = (player, tuple(actions), tuple(rows[player] for rows in course))
            assert courses.setdefault(string, mine) == mine
            assert strings.setdefault(mine, string) == string
            deals[string].add(state.history()[0])
        if state.is_terminal() or level == depth:
            return
        own = state.information_state_string()
        assert legal.setdefault(own, state.legal_actions()) == state.legal_actions()
        few = state.legal_actions() if depth == 99 else rng.sample(state.legal_actions(), 1)
        for action in few:
            visit(state.child(action), course, level + 1)

    for deal in range(game.max_chance_outcomes()):
        visit(game.new_initial_state().child(deal), (), 0)
    if game.get_type().short_name != "adjoin_metro_domino":
        assert max(map(len, deals.values())) > 1


def test_resampling_keeps_what_the_player_knows(five: Any) -> None:
    rng = random.Random(8)
    state = five.new_initial_state()
    if state.is_chance_node():
        before = state.resample_from_infostate(0, rng.random)
        assert before.is_chance_node()
        state.apply_action(9)
    for _ in range(12):
        if state.is_terminal():
            break
        player = rng.randrange(five.num_players())
        guess = state.resample_from_infostate(player, rng.random)
        assert guess.information_state_string(player) == state.information_state_string(player)
        assert guess.observation_tensor(player) == state.observation_tensor(player)
        assert guess.current_player() == state.current_player()
        if player == state.current_player():
            assert guess.legal_actions() == state.legal_actions()
        again = [state.resample_from_infostate(player, lambda: 0.25) for _ in range(2)]
        assert str(again[0]) == str(again[1])
        assert again[0].serialize() == again[1].serialize()
        assert len(play(guess, rng).returns()) == five.num_players()
        play(state, rng, 1)


def test_resampling_draws_anew_what_is_hidden(game: str) -> None:
    options = {} if game == "mapello" else {"players": 3}
    state = openspiel.load(game, deals=16, **options).new_initial_state().child(3)
    rng = random.Random(15)
    guesses = {str(state.resample_from_infostate(0, rng.random)) for _ in range(9)}
    assert guesses == {str(state)} if game == "mapello" else len(guesses) > 4


def test_the_type_of_a_game_follows_from_its_options() -> None:
    kind = pyspiel.GameType
    hidden, open_ = kind.Information.IMPERFECT_INFORMATION, kind.Information.PERFECT_INFORMATION
    drawn, fixed = kind.ChanceMode.EXPLICIT_STOCHASTIC, kind.ChanceMode.DETERMINISTIC
    zero, general = kind.Utility.ZERO_SUM, kind.Utility.GENERAL_SUM
    cases: list[tuple[str, dict[str, Any], tuple[Any, ...]]] = [
        ("mapello", {}, (open_, drawn, zero)),
        ("mapello", {"games": 2}, (hidden, drawn, zero)),
        ("mapello", {"setup": "othello", "games": 2}, (open_, fixed, zero)),
        ("mapello", {"setup": "free"}, (open_, fixed, zero)),
        ("mapominoes", {}, (hidden, drawn, general)),
        ("mapominoes", {"zero_sum": True}, (hidden, drawn, zero)),
        ("connections", {"players": 6}, (hidden, drawn, zero)),
    ]
    for game, options, expected in cases:
        loaded = openspiel.load(game, **options)
        found = loaded.get_type()
        assert (found.information, found.chance_mode, found.utility) == expected
        assert loaded.new_initial_state().is_chance_node() == (expected[1] == drawn)
        assert (found.min_num_players, found.max_num_players) == {
            "mapello": (2, 2),
            "mapominoes": (2, 5),
            "connections": (3, 6),
        }[game]


def test_returns_are_paid_at_the_end_and_can_be_made_zero_sum() -> None:
    plain = openspiel.load("mapominoes", deals=64, **THREE_IN_WALES)
    relative = openspiel.load("mapominoes", deals=64, zero_sum=True, **THREE_IN_WALES)
    assert (plain.min_utility(), plain.max_utility()) != (0, 0)
    assert relative.min_utility() == plain.min_utility()
    assert relative.max_utility() == -plain.min_utility()
    for seed in range(5):
        states = [play(g.new_initial_state(), random.Random(seed)) for g in (plain, relative)]
        earned, compared = (state.returns() for state in states)
        assert earned == states[0]._match.returns
        assert compared == [own - (sum(earned) - own) / 2 for own in earned]
    state = plain.new_initial_state()
    while not state.is_terminal():
        assert state.returns() == [0.0] * 3
        play(state, random.Random(9), 1)


def test_a_match_is_cut_off_at_the_limit() -> None:
    game = openspiel.load("metro_domino", deals=2, max_decisions=5, players=4)
    state = play(game.new_initial_state(), random.Random(10))
    assert len(state.history()) == 6
    assert state.returns() == [0.0] * 4
    assert state.legal_actions() == []


def test_cfr_brings_exploitability_down_tenfold() -> None:
    game = openspiel.load("mapominoes", deals=8, zero_sum=True, **RING)
    at_first = exploitability.exploitability(game, policies.UniformRandomPolicy(game))
    assert at_first > 0.1
    solver = pyspiel.CFRSolver(game)
    for _ in range(15):
        solver.evaluate_and_update_policy()
    assert pyspiel.exploitability(game, solver.average_policy()) < at_first / 10


def test_cfr_learns_domiphun_with_few_values() -> None:
    game = openspiel.load("domiphun", deals=16, values=3, hand=4)
    assert str(game) == "adjoin_domiphun(deals=16,hand=4,values=3)"
    at_first = exploitability.exploitability(game, policies.UniformRandomPolicy(game))
    assert at_first > 0.3
    solver = pyspiel.CFRSolver(game)
    for _ in range(20):
        solver.evaluate_and_update_policy()
    assert pyspiel.exploitability(game, solver.average_policy()) < at_first / 10


def test_cfr_in_python_and_in_cpp_agree() -> None:
    game = openspiel.load("mapominoes", deals=2, zero_sum=True, **RING)
    solver, native = cfr.CFRSolver(game), pyspiel.CFRSolver(game)
    for _ in range(2):
        solver.evaluate_and_update_policy()
        native.evaluate_and_update_policy()
    left = exploitability.exploitability(game, solver.average_policy())
    assert pyspiel.exploitability(game, native.average_policy()) == pytest.approx(left)


def test_minimax_agrees_with_the_solver() -> None:
    values = set()
    for seed in range(12):
        match = adjoin.Match("mapello", seed=seed)
        match.play_random(50)
        if match.is_over:
            continue
        keywords: dict[str, Any] = {"setup": "fixed", "position": match.position()}
        score = adjoin.Match("mapello", **keywords).solve().score
        game = openspiel.load("mapello", **keywords)
        state = game.new_initial_state()
        value, action = minimax.alpha_beta_search(
            game, maximum_depth=99, maximizing_player_id=state.current_player()
        )
        assert value == np.sign(score)
        mover = state.current_player()
        state.apply_action(action)
        if state.is_terminal():
            assert state.returns()[mover] == value
        else:
            after = adjoin.Match("mapello", setup="fixed", position=state._match.position())
            side = 1 if state.current_player() == mover else -1
            assert np.sign(after.solve().score) == side * value
        values.add(value)
    assert {-1.0, 1.0} <= values


def test_minimax_solves_othello_on_four_by_four() -> None:
    game = openspiel.load("mapello", setup="othello", size=4)
    assert str(game) == "adjoin_mapello(setup=othello,size=4)"
    value, _ = minimax.alpha_beta_search(game, maximum_depth=99, maximizing_player_id=0)
    score = adjoin.Match("mapello", setup="othello", size=4).solve().score
    assert (value, score) == (-1, -8)


def test_ismcts_plays_a_game_of_mapominoes() -> None:
    game = openspiel.load("mapominoes", nations=["Wales"], players=3, rounds=1, max_decisions=500)
    rng = np.random.RandomState(11)
    bots = []
    for _ in range(3):
        bot = ismcts.ISMCTSBot(game, mcts.RandomRolloutEvaluator(1, rng), 10.0, 8, random_state=rng)
        bot.set_resampler(lambda s, player: s.resample_from_infostate(player, rng.uniform))
        bots.append(bot)
    state = game.new_initial_state()
    state.apply_action(12)
    while not state.is_terminal():
        action = bots[state.current_player()].step(state)
        assert action in state.legal_actions()
        state.apply_action(action)
    assert state._match.is_over
    assert len(state.history()) < 500
    assert max(state.returns()) == 0


def test_an_rl_environment_plays_a_match() -> None:
    game = openspiel.load("domiphun", deals=16)
    env = rl_environment.Environment(
        game, chance_event_sampler=rl_environment.ChanceEventSampler(seed=13)
    )
    step = env.reset()
    rng = random.Random(13)
    while not step.last():
        player = step.observations["current_player"]
        assert len(step.observations["info_state"][player]) == game.observation_tensor_size()
        step = env.step([rng.choice(step.observations["legal_actions"][player])])
    assert sorted(step.rewards) in ([-1, 1], [0, 0])


@cases(
    ("code", "result", "says"),
    [
        (
            "import adjoin.envs.openspiel as o; o.register(); g = o.load('mapello'); o.register(); "
            "s = g.new_initial_state(); s.apply_action(1); print(s.current_player())",
            0,
            "0",
        ),
        (
            "import sys; sys.modules['pyspiel'] = None; import adjoin.envs.openspiel",
            1,
            "this needs pyspiel: pip install 'adjoin[openspiel]'",
        ),
    ],
)
def test_a_process_with_and_without_openspiel(code: str, result: int, says: str) -> None:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert done.returncode == result
    assert says in done.stdout + done.stderr
