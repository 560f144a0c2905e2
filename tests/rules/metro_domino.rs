//! Metro Domino, clause by clause (`src/games/metro_domino/RULES.md`).

use std::collections::{BTreeMap, BTreeSet};

use adjoin::batch::Config;
use adjoin::game::{Encode as _, Rules as _, Seat, Show as _};
use adjoin::games::metro_domino::{MetroDomino, State};
use adjoin::registry;
use adjoin::rng::{Origin, Purpose, Rng};
use serde_json::{Value, json};

const PAGE: &str = include_str!("../../src/games/metro_domino/RULES.md");

/// A match being played.
#[derive(Clone)]
struct Match {
    rules: MetroDomino,
    state: State,
    rng: Rng,
}

impl Match {
    fn new(options: &str) -> Self {
        Self::seeded(options, 0)
    }

    fn seeded(options: &str, seed: u64) -> Self {
        let rules = rules(options);
        let mut rng = rng(seed);
        let state = rules.start(&mut rng);
        Self { rules, state, rng }
    }

    /// A match with the usual options that stands at a position.
    #[allow(clippy::needless_pass_by_value)]
    fn at(position: Value) -> Self {
        Self::of("{}", position)
    }

    #[allow(clippy::needless_pass_by_value)]
    fn of(options: &str, position: Value) -> Self {
        let rules = rules(options);
        let state = rules.parse_position(&position.to_string()).unwrap_or_else(|error| panic!("{position}: {error}"));
        Self { rules, state, rng: rng(0) }
    }

    /// The same with other luck from here on.
    fn with_seed(&self, seed: u64) -> Self {
        Self { rng: rng(seed), ..self.clone() }
    }

    /// Plays actions in notation, separated by semicolons. All must be legal.
    fn play(&mut self, actions: &str) -> &mut Self {
        for text in actions.split(';') {
            let action = self.rules.parse_action(text).unwrap_or_else(|| panic!("no action {text:?}"));
            if let Err(why) = self.rules.check(&self.state, action) {
                panic!("{text}: {why} in\n{}", self.position());
            }
            self.rules.apply(&mut self.state, action, &mut self.rng);
        }
        self
    }

    /// The same, in a copy.
    fn after(&self, actions: &str) -> Self {
        self.clone().play(actions).clone()
    }

    /// Plays random actions to the end; shows every state and the action that is played there, at last none.
    fn play_out(mut self, mut see: impl FnMut(&Self, Option<&str>)) -> Self {
        loop {
            let legal = self.legal();
            if legal.is_empty() {
                see(&self, None);
                return self;
            }
            let action = &legal[self.rng.below(legal.len() as u64) as usize];
            see(&self, Some(action));
            self.play(action);
        }
    }

    /// What a seat could hold for another.
    fn guess(&self, viewer: usize, seed: u64) -> Self {
        let mut guess = self.clone();
        guess.rules.resample_hidden(&mut guess.state, Seat::new(viewer), &mut rng(seed));
        guess.rules.validate(&guess.state).unwrap();
        guess
    }

    /// Fails unless the action is refused for this reason.
    fn assert_refuses(&self, text: &str, reason: &str) {
        let action = self.rules.parse_action(text).unwrap_or_else(|| panic!("no action {text:?}"));
        let refusal = self.rules.check(&self.state, action).map_err(|why| why.to_string());
        assert_eq!(refusal.expect_err(text), reason, "{text}");
        assert!(!self.legal().contains(&text.to_owned()));
    }

    /// Legal actions in notation.
    fn legal(&self) -> Vec<String> {
        let mut actions = Vec::new();
        self.rules.legal_actions(&self.state, &mut actions);
        actions.into_iter().map(|action| self.rules.action_text(action)).collect()
    }

    fn view(&self, viewer: Option<usize>) -> Value {
        self.rules.json(&self.state, viewer.map(Seat::new))
    }

    fn text(&self, viewer: Option<usize>) -> String {
        self.rules.text(&self.state, viewer.map(Seat::new))
    }

    fn row(&self, viewer: usize) -> Vec<u8> {
        let mut row = vec![0; self.rules.observation().size()];
        self.rules.observe(&self.state, Seat::new(viewer), &mut row);
        row
    }

    /// Everything that a seat is shown.
    fn seen(&self, viewer: usize) -> (Value, String, Vec<u8>) {
        (self.view(Some(viewer)), self.text(Some(viewer)), self.row(viewer))
    }

    fn position(&self) -> Value {
        serde_json::from_str(&self.rules.position(&self.state)).unwrap()
    }

    /// A part of the position.
    fn the(&self, key: &str) -> Value {
        self.position()[key].clone()
    }

    fn hands(&self) -> Vec<Vec<String>> {
        self.the("hands").as_array().unwrap().iter().map(words).collect()
    }

    fn hand_sizes(&self) -> Vec<usize> {
        self.hands().iter().map(Vec::len).collect()
    }

    fn store(&self) -> Vec<String> {
        words(&self.the("store"))
    }

    fn phase(&self) -> String {
        self.the("phase").as_str().unwrap().to_owned()
    }

    fn turn(&self) -> u64 {
        self.the("turn").as_u64().unwrap()
    }

    /// What is being decided, whose turn it is, and everybody's tokens.
    fn moment(&self) -> (String, u64, Vec<u64>) {
        (self.phase(), self.turn(), numbers(&self.the("tokens")))
    }

    fn is_over(&self) -> bool {
        self.rules.to_act(&self.state).is_none()
    }

    fn wins(&self) -> Vec<u64> {
        numbers(&self.the("wins"))
    }

    fn scores(&self) -> Vec<i64> {
        self.view(None)["scores"].as_array().unwrap().iter().map(|score| score.as_i64().unwrap()).collect()
    }

    fn returns(&self) -> Vec<f32> {
        self.rules.returns(&self.state)[..self.rules.num_seats()].to_vec()
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
        let mut tiles: Vec<String> = lines.as_object().unwrap().values().flat_map(words).collect();
        tiles.iter_mut().for_each(|tile| *tile = unfaced(tile));
        tiles.extend(self.hands().concat());
        tiles.extend(self.store());
        tiles.sort_unstable();
        tiles
    }
}

fn rng(seed: u64) -> Rng {
    Rng::new(Origin { seed, lane: 0 }, 0, Purpose::Game)
}

fn rules(options: &str) -> MetroDomino {
    MetroDomino::new(serde_json::from_str(options).unwrap()).unwrap_or_else(|error| panic!("{options}: {error}"))
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// The strings of a JSON list.
fn words(list: &Value) -> Vec<String> {
    list.as_array().unwrap().iter().map(|word| word.as_str().unwrap().to_owned()).collect()
}

/// The numbers of a JSON list.
fn numbers(list: &Value) -> Vec<u64> {
    list.as_array().unwrap().iter().map(|number| number.as_u64().unwrap()).collect()
}

/// A position with some parts replaced.
#[allow(clippy::needless_pass_by_value)]
fn with(mut position: Value, parts: Value) -> Value {
    for (key, part) in parts.as_object().unwrap() {
        position[key] = part.clone();
    }
    position
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
    let rows: Vec<Vec<&str>> = rows.map(|row| row.split(" | ").collect()).take_while(|row| row.len() == 3).collect();
    let mut all = lines(&[("Start", &["3", "4", "5", "6"])]);
    all.extend(rows.iter().flat_map(|row| lines(&[(row[0], &row[1..])])));
    all
}

/// Options with a deck of one's own.
fn custom(stations: &Stations, more: &str) -> String {
    let line = |line: Line| json!({"length": line.length, "min": line.min, "max": line.max, "no_doubles": line.no_doubles});
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
const SHORT: &Stations = &[
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
fn owned(owners: &[usize], parts: Value) -> Value {
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
fn one_short(parts: Value) -> Value {
    with(json(r#"{"lines": {"Start A": ["1-2", "2-3"]}}"#), parts)
}

/// Why options are refused.
fn refusal(options: &str) -> String {
    match registry::make("metro_domino", options, &Config::default()) {
        Ok(_) => panic!("{options} is accepted"),
        Err(error) => error.to_string(),
    }
}

fn refusal_of(stations: &Stations) -> String {
    refusal(&custom(stations, ""))
}

/// Fails unless the position is refused with this message.
#[allow(clippy::needless_pass_by_value)]
fn assert_impossible(options: &str, position: Value, message: &str) {
    let Err(error) = rules(options).parse_position(&position.to_string()) else { panic!("{position} is accepted") };
    assert_eq!(error.to_string(), format!("metro_domino: {message}"), "{position}");
}

/// Decks that differ in all that a deck can, with the number of players.
const DECKS: [(&Stations, usize); 6] = [
    (&[], 2),
    (&[], 4),
    (SHORT, 3),
    (LIMITS, 2),
    (ONE, 3),
    (&[("Hub", &["2", "1", "55 Min3", "3 Max7", "2 no doubles"]), ("Ring", &["1", "2"]), ("Spur", &["2 Min2 Max7"])], 2),
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
        let is_there = line.station == self.deck[0].station || self.openings().iter().any(|o| o["station"] == line.station);
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
        if wins.iter().any(|&wins| wins == self.wins_needed) {
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
