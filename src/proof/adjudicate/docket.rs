//! The docket of an event that has closed: what each of its unfinished games is worth, and by what, or what it needs.

use super::page::head;
use super::verdict::Strength;
use super::{Terms, adjudicate};
use crate::certificate::{Claim, ClaimKind, Decision};
use ferz_core::board::Owner;
use ferz_core::judge::{ClaimableDraw, ClaimableKind, Outcome};
use ferz_records::diagram::escaped;
use ferz_records::record::{GameResult, Record};
use ferz_records::replay::summary::{claim, ending, why_not_judged};
use ferz_records::replay::{Replayer, Report, Source};
use serde::Serialize;
use std::fmt::Write;

/// How far an unfinished game is from its result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Standing {
    /// The board decides it: only the result is missing in the record.
    Decided,
    /// A proof decides it, once a player claims it.
    Proved,
    /// The player on move may claim a result.
    Claimable,
    /// Nothing here decides it: it needs an analysis, or a person.
    Open,
    /// A ply is illegal; that has to be settled first.
    Illegal,
    /// Its rules or its start are unknown.
    NotJudged,
}

impl Standing {
    /// All, in the order of the docket.
    pub const ALL: [Standing; 6] = [
        Standing::Decided,
        Standing::Proved,
        Standing::Claimable,
        Standing::Open,
        Standing::Illegal,
        Standing::NotJudged,
    ];

    /// The word in JSON and CSV.
    pub const fn id(self) -> &'static str {
        match self {
            Standing::Decided => "decided",
            Standing::Proved => "proved",
            Standing::Claimable => "claimable",
            Standing::Open => "open",
            Standing::Illegal => "illegal",
            Standing::NotJudged => "not_judged",
        }
    }
}

/// An unfinished game on a docket.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Unfinished {
    /// How far it is from its result.
    pub standing: Standing,
    /// What it is worth, or would be if the claim is made; `None` if that does not follow.
    pub result: Option<Outcome>,
    /// The claim that settles it.
    pub claim: Option<Claim>,
    /// What that rests on.
    pub strength: Strength,
    /// The articles and rulings.
    pub articles: Vec<String>,
    /// Why, in a sentence.
    pub why: String,
    /// Plies of the record that were replayed.
    pub plies: usize,
    /// Who is on move.
    pub to_move: Option<Owner>,
    /// The last position.
    pub fen: String,
}

/// What an unfinished game is worth, or needs; `None` for one with a result. Searches visit at most as many positions
/// as the terms allow for one claim, for each player.
pub fn unfinished(
    replayer: &mut Replayer<'_>,
    (record, source): (&Record<'_>, &Source<'_>),
    terms: &Terms,
) -> Option<Unfinished> {
    if !matches!(record.stated_result(), None | Some(GameResult::Unknown)) {
        return None;
    }
    let report = replayer.report(record, source, 0);
    Some(by_report(&report).unwrap_or_else(|| by_proof(replayer, (record, source), &report, terms)))
}

fn of(report: &Report, standing: Standing, why: String) -> Unfinished {
    let to_move = match report.final_fen.split(' ').nth(1) {
        Some("w") => Some(Owner::White),
        Some("b") => Some(Owner::Black),
        _ => None,
    };
    Unfinished {
        standing,
        result: None,
        claim: None,
        strength: Strength::Opinion,
        articles: Vec::new(),
        why,
        plies: report.plies,
        to_move,
        fen: report.final_fen.clone(),
    }
}

/// What the replay shows without a proof.
fn by_report(report: &Report) -> Option<Unfinished> {
    if !report.is_judged() {
        let why = why_not_judged(report).map_or_else(String::new, |found| found.message.to_string());
        return Some(of(report, Standing::NotJudged, why));
    }
    if let Some(illegal) = &report.illegal {
        let why = format!("ply {}, {}, is illegal: {}", illegal.ply, illegal.text, illegal.reason);
        let claim = Claim { ply: Some(illegal.ply), ..Claim::new(ClaimKind::IllegalPly) };
        let articles = vec![illegal.rule.clone()];
        return Some(Unfinished { claim: Some(claim), articles, ..of(report, Standing::Illegal, why) });
    }
    let strength = Strength::Replayed;
    if let Some(end) = report.end {
        let articles = report.end_rule.iter().flat_map(|rule| rule.split(", ")).map(str::to_owned).collect();
        let result = Some(end.outcome);
        return Some(Unfinished { result, strength, articles, ..of(report, Standing::Decided, ending(end)) });
    }
    let open = report.claims.first()?;
    let (kind, result) = claimed(open);
    let settles = Claim { by: Some(open.by), ..Claim::new(kind) };
    let articles = vec![kind.article().to_owned()];
    let (claim, result) = (Some(settles), Some(result));
    let game = of(report, Standing::Claimable, self::claim(open));
    Some(Unfinished { result, claim, strength, articles, ..game })
}

/// The kind of an open claim, and the result if it is made.
fn claimed(open: &ClaimableDraw) -> (ClaimKind, Outcome) {
    match open.kind {
        ClaimableKind::ThreefoldRepetition => (ClaimKind::ThreefoldRepetition, Outcome::Draw),
        ClaimableKind::FiftyMoves => (ClaimKind::FiftyMoves, Outcome::Draw),
        ClaimableKind::QuietMoves => (ClaimKind::QuietMoves, Outcome::Draw),
        ClaimableKind::Declaration => (ClaimKind::Declaration, Outcome::won_by(open.by)),
        ClaimableKind::PerpetualCheck => (ClaimKind::PerpetualCheck, Outcome::won_by(open.by)),
    }
}

/// What a proof shows: a forced win, that neither player wins, or nothing.
fn by_proof(
    replayer: &mut Replayer<'_>,
    game: (&Record<'_>, &Source<'_>),
    report: &Report,
    terms: &Terms,
) -> Unfinished {
    let mut held = Vec::new();
    for by in Owner::REAL {
        let claim = Claim { by: Some(by), ..Claim::new(ClaimKind::ForcedWin) };
        let Ok(verdict) = adjudicate(replayer, game, &claim, terms) else { continue };
        match verdict.verdict {
            Decision::Upheld => {
                return Unfinished {
                    result: Some(Outcome::won_by(by)),
                    claim: Some(claim),
                    strength: verdict.strength,
                    articles: verdict.articles,
                    ..of(report, Standing::Proved, verdict.explanation)
                };
            }
            Decision::Rejected => held.push(verdict),
            Decision::Undetermined | Decision::Ambiguous => {}
        }
    }
    if let [first, second] = &held[..] {
        let why = format!("{} {}", first.explanation, second.explanation);
        let claim = Claim { by: Some(Owner::White), ..Claim::new(ClaimKind::ForcedDraw) };
        return Unfinished {
            result: Some(Outcome::Draw),
            claim: Some(claim),
            strength: first.strength.max(second.strength),
            articles: first.articles.clone(),
            ..of(report, Standing::Proved, why)
        };
    }
    let claim = Claim::new(ClaimKind::DeadPosition);
    match adjudicate(replayer, game, &claim, terms) {
        Ok(verdict) if verdict.verdict == Decision::Upheld => Unfinished {
            result: Some(Outcome::Draw),
            claim: Some(claim),
            strength: verdict.strength,
            articles: verdict.articles,
            ..of(report, Standing::Proved, verdict.explanation)
        },
        _ => of(
            report,
            Standing::Open,
            "Neither a win nor a draw was proved: the players claim a result with an analysis (--plan), or an \
             arbiter decides."
                .to_owned(),
        ),
    }
}

/// A docket as a page to print: a table with these columns.
pub fn docket_page(columns: &[&str], rows: &[Vec<String>]) -> String {
    let mut out = head("Unfinished games") + "<table>\n<tr>";
    // Writing to a string cannot fail.
    columns.iter().for_each(|column| _ = write!(out, "<th>{}", escaped(&column.replace('_', " "))));
    for row in rows {
        out.push_str("\n<tr>");
        row.iter().for_each(|cell| _ = write!(out, "<td>{}", escaped(cell)));
    }
    let _ = writeln!(out, "\n</table>\n<p>{} games.\n</html>", rows.len());
    out
}
