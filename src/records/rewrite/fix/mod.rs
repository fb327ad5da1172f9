//! Repairs of records: each has a name, each change is listed, and none changes what was played; one, by name, splits a
//! record where another game begins.
//!
//! A repair answers diagnostics. It changes the bytes they are about; every other byte stays.

mod games;
mod moves;
mod settled;
mod table;
mod tags;
mod written;

pub use settled::fix_each;
pub(crate) use table::SKIPPED_LINES;
pub use table::{DECIDING, REPAIRS, Repair, chosen, repair};

use super::transcript::{Derive, Transcript, transcribe_within};
use crate::interchange::Wrapped;
use crate::record::{Record, read};
use crate::replay::{Replayer, Report, Source};
use ferz_core::text::decode;
use ferz_core::text::{Budget, Code, Edit, Exhausted, LineColumn, Span, edited};
use std::collections::HashSet;

/// A change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// The repair.
    pub repair: &'static Repair,
    /// The place in the input, in bytes.
    pub offset: usize,
    /// Line of the place in the input, from 1.
    pub line: usize,
    /// Character in the line, from 1.
    pub column: usize,
    /// The old text; empty for an insertion.
    pub before: String,
    /// The new text.
    pub after: String,
}

impl Change {
    fn new(
        repair: &'static Repair,
        source: &Source<'_>,
        offset: usize,
        before: String,
        after: String,
    ) -> Change {
        let LineColumn { line, column } = source.locate(offset);
        Change { repair, offset, line, column, before, after }
    }
}

/// A repaired record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fixed {
    /// The repaired bytes of the record's source.
    pub bytes: Vec<u8>,
    /// The changes, in the order in which they were made.
    pub changes: Vec<Change>,
    /// Repairs that were not made because they would have changed the game.
    pub refused: Vec<&'static Repair>,
    /// The reports on what is left: of one game, or of several if the record was split. Where a game could not be
    /// judged, only repairs that need no rules were made.
    pub reports: Vec<Report>,
}

/// Maximum number of rounds: a repair may enable another (closing a comment ends a game without a result).
const ROUNDS_MAX: usize = 8;

/// Makes those of `repairs` that a record needs.
///
/// ```
/// use ferz_records::replay::{Options, Replayer, Source};
/// use ferz_records::rewrite::fix;
/// use ferz_core::rules::Registry;
/// use ferz_records::record;
///
/// let text = b"1.e4 e5 2.Bc4 Nc6 4. Qh5 Nf6 5. Qf7";
/// let record = record::read(text, 0).next().ok_or("no game")?;
/// let mut replayer = Replayer::new(Registry::built_in(), Options::default());
/// let repairs: Vec<_> = fix::REPAIRS.iter().filter(|repair| repair.usual).collect();
/// let fixed = fix::fix(&mut replayer, &record, &Source::new(text, 0, 0), &repairs);
/// assert_eq!(fixed.bytes, b"1.e4 e5 2.Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# *");
/// assert_eq!(fixed.changes[0].repair.name, "move-numbers");
/// # Ok::<(), &str>(())
/// ```
pub fn fix(
    replayer: &mut Replayer<'_>,
    record: &Record<'_>,
    source: &Source<'_>,
    repairs: &[&'static Repair],
) -> Fixed {
    Budget::endless(|budget| fix_within(replayer, record, source, repairs, budget))
}

/// [`fix`] within a budget.
///
/// # Errors
/// If the budget ends before the work.
pub fn fix_within(
    replayer: &mut Replayer<'_>,
    record: &Record<'_>,
    source: &Source<'_>,
    repairs: &[&'static Repair],
    budget: &Budget,
) -> Result<Fixed, Exhausted> {
    let (bytes, changes, refused) = (record.source().to_vec(), Vec::new(), Vec::new());
    let mut fixed = Fixed { bytes, changes, refused, reports: Vec::new() };
    if source.is_rewritten(record) {
        if !repairs.iter().any(|repair| repair.name == SKIPPED_LINES.name) {
            // The bytes of the input are not those of the record.
            fixed.refused.push(&SKIPPED_LINES);
            return Ok(fixed);
        }
        fixed.changes.extend(taken_out(record, source));
    }
    if repairs.iter().any(|repair| repair.name == table::SPLIT_GAMES.name)
        && games::split(replayer, record, source, &mut fixed, budget)?
    {
        return Ok(fixed);
    }
    // The places of the edits of each round, to map places back to the input.
    let mut done: Vec<Vec<Moved>> = Vec::new();
    for _ in 0..ROUNDS_MAX {
        let wanted: Vec<&Repair> =
            repairs.iter().copied().filter(|repair| !fixed.refused.contains(repair)).collect();
        let bytes = std::mem::take(&mut fixed.bytes);
        // Whether a byte order mark or a tag is allowed may depend on the text before the record.
        let Some(now) = read(&bytes, record.offset()).next() else {
            fixed.bytes = bytes;
            break;
        };
        let mut bench = Bench::new(replayer, &now, wanted, budget)?;
        bench.is_followed = source.whole(record).end < source.offset() + source.text().len();
        // What is no record is not made one.
        let mut found = if bench.report.is_no_record() { Edits::new() } else { bench.found() };
        let before = bench.game();
        // A repair of the tags may have named a known game.
        fixed.reports = vec![bench.report];
        let mut trial = Trial { replayer, bytes: &bytes, offset: record.offset(), before: &before, budget };
        while !found.is_empty() && !trial.is_same(&found)? {
            // One repair at a time, to find out which of them it is.
            let bad = trial.guilty(&found)?;
            found.retain(|(repair, _)| repair.name != bad.name);
            fixed.refused.push(bad);
        }
        if found.is_empty() {
            fixed.bytes = bytes;
            break;
        }
        let edits: Vec<Edit> = found.iter().map(|(_, edit)| edit.clone()).collect();
        for (repair, edit) in &found {
            let local = edit.span.start - record.offset();
            let origin = done.iter().rev().fold(local, |place, moved| back(place, moved));
            let origin = Span::new(record.offset() + origin, record.offset() + origin);
            let before = decode(&bytes[local..edit.span.end - record.offset()]).into_owned();
            let (offset, after) = (source.span(origin).start, decode(&edit.with).into_owned());
            fixed.changes.push(Change::new(repair, source, offset, before, after));
        }
        fixed.bytes = edited(&bytes, record.offset(), &edits);
        done.push(moved(&edits, record.offset()));
    }
    Ok(fixed)
}

/// The changes that take a record out of the text around it: one for each part that is left out, or one without a text
/// where only marks of that text are.
fn taken_out(record: &Record<'_>, source: &Source<'_>) -> Vec<Change> {
    let left_out = |span: Span| {
        let text = span.shifted_back(source.offset()).of(source.text());
        let blanks = text.len() - text.trim_ascii_start().len();
        let before = decode(text.trim_ascii()).into_owned();
        Change::new(&SKIPPED_LINES, source, span.start + blanks, before, String::new())
    };
    let mut spans = source.skipped(record);
    if spans.is_empty() {
        let start = source.span(Span::new(record.offset(), record.offset())).start;
        spans.push(Span::new(start, start));
    }
    spans.into_iter().map(left_out).collect()
}

/// The place of an edit in the old and in the new text.
struct Moved {
    before: usize,
    after: usize,
    /// The number of inserted bytes.
    len: usize,
    /// How far all later bytes have moved.
    shift: isize,
}

/// Where edits, which are in order, are.
fn moved(edits: &[Edit], offset: usize) -> Vec<Moved> {
    let mut shift = 0isize;
    let moved = |Edit { span, with }: &Edit| {
        let before = span.start - offset;
        let after = before.saturating_add_signed(shift);
        shift += with.len() as isize - span.len() as isize;
        Moved { before, after, len: with.len(), shift }
    };
    edits.iter().map(moved).collect()
}

/// Maps a place in an edited text to the text before the edits.
fn back(place: usize, moved: &[Moved]) -> usize {
    let later = moved.partition_point(|edit| edit.after <= place);
    match later.checked_sub(1).map(|last| &moved[last]) {
        None => place,
        Some(edit) if place < edit.after + edit.len => edit.before,
        Some(edit) => place.saturating_add_signed(-edit.shift),
    }
}

/// Edits of a record, each with its repair.
type Edits = Vec<(&'static Repair, Edit)>;

/// The played moves, which repairs must not change. Only the texts of legal plies may change.
fn played(transcript: &Transcript) -> Vec<String> {
    let plies =
        transcript.elements().into_iter().filter_map(|element| match (&element.played, &element.moves) {
            (Some(played), _) => Some(format!("{} {} {}", played.ply, played.coord, played.key)),
            (None, Some(_)) => Some("variation".to_owned()),
            _ => element.illegal.as_ref().map(|illegal| format!("{} {}", illegal.ply, illegal.reason_id)),
        });
    let start = transcript.start_fen.clone().unwrap_or_default();
    std::iter::once(start).chain(plies).collect()
}

/// Tries repairs of a record before they are made.
struct Trial<'t, 'r> {
    replayer: &'t mut Replayer<'r>,
    /// The record before the repairs, and the bytes of the input before it.
    bytes: &'t [u8],
    offset: usize,
    /// What was played before the repairs.
    before: &'t [String],
    budget: &'t Budget,
}

impl Trial<'_, '_> {
    /// True if the edited text is one record with the same game.
    fn is_same(&mut self, found: &Edits) -> Result<bool, Exhausted> {
        let edits: Vec<Edit> = found.iter().map(|(_, edit)| edit.clone()).collect();
        let after = edited(self.bytes, self.offset, &edits);
        let mut records = read(&after, self.offset);
        let Some(record) = records.next() else { return Ok(false) };
        if records.next().is_some() || self.hides(&after) {
            return Ok(false);
        }
        let source = Source::new(record.source(), record.offset(), 0);
        let done = transcribe_within(self.replayer, &record, &source, 0, Derive::default(), self.budget)?;
        Ok(played(&done.transcript) == self.before)
    }

    /// True if the edited text, and not the text before, looks like mail, of which lines would be skipped.
    fn hides(&self, after: &[u8]) -> bool {
        Wrapped::would_change(after) && !Wrapped::would_change(self.bytes)
    }

    /// The first repair that alone changes the game; the last of all, if they do it only together.
    fn guilty(&mut self, found: &Edits) -> Result<&'static Repair, Exhausted> {
        let mut last = found[0].0;
        let mut tried: Vec<&str> = Vec::new();
        for (repair, _) in found {
            last = repair;
            if tried.contains(&repair.name) {
                continue;
            }
            tried.push(repair.name);
            let alone: Edits = found.iter().filter(|(other, _)| other.name == repair.name).cloned().collect();
            if !self.is_same(&alone)? {
                return Ok(repair);
            }
        }
        Ok(last)
    }
}

/// A record under repair, with its report.
struct Bench<'b, 'a> {
    record: &'b Record<'a>,
    report: Report,
    transcript: Transcript,
    plies: moves::Plies,
    repairs: Vec<&'static Repair>,
    /// True if the input goes on after the record.
    is_followed: bool,
}

impl<'b, 'a> Bench<'b, 'a> {
    fn new(
        replayer: &mut Replayer<'_>,
        record: &'b Record<'a>,
        repairs: Vec<&'static Repair>,
        budget: &Budget,
    ) -> Result<Bench<'b, 'a>, Exhausted> {
        let source = Source::new(record.source(), record.offset(), 0);
        let done = transcribe_within(replayer, record, &source, 0, Derive::default(), budget)?;
        let plies = moves::Plies::of(replayer, record, &source, &done.report, budget)?;
        Ok(Bench {
            record,
            report: done.report,
            transcript: done.transcript,
            plies,
            repairs,
            is_followed: false,
        })
    }

    fn game(&self) -> Vec<String> {
        played(&self.transcript)
    }

    fn wants(&self, repair: &Repair) -> bool {
        self.repairs.iter().any(|wanted| wanted.name == repair.name)
    }

    /// The places of a repair's diagnostics, if the repair is requested.
    fn places(&self, repair: &Repair) -> Vec<(Code, Span)> {
        if !self.wants(repair) {
            return Vec::new();
        }
        let diagnostics = self.report.all_diagnostics();
        let diagnostics =
            diagnostics.into_iter().filter(|diagnostic| repair.codes.contains(&diagnostic.code));
        diagnostics.map(|found| (found.code, Span::new(found.span[0], found.span[1]))).collect()
    }

    /// The same places, to be looked up.
    fn spans(&self, repair: &Repair) -> HashSet<Span> {
        self.places(repair).into_iter().map(|(_, place)| place).collect()
    }

    /// The bytes of a place.
    fn bytes(&self, span: Span) -> &'a [u8] {
        let offset = self.record.offset();
        &self.record.source()[span.start - offset..span.end - offset]
    }

    /// All edits in order, without overlaps; of those that clash the first one counts in this round.
    fn found(&mut self) -> Edits {
        // Of insertions at one place, those of a move come next to it, and a result comes last.
        let mut found = self.in_the_moves();
        found.extend(self.number_blanks());
        found.extend(self.in_the_tags());
        found.extend(self.in_the_text());
        // A token that is rewritten together with its ply needs no braces.
        let is = |repair: &Repair, edit: &(&Repair, Edit)| edit.0.name == repair.name;
        let spelt = found.iter().filter(|edit| is(&table::SPELLINGS, edit));
        let spelt: Vec<Span> = spelt.map(|(_, edit)| edit.span).collect();
        let covered = |place: Span| spelt.iter().any(|ply| ply.start < place.start && place.end <= ply.end);
        found.retain(|edit| !is(&table::LOOSE_WORDS, edit) || !covered(edit.1.span));
        found.retain(|(_, edit)| self.bytes(edit.span) != edit.with);
        found.sort_by_key(|(_, edit)| (edit.span.start, edit.span.end));
        let mut end = 0;
        found.retain(|(_, edit)| {
            let fits = edit.span.start >= end;
            end = if fits { edit.span.end } else { end };
            fits
        });
        found
    }
}
