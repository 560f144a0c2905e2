//! Cities, regions and cards (CONN-1, CONN-2).

mod read;

use std::ops::AddAssign;
use std::sync::{Arc, OnceLock};

use serde::{Deserialize, Serialize};

pub use self::read::{Cards as WrittenCards, Tables, read};
use crate::bits;
use crate::names::Index;
use crate::table::{Problems, Written};

/// The most cards of a deck.
pub const MAX_CARDS: usize = 64;
/// The most cities of a deck.
pub const MAX_CITIES: usize = 128;
/// The most regions of a deck.
pub const MAX_REGIONS: usize = 16;
/// The most linking cities of a deck.
pub const MAX_LINKS: usize = 16;
/// The most faces of a deck.
pub const MAX_FACES: usize = 2 * MAX_CARDS;
/// As many as a byte can tell apart.
const BYTES: usize = 256;
/// A set of cards, a bit each.
pub type Cards = u64;
/// A set of cities, a bit each.
pub type Cities = u128;
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

impl Default for Face {
    fn default() -> Self {
        Self { card: 0, city: 0, kind: Kind::Region(0) }
    }
}

impl Face {
    /// The region of its city; none, if it is a linking city.
    const fn region(self) -> Regions {
        match self.kind {
            Kind::Region(region) => 1 << region,
            Kind::Link(_) => 0,
        }
    }
}

/// A linking city.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Link {
    /// The city.
    pub city: u8,
    /// The regions that it joins.
    pub regions: Regions,
}

/// Faces of some cards, counted by region: a byte each, as no deck has as many faces of a region as a byte can count.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PerRegion([u64; 2]);

impl PerRegion {
    /// Counts one more.
    fn count(&mut self, region: u8) {
        self.0[usize::from(region / 8)] += 1 << (8 * (region % 8));
    }

    /// The regions with three at least.
    #[inline(always)]
    pub fn with_three(self) -> impl Iterator<Item = u8> {
        // From 3 on, a number with 125 added has the highest bit.
        const ADDED: u64 = 125 * 0x0101_0101_0101_0101;
        const HIGHEST: u64 = 0x8080_8080_8080_8080;
        let [low, high] = self.0.map(|numbers| (numbers + ADDED) & HIGHEST);
        bits::each(low >> 7 | high >> 6).map(|place| place / 8 + 8 * (place % 8))
    }
}

impl AddAssign for PerRegion {
    #[inline(always)]
    fn add_assign(&mut self, other: Self) {
        self.0[0] += other.0[0];
        self.0[1] += other.0[1];
    }
}

/// A checked deck. Faces are numbered: both sides of every region card, then the linking cities, each with its cards.
/// Tables by card and by face are as long as any deck's, so that nothing has to be checked where they are read.
#[derive(Clone, PartialEq, Debug)]
pub struct Deck {
    cities: Vec<City>,
    regions: Vec<Region>,
    cards: Vec<[u8; 2]>,
    faces: [Face; BYTES],
    num_faces: usize,
    num_region_faces: usize,
    links: Vec<Link>,
    faces_of_card: [Faces; MAX_CARDS],
    faces_of_city: Vec<Faces>,
    faces_of_region: [Faces; MAX_REGIONS],
    /// The faces of each card, one of them twice if there is only one.
    sides: [[Face; 2]; MAX_CARDS],
    num_sides: [u8; MAX_CARDS],
    /// By card, the region of the front, and those of both sides.
    fronts: [Regions; MAX_CARDS],
    regions_of_cards: [Regions; MAX_CARDS],
    cities_of_region: [Cities; MAX_REGIONS],
    cities_of_card: [Cities; MAX_CARDS],
    city_of_face: [Cities; BYTES],
    per_region: [PerRegion; MAX_CARDS],
    by_name: Index,
    regions_by_name: Index,
}

impl Deck {
    /// Reads and checks a deck; the package's is read once. The error says all that is wrong with it.
    pub fn new(source: &Source) -> Result<Arc<Self>, String> {
        static WORLD: OnceLock<Result<Arc<Deck>, Problems>> = OnceLock::new();
        let deck = match source {
            Source::WorldCities => WORLD.get_or_init(|| shipped().map(Arc::new)).clone(),
            Source::Custom(description) => read::check(description).map(Arc::new),
        };
        deck.map_err(|problems| problems.to_string())
    }

    /// Numbers the faces of cards that were checked; `joined` has the regions of every city.
    fn new_checked(
        cities: Vec<City>,
        regions: Vec<Region>,
        cards: Vec<[u8; 2]>,
        joined: &[Regions],
        by_name: Index,
        regions_by_name: Index,
    ) -> Self {
        let (mut faces, mut linking, mut links) = (Vec::new(), Vec::new(), Vec::<Link>::new());
        for (sides, card) in cards.iter().zip(0..) {
            for &city in sides {
                let regions = joined[usize::from(city)];
                if regions.is_power_of_two() {
                    faces.push(Face { card, city, kind: Kind::Region(regions.trailing_zeros() as u8) });
                } else {
                    linking.push((city, card));
                }
            }
        }
        let num_region_faces = faces.len();
        linking.sort_unstable();
        linking.dedup();
        for (city, card) in linking {
            if links.last().is_none_or(|link| link.city != city) {
                links.push(Link { city, regions: joined[usize::from(city)] });
            }
            faces.push(Face { card, city, kind: Kind::Link(links.len() as u8 - 1) });
        }
        let mut faces_of_card: [Faces; MAX_CARDS] = [0; _];
        let mut per_region = [PerRegion::default(); MAX_CARDS];
        let mut faces_of_city = vec![0; cities.len()];
        let mut faces_of_region = [0; MAX_REGIONS];
        for (number, face) in faces.iter().enumerate() {
            faces_of_card[usize::from(face.card)] |= 1 << number;
            faces_of_city[usize::from(face.city)] |= 1 << number;
            if let Kind::Region(region) = face.kind {
                faces_of_region[usize::from(region)] |= 1 << number;
                per_region[usize::from(face.card)].count(region);
            }
        }
        let face = |number: u32| faces[number as usize];
        let mut sides = [[Face::default(); 2]; MAX_CARDS];
        for (sides, of_card) in sides.iter_mut().zip(&faces_of_card).filter(|(_, faces)| **faces != 0) {
            *sides = [of_card.trailing_zeros(), of_card.ilog2()].map(face);
        }
        let num_sides = faces_of_card.map(|faces| faces.count_ones().min(2) as u8);
        let fronts = sides.map(|[front, _]| front.region());
        let regions_of_cards = sides.map(|[front, back]| front.region() | back.region());
        let mut cities_of_region = [0; MAX_REGIONS];
        for face in &faces {
            if let Kind::Region(region) = face.kind {
                cities_of_region[usize::from(region)] |= 1 << face.city;
            }
        }
        let mut cities_of_card = [0; MAX_CARDS];
        for (cities, &[front, back]) in cities_of_card.iter_mut().zip(&cards) {
            *cities = 1 << front | 1 << back;
        }
        let mut city_of_face = [0; BYTES];
        for (cities, face) in city_of_face.iter_mut().zip(&faces) {
            *cities = 1 << face.city;
        }
        let num_faces = faces.len();
        let mut table = [Face::default(); BYTES];
        table[..num_faces].copy_from_slice(&faces);
        Self {
            cities,
            regions,
            cards,
            faces: table,
            num_faces,
            num_region_faces,
            links,
            faces_of_card,
            faces_of_city,
            faces_of_region,
            sides,
            num_sides,
            fronts,
            regions_of_cards,
            cities_of_region,
            cities_of_card,
            city_of_face,
            per_region,
            by_name,
            regions_by_name,
        }
    }

    /// The cities.
    #[inline(always)]
    #[must_use]
    pub fn cities(&self) -> &[City] {
        &self.cities
    }

    /// The regions.
    #[inline(always)]
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

    /// The cities on both sides of each card.
    #[must_use]
    pub fn cards(&self) -> &[[u8; 2]] {
        &self.cards
    }

    /// How many cards there are.
    #[inline(always)]
    #[must_use]
    pub fn num_cards(&self) -> usize {
        self.cards.len()
    }

    /// Every card.
    #[inline(always)]
    #[must_use]
    pub fn all_cards(&self) -> Cards {
        u64::MAX.checked_shr((MAX_CARDS - self.cards.len()) as u32).unwrap_or(0)
    }

    /// Every face.
    #[inline(always)]
    #[must_use]
    pub fn faces(&self) -> &[Face] {
        &self.faces[..self.num_faces]
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

    /// The sides of a card by the region of which they show a city.
    #[inline(always)]
    #[must_use]
    pub fn faces_per_region(&self, card: u8) -> PerRegion {
        self.per_region[usize::from(card)]
    }

    /// What a card shows: both sides, or the one that it has on both.
    #[inline(always)]
    #[must_use]
    pub fn sides(&self, card: u8) -> &[Face] {
        let sides = &self.sides[usize::from(card)];
        if self.num_sides[usize::from(card)] == 1 { &sides[..1] } else { sides }
    }

    /// The cities that a card shows.
    #[inline(always)]
    #[must_use]
    pub fn cities_shown(&self, card: u8) -> Cities {
        self.cities_of_card[usize::from(card)]
    }

    /// The city that a face shows, as a set.
    #[inline(always)]
    #[must_use]
    pub fn city_shown(&self, face: u8) -> Cities {
        self.city_of_face[usize::from(face)]
    }

    /// The regions of which a card shows a city; none, if it is a linking card.
    #[inline(always)]
    #[must_use]
    pub fn regions_shown(&self, card: u8) -> Regions {
        self.regions_of_cards[usize::from(card)]
    }

    /// The region of a card's front; none, if it is a linking card.
    #[inline(always)]
    #[must_use]
    pub fn front(&self, card: u8) -> Regions {
        self.fronts[usize::from(card)]
    }

    /// The cities of a region of which there is a card.
    #[inline(always)]
    #[must_use]
    pub fn cities_of_region(&self, region: u8) -> Cities {
        self.cities_of_region[usize::from(region)]
    }

    /// The regions of a card's front and back, if it is a region card.
    #[must_use]
    pub fn regions_of_card(&self, card: u8) -> Option<[u8; 2]> {
        let faces = self.faces_of_card(card);
        let [front, back] = [faces, faces & faces.wrapping_sub(1)].map(u128::trailing_zeros);
        let region = |face: u32| match self.faces().get(face as usize)?.kind {
            Kind::Region(region) => Some(region),
            Kind::Link(_) => None,
        };
        Some([region(front)?, region(back)?])
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
        self.by_name.get(text).map(|city| city as u8)
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
        self.regions_by_name.get(text).map(|region| region as u8)
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
        let shown = || self.faces().iter().zip(0..).filter(|(face, _)| face.city == city);
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

fn shipped() -> Result<Deck, Problems> {
    let cities = include_str!("../../../../python/adjoin/data/connections-cities.csv");
    let cards = include_str!("../../../../python/adjoin/data/connections-cards.csv");
    read(Tables {
        name: "world-cities".to_owned(),
        cities: Written::shipped("cities", cities),
        cards: WrittenCards::Listed(Written::shipped("cards", cards)),
        more: None,
    })
}

#[cfg(test)]
mod tests {
    use super::{City, Deck, Description, Kind, PerRegion, RegionName, Source};

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
    fn regions_with_three_faces_are_found_among_all() {
        let mut numbers = PerRegion::default();
        let counts = [0, 1, 2, 3, 4, 128, 2, 3, 3, 2, 0, 9, 1, 0, 2, 128];
        for (region, count) in counts.into_iter().enumerate() {
            (0..count).for_each(|_| numbers.count(region as u8));
        }
        let mut found: Vec<u8> = numbers.with_three().collect();
        found.sort_unstable();
        assert_eq!(found, [3, 4, 5, 7, 8, 11, 15]);
        let deck = Deck::new(&Source::Custom(Box::new(small()))).unwrap();
        let mut numbers = PerRegion::default();
        (0..4).for_each(|card| numbers += deck.faces_per_region(card));
        assert_eq!(numbers.with_three().collect::<Vec<_>>(), [0, 1]);
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
    fn an_option_is_checked_as_files_are() {
        let card = |front: &str, back: &str| [front.to_owned(), back.to_owned()];
        assert_eq!(refusal(|deck| deck.cards.push(card("ash", "oz"))), "card 6 (ash/oz): \"oz\" is no city");
        let message = "card 6 (dale/ash): the same card as card 1 (ash/dale)";
        assert_eq!(refusal(|deck| deck.cards.push(card("dale", "ash"))), message);
        let message = "city 8 (ASH): the name \"ASH\" is taken by city 1 (Ash)";
        assert_eq!(refusal(|deck| deck.cities.push(city("ASH", &["wood"]))), message);
        let message = "city 8 (Ox): joins \"Lake\", a region without cities";
        assert_eq!(refusal(|deck| deck.cities.push(city("Ox", &["lake", "wood"]))), message);
        let message = "city 1 (Ash): lon 200 is not between -180 and 180\n\
                       city 1 (Ash): lon and lat are both given or both missing";
        assert_eq!(refusal(|deck| deck.cities[0].lon = Some(200.0)), message);
        let name = |id: &str, name: &str| RegionName { id: id.to_owned(), name: name.to_owned() };
        let message = "region 1 (Sea): no city is of the region \"sea\"";
        assert_eq!(refusal(|deck| deck.regions.push(name("sea", "Sea"))), message);
        let message = "region 1 (Wood): two regions are called \"Wood\"";
        assert_eq!(refusal(|deck| deck.regions.push(name("far_hill", "Wood"))), message);
        assert_eq!(refusal(|deck| deck.cards.clear()), "small: no cards");
    }
}
