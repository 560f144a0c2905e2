//! Contradictions in a state from outside.

use super::super::tiles::{ALL, NUM_TILES, Play, Tile, Tiles};
use super::{Lines, MAX_ACTIVE, MetroDomino, Phase, STATIONS_TO_END, State, TOKENS};
use crate::position_text::first_wrong;

impl MetroDomino {
    /// What is wrong with the lines and stations. The other checks hold only where nothing is.
    pub(super) fn impossible_lines(&self, state: &State) -> Option<&'static str> {
        let tracks = self.deck.tracks();
        let (lines, stations) = (tracks.len(), self.deck.stations().len());
        if state.lines.len() != lines || state.laid.iter().any(|play| usize::from(play.line) >= lines) {
            return Some("lines that are not those of the deck");
        }
        let is_tile = |tile: Tile| usize::from(tile.0) < NUM_TILES;
        let is_play = |play: Play| is_tile(play.tile) && !(play.smaller_out && play.tile.is_double());
        if !state.laid.iter().all(is_play) || matches!(state.phase, Phase::Drawn { tile } if !is_tile(tile)) {
            return Some("a tile that is not there");
        }
        let known = |opening: &super::Opening| {
            (1..stations).contains(&usize::from(opening.station))
                && usize::from(opening.line) < lines
                && usize::from(opening.by) < self.players()
        };
        if !state.openings.iter().all(known) {
            return Some("a station that nobody could open");
        }
        let mut progress = Lines::new(lines);
        for play in state.laid.iter() {
            let (tiles, track) = (progress.tiles()[usize::from(play.line)], &tracks[usize::from(play.line)]);
            let (inward, outward) = play.inward_outward();
            if tiles > 0 && progress.end(play.line) != inward {
                return Some("tiles side by side that do not match (METR-6)");
            }
            if !track.allowed.contains(play.tile) || tiles == track.line.length {
                return Some("a tile that its line does not take (METR-7)");
            }
            progress.add(play.line, outward);
        }
        let is_full = |line: usize| progress.tiles()[line] == tracks[line].line.length;
        let opened = state.openings.iter().fold(1_u64, |set, opening| set | 1 << opening.station);
        let led = state.openings.iter().fold(0_u64, |set, opening| set | 1 << opening.line);
        let reachable = (0..stations).filter(|station| opened >> station & 1 == 1);
        let reachable = reachable.fold(0, |set, station| set | self.lines_of[station]);
        let full = (0..lines).filter(|&line| is_full(line)).fold(0_u64, |set, line| set | 1 << line);
        let begun = progress.begun();
        let active = (begun & !full).count_ones();
        let cases = [
            (progress != state.lines, "lines that do not fit their tiles"),
            (begun & !reachable != 0, "a tile on a line of a station that is not open (METR-8)"),
            (opened.count_ones() as usize != state.openings.len() + 1, "a station opened twice"),
            (led.count_ones() as usize != state.openings.len(), "a line that leads to two stations"),
            (led & !full != 0, "a station at the end of a line that is not complete (METR-8)"),
            (state.unopened != ((1_u64 << stations) - 1) & !opened, "stations that are not those of the deck"),
            (full & !led != 0 && state.unopened != 0, "a complete line without its station (METR-8)"),
            (state.open != reachable & !full, "lines open that are not (METR-4)"),
            (u32::from(state.active) != active || active > MAX_ACTIVE.into(), "more than three lines active (METR-5)"),
        ];
        first_wrong(&cases)
    }

    /// What is wrong with where the tiles and metro tokens are.
    pub(super) fn impossible_tiles(&self, state: &State) -> Option<&'static str> {
        let players = self.players();
        let laid = Tiles(state.laid.iter().fold(0, |set, play| set | 1 << play.tile.0));
        let piles = || state.hands.iter().copied().chain([state.store, state.aside, laid]);
        let all = piles().fold(0, |all, pile| all | pile.0);
        let tokens: u32 = state.tokens.iter().map(|&tokens| u32::from(tokens)).sum();
        let cases = [
            (laid.len() != state.laid.iter().len(), "a tile in two places"),
            (piles().map(Tiles::len).sum::<usize>() != all.count_ones() as usize, "a tile in two places"),
            (all != ALL.0, "tiles that are not those of the set"),
            (tokens > u32::from(TOKENS), "more metro tokens than there are (METR-1)"),
            (
                state.hands[players..].iter().any(|hand| !hand.is_empty())
                    || state.tokens[players..].iter().any(|&tokens| tokens > 0)
                    || state.wins[players..].iter().any(|&wins| wins > 0),
                "a player too many",
            ),
        ];
        first_wrong(&cases)
    }

    /// What is wrong with whose decision it is, and with the games won.
    pub(super) fn impossible_turn(&self, state: &State) -> Option<&'static str> {
        let players = self.players();
        if state.turn.index() >= players || state.first.index() >= players {
            return Some("a seat that is not at the table");
        }
        let is_over = state.phase == Phase::Over;
        let has_ended = (0..players)
            .any(|seat| state.hands[seat].is_empty() || state.stations_of(seat) >= STATIONS_TO_END)
            || usize::from(state.passes) >= players;
        let is_phase = match state.phase {
            Phase::Turn | Phase::Extra | Phase::Over => true,
            Phase::Drawn { tile } => state.hand().contains(tile),
            Phase::More => state.tokens[state.turn.index()] > 0,
            Phase::Spent => self.can_play(state),
        };
        let finished = u32::from(state.game) + u32::from(is_over);
        let wins: u32 = state.wins.iter().map(|&wins| u32::from(wins)).sum();
        let has_won = state.wins.iter().any(|&wins| wins >= self.options.wins_needed);
        let cases = [
            (!is_phase, "a decision that nobody could have to take"),
            (is_over != has_ended, "an end of the game that is none, or none that is one (METR-14)"),
            (usize::from(state.passes) > players, "more passes than players (METR-15)"),
            (
                (0..players).any(|seat| state.stations_of(seat) > STATIONS_TO_END),
                "more stations of a player than tokens (METR-1)",
            ),
            (state.wins.iter().any(|&wins| wins > self.options.wins_needed), "a game after the last (METR-17)"),
            (is_over != has_won, "an end of the match that is none, or none that is one (METR-17)"),
            (wins < finished || wins > finished * players as u32, "wins that do not fit the games played"),
            (state.wins.iter().any(|&wins| u32::from(wins) > finished), "more wins than games"),
        ];
        first_wrong(&cases)
    }
}
