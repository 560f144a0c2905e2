//! What the fuzz targets share: games in progress, and what holds for every match.

#[path = "../../batch/bytes.rs"]
pub mod bytes;

use std::cell::OnceCell;

use adjoin::batch::Config;
use adjoin::registry;
use adjoin::rows::Widths;
use adjoin::dynamic::{Simulator, Spec};

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
    /// How long their rows are.
    pub widths: Widths,
    batch: Box<dyn Simulator>,
    header: Vec<u8>,
}

impl Stages {
    /// Those of a game, by its number.
    #[must_use]
    pub fn new(number: usize) -> Self {
        let (name, options) = game(number);
        let config = Config { num_lanes: MATCHES, ..Config::default() };
        let mut batch = registry::make(name, options, &config).unwrap();
        for lane in 0..MATCHES {
            (0..lane * APART).for_each(|_| play_random(&mut *batch, lane));
        }
        let mut header = batch.save(0).unwrap();
        header.truncate(bytes::body_start(name));
        Self { widths: widths(&*batch), batch, header }
    }

    /// All of them.
    #[must_use]
    pub fn batch(&self) -> &dyn Simulator {
        &*self.batch
    }

    /// What precedes a saved match of the game.
    #[must_use]
    pub fn header(&self) -> &[u8] {
        &self.header
    }

    /// A batch of copies of these matches.
    #[must_use]
    pub fn select(&self, matches: &[usize]) -> Box<dyn Simulator> {
        let matches: Vec<usize> = matches.iter().map(|number| number % MATCHES).collect();
        self.batch.select(&matches).unwrap()
    }
}

/// Runs `work` with a game's matches, which are made once.
pub fn with_stages(number: usize, work: impl FnOnce(&Stages)) {
    thread_local! {
        static ALL: [OnceCell<Stages>; NUM_GAMES] = const { [const { OnceCell::new() }; NUM_GAMES] };
    }
    ALL.with(|all| work(all[number % NUM_GAMES].get_or_init(|| Stages::new(number))));
}

/// Plays a random action in a lane, unless its match is over.
pub fn play_random(batch: &mut dyn Simulator, lane: usize) {
    let mut actions = vec![0; batch.num_lanes()];
    batch.sample(&mut actions).unwrap();
    if batch.to_act(lane).unwrap().is_some() {
        batch.play(lane, actions[lane].into()).unwrap();
    }
}

/// How long the rows of a batch are.
#[must_use]
pub fn widths(batch: &dyn Simulator) -> Widths {
    let Spec { seats, observation, actions, .. } = batch.spec();
    Widths { observation: observation.size(), mask: actions.size(), reward: seats }
}

/// Plays a few random decisions in lane 0; what holds for every match holds on the way.
pub fn play_on(batch: &mut dyn Simulator, widths: Widths, decisions: usize) {
    assert_consistent(batch, widths, 0);
    assert_guesses_are_valid(batch, widths);
    for _ in 0..decisions {
        play_random(batch, 0);
        assert_saved_match_comes_back(batch, 0);
    }
    assert_consistent(batch, widths, 0);
}

/// What a lane shows agrees with itself, and everything that can be written can be read.
pub fn assert_consistent(batch: &mut dyn Simulator, widths: Widths, lane: usize) {
    let legal = batch.legal(lane).unwrap();
    let to_act = batch.to_act(lane).unwrap();
    assert_eq!(legal.is_empty(), to_act.is_none(), "{legal:?}");
    assert!(legal.is_sorted_by(|one, next| one < next), "{legal:?}");
    assert!(legal.iter().all(|&id| batch.explain(lane, id as i64).unwrap().is_none()));
    assert!(batch.returns(lane).unwrap().iter().all(|earned| earned.is_finite()));
    assert_eq!(batch.standing(lane).unwrap().len(), widths.reward);
    for viewer in (0..widths.reward).map(Some).chain([None]) {
        assert!(!batch.text(lane, viewer).unwrap().is_empty());
        assert!(batch.json(lane, viewer).unwrap().is_object());
    }
    assert_saved_match_comes_back(batch, lane);
    if to_act.is_some() {
        assert_position_comes_back(&*batch, lane);
    }
}

fn assert_saved_match_comes_back(batch: &mut dyn Simulator, lane: usize) {
    let saved = batch.save(lane).unwrap();
    batch.load(lane, &saved).unwrap_or_else(|error| panic!("{error}\n{}", batch.text(lane, None).unwrap()));
    assert_eq!(batch.save(lane).unwrap(), saved);
}

fn assert_position_comes_back(batch: &dyn Simulator, lane: usize) {
    let text = batch.position(lane).unwrap();
    let mut again = batch.select(&[lane]).unwrap();
    again.set_position(0, &text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(again.position(0).unwrap(), text);
}

/// Whatever a seat can suppose about what it has not seen is a match that can be saved and loaded.
fn assert_guesses_are_valid(batch: &dyn Simulator, widths: Widths) {
    for viewer in 0..widths.reward {
        let mut guess = batch.select(&[0]).unwrap();
        guess.resample_hidden(viewer, 1).unwrap();
        assert_saved_match_comes_back(&mut *guess, 0);
    }
}
