//! Maps of an atlas: a tile for every region, and where the regions really are.

use std::collections::BTreeMap;

use super::{
    Drawing, Element, INK, Place, Point, SOFT, circle, common_size, line, measure, polygon, rect, shortened, text,
    text_from,
};
use crate::atlas::{Atlas, Site};
use crate::set::Set;

/// The colour of what something leads through, and of frames around what can be chosen.
pub const DARK: &str = "#33475b";
/// The colour of what came last.
pub const MARK: &str = "#c8102e";

const GROUND: &str = "#fbf9f4";
const FAINT: &str = "#d3cbbb";

/// What a heading takes.
const TOP: f64 = 20.0;
/// The size of a map without tiles.
const WIDE: f64 = 560.0;
const HIGH: f64 = 440.0;
const TILE_WIDE: f64 = 46.0;
const TILE_HIGH: f64 = 25.0;
/// The room for a name on a tile.
const TILE_ROOM: f64 = TILE_WIDE - 6.0;
/// What the words below the true positions take.
const CAPTION: f64 = 20.0;
/// The least sides of a map of true positions that is worth drawing.
const LEAST: f64 = 60.0;
/// What true positions keep away from the edges, if they can, and what they keep away in any case.
const MARGIN: f64 = 14.0;
const RIM: f64 = 7.0;
/// The least degrees that a map shows.
const DEGREES: f64 = 2.0;
/// The size of names beside dots.
const LABEL: f64 = 9.0;

/// The two colours of a nation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Colours {
    /// White letters can be read on it.
    pub strong: &'static str,
    /// Dark letters can be read on it.
    pub pale: &'static str,
}

/// What maps show about places, which are numbers of the atlas.
#[derive(Clone, Debug, Default)]
pub struct Marks {
    /// The regions that are coloured; the last one is drawn on top.
    pub coloured: Vec<(u8, Colours)>,
    /// The places that something leads through.
    pub crossed: Set,
    /// What is joined by a line.
    pub links: Vec<(u8, u8)>,
    /// The regions that the viewer holds.
    pub held: Set,
    /// The regions that can be chosen.
    pub possible: Set,
    /// What came last.
    pub last: Option<u8>,
    /// Whether the maps have places to click.
    pub has_places: bool,
}

impl Marks {
    fn colours(&self, region: u8) -> Option<Colours> {
        self.coloured.iter().find(|(place, _)| *place == region).map(|(_, colours)| *colours)
    }
}

/// Maps from 0, 0 on.
#[derive(Clone, Debug)]
pub struct Panel {
    /// The maps.
    pub drawing: Drawing,
    /// How wide they are.
    pub width: f64,
    /// How high they are.
    pub height: f64,
    /// Whether one has a tile for every region.
    pub has_tiles: bool,
}

/// What is clicked for a region.
#[must_use]
pub fn region(name: &str) -> Place {
    Place::new("region", name)
}

/// What is clicked for a water or an outside country.
#[must_use]
pub fn water(name: &str) -> Place {
    Place::new("water", name)
}

/// What is clicked for a place of an atlas.
///
/// # Panics
/// If the atlas has no such place.
#[must_use]
pub fn place(atlas: &Atlas, number: u8) -> Place {
    let name = &atlas.place(number).name;
    if usize::from(number) < atlas.num_regions() { region(name) } else { water(name) }
}

/// The maps of an atlas; `None` if it does not say where its places are.
///
/// With tiles: all of them, and the true positions in the largest gap between them. Without: the true positions of what
/// is coloured or crossed, and of what borders that, with names.
///
/// # Panics
/// If something is marked that the atlas does not have.
#[must_use]
pub fn panel(atlas: &Atlas, marks: &Marks) -> Option<Panel> {
    if atlas.sites().is_empty() {
        return None;
    }
    let names = atlas.places().iter().take(atlas.num_regions()).map(|place| measure(&place.abbreviation, 1.0, true));
    let lettering = common_size(names.fold(0.0, f64::max), 8.5, 6.0, TILE_ROOM);
    let map = Map { atlas, marks, lettering };
    let tiles = tiles_of(atlas);
    let has_tiles = !tiles.is_empty();
    let mut drawing = Drawing::new();
    drawing.push(heading(if has_tiles { "Tile map" } else { "True positions" }));
    if !has_tiles {
        map.draw_surroundings(Area { left: 0.0, top: TOP, right: WIDE, bottom: TOP + HIGH }, &mut drawing);
        return Some(Panel { drawing, width: WIDE, height: TOP + HIGH, has_tiles });
    }
    map.draw_tiles(&tiles, &mut drawing);
    map.draw_frontiers(&tiles, &mut drawing);
    map.draw_overview(gap(&tiles, shape(atlas)), &mut drawing);
    let (columns, rows) = size(&tiles);
    let (width, height) = (columns as f64 * TILE_WIDE, TOP + rows as f64 * TILE_HIGH);
    Some(Panel { drawing, width, height, has_tiles })
}

fn heading(words: &str) -> Element {
    text_from(0.0, 11.0, words, 12.0, SOFT).bold()
}

/// A box in a picture.
#[derive(Clone, Copy)]
struct Area {
    left: f64,
    top: f64,
    right: f64,
    bottom: f64,
}

impl Area {
    fn meets(&self, other: &Self) -> bool {
        self.left < other.right && other.left < self.right && self.top < other.bottom && other.top < self.bottom
    }

    fn contains(&self, other: &Self) -> bool {
        self.left < other.left && other.right < self.right && self.top < other.top && other.bottom < self.bottom
    }

    /// The point of the box, without its rim, that is nearest to a point.
    fn nearest(&self, (x, y): Point) -> Point {
        let within = |value: f64, low: f64, high: f64| value.max(low + RIM).min(high - RIM);
        (within(x, self.left, self.right), within(y, self.top, self.bottom))
    }

    /// Whether a point is in the box without its rim.
    fn has(&self, (x, y): Point) -> bool {
        (self.left + RIM..=self.right - RIM).contains(&x) && (self.top + RIM..=self.bottom - RIM).contains(&y)
    }
}

/// Regions by the column and row of their tile.
type Tiles = Vec<((usize, usize), u8)>;

fn tiles_of(atlas: &Atlas) -> Tiles {
    let tile = |(site, region): (&Site, u8)| site.tile.map(|(column, row)| ((column.into(), row.into()), region));
    atlas.sites().iter().zip(0..).take(atlas.num_regions()).filter_map(tile).collect()
}

/// How many columns and rows there are.
fn size(tiles: &Tiles) -> (usize, usize) {
    tiles.iter().fold((0, 0), |(columns, rows), ((column, row), _)| (columns.max(column + 1), rows.max(row + 1)))
}

/// Columns and rows: left, top, right, bottom.
type Gap = [usize; 4];

/// The part without tiles in which a map of this shape, width by height, is largest.
fn gap(tiles: &Tiles, shape: f64) -> Gap {
    let (columns, rows) = size(tiles);
    let mut best = (0.0, [0; 4]);
    for top in 0..rows {
        let mut ends = vec![rows; columns];
        for &((column, row), _) in tiles.iter().filter(|((_, row), _)| *row >= top) {
            ends[column] = ends[column].min(row);
        }
        for left in 0..columns {
            let mut bottom = rows;
            for (column, &end) in ends.iter().enumerate().skip(left) {
                bottom = bottom.min(end);
                let wide = (column + 1 - left) as f64 * TILE_WIDE;
                let high = (bottom - top) as f64 * TILE_HIGH - CAPTION;
                let found = ((wide / shape).min(high), [left, top, column + 1, bottom]);
                if found > best {
                    best = found;
                }
            }
        }
    }
    best.1
}

/// How wide the regions of an atlas are for their height.
fn shape(atlas: &Atlas) -> f64 {
    let (_, degrees) = extent(atlas.sites().iter().take(atlas.num_regions()));
    (degrees.right - degrees.left) / (degrees.bottom - degrees.top)
}

/// How much narrower a degree of longitude is than one of latitude around some places, and the box that they take, in
/// degrees of latitude.
fn extent<'a>(sites: impl Iterator<Item = &'a Site>) -> (f64, Area) {
    let nothing = Area { left: f64::INFINITY, top: f64::INFINITY, right: f64::NEG_INFINITY, bottom: f64::NEG_INFINITY };
    let degrees = sites.fold(nothing, |area, site| Area {
        left: area.left.min(site.lon),
        top: area.top.min(-site.lat),
        right: area.right.max(site.lon),
        bottom: area.bottom.max(-site.lat),
    });
    let squeeze = f64::midpoint(degrees.top, degrees.bottom).to_radians().cos();
    (squeeze, Area { left: degrees.left * squeeze, right: degrees.right * squeeze, ..degrees })
}

/// The points of all places on a map, and how wide half the globe is there.
fn project(sites: &[Site], shown: Set, area: Area) -> (Vec<Point>, f64) {
    let (squeeze, degrees) = extent(shown.iter().filter_map(|place| sites.get(usize::from(place))));
    let scale = f64::min(
        (area.right - area.left - 2.0 * MARGIN) / (degrees.right - degrees.left).max(DEGREES),
        (area.bottom - area.top - 2.0 * MARGIN) / (degrees.bottom - degrees.top).max(DEGREES),
    );
    let point = |site: &Site| {
        let x = site.lon * squeeze - f64::midpoint(degrees.left, degrees.right);
        let y = -site.lat - f64::midpoint(degrees.top, degrees.bottom);
        (f64::midpoint(area.left, area.right) + x * scale, f64::midpoint(area.top, area.bottom) + y * scale)
    };
    (sites.iter().map(point).collect(), 180.0 * squeeze * scale)
}

struct Map<'a> {
    atlas: &'a Atlas,
    marks: &'a Marks,
    /// The size of the names on all tiles.
    lettering: f64,
}

impl Map<'_> {
    /// Adds the drawing of a place.
    fn add(&self, number: u8, parts: Drawing, out: &mut Drawing) {
        if self.marks.has_places {
            out.place(&place(self.atlas, number), parts);
        } else {
            out.add(parts);
        }
    }

    fn draw_tiles(&self, tiles: &Tiles, out: &mut Drawing) {
        for &((column, row), region) in tiles {
            let tile = self.tile(region, column as f64 * TILE_WIDE, TOP + row as f64 * TILE_HIGH);
            self.add(region, tile, out);
        }
    }

    fn tile(&self, region: u8, left: f64, top: f64) -> Drawing {
        let marks = self.marks;
        let (colours, is_held) = (marks.colours(region), marks.held.contains(region));
        let ground = rect(left + 2.0, top + 2.0, TILE_WIDE - 4.0, TILE_HIGH - 4.0, colours.map_or(GROUND, |c| c.pale));
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

    /// The true positions of all regions in a part without tiles, if that is large enough.
    fn draw_overview(&self, [left, top, right, bottom]: Gap, out: &mut Drawing) {
        let across = |column: usize| column as f64 * TILE_WIDE;
        let down = |row: usize| TOP + row as f64 * TILE_HIGH;
        let area = Area {
            left: across(left) + 4.0,
            top: down(top) + 4.0,
            right: across(right) - 8.0,
            bottom: down(bottom) - 16.0,
        };
        if area.right - area.left >= LEAST && area.bottom - area.top >= LEAST {
            self.draw_dots(area, Set::below(self.atlas.num_regions()), out);
            let middle = f64::midpoint(area.left, area.right);
            out.push(text(middle, area.bottom + 11.0, "true positions", 9.0, SOFT));
        }
    }

    /// The true positions of what is coloured or crossed, and of what borders that, with names.
    fn draw_surroundings(&self, area: Area, out: &mut Drawing) {
        let regions = Set::below(self.atlas.num_regions());
        let coloured: Set = self.marks.coloured.iter().map(|(region, _)| *region).collect();
        let marked = coloured | (self.marks.crossed & regions);
        let shown = marked.iter().fold(marked, |all, place| all | self.atlas.near(place)) & regions;
        let mut dots = self.draw_dots(area, shown, out);
        if self.marks.has_places {
            self.draw_targets(&dots, out);
        }
        dots.sort_by_key(|(region, _)| !coloured.contains(*region));
        self.draw_labels(&dots, area, out);
    }

    /// A map that is large enough for some regions. Returns the regions that are on it, and where.
    fn draw_dots(&self, area: Area, shown: Set, out: &mut Drawing) -> Vec<(u8, Point)> {
        let (points, half_globe) = project(self.atlas.sites(), shown, area);
        let at = |place: u8| points[usize::from(place)];
        let ground = rect(area.left, area.top, area.right - area.left, area.bottom - area.top, GROUND);
        out.push(ground.with("rx", 4).with("stroke", FAINT));
        for &(one, other) in &self.marks.links {
            // What is joined across the edge of the world is not joined on the map.
            if (at(one).0 - at(other).0).abs() < half_globe {
                out.push(line(&[one, other].map(|place| area.nearest(at(place))), SOFT, 1.0));
            }
        }
        let regions = points.iter().copied().zip(0..).take(self.atlas.num_regions());
        let dots: Vec<(u8, Point)> = regions.filter(|(point, _)| area.has(*point)).map(|(p, n)| (n, p)).collect();
        for &(region, (x, y)) in &dots {
            self.draw_plain_dot(region, x, y, out);
        }
        let mut crossed: Vec<u8> = self.marks.crossed.iter().collect();
        crossed.sort_by_key(|&place| &self.atlas.place(place).id);
        for place in crossed {
            let (x, y) = area.nearest(at(place));
            out.push(polygon(&[(x, y - 5.0), (x + 5.0, y), (x, y + 5.0), (x - 5.0, y)], DARK));
        }
        for &(region, colours) in &self.marks.coloured {
            let (x, y) = at(region);
            let dot = circle(x, y, 3.6, colours.strong);
            out.push(if self.marks.last == Some(region) {
                dot.with("stroke", MARK).with("stroke-width", 2)
            } else {
                dot.with("stroke", INK)
            });
        }
        dots
    }

    /// What a region's dot shows below its colour.
    fn draw_plain_dot(&self, region: u8, x: f64, y: f64, out: &mut Drawing) {
        if self.marks.possible.contains(region) {
            out.push(circle(x, y, 5.0, "none").with("stroke", DARK).with("stroke-width", 1.5));
        }
        if self.marks.held.contains(region) {
            out.push(circle(x, y, 2.0, INK));
        } else if self.marks.colours(region).is_none() {
            out.push(circle(x, y, 1.8, "none").with("stroke", SOFT));
        }
    }

    /// Grounds for the dots, which cannot be seen but clicked.
    fn draw_targets(&self, dots: &[(u8, Point)], out: &mut Drawing) {
        for &(region, (x, y)) in dots {
            let others = dots.iter().filter(|(other, _)| *other != region);
            let nearest = others.map(|(_, other)| (other.0 - x).hypot(other.1 - y)).fold(20.0, f64::min);
            let reach = ((nearest / 2.0).clamp(4.0, 10.0) * 10.0).round_ties_even() / 10.0;
            let target = circle(x, y, reach, "#000000").with("fill-opacity", 0);
            self.add(region, [target].into_iter().collect(), out);
        }
    }

    /// The names for which there is room beside their dots, the first ones first.
    fn draw_labels(&self, dots: &[(u8, Point)], area: Area, out: &mut Drawing) {
        let around = |(x, y): Point| Area { left: x - 4.0, top: y - 4.0, right: x + 4.0, bottom: y + 4.0 };
        let mut taken: Vec<Area> = dots.iter().map(|(_, point)| around(*point)).collect();
        for &(region, (x, y)) in dots {
            let words = &self.atlas.place(region).abbreviation;
            let wide = measure(words, LABEL, false);
            let beside = y + LABEL / 3.0;
            let middle = x - wide / 2.0;
            let spots = [(x + 6.0, beside), (x - 6.0 - wide, beside), (middle, y - 6.0), (middle, y + 5.0 + LABEL)];
            let label = |&(left, base): &Point| Area {
                left,
                top: base - LABEL * 0.8,
                right: left + wide,
                bottom: base + LABEL * 0.2,
            };
            let is_free = |spot: &&Point| {
                let label = label(spot);
                area.contains(&label) && !taken.iter().any(|other| label.meets(other))
            };
            if let Some(spot) = spots.iter().find(is_free) {
                taken.push(label(spot));
                let ink = if self.marks.colours(region).is_some() { INK } else { SOFT };
                let name = text_from(spot.0, spot.1, words, LABEL, ink);
                out.push(name.with("stroke", GROUND).with("stroke-width", 2).with("paint-order", "stroke"));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Colours, Marks, gap, panel, place, region, water};
    use crate::atlas::{Atlas, Source};

    #[test]
    fn the_largest_gap_between_tiles_is_found() {
        let tiles = |at: &[(usize, usize)]| at.iter().copied().zip(0..).collect();
        assert_eq!(gap(&tiles(&[(0, 0), (5, 5)]), 1.2), [1, 0, 5, 6]);
        assert_eq!(gap(&tiles(&[(0, 0)]), 1.0), [0, 0, 0, 0]);
    }

    #[test]
    fn what_can_be_chosen_is_there_only_if_it_is_asked_for() {
        for source in [Source::UkCounties, Source::UsStates] {
            let atlas = Atlas::new(&source).unwrap();
            let colours = Colours { strong: "#000000", pale: "#ffffff" };
            let marks = Marks { coloured: vec![(0, colours)], ..Marks::default() };
            let count = |marks: &Marks| panel(&atlas, marks).unwrap().drawing.into_picture(1.0, 1.0, "").places().len();
            assert_eq!(count(&marks), 0);
            assert!(count(&Marks { has_places: true, ..marks }) > 0);
        }
    }

    #[test]
    fn regions_and_waters_are_told_apart() {
        let uk = Atlas::new(&Source::UkCounties).unwrap();
        assert_eq!(place(&uk, uk.find("Kent").unwrap()), region("Kent"));
        assert_eq!(place(&uk, uk.find("irish sea").unwrap()), water("Irish Sea"));
    }
}
