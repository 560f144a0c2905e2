//! Sets of numbers below 256 as bits: hands of cards, regions that fit a place.

use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, Sub, SubAssign};

use serde::{Deserialize, Serialize};

use crate::bits;

/// A set of numbers below 256.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Set([u64; 4]);

impl Set {
    /// Nothing.
    pub const EMPTY: Self = Self([0; 4]);
    /// Every number.
    pub const ALL: Self = Self([u64::MAX; 4]);

    /// The numbers below `end`.
    #[must_use]
    pub fn below(end: usize) -> Self {
        (0..end).map(|number| number as u8).collect()
    }

    /// Whether `number` is a member.
    #[inline(always)]
    #[must_use]
    pub const fn contains(&self, number: u8) -> bool {
        self.0[number as usize >> 6] >> (number & 63) & 1 == 1
    }

    /// Adds a number.
    #[inline(always)]
    pub const fn insert(&mut self, number: u8) {
        self.0[number as usize >> 6] |= 1 << (number & 63);
    }

    /// Takes a number away.
    #[inline(always)]
    pub const fn remove(&mut self, number: u8) {
        self.0[number as usize >> 6] &= !(1 << (number & 63));
    }

    /// The same set where a condition holds, else the empty one; without a branch.
    #[inline(always)]
    #[must_use]
    pub fn only_if(self, condition: bool) -> Self {
        let mask = u64::from(condition).wrapping_neg();
        Self(self.0.map(|word| word & mask))
    }

    /// How many members there are.
    #[inline(always)]
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Whether there are none.
    #[inline(always)]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0[0] | self.0[1] | self.0[2] | self.0[3] == 0
    }

    /// Whether the two have a member in common.
    #[inline(always)]
    #[must_use]
    pub fn meets(self, other: Self) -> bool {
        !(self & other).is_empty()
    }

    /// The `n`-th member, counted from 0 at the lowest.
    #[inline]
    #[must_use]
    pub fn nth(&self, mut n: u32) -> Option<u8> {
        for (index, &word) in self.0.iter().enumerate() {
            let here = word.count_ones();
            if n < here {
                return Some(index as u8 * 64 + bits::nth(word, n) as u8);
            }
            n -= here;
        }
        None
    }

    /// The members, lowest first.
    #[inline(always)]
    pub fn iter(self) -> impl Iterator<Item = u8> {
        let mut words = self.0;
        let mut index = 0;
        std::iter::from_fn(move || {
            while words[index] == 0 {
                if index == 3 {
                    return None;
                }
                index += 1;
            }
            let number = index as u8 * 64 + words[index].trailing_zeros() as u8;
            words[index] &= words[index] - 1;
            Some(number)
        })
    }

    /// Shows the members, lowest first; faster than [`Set::iter`] where there are few.
    #[inline(always)]
    pub fn for_each(self, mut see: impl FnMut(u8)) {
        for (index, mut word) in self.0.into_iter().enumerate() {
            while word != 0 {
                see(index as u8 * 64 + word.trailing_zeros() as u8);
                word &= word - 1;
            }
        }
    }

    /// The members as bits, 64 numbers a word.
    #[inline(always)]
    #[must_use]
    pub const fn words(self) -> [u64; 4] {
        self.0
    }
}

impl FromIterator<u8> for Set {
    fn from_iter<I: IntoIterator<Item = u8>>(numbers: I) -> Self {
        let mut set = Self::EMPTY;
        for number in numbers {
            set.insert(number);
        }
        set
    }
}

impl BitAnd for Set {
    type Output = Self;

    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] & other.0[i]))
    }
}

impl BitOr for Set {
    type Output = Self;

    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] | other.0[i]))
    }
}

/// What is in the first and not in the second.
impl Sub for Set {
    type Output = Self;

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] & !other.0[i]))
    }
}

/// What is in one of the two alone.
impl BitXor for Set {
    type Output = Self;

    #[inline(always)]
    fn bitxor(self, other: Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] ^ other.0[i]))
    }
}

impl BitAndAssign for Set {
    #[inline(always)]
    fn bitand_assign(&mut self, other: Self) {
        *self = *self & other;
    }
}

impl BitOrAssign for Set {
    #[inline(always)]
    fn bitor_assign(&mut self, other: Self) {
        *self = *self | other;
    }
}

impl SubAssign for Set {
    #[inline(always)]
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::Set;
    use crate::rng::{Origin, Purpose, Rng};

    #[test]
    fn sets_behave_like_sets() {
        let mut rng = Rng::new(Origin { seed: 0, lane: 0 }, 0, Purpose::Game);
        for _ in 0..200 {
            let mut numbers = || -> BTreeSet<u8> { (0..rng.below(40)).map(|_| rng.below(256) as u8).collect() };
            let (a, b) = (numbers(), numbers());
            let [set_a, set_b]: [Set; 2] = [a.iter().copied().collect(), b.iter().copied().collect()];
            let list = |set: Set| set.iter().collect::<Vec<u8>>();
            assert_eq!(list(set_a), a.iter().copied().collect::<Vec<_>>());
            let mut seen = Vec::new();
            set_a.for_each(|number| seen.push(number));
            assert_eq!(seen, list(set_a));
            assert_eq!(list(set_a & set_b), (&a & &b).into_iter().collect::<Vec<_>>());
            assert_eq!(list(set_a | set_b), (&a | &b).into_iter().collect::<Vec<_>>());
            assert_eq!(list(set_a - set_b), (&a - &b).into_iter().collect::<Vec<_>>());
            assert_eq!(list(set_a ^ set_b), (&a ^ &b).into_iter().collect::<Vec<_>>());
            assert_eq!((set_a.only_if(true), set_a.only_if(false)), (set_a, Set::EMPTY));
            assert_eq!((set_a.len(), set_a.is_empty()), (a.len(), a.is_empty()));
            assert_eq!(set_a.meets(set_b), !a.is_disjoint(&b));
            for (n, number) in a.iter().enumerate() {
                assert_eq!(set_a.nth(n as u32), Some(*number));
            }
            assert_eq!(set_a.nth(a.len() as u32), None);
        }
        assert_eq!(Set::below(65).len(), 65);
        assert_eq!(Set::ALL.len(), 256);
    }
}
