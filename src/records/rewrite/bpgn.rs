//! Records of games on two boards in the dialects of BPGN.

use crate::clock::Allotment;
use crate::record::time_control::{Period, TimeControl};
use crate::record::{GameResult, Item, ItemKind, Record};
use crate::replay::{boards_of_items, first_move};
use ferz_core::board::{BoardName, Owner};
use ferz_core::text::{Edit, Span, decode, edited};
use std::str::FromStr;

/// How those who play Bughouse write what follows a ply, and the result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bpgn {
    /// The standard: seconds left, `1A. e4 {180}`.
    Standard,
    /// The Free Internet Chess Server: seconds left with thousandths, directly after the ply, `1A. e4{179.500}`.
    Fics,
    /// bughouse.pro: seconds since the start, `1A. e4 {[ts=0.500]}`.
    Pro,
    /// chess.com: from-squares without a dash, `1A. Nb1c3`, and the result only in its tag.
    ChessCom,
}

impl FromStr for Bpgn {
    type Err = String;

    fn from_str(name: &str) -> Result<Bpgn, String> {
        match name.to_ascii_lowercase().as_str() {
            "standard" => Ok(Bpgn::Standard),
            "fics" => Ok(Bpgn::Fics),
            "bughouse.pro" => Ok(Bpgn::Pro),
            "chess.com" => Ok(Bpgn::ChessCom),
            _ => Err("the dialects of BPGN are standard, fics, bughouse.pro and chess.com".to_owned()),
        }
    }
}

/// A time that follows a ply, in milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Clock {
    Left(u64),
    Since(u64),
}

/// A ply with the time that follows it.
#[derive(Debug, Clone, Copy)]
struct Timed {
    board: BoardName,
    owner: Owner,
    ply: Item,
    comment: Item,
    clock: Clock,
}

/// A record of a game on two boards in a dialect; what the dialect cannot say is listed, and stays as it is. The plies
/// stay in their style: for chess.com write them with from-squares first (style `lan`).
///
/// ```
/// use ferz_records::record::read;
/// use ferz_records::rewrite::{Bpgn, in_dialect};
/// let text = "[TimeControl \"60+0\"]\n\n1A. e4 {59.5} 1a. e5 {58} *\n";
/// let record = read(text.as_bytes(), 0).next().ok_or("no record")?;
/// let (pro, left) = in_dialect(&record, Bpgn::Pro);
/// assert!(pro.contains("1A. e4 {[ts=0.500]} 1a. e5 {[ts=2.500]} *") && left.is_empty(), "{pro}");
/// # Ok::<(), &str>(())
/// ```
pub fn in_dialect(record: &Record<'_>, dialect: Bpgn) -> (String, Vec<String>) {
    let mut left = Vec::new();
    let mut edits = Vec::new();
    let timed = timed(record, &mut left);
    let converted = converted(record, &timed, dialect, &mut left);
    for (timed, clock) in timed.iter().zip(converted) {
        let text = match (clock, dialect) {
            (Clock::Since(time), _) => format!("{{[ts={}]}}", seconds(time, true)),
            (Clock::Left(time), Bpgn::Fics) => format!("{{{}}}", seconds(time, true)),
            (Clock::Left(time), _) => format!("{{{}}}", seconds(time, false)),
        };
        let attached = dialect == Bpgn::Fics && matches!(clock, Clock::Left(_));
        edits.push(comment_edit(record, timed, &text, attached));
    }
    if dialect == Bpgn::ChessCom {
        let plies = record.main_line().items().filter(|(_, item)| item.kind == ItemKind::Move);
        for (_, item) in plies {
            let text = record.text(*item);
            if !text.starts_with('O') && text.contains('-') {
                edits.push(Edit::new(record.span(*item), text.replace('-', "")));
            }
        }
    }
    edits.extend(result(record, dialect));
    edits.sort_by_key(|edit| edit.span.start);
    let text = edited(record.source(), record.offset(), &edits);
    (decode(&text).into_owned(), left)
}

/// Writes the time in place of the comment that has it, directly after the ply or after a space. What stands between
/// ply and comment stays.
fn comment_edit(record: &Record<'_>, timed: &Timed, text: &str, attached: bool) -> Edit {
    let (ply, comment) = (record.span(timed.ply), record.full_span(timed.comment));
    let between = ply.end - record.offset()..comment.start - record.offset();
    if !record.source()[between].iter().all(u8::is_ascii_whitespace) {
        return Edit::new(comment, text);
    }
    let space = if attached { "" } else { " " };
    Edit::new(Span::new(ply.end, comment.end), format!("{space}{text}"))
}

/// The result in the movetext: `*` where only the tag has it.
fn result(record: &Record<'_>, dialect: Bpgn) -> Option<Edit> {
    let tag = record.tag("Result").and_then(|tag| GameResult::parse(&tag));
    let wanted = match (dialect, tag) {
        (Bpgn::ChessCom, Some(_)) => GameResult::Unknown,
        (_, tag) => tag?,
    };
    let is_result = |item: &&Item| matches!(item.kind, ItemKind::Result(_));
    let item = record.items.iter().rfind(is_result)?;
    let stated = ItemKind::Result(wanted) == item.kind;
    (!stated).then(|| Edit::new(record.span(*item), wanted.as_str()))
}

/// The plies that a time follows. Those without one are named.
fn timed(record: &Record<'_>, left: &mut Vec<String>) -> Vec<Timed> {
    let boards = boards_of_items(record);
    let mut next = [Owner::White; 2];
    if let Some(fen) = record.tag("FEN") {
        for (next, fen) in next.iter_mut().zip(fen.split('|')) {
            *next = first_move(Some(fen)).0;
        }
    }
    let (mut found, mut last, mut untimed) = (Vec::new(), None, 0);
    for (index, &item) in record.main_line().items() {
        match (item.kind, last) {
            (ItemKind::Move, before) => {
                untimed += usize::from(before.is_some());
                let board = boards[index];
                let owner = next[board as usize];
                next[board as usize] = owner.opponent();
                last = Some((board, owner, item));
            }
            (ItemKind::Comment(_), Some((board, owner, ply))) => {
                if let Some(clock) = clock(&record.text(item)) {
                    found.push(Timed { board, owner, ply, comment: item, clock });
                    last = None;
                }
            }
            _ => {}
        }
    }
    untimed += usize::from(last.is_some());
    if untimed > 0 && !found.is_empty() {
        left.push(format!("{untimed} plies have no time after them"));
    }
    found
}

/// `180`, `179.500`, `[ts=0.500]`.
fn clock(comment: &str) -> Option<Clock> {
    let text = comment.trim();
    let since = text.strip_prefix("[ts=").and_then(|rest| rest.strip_suffix(']'));
    let number = since.unwrap_or(text);
    let (whole, part) = number.split_once('.').unwrap_or((number, ""));
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || !digits(whole) || !digits(part) || part.len() > 3 {
        return None;
    }
    let thousandths = format!("{part:0<3}").parse::<u64>().ok()?;
    let time = whole.parse::<u64>().ok()?.checked_mul(1000)?.checked_add(thousandths)?;
    Some(if since.is_some() { Clock::Since(time) } else { Clock::Left(time) })
}

/// The times as a dialect has them: left, or since the start.
fn converted(record: &Record<'_>, timed: &[Timed], dialect: Bpgn, left: &mut Vec<String>) -> Vec<Clock> {
    let own: Vec<Clock> = timed.iter().map(|timed| timed.clock).collect();
    let wants_since = dialect == Bpgn::Pro;
    if own.iter().all(|clock| matches!(clock, Clock::Since(_)) == wants_since) {
        return own;
    }
    let control = record.tag("TimeControl").and_then(|control| TimeControl::parse(control.trim()).ok());
    let Some(TimeControl::Periods(periods)) = control else {
        left.push(
            "without the tag TimeControl, times left and times since the start are not converted".to_owned(),
        );
        return own;
    };
    let plies = record.main_line().items().filter(|(_, item)| item.kind == ItemKind::Move).count();
    if plies != timed.len() {
        left.push("plies lack times, so times left and times since the start are not converted".to_owned());
        return own;
    }
    let mut sums = [BoardSum::default(), BoardSum::default()];
    timed.iter().map(|timed| sums[timed.board as usize].next(timed, &periods, wants_since)).collect()
}

/// What was spent on a board.
#[derive(Debug, Clone, Copy, Default)]
struct BoardSum {
    spent: [u64; 2],
    moves: [u32; 2],
}

impl BoardSum {
    fn next(&mut self, timed: &Timed, periods: &[Period], wants_since: bool) -> Clock {
        let of = timed.owner.index();
        self.moves[of] += 1;
        // All that the player was given by the end of this move.
        let given = Allotment::after(periods, self.moves[of]).1.raised;
        match timed.clock {
            Clock::Left(time) => self.spent[of] = given.saturating_sub(time),
            Clock::Since(time) => self.spent[of] = time.saturating_sub(self.spent[1 - of]),
        }
        if wants_since {
            Clock::Since(self.spent[0] + self.spent[1])
        } else {
            Clock::Left(given.saturating_sub(self.spent[of]))
        }
    }
}

/// Seconds, with thousandths always or where there are any.
fn seconds(time: u64, thousandths: bool) -> String {
    match time % 1000 {
        0 if !thousandths => (time / 1000).to_string(),
        part => format!("{}.{part:03}", time / 1000),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::read;

    const GAME: &str = "[TimeControl \"60+1\"]\n[Result \"1-0\"]\n\n1A. e4{60.500} 1B. d4{59.000} 1a. e5{58.250} \
        {a remark} 1b. d5{61.000} 2A. Nf3{60.100} 1-0\n";

    fn to(text: &str, dialect: Bpgn) -> (String, Vec<String>) {
        in_dialect(&read(text.as_bytes(), 0).next().expect("a record"), dialect)
    }

    #[test]
    fn every_dialect_comes_back() {
        let (standard, left) = to(GAME, Bpgn::Standard);
        assert!(standard.contains("1A. e4 {60.500} 1B. d4 {59} 1a. e5 {58.250} {a remark}"), "{standard}");
        assert!(left.is_empty(), "{left:?}");
        let (pro, _) = to(&standard, Bpgn::Pro);
        assert!(pro.contains("1A. e4 {[ts=0.500]} 1B. d4 {[ts=2.000]} 1a. e5 {[ts=3.250]}"), "{pro}");
        for between in [&standard, &pro] {
            assert_eq!(to(between, Bpgn::Fics).0, GAME);
        }
        let (com, _) = to(&GAME.replace("e4{", "e2-e4{").replace("Nf3", "Ng1-f3"), Bpgn::ChessCom);
        assert!(com.contains("1A. e2e4 {60.500}") && com.contains("2A. Ng1f3 {60.100} *"), "{com}");
        assert!(to(&com, Bpgn::Fics).0.ends_with("Ng1f3{60.100} 1-0\n"));
    }

    /// Remarks and signs between a ply and its time are no part of the time.
    #[test]
    fn what_stands_before_a_time_stays() {
        let text = "1A. e4 $1 {a remark} {60} 1a. e5 ({a thought} d5) {59} *\n";
        for (dialect, wanted) in [
            (Bpgn::Standard, text.to_owned()),
            (Bpgn::Fics, text.replace("{60}", "{60.000}").replace("{59}", "{59.000}")),
        ] {
            assert_eq!(to(text, dialect), (wanted, Vec::new()));
        }
    }

    #[test]
    fn what_cannot_be_said_stays() {
        let bare = GAME.replace("[TimeControl \"60+1\"]\n", "");
        let (pro, left) = to(&bare, Bpgn::Pro);
        assert!(pro.contains("e4 {60.500}") && left.len() == 1, "{pro} {left:?}");
        let gap = GAME.replace("{58.250}", "");
        let (pro, left) = to(&gap, Bpgn::Pro);
        assert!(pro.contains("e4 {60.500}") && left.len() == 2, "{pro} {left:?}");
        assert_eq!(to("1A. e4 {good} *\n", Bpgn::Pro), ("1A. e4 {good} *\n".to_owned(), Vec::new()));
    }
}
