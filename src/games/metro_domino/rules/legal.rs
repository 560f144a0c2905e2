//! What a player may do, and why not.

use super::super::tiles::{ALL, NUM_VALUES, Play, Tile, Tiles, WITH};
use super::limits::Facings;
use super::view::Stretch;
use super::{Action, MAX_ACTIVE, MetroDomino, OTHERS, Phase, State, View};
use crate::bits;
use crate::game::{Refusal, Wording};
use crate::rng;

/// For each value of a half, the open lines that take it next.
type Taking = [u64; NUM_VALUES as usize];

impl MetroDomino {
    /// Open lines that may get their first tile (METR-5).
    #[inline(always)]
    pub(in super::super) fn fresh(&self, open: u64, begun: u64, active: u8) -> u64 {
        // A line of one tile never becomes active.
        open & !begun & if active < MAX_ACTIVE { u64::MAX } else { self.limits.single }
    }

    #[inline(always)]
    fn taking(&self, state: &State) -> Taking {
        let begun = state.lines.begun();
        let mut taking = [self.fresh(state.open, begun, state.active); _];
        for line in bits::each(state.open & begun) {
            taking[usize::from(state.lines.end(line))] |= 1 << line;
        }
        taking
    }

    /// The lines that take a tile (METR-5 to METR-7).
    #[inline(always)]
    fn facings(&self, tile: Tile, taking: &Taking) -> Facings {
        let (low, high) = tile.halves();
        let Facings { larger_out, smaller_out } = self.limits.facings(tile);
        Facings {
            larger_out: larger_out & taking[usize::from(low)],
            smaller_out: smaller_out & taking[usize::from(high)],
        }
    }

    /// The tiles that some of these lines without tiles take.
    #[inline(always)]
    pub(in super::super) fn fit_fresh(&self, fresh: u64) -> Tiles {
        if fresh & self.limits.unlimited != 0 {
            return ALL;
        }
        Tiles(bits::each(fresh).fold(0, |tiles, line| tiles | self.limits.allowed[usize::from(line)].0))
    }

    /// The tiles that a line with this end takes next.
    #[inline(always)]
    pub(in super::super) fn fit_end(&self, line: u8, end: u8) -> Tiles {
        Tiles(self.limits.allowed[usize::from(line)].0 & WITH[usize::from(end)].0)
    }

    /// The tiles that some line takes next.
    #[inline(always)]
    pub(in super::super) fn fitting(&self, state: &State) -> Tiles {
        let begun = state.lines.begun();
        let fresh = self.fit_fresh(self.fresh(state.open, begun, state.active));
        let fit = |tiles: u64, line| tiles | self.fit_end(line, state.lines.end(line)).0;
        Tiles(bits::each(state.open & begun).fold(fresh.0, fit))
    }

    /// Whether no tile that is not on the table could ever be added to an open line (METR-4).
    pub(in super::super) fn is_out_of_service(&self, view: &View<'_>, line: u8) -> bool {
        let Stretch { end, is_open, .. } = view.line(line);
        let fits_the_end = end.map_or(ALL, |end| WITH[usize::from(end)]);
        let allowed = self.limits.allowed[usize::from(line)];
        is_open && allowed.0 & fits_the_end.0 & !view.laid_tiles().0 == 0
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
        state.hand().0 & self.fitting(state).0 != 0
    }

    /// Shows the lines that take each tile that may be played now, in the order of the tiles.
    #[inline(always)]
    pub(in super::super) fn each_playable(&self, state: &State, see: impl FnMut(Tile, Facings)) {
        self.each_of(Self::playable(state), state, see);
    }

    /// Shows the lines that take each of these tiles, in their order.
    #[inline(always)]
    pub(in super::super) fn each_of(&self, tiles: Tiles, state: &State, mut see: impl FnMut(Tile, Facings)) {
        let taking = self.taking(state);
        for tile in tiles.iter() {
            see(tile, self.facings(tile, &taking));
        }
    }

    /// How many plays are legal.
    #[inline(always)]
    pub(in super::super) fn num_plays(&self, state: &State) -> u32 {
        let mut count = 0;
        self.each_playable(state, |_, facings| count += facings.len());
        count
    }

    /// Every legal play, in the order of the ids.
    #[inline(always)]
    pub(in super::super) fn plays(&self, state: &State, mut see: impl FnMut(Play)) {
        self.each_playable(state, |tile, facings| facings.plays(tile).for_each(&mut see));
    }

    /// The legal actions of [`OTHERS`] as bits; in a turn it must be known whether a play is legal.
    #[inline(always)]
    pub(in super::super) fn legal_others(&self, state: &State, has_play: bool) -> u64 {
        const DRAW: u64 = 1;
        const PASS: u64 = 1 << 1;
        const KEEP: u64 = 1 << 2;
        const SPEND: u64 = 1 << 3;
        const STOP: u64 = 1 << 4;
        let turn = if state.store.is_empty() { PASS } else { DRAW };
        let more = if state.phase == Phase::More && self.can_play(state) { SPEND } else { 0 };
        // No branch on the phase, which is hard to predict.
        match state.phase {
            Phase::Turn => turn * u64::from(!has_play),
            Phase::Drawn { .. } => KEEP,
            Phase::Extra | Phase::More => STOP | more,
            Phase::Spent | Phase::Over => 0,
        }
    }

    /// The legal action that 64 random bits choose, found by counting: a list of all takes three times as long.
    #[inline(always)]
    pub(in super::super) fn choose(&self, state: &State, random: u64) -> Action {
        let taking = self.taking(state);
        let playable = Self::playable(state);
        let plays = playable.iter().map(|tile| self.facings(tile, &taking).len()).sum::<u32>();
        let others = self.legal_others(state, plays > 0);
        let mut number = rng::scale(random, plays + others.count_ones());
        for tile in playable.iter() {
            let facings = self.facings(tile, &taking);
            match number.checked_sub(facings.len()) {
                Some(rest) => number = rest,
                None => return facings.plays(tile).nth(number as usize).map_or(Action::Stop, Action::Play),
            }
        }
        OTHERS[bits::nth(others, number) as usize]
    }

    /// Whether a line takes a tile next, with this half outwards (METR-5 to METR-7).
    #[inline(always)]
    pub(super) fn fits(&self, state: &State, play: Play) -> bool {
        let Facings { larger_out, smaller_out } = self.limits.facings(play.tile);
        let lines = if play.smaller_out { smaller_out } else { larger_out };
        let begun = state.lines.begun();
        let is_matched = begun >> play.line & 1 == 1 && state.lines.end(play.line) == play.inward_outward().0;
        let fresh = self.fresh(state.open, begun, state.active) >> play.line & 1 == 1;
        (state.open & lines) >> play.line & 1 == 1 && (is_matched || fresh)
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
        let tiles = state.lines.tiles()[usize::from(line)];
        let name = &track.name;
        if state.open >> line & 1 == 0 {
            let is_closed = tiles >= track.line.length;
            let why = if is_closed { "is closed" } else { "begins at a station that is not open yet" };
            return Refusal::new("METR-4", format!("{name} {why}"));
        }
        if !track.allowed.contains(tile) {
            return Refusal::new("METR-7", format!("{name} is limited to {}", track.line.limits()));
        }
        if tiles == 0 && state.active >= MAX_ACTIVE && track.line.length > 1 {
            return Refusal::new("METR-5", format!("{MAX_ACTIVE} lines are active already"));
        }
        if smaller_out && tile.is_double() {
            return Refusal::new("", "a double has one facing");
        }
        let inward = play.inward_outward().0;
        Refusal::new("METR-6", format!("{name} ends with {}, not with {inward}", state.lines.end(line)))
    }

    /// The play of a tile on a line with this half outwards.
    pub(in super::super) fn facing(tile: Tile, line: u8, outward: u8) -> Play {
        let (low, high) = tile.halves();
        Play { tile, line, smaller_out: outward == low && low != high }
    }
}
