//! Results and other things in words, in the languages of players.

mod sentence;
mod words;

pub(super) use words::is_month;
pub(crate) use words::{is_game_word, tag_of};

use super::codes;
use super::csa;
use super::item::GameResult;
use super::number;
use super::read::Record;
use ferz_core::text::bytes::char_len;
use ferz_core::text::decode;
use sentence::{Names, Sentence, WORDS_MAX};
use std::cell::OnceCell;
use words::SENTENCE_BYTES_MAX;

/// How a game ended, as a sentence says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ending {
    /// The result.
    pub result: GameResult,
    /// The value of the tag `Termination` for it, one of the standard's.
    pub termination: &'static str,
}

/// The ending that starts at `pos`, and the place after its sentence and the punctuation there. Nothing but the
/// sentence stands on its line, up to a result or a comment. `names` are the names of White and Black, empty if
/// unknown: they may stand for the colours.
pub(crate) fn ending_at(src: &[u8], pos: usize, names: &[&str; 2]) -> Option<(usize, Ending)> {
    if goes_on_before(src, pos) {
        return None;
    }
    let players = OnceCell::new();
    let named = || players.get_or_init(|| Names::new(names, SENTENCE_BYTES_MAX));
    let unknown = names.iter().all(|name| name.is_empty());
    // Names are folded only where the colours say nothing.
    let ending_of = |sentence: &Sentence| {
        let by_name = || if unknown || !sentence.may_tell() { None } else { sentence.ending(named()) };
        sentence.ending(&Names::default()).or_else(by_name)
    };
    let mut sentence = Sentence::default();
    let (mut at, mut end) = (pos, pos);
    // What the first line says by itself: a sentence may be broken by a line end, not by an empty line.
    let (mut newline, mut on_the_line) = (false, None);
    while let Some(&byte) = src.get(at) {
        match byte {
            b'\n' if newline || end == pos => break,
            b'\n' => {
                newline = true;
                on_the_line = ending_of(&sentence).map(|ending| (end, ending));
                at += 1;
            }
            b' ' | b'\t' | b'\r' => at += 1,
            // A question is no statement.
            b'?' if !newline => return None,
            b'0'..=b'9' if number::result(src, at).is_none() => {
                at += src[at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
                sentence.push_number();
                end = at;
            }
            _ if word_end(src, at) > at => {
                let word_end = word_end(src, at);
                let word = decode(&src[at..word_end]);
                if !sentence.push(&word, || !unknown && named().know_any(&word)) {
                    // Below the sentence others begin.
                    return with_marks(src, on_the_line);
                }
                (at, end) = (word_end, word_end);
            }
            _ => match mark(src, at) {
                Some(mark) if end > pos => {
                    if mark.ends_clause {
                        sentence.end_clause();
                    }
                    at += mark.len;
                }
                _ => break,
            },
        }
        if sentence.len() > WORDS_MAX || at - pos > SENTENCE_BYTES_MAX {
            return with_marks(src, on_the_line);
        }
    }
    let whole = ending_of(&sentence).map(|ending| (end, ending));
    with_marks(src, whole.or(on_the_line))
}

/// A sentence with the punctuation at its end.
fn with_marks(src: &[u8], found: Option<(usize, Ending)>) -> Option<(usize, Ending)> {
    let (end, ending) = found?;
    let marks = src[end..].iter().take_while(|byte| matches!(byte, b'.' | b',' | b'!' | b':')).count();
    Some((end + marks, ending))
}

/// Punctuation in a sentence.
struct Mark {
    len: usize,
    ends_clause: bool,
}

fn mark(src: &[u8], at: usize) -> Option<Mark> {
    let dash = ["\u{2013}", "\u{2014}"].into_iter().find(|dash| src[at..].starts_with(dash.as_bytes()));
    match src[at] {
        b',' | b'.' | b':' | b'!' | b';' => Some(Mark { len: 1, ends_clause: true }),
        // `no-show` is one word.
        b'-' => Some(Mark { len: 1, ends_clause: src.get(at + 1).is_none_or(u8::is_ascii_whitespace) }),
        b'\'' => Some(Mark { len: 1, ends_clause: false }),
        _ => dash.map(|dash| Mark { len: dash.len(), ends_clause: true }),
    }
}

/// Bytes before a sentence in which the word before it is looked for.
const WORD_BYTES_MAX: usize = 64;

/// True if other words of the same sentence stand before a place on its line: they may say that something did not
/// happen.
fn goes_on_before(src: &[u8], pos: usize) -> bool {
    let near = &src[pos.saturating_sub(WORD_BYTES_MAX)..pos];
    let line = near.rsplit(|byte| *byte == b'\n').next().unwrap_or_default();
    let last = line.rsplit(u8::is_ascii_whitespace).find(|token| !token.is_empty());
    let Some(last) = last.map(|token| decode(token)) else { return false };
    let word = last.trim_end_matches(',').trim_start_matches(['(', '"']);
    let is_letters = !word.is_empty() && word.chars().all(|char| char.is_alphabetic() || char == '\'');
    // Signs such as `N`, marks such as `mate`, and castling are none.
    let is_sign = word.len() == 1 && word.bytes().all(|byte| byte.is_ascii_uppercase());
    let castles = word.bytes().all(|byte| byte.eq_ignore_ascii_case(&b'o'));
    is_letters && !is_sign && !castles && !number::is_remark(word.as_bytes())
}

/// The ending that a whole text states.
///
/// ```
/// use ferz_records::record::{GameResult, ending};
/// let found = ending("Weiß gibt auf!", &["", ""]).ok_or("no ending")?;
/// assert_eq!((found.result, found.termination), (GameResult::BlackWins, "normal"));
/// assert_eq!(ending("Ann lost on time", &["Ann", "Ben"]).map(|it| it.result), Some(GameResult::BlackWins));
/// assert_eq!(ending("White resigns himself to a draw", &["", ""]), None);
/// # Ok::<(), &str>(())
/// ```
pub fn ending(text: &str, names: &[&str; 2]) -> Option<Ending> {
    let text = text.trim();
    ending_at(text.as_bytes(), 0, names).filter(|(end, _)| *end == text.len()).map(|(_, ending)| ending)
}

impl Record<'_> {
    /// How the game ended, if the record says so in words only, without a result after them.
    pub fn ending(&self) -> Option<Ending> {
        let found = self.diagnostics.iter().find(|found| found.code == codes::RESULT_WORDS)?;
        let words = decode(&self.source()[found.span.start - self.offset()..found.span.end - self.offset()]);
        if words.starts_with('%') {
            return csa::ending(words.as_bytes(), self.ends_with_whites_turn());
        }
        let [white, black] = ["White", "Black"].map(|tag| self.tag(tag).unwrap_or_default());
        ending(&words, &[&white, &black])
    }

    /// The value of the tag `Termination` that the record lacks: words say more than the result does.
    pub(crate) fn missing_termination(&self) -> Option<&'static str> {
        let ending = self.ending().filter(|ending| ending.termination != "normal")?;
        self.find_tag("Termination").is_none().then_some(ending.termination)
    }
}

/// The end of the word at `pos`: letters and apostrophes, no digits.
fn word_end(src: &[u8], pos: usize) -> usize {
    let mut at = pos;
    while at < src.len() {
        let len = char_len(src, at);
        let is_letter = match decode(&src[at..at + len]).chars().next() {
            Some('\'' | '\u{2019}' | '\u{300}'..='\u{36f}') => at > pos,
            Some(char) => char.is_alphabetic(),
            None => false,
        };
        if !is_letter {
            break;
        }
        at += len;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::words::Words;
    use super::*;
    use crate::record::{codes, read};
    use std::cell::RefCell;

    #[test]
    fn every_language_says_who_did_what() {
        use GameResult::{BlackWins, Draw, Unknown, WhiteWins};
        let all = Words::all();
        assert_eq!(all.len(), 26);
        let wrong = RefCell::new(Vec::new());
        for (code, words) in &all {
            let states = |sentence: &str, result, termination| {
                let found = ending(sentence, &["", ""]);
                if found != Some(Ending { result, termination }) {
                    wrong.borrow_mut().push(format!("{code}: {sentence}: {found:?}"));
                }
            };
            for (colours, won, lost) in
                [(&words.white, WhiteWins, BlackWins), (&words.black, BlackWins, WhiteWins)]
            {
                let colour = &colours[0];
                for (phrases, result, termination) in [
                    (&words.resigns, lost, "normal"),
                    (&words.loses, lost, "normal"),
                    (&words.late, lost, "time forfeit"),
                    (&words.absent, lost, "abandoned"),
                    (&words.wins, won, "normal"),
                ] {
                    for phrase in phrases {
                        states(&format!("{colour} {phrase}"), result, termination);
                        states(&format!("{phrase} {colour}."), result, termination);
                    }
                }
                states(&format!("{colour} {} {}", words.wins[0], words.on_time[0]), won, "time forfeit");
                states(&format!("{colour} {} {}", words.loses[0], words.by_forfeit[0]), lost, "abandoned");
            }
            let needed = [&words.resigns, &words.loses, &words.wins, &words.draw];
            assert!(needed.iter().all(|phrases| !phrases.is_empty()), "{code}");
            for draw in &words.draw {
                states(draw, Draw, "normal");
                words.how.iter().for_each(|how| states(&format!("{draw} {how}"), Draw, "normal"));
                words.of_draws.iter().for_each(|of| states(&format!("{of} {draw}!"), Draw, "normal"));
            }
            for (phrases, termination) in [
                (&words.adjudicated, "adjudication"),
                (&words.adjourned, "unterminated"),
                (&words.abandoned, "abandoned"),
            ] {
                phrases.iter().for_each(|phrase| states(phrase, Unknown, termination));
            }
            assert!(words.months.len() >= 12 && words.months.iter().all(|name| is_month(name)), "{code}");
            assert!(words.tags.keys().eq(all["en"].tags.keys()), "{code}: {:?}", words.tags.keys());
            for (tag, words) in &words.tags {
                assert!(words.iter().all(|word| tag_of(word) == Some(tag)), "{code}: {tag}");
            }
        }
        assert_eq!(wrong.into_inner(), Vec::<String>::new());
    }

    #[test]
    fn a_sentence_ends_with_its_line() {
        let at = |text: &str| ending_at(text.as_bytes(), 0, &["Smith, Ann", "Ben Jones"]);
        let ends = |text: &str, len: usize, result| {
            let found = at(text).map(|(end, ending)| (end, ending.result));
            assert_eq!(found, Some((len, result)), "{text}");
        };
        use GameResult::{BlackWins, Draw, Unknown, WhiteWins};
        ends("White resigns", 13, BlackWins);
        ends("white  RESIGNS.\nBest wishes", 15, BlackWins);
        ends("and Black\nresigned! 1-0", 19, WhiteWins);
        ends("Les Noirs abandonnent\n", 21, WhiteWins);
        ends("Белые сдались", 25, BlackWins);
        ends("Draw by agreement {ok}", 17, Draw);
        ends("Smith lost on time", 18, BlackWins);
        ends("Jones resigns", 13, WhiteWins);
        ends("ben jones resigns", 17, WhiteWins);
        ends("adjourned", 9, Unknown);
        ends("Black's flag fell", 17, WhiteWins);
        ends("Jones's flag fell", 17, WhiteWins);
        ends("Smith resigned after 20 minutes.", 32, BlackWins);
        ends("We agreed to a draw", 19, Draw);
        ends("Die Partie endete remis nach 12 Zügen", 38, Draw);
        ends("Les Blancs ont dépassé le temps", 33, BlackWins);
        ends("Hier hat Weiß aufgegeben", 25, BlackWins);
        ends("Black lost\non time", 18, WhiteWins);
        ends("White resigns, Black wins", 25, BlackWins);
        ends("Black resigns, a piece down", 27, WhiteWins);
        for text in [
            "White resigns himself",
            "White",
            "White resigned here, since",
            "Draw agreed after long thought",
            "Black resigned after 12 beers",
            "We did not agree to a draw",
            "I offer a draw",
            "White should have resigned",
            "White\n\nresigns",
            "Miller resigns",
            "drawish",
            "Draw?",
            "no draw",
            "White to win",
            "White wins a pawn",
            "White lost time",
            "White wins, Black wins",
            "White drew",
            "threefold repetition",
        ] {
            assert_eq!(at(text), None, "{text}");
        }
    }

    /// The result of a record's moves, its last comment, and the codes about words.
    fn read_words(text: &str) -> (Option<GameResult>, Vec<&str>) {
        let mut records = read(text.as_bytes(), 0);
        let record = records.next().unwrap();
        assert!(records.next().is_none(), "{text}");
        let about = [codes::RESULT_WORDS, codes::RESULT_WORDS_DIFFER, codes::BARE_WORDS];
        let found = record.diagnostics.iter().map(|found| found.code).filter(|code| about.contains(code));
        (record.result, found.map(|code| code.0).collect())
    }

    #[test]
    fn words_are_the_result_where_there_is_no_other() {
        use GameResult::{BlackWins, Draw, Unknown, WhiteWins};
        for (text, result, codes) in [
            ("1. e4 e5 Wit geeft op", Some(BlackWins), &["S045"][..]),
            ("1. e4 e5 2. Nf3\nThank you\nBlack resigns\n", Some(WhiteWins), &["S022", "S045"]),
            ("1. e4 e5 remis", Some(Draw), &["S045"]),
            ("1. e4 e5 Black's flag fell", Some(WhiteWins), &["S045"]),
            ("1. e4 e5 2. Nf3 Nc6\nWhite's flag fell\n", Some(BlackWins), &["S045"]),
            ("1. e4 e5 White resigns 0-1", Some(BlackWins), &["S022"]),
            ("1. e4 e5 0-1 White resigns", Some(BlackWins), &["S022"]),
            ("1. e4 e5 0-1 Weiß gibt auf", Some(BlackWins), &["S022"]),
            ("1. e4 e5 adjudicated 1/2-1/2", Some(Draw), &["S022"]),
            ("1. e4 e5 adjourned", Some(Unknown), &["S045"]),
            ("1. e4 e5 Белые сдались 1-0", Some(WhiteWins), &["S046"]),
            ("1. e4 e5 1-0 White lost on time", Some(WhiteWins), &["S046"]),
            // The game goes on, or the words are no sentence about the end.
            ("1. e4 e5 White resigns\n2. Nf3 *", Some(Unknown), &["S022"]),
            ("1. e4 e5 (Black resigns) 2. Nf3", None, &["S022"]),
            ("1. e4 e5 White resigns himself", None, &["S022"]),
        ] {
            assert_eq!(read_words(text), (result, codes.to_vec()), "{text}");
        }
    }

    #[test]
    fn a_name_stands_for_its_colour() {
        let text = "[White \"Smith, Ann\"]\n[Black \"Ben Jones\"]\n\n1. e4 e5\nJones lost on time.\n";
        let record = read(text.as_bytes(), 0).next().unwrap();
        let ending = Ending { result: GameResult::WhiteWins, termination: "time forfeit" };
        assert_eq!((record.ending(), record.missing_termination()), (Some(ending), Some("time forfeit")));
    }

    #[test]
    fn latin_1_is_read_too() {
        let found = ending_at(b"Wei\xdf gibt auf", 0, &["", ""]).map(|(_, ending)| ending.result);
        assert_eq!(found, Some(GameResult::BlackWins));
    }

    #[test]
    fn a_day_and_a_month_are_a_remark() {
        for (text, remark) in [
            ("1. e4 e5 (13 Nov) 2. Nf3 Nc6 *", "13 Nov"),
            ("1. e4 e5 13 Nov 2. Nf3 Nc6 *", "13 Nov"),
            ("1. e4 e5 (Nov 14, 2024) 2. Nf3 Nc6 *", "Nov 14, 2024"),
            ("1. e4 e5 (13. März 2024) 2. Nf3 Nc6 *", "13. März 2024"),
            ("1. e4 e5 2 listopada 2. Nf3 Nc6 *", "2 listopada"),
            ("1. e4 e5 (by mail, 13 Nov) 2. Nf3 Nc6 *", "13 Nov"),
            ("1. e4 e5 (0:13) 2. Nf3 Nc6 *", "0:13"),
            ("1. e4 e5 1:02:03 2. Nf3 Nc6 *", "1:02:03"),
        ] {
            let record = read(text.as_bytes(), 0).next().unwrap();
            let remarks: Vec<_> =
                record.diagnostics.iter().filter(|found| found.code == codes::REMARK).collect();
            assert_eq!(remarks.len(), 1, "{text}: {:?}", record.diagnostics);
            let (start, end) = (remarks[0].span.start, remarks[0].span.end);
            assert_eq!(&text[start..end], remark, "{text}");
            let moves = record.items.iter().filter(|item| matches!(item.kind, crate::record::ItemKind::Move));
            assert_eq!(moves.count(), 4, "{text}");
        }
        // A month without a day is a word, and the number after it may be that of a move.
        for text in ["1. e4 e5 march 2. Nf3 *", "1. e4 e5 (in May) 2. Nf3 *", "1. e4 e5 2. Nov *"] {
            let record = read(text.as_bytes(), 0).next().unwrap();
            assert!(record.diagnostics.iter().all(|found| found.code != codes::REMARK), "{text}");
        }
    }
}
