use serde::{Deserialize, Serialize};

/// The largest table any game here seats.
pub const MAX_SEATS: usize = 6;

/// A fixed place at the table, numbered clockwise from 0.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Seat(u8);

impl Seat {
    /// The seat with this number.
    ///
    /// # Panics
    /// If no table is that large.
    #[inline(always)]
    #[must_use]
    pub const fn new(index: usize) -> Self {
        assert!(index < MAX_SEATS, "no table is that large");
        Self(index as u8)
    }

    /// Its number, for indexing.
    #[inline(always)]
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// All seats of a table of so many, this one first, then clockwise.
    #[inline(always)]
    pub fn around(self, seats: usize) -> impl Iterator<Item = Self> + Clone {
        (self.index()..seats).chain(0..self.index()).map(Self::new)
    }
}
