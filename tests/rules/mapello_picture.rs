//! Mapello as people see it: what can be clicked, what is marked, what is said.

use std::collections::BTreeSet;

use adjoin::drawing::{Picture, Place};
use adjoin::game::{Looks, Names, Rules as _, Seat, Show as _};
use adjoin::games::mapello::{Action, Mapello, Phase};

use crate::table;

/// Every kind of picture.
const VARIANTS: [&str; 6] = [
    "{}",
    r#"{"setup": "free", "games": 2}"#,
    r#"{"setup": "free", "size": 6, "walls": 3, "bonuses": [1, 4]}"#,
    r#"{"setup": "othello"}"#,
    r#"{"size": 6, "games": 3}"#,
    r#"{"size": 4}"#,
];

/// What only a mark has in it: a cell of the set-up has a small one.
const MARKS: [&str; 2] = [r#"data-legal="plus""#, r##"r="3" fill="#e69f00""##];

type Match = table::Match<Mapello>;

impl Match {
    fn picture(&self, viewer: Option<usize>, last: Option<&str>) -> Picture {
        let last = last.and_then(|text| self.rules.parse(text));
        self.rules.picture(&self.state, viewer.map(Seat::new).into(), last, Looks::default())
    }

    fn phase_now(&self) -> Phase {
        self.state.view(None).phase()
    }

    /// The places that the legal actions name.
    fn legal_places(&self) -> BTreeSet<Place> {
        let mut actions = Vec::new();
        self.rules.legal_actions(&self.state, &mut actions);
        actions.into_iter().flat_map(|action| self.rules.say(action).places).flatten().collect()
    }
}

/// The lines of text in a picture.
fn lines(picture: &Picture) -> Vec<String> {
    let svg = picture.svg();
    let texts = svg.split("<text ").skip(1);
    texts.filter_map(|text| text.split_once('>')?.1.split_once('<')).map(|(line, _)| line.to_owned()).collect()
}

/// The places of a picture with a mark.
fn marked(picture: &Picture) -> BTreeSet<Place> {
    let svg = picture.svg();
    let groups = svg.split("<g data-place=").skip(1);
    let places = picture.places().into_iter().zip(groups);
    places.filter(|(_, parts)| MARKS.iter().any(|mark| parts.contains(mark))).map(|(place, _)| place).collect()
}

/// What has the frame of what was played last.
fn framed(picture: &Picture) -> Option<String> {
    Some(picture.svg().split_once("data-last=\"")?.1.split_once('"')?.0.to_owned())
}

#[test]
fn what_can_be_played_has_its_places_and_a_mark() {
    for options in VARIANTS {
        Match::seeded(options, 4).play_out(|game, _| {
            let legal = game.legal_places();
            for seat in [0, 1] {
                let picture = game.picture(Some(seat), None);
                let places: BTreeSet<Place> = picture.places().iter().cloned().collect();
                assert_eq!(places.len(), picture.places().len(), "a place twice");
                assert!(legal.is_subset(&places), "{legal:?}");
                assert_eq!(marked(&picture), legal);
            }
            let picture = game.picture(None, None);
            assert_eq!((picture.places().len(), picture.svg().contains("data-place")), (0, false));
        });
    }
}

#[test]
fn the_places_are_the_cells_of_the_board_and_what_there_is_to_pick() {
    let count = |options: &str, actions: &str| {
        let mut game = Match::new(options);
        game.play(actions);
        let picture = game.picture(Some(0), None);
        ["cell", "piece", "colour"].map(|kind| picture.places().iter().filter(|place| place.kind == kind).count())
    };
    let free = r#"{"setup": "free"}"#;
    assert_eq!(count(free, "wall c3"), [100, 3, 0]);
    assert_eq!(count(free, "finish"), [64, 0, 2]);
    assert_eq!(count(free, "finish;black"), [64, 0, 0]);
    assert_eq!(count(r#"{"setup": "free", "size": 6}"#, "wall c3"), [36, 3, 0]);
    assert_eq!(count(r#"{"setup": "free", "size": 4}"#, "finish;white"), [16, 0, 0]);
}

#[test]
fn what_was_put_on_the_board_last_has_a_frame() {
    let mut game = Match::new(r#"{"setup": "free", "games": 2}"#);
    assert_eq!(framed(&game.picture(None, None)), None);
    for (action, cell) in [
        ("wall c3", Some("c3")),
        ("bonus c6", Some("c6")),
        ("joker 0,4", Some("0,4")),
        ("finish", None),
        ("black", None),
        ("e3", Some("e3")),
    ] {
        game.play(action);
        assert_eq!(framed(&game.picture(None, Some(action))).as_deref(), cell, "{action}");
    }
    let mut last = None;
    let mut first_of_second = None;
    game.play_out(|game, next| {
        if game.state.view(None).game() == 1 && first_of_second.is_none() {
            first_of_second = Some(game.picture(None, last.as_deref()));
        }
        last = next.map(str::to_owned);
    });
    assert_eq!(framed(&first_of_second.unwrap()), None, "the disc is no more on the board");
}

#[test]
fn seats_have_their_colours_discs_bonuses_and_points() {
    let board = "..........\n..........\n..........\n....OX....\n....XX+...\n....XO....\n..........\n..........\n\
                 ..........\n..........\nO 2 1";
    let game = Match::at(board);
    let picture = game.picture(None, None);
    let words = lines(&picture);
    assert!(words.iter().any(|line| line == "Mapello: seat 1 (white) to move"), "{words:?}");
    assert!(words.iter().any(|line| line == "seat 0, black: discs 4, bonuses 2, points 10"), "{words:?}");
    assert!(words.iter().any(|line| line == "seat 1, white: discs 2, bonuses 1, points 5"), "{words:?}");
    assert!(picture.svg().contains(r#"font-weight="bold">seat 1, white"#));
    assert!(picture.svg().contains(r#"font-weight="normal">seat 0, black"#));
}

#[test]
fn the_caption_and_the_facts_say_what_is_to_be_decided() {
    let says = |game: &Match, words: &str| {
        let picture = game.picture(Some(0), None);
        assert!(lines(&picture).iter().any(|line| line == words), "no {words:?} in {:?}", lines(&picture));
    };
    let mut game = Match::new(r#"{"setup": "free", "games": 3, "walls": [1, 2]}"#);
    says(&game, "Mapello: seat 0 sets up");
    says(&game, "game 1 of 3, won 0:0, points 0:0");
    says(&game, "0 placed, 1 needed");
    game.play("wall c3");
    says(&game, "possible: finish; game 1 of 3, won 0:0, points 0:0");
    says(&game, "1 placed, 1 left");
    game.play("finish");
    says(&game, "Mapello: seat 1 picks a colour");
    game.play("white");
    says(&game, "Mapello: seat 0 (black) to move");
    Match::seeded("{}", 1).play_out(|game, next| match next {
        Some("pass") => says(game, "possible: pass"),
        Some(_) => assert!(!lines(&game.picture(None, None)).iter().any(|line| line.starts_with("possible"))),
        None => match game.returns()[..] {
            [1.0, _] => says(game, "Mapello: over, won by seat 0"),
            [_, 1.0] => says(game, "Mapello: over, won by seat 1"),
            _ => says(game, "Mapello: over, a draw"),
        },
    });
}

#[test]
fn an_action_says_what_somebody_does() {
    let rules: Mapello = table::rules(r#"{"setup": "free"}"#);
    let names = Names::new(vec!["Ann".to_owned(), "Bob".to_owned()], Some(Seat::new(0)));
    let said = |text: &str, seat| {
        let action: Action = rules.parse(text).unwrap();
        let spoken = rules.say(action);
        assert_eq!(spoken.notation.to_string(), text);
        assert!(!spoken.reveals, "everything lies open");
        (spoken.phrase.said(Seat::new(seat), &names), spoken.kind)
    };
    assert_eq!(said("f5", 0), ("play f5".to_owned(), "put a disc on a cell"));
    assert_eq!(said("pass", 1), ("passes".to_owned(), "pass"));
    assert_eq!(said("joker 0,4", 1), ("puts a joker on 0,4".to_owned(), "put a joker on a cell"));
    assert_eq!(said("finish", 1), ("finishes the set-up".to_owned(), "finish the set-up"));
    assert_eq!(said("white", 0), ("pick white".to_owned(), "pick a colour"));
}

#[test]
fn a_match_counts_its_games_and_what_decides_it() {
    let mut seen = Vec::new();
    let end = Match::seeded(r#"{"games": 3}"#, 2).play_out(|game, _| {
        let moment = game.rules.moment(&game.state);
        assert!(!moment.is_half_made);
        assert_eq!((moment.part.noun, moment.part.of), ("game", 3));
        if game.phase_now() == Phase::Play && seen.last() != Some(&moment.part.number) {
            seen.push(moment.part.number);
        }
    });
    assert_eq!(seen, [1, 2, 3]);
    let part = end.rules.moment(&end.state).part;
    let points = part.tie_break.unwrap();
    assert_eq!((part.number, part.tally.what, points.what), (3, "games won", "points"));
    let view = end.state.view(None);
    assert_eq!(part.tally.values, view.wins().map(i32::from));
    assert_eq!(points.values, view.points().map(i32::from));
}
