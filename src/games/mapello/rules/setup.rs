//! Boards before the first move: drawn, or put together by a player.

use super::super::board::{Border, CENTRE, CENTRE_MAIN, CENTRE_OTHER, Cell, Jokers, Square, moves, outside};
use super::Action;
use super::options::{Opening, Options, RING, Symmetry};
use crate::bits;
use crate::rng::Rng;

/// The pieces of a set-up, without the walls around a smaller board. `jokers` has a bit per border cell.
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
    #[must_use]
    pub fn is_playable(&self, options: &Options) -> bool {
        self.first_moves(options) != 0
    }

    /// Cells where black or white could place the first disc.
    fn first_moves(&self, options: &Options) -> u64 {
        let [black, white] = opening(options.opening);
        let jokers = Jokers::from(self.jokers);
        let free = !(self.walls | outside(options.size) | CENTRE);
        moves(black, white, free, &jokers) | moves(white, black, free, &jokers)
    }

    /// The same with a piece more.
    pub(super) fn with(mut self, piece: Action) -> Self {
        match piece {
            Action::Wall(cell) => self.walls |= cell.bit(),
            Action::Bonus(cell) => self.bonuses |= cell.bit(),
            Action::Joker(cell) => self.jokers |= cell.bit(),
            Action::Disc(_) | Action::Pass | Action::Finish | Action::Take(_) => {}
        }
        self
    }

    /// Inner cells that take a piece.
    pub(super) fn room(&self, size: u8) -> u64 {
        !(self.walls | self.bonuses | outside(size) | CENTRE)
    }

    /// Walls, bonuses and jokers.
    fn counts(&self) -> [u8; 3] {
        [self.walls, self.bonuses, self.jokers].map(|set| set.count_ones() as u8)
    }
}

/// How many walls, bonuses and jokers a player sets up (MAPE-15).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Agreed {
    pub least: [u8; 3],
    pub most: [u8; 3],
}

impl Agreed {
    /// What may still be placed.
    pub fn left(self, board: &Board) -> [u8; 3] {
        minus(self.most, board.counts())
    }

    /// What has to be placed before the set-up can be finished.
    pub fn missing(self, board: &Board) -> [u8; 3] {
        minus(self.least, board.counts())
    }

    /// Whether no more are on the board than may be placed.
    pub fn has_no_more(self, board: &Board) -> bool {
        minus(board.counts(), self.most) == [0; 3]
    }

    /// Whether any one piece may be placed: two cells of first moves are left, and room for a piece beside the others.
    pub fn is_at_ease(self, board: &Board, options: &Options) -> bool {
        let [walls, bonuses, _] = self.missing(board).map(u32::from);
        let room = board.room(options.size).count_ones();
        board.first_moves(options).count_ones() > 1 && walls + bonuses.max(1) < room
    }

    /// Whether what is missing can be placed so that somebody has a first move.
    pub fn is_in_reach(self, board: &Board, options: &Options) -> bool {
        let first_moves = board.first_moves(options);
        let room = board.room(options.size).count_ones();
        let [walls, bonuses, _] = self.missing(board).map(u32::from);
        // One of these cells stays without a wall: one with a bonus, or one of the room for walls.
        let kept = u32::from(first_moves & board.bonuses == 0);
        first_moves != 0 && walls + bonuses.max(kept) <= room
    }
}

fn minus(numbers: [u8; 3], placed: [u8; 3]) -> [u8; 3] {
    std::array::from_fn(|kind| numbers[kind].saturating_sub(placed[kind]))
}

/// The first discs of black and of white (MAPE-4).
pub fn opening(opening: Option<Opening>) -> [u64; 2] {
    match opening {
        Some(Opening::Othello) => [CENTRE_OTHER, CENTRE_MAIN],
        _ => [CENTRE_MAIN, CENTRE_OTHER],
    }
}

/// Set-ups with given numbers of pieces, every one that the symmetry allows as likely as any other (MAPE-14).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Draw {
    inner: Orbits,
    ring: Orbits,
}

impl Draw {
    pub fn new([walls, bonuses, jokers]: [u8; 3], symmetry: Symmetry, size: u8) -> Self {
        Self {
            inner: Orbits::new(
                !(CENTRE | outside(size)),
                |n| image(Square::Inner(Cell(n)), symmetry),
                [walls, bonuses],
            ),
            ring: Orbits::new(RING, |n| image(Square::Border(Border(n)), symmetry), [jokers, 0]),
        }
    }

    pub fn board(&self, rng: &mut Rng) -> Board {
        let [walls, bonuses] = self.inner.draw(rng);
        let [jokers, _] = self.ring.draw(rng);
        Board { walls, bonuses, jokers }
    }
}

/// The number of the cell that a symmetry puts a cell on.
fn image(square: Square, symmetry: Symmetry) -> u8 {
    let (row, column) = square.row_column();
    let (row, column) = match symmetry {
        Symmetry::None => (row, column),
        Symmetry::Rotate => (9 - row, 9 - column),
        Symmetry::Diagonal => (column, row),
    };
    match Square::at(row, column) {
        Some(Square::Inner(Cell(n)) | Square::Border(Border(n))) => n,
        None => unreachable!("a symmetry maps the board onto itself"),
    }
}

/// Pairs of disjoint sets of cells, of given sizes, that a symmetry maps onto themselves.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Orbits {
    /// Cells that the symmetry keeps in place.
    singles: u64,
    /// The lower cell of each pair that it swaps.
    pairs: u64,
    /// Where it puts a cell.
    twin: [u8; 64],
    splits: Vec<Split>,
}

/// How many of the two sets' cells are single, the others coming in pairs, and in how many ways.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Split {
    singles: [u32; 2],
    pairs: [u32; 2],
    ways: u128,
}

impl Orbits {
    fn new(cells: u64, image: impl Fn(u8) -> u8, sizes: [u8; 2]) -> Self {
        let mut orbits = Self { singles: 0, pairs: 0, twin: [0; 64], splits: Vec::new() };
        for cell in bits::each(cells) {
            let twin = image(cell);
            orbits.twin[usize::from(cell)] = twin;
            match twin.cmp(&cell) {
                std::cmp::Ordering::Equal => orbits.singles |= 1 << cell,
                std::cmp::Ordering::Greater => orbits.pairs |= 1 << cell,
                std::cmp::Ordering::Less => {}
            }
        }
        let [first, second] = sizes.map(u32::from);
        for a in (first % 2..=first).step_by(2) {
            for b in (second % 2..=second).step_by(2) {
                let singles = [a, b];
                let pairs = [(first - a) / 2, (second - b) / 2];
                let ways = disjoint(orbits.singles.count_ones(), singles) * disjoint(orbits.pairs.count_ones(), pairs);
                if ways > 0 {
                    orbits.splits.push(Split { singles, pairs, ways });
                }
            }
        }
        orbits
    }

    /// One of the pairs of sets, each as likely as any other.
    fn draw(&self, rng: &mut Rng) -> [u64; 2] {
        let mut ticket = match &self.splits[..] {
            [_] => 0,
            splits => rng.below_wide(splits.iter().map(|split| split.ways).sum()),
        };
        let split = self.splits.iter().find(|split| match ticket.checked_sub(split.ways) {
            Some(rest) => {
                ticket = rest;
                false
            }
            None => true,
        });
        let Some(Split { singles: [a, b], pairs: [c, d], .. }) = split else { return [0, 0] };
        let single_a = rng.subset(self.singles, *a);
        let single_b = rng.subset(self.singles & !single_a, *b);
        let pair_a = rng.subset(self.pairs, *c);
        let pair_b = rng.subset(self.pairs & !pair_a, *d);
        [single_a | self.both(pair_a), single_b | self.both(pair_b)]
    }

    fn both(&self, pairs: u64) -> u64 {
        bits::each(pairs).fold(pairs, |cells, cell| cells | 1 << self.twin[usize::from(cell)])
    }
}

/// In how many ways two disjoint sets of these sizes can be taken from `n` things.
fn disjoint(n: u32, [first, second]: [u32; 2]) -> u128 {
    choose(n, first) * choose(n.saturating_sub(first), second)
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

    use super::{CENTRE, Draw, Orbits, image};
    use crate::games::mapello::Symmetry;
    use crate::games::mapello::board::{Border, Cell, Square};
    use crate::rng::{Origin, Purpose, Rng};

    fn rng(seed: u64) -> Rng {
        Rng::new(Origin { seed, lane: 0 }, 0, Purpose::Game)
    }

    /// MAPE-14: uniform over all set-ups that the symmetry maps onto themselves.
    #[test]
    fn mape_14_every_symmetric_set_up_is_as_likely() {
        // Two single cells and two pairs: small enough to list every outcome.
        let twin = [0, 1, 3, 2, 5, 4];
        let orbits = Orbits::new(0b11_1111, |n| twin[usize::from(n)], [2, 1]);
        let mut counts = HashMap::new();
        let mut rng = rng(1);
        for _ in 0..30_000 {
            *counts.entry(orbits.draw(&mut rng)).or_insert(0_i32) += 1;
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
            let draw = Draw::new([6, 4, 8], symmetry, 8);
            for _ in 0..200 {
                let board = draw.board(&mut rng);
                let counts = [board.walls, board.bonuses, board.jokers].map(u64::count_ones);
                assert_eq!(counts, [6, 4, 8]);
                assert_eq!(board.walls & board.bonuses | (board.walls | board.bonuses) & CENTRE, 0);
                let mapped = |set: u64, square: fn(u8) -> Square| {
                    crate::bits::each(set).fold(0, |to, n| to | 1 << image(square(n), symmetry))
                };
                assert_eq!(mapped(board.walls, |n| Square::Inner(Cell(n))), board.walls);
                assert_eq!(mapped(board.bonuses, |n| Square::Inner(Cell(n))), board.bonuses);
                assert_eq!(mapped(board.jokers, |n| Square::Border(Border(n))), board.jokers);
            }
        }
    }
}
