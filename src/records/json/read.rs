//! Records from JSON. The elements become a text that reads as the same record; derived keys are compared with what the
//! text means.

use super::places::Places;
use super::split::{Part, Parts};
use super::{jkf, lichess};
use crate::record::{self, Record, codes, read};
use crate::replay::{Batch, Replayer, Source};
use crate::rewrite::transcript::{Derive, Element, ElementKind, FORM};
use crate::rewrite::{Transcript, transcribe_within};
use ferz_core::text::{Budget, Diagnostic, Severity, Span};
use std::io::{self, Cursor, Read};
use std::ops::ControlFlow;

/// Bytes at the start of an input that show whether it is JSON.
const HEAD_BYTES: u64 = 4096;

/// True if an input that begins like this holds records as JSON: an object with a key, or an array of such objects.
///
/// ```
/// use ferz_records::json::is_json;
/// assert!(is_json(b"{\"record\":1,\"tags\":[]") && is_json(b" [ { \"record\":1"));
/// assert!(!is_json(b"[Event \"?\"]") && !is_json(b"{a comment} 1. e4") && !is_json(b""));
/// ```
pub fn is_json(head: &[u8]) -> bool {
    record::is_json(head)
}

/// Detects JSON at the start of a stream; returns the result and the whole stream.
///
/// # Errors
/// If the stream cannot be read.
pub fn sniff<R: Read>(mut stream: R) -> io::Result<(bool, impl Read + use<R>)> {
    let mut head = Vec::new();
    stream.by_ref().take(HEAD_BYTES).read_to_end(&mut head)?;
    Ok((is_json(&head), Cursor::new(head).chain(stream)))
}

/// A record read from JSON, as a text and its places.
#[derive(Debug)]
pub struct ReadRecord {
    /// A text that reads as the record and nothing else.
    pub text: String,
    /// The parts of the text in order, each with the place in the input that it comes from.
    pub places: Vec<(Span, Span)>,
    /// The object as it was submitted.
    given: Transcript,
    /// The places of tags and elements in the text.
    parts: (Vec<Span>, Vec<Span>),
}

/// Why an object cannot be read as a record.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Refused {
    /// The bytes of the input at fault.
    pub span: Span,
    /// What is wrong.
    pub message: String,
}

/// Reads one object, which has `offset` bytes of the input before it.
///
/// # Errors
/// If it is not JSON, lacks the keys of a record, or a part does not read as its `kind`.
pub fn parse(json: &[u8], offset: usize) -> Result<ReadRecord, Refused> {
    let mut deserializer = serde_json::Deserializer::from_slice(json);
    // The splitter that cuts out the object limits the nesting.
    deserializer.disable_recursion_limit();
    let given = <Transcript as serde::Deserialize>::deserialize(&mut deserializer);
    let given = match given.and_then(|given| deserializer.end().map(|()| given)) {
        Ok(given) => given,
        // An object of another program.
        Err(error) => lichess::transcript(json)
            .or_else(|| jkf::transcript(json))
            .ok_or_else(|| syntax(json, offset, &error))?,
    };
    let whole = Span::new(0, json.len()).shifted(offset);
    if given.record != FORM {
        let message = format!("form {} of a record is not supported; use form {FORM}", given.record);
        return Err(Refused { span: whole, message });
    }
    let pgn = given.to_pgn();
    let found = Places::of(json);
    let made = pgn.tags.iter().chain(&pgn.elements);
    let from = found.tags.iter().chain(&found.elements).map(|span| span.shifted(offset));
    let counts = (found.tags.len(), found.elements.len()) == (pgn.tags.len(), pgn.elements.len());
    // A key written with escapes hides the places; the whole object stands in for its parts then.
    let places = match counts && !(pgn.tags.is_empty() && pgn.elements.is_empty()) {
        true => made.copied().zip(from).collect(),
        false => vec![(Span::new(0, pgn.text.len()), whole)],
    };
    let read = ReadRecord { text: pgn.text, places, given, parts: (pgn.tags, pgn.elements) };
    read.check(whole)?;
    Ok(read)
}

/// Some whole lines of a stream of objects, and what they read as.
#[derive(Debug)]
pub struct ReadPart {
    /// The bytes of the lines.
    pub bytes: Vec<u8>,
    /// The number of bytes of the stream before them.
    pub offset: usize,
    /// The number of line breaks before them.
    pub lines: usize,
    /// The objects in order; what is not a record is refused with its place in the whole stream.
    pub objects: Vec<Result<ReadRecord, Refused>>,
}

/// The objects of a stream that [`is_json`], part by part.
#[derive(Debug)]
pub struct ReadParts<R>(Parts<R>);

impl<R: Read> ReadParts<R> {
    /// The parts of a stream.
    pub fn new(stream: R) -> ReadParts<R> {
        ReadParts(Parts::new(stream))
    }
}

impl<R: Read> Iterator for ReadParts<R> {
    type Item = io::Result<ReadPart>;

    fn next(&mut self) -> Option<io::Result<ReadPart>> {
        self.0.next().map(|part| part.map(ReadPart::of))
    }
}

impl ReadPart {
    fn of(part: Part) -> ReadPart {
        let Part { bytes, offset, lines, objects, faults } = part;
        let refused = |(span, message): (Span, String)| {
            (offset + span.start, Err(Refused { span: span.shifted(offset), message }))
        };
        let read = |object: Span| (offset + object.start, parse(object.of(&bytes), offset + object.start));
        let mut found: Vec<(usize, Result<ReadRecord, Refused>)> =
            faults.into_iter().map(refused).chain(objects.into_iter().map(read)).collect();
        found.sort_by_key(|(start, _)| *start);
        let objects = found.into_iter().map(|(_, read)| read).collect();
        ReadPart { bytes, offset, lines, objects }
    }
}

/// Reads every object of a whole input that [`is_json`], in order.
pub fn read_all(input: &[u8]) -> Vec<Result<ReadRecord, Refused>> {
    // Reading from memory cannot fail.
    ReadParts::new(input).flatten().flat_map(|part| part.objects).collect()
}

/// An error of serde with its place in bytes.
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
    Refused { span, message: format!("not a record in JSON: {message}") }
}

impl ReadRecord {
    /// The record itself. It borrows the text; its places count in the text.
    pub fn record(&self) -> Option<Record<'_>> {
        read(self.text.as_bytes(), 0).next()
    }

    /// The place in the input that a part of the text comes from.
    fn from(&self, made: Span, whole: Span) -> Span {
        self.places.iter().find(|(span, _)| *span == made).map_or(whole, |(_, from)| *from)
    }

    /// Fails unless the text reads as the elements that the object lists.
    fn check(&self, whole: Span) -> Result<(), Refused> {
        let mut records = read(self.text.as_bytes(), 0);
        let Some(record) = records.next() else {
            let message = "empty record; add a tag or a move".to_owned();
            return Err(Refused { span: whole, message });
        };
        let again = Transcript::as_written(&record);
        let (given, found) = (self.given.elements(), again.elements());
        for (index, tag) in self.given.tags.iter().enumerate() {
            if again.tags.get(index) != Some(tag) {
                let message = format!(
                    "`{}` cannot be a tag; use ASCII letters and digits for the name and one line for the value",
                    tag.name
                );
                return Err(Refused { span: self.from(self.parts.0[index], whole), message });
            }
        }
        for (index, element) in given.iter().enumerate() {
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
                Some(text) => format!("`{text}` does not read as {name} here"),
                None => format!("the element for {name} has no text, or its text does not read as one"),
            };
            return Err(Refused { span: self.from(self.parts.1[index], whole), message });
        }
        if records.next().is_some() || found.len() != given.len() || again.tags.len() != self.given.tags.len()
        {
            let message = "the elements do not read as one record".to_owned();
            return Err(Refused { span: whole, message });
        }
        Ok(())
    }

    /// Derived keys that contradict the moves, as diagnostics with places in the text.
    pub fn contradictions(&self, replayer: &mut Replayer<'_>, record: &Record<'_>) -> Vec<Diagnostic> {
        let options = replayer.options();
        // With another game or style demanded, the derived keys differ for good reason.
        if options.variant.is_some() || options.style.is_some() {
            return Vec::new();
        }
        let source = Source::new(self.text.as_bytes(), 0, 0);
        let has_fen = |element: &&Element| element.played.as_ref().is_some_and(|played| played.fen.is_some());
        let derive = Derive { fen: self.given.elements().iter().any(has_fen) };
        let again = Budget::endless(|budget| transcribe_within(replayer, record, &source, 0, derive, budget))
            .transcript;
        let contradiction = |key: &str, span: Span| {
            let message = format!("`{key}` contradicts the moves; remove it or correct the moves");
            Diagnostic::new(codes::CONTRADICTED, Severity::Error, span, message)
        };
        let whole = self.given.contradiction(&again).map(|key| contradiction(key, Span::new(0, 0)));
        let elements = self.given.elements().into_iter().zip(again.elements()).zip(&self.parts.1);
        let parts = elements.filter_map(|((given, found), span)| {
            given.contradiction(found).map(|key| contradiction(key, *span))
        });
        whole.into_iter().chain(parts).collect()
    }
}

/// What the records of a part of a stream share: a replayer, alone or with something beside it.
pub trait Worker<'r> {
    /// The replayer.
    fn replayer(&mut self) -> &mut Replayer<'r>;
}

impl<'r> Worker<'r> for Replayer<'r> {
    fn replayer(&mut self) -> &mut Replayer<'r> {
        self
    }
}

impl<'r, S> Worker<'r> for (Replayer<'r>, S) {
    fn replayer(&mut self) -> &mut Replayer<'r> {
        &mut self.0
    }
}

/// Like [`replay::each_record`](crate::replay::each_record), for streams of either form: PGN, or JSON if the stream
/// begins like it ([`is_json`]).
///
/// Objects that cannot be read as records are in [`Batch::unread`].
///
/// # Errors
/// If the stream cannot be read. Everything before the failure has been emitted.
pub fn each_record<'r, W, T, B>(
    stream: impl Read + Send,
    jobs: usize,
    worker: impl Fn() -> W + Sync,
    work: impl Fn(&mut W, &Record<'_>, &Source<'_>) -> T + Sync,
    emit: impl FnMut(Batch<T>) -> ControlFlow<B>,
) -> io::Result<ControlFlow<B>>
where
    W: Worker<'r>,
    T: Send,
{
    let (json, stream) = sniff(stream)?;
    if json {
        each_object(stream, jobs, worker, work, emit)
    } else {
        crate::replay::each_record(stream, jobs, worker, work, emit)
    }
}

/// Like [`each_record`], but reads each record alone where it can be separated from the others. The offsets of such a
/// record and of its source count from its first byte; those of a record in JSON count in its text.
///
/// # Errors
/// As [`each_record`].
pub fn each_record_alone<'r, W, T, B>(
    stream: impl Read + Send,
    jobs: usize,
    worker: impl Fn() -> W + Sync,
    work: impl Fn(&mut W, &Record<'_>, &Source<'_>) -> T + Sync,
    emit: impl FnMut(Batch<T>) -> ControlFlow<B>,
) -> io::Result<ControlFlow<B>>
where
    W: Worker<'r>,
    T: Send,
{
    let (json, stream) = sniff(stream)?;
    if json {
        each_object(stream, jobs, worker, work, emit)
    } else {
        crate::replay::each_record_alone(stream, jobs, worker, work, emit)
    }
}

fn each_object<'r, W, T, B>(
    stream: impl Read + Send,
    jobs: usize,
    worker: impl Fn() -> W + Sync,
    work: impl Fn(&mut W, &Record<'_>, &Source<'_>) -> T + Sync,
    emit: impl FnMut(Batch<T>) -> ControlFlow<B>,
) -> io::Result<ControlFlow<B>>
where
    W: Worker<'r>,
    T: Send,
{
    let make = |part: Part| {
        let mut worker = worker();
        let ReadPart { bytes, offset, lines, objects } = ReadPart::of(part);
        let (mut items, mut unread) = (Vec::new(), Vec::new());
        for object in objects {
            match object {
                Ok(read) => {
                    let Some(mut record) = read.record() else { continue };
                    record.diagnostics.extend(read.contradictions(worker.replayer(), &record));
                    let source = Source::of_made(&bytes, offset, lines, &read.places);
                    items.push(work(&mut worker, &record, &source));
                }
                Err(Refused { span, message }) => {
                    let found = Diagnostic::new(codes::JSON_REFUSED, Severity::Error, span, message);
                    unread.push(Source::new(&bytes, offset, lines).place(found, None));
                }
            }
        }
        (Batch { items, text: bytes.into(), offset, lines, cut: None, unread }, None)
    };
    crate::replay::each_part(Parts::new(stream), jobs, make, emit)
}
