//! The lines of a text: which of them belong to a game, and which are skipped.

use super::named_tags::{heading, keys, standard_value};
use super::tokens::{Tally, Token, has_moves, is_bare_word, tokens, tokens_of_game};
use crate::interchange::layers::Change;
use crate::interchange::plain::is_plain;
use crate::record::csa;
use crate::record::endings::ending_at;
use crate::record::number;
use ferz_core::text::bytes::brace_end;
use ferz_core::text::decode;
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

/// The changes that leave the lines of games alone.
pub(in crate::interchange) fn changes(text: &[u8]) -> Vec<Change> {
    let lines = classified(text);
    sections(&lines).flat_map(|lines| section_changes(text, lines)).collect()
}

/// The changes in a section: what a game is never depends on the sections around it.
fn section_changes(text: &[u8], lines: &[Line]) -> Vec<Change> {
    let span = lines.first().zip(lines.last()).map(|(first, last)| first.range.start..last.range.end);
    if !lines.iter().any(Line::is_of_a_game) || span.is_none_or(|span| is_plain(&text[span])) {
        return Vec::new();
    }
    let mut reader = Reader { text, lines, changes: Vec::new(), begun: false, misread: false, depth: 0 };
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
pub(in crate::interchange) fn last_comment_end(text: &[u8], range: Range<usize>) -> usize {
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
    // What follows the number of a move is a ply, whatever style writes it.
    let found = if number_begins(line) { tokens_of_game(line) } else { tokens(line) };
    let Tally { plies, words, results, .. } = Tally::of(&found);
    let mut kinds = found.iter().map(|(_, token)| *token);
    let first = kinds.next();
    let second = kinds.next();
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

/// True for a line `Time control: 90+30`, without moves.
fn is_named_value(line: &[u8]) -> bool {
    let colon = memchr::memchr(b':', line).filter(|colon| *colon > 0);
    let name = colon.map(|colon| decode(&line[..colon]));
    name.is_some_and(|name| name.chars().all(|char| char.is_alphabetic() || char == ' '))
        && Tally::of(&tokens(line)).plies == 0
}

/// True for a line of two dashes: a pass, or the separator of a signature.
fn is_lone_dashes(line: &[u8]) -> bool {
    line.trim_ascii() == b"--"
}

/// The number of variations that are open after a text, outside comments, if `depth` are open before it.
fn depth_after(text: &[u8], mut depth: usize) -> usize {
    let mut at = 0;
    while let Some(stop) = memchr::memchr3(b'(', b')', b'{', &text[at..]) {
        at += stop + 1;
        match text[at - 1] {
            b'(' if number::remark(&text[at - 1..]) > 0 => at += number::remark(&text[at - 1..]) - 1,
            b'(' => depth += 1,
            b')' => depth = depth.saturating_sub(1),
            _ => at = brace_end(text, at).0,
        }
        at = at.min(text.len());
    }
    depth
}

/// Bytes after a sentence in which a result is looked for.
const RESULT_BYTES_MAX: usize = 32;

/// Lines below a quoted move in which its game is looked for.
const LINES_BELOW_MAX: usize = 400;

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
    /// Variations that are open.
    depth: usize,
}

impl Reader<'_> {
    fn run(&mut self) {
        let (mut state, mut has_tags, mut at) = (State::Outside, false, 0);
        // The last line that stays is blank, or there is none.
        let mut after_blank = true;
        while at < self.lines.len() {
            let in_progress = state != State::Outside;
            let range = self.lines[at].range.clone();
            let class = if in_progress { self.class_in_game(at) } else { self.lines[at].class };
            let is_unreadable = self.lines[at].class == Class::Prose && number_begins(self.bytes(at));
            let drops_blank = !in_progress && after_blank;
            after_blank = class == Class::Blank || after_blank && matches!(class, Class::Prose);
            match class {
                Class::Tag => {
                    self.straighten_quotes(range);
                    (state, has_tags, self.depth) = (State::Tags, true, 0);
                }
                Class::Key if state == State::Moves && self.names_result(at) => {
                    self.leave_value(range);
                    (state, has_tags) = (State::Outside, false);
                }
                Class::Key | Class::Heading => {
                    let block = self.block(at, class);
                    if self.is_about_players(at..block) {
                        (at..block).for_each(|line| self.write_tags(line));
                        (state, has_tags, self.depth) = (State::Tags, true, 0);
                    } else if in_progress {
                        state = self.keep_text(at..block, state);
                    } else {
                        (at..block).for_each(|line| self.skip(line));
                    }
                    at = block;
                    continue;
                }
                Class::Moves if !in_progress && !has_tags && !self.begins_game(at) => self.skip(at),
                Class::Moves => {
                    self.begun = true;
                    if !is_unreadable {
                        self.set_words_apart(range.clone());
                    }
                    let ended = self.is_ended_by(range);
                    (state, has_tags) =
                        if ended { (State::Outside, false) } else { (State::Moves, has_tags) };
                }
                Class::Ending if in_progress && !self.goes_on_after(at) => {
                    (state, has_tags) = (State::Outside, false);
                }
                Class::Blank if drops_blank => self.changes.push(Change::new(range.start, range.end, "")),
                Class::Blank | Class::Inside => {}
                Class::Prose | Class::Ending => {
                    let end = self.prose_end(at, in_progress);
                    if !in_progress {
                        (at..end).for_each(|line| self.skip(line));
                    } else if self.is_of_mail(at..end) {
                        (at..end).for_each(|line| self.skip(line));
                        if !self.goes_on_after(end - 1) {
                            (state, has_tags) = (State::Outside, false);
                        }
                    } else {
                        state = self.keep_text(at..end, state);
                        has_tags &= state != State::Outside;
                    }
                    at = end;
                    continue;
                }
            }
            at += 1;
        }
    }

    /// The class of a line in a game: a move number begins moves, readable or not, and plies go on without one.
    fn class_in_game(&self, at: usize) -> Class {
        let (line, class) = (self.bytes(at), self.lines[at].class);
        let holds_moves = || if is_lone_dashes(line) { self.is_pass(at) } else { has_moves(line) };
        if class == Class::Prose && (number_begins(line) || holds_moves()) { Class::Moves } else { class }
    }

    /// True if a line of two dashes in a game is a pass: only names and addresses follow the separator of a signature.
    fn is_pass(&self, at: usize) -> bool {
        let next = self.lines[at + 1..].iter().position(|line| line.class != Class::Blank);
        next.is_some_and(|next| {
            let next = at + 1 + next;
            let line = self.bytes(next);
            matches!(self.lines[next].class, Class::Moves | Class::Ending | Class::Inside)
                || is_lone_dashes(line) && self.is_pass(next)
                || self.lines[next].class == Class::Prose && !is_lone_dashes(line) && has_moves(line)
        })
    }

    /// True for lines in a game that mail writes: what introduces a quotation, and the separator of a signature with
    /// what follows it. They say nothing about the game.
    fn is_of_mail(&self, lines: Range<usize>) -> bool {
        let text = &self.text[self.lines[lines.start].range.start..self.lines[lines.end - 1].range.end];
        let introduces = matches!(text.trim_ascii_end().last(), Some(b':' | b','));
        text.starts_with(b"--") || introduces && self.lines[lines.end..].iter().any(Line::is_of_a_game)
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

    /// The end of the lines of a class from `at` on. Between names of tags others may stand: `Time control: 90+30`.
    fn block(&self, at: usize, class: Class) -> usize {
        let is_of_block = |line: &usize| {
            let known = self.lines[*line].class == class;
            known
                || class == Class::Key
                    && self.lines[*line].class == Class::Prose
                    && is_named_value(self.bytes(*line))
        };
        let end = at + (at..self.lines.len()).take_while(is_of_block).count();
        // What is below the last name is no part of the block.
        let last = (at..end).rev().find(|line| self.lines[*line].class == class).unwrap_or(at);
        last + 1
    }

    /// Leaves what is said after a colon: the result, in signs or in words.
    fn leave_value(&mut self, range: Range<usize>) {
        let colon = memchr::memchr(b':', &self.text[range.clone()]);
        let value = colon.map_or(range.start, |colon| range.start + colon + 1);
        self.changes.push(Change::skip(range.start, value));
        self.misread = true;
    }

    /// True for a line that names the result and nothing else.
    fn names_result(&self, at: usize) -> bool {
        matches!(keys(self.bytes(at))[..], [("Result", _)])
    }

    /// The end of the prose from `at` on, blank lines inside it included. In a game, a line of moves ends it, and so
    /// does the separator of a signature.
    fn prose_end(&self, at: usize, in_game: bool) -> usize {
        let mut end = at + 1;
        let signature = is_lone_dashes(self.bytes(at));
        let ends = |line: &[u8]| in_game && !signature && (has_moves(line) || is_lone_dashes(line));
        for (index, line) in self.lines.iter().enumerate().skip(at + 1) {
            match line.class {
                Class::Prose if ends(self.bytes(index)) => break,
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
            // A ply without a number begins a game, too.
            Token::Number(_) | Token::Ply => Some(token.number(&line[range]).unwrap_or(0)),
            _ => None,
        });
        first_number.is_none_or(|number| number <= 1 || !self.begun && !self.is_quoted_move(at, number))
    }

    /// True for a line with one move of a game that is written below from its beginning, with this move in it:
    /// `> 5. Bg2`.
    fn is_quoted_move(&self, at: usize, number: u32) -> bool {
        let is_moves = |line: &usize| self.lines[*line].class == Class::Moves;
        let next = (at + 1..self.lines.len()).find(|line| self.lines[*line].class != Class::Blank);
        if Tally::of(&tokens(self.bytes(at))).plies > 2 || next.is_none_or(|next| is_moves(&next)) {
            return false;
        }
        let below: Vec<usize> = (at + 1..self.lines.len()).take(LINES_BELOW_MAX).filter(is_moves).collect();
        let reaches = |line: &usize| {
            let found = tokens(self.bytes(*line));
            let line = self.bytes(*line);
            found.iter().any(|(place, token)| token.number(&line[place.clone()]) >= Some(number))
        };
        below.iter().any(|line| self.begins_first_move(*line)) && below.iter().any(reaches)
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

    /// True if a result ends the line, or words for one. A result in a variation ends nothing.
    fn is_ended_by(&mut self, range: Range<usize>) -> bool {
        let line = &self.text[range];
        let found = tokens_of_game(line);
        let mut at = 0;
        for (place, token) in &found {
            self.depth = depth_after(&line[at..place.start], self.depth);
            at = place.end;
            let ends = match token {
                Token::Result => true,
                Token::Word => ending_at(line, place.start, &["", ""])
                    .is_some_and(|(end, _)| line[end..].trim_ascii().is_empty()),
                _ => false,
            };
            if ends && self.depth == 0 {
                return true;
            }
        }
        self.depth = depth_after(&line[at..], self.depth);
        false
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

    /// Makes lines in a game comments, unless the reader takes them for one anyway. A result that begins or ends a line
    /// stays one. Returns the state after them.
    fn keep_text(&mut self, lines: Range<usize>, state: State) -> State {
        let mut from = self.lines[lines.start].range.start;
        for at in lines.clone() {
            let Range { start, end } = self.lines[at].range;
            let found = tokens_of_game(self.bytes(at));
            let is_result = |token: &&(Range<usize>, Token)| token.1 == Token::Result;
            let result = found.first().filter(is_result).or(found.last().filter(is_result));
            let Some((place, _)) = result else { continue };
            self.comment(from..start + place.start);
            self.comment(start + place.end..end);
            if self.depth == 0 {
                (at + 1..lines.end).for_each(|line| self.skip(line));
                return State::Outside;
            }
            from = end;
        }
        self.comment(from..self.lines[lines.end - 1].range.end);
        state
    }

    /// Makes a range a comment, unless the reader takes it for one anyway.
    fn comment(&mut self, range: Range<usize>) {
        let text = &self.text[range.clone()];
        let mut words = text.split(|byte| byte.is_ascii_whitespace()).filter(|word| !word.is_empty());
        if !words.all(is_bare_word) {
            self.braces(range);
        }
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
        let found = tokens_of_game(line);
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
        if class == Class::Prose {
            return self.skip(at);
        }
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
