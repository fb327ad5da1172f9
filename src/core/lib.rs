//! What a game is: boards, pieces, rules, positions, notation, and how a game ends. A member of [`ferz`], which is the
//! library to depend on.
//!
//! A module imports only from those above it in this list.
//!
//! [`ferz`]: https://crates.io/crates/ferz

#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout, clippy::print_stderr)
)]

// L0: places in a text, diagnostics, limits.
pub mod text;

// L1: boards as masks.
pub mod board;

// L2: how pieces move (Betza notation), and armies of them.
pub mod pieces;

// L3: definitions of games, and the rules compiled from them.
pub mod rules;

// L4: positions, plies, and what is legal.
pub mod position;

// L5: notation: from text to ply and back.
pub mod notation;

// L6: endings and claims.
pub mod judge;
