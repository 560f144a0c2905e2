"""One match in Python: notation, views, copies, saves; the rules are tested in tests/rules."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ElementTree
from typing import Any

import pytest

import adjoin
from adjoin import Match
from scaffold import COPIERS, Variant, cases


def in_play(brief: Variant, decisions: int = 12) -> Match:
    match = brief.match(seed=5)
    match.play_random(decisions)
    return match


# Playing.


@pytest.mark.smoke
def test_legal_actions_can_be_played_by_notation_and_by_id(brief: Variant) -> None:
    match = brief.match(seed=1)
    while not match.is_over:
        legal = match.legal()
        assert [match.notation(action) for action in match.legal_ids()] == legal
        other = match.copy()
        match.play(legal[-1])
        other.play(match.action_id(legal[-1]))
        assert match.save() == other.save()
        assert match.history[-1] == legal[-1]
    assert match.legal() == []
    assert match.to_act is None


def test_action_ids_follow_the_labels(variant: Variant) -> None:
    match = variant.match()
    for block in match.spec.actions.blocks:
        if len(block.shape) == 1 and len(block.labels) == block.size:
            texts = [match.notation(action) for action in range(block.start, block.stop)]
            assert all(
                text.endswith(label) for text, label in zip(texts, block.labels, strict=True)
            )


def test_several_actions_are_played_up_to_the_first_illegal_one() -> None:
    match = Match("mapello", setup="othello")
    with pytest.raises(adjoin.IllegalActionError, match=r"^a1: "):
        match.play("f5", "d6", "a1", "c3")
    assert match.history == ["f5", "d6"]


def test_notation_is_read_in_either_case_and_with_space_around() -> None:
    match = Match("mapello", setup="free")
    match.play(" Wall C3 ", "JOKER 0,4", "Finish", "WHITE", "E3")
    assert match.history == ["wall c3", "joker 0,4", "finish", "white", "e3"]


def test_random_play_takes_as_many_decisions_as_asked_or_goes_to_the_end(brief: Variant) -> None:
    match = brief.match(seed=2)
    match.play_random(0)
    assert match.history == []
    match.play_random(3)
    assert len(match.history) == 3
    match.play_random()
    assert match.is_over
    played = len(match.history)
    match.play_random(5)
    assert len(match.history) == played


def test_random_play_follows_from_the_seed(brief: Variant) -> None:
    first, again, other = (brief.match(seed=seed) for seed in (3, 3, 4))
    for match in (first, again, other):
        match.play_random()
    assert first.save() == again.save()
    assert first.history != other.history


def test_the_othello_counts_are_the_published_ones() -> None:
    match = Match("mapello", setup="othello")
    assert [match.perft(depth) for depth in range(1, 5)] == [4, 12, 56, 244]
    assert match.perft(0) == 1
    assert match.history == []


def test_why_not_is_nothing_exactly_for_legal_actions(brief: Variant) -> None:
    match = in_play(brief)
    before = match.save()
    legal = match.legal()
    for number in range(match.spec.actions.size):
        name = match.notation(number)
        why = match.why_not(number)
        assert (why is None) == (name in legal)
        if why is not None:
            assert repr(why) == repr(match.why_not(name))
            assert str(why).startswith(f"{name}: {why.reason}")
            assert why.clause is None or f"({why.clause})" in str(why)
            assert why.legal == legal
    assert match.save() == before


def test_what_is_raised_is_what_why_not_returns() -> None:
    match = Match("mapello", setup="othello")
    why = match.why_not("a1")
    with pytest.raises(adjoin.IllegalActionError) as raised:
        match.play("a1")
    assert why is not None
    for error in (why, raised.value):
        assert error.reason == "a disc there would flip nothing"
        assert error.clause == "MAPE-6"
        assert error.legal == ["d3", "c4", "f5", "e6"]
        assert str(error) == f"a1: {error.reason} (MAPE-6); legal: d3, c4, f5, e6"


# Messages for people.


def test_a_word_that_is_no_action_is_refused_with_what_is_legal(brief: Variant) -> None:
    match = brief.match()
    for call in (match.play, match.why_not):
        with pytest.raises(adjoin.IllegalActionError, match=f'^"zz" .*{brief.game}') as refused:
            call("zz")
        assert all(name in str(refused.value) for name in match.legal()[:20])


def test_playing_after_the_end_is_refused(brief: Variant) -> None:
    match = brief.match()
    match.play_random()
    last = match.history[-1]
    before = match.save()
    for action in (last, 0):
        with pytest.raises(adjoin.IllegalActionError, match="the match is over"):
            match.play(action)
        assert "the match is over" in str(match.why_not(action))
    assert match.save() == before
    assert match.history[-1] == last


@cases("action", [1.0, None, b"f5", ["f5"], True + 0j])
def test_an_action_of_a_wrong_type_is_refused(action: Any) -> None:
    match = Match("mapello")
    with pytest.raises(TypeError, match="notation, or an id"):
        match.play(action)
    assert match.history == []


def test_what_is_no_id_has_no_notation_and_the_other_way_round() -> None:
    match = Match("mapello")
    with pytest.raises(TypeError, match="action = 'f5': must be "):
        match.notation("f5")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="action = 65: ids are 0 to 64"):
        match.notation(65)
    with pytest.raises(TypeError, match=r"text = 3: must be an action in the game's notation"):
        match.action_id(3)  # type: ignore[arg-type]


@cases("action", [-1, 65, 2**70])
def test_an_id_out_of_range_is_refused(action: int) -> None:
    match = Match("mapello")
    words = rf"^action {min(action, 2**63 - 1)}: ids are 0 to 64; legal: "
    with pytest.raises(adjoin.IllegalActionError, match=words):
        match.play(action)


@cases("keyword", [{"num_lanes": 3}, {"threads": 2}, {"agents": [None, None]}, {"rotate": True}])
def test_a_keyword_of_batches_is_no_option_of_a_match(keyword: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=f"unknown option `{next(iter(keyword))}`"):
        Match("mapello", **keyword)


# Looking.


def test_the_view_says_what_the_match_says(brief: Variant) -> None:
    match = in_play(brief)
    view = match.view()
    assert view["game"] == brief.game
    assert view["legal"] == match.legal()
    assert view["to_act"] == match.to_act
    assert view["returns"] == match.returns
    assert view["last"] == match.history[-1]
    assert brief.match().view()["last"] is None
    assert json.loads(json.dumps(view)) == view


def test_a_match_tells_what_was_done_and_how_it_ended() -> None:
    match = Match("mapominoes", position='{"table":{"P11":"surrey"},"hands":[["kent"],["fife"]]}')
    assert match.sentences == []
    assert match.result == "The match is not over."
    match.play("Kent", "P12")
    assert match.sentences == ["seat 0 plays Kent", "seat 0 plays Kent on P12"]
    match.play_random()
    assert len(match.sentences) == len(match.history)
    best = match.returns.index(max(match.returns))
    assert match.result.startswith(f"Seat {best} wins. Points: seat 0 ")


def test_a_seat_observes_what_a_batch_would_show_it(brief: Variant) -> None:
    batch = brief.batch(num_lanes=2, seed=3)
    out = batch.buffers()
    for viewer in (None, *range(batch.spec.seats)):
        batch.observe(out, viewer)
        for lane, match in enumerate(batch):
            row, mask = match.observe(viewer)
            assert (row == out.observation[lane]).all()
            assert (mask == out.mask[lane]).all()
            asked = viewer in (None, match.to_act)
            assert mask.nonzero()[0].tolist() == (match.legal_ids() if asked else [])


def test_the_seat_to_act_looks_unless_another_viewer_is_named(brief: Variant) -> None:
    match = in_play(brief)
    assert match.view()["viewer"] == match.to_act
    for seat in range(match.spec.seats):
        assert match.view(seat)["viewer"] == seat
    assert match.view("all")["viewer"] is None
    assert match.text() == match.text(match.to_act) == str(match)


def test_an_onlooker_sees_what_every_seat_sees_and_can_click_nothing(brief: Variant) -> None:
    match = in_play(brief, 4)
    assert match.view("onlooker")["viewer"] is None
    assert "data-place" not in match.svg("onlooker")
    assert match.pictures("onlooker")[-1] == match.svg("onlooker")
    one, other = match.copy(), match.copy()
    one.resample_hidden(0)
    other.resample_hidden(0, purpose=1)
    assert one.text("onlooker") == other.text("onlooker") == match.text("onlooker")
    assert one.view("onlooker") == other.view("onlooker")
    assert one.svg("onlooker") == other.svg("onlooker")


def test_a_viewer_who_is_not_at_the_table_is_refused(game: str) -> None:
    match = Match(game)
    for viewer in (match.spec.seats, -1):
        for look in (match.text, match.view, match.svg):
            with pytest.raises(IndexError, match=f"no seat {viewer}"):
                look(viewer)
    for wrong in ("everybody", True, 1.5):
        with pytest.raises(TypeError, match=r'must be a seat, "all", "onlooker" or None'):
            match.svg(wrong)  # type: ignore[arg-type]
    for nobody in ("all", "onlooker", "everybody"):
        with pytest.raises(TypeError, match=rf"viewer = '{nobody}': must be a seat"):
            match.observe(nobody)  # type: ignore[arg-type]


def test_repr_tells_game_decisions_and_who_decides(brief: Variant) -> None:
    match = in_play(brief, 4)
    assert repr(match) == f"<Match of {match.spec.title}: 4 decisions, seat {match.to_act} to act>"
    match.play_random()
    assert repr(match) == f"<Match of {match.spec.title}: {len(match.history)} decisions, over>"


def test_the_pictures_of_a_match_are_well_formed(brief: Variant) -> None:
    match = brief.match(seed=8)
    while True:
        root = ElementTree.fromstring(match.svg())
        assert root.tag == "{http://www.w3.org/2000/svg}svg"
        assert root.find("{http://www.w3.org/2000/svg}title") is not None
        if match.is_over:
            break
        match.play_random(3)
    assert match._repr_svg_() == match.svg()


# Positions.


def test_a_position_can_be_played_on_from(brief: Variant) -> None:
    match = in_play(brief, 30)
    other = brief.match(position=match.position())
    assert other.position() == match.position()
    assert other.history == []


# Saves and copies.


@cases("copier", [Match.copy, *COPIERS.values()])
def test_a_copy_has_the_same_past_and_the_same_chance(brief: Variant, copier: Any) -> None:
    match = in_play(brief)
    copied = copier(match)
    assert copied.history == match.history
    assert copied.replay() == match.replay()
    before, past = match.save(), match.history
    copied.play_random()
    assert match.save() == before
    assert match.history == past
    match.play_random()
    assert copied.save() == match.save()
    assert copied.history == match.history


def test_copies_with_seeds_of_their_own_go_different_ways(brief: Variant) -> None:
    match = in_play(brief)
    before, table = match.save(), match.text("all")
    games = set()
    for seed in range(8):
        branch = match.copy(seed=seed)
        assert branch.text("all") == table, "what is dealt stays"
        assert branch.history == []
        branch.play_random(25)
        games.add(tuple(branch.history))
        again = match.copy(seed=seed)
        again.play_random(25)
        assert again.save() == branch.save()
        assert Match.from_replay(branch.replay()).save() == branch.save()
    assert match.save() == before
    assert len(games) > 1


def test_a_copy_with_a_seed_keeps_its_chance_when_it_is_saved(brief: Variant) -> None:
    branch = in_play(brief).copy(seed=7)
    other = brief.match()
    other.load(branch.save())
    for match in (branch, other):
        match.play_random()
    assert other.save() == branch.save()


def test_loading_forgets_the_history(brief: Variant) -> None:
    match = in_play(brief)
    saved = match.save()
    match.play_random(3)
    match.load(saved)
    assert match.history == []
    assert match.save() == saved
    match.play_random(1)
    assert len(match.history) == 1


# Agents and perfect play.


def test_an_agent_chooses_for_the_seat_to_act(brief: Variant) -> None:
    match = brief.match(seed=2)
    for _ in range(6):
        if match.is_over:
            break
        for agent in ("random", "greedy", "search(iterations=5, depth=5)"):
            choice = match.choose(agent)
            assert choice in match.legal()
            assert match.choose(agent) == choice
        match.play(choice)


def test_there_is_no_advice_after_the_end(game: str) -> None:
    match = Match(game)
    match.play_random()
    with pytest.raises(ValueError, match="the match is over, nobody has to decide"):
        match.choose("greedy")
    with pytest.raises(ValueError, match='unknown agent "gredy": did you mean "greedy"'):
        match.choose("gredy")


def test_an_episode_of_a_seed_is_a_match_of_its_own(game: str) -> None:
    first, second = (Match(game, seed=4, episode=episode) for episode in (0, 1))
    assert [match.address for match in (first, second)] == [(4, 0, 0, 0), (4, 0, 1, 0)]
    assert first.deal(4, 1).save() == second.save()
    assert first.deal(4, 1).spec == first.spec
    assert first.save() == Match(game, seed=4).save()
    assert first.save() != second.save()
    second.play_random()
    again = Match.from_replay(second.replay())
    assert again.save() == second.save()
    with pytest.raises(ValueError, match=r"^episode = -1: must be 0 to"):
        Match(game, episode=-1)


def test_perfect_play_reaches_its_score() -> None:
    for seed in range(5):
        match = Match("mapello", seed=seed, walls=6, bonuses=6, jokers=6)
        match.play_random(44)
        if match.is_over:
            continue
        side = match.to_act
        assert side is not None
        score, line, nodes = solution = match.solve()
        assert match.solve_depth is not None
        assert len(line) - line.count("pass") <= match.solve_depth
        assert nodes > 0
        assert solution == match.solve()
        match.play(*line)
        assert match.is_over
        points = match.view("all")["match"]["points"]
        assert points[side] - points[1 - side] == score
        assert match.returns[side] == (score > 0) - (score < 0)


def test_what_cannot_be_solved_says_so() -> None:
    for game in adjoin.games():
        if game != "mapello":
            with pytest.raises(ValueError, match=r"cannot solve: .* has no exact solver"):
                Match(game).solve()
            assert Match(game).solve_depth is None
    with pytest.raises(ValueError, match="the board is still being set up"):
        Match("mapello", setup="free").solve()
    over = Match("mapello")
    over.play_random()
    with pytest.raises(ValueError, match="the match is over"):
        over.solve()


def test_alphabeta_is_mapellos_own() -> None:
    assert any(agent.startswith("alphabeta") for agent in Match("mapello").spec.agents)
    with pytest.raises(ValueError, match='unknown agent "alphabeta": the agents of domiphun are'):
        Match("domiphun").choose("alphabeta(depth=2)")
    with pytest.raises(ValueError, match="depth=0: must be a number from 1 to 60"):
        Match("mapello").choose("alphabeta(depth=0)")
    table = adjoin.simulate("mapello", 20, ["alphabeta(depth=2)", "greedy"], seed=1, threads=2)
    seats = table.by_seat()
    assert seats["won"][seats["agent"] == "alphabeta(depth=2)"].mean() > 0.7
