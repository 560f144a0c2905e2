//! What lies on the table: the dominoes, the ends of the path, and in the advanced game the construction.

use serde::{Deserialize, Serialize};

use super::super::lattice::{Construction, Fit, Joiner, Joint, Spot};
use super::super::pieces::{Domino, Facing, NUM_DOMINOES};
use super::super::position::{Play, Where};
use super::MAX_ENDS;
use crate::list::List;

/// A domino on the table, and the end at which it was played.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug, Serialize, Deserialize)]
pub struct Laid {
    /// Which way round.
    pub domino: Facing,
    /// The number of the end; 0 for the first domino.
    pub end: u8,
    /// Whether a Starjoiner closed the end before (DOMI-17).
    pub is_restart: bool,
}

/// An end of the path.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug, Serialize, Deserialize)]
pub struct End {
    /// The number of the square.
    pub plate: u8,
    /// Its value.
    pub value: u8,
}

/// Everything that has been played in a game.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Table {
    pub(super) ends: List<End, MAX_ENDS>,
    pub(super) laid: List<Laid, NUM_DOMINOES>,
    /// The dominoes in space, in the advanced game.
    pub(super) construction: Option<Box<Construction>>,
}

impl Table {
    pub(super) fn new(is_advanced: bool) -> Self {
        let construction = is_advanced.then(|| Box::new(Construction::new()));
        Self { ends: List::new(), laid: List::new(), construction }
    }

    /// Lays the first domino (DOMI-5).
    pub(super) fn open(&mut self, domino: Domino) {
        let domino = domino.facing();
        self.laid.push(Laid { domino, end: 0, is_restart: false });
        self.ends =
            [End { plate: 0, value: domino.inner }, End { plate: 1, value: domino.outer }].into_iter().collect();
        if let Some(construction) = &mut self.construction {
            **construction = Construction::begun(domino);
        }
        self.remember_ends();
    }

    /// Puts a domino at an end (DOMI-6).
    #[inline(always)]
    pub(super) fn extend(&mut self, domino: Facing, end: u8) {
        self.go_on(Laid { domino, end, is_restart: false });
    }

    #[inline(always)]
    fn go_on(&mut self, laid: Laid) {
        let Laid { domino, end, .. } = laid;
        self.laid.push(laid);
        self.ends[usize::from(end)] = End { plate: 2 * self.laid.len() as u8 - 1, value: domino.outer };
    }

    /// Puts a domino where it fits in space; `forks` if an X joiner leaves an end (DOMI-20).
    #[inline(always)]
    pub(super) fn join(&mut self, domino: Facing, end: u8, spot: Spot, fit: Fit, forks: bool) {
        let Some(construction) = &mut self.construction else { return };
        construction.join(domino, spot, fit);
        let from = self.ends[usize::from(end)];
        let is_restart = from.plate != spot.plate;
        self.go_on(Laid { domino, end, is_restart });
        if forks && fit.joiner == Joiner::X && !is_restart {
            self.ends.push(from);
        }
        self.remember_ends();
    }

    /// Nearly all plays are made at the first two ends.
    #[inline(always)]
    fn remember_ends(&mut self) {
        if let (Some(construction), [one, other, ..]) = (&mut self.construction, &*self.ends) {
            construction.remember([one.plate, other.plate]);
        }
    }

    /// Closes an end (DOMI-17).
    pub(super) fn close(&mut self, end: u8) {
        if let Some(construction) = &mut self.construction {
            construction.close(self.ends[usize::from(end)].plate);
        }
    }

    #[inline(always)]
    pub(super) fn end(&self, end: u8) -> Option<End> {
        self.ends.get(usize::from(end)).copied()
    }

    /// The ends of the path.
    #[inline(always)]
    #[must_use]
    pub fn ends(&self) -> &[End] {
        &self.ends
    }

    /// The dominoes in their order.
    #[inline(always)]
    #[must_use]
    pub fn laid(&self) -> &[Laid] {
        &self.laid
    }

    /// The dominoes in space, in the advanced game.
    #[inline(always)]
    #[must_use]
    pub fn construction(&self) -> Option<&Construction> {
        self.construction.as_deref()
    }

    /// The values along the path, from end A to end B; there is no fork.
    #[must_use]
    pub fn path(&self) -> Vec<u8> {
        let mut path = std::collections::VecDeque::new();
        for Laid { domino, end, .. } in &*self.laid {
            if *end == 0 && !path.is_empty() {
                path.push_front(domino.inner);
                path.push_front(domino.outer);
            } else {
                path.push_back(domino.inner);
                path.push_back(domino.outer);
            }
        }
        path.into()
    }

    /// The plays that made the table.
    pub(in super::super) fn plays(&self) -> impl Iterator<Item = Play> {
        self.laid.iter().enumerate().map(|(number, laid)| {
            let joint = self.construction.as_deref().and_then(|construction| construction.joint(number));
            let at = joint.map(|Joint { spot, .. }| Where {
                plate: laid.is_restart.then_some(spot.plate),
                side: spot.side,
                heading: spot.heading,
            });
            Play { domino: laid.domino, end: (number > 0).then_some(laid.end), at }
        })
    }
}
