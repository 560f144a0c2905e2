//! The games. Each has the same files: the rules, what a seat may know, how it is encoded, shown and judged.

pub mod connections;
pub mod domiphun;
pub mod ladder;
pub mod mapello;
pub mod mapominoes;
pub mod metro_domino;
