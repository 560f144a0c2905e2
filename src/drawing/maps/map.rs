//! A part of an atlas on a sheet: where every region is, as whole numbers that neighbours share.

use std::collections::{HashMap, HashSet};

use serde::ser::{SerializeMap as _, SerializeStruct as _};
use serde::{Serialize, Serializer};

use super::plane::{self, Plane};
use super::ring::{self, Ring, STEPS};
use crate::atlas::Atlas;
use crate::atlas::outlines::{self, LonLat, Outlines};
use crate::drawing::{Area, Point, distance, tenth};
use crate::set::Set;

/// What is nearer than so many units is one point.
const FINE: f64 = 0.6;
/// A region in which no larger circle fits can hardly be seen.
const SMALL: f64 = 1.8;
/// Rings that are smaller than so many units are left out, unless nothing is left.
const SPECK: f64 = 1.2;
/// The least size of an area on which a border hangs, and how many points such an area has at most.
const LEAST: f64 = 1.2;
const MANY: usize = 400;
/// How far the points of waters keep away from edges and from each other.
const APART: f64 = 16.0;

/// How far outside the map the middle of a water may be, and how far from where it should be it may be shown, as parts
/// of the map's longer side.
const REMOTE: f64 = 0.5;
const ASIDE: f64 = 0.14;

/// What a place is on a map.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// One of the regions that the map is about.
    Region,
    /// Another region of the atlas that is in the picture.
    Outside,
    /// A water or an outside country: a point.
    Water,
}

/// A place on a map.
#[derive(Clone, PartialEq, Debug)]
pub struct Site {
    /// Its number in the atlas.
    pub place: u8,
    /// What it is here.
    pub kind: Kind,
    /// Its outlines; none for a point.
    pub rings: Vec<Ring>,
    /// A point well inside.
    pub at: Point,
    /// How far that is from its outlines.
    pub reach: f64,
}

impl Site {
    /// Whether it is too small to be seen: it is shown as a dot as well.
    #[must_use]
    pub fn is_small(&self) -> bool {
        self.reach < SMALL
    }
}

/// A border that does not run on land: where the two come nearest.
#[derive(Clone, PartialEq, Debug)]
pub struct Bridge {
    /// The regions.
    pub between: [u8; 2],
    /// From the one to the other.
    pub line: [Point; 2],
}

/// A map of a part of an atlas.
#[derive(Clone, PartialEq, Debug)]
pub struct Map {
    /// Width and height, in units of the picture.
    pub size: (f64, f64),
    /// The places on it, in the order of the atlas.
    pub sites: Vec<Site>,
    /// Land that is no place.
    pub ground: Vec<Ring>,
    /// What is laid over the places.
    pub lakes: Vec<Ring>,
    /// Borders that do not run on land.
    pub bridges: Vec<Bridge>,
    /// Frames around what is not where it belongs: left, top, width, height.
    pub frames: Vec<[f64; 4]>,
}

impl Map {
    /// A map of some regions, of all if none are named, at most so wide and high; `None` if the atlas says neither
    /// where they are nor what they look like.
    #[must_use]
    pub fn new(atlas: &Atlas, shown: Set, most: (f64, f64)) -> Option<Self> {
        let all = Set::below(atlas.num_regions());
        let shown = if (shown & all).is_empty() { all } else { shown & all };
        let plane = Plane::new(atlas, shown, most)?;
        let mut map = Self {
            size: plane.size(),
            sites: Vec::new(),
            ground: Vec::new(),
            lakes: Vec::new(),
            bridges: Vec::new(),
            frames: plane.frames(),
        };
        if let Some(geography) = atlas.geography() {
            Drafting { atlas, shown, plane: &plane, outlines: &geography.outlines(plane.kilometres()) }.draw(&mut map);
        }
        for place in shown.iter().filter(|&place| map.site(place).is_none()).collect::<Vec<_>>() {
            map.add_point(atlas, place, Kind::Region, &plane);
        }
        map.sites.sort_by_key(|site| site.place);
        map.add_waters(atlas, shown, &plane);
        Some(map)
    }

    /// A place on the map.
    #[must_use]
    pub fn site(&self, place: u8) -> Option<&Site> {
        self.sites.iter().find(|site| site.place == place)
    }

    fn add_point(&mut self, atlas: &Atlas, place: u8, kind: Kind, sheet: &Plane) {
        let Some(site) = atlas.site(place) else { return };
        let at = sheet.point(sheet.home(place), [site.lon, site.lat]);
        if at.0 >= 0.0 && at.1 >= 0.0 && at.0 <= self.size.0 && at.1 <= self.size.1 {
            self.sites.push(Site { place, kind, rings: Vec::new(), at, reach: 0.0 });
        }
    }

    /// The waters that regions of the map touch, in their middle or where else the sea is on the map.
    fn add_waters(&mut self, atlas: &Atlas, shown: Set, sheet: &Plane) {
        let touched = shown.iter().fold(Set::EMPTY, |all, region| all | atlas.near(region));
        let waters = touched.iter().filter(|&place| usize::from(place) >= atlas.num_regions());
        let free = self.open_sea();
        let mut taken: Vec<Point> = Vec::new();
        for place in waters {
            let Some(site) = atlas.site(place) else { continue };
            let wanted = sheet.point(plane::MAIN, [site.lon, site.lat]);
            let edge = Area { left: 0.0, top: 0.0, right: self.size.0, bottom: self.size.1 };
            let far = |at: &Point| distance(*at, edge.nearest(wanted));
            let longer = self.size.0.max(self.size.1);
            let is_apart = |at: &&Point| taken.iter().all(|other| distance(**at, *other) > APART);
            let is_open = self.has(wanted) && is_apart(&&wanted) && !self.is_land(wanted);
            let nearest = free.iter().filter(is_apart).min_by(|one, other| far(one).total_cmp(&far(other)));
            let at = if is_open { Some(&wanted) } else { nearest };
            let is_here = distance(wanted, edge.nearest(wanted)) < REMOTE * longer;
            let Some(&at) = at.filter(|at| is_here && far(at) < ASIDE * longer) else { continue };
            taken.push(at);
            self.sites.push(Site { place, kind: Kind::Water, rings: Vec::new(), at, reach: 0.0 });
        }
    }

    /// Whether a point is on the map, and not at its very edge.
    fn has(&self, (x, y): Point) -> bool {
        let edge = APART / 2.0;
        x > edge && y > edge && x < self.size.0 - edge && y < self.size.1 - edge
    }

    fn is_land(&self, at: Point) -> bool {
        self.sites.iter().any(|site| ring::contains(&site.rings, at))
    }

    /// Points all over the map where no land of the atlas is.
    fn open_sea(&self) -> Vec<Point> {
        const ACROSS: i32 = 24;
        let (wide, high) = (self.size.0 - 2.0 * APART, self.size.1 - 2.0 * APART);
        let rings = self.sites.iter().flat_map(|site| &site.rings);
        let boxed: Vec<(Area, &Ring)> = rings.map(|outline| (ring::area(outline), outline)).collect();
        let grid = (0..=ACROSS).flat_map(|x| (0..=ACROSS).map(move |y| (x, y)));
        let point = |(x, y): (i32, i32)| {
            let part = |n: i32| f64::from(n) / f64::from(ACROSS);
            (tenth(APART + part(x) * wide), tenth(APART + part(y) * high))
        };
        let in_frame = |&(x, y): &Point| {
            let inside = |[left, top, wide, high]: &[f64; 4]| {
                x > left - APART && y > top - APART && x < left + wide + APART && y < top + high + APART
            };
            self.frames.iter().any(inside)
        };
        let is_near = |at: Point, (area, outline): &(Area, &Ring)| {
            distance(at, area.nearest(at)) < APART / 2.0 && ring::is_near(outline, at, APART / 2.0)
        };
        let is_free = |at: &Point| !in_frame(at) && !boxed.iter().any(|outline| is_near(*at, outline));
        grid.map(point).filter(is_free).collect()
    }

    /// The map as plain data.
    #[must_use]
    pub fn data<'a>(&'a self, atlas: &'a Atlas) -> impl Serialize + use<'a> {
        Data { map: self, atlas }
    }
}

/// What a map is drawn from.
struct Drafting<'a> {
    atlas: &'a Atlas,
    shown: Set,
    plane: &'a Plane,
    outlines: &'a Outlines,
}

impl Drafting<'_> {
    fn draw(&self, map: &mut Map) {
        let regions: Vec<Option<u8>> = plane::regions(self.atlas, self.outlines);
        let lines = self.lines(&regions);
        for (shape, &region) in self.outlines.shapes.iter().zip(&regions) {
            let home = region.map_or(plane::MAIN, |region| self.plane.home(region));
            let mut rings: Vec<Ring> = Vec::new();
            for polygon in &shape.polygons {
                let is_needed = polygon.iter().flatten().any(|&arc| lines.users[outlines::number(arc)] > 1);
                let drawn = polygon.iter().filter_map(|ring| self.ring(ring, home, &lines));
                rings.extend(drawn.filter(|ring| is_needed || ring::extent(ring) >= SPECK));
            }
            let Some(region) = region else {
                map.ground.extend(rings);
                continue;
            };
            if rings.is_empty() {
                // All of it is specks, or it is not in the picture.
                let largest = shape.polygons.iter().filter_map(|polygon| polygon.first());
                rings.extend(
                    largest
                        .filter_map(|ring| self.ring(ring, home, &lines))
                        .max_by(|one, other| ring::extent(one).total_cmp(&ring::extent(other))),
                );
            }
            if rings.is_empty() {
                continue;
            }
            let (at, reach) = ring::pole(&rings);
            let kind = if self.shown.contains(region) { Kind::Region } else { Kind::Outside };
            map.sites.push(Site { place: region, kind, rings, at, reach });
        }
        let lakes = self.outlines.lakes.iter();
        map.lakes = lakes.filter_map(|ring| self.ring(ring, plane::MAIN, &lines)).collect();
        self.add_bridges(&regions, map);
    }

    /// What of every line is drawn, and what is moved.
    fn lines(&self, regions: &[Option<u8>]) -> Lines {
        let count = self.outlines.arcs.len();
        let (mut homes, mut users) = (vec![plane::MAIN; count], vec![0; count]);
        for (shape, region) in self.outlines.shapes.iter().zip(regions) {
            let home = region.map_or(plane::MAIN, |region| self.plane.home(region));
            for arc in shape.polygons.iter().flatten().flatten().map(|&arc| outlines::number(arc)) {
                homes[arc] = home;
                users[arc] += usize::from(region.is_some());
            }
        }
        let (tiny, mut moved) = self.enlarged(&users, &homes);
        let thin = |(number, arc): (usize, &Vec<LonLat>)| {
            if tiny.contains(&number) {
                return (0..arc.len()).collect();
            }
            let points: Vec<Point> = self.plane.points(homes[number], arc.iter().copied());
            let mut kept = vec![0];
            let mut last = points[0];
            for (number, &point) in points.iter().enumerate().take(points.len() - 1).skip(1) {
                if distance(point, last) >= FINE {
                    kept.push(number);
                    last = point;
                }
            }
            kept.push(points.len() - 1);
            kept
        };
        let kept: Vec<Vec<usize>> = self.outlines.arcs.iter().enumerate().map(thin).collect();
        self.keep_apart(&users, &kept, &mut moved);
        Lines { kept, users, moved }
    }

    /// The arcs of small polygons on which a border hangs, and where their points are if they would hardly be drawn.
    fn enlarged(&self, users: &[usize], homes: &[usize]) -> (HashSet<usize>, Moved) {
        let (mut tiny, mut moved) = (HashSet::new(), Moved::new());
        for ring in self.outlines.shapes.iter().flat_map(|shape| &shape.polygons).filter_map(|rings| rings.first()) {
            let arcs: Vec<usize> = ring.iter().map(|&arc| outlines::number(arc)).collect();
            let is_short = arcs.iter().map(|&arc| self.outlines.arcs[arc].len()).sum::<usize>() < MANY;
            if !is_short || arcs.iter().all(|&arc| users[arc] < 2) {
                continue;
            }
            let degrees: Vec<LonLat> = arcs.iter().flat_map(|&arc| self.outlines.arcs[arc].iter().copied()).collect();
            let points = self.plane.points(homes[arcs[0]], degrees.iter().copied());
            let area =
                points.iter().fold([f64::MAX, f64::MAX, f64::MIN, f64::MIN], |[left, top, right, low], &(x, y)| {
                    [left.min(x), top.min(y), right.max(x), low.max(y)]
                });
            let size = (area[2] - area[0]).max(area[3] - area[1]);
            if size < 2.0 * LEAST {
                tiny.extend(arcs);
            }
            if size >= LEAST {
                continue;
            }
            let middle = (f64::midpoint(area[0], area[2]), f64::midpoint(area[1], area[3]));
            let larger = |value: f64, middle: f64| middle + (value - middle) * LEAST / size.max(1e-6);
            for (at, (x, y)) in degrees.iter().zip(points) {
                moved.insert(bits(*at), ring::step((larger(x, middle.0), larger(y, middle.1))));
            }
        }
        (tiny, moved)
    }

    /// Moves the ends of lines between regions that would be one point: the second by a step.
    fn keep_apart(&self, users: &[usize], kept: &[Vec<usize>], moved: &mut Moved) {
        for (number, arc) in self.outlines.arcs.iter().enumerate().filter(|(number, _)| users[*number] > 1) {
            let (first, last) = (arc[0], arc[arc.len() - 1]);
            if kept[number].len() > 2 || bits(first) == bits(last) {
                continue;
            }
            let [begin, end] = [first, last].map(|at| {
                moved.get(&bits(at)).copied().unwrap_or_else(|| ring::step(self.plane.point(plane::MAIN, at)))
            });
            if begin == end {
                let (across, down) = (last[0] - first[0], first[1] - last[1]);
                let by = if across.abs() > down.abs() { (sign(across), 0) } else { (0, sign(down)) };
                moved.insert(bits(last), (end.0 + by.0, end.1 + by.1));
            }
        }
    }

    /// A ring as it is drawn: inside the picture; `None` if nothing of it is.
    fn ring(&self, ring: &[i32], home: usize, lines: &Lines) -> Option<Ring> {
        let mut degrees: Vec<LonLat> = Vec::new();
        for &number in ring {
            let (arc, kept) = (&self.outlines.arcs[outlines::number(number)], &lines.kept[outlines::number(number)]);
            let points = kept.iter().map(|&at| arc[at]);
            degrees.extend(if number < 0 {
                points.rev().skip(1).collect::<Vec<_>>()
            } else {
                points.skip(1).collect()
            });
        }
        if !degrees.iter().all(|&point| self.plane.is_near(home, point)) {
            return None;
        }
        let points = self.plane.points(home, degrees.iter().copied());
        let steps = degrees
            .iter()
            .zip(points)
            .map(|(at, point)| lines.moved.get(&bits(*at)).copied().unwrap_or_else(|| ring::step(point)));
        ring::clipped(steps.collect(), ring::step(self.plane.size()))
    }

    fn add_bridges(&self, regions: &[Option<u8>], map: &mut Map) {
        let touching = self.outlines.touching();
        let numbers: HashMap<u8, usize> =
            regions.iter().enumerate().filter_map(|(shape, region)| Some((((*region)?), shape))).collect();
        let is_touching = |one: u8, other: u8| {
            let (Some(&one), Some(&other)) = (numbers.get(&one), numbers.get(&other)) else { return true };
            touching.contains(&(one.min(other), one.max(other)))
        };
        for (number, one) in map.sites.iter().enumerate() {
            for other in &map.sites[number + 1..] {
                let is_border = self.atlas.near(one.place).contains(other.place);
                let is_shown = [one, other].iter().any(|site| site.kind == Kind::Region);
                if is_border && is_shown && !is_touching(one.place, other.place) {
                    let line = ring::nearest(&one.rings, &other.rings);
                    map.bridges.push(Bridge { between: [one.place, other.place], line });
                }
            }
        }
    }
}

/// Where points are drawn that are not drawn where they are, by their degrees.
type Moved = HashMap<[u64; 2], (i32, i32)>;

/// How the lines of outlines are drawn.
struct Lines {
    /// The points of each that are drawn.
    kept: Vec<Vec<usize>>,
    /// How many regions' outlines use each.
    users: Vec<usize>,
    moved: Moved,
}

fn bits(point: LonLat) -> [u64; 2] {
    point.map(f64::to_bits)
}

fn sign(value: f64) -> i32 {
    if value < 0.0 { -1 } else { 1 }
}

struct Data<'a> {
    map: &'a Map,
    atlas: &'a Atlas,
}

impl Serialize for Data<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let map = self.map;
        let mut fields = serializer.serialize_struct("Map", 6)?;
        fields.serialize_field("size", &[map.size.0, map.size.1])?;
        fields.serialize_field("places", &Places(self))?;
        fields.serialize_field("ground", &map.ground.iter().map(Steps).collect::<Vec<_>>())?;
        fields.serialize_field("lakes", &map.lakes.iter().map(Steps).collect::<Vec<_>>())?;
        fields.serialize_field(
            "bridges",
            &map.bridges.iter().map(|bridge| (self, bridge)).map(Spans).collect::<Vec<_>>(),
        )?;
        fields.serialize_field("frames", &map.frames)?;
        fields.end()
    }
}

struct Places<'a>(&'a Data<'a>);

impl Serialize for Places<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Data { map, atlas } = self.0;
        let mut places = serializer.serialize_map(Some(map.sites.len()))?;
        for site in &map.sites {
            places.serialize_entry(&atlas.place(site.place).id, &Place(site))?;
        }
        places.end()
    }
}

struct Place<'a>(&'a Site);

impl Serialize for Place<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let site = self.0;
        let mut fields = serializer.serialize_struct("Place", 5)?;
        fields.serialize_field("kind", &site.kind)?;
        fields.serialize_field("rings", &site.rings.iter().map(Steps).collect::<Vec<_>>())?;
        fields.serialize_field("at", &[site.at.0, site.at.1].map(tenth))?;
        fields.serialize_field("reach", &tenth(site.reach))?;
        fields.serialize_field("small", &site.is_small())?;
        fields.end()
    }
}

struct Spans<'a>((&'a Data<'a>, &'a Bridge));

impl Serialize for Spans<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (data, bridge) = self.0;
        let mut fields = serializer.serialize_struct("Bridge", 2)?;
        fields.serialize_field("between", &bridge.between.map(|place| &*data.atlas.place(place).id))?;
        fields.serialize_field("line", &bridge.line.map(|(x, y)| [tenth(x), tenth(y)]))?;
        fields.end()
    }
}

/// A ring as its first point, then differences.
struct Steps<'a>(&'a Ring);

impl Serialize for Steps<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut last = (0, 0);
        let steps = self.0.iter().flat_map(|&(x, y)| {
            let step = [x - last.0, y - last.1];
            last = (x, y);
            step
        });
        serializer.collect_seq(steps.collect::<Vec<i32>>())
    }
}

const _: () = assert!(STEPS == 10.0, "data of maps are in tenths");
