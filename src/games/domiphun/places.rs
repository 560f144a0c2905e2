//! What can be clicked: named by the actions, drawn by the picture.

use super::lattice::Direction;
use super::pieces::Facing;
use super::words::{end_name, facing_name, way_name};
use crate::drawing::Place;

/// A square of the own hand.
pub(super) fn square(value: u8) -> Place {
    Place::new("square", value.to_string())
}

/// A domino of the own hand, in the traditional game; either way round.
pub(super) fn domino(Facing { inner, outer }: Facing) -> Place {
    let upright = Facing { inner: inner.min(outer), outer: inner.max(outer) };
    Place::new("domino", facing_name(upright))
}

/// What a domino is taken from in the own hand: its squares, or itself in the traditional game.
pub(super) fn sources(facing: Facing) -> [Vec<Place>; 2] {
    [vec![square(facing.inner), square(facing.outer)], vec![domino(facing)]]
}

/// The own Starjoiners.
pub(super) fn starjoiner() -> Place {
    Place::only("starjoiner")
}

/// The pieces that can be taken.
pub(super) fn pool() -> Place {
    Place::only("pool")
}

/// An end of the path.
pub(super) fn end(number: u8) -> Place {
    Place::new("end", end_name(number))
}

/// A square of the construction.
pub(super) fn plate(number: u8) -> Place {
    Place::new("plate", number.to_string())
}

/// Where the chosen domino may go.
pub(super) fn side(side: Direction, heading: Direction) -> Place {
    Place::new("side", way_name(side, heading))
}
