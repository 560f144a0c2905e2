//! What may be set up, and why an action is refused.

use super::super::board::{Border, CENTRE, Cell};
use super::options::RING;
use super::{Action, Mapello, Phase, State};
use crate::bits;
use crate::game::Refusal;

impl Mapello {
    /// Appends the pieces that may be placed, and the end of the set-up if it may be finished (MAPE-15).
    pub(super) fn legal_set_up(&self, state: &State, out: &mut Vec<Action>) {
        let Some(agreed) = self.agreed() else { return };
        let board = self.board(state);
        let left = agreed.left(&board);
        let room = [board.room(self.options.size), RING & !board.jokers];
        let open = |kind: usize, cells: u64| bits::each(if left[kind] > 0 { cells } else { 0 });
        let walls = open(0, room[0]).map(|n| Action::Wall(Cell(n)));
        let bonuses = open(1, room[0]).map(|n| Action::Bonus(Cell(n)));
        let jokers = open(2, room[1]).map(|n| Action::Joker(Border(n)));
        let pieces = walls.chain(bonuses).chain(jokers);
        let is_at_ease = agreed.is_at_ease(&board, &self.options);
        out.extend(pieces.filter(|&piece| is_at_ease || agreed.is_in_reach(&board.with(piece), &self.options)));
        if agreed.missing(&board) == [0; 3] {
            out.push(Action::Finish);
        }
    }

    /// Why an action is not legal; nothing about one that is.
    #[cold]
    pub(super) fn objection(&self, state: &State, action: Action) -> Option<Refusal> {
        let (clause, reason) = match (state.phase, action) {
            (Phase::Over, _) => ("", "the match is over"),
            (Phase::Play, Action::Disc(cell)) => return state.objection_to_disc(cell),
            (Phase::Play, Action::Pass) if state.moves == 0 => return None,
            (Phase::Play, Action::Pass) => ("MAPE-10", "a player with a move may not pass"),
            (Phase::Play, Action::Take(_)) => ("MAPE-15", "there is no colour to pick now"),
            (Phase::Play, _) => ("MAPE-15", "the set-up is finished"),
            (Phase::SetUp, _) => return self.objection_to_set_up(state, action),
            (Phase::Colour, Action::Take(_)) => return None,
            (Phase::Colour, _) => ("MAPE-15", "a colour has to be picked first"),
        };
        Some(Refusal::new(clause, reason))
    }

    /// Why a piece may not be placed there, or the set-up not be finished (MAPE-2, MAPE-3, MAPE-15).
    fn objection_to_set_up(&self, state: &State, action: Action) -> Option<Refusal> {
        let Some(agreed) = self.agreed() else { return Some(Refusal::new("MAPE-15", "the set-up is finished")) };
        let board = self.board(state);
        let room = board.room(self.options.size);
        let [walls_left, bonuses_left, jokers_left] = agreed.left(&board);
        let (left, is_free) = match action {
            Action::Wall(cell) | Action::Bonus(cell) if cell.bit() & CENTRE != 0 => {
                return Some(Refusal::new("MAPE-3", "the four centre squares take no piece"));
            }
            Action::Wall(cell) => (walls_left, cell.bit() & room != 0),
            Action::Bonus(cell) => (bonuses_left, cell.bit() & room != 0),
            Action::Joker(cell) => (jokers_left, cell.bit() & board.jokers == 0),
            Action::Disc(_) | Action::Pass => return Some(Refusal::new("MAPE-15", "the board is still being set up")),
            Action::Take(_) => return Some(Refusal::new("MAPE-15", "there is no colour to pick now")),
            Action::Finish => return objection_to_finish(agreed.missing(&board)),
        };
        if left == 0 {
            Some(Refusal::new("MAPE-2", "no such piece is left to place"))
        } else if !is_free {
            Some(Refusal::new("MAPE-3", "one piece a cell"))
        } else if agreed.is_in_reach(&board.with(action), &self.options) {
            None
        } else {
            Some(Refusal::new("MAPE-15", "after it no set-up as agreed would leave anybody a first move"))
        }
    }
}

impl State {
    /// Why no disc may be placed on a cell (MAPE-6).
    fn objection_to_disc(&self, cell: Cell) -> Option<Refusal> {
        let is_on = |cells: u64| cells & cell.bit() != 0;
        let reason = if is_on(self.moves) {
            return None;
        } else if is_on(self.own | self.other) {
            "there is a disc on that cell"
        } else if is_on(self.walls) {
            "there is a wall on that cell"
        } else {
            "a disc there would flip nothing"
        };
        Some(Refusal::new("MAPE-6", reason))
    }
}

/// Why a set-up cannot be finished while so many walls, bonuses and jokers are missing (MAPE-15).
fn objection_to_finish(missing: [u8; 3]) -> Option<Refusal> {
    let [walls, bonuses, jokers] = missing;
    let reason = || format!("still to be placed: walls {walls}, bonuses {bonuses}, jokers {jokers}");
    (missing != [0; 3]).then(|| Refusal::new("MAPE-15", reason()))
}
