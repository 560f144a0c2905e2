"""Who held which piece and what lay where, counted again from what is seen on the table."""

from __future__ import annotations

import itertools
import operator
from collections import Counter, deque
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import pytest
from games.test_statistics import Domiphun as DomiphunRules
from games.test_statistics import Mapominoes as MapominoesRules

import adjoin
from adjoin.simulation.tables import Table
from scaffold import ISLAND, ORCHARD, SHUTTLE

View = dict[str, Any]
Laid = tuple[int, str, str]
"""Whose a piece is, what it is, and where it comes to lie."""

SOMETHING = "a piece that nobody sees"


class Look:
    """What a game's view tells about pieces."""

    DEAL = "round"
    """Where the view has the number of the deal, from 1."""

    def __init__(self, options: dict[str, Any], seats: int) -> None:
        self.options = options
        self.seats = seats

    def deal(self, view: View) -> int:
        number: int = view[self.DEAL]
        return number - 1

    def held(self, view: View, seat: int) -> Counter[str]:
        """Return what a seat has."""
        raise NotImplementedError

    def laid(self, before: View, words: str) -> list[Laid]:
        """Return what comes to lie for good by a decision."""
        raise NotImplementedError

    def moved(self, before: View, words: str) -> tuple[Counter[str], Counter[str]]:
        """Return what the seat in turn draws and gives away by a decision that ends a deal."""
        return Counter(), Counter()

    def figures(self, view: View) -> dict[str, int]:
        """Return figures of the table, and by seat such as ``hand_0``."""
        raise NotImplementedError

    def by_seat(self, name: str, numbers: list[int]) -> dict[str, int]:
        return {f"{name}_{seat}": number for seat, number in enumerate(numbers)}

    def hands(self, view: View) -> dict[str, int]:
        held = [self.held(view, seat).total() for seat in range(self.seats)]
        return self.by_seat("hand", held)


class Mapominoes(Look):
    def __init__(self, options: dict[str, Any], seats: int) -> None:
        super().__init__(options, seats)
        self.rules = MapominoesRules(options, seats)
        atlas = options.get("atlas", "uk-counties")
        self.regions = adjoin.Atlas.load(atlas) if isinstance(atlas, str) else atlas

    def held(self, view: View, seat: int) -> Counter[str]:
        hand = view["hands"][seat]
        counties = Counter(self.regions[county].name for county in hand["cards"])
        return counties + Counter({"transit card": hand["transit"]})

    def laid(self, before: View, words: str) -> list[Laid]:
        phase, turn, chosen = before["phase"], before["turn"], before["chosen"]
        if phase in ("place", "place_follow") and not self.options.get("challenges"):
            cell = words
        elif phase == "challenge" and (
            self.rules.is_right(before)
            if words == "challenge"
            else (before["to_act"] + 1) % self.seats == turn
        ):
            cell = chosen["cell"]
        else:
            return []
        county = (turn, self.regions[chosen["county"]].name, f"cell {cell}")
        transit = (turn, "transit card", f"cell {chosen['transit_cell']}")
        return [transit, county] if chosen["transit_cell"] else [county]

    def moved(self, before: View, words: str) -> tuple[Counter[str], Counter[str]]:
        drawn = words == "take" and before["pile"] > 0
        return Counter(["transit card"] * drawn), Counter()

    def figures(self, view: View) -> dict[str, int]:
        kinds = Counter(card["kind"] for card in view["table"]["cards"])
        free = {
            (card["row"] + down, card["column"] + right)
            for card in view["table"]["cards"]
            for down, right in ((0, 1), (1, 0), (0, -1), (-1, 0))
        }
        free -= {(card["row"], card["column"]) for card in view["table"]["cards"]}
        rows, columns = view["table"]["rows"], view["table"]["columns"]
        figures = {
            **self.hands(view),
            **self.by_seat("counties", [hand["counties"] for hand in view["hands"]]),
            **self.by_seat("points", view["points"]),
            "table": kinds["county"],
            "transits": kinds["transit"],
            "cells": sum(0 <= y < rows and 0 <= x < columns for y, x in free),
            "pile": view["pile"],
            "undealt": len(view["undealt"]),
        }
        if view["phase"] == "go" and not self.options.get("challenges"):
            played = [words for words in view["legal"] if words != "take"]
            counties = [words for words in played if not words.startswith("transit ")]
            figures[f"fit_{view['turn']}"] = len(counties)
        return figures


class MetroDomino(Look):
    DEAL = "game_number"

    def held(self, view: View, seat: int) -> Counter[str]:
        return Counter(f"{low}-{high}" for low, high in view["hands"][seat]["held"])

    def laid(self, before: View, words: str) -> list[Laid]:
        tile, _, line = words.partition(" ")
        return [(before["turn"], upright(tile), f"line {line}")] if line else []

    def figures(self, view: View) -> dict[str, int]:
        states = Counter(line["state"] for line in view["lines"])
        figures = {
            **self.hands(view),
            **self.by_seat("tokens_held", [hand["tokens"] for hand in view["hands"]]),
            **self.by_seat("stations", [hand["stations"] for hand in view["hands"]]),
            "table": sum(len(line["tiles"]) for line in view["lines"]),
            "store": view["store"],
            "open_lines": states["open"] + states["active"],
            "active": states["active"],
            "unopened": view["stations_left"],
        }
        if view["phase"] in ("turn", "extra", "spent"):
            tiles = {upright(words.split()[0]) for words in view["legal"] if words[1:2] == "-"}
            figures[f"fit_{view['turn']}"] = len(tiles)
        return figures


def upright(domino: str) -> str:
    """Return the name of a domino, its smaller half first."""
    return "-".join(sorted(domino.split("-")))


class Domiphun(Look):
    DEAL = "game_number"

    def held(self, view: View, seat: int) -> Counter[str]:
        hand = view["hands"][seat]
        if view["variant"] == "traditional":
            return Counter(f"{low}-{high}" for low, high in hand["held"])
        chosen = view["chosen"]["domino"] or []
        squares = Counter(map(str, [*hand["held"], *(chosen if seat == view["turn"] else [])]))
        joiners = {"X joiner": hand["x_joiners"], "Starjoiner": hand["starjoiners"]}
        return squares + Counter(joiners)

    def laid(self, before: View, words: str) -> list[Laid]:
        turn, is_advanced = before["turn"], before["variant"] == "advanced"
        domino, _, end = words.partition(" ")
        place = f"end {end}" if end else ""
        if domino == "star":
            return [(turn, "Starjoiner", place)]
        if before["phase"] == "place":
            place = f"end {before['chosen']['end']}"
            taken = [(turn, str(value), place) for value in before["chosen"]["domino"]]
            return [*taken, *[(turn, "X joiner", place)] * self.takes_x(before, words)]
        if domino in ("take", "miss") or (is_advanced and before["dominoes"]):
            return []
        if before["variant"] == "traditional":
            return [(turn, upright(domino), place)]
        return [(turn, value, place) for value in domino.split("-")]

    def takes_x(self, before: View, words: str) -> bool:
        side, *turned = words.split()
        plate = before["plates"][before["chosen"]["plate"]]
        is_turned = bool(turned) and turned[0] != side
        return is_turned and not DomiphunRules.has_x(before["plates"], plate, side)

    def moved(self, before: View, words: str) -> tuple[Counter[str], Counter[str]]:
        return Counter([SOMETHING] * (words == "take")), Counter()

    def figures(self, view: View) -> dict[str, int]:
        figures = {
            **self.hands(view),
            **self.by_seat("squares", [hand["pieces"] for hand in view["hands"]]),
            **self.by_seat("x_left", [hand["x_joiners"] for hand in view["hands"]]),
            **self.by_seat("stars_left", [hand["starjoiners"] for hand in view["hands"]]),
            "table": len(view["dominoes"]),
            "height": view["height"],
            "pool": view["pool"],
            "taken": view["taken"],
        }
        if view["phase"] == "turn":
            dominoes = {words.split()[0] for words in view["legal"] if words[1:2] == "-"}
            held = view["hands"][view["turn"]]["held"]
            if view["variant"] == "traditional":
                fitting = [
                    pair for pair in held if f"{pair[0]}-{pair[1]}" in map(upright, dominoes)
                ]
            else:
                values = {value for domino in dominoes for value in domino.split("-")}
                fitting = [value for value in held if str(value) in values]
            figures[f"fit_{view['turn']}"] = len(fitting)
        return figures


class Connections(Look):
    def deal(self, view: View) -> int:
        return len(view["history"]) - int(view["phase"] == "over")

    def held(self, view: View, seat: int) -> Counter[str]:
        return Counter(view["hands"][seat]["held"])

    def laid(self, before: View, words: str) -> list[Laid]:
        what, _, face = words.partition(" ")
        first = before["chosen"]["cities"]
        if what != "play" and (what != "set" or len(first) < 2):
            return []
        faces = [*first, face]
        turn = before["turn"]
        cards = {frozenset(card.split("/")): card for card in self.held(before, turn)}
        return [
            (turn, cards[frozenset(face.split("/"))], f"city {face.split('/')[0]}")
            for face in faces
        ]

    def moved(self, before: View, words: str) -> tuple[Counter[str], Counter[str]]:
        what, _, card = words.partition(" ")
        drawn = {"draw": [SOMETHING], "take": before["discard"][-1:]}
        return Counter(drawn.get(what, [])), Counter([card] * (what == "discard"))

    def figures(self, view: View) -> dict[str, int]:
        owners = Counter(link["owner"] for link in view["links"])
        bonds = [link for link in view["links"] if link["partner"] is not None]
        partners = Counter(link[who] for link in bonds for who in ("owner", "partner"))
        seats = range(self.seats)
        figures = {
            **self.hands(view),
            **self.by_seat("tokens", [hand["tokens"] for hand in view["hands"]]),
            **self.by_seat("sets", [len(sets) for sets in view["sets"]]),
            **self.by_seat("links", [owners[seat] for seat in seats]),
            **self.by_seat("partnerships", [partners[seat] for seat in seats]),
            "pile": view["pile"],
            "discard_pile": len(view["discard"]),
            "announced": view["announced"] is not None,
        }
        for seat, score in enumerate(view["scores"]):
            lost = sum(part["points"] for part in score["parts"] if part["what"] == "pairs")
            figures[f"pairs_{seat}"] = lost // -20
        if view["phase"] in ("play", "set"):
            played = [words.split(" ", 1) for words in view["legal"]]
            cards = {frozenset(it[1].split("/")) for it in played if it[0] in ("play", "set")}
            figures["fit"] = len(cards)
        return figures


class Ladder(Look):
    def deal(self, view: View) -> int:
        return 0

    def held(self, view: View, seat: int) -> Counter[str]:
        return Counter(map(str, view["hands"][seat]["cards"]))

    def laid(self, before: View, words: str) -> list[Laid]:
        return [(before["to_act"], words[4:], "")] if words.startswith("lay ") else []

    def figures(self, view: View) -> dict[str, int]:
        return {**self.hands(view), "table": len(view["laid"])}


class Mapello(Look):
    def deal(self, view: View) -> int:
        number: int = view["match"]["game"]
        return number - 1

    def held(self, view: View, seat: int) -> Counter[str]:
        return Counter()

    def laid(self, before: View, words: str) -> list[Laid]:
        *piece, cell = words.split()
        if not any(symbol.isdigit() for symbol in cell):
            return []
        return [(before["to_act"], piece[0] if piece else "disc", f"cell {cell}")]

    def figures(self, view: View) -> dict[str, int]:
        inside = [row[1:9] for row in view["cells"][1:9]]
        return {"empty": sum(map(len, inside)) - sum(c not in ".+" for r in inside for c in r)}


class Case(NamedTuple):
    """Matches to look into."""

    options: dict[str, Any]
    episodes: int
    agents: tuple[str, ...] = ("greedy", "random")
    max_decisions: int = 10_000


LOOKS: dict[str, type[Look]] = {
    "mapello": Mapello,
    "mapominoes": Mapominoes,
    "metro_domino": MetroDomino,
    "domiphun": Domiphun,
    "connections": Connections,
    "ladder": Ladder,
}

CASES: dict[str, list[Case]] = {
    "mapello": [Case({"games": 2}, 4), Case({"setup": "free"}, 3, ("random",))],
    "mapominoes": [
        Case({"nations": ["Wales"], "table": (8, 6)}, 4),
        Case({"players": 3, "nations": ["Wales"], "table": (6, 6), "challenges": True}, 2),
        Case({"atlas": ISLAND, "table": (3, 3), "staged": True, "rounds": 6}, 12, ("random",)),
        Case({"nations": ["Wales"], "players": 4}, 3, max_decisions=60),
    ],
    "metro_domino": [
        Case({}, 4),
        Case({"stations": SHUTTLE, "players": 3, "wins_needed": 2}, 4, ("random",)),
    ],
    "domiphun": [
        Case({"starts_each": 2}, 6),
        Case({"variant": "traditional", "players": 3, "starts_each": 2, "values": 4}, 8),
        Case({"variant": "advanced", "fork": True, "starts_each": 2}, 6),
        Case({"variant": "advanced", "values": 3, "starts_each": 2}, 8, ("random",)),
    ],
    "connections": [
        Case({"max_turns": 12}, 2),
        Case({"deck": ORCHARD, "trading": False, "deals_each": 2}, 2),
    ],
    "ladder": [Case({}, 5)],
}


FATES = {"mapello": {"laid"}, "connections": {"laid", "left", "gone"}}
"""What becomes of pieces, if it is not to be laid or left."""


def simulate(game: str, case: Case, record: str) -> Table:
    seats = adjoin.Match(game, **case.options).spec.seats
    agents = [case.agents[seat % len(case.agents)] for seat in range(seats)]
    keywords: dict[str, Any] = {
        "record": record,
        "max_decisions": case.max_decisions,
        **case.options,
    }
    table: Table = adjoin.simulate(game, case.episodes, agents, **keywords)
    return table


def decisions(game: str, case: Case, table: Table) -> Iterator[tuple[int, int, View, str, View]]:
    """Play the matches of a table of decisions again: what is seen before and after each."""
    columns = [table[name].tolist() for name in ("episode", "ply", "words")]
    rows = zip(*columns, strict=True)
    for episode, taken in itertools.groupby(rows, key=operator.itemgetter(0)):
        match = adjoin.Match(
            game, episode=episode, max_decisions=case.max_decisions, **case.options
        )
        before = match.view("all")
        for _, ply, words in taken:
            match.play(words)
            after = match.view("all")
            yield episode, ply, before, words, after
            before = after


class Recount:
    """Follows the pieces of a match."""

    def __init__(self, look: Look, episode: int, view: View) -> None:
        self.look = look
        self.episode = episode
        self.deal = look.deal(view)
        self.rows: Counter[tuple[Any, ...]] = Counter()
        self.since: dict[tuple[int, str], deque[int]] = {}
        self.drawn = 0
        self.gain(view, 0)

    def gain(self, view: View, decisions: int) -> None:
        for seat in range(self.look.seats):
            for piece, count in self.look.held(view, seat).items():
                mine = self.since.setdefault((seat, piece), deque())
                mine.extend([decisions] * (count - len(mine)))

    def end(self, seat: int, piece: str, until: int, fate: str, place: str = "") -> None:
        mine = self.since.get((seat, piece))
        since = mine.popleft() if mine else until
        row = (self.episode, self.deal, seat, piece, since, until, fate, place)
        self.rows[row] += 1

    def leave(self, decisions: int) -> None:
        for (seat, piece), mine in self.since.items():
            for _ in range(len(mine)):
                self.end(seat, piece, decisions, "left")

    def see(self, ply: int, before: View, words: str, after: View) -> None:
        for seat, piece, place in self.look.laid(before, words):
            self.end(seat, piece, ply, "laid", place)
        if self.look.deal(after) != self.deal:
            drawn, given = self.look.moved(before, words)
            for piece in given:
                self.end(before["turn"], piece, ply, "gone")
            self.drawn += drawn.total()
            for piece in drawn:
                self.since.setdefault((before["turn"], piece), deque()).append(ply + 1)
            self.leave(ply + 1)
            self.deal = self.look.deal(after)
        for (seat, piece), mine in self.since.items():
            for _ in range(len(mine) - self.look.held(after, seat)[piece]):
                self.end(seat, piece, ply, "gone")
        self.gain(after, ply + 1)


def count_again(game: str, case: Case) -> tuple[set[str], int]:
    """Check the rows of pieces and the figures of states.

    Return what becomes of pieces, and how many were drawn by a decision that another deal follows.
    """
    pieces, states = simulate(game, case, "pieces"), simulate(game, case, "states")
    seats = adjoin.Match(game, **case.options).spec.seats
    look = LOOKS[game](case.options, seats)
    counts: dict[int, Recount] = {}
    last: dict[int, int] = {}
    for row, (episode, ply, before, words, after) in enumerate(decisions(game, case, states)):
        where = f"{game} {case}, episode {episode}, decision {ply}"
        figures = look.figures(before)
        assert figures == {name: states[name][row] for name in figures}, where
        if game not in ("mapello", "ladder"):
            assert states["deal"][row] == look.deal(before), where
        count = counts.setdefault(episode, Recount(look, episode, before))
        count.see(ply, before, words, after)
        last[episode] = ply + 1
    expected: Counter[tuple[Any, ...]] = Counter()
    for episode, count in counts.items():
        count.leave(last[episode])
        expected += count.rows
    names = ("episode", "deal", "seat", "piece", "since", "until", "fate", "place")
    found = Counter(zip(*(pieces[name].tolist() for name in names), strict=True))
    hidden = [row for row in expected if row[3] == SOMETHING]
    for one in hidden:
        # It was drawn and at once out of sight: it is there, whatever it was.
        alike = [row for row in found if row[:3] == one[:3] and row[4:] == one[4:]]
        more = [row for row in alike if found[row] > expected[row]]
        assert len(more) == 1, f"{game} {case}: {one}"
        expected[more[0]] += 1
        del expected[one]
    assert found == expected, f"{game} {case}: {found - expected} for {expected - found}"
    return {row[6] for row in expected}, sum(count.drawn for count in counts.values())


@pytest.mark.parametrize("game", LOOKS)
def test_pieces_and_figures_can_be_counted_on_the_table(game: str) -> None:
    fates, drawn = zip(*(count_again(game, case) for case in CASES[game]), strict=True)
    assert set().union(*fates) == FATES.get(game, {"laid", "left"})
    assert any(drawn) == (game in ("mapominoes", "domiphun", "connections"))


@pytest.mark.parametrize("game", LOOKS)
def test_a_piece_has_the_agent_and_the_win_of_its_seat(game: str) -> None:
    case = CASES[game][0]
    pieces, episodes = simulate(game, case, "pieces"), simulate(game, case, "episodes")
    seat, row = pieces["seat"], pieces["episode"]
    assert (episodes["episode"] == np.arange(len(episodes))).all()
    assert (pieces["won"] == episodes.each_seat("won")[row, seat]).all()
    seated, names = episodes.seated()
    assert pieces["agent"].tolist() == [names[agent] for agent in seated[row, seat]]
    assert (pieces["decisions"] == episodes["decisions"][row]).all()
    assert (pieces["digest"] == episodes["digest"][row]).all()


def test_every_game_is_looked_into() -> None:
    assert set(LOOKS) == {*adjoin.games(), "ladder"}
