//! Outlines of regions: lines that neighbours share, from `TopoJSON` or `GeoJSON`.

use std::collections::{BTreeMap, HashMap, HashSet};

use serde::Deserialize;
use serde_json::Value;

/// Longitude and latitude in degrees.
pub type LonLat = [f64; 2];

/// The most points that an atlas may have.
const MAX_POINTS: usize = 2_000_000;
/// Points of `GeoJSON` that are nearer than one of so many parts of a degree are one point.
const GRID: f64 = 1e7;
/// Shapes that are laid over the regions.
const LAKES: &str = "lakes";

/// The outlines of regions, of land that is no region, and of lakes.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Outlines {
    /// Lines between two points where at least three areas meet, or round an area that has no such point.
    pub arcs: Vec<Vec<LonLat>>,
    /// The areas.
    pub shapes: Vec<Shape>,
    /// What is laid over them.
    pub lakes: Vec<Ring>,
}

/// An area: its polygons, each an outer ring and the holes in it.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Shape {
    /// What it is called: ids and names, the first that an atlas knows counts.
    pub names: Vec<String>,
    /// Rings, outer rings first in every polygon.
    pub polygons: Vec<Vec<Ring>>,
}

/// A closed line: arcs one after the other. A negative number `!n` is arc `n` backwards.
pub type Ring = Vec<i32>;

impl Outlines {
    /// Reads `TopoJSON` or `GeoJSON`, or says what is wrong with it.
    pub fn read(value: &Value) -> Result<Self, String> {
        let kind = value.get("type").and_then(Value::as_str).unwrap_or_default();
        let wrong = |error: serde_json::Error| format!("outlines: {error}");
        let outlines = match kind {
            "Topology" => Topology::deserialize(value).map_err(wrong)?.outlines()?,
            "FeatureCollection" => joined(&Features::deserialize(value).map_err(wrong)?)?,
            _ => return Err(format!("outlines: the type is \"Topology\" or \"FeatureCollection\", not {kind:?}")),
        };
        outlines.check()?;
        Ok(outlines)
    }

    fn check(&self) -> Result<(), String> {
        let points = || self.arcs.iter().flatten();
        if points().count() > MAX_POINTS {
            return Err(format!("outlines: more than {MAX_POINTS} points"));
        }
        // Written so that what is not a number is found too.
        if let Some([lon, lat]) = points().find(|[lon, lat]| !(lon.abs() <= 360.0 && lat.abs() <= 90.0001)) {
            return Err(format!("outlines: {lon}, {lat} is no longitude and latitude in degrees"));
        }
        let rings = self.shapes.iter().flat_map(|shape| shape.polygons.iter().flatten()).chain(&self.lakes);
        for &arc in rings.flatten() {
            if self.arcs.get(number(arc)).is_none_or(|arc| arc.len() < 2) {
                return Err(format!("outlines: there is no arc {}, or it has fewer than two points", number(arc)));
            }
        }
        Ok(())
    }

    /// The pairs of shapes, by their numbers, the lower one first, that have a line in common.
    #[must_use]
    pub fn touching(&self) -> HashSet<(usize, usize)> {
        let mut users: Vec<Vec<usize>> = vec![Vec::new(); self.arcs.len()];
        let mut found = HashSet::new();
        for (shape, arc) in self
            .shapes
            .iter()
            .enumerate()
            .flat_map(|(number, shape)| shape.polygons.iter().flatten().flatten().map(move |&arc| (number, arc)))
        {
            let users = &mut users[number(arc)];
            found.extend(users.iter().filter(|&&other| other != shape).map(|&other| (other, shape)));
            users.push(shape);
        }
        found
    }
}

/// The number of an arc that is used in either direction.
pub(crate) fn number(arc: i32) -> usize {
    if arc < 0 { !arc as usize } else { arc as usize }
}

#[derive(Deserialize)]
struct Topology {
    transform: Option<Transform>,
    objects: BTreeMap<String, Collection>,
    arcs: Vec<Vec<Vec<f64>>>,
}

#[derive(Deserialize)]
struct Transform {
    scale: LonLat,
    translate: LonLat,
}

#[derive(Deserialize)]
struct Collection {
    geometries: Vec<TopoShape>,
}

#[derive(Deserialize)]
struct TopoShape {
    #[serde(flatten)]
    names: Names,
    #[serde(flatten)]
    geometry: Arcs,
}

#[derive(Deserialize)]
#[serde(tag = "type", content = "arcs")]
enum Arcs {
    Polygon(Vec<Ring>),
    MultiPolygon(Vec<Vec<Ring>>),
}

impl Topology {
    fn outlines(self) -> Result<Outlines, String> {
        let mut found = Outlines::default();
        for line in &self.arcs {
            let (mut x, mut y) = (0.0, 0.0);
            let mut arc = Vec::with_capacity(line.len());
            for step in line {
                let &[across, up, ..] = &step[..] else { return Err("outlines: a point has two numbers".to_owned()) };
                arc.push(if let Some(Transform { scale, translate }) = &self.transform {
                    (x, y) = (x + across, y + up);
                    [x * scale[0] + translate[0], y * scale[1] + translate[1]]
                } else {
                    [across, up]
                });
            }
            found.arcs.push(arc);
        }
        for (name, collection) in self.objects {
            for TopoShape { names, geometry } in collection.geometries {
                let polygons = match geometry {
                    Arcs::Polygon(rings) => vec![rings],
                    Arcs::MultiPolygon(polygons) => polygons,
                };
                if name == LAKES {
                    found.lakes.extend(polygons.into_iter().flatten());
                } else {
                    found.shapes.push(Shape { names: names.all(), polygons });
                }
            }
        }
        Ok(found)
    }
}

#[derive(Deserialize)]
struct Features {
    features: Vec<Feature>,
}

#[derive(Deserialize)]
struct Feature {
    #[serde(flatten)]
    names: Names,
    geometry: Option<Geometry>,
}

#[derive(Deserialize)]
#[serde(tag = "type", content = "coordinates")]
enum Geometry {
    Polygon(Vec<Vec<Vec<f64>>>),
    MultiPolygon(Vec<Vec<Vec<Vec<f64>>>>),
}

/// An id and properties, whatever they hold.
#[derive(Deserialize)]
struct Names {
    id: Option<Value>,
    properties: Option<serde_json::Map<String, Value>>,
}

impl Names {
    /// The id, the properties that are called id or name, then all others.
    fn all(self) -> Vec<String> {
        let text = |value: &Value| match value {
            Value::String(text) => Some(text.clone()),
            Value::Number(number) => Some(number.to_string()),
            _ => None,
        };
        let properties = self.properties.unwrap_or_default();
        let rank = |key: &str| ["id", "name"].iter().position(|&usual| key.eq_ignore_ascii_case(usual)).unwrap_or(2);
        let mut keys: Vec<&String> = properties.keys().collect();
        keys.sort_by_key(|key| rank(key));
        let others = keys.into_iter().filter_map(|key| text(&properties[key]));
        self.id.iter().filter_map(text).chain(others).collect()
    }
}

/// A point as it is compared.
type Grid = (i64, i64);

fn grid([lon, lat]: LonLat) -> Grid {
    ((lon * GRID).round() as i64, (lat * GRID).round() as i64)
}

/// Polygons as rings of points.
type Polygons = Vec<Vec<Vec<LonLat>>>;

/// Outlines from rings that stand alone: cut where areas meet, so that neighbours share what lies between them.
fn joined(features: &Features) -> Result<Outlines, String> {
    let mut shapes: Vec<(Vec<String>, Polygons)> = Vec::new();
    for Feature { names, geometry } in &features.features {
        let polygons = match geometry {
            None => continue,
            Some(Geometry::Polygon(rings)) => std::slice::from_ref(rings),
            Some(Geometry::MultiPolygon(polygons)) => polygons,
        };
        let names = Names { id: names.id.clone(), properties: names.properties.clone() }.all();
        let rings = |rings: &Vec<Vec<Vec<f64>>>| rings.iter().map(|ring| open_ring(ring)).collect::<Result<_, _>>();
        shapes.push((names, polygons.iter().map(rings).collect::<Result<_, _>>()?));
    }
    let junctions = junctions(shapes.iter().flat_map(|(_, polygons)| polygons.iter().flatten()));
    let (mut outlines, mut known) = (Outlines::default(), HashMap::new());
    for (names, polygons) in shapes {
        let mut shape = Shape { names, polygons: Vec::new() };
        for rings in polygons {
            let rings = rings.into_iter().filter(|ring| ring.len() >= 3);
            let cut = rings.map(|ring| cut(ring, &junctions, &mut outlines.arcs, &mut known));
            shape.polygons.push(cut.collect());
        }
        shape.polygons.retain(|rings| !rings.is_empty());
        outlines.shapes.push(shape);
    }
    Ok(outlines)
}

/// A ring without its last point, which is the first one again, and without points that follow themselves.
fn open_ring(ring: &[Vec<f64>]) -> Result<Vec<LonLat>, String> {
    let mut points: Vec<LonLat> = Vec::with_capacity(ring.len());
    for point in ring {
        let &[lon, lat, ..] = &point[..] else { return Err("outlines: a point has two numbers".to_owned()) };
        if points.last().is_none_or(|&last| grid(last) != grid([lon, lat])) {
            points.push([lon, lat]);
        }
    }
    while points.len() > 1 && points.first().map(|&point| grid(point)) == points.last().map(|&point| grid(point)) {
        points.pop();
    }
    Ok(points)
}

/// The points where a line ends: those from which lines lead to more or fewer than two others.
fn junctions<'a>(rings: impl Iterator<Item = &'a Vec<LonLat>>) -> HashSet<Grid> {
    let mut near: HashMap<Grid, [Option<Grid>; 2]> = HashMap::new();
    let mut found = HashSet::new();
    for ring in rings {
        for (at, &point) in ring.iter().enumerate() {
            let beside = [ring[(at + ring.len() - 1) % ring.len()], ring[(at + 1) % ring.len()]].map(grid);
            let known = near.entry(grid(point)).or_default();
            for other in beside {
                if known.contains(&Some(other)) {
                    continue;
                }
                match known.iter_mut().find(|slot| slot.is_none()) {
                    Some(slot) => *slot = Some(other),
                    None => _ = found.insert(grid(point)),
                }
            }
        }
    }
    found
}

/// A ring as arcs, which are added unless they are there already.
fn cut(
    mut ring: Vec<LonLat>,
    junctions: &HashSet<Grid>,
    arcs: &mut Vec<Vec<LonLat>>,
    known: &mut HashMap<Vec<Grid>, i32>,
) -> Ring {
    let is_junction = |point: &LonLat| junctions.contains(&grid(*point));
    let first = ring
        .iter()
        .position(is_junction)
        .unwrap_or_else(|| (0..ring.len()).min_by_key(|&at| grid(ring[at])).unwrap_or_default());
    ring.rotate_left(first);
    ring.push(ring[0]);
    let mut found = Ring::new();
    let mut begin = 0;
    for end in 1..ring.len() {
        if end + 1 < ring.len() && !is_junction(&ring[end]) {
            continue;
        }
        let arc = ring[begin..=end].to_vec();
        begin = end;
        let forth: Vec<Grid> = arc.iter().copied().map(grid).collect();
        let back: Vec<Grid> = forth.iter().rev().copied().collect();
        if let Some(&number) = known.get(&forth) {
            found.push(number);
        } else if let Some(&number) = known.get(&back) {
            found.push(!number);
        } else {
            let number = arcs.len() as i32;
            known.insert(forth, number);
            arcs.push(arc);
            found.push(number);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::Outlines;

    fn square(name: &str, left: i32) -> serde_json::Value {
        let right = left + 1;
        let ring = [[left, 0], [right, 0], [right, 1], [left, 1], [left, 0]];
        json!({"type": "Feature", "properties": {"size": 1, "NAME": name},
               "geometry": {"type": "Polygon", "coordinates": [ring]}})
    }

    #[test]
    fn neighbours_of_geojson_share_a_line() {
        let features =
            json!({"type": "FeatureCollection", "features": [square("A", 0), square("B", 1), square("C", 5)]});
        let outlines = Outlines::read(&features).unwrap();
        assert_eq!(outlines.shapes[0].names, ["A", "1"]);
        assert_eq!(outlines.arcs.len(), 4, "what is between two, what is left of each, one that stands alone");
        assert_eq!(Vec::from_iter(outlines.touching()), [(0, 1)]);
    }

    #[test]
    fn topojson_is_read_with_its_grid() {
        let topology = json!({
            "type": "Topology",
            "transform": {"scale": [0.5, 0.25], "translate": [10, 50]},
            "objects": {"areas": {"type": "GeometryCollection", "geometries": [
                {"type": "Polygon", "id": "a", "arcs": [[0, 1]]},
                {"type": "MultiPolygon", "id": 7, "arcs": [[[-2, 2]]]},
            ]}},
            "arcs": [[[0, 0], [2, 0]], [[2, 0], [0, 4], [-2, -4]], [[2, 0], [9, 9], [-11, -9]]],
        });
        let outlines = Outlines::read(&topology).unwrap();
        assert_eq!(outlines.arcs[1], [[11.0, 50.0], [11.0, 51.0], [10.0, 50.0]]);
        assert_eq!((&*outlines.shapes[1].names[0], &outlines.shapes[1].polygons), ("7", &vec![vec![vec![-2, 2]]]));
        assert!(outlines.touching().contains(&(0, 1)));
    }

    #[test]
    fn what_is_wrong_is_said() {
        for (value, message) in [
            (json!({"type": "Point"}), "outlines: the type is \"Topology\" or \"FeatureCollection\", not \"Point\""),
            (json!({"type": "FeatureCollection"}), "outlines: missing field `features`"),
            (
                json!({"type": "Topology", "objects": {"x": {"geometries": [{"type": "Polygon", "arcs": [[3]]}]}},
                       "arcs": []}),
                "outlines: there is no arc 3, or it has fewer than two points",
            ),
            (
                json!({"type": "Topology", "objects": {}, "arcs": [[[400, 0], [1, 1]]]}),
                "outlines: 400, 0 is no longitude and latitude in degrees",
            ),
        ] {
            assert_eq!(Outlines::read(&value).unwrap_err(), message);
        }
    }
}
