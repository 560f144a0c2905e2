//! A decision in every lane for those who learn there, as vector environments ask for it.

use numpy::PyArray1;
use pyo3::prelude::*;

use crate::batch::LEAVE;
use crate::bits;
use crate::rows::{Rows, Status};

/// See [`Outcome`]; the numbers are of `ended` and `idle`.
pub type Played<'py> =
    (Bound<'py, PyArray1<f64>>, Bound<'py, PyArray1<bool>>, Bound<'py, PyArray1<bool>>, usize, usize);

/// What came of a decision in every lane.
pub struct Outcome {
    /// What those who learn have earned.
    rewards: Vec<f64>,
    /// Whether the match is over by the rules.
    over: Vec<bool>,
    /// Whether it was cut off.
    cut_off: Vec<bool>,
    /// How many lanes are either.
    ended: usize,
    /// In how many of them the match had just begun, without a decision for a caller.
    idle: usize,
}

/// What a batch is told: held lanes are left alone, anything will do where a match is over, and what is no id of an action
/// becomes a number that is none. `status` is that of the last call.
pub fn orders(actions: &[i64], held: Option<&[bool]>, status: &[u8], num_actions: usize) -> Vec<i32> {
    bits::wide(
        #[inline(always)]
        || {
            let order = |(&action, &status): (&i64, &u8)| {
                let id = (action as u64).min(num_actions as u64) as i32;
                if is_over(status) { 0 } else { id }
            };
            let mut orders: Vec<i32> = actions.iter().zip(status).map(order).collect();
            for (order, &held) in orders.iter_mut().zip(held.unwrap_or_default()) {
                *order = if held { LEAVE } else { *order };
            }
            orders
        },
    )
}

/// In how many of the chosen lanes the match does not go on.
pub fn num_over(chosen: &[bool], rows: &Rows<'_>) -> usize {
    chosen.iter().zip(status(rows)).filter(|&(&chosen, &status)| chosen && is_over(status)).count()
}

/// How the matches stand.
pub fn status<'a>(rows: &'a Rows<'_>) -> &'a [u8] {
    rows.status.as_slice().unwrap_or_default()
}

#[inline(always)]
fn is_over(status: u8) -> bool {
    status != Status::Running as u8
}

impl Outcome {
    /// After a step by such orders; `learners` are the seats of those who learn, `before` is how the matches stood.
    pub fn of(orders: &[i32], before: &[u8], learners: &[isize], rows: &Rows<'_>) -> Self {
        bits::wide(
            #[inline(always)]
            || {
                let (seats, after) = (rows.reward.ncols(), status(rows));
                let rewards = rows.reward.as_slice().unwrap_or_default().chunks_exact(seats);
                let earned =
                    |(rewards, &seat): (&[f32], &isize)| f64::from(rewards.get(seat as usize).copied().unwrap_or(0.0));
                let both = orders.iter().zip(before).zip(after);
                let idle = both.map(|((&order, &before), &after)| order != LEAVE && is_over(before) && is_over(after));
                Self {
                    rewards: rewards.zip(learners).map(earned).collect(),
                    over: after.iter().map(|&after| after == Status::Over as u8).collect(),
                    cut_off: after.iter().map(|&after| after == Status::CutOff as u8).collect(),
                    ended: after.iter().map(|&after| usize::from(is_over(after))).sum(),
                    idle: idle.map(usize::from).sum(),
                }
            },
        )
    }

    /// As arrays of their own.
    pub fn to_python<'py>(&self, py: Python<'py>) -> Played<'py> {
        (
            PyArray1::from_slice(py, &self.rewards),
            PyArray1::from_slice(py, &self.over),
            PyArray1::from_slice(py, &self.cut_off),
            self.ended,
            self.idle,
        )
    }
}
