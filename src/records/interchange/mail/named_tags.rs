//! Lines that name tags as people write them: `White: Smith`, `Game 5: Smith - Jones`.

use crate::record::GameResult;
use crate::record::endings::{ending, is_game_word, tag_of};
use ferz_core::text::decode;
use std::ops::Range;

/// Bytes of a line that are searched for names of tags.
const KEYS_BYTES_MAX: usize = 400;

/// The tags of a line `White: Smith`, `White: Smith  Black: Jones`, with the places of their values.
pub(super) fn keys(line: &[u8]) -> Vec<(&'static str, Range<usize>)> {
    let mut found: Vec<(&'static str, Range<usize>)> = Vec::new();
    let mut start = 0;
    let line = &line[..line.len().min(KEYS_BYTES_MAX)];
    for colon in memchr::memchr_iter(b':', line) {
        // The last words before the colon name a tag; they begin the line, or end a value.
        let before = &line[start..colon];
        let name = before.iter().rposition(|byte| matches!(byte, b',' | b';' | b'\t')).map_or(0, |at| at + 1);
        let name = match (found.is_empty(), before[name..].windows(2).rposition(|pair| pair == b"  ")) {
            (false, Some(at)) => name + at + 2,
            _ => name,
        };
        let Some(tag) = tag_of(&decode(&before[name..])) else {
            if found.is_empty() {
                break;
            }
            continue;
        };
        if found.is_empty() && name > 0 {
            break;
        }
        if let Some((_, value)) = found.last_mut() {
            value.end = trimmed(line, value.start..start + name).end;
        }
        found.push((tag, trimmed(line, colon + 1..line.len())));
        start = colon + 1;
    }
    found.retain(|(_, value)| !value.is_empty());
    found
}

/// A range without white space, commas and semicolons around it.
fn trimmed(line: &[u8], range: Range<usize>) -> Range<usize> {
    let is_edge = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b',' | b';');
    let text = &line[range.clone()];
    let front = text.iter().take_while(|byte| is_edge(byte)).count();
    let back = text[front..].iter().rev().take_while(|byte| is_edge(byte)).count();
    range.start + front..range.end - back
}

/// The parts of a line `Game 5: Smith - Jones, B-class`: its tags and the places of their values.
pub(super) fn heading(line: &[u8]) -> Option<Vec<(&'static str, Range<usize>)>> {
    let whole = trimmed(line, 0..line.len());
    let text = &line[whole.clone()];
    let word = text.iter().position(|byte| !byte.is_ascii_alphabetic() && *byte < 0x80)?;
    if !is_game_word(&decode(&text[..word])) {
        return None;
    }
    let is_blank = |byte: &u8| matches!(byte, b' ' | b'#' | b'\t');
    let number = word + text[word..].iter().take_while(|byte| is_blank(byte)).count();
    let digits = text[number..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let after = number + digits;
    if digits == 0 || digits > 4 || number == word {
        return None;
    }
    let mut tags = vec![("Round", whole.start + number..whole.start + after)];
    let rest = &text[after..];
    let blanks = rest
        .iter()
        .take_while(|byte| matches!(byte, b':' | b'.' | b')' | b'-' | b',' | b' ' | b'\t'))
        .count();
    if blanks == rest.len() {
        return Some(tags);
    }
    let players = after + blanks..text.len();
    let dashes = [
        " - ",
        " \u{2013} ",
        " \u{2014} ",
        " vs. ",
        " vs ",
        " v. ",
        " gegen ",
        " contre ",
        " contra ",
        " tegen ",
    ];
    let (dash, at) = dashes.iter().find_map(|dash| {
        memchr::memmem::find(&text[players.clone()], dash.as_bytes()).map(|at| (dash, players.start + at))
    })?;
    let black = at + dash.len();
    // After a comma the event or the class follows.
    let end = memchr::memchr(b',', &text[black..]).map_or(text.len(), |comma| black + comma);
    for (tag, range) in [("White", players.start..at), ("Black", black..end), ("Event", end..text.len())] {
        let range = trimmed(line, whole.start + range.start..whole.start + range.end);
        if !range.is_empty() {
            tags.push((tag, range));
        }
    }
    Some(tags)
}

/// The value of a tag in the form of the standard, where it is certain: a date of numbers, a result.
pub(in crate::interchange) fn standard_value(tag: &str, value: &str) -> Option<String> {
    let found = match tag {
        "Result" => ending(value, &["", ""])
            .map(|ending| ending.result)
            .or_else(|| GameResult::parse(value))?
            .to_string(),
        "Date" => date(value)?,
        _ => return None,
    };
    (found != value).then_some(found)
}

/// `29.2.2024`, `2024-02-29`, `29/2/2024` where the day is no month.
fn date(value: &str) -> Option<String> {
    let parts: Vec<&str> = value.trim_end_matches('.').split(['.', '-', '/']).map(str::trim).collect();
    let [first, month, last] = parts[..] else { return None };
    let (year, month, day) = if first.len() == 4 { (first, month, last) } else { (last, month, first) };
    let number =
        |text: &str, most: u32| text.parse::<u32>().ok().filter(|number| (1..=most).contains(number));
    let (year, month, day) =
        (number(year, 2999).filter(|_| year.len() == 4)?, number(month, 12)?, number(day, 31)?);
    // Day and month may be either way round with slashes.
    let is_clear = !value.contains('/') || day > 12 || first.len() == 4;
    is_clear.then(|| format!("{year:04}.{month:02}.{day:02}"))
}
