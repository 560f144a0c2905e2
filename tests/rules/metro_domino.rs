//! Metro Domino, clause by clause (`src/games/metro_domino/RULES.md`).

use std::collections::{BTreeMap, BTreeSet};

use adjoin::game::{Describe as _, Encode as _, Rules as _, Show as _};
use adjoin::games::metro_domino::MetroDomino;
use serde_json::{Value, json};

use crate::table::{self, json, numbers, with, words};

const PAGE: &str = include_str!("../../src/games/metro_domino/RULES.md");

pub type Match = table::Match<MetroDomino>;

impl Match {
    fn store(&self) -> Vec<String> {
        words(&self.the("store"))
    }

    /// What is being decided, whose turn it is, and everybody's tokens.
    fn moment(&self) -> (String, u64, Vec<u64>) {
        (self.phase(), self.turn(), numbers(&self.the("tokens")))
    }

    fn wins(&self) -> Vec<u64> {
        numbers(&self.the("wins"))
    }

    fn scores(&self) -> Vec<i64> {
        self.view(None)["scores"].as_array().unwrap().iter().map(|score| score.as_i64().unwrap()).collect()
    }

    /// A line of the view.
    fn line(&self, name: &str) -> Value {
        let view = self.view(None);
        view["lines"].as_array().unwrap().iter().find(|line| line["name"] == name).expect(name).clone()
    }

    /// The names of the lines in a state.
    fn lines_that_are(&self, state: &str) -> Vec<String> {
        let view = self.view(None);
        let lines = view["lines"].as_array().unwrap().iter().filter(|line| line["state"] == state);
        lines.map(|line| line["name"].as_str().unwrap().to_owned()).collect()
    }

    /// Ids of the stations opened, in their order.
    fn opened(&self) -> Vec<String> {
        let opened = self.the("opened");
        opened.as_array().unwrap().iter().map(|opened| opened["station"].as_str().unwrap().to_owned()).collect()
    }

    /// Every tile of the game, with repetitions, the smaller half first.
    fn tiles(&self) -> Vec<String> {
        let lines = self.the("lines");
        let laid = lines.as_object().unwrap().values().flat_map(words);
        let mut tiles: Vec<String> = laid.map(|tile| unfaced(&tile)).collect();
        tiles.extend(self.hands().concat());
        tiles.extend(self.store());
        tiles.sort_unstable();
        tiles
    }
}

fn rules(options: &str) -> MetroDomino {
    table::rules(options)
}

/// The double-nine set.
fn double_nine() -> Vec<String> {
    (0..10).flat_map(|low| (low..10).map(move |high| format!("{low}-{high}"))).collect()
}

/// The halves of a tile as it is written.
fn halves(tile: &str) -> (u8, u8) {
    let half = |at: usize| tile.as_bytes()[at] - b'0';
    (half(0), half(2))
}

/// A tile on a line by its name in a hand.
fn unfaced(tile: &str) -> String {
    let (one, other) = halves(tile);
    format!("{}-{}", one.min(other), one.max(other))
}

/// A line as the page describes it.
#[derive(Clone, Debug)]
struct Line {
    name: String,
    station: String,
    length: usize,
    min: Option<u8>,
    max: Option<u8>,
    no_doubles: bool,
}

impl Line {
    fn new(station: &str, letter: char, words: &str) -> Self {
        let limit = |name: &str| words.split(' ').find_map(|word| word.strip_prefix(name)?.parse().ok());
        Self {
            name: format!("{station} {letter}"),
            station: id(station),
            length: words.split(' ').next().unwrap().parse().unwrap(),
            min: limit("Min"),
            max: limit("Max"),
            no_doubles: words.ends_with("no doubles"),
        }
    }

    /// Whether the limits allow a tile (METR-7).
    fn allows(&self, tile: &str) -> bool {
        let (one, other) = halves(tile);
        let is_above = |min: u8| one >= min && other >= min;
        let is_below = |max: u8| one <= max && other <= max;
        self.min.is_none_or(is_above) && self.max.is_none_or(is_below) && !(self.no_doubles && one == other)
    }
}

/// Stations by their names, each with its lines in the words of the page.
type Stations<'a> = [(&'a str, &'a [&'a str])];

fn id(name: &str) -> String {
    name.to_lowercase().replace(|letter: char| !letter.is_ascii_alphanumeric(), "_")
}

fn lines(stations: &Stations) -> Vec<Line> {
    let of = |&(station, lines): &(&str, &[&str])| {
        lines.iter().zip('A'..).map(|(words, letter)| Line::new(station, letter, words)).collect::<Vec<_>>()
    };
    stations.iter().flat_map(of).collect()
}

/// The deck that the page describes: its sentence for the start station, its table for the others.
fn new_york() -> Vec<Line> {
    let rows = PAGE.lines().filter_map(|row| row.strip_prefix("| ")?.strip_suffix(" |")).skip(1);
    let rows: Vec<Vec<&str>> =
        rows.map(|row| row.split(" | ").collect::<Vec<_>>()).take_while(|row| row.len() == 3).collect();
    let mut all = lines(&[("Start", &["3", "4", "5", "6"])]);
    all.extend(rows.iter().flat_map(|row| lines(&[(row[0], &row[1..])])));
    all
}

/// Options with a deck of one's own.
pub fn custom(stations: &Stations, more: &str) -> String {
    let line =
        |line: Line| json!({"length": line.length, "min": line.min, "max": line.max, "no_doubles": line.no_doubles});
    let station = |one: &(&str, &[&str])| {
        let lines: Vec<Value> = lines(&[*one]).into_iter().map(line).collect();
        json!({"id": id(one.0), "name": one.0, "lines": lines})
    };
    let stations: Vec<Value> = stations.iter().map(station).collect();
    format!(r#"{{"stations": {}{more}}}"#, json!({"custom": {"name": "own", "stations": stations}}))
}

/// A line of one tile, and no station but the start.
const ONE: &Stations = &[("Start", &["1"])];

/// Lines with each kind of limit.
const LIMITS: &Stations =
    &[("Start", &["3 Min2", "3 Max7", "4 Min2 Max7", "3 no doubles", "2 Min5 Max6 no doubles"]), ("East", &["9"])];

/// Nine lines of one tile at the start, and eight stations with a line of three.
pub const SHORT: &Stations = &[
    ("Start", &["1"; 9]),
    ("Ash", &["3"]),
    ("Birch", &["3"]),
    ("Cedar", &["3"]),
    ("Date", &["3"]),
    ("Elm", &["3"]),
    ("Fir", &["3"]),
    ("Gum", &["3"]),
    ("Hazel", &["3"]),
];

/// A position of [`SHORT`] in which these seats have opened a station each, with the tiles 1-9, 2-9, …
#[allow(clippy::needless_pass_by_value)]
pub fn owned(owners: &[usize], parts: Value) -> Value {
    let line = |number: usize| format!("Start {}", char::from(b'A' + number as u8));
    let laid: BTreeMap<String, Value> = (0..owners.len()).map(|n| (line(n), json!([format!("{}-9", n + 1)]))).collect();
    let opening = |(n, by): (usize, &usize)| json!({"station": SHORT[n + 1].0, "by": by, "line": line(n)});
    let opened: Vec<Value> = owners.iter().enumerate().map(opening).collect();
    with(json!({"lines": laid, "opened": opened}), parts)
}

/// Three lines are active and end with 4, 6 and 8.
#[allow(clippy::needless_pass_by_value)]
fn three_active(parts: Value) -> Value {
    with(json(r#"{"lines": {"Start A": ["3-4"], "Start B": ["5-6"], "Start C": ["7-8"]}}"#), parts)
}

/// A line one tile short of its end.
#[allow(clippy::needless_pass_by_value)]
pub fn one_short(parts: Value) -> Value {
    with(json(r#"{"lines": {"Start A": ["1-2", "2-3"]}}"#), parts)
}

/// Why options are refused.
fn refusal(options: &str) -> String {
    table::options_refusal::<MetroDomino>(options)
}

/// Fails unless the position is refused with this message.
fn assert_impossible(options: &str, position: Value, message: &str) {
    table::assert_impossible::<MetroDomino>(options, position, message);
}

fn refusal_of(stations: &Stations) -> String {
    refusal(&custom(stations, ""))
}

/// Decks that differ in all that a deck can, with the number of players.
const DECKS: [(&Stations, usize); 6] = [
    (&[], 2),
    (&[], 4),
    (SHORT, 3),
    (LIMITS, 2),
    (ONE, 3),
    (
        &[
            ("Hub", &["2", "1", "55 Min3", "3 Max7", "2 no doubles"]),
            ("Ring", &["1", "2"]),
            ("The Old Harbour and Northern Junction", &["2 Min2 Max7"]),
        ],
        2,
    ),
];

/// Lines and options of one of [`DECKS`]; no stations stands for those of the package.
fn deck(stations: &Stations, more: &str) -> (Vec<Line>, String) {
    if stations.is_empty() {
        return (new_york(), format!("{{{}}}", more.trim_start_matches(", ")));
    }
    (lines(stations), custom(stations, more))
}

/// Random matches with each of [`DECKS`].
fn random_matches(matches: u64, mut see: impl FnMut(&Match, Option<&str>)) {
    for (stations, players) in DECKS {
        let options = deck(stations, &format!(r#", "players": {players}"#)).1;
        for seed in 0..matches {
            Match::seeded(&options, seed).play_out(&mut see);
        }
    }
}

/// The rules from first principles, on the text of a position.
struct Oracle<'a> {
    deck: &'a [Line],
    wins_needed: u64,
    position: Value,
}

impl Oracle<'_> {
    fn number(&self, key: &str) -> u64 {
        self.position[key].as_u64().unwrap()
    }

    fn list(&self, key: &str) -> Vec<String> {
        words(&self.position[key])
    }

    fn turn(&self) -> usize {
        self.number("turn") as usize
    }

    fn players(&self) -> usize {
        self.position["hands"].as_array().unwrap().len()
    }

    fn hand(&self, seat: usize) -> Vec<String> {
        words(&self.position["hands"][seat])
    }

    fn laid(&self, line: &Line) -> Vec<String> {
        self.position["lines"].get(&line.name).map(words).unwrap_or_default()
    }

    fn openings(&self) -> &[Value] {
        self.position["opened"].as_array().unwrap()
    }

    fn is_open(&self, line: &Line) -> bool {
        let is_there =
            line.station == self.deck[0].station || self.openings().iter().any(|o| o["station"] == line.station);
        is_there && self.laid(line).len() < line.length
    }

    fn num_active(&self) -> usize {
        let is_active = |line: &&Line| (1..line.length).contains(&self.laid(line).len());
        self.deck.iter().filter(is_active).count()
    }

    /// Whether a tile may be laid as it is written, the half towards the station first.
    fn fits(&self, tile: &str, line: &Line) -> bool {
        let laid = self.laid(line);
        let may_follow = match laid.last() {
            Some(last) => halves(last).1 == halves(tile).0,
            None => line.length == 1 || self.num_active() < 3,
        };
        self.is_open(line) && line.allows(tile) && may_follow
    }

    /// Every play of some tiles, in the order of the ids.
    fn plays(&self, tiles: &[String]) -> Vec<String> {
        let mut plays = Vec::new();
        for (tile, line) in tiles.iter().flat_map(|tile| self.deck.iter().map(move |line| (tile, line))) {
            let (low, high) = halves(tile);
            let mut facings = vec![format!("{low}-{high}"), format!("{high}-{low}")];
            facings.dedup();
            let facings = facings.iter().filter(|facing| self.fits(facing, line));
            plays.extend(facings.map(|facing| format!("{facing} {}", line.name)));
        }
        plays
    }

    /// Legal actions in the order of their ids.
    fn legal(&self) -> Vec<String> {
        let plays = self.plays(&self.hand(self.turn()));
        let also = |mut plays: Vec<String>, word: &str| {
            plays.push(word.to_owned());
            plays
        };
        match self.position["phase"].as_str().unwrap() {
            "turn" if plays.is_empty() && !self.list("store").is_empty() => vec!["draw".to_owned()],
            "turn" if plays.is_empty() => vec!["pass".to_owned()],
            "turn" | "spent" => plays,
            "drawn" => also(self.plays(&[self.position["drawn"].as_str().unwrap().to_owned()]), "keep"),
            "extra" => also(plays, "stop"),
            "more" if plays.is_empty() => vec!["stop".to_owned()],
            "more" => vec!["spend".to_owned(), "stop".to_owned()],
            _ => Vec::new(),
        }
    }

    fn num_stations(&self, seat: usize) -> usize {
        self.openings().iter().filter(|opening| opening["by"] == seat).count()
    }

    /// Score and stations (METR-16).
    fn result(&self, seat: usize) -> (i64, usize) {
        let stations = self.num_stations(seat);
        (stations as i64 - self.hand(seat).len() as i64, stations)
    }

    fn end_turn(mut self) -> Value {
        self.position["turn"] = json!((self.turn() + 1) % self.players());
        self.position["phase"] = json!("turn");
        self.position
    }

    /// The end of a game; how the next one is dealt is as it was.
    fn end_game(mut self, seen: &Value) -> Value {
        let best = (0..self.players()).map(|seat| self.result(seat)).max().unwrap();
        let mut wins = numbers(&self.position["wins"]);
        for seat in (0..self.players()).filter(|&seat| self.result(seat) == best) {
            wins[seat] += 1;
        }
        self.position["wins"] = json!(wins);
        if wins.contains(&self.wins_needed) {
            self.position["phase"] = json!("over");
            return self.position;
        }
        let first = (self.number("first") as usize + 1) % self.players();
        let hands: Vec<Vec<String>> = seen["hands"].as_array().unwrap().iter().map(words).collect();
        let mut tiles = [hands.concat(), words(&seen["store"])].concat();
        tiles.sort_unstable();
        assert!(tiles == double_nine() && hands.iter().all(|hand| hand.len() == 9));
        json!({
            "lines": {}, "hands": seen["hands"], "opened": [], "tokens": vec![0; self.players()],
            "store": seen["store"], "passes": 0, "turn": first, "first": first, "phase": "turn", "drawn": null,
            "wins": wins, "game_number": self.number("game_number") + 1,
        })
    }

    /// The position after an action, where `seen` tells what was drawn.
    fn after(mut self, action: &str, seen: &Value) -> Value {
        let seat = self.turn();
        let passes = self.number("passes");
        let mut tokens = numbers(&self.position["tokens"]);
        self.position["passes"] = json!(0);
        self.position["drawn"] = Value::Null;
        match action {
            "draw" => {
                let tile = seen["drawn"].as_str().unwrap().to_owned();
                let mut hand = self.hand(seat);
                hand.push(tile.clone());
                hand.sort_unstable();
                let (drawn, left): (Vec<_>, Vec<_>) = self.list("store").into_iter().partition(|other| *other == tile);
                assert_eq!(drawn.len(), 1, "{tile} was not in the store");
                self.position["store"] = json!(left);
                self.position["hands"][seat] = json!(hand);
                self.position["drawn"] = json!(tile);
                self.position["phase"] = json!("drawn");
                self.position
            }
            "pass" => {
                self.position["passes"] = json!(passes + 1);
                if passes + 1 == self.players() as u64 { self.end_game(seen) } else { self.end_turn() }
            }
            "keep" | "stop" => self.end_turn(),
            "spend" => {
                tokens[seat] -= 1;
                self.position["tokens"] = json!(tokens);
                self.position["phase"] = json!("spent");
                self.position
            }
            play => self.after_play(play, seen),
        }
    }

    fn after_play(mut self, play: &str, seen: &Value) -> Value {
        let seat = self.turn();
        let (tile, name) = play.split_once(' ').unwrap();
        let line = self.deck.iter().find(|line| line.name == name).unwrap().clone();
        let mut laid = self.laid(&line);
        laid.push(tile.to_owned());
        self.position["lines"][name] = json!(laid);
        let kept: Vec<String> = self.hand(seat).into_iter().filter(|other| *other != unfaced(tile)).collect();
        self.position["hands"][seat] = json!(kept);
        let is_double = halves(tile).0 == halves(tile).1;
        let mut tokens = numbers(&self.position["tokens"]);
        tokens[seat] += u64::from(is_double && tokens.iter().sum::<u64>() < 12);
        self.position["tokens"] = json!(tokens);
        let stations: BTreeSet<&str> = self.deck.iter().map(|line| &*line.station).collect();
        if laid.len() == line.length && self.openings().len() + 1 < stations.len() {
            // Where the game was the last but not the match's, what was opened is gone.
            let number = self.openings().len();
            let is_shown = seen["game_number"] == self.position["game_number"];
            let station = if is_shown { seen["opened"][number]["station"].clone() } else { json!("gone") };
            let is_new = self.openings().iter().all(|other| other["station"] != station);
            let is_known = !is_shown || stations.contains(station.as_str().unwrap());
            assert!(is_new && is_known && station != *self.deck[0].station, "{station} was not to be opened");
            let opening = json!({"station": station, "by": seat, "line": name});
            self.position["opened"].as_array_mut().unwrap().push(opening);
        }
        if kept.is_empty() || self.num_stations(seat) == 5 {
            self.end_game(seen)
        } else if is_double {
            self.position["phase"] = json!("extra");
            self.position
        } else if tokens[seat] > 0 {
            self.position["phase"] = json!("more");
            self.position
        } else {
            self.end_turn()
        }
    }
}

// Pieces

#[test]
fn metr_1_the_set_has_each_pair_of_0_to_9_once() {
    let set = double_nine();
    assert_eq!(set.len(), 55);
    random_matches(2, |game, _| assert_eq!(game.tiles(), set));
}

#[test]
fn metr_1_a_start_station_and_ten_stations() {
    let view = Match::new("{}").view(None);
    let stations = view["stations"].as_array().unwrap();
    assert_eq!((stations.len(), &view["stations_left"]), (11, &json!(10)));
    let open: Vec<&Value> = stations.iter().filter(|station| station["is_open"] == true).collect();
    assert_eq!(open, [&stations[0]]);
    let lines = ["Start A", "Start B", "Start C", "Start D"];
    let start = json!({"id": "start", "name": "Start", "is_open": true, "owner": null, "line": null, "lines": lines});
    assert_eq!(stations[0], start);
}

#[test]
fn metr_1_there_are_twelve_metro_tokens() {
    assert_eq!(Match::new("{}").view(None)["supply"], 12);
    let mut held = 0;
    random_matches(3, |game, _| {
        let tokens: u64 = numbers(&game.the("tokens")).iter().sum();
        assert_eq!(game.view(None)["supply"], 12 - tokens);
        held = held.max(tokens);
    });
    assert!(held >= 4);
    let hands = json(r#"[["0-1"], ["0-2"]]"#);
    assert_eq!(Match::at(json!({"hands": hands, "tokens": [5, 7]})).view(None)["supply"], 0);
    assert_impossible("{}", json!({"hands": hands, "tokens": [6, 7]}), "more metro tokens than there are (METR-1)");
    assert_impossible("{}", json!({"hands": hands, "tokens": [1]}), "tokens: 1 numbers for 2 players");
}

#[test]
fn metr_1_everybody_has_five_player_tokens() {
    let parts = json(r#"{"hands": [["0-1"], ["0-2"]], "phase": "over", "wins": [1, 0]}"#);
    let options = custom(SHORT, "");
    let end = Match::of(&options, owned(&[0, 0, 1, 0, 0, 0], parts.clone()));
    assert_eq!(end.view(None)["hands"][0]["stations"], 5);
    let position = owned(&[0, 0, 0, 0, 0, 0], parts).to_string();
    let error = rules(&options).parse_position(&position).expect_err("six stations of one player");
    assert!(error.to_string().contains("METR-1"), "{error}");
}

#[test]
fn metr_1_a_tile_is_in_one_place_only() {
    let refuse = |parts: Value, message: &str| {
        let position = with(json(r#"{"lines": {"Start A": ["3-7"]}, "hands": [["0-1"], ["0-2"]]}"#), parts);
        assert_impossible("{}", position, message);
    };
    refuse(json(r#"{"hands": [["0-1", "1-0"], ["0-2"]]}"#), "\"1-0\" is in two places");
    refuse(json(r#"{"hands": [["0-1"], ["0-2", "0-1"]]}"#), "a tile is in two places");
    refuse(json(r#"{"hands": [["0-1", "7-3"], ["0-2"]]}"#), "a tile is in two places");
    refuse(json(r#"{"lines": {"Start A": ["3-7", "7-3"]}}"#), "a tile is in two places");
    refuse(json(r#"{"store": ["0-2", "0-3"]}"#), "a tile is in two places");
    for tile in ["3-10", "10-3", "a-b", "37", "3-", "-3", "", "3-7-7", "+3-7"] {
        let message = format!("no tile {tile:?}: the tiles are 0-0 to 9-9");
        refuse(json!({"hands": [["0-1", tile], ["0-2"]]}), &message);
    }
}

#[test]
fn metr_1_tiles_that_a_position_names_nowhere_are_in_the_store_or_out_of_the_game() {
    let position = json(r#"{"lines": {"Start A": ["7-3"]}, "hands": [["1-0"], ["0-2"]]}"#);
    let game = Match::at(position.clone());
    assert_eq!((game.store().len(), game.tiles()), (52, double_nine()));
    assert_eq!(game.hands(), [["0-1"], ["0-2"]]);
    let game = Match::at(with(position, json(r#"{"store": ["9-9", "5-4"]}"#)));
    assert_eq!(game.store(), ["4-5", "9-9"]);
    assert_eq!(game.tiles(), ["0-1", "0-2", "3-7", "4-5", "9-9"]);
    assert_eq!(game.view(Some(0))["store"], 2);
    game.play_out(|game, _| assert_eq!(game.tiles().len(), 5));
}

#[test]
fn metr_2_2_to_4_play() {
    for players in 2..=4 {
        assert_eq!(rules(&format!(r#"{{"players": {players}}}"#)).num_seats(), players);
    }
    for players in [0, 1, 5, 255] {
        let message = format!("metro_domino: players = {players}: 2 to 4 play (METR-2)");
        assert_eq!(refusal(&format!(r#"{{"players": {players}}}"#)), message);
    }
    let message = "metro_domino: players: invalid value: integer `256`, expected a whole number from 0 to 255";
    assert_eq!(refusal(r#"{"players": 256}"#), message);
    let message =
        "metro_domino: unknown option `colour`, the options are `players`, `stations`, `first_seat`, `wins_needed`";
    assert_eq!(refusal(r#"{"colour": 1}"#), message);
}

#[test]
fn metr_2_9_tiles_each_and_the_rest_is_the_store() {
    for (players, store) in [(2, 37), (3, 28), (4, 19)] {
        let start = Match::new(&format!(r#"{{"players": {players}}}"#));
        assert_eq!((start.hand_sizes(), start.store().len()), (vec![9; players], store));
        assert_eq!((start.tiles(), &start.the("lines")), (double_nine(), &json!({})));
        assert_eq!(start.moment(), ("turn".to_owned(), start.the("first").as_u64().unwrap(), vec![0; players]));
        assert_eq!(start.scores(), vec![-9; players]);
    }
}

#[test]
fn metr_2_every_tile_can_come_anywhere() {
    let deals = 2000;
    let mut first: BTreeMap<String, u32> = BTreeMap::new();
    let mut last = first.clone();
    for seed in 0..deals {
        let hands = Match::seeded(r#"{"players": 3}"#, seed).hands();
        for (counts, hand) in [(&mut first, &hands[0]), (&mut last, &hands[2])] {
            for tile in hand {
                *counts.entry(tile.clone()).or_default() += 1;
            }
        }
    }
    // Nine of 55; five standard deviations either way.
    for counts in [first, last] {
        assert!(counts.len() == 55 && counts.values().all(|&times| (244..411).contains(&times)), "{counts:?}");
    }
}

#[test]
fn metr_2_the_first_seat_is_given() {
    for (players, seat) in [(2, 0), (2, 1), (3, 2), (4, 3)] {
        for seed in 0..5 {
            let start = Match::seeded(&format!(r#"{{"players": {players}, "first_seat": {seat}}}"#), seed);
            assert_eq!((start.turn(), start.the("first")), (seat, json!(seat)));
        }
    }
    assert_eq!(refusal(r#"{"first_seat": 2}"#), "metro_domino: first_seat = 2: the seats are 0 to 1");
    let four = r#"{"first_seat": 4, "players": 4}"#;
    assert_eq!(refusal(four), "metro_domino: first_seat = 4: the seats are 0 to 3");
    assert!(refusal(r#"{"first_seat": -1}"#).starts_with("metro_domino: first_seat: "));
}

#[test]
fn metr_2_by_default_the_first_seat_is_drawn() {
    let mut counts = [0; 3];
    for seed in 0..900 {
        let start = Match::seeded(r#"{"players": 3, "first_seat": null}"#, seed);
        assert_eq!(start.the("first"), start.turn());
        counts[start.turn() as usize] += 1;
    }
    // One of three; five standard deviations either way.
    assert!(counts.iter().all(|count| (229..372).contains(count)), "{counts:?}");
}

#[test]
fn metr_2_hands_and_store_are_hidden() {
    let position = three_active(json(
        r#"{"hands": [["0-0", "0-1"], ["1-1", "1-6"], ["2-2", "2-3"]], "tokens": [1, 2, 3], "store": ["9-9", "0-5"]}"#,
    ));
    let exchanged = with(
        position.clone(),
        json(r#"{"hands": [["0-0", "0-1"], ["9-9", "2-2"], ["1-1", "0-5"]], "store": ["1-6", "2-3"]}"#),
    );
    for turn in 0..3 {
        let [one, other] = [&position, &exchanged]
            .map(|position| Match::of(r#"{"players": 3}"#, with(position.clone(), json!({"turn": turn}))));
        assert_eq!(one.seen(0), other.seen(0));
        let (view, text, row) = one.seen(1);
        let (other_view, other_text, other_row) = other.seen(1);
        assert!(view != other_view && text != other_text && row != other_row);
        let hands = one.view(Some(0))["hands"].clone();
        assert_eq!(hands[0], json!({"tiles": 2, "held": [[0, 0], [0, 1]], "tokens": 1, "stations": 0}));
        assert_eq!(hands[1], json!({"tiles": 2, "held": [], "tokens": 2, "stations": 0}));
        assert_eq!(hands[2], json!({"tiles": 2, "held": [], "tokens": 3, "stations": 0}));
        assert_eq!(one.view(None)["hands"][2]["held"], json!([[2, 2], [2, 3]]));
        let may_choose = |viewer| !one.view(Some(viewer))["legal"].as_array().unwrap().is_empty();
        assert_eq!([0, 1, 2].map(may_choose), [0, 1, 2].map(|viewer| viewer == turn));
    }
}

#[test]
fn metr_2_a_view_never_names_a_tile_that_is_hidden() {
    random_matches(2, |game, _| {
        let laid: BTreeSet<String> = game.the("lines").as_object().unwrap().values().flat_map(words).collect();
        let laid: BTreeSet<String> = laid.iter().map(|tile| unfaced(tile)).collect();
        for viewer in 0..game.rules.num_seats() {
            let seen: BTreeSet<String> = game.hands()[viewer].iter().cloned().chain(laid.clone()).collect();
            let text = game.text(Some(viewer)).replace(['[', ']', ',', ':'], " ").replace('|', "-");
            let is_half = |half: &u8| half.is_ascii_digit();
            let is_tile = |word: &&str| matches!(word.as_bytes(), [one, b'-', other] if is_half(one) && is_half(other));
            assert!(text.split_whitespace().filter(is_tile).all(|word| seen.contains(&unfaced(word))), "{text}");
            let view = game.view(Some(viewer));
            let hands = view["hands"].as_array().unwrap();
            let others = hands.iter().enumerate().filter(|(seat, _)| *seat != viewer);
            assert!(others.into_iter().all(|(_, hand)| hand["held"] == json!([])));
            assert!(view["drawn"].is_null() || game.turn() as usize == viewer);
        }
    });
}

#[test]
fn metr_2_a_guess_keeps_what_is_known_and_varies_the_rest() {
    let position = three_active(json(
        r#"{"hands": [["0-0", "0-1"], ["1-1", "1-6"], ["2-2"]], "store": ["9-9"], "tokens": [1, 2, 3]}"#,
    ));
    let game = Match::of(r#"{"players": 3}"#, position);
    let mut guesses = BTreeSet::new();
    for seed in 0..200 {
        let guess = game.guess(0, seed);
        assert_eq!(guess.seen(0), game.seen(0));
        assert_eq!((guess.hands()[0].clone(), guess.hand_sizes()), (game.hands()[0].clone(), vec![2, 2, 1]));
        assert_eq!((guess.tiles(), guess.moment()), (game.tiles(), game.moment()));
        guesses.insert((guess.hands(), guess.store()));
    }
    // Two of the four tiles for seat 1, and one of the others for seat 2.
    assert_eq!(guesses.len(), 12);
}

#[test]
fn metr_2_a_guess_may_give_another_player_any_drawn_tile() {
    let position = three_active(json(
        r#"{"hands": [["0-0"], ["1-1", "1-2"]], "store": ["1-9", "9-9"], "turn": 1, "phase": "drawn", "drawn": "1-2"}"#,
    ));
    let game = Match::at(position);
    let mut drawn = BTreeSet::new();
    for seed in 0..100 {
        let guess = game.guess(0, seed);
        let tile = guess.the("drawn").as_str().unwrap().to_owned();
        assert!(guess.hands()[1].contains(&tile));
        assert_eq!(guess.seen(0), game.seen(0));
        drawn.insert(tile);
        assert_eq!(game.guess(1, seed).the("drawn"), "1-2");
    }
    assert_eq!(drawn.into_iter().collect::<Vec<_>>(), ["1-1", "1-2", "1-9", "9-9"]);
}

#[test]
fn metr_2_a_guess_lets_a_spent_token_be_used() {
    let position = three_active(json(
        r#"{"hands": [["0-0"], ["4-9", "1-2"], ["1-1"]], "store": ["1-9", "9-9"], "turn": 1, "phase": "spent"}"#,
    ));
    let game = Match::of(r#"{"players": 3}"#, position);
    let mut guesses = BTreeSet::new();
    for seed in 0..100 {
        let guess = game.guess(2, seed);
        assert_eq!(guess.legal(), ["4-9 Start A"]);
        assert_eq!(guess.hand_sizes(), [1, 2, 1]);
        guesses.insert(guess.hands());
    }
    // 4-9 with one of four; seat 0 has one of the other three.
    assert_eq!(guesses.len(), 12);
}

#[test]
fn metr_2_positions_have_a_hand_a_seat() {
    assert_impossible("{}", json(r#"{"hands": [["0-1"]]}"#), "hands: 1 hands for 2 players");
    assert_impossible("{}", json(r#"{"hands": [["0-1"], ["0-2"], ["0-3"]]}"#), "hands: 3 hands for 2 players");
    assert!(rules("{}").parse_position("{}").unwrap_err().to_string().contains("missing field `hands`"));
    let error = rules("{}").parse_position(r#"{"hands": [["0-1"], ["0-2"]], "colour": 1}"#).unwrap_err().to_string();
    assert!(error.contains("unknown field `colour`"), "{error}");
    assert!(rules("{}").parse_position("0-1 Start A").is_err());
    let refuse = |parts: Value, message: &str| {
        assert_impossible("{}", with(json(r#"{"hands": [["0-1"], ["0-2"]]}"#), parts), message);
    };
    refuse(json(r#"{"turn": 2}"#), "no seat 2: there are 2");
    refuse(json(r#"{"first": 300}"#), "no seat 300: there are 2");
}

#[test]
fn metr_3_the_deck_is_the_table_of_the_page() {
    let deck = new_york();
    assert_eq!(deck.len(), 24);
    let view = Match::new("{}").view(Some(0));
    let shown = view["lines"].as_array().unwrap();
    assert_eq!(shown.len(), deck.len());
    for (line, shown) in deck.iter().zip(shown) {
        let state = if line.station == "start" { "open" } else { "waiting" };
        let expected = json!({
            "name": line.name, "station": line.station, "length": line.length, "min": line.min, "max": line.max,
            "no_doubles": false, "state": state, "out_of_service": false, "tiles": [], "end": null, "leads_to": null,
        });
        assert_eq!(*shown, expected);
    }
    let flushing = deck.iter().find(|line| line.name == "Flushing Meadows A").unwrap();
    assert_eq!((flushing.length, flushing.min, flushing.max), (3, Some(2), Some(7)), "the page is read as it is meant");
}

#[test]
fn metr_3_the_deck_can_be_named_or_replaced() {
    assert_eq!(Match::new(r#"{"stations": "new-york"}"#).position(), Match::new("{}").position());
    let message = refusal(r#"{"stations": "london"}"#);
    assert_eq!(message, "metro_domino: stations: unknown value `london`, expected `new-york` or `custom`");
    assert!(refusal(r#"{"stations": 7}"#).starts_with("metro_domino: stations: "));
    let game = Match::of(&custom(LIMITS, ""), json(r#"{"hands": [["0-1", "5-6"], ["0-2"]]}"#));
    let view = game.view(None);
    let names: Vec<&str> =
        view["lines"].as_array().unwrap().iter().map(|line| line["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["Start A", "Start B", "Start C", "Start D", "Start E", "East A"]);
    assert_eq!(view["lines"][4]["no_doubles"], true);
    assert_eq!((&view["lines"][4]["min"], &view["lines"][4]["max"]), (&json!(5), &json!(6)));
}

#[test]
fn metr_3_a_deck_has_1_to_9_lines_a_station_and_36_in_all() {
    let nine: &[&str] = &["3"; 9];
    let many = [("Ash", nine), ("Birch", nine), ("Cedar", nine), ("Date", nine), ("Elm", &["3"])];
    let game = Match::new(&custom(&many[..4], ""));
    assert_eq!(game.view(None)["lines"][35]["name"], "Date I");
    assert_eq!(game.rules.actions().size(), 55 * 36 * 2 + 5);
    game.play_out(|_, _| ());
    assert_eq!(refusal_of(&many), "metro_domino: stations: own: 37 lines, at most 36 are allowed");
    let ten: &[&str] = &["3"; 10];
    assert_eq!(refusal_of(&[("Ash", ten)]), "metro_domino: stations: station 1 (Ash): 10 lines, at most 9 are allowed");
    let empty = [("Ash", nine), ("Birch", &[][..])];
    assert_eq!(refusal_of(&empty), "metro_domino: stations: station 2 (Birch): no lines");
    assert_eq!(refusal_of(&[]), "metro_domino: stations: own: no stations");
    // As many stations as there can be.
    let names: Vec<String> = (0..36).map(|number| format!("Stop {number}")).collect();
    let stations: Vec<(&str, &[&str])> = names.iter().map(|name| (&**name, &["1"][..])).collect();
    let end = Match::new(&custom(&stations, r#", "players": 4"#)).play_out(|_, _| ());
    assert!(end.opened().len() > 10);
}

#[test]
fn metr_3_a_deck_that_contradicts_itself_is_refused() {
    let refuse = |lines: &[&str], message: &str| {
        assert_eq!(
            refusal_of(&[("Start", lines)]),
            format!("metro_domino: stations: station 1 (Start), line {message}")
        );
    };
    refuse(&["3", "0"], "B: length 0 is not a whole number from 1 to 55");
    refuse(&["56"], "A: length 56 is not a whole number from 1 to 55");
    refuse(&["3 Min10"], "A: min 10 is not a whole number from 0 to 9");
    refuse(&["3 Max10"], "A: max 10 is not a whole number from 0 to 9");
    refuse(&["3 Min5 Max4"], "A: min 5 is above max 4");
    for (line, value) in [("3 Min9 no doubles", 9), ("3 Max0 no doubles", 0), ("3 Min4 Max4 no doubles", 4)] {
        let why = format!("only {value}-{value} is within the limits, and that is a double");
        refuse(&[line], &format!("A: no tile fits: {why}"));
    }
    for lines in [&["55 Min0 Max9"][..], &["3 Min9"], &["3 Max0"], &["3 Min4 Max4"], &["3 Min8 no doubles"]] {
        rules(&custom(&[("Start", lines)], ""));
    }
    let twice = refusal_of(&[("Start", &["3"]), ("Ash", &["3"]), ("ASH!", &["3"])]);
    assert_eq!(twice, "metro_domino: stations: station 3 (ASH!): the name \"ASH!\" is taken by station 2 (Ash)");
    let nameless = refusal_of(&[("Start", &["3"]), ("–", &["3"])]);
    assert_eq!(nameless, "metro_domino: stations: station 2 (–): the name \"–\" has no letter and no digit");
    let mut options = json(&custom(&[("Start", &["3"]), ("Ash", &["3"])], ""));
    options["stations"]["custom"]["stations"][1]["id"] = json!("start");
    assert!(refusal(&options.to_string()).contains("the station \"start\" is taken by station 1 (Start)"));
    options["stations"]["custom"]["stations"][1]["colour"] = json!("red");
    assert!(refusal(&options.to_string()).contains("colour"));
}

#[test]
fn metr_3_limits_may_be_left_out() {
    let options = json!({"stations": {"custom": {"name": "own", "stations": [
        {"id": "start", "name": "Start", "lines": [{"length": 2}]}]}}});
    let line = Match::new(&options.to_string()).line("Start A");
    assert_eq!([&line["min"], &line["max"], &line["no_doubles"]], [&json!(null), &json!(null), &json!(false)]);
}

#[test]
fn metr_3_a_line_is_found_however_it_is_written() {
    let rules = rules("{}");
    let id = |text: &str| rules.parse(text).map(|action| rules.action_id(action));
    for spelling in ["3-7 harlem-125th street a", "3-7  HARLEM 125th Street A", " 3–7 Harlem–125th Street a "] {
        assert!(id(spelling).is_some(), "{spelling}");
        assert_eq!(id(spelling), id("3-7 Harlem–125th Street A"), "{spelling}");
    }
    for nothing in
        ["3-7", "Start A", "37 Start A", "3-10 Start A", "3-7 Start E", "3-7 Start", "3-7 Start A reversed", "", "pas"]
    {
        assert_eq!(id(nothing), None, "{nothing}");
    }
    let position = json(
        r#"{"lines": {"START a": ["1-2", "2-3", "3-4"]}, "hands": [["0-1"], ["0-2"]],
        "opened": [{"station": "Harlem 125th street", "by": 1, "line": "start A"}]}"#,
    );
    let game = Match::at(position);
    assert_eq!(game.opened(), ["harlem_125th_street"]);
    assert_eq!(game.the("lines"), json!({"Start A": ["1-2", "2-3", "3-4"]}));
}

#[test]
fn metr_3_ids_are_tiles_by_lines_by_facings_then_the_rest() {
    let rules = rules("{}");
    let names = |ids: &[usize]| ids.iter().map(|&id| rules.notation(rules.action(id))).collect::<Vec<_>>();
    let plays = 55 * 24 * 2;
    assert_eq!(rules.actions().size(), plays + 5);
    assert_eq!(
        names(&[0, 1, 2, 47]),
        ["0-0 Start A", "0-0 Start A reversed", "0-0 Start B", "0-0 Flushing Meadows B reversed"]
    );
    assert_eq!(names(&[48, 49, 50]), ["0-1 Start A", "1-0 Start A", "0-1 Start B"]);
    assert_eq!(names(&[10 * 48, plays - 2]), ["1-1 Start A", "9-9 Flushing Meadows B"]);
    assert_eq!(names(&[plays, plays + 1, plays + 2, plays + 3, plays + 4]), ["draw", "pass", "keep", "spend", "stop"]);
}

// Lines

#[test]
fn metr_4_a_line_waits_is_open_active_and_closed() {
    let mut game = Match::at(json(r#"{"hands": [["1-2", "3-4", "0-0"], ["2-3", "5-5"]]}"#));
    let states = |game: &Match| game.line("Start A")["state"].as_str().unwrap().to_owned();
    let mut seen = vec![states(&game)];
    for play in ["1-2 Start A", "2-3 Start A", "3-4 Start A"] {
        game.play(play);
        seen.push(states(&game));
    }
    assert_eq!(seen, ["open", "active", "active", "closed"]);
    let line = game.line("Start A");
    assert_eq!((&line["tiles"], &line["end"]), (&json!([[1, 2], [2, 3], [3, 4]]), &json!(4)));
    assert_eq!(line["leads_to"], *game.opened()[0]);
    game.assert_refuses("5-5 Start A", "Start A is closed (METR-4)");
}

#[test]
fn metr_4_a_line_whose_station_is_not_open_takes_nothing() {
    let game = Match::at(json(r#"{"hands": [["1-2"], ["5-5"]]}"#));
    assert_eq!(game.lines_that_are("waiting").len(), 20);
    let reason = "Times Square A begins at a station that is not open yet (METR-4)";
    game.assert_refuses("1-2 Times Square A", reason);
    assert_impossible(
        "{}",
        json(r#"{"lines": {"Times Square A": ["1-2"]}, "hands": [["0-1"], ["0-2"]]}"#),
        "a tile on a line of a station that is not open (METR-8)",
    );
}

#[test]
fn metr_4_a_line_is_out_of_service_when_every_tile_that_fits_is_on_the_table() {
    // Nine tiles with a 9 lie on Start B to D; 9-9 alone could be added to Start A.
    let game = Match::at(json(
        r#"{"lines": {"Start A": ["0-9"], "Start C": ["1-9", "9-2", "2-3", "3-9", "9-4"], "Start D": ["5-9", "9-6", "6-7",
            "7-9", "9-8"]}, "opened": [{"station": "wall_street", "by": 0, "line": "Start C"}],
        "hands": [["0-0", "4-4"], ["9-9", "1-1"]], "turn": 1}"#,
    ));
    let out_of_service = |game: &Match| {
        let lines = game.view(Some(0))["lines"].as_array().unwrap().clone();
        let out = lines.iter().filter(|line| line["out_of_service"] == true);
        out.map(|line| line["name"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(out_of_service(&game), [""; 0]);
    assert!(!game.text(Some(0)).contains("out of service"));
    let after = game.after("9-9 Wall Street B; stop");
    assert_eq!(out_of_service(&after), ["Start A", "Wall Street B"]);
    let text = after.text(Some(0));
    for row in text.lines().filter(|row| row.starts_with("Start A") || row.starts_with("Wall Street B")) {
        assert!(row.ends_with("9? out of service"), "{text}");
    }
    // Both are active, and with Start D the three that may be.
    assert_eq!(after.lines_that_are("active"), ["Start A", "Start D", "Wall Street B"]);
    after.assert_refuses("4-4 Start B", "3 lines are active already (METR-5)");
}

#[test]
fn metr_4_a_line_that_its_limits_leave_no_tile_is_out_of_service() {
    let options = custom(&[("Start", &["3 Min9", "3 Min8 no doubles", "4"])], "");
    let game = Match::of(&options, json(r#"{"hands": [["8-9", "9-9"], ["0-0", "1-1"]]}"#));
    assert_eq!(game.line("Start A")["out_of_service"], false);
    let after = game.after("9-9 Start C");
    let out = ["Start A", "Start B", "Start C"].map(|line| after.line(line)["out_of_service"].as_bool().unwrap());
    assert_eq!((out, after.line("Start A")["state"].clone()), ([true, false, false], json!("open")));
    // A line that waits for one of the three tokens is not out of service, nor is one that is closed.
    let three = Match::at(three_active(json(r#"{"hands": [["0-9", "2-4"], ["8-8"]]}"#)));
    assert!(three.view(None)["lines"].as_array().unwrap().iter().all(|line| line["out_of_service"] == false));
}

#[test]
fn metr_4_the_view_is_as_documented() {
    let options =
        custom(&[("Start", &["2 Min2", "1"]), ("East Side", &["3 Max7 no doubles"])], r#", "wins_needed": 2"#);
    let game = Match::of(
        &options,
        json(
            r#"{"lines": {"Start A": ["7-2"], "Start B": ["9-0"]}, "hands": [["3-3", "0-2"], ["1-1", "2-2", "0-0"]],
            "opened": [{"station": "east_side", "by": 1, "line": "Start B"}], "tokens": [2, 1], "turn": 0, "first": 1,
            "phase": "drawn", "drawn": "0-2", "store": ["8-8"], "wins": [0, 1], "game_number": 2}"#,
        ),
    );
    let expected = |viewer: Value, held: [Value; 2], drawn: Value, legal: Value| {
        json!({
            "game": "metro_domino", "viewer": viewer, "phase": "drawn", "to_act": 0, "turn": 0, "first": 1,
            "game_number": 2, "wins_needed": 2, "wins": [0, 1],
            "stations": [
                {"id": "start", "name": "Start", "is_open": true, "owner": null, "line": null,
                    "lines": ["Start A", "Start B"]},
                {"id": "east_side", "name": "East Side", "is_open": true, "owner": 1, "line": "Start B",
                    "lines": ["East Side A"]},
            ],
            "lines": [
                {"name": "Start A", "station": "start", "length": 2, "min": 2, "max": null, "no_doubles": false,
                    "state": "active", "out_of_service": false, "tiles": [[7, 2]], "end": 2, "leads_to": null},
                {"name": "Start B", "station": "start", "length": 1, "min": null, "max": null, "no_doubles": false,
                    "state": "closed", "out_of_service": false, "tiles": [[9, 0]], "end": 0, "leads_to": "east_side"},
                {"name": "East Side A", "station": "east_side", "length": 3, "min": null, "max": 7,
                    "no_doubles": true, "state": "open", "out_of_service": false, "tiles": [], "end": null, "leads_to": null},
            ],
            "hands": [
                {"tiles": 2, "held": held[0], "tokens": 2, "stations": 0},
                {"tiles": 3, "held": held[1], "tokens": 1, "stations": 1},
            ],
            "drawn": drawn, "store": 1, "supply": 9, "stations_left": 0, "passes": 0, "scores": [-2, -2],
            "legal": legal, "returns": [0.0, 0.0],
        })
    };
    let [one, other] = [json!([[0, 2], [3, 3]]), json!([[0, 0], [1, 1], [2, 2]])];
    let legal = json!(["0-2 East Side A", "2-0 East Side A", "keep"]);
    let all = expected(json!(null), [one.clone(), other.clone()], json!([0, 2]), legal.clone());
    assert_eq!(game.view(None), all);
    assert_eq!(game.view(Some(0)), expected(json!(0), [one, json!([])], json!([0, 2]), legal));
    assert_eq!(game.view(Some(1)), expected(json!(1), [json!([]), other], json!(null), json!([])));
}

#[test]
fn metr_4_the_text_shows_every_line_on_the_table() {
    let position = with(
        one_short(json(r#"{"hands": [["0-1", "4-4"], ["0-2"]], "tokens": [1, 0]}"#)),
        json(
            r#"{"lines": {"Start A": ["1-2", "2-3"], "Start B": ["1-1", "1-9", "9-9", "9-7"], "Times Square B": ["8-7"]},
            "opened": [{"station": "times_square", "by": 1, "line": "Start B"}]}"#,
        ),
    );
    let text = Match::at(position).text(Some(0));
    let row = |name: &str| text.lines().find(|row| row.trim_start().starts_with(name)).expect(name).to_owned();
    let assert_shows = |name: &str, words: &[&str]| {
        let mut rest = row(name);
        for word in words {
            let Some((_, after)) = rest.split_once(word) else { panic!("no {word} in {text}") };
            rest = after.to_owned();
        }
    };
    assert_shows("Start A", &["2/3", "1|2", "2|3", "3?"]);
    assert_shows("Start B", &["4/4", "1|1", "1|9", "9|9", "9|7", "Times Square", "seat 1"]);
    assert_shows("Start C", &["0/5"]);
    assert_shows("Times Square A", &["0/4"]);
    assert_shows("Times Square B", &["1/5", "Min2", "8|7", "7?"]);
    assert!(!text.contains("Grand Central"), "{text}");
    for words in ["seat 0 to add", "0-1 4-4", "tokens 1", "store 45"] {
        assert!(text.contains(words), "no {words} in {text}");
    }
    assert!(!text.contains("0-2"), "{text}");
}

#[test]
fn metr_4_the_text_fits_a_terminal() {
    let mut rows = 0;
    let mut widest = String::new();
    random_matches(4, |game, _| {
        for viewer in [None, Some(0)] {
            for row in game.text(viewer).lines() {
                rows += 1;
                assert_eq!(row.trim_end(), row);
                if row.chars().count() > widest.chars().count() {
                    row.clone_into(&mut widest);
                }
            }
        }
    });
    assert!(rows > 10_000);
    assert!(widest.chars().count() <= 80, "{} columns: {widest}", widest.chars().count());
}

/// The longest row that the package's deck can give: six tiles, a limit, and the longest name at its end.
#[test]
fn metr_4_the_text_of_the_longest_line_fits_a_terminal() {
    let game = Match::at(json(
        r#"{"lines": {"Start A": ["0-1", "1-2", "2-3"],
            "Wall Street A": ["3-4", "4-5", "5-6", "6-7", "7-0", "0-2"]},
        "opened": [{"station": "wall_street", "by": 1, "line": "Start A"},
            {"station": "harlem_125th_street", "by": 0, "line": "Wall Street A"}],
        "hands": [["0-9"], ["8-8"]]}"#,
    ));
    for row in game.text(None).lines() {
        assert!(row.chars().count() <= 80, "{} columns: {row}", row.chars().count());
    }
    assert!(game.text(None).contains("Harlem–125th Street"));
}

#[test]
fn metr_5_at_most_three_lines_are_active() {
    let game = Match::at(three_active(json(r#"{"hands": [["0-9", "2-4"], ["8-8"]]}"#)));
    assert_eq!(game.lines_that_are("active"), ["Start A", "Start B", "Start C"]);
    assert_eq!(game.legal(), ["4-2 Start A"]);
    game.assert_refuses("0-9 Start D", "3 lines are active already (METR-5)");
    game.assert_refuses("2-4 Start D", "3 lines are active already (METR-5)");
    let two = Match::at(json(r#"{"lines": {"Start A": ["3-4"], "Start C": ["7-8"]}, "hands": [["0-9"], ["8-8"]]}"#));
    assert_eq!(two.legal(), ["0-9 Start B", "9-0 Start B", "0-9 Start D", "9-0 Start D"]);
    let mut most = 0;
    random_matches(3, |game, _| {
        let active = game.lines_that_are("active").len();
        assert!(active <= 3);
        most = most.max(active);
    });
    assert_eq!(most, 3);
}

#[test]
fn metr_5_a_closed_line_gives_its_token_back() {
    let position = with(
        three_active(json(r#"{"hands": [["4-7", "0-9"], ["1-1", "2-2"]]}"#)),
        json(r#"{"lines": {"Start A": ["2-3", "3-4"], "Start B": ["5-6"], "Start C": ["0-8"]}}"#),
    );
    let game = Match::at(position.clone());
    assert_eq!(game.legal(), ["4-7 Start A"]);
    let next = game.after("4-7 Start A");
    assert_eq!(next.lines_that_are("active"), ["Start B", "Start C"]);
    assert!(next.legal().contains(&"1-1 Start D".to_owned()));
    // In the same turn, too.
    let double = Match::at(with(position, json(r#"{"hands": [["4-4", "0-9"], ["1-1"]]}"#)));
    let next = double.after("4-4 Start A");
    assert_eq!((next.turn(), next.phase()), (0, "extra".to_owned()));
    assert!(next.legal().contains(&"9-0 Start D".to_owned()));
}

#[test]
fn metr_5_four_active_lines_are_refused() {
    let lines = json!({"Start A": ["3-4"], "Start B": ["5-6"], "Start C": ["7-8"], "Start D": ["0-0"]});
    let position = json!({"lines": lines, "hands": [["0-1"], ["0-2"]]});
    assert_impossible("{}", position, "more than three lines active (METR-5)");
}

#[test]
fn metr_5_a_line_of_one_tile_may_always_be_laid() {
    let options = custom(&[("Start", &["3", "4", "5", "1", "6"]), ("East", &["1", "2"])], "");
    let game = Match::of(&options, three_active(json(r#"{"hands": [["0-9", "1-2"], ["1-1", "0-2"]]}"#)));
    assert_eq!(game.legal(), ["0-9 Start D", "9-0 Start D", "1-2 Start D", "2-1 Start D"]);
    let next = game.after("9-0 Start D");
    assert_eq!(next.lines_that_are("closed"), ["Start D"]);
    assert_eq!(next.lines_that_are("active"), ["Start A", "Start B", "Start C"]);
    assert_eq!(next.view(None)["hands"][0]["stations"], 1);
    assert_eq!(next.legal(), ["0-2 East A", "2-0 East A", "1-1 East A"]);
    next.assert_refuses("1-1 East B", "3 lines are active already (METR-5)");
}

#[test]
fn metr_6_the_first_tile_may_be_any_either_half_outwards() {
    let game = Match::at(json(r#"{"hands": [["0-9", "4-4"], ["8-8"]]}"#));
    let on = |tile: &str| ["A", "B", "C", "D"].map(|letter| format!("{tile} Start {letter}"));
    let pairs = on("0-9").into_iter().zip(on("9-0")).flat_map(|(one, other)| [one, other]);
    assert_eq!(game.legal(), pairs.chain(on("4-4")).collect::<Vec<_>>());
    assert_eq!(game.after("0-9 Start C").line("Start C")["end"], 9);
    assert_eq!(game.after("9-0 Start C").line("Start C")["end"], 0);
    game.assert_refuses("4-4 Start A reversed", "a double has one facing");
}

#[test]
fn metr_6_every_further_tile_matches_the_outward_half() {
    let game = Match::at(with(
        three_active(json(r#"{"hands": [["3-9", "4-9", "2-4", "4-4", "8-9", "6-8"], ["8-8"]]}"#)),
        json(r#"{"turn": 0}"#),
    ));
    assert_eq!(
        game.legal(),
        ["4-2 Start A", "4-4 Start A", "4-9 Start A", "6-8 Start B", "8-6 Start C", "8-9 Start C"]
    );
    game.assert_refuses("3-9 Start A", "Start A ends with 4, not with 3 (METR-6)");
    game.assert_refuses("9-4 Start A", "Start A ends with 4, not with 9 (METR-6)");
    let next = game.after("4-2 Start A").line("Start A");
    assert_eq!((&next["tiles"], &next["end"]), (&json!([[3, 4], [4, 2]]), &json!(2)));
    let double = game.after("4-4 Start A").line("Start A");
    assert_eq!((&double["tiles"], &double["end"]), (&json!([[3, 4], [4, 4]]), &json!(4)));
}

#[test]
fn metr_6_a_position_whose_tiles_do_not_match_is_refused() {
    let position = |tiles: Value| json!({"lines": {"Start B": tiles}, "hands": [["0-1"], ["0-2"]]});
    let message = "tiles side by side that do not match (METR-6)";
    assert_impossible("{}", position(json(r#"["3-4", "5-6"]"#)), message);
    assert_impossible("{}", position(json(r#"["3-4", "5-4"]"#)), message);
    Match::at(position(json(r#"["3-4", "4-5"]"#)));
    assert_impossible(
        "{}",
        json(r#"{"lines": {"Start E": ["3-4"]}, "hands": [["0-1"], ["0-2"]]}"#),
        "no line \"Start E\"",
    );
    let twice = r#"{"lines": {"Start A": ["3-4"], "START A": ["5-6"]}, "hands": [["0-1"], ["0-2"]]}"#;
    let error = rules("{}").parse_position(twice).unwrap_err().to_string();
    assert_eq!(error, "metro_domino: impossible state: lines: \"START A\" is there twice");
}

#[test]
fn metr_7_min_and_max_hold_for_both_halves_and_every_tile() {
    let game = Match::of(&custom(LIMITS, ""), json(r#"{"hands": [["1-2", "2-7", "7-8", "1-8", "0-0"], ["8-8"]]}"#));
    let on = |letter: char| {
        let suffix = format!("Start {letter}");
        game.legal()
            .into_iter()
            .filter(|play| play.ends_with(&suffix))
            .map(|play| play[..3].to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(on('A'), ["2-7", "7-2", "7-8", "8-7"]);
    assert_eq!(on('B'), ["0-0", "1-2", "2-1", "2-7", "7-2"]);
    assert_eq!(on('C'), ["2-7", "7-2"]);
    assert_eq!(on('D'), ["1-2", "2-1", "1-8", "8-1", "2-7", "7-2", "7-8", "8-7"]);
    assert_eq!(on('E'), [""; 0]);
    game.assert_refuses("1-2 Start A", "Start A is limited to Min2 (METR-7)");
    game.assert_refuses("7-8 Start B", "Start B is limited to Max7 (METR-7)");
    game.assert_refuses("1-8 Start C", "Start C is limited to Min2 Max7 (METR-7)");
    let later = json(
        r#"{"lines": {"Start A": ["4-7"], "Start B": ["5-2"], "Start C": ["3-3"]},
        "hands": [["1-7", "7-8", "2-9", "0-2", "3-8", "1-3", "3-7"], ["8-8"]]}"#,
    );
    let later = Match::of(&custom(LIMITS, ""), later);
    assert_eq!(later.legal(), ["2-0 Start B", "7-3 Start A", "3-7 Start C", "7-8 Start A"]);
}

#[test]
fn metr_7_no_doubles() {
    let options = custom(LIMITS, "");
    let game =
        Match::of(&options, json(r#"{"lines": {"Start D": ["3-4"]}, "hands": [["4-4", "5-5", "5-6"], ["8-8"]]}"#));
    game.assert_refuses("4-4 Start D", "Start D is limited to no doubles (METR-7)");
    game.assert_refuses("5-5 Start E", "Start E is limited to Min5 Max6 no doubles (METR-7)");
    assert!(game.legal().contains(&"5-6 Start E".to_owned()) && game.legal().contains(&"5-5 Start A".to_owned()));
    for lines in [json!({"Start D": ["4-4"]}), json!({"Start A": ["1-4"]}), json!({"Start C": ["2-8"]})] {
        let position = json!({"lines": lines, "hands": [["0-0"], ["9-9"]]});
        assert_impossible(&options, position, "a tile that its line does not take (METR-7)");
    }
}

#[test]
fn metr_8_who_completes_a_line_opens_a_station_there() {
    for seat in [0, 1] {
        let hands = json(r#"[["3-9", "0-0"], ["3-8", "0-0"]]"#);
        let mut position = one_short(json!({"hands": hands, "turn": seat}));
        position["hands"][1 - seat] = json!(["1-1"]);
        let game = Match::at(position);
        let play = ["3-9 Start A", "3-8 Start A"][seat];
        let next = game.after(play);
        let station = next.opened()[0].clone();
        assert_eq!(next.the("opened"), json!([{"station": station, "by": seat, "line": "Start A"}]));
        let view = next.view(None);
        assert_eq!(view["stations_left"], 9);
        let shown = view["stations"].as_array().unwrap().iter().find(|shown| shown["id"] == *station).unwrap();
        assert_eq!(
            (&shown["is_open"], &shown["owner"], &shown["line"]),
            (&json!(true), &json!(seat), &json!("Start A"))
        );
        let stations = [0, 1].map(|seat| view["hands"][seat]["stations"].as_u64().unwrap() as usize);
        assert_eq!(stations, [1 - seat, seat]);
        assert_eq!(words(&shown["lines"]).len(), 2);
        for line in words(&shown["lines"]) {
            assert_eq!(next.line(&line)["state"], "open");
        }
        assert_eq!(next.turn() as usize, 1 - seat);
        assert_eq!((next.lines_that_are("open").len(), next.lines_that_are("waiting").len()), (5, 18));
    }
}

#[test]
fn metr_8_the_lines_of_a_station_are_open_at_once() {
    let game = Match::at(one_short(json(r#"{"hands": [["3-3", "4-5", "5-6", "2-7"], ["1-1"]]}"#)));
    let next = game.after("3-3 Start A");
    let station = next.opened()[0].clone();
    let name = new_york().into_iter().find(|line| line.station == station).unwrap().name;
    assert_eq!((next.phase(), next.turn()), ("extra".to_owned(), 0));
    let last = next.after(&format!("4-5 {name}; spend; 5-6 {name}"));
    assert_eq!(last.line(&name)["tiles"], json!([[4, 5], [5, 6]]));
}

#[test]
fn metr_8_every_unopened_station_can_be_the_top_one() {
    let times = |game: &Match, play: &str, rounds: u64| {
        let mut counts: BTreeMap<String, u32> = BTreeMap::new();
        for seed in 0..rounds {
            let next = game.with_seed(seed).after(play);
            *counts.entry(next.opened().pop().unwrap()).or_default() += 1;
        }
        counts
    };
    let game = Match::at(one_short(json(r#"{"hands": [["3-9", "0-0"], ["1-1"]]}"#)));
    // One of ten, and one of three; five standard deviations either way.
    let counts = times(&game, "3-9 Start A", 2000);
    assert!(counts.len() == 10 && counts.values().all(|count| (133..268).contains(count)), "{counts:?}");
    assert!(!counts.contains_key("start"));
    let game = Match::of(&custom(SHORT, ""), owned(&[0, 0, 1, 1, 1], json(r#"{"hands": [["0-0", "0-1"], ["1-1"]]}"#)));
    let counts = times(&game, "0-0 Start F", 900);
    assert_eq!(counts.keys().collect::<Vec<_>>(), ["fir", "gum", "hazel"]);
    assert!(counts.values().all(|count| (229..372).contains(count)), "{counts:?}");
}

#[test]
fn metr_8_without_a_station_left_a_complete_line_gains_nothing() {
    let options = custom(&[("Start", &["2", "2"])], "");
    let game = Match::of(&options, json(r#"{"lines": {"Start A": ["1-2"]}, "hands": [["2-3", "0-0"], ["1-1"]]}"#));
    let next = game.after("2-3 Start A");
    assert_eq!((next.opened().len(), next.line("Start A")["state"].clone()), (0, json!("closed")));
    assert_eq!((&next.line("Start A")["leads_to"], next.scores()), (&json!(null), vec![-1, -1]));
    assert_eq!((next.turn(), next.lines_that_are("active").len()), (1, 0));
    assert_eq!(next.legal(), ["1-1 Start B"]);
    assert!(next.text(None).lines().any(|row| row.starts_with("Start A") && row.ends_with("closed")));
    // The last station of a pile is opened, and the line after that leads nowhere.
    let parts = json(r#"{"hands": [["0-1", "0-2"], ["0-3", "0-4"]]}"#);
    let mut game = Match::of(&custom(SHORT, ""), owned(&[0, 1, 0, 1, 0, 1, 1], parts));
    game.play("0-1 Start H");
    assert_eq!((game.view(None)["stations_left"].clone(), game.opened().len()), (json!(0), 8));
    game.play("0-3 Start I");
    assert_eq!((game.opened().len(), game.scores()), (8, vec![3, 3]));
    assert_eq!(game.line("Start I")["state"], "closed");
}

#[test]
fn metr_8_positions_have_a_station_for_each_complete_line() {
    let refuse = |lines: Value, opened: Value, message: &str| {
        assert_impossible("{}", json!({"lines": lines, "opened": opened, "hands": [["0-0"], ["9-9"]]}), message);
    };
    let full = json!({"Start A": ["1-2", "2-3", "3-4"]});
    let square = json!({"station": "times_square", "by": 0, "line": "Start A"});
    let central = json!({"station": "grand_central", "by": 0, "line": "Start A"});
    refuse(full.clone(), json!([]), "a complete line without its station (METR-8)");
    refuse(
        json!({"Start A": ["1-2"]}),
        json!([square]),
        "a station at the end of a line that is not complete (METR-8)",
    );
    refuse(full.clone(), json!([square, square]), "opened: \"times_square\" is open already");
    refuse(full.clone(), json!([square, central]), "a line that leads to two stations");
    refuse(
        json!({"Start A": ["1-2", "2-3", "3-4", "4-5"]}),
        json!([square]),
        "a tile that its line does not take (METR-7)",
    );
    let opened = |station: &str, by: usize, line: &str| json!([{"station": station, "by": by, "line": line}]);
    refuse(full.clone(), opened("start", 0, "Start A"), "opened: \"start\" is open already");
    refuse(full.clone(), opened("Penn", 0, "Start A"), "no station \"Penn\"");
    refuse(full.clone(), opened("Wall Street", 2, "Start A"), "no seat 2: there are 2");
    refuse(full, opened("Wall Street", 0, "Start"), "no line \"Start\"");
}

// A turn

#[test]
fn metr_9_a_player_who_can_add_a_tile_must() {
    let game = Match::at(three_active(json(r#"{"hands": [["0-9", "2-4"], ["8-8"]]}"#)));
    for action in ["draw", "pass"] {
        game.assert_refuses(action, "a player who can add a tile must (METR-9)");
    }
    game.assert_refuses("keep", "no tile was drawn (METR-10)");
    game.assert_refuses("stop", "there is nothing to decline (METR-11)");
    game.assert_refuses("spend", "a token is spent after a tile was played, when no right is left (METR-12)");
    game.assert_refuses("8-8 Start C", "seat 0 does not hold that tile");
    assert_eq!(game.after("4-2 Start A").turn(), 1);
}

#[test]
fn metr_9_legal_actions_and_their_results_are_those_of_the_page() {
    let mut phases: BTreeMap<String, usize> = BTreeMap::new();
    let mut longest = 0;
    for (stations, players) in DECKS {
        for (wins_needed, seed) in [(1, 0), (1, 1), (1, 2), (2, 3)] {
            let more = format!(r#", "players": {players}, "wins_needed": {wins_needed}"#);
            let (deck, options) = deck(stations, &more);
            let mut last: Option<(Value, String)> = None;
            let mut tiles = 0;
            Match::seeded(&options, seed).play_out(|game, action| {
                let position = game.position();
                if let Some((before, action)) = last.take() {
                    let oracle = Oracle { deck: &deck, wins_needed, position: before };
                    let text = format!("{action} at {}", oracle.position);
                    tiles =
                        if oracle.position["phase"] == "turn" { 0 } else { tiles } + usize::from(action.contains(' '));
                    longest = longest.max(tiles);
                    assert_eq!(position, oracle.after(&action, &position), "{text}");
                }
                *phases.entry(game.phase()).or_default() += 1;
                let oracle = Oracle { deck: &deck, wins_needed, position };
                assert_eq!(game.legal(), oracle.legal(), "{}", oracle.position);
                last = action.map(|action| (oracle.position, action.to_owned()));
            });
        }
    }
    assert!(phases.len() == 6 && phases.values().all(|&seen| seen >= 20), "{phases:?}");
    assert!(longest >= 4, "no turn of more than {longest} tiles");
}

#[test]
fn metr_10_a_player_who_cannot_add_a_tile_draws_one() {
    let game = Match::at(three_active(json(r#"{"hands": [["1-2"], ["0-0"]], "store": ["0-9", "9-9"]}"#)));
    assert_eq!(game.legal(), ["draw"]);
    game.assert_refuses("pass", "there are tiles in the store to draw (METR-10)");
    let drawn = game.after("draw");
    assert_eq!((drawn.phase(), drawn.turn(), drawn.hand_sizes()), ("drawn".to_owned(), 0, vec![2, 1]));
    let tile = drawn.the("drawn").as_str().unwrap().to_owned();
    assert!(drawn.hands()[0].contains(&tile) && !drawn.store().contains(&tile));
    assert_eq!((drawn.store().len(), drawn.scores()), (1, vec![-2, -1]));
    assert_eq!(drawn.legal(), ["keep"]);
    drawn.assert_refuses("1-2 Start A", "only the tile just drawn may be played (METR-10)");
    drawn.assert_refuses("draw", "the turn has begun (METR-9)");
    let kept = drawn.after("keep");
    assert_eq!((kept.phase(), kept.turn(), kept.hands()), ("turn".to_owned(), 1, drawn.hands()));
    assert_eq!(kept.the("drawn"), json!(null));
}

#[test]
fn metr_10_the_tile_drawn_may_be_played_or_kept() {
    let start = |store: &str, tokens: [u8; 2]| {
        let parts = json!({"hands": [["1-2"], ["0-0"]], "store": [store, "3-9"], "tokens": tokens});
        let game = Match::at(three_active(parts));
        (0..20).map(|seed| game.with_seed(seed).after("draw")).find(|game| game.the("drawn") == store).unwrap()
    };
    let plain = start("4-6", [0, 0]);
    assert_eq!(plain.legal(), ["4-6 Start A", "6-4 Start B", "keep"]);
    assert_eq!(plain.after("6-4 Start B").moment(), ("turn".to_owned(), 1, vec![0, 0]));
    assert_eq!(plain.after("6-4 Start B").hands(), [["1-2"], ["0-0"]]);
    assert_eq!(plain.after("keep").moment(), ("turn".to_owned(), 1, vec![0, 0]));
    // What follows a tile follows this one.
    assert_eq!(start("4-6", [1, 0]).after("4-6 Start A").moment(), ("more".to_owned(), 0, vec![1, 0]));
    assert_eq!(start("4-6", [1, 0]).after("keep").moment(), ("turn".to_owned(), 1, vec![1, 0]));
    let double = start("4-4", [0, 0]).after("4-4 Start A");
    assert_eq!(double.moment(), ("extra".to_owned(), 0, vec![1, 0]));
    let drawn_in_position = Match::at(plain.position());
    assert_eq!((drawn_in_position.legal(), drawn_in_position.position()), (plain.legal(), plain.position()));
}

#[test]
fn metr_10_nobody_learns_whether_the_tile_fits() {
    let game = Match::at(three_active(json(r#"{"hands": [["1-2"], ["0-0"]], "store": ["4-4", "9-9", "4-6"]}"#)));
    let drawn: BTreeMap<String, Match> = (0..40)
        .map(|seed| game.with_seed(seed).after("draw"))
        .map(|game| (game.the("drawn").as_str().unwrap().to_owned(), game))
        .collect();
    assert_eq!(drawn.keys().collect::<Vec<_>>(), ["4-4", "4-6", "9-9"]);
    assert_eq!(drawn["9-9"].legal(), ["keep"]);
    for other in [&drawn["4-4"], &drawn["4-6"]] {
        assert!(other.legal().len() > 1);
        assert_eq!(other.seen(1), drawn["9-9"].seen(1));
        assert_eq!(other.after("keep").seen(1), drawn["9-9"].after("keep").seen(1));
        assert_ne!(other.seen(0), drawn["9-9"].seen(0));
    }
    assert_eq!(drawn["4-6"].view(Some(0))["drawn"], json!([4, 6]));
    assert!(drawn["4-6"].text(Some(0)).contains("4-6"));
    assert_eq!(drawn["4-6"].view(Some(1))["phase"], "drawn");
}

#[test]
fn metr_10_every_tile_of_the_store_can_be_drawn() {
    let store = ["0-0", "0-9", "2-9", "3-3", "9-9"];
    let game = Match::at(three_active(json!({"hands": [["1-2"], ["0-1"]], "store": store})));
    let mut counts: BTreeMap<String, u32> = BTreeMap::new();
    for seed in 0..1000 {
        let drawn = game.with_seed(seed).after("draw").the("drawn");
        *counts.entry(drawn.as_str().unwrap().to_owned()).or_default() += 1;
    }
    // One of five; five standard deviations either way.
    assert_eq!(counts.keys().collect::<Vec<_>>(), store.iter().collect::<Vec<_>>());
    assert!(counts.values().all(|count| (137..264).contains(count)), "{counts:?}");
}

#[test]
fn metr_10_with_an_empty_store_the_turn_is_over() {
    let game = Match::at(three_active(json(r#"{"hands": [["1-2"], ["4-5"]], "store": [], "tokens": [2, 0]}"#)));
    assert_eq!(game.legal(), ["pass"]);
    game.assert_refuses("draw", "the store is empty: the turn is over (METR-10)");
    let next = game.after("pass");
    assert_eq!(next.moment(), ("turn".to_owned(), 1, vec![2, 0]));
    assert_eq!((next.hands(), next.the("passes")), (game.hands(), json!(1)));
}

#[test]
fn metr_10_a_position_names_the_tile_drawn() {
    let refuse = |parts: Value, message: &str| {
        assert_impossible("{}", with(three_active(json(r#"{"hands": [["1-2"], ["0-0"]]}"#)), parts), message);
    };
    refuse(json(r#"{"phase": "drawn"}"#), "phase \"drawn\": drawn is missing");
    refuse(json(r#"{"drawn": "1-2"}"#), "drawn: only in phase \"drawn\"");
    refuse(json(r#"{"phase": "drawn", "drawn": "0-0"}"#), "a decision that nobody could have to take");
    refuse(json(r#"{"phase": "drawn", "drawn": "9-9"}"#), "a decision that nobody could have to take");
    refuse(json(r#"{"phase": "drawn", "drawn": "12"}"#), "no tile \"12\": the tiles are 0-0 to 9-9");
    refuse(json(r#"{"phase": "lunch"}"#), "no phase \"lunch\": the phases are turn, drawn, extra, more, spent, over");
}

#[test]
fn metr_11_a_double_gives_a_token_and_the_right_to_one_more_tile() {
    let game = Match::at(json(r#"{"hands": [["4-4", "1-2", "5-6"], ["0-0"]]}"#));
    let next = game.after("4-4 Start A");
    assert_eq!(next.moment(), ("extra".to_owned(), 0, vec![1, 0]));
    assert_eq!(next.view(None)["supply"], 11);
    let tiles = ["1-2", "2-1", "5-6", "6-5"];
    assert!(tiles.iter().all(|tile| next.legal().contains(&format!("{tile} Start B"))));
    assert_eq!(next.after("1-2 Start B").moment(), ("more".to_owned(), 0, vec![1, 0]));
    let plain = game.after("1-2 Start A");
    assert_eq!(plain.moment(), ("turn".to_owned(), 1, vec![0, 0]));
}

#[test]
fn metr_11_the_right_may_be_declined_and_ends_the_turn() {
    let game = Match::at(json(r#"{"hands": [["4-4", "1-2", "5-6"], ["0-0"]], "tokens": [3, 0]}"#));
    let next = game.after("4-4 Start A");
    assert_eq!(next.legal().last().unwrap(), "stop");
    assert_eq!(next.after("stop").moment(), ("turn".to_owned(), 1, vec![4, 0]));
    next.assert_refuses("spend", "a token is spent after a tile was played, when no right is left (METR-12)");
    next.assert_refuses("draw", "the turn has begun (METR-9)");
    next.assert_refuses("pass", "the turn has begun (METR-9)");
    next.assert_refuses("keep", "no tile was drawn (METR-10)");
}

#[test]
fn metr_11_nothing_is_drawn_for_the_right() {
    let game = Match::at(three_active(json(r#"{"hands": [["4-4", "1-2"], ["0-0"]]}"#)));
    let next = game.after("4-4 Start A");
    assert_eq!((next.phase(), next.legal()), ("extra".to_owned(), vec!["stop".to_owned()]));
    assert_eq!(next.after("stop").store(), game.store());
    // Others see the same whether something fits or not.
    let hidden = |hand: Value, store: Value| {
        let parts = json!({"hands": [hand, ["0-0"]], "store": store});
        Match::at(three_active(parts)).after("4-4 Start A")
    };
    let [stuck, free] = [hidden(json!(["4-4", "1-2"]), json!(["4-9"])), hidden(json!(["4-4", "4-9"]), json!(["1-2"]))];
    assert_eq!((stuck.legal().len(), free.legal().len()), (1, 2));
    assert_eq!(stuck.seen(1), free.seen(1));
}

#[test]
fn metr_11_doubles_chain() {
    let mut game = Match::at(json(r#"{"hands": [["4-4", "5-5", "6-6", "1-2", "0-9"], ["0-0"]]}"#));
    for (tokens, play) in [(1, "4-4 Start A"), (2, "5-5 Start B"), (3, "6-6 Start C")] {
        game.play(play);
        assert_eq!(game.moment(), ("extra".to_owned(), 0, vec![tokens, 0]));
    }
    // The last right is still there, but nothing fits three active lines.
    assert_eq!(game.legal(), ["stop"]);
    assert_eq!(game.after("stop").turn(), 1);
}

#[test]
fn metr_11_a_double_that_completes_a_line_counts_too() {
    let next = Match::at(one_short(json(r#"{"hands": [["3-3", "0-9"], ["0-0"]]}"#))).after("3-3 Start A");
    assert_eq!(next.moment(), ("extra".to_owned(), 0, vec![1, 0]));
    assert_eq!((next.opened().len(), next.scores()), (1, vec![0, -1]));
    assert!(next.legal().contains(&"0-9 Start B".to_owned()));
}

#[test]
fn metr_11_without_tokens_in_the_supply_the_right_remains() {
    let game = Match::at(json(r#"{"hands": [["4-4", "1-2", "5-6"], ["0-0"]], "tokens": [0, 12]}"#));
    let next = game.after("4-4 Start A");
    assert_eq!(next.moment(), ("extra".to_owned(), 0, vec![0, 12]));
    assert_eq!(next.after("1-2 Start B").moment(), ("turn".to_owned(), 1, vec![0, 12]));
    let one = Match::at(with(game.position(), json(r#"{"tokens": [0, 11]}"#))).after("4-4 Start A");
    assert_eq!((one.moment(), one.view(None)["supply"].clone()), (("extra".to_owned(), 0, vec![1, 11]), json!(0)));
}

#[test]
fn metr_12_a_token_buys_one_more_tile_after_a_tile() {
    let game = Match::at(json(r#"{"hands": [["1-2", "5-6", "7-8"], ["0-0"]], "tokens": [1, 0]}"#));
    let more = game.after("1-2 Start A");
    assert_eq!(
        (more.moment(), more.legal()),
        (("more".to_owned(), 0, vec![1, 0]), vec!["spend".to_owned(), "stop".to_owned()])
    );
    let spent = more.after("spend");
    assert_eq!(spent.moment(), ("spent".to_owned(), 0, vec![0, 0]));
    assert_eq!(spent.view(None)["supply"], 12);
    assert_eq!(spent.legal().len(), 12, "two tiles, either half outwards, on three lines");
    assert_eq!(spent.after("5-6 Start B").moment(), ("turn".to_owned(), 1, vec![0, 0]));
    assert_eq!(more.after("stop").moment(), ("turn".to_owned(), 1, vec![1, 0]));
    more.assert_refuses("5-6 Start B", "one more tile needs a metro token: spend it first (METR-12)");
    more.assert_refuses("draw", "the turn has begun (METR-9)");
    // Somebody else's tokens buy nothing.
    let other = Match::at(with(game.position(), json(r#"{"tokens": [0, 5]}"#)));
    assert_eq!(other.after("1-2 Start A").moment(), ("turn".to_owned(), 1, vec![0, 5]));
}

#[test]
fn metr_12_the_tile_must_be_played() {
    let game = Match::at(json(r#"{"hands": [["1-2", "5-6", "7-8"], ["0-0"]], "tokens": [2, 0], "phase": "spent"}"#));
    game.assert_refuses("stop", "the token is spent: the tile has to be played (METR-12)");
    game.assert_refuses("spend", "a token is spent after a tile was played, when no right is left (METR-12)");
    game.assert_refuses("draw", "the turn has begun (METR-9)");
    game.assert_refuses("pass", "the turn has begun (METR-9)");
    game.assert_refuses("keep", "no tile was drawn (METR-10)");
}

#[test]
fn metr_12_a_token_just_won_may_be_spent() {
    let mut game = Match::at(json(r#"{"hands": [["4-4", "1-2", "5-6", "7-8"], ["0-0"]]}"#));
    game.play("4-4 Start A; 1-2 Start B; spend; 5-6 Start C");
    assert_eq!((game.moment(), game.hands()[0].clone()), (("turn".to_owned(), 1, vec![0, 0]), vec!["7-8".to_owned()]));
}

#[test]
fn metr_12_several_tokens_in_one_turn() {
    let mut game = Match::at(json(r#"{"hands": [["1-2", "2-3", "5-6", "6-7", "7-8"], ["0-0"]], "tokens": [3, 0]}"#));
    let mut moments = Vec::new();
    for step in ["1-2 Start B", "spend; 2-3 Start B", "spend; 5-6 Start C", "spend; 6-7 Start C"] {
        moments.push(game.play(step).moment());
    }
    let more = |tokens| ("more".to_owned(), 0, vec![tokens, 0]);
    assert_eq!(moments, [more(3), more(2), more(1), ("turn".to_owned(), 1, vec![0, 0])]);
}

#[test]
fn metr_12_a_token_may_follow_a_tile_that_completes_a_line() {
    let position = one_short(json(r#"{"hands": [["3-4", "5-6", "7-8"], ["0-0"]], "tokens": [1, 0]}"#));
    let game = Match::at(position).after("3-4 Start A");
    assert_eq!((game.opened().len(), game.moment()), (1, ("more".to_owned(), 0, vec![1, 0])));
    assert_eq!(game.legal(), ["spend", "stop"]);
    let after = game.after("spend; 5-6 Start B");
    assert_eq!((after.moment(), after.hand_sizes()), (("turn".to_owned(), 1, vec![0, 0]), vec![1, 1]));
}

#[test]
fn metr_12_a_turn_of_five_tiles() {
    let mut game = Match::at(json(r#"{"hands": [["4-4", "5-5", "4-6", "5-7", "6-8", "0-9"], ["0-0"]]}"#));
    game.play("4-4 Start A; 5-5 Start B; 4-6 Start A; spend; 5-7 Start B; spend; 6-8 Start A");
    assert_eq!((game.moment(), game.hand_sizes()), (("turn".to_owned(), 1, vec![0, 0]), vec![1, 1]));
    assert_eq!((game.opened().len(), game.scores()), (1, vec![0, -1]));
}

#[test]
fn metr_12_a_double_played_for_a_token_gives_one_again() {
    let position = json(r#"{"hands": [["1-2", "4-4", "5-6", "7-8"], ["0-0"]], "tokens": [1, 0]}"#);
    let game = Match::at(position.clone()).after("1-2 Start A; spend; 4-4 Start B");
    assert_eq!(game.moment(), ("extra".to_owned(), 0, vec![1, 0]));
    assert_eq!(game.after("5-6 Start C").moment(), ("more".to_owned(), 0, vec![1, 0]));
    // The token given back is the one in the supply.
    let all = Match::at(with(position, json(r#"{"tokens": [12, 0]}"#))).after("1-2 Start A; spend; 4-4 Start B");
    assert_eq!(all.moment(), ("extra".to_owned(), 0, vec![12, 0]));
}

#[test]
fn metr_12_a_token_is_spent_only_when_a_tile_fits() {
    let game = Match::at(three_active(json(r#"{"hands": [["4-9", "1-2"], ["0-0"]], "tokens": [1, 0]}"#)));
    let next = game.after("4-9 Start A");
    assert_eq!((next.moment(), next.legal()), (("more".to_owned(), 0, vec![1, 0]), vec!["stop".to_owned()]));
    next.assert_refuses("spend", "no tile of the hand fits, so a token would buy nothing (METR-12)");
    // Others see the same whether something fits or not.
    let hidden = |held: &str, store: &str| {
        let parts = json!({"hands": [["4-9", held], ["0-0"]], "tokens": [1, 0], "store": [store]});
        Match::at(three_active(parts)).after("4-9 Start A")
    };
    let [stuck, free] = [hidden("1-2", "1-9"), hidden("1-9", "1-2")];
    assert_eq!((stuck.legal().len(), free.legal().len()), (1, 2));
    assert_eq!(stuck.seen(1), free.seen(1));
    assert_eq!(free.after("spend").legal(), ["9-1 Start A"]);
}

#[test]
fn metr_12_positions_come_in_every_phase() {
    let position = json(r#"{"hands": [["1-2", "5-6"], ["0-0"]], "tokens": [1, 0], "phase": "more"}"#);
    for phase in ["turn", "extra", "more", "spent"] {
        let game = Match::at(with(position.clone(), json!({"phase": phase})));
        let again = Match::at(game.position());
        assert_eq!((again.position(), again.legal()), (game.position(), game.legal()));
    }
    let message = "a decision that nobody could have to take";
    assert_impossible("{}", with(position.clone(), json(r#"{"tokens": [0, 3]}"#)), message);
    let stuck = three_active(json(r#"{"hands": [["1-2"], ["0-0"]], "phase": "spent"}"#));
    assert_impossible("{}", stuck, message);
}

#[test]
fn metr_13_play_goes_clockwise() {
    for players in 2..=4 {
        let mut game = Match::seeded(&format!(r#"{{"players": {players}, "first_seat": 1}}"#), 5);
        let mut turns = vec![game.turn()];
        while turns.len() < 2 * players as usize + 1 {
            let legal = game.legal();
            game.play(&legal[0]);
            if game.phase() == "turn" {
                turns.push(game.turn());
            }
        }
        let expected: Vec<u64> = (0..=2 * players).map(|number| (1 + number) % players).collect();
        assert_eq!(turns, expected);
    }
}

// End and score

#[test]
fn metr_14_the_last_tile_ends_the_game_at_once() {
    let position = one_short(json(r#"{"hands": [["3-9"], ["1-1", "0-0"]], "tokens": [2, 1]}"#));
    let end = Match::at(position.clone()).after("3-9 Start A");
    assert!(end.is_over());
    assert_eq!((end.phase(), end.legal(), end.scores()), ("over".to_owned(), Vec::new(), vec![1, -2]));
    assert_eq!((end.wins(), end.returns()), (vec![1, 0], vec![1.0, -1.0]));
    end.assert_refuses("pass", "the match is over");
    // A double too, and a tile bought with a token.
    let double = Match::at(with(position.clone(), json(r#"{"hands": [["3-3"], ["1-1", "0-0"]]}"#)));
    assert!(double.after("3-3 Start A").is_over());
    let bought = Match::at(with(position, json(r#"{"hands": [["3-9", "4-5"], ["1-1", "0-0"]]}"#)));
    assert!(bought.after("4-5 Start B; spend; 3-9 Start A").is_over());
}

#[test]
fn metr_14_the_last_tile_need_not_win() {
    let parts = json(r#"{"hands": [["0-1"], ["0-2", "0-3"]]}"#);
    let end = Match::of(&custom(SHORT, ""), owned(&[1, 1, 1, 0], parts)).after("0-1 Ash A");
    assert_eq!((end.scores(), end.wins()), (vec![1, 1], vec![0, 1]), "equal, and seat 1 has more stations");
    let parts = json(r#"{"hands": [["0-1"], ["0-2", "0-3"]]}"#);
    let end = Match::of(&custom(SHORT, ""), owned(&[1, 1, 1], parts)).after("0-1 Ash A");
    assert_eq!((end.scores(), end.wins(), end.returns()), (vec![0, 1], vec![0, 1], vec![-1.0, 1.0]));
}

#[test]
fn metr_14_the_fifth_station_ends_the_game_at_once() {
    let parts = json(r#"{"hands": [["0-1", "0-0", "0-2"], ["1-1"]], "tokens": [3, 0]}"#);
    let game = Match::of(&custom(SHORT, ""), owned(&[0, 0, 1, 0, 0], parts));
    let end = game.after("0-1 Start F");
    assert!(end.is_over());
    assert_eq!((end.scores(), end.wins(), end.hand_sizes()), (vec![3, 0], vec![1, 0], vec![2, 1]));
    assert!(game.after("0-0 Start F").is_over(), "a double does not go on either");
    // The fifth station of all, but the fourth of a player.
    let parts = json(r#"{"hands": [["0-1", "0-2"], ["1-1"]]}"#);
    let game = Match::of(&custom(SHORT, ""), owned(&[0, 0, 1, 0], parts));
    let next = game.after("0-1 Start E");
    assert_eq!((next.opened().len(), next.phase(), next.turn()), (5, "turn".to_owned(), 1));
}

#[test]
fn metr_14_the_fifth_station_need_not_win() {
    let parts = json(r#"{"hands": [["0-1", "0-2", "0-3", "0-4", "0-5"], ["1-1"]]}"#);
    let end = Match::of(&custom(SHORT, ""), owned(&[0, 1, 0, 1, 0, 1, 0], parts)).after("0-1 Start H");
    assert!(end.is_over());
    assert_eq!((end.scores(), end.wins()), (vec![1, 2], vec![0, 1]));
}

#[test]
fn metr_14_a_position_after_the_end_is_over_or_refused() {
    let message = "an end of the game that is none, or none that is one (METR-14)";
    assert_impossible("{}", json(r#"{"hands": [[], ["0-2"]]}"#), message);
    assert_impossible("{}", json(r#"{"hands": [["0-2"], []], "phase": "extra"}"#), message);
    assert_impossible("{}", json(r#"{"hands": [["0-1"], ["0-2"]], "phase": "over", "wins": [1, 0]}"#), message);
    let parts = json(r#"{"hands": [["0-1"], ["0-2"]]}"#);
    assert_impossible(&custom(SHORT, ""), owned(&[0, 0, 0, 0, 0], parts), message);
    let end = Match::at(json(r#"{"hands": [[], ["0-2"]], "phase": "over", "wins": [1, 0]}"#));
    assert!(end.is_over() && end.returns() == [1.0, -1.0]);
}

#[test]
fn metr_15_the_game_ends_when_the_store_is_empty_and_nobody_can_play() {
    for players in 2..=4 {
        let hands: Vec<Value> = (0..players).map(|seat| json!([format!("0-{seat}")])).collect();
        let position = json!({"lines": {"Start A": ["8-9"]}, "hands": hands, "store": [], "turn": 1, "first": 1});
        let mut game = Match::of(&custom(ONE, &format!(r#", "players": {players}"#)), position);
        for passes in 1..players {
            game.play("pass");
            assert_eq!((game.is_over(), game.the("passes")), (false, json!(passes)));
            assert_eq!(game.turn(), (1 + passes) % players);
        }
        game.play("pass");
        assert!(game.is_over());
        assert_eq!((game.wins(), game.returns()), (vec![1; players as usize], vec![0.0; players as usize]));
    }
}

#[test]
fn metr_15_passes_count_in_a_row_only() {
    let parts = json(r#"{"hands": [["1-2"], ["4-5", "0-0"], ["1-3"]], "store": [], "passes": 1, "turn": 1}"#);
    let mut game = Match::of(r#"{"players": 3}"#, three_active(parts));
    game.play("4-5 Start A");
    assert_eq!((game.the("passes"), game.turn()), (json!(0), 2));
    game.play("pass; pass");
    assert!(!game.is_over());
    game.play("pass");
    assert!(game.is_over());
    // Who draws the last tile may keep it; then everybody has to pass.
    let parts = json(r#"{"hands": [["1-2"], ["1-3"]], "store": ["4-5"], "passes": 1}"#);
    let mut game = Match::at(three_active(parts));
    assert_eq!(game.play("draw").the("passes"), 0);
    game.play("keep; pass");
    assert_eq!((game.is_over(), game.legal()), (false, vec!["4-5 Start A".to_owned()]));
    game.play("4-5 Start A; pass; pass");
    assert!(game.is_over());
}

#[test]
fn metr_15_a_position_in_which_all_have_passed_is_refused() {
    let parts = json(r#"{"hands": [["1-2"], ["1-3"]], "store": [], "passes": 2}"#);
    let message = "an end of the game that is none, or none that is one (METR-14)";
    assert_impossible("{}", three_active(parts.clone()), message);
    let over = with(three_active(parts), json(r#"{"phase": "over", "wins": [1, 1]}"#));
    assert!(Match::at(over.clone()).is_over());
    let position = with(over, json(r#"{"passes": 200}"#)).to_string();
    assert!(rules("{}").parse_position(&position).is_err(), "200 passes of two players");
}

#[test]
fn metr_16_a_score_is_stations_less_tiles() {
    random_matches(3, |game, _| {
        let view = game.view(Some(0));
        for seat in 0..game.rules.num_seats() {
            let by = |opened: &&Value| opened["by"] == seat;
            let stations = game.the("opened").as_array().unwrap().iter().filter(by).count() as i64;
            let tiles = game.hand_sizes()[seat] as i64;
            assert_eq!(
                (&view["scores"][seat], &view["hands"][seat]["tiles"]),
                (&json!(stations - tiles), &json!(tiles))
            );
            assert_eq!(view["hands"][seat]["stations"], stations);
        }
    });
}

#[test]
fn metr_16_the_highest_total_wins_then_more_stations_then_they_share() {
    // All lines are complete and the store is empty: everybody passes.
    let end = |owners: &[usize], tiles: &[usize]| {
        let mut pool = ["0-0", "0-1", "0-2", "0-3", "0-4", "0-5", "1-1", "1-2", "1-3", "1-4"].into_iter();
        let hands: Vec<Vec<&str>> = tiles.iter().map(|&count| pool.by_ref().take(count).collect()).collect();
        let mut position = owned(owners, json!({"hands": hands, "store": []}));
        let ones = vec!["1"; owners.len()];
        let mut stations = vec![("Start", &ones[..])];
        for (number, &(name, _)) in SHORT[1..=owners.len()].iter().enumerate() {
            stations.push((name, &["1"]));
            position["lines"][format!("{name} A")] = json!([format!("{}-8", number + 1)]);
        }
        let options = custom(&stations, &format!(r#", "players": {}"#, tiles.len()));
        let mut game = Match::of(&options, position);
        for _ in tiles {
            game.play("pass");
        }
        assert!(game.is_over());
        (game.scores(), game.wins(), game.returns())
    };
    assert_eq!(end(&[0, 1], &[2, 1]), (vec![-1, 0], vec![0, 1], vec![-1.0, 1.0]));
    assert_eq!(end(&[0, 0, 1], &[2, 1]), (vec![0, 0], vec![1, 0], vec![1.0, -1.0]));
    assert_eq!(end(&[0, 1], &[2, 2]), (vec![-1, -1], vec![1, 1], vec![0.0, 0.0]));
    assert_eq!(end(&[0, 1], &[2, 2, 3]), (vec![-1, -1, -3], vec![1, 1, 0], vec![0.25, 0.25, -0.5]));
    assert_eq!(end(&[1, 1, 2], &[1, 2, 1]), (vec![-1, 0, 0], vec![0, 1, 0], vec![-0.5, 1.0, -0.5]));
    let third = 1.0 / 3.0;
    assert_eq!(end(&[3], &[1, 1, 1, 1]), (vec![-1, -1, -1, 0], vec![0, 0, 0, 1], vec![-third, -third, -third, 1.0]));
    let (_, wins, returns) = end(&[0, 3], &[1, 2, 2, 1]);
    assert_eq!((wins, returns), (vec![1, 0, 0, 1], vec![third, -third, -third, third]));
}

#[test]
fn metr_16_the_text_names_the_winners() {
    let heading = |hands: Value| {
        let position = json!({"lines": {"Start A": ["8-9"]}, "hands": hands, "store": []});
        let end = Match::of(&custom(ONE, r#", "players": 3"#), position).after("pass; pass; pass");
        end.text(Some(0)).lines().next().unwrap().to_owned()
    };
    assert!(heading(json!([["0-1", "0-2"], ["0-3"], ["0-4", "0-5"]])).ends_with("over, seat 1 wins"));
    assert!(heading(json!([["0-1", "0-2"], ["0-3"], ["0-4"]])).ends_with("over, seat 1 and seat 2 share the win"));
    assert!(heading(json!([["0-1"], ["0-3"], ["0-4"]])).ends_with("over, a draw"));
}

// Match

/// Two with the same number of tiles who are both stuck; the game is shared after two passes.
#[allow(clippy::needless_pass_by_value)]
fn shared(options: &str, parts: Value) -> Match {
    let position = json(r#"{"lines": {"Start A": ["8-9"]}, "hands": [["0-1"], ["0-2"]], "store": []}"#);
    Match::of(&custom(ONE, options), with(position, parts)).after("pass; pass")
}

#[test]
fn metr_17_a_match_is_won_with_so_many_games() {
    assert_eq!(Match::new("{}").view(None)["wins_needed"], 1);
    for wins_needed in [0, 101, 255] {
        let message = format!("metro_domino: wins_needed = {wins_needed}: 1 to 100 are allowed (METR-17)");
        assert_eq!(refusal(&format!(r#"{{"wins_needed": {wins_needed}}}"#)), message);
    }
    for (wins_needed, players) in [(1, 2), (3, 2), (3, 3), (2, 4)] {
        let options = format!(r#"{{"wins_needed": {wins_needed}, "players": {players}}}"#);
        for seed in 0..3 {
            let end = Match::seeded(&options, seed).play_out(|game, action| {
                let most = game.wins().into_iter().max().unwrap();
                assert_eq!(most == wins_needed, action.is_none());
                assert_eq!(game.view(None)["wins_needed"], wins_needed);
                let won: u64 = game.wins().iter().sum();
                assert!(won >= game.the("game_number").as_u64().unwrap() - 1);
                assert!(action.is_none() || game.returns().iter().all(|&earned| earned == 0.0));
            });
            let winners: Vec<bool> = end.wins().iter().map(|&wins| wins == wins_needed).collect();
            assert_eq!(end.returns().iter().map(|&earned| earned >= 0.0).collect::<Vec<_>>(), winners);
            assert!(end.returns().iter().sum::<f32>().abs() < 1e-6);
        }
    }
}

#[test]
fn metr_17_every_game_begins_afresh_and_the_first_seat_moves_to_the_left() {
    let position = one_short(json(
        r#"{"hands": [["3-9"], ["1-1"], ["0-0"]], "tokens": [2, 1, 3], "first": 2, "wins": [1, 0, 1], "game_number": 3}"#,
    ));
    let next = Match::of(r#"{"players": 3, "wins_needed": 3}"#, position).after("3-9 Start A");
    assert_eq!((next.wins(), next.the("game_number")), (vec![2, 0, 1], json!(4)));
    assert_eq!((next.the("first"), next.moment()), (json!(0), ("turn".to_owned(), 0, vec![0, 0, 0])));
    assert_eq!((next.hand_sizes(), next.tiles(), next.opened().len()), (vec![9, 9, 9], double_nine(), 0));
    assert_eq!((next.the("lines"), next.view(None)["stations_left"].clone()), (json!({}), json!(10)));
    assert!(next.text(None).contains("game 4, won 2:0:1, 3 needed"), "{}", next.text(None));
    for players in 2..=4 {
        let mut firsts: BTreeMap<u64, u64> = BTreeMap::new();
        let options = format!(r#"{{"players": {players}, "wins_needed": 5, "first_seat": 1}}"#);
        Match::new(&options).play_out(|game, _| {
            let number = game.the("game_number").as_u64().unwrap();
            firsts.entry(number).or_insert_with(|| game.turn());
            assert_eq!(game.the("first"), firsts[&number]);
        });
        assert!(firsts.len() >= 5);
        assert!(firsts.iter().all(|(number, first)| *first == number % players), "{firsts:?}");
    }
}

#[test]
fn metr_17_a_set_aside_tile_comes_back_with_the_next_game() {
    let next = shared(r#", "wins_needed": 2"#, json!({}));
    assert_eq!((next.hand_sizes(), next.tiles()), (vec![9, 9], double_nine()));
}

#[test]
fn metr_17_a_shared_win_counts_for_each() {
    let next = shared(r#", "wins_needed": 2"#, json!({}));
    assert_eq!((next.wins(), next.is_over(), next.the("game_number")), (vec![1, 1], false, json!(2)));
    assert_eq!(next.returns(), [0.0, 0.0]);
    let ahead = shared(r#", "wins_needed": 2"#, json(r#"{"wins": [1, 0], "game_number": 2}"#));
    assert_eq!((ahead.wins(), ahead.returns()), (vec![2, 1], vec![1.0, -1.0]));
    assert!(ahead.is_over());
}

#[test]
fn metr_17_a_shared_last_win_shares_the_match() {
    let end = shared(r#", "wins_needed": 2"#, json(r#"{"wins": [1, 1], "game_number": 3}"#));
    assert_eq!((end.wins(), end.returns(), end.is_over()), (vec![2, 2], vec![0.0, 0.0], true));
    let heading = end.text(None);
    assert!(heading.lines().next().unwrap().ends_with("over, a draw"), "{heading}");
    let three = json(
        r#"{"lines": {"Start A": ["8-9"]}, "hands": [["0-1"], ["0-2"], ["0-3", "0-4"]], "store": [],
        "wins": [1, 1, 1], "game_number": 4}"#,
    );
    let end = Match::of(&custom(ONE, r#", "players": 3, "wins_needed": 2"#), three).after("pass; pass; pass");
    assert_eq!((end.wins(), end.returns()), (vec![2, 2, 1], vec![0.25, 0.25, -0.5]));
}

#[test]
fn metr_17_after_the_match_the_last_game_stays_on_the_table() {
    let position = one_short(json(r#"{"hands": [["3-9"], ["1-1"]], "wins": [1, 0], "game_number": 2, "first": 1}"#));
    let end = Match::of(r#"{"wins_needed": 2}"#, position).after("3-9 Start A");
    let view = end.view(Some(0));
    assert_eq!((&view["to_act"], &view["phase"], &view["legal"]), (&json!(null), &json!("over"), &json!([])));
    assert_eq!((&view["game_number"], &view["first"], &view["scores"]), (&json!(2), &json!(1), &json!([1, -1])));
    assert_eq!(end.line("Start A")["tiles"], json!([[1, 2], [2, 3], [3, 9]]));
}

#[test]
fn metr_17_a_position_with_impossible_wins_is_refused() {
    let refuse = |parts: Value, message: &str| {
        let position = with(json(r#"{"hands": [["0-1"], ["0-2"]]}"#), parts);
        assert_impossible(r#"{"wins_needed": 3}"#, position, message);
    };
    let ended = "an end of the match that is none, or none that is one (METR-17)";
    refuse(json(r#"{"wins": [3, 0], "game_number": 4}"#), ended);
    refuse(json(r#"{"hands": [[], ["0-2"]], "phase": "over", "wins": [2, 0], "game_number": 2}"#), ended);
    refuse(json(r#"{"wins": [1, 0]}"#), "wins that do not fit the games played");
    refuse(json(r#"{"wins": [1, 0], "game_number": 3}"#), "wins that do not fit the games played");
    refuse(json(r#"{"wins": [2, 0], "game_number": 2}"#), "more wins than games");
    refuse(json(r#"{"wins": [1, 0, 0], "game_number": 2}"#), "wins: 3 numbers for 2 players");
    refuse(json(r#"{"game_number": 0}"#), "game_number: games are counted from 1");
    let position = json(r#"{"hands": [[], ["0-2"]], "phase": "over", "wins": [200, 0], "game_number": 200}"#);
    let error = rules(r#"{"wins_needed": 3}"#).parse_position(&position.to_string());
    assert!(error.is_err(), "200 wins in a match of three");
}
