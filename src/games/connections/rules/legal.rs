//! What a player may do, and why not.

use super::super::deck::{Cards, Face, Faces, Kind, Regions};
use super::{Action, Bond, Connections, LAST_TURNS, Phase, SET, State, TURNS_BEFORE_END, Table};
use crate::bits;
use crate::game::{Refusal, Seat};
use crate::text::listed_with;

/// Every member of a set of faces.
#[inline(always)]
pub(in super::super) fn each(faces: Faces) -> impl Iterator<Item = u8> {
    bits::each(faces as u64).chain(bits::each((faces >> 64) as u64).map(|face| face + 64))
}

impl Connections {
    /// The faces of some cards.
    #[inline(always)]
    fn faces_of(&self, cards: Cards) -> Faces {
        bits::each(cards).fold(0, |faces, card| faces | self.deck.faces_of_card(card))
    }

    /// The faces that the player in turn could put down, by cards, cities and tokens (CONN-4).
    #[inline(always)]
    fn free_faces(&self, state: &State) -> Faces {
        if state.tokens(state.turn) == 0 {
            return 0;
        }
        self.faces_of(state.hands[state.turn.index()]) & !state.table.marked
    }

    /// The faces that can be played alone: links (CONN-7) and singles (CONN-8, CONN-11, CONN-13).
    #[inline(always)]
    pub(in super::super) fn playable(&self, state: &State) -> Faces {
        let free = self.free_faces(state);
        if free == 0 {
            return 0;
        }
        let sets = state.table.sets[state.turn.index()];
        let links = self.deck.links().iter().filter(|link| link.regions & sets != 0);
        let links = links.fold(0, |faces, link| faces | self.deck.faces_of_city(link.city));
        let open = self.open_regions(state);
        let singles = bits::each(open.into()).fold(0, |faces, region| faces | self.deck.faces_of_region(region));
        free & (links | singles)
    }

    /// The regions of which the player in turn may play singles.
    #[inline(always)]
    fn open_regions(&self, state: &State) -> Regions {
        let seat = Some(state.turn);
        let is_in = |bond: &&Bond| seat == Some(bond.owner) || bond.partner == seat || bond.invited == seat;
        let linked = state.table.bonds.iter().filter(is_in);
        let regions = linked.fold(0, |regions, bond| regions | self.deck.links()[usize::from(bond.link)].regions);
        regions | state.table.sets[state.turn.index()]
    }

    /// The faces with which a set can be begun or continued (CONN-6).
    #[inline(always)]
    pub(in super::super) fn for_set(&self, state: &State) -> Faces {
        let seat = state.turn.index();
        if let Phase::Set { first, second } = state.phase {
            let free = self.free_faces(state);
            return match second {
                None => self.next_of_set(free, &[first]),
                Some(second) => self.next_of_set(free, &[first, second]),
            };
        }
        if state.tokens(state.turn) < SET {
            return 0;
        }
        let free = self.free_faces(state);
        let mut faces = 0;
        for region in 0..self.deck.regions().len() as u8 {
            let here = free & self.deck.faces_of_region(region);
            if here.count_ones() >= SET.into() && state.table.sets[seat] >> region & 1 == 0 {
                faces |=
                    each(here).filter(|&face| self.is_completable(here, &[face])).fold(0, |set, face| set | 1 << face);
            }
        }
        faces
    }

    /// The free faces that can follow the chosen ones in a set.
    fn next_of_set(&self, free: Faces, chosen: &[u8]) -> Faces {
        let Kind::Region(region) = self.deck.face(chosen[0]).kind else { return 0 };
        let here =
            chosen.iter().fold(free & self.deck.faces_of_region(region), |here, &face| here & !self.beside(face));
        each(here)
            .filter(|&face| chosen.len() + 1 == usize::from(SET) || here & !self.beside(face) != 0)
            .fold(0, |set, face| set | 1 << face)
    }

    /// Whether chosen faces can be completed to a set: different cities, on different cards.
    fn is_completable(&self, here: Faces, chosen: &[u8]) -> bool {
        let here = chosen.iter().fold(here, |here, &face| here & !self.beside(face));
        each(here).any(|face| here & !self.beside(face) != 0)
    }

    /// The faces on the same card or with the same city.
    #[inline(always)]
    fn beside(&self, face: u8) -> Faces {
        let Face { card, city, .. } = self.deck.face(face);
        self.deck.faces_of_card(card) | self.deck.faces_of_city(city)
    }

    /// Whether cities that were chosen begin a set: one region without a set, different cities on different cards.
    pub(super) fn is_set_begun(&self, state: &State, first: u8, second: Option<u8>) -> bool {
        let Kind::Region(region) = self.deck.face(first).kind else { return false };
        let is_beside = second.is_none_or(|second| {
            self.deck.face(second).kind == Kind::Region(region) && self.beside(first) >> second & 1 == 0
        });
        is_beside && state.table.sets[state.turn.index()] >> region & 1 == 0 && state.tokens(state.turn) >= SET
    }

    /// Whether the chosen cities can be completed by what the player in turn holds.
    pub(super) fn can_complete(&self, state: &State) -> bool {
        !matches!(state.phase, Phase::Set { .. }) || self.for_set(state) != 0
    }

    /// Whether the top of the discard pile may be taken for an exchange: another card must be there to discard (CONN-5).
    #[inline(always)]
    fn can_exchange_top(state: &State) -> bool {
        !state.discard.is_empty() && state.hands[state.turn.index()] != 0
    }

    /// Whether a seat has a turn to come in this round (CONN-10).
    fn has_turn_to_come(&self, state: &State, seat: Seat) -> bool {
        let has_had_last = state.announced.is_some() && state.last_turns[seat.index()] >= LAST_TURNS;
        state.announced != Some(seat) && !has_had_last && state.turns[seat.index()] < self.options.max_turns
    }

    fn can_join(&self, state: &State, link: u8, seat: Seat) -> bool {
        let regions = self.deck.links()[usize::from(link)].regions;
        state.table.has_city(seat, regions) || self.has_turn_to_come(state, seat)
    }

    /// The own links to which somebody can be invited (CONN-10, CONN-12).
    #[inline(always)]
    fn inviting(state: &State) -> impl Iterator<Item = u8> {
        let is_free = |bond: &&Bond| bond.partner.is_none() && bond.invited.is_none();
        let bonds = if state.may_invite { &*state.table.bonds } else { &[] };
        bonds.iter().filter(|bond| bond.owner == state.turn).filter(is_free).map(|bond| bond.link)
    }

    /// Whether two players can become partners, by the partnerships and open invitations that they have (CONN-12).
    pub(super) fn can_be_partners(&self, table: &Table, host: Seat, guest: Seat) -> bool {
        let has_room = |seat: Seat| table.joined_with(seat).count() < self.options.partnerships_each.into();
        has_room(host) && has_room(guest) && table.joined_with(host).all(|seat| seat != guest)
    }

    /// The places to the left of those whom the player in turn can invite (CONN-12).
    #[inline(always)]
    fn guests(&self, state: &State) -> impl Iterator<Item = u8> + Clone {
        let can_come = |&to: &u8| self.can_be_partners(&state.table, state.turn, self.left_of(state.turn, to.into()));
        (1..self.players() as u8).filter(can_come)
    }

    /// To whom somebody can offer a card: the places to the left (CONN-14).
    #[inline(always)]
    fn targets(&self, state: &State, asked: Seat) -> impl Iterator<Item = u8> + Clone {
        let can_answer = move |&places: &u8| {
            let seat = self.left_of(asked, places.into());
            seat != state.turn && state.hands[seat.index()] != 0
        };
        (1..self.players() as u8).filter(can_answer)
    }

    /// The cards that can be discarded (CONN-5).
    #[inline(always)]
    fn discardable(state: &State, taken: Option<u8>) -> Cards {
        state.hands[state.turn.index()] & !taken.map_or(0, |card| 1 << card)
    }

    /// Every legal action, in the order of the ids.
    #[inline(always)]
    pub(in super::super) fn list(&self, state: &State, mut see: impl FnMut(Action)) {
        match state.phase {
            Phase::Announce => {
                see(Action::Announce);
                see(Action::No);
            }
            Phase::Offer { asked } => {
                let targets = self.targets(state, asked);
                for card in bits::each(state.hands[asked.index()]) {
                    targets.clone().for_each(|to| see(Action::Offer { card, to }));
                }
                see(Action::No);
            }
            Phase::Answer { to, .. } => {
                bits::each(state.hands[to.index()]).for_each(|card| see(Action::Answer(card)));
                see(Action::No);
            }
            Phase::Accept { .. } => {
                see(Action::Accept);
                see(Action::No);
            }
            Phase::Play => self.list_play(state, &mut see),
            Phase::Invited { link, to } => {
                if self.can_join(state, link, to) {
                    see(Action::Join);
                }
                see(Action::No);
            }
            Phase::Set { .. } => each(self.for_set(state)).for_each(|face| see(Action::Set(face))),
            Phase::Draw => {
                if state.pile != 0 {
                    see(Action::Draw);
                }
                if !state.discard.is_empty() {
                    see(Action::Take);
                }
            }
            Phase::Discard { taken } => {
                bits::each(Self::discardable(state, taken)).for_each(|card| see(Action::Discard(card)));
            }
            Phase::Over => {}
        }
    }

    #[inline(always)]
    fn list_play(&self, state: &State, see: &mut impl FnMut(Action)) {
        let (sets, singles) = (self.for_set(state), self.playable(state));
        each(sets).for_each(|face| see(Action::Set(face)));
        each(singles).for_each(|face| see(Action::Play(face)));
        let mut links = Self::inviting(state).fold(0_u64, |set, link| set | 1 << link);
        while links != 0 {
            let link = links.trailing_zeros() as u8;
            links &= links - 1;
            self.guests(state).for_each(|to| see(Action::Invite { link, to }));
        }
        let (draw, take) = (state.pile != 0, Self::can_exchange_top(state));
        if draw {
            see(Action::Draw);
        }
        if take {
            see(Action::Take);
        }
        if sets | singles == 0 && !draw && !take {
            see(Action::Pass);
        }
    }

    #[inline(always)]
    pub(in super::super) fn is_legal(&self, state: &State, action: Action) -> bool {
        let holds = |seat: Seat, card: u8| state.hands[seat.index()].checked_shr(card.into()).unwrap_or(0) & 1 == 1;
        match (state.phase, action) {
            (Phase::Announce, Action::Announce | Action::No)
            | (Phase::Accept { .. }, Action::Accept | Action::No)
            | (Phase::Offer { .. } | Phase::Answer { .. } | Phase::Invited { .. }, Action::No) => true,
            (Phase::Offer { asked }, Action::Offer { card, to }) => {
                holds(asked, card) && self.targets(state, asked).any(|target| target == to)
            }
            (Phase::Answer { to, .. }, Action::Answer(card)) => holds(to, card),
            (Phase::Invited { link, to }, Action::Join) => self.can_join(state, link, to),
            (Phase::Play | Phase::Set { .. }, Action::Set(face)) => self.for_set(state) >> face & 1 == 1,
            (Phase::Play, Action::Play(face)) => self.playable(state) >> face & 1 == 1,
            (Phase::Play, Action::Invite { link, to }) => {
                Self::inviting(state).any(|free| free == link) && self.guests(state).any(|guest| guest == to)
            }
            (Phase::Play | Phase::Draw, Action::Draw) => state.pile != 0,
            (Phase::Play, Action::Take) => Self::can_exchange_top(state),
            (Phase::Draw, Action::Take) => !state.discard.is_empty(),
            (Phase::Play, Action::Pass) => {
                state.pile == 0 && !Self::can_exchange_top(state) && self.for_set(state) | self.playable(state) == 0
            }
            (Phase::Discard { taken }, Action::Discard(card)) => {
                Self::discardable(state, taken).checked_shr(card.into()).unwrap_or(0) & 1 == 1
            }
            _ => false,
        }
    }

    /// Why an action that is not legal is not.
    #[cold]
    pub(super) fn why_not(&self, state: &State, action: Action) -> Refusal {
        let reason = match (state.phase, action) {
            (Phase::Over, _) => "the match is over".to_owned(),
            (Phase::Announce, _) => format!("seat {} is asked whether to announce (CONN-15)", state.turn.index()),
            (_, Action::Announce) => self.why_not_announce(state),
            (Phase::Offer { asked }, Action::Offer { card, to }) => self.why_not_offer(state, asked, card, to),
            (Phase::Offer { asked }, _) => {
                format!("seat {} is asked about an offer: offer a card or no (CONN-14)", asked.index())
            }
            (Phase::Answer { to, .. }, Action::Answer(card)) => self.not_held(to, card),
            (Phase::Answer { to, .. }, _) => {
                format!("seat {} is asked for an answer: answer with a card or no (CONN-14)", to.index())
            }
            (Phase::Accept { asked, .. }, _) => format!("seat {} is asked whether to accept (CONN-14)", asked.index()),
            (Phase::Invited { to, .. }, Action::Join) => {
                format!("seat {} has no turn to come and no city there (CONN-10)", to.index())
            }
            (Phase::Invited { to, .. }, _) => format!("seat {} is invited: join or no (CONN-10)", to.index()),
            (Phase::Set { first, .. }, Action::Set(face)) => self.why_not_next(state, first, face),
            (Phase::Set { first, .. }, _) => self.another_city(first),
            (Phase::Draw | Phase::Play, Action::Draw) => "the draw pile is empty (CONN-5)".to_owned(),
            (Phase::Draw | Phase::Play, Action::Take) if state.discard.is_empty() => {
                "the discard pile is empty (CONN-5)".to_owned()
            }
            (Phase::Play, Action::Take) => "there would be no other card to discard (CONN-5)".to_owned(),
            (Phase::Draw, _) => "a card is drawn now: draw or take (CONN-6)".to_owned(),
            (Phase::Discard { taken }, Action::Discard(card)) if taken == Some(card) => {
                "a card just taken from the discard pile is not discarded at once (CONN-5)".to_owned()
            }
            (Phase::Discard { .. }, Action::Discard(card)) => self.not_held(state.turn, card),
            (Phase::Discard { .. }, _) => "a card is discarded now (CONN-5)".to_owned(),
            (Phase::Play, action) => self.why_not_play(state, action),
        };
        Refusal::new("", reason)
    }

    fn not_held(&self, seat: Seat, card: u8) -> String {
        format!("seat {} does not hold {}", seat.index(), self.deck.card_name(card))
    }

    fn why_not_announce(&self, state: &State) -> String {
        if self.is_last_round(state) {
            return "in the last round nobody announces (CONN-16)".to_owned();
        }
        if let Some(seat) = state.announced {
            return format!("seat {} has announced already (CONN-15)", seat.index());
        }
        if state.turns[..self.players()].iter().any(|&turns| turns < TURNS_BEFORE_END) {
            return "all must have had six turns (CONN-15)".to_owned();
        }
        "the end is announced before the turn (CONN-15)".to_owned()
    }

    fn why_not_offer(&self, state: &State, asked: Seat, card: u8, to: u8) -> String {
        let target = self.left_of(asked, to.into());
        if state.hands[asked.index()] >> card & 1 == 0 {
            return self.not_held(asked, card);
        }
        if target == state.turn {
            return format!("seat {} is in turn and does not trade (CONN-14)", target.index());
        }
        format!("seat {} has no card to answer with (CONN-14)", target.index())
    }

    fn another_city(&self, first: u8) -> String {
        format!("the set needs another city of {} (CONN-6)", self.region_of_face(first))
    }

    fn region_of_face(&self, face: u8) -> String {
        match self.deck.face(face).kind {
            Kind::Region(region) => self.deck.regions()[usize::from(region)].name.clone(),
            Kind::Link(link) => self.joined_names(self.deck.links()[usize::from(link)].regions),
        }
    }

    fn joined_names(&self, regions: Regions) -> String {
        let names = bits::each(regions.into()).map(|region| self.deck.regions()[usize::from(region)].name.clone());
        listed_with(&names.collect::<Vec<_>>(), "or")
    }

    fn why_not_next(&self, state: &State, first: u8, face: u8) -> String {
        let Face { card, city, .. } = self.deck.face(face);
        if state.hands[state.turn.index()] >> card & 1 == 0 {
            return self.not_held(state.turn, card);
        }
        if state.table.marked >> face & 1 == 1 {
            return format!("{} has a token already (CONN-4)", self.deck.city_name(city));
        }
        self.another_city(first)
    }

    fn why_not_play(&self, state: &State, action: Action) -> String {
        let seat = state.turn;
        match action {
            Action::Set(face) | Action::Play(face) => {
                let Face { card, city, kind } = self.deck.face(face);
                let name = self.deck.city_name(city);
                let tokens = state.tokens(seat);
                if state.hands[seat.index()] >> card & 1 == 0 {
                    return self.not_held(seat, card);
                }
                if state.table.marked >> face & 1 == 1 {
                    return format!("{name} has a token already (CONN-4)");
                }
                if tokens == 0 {
                    return format!("seat {} has no token left (CONN-4)", seat.index());
                }
                let region = self.region_of_face(face);
                match (action, kind) {
                    (Action::Set(_), Kind::Region(number)) => {
                        if state.table.sets[seat.index()] >> number & 1 == 1 {
                            format!("seat {} has a set of {region} already (CONN-6)", seat.index())
                        } else if tokens < SET {
                            format!("a set takes three tokens, seat {} has {tokens} (CONN-4)", seat.index())
                        } else {
                            format!("three cities of {region} are needed (CONN-6)")
                        }
                    }
                    (_, Kind::Link(_)) => format!("{name} needs an own set of {region} (CONN-7)"),
                    _ => format!("{name} needs an own set of {region}, or a link that shows it (CONN-8)"),
                }
            }
            Action::Invite { link, to } => self.why_not_invite(state, link, self.left_of(seat, to.into())),
            Action::Offer { .. } | Action::Answer(_) | Action::Accept => {
                "cards are offered at the start of a turn (CONN-14)".to_owned()
            }
            Action::Discard(_) => "a card is drawn first (CONN-5)".to_owned(),
            Action::Join => "nobody is invited (CONN-10)".to_owned(),
            Action::Pass => "there is something to do (CONN-9)".to_owned(),
            _ => "there is nothing to decline".to_owned(),
        }
    }

    fn why_not_invite(&self, state: &State, link: u8, guest: Seat) -> String {
        let name = self.deck.city_name(self.deck.links()[usize::from(link)].city);
        if !self.options.partnerships {
            return "partnerships are off (CONN-10)".to_owned();
        }
        let own = |bond: &&Bond| bond.link == link && bond.owner == state.turn;
        match state.table.bonds.iter().find(own) {
            None => format!("seat {} has not played {name} (CONN-10)", state.turn.index()),
            Some(bond) if bond.partner.is_some() => format!("{name} has a partner already (CONN-12)"),
            Some(bond) if bond.invited.is_some() => format!("{name} has an open invitation (CONN-10)"),
            Some(_) if !state.may_invite => "one invitation a turn (CONN-10)".to_owned(),
            Some(_) => self.why_not_partners(state, guest),
        }
    }

    fn why_not_partners(&self, state: &State, guest: Seat) -> String {
        let (host, most) = (state.turn, self.options.partnerships_each);
        if state.table.joined_with(host).any(|seat| seat == guest) {
            let (one, other) = (host.index(), guest.index());
            return format!("seats {one} and {other} share a partnership or an open invitation already (CONN-12)");
        }
        let is_full = |seat: &Seat| state.table.joined_with(*seat).count() >= most.into();
        let full = [host, guest].into_iter().find(is_full).unwrap_or(guest).index();
        format!("seat {full} has {most} partnerships or open invitations, as many as allowed (CONN-12)")
    }
}
