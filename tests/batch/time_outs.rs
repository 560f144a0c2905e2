//! Players who run out of time.

use adjoin::batch::Config;
use adjoin::rows::Status;

use crate::{GAMES, Run, WALES, assert_names, lanes};

const GAME: (&str, &str) = ("mapominoes", WALES);

#[test]
fn a_game_without_a_timer_says_so_and_nothing_changes() {
    let games = [
        (GAMES[0], "Mapello"),
        (GAMES[1], "Mapello"),
        (GAMES[4], "Metro Domino: New York"),
        (GAMES[6], "Domiphun"),
        (GAMES[8], "Connections"),
    ];
    for (game, title) in games {
        let mut run = Run::new(game, &lanes(2));
        run.random_steps(3);
        let saves = run.saves();
        assert_names(run.batch.time_out(1), &["no time-out", &format!("{title} has no timer")]);
        assert_eq!(run.saves(), saves);
    }
}

#[test]
fn a_time_out_is_a_decision_in_one_lane() {
    let mut run = Run::new(GAME, &lanes(3));
    run.random_steps(5);
    let saves = run.saves();
    let (decisions, seat) = (run.batch.address(1).unwrap().decisions, run.batch.to_act(1).unwrap().unwrap());
    run.batch.time_out(1).unwrap();
    assert_eq!(run.batch.address(1).unwrap().decisions, decisions + 1);
    assert_eq!(run.batch.to_act(1).unwrap(), Some(1 - seat));
    assert_eq!((&run.save(0), &run.save(2)), (&saves[0], &saves[2]));
    run.observe(None).unwrap();
    assert_eq!((run.buffers.seat[1], run.buffers.status[1]), (1 - seat as i8, Status::Running as u8));
    assert!(run.row(1).1.contains(&1));
}

#[test]
fn a_time_out_is_what_the_player_takes() {
    let free = ("mapominoes", r#"{"nations": ["Wales"], "table": [6, 4], "draw": "free"}"#);
    let mut run = Run::new(free, &lanes(2));
    let take = run.batch.parse_action(0, "take").unwrap();
    run.batch.load(1, &run.save(0)).unwrap();
    for _ in 0..24 {
        run.batch.play(0, take as i64).unwrap();
        run.batch.time_out(1).unwrap();
        assert_eq!(run.save(0), run.save(1));
    }
    assert_eq!(run.batch.to_act(1).unwrap(), None, "ten cards taken and two passes, twice");
}

#[test]
fn the_agents_answer() {
    for (caller, rotate) in [(0, false), (1, false), (1, true)] {
        let agents = (0..2).map(|player| (player != caller).then(|| "random".to_owned())).collect();
        let mut run = Run::new(GAME, &Config { agents, rotate, ..lanes(4) });
        for _ in 0..4 {
            for lane in 0..4 {
                let seat = run.batch.to_act(lane).unwrap();
                let decisions = run.batch.address(lane).unwrap().decisions;
                run.batch.time_out(lane).unwrap();
                assert_eq!(run.batch.to_act(lane).unwrap(), seat);
                assert!(run.batch.address(lane).unwrap().decisions > decisions + 1);
            }
        }
    }
}

#[test]
fn a_match_goes_on_after_a_time_out_wherever_it_is_loaded() {
    let mut run = Run::new(GAME, &lanes(1));
    for _ in 0..15 {
        run.random_steps(3);
        if run.batch.time_out(0).is_err() {
            continue;
        }
        let mut loaded = Run::new(GAME, &lanes(2));
        loaded.batch.load(1, &run.save(0)).unwrap();
        assert_eq!(loaded.save(1), run.save(0));
        assert_eq!(loaded.batch.address(1).unwrap(), run.batch.address(0).unwrap());
        for _ in 0..10 {
            run.random_steps(1);
            loaded.random_steps(1);
            assert_eq!(loaded.row(1), run.row(0));
        }
    }
}

#[test]
fn a_time_out_can_end_the_match_or_meet_its_limit() {
    let one_round = ("mapominoes", r#"{"nations": ["Wales"], "table": [6, 4], "rounds": 1, "transit_each": 6}"#);
    let ends = [
        (2, Status::Over as u8, "the match is over"),
        (1, Status::CutOff as u8, "the match was cut off after 1 decisions"),
    ];
    for (limit, status, why) in ends {
        let mut run = Run::new(one_round, &Config { max_decisions: limit, ..lanes(1) });
        for _ in 0..limit {
            run.batch.time_out(0).unwrap();
        }
        run.observe(None).unwrap();
        assert_eq!((run.buffers.status[0], run.buffers.seat[0]), (status, -1));
        let returns = if status == Status::Over as u8 { [-11.0, -10.0] } else { [0.0; 2] };
        assert_eq!(run.batch.returns(0).unwrap(), returns);
        let saved = run.save(0);
        assert_names(run.batch.time_out(0), &["no time-out", why]);
        assert_eq!(run.save(0), saved);
    }
}

#[test]
fn a_card_that_may_be_challenged_has_no_timer() {
    let mut run = Run::new(GAMES[3], &lanes(1));
    let mut refused = 0;
    for _ in 0..60 {
        if run.batch.json(0, None).unwrap()["phase"] == "challenge" {
            let saved = run.save(0);
            assert_names(run.batch.time_out(0), &["no time-out", "challenge"]);
            assert_eq!(run.save(0), saved);
            refused += 1;
        }
        run.random_steps(1);
    }
    assert!(refused > 0);
}

#[test]
fn a_lane_that_is_not_there_is_named() {
    let mut run = Run::new(GAME, &lanes(2));
    assert_names(run.batch.time_out(2), &["lane 2", "0 to 1"]);
}
