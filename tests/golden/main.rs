//! Matches written out in full, and counts of sequences of decisions.
//!
//! A golden file begins with the address of a match and who plays; the rest follows from that. To add one, write its
//! first six lines; `UPDATE_GOLDEN=1 cargo test --test golden` writes the rest, and whatever has changed in the others,
//! for you to read as a diff.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use adjoin::agents;
use adjoin::batch::Config;
use adjoin::game::{Game, Rules as _, Viewer};
use adjoin::games::connections::Connections;
use adjoin::games::domiphun::Domiphun;
use adjoin::games::mapello::Mapello;
use adjoin::games::mapominoes::Mapominoes;
use adjoin::games::metro_domino::MetroDomino;
use adjoin::registry;
use adjoin::rng::{self, Origin, Purpose, Rng};
use adjoin::rows::Buffers;
use serde_json::Value;

/// Where lines of legal actions are broken.
const WIDTH: usize = 100;

/// The first lines of a golden file: where the match is, and an agent for each seat.
struct Header {
    game: String,
    options: String,
    origin: Origin,
    episode: u32,
    players: Vec<String>,
}

impl Header {
    fn parse(text: &str) -> Self {
        let mut lines = text.lines();
        let mut field = |name: &str| {
            let line = lines.next().unwrap_or_default();
            let value = line.strip_prefix(name).and_then(|rest| rest.strip_prefix(": "));
            value.unwrap_or_else(|| panic!("expected \"{name}: …\", got {line:?}")).to_owned()
        };
        Self {
            game: field("game"),
            options: field("options"),
            origin: Origin { seed: field("seed").parse().unwrap(), lane: field("lane").parse().unwrap() },
            episode: field("episode").parse().unwrap(),
            players: field("players").split_whitespace().map(str::to_owned).collect(),
        }
    }

    fn text(&self) -> String {
        let Self { game, options, origin: Origin { seed, lane }, episode, players } = self;
        let players = players.join(" ");
        format!(
            "game: {game}\noptions: {options}\nseed: {seed}\nlane: {lane}\nepisode: {episode}\nplayers: {players}\n"
        )
    }

    /// What the players choose, by ids.
    fn choices(&self) -> Vec<i32> {
        match self.game.as_str() {
            Mapello::NAME => self.play::<Mapello>(),
            Mapominoes::NAME => self.play::<Mapominoes>(),
            MetroDomino::NAME => self.play::<MetroDomino>(),
            Domiphun::NAME => self.play::<Domiphun>(),
            Connections::NAME => self.play::<Connections>(),
            name => panic!("no line for {name} here"),
        }
    }

    fn play<R: Game>(&self) -> Vec<i32> {
        let rules = R::new(serde_json::from_str(&self.options).unwrap()).unwrap();
        let players: Vec<_> = self.players.iter().map(|name| agents::make(&rules, name).unwrap()).collect();
        let mut rng = Rng::new(self.origin, self.episode, Purpose::Game);
        let key = rng.key();
        let mut state = rules.start(&mut rng);
        let mut choices = Vec::new();
        while let Some(seat) = rules.to_act(&state) {
            let random = rng::draw(key, choices.len() as u32);
            let action = players[seat.index()].choose(&rules, &state, random, &AtomicBool::new(false), &mut Vec::new());
            choices.push(rules.action_id(action) as i32);
            rules.apply(&mut state, action, &mut rng);
        }
        choices
    }

    /// The whole match as text, played in a batch.
    fn playthrough(&self) -> String {
        let lane = self.origin.lane as usize;
        let config = Config { num_lanes: lane + 1, seed: self.origin.seed, ..Config::default() };
        let entry = registry::find(&self.game).unwrap();
        let mut batch = entry.batch(&json(&self.options), &config).unwrap();
        let (lanes, widths) = batch.size();
        let mut buffers = Buffers::new(lanes, widths);
        for _ in 0..self.episode {
            batch.restart(&vec![true; lanes], None, buffers.rows()).unwrap();
        }
        let mut out = self.text();
        let mut actions = vec![-1; lanes];
        for (number, action) in self.choices().into_iter().enumerate() {
            let game = batch.get(lane).unwrap();
            let notation = |id: usize| game.say(id).notation.to_string();
            let legal: Vec<String> = game.legal().into_iter().map(notation).collect();
            let (seat, board, chosen) =
                (game.to_act().unwrap().index(), game.text(Viewer::Everything), notation(action as usize));
            actions[lane] = action;
            batch.step((&actions).into(), buffers.rows()).unwrap();
            let rewards = numbers(&buffers.reward.row(lane).to_vec());
            write!(out, "\ndecision {number}\n{board}\nseat {seat} may play:").unwrap();
            write_actions(&mut out, &legal);
            write!(out, "\nseat {seat} plays: {chosen}\nrewards: {rewards}\n").unwrap();
        }
        let game = batch.get(lane).unwrap();
        assert_eq!(game.to_act(), None);
        write!(out, "\nend\n{}\nreturns: {}\n", game.text(Viewer::Everything), numbers(&game.returns())).unwrap();
        out
    }
}

/// Actions in lines of [`WIDTH`]; a word in lower case that several in a row begin with is written once.
fn write_actions(out: &mut String, actions: &[String]) {
    let mut column = out.len() - out.rfind('\n').map_or(0, |end| end + 1);
    let mut last_kind = "";
    for (index, action) in actions.iter().enumerate() {
        let is_kind = |word: &str| word.chars().all(char::is_lowercase);
        let (kind, rest) = action.split_once(' ').filter(|(word, _)| is_kind(word)).unwrap_or(("", action));
        if index > 0 {
            out.push(if kind == last_kind { ',' } else { ';' });
            column += 1;
        }
        let words = if kind == last_kind { rest } else { action };
        last_kind = kind;
        if column + 1 + words.len() > WIDTH {
            out.push_str("\n   ");
            column = 3;
        }
        write!(out, " {words}").unwrap();
        column += 1 + words.len();
    }
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

fn numbers(values: &[f32]) -> String {
    values.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden")
}

#[test]
fn every_game_has_golden_files_and_they_replay() {
    let update = std::env::var_os("UPDATE_GOLDEN").is_some_and(|value| value == "1");
    for name in registry::names() {
        let entries = fs::read_dir(folder().join(name)).unwrap_or_else(|_| panic!("{name} has no golden files"));
        let files =
            entries.map(|entry| entry.unwrap().path()).filter(|path| path.extension().is_some_and(|e| e == "txt"));
        let mut files: Vec<PathBuf> = files.collect();
        files.sort_unstable();
        assert!(!files.is_empty(), "{name} has no golden files");
        for file in files {
            let expected = fs::read_to_string(&file).unwrap().replace("\r\n", "\n");
            let header = Header::parse(&expected);
            assert_eq!(header.game, name, "{}", file.display());
            let played = header.playthrough();
            if update {
                fs::write(&file, played).unwrap();
            } else {
                assert_same(&played, &expected, &file);
            }
        }
    }
}

/// Fails at the first line that differs.
fn assert_same(played: &str, expected: &str, file: &Path) {
    let mut lines = played.lines().zip(expected.lines()).zip(1..);
    if let Some(((played, expected), line)) = lines.find(|((played, expected), _)| played != expected) {
        panic!(
            "{}, line {line}\nexpected: {expected}\n  played: {played}\nUPDATE_GOLDEN=1 rewrites it",
            file.display()
        );
    }
    assert!(played == expected, "{}: one is longer than the other; UPDATE_GOLDEN=1 rewrites it", file.display());
}

/// `perft.txt` has lines of game, options, depth and count, with semicolons between; chance has seed 0.
#[test]
fn counts_of_sequences_are_as_published() {
    let text = fs::read_to_string(folder().join("perft.txt")).unwrap();
    let mut counted = Vec::new();
    for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let fields: Vec<&str> = line.split(';').map(str::trim).collect();
        let [game, options, depth, count] = fields[..] else { panic!("expected four fields: {line}") };
        let start = registry::find(game).unwrap().start(&json(options), 0, 0, 10_000).unwrap();
        let found = start.perft(depth.parse().unwrap());
        assert_eq!(found, count.parse::<u64>().unwrap(), "{line}");
        counted.push(game);
    }
    for name in registry::names() {
        assert!(counted.contains(&name), "perft.txt counts nothing of {name}");
    }
}
