//! What the greedy agent thinks of an action in Mapominoes: the sheet's own hints.
//!
//! Cards with few ways onto the table go first, transit cards are kept for those that have none, a double connection is
//! worth another go, and a card is laid where it opens more for the own hand, and closes more for the others', than the
//! other way round.

use super::rules::{Action, Mapominoes, Phase, State, Transit};
use super::table::{Cell, Table};
use crate::game::{Heuristic, Rules as _, Seat, Tuning, Viewer};
use crate::set::Set;

/// An extra go.
const DOUBLE: i32 = 300;
/// A card that has no other way onto the table; one with `n` ways has this over `n + 1`.
const RARE: i32 = 360;
/// A transit card spent on a card that could come to the table without one.
const LAST_RESORT: i32 = -5_000;
/// A card taken for one that cannot.
const TAKE_FOR_NEED: i32 = -4_000;
/// A first, or last, cell for a card of the own hand.
const MY_ONLY_CELL: i32 = 24;
/// A further cell for a card of the own hand.
const MY_CELL: i32 = 4;
/// A first, or last, cell for a card of somebody else.
const THEIR_ONLY_CELL: i32 = -12;
/// A further cell for a card of somebody else.
const THEIR_CELL: i32 = -2;
/// A wrong card.
const WRONG: i32 = -20_000;
/// Not to go at all.
pub(super) const TAKE: i32 = -10_000;

impl Heuristic for Mapominoes {
    const LEARNED: &'static [u8] = include_bytes!("learned.safetensors");
    const SEARCH: Tuning = Tuning { depth: 20, explore: 0.5, samples: 8 };

    fn value(&self, state: &State, action: Action) -> i32 {
        let eye = Eye::new(self, state);
        match (state.view(Viewer::Everything).phase(), action) {
            (Phase::Go, Action::County(county)) => eye.best_cell(county),
            (Phase::Go, Action::Nominate(nominee)) => eye.best_transit(nominee),
            (Phase::Go, Action::Take) => eye.take(),
            (Phase::Place { county }, Action::Cell(cell)) => eye.cell(county, cell),
            (Phase::PlaceTransit { nominee }, Action::Cell(cell)) => eye.follow(Transit { nominee, cell }, eye.mine),
            (Phase::Follow { transit }, Action::County(county)) => eye.follow(transit, [county].into_iter().collect()),
            (Phase::PlaceFollow { transit, county }, Action::Cell(cell)) => eye.follow_at(transit, county, cell),
            (Phase::Challenge { transit, county, cell, .. }, answer) => {
                let is_right = self.is_right(eye.table, transit, county, cell);
                i32::from(is_right == (answer == Action::LetItBe))
            }
            _ => TAKE,
        }
    }
}

/// What the player whose go it is sees.
struct Eye<'a> {
    rules: &'a Mapominoes,
    table: &'a Table,
    mine: Set,
    theirs: Set,
    /// Cards that are not on the table yet.
    to_come: Set,
    transit: u8,
    pile: u8,
}

impl<'a> Eye<'a> {
    fn new(rules: &'a Mapominoes, state: &'a State) -> Self {
        let turn = state.view(Viewer::Everything).turn();
        let view = state.view(Some(turn));
        let others = (0..rules.players()).map(Seat::new).filter(|&seat| seat != turn);
        let theirs = others.fold(view.unseen(rules.players()), |all, seat| all | view.shown(seat));
        let mine = view.known(turn);
        let to_come = mine | theirs | view.undealt();
        Self { rules, table: view.table(), mine, theirs, to_come, transit: view.num_transit(turn), pile: view.pile() }
    }

    /// How much a card needs to be played now that it can.
    fn rarity(&self, county: u8) -> i32 {
        let neighbours = (self.rules.frame.near(county) & self.to_come).len() as i32;
        RARE / (1 + neighbours + i32::from(self.table.num_cells(county)))
    }

    fn best_cell(&self, county: u8) -> i32 {
        let cells = self.table.cells_for_county(&self.rules.frame, county);
        cells.map(|cell| self.cell(county, cell)).max().unwrap_or(WRONG)
    }

    /// A county on a cell.
    fn cell(&self, county: u8, cell: Cell) -> i32 {
        let frame = &self.rules.frame;
        if !self.table.takes_county(frame, cell, county) {
            return WRONG;
        }
        let double = if self.rules.connections(self.table, cell) >= 2 { DOUBLE } else { 0 };
        let near = frame.near(county);
        let mut value =
            self.rarity(county) + double + self.change(self.table.fits_beside_cards(frame, cell), Set::EMPTY);
        for other in frame.beside(cell).filter(|&other| self.table.is_free(other)) {
            let before = self.table.fits_beside_cards(frame, other);
            let after = if self.table.is_beside_cards(other) { before & near } else { near };
            value += self.change(before, after);
        }
        value
    }

    /// A cell that took the places `before` would take those `after`.
    fn change(&self, before: Set, after: Set) -> i32 {
        let value = |set: Set, is_only: u16| -> i32 {
            let mine = (set & self.mine)
                .iter()
                .map(|county| if self.table.num_cells(county) == is_only { MY_ONLY_CELL } else { MY_CELL });
            let theirs = (set & self.theirs)
                .iter()
                .map(|county| if self.table.num_cells(county) == is_only { THEIR_ONLY_CELL } else { THEIR_CELL });
            mine.chain(theirs).sum()
        };
        value(after - before, 0) - value(before - after, 1)
    }

    fn best_transit(&self, nominee: u8) -> i32 {
        let followers = self.mine & self.rules.frame.near(nominee);
        let cells = self.table.cells_for_transit(&self.rules.frame, nominee, followers);
        cells.map(|cell| self.follow(Transit { nominee, cell }, self.mine)).max().unwrap_or(WRONG)
    }

    /// The best of some counties after a transit card.
    fn follow(&self, transit: Transit, counties: Set) -> i32 {
        let frame = &self.rules.frame;
        let cells = self.table.followers(frame, transit.cell, counties & frame.near(transit.nominee));
        let values = cells.flat_map(|(cell, set)| set.iter().map(move |county| self.follow_at(transit, county, cell)));
        values.max().unwrap_or(WRONG)
    }

    /// A county beside the transit card just played.
    fn follow_at(&self, transit: Transit, county: u8, cell: Cell) -> i32 {
        if !self.rules.is_right(self.table, Some(transit), county, cell) {
            return WRONG;
        }
        let with_transit = u8::from(self.rules.options().double_with_transit);
        let double = if self.rules.connections(self.table, cell) + with_transit >= 2 { DOUBLE } else { 0 };
        self.rarity(county) + double + if self.is_stranded(county) { 0 } else { LAST_RESORT }
    }

    /// Whether only a transit card can bring a county to the table, as things stand.
    fn is_stranded(&self, county: u8) -> bool {
        self.table.num_cells(county) == 0 && !self.rules.frame.near(county).meets(self.to_come)
    }

    fn take(&self) -> i32 {
        let stranded = self.mine.iter().filter(|&county| self.is_stranded(county)).count();
        if self.pile > 0 && stranded > usize::from(self.transit) { TAKE_FOR_NEED } else { TAKE }
    }
}
