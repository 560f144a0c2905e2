//! Mapello, clause by clause (`src/games/mapello/RULES.md`).

use adjoin::batch::{Batch, Config};
use adjoin::dynamic::AnyMatch as _;
use adjoin::error::Error;
use adjoin::game::{Describe as _, Encode as _, Rules as _, Show as _, Viewer};
use adjoin::games::mapello::{Colour, Mapello, Phase};
use adjoin::rows::Status;

use crate::table::{self, assert_names, options_refusal, rng};

const BLACK: usize = 0;
const WHITE: usize = 1;

/// Row and column of every direction, clockwise from the north.
const DIRECTIONS: [(isize, isize); 8] = [(-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1)];

/// The eight cells from which the opening discs can be flipped: with walls on all of them nobody can move.
const ALL_FIRST_MOVES: &str = "d3 e3 c4 f4 c5 f5 d6 e6";

/// On these walls black has the one move c5 or d6, after which nobody can move: black wins by 4 to 1.
const BLACK_WINS: &str = "e3 f3 c4 f4 f5 c6 e6";

/// On these walls black passes, white plays e6, black passes, white plays c3, and black has no disc left: 0 to 6.
const WHITE_WINS: &str = "d3 e3 c4 f4 c5 f5 d6 f6";

/// The set-up of MAPE-E2.
const RULEBOOK: [(char, &str); 3] = [
    ('#', "1,1 1,8 2,6 3,2 6,7 7,3 8,1 8,8"),
    ('+', "1,3 1,5 2,8 3,1 6,1 6,8 8,3 8,6"),
    ('J', "0,3 0,6 2,9 5,0 6,9 9,3 9,4 9,7"),
];

/// Where the first discs lie.
const OPENING: [(char, &str); 2] = [('X', "d4 e5"), ('O', "e4 d5")];

pub type Match = table::Match<Mapello>;

impl Match {
    /// How many legal actions there are of each kind of piece to set up.
    fn legal_pieces(&self) -> [usize; 3] {
        let legal = self.legal();
        ["wall ", "bonus ", "joker "].map(|kind| legal.iter().filter(|text| text.starts_with(kind)).count())
    }

    /// What is being decided, and by which seat.
    fn moment(&self) -> (Phase, Option<usize>) {
        (self.state.view(None).phase(), self.to_act())
    }

    /// Points of black and of white in this game.
    fn score(&self) -> [u32; 2] {
        self.state.view(None).score()
    }

    /// Returns by seat.
    fn result(&self) -> [i32; 2] {
        let returns = self.rules.returns(&self.state);
        [returns[0] as i32, returns[1] as i32]
    }
}

fn rules(options: &str) -> Mapello {
    table::rules(options)
}

/// The text of a position: cells such as `c3` or `3,3` by piece, then the side to move and the bonuses taken.
pub fn board(pieces: &[(char, &str)], tail: &str) -> String {
    let mut rows = vec![vec!['.'; 10]; 10];
    for &(symbol, cells) in pieces {
        for (row, column) in cells.split_whitespace().map(place) {
            assert_eq!(rows[row][column], '.', "two pieces on {row},{column}");
            rows[row][column] = symbol;
        }
    }
    let rows: Vec<String> = rows.into_iter().map(String::from_iter).collect();
    format!("{}\n{tail}", rows.join("\n"))
}

fn place(cell: &str) -> (usize, usize) {
    if let Some((row, column)) = cell.split_once(',') {
        return (row.parse().unwrap(), column.parse().unwrap());
    }
    let [column, row] = cell.as_bytes() else { panic!("no cell {cell:?}") };
    (usize::from(row - b'0'), usize::from(column - b'a') + 1)
}

/// The cell so many steps from e5 in a direction.
fn from_e5((down, right): (isize, isize), steps: isize) -> (usize, usize) {
    ((5 + down * steps) as usize, (5 + right * steps) as usize)
}

fn is_inner((row, column): (usize, usize)) -> bool {
    (1..9).contains(&row) && (1..9).contains(&column)
}

fn named((row, column): (usize, usize)) -> String {
    format!("{row},{column}")
}

/// The text of a game that begins on these pieces (MAPE-4, MAPE-5).
fn opened(pieces: &[(char, &str)]) -> String {
    board(&[pieces, &OPENING].concat(), "X 0 0")
}

/// Cells as a list in JSON.
fn list(cells: &str) -> String {
    format!("{:?}", cells.split_whitespace().collect::<Vec<_>>())
}

/// Options for a fixed set-up, with more options after it.
fn fixed([(_, walls), (_, bonuses), (_, jokers)]: [(char, &str); 3], more: &str) -> String {
    let [walls, bonuses, jokers] = [walls, bonuses, jokers].map(list);
    format!(r#"{{"setup": "fixed", "walls": {walls}, "bonuses": {bonuses}, "jokers": {jokers}{more}}}"#)
}

/// Options for a fixed set-up of walls.
fn walled(walls: &str) -> String {
    fixed([('#', walls), ('+', ""), ('J', "")], "")
}

/// Set-up actions that place the walls and bonuses, and finish.
fn set_up(walls: &str, bonuses: &str) -> String {
    let walls = walls.split_whitespace().map(|cell| format!("wall {cell};"));
    walls.chain(bonuses.split_whitespace().map(|cell| format!("bonus {cell};"))).collect::<String>() + "finish"
}

/// Fails unless the options are refused with a message that has all the words.
fn assert_refused(options: &str, words: &[&str]) {
    assert_names(&options_refusal::<Mapello>(options), words);
}

/// Fails unless the text is refused at that row and column.
fn assert_malformed(text: &str, at: (usize, usize)) {
    match rules("{}").parse_position(text) {
        Err(Error::Position { row, column, message }) => assert_eq!((row, column), at, "{message}\n{text}"),
        other => panic!("{other:?} instead of a complaint about\n{text}"),
    }
}

/// The first boards of so many lanes.
fn drawn(options: &str, seed: u64, lanes: usize) -> Vec<Vec<Vec<char>>> {
    let config = Config { num_lanes: lanes, seed, ..Config::default() };
    let batch = Batch::new(rules(options), &config).unwrap();
    let rows = |text: String| text.lines().take(10).map(|row| row.chars().collect()).collect();
    (0..lanes).map(|lane| rows(batch.to_match(lane).unwrap().position())).collect()
}

/// How often a symbol is on the board.
fn count(rows: &[Vec<char>], symbol: char) -> usize {
    rows.iter().flatten().filter(|&&other| other == symbol).count()
}

// Board and pieces

#[test]
fn mape_1_the_board_has_ten_rows_of_ten() {
    let text = Match::new("{}").position_text();
    let lengths: Vec<usize> = text.lines().map(|row| row.chars().count()).collect();
    assert_eq!(lengths[..10], [10; 10]);
}

#[test]
fn mape_1_discs_go_on_the_inner_64_cells() {
    let rules = rules("{}");
    for (column, row) in ('a'..='h').flat_map(|column| (1..=8).map(move |row| (column, row))) {
        assert!(rules.parse(&format!("{column}{row}")).is_some());
    }
    for outside in ["a0", "a9", "i1", "0,4"] {
        assert_eq!(rules.parse(outside), None, "{outside}");
    }
}

#[test]
fn mape_1_the_border_has_36_cells_for_jokers_only() {
    let free = Match::new(r#"{"setup": "free"}"#);
    assert_eq!(free.legal_pieces(), [60, 60, 36]);
    assert_eq!(free.rules.parse("wall 0,4"), None);
    assert_eq!(free.rules.parse("bonus 9,9"), None);
    assert_refused(r#"{"setup": "fixed", "walls": ["0,4"]}"#, &["walls", "0,4", "border"]);
    assert_refused(r#"{"setup": "fixed", "bonuses": [[9, 9]]}"#, &["bonuses", "9,9", "border"]);
    for symbol in ['X', 'O', '#', '+'] {
        assert_malformed(&board(&[(symbol, "4,9")], "X 0 0"), (4, 9));
    }
}

#[test]
fn mape_2_a_set_up_has_at_most_eight_of_each_piece() {
    let mut free = Match::new(r#"{"setup": "free"}"#);
    for n in 1..=8 {
        free.play(&format!("wall a{n}; bonus h{n}; joker 0,{n}"));
    }
    assert_eq!(free.legal(), ["finish"]);
    for ninth in ["wall b1", "bonus b1", "joker 0,9"] {
        assert!(free.refusal(ninth).contains("MAPE-2"));
    }
}

#[test]
fn mape_2_nine_of_a_piece_are_refused_wherever_they_come_from() {
    let nine = "a1 a2 a3 a4 a5 a6 a7 a8 h1";
    for pieces in ["walls", "bonuses"] {
        assert_refused(&format!(r#"{{"setup": "fixed", "{pieces}": {}}}"#, list(nine)), &[pieces, "9", "8"]);
        assert_refused(&format!(r#"{{"{pieces}": 9}}"#), &[pieces, "9", "0 to 8"]);
    }
    assert_malformed(&board(&[('#', nine)], "X 0 0"), (8, 1));
    assert_malformed(&board(&[('+', nine)], "X 0 0"), (8, 1));
    assert_malformed(&board(&[('J', "0,0 0,1 0,2 0,3 0,4 0,5 0,6 0,7 9,9")], "X 0 0"), (9, 9));
}

#[test]
fn mape_2_closer_numbers_may_be_agreed() {
    let mut free = Match::new(r#"{"setup": "free", "walls": [0, 1], "bonuses": 0, "jokers": [0, 2]}"#);
    assert_eq!(free.legal_pieces(), [60, 0, 36]);
    free.play("wall c3");
    assert_eq!(free.legal_pieces(), [0, 0, 36]);
    free.play("joker 0,4; joker 9,4");
    assert_eq!(free.legal(), ["finish"]);
    assert!(free.refusal("wall d1").contains("MAPE-2"));
}

#[test]
fn mape_2_an_agreed_number_is_zero_to_eight() {
    for pieces in ["walls", "bonuses", "jokers"] {
        for number in ["9", "[9, 9]", "[0, 9]"] {
            assert_refused(&format!(r#"{{"setup": "free", "{pieces}": {number}}}"#), &[pieces, "9", "0 to 8"]);
        }
        assert_refused(&format!(r#"{{"setup": "free", "{pieces}": [4, 2]}}"#), &[pieces, "[4, 2]", "least", "first"]);
    }
}

#[test]
fn mape_3_walls_and_bonuses_stay_off_the_centre() {
    let free = Match::new(r#"{"setup": "free"}"#);
    for centre in ["d4", "e4", "d5", "e5"] {
        for piece in ["wall", "bonus"] {
            assert!(free.refusal(&format!("{piece} {centre}")).contains("centre"));
        }
        assert_malformed(&board(&[('#', centre)], "X 0 0"), place(centre));
        assert_malformed(&board(&[('+', centre)], "X 0 0"), place(centre));
    }
}

#[test]
fn mape_3_jokers_lie_on_the_border_corners_included() {
    let corners = "joker 0,0; joker 0,9; joker 9,0; joker 9,9";
    let free = Match::new(r#"{"setup": "free"}"#).play(corners).clone();
    let expected = opened(&[('J', "0,0 0,9 9,0 9,9")]);
    assert_eq!(free.after("finish; white").position_text(), expected);
    assert_eq!(free.rules.parse("joker 1,1"), None);
    assert_malformed(&board(&[('J', "b3")], "X 0 0"), (3, 2));
}

#[test]
fn mape_3_a_cell_takes_one_piece() {
    let mut free = Match::new(r#"{"setup": "free"}"#);
    free.play("wall c3; bonus f6; joker 0,4");
    for again in ["wall c3", "bonus c3", "wall f6", "bonus f6", "joker 0,4"] {
        assert!(free.refusal(again).contains("one piece a cell"), "{again}");
    }
    assert_eq!(free.legal_pieces(), [58, 58, 35]);
}

#[test]
fn mape_4_black_begins_on_d4_and_e5() {
    let expected = opened(&[]);
    assert_eq!(Match::new(r#"{"setup": "free"}"#).after("finish; white").position_text(), expected);
    assert_eq!(Match::new(r#"{"setup": "fixed"}"#).position_text(), expected);
    assert_eq!(Match::new(r#"{"walls": 0, "bonuses": 0, "jokers": 0}"#).position_text(), expected);
    assert_eq!(Match::new(r#"{"setup": "othello", "opening": "mapello"}"#).position_text(), expected);
}

#[test]
fn mape_4_othello_begins_the_other_way_round() {
    let expected = board(&[('O', "d4 e5"), ('X', "e4 d5")], "X 0 0");
    assert_eq!(Match::new(r#"{"setup": "othello"}"#).position_text(), expected);
    assert_eq!(Match::new(r#"{"setup": "fixed", "opening": "othello"}"#).position_text(), expected);
    let free = Match::new(r#"{"setup": "free", "opening": "othello"}"#);
    assert_eq!(free.after("finish; white").position_text(), expected);
}

// Play

#[test]
fn mape_5_black_moves_first_and_turns_alternate() {
    let mut game = Match::new(r#"{"setup": "fixed"}"#);
    let mut turns = Vec::new();
    for action in ["c5", "e6", "f7", "c3"] {
        turns.push(game.state.view(None).turn());
        game.play(action);
    }
    assert_eq!(turns, [Colour::Black, Colour::White, Colour::Black, Colour::White]);
}

#[test]
fn mape_6_a_move_must_flip_something() {
    let game = Match::new(r#"{"setup": "fixed"}"#);
    assert_eq!(game.legal(), ["e3", "f4", "c5", "d6"]);
    for nothing in ["a1", "c4", "f3", "c3"] {
        assert!(game.refusal(nothing).contains("flip nothing"), "{nothing}");
    }
}

#[test]
fn mape_6_a_disc_goes_on_no_disc_and_no_wall() {
    let game = Match::new(&fixed([('#', "f4"), ('+', "c5"), ('J', "")], ""));
    assert_eq!(game.legal(), ["e3", "c5", "d6"]);
    assert!(game.refusal("f4").contains("wall"));
    assert!(game.refusal("d4").contains("disc"));
    assert!(game.refusal("e4").contains("disc"));
}

#[test]
fn mape_7_a_run_up_to_an_own_disc_is_flipped_in_every_direction() {
    for direction in DIRECTIONS {
        let [near, far, own] = [1, 2, 3].map(|steps| named(from_e5(direction, steps)));
        let run = format!("{near} {far}");
        let mut game = Match::at(board(&[('O', &run), ('X', &own)], "X 0 0"));
        assert_eq!(game.legal(), ["e5"]);
        game.play("e5");
        assert_eq!(game.position_text(), board(&[('X', &format!("e5 {run} {own}"))], "O 0 0"));
    }
}

#[test]
fn mape_7_all_eight_directions_flip_at_once() {
    let ring = |steps| DIRECTIONS.map(|direction| named(from_e5(direction, steps))).join(" ");
    let mut game = Match::at(board(&[('O', &(ring(1) + " " + &ring(2))), ('X', &ring(3))], "X 0 0"));
    game.play("e5");
    assert_eq!(game.position_text(), board(&[('X', &["e5", &ring(1), &ring(2), &ring(3)].join(" "))], "O 0 0"));
}

/// White plays e5, with a good run to the east or west and, in each direction, two black discs that end at `end`.
fn assert_no_flip(end: char) {
    for direction in DIRECTIONS {
        let (good, anchor) = if direction == (0, 1) { ("d5 c5", "b5") } else { ("f5 g5", "h5") };
        let [near, far, last, behind] = [1, 2, 3, 4].map(|steps| from_e5(direction, steps));
        let run = format!("{} {}", named(near), named(far));
        let last = if end == '.' { String::new() } else { named(last) };
        let behind = if is_inner(behind) { named(behind) } else { String::new() };
        let white = format!("{anchor} {behind}");
        let mut game = Match::at(board(&[('X', &format!("{good} {run}")), ('O', &white), (end, &last)], "O 0 0"));
        game.play("e5");
        let white = format!("{white} e5 {good}");
        assert_eq!(game.position_text(), board(&[('X', &run), ('O', &white), (end, &last)], "X 0 0"));
    }
}

#[test]
fn mape_7_an_empty_cell_ends_a_run_without_a_flip() {
    assert_no_flip('.');
}

#[test]
fn mape_7_a_bonus_ends_a_run_without_a_flip() {
    assert_no_flip('+');
}

#[test]
fn mape_7_a_wall_ends_a_run_without_a_flip() {
    assert_no_flip('#');
}

#[test]
fn mape_7_the_border_without_a_joker_ends_a_run_without_a_flip() {
    for direction in DIRECTIONS {
        let good = if direction == (0, 1) { ("d5", "c5") } else { ("f5", "g5") };
        let run: Vec<String> =
            (1..5).map(|steps| from_e5(direction, steps)).filter(|&at| is_inner(at)).map(named).collect();
        let run = run.join(" ");
        let mut game = Match::at(board(&[('O', &format!("{run} {}", good.0)), ('X', good.1)], "X 0 0"));
        game.play("e5");
        let black = format!("e5 {} {}", good.0, good.1);
        assert_eq!(game.position_text(), board(&[('O', &run), ('X', &black)], "O 0 0"));
    }
}

#[test]
fn mape_7_a_run_does_not_go_on_at_the_other_edge() {
    // The new disc, the white disc at the edge, and the black disc where a row-by-row numbering would go on; then a
    // move that is always there.
    for (placed, edge, wrapped, spare) in [
        ("g1", "h1", "a2", "c7 d7 e7"),
        ("b2", "a2", "h1", "c7 d7 e7"),
        ("g1", "h2", "a4", "c7 d7 e7"),
        ("b1", "a2", "h2", "c7 d7 e7"),
        ("b8", "a7", "h5", "c2 d2 e2"),
        ("g8", "h7", "a7", "c2 d2 e2"),
    ] {
        let [own, other, to] = [&spare[..2], &spare[3..5], &spare[6..]];
        let position = board(&[('X', &format!("{wrapped} {own}")), ('O', &format!("{edge} {other}"))], "X 0 0");
        assert_eq!(Match::at(&position).legal(), [to], "{placed}");
    }
}

#[test]
fn mape_7_a_run_starts_next_to_the_new_disc() {
    let game = Match::at(board(&[('X', "e1 a8"), ('O', "c1 d1 b8")], "X 0 0"));
    assert_eq!(game.legal(), ["b1", "c8"]);
}

#[test]
fn mape_7_a_flip_does_not_flip_on() {
    // d4 is flipped from a4; the run d5 that then lies between d4 and d6 stays.
    let mut game = Match::at(board(&[('X', "e4 d6"), ('O', "b4 c4 d4 d5")], "X 0 0"));
    game.play("a4");
    assert_eq!(game.position_text(), board(&[('X', "a4 b4 c4 d4 e4 d6"), ('O', "d5")], "O 0 0"));
}

#[test]
fn mape_8_a_joker_ends_a_run_on_every_border_cell_from_every_side() {
    let mut lines = 0;
    for (row, column) in (0..10).flat_map(|row| (0..10).map(move |column| (row, column))) {
        for (down, right) in DIRECTIONS {
            let step = |steps: isize| {
                let at = (row + down * steps, column + right * steps);
                (usize::try_from(at.0).unwrap_or(9), usize::try_from(at.1).unwrap_or(9))
            };
            let joker = (row as usize, column as usize);
            if is_inner(joker) || !is_inner(step(1)) || !is_inner(step(2)) {
                continue;
            }
            let [joker, run, placed] = [joker, step(1), step(2)].map(named);
            let mut game = Match::at(board(&[('J', &joker), ('O', &run)], "X 0 0"));
            let cell = game.legal().concat();
            assert_eq!(place(&cell), step(2), "joker on {joker}");
            game.play(&cell);
            assert_eq!(game.position_text(), board(&[('J', &joker), ('X', &format!("{run} {placed}"))], "O 0 0"));
            lines += 1;
        }
    }
    // Eight straight lines and twelve diagonals from each side, and a diagonal from each corner.
    assert_eq!(lines, 4 * 8 + 4 * 12 + 4);
}

#[test]
fn mape_8_a_corner_joker_serves_its_diagonal_only() {
    for (joker, corner, placed, beside) in [
        ("0,0", "a1", "b2", "b1 a2"),
        ("0,9", "h1", "g2", "g1 h2"),
        ("9,0", "a8", "b7", "b8 a7"),
        ("9,9", "h8", "g7", "g8 h7"),
    ] {
        let diagonal = Match::at(board(&[('J', joker), ('O', corner)], "X 0 0"));
        assert_eq!(diagonal.legal(), [placed]);
        let others = Match::at(board(&[('J', joker), ('O', beside)], "X 0 0"));
        assert!(others.is_over(), "a joker on {joker} serves {beside}");
    }
}

#[test]
fn mape_8_a_run_of_seven_reaches_a_joker() {
    for (placed, run, joker) in [
        ("a4", "b4 c4 d4 e4 f4 g4 h4", "4,9"),
        ("h4", "g4 f4 e4 d4 c4 b4 a4", "4,0"),
        ("d1", "d2 d3 d4 d5 d6 d7 d8", "9,4"),
        ("d8", "d7 d6 d5 d4 d3 d2 d1", "0,4"),
        ("a1", "b2 c3 d4 e5 f6 g7 h8", "9,9"),
        ("h8", "g7 f6 e5 d4 c3 b2 a1", "0,0"),
        ("h1", "g2 f3 e4 d5 c6 b7 a8", "9,0"),
        ("a8", "b7 c6 d5 e4 f3 g2 h1", "0,9"),
    ] {
        let mut game = Match::at(board(&[('J', joker), ('O', run)], "X 0 0"));
        assert_eq!(game.legal(), [placed]);
        game.play(placed);
        assert_eq!(game.position_text(), board(&[('J', joker), ('X', &format!("{placed} {run}"))], "O 0 0"));
    }
}

#[test]
fn mape_8_a_joker_alone_makes_no_move_legal() {
    // a1 to c1 are next to jokers; the one move flips d8.
    let game = Match::at(board(&[('J', "0,0 0,1 0,2 0,3 1,0 2,0"), ('X', "c8"), ('O', "d8")], "X 0 0"));
    assert_eq!(game.legal(), ["e8"]);
}

#[test]
fn mape_8_a_joker_behind_own_discs_or_a_gap_helps_nobody() {
    let own = board(&[('J', "1,9"), ('X', "h1 c8"), ('O', "d8")], "X 0 0");
    assert_eq!(Match::at(&own).legal(), ["e8"]);
    let gap = board(&[('J', "1,9"), ('O', "g1 d8"), ('X', "c8")], "X 0 0");
    assert_eq!(Match::at(&gap).legal(), ["e8"]);
}

#[test]
fn mape_8_a_joker_serves_both_colours_and_stays() {
    let mut game = Match::at(board(&[('J', "1,0"), ('O', "a1")], "X 0 0"));
    game.play("b1");
    assert_eq!(game.position_text(), board(&[('J', "1,0"), ('X', "a1 b1")], "O 0 0"));
    game.play("c1");
    assert_eq!(game.position_text(), board(&[('J', "1,0"), ('O', "a1 b1 c1")], "X 0 0"));
    game.play("d1");
    assert_eq!(game.position_text(), board(&[('J', "1,0"), ('X', "a1 b1 c1 d1")], "O 0 0"));
}

#[test]
fn mape_8_a_joker_never_scores() {
    let game = Match::at(board(&[('J', "0,0 0,9 9,0 9,9"), ('X', "d4"), ('O', "g4")], "X 0 0"));
    assert!(game.is_over());
    assert_eq!(game.score(), [1, 1]);
}

#[test]
fn mape_9_a_disc_on_a_bonus_takes_it_for_good() {
    let mut game = Match::at(board(&[('J', "1,0"), ('X', "a1"), ('O', "b1"), ('+', "c1 h8")], "X 0 0"));
    game.play("c1");
    assert_eq!(game.position_text(), board(&[('J', "1,0"), ('X', "a1 b1 c1"), ('+', "h8")], "O 1 0"));
    assert_eq!(game.score(), [3 + 3, 0]);
    // White turns all three discs over, the one on the bonus too: black keeps its three points.
    game.play("d1");
    assert_eq!(game.position_text(), board(&[('J', "1,0"), ('O', "a1 b1 c1 d1"), ('+', "h8")], "X 1 0"));
    assert_eq!(game.score(), [3, 4]);
}

#[test]
fn mape_9_each_colour_takes_its_own() {
    let mut game = Match::at(board(&[('X', "a1 b8"), ('O', "b1 a8"), ('+', "c1 c8")], "X 0 0"));
    game.play("c1; c8");
    assert_eq!(game.position_text(), board(&[('X', "a1 b1 c1"), ('O', "a8 b8 c8")], "X 1 1"));
    assert_eq!(game.score(), [3 + 3, 3 + 3]);
}

#[test]
fn mape_10_a_player_without_a_move_passes() {
    let mut game = Match::at(board(&[('O', "a1"), ('X', "b1")], "X 0 0"));
    assert_eq!(game.legal(), ["pass"]);
    assert_eq!(game.to_act(), Some(BLACK));
    game.play("pass");
    assert_eq!(game.position_text(), board(&[('O', "a1"), ('X', "b1")], "O 0 0"));
    assert_eq!((game.to_act(), game.legal()), (Some(WHITE), vec!["c1".to_owned()]));
}

#[test]
fn mape_10_black_may_have_to_pass_first() {
    let mut game = Match::new(&walled(WHITE_WINS));
    assert_eq!(game.legal(), ["pass"]);
    game.play("pass; e6");
    assert_eq!(game.legal(), ["pass"]);
    game.play("pass; c3");
    assert_eq!(game.position_text(), board(&[('#', WHITE_WINS), ('O', "c3 d4 e4 d5 e5 e6")], "X 0 0"));
}

#[test]
fn mape_10_a_player_with_a_move_may_not_pass() {
    let game = Match::new(r#"{"setup": "fixed"}"#);
    assert!(game.refusal("pass").contains("MAPE-10"));
}

#[test]
fn mape_11_the_game_ends_at_once_when_neither_can_move() {
    let mut game = Match::at(board(&[('O', "a1"), ('X', "b1")], "O 0 0"));
    game.play("c1");
    assert!(game.is_over());
    assert!(game.legal().is_empty());
    assert!(game.refusal("pass").contains("over"));
}

#[test]
fn mape_11_the_game_ends_with_discs_of_both_and_cells_left() {
    let mut game = Match::new(&walled(BLACK_WINS));
    assert_eq!(game.legal(), ["c5", "d6"]);
    game.play("c5");
    assert_eq!(game.position_text(), board(&[('#', BLACK_WINS), ('X', "d4 c5 d5 e5"), ('O', "e4")], "O 0 0"));
    assert!(game.is_over());
}

#[test]
fn mape_11_a_full_board_ends_the_game() {
    let rows = (2..=8).flat_map(|row| (1..=8).map(move |column| named((row, column))));
    let black = rows.collect::<Vec<_>>().join(" ") + " h1";
    let mut game = Match::at(board(&[('X', &black), ('O', "b1 c1 d1 e1 f1 g1")], "X 0 0"));
    game.play("a1");
    assert!(game.is_over());
    assert_eq!((game.score(), game.result()), ([64, 0], [1, -1]));
}

#[test]
fn mape_12_the_score_is_discs_and_three_a_bonus() {
    let game = Match::at(board(&[('X', "a1 a2 a3"), ('O', "h8")], "X 1 2"));
    assert_eq!(game.score(), [3 + 3, 1 + 6]);
}

#[test]
fn mape_12_the_higher_score_wins() {
    let black = Match::at(board(&[('X', "a1 a2"), ('O', "h8")], "X 0 0"));
    assert_eq!(black.result(), [1, -1]);
    let white = Match::at(board(&[('X', "a1 a2"), ('O', "h8")], "X 0 1"));
    assert_eq!(white.result(), [-1, 1]);
}

#[test]
fn mape_12_equal_scores_are_a_draw() {
    let game = Match::at(board(&[('X', "a1 a2 a3 a4"), ('O', "h8")], "X 0 1"));
    assert!(game.is_over());
    assert_eq!((game.score(), game.result()), ([4, 4], [0, 0]));
    assert!(game.rules.returns(&game.state).iter().all(|earned| earned.is_sign_positive()), "-0 is no result");
}

// Setting up

#[test]
fn mape_13_a_list_and_a_text_give_the_same_set_up() {
    let listed = Match::new(&fixed(RULEBOOK, ""));
    let rows = board(&RULEBOOK, "X 0 0");
    let text = |text: &str| serde_json::json!({"setup": "fixed", "board": text}).to_string();
    assert_eq!(Match::new(&text(&rows)).state, listed.state);
    assert_eq!(Match::new(&text(&listed.position_text())).state, listed.state, "with the opening discs shown");
}

#[test]
fn mape_13_cells_have_three_spellings() {
    let spelt = |wall: &str| Match::new(&format!(r#"{{"setup": "fixed", "walls": [{wall}]}}"#)).position_text();
    let expected = opened(&[('#', "c2")]);
    for wall in [r#""c2""#, r#""C2""#, r#""2,3""#, "[2, 3]"] {
        assert_eq!(spelt(wall), expected, "{wall}");
    }
}

#[test]
fn mape_13_errors_name_the_option_the_value_and_what_is_allowed() {
    for (pieces, words) in [
        (r#""walls": ["d4"]"#, ["walls", "d4", "centre"]),
        (r#""bonuses": [[5, 5]]"#, ["bonuses", "5,5", "centre"]),
        (r#""jokers": ["0,0", "0,1", "0,2", "0,3", "0,4", "0,5", "0,6", "0,7", "0,8"]"#, ["jokers", "9", "at most 8"]),
        (r#""walls": ["c3", "c3"]"#, ["walls", "c3", "twice"]),
        (r#""walls": ["c3", "3,3"]"#, ["walls", "3,3", "twice"]),
        (r#""walls": ["c3"], "bonuses": ["c3"]"#, ["bonuses", "3,3", "one piece a cell"]),
        (r#""jokers": ["c3"]"#, ["jokers", "c3", "border"]),
        (r#""jokers": [[3, 3]]"#, ["jokers", "3,3", "border"]),
        (r#""walls": ["i9"]"#, ["walls", "i9", "a1 to h8"]),
        (r#""jokers": ["0,10"]"#, ["jokers", "0,10", "0 to 9"]),
        (r#""jokers": 4"#, ["jokers", "4", "list of cells"]),
    ] {
        assert_refused(&format!(r#"{{"setup": "fixed", {pieces}}}"#), &words);
    }
}

#[test]
fn mape_13_a_set_up_belongs_to_the_option_fixed() {
    assert_refused(r#"{"walls": ["c3"]}"#, &["walls", "fixed"]);
    assert_refused(r#"{"setup": "free", "jokers": ["0,4"]}"#, &["jokers", "fixed"]);
    assert_refused(r#"{"walls": [2, 4]}"#, &["walls = [2, 4]", "free"]);
    assert_refused(r#"{"setup": "fixed", "walls": [2, 4]}"#, &["walls = [2, 4]", "list of cells"]);
    assert_refused(r#"{"setup": "othello", "bonuses": 2}"#, &["bonuses", "fixed"]);
    assert_refused(r#"{"setup": "random", "board": "x"}"#, &["board", "fixed"]);
    assert_refused(r#"{"setup": "fixed", "walls": ["c3"], "board": "x"}"#, &["walls", "board"]);
}

#[test]
fn mape_13_the_text_shows_discs_on_the_centre_only() {
    let stray = board(&[('X', "d4 e5 b3"), ('O', "e4 d5")], "X 0 0");
    let options = serde_json::json!({"setup": "fixed", "board": stray}).to_string();
    assert_refused(&options, &["row 3", "column 2", "centre"]);
}

#[test]
fn mape_13_a_set_up_without_a_first_move_is_refused() {
    assert_refused(&walled(ALL_FIRST_MOVES), &["walls", "move"]);
    // One move of white's is enough.
    assert_eq!(Match::new(&walled(WHITE_WINS)).legal(), ["pass"]);
}

#[test]
fn mape_14_four_of_each_piece_are_drawn() {
    for rows in drawn("{}", 0, 100) {
        assert_eq!(['#', '+', 'J', 'X', 'O'].map(|symbol| count(&rows, symbol)), [4, 4, 4, 2, 2]);
    }
}

#[test]
fn mape_14_the_numbers_can_be_given() {
    for (walls, bonuses, jokers) in [(0, 0, 0), (8, 8, 8), (1, 2, 3), (7, 0, 5)] {
        for symmetry in ["none", "diagonal"] {
            let options = serde_json::json!({
                "walls": walls, "bonuses": bonuses, "jokers": jokers, "symmetry": symmetry
            });
            for rows in drawn(&options.to_string(), 1, 20) {
                assert_eq!(['#', '+', 'J'].map(|symbol| count(&rows, symbol)), [walls, bonuses, jokers]);
            }
        }
    }
}

#[test]
fn mape_14_half_a_turn_maps_the_board_onto_itself() {
    let options = r#"{"symmetry": "rotate", "walls": 6, "bonuses": 4, "jokers": 8}"#;
    for rows in drawn(options, 2, 100) {
        let turned: Vec<Vec<char>> = rows.iter().rev().map(|row| row.iter().rev().copied().collect()).collect();
        assert_eq!(rows, turned);
    }
}

#[test]
fn mape_14_the_diagonal_maps_the_board_onto_itself() {
    let options = r#"{"symmetry": "diagonal", "walls": 5, "bonuses": 3, "jokers": 7}"#;
    for rows in drawn(options, 3, 100) {
        let mirrored: Vec<Vec<char>> = (0..10).map(|row| (0..10).map(|column| rows[column][row]).collect()).collect();
        assert_eq!(rows, mirrored);
    }
}

#[test]
fn mape_14_half_a_turn_needs_even_numbers() {
    for pieces in ["walls", "bonuses", "jokers"] {
        assert_refused(&format!(r#"{{"symmetry": "rotate", "{pieces}": 3}}"#), &[pieces, "3", "even"]);
    }
}

#[test]
fn mape_14_a_seed_gives_one_set_up() {
    assert_eq!(drawn("{}", 7, 20), drawn("{}", 7, 20));
    let boards = drawn("{}", 7, 20);
    for (lane, rows) in boards.iter().enumerate() {
        assert!(!boards[..lane].contains(rows), "two lanes with one board");
    }
    assert_ne!(boards, drawn("{}", 8, 20));
}

#[test]
fn mape_14_every_cell_is_as_likely() {
    let boards = drawn("{}", 9, 6000);
    let on = |row: usize, column: usize, symbol| boards.iter().filter(|rows| rows[row][column] == symbol).count();
    for (row, column) in (0..10).flat_map(|row| (0..10).map(move |column| (row, column))) {
        let is_centre = (4..6).contains(&row) && (4..6).contains(&column);
        // 4 of 60 inner cells, 4 of 36 border cells; five standard deviations.
        let expected = match (is_inner((row, column)), is_centre) {
            (_, true) => [0..1, 0..1, 0..1],
            (true, false) => [304..497, 304..497, 0..1],
            (false, _) => [0..1, 0..1, 545..789],
        };
        for (symbol, range) in ['#', '+', 'J'].into_iter().zip(expected) {
            let count = on(row, column, symbol);
            assert!(range.contains(&count), "{symbol} on {row},{column}: {count} times");
        }
    }
}

/// One in 27,405 of these set-ups has walls on all the cells of the first moves.
#[test]
fn mape_14_a_set_up_without_a_first_move_is_drawn_again() {
    let lanes = 100_000;
    let options = r#"{"symmetry": "rotate", "walls": 8, "bonuses": 0, "jokers": 0}"#;
    let mut batch = Batch::new(rules(options), &Config { num_lanes: lanes, ..Config::default() }).unwrap();
    let mut buffers = batch.buffers();
    batch.observe(None, buffers.rows()).unwrap();
    assert!(buffers.status.iter().all(|&status| status == Status::Running as u8));
    // A lane whose first game was over at once would be in a later episode.
    assert!((0..lanes).all(|lane| batch.to_match(lane).unwrap().address().episode == 0));
}

#[test]
fn mape_15_the_set_up_is_played_then_a_colour_picked_then_the_game() {
    let mut game = Match::new(r#"{"setup": "free"}"#);
    assert_eq!(game.moment(), (Phase::SetUp, Some(0)));
    game.play("wall f4");
    assert_eq!(game.moment(), (Phase::SetUp, Some(0)), "seat 0 goes on");
    game.play("bonus c5; joker 0,4; finish");
    assert_eq!(game.moment(), (Phase::Colour, Some(1)));
    assert_eq!(game.legal(), ["black", "white"]);
    game.play("white");
    assert_eq!(game.moment(), (Phase::Play, Some(0)));
    assert_eq!(game.position_text(), opened(&[('#', "f4"), ('+', "c5"), ('J', "0,4")]));
    assert_eq!(game.legal(), ["e3", "c5", "d6"]);
    game.play("c5");
    assert_eq!((game.to_act(), game.score()), (Some(1), [4 + 3, 1]));
}

#[test]
fn mape_15_the_other_player_picks_the_colour() {
    let colours = |pick: &str| {
        let game = Match::new(r#"{"setup": "free"}"#).play("finish").play(pick).clone();
        let view = game.state.view(None);
        [Colour::Black, Colour::White].map(|colour| view.seat(colour).unwrap().index())
    };
    assert_eq!(colours("black"), [1, 0]);
    assert_eq!(colours("white"), [0, 1]);
}

#[test]
fn mape_15_the_order_of_the_pieces_does_not_matter() {
    let after = |actions: &str| Match::new(r#"{"setup": "free"}"#).play(actions).state.clone();
    let one = after("wall c3; bonus f6; joker 0,4; wall a1; joker 9,9");
    assert_eq!(after("joker 9,9; joker 0,4; wall a1; wall c3; bonus f6"), one);
    assert_eq!(after("bonus f6; wall a1; joker 9,9; wall c3; joker 0,4"), one);
}

#[test]
fn mape_15_by_default_the_set_up_may_be_empty() {
    let empty = Match::new(r#"{"setup": "free"}"#).play("finish; black").clone();
    assert_eq!(empty.position_text(), opened(&[]));
    let nothing = Match::new(r#"{"setup": "free", "walls": 0, "bonuses": 0, "jokers": [0, 0]}"#);
    assert_eq!(nothing.legal(), ["finish"]);
}

#[test]
fn mape_15_an_exact_number_is_placed_before_the_set_up_is_finished() {
    let mut game = Match::new(r#"{"setup": "free", "walls": 2, "bonuses": 0, "jokers": 1}"#);
    assert_names(&game.refusal("finish"), &["walls 2, bonuses 0, jokers 1", "MAPE-15"]);
    game.play("wall a1; joker 0,4");
    assert_names(&game.refusal("finish"), &["walls 1, bonuses 0, jokers 0", "MAPE-15"]);
    game.play("wall h8");
    assert_eq!(game.legal(), ["finish"]);
}

#[test]
fn mape_15_a_pair_is_the_least_and_the_most() {
    let mut game = Match::new(r#"{"setup": "free", "walls": [1, 2], "bonuses": 0, "jokers": 0}"#);
    let json = |game: &Match| {
        let view = game.rules.view(&game.state, Viewer::Everything);
        [&view["left"]["wall"], &view["missing"]["wall"]].map(|number| number.as_u64().unwrap())
    };
    assert_eq!((game.legal_pieces(), json(&game)), ([60, 0, 0], [2, 1]));
    assert_names(&game.refusal("finish"), &["walls 1", "MAPE-15"]);
    game.play("wall a1");
    assert_eq!((game.legal_pieces(), json(&game)), ([59, 0, 0], [1, 0]));
    assert_eq!(game.after("finish").moment(), (Phase::Colour, Some(1)));
    game.play("wall h8");
    assert_eq!(game.legal(), ["finish"]);
}

#[test]
fn mape_15_numbers_that_the_board_cannot_hold_are_refused() {
    let options = |walls: &str, bonuses: &str| {
        format!(r#"{{"setup": "free", "size": 4, "walls": {walls}, "bonuses": {bonuses}}}"#)
    };
    assert_refused(&options("8", "5"), &["walls = 8", "bonuses = 5", "12 cells"]);
    assert_refused(&options("[5, 8]", "8"), &["walls = 5", "bonuses = 8", "12 cells"]);
    assert_eq!(Match::new(&options("[0, 8]", "8")).legal_pieces(), [12, 12, 0]);
}

#[test]
fn mape_15_each_decision_has_its_time() {
    let mut game = Match::new(r#"{"setup": "free"}"#);
    for early in ["c5", "pass", "black"] {
        assert!(game.refusal(early).contains("MAPE-15"), "{early}");
    }
    game.play("finish");
    for other in ["wall c3", "bonus c3", "joker 0,4", "finish", "c5", "pass"] {
        assert!(game.refusal(other).contains("MAPE-15"), "{other}");
    }
    game.play("black");
    for late in ["wall c3", "bonus c3", "joker 0,4", "finish", "white"] {
        assert!(game.refusal(late).contains("MAPE-15"), "{late}");
    }
}

#[test]
fn mape_15_a_wall_on_the_last_cell_of_a_first_move_is_refused() {
    let (others, last) = ALL_FIRST_MOVES.rsplit_once(' ').unwrap();
    let mut game = Match::new(r#"{"setup": "free"}"#);
    game.play(set_up(others, "").strip_suffix(";finish").unwrap());
    assert_names(&game.refusal(&format!("wall {last}")), &["first move", "MAPE-15"]);
    assert_eq!(game.legal_pieces(), [52, 53, 36], "a wall anywhere else, a bonus there too");
    game.play("finish; black");
    assert_eq!((game.moment().0, game.legal().len()), (Phase::Play, 1));
}

#[test]
fn mape_15_a_piece_that_takes_the_room_of_others_is_refused() {
    // Beside the eight cells of the first moves, the fourth corner alone is left for the last of eight walls.
    let mut game = Match::new(r#"{"setup": "free", "size": 4, "walls": 8, "bonuses": [3, 8], "jokers": 0}"#);
    game.play("bonus c3; bonus f3; bonus c6");
    assert_names(&game.refusal("bonus f6"), &["first move", "MAPE-15"]);
    assert_eq!(game.legal_pieces(), [9, 8, 0]);
    // With a bonus on a cell of a first move, all the others take walls.
    game.play(set_up("c4 f4 c5 f5 d6 e6 e3 f6", "d3").strip_suffix(";finish").unwrap());
    assert_eq!(game.legal(), ["finish"]);
}

#[test]
fn mape_16_othello_has_no_pieces() {
    for rows in drawn(r#"{"setup": "othello"}"#, 0, 10) {
        assert_eq!(['#', '+', 'J', '.'].map(|symbol| count(&rows, symbol)), [0, 0, 0, 96]);
    }
    let rules = rules(r#"{"setup": "othello"}"#);
    assert_eq!(rules.actions().size(), 65);
}

/// The shortest game of Othello in which black takes everything.
#[test]
fn mape_16_the_shortest_game_of_othello() {
    let mut game = Match::new(r#"{"setup": "othello"}"#);
    assert_eq!(game.legal(), ["d3", "c4", "f5", "e6"]);
    game.play("e6; f4; e3; f6; g5; d6; e7; f5; c5");
    assert_eq!(game.position_text(), board(&[('X', "e3 d4 e4 f4 c5 d5 e5 f5 g5 d6 e6 f6 e7")], "O 0 0"));
    assert!(game.is_over());
    assert_eq!((game.score(), game.result()), ([13, 0], [1, -1]));
}

#[test]
fn mape_17_the_text_of_a_position_comes_back() {
    let text = "\
....J.....
.#.+..+.#.
......#...
J+#.X....J
J..XOX....
...OX...+.
.+.....#.J
J..#......
.#.+...+#.
...J...J..
X 0 0";
    assert_eq!(Match::at(text).position_text(), text);
}

#[test]
fn mape_17_a_position_plays_on_as_the_game_it_was_taken_from() {
    let mut game = Match::new(&fixed(RULEBOOK, ""));
    let mut choice = rng(4);
    while !game.is_over() {
        let mut copy = Match::at(game.position_text());
        assert_eq!((copy.legal(), copy.to_act()), (game.legal(), game.to_act()));
        let legal = game.legal();
        let action = &legal[choice.below(legal.len() as u64) as usize];
        game.play(action);
        assert_eq!((copy.play(action).position_text(), copy.result()), (game.position_text(), game.result()));
    }
}

#[test]
fn mape_17_the_last_row_has_the_side_and_the_bonuses_taken() {
    let game = Match::at(board(&OPENING, "O 2 3"));
    let view = game.state.view(None);
    assert_eq!((view.turn(), view.taken(), game.to_act()), (Colour::White, [2, 3], Some(WHITE)));
    assert_eq!(game.score(), [2 + 6, 2 + 9]);
}

#[test]
fn mape_17_an_error_has_row_and_column() {
    for (symbol, cell) in [('?', "0,0"), ('x', "1,8"), ('J', "8,3"), ('#', "4,4"), ('+', "5,5"), ('*', "9,9")] {
        assert_malformed(&board(&[(symbol, cell)], "X 0 0"), place(cell));
    }
    let whole = opened(&[]);
    let rows: Vec<&str> = whole.lines().collect();
    assert_malformed(&rows[..7].join("\n"), (7, 0));
    let shortened = |row: usize| [&rows[..row], &[&rows[row][..6]], &rows[row + 1..]].concat().join("\n");
    for row in 0..10 {
        assert_malformed(&shortened(row), (row, 6));
    }
}

#[test]
fn mape_17_the_side_to_move_is_in_row_ten() {
    for tail in ["", "Z 0 0", "black 0 0", "X", "X 0", "X 0 0 0", "X 9 0", "X 0 -1", "X a b", "X 5 4"] {
        let text = board(&OPENING, tail);
        match rules("{}").parse_position(&text) {
            Err(Error::Position { row, .. }) => assert_eq!(row, 10, "{tail:?}"),
            other => panic!("{tail:?}: {other:?}"),
        }
    }
    // Eight bonuses in all: seven on the board leave one to have been taken.
    let seven = [OPENING[0], OPENING[1], ('+', "a1 a2 a3 a4 a5 a6 a7")];
    assert_eq!(Match::at(board(&seven, "X 0 1")).position_text(), board(&seven, "X 0 1"));
    assert!(rules("{}").parse_position(&board(&seven, "X 1 1")).is_err());
}

#[test]
fn mape_17_othello_boards_are_read() {
    let rows = ["........", "........", "........", "...OX...", "...XO...", "........", "........", "........"];
    let expected = Match::new(r#"{"setup": "othello"}"#);
    for text in [rows.concat() + " X", rows.concat().replace('.', "-") + " X", rows.join("\n") + "\nX"] {
        assert_eq!(Match::of(r#"{"setup": "othello"}"#, &text).state, expected.state, "{text}");
    }
    let white = Match::at(rows.concat() + " O");
    assert_eq!(white.position_text(), board(&[('O', "d4 e5"), ('X', "e4 d5")], "O 0 0"));
}

#[test]
fn mape_17_errors_of_othello_boards_have_row_and_column() {
    let mut cells = ".".repeat(64);
    assert_malformed(&cells[..20], (3, 5));
    cells.replace_range(35..36, "#");
    assert_malformed(&(cells + " X"), (5, 4));
    assert!(matches!(rules("{}").parse_position(&(".".repeat(64) + " Z")), Err(Error::Position { .. })));
}

#[test]
fn mape_17_seat_0_plays_black() {
    let options = r#"{"setup": "free"}"#;
    for (side, seat) in [("X 0 0", 0), ("O 0 0", 1)] {
        let position = board(&OPENING, side);
        assert_eq!(Match::at(&position).to_act(), Some(seat));
        assert_eq!(Match::of(options, &position).to_act(), Some(seat));
    }
}

#[test]
fn mape_17_a_set_up_in_progress_comes_back_with_the_same_legal_actions() {
    let options = r#"{"setup": "free", "walls": [2, 3], "jokers": 1}"#;
    let mut game = Match::new(options);
    for action in ["wall c3", "joker 0,4", "bonus f6", "wall a1", "finish"] {
        game.play(action);
        let copy = Match::of(options, game.position_text());
        assert_eq!((copy.moment(), copy.legal()), (game.moment(), game.legal()), "{action}");
        assert_eq!(copy.state, game.state);
    }
    let pieces = [('#', "a1 c3"), ('+', "f6"), ('J', "0,4")];
    assert_eq!(game.position_text(), board(&[&pieces[..], &OPENING].concat(), "colour"));
    // In a later game of a match, the text says as little of the games before as that of any position.
    let second =
        Match::new(r#"{"setup": "free", "games": 2}"#).after(&set_up(BLACK_WINS, "")).after("white; c5; wall c3");
    let copy = Match::of(r#"{"setup": "free", "games": 2}"#, second.position_text());
    assert_eq!((second.to_act(), copy.to_act()), (Some(1), Some(0)));
    assert_eq!(copy.legal(), second.legal());
}

#[test]
fn mape_17_a_set_up_in_progress_is_refused_where_it_could_not_be() {
    let refused =
        |options: &str, pieces: &[(char, &str)], tail: &str, at: (usize, usize), words: &[&str]| match rules(options)
            .parse_position(&board(pieces, tail))
        {
            Err(Error::Position { row, column, message }) => {
                assert_eq!((row, column), at, "{message}");
                assert_names(&message, words);
            }
            other => panic!("{other:?} with {options}"),
        };
    let with = |pieces: &[(char, &'static str)]| [pieces, &OPENING].concat();
    let free = r#"{"setup": "free"}"#;
    refused("{}", &OPENING, "set-up", (10, 0), &["free", "MAPE-15"]);
    refused(free, &with(&[('X', "b3")]), "set-up", (3, 2), &["four discs", "MAPE-4"]);
    refused(free, &[('X', "d4 e5"), ('O', "e4")], "colour", (5, 4), &["four discs", "MAPE-4"]);
    refused(free, &with(&[('#', ALL_FIRST_MOVES)]), "set-up", (10, 0), &["MAPE-15"]);
    let two = r#"{"setup": "free", "walls": 2}"#;
    refused(two, &with(&[('#', "a1 a2 a3")]), "set-up", (10, 0), &["MAPE-15"]);
    refused(two, &with(&[('#', "a1")]), "colour", (10, 0), &["MAPE-15"]);
    assert_eq!(Match::of(two, board(&with(&[('#', "a1 a2")]), "colour")).legal(), ["black", "white"]);
}

#[test]
fn mape_17_a_position_in_which_nobody_can_move_is_a_finished_game() {
    let game = Match::at(board(&[('X', "a1"), ('O', "h8 h7")], "X 0 0"));
    assert_eq!((game.to_act(), game.result()), (None, [-1, 1]));
}

// Match

#[test]
fn mape_18_colours_alternate_on_one_set_up() {
    let pieces = [('#', BLACK_WINS), ('+', "c5"), ('J', "0,0")];
    let mut game = Match::new(&fixed(pieces, r#", "games": 3"#));
    let first = game.position_text();
    assert_eq!(first, opened(&pieces));
    for (number, black) in [(0, 0), (1, 1), (2, 0)] {
        assert_eq!((game.state.view(None).game(), game.to_act()), (number, Some(black)));
        assert_eq!(game.position_text(), first, "the bonus is back");
        game.play("c5");
    }
    assert!(game.is_over());
}

#[test]
fn mape_18_a_drawn_set_up_serves_the_whole_match() {
    let mut game = Match::new(r#"{"games": 2}"#);
    let first = game.position_text();
    while game.state.view(None).game() == 0 {
        let action = game.legal()[0].clone();
        game.play(&action);
    }
    assert_eq!((game.position_text(), game.to_act()), (first, Some(1)));
}

#[test]
fn mape_18_in_free_play_the_set_up_player_alternates() {
    let mut game = Match::new(r#"{"setup": "free", "games": 3}"#);
    for set_up_seat in [0, 1, 0] {
        assert_eq!(game.moment(), (Phase::SetUp, Some(set_up_seat)));
        assert_eq!(game.position_text(), board(&OPENING, "set-up"), "a new board");
        game.play(&set_up(BLACK_WINS, "a1"));
        assert_eq!(game.moment(), (Phase::Colour, Some(1 - set_up_seat)));
        game.play("white; c5");
    }
    assert!(game.is_over());
}

#[test]
fn mape_18_all_games_are_played_when_the_match_is_decided() {
    // White, seat 1, has won the first game; seat 1 wins the second as black; there is a third all the same.
    let finished = board(&[('#', BLACK_WINS), ('X', "a1"), ('O', "h8 h7")], "X 0 0");
    let mut game = Match::of(r#"{"games": 3}"#, &finished);
    game.play("c5");
    assert_eq!(game.state.view(None).wins(), [0, 2]);
    assert_eq!((game.to_act(), game.result()), (Some(0), [0, 0]));
    game.play("c5");
    assert!(game.is_over());
    assert_eq!((game.state.view(None).wins(), game.result()), ([1, 2], [-1, 1]));
}

#[test]
fn mape_18_after_a_position_the_pieces_of_its_text_are_played_on() {
    // The bonus on c5 is still there, one more was taken and is not.
    let pieces = [('#', BLACK_WINS), ('+', "c5"), ('J', "0,5")];
    let position = board(&[&pieces[..], &[('X', "a1"), ('O', "h8")]].concat(), "X 1 0");
    let game = Match::of(r#"{"games": 2}"#, &position);
    assert_eq!(game.position_text(), opened(&pieces));
    assert_eq!((game.state.view(None).game(), game.to_act()), (1, Some(1)));
    assert_eq!((game.state.view(None).wins(), game.state.view(None).points()), ([1, 0], [4, 1]));
}

#[test]
fn mape_19_most_games_won_decides_the_match_against_the_points() {
    let mut game = Match::new(r#"{"setup": "free", "games": 3}"#);
    // Seat 1 picks white and wins by 6 discs and 2 bonuses to nothing.
    game.play(&set_up(WHITE_WINS, "e6 c3")).play("white; pass; e6; pass; c3");
    assert_eq!(game.state.view(None).points(), [0, 12]);
    // Seat 0 is black twice and wins by 4 to 1.
    game.play(&set_up(BLACK_WINS, "")).play("black; c5");
    game.play(&set_up(BLACK_WINS, "")).play("white; c5");
    let view = game.state.view(None);
    assert_eq!((view.wins(), view.points()), ([2, 1], [8, 14]));
    assert_eq!((game.is_over(), game.result()), (true, [1, -1]));
}

#[test]
fn mape_19_the_difference_in_points_decides_when_wins_are_equal() {
    // Seat 0 has won by 8 to 1; seat 1 wins the second game by 4 to 1.
    let finished = board(&[('#', BLACK_WINS), ('X', "a1 b1 c1 d1 e1 f1 g1 h1"), ('O', "h8")], "X 0 0");
    let game = Match::of(r#"{"games": 2}"#, &finished).play("c5").clone();
    let view = game.state.view(None);
    assert_eq!((view.wins(), view.points()), ([1, 1], [9, 5]));
    assert_eq!((game.is_over(), game.result()), (true, [1, -1]));
    assert_names(&game.text(None), &["seat 0", "wins", "won 1:1, points 9:5"]);
    // The same with a first game won by 2 to 1.
    let finished = board(&[('#', BLACK_WINS), ('X', "a1 b1"), ('O', "h8")], "X 0 0");
    assert_eq!(Match::of(r#"{"games": 2}"#, &finished).play("c5").result(), [-1, 1]);
}

#[test]
fn mape_19_equal_wins_and_points_are_a_drawn_match() {
    let options = fixed([('#', BLACK_WINS), ('+', ""), ('J', "")], r#", "games": 2"#);
    let game = Match::new(&options).play("c5; c5").clone();
    let view = game.state.view(None);
    assert_eq!((view.wins(), view.points()), ([1, 1], [5, 5]));
    assert_eq!((game.is_over(), game.result()), (true, [0, 0]));
}

#[test]
fn mape_19_a_drawn_game_is_won_by_nobody() {
    let drawn = board(&[('X', "a1"), ('O', "h8")], "X 0 0");
    let mut game = Match::of(r#"{"setup": "free", "games": 2}"#, &drawn);
    assert_eq!((game.moment(), game.state.view(None).wins()), ((Phase::SetUp, Some(1)), [0, 0]));
    game.play(&set_up(BLACK_WINS, "")).play("black; c5");
    assert_eq!((game.is_over(), game.result()), (true, [1, -1]));
}

// The rulebook's worked example

/// The text of a board of some size whose surroundings are walls, with these pieces in it.
fn smaller(size: usize, pieces: &[(char, &str)], tail: &str) -> String {
    let gap = (8 - size) / 2;
    let is_played = |at: usize| (1 + gap..9 - gap).contains(&at);
    let inner = (1..9).flat_map(|row| (1..9).map(move |column| (row, column)));
    let around = inner.filter(|&(row, column)| !is_played(row) || !is_played(column)).map(named);
    let around = around.collect::<Vec<_>>().join(" ");
    board(&[pieces, &[('#', around.as_str())]].concat(), tail)
}

#[test]
fn mape_20_the_middle_is_played_on_with_walls_around() {
    for size in [6, 4] {
        let game = Match::new(&format!(r#"{{"setup": "othello", "size": {size}}}"#));
        assert_eq!(game.position_text(), smaller(size, &[('O', "d4 e5"), ('X', "e4 d5")], "X 0 0"));
        assert_eq!(game.legal(), ["d3", "c4", "f5", "e6"]);
    }
    let whole = Match::new(r#"{"setup": "othello", "size": 8}"#);
    assert_eq!(whole.position_text(), Match::new(r#"{"setup": "othello"}"#).position_text());
    let game = Match::new(r#"{"setup": "othello", "size": 4}"#).after("d3");
    assert_names(&game.refusal("d2"), &["wall"]);
    // They end a run without a flip (MAPE-7).
    let end = Match::of(r#"{"size": 4}"#, smaller(4, &[('O', "d5 e5 f5"), ('X', "d4")], "X 0 0"));
    assert_eq!(end.legal(), ["d6", "f6"]);
}

#[test]
fn mape_20_the_walls_around_are_nobodys_pieces() {
    let mut game = Match::new(r#"{"setup": "free", "size": 4}"#);
    assert_eq!(game.legal_pieces(), [12, 12, 0]);
    game.play(&set_up("c3 d3 e3 f3 c4 f4 c5 f5", "c6 d6").replace("finish", "bonus e6"));
    assert_eq!(game.legal_pieces(), [0, 1, 0]);
    assert_eq!(
        game.rules.view(&game.state, Viewer::Everything)["left"],
        serde_json::json!({"wall": 0, "bonus": 5, "joker": 0})
    );
    assert_names(&game.refusal("wall f6"), &["MAPE-2"]);
    assert_names(&game.refusal("wall a1"), &["MAPE-2"]);
    assert_names(&game.refusal("bonus a1"), &["MAPE-3"]);
    assert_names(&game.refusal("joker 0,4"), &["MAPE-2"]);
    game.play("bonus f6; finish; white");
    assert_eq!(game.moment(), (Phase::Play, Some(BLACK)));
    // The next game of a match has the same surroundings.
    let options = r#"{"setup": "othello", "size": 6, "games": 2}"#;
    let next = Match::of(options, smaller(6, &[('X', "d4 e5"), ('O', "d5")], "X 0 0")).after("d6");
    assert_eq!(next.position_text(), smaller(6, &[('O', "d4 e5"), ('X', "e4 d5")], "X 0 0"));
}

#[test]
fn mape_20_fewer_pieces_are_drawn() {
    for (size, walls, bonuses) in [(8, 4, 4), (6, 2, 2), (4, 1, 1)] {
        for rows in drawn(&format!(r#"{{"size": {size}}}"#), 5, 50) {
            assert_eq!(count(&rows, '#'), 64 - size * size + walls);
            assert_eq!((count(&rows, '+'), count(&rows, 'J')), (bonuses, if size == 8 { 4 } else { 0 }));
        }
    }
    for rows in drawn(r#"{"size": 4, "symmetry": "rotate"}"#, 5, 5) {
        assert_eq!((count(&rows, '#'), count(&rows, '+')), (48, 0));
    }
    for rows in drawn(r#"{"size": 4, "walls": 8, "bonuses": 4}"#, 5, 20) {
        assert_eq!((count(&rows, '#'), count(&rows, '+')), (56, 4));
    }
    assert_refused(r#"{"size": 4, "walls": 8, "bonuses": 5}"#, &["walls = 8", "bonuses = 5", "12 cells", "MAPE-20"]);
}

#[test]
fn mape_20_the_sizes_are_eight_six_and_four() {
    for size in [0, 2, 3, 5, 7, 9, 10, 255] {
        assert_refused(&format!(r#"{{"size": {size}}}"#), &[&format!("size = {size}"), "8, 6 or 4", "MAPE-20"]);
    }
}

#[test]
fn mape_20_a_smaller_board_has_no_jokers() {
    assert_refused(r#"{"size": 6, "jokers": 2}"#, &["jokers", "size = 6", "MAPE-20"]);
    assert_refused(r#"{"size": 4, "setup": "fixed", "jokers": ["0,4"]}"#, &["jokers", "size = 4", "MAPE-20"]);
    rules(r#"{"size": 6, "jokers": 0}"#);
    rules(r#"{"size": 6, "setup": "fixed", "jokers": []}"#);
    for cell in ["a1", "2,1", "h8"] {
        for name in ["walls", "bonuses"] {
            let options = format!(r#"{{"size": 6, "setup": "fixed", "{name}": ["{cell}"]}}"#);
            assert_refused(&options, &[name, cell, "6 rows", "MAPE-20"]);
        }
    }
}

#[test]
fn mape_20_a_text_shows_walls_all_around() {
    let pieces = [('X', "d4 e5"), ('O', "e4 d5"), ('#', "c3 f6"), ('+', "c6")];
    let text = smaller(4, &pieces, "O 1 0");
    assert_eq!(Match::of(r#"{"size": 4}"#, &text).position_text(), text);
    let set_up = smaller(4, &pieces, "X 0 0");
    let options = serde_json::json!({"size": 4, "setup": "fixed", "board": set_up}).to_string();
    assert_eq!(Match::new(&options).position_text(), set_up);

    let refused = |size: usize, text: &str, at: (usize, usize)| match rules(&format!(r#"{{"size": {size}}}"#))
        .parse_position(text)
    {
        Err(Error::Position { row, column, message }) => assert_eq!((row, column), at, "{message}"),
        other => panic!("{other:?} instead of a complaint about\n{text}"),
    };
    refused(6, &opened(&[]), (1, 1));
    refused(4, &smaller(6, &OPENING, "X 0 0"), (2, 2));
    refused(6, &smaller(4, &OPENING, "X 0 0"), (4, 2));
    refused(6, &smaller(6, &[('J', "0,4")], "X 0 0"), (0, 4));
    refused(8, &smaller(6, &OPENING, "X 0 0"), (2, 1));
    for symbol in ['X', '+', '.'] {
        let mut rows: Vec<String> = smaller(6, &OPENING, "X 0 0").lines().map(str::to_owned).collect();
        rows[8].replace_range(3..4, &symbol.to_string());
        refused(6, &rows.join("\n"), (8, 3));
    }
}

#[test]
fn mape_20_othello_boards_have_as_many_characters_as_cells() {
    let options = r#"{"setup": "othello", "size": 4}"#;
    let rows = ["....", ".OX.", ".XO.", "...."];
    for text in [rows.concat() + " X", rows.join("\n") + "\nX"] {
        assert_eq!(Match::of(options, text).state, Match::new(options).state);
    }
    let message = rules(options).parse_position(&rows.concat()[..9]).unwrap_err().to_string();
    assert_names(&message, &["row 5", "column 4", "16 cells", "got 9"]);
    assert!(rules(options).parse_position(&(".".repeat(64) + " X")).is_err());
}

#[test]
fn mape_e1_white_flips_to_a_disc_and_to_a_joker() {
    let pieces = [
        ('#', "1,1 1,8 2,6 3,2 6,7 7,3 8,1 8,8"),
        ('+', "1,3 1,6 3,1 3,8 5,8 6,1 8,3 8,7"),
        ('J', "0,4 3,0 3,9 4,0 6,9 7,0 9,3 9,7"),
    ];
    let with = |white, black, tail| board(&[pieces[0], pieces[1], pieces[2], ('O', white), ('X', black)], tail);
    let before = with("3,5 4,4", "3,6 4,5 4,6 4,8 5,4 5,5 5,6 5,7 6,5 6,6 7,6", "O 0 0");
    let mut game = Match::at(&before);
    game.play("e7");
    let after = with("3,5 4,4 7,5 6,5 5,5 4,5 6,6 5,7 4,8", "3,6 4,6 5,4 5,6 7,6", "X 0 0");
    assert_eq!(game.position_text(), after);
}

#[test]
fn mape_e2_the_full_set_up_is_legal() {
    let expected = opened(&RULEBOOK);
    let given = Match::new(&fixed(RULEBOOK, ""));
    assert_eq!(given.position_text(), expected);
    assert_eq!(given.legal(), ["e3", "f4", "c5", "d6"]);

    let mut played = Match::new(r#"{"setup": "free"}"#);
    for (kind, (_, cells)) in ["wall", "bonus", "joker"].into_iter().zip(RULEBOOK) {
        for cell in cells.split_whitespace() {
            played.play(&format!("{kind} {cell}"));
        }
    }
    assert_eq!(played.play("finish; white").position_text(), expected);
}
