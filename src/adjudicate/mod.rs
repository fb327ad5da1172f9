//! L8: claims about a game, judged from its record.
//!
//! ```
//! use ferz::adjudicate::{Claim, ClaimKind, Decision, Effort, adjudicate};
//! use ferz::replay::{Options, Replayer, Source};
//! use ferz::{record, rules::Registry};
//!
//! let text = b"1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 *";
//! let record = record::read(text, 0).next().ok_or("no game")?;
//! let mut replayer = Replayer::new(Registry::built_in(), Options::default());
//! let claim = Claim { intended: Some("Ng8".into()), ..Claim::new(ClaimKind::ThreefoldRepetition) };
//! let source = Source::new(text, 0, 0);
//! let effort = Effort::of(0);
//! let verdict = adjudicate(&mut replayer, (&record, &source), &claim, &effort).map_err(|_| "no verdict")?;
//! assert_eq!((verdict.verdict, verdict.plies), (Decision::Upheld, vec![0, 4, 8]));
//! # Ok::<(), &str>(())
//! ```

mod case;
mod ends;
mod history;
mod line;
mod match_points;
mod page;
mod premises;
mod readings;
mod text;
mod verdict;
mod written;

pub use crate::certificate::{Claim, ClaimKind, Decision};
pub use match_points::{
    DecidedBy, Fault, Match, MatchGame, PlayerScore, PointScope, Score, Scored, SlowMove, match_game,
};
pub use page::page;
pub use text::{articles_in_words, opening, paper};
pub use verdict::{Ground, Penalty, Remedy, RuleReading, Spent, Strength, Verdict};

use crate::board::Mask;
use crate::certificate::{Certificate, Statement, make};
use crate::notation::{Alphabet, Language};
use crate::record::Record;
use crate::replay::{
    AnyGame, AnyTrace, OtherRules, Replayer, Report, Source, Trace, codes, trace_within, with_trace,
};
use crate::text::{Budget, Exhausted};
use case::Case;
use readings::across_readings;
use std::sync::Arc;

/// Why a claim gets no verdict.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ClaimError {
    /// The claim is incomplete, or does not fit the record; with the remedy.
    #[error("{0}")]
    Claim(String),
    /// The record cannot be replayed: its game or its start is unknown.
    #[error("the record cannot be replayed: {}", why(.0))]
    NotReplayed(Box<Report>),
    /// The budget ended before the replay of the record.
    #[error("the replay of the record did not end: {0}")]
    Exhausted(Exhausted),
}

/// How much work a verdict may take.
#[derive(Debug, Clone, Default)]
pub struct Effort {
    /// Positions that a search may visit.
    pub nodes: u64,
    /// Ends the replay and the search when it is cancelled or spent.
    pub budget: Budget,
}

impl Effort {
    /// A search of so many positions, and any time.
    pub fn of(nodes: u64) -> Effort {
        Effort { nodes, budget: Budget::unlimited() }
    }
}

fn why(report: &Report) -> String {
    report.diagnostics.iter().map(|found| &*found.message).collect::<Vec<_>>().join("; ")
}

/// Judges a claim about a record, which is a part of its source. A search that
/// the effort ends leaves the claim undetermined.
///
/// # Errors
/// If the claim is incomplete or does not fit the record, if the record cannot be replayed, or not within the budget.
pub fn adjudicate(
    replayer: &mut Replayer<'_>,
    (record, source): (&Record<'_>, &Source<'_>),
    claim: &Claim,
    effort: &Effort,
) -> Result<Verdict, ClaimError> {
    claim.check().map_err(ClaimError::Claim)?;
    match trace_within(replayer, record, source, 0, &effort.budget).map_err(ClaimError::Exhausted)? {
        Ok(traced) => {
            let tags = |name: &str| record.tag(name).map(|value| value.into_owned());
            let game = replayer.game(record);
            let language = traced.report().language.as_deref();
            let language = language.and_then(|code| replayer.languages().find(code));
            let of = Asked { record, claim, effort, language };
            let mut verdict = match (&traced, &game) {
                (AnyTrace::Narrow(trace), Ok(AnyGame::Narrow(game))) => {
                    of.judged(trace, game.other_rules(&tags))
                }
                (AnyTrace::Wide(trace), Ok(AnyGame::Wide(game))) => of.judged(trace, game.other_rules(&tags)),
                _ => with_trace!(&traced, |trace| of.judged(trace, &[])),
            }?;
            if matches!(verdict.verdict, Decision::Upheld | Decision::Rejected) {
                verdict.certificate = certified(replayer, record, traced.report(), &verdict).map(Box::new);
            }
            Ok(verdict)
        }
        Err(report) => {
            let start = report.diagnostics.iter().find(|found| found.code == codes::J_POSITION);
            match (claim.kind, start) {
                (ClaimKind::WrongSetup, Some(fault)) => Ok(written::impossible_start(claim, &fault.message)),
                _ => Err(ClaimError::NotReplayed(report)),
            }
        }
    }
}

/// The certificate of a verdict, if a kind of certificate covers it and its own replay of the record comes to the same.
fn certified(
    replayer: &Replayer<'_>,
    record: &Record<'_>,
    report: &Report,
    verdict: &Verdict,
) -> Option<Certificate> {
    let claim = &verdict.claim;
    let claim = Claim { by: claim.by.filter(|_| !claim.kind.is_anyones()), ..claim.clone() };
    let statement = Statement {
        record: std::str::from_utf8(record.source()).ok()?,
        variant: &report.variant,
        language: report.language.as_deref(),
        claim: &claim,
        line: &verdict.line,
    };
    let made = make(replayer.registry(), replayer.languages(), &statement).ok()?;
    let same = (made.verdict, made.result) == (verdict.verdict, verdict.result);
    same.then_some(made)
}

/// A claim about a record.
struct Asked<'q> {
    record: &'q Record<'q>,
    claim: &'q Claim,
    effort: &'q Effort,
    language: Option<&'q Arc<Language>>,
}

impl Asked<'_> {
    /// The verdict, compared with those by other readings of the rules.
    fn judged<M: Mask>(&self, trace: &Trace<M>, others: &[OtherRules<M>]) -> Result<Verdict, ClaimError> {
        let alphabet = self.language.map(|language| Alphabet::new(language, trace.start.rules()));
        let means = Means { effort: self.effort, alphabet: alphabet.as_ref() };
        let own = judge(trace, self.record, self.claim, means)?;
        Ok(across_readings(trace, self.record, self.claim, means, own, others))
    }
}

/// What a verdict may use besides the record.
#[derive(Debug, Clone, Copy)]
struct Means<'m> {
    effort: &'m Effort,
    /// The letters of the record's language.
    alphabet: Option<&'m Alphabet>,
}

fn judge<M: Mask>(
    trace: &Trace<M>,
    record: &Record<'_>,
    claim: &Claim,
    means: Means<'_>,
) -> Result<Verdict, ClaimError> {
    let case = Case::new(trace, record, claim, means).map_err(ClaimError::Claim)?;
    Ok(match claim.kind {
        ClaimKind::ThreefoldRepetition | ClaimKind::FiftyMoves => {
            history::claimed_draw(&case).map_err(ClaimError::Claim)?
        }
        ClaimKind::FivefoldRepetition
        | ClaimKind::FourfoldRepetition
        | ClaimKind::PerpetualCheck
        | ClaimKind::SeventyFiveMoves
        | ClaimKind::Checkmate
        | ClaimKind::Stalemate
        | ClaimKind::DeadPosition
        | ClaimKind::BareKing
        | ClaimKind::KingsSquare
        | ClaimKind::NaturesMate => ends::ended(&case),
        ClaimKind::IllegalPly => written::illegal_ply(&case),
        ClaimKind::WrongSetup => written::wrong_setup(&case),
        ClaimKind::WrongResult => written::wrong_result(&case),
        ClaimKind::Agreement => premises::agreement(&case),
        ClaimKind::Resignation => premises::resignation(&case),
        ClaimKind::TimeWin | ClaimKind::Silence | ClaimKind::Default => premises::lost_off_the_board(&case),
        ClaimKind::CannotWin => line::cannot_win(&case),
        ClaimKind::ForcedMate | ClaimKind::ForcedWin | ClaimKind::ForcedDraw => line::forced(&case),
    })
}
