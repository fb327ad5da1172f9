//! `ferz fix --decode`: what repairs of form leave illegal, read by the rules.

use super::fix::{Done, what_remains};
use crate::cli::output::{Console, Failure};
use ferz::decode::{Decoded, Options, Reading, decode, record_of};
use ferz::record::{Record, read};
use ferz::replay::summary::counted;
use ferz::replay::{Legality, Replayer, Source};
use ferz::text::Budget;

/// Decodes the records of a repaired text.
pub(super) struct Decoder<'r> {
    pub(super) name: String,
    pub(super) replayer: Replayer<'r>,
}

impl Decoder<'_> {
    /// The text with the moves of illegal records replaced where nothing is in doubt; every other byte stays.
    ///
    /// # Errors
    /// If the standard output cannot be written.
    pub(super) fn decode(
        &mut self,
        text: &[u8],
        console: &mut Console,
        done: &mut Done,
    ) -> Result<Vec<u8>, Failure> {
        let source = Source::new(text, 0, 0);
        let mut out = Vec::with_capacity(text.len());
        let mut at = 0;
        // What remains is counted again, since decoding removes some of it.
        (done.remaining, done.first) = (0, None);
        for (index, record) in read(text, 0).enumerate() {
            let span = record.span_of_source();
            let report = self.replayer.report(&record, &source, index);
            let is_damaged = matches!(report.verdict, Legality::Illegal | Legality::Unreadable);
            if let Some(new) =
                is_damaged.then(|| self.one(&record, index, console, done)).transpose()?.flatten()
            {
                out.extend_from_slice(&text[at..span.start]);
                out.extend_from_slice(new.as_bytes());
                at = span.end;
                // White space after the record is part of its source.
                let ending =
                    record.source().iter().rev().take_while(|byte| byte.is_ascii_whitespace()).count();
                out.extend_from_slice(&text[at - ending..at]);
            } else if report.is_finding(false) {
                done.remaining += 1;
                done.first.get_or_insert_with(|| (what_remains(&report), index + 1));
            }
        }
        out.extend_from_slice(&text[at..]);
        Ok(out)
    }

    /// The decoded record, without white space at its end; `None` if something is in doubt.
    fn one(
        &mut self,
        record: &Record<'_>,
        index: usize,
        console: &mut Console,
        done: &mut Done,
    ) -> Result<Option<String>, Failure> {
        let game = format!("{}: game {}", self.name, index + 1);
        let decoded = decode(&mut self.replayer, record, &Options::default(), &Budget::unlimited());
        let Some((decoded, reading)) =
            decoded.as_ref().ok().and_then(|found| Some((found, found.readings.first()?)))
        else {
            console.note(&format!("{game}: not decoded: no reading"))?;
            return Ok(None);
        };
        if let Some(why) = doubt(decoded, reading) {
            console.note(&format!("{game}: not decoded: {why}; `ferz decode` shows the readings"))?;
            return Ok(None);
        }
        let result = record.stated_result().map_or("*", |result| result.as_str());
        let text = record_of(record, reading, result);
        let source = Source::new(text.as_bytes(), 0, 0);
        let is_legal = read(text.as_bytes(), 0)
            .next()
            .is_some_and(|record| self.replayer.report(&record, &source, 0).verdict == Legality::Legal);
        if !is_legal {
            console.note(&format!("{game}: not decoded: the decoded record is not legal"))?;
            return Ok(None);
        }
        for ply in reading.changes() {
            console.note(&format!("{game}: decode: {ply} ({} bits)", ply.cost))?;
            done.repairs += 1;
        }
        Ok(Some(text.trim_end().to_owned()))
    }
}

/// Why a reading is not taken.
fn doubt(decoded: &Decoded, reading: &Reading) -> Option<String> {
    let gaps = reading.plies.iter().filter(|ply| ply.is_gap()).count();
    match (gaps, decoded.doubts.len()) {
        (0, 0) if decoded.has_only_slips() => None,
        (0, 0) => Some("a change is more than a slip".to_owned()),
        (0, doubts) => Some(format!("{} in doubt", counted(doubts, "ply", "plies"))),
        (gaps, _) => Some(format!("{} missing or unreadable", counted(gaps, "ply", "plies"))),
    }
}
