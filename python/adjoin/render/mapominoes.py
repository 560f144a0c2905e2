"""The table of Mapominoes: cards, what fits, the hands; beside it the maps of a shipped atlas."""

from __future__ import annotations

import re
from functools import cache
from html import escape
from typing import Any, NamedTuple

from adjoin.atlas import Atlas
from adjoin.render import maps
from adjoin.render.draw import (
    INK,
    PAPER,
    SOFT,
    badge,
    document,
    ending,
    fitted,
    line,
    measure,
    moved,
    place,
    polygon,
    rect,
    shortened,
    text,
    wrapped,
)
from adjoin.render.maps import DARK, MARK, Colours

_WIDTH, _LEAST_WIDTH = 1200, 640
_EDGE, _GAP, _APART, _BETWEEN, _STRIP = 30, 4, 7, 26, 12
_COLUMNS = (12, 16, 20, 25)
"""How many columns of the table are shown at least: the first number that is enough, or all."""
_WIDEST, _FULL, _NAMED, _NOTED = 92, 88, 60, 44
"""The widest cards; the least width with neighbours, with a name, with the cell."""
_HIGH = (36, 44, 66)
"""How high cards without a name are, with one, and with neighbours."""
_ROWS = 6
"""The least rows that are shown."""
_IN_HAND = (84, 42)
_STACK, _PRINT = 50, 6.5
_BACK, _QUIET = "#8a7a5c", "#4a4a4a"
_DASHED = {"stroke": DARK, "stroke_width": 2, "stroke_dasharray": "5 4"}

_NATIONS = (
    Colours("#1f5f99", "#cfe1f2"),
    Colours("#a84300", "#fbd9bd"),
    Colours("#00694f", "#c5e6d8"),
    Colours("#863a76", "#ecd3e6"),
    Colours("#6d5600", "#f3e6a6"),
    Colours("#9b2335", "#f7cfd2"),
    Colours("#1b6f7c", "#c9eaee"),
    Colours("#54459b", "#dad5f1"),
    Colours("#4f5b1e", "#e0e7bd"),
    Colours("#555555", "#dedede"),
)
_NOBODY = Colours("#555555", "#ffffff")


class _Card(NamedTuple):
    """What is written on a county card."""

    id: str
    name: str
    abbreviation: str
    nation: str
    near: tuple[str, ...]
    """The abbreviations of its neighbours."""
    borders: str
    """All that it borders, in words."""


class _Facts(NamedTuple):
    """What an atlas says, by id."""

    cards: dict[str, _Card]
    waters: dict[str, str]
    """Their names."""


class _Look(NamedTuple):
    """What all parts of a picture need."""

    view: dict[str, Any]
    atlas: Atlas
    has_map: bool
    """Whether it is a shipped one."""
    facts: _Facts
    nations: dict[str, tuple[str, Colours]]
    """The mark and the colours of every nation."""
    hands: list[list[_Card]]
    """The cards of every seat that the viewer knows."""
    playable: set[str]

    def nation(self, name: str | None) -> tuple[str, Colours]:
        return self.nations.get(name or "", ("", _NOBODY))

    def place(self, key: str, parts: list[str]) -> list[str]:
        """Return parts as a place that the viewer can choose, if there is one."""
        return parts if self.view["viewer"] is None else [place(key, parts)]


def svg(view: dict[str, Any]) -> str:
    """Return the picture of a view: the table, below it the hands and the maps."""
    look = _look(view)
    parts, right, y = _table(look)
    width = _WIDTH if look.has_map else max(_LEAST_WIDTH, right + _EDGE)
    more, top = _legend(look, width, y + 8)
    parts += more
    if look.has_map:
        panel, wide, high = maps.panel(look.atlas, _marks(look))
        chips, end = _nominees(look, 0, wide, high + 6)
        left = width - _EDGE - wide
        below, bottom = _below(look, left - _BETWEEN, width - _EDGE, end + 14)
        below.append(moved(left, 14, panel + chips))
    else:
        below, bottom = _below(look, width - _EDGE, width - _EDGE, 0)
    height = top + bottom + 14
    parts.append(moved(0, top, below))
    return document(width, height, _caption(look), [rect(0, 0, width, height, PAPER), *parts])


def _below(look: _Look, right: float, edge: float, end: float) -> tuple[list[str], float]:
    """Return what is below the table: as far right as ``right`` down to ``end``, then ``edge``."""
    parts, y = _words(look, right, 0)
    if not end:
        more, y = _nominees(look, _EDGE, edge, y)
        parts += more
    more, y = _stock(look, y)
    parts += more
    more, y = _seats(look, y, right, edge, end)
    return parts + more, max(y, end)


def _look(view: dict[str, Any]) -> _Look:
    is_shipped = isinstance(view["atlas"], str)
    atlas = Atlas.from_option(view["atlas"])
    facts = _shipped(view["atlas"]) if is_shipped else _facts(atlas)
    hands = [[facts.cards[card] for card in hand["cards"]] for hand in view["hands"]]
    playable: set[str] = set()
    if view["phase"] in ("go", "follow"):
        legal = set(view["legal"])
        playable = {card.id for card in hands[view["to_act"]] if card.name in legal}
    marks = zip(_initials(view["nations"]), view["nations"], strict=True)
    nations = {name: (mark, _NATIONS[n % len(_NATIONS)]) for n, (mark, name) in enumerate(marks)}
    return _Look(view, atlas, is_shipped, facts, nations, hands, playable)


@cache
def _shipped(name: str) -> _Facts:
    return _facts(Atlas.load(name))


def _facts(atlas: Atlas) -> _Facts:
    short = {one.id: one.abbreviation for one in atlas}
    cards = {}
    for one in atlas:
        near = tuple(short[other] for other in one.borders)
        all_near = [*atlas.borders(one), *map(atlas.water, one.waters)]
        borders = f"{one.name} borders {', '.join(map(str, all_near)) or 'nothing'}"
        cards[one.id] = _Card(one.id, one.name, one.abbreviation, one.nation, near, borders)
    return _Facts(cards, {water.id: water.name for water in atlas.waters})


def _initials(nations: list[str]) -> list[str]:
    """Return marks for the nations, all different: their initials, or how their names begin."""
    initials = ["".join(re.findall(r"\b\w", name)).upper() for name in nations]
    marks = []
    for name, mark in zip(nations, initials, strict=True):
        others = {*initials, *(other for other in nations if other != name)}
        parts = (name[:length] for length in range(2, len(name)))
        alone = (part for part in parts if not any(other.startswith(part) for other in others))
        marks.append(mark if initials.count(mark) == 1 else next(alone, name))
    return marks


def _marks(look: _Look) -> maps.Marks:
    cards = _cards(look.view)
    at = {(card["row"], card["column"]): card["id"] for card in cards}
    neighbours = [
        (one, at.get((row + down, column + 1 - down)))
        for (row, column), one in at.items()
        for down in (0, 1)
    ]
    viewer = look.view["viewer"]
    return maps.Marks(
        {c["id"]: look.nation(c["nation"])[1] for c in cards if c["kind"] == "county"},
        {card["id"] for card in cards if card["kind"] == "transit"},
        [(one, other) for one, other in neighbours if other],
        set() if viewer is None else {card.id for card in look.hands[viewer]},
        look.playable,
        next((card["id"] for card in cards if card["cell"] == look.view.get("last")), None),
        viewer is not None,
    )


# The table.


def _cards(view: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the cards that lie on the table, and those that wait for a follower or a challenge."""
    return [*view["table"]["cards"], *(card | {"waits": True} for card in view["waiting"])]


def _table(look: _Look) -> tuple[list[str], float, float]:
    """Return the table, and where it ends on the right and below."""
    view, cards = look.view, _cards(look.view)
    around = int(view["to_act"] is not None)
    limit = view["table"]["columns"]
    rows = _span([card["row"] for card in cards], around, view["table"]["rows"], (_ROWS,))
    columns = _span([card["column"] for card in cards], around, limit, _COLUMNS)
    wide = min(_WIDEST, int((_WIDTH - 2 * _EDGE) / len(columns)) - _GAP)
    high = _HIGH[(wide >= _FULL) + (wide >= _NAMED)]
    legal = set(view["legal"])
    taken = {(card["row"], card["column"]) for card in cards}
    beside = {at for row, column in taken for at in _beside(row, column)}

    def at(row: int, column: int) -> tuple[float, float]:
        across, down = column - columns[0], row - rows[0]
        return _EDGE + across * (wide + _GAP), _EDGE + down * (high + _GAP)

    parts = []
    for column in columns:
        parts.append(text(at(0, column)[0] + wide / 2, _EDGE - 9, _letters(column), 13, SOFT))
    for row in rows:
        parts.append(text(_EDGE / 2, at(row, 0)[1] + high / 2 + 5, str(row + 1), 13, SOFT))
        for column in columns:
            if (row, column) not in taken:
                name = f"{_letters(column)}{row + 1}"
                cell = [moved(*at(row, column), _free(wide, high, name if name in legal else ""))]
                is_place = name in legal or (row, column) in beside
                parts += look.place(f"cell {name}", cell) if is_place else cell
    for card in cards:
        parts.append(moved(*at(card["row"], card["column"]), _card(look, card, wide, high)))
    right, bottom = at(rows[-1] + 1, columns[-1] + 1)
    return parts, right - _GAP, bottom - _GAP


def _beside(row: int, column: int) -> tuple[tuple[int, int], ...]:
    return (row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)


def _span(numbers: list[int], around: int, limit: int, steps: tuple[int, ...]) -> list[int]:
    """Return the numbers with so many more on both sides, and more up to the next step."""
    first, end = max(0, min(numbers) - around), min(limit, max(numbers) + around + 1)
    least = next((step for step in steps if step >= end - first), end - first)
    for side in range(min(least, limit) - (end - first)):
        is_left = first > 0 and (side % 2 == 0 or end == limit)
        first, end = (first - 1, end) if is_left else (first, end + 1)
    return list(range(first, end))


def _letters(column: int) -> str:
    tens, ones = divmod(column, 26)
    return (chr(64 + tens) if tens else "") + chr(65 + ones)


def _free(wide: float, high: float, legal: str) -> list[str]:
    """Return a cell without a card, with its name if the next card can lie there."""
    if not legal:
        return [rect(0, 0, wide, high, PAPER, rx=5, stroke="#ddd6c8")]
    size = fitted(legal, 14, 8, wide - 6, bold=True)[1]
    return [
        rect(1, 1, wide - 2, high - 2, "#ffffff", rx=5, **_DASHED),
        text(wide / 2, high / 2 + size / 3, legal, size, INK, font_weight="bold"),
    ]


def _card(look: _Look, card: dict[str, Any], wide: float, high: float) -> list[str]:
    """Return a card on the table."""
    last, waits = card["cell"] == look.view.get("last"), card.get("waits", False)
    edge: dict[str, object] = {"stroke": MARK if last else INK, "stroke_width": 3 if last else 1}
    if waits:
        edge["stroke_dasharray"] = "5 4"
    note = f"{'last ' if last else ''}{card['cell']}{'?' if waits else ''}"
    note = note if wide >= _NAMED else f"{card['cell']}{'?' if waits else ''}"
    note = note if wide >= _NOTED else "last" if last else ""
    if card["kind"] == "transit":
        return _transit(card, wide, high, note, edge)
    return _face(look, look.facts.cards[card["id"]], wide, high, note, edge)


def _transit(
    card: dict[str, Any], wide: float, high: float, note: str, edge: dict[str, object]
) -> list[str]:
    white, pale = "#ffffff", "#d5dde5"
    name, short = card["name"], card["abbreviation"]
    parts = [rect(0, 0, wide, high, DARK, rx=5, **edge), *_name(name, short, wide, high, white)]
    if note:
        parts.append(text(wide - 5, 9.5, note, 8, pale, "end"))
    if measure("transit", 8) <= wide - 13 - measure(note, 8):
        parts.append(text(5, 9.5, "transit", 8, pale, "start", font_style="italic"))
    if wide >= _FULL:
        road = high - 8
        parts.append(line([(10, road), (wide - 10, road)], white, 2, stroke_dasharray="7 5"))
    return parts


def _face(
    look: _Look, card: _Card, wide: float, high: float, note: str, edge: dict[str, object]
) -> list[str]:
    """Return a county card: nation and note, abbreviation, name, and neighbours if they fit.

    What it borders is told in any case, to those who point at it.
    """
    mark, colours = look.nation(card.nation)
    side = _STRIP - 5
    strip = f"M 0 {_STRIP} v {-side} q 0 -5 5 -5 h {wide - 10:g} q 5 0 5 5 v {side} z"
    words = shortened(mark, 9, wide - 12 - measure(note, 8), bold=True)
    name = _name(card.name, card.abbreviation, wide, high, INK)
    parts = [
        f"<title>{escape(card.borders)}</title>",
        rect(0, 0, wide, high, colours.pale, rx=5),
        f'<path d="{strip}" fill="{colours.strong}"/>',
        rect(0, 0, wide, high, "none", rx=5, **edge),
        *name,
    ]
    if words.rstrip("…"):
        parts.append(text(5, 9.5, words, 9, "#ffffff", "start", font_weight="bold"))
    if note:
        parts.append(text(wide - 5, 9.5, note, 8, "#ffffff", "end"))
    if card.near and wide >= _FULL:
        near = [f"{name}," for name in card.near[:-1]] + [card.near[-1]]
        lines = wrapped(near, _PRINT, wide - 8)
        top = 46 if name[1:] else 37
        if top + 8 * (len(lines) - 1) > high - 4:
            lines = [f"{len(near)} borders"]
        for n, words in enumerate(lines):
            parts.append(text(wide / 2, top + 8 * n, words, _PRINT, _QUIET))
    return parts


def _name(name: str, short: str, wide: float, high: float, ink: str) -> list[str]:
    """Return an abbreviation, and below it the name if that says more; or one of them in two lines.

    A narrow card has no name.
    """
    room, middle = wide - 6, wide / 2
    is_alone = name == short or wide < _NAMED
    if is_alone and " " in short and measure(short, min(11, wide / 7), bold=True) > room:
        longest = max(short.split(), key=lambda word: measure(word, 1))
        size = fitted(longest, 11 if wide >= _NAMED else 9, 6, room, bold=True)[1]
        first = (_STRIP + high) / 2 - 1 if high < _IN_HAND[1] or wide < _NAMED else 24
        return [
            text(middle, first + (size + 1) * n, words, size, ink, font_weight="bold")
            for n, words in enumerate(_halves(short, size, room))
        ]
    words, size = fitted(short, 14 if wide >= _NAMED else 11, 6, room, bold=True)
    base = 26 if wide >= _NAMED else (_STRIP + high) / 2 + size / 3
    parts = [text(middle, base, words, size, ink, font_weight="bold")]
    if not is_alone:
        words, size = fitted(name, 8, 6, room)
        parts.append(text(middle, 36, words, size, ink))
    return parts


def _halves(name: str, size: float, room: float) -> list[str]:
    """Return a name in two lines; what does not fit is left out."""
    first, *rest = wrapped(name.split(), size, room, bold=True)
    return [first, shortened(" ".join(rest), size, room, bold=True)] if rest else [first]


# What is below.


def _legend(look: _Look, width: float, y: float) -> tuple[list[str], float]:
    """Return what the nations' marks and the other marks mean."""
    cards = _cards(look.view)
    shown = {card["nation"] for card in cards if card["kind"] == "county"}
    shown |= {card.nation for hand in look.hands for card in hand}
    entries: list[tuple[str, str]] = [
        (f"{mark}|{colours.strong}", name)
        for name, (mark, colours) in look.nations.items()
        if name in shown
    ]
    if any(card["kind"] == "transit" for card in cards):
        entries.append(("transit", "transit card"))
        if look.has_map and look.atlas.tiles:
            entries.append(("corner", "transit through it"))
    if look.view["legal"]:
        entries.append(("legal", "possible now"))
    if any(card["cell"] == look.view.get("last") for card in cards):
        entries.append(("last", "played last"))
    if look.has_map and look.atlas.tiles and look.view["viewer"] is not None:
        entries.append(("held", "in the viewer's hand"))
    x, parts = float(_EDGE), []
    y += 16
    for mark, words in entries:
        wide = 24 + measure(words, 11) + 18
        if x + wide > width - _EDGE and x > _EDGE:
            x, y = _EDGE, y + 20
        parts += _swatch(mark, x, y)
        parts.append(text(x + 30, y, words, 11, SOFT, "start"))
        x += wide + 5
    return parts, y + 6


def _swatch(mark: str, x: float, y: float) -> list[str]:
    y -= 11
    if mark == "transit":
        return [rect(x, y, 26, 14, DARK, rx=3)]
    if mark == "legal":
        return [rect(x + 1, y + 1, 24, 12, "#ffffff", rx=3, **_DASHED)]
    if mark == "last":
        return [rect(x + 1.5, y + 1.5, 23, 11, "#ffffff", rx=3, stroke=MARK, stroke_width=3)]
    if mark == "corner":
        corner = polygon([(x + 17, y), (x + 26, y), (x + 26, y + 9)], DARK)
        return [rect(x, y, 26, 14, "#ffffff", rx=3, stroke=SOFT), corner]
    if mark == "held":
        under = line([(x + 6, y + 11), (x + 20, y + 11)], INK, 1)
        return [rect(x, y, 26, 14, "#ffffff", rx=3, stroke=SOFT), under]
    letters, colour = mark.split("|")
    words, size = fitted(letters, 9, 6, 22, bold=True)
    mark = text(x + 13, y + 10.5, words, size, "#ffffff", font_weight="bold")
    return [rect(x, y, 26, 14, colour, rx=3), mark]


def _words(look: _Look, right: float, y: float) -> tuple[list[str], float]:
    """Return what is going on, and the decisions that are marked nowhere else."""
    view = look.view
    lines = [f"round {view['round']} of {view['rounds']}, dealt by seat {view['dealer']}"]
    if view["passes"]:
        lines[0] += f"; {_count(view['passes'], 'pass', 'passes')} in a row"
    if view["phase"] == "challenge" and view["legal"]:
        lines.append(f"may choose: {', '.join(view['legal'])}")
    y += 24
    parts = []
    for words in wrapped(_caption(look).split(), 15, right - _EDGE, bold=True):
        parts.append(text(_EDGE, y, words, 15, INK, "start", font_weight="bold"))
        y += 20
    y -= 20
    for words in lines:
        y += 18
        parts.append(text(_EDGE, y, words, 12, INK, "start"))
    return parts, y


def _nominees(look: _Look, left: float, right: float, y: float) -> tuple[list[str], float]:
    """Return what a transit card can be nominated as, one beside the other."""
    names = [name[8:] for name in look.view["legal"] if name.startswith("transit ")]
    if not names:
        return [], y
    words = "transit cards lead through"
    y += 22
    parts = [text(left, y, words, 12, INK, "start")]
    x = left + measure(words, 12) + 8
    waters = set(look.facts.waters.values())
    for name in names:
        wide = measure(name, 10) + 10
        if x + wide > right:
            x, y = left, y + 23
        chip = [
            rect(0, -14, wide, 20, "#ffffff", rx=10, stroke=DARK),
            text(wide / 2, 0, name, 10, INK),
        ]
        kind = "water" if name in waters else "region"
        parts += look.place(f"{kind} {name}", [moved(x, y, chip)])
        x += wide + 6
    return parts, y + 6


def _count(number: int, one: str, more: str) -> str:
    return f"{number} {one if number == 1 else more}"


def _stock(look: _Look, y: float) -> tuple[list[str], float]:
    """Return the pile of transit cards, and what is dealt later."""
    view = look.view
    y += 14
    pile = [moved(_EDGE, y, _stack(view["pile"], DARK, take="take" in view["legal"]))]
    parts = look.place("pile", pile)
    words = _count(view["pile"], "transit card", "transit cards")
    x = _EDGE + _STACK + 12
    parts.append(text(x, y + 24, f"pile: {words}", 12, INK, "start"))
    if "take" in view["legal"]:
        taking = "take one" if view["pile"] else "take: none is left, so pass"
        parts.append(text(x, y + 38, taking, 11, INK, "start", font_style="italic"))
    if later := len(view["undealt"]):
        x += 180
        parts.append(moved(x, y, _stack(later, _BACK)))
        noun = view["noun"]
        words = f"{_count(later, f'{noun} card', f'{noun} cards')} dealt later"
        parts.append(text(x + _STACK + 12, y + 24, words, 12, INK, "start"))
    return parts, y + _IN_HAND[1] + 8


def _stack(count: int, fill: str, take: bool = False) -> list[str]:
    """Return cards that lie face down, and how many they are."""
    wide, high = _STACK - 6, _IN_HAND[1] - 6
    parts = []
    if not count:
        parts.append(rect(0, 0, wide, high, PAPER, rx=4, stroke=SOFT))
    for n in range(min(count, 3) - 1, -1, -1):
        parts.append(rect(3 * n, 3 * n, wide, high, fill, rx=4, stroke=PAPER))
    if take:
        parts.append(rect(-3, -3, wide + 12, high + 12, "none", rx=6, **_DASHED))
    ink = "#ffffff" if count else SOFT
    return [*parts, text(wide / 2, 23, f"×{count}", 14, ink, font_weight="bold")]


def _seats(look: _Look, y: float, right: float, edge: float, end: float) -> tuple[list[str], float]:
    """Return all seats, the viewer first; ``_below`` says how far right they may go."""
    viewer = look.view["viewer"]
    parts = []
    for seat in sorted(range(len(look.hands)), key=lambda seat: seat != viewer):
        more, y = _seat(look, seat, y, right, edge, end)
        parts += more
    return parts, y


def _held(look: _Look, seat: int) -> str:
    hand, noun = look.view["hands"][seat], look.view["noun"]
    counted = (
        _count(hand["counties"], f"{noun} card", f"{noun} cards"),
        _count(hand["transit"], "transit card", "transit cards"),
        _count(look.view["points"][seat], "point", "points"),
    )
    is_next = " (to play)" if look.view["to_act"] == seat else ""
    return f"seat {seat}: {', '.join(counted)}{is_next}"


def _seat(
    look: _Look, seat: int, y: float, right: float, edge: float, end: float
) -> tuple[list[str], float]:
    """Return a seat with its points and the cards that the viewer knows."""
    acts, is_own = look.view["to_act"] == seat, look.view["viewer"] == seat
    y += 26
    weight = "bold" if acts else "normal"
    parts = badge(seat, _EDGE + 9, y - 5)
    parts.append(text(_EDGE + 26, y, _held(look, seat), 13, INK, "start", font_weight=weight))
    transit = look.view["hands"][seat]["transit"]
    wide, high = _IN_HAND
    cards: list[tuple[float, list[str]]] = []
    if transit and (is_own or look.hands[seat]):
        stack = _stack(transit, DARK)
        cards.append((_STACK, look.place("transit card", stack) if is_own else stack))
    for card in look.hands[seat]:
        plays, chosen = acts and card.id in look.playable, look.view["chosen"]["county"] == card.id
        note = "play" if plays else "chosen" if chosen else ""
        line = {"stroke": MARK if chosen else INK, "stroke_width": 1 + 2 * chosen}
        face = _face(look, card, wide, high, note, line)
        if plays:
            face.append(rect(-2, -2, wide + 4, high + 4, "none", rx=7, **_DASHED))
        cards.append((wide, look.place(f"card {card.name}", face) if is_own else face))
    if not cards:
        return parts, y
    x, y = float(_EDGE), y + 10
    for across, drawn in cards:
        if x + across > (right if y < end else edge):
            x, y = float(_EDGE), y + high + _APART
        parts.append(moved(x, y, drawn))
        x += across + _APART
    return parts, y + high


def _caption(look: _Look) -> str:
    view = look.view
    if view["to_act"] is None:
        fewest = _count(min(view["points"]), "point", "points")
        return f"Mapominoes: {ending(view['returns'])} with {fewest}"

    def name(what: str) -> str:
        place = view["chosen"][what]
        card = look.facts.cards.get(place)
        return card.name if card else look.facts.waters[place]

    def through() -> str:
        return f"a transit card for {name('nominee')} and " if view["chosen"]["nominee"] else ""

    turn, asked = f"seat {view['turn']}", f"seat {view['to_act']}"
    doing = {
        "go": lambda: f"{turn} has a go",
        "place": lambda: f"{turn} plays {name('county')}: where?",
        "place_transit": lambda: f"{turn} plays a transit card for {name('nominee')}: where?",
        "follow": lambda: f"{turn} goes through {name('nominee')}: which {view['noun']} follows?",
        "place_follow": lambda: (
            f"{turn} goes through {name('nominee')} to {name('county')}: where?"
        ),
        "challenge": lambda: f"{turn} laid {through()}{name('county')}: does {asked} challenge it?",
    }[view["phase"]]()
    return f"Mapominoes: {doing}"
