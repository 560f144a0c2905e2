//! What the greedy agent thinks of an action in Metro Domino.
//!
//! Every tile gone is a point, and so is every station: finish lines, play doubles where another tile can follow, keep
//! ends that the own hand can continue, and do not leave a line one tile short to the next player.

use super::rules::{Action, MetroDomino, State};
use super::tiles::{LARGER, Play, SMALLER, Tiles};
use crate::game::{Judge, Rules as _};
use crate::rng::Rng;

/// A tile gone.
const TILE: i32 = 30;
/// A station opened.
const STATION: i32 = 100;
/// A double that another tile can follow.
const CHAIN: i32 = 40;
/// A double that none can follow: it is worth more later.
const LONELY_DOUBLE: i32 = -15;
/// A tile of the own hand that could be next on the line.
const NEXT_TILE: i32 = 4;
/// A line one tile short that the own hand can finish in this very turn.
const ABOUT_TO_FINISH: i32 = 40;
/// A line one tile short, times the chance in 100 that the next player holds the tile.
const GIFT: i32 = -60;
/// What a metro token is worth for later.
const TOKEN: i32 = 10;

impl Judge for MetroDomino {
    fn judge(&self, state: &State, action: Action) -> i32 {
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
        let turn = state.view(None).turn();
        let view = state.view(Some(turn));
        let track = &self.deck.tracks()[usize::from(play.line)];
        let left = track.line.length - view.line(play.line).tiles - 1;
        let mut hand = view.hand(turn).unwrap_or_default();
        hand.remove(play.tile);
        let end = usize::from(play.inward_outward().1);
        let next = Tiles(track.allowed.0 & (SMALLER[end].0 | LARGER[end].0));
        let is_double = play.tile.is_double();
        let mut value = TILE;
        if left == 0 {
            value += if view.num_unopened() > 0 { STATION } else { 0 };
        } else {
            value += NEXT_TILE * (hand.0 & next.0).count_ones() as i32;
        }
        if is_double {
            value += if self.can_follow(state, play, hand) { CHAIN } else { LONELY_DOUBLE };
        }
        if left == 1 && view.num_unopened() > 0 {
            let goes_on = is_double || view.tokens(turn) > 0;
            value += if goes_on && hand.0 & next.0 != 0 { ABOUT_TO_FINISH } else { self.gift(state, next) };
        }
        value
    }

    /// Whether a tile of the hand fits somewhere once this one lies.
    fn can_follow(&self, state: &State, play: Play, hand: Tiles) -> bool {
        let mut after = state.clone();
        self.apply(&mut after, Action::Play(play), &mut Rng::from_bits(0));
        let mut found = false;
        self.plays(&after, |next| found |= hand.contains(next.tile));
        found
    }

    /// The chance that the next player holds one of these tiles, by what the player to act has seen.
    fn gift(&self, state: &State, wanted: Tiles) -> i32 {
        let turn = state.view(None).turn();
        let view = state.view(Some(turn));
        let unseen = view.unseen();
        let next = crate::game::Seat::new((turn.index() + 1) % self.players());
        let (held, all) = (view.num_tiles(next) as i32, unseen.len().max(1) as i32);
        let fitting = (unseen.0 & wanted.0).count_ones() as i32;
        GIFT * (100 * fitting * held / all).min(100) / 100
    }
}
