//! Mapello as a learner sees it.

use super::board::{Border, Cell, NUM_BORDER};
use super::rules::{Action, Colour, Mapello, NUM_PIECES, Options, Phase, Setup, Sides, State, View};
use crate::bits;
use crate::game::{Encode, Fast, Play, Rules as _, Seat, Viewer, by_list};
use crate::layout::{Layout, Writer};
use crate::rng::{self, Rng};

const DISC: usize = 0;
const PASS: usize = 64;
const WALL: usize = 65;
const BONUS: usize = WALL + 64;
const JOKER: usize = BONUS + 64;
const FINISH: usize = JOKER + NUM_BORDER as usize;
const COLOUR: usize = FINISH + 1;

const NUM_NUMBERS: usize = 14;
const SIZE: usize = NUM_BORDER as usize + 4 * 64 + NUM_NUMBERS;

/// What is added to the lead in points, so that a byte can hold it.
const LEAD_OFFSET: u8 = 128;

const COLUMNS: &[&str] = &["a", "b", "c", "d", "e", "f", "g", "h"];
const PHASES: &[&str] = &["set_up", "colour", "play"];
const KINDS: &[&str] = &["walls", "bonuses", "jokers"];
const SIDES: &[&str] = &["mine", "theirs"];

/// Set-up actions exist only where the set-up is played.
pub(super) fn actions(setup: Setup) -> Layout {
    let play = Layout::new()
        .flags("disc", &[8, 8], "place a disc on a cell, by row from the top and column")
        .labelled(COLUMNS.iter().copied())
        .flags("pass", &[], "have no move");
    if setup != Setup::Free {
        return play;
    }
    play.flags("wall", &[8, 8], "set up a wall")
        .labelled(COLUMNS.iter().copied())
        .flags("bonus", &[8, 8], "set up a bonus")
        .labelled(COLUMNS.iter().copied())
        .flags("joker", &[NUM_BORDER.into()], "set up a joker on a border cell, clockwise from the top left corner")
        .flags("finish", &[], "end the set-up")
        .flags("colour", &[2], "take a colour")
        .labelled(["black", "white"])
}

/// What happens only while a set-up is played, or only in a match of several games, is at most 1 where that cannot be.
pub(super) fn observation(&Options { setup, games, .. }: &Options) -> Layout {
    let to_set_up = if setup == Setup::Free { NUM_PIECES } else { 1 };
    let [lead, lead_offset] = if games > 1 { [u8::MAX, LEAD_OFFSET] } else { [1, 0] };
    Layout::new()
        .flags("jokers", &[NUM_BORDER.into()], "jokers on the border, clockwise from the top left corner")
        .flags("mine", &[8, 8], "the viewer's discs")
        .labelled(COLUMNS.iter().copied())
        .flags("theirs", &[8, 8], "the other player's discs")
        .labelled(COLUMNS.iter().copied())
        .flags("walls", &[8, 8], "walls")
        .labelled(COLUMNS.iter().copied())
        .flags("bonuses", &[8, 8], "bonuses that nobody has taken")
        .labelled(COLUMNS.iter().copied())
        .counts("taken", &[2], NUM_PIECES, "bonuses taken, worth 3 points each")
        .labelled(SIDES.iter().copied())
        .flags("black", &[], "1 if the viewer plays black")
        .flags("to_act", &[], "1 if the viewer decides now")
        .flags("phase", &[3], "what is being decided; none when the match is over")
        .labelled(PHASES.iter().copied())
        .counts("left", &[3], to_set_up, "pieces that may still be set up; 0 unless the set-up is being played")
        .labelled(KINDS.iter().copied())
        .counts("wins", &[2], games, "games won in this match")
        .labelled(SIDES.iter().copied())
        .counts("games_left", &[], (games - 1).max(1), "games of the match after this one")
        .counts("lead", &[], lead, "the viewer's lead in points over the finished games, -128 to 127 at most")
        .offset(lead_offset)
}

/// The numbers of a row for the seat to act in the only game of a match.
#[inline(always)]
fn only_game([mine, theirs]: [u8; 2], is_black: bool) -> [u8; NUM_NUMBERS] {
    [mine, theirs, u8::from(is_black), 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]
}

/// Writes the flags of a row, and returns the numbers that follow.
#[inline(always)]
fn write_cells<'a>(view: &View<'_>, mine: u64, theirs: u64, row: &'a mut [u8; SIZE]) -> &'a mut [u8] {
    let mut out = Writer::new(row);
    out.set(view.jokers().ring(), NUM_BORDER.into());
    // Not in a loop over an array: sets that are stored one by one and loaded together take as long as all the rest.
    out.set(mine, 64);
    out.set(theirs, 64);
    out.set(view.walls(), 64);
    out.set(view.bonuses(), 64);
    out.next(NUM_NUMBERS)
}

impl Encode for Mapello {
    #[inline(always)]
    fn actions(&self) -> &Layout {
        &self.actions
    }

    #[inline(always)]
    fn action_id(&self, action: Action) -> usize {
        match action {
            Action::Disc(Cell(n)) => DISC + usize::from(n),
            Action::Pass => PASS,
            Action::Wall(Cell(n)) => WALL + usize::from(n),
            Action::Bonus(Cell(n)) => BONUS + usize::from(n),
            Action::Joker(Border(n)) => JOKER + usize::from(n),
            Action::Finish => FINISH,
            Action::Take(colour) => COLOUR + colour as usize,
        }
    }

    #[inline(always)]
    fn action(&self, id: usize) -> Action {
        match id {
            DISC..PASS => Action::Disc(Cell((id - DISC) as u8)),
            PASS => Action::Pass,
            WALL..BONUS => Action::Wall(Cell((id - WALL) as u8)),
            BONUS..JOKER => Action::Bonus(Cell((id - BONUS) as u8)),
            JOKER..FINISH => Action::Joker(Border((id - JOKER) as u8)),
            FINISH => Action::Finish,
            COLOUR => Action::Take(Colour::Black),
            _ => Action::Take(Colour::White),
        }
    }

    #[inline(always)]
    fn observation(&self) -> &Layout {
        &self.observation
    }

    fn observe(&self, state: &State, viewer: Seat, row: &mut [u8]) {
        let Some(row) = row.first_chunk_mut::<SIZE>() else { return };
        let view = state.view(Some(viewer));
        let Sides { mine, theirs, taken: [taken_by_me, taken_by_them], is_black } = view.sides(viewer);
        let numbers = write_cells(&view, mine, theirs, row);
        let phase = view.phase();
        let [set_up, colour, play] = [Phase::SetUp, Phase::Colour, Phase::Play].map(|one| u8::from(phase == one));
        let [walls, bonuses, jokers] = if phase == Phase::SetUp { self.left_and_missing(state)[0] } else { [0; 3] };
        let [me, them] = [viewer.index(), 1 - viewer.index()];
        let (wins, points) = (view.wins(), view.points());
        let games = self.options().games;
        let lead = (points[me] - points[them]).clamp(-128, 127) + i16::from(LEAD_OFFSET);
        numbers.copy_from_slice(&[
            taken_by_me,
            taken_by_them,
            u8::from(is_black),
            u8::from(view.to_act() == Some(viewer)),
            set_up,
            colour,
            play,
            walls,
            bonuses,
            jokers,
            wins[me],
            wins[them],
            games - 1 - view.game(),
            if games > 1 { lead as u8 } else { 0 },
        ]);
    }

    fn facts(&self) -> &Layout {
        &self.facts
    }

    fn describe_action(&self, state: &State, action: Action, row: &mut [u8]) {
        self.write_facts(state, [action].into_iter(), [row].into_iter());
    }
}

impl Fast for Mapello {
    const PAYS_AT_THE_END: bool = true;

    #[inline(always)]
    fn apply_each<'a>(&self, plays: impl Iterator<Item = Play<'a, Self>>) {
        self.apply_several(plays);
    }

    #[inline(always)]
    fn write_mask(&self, state: &State, mask: &mut [i8], scratch: &mut Vec<Action>) {
        let view = state.view(Viewer::Everything);
        match mask.split_first_chunk_mut::<PASS>() {
            Some((discs, rest)) if view.phase() == Phase::Play => {
                let moves = view.moves();
                bits::spread(moves, discs);
                if let Some((pass, set_up)) = rest.split_first_mut() {
                    *pass = i8::from(moves == 0);
                    if !set_up.is_empty() {
                        set_up.fill(0);
                    }
                }
            }
            _ => by_list::write_mask(self, state, mask, scratch),
        }
    }

    #[inline(always)]
    fn write_turn(&self, state: &State, row: &mut [u8], mask: &mut [i8], scratch: &mut Vec<Action>) -> Option<Seat> {
        let view = state.view(Viewer::Everything);
        match row.first_chunk_mut::<SIZE>() {
            Some(row) if view.phase() == Phase::Play && self.options().games == 1 => {
                let (seat, Sides { mine, theirs, taken, is_black }) = view.mover();
                write_cells(&view, mine, theirs, row).copy_from_slice(&only_game(taken, is_black));
                self.write_mask(state, mask, scratch);
                Some(seat)
            }
            _ => by_list::write_turn(self, state, row, mask, scratch),
        }
    }

    #[inline(always)]
    fn describe_actions(&self, state: &State, actions: &[Action], rows: &mut [u8]) {
        self.write_facts(state, actions.iter().copied(), rows.chunks_exact_mut(self.facts.size()));
    }

    #[inline(always)]
    fn num_legal(&self, state: &State, scratch: &mut Vec<Action>) -> usize {
        let view = state.view(Viewer::Everything);
        if view.phase() == Phase::Play {
            return view.moves().count_ones().max(1) as usize;
        }
        by_list::num_legal(self, state, scratch)
    }

    #[inline(always)]
    fn count_two(&self, state: &State, rng: &Rng, scratch: &mut Vec<Action>) -> u64 {
        let view = state.view(Viewer::Everything);
        let leaves = if view.phase() == Phase::Play { view.count_replies() } else { None };
        leaves.unwrap_or_else(|| by_list::count_two(self, state, rng, scratch))
    }

    #[inline(always)]
    fn random_action(&self, state: &State, random: u64, scratch: &mut Vec<Action>) -> Action {
        let view = state.view(Viewer::Everything);
        if view.phase() == Phase::Play {
            let moves = view.moves();
            return match moves.count_ones() {
                0 => Action::Pass,
                count => Action::Disc(Cell(bits::nth(moves, rng::scale(random, count)) as u8)),
            };
        }
        by_list::random_action(self, state, random, scratch)
    }
}
