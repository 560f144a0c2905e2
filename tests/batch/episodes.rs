//! Whole episodes: the same for any number of threads, with callers, and when somebody stops them.

use std::sync::atomic::{AtomicUsize, Ordering};

use adjoin::episodes::{Callers, NoAnswer, Outcome, Plan, Record, Start};
use adjoin::error::Error;
use adjoin::registry;
use arrow_array::RecordBatch;
use arrow_array::cast::AsArray as _;
use arrow_array::types::{Int32Type, UInt8Type, UInt32Type};
use ndarray::ArrayView2;
use serde_json::json;

use super::{GAMES, Named, json as read, start};

fn plan(agents: [Option<&str>; 2]) -> Plan {
    Plan {
        seed: 7,
        first: 3,
        episodes: 60,
        threads: 1,
        max_decisions: 10_000,
        agents: agents.map(|agent| agent.map(str::to_owned)).to_vec(),
        names: agents.map(|agent| agent.unwrap_or("caller").to_owned()).to_vec(),
        rotate: true,
        record: Record::Episodes,
        start: None,
    }
}

fn run(plan: &Plan, callers: Option<&dyn Callers>) -> Outcome {
    play(plan, callers, &mut |_| true).unwrap()
}

fn play(plan: &Plan, callers: Option<&dyn Callers>, tick: &mut dyn FnMut(u32) -> bool) -> Result<Outcome, Error> {
    registry::find("mapello")?.run(&json!({}), plan, callers, tick)
}

fn numbers<'a>(table: &'a RecordBatch, name: &str) -> &'a [u32] {
    table.column_by_name(name).unwrap().as_primitive::<UInt32Type>().values()
}

/// Answers with the first legal action, or with something else from some call on.
struct First {
    calls: AtomicUsize,
    fails_at: usize,
    with: Result<i64, NoAnswer>,
}

impl First {
    fn failing(fails_at: usize, with: Result<i64, NoAnswer>) -> Self {
        Self { calls: AtomicUsize::new(0), fails_at, with }
    }
}

impl Callers for First {
    fn answer(&self, _: usize, _: ArrayView2<'_, u8>, masks: ArrayView2<'_, i8>) -> Result<Vec<i64>, NoAnswer> {
        let fails = self.calls.fetch_add(1, Ordering::Relaxed) >= self.fails_at;
        let answer = |mask: ndarray::ArrayView1<'_, i8>| {
            if fails { self.with.clone() } else { Ok(mask.iter().position(|&may| may == 1).unwrap() as i64) }
        };
        masks.rows().into_iter().map(answer).collect()
    }
}

#[test]
fn threads_make_no_difference() {
    for record in [Record::Episodes, Record::Decisions] {
        let one = Plan { record, ..plan([Some("greedy"), Some("random")]) };
        let table = run(&one, None).table;
        for threads in [2, 5, 64] {
            assert_eq!(run(&Plan { threads, ..one.clone() }, None).table, table);
        }
    }
}

#[test]
fn callers_decide_at_their_seats_on_any_number_of_threads() {
    let first = First::failing(usize::MAX, Ok(0));
    let one = plan([None, Some("random")]);
    let outcome = run(&one, Some(&first));
    assert!(outcome.failure.is_none());
    assert_eq!(numbers(&outcome.table, "episode"), (3..63).collect::<Vec<_>>());
    assert_eq!(run(&Plan { threads: 3, ..one }, Some(&first)).table, outcome.table);
}

#[test]
fn a_caller_that_fails_is_named_and_what_was_finished_stays() {
    let no_idea = NoAnswer::Failed("no idea".to_owned());
    for (with, what) in [(Ok(-1), "action -1 is illegal: ids are 0 to"), (Err(no_idea), "no idea")] {
        let outcome = run(&plan([None, Some("random")]), Some(&First::failing(56, with)));
        let Some(Error::Caller { episode, decision, message, .. }) = outcome.failure else { panic!("{what}") };
        assert!(message.contains(what), "{message}");
        assert!((3..63).contains(&episode) && decision > 0);
        let finished = numbers(&outcome.table, "episode");
        assert!(!finished.is_empty() && finished.len() < 60 && !finished.contains(&episode), "{finished:?}");
    }
}

#[test]
fn a_caller_who_stops_the_run_is_not_asked_again() {
    let first = First::failing(56, Err(NoAnswer::Stopped));
    assert_eq!(run(&plan([None, Some("random")]), Some(&first)).failure, Some(Error::Stopped));
    assert_eq!(first.calls.into_inner(), 57);
}

#[test]
fn whoever_hears_of_progress_can_stop_the_work() {
    for agent in ["random", "search(iterations=4000000000)"] {
        let endless = Plan { episodes: u32::MAX, threads: 2, ..plan([Some(agent); 2]) };
        let mut heard = 0;
        let mut stop = |_| {
            heard += 1;
            false
        };
        let outcome = play(&endless, None, &mut stop).unwrap();
        assert_eq!((outcome.failure, heard), (Some(Error::Stopped), 1));
    }
}

#[test]
fn a_table_needs_an_agent_for_each_seat() {
    let mut short = plan([Some("random"); 2]);
    short.agents.pop();
    let error = play(&short, None, &mut |_| true).unwrap_err();
    assert_eq!(error.to_string(), "agents = 1 of them: must be one for each of the 2 seats");
}

/// A table of random matches of a game.
fn table(game: Named<'_>, record: Record, threads: usize) -> RecordBatch {
    let seats = start(game, 0).num_seats();
    let names = vec!["random".to_owned(); seats];
    let agents = names.iter().cloned().map(Some).collect();
    let plan = Plan { episodes: 4, max_decisions: 400, threads, record, agents, names, ..plan([None; 2]) };
    let outcome = registry::find(game.0).unwrap().run(&read(game.1), &plan, None, &mut |_| true).unwrap();
    assert_eq!(outcome.failure, None);
    outcome.table
}

#[test]
fn threads_make_no_difference_to_states_and_pieces() {
    for game in GAMES {
        for record in [Record::States, Record::Pieces] {
            assert_eq!(table(game, record, 3), table(game, record, 1), "{game:?}, {record:?}");
        }
    }
}

#[test]
fn whoever_has_so_many_cards_has_as_many_rows_of_pieces() {
    for game in GAMES {
        let (pieces, states) = (table(game, Record::Pieces, 1), table(game, Record::States, 1));
        let [episode, since, until, decisions] =
            ["episode", "since", "until", "decisions"].map(|name| numbers(&pieces, name));
        assert!((0..pieces.num_rows()).all(|row| since[row] <= until[row] && until[row] <= decisions[row]), "{game:?}");
        let seat = pieces.column_by_name("seat").unwrap().as_primitive::<UInt8Type>().values();
        let fate = pieces.column_by_name("fate").unwrap().as_dictionary::<Int32Type>();
        let fates = fate.values().as_string::<i32>();
        let is_left = |row: usize| fates.value(fate.key(row).unwrap()) == "left";
        let [in_episode, ply] = ["episode", "ply"].map(|name| numbers(&states, name));
        for owner in 0..start(game, 0).num_seats() {
            let Some(hand) = states.column_by_name(&format!("hand_{owner}")) else { continue };
            let hand = hand.as_primitive::<Int32Type>().values();
            for (state, &held) in hand.iter().enumerate() {
                let is_held = |&row: &usize| {
                    let end = if is_left(row) { until[row] } else { until[row] + 1 };
                    episode[row] == in_episode[state]
                        && usize::from(seat[row]) == owner
                        && (since[row]..end).contains(&ply[state])
                };
                let rows = (0..pieces.num_rows()).filter(is_held).count();
                assert_eq!(rows, held as usize, "{game:?}, seat {owner}, decision {}", ply[state]);
            }
        }
    }
}

#[test]
fn episodes_go_on_from_a_position_and_begin_as_they_are_told() {
    let game = registry::find("mapello").unwrap().start(&json!({}), 5, 0, 10_000).unwrap();
    let [legal, illegal] = [game.legal()[1] as i64, 63];
    assert!(game.why_not(illegal).is_some());
    let from = |viewer, action| Start { save: game.save().unwrap(), viewer, action };
    let decided = |start| Plan { record: Record::Decisions, start, ..plan([Some("greedy"), Some("random")]) };
    let one = decided(Some(from(Some(0), Some(legal))));
    let table = run(&one, None).table;
    assert_eq!(run(&Plan { threads: 3, ..one }, None).table, table);
    let (plies, actions) = (numbers(&table, "ply"), numbers(&table, "action"));
    let first: Vec<u32> = plies.iter().zip(actions).filter(|(ply, _)| **ply == 0).map(|(_, action)| *action).collect();
    assert_eq!(first, [legal as u32; 60]);

    let refused = run(&decided(Some(from(None, Some(illegal)))), None).failure;
    assert!(matches!(refused, Some(Error::IllegalAction { .. })), "{refused:?}");
    let refused = |start: Start| play(&decided(Some(start)), None, &mut |_| true).unwrap_err().to_string();
    assert!(refused(from(Some(2), None)).contains('2'));
    assert!(refused(Start { save: vec![1, 2], ..from(None, None) }).contains("no saved match"));
    let mut over = game.copy(None);
    while over.to_act().is_some() {
        over.play(over.sample() as i64).unwrap();
    }
    assert!(refused(Start { save: over.save().unwrap(), ..from(None, None) }).contains("over"));
}
