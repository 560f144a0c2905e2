use super::{Rules, Seat};
use crate::layout::Layout;
use crate::relation::Relation;
use crate::rng::Rng;

/// How a game looks to a learner.
pub trait Encode: Rules {
    /// Named ranges of action ids.
    fn actions(&self) -> &Layout;
    /// The number of an action.
    fn action_id(&self, action: Self::Action) -> usize;
    /// Inverse of `action_id`, defined for every id.
    fn action(&self, id: usize) -> Self::Action;

    /// Named blocks of one observation row.
    fn observation(&self) -> &Layout;
    /// Writes what `viewer` knows over the whole row, the viewer's own seat first.
    fn observe(&self, state: &Self::State, viewer: Seat, row: &mut [u8]);

    /// Named blocks of the row of facts about one action.
    fn facts(&self) -> &Layout;
    /// Writes what the seat to act can see about one of its legal actions over the whole row: facts that a player at the
    /// table would count, never how good it is, nothing hidden.
    fn describe_action(&self, state: &Self::State, action: Self::Action, row: &mut [u8]);

    /// What goes with what in every match, by the labels of the blocks; none, if nothing does.
    fn relations(&self) -> Vec<Relation> {
        Vec::new()
    }
}

/// A legal action to be played in a match.
pub struct Play<'a, R: Rules> {
    /// The match.
    pub state: &'a mut R::State,
    /// What to play.
    pub action: R::Action,
    /// The match's chance.
    pub rng: &'a mut Rng,
}

/// Fast paths. All are provided from the list of legal actions, so that a plain game writes `impl Fast for Ladder {}`;
/// the conformance suite compares those that a game overrides with what is provided.
pub trait Fast: Encode {
    /// Whether returns are 0 until the match is over; the batch then need not ask before.
    const PAYS_AT_THE_END: bool = false;

    /// Bytes that a state takes beyond its own size.
    fn heap_bytes(&self) -> usize {
        0
    }

    /// Plays an action in each of several matches, as [`Rules::apply`] does.
    #[inline(always)]
    fn apply_each<'a>(&self, plays: impl Iterator<Item = Play<'a, Self>>) {
        for Play { state, action, rng } in plays {
            self.apply(state, action, rng);
        }
    }

    /// Writes 1 for every legal action of the seat to act and 0 elsewhere, over the whole mask.
    fn write_mask(&self, state: &Self::State, mask: &mut [i8], scratch: &mut Vec<Self::Action>) {
        by_list::write_mask(self, state, mask, scratch);
    }

    /// Writes what the seat to act knows and may do, as `observe` and `write_mask` do, and returns that seat. The match
    /// is not over.
    #[inline(always)]
    fn write_turn(
        &self,
        state: &Self::State,
        row: &mut [u8],
        mask: &mut [i8],
        scratch: &mut Vec<Self::Action>,
    ) -> Option<Seat> {
        by_list::write_turn(self, state, row, mask, scratch)
    }

    /// Writes the facts about some legal actions, a row each, as [`Encode::describe_action`] does.
    fn describe_actions(&self, state: &Self::State, actions: &[Self::Action], rows: &mut [u8]) {
        by_list::describe_actions(self, state, actions, rows);
    }

    /// How many actions are legal.
    fn num_legal(&self, state: &Self::State, scratch: &mut Vec<Self::Action>) -> usize {
        by_list::num_legal(self, state, scratch)
    }

    /// How many sequences of two decisions there are; one that ends the match counts once. Draws from copies of `rng`.
    fn count_two(&self, state: &Self::State, rng: &Rng, scratch: &mut Vec<Self::Action>) -> u64 {
        by_list::count_two(self, state, rng, scratch)
    }

    /// A uniform legal action of a match that is not over, chosen by 64 random bits.
    fn random_action(&self, state: &Self::State, random: u64, scratch: &mut Vec<Self::Action>) -> Self::Action {
        by_list::random_action(self, state, random, scratch)
    }
}

/// What [`Fast`] provides, from the list of legal actions. A game with a faster way for its usual phase falls back on
/// these for the others.
pub mod by_list {
    use super::{Fast, Seat};
    use crate::rng::{self, Rng};

    /// See [`Fast::write_turn`]. Inlined, so that rows are written by vector code.
    #[inline(always)]
    pub fn write_turn<R: Fast>(
        rules: &R,
        state: &R::State,
        row: &mut [u8],
        mask: &mut [i8],
        scratch: &mut Vec<R::Action>,
    ) -> Option<Seat> {
        let seat = rules.to_act(state)?;
        rules.observe(state, seat, row);
        rules.write_mask(state, mask, scratch);
        Some(seat)
    }

    /// See [`Fast::write_mask`].
    pub fn write_mask<R: Fast>(rules: &R, state: &R::State, mask: &mut [i8], scratch: &mut Vec<R::Action>) {
        mask.fill(0);
        scratch.clear();
        rules.legal_actions(state, scratch);
        for &action in &*scratch {
            mask[rules.action_id(action)] = 1;
        }
    }

    /// See [`Fast::describe_actions`].
    pub fn describe_actions<R: Fast>(rules: &R, state: &R::State, actions: &[R::Action], rows: &mut [u8]) {
        for (&action, row) in actions.iter().zip(rows.chunks_exact_mut(rules.facts().size())) {
            rules.describe_action(state, action, row);
        }
    }

    /// See [`Fast::num_legal`].
    pub fn num_legal<R: Fast>(rules: &R, state: &R::State, scratch: &mut Vec<R::Action>) -> usize {
        scratch.clear();
        rules.legal_actions(state, scratch);
        scratch.len()
    }

    /// See [`Fast::count_two`].
    pub fn count_two<R: Fast>(rules: &R, state: &R::State, rng: &Rng, scratch: &mut Vec<R::Action>) -> u64 {
        let mut actions = Vec::new();
        rules.legal_actions(state, &mut actions);
        let after = |action| {
            let mut next = state.clone();
            rules.apply(&mut next, action, &mut rng.clone());
            rules.num_legal(&next, scratch).max(1) as u64
        };
        if actions.is_empty() { 1 } else { actions.into_iter().map(after).sum() }
    }

    /// See [`Fast::random_action`].
    pub fn random_action<R: Fast>(rules: &R, state: &R::State, random: u64, scratch: &mut Vec<R::Action>) -> R::Action {
        scratch.clear();
        rules.legal_actions(state, scratch);
        scratch[rng::scale(random, scratch.len() as u32) as usize]
    }
}
