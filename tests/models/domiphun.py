"""A slow, literal model of Domiphun, written from its rule page, to compare an engine against.

A piece is a tuple: (3,) is a square, (3, 5) a domino of the traditional game. A domino to be played
is (touching, outer). A plate of the construction is the set of its four corners.

The model leaves nothing to chance itself. It is told what was dealt and drawn, and asserts that it
could be.
"""

from __future__ import annotations

import functools
import itertools
import math
import string
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

Piece = tuple[int, ...]
Domino = tuple[int, int]
Point = tuple[int, int, int]
Spot = tuple[int, int]
Corners = frozenset[Point]
Placement = tuple[str, str]

TRADITIONAL, STANDARD, ADVANCED = "traditional", "standard", "advanced"
WINS, POINTS = "wins", "points"
TAKE, MISS, JOIN = "take", "miss", "join"
TURN, STAR, PLATE, PLACE, OVER = "turn", "star", "plate", "place", "over"
ORDINARY, X, ARM = "ordinary", "x", "arm"

VALUES = range(7)
DOUBLE_SIX = [(low, high) for low in VALUES for high in range(low, 7)]  # DOMI-1, DOMI-4
NUM_SQUARES = 56  # DOMI-1
ENOUGH_TAKEN = 4  # DOMI-7
WITHOUT_JOINERS = 4  # DOMI-12

STEPS: dict[str, Point] = {
    "east": (1, 0, 0),
    "west": (-1, 0, 0),
    "north": (0, 1, 0),
    "south": (0, -1, 0),
    "up": (0, 0, 1),
    "down": (0, 0, -1),
}
OPPOSITE = {"east": "west", "north": "south", "up": "down"}
OPPOSITE |= {other: one for one, other in OPPOSITE.items()}


def all_pieces(variant: str, values: int) -> list[Piece]:
    """Every piece of a game with so many values (DOMI-1, DOMI-4, DOMI-22)."""
    if variant == TRADITIONAL:
        return [domino for domino in DOUBLE_SIX if max(domino) < values]
    return [(value,) for value in range(values) for _ in range(values + 1)]


def usual_hand(variant: str, players: int, values: int) -> int:
    """How many pieces a player gets, unless told otherwise (DOMI-2, DOMI-4, DOMI-22)."""
    share, least = Fraction(11, 56), 3
    if variant == TRADITIONAL:
        share, least = Fraction(7 if players == 2 else 5, 28), 2
    pieces = len(all_pieces(variant, values))
    return min(max(least, math.floor(share * pieces)), pieces // players)


# Notation.


def text_of(domino: Domino) -> str:
    """A domino in notation, the touching square first."""
    return f"{domino[0]}-{domino[1]}"


def domino_of(text: str) -> Domino:
    """The domino in this notation."""
    return int(text[0]), int(text[2])


def text_of_placement(side: str, heading: str) -> str:
    """A placement in notation."""
    return side if side == heading else f"{side} {heading}"


def actions_of(variant: str, most_ends: int) -> list[str]:
    """The notation of every action, by its id."""
    opens = [text_of(domino) for domino in DOUBLE_SIX]
    facings = [text_of(domino) for domino in itertools.product(VALUES, VALUES)]
    ends = string.ascii_uppercase[:most_ends]
    actions = [*opens, *(f"{facing} {end}" for facing in facings for end in ends)]
    if variant == ADVANCED:
        actions += [f"{JOIN} {facing}" for facing in facings]
        actions += [f"{STAR} {end}" for end in ends]
        actions += [f"{PLATE} {number}" for number in range(NUM_SQUARES)]
        actions += [text_of_placement(*both) for both in itertools.product(STEPS, STEPS)]
    return [*actions, TAKE, MISS]


# Geometry.


def moved(points: Iterable[Point], direction: str, steps: int = 1) -> Corners:
    """These points, so many steps further."""
    dx, dy, dz = STEPS[direction]
    return frozenset((x + steps * dx, y + steps * dy, z + steps * dz) for x, y, z in points)


@functools.cache
def edge(corners: Corners, direction: str) -> Corners:
    """The corners that lie farthest in a direction: two at a side, all four at a face."""
    far = {
        point: sum(a * b for a, b in zip(point, STEPS[direction], strict=True)) for point in corners
    }
    return frozenset(point for point in corners if far[point] == max(far.values()))


@functools.cache
def is_side(corners: Corners, direction: str) -> bool:
    """Whether a plate has a side in this direction, and not a face (DOMI-13)."""
    return len(edge(corners, direction)) == 2


@functools.cache
def ways(corners: Corners) -> list[Placement]:
    """Each side of a plate, straight on and towards either face (DOMI-13, DOMI-14)."""
    sides = [name for name in STEPS if is_side(corners, name)]
    faces = [name for name in STEPS if name not in sides]
    return [(side, heading) for side in sides for heading in (side, *faces)]


@functools.cache
def shape_of(corners: Corners) -> dict[str, Any]:
    """A plate's place, the axis across it, and its corners, sorted."""
    along = zip("xyz", zip(*corners, strict=True), strict=True)
    return {
        "place": list(min(corners)),
        "axis": next(axis for axis, at in along if len(set(at)) == 1),
        "corners": [list(point) for point in sorted(corners)],
    }


@functools.cache
def attached(corners: Corners, side: str, heading: str) -> tuple[Corners, Corners]:
    """The two plates, inner and outer, of a domino that begins at a side (DOMI-13, DOMI-14)."""
    hinge = edge(corners, side)
    inner = hinge | moved(hinge, heading)
    return inner, moved(inner, heading)


def turn(one: Spot, two: Spot, three: Spot) -> int:
    """Positive where the way from one over two to three turns left, 0 where it is straight."""
    return (two[0] - one[0]) * (three[1] - one[1]) - (two[1] - one[1]) * (three[0] - one[0])


def apart(spot: Spot, one: Spot, two: Spot) -> Fraction:
    """The distance of a spot from the line between two others, squared."""
    length = (two[0] - one[0]) ** 2 + (two[1] - one[1]) ** 2
    along = (spot[0] - one[0]) * (two[0] - one[0]) + (spot[1] - one[1]) * (two[1] - one[1])
    if 0 <= along <= length:
        return Fraction(turn(one, two, spot) ** 2, length)
    near = one if along < 0 else two
    return Fraction((spot[0] - near[0]) ** 2 + (spot[1] - near[1]) ** 2)


@functools.lru_cache(maxsize=100_000)
def hull(spots: frozenset[Spot]) -> tuple[Spot, ...]:
    """The corners of the convex hull, counter-clockwise from the westernmost, southernmost one."""
    corners: list[Spot] = []
    for way in (sorted(spots), sorted(spots, reverse=True)):
        chain: list[Spot] = []
        for spot in way:
            while len(chain) > 1 and turn(chain[-2], chain[-1], spot) <= 0:
                chain.pop()
            chain.append(spot)
        corners += chain[:-1]
    return tuple(corners)


@dataclass
class Plate:
    """A square of the construction, with what its sides hold."""

    corners: Corners
    value: int
    domino: int
    joint: dict[str, Any] | None = None
    starjoiner: bool = False
    holds: dict[str, str] = field(default_factory=dict)
    """The joiner that a side holds, ordinary or X."""


@dataclass(frozen=True)
class Balance:
    """Where the weight is, and what bears it (DOMI-16)."""

    plates: int
    weight: Spot
    """The corners of all plates, added up."""
    contacts: frozenset[Spot]
    """The corners that touch the table."""

    @classmethod
    @functools.lru_cache(maxsize=100_000)
    def of(cls, *plates: Corners) -> Balance:
        """The balance of these plates."""
        points = [point for corners in plates for point in corners]
        weight = sum(x for x, _, _ in points), sum(y for _, y, _ in points)
        return cls(len(plates), weight, frozenset((x, y) for x, y, z in points if z == 0))

    def __add__(self, other: Balance) -> Balance:
        """Both together."""
        weight = self.weight[0] + other.weight[0], self.weight[1] + other.weight[1]
        return Balance(self.plates + other.plates, weight, self.contacts | other.contacts)

    def centre(self) -> tuple[Fraction, Fraction]:
        """The point below the centre of mass."""
        corners = 4 * self.plates
        return Fraction(self.weight[0], corners), Fraction(self.weight[1], corners)

    def edges(self) -> Iterator[tuple[Spot, Spot]]:
        """The edges of the support, counter-clockwise, times the number of corners."""
        times = 4 * self.plates
        corners = [(times * x, times * y) for x, y in hull(self.contacts)]
        return zip(corners, corners[1:] + corners[:1], strict=True)

    def stands(self) -> bool:
        """Whether the centre is in the hull, its edge included."""
        return all(turn(one, two, self.weight) >= 0 for one, two in self.edges())

    @functools.cached_property
    def margin(self) -> Fraction:
        """The distance of the centre from the edge of the support, squared."""
        square = min(apart(self.weight, one, two) for one, two in self.edges())
        return square / (4 * self.plates) ** 2

    def view(self) -> dict[str, Any]:
        """The centre, and the corners of the support."""
        return {
            "centre": [str(at) for at in self.centre()],
            "support": [list(spot) for spot in hull(self.contacts)],
        }


class Construction:
    """What is laid in the advanced game, and the ends of its path."""

    def __init__(self, *, fork: bool) -> None:
        self.fork = fork
        self.dominoes: list[Domino] = []
        self.laid: list[str] = []  # the dominoes as a position has them
        self.plates: list[Plate] = []
        self.ends: dict[str, int] = {}  # the plate of each
        self.places: set[Corners] = set()
        self.balance = Balance.of()
        self.known: dict[tuple[int, str, str], list[str]] = {}  # see `against`

    def build(self, *plates: Plate) -> None:
        """Add plates."""
        self.plates += plates
        self.places = {plate.corners for plate in self.plates}
        self.balance = Balance.of(*(plate.corners for plate in self.plates))
        self.known = {}

    def open(self, domino: Domino) -> None:
        """Lay the first domino (DOMI-5, DOMI-13)."""
        west = frozenset((x, y, 0) for x in (0, 1) for y in (0, 1))
        east = moved(west, "east")
        self.build(
            Plate(west, domino[0], 0, holds={"east": ORDINARY}),
            Plate(east, domino[1], 0, holds={"west": ORDINARY}),
        )
        self.ends = {"A": 0, "B": 1}
        self.dominoes = [domino]
        self.laid = [text_of(domino)]

    def against(self, number: int, side: str, heading: str) -> list[str]:
        """Everything in the construction that speaks against a domino there."""
        key = number, side, heading
        if key not in self.known:
            self.known[key] = list(self.find_against(*key))
        return self.known[key]

    def find_against(self, number: int, side: str, heading: str) -> Iterator[str]:
        """See `against`."""
        plate = self.plates[number]
        if not is_side(plate.corners, side):
            yield "DOMI-13 no side"
            return
        if heading != side and is_side(plate.corners, heading):
            yield "DOMI-14"
            return
        both = attached(plate.corners, side, heading)
        free = plate.holds.get(side) != ORDINARY
        taken = any(corners in self.places for corners in both)
        below = any(z < 0 for corners in both for _, _, z in corners)
        if not free:
            yield "DOMI-13 not free"
        if taken:
            yield "DOMI-15 taken"
        if below:
            yield "DOMI-15 below"
        if free and not taken and not below and not self.balance_with(both).stands():
            yield "DOMI-16"

    def balance_with(self, plates: Sequence[Corners]) -> Balance:
        """The balance with further plates."""
        return self.balance + Balance.of(*plates)

    def uses_x(self, number: int, side: str, heading: str) -> bool:
        """Whether a domino there takes an X joiner of the player's (DOMI-14)."""
        return heading != side and self.plates[number].holds.get(side) != X

    def close(self, end: str) -> None:
        """Put a Starjoiner on an end (DOMI-17)."""
        self.plates[self.ends[end]].starjoiner = True

    def lay(self, domino: Domino, end: str, plate: int | None, side: str, heading: str) -> bool:
        """Lay a domino at an end, or at a plate after a Starjoiner; whether that takes an X."""
        number = self.ends[end] if plate is None else plate
        uses_x = self.uses_x(number, side, heading)
        self.attach(domino, number, side, heading)
        self.ends[end] = len(self.plates) - 1
        if self.fork and uses_x and plate is None:
            self.ends[string.ascii_uppercase[len(self.ends)]] = number  # DOMI-20
        where = "" if plate is None else f" plate {plate}"
        self.laid.append(f"{text_of(domino)} {end}{where} {text_of_placement(side, heading)}")
        return uses_x

    def attach(self, domino: Domino, number: int, side: str, heading: str) -> None:
        """Add a domino's two plates, and what joins them (DOMI-13, DOMI-14)."""
        assert not self.against(number, side, heading)
        plate, back = self.plates[number], OPPOSITE[heading]
        assert plate.value == domino[0]
        assert not plate.starjoiner
        there = plate.holds.get(side)
        joiner = there or (ORDINARY if heading == side else X)
        plate.holds[side] = joiner
        joint = {"to": number, "side": side, "heading": heading, "joiner": ARM if there else joiner}
        inner, outer = attached(plate.corners, side, heading)
        index = len(self.dominoes)
        self.dominoes.append(domino)
        self.build(
            Plate(inner, domino[0], index, joint, holds={back: joiner, heading: ORDINARY}),
            Plate(outer, domino[1], index, holds={back: ORDINARY}),
        )

    def plate_view(self, number: int) -> dict[str, Any]:
        """A plate, with the joint by which its domino hangs on another."""
        plate = self.plates[number]
        return {
            **shape_of(plate.corners),
            "number": number,
            "value": plate.value,
            "domino": plate.domino,
            "joint": plate.joint,
            "starjoiner": plate.starjoiner,
        }


@dataclass
class Told:
    """What chance brought, as far as it can be seen after an action."""

    piece: Piece | None = None
    """What was taken from the pool."""
    hands: Sequence[Sequence[Piece]] | None = None
    """The hands of the next game."""


class Model:
    """A match of Domiphun; it begins with `deal`."""

    def __init__(
        self,
        *,
        variant: str = STANDARD,
        players: int = 2,
        first_seat: int | None = None,
        starts_each: int = 0,
        series: str = WINS,
        x_joiners: int | None = None,
        starjoiners: int | None = None,
        extra_starjoiners: Sequence[int] = (),
        fork: bool = False,
        values: int = 7,
        hand: int | None = None,
    ) -> None:
        self.variant = variant
        self.pieces = all_pieces(variant, values)
        self.hand = usual_hand(variant, players, values) if hand is None else hand
        self.traditional = variant == TRADITIONAL
        self.advanced = variant == ADVANCED
        self.players = players
        self.seats = range(players)
        self.first_seat = first_seat
        self.games = players * starts_each or 1  # DOMI-21
        self.series = series
        given = {True: (2, 1), False: (0, 0)}[self.advanced]  # DOMI-11
        self.x_joiners_each = given[0] if x_joiners is None else x_joiners
        starjoiners = given[1] if starjoiners is None else starjoiners
        extra = extra_starjoiners or [0] * players
        self.starjoiners_of = [starjoiners + extra[seat] for seat in self.seats]
        self.fork = fork
        self.most_ends = 2 + (players * self.x_joiners_each if fork else 0)
        # The match.
        self.wins = [0] * players
        self.points = [0] * players
        self.game_number = 0
        self.first = 0
        self.winners: list[int] = []  # of the last game that ended
        # The game.
        self.hands: list[list[Piece]] = []
        self.pool: Counter[Piece] = Counter()
        self.x_joiners: list[int] = []
        self.starjoiners: list[int] = []
        self.built = Construction(fork=fork)
        self.path: list[int] = []  # from end A to end B, unless advanced
        self.misses = 0
        # The turn.
        self.turn = 0
        self.taken = 0
        self.phase = TURN
        self.end: str | None = None
        self.domino: Domino | None = None
        self.plate: int | None = None
        self.starred = False

    # The deal.

    def deal(self, hands: Sequence[Sequence[Piece]], first: int) -> None:
        """Begin a game with these hands and this first seat."""
        if self.game_number == 0:
            assert first in self.seats
            assert self.first_seat in (None, first)  # DOMI-3
        else:
            assert first == self.left_of(self.first)  # DOMI-21
        assert [len(hand) for hand in hands] == [self.hand] * self.players
        dealt = Counter(piece for hand in hands for piece in hand)
        pieces = Counter(self.pieces)
        assert dealt <= pieces
        self.game_number += 1
        self.hands = [sorted(hand) for hand in hands]
        self.pool = pieces - dealt
        self.x_joiners = [self.x_joiners_each] * self.players
        self.starjoiners = list(self.starjoiners_of)
        self.built = Construction(fork=self.fork)
        self.path = []
        self.misses = 0
        self.first = first
        self.begin_turn(first)

    def begin_turn(self, seat: int) -> None:
        """The turn is this seat's."""
        self.turn = seat
        self.taken = 0
        self.begin_play()

    def begin_play(self) -> None:
        """Nothing is chosen."""
        self.phase = TURN
        self.end = self.domino = self.plate = None
        self.starred = False

    def left_of(self, seat: int) -> int:
        """The next seat clockwise (DOMI-3)."""
        return (seat + 1) % self.players

    # Hands and ends.

    def facings(self, seat: int) -> set[Domino]:
        """Every domino that the seat has or can join, both ways round (DOMI-4, DOMI-6)."""
        hand = self.hands[seat]
        if self.traditional:
            found = {(piece[0], piece[1]) for piece in hand}
        else:
            found = {(one, two) for (one,), (two,) in itertools.combinations(hand, 2)}
        return found | {(two, one) for one, two in found}

    def take_from_hand(self, domino: Domino) -> None:
        """The domino leaves the hand."""
        hand = self.hands[self.turn]
        for piece in [tuple(sorted(domino))] if self.traditional else [(v,) for v in domino]:
            hand.remove(piece)

    def ends(self) -> list[str]:
        """The ends of the path."""
        return list(self.built.ends) if self.advanced else list("AB" if self.path else "")

    def value_at(self, end: str) -> int:
        """What the end shows."""
        if self.advanced:
            return self.built.plates[self.built.ends[end]].value
        return self.path[0 if end == "A" else -1]

    def pips(self, seat: int) -> int:
        """The values of what the seat has, added up (DOMI-4, DOMI-21)."""
        return sum(sum(piece) for piece in self.hands[seat])

    # The places for a domino.

    def objections(
        self, seat: int, number: int, side: str, heading: str, *, starred: bool
    ) -> Iterator[str]:
        """Everything that speaks against a domino of this seat there."""
        if (side, heading) in ways(self.built.plates[number].corners):
            uses_x = self.built.uses_x(number, side, heading)
            if uses_x and len(self.built.dominoes) < WITHOUT_JOINERS:
                yield "DOMI-12"
            if uses_x and self.x_joiners[seat] == 0:
                yield "DOMI-11"
            if starred and self.squares_after(seat) == 0 and self.x_joiners[seat] == uses_x:
                yield "DOMI-17"
        yield from self.built.against(number, side, heading)

    def squares_after(self, seat: int) -> int:
        """How many squares the seat has after its next domino, which may be chosen already."""
        return len(self.hands[seat]) - (0 if self.domino else 2)

    def placements(self, seat: int, number: int, *, starred: bool = False) -> Iterator[Placement]:
        """Every legal placement of a domino at a plate."""
        for side, heading in ways(self.built.plates[number].corners):
            if not any(self.objections(seat, number, side, heading, starred=starred)):
                yield side, heading

    def plates_for(self, seat: int, value: int, closed: int | None = None) -> Iterator[int]:
        """The plates of a value that can take a domino after a Starjoiner (DOMI-17)."""
        for number, plate in enumerate(self.built.plates):
            if plate.value != value or plate.starjoiner or number == closed:
                continue
            if any(self.placements(seat, number, starred=True)):
                yield number

    # The plays of a turn.

    def plays(self, seat: int) -> Iterator[tuple[str, bool]]:
        """Every domino at an end, and whether it can be an ordinary play (DOMI-6, DOMI-14)."""
        for end in self.ends():
            fitting = [way for way in self.facings(seat) if way[0] == self.value_at(end)]
            ordinary = [True]
            if self.advanced and fitting:
                number = self.built.ends[end]
                able = self.placements(seat, number)
                ordinary = [not self.built.uses_x(number, *way) for way in able]
            if ordinary:
                yield from ((f"{text_of(way)} {end}", any(ordinary)) for way in fitting)

    def stars(self, seat: int) -> Iterator[str]:
        """Every end that the seat can put a Starjoiner on (DOMI-12, DOMI-17)."""
        if len(self.built.dominoes) < WITHOUT_JOINERS or self.starjoiners[seat] == 0:
            return
        values = {touching for touching, _ in self.facings(seat)}
        for end, closed in self.built.ends.items():
            if any(True for value in values for _ in self.plates_for(seat, value, closed)):
                yield f"{STAR} {end}"

    def can_play(self, seat: int) -> bool:
        """Whether the seat could play a domino, by whatever means."""
        if not self.built.dominoes:
            return bool(self.facings(seat))
        return any(self.plays(seat)) or any(self.stars(seat))

    def is_blocked(self) -> bool:
        """Whether the game is over for want of plays (DOMI-4, DOMI-10)."""
        stuck = not self.pool and not any(self.can_play(seat) for seat in self.seats)
        return stuck or self.misses == self.players

    def is_dead(self) -> bool:
        """Whether nobody could play even with all that is not on the table (DOMI-10)."""
        laid = [
            piece
            for domino in self.built.dominoes
            for piece in ([tuple(sorted(domino))] if self.traditional else [(v,) for v in domino])
        ]
        left = sorted((Counter(self.pieces) - Counter(laid)).elements())
        hands, self.hands = self.hands, [left] * self.players
        is_dead = not any(self.can_play(seat) for seat in self.seats)
        self.hands = hands
        return is_dead

    # The decisions.

    def to_act(self) -> int | None:
        """The seat whose decision it is; None when the match is over."""
        return None if self.phase == OVER else self.turn

    def target(self) -> int:
        """The plate that the chosen domino is to be joined to."""
        if self.plate is not None:
            return self.plate
        assert self.end
        return self.built.ends[self.end]

    def legal(self) -> set[str]:
        """The notation of every legal action; empty when the match is over."""
        seat = self.turn
        if self.phase == OVER:
            return set()
        if self.phase == STAR:
            values = {value for value in VALUES for _ in self.plates_for(seat, value)}
            return {f"{JOIN} {text_of(way)}" for way in self.facings(seat) if way[0] in values}
        if self.phase == PLATE:
            assert self.domino
            return {f"{PLATE} {number}" for number in self.plates_for(seat, self.domino[0])}
        if self.phase == PLACE:
            able = self.placements(seat, self.target(), starred=self.starred)
            return {text_of_placement(*way) for way in able}
        plays = dict(self.plays(seat))
        if not self.built.dominoes:  # DOMI-5
            plays = {text_of(way): True for way in self.facings(seat) if way[0] <= way[1]}
        legal = {*plays, *self.stars(seat)}
        if not any(plays.values()):  # DOMI-8, DOMI-19
            if self.pool:
                legal.add(TAKE)
            if not self.pool or (self.taken >= ENOUGH_TAKEN and not self.traditional):
                legal.add(MISS)
        return legal

    def play(self, action: str, told: Told) -> None:
        """Carry out an action from `legal`."""
        words = action.split()
        if action == TAKE:
            self.take(told)
        elif action == MISS:
            self.misses = 0 if self.pool else self.misses + 1
            self.end_turn(told)
        elif self.phase == PLACE:
            self.place(words[0], words[-1], told)
        elif words[0] == STAR:
            self.end, self.starred, self.phase = words[1], True, STAR
            self.starjoiners[self.turn] -= 1
            self.built.close(self.end)
        elif words[0] == JOIN:
            self.choose(domino_of(words[1]))
            self.phase = PLATE
        elif words[0] == PLATE:
            self.plate, self.phase = int(words[1]), PLACE
        elif self.advanced and self.built.dominoes:
            self.choose(domino_of(words[0]))
            self.end, self.phase = words[1], PLACE
        else:
            domino = domino_of(words[0])
            self.take_from_hand(domino)
            if self.advanced:
                self.built.open(domino)
            else:
                self.extend(domino, *words[1:])
            self.end_play(told)

    def take(self, told: Told) -> None:
        """Take a piece from the pool (DOMI-7)."""
        piece = told.piece
        if piece is None:  # the next game has begun: it was the last one
            (piece,) = self.pool.elements()
        assert self.pool[piece] > 0
        self.pool -= Counter([piece])
        self.hands[self.turn] = sorted([*self.hands[self.turn], piece])
        self.taken += 1
        self.misses = 0
        if self.is_blocked():
            self.end_game(self.fewest(), told)

    def choose(self, domino: Domino) -> None:
        """Settle on a domino, which is open to all from now on."""
        self.take_from_hand(domino)
        self.domino = domino

    def extend(self, domino: Domino, end: str = "B") -> None:
        """Lay a domino at an end of the path, or the first one (DOMI-5, DOMI-6)."""
        where = f" {end}" if self.path else ""
        self.path = [*domino[::-1], *self.path] if end == "A" else [*self.path, *domino]
        self.built.dominoes.append(domino)
        self.built.laid.append(text_of(domino) + where)

    def place(self, side: str, heading: str, told: Told) -> None:
        """Join the chosen domino to the construction."""
        assert self.domino
        assert self.end
        uses_x = self.built.lay(self.domino, self.end, self.plate, side, heading)
        self.x_joiners[self.turn] -= uses_x
        self.begin_play()
        self.end_play(told)

    def end_play(self, told: Told) -> None:
        """A domino was laid."""
        self.misses = 0
        if not self.hands[self.turn] and not self.x_joiners[self.turn]:  # DOMI-9, DOMI-18
            self.end_game([self.turn], told)
        else:
            self.end_turn(told)

    def end_turn(self, told: Told) -> None:
        """The next player, clockwise, unless nobody can play."""
        self.begin_turn(self.left_of(self.turn))
        if self.is_dead() or self.is_blocked():
            self.end_game(self.fewest(), told)

    # The end.

    def fewest(self) -> list[int]:
        """Who wins a blocked game: fewest pips, or fewest squares (DOMI-4, DOMI-10)."""
        left = [
            self.pips(seat) if self.traditional else len(self.hands[seat]) for seat in self.seats
        ]
        return [seat for seat in self.seats if left[seat] == min(left)]

    def end_game(self, winners: list[int], told: Told) -> None:
        """Count the game, and deal the next (DOMI-21)."""
        self.winners = winners
        for seat in self.seats:
            self.wins[seat] += seat in winners
            self.points[seat] += self.pips(seat)
        if self.game_number == self.games:
            self.phase = OVER
        else:
            assert told.hands is not None
            self.deal(told.hands, self.left_of(self.first))

    def match_winners(self) -> list[int]:
        """Who has won the match, or would if it were over (DOMI-21)."""
        if self.series == POINTS:
            return [seat for seat in self.seats if self.points[seat] == min(self.points)]
        return [seat for seat in self.seats if self.wins[seat] == max(self.wins)]

    def returns(self) -> list[float]:
        """Nothing until the match is over; then the winners share one, paid by the others."""
        if self.phase != OVER:
            return [0.0] * self.players
        winners = self.match_winners()
        share, others = self.players / len(winners), self.players - 1
        return [(share - 1) / others if seat in winners else -1 / others for seat in self.seats]

    # What there is to see.

    def view(self, viewer: int | None = None) -> dict[str, Any]:
        """The table as a seat sees it, or all of it.

        `legal` and the balance's margin are left out. The corners of a plate are sorted.
        """
        built = self.built
        return {
            "game": "domiphun",
            "viewer": viewer,
            "variant": self.variant,
            "phase": self.phase,
            "to_act": self.to_act(),
            "turn": self.turn,
            "first": self.first,
            "game_number": self.game_number,
            "games": self.games,
            "series": self.series,
            "wins": self.wins,
            "points": self.points,
            "dominoes": [list(domino) for domino in built.dominoes],
            "path": None if self.advanced else self.path,
            "ends": [self.end_view(end) for end in self.ends()],
            "hands": [self.hand_view(seat, viewer) for seat in self.seats],
            "pool": self.pool.total(),
            "taken": self.taken,
            "misses": self.misses,
            "chosen": {
                "end": self.end,
                "domino": list(self.domino) if self.domino else None,
                "plate": self.target() if self.phase == PLACE else None,
                "starjoiner": self.starred,
            },
            "plates": [built.plate_view(number) for number in range(len(built.plates))],
            "height": max((z for corners in built.places for _, _, z in corners), default=0),
            "balance": built.balance.view() if built.plates else None,
            "returns": self.returns(),
        }

    def end_view(self, end: str) -> dict[str, Any]:
        """An end of the path."""
        return {"name": end, "value": self.value_at(end), "plate": self.built.ends.get(end)}

    def hand_view(self, seat: int, viewer: int | None) -> dict[str, Any]:
        """A hand, of which the pieces are seen or not (DOMI-2)."""
        seen = viewer in (None, seat) or self.phase == OVER
        held = [list(piece) if self.traditional else piece[0] for piece in self.hands[seat]]
        return {
            "pieces": len(held),
            "held": held if seen else [],
            "x_joiners": self.x_joiners[seat],
            "starjoiners": self.starjoiners[seat],
        }

    def position(self) -> dict[str, Any]:
        """Everything there is to say about a position."""
        return {
            "hands": [self.texts_of(hand) for hand in self.hands],
            "laid": self.built.laid,
            "pool": self.texts_of(sorted(self.pool.elements())),
            "x_joiners": self.x_joiners if self.advanced else None,
            "starjoiners": self.starjoiners if self.advanced else None,
            "taken": self.taken,
            "misses": self.misses,
            "turn": self.turn,
            "first": self.first,
            "phase": self.phase,
            "end": self.end,
            "domino": text_of(self.domino) if self.domino else None,
            "plate": self.plate,
            "wins": self.wins,
            "points": self.points,
            "game_number": self.game_number,
        }

    def texts_of(self, pieces: Iterable[Piece]) -> list[Any]:
        """Pieces as a position has them."""
        if self.traditional:
            return [text_of((low, high)) for low, high in pieces]
        return [value for (value,) in pieces]
