//! A position as people describe it: JSON with the names of the cards, cities and regions.

use serde::{Deserialize, Serialize};

use super::deck::{Cards, Deck};
use super::rules::{Connections, View};
use crate::bits;
use crate::game::Seat;

/// A position in words. What is left out has its default.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Position {
    /// Cards by seat.
    pub hands: Vec<Vec<String>>,
    /// Cities on the table with the other city of the card, by seat.
    #[serde(default)]
    pub laid: Vec<Vec<String>>,
    /// Regions of the sets, by seat.
    #[serde(default)]
    pub sets: Vec<Vec<String>>,
    /// Links on the table, in the order in which they were played.
    #[serde(default)]
    pub links: Vec<LinkDescription>,
    /// The discard pile, its top last.
    #[serde(default)]
    pub discard: Vec<String>,
    /// Cards in hands that everybody knows.
    #[serde(default)]
    pub known: Vec<String>,
    /// How often the pile had been shuffled when a card was last in it.
    #[serde(with = "crate::position_text::pairs", default)]
    pub ages: Vec<(String, u16)>,
    /// How often the pile was shuffled; by default the greatest age.
    #[serde(default)]
    pub shuffles: Option<u16>,
    /// Cards of the pile; by default all that are named nowhere else. If it is given, those are out of the game.
    #[serde(default)]
    pub pile: Option<Vec<String>>,
    /// Turns had, by seat.
    #[serde(default)]
    pub turns: Vec<u8>,
    /// Who has announced the end.
    #[serde(default)]
    pub announced: Option<usize>,
    /// Turns had since the announcement, by seat.
    #[serde(default)]
    pub last_turns: Vec<u8>,
    /// Turns in a row of the last round in which no card was played.
    #[serde(default)]
    pub idle: u8,
    /// Whose turn it is; by default the player's on the dealer's left.
    #[serde(default)]
    pub turn: Option<usize>,
    /// Who dealt; by default who deals this round.
    #[serde(default)]
    pub dealer: Option<usize>,
    /// What is being decided.
    #[serde(default = "play")]
    pub phase: String,
    /// Who offers a card.
    #[serde(default)]
    pub asked: Option<usize>,
    /// The card that is offered.
    #[serde(default)]
    pub card: Option<String>,
    /// To whom it is offered, or who is invited.
    #[serde(default)]
    pub to: Option<usize>,
    /// The card that answers an offer.
    #[serde(default)]
    pub reply: Option<String>,
    /// The link to which somebody is invited.
    #[serde(default)]
    pub link: Option<String>,
    /// The cities of a set that are chosen.
    #[serde(default)]
    pub chosen: Vec<String>,
    /// The card just taken from the discard pile.
    #[serde(default)]
    pub taken: Option<String>,
    /// Whether an invitation may still be made in this turn.
    #[serde(default = "yes")]
    pub may_invite: bool,
    /// Points of the finished rounds, by seat.
    #[serde(default)]
    pub history: Vec<Vec<i32>>,
}

/// A link on the table.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LinkDescription {
    /// The linking city.
    pub city: String,
    /// The partner.
    #[serde(default)]
    pub partner: Option<usize>,
    /// Who has accepted an invitation and has no city there yet.
    #[serde(default)]
    pub invited: Option<usize>,
}

fn play() -> String {
    "play".to_owned()
}

const fn yes() -> bool {
    true
}

/// Describes a match.
pub(super) fn write(rules: &Connections, view: &View<'_>) -> Position {
    let deck = &rules.deck;
    let players = rules.players();
    let seats = || (0..players).map(Seat::new);
    let card_name = |card: u8| deck.card_name(card);
    let names = |cards: Cards| bits::each(cards).map(card_name).collect::<Vec<_>>();
    let link_name = |link: u8| deck.city_name(deck.links()[usize::from(link)].city).to_owned();
    let table = view.table();
    let phase = view.phase();
    let regions = |seat: Seat| {
        bits::each(table.sets(seat).into()).map(|region| deck.regions()[usize::from(region)].id.clone()).collect()
    };
    let links = table.bonds().iter().map(|bond| LinkDescription {
        city: link_name(bond.link),
        partner: bond.partner.map(Seat::index),
        invited: bond.invited.map(Seat::index),
    });
    let aged = (0..deck.num_cards() as u8).filter(|&card| view.age(card) > 0);
    Position {
        hands: seats().map(|seat| names(view.hand(seat))).collect(),
        laid: seats().map(|seat| table.laid(seat).iter().map(|&face| deck.face_name(face)).collect()).collect(),
        sets: seats().map(regions).collect(),
        links: links.collect(),
        discard: view.discard().iter().map(|&card| card_name(card)).collect(),
        known: seats().flat_map(|seat| names(view.known(seat))).collect(),
        ages: aged.map(|card| (card_name(card), view.age(card))).collect(),
        shuffles: Some(view.shuffles()),
        pile: view.pile().map(names),
        turns: seats().map(|seat| view.turns(seat)).collect(),
        announced: view.announced().map(Seat::index),
        last_turns: seats().map(|seat| view.last_turns(seat)).collect(),
        idle: view.idle(),
        turn: Some(view.turn().index()),
        dealer: Some(view.dealer().index()),
        phase: phase.name().to_owned(),
        asked: phase.asked().map(Seat::index),
        card: phase.card().map(card_name),
        to: phase.to().map(Seat::index),
        reply: phase.reply().map(card_name),
        link: phase.link().map(link_name),
        chosen: phase.chosen().map(|face| deck.face_name(face)).collect(),
        taken: phase.taken().map(card_name),
        may_invite: view.may_invite(),
        history: view.history().iter().map(|points| points[..players].to_vec()).collect(),
    }
}

/// Turns the words of a description into numbers.
pub(super) struct Reader<'a> {
    pub deck: &'a Deck,
}

impl Reader<'_> {
    pub fn card(&self, text: &str) -> Result<u8, String> {
        self.deck.find_card(text).ok_or_else(|| format!("no card {text:?}: name both of its cities"))
    }

    pub fn face(&self, text: &str) -> Result<u8, String> {
        self.deck.find_face(text).ok_or_else(|| format!("no card {text:?}: name both of its cities"))
    }

    pub fn link(&self, text: &str) -> Result<u8, String> {
        self.deck.find_link(text).ok_or_else(|| format!("no linking city {text:?}"))
    }

    pub fn region(&self, text: &str) -> Result<u8, String> {
        self.deck.find_region(text).ok_or_else(|| format!("no region {text:?}"))
    }
}
