//! From degrees to a sheet: which projection, which part of the plane, what in frames of its own.

use crate::atlas::Atlas;
use crate::atlas::geography::{Geography, Inset};
use crate::atlas::outlines::{LonLat, Outlines};
use crate::atlas::projection::{Projection, around};
use crate::drawing::{Point, tenth};
use crate::set::Set;

/// What is where it belongs.
pub(super) const MAIN: usize = 0;
/// What is kept free around all, as a part of the longer side.
const MARGIN: f64 = 0.025;
/// A polygon that is smaller than so much of the largest one of its region does not make a map larger.
const OUTLYING: f64 = 0.12;
/// Degrees from the middle: what reaches farther is drawn as the whole world.
const WIDE: f64 = 75.0;
/// The cosine of the degrees from the middle beyond which the globe cannot be seen from there.
const FAR: f64 = -0.64;
/// The least kilometres that a map shows.
const LEAST: f64 = 60.0;
/// What is kept free in a frame, in kilometres on the sheet's scale, as a part of its longer side.
const FRAME: f64 = 0.06;

/// How a part of the globe is drawn: all of it where it is, or moved.
struct Sector {
    projection: Projection,
    /// The regions that are drawn so.
    members: Set,
    scale: f64,
    /// What the plane is moved by, in kilometres, after it was scaled.
    offset: Point,
    /// The box that the members take, in kilometres.
    area: Area,
}

/// A box in kilometres.
#[derive(Clone, Copy, Debug)]
struct Area {
    left: f64,
    top: f64,
    right: f64,
    bottom: f64,
}

impl Area {
    const NOTHING: Self =
        Self { left: f64::INFINITY, top: f64::INFINITY, right: f64::NEG_INFINITY, bottom: f64::NEG_INFINITY };

    fn around(points: impl Iterator<Item = Point>) -> Self {
        points.fold(Self::NOTHING, |area, (x, y)| area.with(Self { left: x, top: y, right: x, bottom: y }))
    }

    fn with(self, other: Self) -> Self {
        Self {
            left: self.left.min(other.left),
            top: self.top.min(other.top),
            right: self.right.max(other.right),
            bottom: self.bottom.max(other.bottom),
        }
    }

    fn within(self, other: Self) -> Self {
        Self {
            left: self.left.max(other.left),
            top: self.top.max(other.top),
            right: self.right.min(other.right),
            bottom: self.bottom.min(other.bottom),
        }
    }

    fn grown(self, by: f64) -> Self {
        Self { left: self.left - by, top: self.top - by, right: self.right + by, bottom: self.bottom + by }
    }

    fn size(self) -> Point {
        (self.right - self.left, self.bottom - self.top)
    }

    fn longer(self) -> f64 {
        let (wide, high) = self.size();
        wide.max(high)
    }
}

/// A sheet for a part of an atlas.
pub(super) struct Plane {
    sectors: Vec<Sector>,
    area: Area,
    /// Units for a kilometre.
    scale: f64,
}

impl Plane {
    /// A sheet for some regions, at most so wide and high, if it is known where one of them is.
    pub fn new(atlas: &Atlas, shown: Set, most: Point) -> Option<Self> {
        let geography = atlas.geography();
        let outlines = geography.map(|geography| geography.outlines(f64::INFINITY));
        let land = Land { atlas, outlines: outlines.as_deref(), regions: Vec::new() }.found();
        let known: Set = shown.iter().filter(|&region| land.is_known(region)).collect();
        if known.is_empty() {
            return None;
        }
        let (middle, reach) = middle(&known.iter().flat_map(|region| land.points(region)).collect::<Vec<_>>());
        let nation = atlas.nations().into_iter().find(|nation| (shown - atlas.of_nation(nation)).is_empty());
        let is_whole = nation.is_none() && reach > WIDE;
        // What lies beyond the ends of its nation is shown where it is.
        let has_middle = |&[west, south, east, north]: &[f64; 4]| {
            let lon = west + (middle[0] - west).rem_euclid(360.0);
            is_whole || (lon <= east && (south..=north).contains(&middle[1]))
        };
        let ends = geography.and_then(|geography| match nation {
            Some(nation) => geography.ends(Some(nation)),
            None => geography.ends(None).filter(|_| is_whole),
        });
        let ends = ends.filter(has_middle);
        let middle =
            ends.map_or(middle, |[west, south, east, north]| [f64::midpoint(west, east), f64::midpoint(south, north)]);
        let projection = match geography {
            Some(geography) => geography.projection(is_whole, middle),
            None if is_whole => Projection::EqualEarth { lon: middle[0] },
            None => Projection::Azimuthal { middle },
        };
        let insets = geography.map_or(&[][..], Geography::insets);
        let sectors = land.sectors(projection, insets, known);
        let main = ends.map_or(sectors[MAIN].area, |ends| {
            let ends = Area::around(rim(ends).map(|point| projection.project(point)));
            if is_whole { ends } else { sectors[MAIN].area.within(ends) }
        });
        let short = (LEAST - main.longer()).max(0.0) / 2.0;
        let margin = if is_whole && ends.is_some() { 0.0 } else { short + MARGIN * main.longer() };
        let frames = sectors[1..].iter().map(|sector| sector.frame().grown(MARGIN / 2.0 * main.longer()));
        let area = frames.fold(main.grown(margin), Area::with);
        let (wide, high) = area.size();
        let scale = (most.0 / wide).min(most.1 / high);
        Some(Self { sectors, area, scale })
    }

    /// Width and height in units.
    pub fn size(&self) -> Point {
        let (wide, high) = self.area.size();
        (tenth(wide * self.scale), tenth(high * self.scale))
    }

    /// How many kilometres a unit is.
    pub fn kilometres(&self) -> f64 {
        1.0 / self.scale
    }

    /// The sector in which a region is drawn.
    pub fn home(&self, region: u8) -> usize {
        self.sectors.iter().position(|sector| sector.members.contains(region)).unwrap_or(MAIN)
    }

    /// Where a point is in units.
    pub fn point(&self, home: usize, [lon, lat]: LonLat) -> Point {
        let sector = &self.sectors[home];
        let meridian = sector.projection.meridian();
        self.placed(sector, [meridian + around(lon - meridian), lat])
    }

    /// Whether a point is on the side of the globe that can be drawn.
    pub fn is_near(&self, home: usize, [lon, lat]: LonLat) -> bool {
        let Projection::Azimuthal { middle } = self.sectors[home].projection else { return true };
        let [up, south] = [lat, middle[1]].map(f64::to_radians);
        let near = south.sin() * up.sin() + south.cos() * up.cos() * (lon - middle[0]).to_radians().cos();
        near > FAR
    }

    /// Where the points of a line are in units; it stays together at the edge of the world.
    pub fn points(&self, home: usize, line: impl Iterator<Item = LonLat>) -> Vec<Point> {
        let sector = &self.sectors[home];
        unrolled(line, sector.projection.meridian()).map(|point| self.placed(sector, point)).collect()
    }

    fn placed(&self, sector: &Sector, point: LonLat) -> Point {
        let (x, y) = sector.placed(point);
        ((x - self.area.left) * self.scale, (y - self.area.top) * self.scale)
    }

    /// The frames around what is drawn apart: left, top, width, height in units.
    pub fn frames(&self) -> Vec<[f64; 4]> {
        let frame = |sector: &Sector| {
            let area = sector.frame();
            let (wide, high) = area.size();
            [area.left - self.area.left, area.top - self.area.top, wide, high].map(|value| tenth(value * self.scale))
        };
        self.sectors[1..].iter().map(frame).collect()
    }
}

impl Sector {
    fn placed(&self, point: LonLat) -> Point {
        let (x, y) = self.projection.project(point);
        (x * self.scale + self.offset.0, y * self.scale + self.offset.1)
    }

    fn frame(&self) -> Area {
        self.area.grown(FRAME * self.area.longer())
    }
}

/// A line whose longitudes do not jump, near a meridian.
fn unrolled(line: impl Iterator<Item = LonLat>, meridian: f64) -> impl Iterator<Item = LonLat> {
    let mut last: Option<f64> = None;
    let points: Vec<LonLat> = line
        .map(|[lon, lat]| {
            let lon = last.map_or(lon, |last| last + around(lon - last));
            last = Some(lon);
            [lon, lat]
        })
        .collect();
    let (low, high) =
        points.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), [lon, _]| (low.min(*lon), high.max(*lon)));
    let turns = ((meridian - f64::midpoint(low, high)) / 360.0).round() * 360.0;
    points.into_iter().map(move |[lon, lat]| [lon + turns, lat])
}

/// The middle of some points of the globe, and how many degrees the farthest one is from it.
fn middle(points: &[LonLat]) -> (LonLat, f64) {
    let vector = |[lon, lat]: LonLat| {
        let (lon, lat) = (lon.to_radians(), lat.to_radians());
        [lat.cos() * lon.cos(), lat.cos() * lon.sin(), lat.sin()]
    };
    let sum = points.iter().copied().map(vector).fold([0.0, 0.0, 0.0], |[x, y, z], [u, v, w]| [x + u, y + v, z + w]);
    let [x, y, z] = sum;
    let length = x.hypot(y).hypot(z).max(1e-9);
    let near = |point: LonLat| {
        let common: f64 = vector(point).iter().zip(sum).map(|(one, other)| one * other).sum();
        (common / length).clamp(-1.0, 1.0).acos().to_degrees()
    };
    let far = points.iter().copied().map(near).fold(0.0, f64::max);
    ([y.atan2(x).to_degrees(), (z / length).asin().to_degrees()], far)
}

/// Points along the edges of a box in degrees.
fn rim([west, south, east, north]: [f64; 4]) -> impl Iterator<Item = LonLat> {
    (0..=32).flat_map(move |step| {
        let part = f64::from(step) / 32.0;
        let (lon, lat) = (west + part * (east - west), south + part * (north - south));
        [[lon, south], [lon, north], [west, lat], [east, lat]]
    })
}

/// The region that each shape is, if the atlas has it.
pub(super) fn regions(atlas: &Atlas, outlines: &Outlines) -> Vec<Option<u8>> {
    let mut taken = Set::EMPTY;
    let mut region = |names: &[String]| {
        let found = names.iter().find_map(|name| atlas.find_region(name)).filter(|&region| !taken.contains(region))?;
        taken.insert(found);
        Some(found)
    };
    outlines.shapes.iter().map(|shape| region(&shape.names)).collect()
}

/// What is known about where regions are.
struct Land<'a> {
    atlas: &'a Atlas,
    outlines: Option<&'a Outlines>,
    /// The shape of every region that has one.
    regions: Vec<Option<usize>>,
}

impl Land<'_> {
    fn found(mut self) -> Self {
        self.regions = vec![None; self.atlas.num_regions()];
        if let Some(outlines) = self.outlines {
            for (shape, region) in regions(self.atlas, outlines).into_iter().enumerate() {
                if let Some(region) = region {
                    self.regions[usize::from(region)] = Some(shape);
                }
            }
        }
        self
    }

    fn is_known(&self, region: u8) -> bool {
        self.regions[usize::from(region)].is_some() || self.atlas.site(region).is_some()
    }

    /// The outer rings of a region that are at least such a part of the largest one, in degrees; its point if it has
    /// none.
    fn rings(&self, region: u8, least: f64) -> Vec<Vec<LonLat>> {
        let (Some(outlines), Some(shape)) = (self.outlines, self.regions[usize::from(region)]) else {
            let site = self.atlas.site(region);
            return site.map(|site| vec![[site.lon, site.lat]]).into_iter().collect();
        };
        let outer = outlines.shapes[shape].polygons.iter().filter_map(|rings| rings.first());
        let line = |&arc: &i32| {
            let points = outlines.arcs[crate::atlas::outlines::number(arc)].iter().copied();
            if arc < 0 { points.rev().collect::<Vec<_>>() } else { points.collect() }
        };
        let rings: Vec<Vec<LonLat>> = outer.map(|ring| ring.iter().flat_map(line).collect()).collect();
        let largest = rings.iter().map(|ring| rough_area(ring)).fold(0.0, f64::max);
        rings.into_iter().filter(|ring| rough_area(ring) >= least * largest).collect()
    }

    fn points(&self, region: u8) -> impl Iterator<Item = LonLat> + use<> {
        let points: Vec<LonLat> = self.rings(region, OUTLYING).into_iter().flatten().collect();
        let every = points.len().div_ceil(24).max(1);
        points.into_iter().step_by(every)
    }

    /// How regions are drawn: in their place first, then what is drawn apart, if there is something besides.
    fn sectors(&self, projection: Projection, insets: &[Inset], shown: Set) -> Vec<Sector> {
        let named = |inset: &Inset| inset.ids.iter().filter_map(|id| self.atlas.find_region(id)).collect::<Set>();
        let apart = insets.iter().fold(Set::EMPTY, |all, inset| all | named(inset));
        let is_apart = !(shown - apart).is_empty();
        let mut sectors = vec![Sector {
            projection,
            members: if is_apart { Set::ALL - apart } else { Set::ALL },
            scale: 1.0,
            offset: (0.0, 0.0),
            area: Area::NOTHING,
        }];
        if let Some(inset) = insets.iter().find(|inset| !is_apart && (shown - named(inset)).is_empty()) {
            sectors[MAIN].projection = inset.projection;
        }
        for inset in insets.iter().filter(|inset| is_apart && named(inset).meets(shown)) {
            let (members, projection, scale) = (named(inset), inset.projection, inset.scale);
            let mut sector = Sector { projection, members, scale, offset: (0.0, 0.0), area: Area::NOTHING };
            let area = self.area(&sector, members & shown, 0.0);
            let (x, y) = (f64::midpoint(area.left, area.right), f64::midpoint(area.top, area.bottom));
            sector.offset = (inset.middle.0 - x, inset.middle.1 - y);
            sector.area = self.area(&sector, members & shown, 0.0);
            sectors.push(sector);
        }
        sectors[MAIN].area = self.area(&sectors[MAIN], shown & sectors[MAIN].members, OUTLYING);
        sectors
    }

    fn area(&self, sector: &Sector, regions: Set, least: f64) -> Area {
        let rings = regions.iter().flat_map(|region| self.rings(region, least));
        let meridian = sector.projection.meridian();
        Area::around(rings.flat_map(|ring| {
            unrolled(ring.into_iter(), meridian).map(|point| sector.placed(point)).collect::<Vec<_>>()
        }))
    }
}

/// How large a ring in degrees is, roughly.
fn rough_area(ring: &[LonLat]) -> f64 {
    let last = ring.last().copied().unwrap_or_default();
    let previous = std::iter::once(&last).chain(ring);
    let sum: f64 = previous.zip(ring).map(|([x, y], [u, v])| around(u - x) * f64::midpoint(*y, *v)).sum();
    sum.abs() * last[1].to_radians().cos()
}
