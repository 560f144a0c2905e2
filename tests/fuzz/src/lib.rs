//! What the fuzz targets share: games in progress, and what holds for every match.

#[path = "../../batch/bytes.rs"]
pub mod bytes;

use std::cell::OnceCell;

use adjoin::batch::Config;
use adjoin::dynamic::{AnyBatch, AnyMatch};
use adjoin::game::Seat;
use adjoin::registry;

/// Every game with some options: few players and many, short matches, all variants.
const GAMES: [(&str, &str); 13] = [
    ("mapello", "{}"),
    ("mapello", r#"{"setup": "free", "games": 2}"#),
    ("mapello", r#"{"setup": "othello", "size": 6}"#),
    ("mapominoes", r#"{"nations": ["Wales"], "table": [5, 5], "players": 3, "draw": "stuck", "rounds": 1}"#),
    (
        "mapominoes",
        r#"{"nations": ["Wales", "Northern Ireland"], "first_nation": "Northern Ireland", "staged": true,
            "challenges": true, "draw": "free", "table": [5, 5], "rounds": 1}"#,
    ),
    ("metro_domino", "{}"),
    (
        "metro_domino",
        r#"{"players": 4, "wins_needed": 2, "stations": {"custom": {"name": "own", "stations": [
            {"id": "hub", "name": "Hub", "lines": [{"length": 1}, {"length": 3, "min": 2}, {"length": 2, "max": 7}]},
            {"id": "spur", "name": "Spur", "lines": [{"length": 2, "no_doubles": true}]}]}}}"#,
    ),
    ("domiphun", "{}"),
    ("domiphun", r#"{"variant": "traditional", "players": 3, "starts_each": 1}"#),
    ("domiphun", r#"{"variant": "advanced", "fork": true, "starts_each": 1}"#),
    ("domiphun", r#"{"variant": "advanced", "players": 4, "series": "points"}"#),
    ("connections", "{}"),
    ("connections", r#"{"players": 5, "trading": false, "max_turns": 3}"#),
];

/// How many games there are to choose from.
pub const NUM_GAMES: usize = GAMES.len();
/// Matches of each game, and how many decisions each of them is ahead of the one before.
pub const MATCHES: usize = 8;
const APART: usize = 9;

/// A game by its number: name and options.
#[must_use]
pub fn game(number: usize) -> (&'static str, &'static str) {
    GAMES[number % NUM_GAMES]
}

/// The number that a byte stands for: `0` and what follows it in ASCII, so that seeds can be read.
#[must_use]
pub fn number(byte: u8) -> usize {
    byte.wrapping_sub(b'0').into()
}

/// The numbers in the first bytes, and the text after them.
#[must_use]
pub fn numbered_text<const N: usize>(data: &[u8]) -> Option<([usize; N], &str)> {
    let (first, rest) = data.split_first_chunk()?;
    Some((first.map(number), std::str::from_utf8(rest).ok()?))
}

/// Matches of a game at several stages.
pub struct Stages {
    batch: Box<dyn AnyBatch>,
    header: Vec<u8>,
}

impl Stages {
    /// Those of a game, by its number.
    #[must_use]
    pub fn new(number: usize) -> Self {
        let (name, options) = game(number);
        let config = Config { num_lanes: MATCHES, ..Config::default() };
        let options = serde_json::from_str(options).unwrap();
        let mut batch = registry::find(name).unwrap().batch(&options, &config).unwrap();
        for lane in 0..MATCHES {
            let mut game = batch.get(lane).unwrap();
            (0..lane * APART).for_each(|_| play_random(&mut *game));
            batch.set(lane, &*game).unwrap();
        }
        let mut header = batch.get(0).unwrap().save().unwrap();
        header.truncate(bytes::body_start(name));
        Self { batch, header }
    }

    /// What precedes a saved match of the game.
    #[must_use]
    pub fn header(&self) -> &[u8] {
        &self.header
    }

    /// A copy of the match with this number.
    #[must_use]
    pub fn get(&self, number: usize) -> Box<dyn AnyMatch> {
        self.batch.get(number % MATCHES).unwrap()
    }

    /// A batch of copies of these matches.
    #[must_use]
    pub fn select(&self, matches: &[usize]) -> Box<dyn AnyBatch> {
        self.batch.select(matches).unwrap()
    }
}

/// Runs `work` with a game's matches, which are made once.
pub fn with_stages(number: usize, work: impl FnOnce(&Stages)) {
    thread_local! {
        static ALL: [OnceCell<Stages>; NUM_GAMES] = const { [const { OnceCell::new() }; NUM_GAMES] };
    }
    ALL.with(|all| work(all[number % NUM_GAMES].get_or_init(|| Stages::new(number))));
}

/// Plays a random action, unless the match is over.
pub fn play_random(game: &mut dyn AnyMatch) {
    if game.to_act().is_some() {
        game.play(game.sample() as i64).unwrap();
    }
}

/// Plays a few random decisions; what holds for every match holds on the way.
pub fn play_on(game: &mut dyn AnyMatch, decisions: usize) {
    assert_consistent(game);
    assert_guesses_are_valid(game);
    for _ in 0..decisions {
        play_random(game);
        assert_saved_match_comes_back(game);
    }
    assert_consistent(game);
}

/// What a match shows agrees with itself, and everything that can be written can be read.
pub fn assert_consistent(game: &dyn AnyMatch) {
    let legal = game.legal();
    assert_eq!(legal.is_empty(), game.to_act().is_none(), "{legal:?}");
    assert!(legal.is_sorted_by(|one, next| one < next), "{legal:?}");
    assert!(legal.iter().all(|&id| game.why_not(id as i64).is_none()));
    assert!(game.returns().iter().all(|earned| earned.is_finite()));
    assert_eq!(game.standing().len(), game.num_seats());
    for viewer in (0..game.num_seats()).map(|seat| Some(Seat::new(seat))).chain([None]) {
        assert!(!game.text(viewer).is_empty());
        assert!(game.view(viewer).is_object());
    }
    assert_saved_match_comes_back(game);
    if game.to_act().is_some() {
        assert_position_comes_back(game);
    }
}

fn assert_saved_match_comes_back(game: &dyn AnyMatch) {
    let saved = game.save().unwrap();
    let mut again = game.deal(0, 0);
    again.load(&saved).unwrap_or_else(|error| panic!("{error}\n{}", game.text(None)));
    assert_eq!(again.save().unwrap(), saved);
}

fn assert_position_comes_back(game: &dyn AnyMatch) {
    let text = game.position();
    let mut again = game.copy(None);
    again.set_position(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(again.position(), text);
}

/// Whatever a seat can suppose about what it has not seen is a match that can be saved and loaded.
fn assert_guesses_are_valid(game: &dyn AnyMatch) {
    for viewer in 0..game.num_seats() {
        let mut guess = game.copy(None);
        guess.resample_hidden(Seat::new(viewer), 1);
        assert_saved_match_comes_back(&*guess);
    }
}
