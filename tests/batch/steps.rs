//! What each call does, what it leaves alone, and what it refuses.

use adjoin::batch::{Config, Seeds};
use adjoin::error::Error;
use adjoin::rows::{Buffers, Status};
use ndarray::{Array1, Array2, ShapeBuilder as _};

use crate::{GAMES, Run, assert_names, lanes, make, seats};

#[test]
fn an_illegal_action_changes_nothing() {
    for (game, threads) in GAMES.into_iter().flat_map(|game| [(game, 1), (game, 3)]) {
        let mut run = Run::new(game, &Config { threads, ..lanes(64) });
        run.random_steps(4);
        let saves = run.saves();
        let num_actions = run.buffers.mask.ncols() as i32;
        let legal = run.get(17).legal();
        let illegal = (0..num_actions).find(|&id| !legal.contains(&(id as usize))).unwrap();
        for bad in [illegal, -2, i32::MIN, num_actions, i32::MAX] {
            run.draw();
            run.actions[17] = bad;
            run.mark();
            let marked = run.buffers.clone();
            let refused = run.step();
            assert_names(refused, &["lane 17", &bad.to_string()]);
            assert_eq!(run.buffers, marked);
            assert_eq!(run.saves(), saves);
        }
    }
}

#[test]
fn the_message_says_where_what_why_and_what_else() {
    let mut run = Run::new(("mapello", r#"{"setup": "othello"}"#), &lanes(64));
    run.draw();
    run.actions[17] = run.get(17).parse("a1").unwrap() as i32;
    let refused = run.step();
    assert_names(refused, &["lane 17", "0", "a1", "flip nothing", "MAPE-6", "legal: d3, c4, f5, e6"]);
    run.actions[17] = 65;
    let refused = run.step();
    assert_names(refused, &["lane 17", "65", "0 to 64", "-1", "legal: d3, c4, f5, e6"]);
}

#[test]
fn of_several_illegal_actions_the_first_is_named() {
    for threads in [1, 2, 3, 8] {
        let mut run = Run::new(GAMES[0], &Config { threads, ..lanes(64) });
        run.draw();
        for lane in [60, 41, 23, 40] {
            run.actions[lane] = -2;
        }
        let refused = run.step();
        assert_names(refused, &["lane 23"]);
    }
}

#[test]
fn arrays_of_another_shape_or_order_are_named() {
    type Change = fn(&mut Buffers);
    let changes: [(Change, [&str; 3]); 9] = [
        (|rows| rows.observation = Array2::zeros((4, 5)), ["observation", "(4, ", "(4, 5)"]),
        (|rows| rows.observation = Array2::zeros(rows.observation.raw_dim().f()), ["observation", "(4, ", "C order"]),
        (|rows| rows.mask = Array2::zeros((3, rows.mask.ncols())), ["mask", "(4, ", "(3, "]),
        (|rows| rows.mask = Array2::zeros(rows.mask.raw_dim().f()), ["mask", "(4, ", "C order"]),
        (|rows| rows.seat = Array1::zeros(5), ["seat", "(4,)", "(5,)"]),
        (|rows| rows.reward = Array2::zeros((4, 3)), ["reward", "(4, 2)", "(4, 3)"]),
        (|rows| rows.reward = Array2::zeros(rows.reward.raw_dim().f()), ["reward", "(4, 2)", "C order"]),
        (|rows| rows.status = Array1::zeros(0), ["status", "(4,)", "(0,)"]),
        (|rows| rows.status = Array1::zeros(1), ["status", "(4,)", "(1,)"]),
    ];
    let mut run = Run::new(GAMES[0], &lanes(4));
    let saves = run.saves();
    let fitting = run.buffers.clone();
    for (change, words) in changes {
        run.buffers = fitting.clone();
        change(&mut run.buffers);
        run.draw();
        assert_names(run.step(), &words);
        assert_names(run.observe(None), &words);
        assert_names(run.restart(&[true; 4]), &words);
        assert_names(run.batch.reset(Seeds::One(1), run.buffers.rows()), &words);
    }
    assert_eq!(run.saves(), saves);
}

#[test]
fn lists_of_another_length_are_named() {
    let mut run = Run::new(GAMES[0], &lanes(4));
    let saves = run.saves();
    assert_names(run.batch.sample(&mut [0; 3]), &["actions", "(4,)", "(3,)"]);
    run.actions = vec![0; 5];
    assert_names(run.step(), &["actions", "(4,)", "(5,)"]);
    assert_names(run.restart(&[true; 3]), &["lanes", "(4,)", "(3,)"]);
    assert_names(run.batch.reset(Seeds::Each(&[1, 2]), run.buffers.rows()), &["seed", "4", "2"]);
    assert_eq!(run.saves(), saves);
}

#[test]
fn lanes_seats_and_numbers_that_are_not_there_are_named() {
    let mut run = Run::new(GAMES[0], &lanes(4));
    assert_names(run.batch.get(4), &["lane 4", "0 to 3"]);
    let game = run.get(0);
    assert_names(run.batch.set(9, &*game), &["lane 9", "0 to 3"]);
    assert_names(run.batch.select(&[0, 7]), &["lane 7", "0 to 3"]);
    assert_names(run.batch.select(&[]), &["lanes", "[]"]);
    assert_names(Error::seat(2, 2), &["seat 2", "0 to 1"]);
    let with = |config: Config| make(GAMES[0], &config);
    assert_names(with(lanes(0)), &["lanes", "0"]);
    assert_names(with(lanes(1 << 25)), &["lanes", "33554432"]);
    assert_names(with(Config { threads: 0, ..Config::default() }), &["threads", "0", "1 to 256"]);
    assert_names(with(Config { threads: 257, ..Config::default() }), &["threads", "257", "1 to 256"]);
    assert_names(with(Config { max_decisions: 0, ..Config::default() }), &["max_decisions", "0"]);
    assert_names(make(("chess", "{}"), &Config::default()), &["chess", "mapello"]);
    assert_names(make(("mapello", r#"{"wals": 3}"#), &Config::default()), &["wals", "walls", "games"]);
    assert_names(make(("mapello", "[]"), &Config::default()), &["mapello", "object"]);
}

#[test]
fn minus_one_leaves_a_lane_alone() {
    for game in GAMES {
        let mut run = Run::new(game, &lanes(8));
        run.random_steps(5);
        let saves = run.saves();
        let (observation, mask, seat, ..) = run.row(5);
        run.draw();
        run.actions[5] = -1;
        run.mark();
        run.step().unwrap();
        for (lane, before) in saves.iter().enumerate() {
            assert_eq!(run.save(lane) == *before, lane == 5, "lane {lane}");
        }
        assert_eq!(run.row(5), (observation, mask, seat, vec![0.0; seats(game)], Status::Running as u8, -1));
    }
}

#[test]
fn a_sample_is_the_same_until_the_lane_moves_on() {
    let mut run = Run::new(GAMES[0], &lanes(8));
    run.draw();
    let first = run.actions.clone();
    run.draw();
    assert_eq!(run.actions, first);
    run.actions = vec![-1; 8];
    run.step().unwrap();
    run.draw();
    assert_eq!(run.actions, first);
}

#[test]
fn the_step_after_the_end_starts_the_next_episode() {
    for game in GAMES {
        let mut run = Run::new(game, &lanes(3));
        run.finish(1);
        let (_, mask, seat, _, status, _) = run.row(1);
        assert_eq!((seat, status), (-1, Status::Over as u8));
        assert!(mask.iter().all(|&flag| flag == 0));
        assert!(run.get(1).legal().is_empty());
        let ended = run.get(1).address();

        let mut waiting = run.copy(&[1]);
        waiting.actions = vec![-1];
        waiting.step().unwrap();
        assert_eq!((waiting.save(0), waiting.buffers.status[0]), (run.save(1), Status::Over as u8));

        // The action is ignored.
        let mut copies = run.copy(&[1, 1, 1]);
        copies.actions = vec![0, 1, 64];
        copies.step().unwrap();
        let mut restarted = run.copy(&[1]);
        restarted.restart(&[true]).unwrap();
        assert_eq!(copies.saves(), vec![restarted.save(0); 3]);
        assert!(copies.buffers.reward.iter().all(|&reward| reward == 0.0));
        assert_eq!(copies.buffers.status[0], Status::Running as u8);
        let begun = copies.get(0).address();
        assert_eq!((begun.episode, begun.decisions), (ended.episode + 1, 0));
        assert_eq!((begun.seed, begun.lane), (ended.seed, ended.lane));
    }
}

#[test]
fn episodes_differ() {
    let mut run = Run::new(GAMES[0], &lanes(1));
    let mut boards = Vec::new();
    for _ in 0..20 {
        boards.push(run.get(0).position());
        run.restart(&[true]).unwrap();
    }
    boards.sort_unstable();
    boards.dedup();
    assert_eq!(boards.len(), 20);
}

#[test]
fn the_limit_cuts_a_match_off() {
    for game in GAMES {
        let mut run = Run::new(game, &Config { max_decisions: 5, ..lanes(6) });
        for decisions in 1..=5 {
            run.random_steps(1);
            let status = if decisions == 5 { Status::CutOff as u8 } else { Status::Running as u8 };
            assert!(run.buffers.status.iter().all(|&other| other == status));
        }
        assert!(run.buffers.seat.iter().all(|&seat| seat == -1));
        assert!(run.buffers.mask.iter().all(|&flag| flag == 0));
        assert!(run.buffers.reward.iter().all(|&reward| reward == 0.0));
        assert!(run.get(0).legal().is_empty());
        let mut loaded = Run::new(game, &Config { max_decisions: 5, ..lanes(1) });
        loaded.load(0, &run.save(0));
        loaded.observe(None).unwrap();
        assert_eq!(loaded.buffers.status[0], Status::CutOff as u8);
        run.random_steps(1);
        assert!(run.buffers.status.iter().all(|&status| status == Status::Running as u8));
        assert_eq!(run.get(3).address().episode, 1);
    }
}

#[test]
fn a_match_that_ends_at_the_limit_is_over() {
    let game = ("mapello", r#"{"setup": "othello"}"#);
    let mut run = Run::new(game, &lanes(1));
    run.finish(0);
    let decisions = run.get(0).address().decisions;
    for (limit, status) in [(decisions, Status::Over as u8), (decisions - 1, Status::CutOff as u8)] {
        let mut again = Run::new(game, &Config { max_decisions: limit, ..lanes(1) });
        again.finish(0);
        assert_eq!(again.buffers.status[0], status);
    }
}

#[test]
fn a_restart_touches_the_chosen_lanes_only() {
    for (game, threads) in GAMES.into_iter().flat_map(|game| [(game, 1), (game, 3)]) {
        let mut run = Run::new(game, &Config { threads, ..lanes(30) });
        run.random_steps(7);
        let saves = run.saves();
        let chosen: Vec<bool> = (0..30).map(|lane| lane % 3 == 1).collect();
        run.mark();
        let marked = run.row(0);
        run.restart(&chosen).unwrap();
        for lane in 0..30 {
            let address = run.get(lane).address();
            if chosen[lane] {
                assert_eq!((address.episode, address.decisions), (1, 0));
                assert_eq!((run.row(lane).3, run.row(lane).4), (vec![0.0; seats(game)], Status::Running as u8));
            } else {
                assert_eq!(run.save(lane), saves[lane]);
                assert_eq!((run.row(lane).0, run.row(lane).3), (marked.0.clone(), marked.3.clone()));
            }
        }
    }
}

#[test]
fn a_restart_with_seeds_is_a_first_episode() {
    for game in GAMES {
        let mut run = Run::new(game, &lanes(3));
        run.random_steps(7);
        let untouched = run.save(1);
        run.batch.restart(&[true, false, true], Some(&[40, 41, 42]), run.buffers.rows()).unwrap();
        let first = |seed| Run::new(game, &Config { seed, ..lanes(1) }).save(0);
        assert_eq!(run.saves(), [first(40), untouched, first(42)]);
        let refused = run.batch.restart(&[true; 3], Some(&[1]), run.buffers.rows());
        assert_names(refused, &["seed", "3", "1"]);
    }
}

#[test]
fn select_copies_lanes() {
    for game in GAMES {
        let mut run = Run::new(game, &lanes(8));
        run.random_steps(6);
        let saves = run.saves();
        let mut copies = run.copy(&[3, 3, 5]);
        assert_eq!(copies.saves(), [3, 3, 5].map(|lane| saves[lane].clone()));
        copies.random_steps(1);
        assert_eq!(run.saves(), saves, "the original has moved");
        run.random_steps(1);
        assert_eq!(copies.saves(), [3, 3, 5].map(|lane| run.save(lane)));
        assert_eq!(copies.row(2), run.row(5));
    }
}

#[test]
fn observe_shows_a_seat_and_plays_nothing() {
    for game in GAMES {
        let mut run = Run::new(game, &lanes(4));
        run.random_steps(9);
        let saves = run.saves();
        let played = run.buffers.clone();
        run.mark();
        run.observe(None).unwrap();
        assert_eq!((&run.buffers.observation, &run.buffers.mask), (&played.observation, &played.mask));
        assert!(run.buffers.reward.iter().all(|&reward| reward == 0.0));
        for viewer in 0..seats(game) {
            run.observe(Some(viewer)).unwrap();
            assert_eq!((&run.buffers.seat, &run.buffers.status), (&played.seat, &played.status));
            for lane in 0..4 {
                let deciding = played.seat[lane] == viewer as i8;
                assert_eq!(run.row(lane).1.contains(&1), deciding);
                assert_eq!(run.row(lane).0 == played.observation.row(lane).to_vec(), deciding);
            }
        }
        assert_eq!(run.saves(), saves);
    }
}
