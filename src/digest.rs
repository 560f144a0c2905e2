//! A number by which two matches are told apart.

use std::hash::Hasher;

/// A 64-bit hash, the same on every thread and in every process; it is not made against forgery.
#[derive(Clone, Debug)]
pub struct Digest(u64);

impl Digest {
    /// The digest of nothing.
    #[must_use]
    pub fn new() -> Self {
        Self(0x9e37_79b9_7f4a_7c15)
    }

    #[inline(always)]
    fn add(&mut self, word: u64) {
        let product = u128::from(self.0 ^ word) * 0xa076_1d64_78bd_642f;
        self.0 = (product >> 64) as u64 ^ product as u64;
    }
}

impl Default for Digest {
    fn default() -> Self {
        Self::new()
    }
}

impl Hasher for Digest {
    #[inline(always)]
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.add(u64::from_le_bytes(word));
        }
    }

    #[inline(always)]
    fn write_u64(&mut self, word: u64) {
        self.add(word);
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use std::hash::{Hash as _, Hasher as _};

    use super::Digest;

    fn of(words: &[u64]) -> u64 {
        let mut digest = Digest::new();
        for &word in words {
            digest.write_u64(word);
        }
        digest.finish()
    }

    #[test]
    fn every_word_and_their_order_matter() {
        let digests = [of(&[]), of(&[0]), of(&[0, 0]), of(&[1, 2]), of(&[2, 1]), of(&[1, 2, 0])];
        for (index, digest) in digests.iter().enumerate() {
            assert!(!digests[..index].contains(digest), "{digests:?}");
        }
    }

    #[test]
    fn a_million_neighbours_are_told_apart() {
        let mut digests: Vec<u64> = (0..1000).flat_map(|a| (0..1000).map(move |b| of(&[a, b]))).collect();
        digests.sort_unstable();
        digests.dedup();
        assert_eq!(digests.len(), 1_000_000);
    }

    #[test]
    fn bytes_are_read_eight_at_a_time() {
        let mut digest = Digest::new();
        [7_u8; 9].hash(&mut digest);
        assert_eq!(digest.finish(), of(&[9, 0x0707_0707_0707_0707, 7]));
    }
}
