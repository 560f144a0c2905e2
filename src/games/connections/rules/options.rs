//! What can be agreed before the game, and what of it makes sense.

use std::sync::Arc;

use documented::DocumentedFields;
use serde::{Deserialize, Serialize};

use super::super::deck::{Deck, Source};
use super::super::encode::Limits;
use super::super::scoring::Pairs;
use super::Connections;
use crate::error::Error;
use crate::game::Rules as _;

/// The most players (CONN-3).
pub const MAX_PLAYERS: usize = 6;
const MIN_PLAYERS: u8 = 3;
const MAX_DEALS_EACH: u8 = 4;
/// Partnerships of a player at most, one with each other player (CONN-12).
const MAX_PARTNERSHIPS_EACH: u8 = MAX_PLAYERS as u8 - 1;
const MOST_TURNS: u8 = 100;

/// How Connections is to be played.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, DocumentedFields)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// how many play, 3 to 6
    pub players: u8,
    /// "world-cities" or a Deck of your own
    pub deck: Source,
    /// whether cards can be traded
    pub trading: bool,
    /// whether players can be invited to links
    pub partnerships: bool,
    /// in how many partnerships a player can be, 1 to 5
    pub partnerships_each: u8,
    /// how cards in hand are turned for the penalty: "front", "least" or "most"
    pub pairs: Pairs,
    /// how many rounds each player deals, 1 to 4
    pub deals_each: u8,
    /// turns of each player after which a round is over, 1 to 100
    pub max_turns: u8,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            players: 3,
            deck: Source::default(),
            trading: true,
            partnerships: true,
            partnerships_each: 2,
            pairs: Pairs::default(),
            deals_each: 1,
            max_turns: 60,
        }
    }
}

/// Cards that each player gets (CONN-3).
pub(super) const fn cards_each(players: u8) -> u8 {
    11 - players
}

/// What the options and the deck allow at most. A hand and the table together never shrink, so the pile is largest at
/// the deal.
pub(super) fn limits(options: &Options, deck: &Deck) -> Limits {
    let each = cards_each(options.players);
    Limits {
        players: options.players,
        hand: each + 1,
        pile: (deck.num_cards() as u8).saturating_sub(options.players * each).max(1),
        turns: options.max_turns,
        rounds: options.players * options.deals_each,
    }
}

/// The deck that the options name, if they make sense.
pub(super) fn settle(options: &Options) -> Result<Arc<Deck>, Error> {
    let Options { players, partnerships_each, deals_each, max_turns, .. } = *options;
    if !(MIN_PLAYERS..=MAX_PLAYERS as u8).contains(&players) {
        return refuse(format!("players = {players}: {MIN_PLAYERS} to {MAX_PLAYERS} play (CONN-3)"));
    }
    if !(1..=MAX_PARTNERSHIPS_EACH).contains(&partnerships_each) {
        return refuse(format!(
            "partnerships_each = {partnerships_each}: 1 to {MAX_PARTNERSHIPS_EACH} are allowed (CONN-12)"
        ));
    }
    if !(1..=MAX_DEALS_EACH).contains(&deals_each) {
        return refuse(format!("deals_each = {deals_each}: 1 to {MAX_DEALS_EACH} are allowed (CONN-17)"));
    }
    if !(1..=MOST_TURNS).contains(&max_turns) {
        return refuse(format!("max_turns = {max_turns}: 1 to {MOST_TURNS} are allowed (CONN-16)"));
    }
    let deck = Deck::new(&options.deck).or_else(|message| refuse(format!("deck: {message}")))?;
    let (cards, each) = (deck.num_cards(), cards_each(players));
    if cards <= usize::from(players * each) {
        return refuse(format!("deck: {cards} cards are too few for {players} players with {each} each (CONN-3)"));
    }
    Ok(deck)
}

fn refuse<T>(message: String) -> Result<T, Error> {
    Err(Error::Options { game: Connections::NAME, message })
}
