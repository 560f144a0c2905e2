//! The grid, the cards on it, and what fits beside them.
//!
//! Counts of the free cells on which each place fits are kept up to date as cards are laid: a card changes them only
//! within two steps. What a hand can play is then an intersection of sets.

use std::hash::{Hash, Hasher};

use serde::{Deserialize, Serialize};

use super::counts::{Counts, Tally};
use crate::atlas::Atlas;
use crate::bits;
use crate::list::List;
use crate::set::Set;

/// The most transit cards (MAPO-2).
pub const MAX_TRANSIT_CARDS: usize = 32;

const FREE: u8 = 0;
const EDGE: u8 = u8::MAX;
const NOWHERE: u16 = u16::MAX;
/// What is kept for a cell that is free and touches no card.
const OPEN: u8 = 0;
const TAKEN: u8 = 8;
const TRANSIT_BESIDE: u8 = 16;
/// Cells that are looked at together.
const TOGETHER: usize = 64;
/// The most cells of a card that are found at once: few cards have as many.
const MOST_CELLS: usize = 32;

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
    /// The four cells beside each cell (MAPO-4); the one after the last stands for all that is off the table, here too.
    beside: Vec<[Cell; 4]>,
    /// The cells two steps away from each cell.
    further: Vec<[Cell; 8]>,
    /// By what lies on a cell: the places that may lie beside it.
    near: Box<[Set; 256]>,
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
        let further = |index| {
            let (row, column) = place(index);
            [(-2, 0), (-1, 1), (0, 2), (1, 1), (2, 0), (1, -1), (0, -2), (-1, -1)]
                .map(|(down, right)| cell(row + down, column + right))
        };
        let mut near = Box::new([Set::ALL; 256]);
        for place in 0..atlas.places().len() {
            near[1 + place] = atlas.near(place as u8);
        }
        let cells = 0..columns * rows;
        let edge = [cell(-1, 0); 4];
        let (beside, further) = (cells.clone().map(beside).chain([edge]).collect(), cells.map(further).collect());
        Self { columns, rows, beside, further, near }
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
        self.beside.len() - 1
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

/// The cards on the table.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(from = "PlainTable", into = "PlainTable")]
pub struct Table {
    /// Per cell 1 + the place that its card stands for, or [`FREE`]; then an [`EDGE`].
    cards: Box<[u8]>,
    /// Per cell how many cards lie beside it, [`TRANSIT_BESIDE`] times the transit cards among them, and [`TAKEN`] if it
    /// is not free; then [`TAKEN`] for what is off the table, up to a multiple of [`TOGETHER`].
    beside: Box<[u8]>,
    /// What `beside` would count off the table: a part of saves.
    beyond: u8,
    /// Where each region's own card lies.
    cells: Box<[u16]>,
    /// The regions whose own card lies on the table.
    counties: Set,
    /// Where the transit cards lie, in the order in which they were laid.
    transits: List<Cell, MAX_TRANSIT_CARDS>,
    fits: Counts,
    opens: Counts,
}

/// A table as it is saved: `beside` counts cards alone, off the table too.
#[derive(Hash, Serialize, Deserialize)]
struct PlainTable {
    cards: Box<[u8]>,
    beside: Box<[u8]>,
    cells: Box<[u16]>,
    counties: Set,
    transits: List<Cell, MAX_TRANSIT_CARDS>,
    fits: Counts,
    opens: Counts,
}

/// Marks that are there already become others that fit no table.
impl From<PlainTable> for Table {
    fn from(PlainTable { cards, mut beside, cells, counties, transits, fits, opens }: PlainTable) -> Self {
        let beyond = beside.last_mut().map_or(0, std::mem::take);
        mark_taken(&cards, &mut beside);
        let mut beside = if beside.len() == cards.len() { beside.into_vec() } else { Vec::new() };
        beside.resize(beside.len().next_multiple_of(TOGETHER), TAKEN);
        let beside = beside.into();
        Self { cards, beside, beyond, cells, counties, transits, fits, opens }
    }
}

impl From<Table> for PlainTable {
    fn from(Table { cards, beside, beyond, cells, counties, transits, fits, opens }: Table) -> Self {
        let mut beside: Box<[u8]> = beside.iter().copied().take(cards.len()).collect();
        mark_taken(&cards, &mut beside);
        if let Some(last) = beside.last_mut() {
            *last = beyond;
        }
        Self { cards, beside, cells, counties, transits, fits, opens }
    }
}

/// Marks the cells that are not free as [`TAKEN`], or takes the marks away.
fn mark_taken(cards: &[u8], beside: &mut [u8]) {
    for (count, _) in beside.iter_mut().zip(cards).filter(|(_, card)| **card != FREE) {
        *count ^= TAKEN;
    }
}

/// By what is saved.
impl Hash for Table {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        PlainTable::from(self.clone()).hash(hasher);
    }
}

/// Cells of a table, in order.
#[derive(Clone, Copy, Debug)]
pub struct Cells {
    /// Those, then [`NOWHERE`].
    cells: [Cell; MOST_CELLS],
    count: u8,
}

impl Cells {
    #[inline(always)]
    fn new() -> Self {
        Self { cells: [Cell(NOWHERE); MOST_CELLS], count: 0 }
    }

    /// The cells.
    #[inline(always)]
    #[must_use]
    pub fn get(&self) -> &[Cell] {
        &self.cells[..usize::from(self.count)]
    }

    /// Whether a cell is among them.
    #[inline(always)]
    #[must_use]
    pub fn contains(&self, cell: Cell) -> bool {
        // All places are looked at, whether in use or not: a loop of fixed length has no branches.
        cell != Cell(NOWHERE) && self.cells.iter().map(|&other| u8::from(other == cell)).sum::<u8>() > 0
    }

    /// The same without those that do not fulfil a condition.
    #[inline(always)]
    #[must_use]
    pub fn filtered(&self, mut condition: impl FnMut(Cell) -> bool) -> Self {
        let mut kept = Self::new();
        for &cell in self.get() {
            if condition(cell) {
                kept.cells[usize::from(kept.count)] = cell;
                kept.count += 1;
            }
        }
        kept
    }

    /// Some cells, each once, put in order; `None` if there are too many.
    #[inline(always)]
    #[must_use]
    pub fn sorted(cells: impl Iterator<Item = Cell>) -> Option<Self> {
        let mut unsorted = Self::new();
        for cell in cells {
            *unsorted.cells.get_mut(usize::from(unsorted.count))? = cell;
            unsorted.count += 1;
        }
        Some(unsorted.in_order())
    }

    /// Each cell goes where its number of lower ones says: without a branch that depends on them.
    #[inline(always)]
    fn in_order(&self) -> Self {
        let mut sorted = Self { count: self.count, ..Self::new() };
        for &cell in self.get() {
            let lower: u8 = self.cells.iter().map(|&other| u8::from(other < cell)).sum();
            sorted.cells[usize::from(lower) % MOST_CELLS] = cell;
        }
        sorted
    }
}

impl Table {
    /// A table without cards.
    #[must_use]
    pub fn empty(frame: &Frame, atlas: &Atlas) -> Self {
        let [mut cards, mut beside] = [vec![FREE; frame.num_cells()], vec![OPEN; frame.num_cells()]];
        cards.push(EDGE);
        beside.resize(cards.len().next_multiple_of(TOGETHER), TAKEN);
        let places = atlas.places().len();
        Self {
            cards: cards.into(),
            beside: beside.into(),
            beyond: 0,
            cells: vec![NOWHERE; atlas.num_regions()].into(),
            counties: Set::EMPTY,
            transits: List::new(),
            fits: Counts::zeros(places),
            opens: Counts::zeros(places),
        }
    }

    /// Bytes that a table takes beyond its own size.
    #[must_use]
    pub fn heap_bytes(frame: &Frame, atlas: &Atlas) -> usize {
        let cells = frame.num_cells() + 1;
        cells + cells.next_multiple_of(TOGETHER) + 2 * atlas.num_regions()
    }

    /// Takes all cards away.
    pub fn clear(&mut self) {
        let num_cells = self.cards.len() - 1;
        self.cards[..num_cells].fill(FREE);
        self.beside[..num_cells].fill(OPEN);
        self.beyond = 0;
        self.cells.fill(NOWHERE);
        self.counties = Set::EMPTY;
        self.transits = List::new();
        for counts in [&mut self.fits, &mut self.opens] {
            *counts = Counts::zeros(counts.places.into());
        }
    }

    /// Per cell 1 + the place that its card stands for, 0 where there is none.
    #[must_use]
    pub fn places(&self) -> &[u8] {
        &self.cards[..self.cards.len() - 1]
    }

    /// The regions whose own card lies on the table.
    #[must_use]
    pub fn counties(&self) -> Set {
        self.counties
    }

    /// Where the transit cards lie, in the order in which they were laid.
    #[must_use]
    pub fn transits(&self) -> &[Cell] {
        &self.transits
    }

    /// The places that fit some free cell beside the cards.
    #[inline(always)]
    #[must_use]
    pub fn fitting(&self) -> Set {
        self.fits.any
    }

    /// The places that fit exactly one such cell.
    #[inline(always)]
    #[must_use]
    pub fn fitting_once(&self) -> Set {
        self.fits.once()
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
        let is_card = place != FREE && place != EDGE;
        is_card.then(|| Card { place: place - 1, is_transit: self.transits.contains(&cell) })
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
        self.beside[cell.index()] & TAKEN == 0
    }

    #[inline(always)]
    fn has_card(&self, cell: Cell) -> bool {
        !matches!(self.cards[cell.index()], FREE | EDGE)
    }

    /// How many cards lie beside a cell.
    #[inline(always)]
    #[must_use]
    pub fn cards_beside(&self, cell: Cell) -> u8 {
        self.beside[cell.index()] % TAKEN
    }

    /// How many county cards lie beside a cell.
    #[inline(always)]
    #[must_use]
    pub fn counties_beside(&self, cell: Cell) -> u8 {
        self.cards_beside(cell) - self.beside[cell.index()] / TRANSIT_BESIDE
    }

    /// Whether a cell is free and next to a card.
    #[inline(always)]
    #[must_use]
    pub fn is_beside_cards(&self, cell: Cell) -> bool {
        self.is_free(cell) & !self.is_open(cell)
    }

    /// For each of the four cells beside a cell, what may lie beside what lies there.
    #[inline(always)]
    fn near_beside<'a>(&self, frame: &'a Frame, cell: Cell) -> [&'a Set; 4] {
        frame.beside[cell.index()].map(|other| &frame.near[usize::from(self.cards[other.index()])])
    }

    /// The places that border every card beside a cell; all there are, if no card is.
    #[inline(always)]
    #[must_use]
    pub fn fits(&self, frame: &Frame, cell: Cell) -> Set {
        let [north, east, south, west] = self.near_beside(frame, cell);
        *north & *east & (*south & *west)
    }

    /// How many free cells beside the cards a place fits.
    #[inline(always)]
    #[must_use]
    pub fn num_cells(&self, place: u8) -> u16 {
        self.fits.of(place)
    }

    /// The places that fit a cell, if it is free and next to a card.
    #[inline(always)]
    #[must_use]
    pub fn fits_beside_cards(&self, frame: &Frame, cell: Cell) -> Set {
        self.fits(frame, cell).only_if(self.is_beside_cards(cell))
    }

    /// Whether a cell is free, and next to cards of which none is a transit card (MAPO-12).
    #[inline(always)]
    #[must_use]
    pub fn may_take_transit(&self, cell: Cell) -> bool {
        (1..TAKEN).contains(&self.beside[cell.index()])
    }

    /// Whether a place borders every card beside a cell.
    #[inline(always)]
    #[must_use]
    pub fn borders_all(&self, frame: &Frame, cell: Cell, place: u8) -> bool {
        let [north, east, south, west] = self.near_beside(frame, cell).map(|near| near.contains(place));
        north & east & south & west
    }

    /// Whether a cell is free and touches no card.
    #[inline(always)]
    #[must_use]
    pub fn is_open(&self, cell: Cell) -> bool {
        self.beside[cell.index()] == OPEN
    }

    /// Whether a cell has an open one beside it.
    #[inline(always)]
    fn is_beside_open(&self, frame: &Frame, cell: Cell) -> bool {
        let [north, east, south, west] = frame.beside[cell.index()];
        self.is_open(north) | self.is_open(east) | self.is_open(south) | self.is_open(west)
    }

    /// Whether a transit card may lie on a cell and has an open cell beside it.
    #[inline(always)]
    fn opens(&self, frame: &Frame, cell: Cell) -> bool {
        self.may_take_transit(cell) & self.is_beside_open(frame, cell)
    }

    /// Lays a card on a free cell.
    #[inline(always)]
    pub fn lay(&mut self, frame: &Frame, cell: Cell, card: Card) {
        let (beside, near) = (frame.beside[cell.index()], frame.near(card.place));
        let were_open = beside.map(|other| self.is_open(other));
        let was_open = self.is_open(cell);
        let [mut lost, mut closed] = [Tally::default(); 2];
        if !was_open {
            let taken = self.fits(frame, cell);
            lost.add(taken);
            closed.add(taken.only_if((were_open != [false; 4]) & self.may_take_transit(cell)));
        }
        for other in beside {
            if self.is_beside_cards(other) {
                let fits = self.fits(frame, other);
                lost.add(fits - near);
                let taken = if card.is_transit { fits } else { fits - near };
                closed.add(taken.only_if(self.opens(frame, other)));
            }
        }
        self.put(beside, cell, card);
        let (mut new, mut opening) = (0, 0);
        for (other, was_open) in beside.into_iter().zip(were_open) {
            new += u32::from(was_open);
            opening += u32::from(was_open & self.is_beside_open(frame, other));
        }
        self.close(frame, cell, was_open, were_open, &mut closed);
        self.fits.change(&Tally::times(new, near), &lost);
        self.opens.change(&Tally::times(if card.is_transit { 0 } else { opening }, near), &closed);
    }

    /// A card touches cells that were open, or lies on one: some beside them have no open cell left.
    #[inline(always)]
    fn close(&self, frame: &Frame, cell: Cell, was_open: bool, were_open: [bool; 4], closed: &mut Tally) {
        let [north, east, south, west] = were_open;
        let touched = [north, north | east, east, east | south, south, south | west, west, west | north];
        for (other, is_touched) in frame.further[cell.index()].into_iter().zip(touched) {
            if is_touched & self.may_take_transit(other) & !self.is_beside_open(frame, other) {
                closed.add(self.fits(frame, other));
            }
        }
        // A card is laid on an open cell at the start alone, or where a position describes several.
        if was_open {
            for (other, was_open) in frame.beside[cell.index()].into_iter().zip(were_open) {
                if !was_open && self.may_take_transit(other) && !self.is_beside_open(frame, other) {
                    closed.add(self.fits(frame, other));
                }
            }
        }
    }

    #[inline(always)]
    fn put(&mut self, beside: [Cell; 4], cell: Cell, card: Card) {
        self.cards[cell.index()] = 1 + card.place;
        self.beside[cell.index()] |= TAKEN;
        for other in beside {
            self.beside[other.index()] += if card.is_transit { 1 + TRANSIT_BESIDE } else { 1 };
        }
        let edge = &mut self.beside[self.cards.len() - 1];
        self.beyond = self.beyond.wrapping_add(*edge - TAKEN);
        *edge = TAKEN;
        if card.is_transit {
            self.transits.push(cell);
        } else {
            self.cells[usize::from(card.place)] = cell.0;
            self.counties.insert(card.place);
        }
    }

    /// Every cell where a place may lie beside the cards (MAPO-11); `None` if there are too many, or too many cards that
    /// border it. Nothing changes.
    ///
    /// Cards that border the place are taken out of what is counted beside their cells, and put back: where nothing was
    /// left, no other card lies. That has no branch that depends on what lies beside a cell.
    #[inline(always)]
    #[must_use]
    pub fn cells_of(&mut self, frame: &Frame, place: u8) -> Option<Cells> {
        let near = frame.near(place);
        let regions = near & self.counties;
        if regions.len() + self.transits.len() > MOST_CELLS {
            return None;
        }
        let mut bordering = [Cell::default(); MOST_CELLS];
        let mut num_bordering = 0;
        regions.for_each(
            #[inline(always)]
            |region| {
                bordering[num_bordering] = Cell(self.cells[usize::from(region)]);
                num_bordering += 1;
            },
        );
        let num_regions = num_bordering;
        for &transit in self.transits.iter() {
            bordering[num_bordering] = transit;
            num_bordering += usize::from(near.contains(self.cards[transit.index()] - 1));
        }
        let (regions, transits) = bordering[..num_bordering].split_at(num_regions);
        for (cards, count) in [(regions, 1), (transits, 1 + TRANSIT_BESIDE)] {
            for from in cards {
                for cell in frame.beside[from.index()] {
                    self.beside[cell.index()] = self.beside[cell.index()].wrapping_sub(count);
                }
            }
        }
        let (mut cells, mut num_cells) = (Cells::new(), 0);
        for (cards, count) in [(regions, 1), (transits, 1 + TRANSIT_BESIDE)] {
            for from in cards {
                for cell in frame.beside[from.index()] {
                    let left = &mut self.beside[cell.index()];
                    cells.cells[num_cells % MOST_CELLS] = cell;
                    num_cells += usize::from((*left == OPEN) & (cell.index() != frame.num_cells()));
                    *left = left.wrapping_add(count);
                }
            }
        }
        if num_cells >= MOST_CELLS {
            return None;
        }
        cells.cells[num_cells] = Cell(NOWHERE);
        cells.count = num_cells as u8;
        Some(cells.in_order())
    }

    /// Where a county may lie (MAPO-11).
    #[inline(always)]
    #[must_use]
    pub fn takes_county(&self, frame: &Frame, cell: Cell, county: u8) -> bool {
        self.is_beside_cards(cell) && self.borders_all(frame, cell, county)
    }

    /// Every cell where a county may lie (MAPO-11), once, in no order.
    #[must_use]
    pub fn cells_for_county(&self, frame: &Frame, county: u8) -> Vec<Cell> {
        let mut cells = Vec::new();
        self.cells_taking(frame, [county].into_iter().collect(), |cell, _| cells.push(cell));
        cells
    }

    /// Shows every free cell beside the cards that takes one of some places, once, with those it takes.
    ///
    /// Cells are looked at once for all places.
    #[inline(always)]
    pub fn cells_taking(&self, frame: &Frame, places: Set, mut see: impl FnMut(Cell, Set)) {
        let mut bordering = Set::EMPTY;
        places.for_each(
            #[inline(always)]
            |place| bordering |= frame.near(place),
        );
        let regions = (bordering & self.counties).iter().map(|region| Cell(self.cells[usize::from(region)]));
        let is_bordering = |cell: &&Cell| bordering.contains(self.cards[cell.index()] - 1);
        // A loop and no `for_each`: what is shown is dealt with in one place, so that all of it is inlined.
        for from in regions.chain(self.transits().iter().filter(is_bordering).copied()) {
            for cell in frame.beside[from.index()] {
                if !self.is_free(cell) || !self.is_first_beside(frame, cell, from) {
                    continue;
                }
                let taken = self.fits(frame, cell) & places;
                if !taken.is_empty() {
                    see(cell, taken);
                }
            }
        }
    }

    /// Whether no card beside a cell lies further north, east, south, in this order, than the one on `from`.
    #[inline(always)]
    fn is_first_beside(&self, frame: &Frame, cell: Cell, from: Cell) -> bool {
        self.cards_beside(cell) == 1 || frame.beside(cell).find(|&other| self.has_card(other)) == Some(from)
    }

    /// Shows every cell where a transit card for one of some places may lie (MAPO-12), with those, and the counties of a
    /// hand that can lie beside it.
    #[inline(always)]
    pub fn cells_leading(&self, frame: &Frame, places: Set, hand: Set, mut see: impl FnMut(Cell, Set, Set)) {
        self.cells_taking(
            frame,
            places,
            #[inline(always)]
            |cell, taken| {
                if !self.may_take_transit(cell) {
                    return;
                }
                let mut following = Set::EMPTY;
                for other in frame.beside[cell.index()] {
                    if self.is_free(other) {
                        following |= self.fits(frame, other) & hand;
                    }
                }
                see(cell, taken, following);
            },
        );
    }

    /// Where a transit card for a nominee may lie (MAPO-12) such that one of the `followers` can lie beside it (MAPO-13).
    /// The followers border the nominee.
    #[inline(always)]
    #[must_use]
    pub fn takes_transit(&self, frame: &Frame, cell: Cell, nominee: u8, followers: Set) -> bool {
        self.borders_all(frame, cell, nominee) && self.leads(frame, cell, followers)
    }

    /// The same for a cell where the nominee borders all cards.
    #[inline(always)]
    #[must_use]
    pub fn leads(&self, frame: &Frame, cell: Cell, followers: Set) -> bool {
        self.may_take_transit(cell)
            && !followers.is_empty()
            && (self.is_beside_open(frame, cell) || self.followers(frame, cell, followers).next().is_some())
    }

    /// For each free cell beside a transit card's: which of the counties can follow there.
    #[inline(always)]
    pub fn followers<'a>(
        &'a self,
        frame: &'a Frame,
        transit: Cell,
        counties: Set,
    ) -> impl Iterator<Item = (Cell, Set)> + 'a {
        let fitting = self.free_beside(frame, transit).map(move |cell| (cell, self.fits(frame, cell) & counties));
        fitting.filter(|(_, set)| !set.is_empty())
    }

    /// Whether a transit card can lie on a cell, rightly or not, with a free cell beside it for a county (MAPO-24).
    #[must_use]
    pub fn takes_any_transit(&self, frame: &Frame, cell: Cell) -> bool {
        self.may_take_transit(cell) && self.free_beside(frame, cell).next().is_some()
    }

    /// Every such cell, in order.
    pub fn cells_for_any_transit<'a>(&'a self, frame: &'a Frame) -> impl Iterator<Item = Cell> + 'a {
        self.cells_beside_cards().filter(|&cell| self.takes_any_transit(frame, cell))
    }

    /// The free cells beside a cell.
    #[inline(always)]
    pub fn free_beside<'a>(&'a self, frame: &'a Frame, cell: Cell) -> impl Iterator<Item = Cell> + 'a {
        frame.beside(cell).filter(|&other| self.is_free(other))
    }

    /// Every free cell next to a card (MAPO-24), in order.
    pub fn cells_beside_cards(&self) -> impl Iterator<Item = Cell> + '_ {
        let cells = (0..self.places().len()).map(|index| Cell(index as u16));
        cells.filter(|&cell| self.is_beside_cards(cell))
    }

    /// Shows the same, found many at a time.
    #[inline(always)]
    pub fn each_beside_cards(&self, mut see: impl FnMut(Cell)) {
        for (bytes, start) in self.beside.as_chunks::<TOGETHER>().0.iter().zip((0..).step_by(TOGETHER)) {
            let mut beside = *bytes;
            for count in &mut beside {
                *count = if *count & TAKEN == 0 { *count } else { OPEN };
            }
            let mut cells = bits::gather(&beside);
            while cells != 0 {
                see(Cell(start + cells.trailing_zeros() as u16));
                cells &= cells - 1;
            }
        }
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
        if self.cards.len() != table.cards.len() {
            return None;
        }
        let counties = self.cards().filter(|(_, card)| !card.is_transit).map(|(cell, _)| cell);
        for cell in counties.chain(self.transits.iter().copied()) {
            let card = self.cards.get(cell.index()).and_then(|_| self.card(cell))?;
            let limit = if card.is_transit { atlas.places().len() } else { atlas.num_regions() };
            if usize::from(card.place) >= limit
                || !table.is_free(cell)
                || table.counties.contains(card.place) && !card.is_transit
            {
                return None;
            }
            table.lay(frame, cell, card);
        }
        Some(table)
    }
}
