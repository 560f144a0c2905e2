//! Players who run out of time.

use adjoin::batch::Config;
use adjoin::game::Seat;
use adjoin::rows::Status;

use crate::{GAMES, Named, Run, WALES, assert_names, lanes, play_random, start};

const GAME: Named<'_> = ("mapominoes", WALES);

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
        let mut game = start(game, 0);
        play_random(&mut *game, 3);
        let saved = game.save().unwrap();
        assert_names(game.time_out(), &["no time-out", &format!("{title} has no timer")]);
        assert_eq!((game.save().unwrap(), game.history().len()), (saved, 3));
    }
}

#[test]
fn a_time_out_is_a_decision_of_one_seat() {
    let mut game = start(GAME, 0);
    play_random(&mut *game, 5);
    let seat = game.to_act().unwrap();
    game.time_out().unwrap();
    assert_eq!(game.address().decisions, 6);
    assert_eq!(game.to_act(), Some(Seat::new(1 - seat.index())));
    let last = game.history().last().unwrap();
    assert_eq!((last.seat, last.action), (seat, None));
}

#[test]
fn a_time_out_is_what_the_player_takes() {
    let mut taker = start(("mapominoes", r#"{"nations": ["Wales"], "table": [6, 4], "draw": "free"}"#), 0);
    let mut late = taker.copy(None);
    let take = taker.parse("take").unwrap();
    for _ in 0..24 {
        taker.play(take as i64).unwrap();
        late.time_out().unwrap();
        assert_eq!(taker.save(), late.save());
    }
    assert_eq!(late.to_act(), None, "ten cards taken and two passes, twice");
}

#[test]
fn the_agents_answer() {
    for (caller, rotate) in [(0, false), (1, false), (1, true)] {
        let agents = (0..2).map(|player| vec![((player != caller).then(|| "random".to_owned()), 1.0)]).collect();
        let mut run = Run::new(GAME, &Config { agents, rotate, ..lanes(4) });
        for _ in 0..4 {
            for lane in 0..4 {
                let (before, saves) = (run.get(lane), run.saves());
                run.within(lane, |game| game.time_out()).unwrap();
                let after = run.get(lane);
                assert_eq!(after.to_act(), before.to_act());
                assert!(after.address().decisions > before.address().decisions + 1);
                assert!((0..4).all(|other| other == lane || run.save(other) == saves[other]));
            }
        }
    }
}

#[test]
fn a_match_goes_on_after_a_time_out_wherever_it_is_loaded() {
    let mut game = start(GAME, 0);
    for _ in 0..15 {
        play_random(&mut *game, 3);
        if game.time_out().is_err() {
            continue;
        }
        let mut loaded = start(GAME, 1);
        loaded.load(&game.save().unwrap()).unwrap();
        assert_eq!(loaded.address(), game.address());
        for _ in 0..10 {
            play_random(&mut *game, 1);
            play_random(&mut *loaded, 1);
            assert_eq!(loaded.save(), game.save());
        }
    }
}

#[test]
fn a_time_out_can_end_the_match_or_meet_its_limit() {
    let one_round = ("mapominoes", r#"{"nations": ["Wales"], "table": [6, 4], "rounds": 1, "transit_each": 6}"#);
    let ends = [
        (2, Status::Over, [-11.0, -10.0], "the match is over"),
        (1, Status::CutOff, [0.0; 2], "the match was cut off after 1 decisions"),
    ];
    for (limit, status, returns, why) in ends {
        let mut run = Run::new(one_round, &Config { max_decisions: limit, ..lanes(1) });
        for _ in 0..limit {
            run.within(0, |game| game.time_out()).unwrap();
        }
        run.observe(None).unwrap();
        assert_eq!((run.buffers.status[0], run.buffers.seat[0]), (status as u8, -1));
        let mut game = run.get(0);
        assert_eq!((game.returns(), game.is_cut_off()), (returns.to_vec(), status == Status::CutOff));
        assert_names(game.time_out(), &["no time-out", why]);
        assert_eq!(game.save().unwrap(), run.save(0));
    }
}

#[test]
fn a_card_that_may_be_challenged_has_no_timer() {
    let mut game = start(GAMES[3], 0);
    let challenge = game.parse("challenge").unwrap();
    let mut refused = 0;
    for _ in 0..60 {
        if game.legal().contains(&challenge) {
            let saved = game.save();
            assert_names(game.time_out(), &["no time-out", "challenge"]);
            assert_eq!(game.save(), saved);
            refused += 1;
        }
        play_random(&mut *game, 1);
    }
    assert!(refused > 0);
}
