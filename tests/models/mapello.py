"""A slow, literal model of Mapello, written from its rule page, to compare an engine against.

The board is a flat list of 100 one-character cells, cell = 10 * row + column, rows from the top.
The characters are those of the text form (MAPE-17). Discs never stand on the border ring, so a
walk over discs that starts on an inner cell always stops inside the list.
"""

from __future__ import annotations

import functools

BLACK, WHITE = "X", "O"
EMPTY, WALL, BONUS, JOKER = ".", "#", "+", "J"
OTHER = {BLACK: WHITE, WHITE: BLACK}
KIND_OF_NAME = {"wall": WALL, "bonus": BONUS, "joker": JOKER}

INNER = [10 * row + column for row in range(1, 9) for column in range(1, 9)]  # MAPE-1
BORDER = [cell for cell in range(100) if cell not in INNER]  # MAPE-1
CENTRE = [44, 45, 54, 55]  # d4 e4 d5 e5
DIRECTIONS = [-11, -10, -9, -1, 1, 9, 10, 11]
MAX_PIECES = 8  # of each kind, MAPE-2

SIZES = (8, 6, 4)  # MAPE-20

OPENINGS = {  # discs on d4 e4 d5 e5, MAPE-4
    "mapello": [BLACK, WHITE, WHITE, BLACK],
    "othello": [WHITE, BLACK, BLACK, WHITE],
}

SETUP, COLOUR, PLAY, OVER = "setup", "colour", "play", "over"


def square_name(cell: int) -> str:
    """Name of an inner cell: column a-h, row 1-8 from the top."""
    row, column = divmod(cell, 10)
    return "abcdefgh"[column - 1] + str(row)


def border_name(cell: int) -> str:
    """Name of a border cell: row,column."""
    row, column = divmod(cell, 10)
    return f"{row},{column}"


NAME = {cell: square_name(cell) for cell in INNER} | {cell: border_name(cell) for cell in BORDER}
CELL = {name: cell for cell, name in NAME.items()}


def flips(board: list[str], cell: int, mover: str) -> list[int]:
    """Cells that turn over if the mover puts a disc on this inner cell, whatever is on it now."""
    opponent = OTHER[mover]
    flipped: list[int] = []
    for step in DIRECTIONS:  # MAPE-7
        at = cell + step
        if board[at] != opponent:
            continue
        run: list[int] = []
        while board[at] == opponent:
            run.append(at)
            at += step
        if board[at] == mover or board[at] == JOKER:  # MAPE-7, MAPE-8
            flipped += run
    return flipped


def disc_moves(board: list[str], mover: str) -> list[int]:
    """Every cell on which the mover may put a disc."""
    return [
        cell
        for cell in INNER
        if board[cell] in (EMPTY, BONUS) and flips(board, cell, mover)  # MAPE-6
    ]


def with_opening(board: list[str], opening: str) -> list[str]:
    """A copy of the board with the opening discs on the centre squares."""
    result = list(board)
    for cell, disc in zip(CENTRE, OPENINGS[opening], strict=True):
        result[cell] = disc
    return result


@functools.cache
def around(size: int) -> list[int]:
    """Inner cells around the centred board of this size, which are walls (MAPE-20)."""
    gap = (8 - size) // 2
    played = range(1 + gap, 9 - gap)
    return [cell for cell in INNER if cell // 10 not in played or cell % 10 not in played]


def empty_board(size: int) -> list[str]:
    """A board with no pieces but the walls around it."""
    board = [EMPTY] * 100
    for cell in around(size):
        board[cell] = WALL
    return board


def malformed(row: int, column: int, why: str) -> ValueError:
    """The error for a bad text; row 10 is the line after the board."""
    return ValueError(f"row {row}, column {column}: {why}")


def allowed_at(cell: int, size: int) -> str:
    """Characters that a text may have on this cell."""
    if cell in BORDER:
        return EMPTY + JOKER if size == 8 else EMPTY  # MAPE-1, MAPE-20
    if cell in around(size):
        return WALL
    if cell in CENTRE:
        return EMPTY + BLACK + WHITE  # MAPE-3
    return EMPTY + BLACK + WHITE + WALL + BONUS


def read_position(text: str, size: int) -> tuple[list[str], str, dict[str, int]]:
    """Board, side to move and bonuses taken by colour; ValueError with row and column (MAPE-17).

    White space at the end is ignored. A text of one line is read as an Othello board.
    """
    text = text.rstrip()
    if "\n" not in text:
        return read_othello(text, size)
    lines = text.split("\n")
    board: list[str] = []
    count = {WALL: 0, BONUS: 0, JOKER: 0}
    for row, line in enumerate(lines[:10]):
        for column, char in enumerate(line[:10]):
            if char not in allowed_at(10 * row + column, size):
                raise malformed(row, column, f"{char!r} is not allowed on this cell")
            if char in count and 10 * row + column not in around(size):
                count[char] += 1
                if count[char] > MAX_PIECES:  # MAPE-2
                    raise malformed(row, column, f"more than {MAX_PIECES} {char!r}")
            board.append(char)
        if len(line) != 10:
            raise malformed(row, min(len(line), 10), "a row has ten characters")
    if len(lines) < 11:
        raise malformed(len(lines), 0, "the line is missing")
    if len(lines) > 11:
        raise malformed(11, 0, "there is a line too many")
    last = lines[10]
    allowed = ["XO", " ", "012345678", " ", "012345678"]
    for column, chars in enumerate(allowed):
        if column >= len(last) or last[column] not in chars:
            raise malformed(10, column, f"one of {chars!r} is expected")
    if len(last) > len(allowed):
        raise malformed(10, len(allowed), "the text should end here")
    taken = {BLACK: int(last[2]), WHITE: int(last[4])}
    if count[BONUS] + taken[BLACK] + taken[WHITE] > MAX_PIECES:  # MAPE-2
        raise malformed(10, 2, f"more than {MAX_PIECES} bonuses, the taken ones included")
    return board, last[0], taken


def read_othello(text: str, size: int) -> tuple[list[str], str, dict[str, int]]:
    """The same for one character a cell of the board, row by row, a space and a side."""
    board = empty_board(size)
    for index, cell in enumerate(cell for cell in INNER if board[cell] == EMPTY):
        row, column = divmod(cell, 10)
        if index >= len(text):
            raise malformed(row, column, "the text ends too early")
        if text[index] not in "-.XO":
            raise malformed(row, column, f"{text[index]!r} is not allowed on this cell")
        board[cell] = EMPTY if text[index] == "-" else text[index]
    tail = text[size * size :]
    if tail not in (" X", " O"):
        raise malformed(9, 1, "a space and the side to move, X or O, are expected")
    return board, tail[1], {BLACK: 0, WHITE: 0}


class Model:
    """A match of Mapello; seats are 0 and 1."""

    def __init__(self, *, games: int, opening: str, size: int) -> None:
        """A match with no game begun; use from_position or free instead."""
        if games < 1:
            raise ValueError(f"games is {games}; at least 1 is needed")
        if opening not in OPENINGS:
            raise ValueError(f"opening is {opening!r}; allowed are {sorted(OPENINGS)}")
        if size not in SIZES:
            raise ValueError(f"size is {size}; allowed are {SIZES}")
        self._games = games
        self._size = size
        self._opening = opening
        self._setup: list[str] | None = None  # the given set-up; None in free play
        self._numbers: dict[str, tuple[int, int]] = {}  # least and most of each kind in free play
        self._finished = 0  # games finished
        self._won = [0, 0]  # by seat
        self._difference = 0
        # The current game, or the last one when the match is over.
        self._phase = OVER
        self._board = [EMPTY] * 100
        self._side = BLACK
        self._taken = {BLACK: 0, WHITE: 0}
        self._seat_of = {BLACK: 0, WHITE: 1}

    @classmethod
    def from_position(
        cls, text: str, *, games: int = 1, opening: str = "mapello", size: int = 8
    ) -> Model:
        """A match on one set-up whose first game stands at this position (MAPE-17)."""
        model = cls(games=games, opening=opening, size=size)
        board, side, taken = read_position(text, size)
        model._setup = [char if char in (WALL, BONUS, JOKER) else EMPTY for char in board]
        model._board = board
        model._side = side
        model._taken = taken
        model._phase = PLAY
        model._end_games()
        return model

    @classmethod
    def free(
        cls,
        *,
        walls: int | tuple[int, int] = (0, MAX_PIECES),
        bonuses: int | tuple[int, int] = (0, MAX_PIECES),
        jokers: int | tuple[int, int] | None = None,
        games: int = 1,
        opening: str = "mapello",
        size: int = 8,
    ) -> Model:
        """Free play (MAPE-15)."""
        model = cls(games=games, opening=opening, size=size)
        if jokers is None:
            jokers = (0, MAX_PIECES) if size == 8 else 0  # MAPE-20
        for kind, number in ((WALL, walls), (BONUS, bonuses), (JOKER, jokers)):
            least, most = (number, number) if isinstance(number, int) else number
            if not 0 <= least <= most <= MAX_PIECES:  # MAPE-2
                raise ValueError(f"{kind} is {number}; allowed are 0 to {MAX_PIECES}")
            model._numbers[kind] = (least, most)
        model._begin_game()
        return model

    def to_act(self) -> int | None:
        """The seat whose decision it is; None when the match is over."""
        if self._phase == OVER:
            return None
        if self._phase == SETUP:
            return self._setup_seat()
        if self._phase == COLOUR:
            return 1 - self._setup_seat()  # MAPE-15
        return self._seat_of[self._side]

    def legal(self) -> set[str]:
        """The notation of every legal action; empty when the match is over."""
        if self._phase == OVER:
            return set()
        if self._phase == SETUP:
            return self._legal_setup()
        if self._phase == COLOUR:
            return {"black", "white"}
        moves = disc_moves(self._board, self._side)
        if not moves:
            return {"pass"}  # MAPE-10; the opponent has a move, or the game would be over
        return {NAME[cell] for cell in moves}

    def play(self, action: str) -> None:
        """Carry out a legal action; ValueError if it is illegal, and nothing changes."""
        if action not in self.legal():
            raise ValueError(f"{action!r} is illegal; legal are {sorted(self.legal())}")
        if self._phase == SETUP:
            self._play_setup(action)
        elif self._phase == COLOUR:
            self._play_colour(action)
        else:
            self._play_turn(action)

    def position(self) -> str:
        """The text form of the current game's position, with no newline at the end (MAPE-17)."""
        rows = ["".join(self._board[start : start + 10]) for start in range(0, 100, 10)]
        if self._phase in (SETUP, COLOUR):
            rows.append("set-up" if self._phase == SETUP else "colour")
        else:
            rows.append(f"{self._side} {self._taken[BLACK]} {self._taken[WHITE]}")
        return "\n".join(rows)

    def returns(self) -> tuple[int, int]:
        """By seat +1, -1 or 0, once the match is over; (0, 0) before (MAPE-19)."""
        if self._phase != OVER:
            return (0, 0)
        lead = self._won[0] - self._won[1]
        if lead == 0:
            lead = self._difference
        if lead > 0:
            return (1, -1)
        if lead < 0:
            return (-1, 1)
        return (0, 0)

    def scores(self) -> tuple[int, int]:
        """Points of black and of white in the current (or last) game (MAPE-12)."""
        black = self._board.count(BLACK) + 3 * self._taken[BLACK]
        white = self._board.count(WHITE) + 3 * self._taken[WHITE]
        return (black, white)

    def games_won(self) -> tuple[int, int]:
        """Finished games won, by seat."""
        return (self._won[0], self._won[1])

    def point_difference(self) -> int:
        """Points of seat 0 minus points of seat 1 over all finished games."""
        return self._difference

    def _setup_seat(self) -> int:
        """The seat that sets up the current game of free play (MAPE-18)."""
        return self._finished % 2

    def _legal_setup(self) -> set[str]:
        """Set-up actions within the numbers, on free cells, with a way on (MAPE-2, 3, 15)."""
        actions = set() if any(self._missing(self._board).values()) else {"finish"}
        first_moves = {*disc_moves(self._board, BLACK), *disc_moves(self._board, WHITE)}
        for name, kind in KIND_OF_NAME.items():
            if self._placed(self._board, kind) >= self._numbers[kind][1]:
                continue
            for cell in BORDER if kind == JOKER else INNER:
                if self._board[cell] == EMPTY and cell not in CENTRE:
                    after = [*self._board]
                    after[cell] = kind
                    if any(self._can_keep(first, after) for first in first_moves):
                        actions.add(f"{name} {NAME[cell]}")
        return actions

    def _placed(self, board: list[str], kind: str) -> int:
        """How many pieces of a kind were set up (MAPE-20)."""
        return board.count(kind) - empty_board(self._size).count(kind)

    def _missing(self, board: list[str]) -> dict[str, int]:
        """How many of each kind have to be placed before the set-up is finished (MAPE-15)."""
        return {
            kind: max(0, least - self._placed(board, kind))
            for kind, (least, _) in self._numbers.items()
        }

    def _can_keep(self, first: int, board: list[str]) -> bool:
        """Whether all that is missing finds room with no wall on this cell of a first move."""
        if board[first] == WALL:
            return False
        missing = self._missing(board)
        empty = [cell for cell in INNER if board[cell] == EMPTY and cell not in CENTRE]
        others = [cell for cell in empty if cell != first]
        return missing[WALL] <= len(others) and missing[WALL] + missing[BONUS] <= len(empty)

    def _play_setup(self, action: str) -> None:
        """Place a piece, or finish the set-up."""
        if action == "finish":
            self._phase = COLOUR
            return
        name, where = action.split(" ")
        self._board[CELL[where]] = KIND_OF_NAME[name]

    def _play_colour(self, action: str) -> None:
        """The other seat takes this colour and the game begins."""
        chooser = 1 - self._setup_seat()
        chosen = BLACK if action == "black" else WHITE
        self._seat_of = {chosen: chooser, OTHER[chosen]: 1 - chooser}
        self._phase = PLAY
        self._end_games()

    def _play_turn(self, action: str) -> None:
        """Put a disc or pass; then it is the other side's turn (MAPE-5)."""
        if action != "pass":
            cell = CELL[action]
            flipped = flips(self._board, cell, self._side)
            if self._board[cell] == BONUS:
                self._taken[self._side] += 1  # MAPE-9
            for changed in [cell, *flipped]:
                self._board[changed] = self._side
        self._side = OTHER[self._side]
        self._end_games()

    def _begin_game(self) -> None:
        """Begin the next game of the match: with its set-up in free play, else with its play."""
        self._side = BLACK  # MAPE-5
        self._taken = {BLACK: 0, WHITE: 0}
        if self._setup is None:
            self._board = with_opening(empty_board(self._size), self._opening)
            self._phase = SETUP
        else:
            self._board = with_opening(self._setup, self._opening)
            black_seat = self._finished % 2  # MAPE-18
            self._seat_of = {BLACK: black_seat, WHITE: 1 - black_seat}
            self._phase = PLAY

    def _end_games(self) -> None:
        """End the game being played if nobody can move (MAPE-11), and the next ones likewise."""
        while (
            self._phase == PLAY
            and not disc_moves(self._board, self._side)
            and not disc_moves(self._board, OTHER[self._side])
        ):
            black, white = self.scores()
            if black > white:
                self._won[self._seat_of[BLACK]] += 1  # MAPE-12
            elif white > black:
                self._won[self._seat_of[WHITE]] += 1
            self._difference += black - white if self._seat_of[BLACK] == 0 else white - black
            self._finished += 1
            if self._finished == self._games:
                self._phase = OVER
            else:
                self._begin_game()
