//! The five arrays that a step fills: owned by the caller, one row per lane.

use ndarray::{Array1, Array2, ArrayView1, ArrayViewMut1, ArrayViewMut2, Axis};

use crate::error::Error;
use crate::game::Encode;

/// How the match of a lane stands; a row holds its number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Status {
    /// It goes on.
    Running,
    /// It ended by the rules.
    Over,
    /// It was cut off after as many decisions as it may have.
    CutOff,
}

/// How long a row of each array is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Widths {
    /// Bytes of an observation.
    pub observation: usize,
    /// Number of actions.
    pub mask: usize,
    /// Number of seats.
    pub reward: usize,
    /// Bytes of the facts about an action.
    pub facts: usize,
}

impl Widths {
    /// The widths of a game's rows.
    #[inline(always)]
    pub fn of<R: Encode>(rules: &R) -> Self {
        Self {
            observation: rules.observation().size(),
            mask: rules.actions().size(),
            reward: rules.num_seats(),
            facts: rules.facts().size(),
        }
    }
}

/// Borrowed output of a batch call.
pub struct Rows<'a> {
    /// What the seat to act knows.
    pub observation: ArrayViewMut2<'a, u8>,
    /// What it may do; all zero when the match is over.
    pub mask: ArrayViewMut2<'a, i8>,
    /// Who decides; −1 when the match is over.
    pub seat: ArrayViewMut1<'a, i8>,
    /// Change of returns in this step, every seat.
    pub reward: ArrayViewMut2<'a, f32>,
    /// The number of a [`Status`].
    pub status: ArrayViewMut1<'a, u8>,
}

impl<'a> Rows<'a> {
    /// Fails unless there is a row per lane, of the right width, in C order.
    pub fn check(&self, lanes: usize, widths: Widths) -> Result<(), Error> {
        let two = |array, got: &[usize], width, contiguous| check(array, got, &[lanes, width], contiguous);
        let one = |array, got: &[usize], contiguous| check(array, got, &[lanes], contiguous);
        two("observation", self.observation.shape(), widths.observation, self.observation.is_standard_layout())?;
        two("mask", self.mask.shape(), widths.mask, self.mask.is_standard_layout())?;
        one("seat", self.seat.shape(), self.seat.is_standard_layout())?;
        two("reward", self.reward.shape(), widths.reward, self.reward.is_standard_layout())?;
        one("status", self.status.shape(), self.status.is_standard_layout())
    }

    /// The first `lanes` rows and the rest.
    #[must_use]
    pub fn split_at(self, lanes: usize) -> (Self, Self) {
        let (observation, observation_rest) = self.observation.split_at(Axis(0), lanes);
        let (mask, mask_rest) = self.mask.split_at(Axis(0), lanes);
        let (seat, seat_rest) = self.seat.split_at(Axis(0), lanes);
        let (reward, reward_rest) = self.reward.split_at(Axis(0), lanes);
        let (status, status_rest) = self.status.split_at(Axis(0), lanes);
        (
            Self { observation, mask, seat, reward, status },
            Self {
                observation: observation_rest,
                mask: mask_rest,
                seat: seat_rest,
                reward: reward_rest,
                status: status_rest,
            },
        )
    }

    /// The rewards of all rows, one after another, and the rest. They passed `check`.
    #[inline(always)]
    pub(crate) fn into_parts(self, widths: Widths) -> (&'a mut [f32], RowsLeft<'a>) {
        let left = RowsLeft {
            observation: self.observation.into_slice().unwrap_or_default(),
            mask: self.mask.into_slice().unwrap_or_default(),
            seat: self.seat.into_slice().unwrap_or_default(),
            status: self.status.into_slice().unwrap_or_default(),
            widths,
        };
        (self.reward.into_slice().unwrap_or_default(), left)
    }
}

/// Rows that are still to be written, without their rewards.
pub(crate) struct RowsLeft<'a> {
    observation: &'a mut [u8],
    mask: &'a mut [i8],
    seat: &'a mut [i8],
    status: &'a mut [u8],
    widths: Widths,
}

impl<'a> RowsLeft<'a> {
    /// The next rows, as many as there are up to this number.
    #[inline(always)]
    pub(crate) fn next(&mut self, lanes: usize) -> impl Iterator<Item = Row<'a>> + use<'a> {
        let lanes = lanes.min(self.seat.len());
        let Widths { observation, mask, .. } = self.widths;
        let observations = self.observation.split_off_mut(..lanes * observation).unwrap_or_default();
        let masks = self.mask.split_off_mut(..lanes * mask).unwrap_or_default();
        let seats = self.seat.split_off_mut(..lanes).unwrap_or_default();
        let statuses = self.status.split_off_mut(..lanes).unwrap_or_default();
        let large = observations.chunks_exact_mut(observation).zip(masks.chunks_exact_mut(mask));
        let small = seats.iter_mut().zip(statuses);
        large.zip(small).map(|((observation, mask), (seat, status))| Row { observation, mask, seat, status })
    }
}

/// Borrowed room for the legal actions of all lanes, one after another.
pub struct ActionRows<'a> {
    /// The ids of the actions.
    pub ids: &'a mut [i32],
    /// The facts about them, a row each, one after another.
    pub facts: &'a mut [u8],
    /// Where the actions of each lane begin, and where the last ones end: one number more than there are lanes.
    pub offsets: &'a mut [i64],
}

impl ActionRows<'_> {
    /// Fails unless every array has as much room as the ids.
    pub fn check(&self, lanes: usize, width: usize) -> Result<(), Error> {
        check("offsets", &[self.offsets.len()], &[lanes + 1], true)?;
        check("facts", &[self.facts.len()], &[self.ids.len() * width], true)
    }

    /// Room for the first `lanes` with so many actions, without the end of the last, and the rest.
    fn split_at(self, lanes: usize, actions: usize, width: usize) -> (Self, Self) {
        let (ids, ids_rest) = self.ids.split_at_mut(actions.min(self.ids.len()));
        let (facts, facts_rest) = self.facts.split_at_mut((actions * width).min(self.facts.len()));
        let (offsets, offsets_rest) = self.offsets.split_at_mut(lanes.min(self.offsets.len()));
        (Self { ids, facts, offsets }, Self { ids: ids_rest, facts: facts_rest, offsets: offsets_rest })
    }

    /// Room for runs of `share` lanes each, of which each has so many actions.
    pub(crate) fn split(self, share: usize, actions: &[usize], width: usize) -> Vec<Self> {
        let mut rest = self;
        let run = |&count: &usize| {
            let taken = std::mem::replace(&mut rest, Self { ids: &mut [], facts: &mut [], offsets: &mut [] });
            let (run, later) = taken.split_at(share, count, width);
            rest = later;
            run
        };
        actions.iter().map(run).collect()
    }
}

/// What belongs to one lane, beside its rewards.
pub(crate) struct Row<'a> {
    pub observation: &'a mut [u8],
    pub mask: &'a mut [i8],
    pub seat: &'a mut i8,
    pub status: &'a mut u8,
}

/// Fails unless the array has the expected shape and lies in C order.
pub fn check(array: &'static str, got: &[usize], expected: &[usize], contiguous: bool) -> Result<(), Error> {
    let refuse = |got: String| Err(Error::Array { array, expected: format!("shape {}", tuple(expected)), got });
    if got != expected {
        return refuse(format!("shape {}", tuple(got)));
    }
    if !contiguous {
        return refuse(format!("shape {} in another memory order (C order is needed)", tuple(got)));
    }
    Ok(())
}

/// Fails unless there is one action per lane.
pub fn check_actions(actions: &ArrayView1<'_, i32>, lanes: usize) -> Result<(), Error> {
    check("actions", actions.shape(), &[lanes], actions.is_standard_layout())
}

/// A shape as Python writes it.
#[must_use]
pub fn tuple(shape: &[usize]) -> String {
    match shape {
        [one] => format!("({one},)"),
        many => format!("({})", many.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")),
    }
}

/// Owned arrays for callers in Rust.
#[derive(Clone, PartialEq, Debug)]
pub struct Buffers {
    /// See [`Rows::observation`].
    pub observation: Array2<u8>,
    /// See [`Rows::mask`].
    pub mask: Array2<i8>,
    /// See [`Rows::seat`].
    pub seat: Array1<i8>,
    /// See [`Rows::reward`].
    pub reward: Array2<f32>,
    /// See [`Rows::status`].
    pub status: Array1<u8>,
}

impl Buffers {
    /// Arrays of zeros.
    #[must_use]
    pub fn new(lanes: usize, widths: Widths) -> Self {
        Self {
            observation: Array2::zeros((lanes, widths.observation)),
            mask: Array2::zeros((lanes, widths.mask)),
            seat: Array1::zeros(lanes),
            reward: Array2::zeros((lanes, widths.reward)),
            status: Array1::zeros(lanes),
        }
    }

    /// Lends the arrays to a batch call.
    pub fn rows(&mut self) -> Rows<'_> {
        Rows {
            observation: self.observation.view_mut(),
            mask: self.mask.view_mut(),
            seat: self.seat.view_mut(),
            reward: self.reward.view_mut(),
            status: self.status.view_mut(),
        }
    }
}
