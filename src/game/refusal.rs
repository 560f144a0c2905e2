use std::fmt;

use super::{Names, Wording};

/// Why an action is not allowed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal {
    /// The reason, in words.
    pub reason: Wording,
    /// The clauses that say so, such as `MAPO-11, MAPO-13`; empty where none has to.
    pub clause: &'static str,
}

impl Refusal {
    /// A refusal by a clause of the rule page, or by none.
    #[must_use]
    pub fn new(clause: &'static str, reason: impl Into<Wording>) -> Self {
        Self { reason: reason.into(), clause }
    }
}

/// The reason with its clause: "it is not higher than 6 (LADD-2)".
impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.reason.said(&Names::plain()))?;
        if self.clause.is_empty() { Ok(()) } else { write!(f, " ({})", self.clause) }
    }
}
