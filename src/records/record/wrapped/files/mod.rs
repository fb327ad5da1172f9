//! Whole files of other programs: KIF, KI2 and CSA of shogi; Korean records of Janggi; DhtmlXQ, XQF and the tables of
//! Xiangqi programs; lists of positions. Each layer makes records of the extended PGN from them.

pub(super) mod csa;
pub(super) mod dhtml_xq;
pub(super) mod epd;
mod game;
pub(super) mod janggi;
pub(super) mod kif;
mod kif_ends;
mod regions;
pub(super) mod setup;
mod sheet;
mod value;
pub(super) mod xiangqi;
pub mod xqf;

pub(crate) use kif_ends::kif_end;

use ferz_core::text::Span;
use regions::{Sign, content};

/// Bytes of a text in which its first line is looked for.
pub(in crate::record) const HEAD_BYTES: usize = 4096;

/// True if the first line of a text may begin a file of a shogi program, or a list of positions. Records in plain text
/// begin with a bracket or a number.
pub(super) fn may_begin(text: &[u8]) -> bool {
    if text.starts_with(b"[") {
        return false;
    }
    let head = Span::new(0, text.len().min(HEAD_BYTES));
    let first = regions::lines(text, head).map(|line| content(text, line)).find(|line| !line.is_empty());
    first.is_some_and(|line| [kif::sign(line), csa::sign(line)].iter().any(|sign| *sign != Sign::None))
        || epd::begins(text)
}

/// True if a text begins with a file of a shogi program, or is a list of positions.
pub(in crate::record) fn begin(text: &[u8]) -> bool {
    may_begin(text) && !starts(text).is_empty()
}

/// Where games after the first one begin, in order, in a text of such files.
pub(in crate::record) fn later_games(text: &[u8]) -> Vec<usize> {
    let mut starts = starts(text);
    starts.split_off(starts.len().min(1))
}

/// Where games begin in such files in a text, in order.
fn starts(text: &[u8]) -> Vec<usize> {
    let parts = [kif::parts(text), csa::parts(text)].concat();
    let mut starts: Vec<usize> = parts.iter().map(|part| part.start).collect();
    starts.extend(epd::starts(text));
    starts.sort_unstable();
    starts
}

/// True for a line that begins a header of these files: `[초대국자 "…"]`, `[DhtmlXQ`, `[Game "Chinese Chess"]`,
/// `[Red "…"]`.
pub(super) fn is_header(line: &[u8]) -> bool {
    match line {
        [b'[', 0xea..=0xed, ..] => true,
        [b'[', b'D', ..] => line.starts_with(dhtml_xq::OPENING),
        [b'[', ..] => xiangqi::is_tag(line),
        _ => false,
    }
}

/// True if a header of a native file is at `at`: below the moves of a game it begins the next one.
#[inline]
pub(in crate::record) fn begins_native_game(text: &[u8], at: usize) -> bool {
    match text[at..] {
        [b'[', 0xea..=0xed, ..] => janggi::is_header(&text[at..]),
        _ => begins_wrapped_game(text, at),
    }
}

/// True if a mark is at `at` that begins a game wherever it stands: that of DhtmlXQ.
#[inline]
pub(in crate::record) fn begins_wrapped_game(text: &[u8], at: usize) -> bool {
    text[at..].starts_with(dhtml_xq::WRAPPER)
}

/// True if a text has a header of a native file: the reader of plain records would find other games in it.
pub(in crate::record) fn has_native_header(text: &[u8]) -> bool {
    memchr::memchr_iter(b'[', text).any(|at| match text.get(at + 1) {
        Some(b'D') => text[at..].starts_with(dhtml_xq::OPENING),
        Some(0xea..=0xed) => janggi::is_header(&text[at..]),
        _ => false,
    })
}

/// The places where a text with such headers may be cut, besides those that [`begins_native_game`] finds: the starts of
/// games in DhtmlXQ without marks around them.
pub(in crate::record) fn native_cuts(text: &[u8]) -> impl Iterator<Item = usize> {
    dhtml_xq::starts(text).skip(1)
}

/// Lines of a text, each with its end.
pub(super) fn lines(text: &[u8]) -> impl Iterator<Item = std::ops::Range<usize>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let end = memchr::memchr(b'\n', text.get(at..)?).map_or(text.len(), |end| at + end + 1);
        let line = at..end;
        at = end;
        (!line.is_empty()).then_some(line)
    })
}

/// A range of a text without the white space around it.
pub(super) fn trimmed(text: &[u8], range: std::ops::Range<usize>) -> std::ops::Range<usize> {
    let part = &text[range.clone()];
    let start = range.start + part.len() - part.trim_ascii_start().len();
    start..start + part.trim_ascii().len()
}
