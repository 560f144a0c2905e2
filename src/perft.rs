//! Counting sequences of decisions: the classic proof that a move generator is right.

use crate::bits;
use crate::game::Fast;
use crate::rng::Rng;

/// How many sequences of `depth` legal decisions start here. A match that ends sooner counts as one, as is usual in
/// Othello, where the players go on passing.
///
/// Where an action draws, every branch draws the same numbers.
pub fn perft<R: Fast>(rules: &R, state: &R::State, rng: &Rng, depth: u32) -> u64 {
    let mut scratch = Vec::new();
    match depth {
        0 => 1,
        1 => rules.num_legal(state, &mut scratch).max(1) as u64,
        2 => rules.count_two(state, rng, &mut scratch),
        _ => deeper(rules, state, rng, depth, &mut scratch),
    }
}

/// The same for a depth of at least 3. `stack` is as long afterwards as before.
fn deeper<R: Fast>(rules: &R, state: &R::State, rng: &Rng, depth: u32, stack: &mut Vec<R::Action>) -> u64 {
    let bottom = stack.len();
    rules.legal_actions(state, stack);
    let top = stack.len();
    if top == bottom {
        return 1;
    }
    let leaves = bits::wide(
        #[inline(always)]
        || {
            let mut leaves = 0;
            let mut scratch = Vec::new();
            for index in bottom..top {
                let mut next = state.clone();
                rules.apply(&mut next, stack[index], &mut rng.clone());
                leaves += match depth {
                    3 => rules.count_two(&next, rng, &mut scratch),
                    _ => deeper(rules, &next, rng, depth - 1, stack),
                };
            }
            leaves
        },
    );
    stack.truncate(bottom);
    leaves
}
