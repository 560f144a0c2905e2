//! What the greedy agent thinks of an action in Domiphun.
//!
//! Everything gone wins: play rather than take, keep a value that an end of the path shows, leave the next player none
//! of theirs, use X joiners before they are all that is left, keep the ends that one needs standing and spoil the others.
//! A Starjoiner is for the moment when nothing else goes.

use super::pieces::{Facing, NUM_SQUARES, Pieces, Values};
use super::rules::{Action, Domiphun, Phase, State, View};
use crate::bits;
use crate::game::{Heuristic, Rules as _, Seat, Tuning, Viewer};
use crate::rng::Rng;

/// A play that wins the game; one that loses it at once costs as much.
pub(super) const WIN: i32 = 10_000;
/// Without a play: what is least bad.
pub(super) const STAR: i32 = -900;
const MISS: i32 = -950;
const TAKE: i32 = -1000;
/// An end that shows a value of the hand.
const PLAYABLE: i32 = 42;
/// A piece of the hand that fits an end.
const PIECE: i32 = 4;
/// The next player has nothing that fits an end.
const STUCK: i32 = 390;
/// A double gone.
const DOUBLE: i32 = 25;
/// A pip gone.
const PIP: i32 = 1;
/// An X joiner gone.
const X_JOINER: i32 = 100;
/// An end that stands and shows a value of the hand.
const NEEDED: i32 = 50;
/// An end that stands and shows none.
const FOR_OTHERS: i32 = -60;

impl Heuristic for Domiphun {
    const LEARNED: &'static [u8] = include_bytes!("learned.safetensors");
    const SEARCH: Tuning = Tuning { depth: 10, explore: 1.0, samples: u32::MAX };

    fn value(&self, state: &State, action: Action) -> i32 {
        Judge::new(self, state).value(action)
    }

    fn values(&self, state: &State, actions: &[Action], mut out: impl FnMut(i32)) {
        let mut judge = Judge::new(self, state);
        for &action in actions {
            out(judge.value(action));
        }
    }
}

/// Judges the actions of a decision.
struct Judge<'a> {
    rules: &'a Domiphun,
    state: &'a State,
    view: View<'a>,
    turn: Seat,
    hand: Pieces,
    unseen: Pieces,
    /// Pieces of the next player.
    next_pieces: usize,
    /// In 1000, by how many unseen pieces fit, the chance that the next player has none of them, once it is known.
    stuck: [Option<i16>; NUM_SQUARES + 1],
    /// The match with the hidden pieces guessed, once it is needed.
    guessed: Option<State>,
}

impl<'a> Judge<'a> {
    fn new(rules: &'a Domiphun, state: &'a State) -> Self {
        let turn = state.view(Viewer::Everything).turn();
        let view = state.view(Some(turn));
        let unseen = view.unseen();
        let hand = view.hand(turn).unwrap_or(unseen.none());
        let next = Seat::new((turn.index() + 1) % rules.players());
        let next_pieces = view.num_pieces(next);
        Self { rules, state, view, turn, hand, unseen, next_pieces, stuck: [None; _], guessed: None }
    }

    fn value(&mut self, action: Action) -> i32 {
        match action {
            Action::Open(domino) => {
                let Facing { inner, outer } = domino.facing();
                self.domino(domino.facing(), [inner, outer].into_iter())
            }
            Action::Play { domino, end } => self.at_end(domino, end),
            Action::Join(domino) => self.at_end(domino, self.view.phase().end().unwrap_or_default()),
            Action::Plate(_) => self.best_place(action),
            Action::Place { .. } => self.place(action),
            Action::Star(_) => STAR,
            Action::Miss => MISS,
            Action::Take => TAKE,
        }
    }

    fn at_end(&mut self, domino: Facing, at: u8) -> i32 {
        let ends = self.view.table().ends().iter().zip(0..);
        self.domino(domino, ends.map(move |(shown, end)| if end == at { domino.outer } else { shown.value }))
    }

    /// A domino gone, and what the ends of the path then show.
    fn domino(&mut self, domino: Facing, ends: impl Iterator<Item = u8> + Clone) -> i32 {
        let mut hand = self.hand;
        hand.remove(domino);
        if hand.is_empty() {
            return WIN;
        }
        if self.is_dead(hand, ends.clone()) {
            return WIN * self.ahead(hand);
        }
        let fitting: i32 = ends.clone().map(|value| count(hand, value)).sum();
        PLAYABLE * fitting.min(1)
            + PIECE * fitting
            + STUCK * self.chance_of_stuck(ends) / 1000
            + DOUBLE * i32::from(domino.inner == domino.outer)
            + PIP * i32::from(domino.inner + domino.outer)
    }

    /// Whether no piece fits ends that show these values, and no Starjoiner helps (DOMI-10); the seat in turn holds `hand`.
    fn is_dead(&self, hand: Pieces, mut ends: impl Iterator<Item = u8>) -> bool {
        let mut pieces = self.unseen;
        pieces.add(hand);
        ends.all(|value| pieces.beside(value) == 0) && self.view.starjoiners().iter().all(|&left| left == 0)
    }

    /// 1 if the seat in turn, left with `hand`, has least of what counts at the end, as far as it can tell; 0 if it
    /// shares that, -1 if another has less (DOMI-4, DOMI-10).
    fn ahead(&self, hand: Pieces) -> i32 {
        let unseen = self.unseen;
        let (own, each) = match hand {
            Pieces::Squares(_) => (hand.len(), 1),
            // What the others hold has as many pips as the unseen dominoes have on average.
            Pieces::Dominoes(_) => (usize::from(hand.pips()) * unseen.len(), usize::from(unseen.pips())),
        };
        let others = (0..self.rules.players()).map(Seat::new).filter(|&seat| seat != self.turn);
        let fewest = others.map(|seat| self.view.num_pieces(seat)).min().unwrap_or_default();
        (fewest * each).cmp(&own) as i32
    }

    /// The chance in 1000 that none of the next player's pieces shows one of these values.
    fn chance_of_stuck(&mut self, ends: impl Iterator<Item = u8>) -> i32 {
        let values = ends.fold(0, |values: Values, value| values | 1 << value);
        let (unseen, held) = (self.unseen, self.next_pieces as i32);
        let wanted: usize = match unseen {
            Pieces::Squares(squares) => bits::each(values.into()).map(|value| usize::from(squares.count(value))).sum(),
            Pieces::Dominoes(dominoes) => dominoes.showing(values).len(),
        };
        let chance = || {
            let (all, wanted) = (unseen.len() as i32, wanted as i32);
            (0..held).fold(1000, |chance, drawn| chance * (all - wanted - drawn).max(0) / (all - drawn).max(1)) as i16
        };
        (*self.stuck[wanted].get_or_insert_with(chance)).into()
    }

    /// An X joiner gone, and which ends then stand.
    fn place(&mut self, action: Action) -> i32 {
        let (rules, turn) = (self.rules, self.turn);
        let mut after = self.guess().clone();
        rules.apply(&mut after, action, &mut Rng::from_bits(0));
        let (now, then) = (self.view, after.view(Some(turn)));
        if then.game() != now.game() || then.phase() == Phase::Over {
            let has_won = |seat: usize| then.wins()[seat] > now.wins()[seat];
            let winners = (0..rules.players()).filter(|&seat| has_won(seat)).count();
            return if has_won(turn.index()) { WIN * i32::from(winners == 1) } else { -WIN };
        }
        let x_joiners = i32::from(now.x_joiners()[turn.index()]) - i32::from(then.x_joiners()[turn.index()]);
        let standing = then.table().ends().iter().filter(|end| can_go_on(&then, end.plate));
        let ends: i32 = standing.map(|end| if count(self.hand, end.value) > 0 { NEEDED } else { FOR_OTHERS }).sum();
        X_JOINER * x_joiners + ends
    }

    /// The match with what is hidden guessed. It makes no difference while there is a pool: then how many pieces the
    /// others have says all that counts. Whether they are stuck without one is no more than a guess.
    fn guess(&mut self) -> &State {
        if self.view.num_pool() > 0 {
            return self.state;
        }
        self.guessed.get_or_insert_with(|| {
            let mut guessed = self.state.clone();
            self.rules.resample_hidden(&mut guessed, self.turn, &mut Rng::from_bits(0));
            guessed
        })
    }

    fn best_place(&self, action: Action) -> i32 {
        let mut chosen = self.state.clone();
        self.rules.apply(&mut chosen, action, &mut Rng::from_bits(0));
        let (mut judge, mut best) = (Judge::new(self.rules, &chosen), i32::MIN);
        self.rules.list(&chosen, |place| best = best.max(judge.place(place)));
        best
    }
}

/// Whether a domino can be joined to a square straight on.
pub(super) fn can_go_on(view: &View<'_>, plate: u8) -> bool {
    view.table().construction().is_some_and(|construction| construction.goes_on(plate))
}

/// Pieces that show a value.
pub(super) fn count(pieces: Pieces, value: u8) -> i32 {
    match pieces {
        Pieces::Squares(squares) => squares.count(value).into(),
        Pieces::Dominoes(_) => pieces.beside(value).count_ones() as i32,
    }
}
