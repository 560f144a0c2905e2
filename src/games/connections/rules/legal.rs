//! What a player may do.

use super::super::deck::{Cards, Face, Faces, Kind, PerRegion, Regions};
use super::{Action, Connections, LAST_TURNS, Phase, SET, State, Table, WORDS};
use crate::bits;
use crate::game::Seat;

/// What may be done in a moment: a set for every block of the actions' ids, in their order.
#[derive(Clone, Copy, Default)]
pub(in super::super) struct Legal {
    /// Faces for a set.
    pub sets: Faces,
    /// Faces that can be played alone.
    pub plays: Faces,
    pub discards: Cards,
    /// Cards that can be offered, each to all of [`Legal::targets`].
    pub offers: Cards,
    /// Players, the next on the left first.
    pub targets: u64,
    pub answers: Cards,
    /// Links to which all of [`Legal::guests`] can be invited.
    pub invites: u64,
    /// Players, the next on the left first.
    pub guests: u64,
    /// Numbers of [`WORDS`].
    pub words: u64,
}

/// The action without a number as a set of [`WORDS`].
#[inline(always)]
const fn word(action: Action) -> u64 {
    match action {
        Action::Announce => 1,
        Action::Accept => 1 << 1,
        Action::Join => 1 << 2,
        Action::No => 1 << 3,
        Action::Draw => 1 << 4,
        Action::Take => 1 << 5,
        Action::Pass => 1 << 6,
        _ => 0,
    }
}

impl Legal {
    /// How many actions there are.
    #[inline(always)]
    pub fn count(&self) -> u32 {
        self.sets.count_ones()
            + self.plays.count_ones()
            + (self.discards | self.answers).count_ones()
            + self.offers.count_ones() * self.targets.count_ones()
            + self.invites.count_ones() * self.guests.count_ones()
            + self.words.count_ones()
    }

    /// Shows every action, in the order of the ids.
    #[inline(always)]
    pub fn for_each(&self, mut see: impl FnMut(Action)) {
        each(self.sets).for_each(|face| see(Action::Set(face)));
        each(self.plays).for_each(|face| see(Action::Play(face)));
        bits::each(self.discards).for_each(|card| see(Action::Discard(card)));
        for card in bits::each(self.offers) {
            bits::each(self.targets).for_each(|to| see(Action::Offer { card, to: to + 1 }));
        }
        bits::each(self.answers).for_each(|card| see(Action::Answer(card)));
        for link in bits::each(self.invites) {
            bits::each(self.guests).for_each(|to| see(Action::Invite { link, to: to + 1 }));
        }
        bits::each(self.words).for_each(|word| see(WORDS[usize::from(word)]));
    }

    /// The `n`-th action, counted from 0, of which there are more.
    #[inline(always)]
    pub fn nth(&self, mut n: u32) -> Action {
        let (sets, plays) = (self.sets.count_ones(), self.plays.count_ones());
        if n < sets {
            return Action::Set(nth_face(self.sets, n));
        }
        n -= sets;
        if n < plays {
            return Action::Play(nth_face(self.plays, n));
        }
        n -= plays;
        let (discards, answers) = (self.discards.count_ones(), self.answers.count_ones());
        if n < discards {
            return Action::Discard(bits::nth(self.discards, n) as u8);
        }
        n -= discards;
        let targets = self.targets.count_ones();
        let offers = self.offers.count_ones() * targets;
        if n < offers {
            let to = bits::nth(self.targets, n % targets) as u8 + 1;
            return Action::Offer { card: bits::nth(self.offers, n / targets) as u8, to };
        }
        n -= offers;
        if n < answers {
            return Action::Answer(bits::nth(self.answers, n) as u8);
        }
        n -= answers;
        let guests = self.guests.count_ones();
        let invites = self.invites.count_ones() * guests;
        if n < invites {
            let to = bits::nth(self.guests, n % guests) as u8 + 1;
            return Action::Invite { link: bits::nth(self.invites, n / guests) as u8, to };
        }
        n -= invites;
        WORDS[(bits::nth(self.words, n) as usize).min(WORDS.len() - 1)]
    }
}

/// The `n`-th member of a set of faces, counted from 0.
#[inline(always)]
fn nth_face(faces: Faces, n: u32) -> u8 {
    let (low, high) = (faces as u64, (faces >> 64) as u64);
    let below = low.count_ones();
    if n < below { bits::nth(low, n) as u8 } else { bits::nth(high, n - below) as u8 + 64 }
}

/// Whether a set has three members at least.
#[inline(always)]
fn has_three(faces: Faces) -> bool {
    let two = faces & faces.wrapping_sub(1);
    two & two.wrapping_sub(1) != 0
}

/// Every member of a set of faces.
#[inline(always)]
pub(in super::super) fn each(mut faces: Faces) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let face = faces.trailing_zeros();
        faces &= faces.wrapping_sub(1);
        (face < Faces::BITS).then_some(face as u8)
    })
}

impl Connections {
    /// The faces of some cards, and how many there are of each region.
    #[inline(always)]
    fn faces_of(&self, cards: Cards) -> (Faces, PerRegion) {
        let (mut faces, mut regions) = (0, PerRegion::default());
        for card in bits::each(cards) {
            faces |= self.deck.faces_of_card(card);
            regions += self.deck.faces_per_region(card);
        }
        (faces, regions)
    }

    /// The faces that the player in turn could put down, by cards, cities and tokens (CONN-4), and how many there are of
    /// each region at most.
    #[inline(always)]
    fn free_faces(&self, state: &State) -> (Faces, PerRegion) {
        if state.tokens(state.turn) == 0 {
            return (0, PerRegion::default());
        }
        let (faces, regions) = self.faces_of(state.hands[state.turn.index()]);
        (faces & !state.table.marked, regions)
    }

    /// The faces that can be played alone: links (CONN-7) and singles (CONN-8, CONN-11, CONN-13).
    #[inline(always)]
    pub(in super::super) fn playable(&self, state: &State) -> Faces {
        self.playable_of(state, self.free_faces(state).0)
    }

    /// See [`Connections::playable`]; `free` are the free faces.
    #[inline(always)]
    fn playable_of(&self, state: &State, free: Faces) -> Faces {
        let sets = state.table.sets[state.turn.index()];
        let open = self.open_regions(state);
        if free == 0 || open == 0 {
            return 0;
        }
        let mut singles = 0;
        for region in bits::each(open.into()) {
            singles |= self.deck.faces_of_region(region);
        }
        let links = if sets == 0 { 0 } else { self.faces_of_links(free, sets) };
        links | free & singles
    }

    /// The free faces of links that show one of the regions.
    #[inline(always)]
    fn faces_of_links(&self, free: Faces, regions: Regions) -> Faces {
        let links = free & Faces::MAX.checked_shl(self.deck.num_region_faces() as u32).unwrap_or(0);
        let fits = |&face: &u8| match self.deck.face(face).kind {
            Kind::Link(link) => self.deck.links()[usize::from(link)].regions & regions != 0,
            Kind::Region(_) => false,
        };
        each(links).filter(fits).fold(0, |faces, face| faces | 1 << face)
    }

    /// The regions of which the player in turn may play singles.
    #[inline(always)]
    fn open_regions(&self, state: &State) -> Regions {
        let seat = Some(state.turn);
        let mut regions = state.table.sets[state.turn.index()];
        for bond in &*state.table.bonds {
            if seat == Some(bond.owner) || bond.partner == seat || bond.invited == seat {
                regions |= self.deck.links()[usize::from(bond.link)].regions;
            }
        }
        regions
    }

    /// The faces with which a set can be begun or continued (CONN-6).
    #[inline(always)]
    pub(in super::super) fn for_set(&self, state: &State) -> Faces {
        if let Phase::Set { first, second } = state.phase {
            let (free, _) = self.free_faces(state);
            return match second {
                None => self.next_of_set(free, &[first]),
                Some(second) => self.next_of_set(free, &[first, second]),
            };
        }
        let (free, regions) = self.free_faces(state);
        self.beginnings(state, free, regions)
    }

    /// The faces with which a set can be begun; `free` are the free faces, of each region so many at most.
    #[inline(always)]
    fn beginnings(&self, state: &State, free: Faces, regions: PerRegion) -> Faces {
        if state.tokens(state.turn) < SET {
            return 0;
        }
        let sets = state.table.sets[state.turn.index()];
        let mut faces = 0;
        for region in regions.with_three() {
            let here = free & self.deck.faces_of_region(region);
            if has_three(here) && sets >> region & 1 == 0 {
                faces |= each(here).filter(|&face| self.is_beginning(here, face)).fold(0, |set, face| set | 1 << face);
            }
        }
        faces
    }

    /// Whether a set can be begun with a face.
    #[inline(always)]
    fn can_begin(&self, state: &State, face: u8) -> bool {
        let Kind::Region(region) = self.deck.face(face).kind else { return false };
        let here = self.free_faces(state).0 & self.deck.faces_of_region(region);
        here >> face & 1 == 1
            && state.tokens(state.turn) >= SET
            && state.table.sets[state.turn.index()] >> region & 1 == 0
            && self.is_beginning(here, face)
    }

    /// Whether a face can be played alone: see [`Connections::playable`].
    #[inline(always)]
    fn can_play(&self, state: &State, face: u8) -> bool {
        let Face { card, kind, .. } = self.deck.face(face);
        let is_free = state.tokens(state.turn) > 0
            && state.hands[state.turn.index()] >> card & 1 == 1
            && state.table.marked >> face & 1 == 0;
        is_free
            && match kind {
                Kind::Region(region) => self.open_regions(state) >> region & 1 == 1,
                Kind::Link(link) => {
                    self.deck.links()[usize::from(link)].regions & state.table.sets[state.turn.index()] != 0
                }
            }
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

    /// Whether a face of some of one region can be completed to a set: different cities, on different cards.
    #[inline(always)]
    fn is_beginning(&self, here: Faces, face: u8) -> bool {
        let here = here & !self.beside(face);
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
    fn inviting(state: &State) -> u64 {
        let mut links = 0;
        if state.may_invite {
            for bond in &*state.table.bonds {
                let is_free = bond.owner == state.turn && bond.partner.is_none() && bond.invited.is_none();
                links |= u64::from(is_free) << bond.link;
            }
        }
        links
    }

    /// Whether two players can become partners, by the partnerships and open invitations that they have (CONN-12).
    pub(super) fn can_be_partners(&self, table: &Table, host: Seat, guest: Seat) -> bool {
        let has_room = |seat: Seat| table.joined_with(seat).count() < self.options.partnerships_each.into();
        has_room(host) && has_room(guest) && table.joined_with(host).all(|seat| seat != guest)
    }

    /// Those whom the player in turn can invite, the next on the left first (CONN-12).
    fn guests(&self, state: &State) -> u64 {
        let can_come = |&to: &usize| self.can_be_partners(&state.table, state.turn, self.left_of(state.turn, to));
        (1..self.players()).filter(can_come).fold(0, |guests, to| guests | 1 << (to - 1))
    }

    /// To whom somebody can offer a card, the next on the left first (CONN-14).
    #[inline(always)]
    fn targets(&self, state: &State, asked: Seat) -> u64 {
        let mut targets = 0;
        for to in 1..self.players() {
            let seat = self.left_of(asked, to);
            targets |= u64::from(seat != state.turn && state.hands[seat.index()] != 0) << (to - 1);
        }
        targets
    }

    /// The cards that can be discarded (CONN-5).
    #[inline(always)]
    fn discardable(state: &State, taken: Option<u8>) -> Cards {
        state.hands[state.turn.index()] & !taken.map_or(0, |card| 1 << card)
    }

    /// Every legal action.
    #[inline(always)]
    pub(in super::super) fn legal(&self, state: &State) -> Legal {
        let none = Legal::default();
        let no = word(Action::No);
        match state.phase {
            Phase::Announce => Legal { words: word(Action::Announce) | no, ..none },
            Phase::Offer { asked } => {
                let offers = state.hands[asked.index()];
                Legal { offers, targets: self.targets(state, asked), words: no, ..none }
            }
            Phase::Answer { to, .. } => Legal { answers: state.hands[to.index()], words: no, ..none },
            Phase::Accept { .. } => Legal { words: word(Action::Accept) | no, ..none },
            Phase::Play => self.legal_plays(state),
            Phase::Invited { link, to } => {
                let join = if self.can_join(state, link, to) { word(Action::Join) } else { 0 };
                Legal { words: join | no, ..none }
            }
            Phase::Set { .. } => Legal { sets: self.for_set(state), ..none },
            Phase::Draw => {
                let draw = if state.pile == 0 { 0 } else { word(Action::Draw) };
                let take = if state.discard.is_empty() { 0 } else { word(Action::Take) };
                Legal { words: draw | take, ..none }
            }
            Phase::Discard { taken } => Legal { discards: Self::discardable(state, taken), ..none },
            Phase::Over => none,
        }
    }

    #[inline(always)]
    fn legal_plays(&self, state: &State) -> Legal {
        let (free, regions) = self.free_faces(state);
        let (sets, plays) = (self.beginnings(state, free, regions), self.playable_of(state, free));
        let invites = Self::inviting(state);
        let guests = if invites == 0 { 0 } else { self.guests(state) };
        let draw = if state.pile == 0 { 0 } else { word(Action::Draw) };
        let take = if Self::can_exchange_top(state) { word(Action::Take) } else { 0 };
        let pass = if sets | plays == 0 && draw | take == 0 { word(Action::Pass) } else { 0 };
        Legal { sets, plays, invites, guests, words: draw | take | pass, ..Legal::default() }
    }

    /// Whether an action is legal; without the others where they do not matter. By the action first, as most belong to one
    /// phase: what a processor has to guess is then one thing.
    #[inline(always)]
    pub(super) fn allows(&self, state: &State, action: Action) -> bool {
        let is_among = |places: u64, to: u8| to > 0 && places.checked_shr(u32::from(to) - 1).unwrap_or(0) & 1 == 1;
        let has = |cards: Cards, card: u8| cards.checked_shr(card.into()).unwrap_or(0) & 1 == 1;
        let phase = state.phase;
        let is_play = matches!(phase, Phase::Play);
        match action {
            Action::Announce => matches!(phase, Phase::Announce),
            Action::Accept => matches!(phase, Phase::Accept { .. }),
            Action::No => phase.asked().is_some() || matches!(phase, Phase::Announce | Phase::Invited { .. }),
            Action::Offer { card, to } => {
                matches!(phase, Phase::Offer { asked }
                    if has(state.hands[asked.index()], card) && is_among(self.targets(state, asked), to))
            }
            Action::Answer(card) => matches!(phase, Phase::Answer { to, .. } if has(state.hands[to.index()], card)),
            Action::Join => matches!(phase, Phase::Invited { link, to } if self.can_join(state, link, to)),
            Action::Set(face) if is_play => self.can_begin(state, face),
            Action::Set(face) => matches!(phase, Phase::Set { .. }) && self.for_set(state) >> face & 1 == 1,
            Action::Play(face) => is_play && self.can_play(state, face),
            Action::Invite { link, to } => {
                is_play && has(Self::inviting(state), link) && is_among(self.guests(state), to)
            }
            Action::Draw => (is_play || matches!(phase, Phase::Draw)) && state.pile != 0,
            Action::Take if is_play => Self::can_exchange_top(state),
            Action::Take => matches!(phase, Phase::Draw) && !state.discard.is_empty(),
            Action::Pass => {
                is_play
                    && state.pile == 0
                    && !Self::can_exchange_top(state)
                    && self.for_set(state) | self.playable(state) == 0
            }
            Action::Discard(card) => {
                matches!(phase, Phase::Discard { taken } if has(Self::discardable(state, taken), card))
            }
        }
    }
}
