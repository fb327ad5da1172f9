//! Values of native files: results in words, dates, and what stands between tags as a comment.

use crate::interchange::layers::Change;
use crate::interchange::mail::named_tags::standard_value;
use std::ops::Range;

/// The form of a date in the standard: `2013-08-10`, `2013.8.10`, `2013年8月10日`, `2013년 8월 10일`.
pub(super) fn date(value: &str) -> String {
    let value = value.trim();
    let parts: Vec<&str> =
        value.split(['年', '月', '日', '년', '월', '일', '-', '.', '/']).map(str::trim).collect();
    let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    let plain = parts.join("-");
    standard_value("Date", &plain)
        .or_else(|| standard_value("Date", value))
        .unwrap_or_else(|| value.to_owned())
}

/// The result that a Chinese text states of Red: `红胜`, `黑方勝`, `先和`.
pub(super) fn chinese_result(text: &str) -> Option<&'static str> {
    let short: String = text
        .chars()
        .filter(|char| !matches!(char, '方' | '棋' | '局' | ' ' | '。' | '.' | '先') && !char.is_whitespace())
        .map(|char| match char {
            '紅' => '红',
            '勝' | '赢' | '贏' => '胜',
            '負' | '输' | '輸' => '负',
            char => char,
        })
        .collect();
    match short.as_str() {
        "红胜" | "黑负" => Some("1-0"),
        "黑胜" | "红负" => Some("0-1"),
        "和" | "红和" | "平" => Some("1/2-1/2"),
        // `先胜`: the player who moves first, Red.
        "胜" if text.contains('先') => Some("1-0"),
        "负" if text.contains('先') => Some("0-1"),
        "" | "?" | "未知" | "不详" | "不詳" | "*" => Some("*"),
        "1-0" => Some("1-0"),
        "0-1" => Some("0-1"),
        "1/2-1/2" | "0.5-0.5" => Some("1/2-1/2"),
        _ => None,
    }
}

/// Text that is safe inside a comment in braces; each byte keeps its place.
pub(super) fn for_comment(text: &str) -> String {
    text.replace('{', "(").replace('}', ")")
}

/// Text with a backslash before what the value of a tag must not have.
pub(super) fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}

/// The changes that write a line as a tag pair of the standard: `front` before the place of its value, which reads
/// `given` there and `standard` in the record.
pub(super) fn tag_changes(
    text: &[u8],
    line: Range<usize>,
    front: String,
    (place, given): (Range<usize>, &str),
    standard: &str,
) -> Vec<Change> {
    let mut changes = vec![Change::new(line.start, place.start, front)];
    if standard == given {
        changes.extend(escapes(text, place.clone()));
    } else {
        changes.push(Change::new(place.start, place.end, escaped(standard)));
    }
    changes.push(Change::new(place.end, line.end, "\"]"));
    changes
}

/// Changes that put a backslash before what the value of a tag must not have.
fn escapes(text: &[u8], range: Range<usize>) -> impl Iterator<Item = Change> {
    range.filter(|at| matches!(text[*at], b'"' | b'\\')).map(|at| Change::new(at, at, "\\"))
}

/// Changes that make a line of its own of a range, inside a comment in braces.
pub(super) fn into_comment(text: &[u8], range: Range<usize>) -> Vec<Change> {
    let before = text[..range.start].iter().rev().find(|byte| !matches!(byte, b' ' | b'\t'));
    let after = text[range.end..].iter().find(|byte| !matches!(byte, b' ' | b'\t' | b'\r'));
    let front = if matches!(before, None | Some(b'\n')) { "{" } else { "\n{" };
    let back = if matches!(after, None | Some(b'\n')) { "}" } else { "}\n" };
    let mut changes = vec![Change::new(range.start, range.start, front)];
    changes.extend(range.clone().filter_map(|at| match text[at] {
        b'{' => Some(Change::new(at, at + 1, "(")),
        b'}' => Some(Change::new(at, at + 1, ")")),
        _ => None,
    }));
    changes.push(Change::new(range.end, range.end, back));
    changes
}

/// Appends a rank of a FEN: the number of vacant squares, and each piece as `write` has it.
pub(super) fn fen_rank<T>(rank: &[Option<T>], fen: &mut String, write: impl Fn(&T, &mut String)) {
    let mut vacant = 0;
    let close = |vacant: &mut u32, fen: &mut String| {
        if *vacant > 0 {
            fen.push_str(&std::mem::take(vacant).to_string());
        }
    };
    for square in rank {
        match square {
            None => vacant += 1,
            Some(piece) => {
                close(&mut vacant, fen);
                write(piece, fen);
            }
        }
    }
    close(&mut vacant, fen);
}
