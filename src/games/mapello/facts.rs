//! What a player sees about an action in Mapello.
//!
//! A disc's row tells where it lies, what it flips, how the board looks afterwards to both sides, and what the other's
//! replies can do. A cell is **safe** if a disc there can never be flipped, whatever else lies on the board: beside it,
//! along every axis, is a wall or the border without a joker. A disc is **stable** if none can flip it any more.

use super::board::{Cell, Jokers, dead_ends, flips, moves};
use super::field::{Field, around, shut};
use super::rules::{Action, BONUS, Colour, Mapello, NUM_PIECES, Phase, Setup, Sides, State};
use crate::bits;
use crate::game::{Rules as _, Viewer};
use crate::layout::{Layout, Writer};

/// Cells by where they lie, a corner of the board turned to the top left and mirrored to its upper half.
const PLACES: &[&str] = &["a1", "b1", "c1", "d1", "b2", "c2", "d2", "c3", "d3", "d4"];
const LEFT: &[&str] = &["0", "1-4", "5-10", "11-20", "21-30", "31-45", "46 or more"];
const ENDS: &[&str] = &["won", "drawn", "lost"];
const SIDES: &[&str] = &["mine", "theirs"];
const KINDS: &[&str] = &["disc", "pass", "wall", "bonus", "joker", "finish", "colour"];

const FLIPS: u8 = 12;
const MOVES: u8 = 20;
const SAFE: u8 = 6;
const STABLE: u8 = 32;
const FRONTIER: u8 = 32;
const LEAD: u8 = 48;
/// From so many free cells on, the lead has a block of its own.
const LATE: u32 = 10;
const REGION: u8 = 24;

/// Facts about the set-up exist only where it is played.
pub(super) fn facts(setup: Setup) -> Layout {
    let kinds = if setup == Setup::Free { KINDS } else { &KINDS[..2] };
    let play = Layout::new()
        .flags("kind", &[kinds.len()], "what sort of action it is")
        .labelled(kinds.iter().copied())
        .flags("place", &[PLACES.len()], "where the cell lies on 8x8, as on its upper left corner: g7 is b2, h3 is c1")
        .labelled(PLACES.iter().copied())
        .counts("safe_lines", &[], 4, "axes along which a disc there can never be flipped: 4 in a corner, 1 on an edge")
        .flags("safe", &[], "the cell is safe: the same along all four")
        .flags("bonus", &[], "it takes a bonus")
        .counts("beside_safe", &[3], 3, "safe cells next to it: free, with own discs, with the other's")
        .labelled(["free", "mine", "theirs"])
        .counts("beside_free", &[], 8, "free cells next to it")
        .counts("beside_bonus", &[], 2, "bonuses next to it that nobody has taken")
        .counts("flips", &[], FLIPS, "discs flipped")
        .counts("flips_by_joker", &[], 6, "discs flipped that would stay without the jokers")
        .counts("moves_before", &[2], MOVES, "moves of each side on the board as it is")
        .labelled(SIDES.iter().copied())
        .counts("moves", &[2], MOVES, "moves of each side afterwards, if it were to move")
        .labelled(SIDES.iter().copied())
        .counts("safe_moves", &[2], SAFE, "such moves onto safe cells")
        .labelled(SIDES.iter().copied())
        .counts("bonus_moves", &[2], 3, "such moves onto bonuses")
        .labelled(SIDES.iter().copied())
        .counts("frontier", &[2], FRONTIER, "discs next to a free cell afterwards")
        .labelled(SIDES.iter().copied())
        .counts("stable", &[2], STABLE, "stable discs afterwards, as far as is easily seen")
        .labelled(SIDES.iter().copied())
        .counts("stable_gained", &[], 16, "own stable discs more than before")
        .counts("fewest_moves", &[], MOVES, "own moves after the reply that leaves fewest")
        .counts("fewest_safe_moves", &[], SAFE, "own moves onto safe cells after the reply that leaves fewest of them")
        .counts("flipped_back", &[], FLIPS, "discs that the reply which flips most flips")
        .flags("can_be_flipped", &[], "a reply flips the disc just placed")
        .flags("they_pass", &[], "the other has no reply, and the game goes on")
        .flags("ends", &[ENDS.len()], "it ends the game, with this result for the player; none if it does not")
        .labelled(ENDS.iter().copied())
        .counts("lead", &[], 2 * LEAD, "points ahead of the other afterwards, -48 to 48")
        .offset(LEAD)
        .counts("late_lead", &[], 2 * LEAD, "the same once at most 10 cells are free, 0 before")
        .offset(LEAD)
        .flags("left", &[LEFT.len()], "free cells afterwards")
        .labelled(LEFT.iter().copied())
        .flags("even", &[], "their number is even: the other can have the last of them")
        .counts("region", &[], REGION, "free cells connected with the cell, afterwards")
        .flags("region_even", &[], "their number is even")
        .counts("bonuses", &[], NUM_PIECES, "bonuses that nobody has taken, afterwards")
        .flags("black", &[], "the player has black");
    if setup != Setup::Free {
        return play;
    }
    play.flags("twin", &[], "the piece is the image by half a turn of one that had none")
        .flags("clash", &[], "another sort of piece lies on its image by half a turn")
        .counts("pieces", &[], 3 * NUM_PIECES, "pieces set up so far")
        .flags("takes", &[2], "the colour taken")
        .labelled(["black", "white"])
}

/// A game as the side to move sees it, whichever of its actions is asked about.
pub(super) struct Seen<'a> {
    own: u64,
    other: u64,
    walls: u64,
    bonuses: u64,
    jokers: &'a Jokers,
    /// For each axis, the cells whose disc can never be flipped along it.
    lines: [u64; 4],
    safe: u64,
    /// Moves of both sides.
    moves: [u64; 2],
    stable: usize,
    /// Points of bonuses that the side to move has more than the other.
    bonus_lead: i32,
    is_black: bool,
}

const fn count(cells: u64) -> usize {
    cells.count_ones() as usize
}

impl<'a> Seen<'a> {
    #[inline(always)]
    fn new(state: &'a State) -> Self {
        let view = state.view(Viewer::Everything);
        let (_, Sides { mine, theirs, taken, is_black }) = view.mover();
        let (walls, jokers) = (view.walls(), view.jokers());
        let lines = dead_ends(walls, jokers);
        let free = !(mine | theirs | walls);
        let mut seen = Self {
            own: mine,
            other: theirs,
            walls,
            bonuses: view.bonuses(),
            jokers,
            lines,
            safe: lines.iter().fold(!walls, |safe, line| safe & line),
            moves: [view.moves(), moves(theirs, mine, free, jokers)],
            stable: 0,
            bonus_lead: BONUS as i32 * (i32::from(taken[0]) - i32::from(taken[1])),
            is_black,
        };
        seen.stable = count(Field::stable(mine, seen.dead(free)));
        seen
    }

    /// For each axis, the cells whose disc cannot be flipped along it any more.
    #[inline(always)]
    fn dead(&self, free: u64) -> [u64; 4] {
        let shut = shut(free, self.walls);
        std::array::from_fn(|axis| self.lines[axis] | shut[axis])
    }

    /// Writes the facts about a disc on a cell, or about a pass, after the kind and up to those of the set-up.
    #[inline(always)]
    fn describe(&self, cell: Option<Cell>, out: &mut Writer<'_>) {
        let bit = cell.map_or(0, Cell::bit);
        let flipped = cell.map_or(0, |cell| flips(cell, self.own, self.other, self.jokers));
        let (own, other) = (self.own | flipped | bit, self.other & !flipped);
        let free = !(own | other | self.walls);
        self.describe_cell(cell, flipped, [own, other, free], out);

        let mine = moves(own, other, free, self.jokers);
        let replies = moves(other, own, free, self.jokers);
        let bonuses = self.bonuses & !bit;
        for set in [self.moves[0], self.moves[1], mine, replies] {
            out.up_to(MOVES, count(set));
        }
        for set in [mine, replies] {
            out.up_to(SAFE, count(set & self.safe));
        }
        for set in [mine, replies] {
            out.up_to(3, count(set & bonuses));
        }
        let open = around(free);
        for side in [own, other] {
            out.up_to(FRONTIER, count(side & open));
        }
        let dead = self.dead(free);
        let stable = [own, other].map(|side| count(Field::stable(side, dead)));
        for number in stable {
            out.up_to(STABLE, number);
        }
        out.up_to(16, stable[0].saturating_sub(self.stable));
        self.describe_replies([own, other, free], bit, mine, replies, out);

        let has_ended = mine | replies == 0;
        out.flag(replies == 0 && !has_ended);
        let lead = count(own) as i32 - count(other) as i32
            + self.bonus_lead
            + BONUS as i32 * i32::from(self.bonuses & bit != 0);
        out.one_hot(has_ended.then(|| (0.cmp(&lead) as isize + 1) as usize), ENDS.len());
        let written = |lead: i32| (lead + i32::from(LEAD)).max(0) as usize;
        let left = free.count_ones();
        out.up_to(2 * LEAD, written(lead));
        out.up_to(2 * LEAD, written(if left <= LATE { lead } else { 0 }));
        let bucket = [1, 5, 11, 21, 31, 46].iter().filter(|&&from| left >= from).count();
        out.one_hot(Some(bucket), LEFT.len());
        out.flag(left.is_multiple_of(2));
        let region = connected(bit, free);
        out.up_to(REGION, count(region));
        out.flag(count(region).is_multiple_of(2));
        out.up_to(NUM_PIECES, count(bonuses));
        out.flag(self.is_black);
    }

    /// The cell, and what is around it; what is flipped.
    #[inline(always)]
    fn describe_cell(&self, cell: Option<Cell>, flipped: u64, after: [u64; 3], out: &mut Writer<'_>) {
        let [own, other, free] = after;
        let bit = cell.map_or(0, Cell::bit);
        out.one_hot(cell.map(place), PLACES.len());
        out.up_to(4, self.lines.iter().filter(|&line| line & bit != 0).count());
        out.flag(self.safe & bit != 0);
        out.flag(self.bonuses & bit != 0);
        let beside = around(bit) & !bit;
        for cells in [free, own, other] {
            out.up_to(3, count(beside & self.safe & cells));
        }
        out.up_to(8, count(beside & free));
        out.up_to(2, count(beside & self.bonuses));
        out.up_to(FLIPS, count(flipped));
        let without = cell.map_or(0, |cell| flips(cell, self.own, self.other, &Jokers::NONE));
        out.up_to(6, count(flipped & !without));
    }

    /// What the other's replies can do; if there are none, the player moves on.
    #[inline(always)]
    fn describe_replies(&self, after: [u64; 3], bit: u64, mine: u64, replies: u64, out: &mut Writer<'_>) {
        let [own, other, free] = after;
        let (mut fewest, mut fewest_safe, mut most, mut lost) = (count(mine), count(mine & self.safe), 0, 0);
        if replies != 0 {
            (fewest, fewest_safe) = (usize::MAX, usize::MAX);
        }
        for reply in bits::each(replies) {
            let flipped = flips(Cell(reply), other, own, self.jokers);
            let (own, other) = (own & !flipped, other | flipped | 1 << reply);
            let next = moves(own, other, free & !(1 << reply), self.jokers);
            fewest = fewest.min(count(next));
            fewest_safe = fewest_safe.min(count(next & self.safe));
            most = most.max(count(flipped));
            lost |= flipped;
        }
        out.up_to(MOVES, fewest);
        out.up_to(SAFE, fewest_safe);
        out.up_to(FLIPS, most);
        out.flag(lost & bit != 0);
    }
}

/// The index in `PLACES` of a cell.
#[inline(always)]
fn place(Cell(n): Cell) -> usize {
    let [row, column] = [n / 8, n % 8].map(|line| usize::from(line.min(7 - line)));
    let (low, high) = (row.min(column), row.max(column));
    low * (9 - low) / 2 + high - low
}

/// The cells of `free` that can be reached from `start` by steps to the next cell, also slantwise.
#[inline(always)]
fn connected(start: u64, free: u64) -> u64 {
    let mut reached = around(start) & free;
    loop {
        let further = around(reached) & free;
        if further == reached {
            return reached;
        }
        reached = further;
    }
}

impl Mapello {
    /// Writes the facts about some legal actions, a row each.
    #[inline(always)]
    pub(super) fn write_facts<'r>(
        &self,
        state: &State,
        actions: impl Iterator<Item = Action>,
        rows: impl Iterator<Item = &'r mut [u8]>,
    ) {
        if state.view(Viewer::Everything).phase() == Phase::Play {
            let seen = Seen::new(state);
            for (action, row) in actions.zip(rows) {
                let cell = if let Action::Disc(cell) = action { Some(cell) } else { None };
                let (row, set_up) = row.split_at_mut(self.first_of_set_up());
                let mut row = Writer::new(row);
                row.one_hot(Some(kind(action)), self.num_kinds());
                seen.describe(cell, &mut row);
                set_up.fill(0);
            }
            return;
        }
        for (action, row) in actions.zip(rows) {
            self.describe_set_up(state, action, row);
        }
    }

    fn num_kinds(&self) -> usize {
        if self.options().setup == Setup::Free { KINDS.len() } else { 2 }
    }

    /// Where the facts about the set-up begin.
    fn first_of_set_up(&self) -> usize {
        self.facts.size() - if self.options().setup == Setup::Free { NUM_OF_SET_UP } else { 0 }
    }

    /// Writes a decision of the set-up, or a colour taken; all that is about discs stays 0.
    #[cold]
    fn describe_set_up(&self, state: &State, action: Action, row: &mut [u8]) {
        row.fill(0);
        let view = state.view(Viewer::Everything);
        let (walls, bonuses, ring) = (view.walls() & !self.outside(), view.bonuses(), view.jokers().ring());
        let turned_ring = (ring << 18 | ring >> 18) & ((1 << 36) - 1);
        let (twin, clash) = match action {
            Action::Wall(cell) => (walls.reverse_bits() & cell.bit(), bonuses.reverse_bits() & cell.bit()),
            Action::Bonus(cell) => (bonuses.reverse_bits() & cell.bit(), walls.reverse_bits() & cell.bit()),
            Action::Joker(cell) => (turned_ring & cell.bit(), 0),
            _ => (0, 0),
        };
        let (play, set_up) = row.split_at_mut(self.first_of_set_up());
        let mut play = Writer::new(play);
        play.one_hot(Some(kind(action)), self.num_kinds());
        if let Action::Wall(cell) | Action::Bonus(cell) = action {
            play.one_hot(Some(place(cell)), PLACES.len());
        }
        let mut out = Writer::new(set_up);
        out.flag(twin != 0);
        out.flag(clash != 0);
        out.up_to(3 * NUM_PIECES, count(walls) + count(bonuses) + count(ring));
        let colour = if let Action::Take(colour) = action { Some(colour) } else { None };
        out.flag(colour == Some(Colour::Black));
        out.flag(colour == Some(Colour::White));
    }
}

/// Entries about the set-up.
const NUM_OF_SET_UP: usize = 5;

fn kind(action: Action) -> usize {
    match action {
        Action::Disc(_) => 0,
        Action::Pass => 1,
        Action::Wall(_) => 2,
        Action::Bonus(_) => 3,
        Action::Joker(_) => 4,
        Action::Finish => 5,
        Action::Take(_) => 6,
    }
}
