//! Positions with moves, as programs are given them in the Universal Shogi Interface: `position startpos moves 7g7f`,
//! `position sfen … moves …`. Each such line is a record of shogi.

use super::Change;

/// What a line of another kind begins a record of shogi with.
const GAME: &str = "[Variant \"shogi\"]\n";

/// The changes that make a record of each line with a position of the Universal Shogi Interface.
pub(super) fn positions(text: &[u8]) -> Vec<Change> {
    let mut found = Vec::new();
    let mut start = 0;
    for end in memchr::memchr_iter(b'\n', text).chain([text.len()]) {
        let line = &text[start..end];
        if line.trim_ascii_start().starts_with(b"position ")
            && let Some((tags, moves)) = position(line)
        {
            found.push(Change::new(start, start + moves, tags));
            let last = start + line.trim_ascii_end().len();
            found.push(Change::new(last, last, " *"));
        }
        start = end + 1;
    }
    found
}

/// The tags for a line, and where its moves begin; `None` if it is not of shogi: UCI has such lines too.
fn position(line: &[u8]) -> Option<(String, usize)> {
    let text = std::str::from_utf8(line).ok()?;
    let (head, moves) = match text.split_once(" moves ") {
        Some((head, moves)) => (head, moves.trim_start()),
        None => (text, ""),
    };
    let mut words = head.split_whitespace().skip(1);
    let start = words.next()?;
    let fields: Vec<&str> = words.collect();
    let are_plies = moves.split_whitespace().all(is_ply);
    let tags = match (start, &fields[..]) {
        ("startpos", []) if are_plies && !moves.is_empty() => format!("\n{GAME}\n"),
        ("sfen", [board, "b" | "w", hand, number @ ..]) if are_plies && number.len() < 2 => {
            let plain = !fields.iter().any(|field| field.contains(['"', '\\']));
            let number = number.first().unwrap_or(&"1");
            let fen = format!("{board} {} {hand} {number}", fields[1]);
            plain.then(|| format!("\n{GAME}[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n"))?
        }
        _ => return None,
    };
    Some((tags, text.len() - moves.len()))
}

/// True for a ply of the Universal Shogi Interface: `7g7f`, `8h2b+`, `P*5e`.
fn is_ply(word: &str) -> bool {
    let square = |file: u8, rank: u8| matches!(file, b'1'..=b'9') && matches!(rank, b'a'..=b'i');
    match *word.as_bytes() {
        [b'A'..=b'Z', b'*', file, rank] => square(file, rank),
        [file, rank, to_file, to_rank] | [file, rank, to_file, to_rank, b'+'] => {
            square(file, rank) && square(to_file, to_rank)
        }
        _ => false,
    }
}
