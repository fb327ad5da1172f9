//! Where files of one format are in a text, and where their games begin.

use crate::interchange::formats::HEAD_BYTES;
use ferz_core::text::Span;
use ferz_core::text::bytes::brace_end;

/// What a line says about the format of a text, by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sign {
    /// Nothing.
    None,
    /// It may precede a line that shows the format.
    Leads,
    /// It is of the format unless a tag pair precedes it: moves may be those of a record in plain text.
    Weak,
    /// It is of the format.
    Certain,
}

/// True if the first line of a text, other than blank ones, may begin a file by its sign.
pub(super) fn may_begin(text: &[u8], sign: fn(&str) -> Sign) -> bool {
    let head = Span::new(0, text.len().min(HEAD_BYTES));
    let first = lines(text, head).map(|line| content(text, line)).find(|line| !line.is_empty());
    first.is_some_and(|line| sign(line) != Sign::None)
}

/// The lines of a part of a text, without their ends.
pub(super) fn lines(text: &[u8], part: Span) -> impl Iterator<Item = Span> {
    let ends = memchr::memchr2_iter(b'\n', b'\r', part.of(text)).map(move |at| part.start + at);
    let mut start = part.start;
    ends.chain([part.end]).map(move |end| {
        let line = Span::new(start, end);
        start = end + 1;
        line
    })
}

/// A line as text, without a byte order mark and blanks around it. Bytes that are not UTF-8 are in no line of a format.
pub(super) fn content(text: &[u8], line: Span) -> &str {
    let line = std::str::from_utf8(line.of(text)).unwrap_or_default();
    line.trim_start_matches('\u{feff}').trim()
}

/// True if a line is UTF-8; no line of a format is anything else.
pub(super) fn is_utf8(text: &[u8], line: Span) -> bool {
    std::str::from_utf8(line.of(text)).is_ok()
}

/// The place of a part of the text in it.
pub(super) fn span_of(text: &[u8], part: &str) -> Span {
    let start = (part.as_ptr() as usize).saturating_sub(text.as_ptr() as usize).min(text.len());
    Span::new(start, (start + part.len()).min(text.len()))
}

/// The parts of a text in a format: from the first line that shows it to the next tag pair or a line that `ends` it.
pub(super) fn regions(text: &[u8], sign: impl Fn(&str) -> Sign, ends: impl Fn(&str) -> bool) -> Vec<Span> {
    let mut found = Vec::new();
    let (mut begin, mut lead, mut tagged, mut comment_end) = (None, None, false, 0);
    for line in lines(text, Span::new(0, text.len())) {
        if begin.is_none() && line.start < comment_end {
            // A comment of a record in plain text.
            comment_end = comment_end.max(comment_ends(text, Span::new(comment_end.min(line.end), line.end)));
            continue;
        }
        let words = content(text, line);
        let is_tag = is_tag_pair(words);
        if let Some(start) = begin.filter(|_| is_tag || ends(words)) {
            found.push(Span::new(start, line.start));
            begin = None;
        }
        if is_tag {
            (tagged, lead) = (true, None);
        }
        // A brace in the value of a tag begins no comment.
        if begin.is_some() || words.is_empty() || is_tag {
            continue;
        }
        let sign = sign(words);
        match sign {
            Sign::Certain => begin = lead.or(Some(line.start)),
            Sign::Weak if !tagged => begin = lead.or(Some(line.start)),
            Sign::Leads if !tagged => lead = lead.or(Some(line.start)),
            _ => {
                lead = None;
                comment_end = comment_ends(text, line);
            }
        }
        if begin.is_some() {
            (lead, tagged) = (None, false);
        }
    }
    found.extend(begin.map(|start| Span::new(start, text.len())));
    found
}

/// The end of the comment in braces that a line leaves open; 0 if it leaves none.
fn comment_ends(text: &[u8], line: Span) -> usize {
    let mut at = line.start;
    while at < line.end
        && let Some(stop) = memchr::memchr2(b'{', b';', &text[at..line.end]).map(|stop| at + stop)
        // A semicolon begins a comment up to the end of the line.
        && text[stop] == b'{'
    {
        at = brace_end(text, stop + 1).0;
        if at >= line.end {
            return at;
        }
    }
    0
}

/// True for a line that begins like a tag pair with its value.
fn is_tag_pair(line: &str) -> bool {
    let Some((name, value)) = line.strip_prefix('[').and_then(|rest| rest.split_once(' ')) else {
        return false;
    };
    let is_name = |name: &str| name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    !name.is_empty() && is_name(name) && value.trim_start().starts_with('"')
}
