//! A game of shogi as files of programs hold it, and the record that it becomes.

use super::regions::content;
use super::setup::Setup;
use super::sheet::Sheet;
use crate::interchange::layers::Change;
use crate::record::GameResult;
use crate::record::csa;
use crate::record::endings::ending;
use ferz_core::text::Span;
use std::borrow::Cow;

/// A game as far as it has been read.
#[derive(Debug)]
pub(super) struct Game {
    span: Span,
    tags: Vec<(Cow<'static, str>, Sheet)>,
    /// Comments before the moves.
    notes: Sheet,
    /// The main line, then the variations in the order of the file.
    lines: Vec<Line>,
    /// The line that plies go to. Variations of another line are closed when one of its own begins.
    open: Vec<usize>,
    /// True if Gote, who is Black, has the first ply.
    pub(super) black_begins: bool,
    /// What the first ply is numbered beyond 1.
    pub(super) plies_before: u32,
    end: Option<End>,
    /// The result that the file states after the end, and where.
    result: Option<(GameResult, Span)>,
    /// Comments after the end.
    after: Sheet,
}

/// The main line, or a variation.
#[derive(Debug)]
struct Line {
    /// The number of its first ply.
    first: u32,
    span: Span,
    /// Where it is a variation: the line and the ply that it is written after.
    parent: Option<(usize, usize)>,
    /// The variation goes on after the last ply of its parent, which it repeats.
    repeats: bool,
    notes: Sheet,
    plies: Vec<Ply>,
}

#[derive(Debug)]
struct Ply {
    number: Option<(u32, Span)>,
    text: Sheet,
    after: Sheet,
}

/// The end of a game: the word that a record has for it, and where the file says it.
#[derive(Debug)]
struct End {
    word: Cow<'static, str>,
    span: Span,
}

impl Game {
    /// A game that takes a part of the text.
    pub(super) fn new(span: Span) -> Game {
        let main =
            Line { first: 1, span, parent: None, repeats: false, notes: Sheet::default(), plies: Vec::new() };
        Game {
            span,
            tags: Vec::new(),
            notes: Sheet::default(),
            lines: vec![main],
            open: vec![0],
            black_begins: false,
            plies_before: 0,
            end: None,
            result: None,
            after: Sheet::default(),
        }
    }

    /// Sets a tag; `None` if the game has it already.
    pub(super) fn tag(&mut self, name: impl Into<Cow<'static, str>>) -> Option<&mut Sheet> {
        let name = name.into();
        if self.tags.iter().any(|(known, _)| *known == name) {
            return None;
        }
        self.tags.push((name, Sheet::default()));
        self.tags.last_mut().map(|(_, value)| value)
    }

    /// Sets the tag `FEN`, and `SetUp`, unless the game starts from the array.
    pub(super) fn start(&mut self, setup: &Setup, from: Span) {
        if let Some(fen) = setup.fen(self.black_begins)
            && let Some(value) = self.tag("FEN")
        {
            value.write(fen, from);
            self.set_up(from);
        }
    }

    /// Sets the tag `FEN` to a line that shows no position, so that its fault is reported there.
    pub(super) fn start_unread(&mut self, text: &[u8], line: Span) {
        if let Some(value) = self.tag("FEN") {
            value.keep_value(text, line);
            self.set_up(line);
        }
    }

    fn set_up(&mut self, from: Span) {
        if let Some(value) = self.tag("SetUp") {
            value.write("1", from);
        }
    }

    /// True in the main line, not in a variation.
    pub(super) fn in_main_line(&self) -> bool {
        self.open.len() == 1
    }

    /// True before the first ply.
    pub(super) fn is_at_start(&self) -> bool {
        self.in_main_line() && self.lines[0].plies.is_empty() && self.end.is_none()
    }

    fn line(&mut self) -> &mut Line {
        let open = self.open.last().copied().unwrap_or(0);
        &mut self.lines[open]
    }

    /// Adds a ply to the line that is read.
    pub(super) fn ply(&mut self, number: Option<(u32, Span)>, text: Sheet) {
        if self.in_main_line() {
            self.reopen();
        }
        self.line().plies.push(Ply { number, text, after: Sheet::default() });
    }

    /// Where the game goes on after its end, that was none: it becomes a comment.
    fn reopen(&mut self) {
        let Some(End { word, span }) = self.end.take() else { return };
        let after = std::mem::take(&mut self.after);
        let notes = self.comments();
        notes.write("{", span);
        notes.write(word, span);
        notes.write("}\n", span);
        notes.append(&after);
    }

    /// Where comments go: after the last ply, before the first one, or after the end.
    pub(super) fn comments(&mut self) -> &mut Sheet {
        let main = self.in_main_line();
        if main && (self.end.is_some() || self.result.is_some()) {
            return &mut self.after;
        }
        if main && self.lines[0].plies.is_empty() {
            return &mut self.notes;
        }
        let line = self.line();
        match line.plies.last_mut() {
            Some(ply) => &mut ply.after,
            None => &mut line.notes,
        }
    }

    /// True if White is on move after the main line.
    pub(super) fn whites_turn(&self) -> bool {
        self.black_begins == (self.lines[0].plies.len() % 2 == 1)
    }

    /// Ends the main line; false if it has ended already, or a variation is read.
    pub(super) fn end(&mut self, word: impl Into<Cow<'static, str>>, span: Span) -> bool {
        let ends = self.in_main_line() && self.end.is_none();
        if ends {
            self.end = Some(End { word: word.into(), span });
        }
        ends
    }

    pub(super) fn has_end(&self) -> bool {
        self.end.is_some()
    }

    /// True if the main line ends with a word, perhaps with a time after it.
    pub(super) fn ends_by(&self, word: &str) -> bool {
        self.end.as_ref().is_some_and(|end| end.word.split(',').next() == Some(word))
    }

    /// True if a ply with a number would be the next one of the main line.
    pub(super) fn is_next(&self, number: u32) -> bool {
        u64::from(number) == u64::from(self.plies_before) + self.lines[0].plies.len() as u64 + 1
    }

    /// The place where the game begins.
    pub(super) fn begins_at(&self) -> Span {
        Span::new(self.span.start, self.span.start)
    }

    /// Adds the time that the player took to think before the end.
    pub(super) fn end_time(&mut self, seconds: u64) {
        if let Some(end) = self.end.as_mut().filter(|_| seconds > 0) {
            end.word = Cow::Owned(format!("{},T{seconds}", end.word));
        }
    }

    /// States the result of the main line; false if it is stated already.
    pub(super) fn states(&mut self, result: GameResult, span: Span) -> bool {
        let first = self.result.is_none();
        if first {
            self.result = Some((result, span));
        }
        first
    }

    /// Begins a variation at the ply with a number; false if no line read so far has a place for it.
    pub(super) fn vary(&mut self, number: u32, span: Span) -> bool {
        while let [_, .., open] = self.open[..]
            && self.lines[open].first >= number
        {
            self.open.pop();
        }
        let parent = self.open.last().copied().unwrap_or(0);
        let before = if parent == 0 { self.plies_before } else { 0 };
        let len = self.lines[parent].plies.len();
        let at = number.checked_sub(self.lines[parent].first.saturating_add(before));
        let Some(at) = at.and_then(|at| usize::try_from(at).ok()).filter(|at| *at <= len && len > 0) else {
            return false;
        };
        let repeats = at == len;
        let parent = Some((parent, at - usize::from(repeats)));
        let line = Line { first: number, span, parent, repeats, notes: Sheet::default(), plies: Vec::new() };
        self.open.push(self.lines.len());
        self.lines.push(line);
        true
    }

    /// Reads no further lines into a variation.
    pub(super) fn leave_variations(&mut self) {
        self.open.truncate(1);
    }

    /// The changes that make a record of the game.
    pub(super) fn changes(self, text: &[u8]) -> Vec<Change> {
        let start = self.begins_at();
        let end = Span::new(self.span.end, self.span.end);
        let mut sheet = Sheet::default();
        // A record before this one may end without a line end.
        if self.span.start > 0 {
            sheet.write("\n", start);
        }
        sheet.write("[Variant \"shogi\"]\n", start);
        for (name, value) in self.tags.iter().filter(|(_, value)| !value.is_empty()) {
            sheet.write(format!("[{name} \""), start);
            sheet.append(value);
            sheet.write("\"]\n", start);
        }
        sheet.write("\n", start);
        sheet.append(&self.notes);
        self.write_lines(&mut sheet);
        self.write_end(&mut sheet, end);
        sheet.append(&self.after);
        sheet.write("\n", end);
        sheet.changes(text, self.span)
    }

    /// Writes the main line with its variations, each after the ply that it may replace.
    fn write_lines(&self, sheet: &mut Sheet) {
        let mut children: Vec<Vec<(usize, usize)>> = vec![Vec::new(); self.lines.len()];
        for (index, line) in self.lines.iter().enumerate() {
            if let Some((parent, ply)) = line.parent {
                children[parent].push((ply, index));
            }
        }
        for children in &mut children {
            children.sort_by_key(|(ply, _)| *ply);
        }
        let mut walk = vec![(0, 0, 0)];
        while let Some((line, plies, varied)) = walk.last_mut() {
            let child = children[*line].get(*varied).filter(|(ply, _)| ply < plies);
            if let Some(&(ply, child)) = child {
                *varied += 1;
                let parent = &self.lines[*line];
                self.begin_variation(sheet, &self.lines[child], &parent.plies[ply]);
                walk.push((child, 0, 0));
            } else if let Some(ply) = self.lines[*line].plies.get(*plies) {
                *plies += 1;
                self.write_ply(sheet, ply);
                sheet.append(&ply.after);
            } else {
                let line = &self.lines[*line];
                if line.parent.is_some() && !line.plies.is_empty() {
                    sheet.write(")\n", line.span);
                }
                walk.pop();
            }
        }
    }

    fn begin_variation(&self, sheet: &mut Sheet, line: &Line, parent: &Ply) {
        if !line.plies.is_empty() {
            sheet.write("(", line.span);
            if line.repeats {
                self.write_ply(sheet, parent);
            }
        }
        sheet.append(&line.notes);
    }

    /// Writes a ply with the number that a record has for its number.
    fn write_ply(&self, sheet: &mut Sheet, ply: &Ply) {
        if let Some((number, from)) = ply.number {
            // Gote's first ply is the second of its move.
            let half = u64::from(number.saturating_sub(self.plies_before)) + u64::from(self.black_begins);
            let dots = if half % 2 == 1 { "." } else { "..." };
            sheet.write(format!("{}{dots} ", half.div_ceil(2)), from);
        }
        sheet.append(&ply.text);
        sheet.write("\n", Span::new(self.span.end, self.span.end));
    }

    /// Writes the end, and the result where it says more than the end or contradicts it.
    fn write_end(&self, sheet: &mut Sheet, last: Span) {
        let mut said = None;
        if let Some(End { word, span }) = &self.end {
            let found = match word.starts_with('%') {
                true => csa::ending(word.as_bytes(), self.whites_turn()),
                false => ending(word, &["", ""]),
            };
            said = found.map(|ending| ending.result);
            sheet.write(word.clone(), *span);
            sheet.write("\n", *span);
        }
        match self.result {
            Some((result, span)) if said != Some(result) => {
                sheet.write(result.to_string(), span);
                sheet.write("\n", span);
            }
            None if self.end.is_none() => sheet.write("*\n", last),
            _ => {}
        }
    }
}

/// True for the name of a tag pair, such as `TimeControl`: a tag for which a format has no header is written as a
/// header or a comment with its name. Formats have their own names in other scripts, in capitals or in small letters.
pub(super) fn is_tag_name(name: &str) -> bool {
    let mut bytes = name.bytes();
    bytes.next().is_some_and(|first| first.is_ascii_uppercase())
        && bytes.clone().any(|byte| byte.is_ascii_lowercase())
        && bytes.all(|byte| byte.is_ascii_alphanumeric())
}

/// The command for the time of a ply, with a fraction of a second only where it has one.
pub(super) fn clock(command: &str, milliseconds: u64) -> String {
    let (seconds, rest) = (milliseconds / 1000, milliseconds % 1000);
    let fraction = if rest > 0 { format!(".{rest:03}") } else { String::new() };
    format!("[%{command} {}:{:02}:{:02}{fraction}]", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

/// Milliseconds of a time in parts of 60, `0:16`, `00:01:16`, `12`, `12.345`; `None` for any other text.
pub(super) fn milliseconds(text: &str) -> Option<u64> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let parts: Vec<&str> = whole.split(':').collect();
    let is_number = |part: &str, most: usize| {
        (1..=most).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit())
    };
    if parts.len() > 3 || !fraction.is_empty() && !is_number(fraction, 3) || text.ends_with('.') {
        return None;
    }
    let mut seconds = 0;
    for part in parts {
        let part = part.trim();
        seconds = 60 * seconds + part.parse::<u64>().ok().filter(|_| is_number(part, 6))?;
    }
    Some(1000 * seconds + format!("{fraction:0<3}").parse::<u64>().ok()?)
}

/// The parts of a date with its time in the form of the standard: `2020/01/02 10:00:00`, `2020年1月2日`. The time is
/// empty where the text has none. `None` if there is anything else in it.
pub(super) fn date_and_time(text: &str) -> Option<(String, String)> {
    // The day of the week follows from the date.
    let mut text = text.to_owned();
    for day in "月火水木金土日".chars() {
        text = text.replace(&format!("({day})"), " ");
    }
    let text = text
        .replace(['年', '月', '/', '-'], ".")
        .replace('日', " ")
        .replace(['時', '分'], ":")
        .replace('秒', "");
    let mut words = text.split_whitespace();
    let parts: Vec<&str> = words.next()?.split('.').collect();
    let [year, month, day] = parts[..] else { return None };
    let number =
        |text: &str, most: u32| text.parse::<u32>().ok().filter(|number| (1..=most).contains(number));
    let (year, month, day) =
        (number(year, 2999).filter(|_| year.len() == 4)?, number(month, 12)?, number(day, 31)?);
    let mut time = String::new();
    if let Some(word) = words.next() {
        let parts: Vec<u32> =
            word.trim_end_matches(':').split(':').map(|part| part.parse().ok()).collect::<Option<_>>()?;
        let [hour, minute] = *parts.get(..2)? else { return None };
        let second = parts.get(2).copied().unwrap_or(0);
        if parts.len() > 3 || hour > 23 || minute > 59 || second > 59 {
            return None;
        }
        time = format!("{hour:02}:{minute:02}:{second:02}");
    }
    words.next().is_none().then(|| (format!("{year:04}.{month:02}.{day:02}"), time))
}

/// The names of tags for the beginning or the end of a game.
pub(super) const BEGAN: [&str; 2] = ["Date", "StartTime"];
/// See [`BEGAN`].
pub(super) const ENDED: [&str; 2] = ["EndDate", "EndTime"];

impl Game {
    /// Sets the tags of an instant; false if its text is none, or the game has them.
    pub(super) fn instant(
        &mut self,
        text: &[u8],
        value: Span,
        [date_tag, time_tag]: [&'static str; 2],
    ) -> bool {
        let Some((date, time)) = date_and_time(content(text, value)) else { return false };
        let Some(sheet) = self.tag(date_tag) else { return false };
        sheet.write(date, value);
        if !time.is_empty()
            && let Some(sheet) = self.tag(time_tag)
        {
            sheet.write(time, value);
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read() {
        for (text, found) in [
            ("0:16", Some(16_000)),
            ("61:05", Some(3_665_000)),
            ("00:01:16", Some(76_000)),
            (" 1: 2", Some(62_000)),
            ("12.5", Some(12_500)),
            ("12.", None),
            ("", None),
            ("1:2:3:4", None),
            ("x", None),
            ("+5", None),
        ] {
            assert_eq!(milliseconds(text), found, "{text}");
        }
        assert_eq!(clock("emt", 3_665_000), "[%emt 1:01:05]");
        assert_eq!(clock("emt", 12_050), "[%emt 0:00:12.050]");
    }

    #[test]
    fn dates_are_read() {
        let pair = |date: &str, time: &str| Some((date.to_owned(), time.to_owned()));
        for (text, found) in [
            ("2020/01/02 10:00:00", pair("2020.01.02", "10:00:00")),
            ("2020/1/2 9:05", pair("2020.01.02", "09:05:00")),
            ("2020年1月2日", pair("2020.01.02", "")),
            ("2020年1月2日 10時00分", pair("2020.01.02", "10:00:00")),
            ("2020-01-02", pair("2020.01.02", "")),
            ("2020/01/02 10:00:00 x", None),
            ("2020/13/02", None),
            ("2020/01/02(木) 10:00:00", pair("2020.01.02", "10:00:00")),
            ("2020/01/05(日)", pair("2020.01.05", "")),
            ("2020/01/02(x)", None),
            ("2020/01/02 25:00", None),
        ] {
            assert_eq!(date_and_time(text), found, "{text}");
        }
    }
}
