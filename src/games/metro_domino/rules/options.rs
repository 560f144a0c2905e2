//! What can be agreed before the game, and what of it makes sense.

use std::sync::Arc;

use documented::DocumentedFields;
use serde::{Deserialize, Serialize};

use super::super::stations::{Deck, Source};
use super::MetroDomino;
use crate::error::Error;
use crate::game::Rules as _;

/// The most players (METR-2).
pub const MAX_PLAYERS: usize = 4;
const MAX_WINS: u8 = 100;

/// How Metro Domino is to be played.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, DocumentedFields)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// how many play, 2 to 4
    pub players: u8,
    /// "new-york" or Stations of your own
    pub stations: Source,
    /// the seat that begins the first game; by default drawn
    pub first_seat: Option<u8>,
    /// games to win for the match, 1 to 100; the sheet's tournament has 3
    pub wins_needed: u8,
}

impl Default for Options {
    fn default() -> Self {
        Self { players: 2, stations: Source::default(), first_seat: None, wins_needed: 1 }
    }
}

/// The deck that the options name, if they make sense.
pub(super) fn settle(options: &Options) -> Result<Arc<Deck>, Error> {
    let Options { players, first_seat, wins_needed, .. } = *options;
    if !(2..=MAX_PLAYERS as u8).contains(&players) {
        return refuse(format!("players = {players}: 2 to {MAX_PLAYERS} play (METR-2)"));
    }
    if let Some(seat) = first_seat.filter(|&seat| seat >= players) {
        return refuse(format!("first_seat = {seat}: the seats are 0 to {}", players - 1));
    }
    if !(1..=MAX_WINS).contains(&wins_needed) {
        return refuse(format!("wins_needed = {wins_needed}: 1 to {MAX_WINS} are allowed (METR-17)"));
    }
    Deck::new(&options.stations).or_else(|message| refuse(format!("stations: {message}")))
}

fn refuse<T>(message: String) -> Result<T, Error> {
    Err(Error::Options { game: MetroDomino::NAME, message })
}
