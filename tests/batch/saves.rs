//! Matches as bytes: whole ones come back, all others are refused without a change.

use adjoin::rng::Rng;

use crate::bytes::{body_start, sealed};
use crate::{CHALLENGES, FORKS, FREE, GAMES, Run, SHORT_LINES, WALES, WOODS, assert_names, lanes, rng};

const OTHELLO: (&str, &str) = ("mapello", r#"{"setup": "othello"}"#);

/// A batch of one after so many random steps.
fn after(game: (&str, &str), steps: usize) -> Run {
    let mut run = Run::new(game, &lanes(1));
    run.random_steps(steps);
    run
}

#[test]
fn a_saved_match_plays_on_in_another_batch() {
    for game in GAMES {
        let mut run = Run::new(game, &lanes(3));
        for _ in 0..20 {
            run.random_steps(7);
            let mut loaded = Run::new(game, &lanes(5));
            loaded.random_steps(3);
            loaded.batch.load(4, &run.save(2)).unwrap();
            assert_eq!(loaded.save(4), run.save(2));
            assert_eq!(loaded.batch.address(4).unwrap(), run.batch.address(2).unwrap());
            for _ in 0..30 {
                run.random_steps(1);
                loaded.random_steps(1);
                assert_eq!(loaded.row(4), run.row(2));
            }
        }
    }
}

#[test]
fn the_layout_of_the_bytes_is_as_these_tests_think() {
    for (name, options) in GAMES {
        let saved = after((name, options), 3).save(0);
        assert_eq!(sealed(&saved[..saved.len() - 8]), saved);
        assert!(saved.starts_with(b"adjoin\x01"));
        assert_eq!(&saved[8..8 + name.len()], name.as_bytes());
    }
}

#[test]
fn every_truncation_is_refused() {
    for game in GAMES {
        let mut run = after(game, 12);
        let saved = run.save(0);
        for length in 0..saved.len() {
            assert!(run.batch.load(0, &saved[..length]).is_err(), "{length} of {} bytes", saved.len());
            assert_eq!(run.save(0), saved);
        }
        let longer = [&saved[..], &[0]].concat();
        assert!(run.batch.load(0, &longer).is_err());
        assert_eq!(run.save(0), saved);
    }
}

#[test]
fn every_altered_byte_is_refused() {
    for game in GAMES {
        let mut run = after(game, 12);
        let saved = run.save(0);
        let mut altered = saved.clone();
        for at in 0..saved.len() {
            for change in 1..=u8::MAX {
                altered[at] = saved[at] ^ change;
                assert!(run.batch.load(0, &altered).is_err(), "byte {at} changed by {change}");
            }
            altered[at] = saved[at];
            assert_eq!(run.save(0), saved);
        }
    }
}

#[test]
fn another_game_format_or_options_are_named() {
    let saved = after(OTHELLO, 4).save(0);
    assert_names(after(GAMES[0], 0).batch.load(0, &saved), &["other options"]);
    let content = &saved[..saved.len() - 8];
    let mut run = after(OTHELLO, 0);
    assert_names(run.batch.load(0, b"something else"), &["no saved match"]);
    let mut format = content.to_vec();
    format[6] = 99;
    assert_names(run.batch.load(0, &sealed(&format)), &["another format"]);
    let mut name = content.to_vec();
    name[8] = b'n';
    assert_names(run.batch.load(0, &sealed(&name)), &["another game", "mapello"]);
    assert_names(run.batch.load(0, &sealed(&[content, &[0, 0]].concat())), &["2 bytes too many"]);
}

#[test]
fn random_bytes_are_refused() {
    let mut rng = rng(1);
    for game in GAMES {
        let mut run = after(game, 5);
        let saved = run.save(0);
        let header = &saved[..body_start(game.0)];
        for _ in 0..2000 {
            let length = rng.below(160) as usize;
            let noise: Vec<u8> = (0..length).map(|_| rng.bits() as u8).collect();
            assert!(run.batch.load(0, &noise).is_err());
            assert!(run.batch.load(0, &sealed(&noise)).is_err());
            if run.batch.load(0, &sealed(&[header, &noise].concat())).is_ok() {
                run.assert_playable();
                run.batch.load(0, &saved).unwrap();
            }
            assert_eq!(run.save(0), saved);
        }
    }
}

#[test]
fn altered_matches_of_mapello_are_refused_or_playable() {
    let three_games = ("mapello", r#"{"games": 3, "walls": 6, "bonuses": 6, "jokers": 6}"#);
    let free = ("mapello", FREE);
    assert_refused_or_playable(&[(GAMES[0], 10), (OTHELLO, 20), (free, 3), (free, 30), (three_games, 70)]);
}

#[test]
fn altered_matches_of_mapominoes_are_refused_or_playable() {
    let ulster = ("mapominoes", r#"{"nations": ["Northern Ireland"], "table": [3, 3], "players": 3}"#);
    let [wales, challenges] = [("mapominoes", WALES), ("mapominoes", CHALLENGES)];
    assert_refused_or_playable(&[
        (wales, 20),
        (wales, 45),
        (challenges, 3),
        (challenges, 30),
        (ulster, 1),
        (ulster, 7),
    ]);
}

#[test]
fn altered_matches_of_metro_domino_are_refused_or_playable() {
    let four = ("metro_domino", r#"{"players": 4, "wins_needed": 3}"#);
    let [metro, short] = [("metro_domino", "{}"), ("metro_domino", SHORT_LINES)];
    assert_refused_or_playable(&[(metro, 0), (metro, 30), (short, 8), (short, 40), (four, 60), (four, 200)]);
}

#[test]
fn altered_matches_of_domiphun_are_refused_or_playable() {
    let dominoes = ("domiphun", r#"{"variant": "traditional", "players": 3, "starts_each": 2}"#);
    let [squares, forks] = [("domiphun", "{}"), ("domiphun", FORKS)];
    assert_refused_or_playable(&[(squares, 0), (squares, 20), (dominoes, 30), (forks, 9), (forks, 40), (forks, 110)]);
}

#[test]
fn altered_matches_of_connections_are_refused_or_playable() {
    let five = ("connections", r#"{"players": 5, "max_turns": 3, "trading": false}"#);
    let [world, woods] = [("connections", "{}"), ("connections", WOODS)];
    assert_refused_or_playable(&[(world, 0), (world, 30), (woods, 20), (woods, 60), (five, 10), (five, 50)]);
}

#[test]
fn turns_that_add_up_to_nothing_are_not_taken_for_none() {
    let mut run = after(("connections", "{}"), 30);
    let saved = run.save(0);
    for place in body_start("connections")..saved.len() - 8 - 7 {
        let mut content = saved[..saved.len() - 8].to_vec();
        // A number of turns and, seven bytes later, the turns since the announcement of the same seat.
        (content[place], content[place + 7]) = (200, 56);
        if run.batch.load(0, &sealed(&content)).is_ok() {
            run.assert_playable();
            run.batch.load(0, &saved).unwrap();
        }
    }
}

/// Bytes that a checksum lets through are judged by what they say: refused, or a match that can be played.
fn assert_refused_or_playable(starts: &[((&str, &str), usize)]) {
    let mut rng = rng(2);
    let mut accepted = 0;
    for &(game, steps) in starts {
        let mut run = after(game, steps);
        let saved = run.save(0);
        for _ in 0..1000 {
            let altered = altered(&saved, body_start(game.0), &mut rng);
            if run.batch.load(0, &altered).is_ok() {
                accepted += 1;
                run.assert_playable();
                run.batch.load(0, &saved).unwrap();
            }
            assert_eq!(run.save(0), saved);
        }
    }
    assert!(accepted > 100, "only {accepted} were accepted: the test tries too little");
}

/// A saved match with a few bits flipped, a byte replaced, or bytes missing from its body, and the right checksum.
fn altered(saved: &[u8], start: usize, rng: &mut Rng) -> Vec<u8> {
    let mut content = saved[..saved.len() - 8].to_vec();
    let size = content.len() - start;
    let place = |rng: &mut Rng| start + rng.below(size as u64) as usize;
    let at = place(rng);
    match rng.below(4) {
        0 => content[at] = rng.bits() as u8,
        1 => drop(content.remove(at)),
        _ => (0..=rng.below(3)).for_each(|_| content[place(rng)] ^= 1 << rng.below(8)),
    }
    sealed(&content)
}
