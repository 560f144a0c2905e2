//! Stations and the lines that begin there (METR-3).

use std::ops::RangeInclusive;
use std::sync::{Arc, OnceLock};

use serde::{Deserialize, Serialize};

use super::tiles::{ALL, DOUBLES, NUM_TILES, NUM_VALUES, Tiles};
use crate::names::{Index, check_shown, fold, ident};
use crate::table::{Columns, Names, Problems, Row, Table, Written, place};

/// The most lines of a deck.
pub const MAX_LINES: usize = 36;
/// The most lines of a station.
const MAX_LINES_OF_STATION: usize = 9;

/// Which deck of stations.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Source {
    /// The deck of the package.
    #[default]
    NewYork,
    /// The caller's own.
    Custom(Box<Description>),
}

/// A deck as its maker describes it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Description {
    /// What it is called.
    pub name: String,
    /// The stations; the first is where everything starts.
    pub stations: Vec<Station>,
}

/// A station with its lines.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Station {
    /// Unique.
    pub id: String,
    /// Unique.
    pub name: String,
    /// The lines that begin here, A, B, …
    pub lines: Vec<Line>,
}

/// A line: how many tiles it takes, and which (METR-7).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Line {
    /// Tiles that it takes.
    pub length: u8,
    /// The least value of a half.
    #[serde(default)]
    pub min: Option<u8>,
    /// The greatest value of a half.
    #[serde(default)]
    pub max: Option<u8>,
    /// Whether doubles are not allowed.
    #[serde(default)]
    pub no_doubles: bool,
}

impl Line {
    /// The tiles that the limits allow.
    fn allowed(self) -> Tiles {
        let range = self.min.unwrap_or(0)..=self.max.unwrap_or(NUM_VALUES - 1);
        let mut tiles = Tiles(if self.no_doubles { ALL.0 & !DOUBLES.0 } else { ALL.0 });
        for tile in ALL.iter().filter(|tile| !range.contains(&tile.halves().0) || !range.contains(&tile.halves().1)) {
            tiles.remove(tile);
        }
        tiles
    }

    /// The limits in words, as on the box.
    #[must_use]
    pub fn limits(self) -> String {
        let min = self.min.map(|min| format!("Min{min}"));
        let max = self.max.map(|max| format!("Max{max}"));
        let doubles = self.no_doubles.then(|| "no doubles".to_owned());
        [min, max, doubles].into_iter().flatten().collect::<Vec<_>>().join(" ")
    }
}

/// A line of a checked deck.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Track {
    /// Station and letter.
    pub name: String,
    /// Its letter among the lines of its station.
    pub letter: String,
    /// The number of the station where it begins.
    pub station: u8,
    /// Length and limits.
    pub line: Line,
    /// The tiles that the limits allow.
    pub allowed: Tiles,
}

/// A checked deck: the start station, the others, and all lines numbered in their order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Deck {
    stations: Vec<Station>,
    tracks: Vec<Track>,
    by_name: Index,
}

impl Deck {
    /// Reads and checks a deck; the package's is read once. The error says all that is wrong with it.
    pub fn new(source: &Source) -> Result<Arc<Self>, String> {
        static NEW_YORK: OnceLock<Result<Arc<Deck>, Problems>> = OnceLock::new();
        let file = include_str!("../../../python/adjoin/data/metro-stations.csv");
        let deck = match source {
            Source::NewYork => {
                let shipped = || read("new-york", Written::shipped("stations", file));
                NEW_YORK.get_or_init(|| shipped().map(Arc::new)).clone()
            }
            Source::Custom(description) => check(description).map(Arc::new),
        };
        deck.map_err(|problems| problems.to_string())
    }

    /// The stations; the first is where everything starts.
    #[inline(always)]
    #[must_use]
    pub fn stations(&self) -> &[Station] {
        &self.stations
    }

    /// The station where everything starts; every deck has one.
    #[must_use]
    pub fn start(&self) -> &Station {
        &self.stations[0]
    }

    /// All lines.
    #[inline(always)]
    #[must_use]
    pub fn tracks(&self) -> &[Track] {
        &self.tracks
    }

    /// The lines of a station.
    #[must_use]
    pub fn lines_of(&self, station: u8) -> u64 {
        let lines = self.tracks.iter().zip(0..).filter(|(track, _)| track.station == station);
        lines.fold(0, |set, (_, number)| set | 1 << number)
    }

    /// The station with this id or name, however it is written.
    #[must_use]
    pub fn find_station(&self, text: &str) -> Option<u8> {
        self.by_name.get(text).map(|station| station as u8)
    }

    /// The line with this name, however it is written.
    #[must_use]
    pub fn find_line(&self, text: &str) -> Option<u8> {
        let key = fold(text);
        let squeeze = |name: &str| name.replace(' ', "");
        let find = |is_it: &dyn Fn(&str) -> bool| self.tracks.iter().position(|track| is_it(&fold(&track.name)));
        let number = find(&|name| name == key).or_else(|| find(&|name| squeeze(name) == squeeze(&key)))?;
        Some(number as u8)
    }
}

const COLUMNS: Columns = Columns {
    needed: &[&["station"], &["name"], &["line"], &["length"], &["min"], &["max"], &["no_doubles"]],
    named: str::to_lowercase,
    most: (MAX_LINES, "lines"),
};
const LENGTHS: RangeInclusive<u8> = 1..=NUM_TILES as u8;
const VALUES: RangeInclusive<u8> = 0..=NUM_VALUES - 1;

/// Reads the table of a deck, a row a line, or says all that is wrong with it. Of rows that come as cells, those of a
/// station stand at the same place, and one without a length is a station without lines.
pub fn read(name: &str, lines: Written) -> Result<Deck, Problems> {
    let mut problems = Problems::default();
    let is_file = matches!(lines, Written::File(..));
    let Table { source, rows } = lines.read(name, &COLUMNS, &mut problems);
    problems.none()?;
    let mut drafts: Vec<Draft> = Vec::new();
    let mut last = 0;
    for row in &rows {
        let called = row.text("name");
        let (given, at) = (row.text("station"), place(&row.place, &called));
        let id = if given.is_empty() { ident(&called) } else { given };
        let known = drafts.iter().position(|draft| if is_file { draft.station.id == id } else { draft.place == at });
        let number = known.unwrap_or(drafts.len());
        if known.is_none() {
            let station = Station { id, name: called.clone(), lines: Vec::new() };
            drafts.push(Draft { place: at.clone(), station, lines: Vec::new() });
        }
        let draft = &mut drafts[number];
        if known.is_some_and(|known| known != last) {
            let (id, first) = (&draft.station.id, &draft.place);
            problems.add(&at, format_args!("the rows of \"{id}\" do not stand together, the first is {first}"));
        }
        if draft.station.name != called {
            let (name, first) = (&draft.station.name, &draft.place);
            problems.add(&at, format_args!("the name \"{called}\" is \"{name}\" in {first}"));
        }
        if is_file {
            draft.check_letter(&at, &row.text("line"), &mut problems);
        }
        if is_file || row.has("length") {
            let letter = letter(draft.lines.len());
            let at = if is_file { at } else { format!("{at}, line {letter}") };
            let line = Line::read(row, &at, &mut problems);
            draft.lines.push((at, line));
        }
        last = number;
    }
    finish(&source, drafts, problems)
}

/// Checks a deck that the game is given.
fn check(Description { name, stations }: &Description) -> Result<Deck, Problems> {
    let mut problems = Problems::default();
    problems.check(name, check_shown("name", name));
    problems.at_most(name, stations.iter().map(|station| station.lines.len()).sum(), MAX_LINES, "lines");
    problems.none()?;
    let draft = |(station, number): (&Station, usize)| {
        let at = place(&format!("station {number}"), &station.name);
        let lines = station.lines.iter().enumerate();
        let lines = lines.map(|(index, line)| (format!("{at}, line {}", letter(index)), Some(*line))).collect();
        Draft { place: at, station: station.clone(), lines }
    };
    finish(name, stations.iter().zip(1..).map(draft).collect(), problems)
}

/// A station as it is written, and where; the same of its lines, if they are lines.
struct Draft {
    place: String,
    station: Station,
    lines: Vec<(String, Option<Line>)>,
}

impl Draft {
    fn check_letter(&self, at: &str, given: &str, problems: &mut Problems) {
        let expected = letter(self.lines.len());
        if self.lines.len() < MAX_LINES_OF_STATION && given.to_uppercase() != expected {
            problems.add(at, format_args!("line \"{given}\", expected \"{expected}\""));
        }
    }
}

/// What a line of a station is called: A to I, then numbers.
fn letter(index: usize) -> String {
    let letters = 'A'..='I';
    letters.clone().nth(index).map_or_else(|| (index + 1).to_string(), String::from)
}

impl Line {
    fn read(row: &Row, at: &str, problems: &mut Problems) -> Option<Self> {
        let is_plain = row.text("no_doubles").is_empty();
        let is_known = is_plain || row.text("no_doubles").to_lowercase() == "yes";
        if !is_known {
            let given = row.text("no_doubles");
            problems.add(at, format_args!("no_doubles \"{given}\" is neither \"yes\" nor empty"));
        }
        let mut number = |column: &str, allowed: &RangeInclusive<u8>| {
            let text = row.text(column);
            let is_number = !text.is_empty() && text.len() < 10 && text.bytes().all(|byte| byte.is_ascii_digit());
            let value = text.parse().ok().filter(|value| is_number && allowed.contains(value));
            if value.is_none() {
                let shown = if is_number { text } else { format!("\"{text}\"") };
                problems.check(at, Err(not_within(column, &shown, allowed)));
            }
            value
        };
        let length = number("length", &LENGTHS);
        let mut limit =
            |column| if row.text(column).is_empty() { Some(None) } else { number(column, &VALUES).map(Some) };
        let (min, max) = (limit("min"), limit("max"));
        Some(Self { length: length?, min: min?, max: max?, no_doubles: !is_plain }).filter(|_| is_known)
    }

    /// What is wrong with a line.
    fn check(self) -> Result<(), String> {
        let Self { length, min, max, no_doubles } = self;
        if !LENGTHS.contains(&length) {
            return Err(not_within("length", &length.to_string(), &LENGTHS));
        }
        for (what, limit) in [("min", min), ("max", max)] {
            if let Some(value) = limit.filter(|value| !VALUES.contains(value)) {
                return Err(not_within(what, &value.to_string(), &VALUES));
            }
        }
        let (low, high) = (min.unwrap_or(*VALUES.start()), max.unwrap_or(*VALUES.end()));
        if low > high {
            return Err(format!("min {low} is above max {high}"));
        }
        if low == high && no_doubles {
            let what = format!("only {low}-{low} is within the limits, and that is a double");
            return Err(format!("no tile fits: {what}"));
        }
        Ok(())
    }
}

fn not_within(what: &str, shown: &str, allowed: &RangeInclusive<u8>) -> String {
    format!("{what} {shown} is not a whole number from {} to {}", allowed.start(), allowed.end())
}

fn finish(source: &str, drafts: Vec<Draft>, mut problems: Problems) -> Result<Deck, Problems> {
    let mut names = Names::default();
    for Draft { place, station, lines } in &drafts {
        problems.check(place, names.claim(place, &[("name", &station.name), ("station", &station.id)]));
        if lines.is_empty() {
            problems.add(place, "no lines");
        }
        problems.at_most(place, lines.len(), MAX_LINES_OF_STATION, "lines");
        for (at, line) in lines {
            problems.check(at, line.map_or(Ok(()), Line::check));
        }
    }
    if drafts.is_empty() {
        problems.add(source, "no stations");
    }
    problems.at_most(source, drafts.iter().map(|draft| draft.lines.len()).sum(), MAX_LINES, "lines");
    problems.none()?;
    let mut tracks = Vec::new();
    let mut stations = Vec::new();
    for (Draft { mut station, lines, .. }, number) in drafts.into_iter().zip(0..) {
        station.lines = lines.into_iter().filter_map(|(_, line)| line).collect();
        for (index, &line) in station.lines.iter().enumerate() {
            let letter = letter(index);
            let name = format!("{} {letter}", station.name);
            tracks.push(Track { name, letter, station: number, line, allowed: line.allowed() });
        }
        stations.push(station);
    }
    Ok(Deck { stations, tracks, by_name: names.index })
}

#[cfg(test)]
mod tests {
    use super::{Deck, Description, Line, Source, Station, Written, read};

    fn custom(stations: &[(&str, &[Line])]) -> Result<std::sync::Arc<Deck>, String> {
        let station = |&(name, lines): &(&str, &[Line])| Station {
            id: name.to_lowercase(),
            name: name.to_owned(),
            lines: lines.to_vec(),
        };
        let stations = stations.iter().map(station).collect();
        Deck::new(&Source::Custom(Box::new(Description { name: "test".to_owned(), stations })))
    }

    const PLAIN: Line = Line { length: 3, min: None, max: None, no_doubles: false };

    #[test]
    fn the_shipped_deck_is_read_whole() {
        let deck = Deck::new(&Source::NewYork).unwrap();
        assert_eq!((deck.stations().len(), deck.tracks().len()), (11, 24));
        assert_eq!(deck.lines_of(0), 0b1111);
        let line = &deck.tracks()[usize::from(deck.find_line("flushing meadows a").unwrap())];
        assert_eq!((line.line.length, line.line.limits().as_str()), (3, "Min2 Max7"));
        assert_eq!(line.allowed.len(), 21);
        assert_eq!(deck.find_line("HARLEM-125TH STREET B"), Some(17));
        assert_eq!(deck.find_station("harlem_125th_street"), deck.find_station("Harlem–125th Street"));
        assert_eq!(deck.find_line("StartB"), Some(1));
        assert_eq!([deck.find_line("Start E"), deck.find_line("")], [None; 2]);
    }

    #[test]
    fn an_option_is_checked_as_a_file_is() {
        let refusal = |stations: &[(&str, &[Line])]| custom(stations).unwrap_err();
        assert_eq!(refusal(&[]), "test: no stations");
        assert_eq!(refusal(&[("Start", &[])]), "station 1 (Start): no lines");
        assert_eq!(
            refusal(&[("Start", &[PLAIN; 10]), ("start", &[Line { length: 0, ..PLAIN }])]),
            "station 1 (Start): 10 lines, at most 9 are allowed\n\
             station 2 (start): the name \"start\" is taken by station 1 (Start)\n\
             station 2 (start), line A: length 0 is not a whole number from 1 to 55"
        );
        let limit = |line: Line| refusal(&[("S", &[PLAIN, line])]).split_off("station 1 (S), line B: ".len());
        assert_eq!(limit(Line { max: Some(10), ..PLAIN }), "max 10 is not a whole number from 0 to 9");
        assert_eq!(limit(Line { min: Some(5), max: Some(4), ..PLAIN }), "min 5 is above max 4");
        let message = "no tile fits: only 9-9 is within the limits, and that is a double";
        assert_eq!(limit(Line { min: Some(9), no_doubles: true, ..PLAIN }), message);
        let names: Vec<String> = (0..5).map(|n| format!("S{n}")).collect();
        let many: Vec<(&str, &[Line])> = names.iter().map(|name| (&**name, &[PLAIN; 9][..])).collect();
        assert_eq!(refusal(&many), "test: 45 lines, at most 36 are allowed");
        assert!(custom(&many[..4]).is_ok());
    }

    #[test]
    fn problems_of_rows_are_named() {
        let wrong = |rows: &str| {
            let file = format!("station,name,line,length,min,max,no_doubles\n{rows}");
            read("own", Written::shipped("own.csv", &file)).unwrap_err().to_string()
        };
        for (rows, message) in [
            ("", "own.csv: no stations"),
            ("a,,A,3,,,", "own.csv, row 2: the name is empty"),
            ("x,A,A,3,,,\nX,B,A,3,,,", "own.csv, row 3 (B): the station \"X\" is taken by own.csv, row 2 (A)"),
            ("a,A,A,3,,,\na,B,B,3,,,", "own.csv, row 3 (B): the name \"B\" is \"A\" in own.csv, row 2 (A)"),
            (
                "a,A,A,3,,,\nb,B,A,3,,,\na,A,B,3,,,\na,A,C,3,,,",
                "own.csv, row 4 (A): the rows of \"a\" do not stand together, the first is own.csv, row 2 (A)",
            ),
            ("a,A,a,3,,,\na,A,C,3,,,", "own.csv, row 3 (A): line \"C\", expected \"B\""),
            ("a,A,A,56,,,", "own.csv, row 2 (A): length 56 is not a whole number from 1 to 55"),
            ("a,A,A,+3,,,", "own.csv, row 2 (A): length \"+3\" is not a whole number from 1 to 55"),
            ("a,A,A,3,,10,", "own.csv, row 2 (A): max 10 is not a whole number from 0 to 9"),
            ("a,A,A,3,5,4,YES", "own.csv, row 2 (A): min 5 is above max 4"),
            (
                "a,A,A,x,y,,no",
                "own.csv, row 2 (A): no_doubles \"no\" is neither \"yes\" nor empty\n\
                 own.csv, row 2 (A): length \"x\" is not a whole number from 1 to 55\n\
                 own.csv, row 2 (A): min \"y\" is not a whole number from 0 to 9",
            ),
        ] {
            assert_eq!(wrong(rows), message);
        }
    }
}
