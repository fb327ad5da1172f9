//! What the clocks of a record show about losses by not making a move: on time, by silence, by default.

use super::case::Case;
use super::line::win_unless_beyond;
use super::timed::{Flag, Timed};
use super::verdict::{Strength, Verdict};
use crate::certificate::Decision;
use ferz_core::board::{Mask, Owner};
use ferz_core::judge::Outcome;
use ferz_records::clock::{Delay, each_timed, in_words, shown};
use ferz_records::replay::first_move;
use ferz_records::replay::summary::counted;

impl Timed {
    /// The first loss of the loser on time that the record shows.
    pub(super) fn flag<M: Mask>(&self, case: &Case<'_, M>) -> Option<Flag> {
        let name = self.loser.name();
        let delayed = self.delays(case).map(|lost| {
            let text = format!(
                "{name} let {} pass {}, and no time-out was called: {}",
                counted(lost.counted as usize, "move limit", "move limits"),
                case.after(lost.timed.ply).replace("after", "with"),
                lost.sum()
            );
            Flag { ply: lost.timed.ply, is_contradicted: false, is_delay: true, sum: text }
        });
        let exceeded = self.recorded.exceeded[self.loser.index()].map(|step| {
            let text = format!(
                "{name} exceeded the time {}: {} were spent and {} charged, {} more than there was: {step}",
                case.after(step.ply).replace("after", "with"),
                shown(step.spent),
                shown(step.charged),
                shown(step.exceeded()),
            );
            let is_contradicted = step.shown.is_some_and(|clock| clock >= SECOND);
            Flag { ply: step.ply, is_contradicted, is_delay: false, sum: text }
        });
        delayed.into_iter().chain(exceeded).min_by_key(|flag| flag.ply)
    }

    /// The verdict by the first flag, which is the loser's.
    pub(super) fn verdict_by<M: Mask>(&self, case: &Case<'_, M>, winner: Owner, flag: &Flag) -> Verdict {
        let mut verdict = self.verdict(case, Decision::Upheld, format!("{}.", flag.sum));
        // The flag decides, and not an instant after it.
        verdict.claim.at = None;
        verdict.plies = vec![flag.ply];
        if flag.is_delay {
            // IAP 2: the game is lost whatever the opponent can still do.
            verdict.result = Some(Outcome::won_by(winner));
            verdict.articles = vec!["IAP 2".to_owned()];
        } else {
            verdict.strength = Strength::Proved;
            verdict.clock = self.steps(flag.ply);
            win_unless_beyond(case, winner, &mut verdict);
        }
        verdict
    }

    /// The move with which the loser lost by delays, if it is the first such move of either player.
    fn delays<M: Mask>(&self, case: &Case<'_, M>) -> Option<Delay> {
        let limit = self.clocks.limit?;
        let (first, _) = first_move(case.record.tag("FEN").as_deref());
        let delays = limit.delays(case.record, first, case.plies);
        delays.last().filter(|delay| delay.loses && delay.timed.actor == self.loser).cloned()
    }

    /// A clock that shows time left, and does not run, has not run out.
    pub(super) fn time_left<M: Mask>(&self, case: &Case<'_, M>) -> Option<Verdict> {
        let left = self.recorded.left[self.loser.index()].filter(|left| *left >= SECOND)?;
        if case.position.turn() == self.loser {
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
    pub(super) fn silence<M: Mask>(&self, case: &Case<'_, M>, winner: Owner) -> Option<Verdict> {
        let silence = self.clocks.silence?;
        let rule = format!("a player who does not answer for more than {} loses", in_words(silence));
        self.overdue(case, winner, (silence, false), &rule)
    }

    /// A first move that came later than the policy lets a player be absent.
    pub(super) fn default<M: Mask>(&self, case: &Case<'_, M>, winner: Owner) -> Option<Verdict> {
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

/// Clocks are written in whole seconds.
const SECOND: u64 = 1000;
