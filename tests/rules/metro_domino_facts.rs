//! What a row of facts tells about an action in Metro Domino.

use crate::metro_domino::{Match, SHORT, custom, one_short, owned};
use crate::table::json;

#[test]
fn facts_tell_who_could_finish_a_line_afterwards() {
    let game = Match::at(one_short(json(r#"{"hands": [["3-9", "3-3", "0-0"], ["1-1"]]}"#)));
    // Of 50 unseen tiles the other holds one.
    assert_eq!(game.facts("3-9 Start A", ["opens", "goes_on", "one_short", "active"]), [1, 0, 0, 0]);
    assert_eq!(game.fact("3-9 Start A", "left"), [1, 0, 0, 0, 0, 0]);
    assert_eq!(game.facts("3-9 Start B", ["begins", "unseen_on_line", "next_on_line"]), [1, 9, 18]);
    assert_eq!(game.facts("3-9 Start B", ["mine_finish", "finish_now", "unseen_finish", "gift"]), [1, 0, 7, 14]);
    assert_eq!(game.facts("0-0 Start B", ["double", "goes_on", "mine_finish", "finish_now", "gift"]), [1, 1, 2, 1, 0]);
    assert_eq!(game.fact("3-3 Start A", "tiles"), [2, 1, 1]);
    assert_eq!(game.facts("3-3 Start A", ["lead", "tokens", "unopened"]), [0, 1, 9]);
}

#[test]
fn facts_tell_how_a_game_ends() {
    let game = Match::at(one_short(json(r#"{"hands": [["3-9"], ["1-1"]]}"#)));
    assert_eq!(game.fact("3-9 Start B", "ends"), [1, 0, 0]);
    let parts = json(r#"{"hands": [["0-1", "0-2"], ["0-3"]]}"#);
    let game = Match::of(&custom(SHORT, ""), owned(&[0, 0, 0, 0, 1, 1, 1, 1], parts));
    assert_eq!(game.fact("0-1 Start I", "ends"), [0, 0, 0]);
    let parts = json(r#"{"hands": [["0-1"], ["0-3"]]}"#);
    let game = Match::of(&custom(SHORT, ""), owned(&[1, 1, 1, 1], parts));
    assert_eq!(game.fact("0-1 Start I", "ends"), [0, 0, 1]);
}
