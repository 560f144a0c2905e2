//! Named, shaped ranges of numbers: the blocks of an observation row and of the action ids.

use serde::Serialize;

use crate::bits::{self, Flag, Processor};
use crate::set::Set;

/// A named range with a shape.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Block {
    /// Unique within its layout.
    pub name: &'static str,
    /// Where the block begins.
    pub start: usize,
    /// Its dimensions; empty for a single number.
    pub shape: Vec<usize>,
    /// The largest value of an entry; 1 for the blocks of action ids.
    pub high: u8,
    /// What to take away from an entry to get its meaning, where that can be negative.
    pub offset: i16,
    /// What an entry means.
    pub meaning: &'static str,
    /// Names of the entries along the last dimension, where they have names.
    pub labels: Vec<String>,
    /// Whether the first dimension is the seats: the viewer's own, then clockwise.
    pub by_seat: bool,
    /// How many classes there are, where an entry is the number of one and not an amount.
    pub classes: Option<u16>,
}

impl Block {
    /// How many numbers the block spans.
    #[must_use]
    pub fn size(&self) -> usize {
        self.shape.iter().product()
    }
}

/// Blocks one after another, without gaps.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Layout {
    size: usize,
    blocks: Vec<Block>,
}

/// Writes the entries of a row or a mask, one block after another.
///
/// Flags are written 64 at a time, beyond the end of their block where there is room: what follows is written later. A
/// copy of the right length for every block cost as much as all the rest of a row.
pub struct Writer<'a, T = u8>(&'a mut [T], Processor);

impl<'a, T: Flag> Writer<'a, T> {
    /// From the beginning of a row.
    #[inline(always)]
    pub fn new(row: &'a mut [T]) -> Self {
        Self(row, Processor::this())
    }

    /// The next entries, for the caller to write.
    ///
    /// # Panics
    /// If the row is too short.
    #[inline(always)]
    pub fn next(&mut self, size: usize) -> &'a mut [T] {
        let (out, rest) = std::mem::take(&mut self.0).split_at_mut(size);
        self.0 = rest;
        out
    }

    /// Writes the next entries as 1 for the bits of a set and 0 for the others.
    ///
    /// # Panics
    /// If there are more than 64, or the row is too short.
    #[inline(always)]
    pub fn set(&mut self, set: u64, size: usize) {
        assert!(size <= 64, "64 flags a set");
        match self.0.first_chunk_mut::<64>() {
            Some(flags) => self.1.spread(set, flags),
            None => self.1.spread_short(set, &mut self.0[..size]),
        }
        self.next(size);
    }

    /// Writes the next entries as flags of two sets in turn, `each` of either.
    ///
    /// # Panics
    /// If there are more than 64 of either, or the row is too short.
    #[inline(always)]
    pub fn in_turn(&mut self, [first, second]: [u64; 2], each: usize) {
        assert!(each <= 64, "64 flags a set");
        for start in (0..each).step_by(32) {
            let sets = [(first >> start) as u32, (second >> start) as u32];
            self.set(self.1.in_turn(sets), 2 * (each - start).min(32));
        }
    }

    /// Writes the next entries as the first of those given; like flags, beyond the end of their block where there is room.
    ///
    /// # Panics
    /// If there are more than given, or the row is too short.
    #[inline(always)]
    pub fn first<const N: usize>(&mut self, entries: [T; N], size: usize) {
        match self.0.first_chunk_mut::<N>() {
            Some(out) if size <= N => *out = entries,
            _ => self.first_at_the_end(&entries, size),
        }
        self.next(size);
    }

    /// Where there is less room. By itself, so that the usual copy has a size that the compiler knows.
    #[cold]
    #[inline(never)]
    fn first_at_the_end(&mut self, entries: &[T], size: usize) {
        self.0[..size].copy_from_slice(&entries[..size]);
    }

    /// Writes the next entries as 1 for the members of a set and 0 for the others.
    ///
    /// # Panics
    /// If there are more than 256, or the row is too short.
    #[inline(always)]
    pub fn members(&mut self, set: Set, size: usize) {
        assert!(size <= 256, "a set has numbers below 256");
        let is_whole = if size <= 128 { self.whole::<128>(set) } else { self.whole::<256>(set) };
        if is_whole {
            self.next(size);
            return;
        }
        for (word, start) in set.words().into_iter().zip((0..size).step_by(64)) {
            self.set(word, (size - start).min(64));
        }
    }

    /// Writes the flags of all numbers below so many at once, where there is room.
    #[inline(always)]
    fn whole<const NUMBERS: usize>(&mut self, set: Set) -> bool {
        let processor = self.1;
        let Some(flags) = self.0.first_chunk_mut::<NUMBERS>() else { return false };
        for (flags, word) in flags.as_chunks_mut().0.iter_mut().zip(set.words()) {
            processor.spread(word, flags);
        }
        true
    }

    /// Writes the next entries as 0, but 1 for the one with this number, if there is one.
    ///
    /// # Panics
    /// If the row is too short.
    #[inline(always)]
    pub fn one_hot(&mut self, number: Option<usize>, size: usize) {
        if size <= 64 {
            let in_range = number.filter(|&number| number < size);
            return self.set(in_range.map_or(0, |number| 1 << number), size);
        }
        let entries = self.next(size);
        entries.fill(T::from(false));
        if let Some(entry) = number.and_then(|number| entries.get_mut(number)) {
            *entry = T::from(true);
        }
    }

    /// Writes the next entry as 1 or 0.
    #[inline(always)]
    pub fn flag(&mut self, flag: bool) {
        self.next(1)[0] = flag.into();
    }
}

impl Writer<'_> {
    /// Writes the next entry; what a byte cannot hold is written as 255.
    #[inline(always)]
    pub fn number(&mut self, number: impl TryInto<u8>) {
        self.next(1)[0] = number.try_into().unwrap_or(u8::MAX);
    }

    /// Writes the next entry, at most `high`.
    #[inline(always)]
    pub fn up_to(&mut self, high: u8, number: usize) {
        self.next(1)[0] = number.min(high.into()) as u8;
    }
}

/// Flags put together as bits, `N` times 64 at most, and then written at once: cheaper than one by one where there are
/// many blocks of them.
pub struct Flags<const N: usize> {
    sets: [u64; N],
    /// Those that do not fill a set yet.
    last: u64,
    len: usize,
}

impl<const N: usize> Flags<N> {
    /// None yet.
    #[inline(always)]
    #[must_use]
    pub fn new() -> Self {
        Self { sets: [0; N], last: 0, len: 0 }
    }

    /// Appends the flags of a set, which has no members beyond its size.
    ///
    /// # Panics
    /// If there is no room.
    #[inline(always)]
    pub fn set(&mut self, set: u64, size: usize) {
        let bit = self.len % 64;
        self.last |= set << bit;
        if bit + size >= 64 {
            self.sets[self.len / 64] = self.last;
            self.last = if bit == 0 { 0 } else { set >> (64 - bit) };
        }
        self.len += size;
    }

    /// Appends the flags of a set of up to 128, which has no members beyond its size.
    ///
    /// # Panics
    /// If there is no room.
    #[inline(always)]
    pub fn wide(&mut self, set: u128, size: usize) {
        self.set(set as u64, size.min(64));
        if size > 64 {
            self.set((set >> 64) as u64, size - 64);
        }
    }

    /// Appends as many flags that are not set.
    ///
    /// # Panics
    /// If there is no room.
    #[inline(always)]
    pub fn none(&mut self, size: usize) {
        for start in (0..size).step_by(64) {
            self.set(0, (size - start).min(64));
        }
    }

    /// Writes all of them as 1 or 0.
    ///
    /// # Panics
    /// If the row is too short.
    #[inline(always)]
    pub fn write<T: Flag>(mut self, out: &mut Writer<'_, T>) {
        if !self.len.is_multiple_of(64) {
            self.sets[self.len / 64] = self.last;
        }
        bits::spread_all(&self.sets, out.next(self.len));
    }
}

impl<const N: usize> Default for Flags<N> {
    fn default() -> Self {
        Self::new()
    }
}

impl Layout {
    /// A layout without blocks.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Appends a block of flags.
    #[must_use]
    pub fn flags(self, name: &'static str, shape: &[usize], meaning: &'static str) -> Self {
        self.counts(name, shape, 1, meaning)
    }

    /// Appends a block of numbers from 0 to `high`; larger ones are written as `high`.
    #[must_use]
    pub fn counts(mut self, name: &'static str, shape: &[usize], high: u8, meaning: &'static str) -> Self {
        let block = Block {
            name,
            start: self.size,
            shape: shape.to_vec(),
            high,
            offset: 0,
            meaning,
            labels: Vec::new(),
            by_seat: false,
            classes: None,
        };
        self.size += block.size();
        self.blocks.push(block);
        self
    }

    /// Appends a block of numbers of classes, from 0: names rather than amounts.
    #[must_use]
    pub fn category(self, name: &'static str, shape: &[usize], classes: u16, meaning: &'static str) -> Self {
        let high = u8::try_from(classes.saturating_sub(1)).unwrap_or(u8::MAX);
        let mut layout = self.counts(name, shape, high, meaning);
        if let Some(block) = layout.blocks.last_mut() {
            block.classes = Some(classes);
        }
        layout
    }

    /// Names the entries of the block appended last.
    #[must_use]
    pub fn labelled(mut self, labels: impl IntoIterator<Item = impl Into<String>>) -> Self {
        if let Some(block) = self.blocks.last_mut() {
            block.labels = labels.into_iter().map(Into::into).collect();
        }
        self
    }

    /// Says that the first dimension of the block appended last is the seats, the viewer's own first.
    #[must_use]
    pub fn by_seat(mut self) -> Self {
        if let Some(block) = self.blocks.last_mut() {
            block.by_seat = true;
        }
        self
    }

    /// Lets the block appended last hold numbers down to `-offset`, written with `offset` added.
    #[must_use]
    pub fn offset(mut self, offset: u8) -> Self {
        if let Some(block) = self.blocks.last_mut() {
            block.offset = i16::from(offset);
        }
        self
    }

    /// How many numbers all blocks span.
    #[must_use]
    pub fn size(&self) -> usize {
        self.size
    }

    /// The number of the block that an entry is in.
    #[must_use]
    pub fn block_of(&self, entry: usize) -> usize {
        self.blocks.iter().rposition(|block| block.start <= entry).unwrap_or_default()
    }

    /// The blocks in order.
    #[must_use]
    pub fn blocks(&self) -> &[Block] {
        &self.blocks
    }
}

#[cfg(test)]
mod tests {
    use super::{Flags, Writer};
    use crate::set::Set;

    #[test]
    fn flags_put_together_are_those_written_one_by_one() {
        for sizes in [&[64, 64, 1][..], &[55; 11], &[1, 63, 64, 3], &[7], &[60, 60, 8, 64], &[]] {
            let (mut flags, mut expected) = (Flags::<12>::new(), Vec::new());
            for (number, &size) in sizes.iter().enumerate() {
                let set = 0x9e37_79b9_7f4a_7c15_u64.rotate_left(number as u32 * 7) >> (64 - size);
                flags.set(set, size);
                expected.extend((0..size).map(|bit| (set >> bit & 1) as u8));
            }
            flags.wide(1 << 65, 66);
            expected.extend((0..66).map(|bit| u8::from(bit == 65)));
            flags.none(70);
            expected.resize(expected.len() + 70, 0);
            let mut row = vec![7; expected.len() + 1];
            flags.write(&mut Writer::new(&mut row));
            expected.push(7);
            assert_eq!(row, expected);
        }
    }

    #[test]
    fn blocks_follow_one_another_up_to_the_very_end() {
        let set: Set = [0, 63, 64, 99].into_iter().collect();
        for rest in [0, 1, 20, 63, 64, 200] {
            let mut row = vec![7_u8; 1 + 100 + 3 + 70 + 1 + rest];
            let mut out = Writer::new(&mut row);
            out.number(300);
            out.members(set, 100);
            out.set(0b11101, 3);
            out.one_hot(Some(69), 70);
            out.flag(true);
            let mut expected = vec![255];
            expected.extend((0..100).map(|number| u8::from(set.contains(number))));
            expected.extend([1, 0, 1]);
            expected.extend((0..70).map(|number| u8::from(number == 69)));
            expected.push(1);
            assert_eq!(row[..expected.len()], expected);
        }
        let mut row = [7_u8; 70];
        let mut out = Writer::new(&mut row);
        out.in_turn([0b01, 1 << 33 | 0b10], 34);
        out.first([5, 6, 9, 9], 2);
        assert!(row[4..67].iter().all(|&flag| flag == 0));
        assert_eq!((&row[..4], &row[67..]), (&[1, 0, 0, 1][..], &[1, 5, 6][..]));
        let mut row = [7_u8; 5];
        let mut out = Writer::new(&mut row);
        out.first([1, 2, 3, 9, 9, 9], 3);
        out.first([4, 5, 9], 2);
        assert_eq!(row, [1, 2, 3, 4, 5]);
        let mut mask = [7_i8; 5];
        let mut out = Writer::new(&mut mask);
        out.one_hot(Some(1), 2);
        out.one_hot(Some(3), 3);
        assert_eq!(mask, [0, 1, 0, 0, 0]);
    }
}
