"""The engine agrees with an independent, slow model, decision for decision."""

from __future__ import annotations

import copy
import random
from collections import Counter
from typing import Any

import numpy as np
import pytest

import adjoin
from models.mapello import (
    BORDER,
    CELL,
    CENTRE,
    INNER,
    Model,
    border_name,
    disc_moves,
    empty_board,
    square_name,
)
from scaffold import chunks

CHUNKS = 16
GAMES = 313
"""Games in a chunk, at least: 5,000 in all chunks."""

CORNERS = (0, 9, 90, 99)
FIRST_MOVES = ("d3", "e3", "c4", "f4", "c5", "f5", "d6", "e6")
PIECES = {"walls": "#", "bonuses": "+", "jokers": "J"}


class Played:
    """What a sample of games has shown so far."""

    def __init__(self) -> None:
        self.seen: Counter[str] = Counter()

    def note(self, *events: str) -> None:
        self.seen.update(events)

    def note_pieces(self, position: str, size: int) -> None:
        """Note how many of each piece a game begins with, and whether a joker lies in a corner."""
        board = position.replace("\n", "")[:100]
        if board.count("X") + board.count("O") > 4:
            return
        self.note(*(f"{name} {number}" for name, number in num_pieces(board, size).items()))
        if any(board[cell] == "J" for cell in CORNERS):
            self.note("corner joker")


SETUPS = ("fixed", "random", "free", "position", "othello")

EVERYTHING = {
    *(f"{name} {count}" for name in PIECES for count in range(9)),
    *(f"symmetry {name}" for name in ("none", "rotate", "diagonal")),
    *(f"opening {name}" for name in ("mapello", "othello")),
    *(f"match of {games}" for games in (1, 2, 3)),
    *(f"set-up {name}" for name in SETUPS),
    *(
        "corner joker",
        "free exact",
        "free pair",
        "pass",
        "black",
        "white",
        "drawn game",
        "drawn match",
    ),
}


SMALL = {
    *(f"{name} {count}" for name in ("walls", "bonuses") for count in range(9)),
    *(f"{setup} on {size}" for setup in SETUPS for size in (6, 4)),
    *("jokers 0", "symmetry rotate", "symmetry diagonal", "pass", "match of 3", "drawn game"),
}
"""What games on smaller boards show (MAPE-20)."""


def num_pieces(board: str, size: int) -> dict[str, int]:
    """Return how many of each piece lie on a board, without the walls around it."""
    around = empty_board(size)
    return {name: board.count(piece) - around.count(piece) for name, piece in PIECES.items()}


def random_pieces(rng: random.Random, size: int, *, with_discs: bool) -> list[str]:
    """Return a board with random pieces: a set-up, or a position with random discs too."""
    board = empty_board(size)
    free = [cell for cell in INNER if board[cell] == "." and cell not in CENTRE]
    rng.shuffle(free)
    walls = rng.randint(0, 8)
    for symbol in "#" * walls + "+" * rng.randint(0, min(8, len(free) - walls)):
        board[free.pop()] = symbol
    for cell in rng.sample(BORDER, rng.randint(0, 8) if size == 8 else 0):
        board[cell] = "J"
    if with_discs:
        empty = free + CENTRE
        for cell in rng.sample(empty, rng.randint(4, min(36, len(empty)))):
            board[cell] = rng.choice("XO")
    return board


def as_text(board: list[str], side: str = "X", taken: tuple[int, int] = (0, 0)) -> str:
    rows = ["".join(board[start : start + 10]) for start in range(0, 100, 10)]
    return "\n".join([*rows, f"{side} {taken[0]} {taken[1]}"])


def as_lists(board: list[str], size: int) -> dict[str, Any]:
    """Return a set-up as lists of cells, some by name and some by row and column."""
    around = empty_board(size)
    lists: dict[str, list[Any]] = {name: [] for name in PIECES}
    for cell, symbol in enumerate(board):
        for name, piece in PIECES.items():
            if symbol == piece != around[cell]:
                by_name = square_name(cell) if cell in INNER else border_name(cell)
                lists[name].append(by_name if cell % 2 else divmod(cell, 10))
    return lists


class Table:
    """The same match three times: as a Match, as a batch of one, and in the model."""

    def __init__(self, model: Model, position: str | None, **keywords: Any) -> None:
        self.model = model
        self.keywords = keywords
        self.match = adjoin.Match("mapello", position=position, **keywords)
        self.batch = adjoin.Batch("mapello", **keywords)
        if position is not None:
            self.batch[0] = self.match
        self.out = self.batch.buffers()
        self.batch.observe(self.out)
        self.names = [self.match.notation(n) for n in range(self.batch.spec.actions.size)]
        self.ids = {name: n for n, name in enumerate(self.names)}
        self.decisions = 0

    def agree(self) -> list[str]:
        """Compare all three before a decision, and return the legal actions."""
        legal = self.model.legal()
        to_act = self.model.to_act()
        listed = self.match.legal()
        assert len(listed) == len(set(listed))
        assert set(listed) == legal
        assert {self.names[n] for n in np.flatnonzero(self.out.mask[0])} == legal
        assert self.match.to_act == to_act
        assert self.out.seat[0] == (-1 if to_act is None else to_act)
        assert self.out.status[0] == (adjoin.OVER if to_act is None else adjoin.RUNNING)
        assert self.match.position() == self.model.position()
        if self.match.view()["phase"] in ("set_up", "colour"):
            again = adjoin.Match("mapello", position=self.match.position(), **self.keywords)
            assert again.legal() == listed
        return sorted(legal)

    def play(self, action: str) -> None:
        self.model.play(action)
        self.match.play(action)
        self.batch.step(np.array([self.ids[action]], np.int32), self.out)
        self.decisions += 1

    def agree_at_the_end(self) -> None:
        view = self.match.view("all")
        black, white = self.model.scores()
        assert self.batch[0].position() == self.model.position()
        assert view["score"] == {"black": black, "white": white}
        assert tuple(view["match"]["wins"]) == self.model.games_won()
        points = view["match"]["points"]
        assert points[0] - points[1] == self.model.point_difference()
        assert tuple(view["returns"]) == tuple(self.match.returns) == self.model.returns()
        earned = self.model.returns() if self.decisions else (0, 0)
        assert tuple(self.out.reward[0]) == earned


def draw_table(rng: random.Random, games: int, played: Played, size: int = 8) -> Table | None:
    """Begin a match with a random kind of set-up; None for a set-up on which nobody can move."""
    opening = rng.choice(["mapello", "othello"])
    seed = rng.getrandbits(64)
    setup = rng.choice(
        ["fixed", "fixed", "random", "random", "random", "free", "position", "othello"]
    )
    keywords: dict[str, Any] = {"seed": seed, "games": games, "opening": opening}
    keywords |= {} if size == 8 else {"size": size}
    common: dict[str, Any] = {"games": games, "opening": opening, "size": size}
    position = None
    if setup == "random":
        symmetry = rng.choice(["none", "rotate", "diagonal"])
        step = 2 if symmetry == "rotate" else 1
        numbers = {name: rng.randrange(0, 9, step) for name in PIECES}
        if size < 8:
            numbers["jokers"] = 0
            numbers["bonuses"] = min(numbers["bonuses"], size * size - 4 - numbers["walls"])
        keywords |= numbers | {"symmetry": symmetry}
        played.note(f"symmetry {symmetry}")
        start = adjoin.Match("mapello", **keywords).position()
        assert_drawn_as_asked(start, keywords, size)
        model = Model.from_position(start, **common)
    elif setup == "free":
        agreed = draw_numbers(rng, size)
        played.note(*("free exact" if isinstance(n, int) else "free pair" for n in agreed.values()))
        keywords |= {"setup": "free"} | agreed
        model = Model.free(**agreed, **common)
    elif setup == "position":
        position = as_text(random_pieces(rng, size, with_discs=True), rng.choice("XO"))
        keywords["setup"] = rng.choice(["random", "othello"])
        model = Model.from_position(position, **common)
    else:
        board = empty_board(size)
        if setup == "fixed":
            board = random_pieces(rng, size, with_discs=False)
        discs = "XOOX" if opening == "mapello" else "OXXO"
        for cell, disc in zip(CENTRE, discs, strict=True):
            board[cell] = disc
        keywords["setup"] = setup
        if setup == "fixed":
            keywords |= as_lists(board, size) if rng.random() < 0.5 else {"board": as_text(board)}
            if not disc_moves(board, "X") and not disc_moves(board, "O"):
                with pytest.raises(ValueError, match="nobody"):
                    adjoin.Match("mapello", **keywords)
                return None
        model = Model.from_position(as_text(board), **common)
    played.note(f"set-up {setup}", f"opening {opening}", f"match of {games}")
    played.note(f"{setup} on {size}")
    return Table(model, position, **keywords)


def draw_numbers(rng: random.Random, size: int) -> dict[str, Any]:
    """Return numbers of pieces for free play: exact ones and pairs that the board has room for."""
    room = size * size - 4
    numbers: dict[str, Any] = {}
    for name in ("walls", "bonuses"):
        most = rng.randint(0, 8)
        least = min(rng.randint(0, most), room)
        room -= least
        numbers[name] = least if rng.random() < 0.4 else (least, most)
    if size == 8:
        numbers["jokers"] = (0, rng.randint(0, 8)) if rng.random() < 0.7 else rng.randint(0, 8)
    return numbers


def assert_drawn_as_asked(position: str, options: dict[str, Any], size: int) -> None:
    """Compare a drawn set-up with the numbers and the symmetry that were asked for."""
    rows = position.split("\n")[:10]
    board = "".join(rows)
    assert num_pieces(board, size) == {name: options[name] for name in PIECES}
    pieces = [["." if symbol in "XO" else symbol for symbol in row] for row in rows]
    if options["symmetry"] == "rotate":
        assert pieces == [row[::-1] for row in pieces[::-1]]
    if options["symmetry"] == "diagonal":
        assert pieces == [list(column) for column in zip(*pieces, strict=True)]


def choose(rng: random.Random, legal: list[str]) -> str:
    """Choose uniformly, but set up for a while instead of nearly always to the caps."""
    if "finish" in legal and rng.random() < 0.08:
        return "finish"
    return rng.choice(legal)


def play_out(table: Table, games: int, rng: random.Random, played: Played, size: int = 8) -> None:
    while legal := table.agree():
        action = choose(rng, legal)
        if action in ("pass", "black", "white"):
            played.note(action)
        if "finish" not in legal and action not in ("black", "white"):
            played.note_pieces(table.model.position(), size)
        table.play(action)
    table.agree_at_the_end()
    if sum(table.model.games_won()) < games:
        played.note("drawn game")
    if table.model.returns() == (0, 0):
        played.note("drawn match")


@pytest.mark.parametrize("chunk", chunks(CHUNKS))
def test_games_agree_with_the_model(chunk: int) -> None:
    rng = random.Random(chunk)
    played = Played()
    games = 0
    while games < GAMES:
        length = rng.choice([1, 1, 1, 2, 3])
        table = draw_table(rng, length, played)
        if table is not None:
            play_out(table, length, rng, played)
            games += length
    assert set(played.seen) >= EVERYTHING


@pytest.mark.parametrize("chunk", chunks(CHUNKS))
def test_games_on_smaller_boards_agree_with_the_model(chunk: int) -> None:
    rng = random.Random(f"small {chunk}")
    played = Played()
    games = 0
    while games < GAMES:
        length, size = rng.choice([1, 1, 1, 2, 3]), rng.choice([6, 4])
        table = draw_table(rng, length, played, size)
        if table is not None:
            play_out(table, length, rng, played, size)
            games += length
    assert set(played.seen) >= SMALL


@pytest.mark.parametrize("size", [8, 6, 4])
def test_a_board_nearly_walled_in_agrees_with_the_model(size: int) -> None:
    rng = random.Random(f"walled in {size}")
    narrow = 0
    for _ in range(25):
        bonuses = (rng.randint(0, 4), 8) if size == 4 else 0
        numbers: dict[str, Any] = {"walls": rng.choice([8, (0, 8)]), "bonuses": bonuses}
        model = Model.free(size=size, jokers=0, **numbers)
        table = Table(model, None, setup="free", size=size, jokers=0, **numbers)
        while (legal := table.agree()) != ["finish"]:
            board = model.position().replace("\n", "")
            empty = [f"wall {cell}" for cell in FIRST_MOVES if board[CELL[cell]] == "."]
            near = [action for action in legal if action in empty]
            far = [action for action in legal if action not in (*empty, "finish")]
            narrow += len(near) < len(empty) and any(action.startswith("wall") for action in far)
            table.play(rng.choice(near if near and rng.random() < 0.95 else far or near))
    assert narrow > 5


def count(model: Model, depth: int) -> int:
    """Count sequences of so many decisions; one that ends sooner counts once."""
    if depth == 0 or model.to_act() is None:
        return 1
    total = 0
    for action in model.legal():
        following = copy.deepcopy(model)
        following.play(action)
        total += count(following, depth - 1)
    return total


@pytest.mark.parametrize(("size", "depth"), [(4, 7), (6, 5)])
def test_othello_on_smaller_boards_has_as_many_courses_as_in_the_model(
    size: int, depth: int
) -> None:
    match = adjoin.Match("mapello", setup="othello", size=size)
    model = Model.from_position(match.position(), opening="othello", size=size)
    assert match.perft(depth) == count(model, depth)


@pytest.mark.parametrize("size", [8, 6, 4])
@pytest.mark.parametrize("chunk", range(4))
def test_a_text_altered_in_one_cell_is_read_or_refused_alike(chunk: int, size: int) -> None:
    rng = random.Random(chunk)
    refused = 0
    for _ in range(250):
        text = as_text(random_pieces(rng, size, with_discs=True), rng.choice("XO"))
        at = rng.randrange(10) * 11 + rng.randrange(10)
        text = text[:at] + rng.choice(".XO#+Jx?o") + text[at + 1 :]
        try:
            expected = Model.from_position(text, size=size).position()
        except ValueError as error:
            where, _, _ = str(error).partition(":")
            with pytest.raises(ValueError, match=f"{where}:"):
                adjoin.Match("mapello", position=text, size=size)
            refused += 1
        else:
            assert adjoin.Match("mapello", position=text, size=size).position() == expected
    assert 50 < refused < {8: 200, 6: 220, 4: 240}[size], refused
