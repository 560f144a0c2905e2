//! What the greedy agent thinks of an action in Domiphun.
//!
//! Everything gone wins: play rather than take, keep a value that an end of the path shows, leave the next player none
//! of theirs, use X joiners before they are all that is left, keep the ends that one needs standing and spoil the others.
//! A Starjoiner is for the moment when nothing else goes.

use super::lattice::Spot;
use super::pieces::{Facing, NUM_VALUES, Pieces};
use super::rules::{Action, Domiphun, Phase, State, View};
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
        let shown = || state.view(Viewer::Everything).table().ends().iter().map(|end| end.value);
        let shown_after = |at: u8, domino: Facing| -> Vec<u8> {
            shown().zip(0..).map(|(value, end)| if end == at { domino.outer } else { value }).collect()
        };
        match action {
            Action::Open(domino) => self.judge_domino(state, domino.facing(), &[domino.values().0, domino.values().1]),
            Action::Play { domino, end } => self.judge_domino(state, domino, &shown_after(end, domino)),
            Action::Join(domino) => {
                let end = state.view(Viewer::Everything).phase().end().unwrap_or_default();
                self.judge_domino(state, domino, &shown_after(end, domino))
            }
            Action::Plate(_) => self.best_place(state, action),
            Action::Place { .. } => self.judge_place(state, action),
            Action::Star(_) => STAR,
            Action::Miss => MISS,
            Action::Take => TAKE,
        }
    }
}

impl Domiphun {
    /// A domino gone, and what the ends of the path then show.
    fn judge_domino(&self, state: &State, domino: Facing, ends: &[u8]) -> i32 {
        let turn = state.view(Viewer::Everything).turn();
        let view = state.view(Some(turn));
        let unseen = view.unseen();
        let mut hand = view.hand(turn).unwrap_or(unseen.none());
        hand.remove(domino);
        if hand.is_empty() {
            return WIN;
        }
        if is_dead(&view, hand, ends) {
            return WIN * self.ahead(&view, hand);
        }
        let fitting: i32 = ends.iter().map(|&value| count(hand, value)).sum();
        let next = Seat::new((turn.index() + 1) % self.players());
        let stuck = chance_of_none(unseen, ends, view.num_pieces(next));
        PLAYABLE * fitting.min(1)
            + PIECE * fitting
            + STUCK * stuck / 1000
            + DOUBLE * i32::from(domino.inner == domino.outer)
            + PIP * i32::from(domino.inner + domino.outer)
    }

    /// 1 if the seat in turn, left with `hand`, has least of what counts at the end, as far as it can tell; 0 if it
    /// shares that, -1 if another has less (DOMI-4, DOMI-10).
    fn ahead(&self, view: &View<'_>, hand: Pieces) -> i32 {
        let unseen = view.unseen();
        let (own, each) = match hand {
            Pieces::Squares(_) => (hand.len(), 1),
            // What the others hold has as many pips as the unseen dominoes have on average.
            Pieces::Dominoes(_) => (usize::from(hand.pips()) * unseen.len(), usize::from(unseen.pips())),
        };
        let others = (0..self.players()).map(Seat::new).filter(|&seat| seat != view.turn());
        let fewest = others.map(|seat| view.num_pieces(seat)).min().unwrap_or_default();
        (fewest * each).cmp(&own) as i32
    }

    /// An X joiner gone, and which ends then stand.
    fn judge_place(&self, state: &State, action: Action) -> i32 {
        let turn = state.view(Viewer::Everything).turn();
        let (mut after, mut rng) = (state.clone(), Rng::from_bits(0));
        // Whether the others are stuck then is no more than a guess.
        self.resample_hidden(&mut after, turn, &mut rng);
        self.apply(&mut after, action, &mut rng);
        let (now, then) = (state.view(Some(turn)), after.view(Some(turn)));
        if then.game() != now.game() || then.phase() == Phase::Over {
            let has_won = |seat: usize| then.wins()[seat] > now.wins()[seat];
            let winners = (0..self.players()).filter(|&seat| has_won(seat)).count();
            return if has_won(turn.index()) { WIN * i32::from(winners == 1) } else { -WIN };
        }
        let x_joiners = i32::from(now.x_joiners()[turn.index()]) - i32::from(then.x_joiners()[turn.index()]);
        let hand = then.hand(turn).unwrap_or(then.unseen().none());
        let standing = then.table().ends().iter().filter(|end| can_go_on(&then, end.plate));
        let ends: i32 = standing.map(|end| if count(hand, end.value) > 0 { NEEDED } else { FOR_OTHERS }).sum();
        X_JOINER * x_joiners + ends
    }

    fn best_place(&self, state: &State, action: Action) -> i32 {
        let mut chosen = state.clone();
        self.apply(&mut chosen, action, &mut Rng::from_bits(0));
        let mut best = i32::MIN;
        self.list(&chosen, |place| best = best.max(self.judge_place(&chosen, place)));
        best
    }
}

/// Whether no piece fits ends that show these values, and no Starjoiner helps (DOMI-10); the seat in turn holds `hand`.
fn is_dead(view: &View<'_>, hand: Pieces, ends: &[u8]) -> bool {
    let mut pieces = view.unseen();
    pieces.add(hand);
    ends.iter().all(|&value| pieces.beside(value) == 0) && view.starjoiners().iter().all(|&left| left == 0)
}

/// Whether a domino can be joined to a square straight on.
pub(super) fn can_go_on(view: &View<'_>, plate: u8) -> bool {
    view.table().construction().is_some_and(|construction| {
        construction.place(plate).sides().any(|side| {
            let spot = Spot { plate, side, heading: side };
            construction.fit(spot).is_ok_and(|fit| construction.balance().stands_with(fit.places))
        })
    })
}

/// Pieces that show a value.
pub(super) fn count(pieces: Pieces, value: u8) -> i32 {
    match pieces {
        Pieces::Squares(squares) => squares.count(value).into(),
        Pieces::Dominoes(_) => pieces.beside(value).count_ones() as i32,
    }
}

/// The chance in 1000 that none of `held` unseen pieces shows one of these values.
fn chance_of_none(unseen: Pieces, values: &[u8], held: usize) -> i32 {
    let wanted = match unseen {
        Pieces::Squares(squares) => {
            let wanted = (0..NUM_VALUES as u8).filter(|value| values.contains(value));
            wanted.map(|value| usize::from(squares.count(value))).sum()
        }
        Pieces::Dominoes(dominoes) => {
            let shows = |(low, high): (u8, u8)| values.contains(&low) || values.contains(&high);
            dominoes.iter().filter(|domino| shows(domino.values())).count()
        }
    } as i32;
    let all = unseen.len() as i32;
    (0..held as i32).fold(1000, |chance, drawn| chance * (all - wanted - drawn).max(0) / (all - drawn).max(1))
}
