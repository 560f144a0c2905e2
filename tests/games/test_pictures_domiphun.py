"""The pictures of Domiphun: legible, in the right order from every side, nothing but the view."""

from __future__ import annotations

import itertools
import re
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple
from xml.etree import ElementTree

import numpy as np
import pytest

from adjoin import Match
from adjoin.drawing.lettering import SANS
from pictures import named, shown
from scaffold import OPTIONS, Variant, cases

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    Array = NDArray[np.float64]

SVG = "{http://www.w3.org/2000/svg}"
VARIANTS = [Variant("domiphun", options) for options in OPTIONS["domiphun"]]
BUILDERS: dict[str, Any] = {
    "variant": "advanced",
    "players": 4,
    "x_joiners": 4,
    "starjoiners": 2,
    "fork": True,
}
TURNS = range(4)


def moments(variant: Variant, stride: int = 1, seed: int = 4) -> Iterator[Match]:
    """Play at random, and stop now and then and at the end."""
    match = variant.match(seed=seed)
    for number in itertools.count():
        if number % stride == 0 or match.is_over:
            yield match
        if match.is_over:
            return
        match.play_random(1)


def constructions(count: int, phase: str | None = None) -> Iterator[Match]:
    """Build at random, in all directions."""
    for seed in range(count):
        match = Match("domiphun", seed=seed, **BUILDERS)
        match.play_random(70)
        while phase and not match.is_over and match.view()["phase"] != phase:
            match.play_random(1)
        if not match.is_over:
            yield match


class Drawn(NamedTuple):
    """An element, and how its coordinates become those of the picture."""

    one: ElementTree.Element
    right: float
    down: float
    scale: float
    is_slanted: bool

    def points(self) -> Array:
        """Return its corners in the picture."""
        numbers = re.findall(r"[-\d.e]+", self.one.get("points", ""))
        return np.array(numbers, np.float64).reshape(-1, 2) * self.scale + (self.right, self.down)


def elements(svg: str) -> Iterator[Drawn]:
    def walk(parent: Drawn) -> Iterator[Drawn]:
        for one in parent.one:
            moved = one.get("transform", "")
            found = re.fullmatch(r"(?:translate\((\S+) (\S+)\))? ?(?:scale\((\S+)\))?", moved)
            right, down, scale = map(float, found.groups("0")) if found else (0.0, 0.0, 0.0)
            scale = scale or 1.0
            assert found or moved.startswith("matrix")
            child = Drawn(
                one,
                parent.right + right * parent.scale,
                parent.down + down * parent.scale,
                parent.scale * scale,
                parent.is_slanted or moved.startswith("matrix"),
            )
            yield child
            yield from walk(child)

    return walk(Drawn(ElementTree.fromstring(svg), 0, 0, 1, False))


def size_of(svg: str) -> tuple[float, float]:
    root = ElementTree.fromstring(svg)
    return float(root.get("width", "nan")), float(root.get("height", "nan"))


def outlines(svg: str, name: str = "data-plate") -> list[tuple[str, Array]]:
    """Return the outlines of plates or of ghosts, in the order of drawing."""
    return [(key, one.points()) for one in elements(svg) if (key := one.one.get(name))]


def projection_of(view: dict[str, Any], svg: str) -> Array:
    """Return how points of space come into the picture, from where the plates are."""
    drawn = dict(outlines(svg))
    middles = [np.mean(plate["corners"], axis=0) for plate in view["plates"]]
    seen = [drawn[str(number)].mean(axis=0) for number in range(len(middles))]
    known = np.column_stack([np.array(middles), np.ones(len(middles))])
    projection, _, rank, _ = np.linalg.lstsq(known, np.array(seen), rcond=None)
    assert rank == 4
    return np.asarray(projection, np.float64)


def projected(corners: Any, projection: Array) -> set[tuple[float, float]]:
    flat = np.column_stack([np.array(corners, np.float64), np.ones(len(corners))]) @ projection
    return {(round(x), round(y)) for x, y in flat.tolist()}


# In space.


def test_whatever_a_line_of_sight_goes_through_the_nearest_is_drawn_last() -> None:
    rng = np.random.default_rng(1)
    hidden = dict.fromkeys(TURNS, 0)
    for match, turn in itertools.product(constructions(25), TURNS):
        view, svg = match.view("all"), match.svg("all", turn=turn)
        order = {int(number): n for n, (number, _) in enumerate(outlines(svg))}
        corners = np.array([plate["corners"] for plate in view["plates"]], np.float64)
        assert sorted(order) == list(range(len(corners)))
        projection = projection_of(view, svg)
        for name, outline in outlines(svg):
            near = {(round(x), round(y)) for x, y in outline.tolist()}
            flat = projected(view["plates"][int(name)]["corners"], projection)
            assert all(min(abs(a - c) + abs(b - d) for c, d in near) <= 2 for a, b in flat)
        sight = np.cross(projection[:3, 0], projection[:3, 1])
        sight *= np.sign(sight[2])
        assert tuple(np.sign(sight)) == [(1, -1, 1), (-1, -1, 1), (-1, 1, 1), (1, 1, 1)][turn]
        low, high = corners.min(axis=1), corners.max(axis=1)
        axes = (high - low).argmin(axis=1)
        for number in range(len(corners)):
            for point in low[number] + (high[number] - low[number]) * rng.random((8, 3)):
                away = (low[range(len(corners)), axes] - point[axes]) / sight[axes]
                hits = point + away[:, None] * sight
                inside = ((hits > low + 1e-6) & (hits < high - 1e-6)).sum(axis=1) == 2
                through = sorted(np.flatnonzero(inside).tolist(), key=lambda plate: away[plate])
                assert [order[n] for n in through] == sorted(order[n] for n in through)
                hidden[turn] += len(through) - 1
    assert min(hidden.values()) > 1000


def test_a_ghost_is_where_the_domino_then_lies() -> None:
    ways = set()
    for match, turn in itertools.product(constructions(30, "place"), TURNS):
        view, svg = match.view(), match.svg(turn=turn)
        projection = projection_of(view, svg)
        ghosts = outlines(svg, "data-ghost")
        assert sorted({action for action, _ in ghosts}) == sorted(match.legal())
        for action in match.legal():
            after = match.copy()
            after.play(action)
            laid = after.view("all")["plates"][-2:]
            seen = {tuple(p) for name, face in ghosts if name == action for p in face.round()}
            assert len(seen) == 6
            then = projected([corner for plate in laid for corner in plate["corners"]], projection)
            for x, y in then:
                assert min(abs(x - u) + abs(y - v) for u, v in seen) <= 2
            ways.add(action)
    assert len(ways) > 20


def test_only_the_seat_to_act_sees_where_its_domino_may_go() -> None:
    for match in constructions(6, "place"):
        for seat in range(4):
            assert bool(outlines(match.svg(seat), "data-ghost")) == (seat == match.to_act)


def test_four_turns_are_four_pictures_of_the_same_facts() -> None:
    for match in constructions(6):
        pictures = [match.svg("all", turn=turn) for turn in TURNS]
        assert match.svg("all") == pictures[0]
        assert len(set(pictures)) == 4
        assert len({tuple(sorted(words(svg))) for svg in pictures}) == 1


def test_the_compass_turns_along() -> None:
    match = next(constructions(9))
    view = match.view()
    for turn in TURNS:
        svg = match.svg(turn=turn)
        projection = projection_of(view, svg)
        arms = []
        for drawn in elements(svg):
            if drawn.one.get("stroke") == "#6b6b6b" and drawn.one.tag == f"{SVG}polyline":
                begin, end = drawn.points()
                arms.append(end - begin)
        assert len(arms) == 3
        for arm, way in zip(arms, projection[:3], strict=True):
            assert np.dot(arm, way) == pytest.approx(np.linalg.norm(arm) * np.linalg.norm(way))


@cases("balance", [False, True])
def test_how_it_stands_is_drawn_when_asked_for(balance: bool) -> None:
    for match, turn in itertools.product(constructions(10), TURNS):
        view = match.view("all")
        svg = match.svg("all", balance=balance, turn=turn)
        blue = [one.points() for one in elements(svg) if one.one.get("fill") == "#56b4e9"]
        said = (
            [" ".join(words(svg))] if "the point below the centre" in " ".join(words(svg)) else []
        )
        ways = [d.points() for d in elements(svg) if d.one.get("stroke") == "#d1495b"]
        if not balance:
            assert not blue
            assert not said
            assert not ways
            continue
        projection = projection_of(view, svg)
        (support,) = blue
        flat = projected([[x, y, 0] for x, y in view["balance"]["support"]], projection)
        for x, y in flat:
            assert np.abs(support - (x, y)).sum(axis=1).min() <= 2
        centre = ", ".join(view["balance"]["centre"])
        assert f"({centre}), is {view['balance']['margin']} from" in said[0]

        # The red line to the nearest edge is as long as the margin.
        begin, end = next(way for way in ways if len(way) == 2 and way[0][0] != way[1][0])
        level = projection[:2]
        (u, v) = np.linalg.solve(level.T, end - begin)
        assert np.hypot(u, v) == pytest.approx(float(Fraction(view["balance"]["margin"])), abs=0.02)


def test_a_large_construction_fits() -> None:
    scales = []
    for seed in range(12):
        match = Match("domiphun", seed=seed, **{**BUILDERS, "fork": False})
        while not match.is_over:
            match.play(match.choose("greedy"))
        for turn in TURNS:
            svg = match.svg("all", turn=turn, balance=True)
            width, height = size_of(svg)
            assert width <= 1000
            assert height <= 1050
            found = [one for one in elements(svg) if one.one.get("data-plate")]
            scales.append(found[0].scale)
            for one in found:
                points = one.points()
                assert (points > 0).all()
                assert (points < (width, height)).all()
    assert min(scales) < 0.9
    assert max(scales) == 1


# Words, and what can be clicked.


def words(svg: str) -> list[str]:
    return [one.one.text or "" for one in elements(svg) if one.one.tag == f"{SVG}text"]


Box = tuple[float, float, float, float]


def texts(svg: str) -> list[tuple[Box, str]]:
    """Return the words that do not lie on plates, and the boxes they fit in."""
    found = []
    for drawn in elements(svg):
        one = drawn.one
        if one.tag != f"{SVG}text" or drawn.is_slanted:
            continue
        assert drawn.scale == 1
        size, said = float(one.get("font-size", "nan")), one.text or ""
        wide = SANS.measure(said, size, one.get("font-weight") == "bold")
        left = drawn.right + float(one.get("x", "nan"))
        left -= wide / 2 if one.get("text-anchor") == "middle" else 0
        base = drawn.down + float(one.get("y", "nan"))
        found.append(((left, base - 0.75 * size, left + wide, base + 0.2 * size), said))
    return found


@cases("variant", VARIANTS)
def test_no_word_covers_another_or_leaves_the_picture(variant: Variant) -> None:
    for match, turn in zip(moments(variant, 3), itertools.cycle(TURNS), strict=False):
        svg = match.svg(turn=turn, balance=True)
        width, height = size_of(svg)
        ends = {end["name"] for end in match.view()["ends"]}
        for (left, top, right, bottom), said in texts(svg):
            assert left >= 0, said
            assert top >= 0, said
            assert right <= width, said
            assert bottom <= height, said
        for (one, said), (two, other) in itertools.combinations(texts(svg), 2):
            if variant.options.get("variant") == "advanced" and ends & {said, other}:
                continue
            across = min(one[2], two[2]) - max(one[0], two[0])
            down = min(one[3], two[3]) - max(one[1], two[1])
            assert across <= 0.5 or down <= 0.5, (said, other)


@cases("variant", VARIANTS)
def test_the_paper_is_behind_everything(variant: Variant) -> None:
    for match in moments(variant, 20):
        title, paper = ElementTree.fromstring(match.svg())[:2]
        assert (title.tag, paper.tag) == (f"{SVG}title", f"{SVG}rect")
        assert (paper.get("x"), paper.get("y")) == ("0", "0")
        wide, high = float(paper.get("width", 0)), float(paper.get("height", 0))
        assert (wide, high) == size_of(match.svg())


@cases("variant", VARIANTS)
def test_places_are_the_viewers_pieces_and_what_all_can_see(variant: Variant) -> None:
    for match in moments(variant, 3):
        assert shown(match.svg("all")) == []
        for seat, hand in enumerate(match.view("all")["hands"]):
            found = shown(match.svg(seat))
            view = match.view(seat)
            pieces = [
                f"domino {piece[0]}-{piece[1]}" if isinstance(piece, list) else f"square {piece}"
                for piece in hand["held"]
            ]
            assert sorted(key for key in found if key[:6] in ("domino", "square")) == sorted(pieces)
            assert found.count("pool") == 1
            assert found.count("starjoiner") == (hand["starjoiners"] > 0)
            ends = {f"end {end['name']}" for end in view["ends"]}
            plates = {f"plate {plate['number']}" for plate in view["plates"]}
            expected = {"plate": plates, "place": {f"side {way}" for way in view["legal"]}}
            rest = set(found) - set(pieces) - {"pool", "starjoiner"}
            assert rest == expected.get(view["phase"], ends)


# The path and the hands.


def test_what_was_played_last_has_a_heavy_frame() -> None:
    match = Match("domiphun", seed=3)
    assert "data-last" not in match.svg()
    frames = 0
    while not match.is_over:
        match.play_random(1)
        view = match.view("all")
        found = re.findall(r'data-last="(\d+)"', match.svg())
        end = match.history[-1].partition(" ")[2]
        if match.history[-1] in ("take", "miss"):
            assert found == []
        else:
            last = len(view["path"]) // 2 - 1
            assert found == [str(last if end == "B" else 0)]
            frames += 1
    assert frames > 5


@cases("variant", VARIANTS)
def test_hidden_pieces_lie_face_down(variant: Variant) -> None:
    for match in moments(variant, 9):
        for seat in range(match.spec.seats):
            view = match.view(seat)
            hidden = sum(hand["pieces"] for hand in view["hands"] if not hand["held"])
            backs = [d for d in elements(match.svg(seat)) if d.one.get("height") == "16.5"]
            assert len(backs) == hidden


def test_pieces_that_can_be_played_are_marked() -> None:
    for variant in VARIANTS[:2]:
        for match in moments(variant, 2):
            if match.is_over:
                continue
            legal = {key for places in named(match).values() for key in places}
            marked = {
                one.get("data-place")
                for one in ElementTree.fromstring(match.svg()).iter(f"{SVG}g")
                if one.get("data-place") and [part for part in one.iter() if part.get("data-legal")]
            }
            assert marked == legal


# Looks.


@cases(
    ("look", "error", "message"),
    [
        ({"turn": 4}, ValueError, "turn = 4: must be one of 0, 1, 2, 3"),
        ({"turn": -1}, ValueError, "turn = -1: must be one of 0, 1, 2, 3"),
        ({"turn": True}, ValueError, "turn = True: must be one of 0, 1, 2, 3"),
        ({"turn": "left"}, ValueError, "turn = 'left': must be one of 0, 1, 2, 3"),
        ({"balance": 1}, ValueError, "balance = 1: must be one of False, True"),
        ({"balance": None}, ValueError, "balance = None: must be one of False, True"),
        ({"tun": 1}, TypeError, "tun = 1: domiphun has the looks hide_moves, turn, balance"),
    ],
)
def test_a_wrong_look_is_refused(
    look: dict[str, Any], error: type[Exception], message: str
) -> None:
    match = Match("domiphun", variant="advanced")
    for draw in (match.svg, match.png, match.pictures):
        with pytest.raises(error, match=f"^{re.escape(message)}$"):
            draw(**look)


def test_other_games_do_not_turn(game: str) -> None:
    if game != "domiphun":
        with pytest.raises(TypeError, match=f"^turn = 1: {game} has the looks hide_moves"):
            Match(game).svg(turn=1)
