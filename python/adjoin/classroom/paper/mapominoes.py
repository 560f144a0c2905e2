"""What Mapominoes is played with: county cards, transit cards, and its rules on a page."""

from __future__ import annotations

from collections.abc import Iterable

from adjoin.classroom.paper.area_marks import AreaMark, area_marks
from adjoin.classroom.paper.grids import POKER, Card, Grid, card_pages
from adjoin.classroom.paper.location_maps import region_location
from adjoin.classroom.paper.selection import as_list, chosen, filtered, opened
from adjoin.classroom.paper.sheets import MARGIN, Sheets, blank, finished
from adjoin.data.atlas import Atlas, Region
from adjoin.drawing.colours import FAINT, INK, SOFT, WHITE
from adjoin.drawing.sheet import POINT, Box, Drawing, Lines
from adjoin.support.wording import count, listed

TRANSIT_CARDS = 12
"""How many transit cards there are (MAPO-2)."""

_EDGE = 4.0
_DARK = "#33475b"


def county_cards(
    atlas: str | Atlas = "uk-counties",
    *,
    nations: str | Iterable[str] | None = None,
    page: str = "A4",
    borders: bool = True,
    backs: bool = False,
    edge: str = "long",
) -> Sheets:
    """Return the county cards of Mapominoes, nine a page, with cut marks.

    A card has its name and abbreviation, its nation's colour, mark and pattern, its place on the
    map, and what it borders. ``nations`` takes the cards of some nations only; what they border
    outside stays on them (MAPO-3). With ``borders=False`` players must know the borders. ``backs``
    adds pages for the other side, to be printed double-sided; ``edge`` is where sheets are turned.

    >>> county_cards(nations="Wales")
    <Sheets county cards, Wales: 3 pages>
    """
    whole = opened(atlas)
    nations = as_list(nations)
    regions = chosen(whole, nations)
    known = area_marks(whole.nations)
    cards = [Card(region.name, _county(whole, region, known, borders)) for region in regions]
    noun = whole.noun[0]
    behind = [Card("back", _back(f"{noun} card"))] * len(cards) if backs else []
    title = f"{noun} cards{_filter(whole, nations)}"
    return _finished(title, page, card_pages(page, cards, behind, edge))


def transit_cards(
    cards: int = TRANSIT_CARDS,
    *,
    page: str = "A4",
    backs: bool = False,
    edge: str = "long",
    atlas: str | Atlas = "uk-counties",
) -> Sheets:
    """Return transit cards, nine a page, with a line for what each stands for.

    >>> transit_cards()
    <Sheets transit cards: 2 pages>
    """
    if isinstance(cards, bool) or not isinstance(cards, int) or not 1 <= cards <= 99:
        raise ValueError(f"cards = {cards!r}: must be a whole number from 1 to 99")
    fronts = [
        Card(f"transit card {n}", _transit(opened(atlas).noun[0])) for n in range(1, cards + 1)
    ]
    behind = [Card("back", _back("transit card"))] * cards if backs else []
    return _finished("transit cards", page, card_pages(page, fronts, behind, edge))


def mapominoes_rules(atlas: str | Atlas = "uk-counties", *, page: str = "A4") -> Sheets:
    """Return the rules of Mapominoes on one page, in our own words."""
    whole = opened(atlas)
    drawing = blank(page)
    one, many = whole.noun
    area = Box(MARGIN, MARGIN, drawing.width - 2 * MARGIN, drawing.height - 2 * MARGIN - 4)
    drawing.label(Box(area.x, area.y, area.wide, 11), "Mapominoes", 26, 12, bold=True)
    words = f"Dominoes with a map: a card may lie only beside {many} that it borders."
    drawing.label(Box(area.x, area.y + 12, area.wide, 6), words, 12, 8, colour=SOFT)
    _columns(drawing, Box(area.x, area.y + 23, area.wide, area.high - 23), _rules(one, many))
    return finished("Mapominoes: rules", [drawing])


def mapominoes_set(
    atlas: str | Atlas = "uk-counties",
    *,
    nations: str | Iterable[str] | None = None,
    page: str = "A4",
) -> Sheets:
    """Return all that a game of Mapominoes needs: rules, county cards, transit cards."""
    whole = opened(atlas)
    nations = as_list(nations)
    return Sheets(
        f"Mapominoes{_filter(whole, nations)}",
        (
            *mapominoes_rules(whole, page=page),
            *county_cards(whole, nations=nations, page=page),
            *transit_cards(page=page, atlas=whole),
        ),
    )


def _filter(atlas: Atlas, nations: list[str] | None) -> str:
    """Return what to add to a title: the nations, or the atlas unless it is the game's own."""
    if nations is None:
        return "" if atlas.name == "uk-counties" else f", {atlas.name}"
    return f", {listed(filtered(atlas, nations))}"


def _finished(title: str, page: str, pages: list[Drawing]) -> Sheets:
    return finished(title, pages, edge=Grid.on(blank(page), *POKER).left + 3)


# Cards.


def _county(atlas: Atlas, region: Region, known: dict[str, AreaMark], borders: bool) -> Drawing:
    card = Drawing(*POKER)
    area = Box(0, 0, *POKER).inner(_EDGE)
    if region.nation:
        look = known[region.nation]
        both = " + ".join(known[nation].words for nation in region.nations)
        look.band(card, Box(area.x, area.y, area.wide, 8), both)
    name = Box(area.x, area.y + 9.5, area.wide, 15)
    card.block(name, region.name, 21, 9, bold=True, is_centred=True)
    line = Box(area.x, name.bottom + 0.5, area.wide, 5)
    half = Box(line.x, line.y, line.wide * 0.5, line.high)
    card.label(half, region.abbreviation, 12, 7, bold=True, colour=SOFT, anchor="start")
    if region.region and region.region != region.nation:
        rest = Box(half.right + 1, line.y, line.wide - half.wide - 1, line.high)
        card.label(rest, region.region, 8, 5, colour=SOFT, anchor="end")
    top = line.bottom + 1.5
    card.line((area.x, top), (area.right, top), colour=FAINT, width=0.3)
    below = Box(area.x, top + 1.5, area.wide, area.bottom - top - 1.5)
    if not borders:
        region_location(card, atlas, region, below, borders=False)
        return card
    left = Box(below.x, below.y, 25.5, below.high)
    high = max(18.0, 31.0 - 3 * max(0, len(region.waters) - 3))
    region_location(card, atlas, region, Box(left.x, left.y, left.wide, high))
    rest = Box(left.x, left.y + high + 2, left.wide, left.high - high - 2)
    _waters(card, atlas, region, rest)
    _borders(card, atlas, region, Box(left.right + 2, below.y, below.right - left.right - 2, 0))
    return card


def _borders(card: Drawing, atlas: Atlas, region: Region, box: Box) -> None:
    names = [other.name for other in atlas.borders(region)]
    title = count(len(names), "border") if names else "no borders"
    card.label(Box(box.x, box.y, box.wide, 3.6), title, 8, 7, bold=True, anchor="start")
    if names:
        room = Box(box.x, box.y + 4.2, box.wide, POKER[1] - _EDGE - box.y - 4.2)
        card.block(room, names, 9.5, 5, whole=8)


def _waters(card: Drawing, atlas: Atlas, region: Region, box: Box) -> None:
    waters = [atlas.water(water) for water in region.waters]
    seas = [water.name for water in waters if water.kind == "sea"]
    outside = [water.name for water in waters if water.kind != "sea"]
    kinds = [("seas" if len(seas) > 1 else "sea", seas), ("outside", outside)]
    title = " and ".join(word for word, names in kinds if names)
    title = title or "no sea"
    card.label(Box(box.x, box.y, box.wide, 3.4), title, 8, 7, bold=True, anchor="start")
    if waters:
        room = Box(box.x, box.y + 3.8, box.wide, box.high - 3.8)
        card.block(room, seas + outside, 9, 5, whole=8)


def _transit(noun: str) -> Drawing:
    card = Drawing(*POKER)
    area = Box(0, 0, *POKER).inner(_EDGE)
    head = Box(area.x, area.y, area.wide, 16)
    card.box(head, _DARK, INK)
    card.label(head.inner(2), "Transit card", 20, 10, bold=True, colour=WHITE)
    y = head.bottom + 3
    road = tuple(((area.x, y + n * 1.5), (area.right, y + n * 1.5)) for n in (0, 2))
    card.add(Lines(road, INK, 0.4))
    card.line((area.x, y + 1.5), (area.right, y + 1.5), width=0.4, dash=2)
    card.label(Box(area.x, y + 8, area.wide, 6), "stands for", 11, 8, anchor="start")
    card.line((area.x, y + 25), (area.right, y + 25), width=0.3)
    card.line((area.x, y + 34), (area.right, y + 34), width=0.3)
    named = "a country or a sea" if noun == "country" else f"a {noun}, a sea or a country"
    texts = [
        f"Name {named} when you lay it.",
        f"Every {noun} beside it must border what you name. It never lies beside another "
        "transit card.",
        f"Lay one of your {noun} cards beside it in the same go.",
    ]
    card.block(Box(area.x, y + 38, area.wide, area.bottom - y - 38), texts, 8.5, 6)
    return card


def _back(words: str) -> Drawing:
    card = Drawing(*POKER)
    area = Box(0, 0, *POKER).inner(_EDGE)
    card.box(area, None, SOFT, 0.4, 2)
    card.box(area.inner(1.5), None, FAINT, 0.2, 1.5)
    middle = Box(area.x + 4, area.y + area.high / 2 - 6, area.wide - 8, 12)
    look = AreaMark("", "", _DARK, 4)
    for box in (
        Box(area.x + 4, area.y + 4, area.wide - 8, area.high / 2 - 12),
        Box(area.x + 4, area.y + area.high / 2 + 8, area.wide - 8, area.high / 2 - 12),
    ):
        look.hatch(card, box, FAINT)
    card.label(middle, words, 16, 8, bold=True, colour=SOFT)
    return card


# Rules.


def _columns(drawing: Drawing, box: Box, rules: list[tuple[str, list[str]]]) -> None:
    """Draw rules below each other, as large as they fit."""
    for size in (12.5, 12, 11.5, 11, 10.5, 10, 9.5, 9, 8.5, 8):
        trial = Drawing(drawing.width, drawing.height)
        y, unit = box.y, size * POINT
        for title, texts in rules:
            trial.text(box.x, y + unit, title, size + 2, bold=True)
            y += 1.6 * unit
            for text in texts:
                room = Box(box.x, y, box.wide, box.high)
                y = trial.block(room, text, size, size) + 0.3 * unit
            y += 0.9 * unit
        if y <= box.bottom:
            break
    drawing.put(trial, 0, 0)


def _rules(one: str, many: str) -> list[tuple[str, list[str]]]:
    """Return the rules by heading: those of RULES.md that the cards alone do not show."""
    named = "country or sea" if one == "country" else f"{one}, sea or country"
    return [
        (
            "You need",
            [
                f"2 to 5 players, the {one} cards, {TRANSIT_CARDS} transit cards, a large table. "
                f"Beginners play with the {many} of one nation. Small decks want small tables.",
            ],
        ),
        (
            "Dealing",
            [
                "Everybody gets one transit card. The other transit cards are the pile, face down.",
                f"Deal the {one} cards one at a time, from the dealer's left, all but the last: "
                "that one is turned up in the middle of the table.",
                "The player on the dealer's left begins. Play goes clockwise.",
            ],
        ),
        (
            "Your go: do one of three things",
            [
                f"1. Lay a {one} card. It goes beside at least one card on the table, side to "
                "side; corners do not count. It must border every card it lies beside: each "
                f"{one}, and whatever each transit card stands for. Which side it lies on does "
                "not matter.",
                f"2. Lay a transit card, then a {one} card. Say which {named} the "
                f"transit card stands for. It goes beside at least one {one} card, never beside "
                f"another transit card, and every {one} beside it must border what you named. In "
                f"the same go you must lay one of your {one} cards beside it. From then on all "
                f"may use it. The card of the {one} you named can still be played, but not beside "
                "that transit card.",
                "3. If you cannot go, say so and take the top card of the pile, if there is one.",
                f"Double connection: a {one} card that lies beside two or more cards gives you "
                "another go.",
                "Cards are never moved, never taken back, never laid on each other.",
            ],
        ),
        (
            "The end",
            [
                f"The first to lay their last {one} card wins the round at once; transit cards "
                f"left over do not matter. The others get a point for every {one} card they hold.",
                "If nobody can go and the pile is empty, the round is over and everybody counts.",
                "Play as many rounds as there are players; the deal moves to the left. The fewest "
                "points win.",
            ],
        ),
        (
            "If you like",
            [
                "Easier: deal more transit cards, 5 each to two players, 3 each to three, 2 each "
                "to four or five.",
                f"Challenges: a {one} may be laid anywhere beside a card, rightly or not, and so "
                "may a transit card with the card that follows it. Before the next go anybody may "
                "challenge what was laid: if it is wrong, it goes back to its owner, and the go is "
                "lost. What nobody challenged stays. Good for a class: the rest of the class are "
                "the second pair of eyes.",
                "Time: agree on a limit for a go. Too late: take a card.",
            ],
        ),
        (
            "About this sheet",
            [
                "Mapominoes is its publisher's game and name. This is an independent "
                "implementation of its rules for research and teaching, in our own words.",
            ],
        ),
    ]
