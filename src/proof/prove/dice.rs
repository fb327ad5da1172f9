//! Plies by chance, the same ones in every run.

use ferz_core::position::Ply;

/// A sequence of numbers that look random (xorshift64).
pub(super) struct Dice(u64);

impl Dice {
    pub(super) fn new() -> Dice {
        Dice(0x9e37_79b9_7f4a_7c15)
    }

    /// One of some plies, of which there is at least one.
    pub(super) fn pick(&mut self, plies: &[Ply]) -> Ply {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        plies[(self.0 % plies.len() as u64) as usize]
    }
}
