"""A slow, literal model of Connections, written from its rule page, to compare an engine against.

A card is its number in the deck; a face is a card and the city that is up. Cities and regions go by
their ids.

The model leaves nothing to chance itself. It is told what was dealt and drawn, and asserts that it
could be.
"""

from __future__ import annotations

import csv
import functools
import itertools
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Face = tuple[int, str]

HAND = {3: 8, 4: 7, 5: 6, 6: 5}  # CONN-3
TOKENS, BEFORE_THE_END, LAST_TURNS = 12, 6, 2  # CONN-4, CONN-15
VALUES = (0, 0, -20, 4, 8, 15, 30, 60, 125, 250, 500, 1000)  # CONN-18
PAIR = -20  # CONN-20

SET, PLAY, DISCARD, OFFER, ANSWER, INVITE = "set", "play", "discard", "offer", "answer", "invite"
ANNOUNCE, ACCEPT, JOIN, NO, DRAW, TAKE, PASS = (
    *("announce", "accept", "join", "no", "draw", "take", "pass"),
)
INVITED, OVER = "invited", "over"
KINDS = {
    ANNOUNCE: (ANNOUNCE, NO),
    OFFER: (OFFER, NO),
    ANSWER: (ANSWER, NO),
    ACCEPT: (ACCEPT, NO),
    PLAY: (SET, PLAY, DRAW, TAKE, INVITE, PASS),
    INVITED: (JOIN, NO),
    SET: (SET,),
    DRAW: (DRAW, TAKE),
    DISCARD: (DISCARD,),
}
"""The decisions of a phase."""
IDLE, LAST, MOST = "idle", "last turns", "max_turns"
"""What can end a round."""


class Deck:
    """Cities and cards, as a custom deck lists them (CONN-1, CONN-2)."""

    def __init__(self, cities: Sequence[Mapping[str, Any]], cards: Sequence[Sequence[str]]) -> None:
        self.cities = {city["id"]: city for city in cities}
        self.cards = [(front, back) for front, back in cards]
        self.regions_of = {ident: list(city["regions"]) for ident, city in self.cities.items()}
        self.regions = list(dict.fromkeys(itertools.chain(*self.regions_of.values())))
        self.is_link = [len(self.regions_of[front]) > 1 for front, _ in self.cards]
        sides = {side for card in self.cards for side in card}
        self.links = [
            ident for ident, its in self.regions_of.items() if len(its) > 1 and ident in sides
        ]
        self.names = [self.describe(card, front) for card, (front, _) in enumerate(self.cards)]
        self.face_names = {face: self.describe(*face) for face in self.faces(range(len(cards)))}
        self.card_of = {name: card for card, name in enumerate(self.names)}
        self.face_of = {name: face for face, name in self.face_names.items()}
        self.link_of = {self.cities[ident]["name"]: ident for ident in self.links}

    def option(self, name: str) -> dict[str, Any]:
        """The deck as the game's option."""
        cards = [list(card) for card in self.cards]
        return {"custom": {"name": name, "cities": [*self.cities.values()], "cards": cards}}

    def faces(self, cards: Iterable[int]) -> list[Face]:
        """Every way to turn one of these cards."""
        return [(card, city) for card in sorted(cards) for city in dict.fromkeys(self.cards[card])]

    def describe(self, card: int, city: str) -> str:
        """A card in notation, the city that is up first, then the other one if there is one."""
        cities = [city, *(side for side in self.cards[card] if side != city)]
        return "/".join(self.cities[ident]["name"] for ident in cities)

    def region_name(self, region: str) -> str:
        """A region for people."""
        return " ".join(word.capitalize() for word in region.split("_"))

    def name(self, card: int | None) -> str | None:
        """A card in notation, if there is one."""
        return None if card is None else self.names[card]


def read_deck(cities: Path, cards: Path) -> Deck:
    """The deck of two files."""
    with cities.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    with cards.open(encoding="utf-8", newline="") as file:
        sides = [(row["front"], row["back"]) for row in csv.DictReader(file)]
    return Deck(
        [
            {
                "id": row["id"],
                "name": row["name"],
                "regions": row["regions"].split(";"),
                "colour": row["colour"],
                "lon": float(row["lon"]),
                "lat": float(row["lat"]),
            }
            for row in rows
        ],
        sides,
    )


def actions_of(deck: Deck, players: int) -> list[str]:
    """The notation of every action, by its id."""
    faces = [
        deck.face_names[card, city]
        for card, sides in enumerate(deck.cards)
        if not deck.is_link[card]
        for city in sides
    ]
    linking = [
        deck.face_names[card, link]
        for link in deck.links
        for card, sides in enumerate(deck.cards)
        if link in sides
    ]
    links, steps = list(deck.link_of), range(1, players)
    return [
        *(f"{SET} {face}" for face in faces),
        *(f"{PLAY} {face}" for face in [*faces, *linking]),
        *(f"{DISCARD} {card}" for card in deck.names),
        *(f"{OFFER} {card} to +{step}" for card in deck.names for step in steps),
        *(f"{ANSWER} {card}" for card in deck.names),
        *(f"{INVITE} {link} +{step}" for link in links for step in steps),
        *(ANNOUNCE, ACCEPT, JOIN, NO, DRAW, TAKE, PASS),
    ]


def value_of(cards: int) -> int:
    """What so many cards score (CONN-18)."""
    return VALUES[min(cards, len(VALUES) - 1)]


@functools.cache
def pairs_of(sides: tuple[tuple[str, str], ...], turned: str) -> int:
    """How many pairs cards make whose fronts and backs are of these regions (CONN-20)."""
    ways = itertools.product(*sides)  # the first of them: every front
    numbers = [sum(number // 2 for number in Counter(way).values()) for way in ways]
    return {"front": numbers[0], "least": min(numbers), "most": max(numbers)}[turned]


def grouping_value(cities: Sequence[int], at: Sequence[int | None], links: int) -> int:
    """What so many cities a region score, each region alone or at one of the links (CONN-19)."""
    groups = [1] * links
    for number, link in zip(cities, at, strict=True):
        if link is None:
            groups.append(number)
        else:
            groups[link] += number
    return sum(map(value_of, groups))


@functools.cache
def best_grouping(cities: tuple[int, ...], places: tuple[tuple[int, ...], ...], links: int) -> int:
    """The most that so many cities a region score, each alone or at a link that shows it."""
    ways = itertools.product(*((None, *place) for place in places))
    return max(grouping_value(cities, at, links) for at in ways)


@dataclass
class Link:
    """A linking city on the table."""

    city: str
    owner: int
    partner: int | None = None
    invited: int | None = None


@dataclass
class Told:
    """What chance brought, as far as it can be seen after an action."""

    card: int | None = None
    """The card drawn from the pile; None if the next round hides it."""
    hands: Sequence[Sequence[int]] | None = None
    """The hands of the next round."""
    points: list[int] | None = None
    """The points of the round that has ended."""


class Model:
    """A match of Connections; it begins with `deal`."""

    def __init__(
        self,
        deck: Deck,
        *,
        players: int = 3,
        trading: bool = True,
        partnerships: bool = True,
        partnerships_each: int = 2,
        pairs: str = "front",
        deals_each: int = 1,
        max_turns: int = 60,
    ) -> None:
        self.deck = deck
        self.players = players
        self.seats = range(players)
        self.trading = trading
        self.partnerships = partnerships
        self.partnerships_each = partnerships_each
        self.turned = pairs
        self.rounds = players * deals_each  # CONN-17
        self.max_turns = max_turns
        # The match.
        self.points = [0] * players
        self.history: list[list[int]] = []
        self.round = 0
        self.ended_by = ""  # of the last round that ended
        # The round.
        self.dealer = 0
        self.hands: list[set[int]] = []
        self.laid: list[list[Face]] = []
        self.sets: list[set[str]] = []
        self.links: list[Link] = []
        self.pile: set[int] = set()
        self.discard: list[int] = []
        self.known: set[int] = set()  # cards in hands that everybody knows
        self.ages: dict[int, int] = {}  # of every card; 0 unless it is hidden
        self.shuffles = 0
        self.turns: list[int] = []
        self.announced: int | None = None
        self.last_turns: list[int] = []
        self.idle = 0
        # The turn.
        self.turn = 0
        self.phase = OVER
        self.may_invite = True
        self.played = False
        self.forget()

    def forget(self) -> None:
        """Nothing is half done."""
        self.asked: int | None = None
        self.card: int | None = None
        self.to: int | None = None
        self.reply: int | None = None
        self.link: str | None = None
        self.chosen: list[Face] = []
        self.drawn: int | None = None
        self.taken: int | None = None

    # The deal.

    def deal(self, hands: Sequence[Sequence[int]]) -> None:
        """Begin a round with these hands."""
        dealt = [card for hand in hands for card in hand]
        assert [len(hand) for hand in hands] == [HAND[self.players]] * self.players  # CONN-3
        assert len(set(dealt)) == len(dealt)
        every = set(range(len(self.deck.cards)))
        assert set(dealt) < every
        self.dealer = (self.players - 1 + self.round) % self.players  # CONN-17
        self.round += 1
        self.hands = [set(hand) for hand in hands]
        self.laid = [[] for _ in self.seats]
        self.sets = [set() for _ in self.seats]
        self.links = []
        self.pile = every - set(dealt)
        self.discard = []
        self.known = set()
        self.ages = dict.fromkeys(every, 0)
        self.shuffles = 0
        self.turns = [0] * self.players
        self.announced = None
        self.last_turns = [0] * self.players
        self.idle = 0
        self.begin_turn(self.left_of(self.dealer))

    def left_of(self, seat: int, steps: int = 1) -> int:
        """The seat so many places clockwise."""
        return (seat + steps) % self.players

    # The table.

    def tokens_on(self) -> dict[str, int]:
        """Whose token is on each city that has one (CONN-4)."""
        return {city: seat for seat in self.seats for city in self.cities(seat)}

    def cities(self, seat: int) -> list[str]:
        """The cities that a seat has played, in order."""
        return [city for _, city in self.laid[seat]]

    def tokens(self, seat: int) -> int:
        """How many tokens a seat has left (CONN-4)."""
        return TOKENS - len(self.laid[seat])

    def regions(self, seat: int) -> Counter[str]:
        """How many cities of each region a seat has on the table, without linking cities."""
        regions = [self.deck.regions_of[city] for city in self.cities(seat)]
        return Counter(region[0] for region in regions if len(region) == 1)

    def is_in(self, seat: int, link: str) -> bool:
        """Whether a seat has a city of one of the link's regions on the table (CONN-11)."""
        return any(region in self.regions(seat) for region in self.deck.regions_of[link])

    def may_add(self, seat: int, region: str) -> bool:
        """Whether a seat may play a single of this region (CONN-8, CONN-11, CONN-13)."""
        return region in self.sets[seat] or any(
            region in self.deck.regions_of[link.city]
            and seat in (link.owner, link.partner, link.invited)
            for link in self.links
        )

    def completes(self, faces: Sequence[Face]) -> bool:
        """Whether these faces, with others of the hand, can make a set (CONN-6)."""
        region, tokens = self.deck.regions_of[faces[0][1]], self.tokens_on()
        able = [
            face
            for face in self.deck.faces(self.hands[self.turn])
            if self.deck.regions_of[face[1]] == region and face[1] not in tokens
        ]
        return any(
            set(faces) <= set(three)
            and len({card for card, _ in three}) == len({city for _, city in three}) == 3
            for three in itertools.combinations(able, 3)
        )

    # The decisions.

    def to_act(self) -> int | None:
        """The seat whose decision it is; None when the match is over."""
        if self.phase == OVER:
            return None
        if self.phase in (OFFER, ACCEPT):
            return self.asked
        return self.to if self.phase in (ANSWER, INVITED) else self.turn

    def legal(self) -> set[str]:
        """The notation of every legal action; empty when the match is over."""
        return {action for action in self.candidates() if not any(self.objections(action))}

    def candidates(self) -> Iterator[str]:
        """What the seat to act could think of in this phase."""
        seat = self.to_act()
        if seat is None:
            return
        cards, faces = self.hands[seat], self.deck.faces(self.hands[seat])
        for kind in KINDS[self.phase]:
            if kind in (SET, PLAY):
                for face in faces:
                    if kind == PLAY or not self.deck.is_link[face[0]]:
                        yield f"{kind} {self.deck.face_names[face]}"
            elif kind in (ANSWER, DISCARD):
                yield from (f"{kind} {self.deck.names[card]}" for card in cards)
            elif kind == OFFER:
                for card, step in itertools.product(cards, range(1, self.players)):
                    yield f"{OFFER} {self.deck.names[card]} to +{step}"
            elif kind == INVITE:
                for link, step in itertools.product(self.deck.link_of, range(1, self.players)):
                    yield f"{INVITE} {link} +{step}"
            else:
                yield kind

    def objections(self, action: str) -> Iterator[str]:
        """Everything that speaks against an action, in words; "?" where the words are open."""
        kind, _, what = action.partition(" ")
        if self.phase == OVER:
            yield "the match is over"
        elif kind not in KINDS[self.phase]:
            yield from self.objections_to_kind(kind)
        elif kind == SET:
            yield from self.objections_to_set(self.deck.face_of[what])
        elif kind == PLAY:
            yield from self.objections_to_play(self.deck.face_of[what])
        elif kind in (ANSWER, DISCARD):
            yield from self.objections_to_card(self.deck.card_of[what])
            if kind == DISCARD and self.deck.card_of[what] == self.taken:
                yield "a card just taken from the discard pile is not discarded at once (CONN-5)"
        elif kind == OFFER:
            card, _, step = what.rpartition(" to +")
            yield from self.objections_to_card(self.deck.card_of[card])
            yield from self.objections_to_offer(int(step))
        elif kind == INVITE:
            link, _, step = what.rpartition(" +")
            guest = self.left_of(self.turn, int(step))
            yield from self.objections_to_invitation(self.deck.link_of[link], guest)
        elif kind == JOIN:
            yield from self.objections_to_join()
        elif kind == DRAW and not self.pile:
            yield "the draw pile is empty (CONN-5)"
        elif kind == TAKE:
            if not self.discard:
                yield "the discard pile is empty (CONN-5)"
            if self.phase == PLAY and not self.hands[self.turn]:
                yield "there would be no other card to discard (CONN-5)"
        elif kind == PASS:
            others = (other for other in self.candidates() if other.split()[0] in (SET, PLAY))
            if not all(any(self.objections(other)) for other in (*others, DRAW, TAKE)):
                yield "there is something to do (CONN-9)"

    def objections_to_kind(self, kind: str) -> Iterator[str]:
        """What speaks against a decision of another phase."""
        if kind == ANNOUNCE:
            if self.round == self.rounds:
                yield "in the last round nobody announces (CONN-16)"
            elif self.announced is not None:
                yield f"seat {self.announced} has announced already (CONN-15)"
            elif min(self.turns) < BEFORE_THE_END:
                yield "all must have had six turns (CONN-15)"
            else:
                yield "the end is announced before the turn (CONN-15)"
        if self.phase == ANNOUNCE:
            yield f"seat {self.turn} is asked whether to announce (CONN-15)"
        elif self.phase == OFFER:
            yield f"seat {self.asked} is asked about an offer: offer a card or no (CONN-14)"
        elif self.phase == ANSWER:
            yield f"seat {self.to} is asked for an answer: answer with a card or no (CONN-14)"
        elif self.phase == ACCEPT:
            yield f"seat {self.asked} is asked whether to accept (CONN-14)"
        elif self.phase == INVITED:
            yield f"seat {self.to} is invited: join or no (CONN-10)"
        elif self.phase == SET:
            yield self.another_city()
        elif self.phase == DRAW:
            yield "a card is drawn now: draw or take (CONN-6)"
        elif self.phase == DISCARD:
            yield "a card is discarded now (CONN-5)"
        elif kind == OFFER:
            yield "cards are offered at the start of a turn (CONN-14)"
        elif kind != ANNOUNCE:
            yield "?"

    def another_city(self) -> str:
        """What a begun set needs."""
        region = self.deck.region_name(self.deck.regions_of[self.chosen[0][1]][0])
        return f"the set needs another city of {region} (CONN-6)"

    def objections_to_card(self, card: int) -> Iterator[str]:
        """What speaks against naming this card."""
        seat = self.to_act()
        assert seat is not None
        if card not in self.hands[seat]:
            yield f"seat {seat} does not hold {self.deck.names[card]}"

    def objections_to_city(self, face: Face) -> Iterator[str]:
        """What speaks against playing this card this way up, whatever for."""
        yield from self.objections_to_card(face[0])
        if face[1] in self.tokens_on():
            yield f"{self.deck.cities[face[1]]['name']} has a token already (CONN-4)"
        if self.tokens(self.turn) == 0:
            yield f"seat {self.turn} has no token left (CONN-4)"

    def objections_to_set(self, face: Face) -> Iterator[str]:
        """What speaks against this city as the next of a set (CONN-6)."""
        yield from self.objections_to_city(face)
        (region,) = self.deck.regions_of[face[1]]
        if self.chosen:
            if (
                self.deck.regions_of[self.chosen[0][1]] != [region]
                or any(card == face[0] or city == face[1] for card, city in self.chosen)
                or not self.completes([*self.chosen, face])
            ):
                yield self.another_city()
            return
        seat, left, called = self.turn, self.tokens(self.turn), self.deck.region_name(region)
        if left < 3:
            yield f"a set takes three tokens, seat {seat} has {left} (CONN-4)"
        if region in self.sets[seat]:
            yield f"seat {seat} has a set of {called} already (CONN-6)"
        if not self.completes([face]):
            yield f"three cities of {called} are needed (CONN-6)"

    def objections_to_play(self, face: Face) -> Iterator[str]:
        """What speaks against this link or single."""
        yield from self.objections_to_city(face)
        seat, (card, city) = self.turn, face
        name, regions = self.deck.cities[city]["name"], self.deck.regions_of[city]
        if self.deck.is_link[card]:
            if not any(region in self.sets[seat] for region in regions):  # CONN-7
                *others, last = (
                    self.deck.region_name(region)
                    for region in self.deck.regions
                    if region in regions
                )
                called = f"{', '.join(others)} or {last}"
                yield f"{name} needs an own set of {called} (CONN-7)"
        elif not self.may_add(seat, regions[0]):
            called = self.deck.region_name(regions[0])
            yield f"{name} needs an own set of {called}, or a link that shows it (CONN-8)"

    def objections_to_offer(self, step: int) -> Iterator[str]:
        """What speaks against an offer to the seat so many places to the left (CONN-14)."""
        assert self.asked is not None
        to = self.left_of(self.asked, step)
        if to == self.turn:
            yield f"seat {to} is in turn and does not trade (CONN-14)"
        if not self.hands[to]:
            yield f"seat {to} has no card to answer with (CONN-14)"

    def objections_to_invitation(self, city: str, guest: int) -> Iterator[str]:
        """What speaks against an invitation to this link (CONN-10, CONN-12)."""
        name = self.deck.cities[city]["name"]
        link = next((link for link in self.links if link.city == city), None)
        if not self.partnerships:
            yield "partnerships are off (CONN-10)"
        if link is None or link.owner != self.turn:
            yield f"seat {self.turn} has not played {name} (CONN-10)"
        elif link.partner is not None:
            yield f"{name} has a partner already (CONN-12)"
        elif link.invited is not None:
            yield f"{name} has an open invitation (CONN-10)"
        if self.partnerships and not self.may_invite:
            yield "one invitation a turn (CONN-10)"
        yield from self.objections_to_partners(self.turn, guest)

    def objections_to_partners(self, host: int, guest: int) -> Iterator[str]:
        """What speaks against one more partnership of these two (CONN-12)."""
        each = self.partnerships_each
        for seat in (host, guest):
            if len(self.circle(seat)) >= each:
                what = f"seat {seat} has {each} partnerships or open invitations"
                yield f"{what}, as many as allowed (CONN-12)"
        if guest in self.circle(host):
            both = f"seats {host} and {guest}"
            yield f"{both} share a partnership or an open invitation already (CONN-12)"

    def circle(self, seat: int) -> list[int]:
        """With whom a seat has partnerships and open invitations."""
        pairs = [{link.owner, link.partner, link.invited} - {None} for link in self.links]
        return [
            other for pair in pairs if seat in pair for other in pair - {seat} if other is not None
        ]

    def objections_to_join(self) -> Iterator[str]:
        """What speaks against the invited's yes (CONN-10)."""
        assert self.to is not None
        assert self.link is not None
        if not self.is_in(self.to, self.link) and not self.has_a_turn_to_come(self.to):
            yield f"seat {self.to} has no turn to come and no city there (CONN-10)"

    def has_a_turn_to_come(self, seat: int) -> bool:
        """Whether a seat, not in turn, can have another turn in this round."""
        if self.announced is not None and self.last_turns[seat] == LAST_TURNS:
            return False
        return seat != self.announced and self.turns[seat] < self.max_turns

    # What happens.

    def play(self, action: str, told: Told) -> None:
        """Carry out an action from `legal`."""
        kind, _, what = action.partition(" ")
        if kind == ANNOUNCE:
            self.announced = self.turn
            self.lapse()
            self.next_turn(told)  # CONN-15
        elif kind in (NO, ACCEPT) and self.phase != INVITED:
            self.reply_to_offer(kind == ACCEPT)
        elif kind == OFFER:
            card, _, step = what.rpartition(" to +")
            assert self.asked is not None
            self.card, self.to = self.deck.card_of[card], self.left_of(self.asked, int(step))
            self.show(self.card)  # CONN-14
            self.phase = ANSWER
        elif kind == ANSWER:
            self.reply = self.deck.card_of[what]
            self.show(self.reply)  # CONN-14
            self.phase = ACCEPT
        elif kind == INVITE:
            link, _, step = what.rpartition(" +")
            self.link, self.to = self.deck.link_of[link], self.left_of(self.turn, int(step))
            self.may_invite = False  # CONN-10
            self.phase = INVITED
        elif kind in (JOIN, NO):
            if kind == JOIN:
                next(link for link in self.links if link.city == self.link).invited = self.to
                self.make_partners()
            self.forget()
            self.phase = PLAY
        elif kind == SET:
            self.chosen.append(self.deck.face_of[what])
            self.show(self.chosen[-1][0])
            self.phase = SET
            if len(self.chosen) == 3:  # CONN-6
                self.sets[self.turn].add(self.deck.regions_of[self.chosen[0][1]][0])
                self.lay(self.chosen, told)
        elif kind == PLAY:
            face = self.deck.face_of[what]
            if self.deck.is_link[face[0]]:
                self.links.append(Link(face[1], self.turn))  # CONN-7
            self.lay([face], told)
        elif kind == DISCARD:
            self.leave_hand(self.deck.card_of[what])
            self.discard.append(self.deck.card_of[what])
            self.shuffle()
            self.end_turn(told)  # CONN-5
        elif kind == PASS:
            self.end_turn(told)  # CONN-9
        else:
            self.draw(kind, told)

    def show(self, card: int) -> None:
        """Everybody knows from now on who holds this card."""
        self.known.add(card)
        self.ages[card] = 0

    def leave_hand(self, card: int) -> None:
        """A card of the seat in turn goes to where all can see it."""
        self.hands[self.turn].remove(card)
        self.known.discard(card)
        self.ages[card] = 0

    def reply_to_offer(self, accept: bool) -> None:
        """The trade is carried out, or the next seat is asked (CONN-14)."""
        if accept:
            assert self.asked is not None
            assert self.to is not None
            one, other = self.hands[self.asked], self.hands[self.to]
            one ^= {self.card, self.reply}  # type: ignore[arg-type]
            other ^= {self.card, self.reply}  # type: ignore[arg-type]
            self.forget()
            self.phase = PLAY
        else:
            self.ask(self.asked)

    def ask(self, after: int | None) -> None:
        """Ask the seats after this one, or all, for an offer (CONN-14)."""
        self.forget()
        self.phase = PLAY
        seats = [self.left_of(self.turn, step) for step in range(1, self.players)]
        for seat in seats[0 if after is None else seats.index(after) + 1 :] if self.trading else []:
            others = [other for other in seats if other != seat]
            if self.hands[seat] and any(self.hands[other] for other in others):
                self.asked = seat
                self.phase = OFFER
                return

    def lay(self, faces: Sequence[Face], told: Told) -> None:
        """Play these cards; a card is drawn after it if there is one (CONN-6)."""
        for face in faces:
            self.leave_hand(face[0])
            self.laid[self.turn].append(face)
        self.played = True
        self.make_partners()
        self.forget()
        self.phase = DRAW
        if not self.pile and not self.discard:
            self.end_turn(told)

    def make_partners(self) -> None:
        """Invitations become partnerships once the invited has a city there (CONN-11)."""
        for link in self.links:
            if link.invited is not None and self.is_in(link.invited, link.city):
                link.partner, link.invited = link.invited, None

    def draw(self, kind: str, told: Told) -> None:
        """Draw a card, to exchange it or after a play."""
        exchange = self.phase == PLAY
        unseen = False
        if kind == TAKE:
            card = self.discard.pop()
            self.hands[self.turn].add(card)
            self.show(card)
            self.taken = card
        elif told.card is None:
            assert not exchange
            unseen = True
        else:
            self.pile.remove(told.card)
            self.hands[self.turn].add(told.card)
            self.drawn = told.card
            self.shuffle()
        if exchange:
            self.phase = DISCARD
        else:
            self.end_turn(told, unseen)

    def shuffle(self) -> None:
        """The discard pile but for its top card becomes the pile, if that is empty (CONN-3)."""
        if not self.pile and len(self.discard) > 1:
            self.pile = set(self.discard[:-1])
            self.discard = self.discard[-1:]
            self.shuffles += 1
            self.ages |= dict.fromkeys(self.pile, self.shuffles)

    def lapse(self) -> None:
        """Open invitations to the seat in turn lapse (CONN-11)."""
        for link in self.links:
            if link.invited == self.turn:
                link.invited = None

    def end_turn(self, told: Told, unseen: bool = False) -> None:
        """End a turn, the last card of which nobody may have told of."""
        self.turns[self.turn] += 1
        if self.announced is not None:
            self.last_turns[self.turn] += 1
        self.idle = 0 if self.played or self.round < self.rounds else self.idle + 1  # CONN-16
        self.lapse()
        self.next_turn(told, unseen)

    def next_turn(self, told: Told, unseen: bool = False) -> None:
        """The next seat that has a turn, or the end of the round (CONN-15, CONN-16)."""
        seat = self.left_of(self.turn)
        if seat == self.announced:
            seat = self.left_of(seat)
        if self.idle == 2 * self.players:
            self.end_round(IDLE, told, unseen)
        elif self.announced is not None and all(
            had == LAST_TURNS
            for other, had in enumerate(self.last_turns)
            if other != self.announced
        ):
            self.end_round(LAST, told, unseen)
        elif self.turns[seat] == self.max_turns:
            self.end_round(MOST, told, unseen)
        else:
            assert not unseen
            self.begin_turn(seat)

    def begin_turn(self, seat: int) -> None:
        """A seat may announce the end, the others may trade, then it plays."""
        self.turn = seat
        self.may_invite = self.partnerships
        self.played = False
        self.ask(None)
        if (
            self.round < self.rounds  # CONN-16
            and self.announced is None
            and min(self.turns) >= BEFORE_THE_END  # CONN-15
        ):
            self.forget()
            self.phase = ANNOUNCE

    # The end.

    def shares(self, seat: int) -> list[dict[str, Any]]:
        """What a seat's partnerships score (CONN-19)."""
        found = []
        for link in self.links:
            if link.partner is None or seat not in (link.owner, link.partner):
                continue
            regions = [
                region for region in self.deck.regions if region in self.deck.regions_of[link.city]
            ]
            both = self.regions(link.owner) + self.regions(link.partner)
            cards = sum(both[region] for region in regions) + 1
            value = value_of(cards)
            found.append(
                {
                    "what": "partnership",
                    "link": link.city,
                    "with": link.partner if seat == link.owner else link.owner,
                    "regions": regions,
                    "cards": cards,
                    "value": value,
                    "points": value - value // 2 if seat == link.owner else value // 2,
                }
            )
        return found

    def alone(self, seat: int) -> Counter[str]:
        """A seat's cities in regions that are in none of its partnerships (CONN-19)."""
        shared = set(itertools.chain(*(share["regions"] for share in self.shares(seat))))
        own = self.regions(seat)
        return Counter({region: own[region] for region in own if region not in shared})

    def own_links(self, seat: int) -> list[str]:
        """A seat's links without a partner."""
        return [link.city for link in self.links if link.owner == seat and link.partner is None]

    def places(self, seat: int) -> list[tuple[int, ...]]:
        """For each region in `alone`, which of `own_links` show it."""
        links = [self.deck.regions_of[link] for link in self.own_links(seat)]
        return [
            tuple(n for n, regions in enumerate(links) if region in regions)
            for region in self.alone(seat)
        ]

    def best_groups(self, seat: int) -> int:
        """The most that a seat's own groups score (CONN-19)."""
        cities = tuple(self.alone(seat).values())
        return best_grouping(cities, tuple(self.places(seat)), len(self.own_links(seat)))

    def pairs(self, hand: set[int]) -> int:
        """How many pairs a hand has (CONN-20)."""
        cards = [self.deck.cards[card] for card in hand if not self.deck.is_link[card]]
        regions_of = self.deck.regions_of
        sides = [(regions_of[front][0], regions_of[back][0]) for front, back in cards]
        return pairs_of(tuple(sorted(sides)), self.turned)

    def score(self, seat: int, drawn: int | None = None, seen: bool = True) -> int:
        """What a seat would score now, with a card drawn; without pairs if its hand is not seen."""
        table: int = sum(share["points"] for share in self.shares(seat)) + self.best_groups(seat)
        hand = self.hands[seat] | (set() if drawn is None else {drawn})
        return table + PAIR * self.pairs(hand) if seen else table

    def end_round(self, why: str, told: Told, unseen: bool) -> None:
        """End the round; the seat in turn may have drawn a card that nobody told of."""
        points = [self.score(seat) for seat in self.seats]
        if unseen:
            assert told.points is not None
            drawn = {self.score(self.turn, card) for card in self.pile}
            assert told.points[self.turn] in drawn
            points[self.turn] = told.points[self.turn]
        self.ended_by = why
        self.history.append(points)
        self.points = [sum(column) for column in zip(*self.history, strict=True)]
        if self.round == self.rounds:
            assert not unseen
            self.forget()
            self.phase = OVER
        else:
            assert told.hands is not None
            self.deal(told.hands)

    def returns(self) -> list[float]:
        """Nothing until the match is over; then the winners share one, paid by the others."""
        if self.phase != OVER:
            return [0.0] * self.players
        winners = [seat for seat in self.seats if self.points[seat] == max(self.points)]
        share, others = self.players / len(winners), self.players - 1
        return [(share - 1) / others if seat in winners else -1 / others for seat in self.seats]

    # What there is to see.

    def view(self, viewer: int | None = None) -> dict[str, Any]:
        """The table as a seat sees it, or all of it; `legal` and `scores` are left out."""
        name, deck = self.deck.name, self.deck
        tokens = self.tokens_on()
        return {
            "game": "connections",
            "viewer": viewer,
            "phase": self.phase,
            "to_act": self.to_act(),
            "turn": self.turn,
            "dealer": self.dealer,
            "round": self.round,
            "rounds": self.rounds,
            "points": self.points,
            "regions": [
                {"id": region, "name": deck.region_name(region)} for region in deck.regions
            ],
            "cities": [
                {
                    "id": ident,
                    "name": city["name"],
                    "regions": city["regions"],
                    "lon": city.get("lon"),
                    "lat": city.get("lat"),
                    "token": tokens.get(ident),
                }
                for ident, city in deck.cities.items()
            ],
            "hands": [self.hand_view(seat, self.sees(viewer, seat)) for seat in self.seats],
            "laid": [[deck.face_names[face] for face in faces] for faces in self.laid],
            "sets": [[region for region in deck.regions if region in own] for own in self.sets],
            "links": [vars(link) for link in self.links],
            "pile": len(self.pile),
            "discard": [name(card) for card in self.discard],
            "announced": self.announced,
            "idle": self.idle,
            "max_turns": self.max_turns,
            "chosen": {
                "asked": self.asked,
                "card": name(self.card),
                "to": self.to,
                "reply": name(self.reply),
                "link": self.link,
                "cities": [deck.face_names[face] for face in self.chosen],
                "taken": name(self.taken),
                "may_invite": self.may_invite,
            },
            "history": self.history,
            "returns": self.returns(),
        }

    def sees(self, viewer: int | None, seat: int) -> bool:
        """Whether a seat's whole hand is shown (CONN-3)."""
        return viewer in (None, seat) or self.phase == OVER

    def hand_view(self, seat: int, seen: bool) -> dict[str, Any]:
        """A hand, of which all the cards are seen or those that everybody knows."""
        cards = self.hands[seat] if seen else self.hands[seat] & self.known
        return {
            "cards": len(self.hands[seat]),
            "held": [self.deck.names[card] for card in sorted(cards)],
            "tokens": self.tokens(seat),
            "turns": self.turns[seat],
            "last_turns": self.last_turns[seat],
        }

    def position(self) -> dict[str, Any]:
        """Everything there is to say about a position."""
        name, deck = self.deck.name, self.deck
        return {
            "hands": [[name(card) for card in sorted(hand)] for hand in self.hands],
            "laid": [[deck.face_names[face] for face in faces] for faces in self.laid],
            "sets": [[region for region in deck.regions if region in own] for own in self.sets],
            "links": [
                {
                    "city": deck.cities[link.city]["name"],
                    "partner": link.partner,
                    "invited": link.invited,
                }
                for link in self.links
            ],
            "discard": [name(card) for card in self.discard],
            "known": [name(card) for hand in self.hands for card in sorted(hand & self.known)],
            "ages": {name(card): age for card, age in sorted(self.ages.items()) if age},
            "shuffles": self.shuffles,
            "pile": [name(card) for card in sorted(self.pile)],
            "turns": self.turns,
            "announced": self.announced,
            "last_turns": self.last_turns,
            "idle": self.idle,
            "turn": self.turn,
            "dealer": self.dealer,
            "phase": self.phase,
            "asked": self.asked,
            "card": name(self.card),
            "to": self.to,
            "reply": name(self.reply),
            "link": deck.cities[self.link]["name"] if self.link else None,
            "chosen": [deck.face_names[face] for face in self.chosen],
            "taken": name(self.taken),
            "may_invite": self.may_invite,
            "history": self.history,
        }
