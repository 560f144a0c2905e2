//! Boards before the first move: drawn, or put together by a player.

use super::super::board::{Border, CENTRE, CENTRE_MAIN, CENTRE_OTHER, Cell, Jokers, Place, moves};
use super::options::{Opening, Options, RING, Symmetry};
use crate::bits;
use crate::rng::Rng;

/// The pieces of a set-up. `jokers` has a bit per border cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Board {
    /// Cells with a wall.
    pub walls: u64,
    /// Cells with a bonus.
    pub bonuses: u64,
    /// Border cells with a joker.
    pub jokers: u64,
}

impl Board {
    /// Whether anybody can make the first move.
    pub fn is_playable(&self, options: &Options) -> bool {
        let [black, white] = opening(options.opening);
        let jokers = Jokers::from(self.jokers);
        let free = !(self.walls | CENTRE);
        moves(black, white, free, &jokers) | moves(white, black, free, &jokers) != 0
    }
}

/// The first discs of black and of white (MAPE-4).
pub fn opening(opening: Option<Opening>) -> [u64; 2] {
    match opening {
        Some(Opening::Othello) => [CENTRE_OTHER, CENTRE_MAIN],
        _ => [CENTRE_MAIN, CENTRE_OTHER],
    }
}

/// A set-up with these numbers of pieces, every one that the symmetry allows as likely as any other (MAPE-14).
pub fn draw(walls: u8, bonuses: u8, jokers: u8, symmetry: Symmetry, rng: &mut Rng) -> Board {
    let inner = Orbits::new(!CENTRE, |n| image(Place::Inner(Cell(n)), symmetry));
    let ring = Orbits::new(RING, |n| image(Place::Border(Border(n)), symmetry));
    let [walls, bonuses] = inner.draw([walls, bonuses], rng);
    let [jokers, _] = ring.draw([jokers, 0], rng);
    Board { walls, bonuses, jokers }
}

/// The number of the cell that a symmetry puts a cell on.
fn image(place: Place, symmetry: Symmetry) -> u8 {
    let (row, column) = place.row_column();
    let (row, column) = match symmetry {
        Symmetry::None => (row, column),
        Symmetry::Rotate => (9 - row, 9 - column),
        Symmetry::Diagonal => (column, row),
    };
    match Place::at(row, column) {
        Some(Place::Inner(Cell(n)) | Place::Border(Border(n))) => n,
        None => unreachable!("a symmetry maps the board onto itself"),
    }
}

/// Cells that a symmetry keeps in place, and the lower cell of each pair that it swaps.
struct Orbits {
    singles: u64,
    pairs: u64,
    twin: [u8; 64],
}

impl Orbits {
    fn new(cells: u64, image: impl Fn(u8) -> u8) -> Self {
        let mut orbits = Self { singles: 0, pairs: 0, twin: [0; 64] };
        for cell in bits::each(cells) {
            let twin = image(cell);
            orbits.twin[usize::from(cell)] = twin;
            match twin.cmp(&cell) {
                std::cmp::Ordering::Equal => orbits.singles |= 1 << cell,
                std::cmp::Ordering::Greater => orbits.pairs |= 1 << cell,
                std::cmp::Ordering::Less => {}
            }
        }
        orbits
    }

    /// Two disjoint sets of these sizes, each mapped onto itself, uniformly among all such pairs of sets.
    fn draw(&self, [first, second]: [u8; 2], rng: &mut Rng) -> [u64; 2] {
        let singles = self.singles.count_ones();
        let pairs = self.pairs.count_ones();
        // How many ways there are to take `a` and `b` of the single cells, and the rest in pairs.
        let ways = |a: u32, b: u32| {
            let (rest_a, rest_b) = (u32::from(first) - a, u32::from(second) - b);
            if rest_a % 2 + rest_b % 2 > 0 {
                return 0;
            }
            choose(singles, a)
                * choose(singles.saturating_sub(a), b)
                * choose(pairs, rest_a / 2)
                * choose(pairs.saturating_sub(rest_a / 2), rest_b / 2)
        };
        let splits = || (0..=u32::from(first)).flat_map(|a| (0..=u32::from(second)).map(move |b| (a, b)));
        let mut ticket = rng.below_wide(splits().map(|(a, b)| ways(a, b)).sum());
        for (a, b) in splits() {
            let ways = ways(a, b);
            if ticket >= ways {
                ticket -= ways;
                continue;
            }
            let single_a = rng.subset(self.singles, a);
            let single_b = rng.subset(self.singles & !single_a, b);
            let pair_a = rng.subset(self.pairs, (u32::from(first) - a) / 2);
            let pair_b = rng.subset(self.pairs & !pair_a, (u32::from(second) - b) / 2);
            return [single_a | self.both(pair_a), single_b | self.both(pair_b)];
        }
        unreachable!("the tickets are as many as the ways")
    }

    fn both(&self, pairs: u64) -> u64 {
        bits::each(pairs).fold(pairs, |cells, cell| cells | 1 << self.twin[usize::from(cell)])
    }
}

fn choose(n: u32, k: u32) -> u128 {
    if k > n {
        return 0;
    }
    (0..k).fold(1, |ways, i| ways * u128::from(n - i) / u128::from(i + 1))
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::{CENTRE, Orbits, draw, image};
    use crate::games::mapello::Symmetry;
    use crate::games::mapello::board::{Border, Cell, Place};
    use crate::rng::{Origin, Purpose, Rng};

    fn rng(seed: u64) -> Rng {
        Rng::new(Origin { seed, lane: 0 }, 0, Purpose::Game)
    }

    /// MAPE-14: uniform over all set-ups that the symmetry maps onto themselves.
    #[test]
    fn mape_14_every_symmetric_set_up_is_as_likely() {
        // Two single cells and two pairs: small enough to list every outcome.
        let twin = [0, 1, 3, 2, 5, 4];
        let orbits = Orbits::new(0b11_1111, |n| twin[usize::from(n)]);
        let mut counts = HashMap::new();
        let mut rng = rng(1);
        for _ in 0..30_000 {
            *counts.entry(orbits.draw([2, 1], &mut rng)).or_insert(0_i32) += 1;
        }
        // The first set is a pair (2 ways) and the second a single (2 ways), or the first both singles: then the
        // second would need a single more.
        assert_eq!(counts.len(), 4);
        assert!(counts.values().all(|&count| (count - 7500).abs() < 400), "{counts:?}");
    }

    #[test]
    fn mape_14_a_drawn_board_is_mapped_onto_itself() {
        let mut rng = rng(2);
        for symmetry in [Symmetry::None, Symmetry::Rotate, Symmetry::Diagonal] {
            for _ in 0..200 {
                let board = draw(6, 4, 8, symmetry, &mut rng);
                let counts = [board.walls, board.bonuses, board.jokers].map(u64::count_ones);
                assert_eq!(counts, [6, 4, 8]);
                assert_eq!(board.walls & board.bonuses | (board.walls | board.bonuses) & CENTRE, 0);
                let mapped = |set: u64, place: fn(u8) -> Place| {
                    crate::bits::each(set).fold(0, |to, n| to | 1 << image(place(n), symmetry))
                };
                assert_eq!(mapped(board.walls, |n| Place::Inner(Cell(n))), board.walls);
                assert_eq!(mapped(board.bonuses, |n| Place::Inner(Cell(n))), board.bonuses);
                assert_eq!(mapped(board.jokers, |n| Place::Border(Border(n))), board.jokers);
            }
        }
    }
}
