//! What a record shows about a claim: the verdict and the evidence, by its own plies alone.

use super::check::{Refusal, Shown, Step, uncovered};
use super::clock::{Shown as OfClock, clock};
use super::walk::{Walk, tokens};
use super::{Claim, ClaimKind, Decision, Evidence, IllegalText};
use crate::board::{Mask, Owner};
use crate::position::{End, EndReason, Outcome, Position, Reason};
use crate::record::time_control::Termination;
use crate::record::{GameResult, Record};
use crate::rules::definition::{DeadPosition, Repetition};
use std::sync::Arc;

/// Halfmoves after which a draw may be claimed (FIDE 9.3).
const FIFTY_MOVES: u16 = 100;
/// Occurrences after which a draw may be claimed (FIDE 9.2).
const THREEFOLD: usize = 3;

/// Replays the record up to the claim, and gives what it shows. `line` are plies after the record's that the evidence
/// brings along.
pub(super) fn expected<M: Mask>(
    walk: &mut Walk<'_, M>,
    record: &Record<'_>,
    claim: &Claim,
    line: &[String],
) -> Result<Shown, Refusal> {
    claim.check().map_err(|message| Refusal::new(Step::Form, message))?;
    let (named, kind) = (claim.by.is_some(), claim.kind);
    if named && kind.is_anyones() || !named && kind.may_be_intended() {
        let message = if named { "the claimant makes no difference" } else { "the claim names no claimant" };
        return Err(Refusal::new(Step::Form, message));
    }
    let Some(last) = claim.ply else { return Err(Refusal::new(Step::Form, "the claim names no ply")) };
    let tokens = tokens(record);
    let illegal = claim.kind == ClaimKind::IllegalPly;
    if last > tokens.len() || illegal && last == 0 {
        return Err(Refusal::new(Step::Plies, format!("the record has no ply {last}")));
    }
    for (index, token) in tokens[..last].iter().enumerate() {
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
    let mut case = Case { walk, record, claim, line, last };
    let shown = case.judge()?;
    // Evidence brings a line along only where the claim depends on it.
    match shown.evidence.line() == line {
        true => Ok(shown),
        false => Err(Refusal::new(Step::Evidence, "the claim needs no line")),
    }
}

struct Case<'c, 'w, M> {
    walk: &'c mut Walk<'w, M>,
    record: &'c Record<'c>,
    claim: &'c Claim,
    line: &'c [String],
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
            Resignation, Silence, ThreefoldRepetition, TimeWin, WrongResult, WrongSetup,
        };
        match (self.claim.kind, self.walk.end) {
            (IllegalPly, _) => shown(false, None, self.nothing()),
            (WrongSetup, _) => {
                let start = &self.walk.start;
                let array = Position::start(Arc::clone(start.shared_rules()));
                shown(start.identity() != array.identity(), None, self.nothing())
            }
            (ThreefoldRepetition | FiftyMoves, _) => self.claimed_draw(),
            (WrongResult, Some(end)) => {
                let stated = self.record.stated_result().filter(|result| *result != GameResult::Unknown);
                let wrong = stated.is_some_and(|result| result.as_str() != end.outcome.as_str());
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
            (ForcedMate | ForcedWin | ForcedDraw, None) => uncovered(self.claim.kind),
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
            EndReason::Checkmate | EndReason::KingsSquare | EndReason::BareKing | EndReason::PerpetualCheck
        );
        let winner = end.outcome.winner().filter(|_| authored)?;
        Some(if self.walk.position.rules().ends.misere { winner.opponent() } else { winner })
    }

    /// The claimed end has not been reached.
    fn no_end(&mut self) -> Result<Shown, Refusal> {
        let ends = &self.walk.position.rules().ends;
        let kind = self.claim.kind;
        let fide = ends.repetition == Repetition::Fide;
        let perpetual = ends.repetition == Repetition::FourfoldPerpetual;
        let evidence = match kind {
            ClaimKind::FivefoldRepetition if fide => self.occurrences(self.last),
            ClaimKind::FourfoldRepetition | ClaimKind::PerpetualCheck if perpetual => {
                self.occurrences(self.last)
            }
            ClaimKind::SeventyFiveMoves if ends.move_counters => self.counter(self.last),
            ClaimKind::FivefoldRepetition
            | ClaimKind::FourfoldRepetition
            | ClaimKind::PerpetualCheck
            | ClaimKind::SeventyFiveMoves => return uncovered(kind),
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
        let has_rule = if threefold { ends.repetition == Repetition::Fide } else { ends.move_counters };
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
            (plies.len() >= THREEFOLD, Evidence::Occurrences { identity, plies })
        } else {
            (self.walk.counter(at).0 >= FIFTY_MOVES, self.counter(at))
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
            line: if self.claim.kind == ClaimKind::TimeWin { self.line.to_vec() } else { Vec::new() },
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

    fn resignation(&self) -> Result<Shown, Refusal> {
        let winner = self.claimant();
        let result = if winner == Owner::White { GameResult::WhiteWins } else { GameResult::BlackWins };
        self.stated_as(result, Outcome::won_by(winner))
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
        let line = self.line.to_vec();
        let evidence = match clock(self.record, &movers, by.opponent())? {
            OfClock::Delays(ply) => {
                let evidence = Evidence::Clock { steps: Vec::new(), delays: Some(ply), line: Vec::new() };
                return shown(true, Some(Outcome::won_by(by)), evidence);
            }
            OfClock::Left(steps) if self.walk.position.turn() == by && !self.states_time_forfeit() => {
                return shown(false, None, Evidence::Clock { steps, delays: None, line: Vec::new() });
            }
            OfClock::Exceeded(steps) => Evidence::Clock { steps, delays: None, line },
            OfClock::Left(_) | OfClock::Nothing => self.ruling(),
        };
        if self.line.is_empty() && self.walk.position.is_beyond_winning(by).is_some() {
            return shown(true, Some(Outcome::Draw), evidence);
        }
        self.play_line(Some(by))?;
        shown(true, Some(Outcome::won_by(by)), evidence)
    }

    fn cannot_win(&mut self) -> Result<Shown, Refusal> {
        let by = self.claimant();
        if self.line.is_empty() && self.walk.position.is_beyond_winning(by).is_some() {
            return shown(true, None, self.nothing());
        }
        self.play_line(Some(by))?;
        shown(false, None, Evidence::Line { end: None, line: self.line.to_vec(), illegal: None })
    }

    fn dead_position(&mut self) -> Result<Shown, Refusal> {
        let beyond = |owner| self.walk.position.is_beyond_winning(owner).is_some();
        if self.line.is_empty() && Owner::REAL.into_iter().all(beyond) {
            return shown(true, Some(Outcome::Draw), self.nothing());
        }
        self.play_line(None)?;
        shown(false, None, Evidence::Line { end: None, line: self.line.to_vec(), illegal: None })
    }

    /// Plays the line, which must end in a win of `by`, or of anyone.
    fn play_line(&mut self, by: Option<Owner>) -> Result<(), Refusal> {
        for text in self.line {
            let ply = self.walk.coord(text)?;
            self.walk.position.apply(&ply);
        }
        let winner = self.walk.position.shown_end().and_then(|(_, outcome)| outcome.winner());
        match winner {
            Some(winner) if by.is_none_or(|by| by == winner) => Ok(()),
            _ => Err(Refusal::new(Step::Evidence, "the line does not end in the win that it shows")),
        }
    }
}
