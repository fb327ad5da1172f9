//! Why a certificate is refused, and at which step.

use super::claim::ClaimKind;
use std::fmt;

/// The steps of a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// The members and their form.
    Form,
    /// The record and its digest.
    Record,
    /// The rules.
    Rules,
    /// The start position.
    Start,
    /// The plies of the record.
    Plies,
    /// The claim and its verdict.
    Statement,
    /// The evidence.
    Evidence,
    /// The files of endgame tables that the evidence rests on are not at hand, so that nothing is known.
    Files,
    /// The budget of the check ended, so that nothing is known.
    Budget,
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Step::Form => "form",
            Step::Record => "record",
            Step::Rules => "rules",
            Step::Start => "start",
            Step::Plies => "plies",
            Step::Statement => "statement",
            Step::Evidence => "evidence",
            Step::Files => "files",
            Step::Budget => "budget",
        })
    }
}

/// Why a certificate is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{step}: {message}")]
pub struct Refusal {
    /// The step that fails.
    pub step: Step,
    /// What is wrong.
    pub message: String,
}

impl Refusal {
    pub(super) fn new(step: Step, message: impl Into<String>) -> Refusal {
        Refusal { step, message: message.into() }
    }
}

/// Fails for claims that no certificate covers.
pub(super) fn uncovered<T>(kind: ClaimKind) -> Result<T, Refusal> {
    Err(Refusal::new(Step::Statement, format!("no certificate covers this claim of {kind}")))
}
