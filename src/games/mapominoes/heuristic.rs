//! What the greedy agent thinks of an action in Mapominoes: the sheet's own hints.
//!
//! Cards with few ways onto the table go first, transit cards are kept for those that have none, a double connection is
//! worth another go, and a card is laid where it opens more for the own hand, and closes more for the others', than the
//! other way round.

use super::rules::{Action, Mapominoes, Phase, State, Transit};
use super::table::{Cell, Table};
use crate::bits;
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
    const SEARCH: Tuning = Tuning { depth: 40, explore: 0.5, samples: u32::MAX };

    fn value(&self, state: &State, action: Action) -> i32 {
        let mut judged = WRONG;
        self.values(state, &[action], |value| judged = value);
        judged
    }

    fn values(&self, state: &State, actions: &[Action], out: impl FnMut(i32)) {
        bits::wide(
            #[inline(always)]
            || self.judge(state, actions, out),
        );
    }
}

impl Mapominoes {
    #[inline(always)]
    fn judge(&self, state: &State, actions: &[Action], mut out: impl FnMut(i32)) {
        let eye = Eye::new(self, state);
        let phase = state.view(Viewer::Everything).phase();
        if phase == Phase::Go {
            return eye.judge_go(actions, out);
        }
        for &action in actions {
            out(match (phase, action) {
                (Phase::Place { county }, Action::Cell(cell)) => eye.cell(county, cell),
                (Phase::PlaceTransit { nominee }, Action::Cell(cell)) => {
                    eye.follow(Transit { nominee, cell }, eye.mine)
                }
                (Phase::Follow { transit }, Action::County(county)) => {
                    eye.follow(transit, [county].into_iter().collect())
                }
                (Phase::PlaceFollow { transit, county }, Action::Cell(cell)) => eye.follow_at(transit, county, cell),
                (Phase::Challenge { transit, county, cell, .. }, answer) => {
                    let is_right = self.is_right(eye.table, transit, county, cell);
                    i32::from(is_right == (answer == Action::LetItBe))
                }
                _ => TAKE,
            });
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
    /// Cards of the hands with exactly one cell.
    once: Set,
    transit: u8,
    pile: u8,
}

/// What is the same for all cards of the hand that fit a free cell.
struct Spot {
    cell: Cell,
    /// What a double connection is worth there.
    double: i32,
    /// What it costs that the cell is taken.
    taken: i32,
    /// How many cells beside it have no card beside them.
    open: i32,
    /// What fits the other free cells beside it.
    narrowed: [Set; 4],
    num_narrowed: usize,
}

impl<'a> Eye<'a> {
    #[inline(always)]
    fn new(rules: &'a Mapominoes, state: &'a State) -> Self {
        let turn = state.view(Viewer::Everything).turn();
        let view = state.view(Some(turn));
        let others = (0..rules.players()).map(Seat::new).filter(|&seat| seat != turn);
        let theirs = others.fold(view.unseen(rules.players()), |all, seat| all | view.shown(seat));
        let mine = view.known(turn);
        let to_come = mine | theirs | view.undealt();
        let (table, transit, pile) = (view.table(), view.num_transit(turn), view.pile());
        let mut once = Set::EMPTY;
        ((mine | theirs) & table.fitting()).for_each(|county| {
            if table.num_cells(county) == 1 {
                once.insert(county);
            }
        });
        Self { rules, table, mine, theirs, to_come, once, transit, pile }
    }

    /// A go: what the cards can do is found cell by cell, each looked at once for all cards.
    #[inline(always)]
    fn judge_go(&self, actions: &[Action], mut out: impl FnMut(i32)) {
        let (mut counties, mut nominees) = (Set::EMPTY, Set::EMPTY);
        for action in actions {
            match *action {
                Action::County(county) => counties.insert(county),
                Action::Nominate(nominee) => nominees.insert(nominee),
                _ => {}
            }
        }
        let fitting = self.mine & self.table.fitting();
        let counties = counties & fitting;
        let (mut best, mut best_transit) = ([WRONG; 256], [WRONG; 256]);
        let (mut rarity, mut opened) = ([0; 256], [0; 256]);
        counties.for_each(
            #[inline(always)]
            |county| {
                rarity[usize::from(county)] = self.rarity(county);
                opened[usize::from(county)] = self.gained(self.rules.frame.near(county));
            },
        );
        let seen = if nominees.is_empty() { counties } else { fitting };
        self.table.cells_taking(
            &self.rules.frame,
            seen,
            #[inline(always)]
            |cell, set| {
                let spot = self.spot(cell);
                (set & counties).for_each(
                    #[inline(always)]
                    |county| {
                        let index = usize::from(county);
                        best[index] = best[index].max(rarity[index] + self.change_at(&spot, county, opened[index]));
                    },
                );
                if !nominees.is_empty() {
                    self.lead_to(&spot, set, nominees, &mut best_transit);
                }
            },
        );
        if !nominees.is_empty() {
            self.open(nominees, &mut best_transit);
        }
        for action in actions {
            out(match *action {
                Action::County(county) => best[usize::from(county)],
                Action::Nominate(nominee) => best_transit[usize::from(nominee)],
                _ => self.take(),
            });
        }
    }

    /// How much a card needs to be played now that it can.
    #[inline(always)]
    fn rarity(&self, county: u8) -> i32 {
        let neighbours = (self.rules.frame.near(county) & self.to_come).len() as i32;
        RARE / (1 + neighbours + i32::from(self.table.num_cells(county)))
    }

    /// What it is worth that some cards get a cell more.
    #[inline(always)]
    fn gained(&self, set: Set) -> i32 {
        self.weigh(set, set - self.table.fitting())
    }

    /// What it is worth that some cards keep a cell.
    #[inline(always)]
    fn kept(&self, set: Set) -> i32 {
        self.weigh(set, set & self.once)
    }

    /// A cell for each card of a set, for those of a smaller one the first or last.
    #[inline(always)]
    fn weigh(&self, set: Set, only: Set) -> i32 {
        let count = |set: Set| set.len() as i32;
        MY_CELL * count(set & self.mine)
            + (MY_ONLY_CELL - MY_CELL) * count(only & self.mine)
            + THEIR_CELL * count(set & self.theirs)
            + (THEIR_ONLY_CELL - THEIR_CELL) * count(only & self.theirs)
    }

    /// A free cell beside the cards.
    #[inline(always)]
    fn spot(&self, cell: Cell) -> Spot {
        let (frame, table) = (&self.rules.frame, self.table);
        let mut spot = Spot {
            cell,
            double: if self.rules.connections(table, cell) >= 2 { DOUBLE } else { 0 },
            taken: self.kept(table.fits_beside_cards(frame, cell)),
            open: 0,
            narrowed: [Set::EMPTY; 4],
            num_narrowed: 0,
        };
        for other in table.free_beside(frame, cell) {
            if table.is_beside_cards(other) {
                spot.narrowed[spot.num_narrowed] = table.fits_beside_cards(frame, other);
                spot.num_narrowed += 1;
            } else {
                spot.open += 1;
            }
        }
        spot
    }

    /// What a county that fits there changes for the hands, and whether it connects doubly. `opened` is what a cell that
    /// takes all its neighbours is worth.
    #[inline(always)]
    fn change_at(&self, spot: &Spot, county: u8, opened: i32) -> i32 {
        let near = self.rules.frame.near(county);
        let mut value = spot.double + spot.open * opened - spot.taken;
        for &set in &spot.narrowed[..spot.num_narrowed] {
            value -= self.kept(set - near);
        }
        value
    }

    /// A county on a cell.
    #[inline(always)]
    fn cell(&self, county: u8, cell: Cell) -> i32 {
        let frame = &self.rules.frame;
        if !self.table.takes_county(frame, cell, county) {
            return WRONG;
        }
        self.rarity(county) + self.change_at(&self.spot(cell), county, self.gained(frame.near(county)))
    }

    /// What transit cards beside a cell come to, if one of the counties that fit it follows there.
    #[inline(always)]
    fn lead_to(&self, spot: &Spot, counties: Set, nominees: Set, best: &mut [i32; 256]) {
        let (frame, table) = (&self.rules.frame, self.table);
        let mut leading = Set::EMPTY;
        for other in frame.beside(spot.cell).filter(|&other| table.may_take_transit(other)) {
            leading |= table.fits_beside_cards(frame, other) & nominees;
        }
        if leading.is_empty() {
            return;
        }
        for county in counties.iter() {
            let value = self.following(county, spot.cell);
            raise(best, frame.near(county) & leading, value);
        }
    }

    /// What transit cards with an empty cell beside them come to, if any county of the hand follows there.
    #[inline(always)]
    fn open(&self, nominees: Set, best: &mut [i32; 256]) {
        let opening = nominees & self.table.opening();
        if opening.is_empty() {
            return;
        }
        for county in self.mine.iter() {
            let led = self.rules.frame.near(county) & opening;
            if !led.is_empty() {
                raise(best, led, self.rarity(county) + self.last_resort(county));
            }
        }
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
        self.following(county, cell)
    }

    /// A county that fits a cell beside a transit card.
    #[inline(always)]
    fn following(&self, county: u8, cell: Cell) -> i32 {
        let with_transit = u8::from(self.rules.options().double_with_transit);
        let double = if self.rules.connections(self.table, cell) + with_transit >= 2 { DOUBLE } else { 0 };
        self.rarity(county) + double + self.last_resort(county)
    }

    #[inline(always)]
    fn last_resort(&self, county: u8) -> i32 {
        if self.is_stranded(county) { 0 } else { LAST_RESORT }
    }

    /// Whether only a transit card can bring a county to the table, as things stand.
    #[inline(always)]
    fn is_stranded(&self, county: u8) -> bool {
        self.table.num_cells(county) == 0 && !self.rules.frame.near(county).meets(self.to_come)
    }

    fn take(&self) -> i32 {
        let stranded = self.mine.iter().filter(|&county| self.is_stranded(county)).count();
        if self.pile > 0 && stranded > usize::from(self.transit) { TAKE_FOR_NEED } else { TAKE }
    }
}

/// Raises what some places have to a value.
#[inline(always)]
fn raise(best: &mut [i32; 256], places: Set, value: i32) {
    places.for_each(
        #[inline(always)]
        |place| {
            let best = &mut best[usize::from(place)];
            *best = (*best).max(value);
        },
    );
}
