//! What the deck says of its lines, as bits and by number.

use super::super::stations::{Deck, MAX_LINES};
use super::super::tiles::{ALL, NUM_TILES, Play, Tile, Tiles};

/// The lines that take a tile.
#[derive(Clone, Copy, Default, Debug)]
pub(in super::super) struct Facings {
    /// With the larger half outwards, or the only way of a double.
    pub larger_out: u64,
    /// With the smaller half outwards.
    pub smaller_out: u64,
}

impl Facings {
    /// How many there are.
    #[inline(always)]
    pub fn len(self) -> u32 {
        self.larger_out.count_ones() + self.smaller_out.count_ones()
    }

    /// The plays of the tile there, in the order of the ids.
    #[inline(always)]
    pub fn plays(mut self, tile: Tile) -> impl Iterator<Item = Play> {
        std::iter::from_fn(move || {
            let (larger, smaller) = (self.larger_out.trailing_zeros(), self.smaller_out.trailing_zeros());
            let smaller_out = smaller < larger;
            let (lines, line) =
                if smaller_out { (&mut self.smaller_out, smaller) } else { (&mut self.larger_out, larger) };
            *lines &= lines.wrapping_sub(1);
            (line < u64::BITS).then_some(Play { tile, line: line as u8, smaller_out })
        })
    }
}

/// The lengths and limits of all lines.
#[derive(Clone, Debug)]
pub(in super::super) struct Limits {
    /// Tiles that each line takes; 0 beyond the last.
    pub lengths: [u8; MAX_LINES],
    /// The tiles that the limits of each line allow.
    pub allowed: [Tiles; MAX_LINES],
    /// The lines of one tile.
    pub single: u64,
    /// The lines that take any tile.
    pub unlimited: u64,
    /// The lines whose limits allow each tile.
    facings: [Facings; NUM_TILES],
}

impl Limits {
    pub fn new(deck: &Deck) -> Self {
        let mut limits = Self {
            lengths: [0; _],
            allowed: [Tiles::default(); _],
            single: 0,
            unlimited: 0,
            facings: [Facings::default(); _],
        };
        for (number, track) in deck.tracks().iter().enumerate() {
            limits.lengths[number] = track.line.length;
            limits.allowed[number] = track.allowed;
            limits.single |= u64::from(track.line.length == 1) << number;
            limits.unlimited |= u64::from(track.allowed == ALL) << number;
            for tile in track.allowed.iter() {
                let facings = &mut limits.facings[usize::from(tile.0)];
                facings.larger_out |= 1 << number;
                facings.smaller_out |= u64::from(!tile.is_double()) << number;
            }
        }
        limits
    }

    /// The lines whose limits allow a tile.
    #[inline(always)]
    pub fn facings(&self, tile: Tile) -> Facings {
        self.facings[usize::from(tile.0)]
    }
}
