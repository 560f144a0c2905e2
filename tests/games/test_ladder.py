"""Ladder, the sixth game: all that it is, is in its folder of the core, and everything plays it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import adjoin
from adjoin.envs.aec import AECEnv, env
from adjoin.envs.single import Env
from adjoin.envs.vector import VectorEnv
from interfaces import legal, output, play, send
from pictures import assert_legible, shown, texts_in
from scaffold import SHORT_RUN

PACKAGE = Path(adjoin.__file__).parent
DEALT: dict[str, Any] = {"players": 3, "cards": 20, "hand": 5}


def test_it_is_found_by_name_but_not_listed() -> None:
    assert "ladder" not in adjoin.games()
    assert adjoin.Match("ladder").spec.title == "Ladder"
    assert "ladder" not in output("games")
    assert output("games", "ladder", "-o", "players=3") == adjoin.describe("ladder", players=3)


def test_nothing_of_it_is_in_python_or_javascript() -> None:
    files = [path for path in PACKAGE.rglob("*") if path.suffix in (".py", ".js", ".css", ".html")]
    assert len(files) > 50
    named = [
        path.name for path in files if re.search(r"['\"]ladder|Ladder", path.read_text("utf-8"))
    ]
    assert named == []


@pytest.mark.smoke
def test_a_board_plays_it_by_clicks() -> None:
    board = adjoin.play("ladder", seed=1, opponents="random", **DEALT)
    hand = board.match.view(0)["hands"][0]["cards"]
    pieces = board.state["picture"]["pieces"]
    held = [shown(f"<g>{piece['svg']}</g>") for piece in pieces if piece["role"] == "hand"]
    assert held == [[f"card {card}"] for card in hand]
    assert board.state["status"] == "Your turn: lay a card, or pass."
    hint = send(board, "hint")
    (place,) = hint["hint"]
    above = sum(card > int(place[5:]) for card in hand)
    said = f"Hint: lay {place[5:]}, since you keep {above} cards that can go above it."
    assert hint["message"] == said
    state = send(board, "pick", f"card {hand[2]}")
    assert board.match.history[0] == f"lay {hand[2]}"
    assert state["log"][0] == f"you lay the {hand[2]}"
    refused = send(board, "pick", f"card {hand[1]}")
    top = max(board.match.view(0)["laid"])
    assert refused["message"].startswith(f"lay {hand[1]}: it is not higher than {top}.")
    assert (refused["rule"], refused["about"]) == ("rule LADD-2", f"card {hand[1]}")
    assert send(board, "undo")["message"] == f"Taken back: lay {hand[2]}."
    assert board.match.history == []
    while not board.match.is_over:
        play(board, legal(board)[0])
    assert re.fullmatch(r"(You win|Seat \d wins|.* share the win|A draw)\.", board.state["status"])


def test_a_match_says_why_not_with_the_clause() -> None:
    match = adjoin.Match("ladder", seed=1)
    unheld = next(card for card in range(1, 13) if f"lay {card}" not in match.legal())
    why = match.why_not(f"lay {unheld}")
    assert why is not None
    assert (why.reason, why.clause) == ("seat 0 does not have it", "LADD-2")
    assert why.legal == match.legal()
    with pytest.raises(adjoin.IllegalActionError, match=r'"7" is no action of ladder'):
        match.play("7")
    with pytest.raises(ValueError, match=r"hand = 7: 2 players share 12 cards.*LADD-1"):
        adjoin.Match("ladder", hand=7)


def test_a_terminal_plays_it(tmp_path: Path) -> None:
    file = tmp_path / "ladder.jsonl"
    lines = "rules\nwhy lay 99\nhint\nlay 2\nundo\n" + "1\n" * 20
    text = output("play", "ladder", "--seed", "1", "--save", str(file), text=lines)
    assert "Lay a card that is higher than the top card, or pass (LADD-2)." in text
    assert re.search(r"\nHint: lay \d+, since you keep \d cards? that can go above it\.\n", text)
    assert "you: lay 2\n\nseat 1 lays the " in text
    assert "Taken back: lay 2. What you have seen since, you have seen." in text
    match = adjoin.Match.from_replay(file.read_text(encoding="utf-8"))
    assert match.is_over
    assert match.text(0).splitlines()[0] in text
    assert match.text("all") in output("replay", str(file))


def test_it_is_drawn() -> None:
    match = adjoin.Match("ladder", seed=2, **DEALT)
    match.play_random(4)
    for viewer in (0, 1, 2, "all"):
        svg = match.svg(viewer)
        assert_legible(svg, texts_in(svg), 600)
    assert len({match.svg(viewer) for viewer in (0, 1, 2, "all")}) == 4
    pytest.importorskip("resvg_py")
    assert match.png().startswith(b"\x89PNG")
    film = adjoin.animate(match)
    assert len(film) == 5
    assert film.captions[1].startswith("seat 0 lays the ")


def test_it_is_simulated_ranked_and_reported() -> None:
    table = adjoin.simulate("ladder", 200, ["greedy", "random"], seed=1)
    assert set(table["ended"]) <= {"last card", "all passed"}
    assert (table["laid_0"] <= 4).all()
    seats = table.by_seat()
    assert seats["won"][seats["agent"] == "greedy"].mean() > 0.55
    ranked = adjoin.tournament("ladder", ["random", "greedy"], num_games=40, progress=False)
    assert "greedy" in str(ranked)
    page = adjoin.report("ladder", episodes=40, search=None, threads=1, progress=False)
    assert page.figures["length"]["random"]["decisions"]["mean"]["value"] > 3
    assert "Ladder" in page.html


def test_environments_play_it() -> None:
    single = Env("ladder", render_mode="ansi", **DEALT)
    _, info = single.reset(seed=1)
    is_over = False
    while not is_over:
        action = np.flatnonzero(info["action_mask"])[0]
        _, reward, terminated, truncated, info = single.step(action)
        is_over = terminated or truncated
    assert -1 <= float(reward) <= 1
    assert single.render().startswith("Ladder, ")
    rows: Any = VectorEnv("ladder", 4)
    observation, infos = rows.reset(seed=1)
    assert observation.shape == (4, rows.single_observation_space.shape[0])
    rows.step(infos["action_mask"].argmax(axis=1))
    table = env("ladder", **DEALT)
    table.reset(seed=1)
    for agent in table.agent_iter():
        _, _, terminated, truncated, info = table.last()
        mask = info["action_mask"]
        assert mask.any() or terminated or truncated
        table.step(None if terminated or truncated else int(mask.argmax()))
        assert agent in ("player_0", "player_1", "player_2")
    assert isinstance(table.unwrapped, AECEnv)


def test_a_policy_learns_it_and_plays_on_a_board() -> None:
    pytest.importorskip("jax", reason="the trainer needs `pip install adjoin[train]`")
    from adjoin.learning.settings import Settings
    from adjoin.learning.trainer import Trainer

    settings = Settings(**SHORT_RUN)
    trainer = Trainer("ladder", seed=1, settings=settings)
    trainer.run(progress=False)
    assert trainer.decisions >= settings.decisions
    board = adjoin.play("ladder", seed=3, opponents=trainer.policy)
    while not board.match.is_over:
        play(board, legal(board)[0])
    assert len(board.match.history) > 3
