//! Matches as bytes: whole ones come back, all others are refused without a change.

use adjoin::dynamic::AnyMatch;
use adjoin::rng::Rng;

use crate::bytes::{body_start, sealed};
use crate::{
    CHALLENGES, FORKS, FREE, GAMES, Named, Run, SHORT_LINES, WALES, WOODS, assert_names, assert_playable, lanes,
    play_random, rng, start,
};

const OTHELLO: Named<'_> = ("mapello", r#"{"setup": "othello"}"#);

/// A match after so many random decisions.
fn after(game: Named<'_>, decisions: usize) -> Box<dyn AnyMatch> {
    let mut game = start(game, 0);
    play_random(&mut *game, decisions);
    game
}

#[test]
fn a_saved_match_plays_on_in_another_batch() {
    for game in GAMES {
        let mut run = Run::new(game, &lanes(3));
        for _ in 0..20 {
            run.random_steps(7);
            let mut loaded = Run::new(game, &lanes(5));
            loaded.random_steps(3);
            loaded.load(4, &run.save(2));
            assert_eq!(loaded.save(4), run.save(2));
            assert_eq!(loaded.get(4).address(), run.get(2).address());
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
        let saved = after((name, options), 3).save().unwrap();
        assert_eq!(sealed(&saved[..saved.len() - 8]), saved);
        assert!(saved.starts_with(b"adjoin\x01"));
        assert_eq!(&saved[8..8 + name.len()], name.as_bytes());
    }
}

#[test]
fn every_truncation_is_refused() {
    for named in GAMES {
        let mut game = after(named, 12);
        let saved = game.save().unwrap();
        for length in 0..saved.len() {
            assert!(game.load(&saved[..length]).is_err(), "{length} of {} bytes", saved.len());
            assert_eq!(game.save().unwrap(), saved);
        }
        let longer = [&saved[..], &[0]].concat();
        assert!(game.load(&longer).is_err());
        assert_eq!(game.save().unwrap(), saved);
    }
}

#[test]
fn every_altered_byte_is_refused() {
    for named in GAMES {
        let mut game = after(named, 12);
        let saved = game.save().unwrap();
        let mut altered = saved.clone();
        for at in 0..saved.len() {
            for change in 1..=u8::MAX {
                altered[at] = saved[at] ^ change;
                assert!(game.load(&altered).is_err(), "byte {at} changed by {change}");
            }
            altered[at] = saved[at];
            assert_eq!(game.save().unwrap(), saved);
        }
    }
}

#[test]
fn another_game_format_or_options_are_named() {
    let saved = after(OTHELLO, 4).save().unwrap();
    assert_names(after(GAMES[0], 0).load(&saved), &["other options"]);
    let content = &saved[..saved.len() - 8];
    let mut game = after(OTHELLO, 0);
    assert_names(game.load(b"something else"), &["no saved match"]);
    let mut format = content.to_vec();
    format[6] = 99;
    assert_names(game.load(&sealed(&format)), &["another format"]);
    let mut name = content.to_vec();
    name[8] = b'n';
    assert_names(game.load(&sealed(&name)), &["another game", "mapello"]);
    assert_names(game.load(&sealed(&[content, &[0, 0]].concat())), &["2 bytes too many"]);
}

#[test]
fn random_bytes_are_refused() {
    let mut rng = rng(1);
    for named in GAMES {
        let mut game = after(named, 5);
        let saved = game.save().unwrap();
        let header = &saved[..body_start(named.0)];
        for _ in 0..2000 {
            let length = rng.below(160) as usize;
            let noise: Vec<u8> = (0..length).map(|_| rng.bits() as u8).collect();
            assert!(game.load(&noise).is_err());
            assert!(game.load(&sealed(&noise)).is_err());
            if game.load(&sealed(&[header, &noise].concat())).is_ok() {
                assert_playable(&mut *game, usize::MAX);
                game.load(&saved).unwrap();
            }
            assert_eq!(game.save().unwrap(), saved);
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
    let mut game = after(("connections", "{}"), 30);
    let saved = game.save().unwrap();
    for place in body_start("connections")..saved.len() - 8 - 7 {
        let mut content = saved[..saved.len() - 8].to_vec();
        // A number of turns and, seven bytes later, the turns since the announcement of the same seat.
        (content[place], content[place + 7]) = (200, 56);
        if game.load(&sealed(&content)).is_ok() {
            assert_playable(&mut *game, usize::MAX);
            game.load(&saved).unwrap();
        }
    }
}

/// Bytes that a checksum lets through are judged by what they say: refused, or a match that can be played.
fn assert_refused_or_playable(starts: &[(Named<'_>, usize)]) {
    let mut rng = rng(2);
    let mut accepted = 0;
    for &(named, decisions) in starts {
        let mut game = after(named, decisions);
        let saved = game.save().unwrap();
        for _ in 0..1000 {
            let altered = altered(&saved, body_start(named.0), &mut rng);
            if game.load(&altered).is_ok() {
                accepted += 1;
                assert_playable(&mut *game, usize::MAX);
                game.load(&saved).unwrap();
            }
            assert_eq!(game.save().unwrap(), saved);
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
