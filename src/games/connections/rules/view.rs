//! What a seat may know of a match: the table, the discard pile, the numbers, its own cards, and the cards of others that
//! everybody has seen.

use super::super::deck::{Cards, Cities, Deck, Regions};
use super::super::scoring::Counts;
use super::{Bond, LAST_TURNS, MAX_PLAYERS, Phase, State, Table};
use crate::game::{Seat, Viewer};

/// The only window on [`State`] for everyone outside the rules.
#[derive(Clone, Copy)]
pub struct View<'a> {
    state: &'a State,
    viewer: Viewer,
}

impl<'a> View<'a> {
    #[inline(always)]
    pub(super) fn new(state: &'a State, viewer: Viewer) -> Self {
        Self { state, viewer }
    }

    /// Who looks; nobody in particular sees everything.
    #[must_use]
    pub fn viewer(&self) -> Option<Seat> {
        self.viewer.seat()
    }

    /// What is being decided, and what of it is settled; all of it is open to all.
    #[inline(always)]
    #[must_use]
    pub fn phase(&self) -> Phase {
        self.state.phase
    }

    /// Whether the viewer sees a hand: the own one, and all of them when they are counted at the end.
    #[inline(always)]
    fn sees(&self, seat: Seat) -> bool {
        matches!(self.state.phase, Phase::Over) || self.viewer.sees(seat)
    }

    /// The seat whose decision it is.
    #[inline(always)]
    #[must_use]
    pub fn to_act(&self) -> Option<Seat> {
        self.state.to_act()
    }

    /// The seat whose turn it is.
    #[inline(always)]
    #[must_use]
    pub fn turn(&self) -> Seat {
        self.state.turn
    }

    /// The seat that dealt the round.
    #[inline(always)]
    #[must_use]
    pub fn dealer(&self) -> Seat {
        self.state.dealer
    }

    /// What lies on the table.
    #[inline(always)]
    #[must_use]
    pub fn table(&self) -> &'a Table {
        &self.state.table
    }

    /// The cards of a seat that the viewer knows.
    #[inline(always)]
    #[must_use]
    pub fn hand(&self, seat: Seat) -> Cards {
        let hand = self.state.hands[seat.index()];
        if self.sees(seat) { hand } else { hand & self.state.known }
    }

    /// Whether the viewer sees the whole hand of a seat.
    #[must_use]
    pub fn sees_hand(&self, seat: Seat) -> bool {
        self.sees(seat)
    }

    /// The cards of a seat that everybody knows.
    #[inline(always)]
    #[must_use]
    pub fn known(&self, seat: Seat) -> Cards {
        self.state.hands[seat.index()] & self.state.known
    }

    /// How many cards a seat holds.
    #[inline(always)]
    #[must_use]
    pub fn num_cards(&self, seat: Seat) -> u32 {
        self.state.hands[seat.index()].count_ones()
    }

    /// The cards of which the viewer does not know where they are: in other hands or in the pile.
    #[inline(always)]
    #[must_use]
    pub fn unseen(&self) -> Cards {
        if matches!(self.state.phase, Phase::Over) || self.viewer.sees_everything() {
            return self.state.pile;
        }
        let mut held = 0;
        for hand in self.state.hands {
            held |= hand;
        }
        let own = self.viewer.seat().map_or(0, |seat| self.state.hands[seat.index()]);
        self.state.pile | held & !own & !self.state.known
    }

    /// Of the unseen cards those that were in the pile when it was last shuffled, or at the deal; others may be there.
    #[inline(always)]
    #[must_use]
    pub fn in_last_pile(&self) -> Cards {
        if self.state.shuffles == 0 {
            return Cards::MAX;
        }
        let mut late = 0;
        for (card, age) in self.state.ages.iter().enumerate() {
            late |= u64::from(*age == self.state.shuffles) << card;
        }
        late
    }

    /// The age of a card: how often the pile had been shuffled when it was last in it; 0 once all know where it is.
    #[must_use]
    pub fn age(&self, card: u8) -> u16 {
        self.state.ages[usize::from(card)]
    }

    /// How often the pile was shuffled in this round.
    #[must_use]
    pub fn shuffles(&self) -> u16 {
        self.state.shuffles
    }

    /// The cards of the pile; for somebody who sees everything.
    #[must_use]
    pub fn pile(&self) -> Option<Cards> {
        self.viewer.sees_everything().then_some(self.state.pile)
    }

    /// How many cards the pile has.
    #[inline(always)]
    #[must_use]
    pub fn num_pile(&self) -> u32 {
        self.state.pile.count_ones()
    }

    /// The discard pile, its top last.
    #[inline(always)]
    #[must_use]
    pub fn discard(&self) -> &'a [u8] {
        &self.state.discard
    }

    /// The cards of the discard pile.
    #[inline(always)]
    #[must_use]
    pub fn discarded(&self) -> Cards {
        self.state.discard.cards
    }

    /// Tokens that a seat has left.
    #[inline(always)]
    #[must_use]
    pub fn tokens(&self, seat: Seat) -> u8 {
        self.state.tokens(seat)
    }

    /// Turns that a seat has had in this round.
    #[inline(always)]
    #[must_use]
    pub fn turns(&self, seat: Seat) -> u8 {
        self.state.turns[seat.index()]
    }

    /// Turns that a seat has had since the announcement.
    #[inline(always)]
    #[must_use]
    pub fn last_turns(&self, seat: Seat) -> u8 {
        self.state.last_turns[seat.index()].min(LAST_TURNS)
    }

    /// Who has announced the end of the round.
    #[inline(always)]
    #[must_use]
    pub fn announced(&self) -> Option<Seat> {
        self.state.announced
    }

    /// Turns in a row of the last round in which no card was played; 0 in the others.
    #[inline(always)]
    #[must_use]
    pub fn idle(&self) -> u8 {
        self.state.idle
    }

    /// Whether an invitation may still be made in this turn.
    #[inline(always)]
    #[must_use]
    pub fn may_invite(&self) -> bool {
        self.state.may_invite
    }

    /// Points of the finished rounds.
    #[inline(always)]
    #[must_use]
    pub fn history(&self) -> &'a [[i32; MAX_PLAYERS]] {
        &self.state.history
    }

    /// Points over the finished rounds as rows show them, by seat.
    #[inline(always)]
    #[must_use]
    pub fn points_shown(&self) -> [u8; MAX_PLAYERS] {
        self.state.history.shown
    }

    /// Points over the finished rounds.
    #[must_use]
    pub fn points(&self) -> [i32; MAX_PLAYERS] {
        self.state.points()
    }
}

impl Table {
    /// The table with one more card.
    #[must_use]
    pub fn with(&self, deck: &Deck, seat: Seat, face: u8) -> Self {
        let mut table = self.clone();
        table.put(deck, seat, face);
        table
    }

    /// The table with a partner around a link.
    #[must_use]
    pub fn with_partner(&self, link: u8, partner: Seat) -> Self {
        let mut table = self.clone();
        for bond in &mut *table.bonds {
            if bond.link == link {
                bond.partner = Some(partner);
            }
        }
        table
    }

    /// The faces that a seat has played, in their order.
    #[inline(always)]
    #[must_use]
    pub fn laid(&self, seat: Seat) -> &[u8] {
        &self.laid[seat.index()]
    }

    /// The cities that have a token.
    #[must_use]
    pub fn marked_cities(&self, deck: &Deck) -> Cities {
        let mut cities = 0;
        for faces in &self.laid {
            for &face in &**faces {
                cities |= deck.city_shown(face);
            }
        }
        cities
    }

    /// The seat whose token each city of the deck has, if it has one.
    #[must_use]
    pub fn tokens(&self, deck: &Deck) -> Vec<Option<Seat>> {
        let mut tokens = vec![None; deck.cities().len()];
        for (seat, faces) in self.laid.iter().enumerate() {
            for &face in &**faces {
                tokens[usize::from(deck.face(face).city)] = Some(Seat::new(seat));
            }
        }
        tokens
    }

    /// Cities by seat and region.
    #[inline(always)]
    #[must_use]
    pub fn counts(&self) -> &Counts {
        &self.counts
    }

    /// Regions of which a seat has a set.
    #[inline(always)]
    #[must_use]
    pub fn sets(&self, seat: Seat) -> Regions {
        self.sets[seat.index()]
    }

    /// The links, in the order in which they were played.
    #[inline(always)]
    #[must_use]
    pub fn bonds(&self) -> &[Bond] {
        &self.bonds
    }
}
