//! What the greedy agent thinks of an action in Mapello.
//!
//! Discs that can never be flipped back are worth most, then leaving the other player few moves, above all none onto
//! such cells; bonuses count their points; discs count only near the end.

use std::sync::atomic::AtomicBool;

use super::alphabeta::AlphaBeta;
use super::board::{Cell, dead_ends, flips, moves};
use super::rules::{Action, BONUS, Colour, Mapello, Phase, State, usual_pieces};
use super::solve::solve;
use crate::agents::{Agent, Call};
use crate::bits;
use crate::error::Error;
use crate::game::{Heuristic, Rules as _, Solution, Viewer};
use crate::rng::{Origin, Purpose, Rng};

/// A line through a cell along which its disc can never be flipped.
const SAFE_LINE: i32 = 6;
/// A disc that can never be flipped.
const SAFE_DISC: i32 = 60;
/// A move of the other player.
const REPLY: i32 = -8;
/// A move of the other player onto a cell where its disc would be safe for good.
const SAFE_REPLY: i32 = -45;
/// A point of a bonus.
const POINT: i32 = 10;
/// A disc of lead, once so few cells are left.
const DISC: i32 = 6;
const NEAR_THE_END: u32 = 10;
/// A game won at once.
pub(super) const VICTORY: i32 = 100_000;

impl Heuristic for Mapello {
    const LEARNED: &'static [u8] = include_bytes!("learned.safetensors");
    const OWN_AGENTS: &'static [&'static str] = &["alphabeta(depth=6)"];

    fn own_agent(call: &mut Call) -> Option<Result<Box<dyn Agent<Self>>, Error>> {
        (call.name() == "alphabeta").then(|| {
            let depth = call.number("depth", 1..=60)?.unwrap_or(6);
            let endgame = call.number("endgame", 0..=60)?.unwrap_or(12);
            Ok(Box::new(AlphaBeta { depth, endgame }) as Box<dyn Agent<Self>>)
        })
    }

    fn solve_depth(&self, state: &State) -> Option<u32> {
        let view = state.view(Viewer::Everything);
        let [black, white] = view.discs();
        let taken = black | white | view.walls();
        (view.phase() == Phase::Play).then(|| taken.count_zeros())
    }

    fn solve(&self, state: &State, stop: &AtomicBool) -> Result<Solution<Action>, Error> {
        let view = state.view(Viewer::Everything);
        match view.phase() {
            Phase::Play => solve(view, stop).ok_or(Error::Stopped),
            Phase::Over => Err(Error::Solve("the match is over".to_owned())),
            Phase::SetUp | Phase::Colour => Err(Error::Solve("the board is still being set up (MAPE-15)".to_owned())),
        }
    }

    fn value(&self, state: &State, action: Action) -> i32 {
        match action {
            Action::Disc(cell) => judge_disc(state, cell),
            Action::Take(colour) => i32::from(self.likely_winner(state) == colour),
            Action::Pass => 0,
            Action::Wall(_) | Action::Bonus(_) | Action::Joker(_) | Action::Finish => self.judge_set_up(state, action),
        }
    }
}

fn judge_disc(state: &State, cell: Cell) -> i32 {
    let view = state.view(Viewer::Everything);
    let me = view.turn() as usize;
    let discs = view.discs();
    let (own, other) = (discs[me], discs[1 - me]);
    let flipped = flips(cell, own, other, view.jokers());
    let (own, other) = (own | flipped | cell.bit(), other & !flipped);
    let free = !(own | other | view.walls());
    let replies = moves(other, own, free, view.jokers());
    let bonus = BONUS as i32 * i32::from(view.bonuses() & cell.bit() != 0);

    let taken = view.taken().map(i32::from);
    let lead = own.count_ones() as i32 - other.count_ones() as i32 + BONUS as i32 * (taken[me] - taken[1 - me]) + bonus;
    if replies == 0 && moves(own, other, free, view.jokers()) == 0 {
        return VICTORY * lead.signum() + lead;
    }
    let lines = dead_ends(view.walls(), view.jokers());
    let safe = lines.iter().fold(u64::MAX, |safe, line| safe & line);
    let safe_lines = lines.iter().filter(|&line| line & cell.bit() != 0).count() as i32;
    let mut value = SAFE_LINE * safe_lines + REPLY * replies.count_ones() as i32 + POINT * bonus;
    value += SAFE_DISC * i32::from(safe & cell.bit() != 0);
    value += SAFE_REPLY * (replies & safe).count_ones() as i32;
    value -= POINT * BONUS as i32 / 2 * (replies & view.bonuses()).count_ones() as i32;
    if free.count_ones() <= NEAR_THE_END {
        value += DISC * lead;
    }
    value
}

impl Mapello {
    /// The other player picks the colour, so a fair board is best: a half-turn's image for every piece.
    fn judge_set_up(&self, state: &State, action: Action) -> i32 {
        let view = state.view(Viewer::Everything);
        let turned = |Cell(n): Cell| 63 - n;
        let lone = |set: u64| set & !set.reverse_bits();
        let ring = view.jokers().ring();
        let turned_ring = (ring << 18 | ring >> 18) & ((1 << 36) - 1);
        let lone_jokers = ring & !turned_ring;
        let pieces = (view.walls() & !self.outside()).count_ones() + view.bonuses().count_ones() + ring.count_ones();
        let enough = usual_pieces(self.options().size).iter().sum::<u8>();
        let twin = |set: u64, bit: u64| 2 * i32::from(lone(set).reverse_bits() & bit != 0);
        match action {
            Action::Wall(cell) if view.bonuses() & 1 << turned(cell) == 0 => twin(view.walls(), cell.bit()),
            Action::Bonus(cell) if view.walls() & 1 << turned(cell) == 0 => twin(view.bonuses(), cell.bit()),
            Action::Joker(cell) => 2 * i32::from((lone_jokers << 18 | lone_jokers >> 18) & cell.bit() != 0),
            Action::Finish => i32::from(pieces >= enough.into()),
            _ => -1,
        }
    }

    /// Who wins this game if both sides follow the judgement above, ties of judgement to the first cell.
    fn likely_winner(&self, state: &State) -> Colour {
        let mut state = state.clone();
        let mut rng = Rng::new(Origin { seed: 0, lane: 0 }, 0, Purpose::Game);
        let game = state.view(Viewer::Everything).game();
        self.apply(&mut state, Action::Take(Colour::Black), &mut rng);
        let mut score = state.view(Viewer::Everything).score();
        while state.view(Viewer::Everything).phase() == Phase::Play && state.view(Viewer::Everything).game() == game {
            score = state.view(Viewer::Everything).score();
            let cell = bits::each(state.view(Viewer::Everything).moves())
                .map(Cell)
                .max_by_key(|&cell| judge_disc(&state, cell));
            self.apply(&mut state, cell.map_or(Action::Pass, Action::Disc), &mut rng);
        }
        if state.view(Viewer::Everything).phase() == Phase::Over {
            score = state.view(Viewer::Everything).score();
        }
        if score[0] >= score[1] { Colour::Black } else { Colour::White }
    }
}

#[cfg(test)]
mod tests {
    use crate::games::mapello::board::{CENTRE, Jokers, dead_ends};

    #[test]
    fn without_pieces_the_corners_alone_are_safe() {
        let safe = dead_ends(0, &Jokers::default()).iter().fold(u64::MAX, |safe, line| safe & line);
        assert_eq!(safe, 0x8100_0000_0000_0081);
        assert_eq!(safe & CENTRE, 0);
    }
}
