//! Piece letters of languages, read from `formats/notations/*.toml`.

use super::letters::castling_end;
use crate::board::{Mask, Owner};
use crate::rules::Rules;
use crate::rules::load::{V_SYNTAX, V_VALUE, span_of};
use crate::text::limits::DEFINITION_BYTES_MAX;
use crate::text::{Diagnostic, Severity, Span};
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, LazyLock};

macro_rules! embedded {
    ($($code:literal)*) => { [$(include_str!(concat!("../formats/notations/", $code, ".toml"))),*] };
}

/// The built-in languages. If several fit a record, the first one is reported.
const BUILT_IN: [&str; 25] = embedded! {
    "de" "fr" "es" "it" "nl" "pl" "ru" "cs" "hu" "sv" "da" "no" "fi" "pt" "ro" "et" "is" "ca" "hr" "sk" "sl" "bg" "el"
    "tr" "uk"
};

/// Names for the game's own letters, which are English in all built-in games.
const OWN: [&str; 3] = ["en", "english", "own"];

/// A language and its piece letters.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Language {
    /// The ISO 639-1 code, such as `de`.
    #[serde(rename = "language")]
    pub code: String,
    /// The English name.
    pub name: String,
    /// Other names, including the native one.
    #[serde(default)]
    pub aliases: Vec<String>,
    /// The source of the letters.
    pub source: String,
    /// One or more letters for each kind, by the kind's name in definitions.
    pub letters: BTreeMap<String, String>,
}

impl Language {
    /// BLAKE3 of the letters, 32 hex digits: two languages with one digest read every record alike.
    pub fn digest(&self) -> String {
        let mut hasher = blake3::Hasher::new();
        for (kind, letters) in &self.letters {
            hasher.update(format!("{kind}={letters}\n").as_bytes());
        }
        hasher.finalize().to_hex()[..32].to_owned()
    }
}

/// The known languages.
#[derive(Debug, Clone, Default)]
pub struct Languages {
    all: Vec<Arc<Language>>,
}

impl Languages {
    /// The built-in languages.
    pub fn built_in() -> &'static Arc<Languages> {
        static BUILT: LazyLock<Arc<Languages>> = LazyLock::new(|| {
            // A test reads every file, so an invalid one cannot be omitted here.
            let read = |text: &&str| read_language(text).ok().map(Arc::new);
            Arc::new(Languages { all: BUILT_IN.iter().filter_map(read).collect() })
        });
        &BUILT
    }

    /// The built-in languages and those of files; a file replaces the language with the same code.
    ///
    /// # Errors
    /// Returns every fault with the number of its file.
    pub fn with_files<'a>(
        files: impl IntoIterator<Item = &'a str>,
    ) -> Result<Languages, Vec<(usize, Diagnostic)>> {
        let mut languages = (**Languages::built_in()).clone();
        let mut errors = Vec::new();
        for (index, text) in files.into_iter().enumerate() {
            match read_language(text) {
                Ok(language) => languages.add(language),
                Err(found) => errors.push((index, *found)),
            }
        }
        if errors.is_empty() { Ok(languages) } else { Err(errors) }
    }

    fn add(&mut self, language: Language) {
        let language = Arc::new(language);
        match self.all.iter_mut().find(|known| known.code == language.code) {
            Some(known) => *known = language,
            None => self.all.push(language),
        }
    }

    /// All languages in order of preference.
    pub fn all(&self) -> &[Arc<Language>] {
        &self.all
    }

    /// The language with a code or name.
    pub fn find(&self, name: &str) -> Option<&Arc<Language>> {
        let name = name.to_lowercase();
        self.all.iter().find(|language| {
            language.code == name
                || language.name.to_lowercase() == name
                || language.aliases.iter().any(|alias| alias.to_lowercase() == name)
        })
    }

    /// The language with a code or name; `None` for English, the games' own letters.
    ///
    /// # Errors
    /// If it is unknown; the message lists the known ones.
    pub fn choose(&self, name: &str) -> Result<Option<Arc<Language>>, String> {
        if OWN.contains(&name.to_lowercase().as_str()) {
            return Ok(None);
        }
        self.find(name).cloned().map(Some).ok_or_else(|| {
            let codes: Vec<&str> = self.all.iter().map(|language| language.code.as_str()).collect();
            format!("unknown language `{name}`; known: en, {}", codes.join(", "))
        })
    }
}

/// Reads a language file.
///
/// # Errors
/// Returns the fault with its place.
pub fn read_language(text: &str) -> Result<Language, Box<Diagnostic>> {
    let wrong = |code, span, message: String| Box::new(Diagnostic::new(code, Severity::Error, span, message));
    if text.len() > DEFINITION_BYTES_MAX {
        let message = format!("a definition has at most {DEFINITION_BYTES_MAX} bytes");
        return Err(wrong(V_SYNTAX, Span::new(0, 0), message));
    }
    let language: Language = toml::from_str(text).map_err(|error| {
        let span = error.span().unwrap_or(0..0);
        wrong(V_SYNTAX, Span::new(span.start, span.end), error.message().to_owned())
    })?;
    match mistake(&language) {
        Some((field, message)) => Err(wrong(V_VALUE, span_of(text, &field), format!("{field}: {message}"))),
        None => Ok(language),
    }
}

/// The first invalid field, with a message.
fn mistake(language: &Language) -> Option<(String, String)> {
    let code = &language.code;
    if code.is_empty() || !code.bytes().all(|byte| byte.is_ascii_lowercase()) {
        return Some(("language".into(), "not a code; write lower-case letters, such as `de`".into()));
    }
    if OWN.contains(&code.as_str()) || code == "auto" {
        return Some(("language".into(), format!("`{code}` is reserved")));
    }
    let mut seen = BTreeSet::new();
    for (kind, letter) in &language.letters {
        let mut chars = letter.chars();
        let first = chars.next().is_some_and(char::is_uppercase);
        let message = if !first || !chars.clone().all(char::is_lowercase) || chars.count() > 2 {
            "write a capital letter and at most two lower-case letters after it"
        } else if !seen.insert(letter) {
            "another piece has this letter"
        } else {
            continue;
        };
        return Some((format!("letters.{kind}"), message.into()));
    }
    None
}

/// The letters of a language in one game, with translation from and to the game's own.
#[derive(Debug)]
pub struct Alphabet {
    /// The language.
    pub language: Arc<Language>,
    /// Pairs of the language's letters and the game's own, the longest first.
    pairs: Vec<(String, u8)>,
    /// The language's letters by the game's own; `None` if a piece has none.
    written: [Option<String>; 26],
    /// The ASCII capitals that start a letter of the language.
    capitals: u32,
}

/// The bit of an ASCII capital in a set.
pub const fn capital_bit(letter: u8) -> u32 {
    1 << (letter.wrapping_sub(b'A') % 32)
}

impl Alphabet {
    /// The letters of the language for a game's pieces. A kind that the language does not name keeps the game's own
    /// letter, or has none if the language uses that letter for another piece.
    pub fn new<M: Mask>(language: &Arc<Language>, rules: &Rules<M>) -> Alphabet {
        let mut written: [Option<String>; 26] = [const { None }; 26];
        let own = |letter: u8| usize::from(letter - b'A');
        for kind in rules.kinds.iter().filter(|kind| !kind.plus) {
            for letter in Owner::ALL.map(|owner| kind.label[owner].letter) {
                written[own(letter)] = language.letters.get(&kind.name).cloned();
            }
        }
        let named: BTreeSet<String> = written.iter().flatten().cloned().collect();
        for letter in rules.kinds.iter().flat_map(|kind| Owner::ALL.map(|owner| kind.label[owner].letter)) {
            let text = char::from(letter).to_string();
            if written[own(letter)].is_none() && !named.contains(&text) {
                written[own(letter)] = Some(text);
            }
        }
        let mut pairs: Vec<(String, u8)> = (b'A'..=b'Z')
            .filter_map(|letter| written[own(letter)].clone().map(|national| (national, letter)))
            .collect();
        pairs.sort_by_key(|(national, _)| std::cmp::Reverse(national.len()));
        let capitals = pairs.iter().filter_map(|(national, _)| national.bytes().next());
        let capitals =
            capitals.filter(u8::is_ascii_uppercase).fold(0, |all, letter| all | capital_bit(letter));
        Alphabet { language: Arc::clone(language), pairs, written, capitals }
    }

    /// False if plies that begin with some of these capitals ([`capital_bit`]) cannot be read.
    pub fn may_read(&self, capitals: u32) -> bool {
        capitals & !self.capitals == 0
    }

    /// A token with the game's own letters in place of the language's; `None` if the language has no piece with one of
    /// its letters.
    pub fn to_own(&self, token: &str) -> Option<String> {
        let mut at = castling_end(token.as_bytes());
        let mut own = token[..at].to_owned();
        while let Some(first) = token[at..].chars().next() {
            let rest = &token[at..];
            let pair = self.pairs.iter().find(|(national, _)| rest.starts_with(national.as_str()));
            if let Some((national, letter)) = pair {
                own.push(char::from(*letter));
                at += national.len();
                continue;
            }
            // Nature's pawn is introduced with a lower-case letter: `d6=p`.
            let last = is_mark(&rest[first.len_utf8()..]);
            let pawn = first.is_lowercase() && own.ends_with('=') && last;
            let capital: String = first.to_uppercase().collect();
            match self.pairs.iter().find(|(national, _)| pawn && *national == capital) {
                Some((_, letter)) => own.push(char::from(letter.to_ascii_lowercase())),
                None if first.is_ascii_uppercase() || !first.is_ascii() && first.is_alphabetic() => {
                    return None;
                }
                None => own.push(first),
            }
            at += first.len_utf8();
        }
        Some(own)
    }

    /// A ply's text with the language's letters in place of the game's own.
    ///
    /// # Errors
    /// Returns the game's own letter of a piece that has none in the language.
    pub fn to_national(&self, text: &str) -> Result<String, char> {
        let at = castling_end(text.as_bytes());
        let mut national = text[..at].to_owned();
        for (index, own) in text[at..].char_indices() {
            let last = is_mark(&text[at + index + own.len_utf8()..]);
            let small = own.is_ascii_lowercase() && national.ends_with('=') && last;
            if !own.is_ascii_uppercase() && !small {
                national.push(own);
                continue;
            }
            let letter = &self.written[usize::from(own.to_ascii_uppercase() as u8 - b'A')];
            let letter = letter.as_ref().ok_or(own)?;
            if small {
                national.push_str(&letter.to_lowercase());
            } else {
                national.push_str(letter);
            }
        }
        Ok(national)
    }
}

/// True for bytes that may follow the last letter of a ply.
fn is_mark(rest: &str) -> bool {
    rest.trim_end_matches(['+', '#']).is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{AnyRules, Registry};

    fn alphabet(language: &str, game: &str) -> Alphabet {
        let language = Languages::built_in().find(language).unwrap();
        match Registry::built_in().rules(game, &|_| None).unwrap() {
            AnyRules::Narrow(rules) => Alphabet::new(language, &rules),
            AnyRules::Wide(rules) => Alphabet::new(language, &rules),
        }
    }

    #[test]
    fn every_file_is_read_and_embedded() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/formats/notations");
        let mut files = 0;
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_none_or(|extension| extension != "toml") {
                continue;
            }
            let language = read_language(&std::fs::read_to_string(&path).unwrap()).unwrap();
            assert_eq!(path.file_stem().unwrap().to_str(), Some(language.code.as_str()));
            assert_eq!(**Languages::built_in().find(&language.code).unwrap(), language);
            for kind in ["king", "queen", "rook", "bishop", "knight", "pawn"] {
                assert!(language.letters.contains_key(kind), "{}: {kind}", language.code);
            }
            files += 1;
        }
        assert_eq!(files, Languages::built_in().all().len());
    }

    #[test]
    fn letters_there_and_back() {
        let cases = [
            ("de", "chess", "Ngxf3+", "Sgxf3+"),
            ("ru", "chess", "Kxe2", "Крxe2"),
            ("ru", "chess", "Nf3", "Кf3"),
            ("et", "chess", "Bc4", "Oc4"),
            ("et", "chess", "O-O", "O-O"),
            ("es", "chess", "exd8=Q#", "exd8=D#"),
            ("de", "seirawan", "O-O/Hh1", "O-O/Hh1"),
            ("fr", "ichess", "BxNg5", "FxCg5"),
            ("nl", "chaos+chess", "d6=p", "d6=o"),
            ("ru", "chaos+chess", "d6=p", "d6=п"),
            ("de", "ichess", "R=b1", "T=b1"),
            ("es", "ichess", "R=a1", "T=a1"),
        ];
        for (language, game, own, national) in cases {
            let alphabet = alphabet(language, game);
            assert_eq!(alphabet.to_national(own).as_deref(), Ok(national), "{language}");
            assert_eq!(alphabet.to_own(national).as_deref(), Some(own), "{language}");
            let first = national.bytes().next().filter(|byte| byte.is_ascii_uppercase() && *byte != b'O');
            assert!(alphabet.may_read(first.map_or(0, capital_bit)), "{language}: {national}");
        }
        assert!(!alphabet("de", "chess").may_read(capital_bit(b'K') | capital_bit(b'N')));
    }

    #[test]
    fn a_piece_whose_letter_is_taken_has_none() {
        let spanish = alphabet("es", "iago-b");
        assert_eq!(spanish.to_national("Ng1-f3&C"), Err('C'));
        assert_eq!(spanish.to_national("Ng1-f3&M").as_deref(), Ok("Cg1-f3&M"));
        assert_eq!(spanish.to_own("Cg1-f3&M").as_deref(), Some("Ng1-f3&M"));
        assert_eq!(spanish.to_own("Nf3"), None);
    }

    #[test]
    fn mistakes_have_their_place() {
        let file = |letters: &str| {
            format!("language = \"xx\"\nname = \"X\"\nsource = \"none\"\n[letters]\nking = \"K\"\n{letters}")
        };
        assert!(read_language(&file("queen = \"D\"")).is_ok());
        for (letters, part) in
            [("queen = \"K\"", "another piece"), ("queen = \"d\"", "capital"), ("a = 1", "")]
        {
            let text = file(letters);
            let error = read_language(&text).unwrap_err();
            assert!(error.message.contains(part), "{}", error.message);
            assert!(error.span.start > 40, "{letters}: {:?}", error.span);
        }
    }
}
