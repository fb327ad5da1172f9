//! A sentence about the end of a game: its words, and what they say together.

use super::Ending;
use super::words::{KNOWN, Lexicon, NUMBER, Part, folded_words};
use crate::record::item::GameResult;
use ferz_core::text::fold::fold;

/// Words of the longest sentence.
pub(super) const WORDS_MAX: usize = 16;

/// A sentence in clauses, each of folded words.
#[derive(Debug, Default)]
pub(super) struct Sentence {
    clauses: Vec<Vec<String>>,
}

impl Sentence {
    /// Adds a word. False if it is in no language, and no player's name has it.
    pub fn push(&mut self, word: &str, names: impl FnOnce() -> bool) -> bool {
        if self.clauses.is_empty() {
            self.clauses.push(Vec::new());
        }
        // A word with an apostrophe may be two.
        let words = folded_words(word);
        let known = |word: &String| {
            word == NUMBER
                || KNOWN.words.contains(word)
                || word.strip_suffix('s').is_some_and(|bare| KNOWN.words.contains(bare))
        };
        let goes_on = words.iter().all(known) || names();
        if let Some(clause) = self.clauses.last_mut() {
            clause.extend(words);
        }
        goes_on
    }

    /// Adds a number.
    pub fn push_number(&mut self) {
        self.push(NUMBER, || true);
    }

    /// Begins another clause.
    pub fn end_clause(&mut self) {
        if self.clauses.last().is_some_and(|clause| !clause.is_empty()) {
            self.clauses.push(Vec::new());
        }
    }

    /// The number of words.
    pub fn len(&self) -> usize {
        self.clauses.iter().map(Vec::len).sum()
    }

    /// The ending that it states, in some language. `names` are those of White and Black.
    pub fn ending(&self, names: &Names) -> Option<Ending> {
        let mut found = None;
        if !self.may_tell() {
            return None;
        }
        for lexicon in &KNOWN.lexicons {
            match (self.ending_in(lexicon, names), found) {
                (None, _) => {}
                (Some(ending), None) => found = Some(ending),
                // Two languages contradict each other.
                (Some(ending), Some(other)) if ending != other => return None,
                _ => {}
            }
        }
        found
    }

    /// False if it says in no language what happened, which most words do not.
    pub fn may_tell(&self) -> bool {
        self.clauses.iter().flatten().any(|word| KNOWN.telling.contains(word))
    }

    fn ending_in(&self, lexicon: &Lexicon, names: &Names) -> Option<Ending> {
        if !self.clauses.iter().flatten().any(|word| lexicon.is_telling(word)) {
            return None;
        }
        let clauses: Vec<Vec<Part>> =
            self.clauses.iter().map(|words| parts(words, lexicon, names)).collect::<Option<_>>()?;
        if let Some(ending) = stated(&clauses.concat()) {
            return Some(ending);
        }
        // `White resigns, Black wins`: each clause for itself, and all the same.
        let mut endings = clauses
            .iter()
            .filter(|parts| parts.iter().any(|part| *part != Part::How))
            .map(|parts| stated(parts));
        let first = endings.next()??;
        endings.all(|ending| ending == Some(first)).then_some(first)
    }
}

/// The ending that the parts of a sentence state together: who, what, and how.
fn stated(parts: &[Part]) -> Option<Ending> {
    use GameResult::{BlackWins, Draw, Unknown, WhiteWins};
    let has = |part: Part| parts.contains(&part);
    let any = |wanted: &[Part]| wanted.iter().any(|part| has(*part));
    let ends = parts.iter().find_map(|part| match part {
        Part::Ends(termination) => Some(*termination),
        _ => None,
    });
    let decided = any(&[Part::Loses, Part::Late, Part::Absent, Part::Wins]);
    let [white, black] = [has(Part::White), has(Part::Black)];
    if let Some(termination) = ends {
        let bare = !decided && !has(Part::Draw) && !white && !black;
        return bare.then_some(Ending { result: Unknown, termination });
    }
    if has(Part::Draw) {
        let drawn = !decided && white == black && !any(&[Part::OnTime, Part::ByForfeit]);
        return drawn.then_some(Ending { result: Draw, termination: "normal" });
    }
    if white == black || has(Part::OfDraws) || !decided {
        return None;
    }
    let won = has(Part::Wins);
    if won && any(&[Part::Loses, Part::Late, Part::Absent]) {
        return None;
    }
    let termination = match () {
        () if any(&[Part::Late, Part::OnTime]) => "time forfeit",
        () if any(&[Part::Absent, Part::ByForfeit]) => "abandoned",
        () => "normal",
    };
    let result = if white == won { WhiteWins } else { BlackWins };
    Some(Ending { result, termination })
}

/// The parts of a clause; `None` if a word of it is in none.
fn parts(words: &[String], lexicon: &Lexicon, names: &Names) -> Option<Vec<Part>> {
    if !words.iter().all(|word| {
        word == NUMBER || lexicon.knows(word) || names.know(word) || possessive(word, lexicon).is_some()
    }) {
        return None;
    }
    let mut found = Vec::new();
    // Who stands anywhere, also between words that belong together: `hat Weiß aufgegeben`.
    let (mut rest, mut at) = (Vec::new(), 0);
    while at < words.len() {
        let known = lexicon.longest_at(&words[at..]);
        let colour = known.filter(|(_, part)| part.is_player()).or_else(|| possessive(&words[at], lexicon));
        let length = known.map_or(0, |(length, _)| length);
        let name = names.longest_at(&words[at..]).filter(|(longer, _)| *longer > length);
        let taken = match colour.or(name) {
            Some((length, part)) => {
                found.push(part);
                length
            }
            None => {
                rest.extend_from_slice(&words[at..at + length.max(1)]);
                length.max(1)
            }
        };
        at += taken;
    }
    let rest = lexicon.without_fillers(rest);
    let mut at = 0;
    while at < rest.len() {
        let (length, part) = lexicon.longest_at(&rest[at..])?;
        found.push(part);
        at += length;
    }
    Some(found)
}

/// `Whites`, from `White's`.
fn possessive(word: &str, lexicon: &Lexicon) -> Option<(usize, Part)> {
    let bare = [word.strip_suffix('s')?.to_owned()];
    lexicon.longest_at(&bare).filter(|(_, part)| part.is_player())
}

/// What a sentence may call the players.
#[derive(Debug, Default)]
pub(super) struct Names {
    names: Vec<(Vec<String>, Part)>,
}

impl Names {
    /// Of White and Black; empty where unknown.
    pub fn new(names: &[&str; 2], longest: usize) -> Names {
        let mut found: Vec<(Vec<String>, Part)> = Vec::new();
        // A name that is longer than a sentence is in none.
        for (name, part) in
            names.iter().zip([Part::White, Part::Black]).filter(|(name, _)| name.len() <= longest)
        {
            // `Smith, Ann` and `Ann Smith`.
            let surname = match name.split_once(',') {
                Some((surname, _)) => surname,
                None => name.trim().rsplit(' ').next().unwrap_or_default(),
            };
            for name in [name, surname] {
                let words: Vec<String> = fold(name).split_whitespace().map(str::to_owned).collect();
                let plural = words.split_last().map(|(last, front)| [front, &[format!("{last}s")]].concat());
                found.extend([Some(words), plural].into_iter().flatten().map(|words| (words, part)));
            }
        }
        // What both are called says nothing.
        let both = |words: &Vec<String>| {
            let mut parts = found.iter().filter(|(known, _)| known == words).map(|(_, part)| *part);
            let first = parts.next();
            parts.any(|part| Some(part) != first)
        };
        let names = found.iter().filter(|(words, _)| !words.is_empty() && !both(words)).cloned().collect();
        Names { names }
    }

    /// True if a player's name has one of the words of a text.
    pub fn know_any(&self, text: &str) -> bool {
        folded_words(text).iter().any(|word| self.know(word))
    }

    fn know(&self, word: &str) -> bool {
        self.names.iter().any(|(words, _)| words.iter().any(|known| known == word))
    }

    fn longest_at(&self, words: &[String]) -> Option<(usize, Part)> {
        let fits = self.names.iter().filter(|(name, _)| words.starts_with(name));
        fits.map(|(name, part)| (name.len(), *part)).max_by_key(|(length, _)| *length)
    }
}
