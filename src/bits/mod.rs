//! Sets of up to 64 cells as bits, and the vector code that serves them.
//!
//! A wheel is built for any x86-64 machine, so wider instructions have to be chosen at run time. [`wide`] does that once
//! per batch call: whatever is inlined into it is compiled a second time for AVX2 and BMI2, and a third time for AVX-512,
//! where flags are one masked store. [`spread`], [`gather`], [`nth`], [`with_four`] and [`with_eight`] choose for themselves;
//! within [`wide`] they are inlined, elsewhere they cost a call.
//!
//! Only here and in `pool.rs` there is `unsafe`: calling a function compiled for wider instructions is safe exactly where
//! the processor has them, which is checked right there.
#![allow(unsafe_code)]

mod portable;
#[cfg(target_arch = "x86_64")]
mod x86;

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
