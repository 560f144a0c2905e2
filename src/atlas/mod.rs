//! Regions, which of them border each other, and the waters and outside countries they touch.
//!
//! A *place* is a region or one of those waters and countries. Places are numbered: the regions first, then the waters,
//! each in the order of their table.

pub mod geography;
pub mod outlines;
pub mod projection;
mod read;

use std::sync::{Arc, OnceLock};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use self::geography::{Geography, Shipped};
use self::outlines::Outlines;
pub use self::read::{Borders, Details, Read, Tables, read};
use crate::names::{Index, fold};
use crate::set::Set;
use crate::table::{Problems, Written};

/// The most regions and waters together.
pub const MAX_PLACES: usize = 254;

/// Which atlas.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Source {
    /// The 108 counties of the United Kingdom.
    #[default]
    UkCounties,
    /// The countries of the world.
    WorldCountries,
    /// The states of the USA and the District of Columbia.
    UsStates,
    /// The caller's own.
    Custom(Box<Description>),
}

/// An atlas as its maker describes it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Description {
    /// What it is called.
    pub name: String,
    /// What one of its regions is called.
    #[serde(default = "region")]
    pub noun: String,
    /// The regions.
    pub regions: Vec<Region>,
    /// The waters and outside countries.
    #[serde(default)]
    pub waters: Vec<Water>,
    /// What the regions look like: the name of an atlas of the package that has regions with the same ids, or `TopoJSON`
    /// or `GeoJSON`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outlines: Option<Value>,
}

fn region() -> String {
    "region".to_owned()
}

/// A region and what it borders, by ids.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Region {
    /// Unique.
    pub id: String,
    /// Unique.
    pub name: String,
    /// Unique; the name, if there is none.
    #[serde(default)]
    pub abbreviation: String,
    /// Its other names.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub also_called: Vec<String>,
    /// The nations that it belongs to, its home first.
    #[serde(default)]
    pub nations: Vec<String>,
    /// The regions that it borders.
    pub borders: Vec<String>,
    /// The waters and outside countries that it borders.
    #[serde(default)]
    pub waters: Vec<String>,
    /// Longitude and latitude of a point in it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub point: Option<[f64; 2]>,
    /// Column and row in a map of tiles.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tile: Option<[u16; 2]>,
}

/// A sea, an ocean, a lake or an outside country.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Water {
    /// Unique.
    pub id: String,
    /// Unique.
    pub name: String,
    /// "sea" or "country".
    #[serde(default)]
    pub kind: String,
    /// Longitude and latitude of a point in it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub point: Option<[f64; 2]>,
}

/// A region, or a water or outside country.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Place {
    /// Unique, lower case.
    pub id: String,
    /// Its proper name.
    pub name: String,
    /// Its short name; of a water, the name.
    pub abbreviation: String,
    /// Its other names.
    pub also_called: Vec<String>,
    /// The nations that it belongs to, its home first; none for a water.
    pub nations: Vec<String>,
}

/// Where a place is.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Site {
    /// Degrees east.
    pub lon: f64,
    /// Degrees north.
    pub lat: f64,
    /// Column and row in a map of tiles, from 0 at the top left, if there is such a map and the place is on it.
    pub tile: Option<(u16, u16)>,
}

/// A checked atlas: borders go both ways, and no name stands for two places.
#[derive(Clone, Debug)]
pub struct Atlas {
    noun: String,
    places: Vec<Place>,
    num_regions: usize,
    near: Vec<Set>,
    by_name: Index,
    sites: Vec<Option<Site>>,
    geography: Option<Geography>,
}

impl Atlas {
    /// Reads and checks an atlas; one of the package's is read once. The error says all that is wrong with it.
    pub fn new(source: &Source) -> Result<Arc<Self>, String> {
        static SHIPPED: [OnceLock<Result<Arc<Atlas>, Problems>>; 3] = [const { OnceLock::new() }; 3];
        let (number, noun, tables, shipped) = match source {
            Source::UkCounties => (0, "county", UK_COUNTIES, Shipped::UkCounties),
            Source::WorldCountries => (1, "country", WORLD_COUNTRIES, Shipped::WorldCountries),
            Source::UsStates => (2, "state", US_STATES, Shipped::UsStates),
            Source::Custom(description) => {
                return read::check(description).map(Arc::new).map_err(|problems| problems.to_string());
            }
        };
        let atlas = SHIPPED[number].get_or_init(|| read_shipped(noun, tables, shipped).map(Arc::new));
        atlas.clone().map_err(|problems| problems.to_string())
    }

    /// What a region is called: "county", "country", "state".
    #[must_use]
    pub fn noun(&self) -> &str {
        &self.noun
    }

    /// How many regions there are; their numbers come first.
    #[must_use]
    pub fn num_regions(&self) -> usize {
        self.num_regions
    }

    /// Regions, waters and outside countries.
    #[must_use]
    pub fn places(&self) -> &[Place] {
        &self.places
    }

    /// A place by its number.
    ///
    /// # Panics
    /// If there is none.
    #[must_use]
    pub fn place(&self, number: u8) -> &Place {
        &self.places[usize::from(number)]
    }

    /// The places that a place borders.
    ///
    /// # Panics
    /// If there is no such place.
    #[inline(always)]
    #[must_use]
    pub fn near(&self, number: u8) -> Set {
        self.near[usize::from(number)]
    }

    /// Where a place is, if the atlas says so.
    ///
    /// # Panics
    /// If there is no such place.
    #[must_use]
    pub fn site(&self, number: u8) -> Option<Site> {
        self.sites[usize::from(number)]
    }

    /// Its outlines, if it has any.
    #[must_use]
    pub fn geography(&self) -> Option<&Geography> {
        self.geography.as_ref()
    }

    /// The place with this id, name, abbreviation or other name, however it is written.
    #[must_use]
    pub fn find(&self, text: &str) -> Option<u8> {
        self.by_name.find(text).map(|place| place as u8)
    }

    /// The same among the regions.
    #[must_use]
    pub fn find_region(&self, text: &str) -> Option<u8> {
        self.find(text).filter(|&place| usize::from(place) < self.num_regions)
    }

    /// The nations of the regions, in the order of their first appearance.
    #[must_use]
    pub fn nations(&self) -> Vec<&str> {
        let mut nations: Vec<&str> = Vec::new();
        for nation in self.places.iter().flat_map(|place| &place.nations) {
            if !nations.contains(&&**nation) {
                nations.push(nation);
            }
        }
        nations
    }

    /// The regions of a nation.
    #[must_use]
    pub fn of_nation(&self, nation: &str) -> Set {
        let belongs = |place: &Place| place.nations.iter().any(|name| fold(name) == fold(nation));
        self.places.iter().zip(0..).filter(|(place, _)| belongs(place)).map(|(_, number)| number).collect()
    }
}

/// The files of an atlas of the package: regions and waters.
type Files = [&'static str; 2];

const UK_COUNTIES: Files =
    [include_str!("../../python/adjoin/data/uk-counties.csv"), include_str!("../../python/adjoin/data/uk-waters.csv")];
const WORLD_COUNTRIES: Files = [
    include_str!("../../python/adjoin/data/world-countries.csv"),
    include_str!("../../python/adjoin/data/world-waters.csv"),
];
const US_STATES: Files =
    [include_str!("../../python/adjoin/data/us-states.csv"), include_str!("../../python/adjoin/data/us-waters.csv")];

fn read_shipped(noun: &str, [regions, waters]: Files, shipped: Shipped) -> Result<Atlas, Problems> {
    let regions = Written::shipped("regions", regions);
    let waters = Some(Written::shipped("waters", waters));
    let read = read(Tables { name: noun.to_owned(), regions, waters, borders: Borders::InRows })?;
    Ok(Atlas { noun: noun.to_owned(), geography: Some(Geography::Shipped(shipped)), ..read.atlas })
}

/// The outlines that a description names or brings.
fn described(outlines: &Value) -> Result<Geography, String> {
    if let Some(name) = outlines.as_str() {
        return Shipped::named(name)
            .map(Geography::Shipped)
            .ok_or_else(|| format!("outlines: uk-counties, world-countries and us-states have some, not \"{name}\""));
    }
    Outlines::read(outlines).map(|outlines| Geography::Own(Arc::new(outlines)))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::{Atlas, Description, Region, Site, Source, Water};

    fn region(id: &str, borders: &[&str], waters: &[&str]) -> Region {
        let list = |ids: &[&str]| ids.iter().map(|&id| id.to_owned()).collect();
        Region {
            id: id.to_owned(),
            name: id.to_owned(),
            abbreviation: String::new(),
            also_called: Vec::new(),
            nations: Vec::new(),
            borders: list(borders),
            waters: list(waters),
            point: None,
            tile: None,
        }
    }

    fn custom(regions: Vec<Region>) -> Result<Arc<Atlas>, String> {
        let waters = vec![Water { id: "sea".to_owned(), name: "Sea".to_owned(), kind: "sea".to_owned(), point: None }];
        let description =
            Description { name: "test".to_owned(), noun: super::region(), regions, waters, outlines: None };
        Atlas::new(&Source::Custom(Box::new(description)))
    }

    #[test]
    fn the_shipped_atlases_are_read_whole() {
        let count = |source| {
            let atlas = Atlas::new(&source).unwrap();
            let regions = atlas.num_regions() as u8;
            let borders: usize =
                (0..regions).map(|n| atlas.near(n).iter().filter(|&other| other < regions).count()).sum();
            (atlas.num_regions(), atlas.places().len() - atlas.num_regions(), borders / 2, atlas.nations().len())
        };
        assert_eq!(count(Source::UkCounties), (108, 7, 237, 4));
        assert_eq!(count(Source::WorldCountries), (207, 21, 323, 4));
        assert_eq!(count(Source::UsStates), (51, 7, 107, 9));
    }

    #[test]
    fn places_are_found_however_they_are_written() {
        let uk = Atlas::new(&Source::UkCounties).unwrap();
        let kent = uk.find("kent").unwrap();
        assert_eq!(uk.place(kent).name, "Kent");
        for (one, other) in [("Tyne & Wear", "TYNE AND WEAR"), ("t&w", "tyne_and_wear"), ("Staffs", " staffordshire ")]
        {
            assert_eq!(uk.find(one).unwrap(), uk.find(other).unwrap());
        }
        let world = Atlas::new(&Source::WorldCountries).unwrap();
        for (one, other) in
            [("Turkiye", "tur"), ("cote d'ivoire", "CI"), ("Cote divoire", "CI"), ("Saint Lucia", "St. Lucia")]
        {
            assert_eq!(world.find(one).unwrap(), world.find(other).unwrap());
        }
        assert_eq!(world.find("atlantis"), None);
        assert_eq!(world.find_region("Black Sea"), None);
        assert!(world.near(world.find("Black Sea").unwrap()).contains(world.find("Georgia").unwrap()));
        assert_eq!(world.of_nation("europe"), world.of_nation("Europe"));
        assert!(world.of_nation("Europe").contains(world.find("Russia").unwrap()));
        assert!(world.of_nation("Asia & Australasia").contains(world.find("Russia").unwrap()));
    }

    #[test]
    fn the_shipped_atlases_say_where_their_places_are() {
        for source in [Source::UkCounties, Source::WorldCountries, Source::UsStates] {
            let atlas = Atlas::new(&source).unwrap();
            let sites: Vec<Site> = (0..atlas.places().len() as u8).filter_map(|place| atlas.site(place)).collect();
            assert_eq!(sites.len(), atlas.places().len());
            let tiles = if source == Source::UkCounties { atlas.num_regions() } else { 0 };
            assert_eq!(sites.iter().filter(|site| site.tile.is_some()).count(), tiles);
        }
        let uk = Atlas::new(&Source::UkCounties).unwrap();
        let site = |name| uk.site(uk.find(name).unwrap()).unwrap();
        assert_eq!(site("Northumberland"), Site { lon: -2.069, lat: 55.238, tile: Some((10, 9)) });
        assert_eq!(site("North Sea"), Site { lon: 2.5, lat: 56.0, tile: None });
    }

    #[test]
    fn an_option_is_checked_as_a_file_is() {
        let refusal = |regions| custom(regions).unwrap_err();
        assert_eq!(refusal(vec![]), "test: no regions");
        let one_sided = vec![region("a", &["b", "x"], &[]), region("b", &[], &["C"])];
        assert_eq!(
            refusal(one_sided),
            "region 1 (a): borders \"x\", which is no region\n\
             region 1 (a): borders b, but b does not border a\n\
             region 2 (b): touches \"C\", which is no water"
        );
        let taken = vec![region("a", &[], &[]), region("Sea", &[], &[])];
        assert_eq!(refusal(taken), "water 1 (Sea): the name \"Sea\" is taken by region 2 (Sea)");
        let hidden = "region 1 (a): the name \"a\\u{202e}\": the character U+202E is not allowed";
        assert_eq!(refusal(vec![region("a\u{202E}", &[], &[])]), hidden);
        assert!(refusal((0..254).map(|n| region(&format!("r{n}"), &[], &[])).collect()).starts_with("test: 255 "));
        assert!(custom(vec![region("a", &["b"], &["sea"]), region("b", &["a"], &[])]).is_ok());
    }
}
