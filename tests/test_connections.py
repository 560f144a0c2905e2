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
from typing import TYPE_CHECKING, Any, Literal

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
    "pairs": everywhere("connections", "pairs", {**QUIET, "max_turns": 1}),
    "deals_each": everywhere("connections", "deals_each", QUIET),
    "max_turns": everywhere("connections", "max_turns", QUIET),
}
VALUES: dict[str, list[Any]] = {
    "trading": [True, False],
    "partnerships": [True, False],
    "pairs": ["front", "most"],
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
        ({"partnerships_each": 0}, "partnerships_each = 0: 1 to 5 are allowed (CONN-12)"),
        ({"partnerships_each": 6}, "partnerships_each = 6: 1 to 5 are allowed (CONN-12)"),
        (
            {"pairs": "back"},
            "pairs: unknown value `back`, expected one of `front`, `least`, `most`",
        ),
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
        *({"partnerships": False}, {"partnerships_each": 1}, {"pairs": "least"}),
        *({"deals_each": 2}, {"max_turns": 9}),
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
    match = Match("connections", seed=1, deck=deck)
    rng = random.Random(1)
    said: list[str] = []
    while not match.is_over:
        action = eager(match.legal(), rng)
        for spoken in (action.upper(), f"  {action.replace(' ', '   ')} ", action.title()):
            assert parse(spoken) == parse(action)
        match.play(action.upper())
        said.append(action)
    assert match.history == said
    words = {"set", "play", "discard", "offer", "answer", "invite", *WORDS}
    assert {action.split()[0] for action in said} >= words - {"pass", "announce"}


def eager(legal: list[str], rng: random.Random) -> str:
    """Choose an action: one that gets a round on, if there is one, most of the time."""
    for words in (("join", "accept"), ("invite",), ("play",), ("set",)):
        found = [action for action in legal if action.split()[0] in words]
        if found and rng.random() < 0.8:
            return rng.choice(found)
    return rng.choice(legal)


# What is refused, and why.

OFFER: dict[str, Any] = {"phase": "offer", "asked": 1}
NO_CHICAGO = "Chicago needs an own set of Pacific North America or Atlantic North America (CONN-7)"
TWELVE = [
    *EAST,
    *("Vienna", "Gibraltar", "Istanbul"),
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
        (
            "play Lima",
            "Lima needs an own set of South America, or a link that shows it (CONN-8)",
            {},
        ),
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
        (
            "invite Vienna +2",
            "Vienna has a partner already (CONN-12)",
            {"links": linked(partner=1)},
        ),
        (
            "invite Vienna +1",
            "Vienna has an open invitation (CONN-10)",
            {"links": linked(invited=2)},
        ),
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
        ("discard Delhi/Perth", "seat 0 does not hold Delhi/Perth", {"phase": "discard"}),
        (
            "draw",
            "seat 1 is asked about an offer: offer a card or no (CONN-14)",
            OFFER,
        ),
        ("offer Lima to +1", "seat 1 does not hold Lima/Johannesburg", OFFER),
        ("offer Boston to +2", "seat 0 is in turn and does not trade (CONN-14)", OFFER),
        ("announce", "all must have had six turns (CONN-15)", OFFER),
    ],
)
def test_why_an_action_is_illegal_is_told(action: str, message: str, parts: Any) -> None:
    assert_illegal(at(**parts), action, message)


def test_a_token_bars_a_city_for_the_round() -> None:
    match = at(QUIET, hands=[["Nairobi/Warsaw"], ["Vancouver/London"], ["London/Baghdad"]])
    assert not any(action.startswith("play") for action in match.legal())  # CONN-4
    match.play("draw", "discard Nairobi/Warsaw", "play London/Vancouver", "draw")
    assert_illegal(match, "play London/Baghdad", "London has a token already (CONN-4)")
    tokens = {city["name"]: city["token"] for city in match.view()["cities"]}
    assert (tokens["London"], tokens["Warsaw"], tokens["Baghdad"]) == (1, 0, None)


def test_who_can_do_nothing_passes() -> None:
    match = at(
        QUIET, hands=[[], HOLD[1], HOLD[2]], discard=["Miami"], pile=[], links=linked(partner=1)
    )
    assert match.legal() == ["pass"]  # CONN-9
    match.play("pass")
    assert match.view()["turn"] == 1


def test_a_last_card_can_be_taken_after_a_play() -> None:
    hands = [["Tunis/Kyiv"], HOLD[1], HOLD[2]]
    match = at(QUIET, hands=hands, discard=["Miami"], pile=[])
    match.play("play Kyiv/Tunis")
    assert match.legal() == ["take"]
    match.play("take")
    assert (known(match, 1)[0], match.view()["pile"], match.view()["turn"]) == (["Miami"], 0, 1)


def test_the_pile_is_made_anew_of_all_but_the_top() -> None:
    match = at(QUIET, hands=[["Chicago"], *HOLD[1:]], pile=["Miami"], discard=["Dakar", "Cairo"])
    match.play("draw")  # CONN-3: at once
    state = json.loads(match.position())
    assert (state["pile"], state["discard"]) == (["Dakar"], ["Cairo"])
    assert (state["ages"], state["shuffles"]) == ({"Dakar": 1}, 1)
    match.play("discard Chicago")
    view = match.view(1)
    assert (view["pile"], view["discard"]) == (1, ["Cairo", "Chicago"])
    match.play("draw")
    assert known(match, 2)[1] == []
    assert json.loads(match.position())["ages"] == {"Cairo": 2, "Dakar": 1}


# Trades.


def test_a_trade_is_offered_answered_and_accepted() -> None:
    match = at(phase="offer", asked=1)
    assert match.legal()[-1] == "no"
    assert {action.partition(" to ")[2] for action in match.legal()[:-1]} == {"+1"}  # CONN-14
    match.play("offer Boston to +1")
    view = match.view(0)
    assert (view["phase"], view["to_act"]) == ("answer", 2)
    assert (view["chosen"]["asked"], view["chosen"]["to"]) == (1, 2)
    assert known(match, 0)[1:] == [["Boston/Nairobi"], []]
    assert_illegal(match, "answer Boston", "seat 2 does not hold Boston/Nairobi")
    message = "seat 2 is asked for an answer: answer with a card or no (CONN-14)"
    assert_illegal(match, "accept", message)
    match.play("answer Rome/Riyadh")
    assert_illegal(match, "draw", "seat 1 is asked whether to accept (CONN-14)")
    assert match.view(0)["chosen"]["reply"] == "Rome/Riyadh"
    refused = match.copy()
    match.play("accept")
    assert (match.view()["phase"], match.to_act) == ("play", 0)  # one trade a turn
    assert known(match, 0)[1:] == [["Rome/Riyadh"], ["Boston/Nairobi"]]
    refused.play("no")
    assert (refused.view()["phase"], refused.to_act) == ("offer", 2)
    assert known(refused, 0)[1:] == [["Boston/Nairobi"], ["Rome/Riyadh"]]
    assert_illegal(
        refused, "offer Rome/Riyadh to +1", "seat 0 is in turn and does not trade (CONN-14)"
    )
    refused.play("no")
    assert (refused.view()["phase"], refused.to_act) == ("play", 0)


def test_who_has_no_card_is_not_asked() -> None:
    hands = [HOLD[0], [], HOLD[1], HOLD[2]]
    laid = [VIENNA["laid"][0], [], [], []]
    parts: dict[str, Any] = {"hands": hands, "laid": laid, "sets": [["eastern_europe"], [], [], []]}
    match = at({"players": 4}, **parts, phase="offer", asked=2)
    assert {action.partition(" to ")[2] for action in match.legal()[:-1]} == {"+1"}
    assert_illegal(match, "offer Boston to +3", "seat 1 has no card to answer with (CONN-14)")
    lonely = at({"players": 4}, **{**parts, "hands": [HOLD[0], [], HOLD[1], []], "turn": 3})
    lonely.play("draw")
    card = lonely.view("all")["hands"][3]["held"][0]
    lonely.play(f"discard {card}")
    assert (lonely.view()["phase"], lonely.to_act) == ("play", 0)  # nobody could answer seat 2


# Partnerships.


def test_an_open_invitation_lets_play_a_single_or_lapses() -> None:
    hands = [HOLD[0], HOLD[1], ["Stockholm/Saint Petersburg", "Rome/Riyadh"]]
    match = at(QUIET, hands=hands)
    match.play("invite Vienna +2")
    match.play("join")  # CONN-11: seat 2 has no city there
    link = {"city": "vienna", "owner": 0, "partner": None, "invited": 2}
    assert match.view()["links"] == [link]
    assert_illegal(match, "invite Vienna +1", "Vienna has an open invitation (CONN-10)")
    for _ in range(2):
        match.play("draw")
        match.play(match.legal()[0])
    lapsed = match.copy()
    match.play("play Stockholm", "draw")
    assert match.view()["links"] == [{**link, "partner": 2, "invited": None}]
    lapsed.play("draw", "discard Rome/Riyadh")
    assert lapsed.view()["links"] == [{**link, "invited": None}]


def test_an_invitation_can_be_declined_and_is_the_turns_only_one() -> None:
    match = at(QUIET)
    match.play("invite Vienna +1", "no")
    view = match.view()
    assert (view["phase"], view["chosen"]["may_invite"]) == ("play", False)
    assert view["links"] == [{"city": "vienna", "owner": 0, "partner": None, "invited": None}]
    assert_illegal(match, "invite Vienna +2", "one invitation a turn (CONN-10)")


def test_who_has_no_turn_to_come_joins_with_a_city_only() -> None:
    ending: dict[str, Any] = {"announced": 2, "turns": [6, 6, 6], "last_turns": [0, 0, 0]}
    match = at(QUIET, **ending)
    match.play("invite Vienna +2")
    assert match.legal() == ["no"]
    assert_illegal(match, "join", "seat 2 has no turn to come and no city there (CONN-10)")
    match = at(QUIET, **{**ending, "announced": 1})
    match.play("invite Vienna +1", "join")
    assert match.view()["links"][0]["partner"] == 1


def test_without_partnerships_nobody_is_invited() -> None:
    match = at({"partnerships": False, **QUIET})
    assert_illegal(match, "invite Vienna +1", "partnerships are off (CONN-10)")
    assert not match.view()["chosen"]["may_invite"]


# The end of a round.


def test_an_announcement_gives_the_others_two_turns_each() -> None:
    match = at(QUIET, turns=[6, 6, 6], phase="announce")
    assert match.legal() == ["announce", "no"]
    assert_illegal(match, "draw", "seat 0 is asked whether to announce (CONN-15)")
    declined = match.copy()
    declined.play("no")
    assert (declined.view()["phase"], declined.to_act) == ("play", 0)
    match.play("announce")
    order = []
    while match.view()["round"] == 1:
        if match.view()["phase"] == "play":
            order.append(match.to_act)
        before = match.view("all")
        match.play(match.legal()[-1])
    assert order == [1, 2, 1, 2]  # CONN-15
    assert before["hands"][0]["last_turns"] == 0
    assert [hand["turns"] for hand in before["hands"]] == [6, 8, 7]
    view = match.view()
    assert (view["dealer"], view["turn"], view["announced"]) == (0, 1, None)
    assert view["points"] == view["history"][0]
    assert view["laid"] == [[], [], []]


def test_an_announcement_ends_an_open_invitation() -> None:
    match = at(QUIET, turns=[6] * 3, phase="announce", turn=2, links=linked(invited=2))
    match.play("announce")
    assert match.view()["links"][0]["invited"] is None  # CONN-11


def test_nobody_announces_in_the_last_round() -> None:
    match = Match("connections", seed=3, trading=False)
    rng = random.Random(3)
    asked, turns = Counter[int](), 0
    while not match.is_over:
        view = match.view()
        asked[view["round"]] += view["phase"] == "announce"
        if view["round"] == 3:
            turns = max(turns, min(hand["turns"] for hand in view["hands"]))
            message = "in the last round nobody announces (CONN-16)"
            assert_illegal(match, "announce", message)
        match.play(eager([action for action in match.legal() if action != "announce"], rng))
    assert asked[1] + asked[2] > asked[3] == 0
    assert turns > 6


def test_the_last_round_ends_when_nobody_plays() -> None:
    match = at(QUIET, idle=5, turn=2, history=[[0, 0, 0], [0, 0, 0]])
    match.play("draw")
    match.play(match.legal()[0])
    assert (match.is_over, match.view()["idle"]) == (True, 6)  # CONN-16


def test_another_round_does_not_end_when_nobody_plays() -> None:
    match = Match("connections", seed=2, max_turns=9, **QUIET)
    for _ in range(27):
        assert (match.view()["round"], match.view()["idle"]) == (1, 0)  # CONN-16
        match.play(*["no"] * (match.view()["phase"] == "announce"), "draw")
        match.play(match.legal()[0])
    assert match.view()["round"] == 2


def test_a_round_ends_after_max_turns() -> None:
    match = Match("connections", seed=2, max_turns=1, deals_each=2, **QUIET)
    dealers = []
    while not match.is_over:
        view = match.view()
        dealers.append((view["round"], view["dealer"], view["turn"]))
        match.play(next(a for a in match.legal() if a in ("draw", "take") or a.startswith("disc")))
    rounds = [(n + 1, (2 + n) % 3, (n + turn) % 3) for n in range(6) for turn in range(3)]
    assert list(dict.fromkeys(dealers)) == rounds  # CONN-17
    assert len(match.view()["history"]) == 6


@pytest.mark.parametrize(
    ("history", "points", "returns"),
    [
        ([[4, 0, 0], [0, 0, 8]], [0, 0, 0], [-1 / 2, -1 / 2, 1]),
        ([[8, 0, 0], [0, 4, 0]], [0, 4, 0], [1 / 4, 1 / 4, -1 / 2]),
        ([[0, 0, 0], [-20, -20, -20]], [0, 0, 0], [0, 0, 0]),
        ([[3, 0, 2], [0, 0, 0]], [0, 4, 0], [-1 / 2, 1, -1 / 2]),
    ],
)
def test_the_points_of_all_rounds_decide(
    history: list[list[int]], points: list[int], returns: list[float]
) -> None:
    laid: dict[str, Any] = {"laid": [[], [], []], "sets": [[], [], []]}
    if points[1]:
        laid = {"laid": [[], EAST, []], "sets": [[], ["eastern_europe"], []]}
    hands = [["Chicago"], ["Miami"], ["Dakar"]]
    match = at(QUIET, hands=hands, **laid, history=history, idle=5, turn=0)
    match.play("draw", "discard Chicago")
    view = match.view(2)
    assert match.is_over
    assert view["history"] == [*history, points]
    assert view["points"] == [sum(column) for column in zip(*view["history"], strict=True)]
    assert view["returns"] == pytest.approx(returns)  # CONN-21
    assert [len(hand["held"]) for hand in view["hands"]] == [1, 1, 1]
    assert (view["phase"], view["to_act"], match.legal()) == ("over", None, [])
    assert "the match is over" in str(match.why_not("draw"))


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_returns_add_up_to_zero(players: int) -> None:
    table = adjoin.simulate("connections", 300, seed=1, players=players, **QUIET)
    returns = table.each_seat("return")
    assert returns.shape == (300, players)
    assert abs(returns.sum(axis=1)).max() < 1e-6
    winners = (returns == returns.max(axis=1, keepdims=True)).sum(axis=1)
    assert set(winners.tolist()) >= {1, 2}
    best = (players / winners - 1) / (players - 1)
    assert np.allclose(returns.max(axis=1), best)
    beaten = winners < players
    assert np.allclose(returns.min(axis=1)[beaten], -1 / (players - 1))


# Scores.

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


def test_the_sheets_example() -> None:
    view = at(**EXAMPLE).view("all")
    istanbul = "Istanbul, with seat {}: 9 cards, 250 points, your half 125"
    lahore = "Lahore, with seat {}: 8 cards, 125 points, your half {}"
    texts = [[part["text"] for part in score["parts"]] for score in view["scores"]]
    assert texts == [
        [istanbul.format(2), lahore.format(1, 62)],
        [lahore.format(0, 63)],
        [istanbul.format(0)],
    ]  # CONN-E1
    assert [score["points"] for score in view["scores"]] == [187, 63, 125]
    assert view["scores"][0]["parts"][0] == {
        **{"what": "partnership", "link": "istanbul", "with": 2, "cards": 9, "value": 250},
        "regions": ["mediterranea", "eastern_europe", "western_asia"],
        **{"points": 125, "text": istanbul.format(2)},
    }


@pytest.mark.parametrize(
    ("laid", "points", "text"),
    [
        (["Baghdad/London", "Tehran/Havana", "Dubai/Budapest"], 4, "Western Asia: 3 cards"),
        (EXAMPLE["laid"][0][:4], 8, "Western Asia: 4 cards"),
        (EXAMPLE["laid"][0], 15, "Western Asia with Istanbul: 5 cards"),
        (
            [*EXAMPLE["laid"][0], "Athens/Tokyo", "Moscow/Mumbai"],
            60,
            "Mediterranea, Eastern Europe and Western Asia with Istanbul: 7 cards",
        ),
        ([*EXAMPLE["laid"][0], "Lahore"], 15, "Western Asia with Istanbul: 5 cards"),
    ],
)
def test_what_a_player_has_alone_is_told(laid: list[str], points: int, text: str) -> None:
    match = at(hands=[["Chicago"], [], []], laid=[laid, [], []], sets=[["western_asia"], [], []])
    for viewer in (0, 1, "all"):
        score = match.view(viewer)["scores"][0]
        assert [part["text"] for part in score["parts"]] == [f"{text}, {points} points"]
        assert score["points"] == points
        words = " ".join(match.text(viewer).split())
        assert f"now: {text}, {points} points" in words


WOODS = ["Ash/Gorse's End", "Saint Beech/Heath", "Cedar-on-Sea/Ilex"]
HILLS = ["Nettle/Thyme", "Ötz/Upas", "Larch/Rose", "Moss/Sorrel"]


@pytest.mark.parametrize(
    ("pairs", "cards", "text", "points"),
    [
        ("least", [*WOODS[:2], "Old Gate", "Ford"], None, 0),
        ("front", [*WOODS[:2], "Old Gate", "Ford"], "1 pair in hand: -20 points", -20),
        ("least", WOODS, "1 pair in hand: -20 points", -20),
        ("least", WOODS + HILLS, "2 pairs in hand: -40 points", -40),
        ("front", WOODS + HILLS, "3 pairs in hand: -60 points", -60),
        ("front", WOODS + HILLS[:3], "2 pairs in hand: -40 points", -40),
        ("most", WOODS + HILLS[:3], "2 pairs in hand: -40 points", -40),
        ("most", WOODS[:1] + HILLS[1:3], "1 pair in hand: -20 points", -20),
        ("front", WOODS[:1] + HILLS[1:3], None, 0),
    ],
)
def test_pairs_are_told_to_those_who_see_them(
    pairs: str, cards: list[str], text: str | None, points: int
) -> None:
    options = {"deck": ORCHARD, "pairs": pairs}
    match = at(options, hands=[cards, [], []], laid=[], sets=[])
    for viewer in (0, 1, "all"):
        score = match.view(viewer)["scores"][0]
        is_seen = viewer != 1 and text is not None
        assert score["points"] == (points if is_seen else 0)  # CONN-20
        assert [part["text"] for part in score["parts"]] == ([text] if is_seen else [])
        assert ("in hand:" in match.text(viewer)) == is_seen


# Positions.


def test_a_position_by_hand_needs_the_hands_only() -> None:
    match = Match("connections", position=json.dumps({"hands": HOLD}))
    whole = json.loads(match.position())
    held = {card for hand in HOLD for card in hand}
    assert set(whole.pop("pile")) == set(map(str, WORLD)) - held
    assert [set(hand) for hand in whole.pop("hands")] == list(map(set, HOLD))
    assert whole == {
        **{name: [[], [], []] for name in ("laid", "sets")},
        **{name: [] for name in ("links", "discard", "known", "chosen", "history")},
        **{name: [0, 0, 0] for name in ("turns", "last_turns")},
        **dict.fromkeys(["announced", "asked", "card", "to", "reply", "link", "taken"]),
        **{"ages": {}, "shuffles": 0, "idle": 0, "turn": 0, "dealer": 2},
        **{"phase": "play", "may_invite": True},
    }


def test_names_in_a_position_are_read_as_people_write_them() -> None:
    match = at(
        {"deck": ORCHARD},
        hands=[["otz / upas", "old-gate"], ["FORD"], []],
        laid=[["ash/GORSE S END", "ST. BEECH/heath", "elm and oak/thyme"], [], []],
        sets=[["upper  woods"], [], []],
        discard=["uberfahrt", "Pine/Ash", "dole/juniper"],
    )
    whole = json.loads(match.position())
    assert whole["hands"] == [["Ötz/Upas", "Old Gate"], ["Ford"], []]
    assert whole["laid"][0] == ["Ash/Gorse's End", "Saint Beech/Heath", "Elm & Oak/Thyme"]
    assert whole["sets"] == [["upper_woods"], [], []]
    assert whole["discard"] == ["Überfahrt", "Pine/Ash", "Dôle/Juniper"]


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ({"hand": []}, "unknown field `hand`"),
        ({"hands": HOLD[:2]}, "hands: 2 lists for 3 players"),
        ({"laid": [[]]}, "laid: 1 lists for 3 players"),
        ({"hands": [["London"], [], []]}, 'no card "London": name both of its cities'),
        ({"hands": [["London/Rome"], [], []]}, 'no card "London/Rome"'),
        ({"hands": [["Lima", "Johannesburg"], [], []]}, "Lima/Johannesburg is in two places"),
        ({"hands": [["Vienna"], [], []]}, "Vienna is in two places"),
        ({"discard": ["Chicago"]}, "Chicago is in two places"),
        ({"pile": ["Chicago"]}, "a card of the pile is in two places"),
        (
            {"laid": [[*EAST, "Vienna"], [*WEST, "Warsaw/Nairobi"], []], "hands": [[], [], []]},
            "Warsaw has a token already (CONN-4)",
        ),
        (
            {"laid": [[*TWELVE, "Rome/Riyadh"], [], []], **TOKENS},
            "laid: seat 0 has 12 tokens (CONN-4)",
        ),
        ({"sets": [["atlantis"], [], []]}, 'no region "atlantis"'),
        ({"sets": [["western_europe"], [], []]}, "a set of fewer than three cities (CONN-6)"),
        ({"sets": [[], ["western_europe"], []]}, "a link without a set (CONN-7)"),
        ({"sets": [["eastern_europe"], [], []]}, "a single that nothing allows (CONN-8)"),
        ({"links": [{"city": "Chicago"}]}, "links: Chicago is not on the table"),
        ({"links": [{"city": "Lima"}]}, 'no linking city "Lima"'),
        ({"links": linked(partner=2)}, "a partner who cannot be one (CONN-10, CONN-11)"),
        ({"links": linked(partner=0)}, "a partner who cannot be one (CONN-10, CONN-11)"),
        ({"links": linked(invited=1)}, "a partner who cannot be one (CONN-10, CONN-11)"),
        ({"links": linked(partner=3)}, "no seat 3"),
        ({"known": ["Miami"]}, "a card known in a hand that is in none"),
        ({"known": ["Chicago"], "ages": {"Chicago": 1}}, "ages that do not fit the cards (CONN-3)"),
        ({"shuffles": 1}, "ages that do not fit the pile (CONN-3)"),
        ({"pile": [], "discard": ["Dakar", "Cairo"]}, "an empty pile that must be made anew"),
        ({"turns": [1, 1]}, "turns: 2 numbers for 3 players"),
        ({"turns": [61, 60, 60], "turn": 1}, "more turns than there are (CONN-16)"),
        ({"turns": [60, 60, 60]}, "a round that is over (CONN-16)"),
        ({"last_turns": [1, 0, 0]}, "last turns that nobody had (CONN-15)"),
        ({"announced": 1, "last_turns": [2, 0, 2]}, "a round that is over (CONN-16)"),
        ({"announced": 0}, "an announcement that cannot be (CONN-15, CONN-16)"),
        ({"idle": 6}, "turns without a card count in the last round only (CONN-16)"),
        ({"idle": 7}, "more turns without a card than there can be (CONN-16)"),
        ({"turn": 3}, "no seat 3"),
        ({"dealer": 1}, "a dealer who does not deal this round (CONN-17)"),
        ({"history": [[0, 0, 0]] * 4}, "history: 4 rounds of 3"),
        ({"history": [[0, 0, 0]] * 3}, "an end of the match that is none"),
        ({"history": [[0, 0]]}, "history: 2 numbers for 3 players"),
        ({"phase": "over"}, "an end of the match that is none"),
        ({"phase": "asleep"}, 'no phase "asleep": the phases are announce, offer'),
        ({"phase": "announce"}, "a decision that nobody could have to take"),
        ({"phase": "offer"}, 'phase "offer": asked is missing'),
        ({"phase": "offer", "asked": 0}, "a decision that nobody could have to take"),
        ({"phase": "answer", "asked": 1, "to": 2}, 'phase "answer": card is missing'),
        (
            {"phase": "answer", "asked": 1, "to": 2, "card": "Boston"},
            "a decision that nobody could have to take",
        ),
        (
            {"phase": "invited", "link": "Vienna", "to": 1},
            "a decision that nobody could have to take",
        ),
        ({"phase": "set"}, 'phase "set": one or two cities are chosen'),
        ({"phase": "set", "chosen": ["Lima"], "known": ["Lima"]}, "a decision that nobody could"),
        ({"phase": "discard", "taken": "Chicago"}, "a decision that nobody could have to take"),
        ({"taken": "Chicago"}, 'phase "play" has no taken'),
    ],
    ids=str,
)
def test_an_impossible_position_is_refused_and_changes_nothing(
    parts: dict[str, Any], message: str
) -> None:
    text = position(**parts)
    with pytest.raises(ValueError, match=f"^connections: impossible state: .*{re.escape(message)}"):
        Match("connections", position=text)
    batch = Batch("connections")
    before = batch.save()
    with pytest.raises(ValueError, match=re.escape(message)):
        batch.set_position(text)
    assert batch.save() == before


# What a seat may know.

TABLES = [
    Variant("connections", {"max_turns": 12}),
    Variant("connections", {"players": 4, "max_turns": 7}),
    Variant("connections", {"players": 5, "max_turns": 7}),
    Variant("connections", {"players": 6, "max_turns": 7}),
    Variant("connections", {"deck": ORCHARD, "max_turns": 8}),
]


def moments(variant: Variant, stride: int) -> Iterator[Batch]:
    """Return moments of a match, every phase and the end among them."""
    batch, rng = variant.batch(seed=3), random.Random(3)
    out, phases = batch.buffers(), set()
    for number in count():
        batch.observe(out)
        phase = batch.spec.observation.split(out.observation)["phase"].tobytes()
        if number % stride == 0 or phase not in phases:
            phases.add(phase)
            yield batch
        if batch.to_act() is None:
            break
        texts = {batch.action_text(action): action for action in batch.legal()}
        batch.play(texts[eager(list(texts), rng)])
    assert len(phases) == len(PHASES) + 1


def seen_by(batch: Batch, seat: int) -> tuple[Any, ...]:
    out = batch.buffers()
    batch.observe(out, seat)
    view = batch.view(viewer=seat)
    row, mask = out.observation.tobytes(), out.mask.tobytes()
    return view, batch.text(viewer=seat), row, mask, render.svg(view)


@pytest.mark.parametrize("variant", TABLES, ids=str)
def test_what_a_seat_sees_does_not_depend_on_what_it_may_not_know(variant: Variant) -> None:
    changed, looks = 0, 0
    for number, batch in enumerate(moments(variant, 60)):
        for seat in range(batch.spec.seats):
            guess = batch.select([0])
            guess.resample_hidden(seat, number)
            assert seen_by(guess, seat) == seen_by(batch, seat)
            assert guess.legal() == batch.legal() or batch.to_act() != seat
            assert (guess.legal() == []) == (batch.to_act() is None)
            changed += guess.view(viewer="all") != batch.view(viewer="all")
            looks += batch.to_act() is not None
    assert changed > 0.4 * looks


def test_a_guess_follows_from_its_number() -> None:
    batch = Batch("connections", num_lanes=3, seed=8)
    guesses = []
    for purpose in (1, 1, 2):
        guess = batch.select(range(3))
        guess.resample_hidden(0, purpose)
        guesses.append([guess.save(lane) for lane in range(3)])
    assert guesses[0] == guesses[1] != guesses[2]


@pytest.mark.parametrize("variant", TABLES, ids=str)
def test_a_view_and_a_text_have_the_viewers_cards_and_the_known_ones_only(variant: Variant) -> None:
    kinds = Counter[str]()
    for batch in moments(variant, 7):
        state = json.loads(batch.position())
        hands, open_cards = state["hands"], set(state["known"])
        is_over = batch.to_act() is None
        for viewer in [*range(len(hands)), "all"]:
            view = batch.view(viewer=viewer)
            shown = [
                [card for card in hand if is_over or viewer in (seat, "all") or card in open_cards]
                for seat, hand in enumerate(hands)
            ]
            assert [hand["held"] for hand in view["hands"]] == shown
            assert [hand["cards"] for hand in view["hands"]] == list(map(len, hands))
            assert view["pile"] == len(state["pile"])
            may_act = not is_over and viewer in (batch.to_act(), "all")
            assert (view["legal"] != []) == may_act
            assert hands_in_text(batch.text(viewer=viewer)) == shown
            for seat, hand in enumerate(hands):
                kind = "seen" if is_over or viewer in (seat, "all") else "hidden"
                kinds[kind] += len(hand)
                kinds["known"] += len(shown[seat]) * (kind == "hidden")
    assert kinds["hidden"] - kinds["known"] > 100
    assert kinds["known"] > 100


def hands_in_text(text: str) -> list[list[str]]:
    """Read the cards below every seat's line."""
    hands: list[list[str]] = []
    cards = False
    for line in text.split("\n"):
        if re.match(r"[ >] seat \d: ", line):
            hands.append([])
            cards = False
        elif hands:
            title = re.match(r"    (hand|known): ", line)
            cards = bool(title) or (cards and not re.match(r"    .*: ", line))
            if cards:
                words = line[len(title[0]) if title else 4 :]
                hands[-1] += [word for word in words.removesuffix(",").split(", ") if word]
    return hands


@pytest.mark.parametrize("variant", TABLES, ids=str)
def test_a_text_fits_a_terminal_and_says_what_is_going_on(variant: Variant) -> None:
    for batch in moments(variant, 7):
        view = batch.view(viewer=0)
        text = batch.text(viewer=0)
        lines = text.split("\n")
        assert all(len(line) <= 80 and line == line.rstrip() for line in lines)
        assert lines[0].startswith("Connections,")
        assert f"round {view['round']} of {view['rounds']}, dealt by seat" in text
        marked = [line for line in lines if line.startswith("> seat")]
        assert len(marked) == (view["to_act"] is not None)
        assert all(line.startswith(f"> seat {view['to_act']}:") for line in marked)
        assert ("has announced the end" in text) == (view["announced"] is not None)
        words = " ".join(text.split())
        for score in view["scores"]:
            assert all(f"now: {part['text']}" in words for part in score["parts"])


KEYS = {
    "": "game viewer phase to_act turn dealer round rounds points regions cities hands laid sets "
    "links pile discard announced idle max_turns chosen scores history legal returns",
    "regions": "id name colour",
    "cities": "id name regions lon lat token",
    "hands": "cards held tokens turns last_turns",
    "links": "city owner partner invited",
    "chosen": "asked card to reply link cities taken may_invite",
    "scores": "points parts",
    "parts": "what link with regions cards value points text",
}


@pytest.mark.parametrize("variant", TABLES, ids=str)
def test_a_view_is_complete_and_fits_together(variant: Variant) -> None:
    met = Counter[str]()
    for batch in moments(variant, 7):
        view = batch.view(viewer=1)
        parts = [part for score in view["scores"] for part in score["parts"]]
        for name, keys in KEYS.items():
            found = {"": [view], "parts": parts, "chosen": [view["chosen"]]}.get(name)
            for one in view[name] if found is None else found:
                assert set(one) == set(keys.split()), name
                met[name] += 1
        seats = range(len(view["hands"]))
        tokens = Counter(city["token"] for city in view["cities"] if city["token"] is not None)
        assert [tokens[seat] for seat in seats] == [len(laid) for laid in view["laid"]]
        assert [12 - hand["tokens"] for hand in view["hands"]] == [tokens[seat] for seat in seats]
        names = {city["id"]: city["name"] for city in view["cities"]}
        owned = sorted((names[link["city"]], link["owner"]) for link in view["links"])
        laid = [(face, seat) for seat in seats for face in view["laid"][seat]]
        assert owned == sorted(one for one in laid if "/" not in one[0])
        for score in view["scores"]:
            assert score["points"] == sum(part["points"] for part in score["parts"])
        assert view["points"] == np.sum([[0] * len(seats), *view["history"]], axis=0).tolist()
        cards = sum(hand["cards"] for hand in view["hands"]) + len(laid) + len(view["discard"])
        assert cards + view["pile"] == len(variant.options.get("deck", WORLD))
        partners = [part["with"] for part in parts if part["what"] == "partnership"]
        assert len(partners) == 2 * sum(link["partner"] is not None for link in view["links"])
        met |= Counter({part["what"]: 1 for part in parts})
    assert set(met) >= {*KEYS, "group", "partnership"}


@pytest.mark.parametrize("variant", TABLES, ids=str)
def test_every_moment_can_be_described_replayed_and_loaded(variant: Variant) -> None:
    for number, batch in enumerate(moments(variant, 7)):
        match = variant.match(position=batch.position())
        assert match.position() == batch.position()
        assert match.view("all") == {**batch.view(viewer="all"), "last": None}
        match.play_random(number % 9)
        again = Match.from_replay(match.replay())
        assert (again.save(), again.history) == (match.save(), match.history)
        loaded = variant.match()
        loaded.load(match.save())
        assert loaded.view("all")["legal"] == match.view("all")["legal"]


# Pictures.


def elements(root: ElementTree.Element, kind: str) -> list[ElementTree.Element]:
    return [element for element in root.iter() if element.tag.endswith(f"}}{kind}")]


def cards_in(root: ElementTree.Element) -> list[tuple[str, bool]]:
    """Read the cards of a picture, and whether their edges are dashed."""
    cards: list[tuple[list[str], bool]] = []
    for element in root.iter():
        if element.tag.endswith("rect") and element.get("width") == "100":
            cards.append(([], "stroke-dasharray" in element.attrib))
        if element.tag.endswith("text") and element.get("font-size") == "10":
            cards[-1][0].append(str(element.text))
    return [("/".join(sides), dashed) for sides, dashed in cards]


def tokens_in(root: ElementTree.Element) -> Counter[str | None]:
    """Count the tokens of a picture by the number on them."""
    numbers = [one.text for one in elements(root, "text") if len(one.text or "") == 1]
    assert len(numbers) == sum(one.get("r") == "8" for one in elements(root, "circle"))
    return Counter(numbers)


@pytest.mark.parametrize("variant", TABLES, ids=str)
def test_a_picture_shows_tokens_names_and_what_the_viewer_may_know(variant: Variant) -> None:
    for batch in moments(variant, 40):
        viewers: list[int | Literal["all"]] = [0, batch.spec.seats - 1, "all"]
        for viewer in viewers:
            view = batch.view(viewer=viewer)
            root = ElementTree.fromstring(render.svg(view))
            is_over = view["to_act"] is None
            seats = range(len(view["hands"]))
            held = [
                (card, not is_over and viewer not in (seat, "all"))
                for seat in [*seats[view["viewer"] or 0 :], *seats[: view["viewer"] or 0]]
                for card in view["hands"][seat]["held"]
            ]
            discarded = [(card, False) for card in view["discard"][::-1][:9]]
            assert cards_in(root) == discarded + held
            laid = {str(seat): len(faces) + 1 for seat, faces in enumerate(view["laid"])}
            assert tokens_in(root) == laid
            texts = {one.text for one in elements(root, "text")}
            assert {city["name"] for city in view["cities"] if city["token"] is not None} <= texts
            assert {part["text"] for score in view["scores"] for part in score["parts"]} <= texts


def curves_in(match: Match) -> list[tuple[str, str]]:
    return re.findall(r'<path [^>]*stroke="(#\w+)" stroke-width="([\d.]+)"', match.svg())


def test_a_picture_joins_the_partners_cities_with_the_link() -> None:
    blue, orange, green = "#0072b2", "#d55e00", "#009e73"
    assert curves_in(at()) == [(blue, "1.5")] * 3
    both = [(orange, "3.5")] * 3 + [(blue, "3.5")] * 3
    assert sorted(curves_in(at(links=linked(partner=1)))) == sorted(both)
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
    match = at(hands=[["London/Baghdad", "Tunis/Kyiv"], ["Boston/Nairobi"], ["Rome/Riyadh"]])
    assert [match.svg(seat).count(mark) for seat in (0, 1)] == [4, 0]  # cities and cards
    match = at(phase="offer", asked=1)
    match.play("offer Boston to +1")
    assert match.svg(0).count(mark) == 1
    match.play("answer Rome/Riyadh")
    assert match.svg(0).count(mark) == 2


@pytest.mark.parametrize("seat", range(3))
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


@pytest.mark.parametrize("places", PLACES)
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


# What the numbers mean.


@pytest.mark.parametrize(("deck", "players"), [(WORLD, 3), (WORLD, 6), (ORCHARD, 3)])
def test_action_ids_follow_from_cards_sides_and_places(deck: Deck, players: int) -> None:
    batch = Batch("connections", deck=deck, players=players)
    names = list(map(str, deck))
    faces = [
        face
        for card in deck
        if not card.is_link
        for face in (f"{card.front}/{card.back}", f"{card.back}/{card.front}")
    ]
    links = [city.name for city in deck.links]
    places = [f"+{n}" for n in range(1, players)]
    expected = {
        "set": [f"set {face}" for face in faces],
        "play": [f"play {face}" for face in faces + links],
        "discard": [f"discard {card}" for card in names],
        "offer": [f"offer {card} to {place}" for card in names for place in places],
        "answer": [f"answer {card}" for card in names],
        "invite": [f"invite {link} {place}" for link in links for place in places],
        **{word: [word] for word in WORDS},
    }
    assert [block.name for block in batch.spec.actions.blocks] == list(expected)
    texts = [text for block in expected.values() for text in block]
    assert [batch.action_text(action) for action in range(batch.spec.actions.size)] == texts
    assert [batch.parse_action(text) for text in texts] == list(range(len(texts)))
    assert batch.spec.actions["play"].labels == tuple(faces + links)
    assert batch.spec.actions["discard"].labels == tuple(names)
    assert batch.spec.observation["tokens_on"].labels == tuple(c.name for c in deck.cities)
    assert batch.spec.observation["sets"].labels == tuple(deck.regions.values())
    assert batch.spec.observation["phase"].labels == tuple(PHASES)


@pytest.mark.parametrize("variant", TABLES, ids=str)
def test_an_observation_says_what_the_view_says_beginning_with_the_viewer(variant: Variant) -> None:
    spec = variant.batch().spec
    seats = spec.seats
    cards = list(spec.observation["top"].labels)
    for batch in moments(variant, 7):
        out = batch.buffers()
        state = json.loads(batch.position())
        for viewer in range(seats):
            view = batch.view(viewer=viewer)
            batch.observe(out, viewer)
            row = {name: part[0] for name, part in spec.observation.split(out.observation).items()}
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
        "points": [min(max(view["points"][seat] // 20 + 50, 0), 255) for seat in around],
        "turn": seat_flags(view["turn"]),
        "to_act": seat_flags(view["to_act"]),
        "phase": flags(PHASES, view["phase"]),
        **{name: view[name] for name in ("pile", "idle")},
        "may_invite": int(chosen["may_invite"]),
        "rounds_left": max(view["rounds"] - len(view["history"]) - 1, 0),
    }


# Learners.


@pytest.mark.parametrize("players", [3, 6])
def test_learners_at_every_seat_play_to_the_end(players: int) -> None:
    env = AECEnv("connections", players=players, max_turns=2)
    env.reset(seed=5)
    assert env.possible_agents == [f"player_{seat}" for seat in range(players)]
    total = dict.fromkeys(env.possible_agents, 0.0)
    rng = np.random.default_rng(0)
    for agent in env.agent_iter():
        _, reward, terminated, truncated, info = env.last()
        total[agent] += reward
        assert not truncated
        mask = info["action_mask"]
        env.step(None if terminated else int(rng.choice(np.flatnonzero(mask))))
    assert sum(total.values()) == pytest.approx(0, abs=1e-6)
    assert max(total.values()) >= 0


def test_a_vector_environment_shows_what_single_ones_show() -> None:
    options: dict[str, Any] = {"players": 4, "max_turns": 2, "opponents": "greedy"}
    envs = gymnasium.make_vec(ENVIRONMENT, num_envs=3, **options)
    observations, infos = envs.reset(seed=7)
    for row in range(3):
        env = gymnasium.make(ENVIRONMENT, **options)
        observation, info = env.reset(seed=7 + row)
        assert np.array_equal(observation, observations[row])
        assert np.array_equal(info["action_mask"], infos["action_mask"][row])


def test_points_out_of_all_bounds_are_refused() -> None:
    position = json.loads(Match("connections").position())
    for points in (-(2**31), 2**31 - 1):
        wrong = set()
        for dealer in range(3):
            described = position | {"history": [[points, 0, 0]], "dealer": dealer}
            with pytest.raises(ValueError, match="impossible state") as refused:
                Match("connections", position=json.dumps(described))
            wrong.add(str(refused.value).rpartition(": ")[2])
        assert "more points than there can be" in wrong


# Greedy.


@pytest.mark.parametrize(
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


@pytest.mark.parametrize("players", [3, 6])
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
