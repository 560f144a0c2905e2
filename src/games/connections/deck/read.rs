//! A deck as people write it: tables of cities and cards, or an option of the game.

use std::collections::{BTreeMap, BTreeSet};

use super::{City, Deck, Description, MAX_CARDS, MAX_CITIES, MAX_LINKS, MAX_REGIONS, Region, RegionName, in_words};
use crate::names::{Index, check_name, check_shown, fold, ident};
use crate::table::{Columns, Names, Problems, Row, Written, check_degrees, check_separators, place};
use crate::text::counted;

/// Cities that a region has at least.
const MIN_CITIES: usize = 3;

const CITIES: Columns = Columns { needed: &[&["name", "id"], &["regions"]], named, most: (MAX_CITIES, "cities") };
const MORE: Columns = Columns { needed: &[], named: str::to_owned, ..CITIES };
const CARDS: Columns = Columns { needed: &[&["front"], &["back"]], named, most: (MAX_CARDS, "cards") };

fn named(header: &str) -> String {
    let small = header.to_lowercase();
    match &*small {
        "color" => "colour".to_owned(),
        "region" => "regions".to_owned(),
        _ => small,
    }
}

/// A deck as it comes in.
pub struct Tables {
    /// What the deck is called.
    pub name: String,
    /// The cities.
    pub cities: Written,
    /// The cards.
    pub cards: Cards,
    /// Further rows about them: a region with its colour, or a city with its point.
    pub more: Option<Written>,
}

/// Which cards there are.
pub enum Cards {
    /// Those in a table.
    Listed(Written),
    /// Those in a table, and one for every linking city that has none.
    AndLinks(Written),
    /// One for every city, with another that is so many cities further on its back: so many that the fewest cards have
    /// one region, then the most pairs of regions meet.
    Made,
}

/// Reads the tables of a deck, or says all that is wrong with them.
pub fn read(tables: Tables) -> Result<Deck, Problems> {
    let mut problems = Problems::default();
    let Tables { name, cities, cards, more } = tables;
    let cities = cities.read(&name, &CITIES, &mut problems);
    let (cards, has_links) = match cards {
        Cards::Listed(cards) => (Some(cards.read(&name, &CARDS, &mut problems)), true),
        Cards::AndLinks(cards) => (Some(cards.read(&name, &CARDS, &mut problems)), false),
        Cards::Made => (None, false),
    };
    let more = more.map(|more| more.read(&name, &MORE, &mut problems));
    problems.none()?;
    let mut reader = Reader { problems, source: cities.source, ..Reader::default() };
    for row in &cities.rows {
        reader.add_row(row);
    }
    for row in more.iter().flat_map(|more| &more.rows) {
        if row.has("colour") { reader.colour(row) } else { reader.locate(row) }
    }
    reader.check_cities();
    match &cards {
        Some(cards) => cards.rows.iter().for_each(|row| reader.add_card_row(row)),
        None => reader.make_cards(),
    }
    if !has_links {
        reader.add_links();
    }
    if let Some(cards) = cards {
        reader.source = cards.source;
    }
    reader.finish()
}

/// Checks a deck that the game is given.
pub(super) fn check(description: &Description) -> Result<Deck, Problems> {
    let Description { name, regions, cities, cards } = description;
    let mut reader = Reader { source: name.clone(), ..Reader::default() };
    reader.problems.check(name, check_shown("name", name));
    reader.problems.at_most(name, cities.len(), MAX_CITIES, "cities");
    reader.problems.at_most(name, cards.len(), MAX_CARDS, "cards");
    reader.problems.none()?;
    for (city, number) in cities.iter().zip(1..) {
        let at = place(&format!("city {number}"), &city.name);
        for (column, value) in [("lon", city.lon), ("lat", city.lat)] {
            if let Some(value) = value {
                reader.problems.check(&at, check_degrees(column, value, value));
            }
        }
        if city.lon.is_some() != city.lat.is_some() {
            reader.problems.add(&at, "lon and lat are both given or both missing");
        }
        let names = city.regions.iter().map(|id| (id.clone(), in_words(id))).collect();
        reader.add(Draft { place: at, city: city.clone(), kind: String::new(), regions: Vec::new() }, names);
    }
    for (RegionName { id, name }, number) in regions.iter().zip(1..) {
        reader.rename(&place(&format!("region {number}"), name), id, name);
    }
    reader.check_cities();
    for (sides, number) in cards.iter().zip(1..) {
        reader.add_card(&place(&format!("card {number}"), &sides.join("/")), sides);
    }
    reader.finish()
}

/// A city as it is written, and where, with the numbers of its regions.
struct Draft {
    place: String,
    city: City,
    kind: String,
    regions: Vec<usize>,
}

impl Draft {
    fn is_link(&self) -> bool {
        self.regions.len() > 1
    }
}

/// The cities and cards of a deck to be, and what is wrong with them.
#[derive(Default)]
struct Reader {
    source: String,
    drafts: Vec<Draft>,
    names: Names,
    regions: Vec<Region>,
    region_index: Index,
    cards: Vec<[usize; 2]>,
    places: BTreeMap<[usize; 2], String>,
    problems: Problems,
}

impl Reader {
    // Cities.

    fn add_row(&mut self, row: &Row) {
        let (id, name, place) = row.called();
        let point = row.point(&place, &mut self.problems);
        let texts = row.list("regions");
        let called = |text: &String| if *text == ident(text) { in_words(text) } else { text.clone() };
        let names = texts.iter().map(|text| (ident(text), called(text))).collect();
        let city = City {
            id: if id.is_empty() { ident(&name) } else { id },
            name,
            regions: texts,
            colour: Some(row.text("colour")).filter(|colour| !colour.is_empty()),
            lon: point.map(|[lon, _]| lon),
            lat: point.map(|[_, lat]| lat),
        };
        self.add(Draft { place, city, kind: row.text("kind"), regions: Vec::new() }, names);
        let draft = self.drafts.last_mut().expect("it was added");
        draft.city.regions = draft.regions.iter().map(|&region| self.regions[region].id.clone()).collect();
    }

    /// Takes a city; `names` are the ids and names of its regions, unless they come up before.
    fn add(&mut self, mut draft: Draft, names: Vec<(String, String)>) {
        let Draft { place, city, .. } = &draft;
        match self.names.claim(place, &[("name", &city.name), ("id", &city.id)]) {
            Err(unclear) => self.problems.add(place, unclear),
            Ok(()) if city.name.contains('/') || city.id.contains('/') => {
                self.problems.add(place, "a / in the name, which separates the sides of a card");
            }
            Ok(()) => {}
        }
        if let Some(colour) = &city.colour {
            self.problems.check(place, check_shown("colour", colour));
        }
        self.check_kind(&draft);
        for (text, (id, name)) in draft.city.regions.iter().zip(names) {
            let checked = check_name("region", text).and_then(|()| check_separators("region", text));
            if checked.is_err() {
                self.problems.check(&draft.place, checked);
            } else if fold(text).is_empty() {
                self.problems.add(&draft.place, format_args!("the region \"{text}\" has no letter and no digit"));
            } else {
                let region = self.region_index.add(text, self.regions.len());
                if region == self.regions.len() {
                    self.regions.push(Region { id, name, colour: None });
                }
                if draft.regions.contains(&region) {
                    self.problems.add(&draft.place, format_args!("the region \"{text}\" is listed twice"));
                }
                draft.regions.push(region);
            }
        }
        self.drafts.push(draft);
    }

    fn check_kind(&mut self, Draft { place, city, kind, .. }: &Draft) {
        let count = city.regions.len();
        match &*kind.to_lowercase() {
            "link" if !(2..=3).contains(&count) => {
                self.problems.add(place, format_args!("a link joins 2 or 3 regions, not {count} (CONN-2)"));
            }
            "region" if count > 1 => self.problems.add(place, format_args!("kind \"{kind}\", but {count} regions")),
            "" | "region" | "link" if (1..=3).contains(&count) => {}
            "" | "region" | "link" => {
                self.problems.add(place, format_args!("{count} regions, 1 to 3 are allowed (CONN-2)"));
            }
            _ => self.problems.add(place, format_args!("kind \"{kind}\" is neither \"region\" nor \"link\"")),
        }
    }

    /// Gives a region another name than the one made from its id.
    fn rename(&mut self, at: &str, id: &str, name: &str) {
        let Some(region) = self.region_index.get(id) else {
            return self.problems.add(at, format_args!("no city is of the region \"{id}\""));
        };
        self.problems.check(at, check_name("region", name));
        if fold(name).is_empty() {
            self.problems.add(at, format_args!("the region \"{name}\" has no letter and no digit"));
        } else if self.region_index.add(name, region) != region {
            self.problems.add(at, format_args!("two regions are called \"{name}\""));
        }
        name.clone_into(&mut self.regions[region].name);
    }

    /// Gives a colour to the cities of a region.
    fn colour(&mut self, row: &Row) {
        let region = row.text("region");
        let Some(found) = self.region_index.find(&region) else {
            let hint = self.names.hint(&region, self.regions.iter().map(|region| &*region.name));
            return self.problems.add(&row.place, format_args!("\"{region}\" is no region{hint}"));
        };
        for draft in self.drafts.iter_mut().filter(|draft| draft.regions == [found]) {
            draft.city.colour = Some(row.text("colour")).filter(|colour| !colour.is_empty());
        }
    }

    /// Gives a city its point.
    fn locate(&mut self, row: &Row) {
        if let Some(found) = self.find(&row.place, &row.text("city")) {
            let draft = &mut self.drafts[found];
            let point = row.point(&draft.place, &mut self.problems);
            (draft.city.lon, draft.city.lat) = (point.map(|[lon, _]| lon), point.map(|[_, lat]| lat));
        }
    }

    fn check_cities(&mut self) {
        let members = |region: usize| self.drafts.iter().filter(move |draft| draft.regions == [region]);
        for (number, region) in self.regions.iter_mut().enumerate() {
            let count = members(number).count();
            if let Some(first) = members(number).next().filter(|_| count < MIN_CITIES) {
                let has = if count == 1 { "1 city".to_owned() } else { format!("{count} cities") };
                let what = format!("the region {} has {has}, {MIN_CITIES} are needed (CONN-6)", region.name);
                self.problems.add(&first.place, what);
            }
            region.colour = members(number).find_map(|draft| draft.city.colour.clone());
            for draft in members(number) {
                if let (Some(first), Some(colour)) = (&region.colour, &draft.city.colour)
                    && fold(first) != fold(colour)
                {
                    let what = format!("the colour \"{colour}\" of {} is \"{first}\" elsewhere", region.name);
                    self.problems.add(&draft.place, what);
                }
            }
        }
        let has_cities: Vec<bool> = (0..self.regions.len()).map(|number| members(number).next().is_some()).collect();
        let known: Vec<&str> =
            self.regions.iter().zip(&has_cities).filter(|(_, has)| **has).map(|(r, _)| &*r.name).collect();
        for draft in &self.drafts {
            for &region in draft.regions.iter().filter(|&&region| !has_cities[region]) {
                let name = &self.regions[region].name;
                let hint = self.names.hint(name, known.iter().copied());
                self.problems.add(&draft.place, format_args!("joins \"{name}\", a region without cities{hint}"));
            }
        }
        for draft in self.drafts.iter_mut().filter(|draft| !draft.is_link()) {
            draft.city.colour = draft.regions.first().and_then(|&region| self.regions[region].colour.clone());
        }
        if self.drafts.is_empty() {
            self.problems.add(&self.source, "no cities");
        }
        let links = self.drafts.iter().filter(|draft| draft.is_link()).count();
        self.problems.at_most(&self.source, self.drafts.len(), MAX_CITIES, "cities");
        self.problems.at_most(&self.source, self.regions.len(), MAX_REGIONS, "regions");
        self.problems.at_most(&self.source, links, MAX_LINKS, "links");
    }

    // Cards.

    fn add_card_row(&mut self, row: &Row) {
        let mut sides = row.list("cities");
        if !row.has("cities") {
            sides = [row.text("front"), row.text("back")].into_iter().filter(|side| !side.is_empty()).collect();
        }
        self.add_card(&place(&row.place, &sides.join("/")), &sides);
    }

    fn add_card(&mut self, at: &str, sides: &[String]) {
        let found: Vec<usize> = sides.iter().filter_map(|side| self.find(at, side)).collect();
        if !(1..=2).contains(&sides.len()) {
            return self.problems.add(at, format_args!("{} cities, expected 2", sides.len()));
        }
        if found.len() < sides.len() {
            return;
        }
        let card @ [front, back] = [found[0], found[found.len() - 1]];
        let other = self.places.entry([front.min(back), front.max(back)]).or_insert_with(|| at.to_owned());
        let [one, two] = card.map(|city| &self.drafts[city]);
        if other != at {
            self.problems.add(at, format_args!("the same card as {other}"));
        } else if one.is_link() != two.is_link() {
            let (one, two) = (&one.city.name, &two.city.name);
            let what = format!("linking cities are on both sides or on none, not {one} and {two} (CONN-2)");
            self.problems.add(at, what);
        } else if front == back && !one.is_link() {
            let what = format!("{}, which is no linking city, on both sides (CONN-1)", one.city.name);
            self.problems.add(at, what);
        } else {
            self.cards.push(card);
        }
    }

    fn find(&mut self, at: &str, text: &str) -> Option<usize> {
        let found = self.names.index.find(text);
        if found.is_none() {
            let hint = match self.region_index.find(text) {
                Some(_) => "; that is a region".to_owned(),
                None => self.names.hint(text, self.drafts.iter().map(|draft| &*draft.city.name)),
            };
            self.problems.add(at, format_args!("\"{text}\" is no city{hint}"));
        }
        found
    }

    /// Makes cards of region cities: see [`Cards::Made`]. Where there is no room for so many, the last cities are on
    /// backs alone.
    fn make_cards(&mut self) {
        if !self.problems.is_empty() {
            return;
        }
        let cities: Vec<usize> = (0..self.drafts.len()).filter(|&city| !self.drafts[city].is_link()).collect();
        let (size, links) = (cities.len(), self.drafts.len() - cities.len());
        let number = size.min(MAX_CARDS - links);
        let paired = |steps: usize| -> Vec<[usize; 2]> {
            (0..number).map(|city| [cities[city], cities[(city + steps) % size]]).collect()
        };
        let mixed = |cards: &[[usize; 2]]| {
            let region = |city: usize| self.drafts[city].regions[0];
            let met: Vec<_> = cards.iter().map(|card| card.map(region)).collect();
            let same = met.iter().filter(|[one, other]| one == other).count();
            let pairs: BTreeSet<_> = met.iter().map(|&[one, other]| [one.min(other), one.max(other)]).collect();
            (same, size - pairs.len().min(size))
        };
        // So many steps that no city is left out, and no card is another one turned.
        let steps = (size - number).max(1)..=number.min(size.saturating_sub(1));
        let choices = steps.filter(|steps| 2 * steps != size || 2 * number == size).map(paired);
        if let Some(cards) = choices.min_by_key(|cards| mixed(cards)) {
            self.cards = cards;
        } else {
            let what = format!("{size} cities are too many for {} beside the links", counted(number, "card"));
            self.problems.add(&self.source, what);
        }
    }

    /// Gives a card to every linking city that has none.
    fn add_links(&mut self) {
        let shown: BTreeSet<usize> = self.cards.iter().flatten().copied().collect();
        let links = (0..self.drafts.len()).filter(|city| self.drafts[*city].is_link() && !shown.contains(city));
        self.cards.extend(links.map(|city| [city; 2]));
    }

    fn finish(mut self) -> Result<Deck, Problems> {
        self.problems.at_most(&self.source, self.cards.len(), MAX_CARDS, "cards");
        if self.cards.is_empty() && self.problems.is_empty() {
            self.problems.add(&self.source, "no cards");
        }
        self.problems.none()?;
        let joined = self.drafts.iter().map(|draft| draft.regions.iter().fold(0, |set, region| set | 1 << region));
        let joined: Vec<_> = joined.collect();
        let cities = self.drafts.into_iter().map(|draft| draft.city).collect();
        let cards = self.cards.into_iter().map(|sides| sides.map(|city| city as u8)).collect();
        Ok(Deck::new_checked(cities, self.regions, cards, &joined, self.names.index, self.region_index))
    }
}

#[cfg(test)]
mod tests {
    use super::{Cards, Tables, read};
    use crate::games::connections::deck::Deck;
    use crate::table::{Cell, Written};

    const CITIES: &str = "id,name,kind,Region,color,lon,lat
l,London,region,west,light blue,-0.13,51.51
p,Paris,,west,,2.35,48.86
b,Berlin,region,West,Light-blue,,
w,Warsaw,region,far_east,,21.01,52.23
k,Kyiv,region,far_east,,,
m,Mi\u{144}sk & Co,region,Far East,,,
v,Vienna,Link,west;far_east,white,16.37,48.21
";
    const CARDS: &str = "card,front,back\n0,l,w\n1,p,k\n2,minsk and co,b\n3,v,v\n4,b,l\n";

    fn files(cities: &str, cards: Option<&str>) -> Result<Deck, String> {
        let cards = cards.map(|cards| Cards::Listed(Written::shipped("cards.csv", cards)));
        let tables = Tables {
            name: "own".to_owned(),
            cities: Written::shipped("own.csv", cities),
            cards: cards.unwrap_or(Cards::Made),
            more: None,
        };
        read(tables).map_err(|problems| problems.to_string())
    }

    /// Reads regions of so many cities each, and so many linking cities of the first two, with cards or without.
    fn built(regions: usize, cities: usize, links: usize, cards: Option<Vec<[String; 2]>>) -> Result<Deck, String> {
        let row = |place: String, name: String, regions: &[usize]| {
            let regions = regions.iter().map(|region| format!("R{region}")).collect();
            (place, vec![("name".to_owned(), Cell::Text(name)), ("regions".to_owned(), Cell::List(regions))])
        };
        let both = (0..regions).flat_map(|r| (0..cities).map(move |c| (r, c)));
        let mut rows: Vec<_> = both.map(|(r, c)| row(format!("city {c}"), format!("r{r} c{c}"), &[r])).collect();
        rows.extend((0..links).map(|link| row(format!("link {link}"), format!("L{link}"), &[0, 1])));
        let card = |sides: [String; 2]| ("card".to_owned(), vec![("cities".to_owned(), Cell::List(sides.to_vec()))]);
        let cards = cards.map(|cards| Cards::AndLinks(Written::Cells(cards.into_iter().map(card).collect())));
        let tables = Tables {
            name: "own".to_owned(),
            cities: Written::Cells(rows),
            cards: cards.unwrap_or(Cards::Made),
            more: None,
        };
        read(tables).map_err(|problems| problems.to_string())
    }

    fn cards(deck: &Deck) -> String {
        (0..deck.num_cards() as u8).map(|card| deck.card_name(card)).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn a_deck_is_read_from_two_files() {
        let deck = files(CITIES, Some(CARDS)).unwrap();
        assert_eq!(cards(&deck), "London/Warsaw Paris/Kyiv Mi\u{144}sk & Co/Berlin Vienna Berlin/London");
        let regions: Vec<_> = deck.regions().iter().map(|region| (&*region.id, &*region.name)).collect();
        assert_eq!(regions, [("west", "West"), ("far_east", "Far East")]);
        let paris = &deck.cities()[1];
        assert_eq!((paris.colour.as_deref(), paris.lon, paris.lat), (Some("light blue"), Some(2.35), Some(48.86)));
        assert_eq!(
            (&deck.cities()[6].regions[..], deck.cities()[6].colour.as_deref()),
            (&["west".to_owned(), "far_east".to_owned()][..], Some("white"))
        );
    }

    #[test]
    fn cards_are_made_of_different_regions_and_show_every_city() {
        let deck = built(4, 3, 0, None).unwrap();
        let sides = deck.cards().iter().map(|[front, back]| format!("{front}-{back}")).collect::<Vec<_>>();
        assert_eq!(sides.join(" "), "0-4 1-5 2-6 3-7 4-8 5-9 6-10 7-11 8-0 9-1 10-2 11-3");
        for (regions, cities, links, pairs, same) in
            [(1, 3, 0, 1, 3), (2, 3, 1, 3, 2), (3, 5, 2, 3, 0), (6, 5, 5, 12, 0), (12, 5, 4, 24, 0), (12, 5, 13, 21, 0)]
        {
            let deck = built(regions, cities, links, None).unwrap();
            assert_eq!(deck.num_cards(), (regions * cities).min(64 - links) + links);
            assert!((0..deck.cities().len() as u8).all(|city| deck.faces_of_city(city) != 0));
            let mut met: Vec<[u8; 2]> =
                (0..deck.num_cards() as u8).filter_map(|card| deck.regions_of_card(card)).collect();
            assert_eq!(met.iter().filter(|[one, other]| one == other).count(), same);
            for regions in &mut met {
                regions.sort_unstable();
            }
            met.sort_unstable();
            met.dedup();
            assert_eq!(met.len(), pairs);
        }
        assert_eq!(built(16, 8, 0, None).unwrap().num_cards(), 64);
        let message = "own: 112 cities are too many for 55 cards beside the links";
        assert_eq!(built(16, 7, 9, None).unwrap_err(), message);
    }

    #[test]
    fn linking_cities_without_a_card_get_one() {
        let sides = vec![["r0 c0".to_owned(), "r1 c1".to_owned()], ["L1".to_owned(), "L0".to_owned()]];
        assert_eq!(cards(&built(2, 3, 3, Some(sides)).unwrap()), "r0 c0/r1 c1 L1/L0 L2");
    }

    #[test]
    fn problems_of_cities_are_named() {
        for (row, message) in [
            ("x,,,west,,,", ": the name is empty"),
            (",LONDON,,west,,,", " (LONDON): the name \"LONDON\" is taken by own.csv, row 2 (London)"),
            ("x/y,X,,west,,,", " (X): a / in the name, which separates the sides of a card"),
            ("x,X,region,;|,,,", " (X): 0 regions, 1 to 3 are allowed (CONN-2)"),
            ("x,X,link,west,,,", " (X): a link joins 2 or 3 regions, not 1 (CONN-2)"),
            ("x,X,region,west;far_east,,,", " (X): kind \"region\", but 2 regions"),
            ("x,X,Lynk,west,,,", " (X): kind \"Lynk\" is neither \"region\" nor \"link\""),
            ("x,X,,west;West,,,", " (X): the region \"West\" is listed twice"),
            ("x,X,,?,,,", " (X): the region \"?\" has no letter and no digit"),
            ("x,X,,north,,,", " (X): the region North has 1 city, 3 are needed (CONN-6)"),
            ("x,X,,west;far est,,,", " (X): joins \"far est\", a region without cities; did you mean Far East?"),
            ("x,X,,west,red,,", " (X): the colour \"red\" of West is \"light blue\" elsewhere"),
            ("x,X,,west,,1,", " (X): lon without lat"),
            ("x,X,,west,,0,-1e9", " (X): lat -1e9 is not between -90 and 90"),
        ] {
            for cards in [Some(CARDS), None] {
                assert_eq!(files(&format!("{CITIES}{row}"), cards).unwrap_err(), format!("own.csv, row 9{message}"));
            }
        }
        assert_eq!(files("name,regions", None).unwrap_err(), "own.csv: no cities");
    }

    #[test]
    fn problems_of_cards_are_named() {
        for (row, message) in [
            ("5,,", ": 0 cities, expected 2"),
            ("5,l,Pariss", " (l/Pariss): \"Pariss\" is no city; did you mean Paris?"),
            ("5,l,west", " (l/west): \"west\" is no city; that is a region"),
            ("5,v,l", " (v/l): linking cities are on both sides or on none, not Vienna and London (CONN-2)"),
            ("5,p,", " (p): Paris, which is no linking city, on both sides (CONN-1)"),
            ("5,VIENNA,", " (VIENNA): the same card as cards.csv, row 5 (v/v)"),
            ("5,Kyiv,Paris", " (Kyiv/Paris): the same card as cards.csv, row 3 (p/k)"),
        ] {
            let wrong = files(CITIES, Some(&format!("{CARDS}{row}"))).unwrap_err();
            assert_eq!(wrong, format!("cards.csv, row 7{message}"));
        }
        assert_eq!(files(CITIES, Some("front,back")).unwrap_err(), "cards.csv: no cards");
    }

    #[test]
    fn a_deck_has_limits() {
        let sides = |count: usize| {
            let both = (0..8).flat_map(|a| (0..8).map(move |b| [format!("r0 c{a}"), format!("r1 c{b}")]));
            Some(both.take(count).collect())
        };
        assert!(built(16, 8, 0, sides(64)).is_ok());
        for (regions, cities, links, cards, message) in [
            (2, 8, 1, 64, "65 cards, at most 64 are allowed"),
            (16, 8, 1, 9, "129 cities, at most 128 are allowed"),
            (2, 8, 17, 9, "17 links, at most 16 are allowed"),
            (17, 7, 0, 7, "17 regions, at most 16 are allowed"),
        ] {
            let wrong = built(regions, cities, links, sides(cards)).unwrap_err();
            assert!(wrong.starts_with(&format!("own: {message}")), "{wrong}");
        }
    }
}
