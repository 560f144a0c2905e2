//! Why a player may not do something.

use super::super::deck::{Face, Kind, Regions};
use super::{Action, Bond, Connections, Phase, SET, State, TURNS_BEFORE_END};
use crate::bits;
use crate::game::{Refusal, Seat, Wording};
use crate::text::listed_with;

impl Connections {
    /// Why an action that is not legal is not.
    #[cold]
    pub(super) fn refusal(&self, state: &State, action: Action) -> Refusal {
        let player_is = |seat: Seat, clause, about| Refusal::new(clause, Wording::player(seat, "is").text(about));
        match (state.phase, action) {
            (Phase::Over, _) => Refusal::new("", "the match is over"),
            (Phase::Announce, _) => player_is(state.turn, "CONN-15", " asked whether to announce"),
            (_, Action::Announce) => self.why_not_announce(state),
            (Phase::Offer { asked }, Action::Offer { card, to }) => self.why_not_offer(state, asked, card, to),
            (Phase::Offer { asked }, _) => player_is(asked, "CONN-14", " asked about an offer: offer a card or no"),
            (Phase::Answer { to, .. }, Action::Answer(card)) => self.not_held(to, card),
            (Phase::Answer { to, .. }, _) => player_is(to, "CONN-14", " asked for an answer: answer with a card or no"),
            (Phase::Accept { asked, .. }, _) => player_is(asked, "CONN-14", " asked whether to accept"),
            (Phase::Invited { to, .. }, Action::Join) => {
                Refusal::new("CONN-10", Wording::player(to, "has").text(" no turn to come and no city there"))
            }
            (Phase::Invited { to, .. }, _) => player_is(to, "CONN-10", " invited: join or no"),
            (Phase::Set { first, .. }, Action::Set(face)) => self.why_not_next(state, first, face),
            (Phase::Set { first, .. }, _) => self.another_city(first),
            (Phase::Draw | Phase::Play, Action::Draw) => Refusal::new("CONN-5", "the draw pile is empty"),
            (Phase::Draw | Phase::Play, Action::Take) if state.discard.is_empty() => {
                Refusal::new("CONN-5", "the discard pile is empty")
            }
            (Phase::Play, Action::Take) => Refusal::new("CONN-5", "there would be no other card to discard"),
            (Phase::Draw, _) => Refusal::new("CONN-6", "a card is drawn now: draw or take"),
            (Phase::Discard { taken }, Action::Discard(card)) if taken == Some(card) => {
                Refusal::new("CONN-5", "a card just taken from the discard pile is not discarded at once")
            }
            (Phase::Discard { .. }, Action::Discard(card)) => self.not_held(state.turn, card),
            (Phase::Discard { .. }, _) => Refusal::new("CONN-5", "a card is discarded now"),
            (Phase::Play, action) => self.why_not_in_turn(state, action),
        }
    }

    fn not_held(&self, seat: Seat, card: u8) -> Refusal {
        let name = self.deck.card_name(card);
        Refusal::new("", Wording::player(seat, "does").text(format!(" not hold {name}")))
    }

    fn has_token(&self, city: u8) -> Refusal {
        Refusal::new("CONN-4", format!("{} has a token already", self.deck.city_name(city)))
    }

    fn another_city(&self, first: u8) -> Refusal {
        Refusal::new("CONN-6", format!("the set needs another city of {}", self.regions_of_face(first)))
    }

    fn why_not_announce(&self, state: &State) -> Refusal {
        if self.is_last_round(state) {
            return Refusal::new("CONN-16", "in the last round nobody announces");
        }
        if let Some(seat) = state.announced {
            return Refusal::new("CONN-15", Wording::player(seat, "has").text(" announced already"));
        }
        if state.turns[..self.players()].iter().any(|&turns| turns < TURNS_BEFORE_END) {
            return Refusal::new("CONN-15", "all must have had six turns");
        }
        Refusal::new("CONN-15", "the end is announced before the turn")
    }

    fn why_not_offer(&self, state: &State, asked: Seat, card: u8, to: u8) -> Refusal {
        if state.hands[asked.index()] >> card & 1 == 0 {
            return self.not_held(asked, card);
        }
        let target = self.left_of(asked, to.into());
        let reason = if target == state.turn {
            Wording::player(target, "is").text(" in turn and does not trade")
        } else {
            Wording::player(target, "has").text(" no card to answer with")
        };
        Refusal::new("CONN-14", reason)
    }

    fn why_not_next(&self, state: &State, first: u8, face: u8) -> Refusal {
        let Face { card, city, .. } = self.deck.face(face);
        if state.hands[state.turn.index()] >> card & 1 == 0 {
            return self.not_held(state.turn, card);
        }
        if state.table.marked >> face & 1 == 1 {
            return self.has_token(city);
        }
        self.another_city(first)
    }

    fn why_not_in_turn(&self, state: &State, action: Action) -> Refusal {
        match action {
            Action::Set(face) => self.why_not_put(state, face).unwrap_or_else(|| self.why_not_set(state, face)),
            Action::Play(face) => self.why_not_put(state, face).unwrap_or_else(|| self.why_not_alone(face)),
            Action::Invite { link, to } => self.why_not_invite(state, link, self.left_of(state.turn, to.into())),
            Action::Offer { .. } | Action::Answer(_) | Action::Accept => {
                Refusal::new("CONN-14", "cards are offered at the start of a turn")
            }
            Action::Discard(_) => Refusal::new("CONN-5", "a card is drawn first"),
            Action::Join => Refusal::new("CONN-10", "nobody is invited"),
            Action::Pass => Refusal::new("CONN-9", "there is something to do"),
            _ => Refusal::new("", "there is nothing to decline"),
        }
    }

    /// Why a face cannot be put down, whatever for.
    fn why_not_put(&self, state: &State, face: u8) -> Option<Refusal> {
        let (seat, Face { card, city, .. }) = (state.turn, self.deck.face(face));
        if state.hands[seat.index()] >> card & 1 == 0 {
            return Some(self.not_held(seat, card));
        }
        if state.table.marked >> face & 1 == 1 {
            return Some(self.has_token(city));
        }
        let has_none = || Refusal::new("CONN-4", Wording::player(seat, "has").text(" no token left"));
        (state.tokens(seat) == 0).then(has_none)
    }

    fn why_not_set(&self, state: &State, face: u8) -> Refusal {
        let (seat, tokens, name) = (state.turn, state.tokens(state.turn), self.regions_of_face(face));
        let Kind::Region(region) = self.deck.face(face).kind else { return self.why_not_alone(face) };
        if state.table.sets[seat.index()] >> region & 1 == 1 {
            return Refusal::new("CONN-6", Wording::player(seat, "has").text(format!(" a set of {name} already")));
        }
        if tokens < SET {
            let reason = Wording::from("a set takes three tokens, ").and_player(seat, "has");
            return Refusal::new("CONN-4", reason.text(format!(" {tokens}")));
        }
        Refusal::new("CONN-6", format!("three cities of {name} are needed"))
    }

    /// Why a link or a single cannot be played.
    fn why_not_alone(&self, face: u8) -> Refusal {
        let Face { city, kind, .. } = self.deck.face(face);
        let needed = format!("{} needs an own set of {}", self.deck.city_name(city), self.regions_of_face(face));
        match kind {
            Kind::Link(_) => Refusal::new("CONN-7", needed),
            Kind::Region(_) => Refusal::new("CONN-8", format!("{needed}, or a link that shows it")),
        }
    }

    fn why_not_invite(&self, state: &State, link: u8, guest: Seat) -> Refusal {
        if !self.options.partnerships {
            return Refusal::new("CONN-10", "partnerships are off");
        }
        let name = self.deck.city_name(self.deck.links()[usize::from(link)].city);
        let own = |bond: &&Bond| bond.link == link && bond.owner == state.turn;
        match state.table.bonds.iter().find(own) {
            None => Refusal::new("CONN-10", Wording::player(state.turn, "has").text(format!(" not played {name}"))),
            Some(bond) if bond.partner.is_some() => Refusal::new("CONN-12", format!("{name} has a partner already")),
            Some(bond) if bond.invited.is_some() => Refusal::new("CONN-10", format!("{name} has an open invitation")),
            Some(_) if !state.may_invite => Refusal::new("CONN-10", "one invitation a turn"),
            Some(_) => self.why_not_partners(state, guest),
        }
    }

    fn why_not_partners(&self, state: &State, guest: Seat) -> Refusal {
        let (host, most) = (state.turn, self.options.partnerships_each);
        if state.table.joined_with(host).any(|seat| seat == guest) {
            let (one, other) = (host.index(), guest.index());
            let reason = format!("seats {one} and {other} share a partnership or an open invitation already");
            return Refusal::new("CONN-12", reason);
        }
        let is_full = |seat: &Seat| state.table.joined_with(*seat).count() >= most.into();
        let full = [host, guest].into_iter().find(is_full).unwrap_or(guest);
        let many = format!(" {most} partnerships or open invitations, as many as allowed");
        Refusal::new("CONN-12", Wording::player(full, "has").text(many))
    }

    /// The region of a face in words; of a linking city, those that it joins.
    fn regions_of_face(&self, face: u8) -> String {
        let regions: Regions = match self.deck.face(face).kind {
            Kind::Region(region) => 1 << region,
            Kind::Link(link) => self.deck.links()[usize::from(link)].regions,
        };
        let names = bits::each(regions.into()).map(|region| self.deck.regions()[usize::from(region)].name.clone());
        listed_with(&names.collect::<Vec<_>>(), "or")
    }
}
