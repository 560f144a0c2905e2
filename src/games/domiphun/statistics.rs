//! What a table of simulated matches tells about Domiphun.

use super::lattice::{Joiner, Spot};
use super::rules::{Action, Domiphun, MAX_PLAYERS, Phase, Series, State, Variant};
use crate::game::{Account, MAX_SEATS, Rules as _, Seat, Statistic, Statistics, Viewer};

/// A game won, as against pieces.
const WIN: i32 = 1000;
/// The axis to which flat squares are perpendicular.
const UP: usize = 2;
/// Numbers of the endings.
const OUT: u8 = 0;
const BLOCKED: u8 = 1;
const ALL_MISSED: u8 = 2;
const DEAD_PATH: u8 = 3;

/// What is counted while a match is played.
#[derive(Clone, Copy, Default, Debug)]
pub struct Count {
    turns: u32,
    placed: [u16; MAX_PLAYERS],
    taken: [u16; MAX_PLAYERS],
    misses: [u16; MAX_PLAYERS],
    x_joiners: [u16; MAX_PLAYERS],
    starjoiners: [u16; MAX_PLAYERS],
    height: u16,
    /// Who took the last decision, and whether it was to miss the turn.
    last: Option<Seat>,
    has_missed: bool,
}

impl Statistics for Domiphun {
    const STATISTICS: &'static [Statistic] = &[
        Statistic { name: "games_won", meaning: "games won, alone or shared", by_seat: true },
        Statistic { name: "placed", meaning: "dominoes placed", by_seat: true },
        Statistic { name: "taken", meaning: "squares, or dominoes, taken from the pool", by_seat: true },
        Statistic { name: "misses", meaning: "turns missed", by_seat: true },
        Statistic { name: "x_joiners", meaning: "X joiners used", by_seat: true },
        Statistic { name: "starjoiners", meaning: "Starjoiners used", by_seat: true },
        Statistic { name: "height", meaning: "greatest height of a construction", by_seat: false },
    ];
    const ENDINGS: &'static [&'static str] = &["out", "blocked", "all missed", "dead path"];

    type Count = Count;

    #[inline(always)]
    fn before(&self, count: &mut Count, state: &State, action: Action) {
        let view = state.view(Viewer::Everything);
        let turn = view.turn().index();
        count.turns += u32::from(view.phase() == Phase::Turn && view.taken() == 0);
        count.last = Some(view.turn());
        count.has_missed = action == Action::Miss;
        match action {
            Action::Open(_) => count.placed[turn] += 1,
            Action::Play { .. } => count.placed[turn] += u16::from(!self.is_advanced()),
            Action::Place { side, heading } => {
                let spot = view.phase().plate().map(|plate| Spot { plate, side, heading });
                let fit = spot.zip(view.table().construction()).and_then(|(spot, built)| built.fit(spot).ok());
                if let Some(fit) = fit {
                    count.placed[turn] += 1;
                    count.x_joiners[turn] += u16::from(fit.joiner == Joiner::X);
                    let top = fit.places.iter().map(|place| place.bottom() + i8::from(place.axis() != UP)).max();
                    count.height = count.height.max(top.unwrap_or_default() as u16);
                }
            }
            Action::Star(_) => count.starjoiners[turn] += 1,
            Action::Take => count.taken[turn] += 1,
            Action::Miss => count.misses[turn] += 1,
            Action::Join(_) | Action::Plate(_) => {}
        }
    }

    fn account(&self, count: &Count, state: &State, own: &mut [i32]) -> Account {
        let view = state.view(Viewer::Everything);
        let wins = view.wins().map(u16::from);
        let by_seat = [wins, count.placed, count.taken, count.misses, count.x_joiners, count.starjoiners];
        let columns = by_seat.into_iter().flat_map(|column| column.into_iter().take(self.players()));
        own.iter_mut().zip(columns.chain([count.height])).for_each(|(own, figure)| *own = figure.into());

        let is_out = |seat: Seat| view.num_pieces(seat) == 0 && view.x_joiners()[seat.index()] == 0;
        let ended = match count.last {
            _ if count.has_missed => ALL_MISSED,
            Some(seat) if is_out(seat) => OUT,
            _ if view.num_pool() > 0 => DEAD_PATH,
            _ => BLOCKED,
        };
        let rounds = u32::from(view.game()) + u32::from(view.phase() == Phase::Over);
        let mut scores = [0; MAX_SEATS];
        scores.iter_mut().zip(view.points()).for_each(|(score, points)| *score = (*points).into());
        Account { turns: count.turns, rounds, ended, scores }
    }

    fn standing(&self, state: &State) -> [i32; MAX_SEATS] {
        let view = state.view(Viewer::Everything);
        let is_over = view.phase() == Phase::Over;
        // The value of a piece, on average.
        let pips = i32::from(self.options().values / 2);
        let pips = if self.options().variant == Variant::Traditional { 2 * pips } else { pips };
        let mut standing = [0; MAX_SEATS];
        for (seat, standing) in standing[..self.players()].iter_mut().enumerate() {
            let left = if is_over { 0 } else { view.num_pieces(Seat::new(seat)) as i32 };
            *standing = match self.options().series {
                Series::Wins => WIN * i32::from(view.wins()[seat]) - left,
                Series::Points => -i32::from(view.points()[seat]) - pips * left,
            };
        }
        standing
    }
}
