//! Results and other things in words, in the languages of players: data, read from `formats/words.toml`.

use super::codes;
use super::csa;
use super::item::GameResult;
use super::read::Record;
use ferz_core::text::bytes::char_len;
use ferz_core::text::decode;
use ferz_core::text::fold::fold;
use serde::Deserialize;
use std::cell::OnceCell;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::LazyLock;

/// How a game ended, as a sentence says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ending {
    /// The result.
    pub result: GameResult,
    /// The value of the tag `Termination` for it, one of the standard's.
    pub termination: &'static str,
}

/// The words of one language; the file describes them.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Words {
    white: Vec<String>,
    black: Vec<String>,
    resigns: Vec<String>,
    wins: Vec<String>,
    loses_on_time: Vec<String>,
    wins_on_time: Vec<String>,
    forfeits: Vec<String>,
    wins_by_forfeit: Vec<String>,
    draw: Vec<String>,
    #[serde(default)]
    agree: Vec<String>,
    adjudicated: Vec<String>,
    adjourned: Vec<String>,
    abandoned: Vec<String>,
    lead: Vec<String>,
    #[serde(default)]
    tail: Vec<String>,
    game: Vec<String>,
    months: Vec<String>,
    tags: BTreeMap<String, Vec<String>>,
}

/// What replaces the name of a player in a sentence. Sentences contain no digits, so it is no word of any.
const PLAYERS: [&str; 2] = ["0white", "0black"];

impl Words {
    /// All languages, by their codes.
    fn all() -> BTreeMap<String, Words> {
        // A test reads the file, so it is never empty.
        toml::from_str(include_str!("../formats/words.toml")).unwrap_or_default()
    }

    /// Every sentence, folded, with what it says.
    fn sentences(&self) -> Vec<(String, Ending)> {
        use GameResult::{BlackWins, Draw, Unknown, WhiteWins};
        let [white, black] = [(&self.white, PLAYERS[0]), (&self.black, PLAYERS[1])]
            .map(|(words, player)| words.iter().map(String::as_str).chain([player]).collect::<Vec<_>>());
        let mut found = Vec::new();
        for (sentences, won, termination) in [
            (&self.resigns, false, "normal"),
            (&self.wins, true, "normal"),
            (&self.loses_on_time, false, "time forfeit"),
            (&self.wins_on_time, true, "time forfeit"),
            (&self.forfeits, false, "abandoned"),
            (&self.wins_by_forfeit, true, "abandoned"),
        ] {
            let [whites, blacks] = if won { [WhiteWins, BlackWins] } else { [BlackWins, WhiteWins] };
            for sentence in sentences {
                for (players, result) in [(&white, whites), (&black, blacks)] {
                    let folded = |player: &&str| fold(&sentence.replace('@', player));
                    let ending = Ending { result, termination };
                    found.extend(players.iter().map(folded).map(|sentence| (sentence, ending)));
                }
            }
        }
        for (sentences, result, termination) in [
            (&self.draw, Draw, "normal"),
            (&self.adjudicated, Unknown, "adjudication"),
            (&self.adjourned, Unknown, "unterminated"),
            (&self.abandoned, Unknown, "abandoned"),
        ] {
            let ending = Ending { result, termination };
            found.extend(sentences.iter().map(|sentence| (fold(sentence), ending)));
        }
        let drawn = Ending { result: Draw, termination: "normal" };
        for agree in &self.agree {
            found.extend(self.draw.iter().map(|draw| (fold(&format!("{agree} {draw}")), drawn)));
        }
        found
    }
}

/// What is known about sentences.
struct Known {
    sentences: HashMap<String, Ending>,
    /// Words that may precede one.
    lead: HashSet<String>,
    /// Words that may follow one, folded, each number as [`NUMBER`].
    tail: HashSet<String>,
    /// Words before the number of a game.
    game: HashSet<String>,
    /// Names of months or their stems, without the space before them, by their first three letters.
    months: HashMap<String, Vec<String>>,
    /// Words for tags.
    tags: HashMap<String, &'static str>,
    /// The largest number of words of a sentence.
    words_max: usize,
}

static KNOWN: LazyLock<Known> = LazyLock::new(|| {
    let all = Words::all();
    let sentences: HashMap<_, _> = all.values().flat_map(Words::sentences).collect();
    let lead = all.values().flat_map(|words| &words.lead).map(|word| fold(word)).collect();
    let tails = all.values().flat_map(|words| &words.tail);
    let tail = tails.map(|tail| fold(&tail.replace('#', NUMBER))).collect();
    let game = all.values().flat_map(|words| &words.game).map(|word| fold(word)).collect();
    let tag = |(name, words): (&String, &Vec<String>)| {
        let name = TAGS.into_iter().find(|tag| *tag == name)?;
        Some(words.iter().map(|word| (fold(word), name)).collect::<Vec<_>>())
    };
    let tags = all.values().flat_map(|words| &words.tags).filter_map(tag).flatten().collect();
    let words_max = sentences.keys().map(|sentence| sentence.matches(' ').count()).max().unwrap_or(0);
    let mut months: HashMap<String, Vec<String>> = HashMap::new();
    for name in all.values().flat_map(|words| &words.months).map(|name| fold(name)) {
        let name = name.trim_start();
        months.entry(first_three(name)).or_default().push(name.to_owned());
    }
    Known { sentences, lead, tail, game, months, tags, words_max }
});

/// What stands for a number in the words after a sentence.
const NUMBER: &str = "0number";

/// The tags that have words.
const TAGS: [&str; 8] = ["White", "Black", "Event", "Site", "Date", "Round", "Result", "Variant"];

/// The tag that a word names: `Weiß` names `White`. The word may be of several words.
pub(super) fn tag_of(word: &str) -> Option<&'static str> {
    // A longer text is no name of a tag.
    if word.len() > SENTENCE_BYTES_MAX { None } else { KNOWN.tags.get(&fold(word)).copied() }
}

/// True for a word before the number of a game: `Game`, `Partie`.
pub(super) fn is_game_word(word: &str) -> bool {
    word.len() <= SENTENCE_BYTES_MAX && KNOWN.game.contains(&fold(word))
}

/// True for the name of a month, its stem with an ending, or its first letters, at least three: `Nov`, `ноября`.
pub(super) fn is_month(word: &str) -> bool {
    // No name is longer than 24 bytes.
    if word.len() > 24 || !word.chars().all(char::is_alphabetic) {
        return false;
    }
    let word = fold(word);
    let word = word.trim_start();
    let is_of = |name: &String| {
        // Endings of a case are short.
        let ending = word.strip_prefix(name.as_str());
        name.starts_with(word) || ending.is_some_and(|ending| ending.chars().count() <= 3)
    };
    let names = KNOWN.months.get(&first_three(word)).filter(|_| word.chars().count() >= 3);
    names.is_some_and(|names| names.iter().any(is_of))
}

fn first_three(word: &str) -> String {
    word.chars().take(3).collect()
}

/// Bytes of the longest text that is read as a sentence.
const SENTENCE_BYTES_MAX: usize = 160;

/// The ending that starts at `pos`, and the place after its sentence and the punctuation there. Nothing but the
/// sentence stands on the rest of its line. `names` are the names of White and Black, empty if unknown: they may stand
/// for the colours.
pub(super) fn ending_at(src: &[u8], pos: usize, names: &[&str; 2]) -> Option<(usize, Ending)> {
    let (known, mut folded) = (&*KNOWN, String::new());
    // Folded once for all words, and only if they say nothing without names.
    let players = OnceCell::new();
    let (mut at, mut words, mut newline) = (pos, 0, false);
    // The end of the sentence that is the longest one so far.
    let mut found = None;
    while at < src.len() && at - pos < SENTENCE_BYTES_MAX && words < known.words_max + 1 {
        let end = word_end(src, at);
        if end > at {
            newline = false;
            let word = fold(&decode(&src[at..end]));
            if words > 0 || !known.lead.contains(&word) {
                folded.push_str(&word);
            }
            words += 1;
            at = end;
            if let Some(ending) = known.ending(&folded, || players.get_or_init(|| folded_names(names))) {
                found = Some((at, ending));
            }
            continue;
        }
        // The sentence may be broken by a line end, not by an empty line.
        match src[at] {
            b'\n' if newline => break,
            b'\n' => newline = true,
            b' ' | b'\t' | b'\r' | b',' | b'-' | b'\'' => {}
            _ => break,
        }
        at += 1;
    }
    let (end, ending) = found?;
    let end = known.tail_end(src, end);
    let is_mark = |byte: &&u8| matches!(byte, b'.' | b',' | b'!' | b':');
    let end = end + src[end..].iter().take_while(is_mark).count();
    let blanks = src[end..].iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    // A further word on the line: the sentence says something else.
    (word_end(src, end + blanks) == end + blanks).then_some((end, ending))
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

impl Known {
    /// The end of the words after a sentence that say no more: `here`, `after 20 minutes`; `end` if there are none.
    fn tail_end(&self, src: &[u8], end: usize) -> usize {
        let (mut at, mut folded) = (end, String::new());
        loop {
            let from = at + src[at..].iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
            let digits = src[from..].iter().take_while(|byte| byte.is_ascii_digit()).count();
            let stop = if digits > 0 { from + digits } else { word_end(src, from) };
            if stop == from || stop - end > SENTENCE_BYTES_MAX {
                break;
            }
            let word = decode(&src[from..stop]);
            folded += &fold(if digits > 0 { NUMBER } else { &word });
            at = stop;
        }
        if self.tail.contains(&folded) { at } else { end }
    }

    fn ending<'n>(&self, folded: &str, names: impl Fn() -> &'n Vec<Name>) -> Option<Ending> {
        let sentence = |(name, player): &Name| {
            let rest = folded.strip_prefix(name.as_str())?;
            // `Lee resigns`, `Lee's flag fell`: the apostrophe is not part of the word.
            if !rest.starts_with(' ') && !rest.starts_with("s ") {
                return None;
            }
            self.sentences.get(&format!(" {player}{rest}"))
        };
        self.sentences.get(folded).or_else(|| names().iter().find_map(sentence)).copied()
    }
}

/// A player's name, folded, and the word of [`PLAYERS`] in its place.
type Name = (String, &'static str);

/// What a sentence may call the players, folded. A name that is longer than a sentence is in none.
fn folded_names(names: &[&str; 2]) -> Vec<Name> {
    let mut found = Vec::new();
    for (name, player) in names.iter().zip(PLAYERS).filter(|(name, _)| name.len() <= SENTENCE_BYTES_MAX) {
        let whole = fold(name);
        // `Smith, Ann` and `Ann Smith`.
        let surname = match name.split_once(',') {
            Some((surname, _)) => fold(surname),
            None => whole.rfind(' ').map_or(String::new(), |at| whole[at..].to_owned()),
        };
        found.extend([whole, surname].into_iter().filter(|name| !name.is_empty()).map(|name| (name, player)));
    }
    found
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
    use super::*;
    use crate::record::{codes, read};

    #[test]
    fn every_language_has_sentences_and_none_contradicts_another() {
        let all = Words::all();
        assert_eq!(all.len(), 26);
        let mut seen: HashMap<String, (Ending, String)> = HashMap::new();
        for (code, words) in &all {
            for (sentence, ending) in words.sentences() {
                assert!(sentence.len() > 2 && sentence.len() < SENTENCE_BYTES_MAX, "{code}: {sentence}");
                let (first, other) = seen.entry(sentence.clone()).or_insert((ending, code.clone()));
                assert_eq!(*first, ending, "{code}, {other}: {sentence}");
            }
            assert!(words.months.len() >= 12 && words.months.iter().all(|name| is_month(name)), "{code}");
            assert!(words.tags.keys().eq(all["en"].tags.keys()), "{code}: {:?}", words.tags.keys());
            for (tag, words) in &words.tags {
                assert!(words.iter().all(|word| tag_of(word) == Some(tag)), "{code}: {tag}");
            }
        }
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
