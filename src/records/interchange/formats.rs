//! The files of other programs, a row each: how a text shows that it has one, where its games begin, and the layer that
//! makes records of them. Each has its file in `files`, with its row.

use super::files::{csa, dhtml_xq, epd, janggi, kif, positions, xiangqi};
use super::layers::Layer;
use crate::record::split::Header;

/// A format of files. A row names what its format has, and takes the rest from [`Format::BARE`].
pub(super) struct Format {
    /// True if the first line of a text may begin a file of the format.
    pub(super) begins: fn(&[u8]) -> bool,
    /// Where its games begin in a text, in order.
    pub(super) starts: fn(&[u8]) -> Vec<usize>,
    /// The bytes that may follow the bracket of its headers.
    pub(super) brackets: &'static [u8],
    /// True for a line with such a bracket in front that no record in plain text has.
    pub(super) is_foreign: fn(&[u8]) -> bool,
    /// What the bracket in front of a text begins, for the search for games.
    pub(super) header: fn(&[u8]) -> Header,
    /// Where a text with such headers may be cut, besides the places that they show.
    pub(super) cuts: fn(&[u8]) -> Vec<usize>,
    /// Makes records of the extended PGN from its games.
    pub(super) games: Layer,
}

impl Format {
    /// A format that no first line and no header shows.
    pub(super) const BARE: Format = Format {
        begins: |_| false,
        starts: |_| Vec::new(),
        brackets: b"",
        is_foreign: |_| false,
        header: |_| Header::None,
        cuts: |_| Vec::new(),
        games: |_| Vec::new(),
    };
}

/// All formats, in the order of their layers.
pub(super) const FORMATS: [&Format; 7] = [
    &positions::FORMAT,
    &epd::FORMAT,
    &kif::FORMAT,
    &csa::FORMAT,
    &janggi::FORMAT,
    &dhtml_xq::FORMAT,
    &xiangqi::FORMAT,
];

/// The bytes after a bracket that headers of some format have.
static BRACKETS: [bool; 256] = {
    let mut found = [false; 256];
    let mut row = 0;
    while row < FORMATS.len() {
        let bytes = FORMATS[row].brackets;
        let mut at = 0;
        while at < bytes.len() {
            found[bytes[at] as usize] = true;
            at += 1;
        }
        row += 1;
    }
    found
};

/// The formats whose headers the bracket in front of a text may begin.
fn of_bracket(text: &[u8]) -> impl Iterator<Item = &'static Format> {
    let second = text.get(1).copied().filter(|second| text[0] == b'[' && BRACKETS[usize::from(*second)]);
    let of = |second: u8| FORMATS.into_iter().filter(move |format| format.brackets.contains(&second));
    second.into_iter().flat_map(of)
}

/// True for a line with a header of a format, which no record in plain text has: `[초대국자 "…"]`, `[DhtmlXQ`,
/// `[Game "Chinese Chess"]`, `[Red "…"]`.
#[inline]
pub(super) fn is_foreign(line: &[u8]) -> bool {
    of_bracket(line).any(|format| (format.is_foreign)(line))
}

/// What the bracket at a place of a text begins.
#[inline]
pub(super) fn header(text: &[u8], at: usize) -> Header {
    let headers = of_bracket(&text[at..]).map(|format| (format.header)(&text[at..]));
    headers.max().unwrap_or(Header::None)
}

/// True if a text has a header of a format whose games the reader of plain records would not find.
pub(super) fn has_header(text: &[u8]) -> bool {
    memchr::memchr_iter(b'[', text).any(|at| header(text, at) != Header::None)
}

/// The places where a text with such headers may be cut, besides those that [`header`] shows.
pub(super) fn cuts(text: &[u8]) -> Vec<usize> {
    FORMATS.iter().flat_map(|format| (format.cuts)(text)).collect()
}

/// Bytes of a text in which its first line is looked for.
pub(super) const HEAD_BYTES: usize = 4096;

/// True if the first line of a text may begin a file of a format. Records in plain text begin with a bracket or a
/// number.
pub(super) fn may_begin(text: &[u8]) -> bool {
    !text.starts_with(b"[") && FORMATS.iter().any(|format| (format.begins)(text))
}

/// True if a text begins with such a file.
pub(super) fn begin(text: &[u8]) -> bool {
    may_begin(text) && !starts(text).is_empty()
}

/// Where games after the first one begin, in order, in a text of such files.
pub(super) fn later_games(text: &[u8]) -> Vec<usize> {
    let mut starts = starts(text);
    starts.split_off(starts.len().min(1))
}

/// Where games begin in such files in a text, in order.
fn starts(text: &[u8]) -> Vec<usize> {
    let mut starts: Vec<usize> = FORMATS.iter().flat_map(|format| (format.starts)(text)).collect();
    starts.sort_unstable();
    starts
}
