//! KIF and KI2, the files of Kifu for Windows and of most programs for shogi: headers `先手：…`, perhaps a drawn board,
//! then a numbered move a line with its times (KIF), or several moves a line (KI2).

use super::game::{BEGAN, ENDED, Game, clock, is_tag_name, milliseconds};
use super::kif_ends::{end_word, outcome};
use super::regions::{Sign, content, is_utf8, lines, may_begin, regions, span_of};
use super::setup::{Man, Setup, digit, hand, handicap, is_rank, rank};
use super::sheet::Sheet;
use crate::interchange::formats::Format;
use crate::interchange::layers::Change;
use ferz_core::text::Span;

/// The row of KIF and KI2.
pub(in crate::interchange) const FORMAT: Format =
    Format { begins: |text| may_begin(text, sign), starts, games, ..Format::BARE };

/// The changes that make records of the games in KIF and KI2.
fn games(text: &[u8]) -> Vec<Change> {
    parts(text).into_iter().flat_map(|part| Reader::new(text, part).read(part)).collect()
}

/// Where the games of a text begin.
fn starts(text: &[u8]) -> Vec<usize> {
    parts(text).into_iter().map(|part| part.start).collect()
}

/// The parts of a text that each hold one game.
fn parts(text: &[u8]) -> Vec<Span> {
    let mut found = Vec::new();
    for region in regions(text, sign, super::csa::begins_file) {
        let (mut start, mut moved) = (region.start, false);
        for line in lines(text, region) {
            let words = content(text, line);
            if moved && begins_game(words) {
                found.push(Span::new(start, line.start));
                (start, moved) = (line.start, false);
            }
            moved |= matches!(kind(words), Kind::Numbered | Kind::Moves | Kind::Result);
        }
        found.push(Span::new(start, region.end));
    }
    found
}

/// What a line is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Blank,
    /// `#KIF version=2.0 encoding=UTF-8`.
    Version,
    /// `*…`.
    Comment,
    /// `手数----指手---------消費時間--`.
    Columns,
    /// `変化：12手`.
    Variation(u32),
    /// `まで20手で後手の勝ち`.
    Result,
    /// `   1 ７六歩(77)   ( 0:16/00:00:16)`.
    Numbered,
    /// `▲７六歩 △３四歩`.
    Moves,
    /// A rank of a drawn board.
    Rank,
    /// The files or the frame of a drawn board.
    Frame,
    /// `手数＝20  △３四歩  まで`, and whether it has nothing but the number.
    Count(u32, bool),
    /// `後手番`, whose turn it is; true for Gote's.
    Turn(bool),
    /// `先手：…`, with the bytes of its name and of its colon.
    Header(usize, usize),
    Other,
}

/// The signs before the plies of Sente and Gote.
const SIDES: [char; 6] = ['▲', '△', '▼', '▽', '☗', '☖'];

/// The files above a drawn board.
const FILES: [&str; 9] = ["９", "８", "７", "６", "５", "４", "３", "２", "１"];

/// The characters of the line above the moves.
const COLUMNS: &str = "手数指消費時間- ";

/// Headers that show a file of shogi.
const HEADERS: [&str; 14] = [
    "先手",
    "後手",
    "下手",
    "上手",
    "手合割",
    "開始日時",
    "先手の持駒",
    "後手の持駒",
    "下手の持駒",
    "上手の持駒",
    "先手の持ち駒",
    "後手の持ち駒",
    "下手の持ち駒",
    "上手の持ち駒",
];

/// Headers that may come before them, and begin another game after moves as well.
const ABOUT: [&str; 7] = ["棋戦", "表題", "場所", "持ち時間", "戦型", "対局日", "対局者"];

/// The tags of headers whose values they take as they are.
const TAGS: [(&str, &str); 8] = [
    ("先手", "White"),
    ("下手", "White"),
    ("後手", "Black"),
    ("上手", "Black"),
    ("棋戦", "Event"),
    ("表題", "Event"),
    ("場所", "Site"),
    ("戦型", "Opening"),
];

fn kind(line: &str) -> Kind {
    let mut chars = line.chars();
    let Some(first) = chars.next() else { return Kind::Blank };
    match first {
        '#' if is_version(line) => Kind::Version,
        '*' => Kind::Comment,
        '0'..='9' if is_numbered(line) => Kind::Numbered,
        '|' if is_rank(line) => Kind::Rank,
        '+' if line.len() > 4 && line.chars().all(|char| matches!(char, '+' | '-')) => Kind::Frame,
        '９' if line.split_whitespace().eq(FILES) => Kind::Frame,
        _ if SIDES.contains(&first) && chars.next().is_some_and(begins_ply) => Kind::Moves,
        'ま' if line.starts_with("まで") => Kind::Result,
        '手' if line.starts_with("手数-") && line.chars().all(|char| COLUMNS.contains(char)) => {
            Kind::Columns
        }
        '手' => {
            match line.strip_prefix("手数＝").or_else(|| line.strip_prefix("手数=")).and_then(leading_number)
            {
                Some((count, rest)) => Kind::Count(count, rest.trim().is_empty()),
                None => header(line),
            }
        }
        '変' => {
            let number = line.strip_prefix("変化：").or_else(|| line.strip_prefix("変化:"));
            match number.map(str::trim_start).and_then(leading_number) {
                Some((number, rest)) if matches!(rest.trim(), "手" | "") => Kind::Variation(number),
                _ => header(line),
            }
        }
        _ => match line {
            "先手番" | "下手番" => Kind::Turn(false),
            "後手番" | "上手番" => Kind::Turn(true),
            _ => header(line),
        },
    }
}

/// True for `#KIF version=2.0 encoding=UTF-8`.
fn is_version(line: &str) -> bool {
    let Some(rest) = line[1..].trim_start().strip_prefix("KIF") else { return false };
    rest.split_whitespace().all(|word| word.starts_with("version=") || word.starts_with("encoding="))
}

/// `先手：…`. Other words before a colon are no header unless it is of full width.
fn header(line: &str) -> Kind {
    let Some((at, colon)) = line.char_indices().find(|(_, char)| matches!(char, '：' | ':')) else {
        return Kind::Other;
    };
    let name = line[..at].trim_end();
    let known = begins(name) || name == "終了日時";
    let may_be = at > 0 && (known || colon == '：' && name.len() <= HEADER_BYTES_MAX && !name.contains(' '));
    if may_be { Kind::Header(name.len(), at + colon.len_utf8()) } else { Kind::Other }
}

/// Bytes of the longest name of a header.
const HEADER_BYTES_MAX: usize = 60;

/// True for the name of a header that begins a game.
fn begins(name: &str) -> bool {
    HEADERS.contains(&name) || ABOUT.contains(&name)
}

/// The number that a text begins with, in digits of any width, and the rest of the text.
fn leading_number(text: &str) -> Option<(u32, &str)> {
    let mut number: u32 = 0;
    let end = text
        .char_indices()
        .find(|(_, char)| !matches!(char, '0'..='9' | '０'..='９'))
        .map_or(text.len(), |(at, _)| at);
    for value in text[..end].chars().filter_map(digit) {
        number = number.saturating_mul(10).saturating_add(value);
    }
    (end > 0).then_some((number, &text[end..]))
}

/// The number, and the move or the end, of a line of KIF.
fn numbered(line: &str) -> Option<(&str, &str)> {
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let rest = &line[digits..];
    let words = rest.trim_start();
    (words.len() < rest.len() && digits < 7).then_some((&line[..digits], words))
}

fn is_numbered(line: &str) -> bool {
    let Some((_, words)) = numbered(line) else { return false };
    let mut chars = words.chars();
    let first = chars.next().filter(|first| !SIDES.contains(first)).or_else(|| chars.next());
    let begins = match first {
        // Move numbers and squares of other games begin with such digits.
        Some('0'..='9') => chars.next().is_some_and(|second| digit(second).is_some()) && !words.is_ascii(),
        Some(first) => begins_ply(first),
        None => false,
    };
    begins || end_word(words).is_some()
}

/// True for the first character of a ply: the file of its target, or "the same square".
fn begins_ply(char: char) -> bool {
    matches!(char, '1'..='9' | '１'..='９' | '同')
}

/// What a line says about the format of a text.
fn sign(line: &str) -> Sign {
    match kind(line) {
        Kind::Version | Kind::Columns => Sign::Certain,
        Kind::Header(name, _) if HEADERS.contains(&&line[..name]) => Sign::Certain,
        Kind::Rank if rank(line).is_some() => Sign::Certain,
        Kind::Numbered | Kind::Moves => Sign::Weak,
        Kind::Header(..) | Kind::Frame | Kind::Count(..) | Kind::Turn(_) => Sign::Leads,
        // A star alone is a result.
        Kind::Comment if line.len() > 1 => Sign::Leads,
        Kind::Other if line.starts_with('#') => Sign::Leads,
        _ => Sign::None,
    }
}

/// True for a line that begins another game after moves.
fn begins_game(line: &str) -> bool {
    match kind(line) {
        Kind::Version | Kind::Columns => true,
        Kind::Header(name, _) => begins(&line[..name]),
        Kind::Other => line.starts_with("# ---"),
        _ => false,
    }
}

/// Reads one game.
struct Reader<'t> {
    text: &'t [u8],
    game: Game,
    /// Lines of a comment that may go on.
    comment: Vec<Span>,
    /// The ranks of a drawn board.
    ranks: Vec<Span>,
    /// The values of the hands, Sente's first.
    hands: [Option<Span>; 2],
    /// The value of the handicap.
    handicap: Option<Span>,
    /// True if a line says that Gote has the turn.
    turn: Option<bool>,
    /// The plies before a drawn board.
    count: u32,
    /// True after the start of the game has been set.
    begun: bool,
    /// Milliseconds of each player so far.
    spent: [u64; 2],
    /// True in a variation for which there is no place.
    lost: bool,
}

impl<'t> Reader<'t> {
    fn new(text: &'t [u8], part: Span) -> Reader<'t> {
        Reader {
            text,
            game: Game::new(part),
            comment: Vec::new(),
            ranks: Vec::new(),
            hands: [None, None],
            handicap: None,
            turn: None,
            count: 0,
            begun: false,
            spent: [0, 0],
            lost: false,
        }
    }

    /// Reads the lines of a part of the text.
    fn read(mut self, part: Span) -> Vec<Change> {
        for line in lines(self.text, part) {
            // Nothing is between CR and LF.
            if line.is_empty() {
                continue;
            }
            let words = content(self.text, line);
            let kind = if is_utf8(self.text, line) { kind(words) } else { Kind::Other };
            if kind == Kind::Comment && !self.lost {
                self.comment.push(span_of(self.text, &words[1..]));
                continue;
            }
            self.close_comment();
            self.line(kind, words, line);
        }
        self.close_comment();
        self.begin();
        self.game.changes(self.text)
    }

    fn line(&mut self, kind: Kind, words: &str, line: Span) {
        match kind {
            Kind::Blank | Kind::Version | Kind::Columns => {}
            Kind::Variation(number) => self.variation(number, words),
            _ if self.lost => self.note(span_of(self.text, words)),
            Kind::Numbered => self.numbered(words),
            Kind::Moves => self.moves(words),
            Kind::Result => self.result(words),
            Kind::Rank if !self.begun => self.ranks.push(span_of(self.text, words)),
            Kind::Frame if !self.begun => {}
            Kind::Turn(black) if !self.begun && self.turn.is_none() => self.turn = Some(black),
            Kind::Count(count, alone) if !self.begun => {
                self.count = count;
                if count > 0 || !alone {
                    self.note(span_of(self.text, words));
                }
            }
            Kind::Header(name, value) => {
                let value = span_of(self.text, words[value..].trim());
                if !self.header(&words[..name], value) {
                    self.note(span_of(self.text, words));
                }
            }
            // A ply of another form, which may be illegal, or wrong.
            _ if is_utf8(self.text, line) && self.has_next_number(words) => self.numbered(words),
            _ if is_utf8(self.text, line) => self.note(span_of(self.text, words)),
            _ => self.note(line),
        }
    }

    /// True for a line with the number of the next ply of the main line, and one word.
    fn has_next_number(&self, words: &str) -> bool {
        let Some((digits, rest)) = numbered(words) else { return false };
        let text = rest.split('(').next().unwrap_or_default().trim();
        let is_token = !text.is_empty() && !text.contains(char::is_whitespace);
        let is_next = leading_number(digits).is_some_and(|(number, _)| self.game.is_next(number));
        is_token
            && is_next
            && self.game.in_main_line()
            && !self.game.has_end()
            && (self.begun || digits == "1")
    }

    fn close_comment(&mut self) {
        let lines = std::mem::take(&mut self.comment);
        self.game.comments().comment(self.text, &lines);
    }

    /// Keeps a text as a comment.
    fn note(&mut self, text: Span) {
        self.game.comments().comment(self.text, &[text]);
    }

    /// Takes the value of a header; false if it has to be kept as a comment.
    fn header(&mut self, name: &str, value: Span) -> bool {
        if value.is_empty() {
            return true;
        }
        if name == "終了日時" {
            return self.game.instant(self.text, value, ENDED);
        }
        if self.begun {
            return false;
        }
        if let Some((_, tag)) = TAGS.into_iter().find(|(known, _)| *known == name) {
            let Some(sheet) = self.game.tag(tag) else { return false };
            sheet.keep_value(self.text, value);
            return true;
        }
        match name {
            "開始日時" | "対局日" => self.game.instant(self.text, value, BEGAN),
            "手合割" if self.handicap.is_none() => {
                self.handicap = Some(value);
                true
            }
            "持ち時間" => self.time_control(value),
            name if is_tag_name(name) => match self.game.tag(name.to_owned()) {
                Some(sheet) => {
                    sheet.keep_value(self.text, value);
                    true
                }
                None => false,
            },
            "先手の持駒" | "下手の持駒" | "先手の持ち駒" | "下手の持ち駒" => {
                self.hand(0, value)
            }
            "後手の持駒" | "上手の持駒" | "後手の持ち駒" | "上手の持ち駒" => {
                self.hand(1, value)
            }
            _ => false,
        }
    }

    fn hand(&mut self, player: usize, value: Span) -> bool {
        let first = self.hands[player].is_none();
        if first {
            self.hands[player] = Some(value);
        }
        first
    }

    /// `10分切れ負け`: the only time control without a countdown at its end, which a tag cannot express.
    fn time_control(&mut self, value: Span) -> bool {
        let words = content(self.text, value);
        if is_time_control(words)
            && let Some(sheet) = self.game.tag("TimeControl")
        {
            sheet.keep(value);
            return true;
        }
        let words = words.strip_prefix('各').unwrap_or(words);
        let Some(time) = words.strip_suffix("切れ負け") else { return false };
        let (mut seconds, mut rest) = (0_u64, time.trim());
        for (unit, length) in [("時間", 3600), ("分", 60), ("秒", 1)] {
            if let Some((number, after)) = leading_number(rest)
                && let Some(after) = after.strip_prefix(unit)
            {
                (seconds, rest) = (seconds + u64::from(number) * length, after.trim_start());
            }
        }
        if !rest.is_empty() || seconds == 0 {
            return false;
        }
        let Some(sheet) = self.game.tag("TimeControl") else { return false };
        sheet.write(seconds.to_string(), value);
        true
    }

    /// Sets the start of the game, once all headers have been read.
    fn begin(&mut self) {
        if std::mem::replace(&mut self.begun, true) {
            return;
        }
        let named = self.handicap.map(|value| content(self.text, value));
        let is_drawn = !self.ranks.is_empty();
        let known = named.filter(|_| !is_drawn).and_then(handicap);
        self.game.black_begins = self.turn.unwrap_or(known.is_some());
        if let Some(value) = self.handicap {
            match named {
                Some("平手") if !is_drawn => {}
                Some("その他") if is_drawn => {}
                _ if is_drawn => self.note(value),
                _ if known.is_none() => return self.unread(value),
                _ => {}
            }
        }
        let hands = self.hands;
        let from = self.ranks.first().copied().or(self.handicap).or(hands[0]).or(hands[1]);
        let Some(mut from) = from else {
            let start = self.game.begins_at();
            return self.game.start(&Setup::array(), start);
        };
        let mut setup = known.unwrap_or_else(Setup::array);
        if is_drawn {
            from.end = self.ranks.last().map_or(from.end, |last| last.end);
            match self.drawn() {
                Ok(board) => setup.board = board,
                Err(line) => return self.unread(line),
            }
        }
        for (value, black) in hands.into_iter().zip([false, true]) {
            let Some(value) = value else { continue };
            let Some(held) = hand(content(self.text, value)) else {
                return self.unread(value);
            };
            for (letter, count) in held {
                setup.hold(black, letter, count);
            }
        }
        self.game.start(&setup, from);
    }

    /// Keeps a position of which a part cannot be read: that part as its tag, the others as a comment.
    fn unread(&mut self, part: Span) {
        self.game.start_unread(self.text, part);
        let parts = self.ranks.iter().copied().chain(self.hands.into_iter().flatten());
        let others: Vec<Span> = parts.filter(|other| *other != part).collect();
        self.game.comments().comment(self.text, &others);
    }

    /// The drawn board, or the rank that cannot be read.
    fn drawn(&self) -> Result<[[Option<Man>; 9]; 9], Span> {
        let mut board = [[None; 9]; 9];
        for (index, line) in self.ranks.iter().enumerate() {
            let row = rank(content(self.text, *line));
            match (row, board.get_mut(index)) {
                (Some(row), Some(place)) => *place = row,
                _ => return Err(*line),
            }
        }
        match self.ranks.last() {
            Some(last) if self.ranks.len() < 9 => Err(*last),
            _ => Ok(board),
        }
    }

    fn variation(&mut self, number: u32, words: &str) {
        self.begin();
        let place = span_of(self.text, words);
        self.lost = !self.game.vary(number, place);
        if self.lost {
            self.game.leave_variations();
            self.note(place);
        }
    }

    /// A line of KIF: a move with its times, or an end.
    fn numbered(&mut self, words: &str) {
        self.begin();
        let Some((digits, rest)) = numbered(words) else { return };
        let number = leading_number(digits).map_or(0, |(number, _)| number);
        if let Some((word, len)) = end_word(rest) {
            return self.end(number, word, [words, rest], len);
        }
        let (mut ply, mut after) = self.ply_text(rest);
        if !is_numbered(words) {
            let len = rest.find(|char: char| char.is_whitespace() || char == '(').unwrap_or(rest.len());
            (ply, after) = (Sheet::default(), rest[len..].trim_start());
            ply.keep(span_of(self.text, &rest[..len]));
        }
        if ply.is_empty() {
            return self.note(span_of(self.text, words));
        }
        if self.game.is_at_start() && self.count > 0 && number == self.count.saturating_add(1) {
            self.game.plies_before = self.count;
        }
        self.game.ply(Some((number, span_of(self.text, digits))), ply);
        let after = self.times(after);
        // A variation of this ply follows somewhere; it has its own line.
        let after = after.strip_prefix('+').unwrap_or(after).trim();
        if !after.is_empty() {
            self.note(span_of(self.text, after));
        }
    }

    /// The ply at the start of a text, and the rest of the text. No blank is left after "the same square".
    fn ply_text<'w>(&self, words: &'w str) -> (Sheet, &'w str) {
        let mut sheet = Sheet::default();
        let (mut start, mut at) = (0, 0);
        while let Some(char) = words[at..].chars().next() {
            let next = at + char.len_utf8();
            let is_first = at == 0 && SIDES.contains(&char);
            if is_first || char.is_alphanumeric() || matches!(char, '+' | '-' | '!' | '?') {
                at = next;
            } else if char.is_whitespace() && words[..at].ends_with('同') {
                sheet.keep(span_of(self.text, &words[start..at]));
                at += words[at..].len() - words[at..].trim_start().len();
                start = at;
            } else {
                break;
            }
        }
        if let [b'(', b'0'..=b'9', b'0'..=b'9', b')', ..] = words.as_bytes()[at..] {
            at += 4;
        }
        sheet.keep(span_of(self.text, words[start..at].trim_end_matches('+')));
        (sheet, words[at..].trim_start())
    }

    /// Takes the times at the start of a text, and returns the rest of it: `( 0:16/00:00:16)`.
    fn times<'w>(&mut self, words: &'w str) -> &'w str {
        let Some((spent, total, len)) = times(words) else { return words };
        let main = self.game.in_main_line();
        let mut command = if main || spent > 0 { clock("emt", spent) } else { String::new() };
        // The total of variations cannot be checked: programs write 0, or count the time of another line.
        let mut differs = total.is_some_and(|total| total > 0);
        if main {
            let sum = &mut self.spent[usize::from(self.game.whites_turn())];
            *sum = sum.saturating_add(spent);
            differs = total.is_some_and(|total| total != *sum);
            *sum = total.unwrap_or(*sum);
        }
        if let Some(total) = total.filter(|_| differs) {
            command.push_str(if command.is_empty() { "" } else { " " });
            command.push_str(&clock("egt", total));
        }
        if !command.is_empty() {
            self.game.comments().write(format!("{{{command}}}\n"), span_of(self.text, &words[..len]));
        }
        words[len..].trim_start()
    }

    /// The end of the game as a line of KIF. One that is none for the record becomes a comment.
    fn end(&mut self, number: u32, word: &str, [line, rest]: [&str; 2], len: usize) {
        let (place, after) = (span_of(self.text, &rest[..len]), rest[len..].trim_start());
        let foul = if self.game.whites_turn() { "%-ILLEGAL_ACTION" } else { "%+ILLEGAL_ACTION" };
        let forfeit = |mover_wins: bool| match mover_wins == self.game.whites_turn() {
            true => "White wins by forfeit",
            false => "Black wins by forfeit",
        };
        let found = match word {
            "反則勝ち" => foul,
            "不戦勝" => forfeit(true),
            "不戦敗" => forfeit(false),
            word => word,
        };
        let is_next = self.game.is_next(number);
        if !self.game.end(found.to_owned(), place) {
            return self.note(span_of(self.text, line));
        }
        let after = match times(after) {
            Some((spent, total, len)) if spent % 1000 == 0 => {
                let sum = self.spent[usize::from(!self.game.whites_turn())].saturating_add(spent);
                if total.is_none_or(|total| total == sum || total == 0) && found.starts_with('%') {
                    self.game.end_time(spent / 1000);
                    after[len..].trim_start()
                } else {
                    after
                }
            }
            _ => after,
        };
        if !is_next || rest.starts_with("封じ手") {
            self.note(span_of(self.text, &line[..line.len() - rest.len() + len]));
        }
        if !after.is_empty() {
            self.note(span_of(self.text, after));
        }
    }

    /// A line of KI2.
    fn moves(&mut self, words: &str) {
        self.begin();
        let mut rest = words;
        while rest.starts_with(SIDES) {
            let (ply, after) = self.ply_text(rest);
            self.game.ply(None, ply);
            rest = after;
        }
        if rest.starts_with("まで") {
            self.result(rest);
        } else if !rest.is_empty() {
            self.note(span_of(self.text, rest));
        }
    }

    /// `まで20手で後手の勝ち`: the number of plies, and the result.
    fn result(&mut self, words: &str) {
        self.begin();
        let place = span_of(self.text, words);
        let rest = words.trim_start_matches("まで").trim_start_matches(['、', ' ', '\u{3000}']);
        let (count, rest) = match leading_number(rest) {
            Some((count, rest)) => (Some(count), rest.trim_start_matches('手').trim_start_matches('で')),
            None => (None, rest),
        };
        let found = outcome(rest).filter(|_| self.game.in_main_line());
        let Some((result, reason, is_whole)) = found else { return self.note(place) };
        if let Some(count) = count
            && let Some(sheet) = self.game.tag("PlyCount")
        {
            sheet.write(count.to_string(), place);
        }
        let has_end = self.game.has_end();
        if let Some(reason) = reason.filter(|_| !has_end) {
            self.game.end(reason, place);
        }
        let is_first = result.is_none_or(|result| self.game.states(result, place));
        if !is_whole || !is_first || has_end && reason.is_some_and(|reason| !self.game.ends_by(reason)) {
            self.note(place);
        }
    }
}

/// True for a time control as a tag has it: `600`, `40/7200:3600+30`.
fn is_time_control(words: &str) -> bool {
    words.starts_with(|first: char| first.is_ascii_digit() || first == '*')
        && words.bytes().all(|byte| byte.is_ascii_digit() || b"/+:*".contains(&byte))
}

/// The times at the start of a text in milliseconds, of the move and of the player so far, and their bytes.
fn times(words: &str) -> Option<(u64, Option<u64>, usize)> {
    let inner = words.strip_prefix('(')?;
    let end = inner.find(')')?;
    let (spent, total) = inner[..end].split_once('/').unwrap_or((&inner[..end], ""));
    let total = total.trim();
    let total = if total.is_empty() { None } else { Some(milliseconds(total)?) };
    Some((milliseconds(spent.trim())?, total, end + 2))
}
