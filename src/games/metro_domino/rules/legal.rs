//! What a player may do, and why not.

use super::super::stations::MAX_LINES;
use super::super::tiles::{ALL, DOUBLES, LARGER, Play, SMALLER, Tile, Tiles};
use super::view::Stretch;
use super::{MAX_ACTIVE, MetroDomino, Phase, State, View};
use crate::bits;
use crate::game::{Refusal, Wording};

/// The tiles that a line takes next.
#[derive(Clone, Copy, Default)]
pub(in super::super) struct Takes {
    /// With the larger half outwards, doubles among them.
    pub larger_out: Tiles,
    /// With the smaller half outwards.
    pub smaller_out: Tiles,
}

impl MetroDomino {
    /// The tiles that a line takes next (METR-5 to METR-7); none if it is not open.
    #[inline(always)]
    pub(in super::super) fn takes(&self, state: &State, line: u8) -> Takes {
        if state.open >> line & 1 == 0 {
            return Takes::default();
        }
        let track = &self.deck.tracks()[usize::from(line)];
        let progress = state.lines[usize::from(line)];
        let allowed = track.allowed.0;
        if progress.tiles > 0 {
            let end = usize::from(progress.end);
            return Takes { larger_out: Tiles(allowed & SMALLER[end].0), smaller_out: Tiles(allowed & LARGER[end].0) };
        }
        // METR-5: a line of one tile never becomes active.
        if state.active >= MAX_ACTIVE && track.line.length > 1 {
            return Takes::default();
        }
        Takes { larger_out: Tiles(allowed), smaller_out: Tiles(allowed & !DOUBLES.0) }
    }

    /// Whether no tile that is not on the table could ever be added to an open line (METR-4).
    pub(in super::super) fn is_out_of_service(&self, view: &View<'_>, line: u8) -> bool {
        let Stretch { end, is_open, .. } = view.line(line);
        let fits_the_end = end.map_or(ALL.0, |end| SMALLER[usize::from(end)].0 | LARGER[usize::from(end)].0);
        let allowed = self.deck.tracks()[usize::from(line)].allowed.0;
        is_open && allowed & fits_the_end & !view.laid_tiles().0 == 0
    }

    /// What every open line takes next.
    #[inline(always)]
    fn takes_by_line(&self, state: &State) -> [Takes; MAX_LINES] {
        let mut takes = [Takes::default(); MAX_LINES];
        for line in bits::each(state.open) {
            takes[usize::from(line)] = self.takes(state, line);
        }
        takes
    }

    /// The tiles that may be played in this phase, if they fit.
    #[inline(always)]
    pub(super) fn playable(state: &State) -> Tiles {
        match state.phase {
            Phase::Turn | Phase::Extra | Phase::Spent => state.hand(),
            Phase::Drawn { tile } => Tiles(1 << tile.0),
            Phase::More | Phase::Over => Tiles::default(),
        }
    }

    /// Whether some tile of the hand fits some line.
    #[inline(always)]
    pub(super) fn can_play(&self, state: &State) -> bool {
        let hand = state.hand().0;
        bits::each(state.open).any(|line| {
            let takes = self.takes(state, line);
            hand & (takes.larger_out.0 | takes.smaller_out.0) != 0
        })
    }

    /// How many plays are legal.
    #[inline(always)]
    pub(in super::super) fn num_plays(&self, state: &State) -> u32 {
        let tiles = Self::playable(state).0;
        let count = |line| {
            let takes = self.takes(state, line);
            (tiles & takes.larger_out.0).count_ones() + (tiles & takes.smaller_out.0).count_ones()
        };
        if tiles == 0 { 0 } else { bits::each(state.open).map(count).sum() }
    }

    /// Every legal play, in the order of the ids.
    #[inline(always)]
    pub(in super::super) fn plays(&self, state: &State, mut see: impl FnMut(Play)) {
        let tiles = Self::playable(state);
        if tiles.is_empty() {
            return;
        }
        let takes = self.takes_by_line(state);
        for tile in tiles.iter() {
            for line in bits::each(state.open) {
                let takes = takes[usize::from(line)];
                if takes.larger_out.contains(tile) {
                    see(Play { tile, line, smaller_out: false });
                }
                if takes.smaller_out.contains(tile) {
                    see(Play { tile, line, smaller_out: true });
                }
            }
        }
    }

    /// Whether a line takes a tile next, with this half outwards.
    #[inline(always)]
    pub(super) fn fits(&self, state: &State, play: Play) -> bool {
        let takes = self.takes(state, play.line);
        if play.smaller_out { takes.smaller_out } else { takes.larger_out }.contains(play.tile)
    }

    /// Why a tile cannot be played now, or not there, in a match that is not over.
    pub(super) fn why_not_play(&self, state: &State, play: Play) -> Refusal {
        match state.phase {
            Phase::More => Refusal::new("METR-12", "one more tile needs a metro token: spend it first"),
            Phase::Drawn { tile } if tile != play.tile => {
                Refusal::new("METR-10", "only the tile just drawn may be played")
            }
            _ if !state.hand().contains(play.tile) => {
                Refusal::new("", Wording::player(state.turn, "does").text(" not hold that tile"))
            }
            _ => self.why_not_there(state, play),
        }
    }

    fn why_not_there(&self, state: &State, play: Play) -> Refusal {
        let Play { tile, line, smaller_out } = play;
        let track = &self.deck.tracks()[usize::from(line)];
        let progress = state.lines[usize::from(line)];
        let name = &track.name;
        if state.open >> line & 1 == 0 {
            let is_closed = progress.tiles >= track.line.length;
            let why = if is_closed { "is closed" } else { "begins at a station that is not open yet" };
            return Refusal::new("METR-4", format!("{name} {why}"));
        }
        if !track.allowed.contains(tile) {
            return Refusal::new("METR-7", format!("{name} is limited to {}", track.line.limits()));
        }
        if progress.tiles == 0 && state.active >= MAX_ACTIVE && track.line.length > 1 {
            return Refusal::new("METR-5", format!("{MAX_ACTIVE} lines are active already"));
        }
        if smaller_out && tile.is_double() {
            return Refusal::new("", "a double has one facing");
        }
        let inward = play.inward_outward().0;
        Refusal::new("METR-6", format!("{name} ends with {}, not with {inward}", progress.end))
    }

    /// The play of a tile on a line with this half outwards.
    pub(in super::super) fn facing(tile: Tile, line: u8, outward: u8) -> Play {
        let (low, high) = tile.halves();
        Play { tile, line, smaller_out: outward == low && low != high }
    }
}
