//! Losses by not making a move: on time, by silence, by default. Clocks show the premise, or the claim states it.

use super::case::Case;
use super::instant::by_instant;
use super::line::win_unless_beyond;
use super::premises::has_moved;
use super::timed::Timed;
use super::verdict::{Ground, Strength, Verdict};
use crate::board::{Mask, Owner};
use crate::certificate::{ClaimKind, Decision};
use crate::clock::{each_timed, in_words, shown};
use crate::judge::Outcome;
use crate::record::time_control::Termination;
use crate::replay::first_move;
use crate::replay::summary::counted;

/// Judges the claims that the opponent lost by not making a move.
///
/// # Errors
/// If the claim states an instant, and the record does not show what that decides.
pub(super) fn lost_off_the_board<M: Mask>(case: &Case<'_, M>) -> Result<Verdict, String> {
    if let Some(end) = case.end {
        return Ok(case.game_over(end));
    }
    let winner = case.claimant();
    let clocks = Timed::of(case, winner.opponent());
    let by_clocks = clocks.as_ref().and_then(|timed| match case.claim.kind {
        ClaimKind::TimeWin => timed.time(case, winner),
        ClaimKind::Silence => timed.silence(case, winner),
        ClaimKind::Default => timed.default(case, winner),
        _ => None,
    });
    match (by_clocks, case.claim.at) {
        (Some(verdict), _) => Ok(verdict),
        (None, Some(at)) => by_instant(case, clocks.as_ref(), winner, at),
        (None, None) => Ok(by_premise(case, winner, clocks.as_ref())),
    }
}

impl Timed {
    /// Whether the loser's clock ran out; `None` if the record does not show it.
    fn time<M: Mask>(&self, case: &Case<'_, M>, winner: Owner) -> Option<Verdict> {
        if let Some(verdict) = self.delays(case, winner) {
            return Some(verdict);
        }
        let name = self.loser.name();
        let Some(step) = self.recorded.exceeded[self.loser.index()] else { return self.time_left(case) };
        let text = format!(
            "{name} exceeded the time {}: it took {}, {} more than there was: {step}.",
            case.after(step.ply).replace("after", "with"),
            shown(step.spent),
            shown(step.exceeded()),
        );
        let mut verdict = self.verdict(case, Decision::Upheld, text);
        verdict.strength = Strength::Proved;
        (verdict.plies, verdict.clock) = (vec![step.ply], self.steps(step.ply));
        win_unless_beyond(case, winner, &mut verdict);
        Some(verdict)
    }

    /// IAP 2: the game is lost whatever the opponent can still do.
    fn delays<M: Mask>(&self, case: &Case<'_, M>, winner: Owner) -> Option<Verdict> {
        let limit = self.clocks.limit?;
        let (first, _) = first_move(case.record.tag("FEN").as_deref());
        let delays = limit.delays(case.record, first, case.plies);
        let lost = delays.last().filter(|delay| delay.loses && delay.timed.actor == self.loser)?;
        let text = format!(
            "{} let {} pass {}, and no time-out was called: {}.",
            self.loser.name(),
            counted(lost.counted as usize, "move limit", "move limits"),
            case.after(lost.timed.ply).replace("after", "with"),
            lost.sum()
        );
        let mut verdict = self.verdict(case, Decision::Upheld, text);
        (verdict.plies, verdict.result) = (vec![lost.timed.ply], Some(Outcome::won_by(winner)));
        verdict.articles = vec!["IAP 2".to_owned()];
        Some(verdict)
    }

    /// A clock that shows time left, and does not run, has not run out.
    fn time_left<M: Mask>(&self, case: &Case<'_, M>) -> Option<Verdict> {
        let left = self.recorded.left[self.loser.index()].filter(|left| *left >= 1000)?;
        if case.position.turn() == self.loser || states_time_forfeit(case) {
            return None;
        }
        let steps = self.steps(case.plies);
        let last = steps.last()?;
        let text = format!(
            "{} had {} left {}, and is not on move: the clock has not run out.",
            self.loser.name(),
            shown(left),
            case.after(last.ply)
        );
        let mut verdict = self.verdict(case, Decision::Rejected, text);
        (verdict.plies, verdict.clock) = (vec![last.ply], steps);
        Some(verdict)
    }

    /// A move that took longer than the policy lets a player be silent.
    fn silence<M: Mask>(&self, case: &Case<'_, M>, winner: Owner) -> Option<Verdict> {
        let silence = self.clocks.silence?;
        let rule = format!("a player who does not answer for more than {} loses", in_words(silence));
        self.overdue(case, winner, (silence, false), &rule)
    }

    /// A first move that came later than the policy lets a player be absent.
    fn default<M: Mask>(&self, case: &Case<'_, M>, winner: Owner) -> Option<Verdict> {
        let default = self.clocks.default?;
        let rule = format!("a player whose first move takes more than {} defaults", in_words(default));
        self.overdue(case, winner, (default, true), &rule)
    }

    /// The loser's first move, of all or of the first one alone, that took longer than a limit.
    fn overdue<M: Mask>(
        &self,
        case: &Case<'_, M>,
        winner: Owner,
        (limit, first_alone): (u64, bool),
        rule: &str,
    ) -> Option<Verdict> {
        let (mut found, mut moves) = (None, 0);
        let (first, _) = first_move(case.record.tag("FEN").as_deref());
        each_timed(case.record, first, case.plies, |timed| {
            moves += usize::from(timed.actor == self.loser);
            let counts = timed.actor == self.loser && (moves == 1 || !first_alone);
            let spent = timed.times.elapsed.filter(|spent| counts && *spent > limit);
            found = found.or(spent.map(|spent| (timed.ply, spent)));
        });
        let (ply, spent) = found?;
        let text = format!("{} took {} for ply {ply}; {rule}.", self.loser.name(), in_words(spent));
        let mut verdict = self.verdict(case, Decision::Upheld, text);
        (verdict.plies, verdict.result) = (vec![ply], Some(Outcome::won_by(winner)));
        verdict.clock = self.steps(ply);
        Some(verdict)
    }
}

fn states_time_forfeit<M: Mask>(case: &Case<'_, M>) -> bool {
    let termination = case.record.tag("Termination");
    termination.as_deref().and_then(Termination::parse) == Some(Termination::TimeForfeit)
}

/// The verdict where the record does not show the premise.
fn by_premise<M: Mask>(case: &Case<'_, M>, winner: Owner, clocks: Option<&Timed>) -> Verdict {
    let loser = winner.opponent();
    let (premise, excluded) = match case.claim.kind {
        ClaimKind::Default => (
            format!("{} never appeared at the board", loser.name()),
            has_moved(case, loser).then(|| format!("{} has made a move, so it is no default.", loser.name())),
        ),
        ClaimKind::Silence => (
            format!("{} no longer answers", loser.name()),
            (case.position.turn() != loser)
                .then(|| format!("It is {}'s turn, so {} owes no answer.", winner.name(), loser.name())),
        ),
        _ => (format!("{} exceeded the time", loser.name()), None),
    };
    if let Some(text) = excluded {
        return case.verdict(Decision::Rejected, Ground::Premise, None, text);
    }
    let on_time = case.claim.kind == ClaimKind::TimeWin;
    let says_so = on_time && states_time_forfeit(case);
    let source = if says_so { "record" } else { "claim" };
    let mut verdict = case.verdict(
        Decision::Upheld,
        Ground::Premise,
        Some(Outcome::won_by(winner)),
        format!("The {source} states that {premise}."),
    );
    if on_time {
        win_unless_beyond(case, winner, &mut verdict);
        if !verdict.line.is_empty() {
            verdict.ground = Ground::Line;
        }
    } else {
        verdict.explanation.push_str(&format!(" {} wins.", winner.name()));
    }
    if verdict.verdict == Decision::Upheld {
        verdict.strength = Strength::Ruled;
    } else {
        verdict.result = None;
    }
    let left = clocks.and_then(|timed| timed.recorded.left[loser.index()]).filter(|_| on_time);
    if let Some(left) = left {
        let text = format!(" The record leaves {} {} for the next move.", loser.name(), shown(left));
        verdict.explanation.push_str(&text);
    }
    verdict
}
