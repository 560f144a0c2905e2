//! Maps of an atlas: what its regions look like and where they are, or a tile for every region.

mod map;
mod plane;
mod ring;
mod tiles;

use std::fmt::Write as _;

use super::{
    Anchor, Area, Drawing, Element, INK, Labels, Place, Point, SOFT, circle, distance, line, path, polygon, rect,
    text_from,
};
use crate::atlas::Atlas;
use crate::atlas::geography::{Geography, Shipped};
use crate::atlas::outlines::{LonLat, number};
use crate::set::Set;
pub use map::{Bridge, Kind, Map, Site};
pub use ring::{Ring, STEPS, contains, unit};

/// The colour of what something leads through, and of frames around what can be chosen.
pub const DARK: &str = "#33475b";
/// The colour of what came last.
pub const MARK: &str = "#c8102e";
/// The colours of the sea, of land, and of land that a map is not about.
pub const SEA: &str = "#e4eef4";
/// Land.
pub const LAND: &str = "#fbf9f4";
/// Land that a map is not about.
pub const ELSEWHERE: &str = "#dedbd3";

const BORDER: &str = "#8d877a";
const FAINT: &str = "#c3bdb0";
/// What a heading takes.
const TOP: f64 = 20.0;
/// The size of names on a map.
const LABEL: f64 = 9.5;
/// The most that a map beside a table takes.
const MOST: (f64, f64) = (560.0, 600.0);

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
    /// Whether names of regions that are not coloured are left out.
    pub hides_names: bool,
}

impl Marks {
    fn colours(&self, region: u8) -> Option<Colours> {
        self.coloured.iter().find(|(place, _)| *place == region).map(|(_, colours)| *colours)
    }
}

/// A map from 0, 0 on.
#[derive(Clone, Debug)]
pub struct Panel {
    /// The map.
    pub drawing: Drawing,
    /// How wide it is.
    pub width: f64,
    /// How high it is.
    pub height: f64,
    /// The regions that are on it.
    pub regions: Set,
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

/// A map beside a table: what stays the same from picture to picture is drawn once.
#[derive(Clone, Debug)]
pub struct Chart {
    map: Map,
    /// What is below the regions, and what is above them.
    under: Drawing,
    over: Drawing,
    /// The outlines of the sites.
    paths: Vec<String>,
}

impl Chart {
    /// The map of some regions of an atlas, of all if none are named; `None` if it does not say where they are.
    #[must_use]
    pub fn new(atlas: &Atlas, shown: Set) -> Option<Self> {
        let map = Map::new(atlas, shown, MOST)?;
        let (mut under, mut over) = (Drawing::new(), Drawing::new());
        map.draw_under(&mut under);
        map.draw_over(&mut over);
        let paths = map.sites.iter().map(|site| outline(&site.rings)).collect();
        Some(Self { map, under, over, paths })
    }

    /// The map with marks.
    ///
    /// # Panics
    /// If something is marked that the atlas does not have.
    #[must_use]
    pub fn panel(&self, atlas: &Atlas, marks: &Marks) -> Panel {
        let mut drawing = Drawing::new();
        drawing.push(heading("Map"));
        let mut parts = Drawing::new();
        Marked { atlas, marks, chart: self }.draw(&mut parts);
        drawing.moved(0.0, TOP, parts);
        let regions = self.regions().map(|(site, _)| site.place).collect();
        Panel { drawing, width: self.map.size.0, height: TOP + self.map.size.1, regions }
    }

    fn regions(&self) -> impl Iterator<Item = (&Site, &str)> {
        let sites = self.map.sites.iter().zip(self.paths.iter().map(String::as_str));
        sites.filter(|(site, _)| site.kind == Kind::Region)
    }
}

/// The tiles of some regions of an atlas, of all if none are named, with marks; `None` if it has no tiles.
///
/// # Panics
/// If something is marked that the atlas does not have.
#[must_use]
pub fn tile_panel(atlas: &Atlas, shown: Set, marks: &Marks) -> Option<Panel> {
    tiles::panel(atlas, shown, marks)
}

fn heading(words: &str) -> Element {
    text_from(0.0, 11.0, words, 12.0, SOFT).bold()
}

/// The outlines of rings as one path in steps.
fn outline(rings: &[Ring]) -> String {
    let mut out = String::new();
    for ring in rings {
        let mut last = (0, 0);
        for (number, &(x, y)) in ring.iter().enumerate() {
            let (across, down) = (x - last.0, y - last.1);
            last = (x, y);
            let sign = match number {
                0 => "M",
                1 => "l",
                _ if across < 0 => "",
                _ => " ",
            };
            let gap = if down < 0 { "" } else { " " };
            let _ = write!(out, "{sign}{across}{gap}{down}");
        }
        out.push('z');
    }
    out
}

/// An area of a map, in steps: for a drawing that is scaled.
fn land(outline: &str, fill: &str, edge: &str, width: f64) -> Element {
    let area = path(outline, fill).with("fill-rule", "evenodd").with("stroke-linejoin", "round");
    area.with("stroke", edge).with("stroke-width", (width * STEPS).round())
}

impl Map {
    /// The sea, and land that the map is not about.
    fn draw_under(&self, out: &mut Drawing) {
        let (wide, high) = self.size;
        out.push(rect(0.0, 0.0, wide, high, SEA).with("stroke", FAINT));
        let elsewhere = self.sites.iter().filter(|site| site.kind == Kind::Outside).flat_map(|site| &site.rings);
        let mut parts = Drawing::new();
        let rings: Vec<Ring> = self.ground.iter().chain(elsewhere).cloned().collect();
        parts.push(land(&outline(&rings), ELSEWHERE, FAINT, 0.5));
        out.scaled(1.0 / STEPS, parts);
    }

    /// Lakes, bridges and frames: what is over the regions.
    fn draw_over(&self, out: &mut Drawing) {
        if !self.lakes.is_empty() {
            let mut parts = Drawing::new();
            parts.push(land(&outline(&self.lakes), SEA, FAINT, 0.4));
            out.scaled(1.0 / STEPS, parts);
        }
        for bridge in &self.bridges {
            draw_bridge(bridge.line, out);
        }
        for &[left, top, wide, high] in &self.frames {
            out.push(rect(left, top, wide, high, "none").with("stroke", BORDER).with("stroke-width", 0.7));
        }
    }
}

/// The sign of a bridge: two lines across the water whose ends bend away.
fn draw_bridge([(x, y), (u, v)]: [Point; 2], out: &mut Drawing) {
    const HALF: f64 = 3.2;
    const WIDE: f64 = 1.5;
    let away = distance((x, y), (u, v));
    let (across, down) = if away > 0.01 { ((u - x) / away, (v - y) / away) } else { (0.0, 1.0) };
    let middle = (f64::midpoint(x, u), f64::midpoint(y, v));
    let half = (away / 2.0).max(HALF);
    let at =
        |along: f64, aside: f64| (middle.0 + along * across - aside * down, middle.1 + along * down + aside * across);
    for side in [-1.0, 1.0] {
        let ends = [
            at(-half - 1.2, side * (WIDE + 1.4)),
            at(-half, side * WIDE),
            at(half, side * WIDE),
            at(half + 1.2, side * (WIDE + 1.4)),
        ];
        out.push(line(&ends, INK, 0.9));
    }
}

/// A map with what a table has to show on it.
struct Marked<'a> {
    atlas: &'a Atlas,
    marks: &'a Marks,
    chart: &'a Chart,
}

impl Marked<'_> {
    fn draw(&self, out: &mut Drawing) {
        out.add(self.chart.under.clone());
        let mut areas = Drawing::new();
        let mut regions: Vec<(&Site, &str)> = self.chart.regions().collect();
        // What has a thicker edge is above its neighbours.
        regions.sort_by_key(|(site, _)| self.rank(site.place));
        for (site, outline) in &regions {
            self.add(site, Drawing::from_iter([self.area(site, outline)]), &mut areas);
        }
        out.scaled(1.0 / STEPS, areas);
        out.add(self.chart.over.clone());
        self.draw_links(out);
        let sites: Vec<&Site> = regions.into_iter().map(|(site, _)| site).collect();
        for site in sites.iter().filter(|site| site.is_small()) {
            self.draw_dot(site, &sites, out);
        }
        self.draw_crossed(out);
        self.draw_labels(&sites, out);
    }

    /// Adds the drawing of a place.
    fn add(&self, site: &Site, parts: Drawing, out: &mut Drawing) {
        if self.marks.has_places {
            out.place(&place(self.atlas, site.place), parts);
        } else {
            out.add(parts);
        }
    }

    fn rank(&self, region: u8) -> u8 {
        let marks = self.marks;
        if marks.last == Some(region) {
            3
        } else if marks.possible.contains(region) {
            2
        } else {
            marks.colours(region).is_some().into()
        }
    }

    fn area(&self, site: &Site, outline: &str) -> Element {
        let fill = self.marks.colours(site.place).map_or(LAND, |colours| colours.pale);
        match self.rank(site.place) {
            3 => land(outline, fill, MARK, 2.0),
            2 => land(outline, fill, DARK, 1.6).with("stroke-dasharray", "40 25").with("data-legal", "region"),
            1 => land(outline, fill, INK, 0.8),
            _ => land(outline, fill, BORDER, 0.5),
        }
    }

    /// A region that is too small to be seen, as a dot, with a ground to be clicked.
    fn draw_dot(&self, site: &Site, others: &[&Site], out: &mut Drawing) {
        let (x, y) = site.at;
        let fill = self.marks.colours(site.place).map_or("#ffffff", |colours| colours.strong);
        let dot = circle(x, y, 2.6, fill);
        let dot = match self.rank(site.place) {
            3 => dot.with("stroke", MARK).with("stroke-width", 1.8),
            2 => dot.with("stroke", DARK).with("stroke-width", 1.4).with("data-legal", "region"),
            _ => dot.with("stroke", INK).with("stroke-width", 0.7),
        };
        let mut parts = Drawing::new();
        if self.marks.has_places {
            let small = others.iter().filter(|other| other.is_small() && other.place != site.place);
            let nearest = small.map(|other| distance(other.at, site.at)).fold(20.0, f64::min);
            parts.push(circle(x, y, (nearest / 2.0).clamp(3.0, 10.0), "#000000").with("fill-opacity", 0));
        }
        parts.push(dot);
        self.add(site, parts, out);
    }

    fn at(&self, place: u8) -> Option<Point> {
        self.chart.map.site(place).map(|site| site.at)
    }

    fn draw_links(&self, out: &mut Drawing) {
        for &(one, other) in &self.marks.links {
            let (Some(begin), Some(end)) = (self.at(one), self.at(other)) else { continue };
            // What is joined around the world is not joined on the map.
            if (begin.0 - end.0).abs() < self.chart.map.size.0 * 0.6 {
                out.push(line(&[begin, end], DARK, 1.2).with("opacity", 0.55));
            }
        }
    }

    fn draw_crossed(&self, out: &mut Drawing) {
        for (x, y) in self.marks.crossed.iter().filter_map(|place| self.at(place)) {
            out.push(polygon(&[(x, y - 5.0), (x + 5.0, y), (x, y + 5.0), (x - 5.0, y)], DARK));
        }
    }

    /// The names for which there is room: of what came last, lies, can be chosen or is held; then of all others.
    fn draw_labels(&self, sites: &[&Site], out: &mut Drawing) {
        let (wide, high) = self.chart.map.size;
        let mut labels = Labels::new(Area { left: 1.0, top: 1.0, right: wide - 1.0, bottom: high - 1.0 });
        for site in sites.iter().filter(|site| site.is_small()) {
            labels.keep_free(Area::around(site.at, 6.0, 6.0));
        }
        for at in self.marks.crossed.iter().filter_map(|place| self.at(place)) {
            labels.keep_free(Area::around(at, 10.0, 10.0));
        }
        for bridge in &self.chart.map.bridges {
            labels.keep_line(bridge.line);
        }
        for site in self.marks.crossed.iter().filter_map(|place| self.chart.map.site(place)) {
            let words = &self.atlas.place(site.place).abbreviation;
            let anchor = Anchor { at: site.at, reach: 0.0, beside: 7.0, has_leader: true };
            if let Some(label) = labels.write(words, LABEL, false, anchor) {
                out.extend(label.draw(words, LABEL, INK, LAND));
            }
        }
        let crossed = self.marks.crossed;
        let mut sites: Vec<&&Site> = sites.iter().filter(|site| !crossed.contains(site.place)).collect();
        let is_held = |place: u8| self.marks.held.contains(place);
        sites.sort_by_key(|site| (std::cmp::Reverse(self.rank(site.place)), !is_held(site.place)));
        for site in sites {
            let is_marked = self.rank(site.place) > 0;
            if self.marks.hides_names && !is_marked {
                continue;
            }
            let is_bold = is_held(site.place);
            let words = &self.atlas.place(site.place).abbreviation;
            let anchor = Anchor {
                at: site.at,
                reach: site.reach,
                beside: site.reach.clamp(5.0, 8.0),
                has_leader: is_marked || is_bold,
            };
            let Some(label) = labels.write(words, LABEL, is_bold, anchor) else { continue };
            let halo = self.marks.colours(site.place).map_or(LAND, |colours| colours.pale);
            let ink = if is_marked || is_bold { INK } else { SOFT };
            let weight = if is_bold { "bold" } else { "normal" };
            out.extend(label.draw(words, LABEL, ink, halo).into_iter().map(|part| part.with("font-weight", weight)));
        }
    }
}

/// The land of the world inside some edges, by a projection of the caller's: what is behind other things.
pub fn coast(kilometres: f64, edges: Area, project: impl Fn(LonLat) -> Point) -> Drawing {
    let outlines = Geography::Shipped(Shipped::WorldCountries).outlines(kilometres);
    let size = ring::step((edges.right - edges.left, edges.bottom - edges.top));
    let mut rings: Vec<Ring> = Vec::new();
    for ring in outlines.shapes.iter().flat_map(|shape| shape.polygons.iter().flatten()) {
        let mut points: Ring = Vec::new();
        for &arc in ring {
            let line = &outlines.arcs[number(arc)];
            let mut add = |point: &LonLat| {
                let (x, y) = project(*point);
                let step = ring::step((x - edges.left, y - edges.top));
                let is_far = |last: &(i32, i32)| (last.0 - step.0).abs().max((last.1 - step.1).abs()) > 5;
                if points.last().is_none_or(is_far) {
                    points.push(step);
                }
            };
            if arc < 0 { line.iter().rev().for_each(&mut add) } else { line.iter().for_each(&mut add) }
        }
        rings.extend(ring::clipped(points, size));
    }
    let mut parts = Drawing::new();
    parts.push(land(&outline(&rings), LAND, FAINT, 0.5));
    let mut scaled = Drawing::new();
    scaled.scaled(1.0 / STEPS, parts);
    let mut moved = Drawing::new();
    moved.moved(edges.left, edges.top, scaled);
    moved
}

#[cfg(test)]
mod tests {
    use super::{Chart, Colours, Marks, place, region, tile_panel, water};
    use crate::atlas::{Atlas, Source};
    use crate::set::Set;

    #[test]
    fn what_can_be_chosen_is_there_only_if_it_is_asked_for() {
        for source in [Source::UkCounties, Source::UsStates] {
            let atlas = Atlas::new(&source).unwrap();
            let colours = Colours { strong: "#000000", pale: "#ffffff" };
            let marks = Marks { coloured: vec![(0, colours)], ..Marks::default() };
            let chart = Chart::new(&atlas, Set::EMPTY).unwrap();
            let count = |marks: &Marks| chart.panel(&atlas, marks).drawing.into_picture(1.0, 1.0, "").places().len();
            assert_eq!(count(&marks), 0);
            assert!(count(&Marks { has_places: true, ..marks }) >= atlas.num_regions());
        }
        assert!(tile_panel(&Atlas::new(&Source::UsStates).unwrap(), Set::EMPTY, &Marks::default()).is_none());
    }

    #[test]
    fn regions_and_waters_are_told_apart() {
        let uk = Atlas::new(&Source::UkCounties).unwrap();
        assert_eq!(place(&uk, uk.find("Kent").unwrap()), region("Kent"));
        assert_eq!(place(&uk, uk.find("irish sea").unwrap()), water("Irish Sea"));
    }
}
