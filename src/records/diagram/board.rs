//! Draws the board: squares, signs, pieces, coordinates, the side to move.

use super::layout::{Layout, SQUARE, TEXT};
use super::marks::Mark;
use super::options::Options;
use super::sheet::{INK, LIGHT, Sheet, put};
use ferz_core::board::{Mask, Owner};
use ferz_core::position::Position;
use ferz_core::rules::definition::PromotionTo;

/// The squares of a1's colour.
const DARK: &str = "#b6c2ca";

/// Draws the board at the current lower end of the sheet.
pub(super) fn draw<M: Mask>(
    sheet: &mut Sheet,
    position: &Position<M>,
    options: &Options<M>,
    marks: &[(Mark, M)],
) {
    let layout = sheet.layout;
    // For scripts that find squares: the square below a point is (x, y) / 100 in this group.
    let (files, ranks, turned) =
        (layout.board.files(), layout.board.ranks(), options.seen_by == Owner::Black);
    put!(
        sheet.out,
        r#"<g class="ferz-board" data-files="{files}" data-ranks="{ranks}" data-turned="{turned}" "#
    );
    sheet.y += layout.outside;
    put!(sheet.out, r#"transform="translate({} {})">"#, layout.left, sheet.y);
    squares(&mut sheet.out, position, &layout);
    promotion_letters(&mut sheet.out, position, &layout);
    cells(sheet, marks, |mark, out, ids| mark.under(out, ids));
    for square in position.occupied().squares() {
        if let Some(piece) = position.piece(square) {
            let ((x, y), id) = (layout.corner(square), sheet.figure(piece));
            put!(sheet.out, r##"<use href="#{id}" x="{x}" y="{y}"/>"##);
        }
    }
    cells(sheet, marks, |mark, out, _| mark.over(out));
    options.drawn.draw(&mut sheet.out, &layout);
    let (width, height) = (layout.across(), layout.down());
    put!(sheet.out, r#"<path d="M-2 -2H{0}V{1}H-2Z" "#, width + 2, height + 2);
    put!(sheet.out, r#"fill="none" stroke="{INK}" stroke-width="4"/>"#);
    for corner in layout.board.corners() {
        let (x, y) = layout.corner(corner);
        put!(sheet.out, r#"<path d="M{x} {y}h{SQUARE}v{SQUARE}h-{SQUARE}z" "#);
        put!(sheet.out, r#"fill="none" stroke="{INK}" stroke-width="4"/>"#);
    }
    if options.coordinates {
        names(&mut sheet.out, &layout);
    }
    if options.surroundings {
        turn(sheet, position);
    }
    sheet.out.push_str("</g>");
    sheet.y += height + layout.below;
}

fn squares<M: Mask>(out: &mut String, position: &Position<M>, layout: &Layout) {
    let (width, height) = (layout.across(), layout.down());
    put!(out, r#"<path d="M0 0H{width}V{height}H0Z"#);
    for corner in layout.board.corners() {
        let (x, y) = layout.corner(corner);
        put!(out, "M{x} {y}h{SQUARE}v{SQUARE}h-{SQUARE}z");
    }
    put!(out, r#"" fill="{LIGHT}"/><path d=""#);
    for square in position.rules().geometry.dark().squares() {
        let (x, y) = layout.corner(square);
        put!(out, "M{x} {y}h{SQUARE}v{SQUARE}h-{SQUARE}z");
    }
    put!(out, r#"" fill="{DARK}"/>"#);
}

/// Writes the letter of the piece that a pawn becomes on a square into its corner, where the opponent's array says so
/// (ING 4).
fn promotion_letters<M: Mask>(out: &mut String, position: &Position<M>, layout: &Layout) {
    let rules = position.rules();
    if rules.promotion_to != PromotionTo::ArraySquare {
        return;
    }
    put!(out, r#"<g class="ferz-promotion" font-size="{TEXT}" fill="{INK}" fill-opacity="0.6">"#);
    for square in rules.board().squares() {
        let figure = rules.array[square.index()].filter(|piece| !rules.is_pawn(piece.kind));
        if let Some(piece) = figure {
            let (x, y) = layout.corner(square);
            let letter = rules.kind(piece.kind).label[piece.owner.opponent()].text().to_ascii_uppercase();
            put!(out, r#"<text x="{}" y="{}">{letter}</text>"#, x + 5, y + TEXT);
        }
    }
    out.push_str("</g>");
}

/// Writes one part of each sign on each of its squares.
fn cells<M: Mask>(sheet: &mut Sheet, marks: &[(Mark, M)], write: impl Fn(Mark, &mut String, &str)) {
    for (mark, squares) in marks {
        let mut sign = String::new();
        write(*mark, &mut sign, &sheet.ids);
        for square in squares.squares().filter(|_| !sign.is_empty()) {
            let (x, y) = sheet.layout.corner(square);
            put!(sheet.out, r#"<g transform="translate({x} {y})">{sign}</g>"#);
        }
    }
}

fn names(out: &mut String, layout: &Layout) {
    let board = layout.board;
    put!(out, r#"<g class="ferz-label" font-size="{TEXT}" fill="{INK}" text-anchor="middle">"#);
    for file in 0..board.files() {
        if let Some(square) = board.square(file as i8, 0) {
            let x = layout.corner(square).0 + SQUARE / 2;
            let name = (b'a' + file) as char;
            put!(out, r#"<text x="{x}" y="{}">{name}</text>"#, layout.down() + TEXT + 4);
        }
    }
    for rank in 0..board.ranks() {
        if let Some(square) = board.square(0, rank as i8) {
            let y = layout.corner(square).1 + SQUARE / 2 + TEXT / 3;
            put!(out, r#"<text x="-24" y="{y}">{}</text>"#, board.rank_number(rank));
        }
    }
    out.push_str("</g>");
}

/// Draws a disc at the side of the player on move, and one in the middle where Nature may act.
fn turn<M: Mask>(sheet: &mut Sheet, position: &Position<M>) {
    if position.finish().is_some() {
        return;
    }
    let layout = sheet.layout;
    let x = layout.across() + 25;
    let y = if position.turn() == layout.above() { 22 } else { layout.down() - 22 };
    let fill = if position.turn() == Owner::White { "#fff" } else { INK };
    put!(sheet.out, r#"<circle cx="{x}" cy="{y}" r="13" fill="{fill}" stroke="{INK}" stroke-width="4"/>"#);
    if position.nature_may_act() {
        let (y, ids) = (layout.down() / 2, &sheet.ids);
        put!(sheet.out, r#"<circle cx="{x}" cy="{y}" r="13" fill="url(#{ids}-nature)" "#);
        sheet.out.push_str(r##"stroke="#40220a" stroke-width="4"/>"##);
    }
}
