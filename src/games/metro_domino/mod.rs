#![doc = include_str!("RULES.md")]
// The page marks clauses with [sheet] and [ruling], which are no links.
#![allow(rustdoc::broken_intra_doc_links)]

mod advice;
mod encode;
mod figures;
mod judge;
mod position;
mod rules;
mod show;
pub mod stations;
pub mod tiles;

pub use position::{Opened, Position};
pub use rules::{Action, MAX_PLAYERS, MetroDomino, Options, Phase, State, View};
pub use tiles::{Play, Tile, Tiles};
