//! A reading as a record.

use crate::decode::true_tags;
use crate::reading::{Decoded, Left, ReadPly, Reading, fitting};
use ferz_core::rules::Registry;
use ferz_records::record::{Record, read};
use ferz_records::replay::{Options, Replayer, Source};
use std::fmt::Write;

/// The most characters of a line.
const LINE_CHARS_MAX: usize = 80;

/// The first reading as a record, with the result that the text states or the board shows; `None` without a reading.
pub fn best_record_of(record: &Record<'_>, decoded: &Decoded, registry: &Registry) -> Option<String> {
    let reading = decoded.readings.first()?;
    let stated = record.stated_result().map(|result| result.as_str()).filter(|result| *result != "*");
    if let Some(stated) = stated.or(reading.result()) {
        return Some(record_of(record, reading, stated));
    }
    let text = record_of(record, reading, "*");
    let options = Options { variant: Some(decoded.variant.clone()), ..Options::default() };
    let source = Source::new(text.as_bytes(), 0, 0);
    let written = read(text.as_bytes(), 0).next();
    let end = written.and_then(|record| Replayer::new(registry, options).report(&record, &source, 0).end);
    Some(match end {
        Some(end) => record_of(record, reading, end.outcome.as_str()),
        None => text,
    })
}

/// A reading as a record: the tags as they are, the plies in SAN, and in braces all words that were left out; then the
/// result.
///
/// The moves end before the first gap, since no ply is invented: a comment names what is missing and has the rest.
pub fn record_of(record: &Record<'_>, reading: &Reading, result: &str) -> String {
    let source = record.source();
    let offset = record.offset();
    let mut text = String::new();
    for tag in true_tags(record) {
        let span = record.tag_full_span(tag);
        let bytes = source.get(span.start.saturating_sub(offset)..span.end.saturating_sub(offset));
        // A tag of a mail is a line of words.
        match bytes.map(String::from_utf8_lossy).filter(|bytes| bytes.starts_with('[')) {
            Some(bytes) => text.push_str(bytes.trim_end()),
            None => {
                let value = record.tag_value(tag).replace('\\', "\\\\").replace('"', "\\\"");
                let _ = write!(text, "[{} \"{value}\"]", record.tag_name(tag));
            }
        }
        text.push('\n');
    }
    if !text.is_empty() {
        text.push('\n');
    }
    text + &moves_of(reading, result) + "\n"
}

/// The moves of a reading in SAN, up to the first gap, and a result.
pub(crate) fn moves_of(reading: &Reading, result: &str) -> String {
    let mut line = Line::default();
    let gap = reading.plies.iter().position(ReadPly::is_gap);
    let mut needs_number = true;
    for index in 0..=gap.unwrap_or(reading.plies.len()) {
        for left in reading.left_out.iter().filter(|left| left.after == index) {
            match left.kind {
                Left::Result => continue,
                Left::Aside if left.text.starts_with(['{', '$']) => line.word(&left.text),
                Left::Aside | Left::Words => line.comment(&left.text),
            }
            needs_number = true;
        }
        let Some(ply) = reading.plies.get(index).filter(|ply| !ply.is_gap()) else { break };
        needs_number = line.ply(ply, needs_number);
    }
    if let Some((gap, missing)) = gap.and_then(|gap| Some((gap, reading.plies.get(gap)?))) {
        line.comment(&format!("{}; {}", missing_in_words(missing), rest_of(reading, gap)));
    }
    if !result.is_empty() {
        line.word(result);
    }
    line.text
}

/// `9... is missing: Kd8 or Kf8 fits`.
fn missing_in_words(ply: &ReadPly) -> String {
    let written = ply.written.iter().flatten().map(|token| token.text.as_str()).next();
    let what = written.map_or_else(|| "is missing".to_owned(), |text| format!("{text} is unreadable"));
    format!("{} {what}: {}", ply.number, fitting(&ply.candidates))
}

/// The plies after a gap, as they are read.
fn rest_of(reading: &Reading, gap: usize) -> String {
    let mut line = Line::default();
    for (index, ply) in reading.plies.iter().enumerate().skip(gap + 1) {
        if ply.is_gap() {
            line.word(&missing_in_words(ply));
        } else {
            line.ply(ply, index == gap + 1);
        }
        for left in reading.left_out.iter().filter(|left| left.after == index + 1 && left.kind == Left::Words)
        {
            line.word(&left.text);
        }
    }
    format!("then {}", line.text)
}

#[derive(Default)]
struct Line {
    text: String,
    /// Characters of the last line.
    chars: usize,
}

impl Line {
    /// Adds a ply with its number, if it needs one; whether the next one needs one.
    fn ply(&mut self, ply: &ReadPly, needs_number: bool) -> bool {
        if ply.number.is_empty() {
            // Nature's turns have numbers of their own.
            self.word(&format!("~{}", ply.ply.san));
            return true;
        }
        if needs_number || !ply.number.ends_with("...") {
            self.word(&ply.number);
        }
        self.word(&ply.ply.san);
        false
    }

    fn comment(&mut self, text: &str) {
        self.word(&format!("{{{}}}", text.replace(['{', '}'], "|")));
    }

    fn word(&mut self, word: &str) {
        let chars = word.chars().count();
        if self.chars > 0 {
            let is_full = self.chars + 1 + chars > LINE_CHARS_MAX;
            self.text.push(if is_full { '\n' } else { ' ' });
            self.chars = if is_full { 0 } else { self.chars + 1 };
        }
        self.text.push_str(word);
        self.chars += chars;
    }
}
