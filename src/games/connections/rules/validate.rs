//! Contradictions in a state from outside.

use super::super::deck::{Cards, Regions};
use super::{Bond, Connections, LAST_TURNS, MAX_PLAYERS, Phase, SET, State, Table};
use crate::bits;
use crate::game::Seat;
use crate::position_text::first_wrong;

/// More than any round can have.
const MOST_SHUFFLES: u16 = 10_000;
const MOST_POINTS: u32 = 100_000;

impl Connections {
    /// Players who are not at the table.
    pub(super) fn impossible_seats(&self, state: &State) -> Option<&'static str> {
        let is_seat = |seat: &Seat| seat.index() < self.players();
        let bonds = state.table.bonds.iter();
        let mut seats: Vec<Seat> =
            bonds.flat_map(|bond| [Some(bond.owner), bond.partner, bond.invited]).flatten().collect();
        seats.extend([state.dealer, state.turn]);
        seats.extend([state.announced, state.phase.asked(), state.phase.to()].into_iter().flatten());
        let is_empty = |seat: usize| {
            state.hands[seat] == 0
                && state.table.laid[seat].is_empty()
                && state.table.sets[seat] == 0
                && [state.turns[seat], state.last_turns[seat]] == [0; 2]
                && state.history.iter().all(|points| points[seat] == 0)
        };
        let cases = [
            (!seats.iter().all(is_seat), "a seat that is not at the table"),
            (!(self.players()..MAX_PLAYERS).all(is_empty), "a player too many (CONN-3)"),
        ];
        first_wrong(&cases)
    }

    /// Tokens, sets and links that cannot lie so.
    pub(super) fn impossible_table(&self, table: &Table) -> Option<&'static str> {
        let (faces, links, regions) = (self.deck.faces().len(), self.deck.links().len(), self.deck.regions().len());
        if table.laid.iter().flat_map(|faces| faces.iter()).any(|&face| usize::from(face) >= faces)
            || table.bonds.iter().any(|bond| usize::from(bond.link) >= links)
            || table.sets.iter().any(|sets| u32::from(*sets) >> regions != 0)
        {
            return Some("a city that is not in the deck");
        }
        let mut rebuilt = Table::default();
        for (seat, faces) in table.laid.iter().enumerate() {
            for &face in &**faces {
                if rebuilt.marked >> face & 1 == 1 {
                    return Some("two tokens on a city (CONN-4)");
                }
                rebuilt.put(&self.deck, Seat::new(seat), face);
            }
        }
        let mut owners: Vec<(u8, Seat)> = table.bonds.iter().map(|bond| (bond.link, bond.owner)).collect();
        let mut expected: Vec<(u8, Seat)> = rebuilt.bonds.iter().map(|bond| (bond.link, bond.owner)).collect();
        owners.sort_unstable();
        expected.sort_unstable();
        let is_set = |seat: usize, region: u8| {
            table.sets[seat] >> region & 1 == 0 || table.counts[seat][usize::from(region)] >= SET
        };
        let cases = [
            ((rebuilt.marked, rebuilt.counts) != (table.marked, table.counts), "a table that does not fit its cards"),
            (owners != expected, "links that are not those on the table (CONN-7)"),
            (
                !(0..MAX_PLAYERS).all(|seat| (0..regions as u8).all(|region| is_set(seat, region))),
                "a set of fewer than three cities (CONN-6)",
            ),
            (
                !table.bonds.iter().all(|&bond| self.is_bond(table, bond)),
                "a partner who cannot be one (CONN-10, CONN-11)",
            ),
            (
                !(0..self.players()).all(|seat| self.are_partners(table, Seat::new(seat))),
                "more partnerships than partnerships_each, or two with one player (CONN-12)",
            ),
            (
                table.bonds.iter().any(|bond| self.joined(bond.link) & table.sets[bond.owner.index()] == 0),
                "a link without a set (CONN-7)",
            ),
            (
                !(0..self.players()).all(|seat| self.are_singles(table, Seat::new(seat))),
                "a single that nothing allows (CONN-8)",
            ),
        ];
        first_wrong(&cases)
    }

    fn joined(&self, link: u8) -> Regions {
        self.deck.links()[usize::from(link)].regions
    }

    fn is_bond(&self, table: &Table, bond: Bond) -> bool {
        let has_city = |seat| table.has_city(seat, self.joined(bond.link));
        match (bond.partner, bond.invited) {
            (None, None) => true,
            (Some(partner), None) => self.options.partnerships && partner != bond.owner && has_city(partner),
            (None, Some(invited)) => self.options.partnerships && invited != bond.owner && !has_city(invited),
            (Some(_), Some(_)) => false,
        }
    }

    /// Whether a seat has no more partnerships and open invitations than allowed, each with another player.
    fn are_partners(&self, table: &Table, seat: Seat) -> bool {
        let others = table.joined_with(seat).fold(0_u8, |seats, other| seats | 1 << other.index());
        let number = table.joined_with(seat).count();
        number == others.count_ones() as usize && number <= self.options.partnerships_each.into()
    }

    /// Whether a set, an own link or a partnership explains every city of a seat.
    fn are_singles(&self, table: &Table, seat: Seat) -> bool {
        let bonds = table.bonds.iter().filter(|bond| bond.owner == seat || bond.partner == Some(seat));
        let open = bonds.fold(table.sets[seat.index()], |regions, bond| regions | self.joined(bond.link));
        let counts = table.counts[seat.index()].iter().zip(0..);
        counts.filter(|(count, _)| **count > 0).all(|(_, region)| open >> region & 1 == 1)
    }

    /// Cards that are missing, in two places or not of the deck. The table is possible.
    pub(super) fn impossible_cards(&self, state: &State) -> Option<&'static str> {
        let cards = self.deck.num_cards();
        if state.discard.iter().any(|&card| usize::from(card) >= cards) || state.ages.len() != cards {
            return Some("a card that is not in the deck");
        }
        let sets = state.hands.iter().fold(state.pile | state.aside | state.known, |all, hand| all | hand);
        if sets & !self.deck.all_cards() != 0 {
            return Some("a card that is not in the deck");
        }
        let laid = state.table.laid.iter().flat_map(|faces| faces.iter()).map(|&face| self.deck.face(face).card);
        let singles = laid.chain(state.discard.iter().copied()).map(|card| 1 << card);
        let piles: Vec<Cards> = state.hands.iter().copied().chain([state.pile, state.aside]).chain(singles).collect();
        let all = piles.iter().fold(0, |all, pile| all | pile);
        let held = state.hands.iter().fold(0, |all, hand| all | hand);
        let hidden = (held & !state.known) | state.pile;
        let age = |card: u8| state.ages[usize::from(card)];
        let is_aged = |card: u8| if hidden >> card & 1 == 1 { age(card) <= state.shuffles } else { age(card) == 0 };
        let cases = [
            (piles.iter().map(|pile| pile.count_ones()).sum::<u32>() != all.count_ones(), "a card in two places"),
            (all != self.deck.all_cards(), "cards that are not those of the deck"),
            (state.known & !held != 0, "a card known in a hand that is in none"),
            (!(0..cards as u8).all(is_aged), "ages that do not fit the cards (CONN-3)"),
            (bits::each(state.pile).any(|card| age(card) != state.shuffles), "ages that do not fit the pile (CONN-3)"),
            (state.shuffles > MOST_SHUFFLES, "more shuffles than there can be"),
            (
                state.phase != Phase::Over && state.pile == 0 && state.discard.len() >= 2,
                "an empty pile that must be made anew (CONN-3)",
            ),
        ];
        first_wrong(&cases)
    }

    /// A moment of the match that cannot be. The cards are possible.
    pub(super) fn impossible_turn(&self, state: &State) -> Option<&'static str> {
        let players = self.players();
        let is_over = state.phase == Phase::Over;
        let finished = state.history.len();
        let round = finished.saturating_sub(usize::from(is_over));
        let had = |turns: &[u8; MAX_PLAYERS], most: u8| turns.iter().any(|&turns| turns > most);
        if finished > self.rounds() || (finished == self.rounds()) != is_over {
            return Some("an end of the match that is none, or none that is one (CONN-17)");
        }
        let has_choice = self.is_phase(state) && self.legal(state).count() > 0;
        let has_ended = self.is_round_over(state) || state.turns[state.turn.index()] >= self.options.max_turns;
        let cases = [
            (state.dealer != self.dealer_of(round), "a dealer who does not deal this round (CONN-17)"),
            (had(&state.turns, self.options.max_turns), "more turns than there are (CONN-16)"),
            (
                had(&state.last_turns, LAST_TURNS) || state.announced.is_none() && had(&state.last_turns, 0),
                "last turns that nobody had (CONN-15)",
            ),
            (usize::from(state.idle) > 2 * players, "more turns without a card than there can be (CONN-16)"),
            (
                state.idle > 0 && !self.is_last_round(state),
                "turns without a card count in the last round only (CONN-16)",
            ),
            (!is_over && has_ended, "a round that is over (CONN-16)"),
            (
                !is_over && state.announced.is_some_and(|seat| seat == state.turn || self.is_last_round(state)),
                "an announcement that cannot be (CONN-15, CONN-16)",
            ),
            (
                state.history.iter().flatten().any(|points| points.unsigned_abs() > MOST_POINTS),
                "more points than there can be",
            ),
            (state.may_invite && !self.options.partnerships, "an invitation that cannot be (CONN-10)"),
            (!is_over && !has_choice, "a decision that nobody could have to take"),
        ];
        first_wrong(&cases)
    }

    /// Whether what a phase has settled could be.
    fn is_phase(&self, state: &State) -> bool {
        let shows = |seat: Seat, card: u8| {
            usize::from(card) < self.deck.num_cards() && state.hands[seat.index()] & state.known & 1 << card != 0
        };
        let trades = |asked: Seat, to: Seat| asked != to && to != state.turn && self.can_offer(state, asked);
        match state.phase {
            Phase::Announce => self.can_announce(state),
            Phase::Offer { asked } => self.options.trading && self.can_offer(state, asked),
            Phase::Answer { asked, card, to } => self.options.trading && trades(asked, to) && shows(asked, card),
            Phase::Accept { asked, card, to, reply } => {
                self.options.trading && trades(asked, to) && shows(asked, card) && shows(to, reply)
            }
            Phase::Invited { link, to } => {
                let is_free = |bond: &Bond| {
                    bond.link == link && bond.owner == state.turn && bond.partner.is_none() && bond.invited.is_none()
                };
                to != state.turn
                    && !state.may_invite
                    && self.options.partnerships
                    && state.table.bonds.iter().any(is_free)
                    && self.can_be_partners(&state.table, state.turn, to)
            }
            Phase::Set { first, second } => {
                let is_face = |face: u8| {
                    usize::from(face) < self.deck.num_region_faces()
                        && shows(state.turn, self.deck.face(face).card)
                        && state.table.marked >> face & 1 == 0
                };
                is_face(first) && second.is_none_or(is_face) && self.is_set_begun(state, first, second)
            }
            Phase::Discard { taken } => taken.is_none_or(|card| shows(state.turn, card)),
            Phase::Play | Phase::Draw | Phase::Over => true,
        }
    }
}
