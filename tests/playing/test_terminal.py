"""People against agents in the terminal: whole games by scripted answers, and what they see."""

from __future__ import annotations

import io
import itertools
import json
import re
import sys
from pathlib import Path
from typing import Any, Protocol

import pytest

import adjoin
from adjoin.playing.sessions import Session
from adjoin.playing.terminal import Terminal
from interfaces import SHORT, names, output, run, unseen
from scaffold import THREE_IN_WALES, Variant, cases

SCRIPTED = {
    "mapello": [],
    "mapominoes": SHORT,
    "metro_domino": [],
    "domiphun": ["-o", "variant=advanced"],
    "connections": ["-o", "max_turns=2"],
}
"""Options on the command line."""


class Typist(Protocol):
    """Somebody who types lines at a match, and returns what they read, and the match after that."""

    def __call__(
        self, match: adjoin.Match, *lines: str, you: int | list[int] = 0
    ) -> tuple[str, adjoin.Match]: ...


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Typist:
    def typed(
        match: adjoin.Match, *lines: str, you: int | list[int] = 0
    ) -> tuple[str, adjoin.Match]:
        monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
        table = Terminal(match, you, "greedy")
        table.run()
        return capsys.readouterr().out, table.match

    return typed


# Whole games.


@pytest.mark.parametrize("game", adjoin.games())
def test_a_script_plays_a_game_to_the_end(game: str, tmp_path: Path) -> None:
    file = tmp_path / "match.jsonl"
    arguments = ["play", game, "--seed", "3", "--save", str(file), *SCRIPTED[game]]
    text = output(*arguments, text="1\n" * 3000)
    replay = file.read_text(encoding="utf-8")
    match = adjoin.Match.from_replay(replay)
    assert match.is_over
    assert match.text(0) in text
    assert re.search(r"(wins?|share the win|A draw)\.( Points: you -?\d+, seat 1 |\n)", text)
    assert f"adjoin replay {file}" in text
    lines = [line for line in text.splitlines() if str(file) not in line]
    assert max(map(len, lines)) <= 100
    said = [re.sub(r"seat (\d)", r"+\1", line[5:]) for line in lines if line.startswith("you: ")]
    decisions = map(json.loads, replay.splitlines()[1:])
    assert said == [decision["text"] for decision in decisions if decision.get("seat") == 0]


def test_a_seed_gives_the_same_match_again() -> None:
    arguments = ("play", "metro_domino", "--opponents", "search(iterations=20)", "--seed")
    first = output(*arguments, "5", text="1\n" * 4)
    assert output(*arguments, "5", text="1\n" * 4) == first
    assert output(*arguments, "6", text="1\n" * 4) != first


def test_every_decision_can_be_typed_as_it_is_listed_in_any_case(brief: Variant) -> None:
    session = Session(brief.match(seed=5), 1, "random")
    update = session.advance()
    for made in range(40):
        if update["is_over"]:
            break
        label = update["actions"][made * 7 % len(update["actions"])]["label"]
        before = session.match
        update = session.receive(
            {"do": "type", "what": f" {label.upper()} ", "number": update["number"]}
        )
        assert update["typed"] == [label]
        assert session.match.history[len(before.history)] in before.legal()
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
            assert not names(shown, card), card
            named += 1
    assert named > 50


def test_people_at_one_terminal_are_alone_with_their_cards(terminal: Typist) -> None:
    match = adjoin.Match("connections", seed=1, max_turns=3)
    text, after = terminal(match, *["", "1"] * 30, you=[0, 1, 2])
    assert text.startswith("Connections\n")
    assert "You are seat 0, seat 1 and seat 2. " in text
    before, *screens = re.split("\n{50}", text)
    assert "hand:" not in before
    alone = []
    for screen in screens:
        (seat,) = re.findall(r"^Now seat (\d)\. Press Enter when you are alone", screen, re.M)
        curtain, _, table = screen.partition("Press Enter")
        assert "hand:" not in curtain
        assert set(re.findall(r"seat (\d): .*\n    hand:", table)) <= {seat}
        alone.append(seat)
    assert set(alone) == {"0", "1", "2"}
    assert all(one != other for one, other in itertools.pairwise(alone))
    assert len(after.history) > 10


# What a person can ask.


WALES: dict[str, Any] = {"nations": ["Wales"], "rounds": 1, "table": (8, 6)}


@pytest.mark.smoke
@cases(
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
        ("why nonsense", '"nonsense" is no action here; `help` tells what you can type'),
        ("kent", "Kent: you do not hold that card\n  (rule MAPO-10)"),
        ("cardif", "you: Cardiff\n\nMapominoes: seat 0 plays Cardiff: where?"),
        ("cardif e3", "you: Cardiff\nyou: E3\n\nseat 1 plays Monmouthshire on E5\n"),
        ("cardfif", "did you mean Cardiff?"),
        ("hlep", '"hlep" is no action here; did you mean help?'),
        ("99", "99: the list has 1 to 6"),
        ("0", "0: the list has 1 to 6"),
        ("", "Type an action"),
        ("legal torf", "5 transit Torfaen"),
        ("legal zzz", 'no legal action has "zzz" in it'),
        ("hint", "Hint: "),
        ("rules", "beside it (MAPO-11)"),
        ("?", "why ACTION"),
        ("save", "save it where?"),
        ("save nowhere/match.jsonl", "nowhere/match.jsonl: No such file"),
        ("undo", "There is no decision of yours to take back"),
    ],
)
def test_what_can_be_typed(terminal: Typist, line: str, words: str) -> None:
    text, match = terminal(adjoin.Match("mapominoes", seed=1, **WALES), line)
    assert words in text.partition("your action")[2]
    played = re.findall("^you: (.*)$", text, re.M)
    assert match.history[: len(played)] == played
    assert bool(match.history) == bool(played)


def test_others_are_called_as_they_are_listed_or_numbered(terminal: Typist) -> None:
    match = adjoin.Match("connections", seed=1)
    for line in ("offer Chicago to seat 2", "offer chica seat 2", "offer chica +1", "offer chic"):
        text, after = terminal(match, f"why {line}", line, you=1)
        assert "offer Chicago to seat 2: that is legal now\n" in text
        assert "you: offer Chicago to seat 2\n" in text
        assert after.history[0] == "offer Chicago to +1"
    text, after = terminal(match, "why offer Lima/Johannesburg to seat 2", you=1)
    assert "offer Lima/Johannesburg to seat 2: you do not hold Lima/Johannesburg\n" in text


def test_undo_says_what_is_taken_back(terminal: Typist) -> None:
    start = adjoin.Match("mapello", setup="othello")
    text, match = terminal(start, "d3", "1", "undo", "undo", "undo")
    assert len(re.findall(r"\nTaken back: \w\d\. What you have seen since, you have", text)) == 2
    assert "Taken back: d3. What" in text
    assert "There is no decision of yours to take back." in text
    assert text.count(start.text(0)) == 2
    assert match.save() == start.save()


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


def test_the_end_of_a_round_is_told(terminal: Typist) -> None:
    text, _ = terminal(adjoin.Match("mapominoes", seed=4, **THREE_IN_WALES), *["1"] * 200)
    (told,) = re.findall(r"-- round 1 is over; points: you \d+, seat 1 \d+, seat 2 \d+;", text)
    points = [int(value) for value in re.findall(r" (\d+)[,;]", told.partition("points")[2])]
    assert min(points) >= 0
    text, _ = terminal(adjoin.Match("metro_domino", seed=4, wins_needed=2), *["1"] * 300)
    assert re.search(r"-- game 1 is over; games won: you [01], seat 1 [01];", text)


def status(match: adjoin.Match) -> str:
    return str(Session(match, 0, "random").update()["status"])


@cases(
    ("returns", "words"),
    [
        ([1.0, -1.0], "You win."),
        ([-1.0, 1.0], "Seat 1 wins."),
        ([0.0, 0.0], "A draw."),
    ],
)
def test_the_result_in_words(returns: list[float], words: str) -> None:
    for seed in range(200):
        match = adjoin.Match("mapello", setup="othello", seed=seed)
        match.play_random()
        if match.returns == returns:
            assert status(match) == words
            return
    pytest.fail("no such match")


def test_a_match_decided_on_points_tells_the_points() -> None:
    told = set()
    for seed in range(40):
        match = adjoin.Match("mapello", games=2, seed=seed)
        match.play_random()
        wins, points = (match.view()["match"][name] for name in ("wins", "points"))
        said = status(match)
        assert ("on points" in said) == (wins == [1, 1] and points[0] != points[1])
        if "on points" in said:
            best = "You win" if points[0] > points[1] else "Seat 1 wins"
            assert said.startswith(f"{best} on points, {max(points)} to {min(points)}.")
            assert f"won 1:1, points {points[0]}:{points[1]}" in str(match)
            told.add(best)
    assert len(told) == 2
