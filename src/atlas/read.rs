//! An atlas as people write it: tables of regions and waters, or an option of a game.

use std::collections::{BTreeMap, BTreeSet};

use super::{Atlas, Description, MAX_PLACES, Place, Site, Water, described};
use crate::names::{check_name, check_shown, fold, ident};
use crate::set::Set;
use crate::table::{Columns, Names, Problems, Row, Written, check_separators, place};
use crate::text::counted;

const COLUMNS: [&str; 12] =
    ["id", "name", "abbreviation", "nation", "also_in", "region", "lon", "lat", "borders", "waters", "col", "row"];
/// Where the home nation stands, if not in the first of these.
const HOMES: [&str; 3] = ["nation", "edition", "region"];
/// How a column begins that has the names in another language, such as `name_cy`: further names.
const OTHER_NAMES: &str = "name_";
const LAST_TILE: u16 = 999;
const MAX_BORDERS: usize = MAX_PLACES * (MAX_PLACES - 1) / 2;

const REGIONS: Columns =
    Columns { needed: &[&["name", "id"], &["borders"]], named, most: (MAX_PLACES, "regions and waters") };
const WATERS: Columns = Columns { needed: &[&["name", "id"]], ..REGIONS };

/// The name of a column: ours in small letters, others as they are.
fn named(header: &str) -> String {
    let small = header.to_lowercase();
    let small = if small == "column" { "col" } else { &small };
    let is_ours = COLUMNS.contains(&small) || HOMES.contains(&small) || ["kind", "also_called"].contains(&small);
    if is_ours { small } else { header }.to_owned()
}

/// An atlas as it comes in.
pub struct Tables {
    /// What the atlas is called.
    pub name: String,
    /// The regions.
    pub regions: Written,
    /// The waters and outside countries; without them, all that regions touch are seas.
    pub waters: Option<Written>,
    /// The borders.
    pub borders: Borders,
}

/// How borders and touches are written.
pub enum Borders {
    /// In the rows of the regions: a border on both sides.
    InRows,
    /// Apart from them, each border once; the rows of the waters have the regions that touch them.
    Pairs(Vec<Vec<String>>),
    /// Apart from them, by region, each border on both sides; waters as with pairs.
    Lists(Vec<(String, Vec<String>)>),
}

/// An atlas that was read, with what no game needs.
pub struct Read {
    /// The atlas.
    pub atlas: Atlas,
    /// More about each of its places.
    pub details: Vec<Details>,
}

/// What is known about a place beside its names and borders.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Details {
    /// Of a water, "sea" or "country".
    pub kind: String,
    /// The part of its nation that a region lies in.
    pub region: String,
    /// Longitude and latitude.
    pub point: Option<[f64; 2]>,
    /// Column and row in a tile map.
    pub tile: Option<[u16; 2]>,
    /// Further columns of the table.
    pub extra: Vec<(String, String)>,
}

/// Reads the tables of an atlas, or says all that is wrong with them.
pub fn read(tables: Tables) -> Result<Read, Problems> {
    let mut problems = Problems::default();
    let Tables { name, regions, waters, borders } = tables;
    let regions = regions.read(&name, &REGIONS, &mut problems);
    let waters = waters.map(|waters| waters.read(&name, &WATERS, &mut problems));
    problems.none()?;
    let mut reader = Reader::new(regions.source, problems);
    reader.check_places(regions.rows.len() + waters.as_ref().map_or(0, |waters| waters.rows.len()))?;
    let mut columns: Vec<&str> = Vec::new();
    for column in regions.rows.iter().flat_map(Row::columns) {
        if !columns.contains(&column) {
            columns.push(column);
        }
    }
    let home = HOMES.into_iter().find(|home| columns.contains(home)).unwrap_or(HOMES[0]);
    columns.retain(|column| !COLUMNS.contains(column) && *column != home);
    let is_apart = !matches!(borders, Borders::InRows);
    for row in &regions.rows {
        reader.add_region(row, home, &columns, is_apart);
    }
    reader.num_regions = reader.drafts.len();
    match waters {
        Some(waters) => waters.rows.iter().for_each(|row| reader.add_water(row, is_apart)),
        None => reader.add_touched()?,
    }
    reader.finish(&borders)
}

/// Checks an atlas that a game is given.
pub(super) fn check(description: &Description) -> Result<Atlas, Problems> {
    let Description { name, noun, regions, waters, outlines } = description;
    let mut reader = Reader::new(name.clone(), Problems::default());
    reader.problems.check(name, check_shown("name", name));
    reader.problems.check(name, check_name("noun", noun));
    reader.check_places(regions.len() + waters.len())?;
    for (region, number) in regions.iter().zip(1..) {
        let short = if region.abbreviation.is_empty() { &region.name } else { &region.abbreviation };
        reader.add(Draft {
            place: place(&format!("region {number}"), &region.name),
            names: Place {
                id: region.id.clone(),
                name: region.name.clone(),
                abbreviation: short.clone(),
                also_called: region.also_called.clone(),
                nations: region.nations.clone(),
            },
            borders: region.borders.clone(),
            waters: region.waters.clone(),
            details: Details { point: region.point, tile: region.tile, ..Details::default() },
            ..Draft::default()
        });
    }
    reader.num_regions = regions.len();
    for (Water { id, name, kind, point }, number) in waters.iter().zip(1..) {
        let place = place(&format!("water {number}"), name);
        let mut draft = Draft::water(place, id.clone(), name.clone(), kind);
        draft.details.point = *point;
        reader.add(draft);
    }
    let geography = outlines.as_ref().map(described).transpose();
    reader.problems.check(name, geography.as_ref().map(|_| ()).map_err(Clone::clone));
    let atlas = reader.finish(&Borders::InRows)?.atlas;
    Ok(Atlas { noun: noun.clone(), geography: geography.unwrap_or_default(), ..atlas })
}

/// A place as it is written, and where.
#[derive(Default)]
struct Draft {
    place: String,
    names: Place,
    /// What it borders, as it is written; of a water, the regions that touch it.
    borders: Vec<String>,
    waters: Vec<String>,
    details: Details,
    /// Whether its names are not its own.
    is_doubtful: bool,
}

impl Draft {
    fn water(place: String, id: String, name: String, kind: &str) -> Self {
        let names = Place { id, abbreviation: name.clone(), name, ..Place::default() };
        let kind = if kind.is_empty() { "sea" } else { kind }.to_owned();
        Self { place, names, details: Details { kind, ..Details::default() }, ..Self::default() }
    }
}

/// The places of an atlas to be, regions first, and what is wrong with them.
struct Reader {
    source: String,
    drafts: Vec<Draft>,
    num_regions: usize,
    names: Names,
    near: Vec<Set>,
    problems: Problems,
}

impl Reader {
    fn new(source: String, problems: Problems) -> Self {
        Self { source, drafts: Vec::new(), num_regions: 0, names: Names::default(), near: Vec::new(), problems }
    }

    /// Gives up at once if there are more places than an atlas may have.
    fn check_places(&mut self, places: usize) -> Result<(), Problems> {
        if places <= MAX_PLACES {
            return Ok(());
        }
        self.problems.at_most(&self.source, places, MAX_PLACES, "regions and waters");
        self.problems.none()
    }

    fn add(&mut self, mut draft: Draft) {
        let Place { id, name, abbreviation, also_called, nations } = &draft.names;
        let claimed = self.names.claim(&draft.place, &[("name", name), ("id", id), ("abbreviation", abbreviation)]);
        draft.is_doubtful = claimed.is_err();
        self.problems.check(&draft.place, claimed);
        self.problems.check(&draft.place, check_separators("id", id));
        for (what, texts) in [("other name", also_called), ("nation", nations)] {
            for text in texts {
                self.problems.check(&draft.place, check_name(what, text).and_then(|()| check_separators(what, text)));
            }
        }
        for (what, list) in [("borders", &mut draft.borders), ("waters", &mut draft.waters)] {
            if list.len() > MAX_PLACES {
                self.problems.at_most(&draft.place, list.len(), MAX_PLACES, what);
                list.clear();
            }
        }
        if !["", "sea", "country"].contains(&&*draft.details.kind) {
            let what = format!("kind {:?} is neither \"sea\" nor \"country\"", draft.details.kind);
            self.problems.add(&draft.place, what);
        }
        self.drafts.push(draft);
    }

    fn add_region(&mut self, row: &Row, home: &str, further: &[&str], is_apart: bool) {
        let (id, name, place) = row.called();
        let short = row.text("abbreviation");
        let mut nations = vec![row.text(home)];
        nations.extend(row.list("also_in"));
        let mut once = Vec::new();
        for nation in nations.into_iter().filter(|nation| !nation.is_empty()) {
            if !once.contains(&nation) {
                once.push(nation);
            }
        }
        let mut also_called = row.list("also_called");
        for column in further.iter().filter(|column| column.starts_with(OTHER_NAMES)) {
            let other = row.text(column);
            if !(other.is_empty() || other == name || also_called.contains(&other)) {
                also_called.push(other);
            }
        }
        self.add(Draft {
            place: place.clone(),
            names: Place {
                id: if id.is_empty() { ident(&name) } else { id },
                abbreviation: if short.is_empty() { name.clone() } else { short },
                name,
                also_called,
                nations: once,
            },
            borders: row.list("borders"),
            waters: row.list("waters"),
            ..Draft::default()
        });
        let details = Details {
            kind: String::new(),
            region: row.text("region"),
            point: row.point(&place, &mut self.problems),
            tile: self.tile(row, &place),
            extra: further.iter().map(|&column| (column.to_owned(), row.text(column))).collect(),
        };
        for column in ["borders", "waters"].into_iter().filter(|column| is_apart && row.has(column)) {
            self.problems.add(&place, format_args!("{column} are given apart from the regions"));
        }
        self.drafts.last_mut().expect("it was added").details = details;
    }

    fn tile(&mut self, row: &Row, place: &str) -> Option<[u16; 2]> {
        let mut number = |column: &str| {
            let text = row.text(column);
            let value = text.parse().ok().filter(|&value: &u16| value <= LAST_TILE);
            if value.is_none() && !text.is_empty() {
                let what = format!("{column} \"{text}\" is not a whole number from 0 to {LAST_TILE}");
                self.problems.add(place, what);
            }
            value
        };
        let tile = [number("col"), number("row")];
        row.both(["col", "row"], place, &mut self.problems);
        Some([tile[0]?, tile[1]?])
    }

    fn add_water(&mut self, row: &Row, is_apart: bool) {
        let (id, name, _) = row.called();
        let (id, name) = if id.is_empty() { named_water(&name) } else { (id, name) };
        let place = place(&row.place, &name);
        let point = row.point(&place, &mut self.problems);
        let mut draft = Draft::water(place, id, name, &row.text("kind"));
        draft.details.point = point;
        if is_apart {
            draft.borders = row.list("touches");
        }
        self.add(draft);
    }

    /// Takes every water that regions touch, in the order of its first appearance.
    fn add_touched(&mut self) -> Result<(), Problems> {
        let (mut first, mut seen) = (Vec::new(), BTreeSet::new());
        for draft in &self.drafts {
            for text in &draft.waters {
                if seen.insert(fold(text)) && self.names.index.find(text).is_none() {
                    first.push((format!("{}, waters", draft.place), text.clone()));
                }
            }
        }
        self.check_places(self.num_regions + first.len())?;
        for (at, text) in first {
            let (id, name) = named_water(&text);
            self.add(Draft::water(place(&at, &name), id, name, ""));
        }
        Ok(())
    }

    // Borders and touches.

    /// The number of a region or water that is listed somewhere; `verb` says how.
    fn find(&mut self, at: &str, verb: &str, text: &str, is_water: bool) -> Option<usize> {
        let found = self.names.index.find(text);
        let is_meant = |number: &usize| (*number >= self.num_regions) == is_water;
        if let Some(number) = found.filter(is_meant) {
            return Some(number);
        }
        let [noun, other] = if is_water { ["water", "region"] } else { ["region", "water"] };
        let (regions, waters) = self.drafts.split_at(self.num_regions);
        let among = if is_water { waters } else { regions };
        let hint = match found {
            Some(_) => format!("; that is a {other}"),
            None => self.names.hint(text, among.iter().map(|draft| &*draft.names.name)),
        };
        let comma = if hint.is_empty() && text.contains(',') { "; lists are separated by ; or |" } else { "" };
        self.problems.add(at, format_args!("{verb} \"{text}\", which is no {noun}{hint}{comma}"));
        None
    }

    fn read_borders(&mut self, borders: &Borders) {
        match borders {
            Borders::InRows => {
                for number in 0..self.num_regions {
                    let texts = std::mem::take(&mut self.drafts[number].borders);
                    self.read_list(number, &texts);
                }
            }
            Borders::Lists(lists) => {
                for (region, texts) in lists {
                    if let Some(number) = self.find("borders", "names", region, false) {
                        let at = &self.drafts[number].place;
                        self.problems.at_most(at, texts.len(), MAX_PLACES, "borders");
                        self.read_list(number, if texts.len() > MAX_PLACES { &[] } else { texts });
                    }
                }
            }
            Borders::Pairs(pairs) if pairs.len() > MAX_BORDERS => {
                let what = format!("more than {MAX_BORDERS} borders, which is all there can be");
                self.problems.add(&self.source, what);
            }
            Borders::Pairs(pairs) => {
                for (pair, number) in pairs.iter().zip(1..) {
                    self.read_pair(&format!("border {number}"), pair);
                }
            }
        }
    }

    fn read_list(&mut self, number: usize, texts: &[String]) {
        let at = self.drafts[number].place.clone();
        for text in texts {
            if let Some(other) = self.find(&at, "borders", text, false) {
                self.border(&at, number, other);
            }
        }
    }

    fn read_pair(&mut self, at: &str, pair: &[String]) {
        let [one, other] = pair else {
            return self.problems.add(at, format_args!("{}, expected 2", counted(pair.len(), "region")));
        };
        let at = place(at, &format!("{one} - {other}"));
        let (one, other) = (self.find(&at, "names", one, false), self.find(&at, "names", other, false));
        if let (Some(one), Some(other)) = (one, other)
            && self.border(&at, one, other)
        {
            self.near[other].insert(one as u8);
        }
    }

    /// Takes a border, from one side; false if it is none.
    fn border(&mut self, at: &str, one: usize, other: usize) -> bool {
        let [name, other_name] = [one, other].map(|number| &self.drafts[number].names.name);
        if one == other {
            self.problems.add(at, format_args!("{name} borders itself"));
        } else if self.near[one].contains(other as u8) {
            self.problems.add(at, format_args!("the border of {name} and {other_name} is listed twice"));
        } else {
            self.near[one].insert(other as u8);
            return true;
        }
        false
    }

    fn check_symmetry(&mut self) {
        for (one, draft) in self.drafts[..self.num_regions].iter().enumerate() {
            for other in self.near[one].iter() {
                let far = &self.drafts[usize::from(other)];
                if !(self.near[usize::from(other)].contains(one as u8) || draft.is_doubtful || far.is_doubtful) {
                    let (name, other) = (&draft.names.name, &far.names.name);
                    let what = format!("borders {other}, but {other} does not border {name}");
                    self.problems.add(&draft.place, what);
                }
            }
        }
    }

    fn read_touches(&mut self) {
        for number in 0..self.drafts.len() {
            let at = self.drafts[number].place.clone();
            let is_water = number >= self.num_regions;
            let draft = &mut self.drafts[number];
            for text in std::mem::take(if is_water { &mut draft.borders } else { &mut draft.waters }) {
                let Some(other) = self.find(&at, "touches", &text, !is_water) else { continue };
                if self.near[number].contains(other as u8) {
                    let (region, water) = (number.min(other), number.max(other));
                    let [region, water] = [region, water].map(|number| &self.drafts[number].names.name);
                    self.problems.add(&at, format_args!("{region} and {water} are listed twice"));
                }
                self.near[number].insert(other as u8);
                self.near[other].insert(number as u8);
            }
        }
    }

    // All together.

    fn check_tiles(&mut self) {
        let mut first: BTreeMap<[u16; 2], &str> = BTreeMap::new();
        for draft in &self.drafts {
            let Some(tile @ [column, row]) = draft.details.tile else { continue };
            let other = *first.entry(tile).or_insert(&draft.place);
            if other != draft.place {
                let what = format!("its tile, col {column}, row {row}, is taken by {other}");
                self.problems.add(&draft.place, what);
            }
        }
    }

    fn check_nations(&mut self) {
        let mut spelling: BTreeMap<String, &str> = BTreeMap::new();
        for (draft, nation) in self.drafts.iter().flat_map(|draft| draft.names.nations.iter().map(move |n| (draft, n)))
        {
            let usual = *spelling.entry(fold(nation)).or_insert(nation);
            if fold(nation).is_empty() {
                let what = format!("the nation \"{nation}\" has no letter and no digit");
                self.problems.add(&draft.place, what);
            } else if usual != nation {
                let what = format!("the nation \"{nation}\" is spelled \"{usual}\" elsewhere");
                self.problems.add(&draft.place, what);
            }
        }
    }

    fn finish(mut self, borders: &Borders) -> Result<Read, Problems> {
        self.near = vec![Set::EMPTY; self.drafts.len()];
        self.read_borders(borders);
        if !matches!(borders, Borders::Pairs(_)) {
            self.check_symmetry();
        }
        self.read_touches();
        if self.num_regions == 0 {
            self.problems.add(&self.source, "no regions");
        }
        self.check_tiles();
        self.check_nations();
        self.problems.none()?;
        let mut by_name = self.names.index;
        for (number, draft) in self.drafts.iter().enumerate() {
            draft.names.also_called.iter().for_each(|name| _ = by_name.add(name, number));
        }
        let (places, details): (_, Vec<Details>) =
            self.drafts.into_iter().map(|draft| (draft.names, draft.details)).unzip();
        let site = |details: &Details| {
            let [lon, lat] = details.point?;
            Some(Site { lon, lat, tile: details.tile.map(Into::into) })
        };
        let atlas = Atlas {
            noun: super::region(),
            places,
            num_regions: self.num_regions,
            near: self.near,
            by_name,
            sites: details.iter().map(site).collect(),
            geography: None,
        };
        Ok(Read { atlas, details })
    }
}

/// The id and the name of a water that is written by either.
fn named_water(text: &str) -> (String, String) {
    let id = ident(text);
    let capital = |word: &str| {
        let mut letters = word.chars();
        let first = letters.next().filter(|_| !["and", "of", "the"].contains(&word));
        first.map_or_else(|| word.to_owned(), |first| first.to_uppercase().chain(letters).collect())
    };
    let name = if text == id { id.split('_').map(capital).collect::<Vec<_>>().join(" ") } else { text.to_owned() };
    (id, name)
}

#[cfg(test)]
mod tests {
    use super::{Borders, Read, Tables, read};
    use crate::table::{Cell, Written};

    /// Reads a file whose cells are separated by commas, with one of waters.
    fn files(regions: &str, waters: Option<&str>) -> Result<Read, String> {
        let tables = Tables {
            name: "own".to_owned(),
            regions: Written::shipped("own.csv", regions),
            waters: waters.map(|waters| Written::shipped("sea.csv", waters)),
            borders: Borders::InRows,
        };
        read(tables).map_err(|problems| problems.to_string())
    }

    fn wrong(regions: &str) -> String {
        files(regions, None).err().unwrap_or_default()
    }

    /// Reads regions by name, and waters with the regions that touch them.
    fn built(regions: &[&str], borders: Borders, waters: &[(&str, &[&str])]) -> Result<Read, String> {
        let cell = |column: &str, text: &str| (column.to_owned(), Cell::Text(text.to_owned()));
        let list = |texts: &[&str]| Cell::List(texts.iter().map(|&text| text.to_owned()).collect());
        let numbered = |noun: &str, number: usize| format!("{noun} {}", number + 1);
        let regions = regions.iter().enumerate().map(|(n, name)| (numbered("region", n), vec![cell("name", name)]));
        let water = |(n, &(name, texts)): (usize, &(&str, &[&str]))| {
            (numbered("water", n), vec![cell("name", name), ("touches".to_owned(), list(texts))])
        };
        let tables = Tables {
            name: "own".to_owned(),
            regions: Written::Cells(regions.collect()),
            waters: Some(Written::Cells(waters.iter().enumerate().map(water).collect())),
            borders,
        };
        read(tables).map_err(|problems| problems.to_string())
    }

    fn pairs(pairs: &[&[&str]]) -> Borders {
        Borders::Pairs(pairs.iter().map(|pair| pair.iter().map(|&name| name.to_owned()).collect()).collect())
    }

    fn ids(read: &Read) -> Vec<String> {
        let atlas = &read.atlas;
        let near = |n: u8| atlas.near(n).iter().map(|other| &*atlas.place(other).id).collect::<Vec<_>>().join(" ");
        (0..atlas.num_regions() as u8).map(|n| format!("{}: {}", atlas.place(n).id, near(n))).collect()
    }

    #[test]
    fn a_file_needs_only_names_and_borders() {
        let benelux = "Name,BORDERS,waters\nBelgium,Netherlands;luxembourg,North Sea\n\
                       Netherlands,Belgium,north_sea\nLuxembourg,Belgium,";
        let read = files(benelux, None).unwrap();
        assert_eq!(
            ids(&read),
            ["belgium: netherlands luxembourg north_sea", "netherlands: belgium north_sea", "luxembourg: belgium"]
        );
        assert_eq!((&*read.atlas.place(3).name, &*read.details[3].kind), ("North Sea", "sea"));
        let by_id = files("id,borders,waters\nA1,b_2,bay_of_x\nb_2,a1,", None).unwrap();
        assert_eq!(ids(&by_id), ["A1: b_2 bay_of_x", "b_2: A1"]);
        assert_eq!(by_id.atlas.place(2).name, "Bay of X");
        let waters = "id,name,kind,lon,lat\nn,North Sea,country,1.5,-2";
        let read = files(benelux, Some(waters)).unwrap();
        assert_eq!((&*read.details[3].kind, read.details[3].point), ("country", Some([1.5, -2.0])));
    }

    #[test]
    fn further_columns_are_kept_and_the_nation_has_several() {
        let read = files("name,borders,edition,also_in,region,Column,row,Note\nA,,N,M;L|N,R,3,4,x", None).unwrap();
        assert_eq!(read.atlas.place(0).nations, ["N", "M", "L"]);
        assert_eq!((&*read.details[0].region, read.details[0].tile), ("R", Some([3, 4])));
        assert_eq!(read.details[0].extra, [("Note".to_owned(), "x".to_owned())]);
        assert_eq!(files("name,borders,region\nA,,R", None).unwrap().atlas.place(0).nations, ["R"]);
        let read = files("name,borders,also_called,name_cy,name_ga\nA,,X,Y,A\nB,,,,", None).unwrap();
        assert_eq!(read.atlas.place(0).also_called, ["X", "Y"]);
        assert_eq!(read.details[0].extra[1], ("name_cy".to_owned(), "Y".to_owned()));
    }

    #[test]
    fn problems_of_rows_are_named() {
        for (text, message) in [
            ("name,borders", "own.csv: no regions"),
            ("name,borders\nA,B\nB,A\na,B", "own.csv, row 4 (a): the name \"a\" is taken by own.csv, row 2 (A)"),
            ("id,borders,waters\n,,x", "own.csv, row 2: the name is empty"),
            ("name,id,borders\nA,a|b,", "own.csv, row 2 (A): the id \"a|b\" has a ; or |, which separate lists"),
            (
                "name,abbreviation,borders\nA,-,",
                "own.csv, row 2 (A): the abbreviation \"-\" has no letter and no digit",
            ),
            (
                "name,borders,nation\nA,,Wales\nB,,wales",
                "own.csv, row 3 (B): the nation \"wales\" is spelled \"Wales\" elsewhere",
            ),
            (
                "name,borders,nation,also_in\nA,,N;M,?",
                "own.csv, row 2 (A): the nation \"N;M\" has a ; or |, which separate lists\n\
                 own.csv, row 2 (A): the nation \"?\" has no letter and no digit",
            ),
            ("name,borders,lon,lat\nA,,1,", "own.csv, row 2 (A): lon without lat"),
            (
                "name,borders,col,row\nA,,-1,0\nB,,1,1000",
                "own.csv, row 2 (A): col \"-1\" is not a whole number from 0 to 999\n\
                 own.csv, row 3 (B): row \"1000\" is not a whole number from 0 to 999",
            ),
            (
                "name,borders,col,row\nA,,1,2\nB,,1,2",
                "own.csv, row 3 (B): its tile, col 1, row 2, is taken by own.csv, row 2 (A)",
            ),
        ] {
            assert_eq!(wrong(text), message);
        }
    }

    #[test]
    fn problems_of_borders_and_waters_are_named() {
        for (text, message) in [
            ("name,borders\nA,B\nB,", "own.csv, row 2 (A): borders B, but B does not border A"),
            ("name,borders\nA,a", "own.csv, row 2 (A): A borders itself"),
            ("name,borders\nA,B;b\nB,A", "own.csv, row 2 (A): the border of A and B is listed twice"),
            (
                "name,borders\nAlpha,Betta\nBeta,",
                "own.csv, row 2 (Alpha): borders \"Betta\", which is no region; did you mean Beta?",
            ),
            ("name,borders,waters\nA,S,S", "own.csv, row 2 (A): borders \"S\", which is no region; that is a water"),
            (
                "name,borders,waters\nA,,B\nB,,",
                "own.csv, row 2 (A): touches \"B\", which is no water; that is a region",
            ),
            ("name,borders,waters\nA,,S;s", "own.csv, row 2 (A): A and S are listed twice"),
            (
                "name,borders,waters\nA,,-",
                "own.csv, row 2 (A), waters (-): the name \"-\" has no letter and no digit\n\
                 own.csv, row 2 (A): touches \"-\", which is no water",
            ),
        ] {
            assert_eq!(wrong(text), message);
        }
        let sea = |waters| files("name,borders,waters\nA,,North Sea", Some(waters)).err().unwrap_or_default();
        assert_eq!(
            sea("name\nNorth Se"),
            "own.csv, row 2 (A): touches \"North Sea\", which is no water; did you mean North Se?"
        );
        assert_eq!(
            sea("name,kind\nNorth Sea,lake\nA,"),
            "sea.csv, row 2 (North Sea): kind \"lake\" is neither \"sea\" nor \"country\"\n\
             sea.csv, row 3 (A): the name \"A\" is taken by own.csv, row 2 (A)"
        );
        assert_eq!(sea("name,kind\nA"), "sea.csv, row 2: 1 field, expected 2");
    }

    #[test]
    fn borders_may_be_given_apart() {
        let seas: [(&str, &[&str]); 1] = [("salt_sea", &["b"])];
        let read = built(&["A", "B", "C"], pairs(&[&["c", "A"], &["B", "A"]]), &seas).unwrap();
        assert_eq!(ids(&read), ["a: b c", "b: a salt_sea", "c: a"]);
        let list = |name: &str, others: &str| (name.to_owned(), others.split(' ').map(str::to_owned).collect());
        let lists = Borders::Lists(vec![list("B", "A"), list("A", "B C"), list("C", "A")]);
        assert_eq!(ids(&built(&["A", "B", "C"], lists, &seas).unwrap()), ids(&read));
        let wrong = |regions: &[&str], borders| built(regions, borders, &[]).err().unwrap_or_default();
        assert_eq!(
            wrong(&["Alpha", "Beta"], pairs(&[&["Alpha", "Betta"]])),
            "border 1 (Alpha - Betta): names \"Betta\", which is no region; did you mean Beta?"
        );
        assert_eq!(wrong(&["A"], pairs(&[&["A"]])), "border 1: 1 region, expected 2");
        assert_eq!(
            wrong(&["A", "B"], pairs(&[&["A", "B"], &["b", "a"]])),
            "border 2 (b - a): the border of B and A is listed twice"
        );
        assert_eq!(
            wrong(&["A"], Borders::Lists(vec![("C".to_owned(), vec![])])),
            "borders: names \"C\", which is no region"
        );
        let touching = |names: &[&str]| built(&["A"], pairs(&[]), &[("S", names)]).err().unwrap_or_default();
        assert_eq!(touching(&["B"]), "water 1 (S): touches \"B\", which is no region");
        assert_eq!(touching(&["A", "a"]), "water 1 (S): A and S are listed twice");
    }

    #[test]
    fn an_atlas_has_at_most_254_places() {
        let rows = |count: usize| (0..count).map(|n| format!("r{n},,s{}", n % 4)).collect::<Vec<_>>();
        let text = |count| format!("name,borders,waters\n{}", rows(count).join("\n"));
        assert_eq!(files(&text(250), None).unwrap().atlas.places().len(), 254);
        assert_eq!(wrong(&text(251)), "own.csv: 255 regions and waters, at most 254 are allowed");
        assert_eq!(wrong(&text(300)), "own.csv: 300 regions and waters, at most 254 are allowed");
        let many: Vec<String> = (0..255).map(|n| format!("x{n}")).collect();
        let list = format!("name,borders\na,{}", many.join(";"));
        assert_eq!(wrong(&list), "own.csv, row 2 (a): 255 borders, at most 254 are allowed");
        let pair: &[&str] = &["x", "y"];
        let message = "own: more than 32131 borders, which is all there can be";
        assert_eq!(built(&["a"], pairs(&vec![pair; 32_132]), &[]).err().unwrap(), message);
    }
}
