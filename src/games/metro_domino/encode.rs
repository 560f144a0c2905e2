//! Metro Domino as a learner sees it.

use super::facts::Seen;
use super::rules::{Action, Facings, HAND, MAX_PLAYERS, MetroDomino, OTHERS, Options, STATIONS_TO_END, State, View};
use super::stations::{Deck, MAX_LINES};
use super::tiles::{ALL, NUM_TILES, NUM_VALUES, Play, Tile, Tiles};
use crate::bits;
use crate::game::{Encode, Fast, Seat};
use crate::layout::{Layout, Writer};
use crate::relation::Relation;

/// Tiles of a hand, and tokens of a player, that are told apart.
pub(super) const TILES: u8 = 16;
pub(super) const PURSE: u8 = 6;

const PHASES: &[&str] = &["turn", "drawn", "extra", "more", "spent"];
/// Blocks with a number of each seat.
const BLOCKS_BY_SEAT: usize = 6;

pub(super) fn actions(deck: &Deck) -> Layout {
    Layout::new()
        .flags(
            "play",
            &[NUM_TILES, deck.tracks().len(), 2],
            "add a tile to a line, by tile, line and the half outwards",
        )
        .labelled(["larger half outwards", "smaller half outwards"])
        .flags("draw", &[], "take a tile from the store")
        .flags("pass", &[], "have nothing to play and nothing to draw")
        .flags("keep", &[], "keep the tile just drawn")
        .flags("spend", &[], "give back a metro token for one more tile")
        .flags("stop", &[], "play no more")
}

pub(super) fn observation(deck: &Deck, &Options { players, wins_needed, .. }: &Options) -> Layout {
    let (lines, seats) = (deck.tracks().len(), usize::from(players));
    let longest = deck.tracks().iter().map(|track| track.line.length).max().unwrap_or(1);
    let tile_names = || ALL.iter().map(tile_name);
    let line_names = || deck.tracks().iter().map(|track| track.name.clone());
    let stations = deck.stations().iter().map(|station| station.name.clone());
    Layout::new()
        .counts("left", &[lines], longest, "tiles that an open line still takes; 0 if it is closed or not open yet")
        .labelled(line_names())
        .flags("active", &[lines], "1 for a line with tiles that is not complete")
        .labelled(line_names())
        .flags("end", &[lines, NUM_VALUES.into()], "the value that the next tile of an active line has to match")
        .flags("hand", &[NUM_TILES], "the viewer's tiles")
        .labelled(tile_names())
        .flags("laid", &[NUM_TILES], "tiles on the table")
        .labelled(tile_names())
        .flags("unseen", &[NUM_TILES], "tiles in other hands or in the store")
        .labelled(tile_names())
        .flags("drawn", &[NUM_TILES], "the tile that the viewer has just drawn")
        .labelled(tile_names())
        .flags("owner", &[seats, deck.stations().len()], "who opened which station")
        .labelled(stations)
        .by_seat()
        .counts("tiles", &[seats], TILES, "tiles in the hands; 16 for more")
        .by_seat()
        .counts("tokens", &[seats], PURSE, "metro tokens; 6 for more")
        .by_seat()
        .counts("stations", &[seats], STATIONS_TO_END as u8, "stations opened")
        .by_seat()
        .counts("wins", &[seats], wins_needed, "games won in this match")
        .by_seat()
        .flags("to_act", &[seats], "who decides now")
        .by_seat()
        .flags("first", &[seats], "who began the game")
        .by_seat()
        .flags("phase", &[PHASES.len()], "what is being decided; none when the match is over")
        .labelled(PHASES.iter().copied())
        .counts("store", &[], full_store(players), "tiles in the store")
        .counts("stations_left", &[], num_unopened(deck), "stations that nobody has opened")
        .counts("passes", &[], players, "passes in a row")
}

/// Tiles of the store at the start of a game.
pub(super) fn full_store(players: u8) -> u8 {
    NUM_TILES as u8 - HAND as u8 * players
}

/// Stations that nobody has opened at the start of a game; 1 if there are none.
pub(super) fn num_unopened(deck: &Deck) -> u8 {
    (deck.stations().len() - 1).max(1) as u8
}

/// A tile in words, its smaller half first.
pub(super) fn tile_name(tile: Tile) -> String {
    let (low, high) = tile.halves();
    format!("{low}-{high}")
}

impl MetroDomino {
    #[inline(always)]
    fn num_lines(&self) -> usize {
        self.deck.tracks().len()
    }

    /// Where the ids of the actions that are no plays begin.
    #[inline(always)]
    fn first_other(&self) -> usize {
        NUM_TILES * self.num_lines() * 2
    }

    #[inline(always)]
    fn observe_lines(&self, view: &View<'_>, out: &mut Writer<'_>) {
        let (num_lines, open, active) = (self.num_lines(), view.open(), view.active());
        let mut is_open = [0_u8; 64];
        bits::spread(open, &mut is_open);
        let (lengths, tiles) = (&self.limits.lengths, view.tiles_by_line());
        let mut left = [0; MAX_LINES];
        for line in 0..MAX_LINES {
            left[line] = lengths[line].wrapping_sub(tiles[line]) & is_open[line].wrapping_neg();
        }
        out.first(left, num_lines);
        out.set(active, num_lines);
        let ends = out.next(num_lines * usize::from(NUM_VALUES));
        for part in ends.chunks_mut(64) {
            bits::spread_short(0, part);
        }
        for line in bits::each(active) {
            if let Some(end) = view.line(line).end {
                ends[usize::from(NUM_VALUES) * usize::from(line) + usize::from(end)] = 1;
            }
        }
    }

    #[inline(always)]
    fn observe_seats(&self, view: &View<'_>, viewer: Seat, out: &mut Writer<'_>) {
        let players = self.players();
        for seat in viewer.around(players) {
            out.set(view.stations_of(seat), self.deck.stations().len());
        }
        let is = |seat: Option<Seat>| seat.map_or(0_u32, |seat| 1 << (8 * seat.index())).to_le_bytes();
        let [mut tiles, mut tokens, mut stations] = [[0; MAX_PLAYERS]; 3];
        for index in 0..MAX_PLAYERS {
            let seat = Seat::new(index);
            tiles[index] = view.num_tiles(seat).min(TILES.into()) as u8;
            tokens[index] = view.tokens(seat).min(PURSE);
            stations[index] = view.num_stations(seat) as u8;
        }
        let blocks: [_; BLOCKS_BY_SEAT] =
            [tiles, tokens, stations, view.wins(), is(view.to_act()), is(Some(view.first()))];
        for by_seat in blocks {
            // A byte each: written twice in a row, they begin with any seat.
            let once = u64::from(u32::from_le_bytes(by_seat));
            let twice = once | once << (8 * players);
            out.first(((twice >> (8 * viewer.index())) as u32).to_le_bytes(), players);
        }
        // What is written beyond the block is written anew by the numbers.
        out.first((1_u64 << (8 * view.stage() as u32)).to_le_bytes(), PHASES.len());
        out.up_to(full_store(players as u8), view.num_store());
        out.number(view.num_unopened());
        out.number(view.passes());
    }

    #[inline(always)]
    fn play_id(&self, play: Play) -> usize {
        (usize::from(play.tile.0) * self.num_lines() + usize::from(play.line)) * 2 + usize::from(play.smaller_out)
    }
}

impl Encode for MetroDomino {
    #[inline(always)]
    fn actions(&self) -> &Layout {
        &self.actions
    }

    #[inline(always)]
    fn action_id(&self, action: Action) -> usize {
        match action {
            Action::Play(play) => self.play_id(play),
            Action::Draw => self.first_other(),
            Action::Pass => self.first_other() + 1,
            Action::Keep => self.first_other() + 2,
            Action::Spend => self.first_other() + 3,
            Action::Stop => self.first_other() + 4,
        }
    }

    #[inline(always)]
    fn action(&self, id: usize) -> Action {
        let Some(other) = id.checked_sub(self.first_other()) else {
            let (tile, line) = (id / 2 / self.num_lines(), id / 2 % self.num_lines());
            return Action::Play(Play { tile: Tile(tile as u8), line: line as u8, smaller_out: id % 2 == 1 });
        };
        OTHERS[other.min(OTHERS.len() - 1)]
    }

    #[inline(always)]
    fn observation(&self) -> &Layout {
        &self.observation
    }

    #[inline(always)]
    fn observe(&self, state: &State, viewer: Seat, row: &mut [u8]) {
        let view = state.view(Some(viewer));
        let mut out = Writer::new(row);
        self.observe_lines(&view, &mut out);
        let drawn = Tiles(view.drawn().map_or(0, |tile| 1 << tile.0));
        for tiles in [view.hand(viewer).unwrap_or_default(), view.laid_tiles(), view.unseen(), drawn] {
            out.set(tiles.0, NUM_TILES);
        }
        self.observe_seats(&view, viewer, &mut out);
    }

    fn facts(&self) -> &Layout {
        &self.facts
    }

    fn describe_action(&self, state: &State, action: Action, row: &mut [u8]) {
        Seen::new(self, state).describe(action, row);
    }

    fn relations(&self) -> Vec<Relation> {
        let deck = &self.deck;
        let lines = deck.tracks().iter().map(|track| track.name.clone());
        let stations = deck.stations().iter().map(|station| station.name.clone());
        let shows = |tile: u16, value: u16| {
            let (low, high) = Tile(tile as u8).halves();
            [low, high].contains(&(value as u8))
        };
        vec![
            Relation::new("station_lines", "the line is one of the station's", stations, lines, |station, line| {
                deck.lines_of(station as u8) >> line & 1 == 1
            }),
            Relation::new(
                "tile_values",
                "a half of the tile shows the value, so that it can follow on any line that ends with it",
                ALL.iter().map(tile_name),
                (0..NUM_VALUES).map(|value| value.to_string()),
                shows,
            ),
        ]
    }
}

impl Fast for MetroDomino {
    const PAYS_AT_THE_END: bool = true;

    fn describe_actions(&self, state: &State, actions: &[Action], rows: &mut [u8]) {
        let seen = Seen::new(self, state);
        for (&action, row) in actions.iter().zip(rows.chunks_exact_mut(self.facts.size())) {
            seen.describe(action, row);
        }
    }

    #[inline(always)]
    fn write_mask(&self, state: &State, mask: &mut [i8], _: &mut Vec<Action>) {
        // Two halves: the library clears 2 KB and more in one go by an instruction that takes 17 ns longer.
        let (first, second) = mask.split_at_mut(mask.len() / 2);
        first.fill(0);
        second.fill(0);
        let num_lines = self.num_lines();
        let mut has_play = false;
        self.each_playable(
            state,
            #[inline(always)]
            |tile, Facings { larger_out, smaller_out }| {
                has_play |= larger_out | smaller_out != 0;
                let plays = &mut mask[usize::from(tile.0) * num_lines * 2..];
                Writer::new(plays).in_turn([larger_out, smaller_out], num_lines);
            },
        );
        let others = self.legal_others(state, has_play);
        Writer::new(&mut mask[self.first_other()..]).set(others, OTHERS.len());
    }

    #[inline(always)]
    fn num_legal(&self, state: &State, _: &mut Vec<Action>) -> usize {
        let plays = self.num_plays(state);
        (plays + self.legal_others(state, plays > 0).count_ones()) as usize
    }

    #[inline(always)]
    fn random_action(&self, state: &State, random: u64, _: &mut Vec<Action>) -> Action {
        self.choose(state, random)
    }
}
