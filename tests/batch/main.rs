//! Batches and matches: threads and lanes, calls and their errors, built-in players, saves and replays, and whatever
//! text or bytes come in.

mod bytes;
mod episodes;
mod lanes;
mod matches;
mod players;
mod replays;
mod saves;
mod steps;
mod texts;
mod time_outs;

use adjoin::batch::{Config, Seeds};
use adjoin::dynamic::{AnyBatch, AnyMatch};
use adjoin::error::Error;
use adjoin::game::{Seat, Viewer};
use adjoin::registry;
use adjoin::rng::{Origin, Purpose, Rng};
use adjoin::rows::{Buffers, Status};
use serde_json::Value;

const FREE: &str = r#"{"setup": "free", "games": 2, "walls": [0, 3], "bonuses": [0, 2], "jokers": [0, 2]}"#;

const WALES: &str = r#"{"nations": ["Wales"], "table": [6, 4]}"#;

const CHALLENGES: &str = r#"{"nations": ["Wales", "Northern Ireland"], "first_nation": "Northern Ireland",
    "staged": true, "challenges": true, "table": [5, 5], "rounds": 1}"#;

/// Short lines, some with limits.
const SHORT_LINES: &str = r#"{"stations": {"custom": {"name": "own", "stations": [
    {"id": "hub", "name": "Hub", "lines": [{"length": 1}, {"length": 3, "min": 2}, {"length": 2, "max": 7}]},
    {"id": "ring", "name": "Ring", "lines": [{"length": 1}, {"length": 2, "no_doubles": true}]},
    {"id": "spur", "name": "Spur", "lines": [{"length": 2}]}]}}, "wins_needed": 2}"#;

/// Joiners, forks, and two games.
const FORKS: &str = r#"{"variant": "advanced", "fork": true, "starts_each": 1}"#;

/// A small deck, in which a linking card has two faces, and short rounds.
const WOODS: &str = r#"{"max_turns": 7, "deck": {"custom": {"name": "woods", "cities": [
    {"id": "ash", "name": "Ash", "regions": ["wood"]}, {"id": "beech", "name": "Beech", "regions": ["wood"]},
    {"id": "cedar", "name": "Cedar", "regions": ["wood"]}, {"id": "elm", "name": "Elm", "regions": ["wood"]},
    {"id": "fell", "name": "Fell", "regions": ["hill"]}, {"id": "gorge", "name": "Gorge", "regions": ["hill"]},
    {"id": "howe", "name": "Howe", "regions": ["hill"]}, {"id": "knoll", "name": "Knoll", "regions": ["hill"]},
    {"id": "ness", "name": "Ness", "regions": ["sea"]}, {"id": "pier", "name": "Pier", "regions": ["sea"]},
    {"id": "quay", "name": "Quay", "regions": ["sea"]}, {"id": "reef", "name": "Reef", "regions": ["sea"]},
    {"id": "tarn", "name": "Tarn", "regions": ["wood", "hill"]}, {"id": "strand", "name": "Strand", "regions": ["hill", "sea"]},
    {"id": "union", "name": "Union", "regions": ["wood", "hill", "sea"]}],
    "cards": [["tarn", "strand"], ["union", "union"], ["ash", "fell"], ["beech", "gorge"], ["cedar", "howe"],
    ["elm", "knoll"], ["fell", "ness"], ["gorge", "pier"], ["howe", "quay"], ["knoll", "reef"], ["ness", "ash"],
    ["pier", "beech"], ["quay", "cedar"], ["reef", "elm"], ["ash", "beech"], ["cedar", "elm"], ["fell", "gorge"],
    ["howe", "knoll"], ["ness", "pier"], ["quay", "reef"], ["ash", "gorge"], ["beech", "howe"], ["cedar", "knoll"],
    ["elm", "fell"], ["fell", "pier"], ["gorge", "quay"], ["howe", "reef"], ["knoll", "ness"], ["pier", "elm"],
    ["quay", "ash"], ["reef", "beech"]]}}}"#;

/// What holds for every game is tried on these, for the fewest players each.
const GAMES: [Named<'_>; 10] = [
    ("mapello", "{}"),
    ("mapello", FREE),
    ("mapominoes", WALES),
    ("mapominoes", CHALLENGES),
    ("metro_domino", "{}"),
    ("metro_domino", SHORT_LINES),
    ("domiphun", "{}"),
    ("domiphun", FORKS),
    ("connections", "{}"),
    ("connections", WOODS),
];

/// A game's name and its options as JSON.
type Named<'a> = (&'a str, &'a str);

/// A batch with its arrays and the actions to be played next.
struct Run {
    batch: Box<dyn AnyBatch>,
    buffers: Buffers,
    actions: Vec<i32>,
}

impl Run {
    fn new(game: Named<'_>, config: &Config) -> Self {
        Self::of(make(game, config).unwrap())
    }

    fn of(batch: Box<dyn AnyBatch>) -> Self {
        let (lanes, widths) = batch.size();
        let mut run = Self { batch, buffers: Buffers::new(lanes, widths), actions: vec![0; lanes] };
        run.observe(None).unwrap();
        run
    }

    fn reset(&mut self, seed: u64) {
        self.batch.reset(Seeds::One(seed), self.buffers.rows()).unwrap();
    }

    fn restart(&mut self, chosen: &[bool]) -> Result<(), Error> {
        self.batch.restart(chosen, None, self.buffers.rows())
    }

    fn observe(&mut self, viewer: Option<usize>) -> Result<(), Error> {
        self.batch.observe(viewer.map(Seat::new), self.buffers.rows())
    }

    /// Draws the actions to be played next.
    fn draw(&mut self) {
        self.batch.sample(&mut self.actions).unwrap();
    }

    fn step(&mut self) -> Result<(), Error> {
        self.batch.step((&self.actions).into(), self.buffers.rows())
    }

    fn random_steps(&mut self, steps: usize) {
        for _ in 0..steps {
            self.draw();
            self.step().unwrap();
        }
    }

    /// Plays random steps until a lane's match is over or cut off.
    fn finish(&mut self, lane: usize) {
        while self.buffers.status[lane] == Status::Running as u8 {
            self.random_steps(1);
        }
    }

    fn copy(&self, lanes: &[usize]) -> Self {
        Self::of(self.batch.select(lanes).unwrap())
    }

    /// A lane's match.
    fn get(&self, lane: usize) -> Box<dyn AnyMatch> {
        self.batch.get(lane).unwrap()
    }

    /// Lets something happen in a lane's match.
    fn within(&mut self, lane: usize, work: impl FnOnce(&mut dyn AnyMatch) -> Result<(), Error>) -> Result<(), Error> {
        let mut game = self.get(lane);
        work(&mut *game)?;
        self.batch.set(lane, &*game)
    }

    fn load(&mut self, lane: usize, bytes: &[u8]) {
        self.within(lane, |game| game.load(bytes)).unwrap();
    }

    fn save(&self, lane: usize) -> Vec<u8> {
        self.get(lane).save().unwrap()
    }

    fn saves(&self) -> Vec<Vec<u8>> {
        (0..self.batch.size().0).map(|lane| self.save(lane)).collect()
    }

    /// What the last call wrote for a lane, and the action drawn there.
    fn row(&self, lane: usize) -> (Vec<u8>, Vec<i8>, i8, Vec<f32>, u8, i32) {
        let Buffers { observation, mask, seat, reward, status } = &self.buffers;
        (
            observation.row(lane).to_vec(),
            mask.row(lane).to_vec(),
            seat[lane],
            reward.row(lane).to_vec(),
            status[lane],
            self.actions[lane],
        )
    }

    /// Writes numbers that no call writes, to see what a call leaves alone.
    fn mark(&mut self) {
        self.buffers.observation.fill(201);
        self.buffers.mask.fill(-7);
        self.buffers.seat.fill(-7);
        self.buffers.reward.fill(-7.5);
        self.buffers.status.fill(201);
    }
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

fn make((name, options): Named<'_>, config: &Config) -> Result<Box<dyn AnyBatch>, Error> {
    registry::find(name)?.batch(&json(options), config)
}

/// The match that a seed deals.
fn start((name, options): Named<'_>, seed: u64) -> Box<dyn AnyMatch> {
    registry::find(name).unwrap().start(&json(options), seed, 0, 10_000).unwrap()
}

/// Plays so many random decisions, or to the end.
fn play_random(game: &mut dyn AnyMatch, decisions: usize) {
    for _ in 0..decisions {
        if game.to_act().is_none() {
            break;
        }
        game.play(game.sample() as i64).unwrap();
    }
}

/// Plays so many random decisions, or to the end; every state on the way can be saved and loaded.
fn assert_playable(game: &mut dyn AnyMatch, decisions: usize) {
    for _ in 0..decisions {
        if game.to_act().is_none() {
            break;
        }
        game.load(&game.save().unwrap()).unwrap_or_else(|error| panic!("{error}\n{}", game.text(Viewer::Everything)));
        play_random(game, 1);
    }
}

/// How many play a game.
fn seats(game: Named<'_>) -> usize {
    start(game, 0).num_seats()
}

fn lanes(num_lanes: usize) -> Config {
    Config { num_lanes, ..Config::default() }
}

fn rng(seed: u64) -> Rng {
    Rng::new(Origin { seed, lane: 0 }, 0, Purpose::Game)
}

/// One of these, at random.
fn pick<'a, T>(rng: &mut Rng, from: &'a [T]) -> &'a T {
    &from[rng.below(from.len() as u64) as usize]
}

/// Fails unless the message has all the words.
fn assert_names<T>(result: Result<T, Error>, words: &[&str]) {
    let Err(error) = result else { panic!("accepted instead of naming {words:?}") };
    let message = error.to_string();
    for word in words {
        assert!(message.contains(word), "no {word:?} in {message:?}");
    }
}

#[test]
fn every_game_is_tried() {
    for name in registry::names() {
        assert!(GAMES.iter().any(|(game, _)| *game == name), "{name} is missing from GAMES");
    }
}

/// A million lanes take a quarter of a gigabyte.
#[test]
fn a_lane_of_mapello_is_small() {
    let bytes = start(("mapello", "{}"), 0).spec().lane_bytes;
    assert!(bytes <= 256, "{bytes} bytes");
}
