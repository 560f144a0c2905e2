"""The options of the games as keywords: a misspelt one is seen before anything runs.

Written from the games' specs by ``make golden``.
"""

from __future__ import annotations

from typing import Any, TypedDict


class GameOptions(TypedDict, total=False):
    """What the games can be played with; ``describe(game)`` tells what a game has.

    The games check the values, and say what is allowed.
    """

    atlas: Any
    """Mapominoes: "uk-counties", "world-countries", "us-states" or an Atlas of your own."""

    board: Any
    """Mapello: fixed: the set-up as text, ten rows of ten characters, instead of lists."""

    bonuses: Any
    """Mapello: random and free: how many, as for walls; fixed: list of inner cells."""

    challenges: bool
    """Mapominoes: cards may be laid wrongly; the others may challenge them."""

    deals_each: Any
    """Connections: how many rounds each player deals, 1 to 4."""

    deck: Any
    """Connections: "world-cities" or a Deck of your own."""

    double_with_transit: bool
    """Mapominoes: transit cards count for a double connection."""

    draw: Any
    """Mapominoes: a player may take a card: "stuck" only without a legal play, "free" at any
    time."""

    extra_starjoiners: Any
    """Domiphun: advanced: more Starjoiners as a handicap, a number per seat, 0 to 4."""

    first_nation: Any
    """Mapominoes: with staged: the nation that is dealt first; by default the first of the
    nations."""

    first_seat: Any
    """Metro Domino: New York: the seat that begins the first game; by default drawn. Domiphun: the
    seat that starts the first game; by default drawn."""

    fork: bool
    """Domiphun: advanced: whether an X joiner leaves an end where it is put, so that the path
    forks."""

    games: Any
    """Mapello: games of a match, 1 to 100; colours, or the set-up player, alternate."""

    hand: Any
    """Domiphun: squares for each player, 11 by default; traditional: dominoes, 7 or 5; with fewer
    values the same share."""

    jokers: Any
    """Mapello: random and free: how many, as for walls; fixed: list of border cells (row, column)
    with a 0 or 9, such as "0,4"."""

    max_turns: Any
    """Connections: turns of each player after which a round is over, 1 to 100."""

    nations: Any
    """Mapominoes: list of the nations (editions, divisions) whose cards are played; by default
    all."""

    opening: Any
    """Mapello: the first four discs: "mapello" (black d4, e5) or "othello" (white d4, e5); by
    default as the set-up has it."""

    pairs: Any
    """Connections: how cards in hand are turned for the penalty: "front", "least" or "most"."""

    partnerships: bool
    """Connections: whether players can be invited to links."""

    partnerships_each: Any
    """Connections: in how many partnerships a player can be, 1 to 5."""

    players: Any
    """Mapominoes: how many play, 2 to 5. Metro Domino: New York, Domiphun: how many play, 2 to 4.
    Connections: how many play, 3 to 6."""

    rounds: Any
    """Mapominoes: rounds of a game, 1 to 100; by default as many as players."""

    series: Any
    """Domiphun: a match is won by the most "wins" or by the fewest "points"."""

    setup: Any
    """Mapello: how the board is set up: "random", "fixed", "free" (set up by the players) or
    "othello" (no pieces)."""

    size: Any
    """Mapello: rows and columns that are played on: 8, or 6 or 4 in the middle with walls around
    and no jokers."""

    staged: bool
    """Mapominoes: one nation is dealt first, the others when somebody has played their last
    card."""

    starjoiners: Any
    """Domiphun: advanced: Starjoiners for each player, 0 to 4; 1 by default."""

    starts_each: Any
    """Domiphun: how often each player starts a game of the match, 1 or 2; 0 for a single game."""

    stations: Any
    """Metro Domino: New York: "new-york" or Stations of your own."""

    symmetry: Any
    """Mapello: random: "none", "rotate" (half a turn) or "diagonal" maps the set-up onto itself."""

    table: Any
    """Mapominoes: (width, height) of the table in cards, 1 to 62 each; the starting card lies in
    the middle."""

    trading: bool
    """Connections: whether cards can be traded."""

    transit_cards: Any
    """Mapominoes: transit cards in all, 0 to 32."""

    transit_each: Any
    """Mapominoes: transit cards that each player gets, or "easier": 5 for two players, 3 for three,
    2 for more."""

    values: Any
    """Domiphun: how many values there are, 2 to 7; one square more of each than there are
    values."""

    variant: Any
    """Domiphun: "traditional" dominoes, "standard" with single squares, or "advanced" in three
    dimensions."""

    walls: Any
    """Mapello: random: how many, 0 to 8; free: exactly how many, or a pair [least, most], by
    default [0, 8]; fixed: list of inner cells, such as "c3" or (3, 3)."""

    wins_needed: Any
    """Metro Domino: New York: games to win for the match, 1 to 100; the sheet's tournament has
    3."""

    x_joiners: Any
    """Domiphun: advanced: X joiners for each player, 0 to 4; 2 by default."""
