//! What a table of simulated matches tells about Mapello.

use super::rules::{Action, BONUS, Mapello, Phase, State, View};
use crate::game::{Account, MAX_SEATS, Seat, Statistic, Statistics, Viewer};

/// A game won, as against points.
const WIN: i32 = 1000;

/// What is counted while a match is played.
#[derive(Clone, Copy, Default, Debug)]
pub struct Count {
    turns: u32,
    passes: u32,
    bonuses: [u32; 2],
    flips: [u32; 2],
    /// Whose disc is being placed, if one is.
    mover: Option<Seat>,
    /// Discs of the other before.
    theirs: u32,
    /// Points of the finished games and bonuses of this one, of the other, before.
    points: i16,
    taken: u8,
    game: u8,
}

impl Statistics for Mapello {
    const STATISTICS: &'static [Statistic] = &[
        Statistic { name: "games_won", meaning: "games won", by_seat: true },
        Statistic { name: "discs", meaning: "discs at the end of the last game", by_seat: true },
        Statistic { name: "bonuses", meaning: "bonuses taken", by_seat: true },
        Statistic { name: "flips", meaning: "discs of the other that the seat has flipped", by_seat: true },
        Statistic { name: "passes", meaning: "turns without a legal move", by_seat: false },
    ];
    const ENDINGS: &'static [&'static str] = &["board full", "no moves", "no discs"];

    type Count = Count;

    #[inline(always)]
    fn before(&self, count: &mut Count, state: &State, action: Action) {
        count.mover = None;
        match action {
            Action::Disc(cell) => {
                let view = state.view(Viewer::Everything);
                let (seat, sides) = view.mover();
                count.turns += 1;
                count.bonuses[seat.index()] += u32::from(view.bonuses() & cell.bit() != 0);
                count.mover = Some(seat);
                count.theirs = sides.theirs.count_ones();
                (count.points, count.taken) = (view.points()[1 - seat.index()], sides.taken[1]);
                count.game = view.game();
            }
            Action::Pass => {
                count.turns += 1;
                count.passes += 1;
            }
            _ => {}
        }
    }

    #[inline(always)]
    fn after(&self, count: &mut Count, state: &State) {
        let Some(mover) = count.mover else { return };
        let view = state.view(Viewer::Everything);
        let left = if view.phase() == Phase::Play && view.game() == count.game {
            view.mover().1.mine.count_ones()
        } else {
            // The game is over, and its points are written down (MAPE-12).
            let points = i32::from(view.points()[1 - mover.index()] - count.points);
            (points - BONUS as i32 * i32::from(count.taken)) as u32
        };
        count.flips[mover.index()] += count.theirs - left;
    }

    fn account(&self, count: &Count, state: &State, own: &mut [i32]) -> Account {
        let view = state.view(Viewer::Everything);
        let discs = [0, 1].map(|seat| view.sides(Seat::new(seat)).mine.count_ones());
        let by_seat = |numbers: [u32; 2]| numbers.map(|number| number as i32);
        let wins = view.wins().map(i32::from);
        let columns = [wins, by_seat(discs), by_seat(count.bonuses), by_seat(count.flips)];
        let passes = count.passes as i32;
        own.iter_mut().zip(columns.into_iter().flatten().chain([passes])).for_each(|(own, figure)| *own = figure);

        let is_full = view.discs()[0] | view.discs()[1] | view.walls() == u64::MAX;
        let ended = match view.discs() {
            _ if is_full => 0,
            [0, _] | [_, 0] => 2,
            _ => 1,
        };
        let mut scores = [0; MAX_SEATS];
        scores[..2].copy_from_slice(&view.points().map(i32::from));
        Account {
            turns: count.turns,
            rounds: u32::from(view.game()) + u32::from(view.phase() == Phase::Over),
            ended,
            scores,
        }
    }

    fn standing(&self, state: &State) -> [i32; MAX_SEATS] {
        let view = state.view(Viewer::Everything);
        let mut standing = [0; MAX_SEATS];
        for (seat, standing) in standing[..2].iter_mut().enumerate() {
            *standing = WIN * i32::from(view.wins()[seat]) + i32::from(view.points()[seat]) + score_now(view, seat);
        }
        standing
    }
}

/// Points of a seat in the game in progress.
fn score_now(view: View<'_>, seat: usize) -> i32 {
    if view.phase() == Phase::Over {
        return 0;
    }
    let sides = view.sides(Seat::new(seat));
    sides.mine.count_ones() as i32 + BONUS as i32 * i32::from(sides.taken[0])
}
