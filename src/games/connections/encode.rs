//! Connections as a learner sees it.

use super::deck::{Cards, Deck, MAX_CARDS, MAX_CITIES, MAX_FACES, MAX_LINKS, MAX_REGIONS};
use super::facts::Seen;
use super::rules::{Action, Connections, LAST_TURNS, MAX_PLAYERS, Phase, State, TOKENS, View, WORDS};
use super::sizes::Sizes;
use crate::bits;
use crate::game::{Encode, Fast, Rules as _, Seat};
use crate::layout::{Flags, Layout, Writer};
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

/// Sets of 64 flags that the largest deck and table need for a row, and for a mask.
const ROW_WORDS: usize =
    ((MAX_PLAYERS + 8) * MAX_CARDS + MAX_PLAYERS * (MAX_CITIES + MAX_REGIONS + 2 * MAX_LINKS)).div_ceil(64);
const MASK_WORDS: usize =
    (2 * MAX_FACES + (MAX_PLAYERS + 1) * MAX_CARDS + (MAX_PLAYERS - 1) * MAX_LINKS + WORDS.len()).div_ceil(64);

/// What of a moment is in the phase alone, as sets and seats.
#[derive(Default)]
struct Settled {
    offered: Cards,
    reply: Cards,
    chosen: Cards,
    asked: Option<Seat>,
    to: Option<Seat>,
    invited: Option<(u8, Seat)>,
}

impl Connections {
    /// Does work with the sizes of the game. Those of the usual one are known when it is compiled, so that its loops over
    /// players unroll and nothing is left of the checks whether a row has room.
    #[inline(always)]
    fn with_sizes<T>(&self, work: impl FnOnce(Sizes) -> T) -> T {
        if self.is_usual { work(Sizes::USUAL) } else { work(self.sizes) }
    }

    #[inline(always)]
    fn settled(&self, phase: Phase) -> Settled {
        let none = Settled::default();
        match phase {
            Phase::Offer { asked } => Settled { asked: Some(asked), ..none },
            Phase::Answer { asked, card, to } => {
                Settled { asked: Some(asked), to: Some(to), offered: 1 << card, ..none }
            }
            Phase::Accept { asked, card, to, reply } => {
                Settled { asked: Some(asked), to: Some(to), offered: 1 << card, reply: 1 << reply, ..none }
            }
            Phase::Invited { link, to } => Settled { invited: Some((link, to)), ..none },
            Phase::Set { first, second } => {
                let chosen = 1 << self.deck.face(first).card | one(second.map(|face| self.deck.face(face).card));
                Settled { chosen, ..none }
            }
            Phase::Discard { taken } => Settled { chosen: one(taken), ..none },
            Phase::Announce | Phase::Play | Phase::Draw | Phase::Over => none,
        }
    }

    /// Writes what `viewer` sees where it is somebody's turn to decide, or nobody's.
    #[inline(always)]
    fn write_row(&self, sizes: Sizes, state: &State, viewer: Seat, to_act: Option<Seat>, row: &mut [u8]) {
        let view = state.view(Some(viewer));
        let settled = self.settled(view.phase());
        let row = &mut row[..sizes.row];
        let mut out = Writer::new(row);
        let mut flags = Flags::<ROW_WORDS>::new();
        add_cards(sizes, &view, viewer, &settled, &mut flags);
        flags.none(sizes.players * sizes.cities);
        add_table(sizes, &view, viewer, &settled, &mut flags);
        flags.write(&mut out);
        self.write_numbers(sizes, &view, viewer, to_act, &settled, &mut out);
        self.write_tokens(sizes, &view, viewer, row);
    }

    /// Few cities have a token: they are written one by one.
    #[inline(always)]
    fn write_tokens(&self, sizes: Sizes, view: &View<'_>, viewer: Seat, row: &mut [u8]) {
        for places in 0..sizes.players {
            let start = sizes.tokens() + places * sizes.cities;
            for &face in view.table().laid(left_of(sizes, viewer, places)) {
                row[start + usize::from(self.deck.face(face).city)] = 1;
            }
        }
    }

    /// Blocks of a byte a seat are written a word at a time.
    #[inline(always)]
    fn write_numbers(
        &self,
        sizes: Sizes,
        view: &View<'_>,
        viewer: Seat,
        to_act: Option<Seat>,
        settled: &Settled,
        out: &mut Writer<'_>,
    ) {
        let players = sizes.players;
        let flag = |seat: Option<Seat>| seat.map_or(0, |seat| 1 << (8 * ahead(seat, viewer, players)));
        let points = view.points_shown();
        let blocks = [
            flag(settled.asked),
            flag(settled.to),
            by_seat(players, viewer, |seat| (view.num_cards(seat) as u8).min(self.limits.hand)),
            by_seat(players, viewer, |seat| view.tokens(seat)),
            by_seat(players, viewer, |seat| view.turns(seat)),
            by_seat(players, viewer, |seat| view.last_turns(seat)),
            flag(view.announced()),
            by_seat(players, viewer, |seat| points[seat.index()]),
            flag(Some(view.turn())),
            flag(to_act),
        ];
        for block in blocks {
            out.first(block.to_le_bytes(), players);
        }
        let phase = 1_u128 << (8 * view.phase().number());
        out.first((phase as u64).to_le_bytes(), 8);
        out.number((phase >> 64) as u8);
        out.up_to(self.limits.pile, view.num_pile() as usize);
        out.number(view.idle());
        out.flag(view.may_invite());
        out.number(usize::from(self.limits.rounds).saturating_sub(view.history().len() + 1));
    }

    /// Writes every block of the mask, whatever is decided: what cannot be done now has an empty set.
    #[inline(always)]
    fn write_legal(&self, sizes: Sizes, state: &State, mask: &mut [i8]) {
        let legal = self.legal(state);
        let (others, mask) = (sizes.others(), &mut mask[..sizes.mask]);
        let add_aimed = |numbers, size, players, flags: &mut Flags<MASK_WORDS>| {
            if others == 2 {
                add_for_two(numbers, size, players, flags);
            } else {
                flags.none(size * others);
            }
        };
        let mut flags = Flags::new();
        flags.wide(legal.sets, sizes.region_faces);
        flags.wide(legal.plays, sizes.faces);
        flags.set(legal.discards, sizes.cards);
        add_aimed(legal.offers, sizes.cards, legal.targets, &mut flags);
        flags.set(legal.answers, sizes.cards);
        add_aimed(legal.invites, sizes.links, legal.guests, &mut flags);
        flags.set(legal.words, WORDS.len());
        flags.write(&mut Writer::new(mask));
        if others > 2 {
            let starts = sizes.starts();
            write_for_all(legal.offers, legal.targets, others, mask, starts.offer);
            write_for_all(legal.invites, legal.guests, others, mask, starts.invite);
        }
    }
}

#[inline(always)]
fn add_cards(sizes: Sizes, view: &View<'_>, viewer: Seat, settled: &Settled, flags: &mut Flags<ROW_WORDS>) {
    let mut add = |set: Cards| flags.set(set, sizes.cards);
    add(view.hand(viewer));
    for places in 0..sizes.players {
        add(view.known(left_of(sizes, viewer, places)));
    }
    let unseen = view.unseen();
    add(unseen);
    add(unseen & view.in_last_pile());
    add(view.discarded());
    add(one(view.discard().last().copied()));
    add(settled.offered);
    add(settled.reply);
    add(settled.chosen);
}

#[inline(always)]
fn add_table(sizes: Sizes, view: &View<'_>, viewer: Seat, settled: &Settled, flags: &mut Flags<ROW_WORDS>) {
    let Sizes { players, regions, links, .. } = sizes;
    let table = view.table();
    for places in 0..players {
        flags.set(table.sets(left_of(sizes, viewer, places)).into(), regions);
    }
    let at = |seat: Seat, link: u8| {
        let place = ahead(seat, viewer, players) * links + usize::from(link);
        // Shifts of 128 bits are only made where there are as many.
        if players * links <= 64 { u128::from(1_u64 << (place & 63)) } else { 1 << place }
    };
    let [mut partners, mut invited] = [0_u128; 2];
    for bond in table.bonds() {
        if let Some(partner) = bond.partner {
            partners |= at(bond.owner, bond.link) | at(partner, bond.link);
        }
        if let Some(seat) = bond.invited {
            invited |= at(seat, bond.link);
        }
    }
    if let Some((link, to)) = settled.invited {
        invited |= at(to, link);
    }
    flags.wide(partners, players * links);
    flags.wide(invited, players * links);
}

/// What rows show of points.
pub(super) fn points_shown(points: i32) -> u8 {
    points.div_euclid(STEP).saturating_add(OFFSET.into()).clamp(0, HIGHEST.into()) as u8
}

/// A card as a set, or none.
#[inline(always)]
fn one(card: Option<u8>) -> Cards {
    card.map_or(0, |card| 1 << card)
}

/// Who sits so many places to the left.
#[inline(always)]
fn left_of(sizes: Sizes, seat: Seat, places: usize) -> Seat {
    let next = seat.index() + places;
    Seat::new(if next < sizes.players { next } else { next - sizes.players })
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
    let mut bytes = 0;
    for seat in 0..players {
        bytes |= u64::from(number(Seat::new(seat))) << (8 * seat);
    }
    bytes >> (8 * viewer.index()) | bytes << (8 * (players - viewer.index()))
}

/// Appends a flag of each number for each of two other players: those of some numbers for all of some players are set.
#[inline(always)]
fn add_for_two(numbers: u64, size: usize, players: u64, flags: &mut Flags<MASK_WORDS>) {
    let [first, second] = [1, 2].map(|player| if players & player == 0 { 0 } else { numbers });
    for start in (0..size).step_by(32) {
        let sets = [(first >> start) as u32, (second >> start) as u32];
        flags.set(bits::in_turn(sets), 2 * (size - start).min(32));
    }
}

/// Writes the same flags for more players into a mask without them, from a place on.
#[inline(always)]
fn write_for_all(numbers: u64, players: u64, others: usize, mask: &mut [i8], start: usize) {
    for number in bits::each(numbers) {
        for player in bits::each(players) {
            mask[start + usize::from(number) * others + usize::from(player)] = 1;
        }
    }
}

impl Encode for Connections {
    #[inline(always)]
    fn actions(&self) -> &Layout {
        &self.actions
    }

    #[inline(always)]
    fn action_id(&self, action: Action) -> usize {
        self.with_sizes(
            #[inline(always)]
            |sizes| sizes.id(action),
        )
    }

    #[inline(always)]
    fn action(&self, id: usize) -> Action {
        self.by_id.get(id).copied().unwrap_or(Action::Pass)
    }

    #[inline(always)]
    fn observation(&self) -> &Layout {
        &self.observation
    }

    #[inline(always)]
    fn observe(&self, state: &State, viewer: Seat, row: &mut [u8]) {
        self.write_row(self.sizes, state, viewer, self.to_act(state), row);
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
        self.write_legal(self.sizes, state, mask);
    }

    #[inline(always)]
    fn write_turn(&self, state: &State, row: &mut [u8], mask: &mut [i8], _: &mut Vec<Action>) -> Option<Seat> {
        let seat = self.to_act(state)?;
        self.with_sizes(
            #[inline(always)]
            |sizes| {
                self.write_row(sizes, state, seat, Some(seat), row);
                self.write_legal(sizes, state, mask);
            },
        );
        Some(seat)
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
