//! Seats that built-in agents fill.

use adjoin::batch::Config;
use adjoin::dynamic::AnyBatch;
use adjoin::error::Error;
use adjoin::lane::Reward;
use adjoin::players::Candidates;
use adjoin::rows::Status;

use crate::{GAMES, Named, Run, assert_names, lanes, make, seats};

const OTHELLO: Named<'_> = ("mapello", r#"{"setup": "othello"}"#);

/// A table at which the caller is the player of this number and agents the others.
fn against(game: Named<'_>, agent: &str, caller: usize, rotate: bool, num_lanes: usize) -> Config {
    let agents = (0..seats(game)).map(|player| vec![((player != caller).then(|| agent.to_owned()), 1.0)]).collect();
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
    let agents = (0..3).map(|player| vec![((player != caller).then(|| "random".to_owned()), 1.0)]).collect();
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
        let agents = agents.iter().map(|agent| vec![(agent.map(str::to_owned), 1.0)]).collect();
        make(GAMES[0], &Config { agents, ..Config::default() })
    };
    assert_names(make(&[None, Some("clever")]), &["clever", "random", "greedy"]);
    assert_names(make(&[None]), &["agents", "1", "2 seats"]);
    assert_names(make(&[None, None, None]), &["agents", "3", "2 seats"]);
    assert_names(make(&[Some("random"), Some("greedy")]), &["agents", "caller"]);
}

/// A table of three lines of stations at which the first player is the caller and the others are drawn.
fn drawn(candidates: &[(Option<&str>, f64)], config: &Config) -> Result<Box<dyn AnyBatch>, Error> {
    let candidates: Candidates = candidates.iter().map(|&(name, share)| (name.map(str::to_owned), share)).collect();
    let agents = vec![vec![(None, 1.0)], candidates.clone(), candidates];
    make(METRO_OF_THREE, &Config { agents, ..config.clone() })
}

const METRO_OF_THREE: Named<'_> = ("metro_domino", r#"{"players": 3}"#);

/// The lane of a table with that pair of agents is the same, whether they were drawn or asked for.
#[test]
fn who_is_drawn_plays() {
    let config = Config { rotate: true, ..lanes(24) };
    let mut run = Run::of(drawn(&[(Some("greedy"), 1.0), (Some("random"), 1.0)], &config).unwrap());
    let names = [None, Some("greedy"), Some("random"), Some("greedy"), Some("random")];
    let mut players = [0; 72];
    run.batch.players(&mut players).unwrap();
    let mut pairs = Vec::new();
    for (lane, numbers) in players.chunks_exact(3).enumerate() {
        let by_player: Vec<i16> = {
            let first = numbers.iter().position(|&number| number == 0).unwrap();
            (0..3).map(|player| numbers[(first + player) % 3]).collect()
        };
        assert!([1, 2].contains(&by_player[1]) && [3, 4].contains(&by_player[2]), "{by_player:?}");
        let agents = by_player.iter().map(|&number| vec![(names[number as usize].map(str::to_owned), 1.0)]).collect();
        pairs.push((lane, by_player, Run::new(METRO_OF_THREE, &Config { agents, ..config.clone() })));
    }
    for step in 0..30 {
        pairs.retain(|(lane, ..)| run.get(*lane).address().episode == 0);
        assert!(step > 10 || pairs.len() > 12);
        for (lane, by_player, other) in &mut pairs {
            assert!(run.row(*lane) == other.row(*lane), "lane {lane} with {by_player:?}, step {step}");
            other.random_steps(1);
        }
        run.random_steps(1);
    }
}

#[test]
fn shares_say_how_often_somebody_is_drawn() {
    let candidates = [(Some("greedy"), 5.0), (None, 3.0), (Some("random"), 2.0)];
    let batch = drawn(&candidates, &lanes(4000)).unwrap();
    let mut players = vec![0; 12_000];
    batch.players(&mut players).unwrap();
    let mut counts = [0_i32; 7];
    let mut alike = 0_i32;
    for players in players.chunks_exact(3) {
        for &player in players {
            counts[player as usize] += 1;
        }
        alike += i32::from(players[1] + 3 == players[2]);
    }
    assert_eq!(counts[0], 4000);
    for (count, expected) in counts[1..].iter().zip([2000, 1200, 800, 2000, 1200, 800]) {
        assert!((count - expected).abs() < 150, "{counts:?}");
    }
    assert!((alike - 1520).abs() < 150, "two players drew {alike} times the same");
}

#[test]
fn who_is_drawn_depends_on_seed_lane_and_episode_alone() {
    let candidates = [(Some("greedy"), 0.5), (None, 0.3), (Some("random"), 0.2)];
    let play = |threads, num_lanes| {
        let mut run = Run::of(drawn(&candidates, &Config { threads, rotate: true, ..lanes(num_lanes) }).unwrap());
        let mut seen = Vec::new();
        for _ in 0..200 {
            run.random_steps(1);
            let mut players = vec![0; 3 * num_lanes];
            run.batch.players(&mut players).unwrap();
            seen.push((players[..48].to_vec(), (0..16).map(|lane| run.row(lane)).collect::<Vec<_>>()));
        }
        seen
    };
    let expected = play(1, 16);
    assert!(expected.iter().any(|(players, _)| *players != expected[0].0), "every episode has its own");
    assert!(play(2, 16) == expected && play(8, 64) == expected);
}

#[test]
fn shares_that_make_no_sense_are_refused() {
    for share in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let candidates = [(Some("greedy"), share), (Some("random"), 1.0)];
        assert_names(drawn(&candidates, &lanes(1)), &["share", &share.to_string(), "greedy", "above 0"]);
    }
    assert_names(drawn(&[], &lanes(1)), &["agents", "nobody"]);
    assert_names(drawn(&vec![(None, 1.0); 1001], &lanes(1)), &["agents", "1001", "1000"]);
    assert!(drawn(&[(Some("greedy"), f64::MAX), (Some("random"), f64::MAX)], &lanes(1)).is_ok());
    assert_names(drawn(&[(Some("greedy"), 1.0), (Some("clever"), 1.0)], &lanes(1)), &["clever"]);
}

/// Whoever earned the most has won; all before the end, and of a match that is cut off, is nothing.
#[test]
fn rewards_can_be_shares_of_the_win() {
    for game in GAMES.into_iter().chain([METRO_OF_THREE, BY_POINTS]) {
        let seats = seats(game);
        let mut run = Run::new(game, &Config { reward: Reward::Win, ..lanes(8) });
        let mut matches = 0;
        while matches < 30 {
            run.random_steps(1);
            for lane in 0..8 {
                let reward = run.buffers.reward.row(lane).to_vec();
                if run.buffers.status[lane] == Status::Running as u8 {
                    assert_eq!(reward, vec![0.0; seats]);
                    continue;
                }
                matches += 1;
                let returns = run.get(lane).returns();
                let best = returns.iter().copied().fold(f32::MIN, f32::max);
                let has_won = |earned: f32| earned >= best;
                let winners = returns.iter().filter(|&&earned| has_won(earned)).count() as f32;
                let share = |earned| if has_won(earned) { seats as f32 / winners - 1.0 } else { -1.0 };
                let shares: Vec<f32> = returns.iter().map(|&earned| share(earned) / (seats - 1) as f32).collect();
                assert_eq!(reward, shares, "{game:?}: {returns:?}");
            }
        }
    }
    let mut short = Run::new(BY_POINTS, &Config { reward: Reward::Win, max_decisions: 3, ..lanes(1) });
    short.random_steps(3);
    assert_eq!((short.buffers.status[0], short.buffers.reward.sum()), (Status::CutOff as u8, 0.0));
}

/// A match of two rounds, which pays at the end of each.
const BY_POINTS: Named<'_> = ("mapominoes", r#"{"nations": ["Wales"], "table": [6, 4], "players": 3, "rounds": 2}"#);
