//! Positions with moves, as programs are given them: `position startpos moves 7g7f` in the Universal Shogi Interface,
//! the Universal Chinese Chess Interface and UCI; `position sfen … moves …` and `position fen … moves …`. Each such
//! line is a record.

use crate::interchange::formats::Format;
use crate::interchange::layers::Change;

/// The row of what programs send to engines.
pub(in crate::interchange) const FORMAT: Format = Format { games, ..Format::BARE };

/// The changes that make a record of each line with a position.
pub(super) fn games(text: &[u8]) -> Vec<Change> {
    let mut found = Vec::new();
    let mut start = 0;
    for end in memchr::memchr_iter(b'\n', text).chain([text.len()]) {
        let line = &text[start..end];
        let bare = line.trim_ascii_start();
        if [&b"position "[..], b"startpos moves "].iter().any(|head| bare.starts_with(head))
            && let Some(position) = Position::read(line)
        {
            found.push(Change::new(start, start + position.moves, position.tags));
            let last = start + line.trim_ascii_end().len();
            found.push(Change::new(start + position.moves_end, last, position.result));
        }
        start = end + 1;
    }
    found
}

/// A line with a position.
struct Position {
    tags: String,
    /// Where its moves begin and end in the line.
    moves: usize,
    moves_end: usize,
    result: &'static str,
}

impl Position {
    /// `None` for a line of another kind.
    fn read(line: &[u8]) -> Option<Position> {
        let text = std::str::from_utf8(line).ok()?;
        let (head, moves) = match text.split_once(" moves ") {
            Some((head, moves)) => (head, moves.trim_start()),
            None => (text, ""),
        };
        let start = text.len() - moves.len();
        let (plies, resigns) = match moves.trim_ascii_end().strip_suffix("resign") {
            Some(before) if before.ends_with(' ') => (before.trim_ascii_end(), true),
            _ => (moves.trim_ascii_end(), false),
        };
        let mut words = head.split_whitespace().skip_while(|word| *word == "position");
        let kind = words.next()?;
        let fields: Vec<&str> = words.collect();
        let tokens: Vec<&str> = plies.split_whitespace().collect();
        let (game, fen) = match (kind, &fields[..]) {
            ("startpos", []) if !tokens.is_empty() => (game_of(&tokens)?, None),
            ("sfen", [board, turn @ ("b" | "w"), hand, number @ ..]) if number.len() < 2 => {
                let number = number.first().unwrap_or(&"1");
                (
                    are_all(&tokens, is_usi).then_some("shogi")?,
                    Some(format!("{board} {turn} {hand} {number}")),
                )
            }
            ("fen", [board, ..]) => {
                let game = match board.split('/').count() {
                    10 if are_all(&tokens, is_ucci) => "xiangqi",
                    8 if are_all(&tokens, is_uci) => "chess",
                    _ => return None,
                };
                (game, Some(fields.join(" ")))
            }
            _ => return None,
        };
        if fen.as_ref().is_some_and(|fen| fen.contains(['"', '\\'])) {
            return None;
        }
        // In shogi `b` moves first, in chess and Xiangqi `w` does.
        let second = if game == "shogi" { "w" } else { "b" };
        let turn = usize::from(fields.get(1) == Some(&second));
        let result = match resigns {
            false => " *",
            true if (tokens.len() + turn).is_multiple_of(2) => " 0-1",
            true => " 1-0",
        };
        let mut tags = String::from("\n");
        // A record without the tag may show that it is of another game, as Chess960.
        if game != "chess" {
            tags.push_str(&format!("[Variant \"{game}\"]\n"));
        }
        if let Some(fen) = fen {
            tags.push_str(&format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n"));
        }
        tags.push('\n');
        Some(Position { tags, moves: start, moves_end: start + plies.len(), result })
    }
}

fn are_all(tokens: &[&str], is_ply: fn(&str) -> bool) -> bool {
    tokens.iter().copied().all(is_ply)
}

/// The game of moves from its array. Most moves of Xiangqi could be of chess; those on its first and last rank and on
/// its last file cannot, nor can a first move that no pawn or knight of chess makes.
fn game_of(tokens: &[&str]) -> Option<&'static str> {
    let first = tokens.first()?;
    match () {
        () if are_all(tokens, is_usi) => Some("shogi"),
        () if are_all(tokens, is_uci) && begins_chess(first) => Some("chess"),
        () if are_all(tokens, is_ucci) => Some("xiangqi"),
        () => None,
    }
}

/// True for the twenty first moves of chess.
fn begins_chess(ply: &str) -> bool {
    match *ply.as_bytes() {
        [file, b'2', to, b'3' | b'4'] => file == to,
        _ => matches!(ply, "b1a3" | "b1c3" | "g1f3" | "g1h3"),
    }
}

/// True for a ply of the Universal Shogi Interface: `7g7f`, `8h2b+`, `P*5e`.
fn is_usi(word: &str) -> bool {
    let square = |file: u8, rank: u8| matches!(file, b'1'..=b'9') && matches!(rank, b'a'..=b'i');
    match *word.as_bytes() {
        [b'A'..=b'Z', b'*', file, rank] => square(file, rank),
        [file, rank, to_file, to_rank] | [file, rank, to_file, to_rank, b'+'] => {
            square(file, rank) && square(to_file, to_rank)
        }
        _ => false,
    }
}

/// True for a ply of UCI: `e2e4`, `e7e8q`.
fn is_uci(word: &str) -> bool {
    let square = |file: u8, rank: u8| matches!(file, b'a'..=b'h') && matches!(rank, b'1'..=b'8');
    match *word.as_bytes() {
        [file, rank, to_file, to_rank] | [file, rank, to_file, to_rank, b'q' | b'r' | b'b' | b'n'] => {
            square(file, rank) && square(to_file, to_rank)
        }
        _ => false,
    }
}

/// True for a ply of the Universal Chinese Chess Interface: `h2e2`, `b0c2`.
fn is_ucci(word: &str) -> bool {
    let square = |file: u8, rank: u8| matches!(file, b'a'..=b'i') && rank.is_ascii_digit();
    match *word.as_bytes() {
        [file, rank, to_file, to_rank] => square(file, rank) && square(to_file, to_rank),
        _ => false,
    }
}
