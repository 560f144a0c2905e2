//! Squares, dominoes, and what a hand or the pool consists of (DOMI-1, DOMI-4).

use serde::{Deserialize, Serialize};

use crate::bits;
use crate::rng::Rng;

/// Values of a square: 0 to 6, or fewer (DOMI-22).
pub const NUM_VALUES: usize = 7;
/// Squares of each value, at most.
pub const EACH: u8 = 8;
/// All squares.
pub const NUM_SQUARES: usize = NUM_VALUES * EACH as usize;
/// Dominoes of a double-six set, and the most that 56 squares make.
pub const NUM_DOMINOES: usize = 28;

/// A domino, its smaller value first.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Domino {
    low: u8,
    high: u8,
}

impl Domino {
    /// The domino of two values, if they are values.
    #[must_use]
    pub fn with(one: u8, other: u8) -> Option<Self> {
        let is_value = |value: u8| usize::from(value) < NUM_VALUES;
        (is_value(one) && is_value(other)).then_some(Self { low: one.min(other), high: one.max(other) })
    }

    /// Those of [`Domino::all`] in their order.
    const BY_NUMBER: [Self; NUM_DOMINOES] = {
        let mut all = [Self { low: 0, high: 0 }; NUM_DOMINOES];
        let mut number = 1;
        while number < NUM_DOMINOES {
            let Self { low, high } = all[number - 1];
            let is_last = high as usize == NUM_VALUES - 1;
            all[number] = if is_last { Self { low: low + 1, high: low + 1 } } else { Self { low, high: high + 1 } };
            number += 1;
        }
        all
    };

    /// All of them: 0-0, 0-1, …, 6-6.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..NUM_VALUES as u8).flat_map(|low| (low..NUM_VALUES as u8).map(move |high| Self { low, high }))
    }

    /// The domino with this number in the order of [`Domino::all`], if there is one.
    #[inline(always)]
    #[must_use]
    pub fn numbered(number: usize) -> Option<Self> {
        Self::BY_NUMBER.get(number).copied()
    }

    /// Its number in the order of [`Domino::all`].
    #[inline(always)]
    #[must_use]
    pub fn number(self) -> usize {
        let low = usize::from(self.low);
        low * (2 * NUM_VALUES + 1 - low) / 2 + usize::from(self.high) - low
    }

    /// The smaller and the larger value.
    #[inline(always)]
    #[must_use]
    pub const fn values(self) -> (u8, u8) {
        (self.low, self.high)
    }

    /// The smaller value touching, as the first domino lies.
    #[must_use]
    pub const fn facing(self) -> Facing {
        Facing { inner: self.low, outer: self.high }
    }
}

/// A domino that is turned one way.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug, Serialize, Deserialize)]
pub struct Facing {
    /// The value that touches what is there.
    pub inner: u8,
    /// The value that faces outwards.
    pub outer: u8,
}

impl Facing {
    /// Which domino, if the values are values.
    #[must_use]
    pub fn domino(self) -> Option<Domino> {
        Domino::with(self.inner, self.outer)
    }
}

/// A set of values, a bit each.
pub type Values = u8;

/// Squares, as a number per value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Squares(u32);

impl Squares {
    /// Every square of a game with so many values: one more of each than there are values (DOMI-1, DOMI-22).
    #[must_use]
    pub const fn of(values: u8) -> Self {
        Self((0x0111_1111 & ((1 << (4 * values)) - 1)) * (values as u32 + 1))
    }

    /// How many have this value.
    #[inline(always)]
    #[must_use]
    pub const fn count(self, value: u8) -> u8 {
        (self.0 >> (4 * value) & 15) as u8
    }

    /// How many have each value, and a 0.
    #[inline(always)]
    #[must_use]
    pub const fn counts(self) -> [u8; NUM_VALUES + 1] {
        let word = self.0 as u64;
        let word = (word | word << 16) & 0x0000_ffff_0000_ffff;
        let word = (word | word << 8) & 0x00ff_00ff_00ff_00ff;
        let word = (word | word << 4) & 0x0f0f_0f0f_0f0f_0f0f;
        word.to_le_bytes()
    }

    /// Adds a square.
    #[inline(always)]
    pub fn insert(&mut self, value: u8) {
        self.0 += 1 << (4 * value);
    }

    /// Takes away a square that is there.
    #[inline(always)]
    pub fn remove(&mut self, value: u8) {
        self.0 -= 1 << (4 * value);
    }

    /// How many there are.
    #[inline(always)]
    #[must_use]
    pub const fn len(self) -> usize {
        let pairs = (self.0 & 0x0f0f_0f0f) + (self.0 >> 4 & 0x0f0f_0f0f);
        (pairs.wrapping_mul(0x0101_0101) >> 24) as usize
    }

    /// Whether there are none.
    #[inline(always)]
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The values that are there, and those that are there twice.
    #[inline(always)]
    fn once_twice(self) -> (Values, Values) {
        let high = self.0 >> 1 | self.0 >> 2 | self.0 >> 3;
        (gather(self.0 | high), gather(high))
    }

    /// The sum of the values.
    #[must_use]
    pub fn pips(self) -> u16 {
        (0..NUM_VALUES as u8).map(|value| u16::from(value) * u16::from(self.count(value))).sum()
    }

    /// A value for every square, in order.
    pub fn iter(self) -> impl Iterator<Item = u8> {
        (0..NUM_VALUES as u8).flat_map(move |value| std::iter::repeat_n(value, self.count(value).into()))
    }

    /// A uniform one of the squares.
    ///
    /// # Panics
    /// If there are none.
    #[inline(always)]
    pub fn draw(&mut self, rng: &mut Rng) -> u8 {
        let mut number = rng.below(self.len() as u64) as u32;
        let mut rest = self.0;
        let mut value = 0;
        while number >= (rest & 15) {
            number -= rest & 15;
            rest >>= 4;
            value += 1;
        }
        self.remove(value);
        value
    }

    /// Whether there is no value beyond 6 and none that is there more than 8 times.
    #[must_use]
    pub fn is_sound(self) -> bool {
        self.0 >> 28 == 0 && (0..NUM_VALUES as u8).all(|value| self.count(value) <= EACH)
    }
}

impl FromIterator<u8> for Squares {
    fn from_iter<I: IntoIterator<Item = u8>>(values: I) -> Self {
        let mut squares = Self::default();
        values.into_iter().for_each(|value| squares.insert(value));
        squares
    }
}

/// The lowest bit of every four, side by side.
#[inline(always)]
const fn gather(word: u32) -> Values {
    let word = word & 0x0111_1111;
    let word = (word | word >> 3) & 0x0303_0303;
    let word = (word | word >> 6) & 0x000f_000f;
    ((word | word >> 12) & 0x7f) as Values
}

/// A set of dominoes of the traditional game: bit 7i + j and bit 7j + i for the domino i-j.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Dominoes(u64);

impl Dominoes {
    /// The bits with i <= j.
    const UPPER: u64 = {
        let (mut set, mut low) = (0, 0);
        while low < NUM_VALUES {
            set |= (0x7f >> low) << (8 * low);
            low += 1;
        }
        set
    };

    /// Every domino of so many values: with 7 the double-six set (DOMI-4, DOMI-22).
    #[must_use]
    pub fn of(values: u8) -> Self {
        Domino::all().filter(|domino| domino.high < values).collect()
    }

    #[inline(always)]
    const fn bits(low: u8, high: u8) -> u64 {
        let size = NUM_VALUES as u8;
        1 << (size * low + high) | 1 << (size * high + low)
    }

    /// Adds a domino.
    #[inline(always)]
    pub fn insert(&mut self, domino: Domino) {
        self.0 |= Self::bits(domino.low, domino.high);
    }

    /// Takes a domino away.
    #[inline(always)]
    pub fn remove(&mut self, domino: Domino) {
        self.0 &= !Self::bits(domino.low, domino.high);
    }

    /// Whether a domino is there.
    #[must_use]
    pub fn contains(self, domino: Domino) -> bool {
        self.0 & Self::bits(domino.low, domino.high) != 0
    }

    /// How many there are.
    #[inline(always)]
    #[must_use]
    pub const fn len(self) -> usize {
        (self.0 & Self::UPPER).count_ones() as usize
    }

    /// Whether there are none.
    #[inline(always)]
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Those that show one of some values.
    #[must_use]
    pub fn showing(self, values: Values) -> Self {
        let outer = u64::from(values) * 0x0000_0408_1020_4081;
        let inner = bits::each(values.into()).fold(0, |set, value| set | 0x7f << (NUM_VALUES as u8 * value));
        Self(self.0 & (outer | inner))
    }

    /// Every domino, in order.
    pub fn iter(self) -> impl Iterator<Item = Domino> {
        Domino::all().filter(move |&domino| self.contains(domino))
    }

    /// The sum of the values.
    #[must_use]
    pub fn pips(self) -> u16 {
        const DOUBLES: u64 = 0x0001_0101_0101_0101;
        // Touching values with a 1 in the first, the second and the third binary digit.
        const ROWS: [u64; 3] = {
            let (mut rows, mut value) = ([0; 3], 0);
            while value < NUM_VALUES {
                let row = 0x7f << (NUM_VALUES * value);
                rows[0] |= (value as u64 & 1) * row;
                rows[1] |= (value as u64 >> 1 & 1) * row;
                rows[2] |= (value as u64 >> 2 & 1) * row;
                value += 1;
            }
            rows
        };
        // Both values of a domino touch in one of the two ways round; a double is there once.
        let [ones, twos, fours] =
            ROWS.map(|rows| (self.0 & rows).count_ones() + (self.0 & rows & DOUBLES).count_ones());
        (ones + 2 * twos + 4 * fours) as u16
    }

    /// A uniform one of the dominoes.
    ///
    /// # Panics
    /// If there are none.
    #[inline(always)]
    pub fn draw(&mut self, rng: &mut Rng) -> Domino {
        let number = rng.below(self.len() as u64) as u32;
        let bit = bits::nth(self.0 & Self::UPPER, number) as u8;
        let domino = Domino { low: bit / NUM_VALUES as u8, high: bit % NUM_VALUES as u8 };
        self.remove(domino);
        domino
    }

    /// A bit for every touching and outer value.
    #[inline(always)]
    #[must_use]
    pub const fn both_ways(self) -> u64 {
        self.0
    }

    /// Whether both ways round of every domino are there or not.
    #[must_use]
    pub fn is_sound(self) -> bool {
        self.iter().collect::<Self>() == self
    }
}

impl Extend<Domino> for Dominoes {
    fn extend<I: IntoIterator<Item = Domino>>(&mut self, dominoes: I) {
        dominoes.into_iter().for_each(|domino| self.insert(domino));
    }
}

impl FromIterator<Domino> for Dominoes {
    fn from_iter<I: IntoIterator<Item = Domino>>(dominoes: I) -> Self {
        let mut set = Self::default();
        set.extend(dominoes);
        set
    }
}

/// What a player holds, or what the pool has.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Pieces {
    /// Single squares.
    Squares(Squares),
    /// The dominoes of the traditional game.
    Dominoes(Dominoes),
}

impl Pieces {
    /// None of the same kind.
    #[inline(always)]
    #[must_use]
    pub fn none(self) -> Self {
        match self {
            Self::Squares(_) => Self::Squares(Squares::default()),
            Self::Dominoes(_) => Self::Dominoes(Dominoes::default()),
        }
    }

    /// How many there are.
    #[inline(always)]
    #[must_use]
    pub const fn len(self) -> usize {
        match self {
            Self::Squares(squares) => squares.len(),
            Self::Dominoes(dominoes) => dominoes.len(),
        }
    }

    /// Whether there are none.
    #[inline(always)]
    #[must_use]
    pub const fn is_empty(self) -> bool {
        match self {
            Self::Squares(squares) => squares.is_empty(),
            Self::Dominoes(dominoes) => dominoes.is_empty(),
        }
    }

    /// The sum of the values.
    #[must_use]
    pub fn pips(self) -> u16 {
        match self {
            Self::Squares(squares) => squares.pips(),
            Self::Dominoes(dominoes) => dominoes.pips(),
        }
    }

    /// The values that can face outwards in a domino with this value.
    #[inline(always)]
    #[must_use]
    pub fn beside(self, value: u8) -> Values {
        match self {
            Self::Squares(squares) => {
                let (once, twice) = squares.once_twice();
                let bit = 1 << value;
                if once & bit == 0 { 0 } else { once & !bit | twice & bit }
            }
            Self::Dominoes(dominoes) => (dominoes.0 >> (NUM_VALUES as u8 * value)) as Values & 0x7f,
        }
    }

    /// By touching value, the dominoes that can be made of them: a bit for every touching and outer value.
    #[inline(always)]
    #[must_use]
    pub fn pairs<const N: usize>(self, touching: [u8; N]) -> [u64; N] {
        // The kind is asked for once.
        match self {
            Self::Squares(squares) => {
                let (once, twice) = squares.once_twice();
                touching.map(|value| {
                    let bit = 1 << value;
                    let beside = if once & bit == 0 { 0 } else { once & !bit | twice & bit };
                    u64::from(beside) << (NUM_VALUES as u8 * value)
                })
            }
            Self::Dominoes(dominoes) => touching.map(|value| dominoes.0 & 0x7f << (NUM_VALUES as u8 * value)),
        }
    }

    /// The values that can touch in a domino made of them.
    #[inline(always)]
    #[must_use]
    pub fn touching(self) -> Values {
        match self {
            Self::Squares(squares) => {
                let (once, twice) = squares.once_twice();
                if once.is_power_of_two() { twice } else { once }
            }
            Self::Dominoes(_) => {
                (0..NUM_VALUES as u8).fold(0, |set, value| set | Values::from(self.beside(value) != 0) << value)
            }
        }
    }

    /// Whether a domino can be made of them.
    #[inline(always)]
    #[must_use]
    pub fn has(self, Facing { inner, outer }: Facing) -> bool {
        self.beside(inner) >> outer & 1 == 1
    }

    /// Takes away a domino that is there.
    #[inline(always)]
    pub fn remove(&mut self, Facing { inner, outer }: Facing) {
        match self {
            Self::Squares(squares) => {
                squares.remove(inner);
                squares.remove(outer);
            }
            Self::Dominoes(dominoes) => dominoes.0 &= !Dominoes::bits(inner, outer),
        }
    }

    /// Moves a uniform piece to another place.
    ///
    /// # Panics
    /// If there is none.
    #[inline(always)]
    pub fn give(&mut self, to: &mut Self, rng: &mut Rng) {
        match (self, to) {
            (Self::Squares(from), Self::Squares(to)) => to.insert(from.draw(rng)),
            (Self::Dominoes(from), Self::Dominoes(to)) => to.insert(from.draw(rng)),
            _ => {}
        }
    }

    /// Moves so many uniform pieces to another place.
    ///
    /// # Panics
    /// If there are not that many.
    #[inline(always)]
    pub fn give_many(&mut self, to: &mut Self, count: u8, rng: &mut Rng) {
        // The kind is asked for once.
        match (self, to) {
            (Self::Squares(from), Self::Squares(to)) => {
                for _ in 0..count {
                    to.insert(from.draw(rng));
                }
            }
            (Self::Dominoes(from), Self::Dominoes(to)) => {
                for _ in 0..count {
                    to.insert(from.draw(rng));
                }
            }
            _ => {}
        }
    }

    /// Whether there would be more of a piece than there can be, if others of the same kind were added.
    #[must_use]
    pub fn overlaps(self, other: Self) -> bool {
        match (self, other) {
            (Self::Squares(squares), Self::Squares(other)) => {
                (0..NUM_VALUES as u8).any(|value| squares.count(value) + other.count(value) > EACH)
            }
            (Self::Dominoes(dominoes), Self::Dominoes(other)) => dominoes.0 & other.0 != 0,
            _ => true,
        }
    }

    /// Together with others of the same kind that do not overlap.
    #[inline(always)]
    #[must_use]
    pub fn with_all(self, others: &[Self]) -> Self {
        // The kind is asked for once.
        match self {
            Self::Squares(mut squares) => {
                for other in others {
                    squares.0 += if let Self::Squares(other) = other { other.0 } else { 0 };
                }
                Self::Squares(squares)
            }
            Self::Dominoes(mut dominoes) => {
                for other in others {
                    dominoes.0 |= if let Self::Dominoes(other) = other { other.0 } else { 0 };
                }
                Self::Dominoes(dominoes)
            }
        }
    }

    /// Without pieces of the same kind that are all there.
    #[inline(always)]
    #[must_use]
    pub fn without(self, other: Self) -> Self {
        match (self, other) {
            (Self::Squares(squares), Self::Squares(other)) => Self::Squares(Squares(squares.0 - other.0)),
            (Self::Dominoes(dominoes), Self::Dominoes(other)) => Self::Dominoes(Dominoes(dominoes.0 & !other.0)),
            _ => self,
        }
    }

    /// Adds pieces of the same kind that do not overlap.
    #[inline(always)]
    pub fn add(&mut self, other: Self) {
        match (self, other) {
            (Self::Squares(squares), Self::Squares(other)) => squares.0 += other.0,
            (Self::Dominoes(dominoes), Self::Dominoes(other)) => dominoes.0 |= other.0,
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Domino, Dominoes, Facing, NUM_DOMINOES, NUM_SQUARES, NUM_VALUES, Pieces, Squares};
    use crate::rng::Rng;

    #[test]
    fn dominoes_are_numbered_in_order() {
        assert!(Domino::all().enumerate().all(|(number, domino)| domino.number() == number));
        assert!(Domino::all().enumerate().all(|(number, domino)| Domino::numbered(number) == Some(domino)));
        assert_eq!(Domino::all().count(), NUM_DOMINOES);
        assert_eq!(Domino::with(7, 0), None);
    }

    #[test]
    fn drawing_takes_every_piece_once() {
        let mut rng = Rng::from_bits(1);
        for values in 2..=NUM_VALUES as u8 {
            let (mut squares, mut dominoes) = (Squares::of(values), Dominoes::of(values));
            let number = usize::from(values * (values + 1));
            assert_eq!((squares.len(), dominoes.len()), (number, number / 2));
            let drawn: Squares = (0..number).map(|_| squares.draw(&mut rng)).collect();
            assert_eq!((drawn, squares.is_empty()), (Squares::of(values), true));
            let drawn: Dominoes = (0..number / 2).map(|_| dominoes.draw(&mut rng)).collect();
            assert_eq!((drawn, dominoes.is_empty()), (Dominoes::of(values), true));
        }
        assert_eq!((Squares::of(7).len(), Dominoes::of(7).len()), (NUM_SQUARES, NUM_DOMINOES));
    }

    #[test]
    fn a_hand_makes_the_dominoes_of_its_squares() {
        let squares = vec![1_u8, 4, 4, 6];
        let hand = Pieces::Squares(squares.iter().copied().collect());
        for domino in Domino::all() {
            let (inner, outer) = domino.values();
            let mut left = squares.clone();
            let mut take =
                |value| left.iter().position(|&held| held == value).map(|place| left.remove(place)).is_some();
            let has = take(inner) && take(outer);
            for facing in [Facing { inner, outer }, Facing { inner: outer, outer: inner }] {
                assert_eq!(hand.has(facing), has, "{facing:?}");
            }
        }
        assert_eq!((hand.len(), hand.pips()), (4, 15));
        let dominoes: Dominoes = [Domino::with(2, 5), Domino::with(3, 3)].into_iter().flatten().collect();
        assert_eq!(Pieces::Dominoes(dominoes).beside(2), 1 << 5);
        assert_eq!(Pieces::Dominoes(dominoes).beside(5), 1 << 2);
        assert_eq!(Pieces::Dominoes(dominoes).beside(3), 1 << 3);
        assert_eq!((dominoes.len(), dominoes.pips()), (2, 13));
    }
}
