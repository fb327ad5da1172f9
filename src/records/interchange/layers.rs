//! Layers of edits, and the places of the input that what they leave comes from.

use super::formats::FORMATS;
use super::mail::{arranged, lines, mime, transport};
use ferz_core::text::{Edit, Span, edited};

/// The plain text inside another.
#[derive(Debug)]
pub(super) struct Plain {
    pub(super) text: Vec<u8>,
    /// Its spans in order, and the spans of the input that they come from. Where both are equally long they are the
    /// same bytes; else one replaces the other.
    pub(super) places: Vec<(Span, Span)>,
    pub(super) skipped: Vec<Skipped>,
}

/// Lines that were skipped.
#[derive(Debug, Clone, Copy)]
pub(super) struct Skipped {
    /// Their place in the plain text.
    pub(super) at: usize,
    /// Their span in the input.
    pub(super) from: Span,
    /// The first and the last of them, from 1, in the text that they were found in.
    pub(super) lines: (usize, usize),
}

/// Finds what to change in a text.
pub(super) type Layer = fn(&[u8]) -> Vec<Change>;

/// The layers before the files of other programs: what carries a text, and what surrounds it.
const OUTER: [Layer; 7] = [
    mime::parts,
    transport::quoted_printable,
    transport::html,
    arranged::tables,
    transport::quoting,
    transport::board_marks,
    transport::folded_tags,
];

/// The layers after them: how people arrange a game, and last the lines themselves.
const INNER: [Layer; 4] = [arranged::chats, arranged::lists, arranged::after_words, lines::changes];

/// A change of a layer.
#[derive(Debug)]
pub(super) struct Change {
    pub(super) edit: Edit,
    origin: Origin,
    /// True if it skips what is meant for people.
    skips: bool,
}

/// Where the bytes of a change come from.
#[derive(Debug, Clone, Copy)]
enum Origin {
    /// From the place of the change.
    Here,
    /// They are written for what is at another place.
    Of(Span),
    /// They are those of another place.
    Moved(Span),
}

impl Change {
    pub(super) fn new(start: usize, end: usize, with: impl Into<Vec<u8>>) -> Change {
        Change { edit: Edit::new(Span::new(start, end), with), origin: Origin::Here, skips: false }
    }

    /// Inserts a text for what is at another place.
    pub(super) fn written(at: usize, with: impl Into<Vec<u8>>, from: Span) -> Change {
        Change { origin: Origin::Of(from), ..Change::new(at, at, with) }
    }

    /// Inserts bytes of another place.
    pub(super) fn moved(at: usize, text: &[u8], from: Span) -> Change {
        Change { origin: Origin::Moved(from), ..Change::new(at, at, from.of(text)) }
    }

    pub(super) fn skip(start: usize, end: usize) -> Change {
        Change { skips: true, ..Change::new(start, end, "") }
    }
}

/// The plain text inside a text that is not plain; `None` if nothing has to be changed.
pub(super) fn unwrap(source: &[u8], offset: usize) -> Option<Plain> {
    let whole = Span::new(0, source.len());
    let mut plain = Plain { text: source.to_vec(), places: vec![(whole, whole)], skipped: Vec::new() };
    let mut changed = false;
    let formats = FORMATS.iter().map(|format| format.games);
    for layer in OUTER.into_iter().chain(formats).chain(INNER) {
        let changes = layer(&plain.text);
        if !changes.is_empty() {
            plain.apply(changes);
            changed = true;
        }
    }
    for (made, from) in &mut plain.places {
        (*made, *from) = (made.shifted(offset), from.shifted(offset));
    }
    let (mut counted, mut line) = (0, 1);
    let mut line_at = |place: usize| {
        line += memchr::memchr_iter(b'\n', &source[counted..place.max(counted)]).count();
        counted = place.max(counted);
        line
    };
    // Counted in the order of the input; layers skip one after the other.
    plain.skipped.sort_by_key(|skipped| skipped.from.start);
    for skipped in &mut plain.skipped {
        let Span { start, end } = skipped.from;
        let text = &source[start..end];
        let first = line_at(start + text.len() - text.trim_ascii_start().len());
        skipped.lines = (first, line_at(start + text.trim_ascii_end().len()));
        (skipped.at, skipped.from) = (skipped.at + offset, skipped.from.shifted(offset));
    }
    plain.skipped.sort_by_key(|skipped| (skipped.at, skipped.from.start));
    changed.then_some(plain)
}

impl Plain {
    fn apply(&mut self, changes: Vec<Change>) {
        let changes = joined(changes);
        self.move_skipped(&changes);
        let mut places = Vec::new();
        let (mut at, mut made) = (0, 0);
        for Change { edit, origin, skips } in &changes {
            self.copy(at..edit.span.start, &mut made, &mut places);
            at = edit.span.end;
            let from = match origin {
                Origin::Here => self.from(edit.span),
                Origin::Of(span) => self.from(*span),
                Origin::Moved(span) => {
                    self.copy(span.start..span.end, &mut made, &mut places);
                    continue;
                }
            };
            if *skips {
                self.skipped.push(Skipped { at: made, from, lines: (0, 0) });
            }
            places.push((Span::new(made, made + edit.with.len()), from));
            made += edit.with.len();
        }
        self.copy(at..self.text.len(), &mut made, &mut places);
        self.places = places;
        let edits: Vec<Edit> = changes.into_iter().map(|change| change.edit).collect();
        self.text = edited(&self.text, 0, &edits);
        self.skipped.sort_by_key(|skipped| skipped.at);
    }

    /// Moves the places of what earlier layers have skipped, which are in order, to where changes leave them.
    fn move_skipped(&mut self, changes: &[Change]) {
        let mut before = changes.iter().map(|change| &change.edit).peekable();
        let (mut removed, mut added) = (0, 0);
        for skipped in &mut self.skipped {
            while let Some(edit) = before.next_if(|edit| edit.span.end <= skipped.at) {
                removed += edit.span.len();
                added += edit.with.len();
            }
            // A place inside a change is at its start.
            let inside = before.peek().map_or(0, |edit| skipped.at.saturating_sub(edit.span.start));
            skipped.at = skipped.at + added - removed - inside;
        }
    }

    /// Adds the places of bytes that stay, from `made` on.
    fn copy(&self, range: std::ops::Range<usize>, made: &mut usize, places: &mut Vec<(Span, Span)>) {
        let first = self.places.partition_point(|(span, _)| span.end <= range.start);
        for (span, from) in &self.places[first..] {
            let (start, end) = (span.start.max(range.start), span.end.min(range.end));
            if span.start >= range.end {
                break;
            }
            if start >= end {
                continue;
            }
            let is_same = span.len() == from.len();
            let start_from = from.start + if is_same { start - span.start } else { 0 };
            let end_from = if is_same { start_from + (end - start) } else { from.end };
            places.push((Span::new(*made, *made + (end - start)), Span::new(start_from, end_from)));
            *made += end - start;
        }
    }

    /// The span of the input that a span of the text comes from.
    pub(super) fn from(&self, span: Span) -> Span {
        let at = |place: usize| {
            let after = self.places.partition_point(|(made, _)| made.start <= place);
            let (made, from) = self.places[after.saturating_sub(1)];
            let is_same = made.len() == from.len();
            let start = (from.start + if is_same { place - made.start } else { 0 }).min(from.end);
            (start, if is_same { (start + 1).min(from.end) } else { from.end })
        };
        let (start, _) = at(span.start);
        let end = if span.is_empty() { start } else { at(span.end - 1).1 };
        Span::new(start, end.max(start))
    }
}

/// Changes in which deletions that adjoin are one.
fn joined(changes: Vec<Change>) -> Vec<Change> {
    let mut found: Vec<Change> = Vec::with_capacity(changes.len());
    for change in changes {
        match found.last_mut() {
            Some(last)
                if last.edit.with.is_empty()
                    && change.edit.with.is_empty()
                    && last.edit.span.end == change.edit.span.start =>
            {
                last.edit.span.end = change.edit.span.end;
                last.skips |= change.skips;
            }
            _ => found.push(change),
        }
    }
    found
}
