"""The cards of Connections: city cards with a city on each side, and link cards."""

from __future__ import annotations

from collections.abc import Sequence

from adjoin.classroom.paper.area_marks import AreaMark, area_marks
from adjoin.classroom.paper.grids import POKER, Card, Grid, card_pages
from adjoin.classroom.paper.location_maps import city_location
from adjoin.classroom.paper.sheets import Sheets, blank, finished
from adjoin.data.deck import City, Deck
from adjoin.drawing.colours import SOFT
from adjoin.drawing.sheet import Box, Drawing
from adjoin.support.names import choose

CARDS = ("all", "city", "link")
"""Which cards of a deck are printed."""

_EDGE = 4.0


def city_cards(
    deck: str | Deck = "world-cities", *, cards: str = "all", page: str = "A4", edge: str = "long"
) -> Sheets:
    """Return the cards of Connections, nine a page; every second page has their other sides.

    Print double-sided; ``edge`` is the edge of the paper, "long" or "short", at which the printer
    turns sheets over. ``cards`` is "all", "city" or "link".

    >>> city_cards()
    <Sheets city cards, world-cities: 14 pages>
    """
    whole = deck if isinstance(deck, Deck) else Deck.load(deck)
    wanted = choose(cards, CARDS, "a kind")
    shown = [card for card in whole if wanted in ("all", CARDS[1 + card.is_link])]
    if not shown:
        raise ValueError(f"{whole.name} has no {wanted} cards")
    known = _region_marks(whole)
    fronts = [Card(str(card), _side(whole, card.front, card.back, known)) for card in shown]
    backs = [Card(str(card), _side(whole, card.back, card.front, known)) for card in shown]
    kind = "city" if wanted == "all" else wanted
    title = f"{kind} cards, {whole.name}"
    left = Grid.on(blank(page), *POKER).left
    return finished(title, card_pages(page, fronts, backs, edge), edge=left + 3)


def _region_marks(deck: Deck) -> dict[str, AreaMark]:
    names = list(deck.regions.values())
    colours = {city.regions[0]: city.colour for city in deck.cities if not city.is_link}
    return area_marks(names, [colours.get(name, "") for name in names])


def _side(deck: Deck, city: City, other: City, known: dict[str, AreaMark]) -> Drawing:
    drawing = Drawing(*POKER)
    area = Box(0, 0, *POKER).inner(_EDGE)
    high = 8.0 if len(city.regions) == 1 else 6.2
    for number, region in enumerate(city.regions):
        known[region].band(drawing, Box(area.x, area.y + number * high, area.wide, high))
    y = area.y + high * len(city.regions)
    name = Box(area.x, y + 1.5, area.wide, 14)
    drawing.block(name, city.name, 24, 10, bold=True, is_centred=True)
    notes = ["linking city"] * city.is_link + [f"other side: {other.name}"] * (other != city)
    line = Box(area.x, name.bottom, area.wide, 4.4)
    drawing.label(line, "; ".join(notes), 9, 6, colour=SOFT, anchor="start")
    world = Box(area.x, line.bottom + 1, area.wide, 26)
    near = [c for c in deck.cities if not set(c.regions).isdisjoint(city.regions)]
    city_location(drawing, deck, city, near, world)
    rest = Box(area.x, world.bottom + 1.5, area.wide, area.bottom - world.bottom - 1.5)
    _others(drawing, deck, city, rest, known)
    return drawing


def _others(drawing: Drawing, deck: Deck, city: City, box: Box, known: dict[str, AreaMark]) -> None:
    """Draw which cities are in the regions of a city, and which join them."""
    if not city.is_link:
        there = [c for c in deck.cities_of(city.regions[0]) if c != city]
        texts = [_words("with", [c for c in there if not c.is_link])]
        texts += [_words("links", [c for c in there if c.is_link])]
    else:
        texts = []
        for region in city.regions:
            there = [c for c in deck.cities_of(region) if not c.is_link]
            texts.append(_words(known[region].mark, there))
    drawing.block(box, [text for text in texts if text], 10, 5)


def _words(what: str, cities: Sequence[City]) -> str:
    return f"{what}: {', '.join(city.name for city in cities)}" if cities else ""
