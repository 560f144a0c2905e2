//! Cities, regions and cards (CONN-1, CONN-2).

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use serde::{Deserialize, Serialize};

use crate::names::{check_name, check_shown, fold};

/// The most cards of a deck.
pub const MAX_CARDS: usize = 64;
/// The most cities of a deck.
const MAX_CITIES: usize = 128;
/// The most regions of a deck.
pub const MAX_REGIONS: usize = 16;
/// The most linking cities of a deck.
pub const MAX_LINKS: usize = 16;
/// Regions that a linking city joins.
const MAX_REGIONS_OF_LINK: usize = 3;
/// Cities that a region has at least.
const MIN_CITIES: usize = 3;

/// A set of cards, a bit each.
pub type Cards = u64;
/// A set of faces, a bit each.
pub type Faces = u128;
/// A set of regions, a bit each.
pub type Regions = u16;

/// Which deck.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Source {
    /// The deck of the package.
    #[default]
    WorldCities,
    /// The caller's own.
    Custom(Box<Description>),
}

/// A deck as its maker describes it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Description {
    /// What it is called.
    pub name: String,
    /// Names of regions, where they are not their ids with capitals.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub regions: Vec<RegionName>,
    /// The cities; the regions are numbered as they come up here.
    pub cities: Vec<City>,
    /// The cards, each by the ids of the cities on its two sides.
    pub cards: Vec<[String; 2]>,
}

/// A city.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct City {
    /// Unique.
    pub id: String,
    /// Unique.
    pub name: String,
    /// The ids of its regions: one, or two or three for a linking city.
    pub regions: Vec<String>,
    /// The colour of its region.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub colour: Option<String>,
    /// Degrees east.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lon: Option<f64>,
    /// Degrees north.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lat: Option<f64>,
}

/// What a region is called.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RegionName {
    /// As the cities have it.
    pub id: String,
    /// As people write it.
    pub name: String,
}

/// A region.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Region {
    /// Unique.
    pub id: String,
    /// The id as people write it.
    pub name: String,
    /// The colour of its cities.
    pub colour: Option<String>,
}

/// What a face is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A city of this region.
    Region(u8),
    /// The linking city with this number.
    Link(u8),
}

/// A side of a card.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Face {
    /// The card.
    pub card: u8,
    /// The city that it shows.
    pub city: u8,
    /// What it is for.
    pub kind: Kind,
}

/// A linking city.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Link {
    /// The city.
    pub city: u8,
    /// The regions that it joins.
    pub regions: Regions,
}

/// A checked deck. Faces are numbered: both sides of every region card, then the linking cities, each with its cards.
#[derive(Clone, PartialEq, Debug)]
pub struct Deck {
    cities: Vec<City>,
    regions: Vec<Region>,
    cards: Vec<[u8; 2]>,
    faces: Vec<Face>,
    num_region_faces: usize,
    links: Vec<Link>,
    faces_of_card: Vec<Faces>,
    faces_of_city: Vec<Faces>,
    faces_of_region: Vec<Faces>,
    by_name: BTreeMap<String, u8>,
    regions_by_name: BTreeMap<String, u8>,
}

impl Deck {
    /// Reads and checks a deck; the package's is read once. The error says what is wrong with it.
    pub fn new(source: &Source) -> Result<Arc<Self>, String> {
        static WORLD: OnceLock<Result<Arc<Deck>, String>> = OnceLock::new();
        match source {
            Source::WorldCities => WORLD.get_or_init(|| Self::build(&shipped()?).map(Arc::new)).clone(),
            Source::Custom(description) => Self::build(description).map(Arc::new),
        }
    }

    fn build(description: &Description) -> Result<Self, String> {
        let Description { cities, cards, .. } = description;
        for (what, count, most) in [("cards", cards.len(), MAX_CARDS), ("cities", cities.len(), MAX_CITIES)] {
            if count > most {
                return Err(format!("{count} {what}; at most {most} are allowed"));
            }
        }
        check_names(description)?;
        let mut deck = Self {
            cities: cities.clone(),
            regions: Vec::new(),
            cards: Vec::new(),
            faces: Vec::new(),
            num_region_faces: 0,
            links: Vec::new(),
            faces_of_card: vec![0; cards.len()],
            faces_of_city: vec![0; cities.len()],
            faces_of_region: Vec::new(),
            by_name: BTreeMap::new(),
            regions_by_name: BTreeMap::new(),
        };
        let joined = deck.read_cities()?;
        for RegionName { id, name } in &description.regions {
            let region =
                *deck.regions_by_name.get(&fold(id)).ok_or_else(|| format!("no city is of the region {id:?}"))?;
            if *deck.regions_by_name.entry(fold(name)).or_insert(region) != region || fold(name).is_empty() {
                return Err(format!("two regions are called {name:?}, or it is empty"));
            }
            deck.regions[usize::from(region)].name.clone_from(name);
        }
        deck.read_cards(cards, &joined)?;
        Ok(deck)
    }

    /// Names the cities and the regions, and says which regions each city is of.
    fn read_cities(&mut self) -> Result<Vec<Regions>, String> {
        let mut joined = Vec::new();
        for (number, city) in self.cities.iter().enumerate() {
            let name = &city.name;
            let mut keys = [fold(&city.id), fold(name)].to_vec();
            keys.dedup();
            for key in keys {
                if key.is_empty() {
                    return Err(format!("city {} has an empty id or name", number + 1));
                }
                if self.by_name.insert(key, number as u8).is_some() {
                    return Err(format!("two cities are called {name:?}"));
                }
            }
            if name.contains('/') || city.id.contains('/') {
                return Err(format!("{name:?}: a slash stands between the two sides of a card"));
            }
            if !(1..=MAX_REGIONS_OF_LINK).contains(&city.regions.len()) {
                let count = city.regions.len();
                return Err(format!("{name:?} has {count} regions; 1 to {MAX_REGIONS_OF_LINK} are allowed (CONN-2)"));
            }
            let is_within = |degrees: Option<f64>, most: f64| degrees.is_none_or(|degrees| degrees.abs() <= most);
            if city.lon.is_some() != city.lat.is_some() || !is_within(city.lon, 180.0) || !is_within(city.lat, 90.0) {
                return Err(format!("{name:?}: lon is from -180 to 180 and lat from -90 to 90, or both are missing"));
            }
            let mut regions: Regions = 0;
            for id in &city.regions {
                if fold(id).is_empty() {
                    return Err(format!("{name:?} has a region without a name"));
                }
                let next = self.regions.len() as u8;
                let region = *self.regions_by_name.entry(fold(id)).or_insert(next);
                if region == next {
                    if usize::from(next) == MAX_REGIONS {
                        return Err(format!("more than {MAX_REGIONS} regions"));
                    }
                    self.regions.push(Region { id: id.clone(), name: in_words(id), colour: None });
                }
                if regions >> region & 1 == 1 {
                    return Err(format!("{name:?} names the region {id:?} twice"));
                }
                regions |= 1 << region;
                if city.regions.len() == 1 {
                    self.regions[usize::from(region)].colour.clone_from(&city.colour);
                }
            }
            joined.push(regions);
        }
        for (number, region) in self.regions.iter().enumerate() {
            let count = joined.iter().filter(|&&regions| regions == 1 << number).count();
            if count < MIN_CITIES {
                let name = &region.name;
                return Err(format!("{name:?} has {count} cities; at least {MIN_CITIES} are needed (CONN-6)"));
            }
        }
        Ok(joined)
    }

    fn read_cards(&mut self, cards: &[[String; 2]], joined: &[Regions]) -> Result<(), String> {
        let is_link = |city: u8| joined[usize::from(city)].count_ones() > 1;
        let mut linking = Vec::new();
        for (number, sides) in cards.iter().enumerate() {
            let find = |id: &String| {
                let city = self.by_name.get(&fold(id)).copied();
                city.ok_or_else(|| format!("card {}: no city {id:?}", number + 1))
            };
            let sides = [find(&sides[0])?, find(&sides[1])?];
            let [front, back] = sides;
            let name = |city: u8| &*self.cities[usize::from(city)].name;
            if is_link(front) != is_link(back) {
                let (link, other) = if is_link(front) { (front, back) } else { (back, front) };
                return Err(format!(
                    "card {}: {:?} is a linking city and {:?} is none; both sides must be (CONN-2)",
                    number + 1,
                    name(link),
                    name(other)
                ));
            }
            if front == back && !is_link(front) {
                return Err(format!("card {} shows {:?} on both sides (CONN-1)", number + 1, name(front)));
            }
            if self.cards.contains(&sides) || self.cards.contains(&[back, front]) {
                return Err(format!("two cards show {}", self.pair_name(sides)));
            }
            self.cards.push(sides);
            if is_link(front) {
                linking.extend([front, back].map(|city| (city, number as u8)));
                continue;
            }
            for city in sides {
                let region = joined[usize::from(city)].trailing_zeros() as u8;
                self.faces.push(Face { card: number as u8, city, kind: Kind::Region(region) });
            }
        }
        self.num_region_faces = self.faces.len();
        linking.sort_unstable();
        linking.dedup();
        for (city, card) in linking {
            if self.links.last().is_none_or(|link| link.city != city) {
                self.links.push(Link { city, regions: joined[usize::from(city)] });
            }
            self.faces.push(Face { card, city, kind: Kind::Link(self.links.len() as u8 - 1) });
        }
        if self.links.len() > MAX_LINKS {
            return Err(format!("{} linking cities; at most {MAX_LINKS} are allowed", self.links.len()));
        }
        self.faces_of_region = vec![0; self.regions.len()];
        for (number, face) in self.faces.iter().enumerate() {
            self.faces_of_card[usize::from(face.card)] |= 1 << number;
            self.faces_of_city[usize::from(face.city)] |= 1 << number;
            if let Kind::Region(region) = face.kind {
                self.faces_of_region[usize::from(region)] |= 1 << number;
            }
        }
        Ok(())
    }

    /// The cities.
    #[must_use]
    pub fn cities(&self) -> &[City] {
        &self.cities
    }

    /// The regions.
    #[must_use]
    pub fn regions(&self) -> &[Region] {
        &self.regions
    }

    /// The linking cities that have a card.
    #[inline(always)]
    #[must_use]
    pub fn links(&self) -> &[Link] {
        &self.links
    }

    /// How many cards there are.
    #[inline(always)]
    #[must_use]
    pub fn num_cards(&self) -> usize {
        self.cards.len()
    }

    /// Every card.
    #[must_use]
    pub fn all_cards(&self) -> Cards {
        u64::MAX.checked_shr((MAX_CARDS - self.cards.len()) as u32).unwrap_or(0)
    }

    /// Every face.
    #[inline(always)]
    #[must_use]
    pub fn faces(&self) -> &[Face] {
        &self.faces
    }

    /// How many faces show a city of a region.
    #[inline(always)]
    #[must_use]
    pub fn num_region_faces(&self) -> usize {
        self.num_region_faces
    }

    /// A face.
    #[inline(always)]
    #[must_use]
    pub fn face(&self, face: u8) -> Face {
        self.faces[usize::from(face)]
    }

    /// The faces of a card.
    #[inline(always)]
    #[must_use]
    pub fn faces_of_card(&self, card: u8) -> Faces {
        self.faces_of_card[usize::from(card)]
    }

    /// The faces that show a city.
    #[inline(always)]
    #[must_use]
    pub fn faces_of_city(&self, city: u8) -> Faces {
        self.faces_of_city[usize::from(city)]
    }

    /// The faces that show a city of a region.
    #[inline(always)]
    #[must_use]
    pub fn faces_of_region(&self, region: u8) -> Faces {
        self.faces_of_region[usize::from(region)]
    }

    /// The regions of a card's front and back, if it is a region card.
    #[must_use]
    pub fn regions_of_card(&self, card: u8) -> Option<[u8; 2]> {
        let mut regions = self.faces.iter().filter(|face| face.card == card).filter_map(|face| match face.kind {
            Kind::Region(region) => Some(region),
            Kind::Link(_) => None,
        });
        Some([regions.next()?, regions.next()?])
    }

    /// The regions of a city, in the order in which it names them.
    pub fn regions_of_city(&self, city: u8) -> impl Iterator<Item = u8> {
        self.cities[usize::from(city)].regions.iter().filter_map(|id| self.find_region(id))
    }

    /// The cities that a card shows, its front's first.
    pub fn cities_of_card(&self, card: u8) -> impl Iterator<Item = u8> {
        let [front, back] = self.cards[usize::from(card)];
        std::iter::once(front).chain((back != front).then_some(back))
    }

    fn pair_name(&self, [front, back]: [u8; 2]) -> String {
        let name = |city: u8| &*self.cities[usize::from(city)].name;
        if front == back { name(front).to_owned() } else { format!("{}/{}", name(front), name(back)) }
    }

    /// A card in words: the cities of both sides.
    #[must_use]
    pub fn card_name(&self, card: u8) -> String {
        self.pair_name(self.cards[usize::from(card)])
    }

    /// A face in words: its city, then the other side's.
    #[must_use]
    pub fn face_name(&self, face: u8) -> String {
        let Face { card, city, .. } = self.face(face);
        let [front, back] = self.cards[usize::from(card)];
        self.pair_name([city, if city == front { back } else { front }])
    }

    /// The name of a city.
    #[must_use]
    pub fn city_name(&self, city: u8) -> &str {
        &self.cities[usize::from(city)].name
    }

    fn find_city(&self, text: &str) -> Option<u8> {
        self.by_name.get(&fold(text)).copied()
    }

    /// The linking city with this name, however it is written.
    #[must_use]
    pub fn find_link(&self, text: &str) -> Option<u8> {
        let city = self.find_city(text)?;
        self.links.iter().position(|link| link.city == city).map(|link| link as u8)
    }

    /// The region with this id or name, however it is written.
    #[must_use]
    pub fn find_region(&self, text: &str) -> Option<u8> {
        self.regions_by_name.get(&fold(text)).copied()
    }

    /// The face with this name, however it is written. The other side may be left out if it is the same, or if one face
    /// alone shows the city.
    #[must_use]
    pub fn find_face(&self, text: &str) -> Option<u8> {
        let (city, other) = text.split_once('/').map_or((text, None), |(city, other)| (city, Some(other)));
        let city = self.find_city(city)?;
        let other = other.map(|other| self.find_city(other).ok_or(())).transpose().ok()?;
        let is_beside = |face: &Face, other: u8| {
            let [front, back] = self.cards[usize::from(face.card)];
            other == if city == front { back } else { front }
        };
        let shown = || self.faces.iter().zip(0..).filter(|(face, _)| face.city == city);
        if let Some((_, number)) = shown().find(|(face, _)| is_beside(face, other.unwrap_or(city))) {
            return Some(number);
        }
        let mut found = shown().filter(|_| other.is_none());
        let (_, number) = found.next()?;
        found.next().is_none().then_some(number)
    }

    /// The card with this name, however it is written, either side first.
    #[must_use]
    pub fn find_card(&self, text: &str) -> Option<u8> {
        self.find_face(text).map(|face| self.face(face).card)
    }
}

/// An id as people write it: "`south_east_asia`" is "South East Asia".
fn in_words(id: &str) -> String {
    let words = id.split(['_', ' ']).filter(|word| !word.is_empty());
    let capital = |word: &str| {
        let mut letters = word.chars();
        letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
    };
    words.map(capital).collect::<Vec<_>>().join(" ")
}

fn check_names(description: &Description) -> Result<(), String> {
    check_shown(&description.name)?;
    for City { id, name, regions, colour, .. } in &description.cities {
        [id, name].into_iter().chain(regions).try_for_each(|name| check_name(name))?;
        colour.iter().try_for_each(|colour| check_shown(colour))?;
    }
    description.regions.iter().flat_map(|region| [&region.id, &region.name]).try_for_each(|name| check_name(name))
}

/// The deck of the package: two tables without quotes.
fn shipped() -> Result<Description, String> {
    let city = |row: &str| {
        let cells: Vec<&str> = row.split(',').collect();
        let [id, name, _, regions, colour, lon, lat] = cells[..] else {
            return Err(format!("expected seven cells: {row}"));
        };
        let degrees = |cell: &str| cell.parse().map(Some).map_err(|error| format!("{row}: {error}"));
        Ok(City {
            id: id.to_owned(),
            name: name.to_owned(),
            regions: regions.split(';').map(str::to_owned).collect(),
            colour: Some(colour.to_owned()),
            lon: degrees(lon)?,
            lat: degrees(lat)?,
        })
    };
    let card = |row: &str| {
        let cells: Vec<&str> = row.split(',').collect();
        let [_, front, back] = cells[..] else { return Err(format!("expected three cells: {row}")) };
        Ok([front.to_owned(), back.to_owned()])
    };
    let cities = include_str!("../../../python/adjoin/data/connections-cities.csv");
    let cards = include_str!("../../../python/adjoin/data/connections-cards.csv");
    Ok(Description {
        name: "world-cities".to_owned(),
        regions: Vec::new(),
        cities: cities.lines().skip(1).map(city).collect::<Result<_, _>>()?,
        cards: cards.lines().skip(1).map(card).collect::<Result<_, _>>()?,
    })
}

#[cfg(test)]
mod tests {
    use super::{City, Deck, Description, Kind, RegionName, Source};

    fn city(name: &str, regions: &[&str]) -> City {
        City {
            id: name.to_lowercase(),
            name: name.to_owned(),
            regions: regions.iter().map(|&region| region.to_owned()).collect(),
            colour: None,
            lon: None,
            lat: None,
        }
    }

    fn small() -> Description {
        let names = ["Ash", "Beech", "Cedar", "Dale", "Elm", "Fir"];
        let mut cities: Vec<City> =
            names.iter().enumerate().map(|(number, name)| city(name, &[["wood", "far_hill"][number / 3]])).collect();
        cities.push(city("Gate", &["wood", "far_hill"]));
        let cards = [["ash", "dale"], ["beech", "elm"], ["cedar", "fir"], ["gate", "gate"], ["ash", "elm"]];
        let cards = cards.map(|sides| sides.map(str::to_owned)).to_vec();
        Description { name: "small".to_owned(), regions: Vec::new(), cities, cards }
    }

    fn refusal(change: impl FnOnce(&mut Description)) -> String {
        let mut description = small();
        change(&mut description);
        Deck::new(&Source::Custom(Box::new(description))).unwrap_err()
    }

    #[test]
    fn the_shipped_deck_is_read_whole() {
        let deck = Deck::new(&Source::WorldCities).unwrap();
        assert_eq!((deck.num_cards(), deck.cities().len(), deck.regions().len()), (55, 73, 12));
        assert_eq!((deck.num_region_faces(), deck.links().len()), (84, 13));
        assert_eq!(deck.regions()[9].name, "South East Asia");
        for face in 0..deck.faces().len() as u8 {
            assert_eq!(deck.find_face(&deck.face_name(face)), Some(face));
            assert_eq!(deck.find_card(&deck.card_name(deck.face(face).card)), Some(deck.face(face).card));
        }
        assert_eq!(deck.find_face("SAO PAULO"), deck.find_face("São Paulo/San Juan"));
        assert_eq!([deck.find_face("San Francisco"), deck.find_face("Paris/Rome"), deck.find_face("x")], [None; 3]);
        assert_eq!(deck.find_link("chicago"), Some(0));
        assert_eq!(deck.regions_of_card(42), None);
    }

    #[test]
    fn faces_know_their_cards_cities_and_regions() {
        let deck = Deck::new(&Source::Custom(Box::new(small()))).unwrap();
        assert_eq!(deck.faces().len(), 9);
        assert_eq!(deck.face(8).kind, Kind::Link(0));
        assert_eq!(deck.face_name(7), "Elm/Ash");
        assert_eq!((deck.faces_of_city(0), deck.faces_of_card(3)), (0b100_0001, 0b1_0000_0000));
        assert_eq!(deck.faces_of_region(1), 0b1010_1010);
        assert_eq!(deck.find_region("Far Hill"), Some(1));
        assert_eq!(deck.all_cards(), 0b1_1111);
    }

    #[test]
    fn a_linking_card_may_have_two_faces() {
        let mut description = small();
        description.cities.extend([city("Hub", &["wood", "far_hill"]), city("Inn", &["far_hill", "wood"])]);
        let cards = [["inn", "gate"], ["hub", "inn"]].map(|sides| sides.map(str::to_owned));
        description.cards.splice(0..0, cards);
        let deck = Deck::new(&Source::Custom(Box::new(description))).unwrap();
        assert_eq!((deck.num_region_faces(), deck.faces().len(), deck.links().len()), (8, 13, 3));
        let names: Vec<String> = (8..13).map(|face| deck.face_name(face)).collect();
        assert_eq!(names, ["Gate/Inn", "Gate", "Hub/Inn", "Inn/Gate", "Inn/Hub"]);
        assert!((0..13).all(|face| deck.find_face(&deck.face_name(face)) == Some(face)));
        assert!((0..7).all(|card| deck.find_card(&deck.card_name(card)) == Some(card)));
        assert_eq!([deck.find_face("inn"), deck.find_face("hub"), deck.find_face("gate")], [None, Some(10), Some(9)]);
        assert_eq!((deck.faces_of_card(0), deck.faces_of_city(6)), (0b1001 << 8, 0b11 << 8));
        assert_eq!((deck.find_link("INN"), deck.face(12).kind), (Some(2), Kind::Link(2)));
    }

    #[test]
    fn contradictions_are_named() {
        let card = |front: &str, back: &str| [front.to_owned(), back.to_owned()];
        assert_eq!(refusal(|deck| deck.cards.push(card("ash", "oz"))), "card 6: no city \"oz\"");
        assert_eq!(refusal(|deck| deck.cards.push(card("dale", "ash"))), "two cards show Dale/Ash");
        assert_eq!(
            refusal(|deck| deck.cards.push(card("dale", "dale"))),
            "card 6 shows \"Dale\" on both sides (CONN-1)"
        );
        assert_eq!(refusal(|deck| deck.cards.push(card("gate", "gate"))), "two cards show Gate");
        let message = "card 6: \"Gate\" is a linking city and \"Ash\" is none; both sides must be (CONN-2)";
        assert_eq!(refusal(|deck| deck.cards.push(card("ash", "gate"))), message);
        assert_eq!(refusal(|deck| deck.cities.push(city("ASH", &["wood"]))), "two cities are called \"ASH\"");
        let message = "\"Lake\" has 1 cities; at least 3 are needed (CONN-6)";
        assert_eq!(refusal(|deck| deck.cities.push(city("Ox", &["lake"]))), message);
        let message = "\"Ox\" has 0 regions; 1 to 3 are allowed (CONN-2)";
        assert_eq!(refusal(|deck| deck.cities.push(city("Ox", &[]))), message);
        let message = "\"Ox\" names the region \"wood\" twice";
        assert_eq!(refusal(|deck| deck.cities.push(city("Ox", &["wood", "wood"]))), message);
        assert_eq!(refusal(|deck| deck.cities.push(city("-", &["wood"]))), "city 8 has an empty id or name");
        let message = "\"A/B\": a slash stands between the two sides of a card";
        assert_eq!(refusal(|deck| deck.cities.push(city("A/B", &["wood"]))), message);
        let name = |id: &str, name: &str| RegionName { id: id.to_owned(), name: name.to_owned() };
        assert_eq!(refusal(|deck| deck.regions.push(name("sea", "Sea"))), "no city is of the region \"sea\"");
        let message = "two regions are called \"Wood\", or it is empty";
        assert_eq!(refusal(|deck| deck.regions.push(name("far_hill", "Wood"))), message);
    }
}
