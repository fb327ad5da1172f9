//! The lines of a text: which of them belong to a game, and which are skipped.

use super::named_tags::{heading, keys, standard_value};
use super::{Change, char_at, is_csa_ply, is_plain};
use crate::record::bytes::brace_end;
use crate::record::courier::begins_with_thai_square;
use crate::record::csa;
use crate::record::endings::ending_at;
use crate::record::item::{GameResult, KOREAN_PASS};
use crate::record::number;
use crate::record::read::decode;
use std::ops::Range;

/// What a line is by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Class {
    /// White space only.
    Blank,
    /// A tag pair, or the rest of one.
    Tag,
    /// `White: Smith`.
    Key,
    /// `Game 5: Smith - Jones`.
    Heading,
    /// Moves, perhaps with words after them, a comment, an escape line.
    Moves,
    /// `White resigns`.
    Ending,
    /// Inside a comment in braces that an earlier line began.
    Inside,
    /// Anything else.
    Prose,
}

/// A line: its bytes with the line end, and its class.
#[derive(Debug, Clone)]
struct Line {
    range: Range<usize>,
    class: Class,
}

impl Line {
    fn is_of_a_game(&self) -> bool {
        matches!(self.class, Class::Tag | Class::Moves | Class::Key)
    }
}

/// A token between white space, parentheses and comments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Token {
    /// `12.`, `12...`, `12`.
    Number(u32),
    /// Reads as a ply, perhaps after its number.
    Ply,
    Result,
    /// `12.05.2025`, `12.05.`, when a move was made.
    Date,
    /// An annotation, dots, a short text that may be part of a move.
    Mark,
    /// Has three letters in a row and is no ply.
    Word,
}

/// The changes that leave the lines of games alone.
pub(super) fn changes(text: &[u8]) -> Vec<Change> {
    let lines = classified(text);
    sections(&lines).flat_map(|lines| section_changes(text, lines)).collect()
}

/// The changes in a section: what a game is never depends on the sections around it.
fn section_changes(text: &[u8], lines: &[Line]) -> Vec<Change> {
    let span = lines.first().zip(lines.last()).map(|(first, last)| first.range.start..last.range.end);
    if !lines.iter().any(Line::is_of_a_game) || span.is_none_or(|span| is_plain(&text[span])) {
        return Vec::new();
    }
    let mut reader = Reader { text, lines, changes: Vec::new(), begun: false, misread: false };
    reader.run();
    if reader.misread { reader.changes } else { Vec::new() }
}

/// The lines in sections: one ends where the tags of another game begin, after a blank line.
fn sections(lines: &[Line]) -> impl Iterator<Item = &[Line]> {
    let (mut has_game, mut before) = (false, Class::Blank);
    let mut begins = move |line: &Line| {
        let begins = has_game && before == Class::Blank && line.class == Class::Tag;
        has_game = line.is_of_a_game() || has_game && !begins;
        before = line.class;
        begins
    };
    let mut starts: Vec<usize> = vec![0];
    starts.extend(lines.iter().enumerate().filter(|(_, line)| begins(line)).map(|(at, _)| at));
    let ends: Vec<usize> = starts[1..].iter().copied().chain([lines.len()]).collect();
    starts.into_iter().zip(ends).map(|(start, end)| &lines[start..end])
}

/// The lines of a text with their classes.
fn classified(text: &[u8]) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    let (mut at, mut comment_end) = (0, 0);
    // The names of the players, as far as tags before the line give them.
    let mut names = [String::new(), String::new()];
    let mut open_tag = false;
    while at < text.len() {
        let end = memchr::memchr(b'\n', &text[at..]).map_or(text.len(), |end| at + end + 1);
        let line = &text[at..end];
        let class = if at < comment_end {
            Class::Inside
        } else if open_tag && !line.trim_ascii().is_empty() {
            Class::Tag
        } else {
            class_of(line, &names)
        };
        open_tag = class == Class::Tag && !line.trim_ascii_end().ends_with(b"]") && !open_tag;
        match class {
            Class::Tag => note_names(line, &mut names),
            Class::Key => {
                for (tag, value) in keys(line) {
                    note_name(tag, &decode(&line[value]), &mut names);
                }
            }
            _ => {}
        }
        if matches!(class, Class::Moves | Class::Ending | Class::Inside) {
            comment_end = last_comment_end(text, at.max(comment_end)..end).max(comment_end);
        }
        lines.push(Line { range: at..end, class });
        at = end;
    }
    lines
}

/// The end of the comment in braces that a range leaves open; 0 if it leaves none.
pub(super) fn last_comment_end(text: &[u8], range: Range<usize>) -> usize {
    let mut at = range.start;
    while at < range.end
        && let Some(brace) = memchr::memchr(b'{', &text[at..range.end])
    {
        at = brace_end(text, at + brace + 1).0;
        if at >= range.end {
            return at;
        }
    }
    0
}

fn note_names(line: &[u8], names: &mut [String; 2]) {
    for (tag, slot) in ["[White ", "[Black "].iter().zip(0..) {
        if let Some(value) = line.trim_ascii().strip_prefix(tag.as_bytes()) {
            let quotes = |char: char| matches!(char, '"' | ']' | '“' | '”' | '„' | '«' | '»');
            decode(value).trim_matches(quotes).clone_into(&mut names[slot]);
        }
    }
}

fn note_name(tag: &str, value: &str, names: &mut [String; 2]) {
    match tag {
        "White" => value.clone_into(&mut names[0]),
        "Black" => value.clone_into(&mut names[1]),
        _ => {}
    }
}

fn class_of(line: &[u8], names: &[String; 2]) -> Class {
    let text = line.trim_ascii();
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    match text {
        [] => return Class::Blank,
        [b'[', rest @ ..] if is_tag(rest) => return Class::Tag,
        [b'{' | b';', ..] => return Class::Moves,
        [b'%', ..] if line[0] == b'%' => return Class::Moves,
        _ => {}
    }
    if decode(text).trim().is_empty() {
        return Class::Blank;
    }
    let [white, black] = names;
    if ending_at(text, 0, &[white, black]).is_some_and(|(end, _)| end == text.len()) {
        return Class::Ending;
    }
    if is_moves(text) {
        return Class::Moves;
    }
    // `Dear Ann, [Event "Club"]`: what stands before the tag is left to the reader of records.
    if memchr::memchr_iter(b'[', text).any(|bracket| is_tag(&text[bracket + 1..]) && text.ends_with(b"\"]")) {
        return Class::Tag;
    }
    if !keys(line).is_empty() {
        return Class::Key;
    }
    if heading(line).is_some() { Class::Heading } else { Class::Prose }
}

/// True if a tag pair goes on after its bracket: a name, then a value or nothing.
fn is_tag(text: &[u8]) -> bool {
    let name = text.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
    let value = text[name..].trim_ascii_start();
    let begins = |quote: &str| value.starts_with(quote.as_bytes());
    let quoted =
        ["\"", "\u{201c}", "\u{201d}", "\u{201e}", "\u{ab}", "\u{bb}", "'", "]"].into_iter().any(begins);
    name > 0
        && text[0].is_ascii_alphabetic()
        && (quoted || value.len() < text.len() - name && text[0].is_ascii_uppercase())
}

/// Words after a single ply with its number, as in `12. Nf3 a nice move, I think`.
const WORDS_AFTER_PLY_MAX: usize = 12;

/// True if a line begins with a ply or its number, and has more plies than words.
fn is_moves(line: &[u8]) -> bool {
    let (mut plies, mut words, mut results) = (0, 0, 0);
    let (mut first, mut second) = (None, None);
    for (_, token) in tokens(line) {
        match token {
            Token::Ply => plies += 1,
            Token::Word => words += 1,
            Token::Result => results += 1,
            Token::Number(_) | Token::Mark | Token::Date => {}
        }
        second = second.or(first.map(|_| token));
        first.get_or_insert(token);
    }
    match first {
        Some(Token::Number(_)) if second == Some(Token::Ply) => words <= WORDS_AFTER_PLY_MAX.max(2 * plies),

        Some(Token::Number(_)) => {
            plies > 0 && words <= 2 * plies || plies + words == 0 && results == 0 && line.len() < 6
        }
        Some(Token::Result) => words <= 2,
        Some(Token::Ply) => {
            words == 0
                || number_begins(line) && words <= WORDS_AFTER_PLY_MAX.max(2 * plies)
                || plies >= 3 && words <= 1
        }
        Some(Token::Mark) => plies > words,
        // Parentheses alone.
        None => true,
        _ => line.contains(&b'{') && plies + results > 0,
    }
}

/// True for `1.e4`.
fn number_begins(line: &[u8]) -> bool {
    let digits = line.iter().take_while(|byte| byte.is_ascii_digit()).count();
    (1..4).contains(&digits) && number::dots(&line[digits..]).0 > 0
}

/// The tokens of a line outside comments, with their places.
fn tokens(line: &[u8]) -> Vec<(Range<usize>, Token)> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < line.len() {
        let Some((char, len)) = char_at(line, at) else { break };
        if char == '{' {
            at = memchr::memchr(b'}', &line[at..]).map_or(line.len(), |end| at + end + 1);
        } else if char == ';' {
            break;
        } else if is_separator(char) {
            at += len;
        } else {
            let start = at;
            while let Some((char, len)) = char_at(line, at)
                && !is_separator(char)
                && !matches!(char, '{' | ';')
            {
                at += len;
            }
            // `1 - 0` is one result.
            if let Some((_, len, _)) = number::result(line, start) {
                at = at.max(start + len);
            }
            found.push((start..at, token(&line[start..at])));
        }
    }
    found
}

fn is_separator(char: char) -> bool {
    char.is_whitespace() || matches!(char, '(' | ')' | '\u{200b}' | '\u{feff}' | '}')
}

fn token(bytes: &[u8]) -> Token {
    if number::result(bytes, 0).is_some_and(|(_, len, _)| len == bytes.len()) {
        return Token::Result;
    }
    let text = decode(bytes);
    if number::is_date(&text) {
        return Token::Date;
    }
    let text = text.trim_end_matches(['!', '?', ',', '+', '#']);
    let number = text.strip_prefix('\u{221e}').unwrap_or(text);
    let digits = number.bytes().take_while(u8::is_ascii_digit).count();
    let rest = number[digits..].trim_start_matches(['.', '…']);
    let has_dots = rest.len() < number.len() - digits;
    if (1..4).contains(&digits) && (rest.is_empty() || rest == ")" || rest == "-") {
        return Token::Number(number[..digits].parse().unwrap_or(0));
    }
    let ply = if digits > 0 && has_dots { rest } else { text };
    match () {
        () if is_ply(ply) => Token::Ply,
        () if longest_word(text) >= 3 => Token::Word,
        () => Token::Mark,
    }
}

/// True if a token is the text of a ply in some style.
fn is_ply(text: &str) -> bool {
    if is_ply_in_characters(text) || is_csa_ply(text.as_bytes()) {
        return true;
    }
    if text.len() > 24 || longest_word(text) > 4 || text.contains(['@', '/']) && text.contains("//") {
        return false;
    }
    let castles = ["O-O", "0-0", "o-o", "OO", "O–O", "0–0"].iter().any(|castling| text.starts_with(castling));
    let numeric = number::is_numeric_ply(text.trim_end_matches(['.']).as_bytes());
    let bytes = text.as_bytes();
    let square = |pair: &[u8]| {
        matches!(pair, [b'a'..=b'h', b'1'..=b'9'])
            || bytes.len() >= 4 && matches!(pair, [b'A'..=b'H', b'1'..=b'8'])
    };
    // A web address or a code has more digits than a ply.
    let digits = bytes.iter().filter(|byte| byte.is_ascii_digit()).count();
    // On wider boards; `win2` is a word.
    let wide = |at: usize| {
        matches!(bytes[at..], [b'i'..=b'p', b'1'..=b'9', ..])
            && at
                .checked_sub(1)
                .is_none_or(|before| !bytes[before].is_ascii_lowercase() || bytes[before] == b'x')
    };
    castles
        || numeric
        || is_by_rank(bytes)
        || digits <= 6 && (bytes.windows(2).any(square) || (0..bytes.len()).any(wide))
}

/// True for a ply of Janggi with the ranks first: `R01-91`.
fn is_by_rank(text: &[u8]) -> bool {
    let digits = |pair: [u8; 2]| pair.iter().all(u8::is_ascii_digit);
    matches!(*text, [letter, a, b, b'-' | b'x', c, d]
        if letter.is_ascii_alphabetic() && digits([a, b]) && digits([c, d]))
}

/// True for a ply in Chinese, Japanese, Korean or Thai, which looks like a word: `炮二平五`, `前车进一`; `７六歩(77)`, `▲同銀`;
/// `79卒78`, `한수쉼`; `ร-ญ๒`.
fn is_ply_in_characters(text: &str) -> bool {
    const PIECES: &str = "玉王飛角金銀桂香歩龍竜馬成と";
    let numeral = |char: char| "一二三四五六七八九".contains(char) || matches!(char, '1'..='9' | '１'..='９');
    let text = text.trim_start_matches(['▲', '△', '▼', '▽', '☗', '☖']);
    let mut chars = text.chars();
    let Some((first, second)) = chars.next().zip(chars.next()) else { return false };
    let piece = || text.chars().any(|char| PIECES.contains(char));
    let japanese =
        first == '同' && piece() || matches!(first, '1'..='9' | '１'..='９') && numeral(second) && piece();
    let chinese = matches!(chars.next(), Some('进' | '進' | '退' | '平'))
        && chars.next().is_some_and(numeral)
        && chars.next().is_none();
    chinese || japanese || is_korean_ply(text) || is_thai_ply(text)
}

/// True for a ply in Thai, without the letter that style `thai-lan` has apart from it: it ends with a square, but for
/// what a pawn becomes.
fn is_thai_ply(text: &str) -> bool {
    let moved = text.split_once('=').map_or(text, |(moved, _)| moved);
    let target = moved.char_indices().rev().nth(1).map_or("", |(at, _)| &moved[at..]);
    begins_with_thai_square(target)
}

/// True for a ply of Janggi in Korean: two squares of two digits with one or two characters between them, and perhaps
/// others after them; or a pass.
fn is_korean_ply(text: &str) -> bool {
    const PIECES: &str = "將将士象馬马車车包砲卒兵楚漢장궁왕사상마차포졸병초한";
    let (digits, rest) = text.split_at_checked(2).unwrap_or_default();
    let between = rest.find(|char| !PIECES.contains(char)).unwrap_or_default();
    let to = rest[between..].bytes().take_while(u8::is_ascii_digit).count();
    let squares = digits.bytes().all(|byte| byte.is_ascii_digit()) && !digits.is_empty() && to == 2;
    squares && (1..=2).contains(&rest[..between].chars().count()) || text == KOREAN_PASS
}

/// Letters of the longest word in a text.
fn longest_word(text: &str) -> usize {
    text.split(|char: char| !char.is_alphabetic()).map(|word| word.chars().count()).max().unwrap_or(0)
}

/// True for a word that the reader of records takes for a comment and nothing else.
fn is_bare_word(token: &[u8]) -> bool {
    token.iter().all(u8::is_ascii_alphabetic) && number::is_word(token)
}

/// Bytes after a sentence in which a result is looked for.
const RESULT_BYTES_MAX: usize = 32;

/// Where the reader is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// Before a game, or after its result.
    Outside,
    Tags,
    Moves,
}

/// Walks the lines and collects the changes.
struct Reader<'t> {
    text: &'t [u8],
    lines: &'t [Line],
    changes: Vec<Change>,
    /// A game has begun.
    begun: bool,
    /// Something would be misread without the changes.
    misread: bool,
}

impl Reader<'_> {
    fn run(&mut self) {
        let (mut state, mut has_tags, mut at) = (State::Outside, false, 0);
        // The last line that stays is blank, or there is none.
        let mut after_blank = true;
        // The line before is no line of moves.
        let mut after_break = true;
        while at < self.lines.len() {
            let Line { range, mut class } = self.lines[at].clone();
            // Within a game a move number begins moves, readable or not; a line of moves goes on in one with plies.
            let has_ply = |line: &[u8]| tokens(line).iter().any(|(_, token)| *token == Token::Ply);
            let is_unreadable = class == Class::Prose
                && state != State::Outside
                && (number_begins(self.bytes(at)) || !after_break && has_ply(self.bytes(at)));
            if is_unreadable {
                class = Class::Moves;
            }
            after_break = class != Class::Moves;
            let drops_blank = state == State::Outside && after_blank;
            after_blank = class == Class::Blank || after_blank && matches!(class, Class::Prose);
            match class {
                Class::Tag => {
                    self.straighten_quotes(range);
                    (state, has_tags) = (State::Tags, true);
                }
                Class::Key | Class::Heading => {
                    let block = self.block(at, class);
                    if self.is_about_players(at..block) {
                        (at..block).for_each(|line| self.write_tags(line));
                        (state, has_tags) = (State::Tags, true);
                    } else {
                        (at..block).for_each(|line| self.skip(line));
                    }
                    at = block;
                    continue;
                }
                Class::Moves if state == State::Outside && !has_tags && !self.begins_game(at) => {
                    self.skip(at)
                }
                Class::Moves => {
                    self.begun = true;
                    if !is_unreadable {
                        self.set_words_apart(range.clone());
                    }
                    let ended = self.is_ended_by(range);
                    (state, has_tags) =
                        if ended { (State::Outside, false) } else { (State::Moves, has_tags) };
                }
                Class::Ending if state == State::Moves && !self.goes_on_after(at) => {
                    (state, has_tags) = (State::Outside, false);
                }
                Class::Blank if drops_blank => self.changes.push(Change::new(range.start, range.end, "")),
                Class::Blank | Class::Inside => {}
                Class::Prose | Class::Ending => {
                    let end = self.prose_end(at);
                    if state == State::Moves && self.goes_on_after(end - 1) {
                        self.keep_as_comment(at..end);
                    } else {
                        (at..end).for_each(|line| self.skip(line));
                        if state == State::Moves {
                            (state, has_tags) = (State::Outside, false);
                        }
                    }
                    at = end;
                    continue;
                }
            }
            at += 1;
        }
    }

    /// Replaces typographic quotation marks around the value of a tag.
    fn straighten_quotes(&mut self, range: Range<usize>) {
        let line = decode(&self.text[range.clone()]);
        let is_mark = |char: char| matches!(char, '“' | '”' | '„' | '«' | '»' | '‟');
        let marks: Vec<(usize, char)> = line.char_indices().filter(|(_, char)| is_mark(*char)).collect();
        let value_starts = |at: usize| {
            line[..at].trim_end().bytes().all(|byte| byte == b'[' || byte.is_ascii_alphanumeric())
        };
        let value_ends = |at: usize| line[at..].trim_start_matches(is_mark).trim() == "]";
        // Bytes of Latin-1 have other places in the decoded line.
        if line.len() != range.len() {
            return;
        }
        for (at, char) in marks {
            if value_starts(at) || value_ends(at) {
                let start = range.start + at;
                self.changes.push(Change::new(start, start + char.len_utf8(), "\""));
                self.misread = true;
            }
        }
    }

    fn bytes(&self, line: usize) -> &[u8] {
        &self.text[self.lines[line].range.clone()]
    }

    /// The end of the lines of a class from `at` on.
    fn block(&self, at: usize, class: Class) -> usize {
        at + self.lines[at..].iter().take_while(|line| line.class == class).count()
    }

    /// The end of the prose from `at` on, blank lines inside it included.
    fn prose_end(&self, at: usize) -> usize {
        let mut end = at + 1;
        for (index, line) in self.lines.iter().enumerate().skip(at + 1) {
            match line.class {
                Class::Prose => end = index + 1,
                Class::Blank => {}
                _ => break,
            }
        }
        end
    }

    /// True if keys tell of a game: one names a player or an event, and none of the lines above is a header of mail.
    fn is_about_players(&self, lines: Range<usize>) -> bool {
        let above = lines.start.checked_sub(1).map(|above| self.bytes(above));
        let is_header = |line: &&[u8]| {
            ["From:", "To:", "Subject:", "Received:", "Message-I", "MIME-Vers", "Cc:", "Sent:", "Reply-To:"]
                .iter()
                .any(|header| {
                    line.len() >= header.len() && line[..header.len()].eq_ignore_ascii_case(header.as_bytes())
                })
        };
        let after = self.lines.get(lines.end).map(|line| &self.text[line.range.clone()]);
        let in_headers = above.iter().chain(&after).any(is_header);
        let tags = lines.flat_map(|line| match self.lines[line].class {
            Class::Heading => heading(self.bytes(line)).unwrap_or_default(),
            _ => keys(self.bytes(line)),
        });
        !in_headers
            && tags
                .into_iter()
                .any(|(tag, _)| matches!(tag, "White" | "Black" | "Event" | "Round" | "Variant"))
    }

    /// True if a line of moves is the first of a game: it has the number 1, or no game came before it.
    fn begins_game(&self, at: usize) -> bool {
        let line = self.bytes(at);
        let first_number = tokens(line).into_iter().find_map(|(range, token)| match token {
            Token::Number(number) => Some(number),
            Token::Ply => {
                let digits = line[range.clone()].iter().take_while(|byte| byte.is_ascii_digit()).count();
                let is_number = digits > 0 && line.get(range.start + digits) == Some(&b'.');
                Some(if is_number { number::decimal(&line[range.start..range.start + digits]) } else { 0 })
            }
            _ => None,
        });
        first_number.is_none_or(|number| number <= 1) || !self.begun
    }

    /// True if moves of the same game follow a line.
    fn goes_on_after(&self, at: usize) -> bool {
        for (index, line) in self.lines.iter().enumerate().skip(at + 1) {
            match line.class {
                Class::Moves => {
                    let first = tokens(self.bytes(index)).first().map(|(_, token)| *token);
                    let restarts = number_begins(self.bytes(index)) && self.begins_first_move(index);
                    return !restarts && first != Some(Token::Number(1)) && first.is_some();
                }
                Class::Tag | Class::Key | Class::Heading | Class::Ending => return false,
                Class::Blank | Class::Prose | Class::Inside => {}
            }
        }
        false
    }

    /// True for a line `1.e4 …` or `1. e4 …`.
    fn begins_first_move(&self, at: usize) -> bool {
        let line = self.bytes(at);
        let digits = line.iter().take_while(|byte| byte.is_ascii_digit()).count();
        number::decimal(&line[..digits]) == 1
    }

    /// True if a result ends the line, or words for one.
    fn is_ended_by(&self, range: Range<usize>) -> bool {
        let line = &self.text[range];
        let found = tokens(line);
        let ends = |(place, token): &(Range<usize>, Token)| {
            *token == Token::Result
                && number::result(line, place.start)
                    .is_some_and(|(result, ..)| result != GameResult::Unknown || line[place.start] == b'*')
        };
        found.iter().any(ends)
            || found.iter().any(|(place, token)| {
                *token == Token::Word
                    && ending_at(line, place.start, &["", ""])
                        .is_some_and(|(end, _)| line[end..].trim_ascii().is_empty())
            })
    }

    /// Skips a line that is not part of a game.
    fn skip(&mut self, at: usize) {
        let Line { range, class } = self.lines[at].clone();
        self.misread |= class != Class::Blank;
        match class {
            Class::Blank => self.changes.push(Change::new(range.start, range.end, "")),
            _ => self.changes.push(Change::skip(range.start, range.end)),
        }
    }

    /// Makes lines between moves a comment, unless the reader takes them for one anyway.
    fn keep_as_comment(&mut self, lines: Range<usize>) {
        let range = self.lines[lines.start].range.start..self.lines[lines.end - 1].range.end;
        let text = &self.text[range.clone()];
        let words = || text.split(|byte| byte.is_ascii_whitespace()).filter(|word| !word.is_empty());
        if words().all(is_bare_word) {
            return;
        }
        // What introduces a quotation, and the separators of mail, say nothing about the moves.
        let last = text.trim_ascii_end().last();
        if matches!(last, Some(b':' | b',')) || text.starts_with(b"--") {
            for line in lines {
                self.skip(line);
            }
            return;
        }
        self.braces(range);
    }

    /// Encloses a range in braces.
    fn braces(&mut self, range: Range<usize>) {
        let text = &self.text[range.clone()];
        let start = range.start + (text.len() - text.trim_ascii_start().len());
        let end = range.start + text.trim_ascii_end().len();
        self.changes.push(Change::new(start, start, "{"));
        for at in start..end {
            match self.text[at] {
                b'{' => self.changes.push(Change::new(at, at + 1, "(")),
                b'}' => self.changes.push(Change::new(at, at + 1, ")")),
                _ => {}
            }
        }
        self.changes.push(Change::new(end, end, "}"));
        self.misread = true;
    }

    /// Encloses the words of a line of moves in braces, unless the reader takes them for a comment or a result anyway.
    fn set_words_apart(&mut self, range: Range<usize>) {
        let line = &self.text[range.clone()];
        let found = tokens(line);
        let mut at = 0;
        while at < found.len() {
            let belongs = |index: usize| match found[index].1 {
                Token::Word | Token::Mark | Token::Date => true,
                // A number in a sentence has no ply after it.
                Token::Number(_) => found.get(index + 1).is_some_and(|(_, next)| *next == Token::Word),
                Token::Ply | Token::Result => false,
            };
            let leads = belongs(at) && found.get(at + 1).is_some_and(|(_, next)| *next == Token::Word);
            if !leads && !matches!(found[at].1, Token::Word | Token::Date) {
                at += 1;
                continue;
            }
            let first = at;
            let is_ending = |index: usize| {
                ending_at(line, found[index].0.start, &["", ""]).is_some_and(|(end, _)| {
                    let rest = &line[end..line.len().min(end + RESULT_BYTES_MAX)];
                    let next = tokens(rest).first().map(|(_, token)| *token);
                    next.is_none_or(|next| next == Token::Result)
                })
            };
            while at < found.len() && belongs(at) && !is_ending(at) {
                at += 1;
            }
            let run = &found[first..at];
            if run.is_empty() {
                return;
            }
            let (start, end) = (run[0].0.start, run[run.len() - 1].0.end);
            let known = run.iter().all(|(place, _)| is_bare_word(&line[place.clone()]));
            let has_word = run.iter().any(|(_, token)| matches!(token, Token::Word | Token::Date));
            let remark = number::program_words(line, start).is_some()
                || matches!(line[start], b'$' | b'[')
                || csa::end_at(&line[start..]) > 0;
            if has_word && !known && !remark && !line[start..end].contains(&b'{') {
                self.braces(range.start + start..range.start + end);
            }
        }
    }

    /// Writes the tags that a line names as tag pairs.
    fn write_tags(&mut self, at: usize) {
        let Line { range, class } = self.lines[at].clone();
        let line = &self.text[range.clone()];
        let tags = if class == Class::Heading { heading(line).unwrap_or_default() } else { keys(line) };
        let mut done = range.start;
        for (index, (tag, value)) in tags.iter().enumerate() {
            let (start, end) = (range.start + value.start, range.start + value.end);
            let front = if index > 0 { "\"]\n" } else { "" };
            self.changes.push(Change::new(done, start, format!("{front}[{tag} \"")));
            let given = &self.text[start..end];
            match standard_value(tag, &decode(given)) {
                Some(written) => self.changes.push(Change::new(start, end, written)),
                None => {
                    let escaped = (start..end).filter(|at| matches!(self.text[*at], b'"' | b'\\'));
                    self.changes.extend(escaped.map(|at| Change::new(at, at, "\\")));
                }
            }
            done = end;
        }
        let line_end = range.start + line.trim_ascii_end().len();
        self.changes.push(Change::new(done, line_end.max(done), "\"]"));
        self.misread = true;
    }
}
