//! Puts into a record what follows from its plies: the number of plies, a key of the last position, positions.

use crate::record::{ItemKind, Record, tag_pair};
use crate::replay::{AnyTrace, Trace, with_trace};
use ferz_core::board::Mask;
use ferz_core::text::{Edit, Span};

/// What can be added.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Added {
    /// The tag `PlyCount`.
    PlyCount,
    /// The tag `HashCode`: 16 hexadecimal digits, equal for games that reach the same position.
    Hash,
    /// The last position as FEN, in a comment after the last ply.
    Fen,
    /// The position after each ply of the main line, as FEN in a comment.
    Fens,
}

impl Added {
    /// All of them.
    pub const ALL: [Added; 4] = [Added::PlyCount, Added::Hash, Added::Fen, Added::Fens];

    /// The name in options.
    pub const fn name(self) -> &'static str {
        match self {
            Added::PlyCount => "plycount",
            Added::Hash => "hash",
            Added::Fen => "fen",
            Added::Fens => "fens",
        }
    }
}

/// The edits that add to a record, in order, with spans in the whole input ([`edited`](ferz_core::text::edited)). A tag
/// that the record has is set; every other byte stays.
///
/// ```
/// use ferz_core::text::edited;
/// use ferz_records::record::read;
/// use ferz_records::replay::{Options, Replayer, Source, trace};
/// use ferz_records::rewrite::{Added, add};
///
/// let text = b"[Event \"Club\"]\n\n1. e4 e5! *";
/// let record = read(text, 0).next().ok_or("no record")?;
/// let mut replayer = Replayer::new(ferz_core::rules::Registry::built_in(), Options::default());
/// let traced = trace(&mut replayer, &record, &Source::new(text, 0, 0), 0).map_err(|_| "no game")?;
/// let with = String::from_utf8(edited(text, 0, &add(&record, &traced, &[Added::PlyCount, Added::Fen])))?;
/// assert!(with.starts_with("[Event \"Club\"]\n[PlyCount \"2\"]\n\n1. e4 e5! {rnbqkbnr/pppp1ppp/"), "{with}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn add(record: &Record<'_>, trace: &AnyTrace, what: &[Added]) -> Vec<Edit> {
    with_trace!(trace, |trace| add_of(record, trace, what))
}

fn add_of<M: Mask>(record: &Record<'_>, trace: &Trace<M>, what: &[Added]) -> Vec<Edit> {
    let wants = |added: Added| what.contains(&added);
    let plies = trace.plies.len();
    let (mut edits, mut tags) = (Vec::new(), Vec::new());
    if wants(Added::PlyCount) {
        tags.push(("PlyCount", plies.to_string()));
    }
    if wants(Added::Hash) {
        tags.push(("HashCode", format!("{:016x}", trace.position(plies).key())));
    }
    let tags: Vec<(&str, &str)> = tags.iter().map(|(name, value)| (*name, value.as_str())).collect();
    edits.extend(set_tags(record, &tags));
    let mut position = trace.start.clone();
    for (index, traced) in trace.plies.iter().enumerate() {
        trace.make(index, &mut position);
        let is_last = index + 1 == plies;
        if wants(Added::Fens) || is_last && wants(Added::Fen) {
            // After the last ply the players may have called for something.
            let fen = if is_last { trace.position(plies).fen() } else { position.fen() };
            let place = after_annotations(record, traced.item);
            edits.push(Edit::new(Span::new(place, place), format!(" {{{fen}}}")));
        }
    }
    edits
}

/// The place after a ply and its annotations.
fn after_annotations(record: &Record<'_>, item: usize) -> usize {
    let annotations =
        record.items[item + 1..].iter().take_while(|item| matches!(item.kind, ItemKind::Nag { .. }));
    let last = annotations.last().unwrap_or(&record.items[item]);
    record.full_span(*last).end
}

/// The edits that set tags, each in its place, or after the last tag; with spans in the whole input. The values are
/// written in the encoding of the record, as far as it has their letters.
pub fn set_tags(record: &Record<'_>, tags: &[(&str, &str)]) -> Vec<Edit> {
    let line_end = line_end(record);
    let encoded = |text: String| match text.chars().map(u8::try_from).collect::<Result<Vec<u8>, _>>() {
        Ok(latin) if !record.is_utf8() => latin,
        _ => text.into_bytes(),
    };
    let mut edits: Vec<Edit> = Vec::new();
    let mut new = String::new();
    for (name, value) in tags {
        let pair = tag_pair(name, value);
        match record.find_tag(name) {
            Some(tag) => edits.push(Edit::new(record.tag_full_span(tag), encoded(pair))),
            None => new += &format!("{line_end}{pair}"),
        }
    }
    edits.sort_by_key(|edit| edit.span.start);
    if new.is_empty() {
        return edits;
    }
    match record.tags.last() {
        Some(last) => {
            let end = record.tag_full_span(last).end;
            edits.push(Edit::new(Span::new(end, end), encoded(new)));
        }
        None => {
            let start = record.offset();
            let pairs = format!("{}{}", new.trim_start(), line_end.repeat(2));
            edits.push(Edit::new(Span::new(start, start), encoded(pairs)));
        }
    }
    edits
}

/// The line end of a record's first line.
pub(super) fn line_end(record: &Record<'_>) -> &'static str {
    let first = memchr::memchr(b'\n', record.source());
    let carriage = first.is_some_and(|at| at > 0 && record.source()[at - 1] == b'\r');
    if carriage { "\r\n" } else { "\n" }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::read;
    use ferz_core::text::edited;

    #[test]
    fn tags_are_set_in_the_encoding_and_with_the_line_ends_of_the_record() {
        let set = |text: &[u8], tags: &[(&str, &str)]| {
            let record = read(text, 0).next().expect("a record");
            edited(text, 0, &set_tags(&record, tags))
        };
        let latin = b"[White \"M\xfcller\"]\r\n[Black \"?\"]\r\n\r\n1. e4 *";
        let expected = b"[White \"Ann\"]\r\n[Black \"K\xf6nig\"]\r\n[Round \"1\"]\r\n\r\n1. e4 *";
        assert_eq!(set(latin, &[("Black", "K\u{f6}nig"), ("White", "Ann"), ("Round", "1")]), expected);
        assert_eq!(set(b"1. e4 *", &[("Event", "a \"b\"")]), b"[Event \"a \\\"b\\\"\"]\n\n1. e4 *");
    }
}
