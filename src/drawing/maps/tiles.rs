//! A tile for every region: all names can be read, and it is a diagram, not a map.

use std::collections::BTreeMap;

use super::{Colours, DARK, FAINT, LAND, MARK, Marks, Panel, TOP, heading, place};
use crate::atlas::Atlas;
use crate::drawing::{Drawing, INK, SOFT, common_size, line, measure, polygon, rect, shortened, text};
use crate::set::Set;

const TILE_WIDE: f64 = 46.0;
const TILE_HIGH: f64 = 25.0;
/// The room for a name on a tile.
const TILE_ROOM: f64 = TILE_WIDE - 6.0;

/// Regions by the column and row of their tile.
type Tiles = Vec<((usize, usize), u8)>;

pub(super) fn panel(atlas: &Atlas, shown: Set, marks: &Marks) -> Option<Panel> {
    let tile = |region: u8| {
        let (column, row) = atlas.site(region)?.tile?;
        Some(((column.into(), row.into()), region))
    };
    let is_shown = |region: &u8| shown.is_empty() || shown.contains(*region);
    let tiles: Tiles = (0..atlas.num_regions() as u8).filter(is_shown).filter_map(tile).collect();
    let left = tiles.iter().map(|((column, _), _)| *column).min()?;
    let top = tiles.iter().map(|((_, row), _)| *row).min()?;
    let tiles: Tiles = tiles.into_iter().map(|((column, row), region)| ((column - left, row - top), region)).collect();
    let names = tiles.iter().map(|(_, region)| measure(&atlas.place(*region).abbreviation, 1.0, true));
    let lettering = common_size(names.fold(0.0, f64::max), 8.5, 6.0, TILE_ROOM);
    let map = Tiled { atlas, marks, lettering };
    let mut drawing = Drawing::new();
    drawing.push(heading("Tile map"));
    map.draw_tiles(&tiles, &mut drawing);
    map.draw_frontiers(&tiles, &mut drawing);
    let (columns, rows) =
        tiles.iter().fold((0, 0), |(columns, rows), ((column, row), _)| (columns.max(column + 1), rows.max(row + 1)));
    let (width, height) = (columns as f64 * TILE_WIDE, TOP + rows as f64 * TILE_HIGH);
    Some(Panel { drawing, width, height, regions: tiles.iter().map(|(_, region)| *region).collect() })
}

struct Tiled<'a> {
    atlas: &'a Atlas,
    marks: &'a Marks,
    /// The size of the names on all tiles.
    lettering: f64,
}

impl Tiled<'_> {
    fn draw_tiles(&self, tiles: &Tiles, out: &mut Drawing) {
        for &((column, row), region) in tiles {
            let tile = self.tile(region, column as f64 * TILE_WIDE, TOP + row as f64 * TILE_HIGH);
            if self.marks.has_places {
                out.place(&place(self.atlas, region), tile);
            } else {
                out.add(tile);
            }
        }
    }

    fn tile(&self, region: u8, left: f64, top: f64) -> Drawing {
        let marks = self.marks;
        let (colours, is_held) = (marks.colours(region), marks.held.contains(region));
        let ground =
            rect(left + 2.0, top + 2.0, TILE_WIDE - 4.0, TILE_HIGH - 4.0, colours.map_or(LAND, |c: Colours| c.pale));
        let ground = ground.with("rx", 3);
        let ground = if marks.last == Some(region) {
            ground.with("stroke", MARK).with("stroke-width", 3)
        } else if marks.possible.contains(region) {
            let dashed = ground.with("stroke", DARK).with("stroke-width", 2).with("stroke-dasharray", "4 3");
            dashed.with("data-legal", "region")
        } else {
            ground.with("stroke", if colours.is_some() { INK } else { FAINT })
        };
        let is_coloured = colours.is_some();
        let words = shortened(&self.atlas.place(region).abbreviation, self.lettering, TILE_ROOM, true);
        let ink = if is_coloured || is_held { INK } else { SOFT };
        let name = text(left + TILE_WIDE / 2.0, top + 16.0, &words, self.lettering, ink);
        let mut drawing = Drawing::new();
        drawing.push(ground);
        drawing.push(name.with("font-weight", if is_coloured { "bold" } else { "normal" }));
        if marks.crossed.contains(region) {
            let right = left + TILE_WIDE - 2.0;
            drawing.push(polygon(&[(right - 9.0, top + 2.0), (right, top + 2.0), (right, top + 11.0)], DARK));
        }
        if is_held {
            let under = top + 19.5;
            drawing.push(line(&[(left + 9.0, under), (left + TILE_WIDE - 9.0, under)], INK, 1.0));
        }
        drawing
    }

    /// Lines between tiles of different nations.
    fn draw_frontiers(&self, tiles: &Tiles, out: &mut Drawing) {
        let at: BTreeMap<(usize, usize), u8> = tiles.iter().copied().collect();
        let nation = |region| self.atlas.place(region).nations.first();
        for &((column, row), region) in tiles {
            for (across, down) in [(1, 0), (0, 1)] {
                let other = at.get(&(column + across, row + down));
                if other.is_none_or(|&other| nation(other) == nation(region)) {
                    continue;
                }
                let (left, top) = ((column + across) as f64 * TILE_WIDE, TOP + (row + down) as f64 * TILE_HIGH);
                let end = (left + down as f64 * TILE_WIDE, top + across as f64 * TILE_HIGH);
                out.push(line(&[(left, top), end], INK, 2.0).with("stroke-linecap", "round"));
            }
        }
    }
}
