//! Whole files of other programs: KIF, KI2 and CSA of shogi; Korean records of Janggi; DhtmlXQ, XQF and the tables of
//! Xiangqi programs; lists of positions. The layer of each makes records of the extended PGN.

pub(super) mod csa;
pub(super) mod dhtml_xq;
pub(super) mod epd;
mod game;
pub(super) mod janggi;
pub(super) mod kif;
mod kif_ends;
pub(super) mod positions;
mod regions;
pub(super) mod setup;
mod sheet;
mod value;
pub(super) mod xiangqi;
pub mod xqf;

pub(crate) use kif_ends::kif_end;

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
