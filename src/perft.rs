//! Counting sequences of decisions: the classic proof that a move generator is right.

use crate::bits;
use crate::game::Encode;
use crate::rng::Rng;

/// How many sequences of `depth` legal decisions start here. A match that ends sooner counts as one, as is usual in
/// Othello, where the players go on passing.
///
/// Where an action draws, every branch draws the same numbers.
pub fn perft<R: Encode>(rules: &R, state: &R::State, rng: &Rng, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut actions = Vec::with_capacity(64);
    if depth == 1 {
        return rules.num_legal(state, &mut actions).max(1) as u64;
    }
    rules.legal_actions(state, &mut actions);
    if actions.is_empty() {
        return 1;
    }
    bits::wide(
        #[inline(always)]
        || {
            let mut scratch = Vec::new();
            let mut leaves = 0;
            for &action in &actions {
                leaves += if depth == 2 {
                    rules.num_legal_after(state, action, rng, &mut scratch).max(1) as u64
                } else {
                    let mut next = state.clone();
                    rules.apply(&mut next, action, &mut rng.clone());
                    perft(rules, &next, rng, depth - 1)
                };
            }
            leaves
        },
    )
}
