//! Perfect play and looking ahead in Mapello, held against nothing but the rules.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use adjoin::agents::{Agent as _, Greedy};
use adjoin::game::{Rules as _, Show as _, Solution};
use adjoin::games::mapello::{Action, AlphaBeta, Colour, Mapello, Phase, State, solve};

use crate::table::{self, rng};

/// Every kind of board.
const BOARDS: [&str; 11] = [
    r"{}",
    r#"{"walls": 8, "bonuses": 8, "jokers": 8}"#,
    r#"{"walls": 0, "bonuses": 8, "jokers": 8}"#,
    r#"{"walls": 8, "bonuses": 2, "jokers": 0}"#,
    r#"{"walls": 6, "bonuses": 0, "jokers": 8, "symmetry": "rotate"}"#,
    r#"{"walls": 2, "bonuses": 6, "jokers": 6, "symmetry": "diagonal"}"#,
    r#"{"setup": "fixed", "walls": ["c3", "h8"], "bonuses": ["a1", "b2"], "jokers": ["0,0", "0,9", "9,0", "9,9"]}"#,
    r#"{"setup": "free"}"#,
    r#"{"setup": "othello"}"#,
    r#"{"size": 6, "walls": 3, "bonuses": 4}"#,
    r#"{"size": 4, "bonuses": 2}"#,
];

/// Positions 40 to 44 of the FFO endgame test: the best first moves, and the discs that the side to move wins by.
const FFO: [(&str, &[&str], i32); 5] = [
    ("O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X", &["a2"], 38),
    ("-OOOOO----OOOOX--OOOOOO-XXXXXOO--XXOOX--OOXOXX----OXXO---OOO--O- X", &["h4"], 0),
    ("--OOO-------XX-OOOOOOXOO-OOOOXOOX-OOOXXO---OOXOO---OOOXO--OOOO-- X", &["g2"], 6),
    ("--XXXXX---XXXX---OOOXX---OOXXXX--OOXXXO-OOOOXOO----XOX----XXXXX- O", &["g3", "c7"], -12),
    ("--O-X-O---O-XO-O-OOXXXOOOOOOXXXOOOOOXX--XXOOXO----XXXX-----XXX-- O", &["d2", "b8"], -14),
];

/// Endgames to compare.
const NUM_ENDGAMES: usize = 500;
/// How many free cells they have, in turn.
const FREE: [u32; 9] = [8, 3, 5, 9, 6, 4, 8, 7, 10];

type Match = table::Match<Mapello>;

impl Match {
    /// Plays at random until so few cells are free, or the game is over.
    fn play_down_to(mut self, free: u32) -> Self {
        while !self.is_over() && (self.state.view(None).phase() != Phase::Play || num_free(&self.state) > free) {
            self.play_random();
        }
        self
    }

    fn play_random(&mut self) {
        let legal = self.legal();
        let chosen = self.rng.below(legal.len() as u64) as usize;
        self.play(&legal[chosen]);
    }

    fn solve(&self) -> Solution<Action> {
        solve(self.state.view(None), &AtomicBool::new(false)).unwrap()
    }

    /// The line in notation.
    fn line(&self, solved: &Solution<Action>) -> Vec<String> {
        solved.line.iter().map(|&action| self.rules.notation(action)).collect()
    }

    /// What the agent plays with these bits of chance.
    fn choice(&self, agent: &AlphaBeta, random: u64, stop: bool) -> String {
        let action = agent.choose(&self.rules, &self.state, random, &AtomicBool::new(stop), &mut Vec::new());
        self.rules.notation(action)
    }
}

/// Cells on which a disc could still be placed.
fn num_free(state: &State) -> u32 {
    let view = state.view(None);
    let [black, white] = view.discs();
    (!(black | white | view.walls())).count_ones()
}

/// 1 if black is to move, -1 if white is.
fn sign(state: &State) -> i32 {
    if state.view(None).turn() == Colour::Black { 1 } else { -1 }
}

/// Points that black leads by.
fn lead(state: &State) -> i32 {
    let [black, white] = state.view(None).score();
    black as i32 - white as i32
}

/// Points that black wins by under perfect play, by trying everything.
fn worth(rules: &Mapello, state: &State) -> i32 {
    let mut actions = Vec::new();
    rules.legal_actions(state, &mut actions);
    let worths = actions.iter().map(|&action| {
        let mut next = state.clone();
        rules.apply(&mut next, action, &mut rng(0));
        worth(rules, &next)
    });
    let best = if state.view(None).turn() == Colour::Black { worths.max() } else { worths.min() };
    best.unwrap_or_else(|| lead(state))
}

#[test]
fn a_solved_endgame_is_worth_what_trying_everything_finds() {
    let mut compared = [0; 11];
    let mut passes = 0;
    for seed in 0.. {
        let number = compared.iter().sum::<usize>();
        if number == NUM_ENDGAMES {
            break;
        }
        let mut game =
            Match::seeded(BOARDS[seed as usize % BOARDS.len()], seed).play_down_to(FREE[number % FREE.len()]);
        if game.is_over() {
            continue;
        }
        compared[num_free(&game.state) as usize] += 1;
        let black_wins_by = worth(&game.rules, &game.state);
        let solved = game.solve();
        assert_eq!(solved.score, sign(&game.state) * black_wins_by, "{}", game.position_text());
        for action in game.line(&solved) {
            passes += usize::from(action == "pass");
            game.play(&action);
            assert_eq!(worth(&game.rules, &game.state), black_wins_by, "{action} to\n{}", game.position_text());
        }
        assert!(game.is_over(), "{}", game.position_text());
        assert_eq!(lead(&game.state), black_wins_by);
    }
    assert!(compared[8..].iter().sum::<usize>() * 3 >= NUM_ENDGAMES, "{compared:?}");
    assert!(passes > 0);
}

#[test]
fn known_endgames_of_othello_are_solved() {
    for (position, best, score) in &FFO {
        let game = Match::at(position);
        let solved = game.solve();
        assert_eq!(solved.score, *score, "{position}");
        let line = game.line(&solved);
        assert!(best.contains(&line[0].as_str()), "{line:?}");
        let end = game.after(&line.join(";"));
        assert!(end.is_over());
        assert_eq!(lead(&end.state), sign(&game.state) * score);
    }
}

#[test]
fn othello_on_four_by_four_is_won_by_white_with_11_to_3() {
    let game = Match::new(r#"{"setup": "othello", "size": 4}"#);
    let solved = game.solve();
    assert_eq!((solved.score, worth(&game.rules, &game.state)), (-8, -8));
    assert_eq!(game.after(&game.line(&solved).join(";")).state.view(None).score(), [3, 11]);
}

#[test]
fn who_cannot_move_passes_first() {
    let walls = r#"{"setup": "fixed", "walls": ["d3", "e3", "c4", "f4", "c5", "f5", "d6", "f6"]}"#;
    let game = Match::new(walls);
    let solved = game.solve();
    assert_eq!(game.line(&solved), ["pass", "e6", "pass", "c3"]);
    assert_eq!(solved.score, -6);
}

#[test]
fn the_line_ends_with_the_game_on_free_cells() {
    let walls = r#"{"setup": "fixed", "walls": ["e3", "f3", "c4", "f4", "f5", "c6", "e6"]}"#;
    let solved = Match::new(walls).solve();
    assert_eq!((solved.line.len(), solved.score), (1, 3));
}

#[test]
fn a_finished_game_has_an_empty_line() {
    let over = Match::new(r#"{"setup": "othello"}"#).play_down_to(0);
    let solved = over.solve();
    assert!(over.is_over() && solved.line.is_empty());
    assert_eq!(solved.score, sign(&over.state) * lead(&over.state));
}

#[test]
fn the_line_ends_with_the_game_and_not_with_the_match() {
    let mut game = Match::seeded(r#"{"games": 2}"#, 5).play_down_to(8);
    let (mine, solved) = (sign(&game.state), game.solve());
    game.play(&game.line(&solved).join(";"));
    let view = game.state.view(None);
    assert_eq!(view.game(), 1);
    let [black, white] = view.points().map(i32::from);
    assert_eq!(solved.score, mine * (black - white));
}

#[test]
fn bonuses_taken_before_count() {
    let rows = "..........\n.XOOOOOO..\n".to_owned() + &"..........\n".repeat(8);
    let scores = ["X 0 0", "X 2 0", "X 0 3"].map(|tail| Match::at(format!("{rows}{tail}")).solve().score);
    assert_eq!(scores, [8, 14, -1]);
}

#[test]
fn nothing_is_solved_once_stopped() {
    for free in [2, 8, 40] {
        let game = Match::new("{}").play_down_to(free);
        assert_eq!(solve(game.state.view(None), &AtomicBool::new(true)), None);
    }
}

#[test]
fn what_would_take_for_ever_stops_when_told() {
    let game = Match::new("{}");
    let agent = AlphaBeta { depth: 60, endgame: 0 };
    let stop = AtomicBool::new(false);
    let (solved, action) = thread::scope(|scope| {
        let solved = scope.spawn(|| solve(game.state.view(None), &stop));
        let action = scope.spawn(|| agent.choose(&game.rules, &game.state, 0, &stop, &mut Vec::new()));
        thread::sleep(Duration::from_millis(50));
        stop.store(true, Ordering::Relaxed);
        (solved.join().unwrap(), action.join().unwrap())
    });
    assert_eq!(solved, None);
    assert_eq!(game.rules.check(&game.state, action), Ok(()));
}

#[test]
fn the_agent_that_looks_ahead_plays_by_the_rules_and_the_same_again() {
    for (seed, board) in BOARDS.iter().enumerate() {
        let mut game = Match::seeded(board, seed as u64);
        while !game.is_over() {
            let agent = AlphaBeta { depth: game.rng.below(5) as u32, endgame: 8 };
            let random = game.rng.bits();
            let choice = game.choice(&agent, random, false);
            assert_eq!(choice, game.choice(&agent, random, false));
            let legal = game.legal();
            assert!(legal.contains(&game.choice(&AlphaBeta { depth: 60, endgame: 60 }, random, true)));
            game.play(&choice);
        }
    }
}

#[test]
fn the_agent_that_looks_ahead_plays_the_end_perfectly() {
    for seed in 0..20 {
        let game = Match::seeded(BOARDS[seed as usize % BOARDS.len()], seed).play_down_to(9);
        if !game.is_over() {
            let best = worth(&game.rules, &game.state);
            let after = game.after(&game.choice(&AlphaBeta { depth: 1, endgame: 9 }, seed, false));
            assert_eq!(worth(&after.rules, &after.state), best);
        }
    }
}

#[test]
fn the_agent_that_looks_ahead_beats_the_greedy_one() {
    let agent = AlphaBeta { depth: 4, endgame: 8 };
    let won = (0..20).filter(|&number| {
        let mut game = Match::seeded("{}", number / 2);
        let mine = (number % 2) as usize;
        while let Some(seat) = game.to_act() {
            let random = game.rng.bits();
            let Match { rules, state, .. } = &game;
            let never = AtomicBool::new(false);
            let action = if seat == mine {
                agent.choose(rules, state, random, &never, &mut Vec::new())
            } else {
                Greedy.choose(rules, state, random, &never, &mut Vec::new())
            };
            game.rules.apply(&mut game.state, action, &mut game.rng);
        }
        game.returns()[mine] > 0.0
    });
    assert!(won.count() >= 16);
}
