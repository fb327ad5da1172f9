//! Detects the language of a record's piece letters, if they are not the game's own.
//!
//! A record that is legal in the game's own letters is read that way. Otherwise each language is tried over the whole
//! record, never a part of it. One is taken only if it reads the record further and there is evidence for it: a letter
//! that the game does not have, or several plies in a row.

use super::codes;
use super::evidence::Spellings;
use super::game::Game;
use super::interpretation::{Contested, Interpretation};
use super::line::{LineJudge, LineOutcome, Observer, Scope, marks_let_stand};
use super::report::{Report, Source, StyleEvidence};
use crate::clock::void_turns;
use crate::record::{ItemKind, Record};
use ferz_core::board::{BoardName, Mask, Owner};
use ferz_core::judge::Judge;
use ferz_core::notation::coord::has_form;
use ferz_core::notation::{Alphabet, Habits, Style, capital_bit};
use ferz_core::position::{Ply, Position};
use ferz_core::text::limits::LANGUAGE_PLIES_MAX;
use ferz_core::text::{Budget, Code, Diagnostic, Exhausted, Severity};
use std::cmp::Reverse;
use std::sync::Arc;

/// This many plies, legal with letters that mean other pieces than in the game, prove a language by themselves.
const PROVING_PLIES: usize = 4;

/// No built-in language has this many of one game's own letters with other meanings, so a record with more of them is
/// in the game's own.
const SHARED_LETTERS_MAX: u32 = 3;

/// A record, with everything needed to try readings of it.
pub(super) struct Trials<'a, 's, M: Mask> {
    pub game: &'a Game<M>,
    pub record: &'a Record<'a>,
    pub source: &'a Source<'s>,
    pub start: &'a Arc<Position<M>>,
    /// The start on the second board, in a game on two.
    pub second: Option<&'a Arc<Position<M>>>,
    pub budget: &'a Budget,
    /// The start is not a position of a legal game.
    pub unsettled: bool,
}

/// How far an interpretation gets: whether the main line is replayed to its end, its plies, and how few of them and of
/// the variations are illegal.
type Reach = (bool, usize, Reverse<usize>);

/// The result of a interpretation.
struct Trial {
    alphabet: Arc<Alphabet>,
    reach: Reach,
    plies: Vec<(usize, Ply)>,
}

/// The strength of the evidence for a language.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Evidence {
    /// One ply, whose letter is one of the game's.
    None,
    /// One ply with a letter that the game does not have, or two or three with letters that it has.
    Weak,
    /// Two plies with a letter that the game does not have; or several that the game's own letters cannot read.
    Strong,
}

/// The result of a search through the languages.
#[derive(Default)]
pub(super) struct LanguageFinding {
    /// The interpretation to use instead of the first one.
    pub interpretation: Option<Interpretation>,
    /// The diagnostic.
    pub diagnostic: Option<Diagnostic>,
}

/// Collects the legal plies with their items.
#[derive(Default)]
struct Plies(Vec<(usize, Ply)>);

impl<M> Observer<M> for Plies {
    fn legal(&mut self, index: usize, _: &Position<M>, ply: &Ply, _: u32) {
        self.0.push((index, *ply));
    }

    fn restart(&mut self) {
        self.0.clear();
    }
}

fn reach<M: Mask>(outcome: &LineOutcome<M>) -> Reach {
    let illegal = |report: &&Report| !report.legal;
    let troubles = outcome.variations.iter().flatten().filter(illegal).count() + outcome.let_stand.len();
    (outcome.illegal.is_none(), outcome.plies, Reverse(troubles))
}

/// A start that many games share, with its judge.
fn begun<M: Mask>(start: &Arc<Position<M>>) -> (Position<M>, Judge<M>) {
    (Position::clone(start), Judge::from_shared(Arc::clone(start)))
}

impl<M: Mask> Trials<'_, '_, M> {
    /// Replays the plies in a interpretation.
    pub fn outcome(
        &self,
        interpretation: &Interpretation,
        observer: &mut impl Observer<M>,
    ) -> Result<LineOutcome<M>, Exhausted> {
        let void_turns = void_turns(self.record, &self.game.rules.definition.nature);
        let has_marks = marks_let_stand(self.record);
        let scope = Scope { has_marks, void_turns: &void_turns, budget: self.budget };
        let start = begun(self.start);
        let mut line =
            LineJudge::new(self.game, self.record, self.source, interpretation, scope, start, observer);
        if self.unsettled {
            line.begin_unsettled();
        }
        if let Some((position, judge)) = self.second.map(begun) {
            line.add_board(BoardName::A, position, judge);
        }
        line.run(self.record.main_line())?;
        Ok(line.outcome())
    }

    /// Searches for the language, after the game's own letters were tried.
    pub fn language(
        &self,
        own: &Interpretation,
        outcome: &LineOutcome<M>,
        alphabets: impl Fn() -> Alphabets,
    ) -> Result<LanguageFinding, Exhausted> {
        // The letters of coordinates are the game's in every country.
        if outcome.style.is_coordinates() && self.has_coordinates_alone() {
            return Ok(LanguageFinding::default());
        }
        let reached = reach(outcome);
        if reached.0 && reached.2.0 == 0 {
            return match self.few_letters() {
                Some(few) => self.other_reading(own, reached, few, &alphabets()),
                None => Ok(LanguageFinding::default()),
            };
        }
        let tokens = self.tokens();
        let mut trials: Vec<Trial> = Vec::new();
        let mut unproved = None;
        for alphabet in self.candidates(&tokens, alphabets().iter().cloned(), reached)? {
            let trial = self.trial(own, alphabet)?;
            if trial.reach <= reached {
                continue;
            }
            match self.evidence(&trial, &tokens, reached.1) {
                Evidence::Strong => trials.push(trial),
                Evidence::Weak if trial.reach.0 => {
                    unproved.get_or_insert(trial);
                }
                _ => {}
            }
        }
        let Some(best) = trials.iter().map(|trial| trial.reach).max() else {
            let diagnostic = unproved.map(|trial| self.unproved(&trial, &tokens));
            return Ok(LanguageFinding { interpretation: None, diagnostic });
        };
        trials.retain(|trial| trial.reach == best);
        Ok(self.chosen(own, &trials, &tokens))
    }

    /// True if all plies, variations included, have the form of coordinates.
    fn has_coordinates_alone(&self) -> bool {
        let mut moves = self.record.items.iter().filter(|item| item.kind == ItemKind::Move);
        moves.all(|item| has_form(self.record.bytes(*item)))
    }

    /// The texts of plies that may reveal the language, with their items. Whether a language reads the record further
    /// is decided on all plies.
    fn tokens(&self) -> Vec<(usize, String)> {
        let items = self.record.items.iter().enumerate();
        let moves = items.filter(|(_, item)| item.kind == ItemKind::Move).take(LANGUAGE_PLIES_MAX);
        moves.map(|(index, item)| (index, self.record.text(*item).into_owned())).collect()
    }

    /// The languages that may read a record further than its own letters did; of those that read it alike only one.
    fn candidates(
        &self,
        tokens: &[(usize, String)],
        alphabets: impl Iterator<Item = Arc<Alphabet>>,
        own: Reach,
    ) -> Result<Vec<Arc<Alphabet>>, Exhausted> {
        let mut seen: Vec<Vec<String>> = Vec::new();
        let mut found = Vec::new();
        // Where the game's own letters stopped in the main line, another language must get further; where they read
        // everything, it must do so too.
        let mut plies = self.record.main_moves().map(|(index, _)| index);
        let wanted = match own {
            (true, _, Reverse(0)) => Some(usize::MAX),
            (true, ..) => None,
            (false, plies_read, _) => plies.nth(plies_read),
        };
        for alphabet in alphabets {
            self.budget.spend(tokens.len() as u64)?;
            let read: Vec<String> = tokens.iter().map_while(|(_, token)| alphabet.to_own(token)).collect();
            let same = read.iter().zip(tokens).all(|(own, (_, token))| own == token);
            let short = wanted.is_some_and(|item| tokens.get(read.len()).is_some_and(|(at, _)| *at <= item));
            if !same && !short && !seen.contains(&read) {
                seen.push(read);
                found.push(alphabet);
            }
        }
        Ok(found)
    }

    fn trial(&self, own: &Interpretation, alphabet: Arc<Alphabet>) -> Result<Trial, Exhausted> {
        let interpretation = Interpretation { alphabet: Some(Arc::clone(&alphabet)), ..own.clone() };
        let mut plies = Plies::default();
        let reach = reach(&self.outcome(&interpretation, &mut plies)?);
        Ok(Trial { alphabet, reach, plies: plies.0 })
    }

    /// The evidence for a language besides legality.
    fn evidence(&self, trial: &Trial, tokens: &[(usize, String)], own_plies: usize) -> Evidence {
        let text = |item: usize| {
            let found = tokens.binary_search_by_key(&item, |(at, _)| *at).ok();
            found.map_or("", |found| tokens[found].1.as_str())
        };
        let foreign = trial.plies.iter().any(|(item, _)| self.has_foreign_letter(text(*item)));
        let changed = |plies: &[(usize, Ply)]| {
            let own = |token: &str| trial.alphabet.to_own(token).is_none_or(|own| own == token);
            plies.iter().filter(|(item, _)| !own(text(*item))).count()
        };
        let beyond = trial.plies.get(own_plies..).map_or(0, changed);
        match changed(&trial.plies) {
            _ if beyond >= PROVING_PLIES => Evidence::Strong,
            2.. if foreign => Evidence::Strong,
            1 if !foreign => Evidence::None,
            _ => Evidence::Weak,
        }
    }

    /// True if a token has a letter that is not a piece's of the game.
    fn has_foreign_letter(&self, token: &str) -> bool {
        let of_game = |letter: u8| {
            Owner::ALL.into_iter().any(|owner| !self.game.letters.kinds(owner, letter).is_empty())
        };
        token.chars().any(|c| match c {
            'O' | 'X' => false,
            'A'..='Z' => !of_game(c as u8),
            c => !c.is_ascii() && c.is_alphabetic(),
        })
    }

    /// The interpretation that gets furthest; if several do and differ, it stops where they diverge.
    fn chosen(&self, own: &Interpretation, trials: &[Trial], tokens: &[(usize, String)]) -> LanguageFinding {
        let [first, others @ ..] = trials else { return LanguageFinding::default() };
        let mut interpretation =
            Interpretation { alphabet: Some(Arc::clone(&first.alphabet)), ..own.clone() };
        let name = |trial: &Trial| {
            let language = &trial.alphabet.language;
            format!("{} ({})", language.name, language.code)
        };
        let parted = others.iter().find_map(|other| {
            let at = first.plies.iter().zip(&other.plies).position(|(a, b)| a != b)?;
            Some((other, at))
        });
        let Some((other, at)) = parted else {
            let message = format!("the piece letters are those of {}", name(first));
            return self.found(
                interpretation,
                codes::N_LANGUAGE,
                Severity::Info,
                &first.alphabet,
                tokens,
                message,
            );
        };
        let (item, ply) = first.plies[at];
        let message = format!(
            "the plies are legal in {} and in {}, but are different games; choose with --language",
            name(first),
            name(other)
        );
        let plies = vec![ply, other.plies[at].1];
        interpretation.contested = Some(Contested { item, plies, message: message.clone() });
        let span = self.record.span(self.record.items[item]);
        let diagnostic = Diagnostic::new(codes::N_LANGUAGE_CONTESTED, Severity::Error, span, message);
        LanguageFinding { interpretation: Some(interpretation), diagnostic: Some(diagnostic) }
    }

    fn found(
        &self,
        interpretation: Interpretation,
        code: Code,
        severity: Severity,
        alphabet: &Alphabet,
        tokens: &[(usize, String)],
        message: String,
    ) -> LanguageFinding {
        let severity = if interpretation.strict { Severity::Error } else { severity };
        let diagnostic = self.at_first_letter(code, severity, alphabet, tokens, message);
        LanguageFinding { interpretation: Some(interpretation), diagnostic: Some(diagnostic) }
    }

    /// A diagnostic at the first ply that the language reads differently from the game's own letters.
    fn at_first_letter(
        &self,
        code: Code,
        severity: Severity,
        alphabet: &Alphabet,
        tokens: &[(usize, String)],
        message: String,
    ) -> Diagnostic {
        let changed = |token: &str| alphabet.to_own(token).is_none_or(|own| own != token);
        let first = tokens.iter().find(|(_, token)| changed(token)).map_or(0, |(item, _)| *item);
        Diagnostic::new(code, severity, self.record.span(self.record.items[first]), message)
    }

    fn unproved(&self, trial: &Trial, tokens: &[(usize, String)]) -> Diagnostic {
        let language = &trial.alphabet.language;
        let message = format!(
            "with the letters of {} the whole game is legal, but the evidence for them is weak; it is judged \
             with the game's own; use --language {} if they are meant",
            language.name, language.code
        );
        self.at_first_letter(codes::N_LANGUAGE_UNPROVED, Severity::Info, &trial.alphabet, tokens, message)
    }

    /// The letters that the plies begin with ([`capital_bit`]), if they are few enough to be in one other language.
    fn few_letters(&self) -> Option<u32> {
        if self.shows_queen() {
            return None;
        }
        // Branchless: a test for each ply would be mispredicted.
        let mut seen = 0;
        for (_, item) in self.record.main_moves() {
            let letter = self.record.source()[item.start as usize];
            seen |= (u32::from(letter.is_ascii_uppercase()) * capital_bit(letter)) & !capital_bit(b'O');
            let fourth = (0..SHARED_LETTERS_MAX).fold(seen, |left, _| left & left.wrapping_sub(1));
            // No built-in language has a piece with the letter Q.
            if fourth | seen & capital_bit(b'Q') != 0 {
                return None;
            }
        }
        (seen != 0).then_some(seen)
    }

    /// True if a ply certainly begins with a Q; searched from the middle of a game, where queens move soonest.
    fn shows_queen(&self) -> bool {
        let (items, source) = (&self.record.items[..], self.record.source());
        if self.record.has_texts() || self.record.has_variations() || items.is_empty() {
            return false;
        }
        let middle = &source[items[items.len() / 3].start as usize..];
        let found = memchr::memchr(b'Q', middle);
        found.is_some_and(|at| at > 0 && matches!(middle[at - 1], b' ' | b'.' | b'\n' | b'\r'))
    }

    /// Reports that a game that is legal in its own letters is also legal in another language's, as another game.
    fn other_reading(
        &self,
        own: &Interpretation,
        reached: Reach,
        capitals: u32,
        alphabets: &Alphabets,
    ) -> Result<LanguageFinding, Exhausted> {
        let readers = alphabets.iter().filter(|alphabet| alphabet.may_read(capitals)).cloned();
        let tokens = self.tokens();
        let candidates = self.candidates(&tokens, readers, reached)?;
        let mut plies = Plies::default();
        if !candidates.is_empty() {
            self.outcome(own, &mut plies)?;
        }
        for alphabet in candidates {
            let trial = self.trial(own, alphabet)?;
            let differs = trial.plies != plies.0 && self.evidence(&trial, &tokens, 0) > Evidence::None;
            if trial.reach == reached && differs {
                let language = &trial.alphabet.language;
                let message = format!(
                    "read with the game's own letters; with those of {} it is legal too, but another game; use \
                     --language {} if that is meant",
                    language.name, language.code
                );
                let code = codes::N_LANGUAGE_OTHER;
                let diagnostic =
                    self.at_first_letter(code, Severity::Warning, &trial.alphabet, &tokens, message);
                return Ok(LanguageFinding { interpretation: None, diagnostic: Some(diagnostic) });
            }
        }
        Ok(LanguageFinding::default())
    }
}

/// The letters of all languages in one game.
pub(super) type Alphabets = Arc<Vec<Arc<Alphabet>>>;

impl<M: Mask> Trials<'_, '_, M> {
    /// The style that writes most of the plies exactly as they are.
    pub(super) fn style(
        &self,
        interpretation: &Interpretation,
        guess: Style,
    ) -> Result<(Style, Vec<StyleEvidence>), Exhausted> {
        let mut spellings = Spellings::new(self.record, interpretation.alphabet.as_deref());
        self.outcome(interpretation, &mut spellings)?;
        Ok(spellings.style([self.game.native, guess]))
    }

    /// The interpretation by which two squares have ranks from 0, if the record gets further so than by `outcome`.
    pub(super) fn zero_ranks(
        &self,
        interpretation: &Interpretation,
        outcome: &LineOutcome<M>,
    ) -> Result<Option<Interpretation>, Exhausted> {
        if outcome.illegal.is_none() {
            return Ok(None);
        }
        let other = Interpretation { zero_ranks: true, ..interpretation.clone() };
        let found = self.outcome(&other, &mut ())?;
        let further = found.plies > outcome.plies && found.habits.has(Habits::ZERO_RANKS);
        // An illegal ply that can be read only so is one of this form.
        let is_only_so = outcome.tried.is_none()
            && found.plies == outcome.plies
            && found.tried.is_some_and(|text| text.habits.has(Habits::ZERO_RANKS));
        Ok((further || is_only_so).then_some(other))
    }
}

#[cfg(test)]
mod tests {
    use crate::replay::tests::report;
    use ferz_core::position::Reason;

    /// `F` is not a piece; in Turkish it is a bishop, and `K` a rook.
    #[test]
    fn coordinates_have_no_language() {
        let tags = "[Variant \"chaos+chess\"]\n[NatureRules \"advanced\"]\n\n";
        let plies = "1. e2e4 e7e5 2. g1f3 g8f6 3. d2d4 ~K@b5 3... a7a6 4. a2a3 a6a5 5. a3a4 h7h6 ~F@f5 *";
        let report = report(&format!("{tags}{plies}"));
        let illegal = report.illegal.expect("an illegal ply");
        assert_eq!((illegal.ply, illegal.reason_id, report.language), (12, Reason::NoSuchKind, None));
    }

    /// Where other plies have letters before their squares, those are a language's as usual.
    #[test]
    fn letters_before_squares_have_one() {
        let report = report("1. e2e4 e7e5 2. Sg1f3 Sb8c6 3. Lf1b5 a7a6 *");
        assert_eq!((report.legal, report.language.as_deref()), (true, Some("de")));
    }
}
