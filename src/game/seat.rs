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

/// Who looks at a table, and so what they may see of it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Viewer {
    /// Somebody who sees everything: a program, or all when the match is over.
    Everything,
    /// The player at a seat.
    Seat(Seat),
    /// Somebody without a hand, who sees what lies open to all.
    Onlooker,
}

impl Viewer {
    /// Whether the viewer sees what a seat holds.
    #[inline(always)]
    #[must_use]
    pub fn sees(self, seat: Seat) -> bool {
        self.sees_everything() || self == Self::Seat(seat)
    }

    /// Whether nothing is hidden from the viewer.
    #[inline(always)]
    #[must_use]
    pub fn sees_everything(self) -> bool {
        self == Self::Everything
    }

    /// Where the viewer sits, who then can choose among what they see.
    #[inline(always)]
    #[must_use]
    pub fn seat(self) -> Option<Seat> {
        if let Self::Seat(seat) = self { Some(seat) } else { None }
    }

    /// Whether the viewer may know what somebody can do who is to act.
    #[must_use]
    pub fn knows_actions_of(self, to_act: Option<Seat>) -> bool {
        self.sees_everything() || to_act.is_some_and(|seat| self.sees(seat))
    }
}

impl From<Seat> for Viewer {
    fn from(seat: Seat) -> Self {
        Self::Seat(seat)
    }
}

/// Nobody in particular sees everything.
impl From<Option<Seat>> for Viewer {
    fn from(seat: Option<Seat>) -> Self {
        seat.map_or(Self::Everything, Self::Seat)
    }
}
