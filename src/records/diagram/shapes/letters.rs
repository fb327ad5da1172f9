//! Letters as strokes, about 12 wide and 16 high, centred on the origin: pieces are drawn without a font.

/// The strokes of the letters A to Z.
const STROKES: [&str; 26] = [
    "M-6 8 L0 -8 L6 8 M-3.8 2.5 H3.8",
    "M-5 -8 V8 H1 A4.3 4.3 0 0 0 1 -.6 H-5 M1 -.6 A3.7 3.7 0 0 0 1 -8 H-5",
    "M5.5 -4.5 A6.3 8 0 1 0 5.5 4.5",
    "M-5 -8 V8 H-2 A7 8 0 0 0 -2 -8 Z",
    "M5 -8 H-4.5 V8 H5 M-4.5 0 H3.5",
    "M5 -8 H-4.5 V8 M-4.5 0 H3.5",
    "M5.5 -4.5 A6.3 8 0 1 0 6 2 V1 H1",
    "M-5.5 -8 V8 M5.5 -8 V8 M-5.5 0 H5.5",
    "M0 -8 V8 M-3 -8 H3 M-3 8 H3",
    "M4 -8 V3 A4.5 5 0 0 1 -5 3",
    "M-5 -8 V8 M5.5 -8 L-5 1.5 M-1.5 -1.5 L6 8",
    "M-4.5 -8 V8 H5",
    "M-6.5 8 V-8 L0 2 L6.5 -8 V8",
    "M-5.5 8 V-8 L5.5 8 V-8",
    "M0 -8 A6.5 8 0 1 0 .01 -8 Z",
    "M-5 8 V-8 H1 A4.4 4.4 0 0 1 1 .8 H-5",
    "M0 -8 A6.5 8 0 1 0 .01 -8 Z M2 3 L7 9",
    "M-5 8 V-8 H1 A4.4 4.4 0 0 1 1 .8 H-5 M0 .8 L5.5 8",
    "M5 -5.5 C3 -9 -5 -9 -5 -4 C-5 1 5.5 -1 5.5 4 C5.5 9 -4 9.5 -5.5 5",
    "M-6 -8 H6 M0 -8 V8",
    "M-5.5 -8 V2.5 A5.5 5.5 0 0 0 5.5 2.5 V-8",
    "M-6 -8 L0 8 L6 -8",
    "M-7.5 -8 L-3.8 8 L0 -4 L3.8 8 L7.5 -8",
    "M-5.5 -8 L5.5 8 M5.5 -8 L-5.5 8",
    "M-6 -8 L0 0 L6 -8 M0 0 V8",
    "M-5 -8 H5.5 L-5.5 8 H5.5",
];

/// The strokes of a letter; a cross for anything else.
pub(in crate::diagram) fn strokes(letter: u8) -> &'static str {
    let index = letter.to_ascii_uppercase().wrapping_sub(b'A');
    STROKES.get(usize::from(index)).copied().unwrap_or("M-5.5 -8 L5.5 8 M5.5 -8 L-5.5 8")
}
