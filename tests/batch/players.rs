//! Seats that built-in agents fill.

use adjoin::batch::Config;
use adjoin::rows::Status;

use crate::{GAMES, Named, Run, assert_names, lanes, make, seats};

const OTHELLO: Named<'_> = ("mapello", r#"{"setup": "othello"}"#);

/// A table at which the caller is the player of this number and agents the others.
fn against(game: Named<'_>, agent: &str, caller: usize, rotate: bool, num_lanes: usize) -> Config {
    let agents = (0..seats(game)).map(|player| (player != caller).then(|| agent.to_owned())).collect();
    Config { agents, rotate, ..lanes(num_lanes) }
}

#[test]
fn the_caller_decides_for_its_own_seat_only() {
    for (game, agent, caller) in GAMES.into_iter().flat_map(|game| [(game, "random", 0), (game, "greedy", 1)]) {
        let mut run = Run::new(game, &against(game, agent, caller, false, 5));
        for _ in 0..150 {
            let seats = run.buffers.seat.iter().zip(&run.buffers.status);
            assert!(seats.clone().all(|(&seat, &status)| (status == Status::Running as u8) == (seat == caller as i8)));
            let written = run.buffers.observation.clone();
            run.observe(Some(caller)).unwrap();
            assert_eq!(run.buffers.observation, written, "a row that is not the caller's");
            run.random_steps(1);
        }
    }
}

#[test]
fn rewards_add_up_over_what_the_agents_play() {
    for game in GAMES {
        let mut run = Run::new(game, &against(game, "random", 0, true, 1));
        for _ in 0..10 {
            let mut sums = vec![0.0; seats(game)];
            while run.buffers.status[0] == Status::Running as u8 {
                run.random_steps(1);
                sums.iter_mut().zip(run.buffers.reward.row(0)).for_each(|(sum, reward)| *sum += reward);
            }
            assert_eq!(run.get(0).returns(), sums);
            run.random_steps(1);
        }
    }
}

#[test]
fn an_agent_has_moved_when_a_match_begins_with_it() {
    let mut run = Run::new(OTHELLO, &against(OTHELLO, "greedy", 1, false, 3));
    for _ in 0..2 {
        assert!((0..3).all(|lane| run.get(lane).address().decisions == 1));
        assert!(run.buffers.seat.iter().all(|&seat| seat == 1));
        run.restart(&[true; 3]).unwrap();
    }
}

#[test]
fn players_move_on_by_a_seat_from_episode_to_episode_and_lane_to_lane() {
    for game in GAMES {
        let mut run = Run::new(game, &against(game, "random", 0, true, 6));
        run.reset(0);
        for episode in 0..4 {
            for lane in 0..6 {
                let seat = (seats(game) - 1) * (episode + lane) % seats(game);
                assert_eq!(run.buffers.seat[lane], seat as i8);
            }
            run.restart(&[true; 6]).unwrap();
        }
    }
}

#[test]
fn the_last_row_of_a_match_is_the_callers() {
    let mut run = Run::new(GAMES[0], &against(GAMES[0], "random", 0, true, 4));
    for lane in 0..4 {
        run.reset(0);
        let caller = run.buffers.seat[lane] as usize;
        run.finish(lane);
        let last = run.row(lane).0;
        run.observe(Some(caller)).unwrap();
        assert_eq!(run.row(lane).0, last);
    }
}

#[test]
fn a_loaded_match_plays_on_against_the_agent() {
    for game in GAMES {
        let mut run = Run::new(game, &against(game, "greedy", 1, true, 4));
        run.random_steps(5);
        let mut loaded = Run::new(game, &against(game, "greedy", 1, true, 4));
        for lane in 0..4 {
            loaded.load(lane, &run.save(lane));
        }
        for _ in 0..100 {
            run.random_steps(1);
            loaded.random_steps(1);
            assert_eq!(loaded.buffers, run.buffers);
        }
    }
}

/// A match saved at a table without agents, at a decision that is an agent's here.
#[test]
fn a_loaded_match_waits_for_the_caller() {
    let mut run = Run::new(OTHELLO, &lanes(1));
    run.random_steps(1);
    assert_eq!(run.buffers.seat[0], 1);
    let mut loaded = Run::new(OTHELLO, &against(OTHELLO, "greedy", 0, false, 1));
    loaded.load(0, &run.save(0));
    loaded.observe(None).unwrap();
    assert_eq!(loaded.buffers.seat[0], 0);
}

#[test]
fn a_position_waits_for_the_caller() {
    let mut run = Run::new(OTHELLO, &against(OTHELLO, "greedy", 0, false, 1));
    let mut rows = vec![".".repeat(10); 10];
    rows[4].replace_range(4..6, "OX");
    rows[5].replace_range(4..6, "XO");
    run.within(0, |game| game.set_position(&(rows.join("\n") + "\nO 0 0"))).unwrap();
    run.observe(None).unwrap();
    assert_eq!((run.buffers.seat[0], run.get(0).address().decisions), (0, 1));
}

/// Three at a table: the caller is one of the players, and random agents the others.
fn among_three(caller: usize, rotate: bool) -> Run {
    let agents = (0..3).map(|player| (player != caller).then(|| "random".to_owned())).collect();
    let options = r#"{"nations": ["Wales"], "table": [6, 4], "players": 3}"#;
    Run::new(("mapominoes", options), &Config { agents, rotate, ..lanes(6) })
}

#[test]
fn at_a_table_of_three_the_caller_decides_for_its_own_seat_only() {
    for caller in 0..3 {
        let mut run = among_three(caller, false);
        for _ in 0..100 {
            let seats = run.buffers.seat.iter().zip(&run.buffers.status);
            assert!(seats.clone().all(|(&seat, &status)| (status == Status::Running as u8) == (seat == caller as i8)));
            run.random_steps(1);
        }
    }
}

#[test]
fn at_a_table_of_three_players_move_on_by_a_seat_too() {
    for caller in 0..3 {
        let mut run = among_three(caller, true);
        run.reset(0);
        for episode in 0..4 {
            let seats: Vec<i8> = (0..6).map(|lane| ((caller + 2 * (episode + lane)) % 3) as i8).collect();
            assert_eq!(run.buffers.seat.to_vec(), seats, "episode {episode}");
            let mut callers = [0; 6];
            run.batch.callers(&mut callers).unwrap();
            assert_eq!(callers, seats[..]);
            run.restart(&[true; 6]).unwrap();
        }
    }
}

#[test]
fn tables_that_make_no_sense_are_refused() {
    let make = |agents: &[Option<&str>]| {
        let agents = agents.iter().map(|agent| agent.map(str::to_owned)).collect();
        make(GAMES[0], &Config { agents, ..Config::default() })
    };
    assert_names(make(&[None, Some("clever")]), &["clever", "random", "greedy"]);
    assert_names(make(&[None]), &["agents", "1", "2 seats"]);
    assert_names(make(&[None, None, None]), &["agents", "3", "2 seats"]);
    assert_names(make(&[Some("random"), Some("greedy")]), &["agents", "caller"]);
}
