//! Dealing, and what a described position stands for.

use super::super::position::{Position, Reader};
use super::super::tiles::{ALL, Tiles};
use super::{HAND, Laid, Lines, MAX_OPENINGS, MetroDomino, Opening, Openings, Phase, STATIONS_TO_END, State};
use crate::game::Seat;
use crate::position_text::{by_seat, seat};
use crate::rng::Rng;

impl MetroDomino {
    /// A table without tiles.
    pub(super) fn before_the_deal(&self, first: Seat) -> State {
        State {
            lines: Lines::new(self.deck.tracks().len()),
            open: self.lines_of[0],
            active: 0,
            laid: Laid::default(),
            openings: Openings::default(),
            unopened: (1 << self.deck.stations().len()) - 2,
            hands: Default::default(),
            store: ALL,
            aside: Tiles::default(),
            tokens: [0; _],
            passes: 0,
            first,
            turn: first,
            phase: Phase::Turn,
            wins: [0; _],
            game: 0,
        }
    }

    /// Nine tiles for everybody (METR-2).
    pub(super) fn deal(&self, state: &mut State, rng: &mut Rng) {
        for hand in &mut state.hands[..self.players()] {
            *hand = Tiles(rng.subset(state.store.0, HAND));
            state.store.0 &= !hand.0;
        }
    }

    /// Deals what `viewer` has not seen among the others and the store, as many to each as they hold, until it fits
    /// what everybody sees: that a token was spent for a tile.
    pub(super) fn deal_unseen(&self, state: &mut State, viewer: Seat, rng: &mut Rng) {
        let others: Vec<usize> = (0..self.players()).filter(|&seat| seat != viewer.index()).collect();
        let unseen = others.iter().fold(state.store.0, |all, &seat| all | state.hands[seat].0);
        loop {
            let mut left = unseen;
            for &seat in &others {
                let hand = rng.subset(left, state.hands[seat].len() as u32);
                state.hands[seat] = Tiles(hand);
                left &= !hand;
            }
            state.store = Tiles(left);
            let turn = state.turn;
            if let (Phase::Drawn { .. }, true) = (state.phase, turn != viewer) {
                let drawn = rng.subset(state.hand().0, 1);
                if let Some(tile) = Tiles(drawn).iter().next() {
                    state.phase = Phase::Drawn { tile };
                }
            }
            if state.phase != Phase::Spent || self.can_play(state) {
                return;
            }
        }
    }

    /// A match as described.
    pub(in super::super) fn state_at(&self, position: &Position) -> Result<State, String> {
        let players = self.players();
        let seat_in = |number| seat(number, players);
        let read = Reader { deck: &self.deck };
        let mut state = self.before_the_deal(seat_in(position.first)?);
        for opened in &position.opened {
            let (station, line) = (read.station(&opened.station)?, read.line(&opened.line)?);
            if state.unopened >> station & 1 == 0 {
                return Err(format!("opened: {:?} is open already", opened.station));
            }
            if state.openings.len() == MAX_OPENINGS {
                return Err(format!("opened: more than {STATIONS_TO_END} for each player (METR-1)"));
            }
            state.unopened &= !(1 << station);
            state.open |= self.lines_of[usize::from(station)];
            state.openings.push(Opening { station, by: seat_in(opened.by)?.index() as u8, line });
        }
        let mut placed = Tiles::default();
        let mut place = |tiles: Tiles| {
            if placed.0 & tiles.0 != 0 {
                return Err("a tile is in two places".to_owned());
            }
            placed.0 |= tiles.0;
            Ok(())
        };
        for (name, tiles) in &position.lines {
            let line = read.line(name)?;
            if state.lines.begun() >> line & 1 == 1 {
                return Err(format!("lines: {name:?} is there twice"));
            }
            for text in tiles {
                let play = Reader::play(text, line)?;
                place(Tiles(1 << play.tile.0))?;
                state.laid.push(play);
                state.lines.add(line, play.inward_outward().1);
            }
        }
        for (number, track) in self.deck.tracks().iter().enumerate() {
            let tiles = state.lines.tiles()[number];
            if tiles >= track.line.length {
                state.open &= !(1 << number);
            }
            state.active += u8::from(tiles > 0 && tiles < track.line.length);
        }
        if position.hands.len() != self.players() {
            return Err(format!("hands: {} hands for {} players", position.hands.len(), self.players()));
        }
        for (hand, names) in state.hands.iter_mut().zip(&position.hands) {
            *hand = Reader::tiles(names)?;
            place(*hand)?;
        }
        if let Some(names) = &position.store {
            state.store = Reader::tiles(names)?;
            place(state.store)?;
            state.aside = Tiles(ALL.0 & !placed.0);
        } else {
            state.store = Tiles(ALL.0 & !placed.0);
        }
        state.tokens = by_seat("tokens", &position.tokens, players)?;
        state.passes = position.passes;
        state.turn = seat_in(position.turn)?;
        state.wins = by_seat("wins", &position.wins, players)?;
        state.game = position.game_number.checked_sub(1).ok_or("game_number: games are counted from 1")?;
        state.phase = match (&*position.phase, &position.drawn) {
            ("turn", None) => Phase::Turn,
            ("drawn", Some(text)) => Phase::Drawn { tile: Reader::tile(text)? },
            ("drawn", None) => return Err("phase \"drawn\": drawn is missing".to_owned()),
            ("extra", None) => Phase::Extra,
            ("more", None) => Phase::More,
            ("spent", None) => Phase::Spent,
            ("over", None) => Phase::Over,
            (_, Some(_)) => return Err("drawn: only in phase \"drawn\"".to_owned()),
            (other, None) => {
                return Err(format!("no phase {other:?}: the phases are turn, drawn, extra, more, spent, over"));
            }
        };
        Ok(state)
    }
}
