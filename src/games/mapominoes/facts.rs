//! What a player sees about an action in Mapominoes: the cards of all hands that fit somewhere, before and after it.
//!
//! "Own" are the cards left in the hand of the seat to act, "theirs" those that it knows to be in the other hands,
//! together: with two players that is the other's hand.

use std::borrow::Cow;

use super::rules::{Action, Mapominoes, Phase, State, Transit, View};
use super::table::{Card, Cell, Table};
use crate::game::{Rules as _, Seat};
use crate::layout::{Layout, Writer};
use crate::set::Set;

const KINDS: [&str; 9] =
    ["county", "transit", "cell", "transit_cell", "follow", "follow_cell", "take", "challenge", "let_it_be"];
const TAKE: usize = 6;
const WHOSE: [&str; 2] = ["own", "theirs"];
const SIDES: usize = 4;
/// Cells that are counted for a card, and changes of cells.
const MANY: u8 = 20;
/// Neighbours that are counted for a card.
const MOST_NEAR: u8 = 10;
/// What a card with no other way has for `rare`.
const RARE: u8 = 120;
const MAX_LEAD: u8 = 20;
const FEW: usize = 4;

/// The layout, where nobody ever holds more than so many county cards, and there are so many transit cards.
pub(super) fn facts(hand: u8, transit_cards: u8) -> Layout {
    let layout = Layout::new()
        .flags("kind", &[KINDS.len()], "what sort of action it is")
        .labelled(KINDS)
        .flags("right", &[], "whether the card can lie rightly; a wrong one may be challenged")
        .flags("double", &[], "whether it makes a double connection: an extra go; for a card or transit card: can")
        .flags("wins", &[], "whether it is the last county card of the hand")
        .flags("with_transit", &[], "whether a transit card goes with it")
        .flags("stranded", &[], "whether only a transit card can bring the county, or one to follow, to the table")
        .flags("stranded_double", &[], "the same for a county that makes a double connection")
        .counts("cells", &[], MANY, "free cells that the county or nominee fits now; Kent with one way in: 1")
        .counts("near", &[3], MOST_NEAR, "cards that border the county or nominee")
        .labelled(["own", "theirs", "table"])
        .counts("rare", &[], RARE, "120 / (1 + cells + bordering cards to come) of the county, or of the rarest that can follow: 120 is now or never");
    placement(layout, hand)
        .counts("left", &[2], hand, "county cards left in the hand, and in that of the other who has fewest")
        .labelled(WHOSE)
        .flags("few_left", &[2, FEW], "whether 0, 1, 2 or 3 are left there")
        .counts("lead", &[], 2 * MAX_LEAD, "how many fewer the player has left then")
        .offset(MAX_LEAD)
        .counts("fit_now", &[2], hand, "cards that fit some cell before the action")
        .labelled(WHOSE)
        .counts("transit_cards", &[2], transit_cards.max(1), "transit cards of the player and of the next one")
        .labelled(WHOSE)
        .counts("pile", &[], transit_cards.max(1), "cards in the draw pile")
        .flags("next_stuck", &[], "whether none of their cards fits then: without a transit card they cannot go")
        .flags("stuck", &[], "whether none of the own cards fits then")
        .flags("double_again", &[], "whether it is a double connection and leaves the own hand another")
        .flags("double_stuck", &[], "whether it is a double connection and leaves the own hand no card that fits")
}

fn placement(layout: Layout, hand: u8) -> Layout {
    layout
        .counts("connections", &[], SIDES as u8, "cards beside the cell that count for a double connection; for a county chosen: at its widest cell, which makes a double connection if one does, and opens most for the own hand against theirs; so the following up to doubles")
        .counts("sides", &[], SIDES as u8, "free cells beside it")
        .counts("sides_for", &[4], SIDES as u8, "such cells by whose cards fit there then")
        .labelled(["own alone", "theirs alone", "both", "none"])
        .counts("beside", &[2], MOST_NEAR, "cards that fit one of them then")
        .labelled(WHOSE)
        .counts("gained", &[2], MANY, "cells gained, summed over the cards")
        .labelled(WHOSE)
        .counts("lost", &[2], MANY, "cells lost, summed over the cards")
        .labelled(WHOSE)
        .counts("gained_new", &[2], MANY, "those of cards that fitted nowhere")
        .labelled(WHOSE)
        .counts("lost_only", &[2], MANY, "cells lost, of cards that fitted nowhere else")
        .labelled(WHOSE)
        .counts("first", &[2], MOST_NEAR, "cards that fitted nowhere and do then")
        .labelled(WHOSE)
        .counts("last", &[2], MOST_NEAR, "cards that fitted somewhere and fit nowhere then")
        .labelled(WHOSE)
        .counts("fit", &[2], hand, "cards that fit some cell then")
        .labelled(WHOSE)
        .counts("lone", &[2], MOST_NEAR, "cards that fit nowhere then and border no card to come: they need a transit card")
        .labelled(WHOSE)
        .counts("doubles", &[2], MOST_NEAR, "cards that could make a double connection then")
        .labelled(WHOSE)
}

/// What is the same for all actions of a moment.
pub(super) struct Seen<'a> {
    rules: &'a Mapominoes,
    view: View<'a>,
    seat: Seat,
    /// With the transit card that is on its way.
    table: Cow<'a, Table>,
    mine: Set,
    theirs: Set,
    /// Cards that are not on the table yet.
    to_come: Set,
    /// Cards of the hands that fit nowhere and border none to come.
    lone: Set,
    /// By county, cells where it would make a double connection.
    doubles: [u8; 256],
    /// Nominees after which a card of the own hand could make a double connection, and a stranded one.
    double_nominees: [Set; 2],
}

/// What a county card on a cell changes.
#[derive(Clone, Copy, Default)]
struct Effect {
    connections: u8,
    is_double: bool,
    sides: u8,
    sides_for: [u8; 4],
    beside: [u8; 2],
    gained: [u8; 2],
    lost: [u8; 2],
    gained_new: [u8; 2],
    lost_only: [u8; 2],
    first: [u8; 2],
    last: [u8; 2],
    fit: [u8; 2],
    lone: [u8; 2],
    doubles: [u8; 2],
}

impl Effect {
    /// Orders the cells of a county chosen: a double connection, then what opens for the own hand against theirs, a
    /// first or only cell as much as six others.
    fn width(&self) -> (bool, i32) {
        let opened = |who: usize| {
            let cells = i32::from(self.gained[who]) - i32::from(self.lost[who]);
            cells + 5 * (i32::from(self.gained_new[who]) - i32::from(self.lost_only[who]))
        };
        (self.is_double, 2 * opened(0) - opened(1))
    }
}

/// What an action lets lie, and what of it is settled.
struct Chosen {
    kind: usize,
    county: Option<u8>,
    nominee: Option<u8>,
    is_right: bool,
    can_double: bool,
    effect: Option<Effect>,
    /// The counties that could follow a transit card.
    followers: Set,
    double_followers: Set,
}

impl<'a> Seen<'a> {
    pub(super) fn new(rules: &'a Mapominoes, state: &'a State, seat: Seat) -> Self {
        let view = state.view(Some(seat));
        let (frame, players) = (&rules.frame, rules.players());
        let others = seat.around(players).skip(1);
        let theirs = others.fold(view.unseen(), |all, other| all | view.shown(other));
        let mine = view.known(seat);
        let to_come = mine | theirs | view.undealt();
        let without = (mine | theirs) - view.table().fitting();
        let lone = without.iter().filter(|&county| !frame.near(county).meets(to_come)).collect();
        let mut table = Cow::Borrowed(view.table());
        let transit = view.phase().transit().filter(|_| view.asked().is_none());
        if let Some(Transit { nominee, cell }) = transit {
            table.to_mut().lay(frame, cell, Card { place: nominee, is_transit: true });
        }
        let mut seen = Self {
            rules,
            view,
            seat,
            table,
            mine,
            theirs,
            to_come,
            lone,
            doubles: [0; 256],
            double_nominees: [Set::EMPTY; 2],
        };
        seen.find_doubles();
        seen
    }

    /// Fills `doubles` and, where a transit card could be chosen, `double_nominees`.
    fn find_doubles(&mut self) {
        let (frame, hands) = (&self.rules.frame, self.mine | self.theirs);
        let table = &*self.table;
        let nominees = self.view.phase() == Phase::Go && self.view.num_transit(self.seat) > 0;
        let with_transit = u8::from(self.rules.options().double_with_transit);
        for cell in table.cells_beside_cards() {
            if self.rules.connections(table, cell) >= 2 {
                let fitting = table.fits_beside_cards(frame, cell) & hands;
                fitting.for_each(|county| self.doubles[usize::from(county)] += 1);
            }
            if !nominees || !table.takes_any_transit(frame, cell) {
                continue;
            }
            let is_double = |other: &Cell| self.rules.connections(table, *other) + with_transit >= 2;
            let following = frame.beside(cell).filter(|&other| table.is_free(other)).filter(is_double);
            let counties =
                following.fold(Set::EMPTY, |all, other| all | table.fits_beside_cards(frame, other)) & self.mine;
            if counties.is_empty() {
                continue;
            }
            let led = counties.iter().fold(Set::EMPTY, |all, county| all | frame.near(county));
            let fitting = table.fits_beside_cards(frame, cell);
            self.double_nominees[0] |= fitting & led;
            let led = (counties & self.lone).iter().fold(Set::EMPTY, |all, county| all | frame.near(county));
            self.double_nominees[1] |= fitting & led;
        }
    }

    /// What a county card on a free cell changes for the cards of the hands.
    fn effect(&self, county: u8, cell: Cell) -> Effect {
        let (frame, table) = (&self.rules.frame, &*self.table);
        let near = frame.near(county);
        let mut mine = self.mine;
        mine.remove(county);
        let hands = mine | self.theirs;
        let connections = self.rules.connections(table, cell);
        let mut effect = Effect { connections, is_double: connections >= 2, ..Effect::default() };
        // By cell that changes: what it took before and takes then, and the same for double connections.
        let mut changes = [[Set::EMPTY; 4]; SIDES + 1];
        let taken = table.fits_beside_cards(frame, cell) & hands;
        changes[SIDES] = [taken, Set::EMPTY, if connections >= 2 { taken } else { Set::EMPTY }, Set::EMPTY];
        let mut beside = Set::EMPTY;
        for (change, other) in changes.iter_mut().zip(frame.beside(cell)) {
            if !table.is_free(other) {
                continue;
            }
            let before = table.fits_beside_cards(frame, other) & hands;
            let after = if table.is_beside_cards(other) { before & near } else { near & hands };
            let connected = self.rules.connections(table, other);
            let if_double = |set: Set, connections: u8| if connections >= 2 { set } else { Set::EMPTY };
            *change = [before, after, if_double(before, connected), if_double(after, connected + 1)];
            effect.sides += 1;
            let (own, others) = (after.meets(mine), after.meets(self.theirs));
            effect.sides_for[match (own, others) {
                (true, false) => 0,
                (false, true) => 1,
                (true, true) => 2,
                (false, false) => 3,
            }] += 1;
            beside |= after;
        }
        let mut to_come = self.to_come;
        to_come.remove(county);
        for (who, hand) in [mine, self.theirs].into_iter().enumerate() {
            effect.beside[who] = ((beside & hand).len() as u8).min(MOST_NEAR);
            self.count_changes(&mut effect, who, hand, &changes, (near, to_come));
        }
        effect
    }

    fn count_changes(
        &self,
        effect: &mut Effect,
        who: usize,
        hand: Set,
        changes: &[[Set; 4]; SIDES + 1],
        (near, to_come): (Set, Set),
    ) {
        let table = &*self.table;
        let touched = changes.iter().fold(near, |all, [before, after, ..]| all | *before | *after) & hand;
        let (mut fit, mut doubles) = ((hand & table.fitting()).len() as u8, 0);
        let mut lone = (self.lone & hand).len() as u8;
        let rest = hand - touched;
        doubles += rest.iter().filter(|&county| self.doubles[usize::from(county)] > 0).count() as u8;
        let [mut gained, mut lost, mut gained_new, mut lost_only] = [0; 4];
        touched.for_each(|county| {
            let (mut cells, mut double_cells) =
                (i32::from(table.num_cells(county)), i32::from(self.doubles[usize::from(county)]));
            let before = cells;
            for [was, is, was_double, is_double] in changes {
                let (was, is) = (was.contains(county), is.contains(county));
                let (gains, loses) = (u32::from(is && !was), u32::from(was && !is));
                gained += gains;
                lost += loses;
                gained_new += gains * u32::from(before == 0);
                lost_only += loses * u32::from(before == 1);
                cells += i32::from(is) - i32::from(was);
                double_cells += i32::from(is_double.contains(county)) - i32::from(was_double.contains(county));
            }
            doubles += u8::from(double_cells > 0);
            if before == 0 && cells > 0 {
                fit += 1;
                effect.first[who] = (effect.first[who] + 1).min(MOST_NEAR);
            }
            if before > 0 && cells == 0 {
                fit -= 1;
                effect.last[who] = (effect.last[who] + 1).min(MOST_NEAR);
            }
            let is_lone = cells == 0 && !self.rules.frame.near(county).meets(to_come);
            lone = lone + u8::from(is_lone) - u8::from(self.lone.contains(county));
        });
        let clipped = |number: u32| number.min(MANY.into()) as u8;
        (effect.gained[who], effect.lost[who]) = (clipped(gained), clipped(lost));
        (effect.gained_new[who], effect.lost_only[who]) = (clipped(gained_new), clipped(lost_only));
        (effect.fit[who], effect.lone[who], effect.doubles[who]) = (fit, lone, doubles);
    }

    /// The effect at the widest of some cells.
    fn widest(&self, county: u8, cells: impl Iterator<Item = Cell>) -> Option<Effect> {
        cells.map(|cell| self.effect(county, cell)).max_by_key(Effect::width)
    }

    fn chosen(&self, action: Action) -> Chosen {
        let (frame, table, phase) = (&self.rules.frame, &*self.table, self.view.phase());
        let mut chosen = Chosen {
            kind: TAKE,
            county: None,
            nominee: phase.nominee(),
            is_right: true,
            can_double: false,
            effect: None,
            followers: Set::EMPTY,
            double_followers: Set::EMPTY,
        };
        match (phase, action) {
            (Phase::Go, Action::County(county)) => {
                (chosen.kind, chosen.county) = (0, Some(county));
                chosen.effect = self.widest(county, table.cells_for_county(frame, county).into_iter());
                chosen.is_right = chosen.effect.is_some();
            }
            (Phase::Go, Action::Nominate(nominee)) => {
                (chosen.kind, chosen.nominee) = (1, Some(nominee));
                chosen.followers = self.mine & frame.near(nominee);
                chosen.can_double = self.double_nominees[0].contains(nominee);
                if self.double_nominees[1].contains(nominee) {
                    chosen.double_followers = chosen.followers & self.lone;
                }
                chosen.is_right = table.num_cells(nominee) > 0 && !chosen.followers.is_empty();
            }
            (Phase::Place { county }, Action::Cell(cell)) => {
                (chosen.kind, chosen.county) = (2, Some(county));
                chosen.effect = Some(self.effect(county, cell));
                chosen.is_right = table.borders_all(frame, cell, county);
            }
            (Phase::PlaceTransit { nominee }, Action::Cell(cell)) => {
                self.put_transit(&mut chosen, Transit { nominee, cell });
            }
            (Phase::Follow { transit }, Action::County(county)) => {
                (chosen.kind, chosen.county) = (4, Some(county));
                let cells = table.followers(frame, transit.cell, [county].into_iter().collect()).map(|(cell, _)| cell);
                chosen.effect = self.widest(county, cells);
                chosen.is_right = chosen.effect.is_some();
            }
            (Phase::PlaceFollow { transit, county }, Action::Cell(cell)) => {
                (chosen.kind, chosen.county) = (5, Some(county));
                chosen.effect = Some(self.effect(county, cell));
                chosen.is_right = self.rules.is_right(self.view.table(), Some(transit), county, cell);
            }
            (Phase::Challenge { transit, county, cell, .. }, answer) => {
                (chosen.kind, chosen.county) = (if answer == Action::Challenge { 7 } else { 8 }, Some(county));
                chosen.is_right = self.rules.is_right(table, transit, county, cell);
            }
            _ => {}
        }
        chosen.can_double |= chosen.effect.is_some_and(|effect| effect.is_double);
        chosen
    }

    fn put_transit(&self, chosen: &mut Chosen, Transit { nominee, cell }: Transit) {
        let (frame, table) = (&self.rules.frame, &*self.table);
        chosen.kind = 3;
        let with_transit = u8::from(self.rules.options().double_with_transit);
        let counties = (self.mine | self.theirs) & frame.near(nominee);
        let mut effect = Effect { connections: self.rules.connections(table, cell), ..Effect::default() };
        let mut beside = Set::EMPTY;
        for (other, set) in table.followers(frame, cell, counties) {
            effect.sides += 1;
            beside |= set;
            if self.rules.connections(table, other) + with_transit >= 2 {
                chosen.double_followers |= set & self.mine;
            }
        }
        chosen.followers = beside & self.mine;
        chosen.can_double = !chosen.double_followers.is_empty();
        chosen.is_right = table.borders_all(frame, cell, nominee) && !chosen.followers.is_empty();
        let taken = table.fits_beside_cards(frame, cell);
        for (who, hand) in [self.mine, self.theirs].into_iter().enumerate() {
            let lost = taken & (hand - frame.near(nominee));
            effect.beside[who] = ((beside & hand).len() as u8).min(MOST_NEAR);
            effect.lost[who] = ((taken & hand).len() as u8).min(MANY);
            effect.last[who] =
                lost.iter().filter(|&county| table.num_cells(county) == 1).count().min(MOST_NEAR.into()) as u8;
            effect.lost_only[who] = effect.last[who];
            effect.fit[who] = (hand & table.fitting()).len() as u8;
            effect.lone[who] = (hand & self.lone).len() as u8;
            effect.doubles[who] = hand.iter().filter(|&county| self.doubles[usize::from(county)] > 0).count() as u8;
        }
        chosen.effect = Some(effect);
    }

    /// 120 over one more than the ways that a county has onto the table (MAPO-11).
    fn rare(&self, county: u8) -> u8 {
        let neighbours = (self.rules.frame.near(county) & self.to_come).len();
        (usize::from(RARE) / (1 + neighbours + usize::from(self.view.table().num_cells(county)))) as u8
    }

    pub(super) fn describe(&self, action: Action, row: &mut [u8]) {
        let chosen = self.chosen(action);
        let Chosen { kind, county, nominee, effect, followers, .. } = chosen;
        let mut out = Writer::new(row);
        let is_answer = self.view.asked().is_some();
        out.one_hot(Some(kind), KINDS.len());
        out.flag(chosen.is_right);
        out.flag(chosen.can_double);
        let owner = if is_answer { self.view.turn() } else { self.seat };
        out.flag(kind != TAKE && self.view.num_counties(owner) == 1);
        out.flag(nominee.is_some());
        let coming = county.map_or(followers, |county| [county].into_iter().collect());
        out.flag(coming.meets(self.lone));
        let doubling = if effect.is_some_and(|effect| effect.is_double) { coming } else { chosen.double_followers };
        out.flag(doubling.meets(self.lone));
        let place = county.or(nominee);
        let frame = &self.rules.frame;
        out.number(place.map_or(0, |place| self.view.table().num_cells(place).min(MANY.into()) as u8));
        for cards in [self.mine, self.theirs, self.view.table().counties()] {
            out.number(place.map_or(0, |place| (frame.near(place) & cards).len() as u8).min(MOST_NEAR));
        }
        out.number(coming.iter().map(|county| self.rare(county)).max().unwrap_or(0));
        let effect = effect.unwrap_or_else(|| self.no_effect());
        write_effect(&effect, self.rules.largest_hand, &mut out);
        self.write_numbers(county.is_some() && !is_answer, &effect, &mut out);
    }

    fn no_effect(&self) -> Effect {
        let hands = [self.mine, self.theirs];
        let doubles = |hand: Set| hand.iter().filter(|&county| self.doubles[usize::from(county)] > 0).count() as u8;
        Effect {
            fit: hands.map(|hand| (hand & self.table.fitting()).len() as u8),
            lone: hands.map(|hand| (hand & self.lone).len() as u8),
            doubles: hands.map(doubles),
            ..Effect::default()
        }
    }

    fn write_numbers(&self, is_played: bool, effect: &Effect, out: &mut Writer<'_>) {
        let (view, seat, players) = (&self.view, self.seat, self.rules.players());
        let others = || seat.around(players).skip(1);
        let own = view.num_counties(seat) - usize::from(is_played);
        let fewest = others().map(|other| view.num_counties(other)).min().unwrap_or_default();
        let hand = self.rules.largest_hand;
        out.up_to(hand, own);
        out.up_to(hand, fewest);
        out.one_hot(Some(own), FEW);
        out.one_hot(Some(fewest), FEW);
        let most = i32::from(MAX_LEAD);
        out.number((fewest as i32 - own as i32).clamp(-most, most) + most);
        out.up_to(hand, (self.mine & view.table().fitting()).len());
        out.up_to(hand, (self.theirs & view.table().fitting()).len());
        out.number(view.num_transit(seat));
        out.number(others().next().map_or(0, |next| view.num_transit(next)));
        out.number(view.pile());
        let [fits, theirs_fit] = effect.fit;
        out.flag(theirs_fit == 0);
        out.flag(fits == 0);
        out.flag(effect.is_double && effect.doubles[0] > 0);
        out.flag(effect.is_double && fits == 0);
    }
}

fn write_effect(effect: &Effect, hand: u8, out: &mut Writer<'_>) {
    out.number(effect.connections);
    out.number(effect.sides);
    out.next(4).copy_from_slice(&effect.sides_for);
    let Effect { beside, gained, lost, gained_new, lost_only, first, last, fit, lone, doubles, .. } = effect;
    let fit = fit.map(|number| number.min(hand));
    let [lone, doubles] = [lone, doubles].map(|pair| pair.map(|number| number.min(MOST_NEAR)));
    for pair in [beside, gained, lost, gained_new, lost_only, first, last, &fit, &lone, &doubles] {
        out.next(2).copy_from_slice(pair);
    }
}
