//! What the greedy agent thinks of an action in Mapominoes: the sheet's own hints.
//!
//! Cards with few ways onto the table go first, transit cards are kept for those that have none, a double connection is
//! worth another go, and a card is laid where it opens more for the own hand, and closes more for the others', than the
//! other way round.

use super::rules::{Action, Mapominoes, Phase, State, Transit};
use super::table::{Cell, Table};
use crate::bits;
use crate::game::{Heuristic, Rules as _, Tuning, Viewer};
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
        // Sets of fewer words are counted faster.
        bits::wide(
            #[inline(always)]
            || match self.atlas.places().len() {
                0..=128 => self.judge::<2>(state, actions, out),
                _ => self.judge::<4>(state, actions, out),
            },
        );
    }
}

impl Mapominoes {
    #[inline(always)]
    fn judge<const WORDS: usize>(&self, state: &State, actions: &[Action], mut out: impl FnMut(i32)) {
        let eye = Eye::<WORDS>::new(self, state);
        match state.view(Viewer::Everything).phase() {
            Phase::Go => eye.judge_go(actions, out),
            Phase::Place { county } => eye.judge_cells(county, actions, out),
            phase => {
                for &action in actions {
                    out(eye.judge_rest(phase, action));
                }
            }
        }
    }
}

/// What the player whose go it is sees, of an atlas with no more than 64 places a word.
struct Eye<'a, const WORDS: usize> {
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

/// What is the same on a free cell for all cards that fit it.
struct Spot {
    /// What a double connection is worth, less what it costs that nothing else fits there, nor on the cells beside it.
    value: i32,
    /// How many cells beside it have no card beside them.
    open: i32,
    /// The cards of the hands that fit one or three of the other free cells beside it, and those that fit two or three.
    beside: [Set; 2],
    /// What transit cards on cells beside it can stand for.
    leading: Set,
}

/// How a county is judged that may be laid now.
#[derive(Clone, Copy)]
struct Judged {
    rarity: i32,
    /// What a cell beside it is worth that touches no other card.
    opened: i32,
    best: i32,
}

impl<'a, const WORDS: usize> Eye<'a, WORDS> {
    #[inline(always)]
    fn new(rules: &'a Mapominoes, state: &'a State) -> Self {
        let turn = state.view(Viewer::Everything).turn();
        let view = state.view(Some(turn));
        let (mine, theirs) = (view.known(turn), view.held_by_others());
        let (table, transit, pile) = (view.table(), view.num_transit(turn), view.pile());
        let once = (mine | theirs) & table.fitting_once();
        Self { rules, table, mine, theirs, to_come: mine | theirs | view.undealt(), once, transit, pile }
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
        let seen = if nominees.is_empty() { counties & fitting } else { fitting };
        let mut judged = [Judged { rarity: 0, opened: 0, best: WRONG }; 256];
        let mut best_transit = [WRONG; 256];
        seen.for_each(
            #[inline(always)]
            |county| {
                let judged = &mut judged[usize::from(county)];
                (judged.rarity, judged.opened) = (self.rarity(county), self.opened(county));
            },
        );
        self.table.each_beside_cards(
            #[inline(always)]
            |cell| {
                let fits = self.table.fits(&self.rules.frame, cell);
                if !fits.meets(seen) {
                    return;
                }
                let spot = self.spot(cell, fits);
                let (leading, double) = (spot.leading & nominees, self.double_after_transit(cell));
                let is_leading = !leading.is_empty();
                (fits & seen).for_each(
                    #[inline(always)]
                    |county| {
                        let near = self.rules.frame.near(county);
                        let judged = &mut judged[usize::from(county)];
                        judged.best = judged.best.max(self.change_at(&spot, near, judged.opened) + judged.rarity);
                        if is_leading {
                            raise(&mut best_transit, near & leading, judged.rarity + double + LAST_RESORT);
                        }
                    },
                );
            },
        );
        if !nominees.is_empty() {
            self.open(nominees, &mut best_transit);
        }
        for action in actions {
            out(match *action {
                Action::County(county) => judged[usize::from(county)].best,
                Action::Nominate(nominee) => best_transit[usize::from(nominee)],
                _ => self.take(),
            });
        }
    }

    /// The cell of a county.
    #[inline(always)]
    fn judge_cells(&self, county: u8, actions: &[Action], mut out: impl FnMut(i32)) {
        let (near, rarity, opened) = (self.rules.frame.near(county), self.rarity(county), self.opened(county));
        for action in actions {
            out(match *action {
                Action::Cell(cell) => {
                    let fits = self.table.fits_beside_cards(&self.rules.frame, cell);
                    let spot = self.spot(cell, fits);
                    if fits.contains(county) { self.change_at(&spot, near, opened) + rarity } else { WRONG }
                }
                _ => TAKE,
            });
        }
    }

    fn judge_rest(&self, phase: Phase, action: Action) -> i32 {
        match (phase, action) {
            (Phase::PlaceTransit { nominee }, Action::Cell(cell)) => self.follow(Transit { nominee, cell }, self.mine),
            (Phase::Follow { transit }, Action::County(county)) => self.follow(transit, [county].into_iter().collect()),
            (Phase::PlaceFollow { transit, county }, Action::Cell(cell)) => self.follow_at(transit, county, cell),
            (Phase::Challenge { transit, county, cell, .. }, answer) => {
                let is_right = self.rules.is_right(self.table, transit, county, cell);
                i32::from(is_right == (answer == Action::LetItBe))
            }
            _ => TAKE,
        }
    }

    /// How much a card needs to be played now that it can.
    #[inline(always)]
    fn rarity(&self, county: u8) -> i32 {
        let neighbours = (self.rules.frame.near(county) & self.to_come).len() as i32;
        RARE / (1 + neighbours + i32::from(self.table.num_cells(county)))
    }

    /// What it is worth that the neighbours of a county get a cell more.
    #[inline(always)]
    fn opened(&self, county: u8) -> i32 {
        let near = self.rules.frame.near(county);
        self.weigh(near, near - self.table.fitting())
    }

    /// What it is worth that some cards keep a cell.
    #[inline(always)]
    fn kept(&self, set: Set) -> i32 {
        self.weigh(set, set & self.once)
    }

    /// A cell for each card of a set, for those of a smaller one the first or last.
    #[inline(always)]
    fn weigh(&self, set: Set, only: Set) -> i32 {
        let count = |set: Set| set.words()[..WORDS].iter().map(|word| word.count_ones() as i32).sum::<i32>();
        MY_CELL * count(set & self.mine)
            + (MY_ONLY_CELL - MY_CELL) * count(only & self.mine)
            + THEIR_CELL * count(set & self.theirs)
            + (THEIR_ONLY_CELL - THEIR_CELL) * count(only & self.theirs)
    }

    /// A free cell beside the cards, and what fits there. All four neighbours are looked at, whatever they are: that
    /// is cheaper than branches that depend on them.
    #[inline(always)]
    fn spot(&self, cell: Cell, fits: Set) -> Spot {
        let (frame, table, hands) = (&self.rules.frame, self.table, self.mine | self.theirs);
        let double = if self.rules.connections(table, cell) >= 2 { DOUBLE } else { 0 };
        let (mut open, mut leading) = (0, Set::EMPTY);
        let (mut once, mut twice) = (Set::EMPTY, Set::EMPTY);
        for other in frame.beside(cell) {
            open += i32::from(table.is_open(other));
            let narrowed = table.fits_beside_cards(frame, other);
            leading |= narrowed.only_if(table.may_take_transit(other));
            let narrowed = narrowed & hands;
            (once, twice) = (once ^ narrowed, twice | (once & narrowed));
        }
        let beside = [once, twice];
        let value = double - self.kept(fits) - self.kept_beside(beside);
        Spot { value, open, beside, leading }
    }

    /// What the cards keep on the cells beside one.
    #[inline(always)]
    fn kept_beside(&self, [once, twice]: [Set; 2]) -> i32 {
        let again = if twice.is_empty() { 0 } else { 2 * self.kept(twice) };
        self.kept(once) + again
    }

    /// What a county that fits there changes for the hands, and whether it connects doubly; `near` borders it, and
    /// `opened` is what a cell that takes all its neighbours is worth.
    #[inline(always)]
    fn change_at(&self, spot: &Spot, near: Set, opened: i32) -> i32 {
        spot.value + spot.open * opened + self.kept_beside(spot.beside.map(|set| set & near))
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
    fn following(&self, county: u8, cell: Cell) -> i32 {
        self.rarity(county) + self.double_after_transit(cell) + self.last_resort(county)
    }

    /// What a cell beside a transit card is worth for its connections.
    #[inline(always)]
    fn double_after_transit(&self, cell: Cell) -> i32 {
        let with_transit = u8::from(self.rules.options().double_with_transit);
        if self.rules.connections(self.table, cell) + with_transit >= 2 { DOUBLE } else { 0 }
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
