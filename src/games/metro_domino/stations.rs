//! Stations and the lines that begin there (METR-3).

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use serde::{Deserialize, Serialize};

use super::tiles::{ALL, DOUBLES, NUM_TILES, NUM_VALUES, Tiles};
use crate::names::{check_name, check_shown, fold};

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
    pub letter: char,
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
    by_name: BTreeMap<String, u8>,
}

impl Deck {
    /// Reads and checks a deck; the package's is read once. The error says what is wrong with it.
    pub fn new(source: &Source) -> Result<Arc<Self>, String> {
        static NEW_YORK: OnceLock<Result<Arc<Deck>, String>> = OnceLock::new();
        match source {
            Source::NewYork => NEW_YORK.get_or_init(|| Self::build(shipped()?).map(Arc::new)).clone(),
            Source::Custom(description) => {
                check_shown(&description.name)?;
                Self::build(description.stations.clone()).map(Arc::new)
            }
        }
    }

    fn build(stations: Vec<Station>) -> Result<Self, String> {
        let mut by_name = BTreeMap::new();
        let mut tracks = Vec::new();
        for (station, number) in stations.iter().zip(0_u8..) {
            let name = &station.name;
            [&station.id, name].into_iter().try_for_each(|name| check_name(name))?;
            if !(1..=MAX_LINES_OF_STATION).contains(&station.lines.len()) {
                let count = station.lines.len();
                return Err(format!("{name:?} has {count} lines; 1 to {MAX_LINES_OF_STATION} are allowed"));
            }
            let mut keys = [fold(&station.id), fold(name)].to_vec();
            keys.dedup();
            for key in keys {
                if key.is_empty() {
                    return Err(format!("station {} has an empty id or name", number + 1));
                }
                if by_name.insert(key, number).is_some() {
                    return Err(format!("two stations are called {name:?}"));
                }
            }
            for (line, letter) in station.lines.iter().zip('A'..) {
                let name = format!("{name} {letter}");
                check(*line).map_err(|why| format!("{name}: {why}"))?;
                tracks.push(Track { name, letter, station: number, line: *line, allowed: line.allowed() });
            }
            if tracks.len() > MAX_LINES {
                return Err(format!("more than {MAX_LINES} lines"));
            }
        }
        if tracks.is_empty() {
            return Err("no stations".to_owned());
        }
        Ok(Self { stations, tracks, by_name })
    }

    /// The stations; the first is where everything starts.
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
        self.by_name.get(&fold(text)).copied()
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

fn check(line: Line) -> Result<(), String> {
    let Line { length, min, max, .. } = line;
    if !(1..=NUM_TILES as u8).contains(&length) {
        return Err(format!("length {length}; 1 to {NUM_TILES} are allowed"));
    }
    if let Some(value) = [min, max].into_iter().flatten().find(|&value| value >= NUM_VALUES) {
        return Err(format!("a limit of {value}; 0 to {} are allowed", NUM_VALUES - 1));
    }
    if min.zip(max).is_some_and(|(min, max)| min > max) {
        return Err("min is above max".to_owned());
    }
    if line.allowed().is_empty() { Err("no tile is allowed on it".to_owned()) } else { Ok(()) }
}

/// The deck of the package: a row a line, without quotes.
fn shipped() -> Result<Vec<Station>, String> {
    let table = include_str!("../../../python/adjoin/data/metro-stations.csv");
    let mut stations: Vec<Station> = Vec::new();
    for row in table.lines().skip(1) {
        let cells: Vec<&str> = row.split(',').collect();
        let [id, name, _, length, min, max, no_doubles] = cells[..] else {
            return Err(format!("expected seven cells: {row}"));
        };
        let number = |cell: &str| cell.parse::<u8>().map_err(|error| format!("{row}: {error}"));
        let limit = |cell: &str| if cell.is_empty() { Ok(None) } else { number(cell).map(Some) };
        let line =
            Line { length: number(length)?, min: limit(min)?, max: limit(max)?, no_doubles: no_doubles == "yes" };
        match stations.last_mut().filter(|station| station.id == id) {
            Some(station) => station.lines.push(line),
            None => stations.push(Station { id: id.to_owned(), name: name.to_owned(), lines: vec![line] }),
        }
    }
    Ok(stations)
}

#[cfg(test)]
mod tests {
    use super::{Deck, Description, Line, Source, Station};

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
    fn contradictions_are_named() {
        let refusal = |stations: &[(&str, &[Line])]| custom(stations).unwrap_err();
        assert_eq!(refusal(&[]), "no stations");
        assert_eq!(refusal(&[("Start", &[])]), "\"Start\" has 0 lines; 1 to 9 are allowed");
        assert_eq!(refusal(&[("Start", &[PLAIN]), ("start", &[PLAIN])]), "two stations are called \"start\"");
        assert_eq!(refusal(&[("-", &[PLAIN])]), "station 1 has an empty id or name");
        assert_eq!(refusal(&[("S", &[Line { length: 0, ..PLAIN }])]), "S A: length 0; 1 to 55 are allowed");
        assert_eq!(refusal(&[("S", &[Line { max: Some(10), ..PLAIN }])]), "S A: a limit of 10; 0 to 9 are allowed");
        assert_eq!(refusal(&[("S", &[Line { min: Some(5), max: Some(4), ..PLAIN }])]), "S A: min is above max");
        let nothing = Line { min: Some(9), no_doubles: true, ..PLAIN };
        assert_eq!(refusal(&[("S", &[PLAIN, nothing])]), "S B: no tile is allowed on it");
        let names: Vec<String> = (0..5).map(|n| format!("S{n}")).collect();
        let many: Vec<(&str, &[Line])> = names.iter().map(|name| (&**name, &[PLAIN; 9][..])).collect();
        assert_eq!(refusal(&many), "more than 36 lines");
        assert!(custom(&many[..4]).is_ok());
    }
}
