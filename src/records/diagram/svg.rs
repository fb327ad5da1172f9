//! The diagram as a self-contained SVG file.

use super::figure::{Drawn, badges, define};
use super::layout::{EDGE, Layout, TEXT};
use super::marks::marks;
use super::options::Options;
use super::sheet::{INK, Sheet, escaped, figure_id, put};
use super::{board, legend, notes, stocks};
use ferz_core::board::{BoardName, Mask};
use ferz_core::position::Position;

/// Draws a position as SVG: the board, and around it everything that matters for the legal plies.
///
/// It needs no other file, font, script or style sheet, and describes the position in words for screen readers. Its
/// background is white; a page can restyle it with the classes `ferz-diagram`, `ferz-paper` and `ferz-label` (its
/// texts).
pub fn svg<M: Mask>(position: &Position<M>, options: &Options<M>) -> String {
    sized(position, options).0
}

/// Draws the boards of a game on two side by side, as one file.
pub fn svg_of_two<M: Mask>(positions: &[Position<M>; 2], options: &[Options<M>; 2]) -> String {
    let drawn = BoardName::ALL.map(|board| {
        let (position, options) = (&positions[board as usize], &options[board as usize]);
        let own = format!("{}{}", options.id.clone().unwrap_or_else(|| id_of(position, options)), board);
        sized(position, &Options { id: Some(own), ..options.clone() })
    });
    let [(first, left, high), (second, right, low)] = drawn;
    let (width, height) = (left + right, high.max(low));
    let second = second.replacen("<svg ", &format!("<svg x=\"{left}\" "), 1);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
         height=\"{height}\">\n{first}{second}</svg>\n"
    )
}

/// The drawing with its width and height.
fn sized<M: Mask>(position: &Position<M>, options: &Options<M>) -> (String, i32, i32) {
    let layout =
        Layout::new(position.rules().board(), options.seen_by, options.coordinates, options.surroundings);
    let ids = options.id.clone().unwrap_or_else(|| id_of(position, options));
    let mut sheet = Sheet::new(layout, ids);
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
    (finished(&sheet, position, options), sheet.layout.width / 2, sheet.y / 2)
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
