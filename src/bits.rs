//! Sets of up to 64 cells as bits, and the vector code that serves them.
//!
//! A wheel is built for any x86-64 machine, so wider instructions have to be chosen at run time. [`wide`] does that once
//! per batch call: whatever is inlined into it is compiled a second time for AVX2 and BMI2, and a third time for AVX-512,
//! where flags are one masked store. [`spread`], [`gather`], [`nth`] and [`with_four`] choose for themselves;
//! within [`wide`] they are inlined, elsewhere they cost a call.
//!
//! This is one of two files with `unsafe` (the other is `pool.rs`): calling a function compiled for wider
//! instructions is safe exactly where the processor has them, which is checked right there.
#![allow(unsafe_code)]

/// Runs `work`, compiled for AVX2 and BMI2, or AVX-512, where the processor has them.
///
/// Only what is inlined into `work` profits; mark the loops `#[inline(always)]`.
#[inline]
pub fn wide<T>(work: impl FnOnce() -> T) -> T {
    #[cfg(target_arch = "x86_64")]
    match x86::level() {
        // SAFETY: the processor has the features, as just checked.
        Level::Widest => return unsafe { x86::widest(work) },
        // SAFETY: the same.
        Level::Wide => return unsafe { x86::wide(work) },
        Level::Any => {}
    }
    work()
}

/// What a processor has.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[repr(u8)]
enum Level {
    /// What every one has.
    Any = 1,
    /// AVX2 and BMI2.
    Wide,
    /// AVX-512 too.
    Widest,
}

/// A byte that can hold a flag.
pub trait Flag: Copy + From<bool> + sealed::Byte {}

impl Flag for u8 {}
impl Flag for i8 {}

mod sealed {
    /// One byte, of which every bit pattern is a value.
    pub trait Byte {}

    impl Byte for u8 {}
    impl Byte for i8 {}
}

/// Writes a set as 64 flags, 0 or 1, lowest bit first.
#[inline(always)]
pub fn spread<T: Flag>(set: u64, out: &mut [T; 64]) {
    #[cfg(target_arch = "x86_64")]
    match x86::level() {
        // SAFETY: the processor has the features, as just checked.
        Level::Widest => return unsafe { x86::spread_widest(set, out) },
        // SAFETY: the same.
        Level::Wide => return unsafe { x86::spread(set, out) },
        Level::Any => {}
    }
    portable::spread(set, out);
}

/// The bytes that are not 0, as a set, the first as its lowest bit.
#[inline(always)]
#[must_use]
pub fn gather(bytes: &[u8; 64]) -> u64 {
    #[cfg(target_arch = "x86_64")]
    match x86::level() {
        // SAFETY: the processor has the features, as just checked.
        Level::Widest => return unsafe { x86::gather_widest(bytes) },
        // SAFETY: the same.
        Level::Wide => return unsafe { x86::gather(bytes) },
        Level::Any => {}
    }
    portable::gather(bytes)
}

/// Two sets of 32 as one: the first of either, the second of either, and so on.
#[inline(always)]
#[must_use]
pub fn in_turn(sets: [u32; 2]) -> u64 {
    #[cfg(target_arch = "x86_64")]
    if x86::level() >= Level::Wide {
        // SAFETY: the processor has the features, as just checked.
        return unsafe { x86::in_turn(sets) };
    }
    portable::in_turn(sets)
}

/// The position of the `n`-th set bit, counted from 0 at the lowest. 64 if there are not that many.
#[inline(always)]
#[must_use]
pub fn nth(bits: u64, n: u32) -> u32 {
    #[cfg(target_arch = "x86_64")]
    if x86::level() >= Level::Wide {
        // SAFETY: the processor has the features, as just checked.
        return unsafe { x86::nth(bits, n) };
    }
    portable::nth(bits, n)
}

/// Four sets side by side: a vector register where there is one.
pub trait Four: Copy {
    /// Four given sets.
    #[must_use]
    fn of(sets: [u64; 4]) -> Self;
    /// The same set four times.
    #[must_use]
    fn all(set: u64) -> Self;
    /// What is in both.
    #[must_use]
    fn and(self, other: Self) -> Self;
    /// What is in either.
    #[must_use]
    fn or(self, other: Self) -> Self;
    /// What is in this and not in `other`.
    #[must_use]
    fn without(self, other: Self) -> Self;
    /// The lowest member of each set.
    #[must_use]
    fn lowest(self) -> Self;
    /// Everything below the only member of each set; everything there is where the set is empty.
    #[must_use]
    fn below(self) -> Self;
    /// Every set moved up by its own number of places, 63 at most.
    #[must_use]
    fn up(self, places: [u64; 4]) -> Self;
    /// Every set moved down by its own number of places, 63 at most.
    #[must_use]
    fn down(self, places: [u64; 4]) -> Self;
    /// The sets whose counterpart in `condition` is not empty.
    #[must_use]
    fn where_any(self, condition: Self) -> Self;
    /// What is in any of the four.
    fn union(self) -> u64;
    /// The four.
    fn sets(self) -> [u64; 4];
}

/// Work on four sets at a time.
pub trait WithFour {
    /// What it leads to.
    type Output;
    /// Does the work. Mark it `#[inline(always)]`.
    fn run<V: Four>(self) -> Self::Output;
}

/// Does work on four sets at a time, in vector registers where the processor has them.
#[inline(always)]
pub fn with_four<W: WithFour>(work: W) -> W::Output {
    #[cfg(target_arch = "x86_64")]
    if x86::level() >= Level::Wide {
        // SAFETY: the processor has the features, as just checked.
        return unsafe { x86::with_four(work) };
    }
    portable::with_four(work)
}

/// The positions of the set bits, lowest first.
#[inline(always)]
pub fn each(mut bits: u64) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let position = bits.trailing_zeros();
        bits &= bits.wrapping_sub(1);
        (position < 64).then_some(position as u8)
    })
}

/// Kept out of line, so that the vector code stays small.
mod portable {
    use super::{Flag, Four, WithFour};

    #[cold]
    #[inline(never)]
    pub fn with_four<W: WithFour>(work: W) -> W::Output {
        work.run::<[u64; 4]>()
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

    impl Four for [u64; 4] {
        fn of(sets: [u64; 4]) -> Self {
            sets
        }

        fn all(set: u64) -> Self {
            [set; 4]
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

        fn up(self, places: [u64; 4]) -> Self {
            std::array::from_fn(|i| self[i] << places[i])
        }

        fn down(self, places: [u64; 4]) -> Self {
            std::array::from_fn(|i| self[i] >> places[i])
        }

        fn where_any(self, condition: Self) -> Self {
            std::array::from_fn(|i| if condition[i] == 0 { 0 } else { self[i] })
        }

        fn union(self) -> u64 {
            self[0] | self[1] | self[2] | self[3]
        }

        fn sets(self) -> [u64; 4] {
            self
        }
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::is_x86_feature_detected;
    use std::arch::x86_64::{
        __m256i, _mm_cvtsi128_si64, _mm_or_si128, _mm_unpackhi_epi64, _mm256_add_epi64, _mm256_and_si256,
        _mm256_andnot_si256, _mm256_castsi256_si128, _mm256_cmpeq_epi8, _mm256_cmpeq_epi64, _mm256_extracti128_si256,
        _mm256_loadu_si256, _mm256_min_epu8, _mm256_movemask_epi8, _mm256_or_si256, _mm256_set_epi64x,
        _mm256_set1_epi8, _mm256_set1_epi64x, _mm256_setzero_si256, _mm256_shuffle_epi8, _mm256_sllv_epi64,
        _mm256_srlv_epi64, _mm256_storeu_si256, _mm256_sub_epi64, _mm512_loadu_si512, _mm512_maskz_set1_epi8,
        _mm512_storeu_si512, _mm512_test_epi8_mask, _pdep_u64,
    };
    use std::sync::atomic::{AtomicU8, Ordering};

    use super::{Flag, Four, Level, WithFour};

    /// What the processor has, of what the functions below are compiled for.
    #[inline(always)]
    pub fn level() -> Level {
        const UNKNOWN: u8 = 0;
        const WIDE: u8 = Level::Wide as u8;
        const WIDEST: u8 = Level::Widest as u8;
        static KNOWN: AtomicU8 = AtomicU8::new(UNKNOWN);

        #[cold]
        fn detect() -> Level {
            let wide = is_x86_feature_detected!("avx2")
                && is_x86_feature_detected!("bmi1")
                && is_x86_feature_detected!("bmi2")
                && is_x86_feature_detected!("lzcnt")
                && is_x86_feature_detected!("popcnt");
            let widest = wide
                && is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("avx512dq")
                && is_x86_feature_detected!("avx512vl");
            let level = [Level::Any, Level::Wide, Level::Widest][usize::from(wide) + usize::from(widest)];
            KNOWN.store(level as u8, Ordering::Relaxed);
            level
        }

        match KNOWN.load(Ordering::Relaxed) {
            WIDEST => Level::Widest,
            WIDE => Level::Wide,
            UNKNOWN => detect(),
            _ => Level::Any,
        }
    }

    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    pub fn wide<T>(work: impl FnOnce() -> T) -> T {
        work()
    }

    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512dq,avx512vl")]
    pub fn widest<T>(work: impl FnOnce() -> T) -> T {
        work()
    }

    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    pub fn with_four<W: WithFour>(work: W) -> W::Output {
        work.run::<Vector>()
    }

    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    pub fn spread<T: Flag>(set: u64, out: &mut [T; 64]) {
        const ONES: i64 = 0x0101_0101_0101_0101;
        let low = _mm256_set_epi64x(3 * ONES, 2 * ONES, ONES, 0);
        let high = _mm256_set_epi64x(7 * ONES, 6 * ONES, 5 * ONES, 4 * ONES);
        let bit = _mm256_set1_epi64x(0x8040_2010_0804_0201_u64 as i64);
        let one = _mm256_set1_epi8(1);
        let bytes = _mm256_set1_epi64x(set as i64);
        let half = |pick| _mm256_min_epu8(_mm256_and_si256(_mm256_shuffle_epi8(bytes, pick), bit), one);
        let out = out.as_mut_ptr().cast::<__m256i>();
        // SAFETY: a flag is one byte with no invalid value, and there are 64 of them.
        unsafe {
            _mm256_storeu_si256(out, half(low));
            _mm256_storeu_si256(out.add(1), half(high));
        }
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    pub fn spread_widest<T: Flag>(set: u64, out: &mut [T; 64]) {
        let flags = _mm512_maskz_set1_epi8(set, 1);
        // SAFETY: a flag is one byte with no invalid value, and there are 64 of them.
        unsafe { _mm512_storeu_si512(out.as_mut_ptr().cast(), flags) };
    }

    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    pub fn gather(bytes: &[u8; 64]) -> u64 {
        let (low, high) = bytes.split_at(32);
        // SAFETY: there are 32 bytes each.
        let [low, high] = [low, high].map(|half| unsafe { _mm256_loadu_si256(half.as_ptr().cast()) });
        let empty = |half| _mm256_movemask_epi8(_mm256_cmpeq_epi8(half, _mm256_setzero_si256())) as u32;
        !(u64::from(empty(high)) << 32 | u64::from(empty(low)))
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    pub fn gather_widest(bytes: &[u8; 64]) -> u64 {
        // SAFETY: there are 64 bytes.
        let bytes = unsafe { _mm512_loadu_si512(bytes.as_ptr().cast()) };
        _mm512_test_epi8_mask(bytes, bytes)
    }

    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    pub fn in_turn([first, second]: [u32; 2]) -> u64 {
        const EVEN: u64 = 0x5555_5555_5555_5555;
        _pdep_u64(first.into(), EVEN) | _pdep_u64(second.into(), !EVEN)
    }

    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    pub fn nth(bits: u64, n: u32) -> u32 {
        _pdep_u64(1_u64.wrapping_shl(n), bits).trailing_zeros()
    }

    /// Four sets in one register. Made and used only within [`with_four`].
    #[derive(Clone, Copy)]
    struct Vector(__m256i);

    // SAFETY of all blocks below: a `Vector` exists only where `with_four` has been called, which needs the features.
    impl Four for Vector {
        #[inline(always)]
        fn of([a, b, c, d]: [u64; 4]) -> Self {
            Self(unsafe { _mm256_set_epi64x(d as i64, c as i64, b as i64, a as i64) })
        }

        #[inline(always)]
        fn all(set: u64) -> Self {
            Self(unsafe { _mm256_set1_epi64x(set as i64) })
        }

        #[inline(always)]
        fn and(self, other: Self) -> Self {
            Self(unsafe { _mm256_and_si256(self.0, other.0) })
        }

        #[inline(always)]
        fn or(self, other: Self) -> Self {
            Self(unsafe { _mm256_or_si256(self.0, other.0) })
        }

        #[inline(always)]
        fn without(self, other: Self) -> Self {
            Self(unsafe { _mm256_andnot_si256(other.0, self.0) })
        }

        #[inline(always)]
        fn lowest(self) -> Self {
            Self(unsafe { _mm256_and_si256(self.0, _mm256_sub_epi64(_mm256_setzero_si256(), self.0)) })
        }

        #[inline(always)]
        fn below(self) -> Self {
            Self(unsafe { _mm256_add_epi64(self.0, _mm256_set1_epi64x(-1)) })
        }

        #[inline(always)]
        fn up(self, places: [u64; 4]) -> Self {
            Self(unsafe { _mm256_sllv_epi64(self.0, Self::of(places).0) })
        }

        #[inline(always)]
        fn down(self, places: [u64; 4]) -> Self {
            Self(unsafe { _mm256_srlv_epi64(self.0, Self::of(places).0) })
        }

        #[inline(always)]
        fn where_any(self, condition: Self) -> Self {
            Self(unsafe { _mm256_andnot_si256(_mm256_cmpeq_epi64(condition.0, _mm256_setzero_si256()), self.0) })
        }

        #[inline(always)]
        fn union(self) -> u64 {
            unsafe {
                let half = _mm_or_si128(_mm256_castsi256_si128(self.0), _mm256_extracti128_si256::<1>(self.0));
                _mm_cvtsi128_si64(_mm_or_si128(half, _mm_unpackhi_epi64(half, half))) as u64
            }
        }

        #[inline(always)]
        fn sets(self) -> [u64; 4] {
            let mut sets = [0; 4];
            unsafe { _mm256_storeu_si256(sets.as_mut_ptr().cast(), self.0) };
            sets
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{each, in_turn, nth, portable, spread};

    const SAMPLES: [u64; 6] = [0, 1, u64::MAX, 0x8000_0000_0000_0000, 0x0123_4567_89ab_cdef, 0x5500_aa00_ff00_0001];

    #[test]
    fn vector_code_agrees_with_portable_code() {
        for bits in SAMPLES {
            let (mut fast, mut slow) = ([7_u8; 64], [9_u8; 64]);
            spread(bits, &mut fast);
            portable::spread(bits, &mut slow);
            assert_eq!(fast, slow);
            assert_eq!((super::gather(&fast), portable::gather(&fast)), (bits, bits));
            #[cfg(target_arch = "x86_64")]
            if super::x86::level() >= super::Level::Wide {
                fast = [7; 64];
                // SAFETY: the processor has the features, as just checked.
                let gathered = unsafe {
                    super::x86::spread(bits, &mut fast);
                    super::x86::gather(&fast)
                };
                assert_eq!((fast, gathered), (slow, bits));
            }
            let [first, second] = [bits as u32, (bits >> 32) as u32];
            assert_eq!(in_turn([first, second]), portable::in_turn([first, second]));
            for n in 0..bits.count_ones() {
                assert_eq!(nth(bits, n), portable::nth(bits, n));
            }
        }
    }

    #[test]
    fn each_lists_what_nth_finds() {
        for bits in SAMPLES {
            let listed: Vec<u8> = each(bits).collect();
            let found: Vec<u8> = (0..bits.count_ones()).map(|n| nth(bits, n) as u8).collect();
            assert_eq!(listed, found);
        }
    }
}
