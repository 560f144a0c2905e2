"""Domiphun: the engine agrees with an independent, slow model, decision for decision."""

from __future__ import annotations

import copy
import functools
import itertools
import json
import math
import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from scipy.spatial import ConvexHull

import adjoin
from models.domiphun import (
    ADVANCED,
    ARM,
    ENOUGH_TAKEN,
    JOIN,
    MISS,
    ORDINARY,
    OVER,
    PLACE,
    PLATE,
    POINTS,
    STANDARD,
    STAR,
    STEPS,
    TAKE,
    TRADITIONAL,
    TURN,
    VALUES,
    WINS,
    WITHOUT_JOINERS,
    Balance,
    Construction,
    Corners,
    Model,
    Piece,
    Placement,
    Spot,
    Told,
    X,
    actions_of,
    all_pieces,
    attached,
    domino_of,
    text_of,
    text_of_placement,
    ways,
)
from models.engine import Engine, same
from scaffold import chunks

VARIANTS = (TRADITIONAL, STANDARD, ADVANCED)
CHUNKS = 7
GAMES = 450
"""Games of a variant in a chunk, at least: 3,150 in all chunks. Every game of a match counts."""
CONSTRUCTIONS = 12_500
"""Constructions in a chunk, at least: 100,000 in all chunks."""

WORDS = (TAKE, MISS)
ILLEGAL = {TURN: 0.08, STAR: 0.3, PLATE: 0.3, PLACE: 0.25}
"""How often something illegal is tried in a phase."""
JOINERS = (ORDINARY, X, ARM)

EVERYWHERE = {
    *(f"{players} players" for players in (2, 3, 4)),
    *(f"seat {seat} drawn to begin" for seat in range(4)),
    *(f"seat {seat} given to begin" for seat in range(4)),
    *(f"starts_each {number}" for number in (0, 1, 2)),
    *(f"match {how} by {series}" for how in ("won", "shared") for series in (WINS, POINTS)),
    *("won", "blocked", "drawn", "drawn by some", "next game"),
    *("blocked after a take", "blocked after a domino", "dead path", "last of the pool"),
    *(TAKE, MISS, "play after a take", "play at end A", "play at end B"),
    *("open refused in turn", "play refused in turn", "play refused before the first"),
    *(f"refused by {clause}" for clause in ("DOMI-5", "DOMI-6", "DOMI-6 open", "DOMI-7 empty")),
    *("refused by DOMI-8 take", "refused by DOMI-8 miss"),
    *("position in turn", "position in over", "position of our own", "position without defaults"),
    *("what a seat sees", "what a seat sees at the end", "replay"),
}
MADE_OF_SQUARES = {
    *("miss after 4 taken", "a fifth taken", "take with fewer than two squares"),
    "refused by DOMI-7 early",
}
EVERYTHING = {
    TRADITIONAL: EVERYWHERE | {"refused by DOMI-4"},
    STANDARD: EVERYWHERE | MADE_OF_SQUARES,
    ADVANCED: EVERYWHERE
    | MADE_OF_SQUARES
    | {
        *(f"{joiner} joint{after}" for joiner in JOINERS for after in ("", " after a Starjoiner")),
        *("arm straight on", "arm at a right angle", "all arms of an X joiner"),
        *(f"plate along {axis}" for axis in "xyz"),
        *(f"height {height}" for height in (0, 2, 3, 4, 5)),
        *("removed by balance", "on the edge", "end without a place that stands"),
        *("end usable again", "Starjoiner on an end without a place that stands"),
        *("removed by DOMI-17", "Starjoiner on end A", "Starjoiner on end B"),
        *("restart at an end", "restart inside", "second Starjoiner"),
        *("out of squares with X joiners left", "take out of squares"),
        *("won with an X joiner", "won with a Starjoiner left"),
        *(f"{word} though a joiner would do" for word in WORDS),
        "blocked by misses",
        *("fork", "no fork after a Starjoiner", "play at a third end", "Starjoiner on a third end"),
        *(f"x_joiners {number}" for number in range(5)),
        *(f"starjoiners {number}" for number in range(9)),
        *(f"position in {phase}" for phase in (STAR, PLATE, PLACE)),
        *(f"{kind} refused in {TURN}" for kind in (STAR, JOIN, PLATE, PLACE)),
        *(
            f"{kind} refused in {phase}"
            for phase in (STAR, PLATE, PLACE)
            for kind in ("open", "play", STAR, JOIN, PLATE, PLACE, TAKE, MISS)
        ),
        *(f"refused by {clause}" for clause in ("DOMI-11", "DOMI-12", "DOMI-14", "DOMI-16")),
        *(f"refused by DOMI-13 {why}" for why in ("no side", "not free")),
        *(f"refused by DOMI-15 {why}" for why in ("taken", "below")),
        *(f"refused by DOMI-17{why}" for why in ("", " closed", " value")),
        *(f"refused by {clause} {STAR}" for clause in ("DOMI-11", "DOMI-12", "DOMI-17")),
    },
}


class Style:
    """How often the players of a match do what."""

    def __init__(self, rng: random.Random) -> None:
        self.take = rng.choice([0.0, 0.3, 0.9])
        self.miss = rng.choice([0.1, 0.5, 1.0])
        self.star = rng.choice([0.0, 0.1, 0.5, 0.9])
        self.double = rng.choice([0.0, 0.0, 0.8])
        self.end = rng.choice([None, None, "A", "B", "C"])
        self.x = rng.choice([0.0, 0.3, 0.8])
        self.arm = rng.choice([0.0, 0.5, 1.0])
        self.lean = rng.choice([None, "east", "west", "north", "south", "up"])
        self.compact = rng.random() < 0.5

    def choose(self, rng: random.Random, model: Model, legal: list[str]) -> str:
        """Choose a legal action."""
        if model.phase == PLACE:
            number = model.target()
            able = [way for way in ways(model.built.plates[number].corners) if name(way) in legal]
            return name(self.choose_placement(rng, model.built, number, able))
        stars = [action for action in legal if action.startswith(STAR)]
        for word, often in ((MISS, self.miss), (TAKE, self.take)):
            if word in legal and rng.random() < often:
                return word
        if stars and rng.random() < self.star:
            return rng.choice(stars)
        plays = [action for action in legal if action not in (*WORDS, *stars)]
        if rng.random() < self.double:
            plays = [play for play in plays if is_double(play)] or plays
        if self.end and rng.random() < 0.8:
            plays = [play for play in plays if play.endswith(self.end)] or plays
        return rng.choice(plays or legal)

    def choose_placement(
        self, rng: random.Random, built: Construction, number: int, able: list[Placement]
    ) -> Placement:
        """Choose how to place a domino at a plate."""
        corners, holds = built.plates[number].corners, built.plates[number].holds
        if rng.random() < self.arm:
            able = [way for way in able if holds.get(way[0]) == X] or able
        if rng.random() < self.x:
            able = [way for way in able if built.uses_x(number, *way)] or able
        if self.compact and len(built.dominoes) < WITHOUT_JOINERS:
            spread = {way: spread_of(attached(corners, *way)[1]) for way in able}
            able = [way for way in able if spread[way] == min(spread.values())]
        elif self.lean and rng.random() < 0.7:
            reach = {way: reach_of(attached(corners, *way)[1], self.lean) for way in able}
            able = [way for way in able if reach[way] == max(reach.values())]
        return rng.choice(able)


def name(way: Placement) -> str:
    return text_of_placement(*way)


def is_double(play: str) -> bool:
    domino = play.removeprefix(f"{JOIN} ")
    return domino[0].isdigit() and domino[0] == domino[2]


def spread_of(corners: Corners) -> int:
    """How far a plate is from the first one."""
    return max(abs(x) + abs(y) for x, y, _ in corners)


def reach_of(corners: Corners, direction: str) -> tuple[bool, int]:
    """Whether a plate is off the table, and how far it is in a direction."""
    step = STEPS[direction]
    return (
        all(z > 0 for _, _, z in corners),
        max(sum(a * b for a, b in zip(point, step, strict=True)) for point in corners),
    )


def is_root(text: str, square: Fraction) -> bool:
    """Whether a text is the square root: exactly where that is rational, else to 3 decimals."""
    above, below = math.isqrt(square.numerator), math.isqrt(square.denominator)
    if above**2 == square.numerator and below**2 == square.denominator:
        return text == str(Fraction(above, below))
    return "/" not in text and abs(float(text) - math.sqrt(square)) < 0.000501


def in_words(margin: float) -> str:
    """What people read of how far a construction is from toppling."""
    if f"{margin:.1f}" == "0.0":
        return "on the brink of toppling"
    squares = "a square" if f"{margin:.1f}" == "1.0" else f"{margin:.1f} squares"
    return f"about {squares} from toppling"


def kind_of(action: str) -> str:
    """The block of an action's id."""
    first = action.split()[0]
    if first in STEPS:
        return PLACE
    if first[0].isdigit():
        return "play" if " " in action else "open"
    return first


class Table(Engine):
    """The same match three times: as a Match, as a batch of one, and in the model."""

    def __init__(self, rng: random.Random, options: dict[str, Any], seen: Counter[str]) -> None:
        self.model = model = Model(**options)
        options = {"seed": rng.getrandbits(64), **options}
        super().__init__("domiphun", options, names_of(model.variant, model.most_ends), seen)
        self.rng = rng
        if f"{model.most_ends} ends" not in seen:
            assert [self.match.notation(n) for n in self.ids.values()] == self.names
        self.stuck: set[int] = set()  # the ends of this game that had no place that stands
        model.deal(self.hands(), self.view["first"])
        how = "drawn" if model.first_seat is None else "given"
        seen.update([f"{model.players} players", f"seat {model.first} {how} to begin"])
        seen.update([f"{model.most_ends} ends", f"starts_each {model.games // model.players}"])
        seen.update([f"x_joiners {model.x_joiners_each}"])
        seen.update(f"starjoiners {number}" for number in model.starjoiners_of)

    def hands(self) -> list[list[Piece]]:
        return [pieces_of(hand["held"]) for hand in self.view["hands"]]

    def agree_on_view(self, view: dict[str, Any], viewer: int | None) -> None:
        """Compare a view, but for the legal actions."""
        model = self.model
        expected = model.view(viewer) | {"last": self.last}
        del view["moment"]
        assert same(view.pop("returns"), expected.pop("returns"))
        for plate in view["plates"]:
            plate["corners"].sort()
        if view["balance"]:
            margin = model.built.balance.margin
            assert is_root(view["balance"].pop("margin"), margin)
            assert view["balance"].pop("words") == in_words(math.sqrt(margin))
        if model.phase == OVER:
            del view["turn"], expected["turn"]
        assert view == expected

    def agree(self) -> list[str]:
        """Compare all three before a decision, and return the legal actions."""
        if self.view:  # or nothing, see is_worth_a_look
            assert self.view.pop("legal") == self.match.legal()
            self.agree_on_view(self.view, None)
        return self.agree_on_actions(self.model)

    def agree_on_the_position(self) -> str:
        """Compare the position as text, and return it."""
        text = self.position()
        position, expected = json.loads(text), self.model.position()
        if self.model.phase == OVER:
            del position["turn"], expected["turn"]
        assert position == expected
        self.seen[f"position in {self.model.phase}"] += 1
        return text

    def go_on_from_a_position_of_our_own(self) -> None:
        """Take pieces out of the game, move joiners between the seats, and go on from there."""
        model, rng = self.model, self.rng
        before = copy.deepcopy((model.hands, model.pool, model.x_joiners, model.starjoiners))
        for hand in model.hands:
            if rng.random() < 0.6:
                least = 2 if not model.built.dominoes and not model.traditional else 1
                size = min(len(hand), max(least, rng.randint(1, 7)))
                hand[:] = sorted(rng.sample(hand, size))
        pool = list(model.pool.elements())
        if model.traditional and rng.random() < 0.3:
            self.level()
        elif rng.random() < 0.7:
            model.pool = Counter(rng.sample(pool, min(len(pool), rng.choice([0, 1, 2, 5, 9]))))
        for _ in range(rng.randint(0, 4)):
            one, other = rng.sample(model.seats, 2)
            for joiners, most in (
                (model.x_joiners, [model.x_joiners_each] * model.players),
                (model.starjoiners, model.starjoiners_of),
            ):
                if joiners[one] > (not model.hands[one]) and joiners[other] < most[other]:
                    joiners[one] -= 1
                    joiners[other] += 1
        if model.is_dead() or model.is_blocked():
            model.hands, model.pool, model.x_joiners, model.starjoiners = before
            return
        self.go_on_from(json.dumps(model.position()))
        self.seen["position of our own"] += 1

    def level(self) -> None:
        """Leave some seats with as many pips each and the seat in turn with a domino more."""
        model, rng = self.model, self.rng
        pieces = [*itertools.chain(*model.hands), *model.pool.elements()]
        pips = rng.choice([5, 6, 6, 6, 7])
        even = [piece for piece in pieces if sum(piece) == pips]
        rng.shuffle(even)
        others = [piece for piece in pieces if sum(piece) > pips]
        rng.shuffle(others)
        if len(others) > model.players:
            model.hands = [[even.pop() if even else others.pop()] for _ in model.seats]
            model.hands[model.turn] = sorted([*model.hands[model.turn], others.pop()])
            model.pool = Counter()

    def go_on_without_defaults(self) -> None:
        """Go on from a position that says only what differs from the start of a match."""
        model = self.model
        position, none = model.position(), [0] * model.players
        defaults: dict[str, Any] = {"wins": none, "points": none}
        if model.advanced:
            defaults["x_joiners"] = [model.x_joiners_each] * model.players
            defaults["starjoiners"] = model.starjoiners_of
        defaults |= {"taken": 0, "misses": 0, "phase": TURN, "game_number": 1}
        defaults |= {"laid": [], "end": None, "domino": None, "plate": None}
        named = 2 * len(model.built.dominoes) + 2 * bool(model.domino)
        pieces = [*itertools.chain(*model.hands), *model.pool.elements()]
        if named + sum(map(len, pieces)) == sum(map(len, model.pieces)):
            del position["pool"]
            self.seen["position without defaults"] += 1
        self.go_on_from_what_differs(position, defaults)

    def agree_on_what_seats_see(self) -> None:
        """Compare the table as each seat sees it (DOMI-2)."""
        for seat in self.model.seats:
            view = self.match.view(seat)
            assert view.pop("legal") == (self.match.legal() if seat == self.model.to_act() else [])
            self.agree_on_view(view, seat)
        self.seen["what a seat sees" + (" at the end" if self.model.phase == OVER else "")] += 1

    def refuse(self, action: str) -> None:
        """Neither the match nor the batch plays an illegal action, and nothing changes."""
        model = self.model
        why, clause = self.match.why_not(action), reason(model, action)
        assert why
        super().refuse(action)
        begun = model.phase != TURN or model.built.dominoes
        kind = kind_of(action)
        self.seen[f"{kind} refused {f'in {model.phase}' if begun else 'before the first'}"] += 1
        if clause:
            assert why.clause == clause.split()[0]
            self.seen[f"refused by {clause}"] += 1
        if clause == "DOMI-16":
            words = action.split()
            corners = model.built.plates[model.target()].corners
            topple = model.built.balance_with(attached(corners, words[0], words[-1]))
            assert is_root(why.reason.partition(" lie ")[2].split()[0], topple.margin)

    def play(self, action: str, legal: Sequence[str]) -> None:
        model = self.model
        returns, game, misses = model.returns(), model.game_number, model.misses
        self.step(action)
        self.last = action
        self.view = self.match.view("all") if self.is_worth_a_look(action) else {}
        told = self.told(action)
        if model.phase == TURN:
            self.note_stuck(legal)
        self.seen.update(events_of(model, action, legal, self.stuck))
        seat, built, laid = model.turn, model.built, len(model.built.plates)
        left = model.hands, model.x_joiners, model.starjoiners, model.pool
        model.play(action, told)
        if len(built.plates) > max(laid, 2):
            self.seen.update(events_of_placement(model, built, seat))
        assert same(self.out.reward[0].tolist(), np.subtract(model.returns(), returns).tolist())
        if model.phase == OVER or model.game_number > game:
            self.seen.update(events_of_end(model, action, built, *left))
            if action == MISS and misses + 1 == model.players:
                self.seen["blocked by misses"] += 1
            self.stuck = set()

    def is_worth_a_look(self, action: str) -> bool:
        """Whether to compare views after an action; one time in three if a play is half made."""
        half_made = kind_of(action) in (STAR, JOIN, PLATE) or (
            self.model.advanced and kind_of(action) == "play"
        )
        return not half_made or self.rng.random() < 1 / 3

    def note_stuck(self, legal: Sequence[str]) -> None:
        """Note the ends that have free places where no domino would stand."""
        built, played = self.model.built, {play[-1] for play in legal if play[0].isdigit()}
        ends = [number for end, number in built.ends.items() if end not in played]
        raised = [number for number in ends if reach_of(built.plates[number].corners, "up")[0]]
        stuck = {number for number in raised if all(topples(built, number) or [False])}
        if stuck:
            self.seen["end without a place that stands"] += 1
        self.stuck |= stuck

    def told(self, action: str) -> Told:
        """Return what chance brought with the last action."""
        if self.view and self.view["game_number"] != self.model.game_number:
            return Told(hands=self.hands())
        if action != TAKE:
            return Told()
        seat = self.model.turn
        (piece,) = (Counter(self.hands()[seat]) - Counter(self.model.hands[seat])).elements()
        return Told(piece)


@functools.cache
def names_of(variant: str, most_ends: int) -> list[str]:
    return actions_of(variant, most_ends)


def pieces_of(held: Sequence[Any]) -> list[Piece]:
    return [tuple(piece) if isinstance(piece, list) else (piece,) for piece in held]


def topples(built: Construction, number: int) -> list[bool]:
    """Return of the places for a domino that are free at a plate whether it would topple."""
    against = [built.against(number, *way) for way in ways(built.plates[number].corners)]
    return [bool(clauses) for clauses in against if clauses in ([], ["DOMI-16"])]


def events_of(model: Model, action: str, legal: Sequence[str], stuck: set[int]) -> Iterator[str]:
    """What is interesting about an action."""
    seat, kind, hand = model.turn, kind_of(action), model.hands[model.turn]
    if action in WORDS:
        yield action
        if not set(legal) <= set(WORDS):
            yield f"{action} though a joiner would do"
    if action == TAKE:
        if model.taken >= ENOUGH_TAKEN:
            yield "a fifth taken"
        if len(hand) < 2:
            yield "take with fewer than two squares" if hand else "take out of squares"
        if model.pool.total() == 1:
            yield "last of the pool"
    if action == MISS and model.pool:
        yield f"miss after {model.taken} taken"
    if kind in ("play", STAR):
        end = action.split()[1]
        number = model.built.ends.get(end)
        if kind == "play" and number in stuck:
            yield "end usable again"
        if kind == STAR and number in stuck:
            yield "Starjoiner on an end without a place that stands"
        what = "play at" if kind == "play" else "Starjoiner on"
        yield f"{what} end {end}" if end in "AB" else f"{what} a third end"
        if kind == "play" and model.taken:
            yield "play after a take"
        if kind == STAR and model.starjoiners[seat] < model.starjoiners_of[seat]:
            yield "second Starjoiner"
    if kind == PLATE:
        inside = int(action.split()[1]) not in model.built.ends.values()
        yield "restart inside" if inside else "restart at an end"
    if kind == PLACE:
        number = model.target()
        against = [
            list(model.objections(seat, number, *way, starred=model.starred))
            for way in ways(model.built.plates[number].corners)
        ]
        if ["DOMI-16"] in against:
            yield "removed by balance"
        if ["DOMI-17"] in against:
            yield "removed by DOMI-17"


def events_of_placement(model: Model, built: Construction, seat: int) -> Iterator[str]:
    """What is interesting about the domino that was laid last, by this seat."""
    view = built.plate_view(len(built.plates) - 2)
    joint, starred = view["joint"], PLATE in built.laid[-1]
    yield f"{joint['joiner']} joint" + (" after a Starjoiner" if starred else "")
    straight = joint["side"] == joint["heading"]
    if joint["joiner"] == ARM:
        yield "arm straight on" if straight else "arm at a right angle"
        hinge = set(built.plates[-2].corners) - set(built.plates[-1].corners)
        if sum(hinge <= corners for corners in built.places) == 4:
            yield "all arms of an X joiner"
    yield f"plate along {view['axis']}"
    yield f"height {max(z for corners in built.places for _, _, z in corners)}"
    if built.balance.margin == 0:
        yield "on the edge"
    if built.fork and joint["joiner"] == X:
        yield "no fork after a Starjoiner" if starred else "fork"
    if built is model.built and model.phase != OVER and not model.hands[seat]:
        yield "out of squares with X joiners left"


def events_of_end(
    model: Model,
    action: str,
    built: Construction,
    hands: Sequence[Sequence[Piece]],
    x_joiners: Sequence[int],
    starjoiners: Sequence[int],
    pool: Counter[Piece],
) -> Iterator[str]:
    """What is interesting about an action that ended a game and left that; the next one may run."""
    seat = model.winners[0]
    if action not in WORDS and not hands[seat] and not x_joiners[seat]:
        yield "won"
        if starjoiners[seat]:
            yield "won with a Starjoiner left"
        if model.advanced and (joint := built.plates[-2].joint) and joint["joiner"] == X:
            yield "won with an X joiner"
    else:
        yield "blocked"
        what = {TAKE: "a take", MISS: "a miss"}.get(action, "a domino")
        yield f"blocked after {what}"
        if pool:
            yield "dead path"
    if len(model.winners) > 1:
        yield "drawn" if len(model.winners) == model.players else "drawn by some"
    if model.phase == OVER:
        shared = len(model.match_winners()) > 1
        yield f"match {'shared' if shared else 'won'} by {model.series}"
    else:
        yield "next game"


def reason(model: Model, action: str) -> str | None:
    """The clause that an action breaks, if that is the only thing that speaks against it."""
    seat, kind, words = model.turn, kind_of(action), action.split()
    built = model.built
    if model.phase == PLACE and kind == PLACE:
        found = [
            *model.objections(seat, model.target(), words[0], words[-1], starred=model.starred)
        ]
        return found[0] if len(found) == 1 else None
    if model.phase == PLATE and kind == PLATE and int(words[1]) < len(built.plates):
        plate = built.plates[int(words[1])]
        assert model.domino
        fits = plate.value == model.domino[0]
        if fits != plate.starjoiner:
            return None
        return "DOMI-17 closed" if plate.starjoiner else "DOMI-17 value"
    if model.phase != TURN:
        return None
    if not built.dominoes:
        return "DOMI-5" if kind == "play" else None
    if kind == "open":
        return "DOMI-6 open"
    if kind == "play" and words[1] in model.ends():
        domino = domino_of(words[0])
        held = domino in model.facings(seat)
        return "DOMI-6" if held and domino[0] != model.value_at(words[1]) else None
    if kind in WORDS:
        if any(ordinary for _, ordinary in model.plays(seat)):
            return f"DOMI-8 {kind}" if model.pool or kind == MISS else None
        if kind == TAKE:
            return "DOMI-7 empty"
        return "DOMI-4" if model.traditional else "DOMI-7 early"
    if kind == STAR and words[1] in model.ends():
        early, none = len(built.dominoes) < WITHOUT_JOINERS, model.starjoiners[seat] == 0
        if early or none:
            return None if early and none else f"DOMI-12 {STAR}" if early else f"DOMI-11 {STAR}"
        return f"DOMI-17 {STAR}"
    return None


def by(key: Callable[[str], str], actions: Sequence[str]) -> dict[str, list[str]]:
    """Return the actions of every key."""
    found: dict[str, list[str]] = {}
    for action in actions:
        found.setdefault(key(action), []).append(action)
    return found


def draw_illegal(table: Table, legal: Sequence[str]) -> str | None:
    """Draw an illegal action, often one with a single objection to it; None if it is legal."""
    rng = table.rng
    kind = rng.choice(["word", "any", "any of a kind", "reason", "reason", "reason"])
    if kind == "word":
        action = rng.choice(WORDS)
    elif kind == "any":
        action = rng.choice(table.names)
    elif kind == "any of a kind":
        by_kind = by(kind_of, table.names)
        action = rng.choice(by_kind[rng.choice(sorted(by_kind))])
    else:
        tried = [*rng.sample(table.names, 20), *WORDS]
        if table.model.phase == PLACE:
            tried = [text_of_placement(*both) for both in itertools.product(STEPS, STEPS)]
        elif table.model.phase == PLATE:
            tried = [f"{PLATE} {n}" for n in range(len(table.model.built.plates))]
        elif table.model.advanced:
            tried += [f"{STAR} {end}" for end in table.model.ends()]
        tried = [action for action in tried if action not in legal]
        by_reason = by(lambda action: reason(table.model, action) or "", tried)
        by_reason.pop("", None)
        if not by_reason:
            return None
        rare = by_reason.keys() & {"DOMI-16", "DOMI-17"}
        action = rng.choice(by_reason[rng.choice(sorted(rare or by_reason))])
    return None if action in legal else action


def play_out(table: Table) -> int:
    """Play a match to its end by styles drawn at random, and return how many games it had."""
    model, rng = table.model, table.rng
    styles = [Style(rng) for _ in range(4)]
    one_style = rng.random() < 0.5
    while legal := table.agree():
        if rng.random() < 0.015:
            table.go_on_from(table.agree_on_the_position())
        fresh = model.phase == TURN and model.taken == 0 and not model.misses
        begun = len(model.built.dominoes)
        if fresh and rng.random() < {0: 0.6, 8: 0.4}.get(begun, 0.01):
            table.go_on_from_a_position_of_our_own()
            legal = sorted(model.legal())
        if rng.random() < 0.01:
            table.go_on_without_defaults()
        if rng.random() < 0.02:
            table.agree_on_what_seats_see()
        if rng.random() < ILLEGAL[model.phase] and (action := draw_illegal(table, legal)):
            table.refuse(action)
        style = styles[0 if one_style else model.turn]
        table.play(style.choose(rng, model, legal), legal)
    text = table.agree_on_the_position()
    table.agree_on_what_seats_see()
    if rng.random() < 0.1:
        again = adjoin.Match.from_replay(table.match.replay())
        assert again.view("all") == table.match.view("all")
        table.seen["replay"] += 1
    if rng.random() < 0.2:
        table.go_on_from(text)
    return model.game_number


def draw_options(rng: random.Random, variant: str) -> dict[str, Any]:
    """Draw the options; those with default values are left out now and then."""
    players = rng.randint(2, 4)
    options: dict[str, Any] = {
        "variant": variant,
        "players": players,
        "starts_each": rng.choice([0, 0, 0, 0, 1, 2]),
        "series": rng.choice([WINS, POINTS]),
        "first_seat": rng.choice([*[None] * players, *range(players)]),
    }
    defaults: dict[str, Any] = {"variant": STANDARD, "players": 2, "starts_each": 0, "series": WINS}
    defaults |= {"first_seat": None, "x_joiners": None, "starjoiners": None, "fork": False}
    if variant == ADVANCED:
        options["x_joiners"] = rng.choice([None, None, 0, 1, 2, 3, 4])
        options["starjoiners"] = rng.choice([None, None, 0, 1, 2, 3, 4])
        options["fork"] = rng.random() < 0.4
        if rng.random() < 0.3:
            options["extra_starjoiners"] = rng.choices(range(5), k=players)
    for option, default in defaults.items():
        if option in options and options[option] == default and rng.random() < 0.5:
            del options[option]
    return options


@pytest.mark.parametrize("chunk", chunks(CHUNKS))
@pytest.mark.parametrize("variant", VARIANTS)
def test_games_agree_with_the_model(variant: str, chunk: int) -> None:
    rng = random.Random(f"{variant} {chunk}")
    seen: Counter[str] = Counter()
    games = 0
    while games < GAMES:
        games += play_out(Table(rng, draw_options(rng, variant), seen))
    assert set(seen) >= EVERYTHING[variant]


def draw_fewer(rng: random.Random, options: dict[str, Any]) -> dict[str, Any]:
    """Draw how many values and how large hands there are (DOMI-22)."""
    players, variant = options.get("players", 2), options.get("variant", STANDARD)
    most = 0
    while most == 0:
        values = rng.randint(2, 6)
        most = len(all_pieces(variant, values)) // players
    return {"values": values, "hand": rng.choice([None, rng.randint(1, most)])}


@pytest.mark.parametrize("chunk", chunks(CHUNKS))
@pytest.mark.parametrize("variant", VARIANTS)
def test_games_with_fewer_pieces_agree_with_the_model(variant: str, chunk: int) -> None:
    rng = random.Random(f"fewer {variant} {chunk}")
    seen: Counter[str] = Counter()
    games = 0
    while games < GAMES:
        options = draw_options(rng, variant)
        fewer = draw_fewer(rng, options)
        table = Table(rng, options | fewer, seen)
        seen.update([f"values {fewer['values']}", f"hand {table.model.hand}"])
        games += play_out(table)
    wanted = {f"values {values}" for values in range(2, 7)} | {f"hand {n}" for n in range(1, 5)}
    assert set(seen) >= wanted | {"won", "blocked", TAKE, MISS, "next game", "position of our own"}


# Constructions (DOMI-16).

MOST: dict[str, Any] = {
    **{"variant": ADVANCED, "players": 4, "x_joiners": 4, "starjoiners": 4},
    "extra_starjoiners": [4] * 4,
}
LONGEST = 26
"""The most dominoes of a construction: squares are left for the last, and one for every seat."""

WANTED = {
    "inside": 5_000,
    "outside": 1_000,
    "on the edge": 50,
    "end without a place that stands": 50,
}
"""What a chunk has more of than that."""


@functools.lru_cache(maxsize=100_000)
def outline(contacts: frozenset[Spot]) -> Any:
    """SciPy's hull: the outward normal of every edge, and how far that is off."""
    return ConvexHull(np.array(sorted(contacts))).equations


def beyond(balance: Balance) -> float:
    """How far the centre is outside of SciPy's hull; negative inside."""
    x, y = balance.centre()
    return float(np.max(outline(balance.contacts) @ [float(x), float(y), 1.0]))


class Chain:
    """A construction that grows by dominoes drawn at random."""

    def __init__(self, rng: random.Random, seen: Counter[str]) -> None:
        self.rng = rng
        self.seen = seen
        self.style = Style(rng)
        self.style.x, self.style.lean = 0.8, rng.choice(["east", "west", "north", "south"])
        self.fork = rng.random() < 0.5
        self.built = Construction(fork=self.fork)
        self.squares = Counter(value for (value,) in all_pieces(ADVANCED, 7))
        self.x_joiners, self.starjoiners = [4] * 4, [8] * 4
        low, high = sorted(rng.choices(VALUES, k=2))
        self.squares -= Counter([low, high])
        self.built.open((low, high))

    def grow(self, match: adjoin.Match) -> None:
        """Compare what becomes of a domino at every side of a plate, and lay it at one of them."""
        built, rng = self.built, self.rng
        seat = rng.choice([seat for seat in range(4) if self.x_joiners[seat]] or range(4))
        *_, out = ends = self.ends()
        end = out if rng.random() < 0.7 else rng.choice(ends)
        number, plate = built.ends[end], None
        if end != out and self.begun() and self.starjoiners[seat] and rng.random() < 0.7:
            able = [n for n in range(len(built.plates)) if self.can_restart(seat, n, number)]
            if able:
                number = plate = rng.choice([n for n in able if any(topples(built, n))] or able)
        value = built.plates[number].value
        others = sorted((self.squares - Counter([value])).elements())
        if not self.squares[value] or not others:
            return
        domino = value, rng.choice(others)
        free, standing = self.free(seat, number), self.standing(seat, number)
        for way in free:
            self.agree_with_scipy(number, way)
        left = self.squares - Counter(domino)
        hands = [[square] for square in rng.sample(sorted(left.elements()), 4)]
        position = {
            **{"laid": built.laid, "hands": hands, "turn": seat, "first": 0},
            **{"x_joiners": self.x_joiners, "starjoiners": self.starjoiners},
        }
        if not standing:
            hands[seat] += domino
            match.set_position(json.dumps(position))
            assert f"{text_of(domino)} {end}" not in match.legal()
            self.seen["end without a place that stands"] += bool(free)
            return
        if plate is not None:
            built.close(end)
            self.starjoiners[seat] -= 1
        position |= {"phase": PLACE, "end": end, "domino": text_of(domino), "plate": plate}
        match.set_position(json.dumps(position))
        assert {*match.legal()} == {name(way) for way in standing}
        self.squares = left
        way = self.style.choose_placement(rng, built, number, standing)
        self.x_joiners[seat] -= built.lay(domino, end, plate, *way)

    def ends(self) -> list[str]:
        """Return the ends, the one last that leans out most."""
        lean, built = self.style.lean or "up", self.built
        return sorted(
            built.ends, key=lambda end: reach_of(built.plates[built.ends[end]].corners, lean)
        )

    def begun(self) -> bool:
        """Whether joiners may be used (DOMI-12)."""
        return len(self.built.dominoes) >= WITHOUT_JOINERS

    def can_restart(self, seat: int, number: int, closed: int) -> bool:
        """Whether a plate can take a domino with another one closed (DOMI-17)."""
        is_open = number != closed and not self.built.plates[number].starjoiner
        return is_open and bool(self.standing(seat, number))

    def free(self, seat: int, number: int) -> list[Placement]:
        """Every placement at a plate against which at most the balance speaks."""
        built, may_use_x = self.built, self.begun() and self.x_joiners[seat] > 0
        return [
            way
            for way in ways(built.plates[number].corners)
            if built.against(number, *way) in ([], ["DOMI-16"])
            and (may_use_x or not built.uses_x(number, *way))
        ]

    def standing(self, seat: int, number: int) -> list[Placement]:
        """Every placement at a plate with which the construction stands."""
        return [way for way in self.free(seat, number) if not self.built.against(number, *way)]

    def agree_with_scipy(self, number: int, way: Placement) -> None:
        """Compare the model's answer with that of SciPy's hull, unless it is on the edge."""
        built = self.built
        stands = not built.against(number, *way)
        balance = built.balance_with(attached(built.plates[number].corners, *way))
        self.seen["constructions"] += 1
        if balance.margin == 0:
            assert stands
            assert abs(beyond(balance)) < 1e-9
            self.seen["on the edge"] += 1
        else:
            assert stands == (beyond(balance) < 0)
            self.seen["inside" if stands else "outside"] += 1


@pytest.mark.parametrize("chunk", chunks(8))
def test_constructions_stand_or_topple_as_in_the_model(chunk: int) -> None:
    rng = random.Random(chunk)
    seen: Counter[str] = Counter()
    matches = [adjoin.Match("domiphun", **MOST, fork=fork) for fork in (False, True)]
    while seen["constructions"] < CONSTRUCTIONS:
        chain, dominoes = Chain(rng, seen), rng.randint(6, LONGEST)
        for _ in range(2 * dominoes):
            if len(chain.built.dominoes) < dominoes:
                chain.grow(matches[chain.fork])
    for what, often in WANTED.items():
        assert seen[what] > often, (what, seen)
