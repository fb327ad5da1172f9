//! Files in KIF, of Kifu for Windows and the programs that follow it.

use super::{Entry, File, FileForm, Headers, Keys, Man, SIDE, Start};
use crate::interchange::kif_end;
use crate::record::{GameResult, Line};
use ferz_core::notation::ShogiPiece;
use std::fmt::Write;

/// Numbers from 0 to 9.
const DIGITS: [char; 10] = ['〇', '一', '二', '三', '四', '五', '六', '七', '八', '九'];

/// Tags and moments with headers of their own.
const KEYS: Keys = Keys {
    tags: &[
        ("Event", "棋戦"),
        ("Site", "場所"),
        ("Opening", "戦型"),
        ("TimeControl", "持ち時間"),
        ("White", "先手"),
        ("Black", "後手"),
    ],
    began: "開始日時",
    ended: "終了日時",
};

/// The whole file.
pub(super) fn written(file: &File<'_, '_>) -> String {
    let mut out = String::from("#KIF version=2.0 encoding=UTF-8\n");
    header(file, &mut out);
    out.push_str("手数----指手---------消費時間--\n");
    comments(&file.before, &mut out);
    let sums = write_plies(&file.entries, 1, file.start.gote_moves, true, &mut out);
    // Writing to a string cannot fail.
    let plies = file.ended.plies;
    let sente_moves = file.start.gote_moves == (plies % 2 == 1);
    let end = file.ended.word.as_deref().map(|word| kif_end(word, sente_moves));
    if let Some(end) = end {
        let _ = write!(out, "{:>4} {end}", plies + 1);
        if let Some(spent) = file.ended.spent {
            let mover = usize::from(!sente_moves);
            write_times(1000 * spent, sums[mover].saturating_add(1000 * spent), &mut out);
        }
        out.push('\n');
    }
    let outcome = match file.ended.result {
        GameResult::WhiteWins => "先手の勝ち",
        GameResult::BlackWins => "後手の勝ち",
        _ => end.unwrap_or("中断"),
    };
    let _ = writeln!(out, "まで{plies}手で{outcome}");
    variations(file, &file.record.main_line(), 1, &mut out);
    out
}

/// The variations of a line, the last ply's first, so that each follows the line that it leaves. The line begins with
/// this ply, from 1.
fn variations(file: &File<'_, '_>, line: &Line<'_, '_>, first: usize, out: &mut String) {
    let plies_of_line: Vec<_> = line.plies().collect();
    for (place, ply) in plies_of_line.iter().enumerate().rev() {
        for variation in ply.variations() {
            let number = first + place;
            let _ = writeln!(out, "\n変化：{number}手");
            let (before, entries) = Entry::of(file.record, &variation, FileForm::Kif);
            comments(&before, out);
            write_plies(&entries, number, file.start.gote_moves == (number % 2 == 1), false, out);
            variations(file, &variation, number, out);
        }
    }
}

/// Writes lines with plies from this number on, with the time of each and that of its player so far, which is 0 in a
/// variation that does not state it. Returns the times of Sente and Gote in milliseconds.
fn write_plies(
    entries: &[Entry],
    first: usize,
    gote_moves: bool,
    is_main_line: bool,
    out: &mut String,
) -> [u64; 2] {
    let mut sums = [0_u64; 2];
    let mut mover = usize::from(gote_moves);
    for (entry, number) in entries.iter().zip(first..) {
        let _ = write!(out, "{number:>4} {}", entry.text);
        if let Some(spent) = entry.spent {
            let sum = if is_main_line { sums[mover].saturating_add(spent) } else { 0 };
            sums[mover] = entry.total.unwrap_or(sum);
            write_times(spent, sums[mover], out);
        }
        out.push('\n');
        if let Some(spent) = entry.spent.filter(|spent| spent % 1000 != 0) {
            let _ = writeln!(out, "*{}.{:03} seconds", spent / 1000, spent % 1000);
        }
        comments(&entry.said, out);
        mover = 1 - mover;
    }
    sums
}

/// Writes the time of a ply and that of its player so far, in milliseconds.
fn write_times(spent: u64, sum: u64, out: &mut String) {
    let (own, sum) = (spent / 1000, sum / 1000);
    let (hours, minutes, seconds) = (sum / 3600, sum / 60 % 60, sum % 60);
    // Writing to a string cannot fail.
    let _ = write!(out, "   ({:>2}:{:02}/{hours:02}:{minutes:02}:{seconds:02})", own / 60, own % 60);
}

fn comments(said: &[String], out: &mut String) {
    said.iter().for_each(|line| {
        let _ = writeln!(out, "*{line}");
    });
}

/// What is known of the game, and its start.
fn header(file: &File<'_, '_>, out: &mut String) {
    let Headers { tags, moments, others } = Headers::of(file, &KEYS);
    for (key, moment) in moments {
        let _ = writeln!(out, "{key}：{moment}");
    }
    for (name, value) in others {
        let _ = writeln!(out, "{name}：{value}");
    }
    match file.start.is_usual {
        true => out.push_str("手合割：平手\n"),
        false => drawing(&file.start, out),
    }
    for (key, value) in tags.iter().filter(|(_, value)| value != "-") {
        let _ = writeln!(out, "{key}：{value}");
    }
}

/// The start position as a drawing, which programs call BOD.
fn drawing(start: &Start, out: &mut String) {
    let [sente, gote] = &start.hands;
    let _ = writeln!(out, "後手の持駒：{}", hand(gote));
    out.push_str("  ９ ８ ７ ６ ５ ４ ３ ２ １\n+---------------------------+\n");
    for (rank, number) in start.ranks.iter().zip(&DIGITS[1..=SIDE]) {
        let squares: String = rank.iter().map(|square| cell(*square)).collect();
        let _ = writeln!(out, "|{squares}|{number}");
    }
    let _ = writeln!(out, "+---------------------------+\n先手の持駒：{}", hand(sente));
    if start.gote_moves {
        out.push_str("後手番\n");
    }
}

fn cell(square: Option<Man>) -> String {
    match square {
        Some((letter, promoted, gote)) => {
            format!("{}{}", if gote { 'v' } else { ' ' }, character(letter, promoted))
        }
        None => " ・".to_owned(),
    }
}

fn character(letter: u8, promoted: bool) -> &'static str {
    ShogiPiece::name(letter, promoted, |piece| &piece.drawn).unwrap_or_default()
}

/// A hand: `飛　歩十二`, or `なし`.
fn hand(pieces: &[(u8, u32)]) -> String {
    let piece = |&(letter, count): &(u8, u32)| {
        let mut text = String::from(character(letter, false));
        if count >= 10 {
            text.push('十');
        }
        if count > 1 && count % 10 > 0 {
            text.push(DIGITS[count as usize % 10]);
        }
        text
    };
    match pieces {
        [] => "なし".to_owned(),
        _ => pieces.iter().map(piece).collect::<Vec<_>>().join("　"),
    }
}
