//! Repairs of a whole text until a second run would find nothing.
//!
//! How a record is read depends on the text around it: whether lines are those of a mail, and where a game ends. So the
//! repairs of one may make another be read otherwise.

use super::{Change, Fixed, ROUNDS_MAX, Repair, fix};
use crate::record::Record;
use crate::replay::{Batch, Replayer, Source, each_record_then, of_text};
use ferz_core::text::{Edit, LineColumn, Span, edited};
use std::io::{self, Read};
use std::ops::ControlFlow;

/// Repairs the records of a stream on `jobs` threads (0 for all cores), and calls `emit` for each part of it, in order.
/// The text of a batch is the repaired one, in which a second run finds nothing to do; places of changes are those of
/// the input. Where repairs bring on others for ever, the text stays and all of them are refused.
///
/// ```
/// use ferz_core::rules::Registry;
/// use ferz_records::replay::{Options, Replayer};
/// use ferz_records::rewrite::fix;
/// use std::ops::ControlFlow;
///
/// let replayer = || Replayer::new(Registry::built_in(), Options::default());
/// let mut repaired = Vec::new();
/// fix::fix_each(&b"1. e4 e5 3. Nf3\n"[..], 1, replayer, &fix::chosen(&[], false), |batch| {
///     repaired.extend_from_slice(&batch.text);
///     ControlFlow::<()>::Continue(())
/// })?;
/// assert_eq!(repaired, b"1. e4 e5 2. Nf3 *\n");
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
/// If the stream cannot be read. The parts before have been emitted.
pub fn fix_each<'r, B>(
    stream: impl Read + Send,
    jobs: usize,
    replayer: impl Fn() -> Replayer<'r> + Sync,
    repairs: &[&'static Repair],
    emit: impl FnMut(Batch<Fixed>) -> ControlFlow<B>,
) -> io::Result<ControlFlow<B>> {
    each_record_then(
        stream,
        jobs,
        replayer,
        |replayer, record, source| Repaired::of(replayer, record, source, repairs),
        |replayer, batch| settled(replayer, batch, repairs),
        emit,
    )
}

/// A record with the span of the text that its repaired bytes replace.
struct Repaired {
    span: Span,
    fixed: Fixed,
}

impl Repaired {
    fn of(
        replayer: &mut Replayer<'_>,
        record: &Record<'_>,
        source: &Source<'_>,
        repairs: &[&'static Repair],
    ) -> Repaired {
        Repaired { span: source.whole(record), fixed: fix(replayer, record, source, repairs) }
    }
}

/// Repairs the repaired text again until nothing is found in it.
fn settled(replayer: &mut Replayer<'_>, batch: Batch<Repaired>, repairs: &[&'static Repair]) -> Batch<Fixed> {
    let Batch { mut items, text, offset, lines, cut, unread } = batch;
    let done = |items: Vec<Repaired>, text| {
        let items = items.into_iter().map(|item| item.fixed).collect();
        Batch { items, text, offset, lines, cut, unread }
    };
    let (mut now, mut steps): (Vec<u8>, Vec<Vec<Replaced>>) = (Vec::new(), Vec::new());
    // The changes so far, each with its place in the text as it is now.
    let mut made: Vec<Made> = Vec::new();
    for round in 0..ROUNDS_MAX {
        let before = if round == 0 { &text[..] } else { &now };
        let step = Replaced::all(&items, before, offset);
        let is_last = step.is_empty();
        if round > 0 {
            take_over(&mut items, &made, &steps, &Source::new(&text, offset, lines));
        }
        if is_last {
            let text = if round == 0 { text } else { now.into() };
            return done(items, text);
        }
        let edits: Vec<Edit> = items
            .iter()
            .filter(|item| !item.fixed.changes.is_empty())
            .map(|item| Edit::new(item.span, item.fixed.bytes.as_slice()))
            .collect();
        let after = edited(before, offset, &edits);
        made = items
            .into_iter()
            .filter(|item| !item.fixed.changes.is_empty() || !item.fixed.refused.is_empty())
            .map(|Repaired { span, fixed }| {
                let blanks = fixed.bytes.len() - fixed.bytes.trim_ascii_start().len();
                Made { at: forth(span.start, &step) + blanks, fixed }
            })
            .collect();
        steps.push(step);
        now = after;
        items =
            of_text(&now, offset, lines, |record, source| Repaired::of(replayer, record, source, repairs));
    }
    // They never come to rest: nothing is changed.
    let mut items =
        of_text(&text, offset, lines, |record, source| Repaired::of(replayer, record, source, repairs));
    for Repaired { fixed, .. } in &mut items {
        let names: Vec<&'static Repair> = fixed.changes.drain(..).map(|change| change.repair).collect();
        add_refused(fixed, names);
    }
    done(items, text)
}

/// What was done to a record in the rounds before.
struct Made {
    /// The first byte of the record, after blank lines, in the text that it was written into.
    at: usize,
    fixed: Fixed,
}

/// Adds what was done before to the records that are there now, and finds the places of new changes in the input.
fn take_over(items: &mut [Repaired], made: &[Made], steps: &[Vec<Replaced>], input: &Source<'_>) {
    for Repaired { fixed, .. } in items.iter_mut() {
        for change in &mut fixed.changes {
            change.offset = steps.iter().rev().fold(change.offset, |place, step| back(place, step));
            let LineColumn { line, column } = input.locate(change.offset);
            (change.line, change.column) = (line, column);
        }
    }
    let mut new: Vec<Vec<Change>> =
        items.iter_mut().map(|item| std::mem::take(&mut item.fixed.changes)).collect();
    for Made { at, fixed } in made {
        let index = items.partition_point(|item| item.span.end <= *at).min(items.len().saturating_sub(1));
        let Some(item) = items.get_mut(index) else { return };
        item.fixed.changes.extend(fixed.changes.iter().cloned());
        add_refused(&mut item.fixed, fixed.refused.iter().copied());
    }
    for (item, new) in items.iter_mut().zip(&mut new) {
        item.fixed.changes.append(new);
    }
}

fn add_refused(fixed: &mut Fixed, repairs: impl IntoIterator<Item = &'static Repair>) {
    for repair in repairs {
        if !fixed.refused.contains(&repair) {
            fixed.refused.push(repair);
        }
    }
}

/// Bytes of a text that others replace.
struct Replaced {
    before: Span,
    after: Span,
    /// How many bytes are the same at their beginnings and at their ends.
    same: (usize, usize),
}

impl Replaced {
    /// What the changed records replace in a text of which `offset` bytes come before.
    fn all(items: &[Repaired], text: &[u8], offset: usize) -> Vec<Replaced> {
        let mut shift = 0isize;
        let replaced = |item: &Repaired| {
            let (before, bytes) = (item.span, &item.fixed.bytes);
            let old = &text[before.start - offset..before.end - offset];
            let start = before.start.saturating_add_signed(shift);
            shift += bytes.len() as isize - old.len() as isize;
            let same =
                |pairs: &mut dyn Iterator<Item = (&u8, &u8)>| pairs.take_while(|(a, b)| a == b).count();
            let first = same(&mut old.iter().zip(bytes));
            let last = same(&mut old[first..].iter().rev().zip(bytes[first.min(bytes.len())..].iter().rev()));
            Replaced { before, after: Span::new(start, start + bytes.len()), same: (first, last) }
        };
        items.iter().filter(|item| !item.fixed.changes.is_empty()).map(replaced).collect()
    }
}

/// The place in the text before for a place in the text after.
fn back(place: usize, step: &[Replaced]) -> usize {
    let later = step.partition_point(|replaced| replaced.after.start <= place);
    let Some(Replaced { before, after, same }) = later.checked_sub(1).map(|last| &step[last]) else {
        return place;
    };
    match place {
        _ if place <= after.start + same.0 => before.start + (place - after.start),
        _ if place + same.1 >= after.end => before.end + place - after.end,
        _ => before.start + same.0,
    }
}

/// The place in the text after for a place in the text before, at the start of a record.
fn forth(place: usize, step: &[Replaced]) -> usize {
    let later = step.partition_point(|replaced| replaced.before.start <= place);
    match later.checked_sub(1).map(|last| &step[last]) {
        None => place,
        Some(Replaced { before, after, .. }) if place < before.end || before.start == place => {
            after.start + (place - before.start).min(after.len())
        }
        Some(Replaced { before, after, .. }) => place - before.end + after.end,
    }
}
