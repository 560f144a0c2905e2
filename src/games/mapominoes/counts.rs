//! How many free cells take each place, counted for all places at once.

use std::hash::{Hash, Hasher};

use serde::{Deserialize, Serialize};

use crate::set::Set;

/// Digits of a count: fewer than 1,024 free cells lie beside the cards, of which there are at most 287 that hang together.
const DIGITS: usize = 10;

/// How many free cells take each place.
///
/// Kept by binary digit, for all places at once: a cell takes many places.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(from = "PlainCounts", into = "PlainCounts")]
pub struct Counts {
    /// The places whose count has the digit, lowest first.
    digits: [Set; DIGITS],
    /// How many places there are.
    pub places: u16,
    /// The places with at least one.
    pub any: Set,
}

/// Counts place by place, as they are saved.
#[derive(Serialize, Deserialize)]
struct PlainCounts {
    cells: Box<[u16]>,
    any: Set,
}

/// Counts that are too high for a table, or for too many places, become others that fit no table either.
impl From<PlainCounts> for Counts {
    fn from(PlainCounts { cells, any }: PlainCounts) -> Self {
        let mut counts = Self { any, ..Self::zeros(cells.len()) };
        for (&count, place) in cells.iter().zip(0..=u8::MAX) {
            let count = count.min((1 << DIGITS) - 1);
            for (digit, set) in counts.digits.iter_mut().enumerate() {
                if count >> digit & 1 == 1 {
                    set.insert(place);
                }
            }
        }
        counts
    }
}

impl From<Counts> for PlainCounts {
    fn from(counts: Counts) -> Self {
        let mut cells = [0; 256];
        Self { cells: counts.plain(&mut cells).into(), any: counts.any }
    }
}

/// As of [`PlainCounts`].
impl Hash for Counts {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.plain(&mut [0; 256]).hash(hasher);
        self.any.hash(hasher);
    }
}

impl Counts {
    /// No cell takes any of so many places.
    pub fn zeros(places: usize) -> Self {
        Self { digits: [Set::EMPTY; DIGITS], places: places.min(u16::MAX.into()) as u16, any: Set::EMPTY }
    }

    /// How many free cells take a place.
    #[inline(always)]
    pub fn of(&self, place: u8) -> u16 {
        let mut count = 0;
        for (digit, set) in self.digits.iter().enumerate() {
            count |= u16::from(set.contains(place)) << digit;
        }
        count
    }

    /// The counts of all places, written from the start of `out`.
    fn plain<'a>(&self, out: &'a mut [u16; 256]) -> &'a [u16] {
        let out = &mut out[..usize::from(self.places).min(256)];
        for (place, count) in (0..=u8::MAX).zip(&mut *out) {
            *count = self.of(place);
        }
        out
    }

    /// Some cells take places that they did not, and some take places no more.
    #[inline(always)]
    pub fn change(&mut self, gained: &Tally, lost: &Tally) {
        // The difference has a sign: negative numbers in binary have ones in all the digits above.
        let (mut difference, mut borrowed) = ([Set::EMPTY; TALLIED], Set::EMPTY);
        for (digit, out) in difference.iter_mut().enumerate() {
            let (more, less) = (gained.digits[digit], lost.digits[digit]);
            *out = more ^ less ^ borrowed;
            borrowed = ((less | borrowed) - more) | (less & borrowed);
        }
        let (mut carried, mut any) = (Set::EMPTY, Set::EMPTY);
        for (digit, set) in self.digits.iter_mut().enumerate() {
            let added = difference.get(digit).copied().unwrap_or(borrowed);
            let sum = *set ^ added ^ carried;
            carried = (*set & added) | (carried & (*set | added));
            any |= sum;
            *set = sum;
        }
        self.any = any;
    }

    /// The places with exactly one cell.
    #[inline(always)]
    pub fn once(&self) -> Set {
        let [first, more @ ..] = self.digits;
        more.into_iter().fold(first, |once, set| once - set)
    }
}

/// Digits of a [`Tally`]: a card changes fewer than 16 cells.
const TALLIED: usize = 4;

/// In how many of a few sets each place is, 15 at most: collected here, a change is carried through the counts once.
#[derive(Clone, Copy, Default)]
pub struct Tally {
    /// The places whose number has the digit, lowest first.
    digits: [Set; TALLIED],
}

impl Tally {
    /// The same set so many times, 7 at most.
    #[inline(always)]
    pub fn times(number: u32, set: Set) -> Self {
        let digit = |digit: u32| set.only_if(number >> digit & 1 == 1);
        Self { digits: [digit(0), digit(1), digit(2), Set::EMPTY] }
    }

    /// One set more.
    #[inline(always)]
    pub fn add(&mut self, set: Set) {
        let mut carried = set;
        for digit in &mut self.digits {
            (*digit, carried) = (*digit ^ carried, *digit & carried);
        }
    }
}
