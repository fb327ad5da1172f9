//! The diagram as a self-contained SVG file.

use super::figure::{Drawn, INK, badges, define};
use super::layout::{EDGE, Layout, TEXT};
use super::marks::marks;
use super::options::Options;
use super::{board, legend, notes, stocks};
use crate::board::{Mask, Owner};
use crate::position::Position;
use crate::rules::Piece;

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
    figures: Vec<Piece>,
}

impl Sheet {
    /// The id of a piece's figure; adds it to the figures to define.
    pub(super) fn figure(&mut self, piece: Piece) -> String {
        if !self.figures.contains(&piece) {
            self.figures.push(piece);
        }
        figure_id(&self.ids, piece)
    }
}

fn figure_id(ids: &str, piece: Piece) -> String {
    let owner = match piece.owner {
        Owner::White => 'w',
        Owner::Black => 'b',
        Owner::Nature => 'n',
    };
    format!("{ids}-{owner}{}", piece.kind.0)
}

/// Draws a position as SVG: the board, and around it everything that matters for the legal plies.
///
/// It needs no other file, font, script or style sheet, and describes the position in words for screen readers. Its
/// background is white; a page can restyle it with the classes `ferz-diagram`, `ferz-paper` and `ferz-label` (its
/// texts).
pub fn svg<M: Mask>(position: &Position<M>, options: &Options<M>) -> String {
    let layout =
        Layout::new(position.rules().board(), options.seen_by, options.coordinates, options.surroundings);
    let ids = options.id.clone().unwrap_or_else(|| id_of(position, options));
    let mut sheet = Sheet { out: String::with_capacity(1 << 15), y: EDGE, layout, ids, figures: Vec::new() };
    let marks = marks(position, options);
    if let Some(title) = &options.title {
        sheet.y -= EDGE / 2;
        notes::paragraph(&mut sheet, title, TEXT * 5 / 4, "ferz-label ferz-title");
        sheet.y += EDGE;
    }
    let around = options.surroundings;
    if around {
        sheet.y -= 6;
        stocks::draw(&mut sheet, position, layout.above());
        sheet.y += EDGE;
    }
    board::draw(&mut sheet, position, options, &marks);
    if around {
        stocks::draw(&mut sheet, position, layout.below_board());
        notes::status(&mut sheet, position);
        notes::nature(&mut sheet, position);
        let badges = badges(position.rules(), &sheet.figures, options.pieces);
        notes::legend(&mut sheet, &marks, &badges);
    }
    if let Some(caption) = &options.caption {
        sheet.y += 8;
        notes::paragraph(&mut sheet, caption, TEXT, "ferz-label ferz-caption");
    }
    sheet.y += EDGE;
    finished(&sheet, position, options)
}

/// Writes the complete file around the elements.
fn finished<M: Mask>(sheet: &Sheet, position: &Position<M>, options: &Options<M>) -> String {
    let Sheet { out: drawn, y: height, layout, ids, figures } = sheet;
    let width = layout.width;
    let name = options.title.clone().unwrap_or_else(|| legend::name(position));
    let mut out = String::with_capacity(drawn.len() + (1 << 13));
    put!(
        out,
        r#"<svg xmlns="http://www.w3.org/2000/svg" class="ferz-diagram" viewBox="0 0 {width} {height}" "#
    );
    put!(out, r#"width="{}" height="{}" role="img" "#, width / 2, height / 2);
    put!(out, r#"aria-labelledby="{ids}-title {ids}-desc" font-family="Georgia, serif" fill="{INK}">"#);
    put!(out, "\n<title id=\"{ids}-title\">{}</title>", escaped(&name));
    put!(
        out,
        "\n<desc id=\"{ids}-desc\">{}</desc>",
        escaped(legend::description(position, options).trim_end())
    );
    out.push_str("\n<defs>");
    patterns(&mut out, ids);
    let how = Drawn { ids, set: options.pieces, seen_by: options.seen_by };
    for piece in figures {
        define(&mut out, &figure_id(ids, *piece), position.rules(), *piece, &how);
    }
    put!(out, "</defs>\n");
    put!(out, r##"<rect class="ferz-paper" width="{width}" height="{height}" rx="10" fill="#fff"/>"##);
    put!(out, "\n{drawn}\n</svg>\n");
    out
}

/// Fill patterns besides colours: hatches and dots that are distinguishable without colour.
fn patterns(out: &mut String, ids: &str) {
    for (name, size, tiles) in [
        (
            "nature",
            10,
            r##"<path d="M0 0H10V10H0Z" fill="#f2c48a"/><path d="M0 0H3.4V10H0Z" fill="#8a4b12"/>"##,
        ),
        ("fault", 14, r##"<path d="M0 0H3V14H0ZM3 0H14V3H3Z" fill="#b3151b" fill-opacity=".75"/>"##),
        ("zone", 20, r##"<path d="M10 6.5A3.5 3.5 0 1 0 10.01 6.5Z" fill="#1c5d8c"/>"##),
    ] {
        let turned = if name == "zone" { "" } else { r#" patternTransform="rotate(45)""# };
        put!(out, r#"<pattern id="{ids}-{name}" width="{size}" height="{size}" "#);
        put!(out, r#"patternUnits="userSpaceOnUse"{turned}>{tiles}</pattern>"#);
    }
}

/// An id derived from everything that is drawn.
fn id_of<M: Mask>(position: &Position<M>, options: &Options<M>) -> String {
    let hash =
        blake3::hash(format!("{} {} {options:?}", position.rules().id.digest, position.fen()).as_bytes());
    format!("d{}", &hash.to_hex()[..10])
}

/// Escapes a text for XML and drops characters that XML does not allow.
pub(crate) fn escaped(text: &str) -> String {
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
