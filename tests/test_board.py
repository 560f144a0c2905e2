"""The board of a notebook, without a browser: what is sent to it, and what it may send."""

from __future__ import annotations

import copy
import json
import random
import re
import sys
from typing import Any

import pytest
from conftest import THREE_IN_WALES, Variant
from test_play import BRIEF, unseen

import adjoin
from adjoin.board import Board
from adjoin.places import naming, places, shown
from adjoin.sessions import Session

GARBAGE: list[Any] = [
    None, True, -1, 2**70, 0.5, "", "take", "cell a1", "no such place", "<g>", "\0", [], ["take"],
    {}, {"do": "play"}, [[["cell a1"]]], "x" * 10_000,
]  # fmt: skip

DEEDS: list[Any] = ["play", "pick", "turn", "balance", "no such thing", None, 3, []]


def board_of(variant: Variant, **keywords: Any) -> Board:
    return adjoin.play(variant.game, **keywords, **copy.deepcopy(variant.options))


def receive(board: Board, content: Any) -> None:
    """Let the kernel get a message from the browser."""
    data = {"method": "custom", "content": content}
    board._handle_msg({"content": {"data": data}, "buffers": []})


def send(board: Board, do: str, what: Any = None) -> dict[str, Any]:
    """Send what the page would, and return what it gets."""
    receive(board, {"do": do, "what": what, "number": board.state["number"]})
    state: dict[str, Any] = sent(board)["state"]
    return state


def sent(board: Board) -> Any:
    """Return all that the browser has, as it would read it."""
    state = {name: board.get_state()[name] for name in ("picture", "state")}
    return json.loads(json.dumps(state, allow_nan=False))


def legal(board: Board) -> list[str]:
    return [action["text"] for action in board.state["actions"]]


def decide(board: Board, wanted: str) -> int:
    """Take a decision by clicking places, and a button where they leave a choice.

    Return the number of clicks on places.
    """
    (action,) = (a for a in board.state["actions"] if a["text"] == wanted)
    number, at = board.state["number"], len(board.match.history)
    for clicks, place in enumerate(action["places"], 1):
        assert place in shown(board.picture)
        state = send(board, "pick", place)
        if state["number"] != number:
            break
        assert wanted in legal(board)
        assert state["picked"] == action["places"][:clicks]
    else:
        clicks = 0
        send(board, "play", wanted)
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
        clicks += decide(board, rng.choice(board.match.legal())) > 0
        decisions += 1
    assert decisions > 4
    assert clicks > 2
    state = sent(board)["state"]
    assert state["is_over"]
    assert state["actions"] == []
    assert state["status"].endswith(".")
    assert adjoin.Match.from_replay(board.replay()).returns == board.match.returns


def test_every_legal_action_is_a_button_and_its_places_are_in_the_picture(variant: Variant) -> None:
    rng = random.Random(str(variant))
    seats = variant.match().spec.seats
    board = board_of(variant, seed=9, you=seats - 1, opponents="random")
    kinds = set()
    for _ in range(25):
        if board.match.is_over:
            break
        there = shown(board.picture)
        assert legal(board) == board.match.legal()
        for action in board.state["actions"]:
            for place in action["places"]:
                assert there.count(place) >= action["places"].count(place), (action, place)
                kinds.add(place.split()[0])
        decide(board, rng.choice(board.match.legal()))
    assert kinds


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("variant", BRIEF, ids=str)
def test_nothing_sent_depends_on_what_the_person_has_not_seen(variant: Variant, seat: int) -> None:
    """Picture, actions, explanations are the same for any other cards the person has not seen."""
    rng = random.Random(seat)
    board = board_of(variant, seed=11, you=seat)
    different = told = 0
    for number in range(20):
        if board.match.is_over:
            break
        truth = board.match
        guess = truth.copy()
        guess._batch.resample_hidden(seat, number)
        different += guess.save() != truth.save()
        asked = ["hint"] if number == 3 else []
        clicks = rng.sample(shown(board.picture), 4)
        seen = []
        for match in (truth, guess):
            board._session.match = match
            board._moved()
            board._number = number
            board._message, board._about, board._rule, board._hint = "", "", "", ()
            board._show()
            seen.append([sent(board), *[board._why(place) for place in clicks]])
            seen[-1] += [send(board, do) for do in asked]
        assert seen[0] == seen[1]
        board._session.match = truth
        if variant.game in ("metro_domino", "connections"):
            news = board._news().split(" is over; ")[-1]  # in this round or game
            for card in unseen(truth, seat):
                assert not re.search(rf"(?<![\w/-]){re.escape(card)}(?![\w/-])", news), card
                told += bool(news)
        board._show()
        decide(board, rng.choice(board.match.legal()))
    assert different > 0 or variant.game == "mapello"
    assert told > 0 or variant.game not in ("metro_domino", "connections")


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
    cards = [text for text in legal(board) if f"card {text}" in shown(board.picture)]
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


def test_a_tile_and_a_line_that_does_not_take_it() -> None:
    board = adjoin.play("metro_domino", seed=2, you=1)
    for _ in range(12):
        open_ = {place for action in board.state["actions"] for place in action["places"]}
        tiles = [key for key in open_ if key.startswith("tile ")]
        lines = [key for key in dict.fromkeys(shown(board.picture)) if key.startswith("line ")]
        for tile in sorted(tiles):
            fits = naming("metro_domino", legal(board), [tile], shown(board.picture))
            shut = [line for line in lines if not any(text.endswith(line[5:]) for text in fits)]
            if len(fits) > 1 and shut:
                assert send(board, "pick", tile)["picked"] == [tile]
                state = send(board, "pick", shut[0])
                assert state["picked"] == [tile]
                assert re.match(rf"\\d-\\d {shut[0][5:]}: |{shut[0]}: ", state["message"])
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
        there, texts = shown(board.picture), legal(board)
        named = {tuple(action["places"]) for action in board.state["actions"]}
        twice = [
            n for n in sorted(named) if len(naming("metro_domino", texts, n, there)) > 1 < len(n)
        ]
        for tile, line in twice:
            others = {n[0] for n in named} - {n[0] for n in named if line in n}
            others = {o for o in others if len(naming("metro_domino", texts, [o], there)) > 1}
            if others:
                send(board, "pick", tile)
                assert send(board, "pick", line)["picked"] == [tile, line]
                state = send(board, "pick", min(others))
                assert state["picked"] == [min(others)]
                return
    pytest.fail("no such tiles")


@pytest.mark.parametrize(
    ("game", "action", "named"),
    [
        ("mapello", "d3", ("cell d3",)),
        ("mapello", "joker 0,4", ("piece joker", "cell 0,4")),
        ("mapello", "black", ("colour black",)),
        ("mapello", "pass", ()),
        ("mapominoes", "P11", ("cell P11",)),
        ("mapominoes", "Kent", ("card Kent",)),
        ("mapominoes", "transit Kent", ("transit card", "region Kent")),
        ("mapominoes", "let it be", ()),
        ("metro_domino", "5-3 Start B", ("tile 3-5", "line Start B")),
        ("metro_domino", "3-3 St. John's A reversed", ("tile 3-3", "line St. John's A")),
        ("metro_domino", "keep", ()),
        ("domiphun", "5-3 A", ("square 5", "square 3", "end A")),
        ("domiphun", "join 3-3", ("square 3", "square 3")),
        ("domiphun", "star B", ("starjoiner", "end B")),
        ("domiphun", "east up", ("side east up",)),
        ("domiphun", "miss", ()),
        ("connections", "offer Lima/Johannesburg to +1", ("card Lima/Johannesburg", "player +1")),
        ("connections", "set Lima/Johannesburg", ("card Lima/Johannesburg", "city Lima")),
        ("connections", "invite Chicago +2", ("city Chicago", "player +2")),
        ("connections", "take", ("discard pile",)),
        ("connections", "no", ()),
    ],
)
def test_the_places_that_an_action_names(game: str, action: str, named: tuple[str, ...]) -> None:
    assert places(game, action) == named


def test_a_picture_may_show_the_same_in_another_way() -> None:
    there = {"domino 3-5", "end A", "card Lima/Oslo", "city Oslo", "transit card", "water Wash"}
    assert places("domiphun", "5-3 A", there) == ("domino 3-5", "end A")
    assert places("connections", "play Oslo/Lima", there) == ("card Lima/Oslo", "city Oslo")
    assert places("mapominoes", "transit Wash", there) == ("transit card", "water Wash")


@pytest.mark.parametrize("variant", BRIEF, ids=str)
def test_whatever_is_clicked_something_is_said(variant: Variant) -> None:
    """A click plays, picks, lets go, or is answered by a sentence with a full stop."""
    rng = random.Random(7)
    board = board_of(variant, seed=7)
    for _ in range(40):
        if board.match.is_over:
            break
        before = board.match.history, board.state["picked"]
        state = send(board, "pick", rng.choice(shown(board.picture)))
        if (board.match.history, state["picked"]) == before:
            assert state["message"].endswith(".")
            assert "legal: " not in state["message"]
            assert len(state["message"]) < 400


# What can be asked.


@pytest.mark.parametrize("variant", BRIEF, ids=str)
def test_undo_goes_back_decision_by_decision(variant: Variant) -> None:
    board = board_of(variant, seed=6)
    rng = random.Random(6)
    assert not board.state["can_undo"]
    assert send(board, "undo")["message"] == "There is no decision of yours to take back."
    seen: list[tuple[str, bytes, list[str]]] = []
    while not board.match.is_over and len(seen) < 8:
        seen.append((board.picture, board.match.save(), board.sentences))
        decide(board, rng.choice(board.match.legal()))
    for picture, state, log in reversed(seen):
        assert board.state["can_undo"]
        assert send(board, "undo")["message"].startswith("Taken back: ")
        assert (board.picture, board.match.save(), board.sentences) == (picture, state, log)
    assert not board.state["can_undo"]


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
    decide(board, legal(board)[0])
    before = board.match
    state = send(board, "new")
    assert board.match is not before
    assert board.match.spec.options == before.spec.options
    assert board.match.history == []
    assert state["log"] == []


def test_domiphun_can_be_turned_and_its_balance_shown() -> None:
    board = adjoin.play("domiphun", seed=1, variant="advanced")
    decide(board, legal(board)[0])
    front = board.picture
    seen: list[Any] = []
    board.observe(lambda change: seen.append(change["new"]["look"]), "state")
    assert send(board, "turn", 1)["look"] == {"turn": 1, "balance": False}
    assert seen == [{"turn": 1, "balance": False}]
    assert board.picture == board.match.svg(0, turn=1) != front
    assert send(board, "turn", -2)["look"] == {"turn": 3, "balance": False}
    assert send(board, "balance", True)["look"] == {"turn": 3, "balance": True}
    assert board.picture == board.match.svg(0, turn=3, balance=True)
    send(board, "balance", False)
    send(board, "turn", 1)
    assert board.picture == front
    assert adjoin.play("mapello", seed=1).state["look"] is None


def test_the_log_tells_rounds_and_results() -> None:
    board = board_of(Variant("mapominoes", THREE_IN_WALES), seed=4, opponents="random")
    rng = random.Random(1)
    while not board.match.is_over:
        send(board, "play", rng.choice(legal(board)))
    ends = [line for line in board.sentences if line.startswith("round 1 is over; points: you ")]
    assert len(ends) == 1
    again = Session(adjoin.Match.from_replay(board.replay()), 0, {1: "random", 2: "random"})
    assert again.log == board.sentences
    assert again.result() == board.state["status"]


def test_code_can_play_on_the_board_too() -> None:
    board = board_of(OTHELLO, seed=1)
    board.match.play("f5", "d6", "c3")
    board.refresh()
    assert board.state["log"][:3] == ["you play f5", "seat 1 plays d6", "you play c3"]
    assert board.match.to_act == 0
    assert len(board.match.history) == 4
    match = adjoin.Match("mapello", setup="othello")
    match.play("f5")
    board = adjoin.play(match=match, you=1)
    assert board.match is match
    assert board.state["log"] == ["seat 0 plays f5"]


# What a browser must not do.


def test_what_was_meant_for_an_earlier_decision_is_ignored() -> None:
    board = board_of(OTHELLO, seed=1)
    late = {"do": "play", "what": "d3", "number": board.state["number"]}
    receive(board, late)
    history = board.match.history
    assert history[0] == "d3"
    for do in ("play", "pick", "undo", "hint", "new", "drop"):
        receive(board, {**late, "do": do})
        assert board.state["message"].startswith("That was meant for an earlier decision")
        assert board.match.history == history


def test_garbage_is_answered_and_plays_nothing(game: str) -> None:
    rng = random.Random(3)
    board = adjoin.play(game, seed=5)
    history = board.match.history
    for what in GARBAGE:
        receive(board, what)
        for do in DEEDS:
            number = rng.choice([board.state["number"], what])
            if what in legal(board) or what in shown(board.picture):
                continue
            receive(board, {"do": do, "what": what, "number": number})
            assert board.match.history == history
    assert legal(board) == board.match.legal()
    mine = sent(board)
    for name in ("state", "picture"):
        data = {"method": "update", "state": {name: mine["state"] | {"number": 99}}}
        board._handle_msg({"content": {"data": data}, "buffers": []})
    assert sent(board) == mine


def test_what_goes_wrong_is_said_and_the_board_lives_on() -> None:
    board = board_of(OTHELLO, seed=1)
    board._session.opponents[1] = "nobody"
    state = send(board, "play", "d3")
    assert state["message"].startswith('ValueError: unknown agent "nobody"')
    board._session.opponents[1] = "greedy"
    send(board, "drop")
    assert board.match.to_act == 0
    assert len(board.match.history) == 2


def test_a_move_is_shown_before_the_others_think() -> None:
    board = board_of(OTHELLO, seed=1)
    seen: list[dict[str, Any]] = []
    board.observe(lambda change: seen.append(change["new"]), "state")
    send(board, "play", "d3")
    assert [state["thinking"] for state in seen] == [True, False]
    assert seen[0]["status"] == "seat 1 is thinking …"
    assert seen[0]["log"] == ["you play d3"]
    assert seen[0]["actions"] == []
    assert seen[1]["message"].startswith("seat 1 plays ")


# What is typed.


@pytest.mark.parametrize(
    ("keywords", "error", "words"),
    [
        ({"game": "mapelo"}, ValueError, 'did you mean "mapello"?'),
        ({}, TypeError, "needs a game"),
        ({"game": "mapello", "you": 7}, ValueError, "you = 7: the seats are 0 to 1"),
        ({"game": "mapello", "you": True}, ValueError, "the seats are 0 to 1"),
        ({"game": "mapello", "you": "me"}, TypeError, "you = 'me': must be a whole number"),
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
    match = adjoin.Match("mapello")
    with pytest.raises(ValueError, match="leave out seed, setup"):
        adjoin.play(match=match, seed=1, setup="othello")
    with pytest.raises(ValueError, match="the match is one of mapello, not of connections"):
        adjoin.play("connections", match=match)
    assert adjoin.play("mapello", match=match, opponents=["random"]).match is match


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
