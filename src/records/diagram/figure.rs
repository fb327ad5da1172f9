//! Draws a piece in its owner's colours.

use super::options::PieceSet;
use super::shapes::letters::strokes;
use super::shapes::{Badge, Figure, Stroke, look};
use super::sheet::{INK, PAPER, put};
use ferz_core::board::{Mask, Owner};
use ferz_core::rules::{Piece, Rules};

/// Colours of an owner's pieces.
struct Colors {
    body: String,
    outline: &'static str,
    detail: &'static str,
}

/// Writes a drawing of a piece under an id, for reuse by reference.
pub(super) fn define<M: Mask>(out: &mut String, id: &str, rules: &Rules<M>, piece: Piece, how: &Drawn<'_>) {
    let kind = rules.kind(piece.kind);
    let colors = colors(piece.owner, how.ids);
    put!(out, r#"<g id="{id}" stroke-linejoin="round" stroke-linecap="round">"#);
    let look = look(kind, how.set);
    match look.figure {
        Figure::Drawn(parts) => parts.iter().for_each(|part| draw(out, part, &colors)),
        Figure::Disc(letter) => {
            draw(out, &Stroke::Body("M50 16 A36 36 0 1 0 50.01 16 Z"), &colors);
            let (strokes, detail) = (strokes(letter), colors.detail);
            put!(out, r#"<path transform="translate(50 52) scale(2)" d="{strokes}" "#);
            put!(out, r#"fill="none" stroke="{detail}" stroke-width="2.8"/>"#);
        }
    }
    // Forward is up for the player at the bottom.
    let upwards = (piece.owner == Owner::Black) == (how.seen_by == Owner::Black);
    for (badge, top) in look.badges.iter().zip([68, 32]) {
        put!(out, r#"<g transform="translate(80 {top})">"#);
        write_badge(out, badge, upwards);
        out.push_str("</g>");
    }
    if kind.label[piece.owner].other_army {
        // The `'` of the notation.
        put!(out, r#"<path d="M80 6 H92 L86 26 H80 Z" fill="{INK}" stroke="{PAPER}" stroke-width="2.6"/>"#);
    }
    out.push_str("</g>");
}

/// What all drawings of a diagram have in common.
pub(super) struct Drawn<'a> {
    /// Prefix of the diagram's ids.
    pub(super) ids: &'a str,
    /// The set of drawings.
    pub(super) set: PieceSet,
    /// The player at the bottom.
    pub(super) seen_by: Owner,
}

/// The badges in use, each once.
pub(super) fn badges<M: Mask>(rules: &Rules<M>, figures: &[Piece], set: PieceSet) -> Vec<Badge> {
    let mut found = Vec::new();
    for badge in figures.iter().flat_map(|piece| look(rules.kind(piece.kind), set).badges) {
        if !found.contains(&badge) {
            found.push(badge);
        }
    }
    found
}

fn colors(owner: Owner, ids: &str) -> Colors {
    match owner {
        Owner::White => Colors { body: PAPER.into(), outline: INK, detail: INK },
        Owner::Black => Colors { body: "#262626".into(), outline: INK, detail: "#f4f4f4" },
        Owner::Nature => {
            Colors { body: format!("url(#{ids}-nature)"), outline: "#40220a", detail: "#40220a" }
        }
    }
}

fn draw(out: &mut String, part: &Stroke, colors: &Colors) {
    let Colors { body, outline, detail } = colors;
    match part {
        Stroke::Body(path) => {
            put!(out, r#"<path d="{path}" fill="{body}" stroke="{outline}" stroke-width="3.6"/>"#)
        }
        Stroke::Line(path) => {
            put!(out, r#"<path d="{path}" fill="none" stroke="{detail}" stroke-width="3"/>"#)
        }
        Stroke::Dot(path) => put!(out, r#"<path d="{path}" fill="{detail}"/>"#),
    }
}

/// Writes a badge around the origin, 36 wide and high.
pub(super) fn write_badge(out: &mut String, badge: &Badge, upwards: bool) {
    put!(out, r#"<circle r="17" fill="{PAPER}" stroke="{INK}" stroke-width="2.4"/>"#);
    match badge {
        Badge::Letter(letter) | Badge::Promoted(letter) => {
            let strokes = strokes(*letter);
            put!(out, r#"<path d="{strokes}" fill="none" stroke="{INK}" stroke-width="3.4"/>"#);
            if matches!(badge, Badge::Promoted(_)) {
                // The `+` of the notation.
                put!(out, r#"<path d="M10 -12H18M14 -16V-8" stroke="{INK}" stroke-width="3"/>"#);
            }
        }
        Badge::Squares(steps) => {
            put!(out, r#"<path d="M-2.5 0H2.5M0 -2.5V2.5" stroke="{INK}" stroke-width="2"/>"#);
            for (dx, dy) in steps {
                let sign = if upwards { -1 } else { 1 };
                let (x, y) = (i32::from(*dx) * 5 * -sign, i32::from(*dy) * 5 * sign);
                put!(out, r#"<circle cx="{x}" cy="{y}" r="2.7" fill="{INK}"/>"#);
            }
        }
    }
}
