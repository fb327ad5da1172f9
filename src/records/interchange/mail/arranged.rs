//! Moves as people arrange them: messages of a chat, rows of a table, items of a list. What stands around the moves is
//! skipped, so that the lines are those of a record.
//!
//! Each layer acts only where several lines have its form and moves in it, so that no single line of a record is taken
//! for one.

use super::lines::last_comment_end;
use super::tokens::{Token, tokens};
use crate::interchange::layers::Change;
use crate::record::endings::is_game_word;
use ferz_core::notation::forms::has_form_of_ply;
use ferz_core::text::bytes::char_len;
use ferz_core::text::decode;
use ferz_core::text::fold::fold;
use std::ops::Range;

/// True if a line with this beginning may be part of a chat or of a table, although it begins like one of a record.
#[inline]
pub(in crate::interchange) fn may_begin(line: &[u8]) -> bool {
    if let [b'[', digit, ..] = line {
        return digit.is_ascii_digit();
    }
    let digits = line.iter().take_while(|byte| byte.is_ascii_digit()).count();
    match &line[digits..] {
        _ if digits == 0 || digits > 4 => false,
        // A cell, a time, a date.
        [b';' | b',' | b'|', ..] => true,
        // `1st move`
        [b's', b't', b' ', ..] | [b'n' | b'r', b'd', b' ', ..] | [b't', b'h', b' ', ..] => true,
        [b':', a, b, ..] => a.is_ascii_digit() && b.is_ascii_digit(),
        [mark @ (b'.' | b'/' | b'-'), rest @ ..] => {
            let second = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
            (1..=2).contains(&second) && rest.get(second) == Some(mark)
        }
        _ => false,
    }
}

/// The lines of a text that begin outside comments in braces.
fn lines(text: &[u8]) -> impl Iterator<Item = Range<usize>> {
    let mut comment_end = 0;
    crate::interchange::files::lines(text).filter(move |line| {
        let is_outside = line.start >= comment_end;
        comment_end = last_comment_end(text, line.start.max(comment_end)..line.end).max(comment_end);
        is_outside
    })
}

// ---- Chats

/// A message: the bytes before its text, and who wrote it.
#[derive(Debug, PartialEq, Eq)]
struct Message<'t> {
    text: usize,
    name: &'t [u8],
    /// True if a time precedes the name.
    timed: bool,
}

/// Messages with moves that make a chat, without and with times.
const MESSAGES_MIN: [usize; 2] = [3, 2];

/// Players, and perhaps an arbiter.
const SPEAKERS_MAX: usize = 3;

/// Bytes of a name.
const NAME_BYTES_MAX: usize = 40;

/// The changes that leave the text of messages: `[09/11/2026, 19:04] Ann: e4`, `12.11.26, 20:15 - Jörg: 1... f5`,
/// `Ann: e4`.
pub(in crate::interchange) fn chats(text: &[u8]) -> Vec<Change> {
    let messages: Vec<(Range<usize>, Message<'_>)> =
        lines(text).filter_map(|line| message(&text[line.clone()]).map(|message| (line, message))).collect();
    let moves = |(line, message): &&(Range<usize>, Message<'_>)| {
        begins_with_ply(&text[line.start + message.text..line.end])
    };
    let timed = messages.iter().any(|(_, message)| message.timed);
    let with_moves: Vec<_> =
        messages.iter().filter(moves).filter(|(_, message)| message.timed == timed).collect();
    let mut names: Vec<&[u8]> = with_moves.iter().map(|(_, message)| message.name).collect();
    names.sort_unstable();
    names.dedup();
    if with_moves.len() < MESSAGES_MIN[usize::from(timed)] || names.len() > SPEAKERS_MAX {
        return Vec::new();
    }
    let mut changes = Vec::new();
    for found in messages.iter().filter(|found| moves(found) || found.1.timed) {
        let (line, message) = found;
        let text_at = line.start + message.text;
        changes.push(Change::skip(line.start, text_at));
        if moves(&found)
            && let Some(remark) = remark(text, text_at..line.end)
        {
            changes.push(Change::new(remark.start, remark.start, "{"));
            changes.push(Change::new(remark.end, remark.end, "}"));
        }
    }
    changes
}

/// What is said behind the moves of a message.
fn remark(text: &[u8], range: Range<usize>) -> Option<Range<usize>> {
    let found = tokens(&text[range.clone()]);
    let last = found
        .iter()
        .rposition(|(_, token)| matches!(token, Token::Ply | Token::Number(_) | Token::Result))?;
    let rest = crate::interchange::files::trimmed(text, range.start + found[last].0.end..range.end);
    let is_mark = |byte: &u8| matches!(byte, b'+' | b'#' | b'!' | b'?' | b'.');
    let said = !text[rest.clone()].iter().all(is_mark)
        && !text[rest.clone()].iter().any(|byte| matches!(byte, b'{' | b'}'));
    (said && !is_mate(&text[rest.clone()])).then_some(rest)
}

/// True for words that mark a ply, such as `mate`.
fn is_mate(text: &[u8]) -> bool {
    text.split(|byte| *byte == b' ').all(crate::record::number::is_remark)
}

/// The message of a line.
fn message(line: &[u8]) -> Option<Message<'_>> {
    let at = stamp(line);
    let timed = at > 0;
    let rest = &line[at..];
    let (name, len) = match rest {
        // As in IRC.
        [b'<', name @ ..] => {
            let end = name.iter().position(|byte| *byte == b'>')?;
            (&name[..end], end + 2)
        }
        _ => {
            let end = memchr::memchr(b':', &rest[..rest.len().min(NAME_BYTES_MAX)])?;
            (&rest[..end], end + 1)
        }
    };
    let is_name = !name.is_empty()
        && name.len() < NAME_BYTES_MAX
        && name.first().is_some_and(|byte| byte.is_ascii_alphabetic() || !byte.is_ascii())
        && !name.iter().any(|byte| matches!(byte, b'"' | b'(' | b')' | b'[' | b']' | b'{' | b'}' | b'/'));
    let blanks = rest[len..].iter().take_while(|byte| **byte == b' ').count();
    // `17:30`, a tag pair, an address: a blank follows the name of a speaker.
    (is_name && blanks > 0).then_some(Message { text: at + len + blanks, name, timed })
}

/// Bytes of the time before a message; 0 if there is none.
fn stamp(line: &[u8]) -> usize {
    // Marks of the direction of writing.
    let marks = line.chunks(3).take_while(|mark| *mark == "\u{200e}".as_bytes()).count() * 3;
    let rest = &line[marks..];
    let is_time = |text: &[u8]| {
        let has_time = text
            .windows(3)
            .any(|part| matches!(part, [a, b':', b] if a.is_ascii_digit() && b.is_ascii_digit()));
        has_time
            && text.first().is_some_and(u8::is_ascii_digit)
            && text.iter().all(|byte| byte.is_ascii_digit() || b" ,.:/-apmAPM\xe2\x80\xaf".contains(byte))
    };
    let near = &rest[..rest.len().min(NAME_BYTES_MAX)];
    let len = match rest {
        [b'[', ..] => {
            let Some(end) = memchr::memchr(b']', near) else { return 0 };
            if is_time(&rest[1..end]) { end + 1 } else { 0 }
        }
        _ => {
            // Up to the first letter of the name: a dash, or a blank, stands before it.
            let end = near
                .iter()
                .position(|byte| byte.is_ascii_alphabetic() && !b"apmAPM".contains(byte) || *byte == b'<');
            let dash = memchr::memmem::find(near, b" - ").map(|dash| (dash, dash + 3));
            let blank = || {
                end.and_then(|end| near[..end].iter().rposition(|byte| *byte == b' '))
                    .map(|blank| (blank, blank + 1))
            };
            match dash.or_else(blank) {
                Some((end, after)) if is_time(&near[..end]) => after,
                _ => 0,
            }
        }
    };
    if len == 0 {
        return 0;
    }
    marks + len + rest[len..].iter().take_while(|byte| **byte == b' ').count()
}

/// True if a text begins with a ply, perhaps after its number.
fn begins_with_ply(text: &[u8]) -> bool {
    let found = tokens(text);
    let mut kinds = found.iter().map(|(_, token)| *token);
    match kinds.next() {
        Some(Token::Ply) => true,
        Some(Token::Number(_)) => kinds.find(|token| *token != Token::Mark) == Some(Token::Ply),
        _ => false,
    }
}

// ---- Tables

/// A row: the number of its move, and the places of its cells.
#[derive(Debug)]
struct Row {
    line: Range<usize>,
    number: u32,
    cells: Vec<Range<usize>>,
}

/// Cells of a row at most: number, plies, and what is said about them.
const CELLS_MAX: usize = 8;

/// The changes that make moves of the rows of tables: `| 12 | Nf3 | Nc6 |`, `12;Nf3;Nc6`, `12,Nf3,Nc6`.
pub(in crate::interchange) fn tables(text: &[u8]) -> Vec<Change> {
    let mut found = Vec::new();
    let all: Vec<Range<usize>> = lines(text).collect();
    let mut at = 0;
    while at < all.len() {
        let Some((mark, run)) = [b'|', b';', b','].into_iter().find_map(|mark| {
            let run = rows(text, &all[at..], mark);
            (run.len() > 1).then_some((mark, run))
        }) else {
            at += 1;
            continue;
        };
        // What names the columns.
        let heads = all[..at].iter().rev().take_while(|line| {
            let line = text[(*line).clone()].trim_ascii();
            !line.is_empty()
                && line.contains(&mark)
                && !line.split(|byte| *byte == mark).any(|cell| has_form_of_ply(&decode(cell.trim_ascii())))
        });
        let heads: Vec<_> = heads.take(HEADS_MAX).collect();
        found.extend(heads.into_iter().rev().map(|line| Change::skip(line.start, line.end)));
        run.iter().for_each(|row| row.write(text, &mut found));
        at += run.len();
    }
    found
}

/// Lines above a table that may name its columns.
const HEADS_MAX: usize = 2;

/// The rows at the front of lines, numbered one after the other.
fn rows(text: &[u8], lines: &[Range<usize>], mark: u8) -> Vec<Row> {
    let mut found: Vec<Row> = Vec::new();
    for line in lines {
        match row(text, line.clone(), mark) {
            Some(row) if found.last().is_none_or(|last| last.number + 1 == row.number) => found.push(row),
            _ => break,
        }
    }
    found
}

fn row(text: &[u8], line: Range<usize>, mark: u8) -> Option<Row> {
    let mut cells: Vec<Range<usize>> = Vec::new();
    let mut start = line.start;
    for end in memchr::memchr_iter(mark, &text[line.clone()]).map(|at| line.start + at).chain([line.end]) {
        cells.push(crate::interchange::files::trimmed(text, start..end));
        start = end + 1;
    }
    // A row of Markdown begins and ends with a mark.
    if mark == b'|' && cells.first().is_some_and(Range::is_empty) {
        cells.remove(0);
        if cells.last().is_some_and(Range::is_empty) {
            cells.pop();
        }
    }
    let (number, plies) = cells.split_first().filter(|_| (2..=CELLS_MAX).contains(&cells.len()))?;
    let number = std::str::from_utf8(&text[number.clone()]).ok()?.trim_end_matches('.');
    let number: u32 = number.parse().ok().filter(|number| (1..1000).contains(number))?;
    let is_ply = |cell: &Range<usize>| {
        let cell = decode(&text[cell.clone()]);
        has_form_of_ply(cell.trim_end_matches(['!', '?', '+', '#']))
    };
    let black = plies.get(1).is_none_or(|cell| {
        cell.is_empty() || is_ply(cell) || crate::record::number::result(text, cell.start).is_some()
    });
    (is_ply(&plies[0]) && black).then_some(Row { line, number, cells })
}

impl Row {
    /// The changes that make moves of it.
    fn write(&self, text: &[u8], changes: &mut Vec<Change>) {
        let mut at = self.line.start;
        for (index, cell) in self.cells.iter().enumerate().filter(|(_, cell)| !cell.is_empty()) {
            let between = if index == 1 { format!("{}. ", self.number) } else { " ".to_owned() };
            // The number is written with its dot before White's ply.
            if index > 0 {
                changes.push(Change::new(at, cell.start, between));
                at = cell.end;
            }
        }
        let end = self.line.end
            - text[self.line.clone()].iter().rev().take_while(|byte| matches!(byte, b'\n' | b'\r')).count();
        changes.push(Change::new(at, end, ""));
    }
}

// ---- Lists

/// What stands before the moves of a line: a sign, or words with a number in them.
#[derive(Debug, PartialEq)]
struct Label {
    /// The sign of an item.
    sign: Range<usize>,
    /// Words before the number.
    before: Range<usize>,
    number: u32,
    /// What stands between the number and the moves.
    after: Range<usize>,
}

impl Label {
    /// True if it is the next of the same words.
    fn follows(&self, last: &Label, text: &[u8]) -> bool {
        let words = |label: &Label| fold(&decode(&text[label.before.clone()]));
        last.number + 1 == self.number && words(last) == words(self)
    }
}

/// The changes that leave the moves of items of a list, `* 12. Nf3 Nc6`, and of lines with a label, `Move 12: Nf3 Nc6`,
/// `12th move: Nf3 Nc6`; the frames of a text in Markdown are skipped.
pub(in crate::interchange) fn lists(text: &[u8]) -> Vec<Change> {
    let mut found = Vec::new();
    let mut run: Vec<Label> = Vec::new();
    for line in lines(text) {
        let bytes = text[line.clone()].trim_ascii();
        if bytes.starts_with(b"```") || bytes.starts_with(b"~~~") {
            found.push(Change::skip(line.start, line.end));
            continue;
        }
        match label(text, line.clone()) {
            Some(label) if run.last().is_none_or(|last| label.follows(last, text)) => run.push(label),
            label => {
                if !bytes.is_empty() || label.is_some() {
                    write_labels(text, std::mem::take(&mut run), &mut found);
                    run.extend(label);
                }
                // `**White:** Smith`
                let stars: Vec<usize> = memchr::memmem::find_iter(&text[line.clone()], b"**").collect();
                if bytes.starts_with(b"**") && stars.len().is_multiple_of(2) {
                    let places = stars.into_iter().map(|at| line.start + at);
                    found.extend(places.map(|at| Change::new(at, at + 2, "")));
                }
            }
        }
    }
    write_labels(text, run, &mut found);
    found.sort_by_key(|change| change.edit.span.start);
    found
}

fn write_labels(text: &[u8], run: Vec<Label>, changes: &mut Vec<Change>) {
    if run.len() < 2 {
        return;
    }
    for Label { sign, before, after, .. } in run {
        if !sign.is_empty() {
            changes.push(Change::new(sign.start, sign.end, ""));
        }
        if !before.is_empty() {
            changes.push(Change::skip(before.start, before.end));
        }
        // Dots show whose move it is.
        if !text[after.clone()].trim_ascii().iter().all(|byte| *byte == b'.') || after.is_empty() {
            changes.push(Change::new(after.start, after.end, ". "));
        }
    }
}

/// The label of a line with moves; `None` if it begins with neither a sign nor words.
fn label(text: &[u8], line: Range<usize>) -> Option<Label> {
    let line = crate::interchange::files::trimmed(text, line);
    let at_sign = ["* ", "- ", "+ ", "\u{2022} ", "\u{b7} ", "\u{2013} "]
        .into_iter()
        .find(|sign| text[line.clone()].starts_with(sign.as_bytes()));
    let start = line.start + at_sign.map_or(0, str::len);
    let start = start + blanks(&text[start..line.end]);
    let number_at = words_end(text, start..line.end)?;
    let words = text[start..number_at].trim_ascii();
    if has_form_of_ply(&decode(words)) || words.eq_ignore_ascii_case(b"pass") || is_game_word(&decode(words))
    {
        return None;
    }
    let digits = text[number_at..line.end].iter().take_while(|byte| byte.is_ascii_digit()).count();
    if !(1..4).contains(&digits) {
        return None;
    }
    let number = decode(&text[number_at..number_at + digits]).parse().ok()?;
    let digits_end = number_at + digits;
    let mut ordinal = ordinal(&text[digits_end..line.end]);
    let marks = |at: usize| {
        text[at..line.end]
            .iter()
            .take_while(|byte| matches!(byte, b':' | b'.' | b')' | b'-' | b' ' | b'\t'))
            .count()
    };
    let mut after = digits_end + ordinal;
    if ordinal > 0 && number_at == start {
        // `1st move: e4 e5`
        let words = after + blanks(&text[after..line.end]);
        let colon = words_end(text, words..line.end).filter(|end| *end > words);
        let colon = colon.or_else(|| word_before_colon(text, words..line.end));
        match colon {
            Some(end) => after = end,
            None => (ordinal, after) = (0, digits_end),
        }
    }
    let moves = after + marks(after);
    let labelled = number_at > start || ordinal > 0 || at_sign.is_some();
    let has_moves = tokens(&text[moves..line.end]).iter().any(|(_, token)| *token == Token::Ply);
    (labelled && moves > digits_end && has_moves).then_some(Label {
        sign: line.start..if number_at > start { line.start } else { start },
        before: if number_at > start { line.start..number_at } else { start..start },
        number,
        after: digits_end..moves,
    })
}

fn blanks(text: &[u8]) -> usize {
    text.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count()
}

/// Words before the number of a move.
const LABEL_WORDS_MAX: usize = 2;

/// Where one or two words at the start of a range end, with the blanks after them: at its start if it begins with none.
fn words_end(text: &[u8], range: Range<usize>) -> Option<usize> {
    let mut at = range.start;
    for _ in 0..LABEL_WORDS_MAX {
        let from = at;
        while at < range.end {
            let len = char_len(text, at);
            let is_letter = decode(&text[at..(at + len).min(range.end)]).chars().all(char::is_alphabetic);
            if !is_letter {
                break;
            }
            at += len;
        }
        if at == from {
            break;
        }
        let blanks = blanks(&text[at..range.end]);
        if blanks == 0 {
            // `Nf3` is no label.
            return None;
        }
        at += blanks;
    }
    Some(at)
}

/// The end of a word that a colon follows.
fn word_before_colon(text: &[u8], range: Range<usize>) -> Option<usize> {
    let colon = memchr::memchr(b':', &text[range.clone()])? + range.start;
    let is_word = decode(&text[range.start..colon]).chars().all(char::is_alphabetic);
    (colon > range.start && is_word).then_some(colon)
}

/// Bytes of the ending of an ordinal number: `1st`, `2nd`, `3rd`, `4th`, `1er`, `2e`, `1º`.
fn ordinal(text: &[u8]) -> usize {
    let endings = ["st ", "nd ", "rd ", "th ", "er ", "re ", "e ", "\u{ba} ", "\u{aa} ", ". "];
    endings
        .into_iter()
        .find(|ending| text.starts_with(ending.as_bytes()))
        .map_or(0, |ending| ending.len() - 1)
}

// ---- Words before moves

/// The changes that give moves a line of their own: `Board 3: 1. e4 c6 2. d4 d5`.
pub(in crate::interchange) fn after_words(text: &[u8]) -> Vec<Change> {
    lines(text).filter_map(|line| moves_after_words(text, line)).map(|at| Change::new(at, at, "\n")).collect()
}

/// Plies that make words and moves of a line of both.
const PLIES_MIN: usize = 3;

fn moves_after_words(text: &[u8], line: Range<usize>) -> Option<usize> {
    let bytes = &text[line.clone()];
    let words = bytes.trim_ascii_start();
    if !words.first().is_some_and(|first| first.is_ascii_alphabetic() || *first >= 0xc3) {
        return None;
    }
    let found = tokens(bytes);
    let first = found.iter().position(|(place, token)| {
        token.number(&bytes[place.clone()]) == Some(1)
            && place.start > 0
            && bytes[..place.start].trim_ascii_end().ends_with(b":")
    })?;
    let is_ply = |found: &&(Range<usize>, Token)| found.1 == Token::Ply;
    let said = found[..first].iter().any(|found| is_ply(&found));
    let moves = found[first..].iter().filter(is_ply).count() >= PLIES_MIN;
    (!said && moves).then(|| line.start + found[first].0.start)
}

#[cfg(test)]
mod tests {
    use crate::interchange::Wrapped;

    #[test]
    fn what_stands_in_a_comment_is_no_list() {
        let comment =
            "{we looked at\n* 1. d4 d5\n* 2. c4 e6\n**both** of them\n```\nAnn: e4\nBen: e5\nAnn: Nf3\n}";
        let mail = format!("Hi Ben,\n\n1. e4 e5\n{comment}\n2. Nf3 *\n");
        let wrapped = Wrapped::new(mail.as_bytes(), 0);
        assert!(String::from_utf8_lossy(wrapped.text()).contains(comment), "{wrapped:?}");
    }
}
