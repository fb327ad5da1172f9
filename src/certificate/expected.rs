//! What a record shows about a claim: the verdict and the evidence, by its own plies alone.

use super::clock::{Shown as OfClock, clock};
use super::refusal::{Refusal, Step, uncovered};
use super::walk::{Walk, tokens};
use super::{Claim, ClaimKind, Decision, Evidence, Given, IllegalText, Proof};
use crate::board::{Mask, Owner};
use crate::position::{End, EndReason, Outcome, Position, Reason, Repeated};
use crate::record::comment::Call;
use crate::record::time_control::Termination;
use crate::record::{GameResult, Record};
use crate::rules::definition::{DeadPosition, Repetition};
use std::sync::Arc;

/// What a record shows about a claim.
pub(super) struct Shown {
    pub verdict: Decision,
    pub result: Option<Outcome>,
    pub evidence: Evidence,
}

/// Halfmoves after which a draw may be claimed (FIDE 9.3).
const FIFTY_MOVES: u16 = 100;
/// Occurrences after which a draw may be claimed (FIDE 9.2).
const THREEFOLD: usize = 3;

/// Replays the record up to the claim, and returns what it shows, with the given part of the evidence.
pub(super) fn expected<M: Mask>(
    walk: &mut Walk<'_, M>,
    record: &Record<'_>,
    claim: &Claim,
    given: Given<'_>,
) -> Result<Shown, Refusal> {
    claim.check().map_err(|message| Refusal::new(Step::Form, message))?;
    let (named, kind) = (claim.by.is_some(), claim.kind);
    if named && kind.is_anyones() || !named && kind.may_be_intended() {
        let message = if named { "the claimant makes no difference" } else { "the claim names no claimant" };
        return Err(Refusal::new(Step::Form, message));
    }
    let Some(last) = claim.ply else { return Err(Refusal::new(Step::Form, "the claim names no ply")) };
    let (tokens, calls) = (tokens(record), record.main_calls());
    let called = |walk: &mut Walk<'_, M>, plies| {
        Call::after(&calls, plies).for_each(|call| walk.call(call));
    };
    let illegal = claim.kind == ClaimKind::IllegalPly;
    if last > tokens.len() || illegal && last == 0 {
        return Err(Refusal::new(Step::Plies, format!("the record has no ply {last}")));
    }
    for (index, token) in tokens[..last].iter().enumerate() {
        called(walk, index);
        match walk.ply(token) {
            Ok(ply) => walk.make(&ply),
            Err(fault) if illegal && index + 1 == last => {
                return match fault.reason {
                    Reason::Unreadable | Reason::Ambiguous => uncovered(claim.kind),
                    reason => {
                        let illegal = Some(IllegalText { text: token.0.clone(), reason });
                        let evidence = Evidence::Line { end: None, line: Vec::new(), illegal };
                        Ok(Shown { verdict: Decision::Upheld, result: None, evidence })
                    }
                };
            }
            Err(fault) => {
                let (number, text) = (index + 1, &token.0);
                return Err(Refusal::new(Step::Plies, format!("ply {number}, {text}, is illegal: {fault}")));
            }
        }
    }
    called(walk, last);
    let mut case = Case { walk, record, claim, given, last };
    let shown = case.judge()?;
    // Evidence has a given part only where the claim depends on it.
    match shown.evidence.given() == given {
        true => Ok(shown),
        false => Err(Refusal::new(Step::Evidence, "the record decides the claim without this evidence")),
    }
}

struct Case<'c, 'w, M> {
    walk: &'c mut Walk<'w, M>,
    record: &'c Record<'c>,
    claim: &'c Claim,
    given: Given<'c>,
    /// The claim is about the position after this many plies.
    last: usize,
}

fn shown(upheld: bool, result: Option<Outcome>, evidence: Evidence) -> Result<Shown, Refusal> {
    let verdict = if upheld { Decision::Upheld } else { Decision::Rejected };
    Ok(Shown { verdict, result, evidence })
}

impl<M: Mask> Case<'_, '_, M> {
    fn judge(&mut self) -> Result<Shown, Refusal> {
        use ClaimKind::{
            Agreement, CannotWin, Default, FiftyMoves, ForcedDraw, ForcedMate, ForcedWin, IllegalPly,
            QuietMoves, Resignation, Silence, ThreefoldRepetition, TimeWin, WrongResult, WrongSetup,
        };
        match (self.claim.kind, self.walk.end) {
            (IllegalPly, _) => shown(false, None, self.nothing()),
            (WrongSetup, _) => {
                let start = &self.walk.start;
                let array = Position::start(Arc::clone(start.shared_rules()));
                shown(start.identity() != array.identity(), None, self.nothing())
            }
            (ThreefoldRepetition | FiftyMoves | QuietMoves, _) => self.claimed_draw(),
            (WrongResult, Some(end)) => {
                let stated = self.record.stated_result().filter(|result| *result != GameResult::Unknown);
                let wrong = self.record.both_lose()
                    || stated.is_some_and(|result| result.as_str() != end.outcome.as_str());
                shown(wrong, Some(end.outcome), self.of_end(end))
            }
            (WrongResult, None) => uncovered(self.claim.kind),
            (Agreement | Resignation | TimeWin | Silence | Default, Some(end)) => {
                shown(false, Some(end.outcome), self.of_end(end))
            }
            (Agreement, None) => self.agreement(),
            (Resignation, None) => self.resignation(),
            (TimeWin, None) => self.time_win(),
            (Silence, None) => self.absent(self.walk.position.turn() == self.claimant().opponent()),
            (Default, None) => self.absent(!self.has_moved(self.claimant().opponent())),
            (CannotWin, Some(end)) if !end.reason.is_draw_by_itself() => {
                shown(end.outcome != Outcome::won_by(self.claimant()), Some(end.outcome), self.of_end(end))
            }
            (CannotWin, _) => self.cannot_win(),
            (ForcedMate | ForcedWin | ForcedDraw, Some(end)) => {
                let won = end.outcome == Outcome::won_by(self.claimant());
                let reached = match self.claim.kind {
                    ForcedDraw => won || end.outcome == Outcome::Draw,
                    ForcedMate => won && end.reason == EndReason::Checkmate,
                    _ => won,
                };
                shown(reached, Some(end.outcome), self.of_end(end))
            }
            (ForcedMate | ForcedWin | ForcedDraw, None) => self.forced(),
            (kind, Some(end)) => {
                let is_it = end.reason.id() == kind.id()
                    || kind == ClaimKind::BareKing && end.reason == EndReason::BareKingDraw;
                let against = self.favoured(end).zip(self.claim.by).is_some_and(|(owner, by)| owner != by);
                shown(is_it && !against, Some(end.outcome), self.of_end(end))
            }
            (_, None) => self.no_end(),
        }
    }

    fn claimant(&self) -> Owner {
        self.claim.by.unwrap_or(self.walk.position.turn())
    }

    /// The plies of the record alone.
    fn nothing(&self) -> Evidence {
        Evidence::Line { end: None, line: Vec::new(), illegal: None }
    }

    fn occurrences(&self, at: usize) -> Evidence {
        let (identity, plies) = self.walk.occurrences(at, at);
        Evidence::Occurrences { identity, plies }
    }

    fn counter(&self, at: usize) -> Evidence {
        let (count, since, before) = self.walk.counter(at);
        Evidence::Counter { count, since, before }
    }

    fn of_end(&self, end: End) -> Evidence {
        match end.reason {
            EndReason::FivefoldRepetition | EndReason::FourfoldRepetition | EndReason::PerpetualCheck => {
                self.occurrences(end.ply)
            }
            EndReason::SeventyFiveMoves => self.counter(end.ply),
            _ => Evidence::Line { end: Some(end), line: Vec::new(), illegal: None },
        }
    }

    /// Who mated, bared the opponent, reached the square, or was checked perpetually.
    fn favoured(&self, end: End) -> Option<Owner> {
        let authored = matches!(
            end.reason,
            EndReason::Checkmate
                | EndReason::AntiCheckmate
                | EndReason::KingsSquare
                | EndReason::BareKing
                | EndReason::PerpetualCheck
                | EndReason::Declaration
        );
        let winner = end.outcome.winner().filter(|_| authored)?;
        Some(if self.walk.position.rules().ends.misere { winner.opponent() } else { winner })
    }

    /// The claimed end has not been reached.
    fn no_end(&mut self) -> Result<Shown, Refusal> {
        let ends = &self.walk.position.rules().ends;
        let kind = self.claim.kind;
        let fide = ends.repetition == Repetition::Fide;
        let perpetual = ends.repetition.perpetual().is_some();
        let evidence = match kind {
            ClaimKind::FivefoldRepetition if fide => self.occurrences(self.last),
            ClaimKind::FourfoldRepetition | ClaimKind::PerpetualCheck if perpetual => {
                self.occurrences(self.last)
            }
            ClaimKind::SeventyFiveMoves if ends.move_counters => self.counter(self.last),
            ClaimKind::FivefoldRepetition
            | ClaimKind::FourfoldRepetition
            | ClaimKind::PerpetualCheck
            | ClaimKind::SeventyFiveMoves
            | ClaimKind::Declaration => return uncovered(kind),
            ClaimKind::DeadPosition if ends.dead_position == DeadPosition::None => return uncovered(kind),
            ClaimKind::DeadPosition => return self.dead_position(),
            _ => self.nothing(),
        };
        shown(false, None, evidence)
    }

    /// Threefold repetition and fifty moves.
    fn claimed_draw(&mut self) -> Result<Shown, Refusal> {
        let (kind, turn) = (self.claim.kind, self.walk.position.turn());
        let ends = &self.walk.position.rules().ends;
        let threefold = kind == ClaimKind::ThreefoldRepetition;
        let needed = if kind == ClaimKind::QuietMoves { ends.quiet_plies() } else { FIFTY_MOVES };
        let perpetual = ends.repetition == Repetition::ThreefoldPerpetual;
        let has_rule = match kind {
            ClaimKind::FiftyMoves => ends.move_counters,
            ClaimKind::QuietMoves => needed > 0,
            _ => ends.repetition.is_claimed(),
        };
        if !has_rule {
            return uncovered(kind);
        }
        let over = self.walk.end.filter(|end| end.ply < self.last || !end.reason.is_draw_by_itself());
        if let Some(end) = over {
            return shown(false, Some(end.outcome), self.of_end(end));
        }
        if self.claimant() != turn {
            return uncovered(kind);
        }
        let at = match &self.claim.intended {
            Some(text) => self.intend(text)?,
            None => self.last,
        };
        let (upheld, evidence) = if threefold {
            let (identity, plies) = self.walk.occurrences(at, at);
            let mut upheld = plies.len() >= THREEFOLD;
            if upheld && perpetual {
                match Repeated::of(&self.walk.conduct(plies[0])) {
                    Repeated::Harmless | Repeated::ChecksByBoth => {}
                    Repeated::PerpetualCheck(_) => upheld = false,
                    Repeated::MayChase(_) => return uncovered(kind),
                }
            }
            (upheld, Evidence::Occurrences { identity, plies })
        } else {
            (self.walk.counter(at).0 >= needed, self.counter(at))
        };
        // The intended ply is part of the claim and not of the record.
        self.walk.plies.truncate(self.last);
        shown(upheld, upheld.then_some(Outcome::Draw), evidence)
    }

    /// Makes the intended ply; gives the number of plies after it.
    fn intend(&mut self, text: &str) -> Result<usize, Refusal> {
        let refuse = |why: &str| Refusal::new(Step::Statement, format!("the intended ply is {why}"));
        let ply = self.walk.ply(&(text.trim().to_owned(), false));
        let ply = ply.map_err(|fault| refuse(&format!("illegal: {fault}")))?;
        if ply.actor != self.walk.position.turn() {
            return Err(refuse("another player's"));
        }
        self.walk.make(&ply);
        Ok(self.last + 1)
    }

    fn has_moved(&self, owner: Owner) -> bool {
        self.walk.movers().any(|mover| mover == owner)
    }

    fn ruling(&self) -> Evidence {
        Evidence::Ruling {
            result: self.record.stated_result().map(|result| result.as_str().to_owned()),
            termination: self.record.tag("Termination").map(|value| value.into_owned()),
            line: self.line(),
            proof: self.proof(),
        }
    }

    /// The record's result, and whether its termination leaves room for agreement and resignation.
    fn stated(&self) -> (Option<GameResult>, bool) {
        let result = self.record.stated_result().filter(|result| *result != GameResult::Unknown);
        let termination = self.record.tag("Termination");
        let manner = termination.as_deref().and_then(Termination::parse);
        (result, matches!(manner, None | Some(Termination::ByPlayers | Termination::Normal)))
    }

    fn states_time_forfeit(&self) -> bool {
        let termination = self.record.tag("Termination");
        termination.as_deref().and_then(Termination::parse) == Some(Termination::TimeForfeit)
    }

    fn agreement(&self) -> Result<Shown, Refusal> {
        if !Owner::REAL.into_iter().all(|owner| self.has_moved(owner)) {
            return shown(false, None, self.ruling());
        }
        self.stated_as(GameResult::Draw, Outcome::Draw)
    }

    fn resignation(&mut self) -> Result<Shown, Refusal> {
        let winner = self.claimant();
        let result = if winner == Owner::White { GameResult::WhiteWins } else { GameResult::BlackWins };
        let stated = self.stated_as(result, Outcome::won_by(winner))?;
        match stated.verdict {
            Decision::Upheld => Ok(Shown { result: Some(self.worth(winner)?), ..stated }),
            _ => Ok(stated),
        }
    }

    /// What a loss off the board is worth: a draw if the opponent cannot win.
    fn worth(&mut self, winner: Owner) -> Result<Outcome, Refusal> {
        Ok(if self.can_win(winner)? { Outcome::won_by(winner) } else { Outcome::Draw })
    }

    fn stated_as(&self, wanted: GameResult, result: Outcome) -> Result<Shown, Refusal> {
        match self.stated() {
            (Some(found), true) if found == wanted => shown(true, Some(result), self.ruling()),
            (Some(_), _) => shown(false, None, self.ruling()),
            (None, _) => uncovered(self.claim.kind),
        }
    }

    /// Silence and default.
    fn absent(&self, possible: bool) -> Result<Shown, Refusal> {
        shown(possible, possible.then_some(Outcome::won_by(self.claimant())), self.ruling())
    }

    fn time_win(&mut self) -> Result<Shown, Refusal> {
        let by = self.claimant();
        let movers: Vec<Owner> = self.walk.movers().collect();
        let start = &self.walk.start;
        let first = (start.turn(), start.status().number);
        let waits = self.walk.position.turn() == by;
        let at = self.claim.at.filter(|_| !waits);
        let evidence = match clock(self.record, &movers, first, (by.opponent(), at)) {
            OfClock::Delays(ply) => {
                let evidence =
                    Evidence::Clock { steps: Vec::new(), delays: Some(ply), line: Vec::new(), proof: None };
                return shown(true, Some(Outcome::won_by(by)), evidence);
            }
            OfClock::Left(steps) if at.is_some() || waits && !self.states_time_forfeit() => {
                let evidence = Evidence::Clock { steps, delays: None, line: Vec::new(), proof: None };
                return shown(false, None, evidence);
            }
            OfClock::Exceeded(steps) => {
                Evidence::Clock { steps, delays: None, line: self.line(), proof: self.proof() }
            }
            // The instant decides only by the clocks.
            _ if self.claim.at.is_some() => return uncovered(self.claim.kind),
            OfClock::Left(_) | OfClock::Nothing => self.ruling(),
        };
        shown(true, Some(self.worth(by)?), evidence)
    }

    fn cannot_win(&mut self) -> Result<Shown, Refusal> {
        let can = self.can_win(self.claimant())?;
        shown(!can, None, self.of_given())
    }

    /// A result against every defence.
    fn forced(&self) -> Result<Shown, Refusal> {
        let (kind, by) = (self.claim.kind, self.claimant());
        let (walk, claim) = (&self.walk, (kind, by, self.claim.within));
        let upheld = match self.given {
            Given::Proof(Proof::AndOr(plan)) => plan.check(&walk.position, &walk.history(), claim),
            Given::Proof(Proof::Table(table)) => table.check(&walk.position, &walk.history(), claim),
            _ => return uncovered(kind),
        };
        let upheld = upheld.map_err(|why| Refusal::new(Step::Evidence, why))?;
        let won = upheld && kind != ClaimKind::ForcedDraw;
        shown(upheld, won.then(|| Outcome::won_by(by)), self.of_given())
    }

    fn dead_position(&mut self) -> Result<Shown, Refusal> {
        if let Given::Line(line) = self.given {
            self.play_line(line, &Owner::REAL)?;
            return shown(false, None, self.of_given());
        }
        for owner in Owner::REAL {
            self.can_win(owner)?;
        }
        shown(true, Some(Outcome::Draw), self.of_given())
    }

    fn line(&self) -> Vec<String> {
        if let Given::Line(line) = self.given { line.to_vec() } else { Vec::new() }
    }

    fn proof(&self) -> Option<Proof> {
        if let Given::Proof(proof) = self.given { Some(proof.clone()) } else { None }
    }

    /// The given evidence and the plies of the record.
    fn of_given(&self) -> Evidence {
        let line = || Evidence::Line { end: None, line: self.line(), illegal: None };
        self.proof().map_or_else(line, Evidence::Proof)
    }

    /// Whether the player can win in the position of the claim: a line shows it, the material or a proof excludes it.
    fn can_win(&mut self, by: Owner) -> Result<bool, Refusal> {
        let position = &self.walk.position;
        match self.given {
            Given::Line(line) => self.play_line(line, &[by]).map(|()| true),
            _ if position.is_beyond_winning(by).is_some() => Ok(false),
            Given::Proof(proof) => match proof.excludes(position, by) {
                Ok(()) => Ok(false),
                Err(why) => Err(Refusal::new(Step::Evidence, why)),
            },
            Given::Nothing => Err(Refusal::new(Step::Evidence, "nothing shows whether the player can win")),
        }
    }

    /// Plays the line, which must end in a win of one of the players.
    fn play_line(&mut self, line: &[String], by: &[Owner]) -> Result<(), Refusal> {
        for text in line {
            let ply = self.walk.coord(text)?;
            self.walk.position.apply(&ply);
        }
        let winner = self.walk.position.shown_end().and_then(|(_, outcome)| outcome.winner());
        match winner.is_some_and(|winner| by.contains(&winner)) {
            true => Ok(()),
            false => Err(Refusal::new(Step::Evidence, "the line does not end in the win that it shows")),
        }
    }
}
