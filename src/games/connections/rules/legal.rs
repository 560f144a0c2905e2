//! What a player may do.

use super::super::deck::{Cards, Face, Faces, Kind, Regions};
use super::{Action, Bond, Connections, LAST_TURNS, Phase, SET, State, Table};
use crate::bits;
use crate::game::Seat;

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

    /// Whether `list` lists an action.
    #[inline(always)]
    pub(super) fn allows(&self, state: &State, action: Action) -> bool {
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
}
