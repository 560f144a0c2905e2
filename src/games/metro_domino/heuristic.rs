//! What the greedy agent thinks of an action in Metro Domino.
//!
//! Every tile gone is a point, and so is every station: finish lines, play doubles where another tile can follow, stay
//! able to play, do not leave a line one tile short to the next player, and end the game only to win it.

use super::rules::{Action, MetroDomino, STATIONS_TO_END, State};
use super::tiles::{Play, Tiles};
use crate::game::{Heuristic, Rules as _, Seat, Tuning, Viewer};
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
        match action {
            Action::Play(play) => self.judge_play(state, play),
            Action::Spend => self.best_after_spending(state) - TOKEN,
            Action::Draw | Action::Pass | Action::Keep | Action::Stop => 0,
        }
    }
}

impl MetroDomino {
    fn best_after_spending(&self, state: &State) -> i32 {
        let mut spent = state.clone();
        self.apply(&mut spent, Action::Spend, &mut Rng::from_bits(0));
        let mut best = i32::MIN;
        self.plays(&spent, |play| best = best.max(self.judge_play(&spent, play)));
        best
    }

    fn judge_play(&self, state: &State, play: Play) -> i32 {
        let turn = state.view(Viewer::Everything).turn();
        let view = state.view(Some(turn));
        let left = self.deck.tracks()[usize::from(play.line)].line.length - view.line(play.line).tiles - 1;
        let mut hand = view.hand(turn).unwrap_or_default();
        hand.remove(play.tile);
        let opens = left == 0 && view.num_unopened() > 0;
        if hand.is_empty() || opens && view.num_stations(turn) + 1 == STATIONS_TO_END {
            return if self.would_win(state, hand, opens) { END } else { -END };
        }
        // Which station comes is chance: any will do for a guess.
        let mut after = state.clone();
        self.apply(&mut after, Action::Play(play), &mut Rng::from_bits(0));
        let fitting = self.fitting(&after);
        let unseen = view.unseen();
        let shared = |tiles: Tiles| (tiles.0 & fitting.0).count_ones() as i32;

        let is_double = play.tile.is_double();
        let mut value = TILE + MOBILE * shared(hand) + THEIR_MOBILITY * shared(unseen) / unseen.len().max(1) as i32;
        if opens {
            value += STATION;
        }
        if is_double && shared(hand) > 0 {
            value += CHAIN;
        }
        if left == 1 && view.num_unopened() > 0 {
            let takes = self.takes(&after, play.line);
            let wanted = Tiles(takes.larger_out.0 | takes.smaller_out.0);
            let goes_on = is_double || view.tokens(turn) > 0;
            value += if goes_on && hand.0 & wanted.0 != 0 { ABOUT_TO_FINISH } else { self.gift(state, wanted) };
        }
        value
    }

    /// Whether the player to act wins if the game ends with these tiles left, and with one more station or not.
    fn would_win(&self, state: &State, hand: Tiles, opens: bool) -> bool {
        let view = state.view(Viewer::Everything);
        let turn = view.turn();
        let stations = view.num_stations(turn) + usize::from(opens);
        let mine = (stations as i32 - hand.len() as i32, stations);
        let others = (0..self.players()).map(Seat::new).filter(|&seat| seat != turn);
        others.map(|seat| (view.score(seat), view.num_stations(seat))).all(|theirs| theirs <= mine)
    }

    /// The tiles that some line takes next.
    pub(super) fn fitting(&self, state: &State) -> Tiles {
        let view = state.view(Viewer::Everything);
        let takes = view.open_lines().map(|line| self.takes(state, line));
        Tiles(takes.fold(0, |all, takes| all | takes.larger_out.0 | takes.smaller_out.0))
    }

    /// The chance that the next player holds one of these tiles, by what the player to act has seen.
    fn gift(&self, state: &State, wanted: Tiles) -> i32 {
        let turn = state.view(Viewer::Everything).turn();
        let view = state.view(Some(turn));
        let unseen = view.unseen();
        let next = Seat::new((turn.index() + 1) % self.players());
        let (held, all) = (view.num_tiles(next) as i32, unseen.len().max(1) as i32);
        let fitting = (unseen.0 & wanted.0).count_ones() as i32;
        GIFT * (100 * fitting * held / all).min(100) / 100
    }
}
