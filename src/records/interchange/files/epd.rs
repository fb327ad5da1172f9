//! Lists of positions: a FEN, or an EPD with its operations, on each line. Each is a record without plies.

use super::value::escaped;
use crate::interchange::formats::Format;
use crate::interchange::layers::Change;
use std::fmt::Write;

/// Fields of an EPD before its operations: board, turn, castling, en passant.
const FIELDS: usize = 4;

/// Ranks of the smallest board.
const RANKS_MIN: usize = 4;

/// The row of lists of positions.
pub(in crate::interchange) const FORMAT: Format = Format { begins, starts, games, ..Format::BARE };

/// True if a text is a list of positions, by its first line other than a remark.
fn begins(text: &[u8]) -> bool {
    let first = super::lines(text).map(|line| text[line].trim_ascii()).find(|line| !is_remark(line));
    first.is_some_and(|line| Position::read(line).is_some())
}

/// Where the positions of a list begin, in order.
fn starts(text: &[u8]) -> Vec<usize> {
    if !begins(text) {
        return Vec::new();
    }
    let is_position =
        |line: &std::ops::Range<usize>| Position::read(text[line.clone()].trim_ascii()).is_some();
    super::lines(text).filter(is_position).map(|line| line.start).collect()
}

/// The changes that make a record of each line of a list. What is neither a position nor a remark stays, and is read as
/// in any other text.
fn games(text: &[u8]) -> Vec<Change> {
    let mut found = Vec::new();
    if !begins(text) {
        return found;
    }
    for line in super::lines(text) {
        let line = super::trimmed(text, line);
        let Some(position) = Position::read(&text[line.clone()]) else {
            // The sign that PGN has for remarks.
            if text[line.clone()].starts_with(b"#") {
                found.push(Change::new(line.start, line.start + 1, "%"));
            }
            continue;
        };
        let (head, tail) = position.around();
        found.push(Change::new(line.start, line.start, head));
        found.push(Change::new(line.start + position.fen, line.end, tail));
    }
    found
}

/// An empty line, or words for people.
fn is_remark(line: &[u8]) -> bool {
    line.is_empty() || matches!(line.first(), Some(b'#' | b';' | b'%'))
}

/// A position of a list.
struct Position<'t> {
    /// Length of its FEN in the line.
    fen: usize,
    /// Counters that its FEN lacks.
    counters: String,
    /// The operations, as they are written.
    operations: &'t str,
}

impl<'t> Position<'t> {
    /// `None` for a line of another kind.
    fn read(line: &'t [u8]) -> Option<Position<'t>> {
        let text = std::str::from_utf8(line).ok()?;
        let mut fields: Vec<(usize, &str)> = Vec::new();
        let mut at = 0;
        for field in text.split(' ') {
            if !field.is_empty() {
                fields.push((at, field));
            }
            at += field.len() + 1;
        }
        let [(_, board), (_, turn), (_, castling), (_, passed), rest @ ..] = &fields[..] else { return None };
        let is_right = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
        let is_position = is_board(board)
            && matches!(*turn, "w" | "b")
            && castling.bytes().all(is_right)
            && passed.bytes().all(is_right)
            && passed.len() <= 8;
        if !is_position {
            return None;
        }
        // Counters, and what games of their own add to a FEN.
        let belongs = |field: &str| {
            field.starts_with(['~', '+']) || field.bytes().all(|byte| byte.is_ascii_digit() || byte == b'+')
        };
        let more = rest.iter().take_while(|(_, field)| belongs(field)).count();
        let (last, field) = fields[FIELDS - 1 + more];
        let fen = last + field.len();
        let operations = text[fen..].trim();
        let value = |code: &str, usual: &str| {
            let found =
                operation(operations, code).filter(|value| value.bytes().all(|byte| byte.is_ascii_digit()));
            found.unwrap_or(usual).to_owned()
        };
        let counters = match more {
            0 if !castling.bytes().any(|byte| byte.is_ascii_digit())
                && !passed.bytes().all(|byte| byte.is_ascii_digit()) =>
            {
                format!(" {} {}", value("hmvc", "0"), value("fmvn", "1"))
            }
            _ => String::new(),
        };
        (!text[..fen].contains(['"', '\\'])).then_some(Position { fen, counters, operations })
    }

    /// What is written before and after the FEN, to make a record.
    fn around(&self) -> (String, String) {
        let mut head = String::from("\n");
        if let Some(id) = operation(self.operations, "id") {
            let _ = writeln!(head, "[Event \"{}\"]", escaped(id.trim_matches('"')));
        }
        head.push_str("[SetUp \"1\"]\n[FEN \"");
        let mut tail = format!("{}\"]\n\n", self.counters);
        let only_id = self.operations.split(';').all(|part| {
            let part = part.trim();
            part.is_empty() || part.starts_with("id ")
        });
        if !only_id {
            // A comment in braces cannot hold a brace.
            let _ = match self.operations.contains('}') {
                true => writeln!(tail, "; {}", self.operations),
                false => write!(tail, "{{{}}} ", self.operations),
            };
        }
        tail.push_str("*\n");
        (head, tail)
    }
}

/// The operand of an operation, such as `id "WAC.1"`.
fn operation<'t>(operations: &'t str, code: &str) -> Option<&'t str> {
    let parts = operations.split(';').map(str::trim);
    parts.filter_map(|part| part.strip_prefix(code)?.strip_prefix(' ')).map(str::trim).next()
}

/// True for the first field of a FEN: ranks with slashes between them, of letters, digits and signs.
fn is_board(field: &str) -> bool {
    let ranks = field.split('/').count();
    let sign = |byte: u8| byte.is_ascii_alphanumeric() || b"/*+~'[]-".contains(&byte);
    ranks >= RANKS_MIN
        && field.bytes().all(sign)
        && field.bytes().any(|byte| byte.is_ascii_alphabetic())
        && field.bytes().any(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use crate::interchange::Wrapped;
    use crate::record::Record;

    fn tags(record: &Record<'_>) -> Vec<String> {
        ["Event", "FEN"].iter().map(|name| record.tag(name).unwrap_or_default().into_owned()).collect()
    }

    #[test]
    fn each_line_is_a_record() {
        let text = "# two problems\n\nr1bq1rk1/pp3ppp/3n4/2p1N3/2B5/7P/PPP2PP1/R1BQ1RK1 w - - bm Bd5; id \"WAC.5\";\n\
            8/8/8/8/8/4k3/4p3/4K3 w - - 0 80\n4k3/8/8/8/8/8/4P3/4K3 w - - hmvc 3; fmvn 40;\n";
        let wrapped = Wrapped::new(text.as_bytes(), 0);
        let records: Vec<Record<'_>> = wrapped.records(0).collect();
        let found: Vec<Vec<String>> = records.iter().map(tags).collect();
        assert_eq!(
            found,
            [
                ["WAC.5", "r1bq1rk1/pp3ppp/3n4/2p1N3/2B5/7P/PPP2PP1/R1BQ1RK1 w - - 0 1"],
                ["", "8/8/8/8/8/4k3/4p3/4K3 w - - 0 80"],
                ["", "4k3/8/8/8/8/8/4P3/4K3 w - - 3 40"]
            ]
        );
        let comment = records[0].items.iter().map(|item| records[0].text(*item)).collect::<Vec<_>>();
        assert_eq!(comment, [" two problems", "bm Bd5; id \"WAC.5\";", "*"]);
    }

    #[test]
    fn what_is_no_list_is_read_as_before() {
        for text in [
            "1. e4 e5 *",
            "[FEN \"8/8/8/8/8/4k3/4p3/4K3 w - - 0 80\"]\n\n*",
            "{a}\n8/8/8/8/8/4k3/4p3/4K3 w - - 0 80\n",
            "The position was 8/8/8/8/8/4k3/4p3/4K3 w - - 0 80",
            "1/2-1/2 w b c",
        ] {
            assert!(super::starts(text.as_bytes()).is_empty(), "{text}");
        }
    }
}
