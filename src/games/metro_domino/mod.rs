#![doc = include_str!("RULES.md")]
// The page marks clauses with [sheet] and [ruling], which are no links.
#![allow(rustdoc::broken_intra_doc_links)]

mod advice;
mod encode;
mod facts;
mod heuristic;
mod inspect;
mod picture;
mod position;
mod rules;
pub mod stations;
mod statistics;
pub mod tiles;
mod words;

pub use position::{Opened, Position};
pub use rules::{Action, MAX_PLAYERS, MetroDomino, Options, Phase, State, View};
pub use tiles::{Play, Tile, Tiles};
