"""A slow, literal model of Metro Domino, written from its rule page, to compare an engine against.

A tile is a pair of values, the small one first; on a line it is (inward, outward). Stations go by
their ids, lines by their names.

The model leaves nothing to chance itself. It is told what was dealt, drawn and opened, and asserts
that it could be.
"""

from __future__ import annotations

import csv
import string
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Tile = tuple[int, int]

TILES = [(low, high) for low in range(10) for high in range(low, 10)]  # METR-1
HAND, TOKENS, ACTIVE_LINES, LAST_STATION = 9, 12, 3, 5  # METR-2, METR-1, METR-5, METR-14

DRAW, PASS, KEEP, SPEND, STOP = "draw", "pass", "keep", "spend", "stop"
TURN, DRAWN, EXTRA, MORE, SPENT, OVER = "turn", "drawn", "extra", "more", "spent", "over"
WAITING, OPEN, ACTIVE, CLOSED = "waiting", "open", "active", "closed"


def read_stations(path: Path) -> list[dict[str, Any]]:
    """The stations of a file, as a custom deck lists them; the first is the start station."""
    stations: dict[str, dict[str, Any]] = {}
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            ident = row["station"]
            station = stations.setdefault(ident, {"id": ident, "name": row["name"], "lines": []})
            lines = station["lines"]
            assert row["line"] == string.ascii_uppercase[len(lines)]
            limits = {key: int(row[key]) if row[key] else None for key in ("min", "max")}
            no_doubles = {"yes": True, "": False}[row["no_doubles"]]
            lines.append({"length": int(row["length"]), **limits, "no_doubles": no_doubles})
    return list(stations.values())


def lines_of(stations: Sequence[Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    """The lines of a deck by name, each with its station's id, in the deck's order (METR-3)."""
    return {
        f"{station['name']} {letter}": {"station": station["id"], **line}
        for station in stations
        for letter, line in zip(string.ascii_uppercase, station["lines"], strict=False)
    }


def actions_of(stations: Sequence[Mapping[str, Any]]) -> list[str]:
    """The notation of every action, by its id."""
    plays = []
    lines = list(lines_of(stations))
    for low, high in TILES:
        for line in lines:
            plays.append(f"{low}-{high} {line}")
            plays.append(f"{high}-{low} {line}" + (" reversed" if low == high else ""))
    return [*plays, DRAW, PASS, KEEP, SPEND, STOP]


def text_of(tile: Tile) -> str:
    """A tile in notation, from the station outwards."""
    return f"{tile[0]}-{tile[1]}"


@dataclass
class Told:
    """What chance brought, as far as it can be seen after an action."""

    tile: Tile | None = None
    """The tile drawn from the store."""
    station: str | None = None
    """The station that was opened."""
    hands: Sequence[Sequence[Tile]] | None = None
    """The hands of the next game."""


class Model:
    """A match of Metro Domino; it begins with `deal`."""

    def __init__(
        self,
        stations: Sequence[Mapping[str, Any]],
        *,
        players: int = 2,
        first_seat: int | None = None,
        wins_needed: int = 1,
    ) -> None:
        self.stations = {station["id"]: station for station in stations}
        self.start = stations[0]["id"]
        self.lines = lines_of(stations)
        self.players = players
        self.seats = range(players)
        self.first_seat = first_seat
        self.wins_needed = wins_needed
        # The match.
        self.wins = [0] * players
        self.game_number = 0
        self.first = 0
        self.results: list[tuple[int, int]] = []  # of the last game that ended, by seat
        # The game.
        self.on: dict[str, list[Tile]] = {}  # the tiles of each line, from the station outwards
        self.opened: dict[str, tuple[int, str]] = {}  # station to who opened it, and its line
        self.hands: list[set[Tile]] = []
        self.tokens: list[int] = []
        self.store: set[Tile] = set()
        self.passes = 0
        # The turn.
        self.turn = 0
        self.phase = TURN
        self.drawn: Tile | None = None

    # The deal.

    def deal(self, hands: Sequence[Sequence[Tile]], first: int) -> None:
        """Begin a game with these hands and this first seat."""
        if self.game_number == 0:
            assert first in self.seats
            assert self.first_seat in (None, first)  # METR-2
        else:
            assert first == self.left_of(self.first)  # METR-17
        dealt = [tile for hand in hands for tile in hand]
        assert [len(hand) for hand in hands] == [HAND] * self.players  # METR-2
        assert len(set(dealt)) == len(dealt)
        assert set(dealt) <= set(TILES)
        self.game_number += 1
        self.on = {line: [] for line in self.lines}
        self.opened = {}
        self.hands = [set(hand) for hand in hands]
        self.tokens = [0] * self.players
        self.store = set(TILES) - set(dealt)  # METR-2
        self.passes = 0
        self.turn = self.first = first
        self.phase = TURN
        self.drawn = None

    def left_of(self, seat: int) -> int:
        """The next seat clockwise (METR-13)."""
        return (seat + 1) % self.players

    # Lines and stations.

    def is_open(self, station: str) -> bool:
        """Whether the station's lines can be built (METR-8)."""
        return station == self.start or station in self.opened

    def unopened(self) -> list[str]:
        """The stations that are still face down (METR-2)."""
        return [station for station in self.stations if not self.is_open(station)]

    def owned(self, seat: int) -> int:
        """How many stations carry the seat's token (METR-8)."""
        return sum(owner == seat for owner, _ in self.opened.values())

    def leads_to(self, line: str) -> str | None:
        """The station at the line's end."""
        return next((station for station, (_, by) in self.opened.items() if by == line), None)

    def state(self, line: str) -> str:
        """How far the line is built (METR-4)."""
        if not self.is_open(self.lines[line]["station"]):
            return WAITING
        if not self.on[line]:
            return OPEN
        return CLOSED if len(self.on[line]) == self.lines[line]["length"] else ACTIVE

    def is_out_of_service(self, line: str) -> bool:
        """Whether the line is open, and all that could be added to it is on the table (METR-4)."""
        laid = {(min(tile), max(tile)) for tiles in self.on.values() for tile in tiles}
        facings = {facing for tile in TILES if tile not in laid for facing in (tile, tile[::-1])}
        fits = (not any(self.objections_to_tile(facing, line)) for facing in facings)
        return self.state(line) in (OPEN, ACTIVE) and not any(fits)

    def active(self) -> int:
        """How many lines have a tile and are not complete (METR-4, METR-5)."""
        begun = [line for line in self.lines if self.on[line]]
        return sum(len(self.on[line]) < self.lines[line]["length"] for line in begun)

    def supply(self) -> int:
        """How many metro tokens nobody has (METR-1)."""
        return TOKENS - sum(self.tokens)

    def objections_to_line(self, line: str) -> Iterator[str]:
        """Everything that speaks against adding any tile to this line."""
        tiles, length = self.on[line], self.lines[line]["length"]
        if not self.is_open(self.lines[line]["station"]):
            yield "METR-8"
        if len(tiles) == length:
            yield "METR-4"
        if not tiles and length > 1 and self.active() == ACTIVE_LINES:
            yield "METR-5"

    def objections_to_tile(self, tile: Tile, line: str) -> Iterator[str]:
        """Everything that speaks against this tile, inward half first, on this line."""
        limits, tiles = self.lines[line], self.on[line]
        if tiles and tiles[-1][1] != tile[0]:
            yield "METR-6"
        if limits["min"] is not None and min(tile) < limits["min"]:
            yield "METR-7 min"
        if limits["max"] is not None and max(tile) > limits["max"]:
            yield "METR-7 max"
        if limits["no_doubles"] and tile[0] == tile[1]:
            yield "METR-7 no_doubles"

    def plays(self, tiles: set[Tile]) -> set[str]:
        """Every way to add one of these tiles to a line."""
        return {
            f"{text_of(facing)} {line}"
            for line in self.lines
            if not any(self.objections_to_line(line))
            for low, high in tiles
            for facing in {(low, high), (high, low)}
            if not any(self.objections_to_tile(facing, line))
        }

    # The decisions.

    def to_act(self) -> int | None:
        """The seat whose decision it is; None when the match is over."""
        return None if self.phase == OVER else self.turn

    def legal(self) -> set[str]:
        """The notation of every legal action; empty when the match is over."""
        if self.phase == OVER:
            return set()
        if self.phase == DRAWN:
            assert self.drawn is not None
            return self.plays({self.drawn}) | {KEEP}  # METR-10
        plays = self.plays(self.hands[self.turn])
        if self.phase == TURN:
            return plays or {DRAW if self.store else PASS}  # METR-9, METR-10
        if self.phase == EXTRA:
            return plays | {STOP}  # METR-11
        if self.phase == MORE:
            return {SPEND, STOP} if plays else {STOP}  # METR-12
        assert self.phase == SPENT
        assert plays  # METR-12
        return plays

    def play(self, action: str, told: Told) -> None:
        """Carry out an action from `legal`."""
        if action == PASS:
            self.passes += 1
            if self.passes == self.players:
                self.end_game(told)  # METR-15
            else:
                self.end_turn()
            return
        self.passes = 0
        if action == DRAW:
            assert told.tile in self.store
            self.drawn = told.tile
            self.store.remove(self.drawn)
            self.hands[self.turn].add(self.drawn)
            self.phase = DRAWN  # METR-10
        elif action in (KEEP, STOP):
            self.end_turn()
        elif action == SPEND:
            self.tokens[self.turn] -= 1  # METR-12
            self.phase = SPENT
        else:
            tile, _, line = action.partition(" ")
            self.lay((int(tile[0]), int(tile[2])), line, told)

    def lay(self, tile: Tile, line: str, told: Told) -> None:
        """Add a tile, inward half first, to a line."""
        seat = self.turn
        double = tile[0] == tile[1]
        self.hands[seat].remove((min(tile), max(tile)))
        self.on[line].append(tile)
        self.drawn = None
        if double and self.supply() > 0:
            self.tokens[seat] += 1  # METR-11
        stations = self.owned(seat)
        if self.state(line) == CLOSED and self.unopened():  # METR-8
            stations += 1
            if told.station is not None:
                assert told.station in self.unopened()
                self.opened[told.station] = (seat, line)
        if not self.hands[seat] or stations == LAST_STATION:  # METR-14
            self.end_game(told, unseen=stations - self.owned(seat))
            return
        assert stations == self.owned(seat)
        if double:
            self.phase = EXTRA  # METR-11
        elif self.tokens[seat] > 0:
            self.phase = MORE  # METR-12
        else:
            self.end_turn()

    def end_turn(self) -> None:
        """The next player, clockwise (METR-13)."""
        self.turn = self.left_of(self.turn)
        self.phase = TURN
        self.drawn = None

    # The end.

    def scores(self) -> list[int]:
        """Stations less tiles left, by seat (METR-16)."""
        return [self.owned(seat) - len(self.hands[seat]) for seat in self.seats]

    def end_game(self, told: Told, unseen: int = 0) -> None:
        """End the game; the seat in turn may have opened a station that nobody told of."""
        stations = [self.owned(seat) for seat in self.seats]
        stations[self.turn] += unseen
        totals = [stations[seat] - len(self.hands[seat]) for seat in self.seats]
        self.results = list(zip(totals, stations, strict=True))
        for seat in self.seats:
            self.wins[seat] += self.results[seat] == max(self.results)  # METR-16, METR-17
        if max(self.wins) == self.wins_needed:  # METR-17
            assert not unseen
            self.phase = OVER
        else:
            assert told.hands is not None
            self.deal(told.hands, self.left_of(self.first))

    def returns(self) -> list[float]:
        """Nothing until the match is over; then the winners share one, paid by the others."""
        if self.phase != OVER:
            return [0.0] * self.players
        winners = [seat for seat in self.seats if self.wins[seat] == self.wins_needed]
        share, others = self.players / len(winners), self.players - 1
        return [(share - 1) / others if seat in winners else -1 / others for seat in self.seats]

    # What there is to see.

    def view(self, viewer: int | None = None) -> dict[str, Any]:
        """The table as a seat sees it, or all of it; `legal` is left out."""
        return {
            "game": "metro_domino",
            "viewer": viewer,
            "phase": self.phase,
            "to_act": self.to_act(),
            "turn": self.turn,
            "first": self.first,
            "game_number": self.game_number,
            "wins_needed": self.wins_needed,
            "wins": self.wins,
            "stations": [self.station_view(station) for station in self.stations],
            "lines": [self.line_view(line) for line in self.lines],
            "hands": [self.hand_view(seat, viewer in (None, seat)) for seat in self.seats],
            "drawn": list(self.drawn) if self.drawn and viewer in (None, self.turn) else None,
            "store": len(self.store),
            "supply": self.supply(),
            "stations_left": len(self.unopened()),
            "passes": self.passes,
            "scores": self.scores(),
            "returns": self.returns(),
        }

    def station_view(self, station: str) -> dict[str, Any]:
        """A station, and who opened it by which line."""
        owner, led = self.opened.get(station, (None, None))
        return {
            "id": station,
            "name": self.stations[station]["name"],
            "is_open": self.is_open(station),
            "owner": owner,
            "line": led,
            "lines": [name for name, line in self.lines.items() if line["station"] == station],
        }

    def line_view(self, line: str) -> dict[str, Any]:
        """A line with its tiles."""
        tiles = self.on[line]
        return {
            "name": line,
            **self.lines[line],
            "state": self.state(line),
            "out_of_service": self.is_out_of_service(line),
            "tiles": [list(tile) for tile in tiles],
            "end": tiles[-1][1] if tiles else None,
            "leads_to": self.leads_to(line),
        }

    def hand_view(self, seat: int, seen: bool) -> dict[str, Any]:
        """A hand, of which the tiles are seen or not."""
        return {
            "tiles": len(self.hands[seat]),
            "held": [list(tile) for tile in sorted(self.hands[seat])] if seen else [],
            "tokens": self.tokens[seat],
            "stations": self.owned(seat),
        }

    def position(self) -> dict[str, Any]:
        """Everything there is to say about a position; `opened` is sorted by station."""
        return {
            "lines": {
                line: [text_of(tile) for tile in tiles] for line, tiles in self.on.items() if tiles
            },
            "hands": [[text_of(tile) for tile in sorted(hand)] for hand in self.hands],
            "opened": [
                {"station": station, "by": owner, "line": line}
                for station, (owner, line) in sorted(self.opened.items())
            ],
            "tokens": self.tokens,
            "store": [text_of(tile) for tile in sorted(self.store)],
            "passes": self.passes,
            "turn": self.turn,
            "first": self.first,
            "phase": self.phase,
            "drawn": text_of(self.drawn) if self.drawn else None,
            "wins": self.wins,
            "game_number": self.game_number,
        }
