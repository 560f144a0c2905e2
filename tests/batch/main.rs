//! The batch: threads and lanes, calls and their errors, built-in players, saving, and whatever text or bytes come in.

mod bytes;
mod episodes;
mod lanes;
mod players;
mod saves;
mod steps;
mod texts;
mod time_outs;

use adjoin::batch::{Config, Seeds};
use adjoin::dynamic::Simulator;
use adjoin::error::Error;
use adjoin::registry;
use adjoin::rng::{Origin, Purpose, Rng};
use adjoin::rows::{Buffers, Status, Widths};

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
const GAMES: [(&str, &str); 10] = [
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

/// A batch with its arrays and the actions to be played next.
struct Run {
    batch: Box<dyn Simulator>,
    buffers: Buffers,
    actions: Vec<i32>,
}

impl Run {
    fn new((name, options): (&str, &str), config: &Config) -> Self {
        Self::of(registry::make(name, options, config).unwrap())
    }

    fn of(batch: Box<dyn Simulator>) -> Self {
        let lanes = batch.num_lanes();
        let buffers = Buffers::new(lanes, widths(&*batch));
        let mut run = Self { batch, buffers, actions: vec![0; lanes] };
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
        self.batch.observe(viewer, self.buffers.rows())
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

    fn save(&self, lane: usize) -> Vec<u8> {
        self.batch.save(lane).unwrap()
    }

    fn saves(&self) -> Vec<Vec<u8>> {
        (0..self.batch.num_lanes()).map(|lane| self.save(lane)).collect()
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

    /// Plays lane 0 to its end; every state on the way can be saved and loaded.
    fn assert_playable(&mut self) {
        self.observe(None).unwrap();
        while self.buffers.status[0] == Status::Running as u8 {
            let saved = self.save(0);
            self.batch.load(0, &saved).unwrap_or_else(|error| panic!("{error}\n{}", self.batch.text(0, None).unwrap()));
            self.random_steps(1);
        }
    }
}

fn widths(batch: &dyn Simulator) -> Widths {
    let spec = batch.spec();
    Widths { observation: spec.observation.size(), mask: spec.actions.size(), reward: spec.seats }
}

/// How many play a game.
fn seats((name, options): (&str, &str)) -> usize {
    registry::make(name, options, &Config::default()).unwrap().spec().seats
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
    for name in registry::NAMES {
        assert!(GAMES.iter().any(|(game, _)| *game == name), "{name} is missing from GAMES");
    }
}

/// A million lanes take a quarter of a gigabyte.
#[test]
fn a_lane_of_mapello_is_small() {
    let bytes = registry::make("mapello", "{}", &Config::default()).unwrap().spec().lane_bytes;
    assert!(bytes <= 256, "{bytes} bytes");
}
