//! In what a text deviates from the form that the styles write, although it has one meaning.

/// Deviations of form; bits. Each has a code of its own in a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Slips(pub u16);

impl Slips {
    /// None.
    pub const NONE: Slips = Slips(0);
    /// Check or mate is marked otherwise than with one `+` or `#`: `++`, `†`, `ch`, `mate`.
    pub const MARK: Slips = Slips(1);
    /// A capture is marked otherwise than with `x` before the target: `:`, `×`, `ed5:`.
    pub const CAPTURE: Slips = Slips(2);
    /// A promotion is written otherwise than `=Q`: `e8Q`, `e8(Q)`, `e8/Q`, `e8=q`.
    pub const PROMOTION: Slips = Slips(4);
    /// The text says `e.p.`.
    pub const EN_PASSANT: Slips = Slips(8);
    /// A piece has a small letter, or a file a capital one.
    pub const CASE: Slips = Slips(16);
    /// Dashes of printers, blanks without width, a comma behind the move.
    pub const CHARACTERS: Slips = Slips(32);
    /// The target, or its rank, is left out: `ed`, `BxN`.
    pub const TARGET: Slips = Slips(64);
    /// A drop is written otherwise than the styles do: `N*e4`, `@e4`.
    pub const DROP: Slips = Slips(128);
    /// More of the from-square is written than tells the piece from others.
    pub const ORIGIN_NEEDLESS: Slips = Slips(256);
    /// Less of the from-square is written than the style wants.
    pub const ORIGIN_SHORT: Slips = Slips(512);
    /// The ply is not written as the record's style writes it.
    pub const OTHER_STYLE: Slips = Slips(1024);

    /// The text says `e.p.`, and the ply is none.
    pub const NO_EN_PASSANT: Slips = Slips(2048);

    /// `'` stands behind a kind that is not the other army's alone.
    pub const SHARED_KIND: Slips = Slips(4096);

    /// Both deviations.
    #[must_use]
    pub const fn and(self, other: Slips) -> Slips {
        Slips(self.0 | other.0)
    }

    /// True if one of `slips` is among them.
    pub const fn has(self, slips: Slips) -> bool {
        self.0 & slips.0 != 0
    }

    /// True if there are any.
    pub const fn any(self) -> bool {
        self.0 != 0
    }
}
