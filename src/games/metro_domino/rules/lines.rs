//! How far the lines have come.

use std::hash::{Hash, Hasher};

use serde::{Deserialize, Serialize};

use super::super::stations::MAX_LINES;
use crate::list::List;

/// How far a line has come.
#[derive(Clone, Copy, Hash, Default, Serialize, Deserialize)]
struct Progress {
    tiles: u8,
    /// The outward half of the last tile; 0 before the first.
    end: u8,
}

type Progresses = List<Progress, MAX_LINES>;

/// How far every line has come; kept, and told apart, as a list of [`Progress`].
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(from = "Progresses", into = "Progresses")]
pub(super) struct Lines {
    tiles: [u8; MAX_LINES],
    ends: [u8; MAX_LINES],
    len: u8,
    /// The lines with tiles.
    begun: u64,
}

impl Lines {
    /// So many lines without tiles.
    pub fn new(len: usize) -> Self {
        Self { tiles: [0; _], ends: [0; _], len: len as u8, begun: 0 }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.len.into()
    }

    /// Adds a tile with this half outwards, and returns how many the line has now.
    #[inline(always)]
    pub fn add(&mut self, line: u8, end: u8) -> u8 {
        let at = usize::from(line);
        self.tiles[at] += 1;
        self.ends[at] = end;
        self.begun |= 1 << line;
        self.tiles[at]
    }

    /// How many tiles each line has, 0 beyond the last.
    #[inline(always)]
    pub fn tiles(&self) -> &[u8; MAX_LINES] {
        &self.tiles
    }

    /// The outward half of the last tile; 0 before the first.
    #[inline(always)]
    pub fn end(&self, line: u8) -> u8 {
        self.ends[usize::from(line)]
    }

    /// The lines with tiles.
    #[inline(always)]
    pub fn begun(&self) -> u64 {
        self.begun
    }

    fn list(&self) -> Progresses {
        let progress = self.tiles.iter().zip(&self.ends).map(|(&tiles, &end)| Progress { tiles, end });
        progress.take(self.len()).collect()
    }
}

impl Hash for Lines {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.list().hash(hasher);
    }
}

impl From<Progresses> for Lines {
    fn from(list: Progresses) -> Self {
        let mut lines = Self::new(list.len());
        for (at, progress) in list.iter().enumerate() {
            (lines.tiles[at], lines.ends[at]) = (progress.tiles, progress.end);
            lines.begun |= u64::from(progress.tiles > 0) << at;
        }
        lines
    }
}

impl From<Lines> for Progresses {
    fn from(lines: Lines) -> Self {
        lines.list()
    }
}

#[cfg(test)]
mod tests {
    use std::hash::{Hash as _, Hasher as _};

    use super::{Lines, Progress, Progresses};
    use crate::digest::Digest;

    #[test]
    fn lines_are_kept_and_told_apart_as_a_list() {
        let mut lines = Lines::new(3);
        assert_eq!((lines.add(1, 7), lines.add(1, 9), lines.len()), (1, 2, 3));
        assert_eq!((lines.tiles()[..3].to_vec(), lines.end(1), lines.begun()), (vec![0, 2, 0], 9, 0b10));
        let text = serde_json::to_string(&lines).unwrap();
        assert_eq!(text, r#"[{"tiles":0,"end":0},{"tiles":2,"end":9},{"tiles":0,"end":0}]"#);
        assert_eq!(serde_json::from_str::<Lines>(&text).unwrap(), lines);
        let none = Progress::default();
        let list: Progresses = [none, Progress { tiles: 2, end: 9 }, none].into_iter().collect();
        let [mut ours, mut theirs] = [Digest::new(), Digest::new()];
        lines.hash(&mut ours);
        list.hash(&mut theirs);
        assert_eq!(ours.finish(), theirs.finish());
    }
}
