//! L7: proofs about what can still happen in a game, bounded by budgets.

pub mod forced;
