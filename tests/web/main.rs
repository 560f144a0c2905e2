//! The door for browsers, asked natively: every question, and what is wrong with those that are.

use adjoin::registry;
use adjoin::web::Door;
use serde_json::{Value, json};

fn ask(door: &mut Door, question: &Value) -> Value {
    let answer: Value = serde_json::from_str(&door.ask(question.to_string().as_bytes())).unwrap();
    assert!(answer.is_object(), "{answer}");
    answer
}

/// The answer to a question with which nothing is wrong.
fn answer(door: &mut Door, question: &Value) -> Value {
    let answer = ask(door, question);
    assert_eq!(answer.get("error"), None, "{question}");
    answer
}

fn refusal(door: &mut Door, question: &Value) -> String {
    ask(door, question)["error"].as_str().unwrap_or_default().to_owned()
}

fn ladder(sitters: &[&str]) -> Value {
    json!({"ask": "open", "game": "ladder", "seed": 1, "sitters": sitters})
}

/// A message about the update that is on the screen.
fn message(door: &mut Door, verb: &str, what: &Value) -> Value {
    let number = &answer(door, &json!({"ask": "update"}))["number"];
    answer(door, &json!({"ask": "receive", "message": {"do": verb, "what": what, "number": number}}))
}

/// Plays the first action there is, lets the agents play, and returns the last update.
fn play_first(door: &mut Door) -> Value {
    let action = answer(door, &json!({"ask": "update"}))["actions"][0]["action"].clone();
    message(door, "play", &action);
    while answer(door, &json!({"ask": "step"}))["is_thinking"] == true {}
    answer(door, &json!({"ask": "update"}))
}

#[test]
fn all_games_are_listed_and_no_example() {
    let mut door = Door::new();
    let games = answer(&mut door, &json!({"ask": "games"}));
    let names: Vec<&str> = games["games"].as_array().unwrap().iter().filter_map(|spec| spec["name"].as_str()).collect();
    assert_eq!(names, registry::names());
    for name in names {
        let spec = answer(&mut door, &json!({"ask": "spec", "game": name, "options": {}}));
        assert!(games["games"].as_array().unwrap().contains(&spec));
    }
    let three = json!({"ask": "spec", "game": "mapominoes", "options": {"players": 3}});
    assert_eq!(answer(&mut door, &three)["seats"], 3);
}

#[test]
fn every_game_is_played_and_shown_as_a_film() {
    for game in registry::names() {
        let mut door = Door::new();
        let seats = registry::find(game).unwrap().spec(&json!({})).unwrap().seats;
        let sitters: Vec<&str> = std::iter::once("person").chain(std::iter::repeat_n("greedy", seats - 1)).collect();
        let mut update = answer(&mut door, &json!({"ask": "open", "game": game, "seed": 3, "sitters": sitters}));
        while answer(&mut door, &json!({"ask": "step"}))["is_thinking"] == true {}
        for _ in 0..5 {
            update = play_first(&mut door);
            assert_eq!(update["is_thinking"], false);
        }
        let now = answer(&mut door, &json!({"ask": "frame", "at": 0}));
        let (count, start) = (now["count"].as_u64().unwrap(), &now["picture"]);
        assert!(count >= 5 && now["caption"] == "the start" && *start != update["picture"], "{now}");
        let last = answer(&mut door, &json!({"ask": "frame", "at": count}));
        assert_ne!(last["picture"], *start);
        assert_ne!(last["caption"], "");
        assert!(
            refusal(&mut door, &json!({"ask": "frame", "at": count + 1})).contains(&format!("must be 0 to {count}"))
        );
    }
}

#[test]
fn a_film_of_a_match_that_goes_on_shows_what_the_person_saw() {
    let mut door = Door::new();
    answer(&mut door, &ladder(&["person", "random"]));
    let update = play_first(&mut door);
    let count = answer(&mut door, &json!({"ask": "frame", "at": 0}))["count"].clone();
    let frame = answer(&mut door, &json!({"ask": "frame", "at": count}));
    assert_eq!(frame["picture"], update["picture"], "the person's own view");
    let first = answer(&mut door, &json!({"ask": "frame", "at": 1}));
    assert!(first["caption"].as_str().unwrap().starts_with("you "), "{first}");
    while answer(&mut door, &json!({"ask": "update"}))["is_over"] == false {
        play_first(&mut door);
    }
    let open = answer(&mut door, &json!({"ask": "frame", "at": count}));
    assert_ne!(open["picture"], frame["picture"], "all hands are open when the match is over");
    let first = answer(&mut door, &json!({"ask": "frame", "at": 1}));
    assert!(first["caption"].as_str().unwrap().starts_with("seat 0 "), "{first}");
}

#[test]
fn several_people_see_no_film_before_the_end() {
    let mut door = Door::new();
    answer(&mut door, &ladder(&["person", "person"]));
    assert!(refusal(&mut door, &json!({"ask": "frame", "at": 0})).contains("several people share the screen"));
    while answer(&mut door, &json!({"ask": "update"}))["is_over"] == false {
        message(&mut door, "ready", &Value::Null);
        play_first(&mut door);
    }
    answer(&mut door, &json!({"ask": "frame", "at": 0}));
}

#[test]
fn a_curtain_falls_between_people_and_before_a_match_that_is_resumed() {
    let mut door = Door::new();
    let update = answer(&mut door, &ladder(&["person", "person"]));
    assert_eq!(update["curtain"], Value::Null);
    let saved = answer(&mut door, &json!({"ask": "save"}));
    let again = answer(&mut Door::new(), &json!({"ask": "resume", "saved": saved}));
    assert_eq!((&again["curtain"], &again["actions"]), (&json!("seat 0"), &json!([])));
    let action = update["actions"][0]["action"].clone();
    let next = message(&mut door, "play", &action);
    assert_eq!(next["curtain"], "seat 1");
    assert_eq!(message(&mut door, "ready", &Value::Null)["seat"], 1);
}

#[test]
fn a_saved_match_goes_on_with_all_who_sit_there() {
    let mut door = Door::new();
    let mut open = ladder(&["person", "easy(miss=0.1)"]);
    open["names"] = json!(["Ann", "<Bob> & \"Co\""]);
    answer(&mut door, &open);
    play_first(&mut door);
    let saved = answer(&mut door, &json!({"ask": "save"}));
    assert_eq!(saved["sitters"], json!(["person", "easy(miss=0.1)"]));
    assert_eq!(saved["names"], open["names"]);
    let mut other = Door::new();
    let update = answer(&mut other, &json!({"ask": "resume", "saved": saved}));
    let before = answer(&mut door, &json!({"ask": "update"}));
    for part in ["picture", "status", "actions", "log", "can_undo"] {
        assert_eq!(update[part], before[part], "{part}");
    }
    assert_eq!(answer(&mut other, &json!({"ask": "save"})), saved);
    assert_eq!(play_first(&mut other)["log"], play_first(&mut door)["log"], "the same match follows");
}

#[test]
fn what_is_no_saved_match_is_refused_and_the_table_stays() {
    let mut door = Door::new();
    answer(&mut door, &ladder(&["person", "random"]));
    play_first(&mut door);
    let saved = answer(&mut door, &json!({"ask": "save"}));
    let altered = |field: &str, value: Value| {
        let mut altered = saved.clone();
        altered[field] = value;
        altered
    };
    let lines: Vec<&str> = saved["replay"].as_str().unwrap().lines().collect();
    let without_a_line = [&lines[..1], &lines[2..]].concat().join("\n");
    let another_seed = saved["replay"].as_str().unwrap().replacen("\"seed\":1", "\"seed\":2", 1);
    let cases = [
        (json!(null), "expected {\"format\": \"adjoin save 1\", ...}"),
        (json!([1, 2]), "expected {\"format\""),
        (json!({"format": "adjoin replay 2"}), "expected {\"format\""),
        (json!({"format": "adjoin save 1"}), "missing field `replay`"),
        (altered("format", json!("adjoin save 7")), "this is adjoin save 7, of another version of adjoin"),
        (altered("replay", json!("")), "replay, line 1: the replay is empty"),
        (altered("replay", json!(without_a_line)), "replay, line 2"),
        (altered("replay", json!(another_seed)), "replay, line "),
        (altered("replay", json!(lines[0])), "replay, line 2: the result of the match is missing"),
        (altered("sitters", json!(["person"])), "sitters = 1 of them: must be one for each of 2 seats"),
        (altered("sitters", json!(["person", "clever"])), "unknown agent \"clever\""),
        (altered("names", json!(["Ann"])), "names = 1 of them"),
        (altered("more", json!(1)), "unknown field `more`"),
    ];
    for (case, words) in cases {
        let refusal = refusal(&mut door, &json!({"ask": "resume", "saved": case}));
        assert!(refusal.starts_with("the saved match cannot be read: "), "{refusal}");
        assert!(refusal.contains(words), "{refusal}: expected {words}");
    }
    assert_eq!(answer(&mut door, &json!({"ask": "save"})), saved);
}

#[test]
fn a_bad_question_is_refused_in_words() {
    let mut door = Door::new();
    let cases = [
        (json!({"ask": "update"}), "there is no match yet"),
        (json!({"ask": "step"}), "there is no match yet"),
        (json!({"ask": "save"}), "there is no match yet"),
        (json!({"ask": "frame", "at": 0}), "there is no match yet"),
        (json!({"ask": "receive", "message": {}}), "there is no match yet"),
        (json!({"ask": "dance"}), "unknown variant `dance`, expected one of `games`, `spec`"),
        (json!({}), "missing field `ask`"),
        (json!([]), "the question cannot be read"),
        (json!({"ask": "games", "more": 1}), "unknown field `more`"),
        (json!({"ask": "spec"}), "missing field `game`"),
        (json!({"ask": "spec", "game": "chess"}), "unknown game \"chess\""),
        (json!({"ask": "spec", "game": "ladder", "options": []}), "options must be an object"),
        (json!({"ask": "spec", "game": "mapello", "options": {"wals": 1}}), "unknown option `wals`"),
        (json!({"ask": "open", "game": "ladder", "seed": -1, "sitters": []}), "invalid value: integer `-1`"),
        (ladder(&["person"]), "sitters = 1 of them: must be one for each of 2 seats"),
        (ladder(&["person", "search(iterations=0)"]), "must be a number from 1 to"),
        (json!({"ask": "digest", "game": "ladder", "seed": 1, "agent": "clever"}), "unknown agent \"clever\""),
    ];
    for (question, words) in cases {
        let refusal = refusal(&mut door, &question);
        assert!(refusal.contains(words), "{question}: {refusal}");
    }
    for question in [b"{".to_vec(), Vec::new(), b"\xff\xfe".to_vec(), vec![b'['; 100_000]] {
        assert!(door.ask(&question).starts_with("{\"error\":\"the question cannot be read: "));
    }
}

#[test]
fn a_bad_message_changes_nothing() {
    let mut door = Door::new();
    answer(&mut door, &ladder(&["person", "random"]));
    let saved = answer(&mut door, &json!({"ask": "save"}));
    for bad in
        [json!(null), json!(3), json!("play"), json!([1]), json!({"do": {}, "number": "x"}), json!({"do": "play"})]
    {
        let update = answer(&mut door, &json!({"ask": "receive", "message": bad}));
        assert_ne!(update["message"], "", "{bad}");
    }
    assert_eq!(answer(&mut door, &json!({"ask": "save"})), saved);
}

#[test]
fn a_digest_tells_matches_apart() {
    let mut door = Door::new();
    let mut digest = |seed: u64, agent: Option<&str>| {
        answer(&mut door, &json!({"ask": "digest", "game": "ladder", "seed": seed, "agent": agent}))
    };
    let one = digest(1, None);
    assert_eq!(digest(1, None), one);
    for other in [digest(2, None), digest(1, Some("greedy"))] {
        for part in ["views", "pictures", "states"] {
            assert_ne!(other[part], one[part], "{part}");
        }
    }
    assert!(one["decisions"].as_u64().unwrap() > 3 && one["states"].as_str().unwrap().len() == 16, "{one}");
}

#[test]
fn the_exported_functions_carry_questions_and_answers() {
    // The page's side of the boundary is JavaScript, which reads and writes at these addresses: tests/playing/test_page.py.
    assert!(!adjoin::web::adjoin_room(100).is_null());
    assert!(adjoin::web::adjoin_room(usize::MAX).is_null());
    adjoin::web::adjoin_room(0);
    assert_eq!(adjoin::web::adjoin_ask(), Door::new().ask(b"").len());
    assert!(!adjoin::web::adjoin_answer().is_null());
}
