//! Dealing, and what a described position stands for.

use super::super::deck::{Cards, Face};
use super::super::position::{LinkDescription, Position, Reader};
use super::options::cards_each;
use super::{Connections, Discards, Phase, Rounds, State, TOKENS, Table};
use crate::bits;
use crate::game::Seat;
use crate::position_text::{by_seat, seat};
use crate::rng::Rng;

impl Connections {
    /// A table without cards.
    pub(super) fn before_the_deal(&self, dealer: Seat) -> State {
        State {
            table: Table::default(),
            hands: [0; _],
            pile: self.deck.all_cards(),
            discard: Discards::default(),
            aside: 0,
            known: 0,
            ages: (0..self.deck.num_cards()).map(|_| 0).collect(),
            shuffles: 0,
            dealer,
            turn: self.left_of(dealer, 1),
            phase: Phase::Play,
            may_invite: self.options.partnerships,
            turns: [0; _],
            announced: None,
            last_turns: [0; _],
            idle: 0,
            history: Rounds::default(),
        }
    }

    /// Who deals a round (CONN-17).
    pub(super) fn dealer_of(&self, round: usize) -> Seat {
        Seat::new((self.players() - 1 + round) % self.players())
    }

    /// Deals a round (CONN-3) and begins its first turn.
    pub(super) fn deal(&self, state: &mut State, rng: &mut Rng) {
        let each = cards_each(self.options.players);
        for hand in &mut state.hands[..self.players()] {
            *hand = rng.subset(state.pile, each.into());
            state.pile &= !*hand;
        }
        self.begin_turn(state, state.turn, rng);
    }

    /// Deals what `viewer` has not seen among the others and the pile: to each as many cards of every age as they hold,
    /// until it fits what everybody sees: that a set was begun that can be completed. When it is over, all is seen.
    pub(super) fn deal_unseen(&self, state: &mut State, viewer: Seat, rng: &mut Rng) {
        if state.phase == Phase::Over {
            return;
        }
        let others = || (0..self.players()).filter(|&seat| seat != viewer.index());
        let hidden = state.hands.map(|hand| hand & !state.known);
        let unseen = others().fold(state.pile, |all, seat| all | hidden[seat]);
        loop {
            state.pile = 0;
            others().for_each(|seat| state.hands[seat] &= state.known);
            let mut rest = unseen;
            while rest != 0 {
                let cards = Self::of_one_age(state, rest);
                rest &= !cards;
                let mut left = cards;
                for seat in others() {
                    let dealt = rng.subset(left, (hidden[seat] & cards).count_ones());
                    state.hands[seat] |= dealt;
                    left &= !dealt;
                }
                state.pile |= left;
            }
            if self.can_complete(state) {
                return;
            }
        }
    }

    /// Those of some hidden cards that are of the age of the first.
    fn of_one_age(state: &State, cards: Cards) -> Cards {
        if state.shuffles == 0 {
            return cards;
        }
        let age = |card: &u8| state.ages[usize::from(*card)];
        let first = cards.trailing_zeros() as u8;
        bits::each(cards).filter(|card| age(card) == age(&first)).fold(0, |set, card| set | 1 << card)
    }

    /// A match as described.
    pub(in super::super) fn state_at(&self, position: &Position) -> Result<State, String> {
        let players = self.players();
        let seat_in = |number| seat(number, players);
        let read = Reader { deck: &self.deck };
        if position.history.len() > self.rounds() {
            return Err(format!("history: {} rounds of {}", position.history.len(), self.rounds()));
        }
        let round = position.history.len().saturating_sub(usize::from(position.phase == "over"));
        let dealer = position.dealer.map_or(Ok(self.dealer_of(round)), seat_in)?;
        let mut state = self.before_the_deal(dealer);
        let mut placed: Cards = 0;
        let mut place = |card: u8| {
            if placed >> card & 1 == 1 {
                return Err(format!("{} is in two places", self.deck.card_name(card)));
            }
            placed |= 1 << card;
            Ok(())
        };
        for (what, lists) in [("hands", &position.hands), ("laid", &position.laid), ("sets", &position.sets)] {
            let is_needed = what == "hands" || !lists.is_empty();
            if is_needed && lists.len() != players {
                return Err(format!("{what}: {} lists for {players} players", lists.len()));
            }
        }
        for (hand, names) in state.hands.iter_mut().zip(&position.hands) {
            for name in names {
                let card = read.card(name)?;
                place(card)?;
                *hand |= 1 << card;
            }
        }
        self.lay(&mut state.table, position, &mut place)?;
        for (number, names) in position.sets.iter().enumerate() {
            for name in names {
                state.table.sets[number] |= 1 << read.region(name)?;
            }
        }
        for described in &position.links {
            let link = read.link(&described.city)?;
            let Some(bond) = state.table.bonds.iter_mut().find(|bond| bond.link == link) else {
                return Err(format!("links: {} is not on the table", described.city));
            };
            bond.partner = described.partner.map(seat_in).transpose()?;
            bond.invited = described.invited.map(seat_in).transpose()?;
        }
        for name in &position.discard {
            let card = read.card(name)?;
            place(card)?;
            state.discard.push(card);
        }
        state.pile &= !placed;
        if let Some(names) = &position.pile {
            let pile = names.iter().map(|name| read.card(name)).collect::<Result<Vec<_>, _>>()?;
            let pile: Cards = pile.into_iter().fold(0, |set, card| set | 1 << card);
            if pile & placed != 0 {
                return Err("a card of the pile is in two places".to_owned());
            }
            state.aside = state.pile & !pile;
            state.pile = pile;
        }
        for name in &position.known {
            state.known |= 1 << read.card(name)?;
        }
        for (name, age) in &position.ages {
            state.ages[usize::from(read.card(name)?)] = *age;
        }
        state.shuffles = position.shuffles.unwrap_or_else(|| state.ages.iter().copied().max().unwrap_or_default());
        state.turns = by_seat("turns", &position.turns, players)?;
        state.last_turns = by_seat("last_turns", &position.last_turns, players)?;
        state.announced = position.announced.map(seat_in).transpose()?;
        state.idle = position.idle;
        state.turn = position.turn.map_or(Ok(state.turn), seat_in)?;
        state.may_invite = position.may_invite && self.options.partnerships;
        state.phase = self.phase_at(position)?;
        for round in &position.history {
            state.history.push(by_seat("history", round, players)?);
        }
        Ok(state)
    }

    fn lay(
        &self,
        table: &mut Table,
        position: &Position,
        place: &mut impl FnMut(u8) -> Result<(), String>,
    ) -> Result<(), String> {
        let read = Reader { deck: &self.deck };
        for (names, seat) in position.laid.iter().zip((0..).map(Seat::new)) {
            for name in names {
                let face = read.face(name)?;
                let Face { card, city, .. } = self.deck.face(face);
                place(card)?;
                if table.marked >> face & 1 == 1 {
                    return Err(format!("laid: {} has a token already (CONN-4)", self.deck.city_name(city)));
                }
                if table.laid[seat.index()].len() == usize::from(TOKENS) {
                    return Err(format!("laid: seat {} has {TOKENS} tokens (CONN-4)", seat.index()));
                }
                table.put(&self.deck, seat, face);
            }
        }
        // The links lie in the order in which they are described.
        let is_it = |link: u8| move |described: &LinkDescription| self.deck.find_link(&described.city) == Some(link);
        table.bonds.sort_by_key(|bond| position.links.iter().position(is_it(bond.link)).unwrap_or(usize::MAX));
        Ok(())
    }

    fn phase_at(&self, position: &Position) -> Result<Phase, String> {
        let read = Reader { deck: &self.deck };
        let phase = &*position.phase;
        let missing = |what: &str| format!("phase {phase:?}: {what} is missing");
        let seat_of = |number: Option<usize>, what: &str| seat(number.ok_or_else(|| missing(what))?, self.players());
        let card_of = |name: &Option<String>, what: &str| read.card(name.as_ref().ok_or_else(|| missing(what))?);
        let phase = match phase {
            "announce" => Phase::Announce,
            "offer" => Phase::Offer { asked: seat_of(position.asked, "asked")? },
            "answer" => Phase::Answer {
                asked: seat_of(position.asked, "asked")?,
                card: card_of(&position.card, "card")?,
                to: seat_of(position.to, "to")?,
            },
            "accept" => Phase::Accept {
                asked: seat_of(position.asked, "asked")?,
                card: card_of(&position.card, "card")?,
                to: seat_of(position.to, "to")?,
                reply: card_of(&position.reply, "reply")?,
            },
            "play" => Phase::Play,
            "invited" => Phase::Invited {
                link: read.link(position.link.as_ref().ok_or_else(|| missing("link"))?)?,
                to: seat_of(position.to, "to")?,
            },
            "set" => match &position.chosen[..] {
                [first] => Phase::Set { first: read.face(first)?, second: None },
                [first, second] => Phase::Set { first: read.face(first)?, second: Some(read.face(second)?) },
                _ => return Err("phase \"set\": one or two cities are chosen".to_owned()),
            },
            "draw" => Phase::Draw,
            "discard" => Phase::Discard { taken: position.taken.as_ref().map(|name| read.card(name)).transpose()? },
            "over" => Phase::Over,
            other => {
                let all = "announce, offer, answer, accept, play, invited, set, draw, discard, over";
                return Err(format!("no phase {other:?}: the phases are {all}"));
            }
        };
        let given = [
            ("asked", position.asked.is_some(), phase.asked().is_some()),
            ("card", position.card.is_some(), phase.card().is_some()),
            ("to", position.to.is_some(), phase.to().is_some()),
            ("reply", position.reply.is_some(), phase.reply().is_some()),
            ("link", position.link.is_some(), phase.link().is_some()),
            ("chosen", !position.chosen.is_empty(), phase.chosen().next().is_some()),
            ("taken", position.taken.is_some(), phase.taken().is_some()),
        ];
        match given.iter().find(|(_, given, needed)| given != needed) {
            Some((what, ..)) => Err(format!("phase {:?} has no {what}", position.phase)),
            None => Ok(phase),
        }
    }
}
