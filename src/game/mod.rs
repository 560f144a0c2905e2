//! What a game is, a trait for each side of it.
//!
//! | trait | who asks |
//! |---|---|
//! | [`Rules`] | everybody: what may be done, and what it leads to |
//! | [`Encode`], [`Fast`] | learners: ids, rows and masks, and the fast ways to them |
//! | [`Show`], [`Describe`] | people: words, text, pictures; positions as text |
//! | [`Heuristic`], [`Advise`] | agents, and a person who wants a hint |
//! | [`Statistics`], [`Inspect`] | tables of simulated matches, and of what is inside them |

mod advise;
mod encode;
mod heuristic;
mod inspect;
mod refusal;
mod rules;
mod seat;
mod show;
pub(crate) mod spoken;
mod statistics;
mod wording;

pub use advise::Advise;
pub use encode::{Encode, Fast, Play, by_list};
pub use heuristic::{Heuristic, Solution, Tuning};
pub use inspect::{Inspect, Lay};
pub use refusal::Refusal;
pub use rules::{Nature, Returns, Rules, shared_win, win_of};
pub use seat::{MAX_SEATS, Seat, Viewer};
pub use show::{Describe, HIDE_MOVES, Look, LookKind, Looks, Moment, Part, Setting, Show, Tally};
pub use spoken::{Phrase, Spoken};
pub use statistics::{Account, Statistic, Statistics};
pub use wording::{Names, Wording};

/// Everything that is asked of a game.
pub trait Game: Fast + Show + Describe + Heuristic + Advise + Statistics + Inspect {}

impl<R: Fast + Show + Describe + Heuristic + Advise + Statistics + Inspect> Game for R {}
