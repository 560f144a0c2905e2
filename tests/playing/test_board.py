"""The board of a notebook, without a browser: what is sent to it, and what it may send."""

from __future__ import annotations

import copy
import json
import random
import re
import sys
import threading
from typing import Any

import pytest

import adjoin
from adjoin.playing.board import Board
from adjoin.playing.sessions import Session
from interfaces import legal, names, play, receive, send, sent, unseen
from pictures import drawn, shown
from scaffold import THREE_IN_WALES, Variant, cases

GARBAGE: list[Any] = [
    None, True, -1, 2**70, 0.5, "", "take", "cell a1", "no such place", "<g>", "\0", [], ["take"],
    {}, {"do": "play"}, [[["cell a1"]]], "x" * 10_000, b"take", {1: 2}, float("nan"), "\ud800",
]  # fmt: skip

DEEDS: list[Any] = ["play", "pick", "type", "why", "look", "ready", "no such thing", None, 3, []]


def board_of(variant: Variant, **keywords: Any) -> Board:
    return adjoin.play(variant.game, **keywords, **copy.deepcopy(variant.options))


def decide(board: Board, wanted: str) -> int:
    """Take a decision by clicking places, and a button where they leave a choice.

    Return the number of clicks on places.
    """
    number, at = board.state["number"], len(board.match.history)
    (action,) = (a for a in board.state["actions"] if board.match.notation(a["action"]) == wanted)
    for clicks, place in enumerate(action["places"], 1):
        assert place in shown(drawn(board.state))
        state = send(board, "pick", place)
        if state["number"] != number:
            break
        assert wanted in legal(board)
        assert state["picked"] == action["places"][:clicks]
    else:
        clicks = 0
        play(board, wanted)
    assert board.match.history[at] == wanted
    return clicks


# Whole games.


def test_a_match_is_played_by_messages_alone(brief: Variant) -> None:
    rng = random.Random(brief.game)
    board = board_of(brief, seed=4, opponents="random")
    decisions = clicks = 0
    while not board.match.is_over:
        assert board.state["status"].startswith("Your turn: ")
        assert board.match.to_act == 0
        assert legal(board) == board.match.legal()
        there = shown(drawn(board.state))
        for action in board.state["actions"]:
            for place in action["places"]:
                assert there.count(place) >= action["places"].count(place), (action, place)
        clicks += decide(board, rng.choice(board.match.legal())) > 0
        decisions += 1
    assert decisions > 4
    assert clicks > 2
    state = sent(board)["state"]
    assert state["is_over"]
    assert state["actions"] == []
    assert state["status"].endswith(".")
    assert adjoin.Match.from_replay(board.replay()).returns == board.match.returns


@pytest.mark.smoke
def test_callables_play_at_the_seats_they_are_given() -> None:
    asked = []

    def last(observation: Any, mask: Any) -> Any:
        asked.append(mask.shape)
        return [int(row.nonzero()[0][-1]) for row in mask]

    board = adjoin.play("connections", seed=3, opponents=[last, "greedy"], max_turns=2)
    for _ in range(12):
        play(board, board.match.legal()[0])
    assert len(asked) > 3
    again = board.match.deal(3)
    for action in board.match.history:
        if again.to_act == 1:
            assert action == again.legal()[-1]
        again.play(action)


# People at one screen.


def test_a_curtain_falls_between_people_and_nobody_gets_the_cards_of_another() -> None:
    """Whatever is sent to a screen or asked for a seat, it names no card that seat has not seen."""
    rng = random.Random(2)
    board = adjoin.play("connections", you=[0, 1, 2], seed=5, max_turns=3)
    session, hidden, curtains = board._session, 0, 0
    before = None
    for _ in range(60):
        if board.match.is_over:
            break
        seat = board.match.to_act
        assert seat is not None
        if seat != before:
            state = sent(board)["state"]
            assert (state["curtain"], state["seat"]) == (f"seat {seat}", seat)
            assert (state["picture"]["pieces"], state["actions"], state["log"]) == ([], [], [])
            history = board.match.history
            for do in ("undo", "hint", "drop", "timeout"):
                assert send(board, do)["curtain"] == f"seat {seat}"
            assert board.match.history == history
            assert send(board, "ready")["curtain"] is None
            curtains += 1
        before = seat
        assert shown(drawn(board.state)) == shown(board.match.svg(seat))
        assert legal(board) == board.match.legal()
        for viewer in range(3):
            cards = unseen(board.match, viewer)
            update = session.update(viewer)
            assert shown(drawn(update)) == shown(board.match.svg(viewer))
            for told in ("status", "message", "actions", "picked", "hint"):
                text = json.dumps(update[told], ensure_ascii=False)
                text = text.split(" is over; ")[-1]  # in this round
                assert not [card for card in cards if names(text, card)]
            assert not {f"card {card}" for card in cards} & set(shown(drawn(update)))
            hidden += len(cards)
        decide(board, rng.choice(board.match.legal()))
    assert curtains > 8
    assert hidden > 500
    assert repr(board).endswith("you are seat 0 and 1 and 2>")


def test_people_who_share_a_screen_with_agents_see_the_curtain_only_for_each_other() -> None:
    board = adjoin.play("connections", you=[0, 2], seed=5, max_turns=2, opponents="random")
    facing = []
    while not board.match.is_over:
        facing.append(board._session.facing)
        if board.state["curtain"]:
            send(board, "ready")
        assert board._session.facing == board.match.to_act == board.state["seat"]
        play(board, board.match.legal()[0])
    assert set(facing) == {0, 2}


# Crossings.


class Counting:
    """The core's session, and how often it is called."""

    def __init__(self, core: Any) -> None:
        self.core = core
        self.calls: list[str] = []

    def __getattr__(self, name: str) -> Any:
        self.calls.append(name)
        return getattr(self.core, name)


def test_a_click_and_an_undo_are_one_call_into_the_core_each(game: str) -> None:
    board = adjoin.play(game, seed=2)
    action = next((a for a in board.state["actions"] if a["places"]), None)
    assert action is not None
    counting: Any = Counting(board._session._core)
    board._session._core = counting
    send(board, "pick", action["places"][0])
    assert counting.calls == ["receive"]
    for do in ("hint", "drop", "undo", "new"):
        counting.calls.clear()
        send(board, do)
        assert counting.calls == ["receive"], do


# What can be clicked.


WALES = Variant("mapominoes", {"nations": ["Wales"], "rounds": 1, "table": (8, 6)})
OTHELLO = Variant("mapello", {"setup": "othello"})


def test_a_click_that_is_not_legal_is_explained_and_changes_nothing() -> None:
    board = board_of(OTHELLO, seed=1)
    state = send(board, "pick", "cell a1")
    assert state["message"] == "a1: a disc there would flip nothing."
    assert state["rule"] == "rule MAPE-6"
    assert (state["about"], state["picked"]) == ("cell a1", [])
    assert board.match.history == []
    assert send(board, "pick", "cell d3")["log"][0] == "you play d3"


def test_a_card_then_its_cell() -> None:
    board = board_of(WALES, seed=1)
    said = send(board, "pick", "cell E3")["message"]
    assert said.startswith("E3: choose a card before its cell. Now you can play a card")
    state = send(board, "pick", "card Cardiff")
    assert board.match.history == ["Cardiff"]
    assert state["status"] == "Your turn: choose the cell."
    assert {place for action in state["actions"] for place in action["places"]} >= {"cell E3"}
    said = send(board, "pick", "pile")["message"]
    assert said.startswith("take: the go has begun: it is too late to take a card. Now")
    send(board, "pick", "cell E3")
    assert board.match.history[:2] == ["Cardiff", "E3"]


def test_what_was_begun_is_taken_back_by_another_card_or_escape() -> None:
    board = board_of(WALES, seed=1)
    cards = [text for text in legal(board) if f"card {text}" in shown(drawn(board.state))]
    assert len(cards) > 1
    for card in (cards[0], cards[1], cards[0]):
        send(board, "pick", f"card {card}")
        assert board.match.history == [card]
    send(board, "pick", f"card {cards[0]}")
    assert board.match.history == []
    send(board, "pick", f"card {cards[0]}")
    state = send(board, "drop")
    assert board.match.history == []
    assert state["message"] == f"Taken back: {cards[0]}."
    assert send(board, "drop")["message"] == ""
    assert send(board, "pick", "transit card")["picked"] == ["transit card"]
    assert all(text.startswith("transit ") for text in legal(board))
    assert send(board, "drop")["picked"] == []
    send(board, "pick", "transit card")
    send(board, "pick", f"card {cards[0]}")
    assert board.match.history == [cards[0]]


def naming(board: Board, *picked: str) -> list[str]:
    """Return the legal actions that name these places."""
    found = (a for a in board.state["actions"] if set(picked) <= set(a["places"]))
    return [board.match.notation(action["action"]) for action in found]


def test_a_tile_and_a_line_that_does_not_take_it() -> None:
    board = adjoin.play("metro_domino", seed=2, you=1)
    for _ in range(12):
        open_ = {place for action in board.state["actions"] for place in action["places"]}
        tiles = [key for key in open_ if key.startswith("tile ")]
        lines = [key for key in dict.fromkeys(shown(drawn(board.state))) if key.startswith("line ")]
        for tile in sorted(tiles):
            shut = [line for line in lines if not naming(board, tile, line)]
            if len(naming(board, tile)) > 1 and shut:
                assert send(board, "pick", tile)["picked"] == [tile]
                state = send(board, "pick", shut[0])
                assert state["picked"] == [tile]
                assert re.match(rf"\d-\d {shut[0][5:]}: |{shut[0]}: ", state["message"])
                assert state["rule"].startswith("rule METR-")
                assert send(board, "pick", tile)["picked"] == []
                return
        decide(board, board.match.legal()[0])
    pytest.fail("no such tile")


def test_two_equal_squares_are_clicked_one_after_the_other() -> None:
    for seed in range(50):
        board = adjoin.play("domiphun", seed=seed)
        doubles = [t for t in legal(board) if re.fullmatch(r"(\d)-\1( \w)?", t)]
        if doubles:
            decide(board, doubles[0])
            return
    pytest.fail("no double")


def test_another_tile_takes_the_place_of_one_that_was_picked() -> None:
    """A tile with a line that takes it either way round, then a tile that does not go there."""
    for seed in range(60):
        board = adjoin.play("metro_domino", seed=seed)
        named = {tuple(action["places"]) for action in board.state["actions"]}
        twice = [n for n in sorted(named) if len(n) > 1 and len(naming(board, *n)) > 1]
        for tile, line in twice:
            others = {n[0] for n in named} - {n[0] for n in named if line in n}
            others = {other for other in others if len(naming(board, other)) > 1}
            if others:
                send(board, "pick", tile)
                assert send(board, "pick", line)["picked"] == [tile, line]
                state = send(board, "pick", min(others))
                assert state["picked"] == [min(others)]
                return
    pytest.fail("no such tiles")


def test_whatever_is_clicked_something_is_said(brief: Variant) -> None:
    """A click plays, picks, lets go, or is answered by a sentence with a full stop."""
    rng = random.Random(7)
    board = board_of(brief, seed=7)
    for _ in range(60):
        if board.match.is_over:
            break
        before = board.match.history, board.state["picked"]
        state = send(board, "pick", rng.choice(shown(drawn(board.state))))
        if (board.match.history, state["picked"]) == before:
            assert state["message"].endswith(".")
            assert "legal: " not in state["message"]
            assert len(state["message"]) < 400


# What can be asked.


def test_undo_goes_back_decision_by_decision_and_the_same_follows(brief: Variant) -> None:
    board = board_of(brief, seed=6)
    rng = random.Random(6)
    assert not board.state["can_undo"]
    assert send(board, "undo")["message"] == "There is no decision of yours to take back."
    seen: list[tuple[str, bytes, list[str]]] = []
    taken = []
    while not board.match.is_over and len(seen) < 8:
        seen.append((drawn(board.state), board.match.save(), board.sentences))
        taken.append(rng.choice(board.match.legal()))
        decide(board, taken[-1])
    after = board.match.save()
    for picture, state, log in reversed(seen):
        assert board.state["can_undo"]
        assert send(board, "undo")["message"].startswith("Taken back: ")
        assert (drawn(board.state), board.match.save(), board.sentences) == (picture, state, log)
    assert not board.state["can_undo"]
    for action in taken:
        play(board, action)
    assert board.match.save() == after


def test_a_hint_is_legal_and_its_places_are_marked(game: str) -> None:
    board = adjoin.play(game, seed=2)
    state = send(board, "hint")
    action, _, reason = state["message"].removeprefix("Hint: ").partition(", since ")
    assert reason.endswith(".")
    (found,) = (a for a in state["actions"] if a["label"] == action)
    assert state["hint"] == found["places"]
    assert send(board, "drop")["hint"] == []


def test_the_others_are_named_where_an_action_numbers_them() -> None:
    board = adjoin.play("connections", seed=1, you=1)
    labels = [action["label"] for action in board.state["actions"]]
    offers = [label for label in labels if label.startswith("offer ")]
    assert offers
    assert all(label.endswith((" to seat 0", " to seat 2")) for label in offers)


def test_a_new_match_has_the_same_options() -> None:
    board = board_of(WALES, seed=1, opponents="random")
    play(board, legal(board)[0])
    before = board.match
    state = send(board, "new")
    assert board.match.address[0] != before.address[0]
    assert board.match.spec.options == before.spec.options
    assert board.match.history == []
    assert state["log"] == []


def test_domiphun_can_be_turned_and_its_balance_shown() -> None:
    board = adjoin.play("domiphun", seed=1, variant="advanced")
    play(board, legal(board)[0])
    front = drawn(board.state)

    def look(name: str, **change: int) -> dict[str, int]:
        looks = send(board, "look", {"name": name, **change})["looks"]
        return {look["name"]: look["value"] for look in looks}

    seen: list[Any] = []
    board.observe(lambda change: seen.append(change["new"]["looks"][1]["value"]), "state")
    assert look("turn", by=1) == {"hide_moves": 0, "turn": 1, "balance": 0}
    assert seen == [1]
    turned = drawn(board.state)
    assert turned != front
    assert look("turn", by=-2) == {"hide_moves": 0, "turn": 3, "balance": 0}
    assert look("balance", to=1) == {"hide_moves": 0, "turn": 3, "balance": 1}
    assert drawn(board.state) not in (front, turned)
    look("balance", by=1)
    look("turn", by=1)
    assert drawn(board.state) == front


def test_who_wants_to_find_it_out_is_not_told_what_can_be_played(game: str) -> None:
    board = adjoin.play(game, seed=1)
    told = board.state["actions"]
    state = send(board, "look", {"name": "hide_moves", "to": 1})
    assert "data-legal" not in drawn(state)
    assert state["actions"] == [action for action in told if not action["places"]]
    clicked = next(action for action in told if action["places"])
    state = send(board, "pick", clicked["places"][0])
    assert state["picked"] or state["number"] > 0


def test_the_log_tells_rounds_and_results() -> None:
    board = board_of(Variant("mapominoes", THREE_IN_WALES), seed=4, opponents="random")
    rng = random.Random(1)
    while not board.match.is_over:
        play(board, rng.choice(legal(board)))
    ends = [line for line in board.sentences if line.startswith("round 1 is over; points: you ")]
    assert len(ends) == 1
    again = Session(adjoin.Match.from_replay(board.replay()), 0, "random")
    assert again.log(0) == board.sentences
    assert again.update()["status"] == board.state["status"]


def test_code_can_play_on_the_board_too() -> None:
    board = board_of(OTHELLO, seed=1)
    match = board.match
    match.play("f5", "d6", "c3")
    assert board.match.history == []
    board.match = match
    assert board.state["log"][:3] == ["you play f5", "seat 1 plays d6", "you play c3"]
    assert board.match.to_act == 0
    assert len(board.match.history) == 4
    match = adjoin.Match("mapello", setup="othello")
    match.play("f5")
    board = adjoin.play(match=match, you=1)
    assert board.state["log"] == ["seat 0 plays f5"]
    play(board, board.match.legal()[0])
    assert match.history == ["f5"]
    with pytest.raises(TypeError, match="match = 3: must be a Match"):
        board.match = 3  # type: ignore[assignment]
    with pytest.raises(ValueError, match="must be one of mapello with 2 seats"):
        board.match = adjoin.Match("domiphun")


def test_a_click_meant_for_another_match_is_refused() -> None:
    board = adjoin.play("mapello", setup="othello", seed=1)
    number = board.state["number"]
    board.match = adjoin.Match("mapello", setup="othello", seed=2)
    receive(board, {"do": "pick", "what": "cell f5", "number": number})
    assert "earlier decision" in board.state["message"]
    assert board.match.history == []


# What a browser must not do.


def test_what_was_meant_for_an_earlier_decision_is_ignored() -> None:
    board = board_of(OTHELLO, seed=1)
    late = {"do": "play", "what": board.match.action_id("d3"), "number": board.state["number"]}
    receive(board, late)
    history = board.match.history
    assert history[0] == "d3"
    for do in ("play", "pick", "type", "undo", "hint", "new", "drop", "timeout"):
        receive(board, {**late, "do": do})
        assert board.state["message"].startswith("That was meant for an earlier decision")
        assert board.match.history == history


def test_garbage_is_answered_and_plays_nothing(game: str) -> None:
    rng = random.Random(3)
    board = adjoin.play(game, seed=5)
    history = board.match.history
    playable = [*board.match.legal(), *shown(drawn(board.state))]
    for what in GARBAGE:
        receive(board, what)
        for do in DEEDS:
            number = rng.choice([board.state["number"], what])
            if not (isinstance(what, str) and what in playable):
                receive(board, {"do": do, "what": what, "number": number})
                assert board.match.history == history
    send(board, "drop")
    assert legal(board) == board.match.legal()
    mine = sent(board)
    data = {"method": "update", "state": {"state": mine["state"] | {"number": 99}}}
    board._handle_msg({"content": {"data": data}, "buffers": []})
    assert sent(board) == mine


def test_what_goes_wrong_is_said_and_the_board_lives_on() -> None:
    answers = iter(["nonsense", 63])

    def policy(observation: Any, mask: Any) -> Any:
        answer = next(answers, None)
        return [int(mask[0].nonzero()[0][0])] if answer is None else [answer]

    board = board_of(OTHELLO, seed=1, opponents=policy)
    state = play(board, "d3")
    assert state["message"].startswith("TypeError: ")
    assert state["log"] == ["you play d3"]
    assert "h8: a disc there would flip nothing (MAPE-6)" in send(board, "drop")["message"]
    send(board, "drop")
    assert board.match.to_act == 0
    assert len(board.match.history) == 2


def test_a_move_is_shown_before_the_others_think() -> None:
    board = board_of(OTHELLO, seed=1)
    seen: list[dict[str, Any]] = []
    board.observe(lambda change: seen.append(change["new"]), "state")
    play(board, "d3")
    assert [state["is_thinking"] for state in seen] == [True, False]
    assert seen[0]["status"] == "seat 1 is thinking …"
    assert seen[0]["log"] == ["you play d3"]
    assert seen[0]["actions"] == []
    assert seen[1]["message"].startswith("seat 1 plays ")


def test_whoever_hears_of_an_update_may_look_at_the_match() -> None:
    """In the same thread while the others think, or in another one."""
    board = board_of(OTHELLO, seed=1, opponents="search(iterations=400)")
    seen: list[tuple[str, bool]] = []

    def note(_: object) -> None:
        seen.append((repr(board.match), threading.current_thread() is threading.main_thread()))

    board.observe(note, "state")
    is_done = threading.Event()

    def watch() -> None:
        while not is_done.is_set():
            board.replay()

    watcher = threading.Thread(target=watch)
    watcher.start()
    play(board, "d3")
    is_done.set()
    watcher.join()
    thinking, after = ("<Match of Mapello: 1 decisions, seat 1 to act>", True), seen[-1]
    assert seen[0] == thinking
    assert after == ("<Match of Mapello: 2 decisions, seat 0 to act>", True)


# What is typed.


@cases(
    ("keywords", "error", "words"),
    [
        ({"game": "mapelo"}, ValueError, 'did you mean "mapello"?'),
        ({}, TypeError, "needs a game"),
        ({"game": "mapello", "you": 7}, ValueError, "you = 7: the seats are 0 to 1"),
        ({"game": "mapello", "you": True}, ValueError, "the seats are 0 to 1"),
        ({"game": "mapello", "you": "me"}, TypeError, "you = 'me': must be a whole number"),
        ({"game": "mapello", "you": [0, 2]}, ValueError, "you = [0, 2]: the seats are 0 to 1"),
        ({"game": "mapello", "you": [1, 1]}, ValueError, "you = [1, 1]: a seat is there twice"),
        ({"game": "mapello", "you": []}, ValueError, "you = []: must be a seat, or several"),
        ({"game": "mapello", "opponents": "gredy"}, ValueError, 'did you mean "greedy"?'),
        ({"game": "mapello", "opponents": 3}, TypeError, "opponents = 3: must be"),
        (
            {"game": "mapello", "opponents": [3]},
            TypeError,
            "an agent is a text or a callable, got 3",
        ),
        (
            {"game": "connections", "opponents": ["greedy"] * 3},
            ValueError,
            "3 agents for 2 other seats; give one for all, or one for each",
        ),
        ({"game": "mapello", "plyers": 2}, ValueError, "unknown option `plyers`"),
        ({"game": "mapello", "seed": -1}, ValueError, "seed = -1"),
        ({"match": 3}, TypeError, "match = 3: must be a Match"),
    ],
)
def test_wrong_keywords(keywords: dict[str, Any], error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=re.escape(words)):
        adjoin.play(**keywords)


def test_a_match_comes_with_its_options() -> None:
    match = adjoin.Match("mapello", seed=7)
    with pytest.raises(ValueError, match="leave out seed, setup"):
        adjoin.play(match=match, seed=1, setup="othello")
    with pytest.raises(ValueError, match="the match is one of mapello, not of connections"):
        adjoin.play("connections", match=match)
    board = adjoin.play("mapello", match=match, opponents=["random"])
    assert board.match.save() == match.save()


def test_without_the_package_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "anywidget", None)
    with pytest.raises(ImportError, match=r"pip install 'adjoin\[notebook\]'"):
        adjoin.play("mapello")


def test_where_there_is_no_kernel_the_picture_stands_for_the_board() -> None:
    board = adjoin.play("mapello", seed=1)
    bundle = board._repr_mimebundle_()
    assert bundle is not None
    assert bundle[0]["image/svg+xml"] == board.match.svg(0)
    assert "application/vnd.jupyter.widget-view+json" in bundle[0]
    assert repr(board) == "<Board: <Match of Mapello: 0 decisions, seat 0 to act>, you are seat 0>"
