//! Records in mail and on web pages: what surrounds them is skipped, and what remains is read as plain text.
//!
//! Plain input only passes a test of the first bytes of its lines. For any other, layers of edits follow each other,
//! each on the text that the one before has left: the encoding of mail, HTML, the marks of quoted lines and of bulletin
//! boards, tags over two lines, positions for programs, files of other programs, and last the lines themselves. The
//! edits are kept, so that every place can be found again in the input.

mod chunk;
mod files;
mod formats;
mod layers;
mod mail;
mod plain;
mod split;

pub use chunk::{Chunk, ChunkReader};
pub(crate) use files::kif_end;
pub use files::xqf;
pub use split::{Chunks, split};

use crate::record::codes;
use crate::record::{Record, Records, read};
use ferz_core::text::bytes::char_len;
use ferz_core::text::decode;
use ferz_core::text::{Diagnostic, Severity, Span};
use layers::{Plain, Skipped, unwrap};
use plain::is_plain;
use std::borrow::Cow;

/// A text that holds records, possibly wrapped in mail or HTML.
///
/// ```
/// use ferz_records::interchange::Wrapped;
/// let mail = b"Hi Ann,\n\n> 1. e4 e5\n2. Nf3 *\n\nBest wishes, Ben\n";
/// let text = Wrapped::new(mail, 0);
/// let record = text.records(0).next().ok_or("no game")?;
/// assert_eq!(record.main_moves().count(), 3);
/// assert_eq!(record.diagnostics[0].message, "lines 1 and 6 are not part of a game; they are skipped");
/// # Ok::<(), &str>(())
/// ```
#[derive(Debug)]
pub struct Wrapped<'t> {
    source: Cow<'t, [u8]>,
    /// Bytes of the whole input before the text.
    offset: usize,
    plain: Option<Plain>,
}

impl<'t> Wrapped<'t> {
    /// Takes the records out of `source`, which has `offset` bytes of the whole input before it.
    pub fn new(source: impl Into<Cow<'t, [u8]>>, offset: usize) -> Wrapped<'t> {
        let source = source.into();
        let plain =
            if is_plain(&source) && !formats::may_begin(&source) { None } else { unwrap(&source, offset) };
        Wrapped { source, offset, plain }
    }

    /// True if a text would be read otherwise next to mail. Beside records alone, [`Wrapped::new`] leaves it as it is.
    pub(crate) fn would_change(source: &[u8]) -> bool {
        unwrap(source, 0).is_some()
    }

    /// True for a text that begins with the file of another program, such as KIF: written again, it would be a record
    /// of the extended PGN.
    pub fn is_of_program(head: &[u8]) -> bool {
        formats::begin(head) || formats::has_header(head)
    }

    /// The text of the input.
    pub fn source(&self) -> &[u8] {
        &self.source
    }

    /// The number of bytes of the whole input before the text.
    pub fn offset(&self) -> usize {
        self.offset
    }

    /// The place in the text of the input for a place in the plain text that begins a record.
    pub fn origin(&self, place: usize) -> usize {
        self.plain.as_ref().map_or(place, |plain| {
            let place = place + self.offset;
            plain.from(Span::new(place, place)).start - self.offset
        })
    }

    /// The plain text: that of the input, unless the records are wrapped.
    pub fn text(&self) -> &[u8] {
        self.plain.as_ref().map_or(&self.source, |plain| &plain.text)
    }

    /// True if the plain text is that of the input.
    pub fn is_plain(&self) -> bool {
        self.plain.is_none()
    }

    /// The spans of the plain text with the spans of the input that they come from; none if the text is that of the
    /// input.
    pub fn places(&self) -> &[(Span, Span)] {
        self.plain.as_ref().map_or(&[], |plain| &plain.places)
    }

    /// The spans of the whole input that were skipped around a record which takes `start..end` of the plain text.
    pub fn skipped(&self, start: usize, end: usize) -> impl Iterator<Item = Span> {
        self.skipped_around(start, end).iter().map(|skipped| skipped.from)
    }

    fn skipped_around(&self, start: usize, end: usize) -> &[Skipped] {
        let Some(plain) = &self.plain else { return &[] };
        let is_last = end == self.offset + plain.text.len();
        let first = plain.skipped.partition_point(|skipped| skipped.at < start);
        let after = plain.skipped.partition_point(|skipped| skipped.at < end + usize::from(is_last));
        &plain.skipped[first..after]
    }

    /// The records. `lines` is the number of line breaks of the whole input before the text.
    pub fn records(&self, lines: usize) -> impl Iterator<Item = Record<'_>> {
        let mut records = read(self.text(), self.offset);
        std::iter::from_fn(move || self.next(&mut records, lines))
    }

    /// The next record, with a diagnostic about the lines that were skipped around it.
    pub fn next<'r>(&self, records: &mut Records<'r>, lines: usize) -> Option<Record<'r>> {
        let mut record = records.next()?;
        let start = record.offset();
        let skipped = self.skipped_around(start, start + record.source().len());
        record.diagnostics.splice(0..0, self.finding(skipped, lines));
        Some(record)
    }

    /// True if a span of the input takes whole lines.
    fn has_whole_lines(&self, span: Span) -> bool {
        let (start, end) = (span.start - self.offset, span.end - self.offset);
        let begins = self.source[..start].last().is_none_or(|byte| *byte == b'\n');
        let ends = |byte: &u8| matches!(byte, b'\n' | b'\r');
        begins && (self.source[start..end].last().is_some_and(ends) || self.source.get(end).is_none_or(ends))
    }

    /// The diagnostic about lines that were skipped, with their text as notes.
    fn finding(&self, skipped: &[Skipped], lines: usize) -> Option<Diagnostic> {
        let at = skipped.first()?.at;
        let mut ranges: Vec<(usize, usize)> = Vec::new();
        for Skipped { lines: (from, to), .. } in skipped {
            match ranges.last_mut() {
                Some(last) if last.1 + 1 >= *from => last.1 = last.1.max(*to),
                _ => ranges.push((*from, *to)),
            }
        }
        let count = ranges.len();
        let shown = ranges.iter().take(RANGES_SHOWN_MAX).map(|(from, to)| match (from + lines, to + lines) {
            (from, to) if from == to => from.to_string(),
            (from, to) => format!("{from}-{to}"),
        });
        let mut shown: Vec<String> = shown.collect();
        if count > RANGES_SHOWN_MAX {
            shown.push(format!("{} more", count - RANGES_SHOWN_MAX));
        }
        let list = match &shown[..] {
            [rest @ .., last] if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
            _ => shown.concat(),
        };
        let is_one = matches!(&ranges[..], [(from, to)] if from == to);
        let message = match (skipped.iter().all(|skipped| self.has_whole_lines(skipped.from)), is_one) {
            (true, true) => format!("line {list} is not part of a game; it is skipped"),
            (true, false) => format!("lines {list} are not part of a game; they are skipped"),
            (false, true) => format!("line {list} has words that are not part of a game; they are skipped"),
            (false, false) => {
                format!("lines {list} have words that are not part of a game; they are skipped")
            }
        };
        let mut found = Diagnostic::new(codes::SKIPPED_LINES, Severity::Warning, Span::new(at, at), message);
        let mut left = SKIPPED_BYTES_SHOWN_MAX;
        for Skipped { from, lines: (first, _), .. } in skipped {
            let text = decode(&self.source[from.start - self.offset..from.end - self.offset]);
            for (number, line) in text.trim().lines().enumerate() {
                let line = line.trim();
                if line.is_empty() {
                    continue;
                }
                if line.len() > left {
                    return Some(
                        found.note(format!("… and what follows, from line {} on", first + lines + number)),
                    );
                }
                left -= line.len();
                found = found.note(format!("line {}: {line}", first + lines + number));
            }
        }
        Some(found)
    }
}

/// Runs of lines that a diagnostic names.
const RANGES_SHOWN_MAX: usize = 8;

/// Bytes of skipped lines that a diagnostic shows.
const SKIPPED_BYTES_SHOWN_MAX: usize = 4000;

/// The character at a place, and its length; a byte that is not UTF-8 is one of Latin-1.
fn char_at(text: &[u8], at: usize) -> Option<(char, usize)> {
    let first = *text.get(at)?;
    let len = char_len(text, at);
    let char = std::str::from_utf8(&text[at..at + len]).ok().and_then(|text| text.chars().next());
    Some((char.unwrap_or(char::from(first)), len))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The plain text inside a text, and the first diagnostic of its first record.
    fn unwrapped(text: &str) -> (String, String) {
        let wrapped = Wrapped::new(text.as_bytes(), 0);
        let found = wrapped.records(0).next().and_then(|record| record.diagnostics.into_iter().next());
        let found =
            found.filter(|found| found.code == codes::SKIPPED_LINES).map(|found| found.message.into_owned());
        (String::from_utf8_lossy(wrapped.text()).into_owned(), found.unwrap_or_default())
    }

    #[test]
    fn mail_is_taken_off() {
        for (text, plain, message) in [
            (
                "Hi Ann,\n\nhere it is:\n\n[White \"Ann\"]\n\n1. e4 e5 1-0\n\nBest wishes,\nBen\n",
                "[White \"Ann\"]\n\n1. e4 e5 1-0\n\n",
                "lines 1-3 and 9-10 are not part of a game; they are skipped",
            ),
            ("> 1. e4 e5\n>> 2. Nf3\n", "1. e4 e5\n2. Nf3\n", ""),
            (
                "Hallo!\n1. e4 e5 Danke, schön!\n2. Nf3\n",
                "1. e4 e5 {Danke, schön!}\n2. Nf3\n",
                "line 1 is not part of a game; it is skipped",
            ),
            ("1. e4 e5\nI'm not sure.\n2. Nf3\n", "1. e4 e5\n{I'm not sure.}\n2. Nf3\n", ""),
            (
                "1. e4 e5\nAnn wrote:\n2. Nf3\n",
                "1. e4 e5\n2. Nf3\n",
                "line 2 is not part of a game; it is skipped",
            ),
            (
                "Weiß: Ann \"A\" Lee, Schwarz: Ben\nDatum: 29.2.2024\n\n1. e4\n",
                "[White \"Ann \\\"A\\\" Lee\"]\n[Black \"Ben\"]\n[Date \"2024.02.29\"]\n\n1. e4\n",
                "",
            ),
            (
                "Game 5: Ann - Ben, B-class\n1. e4\n",
                "[Round \"5\"]\n[White \"Ann\"]\n[Black \"Ben\"]\n[Event \"B-class\"]\n1. e4\n",
                "",
            ),
            (
                "[PGN height=400]1. e4 e5 {[pgn] is meant}\n2. Nf3[/PGN]\n",
                "1. e4 e5 {[pgn] is meant}\n2. Nf3\n",
                "",
            ),
            (
                "[Event \"A cup\nof 1984\"]\n[Site\r\n \"x\"]\n[Date \"2020.??.??\"\n]\n\n1. e4 *\n",
                "[Event \"A cup of 1984\"]\n[Site \"x\"]\n[Date \"2020.??.??\" ]\n\n1. e4 *\n",
                "",
            ),
            ("<p>1.&nbsp;e4 e5<br>2. Nf3</p>", "\n1. e4 e5\n2. Nf3\n", ""),
            (
                "Content-Transfer-Encoding: quoted-printable\n\n1. e4 =\ne5 {gr=C3=BCn} 2. e8=3DQ\n",
                "1. e4 e5 {grün} 2. e8=Q\n",
                "line 1 is not part of a game; it is skipped",
            ),
        ] {
            assert_eq!(unwrapped(text), (plain.to_owned(), message.to_owned()), "{text}");
            assert!(Wrapped::new(plain.as_bytes(), 0).text() == plain.as_bytes(), "{plain}");
        }
    }

    #[test]
    fn plain_text_stays() {
        for text in [
            "1. e4 e5\nwords between the moves\n2. Nf3 *\n",
            "[White \"A &quot; B\"]\n\n1. e4 {a < b & c &lt; d\nI'm > you} e5 *\n",
            "[Event \"a\"]\n\n1. e4 e5 White resigns\n",
            "[Pgn \"a\"]\n[PgnSource \"b\"]\n\n1. e4 e5 {\n[pgn]} *\n",
            "Dear Sir,\n\nthis is a letter without a game.\n",
            "[Event \"a\nb\"]c\n\n1. e4 {a\n\"b\"]\n} *\n",
            "{Hi, a comment}\n1. e4 (1. d4 d5\nNf3) Nf6 *\n",
            "1. e4 ; a comment > b\n% an escape, I'd say\n1... e5 *\n",
            "♘f3 ♞f6\n∞1.....a4=N\nKf1 *\n",
            "1. e4&Ke1 O-O/He1\n&Ke1 *\n",
        ] {
            assert!(Wrapped::new(text.as_bytes(), 0).is_plain(), "{text}");
        }
    }

    /// What stands around a game changes nothing in it.
    #[test]
    fn games_stay_beside_mail() {
        let mut games = 0;
        for entry in std::fs::read_dir("../../fixtures/games").expect("fixtures").flatten() {
            let game = std::fs::read(entry.path()).expect("a file");
            if !is_plain(&game) || !game.starts_with(b"[") {
                continue;
            }
            let name = entry.path();
            let mail = [b"Hi Ann,\n\n".as_slice(), &game, b"\n\nBest wishes,\nBen\n"].concat();
            let wrapped = Wrapped::new(&mail, 0);
            let lines = |text: &[u8]| -> Vec<String> {
                let text = String::from_utf8_lossy(text);
                text.lines().filter(|line| !line.is_empty()).map(str::to_owned).collect()
            };
            assert_eq!(lines(wrapped.text()), lines(&game), "{}", name.display());
            games += 1;
        }
        assert!(games > 20, "{games}");
    }

    /// Each position that a program is given is a record, of the game that the form of its moves shows.
    #[test]
    fn positions_of_programs_are_records() {
        let text = "usinewgame\nposition startpos moves 7g7f 3c3d 8h2b+\ngo btime 0\n\
                    position sfen 4k4/9/9/9/9/9/9/9/4K4 b P 1 moves P*5e\n\
                    position sfen 4k4/9/9/9/9/9/9/9/4K4 w -\n\
                    position startpos moves h2e2 h9g7\n\
                    position fen 4k4/9/9/9/9/9/9/9/9/4K4 w - - 0 1 moves e0e1 resign\n\
                    startpos moves e2e4 e7e5 g1f3\n\
                    position fen 4k3/8/8/8/8/8/8/4K3 b - - 0 1 moves e8e7\n";
        let wrapped = Wrapped::new(text.as_bytes(), 0);
        let found: Vec<_> = wrapped
            .records(0)
            .map(|record| {
                let tag = |name: &str| record.tag(name).unwrap_or_default().into_owned();
                (tag("Variant"), tag("FEN"), record.main_moves().count())
            })
            .collect();
        let of = |game: &str, fen: &str, plies| (game.to_owned(), fen.to_owned(), plies);
        assert_eq!(
            found,
            [
                of("shogi", "", 3),
                of("shogi", "4k4/9/9/9/9/9/9/9/4K4 b P 1", 1),
                of("shogi", "4k4/9/9/9/9/9/9/9/4K4 w - 1", 0),
                of("xiangqi", "", 2),
                of("xiangqi", "4k4/9/9/9/9/9/9/9/9/4K4 w - - 0 1", 1),
                of("", "", 3),
                of("", "4k3/8/8/8/8/8/8/4K3 b - - 0 1", 1),
            ]
        );
        let results: Vec<_> = wrapped.records(0).map(|record| record.result).collect();
        assert_eq!(results[4], Some(crate::record::GameResult::WhiteWins));
        for other in
            ["position startpos\n", "position of the king\n", "position startpos moves e2e4 and so on\n"]
        {
            assert!((files::positions::FORMAT.games)(other.as_bytes()).is_empty(), "{other}");
        }
    }

    /// Plies that are words to a reader of prose.
    #[test]
    fn plies_in_characters_are_no_prose() {
        for movetext in [
            "1. 79卒78 2. 41兵42 3. 95將05 4. 한수쉼",
            "79楚卒78 41漢兵42\n한수쉼 25漢25",
            "1. 91車21兵장군 2. 11차12",
            "R01-91 K25-26\nC02x42+ k26-25",
            "1. P79-78 K26-25",
            "1. ร-ญ๒ ข-ง๗ 2. จ๔ ฉ๕\nจxฉ๕ ชxฉ๕ ม๑-จ๒",
            "1. ร ญ๑-ญ๒ ข จ๘-ง๗\nบ ฉ๕-ฉ๖=M ม็ จ๑-ฉ๒",
        ] {
            let mail = format!("Hi Ann,\n\n{movetext}\n\nBest wishes,\nBen\n");
            let (text, _) = unwrapped(&mail);
            assert_eq!(text.trim(), format!("{movetext}\n\n{{Best wishes,\nBen}}"));
        }
    }

    #[test]
    fn each_byte_that_stays_has_its_place() {
        let text =
            "Hi Ann,\n\n> <b>1.&nbsp;e4</b> {gr&uuml;n} e5 Danke, sehr!\n> 2. Nf3\n\n1... Nc6\nBye, Ben\n";
        for offset in [0, 7] {
            let wrapped = Wrapped::new(text.as_bytes(), offset);
            let mut last = 0;
            let mut kept = 0;
            for (made, from) in wrapped.places() {
                assert!(made.start == last || made.start == offset, "{made:?}");
                last = made.end;
                if made.len() == from.len() {
                    let place = |span: &Span| span.start - offset..span.end - offset;
                    assert_eq!(&wrapped.text()[place(made)], &text.as_bytes()[place(from)]);
                    kept += made.len();
                }
            }
            assert_eq!(last - offset, wrapped.text().len());
            assert!(kept > 40, "{kept}");
        }
    }

    #[test]
    fn records_have_the_lines_skipped_around_them() {
        let text = "Hi!\n\n1. e4 e5 1-0\n\nand, of course:\n\n[White \"Ben\"]\n\n1. d4 *\n\nBye, Ben\n";
        let wrapped = Wrapped::new(text.as_bytes(), 100);
        let messages: Vec<String> =
            wrapped.records(10).map(|record| record.diagnostics[0].message.to_string()).collect();
        assert_eq!(
            messages,
            [
                "line 11 is not part of a game; it is skipped",
                "lines 15 and 21 are not part of a game; they are skipped",
            ]
        );
    }
}
