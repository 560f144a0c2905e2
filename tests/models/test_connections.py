"""Connections: the engine agrees with an independent, slow model, decision for decision."""

from __future__ import annotations

import itertools
import json
import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import adjoin
from models.connections import (
    ACCEPT,
    ANNOUNCE,
    ANSWER,
    DISCARD,
    DRAW,
    HAND,
    IDLE,
    INVITE,
    INVITED,
    JOIN,
    KINDS,
    LAST,
    MOST,
    NO,
    OFFER,
    OVER,
    PAIR,
    PASS,
    PLAY,
    SET,
    TAKE,
    TOKENS,
    Deck,
    Face,
    Link,
    Model,
    Told,
    actions_of,
    grouping_value,
    read_deck,
    value_of,
)
from models.engine import Engine, same
from scaffold import chunks

DATA = Path(adjoin.__file__).parent / "data"
CHUNKS = 4
ROUNDS = 500
"""Rounds in a chunk, at least: 2,000 in all chunks. Every round of a match counts."""
TABLES = 2_500
"""Tables in a chunk, at least: 20,000 in all chunks."""

WORDS = (ANNOUNCE, ACCEPT, JOIN, NO, DRAW, TAKE, PASS)
ILLEGAL = {ANNOUNCE: 0.2, OFFER: 0.05, ANSWER: 0.1, ACCEPT: 0.1, PLAY: 0.1}
ILLEGAL |= {INVITED: 0.8, SET: 0.1, DRAW: 0.1, DISCARD: 0.1}
"""How often something illegal is tried in a phase."""
SHIPPED = "world-cities"
SHIPPED_DECK = read_deck(DATA / "connections-cities.csv", DATA / "connections-cards.csv")
DECKS: dict[str, dict[str, Any]] = {
    "two regions": {"regions": [2], "cities": [8, 11], "links": [0, 1, 3]},
    "three at a link": {"regions": [3, 4], "cities": [5, 6], "links": [3, 4], "joins": [3]},
    "small regions": {"regions": [5, 7], "cities": [3], "links": [2, 5]},
    "cards of one region": {"regions": [4], "cities": [4, 6], "links": [2], "same": 0.6},
    "wide": {"regions": [16], "cities": [3, 4, 5], "links": [16], "cards": 64},
    "two-faced links": {"regions": [3, 4], "cities": [4, 5], "links": [4, 6, 9], "faces": 2},
    "any": {"regions": range(2, 9), "cities": range(3, 8), "links": range(9), "same": 0.2},
}
"""What decks of our own are drawn from."""
PAIRS = ("front", "least", "most")
TEXTS = (
    *("is asked about an offer", "is asked for an answer", "is asked whether to accept"),
    *("is asked whether to announce", "is invited: join or no", "the set needs another city"),
    *("a card is drawn now", "a card is discarded now", "does not hold", "has a token already"),
    *("has no token left", "a set takes three tokens", "has a set of", "three cities of"),
    *("or a link that shows it", "(CONN-7)", "the draw pile is empty", "the discard pile is empty"),
    *("no other card to discard", "is not discarded at once", "there is something to do"),
    *("partnerships are off", "has not played", "has a partner already", "has an open invitation"),
    *("one invitation a turn", "has no turn to come", "is in turn and does not trade"),
    *("as many as allowed", "share a partnership or an open invitation"),
    *("has no card to answer with", "cards are offered at the start", "nobody announces"),
    *("has announced already", "all must have had six turns", "the end is announced before"),
)
"""Words of every refusal."""

EVERYTHING = {
    *(f"{players} players" for players in HAND),
    *(f"deck {name}" for name in (SHIPPED, *DECKS)),
    *(f"{option} {on}" for option in ("trading", "partnerships") for on in (True, False)),
    *(f"partnerships_each {number}" for number in range(1, 6)),
    *(f"pairs {turned}" for turned in PAIRS),
    *(f"deals_each {number}" for number in (1, 2, 3, 4)),
    *("announce", "no announcement", "announcement that ends the round"),
    *("offer", "no offer", "answer", "no answer", "trade", "no trade", "next asked after an offer"),
    *("offer of the announcer", "known card offered", "known card laid", "known card discarded"),
    *("set", "second set", "set with a card of one region", "set that makes partners"),
    *("link of a card with two", "link of a city on two cards"),
    *("link of 2 regions", "link of 3 regions", "link at two sets", "second link at a set"),
    *(f"single at an own {what}" for what in ("set", "link")),
    *(f"single of {who}" for who in ("a partner", "an invited", "an owner with a partner")),
    *("invite", "join at once", "join to come", "no to an invitation", "no turn to come"),
    *("join without a turn to come", "partners by a single", "partners around three regions"),
    *("two partnerships of one seat", "two invitations to one seat", "invitation lapses"),
    "invitation lapses by the announcement",
    *(f"exchange by {how}" for how in (DRAW, TAKE)),
    *(f"{how} after a play" for how in (DRAW, TAKE)),
    *("the drawn card discarded", "nothing to draw", "only to take", "only to draw"),
    *(f"shuffled after {what}" for what in (f"{DRAW} in {PLAY}", f"{DRAW} in {DRAW}", DISCARD)),
    *("second shuffle", "hidden cards of two ages", "hidden cards of three ages"),
    *("pass", "pass, though a guest could be invited", "empty hand", "draw with an empty hand"),
    *("no token left", "all tokens played"),
    *(f"ended by {why}" for why in (IDLE, LAST, MOST)),
    *(f"ended by {why} after an announcement" for why in (LAST, MOST)),
    *(f"match ended by {why}" for why in (IDLE, MOST)),
    *("won", "shared", "drawn unseen"),
    *(f"refused: {text}" for text in TEXTS),
    *(f"position in {phase}" for phase in (*KINDS, OVER)),
    *("position of our own", "position without defaults", "what a seat sees", "replay"),
}


def draw_deck(rng: random.Random, kind: str, players: int) -> Deck:
    """Draw a deck of our own."""
    draw = DECKS[kind]
    regions = [f"{word}_land" for word in ("a", "b_c", "dé")] + [f"r{n}" for n in range(13)]
    regions = regions[: rng.choice(draw["regions"])]
    cities: list[dict[str, Any]] = []
    for region in regions:
        for _ in range(rng.choice(draw["cities"])):
            name = rng.choice(["Élan", "St. B's", "C–D", "E & F", "g"])
            cities.append({"regions": [region], "name": f"{name} {len(cities)}"})
    if rng.random() < 0.5:
        rng.shuffle(cities)
    links: list[dict[str, Any]] = []
    for n in range(rng.choice(draw["links"])):
        joins = min(len(regions), rng.choice(draw.get("joins", [2, 3])))
        links.append({"regions": rng.sample(regions, joins), "name": f"Łink {n}"})
    cities = [*links, *cities] if rng.random() < 0.3 else [*cities, *links]
    for n, city in enumerate(cities):
        city["id"] = f"c{n}"
        if rng.random() < 0.3:
            city |= {"colour": "olive", "lon": rng.randint(-180, 180) / 2, "lat": 4.25}
    idents = [city["id"] for city in links]
    cards = [[ident, ident] for ident in idents]
    if "faces" in draw:
        able = [[one, other] for one in idents for other in idents if one < other]
        cards = rng.sample(cards, 1) + rng.sample(able, rng.randint(3, min(len(able), 9)))
    least = players * HAND[players] + 1
    number = draw.get("cards", min(64, max(len(cards) + 9, least + rng.choice([0, 1, 4, 12, 20]))))
    pairs = [*itertools.combinations([city for city in cities if len(city["regions"]) == 1], 2)]
    rng.shuffle(pairs)
    for one, other in pairs:
        alike = one["regions"] == other["regions"]
        if len(cards) < number and (not alike or rng.random() < draw.get("same", 0)):
            cards.append(rng.sample([one["id"], other["id"]], 2))
    if len(cards) < least:
        return draw_deck(rng, kind, players)
    if rng.random() < 0.5:
        rng.shuffle(cards)
    return Deck(cities, cards)


class Style:
    """How often the players of a match do what."""

    def __init__(self, rng: random.Random) -> None:
        self.announce = rng.choice([0.1, 0.4, 0.8])
        self.offer = rng.choice([0.0, 0.1, 0.5])
        self.answer = rng.choice([0.3, 0.8])
        self.accept = rng.choice([0.3, 0.8])
        self.invite = rng.choice([0.1, 0.6, 1.0])
        self.join = rng.choice([0.3, 0.9, 1.0])
        self.keep_word = rng.choice([0.2, 1.0])
        self.play = rng.choice([0.1, 0.8, 1.0])
        self.link = rng.choice([0.1, 0.5, 1.0])
        self.set = rng.choice([0.1, 0.5, 1.0])
        self.take = rng.choice([0.0, 0.2, 0.6])
        self.clever = rng.choice([0.0, 0.8, 1.0])

    def choose(self, rng: random.Random, model: Model, legal: list[str]) -> str:
        """Choose a legal action."""
        by_kind = by(kind_of, legal)
        for kind in (ANNOUNCE, OFFER, ANSWER, ACCEPT, JOIN):
            if kind in by_kind:
                able = by_kind[kind] if rng.random() < getattr(self, kind) else by_kind[NO]
                return rng.choice(able)
        if INVITE in by_kind and rng.random() < self.invite:
            return rng.choice(by_kind[INVITE])
        plays = by_kind.get(SET, []) + by_kind.get(PLAY, [])
        if DISCARD in by_kind:
            if rng.random() < self.clever:
                worth = {action: use_of(model, action) for action in legal}
                legal = [action for action in legal if worth[action] == min(worth.values())]
            return rng.choice(legal)
        owed = [play for play in plays if is_owed(model, play)]
        if owed and rng.random() < self.keep_word:
            plays = owed
        if plays and (plays is owed or model.phase == SET or rng.random() < self.play):
            sets = [play for play in plays if kind_of(play) == SET]
            links = [play for play in plays if model.deck.is_link[face_in(model, play)[0]]]
            if sets and rng.random() < self.set:
                return rng.choice(sets)
            return rng.choice(links if links and rng.random() < self.link else plays)
        if TAKE in by_kind and (DRAW not in by_kind or rng.random() < self.take):
            return TAKE
        return DRAW if DRAW in by_kind else rng.choice(legal)


def by(key: Callable[[str], str], actions: Sequence[str]) -> dict[str, list[str]]:
    """Return the actions of every key."""
    found: dict[str, list[str]] = {}
    for action in actions:
        found.setdefault(key(action), []).append(action)
    return found


def kind_of(action: str) -> str:
    """The block of an action's id."""
    return action.split()[0]


def face_in(model: Model, play: str) -> Face:
    """The face that is played or named for a set."""
    return model.deck.face_of[play.partition(" ")[2]]


def card_in(model: Model, action: str) -> int:
    """The card that is discarded, offered or answered."""
    return model.deck.card_of[action.partition(" ")[2].partition(" to +")[0]]


def is_owed(model: Model, play: str) -> bool:
    """Whether a play keeps the word that was given for an invitation."""
    regions = model.deck.regions_of[face_in(model, play)[1]]
    invited = [link.city for link in model.links if link.invited == model.turn]
    return any(regions[0] in model.deck.regions_of[city] for city in invited)


def use_of(model: Model, discard: str) -> int:
    """How much the card is good for."""
    deck, seat, card = model.deck, model.turn, card_in(model, discard)
    faces = [face for face in deck.faces([card]) if face[1] not in model.tokens_on()]
    regions = {region for face in faces for region in deck.regions_of[face[1]]}
    if deck.is_link[card]:
        return 9 if any(region in model.sets[seat] for region in regions) else 2
    hand = Counter(
        region for face in deck.faces(model.hands[seat]) for region in deck.regions_of[face[1]]
    )
    return max((hand[region] + 5 * model.may_add(seat, region) for region in regions), default=0)


def agree_on_scores(model: Model, scores: list[dict[str, Any]], viewer: int | None) -> None:
    """Compare what a viewer is shown of the points, part by part."""
    assert len(scores) == model.players
    for seat, score in enumerate(scores):
        parts = by_what(score["parts"])
        seen = model.sees(viewer, seat)
        assert score["points"] == model.score(seat, seen=seen)
        assert sum(part["points"] for part in score["parts"]) == score["points"]
        shares, expected = parts.pop("partnership", []), model.shares(seat)
        for part, share in zip(shares, expected, strict=True):
            city, points = model.deck.cities[share["link"]]["name"], share["points"]
            text = f"{city}, with seat {share['with']}: {counted(share)}, your half {points}"
            assert part == share | {"text": text}
        agree_on_groups(model, seat, parts.pop("group", []))
        pairs = model.pairs(model.hands[seat]) if seen else 0
        name = "pair" if pairs == 1 else "pairs"
        text = f"{pairs} {name} in hand: {PAIR * pairs} points"
        found = [(part["cards"], part["points"], part["text"]) for part in parts.pop("pairs", [])]
        assert found == ([(2 * pairs, PAIR * pairs, text)] if pairs else [])
        assert not parts


def counted(part: dict[str, Any]) -> str:
    """The cards and points of a part, for people."""
    return f"{part['cards']} card{'s' * (part['cards'] > 1)}, {part['value']} points"


def by_what(parts: list[dict[str, Any]]) -> dict[str, list[dict[str, Any]]]:
    found: dict[str, list[dict[str, Any]]] = {}
    for part in parts:
        found.setdefault(part["what"], []).append(part)
    return found


def agree_on_groups(model: Model, seat: int, groups: list[dict[str, Any]]) -> None:
    """These are a grouping of the seat's own cities and links, each counted as it must be."""
    left, links = model.alone(seat), model.own_links(seat)
    order = [model.deck.regions.index(group["regions"][0]) for group in groups]
    assert order == sorted(order)
    for group in groups:
        cities = sum(left.pop(region) for region in group["regions"])
        assert group["with"] is None
        assert group["cards"] == cities + bool(group["link"])
        assert group["value"] == group["points"] == value_of(group["cards"])
        assert group["text"].endswith(f": {counted(group)}")
        if group["link"]:
            links.remove(group["link"])
            assert set(group["regions"]) <= set(model.deck.regions_of[group["link"]])
        else:
            assert len(group["regions"]) == 1
    assert not left


class Table(Engine):
    """The same match three times: as a Match, as a batch of one, and in the model."""

    def __init__(
        self, kind: str, rng: random.Random, options: dict[str, Any], seen: Counter[str]
    ) -> None:
        players = options.get("players", 3)
        deck = SHIPPED_DECK if kind == SHIPPED else draw_deck(rng, kind, players)
        self.kind = kind
        self.model = model = Model(deck, **options)
        options = {"seed": rng.getrandbits(64), **options}
        if kind != SHIPPED or rng.random() < 0.5:
            options["deck"] = SHIPPED if kind == SHIPPED else deck.option(kind)
        super().__init__("connections", options, actions_of(deck, players), seen)
        if kind != SHIPPED or f"deck {kind}" not in seen:
            assert [self.match.notation(n) for n in range(len(self.names))] == self.names
        model.deal(self.hands())
        seen.update([f"{players} players", f"deck {kind}", f"trading {model.trading}"])
        seen.update([f"partnerships {model.partnerships}"])
        seen.update([f"deals_each {model.rounds // players}", f"pairs {model.turned}"])
        seen.update([f"partnerships_each {model.partnerships_each}"])

    def hands(self) -> list[list[int]]:
        card_of = self.model.deck.card_of
        return [[card_of[name] for name in hand["held"]] for hand in self.view["hands"]]

    def agree_on_view(self, view: dict[str, Any], viewer: int | None) -> None:
        """Compare a view, but for the legal actions."""
        model = self.model
        expected = model.view(viewer) | {"last": self.last}
        del view["moment"]
        assert same(view.pop("returns"), expected.pop("returns"))
        scores = view.pop("scores")
        if model.phase in (PLAY, OVER):
            agree_on_scores(model, scores, viewer)
        colours = [region.pop("colour") for region in view["regions"]]
        if self.kind == SHIPPED:
            colour_of = {
                tuple(city["regions"]): city["colour"] for city in model.deck.cities.values()
            }
            assert colours == [colour_of[region,] for region in model.deck.regions]
        if model.phase == OVER:
            del view["turn"], expected["turn"]
        assert view == expected

    def agree(self) -> list[str]:
        """Compare all three before a decision, and return the legal actions."""
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

    def go_on_from_a_position_of_our_own(self, rng: random.Random) -> None:
        """Go on from another position, made of this one."""
        change(self.model, rng)
        self.go_on_from(json.dumps(self.model.position()))
        self.seen["position of our own"] += 1

    def go_on_without_defaults(self) -> None:
        """Go on from a position that says only what differs from the start of a match."""
        model = self.model
        position, none = model.position(), [0] * model.players
        defaults: dict[str, Any] = dict.fromkeys(["turns", "last_turns"], none)
        defaults |= dict.fromkeys(["laid", "sets"], [[]] * model.players)
        defaults |= {"links": [], "discard": [], "known": [], "ages": {}, "chosen": []}
        defaults |= dict.fromkeys(["announced", "asked", "card", "to", "reply", "link", "taken"])
        dealer = (model.players - 1 + len(model.history)) % model.players
        defaults |= {"shuffles": 0, "dealer": dealer, "turn": model.left_of(dealer)}
        defaults |= {"idle": 0, "phase": PLAY, "may_invite": True, "history": []}
        named = [*itertools.chain(*model.hands), *itertools.chain(*model.laid), *model.discard]
        if len(named) + len(model.pile) == len(model.deck.cards):
            del position["pile"]
            self.seen["position without defaults"] += 1
        self.go_on_from_what_differs(position, defaults)

    def agree_on_what_seats_see(self) -> None:
        """Compare the table as each seat sees it, with the cards of the others hidden."""
        for seat in self.model.seats:
            view = self.match.view(seat)
            assert view.pop("legal") == (self.match.legal() if seat == self.model.to_act() else [])
            self.agree_on_view(view, seat)
        self.seen["what a seat sees"] += 1

    def refuse(self, action: str) -> None:
        """Neither the match nor the batch plays an illegal action, and nothing changes."""
        error, objections = self.match.why_not(action), set(self.model.objections(action))
        assert error
        why = f"{error.reason} ({error.clause})" if error.clause else error.reason
        assert why in objections or "?" in objections
        super().refuse(action)
        self.seen.update(f"refused: {text}" for text in TEXTS if text in why)

    def play(self, action: str, legal: Sequence[str]) -> None:
        model = self.model
        returns, rounds, shuffles = model.returns(), len(model.history), model.shuffles
        phase, invited = model.phase, [link for link in model.links if link.invited is not None]
        announced = model.announced
        self.step(action)
        self.last = action
        self.view = self.match.view("all")
        told = self.told(action)
        self.seen.update(events_of(model, action, legal))
        model.play(action, told)
        assert same(self.out.reward[0].tolist(), np.subtract(model.returns(), returns).tolist())
        if len(model.history) > rounds:
            if action == DRAW and told.card is None:
                self.seen["drawn unseen"] += 1
            self.seen.update(events_of_end(model, action, announced))
            return
        if model.shuffles > shuffles:
            what = f"{DRAW} in {phase}" if action == DRAW else kind_of(action)
            self.seen[f"shuffled after {what}"] += 1
        if phase in (ANSWER, ACCEPT) and model.phase == OFFER:
            self.seen["next asked after an offer"] += 1
        self.seen.update(events_after(model, invited, action))

    def told(self, action: str) -> Told:
        """Return what chance brought with the last action."""
        view, model = self.view, self.model
        if view["round"] != model.round:
            return Told(hands=self.hands(), points=view["history"][-1])
        if action != DRAW:
            return Told()
        (card,) = set(self.hands()[model.turn]) - model.hands[model.turn]
        return Told(card)


def grow(model: Model, rng: random.Random, plays: int, each: int) -> None:
    """Let seats play cards of the pile, so many in all and each."""
    deck, had = model.deck, Counter[int]()
    seats = [*model.seats, *[model.turn] * rng.choice([0, 5, 30])]
    sets, most = rng.choice([0.2, 0.2, 1.0]), rng.choice([10, 11, TOKENS])
    for _ in range(plays):
        seat = rng.choice(seats)
        invite_some(model, rng, seats, 0.2)
        free = free_faces(model)
        able = [[face] for face in playable(model, seat, free)]
        for region in deck.regions:
            if region not in model.sets[seat] and rng.random() < (sets if able else 1):
                able += [three] if (three := three_of(model, rng, free, region)) else []
        able = [faces for faces in able if len(model.laid[seat]) + len(faces) <= most]
        if not able or had[seat] >= each:
            continue
        had[seat] += 1
        faces = rng.choice(able if rng.random() < 0.5 else able[-1:])
        if len(faces) == 3:
            model.sets[seat].add(deck.regions_of[faces[0][1]][0])
        elif deck.is_link[faces[0][0]]:
            model.links.append(Link(faces[0][1], seat))
        model.laid[seat] += faces
        model.pile -= {card for card, _ in faces}
        model.ages |= dict.fromkeys((card for card, _ in faces), 0)
    invite_some(model, rng, seats, 0.5)
    for link in model.links:
        if link.invited is not None and not model.has_a_turn_to_come(link.invited):
            link.invited = None
    model.turns = [turns + max(had.values(), default=0) for turns in model.turns]


def invite_some(model: Model, rng: random.Random, seats: Sequence[int], often: float) -> None:
    """Let seats accept invitations."""
    for link in model.links if model.partnerships else []:
        able = [
            guest
            for guest in seats
            if guest != link.owner and not any(model.objections_to_partners(link.owner, guest))
        ]
        if link.partner is link.invited is None and able and rng.random() < often:
            link.invited = rng.choice(able)
    model.make_partners()


def playable(model: Model, seat: int, faces: list[Face]) -> list[Face]:
    """Those of these faces that a seat may play as links and singles, if it has card and token."""
    regions = {region for region in model.deck.regions if model.may_add(seat, region)}
    of_kind = {True: model.sets[seat], False: regions}
    regions_of, is_link = model.deck.regions_of, model.deck.is_link
    return [face for face in faces if not of_kind[is_link[face[0]]].isdisjoint(regions_of[face[1]])]


def are_apart(faces: Sequence[Face]) -> bool:
    """Whether these are different cities on different cards."""
    return len(faces) == len({card for card, _ in faces}) == len({city for _, city in faces})


def free_faces(model: Model) -> list[Face]:
    """Every way to turn a card of the pile to a city without a token."""
    tokens = model.tokens_on()
    return [face for face in model.deck.faces(model.pile) if face[1] not in tokens]


def three_of(model: Model, rng: random.Random, free: list[Face], region: str) -> list[Face]:
    """Three of these faces that could be a set of the region; nothing if none could."""
    faces = [face for face in free if model.deck.regions_of[face[1]] == [region]]
    threes = itertools.combinations(rng.sample(faces, min(len(faces), 6)), 3)
    return [*next((three for three in threes if are_apart(three)), ())]


def deal_a_set(model: Model, rng: random.Random) -> None:
    """Give the seat in turn three cities of a region for some of its cards."""
    deck, hand, seat = model.deck, model.hands[model.turn], model.turn
    owed = [deck.regions_of[link.city] for link in model.links if link.invited == seat]
    likely = [*itertools.chain(*owed)] or rng.choice([sorted(model.sets[seat]), []])
    for region in [*likely, *rng.sample(deck.regions, len(deck.regions))]:
        if three := three_of(model, rng, free_faces(model), region):
            hand -= {*rng.sample(sorted(hand), min(len(hand), 3))}
            hand |= {card for card, _ in three}
            model.pile -= hand
            return


def change(model: Model, rng: random.Random) -> None:
    """Before a play, deal and play cards, take some out of the game, let turns pass."""
    if not any(model.turns):
        for _ in range(rng.randrange(model.players)):
            model.turns[model.turn] += 1
            model.turn = model.left_of(model.turn)
    if rng.random() < 0.3:
        deal_a_set(model, rng)
    if model.announced is None and rng.random() < 0.7:
        grow(model, rng, rng.randint(0, 30), model.max_turns - 1 - max(model.turns))
    owes = any(link.invited == model.turn for link in model.links)
    if owes or rng.random() < 0.5:
        deal_a_set(model, rng)
    for hand in model.hands if rng.random() < 0.3 else []:
        size = rng.choice([0, 1, 3, 9])
        hand.intersection_update(rng.sample(sorted(hand), min(size, len(hand))))
    if rng.random() < 0.5:
        size = rng.choice([0, 1, 2, 4, 6])
        model.pile = set(rng.sample(sorted(model.pile), min(size, len(model.pile))))
    if not model.pile:
        model.discard = model.discard[: rng.choice([0, 1, 1])]
    if rng.random() < 0.7:
        more = rng.choice([0, 1, 2, 4, 6, 6, 99, 99])
        more = min(more, model.max_turns - 1 - max(model.turns))
        model.turns = [turns + max(more, 0) for turns in model.turns]
    if rng.random() < 0.3:
        most = min(sum(model.turns), 2 * model.players - 1)
        model.idle = max(model.idle, rng.randint(0, most)) if model.round == model.rounds else 0
    everywhere = {*itertools.chain(*model.hands), *model.pile}
    model.known &= everywhere
    model.ages = {card: age if card in everywhere else 0 for card, age in model.ages.items()}


def events_of(model: Model, action: str, legal: Sequence[str]) -> Iterator[str]:
    """What is interesting about an action that is to be played."""
    kind, phase, seat = kind_of(action), model.phase, model.turn
    hand = model.hands[seat]
    if kind in (ANNOUNCE, OFFER, ANSWER, INVITE, PASS):
        yield kind
    if kind == NO:
        what = {ANNOUNCE: "announcement", OFFER: "offer", ANSWER: "answer", ACCEPT: "trade"}
        yield f"no {what[phase]}" if phase in what else "no to an invitation"
        if phase == INVITED and JOIN not in legal:
            yield "no turn to come"
    if kind == OFFER:
        if model.asked == model.announced:
            yield "offer of the announcer"
        if card_in(model, action) in model.known:
            yield "known card offered"
    if kind == ACCEPT:
        yield "trade"
    if kind == PASS and any(kind_of(other) == INVITE for other in legal):
        yield "pass, though a guest could be invited"
    if kind == JOIN:
        assert model.link is not None
        assert model.to is not None
        at_once = model.is_in(model.to, model.link)
        yield "join at once" if at_once else "join to come"
        if not model.has_a_turn_to_come(model.to):
            yield "join without a turn to come"
    if kind in (DRAW, TAKE):
        yield f"exchange by {kind}" if phase == PLAY else f"{kind} after a play"
        if phase == DRAW and len(legal) == 1:
            yield f"only to {kind}"
        if not hand:
            yield f"{kind} with an empty hand"
    if kind == DISCARD:
        card = card_in(model, action)
        if card == model.drawn:
            yield "the drawn card discarded"
        if card in model.known:
            yield "known card discarded"
    if (kind == SET and len(model.chosen) == 2) or kind == PLAY:
        yield from events_of_play(model, [*model.chosen, face_in(model, action)])


def events_of_play(model: Model, faces: Sequence[Face]) -> Iterator[str]:
    """What is interesting about cards that are to be laid."""
    deck, seat = model.deck, model.turn
    card, city = faces[-1]
    regions = deck.regions_of[city]
    owed = any(
        link.invited == seat and set(regions) & set(deck.regions_of[link.city])
        for link in model.links
    )
    if model.tokens(seat) == len(faces):
        yield "all tokens played"
    if len(model.hands[seat]) == len(faces):
        yield "empty hand"
    if not model.pile and not model.discard:
        yield "nothing to draw"
    if len(faces) == 3:
        yield "second set" if model.sets[seat] else "set"
        if owed:
            yield "set that makes partners"
        if any(
            len({deck.regions_of[side][0] for side in deck.cards[card]}) == 1 for card, _ in faces
        ):
            yield "set with a card of one region"
        return
    if card in model.known:
        yield "known card laid"
    if deck.is_link[card]:
        yield f"link of {len(regions)} regions"
        if len(set(deck.cards[card])) == 2:
            yield "link of a card with two"
        if sum(city in sides for sides in deck.cards) > 1:
            yield "link of a city on two cards"
        sets = [region for region in regions if region in model.sets[seat]]
        if len(sets) > 1:
            yield "link at two sets"
        if any(
            region in deck.regions_of[link] for link in model.own_links(seat) for region in sets
        ):
            yield "second link at a set"
        return
    if owed:
        yield "partners by a single"
    shown = [link for link in model.links if regions[0] in deck.regions_of[link.city]]
    if regions[0] in model.sets[seat]:
        yield "single at an own set"
    elif any(link.owner == seat for link in shown):
        yield "single at an own link"
        if all(link.partner is not None for link in shown if link.owner == seat):
            yield "single of an owner with a partner"
    elif any(link.partner == seat for link in shown):
        yield "single of a partner"
    else:
        yield "single of an invited"


def events_after(model: Model, invited: Sequence[Link], action: str) -> Iterator[str]:
    """What is interesting after an action before which these links had open invitations."""
    if any(link.invited is None and link.partner is None for link in invited):
        yield "invitation lapses" + (" by the announcement" if action == ANNOUNCE else "")
    seats = [link.invited for link in model.links if link.invited is not None]
    if len(set(seats)) < len(seats):
        yield "two invitations to one seat"
    partners = [(link.owner, link.partner) for link in model.links if link.partner is not None]
    if max(Counter(itertools.chain(*partners)).values(), default=0) > 1:
        yield "two partnerships of one seat"
    for link in model.links:
        if link.partner is not None and len(model.deck.regions_of[link.city]) == 3:
            yield "partners around three regions"
    if model.shuffles > 1:
        yield "second shuffle"
    hidden = [set(hand) - model.known for hand in model.hands]
    ages = max(len({model.ages[card] for card in hand}) for hand in hidden)
    if ages > 1:
        yield "hidden cards of two ages" if ages == 2 else "hidden cards of three ages"
    if model.phase == PLAY and model.tokens(model.turn) == 0:
        yield "no token left"


def events_of_end(model: Model, action: str, announced: int | None) -> Iterator[str]:
    """What is interesting about an action that ended a round; the next one may have begun."""
    yield f"ended by {model.ended_by}"
    if announced is not None:
        yield f"ended by {model.ended_by} after an announcement"
    if action == ANNOUNCE:
        yield "announcement that ends the round"
    if model.phase == OVER:
        yield f"match ended by {model.ended_by}"
        yield "won" if model.points.count(max(model.points)) == 1 else "shared"


def draw_illegal(rng: random.Random, table: Table, legal: Sequence[str]) -> str | None:
    """Draw an illegal action, often for the reason given least so far; None if it is legal."""
    model = table.model
    kind = rng.choice(["word", "any", "any of a kind", *["reason"] * 5])
    if kind == "word":
        action = rng.choice(WORDS)
    elif kind == "any":
        action = rng.choice(table.names)
    elif kind == "any of a kind":
        by_kind = by(kind_of, table.names)
        action = rng.choice(by_kind[rng.choice(sorted(by_kind))])
    else:
        tried = {*rng.sample(table.names, 20), *model.candidates(), *WORDS} - {*legal}
        by_reason: dict[str, list[str]] = {}
        for action in sorted(tried):
            for why in model.objections(action):
                for text in TEXTS:
                    if text in why:
                        by_reason.setdefault(text, []).append(action)
        seen = {text: table.seen[f"refused: {text}"] for text in sorted(by_reason)}
        action = rng.choice(by_reason[min(seen, key=seen.__getitem__)])
    return None if action in legal else action


def play_out(table: Table, rng: random.Random) -> int:
    """Play a match to its end by styles drawn at random, and return how many rounds it had."""
    model, seen, styles = table.model, table.seen, [Style(rng) for _ in range(6)]
    one_style = rng.random() < 0.5
    while legal := table.agree():
        if rng.random() < (0.01 if model.phase in (OFFER, PLAY, DISCARD) else 0.04):
            table.go_on_from(table.agree_on_the_position())
        often = ILLEGAL[model.phase] if model.may_invite == model.partnerships else 0.3
        if model.phase == PLAY and model.may_invite and model.own_links(model.turn):
            often = 0.8
        if model.phase == PLAY and rng.random() < (0.05 if any(model.turns) else 0.6):
            table.go_on_from_a_position_of_our_own(rng)
            legal, often = sorted(model.legal()), 1
        if rng.random() < 0.01:
            table.go_on_without_defaults()
        if rng.random() < 0.1:
            table.agree_on_what_seats_see()
        if rng.random() < often and (action := draw_illegal(rng, table, legal)):
            table.refuse(action)
        style = styles[0 if one_style else model.to_act() or 0]
        table.play(style.choose(rng, model, legal), legal)
    text = table.agree_on_the_position()
    table.agree_on_what_seats_see()
    if rng.random() < 0.1:
        again = adjoin.Match.from_replay(table.match.replay())
        assert again.view("all") == table.match.view("all")
        seen["replay"] += 1
    if rng.random() < 0.2:
        table.go_on_from(text)
    return model.round


def draw_options(rng: random.Random) -> dict[str, Any]:
    """Draw the options but the deck; those with default values are left out now and then."""
    options: dict[str, Any] = {
        "players": rng.randint(3, 6),
        "trading": rng.random() < 0.2,
        "partnerships": rng.random() < 0.8,
        "partnerships_each": rng.choice([1, 1, 2, 2, 3, 4, 5]),
        "pairs": rng.choice([*PAIRS, "least"]),
        "deals_each": rng.choice([*[1] * 7, 2, 3, 4]),
        "max_turns": rng.choice([1, 4, 7, 8, 8, 9, 20, 60, 100]),
    }
    defaults: dict[str, Any] = {"players": 3, "trading": True, "partnerships": True}
    defaults |= {"deals_each": 1, "max_turns": 60, "partnerships_each": 2, "pairs": "front"}
    for option, default in defaults.items():
        if options[option] == default and rng.random() < 0.5:
            del options[option]
    return options


def decks_of_matches(rng: random.Random) -> Iterator[str]:
    """Kinds of decks in random order, without end."""
    while True:
        decks = [SHIPPED, *DECKS, "any"]
        rng.shuffle(decks)
        yield from decks


@pytest.mark.parametrize("chunk", chunks(CHUNKS))
def test_matches_agree_with_the_model(chunk: int) -> None:
    rng = random.Random(chunk)
    seen: Counter[str] = Counter()
    rounds = 0
    for kind in decks_of_matches(rng):
        rounds += play_out(Table(kind, rng, draw_options(rng), seen), rng)
        if rounds >= ROUNDS:
            break
    assert set(seen) >= EVERYTHING


SCORED = {
    *(f"deck {name}" for name in (SHIPPED, *DECKS)),
    *(f"{number} partnerships of one seat" for number in range(5)),
    *(f"partnership of {cards} cards" for cards in range(5, 16)),
    *("odd point", "rest of an odd value", "own link beside a partnership", "own link alone"),
    *(f"group of {cards} cards around a link" for cards in range(3, 13)),
    *(f"group of {cards} cards" for cards in range(3, 8)),
    *("two links at a region", "first link not the best", "region better alone"),
    *(f"{number} pairs" for number in range(4)),
    *("fewer pairs when turned", "more pairs when turned", "linking card in hand"),
}


def tables_of(deck: Deck, options: dict[str, Any], rng: random.Random) -> Iterator[Model]:
    """Make tables such as could be found at the end of a round, each grown from the last."""
    model, cards = Model(deck, **options), [*range(len(deck.cards))]
    players = model.players
    size = HAND[players]
    model.deal([cards[seat * size : (seat + 1) * size] for seat in model.seats])
    for _ in range(4):
        model.pile |= set().union(*model.hands)
        model.hands = [set() for _ in model.seats]
        grow(model, rng, rng.randint(1, 12), 12)
        for hand in model.hands:
            number = min(len(model.pile), rng.randint(0, size + 1))
            hand |= {*rng.sample(sorted(model.pile), number)}
            model.pile -= hand
        yield model


def events_of_table(model: Model, scores: list[dict[str, Any]]) -> Iterator[str]:
    """What is interesting about a table that scores that."""
    deck = model.deck
    for seat, score in enumerate(scores):
        shares, own, links = model.shares(seat), model.alone(seat), model.own_links(seat)
        yield f"{len(shares)} partnerships of one seat"
        for part in score["parts"]:
            around = " around a link" if part["what"] == "group" and part["link"] else ""
            yield f"{part['what']} of {part['cards']} cards{around}"
            if part["what"] == "partnership" and part["value"] % 2:
                yield "odd point" if 2 * part["points"] > part["value"] else "rest of an odd value"
        if shares and links:
            yield "own link beside a partnership"
        places = model.places(seat)
        if len({*itertools.chain(*places)}) < len(links):
            yield "own link alone"
        if max(map(len, places), default=0) > 1:
            yield "two links at a region"
        cities, best = [*own.values()], model.best_groups(seat)
        first = [place[0] if place else None for place in places]
        if grouping_value(cities, first, len(links)) < best:
            yield "first link not the best"
        ways = itertools.product(*(place or [None] for place in places))
        if all(grouping_value(cities, at, len(links)) < best for at in ways):
            yield "region better alone"
        hand = [card for card in model.hands[seat] if not deck.is_link[card]]
        fronts = Counter(deck.regions_of[deck.cards[card][0]][0] for card in hand)
        pairs, by_front = model.pairs(model.hands[seat]), sum(n // 2 for n in fronts.values())
        yield f"{pairs} pairs"
        if pairs != by_front:
            yield "fewer pairs when turned" if pairs < by_front else "more pairs when turned"
        if len(hand) < len(model.hands[seat]):
            yield "linking card in hand"


def without_pairs(score: dict[str, Any]) -> dict[str, Any]:
    """A score as those see it who do not see the hand."""
    parts = [part for part in score["parts"] if part["what"] != "pairs"]
    return {"points": sum(part["points"] for part in parts), "parts": parts}


@pytest.mark.parametrize("chunk", chunks(2 * CHUNKS))
def test_tables_score_as_by_brute_force(chunk: int) -> None:
    rng = random.Random(f"tables {chunk}")
    seen: Counter[str] = Counter()
    tables = 0
    while tables < TABLES:
        for kind in (SHIPPED, *DECKS):
            players = rng.randint(3, 6)
            deck = SHIPPED_DECK if kind == SHIPPED else draw_deck(rng, kind, players)
            given = SHIPPED if kind == SHIPPED else deck.option(kind)
            options: dict[str, Any] = {"players": players, "trading": False}
            options |= {"pairs": rng.choice(PAIRS), "partnerships_each": rng.randint(1, 5)}
            match = adjoin.Match("connections", deck=given, **options)
            seen[f"deck {kind}"] += 1
            for model in itertools.chain(*(tables_of(deck, options, rng) for _ in range(15))):
                match.set_position(json.dumps(model.position()))
                scores = match.view("all")["scores"]
                agree_on_scores(model, scores, None)
                for viewer in model.seats:
                    hidden = [*map(without_pairs, scores)]
                    hidden[viewer] = scores[viewer]
                    assert match.view(viewer)["scores"] == hidden
                seen.update(events_of_table(model, scores))
                tables += 1
    assert set(seen) >= SCORED
