//! A claim with the replayed game that it is about.

use super::verdict::{Ground, Spent, Strength, Verdict};
use super::{Fifty, Means};
use crate::certificate::{Claim, ClaimKind, Decision};
use ferz_core::board::{Mask, Owner};
use ferz_core::judge::{End, Outcome};
use ferz_core::notation::coord;
use ferz_core::position::{Ply, Position};
use ferz_core::rules::Proving;
use ferz_records::record::Record;
use ferz_records::replay::Trace;
use ferz_records::replay::summary::counted;

/// A claim, the game, and the position that the claim is about.
pub(super) struct Case<'c, M> {
    pub trace: &'c Trace<M>,
    pub record: &'c Record<'c>,
    pub claim: &'c Claim,
    /// The claim is about the position after this many plies.
    pub plies: usize,
    pub position: Position<M>,
    /// The first end up to there.
    pub end: Option<End>,
    pub means: Means<'c>,
}

impl<'c, M: Mask> Case<'c, M> {
    /// Replays the game up to the ply of the claim.
    ///
    /// # Errors
    /// If the record has no such ply.
    pub fn new(
        trace: &'c Trace<M>,
        record: &'c Record<'c>,
        claim: &'c Claim,
        means: Means<'c>,
    ) -> Result<Case<'c, M>, String> {
        let known = trace.plies.len();
        let plies = match (claim.kind, claim.ply) {
            (ClaimKind::IllegalPly, Some(ply)) => {
                let written = record.main_moves().count();
                if ply == 0 || ply > written {
                    return Err(format!("the record has no ply {ply}; {}", from_to(1, written)));
                }
                known.min(ply - 1)
            }
            (_, Some(ply)) if ply > known => {
                let illegal = trace.report.illegal.as_ref().map_or_else(String::new, |illegal| {
                    format!(", since ply {} is {}", illegal.ply, trace.report.verdict)
                });
                return Err(format!("the replay has no ply {ply}{illegal}; {}", from_to(0, known)));
            }
            (_, ply) => ply.unwrap_or(known),
        };
        let (position, judge) = trace.at(plies);
        let end = judge.end_in(&position);
        let end = match end.and_then(|end| end.reason.in_force_since()) {
            // The Laws of its time let the game go on.
            Some(since) if record.is_before(since) => {
                position.shown_end().map(|found| End::of(&position, found, plies))
            }
            _ => end,
        };
        Ok(Case { trace, record, claim, plies, position, end, means })
    }

    /// A verdict on the claim, without articles of its own.
    pub fn verdict(
        &self,
        verdict: Decision,
        ground: Ground,
        result: Option<Outcome>,
        explanation: String,
    ) -> Verdict {
        let decided = matches!(verdict, Decision::Upheld | Decision::Rejected);
        Verdict {
            claim: Claim { ply: Some(self.claim.ply.unwrap_or(self.plies)), ..self.claim.clone() },
            rules: self.trace.report.rules.clone(),
            verdict,
            result,
            result_if: None,
            premises: Vec::new(),
            lacks: None,
            strength: if decided { Strength::Replayed } else { Strength::Opinion },
            ground,
            articles: self.cite(self.claim.kind.id(), self.claim.kind.article()),
            plies: vec![self.plies],
            explanation,
            readings: Vec::new(),
            remedy: None,
            penalty: None,
            policy: None,
            line: Vec::new(),
            clock: Vec::new(),
            holes: Vec::new(),
            opinion: None,
            proof: None,
            certificate: None,
            fen: self.position.fen(),
            spent: Spent::default(),
        }
    }

    /// True if the player has made a ply up to the position of the claim.
    pub fn has_moved(&self, owner: Owner) -> bool {
        self.trace.plies[..self.plies].iter().any(|traced| traced.ply.actor == owner)
    }

    /// The articles of an id in this game, one by one.
    pub fn cite(&self, id: &str, article: &str) -> Vec<String> {
        self.position.rules().cite(id, article).split(", ").map(str::to_owned).collect()
    }

    /// The articles of an end in this game.
    pub fn cite_end(&self, end: &End) -> Vec<String> {
        end.rule(self.position.rules()).split(", ").map(str::to_owned).collect()
    }

    /// The verdict if the rules of the game have no such end.
    pub fn no_such_rule(&self, instead: &str) -> Verdict {
        let words = self.claim.kind.words();
        let counts = matches!(self.claim.kind, ClaimKind::FiftyMoves | ClaimKind::SeventyFiveMoves);
        let explanation = match self.means.terms.fifty {
            Fifty::Suspended if counts => format!("The rule of {words} is suspended in this event."),
            _ => format!("{} has no rule of {words}{instead}.", self.trace.report.variant),
        };
        let mut verdict = self.verdict(Decision::Rejected, Ground::NoSuchRule, None, explanation);
        if let Some(end) = self.end {
            verdict.result = Some(end.outcome);
            verdict.explanation.push_str(&format!(" The game ended {}.", self.ended(&end)));
            verdict.articles = self.cite_end(&end);
        }
        verdict
    }

    /// Why no proof decides a claim about this game, in a sentence; `None` if proofs know all of its rules.
    pub fn not_covered(&self) -> Option<String> {
        let forced =
            matches!(self.claim.kind, ClaimKind::ForcedMate | ClaimKind::ForcedWin | ClaimKind::ForcedDraw);
        let mates = (self.claim.kind == ClaimKind::ForcedMate).then(|| self.claimant());
        let lacks = |owner: &Owner| Some(*owner) != mates && self.position.is_without_king(*owner);
        if let Some(owner) = Owner::REAL.into_iter().find(lacks) {
            let owner = owner.name();
            return Some(format!("No proof covers problems with one king yet, and {owner} has none."));
        }
        if forced && self.position.has_count_to_end() {
            return Some(
                "A count of moves runs, which a player may end; no proof covers that yet.".to_owned(),
            );
        }
        let proving = if forced { Proving::ByAttack } else { Proving::ByPlies };
        let field = self.position.rules().unknown_to(proving)?;
        let game = &self.trace.report.variant;
        Some(format!("No proof knows the rule `{field}` of {game} yet, so that none decides this claim."))
    }

    /// The verdict if the game had ended otherwise.
    pub fn game_over(&self, end: End) -> Verdict {
        let explanation = format!("The game had ended {}.", self.ended(&end));
        let mut verdict = self.verdict(Decision::Rejected, Ground::GameOver, Some(end.outcome), explanation);
        verdict.plies = vec![end.ply];
        verdict.articles = self.cite_end(&end);
        verdict
    }

    /// An end in a sentence: `after ply 69 (move 35, White: Qg7#), 1-0 by checkmate`.
    pub fn ended(&self, end: &End) -> String {
        let reason = end.reason.id().replace('_', " ");
        format!("{}, {} by {reason}{}", self.after(end.ply), end.outcome, end.points_in_words())
    }

    /// The place of a position in the game, also as players name it: `after ply 12 (move 6, Black: Ng8)`.
    pub fn after(&self, plies: usize) -> String {
        match plies.checked_sub(1) {
            None => "at the start".to_owned(),
            Some(last) => match self.trace.plies.get(last) {
                Some(traced) => {
                    let text = self.record.text(self.record.items[traced.item]);
                    format!("after ply {plies} ({}: {text})", self.named(last))
                }
                None => format!("after ply {plies}"),
            },
        }
    }

    /// A ply as players name it, by its index: `move 6, Black`.
    fn named(&self, ply: usize) -> String {
        match self.trace.move_of(ply) {
            Some((number, player)) => format!("move {number}, {}", player.name()),
            None => format!("Nature's turn {}", self.trace.plies[ply].interjection),
        }
    }

    /// The ply in coordinate notation.
    pub fn coord(&self, ply: &Ply) -> String {
        let mut text = String::new();
        coord::write(self.position.rules(), ply, &mut text);
        text
    }

    /// The plies of a line from the position of the claim, in coordinate notation.
    pub fn coords(&self, plies: &[Ply]) -> Vec<String> {
        plies.iter().map(|ply| self.coord(ply)).collect()
    }

    /// The claimant, or the player on move.
    pub fn claimant(&self) -> Owner {
        self.claim.by.unwrap_or(self.position.turn())
    }
}

/// The numbers that may be written.
fn from_to(first: usize, last: usize) -> String {
    match last {
        0 if first > 0 => "it has none".to_owned(),
        _ => format!("write a number from {first} to {last} (it has {})", counted(last, "ply", "plies")),
    }
}
