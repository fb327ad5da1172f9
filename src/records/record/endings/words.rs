//! The words of players, read from `formats/words.toml`.

use ferz_core::text::fold::fold;
use serde::Deserialize;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::LazyLock;

/// The words of one language, as the file has them.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Words {
    pub white: Vec<String>,
    pub black: Vec<String>,
    pub resigns: Vec<String>,
    pub loses: Vec<String>,
    pub late: Vec<String>,
    pub absent: Vec<String>,
    pub wins: Vec<String>,
    pub on_time: Vec<String>,
    pub by_forfeit: Vec<String>,
    pub draw: Vec<String>,
    pub of_draws: Vec<String>,
    pub how: Vec<String>,
    pub adjudicated: Vec<String>,
    pub adjourned: Vec<String>,
    pub abandoned: Vec<String>,
    pub filler: Vec<String>,
    game: Vec<String>,
    pub months: Vec<String>,
    pub tags: BTreeMap<String, Vec<String>>,
}

impl Words {
    /// All languages, by their codes.
    pub fn all() -> BTreeMap<String, Words> {
        // A test reads the file, so it is never empty.
        toml::from_str(include_str!("../../formats/words.toml")).unwrap_or_default()
    }
}

/// A part of a sentence about the end of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Part {
    White,
    Black,
    /// Who did so has lost.
    Loses,
    /// Who did so has lost, because the time is over.
    Late,
    /// Who did so has lost, because he did not come.
    Absent,
    Wins,
    OnTime,
    ByForfeit,
    Draw,
    /// May only stand beside a draw.
    OfDraws,
    /// Says no more about the result.
    How,
    /// Ends the game without a result.
    Ends(&'static str),
    Filler,
}

impl Part {
    /// True for what happened.
    fn says_what(self) -> bool {
        use Part::{Absent, Draw, Ends, Late, Loses, Wins};
        matches!(self, Absent | Draw | Ends(_) | Late | Loses | Wins)
    }

    /// True for the colour of a player.
    pub fn is_player(self) -> bool {
        matches!(self, Part::White | Part::Black)
    }
}

/// The parts of sentences of one language.
#[derive(Debug, Default)]
pub(super) struct Lexicon {
    /// Each part by its words, fillers left out of all but fillers.
    parts: HashMap<Vec<String>, Part>,
    /// Every word of a part.
    words: HashSet<String>,
    /// The longest word of each part that says what happened: without one of them a sentence says nothing.
    telling: HashSet<String>,
    /// Words of the longest part.
    longest: usize,
}

/// What stands for a number.
pub(super) const NUMBER: &str = "#";

impl Lexicon {
    fn new(words: &Words) -> Lexicon {
        let mut lexicon = Lexicon::default();
        lexicon.add(&words.filler, Part::Filler);
        for (phrases, part) in [
            (&words.white, Part::White),
            (&words.black, Part::Black),
            (&words.resigns, Part::Loses),
            (&words.loses, Part::Loses),
            (&words.late, Part::Late),
            (&words.absent, Part::Absent),
            (&words.wins, Part::Wins),
            (&words.on_time, Part::OnTime),
            (&words.by_forfeit, Part::ByForfeit),
            (&words.draw, Part::Draw),
            (&words.of_draws, Part::OfDraws),
            (&words.how, Part::How),
            (&words.adjudicated, Part::Ends("adjudication")),
            (&words.adjourned, Part::Ends("unterminated")),
            (&words.abandoned, Part::Ends("abandoned")),
        ] {
            lexicon.add(phrases, part);
        }
        lexicon
    }

    fn add(&mut self, phrases: &[String], part: Part) {
        for phrase in phrases {
            let mut words = folded_words(phrase);
            self.words.extend(words.iter().cloned());
            if part != Part::Filler && !part.is_player() {
                words = self.without_fillers(words);
            }
            if part.says_what() {
                self.telling.extend(words.iter().max_by_key(|word| word.len()).cloned());
            }
            self.longest = self.longest.max(words.len());
            if !words.is_empty() {
                self.parts.entry(words).or_insert(part);
            }
        }
    }

    /// True if the word stands in some part.
    pub fn knows(&self, word: &str) -> bool {
        self.words.contains(word)
    }

    /// True if the word may say what happened.
    pub fn is_telling(&self, word: &str) -> bool {
        self.telling.contains(word)
    }

    /// The part with the most words at the front of a text, and how many it has.
    pub fn longest_at(&self, words: &[String]) -> Option<(usize, Part)> {
        let lengths = (1..=self.longest.min(words.len())).rev();
        lengths.into_iter().find_map(|length| Some((length, *self.parts.get(&words[..length])?)))
    }

    /// The words without those that say nothing.
    pub fn without_fillers(&self, words: Vec<String>) -> Vec<String> {
        let mut left = Vec::with_capacity(words.len());
        let mut at = 0;
        while at < words.len() {
            let fillers = |length: &usize| self.parts.get(&words[at..at + length]) == Some(&Part::Filler);
            match (1..=self.longest.min(words.len() - at)).rev().find(fillers) {
                Some(length) => at += length,
                None => {
                    left.push(words[at].clone());
                    at += 1;
                }
            }
        }
        left
    }
}

/// The words of a text, folded; a number is [`NUMBER`].
pub(super) fn folded_words(text: &str) -> Vec<String> {
    let folded = fold(&text.replace(NUMBER, "0"));
    let word =
        |word: &str| if word.bytes().all(|byte| byte.is_ascii_digit()) { NUMBER } else { word }.to_owned();
    folded.split_whitespace().map(word).collect()
}

/// What is known about the words of players.
pub(super) struct Known {
    pub lexicons: Vec<Lexicon>,
    /// The words of all languages, and those that may say what happened.
    pub words: HashSet<String>,
    pub telling: HashSet<String>,
    /// Words before the number of a game.
    game: HashSet<String>,
    /// Names of months or their stems, without the space before them, by their first three letters.
    months: HashMap<String, Vec<String>>,
    /// Words for tags.
    tags: HashMap<String, &'static str>,
}

pub(super) static KNOWN: LazyLock<Known> = LazyLock::new(|| {
    let all = Words::all();
    let game = all.values().flat_map(|words| &words.game).map(|word| fold(word)).collect();
    let tag = |(name, words): (&String, &Vec<String>)| {
        let name = TAGS.into_iter().find(|tag| *tag == name)?;
        Some(words.iter().map(|word| (fold(word), name)).collect::<Vec<_>>())
    };
    let tags = all.values().flat_map(|words| &words.tags).filter_map(tag).flatten().collect();
    let mut months: HashMap<String, Vec<String>> = HashMap::new();
    for name in all.values().flat_map(|words| &words.months).map(|name| fold(name)) {
        let name = name.trim_start();
        months.entry(first_three(name)).or_default().push(name.to_owned());
    }
    let lexicons: Vec<Lexicon> = all.values().map(Lexicon::new).collect();
    let telling = lexicons.iter().flat_map(|lexicon| lexicon.telling.iter().cloned()).collect();
    let words = lexicons.iter().flat_map(|lexicon| lexicon.words.iter().cloned()).collect();
    Known { lexicons, words, telling, game, months, tags }
});

/// The tags that have words.
const TAGS: [&str; 8] = ["White", "Black", "Event", "Site", "Date", "Round", "Result", "Variant"];

/// Bytes of the longest text that is read as a sentence.
pub(super) const SENTENCE_BYTES_MAX: usize = 160;

/// The tag that a word names: `Weiß` names `White`. The word may be of several words.
pub(crate) fn tag_of(word: &str) -> Option<&'static str> {
    // A longer text is no name of a tag.
    if word.len() > SENTENCE_BYTES_MAX { None } else { KNOWN.tags.get(&fold(word)).copied() }
}

/// True for a word before the number of a game: `Game`, `Partie`.
pub(crate) fn is_game_word(word: &str) -> bool {
    word.len() <= SENTENCE_BYTES_MAX && KNOWN.game.contains(&fold(word))
}

/// True for the name of a month, its stem with an ending, or its first letters, at least three: `Nov`, `ноября`.
pub(in crate::record) fn is_month(word: &str) -> bool {
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
