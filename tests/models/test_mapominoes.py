"""Mapominoes: the engine agrees with an independent, slow model, decision for decision."""

from __future__ import annotations

import copy
import functools
import itertools
import json
import random
import string
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import adjoin
from models.engine import Engine
from models.mapominoes import (
    CHALLENGE,
    CHALLENGE_IT,
    COUNTY,
    EASIER,
    FOLLOW,
    GO,
    LET_IT_BE,
    PLACE,
    PLACE_FOLLOW,
    PLACE_TRANSIT,
    REST,
    ROUND,
    TAKE,
    TRANSIT,
    WATERS_FILE,
    Atlas,
    Card,
    Cell,
    Model,
    cell_name,
)
from scaffold import chunks

DATA = Path(adjoin.__file__).parent / "data"
CHUNKS = 8
MATCHES = 375
"""Matches in a chunk: 3,000 in all chunks."""

TABLES = [(3, 1), (1, 3), (2, 2), (3, 3), (5, 3), (4, 4), (7, 5), (9, 9), (62, 2), (30, 20)]
TIMEOUT = "timeout"
TIMED = (GO, PLACE, PLACE_TRANSIT, FOLLOW, PLACE_FOLLOW)

EVERYTHING = {
    *(f"players {players}" for players in range(2, 6)),
    *(f"table {width} by {height}" for width, height in TABLES),
    *(f"atlas {name}" for name in [*WATERS_FILE, "custom"]),
    *("draw free", "draw stuck", "nations", "easier", "no transit cards"),
    *("double with transit", "double without transit", "no double by a transit card"),
    *(f"whole {name}" for name in [*WATERS_FILE, "custom"]),
    *("a card taken", "no card to take", "no right to take", "extra go", "double follow-up"),
    *("transit region", "transit region out of play", "transit sea", "transit country"),
    *("second deal", "extra go after the second deal", "blocked after the second deal"),
    *("blocked before the second deal", "blocked by passes", "blocked at once", "round won"),
    *("right challenged", "right let be", "wrong challenged", "wrong let be", "last let be"),
    *("last challenged", "wrong last let be", "extra go lost", "second deal let be"),
    *("wrong transit challenged", "wrong transit let be", "wrong follow-up challenged"),
    *("wrong follow-up let be", "right follow-up challenged", "last follow-up let be"),
    *(f"time-out in {phase}" for phase in TIMED),
    *(f"illegal in {phase}" for phase in (*TIMED, CHALLENGE)),
    *("time-out with no card", "no time-out in challenge", "no time-out in over"),
    *("several rounds", "one winner", "shared win"),
    *("position gone on from", "what a seat sees", "replay"),
}


@functools.cache
def shipped(name: str) -> Atlas:
    return Atlas.read(DATA, name)


def custom_atlas(rng: random.Random, regions: int) -> dict[str, Any]:
    """Return an atlas of regions, waters and borders drawn at random."""
    letters = rng.sample(string.ascii_lowercase, regions)
    names = rng.sample(["North", "South", "East & West"], rng.randint(1, 3))
    nations = {
        letter: rng.sample(names, min(len(names), rng.choice([1, 1, 1, 2]))) for letter in letters
    }
    border, border_abroad = rng.choice([(0.3, 0.3), (0.5, 0.5), (0.8, 0.2), (0.5, 0.0)])
    borders: dict[str, set[str]] = {letter: set() for letter in letters}
    for one, other in itertools.combinations(letters, 2):
        if rng.random() < (border if set(nations[one]) & set(nations[other]) else border_abroad):
            borders[one].add(other)
            borders[other].add(one)
    waters = [
        {"id": f"water_{letter}", "name": f"{letter.upper()} Water", "kind": kind}
        for letter, kind in zip("xyz", rng.choices(["sea", "country"], k=3), strict=True)
    ][: rng.randint(0, 3)]
    return {
        "name": "Drawn",
        "regions": [
            {
                "id": letter,
                "name": f"{letter.upper()}land",
                "abbreviation": letter.upper(),
                "nations": nations[letter],
                "borders": sorted(borders[letter]),
                "waters": [water["id"] for water in waters if rng.random() < 0.4],
            }
            for letter in letters
        ],
        "waters": waters,
    }


def draw_options(rng: random.Random, kind: str) -> tuple[Atlas, dict[str, Any]]:
    """Draw an atlas and options of this kind; on a tight table rounds are soon blocked."""
    players = 2 if kind == "tight" else rng.randint(2, 5)
    options: dict[str, Any] = {"players": players}
    if kind in ("custom", "tight"):
        source = custom_atlas(rng, players + 1 + rng.randint(0, rng.choice([3, 6, 20 - players])))
        atlas = Atlas(source)
        options["atlas"] = {"custom": source}
        table = TABLES[0] if kind == "tight" else rng.choice(TABLES)
    else:
        name = kind.removeprefix("whole ")
        atlas = shipped(name)
        if name != "uk-counties" or rng.random() < 0.5:
            options["atlas"] = name
        table = (30, 20) if kind.startswith("whole ") else rng.choice([(7, 5), (9, 9), (30, 20)])
    if table != (30, 20) or rng.random() < 0.5:
        options["table"] = list(table)
    nations = atlas.nations
    if kind in WATERS_FILE or (kind == "custom" and len(nations) > 1 and rng.random() < 0.5):
        nations = rng.sample(nations, rng.randint(1, min(3, len(nations))))
        options["nations"] = nations
    if len(nations) > 1 and rng.random() < 0.75:
        options["staged"] = True
        first = rng.choice(nations)
        if first != nations[0] or rng.random() < 0.5:
            options["first_nation"] = first
    no_transit = {"transit_cards": 0, "transit_each": 0}
    options |= no_transit if kind == "tight" else draw_transit(rng, players)
    if rng.random() < 0.5:
        options["draw"] = rng.choice(["free", "free", "stuck"])
    if rng.random() < 0.3:
        options["double_with_transit"] = rng.choice([True, False, False])
    if kind.startswith("whole "):
        options["rounds"] = 1
    elif rng.random() < 0.9:
        options["rounds"] = rng.choice([1, 1, 1, 2, 3])
    if rng.random() < 0.35:
        options["challenges"] = True
    return atlas, options


def draw_transit(rng: random.Random, players: int) -> dict[str, Any]:
    """Draw how many transit cards there are, and how many each player gets."""
    if rng.random() < 0.25:
        return {"transit_cards": 0, "transit_each": 0}
    cards = rng.choice([12, 12, players, rng.randint(1, 32)])
    options: dict[str, Any] = {} if cards == 12 and rng.random() < 0.5 else {"transit_cards": cards}
    if players * EASIER[players] <= cards and rng.random() < 0.4:
        options["transit_each"] = "easier"
    elif cards < players or rng.random() < 0.4:
        options["transit_each"] = rng.randint(0, cards // players)
    return options


def can_begin(model: Model, staged: bool) -> bool:
    """Whether the first deck is large enough and has a border in it, and a staged one a rest."""
    deck = model.first_deck
    if staged and deck == model.deck:
        return False
    return len(deck) > model.players and any(model.atlas.borders[card] & deck for card in deck)


@dataclass
class Style:
    """How often the players of a match do what."""

    take: float
    transit: float
    wrong: float
    challenge: float
    time_out: float

    @classmethod
    def draw(cls, rng: random.Random) -> Style:
        return cls(
            take=rng.choice([0.0, 0.05, 0.05, 0.3]),
            transit=rng.choice([0.1, 0.4, 0.9]),
            wrong=rng.choice([0.1, 0.4, 0.8]),
            challenge=rng.choice([0.05, 0.3, 0.6]),
            time_out=rng.choice([0.0, 0.02, 0.1]),
        )

    def choose(self, rng: random.Random, model: Model, legal: list[str]) -> str:
        """Choose a legal action, or a time-out."""
        if model.phase == CHALLENGE:
            return CHALLENGE_IT if rng.random() < self.challenge else LET_IT_BE
        if rng.random() < self.time_out:
            return TIMEOUT
        if model.phase == GO:
            return self.choose_at_go(rng, model, legal)
        if model.phase == PLACE and model.challenges and rng.random() >= self.wrong:
            county = str(model.county)
            legal = [cell for cell in legal if model.fits(county, model.cell_of(cell))] or legal
        if model.nominee is not None and model.challenges and rng.random() >= self.wrong:
            legal = sorted(right_after_transit(model)) or legal
        return rng.choice(legal)

    def choose_at_go(self, rng: random.Random, model: Model, legal: list[str]) -> str:
        transits = [action for action in legal if action.startswith("transit ")]
        counties = [action for action in legal if action not in (TAKE, *transits)]
        if model.challenges and rng.random() >= self.wrong:
            counties = sorted({model.atlas.name[c] for c, _ in model.county_plays(model.turn)})
            right = {nominee for nominee, _, _, _ in model.transit_plays(model.turn)}
            transits = sorted(f"transit {model.atlas.name[nominee]}" for nominee in right)
        if TAKE in legal and rng.random() < self.take:
            return TAKE
        if transits and rng.random() < self.transit:
            return rng.choice(transits)
        return rng.choice(counties or legal)


def right_after_transit(model: Model) -> set[str]:
    """Return the choices with which a transit card and its county lie rightly, if there are any."""
    made = (model.nominee, model.transit_cell, model.county)
    right = set()
    for nominee, cell, county, follow_cell in model.transit_plays(model.turn):
        play = (nominee, cell, county)
        steps = (None, cell_name(cell), model.atlas.name[county], cell_name(follow_cell))
        number = [*made, None].index(None)
        if play[:number] == made[:number]:
            right.add(str(steps[number]))
    return right


def agree_on_what_waits(view: dict[str, Any]) -> None:
    """Take what a view has for drawing alone out of it, and compare it with the rest."""
    waiting, chosen = view.pop("waiting"), view["chosen"]
    del view["moment"]
    assert all(card["nation"] in [*view["nations"], None] for card in view["table"]["cards"])
    del view["nations"]
    transit = (TRANSIT, chosen["transit_cell"], chosen["nominee"])
    county = (COUNTY, chosen["cell"], chosen["county"])
    expected = [card for card in (transit, county) if card[1] is not None]
    assert [(card["kind"], card["cell"], card["id"]) for card in waiting] == expected


NOUNS = {"uk-counties": "county", "world-countries": "country", "us-states": "state"}


class Table(Engine):
    """The same match three times: as a Match, as a batch of one, and in the model."""

    def __init__(
        self, model: Model, options: dict[str, Any], seed: int, seen: Counter[str]
    ) -> None:
        self.model = model
        super().__init__("mapominoes", {"seed": seed, **options}, None, seen)
        self.atlas = {"atlas": options.get("atlas", "uk-counties"), "noun": "region"}
        if isinstance(self.atlas["atlas"], str):
            self.atlas["noun"] = NOUNS[self.atlas["atlas"]]
        else:
            custom = {"noun": "region", **self.atlas["atlas"]["custom"]}
            self.atlas["atlas"] = {"custom": custom}
        self.paid = self.model.returns()
        self.deal()

    def deal(self) -> None:
        """Tell the model every deal that it wants."""
        while self.model.wanted:
            hands = [hand["cards"] for hand in self.view["hands"]]
            if self.model.wanted == ROUND:
                (start,) = self.view["table"]["cards"]
                self.model.deal(hands, start["id"])
                continue
            turn, blocked = self.model.turn, self.model.blocked_rounds
            unseen = self.view["round"] != self.model.round
            self.model.deal_rest(None if unseen else hands)
            if self.model.blocked_rounds > blocked:
                self.seen["blocked after the second deal"] += 1
            elif self.model.turn == turn:
                self.seen["extra go after the second deal"] += 1

    def agree(self) -> list[str]:
        """Compare all three before a decision, and return the legal actions."""
        expected = self.model.view() | self.atlas | {"last": self.last}
        assert self.view.pop("legal") == self.match.legal()
        if self.model.to_act() is None:
            del self.view["turn"], expected["turn"]
        agree_on_what_waits(self.view)
        assert self.view == expected
        return self.agree_on_actions(self.model)

    def go_on_from_the_position(self) -> None:
        """Compare the position as text, and go on with matches that begin there."""
        text = self.position()
        position = json.loads(text)
        position["shown"].sort()
        assert position == self.model.position()
        self.paid = self.model.returns()
        self.go_on_from(text)

    def agree_on_what_a_seat_sees(self, viewer: int) -> None:
        """Compare the table as a seat sees it, with the hands of the others hidden."""
        expected = self.model.view() | self.atlas | {"last": self.last}
        expected["viewer"] = viewer
        expected["hands"] = self.model.hands_seen_by(viewer)
        expected["legal"] = self.match.legal() if viewer == self.model.to_act() else []
        seen = self.match.view(viewer)
        agree_on_what_waits(seen)
        assert seen == expected

    def refuse_timeout(self) -> None:
        with pytest.raises(ValueError, match="no time-out"):
            self.match.timeout()
        self.seen[f"no time-out in {self.model.phase}"] += 1

    def play(self, action: str) -> None:
        before = copy.copy(self.model)
        before.points = list(self.model.points)
        before.hands = [set(hand) for hand in self.model.hands]
        before.table = dict(self.model.table)
        if action == TIMEOUT:
            self.match.timeout()
            lane = self.batch[0]
            lane.timeout()
            self.batch[0] = lane
            self.batch.observe(self.out)
            self.model.timeout()
        else:
            self.step(action)
            self.model.play(action)
        self.last = action
        self.note(before, action)
        self.view = self.match.view("all")
        self.deal()
        if action != TIMEOUT:
            earned = np.subtract(self.model.returns(), self.paid)
            assert self.out.reward[0].tolist() == earned.tolist()
            self.paid = self.model.returns()

    def note(self, before: Model, action: str) -> None:
        """Note what a decision has shown."""
        self.seen.update(events_of(before, action, self.model))


def events_of(before: Model, action: str, after: Model) -> list[str]:
    """Return what was interesting about a decision; a deal that is wanted is still to come."""
    events = []
    if action == TIMEOUT:
        events += [f"time-out in {before.phase}"]
        events += ["time-out with no card"] if before.pile == 0 else []
    elif action == TAKE:
        events += ["no card to take" if before.pile == 0 else "a card taken"]
    laid = sum(map(len, before.hands)) - sum(map(len, after.hands)) == 1
    if laid:
        extra = after.extra_go and after.wanted is None and after.phase == GO
        events += ["extra go"] if extra else []
        events += ["round won"] if not after.hands[before.turn] and not before.undealt else []
    if before.nominee is not None and laid:
        events += [f"transit {kind_of(before.atlas, str(before.nominee))}"]
        if before.nominee in before.atlas.region and before.nominee not in before.deck:
            events += ["transit region out of play"]
        events += ["double follow-up"] if after.extra_go else []
        (cell,) = (
            c for c, card in after.table.items() if c not in before.table and card[0] == COUNTY
        )
        single = len(after.adjacent(cell)) > 1 and not after.extra_go
        events += ["no double by a transit card"] if single else []
    if before.phase == CHALLENGE and (laid or action == CHALLENGE_IT):
        done = "challenged" if action == CHALLENGE_IT else "let be"
        events += events_of_challenge(before, laid, done)
    if after.wanted == REST:
        events += ["second deal"]
        events += ["second deal let be"] if before.phase == CHALLENGE else []
    if after.blocked_rounds > before.blocked_rounds:
        events += ["blocked by passes" if after.passes >= after.players else "blocked at once"]
        events += ["blocked before the second deal"] if after.undealt else []
    return events


def events_of_challenge(before: Model, laid: bool, done: str) -> list[str]:
    """Return what was interesting about what was laid and then challenged or let be."""
    assert before.county is not None
    assert before.cell is not None
    right = "right" if before.is_right() else "wrong"
    last = len(before.hands[before.turn]) == 1
    events = [f"{right} {done}"]
    events += [f"last {done}", f"{right} last {done}"] if last else []
    if before.transit_cell is not None:
        transit_right = before.nominee in before.transit_nominees(before.transit_cell)
        what = "follow-up" if transit_right else "transit"
        events += [f"{right} {what} {done}"]
        events += [f"last follow-up {done}"] if last else []
    if right == "wrong" and not laid and len(before.adjacent(before.cell)) > 1:
        events += ["extra go lost"]
    return events


def kind_of(atlas: Atlas, nominee: str) -> str:
    return str(atlas.water[nominee]["kind"]) if nominee in atlas.water else "region"


def events_of_options(model: Model, options: dict[str, Any]) -> list[str]:
    """Return what is interesting about a match before it is played."""
    width, height = options.get("table", (30, 20))
    atlas = options.get("atlas", "uk-counties")
    name = atlas if isinstance(atlas, str) else "custom"
    events = [f"players {model.players}", f"table {width} by {height}", f"atlas {name}"]
    events += [f"draw {model.draw}"]
    events += [f"double {'with' if model.double_with_transit else 'without'} transit"]
    events += ["nations"] if "nations" in options else [f"whole {name}"]
    events += ["easier"] if options.get("transit_each") == "easier" else []
    events += ["no transit cards"] if model.transit_cards == 0 else []
    events += ["several rounds"] if model.rounds > 1 else []
    return events


def play_out(table: Table, rng: random.Random) -> None:
    """Play a match to its end by a style drawn at random."""
    style, model, seen = Style.draw(rng), table.model, table.seen
    while legal := table.agree():
        if model.phase == GO and TAKE not in legal:
            seen["no right to take"] += 1
        if rng.random() < 0.03:
            table.go_on_from_the_position()
            seen["position gone on from"] += 1
        if rng.random() < 0.05:
            table.agree_on_what_a_seat_sees(rng.randrange(model.players))
            seen["what a seat sees"] += 1
        if rng.random() < 0.05:
            action = rng.choice(table.names)
            if action not in legal:
                table.refuse(action)
                seen[f"illegal in {model.phase}"] += 1
        if model.phase == CHALLENGE and rng.random() < 0.1:
            table.refuse_timeout()
        table.play(style.choose(rng, model, legal))
    table.refuse_timeout()
    if rng.random() < 0.1:
        again = adjoin.Match.from_replay(table.match.replay())
        assert again.view("all") == table.match.view("all")
        seen["replay"] += 1
    winners = model.points.count(min(model.points))  # MAPO-22
    seen["one winner" if winners == 1 else "shared win"] += 1


def draw_table(rng: random.Random, kind: str, seen: Counter[str]) -> Table:
    """Begin a match of this kind."""
    while True:
        atlas, options = draw_options(rng, kind)
        model = Model(atlas, **{k: v for k, v in options.items() if k != "atlas"})
        if can_begin(model, options.get("staged", False)):
            seen.update(events_of_options(model, options))
            return Table(model, options, rng.getrandbits(64), seen)


def kinds_of_matches(rng: random.Random) -> list[str]:
    """Return the kinds of a chunk's matches, in random order."""
    kinds = [f"whole {name}" for name in WATERS_FILE]
    kinds += ["uk-counties"] * 3 + ["us-states"] * 10 + ["world-countries"] * 2
    kinds += ["tight"] * 60
    kinds += ["custom"] * (MATCHES - len(kinds))
    rng.shuffle(kinds)
    return kinds


@pytest.mark.parametrize("chunk", chunks(CHUNKS))
def test_matches_agree_with_the_model(chunk: int) -> None:
    rng = random.Random(chunk)
    seen: Counter[str] = Counter()
    for kind in kinds_of_matches(rng):
        play_out(draw_table(rng, kind, seen), rng)
    assert set(seen) >= EVERYTHING


NORTH, SOUTH, WEST, EAST = (4, 5), (6, 5), (5, 4), (5, 6)
MIDDLE, FAR_EAST = (5, 5), (5, 7)


def on_the_table(cards: dict[Cell, Card], *hand: str) -> Model:
    """Return the model of a round with these cards on the table and this hand to play."""
    model = Model(shipped("uk-counties"))
    model.wanted = None
    model.table = cards
    model.hands = [set(hand), {"shetland"}]
    model.transit = [1, 1]
    return model


def counties_that_fit(model: Model, cell: Cell) -> set[str]:
    return {county for county in model.deck if model.fits(county, cell)}


def after_transit(start: str, nominee: str, follow: str) -> Model:
    """Play a transit card east of the starting county, and a county card east of that."""
    model = on_the_table({MIDDLE: (COUNTY, start)}, follow, "orkney")
    name = model.atlas.name
    for action in (f"transit {name[nominee]}", cell_name(EAST), name[follow], cell_name(FAR_EAST)):
        assert action in model.legal()
        model.play(action)
    assert model.table[EAST] == (TRANSIT, nominee)
    assert model.table[FAR_EAST] == (COUNTY, follow)
    return model


def test_example_e1_a_neighbour_of_staffordshire_borders_it() -> None:
    model = on_the_table({MIDDLE: (COUNTY, "staffordshire")})
    assert counties_that_fit(model, NORTH) == {
        *("cheshire", "derbyshire", "leicestershire", "shropshire"),
        *("warwickshire", "west_midlands", "worcestershire"),
    }


def test_example_e2_a_card_between_two_is_a_double_connection() -> None:
    cards = {NORTH: (COUNTY, "northamptonshire"), WEST: (COUNTY, "gloucestershire")}
    model = on_the_table(cards, "oxfordshire", "kent")
    model.play("Oxfordshire")
    assert cell_name(MIDDLE) in model.legal()
    model.play(cell_name(MIDDLE))
    assert (model.turn, model.double_connections) == (0, [1, 0])


@pytest.mark.parametrize("side", [NORTH, SOUTH, WEST, EAST])
def test_example_e3_any_side_will_do(side: Cell) -> None:
    model = on_the_table({MIDDLE: (COUNTY, "derbyshire")}, "nottinghamshire", "kent")
    model.play("Nottinghamshire")
    assert cell_name(side) in model.legal()
    model.play(cell_name(side))
    assert (model.turn, model.double_connections) == (1, [0, 0])


@pytest.mark.parametrize(
    ("start", "nominee", "follow", "later"),
    [
        ("merseyside", "irish_sea", "antrim", ["anglesey", "pembrokeshire"]),
        ("gloucestershire", "somerset", "devon", ["bristol", "dorset"]),
        ("surrey", "greater_london", "city_of_london", ["kent"]),
        ("essex", "greater_london", "city_of_london", ["kent"]),
    ],
)
def test_examples_e4_e5_e8_transit_cards(
    start: str, nominee: str, follow: str, later: Sequence[str]
) -> None:
    fitting = counties_that_fit(after_transit(start, nominee, follow), (4, 6))
    assert fitting >= {*later, start}
    assert nominee not in fitting  # MAPO-14


@pytest.mark.parametrize(
    ("county", "bordered", "other"),
    [
        ("cheshire", (COUNTY, "derbyshire"), (COUNTY, "lincolnshire")),
        ("oxfordshire", (COUNTY, "wiltshire"), (TRANSIT, "somerset")),
    ],
)
def test_examples_e6_e7_bordering_one_neighbour_is_not_enough(
    county: str, bordered: Card, other: Card
) -> None:
    assert on_the_table({NORTH: bordered}).fits(county, MIDDLE)
    assert not on_the_table({WEST: other}).fits(county, MIDDLE)
    assert not on_the_table({NORTH: bordered, WEST: other}).fits(county, MIDDLE)
