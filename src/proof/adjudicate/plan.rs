//! An analysis that a player submits as the plan of a claim: what it proves, and where it has holes.

use super::case::Case;
use super::forced::{game_over_or_not_covered, history, occurrences};
use super::verdict::{Ground, Hole, Strength, Verdict};
use super::{ClaimError, Terms};
use crate::certificate::{AndOr, Claim, ClaimKind, Decision, Effort, Proof};
use crate::prove::plan::{Failure, Gap, HoleKind, Purpose, Trial, Tried, winning_line};
use ferz_core::board::{Mask, Owner};
use ferz_core::judge::Outcome;
use ferz_core::notation::{Style, write_alone};
use ferz_core::position::{Ply, Position};
use ferz_core::text::Budget;
use ferz_records::record::{Record, read, tagged};
use ferz_records::replay::summary::counted;
use ferz_records::replay::{
    Analysis, AnyTrace, Illegal, Options, Replayer, Report, Source, Trace, analysis, with_trace,
};
use std::sync::Arc;

/// Tags of a game that its analysis does not share: where it starts and how it ended.
const NOT_SHARED: [&str; 4] = ["FEN", "SetUp", "Result", "Termination"];

/// The analysis of a claim, from the texts that were submitted.
#[derive(Debug, Clone, Default)]
pub(super) struct Submitted {
    records: Vec<Analysis>,
}

impl Submitted {
    /// Reads the texts: records with variations, of the whole game, from the position of the claim, or from any
    /// position that the plan comes to. What their tags leave open is that of the game.
    ///
    /// # Errors
    /// If a text is not a record of this game, or none of them reaches the position of the claim.
    pub fn read(
        replayer: &Replayer<'_>,
        (record, traced): (&Record<'_>, &AnyTrace),
        claim: &Claim,
        terms: &Terms,
    ) -> Result<Submitted, ClaimError> {
        let mut submitted = Submitted::default();
        if terms.plans.is_empty() {
            return Ok(submitted);
        }
        if !claim.kind.takes_plan() {
            return Err(ClaimError::Claim(format!(
                "{} takes no plan; forced_mate, forced_win, forced_draw, cannot_win and dead_position do (--plan)",
                claim.kind
            )));
        }
        let game = with_trace!(traced, |trace| Game::of(record, trace, claim));
        for text in &terms.plans {
            for part in read(text, 0) {
                submitted.records.push(game.analysis(replayer, &part, text, &terms.budget)?);
            }
        }
        if !submitted.records.iter().any(|analysis| analysis.has(&game.identity)) {
            return Err(ClaimError::Claim(format!(
                "the analysis does not reach the position of the claim, {}; write the plan from there, or from the \
                 start of the game",
                game.fen
            )));
        }
        Ok(submitted)
    }

    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// The plies of a line that wins for a player, if the analysis has one.
    pub fn winning_line<M: Mask>(&self, start: &Position<M>, by: Owner) -> Option<Vec<Ply>> {
        winning_line(start, by, self.records.iter().flat_map(|analysis| &analysis.plies))
    }

    /// The illegal plies of the analysis, with the report on their line.
    fn illegal(&self) -> impl Iterator<Item = (&Report, &Illegal)> {
        let lines = self
            .records
            .iter()
            .flat_map(|analysis| std::iter::once(&analysis.report).chain(&analysis.report.variations));
        lines.filter_map(|report| Some((report, &**report.illegal.as_ref()?)))
    }
}

/// The game of a claim, as far as its analysis needs it.
struct Game {
    variant: String,
    rules: Option<String>,
    tags: Vec<(String, String)>,
    /// The start of the game, if it is not the array.
    start: Option<String>,
    /// The position of the claim.
    fen: String,
    identity: Vec<u8>,
}

impl Game {
    fn of<M: Mask>(record: &Record<'_>, trace: &Trace<M>, claim: &Claim) -> Game {
        let position = trace.position(claim.ply.unwrap_or(trace.plies.len()));
        let tags = record.tags.iter().map(|tag| (record.tag_name(tag).into(), record.tag_value(tag).into()));
        Game {
            variant: trace.report.variant.to_string(),
            rules: trace.report.rules.as_ref().map(|rules| rules.digest.clone()),
            tags: tags.collect(),
            start: record.tag("FEN").map(Into::into),
            fen: position.fen(),
            identity: position.identity(),
        }
    }

    /// The plies of a record of the analysis.
    fn analysis(
        &self,
        replayer: &Replayer<'_>,
        record: &Record<'_>,
        text: &[u8],
        budget: &Budget,
    ) -> Result<Analysis, ClaimError> {
        if record.tag("FEN").is_some() {
            let source = Source::new(text, 0, 0);
            return self.replayed(replayer, record, &source, budget);
        }
        // From the start of the game if it leads through the position of the claim, otherwise from there.
        let first = self.from(replayer, record, self.start.as_deref(), budget)?;
        if first.has(&self.identity) {
            return Ok(first);
        }
        self.from(replayer, record, Some(&self.fen), budget)
    }

    /// The plies of a record without a start of its own, from a position.
    fn from(
        &self,
        replayer: &Replayer<'_>,
        record: &Record<'_>,
        fen: Option<&str>,
        budget: &Budget,
    ) -> Result<Analysis, ClaimError> {
        let own = |name: &str| record.find_tag(name).is_some();
        let written = record.tags.iter().map(|tag| (record.tag_name(tag), record.tag_value(tag)));
        let written: Vec<(String, String)> =
            written.map(|(name, value)| (name.into_owned(), value.into_owned())).collect();
        let shared = self.tags.iter().filter(|(name, _)| !NOT_SHARED.contains(&name.as_str()) && !own(name));
        let variant = Some(("Variant", &*self.variant)).filter(|_| {
            !own("Variant") && !self.tags.iter().any(|(name, _)| name.eq_ignore_ascii_case("Variant"))
        });
        let start = fen.map(|fen| [("SetUp", "1"), ("FEN", fen)]);
        let tags = variant
            .into_iter()
            .chain(written.iter().chain(shared).map(|(name, value)| (&**name, &**value)))
            .chain(start.into_iter().flatten());
        let end = record.tags.iter().map(|tag| record.tag_full_span(tag).end).max();
        let from = end.map_or(0, |end| end.saturating_sub(record.offset()));
        let movetext = String::from_utf8_lossy(record.source().get(from..).unwrap_or_default());
        let text = tagged(tags, movetext.trim());
        let Some(part) = read(text.as_bytes(), 0).next() else {
            return Err(ClaimError::Claim("the analysis has no plies (--plan)".to_owned()));
        };
        self.replayed(replayer, &part, &Source::new(text.as_bytes(), 0, 0), budget)
    }

    fn replayed(
        &self,
        replayer: &Replayer<'_>,
        record: &Record<'_>,
        source: &Source<'_>,
        budget: &Budget,
    ) -> Result<Analysis, ClaimError> {
        let named = record.tag("Variant").is_some();
        let variant = replayer.options().variant.clone();
        let variant = variant.or_else(|| (!named).then(|| self.variant.clone()));
        let mut replayer = replayer.with_options(Options { variant, ..replayer.options().clone() });
        let found = analysis(&mut replayer, record, source, budget).map_err(ClaimError::Exhausted)?;
        let refused = |why: String| ClaimError::Claim(format!("the analysis cannot be read: {why} (--plan)"));
        let found = found.map_err(|report| refused(super::why(&report)))?;
        let rules = found.report.rules.as_ref().map(|rules| &*rules.digest);
        if rules != self.rules.as_deref() {
            return Err(refused(format!("it is one of {}, not of {}", found.report.variant, self.variant)));
        }
        Ok(found)
    }
}

/// Judges the claim of a forced result by the analysis.
pub(super) fn by_analysis<M: Mask>(case: &Case<'_, M>, submitted: &Submitted) -> Verdict {
    if let Some(verdict) = game_over_or_not_covered(case) {
        return verdict;
    }
    let history = history(case);
    let purpose = Purpose {
        kind: case.claim.kind,
        by: case.claimant(),
        within: case.claim.within,
        history: &history,
        occurrences: occurrences(case),
    };
    let Terms { nodes, budget, files, .. } = case.means.terms;
    let files = files.as_deref();
    let plies = submitted.records.iter().flat_map(|analysis| &analysis.plies);
    let tried = Trial::new(&case.position, purpose, plies, Effort::of(budget).with_files(files)).run(*nodes);
    let Tried { plan, gaps, closed, nodes } = tried;
    let claim = (case.claim.kind, case.claimant(), case.claim.within);
    let unlimited = Budget::unlimited();
    let effort = Effort::of(&unlimited).with_files(files);
    let checked = plan.map(|plan| plan.check(&case.position, &history, claim, effort).map(|_| plan));
    let mut verdict = match checked {
        Some(Ok(plan)) if submitted.illegal().next().is_none() => upheld(case, plan, closed),
        Some(Err(why)) if gaps.is_empty() => open(case, submitted, &gaps, Some(why)),
        _ => open(case, submitted, &gaps, None),
    };
    verdict.spent.nodes = nodes;
    verdict
}

/// The verdict by a plan that the checker accepts.
fn upheld<M: Mask>(case: &Case<'_, M>, plan: AndOr, closed: usize) -> Verdict {
    let name = case.claimant().name();
    let moves = plan.nodes.first().map_or(0, |node| node.moves) as usize;
    let moves = counted(moves, "move", "moves");
    let does = match case.claim.kind {
        ClaimKind::ForcedMate => format!("mates in {moves}"),
        ClaimKind::ForcedWin => format!("wins in {moves}"),
        _ => "gets at least a draw".to_owned(),
    };
    let positions = counted(plan.nodes.len(), "position", "positions");
    let mut text = format!(
        "{name} {does} against every defence: the submitted analysis has an answer to each, in {positions}."
    );
    if closed > 0 {
        let places = counted(closed, "place", "places");
        text.push_str(&format!(
            " What it leaves open at {places} was closed by a search or an endgame table."
        ));
    }
    let wins = case.claim.kind != ClaimKind::ForcedDraw;
    let result = wins.then(|| Outcome::won_by(case.claimant()));
    let mut verdict = case.verdict(Decision::Upheld, Ground::AndOr, result, text);
    let by_table = plan.nodes.iter().any(|node| node.table.is_some());
    verdict.strength = if by_table { Strength::Table } else { Strength::Proved };
    if wins {
        verdict.line = plan.line();
    }
    verdict.proof = Some(Arc::new(Proof::AndOr(plan)));
    verdict
}

/// The verdict on an analysis with holes.
fn open<M: Mask>(
    case: &Case<'_, M>,
    submitted: &Submitted,
    gaps: &[Gap],
    unproved: Option<String>,
) -> Verdict {
    let mut holes: Vec<Hole> = gaps.iter().map(|gap| hole(case, gap)).collect();
    holes.extend(submitted.illegal().map(|(report, illegal)| Hole {
        kind: HoleKind::Illegal,
        ply: illegal.ply.saturating_sub(1),
        position: report.final_fen.clone(),
        line: Vec::new(),
        why: format!("{} is illegal in the analysis: {}", illegal.text, illegal.reason),
        opinion: None,
    }));
    holes.extend(unproved.map(|why| Hole {
        kind: HoleKind::Fails,
        ply: case.plies,
        position: case.position.fen(),
        line: Vec::new(),
        why: format!("the checker does not accept the plan: {why}"),
        opinion: None,
    }));
    holes.sort_by_key(|hole| hole.kind);
    holes.dedup_by(|later, hole| (&later.why, &later.position) == (&hole.why, &hole.position));
    let mut verdict = case.verdict(Decision::Undetermined, Ground::AndOr, None, explained(&holes));
    verdict.holes = holes;
    verdict
}

/// What holes, the most important one first, say about the claim.
pub(super) fn explained(holes: &[Hole]) -> String {
    let first = holes.first().map_or_else(String::new, |hole| format!(" The first: {}.", hole.why));
    format!(
        "The submitted analysis does not decide the claim: it has {}.{first} Answer what is open and submit it again; \
         without a plan the claim is searched from its position.",
        counted(holes.len(), "hole", "holes")
    )
}

/// A gap in words and as text.
fn hole<M: Mask>(case: &Case<'_, M>, gap: &Gap) -> Hole {
    let mut position = case.position.clone();
    let mut named: Vec<(String, String)> = Vec::new();
    for ply in &gap.line {
        let number = position.status().number;
        let number = match ply.actor {
            Owner::White => format!("{number}. "),
            Owner::Black => format!("{number}... "),
            Owner::Nature => String::new(),
        };
        named.push((number, write_alone(&position, ply, Style::San)));
        position.apply(ply);
    }
    let after = |plies: usize| match plies.checked_sub(1) {
        None => "in the position of the claim".to_owned(),
        Some(last) => format!("after {}{}", named[last].0, named[last].1),
    };
    // An own ply and the answer to it show where a line ends.
    let last = named.len();
    let pair = match last.checked_sub(2) {
        Some(first) if gap.line[first].actor == Owner::White => {
            format!("{} {}", after(last - 1), named[first + 1].1)
        }
        Some(_) => format!("{} {}{}", after(last - 1), named[last - 1].0, named[last - 1].1),
        None => after(last),
    };
    let name = case.claimant().name();
    let wins = case.claim.kind != ClaimKind::ForcedDraw;
    let why = match gap.kind {
        HoleKind::Fails => match gap.failure {
            Some(Failure::End(end)) => {
                format!("{} the game ends by {}", after(last), end.id().replace('_', " "))
            }
            Some(Failure::Table) if wins => format!("{} an endgame table shows no win", after(last)),
            Some(Failure::Table) => format!("{} an endgame table shows a loss", after(last)),
            _ => format!("{} the game is drawn, or a draw may be claimed", after(last)),
        },
        HoleKind::TooLong => format!("{name} needs more moves than are claimed"),
        HoleKind::Returns => {
            let to = if gap.returns == 0 { "of the claim".to_owned() } else { after(gap.returns) };
            format!("{pair} the plan is back in the position {to}, and no nearer to a win")
        }
        HoleKind::LineEnds => format!("{pair} the line ends: neither mate, table nor draw"),
        HoleKind::NotAnswered => format!("{}: not answered", after(last)),
        HoleKind::TooLarge => format!("{} the plan has too many positions to be followed", after(last)),
        HoleKind::Illegal => format!("{} the analysis is illegal", after(last)),
    };
    Hole {
        kind: gap.kind,
        ply: case.plies + gap.line.len(),
        position: position.fen(),
        line: case.coords(&gap.line),
        why,
        opinion: None,
    }
}
