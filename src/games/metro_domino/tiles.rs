//! The double-nine set: each pair of 0 to 9 once (METR-1).

use serde::{Deserialize, Serialize};

use crate::bits;

/// How many tiles there are.
pub const NUM_TILES: usize = 55;
/// How many values a half can have.
pub const NUM_VALUES: u8 = 10;

/// A tile, numbered 0-0, 0-1, …, 0-9, 1-1, …, 9-9.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Tile(pub u8);

/// Both halves of every tile, the smaller first.
const HALVES: [(u8, u8); NUM_TILES] = {
    let mut halves = [(0, 0); NUM_TILES];
    let (mut low, mut index) = (0, 0);
    while low < NUM_VALUES {
        let mut high = low;
        while high < NUM_VALUES {
            halves[index] = (low, high);
            index += 1;
            high += 1;
        }
        low += 1;
    }
    halves
};

impl Tile {
    /// The tile with these halves, in either order.
    #[must_use]
    pub fn with(one: u8, other: u8) -> Option<Self> {
        let halves = (one.min(other), one.max(other));
        HALVES.iter().position(|&tile| tile == halves).map(|index| Self(index as u8))
    }

    /// The smaller and the larger half.
    #[inline(always)]
    #[must_use]
    pub const fn halves(self) -> (u8, u8) {
        HALVES[self.0 as usize]
    }

    /// Whether both halves are the same.
    #[inline(always)]
    #[must_use]
    pub const fn is_double(self) -> bool {
        DOUBLES.contains(self)
    }
}

/// A set of tiles.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Tiles(pub u64);

/// Every tile.
pub const ALL: Tiles = Tiles((1 << NUM_TILES) - 1);
/// The doubles.
pub const DOUBLES: Tiles = doubles();

/// Tiles with a value in either half.
pub const WITH: [Tiles; NUM_VALUES as usize] = {
    let mut sets = [Tiles(0); NUM_VALUES as usize];
    let mut index = 0;
    while index < NUM_TILES {
        let (low, high) = HALVES[index];
        sets[low as usize].0 |= 1 << index;
        sets[high as usize].0 |= 1 << index;
        index += 1;
    }
    sets
};

const fn doubles() -> Tiles {
    let (mut set, mut index) = (0, 0);
    while index < NUM_TILES {
        let (low, high) = HALVES[index];
        if low == high {
            set |= 1 << index;
        }
        index += 1;
    }
    Tiles(set)
}

impl Tiles {
    /// Whether a tile is in the set.
    #[inline(always)]
    #[must_use]
    pub const fn contains(self, tile: Tile) -> bool {
        self.0 >> tile.0 & 1 == 1
    }

    /// Adds a tile.
    #[inline(always)]
    pub const fn insert(&mut self, tile: Tile) {
        self.0 |= 1 << tile.0;
    }

    /// Takes a tile away.
    #[inline(always)]
    pub const fn remove(&mut self, tile: Tile) {
        self.0 &= !(1 << tile.0);
    }

    /// How many tiles there are.
    #[inline(always)]
    #[must_use]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether there are none.
    #[inline(always)]
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The tiles in order.
    #[inline(always)]
    pub fn iter(self) -> impl Iterator<Item = Tile> {
        bits::each(self.0).map(Tile)
    }
}

/// A tile on a line, one half outwards.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Debug, Serialize, Deserialize)]
pub struct Play {
    /// The tile.
    pub tile: Tile,
    /// The number of the line.
    pub line: u8,
    /// Whether the smaller half lies outwards; never for a double.
    pub smaller_out: bool,
}

impl Play {
    /// The half towards the station and the one that the next tile has to match.
    #[inline(always)]
    #[must_use]
    pub const fn inward_outward(self) -> (u8, u8) {
        let (low, high) = self.tile.halves();
        if self.smaller_out { (high, low) } else { (low, high) }
    }
}

#[cfg(test)]
mod tests {
    use super::{ALL, DOUBLES, NUM_TILES, Tile, WITH};

    #[test]
    fn the_set_has_each_pair_once() {
        assert_eq!((ALL.len(), DOUBLES.len()), (NUM_TILES, 10));
        for (index, tile) in ALL.iter().enumerate() {
            let (low, high) = tile.halves();
            assert!(low <= high && high < 10);
            assert_eq!((usize::from(tile.0), Tile::with(high, low)), (index, Some(tile)));
            assert_eq!(tile.is_double(), low == high);
            let values: Vec<u8> = (0..10).filter(|&value| WITH[usize::from(value)].contains(tile)).collect();
            assert_eq!((values.first(), values.last()), (Some(&low), Some(&high)));
            assert_eq!(values.len(), if low == high { 1 } else { 2 });
        }
        assert_eq!(Tile::with(3, 10), None);
    }
}
