//! The grid, the cards on it, and what fits beside them.
//!
//! Counts of the free cells on which each place fits are kept up to date as cards are laid: a card changes them only
//! within two steps. What a hand can play is then an intersection of sets.

use serde::{Deserialize, Serialize};

use crate::atlas::Atlas;
use crate::set::Set;

/// The most transit cards (MAPO-2).
pub const MAX_TRANSIT_CARDS: usize = 32;

const FREE: u8 = 0;
const EDGE: u8 = u8::MAX;
const NOWHERE: u16 = u16::MAX;

/// A cell of the grid, numbered row by row from the top left.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Cell(pub u16);

impl Cell {
    #[inline(always)]
    fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// A card as it lies on the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Card {
    /// The county, or the nominee of a transit card.
    pub place: u8,
    /// Whether it is a transit card.
    pub is_transit: bool,
}

/// What never changes: the cells of the grid and the borders of the atlas.
#[derive(Clone, Debug)]
pub struct Frame {
    columns: usize,
    rows: usize,
    /// The four cells beside each cell (MAPO-4); the one after the last stands for all that is off the table.
    beside: Vec<[Cell; 4]>,
    /// Each cell with those one and two steps away.
    around: Vec<[Cell; 13]>,
    /// By what lies on a cell: the places that may lie beside it.
    near: Vec<Set>,
}

impl Frame {
    /// A table of so many cards (MAPO-5) for the cards of an atlas.
    #[must_use]
    pub fn new(width: usize, height: usize, atlas: &Atlas) -> Self {
        let (columns, rows) = (2 * (width / 2) + 1, 2 * (height / 2) + 1);
        let cell = |row: isize, column: isize| {
            let on_table = (0..rows as isize).contains(&row) && (0..columns as isize).contains(&column);
            Cell(if on_table { row * columns as isize + column } else { (rows * columns) as isize } as u16)
        };
        let place = |index: usize| ((index / columns) as isize, (index % columns) as isize);
        let beside = |index| {
            let (row, column) = place(index);
            [(-1, 0), (0, 1), (1, 0), (0, -1)].map(|(down, right)| cell(row + down, column + right))
        };
        let around = |index| {
            let (row, column) = place(index);
            let steps = (-2..=2_isize).flat_map(|down| (-2..=2_isize).map(move |right| (down, right)));
            let mut cells = steps.filter(|(down, right)| down.abs() + right.abs() <= 2);
            std::array::from_fn(|_| cells.next().map_or(Cell(0), |(down, right)| cell(row + down, column + right)))
        };
        let mut near = vec![Set::ALL; 256];
        for place in 0..atlas.places().len() {
            near[1 + place] = atlas.near(place as u8);
        }
        let cells = 0..columns * rows;
        let (beside, around) = (cells.clone().map(beside).collect(), cells.map(around).collect());
        Self { columns, rows, beside, around, near }
    }

    /// Columns and rows of the grid.
    #[must_use]
    pub fn size(&self) -> (usize, usize) {
        (self.columns, self.rows)
    }

    /// How many cells there are.
    #[inline(always)]
    #[must_use]
    pub fn num_cells(&self) -> usize {
        self.beside.len()
    }

    /// Where the starting county lies.
    #[must_use]
    pub fn middle(&self) -> Cell {
        Cell((self.num_cells() / 2) as u16)
    }

    /// The cell in a row and column, both from 0.
    #[must_use]
    pub fn cell(&self, row: usize, column: usize) -> Option<Cell> {
        (row < self.rows && column < self.columns).then(|| Cell((row * self.columns + column) as u16))
    }

    /// Row and column of a cell, both from 0.
    #[must_use]
    pub fn row_column(&self, cell: Cell) -> (usize, usize) {
        (cell.index() / self.columns, cell.index() % self.columns)
    }

    /// The cells beside a cell.
    #[inline(always)]
    pub fn beside(&self, cell: Cell) -> impl Iterator<Item = Cell> + '_ {
        self.beside[cell.index()].into_iter()
    }

    /// The places that border a place.
    #[inline(always)]
    #[must_use]
    pub fn near(&self, place: u8) -> Set {
        self.near[1 + usize::from(place)]
    }
}

/// How many free cells take each place.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
struct Counts {
    cells: Box<[u16]>,
    /// The places with at least one.
    any: Set,
}

impl Counts {
    fn zeros(places: usize) -> Self {
        Self { cells: vec![0; places].into(), any: Set::EMPTY }
    }

    /// A cell that took the places `before` takes those `after`.
    #[inline(always)]
    fn change(&mut self, before: Set, after: Set) {
        for place in (before - after).iter() {
            let cells = &mut self.cells[usize::from(place)];
            *cells -= 1;
            if *cells == 0 {
                self.any.remove(place);
            }
        }
        for place in (after - before).iter() {
            self.cells[usize::from(place)] += 1;
            self.any.insert(place);
        }
    }
}

/// What a cell takes.
#[derive(Clone, Copy, Default)]
struct Offer {
    /// Places that border every card beside it.
    fits: Set,
    /// The same, if a transit card may lie there and has an empty cell beside it that touches no card.
    opens: Set,
}

/// The cards on the table.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Table {
    /// Per cell 1 + the place that its card stands for, or [`FREE`]; then an [`EDGE`].
    cards: Box<[u8]>,
    /// Per cell 1 for a transit card.
    is_transit: Box<[u8]>,
    /// Where each region's own card lies.
    cells: Box<[u16]>,
    /// The regions whose own card lies on the table.
    counties: Set,
    /// Where the transit cards lie, in the order in which they were laid.
    transits: [Cell; MAX_TRANSIT_CARDS],
    num_transits: u8,
    fits: Counts,
    opens: Counts,
}

impl Table {
    /// A table without cards.
    #[must_use]
    pub fn empty(frame: &Frame, atlas: &Atlas) -> Self {
        let mut cards = vec![FREE; frame.num_cells() + 1];
        cards[frame.num_cells()] = EDGE;
        let places = atlas.places().len();
        Self {
            cards: cards.into(),
            is_transit: vec![0; frame.num_cells() + 1].into(),
            cells: vec![NOWHERE; atlas.num_regions()].into(),
            counties: Set::EMPTY,
            transits: [Cell(0); MAX_TRANSIT_CARDS],
            num_transits: 0,
            fits: Counts::zeros(places),
            opens: Counts::zeros(places),
        }
    }

    /// Takes all cards away.
    pub fn clear(&mut self) {
        let num_cells = self.cards.len() - 1;
        self.cards[..num_cells].fill(FREE);
        self.is_transit.fill(0);
        self.cells.fill(NOWHERE);
        self.counties = Set::EMPTY;
        self.transits = [Cell(0); MAX_TRANSIT_CARDS];
        self.num_transits = 0;
        for counts in [&mut self.fits, &mut self.opens] {
            counts.cells.fill(0);
            counts.any = Set::EMPTY;
        }
    }

    /// Per cell 1 + the place that its card stands for, 0 where there is none.
    #[must_use]
    pub fn places(&self) -> &[u8] {
        &self.cards[..self.cards.len() - 1]
    }

    /// Per cell 1 for a transit card.
    #[must_use]
    pub fn transit_flags(&self) -> &[u8] {
        &self.is_transit[..self.is_transit.len() - 1]
    }

    /// The regions whose own card lies on the table.
    #[must_use]
    pub fn counties(&self) -> Set {
        self.counties
    }

    /// Where the transit cards lie, in the order in which they were laid.
    #[must_use]
    pub fn transits(&self) -> &[Cell] {
        &self.transits[..usize::from(self.num_transits)]
    }

    /// The places that fit some free cell beside the cards.
    #[inline(always)]
    #[must_use]
    pub fn fitting(&self) -> Set {
        self.fits.any
    }

    /// The places for which a transit card can stand on a cell with an empty cell beside it that touches no card: any
    /// region that borders them can follow (MAPO-13).
    #[inline(always)]
    #[must_use]
    pub fn opening(&self) -> Set {
        self.opens.any
    }

    /// The card on a cell.
    #[must_use]
    pub fn card(&self, cell: Cell) -> Option<Card> {
        let place = self.cards[cell.index()];
        let is_transit = self.is_transit[cell.index()] == 1;
        (place != FREE && place != EDGE).then(|| Card { place: place - 1, is_transit })
    }

    /// Every card with its cell, in the order of the cells.
    pub fn cards(&self) -> impl Iterator<Item = (Cell, Card)> + '_ {
        let cells = (0..self.places().len()).map(|index| Cell(index as u16));
        cells.filter_map(|cell| Some((cell, self.card(cell)?)))
    }

    /// Whether a cell of the table has no card.
    #[inline(always)]
    #[must_use]
    pub fn is_free(&self, cell: Cell) -> bool {
        self.cards[cell.index()] == FREE
    }

    #[inline(always)]
    fn has_card(&self, cell: Cell) -> bool {
        !matches!(self.cards[cell.index()], FREE | EDGE)
    }

    /// How many cards lie beside a cell.
    #[inline(always)]
    #[must_use]
    pub fn cards_beside(&self, frame: &Frame, cell: Cell) -> usize {
        frame.beside(cell).filter(|&other| self.has_card(other)).count()
    }

    #[inline(always)]
    fn is_beside_transit(&self, frame: &Frame, cell: Cell) -> bool {
        frame.beside(cell).any(|other| self.is_transit[other.index()] == 1)
    }

    /// The places that border every card beside a cell; all there are, if no card is.
    #[inline(always)]
    fn fits(&self, frame: &Frame, cell: Cell) -> Set {
        frame.beside(cell).fold(Set::ALL, |set, other| set & frame.near[usize::from(self.cards[other.index()])])
    }

    /// Whether a place borders every card beside a cell.
    #[inline(always)]
    #[must_use]
    pub fn borders_all(&self, frame: &Frame, cell: Cell, place: u8) -> bool {
        frame.beside(cell).all(|other| frame.near[usize::from(self.cards[other.index()])].contains(place))
    }

    #[inline(always)]
    fn offer(&self, frame: &Frame, cell: Cell) -> Offer {
        if !self.is_free(cell) || self.cards_beside(frame, cell) == 0 {
            return Offer::default();
        }
        let fits = self.fits(frame, cell);
        let is_open = |other| self.is_free(other) && self.cards_beside(frame, other) == 0;
        let opens = !self.is_beside_transit(frame, cell) && frame.beside(cell).any(is_open);
        Offer { fits, opens: if opens { fits } else { Set::EMPTY } }
    }

    /// Lays a card on a free cell.
    #[inline(always)]
    pub fn lay(&mut self, frame: &Frame, cell: Cell, card: Card) {
        let around = frame.around[cell.index()];
        let before = around.map(|other| self.offer(frame, other));
        self.cards[cell.index()] = 1 + card.place;
        if card.is_transit {
            self.is_transit[cell.index()] = 1;
            self.transits[usize::from(self.num_transits)] = cell;
            self.num_transits += 1;
        } else {
            self.cells[usize::from(card.place)] = cell.0;
            self.counties.insert(card.place);
        }
        for (other, before) in around.into_iter().zip(before) {
            let after = self.offer(frame, other);
            self.fits.change(before.fits, after.fits);
            self.opens.change(before.opens, after.opens);
        }
    }

    /// Where a county may lie (MAPO-11).
    #[inline(always)]
    #[must_use]
    pub fn takes_county(&self, frame: &Frame, cell: Cell, county: u8) -> bool {
        self.is_free(cell) && self.cards_beside(frame, cell) > 0 && self.borders_all(frame, cell, county)
    }

    /// Every cell where a county may lie (MAPO-11), once, in no order.
    #[inline(always)]
    pub fn cells_for_county(&self, frame: &Frame, county: u8, mut see: impl FnMut(Cell)) {
        let near = frame.near(county);
        let bordering = (near & self.counties).iter().map(|region| Cell(self.cells[usize::from(region)]));
        let stands_for_near = |cell: &Cell| near.contains(self.cards[cell.index()] - 1);
        for from in bordering.chain(self.transits().iter().copied().filter(stands_for_near)) {
            self.cells_beside(frame, from, |cell| {
                if self.borders_all(frame, cell, county) {
                    see(cell);
                }
            });
        }
    }

    /// Where a transit card for a nominee may lie (MAPO-12) such that one of the `followers` can lie beside it (MAPO-13).
    /// The followers border the nominee.
    #[inline(always)]
    #[must_use]
    pub fn takes_transit(&self, frame: &Frame, cell: Cell, nominee: u8, followers: Set) -> bool {
        self.is_free(cell)
            && self.cards_beside(frame, cell) > 0
            && !self.is_beside_transit(frame, cell)
            && self.borders_all(frame, cell, nominee)
            && self.followers(frame, cell, followers).next().is_some()
    }

    /// Every cell where a transit card may lie, as [`Table::takes_transit`] says, once, in no
    /// order.
    pub fn cells_for_transit(&self, frame: &Frame, nominee: u8, followers: Set, mut see: impl FnMut(Cell)) {
        for region in (frame.near(nominee) & self.counties).iter() {
            self.cells_beside(frame, Cell(self.cells[usize::from(region)]), |cell| {
                if self.takes_transit(frame, cell, nominee, followers) {
                    see(cell);
                }
            });
        }
    }

    /// The free cells beside a card that no card further north, east, south or west in this order claims too.
    #[inline(always)]
    fn cells_beside(&self, frame: &Frame, from: Cell, mut see: impl FnMut(Cell)) {
        for cell in frame.beside(from) {
            if self.is_free(cell) && frame.beside(cell).find(|&other| self.has_card(other)) == Some(from) {
                see(cell);
            }
        }
    }

    /// For each free cell beside a transit card's: which of the counties can follow there.
    #[inline(always)]
    pub fn followers<'a>(
        &'a self,
        frame: &'a Frame,
        transit: Cell,
        counties: Set,
    ) -> impl Iterator<Item = (Cell, Set)> + 'a {
        let free = frame.beside(transit).filter(|&cell| self.is_free(cell));
        let fitting = free.map(move |cell| (cell, self.fits(frame, cell) & counties));
        fitting.filter(|(_, set)| !set.is_empty())
    }

    /// Every free cell next to a card (MAPO-24), in order.
    pub fn cells_beside_cards<'a>(&'a self, frame: &'a Frame) -> impl Iterator<Item = Cell> + 'a {
        let cells = (0..frame.num_cells()).map(|index| Cell(index as u16));
        cells.filter(|&cell| self.is_free(cell) && self.cards_beside(frame, cell) > 0)
    }

    /// Whether all cards hang together, side by side.
    #[must_use]
    pub fn is_connected(&self, frame: &Frame) -> bool {
        let mut seen = vec![false; frame.num_cells() + 1];
        let mut waiting: Vec<Cell> = self.cards().map(|(cell, _)| cell).take(1).collect();
        let mut reached = 0;
        while let Some(cell) = waiting.pop() {
            if !std::mem::replace(&mut seen[cell.index()], true) {
                reached += 1;
                waiting.extend(frame.beside(cell).filter(|&other| self.has_card(other)));
            }
        }
        reached == self.cards().count()
    }

    /// The same table, laid anew; for comparison with one from outside. `None` if its cards cannot lie so.
    #[must_use]
    pub fn laid_anew(&self, frame: &Frame, atlas: &Atlas) -> Option<Self> {
        let mut table = Self::empty(frame, atlas);
        if self.cards.len() != table.cards.len() || self.is_transit.len() != table.is_transit.len() {
            return None;
        }
        let transits = self.transits.get(..usize::from(self.num_transits))?;
        let counties = self.cards().filter(|(_, card)| !card.is_transit).map(|(cell, _)| cell);
        for cell in counties.chain(transits.iter().copied()) {
            let card = self.cards.get(cell.index()).and_then(|_| self.card(cell))?;
            let limit = if card.is_transit { atlas.places().len() } else { atlas.num_regions() };
            if usize::from(card.place) >= limit || !table.is_free(cell) || table.counties.contains(card.place) && !card.is_transit {
                return None;
            }
            table.lay(frame, cell, card);
        }
        Some(table)
    }
}
