//! Whole files of shogi programs: KIF and CSA, from records in these styles.
//!
//! What such a file has no line for stands there as a comment, so that nothing is lost.

mod csa;
mod end;
mod kif;

use crate::record::comment::{CommandKind, Segment, parts};
use crate::record::{ItemKind, Line, Record};
use crate::replay::{AnyGame, Replayer, Report};
use end::Ended;
use ferz_core::board::{Mask, by_width};
use ferz_core::notation::ShogiPiece;
use ferz_core::position::Position;
use ferz_core::text::decode;

/// A file format of shogi programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileForm {
    /// KIF, of Kifu for Windows and many others: one game a file.
    Kif,
    /// CSA, of the Computer Shogi Association.
    Csa,
}

/// Writes a record whose plies are in the style of the format as a file, as UTF-8. `report` is the one on it, or on the
/// record that it was converted from.
///
/// `None` if it is not a game of shogi: these files have no other pieces, and no other board.
pub fn program_file(
    replayer: &mut Replayer<'_>,
    record: &Record<'_>,
    report: &Report,
    form: FileForm,
) -> Option<String> {
    let game = replayer.game(record).ok()?;
    let start = by_width!(AnyGame, &game, |game| Start::of(&Replayer::start(game, record).ok()?, record)?);
    let (mut before, mut entries) = Entry::of(record, &record.main_line(), form);
    let said = entries.last_mut().map_or(&mut before, |entry| &mut entry.said);
    let ended = Ended::of(record, report, start.gote_moves, said);
    let file = File { record, start, before, entries, ended };
    Some(match form {
        FileForm::Kif => kif::written(&file),
        FileForm::Csa => csa::written(&file),
    })
}

/// Files and ranks of the board.
const SIDE: usize = 9;

/// What a file is written from.
struct File<'r, 'a> {
    record: &'r Record<'a>,
    start: Start,
    /// Lines of comments before the first ply.
    before: Vec<String>,
    /// The plies of the main line.
    entries: Vec<Entry>,
    ended: Ended,
}

/// A piece on the board: its letter in upper case, whether it is promoted, and whether it is Gote's.
type Man = (u8, bool, bool);

/// The position that a game starts from.
struct Start {
    /// True for the array, without handicap.
    is_usual: bool,
    /// True if Gote moves first, as in games with a handicap.
    gote_moves: bool,
    /// The board from Gote's side, each rank from Sente's left.
    ranks: Vec<Vec<Option<Man>>>,
    /// The pieces in the hand of Sente and of Gote, by letter.
    hands: [Vec<(u8, u32)>; 2],
}

impl Start {
    fn of<M: Mask>(position: &Position<M>, record: &Record<'_>) -> Option<Start> {
        let sfen = position.sfen()?;
        let [board, turn, hands, _] = sfen.split(' ').collect::<Vec<_>>()[..] else { return None };
        let ranks: Vec<_> = board.split('/').map(squares).collect();
        let known = |square: &Option<Man>| {
            square.is_none_or(|(letter, promoted, _)| {
                ShogiPiece::name(letter, promoted, |piece| &piece.csa).is_some()
            })
        };
        let fits =
            ranks.len() == SIDE && ranks.iter().all(|rank| rank.len() == SIDE && rank.iter().all(known));
        let start = Start {
            is_usual: record.find_tag("FEN").is_none(),
            gote_moves: turn == "w",
            ranks,
            hands: in_hand(hands),
        };
        fits.then_some(start)
    }
}

/// The squares of a rank of an SFEN.
fn squares(rank: &str) -> Vec<Option<Man>> {
    let mut squares = Vec::new();
    let mut promoted = false;
    for byte in rank.chars() {
        match byte {
            '+' => promoted = true,
            '1'..='9' => squares.extend((b'0'..byte as u8).map(|_| None)),
            _ => {
                let letter = byte.to_ascii_uppercase() as u8;
                squares.push(Some((letter, std::mem::take(&mut promoted), byte.is_ascii_lowercase())));
            }
        }
    }
    squares
}

/// The hands of an SFEN: `2Pb`, or `-` for none.
fn in_hand(text: &str) -> [Vec<(u8, u32)>; 2] {
    let mut hands = [Vec::new(), Vec::new()];
    let mut count = 0;
    for char in text.chars() {
        match char.to_digit(10) {
            Some(digit) => count = 10 * count + digit,
            None if char.is_ascii_alphabetic() => {
                let hand = &mut hands[usize::from(char.is_ascii_lowercase())];
                hand.push((char.to_ascii_uppercase() as u8, std::mem::take(&mut count).max(1)));
            }
            None => {}
        }
    }
    hands
}

/// A ply as a file writes it: its text, the time that it took, and what is said after it.
struct Entry {
    text: String,
    /// The time in milliseconds, if it is known.
    spent: Option<u64>,
    /// The time of its player so far in milliseconds, if the record states it.
    total: Option<u64>,
    /// Lines of comments.
    said: Vec<String>,
}

impl Entry {
    /// The entries of a line in order. Comments before a ply are said after the one before it; those before the first
    /// are returned beside the entries.
    fn of(record: &Record<'_>, line: &Line<'_, '_>, form: FileForm) -> (Vec<String>, Vec<Entry>) {
        let mut tail = 0;
        let mut before = Vec::new();
        let mut entries: Vec<Entry> = Vec::new();
        for ply in line.plies() {
            let said = entries.last_mut().map_or(&mut before, |entry| &mut entry.said);
            said.extend(ply.comments_before().flat_map(|text| lines(&text)));
            let mut entry =
                Entry { text: ply.text().into_owned(), spent: None, total: None, said: Vec::new() };
            entry.said.extend(ply.nags().map(|nag| format!("${nag}")));
            for comment in ply.comments_after() {
                let rest = entry.take_times(&comment, form);
                entry.said.extend(lines(&rest));
            }
            tail = ply.after().last().map_or(ply.index(), |(index, _)| index);
            entries.push(entry);
        }
        // What follows the result.
        let said = entries.last_mut().map_or(&mut before, |entry| &mut entry.said);
        let rest =
            line.items().filter(|(index, item)| *index > tail && matches!(item.kind, ItemKind::Comment(_)));
        said.extend(rest.flat_map(|(_, item)| lines(&record.text(*item))));
        (before, entries)
    }

    /// Takes the times for which the format has a place out of a comment; returns the rest of it.
    fn take_times(&mut self, comment: &str, form: FileForm) -> String {
        let mut rest = String::new();
        for part in parts(comment) {
            match part {
                Segment::Command(command) => match command.kind {
                    CommandKind::Elapsed(time) if self.spent.is_none() => {
                        self.spent = Some(time.milliseconds());
                    }
                    // Shown beside the time spent, and to the second.
                    CommandKind::ElapsedGame(time)
                        if form == FileForm::Kif
                            && self.spent.is_some()
                            && self.total.is_none()
                            && time.milliseconds().is_multiple_of(1000) =>
                    {
                        self.total = Some(time.milliseconds());
                    }
                    _ => rest.push_str(command.raw),
                },
                Segment::Text(text) => rest.push_str(text),
            }
        }
        rest
    }
}

/// The lines of a comment that say something.
fn lines(text: &str) -> Vec<String> {
    text.lines().map(|line| line.trim().to_owned()).filter(|line| !line.is_empty()).collect()
}

/// A variation as the record writes it, with its parentheses. Comments are in square brackets, since it is written into
/// one itself.
fn as_written(record: &Record<'_>, variation: &Line<'_, '_>) -> String {
    let items = variation.range();
    let (start, end) = (record.items[items.start - 1].start as usize, record.items[items.end].end() as usize);
    decode(&record.source()[start..end]).replace('{', "[").replace('}', "]")
}

/// What a format has headers for: tags, and the moments of the beginning and the end.
struct Keys {
    tags: &'static [(&'static str, &'static str)],
    began: &'static str,
    ended: &'static str,
}

/// What is known of a game, as headers.
struct Headers {
    /// Values of the tags that have headers, in the order of the keys.
    tags: Vec<(&'static str, String)>,
    /// Moments, `2024/02/29 10:00:00`.
    moments: Vec<(&'static str, String)>,
    /// All other tags that say something, by name.
    others: Vec<(String, String)>,
}

impl Headers {
    fn of(file: &File<'_, '_>, keys: &Keys) -> Headers {
        let record = file.record;
        let mut written: Vec<&str> = keys.tags.iter().map(|(name, _)| *name).chain(DERIVED).collect();
        if file.ended.says_termination {
            written.push("Termination");
        }
        let value = |(name, key): &(&str, &'static str)| {
            let value = one_line(&record.tag(name)?);
            (!value.is_empty() && value != "?").then_some((*key, value))
        };
        let tags = keys.tags.iter().filter_map(value).collect();
        let mut moments = Vec::new();
        for (key, date, times) in
            [(keys.began, "Date", &["StartTime", "Time"][..]), (keys.ended, "EndDate", &["EndTime"])]
        {
            if let Some(day) = record.tag(date).filter(|date| is_whole_date(date)) {
                written.push(date);
                let time = times
                    .iter()
                    .find_map(|&name| Some((name, record.tag(name).filter(|time| is_time(time))?)));
                let time = time.map_or_else(String::new, |(name, time)| {
                    written.push(name);
                    format!(" {time}")
                });
                moments.push((key, day.replace('.', "/") + &time));
            }
        }
        Headers { tags, moments, others: other_tags(record, &written) }
    }
}

/// True for `2024.02.29`.
fn is_whole_date(text: &str) -> bool {
    text.len() == 10 && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
}

/// True for `10:00:00`.
fn is_time(text: &str) -> bool {
    let known =
        |(place, byte): (usize, u8)| if place % 3 == 2 { byte == b':' } else { byte.is_ascii_digit() };
    text.len() == 8 && text.bytes().enumerate().all(known)
}

/// The tags besides those that are written otherwise, in order, without those whose value says nothing.
fn other_tags(record: &Record<'_>, written: &[&str]) -> Vec<(String, String)> {
    let tags = record.tags.iter().map(|tag| (record.tag_name(tag), record.tag_value(tag)));
    let says = |value: &str| !value.chars().all(|char| "?.-* ".contains(char));
    let others = tags
        .filter(|(name, value)| says(value) && !written.iter().any(|known| name.eq_ignore_ascii_case(known)));
    others.map(|(name, value)| (name.into_owned(), one_line(&value))).collect()
}

/// Tags that the moves, the start and the end of a file say.
const DERIVED: [&str; 5] = ["Variant", "SetUp", "FEN", "Result", "PlyCount"];

/// A value on one line.
fn one_line(value: &str) -> String {
    value.split(['\r', '\n']).map(str::trim).filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
}
