//! What can be agreed before the game, and what of it makes sense.

use std::fmt;
use std::sync::Arc;

use documented::DocumentedFields;
use serde::de::{self, Unexpected, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::super::table::MAX_TRANSIT_CARDS;
use super::Mapominoes;
use crate::atlas::{Atlas, Source};
use crate::error::Error;
use crate::game::Rules as _;
use crate::names::fold;
use crate::set::Set;

/// The most players (MAPO-7).
pub const MAX_PLAYERS: usize = 5;
/// The longest side of a table, in cards.
const MAX_SIDE: u8 = 62;
const MAX_ROUNDS: u8 = 100;

/// When a player may say that they cannot go (MAPO-17).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Draw {
    /// Only when no play is legal.
    #[default]
    Stuck,
    /// At any time.
    Free,
}

/// How many transit cards each player gets (MAPO-7).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TransitEach {
    /// So many.
    Number(u8),
    /// As the sheet's easier game gives: 5 each for two players, 3 for three, 2 for more.
    Easier,
}

impl Serialize for TransitEach {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Number(number) => serializer.serialize_u8(*number),
            Self::Easier => serializer.serialize_str("easier"),
        }
    }
}

impl<'de> Deserialize<'de> for TransitEach {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Reader;

        impl Visitor<'_> for Reader {
            type Value = TransitEach;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number of transit cards or \"easier\"")
            }

            fn visit_u64<E: de::Error>(self, number: u64) -> Result<TransitEach, E> {
                let number = u8::try_from(number).map_err(|_| E::invalid_value(Unexpected::Unsigned(number), &self))?;
                Ok(TransitEach::Number(number))
            }

            fn visit_str<E: de::Error>(self, name: &str) -> Result<TransitEach, E> {
                if name == "easier" {
                    Ok(TransitEach::Easier)
                } else {
                    Err(E::invalid_value(Unexpected::Str(name), &self))
                }
            }
        }

        deserializer.deserialize_any(Reader)
    }
}

/// How Mapominoes is to be played.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, DocumentedFields)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// how many play, 2 to 5
    pub players: u8,
    /// "uk-counties", "world-countries", "us-states" or an Atlas of your own
    pub atlas: Source,
    /// list of the nations (editions, divisions) whose cards are played; by default all
    pub nations: Option<Vec<String>>,
    /// (width, height) of the table in cards, 1 to 62 each; the starting card lies in the middle
    pub table: (u8, u8),
    /// transit cards in all, 0 to 32
    pub transit_cards: u8,
    /// transit cards that each player gets, or "easier": 5 for two players, 3 for three, 2 for more
    pub transit_each: TransitEach,
    /// a player may take a card: "stuck" only without a legal play, "free" at any time
    pub draw: Draw,
    /// transit cards count for a double connection
    pub double_with_transit: bool,
    /// rounds of a game, 1 to 100; by default as many as players
    pub rounds: Option<u8>,
    /// one nation is dealt first, the others when somebody has played their last card
    pub staged: bool,
    /// with staged: the nation that is dealt first; by default the first of the nations
    pub first_nation: Option<String>,
    /// cards may be laid wrongly; the others may challenge them
    pub challenges: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            players: 2,
            atlas: Source::default(),
            nations: None,
            table: (30, 20),
            transit_cards: 12,
            transit_each: TransitEach::Number(1),
            draw: Draw::default(),
            double_with_transit: true,
            rounds: None,
            staged: false,
            first_nation: None,
            challenges: false,
        }
    }
}

/// The most county cards that a player can hold (MAPO-8, MAPO-23).
pub(super) fn largest_hand(deck: Set, first: Set, players: u8) -> u8 {
    let players = usize::from(players);
    ((first.len().saturating_sub(1)).div_ceil(players) + (deck - first).len().div_ceil(players)) as u8
}

/// What the options amount to.
pub(super) struct Settled {
    pub options: Options,
    pub atlas: Arc<Atlas>,
    /// The regions whose cards are played (MAPO-3).
    pub deck: Set,
    /// Those that are dealt at the start of a round: all, unless staged (MAPO-23).
    pub first: Set,
    pub transit_each: u8,
    pub rounds: u8,
}

/// The options with defaults filled in, and what they amount to.
pub(super) fn settle(mut options: Options) -> Result<Settled, Error> {
    let players = options.players;
    if !(2..=MAX_PLAYERS as u8).contains(&players) {
        return refuse(format!("players = {players}: 2 to {MAX_PLAYERS} play (MAPO-7)"));
    }
    let (width, height) = options.table;
    if !(1..=MAX_SIDE).contains(&width) || !(1..=MAX_SIDE).contains(&height) {
        return refuse(format!("table = ({width}, {height}): width and height are 1 to {MAX_SIDE} cards (MAPO-5)"));
    }
    let rounds = *options.rounds.get_or_insert(players);
    if !(1..=MAX_ROUNDS).contains(&rounds) {
        return refuse(format!("rounds = {rounds}: a game has 1 to {MAX_ROUNDS} rounds (MAPO-22)"));
    }
    if usize::from(options.transit_cards) > MAX_TRANSIT_CARDS {
        return refuse(format!("transit_cards = {}: 0 to {MAX_TRANSIT_CARDS} are allowed", options.transit_cards));
    }
    let transit_each = match options.transit_each {
        TransitEach::Number(number) => number,
        TransitEach::Easier => [5, 3, 2, 2][usize::from(players) - 2],
    };
    options.transit_each = TransitEach::Number(transit_each);
    if u16::from(transit_each) * u16::from(players) > u16::from(options.transit_cards) {
        let most = options.transit_cards / players;
        return refuse(format!(
            "transit_each = {transit_each}: {} transit cards give {players} players 0 to {most} each (MAPO-7)",
            options.transit_cards
        ));
    }
    let atlas = Atlas::new(&options.atlas).or_else(|message| refuse(format!("atlas: {message}")))?;
    let all: Vec<String> = atlas.nations().into_iter().map(str::to_owned).collect();
    let nations = match &options.nations {
        None => all.clone(),
        Some(names) if names.is_empty() => return refuse("nations: the list is empty".to_owned()),
        Some(names) => pick(names, &all)?,
    };
    let deck = match options.nations {
        None => Set::below(atlas.num_regions()),
        Some(_) => nations.iter().fold(Set::EMPTY, |deck, nation| deck | atlas.of_nation(nation)),
    };
    if options.nations.is_some() {
        options.nations = Some(nations.clone());
    }
    let first = first_deal(&mut options, &nations, &atlas, deck)?;
    if first.len() <= usize::from(players) {
        let what = if options.staged { "first_nation" } else { "nations" };
        return refuse(format!(
            "{what}: {} county cards are too few for {players} players, who need {} or more (MAPO-8)",
            first.len(),
            players + 1
        ));
    }
    Ok(Settled { options, atlas, deck, first, transit_each, rounds })
}

pub(super) fn refuse<T>(message: String) -> Result<T, Error> {
    Err(Error::Options { game: Mapominoes::NAME, message })
}

/// The nations by these names, as the atlas writes them.
fn pick(names: &[String], all: &[String]) -> Result<Vec<String>, Error> {
    let mut picked: Vec<String> = Vec::new();
    for name in names {
        let Some(nation) = all.iter().find(|nation| fold(nation) == fold(name)) else {
            return refuse(format!("nations: no nation {name:?} in the atlas: it has {}", all.join(", ")));
        };
        if picked.contains(nation) {
            return refuse(format!("nations: {nation} is listed twice"));
        }
        picked.push(nation.clone());
    }
    Ok(picked)
}

/// The regions that are dealt at the start of a round.
fn first_deal(options: &mut Options, nations: &[String], atlas: &Atlas, deck: Set) -> Result<Set, Error> {
    if !options.staged {
        return match options.first_nation {
            Some(_) => refuse("first_nation: only with staged=true (MAPO-23)".to_owned()),
            None => Ok(deck),
        };
    }
    if nations.len() < 2 {
        return refuse("staged: needs two nations or more (MAPO-23)".to_owned());
    }
    let wanted = options.first_nation.as_ref().unwrap_or(&nations[0]);
    let Some(nation) = nations.iter().find(|nation| fold(nation) == fold(wanted)) else {
        return refuse(format!("first_nation = {wanted:?}: not one of the nations played, {}", nations.join(", ")));
    };
    options.first_nation = Some(nation.clone());
    let first = atlas.of_nation(nation);
    if first == deck {
        return refuse(format!("first_nation = {nation:?}: the other nations have no cards of their own (MAPO-23)"));
    }
    Ok(first)
}
