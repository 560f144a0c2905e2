//! The tiles on the table.

use std::hash::{Hash, Hasher};

use serde::{Deserialize, Serialize};

use super::super::tiles::{NUM_TILES, Play, Tile};
use crate::list::List;

type Plays = List<Play, NUM_TILES>;

/// Every tile on the table, in the order in which they were played on their lines: two bytes each, kept and told apart as
/// a list of plays.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(from = "Plays", into = "Plays")]
pub(super) struct Laid(List<u16, NUM_TILES>);

/// More lines than there can be: what a save from outside has beyond them is as wrong as this.
const NO_LINE: u8 = 127;

impl Laid {
    /// Adds a tile.
    ///
    /// # Panics
    /// If there is no room.
    #[inline(always)]
    pub fn push(&mut self, Play { tile, line, smaller_out }: Play) {
        let place = line.min(NO_LINE) << 1 | u8::from(smaller_out);
        self.0.push(u16::from_le_bytes([tile.0, place]));
    }

    /// The tiles in their order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Play> {
        self.0.iter().map(|packed| {
            let [tile, place] = packed.to_le_bytes();
            Play { tile: Tile(tile), line: place >> 1, smaller_out: place & 1 == 1 }
        })
    }
}

impl Hash for Laid {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.iter().collect::<Plays>().hash(hasher);
    }
}

impl From<Plays> for Laid {
    fn from(plays: Plays) -> Self {
        let mut laid = Self::default();
        for &play in &*plays {
            laid.push(play);
        }
        laid
    }
}

impl From<Laid> for Plays {
    fn from(laid: Laid) -> Self {
        laid.iter().collect()
    }
}

#[cfg(test)]
mod tests {
    use std::hash::{Hash as _, Hasher as _};

    use super::{Laid, Play, Tile};
    use crate::digest::Digest;

    #[test]
    fn tiles_are_kept_and_told_apart_as_a_list() {
        let play = |tile, line, smaller_out| Play { tile: Tile(tile), line, smaller_out };
        let plays = [play(54, 35, false), play(1, 0, true), play(255, 127, true)];
        let mut laid = Laid::default();
        for play in plays {
            laid.push(play);
        }
        assert_eq!(laid.iter().collect::<Vec<_>>(), plays);
        let text = serde_json::to_string(&laid).unwrap();
        assert_eq!(text, serde_json::to_string(&plays).unwrap());
        assert_eq!(serde_json::from_str::<Laid>(&text).unwrap(), laid);
        let [mut ours, mut theirs] = [Digest::new(), Digest::new()];
        laid.hash(&mut ours);
        plays[..].hash(&mut theirs);
        assert_eq!(ours.finish(), theirs.finish());
        laid.push(play(0, 200, false));
        assert_eq!(laid.iter().last(), Some(play(0, 127, false)));
    }
}
