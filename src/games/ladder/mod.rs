#![doc = include_str!("RULES.md")]

mod encode;
mod facts;
mod heuristic;
mod inspect;
mod picture;
mod rules;
mod statistics;
mod words;

pub use rules::{Action, Ladder, Options, State};
