#![doc = include_str!("RULES.md")]
// The page marks clauses with [sheet] and [ruling], which are no links.
#![allow(rustdoc::broken_intra_doc_links)]

mod advice;
mod counts;
mod encode;
mod facts;
mod heuristic;
mod inspect;
mod labels;
mod picture;
mod places;
mod position;
mod rules;
mod statistics;
pub mod table;
mod words;

pub use position::Position;
pub use rules::{Action, Draw, MAX_PLAYERS, Mapominoes, Options, Phase, State, Tally, Transit, TransitEach, View};
pub use table::Cell;
