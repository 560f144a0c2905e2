#![doc = include_str!("RULES.md")]
// The page marks clauses with [sheet] and [ruling], which are no links.
#![allow(rustdoc::broken_intra_doc_links)]

mod advice;
pub mod deck;
mod encode;
mod facts;
mod heuristic;
mod inspect;
mod picture;
mod places;
mod position;
mod rules;
pub mod scoring;
mod sizes;
mod statistics;
mod words;

pub use position::{LinkDescription, Position};
pub use rules::{Action, Bond, Connections, MAX_PLAYERS, Options, Phase, State, View};
