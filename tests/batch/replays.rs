//! Matches as lines of JSON: what was written is played again, and whatever was altered is refused with its line.

use adjoin::dynamic::AnyMatch;
use adjoin::error::Error;
use adjoin::{registry, replay};
use serde_json::{Value, json};

use crate::{CHALLENGES, GAMES, Named, Run, WALES, assert_names, json, lanes, play_random, start};

/// A replay gives the match again, with its past and its chance.
fn assert_comes_back(game: &dyn AnyMatch) {
    let text = replay::write(game).unwrap();
    let mut again = replay::read(&text, None).unwrap();
    assert_eq!(again.save(), game.save());
    assert_eq!((again.history(), again.address()), (game.history(), game.address()));
    assert_eq!((again.is_dealt(), again.max_decisions()), (game.is_dealt(), game.max_decisions()));
    assert_eq!(replay::write(&*again).unwrap(), text);
    let mut game = game.copy(None);
    for game in [&mut again, &mut game] {
        play_random(&mut **game, 20);
    }
    assert_eq!(again.save(), game.save());
}

#[test]
fn a_replay_gives_the_match_again() {
    for (name, options) in GAMES {
        let start = registry::find(name).unwrap().start(&json(options), (1 << 63) + 5, 3, 400).unwrap();
        for decisions in [0, 1, 12, usize::MAX] {
            let mut game = start.copy(None);
            play_random(&mut *game, decisions);
            assert_comes_back(&*game);
        }
    }
}

#[test]
fn a_replay_gives_the_match_again_from_wherever_it_began() {
    for named in GAMES {
        let mut earlier = start(named, 5);
        play_random(&mut *earlier, 20);
        let mut from_position = start(named, 0);
        from_position.set_position(&earlier.position()).unwrap();
        let mut from_save = start(named, 0);
        from_save.load(&earlier.save().unwrap()).unwrap();
        let mut run = Run::new(named, &lanes(3));
        run.restart(&[true; 3]).unwrap();
        run.random_steps(4);
        for mut game in [from_position, from_save, earlier.copy(Some(7)), run.get(2)] {
            assert_comes_back(&*game);
            play_random(&mut *game, 5);
            assert_comes_back(&*game);
        }
    }
}

#[test]
fn a_replay_tells_where_time_ran_out() {
    for options in [WALES, CHALLENGES] {
        let mut game = start(("mapominoes", options), 4);
        for decisions in [0, 3, 4, 5, 0] {
            play_random(&mut *game, decisions);
            while game.time_out().is_err() {
                play_random(&mut *game, 1);
            }
        }
        assert_eq!(game.history().iter().filter(|turn| turn.action.is_none()).count(), 5);
        assert_comes_back(&*game);
        play_random(&mut *game, usize::MAX);
        assert_comes_back(&*game);
    }
}

#[test]
fn a_replay_is_a_header_a_line_a_decision_and_the_result() {
    for named in GAMES {
        let mut game = start(named, 0);
        play_random(&mut *game, usize::MAX);
        let lines: Vec<Value> = replay::write(&*game).unwrap().lines().map(json).collect();
        let [header, decisions @ .., result] = &lines[..] else { panic!("{lines:?}") };
        let spec = game.spec();
        assert_eq!((&header["game"], &header["version"]), (&json!(spec.name), &json!(spec.version)));
        assert_eq!((&header["options"], header.get("start")), (&spec.options, None));
        assert_eq!(decisions.len(), game.history().len());
        for (line, turn) in decisions.iter().zip(game.history()) {
            let id = turn.action.unwrap();
            assert_eq!(*line, json!({"seat": turn.seat, "action": id, "text": game.say(id).notation.to_string()}));
        }
        assert_eq!(*result, json!({"over": true, "returns": game.returns()}));
    }
}

#[test]
fn a_replay_is_played_as_far_as_one_likes() {
    let text = written(&lines());
    let whole = replay::read(&text, None).unwrap();
    let most = whole.history().len();
    for decisions in [0, 1, 7, most] {
        let part = replay::read(&text, Some(decisions)).unwrap();
        assert_eq!(part.history(), &whole.history()[..decisions]);
    }
    assert_names(replay::read(&text, Some(999)), &[&format!("decisions = 999: must be 0 to {most}")]);
}

// Altered lines.

const GAME: Named<'_> = ("mapello", "{}");

/// The lines of a match.
fn lines() -> Vec<Value> {
    let mut game = start(GAME, 3);
    play_random(&mut *game, usize::MAX);
    replay::write(&*game).unwrap().lines().map(json).collect()
}

/// The lines of a match that begins at a save.
fn lines_from_a_save() -> Vec<Value> {
    let mut game = start(GAME, 3);
    play_random(&mut *game, 10);
    game.load(&game.save().unwrap()).unwrap();
    play_random(&mut *game, 10);
    replay::write(&*game).unwrap().lines().map(json).collect()
}

fn texts(lines: &[Value]) -> Vec<String> {
    lines.iter().map(Value::to_string).collect()
}

fn written(lines: &[Value]) -> String {
    texts(lines).join("\n")
}

/// Why a text is refused, which must be for this line.
fn refusal(text: &str, line: usize) -> String {
    match replay::read(text, None) {
        Ok(_) => panic!("accepted although line {line} is wrong:\n{text}"),
        Err(Error::Replay { line: number, message }) if number == line && !message.is_empty() => message,
        Err(error) => panic!("{error} instead of line {line}"),
    }
}

/// Fails unless the lines are refused when one of them says something else.
fn assert_altered_is_refused(lines: &[Value], number: usize, key: &str, value: Value) {
    let mut lines = lines.to_vec();
    assert_ne!(lines[number - 1][key], value);
    lines[number - 1][key] = value;
    refusal(&written(&lines), number);
}

#[test]
fn an_altered_header_is_refused() {
    let lines = lines();
    let changes = [
        ("format", json!("adjoin replay 1")),
        ("format", json!("something else")),
        ("format", json!(2)),
        ("game", json!("chess")),
        ("game", json!("connections")),
        ("version", json!(99)),
        ("options", json!({"wals": 3})),
        ("options", json!({"lanes": 3})),
        ("options", json!(null)),
        ("options", json!("{}")),
        ("max_decisions", json!(0)),
        ("max_decisions", json!(1_u64 << 32)),
        ("seed", json!(-1)),
        ("seed", json!("3")),
        ("lane", json!(1)),
        ("episode", json!(-1)),
        ("start", json!("zz")),
        ("start", json!("abc")),
        ("start", json!("é")),
        ("start", json!("00")),
        ("start", json!(7)),
        ("comment", json!("")),
    ];
    for (key, value) in changes {
        assert_altered_is_refused(&lines, 1, key, value);
    }
    let mut older = lines;
    older[0]["format"] = json!("adjoin replay 1");
    assert!(refusal(&written(&older), 1).contains("another version of adjoin"));
}

#[test]
fn another_start_is_refused() {
    let lines = lines_from_a_save();
    replay::read(&written(&lines), None).unwrap_or_else(|error| panic!("{error}"));
    for (key, value) in [("seed", 4), ("lane", 1), ("episode", 1)] {
        assert_altered_is_refused(&lines, 1, key, value.into());
    }
    let start = lines[0]["start"].as_str().unwrap();
    assert_altered_is_refused(&lines, 1, "start", start.replacen('0', "+", 1).into());
    assert_altered_is_refused(&lines, 1, "start", start[2..].into());
    assert_altered_is_refused(&lines, 1, "options", json!({"games": 2}));
}

#[test]
fn another_seed_or_episode_is_another_match() {
    for key in ["seed", "episode"] {
        let mut lines = lines();
        lines[0][key] = (lines[0][key].as_u64().unwrap() + 1).into();
        assert!(matches!(replay::read(&written(&lines), None), Err(Error::Replay { line: 2.., .. })));
    }
}

#[test]
fn an_altered_decision_is_refused() {
    let lines = lines();
    let game = replay::read(&written(&lines), Some(2)).unwrap();
    let illegal = (0..game.num_actions()).find(|&id| game.why_not(id as i64).is_some()).unwrap();
    let changes = [
        ("seat", json!(1 - lines[3]["seat"].as_u64().unwrap())),
        ("seat", json!(7)),
        ("seat", json!(300)),
        ("seat", json!(null)),
        ("text", json!("h8 ")),
        ("text", json!(null)),
        ("action", json!(999)),
        ("action", json!(-1)),
        ("action", json!("f5")),
        ("action", json!(null)),
        ("action", json!(illegal)),
        ("timeout", json!(true)),
        ("over", json!(false)),
        ("returns", json!([0.0, 0.0])),
        ("comment", json!("")),
    ];
    for (key, value) in changes {
        assert_altered_is_refused(&lines, 4, key, value);
    }
    let mut altered = lines.clone();
    altered[3]["action"] = json!(game.num_actions());
    let message = format!("action ids are 0 to {}", game.num_actions() - 1);
    assert!(refusal(&written(&altered), 4).contains(&message));
    let mut altered = lines.clone();
    altered[3]["action"] = json!(illegal);
    altered[3]["text"] = json!(game.say(illegal).notation.to_string());
    let message = refusal(&written(&altered), 4);
    assert!(message.contains("legal: "), "{message}");
    for (timeout, why) in [(true, "has no timer"), (false, "does not fit")] {
        let mut altered = lines.clone();
        altered[3] = json!({"seat": lines[3]["seat"], "timeout": timeout});
        assert!(refusal(&written(&altered), 4).contains(why));
    }
}

#[test]
fn a_line_that_lacks_something_is_refused() {
    let lines = lines();
    for number in [1, 4, lines.len()] {
        for key in lines[number - 1].as_object().unwrap().keys() {
            let mut altered = lines.clone();
            altered[number - 1].as_object_mut().unwrap().remove(key);
            refusal(&written(&altered), number);
        }
    }
}

#[test]
fn a_line_left_out_or_repeated_is_refused() {
    let lines = lines();
    refusal(&written(&[&lines[..4], &lines[5..]].concat()), 5);
    refusal(&written(&[&lines[..4], &lines[3..]].concat()), 5);
}

#[test]
fn the_result_stands_once_at_the_end_and_is_right() {
    let lines = lines();
    let last = lines.len();
    for (key, value) in
        [("over", json!(false)), ("returns", json!([5.0, 5.0])), ("returns", json!([])), ("seat", json!(0))]
    {
        assert_altered_is_refused(&lines, last, key, value);
    }
    assert!(refusal(&written(&lines[..last - 1]), last).contains("result of the match is missing"));
    for more in [&lines[last - 1..], &lines[1..2]] {
        let message = refusal(&written(&[&lines[..], more].concat()), last + 1);
        assert!(message.contains("nothing can follow the result"));
    }
    let early = [json!({"over": false, "returns": [0.0, 0.0]})];
    assert!(refusal(&written(&[&lines[..2], &early, &lines[2..]].concat()), 4).contains("nothing can follow"));
    let after_the_end = [&lines[..last - 1], &lines[1..2], &lines[last - 1..]].concat();
    refusal(&written(&after_the_end), last);
}

#[test]
fn a_key_that_is_there_twice_is_refused() {
    let lines = lines();
    for (number, key) in [(1, "seed"), (3, "action"), (lines.len(), "over")] {
        let mut texts = texts(&lines);
        let line = &texts[number - 1];
        texts[number - 1] = format!("{{\"{key}\": {}, {}", lines[number - 1][key], &line[1..]);
        assert!(refusal(&texts.join("\n"), number).contains(&format!("duplicate field `{key}`")));
    }
}

#[test]
fn a_line_that_is_no_object_is_refused() {
    let lines = lines();
    let header = ["format", "game", "version", "options", "max_decisions", "seed", "lane", "episode", "start"];
    let header = json!(header.map(|key| lines[0][key].clone())).to_string();
    let decision = json!([lines[1]["seat"], lines[1]["action"], lines[1]["text"], null, null, null]).to_string();
    let anything = ["", "x", "[1]", "7", "null", "{", "[]", &header, &decision];
    let texts = texts(&lines);
    for line in anything {
        for number in [1, 2, 4] {
            let mut texts: Vec<&str> = texts.iter().map(String::as_str).collect();
            texts[number - 1] = line;
            refusal(&texts.join("\n"), number);
        }
    }
    for text in ["", "\n", "{}", "x"] {
        refusal(text, 1);
    }
}

#[test]
fn deep_nesting_is_refused() {
    let lines = texts(&lines());
    let deep = "[".repeat(100_000) + &"]".repeat(100_000);
    for (number, line) in [(1, format!("{{\"options\": {deep}}}")), (1, deep.clone()), (3, deep)] {
        let mut lines = lines.clone();
        lines[number - 1] = line;
        refusal(&lines.join("\n"), number);
    }
    let nested = lines[0].replacen("\"options\":{", &format!("\"options\":{{\"walls\":{}", "[".repeat(1000)), 1);
    assert!(refusal(&nested, 1).contains("nested too deeply"));
}
