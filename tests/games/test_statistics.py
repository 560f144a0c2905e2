"""What a table tells about simulated matches, counted again from what is seen on the table."""

from __future__ import annotations

import itertools
import operator
from collections import Counter
from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

import adjoin
from adjoin.data.atlas import Atlas
from adjoin.simulation.tables import Table
from scaffold import ISLAND, ORCHARD, SHUTTLE

View = dict[str, Any]


class Recount:
    """Counts a match from what is seen before and after each decision."""

    BY_SEAT: tuple[str, ...] = ()
    OF_MATCH: tuple[str, ...] = ()
    ENDINGS: tuple[str, ...] = ()
    TALK: tuple[str, ...] = ()
    """First words of decisions that change nothing on the table."""

    def __init__(self, options: dict[str, Any], seats: int) -> None:
        self.options = options
        self.seats = seats
        self.turns = 0
        self.rounds = 0
        self.ended = ""
        self.scores = [0] * seats
        self.by_seat: dict[str, list[int]] = {name: [0] * seats for name in self.BY_SEAT}
        self.of_match: Counter[str] = Counter()
        self.begin()

    def begin(self) -> None:
        """Get ready for a round or game."""

    def see(self, seat: int, words: str, before: View, after: View) -> None:
        """Count a decision."""
        raise NotImplementedError

    def hear(self, seat: int, words: str) -> None:
        """Count a decision of ``TALK``."""
        raise NotImplementedError

    def standing(self, view: View) -> list[int]:
        """Return how far ahead everybody is."""
        raise NotImplementedError

    def end(self, ended: str) -> None:
        """Count a round or game that is over."""
        self.rounds += 1
        self.ended = ended
        self.begin()

    def row(self) -> dict[str, int | str]:
        """Return the columns."""
        row: dict[str, int | str] = {
            "turns": self.turns,
            "rounds": self.rounds,
            "ended": self.ended,
        }
        for name, numbers in {"score": self.scores, **self.by_seat}.items():
            row.update({f"{name}_{seat}": number for seat, number in enumerate(numbers)})
        row.update({name: self.of_match[name] for name in self.OF_MATCH})
        return row


class Mapello(Recount):
    BY_SEAT = ("games_won", "discs", "bonuses", "flips")
    OF_MATCH = ("passes",)
    ENDINGS = ("board full", "no moves", "no discs")

    def begin(self) -> None:
        self.taken = [0] * self.seats

    def see(self, seat: int, words: str, before: View, after: View) -> None:
        self.by_seat["discs"] = [self.discs(after, seat) for seat in (0, 1)]
        is_over = after["phase"] == "over" or after["match"]["game"] != before["match"]["game"]
        if before["phase"] != "play":
            if is_over:
                self.end_game(before["cells"], {0: "X", 1: "O"})
            return
        self.turns += 1
        if words == "pass":
            self.of_match["passes"] += 1
            return
        cells = [list(row) for row in before["cells"]]
        row, column = int(words[1]), ord(words[0]) - ord("a") + 1
        mine, theirs = "XO" if before["colours"]["black"] == seat else "OX"
        is_bonus = cells[row][column] == "+"
        flipped = self.flips(cells, row, column, mine, theirs)
        for y, x in [(row, column), *flipped]:
            cells[y][x] = mine
        self.by_seat["flips"][seat] += len(flipped)
        self.by_seat["bonuses"][seat] += is_bonus
        self.taken[seat] += is_bonus
        if is_over:
            self.end_game(cells, {seat: mine, 1 - seat: theirs})

    def end_game(self, cells: Sequence[Sequence[str]], discs: dict[int, str]) -> None:
        board = "".join("".join(row[1:9]) for row in cells[1:9])
        points = [board.count(discs[seat]) + 3 * self.taken[seat] for seat in (0, 1)]
        for seat in (0, 1):
            self.scores[seat] += points[seat]
            self.by_seat["games_won"][seat] += points[seat] > points[1 - seat]
        is_full = "." not in board and "+" not in board
        wiped_out = "X" not in board or "O" not in board
        self.end("board full" if is_full else "no discs" if wiped_out else "no moves")

    @staticmethod
    def flips(
        cells: list[list[str]], row: int, column: int, mine: str, theirs: str
    ) -> list[tuple[int, int]]:
        flipped = []
        for down, right in [(y, x) for y in (-1, 0, 1) for x in (-1, 0, 1) if (y, x) != (0, 0)]:
            run = []
            y, x = row + down, column + right
            while cells[y][x] == theirs:
                run.append((y, x))
                y, x = y + down, x + right
            if cells[y][x] in (mine, "J"):
                flipped += run
        return flipped

    @staticmethod
    def discs(view: View, seat: int) -> int:
        if view["phase"] not in ("play", "over"):
            return 0
        disc = "X" if view["colours"]["black"] == seat else "O"
        return sum(row.count(disc) for row in view["cells"])

    def standing(self, view: View) -> list[int]:
        match = view["match"]
        now = [0, 0]
        if view["phase"] == "play":
            colours = {seat: colour for colour, seat in view["colours"].items()}
            now = [self.discs(view, seat) + 3 * view["taken"][colours[seat]] for seat in (0, 1)]
        return [1000 * match["wins"][seat] + match["points"][seat] + now[seat] for seat in (0, 1)]


class Mapominoes(Recount):
    BY_SEAT = ("played", "transit", "doubles", "takes", "passes")
    OF_MATCH = ("rounds_out", "rounds_blocked", "challenges", "upheld", "wrong")
    ENDINGS = ("out", "blocked")

    def see(self, seat: int, words: str, before: View, after: View) -> None:
        phase, turn, chosen = before["phase"], before["turn"], before["chosen"]
        self.turns += phase == "go"
        self.scores = [round(-points) for points in after["returns"]]
        laid = False
        if words == "take":
            self.by_seat["takes" if before["pile"] else "passes"][turn] += 1
        elif phase in ("place", "place_follow") and not self.options.get("challenges"):
            self.lay(before, words)
            laid = True
        elif phase == "challenge":
            is_right = self.is_right(before)
            self.of_match["challenges"] += words == "challenge"
            if words == "challenge" and not is_right:
                self.of_match["upheld"] += 1
                self.by_seat["passes"][turn] += 1
            elif words == "challenge" or (seat + 1) % self.seats == turn:
                self.of_match["wrong"] += not is_right
                self.lay(before, chosen["cell"])
                laid = True
        if after["phase"] == "over" or after["round"] != before["round"]:
            left = before["hands"][turn]["counties"] - laid
            is_out = left == 0 and not before["undealt"]
            self.of_match["rounds_out" if is_out else "rounds_blocked"] += 1
            self.end("out" if is_out else "blocked")

    def lay(self, before: View, cell: str) -> None:
        transits = [card for card in before["waiting"] if card["kind"] == "transit"]
        near = [c for c in [*before["table"]["cards"], *transits] if beside(c["cell"], cell)]
        if not self.options.get("double_with_transit", True):
            near = [card for card in near if card["kind"] == "county"]
        self.by_seat["played"][before["turn"]] += 1
        self.by_seat["transit"][before["turn"]] += len(transits)
        self.by_seat["doubles"][before["turn"]] += len(near) >= 2

    def is_right(self, view: View) -> bool:
        cards = [*view["table"]["cards"], *view["waiting"]]
        pairs = [(one, other) for one in view["waiting"] for other in cards]
        near = [(a, b) for a, b in pairs if beside(a["cell"], b["cell"])]
        return all(a["id"] in self.borders(b) or b["id"] in self.borders(a) for a, b in near)

    def borders(self, card: dict[str, Any]) -> set[str]:
        atlas = self.options.get("atlas", "uk-counties")
        atlas = Atlas.load(atlas) if isinstance(atlas, str) else atlas
        if card["id"] not in {region.id for region in atlas}:
            return set()
        return {*atlas[card["id"]].borders, *atlas[card["id"]].waters}

    def standing(self, view: View) -> list[int]:
        is_over = view["phase"] == "over"
        left = [0 if is_over else hand["counties"] for hand in view["hands"]]
        return [-points - cards for points, cards in zip(view["points"], left, strict=True)]


def beside(one: str, other: str) -> bool:
    """Return whether two cells such as P11 and Q11 share a side."""

    def place(cell: str) -> tuple[int, int]:
        letters = cell.rstrip("0123456789")
        column = 0
        for letter in letters:
            column = 26 * column + ord(letter) - ord("A") + 1
        return column, int(cell[len(letters) :])

    (x, y), (u, v) = place(one), place(other)
    return abs(x - u) + abs(y - v) == 1


class MetroDomino(Recount):
    BY_SEAT = ("games_won", "stations", "tiles", "tokens", "spent", "draws", "passes")
    OF_MATCH = ("closed", "longest_turn")
    ENDINGS = ("last tile", "fifth station", "stuck")

    def begin(self) -> None:
        self.in_turn = 0
        self.passes = 0

    def see(self, seat: int, words: str, before: View, after: View) -> None:
        if before["phase"] == "turn":
            self.turns += 1
            self.in_turn = 0
        self.passes = self.passes + 1 if words == "pass" else 0
        stations = [hand["stations"] for hand in before["hands"]]
        tiles = [hand["tiles"] for hand in before["hands"]]
        columns = {"draw": "draws", "spend": "spent", "pass": "passes"}
        if words in columns:
            self.by_seat[columns[words]][seat] += 1
        elif words not in ("keep", "stop"):
            tile, name = words.split(" ", 1)
            line = next(line for line in before["lines"] if line["name"] == name)
            closes = len(line["tiles"]) + 1 == line["length"]
            opens = closes and before["stations_left"] > 0
            is_double = tile[0] == tile[2]
            self.by_seat["tiles"][seat] += 1
            self.by_seat["tokens"][seat] += is_double and before["supply"] > 0
            self.by_seat["stations"][seat] += opens
            self.of_match["closed"] += closes
            self.in_turn += 1
            self.of_match["longest_turn"] = max(self.of_match["longest_turn"], self.in_turn)
            stations[seat] += opens
            tiles[seat] -= 1
        is_over = after["phase"] == "over" or after["game_number"] != before["game_number"]
        assert is_over == (tiles[seat] == 0 or stations[seat] == 5 or self.passes == self.seats)
        if is_over:
            results = [(own - left, own) for own, left in zip(stations, tiles, strict=True)]
            for player, result in enumerate(results):
                self.scores[player] += result[0]
                self.by_seat["games_won"][player] += result == max(results)
            is_last, is_fifth = tiles[seat] == 0, stations[seat] == 5
            self.end("last tile" if is_last else "fifth station" if is_fifth else "stuck")

    def standing(self, view: View) -> list[int]:
        is_over = view["phase"] == "over"
        now = [0 if is_over else hand["stations"] - hand["tiles"] for hand in view["hands"]]
        return [1000 * wins + score for wins, score in zip(view["wins"], now, strict=True)]


DIRECTIONS = {
    "east": (1, 0, 0),
    "west": (-1, 0, 0),
    "north": (0, 1, 0),
    "south": (0, -1, 0),
    "up": (0, 0, 1),
    "down": (0, 0, -1),
}


class Domiphun(Recount):
    BY_SEAT = ("games_won", "placed", "taken", "misses", "x_joiners", "starjoiners")
    OF_MATCH = ("height",)
    ENDINGS = ("out", "blocked", "all missed", "dead path")

    def see(self, seat: int, words: str, before: View, after: View) -> None:
        phase = before["phase"]
        self.turns += phase == "turn" and before["taken"] == 0
        self.scores = after["points"]
        self.by_seat["games_won"] = after["wins"]
        hand = before["hands"][seat]
        pieces, x_joiners = hand["pieces"], hand["x_joiners"]
        if words in ("take", "miss"):
            self.by_seat["taken" if words == "take" else "misses"][seat] += 1
            pieces += words == "take"
        elif words.startswith("star "):
            self.by_seat["starjoiners"][seat] += 1
        elif phase == "place":
            self.by_seat["placed"][seat] += 1
            side, *turned = words.split()
            plate = before["plates"][before["chosen"]["plate"]]
            heading = turned[0] if turned else side
            takes_x = side != heading and not self.has_x(before["plates"], plate, side)
            self.by_seat["x_joiners"][seat] += takes_x
            x_joiners -= takes_x
            top = self.top(plate["corners"], side, heading)
            self.of_match["height"] = max(self.of_match["height"], top)
        elif phase == "turn" and (before["variant"] != "advanced" or not before["dominoes"]):
            self.by_seat["placed"][seat] += 1
            pieces -= 1 if before["variant"] == "traditional" else 2
        if after["phase"] == "over" or after["game_number"] != before["game_number"]:
            is_out = pieces == x_joiners == 0
            stuck = "dead path" if before["pool"] - (words == "take") else "blocked"
            self.end("all missed" if words == "miss" else "out" if is_out else stuck)

    @staticmethod
    def has_x(plates: list[dict[str, Any]], plate: dict[str, Any], side: str) -> bool:
        """Return whether a side of a plate holds an X joiner."""
        held = [(other["joint"]["to"], other["joint"]) for other in plates if other["joint"]]
        there = any(
            to == plate["number"] and joint["side"] == side and joint["joiner"] != "ordinary"
            for to, joint in held
        )
        own = plate["joint"]
        if own is None or own["joiner"] == "ordinary":
            return there
        back = tuple(-step for step in DIRECTIONS[own["heading"]])
        return there or DIRECTIONS[side] == back

    @staticmethod
    def top(corners: list[list[int]], side: str, heading: str) -> int:
        """Return the greatest height of a domino that leaves a side of a plate."""

        def reach(corner: list[int]) -> int:
            return int(np.dot(corner, DIRECTIONS[side]))

        far = max(map(reach, corners))
        edge = [corner[2] for corner in corners if reach(corner) == far]
        return max(height + steps * DIRECTIONS[heading][2] for height in edge for steps in (0, 2))

    def standing(self, view: View) -> list[int]:
        is_over = view["phase"] == "over"
        left = [0 if is_over else hand["pieces"] for hand in view["hands"]]
        if view["series"] == "wins":
            return [1000 * wins - pieces for wins, pieces in zip(view["wins"], left, strict=True)]
        pips = 6 if view["variant"] == "traditional" else 3
        both = zip(view["points"], left, strict=True)
        return [-points - pips * pieces for points, pieces in both]


class Connections(Recount):
    BY_SEAT = (
        "sets",
        "links",
        "singles",
        "offers",
        "trades",
        "invitations",
        "partnerships",
        "three_regions",
        "discards",
        "announcements",
    )
    OF_MATCH = ("rounds_announced", "rounds_idle", "rounds_turn_limit")
    ENDINGS = ("nobody plays", "turn limit")
    TALK = ("offer", "answer", "accept", "no")

    def begin(self) -> None:
        self.had = [0] * self.seats
        self.had_last = [0] * self.seats
        self.announced: int | None = None
        self.idle = 0
        self.traders: tuple[int, ...] = ()

    def hear(self, seat: int, words: str) -> None:
        if words.startswith("offer "):
            self.by_seat["offers"][seat] += 1
            self.traders = seat, (seat + int(words[-1])) % self.seats
        if words == "accept":
            for trader in self.traders:
                self.by_seat["trades"][trader] += 1

    def see(self, seat: int, words: str, before: View, after: View) -> None:
        phase, turn = before["phase"], before["turn"]
        regions = {city["name"]: city["regions"] for city in before["cities"]}
        regions_of_link = {city["id"]: city["regions"] for city in before["cities"]}
        what, _, name = words.partition(" ")
        city = name.split("/")[0]
        self.scores = after["points"]
        self.turns += phase == "play" and what != "invite"
        nothing_to_draw = before["pile"] == 0 and not before["discard"]
        has_put = False
        if what == "announce":
            self.by_seat["announcements"][seat] += 1
            self.announced = seat
        elif what == "invite":
            self.by_seat["invitations"][seat] += 1
        elif what == "join":
            joined = regions_of_link[before["chosen"]["link"]]
            laid = {face.split("/")[0] for face in before["laid"][seat]}
            if any(set(regions[city]) <= set(joined) for city in laid if len(regions[city]) == 1):
                self.partners(joined, turn, seat)
        elif what == "discard":
            self.by_seat["discards"][seat] += 1
        elif what == "set" and len(before["chosen"]["cities"]) == 2:
            self.by_seat["sets"][seat] += 1
            has_put = True
        elif what == "play":
            self.by_seat["singles" if len(regions[city]) == 1 else "links"][seat] += 1
            has_put = True
        if has_put and len(regions[city]) == 1:
            for link in before["links"]:
                joined = regions_of_link[link["city"]]
                if link["invited"] == seat and regions[city][0] in joined:
                    self.partners(joined, link["owner"], seat)
        if phase == "draw" or what in ("discard", "pass") or (has_put and nothing_to_draw):
            self.had[turn] += 1
            self.had_last[turn] += self.announced is not None
            self.idle = self.idle + 1 if what in ("discard", "pass") else 0
        if len(after["history"]) != len(before["history"]):
            self.end_round(before)

    def partners(self, regions: list[str], owner: int, partner: int) -> None:
        for seat in (owner, partner):
            self.by_seat["partnerships"][seat] += 1
            self.by_seat["three_regions"][seat] += len(regions) == 3

    def end_round(self, view: View) -> None:
        others = [had for seat, had in enumerate(self.had_last) if seat != self.announced]
        if self.announced is not None and min(others) >= 2:
            self.of_match["rounds_announced"] += 1
            self.end("announced")
        elif view["round"] == view["rounds"] and self.idle >= 2 * self.seats:
            self.of_match["rounds_idle"] += 1
            self.end("nobody plays")
        else:
            assert max(self.had) == view["max_turns"]
            self.of_match["rounds_turn_limit"] += 1
            self.end("turn limit")

    def standing(self, view: View) -> list[int]:
        standing: list[int] = view["points"].copy()
        if view["phase"] != "over":
            for seat, score in enumerate(view["scores"]):
                parts = [part["points"] for part in score["parts"] if part["what"] != "pairs"]
                standing[seat] += sum(parts)
        return standing


def wall_in(_: NDArray[Any], masks: NDArray[Any]) -> NDArray[Any]:
    """Set up Mapello so that nobody can ever move; else play the first legal action."""
    actions = adjoin.Match("mapello", setup="free").spec.actions
    wish = np.ones(actions.size)
    wish[actions["finish"].start] = 2
    for row, column in [(2, 3), (2, 4), (3, 2), (3, 5), (4, 2), (4, 5), (5, 3), (5, 4)]:
        wish[actions["wall"].start + 8 * row + column] = 3
    chosen: NDArray[Any] = (masks * wish).argmax(axis=1)
    return chosen


class Case(NamedTuple):
    """A table to count again."""

    options: dict[str, Any]
    episodes: int
    agents: tuple[Any, ...] = ("random",)
    first: int = 0
    max_decisions: int = 10_000


RECOUNTS: dict[str, type[Recount]] = {
    "mapello": Mapello,
    "mapominoes": Mapominoes,
    "metro_domino": MetroDomino,
    "domiphun": Domiphun,
    "connections": Connections,
}

MIXED = ("greedy", "random")

ALL_MISS: dict[str, Any] = {"variant": "advanced", "players": 4, "x_joiners": 1, "starjoiners": 1}
"""A game in which joiners alone could be played, and nobody wanted to, is rare."""

CASES: dict[str, list[Case]] = {
    "mapello": [
        Case({}, 40, MIXED),
        Case({"setup": "othello"}, 30),
        Case({"setup": "free", "games": 3}, 20),
        Case({"walls": 8, "bonuses": 8, "jokers": 8, "games": 4}, 30),
        Case({"walls": 8, "bonuses": 2, "jokers": 8}, 60),
        Case({"setup": "free", "games": 4}, 4, (wall_in, "random")),
        Case({"games": 2}, 10, max_decisions=80),
    ],
    "mapominoes": [
        Case({"nations": ["Wales"], "table": (8, 6)}, 30, MIXED),
        Case({"players": 3, "nations": ["Wales"], "table": (6, 6), "challenges": True}, 20),
        Case({"players": 4, "nations": ["Scotland"], "transit_each": "easier", "rounds": 2}, 10),
        Case({"players": 5, "nations": ["Wales"], "draw": "free", "table": (8, 8)}, 15),
        Case({"nations": ["Scotland"], "double_with_transit": False, "table": (8, 8)}, 10, MIXED),
        Case(
            {
                "nations": ["Wales", "Northern Ireland"],
                "first_nation": "Northern Ireland",
                "staged": True,
                "challenges": True,
                "table": (7, 7),
            },
            20,
            MIXED,
        ),
        Case({"atlas": ISLAND, "table": (3, 3), "staged": True, "rounds": 4}, 30),
        Case({"players": 3, "nations": ["Wales"], "challenges": True}, 15, max_decisions=90),
    ],
    "metro_domino": [
        Case({}, 40, MIXED),
        Case({"players": 3, "wins_needed": 2}, 20),
        Case({"players": 4}, 30),
        Case({"stations": SHUTTLE, "wins_needed": 3, "first_seat": 1}, 30),
        Case({"stations": SHUTTLE, "players": 3}, 20, MIXED),
        Case({"wins_needed": 3}, 15, max_decisions=100),
    ],
    "domiphun": [
        Case({}, 30, MIXED),
        Case({"variant": "traditional", "players": 3, "starts_each": 1}, 20),
        Case({"variant": "traditional", "series": "points", "starts_each": 2}, 20),
        Case({"variant": "advanced", "starts_each": 1}, 30, MIXED),
        Case({"variant": "advanced", "players": 4, "fork": True, "series": "points"}, 20),
        Case({"players": 4, "starts_each": 2, "series": "points"}, 15),
        Case(ALL_MISS, 10, first=258),
        Case({"variant": "advanced", "starts_each": 2}, 15, max_decisions=90),
    ],
    "connections": [
        Case({"max_turns": 12}, 15, MIXED),
        Case({"players": 4, "trading": False}, 15, MIXED),
        Case({"players": 5, "partnerships": False, "max_turns": 3}, 8),
        Case({"players": 6, "max_turns": 3}, 8),
        Case({"deck": ORCHARD, "deals_each": 2, "max_turns": 8, "trading": False}, 20, MIXED),
        Case({"trading": False}, 10, max_decisions=70),
    ],
}


def simulate(game: str, case: Case, seats: int, record: Literal["episodes", "decisions"]) -> Table:
    agents = [case.agents[seat % len(case.agents)] for seat in range(seats)]
    keywords: dict[str, Any] = {
        "first": case.first,
        "max_decisions": case.max_decisions,
        **case.options,
    }
    table: Table = adjoin.simulate(game, case.episodes, agents, record=record, **keywords)
    return table


def count_again(game: str, case: Case) -> Table:
    """Check every figure of a table, and return it."""
    seats = adjoin.Match(game, **case.options).spec.seats
    table = simulate(game, case, seats, "episodes")
    decisions = simulate(game, case, seats, "decisions")
    columns = [decisions[name].tolist() for name in ("episode", "ply", "seat", "words")]
    rows = zip(*columns, decisions.each_seat("standing").tolist(), strict=True)
    by_episode = itertools.groupby(rows, key=operator.itemgetter(0))
    for index, (episode, taken) in enumerate(by_episode):
        match = adjoin.Match(
            game, episode=episode, max_decisions=case.max_decisions, **case.options
        )
        count = RECOUNTS[game](case.options, seats)
        before: View | None = match.view("all")
        for _, ply, seat, words, standing in taken:
            if words.split()[0] in count.TALK:
                match.play(words)
                count.hear(seat, words)
                before = None
                continue
            before = before or match.view("all")
            match.play(words)
            after = match.view("all")
            count.see(seat, words, before, after)
            assert standing == count.standing(after), f"{game} {case}, episode {episode}, {ply}"
            before = after
        if match.view("all")["phase"] != "over":
            count.ended = "cut off"
        found = {name: table[name][index] for name in own_columns(table)}
        assert found == count.row(), f"{game} {case}, episode {episode}"
    return table


def own_columns(table: Table) -> list[str]:
    """Return the columns that only the game can tell."""
    common = (
        "seed",
        "episode",
        "agent_",
        "winner",
        "won_",
        "return_",
        "began",
        "decisions",
        "digest",
    )
    return [name for name in table.columns if not name.startswith(common)]


@pytest.mark.parametrize("game", RECOUNTS)
def test_every_figure_can_be_counted_on_the_table(game: str) -> None:
    tables = [count_again(game, case) for case in CASES[game]]
    ended = {str(ending) for table in tables for ending in table["ended"]}
    assert ended == {*RECOUNTS[game].ENDINGS, "cut off"}
    for name in RECOUNTS[game].BY_SEAT:
        assert any(table.each_seat(name).any() for table in tables), name
    for name in RECOUNTS[game].OF_MATCH:
        assert any(table[name].any() for table in tables), name


def test_every_game_is_counted_again() -> None:
    assert set(RECOUNTS) == set(adjoin.games())
