//! Tabletop games in which a piece must adjoin what it matches, as a fast, exact, batched simulator.
//!
//! - [`game`]: what a game is, a trait for each side of it
//! - [`games`]: the games, each from its rule page
//! - [`batch`], [`lane`], [`rows`], [`pool`]: many matches stepped together into the caller's arrays
//! - [`mod@matches`], [`replay`], [`session`]: one match, what is kept of it, people and agents at it
//! - [`drawing`]: pictures, with places that can be clicked
//! - [`dynamic`], [`registry`]: a batch or a match of a game chosen at run time
//! - [`episodes`], [`agents`], [`digest`]: whole episodes between players, as tables; those who think; what tells matches apart
//! - [`tree`]: a search on all lanes of a batch for a caller who judges leaves
//! - [`match_digest`]: a whole match as a few numbers
//! - [`perft`]: counting sequences of decisions
//! - [`atlas`]: regions and their borders
//! - [`table`]: data as people write it, with all that is wrong with it
//! - [`names`], [`position_text`], [`text`]: what people write and read
//! - [`rng`], [`bits`], [`set`], [`list`], [`layout`], [`relation`], [`error`]: chance, sets, lists, named blocks, what goes
//!   with what, what can go wrong
//!
//! The Python package is built on `python/`, the page for browsers on `web/`: doors that the features of their names open.

pub mod agents;
pub mod atlas;
pub mod batch;
pub mod bits;
pub mod digest;
pub mod drawing;
pub mod dynamic;
pub mod episodes;
pub mod error;
pub mod game;
pub mod games;
pub mod lane;
pub mod layout;
pub mod list;
pub mod match_digest;
pub mod matches;
mod memory;
pub mod names;
pub mod options;
pub mod perft;
pub mod players;
pub mod policy;
pub mod pool;
pub mod position_text;
#[cfg(feature = "python")]
mod python;
pub mod registry;
pub mod relation;
pub mod replay;
pub mod rng;
pub mod rows;
mod saves;
pub mod session;
pub mod set;
pub mod table;
pub mod text;
pub mod tree;
#[cfg(feature = "web")]
pub mod web;
