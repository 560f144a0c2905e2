//! Text from people: whatever it is, it is read or refused.

use adjoin::registry;
use adjoin::rng::Rng;
use serde_json::json;

use crate::{
    CHALLENGES, FORKS, FREE, Named, SHORT_LINES, WALES, WOODS, assert_playable, pick, play_random, rng, start,
};

const ROUNDS: usize = 3000;

/// Symbols that mean something to some reader, and some that mean nothing to any.
const SYMBOLS: [char; 40] = [
    '.', 'X', 'O', '#', '+', 'J', '-', '*', ' ', '\n', '\t', '\r', '0', '1', '3', '5', '8', '9', ',', ';', 'a', 'b',
    'h', 'i', 'A', 'H', '"', '{', '}', '[', ']', ':', '\\', '/', '\0', 'é', '中', '🂡', '\u{202e}', '\u{ffff}',
];

/// A text of random symbols, or one of these with a few symbols put in, taken out or replaced.
fn garbled(rng: &mut Rng, texts: &[&str]) -> String {
    if rng.below(5) == 0 {
        let length = rng.below(130);
        return (0..length).map(|_| *pick(rng, &SYMBOLS)).collect();
    }
    let mut symbols: Vec<char> = pick(rng, texts).chars().collect();
    for _ in 0..=rng.below(4) {
        let any = rng.below(3) == 0 || symbols.is_empty();
        let symbol = *pick(rng, if any { &SYMBOLS } else { &symbols });
        let at = rng.below(symbols.len() as u64 + 1) as usize;
        match rng.below(8) {
            0 => symbols.insert(at, symbol),
            1 if at < symbols.len() => drop(symbols.remove(at)),
            _ if at < symbols.len() => symbols[at] = symbol,
            _ => symbols.push(symbol),
        }
    }
    symbols.into_iter().collect()
}

#[test]
fn any_position_is_refused_or_playable() {
    let mut rng = rng(1);
    for options in ["{}", r#"{"setup": "othello", "games": 2}"#, FREE] {
        let mut game = start(("mapello", options), 0);
        let first = game.position();
        play_random(&mut *game, 25);
        let later = game.position();
        let inner: Vec<String> = first.lines().take(9).skip(1).map(|row| row[1..9].replace(['#', '+'], "-")).collect();
        let [line, rows] = [inner.concat() + " X", inner.join("\n") + "\nO"];
        let saved = game.save().unwrap();
        let mut accepted = 0;
        for _ in 0..ROUNDS {
            let text = garbled(&mut rng, &[&first, &later, &line, &rows]);
            if game.set_position(&text).is_ok() {
                accepted += 1;
                assert_playable(&mut *game, usize::MAX);
                game.load(&saved).unwrap();
            }
            assert_eq!(game.save().unwrap(), saved, "{text:?}");
        }
        assert!(accepted > 100, "only {accepted} were accepted: the test tries too little");
    }
}

/// JSON with a few of its words replaced by each other or by one of these, or other digits in its numbers.
fn reworded(rng: &mut Rng, text: &str, words: &[&str]) -> String {
    let mut parts: Vec<String> = text.split('"').map(str::to_owned).collect();
    for _ in 0..=rng.below(3) {
        let at = rng.below(parts.len() as u64) as usize;
        if at % 2 == 1 {
            let other = 2 * rng.below(parts.len() as u64 / 2) as usize + 1;
            let word = if rng.below(3) == 0 { (*pick(rng, words)).to_owned() } else { parts[other].clone() };
            let old = std::mem::replace(&mut parts[at], word);
            if rng.below(2) == 0 {
                parts[other] = old;
            }
        } else {
            let digit = |symbol: char| if symbol.is_ascii_digit() { *pick(rng, &['0', '1', '2', '3']) } else { symbol };
            parts[at] = parts[at].chars().map(digit).collect();
        }
    }
    parts.join("\"")
}

#[test]
fn any_position_of_mapominoes_is_refused_or_playable() {
    let words = ["A1", "C3", "d4", "powys", "transit irish_sea", "transit powys", "Cardiff", "go", "place", "follow"];
    let three = r#"{"nations": ["Wales"], "table": [5, 5], "players": 3, "draw": "free", "rounds": 1}"#;
    let two = r#"{"nations": ["Wales"], "table": [6, 4], "rounds": 1}"#;
    let mut rng = rng(4);
    for options in [two, CHALLENGES, three] {
        assert_positions_refused_or_playable(("mapominoes", options), &words, 1, &mut rng);
    }
}

#[test]
fn any_position_of_metro_domino_is_refused_or_playable() {
    let words = ["0-0", "3-7", "7-3", "9-9", "Start A", "hub b", "ring", "times_square", "drawn", "extra", "spent"];
    let three = r#"{"players": 3, "wins_needed": 2}"#;
    let mut rng = rng(6);
    for options in ["{}", SHORT_LINES, three] {
        assert_positions_refused_or_playable(("metro_domino", options), &words, 2, &mut rng);
    }
}

#[test]
fn any_position_of_domiphun_is_refused_or_playable() {
    let words =
        ["3-5", "5-3", "5-6 B", "6-1 B east up", "3-4 A plate 2 north", "A", "C", "turn", "star", "place", "over"];
    let dominoes = r#"{"variant": "traditional", "players": 3}"#;
    let mut rng = rng(8);
    for options in ["{}", dominoes, FORKS] {
        assert_positions_refused_or_playable(("domiphun", options), &words, 2, &mut rng);
    }
}

#[test]
fn any_position_of_connections_is_refused_or_playable() {
    let words = [
        "Chicago",
        "Paris/Bangkok",
        "Ash/Fell",
        "Union",
        "Strand/Tarn",
        "wood",
        "africa",
        "play",
        "offer",
        "set",
        "draw",
        "over",
    ];
    let four = r#"{"players": 4, "max_turns": 8, "trading": false}"#;
    let mut rng = rng(10);
    for options in ["{}", WOODS, four] {
        assert_positions_refused_or_playable(("connections", options), &words, 3, &mut rng);
    }
}

/// Alters the positions of a game, `pace` decisions apart.
fn assert_positions_refused_or_playable(game: Named<'_>, words: &[&str], pace: usize, rng: &mut Rng) {
    let mut game = start(game, 0);
    let saved = game.save().unwrap();
    let mut accepted = 0;
    for number in 0..20 {
        play_random(&mut *game, pace * number);
        let text = game.position();
        game.load(&saved).unwrap();
        for _ in 0..ROUNDS / 60 {
            let text = if rng.below(4) == 0 { garbled(rng, &[&text]) } else { reworded(rng, &text, words) };
            if game.set_position(&text).is_ok() {
                accepted += 1;
                assert_playable(&mut *game, usize::MAX);
                game.load(&saved).unwrap();
            }
            assert_eq!(game.save().unwrap(), saved, "{text:?}");
        }
    }
    assert!(accepted > 100, "only {accepted} were accepted: the test tries too little");
}

#[test]
fn any_word_is_an_action_or_refused() {
    let discs = ["f5", "pass", "wall c3", "bonus h8", "joker 0,4", "finish", "black", "white", "", "a", "9,9"];
    let cards = ["Gwynedd", "g7", "AE21", "transit Irish Sea", "take", "let it be", "challenge", "St", "T&W", "kent"];
    let mut rng = rng(2);
    let tiles = ["3-7 Start A", "7-3 Hub B", "4-4 Hub C reversed", "9–9 Harlem–125th Street B", "draw", "spend", "0-"];
    let dominoes =
        ["3-5", "3–5 A", "6|6 F", "take", "miss", "star C", "join 5-3", "plate 55", "north up", "down", "1-"];
    let cities =
        ["play Paris/Bangkok", "set ash/beech", "offer Lima to +2", "answer Union", "invite Tarn +1", "take", "no"];
    let games = [
        (("mapello", "{}"), &discs[..]),
        (("mapello", FREE), &discs),
        (("mapominoes", WALES), &cards),
        (("mapominoes", CHALLENGES), &cards),
        (("metro_domino", "{}"), &tiles),
        (("metro_domino", SHORT_LINES), &tiles),
        (("domiphun", "{}"), &dominoes),
        (("domiphun", FORKS), &dominoes),
        (("connections", "{}"), &cities),
        (("connections", WOODS), &cities),
    ];
    for (game, words) in games {
        let game = start(game, 0);
        for _ in 0..ROUNDS {
            let text = garbled(&mut rng, words);
            if let Ok(id) = game.parse(&text) {
                assert!(id < game.num_actions());
                let notation = game.say(id).notation.to_string();
                assert_eq!(game.parse(&notation).unwrap(), id, "{text:?} is {notation}");
            }
        }
    }
}

#[test]
fn any_options_of_mapello_are_refused_or_playable() {
    let fixed = r#"{"setup": "fixed", "walls": ["c3", [3, 5]], "bonuses": ["1,1"], "jokers": [[0, 4], "9,9"]}"#;
    let drawn = r#"{"setup": "random", "walls": 8, "bonuses": 5, "jokers": 3, "symmetry": "diagonal", "games": 15}"#;
    let board = json!({"setup": "fixed", "board": start(("mapello", "{}"), 0).position()}).to_string();
    let texts = ["{}", FREE, fixed, drawn, &board, r#"{"setup": "othello", "opening": null}"#];
    assert_options_refused_or_playable("mapello", &texts, &["parallel", "h8"], usize::MAX, 3);
}

#[test]
fn any_options_of_mapominoes_are_refused_or_playable() {
    let three = r#"{"players": 3, "nations": ["Wales"], "table": [8, 3], "transit_each": "easier", "draw": "free"}"#;
    let states = r#"{"atlas": "us-states", "nations": ["Pacific", "Mountain"], "rounds": 1, "transit_cards": 20}"#;
    let own = r#"{"atlas": {"custom": {"name": "own", "regions": [{"id": "a", "name": "Ash", "borders": ["b"]},
        {"id": "b", "name": "Beech", "borders": ["a"]}, {"id": "c", "name": "Cedar", "borders": [], "waters": ["sea"]}],
        "waters": [{"id": "sea", "name": "Sea"}]}}, "transit_cards": 2}"#;
    let texts = [WALES, CHALLENGES, three, states, own];
    assert_options_refused_or_playable("mapominoes", &texts, &["Scotland", "Ash"], 20, 5);
}

#[test]
fn any_options_of_metro_domino_are_refused_or_playable() {
    let three = r#"{"players": 3, "first_seat": 2, "wins_needed": 1, "stations": "new-york"}"#;
    assert_options_refused_or_playable("metro_domino", &["{}", three, SHORT_LINES], &["Hub", "max"], usize::MAX, 7);
}

#[test]
fn any_options_of_domiphun_are_refused_or_playable() {
    let points = r#"{"variant": "traditional", "players": 3, "first_seat": 2, "starts_each": 1, "series": "points"}"#;
    let stars =
        r#"{"variant": "advanced", "x_joiners": 3, "starjoiners": 0, "extra_starjoiners": [1, 0], "fork": false}"#;
    let texts = ["{}", points, stars, FORKS];
    assert_options_refused_or_playable("domiphun", &texts, &["standard", "wins"], usize::MAX, 9);
}

#[test]
fn any_options_of_connections_are_refused_or_playable() {
    let four = r#"{"players": 4, "deals_each": 1, "max_turns": 2, "trading": false, "partnerships": true,
        "partnerships_each": 3, "pairs": "least"}"#;
    assert_options_refused_or_playable("connections", &["{}", four, WOODS], &["Ash", "hill"], 20, 11);
}

/// Alters these options; a match with what the game accepts can be played for so many decisions.
fn assert_options_refused_or_playable(name: &str, texts: &[&str], words: &[&str], decisions: usize, seed: u64) {
    let mut rng = rng(seed);
    let mut accepted = 0;
    for _ in 0..ROUNDS {
        let text = *pick(&mut rng, texts);
        let text = if rng.below(2) == 0 { garbled(&mut rng, &[text]) } else { reworded(&mut rng, text, words) };
        let Ok(options) = serde_json::from_str(&text) else { continue };
        if let Ok(mut game) = registry::find(name).unwrap().start(&options, 0, 0, 10_000) {
            assert_playable(&mut *game, decisions);
            accepted += 1;
        }
    }
    assert!(accepted > 100, "only {accepted} were accepted: the test tries too little");
}
