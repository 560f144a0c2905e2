//! The table: the cards that lie, and the cells around them.

use std::collections::BTreeSet;
use std::ops::Range;

use super::cards::{Edge, Face, NAMED, NOTED, framed};
use super::{EDGE, Laid, Scene, WIDTH};
use crate::drawing::{Drawing, INK, PAPER, Point, Role, SOFT, Sheet, fitted, rect, text};
use crate::games::mapominoes::position::column_name;
use crate::games::mapominoes::rules::Action;
use crate::games::mapominoes::table::Cell;

/// What is kept free between cells.
const GAP: f64 = 4.0;
/// How many columns and rows are shown at least: the first number that is enough, or all.
const COLUMNS: &[usize] = &[6, 9, 12, 16, 20, 25];
const ROWS: &[usize] = &[4, 6, 9];
/// What is left out of the table's piece on the left and above.
const AROUND: f64 = 5.0;
/// The widest cards.
const WIDEST: f64 = 92.0;

/// Where the cells are that are shown.
struct Grid {
    rows: Range<usize>,
    columns: Range<usize>,
    /// The size of a card.
    wide: f64,
    high: f64,
    county: Face,
    transit: Face,
}

impl Grid {
    fn new(scene: &Scene<'_>) -> Self {
        let frame = &scene.rules.frame;
        let (num_columns, num_rows) = frame.size();
        let around = usize::from(scene.view.to_act().is_some());
        let places = || scene.cards.iter().map(|laid| frame.row_column(laid.cell));
        let (rows, columns) = if scene.is_whole {
            (0..num_rows, 0..num_columns)
        } else {
            let rows = span(places().map(|(row, _)| row), around, num_rows, ROWS);
            (rows, span(places().map(|(_, column)| column), around, num_columns, COLUMNS))
        };
        let wide = WIDEST.min(((WIDTH - 2.0 * EDGE) / columns.len() as f64).floor() - GAP);
        let county = Face::lying(wide, scene.counties());
        let transit = Face::lying(wide, scene.atlas.places().iter());
        Self { rows, columns, wide, high: county.high, county, transit }
    }

    fn x(&self, column: usize) -> f64 {
        EDGE + (column - self.columns.start) as f64 * (self.wide + GAP)
    }

    fn y(&self, row: usize) -> f64 {
        EDGE + (row - self.rows.start) as f64 * (self.high + GAP)
    }
}

/// The numbers with so many more on both sides below a limit, and more up to the next step.
fn span(numbers: impl Iterator<Item = usize> + Clone, around: usize, limit: usize, steps: &[usize]) -> Range<usize> {
    let (low, high) = (numbers.clone().min().unwrap_or_default(), numbers.max().unwrap_or_default());
    let (mut start, mut end) = (low.saturating_sub(around), limit.min(high + around + 1));
    let enough = steps.iter().copied().find(|&step| step >= end - start).unwrap_or(end - start);
    for side in 0..limit.min(enough) - (end - start) {
        if start > 0 && (side % 2 == 0 || end == limit) {
            start -= 1;
        } else {
            end += 1;
        }
    }
    start..end
}

impl Scene<'_> {
    /// The table. Returns where it ends on the right and below.
    pub(super) fn draw_grid(&self, sheet: &mut Sheet) -> Point {
        let grid = Grid::new(self);
        let mut out = Drawing::new();
        for column in grid.columns.clone() {
            out.push(text(grid.x(column) + grid.wide / 2.0, EDGE - 9.0, &column_name(column), 13.0, SOFT));
        }
        self.draw_free_cells(&grid, &mut out);
        for &laid in &self.cards {
            let (row, column) = self.rules.frame.row_column(laid.cell);
            let mut card = Drawing::new();
            card.thing(&self.thing(laid), self.lying(laid, &grid));
            out.moved(grid.x(column), grid.y(row), card);
        }
        let (right, bottom) = (grid.x(grid.columns.end) - GAP, grid.y(grid.rows.end) - GAP);
        sheet.add(Role::Table, [AROUND, AROUND, right - AROUND + 3.0, bottom - AROUND + 3.0], out);
        (right, bottom)
    }

    /// The numbers of the rows, and the cells without a card.
    fn draw_free_cells(&self, grid: &Grid, out: &mut Drawing) {
        let frame = &self.rules.frame;
        let taken: BTreeSet<Cell> = self.cards.iter().map(|laid| laid.cell).collect();
        for row in grid.rows.clone() {
            out.push(text(EDGE / 2.0, grid.y(row) + grid.high / 2.0 + 5.0, &(row + 1).to_string(), 13.0, SOFT));
            let cells = grid.columns.clone().filter_map(|column| Some((column, frame.cell(row, column)?)));
            for (column, cell) in cells.filter(|(_, cell)| !taken.contains(cell)) {
                let is_legal = self.legal.contains(&Action::Cell(cell));
                let is_place = is_legal || self.is_whole || frame.beside(cell).any(|other| taken.contains(&other));
                let mut parts = Drawing::new();
                parts.moved(grid.x(column), grid.y(row), self.free_cell(cell, is_legal, grid));
                if is_place {
                    self.add(&self.rules.cell_place(cell), parts, out);
                } else {
                    out.add(parts);
                }
            }
        }
    }

    /// A cell without a card, with its name if the next card can lie there.
    fn free_cell(&self, cell: Cell, is_legal: bool, grid: &Grid) -> Drawing {
        let (wide, high) = (grid.wide, grid.high);
        let mut drawing = Drawing::new();
        if is_legal {
            let name = self.cell_name(cell);
            let (_, size) = fitted(&name, 14.0, 8.0, wide - 6.0, true);
            drawing.push(framed(rect(1.0, 1.0, wide - 2.0, high - 2.0, "#ffffff").with("rx", 5)));
            drawing.push(text(wide / 2.0, high / 2.0 + size / 3.0, &name, size, INK).bold());
        } else {
            drawing.push(rect(0.0, 0.0, wide, high, PAPER).with("rx", 5).with("stroke", "#ddd6c8"));
        }
        drawing
    }

    /// A card on the table, with as much of a note as there is room for.
    fn lying(&self, laid: Laid, grid: &Grid) -> Drawing {
        let is_last = self.last == Some(laid.cell);
        let edge = if is_last { Edge::MARKED } else { Edge::PLAIN };
        let edge = if laid.waits { edge.dashed() } else { edge };
        let (last, waits) = (if is_last { "last" } else { "" }, if laid.waits { "?" } else { "" });
        let note = if grid.wide < NOTED {
            last.to_owned()
        } else if grid.wide < NAMED || !is_last {
            format!("{}{waits}", self.cell_name(laid.cell))
        } else {
            format!("{last} {}{waits}", self.cell_name(laid.cell))
        };
        if laid.card.is_transit {
            self.transit_card(laid.card.place, &grid.transit, &note, edge)
        } else {
            self.county_card(laid.card.place, &grid.county, &note, edge)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::span;

    #[test]
    fn what_is_shown_grows_by_steps_within_the_table() {
        let span = |numbers: [usize; 2], around, limit, steps| span(numbers.into_iter(), around, limit, steps);
        assert_eq!(span([15, 15], 1, 31, &[6]), 12..18);
        assert_eq!(span([0, 1], 1, 31, &[6]), 0..6);
        assert_eq!(span([29, 30], 1, 31, &[6]), 25..31);
        assert_eq!(span([0, 30], 1, 31, &[12, 16]), 0..31);
        assert_eq!(span([3, 4], 0, 5, &[12]), 0..5);
    }
}
