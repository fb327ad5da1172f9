//! How much work may be done: units to spend and a flag to cancel, without a clock.

use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, LazyLock};

/// Work that may be done, shared by all that work on one request.
///
/// A unit is about the work of judging one plain ply: a microsecond. Long work spends units as it goes and stops with
/// [`Exhausted`] when none are left or it is cancelled. It never returns a shorter answer. There is no clock in it:
/// a caller with a deadline cancels when it passes.
///
/// Once it is exhausted it stays so, so that work which cannot stop at every step may spend and look later.
///
/// ```
/// use ferz_core::text::Budget;
/// let budget = Budget::of(3);
/// let other = budget.clone(); // the same units, for another thread
/// assert!(budget.spend(2).is_ok() && other.spend(1).is_ok());
/// assert!(budget.spend(1).is_err());
///
/// let unlimited = Budget::unlimited();
/// assert!(unlimited.spend(u64::MAX).is_ok());
/// unlimited.cancel();
/// assert!(unlimited.spend(0).is_err());
/// ```
#[derive(Debug, Clone, Default)]
pub struct Budget {
    shared: Arc<Shared>,
    /// What this one is a part of.
    outer: Option<Box<Budget>>,
}

#[derive(Debug)]
struct Shared {
    left: AtomicU64,
    /// How often units were taken off.
    steps: AtomicU64,
    cancelled: AtomicBool,
}

impl Default for Shared {
    fn default() -> Shared {
        Shared {
            left: AtomicU64::new(UNLIMITED),
            steps: AtomicU64::new(0),
            cancelled: AtomicBool::new(false),
        }
    }
}

/// The budget of callers without one. No one else has it, so that it never ends.
static ENDLESS: LazyLock<Budget> = LazyLock::new(Budget::unlimited);

/// Units that are never taken off.
const UNLIMITED: u64 = u64::MAX;

/// The budget ended before the work did: its units are spent, or it was cancelled. What was made so far is no answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Exhausted {
    /// True if the budget was cancelled; false if the units are spent.
    pub cancelled: bool,
}

impl fmt::Display for Exhausted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.cancelled { "the work was cancelled" } else { "the work exceeds its budget" })
    }
}

impl std::error::Error for Exhausted {}

impl Budget {
    /// A budget of so many units.
    pub fn of(units: u64) -> Budget {
        let shared = Shared { left: AtomicU64::new(units.min(UNLIMITED - 1)), ..Shared::default() };
        Budget { shared: Arc::new(shared), outer: None }
    }

    /// This budget as a part of `outer`: it also spends that one's units and ends with it.
    ///
    /// ```
    /// use ferz_core::text::Budget;
    /// let service = Budget::unlimited();
    /// let request = Budget::of(100).within(&service);
    /// assert!(request.check().is_ok());
    /// service.cancel();
    /// assert!(request.check().is_err());
    /// ```
    #[must_use]
    pub fn within(self, outer: &Budget) -> Budget {
        Budget { outer: Some(Box::new(outer.clone())), ..self }
    }

    /// Does work for a caller that has no budget.
    pub fn endless<T>(work: impl FnOnce(&Budget) -> Result<T, Exhausted>) -> T {
        match work(&ENDLESS) {
            Ok(done) => done,
            Err(Exhausted { .. }) => unreachable!("no one cancels it, and its units are never taken off"),
        }
    }

    /// A budget that ends only when it is cancelled.
    pub fn unlimited() -> Budget {
        Budget::default()
    }

    /// Takes units off.
    ///
    /// # Errors
    /// If fewer are left, then and ever after; and once the budget was cancelled.
    pub fn spend(&self, units: u64) -> Result<(), Exhausted> {
        let Shared { left, cancelled, .. } = &*self.shared;
        if cancelled.load(Ordering::Relaxed) {
            return Err(Exhausted { cancelled: true });
        }
        if left.load(Ordering::Relaxed) != UNLIMITED {
            let less = |left: u64| left.checked_sub(units);
            if left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less).is_err() {
                left.store(0, Ordering::Relaxed);
                return Err(Exhausted { cancelled: false });
            }
            self.shared.steps.fetch_add(1, Ordering::Relaxed);
        }
        self.outer.as_ref().map_or(Ok(()), |outer| outer.spend(units))
    }

    /// Looks whether work may go on, and spends nothing.
    ///
    /// # Errors
    /// If the budget was cancelled or its units are spent.
    pub fn check(&self) -> Result<(), Exhausted> {
        let Shared { left, cancelled, .. } = &*self.shared;
        let cancelled = cancelled.load(Ordering::Relaxed);
        if cancelled || left.load(Ordering::Relaxed) == 0 {
            return Err(Exhausted { cancelled });
        }
        self.outer.as_ref().map_or(Ok(()), |outer| outer.check())
    }

    /// How often units of a limited budget were taken off: about the positions that a search has visited.
    pub fn steps(&self) -> u64 {
        self.shared.steps.load(Ordering::Relaxed)
    }

    /// Ends all work that shares the budget, at its next look.
    pub fn cancel(&self) {
        self.shared.cancelled.store(true, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_spent_stays_spent() {
        let budget = Budget::of(5);
        assert_eq!(budget.spend(6), Err(Exhausted { cancelled: false }));
        // A smaller piece of work does not slip through after a larger one was refused.
        assert_eq!(budget.spend(1), Err(Exhausted { cancelled: false }));
        assert_eq!(budget.check(), Err(Exhausted { cancelled: false }));
    }

    #[test]
    fn cancelling_reaches_every_clone() {
        let budget = Budget::of(5);
        let other = budget.clone();
        budget.cancel();
        assert_eq!(other.spend(0), Err(Exhausted { cancelled: true }));
        assert_eq!(other.check(), Err(Exhausted { cancelled: true }));
    }

    #[test]
    fn a_part_spends_of_the_whole_and_harms_no_other_part() {
        let whole = Budget::of(10);
        let (first, second) = (Budget::unlimited().within(&whole), Budget::of(3).within(&whole));
        assert_eq!(first.spend(4), Ok(()));
        assert_eq!(second.spend(4), Err(Exhausted { cancelled: false }));
        assert_eq!(first.spend(6), Ok(()));
        assert_eq!(first.spend(1), Err(Exhausted { cancelled: false }));
        let whole = Budget::unlimited();
        let (first, second) = (Budget::unlimited().within(&whole), Budget::unlimited().within(&whole));
        first.cancel();
        assert_eq!((first.check(), second.check()), (Err(Exhausted { cancelled: true }), Ok(())));
        whole.cancel();
        assert_eq!(second.spend(0), Err(Exhausted { cancelled: true }));
    }

    #[test]
    fn a_caller_without_a_budget_always_gets_an_answer() {
        assert_eq!(Budget::endless(|budget| budget.spend(u64::MAX).and(budget.check()).map(|()| 7)), 7);
    }
}
