//! Chance: every random number is a function of where it is used.
//!
//! An [`Origin`] and an episode number name one match; a [`Purpose`] separates what is drawn in it. Nothing else enters,
//! so results do not depend on threads, batch size or process, and any match can be replayed alone.
//!
//! The generator is xoshiro256++ of the `rand` crate, which fixes it by name. Integers in a range and choices from a
//! set are written here, because `rand` may change how it makes those.

use rand::rngs::Xoshiro256PlusPlus;
use rand::{Rng as _, SeedableRng as _};
use serde::{Deserialize, Serialize};

use crate::bits;

/// Where a lane's episodes come from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Origin {
    /// The caller's seed.
    pub seed: u64,
    /// The number of the lane under that seed.
    pub lane: u32,
}

/// What a stream of numbers is for. Different purposes share nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Purpose {
    /// Dealing and drawing within the match.
    Game,
    /// Guesses of what a seat has not seen; the number is the caller's.
    Resample(u32),
    /// Thinking about what to advise; the number is the caller's.
    Advice(u32),
    /// The rest of a match that goes on by chance of its own, after so many decisions.
    Branch(u32),
    /// Who of several plays; the number is the player's.
    Player(u32),
}

impl Purpose {
    const fn words(self) -> [u64; 2] {
        match self {
            Self::Game => [1, 0],
            Self::Resample(number) => [2, number as u64],
            Self::Advice(number) => [3, number as u64],
            Self::Branch(number) => [4, number as u64],
            Self::Player(number) => [5, number as u64],
        }
    }
}

/// A stream of random numbers for one purpose of one episode.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Rng(Xoshiro256PlusPlus);

impl Rng {
    /// The stream of an episode. Different arguments give unrelated streams.
    #[must_use]
    pub fn new(origin: Origin, episode: u32, purpose: Purpose) -> Self {
        let [kind, number] = purpose.words();
        let place = u64::from(origin.lane) << 32 | u64::from(episode);
        let mut words = [origin.seed, place, kind << 32 | number, 0x61_64_6a_6f_69_6e];
        // Every round is a bijection of the four words, so no two addresses share a stream.
        for round in 0..3 {
            for i in 0..4 {
                words[i] = mix(words[i].wrapping_add(words[(i + 3) % 4]).wrapping_add(round));
            }
        }
        let mut seed = [0; 32];
        for (bytes, word) in seed.chunks_exact_mut(8).zip(words) {
            bytes.copy_from_slice(&word.to_le_bytes());
        }
        Self(Xoshiro256PlusPlus::from_seed(seed))
    }

    /// The key under which [`draw`] serves the decisions of an episode; asked for at the start of its stream.
    #[must_use]
    pub fn key(&self) -> u64 {
        mix(self.clone().bits() ^ 0x6b_6579)
    }

    /// A short stream from the bits that [`draw`] gave for a decision.
    #[inline]
    #[must_use]
    pub fn from_bits(bits: u64) -> Self {
        Self(Xoshiro256PlusPlus::seed_from_u64(bits))
    }

    /// Whether this is a generator that only ever gives 0: no stream of ours, but bytes from outside can hold it.
    pub(crate) fn is_stuck(&self) -> bool {
        let mut copy = self.clone();
        (0..4).all(|_| copy.bits() == 0)
    }

    /// The next 64 random bits.
    #[inline]
    pub fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A uniform number below `bound`, without bias.
    ///
    /// # Panics
    /// If `bound` is 0.
    #[inline]
    pub fn below(&mut self, bound: u64) -> u64 {
        assert!(bound > 0, "nothing lies below 0");
        // Lemire's method: reject the few products that would favour small numbers.
        let mut product = u128::from(self.bits()) * u128::from(bound);
        if (product as u64) < bound {
            let threshold = bound.wrapping_neg() % bound;
            while (product as u64) < threshold {
                product = u128::from(self.bits()) * u128::from(bound);
            }
        }
        (product >> 64) as u64
    }

    /// A uniform number below a `bound` of any size, without bias.
    ///
    /// # Panics
    /// If `bound` is 0.
    pub fn below_wide(&mut self, bound: u128) -> u128 {
        if let Ok(small) = u64::try_from(bound) {
            return u128::from(self.below(small));
        }
        let mask = u128::MAX >> bound.leading_zeros();
        loop {
            let candidate = (u128::from(self.bits()) << 64 | u128::from(self.bits())) & mask;
            if candidate < bound {
                return candidate;
            }
        }
    }

    /// A uniform subset of `count` of the bits of `set`.
    ///
    /// # Panics
    /// If the set has fewer bits.
    pub fn subset(&mut self, mut set: u64, count: u32) -> u64 {
        let mut chosen = 0;
        for _ in 0..count {
            let bit = 1 << bits::nth(set, self.below(u64::from(set.count_ones())) as u32);
            chosen |= bit;
            set ^= bit;
        }
        chosen
    }
}

/// One number for one decision of an episode, without a generator to carry along. `key` comes from [`Rng::key`].
#[inline(always)]
#[must_use]
pub fn draw(key: u64, decision: u32) -> u64 {
    mix(key.wrapping_add(u64::from(decision).wrapping_mul(0x9e37_79b9_7f4a_7c15)))
}

/// Scales 64 random bits to a number below `bound`; the bias is below `bound` in 2⁶⁴.
#[inline(always)]
#[must_use]
pub fn scale(bits: u64, bound: u32) -> u32 {
    ((u128::from(bits) * u128::from(bound)) >> 64) as u32
}

/// The finaliser of `SplitMix64`: a bijection that spreads every bit over all others.
#[inline(always)]
const fn mix(mut word: u64) -> u64 {
    word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ (word >> 31)
}

#[cfg(test)]
mod tests {
    use super::{Origin, Purpose, Rng, draw, scale};

    fn stream(seed: u64, lane: u32, episode: u32, purpose: Purpose) -> Rng {
        Rng::new(Origin { seed, lane }, episode, purpose)
    }

    /// Pinned: a change here would rewrite every golden file and every published seed.
    #[test]
    fn bytes_are_the_same_in_every_release() {
        let mut rng = stream(0, 0, 0, Purpose::Game);
        assert_eq!([rng.bits(), rng.bits()], PINNED_BITS);
        let mut rng = stream(7, 3, 2, Purpose::Resample(9));
        let numbers: Vec<u64> = (0..8).map(|_| rng.below(100)).collect();
        assert_eq!(numbers, PINNED_NUMBERS);
        assert_eq!(rng.subset(u64::MAX, 5), PINNED_SUBSET);
    }
    const PINNED_BITS: [u64; 2] = [14_563_821_185_033_323_492, 2_726_374_539_586_392_163];
    const PINNED_NUMBERS: [u64; 8] = [44, 77, 32, 78, 73, 72, 70, 64];
    const PINNED_SUBSET: u64 = 72_057_611_230_380_096;

    #[test]
    fn every_part_of_the_address_matters() {
        let addresses = [
            stream(0, 0, 0, Purpose::Game),
            stream(1, 0, 0, Purpose::Game),
            stream(0, 1, 0, Purpose::Game),
            stream(0, 0, 1, Purpose::Game),
            stream(0, 0, 0, Purpose::Resample(0)),
            stream(0, 0, 0, Purpose::Resample(1)),
        ];
        let mut first: Vec<u64> = addresses.into_iter().map(|mut rng| rng.bits()).collect();
        first.sort_unstable();
        first.dedup();
        assert_eq!(first.len(), 6);
    }

    #[test]
    fn numbers_below_a_bound_are_uniform() {
        let mut rng = stream(5, 0, 0, Purpose::Game);
        let mut counts = [0_i32; 6];
        for _ in 0..60_000 {
            counts[rng.below(6) as usize] += 1;
        }
        assert!(counts.iter().all(|&n| (n - 10_000).abs() < 500), "{counts:?}");
        let wide = 3_u128 << 70;
        assert!((0..1000).all(|_| rng.below_wide(wide) < wide));
    }

    #[test]
    fn draws_of_neighbouring_decisions_are_unrelated() {
        let key = stream(0, 0, 0, Purpose::Game).key();
        let mut counts = [0_i32; 10];
        for decision in 0..100_000 {
            counts[scale(draw(key, decision), 10) as usize] += 1;
        }
        assert!(counts.iter().all(|&n| (n - 10_000).abs() < 500), "{counts:?}");
    }
}
