//! Speed of the crate `magpie` at Othello: random playouts and perft, one thread.
//!
//! `magpie playout [--seconds S] [--repeats N]` and `magpie perft DEPTH [--repeats N]` each print
//! one JSON object on stdout. Build with `RUSTFLAGS="-C target-cpu=native"`.

use std::hint::black_box;
use std::process::ExitCode;
use std::time::Instant;

use magpie::othello::{Bitboard, Board, Position, Stone};

const VERSION: &str = "0.12.0";
const USAGE: &str = "usage: magpie playout [--seconds S] [--repeats N]
       magpie perft DEPTH [--repeats N]";

/// Leaves of the Othello tree from the start position, by depth from 1.
const PERFT: [u64; 12] =
    [4, 12, 56, 244, 1_396, 8_200, 55_092, 390_216, 3_005_288, 24_571_284, 212_258_800, 1_939_886_636];

/// The generator wyrand: one 64-bit number per call.
struct Wyrand(u64);

impl Wyrand {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0xa076_1d64_78bd_642f);
        let wide = u128::from(self.0) * u128::from(self.0 ^ 0xe703_7ed1_a0b4_28db);
        (wide >> 64) as u64 ^ wide as u64
    }

    /// A number in `0..bound`, uniform to within 2^-58 for `bound` up to 64.
    fn below(&mut self, bound: u8) -> usize {
        ((u128::from(self.next()) * u128::from(bound)) >> 64) as usize
    }
}

/// One of the positions set in `moves`, each equally likely; `moves` must not be empty.
fn choose(moves: Bitboard, rng: &mut Wyrand) -> Position {
    nth(moves, rng.below(moves.count_set()))
}

#[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
fn nth(moves: Bitboard, skip: usize) -> Position {
    // SAFETY: the whole program is compiled for processors with BMI2.
    let bit = unsafe { std::arch::x86_64::_pdep_u64(1 << skip, moves.raw()) };
    Position::try_from(bit).expect("a legal move")
}

#[cfg(not(all(target_arch = "x86_64", target_feature = "bmi2")))]
fn nth(moves: Bitboard, skip: usize) -> Position {
    moves.hot_bits().nth(skip).expect("a legal move")
}

/// Plays one uniform random game from the start position; returns the moves made.
fn playout(rng: &mut Wyrand) -> u64 {
    let mut board = Board::standard();
    let mut stone = Stone::Black;
    let mut made = 0;
    loop {
        let mut moves = board.moves_for(stone);
        if moves.is_empty() {
            stone = stone.flip();
            moves = board.moves_for(stone);
            if moves.is_empty() {
                black_box(&board);
                return made;
            }
        }
        board.play(stone, choose(moves, rng));
        stone = stone.flip();
        made += 1;
    }
}

/// Leaves `depth` plies below; a pass is a ply, a finished game a leaf, the last ply is counted.
fn perft(board: &Board, stone: Stone, passed: bool, depth: usize) -> u64 {
    let moves = board.moves_for(stone);
    if moves.is_empty() {
        if passed || depth == 1 {
            return 1;
        }
        return perft(board, stone.flip(), true, depth - 1);
    }
    if depth == 1 {
        return moves.count_set().into();
    }
    let child = |pos| {
        let mut next = board.clone();
        next.play(stone, pos);
        perft(&next, stone.flip(), false, depth - 1)
    };
    moves.hot_bits().map(child).sum()
}

/// Runs whole games for at least `seconds`; returns moves made per second.
fn time_playouts(rng: &mut Wyrand, seconds: f64) -> f64 {
    let start = Instant::now();
    let mut made = 0;
    loop {
        for _ in 0..1000 {
            made += playout(rng);
        }
        let elapsed = start.elapsed().as_secs_f64();
        if elapsed >= seconds {
            return made as f64 / elapsed;
        }
    }
}

/// Runs one perft and checks the count; returns leaves per second.
fn time_perft(depth: usize) -> f64 {
    let start = Instant::now();
    let leaves = perft(&Board::standard(), Stone::Black, false, black_box(depth));
    let elapsed = start.elapsed().as_secs_f64();
    assert_eq!(leaves, PERFT[depth - 1], "perft({depth})");
    leaves as f64 / elapsed
}

/// The value following `name` among `args`, else `default`; `None` when it cannot be read.
fn option<T: std::str::FromStr>(args: &[String], name: &str, default: T) -> Option<T> {
    match args.iter().position(|arg| arg == name) {
        Some(at) => args.get(at + 1)?.parse().ok(),
        None => Some(default),
    }
}

/// Does what the command line asks; returns the JSON to print, or `None` when it is not understood.
fn run(args: &[String]) -> Option<String> {
    let seconds: f64 = option(args, "--seconds", 0.5)?;
    let repeats: usize = option(args, "--repeats", 5)?;
    match args.first()?.as_str() {
        "playout" => {
            let mut rng = Wyrand(1);
            time_playouts(&mut rng, seconds.min(0.5)); // warm-up
            let rates: Vec<f64> = (0..repeats).map(|_| time_playouts(&mut rng, seconds)).collect();
            Some(format!(
                r#"{{"case": "magpie-playout", "peer": "magpie", "version": "{VERSION}", "lanes": 1, "threads": 1, "decisions_per_second": {rates:.0?}, "what": "whole uniform random games from the start, Board::moves_for + Board::play, wyrand; forced passes are not counted"}}"#
            ))
        }
        "perft" => {
            let depth: usize = args.get(1)?.parse().ok()?;
            let leaves = PERFT.get(depth.checked_sub(1)?)?;
            time_perft(depth.min(8)); // warm-up
            let rates: Vec<f64> = (0..repeats).map(|_| time_perft(depth)).collect();
            Some(format!(
                r#"{{"case": "magpie-perft-{depth}", "peer": "magpie", "version": "{VERSION}", "leaves": {leaves}, "leaves_per_second": {rates:.0?}, "what": "perft from the start on one thread, last ply counted from the move mask, a pass is a move"}}"#
            ))
        }
        _ => None,
    }
}

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match run(&args) {
        Some(json) => {
            println!("{json}");
            ExitCode::SUCCESS
        }
        None => {
            eprintln!("{USAGE}");
            ExitCode::FAILURE
        }
    }
}
