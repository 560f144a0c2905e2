//! What a row of facts tells about an action in Mapello.

use crate::mapello::{Match, board};

#[test]
fn facts_tell_what_a_disc_does() {
    let game = Match::at(board(&[('X', "c1 d4"), ('O', "b1 e4")], "X 0 0"));
    assert_eq!(
        game.facts("a1", ["safe_lines", "safe", "flips", "stable", "stable_gained", "lead"]),
        [4, 1, 1, 3, 3, 3]
    );
    assert_eq!(
        game.facts("f4", ["safe_lines", "safe", "flips", "stable", "stable_gained", "lead"]),
        [0, 0, 1, 0, 0, 3]
    );
    assert_eq!(game.fact("a1", "place"), [1, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    assert_eq!(game.fact("f4", "place"), [0, 0, 0, 0, 0, 0, 0, 0, 1, 0]);
    // White has c4, which leaves black nothing.
    assert_eq!(game.fact("a1", "moves"), [1, 1]);
    assert_eq!(game.facts("a1", ["fewest_moves", "flipped_back", "can_be_flipped", "they_pass"]), [0, 1, 0, 0]);
    // After f4 white has a1 nowhere, but d1.
    assert_eq!(game.fact("f4", "safe_moves"), [1, 0]);

    let bonus = Match::at(board(&[('X', "c1"), ('O', "b1"), ('+', "a1"), ('J', "0,0")], "X 0 0"));
    assert_eq!(bonus.facts("a1", ["bonus", "safe_lines", "safe", "bonuses", "lead"]), [1, 3, 0, 0, 6]);
    // White could still flip a1, against the joker.
    assert_eq!(bonus.fact("a1", "ends"), [0, 0, 0]);
    let last = Match::at(board(&[('X', "c1"), ('O', "b1")], "X 0 0"));
    assert_eq!(last.fact("a1", "ends"), [1, 0, 0]);
    let by_joker = Match::at(board(&[('O', "a1"), ('J', "1,0")], "X 0 0"));
    assert_eq!(by_joker.facts("b1", ["flips", "flips_by_joker"]), [1, 1]);
}

#[test]
fn facts_tell_images_of_pieces_in_the_set_up() {
    let mut game = Match::new(r#"{"setup": "free"}"#);
    game.play("wall b2; joker 0,1");
    assert_eq!(game.facts("wall g7", ["twin", "clash", "pieces"]), [1, 0, 2]);
    assert_eq!(game.facts("bonus g7", ["twin", "clash", "pieces"]), [0, 1, 2]);
    assert_eq!(game.facts("joker 9,8", ["twin", "clash", "pieces"]), [1, 0, 2]);
    game.play("finish");
    assert_eq!(game.fact("white", "takes"), [0, 1]);
}
