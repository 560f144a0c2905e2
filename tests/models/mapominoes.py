"""A slow, literal model of Mapominoes, written from its rule page, to compare an engine against.

Cells are (row, column) from 0 at the top left. Regions and waters go by their ids. A card on the
table is (kind, id): a county card with its region, or a transit card with its nominee.

The model deals nothing itself. When a deal is due, `wanted` says which, and it has to be told what
was dealt with `deal` or `deal_rest`, which assert that it was dealt by the rules.
"""

from __future__ import annotations

import csv
import string
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

Cell = tuple[int, int]
Card = tuple[str, str]

COUNTY, TRANSIT = "county", "transit"
TAKE, CHALLENGE_IT, LET_IT_BE = "take", "challenge", "let it be"

GO, PLACE, PLACE_TRANSIT = "go", "place", "place_transit"
FOLLOW, PLACE_FOLLOW, CHALLENGE, OVER = "follow", "place_follow", "challenge", "over"

ROUND, REST = "round", "rest"  # the deals that can be wanted

EASIER = {2: 5, 3: 3, 4: 2, 5: 2}  # MAPO-7
WATERS_FILE = {
    "uk-counties": "uk-waters",
    "world-countries": "world-waters",
    "us-states": "us-waters",
}


class Atlas:
    """Regions and waters by id in file order, and what each region borders (MAPO-1)."""

    def __init__(self, source: Mapping[str, Any]) -> None:
        """From lists `regions` and `waters` of dictionaries, as the engine's custom atlas."""
        self.region: dict[str, Mapping[str, Any]] = {row["id"]: row for row in source["regions"]}
        self.water: dict[str, Mapping[str, Any]] = {row["id"]: row for row in source["waters"]}
        self.borders: dict[str, set[str]] = {
            region: set(row["borders"]) | set(row["waters"]) for region, row in self.region.items()
        }
        self.name: dict[str, str] = {
            ident: row["name"] for ident, row in (self.region | self.water).items()
        }
        self.nominees = [*self.region, *self.water]  # MAPO-12
        self.nations: list[str] = []
        for row in self.region.values():
            self.nations += [nation for nation in row["nations"] if nation not in self.nations]
        for region, others in self.borders.items():
            assert region not in others  # MAPO-14
            assert all(region in self.borders[other] for other in others if other in self.region)

    @classmethod
    def read(cls, folder: Path, name: str) -> Atlas:
        """A shipped atlas from its two tables."""
        regions = []
        for row in read_table(folder / f"{name}.csv"):
            if "nation" in row:
                nations = [row["nation"]]
            elif "edition" in row:
                nations = [nation for nation in (row["edition"], row["also_in"]) if nation]
            else:
                nations = [row["region"]]
            borders = [other for other in row["borders"].split(";") if other]
            waters = [water for water in row["waters"].split(";") if water]
            regions.append({**row, "nations": nations, "borders": borders, "waters": waters})
        return cls({"regions": regions, "waters": read_table(folder / f"{WATERS_FILE[name]}.csv")})

    def of_nations(self, nations: Sequence[str]) -> set[str]:
        """The regions that belong to any of these nations (MAPO-3)."""
        return {
            region
            for region, row in self.region.items()
            if any(nation in nations for nation in row["nations"])
        }

    def in_order(self, idents: set[str]) -> list[str]:
        """These regions in file order."""
        return [region for region in self.region if region in idents]


def read_table(path: Path) -> list[dict[str, str]]:
    """The rows of a CSV file."""
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def neighbours(cell: Cell) -> list[Cell]:
    """The cells that share a side with this one, on the grid or not (MAPO-4)."""
    row, column = cell
    return [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]


def cell_name(cell: Cell) -> str:
    """Column letters A to Z, AA, AB, ... and the row's number from 1."""
    row, column = cell
    first, second = divmod(column, 26)
    letters = string.ascii_uppercase
    return (letters[first - 1] if first else "") + letters[second] + str(row + 1)


class Model:
    """A match of Mapominoes; it begins with a wanted deal."""

    def __init__(
        self,
        atlas: Atlas,
        *,
        players: int = 2,
        nations: Sequence[str] | None = None,
        table: Sequence[int] = (30, 20),
        transit_cards: int = 12,
        transit_each: int | str = 1,
        draw: str = "stuck",
        double_with_transit: bool = True,
        rounds: int | None = None,
        staged: bool = False,
        first_nation: str | None = None,
        challenges: bool = False,
    ) -> None:
        self.atlas = atlas
        self.players = players
        self.seats = range(players)
        in_play = list(nations or atlas.nations)
        self.deck = atlas.of_nations(in_play)  # MAPO-2, MAPO-3
        self.first_deck = self.deck
        if staged:
            self.first_deck = atlas.of_nations([first_nation or in_play[0]])  # MAPO-23
        self.columns = 2 * (table[0] // 2) + 1  # MAPO-5
        self.rows = 2 * (table[1] // 2) + 1  # MAPO-5
        self.middle = (self.rows // 2, self.columns // 2)  # MAPO-5
        self.transit_cards = transit_cards
        self.transit_each = transit_each if isinstance(transit_each, int) else EASIER[players]
        self.draw = draw
        self.double_with_transit = double_with_transit
        self.rounds = rounds or players  # MAPO-22
        self.challenges = challenges
        # The match.
        self.round = 1
        self.dealer = players - 1
        self.points = [0] * players
        self.blocked_rounds = 0
        self.double_connections = [0] * players
        self.transit_played = [0] * players
        # The round.
        self.table: dict[Cell, Card] = {}
        self.hands: list[set[str]] = []
        self.transit: list[int] = []
        self.pile = 0
        self.undealt: set[str] = set()
        self.shown: set[str] = set()  # counties in hands that everybody has seen
        self.passes = 0
        # The go.
        self.turn = 0
        self.phase = GO
        self.county: str | None = None
        self.nominee: str | None = None
        self.transit_cell: Cell | None = None
        self.cell: Cell | None = None
        self.asked: int | None = None
        self.extra_go = False
        self.wanted: str | None = ROUND

    # The deals.

    def deal(self, hands: Sequence[Sequence[str]], start: str) -> None:
        """Begin a round with these hands and this starting county."""
        assert self.wanted == ROUND
        first = self.left_of(self.dealer)  # MAPO-8, MAPO-9
        sizes = self.dealt_sizes(len(self.first_deck) - 1, first)
        assert [len(hand) for hand in hands] == sizes  # MAPO-8
        cards = [start, *(card for hand in hands for card in hand)]
        assert len(cards) == len(self.first_deck)
        assert set(cards) == self.first_deck
        self.wanted = None
        self.table = {self.middle: (COUNTY, start)}  # MAPO-5, MAPO-8
        self.hands = [set(hand) for hand in hands]
        self.transit = [self.transit_each] * self.players  # MAPO-7
        self.pile = self.transit_cards - self.players * self.transit_each  # MAPO-7
        self.undealt = self.deck - self.first_deck  # MAPO-23
        self.shown = set()
        self.passes = 0
        self.turn = first  # MAPO-9
        assert not self.is_blocked()  # or it would have been dealt again
        self.begin_go()

    def deal_rest(self, hands: Sequence[Sequence[str]] | None) -> None:
        """Go on after the second deal of a staged round; None: it was over at once, unseen.

        Who was dealt what does not matter for the points, nor for whether a county card fits.
        """
        assert self.wanted == REST
        sizes = self.dealt_sizes(len(self.undealt), self.turn)  # MAPO-23
        rest = self.atlas.in_order(self.undealt)
        for seat in self.seats:
            if hands is None:
                dealt = {rest.pop() for _ in range(sizes[seat])}
            else:
                assert self.hands[seat] <= set(hands[seat])
                assert len(hands[seat]) == len(self.hands[seat]) + sizes[seat]
                dealt = set(hands[seat]) - self.hands[seat]
            assert dealt <= self.undealt
            self.undealt = self.undealt - dealt
            self.hands[seat] = self.hands[seat] | dealt
        assert not self.undealt
        self.wanted = None
        if hands is None:
            assert self.pile == 0
            assert not any(self.has(self.county_plays(seat)) for seat in self.seats)
            self.end_round(blocked=True)
        else:
            self.next_go()

    def dealt_sizes(self, cards: int, first: int) -> list[int]:
        """How many cards each seat gets, one at a time clockwise from the first (MAPO-8)."""
        sizes = [0] * self.players
        seat = first
        for _ in range(cards):
            sizes[seat] += 1
            seat = self.left_of(seat)
        return sizes

    def left_of(self, seat: int) -> int:
        """The next seat clockwise."""
        return (seat + 1) % self.players

    # Where cards may lie.

    def adjacent(self, cell: Cell) -> list[Card]:
        """The tabled cards next to a cell (MAPO-4)."""
        return [self.table[beside] for beside in neighbours(cell) if beside in self.table]

    def is_free(self, cell: Cell) -> bool:
        """Whether the cell is on the table and without a card (MAPO-4, MAPO-5, MAPO-6)."""
        row, column = cell
        return 0 <= row < self.rows and 0 <= column < self.columns and cell not in self.table

    def free_cells(self) -> list[Cell]:
        """The free cells next to at least one tabled card (MAPO-11)."""
        cells = {beside for cell in self.table for beside in neighbours(cell)}
        return [cell for cell in cells if self.is_free(cell)]

    def borders_all(self, county: str, cards: Sequence[Card]) -> bool:
        """Whether the county borders every county, and every transit card's nominee (MAPO-11)."""
        bordered = self.atlas.borders[county]
        return all(ident in bordered for _, ident in cards)

    def fits(self, county: str, cell: Cell) -> bool:
        """Whether the county card may rightly lie on the cell (MAPO-11, MAPO-14, MAPO-15)."""
        cards = self.adjacent(cell)
        return self.is_free(cell) and bool(cards) and self.borders_all(county, cards)

    def transit_nominees(self, cell: Cell) -> list[str]:
        """Everything that a transit card on this free cell may stand for (MAPO-12)."""
        cards = self.adjacent(cell)
        if not cards or any(kind == TRANSIT for kind, _ in cards):
            return []
        return [
            nominee
            for nominee in self.atlas.nominees
            if all(nominee in self.atlas.borders[county] for _, county in cards)
        ]

    def county_plays(self, seat: int) -> Iterator[tuple[str, Cell]]:
        """Every right play of a county card: the card and its cell (MAPO-11)."""
        for cell in self.free_cells():
            cards = self.adjacent(cell)
            for county in self.hands[seat]:
                if self.borders_all(county, cards):
                    yield county, cell

    def transit_plays(self, seat: int) -> Iterator[tuple[str, Cell, str, Cell]]:
        """Every play of a transit card: nominee, cell, the county that follows and its cell."""
        if self.transit[seat] == 0:
            return
        for cell in self.free_cells():
            nominees = self.transit_nominees(cell)  # MAPO-12
            for follow_cell in neighbours(cell) if nominees else []:  # MAPO-13
                if not self.is_free(follow_cell):
                    continue
                others = self.adjacent(follow_cell)
                for county in self.hands[seat]:
                    if not self.borders_all(county, others):  # MAPO-11
                        continue
                    for nominee in nominees:
                        if nominee in self.atlas.borders[county]:  # MAPO-11, MAPO-14
                            yield nominee, cell, county, follow_cell

    def transit_cells(self) -> list[Cell]:
        """The cells for a transit card, rightly or not, that leave one for a county (MAPO-24)."""
        return [
            cell
            for cell in self.free_cells()
            if all(kind == COUNTY for kind, _ in self.adjacent(cell)) and self.free_beside(cell)
        ]

    def free_beside(self, cell: Cell) -> list[Cell]:
        """The free cells next to a cell."""
        return [beside for beside in neighbours(cell) if self.is_free(beside)]

    def is_right(self) -> bool:
        """Whether the county that waits, and its transit card, lie rightly (MAPO-24, MAPO-26)."""
        assert self.county is not None
        assert self.cell is not None
        if self.transit_cell is None:
            return self.fits(self.county, self.cell)
        assert self.nominee is not None
        play = (self.nominee, self.transit_cell, self.county, self.cell)
        return play in self.transit_plays(self.turn)

    @staticmethod
    def has(plays: Iterator[Any]) -> bool:
        """Whether there is any."""
        return next(plays, None) is not None

    def can_go(self, seat: int) -> bool:
        """Whether the seat has a right play (MAPO-17, MAPO-20)."""
        return self.has(self.county_plays(seat)) or self.has(self.transit_plays(seat))

    def is_blocked(self) -> bool:
        """Whether nobody can go (MAPO-20)."""
        if self.pile > 0:
            return False
        return self.passes >= self.players or not any(self.can_go(seat) for seat in self.seats)

    # The decisions.

    def to_act(self) -> int | None:
        """The seat whose decision it is; None when the match is over."""
        assert self.wanted is None
        if self.phase == OVER:
            return None
        return self.turn if self.asked is None else self.asked

    def legal(self) -> set[str]:
        """The notation of every legal action; empty when the match is over."""
        assert self.wanted is None
        if self.phase == OVER:
            return set()
        if self.phase == CHALLENGE:
            return {CHALLENGE_IT, LET_IT_BE}  # MAPO-24
        if self.phase == GO:
            return self.legal_at_go()
        if self.phase == PLACE:
            assert self.county is not None
            if self.challenges:
                return {cell_name(cell) for cell in self.free_cells()}  # MAPO-24
            return {
                cell_name(cell) for cell in self.free_cells() if self.fits(self.county, cell)
            }  # MAPO-11
        if self.challenges:
            return self.legal_after_transit_rightly_or_not()
        plays = [play for play in self.transit_plays(self.turn) if play[0] == self.nominee]
        if self.phase == PLACE_TRANSIT:
            return {cell_name(cell) for _, cell, _, _ in plays}
        plays = [play for play in plays if play[1] == self.transit_cell]
        if self.phase == FOLLOW:
            return {self.atlas.name[county] for _, _, county, _ in plays}
        assert self.phase == PLACE_FOLLOW
        return {cell_name(cell) for _, _, county, cell in plays if county == self.county}

    def legal_after_transit_rightly_or_not(self) -> set[str]:
        """How a go with a transit card may be finished under challenges (MAPO-24)."""
        if self.phase == PLACE_TRANSIT:
            return {cell_name(cell) for cell in self.transit_cells()}
        if self.phase == FOLLOW:
            return {self.atlas.name[county] for county in self.hands[self.turn]}
        assert self.phase == PLACE_FOLLOW
        assert self.transit_cell is not None
        return {cell_name(cell) for cell in self.free_beside(self.transit_cell)}

    def legal_at_go(self) -> set[str]:
        """A county card, a transit card, or taking a card (MAPO-10)."""
        counties = {county for county, _ in self.county_plays(self.turn)}
        nominees = {nominee for nominee, _, _, _ in self.transit_plays(self.turn)}
        can_go = bool(counties or nominees)
        if self.challenges:  # MAPO-24
            counties = self.hands[self.turn] if self.free_cells() else set()
            may_transit = self.transit[self.turn] > 0 and self.transit_cells()
            bordered = set().union(*(self.atlas.borders[card] for card in self.deck))
            nominees = bordered if may_transit else set()
        actions = {self.atlas.name[county] for county in counties}
        actions |= {f"transit {self.atlas.name[nominee]}" for nominee in nominees}
        if self.draw == "free" or not can_go:  # MAPO-17
            actions.add(TAKE)
        return actions

    def play(self, action: str) -> None:
        """Carry out an action from `legal`."""
        if self.phase == CHALLENGE:
            self.answer(action)
        elif self.phase == GO:
            if action == TAKE:
                self.take()
            elif action.startswith("transit "):
                self.nominee = self.ident_of(action.removeprefix("transit "))
                self.phase = PLACE_TRANSIT
            else:
                self.county = self.ident_of(action)
                self.phase = PLACE
        elif self.phase == PLACE_TRANSIT:
            self.transit_cell = self.cell_of(action)
            self.phase = FOLLOW
        elif self.phase == FOLLOW:
            self.county = self.ident_of(action)
            self.phase = PLACE_FOLLOW
        else:
            assert self.phase in (PLACE, PLACE_FOLLOW)
            self.cell = self.cell_of(action)
            if self.challenges:
                self.asked = self.left_of(self.turn)  # MAPO-24, MAPO-26
                self.phase = CHALLENGE
            else:
                self.lay()

    def timeout(self) -> None:
        """Whose go it is ran out of time (MAPO-18); ValueError if nobody's go is running."""
        if self.phase in (CHALLENGE, OVER):
            raise ValueError(f"no time-out in {self.phase}")
        if self.county is not None:
            self.shown.add(self.county)
        self.take()

    def take(self) -> None:
        """Take a card, or pass if there is none; the go is over (MAPO-17)."""
        if self.pile > 0:
            self.pile -= 1
            self.transit[self.turn] += 1
            self.passes = 0
        else:
            self.passes += 1  # MAPO-20
        self.extra_go = False
        self.next_go()

    def answer(self, action: str) -> None:
        """The seat that was asked challenges the card or lets it be (MAPO-24)."""
        assert self.county is not None
        assert self.asked is not None
        if action == CHALLENGE_IT and not self.is_right():  # MAPO-25, MAPO-26
            self.shown.add(self.county)
            self.passes += 1
            self.extra_go = False
            self.next_go()
            return
        self.asked = self.left_of(self.asked)
        if action == CHALLENGE_IT or self.asked == self.turn:  # MAPO-25
            self.lay()

    def lay(self) -> None:
        """The county card, and the transit card before it, are on the table for good."""
        assert self.county is not None
        assert self.cell is not None
        if self.nominee is not None:  # MAPO-13
            assert self.transit_cell is not None
            self.table[self.transit_cell] = (TRANSIT, self.nominee)
            self.transit[self.turn] -= 1
            self.transit_played[self.turn] += 1
        connected = [
            kind
            for kind, _ in self.adjacent(self.cell)
            if kind == COUNTY or self.double_with_transit
        ]
        self.extra_go = len(connected) >= 2  # MAPO-16
        self.table[self.cell] = (COUNTY, self.county)
        self.hands[self.turn].remove(self.county)
        self.shown.discard(self.county)
        self.passes = 0
        if self.extra_go:
            self.double_connections[self.turn] += 1
        if self.hands[self.turn]:
            self.next_go()
        elif self.undealt:
            self.wanted = REST  # MAPO-23
        else:
            self.end_round(blocked=False)  # MAPO-19

    def next_go(self) -> None:
        """The same player's extra go, or the next player's go (MAPO-9, MAPO-16)."""
        if not self.extra_go:
            self.turn = self.left_of(self.turn)
        self.begin_go()

    def begin_go(self) -> None:
        """Begin a go, unless nobody can go (MAPO-20)."""
        self.phase = GO
        self.choose_anew()
        if self.is_blocked():
            self.end_round(blocked=True)

    def end_round(self, *, blocked: bool) -> None:
        """Count the counties left in the hands; a winner has none (MAPO-19, MAPO-20)."""
        self.choose_anew()
        for seat in self.seats:
            self.points[seat] += len(self.hands[seat])
        self.blocked_rounds += blocked
        if self.round == self.rounds:  # MAPO-22
            self.phase = OVER
        else:
            self.round += 1
            self.dealer = self.left_of(self.dealer)  # MAPO-21
            self.wanted = ROUND

    def choose_anew(self) -> None:
        """Nothing is chosen."""
        self.county = self.nominee = self.transit_cell = self.cell = self.asked = None

    # What there is to see.

    def returns(self) -> list[int]:
        """Minus the points so far, by seat."""
        return [-points for points in self.points]

    def view(self) -> dict[str, Any]:
        """The whole table as a program sees it; `turn` means nothing when the match is over."""
        cards = []
        for row in range(self.rows):
            for column in range(self.columns):
                if (row, column) in self.table:
                    cards.append(self.card_view((row, column)))
        return {
            "game": "mapominoes",
            "viewer": None,
            "phase": self.phase,
            "to_act": self.to_act(),
            "turn": self.turn,
            "dealer": self.dealer,
            "round": self.round,
            "rounds": self.rounds,
            "table": {"columns": self.columns, "rows": self.rows, "cards": cards},
            "chosen": self.chosen(),
            "hands": [self.hand_view(seat, self.hands[seat]) for seat in self.seats],
            "pile": self.pile,
            "undealt": self.atlas.in_order(self.undealt),
            "passes": self.passes,
            "points": self.points,
            "blocked_rounds": self.blocked_rounds,
            "double_connections": self.double_connections,
            "transit_played": self.transit_played,
            "returns": self.returns(),
        }

    def card_view(self, cell: Cell) -> dict[str, Any]:
        """A tabled card; a transit card shows its nominee."""
        kind, ident = self.table[cell]
        region = self.atlas.region.get(ident)
        return {
            "cell": cell_name(cell),
            "row": cell[0],
            "column": cell[1],
            "kind": kind,
            "id": ident,
            "name": self.atlas.name[ident],
            "abbreviation": region["abbreviation"] if region else self.atlas.name[ident],
            "nation": region["nations"][0] if region else None,
        }

    def chosen(self) -> dict[str, str | None]:
        """What has been chosen in this go and is not on the table yet."""
        return {
            "county": self.county,
            "nominee": self.nominee,
            "transit_cell": None if self.transit_cell is None else cell_name(self.transit_cell),
            "cell": None if self.cell is None else cell_name(self.cell),
        }

    def hand_view(self, seat: int, cards: set[str]) -> dict[str, Any]:
        """A hand of which these cards are seen."""
        return {
            "counties": len(self.hands[seat]),
            "cards": self.atlas.in_order(cards),
            "transit": self.transit[seat],
        }

    def hands_seen_by(self, viewer: int) -> list[dict[str, Any]]:
        """The hands as a seat sees them: its own, and of others what everybody has seen."""
        known = self.shown | ({self.county} if self.county is not None else set())
        return [
            self.hand_view(seat, self.hands[seat] & known if seat != viewer else self.hands[seat])
            for seat in self.seats
        ]

    def position(self) -> dict[str, Any]:
        """Everything there is to say about a position before a decision; `shown` is sorted."""
        return {
            "table": {
                cell_name(cell): ident if kind == COUNTY else f"transit {ident}"
                for cell, (kind, ident) in self.table.items()
            },
            "hands": [self.atlas.in_order(hand) for hand in self.hands],
            "transit": self.transit,
            "pile": self.pile,
            "round": self.round,
            "dealer": self.dealer,
            "turn": self.turn,
            "passes": self.passes,
            "points": self.points,
            "undealt": self.atlas.in_order(self.undealt),
            "shown": sorted(self.shown),
            "phase": self.phase,
            **self.chosen(),
            "asked": self.asked,
            "blocked_rounds": self.blocked_rounds,
            "double_connections": self.double_connections,
            "transit_played": self.transit_played,
        }

    # Notation.

    def ident_of(self, name: str) -> str:
        """The region or water of this name."""
        (ident,) = (ident for ident, known in self.atlas.name.items() if known == name)
        return ident

    def cell_of(self, name: str) -> Cell:
        """The cell of this name."""
        letters = name.rstrip(string.digits)
        column = string.ascii_uppercase.index(letters[-1])
        if len(letters) == 2:
            column += 26 * (string.ascii_uppercase.index(letters[0]) + 1)
        return int(name[len(letters) :]) - 1, column
