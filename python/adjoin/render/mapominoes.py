"""The table of Mapominoes: cards, what fits, the hands; beside it the maps of a shipped atlas."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from adjoin.atlas import Atlas
from adjoin.render import maps
from adjoin.render.draw import (
    INK,
    PAPER,
    SEATS,
    SOFT,
    circle,
    document,
    fitted,
    line,
    measure,
    polygon,
    rect,
    shortened,
    text,
    winners,
    wrapped,
)
from adjoin.render.maps import DARK, MARK, Colours
from adjoin.written import fold

_EDGE, _GAP, _APART, _STRIP = 30, 4, 7, 12
_CARD = (92, 66)
_SMALL = (76, 44)
"""The size of the cards of a table with many columns."""
_IN_HAND = (84, 42)
_MANY, _LEAST = 12, 7
"""The most columns with large cards; the least columns and rows that are shown."""

_BETWEEN, _STACK, _PRINT, _LEAST_WIDTH = 26, 50, 6.5, 640
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


class _Look(NamedTuple):
    """What all parts of a picture need."""

    view: dict[str, Any]
    atlas: Atlas | None
    nations: dict[str, tuple[str, Colours]]
    """The mark and the colours of every nation."""
    hands: list[list[_Card]]
    """The cards of every seat that the viewer knows."""
    playable: set[str]

    def nation(self, name: str | None) -> tuple[str, Colours]:
        return self.nations.get(name or "", ("", _NOBODY))


def svg(view: dict[str, Any]) -> str:
    """Return the picture of a view."""
    look = _look(view)
    parts, width, y = _table(look)
    if look.atlas:
        more, wide, high = maps.panel(look.atlas, _marks(look), width + _BETWEEN, _EDGE - 20)
        parts += more
        width, y = width + _BETWEEN + wide, max(y, _EDGE - 20 + high)
    width = max(width + _EDGE, _LEAST_WIDTH)
    y += 8
    for draw in (_legend, _words, _stock, _seats):
        more, y = draw(look, width, y)
        parts += more
    height = y + 10
    return document(width, height, _caption(look), [rect(0, 0, width, height, PAPER), *parts])


def _look(view: dict[str, Any]) -> _Look:
    atlas = maps.atlas_of(view)
    hands = [[_known(card, atlas) for card in hand["cards"]] for hand in view["hands"]]
    playable: set[str] = set()
    if view["phase"] in ("go", "follow"):
        legal = {fold(name) for name in view["legal"]}
        playable = {card.id for card in hands[view["to_act"]] if fold(card.name) in legal}
    marks = zip(_initials(view["nations"]), view["nations"], strict=True)
    nations = {name: (mark, _NATIONS[n % len(_NATIONS)]) for n, (mark, name) in enumerate(marks)}
    return _Look(view, atlas, nations, hands, playable)


def _known(card: str, atlas: Atlas | None) -> _Card:
    """Return what is known of a card in a hand: its id, and what a shipped atlas says."""
    if atlas is None:
        name = card.replace("_", " ").title()
        return _Card(card, name, name, "")
    region = atlas[card]
    return _Card(card, region.name, region.abbreviation, region.nation)


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
    )


# The table.


def _cards(view: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the cards that lie on the table, and the one that waits for its follower."""
    waiting = view["waiting"]
    return [*view["table"]["cards"], *([waiting | {"waits": True}] if waiting else [])]


def _table(look: _Look) -> tuple[list[str], float, float]:
    """Return the table, and where it ends on the right and below."""
    view, cards = look.view, _cards(look.view)
    around = int(view["to_act"] is not None)
    rows = _span([card["row"] for card in cards], around, view["table"]["rows"])
    columns = _span([card["column"] for card in cards], around, view["table"]["columns"])
    wide, high = size = _CARD if len(columns) <= _MANY else _SMALL
    legal = set(view["legal"])
    taken = {(card["row"], card["column"]) for card in cards}

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
                parts += _free(*at(row, column), size, name if name in legal else "")
    for card in cards:
        parts += _card(look, card, *at(card["row"], card["column"]), size)
    right, bottom = at(rows[-1] + 1, columns[-1] + 1)
    return parts, right - _GAP, bottom - _GAP


def _span(numbers: list[int], around: int, limit: int) -> list[int]:
    """Return the numbers with so many more on both sides, and more if they are few."""
    first, end = max(0, min(numbers) - around), min(limit, max(numbers) + around + 1)
    while end - first < min(_LEAST, limit):
        first, end = max(0, first - 1), min(limit, end + 1)
    return list(range(first, end))


def _letters(column: int) -> str:
    tens, ones = divmod(column, 26)
    return (chr(64 + tens) if tens else "") + chr(65 + ones)


def _free(x: float, y: float, size: tuple[int, int], legal: str) -> list[str]:
    """Return a cell without a card, with its name if the next card can lie there."""
    wide, high = size
    if not legal:
        return [rect(x, y, wide, high, "none", rx=5, stroke="#ddd6c8")]
    return [
        rect(x + 1, y + 1, wide - 2, high - 2, "#ffffff", rx=5, **_DASHED),
        text(x + wide / 2, y + high / 2 + 5, legal, 14, INK, font_weight="bold"),
    ]


def _card(
    look: _Look, card: dict[str, Any], x: float, y: float, size: tuple[int, int]
) -> list[str]:
    """Return a card on the table."""
    last, waits = card["cell"] == look.view.get("last"), card.get("waits", False)
    edge: dict[str, object] = {"stroke": MARK if last else INK, "stroke_width": 3 if last else 1}
    if waits:
        edge["stroke_dasharray"] = "5 4"
    note = f"{'last ' if last else ''}{card['cell']}{'?' if waits else ''}"
    if card["kind"] == "transit":
        return _transit(card, x, y, size, note, edge)
    face = _Card(card["id"], card["name"], card["abbreviation"], card["nation"] or "")
    return _face(look, face, x, y, size, note, edge)


def _transit(
    card: dict[str, Any],
    x: float,
    y: float,
    size: tuple[int, int],
    note: str,
    edge: dict[str, object],
) -> list[str]:
    wide, high = size
    white, pale = "#ffffff", "#d5dde5"
    parts = [
        rect(x, y, wide, high, DARK, rx=5, **edge),
        text(x + 5, y + 10, "transit", 8, pale, "start", font_style="italic"),
        text(x + wide - 5, y + 10, note, 8, pale, "end"),
        *_name(card["name"], card["abbreviation"], x, y, wide, white, pale),
    ]
    road = y + high - 8
    if size == _CARD:
        parts.append(
            line([(x + 10, road), (x + wide - 10, road)], white, 2, stroke_dasharray="7 5")
        )
    return parts


def _face(
    look: _Look,
    card: _Card,
    x: float,
    y: float,
    size: tuple[int, int],
    note: str,
    edge: dict[str, object],
) -> list[str]:
    """Return a county card: nation and note, abbreviation, name, and neighbours if they fit."""
    wide, high = size
    mark, colours = look.nation(card.nation)
    side = _STRIP - 5
    strip = f"M {x:g} {y + _STRIP:g} v {-side} q 0 -5 5 -5 h {wide - 10} q 5 0 5 5 v {side} z"
    words = shortened(mark, 9, wide - 15 - measure(note, 8), bold=True)
    parts = [
        rect(x, y, wide, high, colours.pale, rx=5),
        f'<path d="{strip}" fill="{colours.strong}"/>',
        rect(x, y, wide, high, "none", rx=5, **edge),
        *_name(card.name, card.abbreviation, x, y, wide, INK, INK),
    ]
    if words:
        bold = {"font_weight": "bold"}
        parts.append(text(x + 5, y + 9.5, words, 9, "#ffffff", "start", **bold))
    if note:
        parts.append(text(x + wide - 5, y + 9.5, note, 8, "#ffffff", "end"))
    if look.atlas and size == _CARD:
        near = [region.abbreviation for region in look.atlas.borders(card.id)]
        lines = wrapped([f"{name}," for name in near[:-1]] + near[-1:], _PRINT, wide - 8)
        top = y + (37 if card.name == card.abbreviation else 46)
        if top + 8 * (len(lines) - 1) > y + high - 4:
            lines = [f"{len(near)} borders"]
        for n, words in enumerate(lines):
            parts.append(text(x + wide / 2, top + 8 * n, words, _PRINT, _QUIET))
    return parts


def _name(
    name: str, abbreviation: str, x: float, y: float, wide: float, ink: str, soft: str
) -> list[str]:
    """Return an abbreviation, and below it the name if that says more; or a name in two lines."""
    room, middle = wide - 8, x + wide / 2
    if name == abbreviation and measure(name, 11, bold=True) > room and " " in name:
        longest = max(name.split(), key=lambda word: measure(word, 1))
        size = fitted(longest, 11, 7, room, bold=True)[1]
        return [
            text(middle, y + 24 + 12 * n, words, size, ink, font_weight="bold")
            for n, words in enumerate(_halves(name, size, room))
        ]
    words, size = fitted(abbreviation, 14, 9, room, bold=True)
    parts = [text(middle, y + 26, words, size, ink, font_weight="bold")]
    if name != abbreviation:
        words, size = fitted(name, 8, 6, room)
        parts.append(text(middle, y + 36, words, size, soft))
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
        if look.atlas and look.atlas.tiles:
            entries.append(("corner", "transit through it"))
    if look.view["legal"]:
        entries.append(("legal", "possible now"))
    if any(card["cell"] == look.view.get("last") for card in cards):
        entries.append(("last", "played last"))
    if look.atlas and look.atlas.tiles and look.view["viewer"] is not None:
        entries.append(("held", "in the viewer's hand"))
    x, parts = float(_EDGE), []
    y += 16
    for mark, words in entries:
        wide = 24 + measure(words, 11) + 18
        if x + wide > width - _EDGE and x > _EDGE:
            x, y = _EDGE, y + 20
        parts += _swatch(mark, x, y)
        parts.append(text(x + 30, y, words, 11, SOFT, "start"))
        x += wide + 6
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


def _words(look: _Look, width: float, y: float) -> tuple[list[str], float]:
    """Return what is going on, and the decisions that are marked nowhere else."""
    view = look.view
    lines = [f"round {view['round']} of {view['rounds']}, dealt by seat {view['dealer']}"]
    if view["passes"]:
        lines[0] += f"; {_count(view['passes'], 'pass', 'passes')} in a row"
    if view["phase"] == "go":
        through = [name[8:] for name in view["legal"] if name.startswith("transit ")]
        if through:
            lines += wrapped(_listed("transit cards lead through", through), 12, width - 2 * _EDGE)
    named = {fold(card.name) for hand in look.hands for card in hand}
    if view["phase"] in ("go", "follow"):
        cards = [name for name in view["legal"] if not name.startswith("transit ")]
        unnamed = [name for name in cards if name != "take" and fold(name) not in named]
        if unnamed:
            lines += wrapped(_listed("can be played:", unnamed), 12, width - 2 * _EDGE)
    if view["phase"] == "challenge" and view["legal"]:
        lines.append(f"may choose: {', '.join(view['legal'])}")
    y += 24
    parts = []
    for words in wrapped(_caption(look).split(), 15, width - 2 * _EDGE, bold=True):
        parts.append(text(_EDGE, y, words, 15, INK, "start", font_weight="bold"))
        y += 20
    y -= 20
    for words in lines:
        y += 18
        parts.append(text(_EDGE, y, words, 12, INK, "start"))
    return parts, y


def _listed(before: str, names: list[str]) -> list[str]:
    return [*before.split(), *(f"{name}," for name in names[:-1]), names[-1]]


def _count(number: int, one: str, more: str) -> str:
    return f"{number} {one if number == 1 else more}"


def _stock(look: _Look, width: float, y: float) -> tuple[list[str], float]:
    """Return the pile of transit cards, and what is dealt later."""
    del width
    view = look.view
    y += 14
    parts = _stack(_EDGE, y, view["pile"], DARK, take="take" in view["legal"])
    words = _count(view["pile"], "transit card", "transit cards")
    x = _EDGE + _STACK + 12
    parts.append(text(x, y + 24, f"pile: {words}", 12, INK, "start"))
    if "take" in view["legal"]:
        taking = "take one" if view["pile"] else "take: none is left, so pass"
        parts.append(text(x, y + 38, taking, 11, INK, "start", font_style="italic"))
    if later := len(view["undealt"]):
        x += 180
        parts += _stack(x, y, later, _BACK)
        words = f"{_count(later, 'county card', 'county cards')} dealt later"
        parts.append(text(x + _STACK + 12, y + 24, words, 12, INK, "start"))
    return parts, y + _IN_HAND[1] + 8


def _stack(x: float, y: float, count: int, fill: str, take: bool = False) -> list[str]:
    """Return cards that lie face down, and how many they are."""
    high = _IN_HAND[1]
    parts = []
    if not count:
        parts.append(rect(x, y, _STACK - 6, high - 6, "none", rx=4, stroke=SOFT))
    for n in range(min(count, 3) - 1, 0, -1):
        parts.append(rect(x + 3 * n, y + 3 * n, _STACK - 6, high - 6, fill, rx=4, stroke=PAPER))
    if count:
        parts.append(rect(x, y, _STACK - 6, high - 6, fill, rx=4, stroke=PAPER))
    if take:
        parts.append(rect(x - 3, y - 3, _STACK + 6, high + 6, "none", rx=6, **_DASHED))
    ink, middle = "#ffffff" if count else SOFT, x + _STACK / 2 - 3
    return [*parts, text(middle, y + 23, f"×{count}", 14, ink, font_weight="bold")]


def _seats(look: _Look, width: float, y: float) -> tuple[list[str], float]:
    """Return all seats, side by side where they fit."""
    parts, x, below = [], float(_EDGE), y
    for seat in range(len(look.hands)):
        wide = max(26 + measure(_held(look, seat), 13, bold=True), _across(look, seat))
        if x > _EDGE and x + wide > width - _EDGE:
            x, y = float(_EDGE), below
        more, bottom = _seat(look, seat, x, width - _EDGE, y)
        parts += more
        x, below = x + wide + 30, max(below, bottom)
    return parts, below


def _held(look: _Look, seat: int) -> str:
    hand = look.view["hands"][seat]
    counted = (
        _count(hand["counties"], "county card", "county cards"),
        _count(hand["transit"], "transit card", "transit cards"),
        _count(look.view["points"][seat], "point", "points"),
    )
    decides = " (decides)" if look.view["to_act"] == seat else ""
    return f"seat {seat}: {', '.join(counted)}{decides}"


def _backs(look: _Look, seat: int) -> list[tuple[str, int]]:
    """Return the colour and number of a seat's cards that are not shown one by one."""
    hand = look.view["hands"][seat]
    backs = [(DARK, hand["transit"]), (_BACK, hand["counties"] - len(look.hands[seat]))]
    return [(fill, count) for fill, count in backs if count]


def _across(look: _Look, seat: int) -> float:
    """Return how wide a hand is in one row."""
    stacks, cards = len(_backs(look, seat)), len(look.hands[seat])
    return stacks * (_STACK + 8) + cards * (_IN_HAND[0] + _APART)


def _seat(look: _Look, seat: int, left: float, right: float, y: float) -> tuple[list[str], float]:
    """Return a seat with its points and its hand: what the viewer knows, the rest as backs."""
    acts = look.view["to_act"] == seat
    weight = "bold" if acts else "normal"
    y += 26
    parts = [
        circle(left + 9, y - 5, 9, SEATS[seat]),
        text(left + 9, y, str(seat), 12, "#ffffff" if seat < 3 else INK, font_weight="bold"),
        text(left + 26, y, _held(look, seat), 13, INK, "start", font_weight=weight),
    ]
    x, y = left, y + 10
    for fill, count in _backs(look, seat):
        parts += _stack(x, y, count, fill)
        x += _STACK + 8
    for card in look.hands[seat]:
        if x + _IN_HAND[0] > right:
            x, y = left, y + _IN_HAND[1] + _APART
        plays, chosen = acts and card.id in look.playable, look.view["chosen"]["county"] == card.id
        note = "play" if plays else "chosen" if chosen else ""
        edge: dict[str, object] = {"stroke": MARK if chosen else INK}
        parts += _face(look, card, x, y, _IN_HAND, note, edge | {"stroke_width": 1 + 2 * chosen})
        if plays:
            wide, high = _IN_HAND
            parts.append(rect(x - 2, y - 2, wide + 4, high + 4, "none", rx=7, **_DASHED))
        x += _IN_HAND[0] + _APART
    return parts, y + _IN_HAND[1]


def _caption(look: _Look) -> str:
    view = look.view
    if view["to_act"] is None:
        fewest = _count(min(view["points"]), "point", "points")
        return f"Mapominoes: over, {winners(view['returns'])} with {fewest}"

    def name(what: str) -> str:
        place = view["chosen"][what]
        if look.atlas:
            return maps.places(look.atlas.name)[place].name
        return str(place).replace("_", " ").title()

    turn, asked = f"seat {view['turn']}", f"seat {view['to_act']}"
    doing = {
        "go": lambda: f"{turn} has a go",
        "place": lambda: f"{turn} plays {name('county')}: where?",
        "place_transit": lambda: f"{turn} plays a transit card for {name('nominee')}: where?",
        "follow": lambda: f"{turn} goes through {name('nominee')}: which county follows?",
        "place_follow": lambda: (
            f"{turn} goes through {name('nominee')} to {name('county')}: where?"
        ),
        "challenge": lambda: f"{turn} laid {name('county')}: does {asked} challenge it?",
    }[view["phase"]]()
    return f"Mapominoes: {doing}"
