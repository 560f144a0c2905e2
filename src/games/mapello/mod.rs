#![doc = include_str!("RULES.md")]
// The page marks clauses with [sheet] and [ruling], which are no links.
#![allow(rustdoc::broken_intra_doc_links)]

mod advice;
mod alphabeta;
pub mod board;
mod encode;
mod facts;
mod field;
mod heuristic;
mod inspect;
mod picture;
mod position;
mod rules;
mod solve;
mod statistics;
mod words;

pub use alphabeta::AlphaBeta;
pub use board::{Border, Cell, Square};
pub use rules::{
    Action, Board, CellName, Colour, Content, Mapello, Opening, Options, Phase, Piece, Pieces, Setup, State, Symmetry,
    View,
};
pub use solve::solve;
