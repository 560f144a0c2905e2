//! What a player may do, and why not.

use super::super::stations::MAX_LINES;
use super::super::tiles::{ALL, DOUBLES, LARGER, Play, SMALLER, Tile, Tiles};
use super::view::Stretch;
use super::{Action, MAX_ACTIVE, MetroDomino, Phase, State, View};
use crate::bits;
use crate::game::Refusal;

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
    fn playable(state: &State) -> Tiles {
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

    #[inline(always)]
    pub(in super::super) fn is_legal(&self, state: &State, action: Action) -> bool {
        match (action, state.phase) {
            (Action::Play(play), _) => Self::playable(state).contains(play.tile) && self.fits(state, play),
            (Action::Draw, Phase::Turn) => !state.store.is_empty() && !self.can_play(state),
            (Action::Pass, Phase::Turn) => state.store.is_empty() && !self.can_play(state),
            (Action::Spend, Phase::More) => self.can_play(state),
            (Action::Keep, Phase::Drawn { .. }) | (Action::Stop, Phase::Extra | Phase::More) => true,
            _ => false,
        }
    }

    #[inline(always)]
    fn fits(&self, state: &State, play: Play) -> bool {
        let takes = self.takes(state, play.line);
        if play.smaller_out { takes.smaller_out } else { takes.larger_out }.contains(play.tile)
    }

    /// Why an action that is not legal is not.
    #[cold]
    pub(super) fn why_not(&self, state: &State, action: Action) -> Refusal {
        let turn = state.turn.index();
        let reason = match (state.phase, action) {
            (Phase::Over, _) => "the match is over".to_owned(),
            (Phase::More, Action::Play(_)) => "one more tile needs a metro token: spend it first (METR-12)".to_owned(),
            (Phase::Drawn { .. }, Action::Play(play)) if !Self::playable(state).contains(play.tile) => {
                "only the tile just drawn may be played (METR-10)".to_owned()
            }
            (_, Action::Play(play)) if !state.hand().contains(play.tile) => {
                format!("seat {turn} does not hold that tile")
            }
            (_, Action::Play(play)) => self.why_not_there(state, play),
            (Phase::Turn, Action::Draw | Action::Pass) if self.can_play(state) => {
                "a player who can add a tile must (METR-9)".to_owned()
            }
            (Phase::Turn, Action::Draw) => "the store is empty: the turn is over (METR-10)".to_owned(),
            (Phase::Turn, Action::Pass) => "there are tiles in the store to draw (METR-10)".to_owned(),
            (_, Action::Draw | Action::Pass) => "the turn has begun (METR-9)".to_owned(),
            (_, Action::Keep) => "no tile was drawn (METR-10)".to_owned(),
            (Phase::More, Action::Spend) => {
                "no tile of the hand fits, so a token would buy nothing (METR-12)".to_owned()
            }
            (_, Action::Spend) => {
                "a token is spent after a tile was played, when no right is left (METR-12)".to_owned()
            }
            (Phase::Spent, Action::Stop) => "the token is spent: the tile has to be played (METR-12)".to_owned(),
            (_, Action::Stop) => "there is nothing to decline (METR-11)".to_owned(),
        };
        Refusal::new("", reason)
    }

    fn why_not_there(&self, state: &State, play: Play) -> String {
        let Play { tile, line, smaller_out } = play;
        let track = &self.deck.tracks()[usize::from(line)];
        let progress = state.lines[usize::from(line)];
        let name = &track.name;
        if state.open >> line & 1 == 0 {
            let is_closed = progress.tiles >= track.line.length;
            let why = if is_closed { "is closed" } else { "begins at a station that is not open yet" };
            return format!("{name} {why} (METR-4)");
        }
        if !track.allowed.contains(tile) {
            return format!("{name} is limited to {} (METR-7)", track.line.limits());
        }
        if progress.tiles == 0 && state.active >= MAX_ACTIVE && track.line.length > 1 {
            return format!("{MAX_ACTIVE} lines are active already (METR-5)");
        }
        if smaller_out && tile.is_double() {
            return "a double has one facing".to_owned();
        }
        let inward = play.inward_outward().0;
        format!("{name} ends with {}, not with {inward} (METR-6)", progress.end)
    }

    /// The play of a tile on a line with this half outwards.
    pub(in super::super) fn facing(tile: Tile, line: u8, outward: u8) -> Play {
        let (low, high) = tile.halves();
        Play { tile, line, smaller_out: outward == low && low != high }
    }
}
