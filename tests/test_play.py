"""A person against agents in the terminal: whole games by scripted answers, and what they see."""

from __future__ import annotations

import itertools
import json
import re
from pathlib import Path
from typing import Any

import pytest
from conftest import ORCHARD, THREE_IN_WALES, Variant
from test_cli import SHORT, output, run

import adjoin
from adjoin.cli.sessions import Session

BRIEF: list[Variant] = [
    Variant("mapello", {"games": 2}),
    Variant("mapello", {"setup": "free", "walls": [0, 1], "bonuses": [0, 1], "jokers": [0, 1]}),
    Variant("mapominoes", THREE_IN_WALES),
    Variant(
        "mapominoes", {"players": 3, "nations": ["Wales"], "table": (6, 6), "challenges": True}
    ),
    Variant("metro_domino", {"wins_needed": 2}),
    Variant("metro_domino", {"players": 3, "wins_needed": 2}),
    Variant("domiphun", {"variant": "advanced"}),
    Variant("domiphun", {"variant": "traditional", "players": 3, "starts_each": 1}),
    Variant("connections", {"max_turns": 2}),
    Variant("connections", {"deck": ORCHARD, "max_turns": 3}),
]
"""Every game, so that a match is not long and everything is asked."""

SCRIPTED = {
    "mapello": [],
    "mapominoes": SHORT,
    "metro_domino": [],
    "domiphun": ["-o", "variant=advanced"],
    "connections": ["-o", "max_turns=2"],
}
"""Options on the command line."""


def session(variant: Variant, seed: int, you: int = 0, agent: str = "greedy") -> Session:
    match = variant.match(seed=seed)
    return Session(match, you, {s: agent for s in range(match.spec.seats) if s != you})


def elsewhere(variant: Variant, match: adjoin.Match, viewer: int, purpose: int) -> adjoin.Match:
    """Return the match with other cards wherever the viewer has not seen them."""
    batch = variant.batch()
    batch.load(match.save())
    batch.resample_hidden(viewer, purpose)
    other = variant.match()
    other.load(batch.save())
    return other


def at_your_turn(table: Session) -> bool:
    """Let the others play until it is the person's turn; return whether it comes to that."""
    while table.match.to_act not in (None, table.you):
        seat = table.match.to_act
        assert seat is not None
        table.play(table.match.choose(table.opponents[seat]))
    return not table.match.is_over


# Whole games.


@pytest.mark.parametrize("game", adjoin.games())
def test_a_script_plays_a_game_to_the_end(game: str, tmp_path: Path) -> None:
    file = tmp_path / "match.jsonl"
    arguments = ["play", game, "--seed", "3", "--save", str(file), *SCRIPTED[game]]
    text = output(*arguments, text="1\n" * 3000)
    match = adjoin.Match.from_replay(file.read_text(encoding="utf-8"))
    assert match.is_over
    assert match.text(0) in text
    assert re.search(r"(wins?|share the win|A draw)\.( Points: you -?\d+, seat 1 |\n)", text)
    assert f"adjoin replay {file}" in text
    lines = [line for line in text.splitlines() if str(file) not in line]
    assert max(map(len, lines)) <= 100


def test_a_seed_gives_the_same_match_again() -> None:
    arguments = ("play", "metro_domino", "--opponents", "search(iterations=20)", "--seed")
    first = output(*arguments, "5", text="1\n" * 4)
    assert output(*arguments, "5", text="1\n" * 4) == first
    assert output(*arguments, "6", text="1\n" * 4) != first


@pytest.mark.parametrize("variant", BRIEF, ids=str)
def test_every_decision_can_be_made_by_words_in_any_case(variant: Variant) -> None:
    table = session(variant, 5, you=1)
    made = 0
    while at_your_turn(table) and made < 60:
        legal = table.match.legal()
        action = legal[made * 7 % len(legal)]
        assert table.meant(action.upper()) == ([action], "")
        assert table.meant(str(legal.index(action) + 1)) == ([action], "")
        assert table.answer(f" {action.lower()} ".strip())
        assert table.match.history.count(action) > 0
        made += 1
    assert made > 4


def test_a_script_that_ends_early_leaves_politely(tmp_path: Path) -> None:
    text = output("play", "mapello", "--seed", "1", text="1\n")
    assert text.endswith("Nothing was saved; `save FILE` or --save FILE keeps a match.\n")
    file = tmp_path / "my match.jsonl"
    arguments = ("play", "mapello", "--seed", "1", "--you", "1", "--save", str(file))
    text = output(*arguments, text="1\n1")
    on = f"Go on with: adjoin play '{file}' --you 1 --opponents greedy\n"
    assert text.endswith(on)
    decisions = len(adjoin.Match.from_replay(file.read_text(encoding="utf-8")).history)
    text = output("play", str(file), "--you", "1", text="1\nquit\n")
    assert text.endswith(on)
    assert len(adjoin.Match.from_replay(file.read_text(encoding="utf-8")).history) > decisions
    again = run(*arguments)
    assert again.returncode == 2
    assert "the file exists" in again.stderr
    assert "its own options" in run("play", str(file), "--seed", "1").stderr


# What others must not see.


@pytest.mark.parametrize("you", [0, 1])
@pytest.mark.parametrize("variant", BRIEF, ids=str)
def test_nothing_shown_depends_on_what_the_person_has_not_seen(
    variant: Variant, you: int, capsys: pytest.CaptureFixture[str]
) -> None:
    """All that is printed is the same for any other cards that the person has not seen."""
    table = session(variant, 11, you)
    batch = variant.batch()
    size = batch.spec.actions.size
    questions = [f"why {batch.action_text(size * n // 40)}" for n in range(40)]
    turns = different = 0
    while at_your_turn(table) and turns < 80:
        other = elsewhere(variant, table.match, you, turns)
        different += other.save() != table.match.save()
        screens = []
        for match in (table.match, other):
            capsys.readouterr()
            at_the_table = Session(match, you, table.opponents)
            at_the_table.show()
            at_the_table.offer()
            for line in ("legal", "board", "rules", "help", *questions):
                assert not at_the_table.answer(line)
            screens.append(capsys.readouterr().out)
        assert screens[0] == screens[1]
        assert table.match.text(you) in screens[0]
        legal = table.match.legal()
        table.play(legal[turns % len(legal)])
        turns += 1
    assert turns > 4
    assert different > 0 or variant.game == "mapello"


def unseen(match: adjoin.Match, you: int) -> set[str]:
    """Return what the others hold that a person cannot know, as it would be written."""
    everything, known = match.view("all")["hands"], match.view(you)["hands"]
    found = set()
    for seat, (all_of, seen) in enumerate(zip(everything, known, strict=True)):
        for card in all_of["held"] if seat != you else ():
            if card not in seen["held"]:
                sides = itertools.permutations(card) if isinstance(card, list) else [[card]]
                found |= {"-".join(map(str, side)) for side in sides}
    return found


@pytest.mark.parametrize(
    ("game", "options"), [("metro_domino", []), ("connections", ["-o", "max_turns=3"])]
)
def test_over_a_whole_game_no_hidden_card_is_named(
    game: str, options: list[str], tmp_path: Path
) -> None:
    file = tmp_path / "match.jsonl"
    arguments = ["play", game, "--seed", "8", "--save", str(file), *options]
    text = output(*arguments, text="legal\n1\n" * 3000)
    screens = re.split(r"your action \(.*\) > legal\n", text)
    replay = file.read_text(encoding="utf-8")
    own = [n for n, line in enumerate(replay.splitlines()) if json.loads(line).get("seat") == 0]
    assert len(screens) == len(own) + 1
    named = 0
    for screen, number in zip(screens, own, strict=False):
        match = adjoin.Match.from_replay(replay, number - 1)
        shown = re.split(r"\nyou: |\n-- ", screen)[-1]  # since the decision, in this round
        assert match.text(0).partition("\n")[0] in shown
        for card in unseen(match, 0):
            assert not re.search(rf"(?<![\w/-]){re.escape(card)}(?![\w/-])", shown), card
            named += 1
    assert named > 50


# What a person can ask.


WALES: dict[str, Any] = {"nations": ["Wales"], "rounds": 1, "table": (8, 6)}


@pytest.fixture
def wales() -> Session:
    return session(Variant("mapominoes", WALES), 1)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("why kent", "Kent: you do not hold that card\n  (rule MAPO-10)"),
        ("why E3", "E3: choose a card before its cell\n  (rule MAPO-10)"),
        ("why cardiff", "Cardiff: that is legal now"),
        ("why 2", "Cardiff: that is legal now"),
        ("why Cardiff E3", "Cardiff, then E3: that is legal now"),
        ("why Cardiff A1", "after Cardiff: A1: no card lies next to that cell\n  (rule MAPO-11)"),
        ("why kent A1", "Kent: you do not hold that card\n  (rule MAPO-10)"),
        ("why", "why what?"),
        ("why nonsense", '"nonsense" is no action here'),
        ("kent", "Kent: you do not hold that card\n  (rule MAPO-10)"),
        ("cardif", "you: Cardiff"),
        ("cardfif", "did you mean Cardiff?"),
        ("hlep", "did you mean help?"),
        ("99", "99: the list has 1 to 6"),
        ("0", "0: the list has 1 to 6"),
        ("", "Type an action"),
        ("legal torf", "5 transit Torfaen"),
        ("legal zzz", 'no legal action has "zzz" in it'),
        ("rules", "In full: rules MAPO-19, MAPO-22, MAPO-11"),
        ("?", "why ACTION"),
        ("save", "save it where?"),
        ("save nowhere/match.jsonl", "nowhere/match.jsonl: No such file"),
        ("undo", "There is no decision of yours to take back"),
    ],
)
def test_what_can_be_typed(
    wales: Session, line: str, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    decided = wales.answer(line)
    assert words in capsys.readouterr().out
    assert decided == words.startswith("you: ")
    assert len(wales.match.history) == int(decided)


def test_two_actions_in_a_line_are_both_played(wales: Session) -> None:
    assert wales.answer("cardif e3")
    assert wales.match.history == ["Cardiff", "E3"]


def test_a_hint_is_a_legal_action(capsys: pytest.CaptureFixture[str]) -> None:
    for game in adjoin.games():
        table = session(Variant(game), 2)
        assert at_your_turn(table)
        capsys.readouterr()
        assert not table.answer("hint")
        said = " ".join(capsys.readouterr().out.split())
        hint = re.fullmatch(r"hint: (.+) \((\d+)\), since \w.+\w", said)
        assert hint is not None
        assert table.match.legal()[int(hint[2]) - 1] == hint[1]


@pytest.mark.parametrize("variant", BRIEF, ids=str)
def test_undo_goes_back_to_the_last_decision_and_the_same_follows(variant: Variant) -> None:
    table = session(variant, 6)
    assert at_your_turn(table)
    states: list[bytes] = []
    while at_your_turn(table) and len(states) < 12:
        states.append(table.match.save())
        table.answer(str(1 + len(states) % len(table.match.legal())))
    assert len(states) > 4
    after = table.match.save()
    history = table.match.history
    for state in reversed(states):
        assert table.answer("undo")
        assert table.match.save() == state
    for number in range(1, len(states) + 1):
        assert at_your_turn(table)
        table.answer(str(1 + number % len(table.match.legal())))
    at_your_turn(table)
    assert (table.match.save(), table.match.history) == (after, history)
    assert not session(variant, 6).answer("undo")


def test_after_the_end_it_can_be_saved_and_taken_back(tmp_path: Path) -> None:
    file = tmp_path / "match.jsonl"
    answers = "1\n" * 200
    ended = output("play", "domiphun", "--seed", "3", text=answers)
    taken = ended.count("your action")
    more = f"board\nundo\n1\nsave {file}\n\n"
    text = output("play", "domiphun", "--seed", "3", text="1\n" * taken + more)
    assert len(re.findall(r"wins?\.\n", text)) == 2
    assert text.count("saved: ") == 1
    assert "Taken back: " in text
    assert adjoin.Match.from_replay(file.read_text(encoding="utf-8")).is_over


def test_the_end_of_a_round_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    table = session(Variant("mapominoes", THREE_IN_WALES), 4)
    while at_your_turn(table):
        table.answer("1")
    text = capsys.readouterr().out
    (told,) = re.findall(r"-- round 1 is over; points: you \d+, seat 1 \d+, seat 2 \d+;", text)
    points = [int(value) for value in re.findall(r" (\d+)[,;]", told.partition("points")[2])]
    assert min(points) >= 0
    table = session(Variant("metro_domino", {"wins_needed": 2}), 4)
    while at_your_turn(table):
        table.answer("1")
    assert re.search(
        r"-- game 1 is over; games won: you [01], seat 1 [01];", capsys.readouterr().out
    )


@pytest.mark.parametrize(
    ("returns", "words"),
    [
        ([1.0, -1.0], "You win."),
        ([-1.0, 1.0], "Seat 1 wins."),
        ([0.0, 0.0], "A draw."),
    ],
)
def test_the_result_in_words(returns: list[float], words: str) -> None:
    for seed in range(200):
        table = session(Variant("mapello", {"setup": "othello"}), seed)
        table.match.play_random()
        if table.match.returns == returns:
            assert table.result() == words
            return
    pytest.fail("no such match")


def test_a_match_decided_on_points_tells_the_points() -> None:
    told = set()
    for seed in range(40):
        table = session(Variant("mapello", {"games": 2}), seed)
        table.match.play_random()
        wins, points = (table.match.view()["match"][name] for name in ("wins", "points"))
        said = table.result()
        assert ("on points" in said) == (wins == [1, 1] and points[0] != points[1])
        if "on points" in said:
            best = "You win" if points[0] > points[1] else "Seat 1 wins"
            assert said.startswith(f"{best} on points, {max(points)} to {min(points)}.")
            assert f"won 1:1, points {points[0]}:{points[1]}" in str(table.match)
            told.add(best)
    assert len(told) == 2
