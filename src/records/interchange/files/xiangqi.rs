//! Xiangqi as Chinese programs write it: PGN with the tags `Game` and `Red`, and plain text under headings such as
//! `红方: …`, in both scripts.

use super::value::{chinese_result, date, into_comment, tag_changes};
use super::{lines, trimmed};
use crate::interchange::char_at;
use crate::interchange::formats::Format;
use crate::interchange::layers::Change;
use crate::interchange::mail::lines::last_comment_end;
use ferz_core::text::decode;
use std::ops::Range;

/// What a game in PGN begins with.
const GAME: &[u8] = b"[Game \"Chinese Chess\"]";

const VARIANT: &str = "[Variant \"xiangqi\"]\n";

/// Names of tags that begin with Red's name where the standard has White's.
const REDS: [&str; 6] = ["Red", "RedTeam", "RedElo", "RedTitle", "RedType", "RedNA"];

/// Words before a colon, and the tags that they name.
const HEADINGS: [(&str, &str); 41] = [
    ("标题", "Event"),
    ("標題", "Event"),
    ("棋谱标题", "Event"),
    ("棋譜標題", "Event"),
    ("赛事", "Event"),
    ("賽事", "Event"),
    ("赛事名称", "Event"),
    ("比赛名称", "Event"),
    ("比賽名稱", "Event"),
    ("比赛", "Event"),
    ("轮次", "Round"),
    ("輪次", "Round"),
    ("日期", "Date"),
    ("比赛日期", "Date"),
    ("比賽日期", "Date"),
    ("比赛时间", "Date"),
    ("地点", "Site"),
    ("地點", "Site"),
    ("比赛地点", "Site"),
    ("比賽地點", "Site"),
    ("红方", "White"),
    ("紅方", "White"),
    ("红方姓名", "White"),
    ("紅方姓名", "White"),
    ("红方棋手", "White"),
    ("黑方", "Black"),
    ("黑方姓名", "Black"),
    ("黑方棋手", "Black"),
    ("红方团体", "WhiteTeam"),
    ("黑方团体", "BlackTeam"),
    ("结果", "Result"),
    ("結果", "Result"),
    ("比赛结果", "Result"),
    ("比賽結果", "Result"),
    ("胜负", "Result"),
    ("勝負", "Result"),
    ("开局", "Opening"),
    ("開局", "Opening"),
    ("评注", "Annotator"),
    ("FEN", "FEN"),
    ("局面", "FEN"),
];

/// The row of Xiangqi with tags of its own, and under headings in Chinese.
pub(in crate::interchange) const FORMAT: Format =
    Format { brackets: b"GR", is_foreign: is_tag, games: changes, ..Format::BARE };

/// True for a tag pair by which a record shows that its game is Xiangqi.
fn is_tag(line: &[u8]) -> bool {
    line.starts_with(GAME) || line.starts_with(b"[Red \"") || line.starts_with(b"[RedTeam \"")
}

/// The changes that name the game and the players of Xiangqi.
fn changes(text: &[u8]) -> Vec<Change> {
    let mut changes = Vec::new();
    let mut block: Vec<Range<usize>> = Vec::new();
    let (mut comment_end, mut in_game) = (0, false);
    for line in lines(text) {
        if line.start < comment_end {
            if line.end > comment_end {
                comment_end = last_comment_end(text, comment_end + 1..line.end).max(comment_end);
            }
            continue;
        }
        let bytes = text[line.clone()].trim_ascii();
        if bytes.starts_with(b"[") || heading(&text[line.clone()]).is_some() {
            block.push(line);
            continue;
        }
        if bytes.is_empty() {
            continue;
        }
        if !block.is_empty() {
            let found = block_changes(text, &block);
            in_game = !found.is_empty();
            changes.extend(found);
            block.clear();
        }
        comment_end = last_comment_end(text, line.clone()).max(comment_end);
        // A line between the records of a file.
        if in_game && bytes.len() > 2 && bytes.iter().all(|byte| *byte == b'=') {
            changes.push(Change::new(line.start, line.start + text[line].trim_ascii_end().len(), ""));
        }
    }
    changes.extend(block_changes(text, &block));
    changes
}

/// The changes in the tags and headings of a record, if they show that its game is Xiangqi.
fn block_changes(text: &[u8], block: &[Range<usize>]) -> Vec<Change> {
    let names = |line: &Range<usize>| heading(&text[line.clone()]).map(|(tag, _)| tag);
    let names_red = block.iter().any(|line| names(line) == Some(Some("White")));
    let is_tagged = block.iter().any(|line| is_tag(text[line.clone()].trim_ascii()));
    if !is_tagged && !names_red {
        return Vec::new();
    }
    let has_variant = block.iter().any(|line| text[line.clone()].trim_ascii().starts_with(b"[Variant \""));
    let mut changes = Vec::new();
    for line in block {
        let range = trimmed(text, line.clone());
        if !has_variant && changes.is_empty() {
            changes.push(Change::new(range.start, range.start, VARIANT));
        }
        match heading(&text[line.clone()]) {
            Some((tag, value)) => {
                let value = line.start + value.start..line.start + value.end;
                changes.extend(heading_changes(text, range, tag, value));
            }
            None => {
                let name = text[range.clone()].strip_prefix(b"[").unwrap_or_default();
                let name = &name[..name.iter().take_while(|byte| byte.is_ascii_alphanumeric()).count()];
                if REDS.iter().any(|red| red.as_bytes() == name) {
                    changes.push(Change::new(range.start + 1, range.start + 4, "White"));
                }
            }
        }
    }
    changes
}

/// The changes that make a tag pair of a heading, or a comment of one that names no tag.
fn heading_changes(
    text: &[u8],
    range: Range<usize>,
    tag: Option<&'static str>,
    value: Range<usize>,
) -> Vec<Change> {
    let given = decode(&text[value.clone()]).into_owned();
    let written = match tag {
        Some("Result") => chinese_result(&given).map(str::to_owned),
        Some("Date") => Some(date(&given)),
        Some(_) => Some(given.clone()),
        None => None,
    };
    let (Some(tag), Some(written)) = (tag, written) else { return into_comment(text, range) };
    let front = if tag == "FEN" { "[SetUp \"1\"]\n" } else { "" };
    tag_changes(text, range, format!("{front}[{tag} \""), (value, &given), &written)
}

/// Bytes of a line in which a heading and its colon are looked for.
const HEADING_BYTES_MAX: usize = 60;

/// A line `红方: …`: its tag, if it is known, and the place of its value. Other words in Chinese before a colon are
/// headings without a tag.
fn heading(line: &[u8]) -> Option<(Option<&'static str>, Range<usize>)> {
    let start = line.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    if !matches!(line.get(start)?, b'F' | 0xe3..=0xe9) {
        return None;
    }
    let mut at = start;
    let len = loop {
        let (char, len) = char_at(line, at).filter(|_| at - start < HEADING_BYTES_MAX)?;
        match char {
            ':' | '：' => break len,
            '\n' | '{' | '[' | '"' => return None,
            _ => at += len,
        }
    };
    let name: String = decode(&line[start..at]).chars().filter(|char| !char.is_whitespace()).collect();
    let is_chinese = name.chars().all(|char| ('\u{4e00}'..='\u{9fff}').contains(&char));
    let tag = HEADINGS.iter().find(|(word, _)| *word == name).map(|(_, tag)| *tag);
    (tag.is_some() || is_chinese).then(|| (tag, trimmed(line, at + len..line.len())))
}
