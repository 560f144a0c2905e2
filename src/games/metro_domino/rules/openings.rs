//! The stations that somebody opened.

use std::hash::{Hash, Hasher};
use std::ops::Deref;

use serde::{Deserialize, Serialize};

use super::{MAX_OPENINGS, MAX_PLAYERS};
use crate::list::List;

/// A station that somebody opened, and the line that led there (METR-8).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug, Serialize, Deserialize)]
pub struct Opening {
    pub(in super::super) station: u8,
    pub(in super::super) by: u8,
    pub(in super::super) line: u8,
}

/// The opened stations in their order; kept, and told apart, as that list.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(from = "List<Opening, MAX_OPENINGS>", into = "List<Opening, MAX_OPENINGS>")]
pub(super) struct Openings {
    list: List<Opening, MAX_OPENINGS>,
    /// The stations that each seat opened.
    by_seat: [u64; MAX_PLAYERS],
}

impl Openings {
    /// Adds a station.
    ///
    /// # Panics
    /// If there is no room.
    #[inline(always)]
    pub fn push(&mut self, opening: Opening) {
        self.list.push(opening);
        if let Some(stations) = self.by_seat.get_mut(usize::from(opening.by)) {
            *stations |= 1_u64.wrapping_shl(opening.station.into());
        }
    }

    /// The stations that a seat opened.
    #[inline(always)]
    pub fn by(&self, seat: usize) -> u64 {
        self.by_seat[seat]
    }
}

impl Deref for Openings {
    type Target = [Opening];

    #[inline(always)]
    fn deref(&self) -> &[Opening] {
        &self.list
    }
}

impl Hash for Openings {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.list.hash(hasher);
    }
}

impl From<List<Opening, MAX_OPENINGS>> for Openings {
    fn from(list: List<Opening, MAX_OPENINGS>) -> Self {
        let mut openings = Self::default();
        for &opening in &*list {
            openings.push(opening);
        }
        openings
    }
}

impl From<Openings> for List<Opening, MAX_OPENINGS> {
    fn from(openings: Openings) -> Self {
        openings.list
    }
}

#[cfg(test)]
mod tests {
    use std::hash::{Hash as _, Hasher as _};

    use super::{Opening, Openings};
    use crate::digest::Digest;

    #[test]
    fn openings_are_kept_and_told_apart_as_a_list() {
        let mut openings = Openings::default();
        let both = [Opening { station: 3, by: 1, line: 0 }, Opening { station: 5, by: 1, line: 2 }];
        for opening in both {
            openings.push(opening);
        }
        assert_eq!([0, 1].map(|seat| openings.by(seat)), [0, 0b10_1000]);
        let text = serde_json::to_string(&openings).unwrap();
        assert_eq!(text, r#"[{"station":3,"by":1,"line":0},{"station":5,"by":1,"line":2}]"#);
        assert_eq!(serde_json::from_str::<Openings>(&text).unwrap(), openings);
        // A save from outside can hold anything; the rules refuse it later.
        assert!(serde_json::from_str::<Openings>(r#"[{"station":255,"by":255,"line":255}]"#).is_ok());
        let [mut ours, mut theirs] = [Digest::new(), Digest::new()];
        openings.hash(&mut ours);
        both[..].hash(&mut theirs);
        assert_eq!(ours.finish(), theirs.finish());
    }
}
