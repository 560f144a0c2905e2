"""A hint is never what a beginner would call wrong, and says why in a few words."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest

from adjoin import Match
from scaffold import OPTIONS, Variant, cases, chunks


def is_wrong_in_mapello(match: Match, action: str) -> bool:
    """To end the match without a win where it could be won at once, or go on."""

    def ends(action: str) -> float:
        after = match.copy()
        after.play(action)
        return after.returns[match.to_act or 0] if after.is_over else 0.5

    return ends(action) < max(map(ends, match.legal()))


def is_wrong_in_mapominoes(match: Match, action: str) -> bool:
    """To take or spend a transit card while a county card can be laid, or to challenge wrongly."""
    if match.spec.options["challenges"]:
        return _is_wrong_under_challenges(match, action)
    counties = [other for other in match.legal() if not other.startswith(("transit ", "take"))]
    return action not in counties and bool(counties)


def _is_wrong_under_challenges(match: Match, action: str) -> bool:
    """Whether a cell for the card at hand was chosen that somebody would rightly challenge."""
    view = match.view()
    if view["phase"] != "place":
        return False
    after = match.copy()
    after.play(action)
    while after.view("all")["phase"] == "challenge":
        if after.choose("greedy") == "challenge":
            return any(_stays(match, other) for other in match.legal())
        after.play("let it be")
    return False


def _stays(match: Match, action: str) -> bool:
    after = match.copy()
    after.play(action)
    return after.view("all")["phase"] != "challenge" or after.choose("greedy") == "let it be"


def is_wrong_in_metro_domino(match: Match, action: str) -> bool:
    """To draw, keep, stop or pass while a tile can be laid that does not end the game."""
    tiles = [other for other in match.legal() if other[0].isdigit()]
    return not action[0].isdigit() and action != "spend" and any(_goes_on(match, t) for t in tiles)


def _goes_on(match: Match, action: str) -> bool:
    after = match.copy()
    after.play(action)
    return not after.is_over and after.view()["game_number"] == match.view()["game_number"]


def is_wrong_in_domiphun(match: Match, action: str) -> bool:
    """To take, miss or close an end while a domino can be played."""
    dominoes = [other for other in match.legal() if re.match(r"\d-\d", other)]
    return action.split()[0] in ("take", "miss", "star") and bool(dominoes)


def is_wrong_in_connections(match: Match, action: str) -> bool:
    """To exchange a card, or pass, while a set can be laid or a card brings points."""
    if match.view()["phase"] != "play" or action not in ("draw", "take", "pass"):
        return False
    return any(
        other.startswith("set ") or (other.startswith("play ") and _points(match, other) > 0)
        for other in match.legal()
    )


def _points(match: Match, action: str) -> int:
    after, seat = match.copy(), match.to_act or 0
    after.play(action)
    parts = [game.view("all")["scores"][seat]["parts"] for game in (match, after)]
    before, then = (sum(p["points"] for p in part if p["what"] != "pairs") for part in parts)
    return int(then - before)


WRONG: dict[str, Callable[[Match, str], bool]] = {
    "connections": is_wrong_in_connections,
    "domiphun": is_wrong_in_domiphun,
    "mapello": is_wrong_in_mapello,
    "mapominoes": is_wrong_in_mapominoes,
    "metro_domino": is_wrong_in_metro_domino,
}


def positions(variant: Variant, part: int) -> Iterator[Match]:
    """Yield positions of random matches in which there is a choice."""
    for seed in range(part, 96, 24):
        match = variant.match(seed=seed)
        match.play_random(seed * 7 % 60)
        while not match.is_over and len(match.legal()) == 1:
            match.play_random(1)
        if not match.is_over:
            yield match


@cases("part", chunks(24))
def test_a_hint_is_nothing_that_a_beginner_would_call_wrong(game: str, part: int) -> None:
    for options in OPTIONS[game]:
        for match in positions(Variant(game, options), part):
            action, reason = match.hint()
            assert action in match.legal()
            assert not WRONG[game](match, action), f"{action} in\n{match}"
            assert re.fullmatch(r"\w.{3,88}\w", reason)


@pytest.mark.smoke
def test_a_hint_reads_as_a_sentence() -> None:
    match = Match("mapello", setup="othello")
    hint = match.hint()
    assert hint.action in match.legal()
    assert str(hint) == f"{hint.action}: it flips 1 disc and leaves the other player 3 moves"


def test_a_match_that_is_over_has_no_hint() -> None:
    match = Match("mapello")
    match.play_random()
    with pytest.raises(ValueError, match="the match is over, nobody has to decide"):
        match.hint()
