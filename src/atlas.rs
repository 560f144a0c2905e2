//! Regions, which of them border each other, and the waters and outside countries they touch.
//!
//! A *place* is a region or one of those waters and countries. Places are numbered: the regions first, then the waters,
//! each in the order of their table.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::sync::{Arc, OnceLock};

use serde::{Deserialize, Serialize};

use crate::names::{check_name, check_shown, fold};
use crate::set::Set;

/// The most regions and waters together.
pub const MAX_PLACES: usize = 254;

/// Which atlas.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
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
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
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
}

fn region() -> String {
    "region".to_owned()
}

/// A region and what it borders, by ids.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
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
}

/// A sea, an ocean, a lake or an outside country.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Water {
    /// Unique.
    pub id: String,
    /// Unique.
    pub name: String,
    /// "sea" or "country".
    #[serde(default)]
    pub kind: String,
}

/// A region, or a water or outside country.
#[derive(Clone, PartialEq, Eq, Debug)]
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
    pub tile: Option<(u8, u8)>,
}

/// A checked atlas: borders go both ways, and no name stands for two places.
#[derive(Clone, Debug)]
pub struct Atlas {
    noun: String,
    places: Vec<Place>,
    num_regions: usize,
    near: Vec<Set>,
    by_name: BTreeMap<String, u8>,
    sites: Vec<Site>,
}

impl Atlas {
    /// Reads and checks an atlas; one of the package's is read once. The error says where it contradicts itself.
    pub fn new(source: &Source) -> Result<Arc<Self>, String> {
        static SHIPPED: [OnceLock<Result<Arc<Atlas>, String>>; 3] = [const { OnceLock::new() }; 3];
        let (number, noun, [regions, waters]) = match source {
            Source::UkCounties => (0, "county", UK_COUNTIES),
            Source::WorldCountries => (1, "country", WORLD_COUNTRIES),
            Source::UsStates => (2, "state", US_STATES),
            Source::Custom(description) => {
                check_shown(&description.name)?;
                check_name(&description.noun)?;
                return Self::build(&description.noun, &description.regions, &description.waters).map(Arc::new);
            }
        };
        SHIPPED[number].get_or_init(|| shipped(noun, regions, waters).map(Arc::new)).clone()
    }

    fn build(noun: &str, regions: &[Region], waters: &[Water]) -> Result<Self, String> {
        let count = regions.len() + waters.len();
        if regions.is_empty() || count > MAX_PLACES {
            return Err(format!("{count} regions and waters; 1 region to {MAX_PLACES} places are allowed"));
        }
        check_names(regions, waters)?;
        let region = |row: &Region| Place {
            id: row.id.clone(),
            name: row.name.clone(),
            abbreviation: if row.abbreviation.is_empty() { &row.name } else { &row.abbreviation }.clone(),
            also_called: row.also_called.clone(),
            nations: row.nations.clone(),
        };
        let water = |row: &Water| Place {
            id: row.id.clone(),
            name: row.name.clone(),
            abbreviation: row.name.clone(),
            also_called: Vec::new(),
            nations: Vec::new(),
        };
        let places: Vec<Place> = regions.iter().map(region).chain(waters.iter().map(water)).collect();
        let by_name = name_places(&places)?;
        let ids: BTreeMap<&str, u8> = places.iter().zip(0..).map(|(place, number)| (&*place.id, number)).collect();
        let mut near = vec![Set::EMPTY; count];
        for (number, row) in regions.iter().enumerate() {
            for id in row.borders.iter().chain(&row.waters) {
                let other = *ids.get(&**id).ok_or_else(|| format!("{} borders an unknown {id:?}", row.id))?;
                if usize::from(other) == number {
                    return Err(format!("{id} borders itself"));
                }
                near[number].insert(other);
                if usize::from(other) >= regions.len() {
                    near[usize::from(other)].insert(number as u8);
                }
            }
        }
        for (number, set) in near.iter().enumerate() {
            if let Some(other) = set.iter().find(|&other| !near[usize::from(other)].contains(number as u8)) {
                let (one, other) = (&places[number].id, &places[usize::from(other)].id);
                return Err(format!("{one} borders {other}, but {other} does not border {one}"));
            }
        }
        Ok(Self { noun: noun.to_owned(), places, num_regions: regions.len(), near, by_name, sites: Vec::new() })
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

    /// Where the places are, by their numbers; none at all for an atlas of the caller's own.
    #[must_use]
    pub fn sites(&self) -> &[Site] {
        &self.sites
    }

    /// The place with this id, name, abbreviation or other name, however it is written.
    #[must_use]
    pub fn find(&self, text: &str) -> Option<u8> {
        let key = fold(text);
        self.by_name.get(&key).copied().or_else(|| self.find_without_spaces(&key))
    }

    /// The only place whose name is the same but for spaces.
    fn find_without_spaces(&self, key: &str) -> Option<u8> {
        let mut found = self.by_name.iter().filter(|(name, _)| letters(name).eq(letters(key))).map(|(_, place)| *place);
        let first = found.next().filter(|_| !key.is_empty())?;
        found.all(|place| place == first).then_some(first)
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

fn check_names(regions: &[Region], waters: &[Water]) -> Result<(), String> {
    for region in regions {
        [&region.id, &region.name, &region.abbreviation].into_iter().try_for_each(|name| check_name(name))?;
        region.nations.iter().chain(&region.also_called).try_for_each(|name| check_name(name))?;
    }
    for Water { id, name, kind } in waters {
        [id, name].into_iter().try_for_each(|name| check_name(name))?;
        if !["", "sea", "country"].contains(&&**kind) {
            return Err(format!("{id}: kind {kind:?} is neither \"sea\" nor \"country\""));
        }
    }
    Ok(())
}

/// A name without its spaces.
fn letters(name: &str) -> impl Iterator<Item = char> {
    name.chars().filter(|&letter| letter != ' ')
}

/// Every way to write a place, and the place. Another name stands for the first that has it, if it is nobody's own.
fn name_places(places: &[Place]) -> Result<BTreeMap<String, u8>, String> {
    let mut by_name = BTreeMap::new();
    for (place, number) in places.iter().zip(0..) {
        for name in [&place.id, &place.name, &place.abbreviation] {
            let key = fold(name);
            if key.is_empty() {
                return Err(format!("{:?} has an empty id, name or abbreviation", place.id));
            }
            match by_name.entry(key) {
                Entry::Vacant(entry) => {
                    entry.insert(number);
                }
                Entry::Occupied(entry) if *entry.get() == number => {}
                Entry::Occupied(entry) => {
                    let other = &places[usize::from(*entry.get())].id;
                    return Err(format!("{name:?} stands for {other} and for {}", place.id));
                }
            }
        }
    }
    for (place, number) in places.iter().zip(0..) {
        for name in place.also_called.iter().map(|name| fold(name)).filter(|name| !name.is_empty()) {
            by_name.entry(name).or_insert(number);
        }
    }
    Ok(by_name)
}

/// The tables of an atlas of the package: regions and waters.
type Tables = [&'static str; 2];

const UK_COUNTIES: Tables =
    [include_str!("../python/adjoin/data/uk-counties.csv"), include_str!("../python/adjoin/data/uk-waters.csv")];
const WORLD_COUNTRIES: Tables =
    [include_str!("../python/adjoin/data/world-countries.csv"), include_str!("../python/adjoin/data/world-waters.csv")];
const US_STATES: Tables =
    [include_str!("../python/adjoin/data/us-states.csv"), include_str!("../python/adjoin/data/us-waters.csv")];

/// An atlas of the package: tables without quotes, lists split at semicolons.
fn shipped(noun: &str, regions: &str, waters: &str) -> Result<Atlas, String> {
    let list = |cell: &str| cell.split(';').filter(|id| !id.is_empty()).map(str::to_owned).collect::<Vec<_>>();
    let region = |row: &BTreeMap<&str, &str>| {
        let cell = |name| row.get(name).copied().unwrap_or_default();
        let home = ["nation", "edition", "region"].into_iter().find_map(|column| row.get(column).copied());
        let nations = home.into_iter().chain([cell("also_in")]);
        Region {
            id: cell("id").to_owned(),
            name: cell("name").to_owned(),
            abbreviation: cell("abbreviation").to_owned(),
            also_called: list(cell("also_called")),
            nations: nations.filter(|nation| !nation.is_empty()).map(str::to_owned).collect(),
            borders: list(cell("borders")),
            waters: list(cell("waters")),
        }
    };
    let water = |row: &BTreeMap<&str, &str>| Water {
        id: row["id"].to_owned(),
        name: row["name"].to_owned(),
        kind: row["kind"].to_owned(),
    };
    let (region_rows, water_rows) = (rows(regions), rows(waters));
    let regions: Vec<Region> = region_rows.iter().map(region).collect();
    let waters: Vec<Water> = water_rows.iter().map(water).collect();
    let sites = region_rows.iter().chain(&water_rows).map(site).collect::<Result<_, _>>()?;
    Ok(Atlas { sites, ..Atlas::build(noun, &regions, &waters)? })
}

/// Where the place of a table's row is.
fn site(row: &BTreeMap<&str, &str>) -> Result<Site, String> {
    let degrees = |column| {
        let text = row.get(column).copied().unwrap_or_default();
        text.parse::<f64>().map_err(|error| format!("{column} = {text:?}: {error}"))
    };
    let number = |column| row.get(column)?.parse::<u8>().ok();
    Ok(Site { lon: degrees("lon")?, lat: degrees("lat")?, tile: number("col").zip(number("row")) })
}

fn rows(table: &str) -> Vec<BTreeMap<&str, &str>> {
    let mut lines = table.lines().map(|line| line.split(','));
    let header: Vec<&str> = lines.next().into_iter().flatten().collect();
    lines.map(|cells| header.iter().copied().zip(cells).collect()).collect()
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
        }
    }

    fn custom(regions: Vec<Region>) -> Result<Arc<Atlas>, String> {
        let waters = vec![Water { id: "sea".to_owned(), name: "Sea".to_owned(), kind: "sea".to_owned() }];
        let description = Description { name: "test".to_owned(), noun: super::region(), regions, waters };
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
    fn the_shipped_atlases_say_where_their_places_are() {
        for source in [Source::UkCounties, Source::WorldCountries, Source::UsStates] {
            let atlas = Atlas::new(&source).unwrap();
            assert_eq!(atlas.sites().len(), atlas.places().len());
            let tiles = if source == Source::UkCounties { atlas.num_regions() } else { 0 };
            assert_eq!(atlas.sites().iter().filter(|site| site.tile.is_some()).count(), tiles);
        }
        let uk = Atlas::new(&Source::UkCounties).unwrap();
        let site = |name| uk.sites()[usize::from(uk.find(name).unwrap())];
        assert_eq!(site("Northumberland"), Site { lon: -2.069, lat: 55.238, tile: Some((10, 9)) });
        assert_eq!(site("North Sea"), Site { lon: 2.5, lat: 56.0, tile: None });
        assert!(custom(vec![region("a", &[], &[])]).unwrap().sites().is_empty());
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
    fn contradictions_are_named() {
        let refusal = |regions| custom(regions).unwrap_err();
        assert_eq!(refusal(vec![]), "1 regions and waters; 1 region to 254 places are allowed");
        let one_sided = vec![region("a", &["b"], &[]), region("b", &[], &[])];
        assert_eq!(refusal(one_sided), "a borders b, but b does not border a");
        assert_eq!(refusal(vec![region("a", &["a"], &[])]), "a borders itself");
        assert_eq!(refusal(vec![region("a", &["x"], &[])]), "a borders an unknown \"x\"");
        assert_eq!(refusal(vec![region("a", &[], &[]), region("a", &[], &[])]), "\"a\" stands for a and for a");
        assert_eq!(refusal(vec![region("Sea", &[], &[])]), "\"sea\" stands for Sea and for sea");
        assert_eq!(refusal(vec![region("-", &[], &[])]), "\"-\" has an empty id, name or abbreviation");
        assert!(refusal((0..254).map(|n| region(&format!("r{n}"), &[], &[])).collect()).starts_with("255 "));
        assert!(custom(vec![region("a", &["b"], &["sea"]), region("b", &["a"], &[])]).is_ok());
    }
}
