//! The clocks of a claim, as the policy or the record has them.

use super::case::Case;
use super::verdict::{Ground, Verdict};
use crate::certificate::Decision;
use ferz_core::board::{Mask, Owner};
use ferz_records::clock::{
    Clocks, DelayScope, MoveLimit, Recorded, Step, nature_clock, of_record, time_control,
};
use ferz_records::record::time_control::TimeControl;
use ferz_records::replay::first_move;
use std::sync::Arc;

/// The clocks of a claim.
pub(super) struct Timed {
    pub loser: Owner,
    pub clocks: Clocks,
    pub recorded: Recorded,
    /// True if the clocks are those of the policy, and not of the record's tags.
    by_policy: bool,
}

/// A loss on time that the record shows.
pub(super) struct Flag {
    /// The ply with which the time was exceeded.
    pub ply: usize,
    /// The clock that the record states after that ply shows time left.
    pub is_contradicted: bool,
    /// By delays: no sum of clocks shows it.
    pub is_delay: bool,
    /// The sum that shows it, in a sentence without its dot.
    pub sum: String,
}

impl Timed {
    /// The clocks by the policy, or else by the record's tags; `None` without any, or where a turn was skipped, so that
    /// it is not known whose clock is whose.
    pub fn of<M: Mask>(case: &Case<'_, M>, loser: Owner) -> Option<Timed> {
        if !case.trace.report.let_stand.is_empty() {
            return None;
        }
        let tag = |name: &str| case.record.tag(name);
        let policy = case.means.terms.policy.clocks.clone();
        let by_policy = policy.is_some();
        let clocks = policy.unwrap_or_else(|| {
            let rules = &case.position.rules().definition;
            let periods = match time_control(tag("TimeControl").as_deref(), rules) {
                Some(TimeControl::Periods(periods)) => periods,
                _ => Vec::new(),
            };
            let limit = tag("MoveLimit").and_then(|limit| {
                MoveLimit::of_tags(&limit, tag("DelayLimit").as_deref(), DelayScope::Move).ok()
            });
            let nature_clock = nature_clock(tag("NatureClock").as_deref(), rules);
            Clocks { periods, limit, nature_clock, ..Clocks::default() }
        });
        let recorded = of_record(&clocks, case.record, first_move(tag("FEN").as_deref()), case.plies);
        Some(Timed { loser, clocks, recorded, by_policy })
    }

    /// The sums of the loser's moves, up to a ply.
    pub fn steps(&self, to: usize) -> Vec<Step> {
        self.recorded.steps.iter().filter(|step| step.by == self.loser && step.ply <= to).copied().collect()
    }

    /// A verdict by the clocks.
    pub fn verdict<M: Mask>(&self, case: &Case<'_, M>, decision: Decision, text: String) -> Verdict {
        let mut verdict = case.verdict(decision, Ground::Clock, None, text);
        verdict.policy = self.by_policy.then(|| Arc::clone(&case.means.terms.policy.id));
        verdict
    }
}
