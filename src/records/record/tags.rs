//! Tag pairs: `[Name "value"]`, and common deviations from that form.

use super::swar::alphanumeric;
use ferz_core::text::bytes::{CLASS, NAME, VALUE, find_near, is_newline, run_end};
use nom::bytes::complete::{tag, take_while, take_while1};
use nom::sequence::{delimited, preceded};
use nom::{IResult, Parser};
use std::borrow::Cow;

/// The seven tags that every game has, in their order, each with its placeholder for an unknown value (PGN 8.1.1).
pub(crate) const ROSTER: [(&str, &str); 7] = [
    ("Event", "?"),
    ("Site", "?"),
    ("Date", "????.??.??"),
    ("Round", "?"),
    ("White", "?"),
    ("Black", "?"),
    ("Result", "*"),
];

/// True for the seven tags that the standard asks for: who played, where and when, and how it ended.
///
/// ```
/// use ferz_records::record::in_roster;
/// assert!(in_roster("White") && in_roster("date") && !in_roster("WhiteElo"));
/// ```
pub fn in_roster(name: &str) -> bool {
    ROSTER.iter().any(|(known, _)| known.eq_ignore_ascii_case(name))
}

/// A tag pair of a record: the places of its parts, in bytes from the start of the record's source.
///
/// The value is decoded by [`Record::tag_value`](super::Record::tag_value).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TagPair {
    /// First byte of the name.
    pub name: u32,
    /// Bytes of the name.
    pub name_len: u32,
    /// First byte of the value, after the quotation mark.
    pub value: u32,
    /// Length of the value as written, escapes included.
    pub value_len: u32,
    /// First byte of the whole pair.
    pub start: u32,
    /// Bytes of the whole pair.
    pub len: u32,
}

/// Which names the tags of a record may have, as one bit for each of 64 sorts of names. Most requested names are in no
/// tag at all, and few records repeat a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct TagNames {
    seen: u64,
    /// Set if two names are of one sort.
    doubled: bool,
}

impl TagNames {
    /// The bit of a name's sort, independent of case. The names that most records have, and those that the program asks
    /// for, are of different sorts.
    #[inline(always)]
    const fn bit(name: &[u8]) -> u64 {
        if name.is_empty() {
            return 1;
        }
        let (first, middle) = (name[0] | 0x20, name[name.len() / 2] | 0x20);
        1 << ((first as usize + 29 * middle as usize + 23 * name.len()) % 64)
    }

    /// The sorts of some names.
    pub const fn of(names: &[&str]) -> TagNames {
        let (mut seen, mut at) = (0, 0);
        while at < names.len() {
            seen |= TagNames::bit(names[at].as_bytes());
            at += 1;
        }
        TagNames { seen, doubled: false }
    }

    /// Adds a tag's name.
    #[inline(always)]
    pub(super) fn add(&mut self, name: &[u8]) {
        let bit = TagNames::bit(name);
        self.doubled |= self.seen & bit != 0;
        self.seen |= bit;
    }

    /// False if certainly no tag has the name, in any case.
    #[inline(always)]
    pub(super) fn may_have(self, name: &[u8]) -> bool {
        self.seen & TagNames::bit(name) != 0
    }

    /// False if certainly no tag has one of the names.
    pub(super) fn may_have_any(self, names: TagNames) -> bool {
        self.seen & names.seen != 0
    }

    /// False if certainly no two tags have the same name.
    pub(super) fn may_be_doubled(self) -> bool {
        self.doubled
    }
}

/// What a tag pair lacks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Flaws {
    pub(super) quote: bool,
    pub(super) bracket: bool,
    pub(super) inner_quote: bool,
    pub(super) no_value: bool,
}

/// A tag pair found in a text, with places in bytes of that text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct FoundPair {
    pub(super) start: usize,
    pub(super) name: (usize, usize),
    pub(super) value: (usize, usize),
    pub(super) end: usize,
    /// A quotation mark opens the value: only such a pair begins a game.
    pub(super) strong: bool,
    pub(super) flaws: Flaws,
}

/// Finds the tag pairs of one line, in linear time.
#[derive(Debug)]
pub(super) struct TagLine<'s> {
    src: &'s [u8],
    /// No value that starts before this place is closed on its line, which ends here.
    unclosed_before: usize,
}

fn blanks(input: &[u8]) -> IResult<&[u8], &[u8]> {
    take_while(|b| b == b' ' || b == b'\t').parse(input)
}

fn name(input: &[u8]) -> IResult<&[u8], &[u8]> {
    take_while1(|b: u8| CLASS[b as usize] & NAME != 0).parse(input)
}

/// `[Name`, with the blanks around the name.
fn head(input: &[u8]) -> IResult<&[u8], &[u8]> {
    delimited((tag(&b"["[..]), blanks), name, blanks).parse(input).and_then(|(rest, name)| {
        let error = nom::error::Error::new(input, nom::error::ErrorKind::Alpha);
        if name_starts(name[0]) { Ok((rest, name)) } else { Err(nom::Err::Error(error)) }
    })
}

/// `[Name "value"]` at `pos` in the usual form: one space, no escapes.
#[inline(always)]
pub(super) fn plain_pair(src: &[u8], pos: usize) -> Option<FoundPair> {
    if src.get(pos) != Some(&b'[') {
        return None;
    }
    let letters = alphanumeric(src, pos + 1).unwrap_or_default();
    let name = (pos + 1, run_end(src, pos + 1 + letters, NAME));
    // Before the value is sought: it may be long, and brackets many.
    if !src[name.1..].starts_with(b" \"") || !name_starts(src[name.0]) {
        return None;
    }
    let value = (name.1 + 2, value_end(src, name.1 + 2));
    src[value.1..].starts_with(b"\"]").then(|| FoundPair {
        start: pos,
        name,
        value,
        end: value.1 + 2,
        strong: true,
        flaws: Flaws::default(),
    })
}

/// The end of the run of bytes that need no escape in a value.
#[inline(always)]
fn value_end(src: &[u8], pos: usize) -> usize {
    let far = |rest: &[u8]| Some(run_end(rest, 0, VALUE));
    find_near(src, pos, [b'"', b'\\', b'\n', b'\r'], far).unwrap_or(src.len())
}

/// True if a tag's name may start with the byte.
fn name_starts(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// `"value"]` without escapes.
fn plain_value(input: &[u8]) -> IResult<&[u8], &[u8]> {
    let value = take_while(|b: u8| CLASS[b as usize] & VALUE != 0);
    delimited(tag(&b"\""[..]), value, (tag(&b"\""[..]), blanks, tag(&b"]"[..]))).parse(input)
}

/// True if `[Name "` is at `pos`: at the start of a line it begins a game.
pub(super) fn begins_game(src: &[u8], pos: usize) -> bool {
    let quote: IResult<&[u8], &[u8]> = preceded(head, tag(&b"\""[..])).parse(&src[pos..]);
    quote.is_ok()
}

/// The end of the tag pairs that start at `pos`, the first `[` of a line; `pos` if there is none.
pub(super) fn pairs_end(src: &[u8], pos: usize) -> usize {
    let mut line = TagLine::new(src);
    let mut end = pos;
    while let Some(found) = line.pair(skip_inner(src, end)) {
        end = found.end;
    }
    end
}

/// True if a text is one tag pair that lacks nothing.
pub(crate) fn is_whole_pair(text: &[u8]) -> bool {
    let pair = TagLine::new(text).pair(0);
    pair.is_some_and(|pair| pair.end == text.len() && pair.strong && pair.flaws == Flaws::default())
}

impl<'s> TagLine<'s> {
    pub(super) fn new(src: &'s [u8]) -> TagLine<'s> {
        TagLine { src, unclosed_before: 0 }
    }

    /// The tag pair at `pos`, if there is one.
    pub(super) fn pair(&mut self, pos: usize) -> Option<FoundPair> {
        if self.src.get(pos) != Some(&b'[') {
            return None;
        }
        plain_pair(self.src, pos).or_else(|| self.odd_pair(pos))
    }

    /// The tag pair at `pos`, in any form.
    #[inline(never)]
    fn odd_pair(&mut self, pos: usize) -> Option<FoundPair> {
        let src = self.src;
        let at = |rest: &[u8]| src.len() - rest.len();
        let input = src.get(pos..).filter(|i| i.first() == Some(&b'['))?;
        let (rest, name) = head(input).ok()?;
        let name_start = skip_inner(src, pos + 1);
        let name = (name_start, name_start + name.len());
        if let Ok((after, value)) = plain_value(rest) {
            let start = at(rest) + 1;
            let value = (start, start + value.len());
            let flaws = Flaws::default();
            return Some(FoundPair { start: pos, name, value, end: at(after), strong: true, flaws });
        }
        if rest.first() == Some(&b'"') {
            let (value, end, flaws) = self.quoted(at(rest) + 1);
            return Some(FoundPair { start: pos, name, value, end, strong: true, flaws });
        }
        let (value, end, flaws) = self.unquoted(at(rest))?;
        Some(FoundPair { start: pos, name, value, end, strong: false, flaws })
    }

    /// A value after a quotation mark in any other form: its place, the end of the pair, its flaws.
    fn quoted(&mut self, from: usize) -> ((usize, usize), usize, Flaws) {
        let src = self.src;
        let mut flaws = Flaws::default();
        if from >= self.unclosed_before
            && let Some((close, inner)) = self.close(from)
        {
            flaws.inner_quote = inner;
            let next = skip_inner(src, close + 1);
            flaws.bracket = src.get(next) != Some(&b']');
            let end = if flaws.bracket { close + 1 } else { next + 1 };
            return ((from, close), end, flaws);
        }
        let line = self.unclosed_before;
        let trimmed = trim_end(src, from, line);
        if src[from..trimmed].ends_with(b"\\\"]") {
            // A backslash before the last quotation mark is meant as a backslash.
            flaws.inner_quote = true;
            return ((from, trimmed - 2), trimmed, flaws);
        }
        if let Some(close) = next_quote(src, from, line) {
            flaws.bracket = true;
            return ((from, close), close + 1, flaws);
        }
        flaws.quote = true;
        flaws.bracket = !src[from..trimmed].ends_with(b"]");
        let value_end = if flaws.bracket { trimmed } else { trim_end(src, from, trimmed - 1) };
        ((from, value_end), trimmed, flaws)
    }

    /// The quotation mark that closes the value (one that is not escaped, followed by `]`, `[` or the end of the line),
    /// and whether others were passed. Remembers the end of the line if there is none.
    fn close(&mut self, from: usize) -> Option<(usize, bool)> {
        let src = self.src;
        let mut pos = from;
        let mut passed = false;
        loop {
            let line = line_or_quote(src, pos);
            if line >= src.len() || is_newline(src[line]) {
                self.unclosed_before = line;
                return None;
            }
            if src[line] == b'\\' {
                pos = (line + 1 + usize::from(src.get(line + 1).is_some_and(|b| !is_newline(*b))))
                    .min(src.len());
                continue;
            }
            let next = skip_inner(src, line + 1);
            match src.get(next) {
                None | Some(b']' | b'[' | b'\n' | b'\r') => return Some((line, passed)),
                _ => (pos, passed) = (line + 1, true),
            }
        }
    }

    /// A value without an opening quotation mark, up to the bracket or the end of the line.
    ///
    /// `None` if a brace, a semicolon or another bracket shows that this is not a tag pair.
    fn unquoted(&mut self, from: usize) -> Option<((usize, usize), usize, Flaws)> {
        let src = self.src;
        let stop = |b: &u8| matches!(b, b']' | b'"' | b'\n' | b'\r' | b'{' | b'}' | b';' | b'[');
        let at = src[from..].iter().position(stop).map_or(src.len(), |i| from + i);
        let value = (from, trim_end(src, from, at));
        let mut flaws = Flaws { quote: value.0 < value.1, no_value: value.0 == value.1, ..Flaws::default() };
        let end = match src.get(at) {
            Some(b'{' | b'}' | b';' | b'[') => return None,
            Some(b'"') => {
                let next = skip_inner(src, at + 1);
                flaws.bracket = src.get(next) != Some(&b']');
                if flaws.bracket { at + 1 } else { next + 1 }
            }
            Some(b']') => at + 1,
            _ => {
                flaws.bracket = true;
                value.1
            }
        };
        Some((value, end, flaws))
    }
}

/// The first quotation mark, backslash or end of line from `pos` on.
fn line_or_quote(src: &[u8], pos: usize) -> usize {
    let stop = |b: &u8| matches!(b, b'"' | b'\\' | b'\n' | b'\r');
    src[pos..].iter().position(stop).map_or(src.len(), |i| pos + i)
}

/// The first unescaped quotation mark in `from..to`.
fn next_quote(src: &[u8], from: usize, to: usize) -> Option<usize> {
    let mut pos = from;
    while pos < to {
        match src[pos] {
            b'"' => return Some(pos),
            b'\\' => pos += 2,
            _ => pos += 1,
        }
    }
    None
}

/// Skips the spaces and tabs at `pos`.
pub(super) fn skip_inner(src: &[u8], pos: usize) -> usize {
    pos + src[pos..].iter().take_while(|b| matches!(b, b' ' | b'\t')).count()
}

/// `to` without the blanks before it, but not below `from`.
fn trim_end(src: &[u8], from: usize, to: usize) -> usize {
    from + src[from..to].trim_ascii_end().len()
}

/// The value with its escapes `\"` and `\\` resolved; any other backslash stands for itself.
pub(super) fn unescape(text: Cow<'_, str>) -> Cow<'_, str> {
    if !text.contains('\\') {
        return text;
    }
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match (c, chars.peek()) {
            ('\\', Some(&next @ ('"' | '\\'))) => {
                chars.next();
                out.push(next);
            }
            _ => out.push(c),
        }
    }
    Cow::Owned(out)
}

/// How many bytes of the value as written make up the first `offset` bytes of the unescaped one.
pub(super) fn escaped_offset(written: &[u8], offset: usize) -> usize {
    let mut at = 0;
    for _ in 0..offset {
        at += match written.get(at..at + 2) {
            Some([b'\\', b'"' | b'\\']) => 2,
            _ => 1,
        };
    }
    at.min(written.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn show(text: &str) -> String {
        let src = text.as_bytes();
        match TagLine::new(src).pair(0) {
            None => "none".into(),
            Some(f) => {
                let part = |(a, b): (usize, usize)| String::from_utf8_lossy(&src[a..b]).into_owned();
                let mut out = format!("{}={}|{}", part(f.name), part(f.value), part((f.end, src.len())));
                for (flag, mark) in [
                    (f.flaws.quote, " quote"),
                    (f.flaws.bracket, " bracket"),
                    (f.flaws.inner_quote, " inner"),
                    (f.flaws.no_value, " empty"),
                ] {
                    out.push_str(if flag { mark } else { "" });
                }
                out
            }
        }
    }

    #[test]
    fn pairs_whole_and_broken() {
        assert_eq!(show("[White \"A\"] x"), "White=A| x");
        assert_eq!(show("[ White  \"A\" ]"), "White=A|");
        assert_eq!(show("[White \"A"), "White=A| quote bracket");
        assert_eq!(show("[White \"A]\nx"), "White=A|\nx quote");
        assert_eq!(show("[White \"A\"\n"), "White=A|\n bracket");
        assert_eq!(show("[White A]"), "White=A| quote");
        assert_eq!(show("[White A\"]"), "White=A| quote");
        assert_eq!(show("[White]"), "White=| empty");
        assert_eq!(show("[White \"The \"Big\" one\"]"), "White=The \"Big\" one| inner");
        assert_eq!(show("[White \"The \\\"Big\\\" one\"]"), "White=The \\\"Big\\\" one|");
        assert_eq!(show("[Site \"C:\\\"]"), "Site=C:\\| inner");
        assert_eq!(show("[A \"x\"[B \"y\"]"), "A=x|[B \"y\"] bracket");
        assert_eq!(show("[A \"x\" 1. e4 e5"), "A=x| 1. e4 e5 bracket");
        assert_eq!(show("[%clk 1]"), "none");
        assert_eq!(show("[["), "none");
    }

    #[test]
    fn usual_names_are_of_different_sorts() {
        let mut names = TagNames::default();
        let usual = "Event Site Date Round White Black Result UTCDate UTCTime WhiteElo BlackElo WhiteRatingDiff \
                     BlackRatingDiff ECO Opening TimeControl Termination";
        usual.split(' ').for_each(|name| names.add(name.as_bytes()));
        assert!(!names.may_be_doubled());
        assert!(usual.split(' ').all(|name| names.may_have(name.to_ascii_uppercase().as_bytes())));
        let asked = "Variant RulesEdition FEN SetUp PlyCount NatureClock CurrentPosition";
        assert!(asked.split(' ').all(|name| !names.may_have(name.as_bytes())));
        names.add(b"event");
        assert!(names.may_be_doubled());
    }

    #[test]
    fn places_after_escapes() {
        let written = r#"a\"b\\é\c"#;
        let value = unescape(Cow::Borrowed(written)).into_owned();
        assert_eq!(value, "a\"b\\é\\c");
        for (offset, character) in value.char_indices() {
            let at = escaped_offset(written.as_bytes(), offset);
            let expected = if matches!(character, '"') { '\\' } else { character };
            assert_eq!(written[at..].chars().next(), Some(expected), "{offset}");
        }
        assert_eq!(escaped_offset(written.as_bytes(), value.len()), written.len());
        assert_eq!(escaped_offset(b"ab", 9), 2);
    }

    #[test]
    fn many_pairs_on_a_line() {
        assert_eq!(pairs_end(b"[A \"x\"] [B \"{\"]  {c}", 0), 15);
        assert_eq!(pairs_end(b"[[", 0), 0);
    }
}
