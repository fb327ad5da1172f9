//! L8: claims about a game, judged from its record.
//!
//! ```
//! use ferz_proof::adjudicate::{Claim, ClaimKind, Decision, Terms, adjudicate};
//! use ferz_records::replay::{Options, Replayer, Source};
//! use ferz_core::rules::Registry;
//! use ferz_records::record;
//!
//! let text = b"1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 *";
//! let record = record::read(text, 0).next().ok_or("no game")?;
//! let mut replayer = Replayer::new(Registry::built_in(), Options::default());
//! let claim = Claim { intended: Some("Ng8".into()), ..Claim::new(ClaimKind::ThreefoldRepetition) };
//! let source = Source::new(text, 0, 0);
//! let terms = Terms::of(0);
//! let verdict = adjudicate(&mut replayer, (&record, &source), &claim, &terms).map_err(|_| "no verdict")?;
//! assert_eq!((verdict.verdict, verdict.plies), (Decision::Upheld, vec![0, 4, 8]));
//! # Ok::<(), &str>(())
//! ```

mod case;
mod docket;
mod drawing;
mod ends;
mod forced;
mod history;
mod instant;
mod line;
mod match_points;
mod off_board;
mod opinion;
mod page;
mod plan;
mod readings;
mod rests;
mod stories;
mod table;
mod text;
mod time;
mod timed;
mod verdict;
mod written;

pub use crate::certificate::{Claim, ClaimKind, Decision, Fifty, Premise};
pub use crate::prove::plan::HoleKind;
pub use docket::{Standing, Unfinished, docket_page, unfinished};
pub use drawing::{Drawn, drawing};
pub use match_points::{
    DecidedBy, Fault, Match, MatchGame, PlayerScore, PointScope, Score, Scored, SlowMove, match_game,
    match_game_within,
};
pub use opinion::{Judgement, Opinion};
pub use page::page;
pub use stories::{
    ClaimOnStory, Contradiction, EvidenceKind, LaterPly, PlyLegality, StandsOn, Stories, Story, stories_page,
    stories_paper, story_lines, two_stories,
};
pub use text::{
    articles_in_words, check_in_words, clock_in_words, consequences, opening, paper, premises_in_words,
};
pub use verdict::{Because, Ground, Hole, Penalty, Remedy, RuleReading, Spent, Strength, Verdict};

use crate::certificate::{Certificate, CertificateKind, Effort, Given, Statement, make};
use crate::syzygy::Syzygy;
use case::Case;
use ferz_core::board::Mask;
use ferz_core::notation::{Alphabet, Language};
use ferz_core::position::Position;
use ferz_core::rules::registry::with_field;
use ferz_core::text::{Budget, Exhausted};
use ferz_records::clock::{Policies, Policy};
use ferz_records::record::Record;
use ferz_records::replay::{
    AnyGame, AnyTrace, LanguageChoice, Legality, Options, OtherRules, Replayer, Report, Source, Trace, codes,
    trace_within, with_trace,
};
use plan::Submitted;
use readings::across_readings;
use std::sync::Arc;

/// Why a claim gets no verdict.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ClaimError {
    /// The claim is incomplete, or does not fit the record; with the remedy.
    #[error("{0}")]
    Claim(String),
    /// The text is no record, or cannot be replayed: its game or its start is unknown.
    #[error("the record cannot be replayed: {}", why(.0))]
    NotReplayed(Box<Report>),
    /// The budget ended before the replay of the record.
    #[error("the replay of the record did not end: {0}")]
    Exhausted(Exhausted),
}

/// What a verdict is by, besides the rules of the game, and how much work it may take.
#[derive(Debug, Clone)]
pub struct Terms {
    /// Clocks, remedies and penalties.
    pub policy: Arc<Policy>,
    /// Whether moves are counted.
    pub fifty: Fifty,
    /// Positions that a search may visit.
    pub nodes: u64,
    /// Ends the replay and the search when it is cancelled or spent.
    pub budget: Budget,
    /// The claimant's analysis, as texts of records with variations: what it proves decides a claim of a forced result.
    pub plans: Vec<Arc<[u8]>>,
    /// Files of endgame tables of others, which a verdict may rest on.
    pub files: Option<Arc<Syzygy>>,
}

impl Terms {
    /// A search of so many positions and any time, with the policy `plain`.
    pub fn of(nodes: u64) -> Terms {
        #[allow(clippy::expect_used)]
        // Invariant: a test reads every built-in policy, and the second one is `plain`.
        let policy = Policies::built_in().all().get(1).cloned().expect("the policy `plain`");
        Terms {
            policy,
            fifty: Fifty::Applied,
            nodes,
            budget: Budget::unlimited(),
            plans: Vec::new(),
            files: None,
        }
    }
}

fn why(report: &Report) -> String {
    report.diagnostics.iter().map(|found| &*found.message).collect::<Vec<_>>().join("; ")
}

/// Judges a claim about a record, which is a part of its source. A search that
/// the budget ends leaves the claim undetermined.
///
/// # Errors
/// If the claim is incomplete or does not fit the record, if the record cannot be replayed, or not within the budget.
pub fn adjudicate(
    replayer: &mut Replayer<'_>,
    (record, source): (&Record<'_>, &Source<'_>),
    claim: &Claim,
    terms: &Terms,
) -> Result<Verdict, ClaimError> {
    claim.check().map_err(ClaimError::Claim)?;
    let verdict = in_language(replayer, (record, source), claim, terms)?;
    if claim.premises.contains(&Premise::Language)
        || !matches!(replayer.options().language, LanguageChoice::Of(_))
    {
        return Ok(verdict);
    }
    let own = Options { language: LanguageChoice::Own, ..replayer.options().clone() };
    let mut own = Replayer::new(replayer.registry(), own);
    in_both(replayer, &mut own, (record, source), claim, terms, verdict)
}

/// The verdict, or both readings of a record that is legal in the game's own letters too, with other plies.
fn in_both(
    replayer: &mut Replayer<'_>,
    own: &mut Replayer<'_>,
    (record, source): (&Record<'_>, &Source<'_>),
    claim: &Claim,
    terms: &Terms,
    verdict: Verdict,
) -> Result<Verdict, ClaimError> {
    let by_language = replayer.report(record, source, 0);
    let by_own = own.report(record, source, 0);
    let differ = by_own.legal && (by_language.final_fen != by_own.final_fen || !by_language.legal);
    let Some(language) = by_language.language.filter(|_| differ) else { return Ok(verdict) };
    let other = in_language(own, (record, source), claim, terms)?;
    let mut both = verdict.clone();
    (both.verdict, both.result, both.certificate) = (Decision::Ambiguous, None, None);
    (both.strength, both.ground, both.remedy, both.penalty) = (Strength::Opinion, Ground::Ruling, None, None);
    both.explanation.push_str(&format!(
        " That is by the letters of the language {language}. The record is legal in the game's own letters, too, by \
         which the claim is {}. If it is written in that language, state so as a premise (--premise language).",
        other.verdict
    ));
    both.lacks = Some(Premise::Language);
    let reading = |reading: String, verdict: &Verdict| RuleReading {
        ruling: None,
        field: None,
        reading,
        verdict: verdict.verdict,
        result: verdict.result,
    };
    both.readings = vec![
        reading(format!("the letters of {language}"), &verdict),
        reading("the game's own letters".to_owned(), &other),
    ];
    Ok(both)
}

/// Judges a claim about a record, read as the options of the replayer say.
fn in_language(
    replayer: &mut Replayer<'_>,
    (record, source): (&Record<'_>, &Source<'_>),
    claim: &Claim,
    terms: &Terms,
) -> Result<Verdict, ClaimError> {
    match trace_within(replayer, record, source, 0, &terms.budget).map_err(ClaimError::Exhausted)? {
        Ok(traced) if traced.report().verdict == Legality::NoRecord => {
            Err(ClaimError::NotReplayed(Box::new(traced.report().clone())))
        }
        Ok(traced) => {
            let mut left_out = traced.report().diagnostics.iter();
            let left_out = left_out.find(|found| found.code == codes::J_CASTLING_LEFT_OUT);
            if let (ClaimKind::WrongSetup, Some(fault)) = (claim.kind, left_out) {
                return Ok(written::impossible_start(claim, &fault.message));
            }
            let tags = |name: &str| record.tag(name).map(|value| value.into_owned());
            let game = replayer.game(record);
            let language = traced.report().language.as_deref();
            let language = language.and_then(|code| replayer.languages().find(code));
            let traced = match terms.fifty {
                Fifty::Applied => traced,
                Fifty::Suspended => without_counters(traced, &tags),
            };
            let submitted = Submitted::read(replayer, (record, &traced), claim, terms)?;
            let of = Asked { record, claim, terms, language, submitted };
            let mut verdict = match (&traced, &game) {
                (AnyTrace::Narrow(trace), Ok(AnyGame::Narrow(game))) => {
                    of.judged(trace, game.other_rules(&tags))
                }
                (AnyTrace::Wide(trace), Ok(AnyGame::Wide(game))) => of.judged(trace, game.other_rules(&tags)),
                _ => with_trace!(&traced, |trace| of.judged(trace, &[])),
            }?;
            if matches!(verdict.verdict, Decision::Upheld | Decision::Rejected) {
                verdict.certificate =
                    certified(replayer, record, traced.report(), (&verdict, terms)).map(Box::new);
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

/// The game by rules that count no moves. Plies after a draw by the counter are legal, so that they stay.
fn without_counters(traced: AnyTrace, tags: &dyn Fn(&str) -> Option<String>) -> AnyTrace {
    fn of<M: Mask>(trace: Trace<M>, tags: &dyn Fn(&str) -> Option<String>) -> Trace<M> {
        let rules = with_field(trace.start.rules(), "ends.move-counters", false, tags).map(Arc::new);
        let start = rules.ok().and_then(|rules| Position::from_fen(rules, &trace.start.fen()).ok());
        match start {
            Some(start) => trace.with_start(start),
            None => trace,
        }
    }
    match traced {
        AnyTrace::Narrow(trace) => AnyTrace::Narrow(of(trace, tags)),
        AnyTrace::Wide(trace) => AnyTrace::Wide(of(trace, tags)),
    }
}

/// The certificate of a verdict, if a kind of certificate covers it and its own replay of the record comes to the same.
fn certified(
    replayer: &Replayer<'_>,
    record: &Record<'_>,
    report: &Report,
    (verdict, terms): (&Verdict, &Terms),
) -> Option<Certificate> {
    let claim = &verdict.claim;
    let claim = Claim { by: claim.by.filter(|_| !claim.kind.is_anyones()), ..claim.clone() };
    // What the search found within its own budget is checked whatever that takes.
    let unlimited = Budget::unlimited();
    let statement = Statement {
        record: std::str::from_utf8(record.source()).ok()?,
        variant: &report.variant,
        language: report.language.as_deref(),
        claim: &claim,
        fifty: terms.fifty,
        given: match (&verdict.proof, &*verdict.line) {
            (Some(proof), _) => Given::Proof(proof),
            (None, []) => Given::Nothing,
            (None, _) if claim.kind == ClaimKind::IllegalPly => Given::Nothing,
            (None, line) => Given::Line(line),
        },
        effort: Effort::of(&unlimited).with_files(terms.files.as_deref()),
    };
    let made = make(replayer.registry(), replayer.languages(), &statement).ok()?;
    // That a ply is illegal is certain; what it is worth is the policy's.
    let result = verdict.result.filter(|_| claim.kind != ClaimKind::IllegalPly);
    // Clocks of a policy are not part of the record.
    let of_clocks = made.evidence.kind() == CertificateKind::Clock;
    if of_clocks == verdict.policy.is_some() && verdict.ground == Ground::Clock {
        return None;
    }
    let same = (made.verdict, made.result) == (verdict.verdict, result);
    same.then_some(made)
}

/// A claim about a record.
struct Asked<'q> {
    record: &'q Record<'q>,
    claim: &'q Claim,
    terms: &'q Terms,
    language: Option<&'q Arc<Language>>,
    submitted: Submitted,
}

impl Asked<'_> {
    /// The verdict, compared with those by other readings of the rules.
    fn judged<M: Mask>(&self, trace: &Trace<M>, others: &[OtherRules<M>]) -> Result<Verdict, ClaimError> {
        let alphabet = self.language.map(|language| Alphabet::new(language, trace.start.rules()));
        let means = Means { terms: self.terms, alphabet: alphabet.as_ref(), submitted: &self.submitted };
        let own = judge(trace, self.record, self.claim, means)?;
        Ok(across_readings(trace, self.record, self.claim, means, own, others))
    }
}

/// What a verdict may use besides the record.
#[derive(Debug, Clone, Copy)]
struct Means<'m> {
    terms: &'m Terms,
    /// The letters of the record's language.
    alphabet: Option<&'m Alphabet>,
    /// The claimant's analysis.
    submitted: &'m Submitted,
}

fn judge<M: Mask>(
    trace: &Trace<M>,
    record: &Record<'_>,
    claim: &Claim,
    means: Means<'_>,
) -> Result<Verdict, ClaimError> {
    let case = Case::new(trace, record, claim, means).map_err(ClaimError::Claim)?;
    let verdict = match claim.kind {
        ClaimKind::ThreefoldRepetition | ClaimKind::FiftyMoves | ClaimKind::QuietMoves => {
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
        | ClaimKind::NaturesMate
        | ClaimKind::Declaration => ends::ended(&case),
        ClaimKind::IllegalPly => written::illegal_ply(&case),
        ClaimKind::WrongSetup => written::wrong_setup(&case),
        ClaimKind::WrongResult => written::wrong_result(&case),
        ClaimKind::Agreement
        | ClaimKind::Resignation
        | ClaimKind::TimeWin
        | ClaimKind::Silence
        | ClaimKind::Default => off_board::off_the_board(&case).map_err(ClaimError::Claim)?,
        ClaimKind::CannotWin => line::cannot_win(&case),
        ClaimKind::ForcedMate | ClaimKind::ForcedWin | ClaimKind::ForcedDraw => {
            if means.submitted.is_empty() {
                let decided = table::if_small(&case).or_else(|| table::by_files(&case));
                let verdict = decided.unwrap_or_else(|| {
                    forced::or_at_length(&case, table::or_by_table(&case, forced::forced(&case)))
                });
                table::or_by_files(&case, verdict)
            } else {
                plan::by_analysis(&case, means.submitted)
            }
        }
    };
    rests::with_premises(&case, verdict).map_err(ClaimError::Claim)
}
