"""Connections from Python: turns, trades, partnerships, positions, what a seat may know."""

from __future__ import annotations

import copy
import dataclasses
import json
import random
import re
import xml.etree.ElementTree as ElementTree
from collections import Counter
from itertools import count
from typing import TYPE_CHECKING, Any

import gymnasium
import numpy as np
import pytest
from conftest import ORCHARD, Variant
from everywhere import everywhere

import adjoin
from adjoin import Batch, Deck, Match, render
from adjoin.aec import AECEnv

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

ENVIRONMENT = "adjoin/Connections-v0"
WORLD = Deck.load()
PHASES = ["announce", "offer", "answer", "accept", "play", "invited", "set", "draw", "discard"]
WORDS = ["announce", "accept", "join", "no", "draw", "take", "pass"]
QUIET: dict[str, Any] = {"trading": False}

WEST = ["Paris/Bangkok", "Amsterdam/Alexandria", "Berlin/Addis Ababa"]
EAST = ["Moscow/Mumbai", "Warsaw/Auckland", "Budapest/Dubai"]
HOLD = [
    ["London/Baghdad", "Tunis/Kyiv", "Lima/Johannesburg", "Nairobi/Warsaw", "Chicago"],
    ["Boston/Nairobi", "Delhi/Perth"],
    ["Rome/Riyadh"],
]
VIENNA: dict[str, Any] = {
    "hands": HOLD,
    "laid": [[*EAST, "Vienna"], WEST, []],
    "sets": [["eastern_europe"], ["western_europe"], []],
}
"""Seat 0 has a set and a link to the region of which seat 1 has one; it is seat 0's turn."""


def position(**parts: Any) -> str:
    return json.dumps({**VIENNA, **parts})


def at(options: dict[str, Any] | None = None, **parts: Any) -> Match:
    return Match("connections", position=position(**parts), **(options or {}))


def linked(**parts: Any) -> list[dict[str, Any]]:
    return [{"city": "Vienna", **parts}]


def assert_illegal(match: Match, action: str, message: str) -> None:
    """Check that the reason is told, by itself and with the error, and that nothing changes."""
    before, past = match.save(), match.history
    assert f": {message}; legal: " in str(match.why_not(action))
    with pytest.raises(adjoin.IllegalActionError, match=f": {re.escape(message)}; legal: "):
        match.play(action)
    assert (match.save(), match.history) == (before, past)


def known(match: Match, viewer: int) -> list[list[str]]:
    """Return the cards in the hands that a seat sees."""
    return [hand["held"] for hand in match.view(viewer)["hands"]]


# Options.

EVERYWHERE = {
    "trading": everywhere("connections", "trading", {}),
    "partnerships": everywhere("connections", "partnerships", QUIET),
    "deals_each": everywhere("connections", "deals_each", QUIET),
    "max_turns": everywhere("connections", "max_turns", QUIET),
}
VALUES: dict[str, list[Any]] = {
    "trading": [True, False],
    "partnerships": [True, False],
    "deals_each": [1, np.int64(2)],
    "max_turns": [1, np.uint8(2)],
}


@pytest.mark.parametrize("option", VALUES)
@pytest.mark.parametrize("where", EVERYWHERE["trading"])
def test_options_are_taken_through_every_interface(option: str, where: str) -> None:
    one, other = (EVERYWHERE[option][where](value) for value in VALUES[option])
    assert one != other
    assert EVERYWHERE[option][where](VALUES[option][1]) == other


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"players": 2}, "players = 2: 3 to 6 play (CONN-3)"),
        ({"players": 7}, "players = 7: 3 to 6 play (CONN-3)"),
        ({"deals_each": 0}, "deals_each = 0: 1 to 4 are allowed (CONN-17)"),
        ({"deals_each": 5}, "deals_each = 5: 1 to 4 are allowed (CONN-17)"),
        ({"max_turns": 0}, "max_turns = 0: 1 to 100 are allowed (CONN-16)"),
        ({"max_turns": 101}, "max_turns = 101: 1 to 100 are allowed (CONN-16)"),
        ({"trading": 1}, "trading: invalid type: integer `1`, expected a boolean"),
        ({"deck": "moon"}, "deck: unknown value `moon`, expected `world-cities`"),
        (
            {"deck": dataclasses.replace(WORLD, cards=WORLD.cards[:20]), "players": 6},
            "deck: 20 cards are too few for 6 players with 5 each (CONN-3)",
        ),
        (
            {"deck": ORCHARD, "players": 4},
            "deck: 26 cards are too few for 4 players with 7 each (CONN-3)",
        ),
        ({"seats": 3}, "unknown option `seats`, the options are `players`"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_options_against_the_rules_are_refused(options: dict[str, Any], message: str) -> None:
    given = copy.deepcopy(options)
    makers: list[Callable[..., Any]] = [Match, Batch, AECEnv, adjoin.describe]
    for maker in makers:
        with pytest.raises(ValueError, match=f"^connections: .*{re.escape(message)}"):
            maker("connections", **options)
    with pytest.raises(ValueError, match=re.escape(message)):
        adjoin.simulate("connections", 1, **options)
    with pytest.raises(ValueError, match=re.escape(message)):
        gymnasium.make(ENVIRONMENT, **options)
    assert options == given


def test_a_save_is_refused_under_other_options() -> None:
    others: list[dict[str, Any]] = [
        *({"players": 4}, {"deck": ORCHARD}, {"trading": False}),
        *({"partnerships": False}, {"deals_each": 2}, {"max_turns": 9}),
    ]
    match = Match("connections", seed=1)
    match.play_random(20)
    for options in others:
        stranger = Match("connections", **options)
        before = stranger.save()
        with pytest.raises(ValueError, match=r"^cannot load: the match .*other options"):
            stranger.load(match.save())
        assert stranger.save() == before


# A round, in the notation of people.


@pytest.mark.parametrize(("players", "cards"), [(3, 8), (4, 7), (5, 6), (6, 5)])
def test_cards_are_dealt(players: int, cards: int) -> None:
    match = Match("connections", seed=4, players=players)
    view = match.view("all")
    held = [card for hand in view["hands"] for card in hand["held"]]
    assert [hand["cards"] for hand in view["hands"]] == [cards] * players  # CONN-3
    assert len(set(held)) == len(held) == cards * players
    assert set(held) <= set(map(str, WORLD))
    assert (view["pile"], view["discard"]) == (55 - len(held), [])
    assert (view["dealer"], view["turn"], view["round"]) == (players - 1, 0, 1)
    assert (view["phase"], view["to_act"], view["rounds"]) == ("offer", 1, players)
    assert all(hand["tokens"] == 12 for hand in view["hands"])  # CONN-4
    assert Match("connections", seed=4, players=players, trading=False).view()["phase"] == "play"


def test_a_set_a_link_and_a_partnership() -> None:
    hands = [
        ["London/Baghdad", "Paris/Bangkok", "Alexandria/Amsterdam", "Vienna", "Lima/Johannesburg"],
        ["Moscow/Mumbai", "Warsaw/Auckland", "Budapest/Dubai", "Chicago"],
        ["Addis Ababa/Berlin", "Rome/Riyadh", "Miami"],
    ]
    match = at(QUIET, hands=hands, laid=[], sets=[])

    def now() -> tuple[Any, ...]:
        view = match.view("all")
        return view["phase"], view["to_act"], [hand["tokens"] for hand in view["hands"]]

    match.play("set London/Baghdad")  # CONN-6
    assert now() == ("set", 0, [12, 12, 12])
    assert known(match, 1)[0] == ["London/Baghdad"]
    assert match.legal() == ["set Amsterdam/Alexandria", "set Paris/Bangkok"]
    assert_illegal(match, "draw", "the set needs another city of Western Europe (CONN-6)")
    assert_illegal(match, "set Lima", "the set needs another city of Western Europe (CONN-6)")
    match.play("set Paris/Bangkok", "set Amsterdam/Alexandria")
    view = match.view()
    assert view["laid"][0] == ["London/Baghdad", "Paris/Bangkok", "Amsterdam/Alexandria"]
    assert (view["sets"], view["idle"]) == ([["western_europe"], [], []], 0)
    assert (now(), match.legal()) == (("draw", 0, [9, 12, 12]), ["draw"])
    assert_illegal(match, "pass", "a card is drawn now: draw or take (CONN-6)")
    match.play("draw")
    assert now() == ("play", 1, [9, 12, 12])

    match.play("set Moscow/Mumbai", "set Warsaw/Auckland", "set Budapest/Dubai", "draw")
    match.play("draw")  # CONN-5
    assert now() == ("discard", 2, [9, 9, 12])
    assert_illegal(match, "draw", "a card is discarded now (CONN-5)")
    match.play("discard Berlin/Addis Ababa")
    assert match.view()["discard"] == ["Addis Ababa/Berlin"]

    assert "play Vienna" in match.legal()  # CONN-7
    match.play("play Vienna", "take")
    link = {"city": "vienna", "owner": 0, "partner": None, "invited": None}
    assert match.view()["links"] == [link]
    assert known(match, 2)[0] == ["Addis Ababa/Berlin"]
    assert match.view()["discard"] == []

    for seat in (1, 2):
        match.play("draw")
        match.play(f"discard {match.view(seat)['hands'][seat]['held'][0]}")
    match.play("invite Vienna +1")  # CONN-10
    assert now() == ("invited", 1, [8, 9, 12])
    assert match.view()["chosen"]["link"] == "vienna"
    assert_illegal(match, "draw", "seat 1 is invited: join or no (CONN-10)")
    match.play("join")  # CONN-11: at once, for seat 1 has cities there
    assert now() == ("play", 0, [8, 9, 12])
    assert match.view()["links"] == [{**link, "partner": 1}]
    match.play("play Berlin", "draw")  # CONN-8
    texts = [[part["text"] for part in match.view(0)["scores"][seat]["parts"]] for seat in (0, 1)]
    assert texts[0][0] == "Vienna, with seat 1: 8 cards, 125 points, your half 63"  # CONN-19
    assert texts[1] == ["Vienna, with seat 0: 8 cards, 125 points, your half 62"]
    replayed = Match.from_replay(match.replay())
    assert (replayed.save(), replayed.history) == (match.save(), match.history)


@pytest.mark.parametrize(
    ("spoken", "action"),
    [
        ("PLAY  sao paulo / SAN JUAN", "play São Paulo/San Juan"),
        ("play São Paulo", "play São Paulo/San Juan"),
        ("  set  sao-paulo ", "set São Paulo/San Juan"),
        ("play san juan/são paulo", "play San Juan/São Paulo"),
        ("Discard sao paulo/san juan", "discard San Juan/São Paulo"),
        ("discard Lima", "discard Lima/Johannesburg"),
        ("answer JOHANNESBURG", "answer Lima/Johannesburg"),
        ("offer lima TO 2", "offer Lima/Johannesburg to +2"),
        ("offer johannesburg/lima to +1", "offer Lima/Johannesburg to +1"),
        ("play panama city", "play Panama City"),
        ("invite hong-kong 1", "invite Hong Kong +1"),
        ("invite Rio  +2", None),
        ("play St. Petersburg/Stockholm", "play Saint Petersburg/Stockholm"),
        ("NO", "no"),
        ("play London", None),  # on two cards
        ("set Vienna", None),
        ("play London/Paris", None),
        ("offer Lima", None),
        ("offer Lima to +3", None),
        ("offer Lima to +0", None),
        ("offer to +1", None),
        ("invite Lima +1", None),
        ("discard", None),
        ("take it", None),
        ("", None),
    ],
)
def test_decisions_are_read_as_people_write_them(spoken: str, action: str | None) -> None:
    match = Match("connections", seed=1)
    batch = Batch("connections")
    if action is None:
        with pytest.raises(adjoin.IllegalActionError, match="is no action of connections; legal"):
            match.play(spoken)
    else:
        assert batch.action_text(batch.parse_action(spoken)) == action


@pytest.mark.parametrize("deck", [WORLD, ORCHARD], ids=lambda deck: deck.name)
def test_every_decision_of_a_round_is_read_with_any_case_and_space(deck: Deck) -> None:
    parse = Batch("connections", deck=deck).parse_action
    match = Match("connections", seed=8, deck=deck)
    rng = random.Random(8)
    said: list[str] = []
    while not match.is_over:
        action = eager(match.legal(), rng)
        for spoken in (action.upper(), f"  {action.replace(' ', '   ')} ", action.title()):
            assert parse(spoken) == parse(action)
        match.play(action.upper())
        said.append(action)
    assert match.history == said
    assert {action.split()[0] for action in said} >= {*WORDS, "set", "play", "offer", "answer"} - {
        "pass",
        "announce",
    }


def eager(legal: list[str], rng: random.Random) -> str:
    """Choose an action: one that gets a round on, if there is one, most of the time."""
    for words in (("join", "accept"), ("invite",), ("play",), ("set",)):
        found = [action for action in legal if action.split()[0] in words]
        if found and rng.random() < 0.8:
            return rng.choice(found)
    return rng.choice(legal)


# What is refused, and why.

NO_CHICAGO = "Chicago needs an own set of Pacific North America or Atlantic North America (CONN-7)"
TWELVE = [
    *EAST,
    *("Vienna", "Cairo", "Istanbul"),
    *("Paris/Bangkok", "Amsterdam/Alexandria", "Stockholm/Saint Petersburg"),
    *("Athens/Tokyo", "Barcelona/Kinshasa", "Lagos/Sydney"),
]
"""The cities of a player whose tokens are all on the table."""
TOKENS: dict[str, Any] = {
    "sets": [["eastern_europe", "western_europe"], [], []],
    "hands": [HOLD[0], [], []],
}


@pytest.mark.parametrize(
    ("action", "message", "parts"),
    [
        ("play Perth/Delhi", "seat 0 does not hold Delhi/Perth", {}),
        ("play Warsaw/Nairobi", "Warsaw has a token already (CONN-4)", {}),
        ("set Warsaw/Nairobi", "Warsaw has a token already (CONN-4)", {}),
        ("play Chicago", NO_CHICAGO, {}),
        ("set Kyiv/Tunis", "seat 0 has a set of Eastern Europe already (CONN-6)", {}),
        ("set Lima", "three cities of South America are needed (CONN-6)", {}),
        ("play Lima", "Lima needs an own set of South America, or a link that shows it (CONN-8)", {}),
        ("draw", "the draw pile is empty (CONN-5)", {"pile": []}),
        ("take", "the discard pile is empty (CONN-5)", {}),
        (
            "take",
            "there would be no other card to discard (CONN-5)",
            {"hands": [[], *HOLD[1:]], "discard": ["Miami"]},
        ),
        ("pass", "there is something to do (CONN-9)", {}),
        ("discard Chicago", "a card is drawn first (CONN-5)", {}),
        ("no", "there is nothing to decline", {}),
        ("join", "nobody is invited (CONN-10)", {}),
        ("invite Chicago +1", "seat 0 has not played Chicago (CONN-10)", {}),
        ("invite Vienna +2", "Vienna has a partner already (CONN-12)", {"links": linked(partner=1)}),
        ("invite Vienna +1", "Vienna has an open invitation (CONN-10)", {"links": linked(invited=2)}),
        ("invite Vienna +1", "one invitation a turn (CONN-10)", {"may_invite": False}),
        ("offer Lima to +1", "cards are offered at the start of a turn (CONN-14)", {}),
        ("answer Lima", "cards are offered at the start of a turn (CONN-14)", {}),
        ("accept", "cards are offered at the start of a turn (CONN-14)", {}),
        ("announce", "all must have had six turns (CONN-15)", {"turns": [6, 6, 5]}),
        ("announce", "the end is announced before the turn (CONN-15)", {"turns": [6, 6, 6]}),
        ("announce", "seat 1 has announced already (CONN-15)", {"announced": 1, "turns": [6] * 3}),
        (
            "announce",
            "in the last round nobody announces (CONN-16)",
            {"history": [[0, 0, 0]] * 2, "turns": [6] * 3, "dealer": 1, "turn": 0},
        ),
        (
            "play London/Baghdad",
            "seat 0 has no token left (CONN-4)",
            {"laid": [TWELVE, [], []], **TOKENS},
        ),
        (
            "set Baghdad/London",
            "a set takes three tokens, seat 0 has 2 (CONN-4)",
            {"laid": [TWELVE[:10], [], []], **TOKENS},
        ),
        (
            "discard Miami",
            "a card just taken from the discard pile is not discarded at once (CONN-5)",
            {
                "phase": "discard",
                "taken": "Miami",
                "hands": [["Miami", *HOLD[0]], *HOLD[1:]],
                "known": ["Miami"],
            },
        ),
        ("discard Delhi", "seat 0 does not hold Delhi/Perth", {"phase": "discard"}),
        ("draw", "seat 1 is asked about an offer: offer a card or no (CONN-14)", OFFER := {"phase": "offer", "asked": 1}),
        ("offer Lima to +1", "seat 1 does not hold Lima/Johannesburg", OFFER),
        ("offer Boston to +2", "seat 0 is in turn and does not trade (CONN-14)", OFFER),
        ("announce", "all must have had six turns (CONN-15)", OFFER),
    ],
)
def test_why_an_action_is_illegal_is_told(action: str, message: str, parts: Any) -> None:
    assert_illegal(at(**parts), action, message)


def test_tokens() -> None:
    pass
