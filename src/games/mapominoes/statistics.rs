//! What a table of simulated matches tells about Mapominoes.

use super::inspect::Laid;
use super::rules::{Action, MAX_PLAYERS, Mapominoes, Phase, State};
use crate::game::{Account, MAX_SEATS, Seat, Statistic, Statistics, Viewer};

/// What is counted while a match is played.
#[derive(Clone, Copy, Default, Debug)]
pub struct Count {
    goes: u32,
    played: [u16; MAX_PLAYERS],
    takes: [u16; MAX_PLAYERS],
    passes: [u16; MAX_PLAYERS],
    challenges: u16,
    upheld: u16,
    wrong: u16,
    /// Rounds blocked before the last decision.
    blocked: u8,
}

impl Statistics for Mapominoes {
    const STATISTICS: &'static [Statistic] = &[
        Statistic { name: "played", meaning: "county cards laid", by_seat: true },
        Statistic { name: "transit", meaning: "transit cards laid", by_seat: true },
        Statistic { name: "doubles", meaning: "double connections", by_seat: true },
        Statistic { name: "takes", meaning: "cards taken from the draw pile", by_seat: true },
        Statistic { name: "passes", meaning: "goes with neither a card laid nor a card taken", by_seat: true },
        Statistic { name: "rounds_out", meaning: "rounds that somebody won", by_seat: false },
        Statistic { name: "rounds_blocked", meaning: "rounds over because nobody could go", by_seat: false },
        Statistic { name: "challenges", meaning: "plays challenged", by_seat: false },
        Statistic { name: "upheld", meaning: "wrong plays that went back", by_seat: false },
        Statistic { name: "wrong", meaning: "wrong plays that stayed", by_seat: false },
    ];
    const ENDINGS: &'static [&'static str] = &["out", "blocked"];

    type Count = Count;

    #[inline(always)]
    fn before(&self, count: &mut Count, state: &State, action: Action) {
        let view = state.view(Viewer::Everything);
        let turn = view.turn().index();
        count.blocked = view.tally().blocked_rounds;
        count.goes += u32::from(view.phase() == Phase::Go);
        let laid = self.laid_by(view, action);
        count.played[turn] += u16::from(laid.is_some());
        match (view.phase(), action) {
            (Phase::Go, Action::Take) if view.pile() > 0 => count.takes[turn] += 1,
            (Phase::Go, Action::Take) => count.passes[turn] += 1,
            (Phase::Challenge { .. }, Action::Challenge) => {
                count.challenges += 1;
                count.upheld += u16::from(laid.is_none());
                count.passes[turn] += u16::from(laid.is_none());
            }
            (Phase::Challenge { .. }, _) => {
                let is_wrong = |laid: Laid| !self.is_right(view.table(), laid.transit, laid.county, laid.cell);
                count.wrong += u16::from(laid.is_some_and(is_wrong));
            }
            _ => {}
        }
    }

    fn account(&self, count: &Count, state: &State, own: &mut [i32]) -> Account {
        let view = state.view(Viewer::Everything);
        let tally = view.tally();
        let is_over = view.phase() == Phase::Over;
        let rounds = view.round() + u8::from(is_over);
        let by_seat = [count.played, tally.transit_played, tally.double_connections, count.takes, count.passes];
        let blocked = tally.blocked_rounds.into();
        let of_match = [u16::from(rounds) - blocked, blocked, count.challenges, count.upheld, count.wrong];
        let columns = by_seat.into_iter().flat_map(|column| column.into_iter().take(self.players())).chain(of_match);
        own.iter_mut().zip(columns).for_each(|(own, figure)| *own = figure.into());

        let ended = u8::from(tally.blocked_rounds > count.blocked);
        let mut scores = [0; MAX_SEATS];
        scores.iter_mut().zip(view.points()).for_each(|(score, points)| *score = points.into());
        Account { turns: count.goes, rounds: rounds.into(), ended, scores }
    }

    fn standing(&self, state: &State) -> [i32; MAX_SEATS] {
        let view = state.view(Viewer::Everything);
        let mut standing = [0; MAX_SEATS];
        for (seat, standing) in standing[..self.players()].iter_mut().enumerate() {
            let left = if view.phase() == Phase::Over { 0 } else { view.num_counties(Seat::new(seat)) };
            *standing = -i32::from(view.points()[seat]) - left as i32;
        }
        standing
    }
}
