//! A part of a game as a record of its own: from a ply on, so many plies.

use super::add::{line_end, set_tags};
use crate::record::{ItemKind, Record};
use crate::replay::{AnyTrace, Trace, with_trace};
use ferz_core::board::{Mask, Owner};
use ferz_core::text::edited;

/// The record of a part of a game: the plies from `from` on (the first is 1), at most `plies` of them, as they are
/// written, with their comments and variations. All tags stay; `SetUp` and `FEN` say where it begins. The result is
/// that of the game, even where the part ends before it.
///
/// `None` if the game has fewer legal plies than come before the part.
///
/// ```
/// use ferz_records::record::read;
/// use ferz_records::replay::{Options, Replayer, Source, trace};
/// use ferz_records::rewrite::cut;
///
/// let text = b"[Event \"Club\"]\n\n1. e4 e5 {good} 2. Nf3 Nc6 1-0";
/// let record = read(text, 0).next().ok_or("no record")?;
/// let mut replayer = Replayer::new(ferz_core::rules::Registry::built_in(), Options::default());
/// let traced = trace(&mut replayer, &record, &Source::new(text, 0, 0), 0).map_err(|_| "no game")?;
/// let part = String::from_utf8(cut(&record, &traced, 2, Some(2)).ok_or("too short")?)?;
/// assert!(part.contains("[FEN \"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1\"]"));
/// assert!(part.ends_with("\n\n1... e5 {good} 2. Nf3 1-0"), "{part}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn cut(record: &Record<'_>, trace: &AnyTrace, from: usize, plies: Option<usize>) -> Option<Vec<u8>> {
    with_trace!(trace, |trace| cut_of(record, trace, from, plies))
}

fn cut_of<M: Mask>(
    record: &Record<'_>,
    trace: &Trace<M>,
    from: usize,
    plies: Option<usize>,
) -> Option<Vec<u8>> {
    let before = from.saturating_sub(1);
    if before > trace.plies.len() {
        return None;
    }
    let end = plies.map_or(trace.plies.len(), |plies| before.saturating_add(plies).min(trace.plies.len()));
    let fen = trace.position(before).fen();
    let edits = if before == 0 { Vec::new() } else { set_tags(record, &[("SetUp", "1"), ("FEN", &fen)]) };
    let mut text = edited(&record.source()[..movetext_start(record)], record.offset(), &edits);
    while text.last().is_some_and(u8::is_ascii_whitespace) {
        text.pop();
    }
    if !text.is_empty() {
        text.extend_from_slice(line_end(record).repeat(2).as_bytes());
    }
    let (first, last) = (trace.plies.get(before).filter(|_| before < end), end.checked_sub(1));
    if let (Some(first), Some(last)) = (first, last.and_then(|last| trace.plies.get(last))) {
        // What stands before the first ply of all belongs to it.
        let start = if before == 0 { 0 } else { with_number(record, first.item) };
        if start == first.item && before > 0 {
            text.extend_from_slice(number_of(trace, before).as_bytes());
        }
        let stop = after_ply(record, last.item);
        let bytes = |index: usize| record.items.get(index).map(|item| record.full_span(*item));
        let whole_end = match bytes(stop) {
            Some(next) => next.start - record.offset(),
            None => record.source().len(),
        };
        let whole_start = bytes(start).map_or(0, |span| span.start - record.offset());
        text.extend_from_slice(record.source()[whole_start..whole_end].trim_ascii_end());
    }
    let result = record.stated_result().map_or("*", |result| result.as_str());
    if !text.ends_with(b"\n") && !text.is_empty() {
        text.push(b' ');
    }
    text.extend_from_slice(result.as_bytes());
    Some(text)
}

/// Where the movetext begins: after the last tag.
fn movetext_start(record: &Record<'_>) -> usize {
    record.tags.last().map_or(0, |tag| record.tag_full_span(tag).end - record.offset())
}

/// The item of the number directly before a ply, or the ply's own.
fn with_number(record: &Record<'_>, item: usize) -> usize {
    let before = item.checked_sub(1).and_then(|before| record.items.get(before));
    let numbered = before.is_some_and(|before| matches!(before.kind, ItemKind::MoveNumber(_)));
    item - usize::from(numbered)
}

/// The item after a ply with its annotations, comments and variations.
fn after_ply(record: &Record<'_>, item: usize) -> usize {
    let mut next = item + 1;
    while let Some(item) = record.items.get(next) {
        match item.kind {
            ItemKind::VariationStart { end } => next = end as usize + 1,
            ItemKind::Comment(_) | ItemKind::Nag { .. } => next += 1,
            _ => break,
        }
    }
    next
}

/// The number that the first ply of a part lacks.
fn number_of<M: Mask>(trace: &Trace<M>, index: usize) -> String {
    match trace.move_of(index) {
        Some((number, Owner::White)) => format!("{number}. "),
        Some((number, _)) => format!("{number}... "),
        None => format!("∞{}..... ", trace.plies[index].interjection),
    }
}
