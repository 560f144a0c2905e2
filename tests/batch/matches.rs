//! One match: what is played, refused, copied and taken back; and how it leaves a batch and returns.

use adjoin::batch::Config;
use adjoin::dynamic::AnyMatch;
use adjoin::error::Error;
use adjoin::game::{Seat, Viewer};
use adjoin::matches::Turn;
use adjoin::registry;

use crate::{FREE, GAMES, Named, Run, assert_names, json, lanes, make, play_random, seats, start};

const OTHELLO: Named<'_> = ("mapello", r#"{"setup": "othello"}"#);

/// A match after some decisions.
fn in_play(game: Named<'_>) -> Box<dyn AnyMatch> {
    let mut game = start(game, 5);
    play_random(&mut *game, 12);
    game
}

fn played_out(mut game: Box<dyn AnyMatch>) -> Vec<u8> {
    play_random(&mut *game, usize::MAX);
    game.save().unwrap()
}

#[test]
fn what_is_played_is_the_history() {
    for game in GAMES {
        let mut game = start(game, 1);
        let mut turns = Vec::new();
        while let Some(seat) = game.to_act() {
            let action = game.sample();
            assert!(game.legal().contains(&action));
            game.play(action as i64).unwrap();
            turns.push(Turn { seat, action: Some(action) });
            assert_eq!(game.address().decisions as usize, turns.len());
        }
        assert_eq!(game.history(), turns);
        assert!(game.legal().is_empty() && !game.is_cut_off());
    }
}

#[test]
fn what_is_refused_says_why_and_what_else_and_changes_nothing() {
    for game in GAMES {
        let mut game = in_play(game);
        let (legal, saved, history) = (game.legal(), game.save(), game.history().to_vec());
        let notations: Vec<String> = legal.iter().map(|&id| game.say(id).notation.to_string()).collect();
        for id in 0..game.num_actions() {
            if legal.contains(&id) {
                assert!(game.why_not(id as i64).is_none() && game.refusal(id).is_none());
                continue;
            }
            let error = game.play(id as i64).unwrap_err();
            assert_eq!(game.why_not(id as i64).as_ref(), Some(&error));
            let Error::IllegalAction { lane: None, action, notation, refusal, legal } = error else {
                panic!("{error:?}")
            };
            assert_eq!((action, notation, &legal), (id as i64, game.say(id).notation.to_string(), &notations));
            assert!(!refusal.reason.to_string().is_empty());
            assert_eq!(game.refusal(id), Some(refusal));
        }
        assert_eq!((game.save(), game.history()), (saved, &history[..]));
    }
}

#[test]
fn a_refusal_has_its_reason_and_its_clause() {
    let mut game = start(OTHELLO, 0);
    let refusal = game.refusal(game.parse("a1").unwrap()).unwrap();
    assert_eq!((refusal.to_string().as_str(), refusal.clause), ("a disc there would flip nothing (MAPE-6)", "MAPE-6"));
    let message = "a1: a disc there would flip nothing (MAPE-6); legal: d3, c4, f5, e6";
    assert_eq!(game.play(0).unwrap_err().to_string(), message);
    for id in [-1, 65, i64::MAX] {
        let message = format!("action {id}: ids are 0 to 64; legal: d3, c4, f5, e6");
        assert_eq!(game.play(id).unwrap_err().to_string(), message);
    }
    assert_names(game.parse("i9"), &["\"i9\" is no action of mapello", "d3, c4, f5, e6"]);
}

#[test]
fn nothing_is_played_after_the_end() {
    for game in GAMES {
        for (limit, why) in [(3, "the match was cut off after 3 decisions"), (10_000, "the match is over")] {
            let mut game = registry::find(game.0).unwrap().start(&json(game.1), 0, 0, limit).unwrap();
            play_random(&mut *game, usize::MAX);
            assert_eq!((game.to_act(), game.is_cut_off()), (None, limit == 3));
            let saved = game.save();
            for id in 0..game.num_actions().min(100) {
                assert_names(game.play(id as i64), &[why, "legal: nothing"]);
            }
            assert_names(game.choose("random", 0, &false.into()), &["nobody has to decide"]);
            assert_eq!(game.save(), saved);
        }
    }
}

#[test]
fn a_copy_has_the_same_past_and_the_same_chance() {
    for game in GAMES {
        let game = in_play(game);
        let saved = game.save();
        let copy = game.copy(None);
        assert_eq!((copy.history(), copy.is_dealt()), (game.history(), true));
        let end = played_out(copy);
        assert_eq!((game.save(), game.history().len()), (saved, 12));
        assert_eq!(played_out(game), end);
    }
}

#[test]
fn a_copy_with_a_seed_begins_here_and_has_a_chance_of_its_own() {
    for game in GAMES {
        let (game, mut fresh) = (in_play(game), start(game, 0));
        let mut ends = Vec::new();
        for seed in 0..6 {
            let branch = game.copy(Some(seed));
            assert_eq!((branch.position(), branch.to_act()), (game.position(), game.to_act()));
            assert!(branch.history().is_empty() && !branch.is_dealt());
            fresh.load(&branch.save().unwrap()).unwrap();
            let end = played_out(branch);
            assert_eq!(played_out(game.copy(Some(seed))), end);
            assert_eq!(played_out(fresh.copy(None)), end, "saved and loaded");
            ends.push(end);
        }
        ends.dedup();
        assert!(ends.len() > 1);
    }
}

#[test]
fn a_match_begins_anew_where_it_is_loaded_or_set() {
    for named in GAMES {
        let game = in_play(named);
        let mut loaded = in_play(named);
        loaded.load(&game.save().unwrap()).unwrap();
        let mut set = in_play(named);
        set.set_position(&game.position()).unwrap();
        assert_eq!((set.position(), set.address().decisions), (game.position(), 0));
        for mut game in [loaded, set] {
            assert!(game.history().is_empty() && !game.is_dealt());
            let begun = game.save();
            play_random(&mut *game, 2);
            assert_eq!((game.history().len(), game.rewound().save()), (2, begun));
        }
    }
}

#[test]
fn a_match_goes_back_to_its_marks() {
    for game in GAMES {
        let mut game = start(game, 2);
        let mut moments = Vec::new();
        for _ in 0..40 {
            moments.push((game.mark(), game.save(), game.history().to_vec()));
            play_random(&mut *game, 1);
        }
        let end = played_out(game.copy(None));
        for (mark, saved, history) in moments.into_iter().rev().step_by(3) {
            game.rewind(&mark);
            assert_eq!((game.save(), game.history()), (saved, &history[..]));
            assert_eq!(mark.decisions(), history.len());
            assert_eq!(played_out(game.copy(None)), end);
        }
    }
}

#[test]
fn a_deal_is_the_episode_of_a_seed_wherever_it_is_asked_for() {
    for named in GAMES {
        let (name, options) = named;
        let mut run = Run::new(named, &Config { seed: 9, ..lanes(1) });
        run.restart(&[true]).unwrap();
        run.restart(&[true]).unwrap();
        let dealt = in_play(named).deal(9, 2);
        assert!(dealt.history().is_empty() && dealt.is_dealt());
        assert_eq!(dealt.save().unwrap(), run.save(0));
        let started = registry::find(name).unwrap().start(&json(options), 9, 2, 10_000).unwrap();
        assert_eq!(dealt.save(), started.save());
        assert_ne!(dealt.save(), dealt.deal(9, 3).save());
    }
    let refused = registry::find("mapello").unwrap().start(&json("{}"), 0, 0, 0);
    assert_names(refused, &["max_decisions = 0: must be 1 to"]);
}

#[test]
fn a_seat_observes_what_the_batch_shows_it() {
    for named in GAMES {
        let mut run = Run::new(named, &lanes(1));
        run.random_steps(9);
        let game = run.get(0);
        for viewer in 0..seats(named) {
            run.observe(Some(viewer)).unwrap();
            let (observation, mask, ..) = run.row(0);
            let (mut row, mut flags) = (vec![201; observation.len()], vec![-7; mask.len()]);
            game.observe(Seat::new(viewer), &mut row, &mut flags);
            assert_eq!((row, flags), (observation, mask));
        }
    }
}

#[test]
fn a_view_has_the_moment_and_what_was_played_last() {
    let mut game = start(("mapello", FREE), 0);
    assert!(game.view(Viewer::Everything)["last"].is_null());
    let action = game.sample();
    game.play(action as i64).unwrap();
    let view = game.view(Some(Seat::new(0)).into());
    assert_eq!(view["last"], game.say(action).notation.to_string());
    assert_eq!(view["moment"], serde_json::to_value(game.moment()).unwrap());
}

// Matches of a batch.

#[test]
fn a_match_is_a_copy_of_its_lane_and_can_be_put_anywhere() {
    for game in GAMES {
        let mut run = Run::new(game, &lanes(3));
        run.random_steps(7);
        let saves = run.saves();
        let mut other = Run::new(game, &Config { seed: 1, ..lanes(2) });
        let mut taken = run.get(2);
        other.batch.set(1, &*taken).unwrap();
        play_random(&mut *taken, 3);
        assert_eq!(run.saves(), saves, "the lane has moved");
        assert_eq!((other.save(1), other.get(1).address()), (saves[2].clone(), run.get(2).address()));
        for _ in 0..60 {
            run.random_steps(1);
            other.random_steps(1);
            assert_eq!(other.row(1), run.row(2));
        }
    }
}

#[test]
fn a_decision_in_a_match_is_a_step_of_its_lane() {
    for game in GAMES {
        let mut run = Run::new(game, &lanes(3));
        run.random_steps(5);
        let mut single = run.copy(&[0, 1, 2]);
        run.draw();
        let action = run.actions[1];
        single.within(1, |game| game.play(action.into())).unwrap();
        run.actions = vec![-1, action, -1];
        run.step().unwrap();
        assert_eq!(single.saves(), run.saves());
    }
}

#[test]
fn only_matches_of_the_game_with_its_options_are_put_into_a_batch() {
    for (number, &game) in GAMES.iter().enumerate() {
        let mut run = Run::new(game, &lanes(2));
        run.random_steps(3);
        let saves = run.saves();
        for (other, &stranger) in GAMES.iter().enumerate() {
            let result = run.batch.set(1, &*in_play(stranger));
            if other == number {
                result.unwrap();
                run.load(1, &saves[1]);
            } else {
                assert_names(result, &[&format!("a match of {}", stranger.0), game.0, "the options of the batch"]);
            }
            assert_eq!(run.saves(), saves);
        }
    }
    let mut written_out = make(("mapello", r#"{"games": 1}"#), &lanes(1)).unwrap();
    written_out.set(0, &*in_play(("mapello", "{}"))).unwrap();
}

#[test]
fn the_agents_play_on_in_a_match_that_is_put_back() {
    for (game, caller) in GAMES.into_iter().flat_map(|game| [(game, 0), (game, 1)]) {
        let agents =
            (0..seats(game)).map(|player| vec![((player != caller).then(|| "greedy".to_owned()), 1.0)]).collect();
        let mut run = Run::new(game, &Config { agents, ..lanes(2) });
        for _ in 0..10 {
            run.draw();
            let mut own = run.get(0);
            own.play(run.actions[0].into()).unwrap();
            run.batch.set(1, &*own).unwrap();
            run.actions[1] = -1;
            run.step().unwrap();
            assert_eq!(run.get(1).position(), run.get(0).position());
            assert_eq!(run.get(1).address(), run.get(0).address());
            assert_eq!(run.buffers.seat[1], run.buffers.seat[0]);
            if run.buffers.seat[0] == -1 {
                break;
            }
            assert_eq!(run.buffers.seat[0], caller as i8);
        }
    }
}

#[test]
fn the_limit_of_the_batch_holds_for_what_is_put_into_it() {
    let config = Config { max_decisions: 12, ..lanes(1) };
    for game in GAMES {
        let mut short = Run::new(game, &config);
        short.batch.set(0, &*in_play(game)).unwrap();
        assert!(short.get(0).is_cut_off());
        let mut long = Run::new(game, &lanes(1));
        long.batch.set(0, &*short.get(0)).unwrap();
        assert!(!long.get(0).is_cut_off() && long.get(0).to_act().is_some());
    }
}

#[test]
fn what_is_earned_between_the_steps_is_paid_with_the_next() {
    for game in GAMES {
        let mut run = Run::new(game, &lanes(1));
        let mut sums = vec![0.0; seats(game)];
        while run.buffers.status[0] == 0 {
            let mut ahead = run.get(0);
            play_random(&mut *ahead, 2);
            if ahead.to_act().is_some() {
                run.batch.set(0, &*ahead).unwrap();
            }
            run.random_steps(1);
            sums.iter_mut().zip(run.buffers.reward.row(0)).for_each(|(sum, reward)| *sum += reward);
        }
        assert_eq!(run.get(0).returns(), sums);
    }
}
