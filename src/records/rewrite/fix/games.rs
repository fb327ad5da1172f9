//! The repair that splits a record where another game begins.

use super::{Change, Fixed, table};
use crate::record::{Item, ItemKind, Record, read};
use crate::replay::{Replayer, Source, codes};
use ferz_core::text::{Budget, Edit, Exhausted, Span, edited};

/// Splits a record where its move numbers restart; false if they do not. Each game is repaired by another run.
pub(super) fn split(
    replayer: &mut Replayer<'_>,
    record: &Record<'_>,
    source: &Source<'_>,
    fixed: &mut Fixed,
    budget: &Budget,
) -> Result<bool, Exhausted> {
    let within = Source::new(record.source(), record.offset(), 0);
    let report = replayer.report_within(record, &within, 0, budget)?;
    let mut starts: Vec<usize> = report
        .diagnostics
        .iter()
        .filter(|found| found.code == codes::J_NUMBERS_RESTART)
        .map(|found| found.span[0] - record.offset())
        .collect();
    // From an illegal ply on nothing is judged: there the numbers alone show it, also the one directly before it.
    if let Some(illegal) = &report.illegal {
        let at = illegal.span[0] - record.offset();
        let first = record.items.partition_point(|item| (item.start as usize) < at).saturating_sub(1);
        let later = restarts(record).filter(|(index, _)| *index >= first);
        starts.extend(later.map(|(_, item)| item.start as usize));
        starts.sort_unstable();
        starts.dedup();
    }
    if starts.is_empty() {
        return Ok(false);
    }
    let ends = if record.source().windows(2).any(|pair| pair == b"\r\n") { "\r\n\r\n" } else { "\n\n" };
    let mut edits = Vec::new();
    for start in starts {
        let place = record.offset() + start;
        let blank =
            if record.source()[..start].last().is_some_and(u8::is_ascii_whitespace) { "" } else { " " };
        let after = format!("{blank}*{ends}");
        edits.push(Edit::new(Span::new(place, place), after.as_str()));
        fixed.changes.push(Change::new(&table::SPLIT_GAMES, source, place, String::new(), after));
    }
    fixed.bytes = edited(record.source(), record.offset(), &edits);
    for game in read(&fixed.bytes, 0) {
        let source = Source::new(game.source(), game.offset(), 0);
        fixed.reports.push(replayer.report_within(&game, &source, 0, budget)?);
    }
    Ok(true)
}

/// The numbers of the main line, with their indices, that are 1 after a later one or after a whole move.
fn restarts<'r>(record: &'r Record<'_>) -> impl Iterator<Item = (usize, Item)> + 'r {
    let (mut last, mut plies) = (0, 0);
    record.main_line().items().filter_map(move |(index, item)| {
        plies += usize::from(item.kind == ItemKind::Move);
        let ItemKind::MoveNumber(number) = item.kind else { return None };
        if number.interjection {
            return None;
        }
        let begins = number.value == 1 && number.dots <= 1 && plies > 0;
        let restart = begins && (last > 1 || plies % 2 == 0);
        last = number.value;
        plies = if restart { 0 } else { plies };
        restart.then_some((index, *item))
    })
}
