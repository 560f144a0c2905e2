//! What any processor can do. Kept out of line, so that the vector code stays small.

use super::{Flag, OnSets, Sets};

#[cold]
#[inline(never)]
pub fn with_sets<W: OnSets<N>, const N: usize>(work: W) -> W::Output {
    work.run::<[u64; N]>()
}

#[cold]
#[inline(never)]
pub fn spread<T: Flag>(set: u64, out: &mut [T; 64]) {
    for (bit, flag) in out.iter_mut().enumerate() {
        *flag = T::from(set >> bit & 1 == 1);
    }
}

#[cold]
#[inline(never)]
pub fn spread_short<T: Flag>(set: u64, out: &mut [T]) {
    let mut flags = [T::from(false); 64];
    super::spread(set, &mut flags);
    out.copy_from_slice(&flags[..out.len()]);
}

#[cold]
#[inline(never)]
pub fn spread_two(ones: u64, twos: u64, out: &mut [u8; 64]) {
    for (bit, entry) in out.iter_mut().enumerate() {
        *entry = (ones >> bit & 1 | (twos >> bit & 1) << 1) as u8;
    }
}

#[cold]
#[inline(never)]
pub fn gather(bytes: &[u8; 64]) -> u64 {
    bytes.iter().rev().fold(0, |set, &byte| set << 1 | u64::from(byte != 0))
}

#[cold]
#[inline(never)]
pub fn in_turn([first, second]: [u32; 2]) -> u64 {
    let place = |bit: u32| u64::from(first >> bit & 1) << (2 * bit) | u64::from(second >> bit & 1) << (2 * bit + 1);
    (0..32).map(place).sum()
}

#[cold]
#[inline(never)]
pub fn nth(mut bits: u64, n: u32) -> u32 {
    for _ in 0..n {
        bits &= bits.wrapping_sub(1);
    }
    bits.trailing_zeros()
}

impl<const N: usize> Sets<N> for [u64; N] {
    fn of(sets: [u64; N]) -> Self {
        sets
    }

    fn all(set: u64) -> Self {
        [set; N]
    }

    fn and(self, other: Self) -> Self {
        std::array::from_fn(|i| self[i] & other[i])
    }

    fn or(self, other: Self) -> Self {
        std::array::from_fn(|i| self[i] | other[i])
    }

    fn without(self, other: Self) -> Self {
        std::array::from_fn(|i| self[i] & !other[i])
    }

    fn lowest(self) -> Self {
        self.map(|set| set & set.wrapping_neg())
    }

    fn below(self) -> Self {
        self.map(|set| set.wrapping_sub(1))
    }

    fn up(self, places: [u64; N]) -> Self {
        std::array::from_fn(|i| self[i] << places[i])
    }

    fn down(self, places: [u64; N]) -> Self {
        std::array::from_fn(|i| self[i] >> places[i])
    }

    fn where_any(self, condition: Self) -> Self {
        std::array::from_fn(|i| if condition[i] == 0 { 0 } else { self[i] })
    }

    fn union(self) -> u64 {
        self.into_iter().fold(0, |union, set| union | set)
    }

    fn sets(self) -> [u64; N] {
        self
    }
}
