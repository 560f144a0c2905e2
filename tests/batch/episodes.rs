//! Whole episodes: the same for any number of threads, with callers, and when somebody stops them.

use std::sync::atomic::{AtomicUsize, Ordering};

use adjoin::episodes::{Callers, NoAnswer, Outcome, Plan, Record};
use adjoin::error::Error;
use adjoin::registry;
use arrow_array::RecordBatch;
use arrow_array::cast::AsArray as _;
use arrow_array::types::UInt32Type;
use ndarray::ArrayView2;
use serde_json::json;

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
