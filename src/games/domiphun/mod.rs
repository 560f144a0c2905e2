#![doc = include_str!("RULES.md")]
// The page marks clauses with [sheet] and [ruling], which are no links.
#![allow(rustdoc::broken_intra_doc_links)]

mod advice;
pub mod balance;
mod encode;
mod facts;
mod fast;
mod heuristic;
mod inspect;
pub mod lattice;
mod picture;
pub mod pieces;
mod places;
mod position;
mod rules;
mod statistics;
mod ways;
mod words;

pub use pieces::{Domino, Dominoes, Facing, Pieces, Squares};
pub use position::{Piece, Play, Position, Where};
pub use rules::{Action, Domiphun, End, Laid, MAX_PLAYERS, Options, Phase, Series, State, Table, Variant, View};
