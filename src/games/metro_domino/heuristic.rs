//! What the greedy agent thinks of an action in Metro Domino.
//!
//! Every tile gone is a point, and so is every station: finish lines, play doubles where another tile can follow, stay
//! able to play, do not leave a line one tile short to the next player, and end the game only to win it.

use super::rules::{Action, MetroDomino, STATIONS_TO_END, State, View};
use super::tiles::{Play, Tiles};
use crate::bits;
use crate::game::{Heuristic, Seat, Tuning, Viewer};
use crate::rng::Rng;

/// A game that ends with this tile, won or not.
pub(super) const END: i32 = 10_000;
/// A tile gone.
const TILE: i32 = 30;
/// A station opened.
const STATION: i32 = 100;
/// A double that another tile can follow.
const CHAIN: i32 = 100;
/// A tile of the own hand that fits somewhere afterwards.
const MOBILE: i32 = 5;
/// All tiles unseen, if they fit somewhere afterwards; a share of them counts its share.
const THEIR_MOBILITY: i32 = -45;
/// A line one tile short that the own hand can finish in this very turn.
const ABOUT_TO_FINISH: i32 = 60;
/// A line one tile short, times the chance in 100 that the next player holds the tile.
const GIFT: i32 = -90;
/// What a metro token is worth for later.
const TOKEN: i32 = 60;

impl Heuristic for MetroDomino {
    const LEARNED: &'static [u8] = include_bytes!("learned.safetensors");
    const SEARCH: Tuning = Tuning { depth: 10, explore: 1.0, samples: 3 };

    fn value(&self, state: &State, action: Action) -> i32 {
        Judge::new(self, state).judge(action)
    }

    fn values(&self, state: &State, actions: &[Action], out: impl FnMut(i32)) {
        let judge = Judge::new(self, state);
        actions.iter().map(|&action| judge.judge(action)).for_each(out);
    }
}

/// What the seat to act sees, whichever of its actions is judged.
struct Judge<'a> {
    rules: &'a MetroDomino,
    state: &'a State,
    view: View<'a>,
    hand: Tiles,
    unseen: Tiles,
    tokens: u8,
    stations: usize,
    has_unopened: bool,
    /// The lines that a new station brings. Which comes is chance: any will do for a guess.
    beyond: u64,
    /// Points and stations of the best of the others.
    best: (i32, usize),
}

impl<'a> Judge<'a> {
    #[inline(always)]
    fn new(rules: &'a MetroDomino, state: &'a State) -> Self {
        let turn = state.view(Viewer::Everything).turn();
        let view = state.view(turn);
        let next = MetroDomino::next_station(state, &mut Rng::from_bits(0));
        let others = (0..rules.players()).map(Seat::new).filter(|&seat| seat != turn);
        Self {
            rules,
            state,
            hand: view.hand(turn).unwrap_or_default(),
            unseen: view.unseen(),
            tokens: view.tokens(turn),
            stations: view.num_stations(turn),
            has_unopened: next.is_some(),
            beyond: next.map_or(0, |station| rules.lines_of[usize::from(station)]),
            best: others.map(|seat| (view.score(seat), view.num_stations(seat))).max().unwrap_or_default(),
            view,
        }
    }

    #[inline(always)]
    fn judge(&self, action: Action) -> i32 {
        match action {
            Action::Play(play) => self.play(play, self.tokens),
            Action::Spend => self.best_after_spending() - TOKEN,
            Action::Draw | Action::Pass | Action::Keep | Action::Stop => 0,
        }
    }

    fn best_after_spending(&self) -> i32 {
        let mut best = i32::MIN;
        self.rules.each_of(self.hand, self.state, |tile, facings| {
            let plays = facings.plays(tile).map(|play| self.play(play, self.tokens - 1));
            best = plays.fold(best, i32::max);
        });
        best
    }

    /// Judges a play by somebody with so many metro tokens.
    fn play(&self, play: Play, tokens: u8) -> i32 {
        let (rules, line, end) = (self.rules, play.line, play.inward_outward().1);
        let left = rules.limits.lengths[usize::from(line)] - self.view.line(line).tiles - 1;
        let mut hand = self.hand;
        hand.remove(play.tile);
        let opens = left == 0 && self.has_unopened;
        if hand.is_empty() || opens && self.stations + 1 == STATIONS_TO_END {
            return if self.would_win(hand, opens) { END } else { -END };
        }
        let fitting = self.fitting_after(line, end, left);
        let shared = |tiles: Tiles| (tiles.0 & fitting.0).count_ones() as i32;

        let is_double = play.tile.is_double();
        let all = self.unseen.len().max(1) as i32;
        let mut value = TILE + MOBILE * shared(hand) + THEIR_MOBILITY * shared(self.unseen) / all;
        if opens {
            value += STATION;
        }
        if is_double && shared(hand) > 0 {
            value += CHAIN;
        }
        if left == 1 && self.has_unopened {
            let wanted = rules.fit_end(line, end);
            let goes_on = is_double || tokens > 0;
            value += if goes_on && hand.0 & wanted.0 != 0 { ABOUT_TO_FINISH } else { self.gift(wanted) };
        }
        value
    }

    /// The tiles that some line takes once this one has a tile more, ends so, and takes so many further tiles.
    fn fitting_after(&self, line: u8, end: u8, left: u8) -> Tiles {
        let (rules, bit) = (self.rules, 1 << line);
        let begun = self.view.active() | bit;
        let open = if left > 0 { self.view.open() } else { self.view.open() & !bit | self.beyond };
        let active = open & begun;
        let fresh = rules.fit_fresh(rules.fresh(open, begun, active.count_ones() as u8));
        let end_of = |other| if other == line { end } else { self.view.line(other).end.unwrap_or_default() };
        Tiles(bits::each(active).fold(fresh.0, |tiles, other| tiles | rules.fit_end(other, end_of(other)).0))
    }

    /// Whether the player to act wins if the game ends with these tiles left, and with one more station or not.
    fn would_win(&self, hand: Tiles, opens: bool) -> bool {
        let stations = self.stations + usize::from(opens);
        self.best <= (stations as i32 - hand.len() as i32, stations)
    }

    /// The chance that the next player holds one of these tiles, by what the player to act has seen.
    fn gift(&self, wanted: Tiles) -> i32 {
        let next = Seat::new((self.view.turn().index() + 1) % self.rules.players());
        let (held, all) = (self.view.num_tiles(next) as i32, self.unseen.len().max(1) as i32);
        let fitting = (self.unseen.0 & wanted.0).count_ones() as i32;
        GIFT * (100 * fitting * held / all).min(100) / 100
    }
}
