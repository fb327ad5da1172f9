//! Deviations of a text from the form that styles write, although its meaning is unique.

/// Deviations of form, as bits. Each has its own diagnostic code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Slips(pub u16);

impl Slips {
    /// No deviation.
    pub const NONE: Slips = Slips(0);
    /// Check or mate not marked with one `+` or `#`: `++`, `†`, `ch`, `mate`.
    pub const MARK: Slips = Slips(1);
    /// A capture not marked with `x` before the target: `:`, `×`, `ed5:`.
    pub const CAPTURE: Slips = Slips(2);
    /// A promotion not written `=Q`: `e8Q`, `e8(Q)`, `e8/Q`, `e8=q`.
    pub const PROMOTION: Slips = Slips(4);
    /// The text has `e.p.`.
    pub const EN_PASSANT: Slips = Slips(8);
    /// A lower-case piece letter, or an upper-case file.
    pub const CASE: Slips = Slips(16);
    /// Typographic dashes, zero-width spaces, a comma after the move.
    pub const CHARACTERS: Slips = Slips(32);
    /// The target or its rank is missing: `ed`, `BxN`.
    pub const TARGET: Slips = Slips(64);
    /// A drop in no style's form: `N*e4`, `@e4`.
    pub const DROP: Slips = Slips(128);
    /// More disambiguation than needed.
    pub const ORIGIN_NEEDLESS: Slips = Slips(256);
    /// Less disambiguation than the style requires.
    pub const ORIGIN_SHORT: Slips = Slips(512);
    /// The ply is written in another style than the record's.
    pub const OTHER_STYLE: Slips = Slips(1024);

    /// The text has `e.p.`, but the ply is no en passant capture.
    pub const NO_EN_PASSANT: Slips = Slips(2048);

    /// `'` after a kind that is not exclusive to the other army.
    pub const SHARED_KIND: Slips = Slips(4096);

    /// Both deviations.
    #[must_use]
    pub const fn and(self, other: Slips) -> Slips {
        Slips(self.0 | other.0)
    }

    /// True if any of `slips` is in the set.
    pub const fn has(self, slips: Slips) -> bool {
        self.0 & slips.0 != 0
    }

    /// True if there is any deviation.
    pub const fn any(self) -> bool {
        self.0 != 0
    }
}
