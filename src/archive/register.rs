//! The register of rules: how a game of its author's own (X-Class) becomes a codified one (V-Class, IAV-5). Its rules
//! are submitted, reviewed and codified by a director's ruling, each step an event of the log. Once codified, no other
//! definition may have the name and the edition in the archive.

use super::error::ArchiveError;
use super::log::Logged;
use super::read::Decided;
use super::rulebook::KeptRules;
use super::tokens::TokenId;
use super::writer::Job;
use super::{Archive, withdrawals};
use ferz_core::rules::check::{Checked, check};
use ferz_core::rules::classify::{Class, Equipment, class_once_codified, classify};
use ferz_core::rules::prose::missing_words;
use ferz_core::rules::{Definition, Registry, RulesId};
use ferz_core::text::limits::REGISTER_GAMES_MIN;
use ferz_records::replay::AnyGame;
use serde::Serialize;
use std::str::FromStr;

/// A step of rules in the register.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Step {
    /// Their author proposes them.
    Submitted,
    /// Someone has looked at them, and finds nothing in their way.
    Reviewed,
    /// They go back to their author, with the reason.
    Returned,
    /// A director has ruled that they are of V-Class.
    Codified,
}

impl Step {
    /// Its name, as in the log.
    pub fn name(self) -> &'static str {
        match self {
            Step::Submitted => "submitted",
            Step::Reviewed => "reviewed",
            Step::Returned => "returned",
            Step::Codified => "codified",
        }
    }

    /// Refuses a step that does not follow from the last one.
    pub(super) fn may_follow(self, last: Option<Step>, id: &RulesId) -> Result<(), ArchiveError> {
        let may = match self {
            Step::Submitted => matches!(last, None | Some(Step::Returned)),
            Step::Reviewed => last == Some(Step::Submitted),
            Step::Returned => matches!(last, Some(Step::Submitted | Step::Reviewed)),
            Step::Codified => last == Some(Step::Reviewed),
        };
        if may {
            return Ok(());
        }
        let why = match last {
            None => "was not submitted; submit it first",
            Some(Step::Submitted) => "is submitted; the next step is a review",
            Some(Step::Reviewed) => "is reviewed; the next step is to codify or to return it",
            Some(Step::Returned) => "was returned to its author, who may submit it again",
            Some(Step::Codified) => "is codified already, which is final",
        };
        Err(ArchiveError::Register(format!("`{}`, edition {}, {why}", id.name, id.edition)))
    }
}

impl FromStr for Step {
    type Err = ArchiveError;

    fn from_str(name: &str) -> Result<Step, ArchiveError> {
        let all = [Step::Submitted, Step::Reviewed, Step::Returned, Step::Codified];
        let damaged = || ArchiveError::Corrupt(format!("`{name}` is no step of the register"));
        all.into_iter().find(|step| step.name() == name).ok_or_else(damaged)
    }
}

/// A step that was taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RegisterStep {
    /// The rules.
    pub rules: KeptRules,
    /// The step.
    pub step: Step,
    /// Of codified rules: `V` or `AV`.
    pub class: Option<String>,
    /// Why.
    pub because: String,
    /// The name of the token that asked for it; `None` from the command line.
    pub token: Option<String>,
    /// When, as RFC 3339.
    pub time: String,
    /// The event that says so.
    pub event: u64,
}

/// The rules that a step is about.
#[derive(Debug)]
pub(super) enum RulesToRegister {
    /// They may be new to the archive.
    New(AnyGame),
    /// The archive keeps them.
    Known(KeptRules),
}

/// A step to take.
#[derive(Debug)]
pub(super) struct StepAsked {
    pub(super) rules: RulesToRegister,
    pub(super) step: Step,
    pub(super) class: Option<Class>,
    pub(super) because: String,
    pub(super) token: Option<TokenId>,
}

/// What is asked of rules before they are codified.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Review {
    /// The class that they get: V, or AV where a chess set suffices.
    pub class: Class,
    /// The questions, each with its answer.
    pub questions: Vec<Question>,
}

/// A question that is asked of rules.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Question {
    /// What is asked: `definition`, `name`, `words`, `equipment`, `games`.
    pub asked: &'static str,
    /// False if it is in their way.
    pub passes: bool,
    /// The answer in words.
    pub answer: String,
}

impl Review {
    /// The answers that are in the way of the rules.
    pub fn in_the_way(&self) -> impl Iterator<Item = &Question> {
        self.questions.iter().filter(|question| !question.passes)
    }
}

impl Archive {
    /// Submits the rules of a game to the register.
    ///
    /// # Errors
    /// If the game is built in, in the register already, or its name and edition are codified with another definition;
    /// if the reason is too long, or the archive cannot be written.
    pub fn submit_rules(
        &self,
        game: AnyGame,
        because: &str,
        token: Option<TokenId>,
    ) -> Result<Option<Logged>, ArchiveError> {
        let name = &game.id().name;
        if name.contains('+') || Registry::is_built_in_name(name) {
            let why =
                format!("`{name}` is a built-in game or has a mutator; submit a game of its author's own");
            return Err(ArchiveError::Register(why));
        }
        self.step(RulesToRegister::New(game), Step::Submitted, None, because, token)
    }

    /// Notes that rules were reviewed, and that nothing is in their way.
    ///
    /// # Errors
    /// If something is; if they are not submitted, the reason is missing, or the archive cannot be written.
    pub fn accept_rules(
        &self,
        rules: &KeptRules,
        because: &str,
        token: Option<TokenId>,
    ) -> Result<Option<Logged>, ArchiveError> {
        self.clear(rules)?;
        self.step(RulesToRegister::Known(rules.clone()), Step::Reviewed, None, because, token)
    }

    /// Returns rules to their author.
    ///
    /// # Errors
    /// If they are neither submitted nor reviewed, the reason is missing, or the archive cannot be written.
    pub fn return_rules(
        &self,
        rules: &KeptRules,
        because: &str,
        token: Option<TokenId>,
    ) -> Result<Option<Logged>, ArchiveError> {
        self.step(RulesToRegister::Known(rules.clone()), Step::Returned, None, because, token)
    }

    /// Codifies rules by a director's ruling: they are of V-Class from now on.
    ///
    /// # Errors
    /// If they are not reviewed, something is in their way, the reason is missing, or the archive cannot be written.
    pub fn codify_rules(
        &self,
        rules: &KeptRules,
        because: &str,
        token: Option<TokenId>,
    ) -> Result<Option<Logged>, ArchiveError> {
        let class = self.clear(rules)?;
        self.step(RulesToRegister::Known(rules.clone()), Step::Codified, Some(class), because, token)
    }

    /// All steps of the register, in their order. Of one definition the last step holds.
    ///
    /// # Errors
    /// If the archive cannot be read.
    pub fn register(&self) -> Result<Vec<RegisterStep>, ArchiveError> {
        self.store().register(self.limit())
    }

    /// What is asked of rules that the archive keeps before they are codified, and what the answers are.
    ///
    /// # Errors
    /// If the rules are missing or damaged, or the archive cannot be read.
    pub fn review_rules(&self, rules: &KeptRules) -> Result<Review, ArchiveError> {
        let text = self.rules_text(rules)?;
        let text = text.ok_or_else(|| ArchiveError::Corrupt("rules are missing".to_owned()))?;
        let damaged = |_| ArchiveError::Corrupt("the built-in games are invalid".to_owned());
        let mut registry = Registry::with_files([]).map_err(damaged)?;
        let clean = match check(&mut registry, &text) {
            Ok(Checked { in_vain, .. }) => match &in_vain[..] {
                [] => question("definition", true, "it has no mistake".to_owned()),
                [first, ..] => question("definition", false, first.message.to_string()),
            },
            Err(mistakes) => {
                let first = mistakes.first().map(|mistake| mistake.message.to_string());
                question("definition", false, first.unwrap_or_default())
            }
        };
        let definition = self.definition_of(rules)?;
        let (class, clause) = class_once_codified(&definition);
        let equipment = match classify(&definition, &definition.name).equipment {
            Equipment::Violates { .. } => "equipment does not suffice in every game (IAV 7)",
            _ => "equipment suffices (IAV 7)",
        };
        let missing = missing_words(&definition);
        let words = match missing.is_empty() {
            true => "title, source and an article for each section".to_owned(),
            false => format!("these fields are missing: {}", missing.join(", ")),
        };
        let games = self.store().proven_by(rules, self.limit())?;
        let on_file = format!("{games} legal with a result on file; {REGISTER_GAMES_MIN} are asked for");
        Ok(Review {
            class,
            questions: vec![
                clean,
                question("words", missing.is_empty(), words),
                question("equipment", true, format!("{class} ({clause}); {equipment}")),
                question("games", games >= REGISTER_GAMES_MIN, on_file),
            ],
        })
    }

    /// Calls `each` for each legal game with a result and two known players, by its day and in order of arrival;
    /// without withdrawn ones. Games without a day come first.
    ///
    /// # Errors
    /// If the archive cannot be read.
    pub fn decided(&self, mut each: impl FnMut(Decided)) -> Result<(), ArchiveError> {
        self.store().decided(&mut each, self.limit())
    }

    /// The class of rules that the archive keeps: the register's if they are codified there, else that of their
    /// definition (IAV 8).
    ///
    /// # Errors
    /// If the rules are missing or damaged, or the archive cannot be read.
    pub fn class_of(&self, rules: &KeptRules) -> Result<String, ArchiveError> {
        let register = self.register()?;
        let codified = register.iter().find(|step| step.rules == *rules && step.step == Step::Codified);
        if let Some(class) = codified.and_then(|step| step.class.clone()) {
            return Ok(class);
        }
        Ok(classify(&self.definition_of(rules)?, &rules.id.name).class.to_string())
    }

    fn definition_of(&self, rules: &KeptRules) -> Result<Definition, ArchiveError> {
        let registry = self.kept_rules(rules)?;
        let edition = |tag: &str| (tag == "RulesEdition").then(|| rules.id.edition.clone());
        let found = registry.definition(&rules.id.name, &edition);
        let (definition, _) = found.map_err(|error| ArchiveError::Corrupt(error.to_string()))?;
        Ok(definition)
    }

    /// The class of rules if nothing is in their way.
    fn clear(&self, rules: &KeptRules) -> Result<Class, ArchiveError> {
        let review = self.review_rules(rules)?;
        let why: Vec<String> =
            review.in_the_way().map(|question| format!("{}: {}", question.asked, question.answer)).collect();
        match why.is_empty() {
            true => Ok(review.class),
            false => Err(ArchiveError::Register(format!(
                "`{}`, edition {}: {}",
                rules.id.name,
                rules.id.edition,
                why.join("; ")
            ))),
        }
    }

    fn step(
        &self,
        rules: RulesToRegister,
        step: Step,
        class: Option<Class>,
        because: &str,
        token: Option<TokenId>,
    ) -> Result<Option<Logged>, ArchiveError> {
        let because = withdrawals::reason(because)?;
        let asked = StepAsked { rules, step, class, because, token };
        self.ask(|reply| Job::Register(asked, reply))
    }
}

fn question(asked: &'static str, passes: bool, answer: String) -> Question {
    Question { asked, passes, answer }
}
