"""What became of cards and places, against a recount in plain loops."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from typing import Any

import numpy as np
import pytest

import adjoin
from adjoin.statistics import mean, ratio, wilson
from adjoin.statistics.grouped import Groups


def test_cells_agree_with_a_recount_of_the_moves() -> None:
    table = adjoin.simulate("mapello", 60, ["greedy", "random"], seed=3)
    cells = table.cells()
    often: Counter[str] = Counter()
    when: dict[str, list[float]] = defaultdict(list)
    won: dict[str, list[float]] = defaultdict(list)
    for row in range(len(table)):
        match = table.replay(row)
        again = adjoin.Match("mapello", seed=3, episode=row)
        for ply, action in enumerate(match.history):
            seat = again.to_act
            again.play(action)
            if action != "pass":
                place = f"cell {action}"
                often[place] += 1
                when[place].append(ply / len(match.history))
                won[place].append(table[f"won_{seat}"][row])
    assert dict(zip(cells.names, cells.counts.tolist(), strict=True)) == often
    for place in cells:
        assert cells[place]["laid"].value == pytest.approx(often[place] / 60)
        assert cells[place]["when"].value == pytest.approx(np.mean(when[place]), rel=1e-5)
        assert cells[place]["won"].value == pytest.approx(np.mean(won[place]))
    assert sum(cells[place]["laid"].value for place in cells) == pytest.approx(
        sum(often.values()) / 60
    )


def test_cards_agree_with_a_recount_of_the_hands() -> None:
    table = adjoin.simulate("mapominoes", 20, "greedy", seed=3, nations=["Wales"], table=(8, 6))
    cards = table.cards()
    assert set(cards.names) - {"transit card"} <= set(
        adjoin.Atlas.load("uk-counties").nation("Wales").names
    )
    held = sum(cards[name]["held"].value for name in cards if name != "transit card")
    laid = sum(
        c * cards[n]["laid"].value
        for n, c in zip(cards, cards.counts, strict=True)
        if n != "transit card"
    )
    assert laid == pytest.approx(table.each_seat("played").sum())
    assert held * 20 == pytest.approx(cards.counts[[n != "transit card" for n in cards]].sum())
    scores = table.each_seat("score").sum()
    left = sum(
        c * cards[n]["left"].value
        for n, c in zip(cards, cards.counts, strict=True)
        if n != "transit card"
    )
    assert left == pytest.approx(scores)


def test_every_card_agrees_with_a_recount_of_the_hands() -> None:
    options: dict[str, Any] = {"nations": ["Wales"], "table": (8, 6)}
    table = adjoin.simulate("mapominoes", 20, ["greedy", "random"], seed=3, **options)
    names = {county.id: county.name for county in adjoin.Atlas.load("uk-counties")}
    found: dict[str, list[tuple[bool, float, int, float]]] = defaultdict(list)
    for row in range(len(table)):
        history = table.replay(row).history
        match = adjoin.Match("mapominoes", seed=3, episode=row, **options)
        since: dict[tuple[int, str], int] = {}
        ends: list[tuple[int, str, int, int, bool]] = []
        after = json.loads(match.position())
        for ply, action in enumerate((*history, "")):
            for seat, hand in enumerate(after["hands"]):
                since |= {(seat, card): ply for card in hand if (seat, card) not in since}
            if action:
                before, mover = after, match.to_act
                assert mover is not None
                match.play(action)
                after = json.loads(match.position())
                if before["phase"].startswith("place") and before["county"]:
                    laid = mover, before["county"]
                    ends.append((*laid, since.pop(laid), ply, True))
            if not action or after["round"] != before["round"]:
                ends += [(*held, begun, ply, False) for held, begun in since.items()]
                since.clear()
        for seat, card, begun, ply, is_laid in ends:
            won = float(table[f"won_{seat}"][row])
            found[names[card]].append((is_laid, ply / len(history), ply - begun, won))
    cards = table.cards()
    assert {*found} == {*cards} - {"transit card"}
    for name, rows in found.items():
        of_laid = [row for row in rows if row[0]]
        recounted = {
            "held": len(rows) / len(table),
            "laid": len(of_laid) / len(rows),
            "left": 1 - len(of_laid) / len(rows),
            "when": np.mean([row[1] for row in of_laid]),
            "waited": np.mean([row[2] for row in of_laid]),
            "won": np.mean([row[3] for row in rows]),
        }
        assert {what: cards[name][what].value for what in cards[name]} == pytest.approx(recounted)


def test_groups_have_the_intervals_of_single_ones() -> None:
    rng = np.random.default_rng(5)
    rows = 400
    codes, match = rng.integers(3, size=rows), np.sort(rng.integers(50, size=rows))
    above, below = rng.random(rows), rng.random(rows) + 0.1
    groups = Groups.of(codes, match, 3, 50)
    found, often = groups.ratios(above, below, ""), groups.means("")
    for code in range(3):
        mine = codes == code
        sums = [np.bincount(match[mine], each[mine], 50) for each in (above, below)]
        assert found.at(code) == pytest.approx(ratio(sums[0], sums[1]))
        assert often.at(code) == pytest.approx(mean(np.bincount(match[mine], minlength=50)))


def test_a_share_of_one_row_a_match_is_wilsons() -> None:
    won = np.array([1, 1, 0, 1, 0, 1, 1, 1, 0, 1] * 10, np.float64)
    groups = Groups.of(np.zeros(100, np.int64), np.arange(100), 1, 100)
    assert groups.shares(won, "").at(0) == pytest.approx(wilson(70, 100), abs=0.002)
    never = groups.shares(np.zeros(100), "").at(0)
    assert never == pytest.approx(wilson(0, 100))


def test_rows_that_hang_together_within_a_match_count_less() -> None:
    won = np.repeat(np.array([1, 1, 0, 1, 0, 1, 1, 1, 0, 1] * 10, np.float64), 4)
    groups = Groups.of(np.zeros(400, np.int64), np.repeat(np.arange(100), 4), 1, 100)
    assert groups.shares(won, "").at(0) == pytest.approx(wilson(70, 100), abs=0.002)


@pytest.mark.long
def test_intervals_of_a_card_cover() -> None:
    """Of 1,000 samples of 40 matches of Othello, the intervals of a corner's share of the win."""
    many = adjoin.simulate("mapello", 40_000, "random", setup="othello", record="pieces")
    truth = many.cells()["cell a1"]["won"].value
    at = np.flatnonzero(np.diff(many["episode"] // 40, prepend=-1))
    ends = [*at[1:], len(many)]
    covered = [
        many[a:b].cells()["cell a1"]["won"].covers(truth) for a, b in zip(at, ends, strict=True)
    ]
    assert 0.93 < np.mean(covered) < 0.98


def test_seats_and_agents_and_kinds_are_told_apart() -> None:
    table = adjoin.simulate("mapello", 20, ["greedy", "random"], setup="free", seed=1)
    everything = table.cells().counts.sum()
    assert table.cells(seat=0).counts.sum() + table.cells(seat=1).counts.sum() == everything
    by_agent = [table.cells(agent=agent).counts.sum() for agent in ("greedy", "random")]
    assert sum(by_agent) == everything
    kinds = [table.cells(piece=piece).counts.sum() for piece in ("disc", "wall", "bonus", "joker")]
    assert sum(kinds) == everything
    assert all(place.partition(" ")[2].count(",") for place in table.cells(piece="joker"))
    with pytest.raises(ValueError, match="seat = 2: must be 0 to 1"):
        table.cards(seat=2)
    with pytest.raises(adjoin.UnknownNameError, match="no piece 'discs'; did you mean 'disc'"):
        table.cells(piece="discs")
    with pytest.raises(adjoin.UnknownNameError, match="no agent 'greed'; did you mean 'greedy'"):
        table.cells(agent="greed")


def test_a_table_of_pieces_has_a_summary() -> None:
    table = adjoin.simulate("domiphun", 40, "greedy", seed=2, record="pieces")
    summary = table.summary()
    assert [row.what for row in summary][:3] == ["pieces", "laid", "left"]
    assert summary["laid"].value == pytest.approx((table["fate"] == "laid").mean())
    assert summary["pieces"].value == pytest.approx(len(table) / 40)
    laid = table.filter(fate="laid")
    assert summary["waited"].value == pytest.approx((laid["until"] - laid["since"]).mean())


def test_breakdowns_are_printed_drawn_and_tabled() -> None:
    cells = adjoin.simulate("mapello", 30, seed=1).cells()
    top = cells.sorted("won").head(3)
    assert len(top) == 3
    assert top[top.names[0]]["won"].value == cells.figures["won"].values.max()
    assert str(top).splitlines()[2].split() == ["place", "n", "laid", "when", "won"]
    assert "<th>place</th>" in top._repr_html_()
    assert cells.to_pandas().loc[top.names[0], "won"] == top[top.names[0]]["won"].value
    assert top.to_dict()[top.names[0]]["n"] == top.counts[0]
    assert cells.plot("won").svg.count("<circle") == 20
    heat = cells.heat_map("won").svg
    assert "share of the win of who laid there" in heat.replace("\n", " ")
    assert heat.count("<rect") > len(cells)
    with pytest.raises(
        adjoin.UnknownNameError, match="no figure 'wins': there are 'laid', 'when', 'won'"
    ):
        cells.sorted("wins")
    with pytest.raises(adjoin.UnknownNameError, match="no place 'cell z9'"):
        cells["cell z9"]
    with pytest.raises(ValueError, match="a piece has no place on the board"):
        adjoin.simulate("mapello", 3).cards().heat_map("won")
