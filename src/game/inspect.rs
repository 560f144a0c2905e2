use super::{Looks, Seat, Show, Statistic, Viewer};
use crate::drawing::{Picture, Place};
use crate::rng::Rng;

/// What an analyst sees of a match at any moment: figures of the table, who holds which piece, where pieces are laid.
///
/// Most of it is asked only where tables of states or pieces are recorded. A game without such things leaves them out.
pub trait Inspect: Show {
    /// The game's own columns of a table of states.
    const FIGURES: &'static [Statistic] = &[];

    /// Writes [`Inspect::FIGURES`] as they are now, in their order: one each, or one for each seat.
    fn figures(&self, _: &Self::State, _: &mut [i32]) {}

    /// Whose the first turn of a match is, at its start.
    fn begins(&self, state: &Self::State) -> Option<Seat> {
        self.to_act(state)
    }

    /// The kinds of pieces that seats hold and lay: cards, tiles. Their order is that of the numbers.
    fn pieces(&self) -> Vec<String> {
        Vec::new()
    }

    /// Where pieces are laid, as it is called in the picture.
    fn spots(&self) -> Vec<Place> {
        Vec::new()
    }

    /// The table with all spots in it, to mark them; the hands do not matter.
    fn ground(&self, state: &Self::State) -> Picture {
        self.picture(state, Viewer::Seat(Seat::new(0)), None, Looks::default())
    }

    /// Adds one for every piece that a seat holds, by kind. A piece on its way to where it will lie is still held.
    fn count_hand(&self, _: &Self::State, _: Seat, _: &mut [u8]) {}

    /// Appends what comes to lie for good by a legal action.
    fn lays(&self, _: &Self::State, _: Self::Action, _: &mut Vec<Lay>) {}

    /// The number of the deal, from 0: another one means that all hands are dealt anew. The last one stays until the
    /// match is over, and so do the hands.
    fn deal(&self, _: &Self::State) -> u32 {
        0
    }

    /// The hands as a legal action leaves them before they are dealt anew, if it may end a deal and does more to them
    /// than lay pieces: if it draws, or puts something back. The generator is a copy of the one that
    /// [`super::Rules::apply`] gets.
    fn closing(&self, _: &Self::State, _: Self::Action, _: &mut Rng) -> Option<Self::State> {
        None
    }
}

/// A piece that is laid.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Lay {
    /// Whose it is.
    pub seat: Seat,
    /// Its kind: an index of [`Inspect::pieces`].
    pub piece: u16,
    /// Where it comes to lie: an index of [`Inspect::spots`].
    pub spot: Option<u16>,
}
