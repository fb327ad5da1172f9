//! The notes below the board: the side to move, Nature's clock, the legend.

use super::figure::write_badge;
use super::layout::{EDGE, TEXT, width_of};
use super::marks::Mark;
use super::shapes::Badge;
use super::sheet::{INK, LIGHT, Sheet, escaped, put};
use super::text;
use ferz_core::board::Mask;
use ferz_core::position::Position;
use ferz_core::rules::compiled::Nature;

/// Line height.
const LINE: i32 = TEXT * 4 / 3;

/// Writes a text, wrapped to the width of the sheet.
pub(super) fn paragraph(sheet: &mut Sheet, text: &str, size: i32, class: &str) {
    for line in sheet.layout.wrapped(text, size) {
        sheet.y += size * 4 / 3;
        let line = escaped(&line);
        let y = sheet.y - size / 4;
        put!(sheet.out, r#"<text class="{class}" x="{EDGE}" y="{y}" font-size="{size}">{line}</text>"#);
    }
}

/// Writes the side to move, or how the game ended.
pub(super) fn status<M: Mask>(sheet: &mut Sheet, position: &Position<M>) {
    let line = match position.finish() {
        Some(finish) => format!("The game is over: {}.", text::ending(finish)),
        None => {
            let turn = position.turn();
            let due = position.deployment_due(turn);
            let verb = if due { "deploy" } else { "move" };
            let check = if position.in_check() { ", in check" } else { "" };
            let nature = match position.nature_may_act() {
                true if position.placement_is_due() => "; Nature places its Anti-King first",
                true => "; Nature may act",
                false => "",
            };
            let number = position.status().number;
            format!("{} to {verb}{check}{nature} (move {number}).", turn.name())
        }
    };
    sheet.y += 8;
    paragraph(sheet, &line, TEXT, "ferz-label");
    if let Some(line) = text::dead_pawns(position) {
        paragraph(sheet, &line, TEXT, "ferz-label");
    }
}

/// Draws Nature's clock: one bead for each real ply of the period and the delay, dark for those that have passed.
pub(super) fn nature<M: Mask>(sheet: &mut Sheet, position: &Position<M>) {
    let Some(nature) = &position.rules().nature else { return };
    if position.status().nature.eliminated {
        return paragraph(sheet, text::OUT, TEXT, "ferz-label");
    }
    let clock = position.status().nature.clock;
    let Nature { period, delay, .. } = *nature;
    let left = |all: u8| match all.saturating_sub(clock) {
        1 => "1 ply".to_owned(),
        left => format!("{left} plies"),
    };
    let acts = match clock >= period {
        true if position.nature_may_act() => "Nature may act".to_owned(),
        true => "Nature can no longer act".to_owned(),
        false => format!("Nature may act after {}", left(period)),
    };
    let checks = match clock >= delay {
        true => "its attack is check".to_owned(),
        false => format!("its attack is not check for {}", left(delay)),
    };
    for (all, words) in [(period, acts), (delay, checks)] {
        sheet.y += LINE;
        let y = sheet.y - TEXT / 3;
        let mut x = EDGE + 11;
        // Long periods are written as text only.
        for bead in 0..(if all <= 12 { all } else { 0 }) {
            let fill = if bead < clock { INK } else { "#fff" };
            put!(
                sheet.out,
                r#"<circle cx="{x}" cy="{y}" r="9" fill="{fill}" stroke="{INK}" stroke-width="3"/>"#
            );
            x += 25;
        }
        let y = sheet.y;
        put!(sheet.out, r#"<text class="ferz-label" x="{x}" y="{y}" font-size="{TEXT}">{words}</text>"#);
    }
    sheet.y += TEXT / 4;
}

/// Width and height of a sample in the legend.
const SAMPLE: i32 = 36;

/// Writes the legend: every sign and badge in use with its meaning, filling each line.
pub(super) fn legend<M: Mask>(sheet: &mut Sheet, marks: &[(Mark, M)], badges: &[Badge]) {
    let ids = sheet.ids.clone();
    let of_mark = |(mark, _): &(Mark, M)| (mark_sample(*mark, &ids), mark.words());
    let of_badge = |badge: &Badge| {
        let mut sample = r#"<g transform="translate(18 18)">"#.to_owned();
        write_badge(&mut sample, badge, true);
        (sample + "</g>", badge.words())
    };
    let entries: Vec<_> = marks.iter().map(of_mark).chain(badges.iter().map(of_badge)).collect();
    let (mut x, right) = (EDGE, sheet.layout.width - EDGE);
    sheet.y += 10;
    for (sample, words) in &entries {
        let width = SAMPLE + 8 + width_of(words, TEXT) + 22;
        if x > EDGE && x + width > right {
            x = EDGE;
            sheet.y += SAMPLE + 8;
        }
        let (at, line) = (x + SAMPLE + 8, sheet.y + SAMPLE - 9);
        put!(sheet.out, r#"<g transform="translate({x} {})">{sample}</g>"#, sheet.y);
        put!(sheet.out, r#"<text class="ferz-label" x="{at}" y="{line}" font-size="{TEXT}">{words}</text>"#);
        x += width;
    }
    sheet.y += if entries.is_empty() { 0 } else { SAMPLE };
}

/// A sign on a small square; of a corner sign, only the corner.
fn mark_sample(mark: Mark, ids: &str) -> String {
    let mut sample =
        format!(r#"<path d="M0 0H{SAMPLE}V{SAMPLE}H0Z" fill="{LIGHT}" stroke="{INK}" stroke-opacity=".5"/>"#);
    match mark.corner() {
        Some((x, y)) => put!(sample, r#"<g transform="translate({} {})">"#, -x, -y),
        None => sample.push_str(r#"<g transform="scale(.36)">"#),
    }
    mark.under(&mut sample, ids);
    mark.over(&mut sample);
    sample + "</g>"
}
