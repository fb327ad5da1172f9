//! Mixing of bits.

/// A number that depends on every bit of another, the same in every run and on every machine (the finalizer of
/// SplitMix64, by G. L. Steele and others, 2014). It hides nothing.
///
/// ```
/// use ferz_core::text::mix;
/// assert_ne!(mix(0), mix(1));
/// ```
pub const fn mix(seed: u64) -> u64 {
    let mut z = seed.wrapping_add(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}
