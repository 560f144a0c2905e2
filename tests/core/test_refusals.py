"""An argument in the wrong place gets a sentence that names it and says what was expected."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import adjoin
from adjoin.simulation.offline import trajectories
from scaffold import cases

any_adjoin: Any = adjoin
PAIR = ["greedy", "random"]
MATCH = adjoin.Match("domiphun")
BATCH: Any = adjoin.Batch("domiphun")
NO_GAME = "must be the name of a game (mapello, mapominoes, metro_domino, domiphun, connections)"
NO_AGENTS = "must have an entry for each seat, an agent's name or None"
NO_ACTION = "must be a text in the game's notation, or an id"
NO_REPLAY = "must be a Match, the text of its replay, or the path of a replay file"

REFUSALS: list[tuple[Callable[[], Any], str]] = [
    (
        lambda: any_adjoin.simulate("domiphun", PAIR, 200),
        "episodes = ['greedy', 'random']: must be a whole number",
    ),
    (
        lambda: any_adjoin.simulate("domiphun", 200, 3),
        "agents = 3: must be an agent, or one for each seat",
    ),
    (lambda: any_adjoin.simulate(MATCH, 200), f"game = {MATCH!r}: {NO_GAME}"),
    (
        lambda: any_adjoin.simulate("domiphun", 9, executor=3),
        "executor = 3: must be a pool like those of concurrent.futures",
    ),
    (
        lambda: any_adjoin.simulate("domiphun", 9, progress="bar"),
        "progress = 'bar': must be True, False, None or a callable",
    ),
    (
        lambda: trajectories("domiphun", PAIR, 200),  # type: ignore[call-overload]
        "episodes = ['greedy', 'random']: must be a whole number",
    ),
    (
        lambda: any_adjoin.tournament("domiphun", 20, PAIR),
        "agents = 20: must be a sequence of agents, or a mapping by name",
    ),
    (
        lambda: any_adjoin.tournament("domiphun", [1, 2]),
        "agent '1' is 1: must be a text or a callable",
    ),
    (lambda: any_adjoin.report(100), f"game = 100: {NO_GAME}"),
    (lambda: any_adjoin.describe(["domiphun"]), f"game = ['domiphun']: {NO_GAME}"),
    (lambda: any_adjoin.animate(3), f"match = 3: {NO_REPLAY}"),
    (
        lambda: any_adjoin.animate("out.html", MATCH),
        f"path = {MATCH!r}: must be the name of a file",
    ),
    (
        lambda: any_adjoin.play(MATCH),
        f"game = {MATCH!r}: to go on with a match, write play(match=...)",
    ),
    (lambda: any_adjoin.Batch("domiphun", agents="greedy"), f"agents = 'greedy': {NO_AGENTS}"),
    (
        lambda: any_adjoin.Batch("domiphun", agents=[1, 2]),
        "agents[0] = 1: must be an agent's name or None",
    ),
    (
        lambda: BATCH.step(BATCH.buffers(), np.zeros(1, np.int32)),
        "out: expected the five arrays of Batch.buffers(), got ndarray",
    ),
    (lambda: BATCH.reset(BATCH.buffers(), 7), "seed = a ndarray: must be a whole number"),
    (lambda: any_adjoin.Match("domiphun", position=3), "position = 3: must be a text, as position"),
    (lambda: any_adjoin.Match("domiphun").play(["take"]), f"action = ['take']: {NO_ACTION}"),
    (lambda: any_adjoin.Match("domiphun").why_not(None), f"action = None: {NO_ACTION}"),
    (
        lambda: any_adjoin.Match("domiphun").notation("take"),
        "action = 'take': must be an id",
    ),
    (
        lambda: any_adjoin.Match("domiphun").action_id(3),
        "text = 3: must be an action in the game's notation",
    ),
    (lambda: BATCH.resample_hidden(0, "x"), "purpose = 'x': must be a whole number"),
    (lambda: any_adjoin.Match("domiphun").svg("me"), "viewer = 'me': must be a seat, \"all\""),
    (lambda: any_adjoin.Match("domiphun").choose(3), "agent = 3: must be the name of an agent"),
    (lambda: any_adjoin.Match("domiphun").load("x"), "state = 'x': must be the bytes that save"),
    (lambda: any_adjoin.Match.from_replay(3), "text = 3: must be the text that replay returned"),
]


@pytest.mark.smoke
@cases(("call", "sentence"), REFUSALS)
def test_a_misplaced_argument_is_named_with_what_was_expected(
    call: Callable[[], Any], sentence: str
) -> None:
    with pytest.raises(TypeError) as caught:
        call()
    assert str(caught.value).startswith(sentence)
