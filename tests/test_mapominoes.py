"""Mapominoes from Python: positions, notation, what a seat may know, what its numbers mean."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from conftest import ISLAND, THREE_IN_WALES, Variant

import adjoin
from adjoin import Batch, Match
from adjoin.atlas import Atlas

if TYPE_CHECKING:
    from collections.abc import Iterator

UK = Atlas.load("uk-counties")


def position(**parts: Any) -> str:
    return json.dumps({"hands": [["kent"], ["essex"]], "table": {"P11": "surrey"}, **parts})


# The sheet's examples, in the notation of people.


def test_a_double_connection_gives_an_extra_go() -> None:
    table = {"P11": "northamptonshire", "Q11": "warwickshire", "Q12": "gloucestershire"}
    hands = [["Oxfordshire", "Kent"], ["Essex"]]
    match = Match("mapominoes", position=position(table=table, hands=hands, pile=1))
    match.play("Oxfordshire")
    assert "P12" in match.legal()
    match.play("P12")
    view = match.view()
    assert (view["turn"], view["double_connections"]) == (0, [1, 0])


def test_a_transit_card_leads_over_the_sea() -> None:
    text = position(
        table={"P11": "Merseyside"}, hands=[["Antrim", "Kent"], ["Anglesey"]], transit=[1, 0]
    )
    match = Match("mapominoes", position=text)
    match.play("transit Irish Sea", "P12", "Antrim", "P13")
    assert json.loads(match.position())["table"] == {
        "P11": "merseyside",
        "P12": "transit irish_sea",
        "P13": "antrim",
    }
    assert match.view()["transit_played"] == [1, 0]
    match.play("Anglesey")
    assert set(match.legal()) == {"O12", "Q12"}
    match.play("O12")
    assert match.is_over is False  # the second round begins
    assert match.returns == [-1.0, 0.0]


def test_why_a_card_cannot_lie_somewhere_is_told_with_the_clause() -> None:
    table = {"P11": "surrey", "P12": "hampshire"}
    match = Match("mapominoes", position=position(table=table, hands=[["kent", "fife"], ["essex"]]))
    assert "(MAPO-10)" in str(match.why_not("Essex"))
    assert "(MAPO-11)" in str(match.why_not("Fife"))
    assert "MAPO-" in str(match.why_not("transit Irish Sea"))
    match.play("Kent")
    assert "Surrey) lies there (MAPO-6)" in str(match.why_not("P11"))
    assert "(MAPO-11)" in str(match.why_not("A1"))
    assert "(MAPO-11)" in str(match.why_not("P13"))
    assert "MAPO-" in str(match.why_not("take"))


# A card on an occupied cell.


def on_an_occupied_cell() -> tuple[Match, int]:
    match = Match("mapominoes", position=position())
    match.play("Kent")
    return match, Batch("mapominoes").parse_action("P11")


def test_a_card_on_an_occupied_cell_is_illegal_and_changes_nothing() -> None:
    match, cell = on_an_occupied_cell()
    before, past = match.save(), match.history
    for action in ("P11", cell):
        with pytest.raises(adjoin.IllegalActionError, match=r"^P11: .*legal: P10, O11, Q11, P12"):
            match.play(action)
        assert (match.save(), match.history) == (before, past)


@pytest.mark.parametrize("challenges", [False, True])
def test_a_batch_refuses_a_card_on_an_occupied_cell_and_changes_no_lane(challenges: bool) -> None:
    batch = Batch("mapominoes", num_lanes=4, seed=1, challenges=challenges)
    out, actions = batch.buffers(), np.zeros(4, np.int32)
    for lane in range(4):
        batch.set_position(position(), lane)
        batch.play(batch.parse_action("Kent"), lane)
    batch.sample(actions)
    actions[2] = batch.parse_action("P11")
    before = [batch.save(lane) for lane in range(4)]
    with pytest.raises(adjoin.IllegalActionError, match=r"^lane 2, illegal action \d+ \(P11\): "):
        batch.step(actions, out)
    with pytest.raises(adjoin.IllegalActionError, match=r"P11"):
        batch.play(int(actions[2]))
    assert [batch.save(lane) for lane in range(4)] == before


# Positions.


def test_a_position_by_hand_needs_the_table_and_the_hands_only() -> None:
    match = Match(
        "mapominoes", position='{"table": {"P11": "surrey"}, "hands": [["kent"], ["essex"]]}'
    )
    assert json.loads(match.position()) == {
        "table": {"P11": "surrey"},
        "hands": [["kent"], ["essex"]],
        **{key: [0, 0] for key in ("transit", "points", "double_connections", "transit_played")},
        **dict.fromkeys(["pile", "turn", "passes", "blocked_rounds"], 0),
        **dict.fromkeys(["county", "nominee", "transit_cell", "cell", "asked"]),
        **{"round": 1, "dealer": 1, "undealt": [], "shown": [], "phase": "go"},
    }


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("tyne_and_wear", ["Tyne & Wear", "TYNE AND WEAR", " tyne and  wear ", "tyne-and-wear"]),
        ("greater_london", ["Gtr Lon", "gtrlon", "Greater London", "GREATER_LONDON"]),
        ("dumfries_and_galloway", ["D&G", "Dumfries & Galloway", "dumfries and galloway"]),
        ("rhondda_cynon_taf", ["RCT", "rct", "Rhondda Cynon Taf"]),
    ],
)
def test_names_are_read_as_people_write_them(name: str, written: list[str]) -> None:
    region = UK[name]
    other = UK.borders(region)[0].name
    for text in (name, *written):
        in_hand = Match(
            "mapominoes", position=position(table={"p11": other}, hands=[[text], ["Fife"]])
        )
        assert json.loads(in_hand.position())["hands"][0] == [name]
        in_hand.play(text)
        assert in_hand.history == [region.name]
        tabled = Match(
            "mapominoes", position=position(table={"P11": text}, hands=[[other], ["Fife"]])
        )
        assert json.loads(tabled.position())["table"] == {"P11": name}
        table = {"P11": other, "P12": f"Transit {text}"}
        crossed = Match(
            "mapominoes", position=position(table=table, hands=[["Fife"], ["Angus"]], pile=1)
        )
        assert json.loads(crossed.position())["table"]["P12"] == f"transit {name}"


def test_names_of_an_atlas_of_ones_own_are_read_as_people_write_them() -> None:
    hands = [["STOW AND ST ANN", "ole"], ["nh", "Port of The Kings"]]
    text = json.dumps({"table": {"C2": "mid"}, "hands": hands})
    match = Match("mapominoes", position=text, atlas=ISLAND, table=(5, 3))
    assert json.loads(match.position())["hands"] == [
        ["stow_and_st_ann", "ole"],
        ["north_head", "port_of_the_kings"],
    ]
    match.play("stow & saint ann", "c1", "N.H.", "b1")
    assert match.history == ["Stow & Saint Ann", "C1", "North Head", "B1"]


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ({"hand": []}, "unknown field `hand`"),
        ({"hands": [["kent"]]}, "hands: 1 hands for 2 players"),
        ({"hands": [["kent"], []]}, "a player without county cards"),
        ({"hands": [["kent"], ["kent"]]}, "a card in two places"),
        ({"hands": [["kent"], ["surrey"]]}, "a card in two places"),
        ({"hands": [["kent"], ["Middlesex"]]}, 'no region "Middlesex"'),
        ({"hands": [["kent"], ["Irish Sea"]]}, 'no region "Irish Sea"'),
        ({"table": {}}, "no county card in the middle"),
        ({"table": {"A1": "surrey"}}, "no county card in the middle"),
        ({"table": {"P11": "transit surrey"}}, "no county card in the middle"),
        ({"table": {"P11": "surrey", "P13": "berkshire"}}, "do not hang together"),
        ({"table": {"P11": "surrey", "P12": "fife"}}, "do not border each other"),
        ({"table": {"P11": "surrey", "P12": "transit fife"}}, "do not border each other"),
        ({"table": {"P11": "surrey", "AF1": "berkshire"}}, 'no cell "AF1"'),
        ({"table": {"P11": "surrey", "p11": "berkshire"}}, "two cards on"),
        ({"turn": 2}, "no seat 2"),
        ({"round": 0}, "rounds are counted from 1"),
        ({"round": 3}, "a round after the last"),
        ({"transit": [1]}, "transit: 1 numbers for 2 players"),
        ({"transit": [6, 6], "pile": 1}, "more transit cards than there are"),
        ({"points": [1, 0]}, "impossible points"),
        ({"shown": ["fife"]}, "a card shown that nobody holds"),
        ({"phase": "asleep"}, 'no phase "asleep"'),
        ({"phase": "place"}, "county is missing"),
        ({"phase": "place", "county": "fife"}, "a decision that nobody could have to take"),
        (
            {"phase": "challenge", "county": "kent", "cell": "P12", "asked": 1},
            "a decision that nobody",
        ),
        ({"passes": 2}, "a decision that nobody could have to take"),
        ({"pile": -1}, "pile|expected"),
    ],
    ids=str,
)
def test_an_impossible_position_is_refused_and_changes_nothing(
    parts: dict[str, Any], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        Match("mapominoes", position=position(**parts))
    batch = Batch("mapominoes")
    before = batch.save()
    with pytest.raises(ValueError, match=message):
        batch.set_position(position(**parts))
    assert batch.save() == before


def test_under_challenges_a_position_may_have_wrong_cards() -> None:
    text = position(table={"P11": "surrey", "P12": "fife"})
    match = Match("mapominoes", position=text, challenges=True)
    assert json.loads(match.position())["table"] == {"P11": "surrey", "P12": "fife"}


# What a seat may know.

SECRETIVE = [
    Variant("mapominoes", THREE_IN_WALES),
    Variant("mapominoes", {**THREE_IN_WALES, "challenges": True}),
    Variant(
        "mapominoes",
        {"players": 5, "nations": ["Wales", "Scotland"], "staged": True, "table": (9, 9)},
    ),
]


def moments(variant: Variant, seed: int) -> Iterator[Batch]:
    """Return a match again and again, at moments of random play with some time-outs."""
    batch = variant.batch(seed=seed)
    action = np.zeros(1, np.int32)
    for number in range(150):
        if batch.to_act() is None:
            return
        yield batch
        if number % 10 == 9 and batch.view()["phase"] != "challenge":
            batch.timeout()
        else:
            batch.sample(action)
            batch.play(int(action[0]))


def seen_by(batch: Batch, seat: int) -> tuple[Any, ...]:
    out = batch.buffers()
    batch.observe(out, seat)
    return (
        batch.view(viewer=seat),
        batch.text(viewer=seat),
        out.observation.tobytes(),
        out.mask.tobytes(),
    )


@pytest.mark.parametrize("variant", SECRETIVE, ids=str)
def test_what_a_seat_sees_does_not_depend_on_what_it_may_not_know(variant: Variant) -> None:
    changed = 0
    for number, batch in enumerate(moments(variant, seed=5)):
        for seat in range(batch.spec.seats):
            guess = batch.select([0])
            guess.resample_hidden(seat, number)
            assert seen_by(guess, seat) == seen_by(batch, seat)
            assert guess.legal() == batch.legal() or batch.to_act() != seat
            changed += guess.view(viewer="all") != batch.view(viewer="all")
    assert changed > 100


@pytest.mark.parametrize("variant", SECRETIVE, ids=str)
def test_a_view_lists_the_others_cards_that_everybody_has_seen_only(variant: Variant) -> None:
    shown_ever = 0
    for batch in moments(variant, seed=6):
        state = json.loads(batch.position())
        public = {*state["shown"], state["county"]}
        for seat in range(batch.spec.seats):
            view = batch.view(viewer=seat)
            for other, hand in enumerate(view["hands"]):
                whole = state["hands"][other]
                known = [card for card in whole if other == seat or card in public]
                assert hand["cards"] == known
                assert hand["counties"] == len(whole)
                shown_ever += other != seat and len(known)
            assert (view["legal"] != []) == (seat == batch.to_act())
        assert [hand["cards"] for hand in batch.view(viewer="all")["hands"]] == state["hands"]
    assert shown_ever > 0


@pytest.mark.parametrize("variant", SECRETIVE, ids=str)
def test_a_text_names_the_viewers_hidden_cards_only(variant: Variant) -> None:
    names = {region.id: region.abbreviation for region in UK}
    hidden = 0
    for batch in moments(variant, seed=7):
        for seat in range(batch.spec.seats):
            shown = batch.view(viewer=seat)["hands"]
            whole = batch.view(viewer="all")["hands"]
            lines = batch.text(viewer=seat).split("\n")
            starts = [n for n, line in enumerate(lines) if re.match(r"[ >] seat \d: ", line)]
            assert len(starts) == batch.spec.seats
            for other, start in enumerate(starts):
                block = []
                for line in lines[start + 1 :]:
                    if not line.startswith("    "):
                        break
                    block += [word.strip().rstrip("*") for word in line.split(",")]
                listed = [word for word in block if word]
                assert listed == [names[card] for card in shown[other]["cards"]]
                hidden += len(whole[other]["cards"]) - len(listed)
    assert hidden > 0


def test_a_guess_follows_from_its_number() -> None:
    batch = Variant("mapominoes", THREE_IN_WALES).batch(num_lanes=3, seed=8)
    guesses = []
    for purpose in (1, 1, 2):
        guess = batch.select(range(3))
        guess.resample_hidden(0, purpose)
        guesses.append([guess.save(lane) for lane in range(3)])
    assert guesses[0] == guesses[1] != guesses[2]


# What the numbers mean.


@pytest.mark.parametrize("name", Atlas.shipped())
def test_blocks_are_labelled_with_the_names_of_the_atlas(name: str) -> None:
    atlas = Atlas.load(name)
    spec = Batch("mapominoes", atlas=name, players=3, challenges=True).spec
    waters = tuple(water.name for water in atlas.waters)
    assert spec.actions["county"].labels == atlas.names
    assert spec.actions["nominee"].labels == atlas.names + waters
    for block in ("hand", "unseen", "fits", "shown"):
        assert spec.observation[block].labels == atlas.names
    assert [block.name for block in spec.actions.blocks] == [
        *("county", "nominee", "cell", "take", "challenge", "let_it_be")
    ]


def test_action_ids_follow_the_labels(variant: Variant) -> None:
    batch = variant.batch()
    for block in batch.spec.actions.blocks:
        if len(block.shape) == 1 and len(block.labels) == block.size:
            texts = [batch.action_text(action) for action in range(block.start, block.stop)]
            assert all(
                text.endswith(label) for text, label in zip(texts, block.labels, strict=True)
            )


def test_blocks_by_seat_begin_with_the_viewer_and_go_clockwise() -> None:
    variant = Variant("mapominoes", {**THREE_IN_WALES, "players": 4, "challenges": True})
    spec = variant.batch().spec
    by_seat = {block.name for block in spec.observation.blocks if block.by_seat}
    assert by_seat == {
        *("shown", "counties", "transit_cards", "points", "turn", "to_act", "dealer")
    }
    assert all(spec.observation[name].shape[0] == 4 for name in by_seat)
    for batch in moments(variant, seed=2):
        whole = batch.view(viewer="all")
        out = batch.buffers()
        for viewer in range(4):
            batch.observe(out, viewer)
            row = {
                name: block[0] for name, block in spec.observation.split(out.observation).items()
            }
            seats = [(viewer + n) % 4 for n in range(4)]
            hands = [whole["hands"][seat] for seat in seats]
            assert row["counties"].tolist() == [hand["counties"] for hand in hands]
            assert row["transit_cards"].tolist() == [hand["transit"] for hand in hands]
            assert row["points"].tolist() == [whole["points"][seat] for seat in seats]
            for name in ("turn", "to_act", "dealer"):
                assert row[name].tolist() == [int(seat == whole[name]) for seat in seats]


def test_an_observation_says_what_the_view_says() -> None:
    variant = Variant("mapominoes", {**THREE_IN_WALES, "challenges": True})
    spec = variant.batch().spec
    ids = [region.id for region in UK]
    places = ids + [water.id for water in UK.waters]
    phases = spec.observation["phase"].labels
    for batch in moments(variant, seed=3):
        view = batch.view(viewer=1)
        out = batch.buffers()
        batch.observe(out, 1)
        row = {name: block[0] for name, block in spec.observation.split(out.observation).items()}
        card, transit = np.zeros_like(row["card"]), np.zeros_like(row["transit"])
        for one in [*view["table"]["cards"], *view["waiting"]]:
            card[one["row"], one["column"]] = 1 + places.index(one["id"])
            transit[one["row"], one["column"]] = one["kind"] == "transit"
        assert row["card"].tolist() == card.tolist()
        assert row["transit"].tolist() == transit.tolist()
        assert [ids[n] for n in np.flatnonzero(row["hand"])] == view["hands"][1]["cards"]
        hidden = sum(hand["counties"] - len(hand["cards"]) for hand in view["hands"])
        assert row["unseen"].sum() == hidden
        assert [phases[n] for n in np.flatnonzero(row["phase"])] == [view["phase"]]
        chosen = [view["chosen"][name] for name in ("county", "nominee")]
        assert row["chosen"].tolist() == [1 + places.index(c) if c else 0 for c in chosen]
        assert (int(row["pile"]), int(row["passes"])) == (view["pile"], view["passes"])
        assert int(row["rounds_left"]) == view["rounds"] - view["round"]


def test_a_count_that_is_full_stays_full() -> None:
    options: dict[str, Any] = {"rounds": 1, "players": 2}
    position = json.loads(Match("mapominoes", **options).position())
    full = [2**16 - 1] * 2
    described = position | {"double_connections": full, "transit_played": full}
    match = Match("mapominoes", position=json.dumps(described), **options)
    match.play_random()
    ended = json.loads(match.position())
    assert (ended["double_connections"], ended["transit_played"]) == (full, full)
