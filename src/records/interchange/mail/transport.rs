//! How mail and web pages carry a text: quoted-printable, HTML, and the marks of bulletin boards and quoted lines.

use crate::interchange::files::setup::is_rank;
use crate::interchange::layers::Change;
use crate::interchange::plain::{HEAD_BYTES, starts_plain};
use crate::record::tags::is_whole_pair;
use ferz_core::text::Span;
use ferz_core::text::bytes::brace_end;
use std::ops::Range;

/// Names of elements that begin or end a line.
const BLOCKS: [&str; 19] = [
    "br",
    "p",
    "div",
    "tr",
    "li",
    "ul",
    "ol",
    "pre",
    "table",
    "tbody",
    "h1",
    "h2",
    "h3",
    "h4",
    "hr",
    "blockquote",
    "html",
    "body",
    "title",
];

/// Names of other elements.
const INLINE: [&str; 21] = [
    "a", "b", "i", "u", "em", "strong", "span", "font", "td", "th", "img", "tt", "code", "small", "sup",
    "sub", "meta", "link", "center", "head", "section",
];

/// Names of elements whose content is not text.
const HIDDEN: [&str; 2] = ["style", "script"];

/// Entities by name; the others are numbers.
const ENTITIES: [(&str, char); 56] = [
    ("quot", '"'),
    ("amp", '&'),
    ("lt", '<'),
    ("gt", '>'),
    ("apos", '\''),
    ("nbsp", ' '),
    ("shy", '\u{ad}'),
    ("ndash", '–'),
    ("mdash", '—'),
    ("hellip", '…'),
    ("frac12", '½'),
    ("lsquo", '‘'),
    ("rsquo", '’'),
    ("ldquo", '“'),
    ("rdquo", '”'),
    ("bdquo", '„'),
    ("laquo", '«'),
    ("raquo", '»'),
    ("thinsp", ' '),
    ("ensp", ' '),
    ("emsp", ' '),
    ("auml", 'ä'),
    ("ouml", 'ö'),
    ("uuml", 'ü'),
    ("Auml", 'Ä'),
    ("Ouml", 'Ö'),
    ("Uuml", 'Ü'),
    ("szlig", 'ß'),
    ("aacute", 'á'),
    ("eacute", 'é'),
    ("iacute", 'í'),
    ("oacute", 'ó'),
    ("uacute", 'ú'),
    ("Aacute", 'Á'),
    ("Eacute", 'É'),
    ("agrave", 'à'),
    ("egrave", 'è'),
    ("ograve", 'ò'),
    ("acirc", 'â'),
    ("ecirc", 'ê'),
    ("ccedil", 'ç'),
    ("ntilde", 'ñ'),
    ("oslash", 'ø'),
    ("aring", 'å'),
    ("aelig", 'æ'),
    ("atilde", 'ã'),
    ("otilde", 'õ'),
    ("scaron", 'š'),
    ("zcaron", 'ž'),
    ("ccaron", 'č'),
    ("euml", 'ë'),
    ("iuml", 'ï'),
    ("minus", '−'),
    ("infin", '∞'),
    ("plusmn", '±'),
    ("dagger", '†'),
];

/// Bytes of the longest element and comment of HTML that are read: many that are never closed cost no more.
const MARKUP_BYTES_MAX: usize = 1000;

/// Markup at the start of a text: its length, and what it stands for.
fn is_markup(text: &[u8]) -> Option<(usize, String)> {
    match text.first()? {
        b'&' => entity(text),
        b'<' => element(text),
        _ => None,
    }
}

/// True if the text at a place is markup and stands outside the quotation marks of a tag pair: inside them and in
/// comments it may be meant.
pub(in crate::interchange) fn shows_html(text: &[u8], at: usize) -> bool {
    if is_markup(&text[at..]).is_none() {
        return false;
    }
    let before = &text[at.saturating_sub(MARKUP_BYTES_MAX)..at];
    let line = memchr::memrchr(b'\n', before).map_or(before, |end| &before[end + 1..]);
    !(line.starts_with(b"[") && line.contains(&b'"'))
}

fn entity(text: &[u8]) -> Option<(usize, String)> {
    let end = text.iter().take(12).position(|byte| *byte == b';')?;
    let name = std::str::from_utf8(&text[1..end]).ok()?;
    let number = |digits: &str, radix| u32::from_str_radix(digits, radix).ok().and_then(char::from_u32);
    let char = match name.strip_prefix('#') {
        Some(digits) => match digits.strip_prefix(['x', 'X']) {
            Some(hex) => number(hex, 16)?,
            None => number(digits, 10)?,
        },
        None => ENTITIES.iter().find(|(known, _)| *known == name)?.1,
    };
    let char = if matches!(char, '\u{a0}') { ' ' } else { char };
    Some((end + 1, char.to_string()))
}

fn element(text: &[u8]) -> Option<(usize, String)> {
    if text.starts_with(b"<!--") {
        let end = memchr::memmem::find(&text[..text.len().min(MARKUP_BYTES_MAX)], b"-->")?;
        return Some((end + 3, String::new()));
    }
    let closing = text.get(1) == Some(&b'/');
    let start = 1 + usize::from(closing);
    let letters = text[start..].iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
    let name = std::str::from_utf8(&text[start..start + letters]).ok()?.to_ascii_lowercase();
    let name = name.as_str();
    if !matches!(text.get(start + letters), Some(b'>' | b' ' | b'/' | b'\n' | b'\r')) {
        return None;
    }
    let end = start + memchr::memchr(b'>', &text[start..text.len().min(MARKUP_BYTES_MAX)])? + 1;
    if HIDDEN.contains(&name) {
        // A closing element hides nothing.
        let hidden = if closing { 0 } else { hidden_bytes(&text[end..], name) };
        return Some((end + hidden, String::new()));
    }
    let with = match () {
        () if BLOCKS.contains(&name) && !text[end..].starts_with(b"\n") => "\n",
        () if matches!(name, "td" | "th") => " ",
        () if BLOCKS.contains(&name) || INLINE.contains(&name) => "",
        () => return None,
    };
    Some((end, with.to_owned()))
}

/// The bytes up to the end of a hidden element, whose name is in small letters: all, if it does not end. The text is
/// searched in place, since a page may have thousands of such elements.
fn hidden_bytes(text: &[u8], name: &str) -> usize {
    let ends = |at: &usize| {
        let rest = &text[at + 2..];
        let closes = rest.get(..name.len()).is_some_and(|found| found.eq_ignore_ascii_case(name.as_bytes()));
        closes && rest.get(name.len()) == Some(&b'>')
    };
    let end = memchr::memmem::find_iter(text, "</").find(ends);
    end.map_or(text.len(), |at| at + 2 + name.len() + 1)
}

/// The markup of HTML, if any stands outside comments in braces: `&quot;` may be meant inside them.
pub(in crate::interchange) fn html(text: &[u8]) -> Vec<Change> {
    let mut outside = false;
    let mut at = 0;
    while let Some(stop) = memchr::memchr3(b'{', b'<', b'&', &text[at..]).map(|stop| at + stop) {
        if text[stop] == b'{' {
            at = (brace_end(text, stop + 1).0 + 1).min(text.len());
            continue;
        }
        if shows_html(text, stop) {
            outside = true;
            break;
        }
        at = stop + 1;
    }
    let mut changes = Vec::new();
    let mut done = 0;
    for at in memchr::memchr2_iter(b'<', b'&', if outside { text } else { b"" }) {
        if at >= done
            && let Some((len, with)) = is_markup(&text[at..])
        {
            changes.push(Change::new(at, at + len, with));
            done = at + len;
        }
    }
    changes
}

/// Bytes of the longest mark of a bulletin board.
const BOARD_MARK_BYTES_MAX: usize = 100;

/// The length of a mark of a bulletin board at the start of a text: `[pgn]`, `[PGN height=400]`, `[/pgn]`.
pub(in crate::interchange) fn board_mark(text: &[u8]) -> Option<usize> {
    let name = text.strip_prefix(b"[/").or_else(|| text.strip_prefix(b"["))?;
    let rest = name.get(3..).filter(|_| name[..3].eq_ignore_ascii_case(b"pgn"))?;
    let end = rest.iter().take(BOARD_MARK_BYTES_MAX).position(|byte| matches!(byte, b']' | b'"' | b'\n'))?;
    let ends_word = matches!(rest[0], b']' | b' ' | b'=');
    (ends_word && rest[end] == b']').then(|| text.len() - rest.len() + end + 1)
}

/// The marks of bulletin boards outside comments.
pub(in crate::interchange) fn board_marks(text: &[u8]) -> Vec<Change> {
    let mut changes = Vec::new();
    let mut at = 0;
    while let Some(stop) = memchr::memchr2(b'{', b'[', &text[at..]).map(|stop| at + stop) {
        at = stop + 1;
        if text[stop] == b'{' {
            at = (brace_end(text, stop + 1).0 + 1).min(text.len());
        } else if let Some(len) = board_mark(&text[stop..]) {
            at = stop + len;
            changes.push(Change::new(stop, at, ""));
        }
    }
    changes
}

/// True if a line may end a tag pair that an earlier line begins.
#[inline]
pub(in crate::interchange) fn may_end_tag(line: &[u8]) -> bool {
    matches!(line, [first, .., b']'] | [first, .., b']', b'\r'] if *first != b'[')
        || matches!(line, b"]" | b"]\r")
}

/// The span of white space at which a tag pair is folded, if the line at `start` is the second of its two lines.
#[cold]
pub(in crate::interchange) fn folded_tag(text: &[u8], start: usize) -> Option<Span> {
    let before = text[..start].trim_ascii_end();
    let first = memchr::memrchr(b'\n', before).map_or(0, |end| end + 1);
    // Only one line end is between the two.
    if memchr::memchr_iter(b'\n', &text[before.len()..start]).count() != 1 || text.get(first) != Some(&b'[') {
        return None;
    }
    let rest = &text[start..];
    let line = &rest[..memchr::memchr(b'\n', rest).unwrap_or(rest.len())];
    let blanks = line.len() - line.trim_ascii_start().len();
    let whole = [&before[first..], b" ", line.trim_ascii()].concat();
    is_whole_pair(&whole).then(|| Span::new(before.len(), start + blanks))
}

/// The line ends inside tag pairs of two lines.
pub(in crate::interchange) fn folded_tags(text: &[u8]) -> Vec<Change> {
    let mut changes = Vec::new();
    let mut start = 0;
    for end in memchr::memchr_iter(b'\n', text).chain([text.len()]) {
        if may_end_tag(&text[start..end])
            && let Some(fold) = folded_tag(text, start)
        {
            changes.push(Change::new(fold.start, fold.end, " "));
        }
        start = end + 1;
    }
    changes
}

/// The encoding that the headers of a mail name: `=20` for a byte, `=` for a line that goes on.
pub(in crate::interchange) fn quoted_printable(text: &[u8]) -> Vec<Change> {
    const HEADER: &[u8] = b"content-transfer-encoding: quoted-printable";
    let is_header =
        |line: &[u8]| line.len() >= HEADER.len() && line[..HEADER.len()].eq_ignore_ascii_case(HEADER);
    let starts = std::iter::once(0).chain(memchr::memchr_iter(b'\n', text).map(|at| at + 1));
    let header = starts.into_iter().find(|at| is_header(&text[*at..]));
    header.map_or_else(Vec::new, |header| quoted_printable_in(text, header..text.len()))
}

/// The changes that decode a part of a text in quoted-printable.
pub(super) fn quoted_printable_in(text: &[u8], part: Range<usize>) -> Vec<Change> {
    let hex = |pair: &[u8]| std::str::from_utf8(pair).ok().and_then(|pair| u8::from_str_radix(pair, 16).ok());
    let mut changes = Vec::new();
    for at in memchr::memchr_iter(b'=', &text[part.clone()]).map(|at| at + part.start) {
        match &text[at + 1..part.end] {
            [b'\r', b'\n', ..] => changes.push(Change::new(at, at + 3, "")),
            [b'\n', ..] => changes.push(Change::new(at, at + 2, "")),
            [high, low, ..] => {
                if let Some(byte) = hex(&[*high, *low]) {
                    changes.push(Change::new(at, at + 3, [byte]));
                }
            }
            _ => {}
        }
    }
    changes
}

/// The marks before quoted lines: `> `, `>> `, `> > `, `| `. None if no line outside comments has one.
pub(in crate::interchange) fn quoting(text: &[u8]) -> Vec<Change> {
    let mut marks: Vec<Span> = Vec::new();
    let (mut at, mut outside, mut comment_end) = (0, false, 0);
    while at < text.len() {
        let end = memchr::memchr(b'\n', &text[at..]).map_or(text.len(), |end| at + end + 1);
        let len = mark(&text[at..end]);
        if len > 0 {
            marks.push(Span::new(at, at + len));
            outside |= at >= comment_end;
        }
        if at >= comment_end
            && starts_plain(&text[at + len..end.min(at + len + HEAD_BYTES)])
            && let Some(brace) = memchr::memchr(b'{', &text[at..end])
        {
            // The last comment that begins on the line may extend beyond it.
            let mut from = at + brace;
            comment_end = brace_end(text, from + 1).0;
            while comment_end < end
                && let Some(next) = memchr::memchr(b'{', &text[comment_end..end])
            {
                from = comment_end + next;
                comment_end = brace_end(text, from + 1).0;
            }
        }
        at = end;
    }
    let change = |mark: &Span| Change::new(mark.start, mark.end, "");
    if outside { marks.iter().map(change).collect() } else { Vec::new() }
}

/// Bytes of the mark of a quoted line. A rank of a drawn board begins like one.
fn mark(line: &[u8]) -> usize {
    if line.starts_with(b"|") && std::str::from_utf8(line).is_ok_and(|line| is_rank(line.trim())) {
        return 0;
    }
    let mut len = 0;
    loop {
        let blanks = line[len..].iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        match line.get(len + blanks) {
            Some(b'>') => len += blanks + 1,
            Some(b'|') if matches!(line.get(len + blanks + 1), Some(b' ' | b'\n') | None) => {
                len += blanks + 1
            }
            _ => break,
        }
    }
    len + usize::from(len > 0 && line.get(len) == Some(&b' '))
}

#[cfg(test)]
mod tests {
    use super::element;

    #[test]
    fn hidden_elements_end_where_they_are_closed() {
        for (text, len) in [
            ("<style>a</STYLE>1. e4", 16),
            ("<script></style></script>x", 25),
            ("<style>a</styles>b</style>c", 26),
            ("<style>never", 12),
            // A closing element hides nothing.
            ("</style>1. e4", 8),
        ] {
            assert_eq!(element(text.as_bytes()).map(|(len, _)| len), Some(len), "{text}");
        }
    }
}
