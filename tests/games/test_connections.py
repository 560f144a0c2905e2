"""Connections from Python: pictures, what the numbers mean, the greedy agent.

The rules are tested in tests/rules/connections.rs.
"""

from __future__ import annotations

import copy
import json
import random
import re
import xml.etree.ElementTree as ElementTree
from collections import Counter
from itertools import count
from typing import TYPE_CHECKING, Any

import numpy as np

import adjoin
from adjoin import Deck, Match
from scaffold import ORCHARD, Variant, cases

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

WORLD = Deck.load()
PHASES = ["announce", "offer", "answer", "accept", "play", "invited", "set", "draw", "discard"]

VIENNA: dict[str, Any] = {
    "hands": [["London/Baghdad", "Tunis/Kyiv"], ["Boston/Nairobi"], ["Rome/Riyadh"]],
    "laid": [
        ["Moscow/Mumbai", "Warsaw/Auckland", "Budapest/Dubai", "Vienna"],
        ["Paris/Bangkok", "Amsterdam/Alexandria", "Berlin/Addis Ababa"],
        [],
    ],
    "sets": [["eastern_europe"], ["western_europe"], []],
}
"""Seat 0 has a set and a link to the region of which seat 1 has one; it is seat 0's turn."""


def at(options: dict[str, Any] | None = None, **parts: Any) -> Match:
    return Match("connections", position=json.dumps({**VIENNA, **parts}), **(options or {}))


# What the numbers mean.

TABLES = [
    Variant("connections", {"max_turns": 12}),
    Variant("connections", {"players": 6, "max_turns": 7}),
    Variant("connections", {"deck": ORCHARD, "max_turns": 8}),
]


def eager(legal: list[str], rng: random.Random) -> str:
    """Choose an action: one that gets a round on, if there is one, most of the time."""
    for words in (("join", "accept"), ("invite",), ("play",), ("set",)):
        found = [action for action in legal if action.split()[0] in words]
        if found and rng.random() < 0.8:
            return rng.choice(found)
    return rng.choice(legal)


def moments(variant: Variant, stride: int) -> Iterator[Match]:
    """Return moments of a match, every phase and the end among them."""
    match, rng = variant.match(seed=3), random.Random(3)
    phases = set()
    for number in count():
        phase = match.view()["phase"]
        if number % stride == 0 or phase not in phases:
            phases.add(phase)
            yield match
        if match.is_over:
            break
        match.play(eager(match.legal(), rng))
    assert phases == {*PHASES, "over"}


@cases("deck", [WORLD, ORCHARD])
def test_blocks_are_labelled_with_the_names_of_the_deck(deck: Deck) -> None:
    spec = Match("connections", deck=deck).spec
    names = list(map(str, deck))
    faces = [
        face
        for card in deck
        if not card.is_link
        for face in (f"{card.front}/{card.back}", f"{card.back}/{card.front}")
    ]
    links = [city.name for city in deck.links]
    assert spec.actions["play"].labels == tuple(faces + links)
    assert spec.actions["discard"].labels == tuple(names)
    assert spec.observation["tokens_on"].labels == tuple(c.name for c in deck.cities)
    assert spec.observation["sets"].labels == tuple(deck.regions.values())
    assert spec.observation["phase"].labels == tuple(PHASES)


@cases("variant", TABLES)
def test_an_observation_says_what_the_view_says_beginning_with_the_viewer(variant: Variant) -> None:
    spec = variant.match().spec
    seats = spec.seats
    cards = list(spec.observation["top"].labels)
    for match in moments(variant, 7):
        state = json.loads(match.position())
        for viewer in range(seats):
            view = match.view(viewer)
            row = spec.observation.split(match.observe(viewer)[0])
            around = [(viewer + n) % seats for n in range(seats)]
            expected = observed(view, state, cards, around)
            assert set(row) == set(expected)
            for name, block in expected.items():
                assert np.array_equal(row[name], block), name


def observed(
    view: dict[str, Any], state: dict[str, Any], cards: list[str], around: list[int]
) -> dict[str, Any]:
    """Return the blocks of an observation, from a view and from what nobody sees."""
    chosen, hands = view["chosen"], [view["hands"][seat] for seat in around]
    is_over, known = view["to_act"] is None, set(state["known"])

    def flags(names: list[str], *found: str | None) -> NDArray[np.int64]:
        return np.array([int(name in found) for name in names])

    def seat_flags(*found: int | None) -> NDArray[np.int64]:
        return np.array([int(seat in found) for seat in around])

    hidden = [
        card
        for seat in around[1:]
        for card in state["hands"][seat]
        if card not in state["known"] and not is_over
    ] + state["pile"]
    late = [card for card in hidden if state["ages"].get(card, 0) == state["shuffles"]]
    regions = [region["id"] for region in view["regions"]]
    links = [city["id"] for city in view["cities"] if len(city["regions"]) > 1]
    partners, invited = ([[0] * len(links) for _ in around] for _ in range(2))
    for link in view["links"]:
        number = links.index(link["city"])
        if link["partner"] is not None:
            for seat in (link["owner"], link["partner"]):
                partners[around.index(seat)][number] = 1
        if link["invited"] is not None:
            invited[around.index(link["invited"])][number] = 1
    if view["phase"] == "invited":
        invited[around.index(chosen["to"])][links.index(chosen["link"])] = 1
    sides = [frozenset(face.split("/")) for face in chosen["cities"]]
    picked = [card for card in cards if frozenset(card.split("/")) in sides]
    offered_to = chosen["to"] if chosen["asked"] is not None else None
    return {
        "hand": flags(cards, *hands[0]["held"]),
        "known": [flags(cards, *known.intersection(state["hands"][seat])) for seat in around],
        "unseen": flags(cards, *hidden),
        "late": flags(cards, *late),
        "discarded": flags(cards, *view["discard"]),
        "top": flags(cards, *view["discard"][-1:]),
        "offered": flags(cards, chosen["card"]),
        "reply": flags(cards, chosen["reply"]),
        "chosen": flags(cards, chosen["taken"], *picked),
        "tokens_on": [[int(c["token"] == seat) for c in view["cities"]] for seat in around],
        "sets": [flags(regions, *view["sets"][seat]) for seat in around],
        "partners": partners,
        "invited": invited,
        "offers": seat_flags(chosen["asked"]),
        "offered_to": seat_flags(offered_to),
        **{name: [hand[name] for hand in hands] for name in ("cards", "tokens")},
        **{name: [hand[name] for hand in hands] for name in ("turns", "last_turns")},
        "announced": seat_flags(view["announced"]),
        "points": [min(max(view["points"][seat] // 20 + 10, 0), 170) for seat in around],
        "turn": seat_flags(view["turn"]),
        "to_act": seat_flags(view["to_act"]),
        "phase": flags(PHASES, view["phase"]),
        **{name: view[name] for name in ("pile", "idle")},
        "may_invite": int(chosen["may_invite"]),
        "rounds_left": max(view["rounds"] - len(view["history"]) - 1, 0),
    }


# Pictures.

EXAMPLE: dict[str, Any] = {
    "hands": [["Lima/Johannesburg"], ["Chicago"], ["Cairo"]],
    "laid": [
        ["Baghdad/London", "Tehran/Havana", "Dubai/Budapest", "Riyadh/Rome", "Istanbul"],
        ["Bangkok/Paris", "Delhi/Perth", "Hanoi/Phoenix", "Lahore"],
        ["Moscow/Mumbai", "Warsaw/Auckland", "Kyiv/Tunis", "Saint Petersburg/Stockholm"],
    ],
    "sets": [["western_asia"], ["South East Asia"], ["eastern_europe"]],
    "links": [{"city": "Istanbul", "partner": 2}, {"city": "Lahore", "partner": 0}],
}


def elements(root: ElementTree.Element, kind: str) -> list[ElementTree.Element]:
    return [element for element in root.iter() if element.tag.endswith(f"}}{kind}")]


def curves_in(match: Match) -> list[tuple[str, str]]:
    curve = r'<path [^>]*fill="none" stroke="(#\w+)" stroke-width="([\d.]+)"'
    return re.findall(curve, match.svg())


def test_a_picture_joins_the_partners_cities_with_the_link() -> None:
    blue, orange, green = "#0072b2", "#d55e00", "#009e73"
    assert curves_in(at()) == [(blue, "1.5")] * 3
    both = [(orange, "3.5")] * 3 + [(blue, "3.5")] * 3
    assert sorted(curves_in(at(links=[{"city": "Vienna", "partner": 1}]))) == sorted(both)
    example = Counter(curves_in(at(**EXAMPLE)))
    assert example == {(blue, "3.5"): 8, (orange, "3.5"): 3, (green, "3.5"): 4}


def test_a_picture_goes_around_the_world_where_that_is_shorter() -> None:
    sydney = ["Sydney/Lagos", "Auckland/Beijing", "Brisbane/San Francisco", "Honolulu"]
    match = at(hands=[[], [], []], laid=[sydney, [], []], sets=[["australasia"], [], []])
    assert len(curves_in(match)) == 6
    match = at(
        hands=[[], [], []],
        laid=[[*sydney[:3], "Singapore"], [], []],
        sets=[["australasia"], [], []],
    )
    assert len(curves_in(match)) == 3


def test_a_picture_marks_what_can_be_played_and_what_is_chosen() -> None:
    mark = 'stroke="#e69f00"'
    match = at()
    assert [match.svg(seat).count(mark) for seat in (0, 1)] == [4, 0]  # cities and cards
    match = at(phase="offer", asked=1)
    match.play("offer Boston to +1")
    assert match.svg(0).count(mark) == 1
    match.play("answer Rome/Riyadh")
    assert match.svg(0).count(mark) == 2


@cases("seat", range(3))
def test_names_cannot_break_a_picture(seat: int) -> None:
    names = ["<b>", '"x" y', "A & B", "x" * 60]
    regions = {f"<{n}>": [f"{name} {n}" for name in names] for n in range(7)}
    deck = Deck.build(regions, {"<&>": ["<0>", "<1>"]}, colours={"<0>": '"/><script>'}, name="<")
    match = Match("connections", deck=deck, seed=seat)
    match.play_random(30)
    root = ElementTree.fromstring(match.svg(seat))
    assert elements(root, "script") == elements(root, "b") == []
    assert {"<0>", "<b> 0", "A & B 0", "<&>"} <= {one.text for one in elements(root, "text")}


PLACES: dict[str, Callable[[int], tuple[Any, Any]]] = {
    "one place": lambda n: (2.0, 48.0),
    "a meridian": lambda n: (10.0, n - 10.0),
    "a parallel": lambda n: (6.0 * n - 80, 0.0),
    "the poles": lambda n: (0.0, 90.0 if n % 2 else -90.0),
    "a town": lambda n: (13 + n / 500, 52 + n % 5 / 500),
    "the whole world": lambda n: (13 * n - 180, 6 * n - 90),
    "some of them": lambda n: (1.0, 2.0) if n else (None, None),
}


@cases("places", PLACES)
def test_cities_are_drawn_wherever_they_are(places: str) -> None:
    option = copy.deepcopy(ORCHARD.option())
    assert isinstance(option, dict)
    for number, city in enumerate(option["custom"]["cities"]):
        city["lon"], city["lat"] = PLACES[places](number)
    match = Match("connections", deck=option, seed=1)
    match.play_random(40)
    root = ElementTree.fromstring(match.svg())
    width, height = (float(root.get(name, 0)) for name in ("width", "height"))
    dots = elements(root, "circle")
    for dot in dots:
        assert 0 < float(dot.get("cx", "nan")) < width
        assert 0 < float(dot.get("cy", "nan")) < height
    assert ("Linking cities" in match.svg()) == (places == "some of them")
    cities = [dot for dot in dots if dot.get("r") == "4.5"]
    played = sum(len(laid) for laid in match.view()["laid"])
    assert len({(dot.get("cx"), dot.get("cy")) for dot in cities}) == 26 - played


# Greedy.


@cases(
    ("pairs", "announced", "discarded"),
    [
        ("front", None, ["Vancouver/London"]),
        ("front", 1, ["Lima/Johannesburg", "Santiago/Athens"]),
        ("least", 1, ["Vancouver/London"]),
        ("most", 1, ["Lima/Johannesburg", "Santiago/Athens"]),
    ],
)
def test_greedy_gets_rid_of_pairs_before_the_end(
    pairs: str, announced: int | None, discarded: list[str]
) -> None:
    hand = ["Lima/Johannesburg", "Santiago/Athens", "Vancouver/London"]
    parts: dict[str, Any] = {"laid": [], "sets": [], "phase": "discard", "turns": [7, 6, 7]}
    position = {"hands": [hand, [], []], "announced": announced, **parts}
    matches = (at({"pairs": pairs, "seed": seed}, **position) for seed in range(20))
    chosen = {match.choose("greedy") for match in matches}
    assert chosen == {f"discard {card}" for card in discarded}


@cases("players", [3, 6])
def test_greedy_ends_rounds_and_talks_of_few_trades(players: int) -> None:
    table = adjoin.simulate("connections", 12, "greedy", players=players)
    rounds = 12 * players
    assert table["rounds_announced"].sum() == rounds - 12
    assert table["rounds_idle"].sum() == 12
    decisions = adjoin.simulate("connections", 12, "greedy", record="decisions", players=players)
    said = Counter(words.split()[0] for words in decisions["words"])
    # Every offer is answered or not, every answer accepted or not.
    talk = 2 * said["offer"] + said["answer"]
    assert talk <= len(decisions) / 3
    assert table.each_seat("trades").sum() / 2 > 2 * rounds
