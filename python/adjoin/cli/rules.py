"""The rules in short, for somebody at the table; the clauses are those of the rule pages."""

from __future__ import annotations

RULES = {
    "mapello": """\
Aim: more points than the other at the end: a point a disc of yours, 3 a bonus taken (MAPE-12).
- A move puts a disc on an empty cell and must flip a disc of the other colour (MAPE-6).
- In all eight directions, a line of the other's discs between the new disc and one of yours, or
  a joker on the border, is flipped (MAPE-7, MAPE-8). Walls and empty cells end a line.
- A disc on a bonus takes it for good (MAPE-9). Who has no move passes (MAPE-10).
On the board: X black, O white, # wall, + bonus, J joker, * where you may move.
You type: f5 | pass; while setting up: wall c3, bonus c3, joker 0,4, finish; black, white.""",
    "mapominoes": """\
Aim: get rid of your county cards; each one left is a point against you (MAPO-19, MAPO-22).
- A card goes on a free cell next to a card on the table, and must share a border with every card
  beside it (MAPO-11). Cells at a corner are not beside.
- A transit card stands for a region, sea or country: it joins cards that border that, and a
  county card must follow beside it at once (MAPO-12, MAPO-13).
- A card laid next to two or more others gives another go (MAPO-16).
- Who cannot go takes a card (MAPO-17).
On the table: ~ is a transit card; * in your hand marks what you can play now.
You type: a county, then a cell (Kent, then P11; or both: Kent P11) | transit Irish Sea | take.""",
    "metro_domino": """\
Aim: most points: +1 a station you open, -1 a tile left in your hand (METR-16). It is over when
somebody is out of tiles or opens a fifth station (METR-14).
- Add a tile to a line; it must match the last tile's outward half (METR-6). Who can, must (METR-9).
- At most three lines are begun and not complete (METR-5). Min and Max limit both halves (METR-7).
- The tile that completes a line opens the station at its end for you (METR-8).
- Who cannot add a tile draws one, and may play it or keep it (METR-10).
- A double gives a metro token and one more tile, if you like (METR-11); a token given back, too
  (METR-12).
You type: 3-7 Start A (the 3 towards the station) | draw | keep | spend | stop | pass.""",
    "domiphun": """\
Aim: place all your squares first (DOMI-9).
- Join two of your squares into a domino and play it at end A or B; touching squares show the same
  value (DOMI-6). Who can play must (DOMI-8).
- Who cannot takes squares one at a time until able to play; after four they may stop (DOMI-7).
- Nobody can play: the fewest squares win (DOMI-10).
- Advanced: an X joiner attaches at a right angle (DOMI-14); a Starjoiner closes an end and the path
  goes on elsewhere (DOMI-17); nothing may make the construction fall (DOMI-16).
- Traditional: ordinary dominoes of a double-six set (DOMI-4).
You type: 3-5 (the first) | 3-5 A (the 3 touching), then in the advanced game a side: east, east up
| star A, join 3-5, plate 12 | take | miss.""",
    "connections": """\
Aim: most points over all rounds: the more cards belong together, the more they count (CONN-18).
- In your turn: lay a set of three cities of a region (CONN-6), or play a linking city to a set
  (CONN-7), or add a single to a set or a link (CONN-8), then draw a card; or draw one and discard
  one (CONN-5). Each card has a city on both sides: play either.
- You may invite a player to your link: partners share what is around it (CONN-10 to CONN-13).
- Before a turn, those who are not in turn may trade a card for a card (CONN-14).
- After six turns each a player may announce the end of the round: two more for the others
  (CONN-15). The last round is over when nobody plays a card in two turns each (CONN-16).
- Each two cards left in your hand whose first city is of one region cost 20 points (CONN-20).
You type: set London (Baghdad is its other side: set London/Baghdad) | play Chicago | draw | take |
discard Lahore | offer Lahore to +1 (the player on the left) | answer Lahore | accept | invite
Chicago +1 | join | announce | no | pass.""",
}
