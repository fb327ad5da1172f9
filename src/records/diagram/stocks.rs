//! Draws the players' stocks: one tray each.

use super::layout::{EDGE, TEXT, width_of};
use super::sheet::{INK, LIGHT, Sheet, put};
use ferz_core::board::{Mask, Owner};
use ferz_core::position::Position;
use ferz_core::rules::{Piece, Rules, Stock};

/// Height of a tray and of its pieces.
const TRAY: i32 = 68;
const GAP: i32 = 10;

/// Draws a player's reserve and hand, if the game has them.
pub(super) fn draw<M: Mask>(sheet: &mut Sheet, position: &Position<M>, owner: Owner) {
    let rules = position.rules();
    if rules.has_reserve {
        let left = rules.entries.map(|_| position.entries_left(owner));
        let left = left.map(|left| format!("entries left: {left}")).unwrap_or_default();
        tray(sheet, rules, owner, "Reserve", position.reserve(owner), &left);
    }
    if rules.has_hand {
        let deploying = !rules.has_reserve && position.deployment_due(owner);
        let name = if deploying { "To deploy" } else { "Hand" };
        tray(sheet, rules, owner, name, position.hand(owner), "");
    }
}

fn tray<M: Mask>(sheet: &mut Sheet, rules: &Rules<M>, owner: Owner, name: &str, stock: &Stock, note: &str) {
    let (left, top) = (EDGE, sheet.y + GAP);
    let width = sheet.layout.width - 2 * EDGE;
    let line = top + TRAY / 2 + TEXT / 3;
    put!(sheet.out, r#"<rect x="{left}" y="{top}" width="{width}" height="{TRAY}" rx="8" "#);
    put!(sheet.out, r#"fill="{LIGHT}" stroke="{INK}" stroke-opacity=".4" stroke-width="2"/>"#);
    put!(sheet.out, r#"<g font-size="{TEXT}" fill="{INK}">"#);
    let name = format!("{}: {}", owner.name(), name.to_lowercase());
    put!(sheet.out, r#"<text x="{}" y="{line}">{name}</text>"#, left + 14);
    let start = left + 14 + width_of(&name, TEXT).max(200) + 16;
    let room = left + width - 14 - width_of(note, TEXT) - start;
    pieces(sheet, rules, owner, stock, (start, top, room));
    if !note.is_empty() {
        put!(sheet.out, r#"<text x="{}" y="{line}" text-anchor="end">{note}</text>"#, left + width - 14);
    }
    sheet.out.push_str("</g>");
    sheet.y = top + TRAY;
}

/// Draws the pieces of a stock, closer together where space is short.
fn pieces<M: Mask>(
    sheet: &mut Sheet,
    rules: &Rules<M>,
    owner: Owner,
    stock: &Stock,
    (start, top, room): (i32, i32, i32),
) {
    let held: Vec<_> = rules.stock_order.iter().filter(|kind| stock[kind.index()] > 0).collect();
    let width = |count: u8| 64 + if count > 1 { width_of(&format!("×{count}"), TEXT) + 6 } else { 0 };
    let needed: i32 = held.iter().map(|kind| width(stock[kind.index()])).sum();
    let scale = (0.64 * f64::from(room.max(1)) / f64::from(needed.max(1))).clamp(0.2, 0.64);
    let (mut x, line) = (start, top + TRAY / 2 + TEXT / 3);
    if held.is_empty() {
        put!(sheet.out, r#"<text x="{x}" y="{line}">–</text>"#);
    }
    for &&kind in &held {
        let id = sheet.figure(Piece { owner, kind });
        let y = f64::from(top + TRAY / 2) - scale * 50.0;
        put!(sheet.out, r##"<use href="#{id}" transform="translate({x} {y:.1}) scale({scale:.3})"/>"##);
        x += (scale * 100.0) as i32;
        let count = stock[kind.index()];
        if count > 1 {
            put!(sheet.out, r#"<text x="{x}" y="{line}">×{count}</text>"#);
            x += width_of(&format!("×{count}"), TEXT) + 6;
        }
    }
}
