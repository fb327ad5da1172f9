//! Sheets from texts: every way to divide a text into tokens.

use crate::costs::{Bits, Costs};
use crate::sheet::{Edge, EdgeKind, Mark, Sheet};
use ferz_core::text::Span;
use std::collections::HashMap;
use std::ops::Range;

/// The most characters of two tokens that may be one ply.
const JOINED_CHARS_MAX: usize = 9;

/// The most characters of a token that the next one may continue.
const HEAD_CHARS_MAX: usize = 4;

/// The most parts of a token that may be one ply together.
const PARTS_MAX: usize = 6;

/// The most places where a token is divided.
const CUTS_MAX: usize = 1_000;

/// The most characters of a ply in any style.
const PLY_CHARS_MAX: usize = 24;

impl Sheet {
    /// Divides a text into tokens; `offset` is the place of its first byte.
    ///
    /// ```
    /// use ferz_decode::{Costs, Sheet};
    /// assert!(Sheet::of_text("{nothing but a comment} *", 0, Costs::built_in()).is_empty());
    /// assert!(!Sheet::of_text("1.e4", 0, Costs::built_in()).is_empty());
    /// ```
    pub fn of_text(text: &str, offset: usize, costs: &Costs) -> Sheet {
        let mut builder =
            Builder { text, offset, costs, sheet: Sheet::default(), before: Vec::new(), natures: false };
        builder.sheet.node();
        let enclosed = enclosures(text);
        let mut at = 0;
        while let Some(char) = text[at..].chars().next() {
            let end = match char {
                _ if char.is_whitespace() => {
                    at += char.len_utf8();
                    continue;
                }
                '{' | '(' | '[' => enclosed.get(&at).copied(),
                ';' => Some(text[at..].find('\n').map_or(text.len(), |end| at + end)),
                '%' if at == 0 || text[..at].ends_with('\n') => {
                    Some(text[at..].find('\n').map_or(text.len(), |end| at + end))
                }
                '$' => Some(end_of_token(text, at)),
                _ => None,
            };
            at = match end {
                Some(end) => {
                    builder.aside(at..end);
                    end
                }
                None => {
                    let end = end_of_token(text, at).max(at + char.len_utf8());
                    builder.token(at..end);
                    end
                }
            };
        }
        builder.sheet
    }
}

/// The games in a text without tags: one ends with a result before a first move.
///
/// ```
/// use ferz_decode::games;
/// let text = "1. e4 e5 1-0 1. d4 d5 *";
/// let parts: Vec<&str> = games(text).into_iter().map(|part| &text[part]).collect();
/// assert_eq!(parts, ["1. e4 e5 1-0 ", "1. d4 d5 *"]);
/// ```
pub fn games(text: &str) -> Vec<Range<usize>> {
    let mut parts = Vec::new();
    let (mut from, mut ended) = (0, false);
    for word in text.split_whitespace() {
        // A word is a part of the text.
        let at = word.as_ptr() as usize - text.as_ptr() as usize;
        let first = matches!(
            number_of(&word[..end_of_number(word).unwrap_or(word.len())]),
            Some((EdgeKind::Number { value: 1, .. }, _))
        );
        if ended && first {
            parts.push(from..at);
            from = at;
        }
        ended = is_result(word) || ended && !first;
    }
    parts.push(from..text.len());
    parts
}

/// The end of everything that is enclosed, by its beginning: braces, parentheses, brackets. One pass, whatever is open.
fn enclosures(text: &str) -> HashMap<usize, usize> {
    let mut ends = HashMap::new();
    let (mut round, mut square, mut brace) = (Vec::new(), Vec::new(), None);
    for (at, char) in text.char_indices() {
        let begin = match (char, brace) {
            ('}', _) => brace.take(),
            (_, Some(_)) => None,
            ('{', None) => {
                brace = Some(at);
                None
            }
            ('(', None) => {
                round.push(at);
                None
            }
            ('[', None) => {
                square.push(at);
                None
            }
            (')', None) => round.pop(),
            (']', None) => square.pop(),
            _ => None,
        };
        ends.extend(begin.map(|begin| (begin, at + 1)));
    }
    ends
}

/// The end of the token at `at`.
fn end_of_token(text: &str, at: usize) -> usize {
    let is_end = |(index, char): &(usize, char)| {
        *index > 0 && (char.is_whitespace() || matches!(char, '{' | '}' | '(' | '[' | '$' | '|'))
    };
    text[at..].char_indices().find(is_end).map_or(text.len(), |(index, _)| at + index)
}

struct Builder<'t> {
    text: &'t str,
    offset: usize,
    costs: &'t Costs,
    sheet: Sheet,
    /// The tokens just before, with nothing aside between: where a ply may begin in each.
    before: Vec<Vec<Start>>,
    /// True if the last number was that of a turn of Nature.
    natures: bool,
}

/// A place where a ply may begin: the node and the byte.
#[derive(Debug, Clone, Copy)]
struct Start {
    node: u32,
    byte: usize,
}

impl Builder<'_> {
    fn edge(&self, from: u32, to: u32, place: Range<usize>) -> Edge {
        let written = &self.text[place.clone()];
        Edge {
            from,
            to,
            span: Span::new(place.start + self.offset, place.end + self.offset),
            texts: vec![(written.to_owned(), Bits::ZERO)],
            natures: self.natures,
            mark: mark_of(written),
            kind: EdgeKind::Other,
            skip: None,
            ply: None,
        }
    }

    fn aside(&mut self, place: Range<usize>) {
        let from = self.sheet.last();
        let to = self.sheet.node();
        let edge = Edge { kind: EdgeKind::Aside, skip: Some(Bits::ZERO), ..self.edge(from, to, place) };
        self.sheet.add(edge);
        self.before.clear();
    }

    fn token(&mut self, place: Range<usize>) {
        let token = &self.text[place.clone()];
        if is_result(token) {
            let from = self.sheet.last();
            let to = self.sheet.node();
            let skip = Some(self.costs.token.result);
            let edge = Edge { kind: EdgeKind::Result, skip, ..self.edge(from, to, place) };
            self.sheet.add(edge);
            self.before.clear();
            return;
        }
        let cuts = cuts(token);
        let begin = self.sheet.last();
        let nodes: Vec<u32> = (0..=cuts.len()).map(|_| self.sheet.node()).collect();
        let node = |index: usize| if index == 0 { begin } else { nodes[index - 1] };
        let byte = |index: usize| match index {
            0 => 0,
            index if index <= cuts.len() => cuts[index - 1].at,
            _ => token.len(),
        };
        let parts = cuts.len() + 1;
        let first = cuts.first().filter(|cut| cut.kind == CutKind::Number).map_or(token.len(), |cut| cut.at);
        if let Some((kind, _)) = number_of(&token[..first]) {
            self.natures = kind == EdgeKind::Interjection;
        }
        let mut starts = Vec::new();
        for from in 0..parts {
            let cut = from.checked_sub(1).map(|index| cuts[index].kind);
            let is_start = !matches!(cut, Some(CutKind::Glued));
            if is_start {
                starts.push(Start { node: node(from), byte: place.start + byte(from) });
            }
            for to in from + 1..=parts.min(from + PARTS_MAX) {
                let inner = byte(from)..byte(to);
                let text = &token[inner.clone()];
                let place = place.start + inner.start..place.start + inner.end;
                let edge = self.edge(node(from), node(to), place);
                let one = to == from + 1;
                let is_number = one && cuts.get(to - 1).is_some_and(|cut| cut.kind == CutKind::Number);
                let number = number_of(text).filter(|_| is_number || parts == 1);
                let edge = match number {
                    Some((kind, alike)) => {
                        // `1e4`, `l.`
                        let is_odd = alike || is_number && !text.ends_with(['.', ')', ':', '…']);
                        let alike = if is_odd { self.costs.token.number_alike } else { Bits::ZERO };
                        // Digits may be a ply: `5254`, `93` for `g3`.
                        let is_plain = text.len() >= 2 && text.bytes().all(|byte| byte.is_ascii_digit());
                        let ply = (!is_number && is_plain).then_some(Bits::ZERO);
                        Edge { kind, skip: Some(alike), ply, ..edge }
                    }
                    None => {
                        let glued = if is_start { Bits::ZERO } else { self.costs.token.glued };
                        let could_be = is_some_ply(text);
                        let skip = (one || to == parts && from == 0).then(|| self.skip(text, parts > 1));
                        Edge { skip, ply: could_be.then_some(glued), ..edge }
                    }
                };
                if edge.skip.is_some() || edge.ply.is_some() {
                    self.sheet.add(edge);
                }
            }
        }
        self.join(place.clone(), node(parts));
        self.before.push(starts);
    }

    /// Adds what the tokens before make of this one: `N f3`, `O - O`.
    fn join(&mut self, place: Range<usize>, to: u32) {
        let mut joined = Vec::new();
        let tail = &self.text[place.clone()];
        if tail.chars().count() > JOINED_CHARS_MAX {
            self.before.clear();
            return;
        }
        for starts in self.before.iter().rev().take(2) {
            for start in starts {
                let whole = &self.text[start.byte..place.end];
                let mut words = whole.split_whitespace();
                let head = words.next().unwrap_or_default();
                let text: String = whole.split_whitespace().collect();
                let (heads, all) = (head.chars().count(), text.chars().count());
                let middle = words.next().filter(|_| words.next().is_some());
                let is_short = middle.is_none_or(|middle| middle.chars().count() <= 2 && heads <= 2);
                if heads > HEAD_CHARS_MAX
                    || all > JOINED_CHARS_MAX
                    || !is_short
                    || number_of(head).is_some()
                    || !is_some_ply(&text)
                {
                    continue;
                }
                // A head that ends in its rank, before a token that begins with a letter, is whole.
                if heads > 1
                    && head.ends_with(|char: char| char.is_ascii_digit())
                    && tail.starts_with(char::is_alphabetic)
                {
                    continue;
                }
                let cost = if heads == 1 { self.costs.token.split_letter } else { self.costs.token.split };
                let edge = self.edge(start.node, to, start.byte..place.end);
                // Some styles have a space inside a ply.
                let spaced = whole.split_whitespace().collect::<Vec<_>>().join(" ");
                let texts = vec![(text, Bits::ZERO), (spaced, Bits::ZERO)];
                joined.push(Edge { texts, ply: Some(cost), ..edge });
            }
        }
        joined.into_iter().for_each(|edge| self.sheet.add(edge));
        if self.before.len() > 1 {
            self.before.remove(0);
        }
    }

    /// The cost of leaving a token out.
    fn skip(&self, text: &str, is_part: bool) -> Bits {
        let costs = &self.costs.token;
        let letters = text.chars().filter(|char| char.is_alphabetic()).count();
        let digits = text.chars().filter(char::is_ascii_digit).count();
        if letters + digits == 0 {
            return if is_pass(text) { costs.short } else { Bits::ZERO };
        }
        let has_sign = text.contains(['&', '@', '=', '+', '#']);
        let is_castling =
            letters + digits >= 2 && text.chars().all(|char| matches!(char, 'O' | '0' | 'o' | '-'));
        let is_part_of_ply = is_part && text.chars().all(is_of_plies);
        match (letters, digits) {
            _ if has_sign || is_castling || is_part_of_ply => costs.ply_like,
            (1.., 1..) if letters <= 4 => costs.ply_like,
            (3.., 0) => costs.word,
            _ => costs.short,
        }
    }
}

/// A place where a token may be divided.
#[derive(Debug, Clone, Copy)]
struct Cut {
    at: usize,
    kind: CutKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum CutKind {
    /// After the number of a move.
    Number,
    /// Before or after a sign between two plies: `e4,e5`.
    Sign,
    /// No sign: `e4e5`.
    Glued,
}

/// Where a token may be divided.
fn cuts(token: &str) -> Vec<Cut> {
    let mut cuts = Vec::new();
    let mut at = 0;
    if let Some(end) = end_of_number(token)
        && end < token.len()
    {
        cuts.push(Cut { at: end, kind: CutKind::Number });
        at = end;
    }
    let mut before = None;
    let first = at;
    for (index, char) in token[first..].char_indices() {
        let place = first + index;
        let next = token[place + char.len_utf8()..].chars().next();
        let divides = matches!(char, '/' | ',' | ';' | '–' | '—' | '-' | '.' | ':' | '|');
        if divides && place >= at + 2 && next.is_some_and(|next| next.is_alphanumeric()) && before.is_some() {
            cuts.push(Cut { at: place, kind: CutKind::Sign });
            let after = place + char.len_utf8();
            cuts.push(Cut { at: after, kind: CutKind::Sign });
            at = place;
            if let Some(end) = end_of_number(&token[after..]).filter(|end| after + end < token.len()) {
                cuts.push(Cut { at: after + end, kind: CutKind::Number });
                at = after + end;
            }
        } else if place > at + 1
            && char.is_alphabetic()
            && before.is_some_and(|before: char| {
                before.is_ascii_digit() || matches!(before, '+' | '#' | 'O' | '0')
            })
            && !matches!(char, 'x' | 'X' | 'O')
            && token.len() - place >= 2
        {
            cuts.push(Cut { at: place, kind: CutKind::Glued });
            at = place;
        }
        before = Some(char);
        if cuts.len() > CUTS_MAX {
            break;
        }
    }
    cuts
}

/// The end of the number of a move at the start of a token: `12.`, `1...`, `l.`, `3)`, `1` in `1e4`, `∞3.....`.
fn end_of_number(token: &str) -> Option<usize> {
    let (digits, _) = without_infinity(token);
    let digits_from = token.len() - digits.len();
    let end = digits.find(|char: char| !is_like_digit(char))?;
    let dots =
        digits[end..].find(|char: char| !matches!(char, '.' | ')' | ':' | '…')).unwrap_or(digits.len() - end);
    if end == 0 || digits[..end].chars().count() > 3 {
        return None;
    }
    if dots == 0 {
        // `1e4`: true digits only, and a letter after them.
        let is_number = digits[..end].bytes().all(|byte| byte.is_ascii_digit());
        return (is_number && digits[end..].starts_with(char::is_alphabetic)).then_some(digits_from + end);
    }
    Some(digits_from + end + dots)
}

/// Digits, and letters that are taken for digits.
fn is_like_digit(char: char) -> bool {
    char.is_ascii_digit() || matches!(char, 'l' | 'I' | 'O' | 'o' | 'S' | 'Z')
}

/// A number without the sign of infinity before it, and whether there is one: `∞3.....`, `oo3.....`.
fn without_infinity(text: &str) -> (&str, bool) {
    let rest = ["∞", "oo", "OO"].into_iter().find_map(|sign| text.strip_prefix(sign));
    match rest.filter(|rest| rest.starts_with(|char: char| char.is_ascii_digit())) {
        Some(rest) => (rest, true),
        None => (text, false),
    }
}

/// A move number, and whether letters stand for its digits.
fn number_of(text: &str) -> Option<(EdgeKind, bool)> {
    let (text, is_natures) = without_infinity(text);
    let digits = text.trim_end_matches(['.', ')', ':', '…']);
    let alike = !digits.bytes().all(|byte| byte.is_ascii_digit());
    let has_dots = digits.len() < text.len();
    if digits.is_empty()
        || digits.chars().count() > 4
        || alike && !has_dots
        || !digits.chars().all(is_like_digit)
    {
        return None;
    }
    let plain = digits.chars().map(|char| match char {
        'l' | 'I' => '1',
        'O' | 'o' => '0',
        'S' => '5',
        'Z' => '2',
        digit => digit,
    });
    let value = plain.collect::<String>().parse().ok()?;
    let dots = text[digits.len()..].chars().map(|char| if char == '…' { 3 } else { 1 }).sum::<usize>();
    let whites = match dots {
        0 => None,
        1 => Some(true),
        _ => Some(false),
    };
    let kind = if is_natures { EdgeKind::Interjection } else { EdgeKind::Number { value, whites } };
    Some((kind, alike))
}

fn is_result(token: &str) -> bool {
    let token = token.trim_end_matches(['.', ',']).replace(['–', '—', ':', '−'], "-");
    matches!(
        token.as_str(),
        "1-0"
            | "0-1"
            | "1/2-1/2"
            | "½-½"
            | "*"
            | "1/2"
            | "½"
            | "l-0"
            | "0-l"
            | "I-0"
            | "0-I"
            | "0.5-0.5"
            | "0,5-0,5"
    )
}

/// True for files, ranks, piece letters of chess and what is taken for them: a part of a token with nothing else is no
/// word.
fn is_of_plies(char: char) -> bool {
    let is_alike = matches!(char, 'l' | 'I' | 'i' | 'S' | 's' | 'o' | 'Z' | 't');
    is_alike || matches!(char, 'a'..='h' | '1'..='8' | 'K' | 'Q' | 'R' | 'B' | 'N' | 'P' | 'O' | 'x' | '-')
}

/// True for a pass in any notation.
fn is_pass(text: &str) -> bool {
    matches!(text, "--" | "@@@@")
}

/// True for a text that could be a ply in some style: not too long, and no word.
fn is_some_ply(text: &str) -> bool {
    let chars = text.chars().count();
    let has_sense = text.chars().any(char::is_alphanumeric) || is_pass(text);
    chars <= PLY_CHARS_MAX && has_sense
}

/// The mark at the end of a token.
fn mark_of(token: &str) -> Mark {
    let bare = token.trim_end_matches(['!', '?', '.', ',']);
    if bare.ends_with(['+', '#', '†', '‡']) { Mark::Check } else { Mark::None }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The tokens that may be plies, each once.
    fn plies(text: &str) -> Vec<String> {
        let sheet = Sheet::of_text(text, 0, Costs::built_in());
        sheet.edges.iter().filter(|edge| edge.ply.is_some()).map(|edge| edge.texts[0].0.clone()).collect()
    }

    fn has(text: &str, tokens: &[&str]) {
        let found = plies(text);
        for token in tokens {
            assert!(found.iter().any(|ply| ply == token), "{text}: {token} not in {found:?}");
        }
    }

    #[test]
    fn a_text_is_divided_in_every_way() {
        has("1.e4 e5 2. Nf3", &["e4", "e5", "Nf3"]);
        has("e4e5", &["e4e5", "e4", "e5"]);
        has("1.e4,e5;2.Nf3,Nc6", &["e4", "e5"]);
        has("e2-e4/e7-e5", &["e2-e4", "e7-e5"]);
        has("5.0-O Nf6", &["0-O"]);
        has("N f3", &["Nf3", "f3"]);
        has("O - O", &["O-O"]);
        has("1e4 7g7f", &["e4", "7g7f"]);
        has("l. e4", &["e4"]);
        has("1.e4,e5;2.Nf3,Nc6", &["e4", "e5", "Nf3", "Nc6"]);
        assert!(plies("{e4} (1. d4) $5 [09/11/2026, 19:04] 1-0").is_empty());
    }

    #[test]
    fn what_is_open_costs_one_look() {
        // Quadratic work would take minutes.
        for text in ["(".repeat(300_000), "[".repeat(300_000), "{".repeat(300_000)] {
            assert!(Sheet::of_text(&text, 0, Costs::built_in()).is_empty());
        }
        has("((1. d4) e4", &["e4"]);
    }

    #[test]
    fn every_byte_is_on_some_path() {
        for text in ["1. e4 e5 (2. f4) 2. Nf3 {x} Nc6", "Hi Ann, 12...Nf6!? (=) 13.O-O 1/2-1/2 yours, Ben"] {
            let sheet = Sheet::of_text(text, 7, Costs::built_in());
            // Leaving everything out is always a path.
            let mut reached = vec![false; sheet.nodes()];
            reached[0] = true;
            for node in 0..sheet.nodes() {
                for (_, edge) in sheet.from(node as u32) {
                    assert!(edge.span.start >= 7 && edge.span.end <= text.len() + 7);
                    reached[edge.to as usize] |= reached[node] && edge.skip.is_some();
                }
            }
            assert!(reached[sheet.last() as usize], "{text}");
        }
    }

    #[test]
    fn numbers_say_whose_move_it_is() {
        assert_eq!(number_of("12."), Some((EdgeKind::Number { value: 12, whites: Some(true) }, false)));
        assert_eq!(number_of("12..."), Some((EdgeKind::Number { value: 12, whites: Some(false) }, false)));
        assert_eq!(number_of("l."), Some((EdgeKind::Number { value: 1, whites: Some(true) }, true)));
        assert_eq!(number_of("Nf3"), None);
    }
}
