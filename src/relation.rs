//! What of a game never changes and relates two kinds of things: which regions border each other, which line a station has.

use serde::Serialize;

/// A named relation between labelled things: those of its rows and those of its columns.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Relation {
    /// Unique within a game.
    pub name: &'static str,
    /// What a pair means.
    pub meaning: &'static str,
    /// Names of the rows.
    pub rows: Vec<String>,
    /// Names of the columns.
    pub columns: Vec<String>,
    /// Row and column of every pair that is related, row by row.
    pub pairs: Vec<(u16, u16)>,
}

impl Relation {
    /// A relation where row and column are related if `is_so`.
    #[must_use]
    pub fn new(
        name: &'static str,
        meaning: &'static str,
        rows: impl IntoIterator<Item = impl Into<String>>,
        columns: impl IntoIterator<Item = impl Into<String>>,
        is_so: impl Fn(u16, u16) -> bool,
    ) -> Self {
        let rows: Vec<String> = rows.into_iter().map(Into::into).collect();
        let columns: Vec<String> = columns.into_iter().map(Into::into).collect();
        let (height, width) = (rows.len() as u16, columns.len() as u16);
        let all = (0..height).flat_map(|row| (0..width).map(move |column| (row, column)));
        let pairs = all.filter(|&(row, column)| is_so(row, column)).collect();
        Self { name, meaning, rows, columns, pairs }
    }
}
