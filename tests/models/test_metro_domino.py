"""Metro Domino: the engine agrees with an independent, slow model, decision for decision."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import adjoin
from models.engine import Engine, same
from models.metro_domino import (
    ACTIVE,
    ACTIVE_LINES,
    DRAW,
    DRAWN,
    EXTRA,
    KEEP,
    LAST_STATION,
    MORE,
    OPEN,
    OVER,
    PASS,
    SPEND,
    SPENT,
    STOP,
    TILES,
    TOKENS,
    TURN,
    Model,
    Tile,
    Told,
    actions_of,
    read_stations,
    text_of,
)
from scaffold import chunks

DATA = Path(adjoin.__file__).parent / "data"
CHUNKS = 8
GAMES = 625
"""Games in a chunk, at least: 5,000 in all chunks. Every game that is played out counts."""

WORDS = (DRAW, PASS, KEEP, SPEND, STOP)
PHASES = (TURN, DRAWN, EXTRA, MORE, SPENT)
LAYING = (TURN, DRAWN, EXTRA, SPENT)
OF = {TURN: (DRAW, PASS), DRAWN: (KEEP,), EXTRA: (STOP,), MORE: (SPEND, STOP), SPENT: ()}
"""The words that can be legal in a phase."""
ILLEGAL = {TURN: 0.05, DRAWN: 0.1, EXTRA: 0.2, MORE: 0.2, SPENT: 0.4}
"""How often something illegal is tried in a phase."""
ENDS = ("", ", no station")
OBJECTIONS = (
    *("METR-4", "METR-5", "METR-6", "METR-8"),
    *("METR-7 min", "METR-7 max", "METR-7 no_doubles"),
)


def station(name: str, *lines: str) -> dict[str, Any]:
    """Return a station with lines such as "4" or "5 min 2 max 7 no doubles"."""
    ident = "".join(letter if letter.isalnum() else "_" for letter in name.lower())
    return {"id": ident, "name": name, "lines": [line_of(*line.split()) for line in lines]}


def line_of(length: str, *limits: str) -> dict[str, Any]:
    line: dict[str, Any] = {"length": int(length), "min": None, "max": None, "no_doubles": False}
    for kind, value in zip(limits[::2], limits[1::2], strict=True):
        if kind == "no":
            line["no_doubles"] = True
        else:
            line[kind] = int(value)
    return line


SHIPPED = "new-york"
DECKS: dict[str, list[dict[str, Any]]] = {
    SHIPPED: read_stations(DATA / "metro-stations.csv"),
    "short": [
        station("Hub", "1", "2", "2", "3"),
        *(station(f"{name} St.", "2", "1") for name in "ABCDEFG"),
        station("H St.", "3"),
    ],
    "few": [
        station("Start", "2", "3", "2 min 1", "4"),
        station("St. John's", "3", "2 max 8"),
        station("Quai d'Orsay", "2 no doubles"),
    ],
    "long": [
        station("Start", "12 no doubles", "20 min 1", "55", "30 max 8", "9"),
        station("End", "55", "10 min 3 max 6 no doubles"),
    ],
    "no doubles": [
        station("Start", *["4 no doubles"] * 3, "3"),
        *(station(f"{name} Park", "3 no doubles", "4 no doubles", "2") for name in "XYZ"),
    ],
    "tight": [
        station("Start", "3 min 4 max 6", "2 max 3", "4 min 6", "2 min 9 max 9", "5 min 2 max 7"),
        station("Low", "2 min 0 max 1", "4 no doubles"),
        station("High", "2 min 8 max 9", "3 min 5 no doubles"),
    ],
    "ones": [
        station("Start", "5", "6", "4", "7", "1"),
        *(station(f"No. {n}", "1", "6", "5") for n in range(3)),
    ],
    "single": [station("Start", "1"), station("Last", "1 min 9 max 9")],
    "barren": [station("Start", "2 min 9 max 9")],
    "alone": [station("The Only One", "4", "3", "5", "3 min 5")],
    "wide": [
        station("Start", *["3"] * 9),
        *(station(f"{name} Square", *["2", "3", "1"] * 3) for name in ("North", "South")),
    ],
}
DRAWN_DECK = "drawn"
"""Stands for a deck drawn at random."""

EVERYTHING = {
    *(f"{players} players" for players in (2, 3, 4)),
    *(f"seat {seat} drawn to begin" for seat in range(4)),
    *(f"seat {seat} given to begin" for seat in range(4)),
    *(f"deck {name}" for name in (*DECKS, DRAWN_DECK)),
    *(f"{row['name']} opened first" for row in DECKS["few"][1:]),
    *("ended by the last tile", "ended by the last tile, which opens a station"),
    *("ended by the fifth station", "ended by passes"),
    *("won", "won by stations", "shared", "shared by all", "next game"),
    *(f"match {how}, {wins} needed" for how in ("won", "shared") for wins in (1, 2, 3)),
    *(DRAW, PASS, "keep what fits", "keep what does not", "last tile of the store"),
    *(f"stop in {phase}{why}" for phase in (EXTRA, MORE) for why in ("", ", though a tile fits")),
    *("stop in extra with tokens left", "tile after a pass", "double, supply empty"),
    *(f"{what} in {phase}" for what in ("tile", "double") for phase in LAYING),
    *("1 spent in one turn", "2 spent in one turn", "token won and spent in one turn"),
    *(f"{tiles} tiles in one turn" for tiles in range(1, 6)),
    *(f"{what} completes a line{end}" for what in ("tile", "double") for end in ENDS),
    "line of one tile beside three active lines",
    *(f"refused by {clause} alone" for clause in OBJECTIONS),
    *("reversed double refused", "tile that fits refused in more"),
    *(f"tile not held refused in {phase}" for phase in PHASES),
    *(f"{word} refused in {phase}" for phase in PHASES for word in WORDS if word not in OF[phase]),
    *(f"{word} refused in {TURN}" for word in OF[TURN]),
    f"{SPEND} refused in {MORE}",
    *(f"position in {phase}" for phase in (*PHASES, OVER)),
    *(f"{state} line out of service" for state in (OPEN, ACTIVE)),
    *("position of our own", "position without defaults", "what a seat sees", "replay"),
}


def draw_deck(rng: random.Random) -> list[dict[str, Any]]:
    """Return a deck of a few stations with lines drawn at random."""
    length = rng.choice([2, 4, 8])
    names = rng.sample(["Élan", "B's", "C–D", "E & F", "G 5", "h", "I.J.", "K L M", "No"], 9)
    stations = []
    for name in names[: rng.randint(1, 6)]:
        lines = []
        for _ in range(rng.randint(1, 4)):
            text = str(rng.randint(1, length))
            low, high = rng.choice([(0, 9), (0, 9), (1, 8), (3, 7), (0, 5), (4, 9)])
            text += f" min {low}" if low or rng.random() < 0.1 else ""
            text += f" max {high}" if high < 9 or rng.random() < 0.1 else ""
            text += " no doubles" if rng.random() < 0.2 else ""
            lines.append(text)
        stations.append(station(name, *lines))
    return stations


class Style:
    """How often the players of a match do what."""

    def __init__(self, rng: random.Random) -> None:
        self.keep = rng.choice([0.0, 0.3, 0.9])
        self.stop = rng.choice([0.0, 0.1, 0.6])
        self.spend = rng.choice([0.1, 0.7, 1.0])
        self.double = rng.choice([0.0, 0.5, 1.0])
        self.begin = rng.choice([0.0, 0.0, 0.8])
        self.complete = rng.choice([0.0, 0.5, 1.0])

    def choose(self, rng: random.Random, model: Model, legal: list[str]) -> str:
        """Choose a legal action."""
        for word, often in ((KEEP, self.keep), (STOP, self.stop), (SPEND, self.spend)):
            if word in legal and rng.random() < often:
                return word
        plays = [action for action in legal if action not in WORDS]
        if rng.random() < self.double:
            plays = [play for play in plays if play[0] == play[2]] or plays
        if rng.random() < self.complete:
            plays = [play for play in plays if completes(model, play)] or plays
        if rng.random() < self.begin:
            plays = [play for play in plays if not model.on[line_in(play)]] or plays
        return rng.choice(plays or legal)


def line_in(play: str) -> str:
    return play.partition(" ")[2]


def tile_in(play: str) -> Tile:
    """Return the tile of a play, its small half first."""
    low, high = sorted((int(play[0]), int(play[2])))
    return low, high


def completes(model: Model, play: str) -> bool:
    line = line_in(play)
    return len(model.on[line]) + 1 == int(model.lines[line]["length"])


def tiles_of(held: Sequence[Sequence[int]]) -> list[Tile]:
    return [(low, high) for low, high in held]


class Table(Engine):
    """The same match three times: as a Match, as a batch of one, and in the model."""

    def __init__(
        self, deck: str, rng: random.Random, options: dict[str, Any], seen: Counter[str]
    ) -> None:
        stations = draw_deck(rng) if deck == DRAWN_DECK else DECKS[deck]
        self.deck = deck
        self.model = model = Model(stations, **options)
        options = {"seed": rng.getrandbits(64), **options}
        if deck != SHIPPED or rng.random() < 0.5:
            custom = {"custom": {"name": deck, "stations": stations}}
            options["stations"] = SHIPPED if deck == SHIPPED else custom
        super().__init__("metro_domino", options, actions_of(stations), seen)
        if deck == DRAWN_DECK or f"deck {deck}" not in seen:
            assert [self.match.notation(n) for n in self.ids.values()] == self.names
        seen[f"deck {deck}"] += 1
        self.turn: list[str] = []  # the actions of this turn so far
        self.tokens = 0  # those that this turn began with
        model.deal(self.hands(), self.view["first"])
        how = "drawn" if model.first_seat is None else "given"
        seen.update([f"{model.players} players", f"seat {model.first} {how} to begin"])

    def hands(self) -> list[list[Tile]]:
        return [tiles_of(hand["held"]) for hand in self.view["hands"]]

    def agree(self) -> list[str]:
        """Compare all three before a decision, and return the legal actions."""
        view, expected = dict(self.view), self.model.view() | {"last": self.last}
        assert view.pop("legal") == self.match.legal()
        del view["moment"]
        assert same(view.pop("returns"), expected.pop("returns"))
        assert view == expected
        return self.agree_on_actions(self.model)

    def agree_on_the_position(self) -> str:
        """Compare the position as text, and return it."""
        text = self.position()
        position = json.loads(text)
        position["opened"].sort(key=lambda opened: opened["station"])
        assert position == self.model.position()
        self.seen[f"position in {self.model.phase}"] += 1
        return text

    def go_on_from_a_position_of_our_own(self, rng: random.Random) -> None:
        """Hand out metro tokens, take tiles out of the game, and go on from there."""
        model = self.model
        if rng.random() < 0.5:
            sizes = rng.choices(range(1, 8), k=model.players)
            if self.deck == "barren":
                sizes = [sizes[0]] * model.players
            for hand, size in zip(model.hands, sizes, strict=True):
                hand.intersection_update(rng.sample(sorted(hand), min(size, len(hand))))
        if rng.random() < 0.3:
            tokens = rng.choices(model.seats, k=rng.choice([0, 3, TOKENS, TOKENS]))
            model.tokens = [tokens.count(seat) for seat in model.seats]
        tiles = rng.choice([0, 0, 2, 5, 10])
        model.store = set(rng.sample(sorted(model.store), min(tiles, len(model.store))))
        self.go_on_from(json.dumps(model.position()))
        self.begin_turn()
        self.seen["position of our own"] += 1

    def go_on_without_defaults(self) -> None:
        """Go on from a position that says only what differs from the start of a match."""
        position = self.model.position()
        defaults = {"lines": {}, "opened": [], "tokens": [0] * self.model.players, "passes": 0}
        defaults |= {"phase": TURN, "drawn": None, "wins": [0] * self.model.players}
        defaults |= {"game_number": 1}
        named = [*position["hands"], *position["lines"].values()]
        if sum(map(len, named)) + len(position["store"]) == len(TILES):
            del position["store"]
            self.seen["position without defaults"] += 1
        self.go_on_from_what_differs(position, defaults)

    def agree_on_what_seats_see(self) -> None:
        """Compare the table as each seat sees it, with the tiles of the others hidden."""
        for seat in self.model.seats:
            view = self.match.view(seat)
            del view["moment"]
            expected = self.model.view(seat) | {"last": self.last}
            expected["legal"] = self.match.legal() if seat == self.model.to_act() else []
            assert same(view.pop("returns"), expected.pop("returns"))
            assert view == expected
        self.seen["what a seat sees"] += 1
        lines = [line for line in self.model.lines if self.model.is_out_of_service(line)]
        self.seen.update(f"{self.model.state(line)} line out of service" for line in lines)

    def refuse(self, action: str) -> None:
        """Neither the match nor the batch plays an illegal action, and nothing changes."""
        super().refuse(action)
        self.seen.update(events_of_refusal(self.model, action))

    def play(self, action: str, legal: Sequence[str]) -> None:
        model = self.model
        returns, game = model.returns(), model.game_number
        self.step(action)
        self.last = action
        self.view = self.match.view("all")
        told = self.told()
        self.turn.append(action)
        self.seen.update(events_of(model, self.turn, self.tokens, legal))
        if told.station and not model.opened:
            self.seen[f"{model.stations[told.station]['name']} opened first"] += 1
        model.play(action, told)
        assert same(self.out.reward[0].tolist(), np.subtract(model.returns(), returns).tolist())
        if model.phase == OVER or model.game_number > game:
            self.seen.update(events_of_end(model, action))
        if model.phase == TURN:
            self.begin_turn()

    def begin_turn(self) -> None:
        self.turn = []
        self.tokens = self.model.tokens[self.model.turn]

    def told(self) -> Told:
        """Return what chance brought with the last action."""
        view, model = self.view, self.model
        if view["game_number"] != model.game_number:
            return Told(hands=self.hands())
        opened = [row["id"] for row in view["stations"] if row["is_open"]]
        new = [ident for ident in opened if not model.is_open(ident)]
        assert len(new) <= 1
        drawn = view["drawn"]
        return Told(tile=(drawn[0], drawn[1]) if drawn else None, station=new[0] if new else None)


def events_of(
    model: Model, turn: Sequence[str], tokens: int, legal: Sequence[str]
) -> Iterator[str]:
    """What is interesting about the last action of a turn that began with so many tokens."""
    action, choice = turn[-1], len(legal) > 1
    if action == KEEP:
        yield "keep what fits" if choice else "keep what does not"
    elif action == STOP:
        yield f"stop in {model.phase}, though a tile fits" if choice else f"stop in {model.phase}"
        if model.phase == EXTRA and model.tokens[model.turn] > 0:
            yield "stop in extra with tokens left"
    elif action == SPEND:
        spent = turn.count(SPEND)
        yield f"{spent} spent in one turn"
        if spent > tokens:
            yield "token won and spent in one turn"
    elif action in (DRAW, PASS):
        yield action
        if len(model.store) == 1:
            yield "last tile of the store"
    else:
        yield from events_of_play(model, turn)


def events_of_play(model: Model, turn: Sequence[str]) -> Iterator[str]:
    """What is interesting about the tile that is played last in a turn."""
    play, seat = turn[-1], model.turn
    line = line_in(play)
    what = "double" if play[0] == play[2] else "tile"
    yield f"{what} in {model.phase}"
    yield f"{sum(action not in WORDS for action in turn)} tiles in one turn"
    if model.passes:
        yield "tile after a pass"
    if what == "double" and model.supply() == 0:
        yield "double, supply empty"
    if model.lines[line]["length"] == 1 and model.active() == ACTIVE_LINES:
        yield "line of one tile beside three active lines"
    opens = completes(model, play) and bool(model.unopened())
    if completes(model, play):
        yield f"{what} completes a line" + ("" if opens else ", no station")
    fifth = opens and model.owned(seat) + 1 == LAST_STATION
    if len(model.hands[seat]) == 1:
        yield "ended by the last tile" + (", which opens a station" if opens else "")
    elif fifth:
        yield "ended by the fifth station"


def events_of_end(model: Model, action: str) -> Iterator[str]:
    """What is interesting about an action that ended a game; the next one may have begun."""
    best = max(model.results)
    winners = model.results.count(best)
    yield "won" if winners == 1 else "shared by all" if winners == model.players else "shared"
    if any(total == best[0] and stations < best[1] for total, stations in model.results):
        yield "won by stations"
    if action == PASS:
        yield "ended by passes"
    if model.phase == OVER:
        shared = model.wins.count(model.wins_needed) > 1
        yield f"match {'shared' if shared else 'won'}, {model.wins_needed} needed"
    else:
        yield "next game"


def objections(model: Model, play: str) -> list[str]:
    """Everything that speaks against a play of a tile in hand."""
    tile, line = (int(play[0]), int(play[2])), line_in(play)
    return [*model.objections_to_line(line), *model.objections_to_tile(tile, line)]


def events_of_refusal(model: Model, action: str) -> Iterator[str]:
    """Why an action is illegal."""
    if action in WORDS:
        yield f"{action} refused in {model.phase}"
    elif action.endswith(" reversed"):
        yield "reversed double refused"
    elif tile_in(action) not in model.hands[model.turn]:
        yield f"tile not held refused in {model.phase}"
    elif not objections(model, action):
        yield f"tile that fits refused in {model.phase}"
    elif len(objections(model, action)) == 1:
        yield f"refused by {objections(model, action)[0]} alone"


def draw_illegal(rng: random.Random, table: Table, legal: Sequence[str]) -> str | None:
    """Draw an illegal action, often one with a single objection to it; None if it is legal."""
    model = table.model
    hand = sorted(model.hands[model.turn])
    kind = rng.choice(["word", "any", "double", "in hand", "in hand"])
    if legal == [STOP] and model.phase == MORE:
        action = SPEND
    elif kind == "word":
        action = rng.choice([word for word in WORDS if word not in legal])
    elif kind == "any":
        action = rng.choice(table.names)
    else:
        by_reason: dict[str, list[str]] = {}
        for line in model.lines:
            against = list(model.objections_to_line(line))
            for low, high in hand if len(against) <= 1 else []:
                for facing in {(low, high), (high, low)}:
                    found = [*against, *model.objections_to_tile(facing, line)]
                    if len(found) <= 1:
                        by_reason.setdefault("".join(found), []).append(f"{text_of(facing)} {line}")
        if not by_reason:
            return None
        action = rng.choice(sorted(by_reason[rng.choice(sorted(by_reason))]))
        if kind == "double" and action[0] == action[2]:
            action += " reversed"
    return None if action in legal else action


def play_out(table: Table, rng: random.Random) -> int:
    """Play a match to its end by a style drawn at random, and return how many games it had."""
    style, model, seen = Style(rng), table.model, table.seen
    cut = 0.9 if table.deck == "barren" else 0.65
    while legal := table.agree():
        if rng.random() < 0.015:
            table.go_on_from(table.agree_on_the_position())
        fresh = model.phase == TURN and not any(model.on.values()) and model.turn == model.first
        if model.phase == TURN and rng.random() < (cut if fresh else 0.015):
            table.go_on_from_a_position_of_our_own(rng)
            legal = table.agree()
        if rng.random() < 0.01:
            table.go_on_without_defaults()
        if rng.random() < 0.02:
            table.agree_on_what_seats_see()
        if rng.random() < ILLEGAL[model.phase] and (action := draw_illegal(rng, table, legal)):
            table.refuse(action)
        table.play(style.choose(rng, model, legal), legal)
    text = table.agree_on_the_position()
    table.agree_on_what_seats_see()
    if rng.random() < 0.1:
        again = adjoin.Match.from_replay(table.match.replay())
        assert again.view("all") == table.match.view("all")
        seen["replay"] += 1
    if rng.random() < 0.2:
        table.go_on_from(text)
    return model.game_number


def draw_options(rng: random.Random, deck: str) -> dict[str, Any]:
    """Draw the options but the stations; those with default values are left out now and then."""
    players = rng.randint(2, 4)
    wins_needed = rng.choice([1, 2, 2, 3, 3, 3] if deck == "barren" else [1, 1, 1, 2, 3])
    options: dict[str, Any] = {"players": players, "wins_needed": wins_needed}
    for name, default in (("players", 2), ("wins_needed", 1)):
        if options[name] == default and rng.random() < 0.5:
            del options[name]
    if rng.random() < 0.5:
        options["first_seat"] = rng.choice([None, *range(players)])
    return options


def decks_of_matches(rng: random.Random) -> Iterator[str]:
    """Decks in random order, without end."""
    while True:
        decks = [*DECKS, *["barren", "barren", "short", DRAWN_DECK, DRAWN_DECK]]
        rng.shuffle(decks)
        yield from decks


@pytest.mark.parametrize("chunk", chunks(CHUNKS))
def test_games_agree_with_the_model(chunk: int) -> None:
    rng = random.Random(chunk)
    seen: Counter[str] = Counter()
    games = 0
    for deck in decks_of_matches(rng):
        games += play_out(Table(deck, rng, draw_options(rng, deck), seen), rng)
        if games >= GAMES:
            break
    assert set(seen) >= EVERYTHING
