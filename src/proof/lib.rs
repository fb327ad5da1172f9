//! Claims about games, and evidence for the answers that others can check. A member of [`ferz`], which is the library
//! to depend on.
//!
//! [`ferz`]: https://crates.io/crates/ferz

#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout, clippy::print_stderr)
)]

// L5: endgame tables, of others and of our own.
pub mod syzygy;
pub mod tables;

// L6: evidence for verdicts, and its checker.
pub mod certificate;

// L7: proofs about what can still happen.
pub mod prove;

// L8: claims about a game.
pub mod adjudicate;
