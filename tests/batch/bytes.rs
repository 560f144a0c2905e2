//! How the bytes of a saved match are laid out.

/// The checksum at the end of a saved match: 64-bit FNV-1a, little-endian.
pub fn sealed(content: &[u8]) -> Vec<u8> {
    let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    let hash = content.iter().fold(0xcbf2_9ce4_8422_2325, step);
    [content, &hash.to_le_bytes()].concat()
}

/// Where the match itself begins: after `adjoin`, the format, the game's name with its length, and 8 bytes of digest.
pub fn body_start(name: &str) -> usize {
    "adjoin".len() + 1 + 1 + name.len() + 8
}
