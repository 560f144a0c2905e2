//! Sets of up to 64 cells as bits, and the vector code that serves them.
//!
//! A wheel is built for any x86-64 machine, so wider instructions have to be chosen at run time. [`wide`] does that once
//! per batch call: whatever is inlined into it is compiled a second time for AVX2 and BMI2, and a third time for AVX-512,
//! where flags are one masked store. [`spread`], [`nth`], [`with_four`] and [`with_eight`] choose for themselves;
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

/// What this processor has, asked for once where many sets are written.
#[derive(Clone, Copy, Debug)]
pub struct Processor(#[cfg(target_arch = "x86_64")] Level);

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

impl Processor {
    /// The one that runs this.
    #[inline(always)]
    #[must_use]
    pub fn this() -> Self {
        Self(
            #[cfg(target_arch = "x86_64")]
            x86::level(),
        )
    }

    /// Writes a set as 64 flags, 0 or 1, lowest bit first.
    #[inline(always)]
    pub fn spread<T: Flag>(self, set: u64, out: &mut [T; 64]) {
        #[cfg(target_arch = "x86_64")]
        match self.0 {
            // SAFETY: the processor has the features: the level comes from `this`.
            Level::Widest => return unsafe { x86::spread_widest(set, out) },
            // SAFETY: the same.
            Level::Wide => return unsafe { x86::spread(set, out) },
            Level::Any => {}
        }
        portable::spread(set, out);
    }

    /// Writes the lowest members of a set as flags over the whole of `out`, which has room for 64 at most.
    #[inline(always)]
    pub fn spread_short<T: Flag>(self, set: u64, out: &mut [T]) {
        #[cfg(target_arch = "x86_64")]
        if self.0 == Level::Widest {
            // SAFETY: the processor has the features: the level comes from `this`.
            return unsafe { x86::spread_short(set, out) };
        }
        portable::spread_short(set, out);
    }

    /// Two sets of 32 as one: the first of either, the second of either, and so on.
    #[inline(always)]
    #[must_use]
    pub fn in_turn(self, sets: [u32; 2]) -> u64 {
        #[cfg(target_arch = "x86_64")]
        if self.0 >= Level::Wide {
            // SAFETY: the processor has the features: the level comes from `this`.
            return unsafe { x86::in_turn(sets) };
        }
        portable::in_turn(sets)
    }
}

/// Writes a set as 64 flags, 0 or 1, lowest bit first.
#[inline(always)]
pub fn spread<T: Flag>(set: u64, out: &mut [T; 64]) {
    Processor::this().spread(set, out);
}

/// Writes sets of 64 one after another, as many flags as there is room for; as many sets as that takes are given.
///
/// # Panics
/// If there are fewer.
#[inline(always)]
pub fn spread_all<T: Flag>(sets: &[u64], out: &mut [T]) {
    #[cfg(target_arch = "x86_64")]
    match x86::level() {
        // SAFETY: the processor has the features, as just checked.
        Level::Widest => return unsafe { x86::spread_all_widest(sets, out) },
        // SAFETY: the same.
        Level::Wide => return unsafe { x86::spread_all(sets, out) },
        Level::Any => {}
    }
    spread_all_by(portable::spread, sets, out);
}

/// See [`spread_all`]; `spread` writes one set.
#[inline(always)]
fn spread_all_by<T: Flag>(spread: impl Fn(u64, &mut [T; 64]), sets: &[u64], out: &mut [T]) {
    let (whole, rest) = (out.len() / 64, out.len() % 64);
    let sets = &sets[..out.len().div_ceil(64)];
    for (&set, flags) in sets.iter().zip(out.as_chunks_mut::<64>().0) {
        spread(set, flags);
    }
    if rest == 0 {
        return;
    }
    if whole > 0
        && let Some(last) = out.last_chunk_mut::<64>()
    {
        // Some are written a second time.
        return spread(sets[whole - 1] >> rest | sets[whole] << (64 - rest), last);
    }
    let mut flags = [T::from(false); 64];
    spread(sets[whole], &mut flags);
    out[whole * 64..].copy_from_slice(&flags[..rest]);
}

/// Writes the lowest members of a set as flags over the whole of `out`, which has room for 64 at most.
#[inline(always)]
pub fn spread_short<T: Flag>(set: u64, out: &mut [T]) {
    Processor::this().spread_short(set, out);
}

/// Writes 1 for the members of a set, 2 for those of another that has none of them, and 0 elsewhere, lowest bit first.
#[inline(always)]
pub fn spread_two(ones: u64, twos: u64, out: &mut [u8; 64]) {
    #[cfg(target_arch = "x86_64")]
    match x86::level() {
        // SAFETY: the processor has the features, as just checked.
        Level::Widest => return unsafe { x86::spread_two_widest(ones, twos, out) },
        // SAFETY: the same.
        Level::Wide => return unsafe { x86::spread_two(ones, twos, out) },
        Level::Any => {}
    }
    portable::spread_two(ones, twos, out);
}

/// Two sets of 32 as one: the first of either, the second of either, and so on.
#[inline(always)]
#[must_use]
pub fn in_turn(sets: [u32; 2]) -> u64 {
    Processor::this().in_turn(sets)
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

/// `N` sets side by side: in vector registers where there are any.
pub trait Sets<const N: usize>: Copy {
    /// These sets.
    #[must_use]
    fn of(sets: [u64; N]) -> Self;
    /// The same set `N` times.
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
    fn up(self, places: [u64; N]) -> Self;
    /// Every set moved down by its own number of places, 63 at most.
    #[must_use]
    fn down(self, places: [u64; N]) -> Self;
    /// The sets whose counterpart in `condition` is not empty.
    #[must_use]
    fn where_any(self, condition: Self) -> Self;
    /// What is in any of them.
    fn union(self) -> u64;
    /// They, one after another.
    fn sets(self) -> [u64; N];
}

/// Work on `N` sets at a time.
pub trait OnSets<const N: usize> {
    /// What it leads to.
    type Output;
    /// Does the work. Mark it `#[inline(always)]`.
    fn run<V: Sets<N>>(self) -> Self::Output;
}

/// Does work on four sets at a time, in vector registers where the processor has them.
#[inline(always)]
pub fn with_four<W: OnSets<4>>(work: W) -> W::Output {
    #[cfg(target_arch = "x86_64")]
    if x86::level() >= Level::Wide {
        // SAFETY: the processor has the features, as just checked.
        return unsafe { x86::with_four(work) };
    }
    portable::with_sets(work)
}

/// Does work on eight sets at a time, in vector registers where the processor has them.
#[inline(always)]
pub fn with_eight<W: OnSets<8>>(work: W) -> W::Output {
    #[cfg(target_arch = "x86_64")]
    match x86::level() {
        // SAFETY: the processor has the features, as just checked.
        Level::Widest => return unsafe { x86::with_eight_widest(work) },
        // SAFETY: the same.
        Level::Wide => return unsafe { x86::with_eight(work) },
        Level::Any => {}
    }
    portable::with_sets(work)
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
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::is_x86_feature_detected;
    use std::arch::x86_64::{
        __m256i, __m512i, _mm_cvtsi128_si64, _mm_or_si128, _mm_unpackhi_epi64, _mm256_add_epi8, _mm256_add_epi64,
        _mm256_and_si256, _mm256_andnot_si256, _mm256_castsi256_si128, _mm256_cmpeq_epi64, _mm256_extracti128_si256,
        _mm256_min_epu8, _mm256_or_si256, _mm256_set_epi64x, _mm256_set1_epi8, _mm256_set1_epi64x,
        _mm256_setzero_si256, _mm256_shuffle_epi8, _mm256_sllv_epi64, _mm256_srlv_epi64, _mm256_storeu_si256,
        _mm256_sub_epi64, _mm512_add_epi64, _mm512_and_si512, _mm512_andnot_si512, _mm512_loadu_si512,
        _mm512_mask_set1_epi8, _mm512_mask_storeu_epi8, _mm512_maskz_mov_epi64, _mm512_maskz_set1_epi8,
        _mm512_or_si512, _mm512_reduce_or_epi64, _mm512_set1_epi64, _mm512_setzero_si512, _mm512_sllv_epi64,
        _mm512_srlv_epi64, _mm512_storeu_si512, _mm512_sub_epi64, _mm512_test_epi64_mask, _pdep_u64,
    };
    use std::sync::atomic::{AtomicU8, Ordering};

    use super::{Flag, Level, OnSets, Sets};

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
    pub fn with_four<W: OnSets<4>>(work: W) -> W::Output {
        work.run::<Vector>()
    }

    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    pub fn with_eight<W: OnSets<8>>(work: W) -> W::Output {
        work.run::<[Vector; 2]>()
    }

    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512dq,avx512vl")]
    pub fn with_eight_widest<W: OnSets<8>>(work: W) -> W::Output {
        work.run::<Widest>()
    }

    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    pub fn spread<T: Flag>(set: u64, out: &mut [T; 64]) {
        let halves = flags(set);
        let out = out.as_mut_ptr().cast::<__m256i>();
        // SAFETY: a flag is one byte with no invalid value, and there are 64 of them.
        unsafe {
            _mm256_storeu_si256(out, halves[0]);
            _mm256_storeu_si256(out.add(1), halves[1]);
        }
    }

    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    pub fn spread_two(ones: u64, twos: u64, out: &mut [u8; 64]) {
        let (ones, twos) = (flags(ones), flags(twos));
        for (half, out) in out.as_chunks_mut::<32>().0.iter_mut().enumerate() {
            let entries = _mm256_or_si256(ones[half], _mm256_add_epi8(twos[half], twos[half]));
            // SAFETY: there are 32 bytes.
            unsafe { _mm256_storeu_si256(out.as_mut_ptr().cast(), entries) };
        }
    }

    /// 64 bytes, 0 or 1.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn flags(set: u64) -> [__m256i; 2] {
        const ONES: i64 = 0x0101_0101_0101_0101;
        let low = _mm256_set_epi64x(3 * ONES, 2 * ONES, ONES, 0);
        let high = _mm256_set_epi64x(7 * ONES, 6 * ONES, 5 * ONES, 4 * ONES);
        let bit = _mm256_set1_epi64x(0x8040_2010_0804_0201_u64 as i64);
        let one = _mm256_set1_epi8(1);
        let bytes = _mm256_set1_epi64x(set as i64);
        [low, high].map(|pick| _mm256_min_epu8(_mm256_and_si256(_mm256_shuffle_epi8(bytes, pick), bit), one))
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    pub fn spread_widest<T: Flag>(set: u64, out: &mut [T; 64]) {
        let flags = _mm512_maskz_set1_epi8(set, 1);
        // SAFETY: a flag is one byte with no invalid value, and there are 64 of them.
        unsafe { _mm512_storeu_si512(out.as_mut_ptr().cast(), flags) };
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    pub fn spread_short<T: Flag>(set: u64, out: &mut [T]) {
        let room = 1_u64.checked_shl(out.len() as u32).map_or(u64::MAX, |end| end - 1);
        let flags = _mm512_maskz_set1_epi8(set, 1);
        // SAFETY: a flag is one byte with no invalid value, and none is written beyond `out`.
        unsafe { _mm512_mask_storeu_epi8(out.as_mut_ptr().cast(), room, flags) };
    }

    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    pub fn spread_all<T: Flag>(sets: &[u64], out: &mut [T]) {
        super::spread_all_by(
            #[inline(always)]
            |set, flags| spread(set, flags),
            sets,
            out,
        );
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    pub fn spread_all_widest<T: Flag>(sets: &[u64], out: &mut [T]) {
        super::spread_all_by(
            #[inline(always)]
            |set, flags| spread_widest(set, flags),
            sets,
            out,
        );
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    pub fn spread_two_widest(ones: u64, twos: u64, out: &mut [u8; 64]) {
        let entries = _mm512_mask_set1_epi8(_mm512_maskz_set1_epi8(ones, 1), twos, 2);
        // SAFETY: there are 64 bytes.
        unsafe { _mm512_storeu_si512(out.as_mut_ptr().cast(), entries) };
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

    /// Four sets in one register. Made and used only within [`with_four`] and [`with_eight`].
    #[derive(Clone, Copy)]
    struct Vector(__m256i);

    /// Eight sets in one register. Made and used only within [`with_eight_widest`].
    #[derive(Clone, Copy)]
    struct Widest(__m512i);

    // SAFETY of all blocks below: a `Vector` or a `Widest` exists only where one of the functions has been called that
    // need its features.
    impl Sets<4> for Vector {
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
    #[inline(always)]
    fn halves(sets: [u64; 8]) -> [[u64; 4]; 2] {
        std::array::from_fn(|half| std::array::from_fn(|i| sets[4 * half + i]))
    }

    impl Sets<8> for [Vector; 2] {
        #[inline(always)]
        fn of(sets: [u64; 8]) -> Self {
            halves(sets).map(Vector::of)
        }

        #[inline(always)]
        fn all(set: u64) -> Self {
            [Vector::all(set); 2]
        }

        #[inline(always)]
        fn and(self, other: Self) -> Self {
            [self[0].and(other[0]), self[1].and(other[1])]
        }

        #[inline(always)]
        fn or(self, other: Self) -> Self {
            [self[0].or(other[0]), self[1].or(other[1])]
        }

        #[inline(always)]
        fn without(self, other: Self) -> Self {
            [self[0].without(other[0]), self[1].without(other[1])]
        }

        #[inline(always)]
        fn lowest(self) -> Self {
            self.map(Sets::lowest)
        }

        #[inline(always)]
        fn below(self) -> Self {
            self.map(Sets::below)
        }

        #[inline(always)]
        fn up(self, places: [u64; 8]) -> Self {
            let [low, high] = halves(places);
            [self[0].up(low), self[1].up(high)]
        }

        #[inline(always)]
        fn down(self, places: [u64; 8]) -> Self {
            let [low, high] = halves(places);
            [self[0].down(low), self[1].down(high)]
        }

        #[inline(always)]
        fn where_any(self, condition: Self) -> Self {
            [self[0].where_any(condition[0]), self[1].where_any(condition[1])]
        }

        #[inline(always)]
        fn union(self) -> u64 {
            self[0].or(self[1]).union()
        }

        #[inline(always)]
        fn sets(self) -> [u64; 8] {
            let halves = self.map(Sets::sets);
            std::array::from_fn(|i| halves[i / 4][i % 4])
        }
    }

    impl Sets<8> for Widest {
        #[inline(always)]
        fn of(sets: [u64; 8]) -> Self {
            Self(unsafe { _mm512_loadu_si512(sets.as_ptr().cast()) })
        }

        #[inline(always)]
        fn all(set: u64) -> Self {
            Self(unsafe { _mm512_set1_epi64(set as i64) })
        }

        #[inline(always)]
        fn and(self, other: Self) -> Self {
            Self(unsafe { _mm512_and_si512(self.0, other.0) })
        }

        #[inline(always)]
        fn or(self, other: Self) -> Self {
            Self(unsafe { _mm512_or_si512(self.0, other.0) })
        }

        #[inline(always)]
        fn without(self, other: Self) -> Self {
            Self(unsafe { _mm512_andnot_si512(other.0, self.0) })
        }

        #[inline(always)]
        fn lowest(self) -> Self {
            Self(unsafe { _mm512_and_si512(self.0, _mm512_sub_epi64(_mm512_setzero_si512(), self.0)) })
        }

        #[inline(always)]
        fn below(self) -> Self {
            Self(unsafe { _mm512_add_epi64(self.0, _mm512_set1_epi64(-1)) })
        }

        #[inline(always)]
        fn up(self, places: [u64; 8]) -> Self {
            Self(unsafe { _mm512_sllv_epi64(self.0, Self::of(places).0) })
        }

        #[inline(always)]
        fn down(self, places: [u64; 8]) -> Self {
            Self(unsafe { _mm512_srlv_epi64(self.0, Self::of(places).0) })
        }

        #[inline(always)]
        fn where_any(self, condition: Self) -> Self {
            Self(unsafe { _mm512_maskz_mov_epi64(_mm512_test_epi64_mask(condition.0, condition.0), self.0) })
        }

        #[inline(always)]
        fn union(self) -> u64 {
            unsafe { _mm512_reduce_or_epi64(self.0) as u64 }
        }

        #[inline(always)]
        fn sets(self) -> [u64; 8] {
            let mut sets = [0; 8];
            unsafe { _mm512_storeu_si512(sets.as_mut_ptr().cast(), self.0) };
            sets
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{OnSets, Sets, each, in_turn, nth, portable, spread, spread_all, spread_two, with_eight, with_four};

    const SAMPLES: [u64; 6] = [0, 1, u64::MAX, 0x8000_0000_0000_0000, 0x0123_4567_89ab_cdef, 0x5500_aa00_ff00_0001];

    #[test]
    fn vector_code_agrees_with_portable_code() {
        for bits in SAMPLES {
            let (mut fast, mut slow) = ([7_u8; 64], [9_u8; 64]);
            spread(bits, &mut fast);
            portable::spread(bits, &mut slow);
            assert_eq!(fast, slow);
            #[cfg(target_arch = "x86_64")]
            if super::x86::level() >= super::Level::Wide {
                fast = [7; 64];
                // SAFETY: the processor has the features, as just checked.
                unsafe { super::x86::spread(bits, &mut fast) };
                assert_eq!(fast, slow);
            }
            let (mut fast, mut slow) = ([7_u8; 64], [9_u8; 64]);
            let (ones, twos) = (bits & 0x00ff_0f0f_3333_5555, bits & !0x00ff_0f0f_3333_5555);
            spread_two(ones, twos, &mut fast);
            portable::spread_two(ones, twos, &mut slow);
            assert_eq!(fast, slow);
            #[cfg(target_arch = "x86_64")]
            if super::x86::level() >= super::Level::Wide {
                fast = [7; 64];
                // SAFETY: the processor has the features, as just checked.
                unsafe { super::x86::spread_two(ones, twos, &mut fast) };
                assert_eq!(fast, slow);
            }
            let [first, second] = [bits as u32, (bits >> 32) as u32];
            assert_eq!(in_turn([first, second]), portable::in_turn([first, second]));
            for n in 0..bits.count_ones() {
                assert_eq!(nth(bits, n), portable::nth(bits, n));
            }
        }
    }

    /// Everything that can be done with sets side by side.
    #[derive(Clone, Copy)]
    struct Everything<const N: usize>([u64; N], [u64; N]);

    impl<const N: usize> OnSets<N> for Everything<N> {
        type Output = Vec<u64>;

        #[inline(always)]
        fn run<V: Sets<N>>(self) -> Vec<u64> {
            let (one, other) = (V::of(self.0), V::of(self.1));
            let places = std::array::from_fn(|i| 7 * i as u64);
            let both = [one.and(other), one.or(other), one.without(other), one.where_any(one.and(other))];
            let alone = [one.lowest(), one.lowest().below(), one.up(places), one.down(places), V::all(self.0[1])];
            let sets = both.into_iter().chain(alone).flat_map(V::sets);
            sets.chain([one.union(), other.union()]).collect()
        }
    }

    #[test]
    fn sets_side_by_side_agree_with_portable_code() {
        let sample = |i: usize| SAMPLES[i % SAMPLES.len()].rotate_left(i as u32);
        let four = Everything(std::array::from_fn(sample), std::array::from_fn(|i| sample(i + 3)));
        assert_eq!(with_four(four), portable::with_sets(four));
        let eight = Everything(std::array::from_fn(sample), std::array::from_fn(|i| sample(i + 3)));
        assert_eq!(with_eight(eight), portable::with_sets(eight));
        #[cfg(target_arch = "x86_64")]
        if super::x86::level() >= super::Level::Wide {
            // SAFETY: the processor has the features, as just checked.
            assert_eq!(unsafe { super::x86::with_eight(eight) }, portable::with_sets(eight));
        }
    }

    #[test]
    fn sets_one_after_another_end_where_the_room_ends() {
        for size in [0, 1, 63, 64, 65, 127, 128, 200, 6 * 64] {
            let mut flags = vec![7_u8; size];
            spread_all(&SAMPLES, &mut flags);
            for (place, &flag) in flags.iter().enumerate() {
                assert_eq!(u64::from(flag), SAMPLES[place / 64] >> (place % 64) & 1, "{place} of {size}");
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
