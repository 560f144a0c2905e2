//! Dealing, and what a described position stands for.

use super::super::lattice::{Joiner, Spot};
use super::super::pieces::{NUM_DOMINOES, Pieces};
use super::super::position::{Play, Position, Where};
use super::super::words::end_name;
use super::legal::why_unfit;
use super::{Domiphun, MAX_ENDS, PLAIN_DOMINOES, Phase, State, Table};
use crate::bits;
use crate::game::Seat;
use crate::position_text::{by_seat, seat};
use crate::rng::Rng;

impl Domiphun {
    /// A table without pieces.
    pub(super) fn before_the_deal(&self, first: Seat) -> State {
        let pool = self.pieces;
        let mut x_joiners = [0; _];
        x_joiners[..self.players()].fill(self.x_joiners);
        State {
            hands: [pool.none(); _],
            pool,
            aside: pool.none(),
            table: Table::new(self.is_advanced()),
            x_joiners,
            starjoiners: self.starjoiners,
            taken: 0,
            misses: 0,
            first,
            turn: first,
            phase: Phase::Turn,
            wins: [0; _],
            points: [0; _],
            game: 0,
        }
    }

    /// Deals from a full pool; with wide instructions, as a match is short.
    pub(super) fn deal(&self, state: &mut State, rng: &mut Rng) {
        bits::wide(
            #[inline(always)]
            || {
                for hand in &mut state.hands[..self.players()] {
                    state.pool.give_many(hand, self.hand, rng);
                }
            },
        );
    }

    /// Deals what `viewer` has not seen among the others and the pool, as many to each as they hold, until it fits what
    /// everybody sees: that a Starjoiner was put for a domino, and that the game goes on. When it is over, all is seen.
    pub(super) fn deal_unseen(&self, state: &mut State, viewer: Seat, rng: &mut Rng) {
        if state.phase == Phase::Over {
            return;
        }
        let others = || (0..self.players()).filter(|&seat| seat != viewer.index());
        let sizes = state.hands.map(Pieces::len);
        loop {
            for seat in others() {
                state.pool.add(state.hands[seat]);
                state.hands[seat] = state.pool.none();
            }
            for seat in others() {
                state.pool.give_many(&mut state.hands[seat], sizes[seat] as u8, rng);
            }
            let fits = match state.phase {
                Phase::Star { .. } => Self::can_restart(state),
                Phase::Plate { .. } | Phase::Place { .. } => true,
                Phase::Turn | Phase::Over => !self.is_blocked(state),
            };
            if fits {
                return;
            }
        }
    }

    /// The table after these plays, if they are possible (DOMI-5, DOMI-6, DOMI-12 to DOMI-17).
    pub(super) fn table_of(&self, plays: &[Play]) -> Result<Table, String> {
        let mut table = Table::new(self.is_advanced());
        for (number, &play) in plays.iter().enumerate() {
            self.lay(&mut table, play).map_err(|message| format!("laid, domino {}: {message}", number + 1))?;
        }
        Ok(table)
    }

    fn lay(&self, table: &mut Table, play: Play) -> Result<(), String> {
        let Play { domino: facing, end, at } = play;
        let domino = facing.domino().ok_or("the values are 0 to 6 (DOMI-1)")?;
        if table.laid.len() == NUM_DOMINOES || table.ends.len() == MAX_ENDS {
            return Err("more pieces than there are (DOMI-1)".to_owned());
        }
        let Some(end) = end else {
            if !table.laid.is_empty() {
                return Err("it names no end (DOMI-6)".to_owned());
            }
            table.open(domino);
            return Ok(());
        };
        let from = table.end(end).ok_or_else(|| format!("there is no end {} (DOMI-6)", end_name(end)))?;
        let Some(construction) = &table.construction else {
            if at.is_some() {
                return Err("only the advanced game has sides (DOMI-13)".to_owned());
            }
            if from.value != facing.inner {
                return Err(format!("the end shows {}, not {} (DOMI-6)", from.value, facing.inner));
            }
            table.extend(facing, end);
            return Ok(());
        };
        let Where { plate, side, heading } = at.ok_or("it names no side (DOMI-13)")?;
        let is_restart = plate.is_some();
        let spot = Spot { plate: plate.unwrap_or(from.plate), side, heading };
        let Some(&value) = construction.values().get(usize::from(spot.plate)) else {
            return Err(format!("there is no square {}", spot.plate));
        };
        if value != facing.inner {
            return Err(format!("the square shows {value}, not {} (DOMI-6)", facing.inner));
        }
        if construction.is_closed(spot.plate) || is_restart && spot.plate == from.plate {
            return Err("the square holds a Starjoiner (DOMI-17)".to_owned());
        }
        let fit = construction.fit(spot).map_err(|misfit| why_unfit(construction, spot, misfit).to_string())?;
        if (fit.joiner == Joiner::X || is_restart) && table.laid.len() < PLAIN_DOMINOES {
            return Err("the first four are played without X joiners and Starjoiners (DOMI-12)".to_owned());
        }
        if !construction.balance().stands_with(fit.places) {
            let distance = construction.balance().distance_with(fit.places);
            return Err(format!("it topples: the centre of mass lies {distance} beyond the support (DOMI-16)"));
        }
        if is_restart {
            table.close(end);
        }
        table.join(facing, end, spot, fit, self.options.fork);
        Ok(())
    }

    /// A match as described.
    pub(in super::super) fn state_at(&self, position: &Position) -> Result<State, String> {
        let players = self.players();
        let seat_in = |number| seat(number, players);
        let mut state = self.before_the_deal(seat_in(position.first)?);
        state.table = self.table_of(&position.plays()?)?;
        state.phase = self.phase_at(position, &mut state.table)?;

        let mut left = self.pieces;
        let laid = state.table.laid.iter().map(|laid| laid.domino);
        for domino in laid.chain(state.phase.domino()) {
            left.take_domino(domino, self.options.values)?;
        }
        if position.hands.len() != players {
            return Err(format!("hands: {} hands for {players} players", position.hands.len()));
        }
        for (hand, pieces) in state.hands.iter_mut().zip(&position.hands) {
            *hand = left.take_all(pieces, self.options.values)?;
        }
        (state.pool, state.aside) = match &position.pool {
            Some(pieces) => (left.take_all(pieces, self.options.values)?, left),
            None => (left, left.none()),
        };
        if let Some(numbers) = &position.x_joiners {
            state.x_joiners = by_seat("x_joiners", numbers, players)?;
        }
        if let Some(numbers) = &position.starjoiners {
            state.starjoiners = by_seat("starjoiners", numbers, players)?;
        }
        state.taken = position.taken;
        state.misses = position.misses;
        state.turn = seat_in(position.turn)?;
        state.wins = by_seat("wins", &position.wins, players)?;
        state.points = by_seat("points", &position.points, players)?;
        state.game = position.game_number.checked_sub(1).ok_or("game_number: games are counted from 1")?;
        Ok(state)
    }

    /// What is being decided, with the end closed on which a Starjoiner was put.
    fn phase_at(&self, position: &Position, table: &mut Table) -> Result<Phase, String> {
        let (end, domino) = (position.end()?, position.domino()?);
        let phase = match (&*position.phase, end, domino, position.plate) {
            ("turn", None, None, None) => return Ok(Phase::Turn),
            ("over", None, None, None) => return Ok(Phase::Over),
            ("star", Some(end), None, None) => Phase::Star { end },
            ("plate", Some(end), Some(domino), None) => Phase::Plate { end, domino },
            ("place", Some(end), Some(domino), plate) => {
                let at = table.end(end).map_or(0, |end| end.plate);
                Phase::Place { end, domino, plate: plate.unwrap_or(at) }
            }
            ("turn" | "over", ..) => return Err("end, domino and plate: only in the middle of a play".to_owned()),
            ("star", ..) => return Err("phase \"star\" has an end, no domino and no plate".to_owned()),
            ("plate", ..) => return Err("phase \"plate\" has an end, a domino and no plate".to_owned()),
            ("place", ..) => return Err("phase \"place\" has an end and a domino".to_owned()),
            (other, ..) => return Err(format!("no phase {other:?}: the phases are turn, star, plate, place, over")),
        };
        if !self.is_advanced() {
            return Err(format!("phase {:?}: only in the advanced game", position.phase));
        }
        let end = end.filter(|&end| table.end(end).is_some()).ok_or("end: there is no such end")?;
        if phase.plate().is_none() || position.plate.is_some() {
            table.close(end);
        }
        Ok(phase)
    }
}
