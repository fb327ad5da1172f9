//! Detects compression by the first bytes.

/// How a text is compressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Packing {
    /// Not compressed.
    None,
    /// gzip.
    Gzip,
    /// Zstandard.
    Zstd,
    /// xz.
    Xz,
}

const MARKS: [(&[u8], Packing); 3] =
    [(b"\x1f\x8b", Packing::Gzip), (b"\x28\xb5\x2f\xfd", Packing::Zstd), (b"\xfd7zXZ\0", Packing::Xz)];

impl Packing {
    /// The compression of a text that begins with these bytes, independent of its file name; six bytes are enough.
    ///
    /// ```
    /// use ferz_core::text::Packing;
    /// assert_eq!(Packing::of(b"\x1f\x8b\x08"), Packing::Gzip);
    /// assert_eq!(Packing::of(b"1. e4 *"), Packing::None);
    /// ```
    pub fn of(head: &[u8]) -> Packing {
        MARKS.iter().find(|(mark, _)| head.starts_with(mark)).map_or(Packing::None, |(_, packing)| *packing)
    }
}
