//! Files of the Computer Shogi Association, version 2.2.

use super::{Entry, File, as_written, moment, one_line, other_tags};
use std::fmt::Write;

/// Letters of pieces here, and the codes of CSA, unpromoted and promoted.
const CODES: [(char, [&str; 2]); 8] = [
    ('K', ["OU", "OU"]),
    ('R', ["HI", "RY"]),
    ('B', ["KA", "UM"]),
    ('G', ["KI", "KI"]),
    ('S', ["GI", "NG"]),
    ('N', ["KE", "NK"]),
    ('L', ["KY", "NY"]),
    ('P', ["FU", "TO"]),
];

fn code(letter: char, promoted: bool) -> &'static str {
    CODES.iter().find(|(known, _)| *known == letter).map_or("OU", |(_, codes)| codes[usize::from(promoted)])
}

/// Tags with lines of their own.
const TAGS: [(&str, &str); 5] =
    [("White", "N+"), ("Black", "N-"), ("Event", "$EVENT:"), ("Site", "$SITE:"), ("Opening", "$OPENING:")];

/// The whole file.
pub(super) fn written(file: &File<'_, '_>) -> String {
    let mut out = String::from("'CSA encoding=UTF-8\nV2.2\n");
    header(file, &mut out);
    start(file, &mut out);
    let line = file.record.main_line();
    let (before, entries) = Entry::of(file.record, &line);
    comments(&before, &mut out);
    let mut gote_moves = file.start.gote_moves;
    for (entry, ply) in entries.iter().zip(line.plies()) {
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
    match file.ended.words {
        Some(words) => out.push_str(words.csa),
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
    let record = file.record;
    let mut known: Vec<&str> = TAGS.map(|(name, _)| name).into();
    for (name, key) in TAGS {
        let value = record.tag(name).map(|value| one_line(&value));
        if let Some(value) = value.filter(|value| !value.is_empty() && value != "?") {
            let _ = writeln!(out, "{key}{value}");
        }
    }
    for (key, date, times) in
        [("$START_TIME:", "Date", ["StartTime", "Time"]), ("$END_TIME:", "EndDate", ["EndTime", "EndTime"])]
    {
        if let Some(moment) = moment(record, date, &times) {
            let _ = writeln!(out, "{key}{moment}");
            known.extend([date, times[0], times[1]]);
        }
    }
    for (name, value) in other_tags(record, &known) {
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
