//! Metro Domino as a learner sees it.

use super::facts::Seen;
use super::rules::{Action, HAND, MAX_PLAYERS, MetroDomino, Options, STATIONS_TO_END, State};
use super::stations::Deck;
use super::tiles::{ALL, NUM_TILES, NUM_VALUES, Play, Tile, Tiles};
use crate::game::{Encode, Fast, Rules as _, Seat};
use crate::layout::{Layout, Writer};
use crate::relation::Relation;

/// Tiles of a hand, and tokens of a player, that are told apart.
pub(super) const TILES: u8 = 16;
pub(super) const PURSE: u8 = 6;

const PHASES: &[&str] = &["turn", "drawn", "extra", "more", "spent"];
const OTHERS: [Action; 5] = [Action::Draw, Action::Pass, Action::Keep, Action::Spend, Action::Stop];

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
    fn num_lines(&self) -> usize {
        self.deck.tracks().len()
    }

    /// Where the ids of the actions that are no plays begin.
    fn first_other(&self) -> usize {
        NUM_TILES * self.num_lines() * 2
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
        let (players, lines, stations) = (self.players(), self.num_lines(), self.deck.stations().len());
        let ahead = |seat: usize| if seat >= viewer.index() { seat } else { seat + players } - viewer.index();
        let seats = || viewer.around(players);
        let mut out = Writer::new(row);

        let [left, active, ends] = [lines, lines, lines * usize::from(NUM_VALUES)].map(|size| out.next(size));
        left.fill(0);
        active.fill(0);
        ends.fill(0);
        for line in view.open_lines() {
            let (stretch, number) = (view.line(line), usize::from(line));
            left[number] = self.deck.tracks()[number].line.length - stretch.tiles;
            if let Some(end) = stretch.end {
                active[number] = 1;
                ends[usize::from(NUM_VALUES) * number + usize::from(end)] = 1;
            }
        }
        let drawn = Tiles(view.drawn().map_or(0, |tile| 1 << tile.0));
        for tiles in [view.hand(viewer).unwrap_or_default(), view.laid_tiles(), view.unseen(), drawn] {
            out.set(tiles.0, NUM_TILES);
        }
        let owner = out.next(players * stations);
        owner.fill(0);
        let mut opened = [0; MAX_PLAYERS];
        for opening in view.openings() {
            let seat = ahead(opening.by.into());
            owner[seat * stations + usize::from(opening.station)] = 1;
            opened[seat] += 1;
        }
        seats().for_each(|seat| out.up_to(TILES, view.num_tiles(seat)));
        seats().for_each(|seat| out.up_to(PURSE, view.tokens(seat).into()));
        out.next(players).copy_from_slice(&opened[..players]);
        seats().for_each(|seat| out.number(view.wins()[seat.index()]));
        seats().for_each(|seat| out.flag(view.to_act() == Some(seat)));
        seats().for_each(|seat| out.flag(seat == view.first()));
        out.one_hot(Some(view.stage() as usize), PHASES.len());
        out.up_to(full_store(self.players() as u8), view.num_store());
        out.number(view.num_unopened());
        out.number(view.passes());
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
        mask.fill(0);
        self.plays(state, |play| mask[self.play_id(play)] = 1);
        for (flag, action) in mask[self.first_other()..].iter_mut().zip(OTHERS) {
            *flag = self.is_legal(state, action).into();
        }
    }

    #[inline(always)]
    fn num_legal(&self, state: &State, _: &mut Vec<Action>) -> usize {
        let others = OTHERS.into_iter().filter(|&action| self.is_legal(state, action)).count();
        self.num_plays(state) as usize + others
    }
}
