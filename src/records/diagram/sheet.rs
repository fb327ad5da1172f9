//! What all parts of a drawing share: the sheet that they are drawn on, its colours, and text as XML.

use super::layout::{EDGE, Layout};
use ferz_core::board::Owner;
use ferz_core::rules::Piece;

/// Colour of the dark parts of marks and figures.
pub(super) const INK: &str = "#1a1a1a";
/// Background of badges.
pub(super) const PAPER: &str = "#ffffff";
/// Colour of light squares and of stocks.
pub(super) const LIGHT: &str = "#f7f4ec";

/// Appends formatted text to a string, which cannot fail.
macro_rules! put {
    ($out:expr, $($text:tt)*) => {{
        use std::fmt::Write;
        let _ = write!($out, $($text)*);
    }};
}
pub(super) use put;

/// A drawing that grows downwards.
pub(super) struct Sheet {
    /// The elements so far.
    pub(super) out: String,
    /// The current lower end.
    pub(super) y: i32,
    pub(super) layout: Layout,
    /// Prefix of the ids.
    pub(super) ids: String,
    /// The pieces with figures in use.
    pub(super) figures: Vec<Piece>,
}

impl Sheet {
    /// An empty drawing.
    pub(super) fn new(layout: Layout, ids: String) -> Sheet {
        Sheet { out: String::with_capacity(1 << 15), y: EDGE, layout, ids, figures: Vec::new() }
    }

    /// The id of a piece's figure; adds it to the figures to define.
    pub(super) fn figure(&mut self, piece: Piece) -> String {
        if !self.figures.contains(&piece) {
            self.figures.push(piece);
        }
        figure_id(&self.ids, piece)
    }
}

/// The id of a piece's figure.
pub(super) fn figure_id(ids: &str, piece: Piece) -> String {
    let owner = match piece.owner {
        Owner::White => 'w',
        Owner::Black => 'b',
        Owner::Nature => 'n',
    };
    format!("{ids}-{owner}{}", piece.kind.0)
}

/// Escapes a text for XML and drops characters that XML does not allow.
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '"' => out.push_str("&quot;"),
            '\n' | '\t' => out.push(c),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}
