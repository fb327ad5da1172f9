//! Files of the Computer Shogi Association, versions 1 to 3: a statement a line, `+7776FU`, or several with commas
//! between them. A line `/` is between two games.

use super::game::{BEGAN, ENDED, Game, clock, is_tag_name, milliseconds};
use super::regions::{Sign, content, is_utf8, lines, may_begin, regions, span_of};
use super::setup::{Man, Setup};
use super::sheet::Sheet;
use crate::interchange::formats::Format;
use crate::interchange::layers::Change;
use crate::record::GameResult;
use crate::record::csa;
use ferz_core::notation::ShogiPiece;
use ferz_core::text::Span;

/// The row of files of the Computer Shogi Association.
pub(in crate::interchange) const FORMAT: Format =
    Format { begins: |text| may_begin(text, sign), starts, games, ..Format::BARE };

/// The changes that make records of the games in files of the Computer Shogi Association.
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
    for region in regions(text, sign, |_| false) {
        let (mut start, mut moved, mut closed) = (region.start, false, false);
        for line in lines(text, region) {
            let words = content(text, line);
            if words.is_empty() {
                continue;
            }
            if closed || moved && begins_game(words) {
                found.push(Span::new(start, line.start));
                (start, moved) = (line.start, false);
            }
            closed = words == "/";
            moved |= is_move(words) || words.starts_with('%');
        }
        found.push(Span::new(start, region.end));
    }
    found
}

/// True for the line with the version of the format, which begins a file.
pub(super) fn begins_file(line: &str) -> bool {
    let version = line.strip_prefix('V').unwrap_or_default().as_bytes();
    matches!(version, [b'1'..=b'9'] | [b'1'..=b'9', b'.', b'0'..=b'9'])
}

/// What a line says about the format of a text.
fn sign(line: &str) -> Sign {
    match line.as_bytes() {
        [b'V', ..] if begins_file(line) => Sign::Certain,
        [b'$', ..] if key(line).is_some() => Sign::Certain,
        [b'P', b'I', rest @ ..] if rest.chunks(4).all(|place| piece_at(place).is_some()) => Sign::Certain,
        [b'P', b'1'..=b'9', ..] if line.len() > 3 && rank(line).is_some() => Sign::Certain,
        [b'P', b'+' | b'-', rest @ ..]
            if rest.len() > 3 && rest[..4].is_ascii() && rest[2].is_ascii_uppercase() =>
        {
            Sign::Certain
        }
        [b'\'', rest @ ..] if rest.starts_with(b"CSA encoding=") => Sign::Certain,
        [b'\'', ..] | [b'N', b'+' | b'-', ..] | [b'+' | b'-'] => Sign::Leads,
        _ if is_move(line) => Sign::Weak,
        _ => Sign::None,
    }
}

/// True for a line that begins with a move: `+7776FU`.
fn is_move(line: &str) -> bool {
    matches!(line.as_bytes(), [b'+' | b'-', squares @ ..]
        if squares.len() >= 6
            && squares[..4].iter().all(u8::is_ascii_digit)
            && squares[4..6].iter().all(u8::is_ascii_uppercase))
}

/// True for a line that begins another game after moves.
fn begins_game(line: &str) -> bool {
    match line.as_bytes() {
        [b'N', ..] => sign(line) == Sign::Leads,
        [b'$', ..] => key(line).is_some_and(|(name, _)| name != "END_TIME"),
        [b'V' | b'P', ..] => sign(line) == Sign::Certain,
        [b'\'', ..] => sign(line) == Sign::Certain,
        _ => false,
    }
}

/// The name and the value of `$EVENT:…`.
fn key(line: &str) -> Option<(&str, &str)> {
    let (name, value) = line.strip_prefix('$')?.split_once(':')?;
    let is_name =
        !name.is_empty() && name.bytes().all(|byte| matches!(byte, b'A'..=b'Z' | b'_' | b'+' | b'-'));
    is_name.then_some((name, value.trim()))
}

/// The kind of a piece: its letter in FEN, and whether it is promoted.
fn piece(name: &[u8]) -> Option<(u8, bool)> {
    ShogiPiece::named(std::str::from_utf8(name).ok()?, |piece| &piece.csa)
}

/// A square with a piece, `82HI`: rank and file from the upper left corner, and its kind.
fn piece_at(place: &[u8]) -> Option<(usize, usize, u8, bool)> {
    let [file @ b'1'..=b'9', rank @ b'1'..=b'9', ..] = *place else { return None };
    let (letter, promoted) = piece(&place[2..])?;
    Some((usize::from(rank - b'1'), usize::from(b'9' - file), letter, promoted))
}

/// The rank of a line `P1-KY-KE-GI-KI-OU-KI-GI-KE-KY`; blanks at its end may be missing.
fn rank(line: &str) -> Option<[Option<Man>; 9]> {
    let squares = &line.as_bytes()[2..];
    let mut row = [None; 9];
    for (man, square) in row.iter_mut().zip(squares.chunks(3)) {
        *man = match *square {
            [b' ', b'*', ..] | [b' ', b' ', b' '] | [b' ', b' '] | [b' '] => None,
            [side @ (b'+' | b'-'), a, b] => {
                let (letter, promoted) = piece(&[a, b])?;
                Some(Man { letter, promoted, black: side == b'-' })
            }
            _ => return None,
        };
    }
    (squares.len() <= 27 && squares.len() > 24).then_some(row)
}

/// Reads one game.
struct Reader<'t> {
    text: &'t [u8],
    game: Game,
    /// Lines of a comment that may go on.
    comment: Vec<Span>,
    /// The position of the lines so far.
    setup: Option<Setup>,
    /// These lines.
    position: Vec<Span>,
    /// A line of the position that cannot be read.
    unread: Option<Span>,
    /// True after the start of the game has been set.
    begun: bool,
}

impl<'t> Reader<'t> {
    fn new(text: &'t [u8], part: Span) -> Reader<'t> {
        let (game, comment, position) = (Game::new(part), Vec::new(), Vec::new());
        Reader { text, game, comment, setup: None, position, unread: None, begun: false }
    }

    /// Reads the lines of a part of the text.
    fn read(mut self, part: Span) -> Vec<Change> {
        for line in lines(self.text, part) {
            if !is_utf8(self.text, line) {
                self.close_comment();
                self.note(line);
                continue;
            }
            let words = content(self.text, line);
            match words.strip_prefix('\'') {
                Some(encoding) if encoding.starts_with("CSA encoding=") => {}
                Some(comment) if self.takes_tag(comment) => {}
                Some(comment) => self.comment.push(span_of(self.text, comment)),
                None if words.is_empty() => {}
                None => {
                    self.close_comment();
                    self.line(words);
                }
            }
        }
        self.take_result();
        self.close_comment();
        self.begin();
        self.game.changes(self.text)
    }

    /// Takes a comment before the moves that has a tag without a line of its own: `'TimeControl: 600+5`.
    fn takes_tag(&mut self, comment: &str) -> bool {
        let Some((name, value)) = comment.split_once(": ").filter(|_| !self.begun) else { return false };
        let value = value.trim();
        if !is_tag_name(name) || value.is_empty() {
            return false;
        }
        let Some(sheet) = self.game.tag(name.to_owned()) else { return false };
        sheet.keep_value(self.text, span_of(self.text, value));
        true
    }

    /// Takes a result for which the format has no word from the comment that ends the file: `'1-0`.
    fn take_result(&mut self) {
        let Some(&last) = self.comment.last() else { return };
        let result = GameResult::parse(content(self.text, last));
        if let Some(result) = result.filter(|_| self.begun && !self.game.has_end())
            && self.game.states(result, last)
        {
            self.comment.pop();
        }
    }

    fn close_comment(&mut self) {
        let lines = std::mem::take(&mut self.comment);
        self.game.comments().comment(self.text, &lines);
    }

    /// Keeps a text as a comment.
    fn note(&mut self, text: Span) {
        self.game.comments().comment(self.text, &[text]);
    }

    fn line(&mut self, words: &str) {
        let place = span_of(self.text, words);
        let is_taken = match words.as_bytes() {
            [b'/'] => true,
            [b'V', ..] => begins_file(words),
            [b'N', b'+' | b'-', ..] => self.name(words),
            [b'$', ..] => self.header(words),
            [b'P', ..] if !self.begun => {
                self.position.push(place);
                if sign(words) == Sign::None || !self.position(words) {
                    self.unread = self.unread.or(Some(place));
                }
                true
            }
            [b'+' | b'-' | b'T' | b'%', ..] => {
                self.statements(words);
                true
            }
            _ => false,
        };
        if !is_taken {
            self.note(place);
        }
    }

    fn name(&mut self, words: &str) -> bool {
        let value = words[2..].trim();
        let tag = if words.starts_with("N+") { "White" } else { "Black" };
        self.keeps(tag, value)
    }

    /// Takes a text as the value of a tag; false if the game has the tag already.
    fn keeps(&mut self, tag: &'static str, value: &str) -> bool {
        if value.is_empty() {
            return true;
        }
        let Some(sheet) = self.game.tag(tag) else { return false };
        sheet.keep_value(self.text, span_of(self.text, value));
        true
    }

    fn header(&mut self, words: &str) -> bool {
        let Some((name, value)) = key(words) else { return false };
        let place = span_of(self.text, value);
        match name {
            _ if value.is_empty() => true,
            "END_TIME" => self.game.instant(self.text, place, ENDED),
            _ if self.begun => false,
            "EVENT" => self.keeps("Event", value),
            "SITE" => self.keeps("Site", value),
            "OPENING" => self.keeps("Opening", value),
            "START_TIME" => self.game.instant(self.text, place, BEGAN),
            "TIME_LIMIT" | "TIME" => match time_control(name, value).zip(self.game.tag("TimeControl")) {
                Some((control, sheet)) => {
                    sheet.write(control, place);
                    true
                }
                None => false,
            },
            _ => false,
        }
    }

    /// Takes a line of the position, `PI`, `P1…`, `P+…`; false if it cannot be read.
    fn position(&mut self, words: &str) -> bool {
        let bytes = words.as_bytes();
        let fresh = || if bytes[1] == b'I' { Setup::array() } else { Setup::empty() };
        let setup = self.setup.get_or_insert_with(fresh);
        match bytes[1] {
            b'I' => {
                for (rank, file, ..) in bytes[2..].chunks(4).filter_map(piece_at) {
                    setup.board[rank][file] = None;
                }
                true
            }
            rank_digit @ b'1'..=b'9' => rank(words).is_some_and(|row| {
                setup.board[usize::from(rank_digit - b'1')] = row;
                true
            }),
            side => bytes[2..].chunks(4).all(|man| place_man(setup, side == b'-', man)),
        }
    }

    /// Sets the start of the game, once its position has been read.
    fn begin(&mut self) {
        if std::mem::replace(&mut self.begun, true) {
            return;
        }
        let setup = self.setup.take().unwrap_or_else(Setup::array);
        let Some(line) = self.unread else {
            let lines = self.position.first().zip(self.position.last());
            let from = lines.map_or(self.game.begins_at(), |(first, last)| Span::new(first.start, last.end));
            return self.game.start(&setup, from);
        };
        self.game.start_unread(self.text, line);
        let others: Vec<Span> = self.position.iter().copied().filter(|other| *other != line).collect();
        self.game.comments().comment(self.text, &others);
    }

    /// Statements of moves: with commas between them, or blanks as people write them.
    fn statements(&mut self, words: &str) {
        let mut rest = words;
        while !rest.is_empty() {
            // The last one may be a comment.
            if let Some(comment) = rest.strip_prefix('\'') {
                return self.note(span_of(self.text, comment));
            }
            let len = rest.find([',', ' ', '\t']).unwrap_or(rest.len());
            let statement = &rest[..len];
            if !statement.is_empty() && !self.statement(statement) {
                self.note(span_of(self.text, statement));
            }
            rest = rest[len..].trim_start_matches([',', ' ', '\t']);
        }
    }

    /// Takes a statement; false if it has to be kept as a comment.
    fn statement(&mut self, words: &str) -> bool {
        let place = span_of(self.text, words);
        match words.as_bytes() {
            [side @ (b'+' | b'-')] if !self.begun => {
                self.game.black_begins = *side == b'-';
                self.begin();
                true
            }
            // A wrong ply is one, too, so that the place of the fault is this line.
            [side @ (b'+' | b'-'), rest @ ..] if rest.iter().any(u8::is_ascii_digit) => {
                if rest.iter().any(|byte| b"{}();".contains(byte)) {
                    return false;
                }
                if !self.begun {
                    self.game.black_begins = *side == b'-';
                    self.begin();
                }
                let mut text = Sheet::default();
                // The sign is a part of plies in this style only.
                let is_other = rest[0].is_ascii_alphabetic();
                text.keep(Span::new(place.start + usize::from(is_other), place.end));
                self.game.ply(None, text);
                true
            }
            [b'T', ..] => self.time(&words[1..], place),
            [b'%', ..] if csa::end_at(words.as_bytes()) == words.len() => {
                self.begin();
                self.game.end(words.to_owned(), place)
            }
            _ => false,
        }
    }

    /// The time of the last move, or of the player who ended the game.
    fn time(&mut self, value: &str, place: Span) -> bool {
        let Some(time) = milliseconds(value).filter(|_| self.begun && !self.game.is_at_start()) else {
            return false;
        };
        if !self.game.has_end() {
            self.game.comments().write(format!("{{{}}}\n", clock("emt", time)), place);
            return true;
        }
        if time % 1000 == 0 {
            self.game.end_time(time / 1000);
        }
        time % 1000 == 0
    }
}

/// Puts a piece of `P+…` on its square or in its player's hand; false if it cannot be read.
fn place_man(setup: &mut Setup, black: bool, man: &[u8]) -> bool {
    if man == b"00AL" {
        setup.hold_rest(black);
        return true;
    }
    if let Some(held) = man.strip_prefix(b"00") {
        return piece(held).is_some_and(|(letter, promoted)| !promoted && setup.hold(black, letter, 1));
    }
    let Some((rank, file, letter, promoted)) = piece_at(man) else { return false };
    setup.board[rank][file] = Some(Man { letter, promoted, black });
    true
}

/// The value of the tag for `$TIME_LIMIT:00:15+00` or `$TIME:900+0+10`; `None` for those with a countdown at the end,
/// which the tag cannot express.
fn time_control(name: &str, value: &str) -> Option<String> {
    let number = |text: &str| text.parse::<u32>().ok();
    if name == "TIME_LIMIT" {
        let (time, countdown) = value.split_once('+')?;
        let (hours, minutes) = time.split_once(':')?;
        let seconds = number(hours)?.checked_mul(3600)?.checked_add(number(minutes)?.checked_mul(60)?)?;
        return (number(countdown)? == 0 && seconds > 0).then(|| seconds.to_string());
    }
    let parts: Vec<u32> = value.split('+').map(number).collect::<Option<_>>()?;
    match parts[..] {
        [time, 0] | [time, 0, 0] if time > 0 => Some(time.to_string()),
        [time, 0, increment] if time > 0 => Some(format!("{time}+{increment}")),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_controls_without_a_countdown_are_expressed() {
        for (name, value, found) in [
            ("TIME_LIMIT", "00:15+00", Some("900")),
            ("TIME_LIMIT", "00:15+60", None),
            ("TIME_LIMIT", "00:00+30", None),
            ("TIME", "900+0+10", Some("900+10")),
            ("TIME", "900+0+0", Some("900")),
            ("TIME", "900+10+0", None),
            ("TIME", "x", None),
        ] {
            assert_eq!(time_control(name, value).as_deref(), found, "{value}");
        }
    }

    #[test]
    fn lines_show_the_format() {
        for (line, found) in [
            ("V2.2", Sign::Certain),
            ("V3.0", Sign::Certain),
            ("PI", Sign::Certain),
            ("PI82HI22KA", Sign::Certain),
            ("P1-KY-KE-GI-KI-OU-KI-GI-KE-KY", Sign::Certain),
            ("P2 * -HI *  *  *  *  * -KA *", Sign::Certain),
            ("P+27FU00KI", Sign::Certain),
            ("P-00AL", Sign::Certain),
            ("$EVENT:x", Sign::Certain),
            ("N+Ann", Sign::Leads),
            ("'note", Sign::Leads),
            ("+7776FU", Sign::Weak),
            ("+7776FU,T12", Sign::Weak),
            ("P-KB4 N-KB3", Sign::None),
            ("Very good", Sign::None),
            ("PIANO", Sign::None),
            ("$12", Sign::None),
            ("-1.5", Sign::None),
        ] {
            assert_eq!(sign(line), found, "{line}");
        }
    }
}
