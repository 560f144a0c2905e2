//! What a decision is made of: a piece of work, so many times over, on one thread.
//!
//! `parts WORK GAME OPTIONS TIMES` prints nanoseconds per decision, the best of five runs of as many times. The works are
//! `sample`, `step`, `rows` and `fill` (1,024 lanes; `step` includes choosing, `rows` is nobody's move, `fill` the same
//! bytes), `games` (whole random episodes as a table), and any other is the call of an agent in the middle of a match, such
//! as `search(iterations=500)`, per call. `WORK:LANES` asks for other numbers of lanes. With TIMES 0 it only gets ready:
//! the difference under `valgrind --tool=callgrind` is the work, see `instructions.py` beside this folder.
//! `digest` prints a number instead of times: of every byte of so many steps, against random and greedy opponents too, and of
//! the saves after them. It stays the same where a change is about speed alone.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use adjoin::batch::{Config, Seeds};
use adjoin::episodes::{Plan, Record};
use adjoin::registry;
use adjoin::rows::Buffers;
use serde_json::Value;

type Failure = Box<dyn std::error::Error>;

/// Decisions before a batch is looked at, so that matches are at all stages.
const WARM: usize = 300;
const RUNS: usize = 5;

fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [work, game, options, times] = arguments.as_slice() else {
        return Err("usage: parts WORK GAME OPTIONS TIMES".into());
    };
    let (options, times) = (serde_json::from_str(options)?, times.parse()?);
    let (name, lanes) = match work.rsplit_once(':') {
        Some((name, lanes)) => (name, lanes.parse()?),
        None => (work.as_str(), 1024),
    };
    match name {
        "sample" | "step" | "rows" | "fill" => on_lanes(name, game, &options, lanes, times),
        "games" => games(game, &options, times),
        "digest" => digest(game, &options, lanes.min(64), times),
        agent => ask(agent, game, &options, times),
    }
}

/// Prints the best of a few runs of some work, which returns how many units it did.
fn report(what: &str, times: usize, mut work: impl FnMut() -> Result<usize, Failure>) -> Result<(), Failure> {
    if times == 0 {
        return Ok(());
    }
    let runs = if std::env::var_os("ONCE").is_some() { 1 } else { RUNS };
    let mut best = f64::INFINITY;
    let mut done = 0;
    for _ in 0..runs {
        let begin = Instant::now();
        done = work()?;
        best = best.min(begin.elapsed().as_secs_f64() / done as f64);
    }
    println!("{{\"work\": \"{what}\", \"units\": {done}, \"ns\": {:.2}}}", best * 1e9);
    Ok(())
}

fn on_lanes(work: &str, game: &str, options: &Value, lanes: usize, times: usize) -> Result<(), Failure> {
    let mut batch = registry::find(game)?.batch(options, &Config { num_lanes: lanes, ..Config::default() })?;
    let mut out = Buffers::new(lanes, batch.size().1);
    let mut actions = vec![0; lanes];
    batch.reset(Seeds::One(0), out.rows())?;
    for _ in 0..WARM {
        batch.sample(&mut actions)?;
        batch.step(actions.as_slice().into(), out.rows())?;
    }
    report(work, times, || {
        for _ in 0..times {
            match work {
                "sample" => batch.sample(&mut actions)?,
                "rows" => batch.observe(None, out.rows())?,
                "fill" => {
                    out.observation.fill(0);
                    out.mask.fill(0);
                    out.seat.fill(0);
                    out.reward.fill(0.0);
                    out.status.fill(0);
                    std::hint::black_box(&mut out);
                }
                _ => {
                    batch.sample(&mut actions)?;
                    batch.step(actions.as_slice().into(), out.rows())?;
                }
            }
        }
        Ok(times * lanes)
    })
}

fn digest(game: &str, options: &Value, lanes: usize, times: usize) -> Result<(), Failure> {
    let entry = registry::find(game)?;
    let spec = entry.spec(options)?;
    let mut hasher = DefaultHasher::new();
    for opponent in [None, Some("random"), Some("greedy")] {
        let mut agents = vec![vec![(opponent.map(str::to_owned), 1.0)]; spec.seats];
        agents[0] = vec![(None, 1.0)];
        let config = Config { num_lanes: lanes, agents, rotate: true, ..Config::default() };
        let mut batch = entry.batch(options, &config)?;
        let mut out = Buffers::new(lanes, batch.size().1);
        let mut actions = vec![0; lanes];
        batch.reset(Seeds::One(1), out.rows())?;
        for _ in 0..times {
            batch.sample(&mut actions)?;
            batch.step(actions.as_slice().into(), out.rows())?;
            actions.hash(&mut hasher);
            out.observation.hash(&mut hasher);
            out.mask.hash(&mut hasher);
            out.seat.hash(&mut hasher);
            out.status.hash(&mut hasher);
            out.reward.map(|reward| reward.to_bits()).hash(&mut hasher);
        }
        for lane in 0..lanes {
            batch.get(lane)?.save()?.hash(&mut hasher);
        }
    }
    println!("{{\"work\": \"digest\", \"digest\": \"{:016x}\"}}", hasher.finish());
    Ok(())
}

fn games(game: &str, options: &Value, times: usize) -> Result<(), Failure> {
    let game = registry::find(game)?;
    let seats = game.spec(options)?.seats;
    let agent = Some("random".to_owned());
    let plan = Plan {
        seed: 0,
        first: 0,
        episodes: times as u32,
        threads: 1,
        max_decisions: 10_000,
        agents: vec![agent; seats],
        names: vec!["random".to_owned(); seats],
        rotate: false,
        record: Record::Episodes,
        start: None,
    };
    report("games", times, || {
        let table = game.run(options, &plan, None, &mut |_| true)?.table;
        let decisions = table.column_by_name("decisions").ok_or("no column of decisions")?.to_data();
        Ok(decisions.buffers()[0].typed_data::<u32>().iter().sum::<u32>() as usize)
    })
}

fn ask(agent: &str, game: &str, options: &Value, times: usize) -> Result<(), Failure> {
    let mut middle = registry::find(game)?.start(options, 0, 0, 10_000)?;
    let mut played = 0;
    while played < 24 || middle.legal().len() < 4 {
        middle.play(middle.sample() as i64)?;
        played += 1;
    }
    report(agent, times, || {
        for purpose in 0..times {
            middle.choose(agent, purpose as u32, &AtomicBool::new(false))?;
        }
        Ok(times)
    })
}
