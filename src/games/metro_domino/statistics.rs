//! What a table of simulated matches tells about Metro Domino.

use super::rules::{Action, MAX_PLAYERS, MetroDomino, STATIONS_TO_END, State, View};
use super::tiles::Play;
use crate::game::{Account, MAX_SEATS, Seat, Statistic, Statistics, Viewer};

/// A game won, as against points.
const WIN: i32 = 1000;
/// Numbers of the endings.
const LAST_TILE: u8 = 0;
const FIFTH_STATION: u8 = 1;
const STUCK: u8 = 2;

/// What is counted while a match is played.
#[derive(Clone, Copy, Default, Debug)]
pub struct Count {
    turns: u32,
    stations: [u16; MAX_PLAYERS],
    tiles: [u16; MAX_PLAYERS],
    tokens: [u16; MAX_PLAYERS],
    spent: [u16; MAX_PLAYERS],
    draws: [u16; MAX_PLAYERS],
    passes: [u16; MAX_PLAYERS],
    closed: u16,
    longest_turn: u16,
    /// Tiles played in this turn.
    in_turn: u16,
    /// Points over the finished games (METR-16).
    scores: [i32; MAX_SEATS],
    ended: u8,
}

impl Statistics for MetroDomino {
    const STATISTICS: &'static [Statistic] = &[
        Statistic { name: "games_won", meaning: "games won, alone or shared", by_seat: true },
        Statistic { name: "stations", meaning: "stations opened", by_seat: true },
        Statistic { name: "tiles", meaning: "tiles played", by_seat: true },
        Statistic { name: "tokens", meaning: "metro tokens won", by_seat: true },
        Statistic { name: "spent", meaning: "metro tokens spent", by_seat: true },
        Statistic { name: "draws", meaning: "tiles drawn from the store", by_seat: true },
        Statistic { name: "passes", meaning: "turns with nothing to play or draw", by_seat: true },
        Statistic { name: "closed", meaning: "lines closed", by_seat: false },
        Statistic { name: "longest_turn", meaning: "most tiles played in a turn", by_seat: false },
    ];
    const ENDINGS: &'static [&'static str] = &["last tile", "fifth station", "stuck"];

    type Count = Count;

    #[inline(always)]
    fn before(&self, count: &mut Count, state: &State, action: Action) {
        let view = state.view(Viewer::Everything);
        let turn = view.turn().index();
        if view.begins_turn() {
            count.turns += 1;
            count.in_turn = 0;
        }
        match action {
            Action::Play(play) => self.count_play(count, view, play),
            Action::Draw => count.draws[turn] += 1,
            Action::Spend => count.spent[turn] += 1,
            Action::Pass => {
                count.passes[turn] += 1;
                if usize::from(view.passes()) + 1 == self.players() {
                    self.count_game(count, view, STUCK);
                }
            }
            Action::Keep | Action::Stop => {}
        }
    }

    fn account(&self, count: &Count, state: &State, own: &mut [i32]) -> Account {
        let view = state.view(Viewer::Everything);
        let by_seat = [
            view.wins().map(u16::from),
            count.stations,
            count.tiles,
            count.tokens,
            count.spent,
            count.draws,
            count.passes,
        ];
        let of_match = [count.closed, count.longest_turn];
        let columns = by_seat.into_iter().flat_map(|column| column.into_iter().take(self.players())).chain(of_match);
        own.iter_mut().zip(columns).for_each(|(own, figure)| *own = figure.into());
        let rounds = u32::from(view.game()) + u32::from(view.to_act().is_none());
        Account { turns: count.turns, rounds, ended: count.ended, scores: count.scores }
    }

    fn standing(&self, state: &State) -> [i32; MAX_SEATS] {
        let view = state.view(Viewer::Everything);
        let is_over = view.to_act().is_none();
        let mut standing = [0; MAX_SEATS];
        for (seat, standing) in standing[..self.players()].iter_mut().enumerate() {
            let score = if is_over { 0 } else { view.score(Seat::new(seat)) };
            *standing = WIN * i32::from(view.wins()[seat]) + score;
        }
        standing
    }
}

impl MetroDomino {
    #[inline(always)]
    fn count_play(&self, count: &mut Count, view: View<'_>, play: Play) {
        let turn = view.turn();
        let closes = view.line(play.line).tiles + 1 == self.deck.tracks()[usize::from(play.line)].line.length;
        let opens = closes && view.num_unopened() > 0;
        count.tiles[turn.index()] += 1;
        count.tokens[turn.index()] += u16::from(play.tile.is_double() && view.supply() > 0);
        count.stations[turn.index()] += u16::from(opens);
        count.closed += u16::from(closes);
        count.in_turn += 1;
        count.longest_turn = count.longest_turn.max(count.in_turn);
        let is_last = view.num_tiles(turn) == 1;
        if is_last || opens && view.num_stations(turn) + 1 >= STATIONS_TO_END {
            self.count_game(count, view, if is_last { LAST_TILE } else { FIFTH_STATION });
            count.scores[turn.index()] += 1 + i32::from(opens);
        }
    }

    /// Writes down the scores of a game as it stands before the decision that ends it.
    #[cold]
    fn count_game(&self, count: &mut Count, view: View<'_>, ended: u8) {
        count.ended = ended;
        for (seat, score) in count.scores[..self.players()].iter_mut().enumerate() {
            *score += view.score(Seat::new(seat));
        }
    }
}
