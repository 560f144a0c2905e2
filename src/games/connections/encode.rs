//! Connections as a learner sees it.

use super::deck::{Cards, Cities, Deck};
use super::facts::Seen;
use super::rules::{Action, Connections, LAST_TURNS, MAX_PLAYERS, Phase, State, TOKENS, View, WORDS};
use crate::bits::{self, Flag};
use crate::game::{Encode, Fast, Rules as _, Seat};
use crate::layout::{Layout, Writer};
use crate::relation::Relation;
use crate::rng;

const PHASES: &[&str] = &["announce", "offer", "answer", "accept", "play", "invited", "set", "draw", "discard"];
/// Points are shown in steps of this size.
const STEP: i32 = 20;
/// What is added to them, so that none is negative.
const OFFSET: u8 = 10;
/// The highest number of points that is told apart, in such steps, with [`OFFSET`].
const HIGHEST: u8 = 170;

fn card_names(deck: &Deck) -> impl Iterator<Item = String> {
    (0..deck.num_cards() as u8).map(|card| deck.card_name(card))
}

fn face_names(deck: &Deck, faces: usize) -> impl Iterator<Item = String> {
    (0..faces as u8).map(|face| deck.face_name(face))
}

fn link_names(deck: &Deck) -> impl Iterator<Item = String> {
    deck.links().iter().map(|link| deck.city_name(link.city).to_owned())
}

pub(super) fn actions(deck: &Deck, players: usize) -> Layout {
    let (faces, cards, links) = (deck.faces().len(), deck.num_cards(), deck.links().len());
    Layout::new()
        .flags("set", &[deck.num_region_faces()], "choose a city of a set, by card and side")
        .labelled(face_names(deck, deck.num_region_faces()))
        .flags("play", &[faces], "play a single, by card and side, or a link")
        .labelled(face_names(deck, faces))
        .flags("discard", &[cards], "discard a card")
        .labelled(card_names(deck))
        .flags("offer", &[cards, players - 1], "offer a card to the player so many places to the left")
        .flags("answer", &[cards], "answer an offer with a card")
        .labelled(card_names(deck))
        .flags("invite", &[links, players - 1], "invite the player so many places to the left to an own link")
        .flags("announce", &[], "announce the end of the round")
        .flags("accept", &[], "carry the trade out")
        .flags("join", &[], "accept an invitation")
        .flags("no", &[], "announce, offer, answer, accept or join nothing")
        .flags("draw", &[], "draw from the pile")
        .flags("take", &[], "take the top of the discard pile")
        .flags("pass", &[], "have nothing to do")
}

/// The most that there can be of what is counted in a row.
#[derive(Clone, Debug)]
pub(super) struct Limits {
    pub players: u8,
    /// Cards of a hand, with one drawn before another is discarded.
    pub hand: u8,
    /// Cards of the pile; at least 1.
    pub pile: u8,
    pub turns: u8,
    pub rounds: u8,
}

pub(super) fn observation(deck: &Deck, limits: &Limits) -> Layout {
    let players = usize::from(limits.players);
    let (cards, cities, regions, links) =
        (deck.num_cards(), deck.cities().len(), deck.regions().len(), deck.links().len());
    let cards_block = |layout: Layout, name, meaning| layout.flags(name, &[cards], meaning).labelled(card_names(deck));
    let layout = cards_block(Layout::new(), "hand", "the viewer's cards")
        .flags("known", &[players, cards], "cards in the hands that everybody knows")
        .labelled(card_names(deck))
        .by_seat();
    let layout = cards_block(layout, "unseen", "cards in other hands or in the pile");
    let layout = cards_block(layout, "late", "unseen cards that were in the pile when it was last shuffled or dealt");
    let layout = cards_block(layout, "discarded", "cards in the discard pile");
    let layout = cards_block(layout, "top", "the top of the discard pile");
    let layout = cards_block(layout, "offered", "the card that is offered");
    let layout = cards_block(layout, "reply", "the card that answers the offer");
    let layout = cards_block(layout, "chosen", "cards chosen for a set, or just taken from the discard pile");
    layout
        .flags("tokens_on", &[players, cities], "who has a token on which city")
        .labelled(deck.cities().iter().map(|city| city.name.clone()))
        .by_seat()
        .flags("sets", &[players, regions], "regions of which somebody has a set")
        .labelled(deck.regions().iter().map(|region| region.name.clone()))
        .by_seat()
        .flags("partners", &[players, links], "who is in the partnership around a link")
        .labelled(link_names(deck))
        .by_seat()
        .flags(
            "invited",
            &[players, links],
            "who is invited to a link, or has accepted an invitation and no city there",
        )
        .labelled(link_names(deck))
        .by_seat()
        .flags("offers", &[players], "who offers a card or is asked to")
        .by_seat()
        .flags("offered_to", &[players], "to whom a card is offered")
        .by_seat()
        .counts("cards", &[players], limits.hand, "cards in the hands")
        .by_seat()
        .counts("tokens", &[players], TOKENS, "tokens left")
        .by_seat()
        .counts("turns", &[players], limits.turns, "turns had in this round")
        .by_seat()
        .counts("last_turns", &[players], LAST_TURNS, "turns had since the announcement")
        .by_seat()
        .flags("announced", &[players], "who has announced the end of the round")
        .by_seat()
        .counts("points", &[players], HIGHEST, "points over the finished rounds in steps of 20, rounded down")
        .offset(OFFSET)
        .by_seat()
        .flags("turn", &[players], "whose turn it is")
        .by_seat()
        .flags("to_act", &[players], "who decides now")
        .by_seat()
        .flags("phase", &[PHASES.len()], "what is being decided; none when the match is over")
        .labelled(PHASES.iter().copied())
        .counts("pile", &[], limits.pile, "cards in the pile")
        .counts("idle", &[], 2 * limits.players, "turns in a row of the last round in which no card was played")
        .flags("may_invite", &[], "1 if an invitation may still be made in this turn")
        .counts("rounds_left", &[], limits.rounds - 1, "rounds to come after this one")
}

/// Where the ids of the kinds of actions begin.
struct Starts {
    play: usize,
    discard: usize,
    offer: usize,
    answer: usize,
    invite: usize,
    words: usize,
}

impl Connections {
    #[inline(always)]
    fn starts(&self) -> Starts {
        let (deck, others) = (&self.deck, self.players() - 1);
        let play = deck.num_region_faces();
        let discard = play + deck.faces().len();
        let offer = discard + deck.num_cards();
        let answer = offer + deck.num_cards() * others;
        let invite = answer + deck.num_cards();
        Starts { play, discard, offer, answer, invite, words: invite + deck.links().len() * others }
    }

    #[inline(always)]
    fn write_cards(&self, view: &View<'_>, viewer: Seat, laid: Cards, out: &mut Writer<'_>) {
        let cards = self.deck.num_cards();
        let one = |card: Option<u8>| card.map_or(0, |card| 1 << card);
        let phase = view.phase();
        let (mut offered, mut reply, mut chosen) = (0, 0, 0);
        match phase {
            Phase::Answer { card, .. } => offered = 1 << card,
            Phase::Accept { card, reply: answer, .. } => (offered, reply) = (1 << card, 1 << answer),
            Phase::Discard { taken } => chosen = one(taken),
            Phase::Set { first, second } => {
                chosen = 1 << self.deck.face(first).card | one(second.map(|face| self.deck.face(face).card));
            }
            _ => {}
        }
        out.set(view.hand(viewer), cards);
        for places in 0..self.players() {
            out.set(view.known(self.left_of(viewer, places)), cards);
        }
        out.set(view.unseen(), cards);
        out.set(view.in_last_pile(), cards);
        out.set(view.discarded(&self.deck, laid), cards);
        out.set(one(view.discard().last().copied()), cards);
        out.set(offered, cards);
        out.set(reply, cards);
        out.set(chosen, cards);
    }

    #[inline(always)]
    fn write_table(&self, view: &View<'_>, viewer: Seat, tokens: &[Cities; MAX_PLAYERS], out: &mut Writer<'_>) {
        let (players, links, table) = (self.players(), self.deck.links().len(), view.table());
        let (cities, regions) = (self.deck.cities().len(), self.deck.regions().len());
        let mut sets = 0_u128;
        for places in 0..players {
            let seat = self.left_of(viewer, places);
            write_wide(tokens[seat.index()], cities, out);
            sets |= u128::from(table.sets(seat)) << (places * regions);
        }
        let at = |seat: Seat, link: u8| 1_u128 << (ahead(seat, viewer, players) * links + usize::from(link));
        let [mut partners, mut invited] = [0_u128; 2];
        for bond in table.bonds() {
            if let Some(partner) = bond.partner {
                partners |= at(bond.owner, bond.link) | at(partner, bond.link);
            }
            if let Some(seat) = bond.invited {
                invited |= at(seat, bond.link);
            }
        }
        if let Phase::Invited { link, to } = view.phase() {
            invited |= at(to, link);
        }
        write_wide(sets, players * regions, out);
        write_wide(partners, players * links, out);
        write_wide(invited, players * links, out);
    }

    /// Blocks of a byte a seat are written a word at a time.
    #[inline(always)]
    fn write_numbers(&self, view: &View<'_>, viewer: Seat, out: &mut Writer<'_>) {
        let players = self.players();
        let phase = view.phase();
        let flag = |seat: Option<Seat>| seat.map_or(0, |seat| 1 << (8 * ahead(seat, viewer, players)));
        let points = view.points();
        let steps =
            |seat: Seat| (points[seat.index()].div_euclid(STEP) + i32::from(OFFSET)).clamp(0, HIGHEST.into()) as u8;
        let (asked, to) = match phase {
            Phase::Offer { asked } => (Some(asked), None),
            Phase::Answer { asked, to, .. } | Phase::Accept { asked, to, .. } => (Some(asked), Some(to)),
            _ => (None, None),
        };
        let blocks = [
            flag(asked),
            flag(to),
            by_seat(players, viewer, |seat| (view.num_cards(seat) as u8).min(self.limits.hand)),
            by_seat(players, viewer, |seat| view.tokens(seat)),
            by_seat(players, viewer, |seat| view.turns(seat)),
            by_seat(players, viewer, |seat| view.last_turns(seat)),
            flag(view.announced()),
            by_seat(players, viewer, steps),
            flag(Some(view.turn())),
            flag(view.to_act()),
        ];
        for block in blocks {
            out.first(block.to_le_bytes(), players);
        }
        // Too near the end of the row for flags 64 at a time.
        let phases = out.next(PHASES.len());
        phases.fill(0);
        if let Some(entry) = phases.get_mut(phase.number()) {
            *entry = 1;
        }
        out.up_to(self.limits.pile, view.num_pile() as usize);
        out.number(view.idle());
        out.flag(view.may_invite());
        out.number(self.rounds().saturating_sub(view.history().len() + 1));
    }
}

/// How many places to the viewer's left somebody sits.
#[inline(always)]
fn ahead(seat: Seat, viewer: Seat, players: usize) -> usize {
    let (seat, viewer) = (seat.index(), viewer.index());
    if seat >= viewer { seat - viewer } else { seat + players - viewer }
}

/// A byte for every player, the viewer's first; what follows means nothing.
#[inline(always)]
fn by_seat(players: usize, viewer: Seat, number: impl Fn(Seat) -> u8) -> u64 {
    let mut bytes = [0; 8];
    for (seat, byte) in bytes.iter_mut().enumerate().take(players) {
        *byte = number(Seat::new(seat));
    }
    let bytes = u64::from_le_bytes(bytes);
    bytes >> (8 * viewer.index()) | bytes << (8 * (players - viewer.index()))
}

/// Writes the flags of a set that begins there, if it is not empty.
#[inline(always)]
fn write_at(mask: &mut [i8], start: usize, set: u64, size: usize) {
    if set != 0 {
        Writer::new(&mut mask[start..]).set(set, size);
    }
}

/// Writes the next entries, 128 at most, as 1 for the bits of a set and 0 for the others.
#[inline(always)]
fn write_wide<T: Flag>(set: u128, size: usize, out: &mut Writer<'_, T>) {
    out.set(set as u64, size.min(64));
    if size > 64 {
        out.set((set >> 64) as u64, size - 64);
    }
}

impl Encode for Connections {
    #[inline(always)]
    fn actions(&self) -> &Layout {
        &self.actions
    }

    #[inline(always)]
    fn action_id(&self, action: Action) -> usize {
        let starts = self.starts();
        let others = self.players() - 1;
        let aimed = |number: u8, to: u8| usize::from(number) * others + usize::from(to) - 1;
        match action {
            Action::Set(face) => face.into(),
            Action::Play(face) => starts.play + usize::from(face),
            Action::Discard(card) => starts.discard + usize::from(card),
            Action::Offer { card, to } => starts.offer + aimed(card, to),
            Action::Answer(card) => starts.answer + usize::from(card),
            Action::Invite { link, to } => starts.invite + aimed(link, to),
            Action::Announce => starts.words,
            Action::Accept => starts.words + 1,
            Action::Join => starts.words + 2,
            Action::No => starts.words + 3,
            Action::Draw => starts.words + 4,
            Action::Take => starts.words + 5,
            Action::Pass => starts.words + 6,
        }
    }

    #[inline(always)]
    fn action(&self, id: usize) -> Action {
        let starts = self.starts();
        let others = self.players() - 1;
        let aimed = |number: usize| ((number / others) as u8, (number % others) as u8 + 1);
        if id < starts.play {
            Action::Set(id as u8)
        } else if id < starts.discard {
            Action::Play((id - starts.play) as u8)
        } else if id < starts.offer {
            Action::Discard((id - starts.discard) as u8)
        } else if id < starts.answer {
            let (card, to) = aimed(id - starts.offer);
            Action::Offer { card, to }
        } else if id < starts.invite {
            Action::Answer((id - starts.answer) as u8)
        } else if id < starts.words {
            let (link, to) = aimed(id - starts.invite);
            Action::Invite { link, to }
        } else {
            WORDS[(id - starts.words).min(WORDS.len() - 1)]
        }
    }

    #[inline(always)]
    fn observation(&self) -> &Layout {
        &self.observation
    }

    #[inline(always)]
    fn observe(&self, state: &State, viewer: Seat, row: &mut [u8]) {
        let view = state.view(Some(viewer));
        let mut tokens = [0; MAX_PLAYERS];
        let mut laid = 0;
        for (seat, tokens) in tokens.iter_mut().enumerate().take(self.players()) {
            for &face in view.table().laid(Seat::new(seat)) {
                *tokens |= self.deck.city_shown(face);
                laid |= 1 << self.deck.face(face).card;
            }
        }
        let mut out = Writer::new(row);
        self.write_cards(&view, viewer, laid, &mut out);
        self.write_table(&view, viewer, &tokens, &mut out);
        self.write_numbers(&view, viewer, &mut out);
    }

    fn facts(&self) -> &Layout {
        &self.facts
    }

    fn describe_action(&self, state: &State, action: Action, row: &mut [u8]) {
        self.describe_actions(state, &[action], row);
    }

    fn relations(&self) -> Vec<Relation> {
        let deck = &self.deck;
        let regions = || deck.regions().iter().map(|region| region.name.clone());
        let is_of = |city: u8, region: u16| deck.regions_of_city(city).any(|of| u16::from(of) == region);
        let cities = deck.cities().iter().map(|city| city.name.clone());
        vec![
            Relation::new(
                "card_regions",
                "a side of the card shows a city of the region",
                card_names(deck),
                regions(),
                |card, region| deck.cities_of_card(card as u8).any(|city| is_of(city, region)),
            ),
            Relation::new("city_regions", "the city is in the region", cities, regions(), |city, region| {
                is_of(city as u8, region)
            }),
            Relation::new("link_regions", "the link joins the region", link_names(deck), regions(), |link, region| {
                deck.links()[usize::from(link)].regions >> region & 1 == 1
            }),
        ]
    }
}

impl Fast for Connections {
    const PAYS_AT_THE_END: bool = true;

    /// The points of the finished rounds, which are counted.
    fn heap_bytes(&self) -> usize {
        2 * size_of::<usize>() + self.rounds() * size_of::<[i32; MAX_PLAYERS]>()
    }

    #[inline(always)]
    fn write_mask(&self, state: &State, mask: &mut [i8], _: &mut Vec<Action>) {
        let legal = self.legal(state);
        let (starts, others, deck) = (self.starts(), self.players() - 1, &self.deck);
        mask.fill(0);
        // Block after block: beyond the end of each, zeros are written again.
        if legal.sets | legal.plays != 0 {
            let mut out = Writer::new(mask);
            write_wide(legal.sets, deck.num_region_faces(), &mut out);
            write_wide(legal.plays, deck.faces().len(), &mut out);
        }
        write_at(mask, starts.discard, legal.discards, deck.num_cards());
        for card in bits::each(legal.offers) {
            write_at(mask, starts.offer + usize::from(card) * others, legal.targets, others);
        }
        write_at(mask, starts.answer, legal.answers, deck.num_cards());
        for link in bits::each(legal.invites) {
            write_at(mask, starts.invite + usize::from(link) * others, legal.guests, others);
        }
        for word in bits::each(legal.words) {
            mask[starts.words + usize::from(word)] = 1;
        }
    }

    fn describe_actions(&self, state: &State, actions: &[Action], rows: &mut [u8]) {
        let Some(seat) = self.to_act(state) else { return };
        let seen = Seen::new(self, state.view(Some(seat)), seat);
        for (&action, row) in actions.iter().zip(rows.chunks_exact_mut(self.facts.size())) {
            seen.describe(action, row);
        }
    }

    #[inline(always)]
    fn num_legal(&self, state: &State, _: &mut Vec<Action>) -> usize {
        self.legal(state).count() as usize
    }

    #[inline(always)]
    fn random_action(&self, state: &State, random: u64, _: &mut Vec<Action>) -> Action {
        let legal = self.legal(state);
        legal.nth(rng::scale(random, legal.count()))
    }
}
