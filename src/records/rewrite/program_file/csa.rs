//! Files of the Computer Shogi Association, version 2.2.

use super::{File, Headers, Keys, as_written, one_line};
use ferz_core::notation::ShogiPiece;
use std::fmt::Write;

/// The code of a piece.
fn code(letter: u8, promoted: bool) -> &'static str {
    ShogiPiece::name(letter, promoted, |piece| &piece.csa).unwrap_or_default()
}

/// Tags and moments with lines of their own.
const KEYS: Keys = Keys {
    tags: &[
        ("White", "N+"),
        ("Black", "N-"),
        ("Event", "$EVENT:"),
        ("Site", "$SITE:"),
        ("Opening", "$OPENING:"),
    ],
    began: "$START_TIME:",
    ended: "$END_TIME:",
};

/// The whole file.
pub(super) fn written(file: &File<'_, '_>) -> String {
    let mut out = String::from("'CSA encoding=UTF-8\nV2.2\n");
    header(file, &mut out);
    start(file, &mut out);
    let line = file.record.main_line();
    comments(&file.before, &mut out);
    let mut gote_moves = file.start.gote_moves;
    for (entry, ply) in file.entries.iter().zip(line.plies()) {
        let sign = if gote_moves { '-' } else { '+' };
        let text = entry.text.trim_start_matches(['+', '-']);
        // Writing to a string cannot fail.
        let _ = writeln!(out, "{sign}{text}");
        match entry.spent {
            Some(spent) if spent % 1000 == 0 => {
                let _ = writeln!(out, "T{}", spent / 1000);
            }
            Some(spent) => {
                let _ = writeln!(out, "T{}\n'{}.{:03} seconds", spent / 1000, spent / 1000, spent % 1000);
            }
            None => {}
        }
        comments(&entry.said, &mut out);
        for variation in ply.variations() {
            comments(&[one_line(&as_written(file.record, &variation))], &mut out);
        }
        gote_moves = !gote_moves;
    }
    match &file.ended.word {
        Some(word) => {
            out.push_str(word);
            if let Some(spent) = file.ended.spent {
                let _ = write!(out, "\nT{spent}");
            }
        }
        None => {
            let _ = write!(out, "'{}", file.ended.result);
        }
    }
    out.push('\n');
    out
}

fn comments(said: &[String], out: &mut String) {
    said.iter().for_each(|line| {
        let _ = writeln!(out, "'{line}");
    });
}

/// Names, and what is known of the game.
fn header(file: &File<'_, '_>, out: &mut String) {
    let Headers { tags, moments, others } = Headers::of(file, &KEYS);
    for (key, value) in tags.iter().chain(&moments) {
        let _ = writeln!(out, "{key}{value}");
    }
    for (name, value) in others {
        let _ = writeln!(out, "'{name}: {value}");
    }
}

/// The start position, and who moves first.
fn start(file: &File<'_, '_>, out: &mut String) {
    let start = &file.start;
    if start.is_usual {
        out.push_str("PI\n");
    } else {
        for (number, rank) in start.ranks.iter().enumerate() {
            let _ = write!(out, "P{}", number + 1);
            for square in rank {
                match square {
                    Some((letter, promoted, gote)) => {
                        let sign = if *gote { '-' } else { '+' };
                        let _ = write!(out, "{sign}{}", code(*letter, *promoted));
                    }
                    None => out.push_str(" * "),
                }
            }
            out.push('\n');
        }
        for (hand, sign) in start.hands.iter().zip(['+', '-']).filter(|(hand, _)| !hand.is_empty()) {
            let _ = write!(out, "P{sign}");
            for (letter, count) in hand {
                (0..*count).for_each(|_| {
                    let _ = write!(out, "00{}", code(*letter, false));
                });
            }
            out.push('\n');
        }
    }
    out.push_str(if start.gote_moves { "-\n" } else { "+\n" });
}
