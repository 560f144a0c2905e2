//! What processors with AVX2 and BMI2, or AVX-512, do with fewer instructions.

use std::arch::is_x86_feature_detected;
use std::arch::x86_64::{
    __m256i, __m512i, _mm_cvtsi128_si64, _mm_or_si128, _mm_unpackhi_epi64, _mm256_add_epi8, _mm256_add_epi64,
    _mm256_and_si256, _mm256_andnot_si256, _mm256_castsi256_si128, _mm256_cmpeq_epi8, _mm256_cmpeq_epi64,
    _mm256_extracti128_si256, _mm256_loadu_si256, _mm256_min_epu8, _mm256_movemask_epi8, _mm256_or_si256,
    _mm256_set_epi64x, _mm256_set1_epi8, _mm256_set1_epi64x, _mm256_setzero_si256, _mm256_shuffle_epi8,
    _mm256_sllv_epi64, _mm256_srlv_epi64, _mm256_storeu_si256, _mm256_sub_epi64, _mm512_add_epi64, _mm512_and_si512,
    _mm512_andnot_si512, _mm512_loadu_si512, _mm512_mask_set1_epi8, _mm512_mask_storeu_epi8, _mm512_maskz_mov_epi64,
    _mm512_maskz_set1_epi8, _mm512_or_si512, _mm512_reduce_or_epi64, _mm512_set1_epi64, _mm512_setzero_si512,
    _mm512_sllv_epi64, _mm512_srlv_epi64, _mm512_storeu_si512, _mm512_sub_epi64, _mm512_test_epi8_mask,
    _mm512_test_epi64_mask, _pdep_u64,
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
