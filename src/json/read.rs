//! Records from JSON: what is written in them becomes a text that reads as the same record; what is told beside it is
//! compared with what the text means.

use super::places::Places;
use super::split::{Part, Parts};
use crate::record::{Record, codes, read};
use crate::replay::transcript::{ElementKind, FORM};
use crate::replay::{Batch, Located, Replayer, Source, Transcript, transcribe};
use crate::text::{Diagnostic, Severity, Span};
use std::io::{self, Cursor, Read};
use std::ops::ControlFlow;

/// Bytes at the start of an input that tell whether it is JSON.
const HEAD_BYTES: u64 = 4096;

/// True if an input that begins like this holds records as JSON: an object with a key, or an array of such objects.
///
/// ```
/// use ferz::json::is_json;
/// assert!(is_json(b"{\"record\":1,\"tags\":[]") && is_json(b" [ { \"record\":1"));
/// assert!(!is_json(b"[Event \"?\"]") && !is_json(b"{a comment} 1. e4") && !is_json(b""));
/// ```
pub fn is_json(head: &[u8]) -> bool {
    let head = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head).trim_ascii_start();
    let object = head.strip_prefix(b"[").map_or(head, <[u8]>::trim_ascii_start);
    let Some(key) = object.strip_prefix(b"{").and_then(|rest| rest.trim_ascii_start().strip_prefix(b"\""))
    else {
        return false;
    };
    let name = key.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
    let rest = key[name..].strip_prefix(b"\"").map(<[u8]>::trim_ascii_start);
    name > 0 && rest.is_some_and(|rest| rest.first().is_none_or(|byte| *byte == b':'))
}

/// Looks at the start of a stream; gives whether it is JSON, and the whole stream.
///
/// # Errors
/// Where the stream cannot be read.
pub fn sniff<R: Read>(mut stream: R) -> io::Result<(bool, impl Read + use<R>)> {
    let mut head = Vec::new();
    stream.by_ref().take(HEAD_BYTES).read_to_end(&mut head)?;
    Ok((is_json(&head), Cursor::new(head).chain(stream)))
}

/// A record that was read from JSON, as a text and its places.
#[derive(Debug)]
pub struct ReadRecord {
    /// A text that reads as the record: one record, and nothing else.
    pub text: String,
    /// For the parts of the text, in order, the places in the input that they were made of.
    pub places: Vec<(Span, Span)>,
    /// What the input told, besides what is written.
    told: Transcript,
    /// Where tags and elements stand in the text.
    parts: (Vec<Span>, Vec<Span>),
}

/// Why an object is no record.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Refused {
    /// The bytes of the input that it is about.
    pub span: Span,
    /// What is wrong.
    pub message: String,
}

/// Reads one object, which has `offset` bytes of the input before it.
///
/// # Errors
/// Where it is no JSON, has not the keys of a record, or its parts do not read as what they claim to be.
pub fn parse(json: &[u8], offset: usize) -> Result<ReadRecord, Refused> {
    let mut deserializer = serde_json::Deserializer::from_slice(json);
    // Brackets are counted where the object is cut out.
    deserializer.disable_recursion_limit();
    let told = <Transcript as serde::Deserialize>::deserialize(&mut deserializer);
    let told = told.map_err(|error| syntax(json, offset, &error))?;
    deserializer.end().map_err(|error| syntax(json, offset, &error))?;
    let whole = Span::new(0, json.len()).shifted(offset);
    if told.record != FORM {
        let message = format!("this is form {} of a record; form {FORM} is read here", told.record);
        return Err(Refused { span: whole, message });
    }
    let pgn = told.to_pgn();
    let found = Places::of(json);
    let made = pgn.tags.iter().chain(&pgn.elements);
    let from = found.tags.iter().chain(&found.elements).map(|span| span.shifted(offset));
    let counts = (found.tags.len(), found.elements.len()) == (pgn.tags.len(), pgn.elements.len());
    // A key may be written with escapes: then the places are not found, and the object stands for its parts.
    let places = match counts && !(pgn.tags.is_empty() && pgn.elements.is_empty()) {
        true => made.copied().zip(from).collect(),
        false => vec![(Span::new(0, pgn.text.len()), whole)],
    };
    let read = ReadRecord { text: pgn.text, places, told, parts: (pgn.tags, pgn.elements) };
    read.check(whole)?;
    Ok(read)
}

/// Every object of a whole input that [`is_json`], in order.
pub fn read_all(input: &[u8]) -> Vec<Result<ReadRecord, Refused>> {
    let mut found: Vec<(usize, Result<ReadRecord, Refused>)> = Vec::new();
    // Reading from memory cannot fail.
    for Part { bytes, offset, objects, faults, .. } in Parts::new(input).flatten() {
        let refused = |span: Span, message| Err(Refused { span: span.shifted(offset), message });
        found.extend(faults.into_iter().map(|(span, message)| (offset + span.start, refused(span, message))));
        let read = |object: Span| (offset + object.start, parse(object.of(&bytes), offset + object.start));
        found.extend(objects.into_iter().map(read));
    }
    found.sort_by_key(|(start, _)| *start);
    found.into_iter().map(|(_, read)| read).collect()
}

/// What serde says, with its place in bytes.
fn syntax(json: &[u8], offset: usize, error: &serde_json::Error) -> Refused {
    let line = error.line().saturating_sub(1);
    let start = match line {
        0 => 0,
        _ => memchr::memchr_iter(b'\n', json).nth(line - 1).map_or(0, |at| at + 1),
    };
    let at = (start + error.column().saturating_sub(1)).min(json.len());
    let message = error.to_string();
    let message = message.rfind(" at line ").map_or(message.as_str(), |end| &message[..end]);
    let span = Span::new(at, (at + 1).min(json.len()).max(at)).shifted(offset);
    Refused { span, message: format!("this is no record in JSON: {message}") }
}

impl ReadRecord {
    /// The record itself. It borrows the text; its places are those of the text.
    pub fn record(&self) -> Option<Record<'_>> {
        read(self.text.as_bytes(), 0).next()
    }

    /// The place in the input of a part of the text.
    fn from(&self, made: Span, whole: Span) -> Span {
        self.places.iter().find(|(span, _)| *span == made).map_or(whole, |(_, from)| *from)
    }

    /// Fails unless the text reads as what the object says is written.
    fn check(&self, whole: Span) -> Result<(), Refused> {
        let mut records = read(self.text.as_bytes(), 0);
        let Some(record) = records.next() else {
            let message = "a record has a tag or a move; this one is empty".to_owned();
            return Err(Refused { span: whole, message });
        };
        let again = Transcript::as_written(&record);
        let (said, found) = (self.told.elements(), again.elements());
        for (index, tag) in self.told.tags.iter().enumerate() {
            if again.tags.get(index) != Some(tag) {
                let message = format!(
                    "`{}` cannot be a tag: a name has ASCII letters and digits, a value is one line",
                    tag.name
                );
                return Err(Refused { span: self.from(self.parts.0[index], whole), message });
            }
        }
        for (index, element) in said.iter().enumerate() {
            if found.get(index).is_some_and(|found| element.is_written_like(found)) {
                continue;
            }
            let name = match element.kind {
                ElementKind::Ply => "a ply",
                ElementKind::Number => "a move number",
                ElementKind::Nag => "an annotation",
                ElementKind::Comment => "a comment",
                ElementKind::Variation => "a variation",
                ElementKind::Result => "a result",
                ElementKind::Stray => "a stray token",
            };
            let message = match &element.text {
                Some(text) => format!("`{text}` does not read as {name} where it stands"),
                None => format!("what is to be {name} has no text, or does not read as one"),
            };
            return Err(Refused { span: self.from(self.parts.1[index], whole), message });
        }
        if records.next().is_some() || found.len() != said.len() || again.tags.len() != self.told.tags.len() {
            let message = "this does not read as one record".to_owned();
            return Err(Refused { span: whole, message });
        }
        Ok(())
    }

    /// What the object tells and the text does not mean, as diagnostics with places in the text.
    fn contradictions(&self, replayer: &mut Replayer<'_>, record: &Record<'_>) -> Vec<Diagnostic> {
        let options = replayer.options();
        // Who asks for another game or style is told other things.
        if options.variant.is_some() || options.style.is_some() {
            return Vec::new();
        }
        let source = Source::new(self.text.as_bytes(), 0, 0);
        let again = transcribe(replayer, record, &source, 0).transcript;
        let told = |key: &str, span: Span| {
            let message = format!(
                "`{key}` is told otherwise than the record means; leave it out, or mend what is written"
            );
            Diagnostic::new(codes::TOLD_OTHERWISE, Severity::Error, span, message)
        };
        let whole = self.told.contradiction(&again).map(|key| told(key, Span::new(0, 0)));
        let elements = self.told.elements().into_iter().zip(again.elements()).zip(&self.parts.1);
        let parts = elements
            .filter_map(|((said, found), span)| said.contradiction(found).map(|key| told(key, *span)));
        whole.into_iter().chain(parts).collect()
    }
}

/// Like [`replay::each_record`](crate::replay::each_record), for streams of either form: PGN, or JSON if the stream
/// begins like it ([`is_json`]).
///
/// Objects that are no records are in [`Batch::unread`].
///
/// # Errors
/// Where the stream cannot be read. What came before has been emitted.
pub fn each_record<'r, T, B>(
    stream: impl Read + Send,
    jobs: usize,
    replayer: impl Fn() -> Replayer<'r> + Sync,
    work: impl Fn(&mut Replayer<'r>, &Record<'_>, &Source<'_>) -> T + Sync,
    emit: impl FnMut(Batch<T>) -> ControlFlow<B>,
) -> io::Result<ControlFlow<B>>
where
    T: Send,
{
    let (json, stream) = sniff(stream)?;
    if !json {
        return crate::replay::each_record(stream, jobs, replayer, work, emit);
    }
    let make = |part: Part| {
        let mut replayer = replayer();
        let Part { bytes, offset, lines, objects, faults } = part;
        let source = Source::new(&bytes, offset, lines);
        let told = |span: Span, message: String| -> Located {
            source.place(Diagnostic::new(codes::JSON_REFUSED, Severity::Error, span, message), None)
        };
        let mut unread: Vec<Located> =
            faults.into_iter().map(|(span, message)| told(span.shifted(offset), message)).collect();
        let mut items = Vec::new();
        for object in objects {
            match parse(object.of(&bytes), offset + object.start) {
                Ok(read) => {
                    let Some(mut record) = read.record() else { continue };
                    record.diagnostics.extend(read.contradictions(&mut replayer, &record));
                    let source = Source::of_made(&bytes, offset, lines, &read.places);
                    items.push(work(&mut replayer, &record, &source));
                }
                Err(refused) => unread.push(told(refused.span, refused.message)),
            }
        }
        unread.sort_by_key(|told| told.span);
        (Batch { items, text: bytes.into(), offset, lines, cut: None, unread }, None)
    };
    crate::replay::each_part(Parts::new(stream), jobs, make, emit)
}
