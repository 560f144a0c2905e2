//! What happens.

use super::super::deck::Kind;
use super::{Action, Connections, LAST_TURNS, MAX_PLAYERS, Phase, State, TURNS_BEFORE_END};
use crate::bits;
use crate::game::Seat;
use crate::rng::Rng;

impl Connections {
    #[inline(always)]
    pub(super) fn apply_action(&self, state: &mut State, action: Action, rng: &mut Rng) {
        let phase = state.phase;
        match action {
            Action::Announce => {
                state.announced = Some(state.turn);
                state.table.lapse(state.turn);
                self.begin_turn(state, self.left_of(state.turn, 1), rng);
            }
            Action::Offer { card, to } => {
                let Phase::Offer { asked } = phase else { return };
                state.reveal(card);
                let to = self.left_of(asked, to.into());
                state.phase = Phase::Answer { asked, card, to };
            }
            Action::Answer(reply) => {
                let Phase::Answer { asked, card, to } = phase else { return };
                state.reveal(reply);
                state.phase = Phase::Accept { asked, card, to, reply };
            }
            Action::Accept => {
                let Phase::Accept { asked, card, to, reply } = phase else { return };
                let both = 1 << card | 1 << reply;
                state.hands[asked.index()] ^= both;
                state.hands[to.index()] ^= both;
                state.phase = Phase::Play; // CONN-14: one trade a turn.
            }
            Action::Invite { link, to } => {
                state.may_invite = false;
                state.phase = Phase::Invited { link, to: self.left_of(state.turn, to.into()) };
            }
            Action::Join => {
                let Phase::Invited { link, to } = phase else { return };
                self.join(state, link, to);
                state.phase = Phase::Play;
            }
            Action::No if matches!(phase, Phase::Invited { .. }) => state.phase = Phase::Play,
            Action::No => self.ask_for_offer(state, phase.asked().unwrap_or(state.turn)),
            Action::Set(face) => self.choose_for_set(state, face, rng),
            Action::Play(face) => {
                self.put(state, face);
                self.draw_after_play(state, rng);
            }
            Action::Draw if matches!(phase, Phase::Play) => {
                Self::draw(state, rng);
                state.phase = Phase::Discard { taken: None };
            }
            Action::Take if matches!(phase, Phase::Play) => {
                let taken = Self::take(state);
                state.phase = Phase::Discard { taken };
            }
            Action::Draw | Action::Take | Action::Discard(_) => {
                Self::move_last_card(state, action, rng);
                self.end_turn(state, matches!(phase, Phase::Draw), rng);
            }
            Action::Pass => self.end_turn(state, false, rng),
        }
    }

    /// Begins the turn of a seat, or of the next one that has a turn (CONN-15, CONN-16).
    pub(super) fn begin_turn(&self, state: &mut State, seat: Seat, rng: &mut Rng) {
        let seat = if state.announced == Some(seat) { self.left_of(seat, 1) } else { seat };
        if state.turns[seat.index()] == self.options.max_turns {
            return self.end_round(state, rng);
        }
        state.turn = seat;
        state.may_invite = self.options.partnerships;
        if self.can_announce(state) {
            state.phase = Phase::Announce;
        } else {
            self.begin_trading(state);
        }
    }

    /// Whether the end of the round may be announced (CONN-15, CONN-16).
    #[inline(always)]
    pub(super) fn can_announce(&self, state: &State) -> bool {
        state.announced.is_none()
            && !self.is_last_round(state)
            && state.turns[..self.players()].iter().all(|&turns| turns >= TURNS_BEFORE_END)
    }

    pub(super) fn is_last_round(&self, state: &State) -> bool {
        state.history.len() + 1 >= self.rounds()
    }

    #[inline(always)]
    fn begin_trading(&self, state: &mut State) {
        self.ask_for_offer(state, state.turn);
    }

    /// Asks the next player after `seat` who can make an offer, if there is one (CONN-14).
    #[inline(always)]
    fn ask_for_offer(&self, state: &mut State, seat: Seat) {
        state.phase = Phase::Play;
        if !self.options.trading {
            return;
        }
        let mut asked = self.left_of(seat, 1);
        while asked != state.turn {
            if self.can_offer(state, asked) {
                state.phase = Phase::Offer { asked };
                return;
            }
            asked = self.left_of(asked, 1);
        }
    }

    /// Whether somebody has a card and somebody else one to answer with, neither in turn.
    #[inline(always)]
    pub(super) fn can_offer(&self, state: &State, asked: Seat) -> bool {
        let can_answer = |seat: &usize| {
            let seat = Seat::new(*seat);
            seat != asked && seat != state.turn && state.hands[seat.index()] != 0
        };
        asked != state.turn && state.hands[asked.index()] != 0 && (0..self.players()).any(|seat| can_answer(&seat))
    }

    /// Somebody accepts an invitation: a partnership at once, or an open invitation (CONN-11).
    fn join(&self, state: &mut State, link: u8, seat: Seat) {
        let regions = self.deck.links()[usize::from(link)].regions;
        let has_city = state.table.has_city(seat, regions);
        if let Some(bond) = state.table.bonds.iter_mut().find(|bond| bond.link == link) {
            let joined = if has_city { &mut bond.partner } else { &mut bond.invited };
            *joined = Some(seat);
        }
    }

    fn choose_for_set(&self, state: &mut State, face: u8, rng: &mut Rng) {
        state.reveal(self.deck.face(face).card);
        match state.phase {
            Phase::Set { first, second: None } => state.phase = Phase::Set { first, second: Some(face) },
            Phase::Set { first, second: Some(second) } => {
                for face in [first, second, face] {
                    self.put(state, face);
                }
                if let Kind::Region(region) = self.deck.face(face).kind {
                    state.table.sets[state.turn.index()] |= 1 << region;
                }
                self.draw_after_play(state, rng);
            }
            _ => state.phase = Phase::Set { first: face, second: None },
        }
    }

    /// Puts a card of the player in turn on the table; open invitations there become partnerships (CONN-11).
    #[inline(always)]
    fn put(&self, state: &mut State, face: u8) {
        let seat = state.turn;
        let shown = self.deck.face(face);
        state.leave_hand(seat, shown.card);
        state.table.put(&self.deck, seat, face);
        if let Kind::Region(region) = shown.kind {
            for bond in &mut *state.table.bonds {
                let is_there = self.deck.links()[usize::from(bond.link)].regions >> region & 1 == 1;
                if bond.invited == Some(seat) && is_there {
                    (bond.partner, bond.invited) = (Some(seat), None);
                }
            }
        }
    }

    fn draw_after_play(&self, state: &mut State, rng: &mut Rng) {
        if state.pile == 0 && state.discard.is_empty() {
            self.end_turn(state, true, rng);
        } else {
            state.phase = Phase::Draw;
        }
    }

    /// A card of the pile, which is not empty.
    #[inline(always)]
    fn draw(state: &mut State, rng: &mut Rng) {
        let number = rng.below(state.pile.count_ones().into()) as u32;
        let card = bits::nth(state.pile, number);
        state.pile &= !(1 << card);
        state.hands[state.turn.index()] |= 1 << card;
        Self::restock(state);
    }

    /// The top of the discard pile.
    fn take(state: &mut State) -> Option<u8> {
        let card = state.discard.pop()?;
        state.hands[state.turn.index()] |= 1 << card;
        state.reveal(card);
        Some(card)
    }

    /// A new pile when it has run out, of all discarded cards but the top (CONN-3).
    #[inline(always)]
    fn restock(state: &mut State) {
        if state.pile != 0 || state.discard.len() < 2 {
            return;
        }
        state.shuffles += 1;
        let top = state.discard.pop();
        for &card in &*state.discard {
            state.ages[usize::from(card)] = state.shuffles;
        }
        state.pile = state.discard.cards;
        state.discard.clear();
        if let Some(top) = top {
            state.discard.push(top);
        }
    }

    /// The card after a play, or the one that ends an exchange (CONN-5, CONN-6).
    #[inline(always)]
    fn move_last_card(state: &mut State, action: Action, rng: &mut Rng) {
        match action {
            Action::Draw => Self::draw(state, rng),
            Action::Take => drop(Self::take(state)),
            Action::Discard(card) => {
                state.leave_hand(state.turn, card);
                state.discard.push(card);
                Self::restock(state);
            }
            _ => {}
        }
    }

    /// The state when the last card of a turn has moved, before the turn is over.
    pub(in super::super) fn with_last_card_moved(state: &State, action: Action, rng: &mut Rng) -> Option<State> {
        let is_last = matches!(state.phase, Phase::Draw | Phase::Discard { .. });
        is_last.then(|| {
            let mut moved = state.clone();
            Self::move_last_card(&mut moved, action, rng);
            moved
        })
    }

    fn end_turn(&self, state: &mut State, has_played: bool, rng: &mut Rng) {
        let seat = state.turn;
        state.turns[seat.index()] += 1;
        state.last_turns[seat.index()] += u8::from(state.announced.is_some());
        state.idle = if has_played || !self.is_last_round(state) { 0 } else { state.idle + 1 };
        state.table.lapse(seat);
        if self.is_round_over(state) {
            self.end_round(state, rng);
        } else {
            self.begin_turn(state, self.left_of(seat, 1), rng);
        }
    }

    /// Whether nobody has a turn left, but for `max_turns` (CONN-15, CONN-16).
    pub(super) fn is_round_over(&self, state: &State) -> bool {
        let has_had_last =
            |seat: usize| state.announced == Some(Seat::new(seat)) || state.last_turns[seat] >= LAST_TURNS;
        usize::from(state.idle) >= 2 * self.players()
            || state.announced.is_some() && (0..self.players()).all(has_had_last)
    }

    /// Points of the round as it stands, by seat (CONN-18 to CONN-20).
    pub(super) fn points_now(&self, state: &State) -> [i32; MAX_PLAYERS] {
        let scorer = self.scorer(&state.table);
        let mut points = [0; MAX_PLAYERS];
        for (seat, points) in points[..self.players()].iter_mut().enumerate() {
            *points = scorer.points(Seat::new(seat)) + self.cost_of_pairs(state.hands[seat]);
        }
        points
    }

    #[cold]
    fn end_round(&self, state: &mut State, rng: &mut Rng) {
        let points = self.points_now(state);
        state.history.push(points);
        if state.history.len() == self.rounds() {
            state.phase = Phase::Over;
            return;
        }
        let dealer = self.left_of(state.dealer, 1);
        let history = std::mem::take(&mut state.history);
        *state = State { history, ..self.before_the_deal(dealer) };
        self.deal(state, rng);
    }
}

impl State {
    /// Everybody knows from now on who holds a card.
    #[inline(always)]
    fn reveal(&mut self, card: u8) {
        self.known |= 1 << card;
        self.ages[usize::from(card)] = 0;
    }

    /// A card goes from a hand to where all see it.
    #[inline(always)]
    fn leave_hand(&mut self, seat: Seat, card: u8) {
        self.hands[seat.index()] &= !(1 << card);
        self.known &= !(1 << card);
        self.ages[usize::from(card)] = 0;
    }
}
